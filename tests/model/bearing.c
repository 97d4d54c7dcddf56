/* holds: the ball bearing has the constants, symmetries and restarts it should have, and refuses what cannot be built
 * bearing.c - the ball bearing: its constants and start, action and reaction, objectivity, another bearing built by the public calls, loads
 * and speeds that change, restart with a pocket touching, and what cannot be built or run */
#include "bearings.h"

static const double PI = 3.14159265358979323846;
enum { NQ = 84, NV = 72, N = NQ + NV, BODIES = 12, CONTACTS = 29 };

/* ---- constants ---- */
static void constants(void)
{
  double D = 9.525e-3, g = 9.525/46, Ee = 207e9/(1 - 0.09), cp = 1e-4;
  double Rxi = 1/(2/D*(1 + g/(1 - g))), Rxo = 1/(2/D*(1 - g/(1 + g))), Ryi = 1/(2/D - 1/(0.515*D)), Ryo = 1/(2/D - 1/(0.525*D));
  epi_hertz i = epi_hertz_of(Rxi, Ryi, Ee, EPI_BREWE_HAMROCK), o = epi_hertz_of(Rxo, Ryo, Ee, EPI_BREWE_HAMROCK);
  check_abs(i.K, 3.163468e10, 0.5e4);
  check_abs(o.K, 2.744720e10, 0.5e4);
  check_abs(i.ellipse, 0.504283, 0.5e-6);
  check_abs(o.ellipse, 0.374253, 0.5e-6);
  /* the fit is good to 3 %: this is what it is a fit of */
  check_abs(epi_hertz_of(Rxi, Ryi, Ee, EPI_ELLIPTIC).K, 3.08454e10, 0.5e5);
  check_abs(epi_hertz_of(Rxo, Ryo, Ee, EPI_ELLIPTIC).K, 2.74087e10, 0.5e5);
  double Ep = 2/((1 - 0.09)/207e9 + (1 - 0.16)/3e9);
  epi_hertz p = epi_hertz_of(D/2, 1/(2/D - 1/(D/2 + cp)), Ep, EPI_BREWE_HAMROCK);
  check_abs(p.K, 1.15107e9, 0.5e4);
  /* and this is what the model has: load/depth^1.5 of contacts that do not close */
  epi_case *c = bearing_make(S0);
  epi_state s = epi_case_state(c);
  epi_action a = bearing_contact(c, &s, "inner", 4), b = bearing_contact(c, &s, "outer", 7);
  check_rel(a.load/(a.depth*sqrt(a.depth)), i.K, 1e-12);
  check_rel(b.load/(b.depth*sqrt(b.depth)), o.K, 1e-12);
  check_rel(a.stiffness, 1.08e8, 0.05);
  check_rel(b.stiffness, 1.0e8, 0.05);
  /* a ball that is put 2 um into the wall of its pocket, at rest against it */
  epi_pose cage = epi_world_pose(c->world, &s, BEARING_CAGE), ball = epi_world_pose(c->world, &s, BEARING_BALLS);
  s.y[7*BEARING_BALLS + 2] = cage.r[2] + cp + 2e-6;
  s.y[NQ + 6*BEARING_BALLS + 2] = 0;
  a = bearing_contact(c, &s, "pocket", 1);
  check_abs(a.depth, 2e-6, 1e-15);
  check_rel(a.load, p.K*2e-6*sqrt(2e-6), 1e-9);
  check_abs(ball.r[1], 0, 1e-15);
  epi_case_free(c);
  /* by the integrals, on request */
  c = bearing_make("bearing(hertz=elliptic)");
  s = epi_case_state(c);
  a = bearing_contact(c, &s, "inner", 1);
  check_rel(a.load/(a.depth*sqrt(a.depth)), 3.08454e10, 2e-6);
  epi_case_free(c);
}

/* what it is made of */
static void made_of(void)
{
  epi_case *c = bearing_make(S1);
  check_count(c->system.nq, NQ);
  check_count(c->system.nv, NV);
  const double *m = c->system.mass;
  check_array(6, m, ((double[]){0.0994, 0.0994, 0.0994, 4.35e-5, 4.35e-5, 8.27e-5}), 0);
  check_array(6, m + 6, ((double[]){0.0615, 0.0615, 0.0615, 1.06e-5, 1.06e-5, 1.90e-5}), 0);
  check_array(6, m + 12, ((double[]){0.012, 0.012, 0.012, 3.3e-6, 3.3e-6, 6.35e-6}), 0);
  check_abs(m[18], 3.529297e-3, 0.5e-9);
  check_abs(m[NV - 1], 3.201977e-8, 0.5e-14);
  static const struct { const char *word; int n; } parts[] = {{"ball", 9}, {"outer", 9}, {"inner", 9}, {"pocket", 9}, {"land", 2}};
  int count = 0;
  for (size_t k = 0; k < sizeof parts/sizeof *parts; k++)
    for (int i = 1; i <= parts[k].n + 1; i++) {
      char name[32];
      snprintf(name, sizeof name, "%s%d", parts[k].word, i);
      check_count((k ? epi_world_action_named : epi_world_body_named)(c->world, name) >= 0, i <= parts[k].n);
      count += k > 0 && i <= parts[k].n;
    }
  check_count(count, CONTACTS);
  check_text(c->parts[1].name, "model.contacts");
  check_text(c->parts[2].name, "model.stiff");
  epi_case_free(c);
  /* what is scaled for another size is that of the 6206, at its size; twice as large, of the same steel: 8 times the mass, 32 times the
     moments */
  c = bearing_make("bearing(D=19.05e-3, dm=92e-3, bore=60e-3, outside=124e-3, width=32e-3, Pd=24e-6)");
  static const double small[3][3] = {{0.0994, 4.35e-5, 8.27e-5}, {0.0615, 1.06e-5, 1.90e-5}, {0.012, 3.3e-6, 6.35e-6}};
  for (int i = 0; i < 18; i++) {
    int k = i%6 < 3 ? 0 : i%6 < 5 ? 1 : 2;
    check_rel(c->system.mass[i], (k ? 32 : 8)*small[i/6][k], 1e-12);
  }
  epi_case_free(c);
  /* only the public header is used to build it */
  FILE *in = fopen(TEST_SOURCE "/src/model/bearing.c", "r");
  char line[512];
  int calls = 0;
  while (in && fgets(line, sizeof line, in)) {
    calls += strstr(line, "epi_add_") != NULL;
    check(!strstr(line, "body/") && !strstr(line, "parts.h"));
  }
  check_above(calls, 8);
  if (in) fclose(in);
}

/* ---- the start ---- */
static void starts(void)
{
  static const struct { const char *text; double ai, ao, Qi, Qo, zi, wc, rho, zb; } AT[] = {
    {S1, 17.3327, 16.7003, 372.957, 386.655, 1.1421e-4, 419.998, 2.2998543e-2, 7.0105e-5},
    {S2, 16.6552, 5.8390, 7.753, 21.844, 6.5375e-5, 418.143, 0, 0}};
  for (int k = 0; k < 2; k++) {
    epi_case *c = bearing_make(AT[k].text);
    epi_state s = epi_case_state(c);
    check_abs(observed(c, "ai", &s), AT[k].ai, 0.6e-4);
    check_abs(observed(c, "ao", &s), AT[k].ao, 0.6e-4);
    check_abs(observed(c, "Qi", &s), AT[k].Qi, 0.6e-3);
    check_abs(observed(c, "Qo", &s), AT[k].Qo, 0.6e-3);
    check_abs(observed(c, "z", &s), AT[k].zi, k ? 0.6e-9 : 0.6e-8);
    check_abs(observed(c, "orbit", &s), AT[k].wc, 0.6e-3);
    epi_pose p = epi_world_pose(c->world, &s, BEARING_BALLS + 4);
    if (AT[k].rho > 0) check_abs(hypot(p.r[0], p.r[1]), AT[k].rho, 0.6e-9);
    if (AT[k].rho > 0) check_abs(p.r[2], AT[k].zb, 0.6e-9);
    check_rel(observed(c, "cage-speed", &s), 0.98*observed(c, "orbit", &s), 1e-14);
    epi_case_free(c);
  }
  /* in equilibrium, but for weight and the way the axes turn: no axial force on the ring, none in the meridian plane on the balls */
  epi_case *c = bearing_make("bearing(g=0, mu=0)");
  epi_system *A = c->parts[1].system;
  double f[NV];
  epi_state s = epi_case_state(c);
  check_count(A->force(A, 0, s.y, f) | A->velocity_force(A, 0, s.y, s.y + NQ, f), 0);
  check_abs(f[6 + 2], 0, 1e-6);
  for (int k = 0; k < 9; k++) {
    const double *q = s.y + 7*(BEARING_BALLS + k), *F = f + 6*(BEARING_BALLS + k);
    double rho = hypot(q[0], q[1]), wc = observed(c, "orbit", &s);
    check_abs(F[2], 0, 1e-6);
    /* the orbit is first that of the textbook, then that of no slip: 0.1 rad/s apart */
    check_abs((F[0]*q[0] + F[1]*q[1])/rho, -3.529297e-3*rho*wc*wc, 2e-2);
  }
  epi_case_free(c);
  /* no slip along the races where the start is made: the slip that is left is across, from the spin */
  c = bearing_make("bearing(slices=1)");
  s = epi_case_state(c);
  for (int k = 1; k <= 9; k++) {
    epi_action o = bearing_contact(c, &s, "outer", k), i = bearing_contact(c, &s, "inner", k);
    epi_pose p = epi_world_pose(c->world, &s, BEARING_BALLS + k - 1);
    double rho = hypot(p.r[0], p.r[1]);
    check_abs((o.force[1]*p.r[0] - o.force[0]*p.r[1])/rho, 0, 1e-9);
    check_abs((i.force[1]*p.r[0] - i.force[0]*p.r[1])/rho, 0, 1e-9);
  }
  epi_case_free(c);
}

/* a state in the middle of things: pockets touch */
static void busy(epi_case *c, epi_state *s, double t)
{
  epi_flow *f = epi_case_flow(c, AHEAD);
  *s = epi_case_state(c);
  if (epi_advance(f, s, 1e-6, lround(t/1e-6))) test_stop(epi_error(f));
  epi_free(f);
}

/* ---- action and reaction ---- */
/* of every contact: the forces are opposite by construction, so it is the moment about one point that counts */
static void reaction(void)
{
  epi_case *c = bearing_make(S3);
  epi_state s;
  busy(c, &s, 100e-6);
  /* the cage is pressed into a land as well */
  s.y[7*BEARING_CAGE] = 2.05e-4;
  static const struct { const char *word; int n, b; } kinds[] = {
    {"outer", 9, BEARING_OUTER}, {"inner", 9, BEARING_INNER}, {"pocket", 9, BEARING_CAGE}, {"land", 2, BEARING_OUTER}};
  double worst = 0, sum[3] = {0}, about[] = {0.01, -0.02, 0.005};
  int touching[4] = {0};
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < kinds[k].n; i++) {
      epi_action a = bearing_contact(c, &s, kinds[k].word, i + 1);
      epi_pose p = epi_world_pose(c->world, &s, k == 3 ? BEARING_CAGE : BEARING_BALLS + i), q = epi_world_pose(c->world, &s, kinds[k].b);
      double arm[3], back[3], M[3];
      for (int j = 0; j < 3; j++) { arm[j] = p.r[j] - about[j]; back[j] = q.r[j] - about[j]; }
      for (int j = 0; j < 3; j++) {
        int l = (j + 1)%3, m = (j + 2)%3;
        M[j] = arm[l]*a.force[m] - arm[m]*a.force[l] - back[l]*a.force[m] + back[m]*a.force[l] + a.moment[0][j] + a.moment[1][j];
        worst = fmax(worst, fabs(M[j]));
        sum[j] += M[j];
      }
      touching[k] += a.load > 0;
    }
  printf("action and reaction: a moment of %.2g N m is left of one contact, %.2g of all\n", worst,
         fmax(fabs(sum[0]), fmax(fabs(sum[1]), fabs(sum[2]))));
  check_below(worst, 2e-14);
  for (int k = 0; k < 4; k++) check_above(touching[k], k == 2 ? 1 : kinds[k].n);
  /* the sums, as the system has them: no force and no moment on all bodies together, but for the load and weight */
  epi_system *A = c->parts[1].system;
  double f[NV], F[3] = {0}, M[3] = {0};
  memset(f, 0, sizeof f);
  check_count(A->velocity_force(A, s.t, s.y, s.y + NQ, f), 0);
  for (int i = 0; i < BODIES; i++) {
    epi_pose p = epi_world_pose(c->world, &s, i);
    const double *x = f + 6*i, *w = s.y + NQ + 6*i + 3, *I = A->mass + 6*i + 3;
    /* less the gyroscopic torque, which is no action */
    double g[] = {x[3] - (I[1] - I[2])*w[1]*w[2], x[4] - (I[2] - I[0])*w[2]*w[0], x[5] - (I[0] - I[1])*w[0]*w[1]};
    for (int j = 0; j < 3; j++) {
      int l = (j + 1)%3, m = (j + 2)%3;
      F[j] += x[j];
      M[j] += p.r[l]*x[m] - p.r[m]*x[l] + p.R[3*j]*g[0] + p.R[3*j+1]*g[1] + p.R[3*j+2]*g[2];
    }
  }
  printf("of the whole sweep: %.2g N, %.2g N m\n", fmax(fabs(F[0]), fmax(fabs(F[1]), fabs(F[2]))),
         fmax(fabs(M[0]), fmax(fabs(M[1]), fabs(M[2]))));
  for (int j = 0; j < 3; j++) { check_abs(F[j], 0, 1e-10); check_abs(M[j], 0, 1e-12); }
  epi_case_free(c);
}

/* ---- objectivity ---- */
static void multiply(const double *p, const double *q, double *out)
{
  out[0] = p[0]*q[0] - p[1]*q[1] - p[2]*q[2] - p[3]*q[3];
  out[1] = p[0]*q[1] + p[1]*q[0] + p[2]*q[3] - p[3]*q[2];
  out[2] = p[0]*q[2] + p[2]*q[0] + p[3]*q[1] - p[1]*q[3];
  out[3] = p[0]*q[3] + p[3]*q[0] + p[1]*q[2] - p[2]*q[1];
}

static void rotate(const double *q, const double *x, double *out)
{
  double y[4] = {0, x[0], x[1], x[2]}, back[4] = {q[0], -q[1], -q[2], -q[3]}, t[4], u[4];
  multiply(q, y, t);
  multiply(t, back, u);
  memcpy(out, u + 1, 3*sizeof *out);
}

/* everything turned, put elsewhere, and moving as one body on top of its motion: the contacts do not notice */
static void objective(void)
{
  epi_case *c = bearing_make(S3);
  epi_state s;
  busy(c, &s, 100e-6);
  double z[N], turn[4] = {0.6, 0.4, -0.5, 0.3}, shift[3] = {0.1, -0.05, 0.02}, v0[3] = {1, -2, 0.5}, w0[3] = {7, -30, 11}, size = 0,
    worst = 0, level = 0;
  for (int i = 0; i < 4; i++) size += turn[i]*turn[i];
  for (int i = 0; i < 4; i++) turn[i] /= sqrt(size);
  for (int i = 0; i < BODIES; i++) {
    const double *q = s.y + 7*i, *v = s.y + NQ + 6*i;
    double *Q = z + 7*i, *V = z + NQ + 6*i, back[4] = {0}, w[3];
    rotate(turn, q, Q);
    multiply(turn, q + 3, Q + 3);
    rotate(turn, v, V);
    /* the velocity of the point, and w0 in the axes of the body */
    V[0] += v0[0] + w0[1]*Q[2] - w0[2]*Q[1];
    V[1] += v0[1] + w0[2]*Q[0] - w0[0]*Q[2];
    V[2] += v0[2] + w0[0]*Q[1] - w0[1]*Q[0];
    back[0] = Q[3], back[1] = -Q[4], back[2] = -Q[5], back[3] = -Q[6];
    rotate(back, w0, w);
    for (int j = 0; j < 3; j++) { V[3+j] = v[3+j] + w[j]; Q[j] += shift[j]; }
  }
  epi_state r = {.t = s.t, .y = z};
  static const struct { const char *word; int n; } kinds[] = {{"outer", 9}, {"inner", 9}, {"pocket", 9}, {"land", 2}};
  for (int k = 0; k < 4; k++)
    for (int i = 1; i <= kinds[k].n; i++) {
      epi_action a = bearing_contact(c, &s, kinds[k].word, i), b = bearing_contact(c, &r, kinds[k].word, i);
      double F[3], M[3];
      rotate(turn, a.force, F);
      rotate(turn, a.moment[0], M);
      level = fmax(level, a.load);
      worst = fmax(worst, fabs(a.load - b.load));
      for (int j = 0; j < 3; j++) worst = fmax(worst, fmax(fabs(F[j] - b.force[j]), 100*fabs(M[j] - b.moment[0][j])));
    }
  printf("objectivity: %.2g N of %.0f\n", worst, level);
  check_above(level, 400);
  check_below(worst, 1e-8);
  epi_case_free(c);
}

/* ---- another bearing, built here ---- */
typedef struct { int Z; double D, dm, fi, fo, Pd, E, nu, clearance, land, land_z, axial, w; } sizes;

static epi_world *build(const sizes *b, const epi_case *like)
{
  epi_world *w = epi_world_make();
  const double *m = like->system.mass, *y = like->y, r = b->D/2, g = b->D/b->dm, modulus = b->E/(1 - b->nu*b->nu), f[] = {b->fo, b->fi},
    k = pow(2*PI*1e7, 2);
  double *v = like->y + like->system.nq;
  for (int i = 0; i < 3 + b->Z; i++, m += 6, y += 7, v += 6)
    epi_add_body(w, &(epi_body){.mass = m[0], .inertia = {m[3], m[4], m[5]}, .at = {y[0], y[1], y[2]}, .attitude = {y[3], y[4], y[5], y[6]},
                                .velocity = {v[0], v[1], v[2]}, .spin = {v[3], v[4], v[5]}});
  for (int i = 0; i < 2; i++) {
    double groove = f[i]*b->D, race = i ? b->dm - b->D - b->Pd/2 : b->dm + b->D + b->Pd/2;
    epi_hertz h = epi_hertz_of(i ? r*(1 - g) : r*(1 + g), 1/(1/r - 1/groove), modulus, EPI_BREWE_HAMROCK);
    for (int j = 0; j < b->Z; j++)
      epi_add_contact(w, &(epi_contact){.shape = EPI_SPHERE_GROOVE, .a = 3 + j, .b = i, .radius = r, .other = groove,
                                        .circle = race/2 + (i ? groove : -groove),
        .law = {.K = h.K, .chi = 0.25, .mu = 0.07, .vs = 0.1, .slices = 16, .ellipse = h.ellipse, .curvature = (1/r + 1/groove)/2}});
  }
  epi_hertz wall = epi_hertz_of(r, 1/(1/r - 1/(r + b->clearance)), 2/((1 - b->nu*b->nu)/b->E + (1 - 0.16)/3e9), EPI_BREWE_HAMROCK);
  for (int j = 0; j < b->Z; j++)
    epi_add_contact(w, &(epi_contact){.shape = EPI_SPHERE_POCKET, .a = 3 + j, .b = 2, .radius = r, .clearance = b->clearance,
      .normal = {cos(2*PI*j/b->Z), sin(2*PI*j/b->Z), 0}, .law = {.K = wall.K, .chi = 2, .mu = 0.1, .vs = 0.1}});
  for (int j = 0; j < 2; j++)
    epi_add_contact(w, &(epi_contact){.shape = EPI_CIRCLE_IN_BORE, .a = 2, .b = 0, .radius = b->land - 2e-4, .clearance = 2e-4,
                                      .at = {0, 0, j ? -b->land_z : b->land_z},
      .law = {.K = 1e9, .chi = 2, .mu = 0.05, .vs = 0.1}});
  epi_add_load(w, &(epi_applied_force){.body = 1, .force = {0, 0, b->axial}});
  epi_add_gravity(w, (double[]){0, -9.81, 0});
  m = like->system.mass;
  for (int i = 0; i < 4; i++) {
    const double *I = m + 6*(i/2) + (i%2 ? 5 : 3);
    static const int hold[] = {EPI_POINT | EPI_RX | EPI_RY, EPI_RZ, EPI_RX | EPI_RY, EPI_RZ};
    epi_add_joint(w, &(epi_joint){.a = i/2, .b = EPI_GROUND, .hold = hold[i], .stiffness = {k*m[0], k*I[0]},
                                  .damping = {1e-7*k*m[0], 1e-7*k*I[0]}, .speed = i/2*b->w});
  }
  return w;
}

static int count(void *data, const epi_system *m, epi_state *s) { (void)m, (void)s; ++*(int *)data; return 0; }

/* a 6204 by its dimensions and by hand: the same forces, the same motion */
static void by_hand(void)
{
  epi_case *c =
    bearing_make("bearing(Z=8, D=7.938e-3, dm=33.5e-3, bore=20e-3, outside=47e-3, width=14e-3, axial=600, speed=12000, land.radius=19e-3, "
                 "land.z=5e-3)");
  sizes b = {.Z = 8, .D = 7.938e-3, .dm = 33.5e-3, .fi = 0.515, .fo = 0.525, .Pd = 12e-6, .E = 207e9, .nu = 0.3, .clearance = 1e-4,
             .land = 19e-3, .land_z = 5e-3,
             .axial = 600, .w = 12000*PI/30};
  epi_world *w = build(&b, c);
  if (epi_world_error(w)) test_stop(epi_world_error(w));
  /* with a watch of its own, by the names of its systems */
  int n = epi_size(&c->system), steps = 0;
  epi_name names[4] = {{.name = "count", .see = count, .data = &steps}};
  for (int i = 0; i < 3; i++) names[i] = i ? epi_world_names(w)[i] : names[0];
  epi_flow *f = epi_case_flow(c, AHEAD), *g = epi_make_named("watch(" AHEAD ", see=count)", names);
  epi_state s = epi_case_state(c), r = epi_world_state(w);
  check_count(n, 13*11);
  double pocket = 0;
  for (int k = 0; k < 20; k++) {
    if (epi_advance(f, &s, 1e-6, 15) || epi_advance(g, &r, 1e-6, 15)) test_stop(epi_error(f) ? epi_error(f) : epi_error(g));
    pocket = fmax(pocket, observed(c, "Qpocket-most", &s));
    check_array(n, r.y, s.y, 1e-9);
  }
  check_above(pocket, 1);
  check_count(steps, 300);
  epi_free(f);
  epi_free(g);
  epi_world_free(w);
  epi_case_free(c);
}

/* ---- loads and speeds that change ---- */
static void ramps(void)
{
  epi_case *c = bearing_make("bearing(axial=1500, preload=500, radial=400, ramp=2e-4, speed=12000, from=6000, spinup=3e-4)");
  epi_flow *f = epi_case_flow(c, AHEAD);
  epi_state s = epi_case_state(c);
  static const struct { double t, axial, radial, speed; } AT[] = {{0, 500, 0, 6000}, {50e-6, 656.25, -62.5, 0}, {100e-6, 1000, -200, 0},
                                                                  {150e-6, 0, 0, 9000},
    {200e-6, 1500, -400, 0}, {300e-6, 1500, -400, 12000}, {400e-6, 1500, -400, 12000}};
  for (size_t k = 0; k < sizeof AT/sizeof *AT; k++) {
    epi_action a, r;
    bearing_run(f, &s, AT[k].t, 1e-6);
    epi_world_action(c->world, &s, epi_world_action_named(c->world, "axial"), &a);
    epi_world_action(c->world, &s, epi_world_action_named(c->world, "radial"), &r);
    if (AT[k].axial > 0) check_abs(a.force[2], AT[k].axial, 1e-9);
    if (AT[k].axial > 0) check_abs(r.force[1], AT[k].radial, 1e-9);
    /* the ring follows its drive, and has turned as far */
    if (AT[k].speed > 0) check_rel(epi_world_pose(c->world, &s, BEARING_INNER).w[2], AT[k].speed*PI/30, 1e-5);
  }
  epi_pose ring = epi_world_pose(c->world, &s, BEARING_INNER);
  check_abs(atan2(ring.R[3], ring.R[0]), PI/30*(9000*300e-6 + 12000*100e-6), 1e-8);
  epi_free(f);
  epi_case_free(c);
}

/* what was seen of one state is not shown of another at the same time */
static void looks(void)
{
  epi_case *c = bearing_make("bearing(ball=3)");
  epi_state s = epi_case_state(c);
  double Q = observed(c, "Qo", &s);
  check_rel(Q, bearing_contact(c, &s, "outer", 3).load, 1e-15);
  s.y[7*(BEARING_BALLS + 2) + 2] += 1e-6;
  double moved = observed(c, "Qo", &s);
  check_above(moved - Q, 10);
  check_rel(observed(c, "Qo-most", &s), moved, 1e-15);
  check_rel(observed(c, "Qo-least", &s), Q, 1e-12);
  check_rel(observed(c, "Qo-sum", &s), moved + 8*Q, 1e-12);
  s.y[7*(BEARING_BALLS + 2) + 2] -= 1e-6;
  check_rel(observed(c, "Qo", &s), Q, 1e-9);
  check_abs(observed(c, "depth", &s), bearing_contact(c, &s, "outer", 1).depth, 1e-11);
  check_rel(observed(c, "whirl", &(epi_state){.y = s.y}), 0, 0);
  s.y[7*BEARING_CAGE] = 3e-5, s.y[7*BEARING_CAGE + 1] = -4e-5;
  check_rel(observed(c, "whirl", &s), 5e-5, 1e-14);
  check_abs(observed(c, "whirl-side", &s), -53.13010235415598, 1e-9);
  epi_case_free(c);
}

/* ---- restart ---- */
static void restart(void)
{
  static const char *const flows[] = {AHEAD, PLAIN};
  for (int k = 0; k < 2; k++) {
    epi_case *a = bearing_make(S1), *b = bearing_make(S1);
    epi_flow *f = epi_case_flow(a, flows[k]), *g = epi_case_flow(b, flows[k]);
    epi_state s = epi_case_state(a), r = epi_case_state(b);
    FILE *o = tmpfile();
    check_count(epi_advance(f, &s, 1e-6, 150), 0);
    check_above(observed(a, "Qpocket", &s), 10);
    check_count(epi_save(f, &s, o), 0);
    check_count(epi_advance(f, &s, 1e-6, 150), 0);
    rewind(o);
    check_count(epi_load(g, &r, o), 0);
    check_above(observed(b, "Qpocket", &r), 10);
    check_count(epi_advance(g, &r, 1e-6, 150), 0);
    check_bits(N, r.y, s.y);
    check_bits(1, &r.t, &s.t);
    fclose(o);
    epi_free(f);
    epi_free(g);
    epi_case_free(a);
    epi_case_free(b);
  }
}

/* ---- what cannot be ---- */
static void refusals(void)
{
  static const struct { const char *text, *words; } WRONG[] = {
    {"bearing(Z=16)", "16 balls of D = 0.009525 m overlap"}, {"bearing(Z=15)", "the pockets overlap"}, {"bearing(Z=2)", "take 3 to 100"},
    {"bearing(Z=9.5)", "whole number"},
    {"bearing(Pd=-1e-6)", "give a clearance of zero or more"}, {"bearing(Pd=8e-4)", "the rings slip off the balls"},
    {"bearing(fi=0.5)", "the groove of radius fi D = 0.0047625 m is smaller than the ball"}, {"bearing(fo=0.49)", "take fo above 0.5"},
    {"bearing(bore=40e-3)", "leaves no inner ring"}, {"bearing(outside=50e-3)", "leaves no outer ring"}, {"bearing(dm=20e-3)", "overlap"},
    {"bearing(land.radius=20e-3)", "land.radius = 0.02 m is not in the outer ring"},
    {"bearing(D=9.525)", "lengths are in m, and 9.525 mm is D=0.009525"}, {"bearing(E=207)", "207 GPa is E=207e9"},
    {"bearing(D=0)", "D = 0 must be positive"},
    {"bearing(nu=0.5)", "Poisson's ratio"}, {"bearing(mu=-0.1)", "mu = -0.1 cannot be negative"},
    {"bearing(vs=0)", "vs = 0 must be positive"},
    {"bearing(slices=-1)", "take 0 to 256"}, {"bearing(ball=10)", "take 1 to 9"}, {"bearing(fB=0)", "fB = 0 must be positive"},
    {"bearing(axial=0)", "give a preload in N"}, {"bearing(axial=0, radial=500)", "give a preload in N"},
    {"bearing(cage.mass=-1)", "cage has the mass -1: give a positive one in kg"},
    {"bearing(inner.Iz=-2)", "inner has the moment of inertia -2"},
    {"bearing(sped=5000)", "did you mean speed?"}, {"bearing(pocket.clearence=1e-4)", "did you mean pocket.clearance?"},
    {"bearing(density=0)", "density = 0 must be positive"},
    {"baering", "did you mean bearing?"}};
  for (size_t i = 0; i < sizeof WRONG/sizeof *WRONG; i++) {
    epi_case *c = epi_case_make(WRONG[i].text);
    if (!check(c && c->error[0])) printf("  %s was taken\n", WRONG[i].text);
    if (!check_has(c->error, WRONG[i].words)) printf("  %s\n", WRONG[i].text);
    epi_flow *f = epi_case_flow(c, NULL);
    epi_state s = epi_case_state(c);
    check(epi_advance(f, &s, 1e-6, 1) != 0);
    epi_free(f);
    epi_case_free(c);
  }
  /* and what looks odd but can */
  static const char *const RIGHT[] = {"bearing(axial=0, preload=20, radial=500)", "bearing(speed=0)", "bearing(speed=-3000)",
                                      "bearing(axial=-500)", "bearing(Pd=0)",
    "bearing(preload=1, speed=15000)", "bearing(axial=20000)", "bearing(mu=0)", "bearing(slices=0)",
    "bearing(Z=3)", "bearing(Z=14)", "bearing(g=0, chi=0)", "bearing(spinup=0.01)"};
  for (size_t i = 0; i < sizeof RIGHT/sizeof *RIGHT; i++) {
    epi_case *c = bearing_make(RIGHT[i]);
    epi_flow *f = epi_case_flow(c, NULL);
    epi_state s = epi_case_state(c);
    if (!check_count(epi_advance(f, &s, c->step, 300), 0)) printf("  %s: %s\n", RIGHT[i], epi_error(f));
    check_above(observed(c, "Qo-most", &s), 0);
    epi_free(f);
    epi_case_free(c);
  }
}

static void refused(void *data, const epi_info *i) { *(long *)data += i->refused; }

/* a step that would carry a ball through its race is cut; a run that explodes stops, says where, and keeps what it had */
static void too_far(void)
{
  epi_case *c = bearing_make("bearing(chi=0)");
  epi_flow *f = epi_case_flow(c, AHEAD);
  epi_state s = epi_case_state(c);
  long cuts = 0;
  s.y[NQ + 6*BEARING_BALLS] = 800;
  check_count(epi_advance(f, &s, 6e-6, 1), 0);
  epi_walk(f, refused, &cuts);
  check_above(cuts, 1);
  check_below(bearing_contact(c, &s, "outer", 1).depth, 2e-3);
  epi_free(f);
  epi_case_free(c);

  c = bearing_make(S1);
  f = epi_case_flow(c, PLAIN);
  s = epi_case_state(c);
  /* at 7 us it still runs, at 7.5 us it does not */
  check_count(epi_advance(f, &s, 7e-6, 1000), 0);
  epi_free(f);
  f = epi_case_flow(c, PLAIN);
  s = epi_case_state(c);
  check_above(epi_advance(f, &s, 7.5e-6, 1000), 1);
  printf("%s\n", epi_error(f));
  check_has(epi_error(f), ", between ball");
  check_has(epi_error(f), "take a smaller step");
  for (int i = 0; i < N; i++) check(isfinite(s.y[i]));
  check_above(s.t, 1e-4);
  epi_free(f);
  epi_case_free(c);
}

int main(void)
{
  constants();
  made_of();
  starts();
  reaction();
  objective();
  by_hand();
  ramps();
  looks();
  restart();
  refusals();
  too_far();
  return test_done();
}
