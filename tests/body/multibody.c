/* holds: hinges, tops, rings and pendulums of bodies and joints follow closed forms and the semi-explicit paper
 * multibody.c - bodies, joints and parts as users meet them: rows of joints, hinges that turn all the way, a top on its point, the modes
 * of a ring, the pendulum of the semi-explicit paper */
#include "cases.h"

static const double PI = 3.14159265358979323846;
static const char *const PLAIN = "semi(model.contacts, model.stiff)", *const AHEAD = "semi(model.contacts, model.stiff, ahead=1)";

/* ---- rows of joints ---- */
enum { BODIES = 2, NQ = 7*BODIES, NV = 6*BODIES };

/* two bodies, a joint of each kind between them and one to the ground, by turns driven */
static epi_world *joined(int hold, double turn, double speed)
{
  epi_world *w = epi_world_make();
  const double c = cos(turn/2), s = sin(turn/2), n = 1/sqrt(3);
  for (int i = 0; i < BODIES; i++)
    epi_add_body(w, &(epi_body){.mass = 1, .inertia = {1, 2, 3}, .at = {0.2 + i, 0.1*i, -0.3},
                                .attitude = {c, s*n*(i ? 1 : -1), s*n, s*n}});
  const epi_joint j = {.hold = hold, .as = EPI_CONSTRAINT, .length = 0.7, .at_a = {0.3, -0.2, 0.1}, .at_b = {0.1, 0.2, 0.4},
                       .frame_a = {1, 0.1, -0.2, 0.3}, .frame_b = {0.3, 0.5, 0.1, -0.2}, .speed = speed};
  epi_joint one = j, two = j;
  one.b = EPI_GROUND;
  two.a = 1;
  epi_add_joint(w, &one);
  epi_add_joint(w, &two);
  if (epi_world_error(w)) test_stop(epi_world_error(w));
  return w;
}

/* G v + gt is the rate of g, at any angle: also where a hinge has turned by half a turn */
static void rows(void)
{
  static const int holds[] = {EPI_ALL, EPI_HINGE, EPI_SLIDER, EPI_POINT, EPI_ROD, EPI_X | EPI_RZ};
  double worst = 0;
  for (int k = 0; k < 6; k++)
    for (int i = 0; i < 40; i++) {
      epi_world *w = joined(holds[k], 0.17*i, i%2 ? 3 : 0);
      epi_system *m = epi_world_system(w);
      epi_state s = epi_world_state(w);
      double g[4][12], G[12*NV], gt[12] = {0}, none[12], v[NV], q[NQ], dq[NV], e = 1e-4, t = 0.4;
      for (int c = 0; c < NV; c++) v[c] = sin(1.3*c + i);
      if (m->constraint(m, t, s.y, none, G, gt)) test_stop("a constraint failed");
      for (int side = 0; side < 4; side++) {
        static const double at[] = {-2, -1, 1, 2};
        double idle[12*NV], zero[12] = {0};
        for (int c = 0; c < NV; c++) dq[c] = at[side]*e*v[c];
        m->manifold.retract(m, s.y, dq, q);
        m->constraint(m, t + at[side]*e, q, g[side], idle, zero);
      }
      for (int c = 0; c < m->nc; c++) {
        double rate = gt[c], found = (8*(g[2][c] - g[1][c]) - (g[3][c] - g[0][c]))/(12*e);
        for (int j = m->constraints.rowptr[c]; j < m->constraints.rowptr[c + 1]; j++) rate += G[j]*v[m->constraints.cols[j]];
        worst = fmax(worst, fabs(rate - found));
      }
      epi_world_free(w);
    }
  printf("rows of joints: G v + gt to %.2g of the rate of g\n", worst);
  check_below(worst, 1e-10);
}

/* a wheel on a hinge is driven round and round; a weight on it turns over freely. Both ways of holding it */
static void hinges(void)
{
  for (int as = EPI_PENALTY; as <= EPI_CONSTRAINT; as++) {
    epi_world *w = epi_world_make();
    /* some of the weight is along the axes, which hold it */
    epi_add_gravity(w, (double[]){0, -9.81, -5});
    int wheel = epi_add_body(w, &(epi_body){.mass = 2, .inertia = {0.1, 0.2, 0.3}, .spin = {0, 0, 5}});
    int weight = epi_add_body(w, &(epi_body){.mass = 1, .inertia = {0.01, 0.02, 0.03}, .at = {1, -0.4, 0}, .velocity = {4},
                                             .spin = {0, 0, 10}});
    epi_joint j = {.as = as, .stiffness = {1e7, 1e6}, .damping = {1e3, 1e2}};
    j.a = wheel, j.b = EPI_GROUND, j.hold = EPI_ALL, j.speed = 5;
    epi_add_joint(w, &j);
    j.a = weight, j.hold = EPI_HINGE, j.speed = 0, j.at_a[1] = 0.4, j.at_b[0] = 1;
    epi_add_joint(w, &j);
    epi_flow *f = epi_world_flow(w, as == EPI_PENALTY ? "tolerance(dop853, rtol=1e-9, atol=1e-11)" : "verlet");
    epi_state s = epi_world_state(w);
    epi_system *m = epi_world_system(w);
    double E = m->energy(m, 0, s.y), worst = 0, off = 0, lean = 0, turned = 0, before = 0;
    for (int i = 1; i <= 400; i++) {
      run(f, &s, i*0.01, as == EPI_PENALTY ? 1 : 1e-4);
      epi_pose p = epi_world_pose(w, &s, wheel), z = epi_world_pose(w, &s, weight);
      off = fmax(off, hypot(p.R[0] - cos(5*s.t), p.R[3] - sin(5*s.t)));
      lean = fmax(lean, hypot(z.R[2], z.R[5]));
      worst = fmax(worst, fabs(m->energy(m, s.t, s.y) - E));
      double th = atan2(z.R[3], z.R[0]);
      turned += remainder(th - before, 2*PI);
      before = th;
    }
    printf("hinges as %s: the wheel is off by %.2g, the weight leans by %.2g, turned by %.4g, energy to %.2g\n",
           as ? "constraints" : "springs", off, lean, turned, worst);
    check_below(off, as ? 1e-13 : 1e-6);
    /* 1 kg times 5 m/s^2 at 0.4 m on 1e6 N m */
    check_near(lean, as ? 0 : 2e-6, 1e-3, 1e-14);
    check_above(turned, 20);
    check_below(worst, as ? 1e-4 : 2e-2);
    epi_free(f);
    epi_world_free(w);
  }
}

/* ---- friction over slices ---- */
/* two balls in the groove of a ring, all of them turning and slipping a little; the slices are wide and bent, so that their moments
   count */
static epi_world *grooves(int turn, int spring, int idle)
{
  epi_world *w = epi_world_make();
  const double circle = 0.02, groove = 0.0051, r = 0.005, deep = 1e-5*(1 + 0.1*turn), out = groove - r + deep;
  epi_add_body(w, &(epi_body){.mass = 1, .inertia = {1e-4, 1e-4, 2e-4}, .velocity = {0.01, -0.02, 0.005}, .spin = {3, -2, 40 + turn}});
  for (int i = 0; i < 2; i++) {
    double th = 0.3 + 2*i + turn, tilt = 0.4 - 0.5*i, c = cos(th), s = sin(th), rho = circle + out*cos(tilt), z = out*sin(tilt);
    double rim = (40 + turn)*rho, x[3] = {rho*c, rho*s, z};
    epi_add_body(w, &(epi_body){.mass = 0.01, .inertia = {1e-7, 1e-7, 1e-7}, .at = {x[0], x[1], x[2]},
                                .velocity = {-rim*s + 0.02, rim*c - 0.01*i, 0.015},
                                .spin = {400*sin(1 + turn), -300*cos(2*i), 350}});
    epi_add_contact(w, &(epi_contact){.name = i ? "two" : "one", .shape = EPI_SPHERE_GROOVE, .a = 1 + i, .b = 0, .radius = r,
                                      .other = groove, .circle = circle,
                                      .law = {.K = 1e9, .chi = 0.1, .mu = 0.1, .vs = 0.01, .slices = 21, .ellipse = 0.3,
                                              .curvature = 100}});
  }
  epi_spring s = {.a = 1, .b = 2, .at_a = {0.001, 0.002, 0}, .at_b = {0, 0.003, 0.001}, .length = 0.01, .stiffness = 1e4, .damping = 10};
  if (spring) epi_add_spring(w, &s);
  for (int i = 0; i < idle; i++) epi_add_body(w, &(epi_body){.mass = 1, .inertia = {1, 1, 1}, .at = {i}});
  return w;
}

/* what forces and moments do to the motion is what goes into heat and what is stored: for each contact by itself, and for both by
   vectors */
static void sliced(void)
{
  double worst = 0, worst_all = 0, spun = 0;
  for (int turn = 0; turn < 12; turn++) {
    epi_world *w = grooves(turn, 0, 0);
    epi_system *m = epi_world_system(w);
    epi_state s = epi_world_state(w);
    double lost = 0, power = 0, f[18] = {0};
    for (int i = 0; i < 2; i++) {
      epi_action act;
      epi_pose a = epi_world_pose(w, &s, 1 + i), b = epi_world_pose(w, &s, 0);
      check_count(epi_world_action(w, &s, i, &act), 0);
      double P = 0, vn = 0, arm[2][3], V[3], turns = 0;
      for (int k = 0; k < 3; k++) { arm[0][k] = act.point[k] - a.r[k]; arm[1][k] = act.point[k] - b.r[k]; }
      for (int k = 0; k < 3; k++) {
        int x = (k + 1) % 3, y = (k + 2) % 3;
        V[k] = a.v[k] + a.w[x]*arm[0][y] - a.w[y]*arm[0][x] - b.v[k] - b.w[x]*arm[1][y] + b.w[y]*arm[1][x];
        P += act.force[k]*(a.v[k] - b.v[k]) + act.moment[0][k]*a.w[k] + act.moment[1][k]*b.w[k];
      }
      for (int k = 0; k < 3; k++) { vn += V[k]*act.normal[k]; turns += act.force[k]*V[k]; }
      double base = 1e9*act.depth*sqrt(act.depth), want = act.loss + base*vn;
      check_above(act.load, 1);
      worst = fmax(worst, fabs(P + want)/act.loss);
      spun = fmax(spun, fabs(P - turns)/act.loss);
      lost += want;
    }
    m->velocity_force(m, 0, s.y, s.y + m->nq, f);
    /* the gyroscopic torques do no work */
    for (int k = 0; k < 18; k++) power += f[k]*s.y[m->nq + k];
    worst_all = fmax(worst_all, fabs(power + lost)/fabs(lost));
    epi_world_free(w);
  }
  printf("friction over slices: its power is what is lost to %.2g one by one, to %.2g by vectors; %.2g of it is of the moments\n", worst,
         worst_all, spun);
  check_below(worst, 1e-11);
  check_below(worst_all, 1e-11);
  check_above(spun, 0.05);
}

/* of many bodies no pose is kept and every force goes straight to its bodies: the same forces but for rounding */
static void many(void)
{
  enum { IDLE = 70 };
  double worst = 0, most = 0;
  for (int turn = 0; turn < 6; turn++) {
    epi_world *few = grooves(turn, 1, 0), *all = grooves(turn, 1, IDLE);
    epi_system *m = epi_world_system(few), *n = epi_world_system(all);
    epi_state s = epi_world_state(few), u = epi_world_state(all);
    double f[18], g[18 + 6*IDLE];
    m->force(m, 0, s.y, f);
    n->force(n, 0, u.y, g);
    m->velocity_force(m, 0, s.y, s.y + m->nq, f);
    n->velocity_force(n, 0, u.y, u.y + n->nq, g);
    for (int k = 0; k < 18; k++) { worst = fmax(worst, fabs(f[k] - g[k])); most = fmax(most, fabs(f[k])); }
    for (int k = 18; k < 18 + 6*IDLE; k++) check_abs(g[k], 0, 0);
    check_rel(n->energies.potential(n, 0, u.y), m->energies.potential(m, 0, s.y), 1e-13);
    epi_world_free(few);
    epi_world_free(all);
  }
  printf("many bodies: forces of %.3g to %.2g\n", most, worst);
  check_below(worst, 1e-13*most);
  check_above(most, 10);
}

static void wrong_rods(void)
{
  static const struct { epi_joint j; const char *words; } WRONG[] = {
    {{.hold = EPI_ROD | EPI_X, .as = EPI_CONSTRAINT, .b = EPI_GROUND, .length = 1}, "alone"},
      {{.hold = EPI_ROD, .as = EPI_CONSTRAINT, .b = EPI_GROUND}, "length > 0"},
    {{.hold = EPI_ROD, .as = EPI_PENALTY, .b = EPI_GROUND, .length = 1}, "without stiffness"},
      {{.hold = EPI_ROD, .b = 0, .length = 1}, "b another"},
    {{.hold = EPI_HINGE, .as = 7, .b = EPI_GROUND}, "held as 7: take EPI_PENALTY or EPI_CONSTRAINT"},
  };
  for (size_t i = 0; i < sizeof WRONG/sizeof *WRONG; i++) {
    epi_world *w = epi_world_make();
    epi_add_body(w, &(epi_body){.mass = 1, .inertia = {1, 1, 1}});
    check_count(epi_add_joint(w, &WRONG[i].j), -1);
    check_has(epi_world_error(w), WRONG[i].words);
    epi_world_free(w);
  }
}

static void wrong_contacts(void)
{
  static const struct { epi_contact c; const char *words; } WRONG[] = {
    {{.shape = 42, .b = EPI_GROUND, .radius = 0.1, .law = {.K = 1e5}}, "has the shape 42, which there is not"},
    {{.shape = EPI_SPHERE_GROOVE, .b = EPI_GROUND, .radius = 0.1, .other = 0.11, .law = {.K = 1e5}}, "give .circle in m"},
    {{.shape = EPI_SPHERE_PLANE, .b = EPI_GROUND, .radius = 0.1, .law = {.K = 1e5}}, "needs a direction"},
    {{.shape = EPI_SPHERE_PLANE, .b = EPI_GROUND, .radius = 0.1, .normal = {0, 0, 1}}, "give a positive one in N/m^1.5"},
  };
  for (size_t i = 0; i < sizeof WRONG/sizeof *WRONG; i++) {
    epi_world *w = epi_world_make();
    epi_add_body(w, &(epi_body){.mass = 1, .inertia = {1, 1, 1}});
    check_count(epi_add_contact(w, &WRONG[i].c), -1);
    check_has(epi_world_error(w), WRONG[i].words);
    epi_world_free(w);
  }
}

/* ---- parts ---- */
/* the two halves make the whole, and the slope of the stiff one is its Jacobian where nothing is stretched and nothing moves */
static void halves(void)
{
  static const char *const texts[] = {"slider-crank(as=penalty, w0=0, th0=2)", "four-bar(as=penalty, w0=0, th0=-1)",
                                      "rod-pendulum(as=penalty, start=plain)",
                                      "cradle", "stack", "slider-crank"};
  enum { MOST = 65 };
  for (int i = 0; i < 6; i++) {
    epi_case *c = make(texts[i]);
    epi_system *all = &c->system, *a = c->parts[1].system, *b = c->parts[2].system;
    int nq = all->nq, nv = all->nv;
    double y[MOST], sum[MOST], f[MOST], g[MOST] = {0}, A[MOST*MOST] = {0}, B[MOST*MOST] = {0}, worst = 0, size = 1, e = 1e-7;
    check_text(c->parts[0].name, "model");
    check_text(c->parts[1].name, "model.contacts");
    check_text(c->parts[2].name, "model.stiff");
    memcpy(y, c->y, (size_t)(nq + nv)*sizeof *y);
    for (int k = 0; k < nv; k++) y[nq + k] += 0.1*sin(k + 1);
    all->force(all, 0, y, sum);
    all->velocity_force(all, 0, y, y + nq, sum);
    a->force(a, 0, y, f);
    a->velocity_force(a, 0, y, y + nq, f);
    b->velocity_force(b, 0, y, y + nq, g);
    for (int k = 0; k < nv; k++) check_near(f[k] + g[k], sum[k], 1e-12, 1e-9);
    memcpy(y, c->y, (size_t)(nq + nv)*sizeof *y);
    b->jacobian.slope(b, 0, y, 1, 0, A);
    b->jacobian.slope(b, 0, y, 0, 1, B);
    for (int k = 0; k < nv; k++)
      for (int kind = 0; kind < 2; kind++) {
        double up[MOST] = {0}, down[MOST] = {0}, d[MOST] = {0}, q[MOST], *out[2] = {up, down};
        for (int side = 0; side < 2; side++) {
          memset(d, 0, sizeof d);
          d[k] = side ? -e : e;
          memcpy(q, y, (size_t)(nq + nv)*sizeof *q);
          if (kind) q[nq + k] += d[k];
          else all->manifold.retract(all, y, d, q);
          b->velocity_force(b, 0, q, q + nq, out[side]);
        }
        for (int r = 0; r < nv; r++) {
          double given = (kind ? B : A)[r*nv + k];
          worst = fmax(worst, fabs(given - (up[r] - down[r])/(2*e)));
          size = fmax(size, fabs(given));
        }
      }
    if (!check_below(worst/size, 1e-6)) printf("  %s\n", texts[i]);
    epi_case_free(c);
  }
}

/* ---- stopping and going on, bit by bit, in the middle of contacts and with the matrices of stiff joints ---- */
static void restarts(void)
{
  static const char *const texts[] = {"slider-crank", "slider-crank(as=penalty)", "four-bar", "four-bar(as=penalty)", "cradle",
                                      "drop(height=1e-5)", "rolling-sphere",
                                      "rod-pendulum", "rod-pendulum(as=penalty)", "stack", "spring-pendulum"};
  for (size_t i = 0; i < sizeof texts/sizeof *texts; i++) {
    epi_case *c = make(texts[i]);
    epi_flow *f = epi_case_flow(c, NULL), *g = epi_case_flow(c, NULL);
    epi_state s = epi_case_state(c);
    double y[65];
    FILE *file = tmpfile();
    if (!file) test_stop("no temporary file");
    if (epi_advance(f, &s, c->step, 101) || epi_save(f, &s, file) || epi_advance(f, &s, c->step, 57)) test_stop(epi_error(f));
    epi_state r = {.y = y};
    rewind(file);
    if (epi_load(g, &r, file) || epi_advance(g, &r, c->step, 57)) test_stop(epi_error(g));
    if (!check_bits(epi_size(&c->system), y, s.y) | !check_bits(1, &r.t, &s.t)) printf("  %s\n", texts[i]);
    fclose(file);
    epi_free(f);
    epi_free(g);
    epi_case_free(c);
  }
}

/* ---- the heavy top: m = 1, l = 0.1, moments 0.02, 0.02, 0.005 about its point, released with w3 = 200 at 60 degrees ---- */
static const struct { double t, axis[3]; } TOP[] = {
  {0.1, {0.866901887817, 0.103367910016, 0.487643509214}},
  {0.5, {0.758631470344, 0.420934986678, 0.497284656101}},
  {1, {0.464358657427, 0.737679699776, 0.490101721902}}
};

static double axis_off(epi_world *w, const epi_state *s, const double *axis)
{
  epi_pose p = epi_world_pose(w, s, 0);
  double worst = 0;
  for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(p.R[3*i + 2] - axis[i]));
  return worst;
}

/* on a joint at its point; precession about the vertical, a part of which is in w3 already */
static epi_world *top_on_joint(int as, double k, double Omega)
{
  epi_world *w = epi_world_make();
  double a = PI/3, x = 0.1*sin(a), z = 0.1*cos(a);
  epi_add_gravity(w, (double[]){0, 0, -9.81});
  epi_add_body(w, &(epi_body){.mass = 1, .inertia = {0.01, 0.01, 0.005}, .at = {x, 0, z}, .attitude = {cos(a/2), 0, sin(a/2), 0},
                              .velocity = {0, Omega*x, 0}, .spin = {-Omega*sin(a), 0, 200}});
  epi_add_joint(w, &(epi_joint){.name = "point", .a = 0, .b = EPI_GROUND, .hold = EPI_POINT, .as = as, .at_a = {0, 0, -0.1},
                                .stiffness = {k}, .damping = {1e-5*k}});
  if (epi_world_error(w)) test_stop(epi_world_error(w));
  return w;
}

/* the weight as a torque on a body that stays with its point at the origin: inertia about the point, no joint */
static int weight_torque(const void *data, double t, const epi_pose *a, const epi_pose *b, epi_action *out)
{
  (void)t, (void)b;
  double x = *(const double *)data;
  out->moment[0][0] = -x*a->R[5];
  out->moment[0][1] = x*a->R[2];
  out->energy = x*a->R[8];
  return 0;
}

static epi_world *top_at_origin(void)
{
  epi_world *w = epi_world_make();
  epi_add_body(w, &(epi_body){.mass = 1, .inertia = {0.02, 0.02, 0.005}, .attitude = {cos(PI/6), 0, sin(PI/6), 0}, .spin = {0, 0, 200}});
  epi_add_action(w, "weight", 0, EPI_GROUND, EPI_CONSERVATIVE, weight_torque, &(double){0.981}, sizeof(double));
  if (epi_world_error(w)) test_stop(epi_world_error(w));
  return w;
}

static void top_steps(void)
{
  static const double plain[] = {3.6e-3, 1.75e-3, 8.7e-4}, ahead[] = {5.9e-5, 1.5e-5, 3.6e-6};
  double h[3], a[3], b[3];
  epi_world *w = top_at_origin();
  for (int i = 0; i < 3; i++) {
    epi_flow *f = epi_world_flow(w, PLAIN), *g = epi_world_flow(w, AHEAD);
    h[i] = 1e-4/(1 << i);
    epi_state s = epi_world_state(w);
    run(f, &s, 0.1, h[i]);
    a[i] = axis_off(w, &s, TOP[0].axis);
    s = epi_world_state(w);
    run(g, &s, 0.1, h[i]);
    b[i] = axis_off(w, &s, TOP[0].axis);
    printf("top at the origin, h = %g: axis off by %.3g (%.3g) by (5), by (5v) %.3g (%.3g)\n", h[i], a[i], plain[i], b[i], ahead[i]);
    check_rel(a[i], plain[i], 0.01);
    check_rel(b[i], ahead[i], 0.03);
    epi_free(f);
    epi_free(g);
  }
  check_order(3, h, a, 1, 0.05);
  check_order(3, h, b, 2, 0.05);
  epi_world_free(w);
}

static void top_on_point(void)
{
  /* the joint as a constraint */
  epi_world *w = top_on_joint(EPI_CONSTRAINT, 0, 0);
  epi_flow *f = epi_world_flow(w, "symmetric(verlet, order=8)");
  epi_state s = epi_world_state(w);
  epi_system *m = epi_world_system(w);
  double worst = 0, E = m->energy(m, 0, s.y), h[3], error[3];
  for (int i = 0; i < 3; i++) {
    run(f, &s, TOP[i].t, 2.5e-4);
    worst = fmax(worst, axis_off(w, &s, TOP[i].axis));
  }
  printf("top on a point as a constraint: axis %.2g from its reference, energy to %.2g\n", worst, m->energy(m, 1, s.y) - E);
  check_below(worst, 1e-10);
  check_rel(m->energy(m, 1, s.y), E, 1e-12);
  epi_free(f);
  for (int i = 0; i < 3; i++) {
    f = epi_world_flow(w, "verlet");
    s = epi_world_state(w);
    h[i] = 2e-4/(1 << i);
    run(f, &s, 0.1, h[i]);
    error[i] = axis_off(w, &s, TOP[0].axis);
    epi_free(f);
  }
  check_order(3, h, error, 2, 0.05);
  epi_world_free(w);
  /* and as springs, whose error falls as 1/k */
  for (int i = 0; i < 3; i++) {
    double k = 1e6*pow(10, i);
    w = top_on_joint(EPI_PENALTY, k, 0);
    f = epi_world_flow(w, "tolerance(dop853, rtol=1e-10, atol=1e-12)");
    s = epi_world_state(w);
    run(f, &s, 0.1, 1);
    error[i] = axis_off(w, &s, TOP[0].axis);
    h[i] = 1/k;
    epi_free(f);
    epi_world_free(w);
  }
  printf("top on a point as springs of 1e6, 1e7, 1e8: axis off by %.3g, %.3g, %.3g\n", error[0], error[1], error[2]);
  check_order(3, h, error, 1, 0.1);
}

/* steady precession, slow and fast */
static void top_steady(void)
{
  static const double Om[] = {0.9908171870, 99.0091828130};
  for (int k = 0; k < 2; k++) {
    double Omega = (1 + (k ? 1 : -1)*sqrt(1 - 4*0.02*0.5*0.981))/(2*0.02*0.5), tilt = 0, azimuth = 0;
    check_rel(Omega, Om[k], 1e-10);
    epi_world *w = top_on_joint(EPI_CONSTRAINT, 0, Omega);
    epi_flow *f = epi_world_flow(w, "symmetric(verlet, order=8)");
    epi_state s = epi_world_state(w);
    for (int i = 1; i <= 50; i++) {
      run(f, &s, i/50., 2.5e-4);
      epi_pose p = epi_world_pose(w, &s, 0);
      tilt = fmax(tilt, fabs(acos(p.R[8]) - PI/3));
      azimuth = fmax(azimuth, fabs(remainder(atan2(p.R[5], p.R[2]) - Omega*s.t, 2*PI)));
    }
    printf("top on a point, steady at %.10g: tilt to %.2g, azimuth to %.2g\n", Omega, tilt, azimuth);
    check_below(tilt, 1e-8);
    check_below(azimuth, 1e-8);
    epi_free(f);
    epi_world_free(w);
  }
}

/* ---- a ring of steel, 16 x 4 mm, R = 28.9 mm, by its modes n = 2 ... 10 ---- */
enum { MODES = 9 };
static const double RING[MODES] = {3041.570827, 8602.861429, 16495.233799, 26676.340851, 39133.628557, 53862.432276, 70860.717251,
                                   90127.485783, 111662.203428};

static void frequencies(double *w)
{
  double b = 16e-3, t = 4e-3, R = 28.9e-3, E = 207e9, rho = 7800, base = sqrt(E*b*t*t*t/12/(rho*b*t*R*R*R*R));
  for (int i = 0; i < MODES; i++) {
    double n = i + 2;
    w[i] = base*n*(n*n - 1)/sqrt(n*n + 1);
    check_rel(w[i]/(2*PI), RING[i], 1e-9);
  }
}

/* what one step of the method does to a mode: its frequency and damping, from the eigenvalues of the step */
static void by_eigenvalues(double w, double h, double beta, double *rate, double *damping)
{
  /* q1 = q + h v + h^2/2 B, v1 = v + h B, B = -w^2 (q + beta (q1 - q)) */
  double x = w*w*h*h, d = 1 + beta*x/2, qq = (1 - (1 - beta)*x/2)/d, qv = 1/d, vq = -x*(1 + beta*(qq - 1)), vv = 1 - x*beta*qv;
  double trace = qq + vv, det = qq*vv - qv*vq, size = sqrt(det), angle = acos(trace/2/size);
  *rate = angle/(w*h);
  *damping = -log(size)/hypot(angle, log(size));
}

static void ring(void)
{
  static const double betas[] = {0.6, 0.8};
  double mass[MODES], stiff[MODES], w[MODES], h = 1e-6;
  frequencies(w);
  for (int i = 0; i < MODES; i++) { mass[i] = 0.5 + 0.1*i; stiff[i] = mass[i]*w[i]*w[i]; }
  for (int k = 0; k < 2; k++) {
    epi_world *world = epi_world_make();
    int body = epi_add_body(world, &(epi_body){.name = "ring", .mass = 0.1, .inertia = {1e-5, 1e-5, 1e-5}, .modes = MODES,
                                               .modal_mass = mass, .modal_stiffness = stiff});
    char text[64];
    snprintf(text, sizeof text, "semi(model.contacts, model.stiff, beta=%g)", betas[k]);
    epi_flow *f = epi_world_flow(world, text);
    epi_state s = epi_world_state(world);
    for (int i = 0; i < MODES; i++) s.y[7 + i] = 1e-6;
    /* zero crossings over 8 ms, and how large the mode is at the first and at the last; rounding is all that is left of fast modes in the
       end */
    struct { double first, last, before, size[2]; int count; } z[MODES] = {0};
    for (int i = 0; i < MODES; i++) z[i].before = 1e-6;
    for (int j = 1; j <= 8000; j++) {
      run(f, &s, j*h, h);
      epi_pose p = epi_world_pose(world, &s, body);
      for (int i = 0; i < MODES; i++) {
        double e = p.e[i], before = z[i].before, size = hypot(e, p.de[i]/w[i]);
        z[i].before = e;
        if (before*e > 0 || size < 1e-11) continue;
        /* on the arc between the two */
        double t = s.t + remainder(atan2(-e, p.de[i]/w[i]), PI)/w[i];
        if (!z[i].count++) { z[i].first = t; z[i].size[0] = size; }
        z[i].last = t;
        z[i].size[1] = size;
      }
    }
    for (int i = 0; i < MODES; i++) {
      int n = z[i].count - 1;
      double turned = PI*n/(z[i].last - z[i].first)/w[i], lost = log(z[i].size[0]/z[i].size[1])/hypot(PI*n, log(z[i].size[0]/z[i].size[1]));
      double rate, damping, x = w[i]*h, a = (betas[k] - 0.5)*x/2;
      by_eigenvalues(w[i], h, betas[k], &rate, &damping);
      printf("ring, n = %d, beta = %g: frequency %.4g (%.4g), damping %.4g (%.4g)\n", i + 2, betas[k], turned - 1, rate - 1, lost, damping);
      /* e and de/w do not lie on a circle but for no damping: the two sizes are off by a share of it, over n half swings */
      check_abs(turned, rate, 0.02*x*x/n + 1e-9);
      check_rel(lost, damping, 0.2/n);
      /* leading terms: 1 - (wh)^2/12 of the undamped frequency, less what the damping slows down; the next are by (wh)^2 smaller */
      if (x > 0.2) continue;
      check_abs(rate, (1 - x*x/12)*sqrt(1 - a*a), x*x*x*x);
      check_abs(damping, a, x*x*x);
      check_above(n, 40);
    }
    epi_free(f);
    epi_world_free(world);
    /* n = 3, as printed */
    double rate, damping;
    by_eigenvalues(w[1], h, betas[k], &rate, &damping);
    check_abs(damping, k ? 8.1e-3 : 2.7e-3, 5e-5);
    if (!k) check_abs(rate - 1, -2.5e-4, 5e-6);
  }
}

/* ---- the pendulum of the paper, 6.2 ---- */
static int ideal(epi_system *m, double t, const double *q, double *f) { (void)m, (void)t; f[0] = -cos(q[0]); return 0; }

static void pendulum(void)
{
  /* theta as in the paper, where 1/2 is the midpoint rule: the force at (1 - theta) z + theta z1, which is implicit Euler over theta h
     and explicit Euler over the rest */
  static const struct { const char *flow, *then; double theta, stiff, ideal, most, late, end[2], far; } BY[] = {
    {"semi(model.contacts, model.stiff, alpha=0.5, beta=0.6)", NULL, 1, 0.0278, 0.0246, 0.0146, 3.45e-4, {-0.816225, -0.577904}, 0.696},
    {"midpoint", NULL, 1, 0.0198, 0.0101, 0.0204, 2.04e-2, {-0.819217, -0.589698}, 0.0201},
    {"euler-implicit", "euler", 0.6, 0.0535, 0.0508, 0.0118, 3.43e-4, {-0.821420, -0.570489}, 1.179},
  };
  enum { N = 5000 };
  static double stiff[N + 1], rod[N + 1];
  epi_case *c = make("spring-pendulum");
  epi_flow *f = epi_case_flow(c, "rk4"), *g;
  epi_state s = epi_case_state(c);
  epi_system m = {.nq = 1, .force = ideal};
  double y[2] = {0};
  epi_state r = {.y = y};
  g = epi_make("symmetric(verlet, order=6)", &m);
  for (int i = 1; i <= N; i++) {
    run(f, &s, i*0.01, 0.01/200);
    run(g, &r, i*0.01, 0.01);
    stiff[i] = s.y[0];
    rod[i] = cos(y[0]);
  }
  epi_free(f);
  epi_free(g);
  for (int k = 0; k < 3; k++) {
    double error[2] = {0}, most = 0, late = 0, far = 0, end[2] = {0};
    f = epi_case_flow(c, BY[k].flow);
    g = epi_case_flow(c, BY[k].then ? BY[k].then : "euler");
    s = epi_case_state(c);
    for (int i = 1; i <= N; i++) {
      if (epi_advance(f, &s, 0.01*BY[k].theta, 1) || (BY[k].then &&
                                                      epi_advance(g, &s, 0.01*(1 - BY[k].theta), 1))) test_stop("the pendulum stopped");
      far = fmax(far, fabs(s.y[0] - stiff[i]));
      if (i > 1000) continue;
      double off = fabs(observed(c, "g", &s));
      error[0] = fmax(error[0], fabs(s.y[0] - stiff[i]));
      error[1] = fmax(error[1], fabs(s.y[0] - rod[i]));
      most = fmax(most, off);
      if (i > 500) late = fmax(late, off);
      if (i == 1000) memcpy(end, s.y, sizeof end);
      if (i == 1000 && !k) check_count(epi_calls(f), 1000);
    }
    printf("spring-pendulum by %s: %.3g (%.3g), %.3g (%.3g), off the circle %.3g (%.3g), later %.3g (%.3g), ends (%.6f, %.6f), "
           "until 50 %.3g (%.3g)\n", BY[k].flow,
           error[0], BY[k].stiff, error[1], BY[k].ideal, most, BY[k].most, late, BY[k].late, end[0], end[1], far, BY[k].far);
    check_abs(error[0], BY[k].stiff, 5e-5);
    check_abs(error[1], BY[k].ideal, 5e-5);
    check_abs(most, BY[k].most, 5e-5);
    check_rel(late, BY[k].late, 3e-3);
    check_array(2, end, BY[k].end, 1e-6);
    check_rel(far, BY[k].far, 3e-3);
    epi_free(f);
    epi_free(g);
  }
  epi_case_free(c);
}

int main(void)
{
  rows();
  hinges();
  sliced();
  many();
  wrong_rods();
  wrong_contacts();
  halves();
  restarts();
  top_steps();
  top_on_point();
  top_steady();
  ring();
  pendulum();
  return test_done();
}
