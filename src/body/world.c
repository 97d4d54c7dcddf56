/* world.c - bodies and what acts on them, and the systems they become */
#include "race.h"
#include <stdio.h>

enum { JOINTS = 1000000 };             /* joints are numbered from here, after everything else that acts */

/* ---- making ---- */
epi_world *epi_world_make_abi(const epi_abi *abi)
{
  epi_world *w = calloc(1, sizeof *w);
  if (w) epi_abi_check(abi, w->error, sizeof w->error);
  return w;
}

#undef epi_world_make
epi_world *epi_world_make(void) { return epi_world_make_abi(NULL); }

int epi_world_wrong(epi_world *w, const char *words, ...)
{
  va_list ap;
  va_start(ap, words);
  if (!w->error[0]) vsnprintf(w->error, sizeof w->error, words, ap);
  va_end(ap);
  return -1;
}

const char *epi_world_error(const epi_world *w) { return !w ? "out of memory" : w->error[0] ? w->error : NULL; }

void epi_world_free(epi_world *w)
{
  if (!w) return;
  for (int i = 0; i < w->pairs; i++) free(w->pair[i].data);
  for (int i = 0; w->coordinate && i < w->nq + w->nv; i++) free(w->coordinate[i]);
  for (int i = 0; i < w->bodies; i++) free((void *)w->body[i].modal_stiffness);
  free(w->coordinate);
  free(w->unit);
  free(w->given);
  free(w->look);
  free(w->body);
  free(w->pair);
  free(w->bond);
  free(w->mass);
  free(w->start);
  free(w->stiff_body);
  free(w->taken);
  epi_races_free(w->races);
  free(w);
}

void epi_add_gravity(epi_world *w, const double *g) { memcpy(w->gravity, g, sizeof w->gravity); }

/* also after the first thing that was wrong: nothing can mend it */
int epi_world_closed(epi_world *w)
{
  if (w->error[0]) return -1;
  return w->made ? epi_world_wrong(w, "the world is closed: add everything before its first system or flow is asked for") : 0;
}

int epi_world_grow(epi_world *w, void **list, int n, int *room, size_t size)
{
  if (n < *room) return 0;
  int more = 2**room + 8;
  void *bigger = realloc(*list, (size_t)more*size);
  if (!bigger) return epi_world_wrong(w, "out of memory");
  *list = bigger;
  *room = more;
  return 0;
}

/* masses and the start are kept in step with the bodies */
static int extend(epi_world *w, const epi_body *b)
{
  size_t nq = (size_t)(w->nq + 7 + b->modes), nv = (size_t)(w->nv + 6 + b->modes);
  double *mass = realloc(w->mass, nv*sizeof *mass);
  if (mass) w->mass = mass;
  double *start = mass ? calloc(2*(nq + nv), sizeof *start) : NULL;
  if (!start) return epi_world_wrong(w, "out of memory");
  if (w->start) {
    memcpy(start, w->start, (size_t)w->nq*sizeof *start);
    memcpy(start + nq, w->start + w->nq, (size_t)w->nv*sizeof *start);
  }
  free(w->start);
  w->start = start;
  double *q = start + w->nq, *v = start + nq + w->nv, *m = mass + w->nv, size = 0;
  for (int i = 0; i < 4; i++) size += b->attitude[i]*b->attitude[i];
  for (int i = 0; i < 3; i++) {
    q[i] = b->at[i];
    v[i] = b->velocity[i];
    v[3+i] = b->spin[i];
    m[i] = b->mass;
    m[3+i] = b->inertia[i];
  }
  for (int i = 0; i < 4; i++) q[3+i] = size > 0 ? b->attitude[i]/sqrt(size) : i == 0;
  for (int i = 0; i < b->modes; i++) m[6+i] = b->modal_mass ? b->modal_mass[i] : 1;
  return 0;
}

int epi_add_body(epi_world *w, const epi_body *b)
{
  char number[EPI_NAME];
  snprintf(number, sizeof number, "body%d", w->bodies + 1);
  const char *name = b->name ? b->name : number;
  if (epi_world_closed(w) || epi_world_grow(w, (void **)&w->body, w->bodies, &w->room[0], sizeof *w->body)) return -1;
  if (!(b->mass > 0)) return epi_world_wrong(w, "%s has the mass %g: give a positive one in kg, or join it to the ground and leave it out", name, b->mass);
  for (int i = 0; i < 3; i++)
    if (!(b->inertia[i] > 0)) return epi_world_wrong(w, "%s has the moment of inertia %g about axis %d: give a positive one in kg m^2", name, b->inertia[i], i + 1);
  for (int i = 0; i < b->modes; i++)
    if (b->modal_mass && !(b->modal_mass[i] > 0)) return epi_world_wrong(w, "mode %d of %s has the mass %g: give a positive one", i + 1, name, b->modal_mass[i]);
  epi_member *m = &w->body[w->bodies];
  *m = (epi_member){.q = w->nq, .v = w->nv, .modes = b->modes, .mass = b->mass, .inertia = {b->inertia[0], b->inertia[1], b->inertia[2]}};
  snprintf(m->name, sizeof m->name, "%s", name);
  if (extend(w, b)) return -1;
  if (b->modes) {
    double *k = calloc(2*(size_t)b->modes, sizeof *k);
    if (!k) return epi_world_wrong(w, "out of memory");
    for (int i = 0; i < b->modes; i++) {
      k[i] = b->modal_stiffness ? b->modal_stiffness[i] : 0;
      k[b->modes + i] = b->modal_damping ? b->modal_damping[i] : 0;
    }
    m->modal_stiffness = k;
    m->modal_damping = k + b->modes;
  }
  w->nq += 7 + b->modes;
  w->nv += 6 + b->modes;
  return w->bodies++;
}

int epi_world_pair(epi_world *w, const char *name, int a, int b, unsigned kind, epi_act *act, const void *data, size_t size)
{
  if (epi_world_closed(w) || epi_world_grow(w, (void **)&w->pair, w->pairs, &w->room[1], sizeof *w->pair)) return -1;
  if (a < 0 || a >= w->bodies || b < EPI_GROUND || b >= w->bodies || a == b)
    return epi_world_wrong(w, "%s acts between body %d and %d: a is a body, b another or EPI_GROUND", name, a, b);
  epi_pair *p = &w->pair[w->pairs];
  *p = (epi_pair){.a = a, .b = b, .kind = kind, .act = act, .data = malloc(size + 1)};
  if (!p->data) return epi_world_wrong(w, "out of memory");
  if (size) memcpy(p->data, data, size);
  snprintf(p->name, sizeof p->name, "%s", name);
  return w->pairs++;
}

int epi_add_action(epi_world *w, const char *name, int a, int b, unsigned kind, epi_act *act, const void *data, size_t size)
{
  if (!act) return epi_world_wrong(w, "the action %s has no function: give one", name ? name : "");
  return epi_world_pair(w, name ? name : "action", a, b, kind, act, data, size);
}

/* ---- loads and springs ---- */
int epi_load_act(const void *data, double t, const epi_pose *a, const epi_pose *b, epi_action *out)
{
  const epi_applied_force *l = data;
  double x = l->of ? l->of(l->data, t) : 1, arm[3];
  (void)b;
  epi_out_of(a->R, l->at, arm);
  for (int i = 0; i < 3; i++) out->force[i] = x*l->force[i];
  epi_cross(arm, out->force, out->moment[0]);
  for (int i = 0; i < 3; i++) out->moment[0][i] += x*l->torque[i];
  /* of a constant force alone there is a potential */
  out->energy = -epi_dot(out->force, a->r) - epi_dot(out->force, arm);
  return 0;
}

int epi_add_load(epi_world *w, const epi_applied_force *l)
{
  int turns = l->torque[0] != 0 || l->torque[1] != 0 || l->torque[2] != 0;
  return epi_world_pair(w, l->name ? l->name : "load", l->body, EPI_GROUND, l->of || turns ? 0 : EPI_CONSERVATIVE, epi_load_act, l, sizeof *l);
}

int epi_spring_act(const void *data, double t, const epi_pose *a, const epi_pose *b, epi_action *out)
{
  const epi_spring *s = data;
  double la[3], lb[3], d[3], u[3], x[3], speed = 0;
  (void)t;
  epi_out_of(a->R, s->at_a, la);
  epi_out_of(b->R, s->at_b, lb);
  for (int i = 0; i < 3; i++) d[i] = a->r[i] + la[i] - b->r[i] - lb[i];
  double length = sqrt(epi_dot(d, d));
  if (length == 0) return s->length == 0 ? 0 : EPI_TOO_FAR;
  for (int i = 0; i < 3; i++) u[i] = d[i]/length;
  epi_cross(a->w, la, x);
  for (int i = 0; i < 3; i++) speed += u[i]*(a->v[i] + x[i] - b->v[i]);
  epi_cross(b->w, lb, x);
  speed -= epi_dot(u, x);
  double pull = -s->stiffness*(length - s->length) - s->damping*speed;
  for (int i = 0; i < 3; i++) out->force[i] = pull*u[i];
  epi_cross(la, out->force, out->moment[0]);
  epi_cross(lb, out->force, out->moment[1]);
  for (int i = 0; i < 3; i++) { out->moment[1][i] = -out->moment[1][i]; out->normal[i] = u[i]; }
  out->load = -pull;
  out->stiffness = s->stiffness;
  out->damping = s->damping;
  out->energy = 0.5*s->stiffness*(length - s->length)*(length - s->length);
  out->loss = s->damping*speed*speed;
  return 0;
}

int epi_add_spring(epi_world *w, const epi_spring *s)
{
  if (!(s->stiffness >= 0) || !(s->damping >= 0) || !(s->length >= 0))
    return epi_world_wrong(w, "the spring %s has a negative length, stiffness or damping", s->name ? s->name : "");
  return epi_world_pair(w, s->name ? s->name : "spring", s->a, s->b, s->damping == 0 ? EPI_CONSERVATIVE : 0, epi_spring_act, s, sizeof *s);
}

int epi_add_contact(epi_world *w, const epi_contact *c)
{
  const char *name = c->name ? c->name : "contact";
  epi_contact own = *c;
  double size = sqrt(epi_dot(c->normal, c->normal));
  if (c->shape < EPI_SPHERE_PLANE || c->shape > EPI_CIRCLE_IN_BORE)
    return epi_world_wrong(w, "%s has the shape %d, which there is not: take EPI_SPHERE_PLANE ... EPI_CIRCLE_IN_BORE", name, c->shape);
  if (c->shape == EPI_SPHERE_GROOVE && !(c->circle > 0))
    return epi_world_wrong(w, "%s: the circle of groove centres has the radius %g: give .circle in m", name, c->circle);
  if (!(c->law.K > 0) && !c->law.own) return epi_world_wrong(w, "%s has the stiffness K = %g: give a positive one in N/m^1.5", name, c->law.K);
  if (!(c->radius > 0)) return epi_world_wrong(w, "%s has the radius %g: give a positive one in m", name, c->radius);
  if ((c->shape == EPI_SPHERE_PLANE || c->shape == EPI_SPHERE_POCKET) && !(size > 0))
    return epi_world_wrong(w, "%s needs a direction: give .normal, of the plane or along the axis of the pocket", name);
  if (c->shape == EPI_SPHERE_GROOVE && !(c->other > c->radius))
    return epi_world_wrong(w, "%s: the groove has the radius %g and the ball %g: the groove must be the larger", name, c->other, c->radius);
  if (!(c->law.mu >= 0) || !(c->law.chi >= 0) || (c->law.mu > 0 && !(c->law.vs > 0)))
    return epi_world_wrong(w, "%s: mu and chi cannot be negative, and friction needs vs > 0, the slip where it is half grown", name);
  if (!(own.law.power > 0)) own.law.power = 1.5;
  for (int i = 0; i < 3 && size > 0; i++) own.normal[i] /= size;
  /* without damping and friction it has a potential */
  unsigned kind = EPI_EXPENSIVE | (own.law.chi == 0 && own.law.mu == 0 && !own.law.own && own.law.waves == 0 ? EPI_CONSERVATIVE : 0);
  return epi_world_pair(w, name, c->a, c->b, kind, epi_contact_act, &own, sizeof own);
}

/* ---- forces ---- */
static void add(epi_wrench *w, int body, double sign, const double *force, const double *moment)
{
  if (body < 0) return;
  for (int i = 0; i < 3; i++) { w[body].f[i] += sign*force[i]; w[body].m[i] += moment[i]; }
}

static const epi_pose *at(const epi_pose *p, int body) { return body < 0 ? &epi_ground : p + body; }

/* in the velocities of the bodies: force in space, moment in the body */
static void settle(const epi_world *w, const epi_pose *p, const epi_wrench *x, double *f)
{
  for (int i = 0; i < w->bodies; i++) {
    double *o = f + w->body[i].v, m[3];
    epi_into(p[i].R, x[i].m, m);
    for (int k = 0; k < 3; k++) { o[k] += x[i].f[k]; o[3+k] += m[k]; }
  }
}

static int said_no(const epi_world *w, int pair, int bad)
{
  ((epi_world *)w)->culprit = pair + 1;
  return bad;
}

/* the actions of a kind: stiff or not, of position or not. Grooves go together */
static int act_all(const epi_world *w, double t, const epi_pose *p, int stiff, int still, double *f)
{
  int together = w->races && !stiff && !still;
  if (!w->kinds[2*stiff + still] && !together) return 0;
  epi_wrench x[w->bodies];
  memset(x, 0, sizeof x);
  int no = together ? epi_races_act(w->races, p, x) : 0;
  if (no) return said_no(w, no - 1, EPI_TOO_FAR);
  for (int i = 0; i < w->pairs && w->kinds[2*stiff + still]; i++) {
    const epi_pair *c = &w->pair[i];
    if ((w->races && w->taken[i]) || !(c->kind & EPI_STIFF) != !stiff || !(c->kind & EPI_CONSERVATIVE) != !still) continue;
    epi_action out = {.load = 0};
    int bad = c->act(c->data, t, at(p, c->a), at(p, c->b), &out);
    if (bad) return said_no(w, i, bad);
    add(x, c->a, 1, out.force, out.moment[0]);
    add(x, c->b, -1, out.force, out.moment[1]);
  }
  settle(w, p, x, f);
  return 0;
}

static void hold_all(const epi_world *w, double t, const epi_pose *p, double *f)
{
  for (int i = 0; i < w->bonds; i++) {
    const epi_bond *j = &w->bond[i];
    epi_rows r;
    double pull[6];
    if (j->as != EPI_PENALTY) continue;
    epi_bond_rows(j, t, at(p, j->a), at(p, j->b), &r);
    epi_bond_pull(j, &r, pull);
    for (int k = 0; k < j->rows; k++)
      for (int c = 0; c < 12; c++) {
        int body = c < 6 ? j->a : j->b;
        if (body >= 0) f[w->body[body].v + c % 6] += r.G[k][c]*pull[k];
      }
  }
}

static void modes_all(const epi_world *w, const double *q, const double *v, double *f)
{
  for (int i = 0; i < w->bodies; i++) {
    const epi_member *m = &w->body[i];
    for (int k = 0; k < m->modes; k++)
      f[m->v + 6 + k] -= m->modal_stiffness[k]*q[m->q + 7 + k] + m->modal_damping[k]*v[m->v + 6 + k];
  }
}

static void weights(const epi_world *w, double *f)
{
  for (int i = 0; i < w->bodies; i++)
    for (int k = 0; k < 3; k++) f[w->body[i].v + k] += w->body[i].mass*w->gravity[k];
}

static void gyros(const epi_world *w, const double *v, double *f)
{
  for (int i = 0; i < w->bodies; i++) {
    const double *I = w->body[i].inertia, *o = v + w->body[i].v + 3;
    double *m = f + w->body[i].v + 3;
    m[0] += (I[1] - I[2])*o[1]*o[2];
    m[1] += (I[2] - I[0])*o[2]*o[0];
    m[2] += (I[0] - I[1])*o[0]*o[1];
  }
}

static void poses(const epi_world *w, const double *q, const double *v, epi_pose *p)
{
  for (int i = 0; i < w->bodies; i++) epi_pose_of(&w->body[i], q, v, &p[i]);
}

/* of position: gravity, springs, contacts that keep their energy */
static int force(epi_system *s, double t, const double *q, double *f)
{
  const epi_world *w = s->data;
  epi_pose p[w->bodies];
  memset(f, 0, (size_t)w->nv*sizeof *f);
  poses(w, q, NULL, p);
  weights(w, f);
  return act_all(w, t, p, 0, 1, f);
}

/* of velocity as well: contacts with damping and friction, dampers, the gyroscopic torques */
static int velocity_force(epi_system *s, double t, const double *q, const double *v, double *f)
{
  const epi_world *w = s->data;
  epi_pose p[w->bodies];
  poses(w, q, v, p);
  gyros(w, v, f);
  return act_all(w, t, p, 0, 0, f);
}

/* what is stiff: joints as springs, modes, actions declared so. Only the bodies it acts on are placed */
static int stiff_velocity_force(epi_system *s, double t, const double *q, const double *v, double *f)
{
  const epi_world *w = s->data;
  epi_pose p[w->bodies];
  for (int i = 0; i < w->stiff_bodies; i++) epi_pose_of(&w->body[w->stiff_body[i]], q, v, &p[w->stiff_body[i]]);
  hold_all(w, t, p, f);
  modes_all(w, q, v, f);
  int bad = act_all(w, t, p, 1, 0, f);
  return bad ? bad : act_all(w, t, p, 1, 1, f);
}

static int all_velocity_force(epi_system *s, double t, const double *q, const double *v, double *f)
{
  int bad = velocity_force(s, t, q, v, f);
  return bad ? bad : stiff_velocity_force(s, t, q, v, f);
}

/* -G^T (a k + b c) G of the joints, and the modes */
static int stiff_slope(epi_system *s, double t, const double *y, double a, double b, double *A)
{
  const epi_world *w = s->data;
  int n = w->nv;
  epi_pose p[w->bodies];
  poses(w, y, y + w->nq, p);
  for (int i = 0; i < w->bonds; i++) {
    const epi_bond *j = &w->bond[i];
    epi_rows r;
    if (j->as != EPI_PENALTY) continue;
    epi_bond_rows(j, t, at(p, j->a), at(p, j->b), &r);
    for (int k = 0; k < j->rows; k++) {
      int turn = j->which[k] >= 3;
      double x = a*j->data.stiffness[turn] + b*j->data.damping[turn];
      for (int c = 0; c < 12; c++)
        for (int d = 0; d < 12; d++) {
          int one = c < 6 ? j->a : j->b, two = d < 6 ? j->a : j->b;
          if (one >= 0 && two >= 0) A[(w->body[one].v + c % 6)*n + w->body[two].v + d % 6] -= x*r.G[k][c]*r.G[k][d];
        }
    }
  }
  for (int i = 0; i < w->bodies; i++)
    for (int k = 0; k < w->body[i].modes; k++) {
      int at_v = w->body[i].v + 6 + k;
      A[at_v*(n + 1)] -= a*w->body[i].modal_stiffness[k] + b*w->body[i].modal_damping[k];
    }
  return 0;
}

/* which action said no, and between whom */
static int explain(epi_system *s, char *out, size_t size)
{
  epi_world *w = s->data;
  if (!w->culprit) return 0;
  const epi_pair *c = &w->pair[w->culprit - 1];
  w->culprit = 0;
  snprintf(out, size, "%s, between %s and %s, was passed through or exploded", c->name, w->body[c->a].name, c->b < 0 ? "the ground" : w->body[c->b].name);
  return 1;
}

static int constraint(epi_system *s, double t, const double *q, double *g, double *G, double *gt)
{
  const epi_world *w = s->data;
  epi_pose p[w->bodies];
  int row = 0, n = w->nv;
  poses(w, q, NULL, p);
  memset(G, 0, (size_t)(w->nc*n)*sizeof *G);
  for (int i = 0; i < w->bonds; i++) {
    const epi_bond *j = &w->bond[i];
    epi_rows r;
    if (j->as != EPI_CONSTRAINT) continue;
    epi_bond_rows(j, t, at(p, j->a), at(p, j->b), &r);
    for (int k = 0; k < j->rows; k++, row++) {
      g[row] = r.g[k];
      gt[row] = r.rate[k];             /* the poses stand still: what is left is the drive */
      for (int c = 0; c < 12; c++) {
        int body = c < 6 ? j->a : j->b;
        if (body >= 0) G[row*n + w->body[body].v + c % 6] += r.G[k][c];
      }
    }
  }
  return 0;
}

/* ---- energies ---- */
static double kinetic(epi_system *s, double t, const double *y)
{
  const epi_world *w = s->data;
  double T = 0;
  (void)t;
  for (int i = 0; i < w->nv; i++) T += 0.5*w->mass[i]*y[w->nq + i]*y[w->nq + i];
  return T;
}

static double potential(epi_system *s, double t, const double *y)
{
  const epi_world *w = s->data;
  epi_pose p[w->bodies];
  double V = 0;
  poses(w, y, y + w->nq, p);
  for (int i = 0; i < w->bodies; i++) {
    const epi_member *m = &w->body[i];
    V -= m->mass*epi_dot(w->gravity, p[i].r);
    for (int k = 0; k < m->modes; k++) V += 0.5*m->modal_stiffness[k]*y[m->q + 7 + k]*y[m->q + 7 + k];
  }
  for (int i = 0; i < w->pairs; i++) {
    epi_action out = {.load = 0};
    if (w->pair[i].act(w->pair[i].data, t, at(p, w->pair[i].a), at(p, w->pair[i].b), &out)) return NAN;
    V += out.energy;
  }
  for (int i = 0; i < w->bonds; i++) {
    epi_rows r;
    if (w->bond[i].as != EPI_PENALTY) continue;
    epi_bond_rows(&w->bond[i], t, at(p, w->bond[i].a), at(p, w->bond[i].b), &r);
    for (int k = 0; k < w->bond[i].rows; k++) V += 0.5*w->bond[i].data.stiffness[w->bond[i].which[k] >= 3]*r.g[k]*r.g[k];
  }
  return V;
}

static double energy(epi_system *s, double t, const double *y) { return kinetic(s, t, y) + potential(s, t, y); }

/* ---- closing: the systems ---- */
static int name_coordinates(epi_world *w)
{
  static const char *const q[] = {"x", "y", "z", "q0", "q1", "q2", "q3"}, *const v[] = {"vx", "vy", "vz", "w1", "w2", "w3"};
  int n = w->nq + w->nv;
  w->coordinate = calloc((size_t)n + 1, sizeof *w->coordinate);
  w->unit = calloc((size_t)n + 1, sizeof *w->unit);
  if (!w->coordinate || !w->unit) return epi_world_wrong(w, "out of memory");
  for (int i = 0; i < w->bodies; i++) {
    const epi_member *m = &w->body[i];
    for (int k = 0; k < 13 + 2*m->modes; k++) {
      int pos = k < 7 + m->modes, j = pos ? k : k - 7 - m->modes, rigid = j < (pos ? 7 : 6);
      char name[EPI_NAME + 16], **slot = &w->coordinate[pos ? m->q + j : w->nq + m->v + j];
      /* quaternions have none, and what a mode is measured in depends on its mass */
      w->unit[slot - w->coordinate] = !rigid || (pos && j >= 3) ? "" : pos ? "m" : j < 3 ? "m/s" : "rad/s";
      if (rigid) snprintf(name, sizeof name, "%s.%s", m->name, pos ? q[j] : v[j]);
      else snprintf(name, sizeof name, "%s.%s%d", m->name, pos ? "e" : "de", j - (pos ? 7 : 6) + 1);
      if (!(*slot = malloc(strlen(name) + 1))) return epi_world_wrong(w, "out of memory");
      memcpy(*slot, name, strlen(name) + 1);
    }
  }
  return 0;
}

static int find_stiff(epi_world *w)
{
  w->stiff_body = calloc((size_t)w->bodies + 1, sizeof *w->stiff_body);
  if (!w->stiff_body) return epi_world_wrong(w, "out of memory");
  for (int i = 0; i < w->bodies; i++) {
    int stiff = w->body[i].modes > 0;
    for (int k = 0; k < w->bonds; k++) stiff |= w->bond[k].as == EPI_PENALTY && (w->bond[k].a == i || w->bond[k].b == i);
    for (int k = 0; k < w->pairs; k++) stiff |= (w->pair[k].kind & EPI_STIFF) && (w->pair[k].a == i || w->pair[k].b == i);
    if (stiff) w->stiff_body[w->stiff_bodies++] = i;
  }
  return 0;
}

static int find_races(epi_world *w)
{
  w->taken = calloc((size_t)w->pairs + 1, 1);
  if (!w->taken || epi_races_make(w->pair, w->pairs, w->taken, &w->races)) return epi_world_wrong(w, "out of memory");
  for (int i = 0; i < w->pairs; i++) {
    unsigned kind = w->pair[i].kind;
    w->kinds[2*((kind & EPI_STIFF) != 0) + ((kind & EPI_CONSERVATIVE) != 0)] += !w->taken[i];
  }
  return 0;
}

static int finish(epi_world *w)
{
  if (w->made || w->error[0]) return w->error[0] ? -1 : 0;
  if (!w->bodies) return epi_world_wrong(w, "the world has no bodies: add one with epi_add_body");
  if (name_coordinates(w) || find_stiff(w) || find_races(w) || epi_world_dress(w)) return -1;
  epi_system base = {.nq = w->nq, .nv = w->nv, .nc = w->nc, .mass = w->mass, .retract = epi_world_retract, .retract_rate = epi_world_retract_rate,
                     .constraint = w->nc ? constraint : NULL, .force = force, .velocity_force = velocity_force, .kinetic = kinetic, .potential = potential,
                     .energy = energy, .names = (const char *const *)w->coordinate, .units = w->unit, .data = w, .explain = explain};
  w->contacts = w->model = base;
  w->model.velocity_force = w->stiff_bodies ? all_velocity_force : velocity_force;
  w->stiff = (epi_system){.nq = w->nq, .nv = w->nv, .mass = w->mass, .retract = epi_world_retract, .retract_rate = epi_world_retract_rate, .velocity_force = stiff_velocity_force,
                          .slope = stiff_slope, .names = base.names, .units = base.units, .data = w, .explain = explain};
  w->names[0] = (epi_name){.name = "model", .system = &w->model};
  w->names[1] = (epi_name){.name = "model.contacts", .system = &w->contacts};
  w->names[2] = (epi_name){.name = "model.stiff", .system = &w->stiff};
  w->made = 1;
  return 0;
}

epi_system *epi_world_system(epi_world *w)
{
  finish(w);
  return &w->model;
}

const epi_name *epi_world_names(epi_world *w)
{
  finish(w);
  return w->names;
}

epi_flow *epi_world_flow(epi_world *w, const char *text)
{
  if (!w) return epi_no_memory();
  if (!finish(w)) return epi_make_named(text, w->names);
  return epi_refused_flow(w->error);
}

epi_state epi_world_state(epi_world *w)
{
  if (!w || finish(w)) return (epi_state){0};
  size_t n = (size_t)(w->nq + w->nv);
  memcpy(w->start + n, w->start, n*sizeof *w->start);
  return (epi_state){.y = w->start + n};
}

/* ---- looking ---- */
int epi_world_action(epi_world *w, const epi_state *s, int which, epi_action *out)
{
  *out = (epi_action){.load = 0};
  if (finish(w)) return -1;
  int joint = which >= JOINTS, i = joint ? which - JOINTS : which;
  if (i < 0 || i >= (joint ? w->bonds : w->pairs)) return epi_world_wrong(w, "there is nothing with the number %d that acts in this world", which);
  int a = joint ? w->bond[i].a : w->pair[i].a, b = joint ? w->bond[i].b : w->pair[i].b;
  epi_pose pa, pb = epi_ground;
  epi_pose_of(&w->body[a], s->y, s->y + w->nq, &pa);
  if (b >= 0) epi_pose_of(&w->body[b], s->y, s->y + w->nq, &pb);
  if (!joint) return w->pair[i].act(w->pair[i].data, s->t, &pa, &pb, out);
  /* a joint: its pull, from the springs or from the multipliers of the last step */
  epi_rows r;
  double pull[6] = {0}, moment[2][3] = {{0}};
  epi_bond_rows(&w->bond[i], s->t, &pa, &pb, &r);
  if (w->bond[i].as == EPI_PENALTY) epi_bond_pull(&w->bond[i], &r, pull);
  else if (s->lambda) {
    int row = 0;
    for (int k = 0; k < i; k++) row += w->bond[k].as == EPI_CONSTRAINT ? w->bond[k].rows : 0;
    for (int k = 0; k < w->bond[i].rows; k++) pull[k] = s->lambda[w->nc + row + k];
  }
  for (int k = 0; k < w->bond[i].rows; k++) {
    for (int c = 0; c < 3; c++) {
      out->force[c] += pull[k]*r.G[k][c];
      moment[0][c] += pull[k]*r.G[k][3+c];
      moment[1][c] += pull[k]*r.G[k][9+c];
    }
    out->depth = fmax(out->depth, fabs(r.g[k]));
    if (w->bond[i].as != EPI_PENALTY) continue;
    const epi_joint *j = &w->bond[i].data;
    int turn = w->bond[i].which[k] >= 3;
    out->energy += 0.5*j->stiffness[turn]*r.g[k]*r.g[k];
    out->loss += j->damping[turn]*r.rate[k]*r.rate[k];
  }
  epi_out_of(pa.R, moment[0], out->moment[0]);
  epi_out_of(pb.R, moment[1], out->moment[1]);
  return 0;
}

epi_pose epi_world_pose(epi_world *w, const epi_state *s, int body)
{
  epi_pose p = epi_ground;
  if (body >= 0 && body < w->bodies) epi_pose_of(&w->body[body], s->y, s->y + w->nq, &p);
  return p;
}

int epi_world_find(const epi_world *w, const char *name)
{
  for (int i = 0; i < w->bodies; i++) if (!strcmp(w->body[i].name, name)) return i;
  for (int i = 0; i < w->pairs; i++) if (!strcmp(w->pair[i].name, name)) return i;
  for (int i = 0; i < w->bonds; i++) if (!strcmp(w->bond[i].name, name)) return JOINTS + i;
  return -1;
}
