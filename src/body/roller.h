/* roller.h - a barrel roller in a groove, by slices: geometry of one slice, the law of Palmgren without libm, and many slices at once */
#ifndef EPI_ROLLER_H
#define EPI_ROLLER_H
#include "parts.h"

/* own parameters of the kind: radius of the barrel's profile, length that carries */
enum { EPI_ROLLER_PROFILE, EPI_ROLLER_LENGTH };

/* where the roller is to its ring: from the centre of the groove's circle, its axis and that of the ring; in space */
typedef struct { double from[3], axis[3], up[3]; } epi_roller_place;
/* depth, normal into the ring, lever from the centre of the roller */
typedef struct { double depth, normal[3], lever[3]; } epi_slice;
EPI_INSIDE epi_roller_place epi_roller_placed(const epi_contact *, const epi_pose *a, const epi_pose *b);
EPI_INSIDE epi_slice epi_slice_at(const epi_contact *, const epi_roller_place *, double x);

/* all rollers of a world that can go together, by vectors over their slices: as epi_races. Each has a second link, after those of
   all pairs */
typedef struct epi_rollers epi_rollers;
EPI_INSIDE int epi_rollers_make(const epi_pair *, int pairs, char *taken, epi_rollers **out);        /* taken: 2; 0, or -1 out of memory */
EPI_INSIDE void epi_rollers_free(epi_rollers *);
/* adds their forces and moments to the bodies; 1 + the pair that was passed through, or 0 */
EPI_INSIDE int epi_rollers_act(const epi_rollers *, const epi_moving *);

/* what one roller does, and how that is added: of roller k, from its pose and that of its ring; apply as act. The moment is that about its
   own centre */
typedef struct { int touches; double F[3], M[3]; epi_link link[2]; } epi_roller_effect;         /* touches: -1 passed through */
EPI_INSIDE int epi_rollers_size(const epi_rollers *);
EPI_INSIDE void epi_roller_bodies(const epi_rollers *, int k, int *own, int *ring);      /* ring: -1 on the ground */
EPI_INSIDE void epi_roller_effect_of(const epi_rollers *, int k, const epi_pose *own, const epi_pose *ring, int linked,
                                     epi_roller_effect *);
EPI_INSIDE int epi_roller_apply(const epi_rollers *, int k, const epi_moving *, const epi_roller_effect *);

static inline double epi_slice_middle(const epi_contact *c, int k)
{
  double length = c->own[EPI_ROLLER_LENGTH];
  return -length/2 + (k + 0.5)*length/c->law.slices;
}

/* radius of the barrel at x from its middle */
static inline double epi_barrel(const epi_contact *c, double x)
{
  double profile = c->own[EPI_ROLLER_PROFILE];
  return c->radius - (profile - sqrt(profile*profile - x*x));
}

/* x^(1/9) for x > 1e-33 as x y^8 with y = x^(-1/9): from the exponent to 3 %, then three steps of third order. Products and differences
   alone, so that every machine has the same bits; good to 3e-15 */
#define EPI_NINTH_OF 0x4709D3A06D3A0829LL
#define EPI_NINTH(bits) (EPI_NINTH_OF - ((bits >> 3) - (bits >> 6) + (bits >> 9) - (bits >> 12) + (bits >> 15) - (bits >> 18)))
static inline double epi_ninth_root(double x)
{
  long long bits;
  double y;
  memcpy(&bits, &x, sizeof bits);
  bits = EPI_NINTH(bits);
  memcpy(&y, &bits, sizeof y);
  for (int k = 0; k < 3; k++) {
    double y2 = y*y, y4 = y2*y2, r = 1 - x*(y4*y4*y);
    y *= 1 + r*(1./9 + r*(5./81));
  }
  double y2 = y*y, y4 = y2*y2;
  return x*(y4*y4);
}
#endif
