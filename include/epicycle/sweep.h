/* sweep.h - one case many times, each time with other numbers, on all cores */
/* first, so that this header can be the only one of a program */
#include "../epicycle.h"
#ifndef EPICYCLE_SWEEP_H
#define EPICYCLE_SWEEP_H
#include "result.h"
#ifdef __cplusplus
extern "C" {
#endif

/* ---- A sweep -----------------------------------------------------------------------------------------------------------
 *   const char *over[] = {"e=0.1:0.9:0.1", "mu=[1, 2]", NULL}, *keep[] = {"x", "energy.max", NULL};
 *   epi_sweep *s = epi_sweep_make(&(epi_sweep_options){.model = "kepler", .flow = "verlet", .step = 0.01, .end = 10, .over = over,
 *                                                      .keep = keep});
 *   double *kept = malloc(epi_sweep_cases(s)*epi_sweep_keeps(s)*sizeof *kept);
 *   if (epi_sweep_run(s, kept, NULL)) fprintf(stderr, "%s\n", epi_sweep_error(s));
 *   epi_sweep_free(s);
 * What is swept: a parameter of the model by its name; `step`, `end`, `tol`; a coordinate at the start, as start.x; what stands as {name}
 * in the text of the flow. How, after the sign:
 *   0.1:0.9:0.1          from, to, step                       uniform(0.1, 0.9)    drawn from that range
 *   0.1:0.9/5            so many, evenly, with both ends      loguniform(1, 1e6)   the same of its logarithm
 *   log(1, 1e6, 7)       so many, each the same times more    normal(2, 0.1)       mean and standard deviation
 *   [1, 2, 5], or 3      these
 * All values of one go with all of the others, the last named changing fastest; of what is drawn there are `samples`, the same at every
 * place of the grid. What is drawn depends on the seed and on the number of the case alone.
 * What is kept: a column by its name, at the end; or NAME.first, .last, .min, .max, .mean, .rms over the rows, which come `every`;
 * NAME.at(3) at the row of that time (a case without a row there fails); of events at(NAME).count, .first and .last, where the flow has
 * at(..., of=NAME); `evaluations`, `steps`, `t`; `floquet`, what deviations from the start grow by in a fast period, where it is a
 * periodic motion (epi_floquet_of), and floquet.exponent, its logarithm over the period. Cases whose systems have forces_of are moved by
 * it, and together in lanes where their flow is one of fixed steps (epicycle/lanes.h) without an average, rows fall on steps, and they
 * have one phase and one step. A case is a run as by epicycle/result.h, which says what it doubts. */
typedef struct epi_sweep epi_sweep;
typedef struct epi_sweep_options {     /* leave zero what you do not want to say */
  const char *model;                   /* "kepler(mu=2)" */
  const epi_model *own;                /* instead: a record of yours; model then has its parameters alone, "(k=3)", or is NULL */
  const epi_name *names;               /* of yours, for the text of the flow */
  const char *flow;                    /* NULL: the model's own, or the one that is chosen in each case: for tol, or for 1e-6 where the case
                                          is of a world whose file gives neither flow, step nor tolerance */
  double step, end, every;             /* 0: the model's own; every: of rows, where something is asked of them, else at most 1000 */
  double tol;                          /* of the solution, as epi_choose has it; 0: the model's own, if it has one; not with a flow */
  const char *const *over, *const *keep;      /* end with NULL; keep NULL: every column, at the end */
  long long samples;                   /* of what is drawn */
  unsigned long long seed;
  int latin;                           /* 1: a Latin hypercube: each of `samples` equal parts of every range is drawn from once */
  const double *table;                 /* instead: by rows, one of each case, a column for each of `over`, which are names alone */
  long long cases;                     /* rows of the table */
  int workers;                         /* threads; 0: as many as there are cores */
  double limit;                        /* seconds that one case may take; 0: any */
  int (*skip)(void *data, long long number);                           /* 1: this case is there already */
  int (*begin)(void *data, int worker, long long number);              /* a worker takes a case; not 0 stops the sweep */
  void *data;
  /* many cases at once, by a program that is made of the flow and of the C source of the model, epicycle/emit.h; NULL: one by one. Cases
     that it cannot run are run one by one. What is kept are columns at the end; what a run doubts it does not see */
  const struct epi_engine *engine;
  const char *source;
  int alone;                           /* 1: no cases are moved together in lanes, as those are whose systems have forces_of */
} epi_sweep_options;
typedef struct epi_engine {
  int (*compile)(void *data, const char *program, int in, int out, char *error, size_t size);          /* 0, or -1 and the sentence */
  int (*run)(void *data, long n, int look, const double *in, double *out, char *error, size_t size);   /* as lanes_run */
  void *data;
  long most;                           /* cases at once; 0: as many as are usual */
  int same;                            /* 1: its sines and roots are those of the library, to the bit */
} epi_engine;

enum { EPI_CASE_DONE = 1, EPI_CASE_DOUBTFUL, EPI_CASE_FAILED, EPI_CASE_REFUSED, EPI_CASE_TOO_LONG, EPI_CASE_CRASHED };
typedef struct epi_sweep_row {         /* one case */
  long long number;                    /* from 0 */
  int outcome;                         /* EPI_CASE_DONE ...; doubtful: it is done, and why has its warning */
  const double *value;                 /* what was swept */
  const double *kept;                  /* NaN where there is none */
  const char *why;                     /* a sentence, or ""; of what is done what was done instead of what */
} epi_sweep_row;

/* NULL only when memory is out; what cannot be run says why in its error, before anything has run */
static inline epi_sweep *epi_sweep_make(const epi_sweep_options *);
EPI_API const char *epi_sweep_error(const epi_sweep *);                          /* NULL: none */
EPI_API void epi_sweep_free(epi_sweep *);
EPI_API long long epi_sweep_cases(const epi_sweep *);
EPI_API int epi_sweep_axes(const epi_sweep *), epi_sweep_keeps(const epi_sweep *);
EPI_API const char *epi_sweep_axis(const epi_sweep *, int i, const char **unit, long long *count);    /* count: of its values; 0: drawn */
EPI_API const char *epi_sweep_kept(const epi_sweep *, int i, const char **unit);
EPI_API void epi_sweep_values(const epi_sweep *, long long number, double *value);
/* all cases, several at once. kept: room for all, by rows, or NULL; see: NULL, or called for each case as it ends, one at a time, in no
   order; not 0 stops the sweep. 0, EPI_STOPPED, or EPI_WRONG and the error */
EPI_API int epi_sweep_run(epi_sweep *, double *kept, int (*see)(void *data, const epi_sweep_row *));
/* one of them, here and now: for workers of your own. The row lives until the next one; 0, or EPI_STOPPED, or EPI_WRONG: memory is out */
EPI_API int epi_sweep_one(epi_sweep *, long long number, int (*see)(void *data, const epi_sweep_row *));
EPI_API void epi_sweep_stop(epi_sweep *);                                        /* for a signal handler or another thread */

/* ---- headers are compared, as in epicycle/abi.h ---- */
EPI_API epi_sweep *epi_sweep_make_abi(const epi_sweep_options *, const epi_abi *, unsigned bytes);
static inline epi_sweep *epi_sweep_make(const epi_sweep_options *ask)
{
  return epi_sweep_make_abi(ask, &epi_header, (unsigned)(sizeof(epi_sweep_options) + sizeof(epi_sweep_row)*0x10000u));
}

#ifdef __cplusplus
}
#endif
#endif
