/* choose.c - how a run is made, in the words of this command; a flow for a tolerance: chosen with progress on the terminal, and told as a
 * table by check */
#include "tool.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- progress: one line on a terminal ---- */
typedef struct search { epi_chosen a; double began, shown; int shows; } search;      /* a: first, for it comes back as such */

static void show(const epi_chosen *a, const char *flow, double part, double done)
{
  search *s = (search *)a;
  double now = clock_now();
  if (!s->shows || now - s->shown < 0.2) return;
  s->shown = now;
  fprintf(stderr, "\r\033[Kchoosing a flow: %s %.40s   %3.0f %%   %s so far", part < 1 ? "trying" : "solving with", flow, 100*part*done,
          duration(now - s->began).text);
  fflush(stderr);
}

/* Ctrl-C ends the trying too */
static int find(void *data, epi_case *c, epi_chosen *a)
{
  const plan *p = data;
  search s = {.a = *a, .shows = !p->quiet && clock_terminal(stderr)};
  s.began = clock_now();
  s.a.tell = show;
  clock_catch();
  clock_stops_choice(&s.a);
  int bad = epi_choose(c, &s.a);
  clock_stops_choice(NULL);
  s.a.tell = NULL;
  if (!bad) epi_choose_fastest(c, &s.a);
  if (s.shows && s.shown > 0) fputs("\r\033[K", stderr);
  *a = s.a;
  return bad;
}

/* ---- what the command line says ---- */
int plan_overlay(plan *p, const request *r)
{
  const char *flow = given(r, "--flow");
  double tol;
  if (request_number(r, "--tol", NAN, &tol)) return REFUSED;
  if (flow && epi_setup_give_flow(&p->setup, flow)) no_room();
  if (!isnan(tol)) epi_setup_give_tol(&p->setup, tol);
  return 0;
}

int plan_motion(plan *p, const request *r)
{
  int full = given(r, "--full") != NULL, slow = given(r, "--slow") != NULL;
  if (full && slow) return say(REFUSED, "--full asks for all of the motion and --slow for a part of it: give one of them");
  if ((full || slow) && p->setup.flow)
    return say(REFUSED, "%s is for a flow that is chosen, and %s is given: leave one of them out", full ? "--full" : "--slow",
               p->setup.flow);
  if (full || slow) p->setup.motion = full ? EPI_FULL : EPI_SLOW;
  /* what oscillates is to be seen */
  else if (given(r, "--fast") && !p->setup.flow) p->setup.motion = EPI_FULL;
  return 0;
}

/* ---- what it does not say ---- */
static const epi_dialect words = {
  .tol = "--tol", .tolerance = "the tolerance", .flow = " with --flow", .step = " with --step", .end = " with --end", .unlimited = "--tol",
  .search = {"it", "it"}, .rows_between = 1
};

/* a world says what moves and not how; a model in C may leave that out */
static int says_nothing(const plan *p)
{
  return p->own && ((p->source && !load_names(p->source)) || (!p->own->flow && !(p->own->step > 0)));
}

int plan_chooses(const plan *p) { return epi_setup_needs_choice(&p->setup, says_nothing(p)); }
int plan_chooses_unasked(const plan *p) { return plan_chooses(p) && isnan(p->setup.tol); }

int plan_ends_early(double end, double start)
{
  char error[320];
  const epi_setup_context by = {.dialect = &words, .error = error, .size = sizeof error};
  return epi_setup_check_end(&by, end, start) ? say(REFUSED, "%s", error) : 0;
}

int plan_check_step(const plan *p)
{
  char error[320];
  const epi_setup_context by = {.dialect = &words, .error = error, .size = sizeof error};
  return epi_setup_check_step(&by, p->setup.step) ? say(REFUSED, "%s", error) : 0;
}

int plan_settle(plan *p, epi_case *c)
{
  char error[4096];
  const epi_setup_context by = {.dialect = &words, .model = p->model, .no_defaults = says_nothing(p), .search = find, .data = p,
                                .error = error, .size = sizeof error};
  int bad = epi_setup_complete(&p->setup, c, &by);
  if (bad > 0) no_room();
  if (bad == EPI_STOPPED) return say(INTERRUPTED, "stopped while a flow was chosen: nothing was run");
  return bad ? say(REFUSED, "%s", error) : 0;
}

/* ---- check ---- */
static void tell(const epi_chosen *a, const plan *p, int trace)
{
  printf("model  %s\nto     t = %s, right to %g%s\n", p->model, shortest(a->end).text, a->tol,
         p->setup.unasked ? ", where nothing else is said" : "");
  choice_table(a, stdout);
  if (trace) choice_trace(a, stdout);
}

static void tell_json(const epi_chosen *a, const char *model, int trace)
{
  fputs("{\n  \"model\": ", stdout);
  json_text(stdout, model);
  fputs(",\n", stdout);
  epi_chosen_json(a, stdout, "  ");
  if (trace) fputs(",\n  \"trace\": ", stdout), epi_trace_json(a, stdout, "  ");
  fputs("\n}\n", stdout);
}

int check_tolerance(plan *p, epi_case *c, int json, int trace)
{
  p->setup.unasked = isnan(p->setup.tol);
  epi_chosen a = epi_setup_search(&p->setup, c);
  if (plan_ends_early(a.end, c->t)) return REFUSED;
  int bad = find(p, c, &a);
  if (bad == EPI_STOPPED) return say(INTERRUPTED, "stopped while a flow was chosen");
  if (bad && trace && !json) choice_trace(&a, stdout);
  if (bad && p->setup.unasked && a.breaks != 1 && epi_setup_fallback(&p->setup, c, &a, &words))
    return say(FAILED, "%s", p->setup.doubt);
  if (bad) return say(REFUSED, "%s", a.error);
  if (json) tell_json(&a, p->model, trace);
  else tell(&a, p, trace);
  return 0;
}
