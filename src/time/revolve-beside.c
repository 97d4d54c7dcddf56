/* revolve-beside.c - a second solution beside a run of revolve: its own course of the points, with what the run knows of periods and of how
 * they change with the state */
#include "revolving.h"

long epi_revolve_beside_size(const epi_flow *f) { return extras(extent(f)) + f->below; }
double epi_revolve_turns(const epi_flow *f) { return epi_own_extra(f)[TURNS]; }
double epi_revolve_points(const epi_flow *f, const double *x) { return (x ? x : epi_own_extra(f))[POINTS]; }

/* what the run knows now is lent to the one beside it, for a step of M */
static void lend(epi_flow *f, const epi_state *now, double *x, double M)
{
  revolve *p = f->own;
  const memory run = memory_of(f, epi_own_extra(f)), k = memory_of(f, x);
  epi_keep_out(f->kid[0], x + extras(k.D));
  p->given = M;
  p->run = now->y;
  p->run_g = epi_own_extra(f)[KNOWN] && !p->timed ? run.g : NULL;
  memcpy(k.secants, run.secants, (size_t)epi_secants_size(k.D)*sizeof *k.secants);
}

static void take_back(epi_flow *f, double *x)
{
  ((revolve *)f->own)->given = 0;
  epi_keep_in(f->kid[0], x + extras(extent(f)));
}

void epi_revolve_same(const epi_flow *f, const epi_state *now, epi_state *s, double *x)
{
  memcpy(s->y, now->y, (size_t)epi_dim(f->sys)*sizeof *s->y);
  epi_set_clock(s, (epi_tick){now->t, now->key.rest, now->theta});
  memcpy(x, epi_own_extra(f), (size_t)extras(extent(f))*sizeof *x);
}

int epi_revolve_along(epi_flow *f, const epi_state *now, epi_state *s, double *x, int rough)
{
  revolve *p = f->own;
  const room *d = room_of(f);
  int N = epi_dim(f->sys);
  memcpy(d->Y, s->y, (size_t)N*sizeof *d->Y);
  if (p->timed) d->Y[N] = s->t;
  lend(f, now, x, 1);
  p->rough = rough;
  int bad = epi_revolve_period(f, x, s->t, d->Y, epi_turn_time(f->sys, p->period, s->t, epi_own_sign(f)), d->g);
  p->rough = 0;
  take_back(f, x);
  epi_revolve_same(f, now, s, x);
  /* its course of g is that of the run, moved to where it was */
  if (!bad) memcpy(memory_of(f, x).dd, d->g, (size_t)extent(f)*sizeof *d->g);
  for (int i = 0; i < N && !bad; i++) s->y[i] = d->Y[i] + d->g[i];
  x[SINGLES] = x[KNOWN] = 0;
  return bad;
}

int epi_revolve_beside(epi_flow *f, const epi_state *now, epi_state *s, double *x, double M)
{
  lend(f, now, x, M);
  int bad = epi_revolve_whole(f, s, x, epi_own_sign(f));
  take_back(f, x);
  return bad;
}
