/* picture.h - what a run looks like: its curves, which of them share a picture, the page and the drawing made of them */
#ifndef PICTURE_H
#define PICTURE_H
#include "tool.h"

/* a column of numbers: of the rows, an error, a step */
typedef struct curve { char *name, *unit; int n; double *x; } curve;

typedef enum { STYLE_LINE, STYLE_FAINT } line_style;
typedef struct line { int run, x, y; char *name; line_style style; } line;        /* x, y: numbers of curves of that run */
typedef enum { OVER_TIME, PORTRAIT, STEPS } panel_kind;
typedef struct panel {
  panel_kind kind;
  char *title, *fold;                  /* fold: what it is put away under; NULL: in the open */
  char *xname, *xunit, *yname, *yunit;
  int log, nline;
  line *line;
} panel;

/* runs of one model with the same columns */
typedef struct album {
  int nrun, npanel;
  const job **run;
  int *ncurve;
  curve **curve;                       /* of each run */
  panel *panel;
} album;
album album_of(const job *const *run, int n);
void album_free(album *);

char *escaped(const char *);                                                         /* < > & " as entities, in new memory */
char *raised(const char *unit);                                                       /* escaped too */
int picture_panel(const album *, int which, FILE *);                                 /* one of them as SVG; 0 on success */
int picture_write(const char *path, const job *);                                    /* --plot; 0, or an exit code after the sentence */
int report_write(const char *path, const char *title, const job *, int n, int against);
void compare_print(const job *, int n, int against);                                 /* a table of the runs */
double compare_error(const job *, const job *against);                               /* of the last state, in the largest coordinate; NaN: not to be compared */
#endif
