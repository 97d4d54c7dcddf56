/* bench.c - one run, one table: the library against hand-written loops and against the peers that are installed.
 * Repetitions are taken in turn, a round of all drivers and then the next, so that a busy moment of the machine meets all. */
#include "check.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 7, ROWS = 6 };

typedef struct row {
  const bench_driver *driver;
  double bar;                  /* ours over this must not be more; 0: for information */
} row;

typedef struct method {
  const char *name;
  int per_call;                /* times are per force evaluation, not per step */
  long stretch;                /* its steps are longer than the problem's by this, and fewer */
  row rows[ROWS];              /* the hand-written loop, ours, then the others */
} method;

enum { RAW, OURS };

/* the bars: at most these ratios, on every problem */
static const method methods[] = {
  {.name = "verlet", .stretch = 1, .rows = {
    {&bench_raw_verlet, 1.10}, {&bench_verlet, 0}, {&bench_verlet_single, 0}, {&bench_ark2, 0.06}, {&bench_odeint_verlet, 1.2}}},
  {.name = "rk4", .stretch = 2, .rows = {
    {&bench_raw_rk4, 1.15}, {&bench_rk4, 0}, {&bench_erk4, 0.12}, {&bench_gsl_rk4, 0.35}, {&bench_ark4, 0}, {&bench_odeint_rk4, 0}}},
  {.name = "order 8", .per_call = 1, .stretch = 8, .rows = {
    {&bench_raw_order8, 1.15}, {&bench_order8, 0}, {&bench_gsl_rk8pd, 0}, {&bench_adams, 0}}},
};

typedef struct timing {
  double least, median;        /* ns */
} timing;

typedef struct tally {
  int met, missed, wrong;
  long made, stepping, steps;  /* allocations of ours, while made and while stepping */
} tally;

/* one driver on one problem, opened */
typedef struct lane {
  const bench_driver *driver;
  void *self;
  bench_answer answer;
  long repeat;
  double t[ROUNDS], y[2*BENCH_MOST];
} lane;

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9*(double)t.tv_nsec;
}

/* seconds of `repeat` runs from the start; the states met are the same however fast the driver is */
static double seconds_of(const bench_problem *p, const method *m, lane *l, long repeat)
{
  double begin = now();
  for (long r = 0; r < repeat; r++) {
    p->start(l->y);
    if (l->driver->go(l->self, l->y, p->h*(double)m->stretch, p->steps/m->stretch)) return NAN;
  }
  return now() - begin;
}

static void open_all(const bench_problem *p, const method *m, epi_system *s, lane *lanes, tally *sum)
{
  for (int i = 0; i < ROWS; i++) {
    const bench_driver *d = m->rows[i].driver;
    lane *l = &lanes[i];
    *l = (lane){.driver = d, .repeat = 1};
    if (!d || !d->open) continue;
    l->answer = bench_check(p, d, m->rows[RAW].driver);
    long before = bench_allocations();
    l->self = d->open(s);
    if (i == OURS) sum->made += bench_allocations() - before;
    if (!l->self) continue;
    /* about 30 ms each */
    double seconds = seconds_of(p, m, l, 1);
    if (seconds > 0) l->repeat = 1 + (long)(0.03/seconds);
  }
}

static void take_turns(const bench_problem *p, const method *m, lane *lanes, tally *sum)
{
  for (int k = 0; k < ROUNDS; k++) {
    for (int i = 0; i < ROWS; i++) {
      lane *l = &lanes[i];
      if (!l->self) continue;
      long before = bench_allocations(), steps = l->repeat*(p->steps/m->stretch);
      double seconds = seconds_of(p, m, l, l->repeat);
      if (i == OURS) {
        sum->stepping += bench_allocations() - before;
        sum->steps += steps;
      }
      /* a driver with steps of its own is timed by them */
      if (l->driver->taken) steps = l->repeat*l->driver->taken(l->self);
      l->t[k] = 1e9*seconds/(double)steps/(m->per_call ? l->answer.calls : 1);
    }
  }
}

/* where the formula is the same, so is the end of the timed run, but for rounding that has grown on the way */
static void look_back(const bench_problem *p, lane *lanes)
{
  for (int i = 0; i < ROWS; i++) {
    lane *l = &lanes[i];
    if (!l->self) continue;
    if (l->driver->same && !(bench_apart(2*p->sys.nq, l->y, lanes[RAW].y) < 1e-6)) l->answer.good = 0;
    for (int k = 0; k < ROUNDS; k++)
      if (!(l->t[k] > 0)) l->answer.good = 0;
  }
}

static int ascending(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* a wrong answer has no time, and with it no bar is met */
static timing timing_of(const lane *l)
{
  double t[ROUNDS];
  if (!l->answer.good) return (timing){.least = NAN, .median = NAN};
  memcpy(t, l->t, sizeof t);
  qsort(t, ROUNDS, sizeof *t, ascending);
  return (timing){.least = t[0], .median = t[ROUNDS/2]};
}

static void print_answer(const lane *l, int first)
{
  const bench_answer *a = &l->answer;
  if (l->driver->order) printf("order %.2f", a->order);
  else printf("error %.0e", a->error);
  if (l->driver->same && !first) printf(", from the loop %.0e", a->apart);
  printf("%s\n", a->good ? "" : "  FAIL: wrong answer");
}

static void print_row(const method *m, int i, const lane *l, timing our, tally *sum)
{
  if (!l->self) {
    printf("  %-38s %s\n", l->driver->name, l->driver->open ? "FAIL: could not be made" : "not installed");
    sum->wrong += l->driver->open != NULL;
    return;
  }
  timing t = timing_of(l);
  const double bar = m->rows[i].bar;
  double ratio = our.least/t.least;
  printf("  %-38s %5.1f %9.1f %9.1f", l->driver->name, l->answer.calls, t.least, t.median);
  if (i == OURS) printf("%32s", "");
  else if (bar == 0) printf("  %6.3f %6.3f %16s", ratio, our.median/t.median, "");
  else {
    int meets = ratio <= bar;
    printf("  %6.3f %6.3f   %5.2f %-8s", ratio, our.median/t.median, bar, meets ? "meets" : "MISSES");
    *(meets ? &sum->met : &sum->missed) += 1;
  }
  sum->wrong += !l->answer.good;
  printf("  ");
  print_answer(l, i == RAW);
}

static void compare(const bench_problem *p, const method *m, tally *sum)
{
  lane lanes[ROWS];
  epi_system s = p->sys;
  open_all(p, m, &s, lanes, sum);
  take_turns(p, m, lanes, sum);
  look_back(p, lanes);
  printf("\n%s, %d degree%s of freedom, %s\n", p->name, s.nq, s.nq > 1 ? "s" : "", m->name);
  printf("  %-38s %5s %9s %9s %7s %6s   %5s %-8s  %s\n", m->per_call ? "ns per evaluation" : "ns per step", "evals", "min", "median",
         "ours/it", "median", "bar", "", "answer");
  timing our = timing_of(&lanes[OURS]);
  for (int i = 0; i < ROWS; i++)
    if (lanes[i].driver) print_row(m, i, &lanes[i], our, sum);
  for (int i = 0; i < ROWS; i++)
    if (lanes[i].self) lanes[i].driver->close(lanes[i].self);
}

int main(void)
{
  tally sum = {0};
  printf("epicycle %s against hand-written loops and peers; thread time, min and median of %d\n", EPI_VERSION, ROUNDS);
  for (int p = 0; bench_problems[p]; p++)
    for (size_t m = 0; m < sizeof methods/sizeof *methods; m++) compare(bench_problems[p], &methods[m], &sum);
  printf("\nbars: %d met, %d missed\n", sum.met, sum.missed);
  printf("allocations: %ld while making the flows, %ld in %ld steps%s\n", sum.made, sum.stepping, sum.steps,
         sum.made == 0 ? "  FAIL: the counter is blind" : sum.stepping ? "  MISSES: none are allowed" : "");
  printf("answers: %s\n", sum.wrong ? "FAIL" : "all agree");
  return sum.wrong || sum.made == 0;
}
