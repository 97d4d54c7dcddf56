/* parts.h - the inside of a world, shared by the files of src/body */
#ifndef EPI_PARTS_H
#define EPI_PARTS_H
#include "rotation.h"
#include <stdatomic.h>
#include <stddef.h>

enum { EPI_NAME = 32 };

/* where a body stands in y and in the velocities */
typedef struct {
  char name[EPI_NAME];
  int q, v, modes;
  double mass, inertia[3];
  const double *modal_stiffness, *modal_damping;
  epi_mode_shapes shapes;
} epi_member;

/* the fast phase of a world, theta0 + rate t; rate 0: it has none */
typedef struct epi_uniform_phase { double rate, theta0; } epi_uniform_phase;

/* what acts between two members: a contact, load or spring by its record, or an action of the user's */
typedef struct {
  char name[EPI_NAME];
  int a, b;
  unsigned kind;
  epi_act *act;
  void *data;
  const epi_contact *contact;                  /* the data, where it is one */
  const epi_load_kind *load;                   /* of a load or spring */
  int stiff;                                   /* as the user says: 1 yes, -1 no, 0 nothing */
  struct epi_flex *flex;                       /* how it feels the modes of its bodies; NULL: not at all */
  const struct epi_uniform_phase *driven;              /* a spring whose end moves, or what has a law: the phase of the world; else NULL */
  int (*at_instant)(const void *data, const epi_instant *, const epi_pose *a, const epi_pose *b, epi_action *out);     /* with its law */
  const epi_axis *axis;                        /* the data, where it acts on an axis of a joint */
  int on_joint, turned;                        /* and which joint and which angle, both 1 + number; 0: none */
} epi_pair;

/* a joint: rows g = 0 and their Jacobian, held by multipliers or by springs */
typedef struct {
  char name[EPI_NAME];
  int a, b, rows, as, first;                   /* first: row among all constraints */
  unsigned turns;                              /* bit k: row k is an angle */
  const epi_joint_kind *kind;
  epi_joint data;
  double *own;
  void *made;                                  /* of a curve: its spline */
  const epi_uniform_phase *driven;                     /* its point on b moves; else NULL */
} epi_world_joint;

/* an angle of a joint that has all its turns */
typedef struct { int joint, axis; } epi_turned;

/* axes whose sum is held: row `first` of the constraints, and the bodies it is about */
typedef struct {
  char name[EPI_NAME];
  int terms, first, bodies, body[2*EPI_TERMS], from_start, driven;
  struct { int joint, axis, turned; double factor; } term[EPI_TERMS];
  double sum;
  epi_drive drive;
  int mesh;
  double pressure;
} epi_world_coupling;

/* what acts on a body: force and moment about its centre, in space */
typedef struct { double f[3], m[3]; } epi_wrench;

/* names to numbers: of equal ones the first. Entries are 1 + number, in a table of a power of two that is never full */
typedef struct { int *entry, room, n; } epi_index;

/* a shape that a world shows, and what places it: the body `on`, a pair or a joint */
typedef struct epi_drawn epi_drawn;
typedef void epi_place(const epi_world *, const epi_drawn *, const epi_state *, epi_shape *);
struct epi_drawn { epi_shape shape; int on, part; epi_place *place; char name[EPI_NAME + 16], unit[EPI_NAME]; };

/* rows of constraints and the velocities they touch, and the same for the slope of what is stiff */
typedef struct { int *rowptr, *cols; } epi_rows_list;

enum { EPI_CULPRITS = 64 };
/* a touch of the user's has a normal that is none: no code of a callback */
enum { EPI_NO_NORMAL = -1000001 };

struct epi_world {
  epi_member *body;
  epi_pair *pair;
  epi_world_joint *joint;
  int *number;                                 /* what has number k: pair i as i, joint i as -1 - i, coupling i below these */
  epi_turned *turned;                          /* their angles are the last positions */
  epi_world_coupling *coupling;
  int turns, couplings, room_turned, room_coupling;
  int bodies, pairs, joints, numbers, nq, nv, nc;
  int room[4], room_mass, room_q, room_v;
  epi_index body_names, action_names;
  epi_uniform_phase phase;
  epi_drive shaking[EPI_DRIVES];
  int shaken;                                  /* how many of these there are */
  double gravity[3], *mass, *q, *v, *start;    /* q, v: where it starts; start: y, and the copy that a state moves */
  int *stiff_body, stiff_bodies;               /* those that anything stiff acts on */
  struct epi_races *races;                     /* the contacts that go together, or NULL */
  struct epi_rollers *rollers;                 /* and those of rollers */
  struct epi_crew *crew;                       /* the threads that share these, or NULL */
  int threads;                                 /* how many were asked for */
  char *taken;                                 /* which pairs those are: 1, 2 */
  int links;                                   /* one for each pair, and a second one for each roller */
  int kinds[4];                                /* how many pairs there are: 2 stiff + still, without those taken */
  epi_rows_list rows, slope;
  epi_link_ends *ends;                         /* of the pairs: what each is between, where it may be a link */
  epi_mode *mode;                              /* modes that nothing stiff acts on */
  int modes;
  double *gap_stiffness;                       /* of the contacts that are gaps, and how many these are */
  int gaps;
  double *breaks;                              /* times at which a function of the time bends, ascending once the world is closed */
  int nbreaks, room_breaks;
  double thinnest;                             /* radius of what could be gone through in a step; infinite: nothing could */
  double lever;                                /* how far beside the centre of a body acts what is felt at times only */
  epi_system model, contacts, stiff;
  epi_derived_system wrong;                    /* what is wrong, for flows over the systems of a world that is */
  epi_name names[4];
  int made;
  _Atomic int refused;                                 /* how many threads have been */
  _Atomic unsigned long long culprit[EPI_CULPRITS];    /* who said no last, by thread: see said_no in force.c */
  char **coordinate, *letters, error[256];
  epi_cause cause;                     /* of the error */
  const char **unit;                           /* of the coordinates */
  epi_drawn *given, *look;                      /* shapes that were added; all that are shown, made when the world is closed */
  int givens, looks, given_room;
};

EPI_INSIDE int epi_world_wrong(epi_world *, const char *words, ...) __attribute__((format(printf, 2, 3)));
EPI_INSIDE int epi_world_no_memory(epi_world *);
EPI_INSIDE int epi_world_closed(epi_world *);                      /* nothing can be added any more: closed, or wrong */
EPI_INSIDE int epi_world_grow(epi_world *, void **list, int n, int *room, size_t size);             /* room for n; 0 on success */
EPI_INSIDE int epi_world_pair(epi_world *, epi_pair, const char *name, const void *data, size_t size, const double *own, int n);
EPI_INSIDE int epi_world_number(epi_world *, int pair_or_bond);                      /* the next number; -1 out of memory */
EPI_INSIDE int epi_world_close(epi_world *);                       /* its systems, once; 0 on success */
enum { EPI_COUPLING_NUMBER = -(1 << 28) };                         /* coupling i has this minus i */
EPI_INSIDE int epi_joint_numbered(const epi_world *, int number);  /* which joint; -1: none of that number is one */
/* kinds and their parameters by name (kinds.c): fields of a struct first, the others in own, in their order */
typedef struct { const char *name; size_t at; int n; } epi_field;
EPI_INSIDE int epi_contact_own(const epi_contact_kind *);
EPI_INSIDE int epi_joint_own(const epi_joint_kind *);
EPI_INSIDE int epi_load_own(const epi_load_kind *);
EPI_INSIDE const epi_contact_kind *epi_contact_kind_of(const epi_contact *);        /* NULL where there is none of that shape */
EPI_INSIDE const epi_joint_kind *epi_joint_kind_of(const epi_joint *);
EPI_INSIDE const epi_load_kind *epi_load_kind_of(const epi_applied_force *);
EPI_INSIDE const epi_load_kind *epi_spring_kind_of(const epi_spring *);

/* names (index.c) */
typedef const char *epi_name_of(const epi_world *, int number);
EPI_INSIDE int epi_index_find(const epi_index *, const epi_world *, epi_name_of *, const char *name);    /* -1 if there is none */
EPI_INSIDE int epi_index_add(epi_index *, const epi_world *, epi_name_of *, int number);                      /* 0, or -1 out of memory */
EPI_INSIDE const char *epi_body_name(const epi_world *, int body);
EPI_INSIDE const char *epi_action_name(const epi_world *, int number);

/* poses (pose.c) */
EPI_INSIDE void epi_pose_of(const epi_member *, const double *q, const double *v, epi_pose *);
/* moving them (retract.c) */
EPI_INSIDE void epi_world_retract(epi_system *, const double *q, const double *dq, double *out);
EPI_INSIDE void epi_world_nearest(epi_system *, const double *of, double *q);
EPI_INSIDE void epi_world_retract_rate(epi_system *, const double *u, const double *v, double *du);
EPI_INSIDE extern const epi_pose epi_ground;

/* angles with all their turns (turned.c): 1 + its number, made where there is none yet, 0 where the axis has none, -1 out of memory */
EPI_INSIDE int epi_world_turned(epi_world *, int joint, int axis);
EPI_INSIDE int epi_world_begin_turns(epi_world *);
EPI_INSIDE void epi_turns_ahead(const epi_world *, const double *q, const double *dq, double *out);
EPI_INSIDE void epi_turns_follow(const epi_world *, double *q);
static inline const double *epi_turned_at(const epi_world *w, int turned, const double *q)
{
  return turned ? q + w->nq - w->turns + turned - 1 : NULL;
}

/* couplings (couple.c): G has six numbers for each of their bodies; drives say no as those of joints */
EPI_INSIDE int epi_world_begin_couplings(epi_world *);
EPI_INSIDE int epi_coupling_row(const epi_world *, const epi_world_coupling *, double t, const double *q, double *g, double *gt, double *G);
EPI_INSIDE int epi_coupling_bend(const epi_world *, const epi_world_coupling *, double t, const double *q, const double *v, double *out);
EPI_INSIDE int epi_coupling_cols(const epi_world *, const epi_world_coupling *, int *cols);
EPI_INSIDE int epi_coupling_tooth(const epi_world *, const epi_world_coupling *, const epi_state *, double force[3], double at[3]);
EPI_INSIDE int epi_coupling_action(const epi_world *, const epi_world_coupling *, const epi_state *, int term, epi_action *);

/* bodies in motion: poses and wrenches of all where they are few, in blocks of the caller; else a pose is found when it is asked for and
   a wrench goes into f at once. Nothing grows with the world, and nothing is shared between threads */
enum { EPI_FEW_BODIES = 64 };
typedef struct {
  const epi_world *w;
  const double *q, *v;
  double *f;
  epi_pose *pose;
  epi_wrench *wrench;
  epi_link *link;                              /* one for each pair, where by-products are wanted; else NULL */
  const epi_instant *now;                      /* the phase, where it is told; NULL: that of the time */
} epi_moving;

static inline const epi_pose *epi_pose_at(const epi_moving *m, int body, epi_pose *room)
{
  if (body < 0) return &epi_ground;
  if (m->pose) return m->pose + body;
  epi_pose_of(&m->w->body[body], m->q, m->v, room);
  return room;
}

static inline void epi_push(const epi_moving *m, int body, const epi_pose *p, double sign, const double *force, const double *moment)
{
  if (body < 0) return;
  if (m->wrench) {
    epi_wrench *x = &m->wrench[body];
    for (int i = 0; i < 3; i++) { x->f[i] += sign*force[i]; x->m[i] += moment[i]; }
    return;
  }
  double *f = m->f + m->w->body[body].v, own[3];
  epi_into(p->R, moment, own);
  for (int i = 0; i < 3; i++) { f[i] += sign*force[i]; f[3+i] += own[i]; }
}

/* drives (drive.c): where, how fast and with what acceleration all of a list are together; 0 on success, negative, or above
   EPI_DRIVE_SAID the number that explain gets */
EPI_INSIDE int epi_drives_at(const epi_drive *, int n, const epi_instant *, double at[3], double rate[3], double accel[3]);
EPI_INSIDE int epi_drive_at(const epi_drive *, const epi_instant *, double x[3]);      /* of one: along its direction, or its angle */
EPI_INSIDE int epi_drives_count(const epi_drive *);
EPI_INSIDE int epi_drive_said(int bad, int which);     /* what a drive returned, and which of its list it is, as one number */
EPI_INSIDE int epi_drive_wrong(const epi_drive *, char *words, size_t size);           /* 1: and why, in words that follow a name */
EPI_INSIDE epi_instant epi_instant_of(const epi_uniform_phase *, double t);
/* a pair that is driven, at a phase of its own */
EPI_INSIDE int epi_driven_act(const epi_pair *, const epi_instant *, const epi_pose *a, const epi_pose *b, epi_action *out);
EPI_INSIDE int epi_gravity_at(const epi_world *, const epi_instant *, double g[3]);    /* and what is felt where the ground is shaken */
/* what a drive returns is no code of a system: where it has no value the step was too far, and explain gets the number */
enum { EPI_DRIVE_SAID = 1000000, EPI_DRIVE_CODES = 1023 };

/* the phase as a system of the world has it: averages shift or hold that of their copies; and a joint that is driven by it (force.c) */
EPI_INSIDE epi_uniform_phase epi_world_phase(const epi_system *);
EPI_INSIDE const epi_world_joint *epi_joint_seen(const epi_world_joint *, const epi_uniform_phase *, epi_world_joint *room);

/* joints (joint.c): g, G and g' of the rows of a joint; spring forces of the rows */
EPI_INSIDE int epi_world_joint_rows(const epi_world_joint *, double t, const epi_pose *a, const epi_pose *b, epi_joint_rows *,
                                    double rate[6]);
/* EPI_NO_BEND: it is to be found by differences */
enum { EPI_NO_BEND = -1000002 };
EPI_INSIDE int epi_world_joint_bend(const epi_world_joint *, double t, const epi_pose *a, const epi_pose *b, double out[6]);
EPI_INSIDE int epi_world_has_laws(const epi_world *);          /* 1: a load or a motor is a formula or a function */
EPI_INSIDE int epi_world_bend(epi_system *, double t, double h, const double *q, const double *v, double *out);        /* bend.c */
EPI_INSIDE void epi_joint_pull(const epi_world_joint *, const epi_joint_rows *, const double rate[6], double pull[6]);

/* what is stiff (stiff.c): marked when the world is closed, and its slope */
EPI_INSIDE int epi_world_mark_stiff(epi_world *);                                  /* 0 on success */
/* row of the closing speed of a pair: rate = G v, force = -G^T load; v as of joints */
EPI_INSIDE void epi_pair_row(const epi_action *, const epi_pose *a, const epi_pose *b, double G[12]);

/* contacts (contact.c): the data are an epi_contact */
EPI_INSIDE int epi_contact_act(const void *data, double t, const epi_pose *a, const epi_pose *b, epi_action *out);
/* the same of a kind of the user's: EPI_NO_NORMAL where its normal is no unit vector */
EPI_INSIDE int epi_own_contact_act(const void *data, double t, const epi_pose *a, const epi_pose *b, epi_action *out);

/* the same where the touch is known: with what force */
EPI_INSIDE int epi_contact_push(const epi_contact *, const epi_touch *, const epi_pose *a, const epi_pose *b, epi_action *out);

/* modes that contacts, springs and loads feel (flex.c, mode-shape.c): found when the world is closed, 0 on success */
EPI_INSIDE int epi_world_find_flex(epi_world *);
EPI_INSIDE void epi_flex_free(struct epi_flex *);
EPI_INSIDE int epi_flex_act(const epi_pair *, double t, const epi_pose *a, const epi_pose *b, epi_action *out);

static inline int epi_pair_act(const epi_pair *c, double t, const epi_pose *a, const epi_pose *b, epi_action *out)
{
  if (c->driven) {
    epi_instant now = epi_instant_of(c->driven, t);
    return epi_driven_act(c, &now, a, b, out);
  }
  return c->flex ? epi_flex_act(c, t, a, b, out) : c->act(c->data, t, a, b, out);
}

/* by-products (link.c): which velocities each pair is between, 0 on success; and what is known of one beside its force */
EPI_INSIDE int epi_world_find_links(epi_world *);
EPI_INSIDE void epi_pair_link(const epi_pair *, const epi_action *, const epi_pose *a, const epi_pose *b, epi_link *);
/* speed along u of the point with these levers, by the velocities of a and b: in space, and their spins in the body */
EPI_INSIDE void epi_link_row(const double *u, const double *la, const double *lb, const epi_pose *a, const epi_pose *b, double *G);

/* contacts as gaps (gap.c): how many and how stiff, found when the world is closed, 0 on success; where they are */
EPI_INSIDE int epi_world_find_gaps(epi_world *);
EPI_INSIDE int epi_world_gap(epi_system *, double t, const double *q, double *g, double *G);

/* balls that go through one another in a step (pass.c); the smallest radius of all that could, when the world is closed */
EPI_INSIDE void epi_world_find_thinnest(epi_world *);
EPI_INSIDE int epi_world_went_through(epi_system *, double t0, const double *y0, double t1, const double *y1, double *part);

/* forces, energies and constraints of the systems (force.c) */
EPI_INSIDE int epi_world_linked_force(epi_system *, double t, const double *q, const double *v, double *f, epi_link *);
EPI_INSIDE int epi_world_force(epi_system *, double t, const double *q, double *f);
EPI_INSIDE int epi_world_forced(epi_system *, double t, double theta, const double *q, double *f);
EPI_INSIDE int epi_world_velocity_force(epi_system *, double t, const double *q, const double *v, double *f);
EPI_INSIDE int epi_world_stiff_force(epi_system *, double t, const double *q, const double *v, double *f);
EPI_INSIDE int epi_world_all_forces(epi_system *, double t, const double *q, const double *v, double *f);
EPI_INSIDE int epi_world_slope(epi_system *, double t, const double *y, double a, double b, double *A);
EPI_INSIDE int epi_world_slope_rows(epi_system *, double t, const double *y, double a, double b, double *A);
EPI_INSIDE int epi_world_constraint(epi_system *, double t, const double *q, double *g, double *G, double *gt);
EPI_INSIDE double epi_world_kinetic(epi_system *, double t, const double *y);
EPI_INSIDE double epi_world_potential(epi_system *, double t, const double *y);
EPI_INSIDE double epi_world_energy(epi_system *, double t, const double *y);
EPI_INSIDE int epi_world_explain(epi_system *, char *out, size_t size);
EPI_INSIDE void epi_world_constraint_name(epi_system *, int c, char *out, size_t size);
/* the velocities that row k of a joint touches, and which of its twelve numbers are theirs; how many */
EPI_INSIDE int epi_joint_cols(const epi_world *, const epi_world_joint *, int k, int cols[12], int from[12]);

/* shapes (draw.c): the list of all that are shown, from what the world is made of; 0 on success */
EPI_INSIDE int epi_world_dress(epi_world *);
#endif
