/* world.h - the inside of a world, shared by the files of src/body */
#ifndef EPI_WORLD_H
#define EPI_WORLD_H
#include "core.h"

enum { EPI_NAME = 32 };

/* where a body stands in y and in the velocities */
typedef struct { char name[EPI_NAME]; int q, v, modes; double mass, inertia[3]; const double *modal_stiffness, *modal_damping; } epi_member;

/* what acts between two members: one of the library's kinds or the user's */
typedef struct {
  char name[EPI_NAME];
  int a, b;
  unsigned kind;
  epi_act *act;
  void *data;
} epi_pair;

/* a joint: rows g = 0 and their Jacobian, held by multipliers or by springs */
typedef struct {
  char name[EPI_NAME];
  int a, b, rows, as, which[6];                /* which: 0-2 directions, 3-5 turns */
  epi_joint data;
} epi_bond;

/* what acts on a body: force and moment about its centre, in space */
typedef struct { double f[3], m[3]; } epi_wrench;

/* a shape that a world shows, and what places it: the body `on`, a pair or a bond */
typedef struct epi_look epi_look;
typedef void epi_place(const epi_world *, const epi_look *, const epi_state *, const epi_pose *, epi_shape *);
struct epi_look { epi_shape shape; int on; epi_place *place; char name[EPI_NAME + 16], unit[EPI_NAME]; };

struct epi_world {
  epi_member *body;
  epi_pair *pair;
  epi_bond *bond;
  int bodies, pairs, bonds, room[3], nq, nv, nc;
  double gravity[3], *mass, *start;            /* start: y, and the copy that a state moves */
  int *stiff_body, stiff_bodies;               /* those that anything stiff acts on */
  struct epi_races *races;                     /* the contacts that go together, or NULL */
  char *taken;                                 /* which pairs those are */
  int kinds[4];                                /* how many pairs there are: 2 stiff + still, without those taken */
  epi_system model, contacts, stiff;
  epi_name names[4];
  int made;
  int culprit;                                 /* 1 + the pair that said no last */
  char **coordinate, error[256];
  const char **unit;                           /* of the coordinates */
  epi_look *given, *look;                      /* shapes that were added; all that are shown, made when the world is closed */
  int givens, looks, given_room;
};

EPI_INSIDE int epi_world_wrong(epi_world *, const char *words, ...) __attribute__((format(printf, 2, 3)));
EPI_INSIDE int epi_world_closed(epi_world *);                      /* nothing can be added any more: closed, or wrong */
EPI_INSIDE int epi_world_grow(epi_world *, void **list, int n, int *room, size_t size);             /* room for one more; 0 on success */
EPI_INSIDE int epi_world_pair(epi_world *, const char *name, int a, int b, unsigned kind, epi_act *, const void *data, size_t size);

/* poses (pose.c) */
EPI_INSIDE void epi_rotation_of(const double *q, double *R);       /* of a unit quaternion, by rows */
EPI_INSIDE void epi_pose_of(const epi_member *, const double *q, const double *v, epi_pose *);
EPI_INSIDE void epi_world_retract(epi_system *, const double *q, const double *dq, double *out);
EPI_INSIDE void epi_world_retract_rate(epi_system *, const double *u, const double *v, double *du);
EPI_INSIDE extern const epi_pose epi_ground;

/* joints (joint.c): g, g' and G (rows x 12: velocities of a, of b) of the rows of a bond */
typedef struct { double g[6], rate[6], G[6][12]; } epi_rows;
EPI_INSIDE void epi_bond_rows(const epi_bond *, double t, const epi_pose *a, const epi_pose *b, epi_rows *);
EPI_INSIDE void epi_bond_pull(const epi_bond *, const epi_rows *, double pull[6]);    /* spring forces of the rows */

/* what acts (world.c, contact.c): the data are an epi_applied_force, an epi_spring, an epi_contact */
EPI_INSIDE int epi_load_act(const void *data, double t, const epi_pose *a, const epi_pose *b, epi_action *out);
EPI_INSIDE int epi_spring_act(const void *data, double t, const epi_pose *a, const epi_pose *b, epi_action *out);
EPI_INSIDE int epi_contact_act(const void *data, double t, const epi_pose *a, const epi_pose *b, epi_action *out);

/* shapes (draw.c): the list of all that are shown, from what the world is made of; 0 on success */
EPI_INSIDE int epi_world_dress(epi_world *);

static inline void epi_cross(const double *a, const double *b, double *out)
{
  double x = a[1]*b[2] - a[2]*b[1], y = a[2]*b[0] - a[0]*b[2], z = a[0]*b[1] - a[1]*b[0];
  out[0] = x, out[1] = y, out[2] = z;
}
static inline double epi_dot(const double *a, const double *b) { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2]; }
static inline void epi_out_of(const double *R, const double *x, double *out)            /* R x */
{
  double y[3];
  for (int i = 0; i < 3; i++) y[i] = R[3*i]*x[0] + R[3*i+1]*x[1] + R[3*i+2]*x[2];
  memcpy(out, y, sizeof y);
}
static inline void epi_into(const double *R, const double *x, double *out)              /* R^T x */
{
  double y[3];
  for (int i = 0; i < 3; i++) y[i] = R[i]*x[0] + R[3+i]*x[1] + R[6+i]*x[2];
  memcpy(out, y, sizeof y);
}
#endif
