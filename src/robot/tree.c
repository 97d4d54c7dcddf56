/* tree.c - who hangs on whom, where everything is at the start, and which links are one body */
#include "core.h"
#include "robot.h"
#include "file/world/turn.h"
#include <stdio.h>

void epi_pose_times(const pose *a, const pose *b, pose *out)
{
  pose p;
  epi_file_turned(a->q, b->at, p.at);
  for (int i = 0; i < 3; i++) p.at[i] += a->at[i];
  epi_file_turn_times(a->q, b->q, p.q);
  *out = p;
}

void epi_pose_inside(const pose *a, const pose *b, pose *out)
{
  const double back[4] = {a->q[0], -a->q[1], -a->q[2], -a->q[3]};
  pose p;
  for (int i = 0; i < 3; i++) p.at[i] = b->at[i] - a->at[i];
  epi_file_turned(back, p.at, p.at);
  epi_file_turn_times(back, b->q, p.q);
  *out = p;
}

/* ---- the tree ---- */
static int hang(epi_import *r)
{
  int roots = 0;
  for (int i = 0; i < r->joints; i++) {
    joint *j = &r->joint[i];
    link *l = &r->link[j->child];
    if (l->joint >= 0)
      return epi_robot_wrong(r, j->x, "link '%s' is the child of two joints, '%s' and '%s': a URDF is a tree", l->shown,
                             r->joint[l->joint].shown, j->shown);
    l->joint = i;
  }
  for (int i = 0; i < r->links; i++) if (r->link[i].joint < 0 && !roots++) r->root = i;
  if (!roots) return epi_robot_wrong(r, r->link[0].x, "every link hangs on another: a URDF is a tree, and has a root");
  for (int i = 0; i < r->links; i++)
    if (r->link[i].joint < 0 && i != r->root)
      return epi_robot_wrong(r, r->link[i].x, "link '%s' hangs on nothing, and '%s' is the root: give it a joint, a floating one if it "
                                              "is free",
                             r->link[i].shown, r->link[r->root].shown);
  for (int i = 0; i < r->links; i++) {
    int k = i, n = 0;
    while (r->link[k].joint >= 0 && n++ <= r->links) k = r->joint[r->link[k].joint].parent;
    if (n > r->links) return epi_robot_wrong(r, r->link[i].x, "link '%s' hangs on itself: a URDF is a tree", r->link[i].shown);
  }
  return 0;
}

/* ---- the start ---- */
static int give_start(epi_import *r, const char *word)
{
  const char *sign = strchr(word, '=');
  size_t n = sign ? (size_t)(sign - word) : 0;
  char why[200];
  if (!sign || !n) return epi_robot_wrong(r, NULL, "'%.80s' is not joint=value: positions of joints at the start are written so", word);
  for (int i = 0; i < r->joints; i++) {
    joint *j = &r->joint[i];
    if (strlen(j->name) != n || memcmp(j->name, word, n)) continue;
    if (j->kind != REVOLUTE && j->kind != CONTINUOUS && j->kind != PRISMATIC)
      return epi_robot_wrong(r, NULL, "joint '%s' has no position that could be given: revolute, continuous and prismatic ones have",
                             j->shown);
    if (j->mimic >= 0) return epi_robot_wrong(r, NULL, "joint '%s' mimics '%s': give that one its start", j->shown,
                                              r->joint[j->mimic].shown);
    if (j->given++) return epi_robot_wrong(r, NULL, "joint '%s' is given twice", j->shown);
    if (epi_unit_read(sign + 1, j->kind == PRISMATIC ? "m" : "rad", &j->q, why, sizeof why))
      return epi_robot_wrong(r, NULL, "%s: %s", j->shown, why);
    return 0;
  }
  return epi_robot_wrong(r, NULL, "there is no joint '%.*s' in it", (int)n, word);
}

/* a joint that follows another one that follows ... */
static int follow(epi_import *r, int i)
{
  int k = i, n = 0;
  double q = 0, times = 1;
  for (; r->joint[k].mimic >= 0; k = r->joint[k].mimic) {
    if (n++ > r->joints) return epi_robot_wrong(r, r->joint[i].x, "joint '%s' mimics itself", r->joint[i].shown);
    q += times*r->joint[k].offset;
    times *= r->joint[k].multiplier;
  }
  r->joint[i].q = q + times*r->joint[k].q;
  return 0;
}

static int start(epi_import *r, const char *const *words)
{
  for (int i = 0; words && words[i]; i++) if (give_start(r, words[i])) return -1;
  for (int i = 0; i < r->joints; i++) {
    joint *j = &r->joint[i];
    if (j->mimic >= 0 && follow(r, i)) return -1;
    if (j->limited && !(j->q >= j->lower && j->q <= j->upper))
      return epi_robot_wrong(r, j->x, "joint '%s' goes from %g to %g and would start at %g: give its start, as in %s=%g", j->shown,
                             j->lower,
                             j->upper, j->q, j->mimic < 0 ? j->shown : r->joint[j->mimic].shown, (j->lower + j->upper)/2);
    if (j->kind != PRISMATIC && !(fabs(j->q) < 3.14159))
      return epi_robot_wrong(r, j->x, "joint '%s' would start at %g rad: give its start within half a turn of 0", j->shown, j->q);
  }
  return 0;
}

/* ---- places ---- */
static void moved(const joint *j, pose *p)
{
  *p = (pose){.q = {1}};
  if (j->kind == PRISMATIC) for (int i = 0; i < 3; i++) p->at[i] = j->q*j->axis[i];
  else if (j->q != 0) epi_file_turn_about(j->axis, j->q, p->q);
}

static void place(epi_import *r, int i)
{
  link *l = &r->link[i];
  pose step;
  l->head = i;
  l->in_head = l->space = (pose){.q = {1}};
  if (l->joint < 0) return;
  const joint *j = &r->joint[l->joint];
  const link *p = &r->link[j->parent];
  moved(j, &step);
  epi_pose_times(&j->origin, &step, &step);
  epi_pose_times(&p->space, &step, &l->space);
  if (j->kind != FIXED) return;
  l->head = p->head;
  epi_pose_times(&p->in_head, &j->origin, &l->in_head);
}

int epi_robot_tree(epi_import *r, const char *const *words)
{
  if (hang(r) || start(r, words)) return -1;
  /* parents before their children: children of each link are in a chain */
  int *first = epi_pool_room(&r->pool, 3*(size_t)r->links, sizeof *first), *next = first ? first + r->links : NULL;
  int *queue = first ? first + 2*r->links : NULL;
  if (!first) return -1;
  for (int i = r->links - 1; i >= 0; i--) {
    if (r->link[i].joint < 0) continue;
    int p = r->joint[r->link[i].joint].parent;
    next[i] = first[p];
    first[p] = i + 1;
  }
  int n = 0, from = 0;
  for (queue[n++] = r->root; from < n; from++) {
    place(r, queue[from]);
    for (int k = first[queue[from]]; k; k = next[k - 1]) queue[n++] = k - 1;
  }
  return 0;
}
