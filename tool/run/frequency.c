/* frequency.c - the fastest oscillation of a model at its start against the stability limit of a flow, told */
#include "tool.h"
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
static char *first_step(epi_case *c, const char *flow, double h)
{
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  char *said = epi_advance(f, &s, h, 1) && epi_error(f) ? text("%s", epi_error(f)) : NULL;
  epi_free(f);
  return said;
}

/* what may close later */
static int open_contacts(const epi_case *c, const epi_state *s)
{
  epi_action x;
  int n = 0;
  for (int i = 0; c->world && !epi_world_action(c->world, s, i, &x); i++) n += x.depth < 0;
  return n;
}

fastest fastest_of(epi_case *c, epi_flow *f, const char *flow, double h)
{
  epi_state s = epi_case_state(c);
  fastest p = {.h = h, .limit = epi_limit_of(flow, c->parts, f, &s, h, 0), .open = open_contacts(c, &s)};
  if (p.limit.why && (p.warning = first_step(c, flow, h))) p.limit.why = p.warning;
  else warn(&p, c);
  return p;
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
    return;
  }
  printf("\nfastest at the start: ");
  if (p->h*a->w > 1e-6) printf("w = %.6g, period %.6g; h w = %.3g", a->w, turn/a->w, p->h*a->w);
  if (a->falls || !(p->h*a->w > 1e-6)) printf("%sdecay %.6g", p->h*a->w > 1e-6 ? "; " : "", a->decay);
  if (a->limit < HUGE_VAL) printf(", and the stability limit of h times %s is %.3g", a->falls ? "the decay" : "w", a->limit);
  if (a->why) printf("; the stability limit is not known, because %s", a->why);
  putchar('\n');
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
  fputc('}', stdout);
}
