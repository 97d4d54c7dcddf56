/* terminal.h - what the command and the program of the papers share: sentences, numbers, progress, streams, files, arguments */
#ifndef TERMINAL_H
#define TERMINAL_H
#include "epicycle.h"
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
const char *nearest(const char *word, const char *const *among);                     /* NULL-terminated; NULL if none is near */
int ends_with(const char *word, const char *ending);

/* ---- numbers; the library reads and writes them ---- */
typedef epi_number number;
static inline number shortest(double x) { return epi_shortest(x); }                  /* reads back with the same bits */
/* 1: the whole word is a finite number */
static inline int read_number(const char *word, double *x) { return epi_number_read(word, x); }

/* ---- ink.c: colours, on a terminal alone; as in printf("%shead%s", ink(stdout, BOLD), ink(stdout, PLAIN)) ---- */
enum { PLAIN, BOLD, RED, GREEN, YELLOW };
const char *ink(FILE *, int colour);                                                 /* "" in a pipe, with NO_COLOR, on a dumb terminal */

/* ---- progress.c: one line on the terminal of stderr, wiped at the end; nothing in a pipe ---- */
typedef struct progress { const char *what, *kind; int total, done, shows; double began; } progress;
progress progress_begin(const char *what, const char *kind, int total);              /* "vibrations", "entries", 57 */
void progress_step(progress *);                                                      /* before each of them */
void progress_wipe(const progress *);                                                /* before anything is printed */
number duration(double seconds);                                                     /* "2 min 05 s" */

/* ---- JSON ---- */
static inline void json_text(FILE *f, const char *s) { epi_json_text(f, s); }        /* quoted and escaped; null for NULL */
static inline void json_number(FILE *f, double x) { epi_json_number(f, x); }         /* null where not finite */

/* ---- streams.c: standard input, output and error ---- */
void streams_guard(void);                                                            /* first of all: none of them is a file's */
/* last of all: the refusal as JSON for who asked for that, and what was written; the exit code */
int streams_end(int code, int json);
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
char *disk_beside(const char *name);                            /* its path in the folder of this program, in new memory; NULL: not known */
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
#endif
