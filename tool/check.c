/* check.c - the verb check: compose and tell; with --claims, measure too */
#include "tool.h"
#include <math.h>
#include <stdlib.h>

/* what is told of a flow on a model */
typedef struct card {
  const epi_case *c;
  const char *model, *flow;
  double step;
  tree tree;
  fastest fastest;
  verdicts claims;                     /* n = 0: not asked for */
} card;

static void tell(const card *a)
{
  printf("model  %s: %s\nflow   %s\nstep   %s  to t = %s\n\n", a->model, a->c->model->doc, a->flow, shortest(a->step).text,
         shortest(a->c->end).text);
  tree_print(&a->tree, stdout);
  fastest_print(&a->fastest);
  if (a->claims.n) claims_print(&a->claims);
}

static void tell_json(const card *a)
{
  fputs("{\n  \"model\": ", stdout);
  json_text(stdout, a->model);
  fputs(",\n  \"flow\": ", stdout);
  json_text(stdout, a->flow);
  fputs(",\n  \"step\": ", stdout);
  json_number(stdout, a->step);
  fputs(",\n  \"end\": ", stdout);
  json_number(stdout, a->c->end);
  fastest_json(&a->fastest);
  if (a->claims.n) claims_json(&a->claims);
  fputs(",\n  \"nodes\": ", stdout);
  tree_json(&a->tree, stdout, "  ");
  fputs("\n}\n", stdout);
}

static int examine(epi_case *c, epi_flow *f, const char *model, double step, const request *r)
{
  size_t n = epi_text(f, NULL, 0);
  char *flow = need(n + 1);
  epi_text(f, flow, n + 1);
  card a = {.c = c, .model = model, .flow = flow, .step = step, .tree = tree_of(f)};
  a.fastest = fastest_of(c, f, flow, step);
  if (given(r, "--claims")) a.claims = claims_of(c, f, step);
  (given(r, "--json") ? tell_json : tell)(&a);
  fflush(stdout);
  if (a.fastest.warning) say(0, "%s", a.fastest.warning);
  int failed = a.claims.failed;
  claims_free(&a.claims);
  free(a.fastest.warning);
  tree_free(&a.tree);
  free(flow);
  return failed ? say(FAILED, "claims of this flow that do not hold on this model: %d, see the table; the flow may still run", failed) : 0;
}

static int compose(epi_case *c, const char *model, const request *r)
{
  double step;
  if (c->error[0]) return say(REFUSED, "%s", c->error);
  if (request_number(r, "--step", c->step, &step)) return REFUSED;
  if (!(step > 0)) return say(REFUSED, "the step is %g: give a positive one with --step", step);
  epi_flow *f = epi_case_flow(c, given(r, "--flow"));
  epi_state s = epi_case_state(c);
  /* a run of no length says what a run would refuse */
  unsigned claims = 0;
  if (!epi_error(f)) epi_walk(f, root_claims, &claims);
  if (claims & EPI_CLOCK) epi_run(f, &s, s.t, step);
  int code = epi_error(f) ? say(REFUSED, "%s", epi_error(f)) : examine(c, f, model, step, r);
  epi_free(f);
  return code;
}

int act_check(const request *r)
{
  int code;
  char *model = request_model(r, &code);
  if (!model) return code;
  epi_case *c = epi_case_make(model);
  code = c ? compose(c, model, r) : say(FAILED, "out of memory: the model could not be made");
  epi_case_free(c);
  free(model);
  return code;
}
