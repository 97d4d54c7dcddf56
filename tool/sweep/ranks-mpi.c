/* ranks-mpi.c - the processes of mpirun. All calls of MPI are of one thread; rank 0 has a second one that runs cases too */
#include "ranks.h"
#include "tool.h"
#include <math.h>
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ASK = 1, GIVE, ROW, MOST = 64, WHY = 1024, PAUSE_US = 200 };

static struct { int on, me, all; } here = {0, 0, 1};

int ranks_begin(void)
{
  int kind;
  if (!getenv("OMPI_COMM_WORLD_SIZE") && !getenv("PMI_SIZE") && !getenv("PMIX_RANK")) return 1;
  if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &kind)) return say(0, "MPI does not start: see what mpirun says");
  here.on = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &here.me);
  MPI_Comm_size(MPI_COMM_WORLD, &here.all);
  /* what all of them would say is said once */
  if (here.me && !freopen("/dev/null", "w", stderr)) return 0;
  return here.all;
}

int ranks_me(void) { return here.me; }

int ranks_agree(int code)
{
  if (here.on) MPI_Bcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return code;
}

void ranks_fail(const char *sentence)
{
  printf("epicycle: rank %d: %s\n", here.me, sentence);
  fflush(stdout);
  MPI_Abort(MPI_COMM_WORLD, FAILED);
  abort();
}

void ranks_end(void)
{
  if (here.on) MPI_Finalize();
  here.on = 0;
}

/* a row as a message: number, outcome, what is kept, then the sentence */
static size_t row_size(const epi_sweep *s) { return (size_t)(2 + epi_sweep_keeps(s))*sizeof(double) + WHY; }

/* ---- rank 0 ---- */
typedef struct office { const lead *all; pthread_mutex_t lock; int bad, idle; } office;

static long long take(office *o, long long most, long long *count)
{
  pthread_mutex_lock(&o->lock);
  long long first = o->bad || o->all->stop(o->all->data) ? -1 : o->all->next(o->all->data, most, count);
  pthread_mutex_unlock(&o->lock);
  return first;
}

static int see(office *o, const epi_sweep_row *row)
{
  pthread_mutex_lock(&o->lock);
  int bad = o->all->see(o->all->data, row);
  o->bad |= bad != 0;
  pthread_mutex_unlock(&o->lock);
  return bad;
}

/* its own cases come back one at a time */
static office *own;
static int see_own(void *data, const epi_sweep_row *row) { (void)data; return see(own, row); }

static void *run_own(void *data)
{
  office *o = data;
  long long count;
  for (long long k; (k = take(o, 1, &count)) >= 0; )
    if (epi_sweep_one(o->all->sweep, k, see_own)) break;
  pthread_mutex_lock(&o->lock);
  o->idle = 1;
  pthread_mutex_unlock(&o->lock);
  return NULL;
}

static void receive(office *o, double *room, int from)
{
  const epi_sweep *s = o->all->sweep;
  MPI_Recv(room, (int)row_size(s), MPI_BYTE, from, ROW, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  see(o, &(epi_sweep_row){.number = (long long)room[0], .outcome = (int)room[1], .kept = room + 2,
                          .why = (const char *)(room + 2 + epi_sweep_keeps(s))});
}

/* 1: this rank has no more to do */
static int answer(office *o, int from)
{
  long long chunk[2] = {-1, 0}, left = epi_sweep_cases(o->all->sweep)/(8LL*here.all);
  MPI_Recv(NULL, 0, MPI_BYTE, from, ASK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  chunk[0] = take(o, left < 1 ? 1 : left > MOST ? MOST : left, &chunk[1]);
  MPI_Send(chunk, 2, MPI_LONG_LONG, from, GIVE, MPI_COMM_WORLD);
  return chunk[0] < 0;
}

int ranks_lead(const lead *all)
{
  office o = {.all = all, .lock = PTHREAD_MUTEX_INITIALIZER};
  double *room = need(row_size(all->sweep));
  pthread_t thread;
  int left = here.all - 1, there, done = 0;
  own = &o;
  int helps = !pthread_create(&thread, NULL, run_own, &o);
  while (left || (helps && !done)) {
    MPI_Status from;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &from);
    if (there && from.MPI_TAG == ROW) receive(&o, room, from.MPI_SOURCE);
    else if (there) left -= answer(&o, from.MPI_SOURCE);
    else nanosleep(&(struct timespec){.tv_nsec = PAUSE_US*1000L}, NULL);
    pthread_mutex_lock(&o.lock);
    done = o.idle;
    pthread_mutex_unlock(&o.lock);
    if (all->stop(all->data)) epi_sweep_stop(all->sweep);
  }
  if (helps) pthread_join(thread, NULL);
  free(room);
  return o.bad || all->stop(all->data) ? EPI_STOPPED : 0;
}

/* ---- the others ---- */
static double *post;
static int keeps;
static int send_row(void *data, const epi_sweep_row *row)
{
  (void)data;
  post[0] = (double)row->number;
  post[1] = row->outcome;
  memcpy(post + 2, row->kept, (size_t)keeps*sizeof *post);
  snprintf((char *)(post + 2 + keeps), WHY, "%s", row->why);
  MPI_Send(post, (int)((size_t)(2 + keeps)*sizeof *post + WHY), MPI_BYTE, 0, ROW, MPI_COMM_WORLD);
  return 0;
}

int ranks_follow(epi_sweep *s)
{
  int bad = 0;
  keeps = epi_sweep_keeps(s);
  post = need(row_size(s));
  for (long long chunk[2]; ;) {
    MPI_Send(NULL, 0, MPI_BYTE, 0, ASK, MPI_COMM_WORLD);
    MPI_Recv(chunk, 2, MPI_LONG_LONG, 0, GIVE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (chunk[0] < 0) break;
    for (long long i = 0; i < chunk[1] && !bad; i++) bad = epi_sweep_one(s, chunk[0] + i, send_row);
  }
  free(post);
  return bad ? FAILED : DONE;
}
