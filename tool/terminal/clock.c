/* clock.c - time, terminals and the wish to stop */
#include "terminal.h"
#include <signal.h>
#include <time.h>
#include <unistd.h>

/* what a signal handler may write to, the process it may end, and the run it may stop */
static volatile sig_atomic_t interrupted, wish, unread, ward;
static epi_result *volatile under_way;
static epi_chosen *volatile choosing;

/* twice is what some senders do; three times is impatience */
static void note(int which)
{
  if (which == SIGPIPE) {
    unread = 1;
    return;
  }
  interrupted = interrupted + 1;
  wish = which;
  if (under_way) epi_result_stop(under_way);
  if (choosing) epi_choose_stop(choosing);
  if (interrupted < 3) return;
  if (ward) kill((pid_t)ward, SIGKILL);
  signal(which, SIG_DFL);
  raise(which);
}

static const int wishes[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
enum { NWISH = sizeof wishes/sizeof *wishes };

void clock_catch(void)
{
  struct sigaction a = {.sa_handler = note, .sa_flags = SA_RESTART}, now;
  sigemptyset(&a.sa_mask);
  /* what the caller chose to ignore (nohup) stays ignored */
  for (size_t i = 0; i < NWISH; i++)
    if (!sigaction(wishes[i], NULL, &now) && now.sa_handler != SIG_IGN) sigaction(wishes[i], &a, NULL);
}

void clock_release(void)
{
  struct sigaction now;
  for (size_t i = 0; i < NWISH; i++)
    if (!sigaction(wishes[i], NULL, &now) && now.sa_handler == note) signal(wishes[i], SIG_DFL);
  if (interrupted) raise(wish);
}

int clock_unread(void) { return unread; }

void clock_leave_unread(void)
{
  signal(SIGPIPE, SIG_DFL);
  raise(SIGPIPE);
}

/* what came before is heard too */
void clock_stops(epi_result *r)
{
  under_way = r;
  if (r && interrupted) epi_result_stop(r);
}

void clock_ends(void)
{
  epi_result *r = under_way;
  under_way = NULL;
  if (r) epi_result_end(r, EPI_STOPPED);
}

void clock_stops_choice(epi_chosen *a)
{
  choosing = a;
  if (a && interrupted) epi_choose_stop(a);
}

void clock_ward(int child) { ward = child; }

int clock_interrupted(void) { return interrupted; }

double clock_now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9*(double)t.tv_nsec;
}

int clock_terminal(FILE *f) { return isatty(fileno(f)); }
