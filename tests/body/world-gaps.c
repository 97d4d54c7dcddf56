/* holds: contacts of worlds as gaps agree with differences, and steps follow them */
#include "epicycle.h"
#include "test.h"

static epi_case *made(const char *text)
{
  epi_case *c = epi_case_make(text);
  if (!c || c->error[0]) test_stop(c ? c->error : "no case");
  return c;
}

/* g along a motion by its own rate, a little there and back, against G v; rotations too */
static void rows(const char *model, double t, const char *flow, double h)
{
  epi_case *c = made(model);
  epi_system *m = &c->system;
  epi_state s = epi_case_state(c);
  epi_flow *f = epi_case_flow(c, flow);
  if (t > 0 && epi_run(f, &s, t, h)) test_stop(epi_error(f));
  int n = m->nv, touched = 0;
  if (!check(m->contacts.ng > 0 && m->contacts.gap && m->contacts.stiffness)) { epi_free(f); epi_case_free(c); return; }
  double *room = calloc((size_t)(4*m->contacts.ng + m->contacts.ng*n + 2*m->nq + 2*n), sizeof *room), *g = room,
    *there = g + m->contacts.ng, *G = there + 3*m->contacts.ng;
  double *q = G + m->contacts.ng*n, *move = q + m->nq, worst = 0;
  for (int side = -1; side <= 1; side += 2) {
    for (int i = 0; i < n; i++) move[i] = side*1e-6*sin(1.7*i + 0.3)*(i % 6 < 3 ? 1e-2 : 1);
    m->manifold.retract(m, s.y, move, q);
    check_count(m->contacts.gap(m, s.t, q, side < 0 ? there : there + m->contacts.ng, G), 0);
  }
  check_count(m->contacts.gap(m, s.t, s.y, g, G), 0);
  for (int k = 0; k < m->contacts.ng; k++) {
    double want = (there[m->contacts.ng + k] - there[k])/2, got = 0;
    for (int i = 0; i < n; i++) got += G[k*n + i]*1e-6*sin(1.7*i + 0.3)*(i % 6 < 3 ? 1e-2 : 1);
    worst = fmax(worst, fabs(got - want));
    touched += g[k] < 0;
    check(m->contacts.stiffness[k] > 0 && m->contacts.stiffness[k] < HUGE_VAL);
  }
  printf("%s: %d gaps, %d touched, rows within %.2g of what they move by, stiffness %.3g\n", model, m->contacts.ng, touched, worst,
         m->contacts.stiffness[0]);
  /* of waves on a race, 3e-7 m high, rows know nothing */
  check_below(worst, strstr(model, "waviness") ? 1e-9 : 1e-11);
  free(room);
  epi_free(f);
  epi_case_free(c);
}

/* bounces without damping: where it is after five of them, and how often it was asked */
static double bounce(const char *flow, double h, long *calls, double *energy)
{
  epi_case *c = made("drop(chi=0)");
  epi_state s = epi_case_state(c);
  epi_flow *f = epi_case_flow(c, flow);
  if (epi_run(f, &s, 1, h)) test_stop(epi_error(f));
  double z = s.y[2], before = 0.1*9.81*0.07;
  *calls = epi_calls(f);
  *energy = c->system.energy(&c->system, s.t, s.y)/before - 1;
  epi_free(f);
  epi_case_free(c);
  return z;
}

static void followed(void)
{
  long calls, plain;
  double energy, off, truth = bounce("verlet", 2e-6, &calls, &off);
  for (int k = 0; k < 2; k++) {
    char flow[64];
    snprintf(flow, sizeof flow, "density(verlet, objective=contact, eps=%g)", k ? 0.003 : 0.01);
    double z = bounce(flow, 1, &calls, &energy);
    printf("density: %ld evaluations, %.2g m off, energy %.2g\n", calls, z - truth, energy);
    check_abs(z, truth, k ? 1e-7 : 3e-6);
    check_below((double)calls, k ? 8000 : 2600);
    check_abs(energy, 0, 5e-5);
  }
  /* twenty times as many of one length are worse */
  double z = bounce("verlet", 2e-5, &plain, &off);
  printf("verlet: %ld evaluations, %.2g m off\n", plain, z - truth);
  check(fabs(z - truth) > 1e-6 && plain > 15*calls/2);
}

/* with damping, by a method that asks for the contacts once a step: Sundman's steps. Held against CVODE at 1e-12 */
static void damped(void)
{
  static const struct { double eps, off; long most; } rows[] = {{0.03, 3e-5, 300}, {0.01, 1e-6, 600}, {0.003, 6e-7, 1700}};
  for (int k = 0; k < 3; k++) {
    char flow[128];
    snprintf(flow, sizeof flow, "density(semi(model.contacts, model.stiff, ahead=1), objective=contact, form=sundman, eps=%g)",
             rows[k].eps);
    epi_case *c = made("drop");
    epi_state s = epi_case_state(c);
    epi_flow *f = epi_case_flow(c, flow);
    if (epi_run(f, &s, 0.5, 0.5)) test_stop(epi_error(f));
    printf("sundman, eps = %g: %ld evaluations, %.2g m off\n", rows[k].eps, epi_calls(f), s.y[2] - 0.0405653078);
    check_abs(s.y[2], 0.0405653078, rows[k].off);
    check_below((double)epi_calls(f), (double)rows[k].most);
    epi_free(f);
    epi_case_free(c);
  }
}

/* slices have no gap of one point, and what has no contacts has none */
static void without(const char *model)
{
  epi_case *c = made(model);
  epi_flow *f = epi_case_flow(c, "density(verlet, objective=contact)");
  check(epi_error(f) && strstr(epi_error(f), "fill in ng, gap and stiffness"));
  epi_free(f);
  epi_case_free(c);
}

int main(void)
{
  rows("drop", 0, "semi(model.contacts, model.stiff)", 1e-6);
  rows("cradle", 0, "semi(model.contacts, model.stiff)", 1e-6);
  rows("rolling-sphere", 0, "semi(model.contacts, model.stiff)", 1e-6);
  rows("bearing", 2e-4, "nam(model.contacts, model.stiff, tol=1e-3)", 2e-4);
  rows("bearing(preload=20, chi=0.02, waviness=3e-7)", 1e-4, "nam(model.contacts, model.stiff, tol=1e-3)", 1e-4);
  followed();
  damped();
  without("heavy-top");
  return test_done();
}
