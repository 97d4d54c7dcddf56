/* cost.c - an average that costs more than resolving everything says so */
#include "cost.h"

epi_flow *epi_average_of(const epi_flow *f) { return f->sys && f->sys->derived ? f->sys->derived->inner : NULL; }

epi_cost *epi_cost_of(const epi_flow *f)
{
  return f && (!strcmp(f->record->name, "hmm") || !strcmp(f->record->name, "strobe")) ? f->own : NULL;
}

void epi_cost_nest(const epi_flow *f)
{
  epi_cost *c = epi_cost_of(epi_average_of(f->kid[0]));
  if (c) c->inside = 1;
}

/* one macro-step says little, and nothing is to be saved in it */
enum { FEW = 8 };

void epi_cost_judge(epi_flow *f, const epi_cost *c, double length, double h)
{
  double run = c->to - c->from, micro = length*(double)c->windows;
  char flow[96];
  if (c->inside || c->windows <= FEW || !(run > 0 && micro > 1.5*run) || epi_error(f)) return;
  epi_text(f->kid[0], flow, sizeof flow);
  if (length > run)
    epi_warn(f->kid[0], "%s: each window is longer than the whole run, %.3g for %.3g: %s with steps of %.3g resolves everything and costs "
             "%.3g times less", f->record->name, length, run, flow, h, micro/run);
  else
    epi_warn(f->kid[0], "%s: its %ld windows together are %.3g long and the run %.3g: %s with steps of %.3g resolves everything and costs "
             "%.3g times less", f->record->name, c->windows, micro, run, flow, h, micro/run);
}
