/* job.h - what the files of the handles share */
#ifndef EPI_JOB_H
#define EPI_JOB_H
#include "core.h"
#include "epicycle/file.h"
#include "epicycle/handle.h"
#include "epicycle/page.h"
#include "request/setup.h"

enum { EPI_OWN_EVENTS = 64, EPI_OWN_POSTS = 12 };

typedef struct post { epi_post *call; double *in; const double *out; int n; } post;
typedef struct own_event {
  char name[24];
  post post;
  const epi_own *own;                  /* backward: what it is of, and what it was */
  epi_gap *gap;
  void *data;
} own_event;
struct epi_own {
  epi_model model;                     /* first: a case finds the rest by it */
  epi_system system;
  post post[EPI_OWN_POSTS];
  epi_name names[EPI_OWN_EVENTS + 1];  /* events */
  own_event event[EPI_OWN_EVENTS];
  epi_observable seen[2];
  double *mass, conserved;             /* conserved: 1 or 0: its energy is, or not; -1: where nothing but a force of position moves it */
  double backward;                     /* 1: seen with its time turned round */
  epi_system forward;                  /* then as it was, and room for its state */
  double *turned;
  char error[320];
};
EPI_INSIDE int epi_own_turn(epi_own *, const char **why);              /* why: the function that cannot be, or NULL: memory is out */
EPI_INSIDE int epi_own_make(epi_case *);
EPI_INSIDE int epi_own_complete(epi_own *);

typedef struct options {               /* as said; NULL, NaN or 0: nothing */
  epi_setup setup;
  int pictures, ntimes, places;
  double samples, seed, latin, workers, limit;
} options;

struct epi_job {
  const epi_own *own;
  epi_file *file;
  int run;
  char *model;
  const epi_model *record;             /* of the caller's; NULL: model is one of the library's */
  double start, *y;                    /* of a system of the caller's */
  options ask;
  double *times;
  epi_case *c;
  epi_chosen *choosing;                /* under way; NULL: none */
  int asked, lock;                     /* to stop, and nobody was told yet; both and what is told change together */
  epi_result *r;
  double *rows, *events;
  long nrows, room;
  epi_flow *flow;                      /* by hand */
  epi_state s;
  char *text, **why;                   /* why: of the cases of a sweep */
  long long cases;
  int *outcome;
  epi_cause cause;                     /* of the error */
  char error[1100];
};
EPI_INSIDE int epi_job_refuse(epi_job *, const char *words, ...) __attribute__((format(printf, 2, 3)));    /* by EPI_REQUEST */
EPI_INSIDE int epi_job_fails(epi_job *, epi_cause, const char *words, ...) __attribute__((format(printf, 3, 4)));
EPI_INSIDE void epi_job_lock(epi_job *), epi_job_unlock(epi_job *);
EPI_INSIDE int epi_job_case(epi_job *);                                /* made, where it is not yet */
EPI_INSIDE int epi_job_settle(epi_job *);                              /* flow, step and end; 0, EPI_STOPPED or EPI_WRONG */
EPI_INSIDE int epi_job_parameter(epi_job *, const char *name, const char *value);
#endif
