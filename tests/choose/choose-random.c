/* holds: smooth and kinked motions from random starts meet random tolerances, and their estimated errors hold
 * choose-random.c - motions without many fast turns, from random starts, right to random tolerances: the run that is chosen tells its error
 * by steps that are taken together, or by a finer one where the force has kinks, jumps and short pulses. True errors, and how often they
 * hold. choose-random DRAWS SEED */
#include "stiffs.h"

enum { P, Q, S };
static const epi_param PARAMS[] = {
  [P] = {.name = "p", .value = 1, .doc = "strength"}, [Q] = {.name = "q", .value = 1, .doc = "start"},
  [S] = {.name = "s", .value = 0.3, .doc = "where"}, {0}
};

/* forces that jump, that have a kink, and a pulse, no shorter than some steps */
static int jump(epi_system *s, double t, const double *q, double *f)
{
  const double *p = s->data;
  (void)t;
  f[0] = (q[0] > p[S] ? -1 : 1)*p[P];
  return 0;
}

static int kink(epi_system *s, double t, const double *q, double *f)
{
  const double *p = s->data;
  (void)t;
  f[0] = -q[0] - 20*p[P]*(q[0] > p[S] ? q[0] - p[S] : 0);
  return 0;
}

static int pulse(epi_system *s, double t, const double *q, double *f)
{
  const double *p = s->data, x = (t - 3 - p[S])*20*p[P];
  f[0] = -q[0] + 3*exp(-x*x);
  return 0;
}

/* two wells: some of these motions multiply errors by thousands */
static int wells(epi_system *s, double t, const double *q, double *f)
{
  const double *p = s->data;
  (void)t;
  f[0] = q[0] - q[0]*q[0]*q[0] - p[P]*q[0]*q[1]*q[1];
  f[1] = -2*q[1] - p[P]*q[0]*q[0]*q[1];
  return 0;
}

static int make(epi_case *c, int (*force)(epi_system *, double, const double *, double *), int n)
{
  c->system = (epi_system){.nq = n, .force = force, .data = c->p};
  if (epi_case_start(c)) return -1;
  c->y[0] = c->p[Q];
  c->y[n] = 0.1;
  if (n > 1) c->y[1] = 0.4;
  return 0;
}
static int make_jump(epi_case *c) { return make(c, jump, 1); }
static int make_kink(epi_case *c) { return make(c, kink, 1); }
static int make_pulse(epi_case *c) { return make(c, pulse, 1); }
static int make_wells(epi_case *c) { return make(c, wells, 2); }
static const epi_model OWN[] = {
  {.name = "jump", .doc = "a force that jumps", .params = PARAMS, .make = make_jump, .flow = "verlet", .step = 1e-3, .end = 10},
  {.name = "kink", .doc = "a force with a kink", .params = PARAMS, .make = make_kink, .flow = "verlet", .step = 1e-3, .end = 10},
  {.name = "pulse", .doc = "a short pulse", .params = PARAMS, .make = make_pulse, .flow = "verlet", .step = 1e-3, .end = 10},
  {.name = "wells", .doc = "two wells", .params = PARAMS, .make = make_wells, .flow = "verlet", .step = 1e-3, .end = 10},
};

/* a model as text and the end of its run; its kind */
enum { KINDS = 14 };
static int draw(unsigned long long *r, int kind, char *text, size_t size, double *end)
{
  double a = random_of(r, 0, 1), b = random_of(r, 0, 1), c = random_of(r, 0, 1), d = random_of(r, 0, 1);
  *end = 3 + 27*d;
  switch (kind) {
  case 0: *end = 10; random_springs(r, 5, 300, 2, text, size); break;
  case 1: *end = 1; snprintf(text, size, "inverted-pendulum(w=%g, q0=%g, vmax=%g)", 30*pow(16, a), 0.05 + 2.4*b, 2.5 + 5.5*c); break;
  case 2: *end = 2 + 60*d; snprintf(text, size, "kepler(e=%g, M0=%g)", 0.9*a, 6*b); break;
  case 3: snprintf(text, size, "spring-pendulum(kB=%g, x0=%g, y0=%g)", 10*pow(100, a), 0.9 + 0.2*b, c - 0.5); break;
  case 4: snprintf(text, size, "van-der-pol(w=%g, mu=%g, q0=%g)", 2*pow(20, a), 0.1 + 2*b, 0.1 + 3*c); break;
  case 5: snprintf(text, size, "pendulum(q0=%g, v0=%g)", 0.1 + 3*a, b); break;
  case 6: snprintf(text, size, "magnetic-pendulum(delta=%g, q0=%g, p0=%g)", 0.03 + 0.2*a, 3*b, c); break;
  case 7: snprintf(text, size, "rigid-body(theta=%g, I1=%g)", 0.01 + 1.5*a, 0.2 + 0.5*b); break;
  case 8: *end = 0.5 + d; snprintf(text, size, "heavy-top(theta0=%g, w3=%g, Omega=%g)", 0.1 + a, 20 + 200*b, c); break;
  case 9: *end = 1 + 3*d; snprintf(text, size, "averaged-pendulum(q0=%g, vmax=%g, v0=%g)", 0.05 + 3*a, 2 + 6*b, c); break;
  case 10: snprintf(text, size, "jump(p=%g, q=%g, s=%g)", 0.3 + a, 0.5 + b, c); break;
  case 11: snprintf(text, size, "kink(p=%g, q=%g, s=%g)", 0.03 + a, 0.5 + b, c); break;
  case 12: snprintf(text, size, "pulse(p=%g, q=%g, s=%g)", 0.05 + 0.2*a, 0.5 + b, c); break;
  default: snprintf(text, size, "wells(p=%g, q=%g)", a, 0.5 + b);
  }
  return kind;
}

static epi_case *make_case(const char *text)
{
  const char *const name[] = {"jump", "kink", "pulse", "wells"};
  for (int i = 0; i < 4; i++)
    if (!strncmp(text, name[i], strlen(name[i]))) return epi_case_of(&OWN[i], text + strlen(name[i]));
  return epi_case_make(text);
}

int main(int argc, char **argv)
{
  int draws = argc > 1 ? atoi(argv[1]) : 98, answered = 0, within = 0, refused = 0;
  unsigned long long seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 2027;
  double worst = 0, low = 0;
  for (int k = 0; k < draws; k++) {
    char model[400];
    double end, tol = pow(10, random_of(&seed, -7, -2));
    draw(&seed, k % KINDS, model, sizeof model, &end);
    epi_case *c = make_case(model);
    epi_chosen a = {.tol = tol, .end = c->t + end, .motion = EPI_FULL};
    truth t;
    if (c->error[0]) printf("%s\n", c->error);
    if (epi_choose(c, &a)) { refused++; printf("%3d %s tol %.1e: %s\n", k, model, tol, a.error); epi_case_free(c); continue; }
    check_count(true_rows(c, end, 0, 1, &t), 0);
    double e = rows_off_by(c, a.flow, end, &t)/tol;
    printf("%3d %-60s to %-6.3g tol %.1e: %.3f tol, told %.3f, %.3g evaluations and %ld to find out; %s\n", k, model, end, tol, e,
           a.found/tol, a.way[0].calls, a.spent, a.flow);
    answered++;
    within += e <= 3;
    low += e > a.found/tol;
    worst = !(e <= worst) ? e : worst;
    epi_case_free(c);
  }
  printf("%d of %d answered; %d within 3 tol, worst %.2f; %.0f beyond what was told\n", answered, draws, within, worst, low);
  check_above(within, 0.98*answered);
  check_below(worst, 6);
  check_below(refused, 0.05*draws);
  return test_done();
}
