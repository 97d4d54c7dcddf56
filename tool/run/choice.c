/* choice.c - how the flow of a run was chosen: told after it, as a table, and kept in its checkpoint */
#include "tool.h"
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- told ---- */
void choice_print(const epi_chosen *a, const plan *p, FILE *f)
{
  fprintf(f, "chosen for %g%s: error about %.2g, from two solutions; %ld evaluations to find out\n", a->tol,
          p->setup.unasked ? ", which is asked of a run that says nothing" : "", a->found, a->spent);
  if (a->reason[0]) fprintf(f, "because %s\n", a->reason);
  if (a->said[0]) fprintf(f, "to be known: %s\n", a->said);
  if (a->slow_part) fputs("all of the motion: --full\n", f);
  fprintf(f, "the same again: --flow '%s' --step %s\n", a->flow, shortest(p->setup.step).text);
}

static void print_scales(const epi_chosen *a, FILE *f)
{
  const double turn = 6.283185307179586;
  fputs("\nscales\n", f);
  if (a->turns > 0) fprintf(f, "  fast phase           period %.6g, turns %.6g times in this run\n", a->period, a->turns);
  if (a->fastest > 0) fprintf(f, "  fastest oscillation  period %.6g, w = %.6g, of small motions at the start\n", turn/a->fastest,
                              a->fastest);
  if (a->scales[0]) fprintf(f, "  %s\n", a->scales);
  if (isfinite(a->slow)) fprintf(f, "  motion               changes by its own size in %.3g\n", a->slow);
  if (a->longest > 0 && !(a->turns > 0))
    fprintf(f, "  steps                up to %.3g: what a force of time does in less may be passed over\n", a->longest);
}

static int flow_width(const epi_chosen *a)
{
  int w = 4;
  for (int i = 0; i < a->ways; i++) if ((int)strlen(a->way[i].flow) > w) w = (int)strlen(a->way[i].flow);
  return w;
}

/* what was measured stands first, what was predicted from a part of the run after it */
void choice_table(const epi_chosen *a, FILE *f)
{
  int w = flow_width(a);
  print_scales(a, f);
  fprintf(f, "\n%s  %-*s  evaluations  seconds   error%s\n", ink(f, BOLD), w, "flow", ink(f, PLAIN));
  for (int i = 0; i < a->ways; i++) {
    const epi_way *x = &a->way[i];
    if (isnan(x->calls)) fprintf(f, "  %-*s  %s\n", w, x->flow, x->why);
    else if (x->why[0]) fprintf(f, "  %-*s  %-11.3g  %-8.2g  %s\n", w, x->flow, x->calls, x->seconds, x->why);
    else if (x->note[0]) fprintf(f, "  %-*s  %-11.3g  %-8.2g  %s\n", w, x->flow, x->calls, x->seconds, x->note);
    else if (i) fprintf(f, "  %-*s  %-11.3g  %-8.2g  aims at %g, by a part of the run\n", w, x->flow, x->calls, x->seconds, a->tol);
    else fprintf(f, "  %-*s  %-11.3g  %-8.2g  about %.2g, by the whole run\n", w, x->flow, x->calls, x->seconds, a->found);
  }
  fprintf(f, "\nchosen %s\n", a->flow);
  if (a->reason[0]) fprintf(f, "why    %s\n", a->reason);
  if (a->said[0]) fprintf(f, "note   %s\n", a->said);
  fprintf(f, "error  about %.2g at t = %.4g, from two solutions; %ld evaluations to find out\n", a->found, a->at, a->spent);
}

/* a number of a trace, or nothing */
static const char *cell(double x, const char *format, char *room, size_t size)
{
  snprintf(room, size, isfinite(x) ? format : "", x);
  return room;
}

void choice_trace(const epi_chosen *a, FILE *f)
{
  fprintf(f, "\n%s  %-19s  %-18s  %-9s  %-8s  %-11s  cause%s\n", ink(f, BOLD), "trace", "candidate", "tolerance", "error", "evaluations",
          ink(f, PLAIN));
  for (int i = 0; i < a->traced; i++) {
    const epi_traced *x = &a->trace[i];
    const char *cause = epi_cause_word(x->cause);
    char tol[32], error[32];
    fprintf(f, "  %-19s  %-18s  %-9s  %-8s  %-11.0f  %s\n", x->what, x->candidate ? x->candidate : "",
            cell(x->tol, "%.3g", tol, sizeof tol), cell(x->error, "%.2g", error, sizeof error), x->calls, cause ? cause : "");
  }
}

/* ---- in a checkpoint ---- */
typedef struct figure { const char *key; size_t at; } figure;
static const figure figures[] = {
  {"choice-x.tol", offsetof(epi_chosen, tol)}, {"choice-x.end", offsetof(epi_chosen, end)}, {"choice-x.found", offsetof(epi_chosen, found)},
  {"choice-x.longest", offsetof(epi_chosen, longest)}, {"choice-x.observed", offsetof(epi_chosen, observed)},
  {"choice-x.observed-at", offsetof(epi_chosen, observed_at)},
  {"choice-x.at", offsetof(epi_chosen, at)}, {"choice-x.turns", offsetof(epi_chosen, turns)},
  {"choice-x.period", offsetof(epi_chosen, period)},
  {"choice-x.fastest", offsetof(epi_chosen, fastest)}, {"choice-x.slow", offsetof(epi_chosen, slow)},
};
enum { FIGURES = sizeof figures/sizeof *figures };

/* NaN and infinity are left out: what is not there is not known */
static char *add_figure(char *n, const char *key, double x) { return isfinite(x) ? notes_add_number(n, key, x) : n; }

char *choice_note(char *n, const epi_chosen *a)
{
  char key[40];
  if (!a) return n;
  n = notes_add(n, "choice.flow", a->flow);
  n = notes_add(n, "choice.reason", a->reason);
  n = notes_add(n, "choice.scales", a->scales[0] ? a->scales : NULL);
  n = notes_add(n, "choice.observable", a->observed > 0 ? a->observable : NULL);
  n = notes_add_number(n, "choice-x.slow-part", a->slow_part);
  n = notes_add_number(n, "choice-x.spent", (double)a->spent);
  for (int i = 0; i < FIGURES; i++) n = add_figure(n, figures[i].key, *(const double *)((const char *)a + figures[i].at));
  for (int i = 0; i < a->ways; i++) {
    const epi_way *w = &a->way[i];
    const struct { const char *what, *words; } all[] = {{"flow", w->flow}, {"why", w->why}, {"note", w->note}};
    for (int k = 0; k < 3; k++) {
      snprintf(key, sizeof key, "choice.%d.%s", i, all[k].what);
      n = notes_add(n, key, all[k].words);
    }
    const struct { const char *what; double x; } numbers[] = {{"calls", w->calls}, {"seconds", w->seconds}, {"averages", w->averages}};
    for (int k = 0; k < 3; k++) {
      snprintf(key, sizeof key, "choice-x.%d.%s", i, numbers[k].what);
      n = add_figure(n, key, numbers[k].x);
    }
  }
  return n;
}

static void recall_words(const char *notes, const char *key, char *to, size_t size)
{
  char *words = notes_find(notes, key);
  snprintf(to, size, "%s", words ? words : "");
  free(words);
}

static int recall_way(const char *notes, int i, epi_way *w)
{
  char key[40];
  snprintf(key, sizeof key, "choice.%d.flow", i);
  recall_words(notes, key, w->flow, sizeof w->flow);
  snprintf(key, sizeof key, "choice.%d.why", i);
  recall_words(notes, key, w->why, sizeof w->why);
  snprintf(key, sizeof key, "choice.%d.note", i);
  recall_words(notes, key, w->note, sizeof w->note);
  snprintf(key, sizeof key, "choice-x.%d.calls", i);
  w->calls = notes_number(notes, key, NAN);
  snprintf(key, sizeof key, "choice-x.%d.seconds", i);
  w->seconds = notes_number(notes, key, NAN);
  snprintf(key, sizeof key, "choice-x.%d.averages", i);
  w->averages = notes_number(notes, key, 0) > 0;
  return w->flow[0] != 0;
}

epi_chosen *choice_recall(const char *notes)
{
  char *flow = notes_find(notes, "choice.flow");
  if (!flow) return NULL;
  free(flow);
  epi_chosen *a = need(sizeof *a);
  const int most = sizeof a->way/sizeof *a->way;
  recall_words(notes, "choice.flow", a->flow, sizeof a->flow);
  recall_words(notes, "choice.reason", a->reason, sizeof a->reason);
  recall_words(notes, "choice.scales", a->scales, sizeof a->scales);
  recall_words(notes, "choice.observable", a->observable, sizeof a->observable);
  a->slow_part = notes_number(notes, "choice-x.slow-part", 0) > 0;
  double spent = notes_number(notes, "choice-x.spent", 0);
  a->spent = spent > 0 && spent < 1e18 ? (long)spent : 0;
  for (int i = 0; i < FIGURES; i++) *(double *)((char *)a + figures[i].at) = notes_number(notes, figures[i].key, NAN);
  while (a->ways < most && recall_way(notes, a->ways, &a->way[a->ways])) a->ways++;
  return a;
}
