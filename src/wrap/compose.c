/* compose.c - flows in turn: compose and strang, and substeps of one */
#include "method/composition.h"
#include "method/records.h"

/* ---- strang ---- */
static int fused(epi_flow *f, epi_state *s, double h, long n) { return epi_go(f->kid[2], s, h, n); }
static int fused_leap(epi_flow *f, epi_state *s, double h, long n, const double *c, int stages)
{
  f->kid[2]->steps += n*stages;
  return f->kid[2]->leap(f->kid[2], s, h, n, c, stages);
}

static void strang_build(epi_flow *f)
{
  static const double half[] = {0.5, 1, 0.5};
  epi_flow *a = f->kid[0], *b = f->kid[1];
  if (!epi_composition_build(f, 3, half, 2, f->kid)) return;
  /* kick and drift of one system have a loop of their own, with the same bits */
  if (a->record != &epi_KICK || b->record != &epi_DRIFT || a->sys != b->sys || a->sys->nc || a->sys->manifold.retract ||
      a->sys->inertia.speed) return;
  if (epi_adopt(f, epi_leaf(&epi_LEAP, f->space))) return;
  f->go = fused;
  f->leap = fused_leap;
  f->claims |= EPI_TAPS;
}

const epi_record epi_STRANG = {
  .name = "strang", .doc = "half a step of the first flow, a step of the second, half a step of the first",
  .cite = "Strang, SIAM J. Numer. Anal. 5 (1968) 506", .example = "strang(velocity-kick, strang(kick, drift))",
  .arrow = EPI_WRAPPER, .least = 2, .most = 2, .build = strang_build,
  .facets = &(const epi_facets){.form = EPI_FORM_STRANG, .traits = EPI_IN_LANES},
};

/* ---- compose ---- */
static void compose_build(epi_flow *f)
{
  const epi_value *w = epi_arg(f, "weights"), *order = epi_arg(f, "order");
  /* one number is a list of one */
  int one = w->given && !w->n;
  epi_composition_build(f, one ? 1 : w->n ? w->n : f->nkid, one ? &w->number : w->list, f->nkid, f->kid);
  if (order->given) f->order = (int)order->number;
}

static const epi_param compose_params[] = {
  {.name = "weights", .doc = "fractions of h for the flows in turn, as in [0.5, 1, 0.5]; all 1 unless given", .kind = EPI_LIST},
  {.name = "order", .doc = "the order of the weights, where you know it; else 1, or 2 for a palindrome", .kind = EPI_COUNT},
  {0}
};
const epi_record epi_COMPOSE = {
  .name = "compose", .doc = "flows in turn, each for its fraction of the step", .example = "compose(kick, drift, weights=[0.5, 1, 0.5])",
  .cite = "Hairer, Lubich & Wanner, Geometric Numerical Integration, II.4", .arrow = EPI_WRAPPER, .least = 1, .most = MOST_FLOWS,
  .params = compose_params, .build = compose_build,
  .facets = &(const epi_facets){.form = EPI_FORM_COMPOSITION, .traits = EPI_IN_LANES},
};

/* ---- substeps; work, where somebody listens: y, the impulses and the kept memory at the start of a step ---- */
static int told_steps(epi_flow *f, epi_state *s, double h, long k, epi_tick end)
{
  epi_flow *a = f->kid[0];
  int N = epi_dim(f->sys), nc = f->sys->nc, bad = 0;
  double *y0 = f->work, *impulse = y0 + N, *kept = impulse + nc;
  const long most = epi_look_every(f->sys);
  for (long i = 0; i < k && !bad; i++) {
    epi_start start = {.mark = epi_mark_of(s), .y = y0, .keep = kept, .impulse = impulse};
    memcpy(y0, s->y, (size_t)N*sizeof *y0);
    if (s->impulse) memcpy(impulse, s->impulse, (size_t)nc*sizeof *impulse);
    epi_keep_out(a, kept);
    if (i % most == 0 && epi_stopping(f)) return EPI_INTERRUPTED;
    if (i == k - 1) epi_land(s, end);
    if (!(bad = epi_go(a, s, h/(double)k, 1))) bad = epi_tell(f, a, s, &start);
  }
  return bad;
}

static int substeps(epi_flow *f, epi_state *s, double h, long n)
{
  long k = (long)f->arg[0].number, most = epi_look_every(f->sys);
  int bad = 0;
  while (n-- > 0 && !bad) {
    /* few steps inside of few steps inside of few are many: each node looks */
    if (epi_stopping(f)) return EPI_INTERRUPTED;
    epi_tick end = epi_target(f->sys, s, h);
    if (f->listener && !f->kid[0]->tells) { bad = told_steps(f, s, h, k, end); continue; }
    long left = k - 1;
    for (; left > most; left -= most)
      if ((bad = epi_go(f->kid[0], s, h/(double)k, most)) || (bad = epi_stopping(f) ? EPI_INTERRUPTED : 0)) return bad;
    if (left > 0 && (bad = epi_go(f->kid[0], s, h/(double)k, left))) break;
    if (f->claims & EPI_CLOCK) epi_land(s, end);
    bad = epi_go(f->kid[0], s, h/(double)k, 1);
  }
  return bad;
}

static void substeps_build(epi_flow *f)
{
  f->claims = epi_shared_claims(1, f->kid);
  f->estimate = 0;
  f->lands = 1;
  f->tells = (f->claims & EPI_CLOCK) != 0;
  if (f->kid[0]->tells) f->hears = epi_hand_on;
  if (epi_blocks(f, 0, epi_dim(f->sys) + f->sys->nc + f->below)) return;
  f->go = substeps;
}

static const epi_param substeps_params[] = {
  {.name = "n", .value = 10, .doc = "how many steps of h/n make one of h", .kind = EPI_COUNT,
   .range = {1, 1e9, .words = ": give a whole number of at least 1"}},
  {0}
};
const epi_record epi_SUBSTEPS = {
  .name = "substeps", .doc = "n small steps for one large", .example = "substeps(verlet, 20)",
  .cite = "Hairer, Lubich & Wanner, Geometric Numerical Integration, VIII.4", .arrow = EPI_WRAPPER, .least = 1, .most = 1,
  .params = substeps_params, .build = substeps_build,
  .facets = &(const epi_facets){.form = EPI_FORM_SUBSTEPS, .traits = EPI_IN_LANES},
};
