/* world.c - bodies and what acts on them: adding, closing, asking */
#include "axis.h"
#include "flex.h"
#include <stdio.h>

/* ---- making ---- */
epi_world *epi_world_make_abi(const epi_abi *abi)
{
  epi_world *w = calloc(1, sizeof *w);
  if (w && epi_abi_check(abi, w->error, sizeof w->error)) w->cause = EPI_REQUEST;
  return w;
}

#undef epi_world_make
epi_world *epi_world_make(void) { return epi_world_make_abi(NULL); }

const char *epi_world_error(const epi_world *w) { return !w ? "out of memory" : w->error[0] ? w->error : NULL; }
epi_cause epi_world_cause(const epi_world *w) { return !w ? EPI_MEMORY : w->error[0] ? w->cause : EPI_NO_CAUSE; }

void epi_add_gravity(epi_world *w, const double *g) { memcpy(w->gravity, g, sizeof w->gravity); }

int epi_add_breaks(epi_world *w, int n, const double *t)
{
  if (epi_world_closed(w) || n < 1) return -(n < 0);
  for (int i = 0; i < n; i++) if (!isfinite(t[i])) return epi_world_wrong(w, "break %d is at %g: give a time", i, t[i]);
  if (epi_world_grow(w, (void **)&w->breaks, w->nbreaks + n, &w->room_breaks, sizeof *w->breaks)) return -1;
  memcpy(w->breaks + w->nbreaks, t, (size_t)n*sizeof *t);
  w->nbreaks += n;
  return 0;
}

void epi_world_threads(epi_world *w, int threads)
{
  enum { MOST = 64 };
  if (epi_world_closed(w)) return;
  if (threads < 1 || threads > MOST) epi_world_wrong(w, "the world has %d threads: give 1 to %d", threads, MOST);
  else w->threads = threads;
}

/* ---- bodies ---- */
/* masses and the start are kept in step with the bodies */
static int extend(epi_world *w, const epi_body *b)
{
  int nq = 7 + b->modes, nv = 6 + b->modes;
  if (epi_world_grow(w, (void **)&w->mass, w->nv + nv, &w->room_mass, sizeof *w->mass) ||
      epi_world_grow(w, (void **)&w->q, w->nq + nq, &w->room_q, sizeof *w->q) ||
        epi_world_grow(w, (void **)&w->v, w->nv + nv, &w->room_v, sizeof *w->v))
    return -1;
  double *q = w->q + w->nq, *v = w->v + w->nv, *m = w->mass + w->nv;
  memset(q, 0, (size_t)nq*sizeof *q);
  memset(v, 0, (size_t)nv*sizeof *v);
  for (int i = 0; i < 3; i++) {
    q[i] = b->at[i];
    v[i] = b->velocity[i];
    v[3+i] = b->spin[i];
    m[i] = b->mass;
    m[3+i] = b->inertia[i];
  }
  epi_quaternion_unit(b->attitude, q + 3);
  for (int i = 0; i < b->modes; i++) m[6+i] = b->modal_mass ? b->modal_mass[i] : 1;
  return 0;
}

/* not a unit quaternion, nor all zero */
static int no_rotation(const double *q)
{
  double size = sqrt(q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3]);
  return !(fabs(size - 1) <= 1e-3) && size != 0;
}

/* where contacts are to feel them, modes must be what they say */
static int wrong_shapes(epi_world *w, const epi_body *b, const char *name)
{
  const epi_mode_shapes *s = b->shapes;
  for (int i = 0; i < b->modes; i++) {
    double k = b->modal_stiffness ? b->modal_stiffness[i] : 0, c = b->modal_damping ? b->modal_damping[i] : 0;
    if (!(k > 0 && k < HUGE_VAL))
      return epi_world_wrong(w, "mode %d of %s has the stiffness %g: give a positive one, and leave rigid modes out", i + 1, name, k);
    if (!(c >= 0 && c < HUGE_VAL))
      return epi_world_wrong(w, "mode %d of %s has the damping %g: give zero or more in N s/m", i + 1, name, c);
  }
  if (b->modes > EPI_MOST_MODES) return epi_world_wrong(w, "%s has %d modes with shapes: give at most %d", name, b->modes, EPI_MOST_MODES);
  if (!s->ring && (s->points < 1 || !s->at || !s->shape))
    return epi_world_wrong(w, "%s has shapes of modes at no points: give points, where they are and how the modes move them", name);
  double sum = 0;
  for (int i = 0; !s->ring && i < 3*s->points; i++) sum += s->at[i];
  for (long i = 0; !s->ring && i < 3L*s->points*b->modes; i++) sum += s->shape[i];
  return isfinite(sum) ? 0 : epi_world_wrong(w, "a point or shape of the modes of %s is not a number: give finite ones", name);
}

static int wrong_body(epi_world *w, const epi_body *b, const char *name)
{
  if (!(b->mass > 0))
    return epi_world_wrong(w, "%s has the mass %g: give a positive one in kg, or join it to the ground and leave it out", name, b->mass);
  for (int i = 0; i < 3; i++)
    if (!(b->inertia[i] > 0))
      return epi_world_wrong(w, "%s has the moment of inertia %g about axis %d: give a positive one in kg m^2", name, b->inertia[i], i + 1);
  for (int i = 0; i < 3; i++)
    if (b->inertia[i] > (1 + 1e-9)*(b->inertia[(i + 1)%3] + b->inertia[(i + 2)%3]))
      return epi_world_wrong(w, "%s has the moment of inertia %g about axis %d, more than about the other two together, which no body has: "
                             "give its principal moments in kg m^2", name, b->inertia[i], i + 1);
  if (no_rotation(b->attitude))
    return epi_world_wrong(w, "%s has an attitude that is no unit quaternion: give cos(a/2) and sin(a/2) times the axis, or all zero",
                           name);
  for (int i = 0; i < b->modes; i++)
    if (b->modal_mass && !(b->modal_mass[i] > 0))
      return epi_world_wrong(w, "mode %d of %s has the mass %g: give a positive one", i + 1, name, b->modal_mass[i]);
  if (b->modes < 0) return epi_world_wrong(w, "%s has %d modes: give none, or how many", name, b->modes);
  return b->shapes && b->modes ? wrong_shapes(w, b, name) : 0;
}

static int take_modes(epi_world *w, const epi_body *b, epi_member *m)
{
  if (!b->modes) return 0;
  const epi_mode_shapes *s = b->shapes;
  size_t n = (size_t)b->modes, points = s && !s->ring ? (size_t)s->points : 0;
  double *k = calloc(2*n + 3*points*(n + 1), sizeof *k), *at = k + 2*n;
  if (!k) return epi_world_no_memory(w);
  for (int i = 0; i < b->modes; i++) {
    k[i] = b->modal_stiffness ? b->modal_stiffness[i] : 0;
    k[b->modes + i] = b->modal_damping ? b->modal_damping[i] : 0;
  }
  m->modal_stiffness = k;
  m->modal_damping = k + b->modes;
  if (!s) return 0;
  m->shapes = (epi_mode_shapes){.ring = s->ring != 0, .points = (int)points, .at = at, .shape = at + 3*points};
  if (!points) return 0;
  memcpy(at, s->at, 3*points*sizeof *at);
  memcpy(at + 3*points, s->shape, 3*points*n*sizeof *at);
  return 0;
}

int epi_add_body(epi_world *w, const epi_body *b)
{
  char number[EPI_NAME];
  snprintf(number, sizeof number, "body%d", w->bodies + 1);
  const char *name = b->name ? b->name : number;
  if (epi_world_closed(w) || epi_world_grow(w, (void **)&w->body, w->bodies + 1, &w->room[0], sizeof *w->body)) return -1;
  if (wrong_body(w, b, name) || extend(w, b)) return -1;
  epi_member *m = &w->body[w->bodies];
  *m = (epi_member){.q = w->nq, .v = w->nv, .modes = b->modes, .mass = b->mass, .inertia = {b->inertia[0], b->inertia[1], b->inertia[2]}};
  snprintf(m->name, sizeof m->name, "%s", name);
  if (take_modes(w, b, m)) return -1;
  w->nq += 7 + b->modes;
  w->nv += 6 + b->modes;
  w->bodies++;
  return epi_index_add(&w->body_names, w, epi_body_name, w->bodies - 1) ? epi_world_no_memory(w) : w->bodies - 1;
}

/* ---- asking ---- */
epi_system *epi_world_system(epi_world *w)
{
  epi_world_close(w);
  return &w->model;
}

const epi_name *epi_world_names(epi_world *w)
{
  epi_world_close(w);
  return w->names;
}

epi_flow *epi_world_flow(epi_world *w, const char *text)
{
  if (!w) return epi_no_memory();
  return epi_world_close(w) ? epi_refused_flow(w->cause, 0, w->error) : epi_make_named(text, w->names);
}

epi_state epi_world_state(epi_world *w)
{
  if (!w || epi_world_close(w)) return (epi_state){0};
  size_t n = (size_t)(w->nq + w->nv);
  memcpy(w->start + n, w->start, n*sizeof *w->start);
  return (epi_state){.y = w->start + n, .theta = w->phase.theta0};
}

epi_pose epi_world_pose(epi_world *w, const epi_state *s, int body)
{
  epi_pose p = epi_ground;
  if (body >= 0 && body < w->bodies) epi_pose_of(&w->body[body], s->y, s->y + w->nq, &p);
  return p;
}

/* the pull of a joint: by its springs, or by the multipliers of the last step */
static int joint_action(const epi_world *w, const epi_world_joint *j, const epi_state *s, const epi_pose *a, const epi_pose *b,
                        epi_action *out)
{
  epi_joint_rows r;
  double pull[6] = {0}, rate[6], moment[2][3] = {{0}};
  int bad = epi_world_joint_rows(j, s->t, a, b, &r, rate);
  if (j->as == EPI_PENALTY) epi_joint_pull(j, &r, rate, pull);
  else for (int k = 0; k < j->rows && s->lambda; k++) pull[k] = s->lambda[w->nc + j->first + k];
  for (int k = 0; k < j->rows; k++) {
    for (int c = 0; c < 3; c++) {
      out->force[c] += pull[k]*r.G[k][c];
      moment[0][c] += pull[k]*r.G[k][3+c];
      moment[1][c] += pull[k]*r.G[k][9+c];
    }
    out->depth = fmax(out->depth, fabs(r.g[k]));
    if (j->as != EPI_PENALTY) continue;
    int turn = j->turns >> k & 1;
    out->energy += 0.5*j->data.stiffness[turn]*r.g[k]*r.g[k];
    out->loss += j->data.damping[turn]*rate[k]*rate[k];
  }
  epi_out_of(a->R, moment[0], out->moment[0]);
  epi_out_of(b->R, moment[1], out->moment[1]);
  return bad;
}

int epi_world_action(epi_world *w, const epi_state *s, int which, epi_action *out)
{
  *out = (epi_action){.load = 0};
  if (epi_world_close(w)) return -1;
  if (which < 0 || which >= w->numbers) return EPI_WRONG;
  int i = w->number[which], joint = i < 0;
  if (i <= EPI_COUPLING_NUMBER) return epi_coupling_action(w, &w->coupling[EPI_COUPLING_NUMBER - i], s, 0, out);
  if (joint) i = -1 - i;
  epi_pose a = epi_world_pose(w, s, joint ? w->joint[i].a : w->pair[i].a), b = epi_world_pose(w, s, joint ? w->joint[i].b : w->pair[i].b);
  if (!joint) out->turned = epi_turned_at(w, w->pair[i].turned, s->y);
  int bad = joint ? joint_action(w, &w->joint[i], s, &a, &b, out) : epi_pair_act(&w->pair[i], s->t, &a, &b, out);
  return bad >= EPI_DRIVE_SAID ? EPI_TOO_FAR : bad;
}

int epi_world_axis(epi_world *w, const epi_state *s, int number, int axis, double *x, double *rate)
{
  char words[200];
  if (epi_world_close(w) || number < 0 || number >= w->numbers) return EPI_WRONG;
  int which = epi_joint_numbered(w, number), turned = 0;
  if (which < 0 || epi_axis_wrong(&w->joint[which], axis, words, sizeof words)) return EPI_WRONG;
  for (int i = 0; i < w->turns; i++) if (w->turned[i].joint == which && w->turned[i].axis == axis) turned = 1 + i;
  const epi_world_joint *j = &w->joint[which];
  epi_pose a = epi_world_pose(w, s, j->a), b = epi_world_pose(w, s, j->b);
  epi_axis_place place;
  double G[12];
  int bad = epi_axis_turned(&j->data, axis, &a, &b, epi_turned_at(w, turned, s->y), &place);
  epi_axis_row(&j->data, &place, &a, &b, G);
  if (x) *x = place.x;
  if (rate) *rate = epi_axis_rate(G, &a, &b);
  return bad;
}

static int of_the_library(const void *kind, const void *const *list)
{
  while (*list && *list != kind) list++;
  return !kind || *list;
}

static int passive_contact(const epi_contact *c)
{
  return of_the_library(c->kind, (const void *const *)epi_contact_kinds()) && !c->law.own && c->law.chi >= 0 && c->law.mu >= 0;
}

static int passive_spring(const epi_pair *p)
{
  if (p->axis) return !p->driven;
  const epi_spring *s = p->data;
  int own = !p->load || !of_the_library(p->load, (const void *const *)epi_load_kinds());
  return !own && !p->driven && p->load->between && s->stiffness >= 0 && s->damping >= 0;
}

/* it does nothing until something is met: a surface, a stop, the end of a cable */
static int meets(const epi_pair *p)
{
  return p->contact || (p->axis && p->axis->stop > 0) || (p->load && !strcmp(p->load->name, "cable"));
}

/* loads and drives do work, and what is of the user's may; contacts, springs and joints of the library store energy or lose it */
int epi_world_passive(const epi_world *w)
{
  int collides = 0;
  if (w->shaken) return 0;
  for (int i = 0; i < w->pairs; i++)
    if (!(w->pair[i].contact ? passive_contact(w->pair[i].contact) : passive_spring(&w->pair[i]))) return 0;
    else collides |= meets(&w->pair[i]);
  for (int i = 0; i < w->couplings; i++) if (w->coupling[i].driven) return 0;
  for (int i = 0; i < w->joints; i++) {
    const epi_joint *j = &w->joint[i].data;
    if (j->speed != 0 || j->angle || w->joint[i].driven) return 0;
    if (!of_the_library(w->joint[i].kind, (const void *const *)epi_joint_kinds())) return 0;
  }
  return collides ? 1 : 2;
}
