/* holds: small starting values are resolved relative to themselves where an instability amplifies them, and only there
 * choose-seed.c - small starting values: one that an instability amplifies needs steps that are exact relative to it; one that the motion
 * makes large by itself, as a component of a quaternion, needs none */
#include "epicycle.h"
#include "epicycle/choose.h"
#include "epicycle/file.h"
#include "test.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* the small starting value */
static double seed;

/* upright, and beside it one that swings */
static int upright(epi_system *s, double t, const double *q, double *f)
{
  (void)s; (void)t;
  f[0] = sin(q[0]);
  return 0;
}
static int pair(epi_system *s, double t, const double *q, double *f)
{
  upright(s, t, q, f);
  f[1] = -sin(q[1]);
  return 0;
}
/* Euler's equations of a free body, the third axis being unstable */
static int body(epi_system *s, double t, const double *w, double *dw)
{
  (void)s; (void)t;
  dw[0] = 0.9*w[1]*w[2], dw[1] = 0.7*w[2]*w[0], dw[2] = -0.5*w[0]*w[1];
  return 0;
}
/* a quaternion that turns about the second axis: two components exchange */
static int turning(epi_system *s, double t, const double *q, double *dq)
{
  (void)s; (void)t;
  dq[0] = -3*q[2], dq[1] = 3*q[3], dq[2] = 3*q[0], dq[3] = -3*q[1];
  return 0;
}
/* thrown upwards from a height that is nearly nothing, sideways with a spring */
static int thrown(epi_system *s, double t, const double *q, double *f)
{
  (void)s; (void)t;
  f[0] = -1, f[1] = -q[1];
  return 0;
}

static int make_upright(epi_case *c)
{
  c->system = (epi_system){.nq = 1, .force = upright};
  if (epi_case_start(c)) return -1;
  c->y[0] = seed;
  return 0;
}
static int make_pair(epi_case *c)
{
  c->system = (epi_system){.nq = 2, .force = pair};
  if (epi_case_start(c)) return -1;
  c->y[0] = seed, c->y[1] = 1;
  return 0;
}
static int make_body(epi_case *c)
{
  c->system = (epi_system){.nz = 3, .rate = body};
  if (epi_case_start(c)) return -1;
  c->y[0] = seed, c->y[1] = 0, c->y[2] = 1;
  return 0;
}
static int make_turning(epi_case *c)
{
  c->system = (epi_system){.nz = 4, .rate = turning};
  if (epi_case_start(c)) return -1;
  c->y[0] = seed, c->y[1] = 0, c->y[2] = 1, c->y[3] = seed;
  return 0;
}
static int make_thrown(epi_case *c)
{
  c->system = (epi_system){.nq = 2, .force = thrown};
  if (epi_case_start(c)) return -1;
  c->y[0] = seed, c->y[1] = 1, c->y[2] = 3;
  return 0;
}

static const epi_param none[] = {{0}};
#define MODEL(n, m, e, s) {.name = n, .doc = n, .params = none, .make = m, .end = e, .step = 0.01, .smooth = s}
static const epi_model models[] = {
  MODEL("upright", make_upright, 20, 0), MODEL("upright-smooth", make_upright, 20, 1), MODEL("pair", make_pair, 20, 0),
  MODEL("body", make_body, 20, 0), MODEL("turning", make_turning, 2, 0), MODEL("turning-smooth", make_turning, 2, 1),
  MODEL("thrown", make_thrown, 5, 0),
};

/* largest error of the end by the flow that is chosen, in tolerances of the size over the run; evaluations to find out, and of the run */
static double error_of(const epi_model *m, double tol, long *spent, long *calls)
{
  char fine[80];
  double y[2][8], size[8] = {0}, most = 0;
  epi_case *c = epi_case_of(m, NULL);
  const int n = epi_size(&c->system);
  epi_chosen a = {.tol = tol, .end = c->end};
  if (!check_count(epi_choose(c, &a), 0)) printf("%s from %g to %g: %s\n", m->name, seed, tol, a.error);
  snprintf(fine, sizeof fine, "tolerance(dop853, rtol=1e-13, atol=%g)", fmin(1e-15, 1e-13*seed));
  for (int k = 0; k < 2; k++) {
    epi_flow *f = epi_case_flow(c, k ? a.flow : fine);
    epi_state s = epi_case_state(c);
    for (int part = 1; part <= 40; part++) {
      if (epi_run(f, &s, c->end*part/40, c->end)) { printf("%s: %s\n", m->name, epi_error(f)); break; }
      for (int i = 0; i < n; i++) size[i] = fmax(size[i], fabs(s.y[i]));
    }
    memcpy(y[k], s.y, (size_t)n*sizeof *s.y);
    *calls = epi_calls(f);
    epi_free(f);
  }
  for (int i = 0; i < n; i++) most = fmax(most, fabs(y[0][i] - y[1][i])/fmax(size[i], 1e-3)/tol);
  *spent = a.spent;
  epi_case_free(c);
  return most;
}

/* a free body, spun about its middle axis: rounding grows to more than the tolerance, and no flow is tried for long */
static void tumble(void)
{
  static const char text[] = "world:\n  bodies:\n    - {name: b, mass: 2, inertia: [0.9, 1.5, 2.1], spin: [1e-4, 71, 0]}\nend: 3.7\n";
  epi_file *file = epi_file_read_text(text, strlen(text), "text");
  if (epi_file_sentences(file)) test_stop(epi_file_sentence(file, 0)->text);
  for (double tol = 1e-2; tol > 1e-9; tol /= 100) {
    epi_case *c = epi_file_case(file, 0);
    epi_chosen a = {.tol = tol, .end = c->end, .most = 1e6};
    int bad = epi_choose(c, &a);
    if (!check_below((double)a.spent, 200000) | !check_count(bad != 0, tol < 1e-5) | (bad && !check_has(a.error, "errors grow")))
      printf("a tumbling body to %g: %ld evaluations, %s\n", tol, a.spent, bad ? a.error : a.flow);
    epi_case_free(c);
  }
  epi_file_free(file);
}

int main(void)
{
  tumble();
  static const double seeds[] = {1e-6, 1e-9, 1e-12};
  for (size_t m = 0; m < sizeof models/sizeof *models; m++)
    for (int i = 0; i < 3; i++)
      for (double tol = 1e-4; tol > 1e-7; tol /= 100) {
        long spent, calls;
        seed = i < 2 || m > 3 ? seeds[i]*(m > 3 ? 0.005 : 1) : m == 3 ? 1e-10 : 1e-12;
        double off = error_of(&models[m], tol, &spent, &calls);
        /* one that is amplified costs what its growth takes; another hardly more than none */
        const double most = m > 3 ? 2000 + 12*(double)calls : 40000;
        if (!check_below(off, 2) | !check_below((double)spent, most))
          printf("%s from %g to %g: %.2g tolerances off, %ld evaluations to find out, %ld of the run\n", models[m].name, seed, tol, off,
                 spent, calls);
      }
  return test_done();
}
