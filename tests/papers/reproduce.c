/* holds: the statements of docs/findings.md on the papers hold */
#include "epicycle.h"
#include "test.h"

static const double PI = 3.14159265358979323846;
enum { FINEST = 80 };                  /* the smallest macro step is 1/80 */

static void go(epi_flow *f, epi_state *s, double h)
{
  if (epi_advance(f, s, h, 1)) test_stop(epi_error(f));
}

/* ---- table 2.1 of vibrations at w = 1e8: the phase as a literal product of w and t ---- */
typedef struct { double w, theta0; } pivot;

static int literal(epi_system *s, double t, const double *q, double *f)
{
  const pivot *p = s->data;
  f[0] = (9.8 + 4*p->w*cos(p->w*t + p->theta0))/0.2*sin(q[0]);
  return 0;
}

static int lift(epi_system *s, double t, double theta, const double *Q, const double *P, double *v)
{
  (void)theta;
  const pivot *p = s->data;
  v[0] = P[0] + 20*sin(p->w*t + p->theta0)*sin(Q[0]);
  return 0;
}

/* Q at k/80 */
static void averaged(double *Q)
{
  epi_case *c = epi_case_make("averaged-pendulum");
  epi_flow *f = epi_case_flow(c, "substeps(symmetric(verlet, order=8), 50)");
  epi_state s = epi_case_state(c);
  Q[0] = s.y[0];
  for (int k = 1; k <= FINEST; k++) {
    go(f, &s, 1.0/FINEST);
    Q[k] = s.y[0];
  }
  epi_free(f);
  epi_case_free(c);
}

/* the largest error of the run that begins at t0: another t0 rounds otherwise, nothing else changes */
static double error_from(double t0, int N, const double *Q)
{
  pivot p = {.w = 1e8, .theta0 = fmod(-PI/2 - 1e8*t0, 2*PI)};
  epi_system sys = {.nq = 1, .force = literal, .phase = {.lift = lift, .period = 2*PI/p.w}, .data = &p};
  char text[128];
  snprintf(text, sizeof text, "leapfrog-predicted(hmm(verlet, kernel=exp5, periods=40, steps=%d, start=lift))", N);
  epi_flow *f = epi_make(text, &sys);
  double y[] = {0.5, 0}, e = 0;
  epi_state s = {.t = t0, .y = y};
  for (int k = 1; k <= N; k++) {
    go(f, &s, 1.0/N);
    e = fmax(e, fabs(y[0] - Q[k*FINEST/N]));
  }
  epi_free(f);
  return e;
}

static void realisations(void)
{
  /* H, printed, and the value with a reduced phase, found independently of this library */
  static const struct { int N; double printed, calm; } COLUMN[] = {
    {10, 0.404, 0.40762853681690348}, {20, 0.108, 0.10726613706944925},
    {40, 0.0261, 0.027023744705123923}, {80, 0.00669, 0.0067343740596284146},
  };
  enum { STARTS = 60 };
  double Q[FINEST + 1];
  averaged(Q);
  for (int i = 0; i < 4; i++) {
    double mean = 0, squares = 0;
    for (int k = 0; k < STARTS; k++) {
      double e = error_from((double)k/STARTS, COLUMN[i].N, Q), d = e - mean;
      mean += d/(k + 1);
      squares += d*(e - mean);
    }
    double sd = sqrt(squares/(STARTS - 1)), z = (COLUMN[i].printed - mean)/sd;
    printf("table 2.1, w = 1e8, H = 1/%d: %.4g +- %.2g over %d realisations; printed %g, %.1f sd off\n", COLUMN[i].N, mean, sd, STARTS,
           COLUMN[i].printed, z);
    check_between(z, -3.5, 3.5);
    check_between((COLUMN[i].calm - mean)/sd, -1, 1);
    check_between(sd/mean, 0.004, 0.02);
  }
}

/* ---- the force of a start at rest as a kick: v after a kick of 1 from v = 0 ---- */
static void force_of(const char *average, epi_system *sys, const double *q, double *F)
{
  char text[128];
  double y[8] = {0};
  memcpy(y, q, (size_t)sys->nq*sizeof *q);
  snprintf(text, sizeof text, "kick(%s)", average);
  epi_flow *f = epi_make(text, sys);
  epi_state s = {.y = y};
  go(f, &s, 1);
  memcpy(F, y + sys->nq, (size_t)sys->nq*sizeof *F);
  epi_free(f);
}

/* the exponential kernel of 40 periods lets 4.43e-11 of the fast force through: 0.0886 sin Q at w = 1e8 */
static void leaks(void)
{
  static const struct { const char *model; double leak, tol; } AT[] = {
    {"inverted-pendulum(w=1e6)", 8.86e-4, 0.03}, {"inverted-pendulum(w=1e8)", 0.0886, 2e-3},
  };
  const double q = 0.5;
  for (int i = 0; i < 2; i++) {
    epi_case *c = epi_case_make(AT[i].model);
    double narrow, wide;
    force_of("hmm(verlet, kernel=exp5, periods=40, steps=80, even=1)", &c->system, &q, &narrow);
    force_of("hmm(verlet, kernel=exp5, periods=80, steps=80, even=1)", &c->system, &q, &wide);
    double leak = (narrow - wide)/sin(q);
    printf("%s: the kernel of 40 periods adds %.4g sin Q\n", AT[i].model, leak);
    check_rel(leak, AT[i].leak, AT[i].tol);
    epi_case_free(c);
  }
}

/* ---- two degrees of freedom: the averaged force is a gradient only in the limit ---- */
/* forces of the potentials cos q + q r and w cos(theta) (sin q cos 2r + q r^2/2), signs aside */
static int gradients(epi_system *s, double t, double theta, const double *q, double *f)
{
  (void)t;
  double a = s->phase.phase_rate*cos(theta);
  f[0] = sin(q[0]) - q[1] + a*(cos(q[0])*cos(2*q[1]) + q[1]*q[1]/2);
  f[1] = -q[0] + a*(q[0]*q[1] - 2*sin(q[0])*sin(2*q[1]));
  return 0;
}

/* dF_1/dq_2 - dF_2/dq_1, by differences */
static double defect(const char *average, double w)
{
  epi_system sys = {.nq = 2, .phase = {.forced = gradients, .phase_rate = w}};
  const double d = 1e-4;
  double F[2][2][2];
  for (int i = 0; i < 2; i++)
    for (int side = 0; side < 2; side++) {
      double q[] = {0.7, 0.4};
      q[i] += side ? d : -d;
      force_of(average, &sys, q, F[i][side]);
    }
  return (F[1][1][0] - F[1][0][0] - F[0][1][1] + F[0][0][1])/(2*d);
}

static void gradient_only_in_the_limit(void)
{
  static const char *const AVERAGES[] = {"hmm(verlet, kernel=box, periods=1, steps=64, even=1)", "hmm(verlet, kernel=kaiser, steps=64)"};
  for (int i = 0; i < 2; i++) {
    double h[4], e[4];
    for (int k = 0; k < 4; k++) {
      h[k] = pow(10, -2 - k);
      e[k] = fabs(defect(AVERAGES[i], 1/h[k]));
      printf("%s: curl %.2e at w = %g\n", AVERAGES[i], e[k], 1/h[k]);
    }
    check_order(4, h, e, 1, 0.05);
    check_between(e[0], 1e-2, 4e-2);
  }
}

/* ---- case (iii) of stiff: what the masses and the springs do near t = 2 ---- */
static void turning(void)
{
  epi_case *c = epi_case_make("stiff-springs(case=iii)");
  epi_flow *f = epi_case_flow(c, "symmetric(verlet, order=8)");
  epi_state s = epi_case_state(c);
  double low = INFINITY, high = -INFINITY, when[2] = {0};
  for (int k = 1; k <= 40; k++) {
    if (epi_run(f, &s, 0.1*k, 2*PI/500/20)) test_stop(epi_error(f));
    if (s.y[1] < low) { low = s.y[1]; when[0] = s.t; }
    if (s.y[3] > high) { high = s.y[3]; when[1] = s.t; }
  }
  printf("case (iii): y1 is least, %.4f, at t = %.1f; y2 is greatest, %.4f, at t = %.1f\n", low, when[0], high, when[1]);
  check_abs(low, -0.418, 2e-3);
  check_between(when[0], 1.5, 2.2);
  check_abs(high, 0.590, 2e-3);
  check_between(when[1], 2.0, 2.5);
  epi_free(f);
  epi_case_free(c);
}

/* energies of the two springs, w^2 (r - 1)^2/2, at t = 0.25 k */
typedef struct { double E[2][41]; } springs;

static int note(void *data, const epi_system *sys, epi_state *s)
{
  (void)sys;
  springs *sp = data;
  const double *y = s->y, stretch[] = {hypot(y[0], y[1]) - 1, hypot(y[2] - y[0], y[3] - y[1]) - 1};
  for (int i = 0; i < 2; i++) sp->E[i][lround(4*s->t)] = 500.0*500.0*stretch[i]*stretch[i]/2;
  return 0;
}

static void drifting(void)
{
  springs sp = {0};
  epi_case *c = epi_case_make("stiff-springs(case=iii)");
  epi_name names[] = {c->parts[0], {.name = "note", .see = note, .data = &sp}, {0}};
  epi_flow *f = epi_make_named("project(tolerance(watch(dopri5(hmm(verlet, kernel=exp5, periods=20, steps=6, start=current)), "
                               "see=note, every=0.25), rtol=1e-3, atol=1e-6, controller=ode45, first=0.25))", names);
  epi_state s = epi_case_state(c);
  if (epi_run(f, &s, 10, 10)) test_stop(epi_error(f));
  printf("case (iii), not projected again: energies of the springs %.3f and %.3f at t = 2\n", sp.E[0][8], sp.E[1][8]);
  check_rel(sp.E[0][8], 0.25, 0.05);
  check_rel(sp.E[1][8], 1.37, 0.02);
  epi_free(f);
  epi_case_free(c);
}

/* ---- the rotor of the thesis by Heun's method: why h = 0.2 is the step to show it with ---- */
/* amplitude of q1 at its smallest for 100 < t < 600, and the largest q1 */
static void beats(double h, double *waist, double *most)
{
  epi_case *c = epi_case_make("rotor");
  epi_flow *f = epi_case_flow(c, "heun");
  epi_state s = epi_case_state(c);
  *waist = INFINITY;
  *most = 0;
  for (long k = 1; k <= lround(1000/h - 0.4); k++) {
    go(f, &s, h);
    *most = fmax(*most, fabs(s.y[0]));
    if (s.t > 100 + 1e-9 && s.t < 600 - 1e-9) *waist = fmin(*waist, hypot(s.y[0], s.y[2]));
  }
  printf("rotor by Heun, h = %g: waist %.4f, most %.4g\n", h, *waist, *most);
  epi_free(f);
  epi_case_free(c);
}

static void rotor(void)
{
  double waist, most;
  beats(0.1, &waist, &most);
  check_rel(waist, 0.083865688522199947, 1e-9);
  beats(0.3, &waist, &most);
  check_between(most, 230, 240);
}

int main(void)
{
  rotor();
  realisations();
  leaks();
  gradient_only_in_the_limit();
  turning();
  drifting();
  return test_done();
}
