/* result.h - what a run gave: rows, how well it kept what should be kept, what it cost */
/* first, so that this header can be the only one of a program */
#include "../epicycle.h"
#ifndef EPICYCLE_RESULT_H
#define EPICYCLE_RESULT_H
#include "model.h"
#include "choose.h"
#include "term.h"
#ifdef __cplusplus
extern "C" {
#endif

/* ---- A run with its results ----------------------------------------------------------------------------------------
 *   epi_case *c = epi_case_make("kepler(e=0.6)");
 *   epi_result *r = epi_result_make(c, "verlet", &(epi_run_options){.step = 0.01, .end = 100, .every = 0.1, .out = "orbit.csv"});
 *   if (epi_result_run(r)) fprintf(stderr, "%s\n", r->error);
 *   printf("%ld evaluations, energy kept to %g\n", r->calls, r->invariant[0].ledger.most);
 *   epi_result_free(r);
 *   epi_case_free(c);
 * A result is one block of plain data: read its fields. The case must live as long as its result runs. */
typedef struct epi_result epi_result;
typedef struct epi_run_options {       /* leave zero what you do not want to say */
  double step, end;                    /* 0: the model's own */
  double every;                        /* time between rows; 0: one after every step; negative: as many steps as give at most 1000 rows */
  const char *out;                     /* a file for the rows: .csv, .npy or .json */
  FILE *stream;                        /* instead of opening it: CSV, never closed; out is then only its name */
  int fast;                            /* 1: columns fast-NAME too, the oscillating solution of a flow that averages, or of revolve */
  int pictures;                        /* 1: rows and steps are kept in the result, for epicycle/page.h; fast where it can be had */
  int unbuffered;                      /* 1: every row is handed to the system at once, and the counters are up to date with it */
  const char *name, *model, *source;   /* what a report calls it; the text of its model; the file that one comes from */
  int force;                           /* 1: runs also what its start shows to be wrong, such as a step that is too long; it is told
                                          as a warning */
  const char *events;                  /* a file for the events of at(...), .csv, .npy or .json: number, event, t, direction, state,
                                          observables; in .npy the event is 0, 1, ...: which at it is of */
  int keep_events;                     /* 1: they are kept in memory too, see epi_result_event */
  const char *command;                 /* how it was asked for, for the report; NULL: made up from model, flow, step and end */
  const epi_chosen *choice;            /* how its flow was chosen, for the statistics and the report; NULL: it was given */
  /* after every step; nonzero stops the run, and epi_result_go goes on with it */
  int (*beat)(void *data, epi_result *, const epi_state *);
  /* zeroed memory for the block, as between processes; it stays the caller's. NULL: the heap */
  void *(*room)(void *data, size_t size);
  void *data;                          /* handed to all of these */
  void (*row)(void *data, const epi_result *);             /* after every row, which stands in its `row` */
  /* instead of `every`: rows at these times, in order, beside those at the start and the end; yours, until the result is made. Or so many
     rows in every step, also where the flow chooses its steps: a polynomial through them and the row before is its dense output */
  const double *times;
  int ntimes, places;
} epi_run_options;

/* errors of an invariant as they come, x from -1 at the start of a run to 1 at its end; nothing is stored but these sums */
typedef struct epi_ledger {
  long n;
  double x, xx, e, xe, most;           /* sums, and the largest error */
  struct { long n; double sum, most; } quarter[2];                               /* the first and the last */
} epi_ledger;
EPI_API void epi_ledger_add(epi_ledger *, double x, double error);
/* |mean error of the last quarter - mean of the first| over the largest error of the first: a method that keeps the structure oscillates
   about a value (small), another one creeps (about one). NaN: one of the quarters is missing */
EPI_API double epi_ledger_drift(const epi_ledger *);
EPI_API double epi_ledger_slope(const epi_ledger *);                             /* of a line through the errors, per unit of x */

typedef struct epi_result_column { const char *name, *unit; int invariant; } epi_result_column;
typedef struct epi_invariant {
  const char *name, *unit;
  double start, worst, last;           /* worst, last: over the rows */
  double error;                        /* at the last step that was looked at */
  epi_ledger ledger;                   /* over the steps */
} epi_invariant;
/* what a run saw of its own errors: now and then a step is taken again as two halves, and the differences are summed over all steps */
typedef struct epi_inspection {
  long looks;                          /* how many steps were taken again */
  double off;                          /* how far the run may be off at its end, in units of its motion; about, and rather more than less */
  double apart[8];                    /* the sums, of coordinates of each kind and unit */
  double rise, kinetic;                /* by how much the energy rose where it can only fall; the largest kinetic energy */
  double mean_kinetic, turned;         /* the mean kinetic energy; by how many radians the positions oscillated */
  double usual_error;                  /* median of the error of the energy over time */
  double unseen;                       /* the share of the motion at the start that is faster than the steps */
} epi_inspection;
typedef struct epi_counters {          /* one node of the flow */
  const char *name, *text;             /* text: with its options */
  int depth, order;
  unsigned claims;
  long steps, calls, refused;
  double shortest, longest;            /* the steps it chose; else 0 */
} epi_counters;
typedef struct epi_setting {           /* a parameter; word: where it is one */
  const char *name, *unit, *doc, *word;
  double value, otherwise;
} epi_setting;
/* rows kept for pictures. Of too many every second one goes, so that what stays is spread evenly; what happened between two of them is
   kept too: every step is looked at */
typedef struct epi_reel {
  int n, rows, most;                   /* columns; rows kept, and how many may be */
  long seen, stride;                   /* rows offered; every how many are kept */
  int saved;                           /* rows that are in a checkpoint; -1: they are others by now */
  double *x;                           /* by rows; NULL: nothing is kept */
  double *passed;                      /* by rows, 2 + 4 n numbers: looks since the row before it, that row included, and those that saw
                                          all columns; then of every column the least, the largest, what one of these looks saw, chosen
                                          by lot, and the look after it. After the last row: what is under way */
} epi_reel;
enum { EPI_LOOKS, EPI_DRAWS, EPI_LEAST };                /* where they stand there; largest n further, the two looks 2 n, 3 n */
typedef struct epi_drawing {           /* the shapes of a model at the rows that were kept */
  size_t size;
  const void *self;
  int shapes, rows;
  epi_shape *shape;                    /* at the first row */
  double *x;                           /* EPI_CHANNELS numbers of every shape of every row: at, attitude, to */
} epi_drawing;
enum { EPI_CHANNELS = 10, EPI_WARNINGS = 8, EPI_EVENT_KINDS = 8, EPI_FIRST_EVENTS = 20, EPI_WARNING_SIZE = 480 };
typedef struct epi_event_kind {        /* the events of one at of the flow */
  const char *name;
  long seen;
  double first, last;                  /* times */
} epi_event_kind;

struct epi_result {
  size_t size;                         /* of the block that begins here */
  const void *self;                    /* where its pointers are right */
  char status[16];                     /* refused, ready, running, done, stopped, failed, interrupted */
  char error[1024];                    /* the sentence of a refusal or a failure */
  epi_cause cause;                     /* of that */
  int warnings;                        /* what is doubtful of a run that went on to its end, a sentence each */
  int of_cost;                         /* how many of them speak of what the run cost, and do not doubt its result */
  char warning[EPI_WARNINGS][EPI_WARNING_SIZE];
  const char *name, *model, *flow, *source, *command, *out;     /* name, source, command, out may be NULL */
  const char *model_name, *doc;
  epi_chosen *choice;                  /* NULL: its flow was given */
  double step, start, end, every;
  int nq, nv, nz, curved;              /* of the state; curved: positions with a retraction */
  int ncol, nout, nobs;                /* t, state and observables, then fast-NAME: those after nout are for pictures alone */
  int fast, exact;                     /* 1: there are columns fast-NAME; the exact solution is known */
  epi_result_column *column;
  int nsetting;
  epi_setting *setting;

  long rows, steps;                    /* written; taken */
  double t, *y;                        /* the last good state */
  double *row;                         /* the last row, ncol numbers */
  int whole;                           /* 1: all of them are there */
  int ninvariant;
  epi_invariant *invariant;
  epi_inspection inspection;
  double worst_error, last_error;      /* against the exact solution, over the rows */
  epi_reel kept, chosen;               /* rows; time and length of the steps where they are chosen */
  epi_drawing *drawing;                /* after epi_result_draw; or NULL */

  int ncounters;
  epi_counters *counters;              /* of the nodes, from the root; see epi_result_count */
  long calls, calls_for_rows;          /* evaluations of the run, and those made for its rows alone */
  int adaptive, inside;                /* its root chooses the steps; they are in a time of its own */
  long stride;                         /* the invariants are looked at every so many steps ... */
  const char *looked;                  /* ... that is, here */
  double before, took;                 /* wall time in seconds: of earlier parts of a run that was resumed; of all of it */
  long long bytes;                     /* of the rows in their file, at the last mark */
  long events;                         /* how many there were */
  epi_event_kind event_kind[EPI_EVENT_KINDS];                  /* for pages, also without keep_events; name NULL: no such at */
  struct { double t; int kind, direction; } first_event[EPI_FIRST_EVENTS];     /* the first of them, in the order they came */
  long long event_bytes;               /* of their file, at the last mark */
  const char *event_file;              /* NULL: none */
  unsigned long long sum, event_sum;   /* what stands in these bytes of either file, by a sum; 0: not known */
  double step_from;                    /* for a checkpoint: where the chosen step that is not in `chosen` began, and how many they are */
  long pending;
  struct epi_recorder *recorder;       /* leave alone */
};

/* never runs: a result that cannot run says why in error, with the status refused. NULL only when memory is out */
EPI_API epi_result *epi_result_make(epi_case *, const char *flow, const epi_run_options *);
/* event i of a result that keeps them (i from 0; NULL beyond the last): its number, which at of the flow (0, 1, ...), t, direction
   (1: up, -1: down), state, observables. It lives until the next one comes */
EPI_API const double *epi_result_event(const epi_result *, long i);
EPI_API int epi_result_run(epi_result *);                                        /* begin, go, end, and draw where pictures are wanted */
EPI_API void epi_result_warn(epi_result *, const char *words, ...) __attribute__((format(printf, 2, 3)));   /* once for each sentence */
EPI_API void epi_result_free(epi_result *);

/* the same by hand. 0 on success; begin: the file of the rows and the first one; go: until the end or a beat that stops it (EPI_STOPPED);
   end: with what go returned; the last row, the file closed. Who writes the status himself ends the run without a last row */
EPI_API int epi_result_begin(epi_result *);
EPI_API int epi_result_go(epi_result *);
EPI_API void epi_result_stop(epi_result *);                                      /* go ends with EPI_STOPPED, as by epi_stop */
EPI_API int epi_result_end(epi_result *, int code);
EPI_API int epi_result_draw(epi_result *);                                       /* calls the model's draw for the rows kept */
EPI_API void epi_result_count(epi_result *);                         /* brings counters, calls, pending and warnings up to date */
EPI_API double epi_result_wall(const epi_result *);

/* stopping and going on: mark: all rows and events on the disk, the bytes of the rows or -1; save and load: the state of the flow, as
   epi_save and epi_load; resume instead of begin: the file of the rows is cut to r->bytes, and goes on after r->rows rows; that of the
   events to r->event_bytes, after the r->event_kind[].seen; where r->sum or r->event_sum says that they are others by now it is refused,
   and nothing is cut. A file belongs to one run at a time, also of other processes. What else is told of the run so far (rows, steps,
   invariants, kept, pending, ...) is yours to save and to put back */
EPI_API long long epi_result_mark(epi_result *);
EPI_API int epi_result_save(epi_result *, FILE *);
EPI_API int epi_result_load(epi_result *, FILE *);
EPI_API int epi_result_resume(epi_result *);

/* a block that another process made, seen from this one: its pointers are made right. Nothing of the model is called through it.
   close: what that process left of the file of rows is cut to the last whole row and closed */
EPI_API epi_result *epi_result_at(void *block);
EPI_API epi_drawing *epi_drawing_at(void *block);
EPI_API int epi_result_close(epi_result *);

/* ---- Telling --------------------------------------------------------------------------------------------------------*/
EPI_API void epi_result_json(const epi_result *, FILE *);                        /* all but the rows; ferror(f) says how it went */
/* the fields of a choice, one a line after the indent, without the braces around them */
EPI_API void epi_chosen_json(const epi_chosen *, FILE *, const char *indent);
EPI_API double epi_invariant_drift(const epi_result *, int i);                   /* epi_ledger_drift; NaN: not done, or lost */
/* what takes the place of the drift: "lost" where the energy is off by more than it was at the start and by more than half the mean
   kinetic energy, and the drift does not tell; "rounding" where nothing else moves it; NULL: the drift says it */
EPI_API const char *epi_invariant_word(const epi_result *, int i);
EPI_API int epi_energy_lost(double most, double start, double mean_kinetic);     /* that rule ... */
EPI_API int epi_drift_tells(double drift);                                       /* ... and this: it is neither praise nor beyond meaning */
/* what the velocities give to the energy of a system at a state; room: for a state. NaN: not known */
EPI_API double epi_kinetic_part(epi_system *, const epi_state *, double *room);
EPI_API double epi_invariant_slope(const epi_result *, int i);                   /* per time */
EPI_API const epi_counters *epi_result_chooser(const epi_result *);              /* the outermost node that chooses its steps */
/* the largest difference of the last positions; NaN: of another model, or at another time */
EPI_API double epi_result_distance(const epi_result *, const epi_result *against);
EPI_API const char *epi_out_format(const char *path);                            /* ".csv", ".npy", ".json"; NULL: no such ending */
/* the nodes of a flow that was not run, in one block: free() it. NULL: out of memory */
EPI_API epi_counters *epi_counters_of(const epi_flow *, int *n);
EPI_API void epi_counters_json(const epi_counters *, int n, FILE *, const char *indent);

EPI_API int epi_info_option(const epi_info *, const char *name, double *);       /* 1: it stands in the text of the node */

/* texts and numbers as JSON has them (null: NULL, not finite) */
EPI_API void epi_json_text(FILE *, const char *);
EPI_API void epi_json_number(FILE *, double);
EPI_API void epi_json_claims(FILE *, unsigned claims);
EPI_API void epi_json_range(FILE *, const epi_range *);      /* , "range": {"least": 0, "below": 1}; nothing where it is any number */
/* the first letter of s as JSON writes it; how many bytes of s it was */
EPI_API size_t epi_json_letter(const char *s, char out[8]);

#ifdef __cplusplus
}
#endif
#endif
