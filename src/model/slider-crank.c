/* slider-crank.c - a crank turns a rod that pushes a slider: planar, built of three bodies in space without a constraint too many */
#include "bodies.h"

enum { R, L, M1, M2, M3, G, TH0, W0, DRIVE, AS, K, LAG };
static const char *const DRIVES[] = {"free", "speed", NULL};

static const epi_param PARAMS[] = {
  [R] = {.name = "r", .unit = "m", .value = 0.1, .doc = "length of the crank", .range = EPI_POSITIVE},
  [L] = {.name = "l", .unit = "m", .value = 0.3, .doc = "length of the rod, longer than the crank", .range = EPI_POSITIVE},
  [M1] = {.name = "m1", .unit = "kg", .value = 1, .doc = "mass of the crank, a uniform bar", .range = EPI_POSITIVE},
  [M2] = {.name = "m2", .unit = "kg", .value = 0.5, .doc = "mass of the rod, a uniform bar", .range = EPI_POSITIVE},
  [M3] = {.name = "m3", .unit = "kg", .value = 0.8, .doc = "mass of the slider", .range = EPI_POSITIVE},
  [G] = {.name = "g", .unit = "m/s^2", .value = 9.81, .doc = "gravity, along -y; the slider moves along x"},
  [TH0] = {.name = "th0", .unit = "rad", .value = 0, .doc = "start: angle of the crank"},
  [W0] = {.name = "w0", .unit = "rad/s", .value = 20, .doc = "start: speed of the crank"},
  [DRIVE] = {.name = "drive", .unit = "", .value = 0, .doc = "free: no torque; speed: the crank is kept at w0", .words = DRIVES,
             .kind = EPI_WORD},
  [AS] = {.name = "as", .unit = "", .value = EPI_CONSTRAINT, .doc = "the joints as true constraints or as stiff springs",
          .words = epi_as_words, .kind = EPI_WORD},
  [K] = {.name = "k", .unit = "N/m", .value = 1e8, .doc = "of the springs", .range = EPI_POSITIVE},
  [LAG] = {.name = "lag", .unit = "s", .value = 1e-5, .doc = "their damping over their stiffness",
           .range = {0, EPI_UNBOUNDED, .words = " feeds energy into the joints: take lag >= 0"}},
  {0}
};
enum { CRANK, ROD, SLIDER };

static void add_bodies(epi_world *w, const double *p)
{
  double th = p[TH0], rate = p[W0], x = p[R]*cos(th), y = p[R]*sin(th), lean = -asin(y/p[L]);
  double turning = -rate*x/(p[L]*cos(lean)), size = p[M3]*p[R]*p[R]/6;
  epi_add_bar(w, "crank", p[M1], p[R], (epi_in_plane){.angle = th, .rate = rate});
  epi_add_bar(w, "rod", p[M2], p[L], (epi_in_plane){.x = x, .y = y, .angle = lean, .vx = -rate*y, .vy = rate*x, .rate = turning});
  epi_add_body(w, &(epi_body){.name = "slider", .mass = p[M3], .inertia = {size, size, size}, .at = {x + p[L]*cos(lean)},
                              .velocity = {-rate*y - turning*p[L]*sin(lean)}});
}

/* crank below, rod above, the slider in its guide between two rails; the ground carries the shaft */
static void add_shapes(epi_world *w, const double *p)
{
  double wide = 0.2*p[R], s = 0.6*p[R], x = p[L];
  epi_show_bar(w, CRANK, p[R], wide, -0.25*wide);
  epi_show_bar(w, ROD, p[L], wide, 0.25*wide);
  epi_add_shape(w, SLIDER, &(epi_shape){.kind = EPI_BOX, .appearance = EPI_BRASS, .size = {s, 0.6*s, 0.6*s}, .at = {0, 0, -0.35*s}});
  epi_add_shape(w, EPI_GROUND,
                &(epi_shape){.name = "shaft", .kind = EPI_CYLINDER, .appearance = EPI_DARK, .size = {0.6*wide, wide}, .at = {0, 0, -wide}});
  for (int i = -1; i <= 1; i += 2)
    epi_add_shape(w, EPI_GROUND, &(epi_shape){.name = i < 0 ? "lower rail" : "upper rail", .kind = EPI_BOX, .appearance = EPI_DARK,
                                              .size = {2*p[R] + 1.5*s, 0.15*s, 0.6*s}, .at = {x, i*0.38*s, -0.35*s}});
}

/* six for the crank less its turning, three that keep the rod in the plane, two for each of its ends, five for the slider: 17 of 18 */
static void add_joints(epi_world *w, const double *p)
{
  epi_holding how = {.as = (int)p[AS], .stiffness = p[K], .lag = p[LAG], .reach = p[R]};
  int driven = p[DRIVE] == 1;
  epi_join(w, how, (epi_joint){.name = "A", .a = CRANK, .b = EPI_GROUND, .hold = driven ? EPI_ALL : EPI_HINGE, .at_a = {-p[R]/2},
                               .frame_b = {cos(p[TH0]/2), 0, 0, sin(p[TH0]/2)}, .speed = driven ? p[W0] : 0});
  epi_join(w, how, (epi_joint){.name = "plane", .a = ROD, .b = EPI_GROUND, .hold = EPI_Z | EPI_RX | EPI_RY});
  epi_join(w, how, (epi_joint){.name = "B", .a = ROD, .b = CRANK, .hold = EPI_X | EPI_Y, .at_a = {-p[L]/2}, .at_b = {p[R]/2}});
  epi_join(w, how, (epi_joint){.name = "C", .a = SLIDER, .b = ROD, .hold = EPI_X | EPI_Y, .at_b = {p[L]/2}});
  epi_join(w, how, (epi_joint){.name = "guide", .a = SLIDER, .b = EPI_GROUND, .hold = EPI_Y | EPI_Z | EPI_TURNS});
}

static int make(epi_case *c)
{
  const double *p = c->p;
  if (!(p[L] > p[R])) return epi_case_refuse(c, "the rod l = %g is not longer than the crank r = %g: take l > r", p[L], p[R]);
  epi_world *w = epi_world_make();
  if (!w) return epi_case_refuse_cause(c, EPI_MEMORY, "out of memory");
  epi_add_gravity(w, (double[]){0, -p[G], 0});
  add_bodies(w, p);
  add_shapes(w, p);
  add_joints(w, p);
  /* a hundredth of a radian; the forces of springs need finer ones */
  c->step = (p[AS] == EPI_PENALTY ? 0.002 : 0.01)/fmax(fabs(p[W0]), sqrt(fabs(p[G])/p[R]));
  return epi_case_world(c, w);
}

/* ---- what is looked at ---- */
static double angle(const epi_case *c, const epi_state *s) { return epi_body_angle(c, s, CRANK); }
static double speed(const epi_case *c, const epi_state *s) { return epi_body_rate(c, s, CRANK); }
static double x_slider(const epi_case *c, const epi_state *s) { return epi_world_pose(c->world, s, SLIDER).r[0]; }
static double v_slider(const epi_case *c, const epi_state *s) { return epi_world_pose(c->world, s, SLIDER).v[0]; }

static double a_slider(const epi_case *c, const epi_state *s)
{
  double a[18], lambda[18];
  return epi_case_motion(c, s, a, lambda) ? NAN : a[12];
}

static double Ax(const epi_case *c, const epi_state *s) { return epi_case_joint(c, s, "A").force[0]; }
static double Ay(const epi_case *c, const epi_state *s) { return epi_case_joint(c, s, "A").force[1]; }
static double Bx(const epi_case *c, const epi_state *s) { return epi_case_joint(c, s, "B").force[0]; }
static double By(const epi_case *c, const epi_state *s) { return epi_case_joint(c, s, "B").force[1]; }
static double Cx(const epi_case *c, const epi_state *s) { return epi_case_joint(c, s, "C").force[0]; }
static double Cy(const epi_case *c, const epi_state *s) { return epi_case_joint(c, s, "C").force[1]; }
static double guide(const epi_case *c, const epi_state *s) { return epi_case_joint(c, s, "guide").force[1]; }

static double torque(const epi_case *c, const epi_state *s) { return epi_pivot_torque(c, s, "A", CRANK); }

static const epi_observable OBSERVABLES[] = {
  {.name = "energy", .unit = "J", .value = epi_case_energy},
  {.name = "angle", .unit = "rad", .value = angle},
  {.name = "speed", .unit = "rad/s", .value = speed},
  {.name = "x", .unit = "m", .value = x_slider},
  {.name = "vx", .unit = "m/s", .value = v_slider},
  {.name = "ax", .unit = "m/s^2", .value = a_slider},
  {.name = "Ax", .unit = "N", .value = Ax}, {.name = "Ay", .unit = "N", .value = Ay},
  {.name = "Bx", .unit = "N", .value = Bx}, {.name = "By", .unit = "N", .value = By},
  {.name = "Cx", .unit = "N", .value = Cx}, {.name = "Cy", .unit = "N", .value = Cy},
  {.name = "N", .unit = "N", .value = guide},
  {.name = "T", .unit = "N m", .value = torque},
  {.name = "closure", .unit = "m", .value = epi_joint_gap},
  {0}
};

const epi_model epi_SLIDER_CRANK = {
  .name = "slider-crank",
  .doc = "crank, rod and slider; forces of ground on crank (A), crank on rod (B), rod on slider (C), guide on slider (N), torque on the "
         "crank (T)",
  .cite = "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems (1989)",
  .params = PARAMS, .make = make, .observables = OBSERVABLES,
  .flow = "semi(model.contacts, model.stiff, beta=0.51)", .step = 5e-4, .end = 1
};
