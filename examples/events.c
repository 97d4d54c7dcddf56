/* events.c - every perihelion of an orbit, in one call of the flow: the distance has its least where x vx + y vy goes up through zero.
 * First by hand, with a function of the program's; then the same as a result, which keeps the events of a coordinate */
#include <epicycle.h>
#include <stdio.h>

static double outward(void *data, double t, const double *y)
{
  (void)data; (void)t;
  return y[0]*y[2] + y[1]*y[3];
}

static void tell(void *data, const epi_event *e)
{
  (void)data;
  printf("  %s %ld: t = %.9f, x = %.9f\n", e->name, e->number, e->t, e->y[0]);
}

/* 0 on success */
static int by_hand(epi_case *c)
{
  epi_name names[] = {{.name = "orbit", .system = &c->system}, {.name = "outward", .gap = outward}, {0}};
  epi_flow *f = epi_make_named("at(tolerance(dop853(orbit), rtol=1e-11, atol=1e-12), gap=outward, direction=up)", names);
  epi_state s = epi_case_state(c);
  epi_on_event(f, tell, NULL);
  int bad = epi_run(f, &s, 40, 40);
  if (bad) fprintf(stderr, "%s\n", epi_error(f));
  for (int i = 0; epi_warning(f, i); i++) fprintf(stderr, "warning: %s\n", epi_warning(f, i));
  printf("%ld perihelia\n", epi_events(f));
  epi_free(f);
  return bad;
}

/* 0 on success */
static int as_result(epi_case *c)
{
  const char *flow = "at(tolerance(dop853, rtol=1e-11, atol=1e-12), of=y)";
  epi_result *r = epi_result_make(c, flow, &(epi_run_options){.step = 40, .end = 40, .keep_events = 1});
  if (!r) return -1;
  int bad = epi_result_run(r);
  if (bad) fprintf(stderr, "%s\n", r->error);
  for (int i = 0; i < r->warnings; i++) fprintf(stderr, "warning: %s\n", r->warning[i]);
  const double *e;                     /* number, which at, t, direction, state, observables */
  for (long i = 0; (e = epi_result_event(r, i)); i++)
    printf("  %.0f: t = %.9f, %s, x = %.9f\n", e[0], e[2], e[3] > 0 ? "up" : "down", e[4]);
  printf("%ld nodes, the first at t = %.9f, the last at t = %.9f\n", r->events, r->event_kind[0].first, r->event_kind[0].last);
  epi_result_free(r);
  return bad;
}

int main(void)
{
  epi_case *c = epi_case_make("kepler(e=0.6, M0=3)");
  int bad = !c || by_hand(c) || as_result(c);
  epi_case_free(c);
  return bad ? 1 : 0;
}
