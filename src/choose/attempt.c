/* attempt.c - one run of one flow, whole or in parts: its start, observers, budget, evaluations, failure */
#define _XOPEN_SOURCE 700
#include "search.h"
#include <time.h>


double epi_clock(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9*(double)t.tv_nsec;
}

int epi_too_dear(epi_search *a, double more)
{
  epi_chosen *to = a->to;
  if (!(to->most > 0 && (double)to->spent + a->extra + more > to->most)) return 0;
  epi_choose_fail(to, EPI_DEAR, "to find a flow that is right to %g would take more than %.2g evaluations", to->tol, to->most);
  return to->dear = 1;
}

/* options of a flow are nothing to who asks for a tolerance: the remedy is behind the last semicolon */
static void say_the_remedy(epi_fault *why)
{
  char *at = why->cause == EPI_SHRUNK || why->cause == EPI_MOST_STEPS ? strrchr(why->words, ';') : NULL;
  if (at) snprintf(at, sizeof why->words - (size_t)(at - why->words),
                   "; take a larger tolerance, or look for a singularity or a jump in the force there");
}

/* what its text cannot be is not what it did: EPI_COMPOSITION stands for all that was refused where it was made */
static epi_cause cause_of(const epi_flow *f)
{
  const epi_cause cause = epi_cause_of(f);
  if (cause == EPI_MEMORY) return cause;
  return f->broken && f->fault.column ? EPI_COMPOSITION : cause == EPI_COMPOSITION ? EPI_OTHER_CAUSE : cause;
}

void epi_try_why(const epi_flow *f, int bad, epi_fault *why)
{
  if (bad == EPI_STOPPED) epi_fault_write(why, EPI_HALTED, "stopped");
  else if (epi_error(f)) epi_fault_write(why, cause_of(f), "%s", epi_error(f));
  else epi_fault_write(why, EPI_NOT_FINITE, "its solution is not finite");
}

/* the same in the terms of who asks for a tolerance; what ends the search too is its error */
void epi_try_failed(epi_chosen *to, const epi_flow *f, int bad, epi_fault *why)
{
  epi_try_why(f, bad, why);
  say_the_remedy(why);
  /* another way would be taken for want of memory, and the answer depend on that */
  if (bad == EPI_STOPPED || why->cause == EPI_MEMORY) epi_choose_fault(to, why);
}

/* ---- one attempt ---- */
void epi_attempt_begin(epi_attempt *x, epi_search *a, epi_flow *f, const char *text)
{
  *x = (epi_attempt){.a = a, .f = f, .text = text, .s = epi_case_state(a->c), .price = 1, .bad = epi_error(f) ? EPI_WRONG : 0};
  x->before = x->bad ? 0 : epi_calls(f);
  epi_stop_with(f, &a->to->stop);
}

void epi_attempt_show(const epi_attempt *x, double part, double done)
{
  const epi_chosen *to = x->a->to;
  if (to->tell) to->tell(to, x->text, part, done);
}

/* what a run came to: it may pause where its observer has it pause, and its state is finite */
static int checked(epi_attempt *x, int bad)
{
  x->bad = bad == EPI_STOPPED && x->pauses && x->pauses(x->data) && !__atomic_load_n(&x->a->to->stop, __ATOMIC_RELAXED) ? 0 : bad;
  for (int i = 0; i < x->a->n && !x->bad; i++) if (!isfinite(x->s.y[i])) x->bad = EPI_WRONG;
  return x->bad;
}

int epi_attempt_go(epi_attempt *x, double to, double apart)
{
  const double began = epi_clock();
  if (x->bad) return x->bad;
  checked(x, epi_run(x->f, &x->s, to, apart));
  x->seconds += epi_clock() - began;
  return x->bad;
}

int epi_attempt_step(epi_attempt *x, double h)
{
  return x->bad ? x->bad : checked(x, epi_advance(x->f, &x->s, h, 1));
}

long epi_attempt_calls(const epi_attempt *x) { return epi_calls(x->f) - x->before; }

void epi_attempt_count(epi_attempt *x)
{
  const long calls = epi_attempt_calls(x);
  x->a->to->spent += calls;
  x->a->extra += (x->price - 1)*(double)calls;
  x->before += calls;
}

void epi_attempt_leave(epi_attempt *x)
{
  epi_attempt_count(x);
  epi_free(x->f);
  x->f = NULL;
}

/* ---- a run with rows ---- */
/* the flow of a text with one name more than the case has */
static epi_flow *make_with(const epi_search *a, const char *text, epi_name see)
{
  int n = 0;
  while (a->c->parts[n].name) n++;
  epi_name *names = calloc((size_t)n + 2, sizeof *names);
  if (!names) return epi_no_memory();
  names[0] = see;
  memcpy(names + 1, a->c->parts, (size_t)n*sizeof *names);
  epi_flow *f = epi_make_named(text, names);
  free(names);
  return f;
}

epi_flow *epi_try_variant(const epi_search *a, const epi_variant *s, epi_name see)
{
  char text[sizeof a->to->flow + 160];
  epi_variant_write(a, s, text, sizeof text);
  return s->watch ? make_with(a, text, see) : epi_case_flow(a->c, text);
}

/* what is seen of a run on its way: n states, at equal times; calls: evaluations up to this part of it;
   next: the row where it pauses; cut: it ends a step at each row; defect: what is looked for between rows */
typedef struct {
  const epi_search *a;
  double *y, t0, apart, calls, part;
  int n, seen, next, cut;
  epi_defect defect;
} rows;

static void keep_row(rows *r, const epi_system *m, const epi_state *s, int k)
{
  memcpy(r->y + (k - 1)*r->a->n, s->y, (size_t)r->a->n*sizeof *s->y);
  r->seen = k;
  epi_defect_sample(&r->defect, m, s, k, r->apart);
}

/* a row; the run pauses behind one of CHECKS, and goes on as if it had not */
static int see(void *data, const epi_system *m, epi_state *s)
{
  rows *r = data;
  int k = (int)lround((s->t - r->t0)/r->apart);
  if (k < 1 || k > r->n) return 0;
  keep_row(r, m, s, k);
  return k % (r->n/CHECKS) == 0;
}

/* evaluations of the first way; 0: not known */
static double known_calls(const epi_search *a) { return a->to->ways && a->to->way[0].calls < 1e15 ? a->to->way[0].calls : 0; }

/* evaluations of an explicit flow that the cheapest way takes, of those that have been tried; 0: there is none yet */
static double least_known(const epi_search *a)
{
  double least = HUGE_VAL;
  for (int i = 0; i < a->to->ways; i++) least = fmin(least, a->to->way[i].calls*epi_price(a, a->to->way[i].number));
  return least < 1e15 ? least : 0;
}

/* steps of a trial: a way whose first part takes a good part of all evaluations of another has no chance. Implicit steps begin short, and
   what decays lets them grow */
static double steps_of_trial(const epi_search *a, int way)
{
  const double least = least_known(a)/epi_price(a, way);
  return !(least > 0) ? STEPS_OF_TRIAL : epi_way_is(way, EPI_WAY_SLOW_TO_START | EPI_WAY_SUMS) ? 2000 + 4*least : 500 + 0.1*least;
}

/* before a singularity the steps may grow shorter without an end: one that is tried gives up there, after so many. r: it is seen by it, or
   NULL */
static epi_flow *flow_to_try(const epi_search *a, const epi_variant *s, double steps, rows *r)
{
  char how[60];
  epi_variant tried = *s;
  if (epi_way_is(s->way, EPI_WAY_COUNTED)) tried.most = steps;
  if (r) {
    snprintf(how, sizeof how, ", see=row, every=%s", epi_shortest(r->apart).text);
    tried.watch = how;
  }
  return epi_try_variant(a, &tried, (epi_name){.name = "row", .see = see, .data = r});
}

/* rows up to the k-th part of the run; a flow whose rows are seen on its way stops there */
static int part_of(const rows *r) { return r->cut ? 1 : r->n/CHECKS; }
static int pauses(const void *data)
{
  const rows *r = data;
  return r->seen >= r->next;
}

/* to the next of the rows, or of CHECKS or beyond it: a flow that chooses its steps is on its way to the end, as in the run that is made
   with it. Where these were cut a kink in a force would be met by other steps, and the error be that of another solution */
static void go_on(epi_attempt *x, rows *r)
{
  const double end = r->a->to->end;
  r->next = (r->seen/part_of(r) + 1)*part_of(r);
  const double to = r->cut ? epi_row_time(r->a, r->next) : end;
  if (!epi_attempt_go(x, to, to - x->s.t) && x->s.t == to) keep_row(r, x->f->sys, &x->s, to == end ? r->n : r->next);
}

/* evaluations that a search will have spent on this run at least. After half of it the rest is known to a half by the part before;
   and the first run needs another one, finer and no cheaper, to tell what it is off by */
static double foretold(const epi_flow *f, rows *r, int first)
{
  double now = (double)epi_calls(f), part = (double)r->seen/r->n, whole = now;
  if (part >= 0.5) whole += 0.5*(now - r->calls)/(part - r->part)*(1 - part);
  r->calls = now;
  r->part = part;
  return first ? 2*whole : whole;
}

const char epi_refused_often[] = "many of its steps are refused, as where a force jumps or bends";
/* a smooth motion has hardly any */
int epi_refuses_often(const epi_flow *f) { return (double)f->refused > MANY_REFUSED*(double)f->chosen; }

/* where explicit steps have crept before, others are not given more than these were. Of adams, which takes about one evaluation a step, a
   finer run has more of them */
static double steps_of_run(const epi_search *a, int way)
{
  const int explicit_crept = a->motion & EPI_CREEPS && !epi_way_is(way, EPI_WAY_IMPLICIT);
  return STEPS_OF_TRIAL + (explicit_crept ? 0 : (way == EPI_BY_ADAMS ? 10 : 1)*known_calls(a));
}

/* the rows that are seen of a run; few: where its rows are ends of steps */
static rows rows_of(epi_search *a, int way, double *y, int few)
{
  /* rows of adams cost nothing */
  const int whole = epi_way_is(way, EPI_WAY_WHOLE | EPI_WAY_RESTARTS), costs = !whole && way != EPI_BY_ADAMS;
  const int n = a->rows = costs || (epi_way_is(way, EPI_WAY_BACK) && a->often == OFTEN) ? few : a->often;
  return (rows){.a = a, .y = y, .t0 = a->c->t, .apart = n >= OFTEN ? a->apart : (a->to->end - a->c->t)/n, .n = n, .cut = !whole};
}

/* from the start to the end; evaluations, or NaN with why not. A row of a long composition costs a step of it */
double epi_try_run(epi_search *a, const epi_variant *s, const epi_conditions *with, double *y, epi_fault *why)
{
  const int asks = epi_way_is(s->way, EPI_WAY_COUNTED);
  /* steps of a turn are chosen once for all, and end elsewhere on the way to a row inside of one */
  const int few = s->way == EPI_BY_STEPS && !a->c->system.traits.smooth ? INSIDE : CHECKS;
  char text[sizeof a->to->flow];
  rows r = rows_of(a, s->way, y, few);
  epi_attempt x;
  epi_variant_write(a, s, text, sizeof text);
  epi_attempt_begin(&x, a, flow_to_try(a, s, steps_of_run(a, s->way), r.cut ? NULL : &r), text);
  x.price = epi_price(a, s->way);
  x.pauses = pauses, x.data = &r;
  if (with && with->start) memcpy(x.s.y, with->start, (size_t)a->n*sizeof *x.s.y);
  if (asks && with && with->sampled && !x.bad) epi_defect_begin(a, x.f, r.n, &r.defect);
  while (!x.bad && x.s.t != a->to->end) {
    epi_attempt_show(&x, 1, (double)r.seen/r.n);
    go_on(&x, &r);
    if (!x.bad && r.seen < r.n && epi_too_dear(a, x.price*foretold(x.f, &r, with && with->first))) break;
  }
  epi_attempt_count(&x);
  epi_defect_end(a, &r.defect, y, r.seen);
  double calls = NAN;
  if (!a->to->dear) {
    a->seconds = x.seconds;
    if (asks && epi_refuses_often(x.f)) a->rough = 1;
    epi_note_steps(a, x.f);
    if (!x.bad) calls = (double)(epi_calls(x.f) - r.defect.calls);
    else epi_try_failed(a->to, x.f, x.bad, why);
    /* what it says of its own steps, where a force may bend, is more than two such solutions tell of each other */
    if (!x.bad && few == INSIDE && epi_warning_cause(x.f, 0) == EPI_MICRO_STEPS) {
      epi_fault_write(why, EPI_MICRO_STEPS, "%s", epi_warning(x.f, 0));
      calls = NAN;
    }
  }
  epi_free(x.f);
  return calls;
}

double epi_try_part(epi_search *a, epi_attempt *x, const epi_way *w, double part, epi_fault *why)
{
  if (!x->f) {
    const epi_variant s = {.way = w->number, .r = epi_first_tolerance(a, w->number)};
    epi_attempt_begin(x, a, flow_to_try(a, &s, steps_of_trial(a, w->number), NULL), w->flow);
    x->price = epi_price(a, w->number);
  }
  const double t = a->c->t + part*(a->to->end - a->c->t);
  epi_attempt_show(x, part, 0);
  if (epi_attempt_go(x, t, t - x->s.t)) epi_try_failed(a->to, x->f, x->bad, why);
  else epi_too_dear(a, x->price*(double)epi_calls(x->f));
  return x->bad ? NAN : (double)epi_calls(x->f);
}

/* it cannot go on: somebody stopped it, or memory is short */
int epi_try_ended(const epi_chosen *to) { return to->cause == EPI_HALTED ? EPI_STOPPED : EPI_WRONG; }
