/* hills.h - random features of a force between the steps of revolve: hills and patches of drag in the way of a mass that vibrates fast,
 * pushes, and swells of the vibration. Each is 1 to 30 % of the run wide at half its height */
#ifndef HILLS_H
#define HILLS_H
#include "stiffs.h"
#include <string.h>

/* what acts: its strength, its place or time and its width, with an edge or without; the vibration and its phase, the slow force, the mean
   speed at first */
enum { HILL, PATCH, PUSH, SWELL, KINDS };
static const char *const names[KINDS] = {"hill", "patch", "push", "swell"};
static struct { int kind, edged, smooth; double strong, at, wide, end, rate, fast, slow, speed, shift; } now;

static inline double bump(double x)
{
  const double u = (x - now.at)/now.wide;
  return now.edged ? fmax(0, 1 - fabs(u)) : exp(-2.772588722239781*u*u);
}
static inline int hills_force(epi_system *s, double t, double theta, const double *q, double *f)
{
  (void)s;
  f[0] = now.slow - now.fast*now.rate*cos(theta + now.shift)*(1 + 0.2*q[0])*(now.kind == SWELL ? 1 + now.strong*bump(t) : 1);
  if (now.kind == HILL || now.kind == PUSH) f[0] += now.strong*bump(now.kind == PUSH ? t : q[0]);
  return 0;
}
static inline int hills_drag(epi_system *s, double t, const double *q, const double *v, double *f)
{
  (void)s; (void)t;
  f[0] -= now.kind == PATCH ? now.strong*bump(q[0])*v[0] : 0;
  return 0;
}
static inline int hills_make(epi_case *c)
{
  c->system = (epi_system){.nq = 1, .phase = {.forced = hills_force, .phase_rate = now.rate}, .velocity_force = hills_drag,
                           .traits.smooth = now.smooth};
  if (epi_case_start(c)) return -1;
  c->y[1] = now.speed - now.fast*sin(now.shift);
  c->end = now.end;
  return 0;
}
static const epi_param no_params[] = {{0}};
static const epi_model model = {.name = "hills", .doc = "a feature", .params = no_params, .make = hills_make, .step = 1e-3, .end = 1};

static inline double spread(unsigned long long *r, double from, double to) { return exp(random_of(r, log(from), log(to))); }

/* the impulse of the feature is 0.3 % of that of the motion up to all of it, in a direction that no hill stops it */
static inline void draw(unsigned long long *r, double narrowest)
{
  now.kind = (int)(KINDS*random_of(r, 0, 0.999));
  now.rate = spread(r, 800, 6000);
  now.end = random_of(r, 1, 3);
  now.speed = random_of(r, 0.5, 3);
  now.fast = random_of(r, 0.1, 1);
  now.slow = random_of(r, -0.2, 0.2);
  now.shift = random_of(r, 0, 2*PI);
  now.edged = random_of(r, 0, 1) < 0.3;
  now.smooth = !now.edged && random_of(r, 0, 1) < 0.5;
  const double way = now.kind == HILL || now.kind == PATCH ? now.speed*now.end : now.end;
  const double part = spread(r, narrowest, 0.3), sign = random_of(r, -1, 1) < 0 ? -1 : 1;
  now.at = random_of(r, 0.15, 0.85)*way;
  now.wide = part*way;
  now.strong = spread(r, 0.003, 1)*sign/(part*now.end)*(now.kind == PATCH ? 0.3 : now.speed);
  if (now.kind == HILL) now.strong = fmax(now.strong, -0.25*now.speed*now.speed/now.wide);
  if (now.kind == SWELL) now.strong = random_of(r, 0.5, 3);
}

enum { ROWS = 8 };
static inline long follow(const char *text, double y[ROWS][2])
{
  epi_case *c = epi_case_of(&model, NULL);
  epi_flow *f = epi_case_flow(c, text);
  epi_state s = epi_case_state(c);
  for (int k = 0; k < ROWS; k++) {
    check_count(epi_run(f, &s, now.end*(k + 1)/ROWS, now.end/ROWS), 0);
    memcpy(y[k], s.y, sizeof y[k]);
  }
  long calls = epi_calls(f);
  epi_free(f);
  epi_case_free(c);
  return calls;
}

/* draws, seed and the narrowest part of the run, of the arguments where they are given */
static inline int hills(int argc, char **argv, int draws, unsigned long long r)
{
  double narrowest = argc > 3 ? atof(argv[3]) : 0.01, worst = 0, calls = 0;
  if (argc > 1) draws = atoi(argv[1]);
  if (argc > 2) r = strtoull(argv[2], NULL, 10);
  for (int i = 0; i < draws; i++) {
    draw(&r, narrowest);
    double tol = pow(10, -random_of(&r, 3, 6)), y[ROWS][2], ref[ROWS][2], size[2] = {0}, off = 0;
    char flow[120];
    snprintf(flow, sizeof flow, "revolve(picard, rtol=%g, span=%g)", tol, now.end);
    calls += (double)follow(flow, y);
    follow("tolerance(dop853, rtol=1e-11, atol=1e-13)", ref);
    for (int k = 0; k < ROWS; k++) for (int j = 0; j < 2; j++) size[j] = fmax(size[j], fabs(ref[k][j]));
    for (int k = 0; k < ROWS; k++) for (int j = 0; j < 2; j++) off = fmax(off, fabs(y[k][j] - ref[k][j])/size[j]/tol);
    worst = fmax(worst, off);
    if (!check_below(off, 3))
      printf("  %d: %s of %.3g, %s, smooth=%d, wide %.3g of the run, rate %.4g to %.3g: %.3g times %.2g\n", i, names[now.kind], now.strong,
             now.edged ? "edged" : "round", now.smooth, now.wide/(now.kind < PUSH ? now.speed : 1)/now.end, now.rate, now.end, off, tol);
  }
  printf("%d features, worst %.2g tol, %.4g evaluations each\n", draws, worst, calls/draws);
  return test_done();
}
#endif
