/* limit.c - the longest step that a flow bears at a state.
 *
 * A flow treats every small oscillation of a system as if it were alone. So its text is given one oscillator of frequency 1, and steps of
 * growing length are tried on that: the limit is where the oscillation begins to grow by a third in each turn. For verlet that is h w = 2;
 * for compositions, Runge-Kutta methods and flows of any text it is what it turns out to be; implicit methods may have none. A method of
 * two systems is tried on each of them, while the other one is at rest. */
#include "core.h"
#include "measure/frequency.h"
#include "registry.h"
#include <stdio.h>

/* q'' = -w^2 q - c q', with as many slots as the model has; as a rate, y1' = w y2 - c y1, y2' = -w y1 - c y2 */
typedef struct { double w, c; epi_flow *flow; long left; } oscillator;    /* left: how often its flow may ask for the force */

static const oscillator *asked(epi_system *s)
{
  oscillator *o = s->data;
  if (o->flow && o->left-- <= 0) epi_stop(o->flow);
  return o;
}

static int force(epi_system *s, double t, const double *q, double *f)
{
  const oscillator *o = asked(s);
  (void)t;
  f[0] = -o->w*o->w*q[0];
  return 0;
}

static int velocity_force(epi_system *s, double t, const double *q, const double *v, double *f)
{
  const oscillator *o = asked(s);
  (void)t, (void)q;
  f[0] -= o->c*v[0];
  return 0;
}

static int both_forces(epi_system *s, double t, const double *q, const double *v, double *f)
{
  const oscillator *o = asked(s);
  (void)t;
  f[0] -= o->w*o->w*q[0] + o->c*v[0];
  return 0;
}

static int rate(epi_system *s, double t, const double *y, double *dy)
{
  const oscillator *o = asked(s);
  (void)t;
  dy[0] = o->w*y[1] - o->c*y[0];
  dy[1] = -o->w*y[0] - o->c*y[1];
  return 0;
}

/* of forces */
static int slope(epi_system *s, double t, const double *y, double a, double b, double *A)
{
  const oscillator *o = s->data;
  (void)t, (void)y;
  A[0] = -a*o->w*o->w - b*o->c;
  return 0;
}

static double kinetic(epi_system *s, double t, const double *y) { (void)s, (void)t; return y[1]*y[1]/2; }
static double potential(epi_system *s, double t, const double *y)
{
  const oscillator *o = s->data;
  (void)t;
  return o->w*o->w*y[0]*y[0]/2;
}
static double energy(epi_system *s, double t, const double *y) { return kinetic(s, t, y) + potential(s, t, y); }

static epi_system oscillator_like(const epi_system *m, oscillator *o)
{
  if (epi_all_rate(m)) return (epi_system){.nz = 2, .rate = rate, .data = o};
  epi_system s = {.nq = 1, .energies = {.kinetic = kinetic, .potential = potential}, .energy = energy, .data = o,
                  .traits.irreversible = m->traits.irreversible};
  if (epi_has_force(m)) s.force = force;
  if (m->velocity_force) s.velocity_force = s.force ? velocity_force : both_forces;
  /* a method that knows how forces change knows it here too */
  if (m->contacts.linked_force || m->jacobian.slope) s.jacobian.slope = slope;
  return s;
}

/* ---- the text without its averages and events: the macro method sees only the slow system, or the one that another was made into ---- */
/* events and watches change no step, and what they ask of a state they would ask of an oscillator in its place: 0, or -1: out of memory */
static int drop_observers(epi_term *t, const epi_name *names)
{
  while (t->kind == EPI_TERM_NAME && epi_traits_of(epi_record_among(names, t->name)) & EPI_OBSERVER && epi_term_inside(t)) {
    const epi_term *inside = epi_term_inside(t);
    size_t n = epi_term_text(inside, NULL, 0) + 1;
    char *text = malloc(n);
    if (text) epi_term_text(inside, text, n);
    int bad = !text || epi_term_replace(t, text);
    free(text);
    if (bad) return -1;
  }
  return 0;
}

/* how many there were; -1: out of memory */
static int drop_averages(epi_term *t, const epi_name *names)
{
  int n = 0;
  for (; t && n >= 0; t = t->next) {
    if (drop_observers(t, names)) return -1;
    const epi_record *r = t->kind == EPI_TERM_NAME && !t->key[0] ? epi_record_among(names, t->name) : NULL;
    int average = r && r->arrow == EPI_AVERAGE, made = r && r->arrow == EPI_COMBINE && r->build;
    if (average || made) { n = epi_term_replace(t, "model") ? -1 : n + average; continue; }
    int inside = drop_averages(t->arg, names);
    n = inside < 0 ? -1 : n + inside;
  }
  return n;
}

static char *without_averages(const char *flow, const epi_name *names, int *averages)
{
  char error[EPI_SENTENCE_SIZE], *out = NULL;
  epi_term *t = epi_term_read(flow, error, sizeof error);
  *averages = t ? drop_averages(t, names) : -1;
  size_t n = *averages < 0 ? 0 : epi_term_text(t, NULL, 0) + 1;
  if (n && (out = malloc(n))) epi_term_text(t, out, n);
  epi_term_free(t);
  return out;
}

/* ---- the stability limit of a flow ---- */
enum { STEPS = 100, BLOCK = 5 };
static const double SMALL = 0.05;       /* times the rate: every flow bears such a step */

/* by how much, per step of h, small motions grow: the logarithm */
static double growth(epi_flow *f, double h, int steps)
{
  double most = 0;
  for (int k = 0; k < 2; k++) {
    double y[2] = {!k, k};
    epi_state s = {.y = y};
    /* not as far as numbers go: a flow that retries would do so there without end */
    for (int i = 0; i < steps; i += BLOCK) {
      if (epi_advance(f, &s, h, steps - i < BLOCK ? steps - i : BLOCK)) return HUGE_VAL;
      if (hypot(y[0], y[1]) > 1e50) return HUGE_VAL;
    }
    most = fmax(most, hypot(y[0], y[1]));
  }
  return log(most)/steps;
}

static int stable(epi_flow *f, double h) { return growth(f, h, STEPS) <= 0.05*h; }

/* the same by two steps where the flow has no memory: what small motions grow by is then an eigenvalue of a matrix. 0: ask stable */
static int surely_stable(epi_flow *f, double h)
{
  double y[2][2] = {{1, 0}, {0, 1}};
  if (epi_keep_size(f)) return 0;
  for (int k = 0; k < 2; k++) {
    epi_state s = {.y = y[k]};
    if (epi_advance(f, &s, h, 1)) return 0;
  }
  double half = 0.5*(y[0][0] + y[1][1]), det = y[0][0]*y[1][1] - y[0][1]*y[1][0], d = half*half - det;
  double most = d > 0 ? fabs(half) + sqrt(d) : sqrt(det);
  return log(most) <= 0.04*h;
}

/* the first step that is not borne, in steps 4 % apart, and then between these */
static double limit_up_to(epi_flow *f, double most)
{
  double good = 0, bad = fmin(SMALL, most);
  while (stable(f, bad)) {
    if (bad >= most) return HUGE_VAL;
    good = bad;
    bad = fmin(1.04*bad, most);
  }
  for (int k = 0; k < 40 && bad - good > 1e-4*bad; k++) {
    double half = 0.5*(good + bad);
    *(stable(f, half) ? &good : &bad) = half;
  }
  return good;
}

/* the oscillator in place of the system `of`, others at rest, and what of the names is no system */
static epi_name *names_with(const epi_name *names, const epi_name *of, epi_system *moves, epi_system *rests)
{
  int n = 0, k = 0;
  while (names && names[n].name) n++;
  epi_name *all = calloc((size_t)n + 2, sizeof *all);
  for (int i = 0; all && i < n; i++) {
    if (names[i].flow) continue;
    all[k] = names[i];
    if (names[i].system) all[k].system = &names[i] == of || !strcmp(names[i].name, "model") ? moves : &rests[i];
    k++;
  }
  return all;
}

/* evaluations in a step, but for what a start costs */
static double calls_of(epi_flow *f)
{
  long calls[3] = {epi_calls(f)};
  for (int k = 1; k <= 2; k++) {
    epi_state s = {.y = (double[]){1, 0}};
    if (epi_advance(f, &s, SMALL, k*BLOCK)) return 1;
    calls[k] = epi_calls(f);
  }
  return (double)(calls[2] - 2*calls[1] + calls[0])/BLOCK;
}

/* ---- what there is to bear ---- */
typedef struct { const char *text; const epi_name *names; const epi_state *s; double h; long evaluations; int quick; } question;

static int out_of_memory(const epi_flow *f) { return epi_cause_of(f) == EPI_MEMORY; }
static void say_no_memory(epi_limit *p) { p->why = "memory is out", p->cause = EPI_MEMORY; }

static void add_refused(void *sum, const epi_info *i) { *(long *)sum += i->refused; }

static long refusals(const epi_flow *f)
{
  long n = 0;
  epi_walk(f, add_refused, &n);
  return n;
}

/* of one system of the text */
static void ask_system(epi_limit *p, const question *a, const epi_name *of, epi_flow *mover, epi_system *rests)
{
  const epi_derived_system *made = mover->sys ? mover->sys->derived : NULL;
  if (made && made->start) { if (!p->why) p->why = "the slow system is known once a run has begun"; return; }
  double decay = 0, w = epi_frequency_within(mover, a->s, &decay, a->evaluations);
  const epi_system *m = of->system;
  /* what falls towards a saddle is no decay */
  if (!m->velocity_force && !m->rate) decay = 0;
  if (out_of_memory(mover)) { say_no_memory(p); return; }
  if (isnan(w)) { if (!p->why) p->why = "the forces at the start cannot be had"; return; }
  double most = fmax(w, decay), z = a->h*most;
  if (w > p->w) p->w = w;
  if (decay > p->decay) p->decay = decay;
  if (a->quick ? z < SMALL && !m->phase.forced : !(z > 1e-6) && !m->phase.forced) return;
  oscillator o = {.w = decay > w ? 0 : 1, .c = decay > w ? 1 : 0};
  epi_system toy = oscillator_like(m, &o);
  epi_name *names = names_with(a->names, of, &toy, rests);
  epi_flow *f = names ? epi_make_named(a->text, names) : NULL;
  if (f && !epi_error(f)) epi_ready(f);
  if (!f || out_of_memory(f)) say_no_memory(p);
  else if (epi_error(f)) p->why = "it cannot be tried on one oscillator";
  else {
    o.flow = f;
    o.left = a->quick ? 100000 : 10000000;
    int quiet = a->quick && (z < SMALL || surely_stable(f, z) || stable(f, z));
    /* steps that are refused over and over are not borne */
    if (!quiet && (o.left >= 0 || refusals(f))) o.left = 10000000;
    double limit = quiet ? HUGE_VAL : limit_up_to(f, fmax(10, 1.25*z));
    if (m->phase.forced && o.left > 0) p->calls = calls_of(f);
    if (o.left < 0) { p->why = "its steps take too long to be tried"; p->calls = HUGE_VAL; limit = NAN; }
    else if (limit/most < p->step || isnan(p->limit)) { p->limit = limit; p->rate = most; p->falls = decay > w; }
    p->step = fmin(p->step, limit/most);
  }
  epi_free(f);
  free(names);
}

/* any flow of this system alone: its rates are what is asked for */
static epi_flow *mover_of(const char *name, const epi_name *names)
{
  static const char *const ways[] = {"verlet", "rk4", "midpoint", "semi"};
  for (size_t i = 0; i < sizeof ways/sizeof *ways; i++) {
    char text[80];
    snprintf(text, sizeof text, "%s(%.48s)", ways[i], name);
    epi_flow *f = epi_make_named(text, names);
    if (!epi_error(f) || out_of_memory(f)) return f;
    epi_free(f);
  }
  return NULL;
}

static void ask_all(epi_limit *p, const question *a, epi_flow *whole)
{
  char error[EPI_SENTENCE_SIZE];
  int n = 0, parts = 0;
  while (a->names && a->names[n].name) n++;
  epi_term *flow = epi_term_read(a->text, error, sizeof error);
  epi_system *rests = flow ? calloc((size_t)n + 1, sizeof *rests) : NULL;
  oscillator still = {.left = 0};
  for (int i = 0; rests && i < n; i++) if (a->names[i].system) rests[i] = oscillator_like(a->names[i].system, &still);
  for (int i = 0; rests && i < n; i++) {
    const epi_name *of = &a->names[i];
    if (!of->system || !strcmp(of->name, "model") || !epi_term_find(flow, of->name)) continue;
    epi_flow *mover = mover_of(of->name, a->names);
    if (mover && out_of_memory(mover)) say_no_memory(p);
    else if (mover) ask_system(p, a, of, mover, rests);
    else p->why = "a part of it cannot be moved alone";
    epi_free(mover);
    parts++;
  }
  epi_name model = {.name = "model", .system = whole->sys};
  if (rests && !parts) ask_system(p, a, &model, whole, rests);
  if (!rests) say_no_memory(p);
  free(rests);
  epi_term_free(flow);
}

static void look_at_node(void *why, const epi_info *i)
{
  const epi_value *tol = i->node ? epi_arg(i->node, "tol") : NULL;
  if ((i->node && epi_arg(i->node, "rtol")) || (tol && tol->given)) *(const char **)why = "it chooses its steps";
}

/* the phase that a flow has to see: fewer than two evaluations in a turn see another one */
static void ask_phase(epi_limit *p, const epi_system *m, double t)
{
  double w = m->phase.phase_rate_at ? m->phase.phase_rate_at((epi_system *)m, t) : m->phase.phase_rate;
  if (!m->phase.forced || !(fabs(w) > 0)) return;
  p->phase = fabs(w);
  if (p->calls < 1) p->calls = 1;
  p->phase_step = EPI_PI*p->calls/p->phase;
}

epi_limit epi_limit_of(const char *text, const epi_name *names, epi_flow *f, const epi_state *s, double h, long evaluations)
{
  epi_limit p = {.limit = NAN, .step = HUGE_VAL, .phase_step = HUGE_VAL};
  int averages = 0;
  char *alone = without_averages(text, names, &averages);
  if (!alone) say_no_memory(&p);
  else if (epi_extra_state(f, NULL, 0)) p.why = "it steps in a time of its own";
  else epi_walk(f, look_at_node, &p.why);
  const char *chooses = p.why;
  question a = {.text = alone, .names = names, .s = s, .h = h, .quick = evaluations > 0};
  a.evaluations = evaluations > 0 ? evaluations : 1000;
  /* an evaluation of an average is dear */
  if (!chooses && !(a.quick && averages)) ask_all(&p, &a, f);
  else if (!evaluations) p.w = epi_frequency(f, s, &p.decay);
  if (!chooses && !averages) ask_phase(&p, f->sys, s->t);
  free(alone);
  return p;
}

double epi_limit_in(const char *text, const epi_name *names, const char *part, double z, int falls)
{
  int averages = 0, n = 0;
  double limit = NAN;
  char *alone = without_averages(text, names, &averages);
  const epi_name *of = names;
  while (of && of->name && strcmp(of->name, part)) of++;
  while (names && names[n].name) n++;
  epi_system *rests = calloc((size_t)n + 1, sizeof *rests);
  oscillator still = {.left = 0}, o = {.w = !falls, .c = falls};
  for (int i = 0; rests && i < n; i++) if (names[i].system) rests[i] = oscillator_like(names[i].system, &still);
  if (alone && rests && !averages && of && of->name && of->system) {
    epi_system toy = oscillator_like(of->system, &o);
    epi_name *all = names_with(names, of, &toy, rests);
    epi_flow *f = all ? epi_make_named(alone, all) : NULL;
    if (f && !epi_error(f)) epi_ready(f);
    if (f && !epi_error(f) && !epi_extra_state(f, NULL, 0)) {
      o.flow = f;
      o.left = 10000000;
      limit = limit_up_to(f, fmax(10, 1.25*z));
      if (o.left < 0) limit = NAN;
    }
    epi_free(f);
    free(all);
  }
  free(rests);
  free(alone);
  return limit;
}
