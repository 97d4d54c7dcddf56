/* holds: a system shared by flows in several threads has no race and the bits of one thread */
#include "test.h"
#include "epicycle.h"
#include <pthread.h>

enum { THREADS = 4, STEPS = 300, DIM = 4 };

static int force(epi_system *s, double t, const double *q, double *f) {
  const double *k = s->data;
  (void)t;
  f[0] = -k[0]*sin(q[0]) + k[1]*(q[1] - q[0]);
  f[1] = -k[0]*sin(q[1]) - k[1]*(q[1] - q[0]);
  return 0;
}
static const double stiffness[] = {1, 0.3}, mass[] = {2, 0.5, 0.5, 1};

static const char *const texts[] = {
  "verlet", "rk4", "symmetric(verlet, order=8)", "tolerance(dopri5, rtol=1e-8)", "midpoint", "gauss(stages=3)", "substeps(verlet, 5)",
};
enum { TEXTS = sizeof texts/sizeof *texts };

/* one thread's work: every text on the shared system, and a model by name */
typedef struct work { epi_system *shared; int first; double end[TEXTS][DIM], orbit[4]; int bad; } work;

static void *run(void *data) {
  work *w = data;
  /* each thread begins elsewhere, so that different flows meet in the same system */
  for (int k = 0; k < TEXTS; k++) {
    int i = (w->first + k) % TEXTS;
    memcpy(w->end[i], (double[DIM]){1, -0.5, 0, 0.2}, sizeof w->end[i]);
    epi_state s = {.y = w->end[i]};
    epi_flow *f = epi_make(texts[i], w->shared);
    w->bad |= epi_advance(f, &s, 0.02, STEPS) || epi_error(f);
    epi_free(f);
  }
  epi_case *c = epi_case_make("kepler(e=0.6)");
  epi_flow *f = epi_case_flow(c, "symmetric(verlet, order=6)");
  epi_state s = epi_case_state(c);
  w->bad |= epi_advance(f, &s, 0.01, STEPS) || epi_size(&c->system) != 4;
  memcpy(w->orbit, s.y, sizeof w->orbit);
  epi_free(f);
  epi_case_free(c);
  return NULL;
}

/* ---- a world ---- */
enum { BALLS = 4, LINKS = 80, WORLD_DIM = 13*(BALLS + LINKS) };

/* balls on a floor, and a chain long enough that no pose of it is kept; by constraints, but for one link */
static epi_world *make_world(void) {
  static const char *const names[BALLS] = {"first", "second", "third", "fourth"};
  epi_world *w = epi_world_make();
  epi_add_gravity(w, (double[]){0, 0, -9.81});
  for (int i = 0; i < BALLS; i++) {
    epi_add_body(w, &(epi_body){.name = names[i], .mass = 0.1, .inertia = {4e-5, 4e-5, 4e-5}, .at = {i, 5, 0.0199}});
    epi_add_contact(w, &(epi_contact){.name = names[i], .shape = EPI_SPHERE_PLANE, .a = i, .b = EPI_GROUND, .radius = 0.02,
                                      .normal = {0, 0, 1},
                                      .law = {.K = 1e7, .chi = 0.1, .mu = 0.2, .vs = 0.01}});
  }
  for (int i = 0; i < LINKS; i++) {
    int body = epi_add_body(w, &(epi_body){.mass = 1, .inertia = {0.1, 0.1, 0.1}, .at = {i + 0.5, 0, 0}});
    epi_add_joint(w, &(epi_joint){.a = body, .b = i ? body - 1 : EPI_GROUND, .hold = EPI_HINGE, .as = i == 7 ? EPI_PENALTY : EPI_CONSTRAINT,
                                  .at_a = {-0.5}, .at_b = {i ? 0.5 : 0}, .frame_a = {1, 1, 0, 0}, .frame_b = {1, 1, 0, 0},
                                  .stiffness = {1e6, 1e5}, .damping = {100, 10}});
  }
  return w;
}

/* one thread's work: flows over the shared world, and a ball of its own that is thrown through the floor, again and again */
typedef struct { epi_world *world; const double *start; int first, bad, wrong; double end[2][WORLD_DIM], energy; } world_work;

static void *run_world(void *data) {
  static const char *const flows[] = {"verlet", "semi(model.contacts, model.stiff)"},
    *const words[BALLS] = {"first,", "second,", "third,", "fourth,"};
  world_work *d = data;
  epi_system *m = epi_world_system(d->world);
  for (int k = 0; k < 2; k++) {
    int i = (d->first + k) % 2;
    memcpy(d->end[i], d->start, sizeof d->end[i]);
    epi_state s = {.y = d->end[i]};
    epi_flow *f = epi_make_named(flows[i], epi_world_names(d->world));
    d->bad |= epi_advance(f, &s, 1e-4, 20);
    d->energy = m->energy(m, s.t, s.y);
    epi_free(f);
  }
  for (int k = 0; k < 10; k++) {
    double y[WORLD_DIM];
    memcpy(y, d->start, sizeof y);
    y[7*(d->first % BALLS) + 2] = 0.005;
    epi_state s = {.y = y};
    epi_flow *f = epi_make_named("verlet", epi_world_names(d->world));
    if (!epi_advance(f, &s, 1e-4, 1) || !epi_error(f) ||
        strncmp(epi_error(f), words[d->first % BALLS], strlen(words[d->first % BALLS]))) d->wrong++;
    epi_free(f);
  }
  return NULL;
}

/* more threads than cores, all refused before the first of them asks why */
enum { REFUSED = 40 };
typedef struct { epi_world *world; const double *start; int ball, told; pthread_barrier_t *all; } refused_work;

static void *be_refused(void *data) {
  static const char *const words[BALLS] = {"first,", "second,", "third,", "fourth,"};
  refused_work *d = data;
  epi_system *m = epi_world_system(d->world);
  double y[WORLD_DIM], f[WORLD_DIM];
  char why[200] = "";
  memcpy(y, d->start, sizeof y);
  y[7*d->ball + 2] = 0.005;
  int bad = m->velocity_force(m, 0, y, y + m->nq, f);
  pthread_barrier_wait(d->all);
  d->told = bad && m->explain(m, why, sizeof why) && !strncmp(why, words[d->ball], strlen(words[d->ball]));
  return NULL;
}

static void refusals(epi_world *w, const double *start) {
  refused_work each[REFUSED];
  pthread_t thread[REFUSED];
  pthread_barrier_t all;
  pthread_barrier_init(&all, NULL, REFUSED);
  for (int i = 0; i < REFUSED; i++) {
    each[i] = (refused_work){w, start, i % BALLS, 0, &all};
    if (pthread_create(&thread[i], NULL, be_refused, &each[i])) test_stop("no further thread");
  }
  for (int i = 0; i < REFUSED; i++) pthread_join(thread[i], NULL);
  for (int i = 0; i < REFUSED; i++) check_count(each[i].told, 1);
  pthread_barrier_destroy(&all);
}

static int worlds(void) {
  epi_world *w = make_world();
  epi_system *m = epi_world_system(w);
  if (epi_world_error(w)) test_stop(epi_world_error(w));
  check_count(epi_size(m), WORLD_DIM);
  double start[WORLD_DIM];
  memcpy(start, epi_world_state(w).y, sizeof start);
  static world_work alone, together[THREADS];
  pthread_t thread[THREADS];
  alone = (world_work){.world = w, .start = start};
  run_world(&alone);
  check_count(alone.bad, 0);
  check_count(alone.wrong, 0);
  for (int i = 0; i < THREADS; i++) {
    together[i] = (world_work){.world = w, .start = start, .first = i};
    if (pthread_create(&thread[i], NULL, run_world, &together[i])) return test_skip("no further thread");
  }
  for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
  for (int i = 0; i < THREADS; i++) {
    check_count(together[i].bad, 0);
    /* each thread is told of its own ball */
    check_count(together[i].wrong, 0);
    for (int k = 0; k < 2; k++) check_bits(WORLD_DIM, together[i].end[k], alone.end[k]);
  }
  refusals(w, start);
  check(memcmp(alone.end[0], start, sizeof start) != 0);
  epi_world_free(w);
  return 0;
}

/* ---- another thread stops a run, inside one step of ten thousand million ---- */
static void *stop(void *flow) { epi_stop(flow); return NULL; }

static int stopped(epi_system *shared) {
  double y[DIM] = {1, -0.5, 0, 0.2}, z[DIM];
  memcpy(z, y, sizeof z);
  epi_state s = {.y = y};
  epi_flow *f = epi_make("substeps(substeps(verlet, 100000), 100000)", shared);
  pthread_t other;
  if (pthread_create(&other, NULL, stop, f)) return test_skip("no further thread");
  check_count(epi_advance(f, &s, 1, 1), EPI_STOPPED);
  pthread_join(other, NULL);
  check(!epi_error(f));
  check_bits(DIM, y, z);
  epi_free(f);
  return 0;
}

int main(void) {
  epi_system shared = {.nq = 2, .force = force, .inertia.mass_matrix = mass, .data = (void *)stiffness};
  work alone = {.shared = &shared}, together[THREADS];
  pthread_t thread[THREADS];
  run(&alone);
  check_count(alone.bad, 0);
  for (int i = 0; i < THREADS; i++) {
    together[i] = (work){.shared = &shared, .first = i};
    if (pthread_create(&thread[i], NULL, run, &together[i])) return test_skip("no further thread");
  }
  for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
  for (int i = 0; i < THREADS; i++) {
    check_count(together[i].bad, 0);
    for (int k = 0; k < TEXTS; k++) check_bits(DIM, together[i].end[k], alone.end[k]);
    check_bits(4, together[i].orbit, alone.orbit);
  }
  int skipped = stopped(&shared);
  if (!skipped) skipped = worlds();
  if (skipped) return skipped;
  /* the flows differ: equal ends would mean that nothing moved */
  for (int k = 1; k < TEXTS; k++) check(memcmp(alone.end[k], alone.end[0], sizeof alone.end[0]) != 0);
  return test_done();
}
