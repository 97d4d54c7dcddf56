/* robot.h - a tree of links and joints, as a URDF has it, on its way to a model file */
#ifndef EPI_ROBOT_H
#define EPI_ROBOT_H
#include "xml.h"
#include "epicycle/file.h"

typedef struct pose { double at[3], q[4]; } pose;        /* place and attitude in another frame */
enum { FIXED, REVOLUTE, CONTINUOUS, PRISMATIC, FLOATING, PLANAR, KINDS };

typedef struct inertial { int there; double mass; pose frame; double I[3][3]; } inertial;
typedef struct link {
  const char *name, *shown, *label;    /* as it stands there, as it can be printed, as it is called in the model file */
  const xml *x;
  inertial own;
  int joint, head;                     /* the joint to its parent, -1: the root; the link whose body it is part of */
  pose in_head, space;                 /* where its frame is, at the start */
  double mass, moment[3];              /* of a head: all that is fixed to it */
  pose body;                           /* of a head: centre of mass and principal axes, in its frame */
} link;
typedef struct joint {
  const char *name, *shown, *label;
  const xml *x;
  int kind, parent, child, limited;
  pose origin;
  double axis[3], lower, upper, damping, friction;
  int mimic;                           /* the joint it follows, -1: none */
  double multiplier, offset;
  double q;                            /* at the start */
  int given;
} joint;

struct epi_import {
  pool pool;
  const char *path;
  const char *name;
  link *link;
  joint *joint;
  int links, joints, root, free;       /* free: the root is no part of the ground */
  const char **note;
  int notes, room;
  struct left { const char *what, *why, *names; int n; } left[64];     /* what is not carried over, by its kind */
  int lefts;
  const char *text;
  char why[480];
};

EPI_INSIDE int epi_robot_wrong(epi_import *, const xml *, const char *words, ...) __attribute__((format(printf, 3, 4)));       /* -1 */
EPI_INSIDE void epi_robot_note(epi_import *, const char *words, ...) __attribute__((format(printf, 2, 3)));
EPI_INSIDE void epi_robot_left(epi_import *, const char *what, const char *of, const char *why);  /* one sentence for all of one kind */
EPI_INSIDE int epi_robot_read(epi_import *, const xml *);                                /* 0, or -1 and why */
EPI_INSIDE int epi_robot_tree(epi_import *, const char *const *start);                   /* who hangs on whom, places at the start */
EPI_INSIDE int epi_robot_masses(epi_import *);                                          /* bodies and their principal axes */
EPI_INSIDE void epi_robot_write(epi_import *);
EPI_INSIDE int epi_robot_origin(epi_import *, const xml *, pose *);                      /* <origin> of an element */
EPI_INSIDE int epi_robot_numbers(epi_import *, const xml *, const char *attribute, int n, double *out);       /* 1: it is not there */
EPI_INSIDE void epi_pose_times(const pose *a, const pose *b, pose *out);                 /* b seen from where a is seen from */
EPI_INSIDE void epi_pose_inside(const pose *a, const pose *b, pose *out);        /* b seen from a, both being seen from one place */
#endif
