/* crew.c - several threads that share the rollers of a sweep.
 * A job is there while its gate is open. A helper counts itself in, sees that the gate is still that of the job, and takes rollers until
 * none is left; who asks takes them too, closes the gate and adds up. No job is made while a helper is counted in, so nothing is written
 * that another reads */
#define _XOPEN_SOURCE 700
#include "crew.h"
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

enum { LINE = 64, CHUNK = 2, SPINS = 20000, PATIENCE = 400, TRIAL = 64, REST = 4000 };

/* what a roller does, and the last job it was done for: lines of memory of its own, so that who writes one does not hold up another */
typedef struct slot { _Alignas(LINE) _Atomic unsigned done; epi_roller_effect effect; } slot;

struct epi_crew {
  _Alignas(LINE) _Atomic int next;             /* asked by all of them; what else is waited for stands elsewhere */
  _Alignas(LINE) _Atomic int taken, inside, asleep, stop, given;
  _Atomic unsigned gate;                       /* odd: open. A new number for each job */
  pthread_mutex_t lock;
  pthread_cond_t call;
  const epi_rollers *rollers;
  int n, bodies, linked, helpers;
  long sweeps, rest;                           /* of the trial; those that go without help */
  pid_t process;
  epi_pose *pose;                              /* of the job */
  slot *slot;
  pthread_t thread[];
};

/* rollers of an open job; how many */
static int take_part(epi_crew *c, unsigned job)
{
  int mine = 0;
  for (int k; (k = atomic_fetch_add(&c->next, CHUNK)) < c->n;)
    for (int i = k; i < k + CHUNK && i < c->n; i++, mine++) {
      epi_roller_effect_of(c->rollers, i, c->pose, c->linked, &c->slot[i].effect);
      atomic_store_explicit(&c->slot[i].done, job, memory_order_release);
    }
  return mine;
}

/* until there is another job than the last, or the end; short breaks are spent awake */
static unsigned wait_for_job(epi_crew *c, unsigned last)
{
  for (int i = 0; i < SPINS; i++) {
    unsigned gate = atomic_load(&c->gate);
    if ((gate & 1 && gate != last) || atomic_load(&c->stop)) return gate;
    if (i % 64 == 63) sched_yield();
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
    if (atomic_load(&c->gate) == gate) atomic_fetch_add(&c->given, take_part(c, last = gate));
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

epi_crew *epi_crew_make(const epi_rollers *r, int bodies, int threads)
{
  int helpers = threads - 1, n = epi_rollers_size(r);
  epi_crew *c = in_lines(sizeof *c + (size_t)(helpers > 0 ? helpers : 0)*sizeof *c->thread);
  if (!c) return NULL;
  c->rollers = r;
  c->n = n;
  c->bodies = bodies;
  c->process = getpid();
  c->pose = calloc((size_t)bodies, sizeof *c->pose);
  c->slot = in_lines((size_t)n*sizeof *c->slot);
  pthread_mutex_init(&c->lock, NULL);
  pthread_cond_init(&c->call, NULL);
  if (c->pose && c->slot)
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
  free(c->pose);
  free(c->slot);
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
    if (!there) epi_roller_effect_of(c->rollers, k, c->pose, c->linked, &own);
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
  memcpy(c->pose, m->pose, (size_t)c->bodies*sizeof *c->pose);
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
  take_part(c, job);
  atomic_store(&c->gate, job + 1);
  int no = add_up(c, m, job);
  atomic_store(&c->taken, 0);
  return no;
}
