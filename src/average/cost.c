/* cost.c - an average that costs more than resolving everything says so */
#include "cost.h"

epi_cost *epi_cost_of(const epi_flow *f) { return epi_slow_of(f) ? f->own : NULL; }

static void count_node(epi_flow *f, void *n) { (void)f; ++*(long *)n; }
static void hold(epi_flow *f, void *to) { long **at = to; *(*at)++ = f->steps; *(*at)++ = f->calls; }
static void back(epi_flow *f, void *from) { const long **at = from; f->steps = *(*at)++; f->calls = *(*at)++; }

void epi_cost_open(epi_flow *f)
{
  epi_cost *own = f->own, *inner = epi_cost_of(epi_average_of(f->kid[0]));
  long n = 0;
  if (inner) inner->inside = 1;
  epi_visit(f->kid[0], count_node, &n);
  epi_refuse_memory(f, !(own->held = epi_zeros((size_t)(2*n), sizeof *own->held)));
}

void epi_cost_close(epi_flow *f)
{
  epi_cost *own = f->own;
  if (own) free(own->held);
}

void epi_cost_hold(epi_flow *f)
{
  long *at = ((epi_cost *)f->own)->held;
  epi_visit(f->kid[0], hold, &at);
}

void epi_cost_back(epi_flow *f)
{
  const long *at = ((epi_cost *)f->own)->held;
  epi_visit(f->kid[0], back, &at);
}

int epi_cost_repeats(epi_flow *f)
{
  if (!f->repeats) return 0;
  f->repeats--;
  return 1;
}

void epi_cost_seen(const epi_cost *c, double *to) { to[0] = (double)c->windows, to[1] = c->first, to[2] = c->last; }
int epi_cost_see(epi_cost *c, const double *from)
{
  if (!epi_is_count(from[0]) || !isfinite(from[1]) || !isfinite(from[2])) return -1;
  c->windows = (long)from[0], c->first = from[1], c->last = from[2];
  return 0;
}

/* one macro-step says little, and nothing is to be saved in it; a few times more is what slow steps that are short may cost */
enum { FEW = 8, DEAR = 5 };

void epi_cost_judge(epi_flow *f, const epi_cost *c, double length, double h)
{
  double run = fabs(c->last - c->first), micro = length*(double)c->windows;
  char flow[96];
  if (c->inside || c->windows <= FEW || !(run > 0 && micro > DEAR*run) || epi_error(f)) return;
  epi_text(f->kid[0], flow, sizeof flow);
  if (!f->kid[0]->warning[0]) f->kid[0]->dear = 1;
  if (length > run)
    epi_warn(f->kid[0], "%s: each window is longer than the whole run, %.3g for %.3g: %s with steps of %.3g resolves everything and costs "
             "%.3g times less", f->record->name, length, run, flow, h, micro/run);
  else
    epi_warn(f->kid[0], "%s: its %ld windows together are %.3g long and the run %.3g: %s with steps of %.3g resolves everything and costs "
             "%.3g times less", f->record->name, c->windows, micro, run, flow, h, micro/run);
}
