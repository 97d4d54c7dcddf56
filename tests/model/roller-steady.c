/* holds: speeds, skew and loads of the roller bearing in steady motion are those of references and the textbook
 * roller-steady.c - the roller bearing in steady motion, means from 100 to 150 ms: speeds, skew, balance and the loads around the ring
 * against figures computed elsewhere and the textbook; and how long steps may be
 * label: soak */
#include "roller-bearings.h"

static const double PI = 3.14159265358979323846;
enum { BINS = 13 };

/* means; loads of rollers by their angle from the load, 5 degrees each */
typedef struct { double cage, orbit, spin, skew, y, F[3], Q[BINS], least; long near, samples, in[BINS], unloaded; double gap[2]; } steady;

static void add(const epi_case *c, const epi_state *s, steady *m)
{
  m->samples++;
  m->cage += observed(c, "cage-speed", s);
  m->y += observed(c, "y", s);
  for (int k = 0; k < ROLLERS; k++) {
    epi_action o = bearing_contact(c, s, "outer", k + 1), i = bearing_contact(c, s, "inner", k + 1);
    epi_pose p = epi_world_pose(c->world, s, BODY_ROLLERS + k);
    double rho = hypot(p.r[0], p.r[1]), psi = remainder(atan2(p.r[1], p.r[0]) + PI/2, 2*PI)*180/PI;
    int bin = (int)lround(fabs(psi)/5);
    for (int j = 0; j < 3; j++) m->F[j] -= i.force[j];
    if (bin < BINS) m->Q[bin] += o.load, m->in[bin]++;
    if (fabs(psi) > 90) m->gap[1] += o.load - i.load, m->unloaded++;
    if (fabs(psi) > 20) continue;
    m->near++;
    m->gap[0] += o.load - i.load;
    m->orbit += (p.r[0]*p.v[1] - p.r[1]*p.v[0])/(rho*rho);
    m->spin += p.w[0]*p.R[2] + p.w[1]*p.R[5] + p.w[2]*p.R[8];
    m->skew += (k < ROLLERS/2 ? 1 : -1)*asin((p.R[5]*p.r[0] - p.R[2]*p.r[1])/rho);
  }
}

static void means(void)
{
  static const double here[BINS] = {1771, 1760, 1713, 1619, 1482, 1326, 1146, 937, 698, 470, 270, 107, 18};
  static const double book[BINS] = {1792, 1773, 1718, 1628, 1501, 1340, 1149, 937, 710, 480, 271, 105, 10.5};
  epi_case *c = bearing_make(R0);
  epi_flow *f = epi_case_flow(c, "nam(model.contacts, model.stiff, tol=1e-3)");
  epi_state s = epi_case_state(c);
  steady m = {0};
  bearing_run(f, &s, 0.1, 0.1);
  for (int k = 1; k <= 2500; k++) {
    bearing_run(f, &s, 0.1 + 2e-5*k, 2e-5);
    add(c, &s, &m);
  }
  double n = (double)m.samples, near = (double)m.near;
  printf("%ld sweeps: cage %.4f, orbit %.5f, spin %.4f rad/s, skew %.3f mrad, y %.5f um\n", epi_calls(f), m.cage/n, m.orbit/near,
         m.spin/near, 1e3*m.skew/near, 1e6*m.y/n);
  printf("on the inner ring %.3f, %.3f, %.3f N; Qo - Qi %.3f loaded, %.4f not\n", m.F[0]/n, m.F[1]/n, m.F[2]/n, m.gap[0]/near,
         m.gap[1]/(double)m.unloaded);
  check(!epi_warning(f, 0));
  check_abs(m.cage/n, 133.83, 0.3);
  check_rel(m.orbit/near, 132.813, 1e-4);
  check_rel(m.orbit/near, 132.815, 1e-3);
  check_rel(m.spin/near, -855.305, 1e-4);
  check_rel(m.spin/near, -845.41, 0.015);
  check_abs(1e3*m.skew/near, -8.6, 0.4);
  check_abs(1e6*m.y/n, -30.514, 0.01);
  check_abs(m.F[1]/n, 10003.03, 0.5);
  check_abs(m.F[0]/n, 0.25, 0.3);
  check_abs(m.F[2]/n, 0, 0.2);
  check_between(m.gap[0]/near, 1.7, 2.4);
  /* those above carry some of their weight, those below more than it */
  check_abs(m.gap[1]/(double)m.unloaded, 2.4535, 0.06);
  for (int k = 0; k < BINS; k++) {
    double Q = m.Q[k]/(double)m.in[k];
    printf("%2d deg: %.1f N, elsewhere %.0f, textbook %.0f\n", 5*k, Q, here[k], book[k]);
    if (k <= 7) { check_rel(Q, here[k], 5e-3); check_rel(Q, book[k], 0.015); }
    else check_abs(Q, here[k], 5);
  }
  epi_free(f);
  epi_case_free(c);
}

/* 5 ms with one step: the load at the end where it is stable, or 0 */
static double stays(const char *flow, double h)
{
  epi_case *c = bearing_make(R1);
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  int bad = epi_advance(f, &s, h, lround(5e-3/h));
  /* what is cut into shorter steps says so */
  if (epi_warning(f, 0)) bad = 1;
  double Q = bad ? 0 : observed(c, "Qo-sum", &s), skew = observed(c, "skew", &s);
  printf("%s, h = %g: %s, %.5g N, skew %.3g mrad\n", flow, h, bad ? "not stable" : "stable", Q, 1e3*skew);
  epi_free(f);
  epi_case_free(c);
  return fabs(Q/11200 - 1) < 0.05 ? Q : 0;
}

static void limits(void)
{
  static const char plain[] = PLAIN, ahead[] = AHEAD, one[] = "nam(model.contacts, model.stiff)";
  check(stays(plain, 4e-6) > 0);
  check(!(stays(plain, 4.5e-6) > 0));
  check(stays(ahead, 2e-6) > 0);
  check(!(stays(ahead, 4e-6) > 0));
  check(stays(one, 5.5e-6) > 0);
  check(!(stays(one, 6.2e-6) > 0));
}

int main(void)
{
  limits();
  means();
  return test_done();
}
