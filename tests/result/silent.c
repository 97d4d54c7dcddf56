/* holds: no run of any model by any method is off by a tenth of the motion without a warning
 * silent.c - every model by every method, with steps from a tenth of its own to a thousand times that: a run that ends with "done", is off
   by more than a tenth of the motion and has no warning is listed, and the list must be empty. Warnings are counted too: none with a
   model's own flow and step, and few where the error is small. Those of cost alone do not count, neither way.
   Words after the name: models, or flows (with a bracket or a name of a method), to try these alone.
   label: soak
   timeout: 14400 */
#define _XOPEN_SOURCE 700
#include "test.h"
#include "epicycle.h"
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FACTORS = 5, SECONDS = 8 };
static const double factors[FACTORS] = {1, 0.1, 10, 100, 1000};

/* errors of these grow: they are compared before they have grown tenfold */
static const char *const chaotic[] = {"billiard", "magnetic-pendulum", "stack", "bounce", "rod-chain", "rod-pendulum", "spring-pendulum",
                                      "drop", "spring-chain", NULL};

/* rows are compared at TIMES times, column by column as a user sees them, each with how far it goes itself. An oscillation that is off by a
   tenth of its range, a fifth of its amplitude, is early or late by LATE of a turn: what changes faster may be that late too, but for
   positions */
enum { TIMES = 8 };
static const double PI = 3.14159265358979323846, LATE = 0.1/3.14159265358979323846;
/* columns, those of the state first; what they are about the times, and at them; how far they go; what two ways to it differ by */
typedef struct { int n, state; double end, unsure, *low, *high, *exact, *range; } truth;
typedef struct { int how, worst; double error; char words[200]; } outcome;    /* of one run; worst: the column */
enum { REFUSED, FAILED, LONG, DONE, WARNED };

static int listed(const char *word, const char *const *list)
{
  while (*list && strcmp(*list, word)) list++;
  return *list != NULL;
}

/* ---- one run ---- */
/* y: room for the rows at TIMES times; low, high: of the truth about them, and of the whole; column: room for one row */
typedef struct { epi_case *c; double until, end, late, *low, *high, *y, *column, *way; int n, m; long rows; } watcher;

static double seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9*(double)t.tv_nsec;
}

static void widen(watcher *w, const double *row, long which) {
  for (int i = 0; i < w->m; i++) {
    w->low[which*w->m + i] = fmin(w->low[which*w->m + i], row[i]);
    w->high[which*w->m + i] = fmax(w->high[which*w->m + i], row[i]);
  }
}

static void keep_row(watcher *w, const epi_result *r) {
  if (r->rows == w->rows) return;
  w->rows = r->rows;
  if (r->rows < 2 || r->rows > TIMES + 1) return;
  if (w->y) memcpy(w->y + (r->rows - 2)*w->m, r->row + 1, (size_t)w->m*sizeof *w->y);
  if (w->low) widen(w, r->row + 1, r->rows - 2);
}

static void see(watcher *w, const epi_state *s) {
  double start = w->c->t, at = TIMES*(s->t - start)/(w->end - start), k = round(at);
  const epi_observable *o = w->c->model->observables;
  for (int i = 0; w->way && i < w->n; i++) w->way[i] += fabs(s->y[i] - w->column[i]);
  memcpy(w->column, s->y, (size_t)w->n*sizeof *w->column);
  for (int i = 0; i < w->m - w->n; i++) w->column[w->n + i] = epi_observe(w->c, &o[i], s);
  widen(w, w->column, TIMES);
  if (k >= 1 && k <= TIMES && fabs(at - k) <= TIMES*w->late) widen(w, w->column, (long)k - 1);
}

static int beat(void *data, epi_result *r, const epi_state *s) {
  watcher *w = data;
  keep_row(w, r);
  if (w->low) see(w, s);
  return seconds() > w->until;
}

static epi_result *run(epi_case *c, const char *flow, double step, double end, watcher *w) {
  epi_result *r = epi_result_make(c, flow, &(epi_run_options){.step = step, .end = end + w->late*(end - c->t), .every = end/TIMES,
                                                              .beat = beat, .data = w});
  if (strcmp(r->status, "refused")) epi_result_run(r);
  if (!strcmp(r->status, "done")) keep_row(w, r);
  return r;
}

/* ---- the truth ---- */
static int columns_of(const epi_case *c) {
  int n = epi_size(&c->system), k = 0;
  while (c->model->observables && c->model->observables[k].name) k++;
  return n + k;
}

/* coordinates of one kind and unit: what is rounding beside the others does not move */
static int kind_of(const epi_system *m, int i) { return (i >= m->nq) + (i >= m->nq + (m->nv ? m->nv : m->nq)); }

static double size_of(const epi_case *c, const truth *a, int i) {
  const epi_system *m = &c->system;
  const double *low = a->low + TIMES*a->n, *high = a->high + TIMES*a->n, range = a->range[i];
  double large = fmax(fabs(low[i]), fabs(high[i])), kin = 0, farthest = 0;
  for (int k = 0; i < a->state && k < a->state; k++) {
    double size = fmax(fabs(low[k]), fabs(high[k]));
    if (k < m->nq) farthest = fmax(farthest, size);
    if (kind_of(m, i) != kind_of(m, k) || (m->units && strcmp(m->units[i], m->units[k]))) continue;
    kin = fmax(kin, a->range[k]);
    large = fmax(large, size);
  }
  /* a velocity that leads nowhere is rounding */
  if (i < a->state && kind_of(m, i) == 1 && range*(a->end - c->t) < 1e-9*farthest) return HUGE_VAL;
  /* what is constant has no motion to compare with: the run watches it itself */
  if (i >= a->state && c->model->observables[i - a->state].invariant) return HUGE_VAL;
  /* so is an observable that moves by less than a hundredth of itself, or is zero but for rounding and the tolerance of solvers */
  if (i >= a->state && large < 1e-10) return HUGE_VAL;
  return range > (i < a->state ? 1e-9 : 0.01)*large && range > 1e-4*kin ? range : HUGE_VAL;
}

/* rows that fell into one long step are not seen: they are left out. positions: an average has others than those of the whole motion */
static double apart(const epi_case *c, const double *x, const truth *a, int positions, int *worst) {
  const epi_system *m = &c->system;
  int n = a->n;
  double most = 0;
  for (int i = 0; i < (positions ? m->nq ? m->nq : a->state : n); i++)
    for (int k = 0; k < TIMES; k++) {
      if (isnan(x[k*n])) continue;
      double d = fmax(a->low[k*n + i] - x[k*n + i], x[k*n + i] - a->high[k*n + i]);
      if (i < m->nq) d = fabs(x[k*n + i] - a->exact[k*n + i]);
      if (i >= a->state && !strcmp(c->model->observables[i - a->state].unit, "rad")) d = fabs(remainder(fmax(0, d), 2*PI));
      d = isnan(x[k*n + i]) ? HUGE_VAL : fmax(0, d)/size_of(c, a, i);
      if (d > most) most = d, *worst = i;
    }
  return most;
}

/* "": the model's own */
static const char *const exact_flows[] = {"tolerance(dop853, rtol=1e-%d, atol=1e-13, longest=%.17g)", "symmetric(verlet, order=8)", "",
                                          "symmetric(verlet, order=4)", "gauss(stages=3)", NULL};

static int is_average(const char *flow) { return strstr(flow, "hmm") || strstr(flow, "strobe"); }

/* how often the coordinates turn on the way to the end: in the first of two runs for the truth */
static double turns_of(const truth *a, const watcher *w) {
  double most = 1;
  for (int i = 0; i < a->state; i++) if (size_of(w->c, a, i) < HUGE_VAL) most = fmax(most, 0.5*w->way[i]/a->range[i]);
  return most;
}

/* digits: of a tolerance; steps are short enough to see what is about the times */
static int good_run(epi_case *c, const char *flow, int digits, double step, truth *a, watcher *w) {
  char text[160];
  if (strstr(flow, "rtol")) snprintf(text, sizeof text, flow, digits, (a->end - c->t)/1e4);
  epi_result *r = run(c, strstr(flow, "rtol") ? text : flow, step, a->end, w);
  int good = !strcmp(r->status, "done");
  epi_result_free(r);
  return good;
}

/* a flow with steps of a sixteenth and a thirty-second of the model's own, where both agree; those of an average do not resolve what is
   fast, and it is two fast periods that are cut */
static int find_truth(epi_case *c, truth *a, double end) {
  int n = epi_size(&c->system), m = columns_of(c), all = (TIMES + 1)*m, worst;
  double *room = calloc((size_t)(4*all + 3*m + 1), sizeof *room), *other = room + 3*all, *column = other + all, *way = column + m;
  double step = is_average(c->model->flow) ? 2*c->system.phase.period : c->step;
  *a = (truth){.n = m, .state = n, .low = room, .high = room + all, .exact = room + 2*all, .range = way + m, .end = end};
  for (int k = 0; exact_flows[k]; k++) {
    const char *flow = *exact_flows[k] ? exact_flows[k] : c->model->flow;
    if (is_average(flow)) continue;
    watcher w = {.c = c, .until = seconds() + 60, .end = end, .low = a->low, .high = a->high, .column = column, .way = way, .y = other,
                 .n = n, .m = m};
    for (int i = 0; i < all; i++) w.low[i] = HUGE_VAL, w.high[i] = -HUGE_VAL;
    memset(way, 0, (size_t)m*sizeof *way);
    memcpy(column, c->y, (size_t)n*sizeof *column);
    int good = good_run(c, flow, 9, step/16, a, &w);
    for (int i = 0; i < m; i++) a->range[i] = a->high[TIMES*m + i] - a->low[TIMES*m + i];
    double late = LATE/turns_of(a, &w);
    w = (watcher){.c = c, .until = seconds() + 60, .end = end, .late = late, .low = a->low, .high = a->high, .column = column,
                  .y = a->exact, .n = n, .m = m};
    good = good && good_run(c, flow, 11, step/32, a, &w);
    worst = 0;
    a->unsure = good ? apart(c, other, a, 0, &worst) : NAN;
    if (getenv("TRACE")) fprintf(stderr, "TRUTH %s by %s: differs by %.3g in column %d\n", c->model->name, flow, a->unsure, 2 + worst);
    if (a->unsure < 1e-2) return 0;
  }
  return -1;
}

/* how long it takes until a small displacement of the start has grown tenfold, and stays so: in an impact it is large for a moment */
static double tenfold(epi_case *c, double end) {
  int n = epi_size(&c->system), nq = c->system.nq;
  double *low = calloc((size_t)((2*TIMES + 6)*n + 1), sizeof *low), *range = low + 2*(TIMES + 1)*n, *states = range + 2*n;
  watcher w = {.c = c, .until = seconds() + 60, .end = end, .low = low, .high = low + (TIMES + 1)*n, .column = range + n, .n = n, .m = n};
  for (int i = 0; i < (TIMES + 1)*n; i++) w.low[i] = HUGE_VAL, w.high[i] = -HUGE_VAL;
  epi_result *r = run(c, NULL, c->step, end, &w);
  double largest = 0;
  const double *lo = w.low + TIMES*n, *hi = w.high + TIMES*n;
  for (int i = 0; i < n; i++) largest = fmax(largest, fmax(fabs(lo[i]), fabs(hi[i])));
  for (int i = 0; i < n; i++) range[i] = hi[i] - lo[i] > 1e-12*largest ? hi[i] - lo[i] : 0;
  epi_result_free(r);
  epi_state s = epi_case_state(c), x = {.t = s.t, .theta = s.theta, .y = states}, z = x;
  double at = s.t + (end - s.t)/1000;
  z.y = states + n;
  memcpy(x.y, s.y, (size_t)n*sizeof *x.y);
  memcpy(z.y, s.y, (size_t)n*sizeof *x.y);
  /* velocities: positions may be bound */
  for (int i = nq; i < n; i++) z.y[i] += 1e-8*range[i];
  epi_flow *f = epi_case_flow(c, NULL), *g = epi_case_flow(c, NULL);
  epi_settle(g, &z);
  for (int k = 1; k <= 1000; k++) {
    double t = s.t + (end - s.t)*k/1000;
    if (epi_run(f, &x, t, c->step) || epi_run(g, &z, t, c->step)) break;
    double d = 0;
    for (int i = nq; i < n; i++) d = fmax(d, range[i] > 0 ? fabs(x.y[i] - z.y[i])/range[i] : 0);
    if (d <= 1e-7) at = t;
  }
  epi_free(f);
  epi_free(g);
  free(low);
  return at;
}

/* ---- every method ---- */
static void trace(const epi_result *r, const char *model, double step, const outcome *o) {
  const epi_inspection *n = &r->inspection;
  fprintf(stderr, "TRACE %s | %s | %g | error %.3g of %s off %.3g rise %.3g kinetic %.3g looks %ld %s | %d %s\n", model, r->flow, step,
          o->error, o->error > 0 ? r->column[1 + o->worst].name : "-", n->off, n->rise, n->kinetic, n->looks, r->status,
          r->ncounters ? (int)r->counters[0].claims : 0, o->words);
  if (r->ninvariant)
    fprintf(stderr, "ENERGY usual %.3g most %.3g T %.3g turned %.3g\n", n->usual_error, r->invariant[0].ledger.most, n->mean_kinetic,
            n->turned);
}

static outcome try(epi_case *c, const char *flow, double step, const truth *a) {
  outcome o = {.how = REFUSED, .error = NAN};
  watcher w = {.c = c, .until = seconds() + SECONDS, .n = a->state, .m = a->n, .y = calloc((size_t)(TIMES*a->n), sizeof(double))};
  for (int i = 0; i < TIMES*a->n; i++) w.y[i] = NAN;
  epi_result *r = run(c, flow, step, a->end, &w);
  snprintf(o.words, sizeof o.words, "%.190s", r->warnings ? r->warning[0] : r->error);
  if (!strcmp(r->status, "failed")) o.how = FAILED;
  if (!strcmp(r->status, "stopped")) o.how = LONG;
  if (!strcmp(r->status, "done")) {
    o.how = r->warnings > r->of_cost ? WARNED : DONE;
    /* the velocity of a slow solution is another one */
    o.error = apart(c, w.y, a, is_average(r->flow), &o.worst);
  }
  if (getenv("TRACE") && r->ncol) trace(r, c->model->name, step, &o);
  epi_result_free(r);
  free(w.y);
  return o;
}

typedef struct { long runs, refused, failed, cut, small, alarms, silent, own; } count;

static void judge(count *n, const char *model, const char *flow, int own, double factor, const outcome *o, double unsure) {
  n->runs++;
  n->refused += o->how == REFUSED;
  n->failed += o->how == FAILED;
  n->cut += o->how == LONG;
  if (o->how != DONE && o->how != WARNED) return;
  n->small += o->error < 0.01;
  n->alarms += o->error < 0.01 && o->how == WARNED;
  if (own && factor == 1 && o->how == WARNED && ++n->own) printf("own step, warned: %s by %s: %s\n", model, flow, o->words);
  if (o->how == WARNED && o->error < 0.01 && getenv("ALARMS"))
    printf("alarm: %s by %s, %g times its step: off by %.2g: %s\n", model, flow, factor, o->error, o->words);
  if (o->how == WARNED || o->error <= 0.1 + unsure) return;
  n->silent++;
  printf("silent: %s by %s, %g times its step: column %d is off by %.3g of its motion\n", model, flow, factor, 2 + o->worst, o->error);
}

/* in a process of its own: what hangs or crashes is one line */
static void try_flow(count *n, epi_case *c, const char *flow, const truth *a) {
  int ends[2], own = !flow, status;
  if (pipe(ends)) return;
  fflush(stdout);
  pid_t child = fork();
  if (!child) {
    /* of its own time: others may have the machine */
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value = {.tv_sec = 6*SECONDS}}, NULL);
    for (int k = 0; k < FACTORS; k++) {
      outcome o = try(c, flow, factors[k]*c->step, a);
      if (write(ends[1], &o, sizeof o) != (ssize_t)sizeof o) _exit(1);
      /* with another step it would be refused for the same reason; what chooses its steps is run once */
      if (o.how == REFUSED && k == 0 && !strstr(o.words, "step")) break;
    }
    _exit(0);
  }
  close(ends[1]);
  outcome o;
  const char *name = flow ? flow : c->model->flow;
  for (int k = 0; read(ends[0], &o, sizeof o) == (ssize_t)sizeof o; k++) judge(n, c->model->name, name, own, factors[k], &o, a->unsure);
  close(ends[0]);
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status) && WTERMSIG(status) != SIGPROF) {
    check(!"a run crashed");
    printf("crashed: %s by %s\n", c->model->name, name);
  } else if (WIFSIGNALED(status)) n->cut++;
}

static count try_model(const epi_model *m, char **flows) {
  count n = {0};
  epi_case *c = epi_case_of(m, NULL);
  truth a;
  double end = listed(m->name, chaotic) ? tenfold(c, c->end) : c->end;
  if (c->error[0] || find_truth(c, &a, end)) {
    printf("no truth: %s %s\n", m->name, c->error);
    epi_case_free(c);
    return n;
  }
  if (!*flows) try_flow(&n, c, NULL, &a);
  for (const epi_record *const *r = epi_records(); *r && !*flows; r++)
    if ((*r)->example && (*r)->arrow != EPI_COMBINE) try_flow(&n, c, (*r)->example, &a);
  for (; *flows; flows++) try_flow(&n, c, *flows, &a);
  printf("%-26s to %-8.3g %5ld runs: %ld refused, %ld failed, %ld stopped or too long; %ld with a small error, of these %ld warned; "
         "%ld silent\n",
         m->name, a.end, n.runs, n.refused, n.failed, n.cut, n.small, n.alarms, n.silent);
  fflush(stdout);
  free(a.low);
  epi_case_free(c);
  return n;
}

int main(int argc, char **argv) {
  count all = {0};
  int models = 0;
  for (int i = 1; i < argc; i++) for (const epi_model *const *m = epi_models(); *m; m++) models += !strcmp(argv[i], (*m)->name);
  char **flows = argv + 1 + models;
  for (const epi_model *const *m = epi_models(); *m; m++) {
    int wanted = !models;
    for (int i = 1; i <= models && i < argc; i++) wanted |= !strcmp(argv[i], (*m)->name);
    if (!wanted) continue;
    count n = try_model(*m, flows);
    all.runs += n.runs, all.small += n.small, all.alarms += n.alarms, all.silent += n.silent, all.own += n.own;
  }
  printf("%ld runs; %ld silent; %ld warnings in %ld runs with a small error\n", all.runs, all.silent, all.alarms, all.small);
  check_count(all.silent, 0);
  check_count(all.own, 0);
  check(all.alarms <= all.small/20);
  return test_done();
}
