/* sweeps.h - what the files of the verb sweep share */
#ifndef SWEEPS_H
#define SWEEPS_H
#include "tool.h"
#include "epicycle/sweep.h"

/* ---- spec.c: what is asked for ---- */
typedef struct spec {
  const request *r;
  plans all;                           /* the one run that is swept */
  char **over, **keep, **path;         /* end with NULL, over in units of the model; path: of over, as it was written */
  char *out, *part;                    /* the table, and the journal until it is there */
  double samples, seed, workers, limit;
  int latin;
  int unasked;                         /* 1: nothing says how a case is run, and its flow is chosen for 1e-6 */
} spec;
int spec_read(spec *, const request *);                                              /* 0, or an exit code after the sentence */
char *spec_alone(const spec *);                                                      /* one case, {name} for what is swept; or NULL */
epi_sweep_options spec_options(const spec *);                                        /* without its functions */
void spec_free(spec *);

/* ---- journal.c: every case that is done, on the disk at once ---- */
typedef struct journal journal;
typedef struct kept_case { int outcome; double *kept; char *why; } kept_case;                /* outcome 0: it is not done yet */
/* one that is new, or goes on where the same sweep was; NULL after the sentence */
journal *journal_open(const char *path, const char *notes, long long cases, int keeps);
int journal_add(journal *, const epi_sweep_row *);                                   /* 0, or errno */
int journal_has(journal *, long long number);
int journal_read(journal *, long long number,
                 kept_case *);                              /* kept: room for all; why: new memory or NULL. 0, or errno */
char *journal_notes(const char *path);                                               /* new memory; NULL: it is no journal */
void journal_close(journal *, int done);                                             /* done: its files are of no more use */

/* ---- table.c: the table from the journal ---- */
int table_ending(const char *path);                                                  /* 0: it is none of those that are written */
/* about: what is said of it, where the format has room. 0, or an exit code after the sentence */
int table_write(const epi_sweep *, journal *, const char *path, const char *about);

/* ---- picture.c: the table as pictures, an SVG and a page; either may be NULL ---- */
int picture_possible(const epi_sweep *);                                             /* 0, or an exit code after the sentence */
int picture_write(const epi_sweep *, journal *, const char *plot, const char *report, const char *title, const char *command,
                  const char *alone);          /* alone: the command of one case, with {name} for what is swept */

int act_sweep(const request *);
/* `epicycle resume` of a journal: the exit code; -1: this file is none */
int sweep_resume(const request *, const char *path);
#endif
