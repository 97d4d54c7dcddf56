/* holds: several threads observe one case without a race, with the numbers of one thread */
#include "test.h"
#include "epicycle.h"
#include <pthread.h>

enum { THREADS = 4, MOST = 80, TURNS = 20 };
typedef struct { const epi_case *c; double t, y[400], seen[MOST]; int wrong; } work;

static int look(const epi_case *c, const epi_state *s, double *x)
{
  int n = 0;
  for (const epi_observable *o = c->model->observables; o->name && n < MOST; o++) x[n++] = epi_observe(c, o, s);
  return n;
}

static void *run(void *data)
{
  work *w = data;
  double x[MOST];
  epi_state s = {.t = w->t, .y = w->y};
  for (int i = 0; i < TURNS; i++) {
    int n = look(w->c, &s, x);
    w->wrong += memcmp(x, w->seen, (size_t)n*sizeof *x) != 0;
  }
  return NULL;
}

int main(void)
{
  epi_case *c = epi_case_make("bearing");
  static work all[THREADS];
  pthread_t thread[THREADS];
  int n = epi_size(&c->system);
  if (!check(!c->error[0] && n <= 400)) return test_done();
  for (int k = 0; k < THREADS; k++) {
    all[k].c = c;
    all[k].t = 1e-6*k;
    memcpy(all[k].y, c->y, (size_t)n*sizeof(double));
    for (int i = 0; i < n; i++) all[k].y[i] *= 1 + 1e-9*k;
    epi_state s = {.t = all[k].t, .y = all[k].y};
    check_above(look(c, &s, all[k].seen), 10);
  }
  for (int k = 0; k < THREADS; k++) check_count(pthread_create(&thread[k], NULL, run, &all[k]), 0);
  for (int k = 0; k < THREADS; k++) {
    pthread_join(thread[k], NULL);
    check_count(all[k].wrong, 0);
  }
  epi_case_free(c);
  return test_done();
}
