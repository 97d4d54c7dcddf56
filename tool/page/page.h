/* page.h - what the files that write a report share */
#ifndef PAGE_H
#define PAGE_H
#include "picture.h"

void page_text(FILE *, const char *);                                                /* JSON that may stand in a script */
void page_numbers(FILE *, const double *x, size_t stride, int n);                    /* "n": .., "base": .., "f32": ".." */
int scene_shapes(const job *);                                                       /* 0: there is nothing to see */
void scene_write(FILE *, const job *);

/* runs of one model, side by side */
typedef struct chapter { album album; const char *model; int seen; } chapter;        /* seen: one of its runs has a scene */
void tables_write(FILE *, const chapter *, const job *against);                      /* results */
void run_write(FILE *, const job *, int open);                                       /* what was run: command, tree, parameters */
#endif
