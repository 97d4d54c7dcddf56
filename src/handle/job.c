/* job.c - one run behind a handle: what is said of it, its rows and events in arrays, all that is known of it as text */
#define _XOPEN_SOURCE 700
#include "job.h"
#include "result/recorder.h"
#include <stdio.h>

const char *epi_job_error(const epi_job *j) { return j->error; }
epi_cause epi_job_cause(const epi_job *j) { return !j->error[0] ? EPI_NO_CAUSE : j->cause ? j->cause : EPI_OTHER_CAUSE; }

/* ---- making ---- */
static epi_job *job_new(void)
{
  epi_job *j = calloc(1, sizeof *j);
  if (j) j->ask.setup = epi_setup_empty();
  return j;
}

epi_job *epi_job_own(const epi_own *o, double t, const double *y)
{
  epi_job *j = job_new();
  size_t n = (size_t)epi_dim(&o->system);
  if (!j) return NULL;
  j->own = o;
  j->start = t;
  j->y = malloc(n*sizeof *y);
  if (!j->y) { epi_job_free(j); return NULL; }
  memcpy(j->y, y, n*sizeof *y);
  if (epi_own_complete((epi_own *)o)) epi_job_refuse(j, "%s", o->error);
  return j;
}

epi_job *epi_job_model(const char *text)
{
  epi_job *j = job_new();
  if (j && !(j->model = strdup(text))) { epi_job_free(j); return NULL; }
  return j;
}

epi_job *epi_job_record(const epi_model *record, const epi_abi *abi)
{
  char why[320];
  epi_job *j = epi_job_model("");
  if (!j) return NULL;
  if (epi_abi_check(abi, why, sizeof why)) { epi_job_refuse(j, "%s", why); return j; }
  free(j->model);
  j->model = strdup(record->name ? record->name : "");
  if (!j->model) { epi_job_free(j); return NULL; }
  j->record = record;
  if (!*j->model || strpbrk(j->model, "()=, \t\n"))
    epi_job_refuse(j, "the name of the model is '%s': give .name a word without blanks or brackets", j->model);
  return j;
}

/* what the file says of the run; what is said later goes over it */
static void take_request(epi_job *j)
{
  const epi_request *r = epi_file_request(j->file, j->run);
  if (!r) { epi_job_refuse(j, "the file has %d runs, and none of number %d", epi_file_runs(j->file), j->run); return; }
  if (epi_setup_read(&j->ask.setup, r)) epi_job_fails(j, EPI_MEMORY, "out of memory");
  if (r->source && !r->world)
    epi_job_refuse(j, "%s: its model is code in C, which the command compiles: run it by `epicycle run`", r->source);
}

epi_job *epi_job_file(const char *path, const char *text, const char *const *given, int run)
{
  epi_job *j = job_new();
  if (!j) return NULL;
  j->run = run;
  j->file = text ? epi_file_read_text(text, strlen(text), path) : epi_file_read_given(path, NULL, given);
  if (!j->file) { epi_job_free(j); return NULL; }
  size_t n = 0;
  for (int i = 0; i < epi_file_sentences(j->file) && n < sizeof j->error; i++)
    n += (size_t)snprintf(j->error + n, sizeof j->error - n, "%s%s", i ? "\n" : "", epi_file_sentence(j->file, i)->text);
  j->cause = epi_file_cause(j->file);
  if (!j->error[0]) take_request(j);
  return j;
}

int epi_job_runs(const epi_job *j) { return j->file ? epi_file_runs(j->file) : 1; }
const char *epi_job_note(const epi_job *j, int i) { return epi_file_note(j->file, i); }

void epi_job_free(epi_job *j)
{
  if (!j) return;
  epi_result_free(j->r);
  epi_free(j->flow);
  epi_case_free(j->c);
  epi_file_free(j->file);
  for (long long i = 0; i < j->cases; i++) free(j->why[i]);
  epi_setup_free(&j->ask.setup);
  void *all[] = {j->model, j->y, j->times, j->rows, j->events, j->text, j->why, j};
  for (size_t i = 0; i < sizeof all/sizeof *all; i++) free(all[i]);
}

/* ---- saying ---- */
static int say_flow(epi_job *j, const char *value)
{
  epi_setup *a = &j->ask.setup;
  a->automatic = !strcmp(value, "auto");
  return epi_setup_give_flow(a, a->automatic ? NULL : value) ? epi_job_fails(j, EPI_MEMORY, "out of memory") : 0;
}

static int say_motion(epi_job *j, const char *value)
{
  if (strcmp(value, "full") && strcmp(value, "slow")) return epi_job_refuse(j, "motion is full or slow, not '%s'", value);
  j->ask.setup.motion = value[0] == 'f' ? EPI_FULL : EPI_SLOW;
  return 0;
}

int epi_job_say(epi_job *j, const char *name, const char *value)
{
  options *a = &j->ask;
  epi_setup *s = &a->setup;
  const struct { const char *name, *unit; double *x; int *whole; } words[] = {      /* first those of EPI_GIVEN_STEP ... */
    {"step", "s", &s->step, NULL}, {"end", "s", &s->end, NULL}, {"every", "s", &s->every, NULL}, {"tol", "", &s->tol, NULL},
    {"fast", "", NULL, &s->fast}, {"multipliers", "", NULL, &s->multipliers}, {"actions", "", NULL, &s->actions},
    {"force", "", NULL, &s->force}, {"pictures", "", NULL, &a->pictures}, {"samples", "", &a->samples, NULL}, {"seed", "", &a->seed, NULL},
    {"latin", "", &a->latin, NULL}, {"workers", "", &a->workers, NULL}, {"limit", "s", &a->limit, NULL}};
  char why[256];
  if (j->error[0]) return EPI_WRONG;
  if (j->r || j->flow) return epi_job_refuse(j, "%s comes too late: the run is made", name);
  if (!strcmp(name, "flow")) return say_flow(j, value);
  if (!strcmp(name, "motion")) return say_motion(j, value);
  for (size_t i = 0; i < sizeof words/sizeof *words; i++) {
    double x;
    if (strcmp(name, words[i].name)) continue;
    if (epi_unit_read(value, words[i].unit, &x, why, sizeof why)) return epi_job_refuse(j, "%s: %s", name, why);
    if (words[i].x) *words[i].x = x;
    else *words[i].whole = x != 0;
    if (words[i].x && 1u << i <= EPI_GIVEN_TOL) s->given |= 1u << i;
    if (words[i].x == &s->tol) epi_setup_give_tol(s, x);
    return 0;
  }
  return epi_job_parameter(j, name, value);
}

int epi_job_times(epi_job *j, const double *t, long n, int places)
{
  const long most = 10000000;
  const int many = 64;
  if (j->error[0]) return EPI_WRONG;
  if (j->r) return epi_job_refuse(j, "the times of the rows come too late: the run is made");
  if (n > 0 && places > 0)
    return epi_job_refuse(j, "times and places each say where rows are: give %ld times and 0 places, or no times and %d places", n, places);
  if (n < 0 || places < 0 || places > many)
    return epi_job_refuse(j, "%ld times and %d places in every step: give 0 or more times, or 1 to %d places", n, places, many);
  if (n > most) return epi_job_refuse(j, "%ld times are more than %ld: give fewer", n, most);
  free(j->times);
  j->times = NULL;
  if (n && !(j->times = malloc((size_t)n*sizeof *t))) return epi_job_fails(j, EPI_MEMORY, "out of memory");
  if (n) memcpy(j->times, t, (size_t)n*sizeof *t);
  j->ask.ntimes = (int)n;
  j->ask.places = places;
  return 0;
}

int epi_job_case(epi_job *j)
{
  if (j->error[0]) return EPI_WRONG;
  if (j->c) return 0;
  j->c = j->own ? epi_case_of(&j->own->model, NULL) : j->file ? epi_file_case(j->file, j->run) :
    j->record ? epi_case_of(j->record, j->model + strcspn(j->model, "(")) : epi_case_make(j->model);
  if (!j->c) return epi_job_fails(j, EPI_MEMORY, "out of memory: the model could not be made");
  if (j->c->error[0]) return epi_job_fails(j, j->c->cause, "%s", j->c->error);
  if (j->own) {
    memcpy(j->c->y, j->y, (size_t)epi_dim(&j->own->system)*sizeof *j->y);
    j->c->t = j->start;
    if (j->own->names[0].name && epi_case_names(j->c, j->own->names)) return epi_job_fails(j, j->c->cause, "%s", j->c->error);
  }
  if (j->ask.setup.multipliers && epi_case_multipliers(j->c)) return epi_job_fails(j, j->c->cause, "%s", j->c->error);
  if (j->ask.setup.actions && epi_case_actions(j->c)) return epi_job_fails(j, j->c->cause, "%s", j->c->error);
  return 0;
}

/* ---- running ---- */
/* rows are many: room grows by halves */
static void keep_row(void *data, const epi_result *r)
{
  epi_job *j = data;
  size_t columns = (size_t)r->nout;
  if (j->room < 0) return;
  if (j->nrows == j->room) {
    long room = j->room + j->room/2 + 64;
    double *more = realloc(j->rows, (size_t)room*columns*sizeof *more);
    if (!more) { j->room = -1; return; }
    j->rows = more;
    j->room = room;
  }
  memcpy(j->rows + (size_t)j->nrows++*columns, r->row, columns*sizeof *r->row);
}

/* what is said of many runs means nothing of one */
static int said_of_many(epi_job *j)
{
  const options *a = &j->ask;
  const struct { const char *name; double x; } many[] = {
    {"samples", a->samples}, {"seed", a->seed}, {"latin", a->latin}, {"workers", a->workers}, {"limit", a->limit}};
  for (size_t i = 0; i < sizeof many/sizeof *many; i++)
    if (many[i].x != 0) return epi_job_refuse(j, "%s is for a sweep, and this is one run: leave it out", many[i].name);
  return 0;
}

int epi_job_make(epi_job *j)
{
  int bad = j->error[0] ? EPI_WRONG : said_of_many(j) ? EPI_WRONG : epi_job_case(j);
  if (!bad && j->r) return 0;
  if (!bad) bad = epi_job_settle(j);
  if (bad) return bad;
  const options *a = &j->ask;
  const epi_setup *s = &a->setup;
  /* no end is also a time */
  j->c->end = s->end;
  epi_result *r = epi_result_make(j->c, s->flow, &(epi_run_options){
    .step = s->step, .every = isnan(s->every) ? -1 : s->every, .fast = s->fast, .pictures = a->pictures, .force = s->force,
    .keep_events = 1, .model = j->model, .choice = s->choice, .row = keep_row, .data = j, .times = j->times,
    .ntimes = a->ntimes, .places = a->places});
  /* who asked while there was nothing to stop is heard first of all */
  epi_job_lock(j);
  j->r = r;
  if (r && j->asked) epi_result_stop(r);
  epi_job_unlock(j);
  if (!r) return epi_job_fails(j, EPI_MEMORY, "out of memory: the run could not be made");
  if (s->doubt[0]) epi_result_warn(j->r, "%s", s->doubt);
  return strcmp(j->r->status, "refused") ? 0 : epi_job_fails(j, j->r->cause, "%s", j->r->error);
}

/* a run that an event ended is not one that was asked to stop, though it may be both at once: what was asked and not heard is no reason */
static int reason(epi_job *j, const epi_flow *f, int code)
{
  epi_job_lock(j);
  int asked = j->asked, heard = !__atomic_load_n(&f->asked, __ATOMIC_RELAXED);
  if (code == EPI_STOPPED) j->asked = 0;
  epi_job_unlock(j);
  return code == EPI_STOPPED && asked && heard ? EPI_INTERRUPTED : code;
}

int epi_job_go(epi_job *j)
{
  if (j->error[0] || !j->r) return j->error[0] ? EPI_WRONG : epi_job_refuse(j, "the run is not made yet");
  if (!strcmp(j->r->status, "ready") && epi_result_begin(j->r)) return epi_job_fails(j, j->r->cause, "%s", j->r->error);
  if (strcmp(j->r->status, "running")) return epi_job_refuse(j, "the run has ended: make another");
  int code = reason(j, j->r->recorder->tree, epi_result_go(j->r));
  return j->room < 0 ? epi_job_fails(j, EPI_MEMORY, "out of memory: there is no room for more rows") : code;
}

int epi_job_end(epi_job *j, int code)
{
  if (!j->r) return j->error[0] ? EPI_WRONG : epi_job_refuse(j, "the run is not made yet");
  if (!strcmp(j->r->status, "ready")) return epi_job_refuse(j, "the run has not begun: go comes before end");
  int bad = epi_result_end(j->r, code);
  /* what was wrong first is told */
  if (bad == EPI_WRONG) return j->error[0] ? EPI_WRONG : epi_job_fails(j, j->r->cause, "%s", j->r->error);
  if (j->ask.pictures && epi_result_draw(j->r)) return epi_job_fails(j, j->r->cause, "%s", j->r->error);
  return bad;
}

void epi_job_stop(epi_job *j)
{
  epi_job_lock(j);
  j->asked = 1;
  if (j->choosing) epi_choose_stop(j->choosing);
  else if (j->r) epi_result_stop(j->r);
  else if (j->flow) epi_stop(j->flow);
  epi_job_unlock(j);
}

/* ---- telling ---- */
const double *epi_job_rows(const epi_job *j, long *rows, int *columns)
{
  *rows = j->nrows;
  *columns = j->r ? j->r->nout : 0;
  return j->rows;
}

const double *epi_job_events(epi_job *j, long *rows, int *columns)
{
  long n = 0;
  *rows = 0;
  *columns = j->r ? 4 + j->r->nq + j->r->nv + j->r->nz + j->r->nobs : 0;
  while (j->r && epi_result_event(j->r, n)) n++;
  double *all = realloc(j->events, (size_t)(n + 1)*(size_t)(*columns + 1)*sizeof *all);
  if (!all) return NULL;
  j->events = all;
  for (long i = 0; i < n; i++) memcpy(all + i**columns, epi_result_event(j->r, i), (size_t)*columns*sizeof *all);
  *rows = n;
  return all;
}

static void put_columns(FILE *f, const epi_result *r)
{
  fprintf(f, ", \"sizes\": [%d, %d, %d], \"columns\": [", r->nq, r->nv, r->nz);
  for (int i = 0; i < r->nout; i++) {
    fputs(i ? ", [" : "[", f);
    epi_json_text(f, r->column[i].name);
    fputs(", ", f);
    epi_json_text(f, r->column[i].unit);
    fputc(']', f);
  }
  fputc(']', f);
}

static void put_all(FILE *f, const epi_job *j)
{
  fputs("{\"title\": ", f);
  epi_json_text(f, j->file ? epi_file_title(j->file) : NULL);
  fputs(", \"name\": ", f);
  epi_json_text(f, j->file && epi_file_request(j->file, j->run) ? epi_file_request(j->file, j->run)->name : NULL);
  if (j->r && j->r->ncol) put_columns(f, j->r);
  if (j->r) {
    fputs(", \"run\": ", f);
    epi_result_json(j->r, f);
  }
  fputc('}', f);
}

const char *epi_job_text(epi_job *j, const char *what)
{
  size_t size = 0;
  free(j->text);
  j->text = NULL;
  if (!strcmp(what, "yaml")) {
    size = j->file ? epi_file_text(j->file, NULL, 0) : epi_job_case(j) ? 0 : epi_case_yaml(j->c, NULL, 0);
    if (!size || !(j->text = malloc(size + 1))) return "";
    size_t n = j->file ? epi_file_text(j->file, j->text, size + 1) : epi_case_yaml(j->c, j->text, size + 1);
    return n == size ? j->text : "";
  }
  if (j->r) epi_result_count(j->r);
  FILE *f = open_memstream(&j->text, &size);
  if (!f) return "";
  put_all(f, j);
  int bad = ferror(f);
  return fclose(f) || bad || !j->text ? "" : j->text;
}

int epi_jobs_report(const char *path, const char *title, epi_job *const *j, int n, char *error, size_t size)
{
  const epi_result **all = malloc((size_t)(n + 1)*sizeof *all);
  if (!all) return snprintf(error, size, "out of memory"), -1;
  int bad = 0;
  for (int i = 0; i < n && !bad; i++) {
    all[i] = j[i]->r;
    if (!j[i]->r || !j[i]->ask.pictures) bad = snprintf(error, size, "a report needs runs that keep pictures") ? -1 : -1;
  }
  if (!bad) bad = epi_report_write(path, title, all, n, -1, error, size);
  free(all);
  return bad;
}

/* ---- by hand ---- */
static int make_flow(epi_job *j)
{
  if (j->error[0] || epi_job_case(j)) return EPI_WRONG;
  if (j->flow) return 0;
  epi_flow *f = epi_case_flow(j->c, j->ask.setup.flow);
  epi_job_lock(j);
  j->flow = f;
  if (j->asked) epi_stop(f);
  epi_job_unlock(j);
  j->s = epi_case_state(j->c);
  return epi_error(j->flow) ? epi_job_fails(j, epi_cause_of(j->flow), "%s", epi_error(j->flow)) : 0;
}

static int moved(epi_job *j, int code)
{
  code = reason(j, j->flow, code);
  if (code == EPI_STOPPED || code == EPI_INTERRUPTED || !code) return code;
  return epi_job_fails(j, epi_error(j->flow) ? epi_cause_of(j->flow) : EPI_OTHER_CAUSE, "%s",
                       epi_error(j->flow) ? epi_error(j->flow) : "the flow could not go on");
}

int epi_job_advance(epi_job *j, double h, long n) { return make_flow(j) ? EPI_WRONG : moved(j, epi_advance(j->flow, &j->s, h, n)); }
int epi_job_reach(epi_job *j, double end, double h) { return make_flow(j) ? EPI_WRONG : moved(j, epi_run(j->flow, &j->s, end, h)); }
long epi_job_calls(const epi_job *j) { return j->flow ? epi_calls(j->flow) : j->r ? j->r->calls : 0; }

double *epi_job_state(epi_job *j, double *t, int sizes[4])
{
  if (!j->flow && make_flow(j)) return NULL;
  const epi_system *s = &j->c->system;
  if (sizes) sizes[0] = s->nq, sizes[1] = epi_nv(s), sizes[2] = s->nz, sizes[3] = s->nc;
  *t = j->s.t;
  return j->s.y;
}
