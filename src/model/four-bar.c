/* four-bar.c - crank, coupler and rocker on two pivots: planar, built of three bodies in space without a constraint too many */
#include "bodies.h"

enum { A, B, D, BASE, M1, M2, M3, G, TH0, W0, DRIVE, AS, K, LAG };
static const char *const DRIVES[] = {"free", "speed", NULL};

static const epi_param PARAMS[] = {
  [A] = {.name = "a", .unit = "m", .value = 0.1, .doc = "length of the crank, which turns about the origin", .range = EPI_POSITIVE},
  [B] = {.name = "b", .unit = "m", .value = 0.25, .doc = "length of the coupler", .range = EPI_POSITIVE},
  [D] = {.name = "d", .unit = "m", .value = 0.2, .doc = "length of the rocker", .range = EPI_POSITIVE},
  [BASE] = {.name = "base", .unit = "m", .value = 0.25, .doc = "distance of the pivots, along x", .range = EPI_POSITIVE},
  [M1] = {.name = "m1", .unit = "kg", .value = 0.1, .doc = "mass of the crank; all bars are uniform", .range = EPI_POSITIVE},
  [M2] = {.name = "m2", .unit = "kg", .value = 0.25, .doc = "mass of the coupler", .range = EPI_POSITIVE},
  [M3] = {.name = "m3", .unit = "kg", .value = 0.2, .doc = "mass of the rocker", .range = EPI_POSITIVE},
  [G] = {.name = "g", .unit = "m/s^2", .value = 9.81, .doc = "gravity, along -y"},
  [TH0] = {.name = "th0", .unit = "rad", .value = 0, .doc = "start: angle of the crank"},
  [W0] = {.name = "w0", .unit = "rad/s", .value = 10, .doc = "start: speed of the crank"},
  [DRIVE] = {.name = "drive", .unit = "", .value = 1, .doc = "free: no torque; speed: the crank is kept at w0", .words = DRIVES,
             .kind = EPI_WORD},
  [AS] = {.name = "as", .unit = "", .value = EPI_CONSTRAINT, .doc = "the joints as true constraints or as stiff springs",
          .words = epi_as_words, .kind = EPI_WORD},
  [K] = {.name = "k", .unit = "N/m", .value = 1e7, .doc = "of the springs", .range = EPI_POSITIVE},
  [LAG] = {.name = "lag", .unit = "s", .value = 1e-5, .doc = "their damping over their stiffness",
           .range = {0, EPI_UNBOUNDED, .words = " feeds energy into the joints: take lag >= 0"}},
  {0}
};
enum { CRANK, COUPLER, ROCKER };

/* the open branch: the coupler leans away from the line to the other pivot, counterclockwise */
static void add_bodies(epi_world *w, const double *p)
{
  double x = p[A]*cos(p[TH0]), y = p[A]*sin(p[TH0]), dx = p[BASE] - x, dy = -y, far = hypot(dx, dy);
  double th3 = atan2(dy, dx) + acos((p[B]*p[B] + far*far - p[D]*p[D])/(2*p[B]*far));
  double th4 = atan2(y + p[B]*sin(th3), p[B]*cos(th3) - dx), across = sin(th4 - th3);
  double w3 = -p[W0]*p[A]*sin(th4 - p[TH0])/(p[B]*across), w4 = p[W0]*p[A]*sin(p[TH0] - th3)/(p[D]*across);
  epi_add_bar(w, "crank", p[M1], p[A], (epi_in_plane){.angle = p[TH0], .rate = p[W0]});
  epi_add_bar(w, "coupler", p[M2], p[B], (epi_in_plane){.x = x, .y = y, .angle = th3, .vx = -p[W0]*y, .vy = p[W0]*x, .rate = w3});
  epi_add_bar(w, "rocker", p[M3], p[D], (epi_in_plane){.x = p[BASE], .angle = th4, .rate = w4});
}

/* the coupler lies above crank and rocker */
static void add_shapes(epi_world *w, const double *p)
{
  double wide = 0.2*p[A];
  epi_show_bar(w, CRANK, p[A], wide, -0.25*wide);
  epi_show_bar(w, COUPLER, p[B], wide, 0.25*wide);
  epi_show_bar(w, ROCKER, p[D], wide, -0.25*wide);
  for (int i = 0; i < 2; i++)
    epi_add_shape(w, EPI_GROUND, &(epi_shape){.name = i ? "pivot D" : "pivot A", .kind = EPI_CYLINDER, .appearance = EPI_DARK,
                                              .size = {0.7*wide, 0.6*wide},
                                              .at = {i ? p[BASE] : 0, 0, -0.8*wide}});
}

/* five for each hinge, three that keep the coupler in the plane, two for each of its ends: 17 of 18 */
static void add_joints(epi_world *w, const double *p)
{
  epi_holding how = {.as = (int)p[AS], .stiffness = p[K], .lag = p[LAG], .reach = p[A]};
  int driven = p[DRIVE] == 1;
  epi_join(w, how, (epi_joint){.name = "A", .a = CRANK, .b = EPI_GROUND, .hold = driven ? EPI_ALL : EPI_HINGE, .at_a = {-p[A]/2},
                               .frame_b = {cos(p[TH0]/2), 0, 0, sin(p[TH0]/2)}, .speed = driven ? p[W0] : 0});
  epi_join(w, how, (epi_joint){.name = "plane", .a = COUPLER, .b = EPI_GROUND, .hold = EPI_Z | EPI_RX | EPI_RY});
  epi_join(w, how, (epi_joint){.name = "B", .a = COUPLER, .b = CRANK, .hold = EPI_X | EPI_Y, .at_a = {-p[B]/2}, .at_b = {p[A]/2}});
  epi_join(w, how, (epi_joint){.name = "C", .a = ROCKER, .b = COUPLER, .hold = EPI_X | EPI_Y, .at_a = {p[D]/2}, .at_b = {p[B]/2}});
  epi_join(w, how, (epi_joint){.name = "D", .a = ROCKER, .b = EPI_GROUND, .hold = EPI_HINGE, .at_a = {-p[D]/2}, .at_b = {p[BASE]}});
}

/* the end of the crank must lie where coupler and rocker can meet; all around, where it is driven */
static int check(epi_case *c)
{
  const double *p = c->p;
  int all = p[DRIVE] == 1;
  double here = hypot(p[BASE] - p[A]*cos(p[TH0]), p[A]*sin(p[TH0])), near = all ? fabs(p[BASE] - p[A]) : here,
    far = all ? p[BASE] + p[A] : here;
  if (near > fabs(p[B] - p[D]) && far < p[B] + p[D]) return 0;
  if (all) return epi_case_refuse(c, "the crank cannot turn all the way: take |base - a| > |b - d| and base + a < b + d, or drive=free");
  return epi_case_refuse(c, "the bars cannot be put together at th0 = %g: coupler and rocker of %g and %g m must span %g m", p[TH0], p[B],
                         p[D], here);
}

static int make(epi_case *c)
{
  const double *p = c->p;
  if (check(c)) return -1;
  epi_world *w = epi_world_make();
  if (!w) return epi_case_refuse_cause(c, EPI_MEMORY, "out of memory");
  epi_add_gravity(w, (double[]){0, -p[G], 0});
  add_bodies(w, p);
  add_shapes(w, p);
  add_joints(w, p);
  /* a hundredth of a radian; the forces of springs need finer ones */
  c->step = (p[AS] == EPI_PENALTY ? 0.002 : 0.01)/fmax(fabs(p[W0]), sqrt(fabs(p[G])/p[A]));
  return epi_case_world(c, w);
}

/* ---- what is looked at ---- */
static double th2(const epi_case *c, const epi_state *s) { return epi_body_angle(c, s, CRANK); }
static double th3(const epi_case *c, const epi_state *s) { return epi_body_angle(c, s, COUPLER); }
static double th4(const epi_case *c, const epi_state *s) { return epi_body_angle(c, s, ROCKER); }
static double w2(const epi_case *c, const epi_state *s) { return epi_body_rate(c, s, CRANK); }
static double w3(const epi_case *c, const epi_state *s) { return epi_body_rate(c, s, COUPLER); }
static double w4(const epi_case *c, const epi_state *s) { return epi_body_rate(c, s, ROCKER); }
static double al3(const epi_case *c, const epi_state *s) { return epi_body_speedup(c, s, COUPLER); }
static double al4(const epi_case *c, const epi_state *s) { return epi_body_speedup(c, s, ROCKER); }
static double size_of(const epi_case *c, const epi_state *s, const char *name)
{
  const double *f = epi_case_joint(c, s, name).force;
  return hypot(f[0], f[1]);
}
static double FA(const epi_case *c, const epi_state *s) { return size_of(c, s, "A"); }
static double FB(const epi_case *c, const epi_state *s) { return size_of(c, s, "B"); }
static double FC(const epi_case *c, const epi_state *s) { return size_of(c, s, "C"); }
static double FD(const epi_case *c, const epi_state *s) { return size_of(c, s, "D"); }
static double torque(const epi_case *c, const epi_state *s) { return epi_pivot_torque(c, s, "A", CRANK); }

static const epi_observable OBSERVABLES[] = {
  {.name = "energy", .unit = "J", .value = epi_case_energy},
  {.name = "th2", .unit = "rad", .value = th2}, {.name = "th3", .unit = "rad", .value = th3}, {.name = "th4", .unit = "rad", .value = th4},
  {.name = "w2", .unit = "rad/s", .value = w2}, {.name = "w3", .unit = "rad/s", .value = w3}, {.name = "w4", .unit = "rad/s", .value = w4},
  {.name = "al3", .unit = "rad/s^2", .value = al3}, {.name = "al4", .unit = "rad/s^2", .value = al4},
  {.name = "A", .unit = "N", .value = FA}, {.name = "B", .unit = "N", .value = FB}, {.name = "C", .unit = "N", .value = FC},
  {.name = "D", .unit = "N", .value = FD},
  {.name = "T", .unit = "N m", .value = torque},
  {.name = "closure", .unit = "m", .value = epi_joint_gap},
  {0}
};

const epi_model epi_FOUR_BAR = {
  .name = "four-bar",
  .doc = "crank (2), coupler (3) and rocker (4) between two pivots: angles, rates, accelerations, joint forces, torque on the crank",
  .cite = "Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems (1989)",
  .params = PARAMS, .make = make, .observables = OBSERVABLES,
  .flow = "semi(model.contacts, model.stiff, beta=0.51)", .step = 1e-3, .end = 2
};
