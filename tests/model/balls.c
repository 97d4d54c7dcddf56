/* holds: the load on every ball of a bearing is the same from C and as columns of rows */
#include "test.h"
#include "epicycle.h"

static double named(const epi_case *c, const epi_state *s, const char *name)
{
  for (const epi_observable *o = c->model->observables; o->name; o++) if (!strcmp(o->name, name)) return epi_observe(c, o, s);
  return NAN;
}

static void loads(const char *text, double radial)
{
  epi_case *c = epi_case_make(text);
  epi_flow *f = epi_case_flow(c, NULL);
  epi_state s = epi_case_state(c);
  epi_ball_load ball[20];
  char name[16];
  if (!check_text(c->error, "")) return;
  check_count(epi_run(f, &s, 50*c->step, c->step), 0);
  int n = epi_case_balls(c, &s, ball, 20);
  check_count(n, 9);
  double sum = 0, axial = 0, inner = 0;
  for (int k = 0; k < n; k++) {
    double a = ball[k].contact[0]*M_PI/180;
    sum += ball[k].load[0];
    inner += ball[k].load[1];
    axial += ball[k].load[0]*sin(a);
    /* where they are: 40 degrees apart, but for the little that they are out of place */
    double apart = fmod(ball[(k + 1) % n].angle - ball[k].angle + 720, 360);
    check_abs(apart, 40, 1);
    check_between(ball[k].angle, 0, 360);
    snprintf(name, sizeof name, "Qo%d", k + 1);
    check_bits(1, &ball[k].load[0], (double[]){named(c, &s, name)});
    snprintf(name, sizeof name, "ai%d", k + 1);
    check_bits(1, &ball[k].contact[1], (double[]){named(c, &s, name)});
    snprintf(name, sizeof name, "side%d", k + 1);
    check_bits(1, &ball[k].angle, (double[]){named(c, &s, name)});
  }
  check_rel(sum, named(c, &s, "Qo-sum"), 1e-12);
  check_rel(inner, named(c, &s, "Qi-sum"), 1e-12);
  check_bits(1, &ball[0].load[0], (double[]){named(c, &s, "Qo")});
  check_bits(1, &ball[0].contact[0], (double[]){named(c, &s, "ao")});
  /* the outer ring holds what pushes the inner one */
  if (radial == 0) check_rel(axial, 1000, 0.05);
  check_count(epi_case_balls(c, &s, ball, 3), 9);
  epi_free(f);
  epi_case_free(c);
}

int main(void)
{
  loads("bearing(show=all)", 0);
  loads("bearing(show=all, radial=500)", 500);
  epi_case *c = epi_case_make("bearing");
  epi_state s = epi_case_state(c);
  epi_ball_load ball;
  check_count(epi_case_balls(c, &s, &ball, 1), 9);
  check(isnan(named(c, &s, "Qo2")));
  epi_case_free(c);
  c = epi_case_make("pendulum");
  s = epi_case_state(c);
  check_count(epi_case_balls(c, &s, &ball, 1), 0);
  epi_case_free(c);
  return test_done();
}
