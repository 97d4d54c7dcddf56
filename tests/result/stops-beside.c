/* holds: a stop is obeyed within a bounded number of evaluations in every companion run of a result
 * stops-beside.c - a result has flows beside that of the run: those that make the oscillating solution of a row, and what it does between
   rows; and the one by which the run looks at itself. The wish to stop is heard in each of them: a bounded number of evaluations later the
   run has stopped, and goes on to the bytes of one that was never stopped */
#include "test.h"
#include "epicycle.h"

enum { AFTER = 3000, PLACES = 17 };
static int (*shaken)(epi_system *, double, double, const double *, double *);
static struct { long calls, at, after; epi_result *r; } ask;

/* told from inside of the force, as a signal would */
static int forced(epi_system *s, double t, double theta, const double *q, double *f)
{
  if (++ask.calls == ask.at) epi_result_stop(ask.r);
  ask.after += ask.at && ask.calls > ask.at;
  return shaken(s, t, theta, q, f);
}

typedef struct { const char *flow; double step, end, every; int fast, pictures; } request;

static char *file_text(const char *path, size_t *n)
{
  FILE *f = fopen(path, "rb");
  char *all = malloc(1 << 16);
  if (!f || !all) test_stop("no rows");
  *n = fread(all, 1, 1 << 16, f);
  fclose(f);
  return all;
}

/* stopped at one evaluation, and on to the end; the evaluations of all; *told: how many came after the wish */
static long run(const request *q, long at, const char *path, long *told)
{
  epi_case *c = epi_case_make("inverted-pendulum(w=1000)");
  shaken = c->system.phase.forced;
  c->system.phase.forced = forced;
  epi_run_options o = {.step = q->step, .end = q->end, .every = q->every, .fast = q->fast, .pictures = q->pictures, .out = path};
  epi_result *r = epi_result_make(c, q->flow, &o);
  ask.calls = ask.after = ask.at = 0;
  ask.r = r;
  if (strcmp(r->status, "ready")) test_stop(r->error);
  ask.calls = 0;
  ask.at = at;
  int code = epi_result_begin(r) ? -1 : epi_result_go(r), again = 0;
  *told = ask.after;
  for (; code == EPI_STOPPED && again < 2; again++) code = epi_result_go(r);
  check_count(again, at > 0);
  check_count(epi_result_end(r, code), 0);
  epi_result_free(r);
  epi_case_free(c);
  return ask.calls;
}

static void stops(const request *q)
{
  size_t n, m;
  long told, all = run(q, 0, "stops-beside.csv", &told), worst = 0;
  char *whole = file_text("stops-beside.csv", &n);
  for (long k = 0; k < PLACES; k++) {
    long at = 1 + all*k/PLACES;
    run(q, at, "stops-beside.csv", &told);
    if (told > worst) worst = told;
    if (!check_below((double)told, AFTER)) printf("  %s, told at evaluation %ld of %ld\n", q->flow, at, all);
    char *parts = file_text("stops-beside.csv", &m);
    if (!check(m == n && !memcmp(whole, parts, n))) printf("  %s, stopped at evaluation %ld of %ld: other rows\n", q->flow, at, all);
    free(parts);
  }
  printf("%8ld evaluations, at most %5ld after the wish: %s%s%s\n", all, worst, q->flow, q->fast ? ", fast" : "",
         q->pictures ? ", pictures" : "");
  free(whole);
  remove("stops-beside.csv");
}

/* who stops a run for good has the rows so far, and no run for another one */
static void ends(void)
{
  epi_case *c = epi_case_make("inverted-pendulum(w=1000)");
  shaken = c->system.phase.forced;
  c->system.phase.forced = forced;
  epi_result *r = epi_result_make(c, "rk4(strobe(substeps(verlet, 8000)))",
                                  &(epi_run_options){.step = 0.02, .end = 0.2, .every = 0.045, .fast = 1});
  ask.calls = ask.after = 0;
  ask.r = r;
  ask.at = 1000000;
  check_count(epi_result_run(r), EPI_STOPPED);
  check(!strcmp(r->status, "stopped"));
  check_below((double)ask.after, AFTER);
  check_above((double)r->rows, 0);
  epi_result_free(r);
  epi_case_free(c);
}

int main(void)
{
  static const request all[] = {
    {"rk4(strobe(substeps(verlet, 3000)))", 0.02, 0.1, 0.033, 1, 0},
    {"rk4(strobe(substeps(verlet, 3000)))", 0.02, 0.1, 0.033, 0, 1},
    {"tolerance(dopri5(strobe(substeps(verlet, 2400))), rtol=1e-3)", 0.05, 0.1, 0.023, 1, 1},
    {"project(rk4(hmm(substeps(verlet, 100), steps=16, kernel=boxes, match=2)))", 0.02, 0.06, 0.021, 1, 1},
  };
  for (size_t i = 0; i < sizeof all/sizeof *all; i++) stops(&all[i]);
  ends();
  return test_done();
}
