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

/* a circle of a and a cylinder of b about its z, apart by their clearance where the centres meet: a has moved towards the side where they
   touch, side = 1, where it is inside, and away from it, -1, where it is around */
static inline void epi_circle_touch(const epi_contact *k, const epi_pose *a, const epi_pose *b, double side, epi_touch *c)
{
  double arm[3], d[3], x[3];
  epi_out_of(a->R, k->at, arm);
  for (int i = 0; i < 3; i++) d[i] = a->r[i] + arm[i] - b->r[i];
  epi_into(b->R, d, x);
  double e = sqrt(x[0]*x[0] + x[1]*x[1]);
  c->depth = e - k->clearance;
  epi_out_of(b->R, (const double[3]){e > 0 ? x[0]/e : 0, e > 0 ? x[1]/e : 0, 0}, c->normal);
  for (int i = 0; i < 3; i++) {
    c->lever[0][i] = arm[i] + side*k->radius*c->normal[i];
    c->lever[1][i] = d[i] + side*k->radius*c->normal[i];
  }
}
#endif
