/* mode.c - the fastest oscillation of a stiff system about a position: power iteration on differences of the acceleration. It begins with
 * the same vector every time, so that it is a function of the position alone; the gap between fast and slow makes it short.
 * Golub & Van Loan, Matrix Computations, 4th ed. (2013), 7.3 */
#include "mode.h"

enum { MOST = 12 };

static double dot(int n, const double *x, const double *y)
{
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i]*y[i];
  return s;
}

static double largest(int n, const double *x)
{
  double most = 0;
  for (int i = 0; i < n; i++) if (fabs(x[i]) > most) most = fabs(x[i]);
  return most;
}

/* how hard a displacement along e is pulled back: out = -da/dq e */
static int pull(const epi_mode_question *a, const double *e, double *out)
{
  int n = epi_nv(a->of->sys), bad;
  double *x = a->work, *back = x + n, size = largest(n, a->q), d = 1e-6*(size > 0 ? size : 1)/largest(n, e);
  for (int side = 1; side >= -1; side -= 2) {
    for (int i = 0; i < n; i++) x[i] = a->q[i] + side*d*e[i];
    if ((bad = epi_accel(a->of, a->t, 0, x, side > 0 ? out : back))) return bad;
  }
  for (int i = 0; i < n; i++) out[i] = (back[i] - out[i])/(2*d);
  return 0;
}

static double normalise(int n, double *x)
{
  double norm = sqrt(dot(n, x, x));
  for (int i = 0; i < n && norm > 0; i++) x[i] /= norm;
  return norm;
}

static void begin(int n, double *e)
{
  for (int i = 0; i < n; i++) e[i] = sin(1 + 12.9898*i) + 0.1*cos(3.1*i);
  normalise(n, e);
}

static double rate_of(double square) { return square > 0 ? sqrt(square) : 0; }

double epi_mode_fastest(const epi_mode_question *a, int *alone)
{
  int n = epi_nv(a->of->sys);
  double *e = a->work + 2*n, *g = e + n, square = 0, last = 0;
  begin(n, e);
  *alone = 1;
  for (int k = 0; k < MOST; k++) {
    if (pull(a, e, g)) return NAN;
    square = dot(n, e, g);
    memcpy(e, g, (size_t)n*sizeof *e);
    if (!(normalise(n, e) > 0)) return 0;
    if (n == 1 || (k && fabs(square - last) <= 1e-9*fabs(square))) return rate_of(square);
    last = square;
  }
  *alone = 0;
  return rate_of(square);
}

/* what is left of any vector when the fastest mode is taken out of it, as often as it is made */
double epi_mode_next(const epi_mode_question *a, double fastest, int rounds)
{
  int n = epi_nv(a->of->sys);
  double *e = a->work + 2*n, *g = e + n, *x = g + n, square = 0, most = fastest*fastest;
  if (n == 1) return 0;
  begin(n, e);
  for (int k = 0; k < 2*rounds; k++) {
    if (pull(a, e, g)) return NAN;
    square = dot(n, e, g);
    for (int i = 0; i < n; i++) x[i] = k % 2 ? g[i] : g[i] - most*e[i];
    if (!(normalise(n, x) > 0)) return 0;
    memcpy(e, x, (size_t)n*sizeof *e);
  }
  return rate_of(square);
}
