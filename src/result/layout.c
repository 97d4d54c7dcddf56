/* layout.c - a result is one block: its fields, arrays and words, so that it can be seen from another process
 *
 * The same function lays it out twice: first without memory, to know the size. */
#include "recorder.h"

typedef struct pack { char *base; size_t n; } pack;

static void *take(pack *p, size_t count, size_t size)
{
  p->n = (p->n + 15)/16*16;
  void *at = p->base ? p->base + p->n : NULL;
  p->n += count*size;
  return at;
}

static const char *copy(pack *p, const char *word)
{
  size_t n = word ? strlen(word) + 1 : 0;
  char *to = n ? take(p, n, 1) : NULL;
  return to ? memcpy(to, word, n) : NULL;
}

/* ---- what a row holds ---- */
static void put_column(epi_result *r, pack *p, int i, const char *name, const char *unit, int invariant)
{
  epi_result_column c = {.name = copy(p, name), .unit = copy(p, unit ? unit : ""), .invariant = invariant};
  if (r->column) r->column[i] = c;
}

static void lay_columns(epi_result *r, pack *p, const epi_case *c)
{
  const epi_system *m = &c->system;
  const epi_observable *o = c->model->observables;
  int n = epi_size(m), k = 0;
  char room[32];
  r->column = take(p, (size_t)r->ncol, sizeof *r->column);
  put_column(r, p, k++, "t", m->units ? "s" : "", 0);
  for (int i = 0; i < n; i++) put_column(r, p, k++, epi_coordinate(m, i, room, sizeof room), m->units ? m->units[i] : "", 0);
  for (int i = 0; i < r->nobs; i++) put_column(r, p, k++, o[i].name, o[i].unit, o[i].invariant != 0);
  for (int i = 0; r->fast && i < n; i++) {
    /* a name of any length, after its first word */
    const char *name = epi_coordinate(m, i, room, sizeof room);
    size_t length = strlen(name);
    char *at = take(p, length + 6, 1);
    if (at) snprintf(at, length + 6, "fast-%s", name);
    const char *unit = copy(p, m->units && m->units[i] ? m->units[i] : "");
    if (r->column) r->column[k] = (epi_result_column){.name = at, .unit = unit};
    k++;
  }
}

static void lay_invariants(epi_result *r, pack *p, const epi_case *c)
{
  const epi_observable *o = c->model->observables;
  r->invariant = take(p, (size_t)r->ninvariant, sizeof *r->invariant);
  for (int i = 0, k = 0; i < r->nobs; i++) {
    if (!o[i].invariant) continue;
    epi_invariant d = {.name = copy(p, o[i].name), .unit = copy(p, o[i].unit ? o[i].unit : "")};
    if (r->invariant) r->invariant[k] = d;
    k++;
  }
}

static void lay_counters(epi_result *r, pack *p, const epi_recorder *a)
{
  r->ncounters = a->ncounters;
  r->counters = take(p, (size_t)a->ncounters, sizeof *r->counters);
  for (int i = 0; i < a->ncounters; i++) {
    epi_counters c = a->counters[i];
    c.name = copy(p, c.name);
    c.text = copy(p, c.text);
    if (r->counters) r->counters[i] = c;
  }
}

/* a default of the user's may be no number of a word */
static const char *word_of(const epi_param *p, double x)
{
  for (int k = 0; p->words[k]; k++) if (k == x) return p->words[k];
  return "-";
}

static void lay_settings(epi_result *r, pack *p, const epi_case *c)
{
  const epi_param *a = c->model->params;
  while (a && a[r->nsetting].name) r->nsetting++;
  r->setting = take(p, (size_t)r->nsetting, sizeof *r->setting);
  for (int i = 0; i < r->nsetting; i++) {
    epi_setting s = {.name = copy(p, a[i].name), .unit = copy(p, a[i].unit ? a[i].unit : ""), .doc = copy(p, a[i].doc ? a[i].doc : ""),
                     .word = a[i].words ? copy(p, word_of(&a[i], c->p[i])) : NULL, .value = c->p[i], .otherwise = a[i].value};
    if (r->setting) r->setting[i] = s;
  }
}

static epi_reel lay_reel(pack *p, int columns)
{
  epi_reel s = epi_reel_of(columns);
  s.x = take(p, (size_t)(s.most + 1)*(size_t)columns, sizeof *s.x);
  s.passed = take(p, (size_t)(s.most + 2)*(size_t)(EPI_LEAST + 4*columns), sizeof *s.passed);
  return s;
}

/* a look costs about as much as a step: every step up to a million, of large systems less often; the rule knows nothing of the clock, so
   that a resumed run looks where the whole one does */
static long stride_of(const epi_recorder *a)
{
  double steps = ceil((a->end - a->start)/a->step*(1 - 1e-12)), most = fmin(1048576, fmax(4096, 16777216.0/epi_size(&a->c->system)));
  return a->adaptive || steps <= most ? 1 : (long)ceil(steps/most);
}

static const char *place_of_looks(const epi_recorder *a, long stride, char *room, size_t size)
{
  if (epi_extra_state(a->tree, NULL, 0) && !a->inside)
    snprintf(room, size, "multiples of the step, between the steps of %s", a->counters[0].name);
  else if (stride > 1 && !a->inside) snprintf(room, size, "every step whose number is a multiple of %ld", stride);
  else snprintf(room, size, "every step");
  return room;
}

/* what only a run that can begin has */
static void lay_run(epi_result *r, pack *p, const epi_recorder *a)
{
  const epi_system *m = &a->c->system;
  const epi_observable *o = a->c->model->observables;
  int n = epi_size(m);
  char room[256];
  r->nq = m->nq;
  r->nv = m->nv ? m->nv : m->nq;
  r->nz = m->nz;
  r->curved = m->manifold.retract != NULL;
  r->fast = a->fast && (a->ask.fast || !epi_fast_is_state(a->fast));
  r->exact = a->c->model->exact != NULL;
  for (; o && o[r->nobs].name; r->nobs++) r->ninvariant += o[r->nobs].invariant != 0;
  r->ncol = 1 + n + r->nobs + (r->fast ? n : 0);
  r->nout = a->ask.fast ? r->ncol : 1 + n + r->nobs;
  r->row = take(p, (size_t)r->ncol, sizeof *r->row);
  r->y = take(p, (size_t)n, sizeof *r->y);
  lay_columns(r, p, a->c);
  lay_invariants(r, p, a->c);
  lay_counters(r, p, a);
  lay_settings(r, p, a->c);
  for (int i = 0; i < EPI_EVENT_KINDS && epi_event_name(a->tree, i); i++) r->event_kind[i].name = copy(p, epi_event_name(a->tree, i));
  r->adaptive = a->adaptive;
  r->inside = a->inside;
  r->stride = stride_of(a);
  r->looked = copy(p, place_of_looks(a, r->stride, room, sizeof room));
  if (!a->ask.pictures) return;
  r->kept = lay_reel(p, r->ncol);
  r->chosen = lay_reel(p, 2);
}

/* its pointers belong to the search */
static epi_chosen *lay_choice(pack *p, const epi_chosen *from)
{
  epi_chosen *to = from ? take(p, 1, sizeof *to) : NULL;
  if (!to) return NULL;
  *to = *from;
  to->tell = NULL;
  return to;
}

static epi_result lay(pack *p, epi_recorder *a)
{
  const epi_model *m = a->c ? a->c->model : NULL;
  take(p, 1, sizeof(epi_result));
  epi_result r = {.self = p->base, .step = a->step, .start = a->start, .end = a->end, .every = a->every, .t = a->start, .recorder = a};
  r.name = copy(p, a->ask.name);
  r.model_name = copy(p, m && m->name ? m->name : "");
  r.model = a->ask.model ? copy(p, a->ask.model) : r.model_name;
  r.doc = copy(p, m && m->doc ? m->doc : "");
  r.flow = copy(p, a->text ? a->text : "");
  r.source = copy(p, a->ask.source);
  r.command = copy(p, a->ask.command);
  r.out = copy(p, a->ask.out);
  r.event_file = copy(p, a->ask.events);
  r.choice = lay_choice(p, a->ask.choice);
  snprintf(r.status, sizeof r.status, "%s", a->error[0] ? "refused" : "ready");
  snprintf(r.error, sizeof r.error, "%s", a->error);
  r.cause = a->cause;
  if (!a->error[0]) lay_run(&r, p, a);
  r.size = p->n;
  return r;
}

epi_result *epi_recorder_lay(epi_recorder *a)
{
  pack p = {0};
  lay(&p, a);
  p.base = a->ask.room ? a->ask.room(a->ask.data, p.n) : calloc(1, p.n);
  if (!p.base) return NULL;
  p.n = 0;
  epi_result *r = (epi_result *)p.base;
  *r = lay(&p, a);
  return r;
}

/* ---- seen from another process ---- */
static void *moved(const void *p, const epi_result *r, const void *self)
{
  return p ? (char *)r + ((const char *)p - (const char *)self) : NULL;
}

epi_result *epi_result_at(void *block)
{
  epi_result *r = block;
  const void *from = r->self;
  const char **words[] = {&r->name, &r->model, &r->flow, &r->source, &r->command, &r->out, &r->event_file,
                          &r->model_name, &r->doc, &r->looked};
  for (size_t i = 0; i < sizeof words/sizeof *words; i++) *words[i] = moved(*words[i], r, from);
  for (int i = 0; i < EPI_EVENT_KINDS; i++) r->event_kind[i].name = moved(r->event_kind[i].name, r, from);
  r->choice = moved(r->choice, r, from);
  r->column = moved(r->column, r, from);
  r->setting = moved(r->setting, r, from);
  r->y = moved(r->y, r, from);
  r->row = moved(r->row, r, from);
  r->invariant = moved(r->invariant, r, from);
  r->counters = moved(r->counters, r, from);
  double **reels[] = {&r->kept.x, &r->kept.passed, &r->chosen.x, &r->chosen.passed};
  for (size_t i = 0; i < sizeof reels/sizeof *reels; i++) *reels[i] = moved(*reels[i], r, from);
  for (int i = 0; i < r->ncol; i++) {
    r->column[i].name = moved(r->column[i].name, r, from);
    r->column[i].unit = moved(r->column[i].unit, r, from);
  }
  for (int i = 0; i < r->ninvariant; i++) {
    r->invariant[i].name = moved(r->invariant[i].name, r, from);
    r->invariant[i].unit = moved(r->invariant[i].unit, r, from);
  }
  for (int i = 0; i < r->ncounters; i++) {
    r->counters[i].name = moved(r->counters[i].name, r, from);
    r->counters[i].text = moved(r->counters[i].text, r, from);
  }
  for (int i = 0; i < r->nsetting; i++) {
    epi_setting *s = &r->setting[i];
    const char **of[] = {&s->name, &s->unit, &s->doc, &s->word};
    for (size_t k = 0; k < sizeof of/sizeof *of; k++) *of[k] = moved(*of[k], r, from);
  }
  r->self = block;
  r->recorder = NULL;
  r->drawing = NULL;
  return r;
}
