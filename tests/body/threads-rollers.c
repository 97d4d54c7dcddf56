/* holds: rollers shared by threads have no race and the bits of one thread
 * threads-rollers.c - rollers shared by threads: no race, and the bits of one thread; also where several flows share the world, with
 * by-products, and where a roller is passed through */
#include "test.h"
#include "epicycle.h"
#include "body/crew.h"
#include <pthread.h>
#include <time.h>

enum { FLOWS = 3, SIZE = 13*19, STEPS = 60 };
#define SMALL "Z=8, slices=6"
#define HELD "semi(model.contacts, model.stiff, ahead=1)"

static int travel(epi_case *c, const char *flow, double *y)
{
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = {.y = y};
  memcpy(y, c->y, SIZE*sizeof *y);
  int bad = epi_advance(f, &s, 1e-6, STEPS);
  epi_free(f);
  return bad;
}

typedef struct { epi_case *c; int bad; double y[SIZE]; } traveller;
static void *go(void *data)
{
  traveller *t = data;
  t->bad = travel(t->c, HELD, t->y);
  return NULL;
}

/* one flow by any number of threads, by both methods */
static void same_bits(void)
{
  static const char *const flows[] = {HELD, "nam(model.contacts, model.stiff)"};
  for (int k = 0; k < 2; k++) {
    double want[SIZE], y[SIZE];
    for (int threads = 1; threads <= 4; threads++) {
      char text[80];
      snprintf(text, sizeof text, "roller-bearing(" SMALL ", threads=%d)", threads);
      epi_case *c = epi_case_make(text);
      if (!check(c && !c->error[0])) test_stop(c ? c->error : "no case");
      check_count(epi_size(&c->system), SIZE);
      check_count(c->world->crew != NULL, threads > 1);
      check_count(travel(c, flows[k], threads > 1 ? y : want), 0);
      if (threads > 1) check_bits(SIZE, y, want);
      epi_case_free(c);
    }
  }
}

/* several flows of one world: one has the crew, the others go alone */
static void shared(void)
{
  epi_case *one = epi_case_make("roller-bearing(" SMALL ")"), *c = epi_case_make("roller-bearing(" SMALL ", threads=3)");
  double want[SIZE];
  static traveller all[FLOWS];
  pthread_t thread[FLOWS];
  check_count(travel(one, HELD, want), 0);
  for (int k = 0; k < FLOWS; k++) {
    all[k].c = c;
    check_count(pthread_create(&thread[k], NULL, go, &all[k]), 0);
  }
  for (int k = 0; k < FLOWS; k++) {
    pthread_join(thread[k], NULL);
    check_count(all[k].bad, 0);
    check_bits(SIZE, all[k].y, want);
  }
  epi_case_free(one);
  epi_case_free(c);
}

/* a helper that sleeps is woken, one that has nothing to do is freed, and a roller through its race is told of */
static void breaks(void)
{
  epi_case *c = epi_case_make("roller-bearing(" SMALL ", threads=2)");
  epi_system *m = epi_world_names(c->world)[1].system;
  double f[SIZE] = {0}, g[SIZE] = {0};
  check_count(m->velocity_force(m, 0, c->y, c->y + m->nq, f), 0);
  for (int k = 0; k < 3; k++) {
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    memset(g, 0, sizeof g);
    check_count(m->velocity_force(m, 0, c->y, c->y + m->nq, g), 0);
    check_bits(m->nv, g, f);
  }
  c->y[7*5] += 4e-3;
  check_above(m->velocity_force(m, 0, c->y, c->y + m->nq, g), 1);
  epi_case_free(c);
  c = epi_case_make("roller-bearing(threads=0)");
  check_has(c->error, "take 1 to 64");
  epi_case_free(c);
  epi_world *w = epi_world_make();
  epi_world_threads(w, 100);
  check_has(epi_world_error(w), "give 1 to 64");
  epi_world_free(w);
}

int main(void)
{
  same_bits();
  shared();
  breaks();
  return test_done();
}
