/* holds: discrete Lagrangians of rotating bodies have their order, momenta and bounded energy error
 * variational-bodies.c - discrete Lagrangians of bodies that turn: the order, momenta, the energy that stays near, and steps that follow
 * contacts */
#include "epicycle.h"
#include "test.h"

/* a free body that tumbles beside a spring that pulls it off its centre */
static epi_world *tumbling(int spring)
{
  epi_world *w = epi_world_make();
  int a = epi_add_body(w, &(epi_body){.name = "a", .mass = 2, .inertia = {0.3, 0.5, 0.7}, .spin = {1, 2, -1.5}, .velocity = {0.3, 0, 0.1}});
  int b = epi_add_body(w, &(epi_body){.name = "b", .mass = 1, .inertia = {0.1, 0.15, 0.2}, .at = {1.5, 0.2, 0}, .spin = {0.5, -1, 0}});
  if (spring)
    epi_add_spring(w, &(epi_spring){.name = "spring", .a = a, .b = b, .at_a = {0.3, 0.1, 0}, .at_b = {-0.2, 0, 0.1}, .stiffness = 6,
                                    .length = 0.5});
  if (epi_world_error(w)) test_stop(epi_world_error(w));
  return w;
}

static void turned(const double *q, const double *x, double *out)
{
  double a = q[0], b = q[1], c = q[2], d = q[3];
  out[0] = (a*a + b*b - c*c - d*d)*x[0] + 2*(b*c - a*d)*x[1] + 2*(b*d + a*c)*x[2];
  out[1] = 2*(b*c + a*d)*x[0] + (a*a - b*b + c*c - d*d)*x[1] + 2*(c*d - a*b)*x[2];
  out[2] = 2*(b*d - a*c)*x[0] + 2*(c*d + a*b)*x[1] + (a*a - b*b - c*c + d*d)*x[2];
}

/* of both bodies, in space: momentum and angular momentum about the origin */
static void momenta(const double *y, double *out)
{
  static const double mass[] = {2, 1}, inertia[2][3] = {{0.3, 0.5, 0.7}, {0.1, 0.15, 0.2}};
  memset(out, 0, 6*sizeof *out);
  for (int b = 0; b < 2; b++) {
    const double *q = y + 7*b, *v = y + 14 + 6*b;
    double own[3], L[3];
    for (int i = 0; i < 3; i++) own[i] = inertia[b][i]*v[3 + i];
    turned(q + 3, own, L);
    for (int i = 0; i < 3; i++) {
      int j = (i + 1) % 3, k = (i + 2) % 3;
      out[i] += mass[b]*v[i];
      out[3 + i] += L[i] + mass[b]*(q[j]*v[k] - q[k]*v[j]);
    }
  }
}

static int go(int spring, const char *flow, double h, double end, double *y, double *energy)
{
  epi_world *w = tumbling(spring);
  epi_flow *f = epi_world_flow(w, flow);
  epi_state s = epi_world_state(w);
  epi_system *m = epi_world_system(w);
  double E0 = m->energy(m, 0, s.y);
  int bad = epi_run(f, &s, end, h);
  if (bad) printf("  %s: %s\n", flow, epi_error(f));
  memcpy(y, s.y, 26*sizeof *y);
  *energy = m->energy(m, s.t, s.y)/E0 - 1;
  epi_free(f);
  epi_world_free(w);
  return bad;
}

static double apart(const double *a, const double *b)
{
  double most = 0;
  for (int i = 0; i < 26; i++) most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

static void bodies(void)
{
  static const struct { const char *flow; int order; } rows[] = {{"variational", 2}, {"variational(alpha=0, symmetric=1)", 2},
    {"variational(alpha=0)", 1}, {"variational(alpha=1)", 1}, {"variational(alpha=0.3)", 1}, {"variational(order=4)", 4}};
  for (int spring = 0; spring < 2; spring++)
    for (size_t k = 0; k < sizeof rows/sizeof *rows; k++) {
      double truth[26], y[26], before[6], after[6], e[2], energy;
      check_count(go(spring, "symmetric(verlet, order=8)", 0.01, 2, truth, &energy), 0);
      check_count(go(spring, "verlet", 1, 0, y, &energy), 0);
      momenta(y, before);
      for (int i = 0; i < 2; i++) {
        check_count(go(spring, rows[k].flow, i ? 0.01 : 0.02, 2, y, &energy), 0);
        e[i] = apart(y, truth);
        momenta(y, after);
        for (int n = 0; n < 6; n++) check_abs(after[n], before[n], 2e-12);
      }
      double p = log2(e[0]/e[1]);
      printf("%s, %s: errors %.2g and %.2g, order %.2f, energy %.2g\n", spring ? "with a spring" : "free", rows[k].flow, e[0], e[1], p,
             energy);
      /* without a force it does not matter where that is taken */
      int order = spring || rows[k].order > 2 ? rows[k].order : 2;
      check_between(p, order - 0.2, order + 0.4);
    }
}

/* the energy of a long run does not drift */
static void long_run(void)
{
  double y[26], energy;
  check_count(go(1, "variational", 0.05, 200, y, &energy), 0);
  printf("4000 steps of 0.05: energy %.2g\n", energy);
  check_abs(energy, 0, 5e-3);
}

/* a ball that turns and bounces on a plane, in steps that follow the contact */
static void bounces(void)
{
  epi_case *c = epi_case_make("drop(chi=0)");
  if (c->error[0]) test_stop(c->error);
  double truth = 0.06937916;
  for (int k = 0; k < 2; k++) {
    char flow[96];
    snprintf(flow, sizeof flow, "variational(scaling=contact, smooth=2e-3, limit=1, eps=%g)", k ? 0.005 : 0.01);
    epi_flow *f = epi_case_flow(c, flow);
    epi_state s = epi_case_state(c);
    double E0 = c->system.energy(&c->system, 0, s.y);
    s.y[c->system.nq + 3] = 5, s.y[c->system.nq + 4] = -3;
    E0 += 0.5*0.4*0.1*4e-4*34;
    if (check_count(epi_run(f, &s, 1, 1), 0)) {
      double E = c->system.energy(&c->system, s.t, s.y);
      printf("%s: %ld evaluations, z %.3g off, energy %.2g\n", flow, epi_calls(f), s.y[2] - truth, E/E0 - 1);
      check_abs(s.y[2], truth, k ? 4e-5 : 1e-4);
      check_abs(E/E0, 1, 1e-3);
      check_abs(s.y[c->system.nq + 3], 5, 1e-10);
    } else printf("  %s\n", epi_error(f));
    epi_free(f);
  }
  epi_case_free(c);
}

static void refused(const char *model, const char *flow, const char *words)
{
  epi_case *c = epi_case_make(model);
  epi_flow *f = epi_case_flow(c, flow);
  check_has(epi_error(f) ? epi_error(f) : "", words);
  epi_free(f);
  epi_case_free(c);
}

int main(void)
{
  refused("drop", "variational(scaling=contact, smooth=2e-3, limit=1)", "would lose what damping and friction");
  refused("drop(chi=0)", "variational(scaling=contact)", "give smooth (m) and limit");
  bodies();
  long_run();
  bounces();
  return test_done();
}
