/* frequency.c - the fastest oscillation of a model at its start against the stability limit of a flow
 *
 * A flow treats every small oscillation of a system as if it were alone. So its text is given one oscillator of frequency 1, and steps of
 * growing length are tried on that: the limit is where the oscillation begins to grow by a third in each turn. For verlet that is h w = 2;
 * for compositions, Runge-Kutta methods and flows of any text it is what it turns out to be; implicit methods may have none. */
#include "tool.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* q'' = -w^2 q - c q', with as many slots as the model has; as a rate, y1' = w y2 - c y1, y2' = -w y1 - c y2 */
typedef struct oscillator { double w, c; } oscillator;

static int force(epi_system *s, double t, const double *q, double *f)
{
  const oscillator *o = s->data;
  (void)t;
  f[0] = -o->w*o->w*q[0];
  return 0;
}

static int velocity_force(epi_system *s, double t, const double *q, const double *v, double *f)
{
  const oscillator *o = s->data;
  (void)t, (void)q;
  f[0] -= o->c*v[0];
  return 0;
}

static int rate(epi_system *s, double t, const double *y, double *dy)
{
  const oscillator *o = s->data;
  (void)t;
  dy[0] = o->w*y[1] - o->c*y[0];
  dy[1] = -o->w*y[0] - o->c*y[1];
  return 0;
}

static double kinetic(epi_system *s, double t, const double *y) { (void)s, (void)t; return y[1]*y[1]/2; }
static double potential(epi_system *s, double t, const double *y)
{
  const oscillator *o = s->data;
  (void)t;
  return o->w*o->w*y[0]*y[0]/2;
}
static double energy(epi_system *s, double t, const double *y) { return kinetic(s, t, y) + potential(s, t, y); }

static epi_system oscillator_like(const epi_system *m, oscillator *o)
{
  if (m->rate && !m->force && !m->forced && !m->velocity_force) return (epi_system){.nz = 2, .rate = rate, .data = o};
  return (epi_system){.nq = 1, .force = force, .velocity_force = m->velocity_force ? velocity_force : NULL, .kinetic = kinetic,
                      .potential = potential, .energy = energy, .data = o};
}

/* ---- the text without its averages: the macro method sees only the slow system ---- */
static int is_average(const epi_name *parts, const char *name)
{
  for (; parts && parts->name; parts++) if (parts->record && !strcmp(parts->name, name)) return parts->record->arrow == EPI_AVERAGE;
  const epi_record *r = epi_record_of(name);
  return r && r->arrow == EPI_AVERAGE;
}

static void drop_averages(epi_term *t, const epi_name *parts)
{
  for (; t; t = t->next) {
    if (t->kind == EPI_TERM_NAME && !t->key[0] && is_average(parts, t->name) && epi_term_replace(t, "model")) no_room();
    drop_averages(t->arg, parts);
  }
}

static char *without_averages(const char *flow, const epi_name *parts)
{
  char error[320];
  epi_term *t = epi_term_read(flow, error, sizeof error);
  if (!t) return text("%s", flow);
  drop_averages(t, parts);
  char *out = term_text(t);
  epi_term_free(t);
  return out;
}

/* ---- the stability limit of a flow ---- */
enum { STEPS = 100 };

/* by how much, per step of h, small motions grow: the logarithm */
static double growth(epi_flow *f, double h)
{
  double most = 0;
  for (int k = 0; k < 2; k++) {
    double y[2] = {!k, k};
    epi_state s = {.y = y};
    if (epi_advance(f, &s, h, STEPS)) return HUGE_VAL;
    most = fmax(most, hypot(y[0], y[1]));
  }
  return log(most)/STEPS;
}

static int stable(epi_flow *f, double h) { return growth(f, h) <= 0.05*h; }

/* the first step that is not borne, in steps 4 % apart, and then between these */
static double limit_of(epi_flow *f, double up_to)
{
  double good = 0, bad = fmin(0.05, up_to);
  while (stable(f, bad)) {
    if (bad >= up_to) return HUGE_VAL;
    good = bad;
    bad = fmin(1.04*bad, up_to);
  }
  for (int k = 0; k < 40 && bad - good > 1e-4*bad; k++) {
    double half = 0.5*(good + bad);
    *(stable(f, half) ? &good : &bad) = half;
  }
  return good;
}

static void look_at_node(void *why, const epi_info *i)
{
  for (const epi_param *p = i->record->params; p && p->name; p++)
    if (!strcmp(p->name, "rtol")) *(const char **)why = "it chooses its steps";
}

/* the oscillator as the model, and what of the case is no system */
static epi_name *names_with(const epi_name *parts, epi_system *model)
{
  int n = 0, k = 1;
  while (parts && parts[n].name) n++;
  epi_name *all = need(((size_t)n + 2)*sizeof *all);
  all[0] = (epi_name){.name = "model", .system = model};
  for (int i = 0; i < n; i++) if (!parts[i].system && !parts[i].flow) all[k++] = parts[i];
  return all;
}

static void find_limit(fastest *p, const epi_case *c, const char *flow)
{
  const double most = 10;
  int falls = p->decay > p->w;
  oscillator o = {.w = falls ? 0 : 1, .c = falls ? 1 : 0};
  epi_system s = oscillator_like(&c->system, &o);
  epi_name *names = names_with(c->parts, &s);
  char *alone = without_averages(flow, c->parts);
  epi_flow *f = epi_make_named(alone, names);
  if (epi_error(f)) p->why = "it cannot be tried on one oscillator";
  else p->limit = limit_of(f, fmax(most, 1.25*p->h*fmax(p->decay, p->w)));
  epi_free(f);
  free(alone);
  free(names);
}

/* implicit methods leave constraints alone */
static void warn(fastest *p, const epi_case *c)
{
  const char *other = c->system.nc ? "semi" : "gauss";
  int falls = p->decay > p->w;
  double rate = falls ? p->decay : p->w, z = p->h*rate;
  const char *what = falls ? "decay" : "oscillation";
  if (!(z >= 0.8*p->limit)) return;
  char *remedy = p->limit > 0 ? text("take --step %.2g or less, or an implicit flow such as %s", 0.75*p->limit/rate, other)
                              : text("take another flow, such as verlet or %s", other);
  p->warning =
    text("the step %g is %s for the fastest %s at the start: h times its rate %.4g is %.3g, and the stability limit of this flow is %.3g; "
         "%s", p->h,
                    z > p->limit ? "too long" : "near the limit", what, rate, z, p->limit, remedy);
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

fastest fastest_of(epi_case *c, epi_flow *f, const char *flow, double h)
{
  fastest p = {.h = h, .limit = NAN};
  epi_state s = epi_case_state(c);
  /* a method of two systems sees each alone: what oscillates is the whole */
  epi_flow *whole = strstr(flow, "model.") ? epi_case_flow(c, "verlet") : NULL;
  p.w = epi_frequency(whole && !epi_error(whole) ? whole : f, &s, &p.decay);
  epi_free(whole);
  /* what falls towards a saddle is no decay */
  if (!c->system.velocity_force && !c->system.rate) p.decay = 0;
  if (isnan(p.w) && (p.warning = first_step(c, flow, h))) p.why = p.warning;
  else if (isnan(p.w)) p.why = "the forces at the start cannot be had";
  else if (!(h*fmax(p.w, p.decay) > 1e-6)) p.why = "nothing oscillates there";
  else if (epi_extra_state(f, NULL, 0)) p.why = "it steps in a time of its own";
  else epi_walk(f, look_at_node, &p.why);
  if (!p.why) find_limit(&p, c, flow);
  if (!p.why) warn(&p, c);
  return p;
}

void fastest_print(const fastest *p)
{
  if (!(p->h*p->w > 1e-6)) { printf("\nfastest at the start: %s\n", p->why ? p->why : "a decay"); return; }
  printf("\nfastest at the start: w = %.6g, period %.6g; h w = %.3g", p->w, 6.283185307179586/p->w, p->h*p->w);
  if (p->limit < HUGE_VAL) printf(", and the stability limit is %.3g", p->limit);
  if (p->why) printf("; the stability limit is not known, because %s", p->why);
  putchar('\n');
}

void fastest_json(const fastest *p)
{
  const struct { const char *key; double x; } all[] = {
    {"w", p->w}, {"period", 6.283185307179586/p->w}, {"decay", p->decay}, {"hw", p->h*p->w}, {"limit", p->limit}};
  fputs(",\n  \"fastest\": {", stdout);
  for (size_t i = 0; i < sizeof all/sizeof *all; i++) {
    printf("%s\"%s\": ", i ? ", " : "", all[i].key);
    json_number(stdout, all[i].x);
  }
  fputs(", \"because\": ", stdout);
  json_text(stdout, p->why);
  fputs(", \"warning\": ", stdout);
  json_text(stdout, p->warning);
  fputc('}', stdout);
}
