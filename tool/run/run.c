/* run.c - the verb run: requests and model files become jobs, and jobs pictures */
#include "tool.h"
#include "picture.h"
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

/* ---- what the command line says goes over what a file says ---- */
static void put(char **to, const char *word)
{
  if (!word) return;
  free(*to);
  *to = text("%s", word);
}

static int overlay(const request *r, plan *p)
{
  double every;
  put(&p->flow, given(r, "--flow"));
  put(&p->out, given(r, "--out"));
  put(&p->stats, given(r, "--stats"));
  put(&p->plot, given(r, "--plot"));
  put(&p->checkpoint, given(r, "--checkpoint"));
  if (given(r, "--fast")) p->fast = 1;
  if (request_number(r, "--step", p->step, &p->step) || request_number(r, "--end", p->end, &p->end)
      || request_number(r, "--every", p->every, &every) || request_number(r, "--tol", p->tol, &p->tol)) return REFUSED;
  if (given(r, "--every") && every < 0)
    return say(REFUSED, "--every %g is negative: give the time between rows, or 0 for a row a step", every);
  p->every = every;
  return 0;
}

static int pause_between(const request *r, const plan *p, double *pause)
{
  if (request_number(r, "--checkpoint-every", 10, pause)) return REFUSED;
  if (!(*pause > 0)) return say(REFUSED, "--checkpoint-every %g is not positive: give seconds", *pause);
  if (given(r, "--checkpoint-every") && !p->checkpoint)
    return say(REFUSED, "--checkpoint-every needs a file: add --checkpoint FILE");
  return 0;
}

/* ---- files are found out about before the run, not after it ---- */
typedef struct file { const char *name, *option, *ending; } file;
enum { NFILE = 5 };

static void files_of(const plan *p, file *f)
{
  const file all[NFILE] = {{p->out, "--out", NULL}, {p->stats, "--stats", NULL}, {p->checkpoint, "--checkpoint", NULL},
                           {p->plot, "--plot", ".svg"}, {p->report, "--report", ".html"}};
  memcpy(f, all, sizeof all);
}

static int check_writable(const char *path, const char *by)
{
  long long before = disk_size(path);
  FILE *f = fopen(path, "a");
  if (!f) return say(REFUSED, "cannot write %s: %s; choose another place with %s", path, strerror(errno), by);
  fclose(f);
  if (before == -1) remove(path);
  return 0;
}

static int check_names(const plan *p, int json)
{
  file f[NFILE];
  files_of(p, f);
  if (p->out && sheet_format(p->out) < 0) return REFUSED;
  if (p->out && !strcmp(p->out, "-") && json) return say(REFUSED, "--out - and --json both write to standard output: give --out a file");
  for (int i = 0; i < NFILE; i++)
    for (int k = 0; k < i; k++)
      if (f[i].name && f[k].name && !strcmp(f[i].name, f[k].name))
        return say(REFUSED, "%s and %s must be different files", f[k].option, f[i].option);
  for (int i = 0; i < NFILE; i++)
    if (f[i].name && f[i].ending && !ends_with(f[i].name, f[i].ending) && disk_size(f[i].name) != -2)
      return say(REFUSED, "%s '%s' should end in %s, which is what it writes", f[i].option, f[i].name, f[i].ending);
  return 0;
}

static int check_places(const plan *p)
{
  file f[NFILE];
  files_of(p, f);
  int code = 0;
  /* the output says so itself when it is opened */
  for (int i = 1; i < NFILE && !code; i++) {
    if (!f[i].name) continue;
    char *path = i == 2 ? text("%s.new", f[i].name) : text("%s", f[i].name);
    code = check_writable(path, f[i].option);
    free(path);
  }
  return code;
}

/* ---- running ---- */
static int go(void *data)
{
  job *j = data;
  int code = job_make(j);
  if (!code) code = check_places(&j->ask);
  if (!code) code = job_begin(j);
  if (!code) code = job_drive(j);
  return code;
}

int job_run(job *j)
{
  const char *how = NULL;
  if (!j->ask.own || !load_names(j->ask.source ? j->ask.source : "")) return go(j);
  int code = crash_guarded(go, j, &how);
  if (how) job_crashed(j, how);
  return code;
}

static int several(const batch *b, const char *name)
{
  if (b->all.n < 2 || !given(b->r, name)) return 0;
  return say(REFUSED, "%s is one file and there are %d runs: give each its own under `output:` in the model file", name, b->all.n);
}

static int prepare(batch *b)
{
  static const char *const single[] = {"--out", "--stats", "--plot", "--checkpoint"};
  const char *one = b->all.file ? model_file_report(b->all.file) : NULL;
  for (size_t i = 0; i < sizeof single/sizeof *single; i++) if (several(b, single[i])) return REFUSED;
  put(&b->report, one);
  put(&b->report, given(b->r, "--report"));
  if (b->all.n > 1 && given(b->r, "--json")) return say(REFUSED, "--json prints one run and there are %d: give each a stats file under `output:`", b->all.n);
  b->job = need((size_t)b->all.n*sizeof *b->job);
  b->n = b->all.n;
  for (int i = 0; i < b->n; i++) {
    job *j = &b->job[i];
    j->ask = b->all.plan[i];
    b->all.plan[i] = plan_empty();
    if (b->all.file) put(&j->ask.title, model_file_title(b->all.file));
    if (overlay(b->r, &j->ask) || pause_between(b->r, &j->ask, &j->pause)) return REFUSED;
    if (b->n == 1) put(&j->ask.report, b->report);
    j->brief = b->n > 1;
    j->quiet = given(b->r, "--quiet") != NULL;
    j->json = given(b->r, "--json") != NULL;
    j->pictures = b->report || j->ask.report || j->ask.plot;
    if (check_names(&j->ask, j->json)) return REFUSED;
  }
  if (b->n > 1 && b->report && !ends_with(b->report, ".html")) return say(REFUSED, "--report '%s' should end in .html, which is what it writes", b->report);
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
  const char *name = b->all.file ? model_file_compare(b->all.file) : NULL;
  for (int i = 0; name && i < b->n; i++)
    if (b->job[i].ask.name && !strcmp(b->job[i].ask.name, name)) return i;
  return -1;
}

static int write_report(void *data)
{
  batch *b = data;
  const char *title = b->all.file ? model_file_title(b->all.file) : NULL;
  return report_write(b->report, title, b->job, b->done, compare_with(b));
}

static int act(batch *b)
{
  int code = prepare(b);
  for (int i = 0; i < b->n && (!code || code == FAILED); i++) {
    announce(b, i);
    int this = job_run(&b->job[i]);
    b->done = i + 1;
    if (this) code = this;
    if (clock_interrupted()) break;
  }
  if (code == REFUSED || b->n < 2) return code;
  if (!b->job[0].quiet) compare_print(b->job, b->done, compare_with(b));
  if (!b->report) return code;
  /* models of users draw themselves here */
  const char *how = NULL;
  int bad = crash_guarded(write_report, b, &how);
  if (how) say(FAILED, "%s could not be written: a model crashed (%s) where it draws itself", b->report, how);
  if (!bad && !b->job[0].quiet) printf("\nreport in %s: open it in a browser\n", b->report);
  return bad ? bad : code;
}

int act_run(const request *r)
{
  batch b = {.r = r};
  int code = plans_read(&b.all, r);
  if (!code) code = act(&b);
  for (int i = 0; i < b.n; i++) job_free(&b.job[i]);
  free(b.job);
  free(b.report);
  plans_free(&b.all);
  return code;
}
