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
  int nq, nv, n, room;                 /* n rows seen, room for more */
  double *t, *y;
  double windows, micro, accepted, refused, evaluations;
  char *failure;
};

/* ---- what is counted ---- */
/* an option of a node: from its text, or its default */
static double option_of(const epi_info *i, const char *name)
{
  size_t n = strlen(name);
  for (const char *at = i->text ? strstr(i->text, name) : NULL; at; at = strstr(at + n, name))
    if ((at == i->text || at[-1] == ' ') && at[n] == '=') return strtod(at + n + 1, NULL);
  for (const epi_param *p = i->record->params; p && p->name; p++)
    if (!strcmp(p->name, name)) return p->value;
  return 0;
}

/* the steps of a window as the papers count them: those with weight zero at the ends too */
static void count_window(run *r, const epi_info *i)
{
  double half = option_of(i, "even") != 0 ? 0.5 : 1;
  r->windows = (double)i->steps;
  r->micro = r->windows*half*option_of(i, "periods")*option_of(i, "steps");
}

/* for epi_walk, which goes from the root down: the first method below tolerance is the one that takes its steps */
static void count(void *to, const epi_info *i)
{
  run *r = to;
  if (!strcmp(i->record->name, "tolerance")) r->refused = (double)i->refused;
  else if (!strcmp(i->record->name, "hmm")) count_window(r, i);
  else if (i->record->arrow == EPI_METHOD && r->accepted < 0) r->accepted = (double)i->steps;
}

/* ---- rows ---- */
static void keep_row(run *r, double t, const double *y)
{
  size_t size = (size_t)(r->nq + r->nv);
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
  r->t[r->n] = t;
  memcpy(r->y + (size_t)r->n++*size, y, size*sizeof *y);
}

static int note(void *to, const epi_system *sys, epi_state *s)
{
  (void)sys;
  keep_row(to, s->t, s->y);
  return 0;
}

static const double *row_at(const run *r, double t)
{
  for (int i = 0; i < r->n; i++)
    if (fabs(r->t[i] - t) <= 1e-9*fmax(1, fabs(t))) return r->y + (size_t)i*(size_t)(r->nq + r->nv);
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
    if (!(bad = epi_advance(f, s, r->step, 1))) keep_row(r, s->t, s->y);
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
  epi_case *c = epi_case_make(r->model);
  if (!c || c->error[0]) {
    r->failure = text("%s", c ? c->error : "out of memory");
    epi_case_free(c);
    return;
  }
  r->nq = c->system.nq;
  r->nv = epi_size(&c->system) - c->system.nq;
  r->accepted = -1;
  epi_flow *f = flow_of(r, c);
  epi_state s = epi_case_state(c);
  shake(s.y, r->nq + r->nv, r->member);
  if (epi_error(f) || drive(r, f, &s)) r->failure = text("%s", epi_error(f) ? epi_error(f) : "the run ended early");
  epi_walk(f, count, r);
  r->accepted -= r->refused;
  r->evaluations = (double)epi_calls(f);
  epi_free(f);
  epi_case_free(c);
}

static const run *run_of(shelf *s, const char *model, const char *flow, double step, double end, int member)
{
  for (run *r = s->first; r; r = r->next)
    if (!strcmp(r->model, model) && !strcmp(r->flow, flow) && r->step == step && r->end == end && r->member == member) return r;
  run *r = need(sizeof *r);
  *r = (run){.next = s->first, .model = model, .flow = flow, .step = step, .end = end, .member = member};
  s->first = r;
  make_run(r);
  return r;
}

void shelf_free(shelf *s)
{
  for (run *r = s->first, *next; r; r = next) {
    next = r->next;
    free(r->t);
    free(r->y);
    free(r->failure);
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

/* largest difference of y[from .. to) at the rows of r; NaN where the truth has no row or the run none at all */
static double worst(const run *r, const run *truth, int from, int to)
{
  double e = r->n ? 0 : NAN;
  for (int k = 0; k < r->n; k++) {
    const double *y = r->y + (size_t)k*(size_t)(r->nq + r->nv), *z = row_at(truth, r->t[k]);
    for (int i = from; i < to; i++) {
      double d = z ? fabs(y[i] - z[i]) : NAN;
      if (!(d <= e)) e = d;
    }
  }
  return e;
}
static double error_q(const run *r, const run *truth) { return worst(r, truth, 0, r->nq); }
static double error_v(const run *r, const run *truth) { return worst(r, truth, r->nq, r->nq + r->nv); }
static double micro_steps(const run *r, const run *truth) { (void)truth; return r->micro; }
static double accepted(const run *r, const run *truth) { (void)truth; return r->accepted; }
static double refused(const run *r, const run *truth) { (void)truth; return r->refused; }
static double evaluations(const run *r, const run *truth) { (void)truth; return r->evaluations; }

static const measure MEASURES[] = {
  {.name = "error-q", .value = error_q, .truth = 1},
  {.name = "error-v", .value = error_v, .truth = 1},
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

void entry_compute(entry *e, shelf *s)
{
  const run *truth = e->what->truth ? run_of(s, e->against, e->by, e->tick, e->end, 0) : NULL;
  double mean = 0, squares = 0;
  for (int k = 0; k < e->members; k++) {
    const run *r = run_of(s, e->model, e->flow, e->step, e->end, k);
    const char *why = r->failure ? r->failure : truth ? truth->failure : NULL;
    if (why) { e->failure = text("%s", why); return; }
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
