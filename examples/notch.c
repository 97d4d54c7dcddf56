/* notch.c - seven forces instead of some dozens or hundreds: two masses on two springs, the second of which is hard. It has one fast
 * oscillation; the notch finds its rate from the force, and takes three steps of verlet for its period, which then cancels exactly */
#include <epicycle.h>
#include <math.h>

static long run(double w, const char *flow, double h, double *y)
{
  char model[64];
  snprintf(model, sizeof model, "stiff-springs(w2=%g)", w);
  epi_case *c = epi_case_make(model);
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  if (epi_run(f, &s, 10, h)) puts(epi_error(f));
  for (int i = 0; i < 4; i++) y[i] = s.y[i];
  long calls = epi_calls(f);
  epi_free(f);
  epi_case_free(c);
  return calls;
}

static double apart(const double *a, const double *b)
{
  double x = 0;
  for (int i = 0; i < 4; i++) x = fmax(x, fabs(a[i] - b[i]));
  return x;
}

int main(void)
{
  double y[4], a[4], b[4];
  puts("      w2   resolved off by  forces   kaiser off by  forces   notch off by  forces");
  for (double w = 500; w < 6000; w *= 3) {
    run(w, "symmetric(verlet, order=8)", 2*3.14159265358979323846/w/16, y);
    double x[4];
    long direct = run(w, "verlet", 2*3.14159265358979323846/w/12, x);
    long kaiser = run(w, "project(tolerance(dopri5(hmm(verlet, steps=12, start=current)), rtol=1e-6))", 10, a);
    long notch = run(w, "project(tolerance(dopri5(hmm(verlet, kernel=notch, start=current)), rtol=1e-6))", 10, b);
    printf("%8g %17.0e %7ld %15.0e %7ld %14.0e %7ld\n", w, apart(x, y), direct, apart(a, y), kaiser, apart(b, y), notch);
  }
  return 0;
}
