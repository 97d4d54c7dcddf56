/* tool.h - what the files of the command share */
#ifndef TOOL_H
#define TOOL_H
#include "terminal/terminal.h"
#include "epicycle/file.h"
#include "epicycle/term.h"
#include "request/setup.h"

/* ---- term.c ---- */
char *term_text(const epi_term *);                                                    /* printed into new memory */

/* ---- notes.c: key=value lines, in the frames of a checkpoint ---- */
char *notes_add(char *notes, const char *key, const char *value);                    /* frees notes, returns the longer ones; skips NULL */
char *notes_add_number(char *notes, const char *key, double value);
char *notes_find(const char *notes, const char *key);                                /* new memory, or NULL */
double notes_number(const char *notes, const char *key, double otherwise);
int notes_wrong(const char *path, const char *notes);                                /* of a checkpoint: not 0 after the sentence */

/* ---- tree.c: the nodes of a flow on the terminal ---- */
void root_claims(void *claims, const epi_info *);                                    /* for epi_walk: those of the root */
void tree_print(const epi_counters *, int n, FILE *);                                /* with claims */
void tree_print_counts(const epi_counters *, int n, FILE *);

/* ---- a plan: one run as it is asked for, on the command line or in a model file; what is not said is NULL ---- */
typedef struct plan {
  char *name, *title;                  /* what a report calls it, and its page */
  char *model;                         /* "kepler(e=0.6)"; of a model of the user's the name and parameters alike */
  const epi_model *own;                /* that model, where it is none of the library's; NULL otherwise */
  char *source;                        /* the file it comes from, where it is */
  int run;                             /* which of the runs of that file */
  double also;                         /* changes with the content of the tables and modes that it is read with; 0: there are none */
  char *command;                       /* as it was typed */
  char *with;                          /* the file that brings names for it, and these */
  const epi_name *brought;
  epi_setup setup;                     /* how it is made; every < 0: as the run sees fit */
  char *out, *events, *stats, *plot, *report, *checkpoint;
  char *pack;                          /* .npz, .h5 or .pvd: made at the end of all rows or bodies; NULL: out is what was asked for */
  int quiet;
  double code, with_code;              /* sums of all that `own` and `brought` were compiled from */
} plan;
plan plan_empty(void);
const char *plan_code(const plan *);                                            /* the file of the user's code in it; NULL: there is none */
epi_case *plan_case(const plan *);                                                   /* NULL: out of memory; else see its error */
/* flow, step and end where nothing was said; 0, or an exit code after the sentence */
int plan_overlay(plan *, const request *);                        /* --flow and --tol go over what a file says */
int plan_settle(plan *, epi_case *);
int plan_ends_early(double end, double start);                                       /* before it begins: REFUSED after the sentence */
int plan_check_step(const plan *);                                                      /* it is not positive: the same */
int plan_motion(plan *, const request *);                                            /* by --full and --slow; the same */
int plan_chooses_unasked(const plan *);                                              /* though nobody asked for a tolerance */
int plan_chooses(const plan *);                                                      /* 1: it will */
int check_tolerance(plan *, epi_case *, int json, int trace);
char *choice_note(char *notes, const epi_chosen *);                                  /* in a checkpoint */
epi_chosen *choice_recall(const char *notes);                                        /* NULL: its flow was given */
void choice_print(const epi_chosen *, const plan *, FILE *);                         /* what is told of it after a run */
void choice_table(const epi_chosen *, FILE *);
void choice_trace(const epi_chosen *, FILE *);
/* of several runs rows.csv of "slow one" is rows-slow-one.csv; new memory, NULL for NULL */
char *plan_file(const char *path, const char *name, int several);
void plan_free(plan *);

/* ---- load.c: models of users ---- */
int load_names(const char *word);                                                    /* 1: it is the name of such a file */
void load_forbid(void);                                                              /* from here on nothing of the kind is loaded */
/* NULL after a sentence. sum: of all that it was compiled from, with what; where it is not 0 before, it has to be the same */
const epi_name *load_brought(const char *path, double *sum);                         /* what --with brings */
const epi_model *load_model(const char *path, double *sum);
/* what the compiler says of a C file against the headers of this version, in new memory; NULL after a sentence */
char *load_said(const char *path);
void *load_program(const char *program);                                             /* C, compiled; NULL after the sentence */

/* ---- process.c: their code runs in a process of its own ---- */
typedef struct process process;
typedef struct outcome { int code, interrupted; const char *how; } outcome;          /* how it crashed; NULL: it came to its end */
process *process_new(void);                                                          /* NULL after a sentence */
/* act in a child, which Ctrl-C may end; midway here, each time it hands over, and the child gets what it returns */
outcome process_run(process *, int (*act)(void *), int (*midway)(void *), void *data);
int process_hand_over(process *, int code);                                          /* in the child: what midway returned */
void *process_room(process *, size_t size);                                        /* in the child: zeroed memory seen from here, or NULL */
void *process_block(const process *, int i);                                         /* here, afterwards: the i-th of these, or NULL */
void process_reacted(process *);                                                     /* in the child: the wish to stop was seen */
void process_free(process *);

/* ---- job.c: one run with what the command adds: the checkpoint, Ctrl-C, progress ---- */
enum { GO_ON, SAVE, INTERRUPTED };                                                   /* why the pulse stopped the flow */
typedef struct job {
  plan ask;
  double pause;                        /* seconds between checkpoints */
  int quiet, json, brief;
  int pictures, draws;                 /* rows are kept for a plot or a report, also of several runs; and bodies drawn */
  int claim;                           /* on its checkpoint file; 0: none yet */
  epi_case *c;
  epi_result *r;                       /* NULL: it was refused, or crashed before there was one */
  process *own;                        /* the code of the model is the user's: it is called in there alone */
  int chooses;                         /* 1: the first that comes from there is the flow that was chosen */
  struct { double began, seen, shown, saved, from; long first, stride, next; int shows, stop; } pulse;
  struct log *log;
} job;
/* the file of its rows at the end, or NULL */
static inline const char *job_rows(const job *j) { return j->ask.pack ? j->ask.pack : j->ask.out; }
int job_own(const job *);                                                            /* 1: the code of its model is the user's */
int job_make(job *);                                                                 /* 0, or an exit code after the sentence */
int job_begin(job *);                                                                /* the first row, the first checkpoint */
int job_drive(job *);                                                                /* to the end: the exit code */
/* act, tell, and the last checkpoint: the exit code; act in a process of its own where the code is the user's */
int job_apart(job *, int (*act)(job *));
void job_free(job *);

/* ---- pulse.c: after every step ---- */
void pulse_begin(job *);
void pulse_end(job *);
int pulse_beat(void *job, epi_result *, const epi_state *);

/* ---- invariants.c: in a checkpoint ---- */
char *invariants_note(char *notes, const epi_result *);
void invariants_recall(epi_result *, const char *notes);
int invariants_whole(const char *line);
char *events_note(char *notes, const epi_result *);
void events_recall(epi_result *, const char *notes);

/* ---- log.c: the checkpoint file ---- */
int log_foreign(const char *path);                                                   /* there is something, and it is no checkpoint */
int log_claim(job *);                                                                /* its file is this run's: 1: new; -1: said why not */
double log_build(void);                                                              /* changes with the command itself; 0: not known */
struct log *log_open(job *);                                                         /* NULL after a sentence */
int log_pair(struct log *, job *, long long size);                                   /* 0 on success */
void log_close(struct log *);
int log_read(const char *path, char **notes, char **place, long *state);             /* 0 on success; state: where its frame is */
int log_rows(const char *path, job *, long state);                                   /* the rows for pictures of that state; 0 on success */

/* ---- stats.c: results on the terminal and in their files ---- */
int job_tell(job *);                                                                 /* statistics, pictures, summary; 0, or an exit code */
void compare_print(const job *, int n, int against);                                 /* a table of the runs */

/* ---- what check says of the start ---- */
int redundant_print(epi_case *, FILE *);                         /* redundant.c: constraints that follow from others; how many */
void moved_print(epi_case *, FILE *);                            /* moved.c: how far the start was brought onto its joints */

/* ---- claims.c: what a flow claims, measured on a model ---- */
typedef struct claim { const char *name; char *claimed, *measured, *verdict, *because; epi_measured m; } claim;
typedef struct verdicts { int n, failed; claim claim[5]; } verdicts;
verdicts claims_of(epi_case *, epi_flow *, double h);
void claims_print(const verdicts *);
void claims_json(const verdicts *);
void claims_free(verdicts *);

/* ---- plan.c: what MODEL [name=value ...] of a request means ---- */
typedef struct plans { int n; plan *plan; epi_file *file; } plans;                   /* file: NULL, or the model file they stand in */
/* NULL after its sentences, with the exit code; with: where `brought` is from */
double file_also(const epi_file *);                                                  /* see plan.also */
epi_file *file_open(const char *path, const char *with, const epi_name *brought, const char *const *given, int *code);
plan plan_of(const epi_request *, int run);                                          /* to be freed with plan_free */
/* 0, or the exit code after the sentence; open: paths of numbers of a model file that are to be parameters, or NULL */
int plans_read(plans *, const request *, const char *const *open);
int words_once(const request *);                                           /* REFUSED after a sentence: a name that has two values */
void plans_free(plans *);

/* ---- help.c ---- */
int help_page(const book *, const char *json);                                       /* the first page; NULL: as text. DONE */
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
int act_upgrade(const request *);
int act_schema(const request *);                                                     /* show.c */
int act_export(const request *);                                                     /* pack/fmu.c */
int act_import(const request *);                                                     /* import.c */
int act_reproduce(const request *);
/* of reproduce, for completion: papers, or the tables of one, a line a word, a tab, what it is; to be closed by pclose, or NULL */
FILE *reproduce_words(const char *paper);
#endif
