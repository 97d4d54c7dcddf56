/* turned.c - angles with all their turns: attitudes know them to a turn, so a world has those that are asked for as positions more. Each
 * follows the attitudes wherever these are moved to, and is asked only for the turn it is in */
#include "axis.h"

int epi_world_turned(epi_world *w, int joint, int axis)
{
  if (!epi_axis_is_turn(axis) || axis == EPI_SWING) return 0;
  for (int i = 0; i < w->turns; i++) if (w->turned[i].joint == joint && w->turned[i].axis == axis) return 1 + i;
  if (epi_world_grow(w, (void **)&w->turned, w->turns + 1, &w->room_turned, sizeof *w->turned)) return -1;
  w->turned[w->turns++] = (epi_turned){.joint = joint, .axis = axis};
  return w->turns;
}

int epi_world_begin_turns(epi_world *w)
{
  if (!w->turns) return 0;
  if (epi_world_grow(w, (void **)&w->q, w->nq + w->turns, &w->room_q, sizeof *w->q)) return -1;
  epi_moving m = {.w = w, .q = w->q};
  for (int i = 0; i < w->turns; i++) {
    const epi_world_joint *j = &w->joint[w->turned[i].joint];
    epi_pose room[2];
    epi_axis_place x;
    epi_axis_at(&j->data, w->turned[i].axis, epi_pose_at(&m, j->a, &room[0]), epi_pose_at(&m, j->b, &room[1]), &x);
    w->q[w->nq + i] = x.x;
  }
  w->nq += w->turns;
  return 0;
}

/* before bodies are moved by dq: where the angles will be, about */
void epi_turns_ahead(const epi_world *w, const double *q, const double *dq, double *out)
{
  epi_moving m = {.w = w, .q = q};
  for (int i = 0, at = w->nq - w->turns; i < w->turns; i++, at++) {
    const epi_world_joint *j = &w->joint[w->turned[i].joint];
    epi_pose room[2];
    epi_axis_place x;
    double G[12], way = 0;
    const epi_pose *a = epi_pose_at(&m, j->a, &room[0]), *b = epi_pose_at(&m, j->b, &room[1]);
    int bad = epi_axis_at(&j->data, w->turned[i].axis, a, b, &x);
    epi_axis_row(&j->data, &x, a, b, G);
    for (int c = 3; c < 6 && !bad; c++) {
      if (j->a >= 0) way += G[c]*dq[w->body[j->a].v + c];
      if (j->b >= 0) way += G[6 + c]*dq[w->body[j->b].v + c];
    }
    out[at] = q[at] + way;
  }
}

/* and after it, where they are */
void epi_turns_follow(const epi_world *w, double *q)
{
  epi_moving m = {.w = w, .q = q};
  for (int i = 0, at = w->nq - w->turns; i < w->turns; i++, at++) {
    const epi_world_joint *j = &w->joint[w->turned[i].joint];
    epi_pose room[2];
    epi_axis_place x;
    const epi_pose *a = epi_pose_at(&m, j->a, &room[0]), *b = epi_pose_at(&m, j->b, &room[1]);
    if (!epi_axis_turned(&j->data, w->turned[i].axis, a, b, q + at, &x)) q[at] = x.x;
  }
}
