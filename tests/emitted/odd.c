/* odd.c - a model written as some write: .force = not_this; in a comment, and braces { in it */
#include <epicycle/model.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#define STIFF 3.5 /* a comment that goes on
   over lines */
#define JOINED(a, b) ((a)*(b) \
  + 0.25*(a) \
  - 0.125*(b))
#define QUOTE "}{ .force = nobody; /* no comment"
#define HARD 1
#if defined(HARD) && HARD
#  define LOSS 0.3   // don't stop at an apostrophe
static double hardness(double x) { return x < 0 ? 2*x : x; }
#else
#  define LOSS 0.0
static double hardness(double x) { return x; }
#endif
enum { K /* stiffness */, X,
       C = 2 /* loss */ };
typedef double number;
typedef enum { SOFT, ROUGH = 4, WILD } kind;
struct inner { number a[2*2]; kind what; };
typedef struct { struct inner in; bool on; char mark; } data;
static const double TABLE[] = {
  [0] = 1, [1] = 0.5,
  [2] = 0.25 };
static const struct { double x, y; } PAIR = {0.1, 0.2};
static number later(number x);

static number
through (const data *d,
         number x)
{
  const char brace = '}', *text = "\"}{";
  static const number eps = DBL_EPSILON;
  (void)text;
  return d->on ? later(x) + (brace == '}') + eps*0 : 0;
}
static number later(number x) { return TABLE[fabs(x) < 0.7] * hardness(x) + PAIR.y; }

static int
force (epi_system *s, double t, const double *q, double *f)
{
  const data *d = s->data;
  (void)t;
  switch (d->in.what) {
  case ROUGH: f[0] = -JOINED(d->in.a[0], q[0]) - through(d, q[0]); break;
  case SOFT: case WILD: default: f[0] = -STIFF*q[0]; break;
  }
  return 0;
}
static int drag(epi_system *s, double t, const double *q, const double *v, double *f)
{ const data *d = s->data; (void)t, (void)q; f[0] -= (LOSS + d->in.a[2*1])*v[0]; return 0; }
static double quoted(const epi_case *c, const epi_state *s) { const data *d = c->system.data; return d->in.a[0]*s->y[0] + sizeof QUOTE; }
static const epi_observable observables[] = {{.name = "quoted", .value = quoted}, {0}};
static const epi_param params[] = {[K] = {.name = "k", .value = 1}, [X] = {.name = "x", .value = 1}, [C] = {.name = "c", .value = 0}, {0}};
static int make(epi_case *c)
{
  data *d = epi_case_room(c, 1, sizeof *d);
  if (!d) return -1;
  *d = (data){{{c->p[K], 0, c->p[C]}, c->p[K] > 2 ? ROUGH : SOFT}, c->p[K] > 1, '{'};
  c->system = (epi_system){.nq = 1, .force /* here */ = force, .velocity_force = c->p[C] > 0 ? drag : NULL, .data = d};
  if (epi_case_start(c)) return -1;
  c->y[0] = c->p[X];
  return 0;
}
EPI_MODEL = {.name = "odd", .doc = "}", .params = params, .make = make, .observables = observables, .flow = "rk4", .step = 0.01, .end = 1};
