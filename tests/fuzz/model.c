/* holds: a model file is refused with its lines, or makes its first step and reads back from its canonical form */
#include "fuzz.h"
#include "epicycle/file.h"
#include <math.h>

static void canonical(const epi_file *file)
{
  size_t n = epi_file_text(file, NULL, 0), m;
  char *first = malloc(n + 1);
  if (!first) abort();
  hold(n > 0 && epi_file_text(file, first, n + 1) == n);
  epi_file *again = epi_file_read_text(first, n, "canonical.yaml");
  hold(again && !epi_file_sentences(again));
  m = epi_file_text(again, NULL, 0);
  char *second = malloc(m + 1);
  if (!second) abort();
  epi_file_text(again, second, m + 1);
  hold(n == m && !strcmp(first, second));
  epi_file_free(again);
  free(first);
  free(second);
}

static void first_step(const epi_file *file, int run)
{
  epi_case *c = epi_file_case(file, run);
  epi_flow *f = c ? epi_file_flow(file, run, c) : NULL;
  if (!c || !f) abort();
  if (c->error[0] || epi_error(f)) hold(epi_error(f) && strlen(epi_error(f)) > 10);
  else {
    epi_state s = epi_case_state(c);
    int code = fuzz_advance(f, &s, c->step, 1);
    hold(code ? code == EPI_STOPPED || epi_error(f) != NULL : !epi_error(f));
    hold(isfinite(s.t));
  }
  epi_free(f);
  epi_case_free(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  epi_file *file = epi_file_read_text((const char *)data, size, "fuzz.yaml");
  if (!file) abort();
  int n = epi_file_sentences(file);
  for (int i = 0; i < n && i < 20; i++) {
    const epi_sentence *s = epi_file_sentence(file, i);
    hold(s && strlen(s->text) > 10 && s->line >= 0 && !strchr(s->text, '\n') && !strchr(s->text, '\033'));
  }
  if (!n) {
    canonical(file);
    for (int i = 0; i < epi_file_runs(file) && i < 2; i++) first_step(file, i);
  } else hold(epi_file_runs(file) == 0);
  epi_file_free(file);
  return 0;
}
