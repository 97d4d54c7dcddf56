/* holds: gradients and second derivatives of joints and couplings agree with differences, and motions with closed forms
 * axes.c - joints by their kinds, axes of joints, couplings: gradients and second derivatives against differences, turns without end, and
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
      m->manifold.retract(m, s.y, dq, q);
      double here[8];
      check_count(m->constraint(m, 0.3 + by, q, here, G, gt), 0);
      for (int r = 0; r < rows; r++) {
        rate[side][r] = gt[r];
        for (int k = m->constraints.rowptr[r]; k < m->constraints.rowptr[r+1]; k++) rate[side][r] += G[k]*v[m->constraints.cols[k]];
        if (side != 1) g[side/2][r] = here[r];
      }
    }
    check_count(m->constraints.constraint_bend(m, 0.3, 1e-2, s.y, v, bend), 0);
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

static int add_turned(epi_world *w)
{
  epi_joint j = any_joint(EPI_ALL);
  j.turn.at = swinging;
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
  derivatives("turned", add_turned, 6, 1e-5);
  derivatives("hinge angle", couple_hinge, 1, 1e-5);
  derivatives("screw", couple_screw, 1, 1e-5);
  derivatives("gears", couple_gears, 1, 1e-4);
  derivatives("slider", couple_slider, 1, 1e-6);
  derivatives("cross", couple_cross, 1, 1e-4);
  derivatives("about y", couple_about_y, 1, 1e-5);
}

/* ---- a curve: where its point is on it ---- */
static void curve(int closed)
{
  double points[3*24], g[3][2], G[200], gt[2], rate[3][2], bend[2], dq[12], q[40], h = 1e-4;
  for (int i = 0; i < 24; i++) {
    double a = (closed ? 2*PI : 4)*i/24;
    points[3*i] = cos(a);
    points[3*i + 1] = 0.7*sin(a);
    points[3*i + 2] = 0.2*sin(2*a);
  }
  for (int n = 0; n < 10; n++) {
    epi_world *w = epi_world_make();
    epi_add_body(w, &(epi_body){.mass = 1, .inertia = {1, 1, 1}, .at = {points[3*n + 30], points[3*n + 31], points[3*n + 32]},
                                .velocity = {0.3, -0.5, 0.2}, .spin = {0.3, 0.1, -0.4}});
    epi_joint j = {.a = 0, .b = EPI_GROUND, .hold = EPI_ON_CURVE, .as = EPI_CONSTRAINT, .curve = points, .points = 24, .closed = closed};
    epi_add_joint(w, &j);
    epi_system *m = epi_world_system(w);
    epi_state s = epi_world_state(w);
    check(!epi_world_error(w));
    /* its velocity along the curve: bend is told of motions that stay on it */
    double *v = s.y + m->nq, off[2];
    check_count(m->constraint(m, 0, s.y, g[1], G, gt), 0);
    for (int r = 0; r < 2; r++) {
      check_abs(g[1][r], 0, 1e-14);
      const double *u = G + m->constraints.rowptr[r];
      double size = u[0]*u[0] + u[1]*u[1] + u[2]*u[2], along = (u[0]*v[0] + u[1]*v[1] + u[2]*v[2])/size;
      for (int i = 0; i < 3; i++) v[i] -= along*u[i];
      off[r] = along;
    }
    check(off[0] != 0 || off[1] != 0);
    for (int side = 0; side < 3; side++) {
      double by = (side - 1)*h;
      for (int i = 0; i < 6; i++) dq[i] = by*v[i];
      m->manifold.retract(m, s.y, dq, q);
      check_count(m->constraint(m, 0, q, g[side], G, gt), 0);
      for (int r = 0; r < 2; r++) {
        rate[side][r] = 0;
        for (int k = m->constraints.rowptr[r]; k < m->constraints.rowptr[r+1]; k++) rate[side][r] += G[k]*v[m->constraints.cols[k]];
      }
    }
    check_count(m->constraints.constraint_bend(m, 0, 1e-2, s.y, v, bend), 0);
    for (int r = 0; r < 2; r++) {
      check_abs((g[2][r] - g[0][r])/(2*h), rate[1][r], 1e-7);
      check_near((rate[2][r] - rate[0][r])/(2*h), bend[r], 1e-4, 1e-4);
    }
    epi_world_free(w);
  }
}

/* ---- turns ---- */
/* a hinge between two bodies that turn, moved by large steps: the angle counts every turn */
static void turns(void)
{
  epi_world *w = epi_world_make();
  for (int i = 0; i < 2; i++) epi_add_body(w, &(epi_body){.mass = 1, .inertia = {1, 1, 1}});
  int joint = epi_add_joint(w, &(epi_joint){.a = 0, .b = 1, .hold = EPI_HINGE, .as = EPI_CONSTRAINT});
  epi_add_axis(w, &(epi_axis){.joint = joint, .axis = EPI_RZ, .stiffness = 2, .rest = 0.5});
  epi_system *m = epi_world_system(w);
  epi_state s = epi_world_state(w);
  check_count(m->nq, 15);
  check_text(m->names[14], "joint.turned.z");
  double way = 0, dq[12] = {0}, x;
  for (int i = 0; i < 200; i++) {
    dq[5] = 2.9*sin(i);
    dq[11] = -1.1;
    way += dq[5] - dq[11];
    m->manifold.retract(m, s.y, dq, s.y);
    check_abs(s.y[14], way, 1e-11);
  }
  check_above(way, 200);
  check_count(epi_world_axis(w, &s, joint, EPI_RZ, &x, NULL), 0);
  check_abs(x, way, 1e-11);
  check_rel(m->energies.potential(m, 0, s.y), (way - 0.5)*(way - 0.5), 1e-12);
  /* what is a little off in the state is not believed: the attitudes say where it is */
  s.y[14] += 1;
  check_count(epi_world_axis(w, &s, joint, EPI_RZ, &x, NULL), 0);
  check_abs(x, way, 1e-11);
  epi_world_free(w);
}

/* saved and loaded: the same bits, turns included */
static void saved(void)
{
  epi_world *w = epi_world_make();
  epi_add_body(w, &(epi_body){.mass = 1, .inertia = {0.1, 0.1, 0.02}, .spin = {0, 0, 60}});
  int joint = epi_add_joint(w, &(epi_joint){.a = 0, .b = EPI_GROUND, .hold = EPI_HINGE, .as = EPI_CONSTRAINT});
  epi_add_axis(w, &(epi_axis){.joint = joint, .axis = EPI_RZ, .stiffness = 0.5, .rest = 1});
  double whole[14];
  epi_flow *f = epi_world_flow(w, "verlet");
  epi_state s = epi_world_state(w);
  run(f, &s, 2, 1e-3);
  memcpy(whole, s.y, sizeof whole);
  epi_free(f);
  f = epi_world_flow(w, "verlet");
  s = epi_world_state(w);
  run(f, &s, 1, 1e-3);
  FILE *file = tmpfile();
  check(file && !epi_save(f, &s, file));
  rewind(file);
  epi_flow *other = epi_world_flow(w, "verlet");
  double y[14] = {0};
  epi_state again = {.y = y};
  check(!epi_load(other, &again, file));
  run(other, &again, 2, 1e-3);
  check_bits(14, y, whole);
  check_near(y[7], 1 - cos(10) + 12*sin(10), 1e-5, 1e-3);
  fclose(file);
  epi_free(f);
  epi_free(other);
  epi_world_free(w);
}

/* ---- what stiff parts say of their slope: the rate of their force, where they are not bent ---- */
static void slopes(int hold, int axis)
{
  epi_world *w = epi_world_make();
  for (int i = 0; i < 2; i++) {
    epi_body b = {.mass = 1, .inertia = {1, 1.2, 0.9}};
    random_unit(b.attitude);
    for (int k = 0; k < 3; k++) b.at[k] = random_number();
    epi_add_body(w, &b);
  }
  epi_joint j = any_joint(hold);
  j.as = EPI_CONSTRAINT;
  int joint = epi_add_joint(w, &j);
  double at = 0;
  epi_add_axis(w, &(epi_axis){.joint = joint, .axis = axis, .stiffness = 30, .damping = 7, .rest = 0.3, .stiff = 1});
  epi_system *stiff = epi_world_names(w)[2].system;
  check(!epi_world_error(w));
  epi_state s = epi_world_state(w);
  check_count(epi_world_axis(w, &s, joint, axis, &at, NULL), 0);
  int n = stiff->nv;
  double A[144] = {0}, f[2][12], v[12], h = 1e-4;
  stiff->jacobian.slope(stiff, 0, s.y, 0, 1, A);
  for (int c = 0; c < n; c++) {
    for (int side = 0; side < 2; side++) {
      memset(f[side], 0, sizeof f[side]);
      for (int i = 0; i < n; i++) v[i] = i == c ? side ? h : -h : 0;
      check_count(stiff->velocity_force(stiff, 0, s.y, v, f[side]), 0);
    }
    for (int i = 0; i < n; i++) check_abs((f[1][i] - f[0][i])/(2*h), A[i*n + c], 1e-8);
  }
  epi_world_free(w);
}

/* the force of an axis is the slope of its energy */
static void potentials(int hold, int axis, double power)
{
  for (int n = 0; n < 10; n++) {
    epi_world *w = epi_world_make();
    for (int i = 0; i < 2; i++) {
      epi_body b = {.mass = 1, .inertia = {1, 1.2, 0.9}};
      random_unit(b.attitude);
      for (int k = 0; k < 3; k++) b.at[k] = random_number();
      epi_add_body(w, &b);
    }
    epi_joint j = any_joint(hold);
    int joint = epi_add_joint(w, &j);
    epi_add_axis(w, &(epi_axis){.joint = joint, .axis = axis, .stiffness = 3, .rest = axis == EPI_SWING ? 0 : 0.3, .stop = 5,
                                .lower = axis == EPI_SWING ? -HUGE_VAL : -0.1, .upper = 0.1, .power = power});
    epi_system *m = epi_world_system(w);
    if (epi_world_error(w)) { printf("%s\n", epi_world_error(w)); check(0); }
    epi_state s = epi_world_state(w);
    double f[12], dq[12], q[40], V[2], h = 1e-5;
    check_count(m->force(m, 0, s.y, f), 0);
    for (int c = 0; c < 12; c++) {
      for (int side = 0; side < 2; side++) {
        for (int i = 0; i < 12; i++) dq[i] = i == c ? side ? h : -h : 0;
        m->manifold.retract(m, s.y, dq, q);
        V[side] = m->energies.potential(m, 0, q);
      }
      check_near(f[c], -(V[1] - V[0])/(2*h), 1e-6, 1e-6);
    }
    epi_world_free(w);
  }
}

/* ---- what is wrong is said, and how to mend it ---- */
static epi_world *hinged(int *joint, int hold)
{
  epi_world *w = epi_world_make();
  epi_add_body(w, &(epi_body){.name = "rod", .mass = 1, .inertia = {1, 1, 1}});
  *joint = epi_add_joint(w, &(epi_joint){.name = "pivot", .a = 0, .b = EPI_GROUND, .hold = hold, .as = EPI_CONSTRAINT});
  return w;
}

static void refuse_axis(int hold, epi_axis a, const char *words)
{
  int joint;
  epi_world *w = hinged(&joint, hold);
  if (a.joint == 0) a.joint = joint;
  check_count(epi_add_axis(w, &a), -1);
  check_has(epi_world_error(w), words);
  epi_world_free(w);
}

static void refuse_coupling(epi_coupling c, const char *words)
{
  int joint;
  epi_world *w = hinged(&joint, EPI_HINGE);
  check_count(epi_add_coupling(w, &c), -1);
  check_has(epi_world_error(w), words);
  epi_world_free(w);
}

static void refuse_curve(epi_joint j, const char *words)
{
  epi_world *w = epi_world_make();
  epi_add_body(w, &(epi_body){.mass = 1, .inertia = {1, 1, 1}});
  j.a = 0;
  j.b = EPI_GROUND;
  j.as = EPI_CONSTRAINT;
  check_count(epi_add_joint(w, &j), -1);
  check_has(epi_world_error(w), words);
  epi_world_free(w);
}

static void refusals(void)
{
  refuse_axis(EPI_HINGE, (epi_axis){.joint = 7, .axis = EPI_RZ}, "none of that number: give what epi_add_joint returned");
  refuse_axis(EPI_HINGE, (epi_axis){.axis = EPI_X}, "has no free axis x: it leaves free rz");
  refuse_axis(EPI_ALL, (epi_axis){.axis = EPI_RZ}, "leaves none free that has one meaning");
  refuse_axis(EPI_POINT, (epi_axis){.axis = EPI_RZ}, "has no free axis rz: it leaves free swing");
  refuse_axis(EPI_POINT, (epi_axis){.axis = EPI_SWING, .rest = 1}, "in no direction");
  refuse_axis(EPI_HINGE, (epi_axis){.axis = EPI_RZ, .damping = -1}, "give finite numbers from 0 on");
  refuse_axis(EPI_HINGE, (epi_axis){.axis = EPI_RZ, .stop = 1, .lower = 1, .upper = -1}, "exchange them");
  refuse_axis(EPI_HINGE, (epi_axis){.axis = EPI_RZ, .drag = 1}, "damped and not stiff: give .stop");
  refuse_axis(EPI_HINGE, (epi_axis){.axis = EPI_RZ, .stop = 1, .lower = -HUGE_VAL, .upper = HUGE_VAL}, "give .lower or .upper");
  refuse_coupling((epi_coupling){.terms = 0}, "has 0 axes: give 1 to 3");
  refuse_coupling((epi_coupling){.terms = 1, .term = {{0, EPI_RZ, 0}}}, "give one that is not zero");
  refuse_coupling((epi_coupling){.terms = 1, .term = {{3, EPI_RZ, 1}}}, "none of that number");
  refuse_coupling((epi_coupling){.terms = 2, .term = {{0, EPI_RZ, 1}, {0, EPI_RZ, 2}}}, "twice: take two axes");
  refuse_coupling((epi_coupling){.terms = 1, .term = {{0, EPI_Z, 1}}}, "has no free axis z");
  refuse_coupling((epi_coupling){.terms = 1, .term = {{0, EPI_SWING, 1}}}, "in no direction");
  refuse_coupling((epi_coupling){.terms = 1, .term = {{0, EPI_RZ, 1}}, .mesh = 1}, "has a mesh");
  static const double two[] = {0, 0, 0, 1, 0, 0}, twice[] = {0, 0, 0, 1, 0, 0, 1, 0, 0, 2, 0, 0},
    eight[] = {0, 0, 0, 1, 1, 0, 2, 0, 0, 1, -1, 0, 0, 0.001, 0, -1, 1, 0};
  refuse_curve((epi_joint){.hold = EPI_ON_CURVE, .curve = two, .points = 2}, "has a curve of 2 points: give at least 3");
  refuse_curve((epi_joint){.hold = EPI_ON_CURVE}, "has a curve of 0 points");
  refuse_curve((epi_joint){.hold = EPI_ON_CURVE, .curve = twice, .points = 4}, "with points 2 and 3 in one place");
  refuse_curve((epi_joint){.hold = EPI_ON_CURVE, .curve = eight, .points = 6}, "of itself");
  refuse_curve((epi_joint){.hold = EPI_ON_CIRCLE}, "of the radius 0: give a positive one");
  refuse_curve((epi_joint){.hold = EPI_ROD}, "needs its length > 0");
}

int main(void)
{
  all_derivatives();
  curve(0);
  curve(1);
  turns();
  saved();
  slopes(EPI_HINGE, EPI_RZ);
  slopes(EPI_SLIDER, EPI_X);
  slopes(EPI_UNIVERSAL, EPI_RX);
  potentials(EPI_HINGE, EPI_RZ, 1);
  potentials(EPI_HINGE, EPI_RZ, 1.5);
  potentials(EPI_CYLINDRICAL, EPI_Z, 2);
  potentials(EPI_UNIVERSAL, EPI_RX, 1);
  potentials(EPI_UNIVERSAL, EPI_RZ, 1);
  potentials(EPI_POINT, EPI_SWING, 1);
  refusals();
  return test_done();
}
