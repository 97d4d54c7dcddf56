/* soak.c - random compositions for a long time: each is refused in words, or moves with bits that do not depend on how its steps are
   split over calls, and goes on from a checkpoint with the same bits
   label: soak
   timeout: 14400 */
#include "problems.h"
#include "test.h"

static unsigned seed = 20261115;
static unsigned dice(unsigned n) { seed = seed*1664525u + 1013904223u; return (seed >> 8) % n; }

static const char *const leaves[] = {"kick", "drift", "velocity-kick", "verlet", "euler-symplectic", "rk4", "heun", "dopri5", "dop853",
                                     "bs3", "midpoint", "gauss",
                                     "lobatto(stages=3)", "extrapolated", "herk3", "leapfrog-predicted", "strang(kick, drift)",
                                     "strang(drift, kick)"};

static void grow(char *out, size_t size, int depth)
{
  static const char *const wraps[] = {"substeps(%s, 2)", "symmetric(%s)", "symmetric(%s, order=6)", "adjoint(%s)",
                                      "tolerance(%s, rtol=1e-05)", "watch(%s)",
                                      "watch(%s, every=0.07)", "dense(%s)", "at(%s, of=0, level=0.1)",
                                      "rk4(hmm(%s, start=current, steps=8))",
                                      "verlet(hmm(%s, start=rest, steps=8))", "rk4(strobe(substeps(%s, 8), order=4))"};
  char inner[700], other[700];
  if (depth == 0 || dice(5) == 0) { snprintf(out, size, "%s", leaves[dice(sizeof leaves/sizeof *leaves)]); return; }
  grow(inner, sizeof inner, depth - 1);
  /* an average of an average takes minutes */
  int slow = strstr(inner, "hmm(") || strstr(inner, "strobe(");
  if (dice(4) == 0) {
    grow(other, sizeof other, depth - 1);
    snprintf(out, size, "strang(%.300s, %.300s)", inner, other);
    return;
  }
  const char *w = wraps[dice((unsigned)(sizeof wraps/sizeof *wraps) - (slow ? 3 : 0))], *hole = strstr(w, "%s");
  snprintf(out, size, "%.*s%.600s%s", (int)(hole - w), w, inner, hole + 2);
}

static epi_system systems[] = {
  {.nq = 2, .force = shaken_force, .velocity_force = quadratic_drag, .period = 0.01}, {.nq = 2, .force = henon_force, .period = 0.01},
  {.nq = 2, .forced = phased_force, .phase_rate = 600},
};

/* 1 moved, 0 refused */
static int one(const char *text, epi_system *m)
{
  double a[4], b[4], c[4] = {0};
  memcpy(a, henon_start, sizeof a);
  memcpy(b, henon_start, sizeof b);
  epi_state sa = {.y = a}, sb = {.y = b}, sc = {.y = c};
  epi_flow *f = epi_make(text, m), *g = epi_make(text, m), *k = epi_make(text, m);
  int moved = !epi_error(f);
  if (!moved) check(strlen(epi_error(f)) > 20);
  else if (!epi_advance(f, &sa, 0.05, 5)) {
    FILE *o = tmpfile();
    int bad = epi_advance(g, &sb, 0.05, 1) | epi_advance(g, &sb, 0.05, 2) | epi_save(g, &sb, o);
    rewind(o);
    bad |= epi_load(k, &sc, o) | epi_advance(k, &sc, 0.05, 2);
    if (!check(!bad) | !check_bits(4, c, a) | !check_bits(1, &sc.t, &sa.t)) printf("  %s\n", text);
    fclose(o);
  } else {
    /* a step that cannot be taken leaves a finite state and a sentence */
    if (!check(epi_error(f) && isfinite(a[0] + a[1] + a[2] + a[3]))) printf("  %s\n", text);
  }
  epi_free(f);
  epi_free(g);
  epi_free(k);
  return moved;
}

int main(void)
{
  long moved = 0, all = 100000;
  for (long i = 0; i < all; i++) {
    char text[1024];
    grow(text, sizeof text, 1 + (int)dice(3));
    moved += one(text, &systems[i % 3]);
  }
  printf("%ld random compositions, %ld of them moved\n", all, moved);
  check(moved > all/20);
  return test_done();
}
