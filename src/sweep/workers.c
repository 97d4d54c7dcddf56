/* workers.c - several threads that take the cases of a sweep one after the other, and who watches them */
#define _XOPEN_SOURCE 700
#include "sweeping.h"
#include <time.h>
#include <unistd.h>

enum { WATCH_MS = 20, MOST_WORKERS = 1024, MOST_LANES = 32 };

static int stopped(const epi_sweep *s) { return __atomic_load_n(&s->stop, __ATOMIC_RELAXED); }

void epi_sweep_stop(epi_sweep *s) { __atomic_store_n(&s->stop, 1, __ATOMIC_RELAXED); }

static void *work(void *data)
{
  worker *w = data;
  epi_sweep *s = w->s;
  while (!stopped(s)) {
    int n = w->lane ? w->lanes : 1, none = 0;
    long long number = __atomic_fetch_add(&s->next, n, __ATOMIC_RELAXED);
    if (number >= s->cases) break;
    if (n > s->cases - number) n = (int)(s->cases - number);
    int bad = epi_worker_take_many(s, w, number, n);
    if (!bad) continue;
    __atomic_compare_exchange_n(&s->bad, &none, bad, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    epi_sweep_stop(s);
  }
  pthread_mutex_lock(&s->lock);
  s->left--;
  pthread_cond_signal(&s->ended);
  pthread_mutex_unlock(&s->lock);
  return NULL;
}

/* a case that is under way ends where the sweep does, or where it takes too long */
static void watch(epi_sweep *s)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  for (int i = 0; i < s->workers; i++) {
    worker *w = &s->worker[i];
    pthread_mutex_lock(&w->lock);
    if (s->ask.limit > 0 && w->began > 0 && (double)t.tv_sec + 1e-9*(double)t.tv_nsec - w->began > s->ask.limit) w->late = 1;
    if ((w->late || stopped(s)) && w->r) epi_result_stop(w->r);
    if ((w->late || stopped(s)) && w->choosing) epi_choose_stop(w->chosen);
    pthread_mutex_unlock(&w->lock);
  }
}

static void wait_for_all(epi_sweep *s)
{
  pthread_mutex_lock(&s->lock);
  while (s->left) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_nsec += WATCH_MS*1000000L;
    if (t.tv_nsec >= 1000000000L) { t.tv_sec++; t.tv_nsec -= 1000000000L; }
    pthread_cond_timedwait(&s->ended, &s->lock, &t);
    pthread_mutex_unlock(&s->lock);
    watch(s);
    pthread_mutex_lock(&s->lock);
  }
  pthread_mutex_unlock(&s->lock);
}

int epi_worker_count(const epi_sweep *s)
{
  long n = s->ask.workers > 0 ? s->ask.workers : sysconf(_SC_NPROCESSORS_ONLN);
  if (n > MOST_WORKERS) n = MOST_WORKERS;
  return n < 1 ? 1 : n > s->cases ? (int)s->cases : (int)n;
}

/* room for cases that move together, where there are enough of them for all workers */
static int make_lanes(epi_sweep *s, worker *w, int workers)
{
  long long each = s->cases/(4*workers);
  int n = each < MOST_LANES ? (int)each : MOST_LANES, bad = 0;
  if (!s->lanes || n < 2 || s->ask.limit > 0 || s->ask.alone) return 0;
  if (!(w->lane = calloc((size_t)n, sizeof *w->lane))) return 0;
  while (w->lanes < n && !bad) bad = epi_worker_make(s, &w->lane[w->lanes++], w->number);
  return bad;
}

/* where there are no threads to be had it goes on in this one */
static void run_all(epi_sweep *s)
{
  int n = 0;
  s->left = s->workers;
  while (n < s->workers && !pthread_create(&s->worker[n].thread, NULL, work, &s->worker[n])) n++;
  pthread_mutex_lock(&s->lock);
  s->left -= n ? s->workers - n : s->workers - 1;
  pthread_mutex_unlock(&s->lock);
  if (!n) work(&s->worker[0]);
  wait_for_all(s);
  for (int i = 0; i < n; i++) pthread_join(s->worker[i].thread, NULL);
}

int epi_sweep_run(epi_sweep *s, double *kept, int (*see)(void *, const epi_sweep_row *))
{
  if (!s || s->error[0]) return EPI_WRONG;
  int n = epi_worker_count(s), bad = 0;
  s->kept = kept;
  s->see = see;
  s->next = s->bad = 0;
  if (!(s->worker = calloc((size_t)n, sizeof *s->worker))) return epi_say(s->error, EPI_WRONG,
                                                                          "out of memory: there is no room for workers");
  for (int i = 0; i < n && !bad; i++, s->workers++) bad = epi_worker_make(s, &s->worker[i], i) || make_lanes(s, &s->worker[i], n);
  if (!bad && s->ask.engine) bad = epi_sweep_blocks(s);
  else if (!bad) run_all(s);
  for (int i = 0; i < s->workers; i++) epi_worker_free(&s->worker[i]);
  free(s->worker);
  s->worker = NULL;
  s->workers = 0;
  if (bad) return bad == EPI_STOPPED ? bad : EPI_WRONG;
  if (s->bad == EPI_WRONG) return epi_say(s->error, EPI_WRONG, "out of memory: a case could not be made");
  return s->bad || stopped(s) ? EPI_STOPPED : 0;
}

int epi_sweep_one(epi_sweep *s, long long number, int (*see)(void *, const epi_sweep_row *))
{
  if (!s || s->error[0] || number < 0 || number >= s->cases) return EPI_WRONG;
  s->see = see;
  if (!s->one.s && epi_worker_make(s, &s->one, 0)) return EPI_WRONG;
  return epi_worker_take(s, &s->one, number);
}
