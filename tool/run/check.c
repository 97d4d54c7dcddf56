/* check.c - the verb check: compose and tell; with --claims, measure too */
#include "tool.h"
#include "run/frequency.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* what is told of a flow on a model */
typedef struct card {
  epi_case *c;
  const char *model, *flow;
  double step;
  epi_counters *node;
  int nnode;
  fastest fastest;
  verdicts claims;                     /* n = 0: not asked for */
} card;

static void tell(const card *a)
{
  const char *doc = a->c->model->doc;
  printf("model  %s%s%s\nflow   %s\nstep   %s  to t = %s\n\n", a->model, doc ? ": " : "", doc ? doc : "", a->flow,
         shortest(a->step).text, shortest(a->c->end).text);
  tree_print(a->node, a->nnode, stdout);
  fastest_print(&a->fastest);
  redundant_print(a->c, stdout);
  moved_print(a->c, stdout);
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
  char first[200];
  epi_state s = epi_case_state(a->c);
  printf(",\n  \"redundant_constraints\": %d", epi_redundant(&a->c->system, &s, first, sizeof first));
  if (a->claims.n) claims_json(&a->claims);
  fputs(",\n  \"nodes\": ", stdout);
  epi_counters_json(a->node, a->nnode, stdout, "  ");
  fputs("\n}\n", stdout);
}

static int examine(epi_case *c, epi_flow *f, const char *model, double step, const request *r)
{
  size_t n = epi_text(f, NULL, 0);
  char *flow = need(n + 1);
  epi_text(f, flow, n + 1);
  card a = {.c = c, .model = model, .flow = flow, .step = step};
  a.node = epi_counters_of(f, &a.nnode);
  if (!a.node) no_room();
  a.fastest = fastest_of(c, f, flow, step);
  /* what could not be looked for is not what is not there */
  if (a.fastest.limit.cause == EPI_MEMORY) no_room();
  if (given(r, "--claims")) a.claims = claims_of(c, f, step);
  (given(r, "--json") ? tell_json : tell)(&a);
  fflush(stdout);
  if (a.fastest.warning) say(0, "%s", a.fastest.warning);
  if (a.fastest.later) say(0, "%s", a.fastest.later);
  int failed = a.claims.failed;
  claims_free(&a.claims);
  free(a.fastest.warning);
  free(a.fastest.later);
  free(a.node);
  free(flow);
  return failed ? say(FAILED, "claims of this flow that do not hold on this model: %d, see the table; the flow may still run", failed) : 0;
}

static int compose(epi_case *c, plan *p, const request *r)
{
  if (c->error[0]) return say(REFUSED, "%s", c->error);
  epi_setup *u = &p->setup;
  if (plan_overlay(p, r) || request_time(r, "--step", &u->step) || request_time(r, "--end", &u->end) || plan_motion(p, r)) return REFUSED;
  int later = plan_chooses_unasked(p) && epi_ask_waits(c);
  int trace = given(r, "--trace") != NULL;
  if (plan_chooses(p) && !given(r, "--claims") && !later) return check_tolerance(p, c, given(r, "--json") != NULL, trace);
  if (trace) return say(REFUSED, "--trace tells how a flow is chosen, and none is: give --tol, and no --flow");
  if (later) u->flow = text("%s", c->flow);
  if (plan_settle(p, c) || plan_check_step(p)) return REFUSED;
  c->end = u->end;
  epi_flow *f = epi_case_flow(c, u->flow);
  epi_state s = epi_case_state(c);
  /* a run of no length says what a run would refuse */
  unsigned claims = 0;
  if (!epi_error(f)) epi_walk(f, root_claims, &claims);
  if (claims & EPI_CLOCK) epi_run(f, &s, s.t, u->step);
  int code = epi_error(f) ? say(REFUSED, "%s", epi_error(f)) : examine(c, f, p->model, u->step, r);
  if (later && !code && !given(r, "--json"))
    puts("run    chooses a flow that is right to 1e-06, which may be another one: --tol 1e-6 prints how, --flow takes this one");
  epi_free(f);
  return code;
}

/* every run of a model file, or the one model of the request */
typedef struct question { plan *p; const request *r; } question;
static int answer(void *data)
{
  plan *p = ((question *)data)->p;
  const request *r = ((question *)data)->r;
  epi_case *c = plan_case(p);
  int code = c ? compose(c, p, r) : say(FAILED, "out of memory: the model could not be made");
  epi_case_free(c);
  return code;
}

static int check_plan(plan *p, const request *r)
{
  question q = {p, r};
  if (!plan_code(p)) return answer(&q);
  process *own = process_new();
  if (!own) return FAILED;
  outcome o = process_run(own, answer, NULL, &q);
  process_free(own);
  if (o.how && o.interrupted) return say(FAILED, "%s: its code did not come back and was ended", plan_code(p));
  return o.how ? say(FAILED, "%s: its code crashed (%s)", plan_code(p), o.how) : o.code;
}

/* the same file, in canonical form */
static int format(const char *path, const char *with)
{
  double sum = 0;
  const epi_name *brought = with ? load_brought(with, &sum) : NULL;
  int code = REFUSED;
  epi_file *file = with && !brought ? NULL : file_open(path, with, brought, NULL, &code);
  if (!file) return code;
  size_t n = epi_file_text(file, NULL, 0);
  char *all = need(n + 1);
  if (!n || !epi_file_text(file, all, n + 1)) no_room();
  fputs(all, stdout);
  free(all);
  epi_file_free(file);
  return 0;
}

int act_check(const request *r)
{
  plans all;
  if (given(r, "--format")) {
    if (r->nword == 1 && (ends_with(r->word[0], ".yaml") || ends_with(r->word[0], ".yml"))) return format(r->word[0], given(r, "--with"));
    return say(REFUSED, "--format writes a model file in canonical form: give the path of one that ends in .yaml");
  }
  int code = plans_read(&all, r, NULL), list = all.n > 1 && given(r, "--json"), failed = 0;
  if (list && !code) puts("[");
  for (int i = 0; i < all.n && code != REFUSED; i++) {
    if (list && i) puts(",");
    if (all.n > 1 && !list) printf("%srun    %s\n", i ? "\n" : "", all.plan[i].name ? all.plan[i].name : all.plan[i].model);
    code = check_plan(&all.plan[i], r);
    if (code) failed = code;
  }
  if (list && code != REFUSED) puts("]");
  if (!code) code = failed;
  plans_free(&all);
  return code;
}
