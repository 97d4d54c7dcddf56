/* sweeping.h - the inside of a sweep: what is swept, its workers */
#ifndef EPI_SWEEPING_H
#define EPI_SWEEPING_H
#include "axis.h"
#include "keep.h"
#include <pthread.h>

enum { EPI_SWEEP_TEXT = 4096, EPI_SWEEP_WHY = 1024 };
/* what a number of the sweep is of the run */
typedef enum { OF_MODEL, OF_START, OF_FLOW, OF_STEP, OF_END, OF_TOL } target_kind;
typedef struct target { target_kind kind; int column; const char *unit; } target;

typedef struct worker {
  struct epi_sweep *s;
  int number;
  epi_term *model;             /* with the numbers of the last case */
  char *text, *flow;
  double *value, *out;
  gathered *seen;
  epi_chosen *chosen;
  int chooses, own;            /* the flow of this case is chosen; own: and was not found, so that it has that of its model */
  char doubt[EPI_WARNING_SIZE];        /* why a chosen flow may be wrong to its tolerance, or "" */
  char why[EPI_SWEEP_WHY];
  pthread_t thread;
  pthread_mutex_t lock;        /* of what follows: what is under way, for who watches */
  epi_result *r;
  int choosing, late;
  double began;                /* of the case; 0: none is under way */
  struct worker *lane;         /* those whose cases move together; NULL: none do */
  int lanes, misses;           /* how many; groups in a row that could not */
} worker;

struct epi_sweep {
  epi_sweep_options ask;
  char error[EPI_SENTENCE_SIZE], *words;       /* words: the texts of ask */
  const epi_model *model;
  int axes, keeps, rows;       /* rows: something is asked of them */
  axis *axis;
  target *target;
  keep *keep;
  long long grid, samples, cases;
  int stop;
  long long next;
  int bad;
  pthread_mutex_t lock;        /* of see, and of left */
  pthread_cond_t ended;
  int left;                    /* workers that are not done */
  double *kept;
  int (*see)(void *, const epi_sweep_row *);
  worker *worker;
  int workers;
  int lanes;                   /* cases can move together, by the batch callback of their systems */
  worker one;                  /* for cases that are asked for one by one */
};

/* blocks.c: all cases, many at once by an engine; 0, EPI_STOPPED, or EPI_WRONG and the error */
EPI_INSIDE int epi_sweep_blocks(epi_sweep *);
EPI_INSIDE int epi_engine_possible(epi_sweep *, const epi_result *, int chooses);     /* 0, or -1 and the error */
/* workers.c: how many there are to be */
EPI_INSIDE int epi_worker_count(const epi_sweep *);
/* one.c: time between the rows of a case; 0: nothing is said of it */
EPI_INSIDE double epi_worker_every(const epi_sweep *, const epi_case *);
/* one.c: 1: the flow of this case is chosen for a tolerance */
EPI_INSIDE int epi_worker_chooses(const epi_sweep *, const epi_case *);
/* one.c: a number of a case that is its step or the like */
EPI_INSIDE double epi_worker_number(const epi_sweep *, const worker *, target_kind, double otherwise);
/* one.c: 0, or -1 and the error of the sweep */
EPI_INSIDE int epi_worker_make(epi_sweep *, worker *, int number);
EPI_INSIDE void epi_worker_free(worker *);
/* one case, told where it is wanted: 0, or what ends the sweep, EPI_STOPPED or EPI_WRONG */
EPI_INSIDE int epi_worker_take(epi_sweep *, worker *, long long number);
/* the same from another place of its run: t, what rounding left of it, theta, y; NULL: from its start */
EPI_INSIDE int epi_worker_take_from(epi_sweep *, worker *, long long number, const double *place);
/* n cases from this one on, together where they can: the same */
EPI_INSIDE int epi_worker_take_many(epi_sweep *, worker *, long long number, int n);
EPI_INSIDE int epi_worker_stopped(const worker *);
/* what is under way can be stopped, from here on or not any more */
EPI_INSIDE void epi_worker_under_way(worker *, epi_result *, int choosing);
/* a case that is made, at its start or at a place of its run, with its result that has not begun; 0, or its outcome: there is none, or
   EPI_WRONG */
EPI_INSIDE int epi_worker_prepare(epi_sweep *, worker *, long long number, const double *place, epi_case **, epi_result **);
EPI_INSIDE int epi_worker_finish(worker *, epi_case *, epi_result *);                 /* the outcome of one that has ended */
EPI_INSIDE int epi_worker_tell(epi_sweep *, worker *, long long number, int outcome); /* 0, or what ends the sweep */
EPI_INSIDE epi_case *epi_worker_case(const epi_sweep *, worker *);                    /* of the numbers in worker.value; NULL: no room */
EPI_INSIDE epi_result *epi_worker_result(epi_sweep *, worker *, epi_case *, const epi_chosen *);
#endif
