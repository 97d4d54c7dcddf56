/* emitting.h - what the files of an emitted program share */
#ifndef EPI_EMITTING_H
#define EPI_EMITTING_H
#include "core.h"
#include "epicycle/emit.h"

/* a text that grows; lost: there was no room for all of it */
typedef struct epi_pages { char *text; size_t n, room; int lost; } epi_pages;
EPI_INSIDE void epi_print(epi_pages *, const char *words, ...) __attribute__((format(printf, 2, 3)));
EPI_INSIDE void epi_print_text(epi_pages *, const char *text, size_t n);

/* ---- emit.c: a flow as it is printed. System 0 is the model, others are those of averages ---- */
enum { EPI_MOST_NODES = 64, EPI_MOST_AVERAGES = 8 };
typedef struct epi_printer {
  epi_pages out;
  char *error;
  const epi_system *system[EPI_MOST_AVERAGES + 2];
  const epi_flow *average[EPI_MOST_AVERAGES];
  int systems, nodes, inside;          /* inside: what comes is in another flow */
  const epi_flow *node[EPI_MOST_NODES];
} epi_printer;
EPI_INSIDE int epi_print_flow(epi_printer *, epi_flow *);              /* the number of its function; -1 and the error */

/* ---- source.c: the C file of a model ---- */
/* the name of the function that is given to this slot of a system, as in `.force = name`; 0, or -1 and the error: none, or several */
typedef struct { char name[64]; } epi_callback;
EPI_INSIDE int epi_source_callback(const char *source, const char *slot, epi_callback *, char *error);
/* of all that stands in the file, what these functions use, and they themselves; data: they have some. 0, or -1 and the error: a program
   would not have it as the model has it */
EPI_INSIDE int epi_source_needed(epi_pages *, const char *source, int n, const epi_callback *, int data, char *error);

/* ---- the loops of the methods: src/emit/lane/ ---- */
#define EPI_LOOPS(X) \
  X(head) X(leap) X(damped) X(kick) X(drift) X(velocity_kick) X(substeps) X(chain) X(tolerance) X(hmm) X(strobe) X(at) X(end)
#define EPI_LOOP(name) extern EPI_INSIDE const unsigned char epi_lane_##name[];
EPI_LOOPS(EPI_LOOP)
#undef EPI_LOOP
#endif
