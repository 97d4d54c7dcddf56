/* ours.c - the library, through its public header alone */
#include "bench.h"
#include <stdio.h>

static void *start(const char *text, epi_system *s)
{
  epi_flow *f = epi_make(text, s);
  if (!epi_error(f)) return f;
  fprintf(stderr, "%s\n", epi_error(f));
  epi_free(f);
  return NULL;
}
static void *start_verlet(epi_system *s) { return start("verlet", s); }
static void *start_rk4(epi_system *s) { return start("rk4", s); }
static void *start_order8(epi_system *s) { return start("symmetric(verlet, order=8)", s); }
static void stop(void *self) { epi_free(self); }

static int advance(void *self, double *y, double h, long n)
{
  epi_state s = {.y = y};
  return epi_advance(self, &s, h, n);
}

/* as a program does that looks at the state after every step */
static int advance_single(void *self, double *y, double h, long n)
{
  epi_state s = {.y = y};
  int bad = 0;
  while (n-- > 0 && !bad) bad = epi_advance(self, &s, h, 1);
  return bad;
}

const bench_driver bench_verlet = {
  .name = "epicycle verlet", .order = 2, .same = 1, .open = start_verlet, .go = advance, .close = stop,
};
const bench_driver bench_verlet_single = {
  .name = "epicycle verlet, a call per step", .order = 2, .same = 1, .open = start_verlet, .go = advance_single, .close = stop,
};
const bench_driver bench_rk4 = {
  .name = "epicycle rk4", .order = 4, .same = 1, .open = start_rk4, .go = advance, .close = stop,
};
const bench_driver bench_order8 = {
  .name = "epicycle symmetric(verlet, order=8)", .order = 8, .same = 1, .open = start_order8, .go = advance, .close = stop,
};
