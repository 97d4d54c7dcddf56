/* compositions.h - random flows, as texts: what soak.c and the fuzzer run. Every choice is a throw of `dice`, of a generator or of bytes */
#ifndef COMPOSITIONS_H
#define COMPOSITIONS_H
#include <stdio.h>
#include <string.h>

/* 0 ... n - 1; the state is the caller's */
typedef unsigned dice_of(void *state, unsigned n);
typedef struct dice { dice_of *of; void *state; } dice;
static inline unsigned throw_dice(dice d, unsigned n) { return d.of(d.state, n); }

static inline unsigned dice_of_seed(void *state, unsigned n)
{
  unsigned *seed = state;
  *seed = *seed*1664525u + 1013904223u;
  return (*seed >> 8) % n;
}

static const char *const composition_leaves[] = {
  "kick", "drift", "velocity-kick", "verlet", "euler-symplectic", "rk4", "heun", "dopri5", "dop853", "bs3", "midpoint", "gauss",
  "lobatto(stages=3)", "extrapolated", "herk3", "leapfrog-predicted", "strang(kick, drift)", "strang(drift, kick)",
  "radau", "theta", "euler-implicit", "herk4", "variational", "euler", "verlet(sum(model, model))", "gauss(stages=3)",
};
static const char *const composition_wraps[] = {
  "substeps(%s, 2)", "symmetric(%s)", "symmetric(%s, order=6)", "adjoint(%s)", "tolerance(%s, rtol=1e-05)", "watch(%s)",
  "watch(%s, every=0.07)", "dense(%s)", "at(%s, of=0, level=0.1)", "substeps(%s, 3)", "at(%s, of=1, level=-0.1, direction=up)",
  "density(%s, eps=0.05)", "scaled(%s, eps=0.05)", "tolerance(%s, rtol=1e-03, atol=1e-03)", "compose(%s, drift)",
  "rk4(hmm(%s, start=current, steps=8))", "verlet(hmm(%s, start=rest, steps=8))", "rk4(strobe(substeps(%s, 8), order=4))",
  "project(rk4(hmm(%s, start=current, steps=8)))",
};
enum { LEAVES = sizeof composition_leaves/sizeof *composition_leaves, WRAPS = sizeof composition_wraps/sizeof *composition_wraps };
enum { AVERAGES = 4 };                 /* the last ones of composition_wraps: an average of an average takes minutes */

static inline void compose(dice d, char *out, size_t size, int depth)
{
  char inner[700], other[700];
  if (depth == 0 || throw_dice(d, 5) == 0) {
    snprintf(out, size, "%s", composition_leaves[throw_dice(d, LEAVES)]);
    return;
  }
  compose(d, inner, sizeof inner, depth - 1);
  int slow = strstr(inner, "hmm(") || strstr(inner, "strobe(");
  if (throw_dice(d, 4) == 0) {
    compose(d, other, sizeof other, depth - 1);
    snprintf(out, size, "strang(%.300s, %.300s)", inner, other);
    return;
  }
  const char *w = composition_wraps[throw_dice(d, WRAPS - (slow ? AVERAGES : 0))], *hole = strstr(w, "%s");
  snprintf(out, size, "%.*s%.600s%s", (int)(hole - w), w, inner, hole + 2);
}
#endif
