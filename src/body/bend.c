/* bend.c - how the rates of the rows of joints change where all velocities stay as they are: the part of the second derivative of a
 * constraint that no acceleration has. Kinds say it themselves; of others, and of what is driven by a function, by differences */
#include "parts.h"

static void moved_pose(const epi_world *w, int body, const double *q, const double *v, double s, epi_pose *p)
{
  if (body < 0) { *p = epi_ground; return; }
  const epi_member *m = &w->body[body];
  double turn[3], attitude[4];
  epi_pose_of(m, q, v, p);
  for (int i = 0; i < 3; i++) { p->r[i] += s*p->v[i]; turn[i] = s*v[m->v + 3 + i]; }
  epi_turn(q + m->q + 3, turn, attitude);
  epi_rotation_of(attitude, p->R);
  epi_out_of(p->R, v + m->v + 3, p->w);
}

static int by_differences(const epi_world *w, const epi_world_joint *j, double t, double ds, const double *q, const double *v, double *out)
{
  static const double weight[] = {8./12, -1./12};
  memset(out, 0, (size_t)j->rows*sizeof *out);
  for (int k = -2; k <= 2; k++) {
    epi_joint_rows rows;
    epi_pose a, b;
    double rate[6];
    if (!k) continue;
    moved_pose(w, j->a, q, v, k*ds, &a);
    moved_pose(w, j->b, q, v, k*ds, &b);
    int bad = epi_world_joint_rows(j, t + k*ds, &a, &b, &rows, rate);
    if (bad) return bad;
    for (int i = 0; i < j->rows; i++) out[i] += (k > 0 ? 1 : -1)*weight[abs(k) - 1]/ds*rate[i];
  }
  return 0;
}

int epi_world_bend(epi_system *s, double t, double h, const double *q, const double *v, double *out)
{
  const epi_world *w = s->data;
  epi_moving m = {.w = w, .q = q, .v = v};
  epi_uniform_phase phase = epi_world_phase(s);
  int row = 0;
  for (int i = 0; i < w->joints; i++) {
    epi_world_joint own_phase;
    const epi_world_joint *j = epi_joint_seen(&w->joint[i], &phase, &own_phase);
    epi_pose room[2];
    if (j->as != EPI_CONSTRAINT) continue;
    int bad = epi_world_joint_bend(j, t, epi_pose_at(&m, j->a, &room[0]), epi_pose_at(&m, j->b, &room[1]), out + row);
    /* without a step there are no differences */
    if (bad == EPI_NO_BEND) bad = h == 0 ? EPI_TOO_FAR : by_differences(w, j, t, h/64, q, v, out + row);
    if (bad) return bad >= EPI_DRIVE_SAID ? EPI_TOO_FAR : bad;
    row += j->rows;
  }
  for (int i = 0; i < w->couplings; i++) {
    int bad = epi_coupling_bend(w, &w->coupling[i], t, q, v, out + row++);
    if (bad) return bad >= EPI_DRIVE_SAID ? EPI_TOO_FAR : bad;
  }
  return 0;
}
