/* track.c - a run as it is noted: times, states, densities of steps, and why it ended early */
#include "papers.h"
#include <stdlib.h>
#include <string.h>

const double *track_row(const track *r, int k) { return r->y + (size_t)k*(size_t)r->size; }

static void make_room(track *r)
{
  int room = 2*r->room + 256;
  size_t n = (size_t)r->n, size = (size_t)r->size;
  double *t = need((size_t)room*sizeof *t), *y = need((size_t)room*size*sizeof *y), *rho = need((size_t)room*sizeof *rho);
  if (n) memcpy(t, r->t, n*sizeof *t), memcpy(y, r->y, n*size*sizeof *y), memcpy(rho, r->rho, n*sizeof *rho);
  free(r->t);
  free(r->y);
  free(r->rho);
  r->t = t;
  r->y = y;
  r->rho = rho;
  r->room = room;
}

void track_note(track *r, double t, const double *y, double rho)
{
  if (r->n == r->room) make_room(r);
  r->t[r->n] = t;
  r->rho[r->n] = rho;
  memcpy(r->y + (size_t)r->n*(size_t)r->size, y, (size_t)r->size*sizeof *y);
  r->n++;
}

void track_fail(track *r, epi_cause cause, const char *sentence)
{
  r->failure = text("%s", sentence ? sentence : "the run ended early");
  r->absent = cause == EPI_ABSENT;
}

epi_flow *track_flow(track *r, const char *flow) { return r->c ? epi_case_flow(r->c, flow) : epi_make(flow, r->system); }

epi_flow *track_probe(track *r, const char *flow)
{
  if (r->probe && !strcmp(r->probes, flow)) return r->probe;
  epi_free(r->probe);
  r->probes = flow;
  return r->probe = track_flow(r, flow);
}
