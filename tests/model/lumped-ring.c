/* holds: a ring of point masses has the eigenfrequencies of the discrete ring, near those of the continuum
 * lumped-ring.c - a ring of steel as point masses, with links that stretch and angles between them that bend: frequencies of free
 * vibration against the eigenvalues of the discrete ring, and both against the modes of a ring that bends without stretch */
#include "epicycle.h"
#include "test.h"

static const double PI = 3.14159265358979323846;
enum { MOST = 48, LOWEST = 2, HIGHEST = 6, WAVES = HIGHEST + 1 };
static const double E = 207e9, RHO = 7800, B = 16e-3, T = 4e-3, R = 28.9e-3;

typedef struct { int n; double m, L, EA, EI, turn; } ring;

static ring ring_of(int n)
{
  ring r = {.n = n, .m = RHO*B*T*2*PI*R/n, .L = 2*R*sin(PI/n), .EA = E*B*T, .EI = E*B*T*T*T/12, .turn = 2*PI/n};
  return r;
}

/* links a = q_k+1 - q_k of length l: pull EA (l - L)/L along them; at every corner a moment EI/L times what the angle between two links
   has changed by, as forces across them */
static int force(epi_system *s, double t, const double *q, double *f)
{
  const ring *r = s->data;
  double a[MOST][2], l[MOST];
  (void)t;
  memset(f, 0, 2*(size_t)r->n*sizeof *f);
  for (int k = 0; k < r->n; k++) {
    int next = (k + 1) % r->n;
    for (int x = 0; x < 2; x++) a[k][x] = q[2*next + x] - q[2*k + x];
    l[k] = hypot(a[k][0], a[k][1]);
    double pull = r->EA*(l[k] - r->L)/r->L/l[k];
    for (int x = 0; x < 2; x++) { f[2*k + x] += pull*a[k][x]; f[2*next + x] -= pull*a[k][x]; }
  }
  for (int k = 0; k < r->n; k++) {
    int before = (k + r->n - 1) % r->n, next = (k + 1) % r->n;
    const double *p = a[before], *o = a[k];
    double angle = atan2(p[0]*o[1] - p[1]*o[0], p[0]*o[0] + p[1]*o[1]), M = r->EI/r->L*(angle - r->turn);
    /* d angle/d a = (-y, x)/l^2 of the second link, less that of the first */
    for (int x = 0; x < 2; x++) {
      double d1 = (x ? o[0] : -o[1])/(l[k]*l[k]), d0 = (x ? p[0] : -p[1])/(l[before]*l[before]);
      f[2*next + x] -= M*d1;
      f[2*k + x] += M*(d1 + d0);
      f[2*before + x] -= M*d0;
    }
  }
  return 0;
}

/* lower root of the two by two problem of n waves, U sin na along and W cos na outwards; and its direction */
static double root(const ring *r, int n, double *U, double *W)
{
  double g = PI/r->n, s[] = {2*sin(n*g)*cos(g), 2*cos(n*g)*sin(g)}, k = -2*sin(n*g)/r->L, b[] = {k*2*cos(n*g)*sin(g), k*2*sin(n*g)*cos(g)};
  double A = r->EA/r->L, C = r->EI/r->L, K[2][2];
  for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) K[i][j] = (A*s[i]*s[j] + C*b[i]*b[j])/r->m;
  double half = 0.5*(K[0][0] + K[1][1]), det = K[0][0]*K[1][1] - K[0][1]*K[1][0], up = half + sqrt(half*half - det), low = det/up;
  double x = K[0][1], y = low - K[0][0], size = hypot(x, y);
  *U = x/size;
  *W = y/size;
  return sqrt(low);
}

static void free_ring(int n, const double *want)
{
  ring r = ring_of(n);
  double mass[2*MOST], y[4*MOST], shape[WAVES][2*MOST], w[WAVES], h = 4e-7;
  struct { double first, last, before; int count; } z[WAVES] = {0};
  epi_system s = {.nq = 2*n, .mass = mass, .force = force, .data = &r};
  memset(y, 0, sizeof y);
  for (int k = 0; k < n; k++) {
    double a = 2*PI*k/n, er[] = {cos(a), sin(a)};
    for (int x = 0; x < 2; x++) { mass[2*k + x] = r.m; y[2*k + x] = R*er[x]; }
  }
  for (int i = LOWEST; i <= HIGHEST; i++) {
    double U, W;
    w[i] = root(&r, i, &U, &W);
    check_abs(w[i]/(2*PI), want[i - LOWEST], 0.6e-4);
    for (int k = 0; k < n; k++) {
      double a = 2*PI*k/n, u = U*sin(i*a), v = W*cos(i*a);
      shape[i][2*k] = v*cos(a) - u*sin(a);
      shape[i][2*k + 1] = v*sin(a) + u*cos(a);
      for (int x = 0; x < 2; x++) y[2*n + 2*k + x] += 1e-4*shape[i][2*k + x];
    }
  }
  epi_flow *f = epi_make("rk4", &s);
  epi_state at = {.y = y};
  for (int j = 0; j < 20000; j++) {
    if (epi_advance(f, &at, h, 1)) test_stop(epi_error(f));
    for (int i = LOWEST; i <= HIGHEST; i++) {
      double e = 0, v = 0;
      for (int k = 0; k < n; k++)
        for (int x = 0; x < 2; x++) {
          e += shape[i][2*k + x]*(y[2*k + x] - R*(x ? sin(2*PI*k/n) : cos(2*PI*k/n)));
          v += shape[i][2*k + x]*y[2*n + 2*k + x];
        }
      if (j && e*z[i].before <= 0) {
        double t = at.t + remainder(atan2(-e, v/w[i]), PI)/w[i];
        if (!z[i].count++) z[i].first = t;
        z[i].last = t;
      }
      z[i].before = e;
    }
  }
  for (int i = LOWEST; i <= HIGHEST; i++) {
    double got = 0.5*(z[i].count - 1)/(z[i].last - z[i].first), thin = sqrt(r.EI/(RHO*B*T*R*R*R*R))*i*(i*i - 1)/sqrt(i*i + 1.0)/(2*PI);
    printf("%d masses, %d waves: %.4f Hz, by eigenvalues %.4f, without stretch %.4f\n", n, i, got, w[i]/(2*PI), thin);
    check_rel(got, w[i]/(2*PI), 2e-6);
    check_below(got, thin);
  }
  epi_free(f);
}

int main(void)
{
  free_ring(24, (const double[]){2998.2845, 8245.4765, 15186.3900, 23304.4942, 32034.5239});
  free_ring(48, (const double[]){3026.0982, 8496.1903, 16126.8538, 25745.4845, 37175.6707});
  return test_done();
}
