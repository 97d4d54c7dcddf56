/* choose.c - a flow for a tolerance: chosen, and told as a table by check */
#include "tool.h"
#include "handle/ask.h"
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
static int choose(epi_case *c, search *s)
{
  s->began = clock_now();
  s->a.tell = show;
  clock_catch();
  clock_stops_choice(&s->a);
  int bad = epi_choose(c, &s->a);
  clock_stops_choice(NULL);
  s->a.tell = NULL;
  if (!bad) epi_choose_fastest(c, &s->a);
  if (s->shows && s->shown > 0) fputs("\r\033[K", stderr);
  return bad;
}

static search search_of(const plan *p, const epi_case *c)
{
  double end = isnan(p->end) ? c->end : p->end;
  return (search){.a = {.tol = p->tol, .end = end, .every = epi_ask_every(end - c->t, p->step, p->every),
                        .most = p->unasked ? epi_ask_most(c, end) : 0, .motion = p->motion},
                  .shows = !p->quiet && clock_terminal(stderr)};
}

/* ---- what is run where the tolerance cannot be had, and nobody asked for it ---- */
static int settle_for(plan *p, const epi_case *c, const epi_chosen *a)
{
  const char *flow = epi_ask_another(c, a);
  if (!flow) return say(REFUSED, "%s", a->error);
  p->flow = text("%s", flow);
  free(p->doubt);
  p->doubt = NULL;
  if (a->breaks == 1)
    p->doubt = text("nothing is known of the error of this run: while a flow was chosen for %g, its run failed on its way: %s", a->tol,
                    a->error);
  else if (a->dear && !strcmp(flow, a->flow))
    p->doubt = text("the run may not be right to %g: %s, so %s was taken, whose solution is %.2g from one with looser steps; --tol %g "
                    "looks as long as it takes, and a larger tolerance or an earlier end is cheaper", a->tol, a->error, p->flow, a->found,
                    a->tol);
  else if (a->dear)
    p->doubt = text("the run may not be right to %g: %s, so %s was taken; --tol %g looks as long as it takes, and a larger tolerance or an "
                    "earlier end is cheaper", a->tol, a->error, p->flow, a->tol);
  else p->doubt = text("the run is not right to %g: %s", a->tol, a->error);
  return 0;
}

int plan_ends_early(double end, double start)
{
  return end > start ? 0 : say(REFUSED, "the end %g is not after the start t = %g: give a later one with --end", end, start);
}

int plan_motion(plan *p, const request *r)
{
  int full = given(r, "--full") != NULL, slow = given(r, "--slow") != NULL;
  if (full && slow) return say(REFUSED, "--full asks for all of the motion and --slow for a part of it: give one of them");
  if ((full || slow) && p->flow)
    return say(REFUSED, "%s is for a flow that is chosen, and %s is given: leave one of them out", full ? "--full" : "--slow", p->flow);
  if (full || slow) p->motion = full ? EPI_FULL : EPI_SLOW;
  /* what oscillates is to be seen */
  else if (given(r, "--fast") && !p->flow) p->motion = EPI_FULL;
  return 0;
}

/* ---- the run ---- */
static void keep_choice(plan *p, const epi_chosen *a)
{
  free(p->choice);
  p->choice = need(sizeof *p->choice);
  *p->choice = *a;
}

int plan_choose(plan *p, epi_case *c)
{
  search s = search_of(p, c);
  if (plan_ends_early(s.a.end, c->t)) return REFUSED;
  int bad = choose(c, &s), own = 0;
  const epi_chosen *a = &s.a;
  if (bad == EPI_STOPPED) return say(INTERRUPTED, "stopped while a flow was chosen: nothing was run");
  /* what fails on its way is run up to there, its rows show what happened; a world by its own flow, which knows its joints */
  int worldly = p->unasked && c->world && c->flow;
  if (bad && (a->breaks != 1 || worldly)) {
    int code = p->unasked ? settle_for(p, c, a) : say(REFUSED, "%s", a->error);
    if (code) return code;
    own = c->flow && !strcmp(p->flow, c->flow);
  } else {
    p->flow = text("%s", a->flow);
    if (bad)
      p->doubt = text("nothing is known of the error of this run: while it was chosen for %g, it failed on its way: %s", a->tol, a->error);
  }
  if (!own) epi_ask_rows(a->end - c->t, &p->step, &p->every);
  if (!bad) keep_choice(p, a);
  return 0;
}

/* ---- check ---- */
static void tell(const epi_chosen *a, const plan *p, int trace)
{
  printf("model  %s\nto     t = %s, right to %g%s\n", p->model, shortest(a->end).text, a->tol,
         p->unasked ? ", where nothing else is said" : "");
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
  if (isnan(p->tol)) {
    p->unasked = 1;
    p->tol = 1e-6;
  }
  search s = search_of(p, c);
  if (plan_ends_early(s.a.end, c->t)) return REFUSED;
  int bad = choose(c, &s);
  const epi_chosen *a = &s.a;
  if (bad == EPI_STOPPED) return say(INTERRUPTED, "stopped while a flow was chosen");
  if (bad && trace && !json) choice_trace(a, stdout);
  if (bad && p->unasked && a->breaks != 1 && !settle_for(p, c, a)) return say(FAILED, "%s", p->doubt);
  if (bad) return say(REFUSED, "%s", a->error);
  if (json) tell_json(a, p->model, trace);
  else tell(a, p, trace);
  return 0;
}
