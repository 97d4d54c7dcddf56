/* bearings.h - what the tests of the ball bearing share: its set-ups, the two methods of the paper, observables by name */
#ifndef BEARINGS_H
#define BEARINGS_H
#include "epicycle.h"
#include "test.h"

/* S1: starts where it stays. S2: 20 N become 1000 at once. S3: as S2, with less damping and wavy races. S0: as S1, cage and balls in their
   places */
#define S0 "bearing(cage.speed=1, cage.lag=0, offset=0)"
#define S1 "bearing"
#define S2 "bearing(preload=20)"
#define S3 "bearing(preload=20, chi=0.02, waviness=3e-7)"
#define PLAIN "semi(model.contacts, model.stiff, alpha=0.5, beta=0.8)"
#define AHEAD "semi(model.contacts, model.stiff, ahead=1, alpha=0.5, beta=0.8)"
enum { BEARING_OUTER, BEARING_INNER, BEARING_CAGE, BEARING_BALLS };

static inline epi_case *bearing_make(const char *text)
{
  epi_case *c = epi_case_make(text);
  if (!c || c->error[0]) test_stop(c ? c->error : "no case");
  return c;
}

static inline void bearing_run(epi_flow *f, epi_state *s, double end, double h)
{
  if (epi_run(f, s, end, h)) test_stop(epi_error(f));
}

static inline double observed(const epi_case *c, const char *name, const epi_state *s)
{
  const epi_observable *o = c->model->observables;
  while (o->name && strcmp(o->name, name)) o++;
  return o->name ? o->value(c, s) : NAN;
}

/* a contact by its name and number, as in outer 3 */
static inline epi_action bearing_contact(const epi_case *c, const epi_state *s, const char *word, int number)
{
  char name[32];
  epi_action a;
  snprintf(name, sizeof name, "%s%d", word, number);
  if (epi_world_action(c->world, s, epi_world_action_named(c->world, name), &a)) test_stop(name);
  return a;
}
#endif
