/* cases.h - models by name in the tests: made or stopped, run, looked at */
#ifndef CASES_H
#define CASES_H
#include "epicycle.h"
#include "test.h"

static inline epi_case *make(const char *text)
{
  epi_case *c = epi_case_make(text);
  if (!c || c->error[0]) test_stop(c ? c->error : "no case");
  return c;
}

static inline void run(epi_flow *f, epi_state *s, double end, double h)
{
  if (epi_run(f, s, end, h)) test_stop(epi_error(f));
}

static inline double observed(const epi_case *c, const char *name, const epi_state *s)
{
  const epi_observable *o = c->model->observables;
  while (o->name && strcmp(o->name, name)) o++;
  if (!o->name) test_stop(name);
  return o->value(c, s);
}

/* an observable of a case that a flow has brought to a time */
static inline double reached(const char *text, const char *flow, double end, double h, const char *name)
{
  epi_case *c = make(text);
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  run(f, &s, end, h > 0 ? h : c->step);
  double x = observed(c, name, &s);
  epi_free(f);
  epi_case_free(c);
  return x;
}
#endif
