/* tool.h - what the files of the command share */
#ifndef TOOL_H
#define TOOL_H
#include "epicycle.h"
#include "epicycle/file.h"
#include "epicycle/term.h"
#include <stdio.h>

/* exit codes */
enum { DONE = 0, FAILED = 1, REFUSED = 2 };

/* ---- words.c: sentences, names, texts ---- */
int say(int code, const char *words, ...) __attribute__((format(printf, 2, 3)));     /* to stderr; returns the code */
void *need(size_t size);                                                             /* zeroed memory, or the end */
void *grown(void *list, size_t size);                                               /* the same memory with more room, or the end */
void no_room(void) __attribute__((noreturn));                                        /* the end */
char *text(const char *words, ...) __attribute__((format(printf, 1, 2)));            /* printed into new memory */
const char *sentences(void);                                                         /* all sentences so far, one a line, or "" */
void sentences_take(const char *);                                                   /* those of another process, in place of ours */
char *term_text(const epi_term *);                                                    /* printed into new memory */
const char *nearest(const char *word, const char *const *among);                     /* NULL-terminated; NULL if none is near */
int ends_with(const char *word, const char *ending);

/* ---- number.c: numbers; the library writes them ---- */
typedef epi_number number;
static inline number shortest(double x) { return epi_shortest(x); }                  /* reads back with the same bits */
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
static inline void json_text(FILE *f, const char *s) { epi_json_text(f, s); }        /* quoted and escaped; null for NULL */
static inline void json_number(FILE *f, double x) { epi_json_number(f, x); }         /* null where not finite */
void json_refusal(FILE *, const char *sentence);                                     /* {"status": "refused", "error": sentence} */

/* ---- streams.c: standard input, output and error ---- */
void streams_guard(void);                                                            /* first of all: none of them is a file's */
int streams_output(const char *path);                                                /* 1: it names standard output, as - does */
const char *streams_same(const char *path);                                          /* which of them this file is; NULL: none */

/* ---- disk.c and clock.c: the operating system ---- */
int disk_sync(FILE *);                                                               /* flushed and on the disk; 0 on success */
int disk_same(const char *one, const char *other);                                   /* 1: they are one file */
long long disk_size(const char *path);                                               /* -1: no such file; -2: not a plain file */
int disk_writable(const char *path);                                                 /* 0, or errno; nothing is left or waited for */
int disk_taken(const char *path);                                                    /* 1: another run is writing it */
int disk_claim(const char *path, int *made);                                         /* a lock for as long as it is open; -1 and errno */
void disk_release(int lock);
/* waits for who reads a pipe: close what it returns when the pipe is open. 0: it is none; -1: Ctrl-C */
int disk_reader(const char *path);
double disk_sum(const char *path);                                                   /* changes with the content; 0: it cannot be read */
double clock_now(void);                                                              /* seconds, never backward */
void clock_catch(void);                                                              /* Ctrl-C leaves a note, a third one ends */
void clock_release(void);                                                            /* it ends the command again; also one that came */
void clock_ward(int child);                                                          /* what ends with this one; 0: nothing */
void clock_stops(epi_result *);                                                      /* the run that Ctrl-C stops; NULL: none */
void clock_ends(void);                                                               /* that run is closed as it is */
void clock_stops_choice(struct epi_chosen *);                                        /* the search for a flow that it stops; NULL: none */
int clock_interrupted(void);
int clock_unread(void);                                                              /* 1: who read what is written has gone */
void clock_leave_unread(void);                                                       /* the end, as of any command in a pipe */
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
  const char *name, *use, *doc;        /* `use` says what completion offers: MODEL, name=value, NAME, FILE, DIR, TEXT, a|b|c ... */
  const char *more;                    /* what `help VERB` adds */
  const char *fails;                   /* when it ends with exit code 1; NULL: never */
  const option *options;               /* ends with a NULL name */
  example examples[5];                 /* ends with a NULL line; they run in an empty folder, in this order */
  int (*act)(const request *);
  const char *instead;
} verb;
typedef struct book {                  /* all that the command can do; what it prints about itself comes from here */
  const verb *verbs;                   /* ends with a NULL name */
  const example *first;                /* for the first page; ends with a NULL line */
} book;
struct request {
  const book *book;
  const verb *verb;
  int nword;
  const char **word;                   /* what is not an option */
  const char **given;                  /* one per option of the verb; "" for a switch */
};
const char *given(const request *, const char *option);                              /* NULL: not given */
int request_read(request *, const book *, const verb *, int argc, char **argv);                 /* 0, or the exit code after the sentence */
char *request_text(const request *);                                                 /* as it was typed, in new memory */
/* `all`, which is freed, and a word as a shell wants it: in quotes where it has to be, and a quote inside of them as '\'' */
char *with_word(char *all, const char *word);
void request_free(request *);
const verb *verb_of(const book *, const char *name);                                           /* NULL: there is none */
int verb_unknown(const book *, const char *name);                                           /* REFUSED, after a sentence with the nearest */
int request_number(const request *, const char *option, double otherwise, double *); /* 0, or the exit code after the sentence */
int request_time(const request *, const char *option, double *);                     /* the same, with or without a unit; stays as it is */

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

/* ---- a plan: one run as it is asked for, on the command line or in a model file; what is not said is NULL, NaN, or -1 ---- */
typedef struct plan {
  char *name, *title;                  /* what a report calls it, and its page */
  char *model;                         /* "kepler(e=0.6)"; of a model of the user's the name and parameters alike */
  const epi_model *own;                /* that model, where it is none of the library's; NULL otherwise */
  char *source;                        /* the file it comes from, where it is */
  int run;                             /* which of the runs of that file */
  double also;                         /* changes with the content of the tables and modes that it is read with; 0: there are none */
  char *flow;
  char *command;                       /* as it was typed */
  char *with;                          /* the file that brings names for it, and these */
  const epi_name *brought;
  double step, end, every, tol;        /* every < 0: as the run sees fit */
  char *out, *events, *stats, *plot, *report, *checkpoint;
  char *pack;                          /* .npz, .h5 or .pvd: made at the end of all rows or bodies; NULL: out is what was asked for */
  int fast, multipliers, actions, force, quiet;
  int motion;                          /* for a choice: EPI_EITHER, EPI_FULL or EPI_SLOW */
  double code, with_code;              /* sums of all that `own` and `brought` were compiled from */
  epi_chosen *choice;                  /* how its flow was chosen; NULL: it was given */
  int rests;                           /* 1: the flow is that of friction that holds, and nobody said it */
  int unasked;                         /* 1: neither flow nor tolerance was asked for, and one was chosen */
  double step_error;                   /* of a flow of the user's: the tolerance of its steps; NaN: none was given */
  char *doubt;                         /* why a flow was taken that may not be right to the tolerance; NULL: it is */
} plan;
plan plan_empty(void);
const char *plan_code(const plan *);                                            /* the file of the user's code in it; NULL: there is none */
epi_case *plan_case(const plan *);                                                   /* NULL: out of memory; else see its error */
/* flow, step and end where nothing was said; 0, or an exit code after the sentence */
int plan_overlay(plan *, const request *);                        /* --flow and --tol go over what a file says */
int plan_settle(plan *, epi_case *);
int plan_ends_early(double end, double start);                                       /* before it begins: REFUSED after the sentence */
int plan_motion(plan *, const request *);                                            /* by --full and --slow; the same */
/* a flow for its tolerance, where none was given; 0, or an exit code after the sentence */
int plan_choose(plan *, epi_case *);
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
/* the text of a model with name=value in it, in place of another value of that name */
char *plan_with(const char *model, const char *parameter);

/* ---- load.c: models of users ---- */
int load_names(const char *word);                                                    /* 1: it is the name of such a file */
void load_forbid(void);                                                              /* from here on nothing of the kind is loaded */
/* NULL after a sentence. sum: of all that it was compiled from, with what; where it is not 0 before, it has to be the same */
const epi_name *load_brought(const char *path, double *sum);                         /* what --with brings */
const epi_model *load_model(const char *path, double *sum);
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

/* ---- frequency.c: how fast a model oscillates, and the stability limit of a flow of it ---- */
typedef struct fastest {
  double h;                            /* the step */
  epi_limit limit;
  int open;                            /* contacts that are open at the start */
  epi_collision closing;               /* the fastest of them when it closes; its name is NULL where none is known */
  double bears;                        /* h times its rate, of this flow; NaN: it chooses its steps, or nobody knows */
  char *warning, *later;               /* of the start, and of what may close later; NULL: all is well */
} fastest;
int redundant_print(epi_case *, FILE *);                         /* redundant.c: constraints that follow from others; how many */
void moved_print(epi_case *, FILE *);                            /* moved.c: how far the start was brought onto its joints */
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
int act_schema(const request *);                                                     /* show.c */
int act_export(const request *);                                                     /* pack/fmu.c */
int act_import(const request *);                                                     /* import.c */
#endif
