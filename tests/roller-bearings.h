/* roller-bearings.h - what the tests of the roller bearing share: its set-ups, contacts and observables by name, rows of reference files */
#ifndef ROLLER_BEARINGS_H
#define ROLLER_BEARINGS_H
#include "epicycle.h"
#include "test.h"

/* R1: starts where it stays. R2: 1 kN become 10 kN at once, with little damping. R0: as R1, the cage in its place */
#define R0 "roller-bearing(cage.speed=1, cage.lag=0)"
#define R1 "roller-bearing"
#define R2 "roller-bearing(preload=1000, chi=0.02)"
#define AHEAD "semi(model.contacts, model.stiff, ahead=1, alpha=0.5, beta=0.8)"
#define PLAIN "semi(model.contacts, model.stiff, alpha=0.5, beta=0.8)"
enum { BODIES = 35, ROLLERS = 32, NQ = 7*BODIES, NV = 6*BODIES, COLUMNS = 20 };
enum { BODY_OUTER, BODY_INNER, BODY_CAGE, BODY_ROLLERS };

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
  return o->name ? epi_observe(c, o, s) : NAN;
}

static inline epi_action bearing_contact(const epi_case *c, const epi_state *s, const char *word, int number)
{
  char name[32];
  epi_action a;
  snprintf(name, sizeof name, "%s%d", word, number);
  if (epi_world_action(c->world, s, epi_world_action_named(c->world, name), &a)) test_stop(name);
  return a;
}

/* rows of body, 13 numbers of its state, 6 accelerations; the state into y */
static inline void read_rows(const char *file, double *y, double (*a)[6])
{
  FILE *in = fopen(file, "r");
  if (!in) test_stop(file);
  for (int i = 0; i < BODIES; i++) {
    double x[COLUMNS];
    for (int k = 0; k < COLUMNS; k++) if (fscanf(in, "%lf", &x[k]) != 1) test_stop(file);
    memcpy(y + 7*i, x + 1, 7*sizeof *y);
    memcpy(y + NQ + 6*i, x + 8, 6*sizeof *y);
    memcpy(a[i], x + 14, 6*sizeof *y);
  }
  fclose(in);
}
#endif
