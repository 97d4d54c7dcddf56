/* blocks.c - a sweep by an engine: many cases at once, by a program that is emitted from the first of them. Cases that the program cannot
 * run, or does not bring to an end, are run one by one, as in any sweep: they say what is wrong in the same words */
#include "sweeping.h"
#include "epicycle/emit.h"
#include "core.h"
#include <stdio.h>

enum { USUAL = 1 << 17, SAMPLES = 64, SEEN = 32 };       /* seen: cases of all that the library itself runs, with all its checks */

enum { TOGETHER, WATCHED, ALONE };

typedef struct block {
  epi_sweep *s;
  epi_emitted *e;
  long n;                      /* cases of this block */
  long long *number;           /* which they are */
  epi_case **held;             /* theirs, where observables are kept; else NULL */
  char *tree;                  /* TOGETHER, or for the flow itself: WATCHED: the program runs it too */
  double *in, *out;
  char *flow;                  /* of the model, where none is given: a case may take another */
  int bad;
} block;

int epi_engine_possible(epi_sweep *s, const epi_result *r, int chooses)
{
  if (!s->ask.engine) return 0;
  const char *where = "leave the engine out, and cases are run one by one";
  if (s->ask.limit > 0) return epi_say(s->error, -1, "cases that run together have no limit of time of their own: %s", where);
  for (int i = 0; i < s->axes; i++)
    if (s->target[i].kind == OF_FLOW || s->target[i].kind == OF_TOL)
      return epi_say(s->error, -1, "%s changes the flow from case to case, and one program cannot: %s", s->axis[i].name, where);
  if (chooses)
    return epi_say(s->error, -1, "a flow that is chosen in each case is not one program: give the flow, or %s", where);
  for (int i = 0; i < s->keeps; i++)
    if (s->keep[i].kind != KEEP_LAST || s->keep[i].column >= r->nout)
      return epi_say(s->error, -1, "%s needs more of a run than its end, which is all a program gives: keep a column by its name, or %s",
                     s->keep[i].name, where);
  return 0;
}

/* ---- in ---- */
static int observes(const epi_sweep *s, int dim)
{
  for (int i = 0; i < s->keeps; i++) if (s->keep[i].column > dim) return 1;
  return 0;
}

/* some of all cases, whatever the blocks are */
static int is_seen(const epi_sweep *s, long long number)
{
  long long apart = s->cases/SEEN;
  return apart < 1 ? number == 0 || number == s->cases - 1 : number % apart == 0;
}

static void fill(block *b, worker *w, long k)
{
  epi_sweep *s = b->s;
  epi_sweep_values(s, b->number[k], w->value);
  epi_case *c = epi_worker_case(s, w);
  b->tree[k] = ALONE;
  if (!c || c->error[0]) { epi_case_free(c); return; }
  double step = epi_worker_number(s, w, OF_STEP, s->ask.step), end = epi_worker_number(s, w, OF_END, s->ask.end);
  if (!(step > 0)) step = c->step;
  if (!(end > 0)) end = c->end;
  if (b->e->adaptive) step = fmax(end - c->t, step);
  /* what a run refuses at its start, such as a step beyond the stability limit there, is refused here too */
  epi_result *r = epi_worker_result(s, w, c, NULL);
  int refused = epi_worker_chooses(s, c) || !r || !strcmp(r->status, "refused");
  epi_result_free(r);
  int alone = refused || (b->flow && (!c->flow || strcmp(c->flow, b->flow))) || epi_emit_lane(b->e, c, step, end, b->in + k*b->e->in);
  b->tree[k] = alone ? ALONE : is_seen(s, b->number[k]) ? WATCHED : TOGETHER;
  if (b->held) b->held[k] = c;
  else epi_case_free(c);
}

/* ---- out ---- */
static int tell(block *b, worker *w, long k)
{
  epi_sweep *s = b->s;
  const double *out = b->out + k*b->e->out;
  const double *at = !b->tree[k] && out[0] == EPI_LANE_EVENT ? out + 1 : NULL;
  if (b->tree[k] || out[0] != 0) return epi_worker_take_from(s, w, b->number[k], at);
  epi_state x = {.t = out[1], .theta = out[3], .y = (double *)out + EPI_LANE_STATE};
  w->why[0] = 0;
  epi_sweep_values(s, b->number[k], w->value);
  for (int i = 0; i < s->keeps; i++) {
    int c = s->keep[i].column;
    const epi_observable *o = c > b->e->dim ? &b->held[k]->model->observables[c - 1 - b->e->dim] : NULL;
    w->out[i] = c == 0 ? x.t : o ? epi_observe(b->held[k], o, &x) : x.y[c - 1];
  }
  return epi_worker_tell(s, w, b->number[k], EPI_CASE_DONE);
}

/* ---- all workers over all cases of a block ---- */
typedef struct { block *b; worker *w; long from, to; int out; } stretch;

static void *walk(void *data)
{
  stretch *a = data;
  block *b = a->b;
  for (long k = a->from; k < a->to && !b->bad && !__atomic_load_n(&b->s->stop, __ATOMIC_RELAXED); k++) {
    int bad = 0;
    if (a->out) bad = tell(b, a->w, k);
    else fill(b, a->w, k);
    if (bad) __atomic_store_n(&b->bad, bad, __ATOMIC_RELAXED);
  }
  return NULL;
}

static void by_all(block *b, int out)
{
  epi_sweep *s = b->s;
  int n = s->workers, made = 0;
  stretch *all = calloc((size_t)n, sizeof *all);
  if (!all) { b->bad = EPI_WRONG; return; }
  for (int i = 0; i < n; i++) all[i] = (stretch){b, &s->worker[i], b->n*i/n, b->n*(i + 1)/n, out};
  while (made < n - 1 && !pthread_create(&s->worker[made].thread, NULL, walk, &all[made])) made++;
  for (int i = made; i < n; i++) walk(&all[i]);
  for (int i = 0; i < made; i++) pthread_join(s->worker[i].thread, NULL);
  free(all);
}

/* ---- is the program that of the model? ---- */
static double largest(int n, const double *a)
{
  double x = 0;
  for (int i = 0; i < n; i++) x = epi_larger(x, fabs(a[i]));
  return x;
}

/* where the state stands in what a program is given */
static int state_at(const epi_emitted *e) { return e->in - (int)((e->data + sizeof(double) - 1)/sizeof(double)) - e->dim; }

/* compiled here, each number; by another machine a sum that cancels is right to the size of what is summed, no more */
static int like(const epi_sweep *s, int n, const double *rate, const double *got, double size)
{
  int all = 1;
  for (int i = 0; i < n; i++)
    all &= fabs(rate[i] - got[i]) <= 1e-9*(s->ask.engine->same ? fmax(fabs(rate[i]), fabs(got[i])) : size);
  return all;
}

/* this case has the program that the first one has: all that a flow takes from a case is among the numbers of the case */
static int same_program(const block *b, const epi_case *c)
{
  epi_sweep *s = b->s;
  epi_flow *f = epi_case_flow((epi_case *)c, s->ask.flow);
  epi_emitted *e = f ? epi_emit(c, f, s->ask.source ? s->ask.source : "") : NULL;
  int same = e && e->text && !strcmp(e->text, b->e->text);
  epi_emit_free(e);
  epi_free(f);
  return same;
}

/* case k at `at`, as a program takes it, where that has the rate got; rate: room for two */
static int compare_case(block *b, long k, const double *at, const double *got, double *rate, int ended)
{
  epi_sweep *s = b->s;
  int n = b->e->dim, bad = 0;
  epi_sweep_values(s, b->number[k], s->worker[0].value);
  epi_case *c = epi_worker_case(s, &s->worker[0]);
  epi_space *p = c ? epi_space_make(&c->system) : NULL;
  int code = p ? epi_space_rate(p, at[0], at[1], at + state_at(b->e), rate) : 0;
  double size = p && !code ? largest(n, rate) : 0;
  if (p && ended && !epi_space_rate(p, c->t, c->theta, c->y, rate + n)) size = epi_larger(size, largest(n, rate + n));
  if (!p || code != got[0] || (!code && !like(s, n, rate, got + EPI_LANE_STATE, size))) bad = EPI_WRONG;
  if (p) epi_space_release(p);
  if (!bad && !ended && !same_program(b, c)) {
    epi_say(s->error, 0, "case %lld has another program than the first, and one is for all: leave the engine out", b->number[k] + 1);
    bad = EPI_WRONG;
  }
  epi_case_free(c);
  return bad;
}

/* the rates of some cases, spread over the block, by both: at their start, or where the program brought them */
static int compare(block *b, int ended)
{
  epi_sweep *s = b->s;
  const epi_emitted *e = b->e;
  int bad = 0;
  long some = b->n < SAMPLES ? b->n : SAMPLES, m = 0, which[SAMPLES];
  double *all = calloc((size_t)some*(size_t)(e->in + e->out) + 2*(size_t)e->dim, sizeof *all);
  if (!all) return EPI_WRONG;
  double *out = all + some*e->in, *rate = out + some*e->out;
  for (long i = 0; i < some; i++) {
    long k = b->n*i/some;
    const double *end = b->out + k*e->out;
    double *in = all + m*e->in;
    if (b->tree[k] == ALONE || (ended && end[0] != 0)) continue;
    memcpy(in, b->in + k*e->in, (size_t)e->in*sizeof *in);
    if (ended) {
      in[0] = end[1];
      in[1] = end[3];
      memcpy(in + state_at(e), end + EPI_LANE_STATE, (size_t)e->dim*sizeof *in);
    }
    which[m++] = k;
  }
  if (m && s->ask.engine->run(s->ask.engine->data, m, 1, all, out, s->error, sizeof s->error)) bad = EPI_WRONG;
  for (long i = 0; i < m && !bad; i++) bad = compare_case(b, which[i], all + i*e->in, out + i*e->out, rate, ended);
  free(all);
  if (bad && !s->error[0]) epi_say(s->error, 0, "the program does not have the forces of the model: does its source stand for what runs? "
                                   "Leave the engine out");
  return bad;
}

/* ---- all of it ---- */
/* the cases of the next block that are not there yet */
static void gather(block *b, long most)
{
  epi_sweep *s = b->s;
  for (b->n = 0; b->n < most && s->next < s->cases; s->next++)
    if (!s->ask.skip || !s->ask.skip(s->ask.data, s->next)) b->number[b->n++] = s->next;
}

static int run_block(block *b)
{
  epi_sweep *s = b->s;
  const epi_engine *g = s->ask.engine;
  memset(b->in, 0, (size_t)b->n*(size_t)b->e->in*sizeof *b->in);
  by_all(b, 0);
  if (!b->bad && __atomic_load_n(&s->stop, __ATOMIC_RELAXED)) b->bad = EPI_STOPPED;
  if (!b->bad && !s->bad) b->bad = compare(b, 0);
  if (!b->bad && g->run(g->data, b->n, 0, b->in, b->out, s->error, sizeof s->error)) b->bad = EPI_WRONG;
  if (!b->bad && !s->bad) b->bad = compare(b, 1);
  if (!b->bad) by_all(b, 1);
  for (long k = 0; b->held && k < b->n; k++) { epi_case_free(b->held[k]); b->held[k] = NULL; }
  return b->bad;
}

/* the same case made once more has the same data, unless it holds addresses: what lies there is gone with the case, and on no GPU */
static int holds_addresses(epi_sweep *s, worker *w, const epi_case *c, size_t n)
{
  epi_case *again = n ? epi_worker_case(s, w) : NULL;
  int differ = again && !again->error[0] && memcmp(c->system.data, again->system.data, n);
  epi_case_free(again);
  return differ ? epi_say(s->error, 1, "the data of the model holds an address, and what lies there no program has: keep the numbers "
                          "themselves in it, or leave the engine out") : 0;
}

/* the program from the first case that can be made */
static epi_emitted *program_of(epi_sweep *s, char **flow)
{
  worker *w = &s->worker[0];
  epi_sweep_values(s, 0, w->value);
  epi_case *c = epi_worker_case(s, w);
  epi_flow *f = c ? epi_case_flow(c, s->ask.flow) : NULL;
  epi_emitted *e = f ? epi_emit(c, f, s->ask.source ? s->ask.source : "") : NULL;
  if (e && e->error[0]) epi_say(s->error, 0, "%s", e->error);
  else if (e) holds_addresses(s, w, c, e->data);
  epi_free(f);
  if (c && !s->ask.flow && c->flow) {
    if ((*flow = malloc(strlen(c->flow) + 1))) strcpy(*flow, c->flow);
    else epi_say(s->error, 0, "out of memory");
  }
  epi_case_free(c);
  if (e && !s->error[0])
    s->ask.engine->compile(s->ask.engine->data, e->text, e->in, e->out, s->error, sizeof s->error);
  if (!e) epi_say(s->error, 0, "out of memory: there is no room for a program");
  return e;
}

int epi_sweep_blocks(epi_sweep *s)
{
  long most = s->ask.engine->most > 0 ? s->ask.engine->most : USUAL;
  if (most > s->cases) most = (long)s->cases;
  block b = {.s = s};
  b.e = program_of(s, &b.flow);
  if (!s->error[0]) {
    size_t n = (size_t)most;
    b.number = calloc(n, sizeof *b.number);
    b.tree = calloc(n, 1);
    b.in = calloc(n*(size_t)b.e->in, sizeof *b.in);
    b.out = calloc(n*(size_t)b.e->out, sizeof *b.out);
    b.held = observes(s, b.e->dim) ? calloc(n, sizeof *b.held) : NULL;
    if (!b.number || !b.tree || !b.in || !b.out || (observes(s, b.e->dim) && !b.held))
      epi_say(s->error, 0, "out of memory: there is no room for %ld cases at once", most);
  }
  if (s->error[0]) b.bad = EPI_WRONG;
  for (s->next = 0; !b.bad && s->next < s->cases; ) {
    gather(&b, most);
    if (b.n) run_block(&b);
  }
  free(b.flow);
  free(b.number);
  free(b.tree);
  free(b.in);
  free(b.out);
  free(b.held);
  epi_emit_free(b.e);
  return b.bad;
}
