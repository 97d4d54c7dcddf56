/* kernel.c - the smooth windows of an average: exp and box of the papers, Kaiser's, boxes after boxes, or the user's own */
#include "kernel.h"

/* the modified Bessel function I0, by its series */
static double bessel(double x)
{
  double sum = 1, term = 1;
  for (int k = 1; k < 300 && term > 1e-18*sum; k++) sum += term *= x*x/(4.0*k*k);
  return sum;
}

/* ---- the kernels: one line each; end: at the rim of the window ---- */
static double exponential(const epi_window_kernel *k, double x, int end)
{
  return end ? 0 : exp(k->exponent + k->exponent/(x*x - 1));
}
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

/* boxes and notch are sums, and their length follows from their steps */
static const struct { double (*weight)(const epi_window_kernel *, double x, int end); double periods; int moments; } kernels[] = {
  {exponential, 40, 0}, {box, 1, 0}, {NULL, 0, 1}, {NULL, 0, 1}, {kaiser, 0, 1}, {exponential, 40, 0}, {own, 40, 0},
};
/* what stands after the last word is the user's own */
const char *const epi_kernel_words[] = {"exp5", "box", "boxes", "notch", "kaiser", "exp", NULL};

int epi_kernel_moments(const epi_window_kernel *k) { return kernels[k->kind].moments; }

int epi_kernel_boxes(const epi_window_kernel *k) { return k->kind == EPI_KERNEL_BOXES ? 4 : k->kind == EPI_KERNEL_NOTCH ? 2 : 0; }

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

/* ---- boxes of one period each, one after the other ---- */
double epi_boxes_half(const epi_window_kernel *k) { return 0.5*k->boxes*(k->steps - 1) + k->moments; }

/* y = the box of n points over x, both of length `all`, about the same middle where n is odd; where it is even half a step earlier, or
   later. x is used up; it is zero but from *low on and up to *high, which become those of y */
static void smear(int all, double *x, int n, int later, double *y, int *low, int *high)
{
  const int before = (n - 1)/2 + (n % 2 == 0 && later);
  for (int i = *low; i <= *high; i++) x[i] /= n;
  for (int i = 0; i < all; i++) {
    const int first = i - before > *low ? i - before : *low, end = i - before + n <= *high ? i - before + n : *high + 1;
    double sum = 0;
    for (int j = first; j < end; j++) sum += x[j];
    y[i] = sum;
  }
  *low = *low + before - n + 1 > 0 ? *low + before - n + 1 : 0;
  *high = *high + before < all ? *high + before : all - 1;
}

/* x'' of the lattice */
static void bend(int all, const double *x, double *y)
{
  for (int i = 0; i < all; i++) y[i] = (i ? x[i-1] : 0) - 2*x[i] + (i < all - 1 ? x[i+1] : 0);
}

static double moment(int m, const double *x, int power)
{
  double sum = 0;
  for (int i = -m; i <= m; i++) {
    double u = x[m + i];
    for (int k = 0; k < power; k++) u *= (double)i/m;
    sum += u;
  }
  return sum;
}

/* k + c_1 D^2 k + c_2 D^4 k + ... keeps every zero of k: c for moments that vanish, up to the one of order 2p. row: k, D^2 k, ... */
static int straighten(int m, int p, double *row)
{
  int all = 2*m + 1;
  double A[16], c[4];
  for (int j = 1; j <= p; j++) bend(all, row + (j-1)*all, row + j*all);
  for (int i = 0; i < p; i++) {
    c[i] = -moment(m, row, 2*i + 2);
    for (int j = 0; j < p; j++) A[i*p + j] = moment(m, row + (j+1)*all, 2*i + 2);
  }
  if (p && epi_solve(p, A, c)) return -1;
  for (int i = 0; i < all; i++) for (int j = 0; j < p; j++) row[i] += c[j]*row[(j+1)*all + i];
  return 0;
}

static int boxes_weights(const epi_window_kernel *k, int m, double *w)
{
  int all = 2*m + 1;
  double *row = epi_zeros((size_t)all*(size_t)(k->moments + 2), sizeof *row);
  double *next = row ? row + (size_t)all*(size_t)(k->moments + 1) : NULL;
  if (!row) return EPI_KERNEL_NO_MEMORY;
  int low = m, high = m;
  row[m] = 1;
  for (int b = 0; b < k->boxes; b++) {
    smear(all, row, k->steps, b % 2, next, &low, &high);
    memcpy(row, next, (size_t)all*sizeof *row);
  }
  int bad = straighten(m, k->moments, row);
  /* even to the last bit */
  for (int i = 0; i <= m; i++) w[i] = 0.5*(row[m + i] + row[m - i]);
  free(row);
  return bad;
}

static int shape(const epi_window_kernel *k, int m, double *w)
{
  if (k->boxes) return boxes_weights(k, m, w);
  for (int i = 0; i <= m; i++) w[i] = kernels[k->kind].weight(k, (double)i/m, i == m);
  return flatten(m, w, k->moments);
}

int epi_kernel_weights(const epi_window_kernel *k, int m, double *w)
{
  double total = 0;
  int bad = shape(k, m, w);
  if (bad) return bad;
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
