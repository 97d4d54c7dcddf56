/* holds: the text of a model is refused in a sentence, or makes a case that its model file makes again
 * case.c - the text of a model with its parameters: refused in a sentence, or made, with a start, observables, the model's own flow, and a
   model file that makes the same case */
#include "fuzz.h"
#include "epicycle/file.h"
#include <math.h>

enum { LARGE = 200 };

/* many bodies take their time; how many may be made is no matter of the text */
static int small(const epi_case *c)
{
  for (int i = 0; c->model->params && c->model->params[i].name; i++)
    if (c->model->params[i].kind == EPI_COUNT && c->p[i] > LARGE) return 0;
  return 1;
}

static void round_trip(epi_case *c)
{
  size_t n = epi_case_yaml(c, NULL, 0);
  char *yaml = malloc(n + 1);
  if (!yaml || !n) abort();
  hold(epi_case_yaml(c, yaml, n + 1) == n);
  epi_file *file = epi_file_read_text(yaml, n, "case.yaml");
  /* a file is checked for more: whether its flow can begin, where numbers are extreme */
  if (epi_file_sentences(file)) {
    hold(strstr(epi_file_sentence(file, 0)->text, "flow: "));
    epi_file_free(file);
    free(yaml);
    return;
  }
  hold(epi_file_runs(file) == 1);
  epi_case *again = epi_file_case(file, 0);
  hold(again && !again->error[0] && again->model == c->model);
  for (int i = 0; c->model->params && c->model->params[i].name; i++) hold(!memcmp(&again->p[i], &c->p[i], sizeof *c->p));
  epi_case_free(again);
  epi_file_free(file);
  free(yaml);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char *text = fuzz_text(data, size, NULL);
  epi_case *c = epi_case_make(text);
  if (!c) abort();
  if (!c->error[0]) hold(c->step > 0 && isfinite(c->step) && isfinite(c->end));
  if (c->error[0]) hold(strlen(c->error) > 10);
  else if (small(c)) {
    epi_state s = epi_case_state(c);
    for (const epi_observable *o = c->model->observables; o && o->name; o++) epi_observe(c, o, &s);
    epi_flow *f = epi_case_flow(c, NULL);
    /* a file says the same of a flow that these parameters do not allow */
    if (epi_error(f)) hold(strlen(epi_error(f)) > 10);
    else round_trip(c);
    epi_free(f);
  }
  epi_case_free(c);
  free(text);
  return 0;
}
