/* axes.c - joints by their kinds, axes of joints, couplings: gradients and second derivatives against differences, turns without end, and
 * motions against closed forms */
#include "cases.h"

#define PI 3.14159265358979323846

/* ---- derivatives ---- */
static unsigned seed = 7;
static double random_number(void)
{
  seed = seed*1664525u + 1013904223u;
  return (seed >> 8)/8388608.0 - 1;
}

static void random_unit(double *q)
{
  double size = 0;
  for (int i = 0; i < 4; i++) { q[i] = random_number(); size += q[i]*q[i]; }
  for (int i = 0; i < 4; i++) q[i] /= sqrt(size);
}

/* two bodies anywhere, moving anyhow, between them what `add` adds: G v + gt is the rate of g, bend the rate of that */
static void derivatives(const char *what, int (*add)(epi_world *), int rows, double bound)
{
  for (int n = 0; n < 20; n++) {
    epi_world *w = epi_world_make();
    for (int i = 0; i < 2; i++) {
      epi_body b = {.mass = 1, .inertia = {1, 1.2, 0.9}};
      random_unit(b.attitude);
      for (int k = 0; k < 3; k++) { b.at[k] = random_number(); b.velocity[k] = random_number(); b.spin[k] = random_number(); }
      epi_add_body(w, &b);
    }
    add(w);
    epi_system *m = epi_world_system(w);
    if (epi_world_error(w)) { printf("%s: %s\n", what, epi_world_error(w)); check(0); epi_world_free(w); return; }
    check_count(m->nc, rows);
    epi_state s = epi_world_state(w);
    double g[2][8], G[200], gt[8], rate[3][8], bend[8], dq[12], q[40], h = 1e-4;
    const double *v = s.y + m->nq;
    /* -h, h for the rate of g; the rates themselves at -h, 0, h */
    for (int side = 0; side < 3; side++) {
      double by = (side - 1)*h;
      for (int i = 0; i < 12; i++) dq[i] = by*v[i];
      m->retract(m, s.y, dq, q);
      double here[8];
      check_count(m->constraint(m, 0.3 + by, q, here, G, gt), 0);
      for (int r = 0; r < rows; r++) {
        rate[side][r] = gt[r];
        for (int k = m->rowptr[r]; k < m->rowptr[r+1]; k++) rate[side][r] += G[k]*v[m->cols[k]];
        if (side != 1) g[side/2][r] = here[r];
      }
    }
    check_count(m->constraint_bend(m, 0.3, 1e-2, s.y, v, bend), 0);
    for (int r = 0; r < rows; r++) {
      check_near((g[1][r] - g[0][r])/(2*h), rate[1][r], bound, bound);
      check_near((rate[2][r] - rate[0][r])/(2*h), bend[r], bound, bound);
    }
    epi_world_free(w);
  }
}

static epi_joint any_joint(int hold)
{
  epi_joint j = {.a = 0, .b = 1, .hold = hold, .as = EPI_CONSTRAINT};
  random_unit(j.frame_a);
  random_unit(j.frame_b);
  for (int k = 0; k < 3; k++) { j.at_a[k] = random_number(); j.at_b[k] = random_number(); }
  return j;
}

static int add_universal(epi_world *w) { epi_joint j = any_joint(EPI_UNIVERSAL); return epi_add_joint(w, &j); }
static int add_cylindrical(epi_world *w) { epi_joint j = any_joint(EPI_CYLINDRICAL); return epi_add_joint(w, &j); }
static int add_planar(epi_world *w) { epi_joint j = any_joint(EPI_PLANAR); return epi_add_joint(w, &j); }
static int add_circle(epi_world *w) { epi_joint j = any_joint(EPI_ON_CIRCLE); j.radius = 0.7; return epi_add_joint(w, &j); }

static int swinging(const void *data, const epi_instant *now, double out[3])
{
  (void)data;
  out[0] = 2 + 0.3*sin(2*now->t);
  out[1] = 0.6*cos(2*now->t);
  out[2] = -1.2*sin(2*now->t);
  return 0;
}

static int add_rod(epi_world *w)
{
  epi_joint j = any_joint(EPI_ROD);
  j.stretch.at = swinging;
  return epi_add_joint(w, &j);
}

/* free of rows of its own: only what is coupled is looked at */
static int coupled(epi_world *w, int hold, int axis, double factor, int two, int second, double other)
{
  epi_joint j = any_joint(hold);
  j.as = EPI_PENALTY;
  j.stiffness[0] = j.stiffness[1] = 1;
  int a = epi_add_joint(w, &j), b = a;
  if (two) { j = any_joint(hold); j.as = EPI_PENALTY; j.b = EPI_GROUND; j.stiffness[0] = j.stiffness[1] = 1; b = epi_add_joint(w, &j); }
  return epi_add_coupling(w, &(epi_coupling){.terms = other != 0 ? 2 : 1, .term = {{a, axis, factor}, {b, second, other}},
                                             .drive = {.at = swinging}, .from_start = 1});
}
static int couple_hinge(epi_world *w) { return coupled(w, EPI_HINGE, EPI_RZ, 1, 0, 0, 0); }
static int couple_screw(epi_world *w) { return coupled(w, EPI_CYLINDRICAL, EPI_Z, 1, 0, EPI_RZ, -0.3); }
static int couple_gears(epi_world *w) { return coupled(w, EPI_HINGE, EPI_RZ, 2, 1, EPI_RZ, 3); }
static int couple_slider(epi_world *w) { return coupled(w, EPI_SLIDER, EPI_X, 1, 0, 0, 0); }
static int couple_cross(epi_world *w) { return coupled(w, EPI_UNIVERSAL, EPI_RX, 1, 0, EPI_RZ, 0.7); }
static int couple_about_y(epi_world *w) { return coupled(w, EPI_ALL & ~EPI_RY, EPI_RY, 1, 0, 0, 0); }

static void all_derivatives(void)
{
  derivatives("universal", add_universal, 4, 1e-6);
  derivatives("cylindrical", add_cylindrical, 4, 1e-6);
  derivatives("planar", add_planar, 3, 1e-6);
  derivatives("circle", add_circle, 2, 1e-5);
  derivatives("rod", add_rod, 1, 1e-6);
  derivatives("hinge angle", couple_hinge, 1, 1e-5);
  derivatives("screw", couple_screw, 1, 1e-5);
  derivatives("gears", couple_gears, 1, 1e-4);
  derivatives("slider", couple_slider, 1, 1e-6);
  derivatives("cross", couple_cross, 1, 1e-4);
  derivatives("about y", couple_about_y, 1, 1e-5);
}

int main(void)
{
  all_derivatives();
  return test_done();
}
