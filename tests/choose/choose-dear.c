/* holds: a search that would exceed its budget is refused before the budget is spent
 * choose-dear.c - a search that will take more than may be spent on it is known to before that is spent: a box on four feet that are welded
 * to it, pushed, whose friction keeps explicit steps short
 * label: long   cost: 10 */
#include "test.h"
#include "epicycle/choose.h"
#include "epicycle/file.h"
#include "epicycle/model.h"

static const char *const text =
  "world:\n"
  "  settle: yes\n"
  "  gravity: 9.81\n"
  "  bodies:\n"
  "    - {name: box, box: [0.2, 0.2, 0.2], mass: 1, at: [0, 0, 0.12], velocity: [0.05, 0.02, 0], spin: [0, 0, 0.3]}\n"
  "    - {name: a, ball: 0.01, mass: 0.01, at: [0.09, 0.09, 0.01]}\n"
  "    - {name: b, ball: 0.01, mass: 0.01, at: [-0.09, 0.09, 0.01]}\n"
  "    - {name: c, ball: 0.01, mass: 0.01, at: [-0.09, -0.09, 0.01]}\n"
  "    - {name: d, ball: 0.01, mass: 0.01, at: [0.09, -0.09, 0.01]}\n"
  "  joints:\n"
  "    - {name: weld1, a: a, b: box, hold: all}\n"
  "    - {name: weld2, a: b, b: box, hold: all}\n"
  "    - {name: weld3, a: c, b: box, hold: all}\n"
  "    - {name: weld4, a: d, b: box, hold: all}\n"
  "  contacts:\n"
  "    - {name: c1, shape: sphere-plane, a: a, law: {K: 1e8, chi: 2, mu: 0.5, vs: 1 mm/s}}\n"
  "    - {name: c2, shape: sphere-plane, a: b, law: {K: 1e8, chi: 2, mu: 0.5, vs: 1 mm/s}}\n"
  "    - {name: c3, shape: sphere-plane, a: c, law: {K: 1e8, chi: 2, mu: 0.5, vs: 1 mm/s}}\n"
  "    - {name: c4, shape: sphere-plane, a: d, law: {K: 1e8, chi: 2, mu: 0.5, vs: 1 mm/s}}\n"
  "end: 0.5\n";

static epi_chosen search(epi_case *c, double most)
{
  epi_chosen a = {.tol = 1e-6, .end = 0.5, .most = most};
  int bad = epi_choose(c, &a);
  printf("of %g evaluations: %ld spent, %s\n", most, a.spent, bad ? a.error : a.flow);
  check_count(bad != 0, a.dear);
  return a;
}

int main(void)
{
  epi_file *file = epi_file_read_text(text, strlen(text), "text");
  if (epi_file_sentences(file)) test_stop(epi_file_sentence(file, 0)->text);
  epi_case *c = epi_file_case(file, 0);
  epi_chosen all = search(c, 0);
  double run = all.way[0].calls;
  check(!all.dear);
  check_below((double)all.spent, 6*run);
  /* enough for one run, and not for the other that tells its error: that is seen on the way */
  epi_chosen one = search(c, 0.7*run);
  check(one.dear);
  check_has(one.error, "would take more than");
  check_below((double)one.spent, 0.6*0.7*run);
  /* not enough for the first: parts of the run tell that, and the last of them may go beyond */
  epi_chosen less = search(c, 0.2*run);
  check(less.dear);
  check_below((double)less.spent, 0.5*run);
  /* as much as it took, and some more for what it cost to know that */
  epi_chosen again = search(c, 2.5*(double)all.spent);
  check(!again.dear);
  check_text(again.flow, all.flow);
  epi_case_free(c);
  epi_file_free(file);
  return test_done();
}
