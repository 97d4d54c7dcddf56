/* mesh.h - a shape as points and faces, made once; its place in a frame is a matter of turning and stretching */
#ifndef MESH_H
#define MESH_H
#include "epicycle.h"

typedef struct mesh {
  int points, faces, lines, dots;      /* faces have four corners; lines are two points each, dots one */
  double *x;                           /* by points, three each */
  long long *face, *line;
} mesh;
mesh mesh_of(const epi_shape *);                                                     /* in the frame of the shape; ends with NULLs */
/* the points in space; at: the EPI_CHANNELS numbers of the shape in a frame */
void mesh_place(const mesh *, int kind, const double *at, double *out);
void mesh_free(mesh *);
#endif
