/* holds: a run that ends off its constraints names them and the distance, and no other run does */
#include "cases.h"

typedef struct { double end; int of; double by; } nudge;

/* at the end of the run a coordinate is moved */
static int moved(void *data, const epi_system *m, epi_state *s)
{
  const nudge *a = data;
  (void)m;
  if (s->t >= a->end - 1e-9) s->y[a->of] += a->by;
  return 0;
}

static void ends(const char *model, int in_speed, double by, const char *words)
{
  epi_case *c = make(model);
  nudge a = {.end = 0.1, .of = in_speed ? c->system.nq : 0, .by = by};
  epi_name names[8] = {{0}};
  int n = 0;
  for (; c->parts && c->parts[n].name && n < 6; n++) names[n] = c->parts[n];
  names[n] = (epi_name){.name = "nudge", .see = moved, .data = &a};
  epi_name *before = c->parts;
  c->parts = names;
  epi_result *r = epi_result_make(c, "watch(verlet, see=nudge)", &(epi_run_options){.step = 1e-3, .end = a.end, .every = -1});
  int ok = check_count(epi_result_run(r), 0) & check_count(r->warnings, words != NULL);
  if (words && r->warnings) ok &= check_has(r->warning[0], words) & check_has(r->warning[0], "take a shorter step than 0.001");
  if (!ok) printf("  %s, moved by %g: %s\n", model, by, r->warnings ? r->warning[0] : r->error);
  epi_result_free(r);
  c->parts = before;
  epi_case_free(c);
}

int main(void)
{
  ends("rod-pendulum", 0, 1e-3, "by a distance of 0.00");
  ends("rod-pendulum", 1, 1e-2, "with a speed of 0.0");
  ends("rod-pendulum", 0, 0, NULL);
  return test_done();
}
