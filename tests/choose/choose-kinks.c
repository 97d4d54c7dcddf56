/* holds: forces with jumps and kinks in time, amplitude or frequency meet their tolerance
 * choose-kinks.c - forces that change with time by ramps: a jump, a kink or a bend where one begins and where it ends, in a push, in the
 * amplitude of a fast force and in its pace, as of a machine that runs up; and a vibrated pendulum that meets a spring, or is slowed by the
 * square of its speed. To a tolerance, against runs that begin anew at each of the first. choose-kinks DRAWS SEED
 * thorough: 132 */
#include "epicycle.h"
#include "epicycle/choose.h"
#include "test.h"

enum { KIND, RATE, SIZE, FROM, TO, START, HARD };
enum { PUSH_JUMPS, PUSH_KINKS, PUSH_BENDS, SIZE_KINKS, PACE_KINKS, SIZE_BENDS, PACE_BENDS, SIZE_JUMPS, PACE_JUMPS, SPRING, DRAG,
       KINDS };
static const epi_param PARAMS[] = {
  [KIND] = {.name = "kind", .value = 0, .doc = "of the ramp"}, [RATE] = {.name = "rate", .value = 3, .doc = "rad/time"},
  [SIZE] = {.name = "size", .value = 1, .doc = "of the force"}, [FROM] = {.name = "from", .value = 0.3, .doc = "it begins"},
  [TO] = {.name = "to", .value = 0.7, .doc = "it ends"}, [START] = {.name = "start", .value = 1, .doc = "angle"},
  [HARD] = {.name = "hard", .value = 0, .doc = "the spring, and the drag in thousandths"}, {0}
};
static const int END[KINDS] = {10, 10, 10, 1, 1, 1, 1, 1, 1, 1, 1};

/* the piece that is taken for all of it, so that nothing breaks; negative: by the time */
static double piece = -1;
static double ramp(const double *p, double t)
{
  double at = piece >= 0 ? piece : t, x = at < p[FROM] ? 0 : at < p[TO] ? (t - p[FROM])/(p[TO] - p[FROM]) : 1;
  switch ((int)p[KIND]) {
  case PUSH_JUMPS: case SIZE_JUMPS: case PACE_JUMPS: return at < p[FROM] ? 0 : at < p[TO] ? 1 : 0.3;
  case PUSH_BENDS: case SIZE_BENDS: case PACE_BENDS: return x*x*(3 - 2*x);
  default: return x;
  }
}
static int paced(const double *p) { return p[KIND] == PACE_KINKS || p[KIND] == PACE_BENDS || p[KIND] == PACE_JUMPS; }

static int push(epi_system *s, double t, const double *q, double *f)
{
  const double *p = s->data;
  f[0] = -p[RATE]*p[RATE]*sin(q[0]) + p[SIZE]*ramp(p, t)*cos(2*t);
  return 0;
}
static int shake(epi_system *s, double t, double theta, const double *q, double *f)
{
  const double *p = s->data, size = paced(p) || p[KIND] >= SPRING ? p[SIZE] : p[SIZE]*(0.5 + ramp(p, t));
  f[0] = (49.05 + size*p[RATE]*cos(theta))*sin(q[0]);
  if (p[KIND] == SPRING && q[0] > p[FROM]) f[0] -= p[HARD]*(q[0] - p[FROM]);
  return 0;
}
static int slow_down(epi_system *s, double t, const double *q, const double *v, double *f)
{
  const double *p = s->data;
  (void)t, (void)q;
  f[0] -= 1e-3*p[HARD]*fabs(v[0])*v[0];
  return 0;
}
static double pace(epi_system *s, double t) { return ((double *)s->data)[RATE]*(1 + ramp(s->data, t)); }

static int make(epi_case *c)
{
  const double *p = c->p;
  c->system = p[KIND] < SIZE_KINKS ? (epi_system){.force = push} : paced(p) ? (epi_system){.phase = {.forced = shake,
                                                                                                     .phase_rate_at = pace}} :
              (epi_system){.phase = {.forced = shake, .phase_rate = p[RATE]}};
  c->system.nq = 1;
  if (p[KIND] == DRAG) c->system.velocity_force = slow_down;
  c->system.data = c->p;
  if (epi_case_start(c)) return -1;
  c->y[0] = p[START];
  return 0;
}
static const epi_model MODEL = {.name = "ramps", .doc = "ramps", .params = PARAMS, .make = make, .flow = "dop853", .step = 1e-3, .end = 1};

/* at the end, and how large each coordinate has been */
static void truth(epi_case *c, double end, double *y, double *size)
{
  double to[] = {c->p[KIND] < SPRING ? c->p[FROM] : 0.3*end, c->p[KIND] < SPRING ? c->p[TO] : 0.7*end, end};
  epi_state s = epi_case_state(c);
  size[0] = fabs(c->p[START]);
  size[1] = 0;
  for (int j = 0; j < 3; j++) {
    epi_flow *f = epi_case_flow(c, "tolerance(dop853, rtol=1e-13, atol=1e-13)");
    double from = s.t;
    piece = 0.5*(from + to[j]);
    for (int k = 1; k <= 40; k++) {
      double t = k == 40 ? to[j] : from + (to[j] - from)*k/40;
      if (!check_count(epi_run(f, &s, t, t - s.t), 0)) printf("%s\n", epi_error(f));
      for (int i = 0; i < 2; i++) size[i] = fmax(size[i], fabs(s.y[i]));
    }
    epi_free(f);
  }
  piece = -1;
  memcpy(y, s.y, 2*sizeof *y);
}

static double solve(int kind, const double *r, double tol, double *found)
{
  char text[200];
  double end = END[kind], want[2], size[2];
  if (kind < SIZE_KINKS)
    snprintf(text, sizeof text, "(kind=%d, rate=%.6f, size=%.6f, from=%.9f, to=%.9f)", kind, 1 + 4*r[0], 5*r[1], 0.5*end*r[2],
             end*(0.5 + 0.5*r[3]));
  else if (kind >= SPRING)
    snprintf(text, sizeof text, "(kind=%d, rate=%g, size=%.6f, from=%.9f, start=%.6f, hard=%.6f)", kind, r[1] < 0.5 ? 2e3 : 1e4,
             16 + 10*r[0], 0.3*r[3] - 0.1, 0.1 + 0.5*r[4], pow(10, 1 + (kind == DRAG ? 2 : 2.5)*r[2]));
  else
    snprintf(text, sizeof text, "(kind=%d, rate=%g, size=%.6f, from=%.9f, to=%.9f, start=%.6f)", kind, r[1] < 0.5 ? 2e3 : 1e4, 14 + 12*r[0],
             0.5*r[2], 0.5 + 0.5*r[3], 0.1 + 0.5*r[4]);
  epi_case *c = epi_case_of(&MODEL, text);
  epi_chosen a = {.tol = tol, .end = end};
  double off = NAN;
  if (epi_choose(c, &a)) printf("%s: %s\n", text, a.error);
  else {
    epi_flow *f = epi_case_flow(c, a.flow);
    epi_state s = epi_case_state(c);
    double y[2];
    check_count(epi_run(f, &s, end, end), 0);
    memcpy(y, s.y, sizeof y);
    truth(c, end, want, size);
    off = fmax(fabs(y[0] - want[0])/size[0], fabs(y[1] - want[1])/size[1])/tol;
    if (!check_below(off, 3)) printf("%s, tol %g: %.3g tol; %s\n", text, tol, off, a.flow);
    epi_free(f);
  }
  *found = a.found/tol;
  epi_case_free(c);
  return off;
}

/* a run-up: the phase to the last digit, whatever the steps */
static int nothing(epi_system *s, double t, double theta, const double *q, double *f)
{
  (void)s, (void)t, (void)q, (void)theta;
  f[0] = 0;
  return 0;
}
static void phases(void)
{
  double p[] = {PACE_KINKS, 2000, 1, 0.3141, 0.7182, 0}, y[2] = {0}, exact = fmod(2000*(1 + 0.5*(p[TO] - p[FROM]) + 1 - p[TO]), 2*acos(-1));
  epi_system m = {.nq = 1, .phase = {.forced = nothing, .phase_rate_at = pace}, .data = p};
  for (int n = 1; n < 3000; n = 3*n + 1) {
    epi_flow *f = epi_make("rk4", &m);
    epi_state s = {.y = y};
    check_count(epi_run(f, &s, 1, 1.0/n), 0);
    double off = fabs(s.theta - exact);
    check_below(fmin(off, 2*acos(-1) - off), 1e-11);
    epi_free(f);
  }
}

int main(int argc, char **argv)
{
  static const double tols[] = {1e-3, 1e-5, 1e-7};
  int draws = argc > 1 ? atoi(argv[1]) : 3*KINDS, answered = 0;
  unsigned long long seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 3;
  double worst = 0;
  phases();
  for (int k = 0; k < draws; k++) {
    double r[5], found;
    for (int i = 0; i < 5; i++) {
      seed = seed*6364136223846793005ULL + 1442695040888963407ULL;
      r[i] = (double)(seed >> 11)/9007199254740992.0;
    }
    double off = solve(k % KINDS, r, tols[k/KINDS % 3], &found);
    answered += !isnan(off);
    worst = fmax(worst, off);
  }
  printf("%d of %d answered, worst %.2f tol\n", answered, draws, worst);
  check_above(answered, 0.9*draws);
  return test_done();
}
