/* page.h - what the files that write a report share */
#ifndef PAGE_H
#define PAGE_H
#include "picture.h"

EPI_INSIDE void epi_page_text(FILE *, const char *);                                 /* JSON that may stand in a script */
EPI_INSIDE void epi_page_escaped(FILE *, const char *);                              /* text that may stand in HTML */
EPI_INSIDE void epi_page_numbers(FILE *, epi_arena *, const double *x, size_t stride, int n);       /* "n": .., "base": .., "f32": ".." */
EPI_INSIDE void epi_page_ways(FILE *, const char *way, int n);                        /* "c12b3": those of n rows */
EPI_INSIDE void epi_page_scene(FILE *, epi_arena *, const epi_drawing *, const char *way);

/* runs of one model, side by side */
typedef struct chapter { album album; const char *model; int seen; } chapter;        /* seen: one of its runs has a scene */
EPI_INSIDE void epi_page_trouble(FILE *, const epi_result *, const char *who);       /* its failure and its warnings; who: or NULL */
EPI_INSIDE void epi_page_tables(FILE *, const chapter *, const epi_result *against); /* results */
/* of a bearing that shows all its balls: their loads over the angle; number: of the first panel in the page */
EPI_INSIDE void epi_page_balls(FILE *, const album *, int number);
EPI_INSIDE void epi_page_events(FILE *, const epi_result *, const char *who);        /* how many of each, and the first of them */
EPI_INSIDE void epi_page_choice(FILE *, const epi_result *, const char *who);        /* how its flow was chosen, where it was */
EPI_INSIDE void epi_page_run(FILE *, epi_arena *, const epi_result *, int open);     /* what was run: command, tree, parameters */
EPI_INSIDE int epi_page_own_code(const char *path);                                  /* 1: a model in C, not a model file */
#endif
