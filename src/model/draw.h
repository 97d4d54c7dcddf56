/* look.h - what planar models look like: (x, y) of the model is (x, 0, y) of space, where up is z */
#ifndef EPI_LOOK_H
#define EPI_LOOK_H
#include "model.h"

/* a pivot at the height base, a rod of length l, and a bob at (x, y) seen from the pivot */
EPI_INSIDE void epi_show_pendulum(epi_scene *, double l, double base, double x, double y);

/* n masses in a row from the origin, joined by bars or coils: q = x1 y1 x2 y2 ...; sizes in the length of a link */
typedef struct { int n, links; double length; const char *const *names; } epi_row;      /* links: EPI_BAR or EPI_COIL */
EPI_INSIDE void epi_show_row(epi_scene *, const epi_row *, const double *q);

/* names x1 y1 x2 y2 ... vx1 vy1 ... (4 n), then the units of these (4 n), then the names of the links and of the masses (2 n); NULL: see
   the error */
EPI_INSIDE const char *const *epi_row_names(epi_case *, int n, const char *link, const char *mass);
#endif
