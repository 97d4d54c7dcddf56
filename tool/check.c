/* check.c - the verb check: compose, tell, run nothing */
#include "tool.h"
#include <stdlib.h>

static void tell(const epi_case *c, const char *model, const char *flow, const tree *t)
{
  printf("model  %s: %s\nflow   %s\nstep   %s  to t = %s\n\n", model, c->model->doc, flow, shortest(c->step).text, shortest(c->end).text);
  tree_print(t, stdout);
}

static void tell_json(const epi_case *c, const char *model, const char *flow, const tree *t)
{
  fputs("{\n  \"model\": ", stdout);
  json_text(stdout, model);
  fputs(",\n  \"flow\": ", stdout);
  json_text(stdout, flow);
  fputs(",\n  \"step\": ", stdout);
  json_number(stdout, c->step);
  fputs(",\n  \"end\": ", stdout);
  json_number(stdout, c->end);
  fputs(",\n  \"nodes\": ", stdout);
  tree_json(t, stdout, "  ");
  fputs("\n}\n", stdout);
}

static int compose(epi_case *c, const char *model, const request *r)
{
  if (c->error[0]) return say(REFUSED, "%s", c->error);
  epi_flow *f = epi_case_flow(c, given(r, "--flow"));
  int code = 0;
  if (epi_error(f)) code = say(REFUSED, "%s", epi_error(f));
  else {
    size_t n = epi_text(f, NULL, 0);
    char *flow = need(n + 1);
    epi_text(f, flow, n + 1);
    tree t = tree_of(f);
    (given(r, "--json") ? tell_json : tell)(c, model, flow, &t);
    tree_free(&t);
    free(flow);
  }
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
