/* holds: systems, jobs and sweeps by handles give what the C interface gives, and refuse what it refuses */
#include "epicycle/handle.h"
#include "test.h"
#include <math.h>

static double in[2], out[1], crossing[1];
static int post(double t, double theta) { (void)t, (void)theta; out[0] = -in[0]; return 0; }
static int lost(double t, double theta) { (void)theta; out[0] = -in[0]; return t > 0.5 ? -1 : 0; }
static int event(double t, double theta) { (void)t, (void)theta; crossing[0] = in[0]; return 0; }
static const double start[] = {1, 0};

static epi_own *oscillator(epi_post *force)
{
  epi_own *o = epi_own_new(1, 1, 0, 0);
  check(!epi_own_post(o, "force", force, in, out));
  check(!epi_own_post(o, "event0_down", event, in, crossing));
  return o;
}

static void a_system(void)
{
  const double times[] = {0.5, 1, 2.5};
  epi_own *o = oscillator(post);
  epi_job *j = epi_job_own(o, 0, start);
  check(!epi_job_say(j, "tol", "1e-9") && !epi_job_say(j, "end", "3 s") && !epi_job_times(j, times, 3, 0) && !epi_job_make(j));
  check_count(epi_job_end(j, epi_job_go(j)), 0);
  long rows;
  int columns;
  const double *x = epi_job_rows(j, &rows, &columns);
  check(rows == 5 && columns == 3);
  for (int i = 0; i < 3 && rows == 5; i++) {
    check(x[3*(i + 1)] == times[i]);
    check_abs(x[3*(i + 1) + 1], cos(times[i]), 1e-9);
  }
  x = epi_job_events(j, &rows, &columns);
  if (check(rows == 1 && columns == 6)) check_abs(x[2], acos(-1)/2, 1e-9);
  check_has(epi_job_text(j, "json"), "\"status\": \"done\"");
  epi_job_free(j);
  epi_own_free(o);
}

static void a_callback_that_stops(void)
{
  epi_own *o = oscillator(lost);
  epi_job *j = epi_job_own(o, 0, start);
  check(!epi_job_say(j, "flow", "verlet") && !epi_job_say(j, "step", "0.1") && !epi_job_say(j, "end", "3") && !epi_job_make(j));
  check(epi_job_end(j, epi_job_go(j)) == EPI_WRONG);
  check_has(epi_job_error(j), "stopped the run");
  epi_job_free(j);
  epi_own_free(o);
}

/* asked to stop it says so, the same call goes on, and the bits are those of a run that nobody stopped */
static void stopping(void)
{
  double end[2];
  for (int k = 0; k < 2; k++) {
    epi_job *j = epi_job_model("kepler");
    check(!epi_job_say(j, "flow", "verlet") && !epi_job_say(j, "step", "1 ms") && !epi_job_say(j, "end", "10") && !epi_job_make(j));
    if (k) epi_job_stop(j);
    int code = epi_job_go(j);
    if (k) check_count(code, -1001);
    while (code == -1001) code = epi_job_go(j);
    check_count(epi_job_end(j, code), 0);
    long rows;
    int columns;
    const double *x = epi_job_rows(j, &rows, &columns);
    end[k] = x[(rows - 1)*columns + 1];
    epi_job_free(j);
  }
  check(end[0] == end[1]);
}

static void by_hand(void)
{
  epi_own *o = oscillator(post);
  epi_job *j = epi_job_own(o, 0, start);
  double t;
  int sizes[4];
  check(!epi_job_say(j, "flow", "verlet") && !epi_job_advance(j, 0.01, 50) && !epi_job_reach(j, 1, 0.01));
  const double *y = epi_job_state(j, &t, sizes);
  check(t == 1 && sizes[0] == 1 && sizes[1] == 1 && epi_job_calls(j) >= 100);
  check_abs(y[0], cos(1), 1e-4);
  epi_job_free(j);
  epi_own_free(o);
}

static void a_sweep(void)
{
  const char *over[] = {"e=0.1:0.3:0.1", NULL}, *keep[] = {"x", NULL};
  double value[3], kept[3];
  int outcome[3];
  epi_job *j = epi_job_model("kepler");
  check(!epi_job_say(j, "end", "1"));
  epi_sweep *s = epi_job_sweep(j, over, keep);
  check_count((int)epi_sweep_cases(s), 3);
  check(!epi_job_sweep_run(j, s, value, kept, outcome));
  for (int i = 0; i < 3; i++) {
    check_abs(value[i], 0.1*(i + 1), 1e-12);
    check(outcome[i] == EPI_CASE_DONE && isfinite(kept[i]));
  }
  epi_sweep_free(s);
  epi_job_free(j);
}

static void refusals(void)
{
  epi_own *o = epi_own_new(1, 0, 0, 0);
  epi_job *j = epi_job_own(o, 0, start);
  check_has(epi_job_error(j), "neither a force nor a rate");
  epi_job_free(j);
  epi_own_free(o);
  j = epi_job_model("kepler");
  check(epi_job_say(j, "end", "1 kg") == EPI_WRONG);
  check_has(epi_job_error(j), "end");
  epi_job_free(j);
  j = epi_job_file("none.yaml", NULL, NULL, 0);
  check_has(epi_job_error(j), "none.yaml");
  epi_job_free(j);
  j = epi_job_file("text", "model: kepler\nend: 1\n", NULL, 0);
  check(!epi_job_make(j) && !epi_job_end(j, epi_job_go(j)));
  check_has(epi_job_text(j, "yaml"), "kepler");
  epi_job_free(j);
  check_text(epi_version(), EPI_VERSION);
  check(epi_handles() == EPI_HANDLES && epi_catalog(NULL, 0) > 10000);
}

/* calls out of their order: each a sentence, none a crash */
static epi_job *small(const char *model)
{
  epi_job *j = epi_job_model(model);
  check(!epi_job_say(j, "flow", "verlet") && !epi_job_say(j, "end", "0.3") && !epi_job_say(j, "step", "0.05"));
  return j;
}

static void out_of_order(void)
{
  epi_job *j = small("stiff-springs");
  check(epi_job_make(j) == EPI_WRONG);
  check_has(epi_job_error(j), "too long");
  check(epi_job_go(j) == EPI_WRONG && epi_job_end(j, EPI_WRONG) == EPI_WRONG && epi_job_end(j, 0) == EPI_WRONG);
  check_has(epi_job_error(j), "too long");
  epi_job_free(j);
  j = small("kepler");
  check(epi_job_end(j, 0) == EPI_WRONG);
  check_has(epi_job_error(j), "not made yet");
  epi_job_free(j);
  j = small("kepler");
  check(!epi_job_make(j) && epi_job_end(j, 0) == EPI_WRONG);
  check_has(epi_job_error(j), "go comes before end");
  epi_job_free(j);
  /* the end is one: a second one changes nothing, and there is no way on */
  j = small("kepler");
  check(!epi_job_make(j) && !epi_job_end(j, epi_job_go(j)) && !epi_job_end(j, EPI_WRONG) && !epi_job_end(j, 0));
  check_text(epi_job_error(j), "");
  check(epi_job_go(j) == EPI_WRONG);
  check_has(epi_job_error(j), "has ended");
  epi_job_free(j);
}

/* where rows are is said once */
static void rows_where(void)
{
  const struct { long n; int places; const char *why; } wrong[] = {
    {1, 1, "times and places"}, {-1, 0, "0 or more times"}, {0, 65, "1 to 64 places"}, {0, -1, "1 to 64 places"}};
  const double outside = -3.28;
  for (int i = 0; i < 4; i++) {
    epi_job *j = small("kepler");
    check(epi_job_times(j, &outside, wrong[i].n, wrong[i].places) == EPI_WRONG);
    check_has(epi_job_error(j), wrong[i].why);
    check(epi_job_make(j) == EPI_WRONG);
    epi_job_free(j);
  }
  epi_job *j = small("kepler");
  check(!epi_job_make(j) && epi_job_times(j, &outside, 1, 0) == EPI_WRONG);
  check_has(epi_job_error(j), "too late");
  epi_job_free(j);
  /* in C the same is asked for by the options of a result */
  epi_case *c = epi_case_make("kepler");
  epi_result *r = epi_result_make(c, "verlet", &(epi_run_options){.step = 0.05, .end = 0.3, .times = &outside, .ntimes = 1, .places = 1});
  check_text(r->status, "refused");
  check_has(r->error, "give one of them");
  check(epi_result_end(r, 0) == EPI_WRONG);
  epi_result_free(r);
  epi_case_free(c);
}

int main(void)
{
  a_system();
  a_callback_that_stops();
  stopping();
  by_hand();
  a_sweep();
  refusals();
  out_of_order();
  rows_where();
  return test_done();
}
