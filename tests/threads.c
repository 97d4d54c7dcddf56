/* threads.c - a system shared by flows in several threads: no race, and the bits of one thread */
#include "test.h"
#include "epicycle.h"
#include <pthread.h>

enum { THREADS = 4, STEPS = 300, DIM = 4 };

static int force(epi_system *s, double t, const double *q, double *f) {
  const double *k = s->data;
  (void)t;
  f[0] = -k[0]*sin(q[0]) + k[1]*(q[1] - q[0]);
  f[1] = -k[0]*sin(q[1]) - k[1]*(q[1] - q[0]);
  return 0;
}
static const double stiffness[] = {1, 0.3}, mass[] = {2, 0.5, 0.5, 1};

static const char *const texts[] = {
  "verlet", "rk4", "symmetric(verlet, order=8)", "tolerance(dopri5, rtol=1e-8)", "midpoint", "gauss(stages=3)", "substeps(verlet, 5)",
};
enum { TEXTS = sizeof texts/sizeof *texts };

/* one thread's work: every text on the shared system, and a model by name */
typedef struct work { epi_system *shared; int first; double end[TEXTS][DIM], orbit[4]; int bad; } work;

static void *run(void *data) {
  work *w = data;
  /* each thread begins elsewhere, so that different flows meet in the same system */
  for (int k = 0; k < TEXTS; k++) {
    int i = (w->first + k) % TEXTS;
    memcpy(w->end[i], (double[DIM]){1, -0.5, 0, 0.2}, sizeof w->end[i]);
    epi_state s = {.y = w->end[i]};
    epi_flow *f = epi_make(texts[i], w->shared);
    w->bad |= epi_advance(f, &s, 0.02, STEPS) || epi_error(f);
    epi_free(f);
  }
  epi_case *c = epi_case_make("kepler(e=0.6)");
  epi_flow *f = epi_case_flow(c, "symmetric(verlet, order=6)");
  epi_state s = epi_case_state(c);
  w->bad |= epi_advance(f, &s, 0.01, STEPS) || epi_size(&c->system) != 4;
  memcpy(w->orbit, s.y, sizeof w->orbit);
  epi_free(f);
  epi_case_free(c);
  return NULL;
}

int main(void) {
  epi_system shared = {.nq = 2, .force = force, .mass_matrix = mass, .data = (void *)stiffness};
  work alone = {.shared = &shared}, together[THREADS];
  pthread_t thread[THREADS];
  run(&alone);
  check_count(alone.bad, 0);
  for (int i = 0; i < THREADS; i++) {
    together[i] = (work){.shared = &shared, .first = i};
    if (pthread_create(&thread[i], NULL, run, &together[i])) return test_skip("no further thread");
  }
  for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
  for (int i = 0; i < THREADS; i++) {
    check_count(together[i].bad, 0);
    for (int k = 0; k < TEXTS; k++) check_bits(DIM, together[i].end[k], alone.end[k]);
    check_bits(4, together[i].orbit, alone.orbit);
  }
  /* the flows differ: equal ends would mean that nothing moved */
  for (int k = 1; k < TEXTS; k++) check(memcmp(alone.end[k], alone.end[0], sizeof alone.end[0]) != 0);
  return test_done();
}
