/* reproduce_run.c - the runs behind the entries: every one made from the flow text of its row, kept where several rows share it */
#include "papers.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct run {
  run *next;
  const char *model, *flow;
  double step, end;
  int member;
  epi_case *c;
  int nq, nv, nobs, n, room;           /* n rows seen, room for more */
  double *t, *y;                       /* a row: positions, velocities, observables */
  double windows, micro, taken, accepted, refused, evaluations;  /* micro: as the papers count them; taken: by the library */
  int strobed, averaged;               /* a strobe or an hmm above, while its micro-steps are looked for */
  char *failure, *flagged;
};

/* ---- what is counted ---- */
/* an option of a node: from its text, or its default */
static double option_of(const epi_info *i, const char *name)
{
  double x = 0;
  for (const epi_param *p = i->record->params; p && p->name; p++)
    if (!strcmp(p->name, name)) x = p->value;
  epi_info_option(i, name, &x);
  return x;
}

/* the steps of a window as the papers count them: those with weight zero at the ends too */
static void count_window(run *r, const epi_info *i)
{
  double half = option_of(i, "even") != 0 ? 0.5 : 1;
  r->windows = (double)i->steps;
  r->micro = r->windows*half*option_of(i, "periods")*option_of(i, "steps");
  r->averaged = 1;
}

/* for epi_walk, which goes from the root down: the first method below tolerance is the one that takes its steps */
static void count(void *to, const epi_info *i)
{
  run *r = to;
  if (i->record == epi_record_of("tolerance")) r->refused = (double)i->refused;
  else if (i->record == epi_record_of("hmm")) count_window(r, i);
  else if (i->record == epi_record_of("strobe")) r->strobed = 1;
  else if (i->record->arrow == EPI_METHOD && r->strobed) r->micro = (double)i->steps, r->strobed = 0;
  else if (i->record->arrow == EPI_METHOD && r->averaged) r->taken = (double)i->steps, r->averaged = 0;
  else if (i->record->arrow == EPI_METHOD && r->accepted < 0) r->accepted = (double)i->steps;
}

/* ---- rows ---- */
static size_t width(const run *r) { return (size_t)(r->nq + r->nv + r->nobs); }

static void keep_row(run *r, const epi_state *s)
{
  size_t size = width(r);
  if (r->n == r->room) {
    int room = 2*r->room + 64;
    double *times = need((size_t)room*sizeof *times), *rows = need((size_t)room*size*sizeof *rows);
    if (r->n) memcpy(times, r->t, (size_t)r->n*sizeof *times), memcpy(rows, r->y, (size_t)r->n*size*sizeof *rows);
    free(r->t);
    free(r->y);
    r->t = times;
    r->y = rows;
    r->room = room;
  }
  double *row = r->y + (size_t)r->n*size;
  r->t[r->n++] = s->t;
  memcpy(row, s->y, (size_t)(r->nq + r->nv)*sizeof *row);
  for (int i = 0; i < r->nobs; i++) row[r->nq + r->nv + i] = r->c->model->observables[i].value(r->c, s);
}

static int note(void *to, const epi_system *sys, epi_state *s)
{
  (void)sys;
  keep_row(to, s);
  return 0;
}

static const double *row_at(const run *r, double t)
{
  for (int i = 0; i < r->n; i++)
    if (fabs(r->t[i] - t) <= 1e-9*fmax(1, fabs(t))) return r->y + (size_t)i*width(r);
  return NULL;
}

/* ---- running ---- */
/* the k-th start: each number moved by -1, 0 or 1 in its last bit; the first one is not */
static void shake(double *y, int n, int member)
{
  uint64_t x = (uint64_t)member;
  for (int i = 0; i < n && member; i++) {
    x = x*6364136223846793005u + 1442695040888963407u;
    int d = (int)((x >> 33) % 3) - 1;
    if (d && y[i] != 0) y[i] = nextafter(y[i], d*HUGE_VAL);
  }
}

/* a text that shows its rows to `note` runs to the end in one go; else the rows are its steps */
static int drive(run *r, epi_flow *f, epi_state *s)
{
  if (strstr(r->flow, "see=note")) return epi_run(f, s, r->end, r->step);
  int bad = 0;
  for (long k = 0, n = lround((r->end - s->t)/r->step); k < n && !bad; k++)
    if (!(bad = epi_advance(f, s, r->step, 1))) keep_row(r, s);
  return bad;
}

static epi_flow *flow_of(run *r, epi_case *c)
{
  epi_name names[16] = {0};
  int n = 0;
  for (; n < 14 && c->parts[n].name; n++) names[n] = c->parts[n];
  names[n] = (epi_name){.name = "note", .see = note, .data = r};
  return epi_make_named(r->flow, names);
}

static void make_run(run *r)
{
  epi_case *c = r->c = epi_case_make(r->model);
  if (!c || c->error[0]) {
    r->failure = text("%s", c ? c->error : "out of memory");
    return;
  }
  r->nq = c->system.nq;
  r->nv = epi_size(&c->system) - c->system.nq;
  while (c->model->observables[r->nobs].name) r->nobs++;
  r->accepted = -1;
  epi_flow *f = flow_of(r, c);
  epi_state s = epi_case_state(c);
  shake(s.y, r->nq + r->nv, r->member);
  if (epi_error(f) || drive(r, f, &s)) r->failure = text("%s", epi_error(f) ? epi_error(f) : "the run ended early");
  epi_walk(f, count, r);
  r->accepted -= r->refused;
  r->evaluations = (double)epi_calls(f);
  r->flagged = flag_of(c, f, r->flow, r->step);
  epi_free(f);
}

static const run *run_of(run_store *s, const char *model, const char *flow, double step, double end, int member)
{
  for (run *r = s->first; r; r = r->next)
    if (!strcmp(r->model, model) && !strcmp(r->flow, flow) && r->step == step && r->end == end && r->member == member) return r;
  run *r = need(sizeof *r);
  *r = (run){.next = s->first, .model = model, .flow = flow, .step = step, .end = end, .member = member};
  s->first = r;
  make_run(r);
  return r;
}

void run_store_free(run_store *s)
{
  for (run *r = s->first, *next; r; r = next) {
    next = r->next;
    free(r->t);
    free(r->y);
    free(r->failure);
    free(r->flagged);
    epi_case_free(r->c);
    free(r);
  }
  s->first = NULL;
}

/* ---- measures ---- */
struct measure {
  const char *name;
  double (*value)(const run *, const run *truth);
  int truth;                           /* it is an error */
};

/* largest difference of entries [from, to) of the rows of r and those from `there` on of the truth, angles up to whole turns; NaN where
   the truth has no row or the run none at all */
typedef struct { int from, to, there; double turn; } span;
static double worst(const run *r, const run *truth, span a)
{
  double e = r->n ? 0 : NAN;
  for (int k = 0; k < r->n; k++) {
    const double *y = r->y + (size_t)k*width(r), *z = row_at(truth, r->t[k]);
    for (int i = a.from; i < a.to; i++) {
      double d = z ? y[i] - z[a.there + i - a.from] : NAN;
      d = fabs(a.turn > 0 ? remainder(d, a.turn) : d);
      if (!(d <= e)) e = d;
    }
  }
  return e;
}

/* where an observable stands in a row, or -1 */
static int place_of(const run *r, const char *name)
{
  for (int i = 0; i < r->nobs; i++)
    if (!strcmp(r->c->model->observables[i].name, name)) return r->nq + r->nv + i;
  return -1;
}

static double worst_angle(const run *r, const run *truth, const char *name)
{
  int here = place_of(r, name), there = place_of(truth, name);
  return here < 0 || there < 0 ? NAN : worst(r, truth, (span){here, here + 1, there, 2*3.14159265358979323846});
}
static double error_q(const run *r, const run *truth) { return worst(r, truth, (span){0, r->nq, 0, 0}); }
static double error_v(const run *r, const run *truth) { return worst(r, truth, (span){r->nq, r->nq + r->nv, truth->nq, 0}); }
static double error_q1(const run *r, const run *truth) { return worst_angle(r, truth, "q1"); }
static double error_q2(const run *r, const run *truth) { return worst_angle(r, truth, "q2"); }
static double micro_steps(const run *r, const run *truth) { (void)truth; return r->micro; }
static double accepted(const run *r, const run *truth) { (void)truth; return r->accepted; }
static double refused(const run *r, const run *truth) { (void)truth; return r->refused; }
static double evaluations(const run *r, const run *truth) { (void)truth; return r->evaluations; }

static const measure MEASURES[] = {
  {.name = "error-q", .value = error_q, .truth = 1},
  {.name = "error-v", .value = error_v, .truth = 1},
  {.name = "error-q1", .value = error_q1, .truth = 1},
  {.name = "error-q2", .value = error_q2, .truth = 1},
  {.name = "micro-steps", .value = micro_steps},
  {.name = "accepted", .value = accepted},
  {.name = "refused", .value = refused},
  {.name = "evaluations", .value = evaluations},
  {0}
};

const measure *measure_of(const char *word, size_t length)
{
  const measure *m = MEASURES;
  while (m->name && (strlen(m->name) != length || strncmp(m->name, word, length))) m++;
  return m->name ? m : NULL;
}

int measure_needs_truth(const measure *m) { return m->truth; }
int measure_by_formula(const measure *m, const char *flow) { return m->value == micro_steps && strstr(flow, "hmm(") != NULL; }

void entry_compute(entry *e, run_store *s)
{
  const run *truth = e->what->truth ? run_of(s, e->against, e->by, e->tick, e->end, 0) : NULL;
  double mean = 0, squares = 0;
  e->taken = NAN;
  for (int k = 0; k < e->members; k++) {
    const run *r = run_of(s, e->model, e->flow, e->step, e->end, k);
    const char *why = r->failure ? r->failure : truth ? truth->failure : NULL;
    if (why) { e->failure = text("%s", why); return; }
    if (r->flagged && !e->flagged) e->flagged = text("%s", r->flagged);
    if (measure_by_formula(e->what, e->flow)) e->taken = r->taken;
    /* Welford's running mean */
    double x = e->factor*e->what->value(r, truth), d = x - mean;
    mean += d/(k + 1);
    squares += d*(x - mean);
  }
  e->computed = mean;
  e->spread = e->members > 1 ? sqrt(squares/(e->members - 1)) : 0;
  if (isnan(mean))
    e->failure = text("the error is not a number: the run and the one it is held against need rows at the same times, and finite ones");
}
