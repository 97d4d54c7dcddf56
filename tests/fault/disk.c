/* holds: whichever write fails, the run says so and goes on */
#include "wrap.h"
#include "epicycle.h"

static int force(epi_system *s, double t, const double *q, double *f) { (void)s, (void)t; f[0] = -sin(q[0]); return 0; }

typedef struct { epi_flow *flow; epi_state *state; FILE *file; } checkpoint;

static void save(const void *what, char *said, size_t size) {
  const checkpoint *c = what;
  rewind(c->file);
  int bad = epi_save(c->flow, c->state, c->file);
  snprintf(said, size, "%s", bad ? epi_error(c->flow) : "");
}

/* a sentence that a person can act on: it says what could not be written */
static void full(epi_flow *f, epi_state *s) {
  FILE *file = fopen("/dev/full", "wb");
  if (!check(file)) return;
  setvbuf(file, NULL, _IONBF, 0);
  check(epi_save(f, s, file) != 0);
  check_has(epi_error(f), "writ");
  check(epi_frame_write(file, 7, "abc", 3) != 0);
  fclose(file);
  /* with a buffer the disk refuses only when it is emptied: still inside the call */
  file = fopen("/dev/full", "wb");
  if (!check(file)) return;
  check(epi_save(f, s, file) != 0);
  check_has(epi_error(f), "writ");
  fclose(file);
}

int main(void) {
  double y[2] = {1, 0}, twin[2] = {1, 0};
  epi_system pendulum = {.nq = 1, .force = force};
  epi_state s = {.y = y}, undisturbed = {.y = twin};
  epi_flow *f = epi_make("tolerance(dopri5, rtol=1e-8)", &pendulum), *g = epi_make("tolerance(dopri5, rtol=1e-8)", &pendulum);
  check_count(epi_advance(f, &s, 0.1, 10), 0);
  check_count(epi_advance(g, &undisturbed, 0.1, 10), 0);
  full(f, &s);

  checkpoint c = {f, &s, tmpfile()};
  if (!check(c.file)) test_stop("no temporary file");
  check_above((double)wrap_sweep(&wrap.disk, "epi_save", "writ", save, &c), 1);

  /* a checkpoint that failed changes nothing: the run goes on as if none had been tried, and the last one is good */
  check_count(epi_advance(f, &s, 0.1, 10), 0);
  check_count(epi_advance(g, &undisturbed, 0.1, 10), 0);
  check(epi_error(f) == NULL);
  check_bits(2, y, twin);
  rewind(c.file);
  check_count(epi_load(f, &s, c.file), 0);
  check_count(epi_advance(f, &s, 0.1, 10), 0);
  check_bits(2, y, twin);
  fclose(c.file);
  epi_free(f);
  epi_free(g);
  return test_done();
}
