/* process.c - code of the user's runs in a process of its own: a crash, an abort, an exit, a full stack or a hang ends that process alone
 *
 * What the child computes lies in memory that both see, pages of one file without a name: where it stops, for whatever reason, this is
 * what there is. It says itself that it came to its end; whoever has not said so has crashed. */
#include "tool.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BLOCKS = 3 };

/* the first page of the file, seen by both */
typedef struct envelope {
  volatile int finished, reacted, handed;
  int code, n;
  struct { long long at; size_t size; } block[BLOCKS];
  char said[8192];
} envelope;

struct process {
  int file, line;                      /* line: to the other side, a word at a time */
  envelope *e;
  void *block[BLOCKS];
};

static size_t whole_pages(size_t size)
{
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  return (size + page - 1)/page*page;
}

process *process_new(void)
{
  const char *tmp = getenv("TMPDIR");
  char *path = text("%s/epicycle-XXXXXX", tmp && *tmp ? tmp : "/tmp");
  process *p = need(sizeof *p);
  size_t size = whole_pages(sizeof *p->e);
  /* no signal comes between its name and the end of it */
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &before);
  p->file = mkstemp(path);
  if (p->file >= 0) remove(path);
  sigprocmask(SIG_SETMASK, &before, NULL);
  p->e = p->file < 0 || ftruncate(p->file, (off_t)size) ? MAP_FAILED : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, p->file, 0);
  if (p->e == MAP_FAILED) {
    say(FAILED, "cannot make a file in %s to share results: %s; set TMPDIR to a place with room", tmp && *tmp ? tmp : "/tmp",
        strerror(errno));
    p->e = NULL;
    process_free(p);
    p = NULL;
  }
  free(path);
  return p;
}

/* of a file the first pages are the envelope, every block begins on a page of its own */
void *process_room(process *p, size_t size)
{
  envelope *e = p->e;
  long long at = (long long)whole_pages(sizeof *e);
  for (int i = 0; i < e->n; i++) at = e->block[i].at + (long long)whole_pages(e->block[i].size);
  if (e->n == BLOCKS || ftruncate(p->file, (off_t)(at + (long long)whole_pages(size)))) return NULL;
  void *room = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, p->file, (off_t)at);
  if (room == MAP_FAILED) return NULL;
  e->block[e->n].at = at;
  e->block[e->n].size = size;
  e->n++;
  return room;
}

void *process_block(const process *p, int i) { return p->block[i]; }

void process_reacted(process *p) { if (p) p->e->reacted = 1; }

void process_free(process *p)
{
  if (!p) return;
  for (int i = 0; i < BLOCKS; i++) if (p->block[i]) munmap(p->block[i], p->e->block[i].size);
  if (p->e) munmap(p->e, whole_pages(sizeof *p->e));
  if (p->file >= 0) close(p->file);
  free(p);
}

/* ---- the child ---- */
static const struct { int which; const char *name; } crashes[] = {
  {SIGSEGV, "segmentation fault"}, {SIGBUS, "bus error"}, {SIGFPE, "arithmetic fault"}, {SIGILL, "illegal instruction"}, {SIGABRT, "abort"},
  {SIGKILL, "it was killed"},
};
enum { NCRASH = sizeof crashes/sizeof *crashes };

/* whoever kills the command means this process too */
static void end_with(pid_t parent)
{
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  if (getppid() != parent) _exit(FAILED);
}

static void act_and_end(process *p, int (*act)(void *), void *data)
{
  /* a crash is told by the signal, whoever caught it before */
  for (int i = 0; i < NCRASH; i++) if (crashes[i].which != SIGKILL) signal(crashes[i].which, SIG_DFL);
  int code = act(data);
  snprintf(p->e->said, sizeof p->e->said, "%s", sentences());
  p->e->code = code;
  fflush(NULL);
  if (clock_unread()) clock_leave_unread();
  p->e->finished = 1;
  _exit(DONE);
}

int process_hand_over(process *p, int code)
{
  char answer = 0;
  ssize_t n;
  snprintf(p->e->said, sizeof p->e->said, "%s", sentences());
  p->e->code = code;
  fflush(NULL);
  if (send(p->line, "", 1, MSG_NOSIGNAL) != 1) _exit(FAILED);
  while ((n = recv(p->line, &answer, 1, 0)) < 0 && errno == EINTR) continue;
  /* nobody is there any more */
  if (n != 1) _exit(FAILED);
  return answer;
}

/* ---- this side ---- */
/* the pages belong to this process from here on: what is made right in them is no matter of the file */
static void take_blocks(process *p)
{
  for (int i = 0; i < p->e->n && i < BLOCKS; i++) {
    if (p->block[i]) continue;
    p->block[i] = mmap(NULL, p->e->block[i].size, PROT_READ | PROT_WRITE, MAP_PRIVATE, p->file, (off_t)p->e->block[i].at);
    if (p->block[i] == MAP_FAILED) p->block[i] = NULL;
  }
}

/* what the child handed over is looked at here, while it waits */
static void receive(process *p, int (*midway)(void *), void *data)
{
  char word;
  if (recv(p->line, &word, 1, 0) != 1) return;
  p->e->handed = 1;
  take_blocks(p);
  sentences_take(p->e->said);
  word = (char)midway(data);
  /* whether it is still there shows when it is waited for */
  send(p->line, &word, 1, MSG_NOSIGNAL);
}

/* until the child has ended; after a wish to stop it has two seconds to react. 1: it was ended from here */
static int wait_for(process *p, pid_t child, int (*midway)(void *), void *data, int *status)
{
  double told = 0;
  int killed = 0;
  for (;;) {
    struct pollfd there = {.fd = p->line, .events = POLLIN};
    /* the other end closes with the child; what the child may have started can keep it open, so the time is limited */
    int n = poll(&there, 1, 50);
    if (n > 0 && there.revents & POLLIN) receive(p, midway, data);
    pid_t who = waitpid(child, status, WNOHANG);
    if (who == child || (who < 0 && errno != EINTR)) return killed;
    if (clock_interrupted() && told == 0) {
      told = clock_now();
      kill(child, SIGTERM);
    }
    if (told > 0 && !p->e->reacted && clock_now() - told > 2) {
      kill(child, SIGKILL);
      killed = 1;
    }
  }
}

static const char *how_it_ended(int status)
{
  if (!WIFSIGNALED(status)) return "it called exit()";
  for (int i = 0; i < NCRASH; i++) if (crashes[i].which == WTERMSIG(status)) return crashes[i].name;
  return "a signal ended it";
}

outcome process_run(process *p, int (*act)(void *), int (*midway)(void *), void *data)
{
  int ends[2], status = 0;
  *p->e = (envelope){0};
  clock_catch();
  fflush(NULL);
  pid_t here = getpid(), child = socketpair(AF_UNIX, SOCK_STREAM, 0, ends) ? -1 : fork();
  if (child < 0) return (outcome){.code = say(FAILED, "cannot start a process for the model: %s", strerror(errno))};
  p->line = ends[child != 0];
  close(ends[child == 0]);
  if (!child) {
    end_with(here);
    act_and_end(p, act, data);
  }
  clock_ward((int)child);
  int killed = wait_for(p, child, midway, data, &status);
  clock_ward(0);
  close(p->line);
  take_blocks(p);
  /* nobody reads what it writes: nor what is written here */
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE) clock_leave_unread();
  if (p->e->finished) {
    if (!p->e->handed) sentences_take(p->e->said);
    return (outcome){.code = p->e->code};
  }
  return (outcome){.code = FAILED, .interrupted = killed || clock_interrupted(), .how = how_it_ended(status)};
}
