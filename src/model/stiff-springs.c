/* stiff-springs.c - two masses, one or both of their springs hard */
#include "model.h"

enum { CASE, W1, W2, START };
enum { OWN = 3, NUMBERS = 8 };

static const char *const CASES[] = {"i", "ii", "iii", "own", NULL};
#define START_OF(NAME, UNIT, VALUE, I) [START + (I)] = {.name = NAME, .unit = UNIT, .value = VALUE, .doc = "start, with case=own"}
static const epi_param PARAMS[] = {
  [CASE] = {.name = "case", .unit = "", .value = 0, .kind = EPI_WORD, .words = CASES,
            .doc = "start of the paper: i (second spring hard), ii (first), iii (both); own: by x1 ... vy2, hard as in i"},
  [W1] = {.name = "w1", .unit = "rad/s", .value = 0, .doc = "first spring has constant w1^2; 0: 1 where the case has it soft, else 500"},
  [W2] = {.name = "w2", .unit = "rad/s", .value = 0, .doc = "second spring has constant w2^2; 0: 1 where the case has it soft, else 500"},
  START_OF("x1", "m", 1, 0), START_OF("y1", "m", 0, 1), START_OF("x2", "m", 2, 2), START_OF("y2", "m", 0, 3),
  START_OF("vx1", "m/s", 0.5, 4), START_OF("vy1", "m/s", -0.5, 5), START_OF("vx2", "m/s", -0.5, 6), START_OF("vy2", "m/s", 0.5, 7),
  {0}
};

/* which springs are hard, and how far each is stretched at the start in units of 1/w */
static const struct { double w[2], stretch[2]; } STARTS[] = {
  {{1, 500}, {0, 1}},
  {{500, 1}, {20, 0}},
  {{500, 500}, {0, 1}},
  [OWN] = {{1, 500}, {0, 0}}
};

/* a start of the user's, or that of the paper; numbers that would have no effect are a mistake */
static int place(epi_case *c, const double *w, double *y)
{
  int which = (int)c->p[CASE];
  const double start[NUMBERS] = {1 + STARTS[which].stretch[0]/w[0], 0, 2 + STARTS[which].stretch[1]/w[1], 0, 0.5, -0.5, -0.5, 0.5};
  memcpy(y, which == OWN ? c->p + START : start, sizeof start);
  for (int i = START; PARAMS[i].name && which != OWN; i++)
    if (c->p[i] != PARAMS[i].value)
      return epi_case_refuse(c, "%s = %g is for a start of your own: add case=own, or take it away", PARAMS[i].name, c->p[i]);
  return 0;
}

static int make(epi_case *c)
{
  double w[2];
  int which = (int)c->p[CASE];
  for (int i = 0; i < 2; i++) {
    w[i] = c->p[W1 + i] == 0 ? STARTS[which].w[i] : c->p[W1 + i];
    if (w[i] < 0) return epi_case_refuse(c, "w%d = %g must be positive: give a number above zero", i + 1, w[i]);
  }
  double *k = epi_chain_make(c, 2);
  if (!k) return -1;
  for (int i = 0; i < 2; i++) k[i] = w[i]*w[i];
  if (place(c, w, c->y)) return -1;
  /* of the hard spring alone: the papers count steps and windows in it, the true fast modes are up to 1.6 times faster */
  c->system.phase.period = 2*EPI_PI/fmax(w[0], w[1]);
  c->step = c->system.phase.period/12;
  return 0;
}

static double length_1(const epi_case *c, const epi_state *s) { (void)c; return hypot(s->y[0], s->y[1]); }
static double length_2(const epi_case *c, const epi_state *s) { (void)c; return hypot(s->y[2] - s->y[0], s->y[3] - s->y[1]); }

static const epi_observable OBSERVABLES[] = {
  {.name = "energy", .unit = "J", .value = epi_case_energy, .invariant = 1},
  {.name = "angular-momentum", .unit = "kg m^2/s", .value = epi_chain_spin, .invariant = 1},
  {.name = "length-1", .unit = "m", .value = length_1},
  {.name = "length-2", .unit = "m", .value = length_2},
  {0}
};

const epi_model epi_STIFF_SPRINGS = {
  .name = "stiff-springs", .doc = "two unit masses in the plane on two springs from the origin, one or both of them hard",
  .cite = "Sanz-Serna, Ariel & Tsai, Multiscale methods for stiff and constrained mechanical systems (2009), 4",
  .params = PARAMS, .make = make, .draw = epi_chain_draw, .observables = OBSERVABLES,
  .flow = "symmetric(verlet, order=8)", .step = 2*EPI_PI/500/12, .end = 10, .smooth = 1
};
