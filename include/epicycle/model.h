/* model.h - models by name, and models of your own */
/* first, so that this header can be the only one of a program */
#include "../epicycle.h"
#ifndef EPICYCLE_MODEL_H
#define EPICYCLE_MODEL_H
#include "scene.h"
#ifdef __cplusplus
extern "C" {
#endif

/* ---- Models by name ---------------------------------------------------------------------------------------------
 *   epi_case *c = epi_case_make("kepler(e=0.6)");
 *   epi_flow *f = epi_case_flow(c, "symmetric(verlet, order=6)");     // NULL text: the model's own flow
 *   epi_state s = epi_case_state(c);                                  // y belongs to the case and starts again here
 */
typedef struct epi_case epi_case;
typedef struct epi_observable {
  const char *name, *unit;
  double (*value)(const epi_case *, const epi_state *);                      /* reads t, theta, y */
  int invariant;               /* constant along the exact motion */
  double (*observe)(const epi_case *, const epi_state *, int which);            /* instead of value, where many are alike ... */
  int which;                   /* ... and this is one of them */
} epi_observable;
EPI_API double epi_observe(const epi_case *, const epi_observable *, const epi_state *);  /* its value at a state, by value or by observe */
typedef struct epi_model {
  const char *name, *doc, *cite;
  const epi_param *params;
  int (*make)(epi_case *);     /* fills system, y, names from c->p; returns 0, or writes c->error */
  const epi_observable *observables;                                         /* ends with a NULL name */
  int (*exact)(const epi_case *, double t, double *y);                       /* NULL where none is known; 0 on success */
  const char *flow;            /* a sensible default */
  double step, end;
  void (*draw)(const epi_case *, const epi_state *, epi_scene *);      /* what it looks like, see epicycle/scene.h; or NULL */
  int smooth;                  /* 1: its forces have no kink or jump, in time or elsewhere: the same of the system */
} epi_model;
struct epi_case {
  char error[256];             /* first, so that it can be read whatever the rest looks like */
  const epi_model *model;
  double *p;                   /* parameter values in the order of model->params */
  epi_system system;
  double *y, t, theta;         /* initial state; a theta of 0 becomes the theta0 of the system */
  double step, end;            /* defaults, for these parameters */
  epi_name *parts;             /* "model" and "model.part" for the text; ends with a zero entry */
  struct epi_block *blocks;    /* memory of the case, freed with it */
  struct epi_world *world;     /* bodies, freed with the case; or NULL */
  const void *data;            /* what make keeps for the observables; lives as long as the case */
  struct epi_motion *motion;   /* leave alone: accelerations and multipliers at the last state that was asked for */
  const char *flow;            /* default, for these parameters */
  char **given;                /* parameters as they stand in the text, in the order of model->params; NULL: not given */
  struct epi_stiff *stiff;     /* leave alone: stiff modes at the last state that was asked for */
  double every, tol;           /* time between rows, and tolerance of the solution, for these parameters; 0: none */
  int unasked;                 /* 1: neither flow, step nor tolerance is given for it, and a run chooses its flow for 1e-6 */
  epi_cause cause;             /* of the error */
};
EPI_API const epi_model *const *epi_models(void);                            /* NULL-terminated */
EPI_API epi_case *epi_case_make(const char *text);                           /* NULL only when memory is out; else see error */
EPI_API epi_flow *epi_case_flow(epi_case *, const char *text);
EPI_API epi_state epi_case_state(epi_case *);
/* names of yours for the texts of its flows, beside `model`: methods, kernels, functions; yours come first. 0, or -1 and the error */
EPI_API int epi_case_names(epi_case *, const epi_name *);
/* the multipliers of its constraints, from the forces at each state, as observables lambda1, lambda2, ... behind its own: M v' = forces +
   G^T lambda. 0, or -1 and the error */
EPI_API int epi_case_multipliers(epi_case *);
/* the actions (energy over frequency) of its stiff modes as observables J1, J2, ..., the slowest mode first, and their frequencies om1,
   om2, ... behind them, as many as are stiff at the start. Each is read from the state: by what this has beside the floor of the stiff
   valley. The slow state of adiabatic has nothing there, and the actions are those that the flow has learnt: say which flow moves the
   states that are observed from here on, which must live as long; NULL: any other, as at first. 0, or -1 and the error; of the flow, -1
   where it was given another number of modes: then there are none. Not for two threads at a time */
EPI_API int epi_case_actions(epi_case *);
EPI_API int epi_case_moved_by(epi_case *, const epi_flow *);
/* the load over the angle: of every ball of a bearing at a state, where it is round the outer ring (deg from x, 0 to 360), and the loads
   (N) and contact angles (deg) of the outer and of the inner race. How many balls there are, of which room are written; 0: this is no
   bearing. As columns of rows: bearing(show=all) */
typedef struct epi_ball_load { double angle, load[2], contact[2]; } epi_ball_load;
EPI_API int epi_case_balls(const epi_case *, const epi_state *, epi_ball_load *, int room);
EPI_API void epi_case_free(epi_case *);

/* a model of your own is a record like those of the library; `epicycle new NAME` prints one to begin with. Text: the parameters, "(k=3,
   m=2)", or NULL */
EPI_API epi_case *epi_case_of(const epi_model *, const char *text);
/* for its make: zeroed memory, freed with the case (NULL after writing the error); room for the start y, once the sizes of the system are
   known; "model: words" into the error, with the cause EPI_REQUEST or another; parameter i must be positive; a world (epicycle/body.h) as
   the case, which has it from there on. 0 on success, -1 otherwise */
EPI_API void *epi_case_room(epi_case *, size_t count, size_t size);
EPI_API int epi_case_start(epi_case *);
EPI_API int epi_case_refuse(epi_case *, const char *words, ...);
EPI_API int epi_case_refuse_cause(epi_case *, epi_cause, const char *words, ...);
EPI_API int epi_case_positive(epi_case *, int i);
EPI_API int epi_case_world(epi_case *, struct epi_world *);
/* in a file of yours, at its end: EPI_MODEL = {.name = "mine", .make = make, ...}; and `epicycle run mine.c` compiles it, finds it and runs
   it */
#define EPI_MODEL \
  EPI_API extern const epi_abi epicycle_abi; const epi_abi epicycle_abi = EPI_HEADER; \
  EPI_API extern const epi_model epicycle_model; const epi_model epicycle_model
/* and methods, kernels, functions, kinds of contacts, joints and loads of yours for the command, one of them or several:
   EPI_NAMES = {{.name = "mine", .record = &mine}, {0}};
   `epicycle run kepler --with mine.c --flow mine` */
#define EPI_NAMES \
  EPI_API extern const epi_abi epicycle_abi; const epi_abi epicycle_abi = EPI_HEADER; \
  EPI_API extern const epi_name epicycle_names[]; const epi_name epicycle_names[]

EPI_API int epi_case_draw(const epi_case *, const epi_state *, epi_scene *);     /* the number of shapes; 0: this model has no look */

#ifdef __cplusplus
}
#endif
#endif
