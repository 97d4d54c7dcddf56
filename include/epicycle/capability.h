/* capability.h - what a system may say of itself beside its force: ten records, all optional */
/* first, so that this header can be the only one of a program */
#include "../epicycle.h"
#ifndef EPICYCLE_CAPABILITY_H
#define EPICYCLE_CAPABILITY_H
#ifdef __cplusplus
extern "C" {
#endif

/* ---- Records of a system -------------------------------------------------------------------------------------------
 * Each is a member of epi_system by value: fill in what you have, leave the rest zero.
 *
 *   epi_system shaken = {.nq = 1, .phase = {.forced = forced, .phase_rate = 1e4}, .traits = {.smooth = 1}};
 *
 * `reserved` is for members of later versions, which take its place: leave it zero. */

typedef struct epi_planar { double x, y; } epi_planar;          /* two coordinates by value: they stay in registers */

/* a fast phase theta */
typedef struct epi_phase {
  int (*forced)(epi_system *, double t, double theta, const double *q, double *f);     /* instead of force, 2 pi periodic in theta */
  double phase_rate;                                                   /* d theta/dt, constant ... */
  double (*phase_rate_at)(epi_system *, double t);                     /* ... or slowly varying */
  double theta0;               /* the phase at the start: where the windows of averages begin, unless they are told otherwise */
  double period;               /* the fast period where known (0: from phase_rate; beside that, a whole number of its turns) */
  /* the fast velocity that belongs to a slow state: v (nv) from slow Q, P at phase theta; for averages with start=lift */
  int (*lift)(epi_system *, double t, double theta, const double *Q, const double *P, double *v);
  /* where constraint or velocity_force take the fast phase from t, because they are not told theta. 1: as theta0 + phase_rate t;
     averages whose windows start at one phase whatever the time refuse such a system. 2: as epi_phase_now(s, t) has it. Averages move the
     phase of a copy of the system, to put it where their windows start: such callbacks ask the system they are called with, not one that
     data leads to */
  int phase_in_t;
  int held;                    /* the library's, in copies; leave both zero. held: the phase stands still, at theta0 + shift; */
  double shift;                /* else shift is added to it */
  const void *reserved[2];
} epi_phase;

/* masses that are no diagonal, one of these, constant (in the body frame for rotations); and kinetic energies that are not quadratic */
typedef struct epi_inertia {
  const double *mass_matrix;                                           /* nv x nv, symmetric positive definite, by rows */
  int (*mass_solve)(epi_system *, const double *q, double *a);         /* a = M^-1 a */
  int accel;                   /* 1: the forces are accelerations; the mass is the metric of constraints only, energies have their own */
  /* q' = speed(v), where the kinetic energy is not quadratic: v in the state is then the momentum, v' = force, and no mass is given */
  int (*speed)(epi_system *, double t, const double *v, double *dq);
  const void *reserved[2];
} epi_inertia;

/* more of the constraints. Of many, each of few velocities, G holds the entries of a pattern in compressed rows: constraint c has the
   velocities cols[rowptr[c]] ... cols[rowptr[c+1]-1], and G one number for each of these, in this order (diagonal mass or none) */
typedef struct epi_constraints {
  const int *rowptr, *cols;
  /* how g changes when q moves by dq in the time h, without cancellation: keeps multipliers clean when steps are tiny */
  int (*constraint_increment)(epi_system *, double t, double h, const double *q, const double *dq, double *dg);
  /* how fast dg/dt changes where v stays as it is; h: a step that resolves the motion, for differences over a part of it; 0: there is none,
     and what would need them returns 1. NULL: found by differences of G v + gt */
  int (*constraint_bend)(epi_system *, double t, double h, const double *q, const double *v, double *out);
  /* what constraint c is called in sentences: "the length of rod 2". NULL: by its number */
  void (*constraint_name)(epi_system *, int c, char *out, size_t size);
  const void *reserved[2];
} epi_constraints;

/* rotations */
typedef struct epi_manifold {
  /* out = q moved by dq (nv entries), the exponential; NULL means q + dq. retract_rate gives u' for q = retract(q0, u) moving with velocity
     v; without it u' is found by differences of retract */
  void (*retract)(epi_system *, const double *q, const double *dq, double *out);
  void (*retract_rate)(epi_system *, const double *u, const double *v, double *du);
  /* with retract: of all numbers that mean the position q, those nearest to `of`. A unit quaternion and its negative are one rotation, and
     a body that turns once in a fast period comes back as the other of them */
  void (*nearest)(epi_system *, const double *of, double *q);
  const void *reserved[2];
} epi_manifold;

/* derivatives, for implicit methods; by differences where absent */
typedef struct epi_jacobian {
  /* with forces: A (nv x nv) = a dF/dq + b dF/dv, F = force + velocity_force. With a rate: A (n x n) = a d rate/dy. A comes zeroed, by
     rows */
  int (*slope)(epi_system *, double t, const double *y, double a, double b, double *A);
  /* with slope, where each velocity feels few others: A then has the entries of a pattern in compressed rows, columns ascending. A velocity
     without entries feels no force of this system at all. For the second system of semi (diagonal mass or none) */
  int (*slope_rows)(epi_system *, double t, const double *y, double a, double b, double *A);
  const int *slope_rowptr, *slope_cols;
  /* how far positions may be moved where forces are to change by their slope alone, beside contacts that are microns deep; 0: a millionth
     of their size */
  double probe;
  const void *reserved[2];
} epi_jacobian;

/* more of the energy, for diagnostics and for methods that stand on it */
typedef struct epi_energies {
  double (*kinetic)(epi_system *, double t, const double *y);
  double (*potential)(epi_system *, double t, const double *y);
  /* force/|potential|, where that is cheaper than both; for scaled */
  int (*log_force)(epi_system *, double t, const double *q, double *f);
  epi_planar (*log_planar)(epi_system *, double t, epi_planar q);           /* the same for nq = 2, by value, which is a third faster */
  /* what a step density should follow, Q > 0: steps go as 1/Q. grad (nv entries for q, nv for v, nz) comes as not-a-number: leave it so
     where you have no gradient, and the derivative is found by differences */
  int (*objective)(epi_system *, double t, const double *y, double *Q, double *grad);
  const void *reserved[2];
} epi_energies;

/* what acts between two groups of velocities, a and b, such as a contact between two bodies: which they are, at[i] ... at[i] + n[i] - 1,
   at most six each (n = 0: none, as of the ground), and what it is called in sentences */
typedef struct epi_link_ends { const char *name; int at[2], n[2]; } epi_link_ends;
/* ... and what contact routines know of it beside its force. Rows of G make of the velocities of a (0 ... 5) and of b (6 ... 11) the speed
   of closing and the slip in two directions across it: the force is -G^T (load, traction) */
typedef struct epi_link {
  double load, stiffness, damping;     /* d load/d depth and d load/d speed, not negative; load is for sentences alone */
  double slope[3];                     /* d traction/d slip: 11, 12 = 21, 22 */
  double G[3][12];                     /* is not looked at where stiffness, damping and slope are zero */
} epi_link;

/* contacts: as gaps, and as links */
typedef struct epi_contacts {
  int ng, impulsive;           /* impulsive: no force keeps the gaps open, so methods that would ignore them refuse */
  int (*gap)(epi_system *, double t, const double *q, double *g, double *G);
  const double *stiffness;     /* ng entries: of the contacts behind the gaps; for objective=contact */
  /* was something gone through between two states, the ends of one step, of which no force told? 1, and after what part of the step; 2
     where the step is too long to say. For flows that choose their steps, which then take a shorter one */
  int (*went_through)(epi_system *, double t0, const double *y0, double t1, const double *y1, double *part);
  /* all forces, force + velocity_force, written to f, and beside them, in the same sweep, the links they come from: derivatives for
     nothing, for methods that take one sweep a step, such as nam. Stiffness, damping and slope of all `links` come zeroed: leave those that
     are open so, and those you know nothing of. Diagonal mass or none, and no fast phase */
  int links;
  const epi_link_ends *link_ends;      /* which velocities each is between: the same at all times */
  int (*linked_force)(epi_system *, double t, const double *q, const double *v, double *f, epi_link *);
  const void *reserved[2];
} epi_contacts;

/* many states in one call */
typedef struct epi_batch {
  /* force (or forced) at many states: lane k has t[k], theta[k], q[i*lanes + k] and answers f[i*lanes + k]; for methods whose evaluations
     do not wait for one another, such as picard */
  int (*forces)(epi_system *, int lanes, const double *t, const double *theta, const double *q, double *f);
  /* forces, of systems that differ in their numbers: lane k is that of of[k], and all have this very callback. What force (or forced) gives
     in the same bits; so that cases of a sweep and epicycle/lanes.h can move many in one call */
  int (*forces_of)(epi_system *const *of, int lanes, const double *t, const double *theta, const double *q, double *f);
  const void *reserved[2];
} epi_batch;

/* a mode: a velocity that a spring and a damper of its own move, and nothing else of its system: force = -stiffness q - damping v */
typedef struct epi_mode { int q, v; double stiffness, damping; } epi_mode;
/* velocities of this system that are modes; as the second system of nam it moves them exactly, however fast they swing */
typedef struct epi_uncoupled_modes {
  int modes;
  const epi_mode *mode;
  const void *reserved[2];
} epi_uncoupled_modes;

/* what is known of the forces */
typedef struct epi_traits {
  int irreversible;            /* may not run backward: strong damping, impacts */
  int dissipative;             /* 1: forces of velocity take energy away, as damping and friction do */
  int smooth;                  /* forces have no kink or jump, in time or elsewhere: what looks for these may save its evaluations */
  /* times, ascending, at which a force of the time bends or jumps, as the points of a table; chosen steps do not go over them */
  int nbreaks;
  const double *breaks;
  const void *reserved[2];
} epi_traits;

/* ---- The library's part of a state: leave it zero --------------------------------------------------------------------
 * Keys of cached forces, taps of averages, trial steps, and what rounding left of t; authors of methods find in epicycle/method.h what
 * reads and writes them. */
typedef struct epi_key {
  const epi_flow *mover;
  long moves, kicks;
  const double *tap;
  double *sum;
  int trial, quiet, landing;
  double rest, land, land_rest, land_theta;
  const void *reserved[4];
} epi_key;

#ifdef __cplusplus
}
#endif
#endif
