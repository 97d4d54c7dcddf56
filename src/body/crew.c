/* crew.c - several threads that share the rollers of a sweep.
 * A job is there while its gate is open. A helper counts itself in, sees that the gate is still that of the job, and takes rollers until
 * none is left; who asks takes them too, closes the gate and adds up. No job is made while a helper is counted in, so nothing is written
 * that another reads. Who asks takes from the front and helpers from the back, many at first and few at last: so each meets the same
 * bodies in every sweep, and few lines of memory go from core to core */
#define _XOPEN_SOURCE 700
#include "crew.h"
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

enum { LINE = 64, SPINS = 20000, PATIENCE = 400, TRIAL = 64, REST = 4000 };
enum { FRONT = 1, BACK = 1 << 16, MOST_ROLLERS = BACK - 1 };      /* what is taken from either end, in one number */

/* what a roller does, and the last job it was done for: lines of memory of its own, so that who writes one does not hold up another. What
   is asked for without by-products is all in the first */
typedef struct slot { _Alignas(LINE) _Atomic unsigned done; epi_roller_effect effect; } slot;
typedef struct place { _Alignas(LINE) epi_pose pose; } place;

struct epi_crew {
  _Alignas(LINE) _Atomic unsigned next;        /* asked by all of them; what else is waited for stands elsewhere */
  _Alignas(LINE) _Atomic int taken;            /* of those who ask */
  _Alignas(LINE) _Atomic unsigned gate;        /* odd: open. A new number for each job */
  _Atomic int stop;
  _Alignas(LINE) _Atomic int inside, given, asleep;      /* of the helpers */
  _Alignas(LINE) pthread_mutex_t lock;
  pthread_cond_t call;
  const epi_rollers *rollers;
  int n, bodies, linked, helpers;
  long sweeps, rest;                           /* of the trial; those that go without help */
  pid_t process;
  place *place;                                /* of the bodies, in the job; the ground is the last */
  int *order;                                  /* of the rollers: those of a body together */
  slot *slot;
  pthread_t thread[];
};

/* some of what is left, from one end: where it begins in the order, and how many */
static int claim(epi_crew *c, unsigned end, int *many)
{
  unsigned now = atomic_load_explicit(&c->next, memory_order_relaxed);
  for (;;) {
    int front = (int)(now % BACK), back = (int)(now/BACK), left = c->n - front - back;
    if (left <= 0) return *many = 0;
    *many = 1 + (left - 1)/(2*(c->helpers + 1));
    if (atomic_compare_exchange_weak(&c->next, &now, now + (unsigned)*many*end)) return end == FRONT ? front : c->n - back - *many;
  }
}

static void find_effect(const epi_crew *c, int k, epi_roller_effect *out)
{
  int own, ring;
  epi_roller_bodies(c->rollers, k, &own, &ring);
  epi_roller_effect_of(c->rollers, k, &c->place[own].pose, &c->place[ring < 0 ? c->bodies : ring].pose, c->linked, out);
}

/* rollers of an open job; how many */
static int take_part(epi_crew *c, unsigned job, unsigned end)
{
  int mine = 0, many;
  for (int k = claim(c, end, &many); many; k = claim(c, end, &many)) {
    for (int i = k; i < k + many; i++) {
      slot *s = &c->slot[c->order[i]];
      find_effect(c, c->order[i], &s->effect);
      atomic_store_explicit(&s->done, job, memory_order_release);
    }
    mine += many;
  }
  return mine;
}

/* until there is another job than the last, or the end; short breaks are spent awake */
static unsigned wait_for_job(epi_crew *c, unsigned last)
{
  for (int i = 0; i < SPINS; i++) {
    unsigned gate = atomic_load(&c->gate);
    if ((gate & 1 && gate != last) || atomic_load(&c->stop)) return gate;
    if (i % 1024 == 1023) sched_yield();
  }
  pthread_mutex_lock(&c->lock);
  atomic_fetch_add(&c->asleep, 1);
  unsigned gate;
  while (gate = atomic_load(&c->gate), !(gate & 1 && gate != last) && !atomic_load(&c->stop)) pthread_cond_wait(&c->call, &c->lock);
  atomic_fetch_sub(&c->asleep, 1);
  pthread_mutex_unlock(&c->lock);
  return gate;
}

static void *help(void *data)
{
  epi_crew *c = data;
  for (unsigned last = 0;;) {
    unsigned gate = wait_for_job(c, last);
    if (atomic_load(&c->stop)) return NULL;
    atomic_fetch_add(&c->inside, 1);
    if (atomic_load(&c->gate) == gate) atomic_fetch_add(&c->given, take_part(c, last = gate, BACK));
    atomic_fetch_sub(&c->inside, 1);
  }
}

static void wake(epi_crew *c)
{
  pthread_mutex_lock(&c->lock);
  pthread_cond_broadcast(&c->call);
  pthread_mutex_unlock(&c->lock);
}

/* zeroed memory from the beginning of a line on */
static void *in_lines(size_t size)
{
  size_t whole = (size + LINE - 1)/LINE*LINE;
  void *x = aligned_alloc(LINE, whole ? whole : LINE);
  return x ? memset(x, 0, whole) : NULL;
}

static int body_of(const epi_crew *c, int k)
{
  int own, ring;
  epi_roller_bodies(c->rollers, k, &own, &ring);
  return own;
}

/* by their bodies */
static void put_in_order(epi_crew *c)
{
  for (int i = 0; i < c->n; i++) {
    int k = i;
    for (; k > 0 && body_of(c, c->order[k-1]) > body_of(c, i); k--) c->order[k] = c->order[k-1];
    c->order[k] = i;
  }
}

epi_crew *epi_crew_make(const epi_rollers *r, int bodies, int threads)
{
  int helpers = threads - 1, n = epi_rollers_size(r);
  epi_crew *c = in_lines(sizeof *c + (size_t)(helpers > 0 ? helpers : 0)*sizeof *c->thread);
  if (!c) return NULL;
  c->rollers = r;
  c->n = n;
  c->bodies = bodies;
  c->process = getpid();
  c->place = in_lines(((size_t)bodies + 1)*sizeof *c->place);
  c->slot = in_lines((size_t)n*sizeof *c->slot);
  c->order = calloc((size_t)n + 1, sizeof *c->order);
  if (c->order) put_in_order(c);
  if (c->place) c->place[bodies].pose = epi_ground;
  pthread_mutex_init(&c->lock, NULL);
  pthread_cond_init(&c->call, NULL);
  if (c->place && c->slot && c->order && n <= MOST_ROLLERS)
    while (c->helpers < helpers && !pthread_create(&c->thread[c->helpers], NULL, help, c)) c->helpers++;
  if (c->helpers) return c;
  epi_crew_free(c);
  return NULL;
}

void epi_crew_free(epi_crew *c)
{
  if (!c) return;
  /* the child of a fork has no helpers */
  if (c->process == getpid()) {
    atomic_store(&c->stop, 1);
    wake(c);
    for (int i = 0; i < c->helpers; i++) pthread_join(c->thread[i], NULL);
  }
  pthread_cond_destroy(&c->call);
  pthread_mutex_destroy(&c->lock);
  free(c->place);
  free(c->slot);
  free(c->order);
  free(c);
}

/* helpers that do next to nothing are elsewhere: they are left alone for a while */
static int worth_it(epi_crew *c)
{
  if (c->rest > 0) return --c->rest, 0;
  if (++c->sweeps < TRIAL) return 1;
  if (atomic_exchange(&c->given, 0) < TRIAL*c->n/10) c->rest = REST;
  c->sweeps = 0;
  return c->rest == 0;
}

/* in their order; what is not done yet is waited for a moment, then done here */
static int add_up(epi_crew *c, const epi_moving *m, unsigned job)
{
  enum { AHEAD = 8 };
  for (int k = 0; k < c->n; k++) {
    int there = 0;
    /* those of others come from their core: some are asked for while one is added */
    if (k + AHEAD < c->n) __builtin_prefetch(&c->slot[k + AHEAD]), __builtin_prefetch((const char *)&c->slot[k + AHEAD] + LINE);
    for (int i = 0; i < PATIENCE && !(there = atomic_load_explicit(&c->slot[k].done, memory_order_acquire) == job); i++);
    epi_roller_effect own;
    if (!there) find_effect(c, k, &own);
    int bad = epi_roller_apply(c->rollers, k, m, there ? &c->slot[k].effect : &own);
    if (bad) return bad;
  }
  return 0;
}

unsigned epi_crew_open(epi_crew *c, const epi_moving *m)
{
  if (!m->pose || atomic_exchange(&c->taken, 1)) return 0;
  if (!worth_it(c) || atomic_load(&c->inside)) { atomic_store(&c->taken, 0); return 0; }
  unsigned job = atomic_load(&c->gate) + 1;
  for (int i = 0; i < c->bodies; i++) c->place[i].pose = m->pose[i];
  c->linked = m->link != NULL;
  atomic_store(&c->next, 0);
  atomic_store(&c->gate, job);
  if (atomic_load(&c->asleep)) wake(c);
  return job;
}

void epi_crew_drop(epi_crew *c, unsigned job)
{
  if (!job) return;
  atomic_store(&c->gate, job + 1);
  atomic_store(&c->taken, 0);
}

int epi_crew_close(epi_crew *c, const epi_moving *m, unsigned job)
{
  if (!job) return epi_rollers_act(c->rollers, m);
  take_part(c, job, FRONT);
  atomic_store(&c->gate, job + 1);
  int no = add_up(c, m, job);
  atomic_store(&c->taken, 0);
  return no;
}
