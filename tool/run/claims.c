/* claims.c - what a flow claims, measured on a model: claim, claimed, measured, verdict */
#include "tool.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct { const char *name; unsigned claim; } kinds[] = {
  {"order", 0}, {"symmetric", EPI_SYMMETRIC}, {"reversible", EPI_REVERSIBLE}, {"symplectic", EPI_SYMPLECTIC},
};
enum { KINDS = sizeof kinds/sizeof *kinds };

typedef struct root { int order; unsigned claims; } root;
static void root_of(void *to, const epi_info *i) { if (!i->depth) *(root *)to = (root){i->order, i->claims}; }

/* ---- order, symmetry, reversibility, the tangent map ---- */
static claim measured(epi_case *c, epi_flow *f, root r, int kind, double h)
{
  epi_state s = epi_case_state(c);
  int is_order = !kinds[kind].claim, claimed = is_order ? r.order > 0 : (r.claims & kinds[kind].claim) != 0;
  claim a = {.name = kinds[kind].name, .m = epi_measure(f, &s, h, kinds[kind].claim)};
  a.claimed = !claimed ? text("no") : is_order ? text("%d", r.order) : text("yes");
  if (a.m.why[0]) a.because = text("%s", a.m.why);
  if (a.m.holds < 0) a.measured = text("-");
  else a.measured = is_order ? text("%.2f", a.m.value) : text("%.1e (%.0e)", a.m.value, a.m.allowed);
  a.verdict = a.m.holds < 0 ? text("not measured") : !claimed ? text(a.m.holds && !is_order ? "holds, though not claimed" : "not claimed")
            : text(a.m.holds ? "holds" : "fails");
  return a;
}

/* ---- energy over some thousand steps: told, not judged, for no flow promises it on every model ---- */
static const epi_observable *energy_of(const epi_model *m)
{
  const epi_observable *o = m->observables;
  while (o && o->name && !(o->invariant && !strcmp(o->name, "energy"))) o++;
  return o && o->name ? o : NULL;
}

/* as many steps as two seconds allow */
static long how_many(epi_flow *f, epi_state s, double h)
{
  enum { TRIED = 20, MOST = 4000, LEAST = 200 };
  double began = clock_now();
  if (epi_advance(f, &s, h, TRIED)) return LEAST;
  double n = 2*TRIED/(clock_now() - began + 1e-9);
  return n > MOST ? MOST : n < LEAST ? LEAST : 4*(long)(n/4);
}

/* what rounding may move of it is measured by the energies it is the sum of */
static double size_of(epi_case *c, const epi_state *s, double energy)
{
  epi_system *m = &c->system;
  return fabs(energy) + (m->energies.kinetic ? fabs(m->energies.kinetic(m, s->t, s->y)) : 0) + (m->energies.potential
                                                                                                ? fabs(m->energies.potential(m, s->t,
                                                                                                                             s->y)) : 0);
}

static const char *behaviour(double D, double most, double size)
{
  return !(most > 1e-11*size) ? "rounding alone" : D < 0.1 ? "no drift" : "drifts, or the run is too short to tell:";
}

static claim energy(epi_case *c, epi_flow *f, double h)
{
  const epi_observable *o = energy_of(c->model);
  claim a = {.name = "energy", .claimed = text("-"), .measured = text("-"), .verdict = text("not measured"),
             .m = {.value = NAN, .holds = -1}};
  if (!o) return a.because = text("the model has no energy that is an invariant"), a;
  epi_state s = epi_case_state(c);
  long n = how_many(f, s, h), k = 0;
  s = epi_case_state(c);
  epi_ledger t = {0};
  double start = epi_observe(c, o, &s), size = 0, kinetic = 0, *room = need((size_t)epi_size(&c->system)*sizeof *room);
  for (; k < n && !epi_advance(f, &s, h, 1); k++) {
    epi_ledger_add(&t, 2*(double)(k + 1)/(double)n - 1, epi_observe(c, o, &s) - start);
    size = fmax(size, size_of(c, &s, start));
    kinetic += epi_kinetic_part(&c->system, &s, room);
  }
  free(room);
  if (k < n) return a.because = text("the run ended after %ld of %ld steps of %g%s%s", k, n, h, epi_error(f) ? ": " : "",
                                     epi_error(f) ? epi_error(f) : ""), a;
  double D = epi_ledger_drift(&t);
  int lost = !(t.most <= 1e-11*size) && !epi_drift_tells(D) && epi_energy_lost(t.most, start, kinetic/(double)n);
  a.m.value = lost ? NAN : D;
  a.m.step = h;
  free(a.measured);
  free(a.verdict);
  a.measured = lost ? text("-") : text("D = %.2g", D);
  a.verdict = text("%s over %ld steps, error up to %.1e", lost ? "lost" : behaviour(D, t.most, size), n, t.most);
  if (lost) a.because = text("the energy is %.3g at the start: a shorter step is needed", start);
  return a;
}

verdicts claims_of(epi_case *c, epi_flow *f, double h)
{
  verdicts all = {.n = KINDS + 1};
  root r = {0};
  epi_walk(f, root_of, &r);
  progress p = progress_begin("measured", "claims", all.n);
  for (int i = 0; i < KINDS; i++) {
    progress_step(&p);
    all.claim[i] = measured(c, f, r, i, h);
    all.failed += !strcmp(all.claim[i].verdict, "fails");
  }
  progress_step(&p);
  all.claim[KINDS] = energy(c, f, h);
  progress_wipe(&p);
  return all;
}

void claims_print(const verdicts *all)
{
  printf("\n%s  %-10s  %-7s  %-18s  %s%s\n", ink(stdout, BOLD), "claim", "claimed", "measured", "verdict", ink(stdout, PLAIN));
  for (int i = 0; i < all->n; i++) {
    const claim *a = &all->claim[i];
    int colour = !strcmp(a->verdict, "holds") ? GREEN : !strcmp(a->verdict, "fails") ? RED : PLAIN;
    printf("  %-10s  %-7s  %-18s  %s%s%s%s%s\n", a->name, a->claimed, a->measured, ink(stdout, colour), a->verdict, ink(stdout, PLAIN),
           a->because ? ", because " : "", a->because ? a->because : "");
  }
}

void claims_json(const verdicts *all)
{
  fputs(",\n  \"claims\": [", stdout);
  for (int i = 0; i < all->n; i++) {
    const claim *a = &all->claim[i];
    const struct { const char *key, *value; } words[] = {
      {"claim", a->name}, {"claimed", a->claimed}, {"verdict", a->verdict}, {"because", a->because}};
    for (size_t k = 0; k < sizeof words/sizeof *words; k++) {
      printf("%s\"%s\": ", k ? ", " : i ? ",\n    {" : "\n    {", words[k].key);
      json_text(stdout, words[k].value);
    }
    fputs(", \"measured\": ", stdout);
    json_number(stdout, a->m.value);
    fputs(", \"allowed\": ", stdout);
    json_number(stdout, a->m.holds < 0 ? NAN : a->m.allowed);
    fputs(", \"step\": ", stdout);
    json_number(stdout, a->m.step);
    fputc('}', stdout);
  }
  fputs("\n  ]", stdout);
}

void claims_free(verdicts *all)
{
  for (int i = 0; i < all->n; i++) {
    char *const texts[] = {all->claim[i].claimed, all->claim[i].measured, all->claim[i].verdict, all->claim[i].because};
    for (size_t k = 0; k < sizeof texts/sizeof *texts; k++) free(texts[k]);
  }
}
