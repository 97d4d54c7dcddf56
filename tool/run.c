/* run.c - the verb run: a request becomes a job */
#include "tool.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static char *copy(const char *s) { return s ? text("%s", s) : NULL; }

static int read_numbers(const request *r, job *j)
{
  if (request_number(r, "--step", NAN, &j->step) || request_number(r, "--end", NAN, &j->end)
      || request_number(r, "--every", -1, &j->every) || request_number(r, "--checkpoint-every", 10, &j->pause)) return REFUSED;
  if (given(r, "--every") && j->every < 0)
    return say(REFUSED, "--every %g is negative: give the time between rows, or 0 for a row a step", j->every);
  if (!(j->pause > 0)) return say(REFUSED, "--checkpoint-every %g is not positive: give seconds", j->pause);
  if (given(r, "--checkpoint-every") && !j->checkpoint)
    return say(REFUSED, "--checkpoint-every needs a file: add --checkpoint FILE");
  return 0;
}

static int same(const char *a, const char *b) { return a && b && !strcmp(a, b); }

static int check_files(const job *j)
{
  if (j->out && sheet_format(j->out) < 0) return REFUSED;
  if (same(j->out, "-") && j->json) return say(REFUSED, "--out - and --json both write to standard output: give --out a file");
  if (same(j->out, j->checkpoint) || same(j->out, j->stats) || same(j->stats, j->checkpoint))
    return say(REFUSED, "--out, --stats and --checkpoint must be different files");
  return 0;
}

/* found out before the run, not after it */
static int check_writable(const char *path, const char *name)
{
  if (!path) return 0;
  long long before = disk_size(path);
  FILE *f = fopen(path, "a");
  if (!f) return say(REFUSED, "cannot write %s: %s; choose another place with %s", path, strerror(errno), name);
  fclose(f);
  if (before == -1) remove(path);
  return 0;
}

static int check_checkpoint(const job *j)
{
  char *fresh = j->checkpoint ? text("%s.new", j->checkpoint) : NULL;
  int code = check_writable(fresh, "--checkpoint");
  free(fresh);
  return code;
}

int act_run(const request *r)
{
  int code;
  char *model = request_model(r, &code);
  if (!model) return code;
  job j = {.model = model, .flow = copy(given(r, "--flow")), .out = copy(given(r, "--out")), .stats = copy(given(r, "--stats")),
           .checkpoint = copy(given(r, "--checkpoint")), .quiet = given(r, "--quiet") != NULL, .json = given(r, "--json") != NULL,
           .wants_fast = given(r, "--fast") != NULL};
  code = read_numbers(r, &j);
  if (!code) code = check_files(&j);
  if (!code) code = job_make(&j);
  if (!code) code = check_writable(j.stats, "--stats");
  if (!code) code = check_checkpoint(&j);
  if (!code) code = job_begin(&j);
  if (!code) code = job_drive(&j);
  job_free(&j);
  return code;
}
