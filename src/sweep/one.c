/* one.c - one case of a sweep: its numbers, its run, and what is kept of it */
#define _XOPEN_SOURCE 700
#include "sweeping.h"
#include "result/recorder.h"
#include "choose/unasked.h"
#include <time.h>

/* ---- the numbers of a case ---- */
void epi_sweep_values(const epi_sweep *s, long long number, double *value)
{
  if (s->ask.table) { memcpy(value, s->ask.table + number*s->axes, (size_t)s->axes*sizeof *value); return; }
  long long sample = s->samples ? number % s->samples : 0, place = s->samples ? number/s->samples : number;
  for (int i = s->axes - 1; i >= 0; i--) {
    const axis *a = &s->axis[i];
    if (!a->n) { value[i] = epi_axis_draw(a, i, s->ask.seed, s->ask.latin, sample, s->samples); continue; }
    value[i] = epi_axis_value(a, place % a->n);
    place /= a->n;
  }
}

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9*(double)t.tv_nsec;
}

/* the flow with numbers in place of {name}; one that has no room becomes a name that says so where it is refused */
static const char *flow_text(const epi_sweep *s, const double *value, char *out, size_t size)
{
  const char *from = s->ask.flow;
  size_t n = 0;
  while (from && *from && n + 1 < size) {
    const char *end = *from == '{' ? strchr(from, '}') : NULL;
    int which = -1;
    for (int i = 0; end && i < s->axes; i++)
      if (strlen(s->axis[i].name) == (size_t)(end - from) - 1 && !memcmp(s->axis[i].name, from + 1, (size_t)(end - from) - 1)) which = i;
    if (which < 0) { out[n++] = *from++; continue; }
    n += (size_t)snprintf(out + n, size - n, "%s", epi_shortest(value[which]).text);
    from = end + 1;
  }
  if (!from) return NULL;
  if (n >= size || *from) return "a_flow_this_long";
  out[n] = 0;
  return out;
}

/* alone as in lanes: by the same callback, so that a row has the same bits whoever moves beside it */
static int force_alone(epi_system *s, double t, const double *q, double *f) { return s->batch.forces_of(&s, 1, &t, &t, q, f); }
static int forced_alone(epi_system *s, double t, double theta, const double *q, double *f)
{
  return s->batch.forces_of(&s, 1, &t, &theta, q, f);
}

epi_case *epi_worker_case(const epi_sweep *s, worker *w)
{
  for (int i = 0; i < s->axes; i++)
    if (s->target[i].kind == OF_MODEL && epi_term_give(w->model, s->axis[i].name, epi_shortest(w->value[i]).text)) return NULL;
  size_t n = epi_term_text(w->model, w->text, EPI_SWEEP_TEXT);
  if (n >= EPI_SWEEP_TEXT) return NULL;
  const char *options = strchr(w->text, '(');
  epi_case *c = s->ask.own ? epi_case_of(s->ask.own, options) : epi_case_make(w->text);
  if (c && !c->error[0] && s->ask.names) epi_case_names(c, s->ask.names);
  for (int i = 0; c && !c->error[0] && i < s->axes; i++)
    if (s->target[i].kind == OF_START) c->y[s->target[i].column] = w->value[i];
  if (c && !c->error[0] && s->lanes && c->system.batch.forces_of) {
    if (c->system.force) c->system.force = force_alone;
    if (c->system.phase.forced) c->system.phase.forced = forced_alone;
  }
  return c;
}

double epi_worker_number(const epi_sweep *s, const worker *w, target_kind kind, double otherwise)
{
  for (int i = 0; i < s->axes; i++) if (s->target[i].kind == kind) return w->value[i];
  return otherwise;
}

static void see_row(void *data, const epi_result *r)
{
  worker *w = data;
  for (int i = 0; i < w->s->keeps; i++) epi_keep_row(&w->s->keep[i], &w->seen[i], r);
}

static double tolerance(const epi_sweep *s, const worker *w, const epi_case *c)
{
  double tol = epi_worker_number(s, w, OF_TOL, s->ask.tol);
  return tol > 0 ? tol : c->tol;
}

int epi_worker_chooses(const epi_sweep *s, const epi_case *c)
{
  int stepped = s->ask.step > 0;
  for (int i = 0; i < s->axes; i++) {
    if (s->target[i].kind == OF_TOL) return 1;
    stepped |= s->target[i].kind == OF_STEP;
  }
  if (s->ask.flow || s->ask.tol > 0) return !s->ask.flow;
  return !stepped && (c->tol > 0 || c->unasked || (!c->flow && !(c->step > 0)));
}

double epi_worker_every(const epi_sweep *s, const epi_case *c) { return s->ask.every > 0 ? s->ask.every : c->every; }

/* a result that is ready to run, or says why not */
epi_result *epi_worker_result(epi_sweep *s, worker *w, epi_case *c, const epi_chosen *chosen)
{
  double step = epi_worker_number(s, w, OF_STEP, s->ask.step), end = epi_worker_number(s, w, OF_END, s->ask.end);
  double span = (end > 0 ? end : c->end) - c->t, said = epi_worker_every(s, c);
  double every = s->rows ? said > 0 ? said : -1 : span > 0 ? span : -1;
  const epi_chosen *known = w->doubt[0] ? NULL : chosen;
  /* one that only names the columns is not run: of a model without a step any short one will do */
  if (chosen && !w->own && !(step > 0)) step = chosen->tol > 0 ? span/16 : c->step > 0 ? 0 : 1e-9*span;
  if (chosen && !w->own && chosen->tol > 0 && s->rows && !(said > 0)) every = epi_ask_every(span, NAN, -1);
  const char *flow = chosen ? chosen->flow : flow_text(s, w->value, w->flow, EPI_SWEEP_TEXT);
  epi_result *r = epi_result_make(c, flow, &(epi_run_options){.step = step, .end = end, .every = every, .choice = known, .row = see_row,
                                                              .data = w});
  if (r && r->recorder) r->recorder->tries = 1;
  if (r && w->doubt[0]) epi_result_warn(r, "%s", w->doubt);
  return r;
}

/* ---- one case ---- */
static void say_why(worker *w, const char *words) { snprintf(w->why, sizeof w->why, "%s", words); }

void epi_worker_under_way(worker *w, epi_result *r, int choosing)
{
  pthread_mutex_lock(&w->lock);
  w->r = r;
  w->choosing = choosing;
  int stop = w->late || __atomic_load_n(&w->s->stop, __ATOMIC_RELAXED);
  if (stop && r) epi_result_stop(r);
  if (stop && choosing) epi_choose_stop(w->chosen);
  pthread_mutex_unlock(&w->lock);
}

int epi_worker_stopped(const worker *w) { return __atomic_load_n(&w->s->stop, __ATOMIC_RELAXED); }

/* no flow is right to a tolerance that was not asked for: the case has the flow that a run takes then, and a doubt. 0, or its outcome */
static int settle_for(worker *w, const epi_case *c)
{
  epi_chosen *a = w->chosen;
  const char *flow = epi_fallback_flow(c, a);
  if (!flow || !*flow) return say_why(w, a->error), EPI_CASE_REFUSED;
  if (a->breaks == 1)
    snprintf(w->doubt, sizeof w->doubt, "the error is unknown: while a flow was chosen for %g, its run failed on its way: %s", a->tol,
             a->error);
  else snprintf(w->doubt, sizeof w->doubt, "it %s right to %g: %s", a->dear ? "may not be" : "is not", a->tol, a->error);
  w->own = c->flow && !strcmp(flow, c->flow);
  if (flow != a->flow) snprintf(a->flow, sizeof a->flow, "%s", flow);
  return 0;
}

static int choose_flow(epi_sweep *s, worker *w, epi_case *c)
{
  double end = epi_worker_number(s, w, OF_END, s->ask.end), tol = tolerance(s, w, c);
  const int unasked = !(tol > 0);
  *w->chosen = (epi_chosen){.tol = unasked ? 1e-6 : tol, .end = end > 0 ? end : c->end};
  if (unasked) w->chosen->most = epi_ask_most(c, w->chosen->end);
  if (s->rows) w->chosen->every = epi_ask_every(w->chosen->end - c->t, NAN, epi_worker_every(s, c) > 0 ? epi_worker_every(s, c) : -1);
  epi_worker_under_way(w, NULL, 1);
  int bad = epi_choose(c, w->chosen);
  epi_worker_under_way(w, NULL, 0);
  if (bad == EPI_STOPPED) return w->late ? EPI_CASE_TOO_LONG : EPI_STOPPED;
  if (bad && unasked) return settle_for(w, c);
  if (bad) say_why(w, w->chosen->error);
  return bad ? EPI_CASE_REFUSED : 0;
}

/* 0, or -1: the run went on beyond the time of a row that is kept, and has none there */
static int row_missing(worker *w, const keep *k, const epi_result *r, double x)
{
  if (k->kind != KEEP_AT || !isnan(x) || !(r->row[0] >= k->at)) return 0;
  snprintf(w->why, sizeof w->why, "%s: no row of this case is at that time: give a time between two rows of which it is a multiple",
           k->name);
  return -1;
}

/* the multiplier of the start: 0, or why there is none */
static int keep_floquet(worker *w, epi_case *c, const epi_result *r, keep_kind kind, double *out)
{
  epi_flow *f = epi_case_flow(c, r->flow);
  epi_state s = epi_case_state(c);
  epi_floquet found = epi_floquet_of(f, &s, r->step);
  *out = kind == KEEP_EXPONENT ? log(found.multiplier)/found.period : found.multiplier;
  if (found.why[0]) say_why(w, found.why);
  epi_free(f);
  return found.why[0] ? -1 : 0;
}

static int run_result(worker *w, epi_case *c, epi_result *r)
{
  int bad = epi_result_begin(r);
  if (!bad) {
    epi_worker_under_way(w, r, 0);
    bad = epi_result_go(r);
    epi_worker_under_way(w, NULL, 0);
    epi_result_end(r, bad);
  }
  if (bad == EPI_STOPPED && (epi_worker_stopped(w) || w->late)) return w->late ? EPI_CASE_TOO_LONG : EPI_STOPPED;
  return epi_worker_finish(w, c, r);
}

int epi_worker_finish(worker *w, epi_case *c, epi_result *r)
{
  if (!strcmp(r->status, "failed") || !strcmp(r->status, "refused")) { say_why(w, r->error); return EPI_CASE_FAILED; }
  for (int i = 0; i < w->s->keeps; i++) {
    keep_kind kind = w->s->keep[i].kind;
    if (kind != KEEP_MULTIPLIER && kind != KEEP_EXPONENT) {
      w->out[i] = epi_keep_value(&w->s->keep[i], &w->seen[i], r);
      if (row_missing(w, &w->s->keep[i], r, w->out[i])) return EPI_CASE_FAILED;
    } else if (keep_floquet(w, c, r, kind, &w->out[i])) return EPI_CASE_FAILED;
  }
  const epi_chosen *how = w->chooses ? w->chosen : NULL;
  const char *slow = how && how->slow_part ? "these are numbers of the slow part of the motion alone, which was chosen for its price" : "";
  const char *warning = r->warnings > r->of_cost ? r->warning[0] : "";
  snprintf(w->why, sizeof w->why, "%s%s%s", slow, *slow && *warning ? "; " : "", warning);
  if (w->why[0]) return EPI_CASE_DOUBTFUL;
  if (how && c->unasked && !(tolerance(w->s, w, c) > 0))
    snprintf(w->why, sizeof w->why, "chosen for %g: %s%s%s", how->tol, how->flow, how->said[0] ? "; " : "", how->said);
  else if (how) say_why(w, how->said);
  return EPI_CASE_DONE;
}

int epi_worker_prepare(epi_sweep *s, worker *w, long long number, const double *place, epi_case **c, epi_result **r)
{
  epi_sweep_values(s, number, w->value);
  w->why[0] = 0;
  memset(w->seen, 0, (size_t)s->keeps*sizeof *w->seen);
  for (int i = 0; i < s->keeps; i++) w->out[i] = NAN;
  *r = NULL;
  if (!(*c = epi_worker_case(s, w))) return EPI_WRONG;
  int outcome = 0;
  w->chooses = epi_worker_chooses(s, *c);
  w->own = 0;
  w->doubt[0] = 0;
  if (place && !(*c)->error[0]) {
    (*c)->t = place[0];
    (*c)->theta = place[2];
    memcpy((*c)->y, place + 3, (size_t)epi_size(&(*c)->system)*sizeof *place);
  }
  if ((*c)->error[0]) { say_why(w, (*c)->error); outcome = EPI_CASE_REFUSED; }
  if (!outcome && w->chooses) outcome = choose_flow(s, w, *c);
  if (outcome) return outcome;
  if (!(*r = epi_worker_result(s, w, *c, w->chooses ? w->chosen : NULL))) return EPI_WRONG;
  if (place && (*r)->recorder) (*r)->recorder->s.key.rest = place[1];
  if (strcmp((*r)->status, "refused")) return 0;
  say_why(w, (*r)->error);
  return EPI_CASE_REFUSED;
}

/* EPI_CASE_DONE ..., EPI_STOPPED, or EPI_WRONG: memory is out */
static int run_case(epi_sweep *s, worker *w, long long number, const double *place)
{
  epi_case *c;
  epi_result *r;
  int outcome = epi_worker_prepare(s, w, number, place, &c, &r);
  if (!outcome) outcome = run_result(w, c, r);
  if (outcome == EPI_CASE_TOO_LONG) snprintf(w->why, sizeof w->why, "it took longer than %g s", s->ask.limit);
  epi_result_free(r);
  epi_case_free(c);
  return outcome;
}

static void begin_case(worker *w, double when)
{
  pthread_mutex_lock(&w->lock);
  w->began = when;
  w->late = 0;
  pthread_mutex_unlock(&w->lock);
}

int epi_worker_take(epi_sweep *s, worker *w, long long number) { return epi_worker_take_from(s, w, number, NULL); }

/* 0, or what ends the sweep */
int epi_worker_take_from(epi_sweep *s, worker *w, long long number, const double *place)
{
  if (s->ask.skip && s->ask.skip(s->ask.data, number)) return 0;
  if (s->ask.begin && s->ask.begin(s->ask.data, w->number, number)) return EPI_STOPPED;
  if (s->ask.limit > 0) begin_case(w, now());
  int outcome = run_case(s, w, number, place);
  if (s->ask.limit > 0) begin_case(w, 0);
  return epi_worker_tell(s, w, number, outcome);
}

int epi_worker_tell(epi_sweep *s, worker *w, long long number, int outcome)
{
  if (outcome < EPI_CASE_DONE || outcome > EPI_CASE_CRASHED) return outcome;
  epi_sweep_row row = {.number = number, .outcome = outcome, .value = w->value, .kept = w->out, .why = w->why};
  if (s->kept) memcpy(s->kept + number*s->keeps, w->out, (size_t)s->keeps*sizeof *w->out);
  if (!s->see) return 0;
  pthread_mutex_lock(&s->lock);
  int bad = s->see(s->ask.data, &row);
  pthread_mutex_unlock(&s->lock);
  return bad ? EPI_STOPPED : 0;
}

/* ---- who runs it ---- */
void epi_worker_free(worker *w)
{
  for (int k = 0; w->lane && k < w->lanes; k++) epi_worker_free(&w->lane[k]);
  free(w->lane);
  epi_term_free(w->model);
  free(w->text);
  free(w->value);
  free(w->seen);
  free(w->chosen);
  pthread_mutex_destroy(&w->lock);
}

int epi_worker_make(epi_sweep *s, worker *w, int number)
{
  const char *options = s->ask.own ? s->ask.model ? s->ask.model : "" : NULL;
  char text[EPI_SWEEP_TEXT];
  *w = (worker){.s = s, .number = number, .lock = PTHREAD_MUTEX_INITIALIZER};
  if ((size_t)snprintf(text, sizeof text, "%s%s", options ? "model" : s->ask.model, options ? options : "") >= sizeof text)
    return epi_say(s->error, -1, "the text of the model is longer than %d letters", EPI_SWEEP_TEXT);
  if (!(w->model = epi_term_read(text, s->error, sizeof s->error))) return -1;
  w->text = calloc(2, EPI_SWEEP_TEXT);
  w->value = calloc((size_t)(s->axes + s->keeps + 1), sizeof *w->value);
  w->seen = calloc((size_t)s->keeps + 1, sizeof *w->seen);
  w->chosen = calloc(1, sizeof *w->chosen);
  if (!w->text || !w->value || !w->seen || !w->chosen) return epi_say(s->error, -1, "out of memory: there is no room for a worker");
  w->flow = w->text + EPI_SWEEP_TEXT;
  w->out = w->value + s->axes;
  return 0;
}

