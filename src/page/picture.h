/* picture.h - what a run looks like: its curves, which of them share a picture, the drawing made of them */
#ifndef PICTURE_H
#define PICTURE_H
#include "arena.h"

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
  epi_arena *arena;
  int nrun, npanel;
  const epi_result *const *run;
  int *ncurve;
  curve **curve;                       /* of each run */
  panel *panel;
} album;
EPI_INSIDE album epi_album_of(epi_arena *, const epi_result *const *run, int n);

typedef struct epi_letter { char text[8]; } epi_letter;
EPI_INSIDE epi_letter epi_entity(char);                                              /* as it may stand in HTML and SVG */
EPI_INSIDE char *epi_escaped(epi_arena *, const char *);                             /* < > & " as entities */
EPI_INSIDE char *epi_raised(epi_arena *, const char *unit);                          /* escaped too */
EPI_INSIDE int epi_picture_panel(const album *, int which, FILE *);                  /* one of them as SVG; 0 on success */
#endif
