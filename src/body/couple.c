/* couple.c - axes that are coupled: the sum of factor times position is held, by gears, racks, screws and belts, or moved, by motors */
#include "axis.h"
#include <stdio.h>

static int driven(const epi_drive *d) { return d->at || d->amplitude != 0; }

/* the sum, its gradient by the bodies that are coupled, and how fast its rate changes; NULL: not asked for */
static int sum_of(const epi_world *w, const epi_world_coupling *k, const epi_moving *m, double *sum, double *G, double *bend)
{
  *sum = 0;
  if (G) memset(G, 0, 6*(size_t)k->bodies*sizeof *G);
  if (bend) *bend = 0;
  for (int i = 0; i < k->terms; i++) {
    const epi_world_joint *j = &w->joint[k->term[i].joint];
    epi_pose room[2];
    const epi_pose *a = epi_pose_at(m, j->a, &room[0]), *b = epi_pose_at(m, j->b, &room[1]);
    epi_axis_place x;
    double row[12], f = k->term[i].factor;
    int bad = epi_axis_turned(&j->data, k->term[i].axis, a, b, epi_turned_at(w, k->term[i].turned, m->q), &x);
    if (bad) return bad;
    *sum += f*x.x;
    if (bend) *bend += f*epi_axis_bend(&j->data, k->term[i].axis, a, b);
    if (!G) continue;
    epi_axis_row(&j->data, &x, a, b, row);
    for (int n = 0; n < k->bodies; n++)
      for (int c = 0; c < 6; c++) G[6*n + c] += f*((k->body[n] == j->a ? row[c] : 0) + (k->body[n] == j->b ? row[6 + c] : 0));
  }
  return 0;
}

static int drive_of(const epi_world *w, const epi_world_coupling *k, double t, double x[3])
{
  epi_instant now = epi_instant_of(&w->phase, t);
  x[0] = x[1] = x[2] = 0;
  return driven(&k->drive) ? epi_drive_at(&k->drive, &now, x) : 0;
}

int epi_coupling_row(const epi_world *w, const epi_world_coupling *k, double t, const double *q, double *g, double *gt, double *G)
{
  epi_moving m = {.w = w, .q = q};
  double x[3];
  int bad = sum_of(w, k, &m, g, G, NULL);
  if (!bad) bad = drive_of(w, k, t, x);
  if (bad) return bad;
  *g -= k->sum + x[0];
  *gt = -x[1];
  return 0;
}

int epi_coupling_bend(const epi_world *w, const epi_world_coupling *k, double t, const double *q, const double *v, double *out)
{
  epi_moving m = {.w = w, .q = q, .v = v};
  double x[3], sum;
  int bad = sum_of(w, k, &m, &sum, NULL, out);
  if (!bad) bad = drive_of(w, k, t, x);
  if (!bad) *out -= x[2];
  return bad;
}

int epi_coupling_cols(const epi_world *w, const epi_world_coupling *k, int *cols)
{
  for (int n = 0; n < k->bodies; n++) for (int c = 0; c < 6; c++) cols[6*n + c] = w->body[k->body[n]].v + c;
  return 6*k->bodies;
}

/* what it is at the start: held there, or the drive begins there; an angle that is moved begins in the turn of its drive */
int epi_world_begin_couplings(epi_world *w)
{
  for (int i = 0; i < w->couplings; i++) {
    epi_world_coupling *k = &w->coupling[i];
    epi_moving m = {.w = w, .q = w->q};
    double sum, x[3] = {0}, turn = 2*EPI_PI*k->term[0].factor;
    if (sum_of(w, k, &m, &sum, NULL, NULL))
      return epi_world_wrong(w, "the coupling %s has no position at the start: see how the bodies of its joints stand", k->name);
    /* what has no value there says so in the first step, with the time */
    if (drive_of(w, k, 0, x)) x[0] = 0;
    k->first = w->nc++;
    if (k->from_start || !driven(&k->drive)) k->sum = sum - x[0];
    else k->sum = k->terms == 1 && k->term[0].turned ? turn*round((sum - x[0])/turn) : 0;
  }
  return 0;
}

static int wrong_mesh(const epi_world *w, const epi_coupling *c)
{
  if (c->terms != 2 || !epi_axis_is_turn(c->term[0].axis) || !epi_axis_is_turn(c->term[1].axis)) return 1;
  return w->joint[epi_joint_numbered(w, c->term[0].joint)].b != w->joint[epi_joint_numbered(w, c->term[1].joint)].b ||
    !(fabs(c->pressure) < 1.2);
}

static int wrong(epi_world *w, const epi_coupling *c, const char *name)
{
  char words[200];
  if (c->terms < 1 || c->terms > EPI_TERMS)
    return epi_world_wrong(w, "the coupling %s has %d axes: give 1 to %d", name, c->terms, EPI_TERMS);
  for (int i = 0; i < c->terms; i++) {
    int which = epi_joint_numbered(w, c->term[i].joint), axis = c->term[i].axis;
    double f = c->term[i].factor;
    if (which < 0) return epi_world_wrong(w, "the coupling %s is of joint %d, and there is none of that number: give what epi_add_joint "
                                          "returned", name, c->term[i].joint);
    if (axis == EPI_SWING) return epi_world_wrong(w, "the coupling %s is of a swing, which is in no direction: take an axis", name);
    if (epi_axis_wrong(&w->joint[which], axis, words, sizeof words))
      return epi_world_wrong(w, "the joint %s %s", w->joint[which].name, words);
    if (!isfinite(f) || f == 0) return epi_world_wrong(w, "the coupling %s has the factor %g: give one that is not zero", name, f);
    for (int n = 0; n < i; n++)
      if (c->term[n].joint == c->term[i].joint && c->term[n].axis == axis)
        return epi_world_wrong(w, "the coupling %s has the same axis of %s twice: take two axes", name, w->joint[which].name);
  }
  if (c->mesh && wrong_mesh(w, c))
    return epi_world_wrong(w, "the coupling %s has a mesh, and its two hinges have not one body b: give both one, or leave .mesh zero",
                           name);
  for (int i = 0; i < w->couplings && c->terms == 1; i++) {
    const epi_world_coupling *k = &w->coupling[i];
    int which = epi_joint_numbered(w, c->term[0].joint);
    if (k->terms == 1 && k->term[0].joint == which && k->term[0].axis == c->term[0].axis)
      return epi_world_wrong(w, "%s and %s both say where one axis of the joint %s is: take one of them away", k->name, name,
                             w->joint[which].name);
  }
  return 0;
}

static void add_end(epi_world_coupling *k, int body)
{
  if (body < 0) return;
  for (int i = 0; i < k->bodies; i++) if (k->body[i] == body) return;
  k->body[k->bodies++] = body;
}

int epi_add_coupling(epi_world *w, const epi_coupling *c)
{
  char number[EPI_NAME];
  if (epi_world_closed(w)) return -1;
  snprintf(number, sizeof number, "coupling%d", w->couplings + 1);
  const char *name = c->name ? c->name : number;
  if (wrong(w, c, name)) return -1;
  if (epi_world_grow(w, (void **)&w->coupling, w->couplings + 1, &w->room_coupling, sizeof *w->coupling)) return -1;
  epi_world_coupling *k = &w->coupling[w->couplings];
  *k = (epi_world_coupling){.terms = c->terms, .drive = c->drive, .from_start = c->from_start, .driven = driven(&c->drive),
                            .mesh = c->mesh, .pressure = c->pressure};
  snprintf(k->name, sizeof k->name, "%s", name);
  for (int i = 0; i < c->terms; i++) {
    int which = epi_joint_numbered(w, c->term[i].joint), turned = epi_world_turned(w, which, c->term[i].axis);
    if (turned < 0) return -1;
    k->term[i].joint = which;
    k->term[i].axis = c->term[i].axis;
    k->term[i].factor = c->term[i].factor;
    k->term[i].turned = turned;
    add_end(k, w->joint[which].a);
    add_end(k, w->joint[which].b);
  }
  return epi_world_number(w, EPI_COUPLING_NUMBER - w->couplings++);
}

/* what it does to the bodies of one of its axes, by the multiplier of the motion; added to out */
int epi_coupling_action(const epi_world *w, const epi_world_coupling *k, const epi_state *s, int term, epi_action *out)
{
  const epi_world_joint *j = &w->joint[k->term[term].joint];
  epi_moving m = {.w = w, .q = s->y};
  epi_pose room[2];
  const epi_pose *a = epi_pose_at(&m, j->a, &room[0]), *b = epi_pose_at(&m, j->b, &room[1]);
  epi_axis_place x;
  double G[12], moment[3], push = s->lambda ? s->lambda[w->nc + k->first]*k->term[term].factor : 0;
  int bad = epi_axis_at(&j->data, k->term[term].axis, a, b, &x);
  if (bad) return bad;
  epi_axis_row(&j->data, &x, a, b, G);
  for (int i = 0; i < 3; i++) { out->force[i] += push*G[i]; out->normal[i] = x.n[i]; }
  for (int side = 0; side < 2; side++) {
    epi_out_of(side ? b->R : a->R, G + 3 + 6*side, moment);
    for (int i = 0; i < 3; i++) out->moment[side][i] += push*moment[i];
  }
  out->about = x.about;
  out->load = push;
  return 0;
}

/* the pitch point lies on the line of centres, from the first by f1/(f1 + f2) of it; there the wheels have one speed */
int epi_coupling_tooth(const epi_world *w, const epi_world_coupling *k, const epi_state *s, double force[3], double at[3])
{
  epi_moving m = {.w = w, .q = s->y};
  double centre[2][3], n[2][3], apart[3], tangent[3];
  for (int i = 0; i < 2; i++) {
    const epi_world_joint *j = &w->joint[k->term[i].joint];
    epi_pose room[2];
    const epi_pose *a = epi_pose_at(&m, j->a, &room[0]), *b = epi_pose_at(&m, j->b, &room[1]);
    epi_axis_place x;
    if (epi_axis_at(&j->data, k->term[i].axis, a, b, &x)) return EPI_TOO_FAR;
    memcpy(n[i], x.n, sizeof x.n);
    epi_out_of(a->R, j->data.at_a, centre[i]);
    for (int c = 0; c < 3; c++) centre[i][c] += a->r[c];
  }
  for (int c = 0; c < 3; c++) apart[c] = centre[1][c] - centre[0][c];
  double along = epi_dot(apart, n[0]), f1 = k->term[0].factor, f2 = k->term[1].factor*(epi_dot(n[0], n[1]) < 0 ? -1 : 1);
  for (int c = 0; c < 3; c++) apart[c] -= along*n[0][c];
  double far = sqrt(epi_dot(apart, apart)), reach = f1/(f1 + f2)*far;
  if (!(far > 0) || !isfinite(reach)) return EPI_TOO_FAR;
  for (int c = 0; c < 3; c++) apart[c] /= far;
  epi_vector_cross(n[0], apart, tangent);
  /* the smaller wheel is pushed to its centre: that lies behind the point, seen from the first, or before it */
  double push = (s->lambda ? s->lambda[w->nc + k->first] : 0)*f1/reach, out = fabs(push)*tan(k->pressure);
  double sign = fabs(f1) <= fabs(f2) ? (reach > 0 ? -1 : 1) : reach > far ? 1 : -1;
  for (int c = 0; c < 3; c++) {
    force[c] = push*tangent[c] + sign*out*apart[c];
    at[c] = centre[0][c] + reach*apart[c];
  }
  return 0;
}
