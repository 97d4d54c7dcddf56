/* sweeping.h - the parts of a period, inlined: where one coordinate has a force and nothing else moves, as in most, its counts are
 * constants, and what is around its numbers is compiled for them */
#ifndef EPI_SWEEPING_H
#define EPI_SWEEPING_H
#include "crossing.h"
#include "two.h"

/* coordinates that have a force, and that have a rate; all: forces need velocities; size: of the state */
typedef struct { int second, first, all, size; } epi_counts;
#define EPI_ONE_COUNT ((epi_counts){.second = 1, .size = 2})
static inline epi_counts epi_counts_of(const epi_flow *f)
{
  const epi_crossing *p = f->own;
  return (epi_counts){p->second, p->first, p->all, epi_dim(f->sys)};
}
static inline int epi_is_one(const epi_flow *f)
{
  const epi_crossing *p = f->own;
  return p->second == 1 && !p->first && !p->all;
}
/* where the velocity of a coordinate, or what has a rate, stands in the state */
EPI_INLINED int epi_rate_place(epi_counts c, int i) { return i < c.second ? c.second + i : i + c.second; }
EPI_INLINED int epi_moving(epi_counts c) { return c.all || !c.second ? c.size : c.second; }

/* ---- forces at many points ---- */
EPI_INLINED int epi_ask_lanes(epi_flow *f, epi_counts c, int lanes, const epi_crossing_clocks *at, double *out)
{
  epi_system *m = f->sys;
  if (!m->batch.forces || c.all) return epi_crossing_ask(f, lanes, at, out);
  int bad = m->batch.forces(m, lanes, at->t, at->theta, epi_crossing_room_of(f)->path, out);
  f->calls += lanes;
  return bad || epi_has_unit_mass(f) ? bad : epi_crossing_weigh_down(f, lanes, out);
}

/* phases are the same turn after turn, where the pace is */
static inline int epi_same_phases(const epi_crossing_clocks *at, const epi_system *m, const epi_state *s, double T)
{
  return at->from == s->theta && at->T == T && at->rate == m->phase.phase_rate && !m->phase.phase_rate_at;
}

/* what is behind the last one is written after it, or belongs to nobody */
EPI_INLINED void epi_fill(int n, double x, double *out)
{
  for (int i = 0; i < n; i += 2) epi_put_two(out + i, (epi_two){x, x});
}

EPI_INLINED int epi_freeze_each(epi_flow *f, epi_counts c, const epi_state *s, double T, int phases, double shift)
{
  const epi_crossing_room *d = epi_crossing_room_of(f);
  const epi_crossing_clocks *at = &d->at_phases;
  if (shift || at->phases != phases || !f->sys->phase.forced || !epi_same_phases(at, f->sys, s, T)) epi_phases_set(f, s, T, phases, shift);
  if (f->sys->phase.forced) epi_fill(phases, s->t, at->t);
  for (int i = 0; i < epi_moving(c); i++) epi_fill(phases, s->y[i], d->path + i*phases);
  return epi_ask_lanes(f, c, phases, at, d->frozen);
}

/* times and phases at the points */
EPI_INLINED void epi_points_set(epi_flow *f, const epi_state *s, double T, const epi_period_rule *A)
{
  const epi_crossing_clocks *at = &epi_crossing_room_of(f)->at_points;
  const double *c = A->c, t = s->t;
  for (int i = 0; i < A->n; i += 2) epi_put_two(at->t + i, t + epi_two_at(c + i)*T);
  if (at->points != c || at->phases != A->n || !epi_same_phases(at, f->sys, s, T)) epi_points_turn(f, s, T, A);
}

/* the path of the frozen forces and of what is more than these, and those forces along it; from_zero: nothing is more yet */
EPI_INLINED void epi_predict_each(epi_flow *f, epi_counts c, const epi_state *s, double T, const epi_period_rule *A, int from_zero)
{
  const epi_crossing_room *d = epi_crossing_room_of(f);
  const int n = A->n, F = A->phases;
  if (from_zero) memset(d->more, 0, (size_t)((c.second + c.first)*n)*sizeof *d->more);
  epi_points_set(f, s, T, A);
  if (!c.second || c.all) { epi_predict_rates(f, s, T, A, from_zero); return; }
  for (int i = 0; i < c.second; i++)
    A->forms->path(A, T, s->y[i], s->y[c.second + i], d->frozen + i*F, from_zero ? NULL : d->more + i*n, d->wave + i*n, d->base + i*n,
                    d->path + i*n);
}

/* what is more than the frozen forces, along the path from this state */
EPI_INLINED int epi_sweep_each(epi_flow *f, epi_counts c, const epi_state *s, const epi_period_rule *A)
{
  epi_crossing *p = f->own;
  const epi_crossing_room *d = &p->room;
  const int n = A->n;
  int bad = epi_ask_lanes(f, c, n, &d->at_points, d->asked);
  p->ratio = -1;
  for (int i = 0; i < c.second + c.first; i++) {
    const int at = i < c.second ? i : i + c.second;
    A->forms->see(A, d->asked + i*n, d->wave + i*n, d->path + at*n, s->y[at], d->more + i*n, &p->seen[i]);
  }
  return bad;
}

EPI_INLINED void epi_correct_each(const epi_flow *f, epi_counts c, double T, const epi_period_rule *A)
{
  const epi_crossing_room *d = epi_crossing_room_of(f);
  const int n = A->n, S = c.second;
  for (int i = 0; i < S; i++) {
    A->forms->multiply(n, n, T*T, A->twice, d->more + i*n, d->base + i*n, d->path + i*n);
    if (c.all) A->forms->multiply(n, n, T, A->once, d->more + i*n, d->base + (S + i)*n, d->path + (S + i)*n);
  }
  for (int i = 0; i < c.first; i++) A->forms->multiply(n, n, T, A->once, d->more + (S + i)*n, d->base + (2*S + i)*n, d->path + (2*S + i)*n);
}

/* ---- what it led to ---- */
EPI_INLINED void epi_move_each(const epi_flow *f, epi_counts c, const epi_state *s, double T, const epi_period_rule *A, double *moved)
{
  const epi_crossing *p = f->own;
  const int F = A->phases, S = c.second;
  double *noise = moved + c.size;
  for (int i = 0; i < S + c.first; i++) {
    const double *frozen = p->room.frozen + i*F;
    const epi_period_sums *seen = &p->seen[i];
    const int at = epi_rate_place(c, i);
    double mean = 0, twice = seen->twice, size = 0;
    for (int j = 0; j < F; j++) {
      mean += frozen[j];
      twice += A->wave_end[j]*frozen[j];
      size = epi_larger(size, fabs(frozen[j]));
    }
    moved[at] = T*(mean/F + seen->once);
    noise[at] = size = 1.1e-16*(size + seen->most)*fabs(T);
    if (i >= S) continue;
    moved[i] = T*s->y[S + i] + T*T*twice;
    noise[i] = fabs(T)*(size + 1.1e-16*fabs(s->y[S + i]));
  }
}

EPI_INLINED double epi_change_each(const epi_flow *f, epi_counts c, double T, const double *allowed)
{
  const epi_crossing *p = f->own;
  double most = 0;
  for (int i = 0; i < c.second + c.first; i++) most = epi_larger(most, fabs(T)*p->seen[i].change/allowed[epi_rate_place(c, i)]);
  return most;
}

/* of one coordinate with a smooth force: what a sweep more would make of the forces, foretold by how they changed along the way, of which
   the part `rest` is left */
EPI_INLINED void epi_foretell_sweep(epi_flow *f, const epi_state *s, double T, const epi_period_rule *A, double rest)
{
  epi_crossing *p = f->own;
  const epi_crossing_room *d = &p->room;
  double *next = d->asked;
  A->forms->multiply(A->n, A->n, T*T, A->twice, d->more, d->base, next);
  A->forms->go_on(A, s->y[0], d->path, next, 4*p->ratio, d->more, p->seen);
  p->seen[0].change *= rest;
}

EPI_INLINED epi_crossing_signs epi_signs_each(const epi_flow *f, epi_counts c, double T, const double *allowed, const double *moved)
{
  const epi_crossing *p = f->own;
  epi_crossing_signs x = {0};
  for (int i = 0; i < c.second + c.first; i++) {
    const int at = epi_rate_place(c, i);
    const epi_period_sums *seen = &p->seen[i];
    const double unit = fabs(T)/epi_larger(allowed[at], 32*moved[c.size + at]);
    x.tail = epi_larger(x.tail, unit*(fabs(seen->last) + fabs(seen->before_last)));
    x.change = epi_larger(x.change, unit*seen->change);
  }
  return x;
}

EPI_INLINED double epi_echo_each(const epi_flow *f, epi_counts c, double T)
{
  epi_crossing *p = f->own;
  const int R = c.second ? c.second : c.first;
  if (p->ratio < 0) {
    double square = 0, way = 0;
    for (int i = 0; i < R; i++) { square += p->seen[i].square; way += p->seen[i].way; }
    p->ratio = way > 0 ? sqrt(square/way) : 0;
  }
  return (c.second ? 0.14*T*T : 0.4*fabs(T))*p->ratio;
}
#endif
