/* holds: steps and starts that `show` prints are those that a run takes */
#include "cases.h"

/* the step and the end of the record are those of the case without parameters */
static void defaults(void)
{
  for (const epi_model *const *m = epi_models(); *m; m++) {
    epi_case *c = make((*m)->name);
    if (!check(c->step == (*m)->step) || !check(c->end == (*m)->end))
      printf("%s: %.17g to %.17g, and its record says %.17g to %.17g\n", (*m)->name, c->step, c->end, (*m)->step, (*m)->end);
    epi_case_free(c);
  }
}

static void wrong(const char *text, const char *words)
{
  epi_case *c = epi_case_make(text);
  check_has(c->error, words);
  epi_case_free(c);
}

/* the cradle given by its numbers is the cradle, bit by bit */
static void billiard(void)
{
  epi_case *one = make("billiard"), *own = make("billiard(setup=own)");
  check_bits(16, own->y, one->y);
  epi_case_free(one);
  epi_case_free(own);
  /* two balls past each other, and one at rest in the way of none: straight lines and one bounce, in closed form */
  own = make("billiard(setup=own, x1=0.2, y1=0.2, x2=0.8, y2=0.5, x3=0.2, y3=0.8, x4=0.5, y4=0.35, vx1=0.3, vy1=0, vx2=-0.1, vy2=0, "
             "r=0.05)");
  epi_flow *f = epi_case_flow(own, NULL);
  epi_state s = epi_case_state(own);
  run(f, &s, 1, own->step);
  check_abs(s.y[0], 0.5, 1e-12);
  check_abs(s.y[2], 0.7, 1e-12);
  check_abs(s.y[5], 0.8, 1e-12);
  run(f, &s, 3, own->step);
  /* at 0.95 it turns round, in pi/w, and comes back with its speed */
  check_abs(s.y[0], 0.95 - 0.3*(3 - 2.5 - 3.14159265358979323846/100), 1e-6);
  check_abs(s.y[8], -0.3, 1e-6);
  epi_free(f);
  epi_case_free(own);
  wrong("billiard(x1=0.2)", "x1 = 0.2 is for a start of your own: add setup=own");
  wrong("billiard(setup=own, x1=1.2)", "x1 = 1.2 is outside of the unit square");
  wrong("billiard(setup=own, x1=0.33, y1=0.35)", "balls 1 and 2");
}

static void springs(void)
{
  epi_case *own = make("stiff-springs(case=own, x1=0, y1=1.25, vx1=0, vy1=0, x2=0, y2=2.25, vx2=0, vy2=0, w1=3, w2=3)");
  const double start[] = {0, 1.25, 0, 2.25, 0, 0, 0, 0};
  check_bits(8, own->y, start);
  epi_case_free(own);
  /* that of the paper, from the numbers */
  epi_case *paper = make("stiff-springs(case=ii)"), *same = make("stiff-springs(case=own, x1=1.04, w1=500, w2=1)");
  check_bits(8, same->y, paper->y);
  check(same->step == paper->step && same->system.phase.period == paper->system.phase.period);
  epi_case_free(paper);
  epi_case_free(same);
  wrong("stiff-springs(vy2=0.2)", "vy2 = 0.2 is for a start of your own: add case=own");
}

int main(void)
{
  defaults();
  billiard();
  springs();
  return test_done();
}
