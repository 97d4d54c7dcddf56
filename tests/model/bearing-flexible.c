/* holds: flexible rings and cages have the frequencies, energy gradients and work of their modes, and the rigid bearing as limit
 * bearing-flexible.c - rings and a cage that bend: frequencies of free vibration, forces as gradients of the energy, work on modes and
 * work of contacts, the rigid bearing as a limit, and what cannot be built */
#include "bearings.h"

static const double PI = 3.14159265358979323846;
enum { MOST = 400 };
#define ALL "outer.modes=8, inner.modes=6, cage.modes=4"

/* n = 2 ... 10 of a ring of steel 16 x 4 mm, R = 28.9 mm */
static const double RING[] = {3041.570827, 8602.861429, 16495.233799, 26676.340851, 39133.628557, 53862.432276, 70860.717251, 90127.485783,
                              111662.203428};

/* the outer ring of the 6206 is that ring; masses and damping by their formulas */
static void constants(void)
{
  epi_case *c = bearing_make("bearing(outer.modes=38)");
  epi_system *m = &c->system, *b = c->parts[2].system;
  double v[MOST] = {0}, q[MOST], f[MOST];
  check_count(m->nv, 72 + 38);
  check_count(m->nq, 84 + 38);
  for (int i = 0; i < 38; i++) {
    double n = 2 + i/2;
    check_rel(m->mass[6 + i], 7800*64e-6*28.9e-3*PI*(1 + 1/(n*n)), 1e-12);
    /* the stiff part alone: a unit of e, a unit of its rate */
    memcpy(q, c->y, (size_t)m->nq*sizeof *q);
    memset(f, 0, sizeof f);
    q[7 + i] = 1e-3;
    check_count(b->velocity_force(b, 0, q, v, f), 0);
    double w = sqrt(-f[6 + i]*1e3/m->mass[6 + i]);
    if (n <= 10) check_rel(w/(2*PI), RING[i/2], 1e-9);
    if (n == 20) check_rel(w/(2*PI), 450e3, 0.01);
    q[7 + i] = 0;
    v[6 + i] = 1;
    memset(f, 0, sizeof f);
    check_count(b->velocity_force(b, 0, q, v, f), 0);
    check_rel(-f[6 + i], 0.02*w*m->mass[6 + i], 1e-12);
    v[6 + i] = 0;
  }
  epi_case_free(c);
}

/* ---- forces ---- */
/* a state in the middle of things, with all modes bent and moving; pockets and lands touch */
static int modes[] = {8, 6, 4};
static void busy(epi_case *c, epi_state *s, double bend)
{
  epi_flow *f = epi_case_flow(c, AHEAD);
  *s = epi_case_state(c);
  if (epi_advance(f, s, 1e-6, 100)) test_stop(epi_error(f));
  epi_free(f);
  int at = 0, v = c->system.nq;
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < modes[i]; k++) {
      s->y[at + 7 + k] += bend*sin(1 + 3*i + 2*k)/(1 + k/2);
      s->y[v + 6 + k] += 0.1*cos(2 + i + 5*k);
    }
    if (i == BEARING_CAGE) { s->y[at] = 2.03e-4; s->y[at + 1] = 2e-5; }
    at += 7 + modes[i];
    v += 6 + modes[i];
  }
}

static void forces(epi_system *m, double t, const double *y, double *f)
{
  memset(f, 0, (size_t)m->nv*sizeof *f);
  check_count(m->force(m, t, y, f), 0);
  check_count(m->velocity_force(m, t, y, y + m->nq, f), 0);
}

/* without damping and friction everything is the gradient of the energy, modes and all */
static void gradients(const char *outer)
{
  char text[400];
  snprintf(text, sizeof text, "bearing(%s, inner.modes=6, cage.modes=4, chi=0, mu=0, pocket.chi=0, pocket.mu=0, land.chi=0, land.mu=0, "
           "tau=1e-30, zeta=0)", outer);
  epi_case *c = bearing_make(text);
  epi_system *m = &c->system;
  epi_state s;
  double f[MOST], d[MOST], y[MOST], worst = 0, modal = 0;
  busy(c, &s, 5e-6);
  memset(s.y + m->nq, 0, (size_t)m->nv*sizeof *s.y);
  forces(m, s.t, s.y, f);
  for (int i = 0; i < 2; i++) check_above(bearing_contact(c, &s, "land", i + 1).load, 1);
  for (int i = 0; i < m->nv; i++) {
    double V[2], e = 1e-9;
    for (int side = 0; side < 2; side++) {
      memset(d, 0, sizeof d);
      memcpy(y, s.y, (size_t)epi_size(m)*sizeof *y);
      d[i] = side ? -e : e;
      m->manifold.retract(m, s.y, d, y);
      V[side] = m->energies.potential(m, s.t, y);
    }
    /* what springs of 1e7 Hz hold is as rigid as rounding lets it be seen */
    int n = modes[0], held = i < 6 || (i > 6 + n + 2 && i < 6 + n + 6);
    double off = fabs(f[i] + (V[0] - V[1])/(2*e));
    if (held) continue;
    int inside = i < 6 + n || (i >= 12 + n && i < 18 + n) || (i >= 24 + n && i < 28 + n);
    if (inside) modal = fmax(modal, off);
    worst = fmax(worst, off);
  }
  printf("%s: forces are gradients to %.2g N, of the modes %.2g N\n", outer, worst, modal);
  check_below(worst, 5e-3);
  check_below(modal, 1e-3);
  epi_case_free(c);
}

/* an action of the user's on a mode: it rests where spring and force balance; and a spring at a point of a ring, against its own energy */
static int push_mode(const void *data, double t, const epi_pose *a, const epi_pose *b, epi_action *out)
{
  (void)t, (void)b;
  if (out->modal[0]) out->modal[0][1] += *(const double *)data;
  out->energy = -*(const double *)data*a->e[1];
  return 0;
}

static void coupled(void)
{
  epi_world *w = epi_world_make();
  const double m[] = {1, 1}, k[] = {100, 400}, c[] = {20, 40}, F = 3;
  int body = epi_add_body(w, &(epi_body){.name = "ring", .mass = 1, .inertia = {1, 1, 2}, .modes = 2, .modal_mass = m, .modal_stiffness = k,
                                         .modal_damping = c, .shapes = &(epi_mode_shapes){.ring = 1}});
  epi_add_action(w, "mine", body, EPI_GROUND, 0, push_mode, &F, sizeof F);
  epi_add_spring(w, &(epi_spring){.name = "spring", .a = body, .b = EPI_GROUND, .at_a = {1, 0, 0}, .at_b = {3, 0, 0}, .length = 1.5,
                                  .stiffness = 10});
  epi_add_joint(w, &(epi_joint){.a = body, .b = EPI_GROUND, .hold = EPI_ALL, .stiffness = {1e6, 1e6}, .damping = {2e3, 2e3}});
  epi_flow *f = epi_world_flow(w, "nam(model.contacts, model.stiff, tol=1e-4)");
  epi_state s = epi_world_state(w);
  bearing_run(f, &s, 10, 10);
  /* outwards at angle 0 by e1: 100 e = 10 (0.5 - e); along the circle e2/2 across the spring, whose pull turns back by 5/2 e2/2 */
  check_abs(s.y[7], 5.0/110, 1e-4);
  check_rel(s.y[8], 3/400., 5e-3);
  epi_free(f);
  epi_world_free(w);
}

/* forces on two bodies and their moments about one point cancel, however the bodies are bent */
static void reaction(void)
{
  epi_case *c = bearing_make("bearing(" ALL ")");
  epi_state s;
  double worst = 0, level = 0;
  static const struct { const char *word; int n, b; } kinds[] = {
    {"outer", 9, BEARING_OUTER}, {"inner", 9, BEARING_INNER}, {"pocket", 9, BEARING_CAGE}, {"land", 2, BEARING_OUTER}};
  int touching[4] = {0};
  busy(c, &s, 5e-6);
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < kinds[k].n; i++) {
      epi_action a = bearing_contact(c, &s, kinds[k].word, i + 1);
      epi_pose p = epi_world_pose(c->world, &s, k == 3 ? BEARING_CAGE : BEARING_BALLS + i), q = epi_world_pose(c->world, &s, kinds[k].b);
      for (int j = 0; j < 3; j++) {
        int l = (j + 1)%3, m = (j + 2)%3;
        double M = (p.r[l] - q.r[l])*a.force[m] - (p.r[m] - q.r[m])*a.force[l] + a.moment[0][j] + a.moment[1][j];
        worst = fmax(worst, fabs(M));
      }
      level = fmax(level, a.load);
      touching[k] += a.load > 0;
    }
  printf("action and reaction: a moment of %.2g N m is left, under loads of %.3g N\n", worst, level);
  check_below(worst, 2e-17*level);
  for (int k = 0; k < 4; k++) if (!check_above(touching[k], 0.5)) printf("  %s\n", kinds[k].word);
  epi_case_free(c);
}

/* the same bits after a restart in the middle of things, by every flow that knows modes */
static void restart(void)
{
  static const char *const flows[] = {AHEAD, "nam(model.contacts, model.stiff)", "nam(model.contacts, model.stiff, k=3, tol=1e-3)"};
  for (int k = 0; k < 3; k++) {
    epi_case *c = bearing_make("bearing(" ALL ", radial=500)"), *d = bearing_make("bearing(" ALL ", radial=500)");
    epi_flow *f = epi_case_flow(c, flows[k]), *g = epi_case_flow(d, flows[k]);
    epi_state s = epi_case_state(c), r = epi_case_state(d);
    bearing_run(f, &s, 5e-5, 1e-6);
    FILE *kept = tmpfile();
    check_count(epi_save(f, &s, kept), 0);
    rewind(kept);
    check_count(epi_load(g, &r, kept), 0);
    fclose(kept);
    bearing_run(f, &s, 1e-4, 1e-6);
    bearing_run(g, &r, 1e-4, 1e-6);
    check_bits(epi_size(&c->system), r.y, s.y);
    epi_free(f);
    epi_free(g);
    epi_case_free(c);
    epi_case_free(d);
  }
}

/* with damping and friction: what contacts take from the bodies and from the modes is what they store and what becomes heat. Work on the
   modes is that of the forces where they touch, on the surface as it bends */
static void power(void)
{
  epi_case *c = bearing_make("bearing(" ALL ", zeta=0, g=0)");
  epi_system *A = c->parts[1].system;
  epi_state s;
  double f[MOST], d[MOST], y[MOST], W[2] = {0}, heat = 0, stored[2] = {0}, dt = 1e-10;
  busy(c, &s, 2e-6);
  const double *v = s.y + A->nq;
  int loads = epi_world_action_named(c->world, "axial");
  forces(A, s.t, s.y, f);
  for (int i = 0; i < A->nv; i++) W[(i >= 6 && i < 14) || (i >= 20 && i < 26) || (i >= 32 && i < 36)] += f[i]*v[i];
  epi_action a;
  for (int i = 0; i < loads + 2; i++) {
    if (epi_world_action(c->world, &s, i, &a)) test_stop("action");
    heat += a.loss;
    if (i >= loads) W[0] -= a.force[0]*v[14] + a.force[1]*v[15] + a.force[2]*v[16];
  }
  for (int side = 0; side < 2; side++) {
    epi_state x = {.t = s.t, .y = y};
    for (int i = 0; i < A->nv; i++) d[i] = (side ? -dt : dt)*v[i];
    memcpy(y, s.y, (size_t)epi_size(A)*sizeof *y);
    A->manifold.retract(A, s.y, d, y);
    for (int i = 0; i < loads; i++) { if (epi_world_action(c->world, &x, i, &a)) test_stop("action"); stored[side] += a.energy; }
  }
  double rate = (stored[0] - stored[1])/(2*dt), defect = W[0] + W[1] + heat + rate;
  printf("work on bodies %.8g W, on modes %.8g W; heat %.8g W, stored %.8g W: %.2g W are left\n", W[0], W[1], heat, rate, defect);
  check_above(fabs(W[1]), 1);
  check_below(fabs(defect), 1e-5*(fabs(W[0]) + fabs(W[1])));
  epi_case_free(c);
}

/* the balance of a run: of second order in the step, as that of the rigid bearing */
static double balance(const char *text, const char *flow, double h)
{
  epi_case *c = bearing_make(text);
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  double W = 0, E0 = observed(c, "energy", &s), before = observed(c, "power", &s) - observed(c, "loss", &s);
  for (int i = 0; i < lround(200e-6/h); i++) {
    bearing_run(f, &s, (i + 1)*h, h);
    double now = observed(c, "power", &s) - observed(c, "loss", &s);
    W += 0.5*h*(before + now);
    before = now;
  }
  double defect = observed(c, "energy", &s) - E0 - W;
  printf("%s by %s, h = %g: energy %g J, defect %.3g J\n", text, flow, h, observed(c, "energy", &s) - E0, defect);
  epi_free(f);
  epi_case_free(c);
  return fabs(defect);
}

/* ---- the rigid bearing is the limit of a stiff one ---- */
static double load_at(const char *text, const char *flow, double t, double h)
{
  epi_case *c = bearing_make(text);
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  bearing_run(f, &s, t, h);
  double Q = observed(c, "Qo-most", &s);
  epi_free(f);
  epi_case_free(c);
  return Q;
}

static void rigid(void)
{
  static const double thick[] = {1, 4, 16};
  double Q = load_at("bearing(radial=500)", AHEAD, 50e-6, 5e-7), off[3];
  for (int k = 0; k < 3; k++) {
    char text[200];
    snprintf(text, sizeof text, "bearing(" ALL ", radial=500, outer.thickness=%g, inner.thickness=%g, cage.thickness=%g, "
             "outer.radius=28.9e-3, inner.radius=17.1e-3)", 0.1*thick[k], 0.1*thick[k], 0.1*thick[k]);
    off[k] = fabs(load_at(text, AHEAD, 50e-6, 5e-7) - Q);
    printf("sections of %g m: the largest load differs by %.3g N from that of the rigid bearing, %.6g N\n", 0.1*thick[k], off[k], Q);
  }
  /* stiffness goes with the third power of the thickness */
  check_below(off[1], off[0]/30);
  check_below(off[2], off[1]/30);
  check_below(off[2], 1e-4*Q);
}

/* ---- what cannot be built ---- */
static void refused(void)
{
  static const struct { const char *text, *words; } rows[] = {
    {"bearing(outer.modes=3)", "pairs"}, {"bearing(cage.modes=-2)", "pairs"}, {"bearing(inner.modes=102)", "pairs"},
    {"bearing(outer.thickness=-1e-3)", "cannot be negative"}, {"bearing(zeta=-0.1)", "cannot be negative"},
    {"bearing(cage.modes=2, cage.thickness=5e-4)", "Coriolis"}, {"bearing(outer.modes=2.5)", "whole"}};
  for (size_t i = 0; i < sizeof rows/sizeof *rows; i++) {
    epi_case *c = epi_case_make(rows[i].text);
    check_has(c->error, rows[i].words);
    printf("%s\n", c->error);
    epi_case_free(c);
  }
}

int main(void)
{
  constants();
  gradients("outer.modes=8");
  modes[0] = 4;
  gradients("outer.file=" TEST_SOURCE "/examples/ring.modes");
  modes[0] = 8;
  coupled();
  reaction();
  power();
  double coarse = balance("bearing(" ALL ", radial=500)", AHEAD, 1e-6), fine = balance("bearing(" ALL ", radial=500)", AHEAD, 2.5e-7);
  check_below(coarse, 2e-5);
  check_below(fine, coarse/8);
  rigid();
  restart();
  refused();
  return test_done();
}
