/* papers.h - what papers print and claim, as data, and what computes it again */
#ifndef PAPERS_H
#define PAPERS_H
#include "terminal/terminal.h"
#include <stddef.h>

/* ---- the built-in data: papers/NAME.csv, made into C by cmake/embed.cmake ---- */
typedef struct printed { const char *name; const unsigned char *csv; } printed;
extern const printed PAPERS[];                                                       /* ends with a NULL name */

/* ---- reproduce_data.c: one row a printed entry, or one row a number that a claim rests on ---- */
typedef struct label label;
typedef struct measure measure;
typedef struct entry {
  const char *table, *row, *column;    /* where it stands in the paper */
  const char *text;                    /* as printed; "" where the paper prints none */
  double published, unit;              /* unit: one of the last printed digit */
  const measure *what;
  double factor;                       /* what is counted times this */
  const char *model, *flow;
  double step, end;
  const char *against, *by;            /* errors: against this model, moved by this flow ... */
  double tick;                         /* ... in these steps */
  int members;                         /* runs from starts that differ in the last bit */
  double reference;                    /* an independent value of many digits, or NaN */
  const label *expected;
  double within;
  const char *reason;

  double computed, spread;             /* mean and standard deviation over the members */
  double taken;                        /* where `computed` is a formula: the steps that the library took; NaN elsewhere */
  char *flagged;                       /* what the library warns of in this run, or NULL */
  const char *verdict;
  char *failure;                       /* the sentence of a run that failed */
} entry;

/* a run that claims and drawings call by name */
typedef struct motion {
  const char *name, *model, *flow, *until;
  double step, end;                    /* to the first step that is at `end` or beyond it ... */
  long steps;                          /* ... or this many steps */
  int back;                            /* and back again */
} motion;

/* what a claim rests on: a number and the bar it must meet */
typedef struct evidence {
  const char *what, *measure;
  const motion *run, *over, *truth;    /* over: what it is divided by; truth: what errors are held against */
  double low, high;                    /* infinite where there is no such end */
  double reference, within;            /* an independent value and how near it is met, for the tests */
  double computed;
  double least, greatest;              /* of a chaotic number: over other bars and other starts; NaN elsewhere */
  char *failure, *flagged;
  int absent;                          /* it needs a method that this build has not */
} evidence;

typedef struct claimed {
  const char *table, *place, *words, *expected, *remark;
  int first, n;                        /* its evidence */
  const char *verdict;
} claimed;

typedef struct table { const char *name, *title; int entries; } table;
typedef struct paper {
  const char *name, *cite;
  int ntable, nentry, nmotion, nclaim, nevidence;
  table *table;
  entry *entry;
  motion *motion;
  claimed *claim;
  evidence *evidence;
  char *text;                          /* all the strings above point into this */
} paper;
typedef struct place { const char *file; int line; } place;                          /* where in the file, for sentences */
int paper_read(paper *, char *text, const char *where);                              /* takes text; 0, or the exit code after a sentence */
void paper_free(paper *);
int data_wrong(const place *, const char *words, const char *what);                  /* REFUSED, after a sentence */
int data_number(const char *word, double *x);                                        /* 1: a number, 1/4, pi/25 or 7*pi/25 */

/* ---- reproduce_run.c: runs, kept for the entries that share them ---- */
typedef struct run run;
typedef struct run_store { run *first; progress progress; } run_store;
const measure *measure_of(const char *word, size_t length);                          /* NULL: no such measure */
int measure_by_formula(const measure *, const char *flow);                           /* 1: what a paper would count */
int measure_needs_truth(const measure *);
void entry_compute(entry *, run_store *);                                                /* computed and spread, or failure */
void run_store_free(run_store *);

/* ---- flag.c: runs that a plain `run` would warn of or refuse go on here, and are flagged ---- */
char *flag_of(epi_case *, epi_flow *, const char *flow, double step);                /* after the run; new memory, or NULL */

/* ---- reproduce_verdict.c: when an entry agrees, and when its label holds ---- */
extern const char *const AGREES, *const DIFFERS, *const SHOWN, *const BROKE;
const label *label_of(const char *word);                                             /* NULL: no such label */
const char *label_after(const char *word);                                           /* "" gives the first, the last gives NULL */
int label_needs_bound(const label *);
const char *verdict_of(const entry *);
int verdict_ink(const char *verdict);                                                /* green, red or plain */

/* ---- reproduce_claims.c: claims and what they rest on, as data and as tables ---- */
extern const char *const CLAIM_COLUMNS[];
int claim_run(paper *, char *words, const place *);                                  /* NAME: MODEL | FLOW | STEP | END; 0 on success */
int claim_row(paper *, char *const *field, const place *);                           /* 0 on success */
int claims_compute(paper *, const char *table, const char *json, const char *figures);

/* ---- reproduce_track.c: the runs behind the claims, noted at every step ---- */
typedef struct track track;
typedef struct tracks { track *first; progress progress; } tracks;
struct track {
  track *next;
  const motion *of;
  epi_case *c;                         /* NULL: a system of its own */
  epi_system *system;
  int size, n, room;
  double *t, *y, *rho;                 /* row 0 is the start; rho: the step density of flows that have one */
  double origin[16];
  char *failure;                       /* the sentence of a run that stopped early */
  int absent;
  double off;                          /* how far its start is from that of the model, relative */
  char *flagged;                       /* what the library warns of, or NULL */
  epi_flow *probe;                     /* for steps beside the track */
  const char *probes;                  /* its text */
};
track *track_of(tracks *, const motion *);
track *track_alone(const motion *, double off);                                      /* another start; to be freed with track_free */
void track_free(track *);
const double *track_row(const track *, int k);
void track_note(track *, double t, const double *y, double rho);
void track_fail(track *, epi_cause, const char *sentence);
epi_flow *track_flow(track *, const char *flow);                                       /* a flow of the system of a track */
epi_flow *track_probe(track *, const char *flow);                                    /* a flow on the system of the track, kept with it */
void tracks_free(tracks *);

/* ---- reproduce_measure.c: numbers of tracks ---- */
double track_measure(track *, track *truth, const char *words);                    /* NaN: not to be had */
/* the first row beyond the bar, or the last one of a run that stopped */
double track_lost(track *, const char *series, double bar);
/* one number of row k, NaN where there is no such series */
double track_series(track *, const char *name, int k);
int measure_known(const char *words);
double determinant(int n, double *A);                                                /* by rows; spoils A */

/* ---- reproduce_printed.c: recurrences and formulas as the thesis prints them, where they are not what was meant ---- */
int printed_drive(track *, const char *name);                                        /* -1: no such recurrence */
/* numbers by name, each with what of the library computes it, or NULL: the formula alone; a list ends with a NULL name */
typedef struct value_by_name { const char *name; double (*value)(void); const char *by; } value_by_name;
int named_value(const value_by_name *, const char *name, double *value, const char **by);      /* 1: there is one; either may be NULL */
int printed_value(const char *name, double *value, const char **by);                 /* 1: there is one; by: what of the library, or NULL */
int printed_smooth(track *);                                                         /* the system `smooth` of the orders; 0 on success */

/* ---- reproduce_theorems.c: stability by single steps of the library ---- */
int theorem_value(const char *name, double *value, const char **by);                 /* 1: there is one; either may be NULL */

/* ---- reproduce_semi.c: evaluations, errors of large systems, theorems of the semi-explicit paper ---- */
int semi_known(const char *measure);
/* of a measure without a run, what of the library computes it, in new memory; NULL: a formula */
char *semi_by(const char *words);
void semi_compute(evidence *);                                                       /* computed, or failure, or absent */
/* its flow, atol=bodies*TOL written out; to be freed */
char *motion_flow(const motion *, const epi_case *);

/* ---- reproduce_figures.c: the drawings of a paper; tracks or a store of what its tables have run already ---- */
/* made where it is not there; the exit code, after a sentence */
int figures_folder(const char *folder);
/* and said, as text or inside JSON; the exit code */
int figures_draw(const paper *, tracks *, run_store *, const char *folder, const char *json);

/* ---- reproduce.c ---- */
int reproduce(const request *);                                                      /* the exit code, after a sentence */
/* the names of papers, or of the tables of one, each with a tab and what it is: for completion */
int reproduce_words(const request *);

/* ---- bench/race.c: nam against a grid of settings of CVODE, on the ball bearing ---- */
int race(const char *name, const char *json, const char *figures);                   /* name: a part of it, or NULL */
#endif
