/* group.c - several cases of a sweep at once, in lanes, where their systems have a batch callback and go together; else one by one */
#include "sweeping.h"
#include "result/together.h"

enum { MOST = 32, TRIES = 3 };
typedef struct { int n; long long number[MOST]; epi_case *c[MOST]; epi_result *r[MOST]; } group;

static void drop(group *g)
{
  for (int k = 0; k < g->n; k++) {
    epi_result_free(g->r[k]);
    epi_case_free(g->c[k]);
  }
}

/* those that are not there already, made and begun; 1: they cannot go together, and nothing is lost */
static int gather(epi_sweep *s, worker *w, long long number, int n, group *g)
{
  for (int i = 0; i < n; i++) {
    if (s->ask.skip && s->ask.skip(s->ask.data, number + i)) continue;
    if (s->ask.begin && s->ask.begin(s->ask.data, w->number, number + i)) return EPI_STOPPED;
    int k = g->n++;
    g->number[k] = number + i;
    if (epi_worker_prepare(s, &w->lane[k], number + i, NULL, &g->c[k], &g->r[k]) || epi_result_begin(g->r[k])) return 1;
  }
  return g->n > 1 ? 0 : 1;
}

static int tell(epi_sweep *s, worker *w, group *g)
{
  int bad = 0;
  for (int k = 0; k < g->n && !bad; k++) {
    epi_result_end(g->r[k], 0);
    bad = epi_worker_tell(s, &w->lane[k], g->number[k], epi_worker_finish(&w->lane[k], g->c[k], g->r[k]));
  }
  return bad;
}

static int together(epi_sweep *s, worker *w, long long number, int n)
{
  group g = {0};
  int bad = gather(s, w, number, n, &g);
  if (!bad) {
    epi_worker_under_way(w, g.r[0], 0);
    int code = epi_results_go(g.r, g.n);
    epi_worker_under_way(w, NULL, 0);
    bad = !code ? tell(s, w, &g) : code == EPI_STOPPED && epi_worker_stopped(w) ? EPI_STOPPED : 1;
  }
  drop(&g);
  return bad;
}

int epi_worker_take_many(epi_sweep *s, worker *w, long long number, int n)
{
  int bad = 1;
  if (w->lane && w->misses < TRIES) {
    bad = together(s, w, number, n);
    w->misses = bad > 0 ? w->misses + 1 : 0;
  }
  for (int i = 0; i < n && bad > 0; i++) {
    int code = epi_worker_stopped(w) ? EPI_STOPPED : epi_worker_take(s, w, number + i);
    if (code) return code;
  }
  return bad > 0 ? 0 : bad;
}
