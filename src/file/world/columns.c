/* columns.c - what a run of a world shows beside its coordinates: energy, loads, what joints carry and where their axes are */
#include "file/model-file.h"
#include <math.h>

static double energy(const epi_case *c, const epi_state *s) { return c->system.energy((epi_system *)&c->system, s->t, s->y); }

/* the load of a contact or spring, by its number */
static double load(const epi_case *c, const epi_state *s, int which)
{
  epi_action out;
  return epi_world_action(c->world, s, which, &out) ? NAN : out.load;
}

static double length(const double *x) { return sqrt(x[0]*x[0] + x[1]*x[1] + x[2]*x[2]); }

/* the numbers that the world gave: contacts, springs, loads, joints, what acts on axes, couplings */
static int joint_number(const described *d, int joint) { return d->contacts + d->springs + d->loads + joint; }

/* what acts in a joint on its body a; the moment about its point. 0 on success */
static int carried(const epi_case *c, const epi_state *s, int which, double *pull, double *moment)
{
  return epi_case_joint_load(c, s, joint_number(c->data, which), EPI_GROUND, pull, moment);
}

static double force(const epi_case *c, const epi_state *s, int which)
{
  double pull[3], moment[3];
  return carried(c, s, which, pull, moment) ? NAN : length(pull);
}

static double torque(const epi_case *c, const epi_state *s, int which)
{
  double pull[3], moment[3];
  return carried(c, s, which, pull, moment) ? NAN : length(moment);
}

/* the frame of a joint as it stands on one of its bodies: R (body to space) times the frame in the body, by rows */
static void frame_of(const epi_case *c, const epi_state *s, int body, const double *q, double *out)
{
  static const double still[4] = {1, 0, 0, 0};
  const double *p = q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0 ? still : q;
  double w = p[0], x = p[1], y = p[2], z = p[3];
  const double F[9] = {1 - 2*(y*y + z*z), 2*(x*y - w*z), 2*(x*z + w*y), 2*(x*y + w*z), 1 - 2*(x*x + z*z), 2*(y*z - w*x), 2*(x*z - w*y),
                       2*(y*z + w*x), 1 - 2*(x*x + y*y)};
  epi_pose pose = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  if (body >= 0) pose = epi_world_pose(c->world, s, body);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) out[3*i + k] = pose.R[3*i]*F[k] + pose.R[3*i+1]*F[3+k] + pose.R[3*i+2]*F[6+k];
}

/* how far a has turned against b about the z of the frame, -pi to pi */
static double angle(const epi_case *c, const epi_state *s, int which)
{
  const epi_joint *j = &((const described *)c->data)->joint[which].joint;
  double A[9], B[9], cosine = 0, sine = 0;
  frame_of(c, s, j->a, j->frame_a, A);
  frame_of(c, s, j->b, j->frame_b, B);
  for (int i = 0; i < 3; i++) cosine += A[3*i]*B[3*i], sine += A[3*i]*B[3*i+1];
  return atan2(sine, cosine);
}

/* the torque on a about that axis, with its sign: what a motor or a torsion spring does */
static double drive(const epi_case *c, const epi_state *s, int which)
{
  const epi_joint *j = &((const described *)c->data)->joint[which].joint;
  double B[9], pull[3], moment[3];
  if (carried(c, s, which, pull, moment)) return NAN;
  frame_of(c, s, j->b, j->frame_b, B);
  return moment[0]*B[2] + moment[1]*B[5] + moment[2]*B[8];
}

typedef double observer(const epi_case *, const epi_state *, int which);
static epi_observable of(pool *p, const char *name, const char *what, const char *unit, observer *see, int which)
{
  return (epi_observable){.name = epi_pool_text(p, "%s.%s", name, what), .unit = unit, .observe = see, .which = which};
}

/* ---- axes ---- */
static const int axes[] = {EPI_X, EPI_Y, EPI_Z, EPI_RX, EPI_RY, EPI_RZ, EPI_SWING};
enum { AXES = sizeof axes/sizeof *axes, PARTS = 6 };

/* which: AXES times the joint and the axis */
static double place(const epi_case *c, const epi_state *s, int which)
{
  double x;
  return epi_world_axis(c->world, s, joint_number(c->data, which/AXES), axes[which % AXES], &x, NULL) ? NAN : x;
}

/* on a, along or about the axis: what a spring, a stop or a motor does to it */
static double acting(const epi_case *c, const epi_state *s, int which)
{
  const described *d = c->data;
  epi_action out;
  return epi_world_action(c->world, s, joint_number(d, d->joints) + which, &out) ? NAN : 0 - out.load;
}

/* of a coupling the force or torque on its first axis, on its second: by the factors */
static double coupled(const epi_case *c, const epi_state *s, int which)
{
  const described *d = c->data;
  const epi_coupling *k = &d->coupling[which/2].coupling;
  epi_action out;
  if (epi_case_action(c, s, joint_number(d, d->joints) + d->axes + which/2, &out)) return NAN;
  return which % 2 ? out.load*k->term[1].factor/k->term[0].factor : out.load;
}

/* fx, fy, fz, mx, my, mz on a at the point of the joint, in the frame that is asked for */
static double part(const epi_case *c, const epi_state *s, int which)
{
  const described *d = c->data;
  double x[PARTS];
  return epi_case_joint_load(c, s, joint_number(d, which/PARTS), d->joint[which/PARTS].frame, x, x + 3) ? NAN : x[which % PARTS];
}

/* how hard the teeth of a gear push */
static double pushed(const epi_case *c, const epi_state *s, int which)
{
  const described *d = c->data;
  double force[3], at[3];
  return epi_case_mesh(c, s, joint_number(d, d->joints) + d->axes + which, force, at) ? NAN : length(force);
}

/* somebody asks where its axes are */
static int has_axes(const described *d, int joint)
{
  for (int i = 0; i < d->axes; i++) if (d->axis[i].axis.joint == joint) return 1;
  for (int i = 0; i < d->couplings; i++)
    for (int k = 0; k < d->coupling[i].coupling.terms; k++) if (d->coupling[i].coupling.term[k].joint == joint) return 1;
  return 0;
}

/* where its axes are: angle and position where there is one of a kind, otherwise by their words. Of a slider nobody has to ask */
static int observe_axes(pool *p, const described *d, int i, epi_observable *o)
{
  static const char *const words[] = {"x", "y", "z", "rx", "ry", "rz", "swing"};
  const epi_joint *j = &d->joint[i].joint;
  int n = 0, set = epi_joint_free(j), ways = set & EPI_POINT, turns = set & EPI_TURNS, swings = set & EPI_SWING && !turns;
  if (!has_axes(d, i) && (j->as != EPI_CONSTRAINT || turns || swings || !ways || ways & (ways - 1))) return 0;
  for (int k = 0; k < AXES; k++) {
    int one = axes[k] < EPI_RX ? !(ways & (ways - 1)) : axes[k] < EPI_SWING && !(turns & (turns - 1));
    if (!(set & axes[k]) || (axes[k] == EPI_SWING && !swings)) continue;
    o[n++] = of(p, j->name, !one ? words[k] : k < 3 ? "position" : "angle", k < 3 ? "m" : "rad", place, AXES*i + k);
  }
  return n;
}

static int observe_parts(pool *p, const joint_told *told, int i, int heavy, epi_observable *o)
{
  static const char *const words[] = {"fx", "fy", "fz", "mx", "my", "mz"};
  if (!told->told || (heavy && told->joint.as == EPI_CONSTRAINT)) return 0;
  for (int k = 0; k < PARTS; k++) o[k] = of(p, told->joint.name, words[k], k < 3 ? "N" : "N m", part, PARTS*i + k);
  return PARTS;
}

static int observe_acting(pool *p, const described *d, int heavy, epi_observable *o)
{
  int n = 0;
  for (int i = 0; i < d->axes; i++)
    o[n++] = (epi_observable){.name = d->axis[i].axis.name, .unit = d->axis[i].axis.axis >= EPI_RX ? "N m" : "N", .observe = acting,
                              .which = i};
  for (int i = 0; i < d->couplings && !heavy; i++) {
    const epi_coupling *c = &d->coupling[i].coupling;
    const char *unit[2];
    for (int k = 0; k < 2; k++) unit[k] = c->term[k].axis >= EPI_RX ? "N m" : "N";
    if (d->coupling[i].motor || d->coupling[i].screw)
      o[n++] = (epi_observable){.name = c->name, .unit = unit[0], .observe = coupled, .which = 2*i};
    else for (int k = 0; k < 2; k++) o[n++] = of(p, c->name, k ? "second" : "first", unit[k], coupled, 2*i + k);
    if (c->mesh) o[n++] = of(p, c->name, "force", "N", pushed, i);
  }
  return n;
}

/* force and torque of a joint, the angle of a hinge, what drives it. heavy: multipliers of the motion are too large a problem */
static int observe_joint(pool *p, const joint_told *told, int i, int heavy, int rich, epi_observable *o)
{
  const epi_joint *j = &told->joint;
  int n = 0, driven = told->angle || told->speed || j->speed != 0, own = j->kind && j->kind->rows, turns = own ? 0 : j->hold & EPI_TURNS;
  /* what holds a length pulls along the line of its points and has no moment there; of other rows nobody knows */
  int along = told->turns != (1u << told->rows) - 1, about = own ? !epi_kind_param(&(kind){.params = j->kind->params}, "length") : turns;
  if (!rich && (turns == (EPI_RX | EPI_RY) || turns == EPI_RZ)) o[n++] = of(p, j->name, "angle", "rad", angle, i);
  if (j->as == EPI_CONSTRAINT && heavy) return n;
  if (along) o[n++] = of(p, j->name, "force", "N", force, i);
  if (about) o[n++] = of(p, j->name, "torque", "N m", torque, i);
  if (own ? driven : j->hold & EPI_RZ && (driven || j->as == EPI_PENALTY)) o[n++] = of(p, j->name, "drive", "N m", drive, i);
  return n;
}

/* energy, the load of every contact and spring, and what joints do */
int epi_file_observe(pool *p, described *d, int conserves)
{
  enum { MANY = 300 };                 /* joints whose forces are columns: each looks whether the state is another one */
  int n = 0, held = 0;
  size_t most = (size_t)(2 + d->contacts + d->springs + 17*d->joints + d->axes + 3*d->couplings);
  epi_observable *o = d->observable = epi_pool_room(p, most, sizeof *o);
  if (!o) return REFUSED;
  for (int i = 0; i < d->joints; i++) held += d->joint[i].joint.as == EPI_CONSTRAINT;
  o[n++] = (epi_observable){.name = "energy", .unit = "J", .value = energy, .invariant = conserves};
  for (int i = 0; i < d->contacts; i++) o[n++] = of(p, d->contact[i].contact.name, "load", "N", load, i);
  for (int i = 0; i < d->springs; i++) o[n++] = of(p, d->spring[i].spring.name, "load", "N", load, d->contacts + i);
  for (int i = 0; i < d->joints; i++) {
    n += observe_axes(p, d, i, o + n);
    n += observe_joint(p, &d->joint[i], i, held > MANY, has_axes(d, i), o + n);
    n += observe_parts(p, &d->joint[i], i, held > MANY, o + n);
  }
  n += observe_acting(p, d, held > MANY, o + n);
  return p->out ? REFUSED : 0;
}
