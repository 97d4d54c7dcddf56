/* chains.h - chains and rings of N bodies, by hinges or by rods */
#ifndef CHAINS_H
#define CHAINS_H
#include <epicycle.h>
#include <math.h>
#include <stdlib.h>

typedef struct { int n, rods, ring, as; } chain_kind;

/* where link i of a ring of unit links stands: the middle of a side of a polygon, along it */
static inline void chain_place(chain_kind k, int i, epi_body *b)
{
  const double turn = 6.28318530717958647692/k.n, half = k.rods ? 0 : 0.5, radius = k.rods ? 0.5/sin(turn/2) : 0.5/tan(turn/2), th = turn*i;
  *b = (epi_body){.mass = 1, .inertia = {0.02, 0.1, 0.1}, .at = {i + (k.rods ? 1 : half), 0, 0}};
  if (!k.ring) return;
  b->at[0] = radius*sin(th);
  b->at[1] = -radius*cos(th);
  b->attitude[0] = cos(th/2);
  b->attitude[3] = sin(th/2);
  /* its links run with 1 m/s, whatever their number */
  b->velocity[0] = -b->at[1]/radius;
  b->velocity[1] = b->at[0]/radius;
  b->spin[2] = 1/radius;
}

/* a chain hangs from the origin and starts level; a ring turns about its middle. The last hinge of a ring holds x and y alone: the others
   hold it in its plane */
static inline epi_world *chain_make(chain_kind k)
{
  epi_world *w = epi_world_make();
  if (!k.ring) epi_add_gravity(w, (double[]){0, -9.81, 0});
  for (int i = 0; i < k.n; i++) {
    epi_body b;
    chain_place(k, i, &b);
    epi_add_body(w, &b);
  }
  for (int i = 0; i < k.n; i++) {
    epi_joint j = {.a = i, .b = i - 1, .as = k.as, .hold = EPI_HINGE, .at_a = {-0.5}, .at_b = {0.5}, .stiffness = {1e6, 1e5},
                   .damping = {1e2, 10}};
    if (k.rods) j = (epi_joint){.a = i, .b = i - 1, .as = k.as, .hold = EPI_ROD, .length = 1, .stiffness = {1e6}, .damping = {1e2}};
    if (!i && !k.ring) j.at_b[0] = 0;
    if (!i && k.ring) j.b = k.n - 1, j.hold = k.rods ? EPI_ROD : EPI_X | EPI_Y;
    epi_add_joint(w, &j);
  }
  return w;
}
#endif
