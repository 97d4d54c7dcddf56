/* tune.c - boxes let nothing through of an oscillation whose period is so many micro-steps of verlet, but of another they do, by a power of
 * what its phase is off by: the rate must be known well. It is found from the force where nobody gave it, at the start and now and then,
 * and where it was given it is compared with what is found */
#include "tune.h"
#include "mode.h"

enum { NOW_AND_THEN = 32 };            /* windows from one look to the next */

/* what the window, made for one rate, lets through of another */
static double leak_of(const epi_window *w, double made, double rate)
{
  double half = w->direct ? asin(fmin(1, sin(EPI_PI/w->steps)*rate/made)) : EPI_PI/w->steps*rate/made, sum = w->mean0;
  for (int k = 0; k < w->m[0]; k++) sum += 2*w->mean[0][k]*cos(2*(k + 1)*half);
  return fabs(sum);
}

static int off(epi_flow *f, double t, double made, double rate)
{
  const epi_window *w = f->own;
  double leak = leak_of(w, made, rate);
  static const char *const fix = "leave period out, so that it is found";
  if (leak*rate > 5e-3)
    return epi_fail(f, EPI_WRONG, "hmm: at t = %.10g the fast period is %.10g, not %.10g, and this window lets %.1e of the fast force "
                    "through: %s, or take kernel=kaiser", t, 2*EPI_PI/rate, 2*EPI_PI/made, leak, fix);
  if (leak*rate*rate > 1)
    epi_warn(f, "hmm: at t = %.10g the fast period is %.10g, not %.10g, and what is off the slow manifold oscillates about it at %.2g rad "
             "per unit of time: %s, or take kernel=kaiser", t, 2*EPI_PI/rate, 2*EPI_PI/made, rate*sqrt(leak), fix);
  return 0;
}

/* later looks see stages of macro-steps, which may be somewhat off the slow manifold, where a hard spring pulls sideways too */
static int second(epi_flow *f, double t, double rate, double next, int first)
{
  static const char *const remedy = "take kernel=kaiser, or project(...) around the flow if the start is off the slow manifold";
  double ratio = rate/next;
  if (!(next > (first ? 0.05 : 0.15)*rate)) return 0;
  if (first)
    return epi_fail(f, EPI_WRONG, "hmm: this window is for one fast oscillation, and at t = %.10g there is a second one: of %.6g and %.6g "
                    "rad per unit of time, %.3g to 1%s; %s", t, rate, next, ratio,
                    ratio > 1.5 && ratio < 6 && fabs(ratio - round(ratio)) < 0.03 ? ", near a resonance" : "", remedy);
  epi_warn(f, "hmm: this window is for one fast oscillation, and at t = %.10g there is a second one: of %.6g and %.6g rad per unit of "
           "time; %s", t, rate, next, remedy);
  return 0;
}

int epi_tune(epi_flow *f, double t, const double *q, int judge, double *work)
{
  const epi_window *w = f->own;
  double *kept = w->rate;
  int alone, first = !(kept[TUNED_RATE] > 0), bad = 0;
  if (!first && ++kept[TUNED_SINCE] < NOW_AND_THEN) return 0;
  epi_mode_question a = {.of = f->kid[0], .t = t, .q = q, .work = work};
  double rate = epi_mode_fastest(&a, &alone), made = w->period > 0 ? 2*EPI_PI/w->period : first ? rate : kept[TUNED_RATE];
  if (isnan(rate)) return EPI_TOO_FAR;
  if (!(rate > 0))
    return epi_fail(f, EPI_WRONG, "hmm: at t = %.10g nothing pulls back to where the state is, and this window needs a fast oscillation: "
                    "take kernel=kaiser, or integrate directly", t);
  kept[TUNED_SINCE] = 0;
  if (judge) bad = second(f, t, rate, alone ? epi_mode_next(&a, rate, first ? 3 : 2) : rate, first);
  if (judge && !bad && w->period > 0) bad = off(f, t, made, rate);
  if (bad) { kept[TUNED_RATE] = 0; return bad; }
  /* as long as it fits it stays, bit by bit */
  if (!(w->period > 0) && leak_of(w, made, rate)*rate*rate > 1e-4) made = rate;
  kept[TUNED_RATE] = made;
  return 0;
}
