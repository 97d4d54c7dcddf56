/* choose.c - a flow whose solution is right to a tolerance: ways are tried, and the run is solved until two solutions agree */
#include "search.h"

/* the next where one does not get there, unless it costs far more */
static int refine_ways(epi_search *a)
{
  epi_chosen *to = a->to;
  char first[sizeof to->error], flow[sizeof to->flow];
  double cheapest = to->way[0].calls;
  int bad = EPI_WRONG;
  for (int i = 0; i < to->ways && to->way[i].calls <= 10*cheapest; i++) {
    if (epi_too_dear(a, 2*to->way[i].calls)) return EPI_WRONG;
    to->error[0] = 0;
    epi_way x = to->way[i];
    to->way[i] = to->way[0];
    to->way[0] = x;
    bad = epi_refine(a, x.number, epi_first_tolerance(a, x.number));
    if (bad != EPI_WRONG || to->dear || strstr(to->error, "out of memory")) return bad;
    snprintf(to->way[0].why, sizeof to->way[0].why, "%s", to->error);
    if (i) continue;
    memcpy(first, to->error, sizeof first);
    memcpy(flow, to->flow, sizeof flow);
  }
  memcpy(to->error, first, sizeof first);
  memcpy(to->flow, flow, sizeof flow);
  return bad;
}

int epi_choose(epi_case *c, epi_chosen *to)
{
  epi_search a = {.c = c, .to = to, .n = epi_size(&c->system)};
  double *room = NULL;
  int bad = EPI_WRONG;
  to->ways = 0;
  to->spent = 0;
  to->breaks = to->dear = to->slow_part = 0;
  to->scales[0] = 0;
  to->fastest = to->slow = NAN;
  to->reason[0] = 0;
  to->error[0] = 0;
  to->flow[0] = 0;
  if (c->error[0]) snprintf(to->error, sizeof to->error, "%s", c->error);
  else if (!(to->tol > 0 && to->tol < 1))
    snprintf(to->error, sizeof to->error, "the tolerance is %g: give a number between 0 and 1, such as 1e-9", to->tol);
  else if (!(to->end > c->t)) snprintf(to->error, sizeof to->error, "the end is %g: it must be after the start, %g", to->end, c->t);
  else if (!(room = malloc(((size_t)CHECKS*2 + 1)*(size_t)a.n*sizeof *room))) snprintf(to->error, sizeof to->error, "out of memory");
  if (!room) return EPI_WRONG;
  a.y[0] = room;
  a.y[1] = room + CHECKS*a.n;
  a.size = a.y[1] + CHECKS*a.n;
  if (!(bad = epi_try_ways(&a)) && !a.settled) bad = refine_ways(&a);
  if (!bad) epi_say_why(&a);
  free(room);
  return bad;
}
