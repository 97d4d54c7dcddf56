/* joint.c - joints between two bodies: rows g = 0 that multipliers or stiff springs hold. Springs pull by -G^T (k g + c g'), so that the
 * one is the limit of the other and their Jacobian is -G^T (k, c) G */
#include "parts.h"
#include "joint/spline.h"
#include <stdio.h>

static double along(const double *G, const epi_pose *a, const epi_pose *b)
{
  double wa[3], wb[3];
  epi_into(a->R, a->w, wa);
  epi_into(b->R, b->w, wb);
  return epi_dot(G, a->v) + epi_dot(G + 3, wa) + epi_dot(G + 6, b->v) + epi_dot(G + 9, wb);
}

static double turned(void *data, double t, double *rate)
{
  (void)t;
  *rate = ((double *)data)[1];
  return ((double *)data)[0];
}

static int turns(const epi_joint *j) { return j->turn.at || j->turn.amplitude != 0; }

static int stretches(const epi_joint *j) { return j->hold == EPI_ROD && (j->stretch.at || j->stretch.amplitude != 0); }

/* its point on b moves: the row of a point has in G what the force on a is, and that is how it changes with the point of b */
static int driven_rows(const epi_world_joint *j, double t, const epi_pose *a, const epi_pose *b, epi_joint_rows *out)
{
  epi_joint now = j->data;
  epi_instant instant = epi_instant_of(j->driven, t);
  double at[3], rate[3], accel[3], v[3], turn[3], longer[3] = {0};
  int bad = epi_drives_at(now.motion, epi_drives_count(now.motion), &instant, at, rate, accel);
  if (!bad && turns(&now)) bad = epi_drive_at(&now.turn, &instant, turn);
  if (!bad && stretches(&now)) bad = epi_drive_at(&now.stretch, &instant, longer);
  if (bad) return bad;
  if (stretches(&now) && !((now.length += longer[0]) > 0)) return EPI_DRIVE_SAID + EPI_DRIVES*(EPI_DRIVE_CODES + 1);
  if (turns(&now)) { now.angle = turned; now.data = turn; }
  for (int i = 0; i < 3; i++) now.at_b[i] += at[i];
  if ((bad = j->kind->eval(&now, t, a, b, out))) return bad;
  epi_out_of(b->R, rate, v);
  for (int k = 0; k < j->rows; k++) out->gt[k] -= epi_dot(out->G[k], v);
  if (stretches(&now)) out->gt[0] -= longer[1];
  return 0;
}

/* what turns by a drive, or is stretched by one: rates are linear in its speed, so its acceleration comes with what a unit of speed does */
static int driven_bend(const epi_world_joint *j, double t, const epi_pose *a, const epi_pose *b, double out[6])
{
  epi_joint now = j->data;
  epi_instant instant = epi_instant_of(j->driven, t);
  epi_joint_rows unit = {.g = {0}};
  double x[3], turn[2];
  int bad = epi_drive_at(turns(&now) ? &now.turn : &now.stretch, &instant, x);
  if (bad) return bad;
  if (!turns(&now)) {
    bad = j->kind->bend(&now, t, a, b, out);
    out[0] -= x[2];
    return bad;
  }
  turn[0] = x[0];
  turn[1] = x[1];
  now.angle = turned;
  now.data = turn;
  if ((bad = j->kind->bend(&now, t, a, b, out))) return bad;
  turn[1] = 1;
  bad = j->kind->eval(&now, t, a, b, &unit);
  for (int k = 0; k < j->rows; k++) out[k] += x[2]*unit.gt[k];
  return bad;
}

int epi_world_joint_bend(const epi_world_joint *j, double t, const epi_pose *a, const epi_pose *b, double out[6])
{
  if (!j->kind->bend || j->data.angle || (j->driven && epi_drives_count(j->data.motion))) return EPI_NO_BEND;
  return j->driven ? driven_bend(j, t, a, b, out) : j->kind->bend(&j->data, t, a, b, out);
}

int epi_world_joint_rows(const epi_world_joint *j, double t, const epi_pose *a, const epi_pose *b, epi_joint_rows *out, double rate[6])
{
  memset(out, 0, offsetof(epi_joint_rows, G) + (size_t)j->rows*sizeof out->G[0]);
  int bad = j->driven ? driven_rows(j, t, a, b, out) : j->kind->eval(&j->data, t, a, b, out);
  for (int k = 0; k < j->rows && rate; k++) rate[k] = along(out->G[k], a, b) + out->gt[k];
  return bad;
}

void epi_joint_pull(const epi_world_joint *j, const epi_joint_rows *r, const double rate[6], double pull[6])
{
  for (int k = 0; k < j->rows; k++) {
    int turn = j->turns >> k & 1;
    pull[k] = -(j->data.stiffness[turn]*r->g[k] + j->data.damping[turn]*rate[k]);
  }
}

/* row k of a joint, in the words of a model file where it has some */
static void name_row(const epi_world_joint *j, int k, char *out, size_t size)
{
  static const char *const words[] = {"x", "y", "z", "rx", "ry", "rz"};
  int row = 0, n = 0;
  if (j->kind->rows == 1) snprintf(out, size, "what");
  else snprintf(out, size, "row %d of what", k + 1);
  for (int i = 0; i < 6 && !j->kind->rows; i++)
    if (j->data.hold >> i & 1 && row++ == k) n = snprintf(out, size, "%s of", words[i]);
  for (int i = 0, first = 1; i < 6 && n; i++)
    if (j->data.hold >> i & 1) n += snprintf(out + n, size - (size_t)n, "%s%s", first ? " [" : ", ", words[i]), first = 0;
  if (n) snprintf(out + n, size - (size_t)n, "] that");
}

void epi_world_constraint_name(epi_system *s, int c, char *out, size_t size)
{
  const epi_world *w = s->data;
  char row[64];
  for (int i = 0; i < w->couplings; i++) if (w->coupling[i].first == c) snprintf(out, size, "what %s couples", w->coupling[i].name);
  for (int i = 0; i < w->joints; i++) {
    const epi_world_joint *j = &w->joint[i];
    if (j->as != EPI_CONSTRAINT || c < j->first || c >= j->first + j->rows) continue;
    name_row(j, c - j->first, row, sizeof row);
    snprintf(out, size, "%s the joint %s holds between %s and %s", row, j->name, w->body[j->a].name,
             j->b < 0 ? "the ground" : w->body[j->b].name);
  }
}

/* how many rows, and which of them are turns: those of the record, or what hold says */
static void count_rows(epi_world_joint *b)
{
  b->rows = b->kind->rows;
  b->turns = b->kind->turns;
  if (b->rows) return;
  for (int k = 0; k < 6; k++) if (b->data.hold >> k & 1) b->turns |= (k >= 3 ? 1u : 0) << b->rows++;
}

static int wrong(epi_world *w, const epi_world_joint *b)
{
  const epi_joint *j = &b->data;
  char words[160];
  if (!b->kind->name || !b->kind->eval) return epi_world_wrong(w, "the joint %s has a kind without a name or eval: give both", b->name);
  if (j->a < 0 || j->a >= w->bodies || j->b < EPI_GROUND || j->b >= w->bodies || j->a == j->b)
    return epi_world_wrong(w, "the joint %s is between body %d and %d: a is a body, b another or EPI_GROUND", b->name, j->a, j->b);
  if (b->kind->check && b->kind->check(j, words, sizeof words)) return epi_world_wrong(w, "the joint %s %s", b->name, words);
  if (b->rows < 1 || b->rows > 6)
    return epi_world_wrong(w, "the joint %s is of the kind %s, which has %d rows: give 1 to 6", b->name, b->kind->name, b->rows);
  if (j->as != EPI_PENALTY && j->as != EPI_CONSTRAINT)
    return epi_world_wrong(w, "the joint %s is held as %d: take EPI_PENALTY or EPI_CONSTRAINT", b->name, j->as);
  for (int k = 0, n = epi_drives_count(j->motion); k < n; k++)
    if (epi_drive_wrong(&j->motion[k], words, sizeof words)) return epi_world_wrong(w, "the joint %s %s", b->name, words);
  unsigned all = (1u << b->rows) - 1;
  if (j->as == EPI_PENALTY && (((b->turns & all) != all && !(j->stiffness[0] > 0)) || (b->turns & all && !(j->stiffness[1] > 0))))
    return epi_world_wrong(w, "the joint %s is a penalty without stiffness: give stiffness {N/m, N m}, or .as = EPI_CONSTRAINT", b->name);
  return 0;
}

/* through its points; kept as the curve of the joint */
static int take_curve(epi_world *w, epi_world_joint *b, const epi_joint *j)
{
  char words[160];
  epi_spline *made = epi_spline_make(j->curve, j->points, j->closed, words, sizeof words);
  b->made = made;
  b->data.curve = (const double *)(const void *)made;
  return made ? 0 : *words ? epi_world_wrong(w, "the joint %s %s", b->name, words) : epi_world_no_memory(w);
}

int epi_add_joint(epi_world *w, const epi_joint *j)
{
  if (epi_world_closed(w) || epi_world_grow(w, (void **)&w->joint, w->joints + 1, &w->room[2], sizeof *w->joint)) return -1;
  epi_world_joint *b = &w->joint[w->joints];
  *b = (epi_world_joint){.a = j->a, .b = j->b, .as = j->as, .kind = epi_joint_kind_of(j), .data = *j};
  if (b->kind->hold && !b->kind->rows) b->data.hold = b->kind->hold;
  snprintf(b->name, sizeof b->name, "%s", j->name ? j->name : j->kind && j->kind->name ? j->kind->name : "joint");
  count_rows(b);
  if (wrong(w, b)) return -1;
  int own = j->own ? epi_joint_own(b->kind) : 0;
  if (own && !(b->own = malloc((size_t)own*sizeof *b->own))) return epi_world_no_memory(w);
  if (own) memcpy(b->own, j->own, (size_t)own*sizeof *b->own);
  b->data.own = b->own;
  if (b->kind->hold == EPI_ON_CURVE && take_curve(w, b, j)) return -1;
  if (epi_drives_count(j->motion) || turns(j) || stretches(j)) b->driven = &w->phase;
  b->first = w->nc;
  if (b->as == EPI_CONSTRAINT) w->nc += b->rows;
  return epi_world_number(w, -1 - w->joints++);
}
