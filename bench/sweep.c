/* sweep.c - the contacts of a ball bearing and of a roller bearing: one by one, by vectors, and steps of semi and nam that ask for them
 * once. Times in one run, as ratios */
#include "body/race.h"
#include "body/crew.h"
#include "hmm_runs.h"
#include <stdio.h>

enum { TURNS = 100, STEPS = 100 };
#define SEMI "semi(model.contacts, model.stiff, ahead=1)"

/* a sweep is kinematics, contacts, assembly: what the flow asks of model.contacts */
static double sweep_time(epi_system *m, const epi_state *s, int turns, int sweeps, double *f)
{
  double best = HUGE_VAL;
  for (int k = 0; k < turns; k++) {
    double begin = hmm_now();
    for (int i = 0; i < sweeps; i++) {
      memset(f, 0, (size_t)m->nv*sizeof *f);
      m->velocity_force(m, s->t, s->y, s->y + m->nq, f);
    }
    best = fmin(best, (hmm_now() - begin)/sweeps);
  }
  return best;
}

static double step_time(epi_case *c, epi_flow *f, double h, int turns)
{
  double best = HUGE_VAL;
  for (int k = 0; k < turns; k++) {
    epi_state s = epi_case_state(c);
    if (epi_advance(f, &s, h, 10)) { fprintf(stderr, "%s\n", epi_error(f)); break; }
    double begin = hmm_now();
    epi_advance(f, &s, h, STEPS);
    best = fmin(best, (hmm_now() - begin)/STEPS);
  }
  return best;
}

/* all contacts one by one, or those of the races together */
static void together(epi_world *w, struct epi_races *races, struct epi_rollers *rollers, int on)
{
  int n = 0;
  w->races = on ? races : NULL;
  w->rollers = on ? rollers : NULL;
  for (int i = 0; i < w->pairs; i++) n += !(w->pair[i].kind & (EPI_STIFF | EPI_CONSERVATIVE)) && !(on && w->taken[i]);
  w->kinds[0] = n;
}

static int bar(const char *what, double ratio, double most, int below)
{
  int good = below ? ratio <= most : ratio >= most;
  printf("  %-58s %8.3f   bar %s %.2f   %s\n", what, ratio, below ? "at most" : "at least", most, good ? "meets" : "MISSES");
  return good;
}

/* a little on, where pockets and lands are touched */
static int move_on(epi_case *c, epi_state *s)
{
  epi_flow *f = epi_case_flow(c, SEMI);
  int bad = epi_advance(f, s, 1e-6, 200);
  if (bad) fprintf(stderr, "%s\n", epi_error(f));
  epi_free(f);
  return bad;
}

static double apart(int n, const double *a, const double *b)
{
  double miss = 0, size = 0;
  for (int i = 0; i < n; i++) { miss = fmax(miss, fabs(a[i] - b[i])); size = fmax(size, fabs(a[i])); }
  return miss/size;
}

static int balls(int *met)
{
  epi_case *c = epi_case_make("bearing");
  if (c->error[0]) { fprintf(stderr, "%s\n", c->error); return 1; }
  epi_world *w = c->world;
  epi_system *m = &w->contacts;
  epi_state s = epi_case_state(c);
  if (move_on(c, &s)) return 1;
  struct epi_races *races = w->races;
  double a[128], b[128], y[256];
  memcpy(y, s.y, (size_t)(m->nq + m->nv)*sizeof *y);
  s.y = y;
  epi_flow *semi = epi_case_flow(c, SEMI), *nam = epi_case_flow(c, "nam(model.contacts, model.stiff)");
  double scalar = HUGE_VAL, vectors = HUGE_VAL, step_scalar = HUGE_VAL, step = HUGE_VAL, of_nam = HUGE_VAL;
  /* by turns, so that what else a machine does meets all of them */
  for (int k = 0; k < TURNS; k++) {
    together(w, races, NULL, 0);
    scalar = fmin(scalar, sweep_time(m, &s, 1, STEPS, a));
    step_scalar = fmin(step_scalar, step_time(c, semi, 1e-6, 1));
    together(w, races, NULL, 1);
    vectors = fmin(vectors, sweep_time(m, &s, 1, STEPS, b));
    step = fmin(step, step_time(c, semi, 1e-6, 1));
    of_nam = fmin(of_nam, step_time(c, nam, 4e-6, 1));
  }
  epi_free(semi);
  epi_free(nam);
  double miss = apart(m->nv, a, b);
  int contacts = 0;
  for (int i = 0; i < w->pairs; i++) contacts += w->pair[i].contact != NULL;
  printf("a ball bearing, %d bodies, %d contacts; microseconds, smallest of %d turns\n", w->bodies, contacts, TURNS);
  printf("  sweep one by one %.3f, by vectors %.3f; step of semi %.3f and %.3f, of nam %.3f\n", 1e6*scalar, 1e6*vectors, 1e6*step_scalar,
         1e6*step, 1e6*of_nam);
  printf("  forces differ by %.1e of the largest\n", miss);
  *met += bar("step over the plain sweep, with vectors", step/scalar, 1.7, 1);
  *met += bar("step over the plain sweep, without", step_scalar/scalar, 1.7, 1);
  *met += bar("plain sweep over the one by vectors", scalar/vectors, 1.3, 0);
  *met += bar("step of nam over the plain sweep", of_nam/scalar, 4.5, 1);
  epi_case_free(c);
  return !(miss <= 1e-12);
}

/* slices one by one, two at a time, and with their by-products */
static int rollers(int *met)
{
  enum { FEW = 40 };
  epi_case *c = epi_case_make("roller-bearing");
  if (c->error[0]) { fprintf(stderr, "%s\n", c->error); return 1; }
  epi_world *w = c->world;
  epi_system *m = &w->contacts;
  epi_state s = epi_case_state(c);
  if (move_on(c, &s)) return 1;
  struct epi_rollers *all = w->rollers;
  double a[256], b[256], c_linked[256], y[512], linked = HUGE_VAL;
  epi_link *link = calloc((size_t)m->contacts.links, sizeof *link);
  memcpy(y, s.y, (size_t)(m->nq + m->nv)*sizeof *y);
  s.y = y;
  /* by turns, so that what else a machine does meets all of them */
  double scalar = HUGE_VAL, vectors = HUGE_VAL;
  for (int k = 0; k < TURNS && link; k++) {
    together(w, NULL, all, 0);
    scalar = fmin(scalar, sweep_time(m, &s, 1, FEW, a));
    together(w, NULL, all, 1);
    vectors = fmin(vectors, sweep_time(m, &s, 1, FEW, b));
    double begin = hmm_now();
    for (int i = 0; i < FEW; i++) m->contacts.linked_force(m, s.t, s.y, s.y + m->nq, c_linked, link);
    linked = fmin(linked, (hmm_now() - begin)/FEW);
  }
  double miss = apart(m->nv, a, b);
  printf("\na roller bearing, %d bodies, 64 races of %g slices\n", w->bodies, c->p[22]);
  printf("  sweep slice by slice %.1f, by vectors %.1f, with by-products %.1f\n", 1e6*scalar, 1e6*vectors, 1e6*linked);
  printf("  forces differ by %.1e of the largest\n", miss);
  *met += bar("plain sweep over the one by vectors", scalar/vectors, 2, 0);
  *met += bar("the sweep with by-products over the one without", linked/vectors, 1.5, 1);
  free(link);
  epi_case_free(c);
  return !(miss <= 1e-12);
}

/* one thread and two, by turns; the bar is for a machine that is idle */
static int threads(int *met)
{
  enum { FEW = 100 };
  epi_case *c = epi_case_make("roller-bearing(threads=2)");
  if (c->error[0]) { fprintf(stderr, "%s\n", c->error); return 1; }
  epi_world *w = c->world;
  epi_system *m = &w->contacts;
  epi_state s = epi_case_state(c);
  struct epi_crew *crew = w->crew;
  double a[256], b[256], one = HUGE_VAL, two = HUGE_VAL, sum[2] = {0};
  for (int k = 0; k < TURNS; k++) {
    w->crew = NULL;
    double alone = sweep_time(m, &s, 1, FEW, a);
    w->crew = crew;
    double both = sweep_time(m, &s, 1, FEW, b);
    one = fmin(one, alone), two = fmin(two, both);
    sum[0] += alone, sum[1] += both;
  }
  int wrong = memcmp(a, b, (size_t)m->nv*sizeof *a) != 0;
  printf("\n  sweep by one thread %.1f, by two %.1f; in the mean %.1f and %.1f; %s\n", 1e6*one, 1e6*two, 1e6*sum[0]/TURNS, 1e6*sum[1]/TURNS,
         wrong ? "OTHER BITS" : "the same bits");
  *met += bar("one thread over two, on an idle machine", one/two, 1.6, 0);
  *met += bar("one thread over two in the mean, on any machine", sum[0]/sum[1], 0.95, 0);
  epi_case_free(c);
  return wrong;
}

int main(void)
{
  int met = 0, wrong = balls(&met) + rollers(&met) + threads(&met);
  printf("\nbars: %d met, %d missed\nanswers: %s\n", met, 8 - met, wrong ? "WRONG" : "all good");
  return wrong;
}
