/* plot.h - curves as SVG: panels with axes, ticks, logarithmic scales and a legend above each; the same data give the same bytes */
#ifndef PLOT_H
#define PLOT_H
#include "map.h"

typedef enum {
  PLOT_BLUE, PLOT_ORANGE, PLOT_GREEN, PLOT_RED, PLOT_VIOLET, PLOT_GREY, PLOT_BROWN, PLOT_TEAL, PLOT_LIGHT, PLOT_BLACK
} plot_colour;
/* MARKED: a line with marks; CIRCLES: of a radius in units of x; RINGS: small and open; THIN: for what oscillates; AREA: filled */
typedef enum {
  PLOT_LINE, PLOT_DASHED, PLOT_DOTTED, PLOT_MARKS, PLOT_MARKED, PLOT_CIRCLES, PLOT_RINGS, PLOT_STARS, PLOT_THIN, PLOT_AREA
} plot_style;

/* all words are text of SVG: < and & are written as entities, Greek letters too */
typedef struct plot_line {
  const char *name;                    /* in the legend; NULL: not there */
  int n;
  const double *x, *y;                 /* what is not finite, or not positive on a logarithmic scale, is left out */
  plot_colour colour;
  plot_style style;
  double radius;                       /* of circles, in units of x */
  /* what is between the points, where they alone would not tell it: letters by points for the piece before each; NULL: straight lines */
  const char *way;                     /* PLOT_BENT, PLOT_BAND, or straight */
  const double *bend;                  /* of bent pieces, 4 numbers each: from its first end to the next handle in x and y, and back to the
                                          last end; handles as those of Bezier curves */
  const double *low, *high;            /* of bands; or NULL */
  const double *one;                   /* x and y of two points in each piece, which are shown where its ends cannot be joined; or NULL */
  double opacity;                      /* 0: opaque */
} plot_line;
enum { PLOT_BENT = 'c', PLOT_BAND = 'b' };

typedef struct plot_axis {
  const char *name;
  int log;
  double from, to;                     /* both 0: as the data need it */
} plot_axis;

typedef struct plot_panel {
  const char *title;
  plot_axis x, y;
  int nline;
  const plot_line *line;
  const char *note;                    /* small, inside the frame; or NULL */
  const plot_map *map;                 /* all over the frame, whose ranges are given; or NULL */
} plot_panel;

typedef struct plot_page {
  int columns, npanel;
  const plot_panel *panel;
  double width, height;                /* of the frame of a panel, without what is written around it */
  int first;                           /* the number of its first panel, where several drawings stand in one page */
} plot_page;

int epi_plot_write(const plot_page *, FILE *);                                       /* 0 on success */
#endif
