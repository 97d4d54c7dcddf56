/* figures.h - the drawings of a paper as data: pages of panes of curves, and where each curve comes from */
#ifndef FIGURES_H
#define FIGURES_H
#include "papers.h"
#include "page/plot.h"

enum { X_LOG = 1, Y_LOG = 2 };
enum { LINES = 10, PANES = 8 };

#define ALPHA "&#945;"
#define BETA "&#946;"
#define EPS "&#949;"
#define LAMBDA "&#923;"
#define OMEGA "&#969;"
#define PI "&#960;"
#define RHO "&#961;"
#define TAU "&#964;"
#define THETA "&#952;"
#define DOT "&#775;"
#define MINUS "&#8722;"
#define MICRO "&#181;"

/* ---- numbers for curves; a point that is not a number lifts the pen ---- */
typedef struct points { double *x, *y; int n, room; } points;
void points_add(points *, double x, double y);
void points_add_sorted(points *, double x, double y);                                /* into its place along x */
void points_lift(points *);
void points_free(points *);

/* ---- figures_take.c: a run of any size, noted at every step or where its text says see=note ---- */
typedef struct take {
  struct take *next;
  const motion *of;
  epi_case *c;
  int size, nobs, nc, n, room;         /* a row: state, observables, the multipliers of the step that led to it */
  double *t, *row;
  char *failure;
  int absent;                          /* it needs a method that this build has not */
} take;
take *take_make(const motion *);
/* t, a coordinate, an observable, lambda1; NaN: none such */
double take_value(const take *, const char *name, int k);
const double *take_row(const take *, int k);
int take_at(const take *, double t);                                                 /* the row of that time, or -1 */
void takes_free(take *);

/* ---- what is drawn ---- */
typedef struct artist artist;
typedef struct curve curve;
typedef void curve_maker(artist *, const curve *, points *);

/* y against x of a run; or what is computed (or published) in the rows of a table against the number in a row's name or a count; or as a
   function makes it */
struct curve {
  const char *run, *x, *y, *name;
  plot_colour colour;
  plot_style style;
  int start, every;                    /* its first row alone; every so many rows, 0: all */
  const char *minus;                   /* the run whose y is taken from it, at the same times */
  const char *table, *column;          /* of the paper, NULL: any column; run: the row, NULL: any; x: a measure, NULL: the row's number */
  const char *over;                    /* x is the number in this column of the same row */
  int order;                           /* the slope over so many longest steps goes to the legend */
  curve_maker *make;
  double with[3];                      /* for it */
};
typedef struct pane {
  const char *title, *x, *y;
  int log;
  double across[2], up[2];             /* both 0: as the data need it */
  curve curve[LINES];
} pane;
typedef struct drawing {
  const char *name, *about;
  int columns;
  double width, height;
  pane pane[PANES];
} drawing;

typedef struct left_out { const char *name, *because; } left_out;
typedef struct trace { const char *name; double (*value)(const take *, int k); } trace;

/* all drawings of a paper, and the runs and series of their own */
typedef struct album {
  const char *paper;
  const drawing *drawing;
  int n;
  const motion *motion;                /* ends with a NULL name, like the lists below */
  const trace *trace;
  const left_out *left_out;
  const char *remark;                  /* what was chosen where the paper does not say */
  points (*points_of)(artist *, const pane *, const curve *);      /* its own way to a curve, or NULL: of a run */
} album;
extern const album FIGURES_THESIS, FIGURES_VIBRATIONS, FIGURES_STIFF, FIGURES_STROBE, FIGURES_SEMI;

struct artist {
  const paper *paper;
  tracks *tracks;
  run_store *store;
  const album *album;
  take *first;
  int failed;                          /* a run of a drawing, after a sentence */
};
const motion *artist_motion(const artist *, const char *name);                       /* of the album, else of the paper; NULL: none */
/* made once and kept; NULL: no such run, or it failed */
take *artist_take(artist *, const char *name);
double artist_value(const artist *, const take *, const char *series, int k);

/* ---- figures_window.c: a short run of the fast system from a row of a slow one ---- */
typedef struct window {
  const take *of;
  int row, coordinate;
  const char *flow;
  double theta, h;
  long before, after;                  /* steps backward and forward */
  const double *v;                     /* velocities to begin with; NULL: those of the row */
  double at;                           /* where its time 0 goes */
} window;
void window_add(const window *, points *);

/* ---- figures_curve.c ---- */
points curve_points(artist *, const pane *, const curve *);
double points_slope(const points *, int n);                                          /* of the n longest steps, both scales logarithmic */
/* ---- figures_thesis.c: what its claims have run already ---- */
#endif
