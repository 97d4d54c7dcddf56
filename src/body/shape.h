/* shape.h - what kinds of contacts are made of */
#ifndef EPI_SHAPE_H
#define EPI_SHAPE_H
#include "rotation.h"
#include <stdio.h>

/* a point of contact on the sphere a, half of the depth inside it, seen from both centres */
static inline void epi_sphere_levers(const epi_pose *a, const epi_pose *b, double radius, epi_touch *c)
{
  for (int i = 0; i < 3; i++) {
    c->lever[0][i] = (radius - 0.5*c->depth)*c->normal[i];
    c->lever[1][i] = a->r[i] - b->r[i] + c->lever[0][i];
  }
}
#endif
