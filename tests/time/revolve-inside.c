/* holds: events, rows and pictures inside the long steps of revolve are those of a resolved run, or refused
 * revolve-inside.c - what happens inside the long steps of revolve: events of coordinates that swing in every fast period are those of a
 * run that resolves all of them, or the run ends with a sentence; those of an average are told of where they are others; rows between
 * whole periods are the full motion; and pictures show how far it swings, not a line through rows that happened to fall somewhere */
#include "test.h"
#include "epicycle.h"

#define PI 3.14159265358979323846
static double w;

/* a pendulum on a pivot that vibrates */
static int pendulum(epi_system *s, double t, double theta, const double *q, double *f)
{
  (void)s; (void)t;
  f[0] = (9.8 + 4*w*cos(theta))/0.2*sin(q[0]);
  return 0;
}
static double faster(epi_system *s, double t) { (void)s; return w*(1 + t); }
static int chirped(epi_system *s, double t, double theta, const double *q, double *f)
{
  (void)s;
  f[0] = (9.8 + 4*w*(1 + t)*cos(theta))/0.2*sin(q[0]);
  return 0;
}
/* in the frame of the pivot, on its rod */
static int falling(epi_system *s, double t, double theta, const double *q, double *f)
{
  (void)s; (void)t; (void)q;
  f[0] = 0;
  f[1] = -(9.8 + 4*w*cos(theta));
  return 0;
}
static int on_rod(epi_system *s, double t, const double *q, double *g, double *G, double *gt)
{
  (void)s; (void)t; (void)gt;
  g[0] = (q[0]*q[0] + q[1]*q[1] - 0.04)/2;
  G[0] = q[0];
  G[1] = q[1];
  return 0;
}
static double far_away(void *data, double t, const double *y) { (void)data; (void)t; return y[0] - 0.01*y[1] + 3; }

enum { MOST = 4000 };
typedef struct { double t[MOST]; int direction[MOST], n, code; char error[400]; } list;
static void note(void *data, const epi_event *e)
{
  list *l = data;
  if (l->n < MOST) { l->t[l->n] = e->t; l->direction[l->n++] = e->direction; }
}

static void events_of(epi_system *m, const char *text, const double *start, double end, double step, list *l)
{
  double y[4];
  memcpy(y, start, sizeof y);
  epi_state s = {.y = y};
  epi_flow *f = epi_make_named(text, (epi_name[]){{.name = "model", .system = m}, {.name = "far", .gap = far_away}, {0}});
  l->n = 0;
  epi_on_event(f, note, l);
  l->code = epi_run(f, &s, end, step);
  snprintf(l->error, sizeof l->error, "%s", epi_error(f) ? epi_error(f) : "");
  epi_free(f);
}

/* those of revolve are those of a run that resolves everything */
static void same(epi_system *m, const char *micro, const double *start, const char *what, double end, double tol)
{
  static list a, b;
  char text[300];
  snprintf(text, sizeof text, "at(%s, %s)", m->nc ? "substeps(symmetric(verlet, order=6), 8)" : "tolerance(dop853, rtol=1e-13)", what);
  events_of(m, text, start, end, m->nc ? 0.3/w : 1e-3, &a);
  snprintf(text, sizeof text, "at(revolve(%s, rtol=1e-9, span=1), %s)", micro, what);
  events_of(m, text, start, end, end, &b);
  if (!check_count(b.code, 0)) printf("  %s: %s\n", text, b.error);
  if (!check_count(b.n, a.n)) printf("  %s, w = %g\n", text, w);
  check_above((double)a.n, 1);
  double worst = 0;
  for (int i = 0; i < a.n && i < b.n; i++) {
    worst = fmax(worst, fabs(a.t[i] - b.t[i]));
    check_count(a.direction[i], b.direction[i]);
  }
  check_below(worst*w, tol);
  if (getenv("SHOW")) printf("%s, w = %g: %d events, off by up to %.2g of a period\n", text, w, a.n, worst*w/(2*PI));
}

static void events(void)
{
  static const double pace[] = {500, 3000};
  const double start[] = {0.5, 0, 0, 0}, rod[] = {0.2*sin(0.5), 0.2*cos(0.5), 0, 0};
  epi_system plain = {.nq = 1, .phase.forced = pendulum}, chirp = {.nq = 1, .phase = {.forced = chirped, .phase_rate_at = faster}};
  epi_system held = {.nq = 2, .nc = 1, .phase.forced = falling, .constraint = on_rod};
  for (int i = 0; i < 2; i++) {
    w = pace[i];
    plain.phase.phase_rate = held.phase.phase_rate = w;
    same(&plain, "picard", start, "of=1", 0.3, 1e-5);
    same(&plain, "picard", start, "of=1, direction=up", 0.3, 1e-5);
    same(&plain, "picard", start, "of=0, level=-0.4", 0.5, 1e-5);
    same(&plain, "picard", start, "of=0", 0.5, 1e-5);
    same(&plain, "substeps(symmetric(verlet, order=8), 16)", start, "of=1, level=2", 0.1, 1e-3);
    same(&chirp, "picard", start, "of=0, level=0.2", 0.5, 1e-4);
    same(&chirp, "picard", start, "of=1, level=1", 0.2, 1e-4);
  }
  w = 500;
  held.phase.phase_rate = w;
  same(&held, "substeps(symmetric(verlet, order=6), 60)", rod, "of=2", 0.1, 1e-3);
  /* too many for one step: the first of them are found, and the rest is not passed over in silence */
  static list l;
  w = plain.phase.phase_rate = 1e6;
  events_of(&plain, "at(revolve(picard, span=1), of=1)", start, 0.5, 0.5, &l);
  check(l.code < 0);
  check_has(l.error, "crosses its level in fast periods");
  check_above((double)l.n, 1000);
  events_of(&plain, "at(revolve(picard, span=1), of=1, level=-0.5, stop=1)", start, 0.5, 0.5, &l);
  check_count(l.code, EPI_STOPPED);
  check_below(l.t[0]*w, 2*PI);
  /* what stays away from zero, and what swings less than the way it goes, costs some looks */
  events_of(&plain, "at(revolve(picard, span=1), gap=far)", start, 0.5, 0.5, &l);
  check_count(l.code, 0);
  check_count(l.n, 0);
  events_of(&plain, "at(revolve(picard, span=1), of=0, level=0.1)", start, 0.5, 0.5, &l);
  check_count(l.code, 0);
  check_above((double)l.n, 2);
}

/* events of a slow solution are its own: told of where the motion itself has others, also where the slow one has none */
static void slow_events(void)
{
  static const char *const flows[] = {"rk4(strobe(substeps(rk4, 40), order=4))", "rk4(hmm(symmetric(verlet), steps=32))"};
  static const struct { const char *what; int told; } all[] = {{"of=1", 1}, {"of=1, level=8", 1}, {"of=1, level=40", 0}, {"of=0", 0},
                                                              {"of=0, level=0.3", 0}};
  epi_system plain = {.nq = 1, .phase = {.forced = pendulum, .phase_rate = w = 1e4}};
  for (int i = 0; i < 2; i++)
    for (size_t k = 0; k < sizeof all/sizeof *all; k++) {
      char text[200];
      double y[2] = {0.5, 0};
      epi_state s = {.y = y};
      snprintf(text, sizeof text, "at(%s, %s)", flows[i], all[k].what);
      epi_flow *f = epi_make(text, &plain);
      const char *said = NULL;
      if (!check_count(epi_run(f, &s, 0.4, 0.02), 0)) printf("  %s\n", epi_error(f));
      for (int n = 0; epi_warning(f, n); n++) if (strstr(epi_warning(f, n), "are those of the slow solution")) said = epi_warning(f, n);
      if (!check_count(said != NULL, all[k].told)) printf("  %s: %s\n", text, said ? said : "");
      epi_free(f);
    }
}

/* ---- rows and pictures ---- */
static epi_result *run(epi_case *c, const char *flow, epi_run_options o)
{
  epi_result *r = epi_result_make(c, flow, &o);
  if (epi_result_run(r)) test_stop(r->error);
  return r;
}

static void rows(void)
{
  epi_case *c = epi_case_make("inverted-pendulum(w=1e4)");
  epi_run_options o = {.step = 0.0713, .end = 0.499, .every = 0.0713, .fast = 1, .pictures = 1};
  epi_result *r = run(c, "revolve(picard, rtol=1e-8, span=1)", o);
  o.fast = 0;
  o.step = 1e-4;
  epi_result *d = run(c, "tolerance(dop853, rtol=1e-13)", o), *p = NULL;
  check_count(r->fast, 1);
  check_count(r->kept.rows, d->kept.rows);
  int first = 1 + 2 + r->nobs, n = r->kept.n;
  double worst = 0;
  for (int i = 0; i < r->kept.rows && i < d->kept.rows; i++)
    for (int k = 0; k < 2; k++) {
      double x = r->kept.x[i*n + first + k];
      check_count(x == r->kept.x[i*n + 1 + k], 1);
      worst = fmax(worst, fabs(x - d->kept.x[i*d->kept.n + 1 + k]));
    }
  check_below(worst, 3e-7);
  if (getenv("SHOW")) printf("rows between whole periods are off by %.2g\n", worst);
  /* between two rows v goes as far as in the run that sees all of it; there are no columns for what is no other solution */
  o.step = 0.0713;
  p = run(c, "revolve(picard, rtol=1e-8, span=1)", o);
  check_count(p->fast, 0);
  check_count(p->ncol, d->ncol);
  double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
  for (int i = 0; i < p->kept.rows; i++)
    for (int k = 0; k < 2; k++) {
      const epi_reel *s = k ? &d->kept : &p->kept;
      const double *least = s->passed + (size_t)i*(EPI_LEAST + 4*(size_t)s->n) + EPI_LEAST;
      low[k] = fmin(low[k], least[2]);
      high[k] = fmax(high[k], least[2 + s->n]);
    }
  check_rel(low[0], low[1], 0.1);
  check_rel(high[0], high[1], 0.1);
  check_above(high[0], 8);
  epi_result_free(r);
  epi_result_free(d);
  epi_result_free(p);
  epi_case_free(c);
}

int main(void)
{
  events();
  slow_events();
  rows();
  return test_done();
}
