/* reproduce_semi.c - numbers behind the claims of the semi-explicit paper that a track does not hold: evaluations, errors of systems of any
 * size, the orders of its Theorem 2 */
#include "papers.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- a run of any size ---- */
typedef struct { epi_case *c; epi_flow *f; epi_state s; } play;

/* atol=bodies*TOL stands for a list: what is small for places, quaternions, velocities and turns of bodies */
char *motion_flow(const motion *m, const epi_case *c)
{
  static const char mark[] = "bodies*";
  static const double small[] = {1e-5, 1e-5, 1e-5, 2e-3, 2e-3, 2e-3, 2e-3, 1, 1, 1, 200, 200, 200};
  char *at = strstr(m->flow, mark), *rest, *list, *all;
  if (!at) return text("%s", m->flow);
  double tol = strtod(at + sizeof mark - 1, &rest);
  list = text("[");
  for (int i = 0; i < epi_size(&c->system); i++) {
    int q = i < c->system.nq;
    char *longer = text("%s%s%.9g", list, i ? ", " : "", tol*small[q ? i % 7 : 7 + (i - c->system.nq) % 6]);
    free(list);
    list = longer;
  }
  all = text("%.*s%s]%s", (int)(at - m->flow), m->flow, list, rest);
  free(list);
  return all;
}

static play begin(const motion *m)
{
  play p = {.c = epi_case_make(m->model)};
  char *flow = p.c && !p.c->error[0] ? motion_flow(m, p.c) : NULL;
  if (flow) p.f = epi_case_flow(p.c, flow), p.s = epi_case_state(p.c);
  free(flow);
  return p;
}

static void finish(play *p)
{
  if (p->f) epi_free(p->f);
  if (p->c) epi_case_free(p->c);
}

/* NULL: well so far */
static const char *trouble(const play *p)
{
  return !p->c ? "out of memory" : p->c->error[0] ? p->c->error : epi_error(p->f);
}

static epi_cause cause_of(const play *p) { return p->c && !p->c->error[0] ? epi_cause_of(p->f) : EPI_OTHER_CAUSE; }

static double end_of(const motion *m) { return m->steps ? (double)m->steps*m->step : m->end; }

/* ---- evaluations ---- */
static void root(void *to, const epi_info *i) { if (!i->depth) *(epi_info *)to = *i; }

/* "evaluations": as they were made; "evaluations-12": a Jacobian counted as 12 of them, whatever the differences took */
static double evaluations(play *p, const motion *m, const char *words)
{
  epi_info i = {0};
  if (epi_run(p->f, &p->s, end_of(m), m->step)) return NAN;
  epi_walk(p->f, root, &i);
  /* the Jacobians of a method of two systems are of the second one */
  long as = words[0] && !i.others ? strtol(words + 1, NULL, 10) : -1;
  return as < 0 ? (double)i.calls : (double)(i.calls - i.slopes*(epi_size(&p->c->system) - as));
}

static double stiff_evaluations(play *p, const motion *m, const char *words)
{
  epi_info i = {0};
  (void)words;
  if (epi_run(p->f, &p->s, end_of(m), m->step)) return NAN;
  epi_walk(p->f, root, &i);
  return (double)i.others;
}

/* ---- errors ---- */
/* where the truth is at t: that run, or the exact motion */
static int truth_at(play *truth, const motion *m, const play *p, double *y)
{
  if (!m) return p->c->model->exact(p->c, p->s.t, y);
  int bad = epi_run(truth->f, &truth->s, p->s.t, m->step);
  memcpy(y, truth->s.y, (size_t)epi_size(&p->c->system)*sizeof *y);
  return bad;
}

/* largest error of a position, a velocity or the first position over all steps: "q", "v", "x" */
static double worst(play *p, const motion *m, play *truth, const motion *tm, const char *words)
{
  int nq = p->c->system.nq, from = words[0] == 'v' ? nq : 0, to = words[0] == 'x' ? 1 : words[0] == 'q' ? nq : epi_size(&p->c->system);
  double e = 0, *y = need((size_t)epi_size(&p->c->system)*sizeof *y);
  for (long k = 0, n = lround(end_of(m)/m->step); k < n; k++) {
    int bad = epi_advance(p->f, &p->s, m->step, 1) || truth_at(truth, tm, p, y);
    for (int i = from; i < to; i++) e = bad ? NAN : fmax(e, fabs(p->s.y[i] - y[i]));
    if (bad) break;
  }
  free(y);
  return e;
}

static double observed(const play *p, const char *name)
{
  const epi_observable *o = p->c->model->observables;
  while (o->name && strcmp(o->name, name)) o++;
  return o->name ? o->value(p->c, &p->s) : NAN;
}

/* of an observable at twelve times, relative to its own. A solver that begins anew at each is run to each from the start */
static double rms(play *p, const motion *m, play *truth, const motion *tm, const char *name)
{
  enum { TIMES = 12 };
  double e = 0, size = 0, end = end_of(m);
  int anew = !strncmp(m->flow, "cvode", 5);
  for (int k = 1; k <= TIMES; k++) {
    double t = end*k/TIMES;
    if (anew) { finish(p); *p = begin(m); }
    if (epi_run(p->f, &p->s, t, fmin(t, m->step)) || epi_run(truth->f, &truth->s, t, tm->step)) return NAN;
    double x = observed(p, name), y = observed(truth, name);
    e += (x - y)*(x - y);
    size += y*y;
  }
  return sqrt(e/size);
}

/* ---- Theorem 2: orders on a smooth system whose two parts are alike in stiffness ---- */
static int shaken(epi_system *s, double t, const double *q, double *f)
{
  (void)s;
  f[0] = -q[0] - 2*q[0]*q[1] + 0.4*cos(1.3*t);
  f[1] = -q[1] - q[0]*q[0] + q[1]*q[1] + 0.3*sin(2.1*t)*q[0];
  return 0;
}
static int rubbed(epi_system *s, double t, const double *q, const double *v, double *f)
{
  (void)s, (void)t;
  double speed = 0.2*sqrt(0.5 + v[0]*v[0] + v[1]*v[1]);
  f[0] -= (0.3*(1 + q[0]*q[0]) + speed)*v[0];
  f[1] -= (0.1 + speed)*v[1];
  return 0;
}
static int tied(epi_system *s, double t, const double *q, const double *v, double *f)
{
  (void)s, (void)t;
  double x = 20*sin(q[0] + q[1]) + 2*(v[0] + v[1]);
  f[0] -= x;
  f[1] -= x;
  return 0;
}

static int moved(const char *flow, int friction, double h, long n, double *y)
{
  epi_system a = {.nq = 2, .force = shaken, .velocity_force = friction ? rubbed : NULL}, b = {.nq = 2, .velocity_force = tied};
  epi_name names[] = {{.name = "model", .system = &a}, {.name = "a", .system = &a}, {.name = "b", .system = &b}, {0}};
  epi_flow *f = epi_make_named(flow, names);
  memcpy(y, ((const double[]){0.3, -0.2, 0.1, 0.25}), 4*sizeof *y);
  int bad = epi_advance(f, &(epi_state){.y = y}, h, n);
  epi_free(f);
  return bad;
}

/* "global q FLOW" or "local v FLOW, friction": the slope of the error between steps of 1/1000 and 1/4000 */
static double order(const char *words)
{
  int single = !strncmp(words, "local", 5), from = words[single ? 6 : 7] == 'v' ? 2 : 0, friction = strstr(words, ", friction") != NULL;
  const char *flow = strchr(strchr(words, ' ') + 1, ' ') + 1;
  char *text_of = text("%.*s", (int)(friction ? strstr(flow, ", friction") - flow : (long)strlen(flow)), flow);
  double e[2] = {0}, y[4], z[4];
  int bad = 0;
  for (int k = 0; k < 2; k++) {
    double h = k ? 1./4000 : 1./1000, end = single ? h : 2;
    bad |= moved(text_of, friction, h, lround(end/h), y) | moved("dop853(sum(a, b))", friction, end/400, 400, z);
    for (int i = from; i < from + 2; i++) e[k] = fmax(e[k], fabs(y[i] - z[i]));
  }
  free(text_of);
  return bad ? NAN : log2(e[0]/e[1])/2;
}

/* ---- names ---- */
static const struct { const char *name; double (*of)(play *, const motion *, const char *); } COUNTS[] = {
  {"evaluations", evaluations}, {"stiff-evaluations", stiff_evaluations}, {NULL, NULL},
};
static const struct { const char *name; double (*of)(play *, const motion *, play *, const motion *, const char *); } ERRORS[] = {
  {"worst ", worst}, {"rms ", rms}, {NULL, NULL},
};
static const char ORDER[] = "theorem 2, ", RATIO[] = "ratio ";

static const char *after(const char *words, const char *name)
{
  size_t n = strlen(name);
  return strncmp(words, name, n) ? NULL : words + n;
}

int semi_known(const char *words)
{
  const char *rest = after(words, RATIO);
  int known = after(words, ORDER) != NULL;
  words = rest ? rest : words;
  known |= theorem_value(words, NULL, NULL);
  for (int i = 0; COUNTS[i].name; i++) known |= (rest = after(words, COUNTS[i].name)) && (!*rest || *rest == '-');
  for (int i = 0; ERRORS[i].name; i++) known |= after(words, ERRORS[i].name) != NULL;
  return known;
}

/* a measure of one run; NaN with the sentence in its failure */
static double of_run(const motion *m, const motion *tm, const char *words, evidence *e)
{
  char **why = &e->failure;
  play p = begin(m), truth = tm ? begin(tm) : (play){0};
  double x = NAN;
  const char *rest, *said = trouble(&p) ? trouble(&p) : tm ? trouble(&truth) : NULL;
  for (int i = 0; !said && COUNTS[i].name; i++) if ((rest = after(words, COUNTS[i].name))) x = COUNTS[i].of(&p, m, rest);
  for (int i = 0; !said && ERRORS[i].name; i++) if ((rest = after(words, ERRORS[i].name))) x = ERRORS[i].of(&p, m, &truth, tm, rest);
  if (isnan(x) && !*why) *why = text("%s", said ? said : trouble(&p) ? trouble(&p) : "the number is not to be had from this run");
  if (!said && !e->flagged) e->flagged = flag_of(p.c, p.f, m->flow, m->step);
  e->absent |= cause_of(&p) == EPI_ABSENT || (tm && cause_of(&truth) == EPI_ABSENT);
  finish(&p);
  finish(&truth);
  return x;
}

char *semi_by(const char *words)
{
  const char *by = NULL, *rest = after(words, ORDER);
  const char *flow = rest ? strchr(strchr(rest, ' ') + 1, ' ') + 1 : NULL, *friction = flow ? strstr(flow, ", friction") : NULL;
  if (friction) return text("%.*s on a smooth system of two parts, with friction", (int)(friction - flow), flow);
  if (flow) return text("%s on a smooth system of two parts", flow);
  return theorem_value(words, NULL, &by) && by ? text("%s", by) : NULL;
}

void semi_compute(evidence *e)
{
  const char *words = after(e->measure, RATIO), *rest = after(e->measure, ORDER);
  theorem_value(e->measure, &e->computed, NULL);
  if (rest) e->computed = order(rest);
  if (!e->run) return;
  e->computed = of_run(e->run, e->truth, words ? words : e->measure, e);
  if (words) e->computed /= of_run(e->over, e->truth, words, e);
  if (e->absent) { free(e->failure); e->failure = NULL; }
}
