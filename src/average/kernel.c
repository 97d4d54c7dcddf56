/* kernel.c - the smooth windows of an average: exp5 and box of the papers, Kaiser's, or the user's own */
#include "kernel.h"

/* the modified Bessel function I0, by its series */
static double bessel(double x)
{
  double sum = 1, term = 1;
  for (int k = 1; k < 300 && term > 1e-18*sum; k++) sum += term *= x*x/(4.0*k*k);
  return sum;
}

/* ---- the kernels: one line each; end: at the rim of the window ---- */
static double exp5(const epi_window_kernel *k, double x, int end) { (void)k; return end ? 0 : exp(5 + 5/(x*x - 1)); }
static double box(const epi_window_kernel *k, double x, int end) { (void)k, (void)x; return end ? 0.5 : 1; }
static double kaiser(const epi_window_kernel *k, double x, int end)
{
  (void)end;
  return bessel(k->shape*sqrt(1 - x*x))/bessel(k->shape);
}
static double own(const epi_window_kernel *k, double x, int end)
{
  double w = k->own.kernel(k->own.data, x);
  return end && !isfinite(w) ? 0 : w;
}

static const struct { double (*weight)(const epi_window_kernel *, double x, int end); double periods; int moments; } kernels[] = {
  {exp5, 40, 0}, {box, 1, 0}, {kaiser, 0, 1}, {own, 40, 0},
};
/* what stands after the last word is the user's own */
const char *const epi_kernel_words[] = {"exp5", "box", "kaiser", NULL};

int epi_kernel_moments(const epi_window_kernel *k) { return kernels[k->kind].moments; }

double epi_kernel_periods(const epi_window_kernel *k)
{
  return kernels[k->kind].periods > 0 ? kernels[k->kind].periods : epi_kaiser_periods(k->shape);
}

/* w times a polynomial in x^2 that makes the discrete moments of order 2, 4, ... vanish */
static int flatten(int m, double *w, int p)
{
  double A[16], b[4], M[12] = {0};
  for (int k = 0; k <= m; k++) {
    double x2 = (double)k*k/((double)m*m), power = k ? 2*w[k] : w[k];
    for (int j = 0; j <= 2*p; j++, power *= x2) M[j] += power;
  }
  /* 1 + c_1 x^2 + ... + c_p x^2p: sum over j of c_j M_(i+j) = -M_i for i = 1 .. p */
  for (int i = 1; i <= p; i++) {
    b[i-1] = -M[i];
    for (int j = 1; j <= p; j++) A[(i-1)*p + j-1] = M[i+j];
  }
  if (p && epi_solve(p, A, b)) return -1;
  for (int k = 0; k <= m; k++) {
    double x2 = (double)k*k/((double)m*m), c = 0;
    for (int j = p; j >= 1; j--) c = x2*(c + b[j-1]);
    w[k] *= 1 + c;
  }
  return 0;
}

int epi_kernel_weights(const epi_window_kernel *k, int m, double *w)
{
  double total = 0;
  for (int i = 0; i <= m; i++) w[i] = kernels[k->kind].weight(k, (double)i/m, i == m);
  if (flatten(m, w, k->moments)) return -1;
  for (int i = 0; i <= m; i++) total += i ? 2*w[i] : w[i];
  if (!(fabs(total) > 0) || !isfinite(total)) return -1;
  for (int i = 0; i <= m; i++) w[i] /= total;
  return 0;
}

double epi_kernel_leak(int m, const double *w, double steps)
{
  double sum = w[0];
  for (int k = 1; k <= m; k++) sum += 2*w[k]*cos(2*EPI_PI*fmod(k, steps)/steps);
  /* what rounding leaves of a perfect zero is no leak */
  return fabs(sum) < 4e-16*sqrt(m + 1.0) ? 0 : fabs(sum);
}

/* beyond its main lobe a Kaiser window of shape b lets through about b/sinh(b); a vanishing moment costs a factor of ten */
double epi_kaiser_shape(double leak)
{
  double b = 1;
  while (b < 36 && 10*b/sinh(b) > leak) b += 0.25;
  return b;
}

/* the main lobe ends at sqrt(b^2 + pi^2) radians a half window; a quarter more for the flattened one */
double epi_kaiser_periods(double shape) { return 2*ceil(1.25*sqrt(shape*shape + EPI_PI*EPI_PI)/(2*EPI_PI)); }
