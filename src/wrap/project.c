/* project.c - back onto the slow manifold: the state is replaced by its average over a window, by the same micro run as the force */
#include "average/window.h"
#include "method/records.h"

enum { EVERY, DRIFT, FLOOR, START };
/* kept: begun, the time it began, projections due so far, projections made, energy that they dropped, and what there was at the first; the
   largest kinetic energy since, because energies count from anywhere */
enum { BEGUN, FROM, DUE, MADE, DROPPED, ENERGY, KINETIC, NKEEP };

/* the history of steps ends here; that of outputs goes on */
static void renew(epi_flow *f, void *p)
{
  (void)p;
  if (f->nkeep && f->record != &epi_WATCH && f->record != &epi_AT) memset(f->keep, 0, (size_t)f->nkeep*sizeof *f->keep);
}

static double energy_of(epi_system *m, double t, const double *y) { return m->energy ? m->energy(m, t, y) : 0; }

static int project_now(epi_flow *f, epi_state *s, const double *mean)
{
  epi_system *m = epi_average_of(f)->kid[0]->sys;
  double had = energy_of(m, s->t, s->y);
  if (!f->keep[MADE]) f->keep[ENERGY] = had;
  memcpy(s->y, mean, (size_t)epi_dim(f->sys)*sizeof *s->y);
  f->keep[DROPPED] += had - energy_of(m, s->t, s->y);
  epi_cache_invalidate(s);
  epi_visit(f->kid[0], renew, NULL);
  f->keep[MADE]++;
  f->refused++;
  return 0;
}

static void see_motion(epi_flow *f, const epi_state *s)
{
  const epi_system *m = f->sys;
  const double *v = s->y + m->nq;
  double T = 0;
  for (int i = 0; i < epi_nv(m); i++) T += 0.5*(m->mass ? m->mass[i] : 1)*v[i]*v[i];
  if (!m->inertia.mass_matrix && !m->inertia.mass_solve && T > f->keep[KINETIC]) f->keep[KINETIC] = T;
}

/* a vibration that is forced comes back by itself; the fast energy of a stiff system does not */
static void doubt(epi_flow *f)
{
  double dropped = f->keep[DROPPED], had = f->keep[ENERGY];
  if (epi_average_of(f)->kid[0]->sys->phase.forced || !(fabs(dropped) > 0.01*fmax(fabs(had), f->keep[KINETIC]))) return;
  epi_warn(f, "project: %s dropped %.3g of an energy of %.3g: that was fast motion, and what it would do to the slow motion is left out; "
           "integrate directly where it matters", f->keep[MADE] > 1 ? "projections together" : "the projection", dropped, had);
}

/* the mean of numbers of rotations and of constrained positions is off by the square of the swing: it is put where it belongs. Work, behind
   all other: a position, a step of zero, room for constraints */
static int mean_of(epi_flow *f, const epi_state *s, double *mean)
{
  epi_system *m = f->sys;
  double *q = f->work + 2*epi_dim(m) + f->below, *zero = q + m->nq, *room = zero + epi_nv(m);
  int bad = epi_slow_of(epi_average_of(f))->mean(epi_average_of(f), s->t, s->theta, s->y, mean);
  if (bad) return bad;
  if (m->manifold.retract) {
    memcpy(q, mean, (size_t)m->nq*sizeof *q);
    memset(zero, 0, (size_t)epi_nv(m)*sizeof *zero);
    m->manifold.retract(m, q, zero, mean);
  }
  epi_state at = {.t = s->t, .y = mean};
  return m->nc ? epi_move_onto_constraints(f->space, &at, room, &f->fault) : 0;
}

/* how far the state has left its own average, relative to its size */
static int drifted(epi_flow *f, epi_state *s)
{
  double drift = f->arg[DRIFT].number, floor = f->arg[FLOOR].number, *mean = f->work, worst = 0;
  int bad;
  if (!(drift > 0)) return 0;
  if ((bad = mean_of(f, s, mean))) return bad;
  for (int i = 0; i < epi_dim(f->sys); i++) worst = epi_larger(worst, fabs(s->y[i] - mean[i])/fmax(fabs(s->y[i]), floor));
  return worst > drift ? project_now(f, s, mean) : 0;
}

/* constraints that move with the phase hold the start as they are there, and the mean of it as the slow motion has them */
static int off_moving(epi_flow *f, const epi_state *s)
{
  epi_flow *average = epi_average_of(f);
  epi_window *w = epi_window_of(average);
  double *room = f->work + 2*epi_dim(f->sys) + f->below + f->sys->nq + epi_nv(f->sys);
  if (!w->phased || !f->sys->nc) return 0;
  epi_phased_at(w->phased, s->t, s->theta);
  return epi_off_constraints(average->kid[0]->space, s, room, &f->fault);
}

static int due(epi_flow *f, epi_state *s, double sign)
{
  double every = f->arg[EVERY].number, *k = f->keep;
  int first = !k[BEGUN], bad;
  if (first) { k[BEGUN] = 1; k[FROM] = s->t; k[DUE] = 1; }
  int now = first && f->arg[START].number != 0;
  while (every > 0 && sign*(s->t - (k[FROM] + sign*k[DUE]*every)) > -1e-9*every) { k[DUE]++; now = 1; }
  f->settles = 0;
  if (!now) return 0;
  if (first && (bad = off_moving(f, s))) return bad;
  if ((bad = mean_of(f, s, f->work))) return bad;
  return project_now(f, s, f->work);
}

/* from one projection to the next; work, after the mean: y and the kept memory at its start */
static int piece(epi_flow *f, epi_state *s, double h)
{
  epi_flow *a = f->kid[0];
  double *y0 = f->work + epi_dim(f->sys), *kept = y0 + epi_dim(f->sys);
  epi_start start = {.mark = epi_mark_of(s), .y = y0, .keep = kept};
  if (!f->listener || a->tells) return epi_go(a, s, h, 1);
  memcpy(y0, s->y, (size_t)epi_dim(f->sys)*sizeof *y0);
  epi_keep_out(a, kept);
  int bad = epi_go(a, s, h, 1);
  return bad ? bad : epi_tell(f, a, s, &start);
}

static int project(epi_flow *f, epi_state *s, double h, long n)
{
  epi_flow *a = f->kid[0];
  double every = f->arg[EVERY].number, sign = h < 0 ? -1 : 1;
  int bad;
  a->err = f->err;
  if (s->key.trial) return epi_go(a, s, h, n);
  for (; n > 0; n--) {
    epi_tick end = epi_target(f->sys, s, h);
    for (double left = h; s->t != end.t || s->key.rest != end.rest; left = (end.t - s->t) + (end.rest - s->key.rest)) {
      if (epi_stopping(f)) return EPI_INTERRUPTED;
      if ((bad = due(f, s, sign))) return bad;
      double next = f->keep[FROM] + sign*f->keep[DUE]*every;
      int last = !(every > 0) || sign*(next - end.t) > -1e-9*fabs(h);
      epi_land(s, last ? end : (epi_tick){.t = next, .theta = epi_phase_at(f->sys, s->t, s->theta, next - s->t)});
      if ((bad = piece(f, s, last ? left : (next - s->t) - s->key.rest))) return bad;
      if (last) epi_set_clock(s, end);
      if ((bad = drifted(f, s))) return bad;
      see_motion(f, s);
    }
  }
  return 0;
}

/* inside tolerance: after a step is accepted, not before */
static int deliver(epi_flow *f, epi_state *s, const void *from)
{
  epi_flow *a = f->kid[0];
  epi_start start = *(const epi_start *)from;
  start.keep += f->nkeep;
  int bad = a->deliver ? a->deliver(a, s, &start) : 0;
  if (bad || (bad = drifted(f, s))) return bad;
  see_motion(f, s);
  return 0;
}

/* up to the state all projections were made */
static int unsound(const epi_flow *f, const epi_state *s)
{
  const double *k = f->keep, every = f->arg[EVERY].number;
  for (int i = 0; i < NKEEP; i++) if (!isfinite(k[i])) return 1;
  if ((k[BEGUN] != 0 && k[BEGUN] != 1) || !epi_is_count(k[DUE]) || !epi_is_count(k[MADE])) return 1;
  return k[BEGUN] && every > 0 && !(fabs(s->t - k[FROM]) <= (k[DUE] + 1)*every);
}

static int project_between(epi_flow *f, double t, double *y) { return f->kid[0]->between(f->kid[0], t, y); }

static void project_build(epi_flow *f)
{
  epi_flow *a = f->kid[0], *average = epi_average_of(f);
  f->claims = (a->claims & (EPI_CLOCK | EPI_BACKWARD | EPI_ESTIMATE | EPI_WATCHES)) | EPI_WATCHES;
  epi_window *w = epi_window_of(average);
  epi_refuse(f, !w && epi_companion_of(a),
             "project takes the fast motion out of a slow one, and revolve gives all of the motion: leave project out, or for the slow "
             "part alone take hmm or adiabatic");
  epi_refuse(f, !w,
             "project averages the state over the window of an hmm, and %s has none inside: use it as in "
             "project(rk4(hmm(verlet, start=current)))", a->record->name);
  epi_refuse(f, f->arg[EVERY].number < 0 || f->arg[DRIFT].number < 0, "project: every and drift cannot be negative");
  epi_refuse(f, w && !w->m[1], "project averages over both halves of a window, and the hmm inside has one: leave even out");
  epi_refuse(f, w && w->match && (f->arg[EVERY].number > 0 || f->arg[DRIFT].number > 0),
             "project: the slow state of an hmm with match is filtered already, and every or drift would filter it again: leave them out");
  if (f->broken) return;
  /* a method whose last stage stands at the end of the step has run this window already */
  w->projected = f->arg[START].number != 0;
  w->around = 1;
  f->settles = w->projected && w->phased && f->sys->nc;
  w->both = f->arg[DRIFT].number > 0 && w->start == CURRENT && w->m[0] == w->m[1] && !average->kid[0]->sys->phase.forced;
  f->nerr = a->nerr;
  f->lands = f->tells = 1;
  f->hears = epi_hand_on;
  f->deliver = deliver;
  f->prepare = due;
  if (a->between) f->between = project_between;
  if (epi_blocks(f, NKEEP, 3*epi_dim(f->sys) + f->below + (f->sys->nc ? epi_constraint_room(f->space) : 0))) return;
  f->doubt = doubt;
  f->unsound = unsound;
  f->go = project;
}

static const epi_param project_params[] = {
  {.name = "every", .unit = "time", .value = 0, .doc = "time between projections; 0: only at the start"},
  {.name = "drift", .value = 0, .doc = "project when the state differs from its average by more than this, relative to its size; 0: never"},
  {.name = "floor", .value = 1e-3, .doc = "size below which a component is not measured relative to itself"},
  {.name = "start", .value = 1, .doc = "1: the initial state is projected first", .kind = EPI_COUNT},
  {0}
};
const epi_record epi_PROJECT = {
  .name = "project",
  .doc = "replaces the state by its average over the window of the hmm inside: at the start, every dt, or when it has drifted",
  .cite = "Sanz-Serna, Ariel & Tsai, multiscale methods for stiff and constrained mechanical systems (2009)",
  .example = "project(rk4(hmm(verlet, kernel=exp5, periods=20, steps=6, start=current)))", .arrow = EPI_WRAPPER, .least = 1, .most = 1,
  .params = project_params, .build = project_build,
};
