/* setup.h - how a run is made: what was given for it, on a command line, by a handle or in a model file, and what is taken for the rest */
#ifndef EPI_SETUP_H
#define EPI_SETUP_H
#include "epicycle.h"
#include "epicycle/choose.h"
#include "epicycle/file.h"
#include "request/ask.h"

/* which of them were given for this run, and not by a file */
enum { EPI_GIVEN_STEP = 1, EPI_GIVEN_END = 2, EPI_GIVEN_EVERY = 4, EPI_GIVEN_TOL = 8 };
enum { EPI_DOUBT_SIZE = 1024 };

typedef struct epi_setup {             /* not given: NULL, NaN or 0; every is also negative */
  char *flow;                          /* in its own memory */
  double step, end, every, tol;
  int fast, multipliers, actions, force;
  int motion;                          /* of a flow that is chosen: EPI_EITHER, EPI_FULL or EPI_SLOW */
  int automatic;                       /* 1: a flow is to be chosen, whatever the model has */
  int rests;                           /* 1: the flow is that of friction that holds in a file, and nobody gave it */
  unsigned given;                      /* EPI_GIVEN_STEP ... */
  /* settled */
  int unasked;                         /* 1: neither flow nor tolerance was given, and one was chosen */
  double step_error;                   /* tolerance of the steps of a flow that was given; NaN: none */
  epi_chosen *choice;                  /* how the flow was chosen, in its own memory; NULL: it was given, or none was found */
  char doubt[EPI_DOUBT_SIZE];          /* why the flow may not be right to the tolerance, or "" */
} epi_setup;

typedef struct epi_dialect {           /* how a message names an option, and what else differs between the command and the handles */
  const char *tol, *tolerance;         /* of two tolerances: the one that was given, and the one in a flow */
  const char *flow, *step, *end;       /* " with --step", or "" */
  const char *longer;                  /* the option that lets a search take as long as it needs; NULL: the doubt does not name it */
  const char *chosen[2];               /* "while %s was chosen for 1e-6, %s failed on its way" */
  const char *motion;                  /* refused with a flow that is given; NULL: it was before */
  int ends;                            /* 1: the end is checked of a flow that is given too; 0: when the run is made */
  int apart;                           /* 1: a flow that chooses its steps has rows between them, and steps to match */
} epi_dialect;

typedef struct epi_settling {          /* for whom a setup is settled */
  const epi_dialect *dialect;
  const char *model;                   /* "kepler(e=0.6)", as a message has it; or NULL */
  int bare;                            /* 1: the model gives neither a flow nor a step */
  int (*search)(void *data, epi_case *, epi_chosen *);         /* epi_choose, or that with progress and a way to stop it */
  void *data;
  char *error;
  size_t size;                         /* of error */
} epi_settling;

epi_setup epi_setup_empty(void);
void epi_setup_free(epi_setup *);
/* what a file gives; 0, or 1: memory is out */
int epi_setup_take(epi_setup *, const epi_request *);
/* over what a file gives: a flow, or NULL, 0, or 1: memory is out; and a tolerance, which goes over a flow that nobody gave */
int epi_setup_flow(epi_setup *, const char *flow);
void epi_setup_tol(epi_setup *, double tol);
int epi_setup_chooses(const epi_setup *, int bare);         /* 1: a flow will be chosen */
/* flow, step and end where none was given. 0; 1: memory is out; EPI_STOPPED, or EPI_WRONG and the error */
int epi_setup_settle(epi_setup *, epi_case *, const epi_settling *);
/* a search as epi_setup_settle makes it; its most is that of a tolerance that nobody gave where unasked is 1 */
epi_chosen epi_setup_search(const epi_setup *, const epi_case *);
/* after a search that found nothing, with the tolerance that nobody gave: the flow to run instead, with its doubt; NULL: none */
const char *epi_setup_instead(epi_setup *, const epi_case *, const epi_chosen *, const epi_dialect *);
/* EPI_WRONG and the error, or 0 */
int epi_setup_ends_early(const epi_settling *, double end, double start);
int epi_setup_no_step(const epi_settling *, double step);
/* as a sweep takes it, with the flow of the first: what the file of a world gives is made of parameters, and each case has its own, so
   that only what was given for all of them stays. The request is that of the file, or NULL */
epi_setup epi_setup_of_cases(const epi_setup *, const epi_request *);
#endif
