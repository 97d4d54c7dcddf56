/* symmetric.c - high order from a symmetric flow by a palindrome of step lengths; the adjoint of any flow */
#include "method/composition.h"
#include "method/records.h"
#include "method/table.h"

/* ---- symmetric ---- */
static int leaps(epi_flow *f, epi_state *s, double h, long n)
{
  const epi_composition *c = f->own;
  f->kid[0]->steps += n*c->n;
  return f->kid[0]->leap(f->kid[0], s, h, n, c->w, c->n);
}

/* a splitting acts on the two flows inside: those of a strang, or the kick and drift that a verlet is */
static void split(epi_flow *f, int order, const char *name)
{
  double w[128];
  epi_flow *a = f->kid[0], *pair[2] = {0};
  const epi_splitting *c = epi_splittings;
  while (c->name && (c->order != order || strcmp(c->name, name))) c++;
  if (epi_refuse(f, !c->name, "symmetric: the table %s has no order %d: take order 4 or 6 of it", name, order)) return;
  if (a->record == &epi_STRANG) { pair[0] = a->kid[0]; pair[1] = a->kid[1]; }
  else if (a->record == &epi_VERLET && !a->sys->velocity_force) {
    for (int i = 0; i < 2; i++)
      if (epi_adopt(f, pair[i] = epi_leaf(i ? &epi_DRIFT : &epi_KICK, f->space))) return;
  }
  if (epi_refuse(f, !pair[0], "symmetric: the table %s splits two flows: give it strang(a, b), or verlet without velocity force", name))
    return;
  /* its order stands on exact parts: a velocity force is moved by the midpoint rule, and a drift on constraints by projection */
  int exact = !f->sys->nc;
  for (int i = 0; i < 2; i++) exact &= pair[i]->record == &epi_KICK || pair[i]->record == &epi_DRIFT;
  if (epi_refuse(f, !exact,
                 "symmetric: the table %s needs two flows that are exact, a kick and a drift without constraints: leave the table out",
                 name))
    return;
  epi_composition_build(f, epi_palindrome(c->entries, c->half, w), w, 2, pair);
  f->order = order;
}

static void symmetric_build(epi_flow *f)
{
  double w[128];
  epi_flow *a = f->kid[0];
  int order = (int)epi_arg(f, "order")->number, table = (int)epi_arg(f, "table")->number;
  const char *name = table ? f->record->params[1].words[table] : NULL;
  epi_refuse(f, order != 4 && order != 6 && order != 8, "symmetric: order is %d: take 4, 6 or 8", order);
  epi_refuse(f, a->own_time,
             "%s keeps a time of its own, which symmetric would cut: put symmetric inside it, as in scaled(symmetric(verlet, order=8))",
             a->record->name);
  epi_refuse(f, !(a->claims & EPI_CLOCK), "symmetric needs a flow that moves time; %s does not", a->record->name);
  epi_refuse(f, !(a->claims & EPI_SYMMETRIC),
             "symmetric needs a symmetric flow and %s is not one: take %s", a->record->name,
             a->sys && a->sys->nc ? "verlet, or a strang of kick and drift" : "verlet, midpoint, gauss, or a strang of such");
  epi_refuse(f, !(a->claims & EPI_BACKWARD),
             "symmetric takes steps backward and %s cannot here (damping, impacts): use tolerance or rk4", a->record->name);
  if (f->broken) return;
  if (name && !strcmp(name, "blanes-moan")) { split(f, order, name); return; }
  int n = epi_composition_of(name, order, w);
  if (epi_refuse(f, !n, "symmetric: the table %s has no order %d: leave the table out for the usual one", name, order)) return;
  if (!epi_composition_build(f, n, w, 1, f->kid)) return;
  f->order = order;
  if (a->leap) { f->go = leaps; f->claims |= a->claims & EPI_TAPS; }
}

static const epi_param symmetric_params[] = {
  {.name = "order", .value = 4, .doc = "4, 6 or 8", .kind = EPI_COUNT},
  {.name = "table", .doc = "usual: suzuki for 4, kahan-li for 6 and 8; blanes-moan (4, 6) splits the two flows of a strang or verlet",
   .words = epi_composition_words, .kind = EPI_WORD},
  {0}
};
const epi_record epi_SYMMETRIC_RECORD = {
  .name = "symmetric", .doc = "order 4, 6 or 8 from a symmetric flow, by a palindrome of step lengths",
  .example = "symmetric(verlet, order=8)",
  .cite = "Suzuki 1990; Yoshida 1990; Kahan & Li 1997; Blanes & Moan 2002; Hairer, Lubich & Wanner, Geometric Numerical Integration, V.3",
  .arrow = EPI_WRAPPER, .least = 1, .most = 1, .params = symmetric_params, .build = symmetric_build,
  .facets = &(const epi_facets){.form = EPI_FORM_SYMMETRIC, .traits = EPI_IN_LANES},
};

/* ---- adjoint ---- */
static int through(epi_flow *f, epi_state *s, double h, long n) { return epi_go(f->kid[0], s, h, n); }

/* y1 with flow(-h) y1 = y0, by y1 += y0 - flow(-h) y1: a contraction while the step is not too long */
static int invert(epi_flow *f, epi_state *s, double h)
{
  int n = epi_dim(f->sys), bad;
  double *y0 = f->work, *y1 = y0 + n, *y = s->y, last = HUGE_VAL;
  epi_tick land = epi_target(f->sys, s, h);
  epi_mark m = epi_mark_of(s), end = m;
  end.t = land.t;
  end.rest = land.rest;
  end.theta = land.theta;
  end.mover = NULL;
  memcpy(y0, y, (size_t)n*sizeof *y);
  if ((bad = epi_go(f->kid[0], s, h, 1))) return bad;
  memcpy(y1, y, (size_t)n*sizeof *y);
  for (int it = 0; it < 200; it++) {
    double d = 0, size = 0;
    epi_back_to(s, end);
    if (epi_stopping(f)) return EPI_INTERRUPTED;
    if ((bad = epi_go(f->kid[0], s, -h, 1))) return bad;
    for (int i = 0; i < n; i++) {
      double x = y0[i] - y[i];
      y1[i] += x;
      d = epi_larger(d, fabs(x));
      size = fmax(size, fabs(y1[i]));
    }
    memcpy(y, y1, (size_t)n*sizeof *y);
    if (!(d < 1e300)) break;
    if (d <= 2e-16*size || (d >= 0.5*last && d <= 1e-14*size)) { epi_back_to(s, end); epi_moved(f, s); return 0; }
    last = d;
  }
  return epi_fail(f, EPI_TOO_FAR, "adjoint: the step h = %g is too long to be inverted at t = %.10g: take a smaller one", h, m.t);
}

static int inverse(epi_flow *f, epi_state *s, double h, long n)
{
  int bad = 0;
  s->key.trial++;
  while (n-- > 0 && !bad) bad = invert(f, s, h);
  s->key.trial--;
  return bad;
}

static int reversed(epi_flow *f)
{
  const epi_composition *c = f->kid[0]->own;
  epi_flow *flow[MOST_FLOWS];
  double w[256];
  if (f->kid[0]->go != epi_composition_go || c->n > 256) return 0;
  for (int i = 0; i < c->flows; i++) if (!(c->flow[i]->claims & EPI_SYMMETRIC)) return 0;
  for (int i = 0; i < c->n; i++) w[i] = c->w[c->n - 1 - i];
  for (int i = 0; i < c->flows; i++) flow[i] = c->flow[(c->n - 1 - i + c->flows) % c->flows];
  int order = f->kid[0]->order;
  if (epi_composition_build(f, c->n, w, c->flows, flow)) f->order = order;
  return 1;
}

static void adjoint_build(epi_flow *f)
{
  f->adjoint = 1;
  epi_flow *a = f->kid[0];
  f->claims = epi_shared_claims(1, f->kid);
  f->estimate = 0;
  if (a->claims & EPI_SYMMETRIC) { f->go = through; f->lands = a->lands; f->tells = a->tells; f->hears = epi_hand_on; return; }
  if (reversed(f)) return;
  epi_refuse(f, !(a->claims & EPI_BACKWARD),
             "adjoint inverts a step backward and %s cannot go backward here: leave adjoint out", a->record->name);
  epi_refuse(f, f->below > 0,
             "adjoint needs a flow without memory and %s has some: take the adjoint of the flow inside it", a->record->name);
  epi_refuse(f, f->sys->nc || f->sys->manifold.retract,
             "adjoint of %s on constraints or rotations is not known: use symmetric flows such as verlet", a->record->name);
  epi_refuse(f, a->claims & EPI_WATCHES, "adjoint tries steps, a watch inside would see the trials: put watch around adjoint");
  f->claims &= ~(unsigned)EPI_EXPLICIT;
  if (epi_blocks(f, 0, 2*epi_dim(f->sys))) return;
  f->go = inverse;
}

const epi_record epi_ADJOINT = {
  .name = "adjoint", .doc = "the inverse of the flow run backward: a step of adjoint undoes a step of -h",
  .example = "compose(euler, adjoint(euler), weights=[0.5, 0.5])",
  .cite = "Hairer, Lubich & Wanner, Geometric Numerical Integration, II.3", .arrow = EPI_WRAPPER, .least = 1, .most = 1,
  .build = adjoint_build, .facets = &(const epi_facets){.traits = EPI_IN_LANES},
};
