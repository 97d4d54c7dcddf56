/* progress.c - how far a long computation is: one line on the terminal of stderr, written over and over, wiped at the end */
#include "terminal.h"
#include <stdlib.h>
#include <string.h>

number duration(double seconds)
{
  number n;
  long s = seconds < 1e9 ? (long)(seconds + 0.5) : 1000000000;
  if (s < 60) snprintf(n.text, sizeof n.text, "%ld s", s);
  else if (s < 3600) snprintf(n.text, sizeof n.text, "%ld min %02ld s", s/60, s%60);
  else snprintf(n.text, sizeof n.text, "%ld h %02ld min", s/3600, s%3600/60);
  return n;
}

progress progress_begin(const char *what, const char *kind, int total)
{
  const char *term = getenv("TERM");
  int shows = clock_terminal(stderr) && !(term && !strcmp(term, "dumb"));
  return (progress){.what = what, .kind = kind, .total = total, .shows = shows, .began = clock_now()};
}

void progress_step(progress *p)
{
  double spent = clock_now() - p->began;
  int before = p->done++;
  if (!p->shows) return;
  fprintf(stderr, "\r\033[K%s: %d of %d %s", p->what, p->done, p->total, p->kind);
  /* the pace is known after the first second */
  if (before && spent > 1)
    fprintf(stderr, "   %.3g/s   %s left", before/spent, duration(spent*(p->total - before)/before).text);
  fflush(stderr);
}

void progress_wipe(const progress *p)
{
  if (p->shows) fputs("\r\033[K", stderr);
}
