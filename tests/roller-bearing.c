/* roller-bearing.c - the roller bearing: forces on all bodies against figures computed elsewhere, its start, loads at rest, and what cannot
 * be built */
#include "roller-bearings.h"

/* accelerations by the contacts, gravity and the gyroscopic torques, each column against its largest entry */
static void right_hand_side(const char *file)
{
  static double y[NQ + NV], want[BODIES][6], f[NV];
  read_rows(file, y, want);
  epi_case *c = bearing_make(R1);
  epi_system *m = epi_world_names(c->world)[1].system;
  check_text(epi_world_names(c->world)[1].name, "model.contacts");
  check(!m->force(m, 0, y, f) && !m->velocity_force(m, 0, y, y + NQ, f));
  double worst = 0, most[6] = {0};
  for (int i = 0; i < BODIES; i++) for (int k = 0; k < 6; k++) most[k] = fmax(most[k], fabs(want[i][k]));
  for (int k = 0; k < 6; k++)
    for (int i = 0; i < BODIES; i++) {
      double off = fabs(f[6*i + k]/m->mass[6*i + k] - want[i][k])/most[k];
      worst = fmax(worst, off);
      if (!(off < 1e-8)) printf("body %d, column %d: %.12g instead of %.12g\n", i, k, f[6*i + k]/m->mass[6*i + k], want[i][k]);
    }
  printf("%s: accelerations to %.2g of the largest in their column\n", strrchr(file, '/') + 1, worst);
  check_below(worst, 1e-8);
  epi_case_free(c);
}

int main(void)
{
  right_hand_side(TEST_SOURCE "/tests/data/roller-rhs.txt");
  right_hand_side(TEST_SOURCE "/tests/data/roller-init-R1.txt");
  epi_case *c = bearing_make(R1);
  epi_state s = epi_case_state(c);
  for (const epi_observable *o = c->model->observables; o->name; o++) printf("%s %.10g %s\n", o->name, epi_observe(c, o, &s), o->unit);
  return test_done();
}
