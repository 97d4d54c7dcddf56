/* impact.c - an impact is over in a few steps of many, and looks at steps now and then miss it: impacts are found by how much they change
 * the velocities, and some of them are taken again as a whole, with halved steps */
#include "impact.h"

static const double LOUD = 8, FAINT = 0.1;        /* times a calm block; times the loudest */
/* a speed that is off by dv leads astray by dv t after a blow, and on an orbit, whose period it changes, by three times that */
static const double ASTRAY = 3, BLOW = 100;       /* a blow: times a calm block */
enum { LONGEST = 64 };                            /* blocks that are taken again of one impact */
enum { RESOLVED = 32 };                           /* steps: of fewer it is not known what is of the moment */

typedef struct { double *state, *kept, *half, *half_kept, *sum, *least, *work; } parts;

static parts parts_of(const epi_impacts *a, double *room, const epi_flow *run)
{
  size_t n = (size_t)epi_dim(run->sys), keep = (size_t)a->keep;
  return (parts){room, room + n, room + n + keep, room + 2*n + keep, room + 2*n + 2*keep, room + 3*n + 2*keep, room + 4*n + 2*keep};
}

size_t epi_impacts_room(size_t n, size_t keep) { return 7*n + 2*keep; }

static void stand(epi_impacts *a, const parts *p, const epi_flow *run, const epi_state *s)
{
  memcpy(p->state, s->y, (size_t)epi_dim(run->sys)*sizeof *s->y);
  if (a->keep) epi_keep_out(run, p->kept);
  a->t = s->t, a->theta = s->theta, a->rest = s->key.rest;
}

void epi_impacts_begin(epi_impacts *a, double *room, const epi_flow *run, const epi_state *s)
{
  a->keep = epi_keep_size(run);
  parts p = parts_of(a, room, run);
  stand(a, &p, run, s);
}

/* the largest change of a velocity, or of what has none */
static double change_of(const epi_system *m, const double *from, const double *to)
{
  int all = epi_all_rate(m), first = all ? 0 : m->nq, end = all ? epi_dim(m) : m->nq + epi_nv(m);
  double most = 0;
  for (int i = first; i < end; i++) {
    double d = fabs(to[i] - from[i]);
    if (d > most) most = d;
  }
  return most;
}

/* 1: there was an impact in this block */
static int hear(epi_impacts *a, double change)
{
  long calm = a->blocks++ - a->loud;
  if (change > a->largest) a->largest = change;
  if (calm && change > LOUD*a->calm/(double)calm && change > FAINT*a->largest) {
    a->struck |= change > BLOW*a->calm/(double)calm;
    return a->loud++, 1;
  }
  a->calm += change;
  return 0;
}

/* another block of the impact that is taken again */
static void take(epi_impacts *a, const parts *p, epi_flow *probe, double until)
{
  double h = (until - a->at)/(2*a->steps);
  epi_state s = {.t = a->at, .theta = a->at_theta, .y = p->half, .key = {.rest = a->at_rest}};
  if (a->keep) epi_keep_in(probe, p->half_kept);
  if (!(h > 0) || epi_advance(probe, &s, h, 2*a->steps)) { a->taken = 0; return; }
  if (a->keep) epi_keep_out(probe, p->half_kept);
  a->at = s.t, a->at_theta = s.theta, a->at_rest = s.key.rest;
  a->taken++;
  a->spent += 2*a->steps;
}

/* by how much the one is later than the other: that is no error of the speed, though it looks like one as long as forces act */
static double late(const epi_system *m, const double *from, const double *to, const double *way)
{
  double along = 0, length = 0;
  for (int i = 0; i < m->nq; i++) along += (to[i] - from[i])*way[i], length += way[i]*way[i];
  return length > 0 ? along/length : 0;
}

/* the speeds that differ where both have come to the same place, as rates of the positions */
static void differ(epi_impacts *a, const parts *p, const epi_flow *run, const epi_state *s, double *dv, double *dq)
{
  epi_system *m = run->sys;
  int nq = m->nq, nv = epi_nv(m);
  const double *v = s->y + nq;
  double *scratch = dq + nq;
  if (m->manifold.retract) epi_retract_tangent(m, s->y, v, dq, scratch);
  double dt = late(m, p->half, s->y, m->manifold.retract ? dq : v), since = s->t - a->t;
  for (int i = 0; i < nv; i++) dv[i] = v[i] - p->half[nq + i] - dt*(v[i] - p->state[nq + i])/since;
  if (m->manifold.retract) epi_retract_tangent(m, s->y, dv, dq, scratch);
  else memcpy(dq, dv, (size_t)nv*sizeof *dq);
}

/* what differs after an impact; and the speed that differs then carries positions away until the end: the next one comes early or late.
   As long as forces still act a part of that is of the moment, so that it is the least of what was seen since that counts; after an
   impact of a few steps it is the first */
static void compare(epi_impacts *a, const parts *p, const epi_flow *run, const epi_state *s)
{
  epi_system *m = run->sys;
  int carried = epi_all_rate(m) || m->inertia.speed ? 0 : m->nq, n = epi_dim(m);
  double *d = p->work, *dv = d + n, *dq = dv + epi_nv(m), left = (a->struck ? 1 : ASTRAY)*(a->end - s->t), most = 0;
  if (carried) differ(a, p, run, s, dv, dq);
  for (int i = 0; i < n; i++) {
    d[i] = fabs(s->y[i] - p->half[i]);
    if (i < carried) d[i] += left*fabs(dq[i]);
    if (!(d[i] <= most) && (i < carried || !carried)) most = d[i] == d[i] ? d[i] : HUGE_VAL;
  }
  if (!(most < a->differs) || (a->differs < INFINITY && (a->inside - a->pause)*a->steps < RESOLVED)) return;
  a->differs = most;
  memcpy(p->least, d, (size_t)n*sizeof *d);
}

static void begin(epi_impacts *a, const parts *p)
{
  memcpy(p->half, p->state, (size_t)(p->half - p->state)*sizeof *p->half);
  a->at = a->t, a->at_theta = a->theta, a->at_rest = a->rest;
  a->differs = INFINITY;
}

static void end(epi_impacts *a, const parts *p, const epi_flow *run, const epi_state *s)
{
  if (a->differs == INFINITY) compare(a, p, run, s);
  for (int i = 0, n = epi_dim(run->sys); i < n; i++) p->sum[i] += a->differs < INFINITY ? p->least[i] : HUGE_VAL;
  a->again++;
  a->taken = 0;
}

void epi_impacts_block(epi_impacts *a, double *room, const epi_flow *run, epi_flow *probe, const epi_state *s, double steps)
{
  parts p = parts_of(a, room, run);
  int loud = hear(a, change_of(run->sys, p.state, s->y)), begins = loud && !a->inside;
  /* one more costs about as much as those before it did */
  int again = begins && (a->again < a->least || a->spent*(1 + 1/(double)a->again) < a->share*steps);
  a->all += begins;
  if (loud || a->inside) a->inside++;
  a->pause = loud ? 0 : a->pause + 1;
  if (again) begin(a, &p);
  if (again || a->taken) {
    take(a, &p, probe, s->t);
    if (loud) a->differs = INFINITY;
    else if (a->taken) compare(a, &p, run, s);
  }
  /* it is over where it was calm for as long again: what slows down and speeds up again has a calm moment between */
  if (a->inside && (2*a->pause >= a->inside || a->inside >= LONGEST)) {
    if (a->taken) end(a, &p, run, s);
    a->inside = a->struck = 0;
  }
  stand(a, &p, run, s);
}

double epi_impacts_off(const epi_impacts *a, const double *room, const epi_flow *run, int i)
{
  parts p = parts_of(a, (double *)room, run);
  return a->again ? p.sum[i]/(double)a->again*(double)a->all : 0;
}
