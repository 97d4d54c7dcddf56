/* holds: implicit methods solve second-order systems for velocities alone, with the same solutions and fewer evaluations
 * implicit.c - implicit methods of motions by forces solve for the velocities alone, and ask for no slope by them where no force feels one:
 * the same solutions as of the same motion written as a rate of all of its state, by fewer evaluations */
#include "epicycle.h"
#include <epicycle/model.h>
#include "test.h"

enum { N = 6, STEPS = 40 };
#define STIFF 400.
#define SPAN 1.

/* a chain between two walls, hard and damped, with springs that grow harder; damp: what its dampers have */
static double damp;
static double pull(const double *q, int i)
{
  double left = i ? q[i-1] : 0, right = i < N - 1 ? q[i+1] : 0;
  return STIFF*(left - 2*q[i] + right) - q[i]*q[i]*q[i];
}
static double drag(const double *v, int i)
{
  double left = i ? v[i-1] : 0, right = i < N - 1 ? v[i+1] : 0;
  return damp*(left - 2*v[i] + right);
}
static int force(epi_system *m, double t, const double *q, double *f)
{
  (void)m, (void)t;
  for (int i = 0; i < N; i++) f[i] = pull(q, i);
  return 0;
}
static int velocity_force(epi_system *m, double t, const double *q, const double *v, double *f)
{
  (void)m, (void)t, (void)q;
  for (int i = 0; i < N; i++) f[i] += drag(v, i);
  return 0;
}
static int rate(epi_system *m, double t, const double *y, double *dy)
{
  (void)m, (void)t;
  for (int i = 0; i < N; i++) { dy[i] = y[N + i]; dy[N + i] = pull(y, i) + drag(y + N, i); }
  return 0;
}

static long run(epi_system *m, const char *flow, double way, double *y)
{
  for (int i = 0; i < N; i++) { y[i] = sin(3.14159265358979323846*(i + 1)/(N + 1)); y[N + i] = 0.1*i; }
  epi_flow *f = epi_make(flow, m);
  epi_state s = {.y = y};
  check_count(epi_run(f, &s, way*SPAN, way*SPAN/STEPS), 0);
  long calls = epi_calls(f);
  epi_free(f);
  return calls;
}

/* every method, undamped and damped, there and back */
static void as_a_rate(void)
{
  static const char *const flow[] = {"euler-implicit", "midpoint", "theta", "theta(theta=0.7)", "gauss", "gauss(stages=3)", "radau",
                                     "radau(stages=3)", "lobatto(stages=3)"};
  for (size_t k = 0; k < sizeof flow/sizeof *flow; k++)
    for (int damped = 0; damped < 2; damped++)
      for (double way = 1; way >= -1; way -= 2) {
        epi_system by_force = {.nq = N, .force = force}, by_rate = {.nz = 2*N, .rate = rate};
        if (damped) by_force.velocity_force = velocity_force;
        double y[2*N], z[2*N];
        damp = damped ? 0.3 : 0;
        const int pair = !strncmp(flow[k], "lobatto", 7);
        long calls = run(&by_force, flow[k], way, y), all = pair ? 0 : run(&by_rate, flow[k], way, z);
        /* a pair of tables is for positions and velocities: beside gauss, which is of the same order */
        if (pair) { run(&by_rate, "gauss(stages=3)", way, z); check_array(2*N, y, z, 2e-3); continue; }
        check_array(2*N, y, z, 1e-11);
        /* a slope by the velocities is as many calls a step; Newton's iterations are the same, but for one more or less by rounding */
        check_near((double)(all - calls), damped ? 0 : STEPS*N, 0, 0.03*(double)all);
      }
}

/* begins anew at every step, with a slope of its own; there is none in a build without SUNDIALS */
static int has_cvode(void)
{
  epi_system m = {.nq = N, .force = force};
  epi_flow *f = epi_make("cvode", &m);
  int has = !epi_error(f);
  epi_free(f);
  return has;
}
static void cvode(void)
{
  if (!has_cvode()) return;
  for (double way = 1; way >= -1; way -= 2) {
    epi_system by_force = {.nq = N, .force = force}, by_rate = {.nz = 2*N, .rate = rate};
    double y[2*N], z[2*N];
    damp = 0;
    long calls = run(&by_force, "cvode(method=bdf, rtol=1e-9, atol=1e-9)", way, y);
    long all = run(&by_rate, "cvode(method=bdf, rtol=1e-9, atol=1e-9)", way, z);
    check_array(2*N, y, z, 1e-8);
    check_above((double)(all - calls), N*STEPS);
  }
}

/* balls that touch a cage: where a contact is at its edge its force jumps by a rounding, and no correction is smaller; Newton's iteration
   was said not to converge there */
static void edges(void)
{
  epi_case *c = epi_case_make("bearing");
  epi_flow *f = epi_case_flow(c, "midpoint");
  epi_state s = epi_case_state(c);
  check_count(epi_run(f, &s, 4e-4, c->step), 0);
  epi_free(f);
  epi_case_free(c);
}

/* where the mass of `bounce` is at t = 4.9, by steps of so much of the model's own */
static double bounced(const char *flow, double part)
{
  epi_case *c = epi_case_make("bounce");
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  check_count(epi_run(f, &s, 4.9, part*c->step), 0);
  double q = s.y[0];
  epi_free(f);
  epi_case_free(c);
  return q;
}

/* a hard wall in the midst of a step: one slope for all stages leads from one side of it to the other and back */
static void walls(void)
{
  static const char *const flow[] = {"euler-implicit", "midpoint", "theta", "gauss", "gauss(stages=3)", "radau", "radau(stages=3)",
                                     "lobatto(stages=3)", "extrapolated"};
  const double there = bounced("tolerance(dop853, rtol=1e-12, atol=1e-12)", 1);
  for (size_t k = 0; k < sizeof flow/sizeof *flow; k++) {
    check_abs(bounced(flow[k], 1), there, 0.5);
    check_abs(bounced(flow[k], 1./64), there, k ? 2e-4 : 0.05);
  }
}

int main(void)
{
  walls();
  as_a_rate();
  cvode();
  edges();
  return test_done();
}
