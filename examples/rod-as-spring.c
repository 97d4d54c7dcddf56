/* rod-as-spring.c - a constrained problem solved without its constraint: the rod of a pendulum becomes a spring of constant w^2, and hmm
 * leaves out its fast motion. Any method for ordinary equations will do, and the harder the spring the nearer the rod, at one price.
 * The last proposal of Sanz-Serna, Ariel & Tsai (2009). The first row has the rod itself */
#include <epicycle.h>
#include <math.h>

static int weight(epi_system *s, double t, const double *q, double *f) { (void)s, (void)t, (void)q, f[0] = 0, f[1] = -1; return 0; }
static int rod(epi_system *s, double t, const double *q, double *g, double *G, double *gt)
{
  (void)s, (void)t, (void)gt;
  g[0] = q[0]*q[0] + q[1]*q[1] - 1;
  for (int i = 0; i < 2; i++) G[i] = 2*q[i];
  return 0;
}
static int spring(epi_system *s, double t, const double *q, double *f)
{
  double w = *(double *)s->data, r = sqrt(q[0]*q[0] + q[1]*q[1]);
  weight(s, t, q, f);
  for (int i = 0; i < 2; i++) f[i] -= w*w*(r - 1)/r*q[i];
  return 0;
}

int main(void)
{
  double w[] = {0, 100, 1000, 10000}, angle = 0;
  puts("      w   forces       angle   off by");
  for (int k = 0; k < 4; k++) {
    epi_system held = {.nq = 2, .nc = 1, .force = weight, .constraint = rod};
    epi_system springy = {.nq = 2, .force = spring, .phase.period = 2*3.14159265358979323846/w[k], .data = &w[k]};
    epi_flow *f = k ? epi_make("dopri5(hmm(verlet, steps=8, start=current))", &springy) : epi_make("symmetric(verlet, order=8)", &held);
    double y[] = {1, 0, 0, 0}, a;
    if (epi_run(f, &(epi_state){.y = y}, 10, 0.1)) puts(epi_error(f));
    a = atan2(y[0], -y[1]);
    if (!k) angle = a;
    printf("%7g %8ld %11.6f %8.0e\n", w[k], epi_calls(f), a, fabs(a - angle));
    epi_free(f);
  }
  return 0;
}
