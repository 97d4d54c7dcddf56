/* rod-pendulum.c - two masses on two rods, in space; the rods are true constraints or stiff springs, one word apart */
#include "bodies.h"

enum { M1, M2, L1, L2, G, TH1, TH2, AS, K, LAG, START };
static const char *const STARTS[] = {"stretched", "plain", NULL};

static const epi_param PARAMS[] = {
  [M1] = {.name = "m1", .unit = "kg", .value = 1, .doc = "upper mass", .range = EPI_POSITIVE},
  [M2] = {.name = "m2", .unit = "kg", .value = 1, .doc = "lower mass", .range = EPI_POSITIVE},
  [L1] = {.name = "l1", .unit = "m", .value = 1, .doc = "upper rod", .range = EPI_POSITIVE},
  [L2] = {.name = "l2", .unit = "m", .value = 1, .doc = "lower rod", .range = EPI_POSITIVE},
  [G] = {.name = "g", .unit = "m/s^2", .value = 9.81, .doc = "gravity, along -y"},
  [TH1] = {.name = "th1", .unit = "rad", .value = EPI_PI/6, .doc = "start: upper rod, from straight down"},
  [TH2] = {.name = "th2", .unit = "rad", .value = EPI_PI/3, .doc = "start: lower rod, from straight down"},
  [AS] = {.name = "as", .unit = "", .value = EPI_CONSTRAINT, .doc = "the rods as true constraints or as stiff springs",
          .words = epi_as_words, .kind = EPI_WORD},
  [K] = {.name = "k", .unit = "N/m", .value = 1e6, .doc = "of the springs", .range = EPI_POSITIVE},
  [LAG] = {.name = "lag", .unit = "s", .value = 1e-3, .doc = "their damping over their stiffness",
           .range = {0, EPI_UNBOUNDED, .words = " feeds energy into the rods: take lag >= 0"}},
  [START] = {.name = "start", .unit = "", .value = 0, .doc = "springs stretched by what they carry, or plain: as long as the rods",
             .words = STARTS, .kind = EPI_WORD},
  {0}
};
enum { UPPER, LOWER };

/* what the rods carry at rest */
static void tensions(const double *p, double *T)
{
  double c = cos(p[TH1] - p[TH2]), share = p[M2]/(p[M1] + p[M2]);
  T[0] = p[M1]*p[G]*cos(p[TH1])/(1 - c*c*share);
  T[1] = T[0]*c*share;
}

static int make(epi_case *c)
{
  const double *p = c->p;
  epi_world *w = epi_world_make();
  if (!w) return epi_case_refuse_cause(c, EPI_MEMORY, "out of memory");
  double T[2] = {0}, at[3] = {0};
  if (p[AS] == EPI_PENALTY && p[START] == 0) tensions(p, T);
  epi_add_gravity(w, (double[]){0, -p[G], 0});
  for (int i = 0; i < 2; i++) {
    double l = p[L1 + i] + T[i]/p[K], I = 1e-3*p[M1 + i]*p[L1 + i]*p[L1 + i];
    at[0] += l*sin(p[TH1 + i]);
    at[1] -= l*cos(p[TH1 + i]);
    /* the rod ends in the middle of the mass, which does not turn: its inertia is idle */
    epi_add_body(w, &(epi_body){.name = i ? "lower" : "upper", .mass = p[M1 + i], .inertia = {I, I, I}, .at = {at[0], at[1]}});
    epi_add_shape(w, i, &(epi_shape){.kind = EPI_BALL, .appearance = i ? EPI_BRIGHT : EPI_BRASS, .size = {0.08*(p[L1] + p[L2])/2},
                                     .trail = i == LOWER});
  }
  epi_add_shape(w, EPI_GROUND, &(epi_shape){.name = "pivot", .kind = EPI_BALL, .appearance = EPI_DARK, .size = {0.05*p[L1]}});
  epi_holding how = {.as = (int)p[AS], .stiffness = p[K], .lag = p[LAG]};
  epi_join(w, how, (epi_joint){.name = "rod1", .a = UPPER, .b = EPI_GROUND, .hold = EPI_ROD, .length = p[L1]});
  epi_join(w, how, (epi_joint){.name = "rod2", .a = LOWER, .b = UPPER, .hold = EPI_ROD, .length = p[L2]});
  /* the forces of springs need finer steps */
  c->step = (p[AS] == EPI_PENALTY ? 6e-4 : 3e-3)*sqrt(fmin(p[L1], p[L2])/fmax(fabs(p[G]), 1e-3));
  return epi_case_world(c, w);
}

/* ---- what is looked at ---- */
/* the lower end of a rod, seen from its upper: place and velocity */
static void along(const epi_case *c, const epi_state *s, int rod, double *d, double *v)
{
  epi_pose a = epi_world_pose(c->world, s, rod), b = epi_world_pose(c->world, s, rod - 1);
  for (int i = 0; i < 3; i++) { d[i] = a.r[i] - b.r[i]; v[i] = a.v[i] - b.v[i]; }
}

static double angle(const epi_case *c, const epi_state *s, int rod)
{
  double d[3], v[3];
  along(c, s, rod, d, v);
  return atan2(d[0], -d[1]);
}

static double rate(const epi_case *c, const epi_state *s, int rod)
{
  double d[3], v[3];
  along(c, s, rod, d, v);
  return (d[0]*v[1] - d[1]*v[0])/(d[0]*d[0] + d[1]*d[1]);
}

static double tension(const epi_case *c, const epi_state *s, int rod, const char *name)
{
  double d[3], v[3];
  epi_action pull = epi_case_joint(c, s, name);
  along(c, s, rod, d, v);
  return -(pull.force[0]*d[0] + pull.force[1]*d[1] + pull.force[2]*d[2])/sqrt(d[0]*d[0] + d[1]*d[1] + d[2]*d[2]);
}

static double th1(const epi_case *c, const epi_state *s) { return angle(c, s, UPPER); }
static double th2(const epi_case *c, const epi_state *s) { return angle(c, s, LOWER); }
static double w1(const epi_case *c, const epi_state *s) { return rate(c, s, UPPER); }
static double w2(const epi_case *c, const epi_state *s) { return rate(c, s, LOWER); }
static double T1(const epi_case *c, const epi_state *s) { return tension(c, s, UPPER, "rod1"); }
static double T2(const epi_case *c, const epi_state *s) { return tension(c, s, LOWER, "rod2"); }

static const epi_observable OBSERVABLES[] = {
  {.name = "energy", .unit = "J", .value = epi_case_energy},
  {.name = "th1", .unit = "rad", .value = th1}, {.name = "th2", .unit = "rad", .value = th2},
  {.name = "w1", .unit = "rad/s", .value = w1}, {.name = "w2", .unit = "rad/s", .value = w2},
  {.name = "T1", .unit = "N", .value = T1}, {.name = "T2", .unit = "N", .value = T2},
  {.name = "stretch", .unit = "m", .value = epi_joint_gap},
  {0}
};

const epi_model epi_ROD_PENDULUM = {
  .name = "rod-pendulum", .doc = "two masses on two rods, released at rest; angles from straight down, rates and tensions of the rods",
  .cite = "Hairer, Lubich & Wanner, Geometric Numerical Integration, VII.1 (constrained mechanical systems)",
  .params = PARAMS, .make = make, .observables = OBSERVABLES,
  .flow = "semi(model.contacts, model.stiff, beta=0.51)", .step = 9.578262852211514e-4, .end = 5
};
