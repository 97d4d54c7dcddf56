/* setup.h - run setup: flow, step, end and rows of one run, from a command line, a handle or a model file; defaults for the rest */
#ifndef EPI_SETUP_H
#define EPI_SETUP_H
#include "epicycle.h"
#include "epicycle/choose.h"
#include "epicycle/file.h"
#include "request/ask.h"

/* options that were given for this run, as distinct from those of a file */
enum { EPI_GIVEN_STEP = 1, EPI_GIVEN_END = 2, EPI_GIVEN_EVERY = 4, EPI_GIVEN_TOL = 8 };
enum { EPI_DOUBT_SIZE = 1024 };

typedef struct epi_setup {             /* NULL, NaN or 0: not given; every: also negative */
  char *flow;                          /* owned */
  double step, end, every, tol;
  int fast, multipliers, actions, force;
  int motion;                          /* for a chosen flow: EPI_EITHER, EPI_FULL or EPI_SLOW */
  int automatic;                       /* 1: a flow is chosen even if the model has one */
  int rests;                           /* 1: flow is the default of a file with friction that holds */
  unsigned given;                      /* EPI_GIVEN_STEP ... */
  /* results of epi_setup_complete */
  int unasked;                         /* 1: a flow was chosen for the default tolerance */
  double step_error;                   /* local error tolerance put into a given flow; NaN: none */
  epi_chosen *choice;                  /* owned; NULL: the flow was given, or no search found one */
  char doubt[EPI_DOUBT_SIZE];          /* warning about the accuracy of the flow, or "" */
} epi_setup;

typedef struct epi_dialect {           /* names of options in messages, and the differences between the command and the handles */
  const char *tol, *tolerance;         /* "--tol", and its name inside a flow: "--tol 1e-6 and the tolerance in adams(...) both ..." */
  const char *flow, *step, *end;       /* " with --step", or "" */
  const char *unlimited;               /* option that lifts the limit of a search, for the doubt; NULL: omitted */
  const char *search[2];               /* "while %s was chosen for 1e-6, %s failed on its way" */
  const char *motion;                  /* refused together with a given flow; NULL: the caller checks it */
  int checks_end;                      /* 1: the end is checked for a given flow too; 0: the caller checks it */
  int rows_between;                    /* 1: a given adaptive flow has the rows and steps of a chosen one; 0: one step to the end */
} epi_dialect;

typedef struct epi_setup_context {
  const epi_dialect *dialect;
  const char *model;                   /* for messages, "kepler(e=0.6)"; or NULL */
  int no_defaults;                     /* 1: the model has neither a flow nor a step of its own */
  int (*search)(void *data, epi_case *, epi_chosen *);         /* epi_choose with progress and interrupts */
  void *data;
  char *error;
  size_t size;                         /* of error */
  epi_cause *cause;                    /* of the error; or NULL */
} epi_setup_context;

epi_setup epi_setup_empty(void);
void epi_setup_free(epi_setup *);
int epi_setup_read(epi_setup *, const epi_request *);          /* copies the request of a file. 0; 1: out of memory */
/* a flow (NULL: none) or a tolerance replaces that of a file; a tolerance also replaces a default flow. 0; 1: out of memory */
int epi_setup_give_flow(epi_setup *, const char *flow);
void epi_setup_give_tol(epi_setup *, double tol);
int epi_setup_needs_choice(const epi_setup *, int no_defaults);        /* 1: epi_setup_complete chooses a flow */
/* fills in flow, step and end. 0; 1: out of memory; EPI_STOPPED; EPI_WRONG with the error */
int epi_setup_complete(epi_setup *, epi_case *, const epi_setup_context *);
/* input of a search; unasked = 1: default tolerance, limited number of evaluations */
epi_chosen epi_setup_search(const epi_setup *, const epi_case *);
/* flow to run after a failed search for the default tolerance, and its doubt; NULL: none */
const char *epi_setup_fallback(epi_setup *, const epi_case *, const epi_chosen *, const epi_dialect *);
/* EPI_WRONG with the error, or 0 */
int epi_setup_check_end(const epi_setup_context *, double end, double start);
int epi_setup_check_step(const epi_setup_context *, double step);
/* setup common to all cases of a sweep; shares the flow of its argument. The file of a world computes its numbers from parameters, per
   case, so that only given options remain. request: of the file, or NULL */
epi_setup epi_setup_for_sweep(const epi_setup *, const epi_request *);
#endif
