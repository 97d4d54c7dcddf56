/* picture.h - what a run looks like: its curves, which of them share a picture, the drawing made of them */
#ifndef PICTURE_H
#define PICTURE_H
#include "arena.h"

/* a column of numbers: of the rows, an error, a step; and what it does in the piece before each row but the first (curve.c) */
enum { WAY_OWN = 'h', WAY_CUBIC = 'c', WAY_LINE = 'l', WAY_BAND = 'b' };          /* cubic by its rate or by its neighbours; ... */
typedef struct curve {
  char *name, *unit;
  int n;
  double *x;
  char *way;                           /* by rows; NULL: straight lines */
  double *low, *high;                  /* least and largest of what passed; with way */
  double *one, *next;                  /* one of the looks before each row, and the one after it; with way */
  const double *rate;                  /* at the rows; NULL: not known */
  int rate_of;                         /* the number of the curve that is its rate; 0: none */
  int scattered;                       /* 1: a portrait shows single steps of it */
} curve;
/* s: the rows it is of, k: its column there; cubic: 0 where it changes by steps or jumps, 2 where its rows resolve it */
EPI_INSIDE void epi_curve_ways(epi_arena *, curve *, const double *t, const epi_reel *s, int k, int cubic);
EPI_INSIDE void epi_curve_slopes(const curve *, const double *t, int i, double out[2]);     /* of the piece that ends in row i */
EPI_INSIDE double epi_curve_at(const curve *, const double *t, double when);         /* NaN: not known there */
EPI_INSIDE int epi_curve_apart(const curve *);                                       /* 1: some of it is a band */
typedef struct curve_extent { double low, high, hidden; } curve_extent;
EPI_INSIDE curve_extent epi_curve_extent(const curve *);                             /* hidden: the most that no line would show */
EPI_INSIDE int epi_curve_is_rate(const curve *x, const curve *v, const double *t);
EPI_INSIDE void epi_curve_unwrap(curve *);
EPI_INSIDE char *epi_curve_motion(epi_arena *, const curve *, int nq);               /* the ways of a whole body, from its positions */

typedef enum { STYLE_LINE, STYLE_FAINT } line_style;
typedef struct line { int run, x, y; char *name; line_style style; int hue; } line;   /* x, y: numbers of curves of that run */
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
  const epi_result *against;           /* what the others are compared with; or NULL */
  int *ncurve;
  curve **curve;                       /* of each run */
  unsigned char *nothing;              /* of each column: 1, it is zero in every run, or rounding */
  panel *panel;
} album;
EPI_INSIDE album epi_album_of(epi_arena *, const epi_result *const *run, int n, const epi_result *against);
EPI_INSIDE int epi_panel_banded(const album *, const panel *);                       /* 1: it shows what is faster than the rows */

typedef struct epi_letter { char text[8]; } epi_letter;
EPI_INSIDE epi_letter epi_entity(char);                                              /* as it may stand in HTML and SVG */
EPI_INSIDE char *epi_escaped(epi_arena *, const char *);                             /* < > & " as entities */
EPI_INSIDE char *epi_raised(epi_arena *, const char *unit);                          /* escaped too */
EPI_INSIDE int epi_picture_panel(const album *, int which, int number, FILE *);      /* one as SVG; number: in its page; 0 on success */
#endif
