/* course.c - one fast period by the classical Runge-Kutta method: as far as an eye can tell, and at a price that does not matter */
#include "course.h"

static int one_step(epi_flow *f, epi_state *s, double h, double *work)
{
  static const double place[] = {0, 0.5, 0.5, 1}, weight[] = {1.0/6, 1.0/3, 1.0/3, 1.0/6};
  int N = epi_dim(f->sys), bad = 0;
  double *from = work, *at = from + N, *k = at + N;
  memcpy(from, s->y, (size_t)N*sizeof *from);
  for (int i = 0; i < 4 && !bad; i++) {
    for (int j = 0; j < N; j++) at[j] = from[j] + (i ? place[i]*h*k[j] : 0);
    bad = epi_rate_at(f, s->t + place[i]*h, epi_phase_at(f->sys, s->t, s->theta, place[i]*h), at, k);
    for (int j = 0; j < N && !bad; j++) s->y[j] += weight[i]*h*k[j];
  }
  epi_set_clock(s, (epi_tick){.t = s->t + h, .theta = epi_phase_at(f->sys, s->t, s->theta, h)});
  return bad;
}

int epi_course(epi_flow *f, const epi_state *from, double T, void (*see)(void *, epi_state *), void *data, double *work)
{
  int N = epi_dim(f->sys), bad = 0;
  epi_state s = {.t = from->t, .theta = from->theta, .y = work};
  memcpy(s.y, from->y, (size_t)N*sizeof *s.y);
  see(data, &s);
  for (int i = 0; i < EPI_COURSE_STEPS && !bad; i++) {
    bad = one_step(f, &s, T/EPI_COURSE_STEPS, work + N);
    if (!bad) see(data, &s);
  }
  return bad;
}
