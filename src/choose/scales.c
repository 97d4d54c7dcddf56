/* scales.c - the scales of a stiff system: its fastest oscillation and the next, from differences of the force at the start and where the
 * fast motion has its middle, and how fast the rest moves */
#include "search.h"
#include "average/mode.h"


typedef struct { epi_flow *f; int n; double t, *q, *v, *a, *x, *y, *work; } probe;

static double largest(int n, const double *x)
{
  double most = 0;
  for (int i = 0; i < n; i++) if (fabs(x[i]) > most) most = fabs(x[i]);
  return most;
}

/* -da/dq along x, by differences */
static int pull(const probe *p, const double *x, double *out)
{
  double size = largest(p->n, p->q), most = largest(p->n, x), d = 1e-6*(size > 0 ? size : 1)/most, *at = p->work, *back = at + p->n;
  if (!(most > 0)) { memset(out, 0, (size_t)p->n*sizeof *out); return 0; }
  for (int side = 1; side >= -1; side -= 2) {
    for (int i = 0; i < p->n; i++) at[i] = p->q[i] + side*d*x[i];
    if (epi_accel(p->f, p->t, 0, at, side > 0 ? out : back)) return 1;
  }
  for (int i = 0; i < p->n; i++) out[i] = (back[i] - out[i])/(2*d);
  return 0;
}

/* what x has along the fast modes: the others are suppressed by the square of their frequency, twice */
static int fast_part(const probe *p, double rate, const double *x, double *out)
{
  int bad = pull(p, x, p->y) || pull(p, p->y, out);
  for (int i = 0; i < p->n; i++) out[i] /= rate*rate*rate*rate;
  return bad;
}

/* from where it stands to the middle of its fast motion */
static int to_middle(probe *p, double rate)
{
  for (int turn = 0; turn < 3; turn++) {
    if (epi_accel(p->f, p->t, 0, p->q, p->a) || fast_part(p, rate, p->a, p->x)) return 1;
    for (int i = 0; i < p->n; i++) p->q[i] += p->x[i]/(rate*rate);
  }
  return epi_accel(p->f, p->t, 0, p->q, p->a);
}

/* a force that knows the time: what is fast in it may be that */
static int knows_time(const probe *p, double span, double rate)
{
  const double later[] = {0.37*span, 0.011*span, rate > 0 ? 0.3/rate : 0};
  for (int k = 0; k < 3; k++) {
    if (epi_accel(p->f, p->t + later[k], 0, p->q, p->x)) return 1;
    for (int i = 0; i < p->n; i++) if (!(fabs(p->x[i] - p->a[i]) <= 1e-9*largest(p->n, p->a))) return 1;
  }
  return 0;
}

/* what is left of x without its fast part, and how large that is */
static int split(const probe *p, double rate, const double *x, double *slow, double *fast)
{
  if (fast_part(p, rate, x, p->x)) return 1;
  *fast = largest(p->n, p->x);
  for (int i = 0; i < p->n; i++) p->y[i] = x[i] - p->x[i];
  *slow = largest(p->n, p->y);
  return 0;
}

/* the fast rate a little later, as far as the start shows where that is; the probe stands there after it */
static double rate_later(probe *p, const epi_mode_question *ask, double rate, double tau)
{
  int alone;
  if (fast_part(p, rate, p->v, p->x)) return NAN;
  for (int i = 0; i < p->n; i++) p->q[i] += tau*(p->v[i] - p->x[i]);
  if (fast_part(p, rate, p->a, p->x)) return NAN;
  for (int i = 0; i < p->n; i++) p->q[i] += 0.5*tau*tau*(p->a[i] - p->x[i]);
  return to_middle(p, rate) ? NAN : epi_mode_fastest(ask, &alone);
}

static int measure(epi_search *a, probe *p)
{
  epi_scales *s = &a->scales;
  int alone;
  double span = a->to->end - a->c->t, size = largest(p->n, p->q), slow, fast, pulled, along;
  epi_mode_question ask = {.of = p->f, .t = p->t, .q = p->q, .work = p->work};
  double rate = epi_mode_fastest(&ask, &alone);
  if (!(rate > 0) || rate*span < 2*EPI_PI*SEPARATE) { s->turns = rate > 0 ? rate*span/(2*EPI_PI) : 0; return 0; }
  if (epi_accel(p->f, p->t, 0, p->q, p->a) || knows_time(p, span, rate)) return 0;
  memcpy(p->q, a->c->y, (size_t)p->n*sizeof *p->q);
  if (to_middle(p, rate) || !((rate = epi_mode_fastest(&ask, &alone)) > 0)) return 0;
  double off = 0;
  for (int i = 0; i < p->n; i++) off = fmax(off, fabs(p->q[i] - a->c->y[i]));
  s->next = epi_mode_next(&ask, rate, 3);
  if (isnan(s->next) || split(p, rate, p->v, &slow, &fast) || split(p, rate, p->a, &pulled, &along)) return 0;
  size = fmax(size > 0 ? size : 1, largest(p->n, p->q));
  s->many = s->next > 0.05*rate && s->next < 0.9*rate;
  /* of two stiff modes the second is in what is left: its speed tells no more than an order of magnitude, its acceleration nothing */
  s->pace = fmax(slow/size, s->many ? 0 : sqrt(pulled/size));
  if (s->next < 0.05*rate) s->pace = fmax(s->pace, s->next);
  s->turns = rate*span/(2*EPI_PI);
  s->amplitude = hypot(off, fast/rate)/size;
  s->swing = hypot(off*rate, fast)/fmax(hypot(off*rate, fast), slow);
  s->energy = pow(hypot(off*rate, fast)/fmax(slow, s->pace*size), 2);
  s->fast = rate;
  double later = s->many ? rate : rate_later(p, &ask, rate, 0.2/s->pace);
  s->drift = isnan(later) ? 0 : fabs(later/rate - 1);
  return 0;
}

static void tell(epi_search *a)
{
  epi_scales *s = &a->scales;
  double apart = s->fast/s->pace, ratio = s->fast/s->next;
  char *out = a->to->scales;
  size_t size = sizeof a->to->scales;
  if (!(s->fast > 0)) {
    if (s->turns > 0) snprintf(out, size, "no separation of scales: the fastest oscillation turns %.3g times in this run", s->turns);
  } else if (apart < SEPARATE) {
    snprintf(out, size, "no separation of scales: the fastest oscillation, of %.6g rad per unit of time, is only %.2g times as fast as the "
             "rest", s->fast, apart);
    s->fast = 0;
  } else if (s->many)
    snprintf(out, size, "stiff: the fastest oscillation, of %.6g rad per unit of time, turns %.4g times in this run, and there is a second "
             "stiff mode, of %.4g: %.3g to 1%s", s->fast, s->turns, s->next, ratio,
             ratio > 1.5 && ratio < 6 && fabs(ratio - round(ratio)) < 0.05 ? ", near a resonance" : "");
  else {
    s->drifts = s->drift*s->fast > 3*s->pace;
    snprintf(out, size, "stiff: the fastest oscillation, of %.6g rad per unit of time, turns %.4g times in this run, %.2g times as fast as "
             "the rest, with an amplitude of %.2g of the position%s", s->fast, s->turns, apart, s->amplitude,
             s->drifts ? "; its frequency changes with the slow motion" : "");
  }
}

double epi_direct_calls(const epi_search *a)
{
  const epi_scales *s = &a->scales;
  return s->turns*fmax(15, 20*pow(s->turns*fmax(s->swing, 1e-3)/a->to->tol, 0.125));
}

static int can_be_asked(const epi_case *c)
{
  const epi_system *m = &c->system;
  int plain = m->force && !m->phase.forced && !m->rate && !m->velocity_force && !m->inertia.speed && !m->manifold.retract &&
    epi_nv(m) == m->nq;
  return plain && !m->nc && !m->nz && !m->contacts.ng && !m->traits.irreversible && !m->contacts.impulsive && !c->world;
}

void epi_find_scales(epi_search *a)
{
  memset(&a->scales, 0, sizeof a->scales);
  a->to->scales[0] = 0;
  if (!can_be_asked(a->c)) return;
  int n = a->c->system.nq;
  epi_flow *f = epi_case_flow(a->c, "verlet");
  double *room = malloc(10*(size_t)n*sizeof *room);
  if (room && !epi_error(f)) {
    probe p = {.f = f, .n = n, .t = a->c->t, .v = a->c->y + n};
    p.q = room, p.a = room + n, p.x = room + 2*n, p.y = room + 3*n, p.work = room + 4*n;
    memcpy(p.q, a->c->y, (size_t)n*sizeof *room);
    measure(a, &p);
    tell(a);
  }
  a->to->spent += epi_calls(f);
  epi_free(f);
  free(room);
}
