/* map.h - numbers over a plane as colours: an image inside of a frame, and the scale above it */
#ifndef MAP_H
#define MAP_H
#include <stdio.h>

typedef struct plot_map {
  int nx, ny;
  const double *z;                     /* by rows, the lowest first; what is not finite is grey */
} plot_map;
void epi_map_write(const plot_map *, double x, double y, double w, double h, FILE *);
#endif
