/* papers.h - the printed tables of papers as data, and what the verb reproduce does with them */
#ifndef PAPERS_H
#define PAPERS_H
#include "tool.h"
#include <stddef.h>

/* ---- the built-in data: papers/NAME.csv, made into C by cmake/embed.cmake ---- */
typedef struct printed { const char *name; const unsigned char *csv; } printed;
extern const printed PAPERS[];                                                       /* ends with a NULL name */

/* ---- reproduce_data.c: one row a printed entry ---- */
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
  const char *verdict;
  char *failure;                       /* the sentence of a run that failed */
} entry;

typedef struct table { const char *name, *title; int entries; } table;
typedef struct paper {
  const char *name, *cite;
  int ntable, nentry;
  table *table;
  entry *entry;
  char *text;                          /* all the strings above point into this */
} paper;
int paper_read(paper *, char *text, const char *where);                              /* takes text; 0, or the exit code after a sentence */
void paper_free(paper *);

/* ---- reproduce_run.c: runs, kept for the entries that share them ---- */
typedef struct run run;
typedef struct shelf { run *first; } shelf;
const measure *measure_of(const char *word, size_t length);                          /* NULL: no such measure */
int measure_needs_truth(const measure *);
void entry_compute(entry *, shelf *);                                                /* computed and spread, or failure */
void shelf_free(shelf *);

/* ---- reproduce_verdict.c: when an entry agrees, and when its label holds ---- */
extern const char *const AGREES, *const DIFFERS, *const SHOWN, *const BROKE;
const label *label_of(const char *word);                                             /* NULL: no such label */
const char *label_after(const char *word);                                           /* "" gives the first, the last gives NULL */
int label_needs_bound(const label *);
const char *verdict_of(const entry *);

int act_reproduce(const request *);
#endif
