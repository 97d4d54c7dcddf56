/* holds: every model meets three tolerances within a factor of three or is refused; at most four are refused at the first two
 * auto-models-all.c - every model of the library to three tolerances and nothing else, as a table of docs/auto-models.md: the true error is
 * within three tolerances, or there is a sentence; at most four of them at each of the first two.
 * label: soak */
#include "auto-models.h"

int main(int count, char **word)
{
  static const double tols[] = {1e-3, 1e-6, 1e-9};
  int sentences[3] = {0};
  setvbuf(stdout, NULL, _IOLBF, 0);
  puts("| model | tol | flow chosen | evaluations | seconds to choose | true error/tol | against |\n|---|---|---|---|---|---|---|");
  for (const epi_model *const *m = epi_models(); *m; m++) {
    if (count > 1 && strcmp(word[1], (*m)->name)) continue;
    for (int k = 0; k < 3; k++) {
      verdict v = judged((*m)->name, tols[k]);
      sentences[k] += !v.answered;
      if (v.answered)
        printf("| %s | %g | `%s` | %.3g | %.2g | %.2g | %s |\n", (*m)->name, tols[k], v.flow, v.calls, v.seconds, v.error/tols[k], v.by);
      else printf("| %s | %g | %s | | %.2g | | |\n", (*m)->name, tols[k], v.said, v.seconds);
      if (v.answered) check_below(v.error/tols[k], 3);
    }
  }
  check(sentences[0] <= 4 && sentences[1] <= 4);
  return test_done();
}
