/* bearing-case.c - bearings by name: the cases of a study of industrial simulations, as far as it says what they are. Loads, sections and
 * how far a ring is out of round it does not say: these are ours. What is given beside a case is as it is given */
#include "bearing.h"

const char *const epi_bearing_cases[] = {"none", "thesis-1a", "thesis-1b", "thesis-3a", "thesis-3b", "thesis-3c", NULL};

typedef struct { int which; double value; } setting;
/* loaded across its axis, and by a little along it, which keeps it together */
#define ACROSS {AXIAL, 50}, {RAMP, 1e-4}
/* 22 x 50 x 14 mm, its inner ring out of round */
#define SMALL ACROSS, {RADIAL, 500}, {D, 7.938e-3}, {DM, 36e-3}, {BORE, 22e-3}, {OUTSIDE, 50e-3}, {WIDTH, 14e-3}, {OVAL, 5e-6}
static const setting settings[][16] = {
  [1] = {ACROSS, {RADIAL, 1000}},
  [2] = {ACROSS, {RADIAL, 1000}, {INNER_MODES, 8}, {CAGE_MODES, 8}},
  [3] = {SMALL, {OUTER_MODES, 8}, {CAGE_MODES, 8}},
  [4] = {SMALL, {OUTER_MODES, 16}, {CAGE_MODES, 16}},
  [5] = {SMALL, {OUTER_MODES, 24}, {CAGE_MODES, 24}},
};

void epi_bearing_case(epi_case *c)
{
  const setting *s = settings[(int)c->p[CASE]];
  for (int i = 0; i < 16 && s[i].value != 0; i++) if (!c->given[s[i].which]) c->p[s[i].which] = s[i].value;
}
