/* sweep.c - the contacts of a ball bearing: one by one, by vectors, and a step of semi that asks for them once. Times in one run, as
 * ratios */
#include "body/race.h"
#include "hmm_runs.h"
#include <stdio.h>

enum { TURNS = 40, SWEEPS = 2000, STEPS = 400 };

/* a sweep is kinematics, contacts, assembly: what the flow asks of model.contacts */
static double sweep_time(epi_system *m, const epi_state *s, double *f)
{
  double best = HUGE_VAL;
  for (int k = 0; k < TURNS; k++) {
    double begin = hmm_now();
    for (int i = 0; i < SWEEPS; i++) {
      memset(f, 0, (size_t)m->nv*sizeof *f);
      m->velocity_force(m, s->t, s->y, s->y + m->nq, f);
    }
    best = fmin(best, (hmm_now() - begin)/SWEEPS);
  }
  return best;
}

static double step_time(epi_case *c, const char *text)
{
  double best = HUGE_VAL;
  epi_flow *f = epi_case_flow(c, text);
  for (int k = 0; k < TURNS; k++) {
    epi_state s = epi_case_state(c);
    if (epi_advance(f, &s, 1e-6, 10)) { fprintf(stderr, "%s\n", epi_error(f)); break; }
    double begin = hmm_now();
    epi_advance(f, &s, 1e-6, STEPS);
    best = fmin(best, (hmm_now() - begin)/STEPS);
  }
  epi_free(f);
  return best;
}

/* all contacts one by one, or those of the races together */
static void together(epi_world *w, struct epi_races *races, int on)
{
  int n = 0;
  w->races = on ? races : NULL;
  for (int i = 0; i < w->pairs; i++) n += !(w->pair[i].kind & (EPI_STIFF | EPI_CONSERVATIVE)) && !(on && w->taken[i]);
  w->kinds[0] = n;
}

static int bar(const char *what, double ratio, double most, int below)
{
  int good = below ? ratio <= most : ratio >= most;
  printf("  %-58s %8.3f   bar %s %.2f   %s\n", what, ratio, below ? "at most" : "at least", most, good ? "meets" : "MISSES");
  return good;
}

int main(void)
{
  epi_case *c = epi_case_make("bearing");
  if (c->error[0]) { fprintf(stderr, "%s\n", c->error); return 1; }
  epi_world *w = c->world;
  epi_system *m = &w->contacts;
  epi_state s = epi_case_state(c);
  /* a little on, where pockets and lands are touched */
  epi_flow *f = epi_case_flow(c, "semi(model.contacts, model.stiff, ahead=1)");
  if (epi_advance(f, &s, 1e-6, 150)) { fprintf(stderr, "%s\n", epi_error(f)); return 1; }
  epi_free(f);
  struct epi_races *races = w->races;
  double a[128], b[128], miss = 0, size = 0, y[256];
  memcpy(y, s.y, (size_t)(m->nq + m->nv)*sizeof *y);
  s.y = y;
  together(w, races, 0);
  double scalar = sweep_time(m, &s, a), step_scalar = step_time(c, "semi(model.contacts, model.stiff, ahead=1)");
  together(w, races, 1);
  double vectors = sweep_time(m, &s, b), step = step_time(c, "semi(model.contacts, model.stiff, ahead=1)");
  for (int i = 0; i < m->nv; i++) { miss = fmax(miss, fabs(a[i] - b[i])); size = fmax(size, fabs(a[i])); }
  int contacts = 0;
  for (int i = 0; i < w->pairs; i++) contacts += w->pair[i].act == epi_contact_act;
  printf("a ball bearing, %d bodies, %d contacts; microseconds, smallest of %d turns\n", w->bodies, contacts, TURNS);
  printf("  sweep one by one %.3f, by vectors %.3f; step of semi %.3f and %.3f\n", 1e6*scalar, 1e6*vectors, 1e6*step_scalar, 1e6*step);
  printf("  forces differ by %.1e of the largest\n", miss/size);
  int met = bar("step over the plain sweep, with vectors", step/scalar, 1.7, 1);
  met += bar("step over the plain sweep, without", step_scalar/scalar, 1.7, 1);
  met += bar("plain sweep over the one by vectors", scalar/vectors, 1.3, 0);
  printf("\nbars: %d met, %d missed\nanswers: %s\n", met, 3 - met, miss <= 1e-12*size ? "all good" : "WRONG");
  epi_case_free(c);
  return miss <= 1e-12*size ? 0 : 1;
}
