/* watched.c - the flow with the watches of its recorder around it: rows at their times, and a beat after every step; and one inside a flow
 * that has its steps in a time of its own */
#include "recorder.h"
#include "epicycle/term.h"
#include "inspect.h"
#include "registry.h"
#include "wrap/watch.h"

/* ---- what the watches do ---- */
static int unbroken(const epi_recorder *a, const epi_state *s)
{
  double sum = 0;
  for (int i = 0; i < epi_size(&a->c->system); i++) sum += 0*s->y[i];
  return sum == 0;
}

/* steps that are chosen, for their picture */
static void keep_step(epi_result *r, double t)
{
  if (r->chosen.x && t > r->step_from) epi_reel_add(&r->chosen, (const double[]){t, t - r->step_from});
  r->step_from = t;
}

/* of a flow that steps in a time of its own only their number is seen from outside: their mean length since the last look */
static void keep_mean_step(epi_recorder *a, double t)
{
  epi_result *r = a->r;
  if (!r->chosen.x || a->adaptive || a->inside) return;
  epi_choice now = epi_choice_of(a->tree);
  if (!(now.longest > 0) || now.steps <= a->counted || !(t > r->step_from)) return;
  epi_reel_add(&r->chosen, (const double[]){t, (t - r->step_from)/(double)(now.steps - a->counted)});
  r->step_from = t;
  a->counted = now.steps;
}

/* the last row is written at the end itself; a state that broke is for the flow to report */
static int row(void *data, const epi_system *sys, epi_state *s)
{
  epi_recorder *a = data;
  (void)sys;
  /* it is there already where the step that it is inside was undone and taken again */
  if (a->r->rows && s->t <= a->r->row[0]) return 0;
  /* a step that was interrupted begins again: the rows inside it are there */
  int bad = s->t >= a->end - 1e-6*a->every || s->t <= a->r->row[0] || !unbroken(a, s) ? 0 : epi_recorder_row(a, s);
  if (bad != EPI_INTERRUPTED) keep_mean_step(a, s->t);
  return bad;
}

/* a state that broke is not told of */
static void look_at_invariants(epi_recorder *a, const epi_state *s)
{
  double x = 2*(s->t - a->start)/(a->end - a->start) - 1;
  const epi_observable *o = a->c->model->observables;
  for (int i = 0, k = 0; i < a->r->nobs; i++)
    if (o[i].invariant) {
      epi_invariant *d = &a->r->invariant[k++];
      d->error = epi_observe(a->c, &o[i], s) - d->start;
      if (!isfinite(d->error) && !unbroken(a, s)) return;
      epi_ledger_add(&d->ledger, x, d->error);
    }
}

/* where steps are few enough to be kept, pictures have them all; when they become too many, the rows alone */
static int is_fine(epi_recorder *a)
{
  epi_result *r = a->r;
  if (!a->fine) return 0;
  if (r->steps + r->rows < r->kept.most) return 1;
  if (r->kept.rows > r->rows) epi_reel_coarsen(&r->kept, a->start, a->every);
  return 0;
}

/* for pictures: what columns do between two rows. A row that was written here has been seen already */
static void look_between(epi_recorder *a, const epi_state *s)
{
  epi_result *r = a->r;
  const epi_observable *o = a->c->model->observables;
  int n = epi_size(&a->c->system);
  if (s->t == r->row[0] || !unbroken(a, s)) return;
  /* the last row comes at its end */
  if (a->fine && s->t >= a->end) return;
  int fine = is_fine(a);
  if (!fine) epi_reel_looked(&r->kept, s->t, s->y, n);
  /* multiples of the golden ratio come near to no fraction */
  if ((unsigned)r->steps*2654435769u > a->share) { epi_reel_look(&r->kept, s->y, 1, n); return; }
  a->swing[0] = s->t;
  memcpy(a->swing + 1, s->y, (size_t)n*sizeof *s->y);
  for (int i = 0; i < r->nobs; i++) a->swing[1 + n + i] = epi_observe(a->c, &o[i], s);
  /* steps that are chosen follow the motion, where rows are few: they are the rows of pictures */
  if (fine) { epi_reel_add(&r->kept, a->swing); return; }
  epi_reel_look(&r->kept, a->swing, 0, 1 + n + r->nobs);
  epi_reel_draw(&r->kept, a->swing, 1 + n + r->nobs, r->steps);
}

/* inside a density at the steps themselves: what stands between them is of the output. One that is taken again was seen */
static int look(void *data, const epi_system *sys, epi_state *s)
{
  epi_recorder *a = data;
  (void)sys;
  if (s->t <= a->r->step_from) return 0;
  look_at_invariants(a, s);
  keep_step(a->r, s->t);
  return 0;
}

int epi_recorder_beat(epi_recorder *a, epi_state *s, long steps)
{
  a->r->steps += steps;
  epi_case_moved_by(a->c, a->tree);
  /* what is stopped on its way looks at the step when it is taken again */
  if ((a->r->steps >= a->wake || s->t >= a->wake_at) && epi_inspector_step(a->inspector, a, s))
    return a->r->steps -= steps, EPI_INTERRUPTED;
  if (a->adaptive) keep_step(a->r, s->t);
  if (a->r->kept.x) look_between(a, s);
  if (!a->inside && a->r->steps % a->r->stride == 0) look_at_invariants(a, s);
  return a->ask.beat ? a->ask.beat(a->ask.data, a->r, s) : 0;
}

static int beat(void *data, const epi_system *sys, epi_state *s) { return (void)sys, epi_recorder_beat(data, s, 1); }

int epi_recorder_shown(epi_recorder *a, epi_state *s) { return row(a, NULL, s); }

/* ---- where the watches go ---- */
/* around the whole, or around the kid of a root that is watched from inside */
/* where the rows are, as watch has it (many times: the first of them); new memory, NULL: out of it */
static char *around_rows(const epi_recorder *a)
{
  const epi_run_options *ask = &a->ask;
#define AROUND(HOW) "watch(watch(_, see=" EPI_SEE_ROW ", " HOW "), see=" EPI_SEE_BEAT ")"
  if (ask->places > 0) return epi_printed(AROUND("places=%d"), ask->places);
  if (ask->ntimes) return epi_printed(AROUND("times=[%s]"), epi_shortest(ask->times[0]).text);
  return epi_printed(AROUND("every=%s"), epi_shortest(a->every).text);
}

/* the text with the watches in it. A root with a tolerance takes its own steps: all is seen from inside; so are the steps of a density,
   whose answers at the times asked for are no part of its run */
static int watch(epi_recorder *a, epi_term *t)
{
  const unsigned traits = epi_term_inside(t) ? epi_traits_of(epi_record_among(a->c->parts, t->name)) : 0;
  a->adaptive = (traits & EPI_ROWS_INSIDE) != 0;
  a->inside = (traits & EPI_LOOKS_INSIDE) != 0;
  if (a->inside && epi_term_wrap(epi_term_inside(t), "watch(_, see=" EPI_SEE_LOOK ")")) return -1;
  char *around = around_rows(a);
  int bad = !around || epi_term_wrap(a->adaptive ? epi_term_inside(t) : t, around);
  free(around);
  return bad ? -1 : 0;
}

static char *with_watches(epi_recorder *a, const char *text)
{
  char error[EPI_SENTENCE_SIZE], *out = NULL;
  epi_term *t = epi_term_read(text, error, sizeof error);
  if (t && !watch(a, t) && (out = malloc(epi_term_text(t, NULL, 0) + 1))) epi_term_text(t, out, epi_term_text(t, NULL, 0) + 1);
  epi_term_free(t);
  return out;
}

epi_flow *epi_recorder_flow(epi_recorder *a)
{
  char *all = with_watches(a, a->given);
  int n = 0;
  while (a->c->parts && a->c->parts[n].name) n++;
  epi_name *names = calloc((size_t)n + 4, sizeof *names);
  epi_flow *f = NULL;
  if (all && names) {
    if (n) memcpy(names, a->c->parts, (size_t)n*sizeof *names);
    names[n] = (epi_name){.name = EPI_SEE_ROW, .see = row, .data = a};
    names[n + 1] = (epi_name){.name = EPI_SEE_BEAT, .see = beat, .data = a};
    names[n + 2] = (epi_name){.name = EPI_SEE_LOOK, .see = look, .data = a};
    f = epi_make_named(all, names);
    if (a->ask.ntimes && !epi_error(f) && epi_watch_at(f, EPI_SEE_ROW, a->ask.times, a->ask.ntimes)) { epi_free(f); f = NULL; }
  }
  free(all);
  free(names);
  return f;
}
