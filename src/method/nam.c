/* nam.c - one evaluation of expensive forces a step, and implicit in them all the same: Numerov's formula for positions, that of Adams and
 * Moulton for velocities, linearised by what contact routines return beside their forces. Order 3 with the accelerations of two places,
 * order 4 with three; of a linear vibration it damps nothing, up to w h = 2.45. Here are its steps, chosen or given */
#include "nam.h"

/* the state is the one the step before left, and the last step says something of one of h; a landing may have set its clock right */
static int goes_on(const epi_flow *f, const epi_state *s, double h)
{
  const double *x = f->keep;
  int there = fabs(s->t - x[NAM_TIME]) <= 1e-9*fabs(x[NAM_H1]) + 2e-15*fabs(s->t);
  int even = x[NAM_H1] == 0 || (h/x[NAM_H1] > 0 && h/x[NAM_H1] < 8);
  return x[NAM_HAS] > 0 && there && even && !memcmp(epi_nam_memory_of(f).y, s->y, (size_t)epi_dim(f->sys)*sizeof *s->y);
}

/* ---- errors ---- */
/* a twentieth of what D moves q and v by: in units of length, speed, angle and spin; without links, and where none is given, of the
   velocities alone, relative to them */
static double error_of(const epi_flow *f, const epi_state *s, double h)
{
  const epi_nam *o = f->own;
  const epi_value *arg = f->arg;
  epi_nam_work d = epi_nam_work_of(f);
  double most = 0, sum = 0, speed[2] = {0};
  h = fabs(h);
  if (o->by != EPI_NAM_LINKED && !arg[NAM_LENGTH].given && !arg[NAM_SPEED].given) {
    const double *v = s->y + f->sys->nq, *v1 = d.y1 + f->sys->nq;
    for (int i = 0; i < epi_nv(f->sys); i++) {
      double m = f->sys->mass ? f->sys->mass[i] : 1;
      sum += m*d.D[i]*d.D[i];
      speed[0] += m*v[i]*v[i];
      speed[1] += m*v1[i]*v1[i];
    }
    return sum > 0 ? 0.05*h*sqrt(sum/fmax(speed[0], speed[1])) : 0;
  }
  for (int g = 0; g < o->groups; g++) {
    double length = arg[o->angle[g] ? NAM_ANGLE : NAM_LENGTH].number, rate = arg[o->angle[g] ? NAM_SPIN : NAM_SPEED].number;
    for (int i = o->group[g], first = i; i < o->group[g + 1]; i++) sum = i > first ? sum + d.D[i]*d.D[i] : d.D[i]*d.D[i];
    most = epi_larger(most, sqrt(sum)*fmax(h*h/length, h/rate));
  }
  return 0.05*epi_larger(most, epi_nam_modes_error(f, arg[NAM_LENGTH].number, arg[NAM_SPEED].number));
}

/* ---- a step, and how long the next is ---- */
/* what contacts do to modes is not in the matrix: errors that are controlled see it, and given steps must be shorter */
static double room_of(const epi_flow *f) { return !((const epi_nam *)f->own)->modes ? 1 : f->lands ? 0.8 : 0.5; }

/* the longest step, and the frequency that asks for it */
typedef struct { double step, rate; } limit;

/* in periods of the highest frequency over 2 pi: `with` where its stiffness is in the matrix, `without` where it is not */
static limit limit_of(const epi_flow *f, double with, double without)
{
  double room = room_of(f), sigma = f->keep[NAM_SIGMA], part = f->keep[NAM_PART], out = f->keep[NAM_LEFT_OUT];
  limit known = {HUGE_VAL, 0}, left_out = {HUGE_VAL, 0};
  if (sigma > 0) known = (limit){room*(part > 0 ? with/sqrt(part*sigma) : without/sqrt(sigma)), sqrt(sigma)};
  if (out > 0) left_out = (limit){room*without/sqrt(out), sqrt(out)};
  return left_out.step < known.step ? left_out : known;
}

static double longest_of(const epi_flow *f)
{
  double cap = limit_of(f, 2, 0.92*epi_nam_explicit(f)).step;
  return f->arg[NAM_LONGEST].number > 0 ? fmin(cap, f->arg[NAM_LONGEST].number) : cap;
}

static double share(double next, double left, int *last)
{
  *last = next >= left*(1 - 1e-12);
  return *last ? left : 2*next > left ? 0.5*left : next;
}

static double left_of(const epi_state *s, epi_tick end) { return fabs((end.t - s->t) + (end.rest - s->key.rest)); }

/* the step that was tried counts, unless it is a given one, `whole`, that is unstable by what its matrix leaves out. Parts of one that was
   cut count too, and the next are shorter: down to a 64th, for friction that chatters asks for ever shorter ones */
static int take(epi_flow *f, epi_state *s, double h, double whole, epi_tick end)
{
  epi_nam_work d = epi_nam_work_of(f);
  epi_nam_memory k = epi_nam_memory_of(f);
  int bad = epi_nam_look(f, &d, &k, h, end);
  if (!bad && !f->lands && !f->err && fabs(h) > fabs(whole)/64) bad = epi_nam_look_beyond(f, &d, &k, h, end);
  if (bad > 0 && h != whole) bad = 0;
  if (!bad) epi_nam_accept(f, s, h, end);
  return bad;
}

/* the next step after one of h with the error e: not much longer than this one, or, where it was cut to land, than was meant */
static double next_of(const epi_flow *f, double h, double e, int cut)
{
  const double *x = f->keep;
  double tol = f->arg[NAM_TOL].number, wish = tol > 0 && e > 0 ? 0.85*h*pow(tol/e, 1.0/(x[NAM_HAS] + 1)) : HUGE_VAL;
  double most = cut ? fmax(h, x[NAM_NEXT]) : h, next = fmin(x[NAM_CAREFUL] != 0 ? most : 1.6*most, fmax(wish, 0.4*h));
  return next > 0.9*h && next < 1.1*h ? h : next;
}

/* one step of h, a part of `whole`, cut: to land. EPI_TOO_FAR when a shorter one is wanted */
static int chosen(epi_flow *f, epi_state *s, double h, double whole, epi_tick end, int cut)
{
  double *x = f->keep, tol = f->arg[NAM_TOL].number, size = fabs(h);
  int bad = epi_nam_try(f, s, h, end);
  if (bad < 0) return bad;
  double e = !bad && tol > 0 ? error_of(f, s, h) : 0, next = bad || !(e < HUGE_VAL) ? 0.3*size : next_of(f, size, e, cut);
  if (bad || !(e < 2*tol || !(tol > 0))) {
    x[NAM_NEXT] = fmin(next, 0.8*size);
    x[NAM_CAREFUL] = 1;
    return bad ? bad : EPI_TOO_FAR;
  }
  if ((bad = take(f, s, h, whole, end))) {
    x[NAM_NEXT] = fmin(longest_of(f), 0.5*size);
    return bad;
  }
  x[NAM_CAREFUL] = 0;
  x[NAM_NEXT] = fmin(next, longest_of(f));
  return 0;
}

/* ---- giving up ---- */
enum { TRIES = 1000 };
static double least_way(const epi_flow *f, double span) { return (f->lands ? 1e-9 : 1e-5)*fabs(span); }

/* why the system said no: asked at once, what goes well afterwards makes it forget */
static void hear(epi_flow *f)
{
  epi_nam *x = f->own;
  if (x->tries < TRIES/2 || !f->sys->explain) return;
  f->sys->explain(f->sys, x->said, sizeof x->said);
}

static int stuck(epi_flow *f, const epi_state *s, double dt, double span)
{
  const epi_nam *x = f->own;
  const char *of = f->lands ? "span" : "step";
  f->keep[NAM_NEXT] = 0;
  if (x->said[0])
    return epi_fail_cause(f, EPI_TOO_FAR, EPI_MODEL_ENDS, "nam: %s at t = %.10g, and no step is short enough, down to %g: look at what "
                          "happens there, or end the run before", x->said, s->t, fabs(dt));
  return epi_fail_cause(f, EPI_TOO_FAR, EPI_SHRUNK, "nam: the %s of %g is cut at t = %.10g into steps of %g, and %d of them make next to "
                        "no way: look at the forces and at how stiff they are there, or take a shorter %s", of, fabs(span), s->t, fabs(dt),
                        TRIES, of);
}

/* from here to the end, in steps that are chosen; the first is x[NAM_NEXT] */
static int cross(epi_flow *f, epi_state *s, double h, epi_tick end)
{
  const int told = f->tells && f->listener && !s->key.trial, n = epi_dim(f->sys);
  double *y0 = f->work + f->nwork - (told ? epi_keep_size(f) + n : 0), *kept = y0 + n, from = left_of(s, end), *x = f->keep;
  epi_nam *o = f->own;
  o->tries = 0;
  o->said[0] = 0;
  while (s->t != end.t || s->key.rest != end.rest) {
    int last, bad;
    double left = left_of(s, end), next = x[NAM_H1] != 0 ? fmin(x[NAM_NEXT], 3*fabs(x[NAM_H1])) : x[NAM_NEXT];
    double dt = copysign(share(next, left, &last), h);
    epi_start start = {.mark = epi_mark_of(s), .y = y0, .keep = kept};
    if (told) { memcpy(y0, s->y, (size_t)n*sizeof *y0); epi_keep_out(f, kept); }
    if (epi_stopping(f)) return EPI_INTERRUPTED;
    if (from - left > least_way(f, h)) o->tries = 0, from = left;
    bad = chosen(f, s, dt, h, last ? end : epi_target(f->sys, s, dt), fabs(dt) < x[NAM_NEXT]);
    if (bad < 0 || (bad && fabs(dt) < 1e-13*fabs(h))) return bad;
    if (bad) hear(f);
    if (o->tries++ > TRIES) return stuck(f, s, dt, h);
    if (!bad) {
      int tries = o->tries;
      epi_chose(f, dt);
      if (told && (bad = epi_tell(f, f, s, &start))) return bad;
      o->tries = tries;
      continue;
    }
    f->refused++;
    epi_clear_error(f);
  }
  return 0;
}

/* the first step: a fortieth of what the highest frequency allows, or a thousandth of the span */
static double first_of(const epi_flow *f, double h)
{
  double sigma = f->keep[NAM_SIGMA], first = f->arg[NAM_FIRST].number > 0 ? f->arg[NAM_FIRST].number : 1e-3*fabs(h);
  if (!(f->arg[NAM_FIRST].number > 0) && sigma > 0) first = 0.05/sqrt(sigma);
  return fmin(fabs(h), fmin(first, longest_of(f)));
}

static int adaptive(epi_flow *f, epi_state *s, double h, long n)
{
  int bad = 0;
  for (; n > 0 && !bad; n--) {
    epi_tick end = epi_target(f->sys, s, h);
    if (!goes_on(f, s, f->keep[NAM_H1]) || !(f->keep[NAM_NEXT] > 0)) {
      if ((bad = epi_nam_begin(f, s))) break;
      f->keep[NAM_NEXT] = first_of(f, h);
    }
    bad = cross(f, s, h, end);
  }
  return bad;
}

/* ---- steps as they are given ---- */
static limit stable(const epi_flow *f) { return limit_of(f, 2.449, epi_nam_explicit(f)); }

static int unstable(const epi_flow *f, double h) { return fabs(h) > stable(f).step; }

/* the first one in parts that double, because the formulas need places before it */
static int start(epi_flow *f, epi_state *s, double h, epi_tick end)
{
  int parts = f->arg[NAM_K].number == 3 ? 6 : 3, bad = epi_nam_begin(f, s);
  double part = h/(1 << parts);
  if (!bad && unstable(f, h)) bad = EPI_TOO_FAR;
  for (int i = 0; i <= parts && !bad; i++) {
    double dt = i ? part*(1 << (i - 1)) : part;
    epi_tick to = i == parts ? end : epi_target(f->sys, s, dt);
    if (!(bad = epi_nam_try(f, s, dt, to))) bad = unstable(f, dt) ? EPI_TOO_FAR : take(f, s, dt, h, to);
  }
  return bad;
}

/* what a parent that chooses steps is told: as for tol */
static void tell_error(epi_flow *f, const epi_state *s, const double *y0, double h)
{
  epi_nam_work d = epi_nam_work_of(f);
  const epi_nam *x = f->own;
  epi_system *m = f->sys;
  int n = epi_nv(m);
  for (int i = 0; i < n; i++) {
    f->err[m->nq + i] = 0.05*h*d.D[i];
    d.x[i] = d.dq[i] - 0.05*h*h*d.D[i];
  }
  for (int k = 0; k < x->modes; k++) {
    f->err[m->nq + x->mode[k].v] = 0.05*x->reply[3*k + 1]*x->reply[3*k + 2];
    d.x[x->mode[k].v] = d.dq[x->mode[k].v] - 0.05*x->reply[3*k]*x->reply[3*k + 2];
  }
  epi_shift(m, y0, 1, d.x, f->err, d.room);
  for (int i = 0; i < m->nq; i++) f->err[i] = s->y[i] - f->err[i];
}

static int given(epi_flow *f, epi_state *s, double h, epi_tick end)
{
  int on = goes_on(f, s, h), bad;
  double *y0 = epi_nam_work_of(f).yp;
  if (!on && !f->err) return start(f, s, h, end);
  if (!on && (bad = epi_nam_begin(f, s))) return bad;
  if ((bad = epi_nam_try(f, s, h, end))) return bad;
  if (unstable(f, h)) return EPI_TOO_FAR;
  if (f->err) memcpy(y0, s->y, (size_t)epi_dim(f->sys)*sizeof *s->y);
  if ((bad = take(f, s, h, h, end))) return bad;
  if (f->err) tell_error(f, s, y0, h);
  return 0;
}

/* that no derivatives are given is less than this */
static void warn_unstable(epi_flow *f, const epi_state *s, double h)
{
  const limit longest = stable(f);
  const int plain = ((epi_nam *)f->own)->by == EPI_NAM_PLAIN && f->dear;
  if (!unstable(f, h) || (f->warning[0] && !plain)) return;
  f->warning[0] = 0;
  f->dear = 0;
  epi_warn(f, "nam: steps of %g are unstable from t = %.10g on, where the highest frequency is %.4g rad/s, and are taken in shorter ones, "
           "which nothing but that chooses: take steps below %.3g, or give tol", fabs(h), s->t, longest.rate, longest.step);
}

/* a step that the system finds too long, or that would be unstable, is taken in as many as it needs */
static int fixed(epi_flow *f, epi_state *s, double h, long n)
{
  int bad = 0;
  for (; n > 0 && !bad; n--) {
    epi_tick end = epi_target(f->sys, s, h);
    if ((bad = given(f, s, h, end)) <= 0) continue;
    if (f->err || !(f->keep[NAM_HAS] > 0)) break;
    f->refused++;
    epi_clear_error(f);
    warn_unstable(f, s, h);
    f->keep[NAM_NEXT] = f->keep[NAM_HAS] > 1 ? fmin(longest_of(f), 0.25*fabs(h)) : first_of(f, h);
    f->keep[NAM_CAREFUL] = 1;
    bad = cross(f, s, h, end);
  }
  return bad;
}

/* ---- building ---- */
static void check_system(epi_flow *f, const epi_system *m)
{
  epi_refuse(f, epi_all_rate(m) || !m->nq, "nam needs positions and velocities; this system has only a rate: use radau");
  epi_refuse(f, !epi_has_force(m) && !m->velocity_force, "this system has no force or velocity force: fill in one of them");
  epi_refuse(f, m->nz > 0, "nam does not move the %d first-order variables of this system: use radau", m->nz);
  epi_refuse(f, m->nc > 0, "nam has no form for constraints: %s",
             epi_instead(m, "hold the joints by springs (penalty) in the second system, or use semi"));
  epi_refuse(f, m->inertia.speed != NULL, "nam needs a quadratic kinetic energy, and this system has a speed of its own: use gauss");
  epi_refuse(f, m->manifold.retract && !m->manifold.retract_rate, "nam needs retract_rate beside retract: fill it in");
  epi_refuse(f, m->contacts.linked_force && (m->phase.forced || f->space->mass == DENSE || f->space->mass == SOLVED),
             "nam: links are for systems with a diagonal mass, or none, and without a fast phase: leave linked_force out, or give slope");
  epi_refuse(f, m->contacts.linked_force && (m->contacts.links < 0 || (m->contacts.links && !m->contacts.link_ends)),
             "nam: linked_force needs links and link_ends beside it");
}

static void check_options(epi_flow *f)
{
  const epi_value *arg = f->arg;
  epi_refuse(f, arg[NAM_K].number != 2 && arg[NAM_K].number != 3, "nam: k is 2 or 3, the accelerations that are kept");
  for (int i = NAM_LENGTH; i <= NAM_SPIN; i++)
    epi_refuse(f, !(arg[i].number > 0), "nam: length, speed, angle and spin are what errors are measured in: they must be positive");
  for (int i = NAM_LENGTH; i <= NAM_FIRST; i++)
    epi_refuse(f, i != NAM_BETA && arg[i].given && !arg[NAM_TOL].given,
               "nam: length, speed, angle, spin, first and longest are for steps that are chosen: give tol too");
  epi_refuse(f, arg[NAM_BETA].given && !f->other, "nam: beta is for a second system, what is stiff: nam(model.contacts, model.stiff)");
}

static int unsound(const epi_flow *f, const epi_state *s)
{
  const double *x = f->keep;
  (void)s;
  for (long i = 0; i < f->nkeep; i++) if (!isfinite(x[i])) return 1;
  return !epi_is_count(x[NAM_HAS]) || x[NAM_HAS] > f->arg[NAM_K].number || !(x[NAM_NEXT] >= 0) || !(x[NAM_SIGMA] >= 0)
    || (x[NAM_HAS] > 1 && x[NAM_H1] == 0) || (x[NAM_HAS] > 2 && x[NAM_H2] == 0);
}

static void nam_build(epi_flow *f)
{
  epi_system *m = f->sys;
  check_system(f, m);
  check_options(f);
  f->drop = epi_nam_matrix_drop;
  if (f->broken || epi_nam_matrix_make(f)) return;
  epi_nam *x = f->own;
  if (f->other && epi_adopt(f, epi_semi_for(f, f->arg[NAM_BETA].number))) return;
  f->below = f->nkid ? epi_keep_size(f->kid[0]) : 0;
  f->lands = f->tells = f->arg[NAM_TOL].given;
  long n = epi_nv(m), keep = NAM_HEAD + 5*n + epi_dim(m), told = f->lands ? epi_dim(m) + keep + f->below : 0;
  if (epi_blocks(f, keep, epi_nam_room(f) + told)) return;
  f->order = f->lands ? 0 : f->other ? 1 : (int)f->arg[NAM_K].number + 1;
  f->go = f->lands ? adaptive : fixed;
  f->between = epi_nam_between;
  f->unsound = unsound;
  f->safe = 1;
  if (!f->lands) { f->claims |= EPI_ESTIMATE; f->estimate = (int)f->arg[NAM_K].number + 1; f->nerr = 1; }
  if (x->by != EPI_NAM_PLAIN) return;
  f->dear = 1;
  epi_warn(f, "nam: this system gives no derivatives of its forces, so they are taken explicitly, by steps as short as that asks for: give "
           "linked_force or slope");
}

static const epi_param params[] = {
  [NAM_K] = {.name = "k", .value = 2, .kind = EPI_COUNT, .doc = "accelerations that are kept: 2 for order 3, 3 for order 4"},
  [NAM_TOL] = {.name = "tol", .value = 0, .doc = "steps chosen for this error of a step, in the units below",
               .range = {0, 1, EPI_ABOVE | EPI_BELOW, ": it is an error between 0 and 1"}},
  [NAM_LENGTH] = {.name = "length", .unit = "m", .value = 1e-5, .doc = "unit of errors of positions: how deep contacts are"},
  [NAM_SPEED] = {.name = "speed", .unit = "m/s", .value = 1, .doc = "unit of errors of velocities"},
  [NAM_ANGLE] = {.name = "angle", .unit = "rad", .value = 2e-3, .doc = "unit of errors of angles"},
  [NAM_SPIN] = {.name = "spin", .unit = "rad/s", .value = 200, .doc = "unit of errors of angular velocities"},
  [NAM_BETA] = {.name = "beta", .value = 0.8, .doc = "where in the step the stiff part is, as in semi", .range = {.least = 0.5, .most = 1}},
  [NAM_LONGEST] = {.name = "longest", .value = 0, .doc = "longest step, where steps are chosen", .range = EPI_NOT_NEGATIVE},
  [NAM_FIRST] = {.name = "first", .value = 0, .doc = "first step, where steps are chosen; by the stiffness of the contacts unless given",
                 .range = EPI_NOT_NEGATIVE},
  {0}
};
const epi_record epi_NAM = {
  .name = "nam", .doc = "one evaluation of the expensive forces a step, implicit in them by what contacts return beside their forces; the "
         "stiff ones as by semi",
  .cite = "Numerov, Mon. Not. R. Astron. Soc. 84 (1924) 592; Hairer, Norsett & Wanner, Solving Ordinary Differential Equations I, III.10",
  .example = "nam(model, k=2)", .arrow = EPI_METHOD, .least = 1, .most = 2, .params = params,
  .order = 3,
  .claims = EPI_CLOCK, .build = nam_build,
};
