/* sweep.c - the verb sweep: one model many times, on all cores, into one table */
#define _DEFAULT_SOURCE        /* memory that two processes see */
#include "sweeps.h"
#include "engines.h"
#include "ranks.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MOST_WORKERS = 1024 };
static const double MANY = 1e7;                /* cases that nobody means to start by mistake */

/* of what a process of its own does, these are seen from here */
typedef struct shared { volatile long long taken[MOST_WORKERS]; volatile int made; engine_log log; } shared;      /* taken: the case, + 1 */
typedef struct sweep {
  spec ask;
  epi_sweep *s;
  journal *j;
  epi_engine *engine;
  char *source;
  shared *seen;
  long long only;                              /* the one case to be run; -1: all of them */
  int alone;                                   /* no cases are moved together */
  long long done, before, count[EPI_CASE_CRASHED + 1];
  int trouble, shows, ranks;
  long long next;                              /* of several processes: the first case that nobody has */
  double began, shown;
} sweep;

/* ---- on the way ---- */
static void show(sweep *w)
{
  double now = clock_now(), spent = now - w->began, left;
  if (!w->shows || now - w->shown < 0.2) return;
  w->shown = now;
  left = spent*(double)(epi_sweep_cases(w->s) - w->before - w->done)/(double)(w->done ? w->done : 1);
  fprintf(stderr, "\r\033[Ksweep: %lld of %lld cases", w->before + w->done, epi_sweep_cases(w->s));
  if (w->done && spent > 1) fprintf(stderr, "   %.3g/s   %s left", (double)w->done/spent, duration(left).text);
  fflush(stderr);
}

static int see(void *data, const epi_sweep_row *row)
{
  sweep *w = data;
  int bad = journal_add(w->j, row);
  if (bad) w->trouble = bad;
  else w->done++;
  show(w);
  return w->trouble || clock_interrupted();
}

static int skip(void *data, long long which) { return journal_has(((sweep *)data)->j, which); }

static int begin(void *data, int worker, long long which)
{
  sweep *w = data;
  if (worker < MOST_WORKERS) w->seen->taken[worker] = which + 1;
  return clock_interrupted() != 0;
}

/* ---- the journal of this request ---- */
/* what is asked, and of which files: another answer would come of others */
static char *notes_of(const spec *s)
{
  const plan *p = s->all.plan;
  char key[32], *n = notes_add(NULL, "epicycle", EPI_VERSION);
  n = notes_add_number(n, "build", log_build());
  for (int i = 0; i < s->r->nword; i++) {
    snprintf(key, sizeof key, "word.%d", i);
    n = notes_add(n, key, s->r->word[i]);
  }
  for (int i = 0; s->r->verb->options[i].name; i++) {
    const char *name = s->r->verb->options[i].name;
    if (s->r->given[i] && strcmp(name, "--workers") && strcmp(name, "--quiet") && strcmp(name, "--json") && strcmp(name, "--yes"))
      n = notes_add(n, name, s->r->given[i]);
  }
  if (p->source) n = notes_add_number(n, "sum", disk_sum(p->source));
  if (p->also > 0) n = notes_add_number(n, "also-sum", p->also);
  if (p->with) n = notes_add_number(n, "with-sum", disk_sum(p->with));
  return n;
}

static int many(const sweep *w)
{
  double n = (double)epi_sweep_cases(w->s);
  if (n <= MANY || given(w->ask.r, "--yes")) return 0;
  return say(REFUSED, "these are %g cases, which at a millisecond each take %s on one core: take fewer, or add --yes", n,
             duration(n/1000).text);
}

static int open_engine(sweep *w)
{
  const char *on = given(w->ask.r, "--on");
  if (!on || w->engine) return 0;
  if (w->ranks > 1) return say(REFUSED, "--on is for one process, and these are %d: leave --on or mpirun out", w->ranks);
  if (!(w->engine = engine_make(on, &w->seen->log)) || !(w->source = engine_source(w->ask.all.plan))) return REFUSED;
  return 0;
}

static int open_all(sweep *w)
{
  epi_sweep_options o = spec_options(&w->ask);
  if (open_engine(w)) return REFUSED;
  o.engine = w->engine;
  o.source = w->source;
  o.skip = skip;
  o.begin = begin;
  o.data = w;
  o.alone = w->alone;
  w->s = epi_sweep_make(&o);
  if (epi_sweep_error(w->s)) return say(REFUSED, "%s", epi_sweep_error(w->s));
  int code = many(w);
  if (!code && (given(w->ask.r, "--plot") || given(w->ask.r, "--report"))) code = picture_possible(w->s);
  if (code) return code;
  char *notes = notes_of(&w->ask);
  w->j = journal_open(w->ask.part, notes, epi_sweep_cases(w->s), epi_sweep_keeps(w->s));
  free(notes);
  w->seen->made = w->j != NULL;
  return w->j ? 0 : REFUSED;
}

/* ---- all cases ---- */
static int stopped(sweep *w)
{
  const char *part = w->ask.part;
  if (w->trouble) return say(FAILED, "cannot write %s: %s; what is there is kept: make room, and `epicycle resume %s`", part,
                             strerror(w->trouble), part);
  return say(FAILED, "stopped: %lld of %lld cases are kept; `epicycle resume %s` does the others", w->before + w->done,
             epi_sweep_cases(w->s), part);
}

static long long count_before(sweep *w)
{
  long long n = 0;
  for (long long i = 0; i < epi_sweep_cases(w->s); i++) n += journal_has(w->j, i);
  return n;
}

static int run_all(sweep *w)
{
  w->before = count_before(w);
  w->began = clock_now();
  clock_catch();
  int bad = w->only >= 0 ? epi_sweep_one(w->s, w->only, see) : epi_sweep_run(w->s, NULL, see);
  if (w->shows) fputs("\r\033[K", stderr);
  if (bad == EPI_WRONG && w->engine && !w->before && !w->done) { journal_close(w->j, 1); w->j = NULL; }
  if (bad == EPI_WRONG) return say(w->j ? FAILED : REFUSED, "%s", epi_sweep_error(w->s));
  return bad ? stopped(w) : 0;
}

static int go(void *data)
{
  sweep *w = data;
  int code = w->s ? 0 : open_all(w);
  return code ? code : run_all(w);
}

/* ---- code of the user's ---- */
static void close_all(sweep *w)
{
  if (w->j) journal_close(w->j, 0);
  epi_sweep_free(w->s);
  w->j = NULL;
  w->s = NULL;
}

/* a row for a case that ended its process */
static int write_crash(sweep *w, long long which, const char *how)
{
  int code = open_all(w), keeps = code ? 0 : epi_sweep_keeps(w->s);
  double *kept = need((size_t)(keeps + 1)*sizeof *kept);
  char *why = text("its code crashed: %s", how);
  for (int i = 0; i < keeps; i++) kept[i] = NAN;
  if (!code && journal_add(w->j, &(epi_sweep_row){.number = which, .outcome = EPI_CASE_CRASHED, .kept = kept, .why = why}))
    code = say(FAILED, "cannot write %s: %s", w->ask.part, strerror(errno));
  close_all(w);
  free(why);
  free(kept);
  return code;
}

static outcome apart(sweep *w, long long only)
{
  process *own = process_new();
  w->only = only;
  memset(w->seen, 0, sizeof *w->seen);
  if (!own) return (outcome){.code = FAILED};
  outcome o = process_run(own, go, NULL, w);
  process_free(own);
  return o;
}

/* those that were under way when it crashed are run one by one: one of them did it */
static int find_culprits(sweep *w, const char *how)
{
  shared before = *w->seen;
  int code = 0, found = 0;
  for (int i = 0; i < MOST_WORKERS && !code; i++) {
    if (!before.taken[i]) continue;
    outcome o = apart(w, before.taken[i] - 1);
    if (o.how && o.interrupted) return say(FAILED, "stopped: `epicycle resume %s` does the others", w->ask.part);
    if (o.how) code = write_crash(w, before.taken[i] - 1, o.how);
    else code = o.code;
    found += o.how != NULL;
  }
  /* it may be another of those that moved together in lanes: on without these, until it is alone */
  if (!code && !found && !w->alone) return w->alone = 1, 0;
  if (!code && !found) code = say(FAILED, "the code of the model crashed (%s) where several cases ran at once, and not in any of them "
                                  "alone: "
                                  "does it write to what they share? --workers 1 goes without", how);
  return code;
}

static int run_apart(sweep *w)
{
  for (;;) {
    outcome o = apart(w, -1);
    if (!o.how) return o.code;
    if (o.interrupted) return say(FAILED, "stopped: `epicycle resume %s` does the others", w->ask.part);
    if (!w->seen->made) return say(FAILED, "the code of the model crashed (%s) before the first case", o.how);
    int code = find_culprits(w, o.how);
    if (code) return code;
  }
}

/* ---- the end ---- */
static const char *const words[] = {"", "done", "doubtful", "failed", "refused", "too long", "crashed"};

static void tell_first(sweep *w, long long which, const char *why)
{
  int n = epi_sweep_axes(w->s);
  double *value = need((size_t)n*sizeof *value);
  epi_sweep_values(w->s, which, value);
  printf("  case %lld, ", which);
  for (int i = 0; i < n; i++) printf("%s%s=%s", i ? " " : "", epi_sweep_axis(w->s, i, NULL, NULL), shortest(value[i]).text);
  printf(": %s\n", why);
  free(value);
}

/* how many of each kind, and the first of what is not well */
static void count_all(sweep *w, int talks)
{
  kept_case e = {.kept = need((size_t)epi_sweep_keeps(w->s)*sizeof *e.kept)};
  for (long long i = 0; i < epi_sweep_cases(w->s); i++) {
    if (journal_read(w->j, i, &e)) break;
    w->count[e.outcome]++;
    if (talks && e.outcome > EPI_CASE_DONE && w->count[e.outcome] == 1) tell_first(w, i, e.why ? e.why : "");
    free(e.why);
  }
  free(e.kept);
}

static void tell(const sweep *w, double took)
{
  printf("%lld cases in %.3g s", epi_sweep_cases(w->s), took);
  for (int i = EPI_CASE_DONE; i <= EPI_CASE_CRASHED; i++)
    if (w->count[i]) printf("%s %lld %s", i == EPI_CASE_DONE ? ":" : ",", w->count[i], words[i]);
  if (w->seen->log.name[0]) printf("; %.3g s of it on %s", w->seen->log.spent, w->seen->log.name);
  printf("; table in %s\n", w->ask.out);
  if (w->ask.unasked) puts("the flow of each case was chosen for 1e-06, as that of a run that says nothing; its row names it");
}

static void tell_json(const sweep *w, double took)
{
  printf("{\"status\": \"done\", \"cases\": %lld, \"seconds\": ", epi_sweep_cases(w->s));
  json_number(stdout, took);
  for (int i = EPI_CASE_DONE; i <= EPI_CASE_CRASHED; i++) printf(", \"%s\": %lld", words[i], w->count[i]);
  fputs(", \"table\": ", stdout);
  json_text(stdout, w->ask.out);
  puts("}");
}

static int draw(sweep *w)
{
  const char *plot = given(w->ask.r, "--plot"), *report = given(w->ask.r, "--report");
  const char *title = w->ask.all.file ? epi_file_title(w->ask.all.file) : NULL;
  if (!plot && !report) return 0;
  char *command = request_text(w->ask.r), *alone = spec_alone(&w->ask);
  int code = picture_write(w->s, w->j, plot, report, title ? title : w->ask.r->word[0], command,
                           alone ? alone : "(a run begins where its model says: no command has this start)");
  free(command);
  free(alone);
  return code;
}

/* what the table is of */
static char *about_of(const sweep *w)
{
  const plan *p = &w->ask.all.plan[0];
  char *command = request_text(w->ask.r);
  const char *said[] = {"epicycle", EPI_VERSION, "model", p->model, "flow", p->setup.flow, "command", command};
  char *all = NULL;
  size_t n;
  FILE *f = open_memstream(&all, &n);
  if (!f) no_room();
  for (size_t i = 0; i < sizeof said/sizeof *said; i += 2) {
    fprintf(f, "%s\"%s\": ", i ? ", " : "{", said[i]);
    json_text(f, said[i+1]);
  }
  fputs("}\n", f);
  if (fclose(f)) no_room();
  free(command);
  return all;
}

static int finish(sweep *w)
{
  int quiet = given(w->ask.r, "--quiet") != NULL, json = given(w->ask.r, "--json") != NULL, bad = 0;
  double took = clock_now() - w->began;
  count_all(w, !quiet && !json);
  char *about = about_of(w);
  int code = table_write(w->s, w->j, w->ask.out, about);
  free(about);
  if (!code) code = draw(w);
  if (code) return code;
  if (json) tell_json(w, took);
  else if (!quiet) tell(w, took);
  for (int i = EPI_CASE_FAILED; i <= EPI_CASE_CRASHED; i++) bad |= w->count[i] > 0;
  journal_close(w->j, 1);
  w->j = NULL;
  return bad ? FAILED : DONE;
}

/* ---- several processes, by MPI: each makes its sweep, rank 0 has the journal ---- */
/* some cases in a row that are not there yet */
static long long next_cases(void *data, long long most, long long *count)
{
  sweep *w = data;
  long long all = epi_sweep_cases(w->s);
  while (w->next < all && journal_has(w->j, w->next)) w->next++;
  if (w->next >= all) return -1;
  long long first = w->next;
  while (w->next < all && w->next - first < most && (w->next == first || !journal_has(w->j, w->next))) w->next++;
  *count = w->next - first;
  return first;
}

static int interrupted(void *data) { (void)data; return clock_interrupted(); }

static int lead_all(sweep *w, int code)
{
  code = ranks_agree(code ? code : open_all(w));
  if (code) return code;
  w->before = count_before(w);
  clock_catch();
  int bad = ranks_lead(&(lead){.sweep = w->s, .next = next_cases, .see = see, .stop = interrupted, .data = w});
  if (w->shows) fputs("\r\033[K", stderr);
  return bad ? stopped(w) : finish(w);
}

/* what rank 0 refuses is refused there; what is only wrong here, such as a file that this machine has not, ends all */
static int follow(sweep *w, int code)
{
  int refused = ranks_agree(0);
  if (refused) return refused;
  if (code) ranks_fail(sentences());
  epi_sweep_options o = spec_options(&w->ask);
  w->s = epi_sweep_make(&o);
  if (epi_sweep_error(w->s)) ranks_fail(epi_sweep_error(w->s));
  clock_catch();
  return ranks_follow(w->s);
}

static int run(sweep *w)
{
  if (!plan_code(w->ask.all.plan)) {
    int code = go(w);
    return code ? code : finish(w);
  }
  int code = run_apart(w);
  /* its table is made here: the numbers of its columns are known without a run */
  if (!code) code = open_all(w);
  return code ? code : finish(w);
}

/* before: the journal that is to be gone on with; NULL: a sweep that begins */
static int sweep_all(const request *r, const char *before)
{
  sweep w = {.only = -1, .ranks = ranks_begin()};
  w.shows = !given(r, "--quiet") && clock_terminal(stderr) && !ranks_me();
  if (!w.ranks) return FAILED;
  if (!r->nword) return say(REFUSED, "sweep needs a model and what is swept: `epicycle sweep kepler e=0.1:0.9:0.1`");
  w.seen = mmap(NULL, sizeof *w.seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (w.seen == MAP_FAILED) no_room();
  int code = spec_read(&w.ask, r);
  if (!code && before && !disk_same(before, w.ask.part))
    code = say(REFUSED, "%s belongs to a sweep that keeps it in %s: put it there, in the folder of that sweep", before, w.ask.part);
  w.began = clock_now();
  if (w.ranks > 1) code = ranks_me() ? follow(&w, code) : lead_all(&w, code);
  else if (!code) code = run(&w);
  if (w.j) journal_close(w.j, 0);
  epi_sweep_free(w.s);
  spec_free(&w.ask);
  engine_free(w.engine);
  free(w.source);
  munmap(w.seen, sizeof *w.seen);
  ranks_end();
  return code;
}

int act_sweep(const request *r) { return sweep_all(r, NULL); }

/* ---- resuming: the request once more, and what is in its journal is skipped ---- */
int sweep_resume(const request *asked, const char *path)
{
  char *notes = journal_notes(path), key[32];
  if (!notes) return -1;
  const verb *v = verb_of(asked->book, "sweep");
  int n = 0, options = 0;
  while (v->options[options].name) options++;
  request r = {.book = asked->book, .verb = v, .word = need(1024*sizeof *r.word), .given = need((size_t)(options + 1)*sizeof *r.given)};
  for (char *word; n < 1023; r.word[n++] = word) {
    snprintf(key, sizeof key, "word.%d", n);
    if (!(word = notes_find(notes, key))) break;
  }
  r.nword = n;
  for (int i = 0; i < options; i++) r.given[i] = notes_find(notes, v->options[i].name);
  for (int i = 0; i < options; i++)
    if ((!strcmp(v->options[i].name, "--quiet") || !strcmp(v->options[i].name, "--json")) && given(asked,
        v->options[i].name)) r.given[i] = text("%s", "");
  int code = sweep_all(&r, path);
  for (int i = 0; i < n; i++) free((char *)r.word[i]);
  for (int i = 0; i < options; i++) free((char *)r.given[i]);
  request_free(&r);
  free(notes);
  return code;
}
