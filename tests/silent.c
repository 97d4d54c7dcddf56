/* silent.c - every model by every method, with steps from a tenth of its own to a thousand times that: a run that ends with "done", is off
   by more than a tenth of the motion and has no warning is listed, and the list must be empty. Warnings are counted too: none with a
   model's own flow and step, and few where the error is small. Those of cost alone do not count, neither way.
   Words after the name: models, or flows (with a bracket or a name of a method), to try these alone.
   label: soak
   timeout: 14400 */
#define _XOPEN_SOURCE 700
#include "test.h"
#include "epicycle.h"
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FACTORS = 5, SECONDS = 8 };
static const double factors[FACTORS] = {1, 0.1, 10, 100, 1000};

/* errors of these grow: they are compared before they have grown tenfold */
static const char *const chaotic[] = {"billiard", "magnetic-pendulum", "stack", "bounce", "rod-chain", "rod-pendulum", "spring-pendulum",
                                      "drop", "spring-chain", NULL};

enum { TIMES = 8 };
typedef struct { int n; double end, *y, *range; } truth;               /* states at TIMES times; how far each coordinate goes */
typedef struct { int how; double error, most; char words[200]; } outcome;    /* of one run: errors of positions, and of all that moves */
enum { REFUSED, FAILED, LONG, DONE, WARNED };

static int listed(const char *word, const char *const *list)
{
  while (*list && strcmp(*list, word)) list++;
  return *list != NULL;
}

/* ---- one run ---- */
typedef struct { double until, *low, *high, *y; int n; long rows; } watcher;         /* y: room for the states at TIMES times */

static double seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9*(double)t.tv_nsec;
}

static void keep_row(watcher *w, const epi_result *r) {
  if (r->rows == w->rows || !w->y) return;
  w->rows = r->rows;
  if (r->rows >= 2 && r->rows <= TIMES + 1) memcpy(w->y + (r->rows - 2)*w->n, r->row + 1, (size_t)w->n*sizeof *w->y);
}

static int beat(void *data, epi_result *r, const epi_state *s) {
  watcher *w = data;
  keep_row(w, r);
  for (int i = 0; w->low && i < w->n; i++) {
    w->low[i] = fmin(w->low[i], s->y[i]);
    w->high[i] = fmax(w->high[i], s->y[i]);
  }
  return seconds() > w->until;
}

static epi_result *run(epi_case *c, const char *flow, double step, double end, watcher *w) {
  epi_result *r = epi_result_make(c, flow, &(epi_run_options){.step = step, .end = end, .every = end/TIMES, .beat = beat, .data = w});
  if (strcmp(r->status, "refused")) epi_result_run(r);
  if (!strcmp(r->status, "done")) keep_row(w, r);
  return r;
}

/* ---- the truth ---- */
/* coordinates of one kind and unit are compared with each other: all of them, or positions alone where there are any */
static int kind_of(const epi_system *m, int i) { return (i >= m->nq) + (i >= m->nq + (m->nv ? m->nv : m->nq)); }

/* rows that fell into one long step are not seen: they are left out; and so is what moves by rounding alone */
static double apart(const epi_case *c, const double *x, const double *y, const double *range, int positions) {
  const epi_system *m = &c->system;
  int n = epi_size(m);
  double most = 0, largest = 0;
  for (int i = 0; i < TIMES*n; i++) largest = fmax(largest, fabs(y[i]));
  for (int i = 0; i < (positions && m->nq ? m->nq : n); i++) {
    double size = 0;
    for (int k = 0; k < n; k++)
      if (kind_of(m, i) == kind_of(m, k) && (!m->units || !strcmp(m->units[i], m->units[k]))) size = fmax(size, range[k]);
    for (int k = 0; k < TIMES && size > 1e-12*largest; k++) {
      if (isnan(x[k*n])) continue;
      double d = fabs(x[k*n + i] - y[k*n + i])/size;
      if (!(d <= most)) most = d;
    }
  }
  return most;
}

/* "": the model's own */
static const char *const exact_flows[] = {"tolerance(dop853, rtol=1e-11, atol=1e-13)", "symmetric(verlet, order=8)", "",
                                          "symmetric(verlet, order=4)", "gauss(stages=3)", NULL};

static int is_average(const char *flow) { return strstr(flow, "hmm") || strstr(flow, "strobe"); }

/* a flow with steps of a sixteenth and a thirty-second of the model's own, where both agree; those of an average do not resolve what is
   fast, and it is two fast periods that are cut */
static int find_truth(epi_case *c, truth *a, double end) {
  int n = epi_size(&c->system);
  double *room = calloc((size_t)((3 + 2*TIMES)*n + 1), sizeof *room), *other = room + (3 + TIMES)*n;
  double step = is_average(c->model->flow) ? 2*c->system.period : c->step;
  a->n = n;
  a->y = room + 3*n, a->range = room + 2*n;
  a->end = end;
  for (int k = 0; exact_flows[k]; k++) {
    const char *flow = *exact_flows[k] ? exact_flows[k] : c->model->flow;
    if (is_average(flow)) continue;
    watcher w = {.until = seconds() + 60, .low = room, .high = room + n, .n = n, .y = a->y};
    for (int i = 0; i < n; i++) w.low[i] = 1e300, w.high[i] = -1e300;
    epi_result *one = run(c, flow, step/32, end, &w);
    w.y = other, w.rows = 0;
    epi_result *two = run(c, strstr(flow, "rtol") ? "tolerance(dop853, rtol=1e-9, atol=1e-12)" : flow, step/16, end, &w);
    int good = !strcmp(one->status, "done") && !strcmp(two->status, "done");
    for (int i = 0; i < n; i++) a->range[i] = w.high[i] - w.low[i];
    good = good && apart(c, a->y, other, a->range, 0) < 1e-3;
    epi_result_free(one);
    epi_result_free(two);
    if (good) return 0;
  }
  return -1;
}

/* how long it takes until a small displacement of the start has grown tenfold */
static double tenfold(epi_case *c, double end) {
  int n = epi_size(&c->system), nq = c->system.nq;
  double *low = calloc((size_t)(6*n + 1), sizeof *low), *range = low + 4*n;
  watcher w = {.until = seconds() + 60, .low = low, .high = low + n, .n = n};
  epi_result *r = run(c, NULL, c->step, end, &w);
  double largest = 0;
  for (int i = 0; i < n; i++) largest = fmax(largest, fmax(fabs(w.low[i]), fabs(w.high[i])));
  for (int i = 0; i < n; i++) range[i] = w.high[i] - w.low[i] > 1e-12*largest ? w.high[i] - w.low[i] : 0;
  epi_result_free(r);
  double at = end;
  epi_state s = epi_case_state(c), x = {.t = s.t, .theta = s.theta, .y = low + 2*n}, z = x;
  z.y = low + 3*n;
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
    if (d > 1e-7) { at = t; break; }
  }
  epi_free(f);
  epi_free(g);
  free(low);
  return at;
}

/* ---- every method ---- */
static void trace(const epi_result *r, const char *model, double step, const outcome *o) {
  const epi_inspection *n = &r->inspection;
  fprintf(stderr, "TRACE %s | %s | %g | error %.3g most %.3g off %.3g rise %.3g kinetic %.3g looks %ld %s | %d %s\n", model, r->flow, step,
          o->error, o->most, n->off, n->rise, n->kinetic, n->looks, r->status, r->ncounters ? (int)r->counters[0].claims : 0, o->words);
  if (r->ninvariant)
    fprintf(stderr, "ENERGY usual %.3g most %.3g T %.3g turned %.3g\n", n->usual_error, r->invariant[0].ledger.most, n->mean_kinetic,
            n->turned);
}

static outcome try(epi_case *c, const char *flow, double step, const truth *a) {
  outcome o = {.how = REFUSED, .error = NAN};
  watcher w = {.until = seconds() + SECONDS, .n = a->n, .y = calloc((size_t)(TIMES*a->n), sizeof(double))};
  for (int i = 0; i < TIMES*a->n; i++) w.y[i] = NAN;
  epi_result *r = run(c, flow, step, a->end, &w);
  snprintf(o.words, sizeof o.words, "%.190s", r->warnings ? r->warning[0] : r->error);
  if (!strcmp(r->status, "failed")) o.how = FAILED;
  if (!strcmp(r->status, "stopped")) o.how = LONG;
  if (!strcmp(r->status, "done")) {
    o.how = r->warnings > r->of_cost ? WARNED : DONE;
    o.error = apart(c, w.y, a->y, a->range, 1);
    /* the velocity of a slow solution is another one */
    o.most = is_average(r->flow) ? o.error : apart(c, w.y, a->y, a->range, 0);
  }
  if (getenv("TRACE") && r->ncol) trace(r, c->model->name, step, &o);
  epi_result_free(r);
  free(w.y);
  return o;
}

typedef struct { long runs, refused, failed, cut, small, alarms, silent, own; } count;

static void judge(count *n, const char *model, const char *flow, int own, double factor, const outcome *o) {
  n->runs++;
  n->refused += o->how == REFUSED;
  n->failed += o->how == FAILED;
  n->cut += o->how == LONG;
  if (o->how != DONE && o->how != WARNED) return;
  n->small += o->most < 0.01;
  n->alarms += o->most < 0.01 && o->how == WARNED;
  if (own && factor == 1 && o->how == WARNED && ++n->own) printf("own step, warned: %s by %s: %s\n", model, flow, o->words);
  if (o->how == WARNED && o->most < 0.01 && getenv("ALARMS"))
    printf("alarm: %s by %s, %g times its step: off by %.2g: %s\n", model, flow, factor, o->error, o->words);
  if (o->how == WARNED || o->error <= 0.1) return;
  n->silent++;
  printf("silent: %s by %s, %g times its step: off by %.3g of the motion\n", model, flow, factor, o->error);
}

/* in a process of its own: what hangs or crashes is one line */
static void try_flow(count *n, epi_case *c, const char *flow, const truth *a) {
  int ends[2], own = !flow, status;
  if (pipe(ends)) return;
  fflush(stdout);
  pid_t child = fork();
  if (!child) {
    alarm(6*SECONDS);
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
  for (int k = 0; read(ends[0], &o, sizeof o) == (ssize_t)sizeof o; k++) judge(n, c->model->name, name, own, factors[k], &o);
  close(ends[0]);
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status) && WTERMSIG(status) != SIGALRM) {
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
  printf("%-26s to %-8.3g %5ld runs: %ld refused, %ld failed, %ld too long; %ld with a small error, of these %ld warned; %ld silent\n",
         m->name, a.end, n.runs, n.refused, n.failed, n.cut, n.small, n.alarms, n.silent);
  fflush(stdout);
  free(a.range - 2*a.n);
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
