/* rolling-sphere.c - a sphere is thrown along a plane without spin: it slides, and friction makes it roll; exact */
#include "bodies.h"

enum { M, R, MU, VS, V0, G, STIFF };

static const epi_param PARAMS[] = {
  [M] = {.name = "m", .unit = "kg", .value = 1, .doc = "mass", .range = EPI_POSITIVE},
  [R] = {.name = "r", .unit = "m", .value = 0.1,
         .doc = "rolling radius: from the centre to where the sphere and the plane meet under its weight", .range = EPI_POSITIVE},
  [MU] = {.name = "mu", .unit = "", .value = 0.2, .doc = "friction, mu Q u/sqrt(u^2 + vs^2)",
          .range = {0, EPI_UNBOUNDED, .words = " would push the sphere on: take mu >= 0"}},
  [VS] = {.name = "vs", .unit = "m/s", .value = 0.01, .doc = "the slip u where it is 0.7 grown", .range = EPI_POSITIVE},
  [V0] = {.name = "v0", .unit = "m/s", .value = 2, .doc = "start: speed along x"},
  [G] = {.name = "g", .unit = "m/s^2", .value = 9.81, .doc = "gravity, along -z", .range = EPI_POSITIVE},
  [STIFF] = {.name = "K", .unit = "N/m^1.5", .value = 1e7, .doc = "of the contact, Q = K depth^1.5; the start is at its rest",
             .range = EPI_POSITIVE},
  {0}
};

/* pressed in by its weight; forces act half of that above the lowest point */
static double depth(const double *p) { double x = cbrt(p[M]*p[G]/p[STIFF]); return x*x; }

static int make(epi_case *c)
{
  const double *p = c->p;
  double d = depth(p), I = 0.4*p[M]*p[R]*p[R];
  if (d > 0.2*p[R])
    return epi_case_refuse(c, "K = %g is too soft: the sphere of r = %g sinks in by %g; take a larger K", p[STIFF], p[R], d);
  epi_world *w = epi_world_make();
  if (!w) return epi_case_refuse_cause(c, EPI_MEMORY, "out of memory");
  epi_add_gravity(w, (double[]){0, 0, -p[G]});
  int ball = epi_add_body(w,
                          &(epi_body){.name = "ball", .mass = p[M], .inertia = {I, I, I}, .at = {0, 0, p[R] - d/2}, .velocity = {p[V0]}});
  /* two poles show that it turns */
  epi_add_shape(w, ball, &(epi_shape){.kind = EPI_BALL, .appearance = EPI_STEEL, .size = {p[R] + d/2}});
  epi_add_shape(w, ball, &(epi_shape){.name = "poles", .kind = EPI_CYLINDER, .appearance = EPI_DARK, .size = {0.3*p[R], 1.94*p[R]}});
  epi_add_contact(w, &(epi_contact){.name = "plane", .shape = EPI_SPHERE_PLANE, .a = ball, .b = EPI_GROUND, .radius = p[R] + d/2,
                                    .normal = {0, 0, 1},
                                    .law = {.K = p[STIFF], .mu = p[MU], .vs = p[VS]}});
  /* the slip falls as exp(-3.5 mu g t/vs) at its end, and the contact swings with sqrt(1.5 g/d) */
  double slip = 3.5*p[MU]*p[G]/p[VS], swing = sqrt(1.5*p[G]/d);
  c->step = 0.2/fmax(slip, swing);
  c->end = p[MU] > 0 && p[V0] != 0 ? 2*fabs(p[V0])/(3.5*p[MU]*p[G]) : 1;
  epi_add_shape(w, EPI_GROUND,
                &(epi_shape){.name = "floor", .kind = EPI_FLOOR, .size = {fabs(p[V0])*c->end + 6*p[R], 8*p[R]}, .at = {p[V0]*c->end/2}});
  return epi_case_world(c, w);
}

/* ---- exact: u' = -3.5 mu g u/sqrt(u^2 + vs^2), so S(v0) - S(u) = 3.5 mu g t; v and r w share u as 2 : 5 ---- */
static double slip_at(const double *p, double t)
{
  double vs = p[VS], u = fabs(p[V0]), y = log(u), left = hypot(u, vs) - vs*asinh(vs/u) - 3.5*p[MU]*p[G]*t;
  /* by Newton in log u, where S is convex and rises */
  for (int k = 0; k < 100; k++) {
    u = exp(y);
    double step = (hypot(u, vs) - vs*asinh(vs/u) - left)/hypot(u, vs);
    y -= step;
    if (fabs(step) < 1e-15*fmax(1, fabs(y))) break;
  }
  return copysign(exp(y), p[V0]);
}

/* the integral of sqrt(u^2 + vs^2) */
static double area(double u, double vs) { return (u*hypot(u, vs) + vs*vs*asinh(u/vs))/2; }

static int exact(const epi_case *c, double t, double *y)
{
  const double *p = c->p;
  double rate = 3.5*p[MU]*p[G], still = p[V0] == 0 || rate == 0, u = still ? p[V0] : slip_at(p, t);
  double slid = still ? p[V0]*t : (area(fabs(p[V0]), p[VS]) - area(fabs(u), p[VS]))/rate*copysign(1, p[V0]);
  double gone = p[V0]*t - (p[V0]*t - slid)*2/7, v = p[V0] - (p[V0] - u)*2/7, angle = (gone - slid)/p[R];
  memset(y, 0, 13*sizeof *y);
  y[0] = gone;
  y[2] = p[R] - depth(p)/2;
  y[3] = cos(angle/2);
  y[5] = sin(angle/2);
  y[7] = v;
  y[11] = (v - u)/p[R];
  return 0;
}

/* ---- what is looked at ---- */
static double speed(const epi_case *c, const epi_state *s) { (void)c; return s->y[7]; }
static double slip(const epi_case *c, const epi_state *s) { return s->y[7] - c->p[R]*epi_world_pose(c->world, s, 0).w[1]; }

static double friction(const epi_case *c, const epi_state *s)
{
  epi_action out;
  return epi_world_action(c->world, s, 0, &out) ? NAN : out.force[0];
}

static double loss(const epi_case *c, const epi_state *s)
{
  epi_action out;
  return epi_world_action(c->world, s, 0, &out) ? NAN : out.loss;
}

static const epi_observable OBSERVABLES[] = {
  {.name = "energy", .unit = "J", .value = epi_case_energy},
  {.name = "v", .unit = "m/s", .value = speed},
  {.name = "slip", .unit = "m/s", .value = slip},
  {.name = "friction", .unit = "N", .value = friction},
  {.name = "loss", .unit = "W", .value = loss},
  {0}
};

const epi_model epi_ROLLING_SPHERE = {
  .name = "rolling-sphere", .doc = "a sphere thrown along a plane slides, then rolls with 5/7 of its speed; exact",
  .cite = "Coriolis, Theorie mathematique des effets du jeu de billard (1835); friction is smoothed over the slip vs",
  .params = PARAMS, .make = make, .observables = OBSERVABLES, .exact = exact,
  .flow = "semi(model.contacts, model.stiff, ahead=1)", .step = 2.91247997670016e-4, .end = 0.58249599534003194
};
