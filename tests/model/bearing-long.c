/* holds: means of loads and speeds over 20 ms of the bearing are those of CVODE
 * bearing-long.c - 20 ms of the bearing: means of loads and speeds against CVODE's
 * label: slow   cost: 14 */
#include "bearings.h"

/* over time and balls */
typedef struct { double Qo, Qi, orbit, cage; } mean;

static int mean_of(const char *text, const char *flow, double h, mean *out)
{
  epi_case *c = bearing_make(text);
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  int n = 200, balls = 9, bad = 0;
  mean m = {0};
  for (int k = 1; k <= n && !bad; k++) {
    bad = epi_run(f, &s, 20e-3*k/n, h);
    m.Qo += observed(c, "Qo-sum", &s)/(n*balls);
    m.Qi += observed(c, "Qi-sum", &s)/(n*balls);
    m.cage += observed(c, "cage-speed", &s)/n;
    for (int i = 0; i < balls; i++) {
      epi_pose p = epi_world_pose(c->world, &s, BEARING_BALLS + i);
      m.orbit += (p.r[0]*p.v[1] - p.r[1]*p.v[0])/(p.r[0]*p.r[0] + p.r[1]*p.r[1])/(n*balls);
    }
  }
  if (bad) printf("%s: %s\n", flow, epi_error(f));
  else
    printf("%s, %s, 20 ms: Qo %.4f, Qi %.4f N, orbit %.5f, cage %.5f rad/s, %ld sweeps\n", text, flow, m.Qo, m.Qi, m.orbit, m.cage,
           epi_calls(f));
  *out = m;
  epi_free(f);
  epi_case_free(c);
  return bad;
}

static void compare(const mean *a, const mean *b)
{
  check_abs(a->Qo, b->Qo, 0.1);
  check_abs(a->Qi, b->Qi, 0.1);
  check_abs(a->orbit, b->orbit, 0.05);
  check_abs(a->cage, b->cage, 0.05);
}

int main(void)
{
  mean ahead, other;
  check_count(mean_of(S1, AHEAD, 1e-6, &ahead), 0);
  /* an explicit pair that chooses its steps; the springs that hold the rings are softer for it, which the means do not feel */
  check_count(mean_of("bearing(fB=3e5)", "tolerance(dopri5, rtol=1e-9, atol=1e-9)", 1e-4, &other), 0);
  compare(&ahead, &other);
  epi_case *c = bearing_make(S1);
  epi_flow *f = epi_case_flow(c, "cvode(method=bdf)");
  int there = !epi_error(f);
  if (!there) printf("not against CVODE: %s\n", epi_error(f));
  epi_free(f);
  epi_case_free(c);
  if (there) {
    check_count(mean_of(S1, "cvode(rtol=1e-7, atol=1e-8, method=bdf)", 1e-4, &other), 0);
    compare(&ahead, &other);
  }
  return test_done();
}
