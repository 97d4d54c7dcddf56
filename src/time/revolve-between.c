/* revolve-between.c - states of revolve, and what lies between the ends of a step over many periods: those at whole turns and inside of
 * them */
#include "method/records.h"
#include "revolving.h"
#include "sums.h"

int epi_revolve_settle(epi_flow *f, double t, double *y, const room *d)
{
  epi_system *m = f->sys;
  if (m->manifold.retract) {
    memset(d->still, 0, (size_t)epi_nv(m)*sizeof *d->still);
    memcpy(d->still + epi_nv(m), y, (size_t)m->nq*sizeof *y);
    m->manifold.retract(m, d->still + epi_nv(m), d->still, y);
  }
  if (!m->nc) return 0;
  epi_state s = {.t = t, .y = y};
  return epi_move_onto_constraints(f->space, &s, d->settle, &f->fault);
}

/* a micro flow that can be told so is told what it may be off by, in units of the tolerance */
void epi_revolve_allow(epi_flow *f, const double *x, double share, const room *d)
{
  const revolve *p = f->own;
  const memory k = memory_of(f, (double *)x);
  for (int i = 0, N = epi_dim(f->sys); i < N; i++) d->allowed[i] = share*weight(p, &k, i);
  f->kid[0]->allowed = f->kid[0]->whole ? d->allowed : NULL;
}

/* where so many turns from t on end, near where a sum of periods puts that: the phase itself is known as exactly as its rate */
double epi_turns_end(epi_system *m, double t, double turns, double end)
{
  for (int it = 0; it < 4; it++) {
    double off = fabs(epi_phase_turned(m, t, end - t)) - 2*EPI_PI*turns, d = off/fabs(m->phase.phase_rate_at(m, end));
    end -= end < t ? -d : d;
    if (!(fabs(off) > 1e-12*turns)) break;
  }
  return end;
}

/* what the state moves by in the first n of M periods, by m points */
static double summed(const memory *k, double M, int m, const double *S, int i)
{
  double sum = 0, scale = M;
  for (int j = 0; j < m; j++, scale *= M) sum += scale*S[j]*k->dd[j*k->D + i];
  return sum;
}

void epi_revolve_strobe(const epi_flow *f, const double *x, double j, const double *a, double *out)
{
  memory k = memory_of(f, (double *)x);
  int m = (int)x[POINTS];
  double S[MOST_ORDER + 1], E[MOST_ORDER + 1], M = x[TURNS];
  epi_newton_sums(m, k.place, M, j, S, E);
  for (int i = 0; i < k.D; i++) out[i] = a[i] + summed(&k, M, m, S, i) + M*S[m]*k.share[i];
}

/* over h of a period T, by the steps of a whole one as far as they go: where a force bends at the end of one of these it is not gone
   over */
static int go_inside(epi_flow *micro, epi_state *s, double h, double T, epi_tick end)
{
  const int divides = micro->record == &epi_SUBSTEPS;
  epi_flow *a = divides ? micro->kid[0] : micro;
  const double step = divides ? T/micro->arg[0].number : h, whole = divides ? fmax(0, ceil(h/step - 1e-9) - 1) : 0;
  int bad = whole > 0 ? epi_go(a, s, step, (long)whole) : 0;
  epi_land(s, end);
  return bad ? bad : epi_go(a, s, h - whole*step, 1);
}

/* from the state before the last step over h, which ends inside it */
int epi_revolve_part(epi_flow *f, epi_state *s, double h, epi_tick end)
{
  const revolve *p = f->own;
  const room *d = room_of(f);
  const double *x = epi_own_extra(f);
  int N = epi_dim(f->sys), bad;
  double T = epi_turn_time(f->sys, p->period, s->t, h < 0 ? -1 : 1), j = fmin(floor(h/T + 1e-9), x[TURNS]), left = h - j*T;
  memcpy(d->Y, s->y, (size_t)N*sizeof *d->Y);
  if (p->timed) {
    /* the last period that begins before the end */
    double low = 0, high = x[TURNS], began = s->t;
    d->Y[N] = s->t;
    while (high - low > 1.5) {
      double mid = floor(0.5*(low + high));
      epi_revolve_strobe(f, x, mid, d->Y, d->predicted);
      if ((d->predicted[N] - began)*h <= h*h) low = mid; else high = mid;
    }
    j = low;
  }
  if (j > 0) {
    epi_revolve_strobe(f, x, j, d->Y, d->predicted);
    memcpy(s->y, d->predicted, (size_t)N*sizeof *d->Y);
    if (p->timed) {
      double at = epi_turns_end(f->sys, s->t, j, d->predicted[N]);
      left = h - (at - s->t);
      s->t = at;
      s->key.rest = 0;
    }
    else epi_turn_clock(s, j*T);
    if ((bad = epi_revolve_settle(f, s->t, s->y, d))) return bad;
  }
  s->theta = x[THETA0];
  if (!(fabs(left) > fmax(1e-9*fabs(T), 4.5e-16*fabs(s->t)))) return 0;
  if (!f->kid[0]->whole && f->below) epi_forget(f->kid[0]);
  /* it ends here, and adds up with nothing */
  epi_revolve_allow(f, x, 0.1*p->share, d);
  bad = go_inside(f->kid[0], s, left, p->timed ? epi_turn_time(f->sys, p->period, s->t, h < 0 ? -1 : 1) : T, end);
  f->kid[0]->allowed = NULL;
  return bad;
}

/* one period from here, for those who ask how far something swings in it. It leaves no trace */
int epi_revolve_turn(epi_flow *f, const epi_state *s, double *T, void (*see)(void *, epi_state *), void *data)
{
  const revolve *p = f->own;
  const double period = epi_turn_time(f->sys, p->period, s->t, epi_own_sign(f) < 0 ? -1 : 1);
  int N = epi_dim(f->sys), bad = 0;
  *T = fabs(period);
  if (!see) return 0;
  const room *d = room_of(f);
  if (!f->sys->nc && !f->sys->manifold.retract) return epi_course(f, s, period, see, data, d->turning);
  epi_state a = {.t = s->t, .theta = s->theta, .y = d->turning};
  memcpy(a.y, s->y, (size_t)N*sizeof *a.y);
  epi_keep_out(f->kid[0], d->kept);
  see(data, &a);
  for (int i = 0; i < EPI_COURSE_STEPS && !bad; i++) {
    bad = epi_go(f->kid[0], &a, period/EPI_COURSE_STEPS, 1);
    if (!bad) see(data, &a);
  }
  epi_keep_in(f->kid[0], d->kept);
  if (bad > 0) epi_clear_error(f);
  return bad;
}
