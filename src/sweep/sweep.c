/* sweep.c - a sweep from its texts: what is swept and what is kept, known before anything runs */
#include "sweeping.h"
#include "result/together.h"

static const double MOST_CASES = 1e15;

/* ---- what is swept ---- */
static const epi_model *model_of(const epi_sweep_options *ask)
{
  if (ask->own) return ask->own;
  size_t n = strcspn(ask->model, "( ");
  for (const epi_model *const *m = epi_models(); *m; m++)
    if (strlen((*m)->name) == n && !memcmp((*m)->name, ask->model, n)) return *m;
  return NULL;
}

static int in_flow(const epi_sweep *s, const char *name)
{
  char word[EPI_AXIS_NAME + 3];
  snprintf(word, sizeof word, "{%s}", name);
  return s->ask.flow && strstr(s->ask.flow, word);
}

static const struct { const char *name, *unit; target_kind kind; } times[] = {{"step", "s", OF_STEP}, {"end", "s", OF_END}, {"tol", "",
    OF_TOL}};
enum { TIMES = 3 };

static int no_such(epi_sweep *s, const char *name)
{
  epi_near near = epi_near_to(name);
  for (const epi_param *p = s->model->params; p && p->name; p++) epi_near_try(&near, p->name);
  for (int i = 0; i < TIMES; i++) epi_near_try(&near, times[i].name);
  if (near.best) return epi_say(s->error, -1, "%s has nothing called '%.60s' to be swept; did you mean %s?", s->model->name, name,
                                near.best);
  return epi_say(s->error, -1, "%s has nothing called '%.60s' to be swept: name a parameter of it, step, end, tol, start.COORDINATE, or "
                 "what "
                 "stands as {%.60s} in the flow", s->model->name, name, name);
}

static int find_target(epi_sweep *s, int i)
{
  const char *name = s->axis[i].name;
  target *t = &s->target[i];
  for (int k = 0; k < i; k++)
    if (!strcmp(s->axis[k].name, name)) return epi_say(s->error, -1, "%s is swept twice: name it once", name);
  for (const epi_param *p = s->model->params; p && p->name; p++) {
    if (strcmp(p->name, name)) continue;
    if (p->words || p->kind == EPI_FILE) return epi_say(s->error, -1, "%s of %s is no number, and only these are swept", name,
                                                        s->model->name);
    *t = (target){OF_MODEL, 0, p->unit ? p->unit : ""};
    return 0;
  }
  if (in_flow(s, name)) return *t = (target){OF_FLOW, 0, ""}, 0;
  for (int k = 0; k < TIMES; k++) if (!strcmp(times[k].name, name)) return *t = (target){times[k].kind, 0, times[k].unit}, 0;
  if (!strncmp(name, "start.", 6)) return *t = (target){OF_START, -1, ""}, 0;
  return no_such(s, name);
}

/* coordinates are known when there is a case */
static int find_starts(epi_sweep *s, const epi_result *r)
{
  int n = r->nq + r->nv + r->nz;
  for (int i = 0; i < s->axes; i++) {
    if (s->target[i].kind != OF_START) continue;
    const char *name = s->axis[i].name + 6;
    epi_near near = epi_near_to(name);
    for (int k = 1; k <= n; k++) {
      epi_near_try(&near, r->column[k].name);
      if (!strcmp(r->column[k].name, name)) s->target[i] = (target){OF_START, k - 1, r->column[k].unit};
    }
    if (s->target[i].column < 0)
      return epi_say(s->error, -1, "there is no coordinate '%.60s' to start from%s%s%s", name, near.best ? "; did you mean start." : "",
                     near.best ? near.best : "", near.best ? "?" : "");
  }
  return 0;
}

static int read_axes(epi_sweep *s)
{
  double cases = 1;
  int drawn = 0;
  while (s->ask.over && s->ask.over[s->axes]) s->axes++;
  if (!s->axes) return epi_say(s->error, -1, "nothing is swept: name something, as in e=0.1:0.9:0.1");
  s->axis = calloc((size_t)s->axes, sizeof *s->axis);
  s->target = calloc((size_t)s->axes, sizeof *s->target);
  if (!s->axis || !s->target) return epi_say(s->error, -1, "out of memory: there is no room for the sweep");
  for (int i = 0; i < s->axes; i++) {
    if (epi_axis_read(s->ask.over[i], s->ask.table != NULL, &s->axis[i], s->error, sizeof s->error) || find_target(s, i)) return -1;
    if (s->ask.table) continue;
    if (s->axis[i].n) cases *= (double)s->axis[i].n;
    else drawn = 1;
  }
  if (s->ask.table && s->ask.cases < 1) return epi_say(s->error, -1, "the table has no rows");
  if (drawn && s->ask.samples < 1) return epi_say(s->error, -1, "it is not said how often to draw: give samples");
  if (!drawn && s->ask.samples > 0) return epi_say(s->error, -1, "samples are of what is drawn, as in uniform(1, 2), and nothing is");
  s->samples = drawn ? s->ask.samples : 0;
  if (drawn) cases *= (double)s->samples;
  if (!(cases <= MOST_CASES)) return epi_say(s->error, -1, "%g cases are more than can be counted: take fewer of each", cases);
  s->cases = s->ask.table ? s->ask.cases : (long long)cases;
  return 0;
}

/* a column of the table that would change nothing */
static int in_vain(epi_sweep *s)
{
  int swept[OF_TOL + 1] = {0};
  for (int i = 0; i < s->axes; i++) swept[s->target[i].kind] = 1;
  if (s->ask.tol > 0 && s->ask.flow)
    return epi_say(s->error, -1, "tol = %g chooses a flow in each case, and %.160s is given: write its tolerance into it, as in "
                   "tolerance(dopri5, rtol=1e-9), or leave one of them out", s->ask.tol, s->ask.flow);
  if (swept[OF_TOL] && s->ask.flow)
    return epi_say(s->error, -1, "tol chooses a flow in each case, and %.160s is given: write its tolerance into it, as in "
                   "tolerance(dopri5, rtol={r}) with r swept, or leave the flow out", s->ask.flow);
  if (swept[OF_STEP] && (swept[OF_TOL] || s->ask.tol > 0))
    return epi_say(s->error, -1, "step is swept, and with tol the steps are chosen: leave one of them out");
  return 0;
}

/* ---- what is kept ---- */
/* a row of that time has to be there, in every case */
static int row_there(epi_sweep *s, const epi_case *c, const epi_result *r, const keep *k)
{
  double every = epi_worker_every(s, c), n = (k->at - r->start)/every;
  if (k->kind != KEEP_AT || fabs(k->at - r->end) <= 1e-9*(r->end - r->start)) return 0;
  if (every > 0 && fabs(n - floor(n + 0.5)) <= 1e-9*fmax(1, n)) return 0;
  return epi_say(s->error, -1, "%s needs a row at that time: give the time between two rows (every), of which %g is a multiple", k->name,
                 k->at - r->start);
}

static int read_keeps(epi_sweep *s, const epi_case *c, const epi_result *r)
{
  int all = !s->ask.keep;
  while (!all && s->ask.keep[s->keeps]) s->keeps++;
  if (all) s->keeps = r->nout - 1;
  if (!(s->keep = calloc((size_t)s->keeps + 1, sizeof *s->keep))) return epi_say(s->error, -1,
                                                                                 "out of memory: there is no room for what is kept");
  for (int i = 0; i < s->keeps; i++) {
    if (epi_keep_read(all ? r->column[i + 1].name : s->ask.keep[i], r, &s->keep[i], s->error) || row_there(s, c, r, &s->keep[i])) return -1;
    s->rows |= epi_keep_needs_rows(&s->keep[i]);
  }
  return s->keeps ? 0 : epi_say(s->error, -1, "nothing is kept: name a column");
}

/* ---- all of it ---- */
/* the batch callback says what the force does, at the start of the first case */
static int same_forces(epi_sweep *s, epi_case *c)
{
  epi_system *m = &c->system;
  int n = epi_nv(m);
  double *f = calloc(2*(size_t)n, sizeof *f), *g = f ? f + n : NULL, t = c->t, theta = c->theta, size = 0, off = 0;
  if (!f) return epi_say(s->error, -1, "out of memory: the first case could not be made");
  if (!epi_force_at(m, t, theta, c->y, f) && !m->batch.forces_of(&m, 1, &t, &theta, c->y, g))
    for (int i = 0; i < n; i++) size = fmax(size, fabs(f[i])), off = fmax(off, fabs(f[i] - g[i]));
  free(f);
  return off <= 1e-9*size ? 0 : epi_say(s->error, -1, "forces_of of %s differs from its force by %.3g, of %.3g, at the start: both are to "
                                        "say the same", s->model->name, off, size);
}

/* what moves in lanes does so in all cases, by the same callback */
static int find_lanes(epi_sweep *s, epi_case *c, const epi_result *r, int chooses)
{
  int differ = chooses || !c->system.batch.forces_of || !epi_result_moves_in_lanes(r);
  for (int i = 0; i < s->axes; i++) differ |= s->target[i].kind != OF_MODEL && s->target[i].kind != OF_START;
  if (differ) return 0;
  s->lanes = 1;
  return same_forces(s, c);
}

/* by the first case: what can be known of all of them before any runs */
static int look_ahead(epi_sweep *s)
{
  worker w;
  if (epi_worker_make(s, &w, 0)) return epi_worker_free(&w), -1;
  epi_sweep_values(s, 0, w.value);
  epi_case *c = epi_worker_case(s, &w);
  int chooses = c && !c->error[0] && epi_worker_chooses(s, c);
  /* a flow that is to be chosen is not known yet, and any will do to name the columns */
  epi_chosen any = {.flow = "herk4"};
  if (c && !c->error[0] && c->flow) snprintf(any.flow, sizeof any.flow, "%s", c->flow);
  epi_result *r = c ? epi_worker_result(s, &w, c, chooses ? &any : NULL) : NULL;
  int bad = !r ? epi_say(s->error, -1, "out of memory: the first case could not be made") :
    !strcmp(r->status, "refused") ? epi_say(s->error, -1, "%s", r->error) : find_starts(s, r) || read_keeps(s, c, r)
    || epi_engine_possible(s, r, chooses) || find_lanes(s, c, r, chooses);
  epi_result_free(r);
  epi_case_free(c);
  epi_worker_free(&w);
  return bad;
}

static int understand(epi_sweep *s)
{
  if (!s->ask.own && !s->ask.model) return epi_say(s->error, -1, "there is no model");
  if (!(s->model = model_of(&s->ask)))
    return epi_say(s->error, -1, "there is no model '%.*s'", (int)strcspn(s->ask.model, "("), s->ask.model);
  return read_axes(s) || in_vain(s) || look_ahead(s);
}

epi_sweep *epi_sweep_make_abi(const epi_sweep_options *ask, const epi_abi *abi, unsigned bytes)
{
  epi_sweep *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  pthread_mutex_init(&s->lock, NULL);
  pthread_cond_init(&s->ended, NULL);
  if (bytes != (unsigned)(sizeof(epi_sweep_options) + sizeof(epi_sweep_row)*0x10000u)) abi = NULL;
  if (epi_abi_check(abi, s->error, sizeof s->error)) return s;
  s->ask = *ask;
  understand(s);
  return s;
}

void epi_sweep_free(epi_sweep *s)
{
  if (!s) return;
  for (int i = 0; s->axis && i < s->axes; i++) free(s->axis[i].list);
  if (s->one.s) epi_worker_free(&s->one);
  pthread_mutex_destroy(&s->lock);
  pthread_cond_destroy(&s->ended);
  free(s->axis);
  free(s->target);
  free(s->keep);
  free(s);
}

/* ---- looking ---- */
const char *epi_sweep_error(const epi_sweep *s) { return !s ? "out of memory" : s->error[0] ? s->error : NULL; }
long long epi_sweep_cases(const epi_sweep *s) { return s->error[0] ? 0 : s->cases; }
int epi_sweep_axes(const epi_sweep *s) { return s->axes; }
int epi_sweep_keeps(const epi_sweep *s) { return s->keeps; }

const char *epi_sweep_axis(const epi_sweep *s, int i, const char **unit, long long *count)
{
  if (unit) *unit = s->target[i].unit;
  if (count) *count = s->ask.table ? s->cases : s->axis[i].n;
  return s->axis[i].name;
}

const char *epi_sweep_kept(const epi_sweep *s, int i, const char **unit)
{
  if (unit) *unit = s->keep[i].unit;
  return s->keep[i].name;
}
