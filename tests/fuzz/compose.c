/* holds: a composed flow is refused, or reads back, splits and restarts with the same bits
 * compose.c - a flow composed from the bytes, on a small system or a model of the library: refused in words, or its text makes it again,
   its bits do not depend on how the steps are split over calls, and it goes on from a checkpoint with the same bits */
#include "fuzz.h"
#include "../compositions.h"
#include "../problems.h"

static epi_system systems[] = {
  {.nq = 2, .force = shaken_force, .velocity_force = quadratic_drag, .phase.period = 0.01},
    {.nq = 2, .force = henon_force, .phase.period = 0.01},
  {.nq = 2, .phase = {.forced = phased_force, .phase_rate = 600}}, {.nq = 2, .nc = 1, .force = weight, .velocity_force = air,
                                                                    .constraint = rod},
  {.nz = 2, .rate = volterra}, {.nq = 2, .force = henon_force, .energies = {.potential = henon_potential, .objective = henon_objective}},
  {.nq = 4, .nv = 3, .force = top_force, .velocity_force = top_gyro, .mass = top_inertia,
   .manifold = {.retract = top_turn, .retract_rate = top_slew}},
};
static const char *const models[] = {
  "pendulum", "inverted-pendulum", "kepler(e=0.6)", "rotor", "van-der-pol", "stiff-springs", "two-oscillators", "double-pendulum",
  "rod-chain(n=3)", "bounce", "oscillator", "magnetic-pendulum", "rigid-body", "heavy-top", "slider-crank", "four-bar", "drop",
  "rolling-sphere", "rod-pendulum", "spring-pendulum",
};
enum { SYSTEMS = sizeof systems/sizeof *systems, MODELS = sizeof models/sizeof *models, MOST = 200 };

/* what moves: a case, or a system of ours with its start */
typedef struct subject { epi_case *c; epi_system *m; double y[MOST], h; int n; } subject;

static void choose(subject *u, bytes *b)
{
  unsigned which = byte_of(b) % (SYSTEMS + MODELS);
  memset(u, 0, sizeof *u);
  u->h = 0.05;
  if (which >= SYSTEMS) {
    u->c = epi_case_make(models[which - SYSTEMS]);
    hold(u->c && !u->c->error[0]);
    u->n = epi_size(&u->c->system);
    hold(u->n <= MOST);
    u->h = u->c->step;
    memcpy(u->y, epi_case_state(u->c).y, (size_t)u->n*sizeof *u->y);
    return;
  }
  u->m = &systems[which];
  u->n = epi_size(u->m);
  memcpy(u->y, henon_start, sizeof henon_start);
  if (u->m->nc) memcpy(u->y, (double[]){1, 0, 0, 0.3}, 4*sizeof *u->y);
  if (u->m->nz) memcpy(u->y, volterra_start, sizeof volterra_start);
  if (u->m->manifold.retract) top_start(u->y);
}

static epi_flow *make(subject *u, const char *text) { return u->c ? epi_case_flow(u->c, text) : epi_make(text, u->m); }

typedef struct runner { epi_flow *f; epi_state s; double y[MOST]; } runner;
static void set(runner *r, subject *u, const char *text)
{
  *r = (runner){.f = make(u, text)};
  memcpy(r->y, u->y, sizeof r->y);
  r->s = (epi_state){.y = r->y};
}

static void split(subject *u, const char *text, runner *whole, unsigned at)
{
  runner a, b;
  set(&a, u, text);
  set(&b, u, text);
  long n = 1 + (long)(at % 4);
  int bad = fuzz_advance(a.f, &a.s, u->h, n > 1 ? n - 1 : n) || (n > 1 && fuzz_advance(a.f, &a.s, u->h, 1));
  FILE *o = tmpfile();
  if (!o) abort();
  bad = bad || epi_save(a.f, &a.s, o);
  rewind(o);
  bad = bad || epi_load(b.f, &b.s, o) || fuzz_advance(b.f, &b.s, u->h, 5 - n);
  fclose(o);
  /* who was told to stop by the clock has nothing to compare */
  int stopped = bad && !epi_error(a.f) && !epi_error(b.f);
  hold(!bad || stopped);
  if (!bad) hold(!memcmp(whole->y, b.y, (size_t)u->n*sizeof *b.y) && whole->s.t == b.s.t && whole->s.theta == b.s.theta);
  epi_free(a.f);
  epi_free(b.f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  bytes b = {data, data + size};
  subject u;
  runner r;
  char text[1024], again[1100], meaning[1200];
  choose(&u, &b);
  unsigned at = byte_of(&b);
  compose((dice){dice_of_bytes, &b}, text, sizeof text, 1 + (int)(at/4 % 3));
  snprintf(meaning, sizeof meaning, "%s of system %u in steps of %g, %u", text, (size ? data[0] : 0) % (SYSTEMS + MODELS), u.h, at);
  fuzz_meaning = meaning;
  set(&r, &u, text);
  if (epi_error(r.f)) hold(strlen(epi_error(r.f)) > 20);
  else {
    hold(epi_text(r.f, again, sizeof again) < sizeof again);
    epi_flow *same = make(&u, again);
    hold(!epi_error(same) && epi_text(same, text, sizeof text) && !strcmp(text, again));
    epi_free(same);
    int code = fuzz_advance(r.f, &r.s, u.h, 5);
    if (!code) split(&u, text, &r, at);
    else if (code != EPI_STOPPED) {
      hold(epi_error(r.f) != NULL);
      for (int i = 0; i < u.n; i++) hold(isfinite(r.y[i]));
    }
  }
  epi_free(r.f);
  epi_case_free(u.c);
  fuzz_meaning = "";
  return 0;
}
