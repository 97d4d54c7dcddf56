/* doubt.c - what a run saw of itself, as warnings */
#include "inspect.h"
#include "choose/observable.h"

/* of the motion; what differs between a step and its halves is about half of the error, or less where errors feed on each other */
static const double MUCH = 0.1, MUCH_HALVED = 0.04, MUCH_DRIVEN = 1, MUCH_FORGOTTEN = 1;

/* the step at which the error would be a hundredth, by the order of the method */
static double needed(const epi_recorder *a, double off)
{
  int order = a->tree->order > 0 ? a->tree->order : 1;
  return a->step*pow(0.01/fmin(off, 100), 1.0/order);
}

/* what a drive adds in one half of its turn it takes in the other */
static int is_off(const epi_recorder *a, double off)
{
  return off > (a->c->system.phase.forced && !a->averages ? MUCH_DRIVEN : MUCH_HALVED);
}

static void doubt_steps(epi_recorder *a)
{
  const epi_inspection *n = &a->r->inspection;
  if (a->adaptive && n->off > MUCH)
    epi_result_warn(a->r, "the tolerance is too large: a run with a tenth of it differs by %.2g of the motion; give a smaller rtol",
                    n->off);
  if (a->adaptive || !is_off(a, n->off)) return;
  if (n->off >= 1)
    epi_result_warn(a->r, "the steps are too long: where they were taken again as two halves, the sum of what differs is more than the "
                    "motion itself; %s", epi_recorder_remedy(a, needed(a, n->off)));
  else
    epi_result_warn(a->r, "the steps may be too long: where they were taken again as two halves, the sum of what differs is %.2g of the "
                    "motion; %s", n->off, epi_recorder_remedy(a, needed(a, n->off)));
}

/* a coordinate that goes less far than others of its kind. Velocities of what is held by stiff contacts forget: it is much where
   nothing of their own motion need be left */
static void doubt_coordinates(epi_recorder *a)
{
  if (a->adaptive || is_off(a, a->r->inspection.off)) return;
  for (int rates = 0; rates < 2; rates++) {
    int i = 0;
    double off = epi_inspector_alone(a->inspector, rates, &i);
    if (!is_off(a, off) || (rates && off < MUCH_FORGOTTEN)) continue;
    epi_result_warn(a->r, "the steps may be too long for %s: where they were taken again as two halves, the sum of what differs there is "
                    "%.2g of its range, though others go farther; take a shorter step than %g where you need it",
                    a->r->column[1 + i].name, off, a->step);
    return;
  }
}

/* an energy that is wrong is a frequency that is wrong: what it is off by grows with the turns */
static void doubt_energy(epi_recorder *a, const epi_invariant *d)
{
  const epi_inspection *n = &a->r->inspection;
  double T = n->mean_kinetic > 0 ? n->mean_kinetic : fabs(d->start), most = epi_larger(d->ledger.most, d->worst);
  double off = epi_larger(0.5*most, n->usual_error*epi_larger(1, n->turned))/T;
  if (a->averages || !(T > 0) || !isfinite(d->start) || off <= MUCH) return;
  /* springs in the place of constraints hold the rest of it */
  const char *springs = a->c->system.nc && !a->tree->sys->nc ? "give the springs of relax more stiffness, or " : "";
  epi_result_warn(a->r, "the energy is off by up to %.2g%s%s, where the mean kinetic energy is %.2g, over %.2g turns: %s%s", most,
                  *d->unit ? " " : "", d->unit, T, n->turned/(2*EPI_PI), springs, epi_recorder_remedy(a, needed(a, off)));
}

/* period of the whole periods at which the slow solution is the oscillating one; 0: it varies, or the average has none */
static double sampled_by(const epi_flow *average)
{
  const epi_slow_facet *slow = epi_slow_of(average);
  return slow && slow->sampled ? slow->sampled(average) : 0;
}

/* so it is with a strobe of a motion that nothing drives: the state is one of the motion itself, and the rate of its turns is that of its
   energy, to the power 3/2 in an orbit. A drift is half of what it is in the end */
static void doubt_strobe_energy(epi_recorder *a, const epi_invariant *d)
{
  const epi_flow *average = epi_average_of(a->tree);
  double T = sampled_by(average), most = epi_larger(d->ledger.most, d->worst), turns = (a->end - a->start)/T;
  if (!(T > 0) || a->c->system.phase.forced || !isfinite(d->start) || !(0.75*turns*most > 0.03*fabs(d->start))) return;
  epi_result_warn(a->r, "strobe: the energy is off by up to %.2g of itself, and what it is off by may be %.2g of a turn after the %.3g "
                  "turns of this run: take a shorter step, or tolerance(...)", most/fabs(d->start), 0.75*turns*most/fabs(d->start), turns);
}

static void sizes_of(epi_recorder *a, const epi_observable *o, int many, const double later[2], double *size, double *now)
{
  epi_observable_changes(a->c, o, many, later, a->exact, size, now);
}

static double size_of(epi_recorder *a, const epi_observable *o, const double later[2])
{
  double size, now;
  sizes_of(a, o, 1, later, &size, &now);
  return size;
}

/* the largest invariant of this unit: one component of a vector may be rounding beside the others */
static double largest_of(const epi_result *r, const char *unit)
{
  double most = 0;
  for (int i = 0; i < r->ninvariant; i++) if (!strcmp(r->invariant[i].unit, unit)) most = epi_larger(most, fabs(r->invariant[i].start));
  return most;
}

static void doubt_invariants(epi_recorder *a)
{
  const epi_observable *o = a->c->model->observables;
  for (int i = 0, k = 0; i < a->r->ninvariant; i++, k++) {
    const epi_invariant *d = &a->r->invariant[i];
    double most = epi_larger(d->ledger.most, d->worst);
    while (!o[k].invariant) k++;
    if (i == a->energy && a->averages) doubt_strobe_energy(a, d);
    else if (i == a->energy) doubt_energy(a, d);
    else if (fabs(d->start) > 1e-9*largest_of(a->r, d->unit) && !(most <= MUCH*fabs(d->start)) &&
             !(most <= 1e-3*size_of(a, &o[k], (double[2]){0})))
      epi_result_warn(a->r, "%s, which is constant along the motion, is off by up to %.2g of %.2g: take a shorter step, or tolerance(...)",
                      d->name, most, fabs(d->start));
  }
}

/* an implicit method bears any step; what oscillates faster than the steps is then lost, and it may be the motion itself */
static void doubt_unseen(epi_recorder *a)
{
  double share = a->r->inspection.unseen;
  if (!(share > MUCH)) return;
  epi_result_warn(a->r, "the step %g does not resolve the oscillation of period %.3g at the start, and that is %.0f %% of the motion: "
                  "take a step of %.2g or less, or an average such as hmm", a->step, 2*EPI_PI/a->fastest, 100*fmin(1, share),
                  0.3/a->fastest);
}

static int is_whole(double turns) { return fabs(turns - round(turns)) < 1e-3; }

/* what a strobe gives is the oscillating solution at whole periods alone: elsewhere it has another phase */
static void doubt_rows(epi_recorder *a)
{
  const epi_flow *average = epi_average_of(a->tree);
  double T = sampled_by(average), every = a->every > 0 ? a->every : a->step, run = a->end - a->start;
  if (!(T > 0) || a->ask.fast || (is_whole(run/T) && is_whole(fmin(every, run)/T))) return;
  double share = epi_inspector_share(a->inspector, epi_slow_of(average)->swing(average));
  if (!(share > MUCH)) return;
  epi_result_warn(a->r, "strobe gives the oscillating solution at whole periods of %.10g alone, and this run has rows between them, where "
                  "it differs by up to %.2g of the motion: take --every and --end of whole periods, or --fast", T, share);
}

/* a force that is wrong moves the slow state by as much in its first turn; and it is a frequency that is wrong by half as much, so that
   after n turns the phase is off by pi n times that, and a coordinate by half the phase times its range. A tenth of how far it swings, half
   of its range, is much */
static void doubt_force(epi_recorder *a)
{
  const epi_flow *average = epi_average_of(a->tree);
  const double turns = a->r->inspection.turned/(2*EPI_PI);
  const epi_slow_facet *slow = epi_slow_of(average);
  if (!slow || !slow->force_error) return;
  epi_force_error force = slow->force_error(average);
  double off = force.all*fmax(1, 0.5*EPI_PI*turns);
  if (!(off > 0.5*MUCH)) return;
  if (force.steps >= force.start)
    epi_result_warn(a->r, "hmm: its %g micro-steps a period leave the slow force off by %.2g of itself, and the slow motion turns %.2g "
                    "times: it may be off by %.2g of its range; give more steps, or a micro flow of higher order such as symmetric(verlet)",
                    slow->micro_steps(average), force.steps, turns, off);
  else
    epi_result_warn(a->r, "hmm: its windows start from the slow state, which is not the mean of the oscillating one: this leaves the slow "
                    "force off by %.2g of itself, and the slow motion turns %.2g times: it may be off by %.2g of its range; take %sstrobe, "
                    "or integrate directly", force.start, turns, off, average->kid[0]->sys->nc ? "" : "match=2 or ");
}

/* what turns with more energy turns faster, by half as much: where nothing collides that is what it will be off by */
static void doubt_rise(epi_recorder *a)
{
  const epi_inspection *n = &a->r->inspection;
  double early = 0.5*n->rise*n->turned/n->mean_kinetic;
  if (a->passive > 1 && n->rise <= MUCH*n->kinetic && early > MUCH_HALVED && !a->averages)
    epi_result_warn(a->r, "the energy rose by %.2g J, where nothing feeds it and the mean kinetic energy is %.2g J: over %.2g turns what "
                    "turns may be off by %.2g; take a shorter step than %g, or tolerance(...)", n->rise, n->mean_kinetic,
                    n->turned/(2*EPI_PI), early, a->step);
  if (!a->passive || n->rise <= MUCH*n->kinetic) return;
  epi_result_warn(a->r, "the energy rose by %.2g J, where nothing feeds it and the kinetic energy is %.2g J at most: contacts or springs "
                  "are too fast for the step; take a shorter one than %g", n->rise, n->kinetic, a->step);
}

static void doubt_constraints(epi_recorder *a)
{
  epi_flow *f = a->tree;
  epi_miss miss;
  if (!f->sys->nc || !f->guard || !epi_misses_constraints(f->space, &a->s, f->guard + f->nguard, &miss)) return;
  if (miss.in_speed)
    epi_result_warn(a->r, "the end leaves %s with a speed of %.2g: take a shorter step than %g, or tolerance(...)", miss.name, miss.off,
                    a->step);
  else
    epi_result_warn(a->r, "the end misses %s by a distance of %.2g: take a shorter step than %g, or tolerance(...)", miss.name, miss.off,
                    a->step);
}

/* an observable may be without one */
static int same_unit(const char *a, const char *b) { return !strcmp(a ? a : "", b ? b : ""); }

/* what is zero but for the tolerance of a solver is small beside what makes it. The force of a stiff spring is so too, but it is as large
   as others of its unit, and smooth: it does not jump from look to look as a residual does */
static int is_residual(epi_recorder *a, int i, double size, const double *sizes, int smooth)
{
  const epi_observable *o = a->c->model->observables;
  if (size > 1e-6*sizes[i]) return 0;
  for (int k = 0; smooth && k < a->r->nobs; k++) {
    double range, other;
    epi_columns_stray(epi_inspector_columns(a->inspector), k, &range, &other);
    if (k != i && same_unit(o[k].unit, o[i].unit) && other > 1e-8*sizes[k] && size > 0.1*other) return 0;
  }
  return 1;
}

/* of all observables, once they are asked for */
static const double *all_sizes(epi_recorder *a, int *known)
{
  const double large[2] = {epi_inspector_size(a->inspector, 0), epi_inspector_size(a->inspector, 1)};
  if (!*known) sizes_of(a, a->c->model->observables, a->r->nobs, large, a->sizes, a->sizes + a->r->nobs);
  *known = 1;
  return a->sizes;
}

static void doubt_observables(epi_recorder *a, int *known)
{
  double t, value;
  const epi_observable *o = a->c->model->observables;
  int i = epi_inspector_strange(a->inspector, &t, &value);
  if (i >= 0) {
    epi_result_warn(a->r, "%s is %g at t = %.10g, though the state is finite there: look at the parameters and at what has grown so "
                    "large, or take a shorter step", o[i].name, value, t);
    return;
  }
  /* where the state hardly differs, what does is the residual of a solver */
  for (i = 0; a->r->inspection.off > 1e-4 && i < a->r->nobs; i++) {
    double range, size, off = epi_columns_stray(epi_inspector_columns(a->inspector), i, &range, &size);
    if (off == 0 || is_residual(a, i, size, all_sizes(a, known), epi_columns_smooth(epi_inspector_columns(a->inspector), i))) continue;
    epi_result_warn(a->r, "the steps may be too long for %s: where they were taken again as two halves it differs by %.2g of its range, "
                    "though the state may not; take a shorter step than %g where you need it", o[i].name, off/range, a->step);
    return;
  }
}

/* ---- steps that are chosen for a tolerance ---- */
typedef struct { double rtol, atol; const epi_value *each; } tolerance;      /* each: atol of every coordinate, or NULL */

/* the outermost, which is met first */
static void find_tolerance(epi_flow *f, void *data)
{
  tolerance *to = data;
  const epi_param *p = f->record ? f->record->params : NULL;
  if (to->rtol > 0) return;
  for (int i = 0; p && p[i].name; i++) {
    if (!strcmp(p[i].name, "rtol")) to->rtol = f->arg[i].number;
    if (strcmp(p[i].name, "atol") || !f->arg[i].given) continue;
    if (f->arg[i].n == epi_dim(f->sys)) to->each = &f->arg[i];
    else if (!f->arg[i].n) to->atol = f->arg[i].number;
  }
  if (!(to->atol > 0)) to->atol = 1e-3*to->rtol;
}

/* by how much observable i changes where every coordinate changes by what is allowed, up or down */
static double change_of(epi_recorder *a, const epi_observable *o, tolerance to)
{
  epi_state s = a->s;
  double was = epi_observe(a->c, o, &s), most = 0;
  unsigned draw = 1;
  s.y = a->exact;
  for (int k = 0; k < 4; k++) {
    for (int i = 0; i < epi_size(&a->c->system); i++, draw = 1664525*draw + 1013904223)
      s.y[i] = a->s.y[i] + (draw >> 31 ? 1 : -1)*(to.rtol*fabs(a->s.y[i]) + (to.each ? to.each->list[i] : to.atol));
    most = epi_larger(most, fabs(epi_observe(a->c, o, &s) - was));
  }
  return most;
}

/* a force of a world is what something bears, however stiff that is, and no residual; of what bears nothing far less is left */
static int is_load(const epi_case *c, const epi_observable *o, double size, double makes)
{
  return c->world && size > 1e-11*makes && o->unit && (!strcmp(o->unit, "N") || !strcmp(o->unit, "N m"));
}

/* an observable may hang on what is far smaller than the state, such as the torque of a stiff drive on the angle that it is behind: an
   error that is allowed is nothing to the state, and more than all that the observable does. The energy of a slow part feels how far rows
   are from the floor of its valley: a part of what is allowed, and more than the tolerance */
static void doubt_tolerance(epi_recorder *a, int *known)
{
  const double FAR = 10;
  const epi_observable *o = a->c->model->observables;
  tolerance to = {0};
  /* what the motion keeps, its slow part need not */
  const int slow = a->ask.choice && a->ask.choice->slow_part;
  epi_visit(a->tree, find_tolerance, &to);
  for (int i = 0; to.rtol > 0 && i < a->r->nobs; i++) {
    double range, size;
    epi_columns_stray(epi_inspector_columns(a->inspector), i, &range, &size);
    if ((o[i].invariant && !slow) || !(range > 0.01*size) || !(size > 1e-10)) continue;
    const double *sizes = all_sizes(a, known);
    if (!is_load(a->c, &o[i], size, sizes[i]) && is_residual(a, i, size, sizes, 1)) continue;
    /* of what is kept the start tells how large it is: its range may be what it is off by */
    const epi_state start = {.t = a->c->t, .theta = a->c->theta, .y = a->c->y};
    if (o[i].invariant) range = fmin(range, fabs(epi_observe(a->c, &o[i], &start)));
    double change = change_of(a, &o[i], to)/range;
    if (!(change > (o[i].invariant ? 3*a->ask.choice->tol : FAR))) continue;
    char allows[64] = "its list atol";
    if (!to.each) snprintf(allows, sizeof allows, "atol = %g", to.atol);
    epi_result_warn(a->r, "%s may be wrong though the state is not: what rtol = %g and %s allow the state to be off by changes it by %.2g "
                    "times its range; give a tolerance that is so much smaller where you need it", o[i].name, to.rtol, allows, change);
    return;
  }
}

/* 1: two solutions have told what observables are off by */
static int doubt_observed(epi_recorder *a)
{
  const epi_chosen *c = a->ask.choice;
  if (!c || isnan(c->observed)) return 0;
  if (c->observed > 0)
    epi_result_warn(a->r, "%s may be off by %.2g of its size near t = %.6g, though the state is right to %g: two solutions of that differ "
                    "by as much there; give a smaller tolerance where you need it", c->observable, c->observed, c->observed_at, c->tol);
  return 1;
}

static void doubt_looks(epi_recorder *a)
{
  if (a->adaptive || !epi_inspector_failed(a->inspector, &a->r->inspection)) return;
  epi_result_warn(a->r, "the steps could not be checked: taken again as two halves they fail; take a shorter step than %g", a->step);
}

static void doubt_through(epi_recorder *a)
{
  double t;
  long n = epi_inspector_through(a->inspector, &t);
  if (n) epi_result_warn(a->r, "bodies went through one another, first in the step from t = %.10g on, and no force told them: the step is "
                         "too long; take a far shorter one than %g, or tolerance(dop853), which looks for that", t, a->step);
}

void epi_recorder_doubt(epi_recorder *a)
{
  int known = 0;
  epi_inspector_end(a->inspector, a, &a->s);
  doubt_through(a);
  doubt_steps(a);
  doubt_coordinates(a);
  doubt_looks(a);
  doubt_unseen(a);
  doubt_rows(a);
  doubt_force(a);
  doubt_invariants(a);
  doubt_rise(a);
  doubt_constraints(a);
  doubt_observables(a, &known);
  if (!doubt_observed(a)) doubt_tolerance(a, &known);
}
