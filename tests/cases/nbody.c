/* nbody.c - the sun and four planets for 200,000 days, and the perihelia of Jupiter as events; units AU, days, solar masses */
#include <epicycle.h>
#include <math.h>
#include <string.h>
#include <time.h>
enum { N = 5 };
static const double G = 2.95912208286e-4,
                    M[N] = {1.00000597682, 0.000954786104043, 0.000285583733151, 0.0000437273164546, 0.0000517759138449};
static const double Y0[6 * N] = {0,          0,          0,           -3.5023653,  -3.8169847,  -1.5507963,  9.0755314,   -3.0458353,
                                 -1.6483708, 8.3101420,  -16.2901086, -7.2521278,  11.4707666,  -25.7294829, -10.8169456, 0,
                                 0,          0,          0.00565429,  -0.00412490, -0.00190589, 0.00168318,  0.00483525,  0.00192462,
                                 0.00354178, 0.00137102, 0.00055029,  0.00288930,  0.00114527,  0.00039677};
static double mass[3 * N];
static int force(epi_system *s, double t, const double *q, double *f)
{
  (void)s;
  (void)t;
  memset(f, 0, 3 * N * sizeof *f);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < i; j++) {
      double d[3], r2 = 0;
      for (int k = 0; k < 3; k++) {
        d[k] = q[3 * i + k] - q[3 * j + k];
        r2 += d[k] * d[k];
      }
      double c = G * M[i] * M[j] / (r2 * sqrt(r2));
      for (int k = 0; k < 3; k++) {
        f[3 * i + k] -= c * d[k];
        f[3 * j + k] += c * d[k];
      }
    }
  return 0;
}
static double potential(epi_system *s, double t, const double *q)
{
  (void)s;
  (void)t;
  double e = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < i; j++) {
      double r2 = 0;
      for (int k = 0; k < 3; k++) {
        double d = q[3 * i + k] - q[3 * j + k];
        r2 += d * d;
      }
      e -= G * M[i] * M[j] / sqrt(r2);
    }
  return e;
}
static double energy(epi_system *s, double t, const double *y)
{
  double e = potential(s, t, y);
  for (int i = 0; i < 3 * N; i++) e += mass[i] * y[3 * N + i] * y[3 * N + i] / 2;
  return e;
}
static double peri(void *d, double t, const double *y)
{
  (void)d;
  (void)t;
  double s = 0;
  for (int k = 0; k < 3; k++) s += (y[3 + k] - y[k]) * (y[3 * N + 3 + k] - y[3 * N + k]);
  return s;
}
typedef struct {
  int n;
  double t[2000];
} hits;
static int hit(void *d, const epi_system *s, epi_state *st)
{
  (void)s;
  hits *h = d;
  if (h->n < 2000) h->t[h->n++] = st->t;
  return 0;
}
static double E0;
typedef struct {
  double m;
} em;
static int see(void *d, const epi_system *s, epi_state *st)
{
  em *e = d;
  double x = fabs(energy((epi_system *)s, st->t, st->y) / E0 - 1);
  if (x > e->m) e->m = x;
  return 0;
}
static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}
int main(int argc, char **argv)
{
  (void)argc;
  (void)argv;
  for (int i = 0; i < 3 * N; i++) mass[i] = M[i / 3];
  epi_system sys = {.nq = 3 * N, .force = force, .mass = mass, .energy = energy, .energies.potential = potential};
  double T = 200000;
  E0 = energy(&sys, 0, Y0);
  /* by hand */
  {
    double y[6 * N], f[3 * N];
    memcpy(y, Y0, sizeof y);
    double h = 100, *v = y + 3 * N, m = 0;
    double t0 = now();
    force(&sys, 0, y, f);
    for (int n = 0; n < T / h; n++) {
      for (int i = 0; i < 3 * N; i++) v[i] += h / 2 * f[i] / mass[i];
      for (int i = 0; i < 3 * N; i++) y[i] += h * v[i];
      force(&sys, 0, y, f);
      for (int i = 0; i < 3 * N; i++) v[i] += h / 2 * f[i] / mass[i];
      double x = fabs(energy(&sys, 0, y) / E0 - 1);
      if (x > m) m = x;
    }
    printf("by hand leapfrog h=100: jupiter %.12f %.12f maxE %.3e %.4fs\n", y[3], y[4], m, now() - t0);
  }
  struct {
    const char *f;
    double h;
  } R[] = {{"verlet", 100},
           {"symmetric(verlet, order=8)", 200},
           {"symmetric(verlet, order=6)", 100},
           {"tolerance(dop853, rtol=1e-12, atol=1e-14)", T},
           {"gauss(stages=3)", 200},
           {"scaled(symmetric(strang(drift, kick), order=8))", 200},
           {"density(symmetric(verlet, order=8), objective=potential, power=1.5)", 200}};
  for (unsigned r = 0; r < sizeof R / sizeof *R; r++) {
    double y[6 * N];
    memcpy(y, Y0, sizeof y);
    epi_state st = {.y = y};
    em e = {0};
    char text[300];
    snprintf(text, sizeof text, "watch(%s, see=see)", R[r].f);
    epi_name nm[] = {{.name = "model", .system = &sys}, {.name = "see", .see = see, .data = &e}, {0}};
    epi_flow *fl = epi_make_named(text, nm);
    double t0 = now();
    int rc = epi_run(fl, &st, T, R[r].h);
    printf("%-70s rc %d jup %.12f %.12f maxE %.3e calls %ld %.4fs %s\n", R[r].f, rc, y[3], y[4], e.m, epi_calls(fl), now() - t0,
           rc ? epi_error(fl) : "");
    epi_free(fl);
  }
  /* events */
  {
    double y[6 * N];
    memcpy(y, Y0, sizeof y);
    epi_state st = {.y = y};
    static hits h;
    epi_name nm[] = {{.name = "model", .system = &sys}, {.name = "peri", .gap = peri}, {.name = "hit", .see = hit, .data = &h}, {0}};
    epi_flow *fl = epi_make_named("at(symmetric(verlet, order=8), gap=peri, direction=up, hit=hit)", nm);
    double t0 = now();
    int rc = epi_run(fl, &st, T, 200);
    printf("events rc %d n %d %s calls %ld %.4fs jup %.12f\n", rc, h.n, rc ? epi_error(fl) : "", epi_calls(fl), now() - t0, y[3]);
    epi_free(fl);
    FILE *o = fopen("peri.txt", "w");
    for (int i = 0; i < h.n; i++) fprintf(o, "%.9f\n", h.t[i]);
    fclose(o);
  }
  {
    double y[6 * N];
    memcpy(y, Y0, sizeof y);
    epi_state st = {.y = y};
    static hits h;
    epi_name nm[] = {{.name = "model", .system = &sys}, {.name = "peri", .gap = peri}, {.name = "hit", .see = hit, .data = &h}, {0}};
    epi_flow *fl = epi_make_named("at(tolerance(dop853,rtol=1e-12,atol=1e-14), gap=peri, direction=up, hit=hit)", nm);
    double t0 = now();
    int rc = epi_run(fl, &st, T, T);
    printf("events tol rc %d n %d %s calls %ld %.4fs jup %.12f\n", rc, h.n, rc ? epi_error(fl) : "", epi_calls(fl), now() - t0, y[3]);
    epi_free(fl);
    FILE *o = fopen("peri2.txt", "w");
    for (int i = 0; i < h.n; i++) fprintf(o, "%.9f\n", h.t[i]);
    fclose(o);
  }
}
