/* holds: models with gaps report their contacts rightly, and contacts keep the momenta they should */
#include "differences.h"

static epi_case *make(const char *text)
{
  epi_case *c = epi_case_make(text);
  if (!c || c->error[0]) test_stop(c ? c->error : "no case");
  return c;
}

static double observed(const epi_case *c, const char *name, const epi_state *s)
{
  const epi_observable *o = c->model->observables;
  while (o->name && strcmp(o->name, name)) o++;
  return o->name ? o->value(c, s) : NAN;
}

/* the largest |dg/dq - G|, and of force - sum K max(0, -g) G, against K */
static void gap_errors(epi_system *m, const double *start, double *rows, double *law)
{
  int n = m->nq, ng = m->contacts.ng;
  double y[MOST], g[MOST], up[MOST], down[MOST], G[MOST*MOST], other[MOST*MOST], f[MOST], e = 1e-6;
  memcpy(y, start, (size_t)epi_size(m)*sizeof *y);
  if (m->contacts.gap(m, 0.3, y, g, G) || m->force(m, 0.3, y, f)) test_stop("a gap failed");
  *rows = *law = 0;
  for (int i = 0; i < n; i++) {
    double keep = y[i];
    y[i] = keep + e;
    m->contacts.gap(m, 0.3, y, up, other);
    y[i] = keep - e;
    m->contacts.gap(m, 0.3, y, down, other);
    y[i] = keep;
    for (int c = 0; c < ng; c++) {
      *rows = fmax(*rows, fabs(G[c*n + i] - (up[c] - down[c])/(2*e)));
      f[i] -= m->contacts.stiffness[c]*fmax(0, -g[c])*G[c*n + i];
    }
    *law = fmax(*law, fabs(f[i])/m->contacts.stiffness[ng - 1]);
  }
}

/* balls in every wall and on one another, by all gaps at once */
static const double CROWD[] = {0.05, 0.92, 0.2, 0.86, 0.93, 0.97, 0.83, 0.81, 0, 0, 0, 0, 0, 0, 0, 0};
static const double HEAP[] = {0.5, 0.52, 0.61, 0.58, 0.44, 0.6, 0.55, 0.41, 0, 0, 0, 0, 0, 0, 0, 0};

static void contacts(void)
{
  static const struct { const char *text; int gaps; double y[2*8]; const double *crowd; } AT[] = {
    {"bounce", 2, {0.3}, NULL}, {"bounce", 2, {-0.02}, NULL}, {"bounce(K1=7, K2=3)", 2, {-2, 1}, NULL},
    {"billiard", 22, {0}, CROWD}, {"billiard", 22, {0}, HEAP}, {"billiard(walls=0)", 6, {0}, HEAP},
    {"billiard(setup=ring, K=5e4, r=0.12)", 22, {0}, CROWD}
  };
  for (size_t i = 0; i < sizeof AT/sizeof *AT; i++) {
    epi_case *c = make(AT[i].text);
    const double *y = AT[i].crowd ? AT[i].crowd : AT[i].y;
    double rows, law, near[MOST];
    check_count(c->system.contacts.ng, AT[i].gaps);
    check_count(c->system.contacts.impulsive, 0);
    gap_errors(&c->system, y, &rows, &law);
    check_below(rows, 1e-8);
    check_below(law, 1e-15);
    check_below(potential_error(&c->system, y), 1e-8);
    for (int k = 0; k < epi_size(&c->system); k++) near[k] = y[k] - 0.01*(k + 1);
    if (!check_below(slope_error(&c->system, near), 1e-8)) printf("  %s\n", AT[i].text);
    epi_case_free(c);
  }
  /* in this order: x and 1 - x of the first ball come first, the pair of the last two comes last */
  epi_case *c = make("billiard");
  double g[22], G[22*8];
  c->system.contacts.gap(&c->system, 0, CROWD, g, G);
  check_array(4, g, ((double[]){-0.05, 0.85, 0.82, -0.02}), 1e-15);
  check_abs(g[21], hypot(0.1, 0.16) - 0.2, 1e-15);
  check_count(c->system.force(&c->system, 0, (double[8]){0.5, 0.5, 0.5, 0.5, 0.2, 0.2, 0.8, 0.8}, g), EPI_TOO_FAR);
  epi_case_free(c);
}

/* without walls the momenta stay, also in hits that are not head-on; with them they do not */
static void momenta(void)
{
  static const char *const names[] = {"Px", "Py", "L"};
  for (int walls = 0; walls < 2; walls++) {
    epi_case *c = make(walls ? "billiard" : "billiard(walls=0)");
    epi_flow *f = epi_case_flow(c, NULL);
    epi_state s = epi_case_state(c);
    double start[3], worst = 0, hits = 0;
    s.y[3] += 0.02;
    for (int i = 0; i < 3; i++) start[i] = observed(c, names[i], &s);
    check_abs(start[0], 1, 0);
    check_abs(start[2], 0, 1e-16);
    for (int k = 1; k <= 100; k++) {
      if (epi_run(f, &s, 1.2*k/100, 5e-4)) test_stop(epi_error(f));
      hits += observed(c, "energy", &s) - c->system.energies.kinetic(&c->system, 0, s.y) > 0.01;
      for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(observed(c, names[i], &s) - start[i]));
    }
    printf("billiard, walls %d: momenta change by %.2g\n", walls, worst);
    if (walls) check_above(worst, 0.5);
    else check_below(worst, 5e-13);
    check_above(hits, 2);
    check_above(fabs(s.y[8] - s.y[9]), 0.1);
    epi_free(f);
    epi_case_free(c);
  }
}

/* one unit mass at a time moves in either set-up, and the one that carries the motion has all of the energy between hits */
static void carried(void)
{
  static const char *const texts[] = {"billiard", "billiard(setup=ring)", "billiard(walls=0)"};
  static const double ends[] = {3, 1.3, 3};
  for (int i = 0; i < 3; i++) {
    epi_case *c = make(texts[i]);
    double y[16], worst = 0, turned = 0;
    for (int k = 0; k <= 3000; k++) {
      epi_state s = {.t = ends[i]*k/3000, .y = y};
      if (c->model->exact(c, s.t, y)) test_stop("the exact motion is not known");
      worst = fmax(worst, fabs(observed(c, "energy", &s) - 1));
      turned += observed(c, "speed", &s) == 0;
    }
    check_below(worst, 1e-13);
    check_above(turned, 300);
    epi_case_free(c);
  }
  /* from the fourth hit on, which is not head-on, the ring has no closed form; nor before its start */
  epi_case *c = make("billiard(setup=ring)");
  double y[16];
  check_count(c->model->exact(c, 1.36, y), 0);
  check_count(c->model->exact(c, 1.37, y), EPI_TOO_FAR);
  check_count(c->model->exact(c, -0.1, y), EPI_TOO_FAR);
  epi_case_free(c);
}

/* Verlet's method, h = T/200000, brings the cradle back to 2e-7 after its period */
static void returns(void)
{
  epi_case *c = make("billiard");
  epi_flow *f = epi_case_flow(c, "verlet");
  epi_state s = epi_case_state(c);
  double T = 2*(0.8 - 0.6/sqrt(2)) + 3*acos(-1)/sqrt(2e4) + 2*acos(-1)/100, worst = 0;
  check_rel(T, 0.880946959720314, 1e-14);
  if (epi_advance(f, &s, T/200000, 200000)) test_stop(epi_error(f));
  for (int i = 0; i < 16; i++) worst = fmax(worst, fabs(s.y[i] - c->y[i]));
  printf("billiard: back to %.2g after a period\n", worst);
  check_below(worst, 2e-7);
  epi_free(f);
  epi_case_free(c);
}

int main(void)
{
  contacts();
  momenta();
  carried();
  returns();
  return test_done();
}
