/* holds: hmm and strobe solve the general forced case of the papers, with dense mass and two frequencies
 * general.c - the general case of the papers through the public header alone: M q'' = f(t, theta, q) + velocity_force(q, v) with a dense
 * mass matrix, three coordinates, two frequencies in the ratio 2 : 3 with one common phase, constant or quickening, against a resolved run
 * label: slow */
#include "averages.h"

enum { N = 3 };
static const double MASS[] = {2, 0.3, 0.1, 0.3, 1.5, 0.2, 0.1, 0.2, 1};

/* a potential of three coupled pendulums; shaken with 4 w (cos 2 theta b(q) + cos 3 theta c(q)) */
static int shaken(epi_system *s, double t, double theta, const double *q, double *f)
{
  double w = s->phase.phase_rate_at ? s->phase.phase_rate_at(s, t) : s->phase.phase_rate, two = 4*w*cos(2*theta), three = 4*w*cos(3*theta);
  f[0] = -6*sin(q[0]) - 2*(q[0] - q[1]) + two*3*cos(q[0]) + three*sin(q[1]);
  f[1] = -4*sin(q[1]) + 2*(q[0] - q[1]) - (q[1] - q[2]) + two*sin(q[2]) + three*2*cos(q[1]);
  f[2] = -3*sin(q[2]) + (q[1] - q[2]) + two*cos(q[0] + q[1]) - three*q[2];
  return 0;
}

/* linear, and quadratic with the speed: the fast velocity has a mean effect too */
static int velocity_force(epi_system *s, double t, const double *q, const double *v, double *f)
{
  (void)s, (void)t, (void)q;
  double speed = sqrt(0.01 + v[0]*v[0] + v[1]*v[1] + v[2]*v[2]);
  for (int i = 0; i < N; i++) f[i] -= (0.3 + 0.2*speed)*v[i];
  return 0;
}

static double pace(epi_system *s, double t) { return *(double *)s->data*(1 + t/2); }

enum { STEADY, CHIRP, CASES };
static epi_system system_of(int which, double *w)
{
  epi_system m = {.nq = N, .phase.forced = shaken, .velocity_force = velocity_force, .inertia.mass_matrix = MASS, .data = w};
  if (which == CHIRP) m.phase.phase_rate_at = pace;
  else m.phase.phase_rate = *w;
  return m;
}

/* worst difference in q between the slow run and the filtered resolved one */
static double worst(int which, double w, const char *flow, double H)
{
  epi_system m = system_of(which, &w);
  epi_flow *fine = epi_make("dop853", &m), *filter = epi_make("dop853", &m), *slow = epi_make(flow, &m);
  double y[] = {0.7, -0.4, 0.5, 0, 0.3, 0}, Y[2*N], mean[2*N], h = 2*PI/w/36, e = 0;
  int wide = 8*36, bad = epi_error(slow) != NULL;
  epi_state s = {.y = y}, S = {.y = Y};
  bad |= filtered(filter, s, 2*N, wide, h, Y);
  for (int k = 1; k <= 4 && !bad; k++) {
    bad = epi_run(fine, &s, k/4.0, h) || filtered(filter, s, 2*N, wide, h, mean) || epi_run(slow, &S, k/4.0, H);
    for (int i = 0; i < N; i++) e = fmax(e, fabs(Y[i] - mean[i]));
  }
  if (!check_count(bad, 0)) printf("  %s: %s\n", flow, epi_error(slow));
  epi_free(fine);
  epi_free(filter);
  epi_free(slow);
  return e;
}

/* how far the fast motion matters at all: the same without it */
static double unaware(double w)
{
  epi_system m = system_of(STEADY, &w);
  double y[] = {0.7, -0.4, 0.5, 0, 0.3, 0}, Y[] = {0.7, -0.4, 0.5, 0, 0.3, 0}, e = 0;
  epi_flow *fine = epi_make("dop853", &m);
  epi_state s = {.y = y};
  check_count(epi_run(fine, &s, 1, 2*PI/w/36), 0);
  epi_free(fine);
  /* the shaking goes with its frequency */
  double none = 1e-300;
  epi_system still = system_of(STEADY, &none);
  epi_flow *f = epi_make("rk4", &still);
  epi_state S = {.y = Y};
  check_count(epi_run(f, &S, 1, 0.01), 0);
  epi_free(f);
  for (int i = 0; i < N; i++) e = fmax(e, fabs(y[i] - Y[i]));
  return e;
}

int main(void)
{
  static const char *const flow[] = {
    "rk4(hmm(rk4, start=current, steps=96))", "tolerance(dopri5(hmm(verlet, start=current, steps=256)), rtol=1e-6)",
    "leapfrog-predicted(hmm(rk4, start=current, steps=96))"
  };
  const double H[] = {1./40, 1./4, 1./400};
  double h[4], e[4];
  double without = unaware(1000);
  printf("without the shaking the end is off by %.2f\n", without);
  check_above(without, 0.1);
  for (int which = 0; which < CASES; which++)
    for (int k = 0; k < 3; k++) {
      printf("%-6s %-76s", which ? "chirp" : "steady", flow[k]);
      for (int i = 0; i < 4; i++) {
        double w = 250*pow(2, i);
        h[i] = 1/w;
        e[i] = worst(which, w, flow[k], H[k]);
        printf(" %.2e", e[i]);
      }
      printf("\n");
      check_order(4, h, e, 1, 0.15);
      check_below(e[3], 5e-4);
    }
  return test_done();
}
