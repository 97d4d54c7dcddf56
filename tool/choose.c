/* choose.c - a flow for --tol: chosen, said, and told as a table by check */
#include "tool.h"
#include "epicycle/choose.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Ctrl-C ends the trying too */
static int choose(epi_case *c, epi_chosen *a)
{
  int shows = clock_terminal(stderr);
  if (shows) fputs("choosing a flow ...", stderr);
  clock_catch();
  clock_stops_choice(a);
  int bad = epi_choose(c, a);
  clock_stops_choice(NULL);
  if (shows) fputs("\r\033[K", stderr);
  return bad;
}

/* a flow whose steps are not those of the rows has one for every row */
static double step_for(const plan *p, const epi_chosen *a, double span)
{
  if (!strncmp(a->flow, "tolerance(", 10)) return NAN;
  return p->every > 0 ? p->every : span/500;
}

int plan_choose(plan *p, epi_case *c)
{
  epi_chosen a = {.tol = p->tol, .end = isnan(p->end) ? c->end : p->end};
  int bad = choose(c, &a);
  if (bad == EPI_STOPPED) return say(INTERRUPTED, "stopped while a flow was chosen: nothing was run");
  /* what fails on its way is run up to there: its rows show what happened */
  if (bad && !a.breaks) return say(REFUSED, "%s", a.error);
  p->flow = text("%s", a.flow);
  if (isnan(p->step)) p->step = step_for(p, &a, a.end - c->t);
  free(p->chosen);
  p->chosen = NULL;
  if (bad) return 0;
  p->chosen = text("chosen for %g: error about %.2g, from two solutions at 16 times; %ld evaluations to find out", a.tol, a.found, a.spent);
  return 0;
}

static void tell(const epi_chosen *a, const char *model)
{
  int w = 4;
  for (int i = 0; i < a->ways; i++) if ((int)strlen(a->way[i].flow) > w) w = (int)strlen(a->way[i].flow);
  printf("model  %s\nto     t = %s, right to %g\n", model, shortest(a->end).text, a->tol);
  if (a->turns > 0) printf("phase  turns %.6g times in this run\n", a->turns);
  if (a->scales[0]) printf("scales %s\n", a->scales);
  printf("\n  %-*s  evaluations\n", w, "flow");
  for (int i = 0; i < a->ways; i++) {
    const epi_way *x = &a->way[i];
    if (isnan(x->calls)) printf("  %-*s  %s\n", w, x->flow, x->why);
    else printf("  %-*s  %.3g%s%s\n", w, x->flow, x->calls, x->why[0] ? " " : "", x->why[0] ? x->why : i ? " by a part of the run" : "");
  }
  if (a->slow) printf("\nrows   %s\n", a->left_out);
  printf("\nchosen %s\nerror  about %.2g at t = %.4g, from two solutions at 16 times\n", a->flow, a->found, a->at);
}

static void tell_json(const epi_chosen *a, const char *model)
{
  fputs("{\n  \"model\": ", stdout);
  json_text(stdout, model);
  const struct { const char *key; double x; } all[] = {{"end", a->end}, {"tol", a->tol}, {"turns", a->turns}, {"error", a->found},
                                                       {"at", a->at}, {"spent", (double)a->spent}};
  for (size_t i = 0; i < sizeof all/sizeof *all; i++) {
    printf(",\n  \"%s\": ", all[i].key);
    json_number(stdout, all[i].x);
  }
  fputs(",\n  \"flow\": ", stdout);
  json_text(stdout, a->flow);
  fputs(",\n  \"ways\": [", stdout);
  for (int i = 0; i < a->ways; i++) {
    printf("%s\n    {\"flow\": ", i ? "," : "");
    json_text(stdout, a->way[i].flow);
    fputs(", \"evaluations\": ", stdout);
    json_number(stdout, a->way[i].calls);
    fputs(", \"why_not\": ", stdout);
    json_text(stdout, isnan(a->way[i].calls) ? a->way[i].why : NULL);
    putchar('}');
  }
  fputs("\n  ]\n}\n", stdout);
}

int check_tolerance(epi_case *c, const char *model, double tol, double end, int json)
{
  epi_chosen a = {.tol = tol, .end = end};
  int bad = choose(c, &a);
  if (bad == EPI_STOPPED) return say(INTERRUPTED, "stopped while a flow was chosen");
  if (bad) return say(REFUSED, "%s", a.error);
  (json ? tell_json : tell)(&a, model);
  return 0;
}
