/* recorder.h - what the files of a result share: the flow that moves while it is recorded */
#ifndef RECORDER_H
#define RECORDER_H
#include "core.h"

/* ---- words.c: texts in new memory; NULL: out of memory ---- */
EPI_INSIDE char *epi_printed(const char *words, ...) __attribute__((format(printf, 1, 2)));

/* ---- reel.c ---- */
EPI_INSIDE epi_reel epi_reel_of(int columns);         /* its sizes; yours to give: x of most + 1 rows, passed of one more */
EPI_INSIDE void epi_reel_add(epi_reel *, const double *row);
/* between two rows: x is what columns from..from + count - 1 are there; looked: that was one look, with count columns after the time */
EPI_INSIDE void epi_reel_look(epi_reel *, const double *x, int from, int count);
EPI_INSIDE void epi_reel_looked(epi_reel *, double t, const double *x, int count);
EPI_INSIDE void epi_reel_draw(epi_reel *, const double *row, int count, long seed);  /* a look that may be the one that stays: by lot */
EPI_INSIDE void epi_reel_coarsen(epi_reel *, double start, double every);
EPI_INSIDE void epi_reel_end(epi_reel *, const double *row);                         /* the last one is kept in any case */

/* ---- sink.c: a file of whole rows, locked by its run; 0 on success ---- */
typedef struct epi_sink epi_sink;
typedef enum { EPI_BEGIN, EPI_GO_ON } epi_sink_use;                                  /* to go on, it has to be there */
/* nothing is changed yet; NULL: why */
/* NULL: why, with EPI_ROWS_FILE where another place may do */
EPI_INSIDE epi_sink *epi_sink_open(const char *path, FILE *lent, epi_sink_use, char *why, size_t size, epi_cause *);
EPI_INSIDE FILE *epi_sink_stream(epi_sink *);                                        /* print a row there ... */
EPI_INSIDE int epi_sink_row(epi_sink *, size_t length);                              /* ... and say that it is whole; 0: not counted */
EPI_INSIDE int epi_sink_seeks(const epi_sink *);
EPI_INSIDE void epi_sink_trouble(epi_sink *, int which);                             /* an errno: the first one stays */
EPI_INSIDE int epi_sink_troubled(const epi_sink *);
/* the first bytes are those of that sum, which begins at `from`; 0: not known */
EPI_INSIDE int epi_sink_same(epi_sink *, long long from, long long bytes, unsigned long long sum, char *why, size_t size);
EPI_INSIDE int epi_sink_begin(epi_sink *, long long from, long long bytes);          /* cut to these, and rows come behind them */
EPI_INSIDE int epi_sink_flush(epi_sink *);
EPI_INSIDE int epi_sink_sync(epi_sink *);
EPI_INSIDE void epi_sink_head(epi_sink *, const char *head, size_t size);            /* over the first bytes */
EPI_INSIDE void epi_sink_mark(epi_sink *, const char *tail);                         /* all rows so far will stay */
EPI_INSIDE int epi_sink_tail(epi_sink *, const char *tail);
EPI_INSIDE long epi_sink_rows(const epi_sink *);                                     /* written since it was opened */
EPI_INSIDE long long epi_sink_bytes(const epi_sink *);                               /* up to the last of them */
EPI_INSIDE unsigned long long epi_sink_sum(const epi_sink *);
EPI_INSIDE int epi_sink_close(epi_sink *);                                           /* the errno of its first trouble; frees it */

/* ---- rows.c: named columns, one row after the other, as CSV, NPY or JSON ---- */
typedef struct epi_sheet epi_sheet;
typedef enum { EPI_ROWS, EPI_EVENTS } epi_sheet_kind;
EPI_INSIDE int epi_sheet_needs_file(const char *path, char *why, size_t size);        /* 1: and it is a pipe */
EPI_INSIDE epi_sheet *epi_sheet_open(epi_result *, epi_sheet_kind, epi_sink_use, FILE *stream);  /* nothing is changed yet; NULL: why */
EPI_INSIDE int epi_sheet_begin(epi_sheet *);                                         /* empty, with its head */
EPI_INSIDE int epi_sheet_same(epi_sheet *);                                          /* 0: it is as the result says; or the sentence */
EPI_INSIDE int epi_sheet_again(epi_sheet *);                                         /* cut to what the result says */
EPI_INSIDE int epi_sheet_event(epi_sheet *, const char *name, const double *);
EPI_INSIDE int epi_event_columns(const epi_result *);
EPI_INSIDE int epi_sheet_cuts(const char *path);                                     /* 1: a file of rows that can be cut */
EPI_INSIDE int epi_sheet_row(epi_sheet *, const double *);                           /* 0 on success */
EPI_INSIDE long long epi_sheet_mark(epi_sheet *);                                    /* all rows on the disk: the size so far, or -1 */
EPI_INSIDE long long epi_sheet_flush(epi_sheet *);                                   /* all rows with the system: the size so far */
EPI_INSIDE int epi_sheet_close(epi_sheet *, char *error, size_t size);               /* 0 on success; the sentence otherwise */
EPI_INSIDE void epi_sheet_drop(epi_sheet *);


/* ---- counters.c ---- */
/* steps that were chosen so far; the longest of them */
typedef struct epi_choice { long steps; double longest; } epi_choice;
EPI_INSIDE epi_choice epi_choice_of(const epi_flow *);

/* ---- fast.c: the oscillating solution beside the slow one ---- */
typedef struct epi_fast epi_fast;
EPI_INSIDE epi_fast *epi_fast_make(epi_case *, const epi_flow *, const char *text, double start, int resolves, epi_fault *why);
/* 0 on success; EPI_INTERRUPTED, here and below: the run was asked to stop */
EPI_INSIDE int epi_fast_at(epi_fast *, const epi_state *slow, double *y);
EPI_INSIDE const char *epi_fast_error(const epi_fast *);
/* least and largest of the oscillating solution over the last `span` of time, or over one period about the row where that is shorter;
   1: rows that far apart show it as it is */
EPI_INSIDE int epi_fast_swing(epi_fast *, const epi_state *slow, double span, double *least, double *most);
/* 1: the state of the run is the oscillating solution itself, which passes over fast periods from row to row; and one of them, shown at
   some places, from a row on. 1: rows that are `span` apart show it as it is */
EPI_INSIDE int epi_fast_is_state(const epi_fast *);
EPI_INSIDE int epi_fast_turn(epi_fast *, const epi_state *, double span, void (*see)(void *, epi_state *), void *);
EPI_INSIDE void epi_fast_free(epi_fast *);

/* ---- events.c: the events of the flow, in a file and in memory ---- */
typedef struct epi_event_list { epi_sheet *sheet; double *x, *row; long n, most; int sick; } epi_event_list;

/* ---- the recorder ---- */
typedef struct epi_recorder {
  epi_result *r;
  epi_run_options ask;
  epi_case *c;
  epi_flow *tree;
  epi_state s;
  const char *given;                   /* the flow as it was asked for, while the result is made */
  char *text;                          /* and as the library writes it */
  epi_fast *fast;
  epi_sheet *sheet;
  epi_event_list events;
  double *exact, *beside;              /* room for the exact solution, for the state, and for the oscillating one */
  double *sizes;                       /* room for two numbers of every observable */
  int told;                            /* by epi_result_stop, since it began to go */
  double start, step, end, every, began;
  int adaptive, inside, sick, ended;   /* sick: the rows could not be written */
  int own_clock;                       /* its last step may end beyond the end */
  double *swing;                       /* room for pictures: a row, least and largest of the oscillating solution */
  unsigned share;                      /* of the steps between two rows, in 2^32 parts, the observables are looked at */
  int fine;                            /* pictures have the chosen steps for rows too: those asked for are few */
  int passive;                         /* nothing feeds energy into the motion; 2: and nothing collides */
  int averages;                        /* the flow follows a slow solution, whose energy is another one */
  int energy;                          /* which of the invariants that is, or -1 */
  double fastest;                      /* oscillation at the start, where the steps do not resolve it; else 0 */
  double decay;                        /* the fastest at the start */
  struct epi_inspector *inspector;
  long wake;                           /* the step and the time at which it has something to do */
  double wake_at;
  long counted;                        /* steps that are in `chosen` already */
  epi_counters *counters;              /* as they were when the flow was made */
  int ncounters;
  int tries;                           /* 1: no run is made to name a step: it is such a run itself, or one of many */
  int (*is_enough)(struct epi_recorder *, double step);      /* 1: the run with this step has no warning */
  char remedy[80];                     /* what a warning of its steps says is to be done, once that is known */
  epi_cause cause;                     /* of the error */
  char error[1024], doubt[EPI_WARNING_SIZE];  /* doubt: what its start shows to be wrong, where it runs all the same */
} epi_recorder;
EPI_INSIDE epi_flow *epi_recorder_flow(epi_recorder *);                              /* the flow with its watches; NULL: out of memory */
/* what its watches do, for those who move the state without them: a row, if it is none of the end; after so many steps, of which none but
   the last may be one at which it has something to do */
EPI_INSIDE int epi_recorder_shown(epi_recorder *, epi_state *);
/* names of what its watches call */
#define EPI_SEE_ROW "_row"
#define EPI_SEE_BEAT "_beat"
#define EPI_SEE_LOOK "_look"
EPI_INSIDE int epi_recorder_watches(const epi_flow *);         /* 1: the node is a watch of a recorder; the node may be NULL */
EPI_INSIDE int epi_recorder_beat(epi_recorder *, epi_state *, long steps);
/* 0 on success; EPI_INTERRUPTED: asked to stop, and there is no row */
EPI_INSIDE int epi_recorder_row(epi_recorder *, const epi_state *);
/* 0 on success; the first is called when the flow is made */
EPI_INSIDE int epi_events_listen(epi_recorder *);
EPI_INSIDE int epi_events_open(epi_recorder *, epi_sink_use);
EPI_INSIDE int epi_events_begin(epi_recorder *);
EPI_INSIDE int epi_events_same(epi_recorder *);
EPI_INSIDE int epi_events_again(epi_recorder *);
EPI_INSIDE void epi_events_mark(epi_recorder *);
EPI_INSIDE int epi_events_close(epi_recorder *, char *error, size_t size);
EPI_INSIDE void epi_events_drop(epi_recorder *);
EPI_INSIDE epi_result *epi_recorder_lay(epi_recorder *);                             /* the block; NULL: out of memory */
EPI_INSIDE double epi_wall_clock(void);
#endif
