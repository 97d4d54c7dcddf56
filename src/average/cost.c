/* cost.c - an average that costs more than resolving everything says so */
#include "cost.h"

epi_flow *epi_average_of(const epi_flow *f) { return f->sys && f->sys->derived ? f->sys->derived->inner : NULL; }

epi_cost *epi_cost_of(const epi_flow *f)
{
  return f && (!strcmp(f->record->name, "hmm") || !strcmp(f->record->name, "strobe")) ? f->own : NULL;
}

/* one macro-step says little, and nothing is to be saved in it */
enum { FEW = 8 };

void epi_cost_judge(epi_flow *f, const epi_cost *c, double h)
{
  double run = c->to - c->from;
  char flow[96];
  if (c->windows <= FEW || !(c->micro > 1.5*run) || epi_error(f)) return;
  epi_text(f->kid[0], flow, sizeof flow);
  if (c->micro > run*(double)c->windows)
    epi_warn(f->kid[0], "%s: each window is longer than the whole run, %.3g for %.3g: %s with steps of %.3g resolves everything and costs "
             "%.3g times less", f->record->name, c->micro/(double)c->windows, run, flow, h, c->micro/run);
  else
    epi_warn(f->kid[0], "%s: its %ld windows together are %.3g long and the run %.3g: %s with steps of %.3g resolves everything and costs "
             "%.3g times less", f->record->name, c->windows, c->micro, run, flow, h, c->micro/run);
}
