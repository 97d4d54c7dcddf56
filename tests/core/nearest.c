/* holds: the nearest name is proposed for a misspelt one, and none where all are far */
#include "core.h"
#include "test.h"

static const char *near(const char *word, const char *const *among) { return epi_nearest(word, among); }

/* what the sentence of a flow proposes */
static void proposes(const char *text, const char *name)
{
  epi_system s = {.nq = 1};
  epi_flow *f = epi_make(text, &s);
  char words[64];
  snprintf(words, sizeof words, "did you mean %s?", name);
  check_has(epi_error(f), words);
  epi_free(f);
}

int main(void)
{
  /* two letters away, one, none: in every order */
  check_text(near("heun", (const char *const[]){"hem", "hean", "heun", NULL}), "heun");
  check_text(near("heun", (const char *const[]){"heun", "hean", "hem", NULL}), "heun");
  check_text(near("heun5", (const char *const[]){"hean", "heun", "hem", NULL}), "heun");
  check_text(near("heun5", (const char *const[]){"heun", "hean", NULL}), "heun");
  check_text(near("VERLET", (const char *const[]){"vermet", "verlet", NULL}), "verlet");
  check_text(near("dopri8", (const char *const[]){"dop853", "dopri5", NULL}), "dopri5");
  /* of two that are as near the first; of none nothing */
  check_text(near("rk5", (const char *const[]){"rk4", "rk6", NULL}), "rk4");
  check_text(near("kepler", (const char *const[]){"billiard", "drop", NULL}), NULL);
  check_text(near("verlet", (const char *const[]){NULL}), NULL);
  /* herk3, herk4 and others stand before it */
  proposes("hern", "heun");
  proposes("lobato", "lobatto");
  proposes("mid-point", "midpoint");
  return test_done();
}
