/* axis.c - axes of joints: the angle about one, the way along one, how far two are apart; their gradients and second derivatives */
#include "axis.h"
#include "joint.h"
#include <stdio.h>

int epi_axis_is_turn(int axis) { return axis >= EPI_RX; }

static int count(int bits)
{
  int n = 0;
  for (; bits; bits >>= 1) n += bits & 1;
  return n;
}

static const char *word_of(int axis)
{
  static const char *const words[] = {"x", "y", "z", "rx", "ry", "rz"};
  for (int i = 0; i < 6; i++) if (axis == 1 << i) return words[i];
  return axis == EPI_SWING ? "swing" : "an axis that there is not";
}

/* the axes a joint leaves free, those of them that have one meaning */
static int free_of(const epi_world_joint *j)
{
  if (j->kind->hold == EPI_UNIVERSAL) return EPI_RX | EPI_RZ | EPI_SWING;
  if (j->kind->rows || j->data.hold & ~EPI_ALL) return 0;
  int turns = EPI_TURNS & ~j->data.hold, ways = EPI_POINT & ~j->data.hold;
  return ways | (count(turns) == 1 ? turns : count(turns) > 1 ? EPI_SWING : 0);
}

int epi_axis_wrong(const epi_world_joint *j, int axis, char *words, size_t size)
{
  int found = free_of(j), n = 0;
  const epi_joint *d = &j->data;
  int turned = d->speed != 0 || d->angle || d->turn.at || d->turn.amplitude != 0;
  if (count(axis) == 1 && found & axis) {
    if (epi_axis_is_turn(axis) || (!epi_drives_count(d->motion) && !turned)) return 0;
    snprintf(words, size, "is moved or turned by a drive, so nothing acts along its %s: let it act on another joint", word_of(axis));
    return 1;
  }
  n = snprintf(words, size, "has no free axis %s: ", word_of(axis));
  if (!found) snprintf(words + n, size - (size_t)n, "it leaves none free that has one meaning; take a hinge, a slider, a cylindrical or "
                       "a universal joint");
  else n += snprintf(words + n, size - (size_t)n, "it leaves free");
  for (int i = 0; found && i < 11; i++)
    if (found >> i & 1 && (size_t)n < size) n += snprintf(words + n, size - (size_t)n, " %s", word_of(1 << i));
  return 1;
}

/* the angle of s, of one body, between the axes c and p of the other: atan2(s.p, s.c). sign: -1 where s is of b */
typedef struct { double s[3], p[3], c[3], sign; } pointer;
static void axis_of(const double *R, const double *frame, int k, double *out)
{
  double F[9], u[3];
  epi_rotation_of_any(frame, F);
  for (int i = 0; i < 3; i++) u[i] = F[3*i + k];
  epi_out_of(R, u, out);
}

static pointer pointer_of(const epi_joint *j, int axis, const epi_pose *a, const epi_pose *b)
{
  pointer o = {.sign = 1};
  int k = axis == EPI_RX ? 0 : axis == EPI_RY ? 1 : 2, side = (k + 1) % 3, ahead = (k + 2) % 3;
  if (j->hold == EPI_UNIVERSAL && axis == EPI_RX) {
    o.sign = -1;
    axis_of(b->R, j->frame_b, 2, o.s);
    axis_of(a->R, j->frame_a, 1, o.p);
    axis_of(a->R, j->frame_a, 2, o.c);
    return o;
  }
  axis_of(a->R, j->frame_a, side, o.s);
  axis_of(b->R, j->frame_b, ahead, o.p);
  axis_of(b->R, j->frame_b, side, o.c);
  return o;
}

static int swing_at(const epi_joint *j, const epi_pose *a, const epi_pose *b, epi_axis_place *out)
{
  double za[3], zb[3], across[3];
  axis_of(a->R, j->frame_a, 2, za);
  axis_of(b->R, j->frame_b, 2, zb);
  epi_vector_cross(zb, za, across);
  double sine = sqrt(epi_dot(across, across));
  out->x = atan2(sine, epi_dot(za, zb));
  /* straight, it swings out to nowhere; turned round altogether, to everywhere */
  for (int i = 0; i < 3; i++) out->n[i] = sine > 0 ? across[i]/sine : 0;
  return sine > 0 || out->x < 1 ? 0 : EPI_TOO_FAR;
}

int epi_axis_at(const epi_joint *j, int axis, const epi_pose *a, const epi_pose *b, epi_axis_place *out)
{
  *out = (epi_axis_place){.about = epi_axis_is_turn(axis)};
  if (!out->about) {
    double la[3], lb[3], gap[3];
    epi_joint_gap_of(j, a, b, la, lb, gap);
    axis_of(b->R, j->frame_b, axis == EPI_X ? 0 : axis == EPI_Y ? 1 : 2, out->n);
    out->x = epi_dot(out->n, gap);
    return 0;
  }
  if (axis == EPI_SWING) return swing_at(j, a, b, out);
  pointer o = pointer_of(j, axis, a, b);
  double X = epi_dot(o.s, o.c), Y = epi_dot(o.s, o.p), sp[3], sc[3], size = X*X + Y*Y;
  if (!(size > 0)) return EPI_TOO_FAR;
  epi_vector_cross(o.s, o.p, sp);
  epi_vector_cross(o.s, o.c, sc);
  out->x = atan2(Y, X);
  for (int i = 0; i < 3; i++) out->n[i] = o.sign*(X*sp[i] - Y*sc[i])/size;
  return 0;
}

int epi_axis_turned(const epi_joint *j, int axis, const epi_pose *a, const epi_pose *b, const double *near, epi_axis_place *out)
{
  int bad = epi_axis_at(j, axis, a, b, out);
  if (near) out->x += 2*EPI_PI*round((*near - out->x)/(2*EPI_PI));
  return bad;
}

void epi_axis_row(const epi_joint *j, const epi_axis_place *x, const epi_pose *a, const epi_pose *b, double G[12])
{
  double la[3];
  if (!x->about) {
    epi_out_of(a->R, j->at_a, la);
    epi_joint_direction(a, b, x->n, la, G);
    return;
  }
  for (int i = 0; i < 3; i++) G[i] = G[6 + i] = 0;
  epi_into(a->R, x->n, G + 3);
  epi_into(b->R, x->n, G + 9);
  for (int i = 9; i < 12; i++) G[i] = -G[i];
}

double epi_axis_rate(const double G[12], const epi_pose *a, const epi_pose *b)
{
  double wa[3], wb[3];
  epi_into(a->R, a->w, wa);
  epi_into(b->R, b->w, wb);
  return epi_dot(G, a->v) + epi_dot(G + 3, wa) + epi_dot(G + 6, b->v) + epi_dot(G + 9, wb);
}

/* first and second rate of u.w, each fixed in a body that turns steadily */
static void dot_rates(const double *u, const double *wu, const double *w, const double *ww, double *first, double *second)
{
  double u1[3], u2[3], w1[3], w2[3];
  epi_vector_cross(wu, u, u1);
  epi_vector_cross(wu, u1, u2);
  epi_vector_cross(ww, w, w1);
  epi_vector_cross(ww, w1, w2);
  *first = epi_dot(u1, w) + epi_dot(u, w1);
  *second = epi_dot(u2, w) + 2*epi_dot(u1, w1) + epi_dot(u, w2);
}

double epi_axis_bend(const epi_joint *j, int axis, const epi_pose *a, const epi_pose *b)
{
  if (!epi_axis_is_turn(axis)) {
    double la[3], lb[3], gap[3], rate[3], second[3], u[3], u1[3], u2[3];
    epi_joint_motion_of(j, a, b, la, lb, gap, rate, second);
    axis_of(b->R, j->frame_b, axis == EPI_X ? 0 : axis == EPI_Y ? 1 : 2, u);
    epi_vector_cross(b->w, u, u1);
    epi_vector_cross(b->w, u1, u2);
    return epi_dot(u2, gap) + 2*epi_dot(u1, rate) + epi_dot(u, second);
  }
  pointer o = pointer_of(j, axis, a, b);
  const double *ws = o.sign > 0 ? a->w : b->w, *wp = o.sign > 0 ? b->w : a->w;
  double X = epi_dot(o.s, o.c), Y = epi_dot(o.s, o.p), X1, X2, Y1, Y2, size = X*X + Y*Y;
  dot_rates(o.s, ws, o.c, wp, &X1, &X2);
  dot_rates(o.s, ws, o.p, wp, &Y1, &Y2);
  return (X*Y2 - Y*X2)/size - (X*Y1 - Y*X1)*2*(X*X1 + Y*Y1)/(size*size);
}
