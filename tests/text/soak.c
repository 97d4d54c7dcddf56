/* holds: random compositions are refused in words, or move and restart with the same bits
 * soak.c - random compositions for a long time: each is refused in words, or moves with bits that do not depend on how its steps are
   split over calls, and goes on from a checkpoint with the same bits
   label: soak
   timeout: 14400 */
#include "compositions.h"
#include "problems.h"
#include "test.h"

static epi_system systems[] = {
  {.nq = 2, .force = shaken_force, .velocity_force = quadratic_drag, .phase.period = 0.01},
    {.nq = 2, .force = henon_force, .phase.period = 0.01},
  {.nq = 2, .phase = {.forced = phased_force, .phase_rate = 600}}, {.nq = 2, .nc = 1, .force = weight, .velocity_force = air,
                                                                    .constraint = rod},
  {.nz = 2, .rate = volterra}, {.nq = 2, .force = henon_force, .energies = {.potential = henon_potential, .objective = henon_objective}},
  {.nq = 4, .nv = 3, .force = top_force, .velocity_force = top_gyro, .mass = top_inertia,
   .manifold = {.retract = top_turn, .retract_rate = top_slew}},
};
enum { SYSTEMS = sizeof systems/sizeof *systems, MOST = 7 };

static void start(const epi_system *m, double *y)
{
  memcpy(y, henon_start, sizeof henon_start);
  if (m->nc) memcpy(y, (double[]){1, 0, 0, 0.3}, 4*sizeof *y);
  if (m->nz) memcpy(y, volterra_start, sizeof volterra_start);
  if (m->manifold.retract) top_start(y);
}

/* 1 moved, 0 refused */
static int one(const char *text, epi_system *m)
{
  double a[MOST] = {0}, b[MOST] = {0}, c[MOST] = {0};
  start(m, a);
  start(m, b);
  epi_state sa = {.y = a}, sb = {.y = b}, sc = {.y = c};
  epi_flow *f = epi_make(text, m), *g = epi_make(text, m), *k = epi_make(text, m);
  int moved = !epi_error(f);
  if (!moved) check(strlen(epi_error(f)) > 20);
  else if (!epi_advance(f, &sa, 0.05, 5)) {
    FILE *o = tmpfile();
    int bad = epi_advance(g, &sb, 0.05, 1) | epi_advance(g, &sb, 0.05, 2) | epi_save(g, &sb, o);
    rewind(o);
    bad |= epi_load(k, &sc, o) | epi_advance(k, &sc, 0.05, 2);
    if (!check(!bad) | !check_bits(epi_size(m), c, a) | !check_bits(1, &sc.t, &sa.t)) printf("  %s\n", text);
    fclose(o);
  } else {
    /* a step that cannot be taken leaves a finite state and a sentence */
    if (!check(epi_error(f) && isfinite(a[0] + a[1] + a[2] + a[3] + a[4] + a[5] + a[6]))) printf("  %s\n", text);
  }
  epi_free(f);
  epi_free(g);
  epi_free(k);
  return moved;
}

int main(void)
{
  long moved = 0, all = 100000;
  unsigned seed = 20261115;
  dice d = {dice_of_seed, &seed};
  for (long i = 0; i < all; i++) {
    char text[1024];
    compose(d, text, sizeof text, 1 + (int)throw_dice(d, 3));
    moved += one(text, &systems[i % SYSTEMS]);
  }
  printf("%ld random compositions, %ld of them moved\n", all, moved);
  check(moved > all/20);
  return test_done();
}
