/* run.c - the verb run: requests and model files become jobs, their results pages */
#include "pack/pack.h"
#include "epicycle/page.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* all runs of one request, kept until the last picture is drawn */
typedef struct batch {
  const request *r;
  plans all;
  job *job;
  int n, done;                         /* jobs, and how many of them have run */
  char *report;                        /* one for all of them, or NULL */
} batch;

/* ---- what the command line says overrides the file ---- */
static void put(char **to, const char *word)
{
  if (!word) return;
  free(*to);
  *to = text("%s", word);
}

/* a file that is asked for once is one for each run */
static void put_each(char **to, const char *word, const plan *p, int several)
{
  char *file = plan_file(word, p->name ? p->name : "", several);
  put(to, file);
  free(file);
}

/* what can only be written at the end: on the way the rows are in a file that can be cut and resumed */
static void pack_later(plan *p)
{
  if (!p->out || !(pack_ending(p->out) || pack_scene(p->out))) return;
  p->pack = p->out;
  p->out = pack_scene(p->pack) ? NULL : text("%s.part.npy", p->pack);
}

static int overlay(const request *r, plan *p, int several)
{
  put_each(&p->out, streams_output(given(r, "--out")) ? "-" : given(r, "--out"), p, several);
  if (streams_output(p->out)) put(&p->out, "-");
  put_each(&p->events, given(r, "--events"), p, several);
  put_each(&p->stats, given(r, "--stats"), p, several);
  put_each(&p->plot, given(r, "--plot"), p, several);
  put_each(&p->checkpoint, given(r, "--checkpoint"), p, several);
  if (given(r, "--fast")) p->setup.fast = 1;
  if (given(r, "--multipliers")) p->setup.multipliers = 1;
  if (given(r, "--actions")) p->setup.actions = 1;
  if (given(r, "--force")) p->setup.force = 1;
  if (request_time(r, "--step", &p->setup.step) || request_time(r, "--end", &p->setup.end) || request_time(r, "--every", &p->setup.every)
      || plan_overlay(p, r)) return REFUSED;
  if (plan_motion(p, r)) return REFUSED;
  if (given(r, "--every") && p->setup.every < 0)
    return say(REFUSED, "--every %g is negative: give the time between rows, or 0 for a row a step", p->setup.every);
  pack_later(p);
  return p->pack ? pack_possible(p->pack) : 0;
}

static int pause_between(const request *r, const plan *p, double *pause)
{
  if (request_number(r, "--checkpoint-every", 10, pause)) return REFUSED;
  if (!(*pause >= 0)) return say(REFUSED, "--checkpoint-every %g is negative: give seconds, or 0 for one after every step", *pause);
  if (given(r, "--checkpoint-every") && !p->checkpoint)
    return say(REFUSED, "--checkpoint-every needs a file: add --checkpoint FILE");
  return 0;
}

/* ---- files are found out about before the run, not after it ---- */
typedef struct file { const char *name, *option, *ending; } file;
enum { NFILE = 7 };

static void files_of(const plan *p, file *f)
{
  const file all[NFILE] = {{p->out, "--out", NULL}, {p->pack, "--out", NULL}, {p->stats, "--stats", NULL},
                           {p->checkpoint, "--checkpoint", NULL}, {p->events, "--events", NULL},
                           {p->plot, "--plot", ".svg"}, {p->report, "--report", ".html"}};
  memcpy(f, all, sizeof all);
}

static int check_writable(const char *path, const char *by)
{
  int why = disk_writable(path);
  return why ? say(REFUSED, "cannot write %s: %s; choose another place with %s", path, strerror(why), by) : 0;
}

/* two runs on one file would mix their rows */
static int check_taken(const char *path, const char *by)
{
  return disk_taken(path) ? say(REFUSED, "another run is writing %s: wait for its end, or choose another place with %s", path, by) : 0;
}

/* a file that is standard output by another name would be written from two sides */
static int check_stream(const file *f)
{
  for (int i = 0; i < NFILE; i++) {
    const char *stream = f[i].name ? streams_same(f[i].name) : NULL;
    if (stream)
      return say(REFUSED, "%s %s is the file of %s: %s", f[i].option, f[i].name, stream,
                 i == 0 ? "give another, or --out - for rows on standard output" :
                 i == 2 ? "give another, or --json, which prints the same" : "give another");
  }
  return 0;
}

/* a run goes on by cutting its files back: what is gone through a pipe cannot be cut */
static int check_cuts(const plan *p)
{
  const file f[] = {{p->out, "--out", NULL}, {p->events, "--events", NULL}};
  for (int i = 0; i < 2 && p->checkpoint; i++)
    if (f[i].name && strcmp(f[i].name, "-") && disk_size(f[i].name) == -2)
      return say(REFUSED, "--checkpoint needs %s in a file that can be cut back, and %s is none: give a file%s", f[i].option, f[i].name,
                 i ? "" : ", or - for standard output");
  return 0;
}

/* what is read may not be written */
static int check_source(const file *f, const char *source)
{
  for (int i = 0; i < NFILE && source; i++)
    if (f[i].name && disk_size(source) >= 0 && disk_same(f[i].name, source))
      return say(REFUSED, "%s would write over the model in %s: give it another name", f[i].option, source);
  return 0;
}

static int check_names(const plan *p, const char *model, int json)
{
  file f[NFILE];
  files_of(p, f);
  if (check_source(f, p->source) || check_source(f, model) || check_stream(f) || check_cuts(p)) return REFUSED;
  if (p->out && strcmp(p->out, "-") && !epi_out_format(p->out))
    return say(REFUSED, "the output '%s' has no known ending: use .csv, .npy, .json, .npz, .h5 or .pvd, or - for CSV on standard output",
               p->out);
  if (p->events && !epi_out_format(p->events))
    return say(REFUSED, "--events '%s' has no known ending: use .csv, .npy or .json", p->events);
  if (p->out && !strcmp(p->out, "-") && json) return say(REFUSED, "--out - and --json both write to standard output: give --out a file");
  for (int i = 0; i < NFILE; i++)
    for (int k = 0; k < i; k++)
      if (f[i].name && f[k].name && disk_same(f[i].name, f[k].name))
        return say(REFUSED, "%s and %s must be different files", f[k].option, f[i].option);
  for (int i = 0; i < NFILE; i++)
    if (f[i].name && f[i].ending && !ends_with(f[i].name, f[i].ending) && !(i == NFILE - 1 && ends_with(f[i].name, ".htm"))
        && disk_size(f[i].name) != -2)
      return say(REFUSED, "%s '%s' should end in %s, which is what it writes", f[i].option, f[i].name, f[i].ending);
  return 0;
}

static int check_places(const plan *p)
{
  file f[NFILE];
  files_of(p, f);
  int code = 0;
  /* the output says so itself when it is opened */
  for (int i = 1; i < NFILE && !code; i++)
    if (f[i].name) code = check_writable(f[i].name, f[i].option);
  if (!code && p->out) code = check_taken(p->out, "--out");
  if (!code && p->events) code = check_taken(p->events, "--events");
  if (!code && p->checkpoint) code = check_taken(p->checkpoint, "--checkpoint");
  return code;
}

/* ---- running ---- */
static int make(job *j)
{
  int code = job_make(j);
  return code ? code : check_places(&j->ask);
}

/* what runs apart is made there again: what was made before it is gone */
static int go(job *j)
{
  int code = j->own ? job_make(j) : 0;
  if (!code) code = job_begin(j);
  return code ? code : job_drive(j);
}

static int prepare(batch *b)
{
  put(&b->report, b->all.file ? epi_file_report(b->all.file) : NULL);
  put(&b->report, given(b->r, "--report"));
  b->job = need((size_t)b->all.n*sizeof *b->job);
  b->n = b->all.n;
  for (int i = 0; i < b->n; i++) {
    job *j = &b->job[i];
    j->ask = b->all.plan[i];
    b->all.plan[i] = plan_empty();
    if (b->all.file) put(&j->ask.title, epi_file_title(b->all.file));
    if (overlay(b->r, &j->ask, b->n > 1) || pause_between(b->r, &j->ask, &j->pause)) return REFUSED;
    if (b->n == 1) put(&j->ask.report, b->report);
    j->brief = b->n > 1;
    j->quiet = given(b->r, "--quiet") || (b->n > 1 && given(b->r, "--json"));
    j->json = given(b->r, "--json") != NULL;
    j->ask.quiet = j->quiet;
    int scene = j->ask.pack && pack_scene(j->ask.pack);
    j->pictures = b->report || j->ask.report || j->ask.plot || scene;
    j->draws = b->report || j->ask.report || scene;
    if (check_names(&j->ask, b->r->word[0], j->json)) return REFUSED;
    if (b->n > 1 && b->report && j->ask.report && disk_same(b->report, j->ask.report))
      return say(REFUSED, "the run %s and all runs together would both write %s: give one of them another name", j->ask.name, b->report);
  }
  if (b->n > 1 && b->report && !ends_with(b->report, ".html"))
    return say(REFUSED, "--report '%s' should end in .html, which is what it writes", b->report);
  return b->n > 1 && b->report ? check_writable(b->report, "--report") : 0;
}

/* one line for each, when there are several */
static void announce(const batch *b, int i)
{
  const job *j = &b->job[i];
  if (b->n > 1 && !j->quiet) printf("%s%d/%d  %s\n", i ? "\n" : "", i + 1, b->n, j->ask.name ? j->ask.name : j->ask.model);
  fflush(stdout);
}

static int compare_with(const batch *b)
{
  const char *name = b->all.file ? epi_file_compare(b->all.file) : NULL;
  for (int i = 0; name && i < b->done; i++)
    if (b->job[i].r && b->job[i].ask.name && !strcmp(b->job[i].ask.name, name)) return i;
  return -1;
}

/* one page for all of them */
static int write_report(const batch *b)
{
  char error[1024];
  const epi_result **all = need((size_t)b->done*sizeof *all);
  int against = compare_with(b), n = 0;
  for (int i = 0; i < b->done; i++) {
    if (i == against) against = n;
    if (!b->job[i].r) continue;
    epi_result_draw(b->job[i].r);
    all[n++] = b->job[i].r;
  }
  int reader = disk_reader(b->report), code = 0;
  if (reader < 0) code = say(FAILED, "%s is not written: nobody reads it", b->report);
  else if (epi_report_write(b->report, b->all.file ? epi_file_title(b->all.file) : NULL, all, n, against, error, sizeof error))
    code = clock_unread() ? FAILED : say(FAILED, "%s", error);
  disk_release(reader);
  free(all);
  return code;
}

/* those that Ctrl-C left undone */
static void name_undone(const batch *b)
{
  if (b->done == b->n) return;
  char *all = text("%s", "");
  for (int i = b->done; i < b->n; i++) {
    char *longer = text("%s%s%s", all, i > b->done ? ", " : "", b->job[i].ask.name ? b->job[i].ask.name : b->job[i].ask.model);
    free(all);
    all = longer;
  }
  say(0, "not run: %s; run the file again for these", all);
  free(all);
}

static int drive(batch *b)
{
  int code = 0, list = b->n > 1 && b->job[0].json;
  if (list) puts("[");
  for (int i = 0; i < b->n && !clock_interrupted(); i++) {
    announce(b, i);
    if (list && i) puts(",");
    int this = job_apart(&b->job[i], go);
    b->done = i + 1;
    if (this) code = b->n > 1 ? FAILED : this;
  }
  if (list) puts("]");
  name_undone(b);
  return code;
}

/* every run is made before the first one moves: what is refused, is refused before any file is touched */
static int act(batch *b)
{
  int code = prepare(b);
  for (int i = 0; i < b->n && !code; i++) code = job_apart(&b->job[i], make);
  if (code) return code;
  code = drive(b);
  if (b->n < 2) return code;
  int talks = !b->job[0].quiet;
  if (talks) compare_print(b->job, b->done, compare_with(b));
  if (!b->report) return code;
  int bad = write_report(b);
  if (!bad && talks) printf("\nreport in %s: open it in a browser\n", b->report);
  return bad ? bad : code;
}

int act_run(const request *r)
{
  batch b = {.r = r};
  int code = plans_read(&b.all, r, NULL);
  if (!code) code = act(&b);
  for (int i = 0; i < b.n; i++) job_free(&b.job[i]);
  free(b.job);
  free(b.report);
  plans_free(&b.all);
  return code;
}
