/* phase.c - is the phase of a system what an average takes it for? Its forces are asked at a few phases and times while the slow state is
 * held: a wrong answer here is wrong by as much as the motion itself, with any step */
#include "phase.h"

enum { POINTS = 5 };

int epi_can_be_asked(const epi_system *m) { return !m->derived && (epi_has_force(m) || epi_all_rate(m)); }

static int entries(const epi_system *m) { return epi_has_force(m) ? epi_nv(m) : epi_dim(m); }

static int ask(const epi_phase_question *a, double t, double theta, double *out)
{
  epi_system *m = a->average->sys;
  return epi_has_force(m) ? epi_force_at(m, t, theta, a->y, out) : m->rate(m, t, a->y, out);
}

/* over five points: the largest force, the change from first to last, and the way off the straight line between them */
typedef struct { double size, jump, bend; } change;

static change change_over(int n, const double *x, const double *at)
{
  change c = {0};
  for (int i = 0; i < n; i++) {
    double rise = x[(POINTS - 1)*n + i] - x[i];
    c.jump = fmax(c.jump, fabs(rise));
    for (int k = 0; k < POINTS; k++) {
      c.size = fmax(c.size, fabs(x[k*n + i]));
      c.bend = fmax(c.bend, fabs(x[k*n + i] - x[i] - at[k]*rise));
    }
  }
  return c;
}

int epi_ask_turn(const epi_phase_question *a)
{
  static const double at[POINTS] = {0, 0.25, 0.5, 0.75, 1};
  const epi_system *m = a->average->sys;
  int n = entries(m);
  if (!m->phase.forced) return 0;
  for (int k = 0; k < POINTS; k++) if (ask(a, a->t, a->theta + 2*EPI_PI*at[k], a->work + k*n)) return 0;
  change c = change_over(n, a->work, at);
  /* a little beside a large force pulls one way all the time */
  if (c.jump <= 1e-11*(1 + fabs(a->theta))*c.size) return 0;
  return epi_fail_cause(a->average, EPI_WRONG, EPI_PHASE, "%s: the force changes by %g, of %g, when its phase turns once: give it the "
                        "period 2 pi in theta", a->average->record->name, c.jump, c.size);
}

/* while a period of t goes by from there on; slow time alone bends little in one. 1: more than a little */
static int changes(const epi_phase_question *a, double t, change *c)
{
  /* no two differ by half a period or a third of one: overtones show too */
  static const double at[POINTS] = {0, 0.21, 0.45, 0.72, 1};
  int n = entries(a->average->sys);
  for (int k = 0; k < POINTS; k++) if (ask(a, t + a->period*at[k], a->theta, a->work + k*n)) return 0;
  *c = change_over(n, a->work, at);
  return c->bend > 0.1*c->size;
}

int epi_ask_time(const epi_phase_question *a, int anchored)
{
  const epi_system *m = a->average->sys;
  const char *name = a->average->record->name;
  change c, later;
  /* what jumps once does not two periods later */
  if (!changes(a, a->t, &c) || (c.jump > 0.1*c.bend && !changes(a, a->t + 2.37*a->period, &later))) return 0;
  if (!m->phase.forced && c.jump > 0.1*c.bend)
    return epi_fail(a->average, EPI_WRONG, "%s: %g is not a period of the force: after it the force has changed by %g, of %g; give "
                    "the true period", name, a->period, c.jump, c.size);
  if (m->phase.forced && anchored && c.jump > 0.1*c.bend)
    return epi_fail(a->average, EPI_WRONG, "%s: while theta is held the force changes by %g, of %g, within a fast period of t, and does "
                    "not come back after it: take the fast phase from theta, with its true period, and only slow time from t", name,
                    c.bend, c.size);
  if (anchored) return 0;
  if (m->phase.forced)
    return epi_fail(a->average, EPI_WRONG, "%s: while theta is held the force changes by %g, of %g, within a fast period of t, and "
                    "windows at any t would start at any phase: take the fast phase in forced(t, theta, q) from theta, and only slow time "
                    "from t",
                    name, c.bend, c.size);
  return epi_fail(a->average, EPI_WRONG, "%s: the force has its fast phase in t, and windows at any t would start at any phase: use "
                  "forced(t, theta, q) with phase_rate, or for a rate without slow time set phase_rate", name);
}

int epi_ask_even(const epi_phase_question *a)
{
  int n = entries(a->average->sys), bad;
  double *x = a->work, *y = x + n, odd = 0, size = 0;
  for (int k = 1; k <= 3; k++) {
    if ((bad = ask(a, a->t, a->theta + 0.9*k, x)) || (bad = ask(a, a->t, a->theta - 0.9*k, y))) return bad;
    for (int i = 0; i < n; i++) {
      odd = epi_larger(odd, fabs(x[i] - y[i]));
      size = epi_larger(size, fabs(x[i]) + fabs(y[i]));
    }
  }
  a->average->calls += 6;
  if (odd <= 1e-6*size) return 0;
  return epi_fail(a->average, EPI_WRONG, "hmm: the forcing is not even about theta0 = %g, and a box or even=1 need that: start at a "
                  "phase of symmetry (theta0), or take kernel=kaiser without even", a->theta);
}

/* ---- systems that take their phase from t ---- */
typedef struct { const epi_flow *average; epi_phased *made; int others; } moving_house;

static void move_in(epi_flow *f, void *to)
{
  moving_house *a = to;
  a->others += f->sys != a->average->sys || f->other != NULL;
  if (f->sys != a->average->sys) return;
  epi_space_release(f->space);
  f->space = epi_space_hold(a->made->space);
  f->sys = &a->made->sys;
}

epi_phased *epi_phased_make(epi_flow *f, double theta0)
{
  const epi_system *m = f->sys;
  const char *name = f->record->name;
  epi_refuse(f, m->phase.phase_in_t == 1,
             "%s: a constraint or a force of velocity takes the fast phase from t, and windows at any t would start "
             "at any phase: take a motion, a formula of theta or the ground instead of a function of t, or integrate directly", name);
  if (f->broken || m->phase.phase_in_t != 2) return NULL;
  epi_refuse(f, m->derived || m->phase.phase_rate_at || !(fabs(m->phase.phase_rate) > 0),
             "%s: the phase of what takes it from t can be moved in a system of its own with a constant phase_rate alone: leave out what "
             "is between it and the average, or integrate directly", name);
  epi_phased *made = f->broken ? NULL : calloc(1, sizeof *made);
  if (f->broken || epi_refuse_memory(f, !made)) return NULL;
  made->sys = made->held = *m;
  made->held.phase.held = 1;
  made->held.phase.shift = theta0 - m->phase.theta0;
  made->space = epi_space_make(&made->sys);
  size_t numbers = (size_t)(POINTS*(2*m->nc + epi_nv(m)) + epi_nv(m));
  if (made->space) made->room = calloc(numbers + (size_t)epi_G_size(made->space) + 1, sizeof(double));
  epi_refuse_memory(f, !made->room);
  moving_house all = {f, made, 0};
  if (!epi_refuse_memory(f, !made->space)) epi_visit(f->kid[0], move_in, &all);
  epi_refuse(f, all.others > 0, "%s: a micro flow over parts of a system cannot move the phase that these take from t: use verlet or rk4 "
             "of all of it, or shake the ground", name);
  return made;
}

void epi_phased_free(epi_phased *a)
{
  if (a) { epi_space_release(a->space); free(a->room); }
  free(a);
}

/* while the phase is held nothing may swing with t: asked of how fast constraints move, for what is slow may begin to, and of all forces
   from rest */
int epi_phased_ask(epi_phased *a, epi_flow *average, double t, double period, const double *q)
{
  static const double at[POINTS] = {0, 0.21, 0.45, 0.72, 1};
  if (!a) return 0;
  epi_system *m = &a->held;
  int nc = m->nc, nv = epi_nv(m);
  double *g = a->room, *gt = g + POINTS*nc, *f = gt + POINTS*nc, *v = f + POINTS*nv, *G = v + nv;
  memset(v, 0, (size_t)nv*sizeof *v);
  memset(f, 0, (size_t)(POINTS*nv)*sizeof *f);
  for (int k = 0; k < POINTS; k++) {
    if (nc && epi_constraint_eval(m, t + period*at[k], q, g + k*nc, G, gt + k*nc)) return 0;
    if (epi_has_force(m) && epi_force_at(m, t + period*at[k], m->phase.theta0 + m->phase.shift, q, f + k*nv)) return 0;
    if (m->velocity_force && m->velocity_force(m, t + period*at[k], q, v, f + k*nv)) return 0;
  }
  change all[] = {change_over(nc, gt, at), change_over(nv, f, at)};
  for (int i = 0; i < 2; i++)
    if (all[i].bend > 0.1*all[i].size && all[i].bend > 0)
      return epi_fail(average, EPI_WRONG, "%s: while the phase is held %s by %.3g, of %.3g, within a fast period of t, and windows at any "
                      "t would start anywhere in that: give all that is fast the frequency of the phase, or whole multiples of it",
                      average->record->name, i ? "forces change" : "the speed of constraints changes", all[i].bend, all[i].size);
  return 0;
}

void epi_phased_at(epi_phased *a, double t, double theta)
{
  if (a) a->sys.phase.shift = theta - (a->sys.phase.theta0 + a->sys.phase.phase_rate*t);
}
