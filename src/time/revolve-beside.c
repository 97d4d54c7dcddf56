/* revolve-beside.c - a second solution beside a run of revolve: its own course of the points, with what the run knows of periods and of how
 * they change with the state */
#include "revolving.h"

/* what it knows as the run does; how far its g is from that of the run */
long epi_revolve_beside_size(const epi_flow *f) { return extras(extent(f)) + extent(f); }
double epi_revolve_order(const epi_flow *f) { return ((const revolve *)f->own)->order; }
double epi_revolve_off(const epi_flow *f) { return epi_own_extra(f)[OFF]; }
double epi_revolve_turns(const epi_flow *f) { return epi_own_extra(f)[TURNS]; }
double epi_revolve_points(const epi_flow *f, const double *x) { return (x ? x : epi_own_extra(f))[POINTS]; }

/* what the run knows now is lent to the one beside it, for a step of M */
static void lend(epi_flow *f, const epi_state *now, double M)
{
  revolve *p = f->own;
  const memory run = memory_of(f, epi_own_extra(f));
  f->kid[0]->passing = 1;
  p->given = M;
  p->run = now->y;
  p->run_g = epi_own_extra(f)[KNOWN] && !p->timed ? run.g : NULL;
}

static void take_back(epi_flow *f)
{
  ((revolve *)f->own)->given = 0;
  f->kid[0]->passing = 0;
}

void epi_revolve_same(const epi_flow *f, const epi_state *now, epi_state *s, double *x)
{
  memcpy(s->y, now->y, (size_t)epi_dim(f->sys)*sizeof *s->y);
  epi_set_clock(s, (epi_tick){now->t, now->key.rest, now->theta});
  memcpy(x, epi_own_extra(f), (size_t)extras(extent(f))*sizeof *x);
}

/* g at the state of the one beside, with the memory x */
static int period_beside(epi_flow *f, const epi_state *now, const epi_state *s, double *x, int rough, double *g)
{
  revolve *p = f->own;
  const room *d = room_of(f);
  int N = epi_dim(f->sys);
  memcpy(d->Y, s->y, (size_t)N*sizeof *d->Y);
  if (p->timed) d->Y[N] = s->t;
  const double T = epi_turn_time(f->sys, p->period, s->t, epi_own_sign(f));
  lend(f, now, 1);
  p->rough = rough;
  epi_revolve_measure(f, x, T);
  int bad = epi_revolve_period(f, x, s->t, d->Y, T, g);
  p->rough = 0;
  take_back(f);
  return bad;
}

/* away from the run in each coordinate, with its velocity to the same side, as an error that grows has it; all points it knows of move with
   it, as g does from here to there */
int epi_revolve_aside(epi_flow *f, const epi_state *now, epi_state *s, double *x, double tolerances)
{
  const memory run = memory_of(f, epi_own_extra(f)), k = memory_of(f, x);
  const double *there = room_of(f)->g;
  int N = epi_dim(f->sys), n = ((const revolve *)f->own)->pairs, bad = 0;
  if (!x[KNOWN]) bad = period_beside(f, now, s, x, 0, k.g);
  for (int i = 0; i < N; i++) {
    int pair = i < n ? n + i : i;
    if (i >= n && i < 2*n) continue;
    double w = weight(f->own, &run, i), v = weight(f->own, &run, pair), side = (s->y[i] - now->y[i])/w + (s->y[pair] - now->y[pair])/v;
    double by = side < 0 ? -tolerances : tolerances;
    s->y[i] += by*w;
    if (pair != i) s->y[pair] += by*v;
  }
  if (!bad) bad = period_beside(f, now, s, x, 0, room_of(f)->g);
  for (int i = 0; i < k.D; i++) { k.dd[i] += there[i] - k.g[i]; k.g[i] = there[i]; }
  x[KNOWN] = 1;
  return bad;
}

int epi_revolve_along(epi_flow *f, const epi_state *now, epi_state *s, double *x, int turns, int rough)
{
  const room *d = room_of(f);
  const double *g = memory_of(f, epi_own_extra(f)).g;
  int N = epi_dim(f->sys), D = extent(f), bad = 0;
  double *off = x + extras(D), *dd = memory_of(f, x).dd;
  if (turns) {
    bad = period_beside(f, now, s, x, rough, d->g);
    for (int i = 0; i < D; i++) off[i] = d->g[i] - g[i];
  }
  memcpy(d->Y, s->y, (size_t)N*sizeof *d->Y);
  epi_revolve_same(f, now, s, x);
  /* its course of g is that of the run, moved to where it was */
  for (int i = 0; i < D; i++) dd[i] += off[i];
  for (int i = 0; i < N && !bad; i++) s->y[i] = d->Y[i] + g[i] + turns*off[i];
  x[SINGLES] = x[KNOWN] = 0;
  return bad;
}

int epi_revolve_beside(epi_flow *f, const epi_state *now, epi_state *s, double *x, double M)
{
  lend(f, now, M);
  int bad = ((epi_own *)f->own)->whole(f, s, x, epi_own_sign(f));
  take_back(f);
  return bad;
}

/* of one coordinate, where all phases can be asked in one call */
static int swings_at_once(epi_flow *f, const epi_state *s, double h, double *rates)
{
  enum { K = EPI_SWING_PHASES };
  double t[K], theta[K], q[K], push[K];
  for (int j = 0; j < K; j++) {
    t[j] = s->t + j*h;
    theta[j] = epi_phase_at(f->sys, s->t, s->theta, j*h);
    q[j] = s->y[0];
  }
  int bad = f->sys->batch.forces(f->sys, K, t, theta, q, push);
  f->calls += K;
  for (int j = 0; j < K; j++) {
    rates[2*j] = s->y[1];
    rates[2*j + 1] = push[j];
  }
  return bad;
}

/* the state is held where it is: in a fast turn it does not go far, and its forces are those of the phases */
int epi_revolve_swing(epi_flow *f, const epi_state *s, double *out)
{
  const epi_system *m = f->sys;
  const revolve *p = f->own;
  const int at_once = is_pair(f) && m->nq == 1 && m->batch.forces && !m->velocity_force && !m->inertia.speed &&
    (f->space->mass == UNIT || m->inertia.accel);
  int N = epi_dim(m), K = EPI_SWING_PHASES, bad = 0;
  double *rates = room_of(f)->rates, h = epi_turn_time(f->sys, p->period, s->t, epi_own_sign(f))/K;
  if (at_once) bad = swings_at_once(f, s, h, rates);
  for (int j = 0; j < K && !bad && !at_once; j++)
    bad = epi_rate_at(f, s->t + j*h, epi_phase_at(f->sys, s->t, s->theta, j*h), s->y, rates + j*N);
  for (int j = 0; j < K && !bad; j++)
    for (int i = 0; i < N; i++) out[j*N + i] = (j ? out[(j - 1)*N + i] : 0) + 0.5*h*(rates[j*N + i] + rates[(j + 1)%K*N + i]);
  return bad;
}
