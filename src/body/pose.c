/* pose.c - where bodies are */
#include "parts.h"

const epi_pose epi_ground = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};

void epi_pose_of(const epi_member *m, const double *q, const double *v, epi_pose *p)
{
  q += m->q;
  memcpy(p->r, q, sizeof p->r);
  epi_rotation_of(q + 3, p->R);
  p->e = m->modes ? q + 7 : NULL;
  if (!v) {
    memset(p->v, 0, sizeof p->v);
    memset(p->w, 0, sizeof p->w);
    p->de = NULL;
    return;
  }
  v += m->v;
  memcpy(p->v, v, sizeof p->v);
  epi_out_of(p->R, v + 3, p->w);
  p->de = m->modes ? v + 6 : NULL;
}
