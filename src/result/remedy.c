/* remedy.c - the step that a warning names: the same run is made with it, and has no warning */
#include "inspect.h"

/* evaluations of all such runs together, times the square of the number of unknowns; and how much shorter each step is than the last */
enum { ROOM = 16000000, APART = 3 };

/* one digit, as it is printed */
static double printed(double h)
{
  char text[40];
  snprintf(text, sizeof text, "%.1g", h);
  return strtod(text, NULL);
}

/* functions of the user's are not called again, and what has a state of its own would not be the same run */
static int can_be_tried(const epi_recorder *a)
{
  for (const epi_name *n = a->c->parts; n && n->name; n++) if (n->see || n->flow) return 0;
  return !a->tries && !a->adaptive && !a->own_clock && !epi_asked_to_stop(a->tree);
}

static double find(epi_recorder *a, double guess)
{
  const double n = epi_dim(&a->c->system), each = (double)epi_calls(a->tree)*a->step/(a->end - a->start);
  double left = ROOM/(n*n);
  if (!can_be_tried(a)) return NAN;
  for (double h = printed(guess);; h = printed(h/APART)) {
    left -= fmax(1, each)*(a->end - a->start)/h;
    if (!(left > 0) || epi_asked_to_stop(a->tree)) return NAN;
    if (a->is_enough(a, h)) return h;
  }
}

const char *epi_recorder_remedy(epi_recorder *a, double guess)
{
  if (!a->remedy[0]) {
    const double h = find(a, fmin(guess, 0.7*a->step));
    if (isnan(h)) snprintf(a->remedy, sizeof a->remedy, "take a far shorter step, or tolerance(...)");
    else snprintf(a->remedy, sizeof a->remedy, "take a step of %.1g or less, or tolerance(...)", h);
  }
  return a->remedy;
}
