/* valleys.h - chains of stiff springs in the plane, followed slowly and directly: the direct run is of order 8 and filtered */
#ifndef VALLEYS_H
#define VALLEYS_H
#include "epicycle.h"
#include "test.h"

#define PI 3.14159265358979323846
enum { MASSES = 3, ROWS = 64 };

/* unit springs of constants k from the origin, masses at their ends, gravity along -y; q is scaled by `scale`, so that masses differ */
typedef struct { int n; double k[MASSES], g, scale[2*MASSES]; long calls; } chain;

static int chain_force(epi_system *s, double t, const double *q, double *f)
{
  chain *c = s->data;
  double x = 0, y = 0;
  (void)t;
  c->calls++;
  for (int i = 0; i < c->n; i++) {
    double dx = q[2*i]*c->scale[2*i] - x, dy = q[2*i + 1]*c->scale[2*i + 1] - y, r = sqrt(dx*dx + dy*dy), pull = -c->k[i]*(r - 1)/r;
    f[2*i] = pull*dx;
    f[2*i + 1] = pull*dy;
    if (i) f[2*i - 2] -= f[2*i], f[2*i - 1] -= f[2*i + 1];
    x += dx, y += dy;
  }
  for (int i = 0; i < c->n; i++) f[2*i + 1] -= c->g;
  for (int i = 0; i < 2*c->n; i++) f[i] *= c->scale[i];
  return 0;
}

static double chain_energy(epi_system *s, double t, const double *y)
{
  chain *c = s->data;
  double x = 0, z = 0, sum = 0;
  (void)t;
  for (int i = 0; i < c->n; i++) {
    double dx = y[2*i]*c->scale[2*i] - x, dz = y[2*i + 1]*c->scale[2*i + 1] - z, r = sqrt(dx*dx + dz*dz);
    x += dx, z += dz;
    sum += 0.5*c->k[i]*(r - 1)*(r - 1) + c->g*z;
  }
  for (int i = 0; i < 2*c->n; i++) sum += 0.5*pow(y[2*c->n + i]*c->scale[i], 2);
  return sum;
}

typedef struct { chain c; epi_system sys; double y[4*MASSES]; } valley;

static void valley_open(valley *v, int n)
{
  memset(v, 0, sizeof *v);
  v->c.n = n;
  for (int i = 0; i < 2*MASSES; i++) v->c.scale[i] = 1;
  v->sys = (epi_system){.nq = 2*n, .force = chain_force, .energy = chain_energy, .data = &v->c};
}

/* the cases of the paper: 1, the second spring stiff; 3, both */
static __attribute__((unused)) valley stiff_springs(int which, double w)
{
  const double start[] = {1, 0, 2 + 1/w, 0, 0.5, -0.5, -0.5, 0.5};
  valley v;
  valley_open(&v, 2);
  v.c.k[0] = which == 1 ? 1 : w*w;
  v.c.k[1] = w*w;
  memcpy(v.y, start, sizeof start);
  return v;
}

/* ---- outputs at every, 2 every, ... ---- */
typedef struct { int n, rows; double q[ROWS][2*MASSES]; long calls; double energy[ROWS]; int warned; char warning[320], error[320]; } track;

static int row(void *data, const epi_system *s, epi_state *at)
{
  track *r = data;
  if (r->rows >= ROWS) return 0;
  memcpy(r->q[r->rows], at->y, (size_t)r->n*sizeof(double));
  r->energy[r->rows++] = s->energy ? s->energy((epi_system *)s, at->t, at->y) : 0;
  return 0;
}

/* %s of the text is the place of the watch; steps of h, or one span where h is 0 */
static track follow(const valley *from, const char *text, double every, int rows, double h)
{
  valley v = *from;
  track r = {.n = v.sys.nq};
  char flow[256];
  v.sys.data = &v.c;
  epi_name names[] = {{.name = "model", .system = &v.sys}, {.name = "row", .see = row, .data = &r}, {0}};
  snprintf(flow, sizeof flow, text, every);
  epi_flow *f = epi_make_named(flow, names);
  epi_state s = {.y = v.y};
  v.c.calls = 0;
  if (epi_run(f, &s, every*rows, h > 0 ? h : every*rows)) snprintf(r.error, sizeof r.error, "%s", epi_error(f));
  r.calls = v.c.calls;
  r.warned = epi_warning(f, 0) != NULL;
  snprintf(r.warning, sizeof r.warning, "%s", r.warned ? epi_warning(f, 0) : "");
  epi_free(f);
  return r;
}
#define WATCH "see=row, every=%.17g"

/* ---- the direct run, averaged over seven periods of the slowest stiff mode to either side, without a second moment ---- */
static double bessel(double x)
{
  double sum = 1, term = 1;
  for (int k = 1; term > 1e-18*sum; k++) sum += term *= x*x/(4.0*k*k);
  return sum;
}

static void filtered(const valley *from, double slowest, double fastest, double every, int rows, track *out)
{
  valley v = *from;
  double W = 7*2*PI/slowest, h = 2*PI/fastest/12;
  static double sum[ROWS][3][2*MASSES], w[ROWS][3];
  v.sys.data = &v.c;
  memset(sum, 0, sizeof sum);
  memset(w, 0, sizeof w);
  epi_flow *f = epi_make("symmetric(verlet, order=8)", &v.sys);
  epi_state s = {.y = v.y};
  while (s.t < every*rows + W) {
    int k = (int)lround(s.t/every) - 1;
    double x = k >= 0 && k < rows ? (s.t - every*(k + 1))/W : 2, a = fabs(x) < 1 ? bessel(30*sqrt(1 - x*x)) : 0;
    for (int j = 0; j < 3 && a > 0; j++, a *= x*x) {
      w[k][j] += a;
      for (int i = 0; i < v.sys.nq; i++) sum[k][j][i] += a*s.y[i];
    }
    if (epi_advance(f, &s, h, 1)) test_stop(epi_error(f));
  }
  epi_free(f);
  out->rows = rows;
  out->n = v.sys.nq;
  for (int k = 0; k < rows; k++) {
    double c = -w[k][1]/w[k][2], all = w[k][0] + c*w[k][1];
    for (int i = 0; i < v.sys.nq; i++) out->q[k][i] = (sum[k][0][i] + c*sum[k][1][i])/all;
  }
}

static double apart(const track *a, const track *b)
{
  double worst = a->rows == b->rows && a->rows ? 0 : NAN;
  for (int k = 0; k < a->rows; k++) for (int i = 0; i < a->n; i++) worst = fmax(worst, fabs(a->q[k][i] - b->q[k][i]));
  return worst;
}
#endif
