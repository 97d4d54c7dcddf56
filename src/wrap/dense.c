/* dense.c - the state inside the last step, and the wrapper that remembers one */
#include "core.h"

/* the end state and the kept memory at the end */
long epi_inside_room(const epi_flow *a) { return epi_dim(a->sys) + a->sys->nc + epi_keep_size(a); }

void epi_want_dense(epi_flow *a)
{
  a->dense = 1;
  if (a->record->arrow == EPI_WRAPPER && (a->between || a->tells) && a->nkid) epi_want_dense(a->kid[0]);
}

int epi_listen(epi_flow *f)
{
  epi_flow *a = f->kid[0];
  if (!a->tells || a->listener) return a->tells;
  a->listener = f;
  if (a->open) a->open(a);
  if (a->hears) epi_listen(a);
  epi_refuse_fault(f, a->broken, &a->fault);
  epi_want_dense(a);
  return 1;
}

int epi_hand_on(epi_flow *f, epi_flow *by, epi_state *s, const epi_start *start) { return epi_tell(f, by, s, start); }

/* from the start of the last step over h, by so many steps */
static int go_again(epi_flow *a, const epi_start *start, epi_state *s, double h, long steps)
{
  memcpy(s->y, start->y, (size_t)epi_dim(a->sys)*sizeof *s->y);
  epi_keep_in(a, start->keep);
  epi_back_to(s, start->mark);
  epi_cache_invalidate(s);
  return epi_go(a, s, h/(double)steps, steps);
}

int epi_step_again(epi_flow *a, epi_start start, epi_state *s, double h, double *y, epi_tick *clock, double *work)
{
  size_t n = (size_t)epi_dim(a->sys);
  double *end = work, *kept = work + n + a->sys->nc, *impulse = s->impulse, *live = s->y;
  epi_mark m = epi_mark_of(s);
  epi_keep_out(a, kept);
  s->y = end;
  s->impulse = NULL;
  s->key.trial++;
  int bad = go_again(a, &start, s, h, 1);
  /* a part of a step may fail though all of it did not, as the iteration of an implicit one where a force bends */
  for (long steps = 2; bad > 0 && steps <= 64; steps *= 2) {
    epi_clear_error(a);
    bad = go_again(a, &start, s, h, steps);
  }
  s->key.trial--;
  memcpy(y, end, n*sizeof *y);
  if (clock) *clock = (epi_tick){s->t, s->key.rest, s->theta};
  s->y = live;
  s->impulse = impulse;
  epi_back_to(s, m);
  epi_cache_invalidate(s);
  epi_keep_in(a, kept);
  return bad;
}

int epi_inside(epi_flow *a, epi_start start, epi_state *s, double t, double *y, double *work)
{
  if (t == s->t) { memcpy(y, s->y, (size_t)epi_dim(a->sys)*sizeof *y); return 0; }
  if (a->between && !a->between(a, t, y)) return 0;
  if (!start.keep) return epi_fail(a, EPI_WRONG, "%s does not know the inside of its step at t = %.10g", a->record->name, t);
  return epi_step_again(a, start, s, t - start.mark.t, y, NULL, work);
}

/* ---- dense(flow): keep t0, theta0, t1, theta1, h, y0, y1, kept memory of the kid at t0 ---- */
static int dense(epi_flow *f, epi_state *s, double h, long n)
{
  epi_flow *a = f->kid[0];
  size_t N = (size_t)epi_dim(f->sys);
  double *t0 = f->keep, *y0 = f->keep + 5, *y1 = y0 + N, *kept = y1 + N;
  int bad = 0;
  a->err = f->err;
  if (n > 1 && (bad = epi_go(a, s, h, n - 1))) return bad;
  t0[0] = s->t;
  t0[1] = s->theta;
  memcpy(y0, s->y, N*sizeof *y0);
  epi_keep_out(a, kept);
  if ((bad = epi_go(a, s, h, 1))) return bad;
  t0[2] = s->t;
  t0[3] = s->theta;
  t0[4] = h;
  memcpy(y1, s->y, N*sizeof *y1);
  return 0;
}

static int dense_between(epi_flow *f, double t, double *y)
{
  size_t N = (size_t)epi_dim(f->sys);
  double *t0 = f->keep, *y0 = f->keep + 5, *y1 = y0 + N, *kept = y1 + N;
  epi_flow *a = f->kid[0];
  epi_state s = {.t = t0[2], .theta = t0[3], .y = y1};
  epi_start start = {.mark = {.t = t0[0], .theta = t0[1]}, .y = y0, .keep = kept};
  /* after a restart the stages are gone: take the same step once more to have them */
  if (a->between && a->between(a, t, y)) epi_step_again(a, start, &s, t0[4], y, NULL, f->work);
  return epi_inside(a, start, &s, t, y, f->work);
}

/* one is remembered where its ends are apart; it goes from the one to the other, and what the kid knew at its start is used again */
static int unsound(const epi_flow *f, const epi_state *s)
{
  double *t0 = f->keep, *y0 = t0 + 5;
  int N = epi_dim(f->sys);
  (void)s;
  for (int i = 0; i < 5 + 2*N; i++) if (!isfinite(t0[i])) return 1;
  if (t0[0] == t0[2]) return 0;
  if (!(fabs(t0[2] - t0[0] - t0[4]) <= 1e-9*(fabs(t0[0]) + fabs(t0[2]) + fabs(t0[4])))) return 1;
  epi_state start = {.t = t0[0], .theta = t0[1], .y = y0};
  return epi_unsound_at(f->kid[0], y0 + 2*N, &start, f->work);
}

static void dense_build(epi_flow *f)
{
  epi_flow *a = f->kid[0];
  f->claims = a->claims & ~(unsigned)EPI_TAPS;
  epi_refuse(f, !(a->claims & EPI_CLOCK), "dense needs a flow that moves time; %s does not", a->record->name);
  epi_want_dense(a);
  f->nerr = a->nerr;
  if (epi_blocks(f, 5 + 2*epi_dim(f->sys) + f->below, epi_inside_room(a))) return;
  f->between = dense_between;
  f->unsound = unsound;
  f->lands = a->lands;
  f->go = dense;
}

int epi_between(epi_flow *f, double t, double *y)
{
  if (f->broken) return EPI_WRONG;
  if (f->go != dense) return epi_fail(f, EPI_WRONG, "only a flow made as dense(...) knows the inside of its last step");
  const double *t0 = f->keep;
  if (!((t - t0[0])*(t0[2] - t) >= 0) || t0[0] == t0[2])
    return epi_fail(f, EPI_WRONG, "t = %g is outside the last step [%g, %g]", t, t0[0], t0[2]);
  return dense_between(f, t, y);
}

const epi_record epi_DENSE = {
  .name = "dense", .doc = "remembers its last step: epi_between gives the state at any time inside it",
  .cite = "Hairer, Norsett & Wanner, Solving Ordinary Differential Equations I, II.6", .example = "dense(dopri5)",
  .arrow = EPI_WRAPPER, .least = 1, .most = 1, .build = dense_build,
};
