/* composition.c - weights on a few flows in turn: the loop that symplectic Euler, strang, compose and symmetric share */
#include "method/composition.h"
#include <stdio.h>

/* the claims of a whole of which every part must have them; the clock and watches of any */
unsigned epi_shared_claims(int flows, epi_flow *const *flow)
{
  unsigned all = ~0u, any = 0;
  for (int i = 0; i < flows; i++) { all &= flow[i]->claims; any |= flow[i]->claims; }
  return (all & (EPI_SYMPLECTIC | EPI_SYMMETRIC | EPI_REVERSIBLE | EPI_EXPLICIT | EPI_BACKWARD)) | (any & (EPI_CLOCK | EPI_WATCHES));
}

int epi_composition_go(epi_flow *f, epi_state *s, double h, long n)
{
  const epi_composition *c = f->own;
  while (n-- > 0) {
    if (c->deep && epi_stopping(f)) return EPI_INTERRUPTED;
    epi_tick end = epi_target(f->sys, s, h);
    for (int i = 0, k = 0; i < c->n; i++, k = k + 1 == c->flows ? 0 : k + 1) {
      if (i == c->last) epi_land(s, end);
      int bad = epi_go(c->flow[k], s, c->w[i]*h, 1);
      if (bad) return bad;
    }
  }
  return 0;
}

/* is b the adjoint of a? */
static int mirrors(const epi_flow *a, const epi_flow *b)
{
  char one[512], two[512];
  if (a == b) return (a->claims & EPI_SYMMETRIC) != 0;
  if (a->adjoint) { const epi_flow *x = a; a = b; b = x; }
  if (!b->adjoint || a->sys != b->sys) return 0;
  return epi_text(a, one, sizeof one) < sizeof one && epi_text(b->kid[0], two, sizeof two) < sizeof two && !strcmp(one, two);
}

typedef int likeness(const epi_flow *, const epi_flow *);
static int same(const epi_flow *a, const epi_flow *b) { return a == b; }

static int palindrome(const epi_composition *c, likeness *like)
{
  for (int i = 0, j = c->n - 1; i <= j; i++, j--)
    if (c->w[i] != c->w[j] || !like(c->flow[i % c->flows], c->flow[j % c->flows])) return 0;
  return 1;
}

/* the flows must move states of one shape, and the clock by h in all */
static void check(epi_flow *f, const epi_composition *c)
{
  const char *name = f->record->name;
  double clock = 0, size = 0;
  for (int i = 0; i < c->n; i++) {
    const epi_flow *a = c->flow[i % c->flows];
    if (a->claims & EPI_CLOCK) clock += c->w[i];
    size = fmax(size, fabs(c->w[i]));
    epi_refuse(f, epi_dim(a->sys) != epi_dim(f->sys) || a->sys->nq != f->sys->nq,
               "%s: its flows move states of different size (%d and %d numbers): use systems with the same coordinates",
               name, epi_dim(f->sys), epi_dim(a->sys));
    epi_refuse(f, a->own_time, "%s keeps a time of its own, which %s would cut: put %s inside it, as in density(symmetric(verlet))",
               a->record->name, name, name);
    epi_refuse(f, c->w[i] < 0 && !(a->claims & EPI_BACKWARD),
               "%s takes steps backward and %s cannot here (damping, impacts): use tolerance, or strang, whose steps go forward", name,
               a->record->name);
  }
  epi_refuse(f, (f->claims & EPI_CLOCK) && fabs(clock - 1) > 1e-12*(1 + size),
             "%s would move time by %g h in a step of h: exactly one part should carry the clock, as in strang(kick, drift)", name, clock);
}

/* a part of a system may come in several flows, but by h in all: verlet has the velocity force of its system in it already */
static void check_parts(epi_flow *f, const epi_composition *c)
{
  static const char *const words[] = {"force", "velocity force"};
  for (int k = 0; k < c->flows; k++)
    for (unsigned part = EPI_BY_FORCE; part <= EPI_BY_VELOCITY_FORCE; part *= 2) {
      const epi_system *m = c->flow[k]->sys;
      int there = part == EPI_BY_VELOCITY_FORCE ? m->velocity_force != NULL : epi_has_force(m);
      double by = 0, size = 0;
      if (!there || !(c->flow[k]->parts & part)) continue;
      for (int i = 0; i < c->n; i++) {
        const epi_flow *a = c->flow[i % c->flows];
        if (a->sys == m && (a->parts & part)) by += c->w[i];
        size = fmax(size, fabs(c->w[i]));
      }
      epi_refuse(f, fabs(by - 1) > 1e-12*(1 + size),
                 "%s would apply the %s %g times: verlet and the Runge-Kutta methods have the whole system in them; "
                 "split it as in strang(velocity-kick, strang(kick, drift))", f->record->name, words[part == EPI_BY_VELOCITY_FORCE], by);
    }
}

epi_composition *epi_composition_build(epi_flow *f, int n, const double *w, int flows, epi_flow *const *flow)
{
  epi_composition *c = calloc(1, sizeof *c + (size_t)n*sizeof *c->w);
  if (epi_refuse_memory(f, !c)) { free(c); return NULL; }
  f->own = c;
  c->n = n;
  c->flows = flows;
  for (int i = 0; i < flows; i++) {
    c->flow[i] = flow[i];
    c->deep |= flow[i]->nkid > 0;
  }
  c->last = -1;
  for (int i = 0; i < n; i++) {
    c->w[i] = w ? w[i] : 1;
    if (flow[i % flows]->claims & EPI_CLOCK) c->last = i;
  }
  unsigned all = ~0u;
  int first_order = 0;
  for (int i = 0; i < flows; i++) {
    all &= flow[i]->claims;
    first_order |= flow[i]->order == 1;
  }
  int mirrored = palindrome(c, mirrors);
  f->claims = epi_shared_claims(flows, flow) & ~(unsigned)(EPI_SYMMETRIC | EPI_REVERSIBLE);
  if (mirrored) f->claims |= EPI_SYMMETRIC | (all & EPI_REVERSIBLE);
  f->order = mirrored || (palindrome(c, same) && !first_order) ? 2 : 1;
  f->estimate = 0;
  f->go = epi_composition_go;
  check(f, c);
  check_parts(f, c);
  return f->broken ? NULL : c;
}
