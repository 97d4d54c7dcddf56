/* actions.c - the start of a slow run: the floor of the valley below the state, the modes there, the slow state as the average over a micro
 * run both ways, and the actions of what is left of that run beside it */
#include "valley.h"
#include "kernel.h"

enum { STEPS = 16, FEW = 8, PERIODS = 7, SHAPE = 30, LONGEST = 1000000 };

static int wrong(epi_valley *a, int bad)
{
  if (bad > 0)
    epi_fail(a->node, EPI_WRONG, "adiabatic: the force says no on the way from the start to the floor of its stiff valley: start nearer to "
             "it");
  return bad > 0 ? EPI_WRONG : bad;
}

static int nothing_stiff(epi_valley *a)
{
  int all = a->block ? a->block : a->n;
  double top = a->values[a->order[0]], next = all > 1 ? a->values[a->order[1]] : 0;
  return epi_fail(a->node, EPI_WRONG, "adiabatic: nothing is stiff here: the largest frequencies at the start are %.3g and %.3g, and no "
                  "group of modes is ten times stiffer than the rest; integrate directly, or give modes", sqrt(fmax(0, top)),
                  sqrt(fmax(0, next)));
}

static int too_many(epi_valley *a, int given)
{
  int all = a->block ? a->block : a->n, n = 0;
  while (n < all && a->values[a->order[n]] > 1e-4*fabs(a->values[a->order[0]])) n++;
  return epi_fail(a->node, EPI_WRONG, "adiabatic: modes is %d, and of those %d at most are stiff at the start: give fewer, or leave modes "
                  "out", given, n);
}

/* ---- down to the floor ---- */
/* x moves along the modes; returns how far */
static double move(const epi_valley *a, double *x)
{
  int n = a->n;
  double way = 0;
  for (int k = 0; k < a->known; k++) {
    double c = epi_dot(n, a->E + k*n, a->f)/a->lambda[k];
    way += c*c;
    for (int i = 0; i < n; i++) x[i] += c*a->E[k*n + i];
  }
  return sqrt(way);
}

/* off the floor modes appear that are none: the first turns take only those that are stiff beyond doubt, then all are counted */
static int to_floor(epi_valley *a, double t, double *x)
{
  epi_valley_kept *k = epi_valley_memory(a);
  int bad, given = (int)epi_arg(a->node, "modes")->number, m = k->begun ? epi_valley_modes(a) : given;
  for (int turn = 0; turn < 20; turn++) {
    if ((bad = epi_valley_find(a, t, x, m, 0.02)) == EPI_NOT_STIFF) return given ? too_many(a, given) : nothing_stiff(a);
    if (bad) return wrong(a, bad);
    if (!m && turn >= 3) {
      m = epi_valley_count(a);
      if (!m || m > a->most) return nothing_stiff(a);
      continue;
    }
    double way = move(a, x);
    if (!isfinite(way)) break;
    if (m && way < 1e-9*k->length) { k->modes = m; return wrong(a, epi_valley_find(a, t, x, m, 0)); }
  }
  return epi_fail(a->node, EPI_WRONG, "adiabatic: Newton's method finds no floor of the stiff valley from this start: start nearer to it, "
                  "give modes, or integrate directly");
}

/* what moves the floor itself is none of the slow motion */
static int is_driven(epi_valley *a, double t)
{
  int n = a->n, bad;
  if ((bad = epi_valley_force(a, t + 0.37, a->x, a->one)) > 0 || bad < 0) return 0;
  for (int k = 0; k < a->known; k++)
    if (fabs(epi_dot(n, a->E + k*n, a->one) - epi_dot(n, a->E + k*n, a->f)) > 1e-6*a->lambda[k]*epi_valley_memory(a)->length) return 1;
  return 0;
}

/* radians of the slowest stiff mode while the start goes its length along the floor: a micro run would average more than fast motion */
static int not_slow(epi_valley *a, const double *p)
{
  double length = epi_valley_memory(a)->length, *along = a->three;
  memcpy(along, p, (size_t)a->n*sizeof *p);
  epi_valley_split(a, along);
  double om = sqrt(a->lambda[0]), turns = om*length/sqrt(epi_dot(a->n, along, along));
  if (turns >= 5) return 0;
  return epi_fail(a->node, EPI_WRONG, "adiabatic: nothing is stiff here: the slowest of the modes that stand out, of frequency %.3g, turns "
                  "by %.2g while the rest goes the length %.3g; integrate directly, or give modes or length", om, turns, length);
}

/* ---- the micro run ---- */
typedef struct { int n, half; double h, *w, *path, *mean; } micro_run;       /* path: x, p at each step; mean: of x, p and the force */

static double *point(const micro_run *r, int i) { return r->path + (long)(i + r->half)*2*r->n; }

static void add(const micro_run *r, int i, const double *x, const double *p, const double *f)
{
  double w = r->w[i < 0 ? -i : i];
  for (int k = 0; k < r->n; k++) {
    r->mean[k] += w*x[k];
    r->mean[r->n + k] += w*p[k];
    r->mean[2*r->n + k] += w*f[k];
  }
}

/* verlet from (x, p), n steps of h */
static int leg(epi_valley *a, const micro_run *r, double t, const double *x0, const double *p0, int sign)
{
  int n = r->n, bad;
  double h = sign*r->h, *f = a->three;
  memcpy(point(r, 0), x0, (size_t)n*sizeof *x0);
  memcpy(point(r, 0) + n, p0, (size_t)n*sizeof *p0);
  if ((bad = epi_valley_force(a, t, x0, f))) return bad;
  if (sign > 0) add(r, 0, x0, p0, f);
  for (int i = 1; i <= r->half; i++) {
    const double *from = point(r, sign*(i - 1));
    double *x = point(r, sign*i), *p = x + n;
    for (int k = 0; k < n; k++) { p[k] = from[n + k] + 0.5*h*f[k]; x[k] = from[k] + h*p[k]; }
    if ((bad = epi_valley_force(a, t + i*h, x, f))) return bad;
    for (int k = 0; k < n; k++) p[k] += 0.5*h*f[k];
    add(r, sign*i, x, p, f);
    if (i % 1024 == 0 && epi_stopping(a->node)) return EPI_INTERRUPTED;
  }
  return 0;
}

/* verlet has the energy v^2/(1 - (om h/2)^2) + om^2 x^2 to itself */
static double thinned(const epi_valley *a, int k, double h) { return 1 - a->lambda[k]*h*h/4; }

/* what the run has beside the slow motion, along the modes at the slow point */
static void sum_actions(epi_valley *a, const micro_run *r)
{
  int n = r->n;
  const double *Q = r->mean, *P = Q + n, *A = P + n;
  double *J = epi_valley_action(a);
  for (int k = 0; k < a->known; k++) {
    const double *e = a->E + k*n;
    double om = sqrt(a->lambda[k]), eQ = epi_dot(n, e, Q), eP = epi_dot(n, e, P), eA = epi_dot(n, e, A), sum = 0;
    for (int i = -r->half; i <= r->half; i++) {
      double s = i*r->h, x = epi_dot(n, e, point(r, i)) - eQ - s*(eP + 0.5*s*eA), v = epi_dot(n, e, point(r, i) + n) - eP - s*eA;
      sum += r->w[i < 0 ? -i : i]*(v*v/thinned(a, k, r->h) + a->lambda[k]*x*x)/(2*om);
    }
    J[k] = fmax(0, sum);
  }
}

/* modes at the floor are known; x and p are the start and become the slow one */
static int filter(epi_valley *a, double t, double *x, double *p, micro_run *r)
{
  int n = a->n, m = a->known, bad;
  memset(r->mean, 0, 3*(size_t)n*sizeof *r->mean);
  /* the fast velocity that gives verlet the energy of the start */
  for (int k = 0; k < m; k++) {
    double c = epi_dot(n, a->E + k*n, p)*(sqrt(thinned(a, k, r->h)) - 1);
    for (int i = 0; i < n; i++) p[i] += c*a->E[k*n + i];
  }
  if ((bad = leg(a, r, t, x, p, 1)) || (bad = leg(a, r, t, x, p, -1))) return wrong(a, bad);
  memcpy(x, r->mean, (size_t)n*sizeof *x);
  memcpy(p, r->mean + n, (size_t)n*sizeof *p);
  if ((bad = epi_valley_find(a, t, x, m, 0))) return wrong(a, bad);
  sum_actions(a, r);
  return 0;
}

static int learn(epi_valley *a, double t, double *x, double *p)
{
  /* one frequency: boxes of a period each, in as many steps as verlet takes for it, leave nothing of it; several: a smooth window */
  epi_window_kernel boxes = {.kind = EPI_KERNEL_BOXES, .moments = 1, .boxes = 4, .steps = FEW};
  epi_window_kernel smooth = {.kind = EPI_KERNEL_KAISER, .moments = 1, .shape = SHAPE};
  int one = a->known == 1;
  const double eighth = sqrt(2 - sqrt(2));         /* 2 sin(pi/8): a step of verlet that turns by an eighth */
  double low = sqrt(a->lambda[0]), high = sqrt(a->lambda[a->known - 1]), size = one ? epi_boxes_half(&boxes) : ceil(PERIODS*STEPS*high/low);
  micro_run r = {.n = a->n, .half = (int)fmin(size, LONGEST), .h = (one ? eighth : 2*EPI_PI/STEPS)/high};
  if (size > LONGEST)
    return epi_fail(a->node, EPI_WRONG, "adiabatic: the stiff frequencies %.3g and %.3g are too far apart for one micro run: give actions",
                    low, high);
  r.w = malloc(((size_t)r.half + 1 + 2*(size_t)r.n*(2*(size_t)r.half + 1) + 3*(size_t)r.n)*sizeof *r.w);
  if (!r.w) return epi_fail_cause(a->node, EPI_WRONG, EPI_MEMORY, "out of memory");
  r.path = r.w + r.half + 1;
  r.mean = r.path + 2*(long)r.n*(2*r.half + 1);
  int bad = epi_kernel_weights(one ? &boxes : &smooth, r.half, r.w);
  if (bad) epi_fail_cause(a->node, EPI_WRONG, EPI_MEMORY, "out of memory");
  else bad = filter(a, t, x, p, &r);
  free(r.w);
  return bad;
}

static int take_given(epi_valley *a)
{
  const epi_value *v = epi_arg(a->node, "actions");
  int m = a->known;
  double *J = epi_valley_action(a);
  if (v->n && v->n != m)
    return epi_fail(a->node, EPI_WRONG, "adiabatic: at the start the number of stiff modes is %d, and actions has %d: give one for each, "
                    "the slowest first, or give modes", m, v->n);
  for (int k = 0; k < m; k++) J[k] = v->n ? v->list[k] : v->number;
  return 0;
}

/* an action whose force is lost beside the others costs two forces for nothing */
static void drop_idle(epi_valley *a, const double *p)
{
  double *J = epi_valley_action(a), all = 0.5*epi_dot(a->n, p, p);
  for (int k = 0; k < a->known; k++) all += J[k]*sqrt(a->lambda[k]);
  for (int k = 0; k < a->known; k++) if (J[k]*sqrt(a->lambda[k]) < 1e-13*all) J[k] = 0;
}

static double length_of(const epi_valley *a, const double *x)
{
  double most = epi_arg(a->node, "length")->number;
  for (int i = 0; i < a->n && !epi_arg(a->node, "length")->given; i++) most = fmax(most, fabs(x[i]));
  return most > 0 ? most : 1;
}

int epi_valley_begin(epi_valley *a, epi_state *s)
{
  epi_valley_kept *k = epi_valley_memory(a);
  int n = a->n, bad, hopped;
  double *x = a->last, *p = x + n, *start = a->last_rate;
  epi_valley_to_x(a, s->y, x);
  epi_valley_to_x(a, s->y + n, p);
  memset(a->node->keep, 0, (size_t)a->node->nkeep*sizeof *a->node->keep);
  k->length = length_of(a, x);
  k->quick = HUGE_VAL;
  memcpy(start, x, (size_t)n*sizeof *x);
  if ((bad = to_floor(a, s->t, start))) return bad;
  if ((bad = not_slow(a, p))) return bad;
  if (is_driven(a, s->t))
    return epi_fail(a->node, EPI_WRONG, "adiabatic: the stiff force changes with time, and it knows only a valley at rest: use hmm, or "
                    "integrate directly");
  if (epi_arg(a->node, "actions")->given) bad = take_given(a);
  else bad = learn(a, s->t, x, p);
  if (bad) return bad;
  k->begun = 1;
  k->from = s->t;
  if ((bad = to_floor(a, s->t, x))) { k->begun = 0; return bad; }
  epi_valley_split(a, p);
  drop_idle(a, p);
  if ((bad = epi_valley_look(a, s->t, x, p, &hopped))) { k->begun = 0; return wrong(a, bad); }
  epi_valley_to_q(a, x, s->y);
  epi_valley_to_q(a, p, s->y + n);
  a->asked = 0;
  return 0;
}

int epi_valley_measure(epi_valley *a, double t, const double *y, double *J, double *om)
{
  int n = a->n, bad;
  double *x = a->last, *p = x + n, *below = a->last_rate;
  epi_valley_to_x(a, y, x);
  epi_valley_to_x(a, y + n, p);
  memcpy(below, x, (size_t)n*sizeof *x);
  a->asked = 0;
  if ((bad = to_floor(a, t, below))) return bad;
  for (int i = 0; i < n; i++) x[i] -= a->x[i];
  for (int k = 0; k < a->known; k++) {
    double off = epi_dot(n, a->E + k*n, x), speed = epi_dot(n, a->E + k*n, p);
    om[k] = sqrt(a->lambda[k]);
    J[k] = (speed*speed + a->lambda[k]*off*off)/(2*om[k]);
  }
  return 0;
}
