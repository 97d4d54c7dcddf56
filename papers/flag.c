/* flag.c - what a paper has is run as the paper has it, also where a plain `run` would warn of it or refuse it; the run is flagged then */
#include "papers.h"
#include "run/frequency.h"
#include <stdlib.h>

static char *warnings_of(const epi_flow *f)
{
  char *all = NULL;
  for (int i = 0; epi_warning(f, i); i++) {
    char *longer = all ? text("%s; %s", all, epi_warning(f, i)) : text("%s", epi_warning(f, i));
    free(all);
    all = longer;
  }
  return all;
}

/* a flow that failed is asked once more as it was before the run; one that cannot be made has nothing to be flagged */
static char *warning_of_step(epi_case *c, epi_flow *f, const char *flow, double step)
{
  epi_flow *again = epi_error(f) ? epi_case_flow(c, flow) : NULL;
  fastest p = {.warning = NULL};
  if (!again || !epi_error(again)) p = fastest_of(c, again ? again : f, flow, step);
  free(p.later);
  epi_free(again);
  return p.warning;
}

char *flag_of(epi_case *c, epi_flow *f, const char *flow, double step)
{
  char *all = warnings_of(f);
  return all ? all : warning_of_step(c, f, flow, step);
}
