/* frequency.c - the fastest oscillation of a model at its start against the stability limit of a flow, told */
#include "run/frequency.h"
#include "terminal/terminal.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void warn(fastest *p, const epi_case *c)
{
  const epi_limit *a = &p->limit;
  /* what is implicit in all of it takes no constraints */
  const char *other = c->world ? "semi with stiff: yes for the spring or contact that is so fast" :
                      c->system.nc ? "tolerance(...)" : "an implicit flow such as gauss";
  if (p->h > a->phase_step) {
    p->warning = text("the step %g is too long for the fast phase, which turns with the rate %.4g: there are fewer than two evaluations "
                      "in a turn; take --step %.2g or less, or an average such as hmm or strobe", p->h, a->phase, 0.2*a->phase_step);
    return;
  }
  double z = p->h*a->rate;
  if (!(z >= 0.8*a->limit)) return;
  char *remedy = a->limit > 0 ? text("take --step %.2g or less, or %s", 0.75*a->limit/a->rate, other)
                              : text("take another flow, such as verlet or %s", other);
  p->warning =
    text("the step %g is %s for the fastest %s at the start: h times its rate %.4g is %.3g, and the stability limit of this flow is %.3g; "
         "%s", p->h, z > a->limit ? "too long" : "near the limit", a->falls ? "decay" : "oscillation", a->rate, z, a->limit, remedy);
  free(remedy);
}

/* what the first step says, where it fails */
static char *first_step(epi_case *c, const char *flow, double h, epi_cause *cause)
{
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  char *said = epi_advance(f, &s, h, 1) && epi_error(f) ? text("%s", epi_error(f)) : NULL;
  if (said) *cause = epi_cause_of(f);
  epi_free(f);
  return said;
}

/* ---- what may close later ---- */
static double rate_of(const epi_collision *x) { return fmax(x->w, x->decay); }

/* the system of the flow's text that the contact is in */
static const char *part_of(const epi_collision *x, const char *flow)
{
  char why[320];
  const char *part = x->stiff ? "model.stiff" : "model.contacts";
  epi_term *t = epi_term_read(flow, why, sizeof why);
  if (!t || !epi_term_find(t, part)) part = "model";
  epi_term_free(t);
  return part;
}

static void look_at_open(fastest *p, const epi_case *c, const epi_state *s, const char *flow)
{
  epi_collision x;
  for (int i = 0, no; c->world && (no = epi_world_collision(c->world, s, i, &x)) != EPI_WRONG; i++) {
    if (no) continue;
    p->open++;
    if (rate_of(&x) > rate_of(&p->closing)) p->closing = x;
  }
  if (!p->closing.name) return;
  const epi_collision *k = &p->closing;
  double z = p->h*rate_of(k), fine = 0.1/rate_of(k);
  int falls = k->decay > k->w, chooses = p->limit.why != NULL;
  p->bears = chooses ? NAN : epi_limit_in(flow, c->parts, part_of(k, flow), z, falls);
  if (chooses || (z < 0.8*p->bears && z < 0.6)) return;
  p->later = text("the step %g is too long for %s, which is open and may close at %.3g m/s: h times its rate %.3g is %.3g then, and %s; "
                  "take --step %.1g or less, or tolerance(...)", p->h, k->name, k->speed, rate_of(k), z,
                  z >= 0.8*p->bears ? "that is not stable" : "the impact has a few steps", fine);
}

fastest fastest_of(epi_case *c, epi_flow *f, const char *flow, double h)
{
  epi_state s = epi_case_state(c);
  fastest p = {.h = h, .limit = epi_limit_of(flow, c->parts, f, &s, h, 0), .bears = NAN};
  if (p.limit.why && (p.warning = first_step(c, flow, h, &p.limit.cause))) p.limit.why = p.warning;
  else warn(&p, c);
  look_at_open(&p, c, &s, flow);
  return p;
}

static void print_open(const fastest *p)
{
  const epi_collision *k = &p->closing;
  double rate = rate_of(k);
  if (!k->name) return;
  if (p->open > 1) printf("open at the start, of %d the fastest: ", p->open);
  else printf("open at the start: ");
  printf("%s may close at %.3g m/s, with %s = %.4g at its deepest; h times that = %.3g", k->name, k->speed,
         k->decay > k->w ? "a decay" : "w", rate, p->h*rate);
  if (p->limit.why) printf(", and this flow chooses its steps");
  else if (p->bears < HUGE_VAL) printf(", and the stability limit is %.3g", p->bears);
  putchar('\n');
}

void fastest_print(const fastest *p)
{
  const epi_limit *a = &p->limit;
  const double turn = 6.283185307179586;
  if (a->phase > 0) printf("\nfast phase: rate %.6g, period %.6g; h times the rate = %.3g\n", a->phase, turn/a->phase, p->h*a->phase);
  const char *open = p->open ? ", but contacts that are open may close: a run looks at its steps there, and says where they are "
    "too long" : "";
  if (!(p->h*fmax(a->w, a->decay) > 1e-6)) {
    printf("\nfastest at the start: %s%s\n", a->why ? a->why : "nothing oscillates there", a->why ? "" : open);
    print_open(p);
    return;
  }
  printf("\nfastest at the start: ");
  if (p->h*a->w > 1e-6) printf("w = %.6g, period %.6g; h w = %.3g", a->w, turn/a->w, p->h*a->w);
  if (a->falls || !(p->h*a->w > 1e-6)) printf("%sdecay %.6g", p->h*a->w > 1e-6 ? "; " : "", a->decay);
  if (a->limit < HUGE_VAL) printf(", and the stability limit of h times %s is %.3g", a->falls ? "the decay" : "w", a->limit);
  if (a->why) printf("; the stability limit is not known, because %s", a->why);
  putchar('\n');
  print_open(p);
}

void fastest_json(const fastest *p)
{
  const epi_limit *a = &p->limit;
  const struct { const char *key; double x; } all[] = {
    {"w", a->w}, {"period", 6.283185307179586/a->w}, {"decay", a->decay}, {"hw", p->h*a->w}, {"limit", a->limit}, {"phase", a->phase},
    {"step", fmin(a->step, a->phase_step)}};
  fputs(",\n  \"fastest\": {", stdout);
  for (size_t i = 0; i < sizeof all/sizeof *all; i++) {
    printf("%s\"%s\": ", i ? ", " : "", all[i].key);
    json_number(stdout, all[i].x);
  }
  fputs(", \"because\": ", stdout);
  json_text(stdout, a->why);
  fputs(", \"warning\": ", stdout);
  json_text(stdout, p->warning);
  if (p->closing.name) {
    const epi_collision *k = &p->closing;
    fputs(", \"open\": {\"contact\": ", stdout);
    json_text(stdout, k->name);
    const struct { const char *key; double x; } of[] = {{"speed", k->speed}, {"w", k->w}, {"decay", k->decay}, {"limit", p->bears}};
    for (size_t i = 0; i < sizeof of/sizeof *of; i++) {
      printf(", \"%s\": ", of[i].key);
      json_number(stdout, of[i].x);
    }
    fputs(", \"warning\": ", stdout);
    json_text(stdout, p->later);
    fputc('}', stdout);
  }
  fputc('}', stdout);
}
