/* setup.c - defaults of a run setup: flow, step and end, for the command and for handles. A tolerance is put into a given flow, or a flow
 * is chosen for it; where no flow meets the default tolerance, a fallback runs with a doubt */
#include "core.h"
#include "setup.h"
#include "letters.h"
#include <stdio.h>

epi_setup epi_setup_empty(void) { return (epi_setup){.step = NAN, .end = NAN, .every = NAN, .tol = NAN, .step_error = NAN}; }

void epi_setup_free(epi_setup *p)
{
  free(p->flow);
  free(p->choice);
  *p = epi_setup_empty();
}

static int put_flow(epi_setup *p, const char *flow)
{
  char *copy = flow ? strdup(flow) : NULL;
  free(p->flow);
  p->flow = copy;
  return flow && !copy;
}

int epi_setup_read(epi_setup *p, const epi_request *r)
{
  p->step = r->step, p->end = r->end, p->tol = r->tol, p->every = r->every;
  p->fast = r->fast, p->multipliers = r->multipliers, p->actions = r->actions, p->rests = r->rests;
  return put_flow(p, r->flow);
}

int epi_setup_give_flow(epi_setup *p, const char *flow)
{
  p->rests = 0;
  return put_flow(p, flow);
}

void epi_setup_give_tol(epi_setup *p, double tol)
{
  p->tol = tol;
  if (p->rests) epi_setup_give_flow(p, NULL);
}

epi_setup epi_setup_for_sweep(const epi_setup *p, const epi_request *r)
{
  epi_setup all = *p;
  if (!r || !r->world) return all;
  if (!(p->given & EPI_GIVEN_STEP)) all.step = NAN;
  if (!(p->given & EPI_GIVEN_END)) all.end = NAN;
  if (!(p->given & EPI_GIVEN_EVERY)) all.every = NAN;
  /* a sweep refuses a tolerance beside a given flow */
  if (!(p->given & EPI_GIVEN_TOL) && !p->flow) all.tol = NAN;
  if (p->rests) all.flow = NULL;
  return all;
}

int epi_setup_needs_choice(const epi_setup *p, int no_defaults)
{
  return p->automatic || (!p->flow && (!isnan(p->tol) || (isnan(p->step) && no_defaults)));
}

/* ---- messages ---- */
static int refuse(const epi_setup_context *by, const char *words, ...) __attribute__((format(printf, 2, 3)));
static int refuse(const epi_setup_context *by, const char *words, ...)
{
  va_list ap;
  va_start(ap, words);
  epi_clean_words(by->error, by->size, words, ap);
  va_end(ap);
  if (by->cause) *by->cause = EPI_REQUEST;
  return EPI_WRONG;
}

static int refuse_search(const epi_setup_context *by, const epi_chosen *a)
{
  refuse(by, "%s", a->error);
  if (by->cause) *by->cause = a->cause;
  return EPI_WRONG;
}

int epi_setup_check_end(const epi_setup_context *by, double end, double start)
{
  return end > start ? 0 : refuse(by, "the end %g is not after the start t = %g: give a later one%s", end, start, by->dialect->end);
}

int epi_setup_check_step(const epi_setup_context *by, double step)
{
  return step > 0 ? 0 : refuse(by, "the step is %g: give a positive one%s", step, by->dialect->step);
}

/* ---- a flow for a tolerance ---- */
epi_chosen epi_setup_search(const epi_setup *p, const epi_case *c)
{
  const double end = isnan(p->end) ? c->end : p->end;
  return (epi_chosen){.tol = p->unasked ? 1e-6 : p->tol, .end = end, .motion = p->motion,
                      .every = epi_ask_every(end - c->t, p->step, p->every), .most = p->unasked ? epi_ask_most(c, end) : 0};
}

static void doubt_all(epi_setup *p, const epi_chosen *a, const char *flow, const char *run)
{
  snprintf(p->doubt, sizeof p->doubt, "nothing is known of the error of this run: while %s was chosen for %g, %s failed on its way: %s",
           flow, a->tol, run, a->error);
}

const char *epi_setup_fallback(epi_setup *p, const epi_case *c, const epi_chosen *a, const epi_dialect *d)
{
  const char *flow = epi_fallback_flow(c, a);
  if (!flow) return NULL;
  if (a->breaks == 1) {
    const int own = flow != a->flow;
    doubt_all(p, a, own ? "a flow" : d->search[0], own ? "its run" : d->search[1]);
    return flow;
  }
  char near[80] = "";
  if (!strcmp(flow, a->flow)) snprintf(near, sizeof near, ", whose solution is %.2g from one with looser steps", a->found);
  if (a->dear && d->unlimited)
    snprintf(p->doubt, sizeof p->doubt, "the run may not be right to %g: %s, so %s was taken%s; %s %g looks as long as it takes, and a "
             "larger tolerance or an earlier end is cheaper", a->tol, a->error, flow, near, d->unlimited, a->tol);
  else snprintf(p->doubt, sizeof p->doubt, "the run %s right to %g: %s", a->dear ? "may not be" : "is not", a->tol, a->error);
  return flow;
}

static int take_choice(epi_setup *p, epi_case *c, const epi_setup_context *by, int bad)
{
  const epi_chosen *a = p->choice;
  const char *flow = a->flow;
  if (bad && p->unasked) flow = epi_setup_fallback(p, c, a, by->dialect);
  else if (bad && a->breaks == 1) doubt_all(p, a, by->dialect->search[0], by->dialect->search[1]);
  else if (bad) flow = NULL;
  if (!flow) return refuse_search(by, a);
  /* the model's own flow keeps the model's step */
  const int own = bad && c->flow && !strcmp(flow, c->flow);
  if (put_flow(p, flow)) return 1;
  if (!own) epi_ask_rows(a->end - c->t, &p->step, &p->every);
  return 0;
}

static int choose(epi_setup *p, epi_case *c, const epi_setup_context *by)
{
  p->unasked = isnan(p->tol);
  free(p->choice);
  if (!(p->choice = malloc(sizeof *p->choice))) return 1;
  *p->choice = epi_setup_search(p, c);
  int bad = by->search(by->data, c, p->choice);
  int code = bad == EPI_STOPPED ? EPI_STOPPED : take_choice(p, c, by, bad);
  if (!bad) return code;
  free(p->choice);
  p->choice = NULL;
  return code;
}

/* ---- a flow that is given ---- */
/* puts the tolerance into an adaptive flow, or tolerance(...) around another one */
static int put_within(epi_setup *p, const epi_case *c, epi_term *t, const epi_setup_context *by)
{
  int bad = epi_ask_within(epi_ask_stepping(t, c->parts), c->parts, p->tol);
  if (bad < 0)
    return refuse(by, "%s %s and %s in %s both say how exact its steps are: take one of them away", by->dialect->tol,
                  epi_shortest(p->tol).text, by->dialect->tolerance, p->flow);
  char *flow = bad ? NULL : epi_term_new_text(t);
  if (!flow) return 1;
  free(p->flow);
  p->flow = flow;
  p->step_error = p->tol;
  return 0;
}

/* the step of the model; a model without one, under an adaptive flow, gets the steps of a chosen flow or one step to the end */
static void settle_step(epi_setup *p, const epi_case *c, epi_term *t, const epi_dialect *d)
{
  const int chooses = t && !(c->step > 0) && epi_ask_chooses(epi_ask_stepping(t, c->parts), c->parts);
  if (chooses && d->rows_between) epi_ask_rows(p->end - c->t, &p->step, &p->every);
  else p->step = chooses ? p->end - c->t : c->step;
}

static int settle_flow(epi_setup *p, const epi_case *c, const epi_setup_context *by, int within)
{
  const int unknown = isnan(p->step) && !(c->step > 0);
  epi_fault why = {0};
  if (isnan(p->end)) p->end = c->end;
  epi_term *t = within || unknown ? epi_term_read_why(p->flow, &why) : NULL;
  if (within && !t) return why.cause == EPI_MEMORY ? 1 : refuse(by, "%s", why.words);
  int bad = within ? put_within(p, c, t, by) : 0;
  if (!bad && isnan(p->step)) settle_step(p, c, t, by->dialect);
  epi_term_free(t);
  return bad;
}

int epi_setup_complete(epi_setup *p, epi_case *c, const epi_setup_context *by)
{
  const epi_dialect *d = by->dialect;
  const int chooses = epi_setup_needs_choice(p, by->no_defaults), within = !chooses && !isnan(p->tol);
  if (!isnan(p->tol) && !(p->tol > 0 && p->tol < 1))
    return refuse(by, "the tolerance is %g: give a number between 0 and 1, such as 1e-9", p->tol);
  if ((chooses || d->checks_end) && epi_setup_check_end(by, isnan(p->end) ? c->end : p->end, c->t)) return EPI_WRONG;
  if (p->automatic && p->given & EPI_GIVEN_STEP)
    return refuse(by, "flow=auto chooses its steps: leave the step out, or give a flow");
  if (p->automatic) p->step = NAN;
  int bad = chooses ? choose(p, c, by) : 0;
  if (bad) return bad;
  if (d->motion && p->motion && !chooses)
    return refuse(by, "%s is for a flow that is chosen, and %s is given", d->motion, p->flow ? p->flow : c->flow ? c->flow : "a step");
  if (!p->flow && !c->flow)
    return refuse(by, "%s %s a step and no flow: give it one%s, or leave the step out, and one is chosen", by->model ? by->model : "there",
                  by->model ? "has" : "is", d->flow);
  if (!p->flow && put_flow(p, c->flow)) return 1;
  if ((bad = settle_flow(p, c, by, within))) return bad;
  p->tol = NAN;
  return 0;
}
