/* node.c - nodes: how they are made, run, guarded, counted and freed */
#include "core.h"
#include <stdio.h>

/* ---- sentences ---- */
static void say(char *error, size_t size, const char *words, va_list ap)
{
  if (!error[0]) vsnprintf(error, size, words, ap);
}

int epi_refuse(epi_flow *f, int when, const char *words, ...)
{
  if (!when || f->broken) return f->broken;
  va_list ap;
  va_start(ap, words);
  say(f->error, sizeof f->error, words, ap);
  va_end(ap);
  return f->broken = 1;
}

int epi_fail(epi_flow *f, int code, const char *words, ...)
{
  va_list ap;
  va_start(ap, words);
  say(f->error, sizeof f->error, words, ap);
  va_end(ap);
  return code;
}

/* when even the node cannot be had: shared, never written to, never freed */
epi_flow *epi_no_memory(void)
{
  static const epi_flow node = {.broken = 1, .owned = 1, .error = "out of memory: the flow could not be made"};
  return (epi_flow *)&node;
}

const char *epi_coordinate(const epi_system *m, int i, char *room, size_t size)
{
  if (m->names && m->names[i]) return m->names[i];
  snprintf(room, size, "y[%d]", i);
  return room;
}

/* ---- making ---- */
static void hold_system(epi_system *s) { if (s && s->derived) s->derived->refs++; }

static void free_lists(const epi_record *r, const epi_value *arg)
{
  for (int i = 0; arg && r->params && r->params[i].name; i++) free((void *)arg[i].list);
}

void epi_args_free(const epi_record *r, epi_value *arg)
{
  free_lists(r, arg);
  free(arg);
}

void epi_release(epi_system *s)
{
  if (!s || !s->derived || --s->derived->refs > 0) return;
  epi_derived_system *m = s->derived;
  if (m->drop) m->drop(m);
  epi_free(m->inner);
  epi_release(m->part[0]);
  epi_release(m->part[1]);
  free(m);
}

/* every kid is taken over, also when the node is refused: freeing the root must free all that was given */
static void take_kids(epi_flow *f, int nkid, epi_flow *const *kids)
{
  for (int i = 0; i < nkid; i++) {
    f->kid[i] = kids[i];
    if (epi_refuse(f, kids[i]->owned && kids[i] != epi_no_memory(), "a flow can be used only once: make a second one")) {
      if (kids[i]->owned) { f->kid[i] = epi_no_memory(); continue; }
    }
    if (kids[i] != epi_no_memory()) kids[i]->owned = 1;
    epi_refuse(f, kids[i]->broken, "%s", kids[i]->error);
  }
}

static int check_system(epi_flow *f)
{
  epi_system *m = f->sys;
  if (m->derived) epi_refuse(f, m->derived->error[0], "%s", m->derived->error);
  epi_refuse(f, m->nq < 0 || m->nv < 0 || m->nz < 0 || m->nc < 0, "a system has sizes nq, nv, nz, nc >= 0: one of them is negative");
  epi_refuse(f, epi_dim(m) == 0, "this system has no variables: set nq (positions) or nz (first-order variables)");
  epi_refuse(f, m->nv > 0 && m->nv != m->nq && !m->retract && !epi_all_rate(m),
             "nv differs from nq: give turn(q, dq, out), which moves q by nv numbers");
  epi_refuse(f, m->nc && !m->constraint, "nc = %d constraints but no constraint function: fill in constraint, or set nc to 0", m->nc);
  epi_refuse(f, m->nc > epi_nv(m), "more constraints (%d) than velocities (%d): drop some", m->nc, epi_nv(m));
  epi_refuse(f, m->nc && m->rowptr && (m->mass_matrix || m->mass_solve), "constraints given by touches need a diagonal mass, or none");
  epi_refuse(f, m->nc && !m->rowptr != !m->cols, "give starts and touches together: they say which velocities a constraint touches");
  epi_refuse(f, m->nz && !m->rate, "nz = %d first-order variables but no rate function: fill in rate", m->nz);
  epi_refuse(f, m->forced && !m->phase_rate_at && !(fabs(m->phase_rate) > 0), "forced needs the rate of its phase: set phase_rate, or pace(t)");
  epi_refuse(f, m->forced && m->force, "give force or forced, not both: forced is force with a fast phase");
  epi_refuse(f, m->impulsive,
             "this system has hard contacts and a step would pass through them: use a force that keeps the gaps open, or "
             "at(...) with a rebound");
  epi_refuse(f, m->speed && (m->retract || m->nc || m->mass || m->mass_matrix || m->mass_solve || m->accel || epi_all_rate(m)),
             "speed makes v the momentum of a kinetic energy that is not quadratic: leave out mass, rotations, constraints, accel and a rate of q");
  epi_refuse(f, m->retract && epi_all_rate(m), "rotations need force or velocity force: a rate alone does not say which part turns");
  return f->broken;
}

epi_flow *epi_node(const epi_record *r, epi_system *sys, int nkid, epi_flow *const *kids, const epi_value *args)
{
  return epi_node_of_two(r, sys, NULL, nkid, kids, args);
}

epi_flow *epi_node_of_two(const epi_record *r, epi_system *sys, epi_system *other, int nkid, epi_flow *const *kids, const epi_value *args)
{
  int np = 0;
  while (r->params && r->params[np].name) np++;
  epi_flow *f = calloc(1, sizeof *f);
  if (!f) goto none;
  f->record = r;
  f->arg = calloc((size_t)np + 1, sizeof *f->arg);
  f->kid = calloc((size_t)nkid + 4, sizeof(epi_flow *));
  if (!f->arg || !f->kid) goto none;
  for (int i = 0; i < np; i++) f->arg[i] = args ? args[i] : (epi_value){.number = r->params[i].value};
  f->nkid = f->shown = nkid;
  f->sys = sys ? sys : nkid ? kids[0]->sys : NULL;
  f->other = other;
  hold_system(f->sys);
  hold_system(f->other);
  take_kids(f, nkid, kids);
  for (int i = 0; i < nkid; i++) f->below += epi_keep_size(f->kid[i]);
  f->order = r->order ? r->order : nkid ? kids[0]->order : 0;
  f->claims = r->claims;
  f->parts = r->arrow == EPI_METHOD ? EPI_BY_FORCE | EPI_BY_VELOCITY_FORCE : 0;
  for (int i = 0; i < nkid; i++) f->parts |= f->kid[i]->parts;
  f->estimate = nkid ? kids[0]->estimate : 0;
  if (!f->broken && !check_system(f) && !epi_mass_ready(f) && !epi_pattern_make(f)) r->build(f);
  if (r->arrow == EPI_METHOD && f->sys->irreversible) f->claims &= ~(unsigned)EPI_BACKWARD;
  /* a kinetic energy of its own need not be even in the momentum */
  if (r->arrow == EPI_METHOD && f->sys->speed) f->claims &= ~(unsigned)EPI_REVERSIBLE;
  /* an averaged force is a gradient only in the limit of a fast phase, unless there is one coordinate */
  if (r->arrow == EPI_METHOD && f->sys->derived && f->sys->derived->inner && epi_nv(f->sys) > 1) f->claims &= ~(unsigned)EPI_SYMPLECTIC;
  return f;
none:
  if (f) { free(f->arg); free(f->kid); free(f); }
  free_lists(r, args);
  for (int i = 0; i < nkid; i++) epi_free(kids[i]);
  return epi_no_memory();
}

epi_flow *epi_leaf(const epi_record *r, epi_system *sys) { return epi_node(r, sys, 0, NULL, NULL); }

/* node leaves room for four such kids */
int epi_adopt(epi_flow *f, epi_flow *kid)
{
  if (kid == epi_no_memory()) { epi_refuse(f, 1, "%s", kid->error); return -1; }
  f->kid[f->nkid++] = kid;
  kid->owned = 1;
  return epi_refuse(f, kid->broken, "%s", kid->error) ? -1 : 0;
}

int epi_blocks(epi_flow *f, long keep, long work)
{
  f->keep = calloc((size_t)(keep + work) + 1, sizeof(double));
  if (epi_refuse(f, !f->keep, "out of memory")) return -1;
  f->work = f->keep + keep;
  f->nkeep = keep;
  f->nwork = work;
  return 0;
}

const epi_value *epi_arg(const epi_flow *f, const char *name)
{
  for (int i = 0; f->record->params[i].name; i++)
    if (!strcmp(f->record->params[i].name, name)) return &f->arg[i];
  return NULL;
}

void epi_free(epi_flow *f)
{
  if (!f || f == epi_no_memory()) return;
  for (int i = 0; i < f->nkid; i++) epi_free(f->kid[i]);
  if (f->drop) f->drop(f);
  epi_release(f->sys);
  epi_release(f->other);
  epi_args_free(f->record, f->arg);
  free(f->kid);
  free(f->keep);
  free(f->factor);
  epi_pattern_free(f->pattern);
  free(f->own);
  free(f->guard);
  free(f);
}

/* ---- walking ---- */
typedef void visitor(epi_flow *, void *);
static void visit_system(epi_system *, visitor *, void *);
static void clear_marks(epi_flow *);

static void visit(epi_flow *f, visitor *see, void *data)
{
  see(f, data);
  for (int i = 0; i < f->nkid; i++) visit(f->kid[i], see, data);
  /* a kid's system is walked at the kid */
  if (!f->nkid) visit_system(f->sys, see, data);
  visit_system(f->other, see, data);
}

/* several flows may hold one averaged system: it is walked at the first */
static void visit_system(epi_system *s, visitor *see, void *data)
{
  if (!s || !s->derived || s->derived->mark) return;
  s->derived->mark = 1;
  if (s->derived->inner) visit(s->derived->inner, see, data);
  for (int i = 0; i < 2; i++) visit_system(s->derived->part[i], see, data);
}

static void clear_system(epi_system *s)
{
  if (!s || !s->derived || !s->derived->mark) return;
  s->derived->mark = 0;
  if (s->derived->inner) clear_marks(s->derived->inner);
  for (int i = 0; i < 2; i++) clear_system(s->derived->part[i]);
}

static void clear_marks(epi_flow *f)
{
  for (int i = 0; i < f->nkid; i++) clear_marks(f->kid[i]);
  if (!f->nkid) clear_system(f->sys);
  clear_system(f->other);
}

void epi_visit(epi_flow *f, visitor *see, void *data)
{
  visit(f, see, data);
  clear_marks(f);
}

static void add_keep(epi_flow *f, void *p) { *(long *)p += f->nkeep; }
static void add_calls(epi_flow *f, void *p) { *(long *)p += f->calls; }
static void forget(epi_flow *f, void *p) { (void)p; if (f->nkeep) memset(f->keep, 0, (size_t)f->nkeep*sizeof *f->keep); }
static void out(epi_flow *f, void *p)
{
  double **b = p;
  if (f->nkeep) memcpy(*b, f->keep, (size_t)f->nkeep*sizeof **b);
  *b += f->nkeep;
}
static void in(epi_flow *f, void *p)
{
  const double **b = p;
  if (f->nkeep) memcpy(f->keep, *b, (size_t)f->nkeep*sizeof **b);
  *b += f->nkeep;
}

long epi_keep_size(const epi_flow *f) { long n = 0; epi_visit((epi_flow *)f, add_keep, &n); return n; }
void epi_keep_out(const epi_flow *f, double *to) { epi_visit((epi_flow *)f, out, &to); }
void epi_keep_in(epi_flow *f, const double *from) { epi_visit(f, in, &from); }
void epi_forget(epi_flow *f) { epi_visit(f, forget, NULL); }
long epi_calls(const epi_flow *f) { long n = 0; epi_visit((epi_flow *)f, add_calls, &n); return n; }

/* ---- errors ---- */
static void find_error(epi_flow *f, void *p) { const char **e = p; if (!*e && f->error[0]) *e = f->error; }
static void clear_error(epi_flow *f, void *p) { (void)p; f->error[0] = 0; }

/* the deepest cause is written first, and only the root is asked */
const char *epi_error(const epi_flow *f)
{
  const char *e = NULL;
  if (f->broken) return f->error;
  epi_visit((epi_flow *)f, find_error, &e);
  return e;
}

void epi_clear_error(epi_flow *f) { if (epi_error(f)) epi_visit(f, clear_error, NULL); }

/* ---- running ---- */
static int all_finite(const epi_flow *f, const epi_state *s)
{
  int n = epi_dim(f->sys);
  double sum = 0;
  for (int i = 0; i < n; i++) sum += 0*s->y[i];
  return sum == 0;
}

/* the guard: y, impulses, kept memory */
int epi_ready(epi_flow *f)
{
  if (f->broken || f->guard) return f->broken ? -1 : 0;
  f->nguard = epi_dim(f->sys) + f->sys->nc + epi_keep_size(f);
  /* after it, room to look at the constraints of a start */
  f->guard = calloc((size_t)(f->nguard + epi_constraint_room(f)) + 1, sizeof(double));
  return epi_refuse(f, !f->guard, "out of memory") ? -1 : 0;
}

static epi_mark guard_in(epi_flow *f, const epi_state *s)
{
  int n = epi_dim(f->sys);
  memcpy(f->guard, s->y, (size_t)n*sizeof *s->y);
  if (s->impulse) memcpy(f->guard + n, s->impulse, (size_t)f->sys->nc*sizeof *s->y);
  epi_keep_out(f, f->guard + n + f->sys->nc);
  return epi_mark_of(s);
}

static void guard_out(epi_flow *f, epi_state *s, epi_mark m)
{
  int n = epi_dim(f->sys);
  memcpy(s->y, f->guard, (size_t)n*sizeof *s->y);
  if (s->impulse) memcpy(s->impulse, f->guard + n, (size_t)f->sys->nc*sizeof *s->y);
  epi_keep_in(f, f->guard + n + f->sys->nc);
  epi_back_to(s, m);
}

static int why_not_finite(epi_flow *f, const epi_state *s, const double *y, double h)
{
  char room[32];
  int n = epi_dim(f->sys), i = 0;
  while (i < n - 1 && isfinite(y[i])) i++;
  return epi_fail(f, EPI_WRONG, "%s became %s in the step from t = %.10g (h = %g): the last good state is kept; "
                  "look at the force there, or take a smaller step", epi_coordinate(f->sys, i, room, sizeof room),
                  isnan(y[i]) ? "not a number" : "infinite", s->t, h);
}

/* a block failed: go back to its start and walk, quietly, to the last good step */
static int find_last_good(epi_flow *f, epi_state *s, double h, long n, epi_mark start)
{
  int bad = 0, dim = epi_dim(f->sys);
  guard_out(f, s, start);
  s->key.quiet++;
  for (long k = 0; k < n && !bad; k++) {
    epi_mark m = guard_in(f, s);
    bad = epi_go(f, s, h, 1);
    if (!bad && !all_finite(f, s)) bad = EPI_WRONG;
    if (!bad) continue;
    /* the broken end point, for the sentence only */
    int broken = -1;
    for (int i = 0; i < dim && broken < 0; i++) if (!isfinite(s->y[i])) broken = i;
    double end = broken < 0 ? 0 : s->y[broken];
    guard_out(f, s, m);
    if (broken >= 0) { memcpy(f->guard, s->y, (size_t)dim*sizeof(double)); f->guard[broken] = end; bad = why_not_finite(f, s, f->guard, h); }
  }
  s->key.quiet--;
  epi_cache_invalidate(s);
  return bad;
}

static int explain(epi_flow *f, const epi_state *s, double h, int bad)
{
  char why[160];
  if (epi_error(f)) return bad;
  if (f->sys->explain && f->sys->explain(f->sys, why, sizeof why))
    return epi_fail(f, bad, "%s at t = %.10g with h = %g: take a smaller step, or look at what happens there", why, s->t, h);
  if (bad > 0)
    return epi_fail(f, bad, "the step h = %g is too long at t = %.10g: take a smaller one, or tolerance(...)", h, s->t);
  return epi_fail(f, bad, "a callback of the system stopped the run at t = %.10g with code %d", s->t, bad);
}

static int request_wrong(epi_flow *f, const epi_state *s, double h)
{
  if (!s || !s->y) return epi_fail(f, EPI_WRONG, "the state has no y: start as {.t = t0, .y = your array of %d numbers}", epi_dim(f->sys));
  if (!isfinite(h) || h == 0) return epi_fail(f, EPI_WRONG, "the step is %g: it must be finite and not zero", h);
  if (h < 0 && !(f->claims & EPI_BACKWARD))
    return epi_fail(f, EPI_WRONG, "the step is %g, and %s cannot run backward here: take a positive step", h, f->record->name);
  if (!isfinite(s->t)) return epi_fail(f, EPI_WRONG, "the state starts at t = %g: give a finite time", s->t);
  if (s->t + h == s->t && (f->claims & EPI_CLOCK))
    return epi_fail(f, EPI_WRONG, "the step h = %g is lost in t = %g: take a larger one", h, s->t);
  if (!all_finite(f, s)) return why_not_finite(f, s, s->y, h);
  return f->sys->nc ? epi_off_constraints(f, s, f->guard + f->nguard) : 0;
}

/* blocks bound what must be walked again after a failure, and keep all checking out of the steps */
static int blocks(epi_flow *f, epi_state *s, double h, long n)
{
  int bad = 0;
  while (n > 0) {
    long k = n < 4096 ? n : 4096;
    epi_mark start = guard_in(f, s);
    bad = epi_go(f, s, h, k);
    if (bad == EPI_STOPPED) return bad;
    /* some flows stand at their last accepted step when they fail */
    if (bad && f->safe && all_finite(f, s)) return explain(f, s, h, bad);
    if (bad || !all_finite(f, s)) {
      int code = find_last_good(f, s, h, k, start);
      return explain(f, s, h, code ? code : bad ? bad : EPI_WRONG);
    }
    n -= k;
  }
  return 0;
}

/* a public call trusts no cache: y or the user's data may have changed */
static int begin(epi_flow *f, epi_state *s, double h)
{
  if (f->broken || epi_ready(f)) return EPI_WRONG;
  epi_clear_error(f);
  if (s) { epi_cache_invalidate(s); s->key.landing = s->key.trial = s->key.quiet = 0; }
  return request_wrong(f, s, h);
}

int epi_advance(epi_flow *f, epi_state *s, double h, long n)
{
  if (f->broken) return EPI_WRONG;
  if (n == 0) return 0;
  int bad = begin(f, s, h);
  if (bad) return bad;
  if (n < 0) return epi_fail(f, EPI_WRONG, "the number of steps is %ld: it must not be negative; take a negative step to go back", n);
  return blocks(f, s, h, n);
}

int epi_run(epi_flow *f, epi_state *s, double end, double h)
{
  if (f->broken) return EPI_WRONG;
  int bad = begin(f, s, h);
  if (bad) return bad;
  /* the sentence is about what a watch or the like is wrapped around */
  const epi_flow *in = f;
  while (in->record->arrow == EPI_WRAPPER && in->shown == 1 && !in->own_time) in = in->kid[0];
  const char *name = in->record->name;
  if (in->own_time && !(f->claims & EPI_CLOCK))
    return epi_fail(f, EPI_WRONG, "%s with clock=own counts steps of its own time: use epi_advance, or leave clock out to land on times", name);
  if (!(f->claims & EPI_CLOCK))
    return epi_fail(f, EPI_WRONG, "%s alone does not move time: compose it with a drift, as in strang(kick, drift)", name);
  const char *lost = epi_has_force(f->sys) && !(f->parts & EPI_BY_FORCE) ? "force" : f->sys->velocity_force && !(f->parts & EPI_BY_VELOCITY_FORCE) ? "velocity force" : NULL;
  if (lost) return epi_fail(f, EPI_WRONG, "%s leaves out the %s of this system: compose it with the rest, as in strang(%s, %s)", name, lost,
                            *lost == 'f' ? "kick" : "velocity-kick", name);
  if (!isfinite(end)) return epi_fail(f, EPI_WRONG, "the end of the run is %g: give a finite time", end);
  double span = end - s->t;
  if (span == 0) return 0;
  if (span*h < 0) return epi_fail(f, EPI_WRONG, "the end t = %g cannot be reached from t = %g by steps of %g: change the sign of the step", end, s->t, h);
  double count = span/h, loose = 1e-9 + 1e-15*fmax(fabs(s->t), fabs(end))/fabs(h);
  if (count > 9e15) return epi_fail(f, EPI_WRONG, "%g steps of %g to t = %g: take a longer step", count, h, end);
  /* near the end the steps are counted one by one, from where the state is: the last one does not depend on where this call began */
  while ((count = (end - s->t)/h) >= 1 - loose)
    if ((bad = blocks(f, s, h, count > 1e6 ? 1000000 : count > 4 ? (long)count - 2 : 1))) return bad;
  /* accumulated rounding is not a step */
  if (count <= loose) { epi_set_clock(s, (epi_tick){.t = end, .theta = s->theta}); return 0; }
  return blocks(f, s, end - s->t, 1);
}

/* ---- reporting ---- */
typedef struct { void (*visit)(void *, const epi_info *); void *data; int depth; } walker;

static void tell_made(const epi_system *, walker);

static void tell(const epi_flow *f, walker w)
{
  char text[512] = "";
  if (f->record) epi_options_text(f->record, f->arg, text, sizeof text);
  epi_info info = {.record = f->record, .depth = w.depth, .order = f->order, .claims = f->claims,
                   .steps = f->steps, .calls = f->calls, .refused = f->refused,
                   .text = text, .shortest = f->shortest, .longest = f->longest, .others = f->others, .slopes = f->slopes,
                   .chosen = f->chosen};
  w.visit(w.data, &info);
  w.depth++;
  for (int i = 0; i < f->nkid; i++) tell(f->kid[i], w);
  if (!f->nkid) tell_made(f->sys, w);
  tell_made(f->other, w);
}

static void tell_made(const epi_system *s, walker w)
{
  if (!s || !s->derived || s->derived->mark) return;
  const epi_derived_system *m = s->derived;
  s->derived->mark = 1;
  if (m->inner) { tell(m->inner, w); return; }
  w.visit(w.data, &(epi_info){.record = m->record, .depth = w.depth, .text = ""});
  w.depth++;
  for (int i = 0; i < 2; i++) tell_made(m->part[i], w);
}

void epi_walk(const epi_flow *f, void (*see)(void *, const epi_info *), void *data)
{
  if (!f->record) return;
  tell(f, (walker){see, data, 0});
  clear_marks((epi_flow *)f);
}

const char *epi_claims_text(unsigned claims, char *text, size_t size)
{
  static const struct { unsigned bit; const char *word; } words[] = {
    {EPI_SYMPLECTIC, "symplectic"}, {EPI_SYMMETRIC, "symmetric"}, {EPI_REVERSIBLE, "reversible"}, {EPI_EXPLICIT, "explicit"},
    {EPI_BACKWARD, "backward"}, {EPI_ESTIMATE, "error estimate"},
  };
  size_t n = 0;
  if (size) text[0] = 0;
  for (size_t i = 0; i < sizeof words/sizeof *words && n < size; i++)
    if (claims & words[i].bit) n += (size_t)snprintf(text + n, size - n, "%s%s", n ? ", " : "", words[i].word);
  return text;
}
