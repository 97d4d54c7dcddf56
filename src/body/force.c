/* force.c - forces, energies and constraints of all bodies: what the systems of a world answer. Nothing here grows with the world on the
 * stack, and nothing is written into it but who said no */
#include "race.h"
#include "crew.h"
#include <errno.h>
#include <stdint.h>
#include <stdio.h>

/* ---- who said no ---- */
/* a thread is known by the address of its errno. One number holds both, so that a thread never reads the culprit of another; where more
   threads are refused at once than there is room for, the last ones name nobody */
static unsigned long long me(void) { return (unsigned long long)((uintptr_t)&errno >> 4)*0x9E3779B97F4A7C15u >> 32 << 32; }

/* the entry of this thread, or NULL */
static _Atomic unsigned long long *mine(epi_world *w)
{
  unsigned long long mark = me();
  for (int i = 0; i < EPI_CULPRITS; i++)
    if (atomic_load_explicit(&w->culprit[i], memory_order_relaxed) >> 32 == mark >> 32) return &w->culprit[i];
  return NULL;
}

static void forget(epi_world *w, _Atomic unsigned long long *entry)
{
  atomic_store_explicit(entry, 0, memory_order_relaxed);
  atomic_fetch_sub_explicit(&w->refused, 1, memory_order_relaxed);
}

#define NO_NORMAL 0x80000000u
/* a number is that of a pair, then of a joint, then the ground that is shaken; above it stands what a drive said, and of which axis */
enum { NUMBERS = 1 << 19 };           /* four times EPI_DRIVE_CODES + 1 of them fit below the bit of NO_NORMAL */
static int said_no(const epi_world *said, int number, int bad)
{
  epi_world *w = (epi_world *)said;
  unsigned code = bad >= EPI_DRIVE_SAID ? (unsigned)(bad - EPI_DRIVE_SAID) : 0;
  if (number >= NUMBERS - 1) return bad >= EPI_DRIVE_SAID ? EPI_TOO_FAR : bad == EPI_NO_NORMAL ? EPI_WRONG : bad;
  unsigned long long entry = me() | (unsigned)(1 + number) | code*NUMBERS | (bad == EPI_NO_NORMAL ? NO_NORMAL : 0);
  _Atomic unsigned long long *own = mine(w);
  if (own) atomic_store_explicit(own, entry, memory_order_relaxed);
  for (int i = 0; i < EPI_CULPRITS && !own; i++) {
    unsigned long long none = 0;
    if (!atomic_compare_exchange_strong_explicit(&w->culprit[i], &none, entry, memory_order_relaxed, memory_order_relaxed)) continue;
    atomic_fetch_add_explicit(&w->refused, 1, memory_order_relaxed);
    own = &w->culprit[i];
  }
  return bad == EPI_NO_NORMAL ? EPI_WRONG : bad >= EPI_DRIVE_SAID ? EPI_TOO_FAR : bad;
}

/* what went well after it was no reason for what fails later */
static int said_yes(const epi_world *said)
{
  epi_world *w = (epi_world *)said;
  if (!atomic_load_explicit(&w->refused, memory_order_relaxed)) return 0;
  _Atomic unsigned long long *own = mine(w);
  if (own) forget(w, own);
  return 0;
}

/* in the words of its own, or that it has none */
static int explain_drive(const epi_world *w, int number, int code, char *out, size_t size)
{
  const epi_pair *c = number < w->pairs ? &w->pair[number] : NULL;
  const epi_world_joint *j = !c && number < w->pairs + w->joints ? &w->joint[number - w->pairs] : NULL;
  const epi_world_coupling *k = number > w->pairs + w->joints ? &w->coupling[number - w->pairs - w->joints - 1] : NULL;
  int which = code/(EPI_DRIVE_CODES + 1), spring = c && c->load && c->load->between;
  const epi_drive *list = spring ? ((const epi_spring *)c->data)->motion : j ? j->data.motion : w->shaking;
  const epi_drive *d = k ? &k->drive : which == EPI_DRIVES && j ? j->data.hold == EPI_ROD ? &j->data.stretch : &j->data.turn :
                       &list[which % EPI_DRIVES];
  const char *what = c ? spring ? "the motion of the spring" : c->axis ? "the law of" : "the law of the load" : k ? "the law of" :
                     j ? "the motion of the joint" : "the motion of the ground", *name = c ? c->name : k ? k->name : j ? j->name : "";
  char words[160] = "has no value there";
  if (j && j->data.hold == EPI_ON_CURVE)
    return snprintf(out, size, "the point of the joint %s has left its curve at an end: make the curve longer, or closed", j->name), 2;
  if (j && j->data.hold == EPI_ROD && which == EPI_DRIVES && !(code % (EPI_DRIVE_CODES + 1)))
    return snprintf(out, size, "the length of the rod %s falls to zero: keep it above", j->name), 2;
  code %= EPI_DRIVE_CODES + 1;
  if (c && c->axis) {
    if (c->axis->explain && code) c->axis->explain(c->axis->data, code, words, sizeof words);
  } else if (c && !spring) {
    const epi_applied_force *l = c->data;
    if (l->explain && code) l->explain(l->data, code, words, sizeof words);
  } else if (d->explain && code) d->explain(d->data, code, words, sizeof words);
  snprintf(out, size, "%s%s%s %s", what, *name ? " " : "", name, words);
  return 1;
}

int epi_world_explain(epi_system *s, char *out, size_t size)
{
  epi_world *w = s->data;
  _Atomic unsigned long long *own = mine(w);
  if (!own) return 0;
  unsigned entry = (unsigned)atomic_load_explicit(own, memory_order_relaxed), number = entry % NUMBERS - 1;
  if (number >= (unsigned)w->pairs || w->pair[number].driven) {
    forget(w, own);
    return explain_drive(w, (int)number, (int)((entry & ~NO_NORMAL)/NUMBERS), out, size);
  }
  const epi_pair *c = &w->pair[number];
  const char *a = w->body[c->a].name, *b = c->b < 0 ? "the ground" : w->body[c->b].name;
  forget(w, own);
  if (entry & NO_NORMAL) {
    snprintf(out, size, "%s, between %s and %s, is touched along a normal that is no unit vector: let touch of %s divide it by its length",
             c->name, a, b, c->contact->kind->name);
    return 2;
  }
  snprintf(out, size, "%s, between %s and %s, was passed through or exploded", c->name, a, b);
  return 1;
}

/* ---- the phase ---- */
/* as this system has it: averages shift it, or hold it */
epi_uniform_phase epi_world_phase(const epi_system *s)
{
  const epi_world *w = s->data;
  return (epi_uniform_phase){s->phase.held ? 0 : w->phase.rate, w->phase.theta0 + s->phase.shift};
}

const epi_world_joint *epi_joint_seen(const epi_world_joint *j, const epi_uniform_phase *now, epi_world_joint *room)
{
  if (!j->driven || !now) return j;
  *room = *j;
  room->driven = now;
  return room;
}

/* ---- forces ---- */
/* in the velocities of the bodies: force in space, moment in the body */
static void settle(const epi_moving *m)
{
  for (int i = 0; i < m->w->bodies && m->wrench; i++) {
    const epi_wrench *x = &m->wrench[i];
    double *o = m->f + m->w->body[i].v, own[3];
    epi_into(m->pose[i].R, x->m, own);
    for (int k = 0; k < 3; k++) { o[k] += x->f[k]; o[3+k] += own[k]; }
  }
}

/* with others of its kind, not by itself */
static int goes_together(const epi_world *w, int i) { return (w->races && w->taken[i] == 1) || (w->rollers && w->taken[i] == 2); }

/* forces on modes go where they belong at once */
static void aim(const epi_moving *m, const epi_pair *c, const epi_pose *a, const epi_pose *b, epi_action *out)
{
  if (a->e) out->modal[0] = m->f + m->w->body[c->a].v + 6;
  if (b->e) out->modal[1] = m->f + m->w->body[c->b].v + 6;
}

/* the actions of a kind that do not go together with others */
static int act_each(const epi_moving *m, double t, int stiff, int still)
{
  const epi_world *w = m->w;
  for (int i = 0; i < w->pairs && w->kinds[2*stiff + still]; i++) {
    const epi_pair *c = &w->pair[i];
    if (goes_together(w, i) || !(c->kind & EPI_STIFF) != !stiff || !(c->kind & EPI_CONSERVATIVE) != !still) continue;
    epi_action out = {.load = 0};
    epi_pose room[2];
    const epi_pose *a = epi_pose_at(m, c->a, &room[0]), *b = epi_pose_at(m, c->b, &room[1]);
    if (w->mode) aim(m, c, a, b, &out);
    out.turned = epi_turned_at(w, c->turned, m->q);
    int bad = c->driven && m->now ? epi_driven_act(c, m->now, a, b, &out) : epi_pair_act(c, t, a, b, &out);
    if (bad) return said_no(w, i, bad);
    epi_push(m, c->a, a, 1, out.force, out.moment[0]);
    epi_push(m, c->b, b, -1, out.force, out.moment[1]);
    if (m->link) epi_pair_link(c, &out, a, b, &m->link[i]);
  }
  return 0;
}

/* stiff or not, of position or not. Grooves go together, and rollers: last, so that helpers have begun with them */
static int act_all(const epi_moving *m, double t, int stiff, int still)
{
  const epi_world *w = m->w;
  int together = (w->races || w->rollers) && !stiff && !still, rolls = together && w->rollers;
  if (!w->kinds[2*stiff + still] && !together) return 0;
  if (m->wrench) memset(m->wrench, 0, (size_t)w->bodies*sizeof *m->wrench);
  unsigned job = rolls && w->crew ? epi_crew_open(w->crew, m) : 0;
  int no = together && w->races ? epi_races_act(w->races, m) : 0;
  int bad = no ? said_no(w, no - 1, EPI_TOO_FAR) : act_each(m, t, stiff, still);
  if (bad) { if (job) epi_crew_drop(w->crew, job); return bad; }
  no = !rolls ? 0 : w->crew ? epi_crew_close(w->crew, m, job) : epi_rollers_act(w->rollers, m);
  if (no) return said_no(w, no - 1, EPI_TOO_FAR);
  settle(m);
  return said_yes(w);
}

static int hold_all(const epi_moving *m, const epi_uniform_phase *now, double t)
{
  const epi_world *w = m->w;
  for (int i = 0; i < w->joints; i++) {
    epi_world_joint own;
    const epi_world_joint *j = epi_joint_seen(&w->joint[i], now, &own);
    if (j->as != EPI_PENALTY) continue;
    epi_joint_rows r;
    epi_pose room[2];
    double pull[6], rate[6];
    int bad = epi_world_joint_rows(j, t, epi_pose_at(m, j->a, &room[0]), epi_pose_at(m, j->b, &room[1]), &r, rate);
    if (bad) return bad >= EPI_DRIVE_SAID ? said_no(w, w->pairs + i, bad) : bad;
    epi_joint_pull(j, &r, rate, pull);
    for (int k = 0; k < j->rows; k++)
      for (int c = 0; c < 12; c++) {
        int body = c < 6 ? j->a : j->b;
        if (body >= 0) m->f[w->body[body].v + c % 6] += r.G[k][c]*pull[k];
      }
  }
  return 0;
}

static void modes_all(const epi_world *w, const double *q, const double *v, double *f)
{
  for (int i = 0; i < w->stiff_bodies; i++) {
    const epi_member *m = &w->body[w->stiff_body[i]];
    for (int k = 0; k < m->modes; k++)
      f[m->v + 6 + k] -= m->modal_stiffness[k]*q[m->q + 7 + k] + m->modal_damping[k]*v[m->v + 6 + k];
  }
}

/* all bodies where they are few; each as it is needed where they are many */
static void place_all(epi_moving *m)
{
  for (int i = 0; i < m->w->bodies && m->pose; i++) epi_pose_of(&m->w->body[i], m->q, m->v, &m->pose[i]);
}

/* gravity alone, written to f */
static int weigh(const epi_world *w, const epi_instant *now, double *f)
{
  double felt[3];
  const double *g = w->shaken ? felt : w->gravity;
  int bad = w->shaken ? epi_gravity_at(w, now, felt) : 0;
  memset(f, 0, (size_t)w->nv*sizeof *f);
  for (int i = 0; i < w->bodies; i++)
    for (int k = 0; k < 3; k++) f[w->body[i].v + k] += w->body[i].mass*g[k];
  return bad ? said_no(w, w->pairs + w->joints, bad) : 0;
}

/* of position: gravity, springs, contacts that keep their energy, laws */
static int still_forces(const epi_world *w, const epi_instant *now, const double *q, double *f)
{
  int bad = weigh(w, now, f);
  if (bad || !w->kinds[1]) return bad;
  epi_pose pose[EPI_FEW_BODIES];
  epi_wrench wrench[EPI_FEW_BODIES];
  int few = w->bodies <= EPI_FEW_BODIES;
  epi_moving m = {.w = w, .q = q, .f = f, .pose = few ? pose : NULL, .wrench = few ? wrench : NULL, .now = now};
  place_all(&m);
  return act_all(&m, now->t, 0, 1);
}

int epi_world_force(epi_system *s, double t, const double *q, double *f)
{
  const epi_world *w = s->data;
  epi_uniform_phase phase = epi_world_phase(s);
  epi_instant now = epi_instant_of(&phase, t);
  return still_forces(w, &now, q, f);
}

/* the same where the phase is told, as averages do */
int epi_world_forced(epi_system *s, double t, double theta, const double *q, double *f)
{
  const epi_world *w = s->data;
  return still_forces(w, &(epi_instant){t, theta, w->phase.rate}, q, f);
}

/* of velocity as well: contacts with damping and friction, dampers, the gyroscopic torques */
int epi_world_velocity_force(epi_system *s, double t, const double *q, const double *v, double *f)
{
  const epi_world *w = s->data;
  for (int i = 0; i < w->bodies; i++) epi_gyro(w->body[i].inertia, v + w->body[i].v + 3, f + w->body[i].v + 3);
  if (!w->kinds[0] && !w->races && !w->rollers) return 0;
  epi_pose pose[EPI_FEW_BODIES];
  epi_wrench wrench[EPI_FEW_BODIES];
  int few = w->bodies <= EPI_FEW_BODIES;
  epi_uniform_phase phase = epi_world_phase(s);
  epi_instant now = epi_instant_of(&phase, t);
  epi_moving m = {.w = w, .q = q, .v = v, .f = f, .pose = few ? pose : NULL, .wrench = few ? wrench : NULL, .now = &now};
  place_all(&m);
  return act_all(&m, t, 0, 0);
}

/* both at once, and what the pairs know beside their forces; in the order of the two above, to the same bits */
int epi_world_linked_force(epi_system *s, double t, const double *q, const double *v, double *f, epi_link *link)
{
  const epi_world *w = s->data;
  epi_pose pose[EPI_FEW_BODIES];
  epi_wrench wrench[EPI_FEW_BODIES];
  int few = w->bodies <= EPI_FEW_BODIES;
  epi_moving m = {.w = w, .q = q, .v = v, .f = f, .pose = few ? pose : NULL, .wrench = few ? wrench : NULL, .link = link};
  epi_instant now = epi_instant_of(&w->phase, t);
  int bad = weigh(w, &now, f);
  if (bad) return bad;
  place_all(&m);
  bad = act_all(&m, t, 0, 1);
  if (bad) return bad;
  for (int i = 0; i < w->bodies; i++) epi_gyro(w->body[i].inertia, v + w->body[i].v + 3, f + w->body[i].v + 3);
  return act_all(&m, t, 0, 0);
}

/* what is stiff: joints as springs, modes, actions declared so. Only the bodies it acts on are placed */
int epi_world_stiff_force(epi_system *s, double t, const double *q, const double *v, double *f)
{
  const epi_world *w = s->data;
  epi_pose pose[EPI_FEW_BODIES];
  epi_wrench wrench[EPI_FEW_BODIES];
  int few = w->bodies <= EPI_FEW_BODIES, bad;
  epi_uniform_phase phase = epi_world_phase(s);
  epi_instant now = epi_instant_of(&phase, t);
  epi_moving m = {.w = w, .q = q, .v = v, .f = f, .pose = few ? pose : NULL, .wrench = few ? wrench : NULL, .now = &now};
  if (!w->stiff_bodies) return 0;
  /* settle looks at all of them */
  if (few && w->kinds[2] + w->kinds[3]) place_all(&m);
  else for (int i = 0; i < w->stiff_bodies && few; i++) epi_pose_of(&w->body[w->stiff_body[i]], q, v, &pose[w->stiff_body[i]]);
  if ((bad = hold_all(&m, &phase, t))) return bad;
  modes_all(w, q, v, f);
  bad = act_all(&m, t, 1, 0);
  return bad ? bad : act_all(&m, t, 1, 1);
}

int epi_world_all_forces(epi_system *s, double t, const double *q, const double *v, double *f)
{
  int bad = epi_world_velocity_force(s, t, q, v, f);
  return bad ? bad : epi_world_stiff_force(s, t, q, v, f);
}

/* ---- slope and constraints ---- */
/* of row k: the velocities it touches, and which of its twelve numbers belong to them */
int epi_joint_cols(const epi_world *w, const epi_world_joint *j, int k, int cols[12], int from[12])
{
  int n = 0, turn = j->turns >> k & 1;
  for (int c = 0; c < 12; c++) {
    int body = c < 6 ? j->a : j->b;
    if (body < 0 || (turn && c % 6 < 3)) continue;
    cols[n] = w->body[body].v + c % 6;
    from[n++] = c;
  }
  return n;
}

/* -G^T (a k + b c) G of the joints, and the modes; into(i, k) is where row i has its entry of column k */
typedef struct { const epi_world *w; double *A; } dense;
typedef double *into(const void *to, int i, int k);
static double *dense_at(const void *to, int i, int k) { const dense *d = to; return d->A + (long)i*d->w->nv + k; }
static double *sparse_at(const void *to, int i, int k)
{
  const dense *d = to;
  int low = d->w->slope.rowptr[i], high = d->w->slope.rowptr[i + 1] - 1;
  while (low < high) {
    int mid = (low + high)/2;
    if (d->w->slope.cols[mid] < k) low = mid + 1;
    else high = mid;
  }
  return d->A + low;
}

/* of a stiff spring or contact: along its line by stiffness and damping, across it by the slope of the traction. What a sliced contact or
   an action of the user's has beside that, differences find */
static int slope_of_pair(const epi_world *w, const epi_pair *c, double t, const epi_moving *m, double a, double b, into *at, const void *to)
{
  epi_action out = {.load = 0};
  epi_pose room[2];
  const epi_pose *pa = epi_pose_at(m, c->a, &room[0]), *pb = epi_pose_at(m, c->b, &room[1]);
  out.turned = epi_turned_at(w, c->turned, m->q);
  int cols[12], from[12], bad = epi_pair_act(c, t, pa, pb, &out);
  if (bad) return said_no(w, (int)(c - w->pair), bad);
  double x = a*out.stiffness + b*(out.damping - out.traction), y = b*out.traction, normal[3];
  memcpy(normal, out.normal, sizeof normal);
  for (int k = 0; k < (y != 0 ? 4 : 1); k++) {
    double G[12], s = k ? y : x;
    for (int i = 0; i < 3; i++) out.normal[i] = k ? k == i + 1 : normal[i];
    epi_pair_row(&out, pa, pb, G);
    int n = epi_joint_cols(w, &(epi_world_joint){.a = c->a, .b = c->b}, 0, cols, from);
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) *at(to, cols[i], cols[j]) -= s*G[from[i]]*G[from[j]];
  }
  return 0;
}

static int slope_of(const epi_world *w, double t, const double *y, double a, double b, into *at, const void *to)
{
  epi_moving m = {.w = w, .q = y, .v = y + w->nq};
  for (int i = 0; i < w->pairs && w->kinds[2] + w->kinds[3]; i++) {
    const epi_pair *c = &w->pair[i];
    int bad = c->kind & EPI_STIFF && (c->contact || c->load || c->axis) ? slope_of_pair(w, c, t, &m, a, b, at, to) : 0;
    if (bad) return bad;
  }
  for (int i = 0; i < w->joints; i++) {
    const epi_world_joint *j = &w->joint[i];
    if (j->as != EPI_PENALTY) continue;
    epi_joint_rows r;
    epi_pose room[2];
    int cols[12], from[12], bad = epi_world_joint_rows(j, t, epi_pose_at(&m, j->a, &room[0]), epi_pose_at(&m, j->b, &room[1]), &r, NULL);
    if (bad) return bad >= EPI_DRIVE_SAID ? said_no(w, w->pairs + i, bad) : bad;
    for (int k = 0; k < j->rows; k++) {
      int turn = j->turns >> k & 1, n = epi_joint_cols(w, j, k, cols, from);
      double x = a*j->data.stiffness[turn] + b*j->data.damping[turn];
      for (int c = 0; c < n; c++)
        for (int d = 0; d < n; d++) *at(to, cols[c], cols[d]) -= x*r.G[k][from[c]]*r.G[k][from[d]];
    }
  }
  for (int i = 0; i < w->stiff_bodies; i++) {
    const epi_member *o = &w->body[w->stiff_body[i]];
    for (int k = 0; k < o->modes; k++) *at(to, o->v + 6 + k, o->v + 6 + k) -= a*o->modal_stiffness[k] + b*o->modal_damping[k];
  }
  return 0;
}

int epi_world_slope(epi_system *s, double t, const double *y, double a, double b, double *A)
{
  return slope_of(s->data, t, y, a, b, dense_at, &(dense){.w = s->data, .A = A});
}

int epi_world_slope_rows(epi_system *s, double t, const double *y, double a, double b, double *A)
{
  return slope_of(s->data, t, y, a, b, sparse_at, &(dense){.w = s->data, .A = A});
}

/* in the order of the pattern that the closing made */
int epi_world_constraint(epi_system *s, double t, const double *q, double *g, double *G, double *gt)
{
  const epi_world *w = s->data;
  epi_moving m = {.w = w, .q = q};
  epi_uniform_phase phase = epi_world_phase(s);
  int row = 0, at = 0;
  for (int i = 0; i < w->joints; i++) {
    epi_world_joint own;
    const epi_world_joint *j = epi_joint_seen(&w->joint[i], &phase, &own);
    if (j->as != EPI_CONSTRAINT) continue;
    epi_joint_rows r;
    epi_pose room[2];
    int bad = epi_world_joint_rows(j, t, epi_pose_at(&m, j->a, &room[0]), epi_pose_at(&m, j->b, &room[1]), &r, NULL);
    if (bad) return bad >= EPI_DRIVE_SAID ? said_no(w, w->pairs + i, bad) : bad;
    for (int k = 0; k < j->rows; k++, row++) {
      /* as epi_joint_cols has them: an angle is of the attitudes alone */
      int turn = j->turns >> k & 1;
      g[row] = r.g[k];
      gt[row] = r.gt[k];
      for (int half = 0; half < (j->b < 0 ? 6 : 12); half += 6) {
        const double *of = r.G[k] + half;
        if (!turn) for (int c = 0; c < 3; c++) G[at++] = of[c];
        for (int c = 3; c < 6; c++) G[at++] = of[c];
      }
    }
  }
  for (int i = 0; i < w->couplings; i++, row++) {
    const epi_world_coupling *k = &w->coupling[i];
    int bad = epi_coupling_row(w, k, t, q, &g[row], &gt[row], G + at);
    if (bad) return bad >= EPI_DRIVE_SAID ? said_no(w, w->pairs + w->joints + 1 + i, bad) : bad;
    at += 6*k->bodies;
  }
  return 0;
}

/* ---- energies ---- */
double epi_world_kinetic(epi_system *s, double t, const double *y)
{
  const epi_world *w = s->data;
  double T = 0;
  (void)t;
  for (int i = 0; i < w->nv; i++) T += 0.5*w->mass[i]*y[w->nq + i]*y[w->nq + i];
  return T;
}

double epi_world_potential(epi_system *s, double t, const double *y)
{
  const epi_world *w = s->data;
  epi_moving m = {.w = w, .q = y, .v = y + w->nq};
  epi_pose room[2];
  epi_instant now = epi_instant_of(&w->phase, t);
  double V = 0, g[3];
  if (epi_gravity_at(w, &now, g)) return NAN;
  for (int i = 0; i < w->bodies; i++) {
    const epi_member *o = &w->body[i];
    V -= o->mass*epi_dot(g, y + o->q);
    for (int k = 0; k < o->modes; k++) V += 0.5*o->modal_stiffness[k]*y[o->q + 7 + k]*y[o->q + 7 + k];
  }
  for (int i = 0; i < w->pairs; i++) {
    const epi_pair *c = &w->pair[i];
    epi_action out = {.load = 0};
    out.turned = epi_turned_at(w, c->turned, y);
    if (epi_pair_act(c, t, epi_pose_at(&m, c->a, &room[0]), epi_pose_at(&m, c->b, &room[1]), &out)) return NAN;
    V += out.energy;
  }
  for (int i = 0; i < w->joints; i++) {
    const epi_world_joint *j = &w->joint[i];
    epi_joint_rows r;
    if (j->as != EPI_PENALTY) continue;
    if (epi_world_joint_rows(j, t, epi_pose_at(&m, j->a, &room[0]), epi_pose_at(&m, j->b, &room[1]), &r, NULL)) return NAN;
    for (int k = 0; k < j->rows; k++) V += 0.5*j->data.stiffness[j->turns >> k & 1]*r.g[k]*r.g[k];
  }
  return V;
}

double epi_world_energy(epi_system *s, double t, const double *y) { return epi_world_kinetic(s, t, y) + epi_world_potential(s, t, y); }
