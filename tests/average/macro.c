/* holds: every macro method shows its order on every average, and the limit is the averaged equation to O(1/w)
 * macro.c - every macro method on every average of every micro flow: the order of the macro method shows, and the limit is the averaged
 * equation to O(1/w); the slow map is reversible and symplectic where the papers say so, and how far it is not
 * label: slow */
#include "averages.h"

/* %s is the average */
static const struct { const char *text; double order; } MACRO[] = {
  {"verlet(%s)", 2}, {"midpoint(%s)", 2}, {"leapfrog-predicted(%s)", 2}, {"symmetric(verlet(%s))", 4}, {"rk4(%s)", 4}, {"gauss(%s)", 4},
  {"dopri5(%s)", 5}
};
static const struct { const char *text; double swell; } MICRO[] = {
  {"verlet", 1}, {"strang(drift, kick)", 1}, {"symmetric(verlet)", 0}, {"rk4", 0}, {"tolerance(dopri5, rtol=1e-12, atol=1e-15)", 0}
};
static const char *const KERNEL[] = {"kernel=exp5, periods=40", "kernel=box", "kernel=kaiser"};
enum { MACROS = sizeof MACRO/sizeof *MACRO, MICROS = sizeof MICRO/sizeof *MICRO, KERNELS = sizeof KERNEL/sizeof *KERNEL };

static const double T = 0.2;

static int run(const char *macro, const char *average, double H, double *y)
{
  char flow[512];
  snprintf(flow, sizeof flow, macro, average);
  return run_model("inverted-pendulum(w=1e6)", flow, T, H, y);
}

/* the averaged equation, with the swelling (x/sin x)^2 that verlet's swing has */
static int averaged_force(epi_system *s, double t, const double *q, double *f)
{
  (void)t;
  f[0] = G*sin(q[0]) - *(double *)s->data*X*X/2*sin(q[0])*cos(q[0]);
  return 0;
}

static void averaged(double swell, double *y)
{
  epi_system m = {.nq = 1, .force = averaged_force, .data = &swell};
  epi_flow *f = epi_make("symmetric(verlet, order=8)", &m);
  y[0] = 0.5;
  y[1] = 0;
  epi_state s = {.y = y};
  check_count(epi_run(f, &s, T, T/200), 0);
  epi_free(f);
}

/* a macro method meets its order at 4, 8, 16 steps; the limit is one for all of them */
static void cross(int micro, int kernel)
{
  char average[256];
  double limit[2], truth[2], h[3], e[3];
  snprintf(average, sizeof average, "hmm(%s, %s)", MICRO[micro].text, KERNEL[kernel]);
  check_count(run("dop853(%s)", average, T/16, limit), 0);
  averaged(MICRO[micro].swell ? pow(PI/32/sin(PI/32), 2) : 1, truth);
  /* 32 micro-steps of order 4 leave 8e-4 of 200; 1/w, times what the force makes of it, less */
  if (!check_abs(limit[0], truth[0], 3e-5)) printf("  %s\n", average);
  printf("%-78s %8.1e from the averaged equation; orders", average, limit[0] - truth[0]);
  for (int m = 0; m < MACROS; m++) {
    for (int i = 0; i < 3; i++) {
      double y[2];
      h[i] = T/(4 << i);
      check_count(run(MACRO[m].text, average, h[i], y), 0);
      e[i] = hypot(y[0] - limit[0], (y[1] - limit[1])/10);
    }
    double slope = test_slope(2, h + 1, e + 1);
    printf(" %.2f", slope);
    /* the fifth order is nearer to six on this problem, leapfrog-predicted above two: coarse steps */
    if (!check_between(slope, MACRO[m].order - 0.15, MACRO[m].order + (m == 6 ? 0.7 : 0.3)))
      printf("  %s of %s: %g %g %g\n", MACRO[m].text, average, e[0], e[1], e[2]);
  }
  printf("\n");
}

/* ---- there, turn round, and back ---- */
static double there_and_back(const char *flow, double w, long n)
{
  char model[64];
  snprintf(model, sizeof model, "inverted-pendulum(w=%g, v0=1.5)", w);
  epi_case *c = epi_case_make(model);
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  double q = s.y[0], v = s.y[1];
  check_count(epi_advance(f, &s, 1.0/40, n), 0);
  s.y[1] = -s.y[1];
  check_count(epi_advance(f, &s, 1.0/40, n), 0);
  double miss = hypot(s.y[0] - q, s.y[1] + v);
  epi_free(f);
  epi_case_free(c);
  return miss;
}

/* round-off of an averaged force: the micro velocities have eps |v|, and the force is their differences divided by h */
static void reversible(void)
{
  static const struct { const char *text; int holds; } rows[] = {
    {"verlet(hmm(verlet))", 1}, {"verlet(hmm(verlet, kernel=exp5, even=1))", 1}, {"verlet(hmm(rk4, kernel=box))", 1},
    {"symmetric(verlet(hmm(verlet, kernel=box, even=1)))", 1}, {"verlet(hmm(verlet, theta0=1))", 1}, {"rk4(hmm(verlet))", 0}
  };
  for (size_t i = 0; i < sizeof rows/sizeof *rows; i++)
    for (double w = 1e4; w < 2e6; w *= 10) {
      double miss = there_and_back(rows[i].text, w, 40);
      if (!(rows[i].holds ? check_below(miss, 3e-15*w) : check_above(miss, 1e-6))) printf("  %s at w = %g\n", rows[i].text, w);
      if (w == 1e6) printf("%-56s 40 steps there and back: %.1e\n", rows[i].text, miss);
    }
}

/* ---- area: the determinant of the tangent map, by differences of order 8 ---- */
static double determinant(const char *flow, double H, long n)
{
  static const double c[] = {4./5, -1./5, 4./105, -1./280};
  const double d = 0.02;
  double D[2][2] = {{0}};
  for (int j = 0; j < 2; j++)
    for (int k = 1; k <= 4; k++)
      for (int sign = -1; sign <= 1; sign += 2) {
        epi_case *cs = epi_case_make("inverted-pendulum(w=1e4, q0=0.4, v0=0.7)");
        epi_flow *f = epi_case_flow(cs, flow);
        epi_state s = epi_case_state(cs);
        s.y[j] += sign*k*d;
        check_count(epi_advance(f, &s, H, n), 0);
        for (int i = 0; i < 2; i++) D[i][j] += sign*c[k-1]*s.y[i]/d;
        epi_free(f);
        epi_case_free(cs);
      }
  return D[0][0]*D[1][1] - D[0][1]*D[1][0];
}

static void area(void)
{
  static const char *const kept[] = {
    "verlet(hmm(verlet))", "verlet(hmm(verlet, kernel=exp5, even=1))", "symmetric(verlet(hmm(rk4, kernel=box)))"
  };
  for (int i = 0; i < 3; i++) {
    double d = determinant(kept[i], 0.02, 3);
    printf("%-56s area - 1 after 3 steps: %.1e\n", kept[i], d - 1);
    check_abs(d, 1, 1e-9);
  }
  check_above(fabs(determinant("rk4(hmm(verlet))", 0.02, 3) - 1), 1e-6);
}

/* ---- two degrees of freedom: f = -grad V + w cos(theta) grad A is a gradient at every instant; its average is one only in the limit.
   From rest at phase 0 the run swings about Q + grad A/w, so the slow force is -grad U(Q + grad A/w), U = V + |grad A|^2/4, and
   d1 F2 - d2 F1 = (U_1j A_j2 - U_2j A_j1)/w: the second derivatives of U and A do not commute */
static int gradient_forced(epi_system *s, double t, double theta, const double *q, double *f)
{
  (void)t;
  double c = s->phase.phase_rate*cos(theta), x = sin(q[0] + 2*q[1]);
  f[0] = -4*q[0] - q[0]*q[1] + c*(2*cos(q[0]) - x);
  f[1] = -9*q[1] - q[0]*q[0]/2 + c*(-2*x);
  return 0;
}

/* V = 2 q1^2 + 4.5 q2^2 + q1^2 q2/2, A = 2 sin q1 + cos(q1 + 2 q2) */
static double curl_predicted(double w, const double *q)
{
  double s = sin(q[0] + 2*q[1]), c = cos(q[0] + 2*q[1]), A1 = 2*cos(q[0]) - s, A2 = -2*s;
  double A11 = -2*sin(q[0]) - c, A12 = -2*c, A22 = -4*c;
  double A111 = -2*cos(q[0]) + s, A112 = 2*s, A122 = 4*s, A222 = 8*s;
  /* U_jk = V_jk + (A_ij A_ik + A_i A_ijk)/2 */
  double U11 = 4 + q[1] + (A11*A11 + A12*A12 + A1*A111 + A2*A112)/2;
  double U12 = q[0] + (A11*A12 + A12*A22 + A1*A112 + A2*A122)/2;
  double U22 = 9 + (A12*A12 + A22*A22 + A1*A122 + A2*A222)/2;
  return (U11*A12 + U12*A22 - U12*A11 - U22*A12)/w;
}

static double curl(double w, const double *q)
{
  epi_system m = {.nq = 2, .phase = {.forced = gradient_forced, .phase_rate = w}};
  epi_name names[] = {{.name = "model", .system = &m}, {0}};
  const double d = 0.01;
  double sum = 0;
  for (int j = 0; j < 2; j++)
    for (int k = 1; k <= 4; k++)
      for (int sign = -1; sign <= 1; sign += 2) {
        static const double c[] = {4./5, -1./5, 4./105, -1./280};
        double y[4] = {q[0], q[1]}, a[2];
        y[j] += sign*k*d;
        check_count(slow_force("hmm(symmetric(verlet, order=8))", names, 0, 2, y, a), 0);
        sum += (j ? -1 : 1)*sign*c[k-1]*a[!j]/d;
      }
  return sum;
}

static void not_a_gradient(void)
{
  const double q[] = {0.4, -0.3};
  double h[3], e[3];
  for (int i = 0; i < 3; i++) {
    double w = pow(10, 2 + i);
    h[i] = 1/w;
    e[i] = curl(w, q);
    printf("w = %5g: curl of the averaged force %.3e, to first order in 1/w %.3e\n", w, e[i], curl_predicted(w, q));
    check_rel(e[i], curl_predicted(w, q), 20/w);
  }
  check_order(3, h, e, 1, 0.02);
}

static void first_claims(void *data, const epi_info *i) { if (i->depth == 0) *(unsigned *)data = i->claims; }

/* and the library claims no more */
static void claims(void)
{
  epi_system one = {.nq = 1, .phase = {.forced = gradient_forced, .phase_rate = 1e3}}, two = {.nq = 2,
                                                                                              .phase = {.forced = gradient_forced,
                                                                                                        .phase_rate = 1e3}};
  epi_system *m[] = {&one, &two};
  for (int i = 0; i < 2; i++) {
    unsigned c = 0;
    epi_flow *f = epi_make("verlet(hmm(verlet))", m[i]);
    epi_walk(f, first_claims, &c);
    check((c & EPI_SYMPLECTIC) ? i == 0 : i == 1);
    check(c & EPI_REVERSIBLE);
    epi_free(f);
  }
}

int main(void)
{
  for (int m = 0; m < MICROS; m++) for (int k = 0; k < KERNELS; k++) cross(m, k);
  reversible();
  area();
  not_a_gradient();
  claims();
  return test_done();
}
