/* tool.h - what the files of the command share */
#ifndef TOOL_H
#define TOOL_H
#include "epicycle.h"
#include "epicycle/file.h"
#include <stdio.h>

/* exit codes */
enum { DONE = 0, FAILED = 1, REFUSED = 2 };

/* ---- words.c: sentences, names, texts ---- */
int say(int code, const char *words, ...) __attribute__((format(printf, 2, 3)));     /* to stderr; returns the code */
void *need(size_t size);                                                             /* zeroed memory, or the end */
void *grown(void *list, size_t size);                                               /* the same memory with more room, or the end */
void no_room(void) __attribute__((noreturn));                                        /* the end */
char *text(const char *words, ...) __attribute__((format(printf, 1, 2)));            /* printed into new memory */
const char *sentences(void);                                                         /* all sentences so far, one a line; "" where there was none */
const char *nearest(const char *word, const char *const *among);                     /* NULL-terminated; NULL if none is near */
int ends_with(const char *word, const char *ending);

/* ---- number.c: doubles that read back with the same bits ---- */
typedef struct number { char text[32]; } number;
number shortest(double x);
double worse(double a, double b);                                                    /* the larger; not a number is the worst of all */
int read_number(const char *word, double *x);                                        /* 1: the whole word is a finite number */

/* ---- ink.c: colours, on a terminal alone; as in printf("%shead%s", ink(stdout, BOLD), ink(stdout, PLAIN)) ---- */
enum { PLAIN, BOLD, RED, GREEN, YELLOW };
const char *ink(FILE *, int colour);                                                 /* "" in a pipe, with NO_COLOR, on a dumb terminal */

/* ---- progress.c: one line on the terminal of stderr, wiped at the end; nothing in a pipe ---- */
typedef struct progress { const char *what, *kind; int total, done, shows; double began; } progress;
progress progress_begin(const char *what, const char *kind, int total);              /* "vibrations", "entries", 57 */
void progress_step(progress *);                                                      /* before each of them */
void progress_wipe(const progress *);                                                /* before anything is printed */
number duration(double seconds);                                                     /* "2 min 05 s" */

/* ---- json.c ---- */
void json_text(FILE *, const char *);                                                /* quoted and escaped; null for NULL */
void json_number(FILE *, double);                                                    /* null where not finite */
void json_refusal(FILE *, const char *sentence);                                     /* {"status": "refused", "error": sentence} */

/* ---- disk.c and clock.c: the operating system ---- */
int disk_sync(FILE *);                                                               /* flushed and on the disk; 0 on success */
int disk_cut(FILE *, long long size);                                                /* shorten, stand at the end */
int disk_same(const char *one, const char *other);                                   /* 1: they are one file */
long long disk_size(const char *path);                                               /* -1: no such file; -2: not a plain file */
int disk_replace(const char *with, const char *path);                                /* in one stroke, on the disk */
double disk_sum(const char *path);                                                   /* a whole number that changes with the content; 0: no such file */
double clock_now(void);                                                              /* seconds, never backward */
void clock_catch(void);                                                              /* Ctrl-C leaves a note, a third one ends */
int clock_interrupted(void);
int clock_terminal(FILE *);

/* ---- request.c: what stands on the command line ---- */
typedef struct option {
  const char *name, *value, *doc;      /* value: what follows it, as in verb.use; NULL: nothing */
  const char *otherwise;               /* what holds when it is not given; NULL for a switch */
  const char *instead;                 /* reserved: what to use today */
} option;
typedef struct request request;
typedef struct example { const char *line, *doc; } example;
typedef struct verb {
  const char *name, *use, *doc;        /* the words of `use` say what completion offers: MODEL, name=value, NAME, FILE, DIR, TEXT, a|b|c ... */
  const char *more;                    /* what `help VERB` adds */
  const char *fails;                   /* when it ends with exit code 1; NULL: never */
  const option *options;               /* ends with a NULL name */
  example examples[5];                 /* ends with a NULL line; they run in an empty folder, in this order */
  int (*act)(const request *);
  const char *instead;
} verb;
extern const verb VERBS[];             /* epicycle.c; ends with a NULL name */
extern const example TRY[];            /* for the first page; ends with a NULL line */
struct request {
  const verb *verb;
  int nword;
  const char **word;                   /* what is not an option */
  const char **given;                  /* one per option of the verb; "" for a switch */
};
const char *given(const request *, const char *option);                              /* NULL: not given */
int request_read(request *, const verb *, int argc, char **argv);                    /* 0, or the exit code after the sentence */
void request_free(request *);
const verb *verb_of(const char *name);                                               /* NULL: there is none */
int verb_unknown(const char *name);                                                  /* REFUSED, after a sentence with the nearest */
int request_number(const request *, const char *option, double otherwise, double *); /* 0, or the exit code after the sentence */

/* ---- notes.c: key=value lines, in the frames of a checkpoint ---- */
char *notes_add(char *notes, const char *key, const char *value);                    /* frees notes, returns the longer ones; skips NULL */
char *notes_add_number(char *notes, const char *key, double value);
char *notes_find(const char *notes, const char *key);                                /* new memory, or NULL */
double notes_number(const char *notes, const char *key, double otherwise);

/* ---- output.c: a sheet of rows as CSV, NPY or JSON ---- */
typedef struct sheet sheet;
typedef struct sheet_about { const char *model, *flow; double step, end; } sheet_about;
int sheet_format(const char *path);                                                  /* -1: no such format, after a sentence */
sheet *sheet_open(const char *path, int n, char *const *columns, sheet_about);       /* NULL after a sentence */
sheet *sheet_again(const char *path, int n, char *const *columns, long long size, long rows);
int sheet_row(sheet *, const double *);                                              /* 0 on success */
long long sheet_mark(sheet *);                                                       /* all rows on the disk: the size so far, or -1 */
int sheet_close(sheet *);                                                            /* 0 on success; a sentence otherwise */

/* ---- tree.c: the nodes of a flow, without the command's own watches ---- */
typedef struct node {
  const char *name;
  char *text;                          /* name and options */
  int depth, order;
  unsigned claims;
  long steps, calls, refused;
  double shortest, longest;            /* the steps it chose; else 0 */
} node;
typedef struct tree { int n; node *node; long unseen; } tree;                        /* unseen: calls made for the rows alone */
tree tree_of(const epi_flow *);
int node_option(const epi_info *, const char *name, double *);                       /* 1: it stands in the text of the node; else untouched */
void root_claims(void *claims, const epi_info *);                                    /* for epi_walk: those of the root */
void tree_free(tree *);
void tree_print(const tree *, FILE *);                                               /* with claims */
void tree_print_counts(const tree *, FILE *);
void tree_json(const tree *, FILE *, const char *indent);
void json_claims(FILE *, unsigned claims);

/* ---- invariants.c: errors as they come, x from -1 at the start of a run to 1 at its end ---- */
typedef struct ledger {
  long n;
  double x, xx, e, xe, most;           /* sums, and the largest error */
  struct { long n; double sum, most; } quarter[2];                                   /* the first and the last */
} ledger;
void ledger_add(ledger *, double x, double error);
double ledger_drift(const ledger *);                                                   /* D; NaN: one of the quarters is missing */
double ledger_slope(const ledger *);
typedef struct drift {
  const epi_observable *what;
  double start, worst, last;           /* worst, last: over the rows */
  ledger ledger;                         /* over the steps */
} drift;
struct job;
long invariants_stride(const struct job *);                                          /* steps between two looks */
void invariants_look(struct job *, const epi_state *);
double invariants_slope(const struct job *, const drift *);                          /* per time */
char *invariants_note(char *notes, const struct job *);
void invariants_recall(struct job *, const char *notes);

/* ---- a plan: one run as it is asked for, on the command line or in a model file; what is not said is NULL, NaN, or -1 ---- */
typedef struct plan {
  char *name, *title;                  /* what a report calls it, and its page */
  char *model;                         /* "kepler(e=0.6)"; of a model of the user's the name and parameters alike */
  const epi_model *own;                /* that model, where it is none of the library's; NULL otherwise */
  char *source;                        /* the file it comes from, where it is */
  int run;                             /* which of the runs of that file */
  char *flow;
  double step, end, every, tol;        /* every < 0: as the run sees fit */
  char *out, *stats, *plot, *report, *checkpoint;
  int fast;
} plan;
plan plan_empty(void);
epi_case *plan_case(const plan *);                                                   /* NULL: out of memory; else see its error */
/* flow, step and end where nothing was said; 0, or an exit code after the sentence */
int plan_settle(plan *, epi_case *);
/* of several runs rows.csv of "slow one" is rows-slow-one.csv; new memory, NULL for NULL */
char *plan_file(const char *path, const char *name, int several);
void plan_free(plan *);
/* the text of a model with name=value in it, in place of another value of that name */
char *plan_with(const char *model, const char *parameter);

/* ---- load.c: models of users; crash.c: what their code may do ---- */
int load_names(const char *word);                                                    /* 1: it is the name of such a file */
const epi_model *load_model(const char *path);                                       /* NULL after a sentence */
void crash_disarm(void);                                                             /* what ends the program now is not the user's code */
int crash_guarded(int (*act)(void *), void *data, const char **how);                 /* what act returns; or FAILED, and *how it crashed */

/* ---- reel.c: rows kept for pictures. Of too many every second one goes, so that what stays is spread evenly ---- */
typedef struct reel {
  int n, rows, most;                   /* columns; rows kept, and how many may be */
  long seen, stride;                   /* rows offered; every how many are kept */
  int saved;                           /* rows that are in the checkpoint */
  double *x;                           /* by rows */
} reel;
void reel_make(reel *, int columns);
void reel_add(reel *, const double *row);
void reel_end(reel *, const double *row);                                        /* the last one is kept in any case */
void reel_free(reel *);

/* ---- job.c: one run ---- */
typedef struct job {
  plan ask;
  double pause;                        /* seconds between checkpoints */
  int quiet, json, brief;
  int pictures;                        /* rows are kept for a plot or a report, also of several runs */

  epi_case *c;
  epi_flow *tree;
  epi_state s;
  char *text;                          /* the flow as the library writes it */
  int adaptive;                        /* its root chooses the steps */
  int inside;                          /* its root steps in a time of its own: the invariants are looked at inside it */
  long stride;                         /* every how many steps */
  int ncol, nout, nobs, ndrift;        /* nout: columns of the output; what is after them is for pictures alone */
  char **column;
  double *value;                       /* one row */
  int whole;                           /* and all of it is there: not so after a crash in an observable, or before the first row of a resumed run */
  drift *drift;
  double worst_error, last_error;      /* against the exact solution, where there is one */
  double *exact;
  struct fast *fast;                   /* the oscillating solution, where it is wanted */
  reel kept, steps;                  /* rows; time and length of steps where they are chosen */
  sheet *sheet;
  long rows;
  int sick;                            /* the output could not be written */

  const char *status;
  int crashed;                         /* nothing of the model may be called any more */
  char *why;                           /* the sentence of a failure */
  double start, began, before, took;   /* start: t0; before: wall time of earlier parts; took: all of it, at the end */
  long beats;                          /* steps accepted */
  struct { double seen, shown, saved, from, before; long first, stride, next, counted; int shows, stop, recalled; } pulse;
  struct log *log;
} job;
int job_make(job *);                                                                 /* 0, or an exit code after the sentence */
int job_begin(job *);                                                                /* the first row, the first checkpoint */
int job_drive(job *);                                                                /* to the end, with its report: the exit code */
void job_crashed(job *, const char *how);                                            /* code of the user's did: close what there is without calling it again */
void job_free(job *);
double job_wall(const job *);
int job_row(job *, const epi_state *);                                       /* 0 on success */

/* ---- fast.c: the oscillating solution beside the slow one ---- */
typedef struct fast fast;
fast *fast_make(const job *, char **why);                                            /* NULL: *why is the sentence, to be freed */
int fast_at(fast *, const epi_state *slow, double *y);                               /* 0 on success */
const char *fast_error(const fast *);
void fast_free(fast *);

/* ---- watched.c: the flow with the command's own watches, and what they do ---- */
enum { GO_ON, SAVE, INTERRUPTED };                                                   /* why the pulse stopped the flow */
epi_flow *watched(job *);
void pulse_begin(job *);
void pulse_end(job *);
long pulse_pending(const job *);                                                     /* steps since the last mean of them */

/* ---- log.c: the checkpoint file ---- */
int log_foreign(const char *path);                                                   /* there is something, and it is no checkpoint */
struct log *log_open(job *);                                                         /* NULL after a sentence */
int log_pair(struct log *, job *, long long size);                                   /* 0 on success */
void log_close(struct log *);
int log_read(const char *path, char **notes, char **place, long *state);             /* 0 on success; state: where its frame is */
int log_rows(const char *path, job *, long state);                                   /* the rows for pictures that belong to that state; 0 on success */

/* ---- stats.c ---- */
tree stats_tree(const job *);                                                        /* the nodes with the steps as they were taken */
void stats_json(const job *, FILE *);
void stats_print(const job *, FILE *);
void stats_line(const job *, FILE *);                                                /* the head of it alone */

/* ---- frequency.c: how fast a model oscillates, and the stability limit of a flow of it ---- */
typedef struct fastest {
  double w, decay, h;                  /* the fastest oscillation and decay at the start, and the step */
  double limit;                        /* the stability limit: the largest h w the flow takes: infinite where none was found, NaN where it was not looked for */
  const char *why;                     /* then: why not */
  char *warning;                       /* NULL: all is well */
} fastest;
fastest fastest_of(epi_case *, epi_flow *, const char *flow, double h);
void fastest_print(const fastest *);
void fastest_json(const fastest *);

/* ---- claims.c: what a flow claims, measured on a model ---- */
typedef struct claim { const char *name; char *claimed, *measured, *verdict, *because; epi_measured m; } claim;
typedef struct verdicts { int n, failed; claim claim[5]; } verdicts;
verdicts claims_of(epi_case *, epi_flow *, double h);
void claims_print(const verdicts *);
void claims_json(const verdicts *);
void claims_free(verdicts *);

/* ---- plan.c: what MODEL [name=value ...] of a request means ---- */
typedef struct plans { int n; plan *plan; epi_file *file; } plans;                   /* file: NULL, or the model file they stand in */
epi_file *file_open(const char *path);                                               /* NULL after its sentences */
plan plan_of(const epi_request *, int run);                                          /* to be freed with plan_free */
int plans_read(plans *, const request *);                                            /* 0, or the exit code after the sentence */
void plans_free(plans *);

/* ---- help.c ---- */
int help_page(const char *json);                                                     /* the first page; NULL: as text. DONE */
int help_verb(const verb *, const char *json);

/* ---- the verbs ---- */
int act_help(const request *);
int act_man(const request *);
int act_completion(const request *);
int act_list(const request *);
int act_show(const request *);
int act_run(const request *);
int act_check(const request *);
int act_resume(const request *);
int act_new(const request *);
#endif
