/* holds: three hard springs near level crossings meet their tolerance by the slow part or all of the motion
 * stiff-three.c - three hard springs with gravity to a tolerance, the nearer to a crossing of two modes the smaller c12: the slow part
 * where that is good enough, or all of the motion; true errors
 * label: soak
 * timeout: 3600 */
#include "stiffs.h"

enum { W, C12 };
static const epi_param PARAMS[] = {
  [W] = {.name = "w", .value = 1000, .doc = "fast frequency"},
  [C12] = {.name = "c12", .value = 0.9, .doc = "cosine between two springs"}, {0}
};

static int three(epi_system *s, double t, const double *q, double *f)
{
  double w = ((const double *)s->data)[W], x = 0, y = 0;
  (void)t;
  for (int i = 0; i < 3; i++) {
    double dx = q[2*i] - x, dy = q[2*i + 1] - y, r = sqrt(dx*dx + dy*dy), pull = -w*w*(r - 1)/r;
    f[2*i] = pull*dx;
    f[2*i + 1] = pull*dy - 1;
    if (i) f[2*i - 2] -= pull*dx, f[2*i - 1] -= pull*dy;
    x = q[2*i], y = q[2*i + 1];
  }
  return 0;
}

static int make_three(epi_case *c)
{
  static const double turn[] = {-0.2, -0.2, -1.2}, stretch[] = {0.5, 1.5, 1.5};
  double a[3] = {-0.5*PI - 0.5}, x = 0, y = 0, vx = 0, vy = 0;
  c->system = (epi_system){.nq = 6, .force = three, .data = c->p};
  if (epi_case_start(c)) return -1;
  a[1] = a[0] + acos(c->p[C12]);
  a[2] = a[1] - 1;
  for (int i = 0; i < 3; i++) {
    double r = 1 + stretch[i]/c->p[W];
    x += r*cos(a[i]), y += r*sin(a[i]), vx -= turn[i]*sin(a[i]), vy += turn[i]*cos(a[i]);
    c->y[2*i] = x, c->y[2*i + 1] = y, c->y[6 + 2*i] = vx, c->y[7 + 2*i] = vy;
  }
  return 0;
}
static const epi_model three_springs = {.name = "three-springs", .doc = "", .params = PARAMS, .make = make_three, .flow = "verlet",
                                        .step = 1e-4, .end = 3};

int main(void)
{
  static const double w[] = {500, 2000, 8000, 32000}, c12[] = {0.9, 0.5, 0.3, 0.03};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) {
      char text[40];
      truth t;
      snprintf(text, sizeof text, "(w=%g, c12=%g)", w[i], c12[j]);
      epi_case *c = epi_case_of(&three_springs, text);
      epi_chosen a = {.tol = 0.1, .end = 3, .motion = EPI_SLOW};
      if (epi_choose(c, &a)) printf("three springs, w = %g, c12 = %g: %s\n", w[i], c12[j], a.error);
      else {
        check_count(true_rows(c, 3, a.slow_part, 1.2*w[i], &t), 0);
        double e = off_by(c, a.flow, 3, &t);
        printf("three springs, w = %g, c12 = %g: %s, %.2g off, said %.2g, positions by %.2g; %.3g evaluations; %s\n", w[i], c12[j],
               a.slow_part ? "slow" : "full", e, a.found, positions_off(c, a.flow, 3, &t), a.way[0].calls, a.flow);
        fflush(stdout);
        check_below(e, 3*a.tol);
        if (a.slow_part) check_below(a.way[0].calls, 1.5*3100);
      }
      epi_case_free(c);
    }
  return test_done();
}
