/* kepler.c - one body on an ellipse about a fixed centre */
#include "model.h"

enum { E, A, MU, M0 };

static const epi_param PARAMS[] = {
  [E] = {.name = "e", .unit = "", .value = 0.8, .doc = "eccentricity",
         .range = {0, 1, EPI_BELOW, " is no ellipse: take 0 <= e < 1"}},
  [A] = {.name = "a", .unit = "m", .value = 1, .doc = "semi-major axis", .range = EPI_POSITIVE},
  [MU] = {.name = "mu", .unit = "m^3/s^2", .value = 1, .doc = "strength of the centre", .range = EPI_POSITIVE},
  [M0] = {.name = "M0", .unit = "rad", .value = 0, .doc = "start: mean anomaly, 0 at perihelion"},
  {0}
};
static const char *const NAMES[] = {"x", "y", "vx", "vy"};
static const char *const UNITS[] = {"m", "m", "m/s", "m/s"};

/* q'' = -mu q/r^3 */
static int force(epi_system *s, double t, const double *q, double *f)
{
  (void)t;
  const double *p = s->data;
  double r2 = q[0]*q[0] + q[1]*q[1], x = -p[MU]/(r2*sqrt(r2));
  if (r2 == 0) return EPI_TOO_FAR;
  f[0] = x*q[0];
  f[1] = x*q[1];
  return 0;
}

/* -q/r^2 needs no root; a quotient each is sooner there than a product with 1/r^2 */
static int log_force(epi_system *s, double t, const double *q, double *f)
{
  (void)s, (void)t;
  double r2 = q[0]*q[0] + q[1]*q[1];
  if (r2 == 0) return EPI_TOO_FAR;
  f[0] = -q[0]/r2;
  f[1] = -q[1]/r2;
  return 0;
}

static epi_planar log_planar(epi_system *s, double t, epi_planar q)
{
  (void)s, (void)t;
  double r2 = q.x*q.x + q.y*q.y;
  return (epi_planar){-q.x/r2, -q.y/r2};
}

static int slope(epi_system *s, double t, const double *y, double a, double b, double *S)
{
  (void)t, (void)b;
  const double *p = s->data;
  double r2 = y[0]*y[0] + y[1]*y[1], x = a*p[MU]/(r2*sqrt(r2));
  if (r2 == 0) return EPI_TOO_FAR;
  S[0] = x*(3*y[0]*y[0]/r2 - 1);
  S[1] = S[2] = x*3*y[0]*y[1]/r2;
  S[3] = x*(3*y[1]*y[1]/r2 - 1);
  return 0;
}

static double potential(epi_system *s, double t, const double *y)
{
  (void)t;
  const double *p = s->data;
  return -p[MU]/sqrt(y[0]*y[0] + y[1]*y[1]);
}

/* Q = (mu/r)^(3/2), which goes as the pace of a circle of this radius */
static int objective(epi_system *s, double t, const double *y, double *Q, double *grad)
{
  (void)t;
  const double *p = s->data;
  double r2 = y[0]*y[0] + y[1]*y[1], x = p[MU]/sqrt(r2);
  if (r2 == 0) return EPI_TOO_FAR;
  *Q = x*sqrt(x);
  grad[0] = -1.5* *Q*y[0]/r2;
  grad[1] = -1.5* *Q*y[1]/r2;
  grad[2] = grad[3] = 0;
  return 0;
}

/* Kepler's equation X - e sin X = M for the eccentric anomaly, |M| <= pi; Newton inside a shrinking bracket */
static double eccentric(double M, double e)
{
  double low = M - e, high = M + e, X = M + (M < 0 ? -0.85 : 0.85)*e;
  for (int i = 0; i < 100; i++) {
    double miss = X - e*sin(X) - M, next = X - miss/(1 - e*cos(X));
    if (miss > 0) high = X;
    else low = X;
    if (!(next >= low && next <= high)) next = (low + high)/2;
    if (next == X || fabs(next - X) <= 1e-16*fabs(X)) return next;
    X = next;
  }
  return X;
}

static int exact(const epi_case *c, double t, double *y)
{
  const double *p = c->p;
  double e = p[E], a = p[A], n = sqrt(p[MU]/a)/a, narrow = sqrt((1 - e)*(1 + e));
  double X = eccentric(remainder(p[M0] + n*t, 2*EPI_PI), e), half = sin(X/2);
  /* cos X - e and 1 - e cos X without loss near perihelion */
  double rate = n/((1 - e) + 2*e*half*half);
  y[0] = a*((1 - e) - 2*half*half);
  y[1] = a*narrow*sin(X);
  y[2] = 0 - a*rate*sin(X);
  y[3] = a*rate*narrow*cos(X);
  return 0;
}

static int make(epi_case *c)
{
  const double *p = c->p;
  c->system = (epi_system){.nq = 2, .force = force,
                           .energies = {.log_force = log_force, .log_planar = log_planar, .kinetic = epi_kinetic_plain,
                                        .potential = potential, .objective = objective}, .jacobian.slope = slope,
                           .energy = epi_energy_plain, .names = NAMES, .units = UNITS, .data = c->p};
  if (epi_case_start(c)) return -1;
  exact(c, 0, c->y);
  /* forty steps in the time that a circle at perihelion would take */
  double year = 2*EPI_PI*p[A]*sqrt(p[A]/p[MU]), near = 1 - p[E];
  c->step = year*near*sqrt(near)/40;
  c->end = 10*year;
  return 0;
}

static double spin(const epi_case *c, const epi_state *s)
{
  const double *y = s->y;
  (void)c;
  return y[0]*y[3] - y[1]*y[2];
}

/* Laplace's vector v x (q x v)/mu - q/r points to perihelion, its length is e */
static double laplace_x(const epi_case *c, const epi_state *s)
{
  const double *y = s->y;
  return y[3]*spin(c, s)/c->p[MU] - y[0]/sqrt(y[0]*y[0] + y[1]*y[1]);
}

static double laplace_y(const epi_case *c, const epi_state *s)
{
  const double *y = s->y;
  return -y[2]*spin(c, s)/c->p[MU] - y[1]/sqrt(y[0]*y[0] + y[1]*y[1]);
}

/* the sun is smaller than the nearest way past it */
static void draw(const epi_case *c, const epi_state *s, epi_scene *to)
{
  double a = c->p[A], sun = a*fmin(0.08, 0.4*(1 - c->p[E]));
  epi_show(to, &(epi_shape){.name = "sun", .kind = EPI_BALL, .appearance = EPI_BRASS, .size = {sun}});
  epi_show(to, &(epi_shape){.name = "planet", .kind = EPI_BALL, .appearance = EPI_BRIGHT, .size = {fmin(0.035*a, 0.6*sun)},
                            .at = {s->y[0], 0, s->y[1]}, .trail = 1});
}

static const epi_observable OBSERVABLES[] = {
  {.name = "energy", .unit = "m^2/s^2", .value = epi_case_energy, .invariant = 1},
  {.name = "angular-momentum", .unit = "m^2/s", .value = spin, .invariant = 1},
  {.name = "laplace-x", .unit = "", .value = laplace_x, .invariant = 1},
  {.name = "laplace-y", .unit = "", .value = laplace_y, .invariant = 1},
  {0}
};

const epi_model epi_KEPLER = {
  .name = "kepler", .doc = "body on an ellipse about a fixed centre, from perihelion; exact by Kepler's equation",
  .cite = "Modin, Adaptive Geometric Numerical Integration of Mechanical Systems (2009), Paper III, 3.1",
  .params = PARAMS, .make = make, .draw = draw, .observables = OBSERVABLES, .exact = exact,
  .flow = "symmetric(verlet, order=8)", .step = 0.014049629462081447, .end = 20*EPI_PI, .smooth = 1
};
