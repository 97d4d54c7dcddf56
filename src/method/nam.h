/* nam.h - what the files of nam share: its memory, its work, its matrix */
#ifndef EPI_NAM_H
#define EPI_NAM_H
#include "core.h"

enum { NAM_K, NAM_TOL, NAM_LENGTH, NAM_SPEED, NAM_ANGLE, NAM_SPIN, NAM_BETA, NAM_LONGEST, NAM_FIRST };
/* kept: how many accelerations there are, the end of the last step, the lengths of the last two, the next one, whether the last was
   refused; the square of the highest frequency; by how much the stiffness is taken; accepted steps, at which of them it is looked at again,
   how often it was found wrong one after the other, and by how much together; the square of the highest frequency that steps were found
   unstable by, of what their matrix leaves out */
enum {
  NAM_HAS, NAM_TIME, NAM_H1, NAM_H2, NAM_NEXT, NAM_CAREFUL, NAM_SIGMA, NAM_PART, NAM_COUNT, NAM_LOOK, NAM_DOUBT, NAM_TRUE, NAM_LEFT_OUT,
  NAM_HEAD
};

/* after them: accelerations of the last three places, the state the last step left, which velocities the stiff part moves, and the motion
   of the highest frequency */
typedef struct { double *a[3], *y, *held, *shape; } epi_nam_memory;
/* A where it was asked, D, B; predictions; what q moves by, without the bend of rotations; the state at the end and its acceleration */
typedef struct {
  double *A, *D, *B, *mean, *ap, *vp, *way, *dq, *yp, *y1, *a1, *room, *x;
  double *K, *C, *N;                   /* of the slope: dense, by rows */
  /* of the last step, for its inside: where it began, by what it moved, and how fast at its end, velocity and accelerations there */
  double *start, *turned, *rate, *v, *from, *to;
} epi_nam_work;

/* weights of the accelerations there are: at the end, their mean over the step, their rate times h; gamma h^2 and beta h: what D moves q
   and v by */
typedef struct { int m; double at[3], mean[3], rate[3], q[2], beta, gamma; } epi_nam_weights;

/* what is summed up of the stiffness of a body, for its highest frequency (nam-force.c) */
enum { EPI_NAM_SUMS = 11 };

/* how the forces are taken: by links, by the slope, or as they are */
enum { EPI_NAM_LINKED, EPI_NAM_SLOPE, EPI_NAM_PLAIN };
typedef struct {
  int by, links, blocks, slots, held;
  epi_link *link;
  int *end;                            /* of each link: its two blocks, or -1; the slot between them */
  int *first, *size;                   /* of each block: its velocities */
  int *place;                          /* of each velocity: 6 block + row, or -1 */
  int *order;                          /* blocks as they are eliminated, and for each: where its column begins, */
  int *column, *row, *slot, *target;   /* the later blocks it has entries with, their slots, and where products of them go */
  double *diagonal, *lower, *x;        /* 36 numbers each; 6 */
  char *moves, *used;                  /* blocks that are not held altogether; slots that are not zero */
  int *group, groups;                  /* velocities whose errors are taken together: where they begin, and what kind they are */
  char *angle;
  int *pivot;
  int tries;
  char said[160];
  double t0, h;                        /* the last step, where its inside is known */
  int modes;                           /* of the second system: */
  const epi_mode *mode;
  double *reply;                       /* what D moves position and velocity of each by in this step, and D */
  double phi[4], *push, *inside;       /* what pushes each, as powers of the part of the step; in the step whose inside is known */
  char *exact;                         /* whether it goes by its own motion in this step, and in that one */
} epi_nam;

EPI_INSIDE epi_nam_memory epi_nam_memory_of(const epi_flow *);
EPI_INSIDE epi_nam_work epi_nam_work_of(const epi_flow *);
EPI_INSIDE long epi_nam_room(const epi_flow *);                      /* numbers of work */
EPI_INSIDE double epi_nam_mass(const epi_flow *, int i);

/* weights (nam-weights.c): of m accelerations, the last at the start of a step of h, the others h1 and h1 + h2 before */
EPI_INSIDE epi_nam_weights epi_nam_weights_of(int m, double h, double h1, double h2);

/* the matrix (nam-matrix.c): which bodies are eliminated first; M + beta h C + gamma h^2 K, and D of the force that was asked */
EPI_INSIDE int epi_nam_matrix_make(epi_flow *);                      /* into own; 0 on success, else refused */
EPI_INSIDE void epi_nam_matrix_drop(epi_flow *);
EPI_INSIDE int epi_nam_solve(epi_flow *, const epi_nam_work *, const double *held, const epi_nam_weights *, double h, double part);

/* modes of the second system (nam-modes.c): their own motion over a step, into way and vp; with D, into dq and v1; errors */
EPI_INSIDE int epi_nam_modes_make(epi_flow *);                       /* 0 on success, else refused */
EPI_INSIDE void epi_nam_modes_predict(epi_flow *, const epi_state *, const epi_nam_work *, const epi_nam_memory *, const epi_nam_weights *,
                                      double h);
EPI_INSIDE void epi_nam_modes_finish(epi_flow *, const epi_nam_work *, double *v1);
EPI_INSIDE void epi_nam_modes_note(epi_flow *);                       /* this step is the one whose inside is known; and there: */
EPI_INSIDE void epi_nam_modes_between(epi_flow *, const double *start, double part, double *y);
EPI_INSIDE double epi_nam_modes_error(const epi_flow *, double length, double speed);

/* what is known of the forces (nam-force.c): A at a state with its links or slopes; the square of the highest frequency there */
EPI_INSIDE int epi_nam_ask(epi_flow *, double t, double theta, const double *y, const double *v, const epi_nam_work *, double *A);
EPI_INSIDE double epi_nam_sigma(epi_flow *, const epi_nam_work *, const epi_nam_memory *);
/* now and then, the stiffness against the force itself at the end of a step: how much of it is taken from here on */
EPI_INSIDE int epi_nam_look(epi_flow *, const epi_nam_work *, const epi_nam_memory *, double h, epi_tick end);

/* a given step by the highest frequency, at most, where the matrix leaves its stiffness out: the limits of stability are 1.35 and 1.05 */
static inline double epi_nam_explicit(const epi_flow *f) { return f->arg[NAM_K].number == 3 ? 1.0 : 1.3; }
/* EPI_TOO_FAR: the step is unstable by what its matrix leaves out */
EPI_INSIDE int epi_nam_look_beyond(epi_flow *, const epi_nam_work *, const epi_nam_memory *, double h, epi_tick end);

/* a step (nam-step.c): to y1, a1; nothing of the state is changed. And it counts */
EPI_INSIDE int epi_nam_begin(epi_flow *, const epi_state *);
EPI_INSIDE int epi_nam_try(epi_flow *, const epi_state *, double h, epi_tick end);
EPI_INSIDE void epi_nam_accept(epi_flow *, epi_state *, double h, epi_tick end);
EPI_INSIDE int epi_nam_between(epi_flow *, double t, double *y);

/* B of a step of h with this A, by a semi that is asked for nothing else (semi.c); held is set for velocities that it moves */
EPI_INSIDE epi_flow *epi_semi_for(epi_flow *, double beta);
EPI_INSIDE int epi_semi_hold(epi_flow *, const epi_state *, const double *A, double h, epi_tick end, double *B, double *held);
EPI_INSIDE void epi_semi_held(epi_flow *, const epi_state *, const double *v0, const double *A, const double *B, double h);
#endif
