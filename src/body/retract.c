/* retract.c - the motion of all bodies by nv numbers, and of the angles that have all their turns */
#include "parts.h"

void epi_world_retract(epi_system *s, const double *q, const double *dq, double *out)
{
  const epi_world *w = s->data;
  if (w->turns) epi_turns_ahead(w, q, dq, out);
  for (int i = 0; i < w->bodies; i++) {
    const epi_member *m = &w->body[i];
    const double *a = q + m->q, *d = dq + m->v;
    double *o = out + m->q;
    for (int k = 0; k < 3; k++) o[k] = a[k] + d[k];
    epi_turn(a + 3, d + 3, o + 3);
    for (int k = 0; k < m->modes; k++) o[7 + k] = a[7 + k] + d[6 + k];
  }
  if (w->turns) epi_turns_follow(w, out);
}

/* the turns move on their sphere; the rest is straight */
void epi_world_retract_rate(epi_system *s, const double *u, const double *v, double *du)
{
  const epi_world *w = s->data;
  memcpy(du, v, (size_t)w->nv*sizeof *du);
  for (int i = 0; i < w->bodies; i++) {
    int at = w->body[i].v + 3;
    epi_turn_rate(u + at, v + at, du + at);
  }
}

void epi_world_nearest(epi_system *s, const double *of, double *q)
{
  const epi_world *w = s->data;
  for (int i = 0; i < w->bodies; i++) {
    const double *a = of + w->body[i].q + 3;
    double *b = q + w->body[i].q + 3;
    if (a[0]*b[0] + a[1]*b[1] + a[2]*b[2] + a[3]*b[3] < 0) for (int k = 0; k < 4; k++) b[k] = -b[k];
  }
}
