/* crash.c - code of the user's that crashes, or ends the program, does not take finished results with it
 *
 * A signal of the kind that a wild pointer raises comes back here; what was computed is then finished and closed without calling that code
 * again. A second crash, while this is done, ends the process as it would have. */
#include "tool.h"
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

/* signals and exits know no arguments: this is the one place they can look at */
static struct { sigjmp_buf back; pthread_t thread; volatile sig_atomic_t armed, which; } guard;

static const struct { int which; const char *name; } crashes[] = {
  {SIGSEGV, "segmentation fault"}, {SIGBUS, "bus error"}, {SIGFPE, "arithmetic fault"}, {SIGILL, "illegal instruction"}, {SIGABRT, "abort"},
};
enum { NCRASH = sizeof crashes/sizeof *crashes };

static void jump(int which)
{
  guard.which = which;
  /* another thread has another stack: there is no way back from there */
  if (!guard.armed || !pthread_equal(pthread_self(), guard.thread)) _exit(FAILED);
  guard.armed = 0;
  siglongjmp(guard.back, 1);
}

void crash_disarm(void) { guard.armed = 0; }

/* exit() in the middle of a run ends that run */
static void leaving(void)
{
  if (!guard.armed) return;
  guard.armed = 0;
  guard.which = 0;
  atexit(leaving);
  siglongjmp(guard.back, 1);
}

static void catch(void)
{
  enum { ROOM = 65536 };
  static char room[ROOM];
  static int done;
  /* a stack that is full needs another one */
  stack_t stack = {.ss_sp = room, .ss_size = ROOM};
  struct sigaction a = {.sa_handler = jump, .sa_flags = SA_ONSTACK | SA_RESETHAND};
  sigaltstack(&stack, NULL);
  sigemptyset(&a.sa_mask);
  for (int i = 0; i < NCRASH; i++) sigaction(crashes[i].which, &a, NULL);
  if (!done++) atexit(leaving);
}

static void release(void)
{
  for (int i = 0; i < NCRASH; i++) signal(crashes[i].which, SIG_DFL);
}

int crash_guarded(int (*act)(void *), void *data, const char **how)
{
  *how = NULL;
  catch();
  if (!sigsetjmp(guard.back, 1)) {
    guard.thread = pthread_self();
    guard.armed = 1;
    int code = act(data);
    guard.armed = 0;
    release();
    return code;
  }
  release();
  *how = "it called exit()";
  for (int i = 0; i < NCRASH; i++) if (crashes[i].which == guard.which) *how = crashes[i].name;
  return FAILED;
}
