/* rigid-body.c - Euler's free rigid body with its attitude: momenta in Jacobi's functions, the third angle by Carlson's integral */
#include "rotating.h"

enum { I1, I2, I3, THETA, FLOOR };

static const epi_param PARAMS[] = {
  [I1] = {.name = "I1", .unit = "kg m^2", .value = 0.5, .doc = "first moment of inertia", .range = EPI_POSITIVE},
  [I2] = {.name = "I2", .unit = "kg m^2", .value = 1, .doc = "second moment of inertia", .range = EPI_POSITIVE},
  [I3] = {.name = "I3", .unit = "kg m^2", .value = 2, .doc = "third moment of inertia", .range = EPI_POSITIVE},
  [THETA] = {.name = "theta", .unit = "rad", .value = 0.2, .doc = "start: momenta (0, cos theta, sin theta); 0 is the unstable rotation"},
  [FLOOR] = {.name = "floor", .unit = "kg m^2/s^2", .value = 0.01, .doc = "added to |x'| where it sets the density of steps",
             .range = {0, EPI_UNBOUNDED, .words = " may stop the steps where x' vanishes: take floor >= 0"}},
  {0}
};

typedef struct { const double *p; double inertia[3]; } body;

/* Q = |x'| + floor, x' = x cross w with x = I w */
static int objective(epi_system *s, double t, const double *y, double *Q, double *grad)
{
  const double *p = ((const body *)s->data)->p, *I = s->mass, *w = y + EPI_BODY_Q;
  double f[3] = {0};
  epi_body_gyro(s, t, y, w, f);
  double size = sqrt(f[0]*f[0] + f[1]*f[1] + f[2]*f[2]), n = size > 0 ? 1/size : 0;
  *Q = size + p[FLOOR];
  for (int i = 0; i < 3; i++) {
    int j = (i + 1)%3, k = (i + 2)%3;
    grad[i] = 0;
    grad[3 + i] = n*(f[j]*(I[k] - I[i])*w[k] + f[k]*(I[i] - I[j])*w[j]);
  }
  return 0;
}

static int make(epi_case *c)
{
  const double *p = c->p;
  body *d = epi_case_room(c, 1, sizeof *d);
  if (!d) return -1;
  *d = (body){.p = p, .inertia = {p[I1], p[I2], p[I3]}};
  c->system = (epi_system){.nq = EPI_BODY_Q, .nv = EPI_BODY_V, .velocity_force = epi_body_gyro, .mass = d->inertia,
                           .manifold = {.retract = epi_body_retract, .retract_rate = epi_body_retract_rate},
                           .energies = {.kinetic = epi_kinetic_plain, .objective = objective}, .energy = epi_kinetic_plain,
                           .names = epi_body_names, .units = epi_body_units, .data = d};
  if (epi_case_start(c)) return -1;
  c->y[0] = 1;
  c->y[EPI_BODY_Q + 1] = cos(p[THETA])/p[I2];
  c->y[EPI_BODY_Q + 2] = sin(p[THETA])/p[I3];
  /* no momentum is larger than 1 */
  double slow = fmin(fmin(p[I1], p[I2]), p[I3])/0.5;
  c->step = 0.15*slow;
  c->end = 200*slow;
  return 0;
}

/* ---- the momenta, from (0, x_2, x_3) ---- */
/* x_1 = A sn, x_o = x_o(0) cn, x_e = x_e(0) dn of phi = am(lambda t); or, over dn: A sd, x_o(0) cd, x_e(0) nd. The orbit encloses axis e */
typedef struct { int e, o, over; double lambda, k2, kc2, A, x[3]; } orbit;

/* x_1' = a_1 x_2 x_3 and so on, a_1 = 1/I3 - 1/I2; 1 where the body turns about an axis that stays */
static int orbit_of(const double *I, const double *x, orbit *r)
{
  double a1 = 1/I[2] - 1/I[1], P = a1*(1/I[0] - 1/I[2])*x[2]*x[2], R = a1*(1/I[1] - 1/I[0])*x[1]*x[1];
  double most = fmax(P, R), other = -fmin(P, R), lambda2 = other + fmax(most, 0);
  if (!(lambda2 > 0) || a1*x[1]*x[2] == 0) return 1;
  /* on the separatrix itself kc would be 0, and the period infinite */
  *r = (orbit){.e = P <= R ? 2 : 1, .o = P <= R ? 1 : 2, .over = most > 0, .lambda = sqrt(lambda2), .k2 = fabs(most)/lambda2,
               .kc2 = fmax((other + fmin(most, 0))/lambda2, 1e-300), .A = a1*x[1]*x[2]/sqrt(lambda2), .x = {0, x[1], x[2]}};
  return 0;
}

/* near the separatrix the mean loses digits where phi lingers at a quarter turn; one step of Newton on F(phi) = u brings them back */
static double amplitude(const orbit *r, double u)
{
  double kc = sqrt(r->kc2), phi = epi_amplitude(u, kc), cn = cos(phi);
  return phi - (epi_legendre(phi, kc) - u)*sqrt(r->kc2 + r->k2*cn*cn);
}

static void momenta(const orbit *r, double phi, double *x)
{
  double cn = cos(phi), dn = sqrt(r->kc2 + r->k2*cn*cn), over = r->over ? dn : 1;
  x[0] = r->A*sin(phi)/over;
  x[r->o] = r->x[r->o]*cn/over;
  x[r->e] = r->x[r->e]*(r->over ? 1/dn : dn);
}

/* ---- Carlson's integral of the third kind; Numer. Algorithms 10 (1995) 13 ---- */
/* atan(sqrt e)/sqrt e, also for e < 0 */
static double arc(double e)
{
  double z = sqrt(fabs(e));
  if (z < 1e-3) return 1 - e/3 + e*e/5;
  return (e > 0 ? atan(z) : atanh(z))/z;
}

/* R_J: duplication until the four are alike, then the series about equal ones */
static double carlson(double x, double y, double z, double p)
{
  double sum = 0, scale = 1, mean = (x + y + z + 2*p)/5, X = 1, Y = 1, Z = 1;
  while (fmax(fmax(fabs(X), fabs(Y)), fabs(Z)) > 1e-3) {
    double a = sqrt(x), b = sqrt(y), c = sqrt(z), g = sqrt(p), d = (g + a)*(g + b)*(g + c), l = a*b + b*c + c*a;
    sum += 6*scale/d*arc((p - x)*(p - y)*(p - z)/(d*d));
    scale /= 4;
    x = (x + l)/4, y = (y + l)/4, z = (z + l)/4, p = (p + l)/4, mean = (mean + l)/4;
    X = 1 - x/mean, Y = 1 - y/mean, Z = 1 - z/mean;
  }
  double V = -(X + Y + Z)/2, XYZ = X*Y*Z, E2 = X*Y + Y*Z + Z*X - 3*V*V, E3 = XYZ + 2*E2*V + 4*V*V*V, E4 = (2*XYZ + E2*V + 3*V*V*V)*V;
  return sum + scale/(mean*sqrt(mean))*(1 - 3*E2/14 + E3/6 + 9*E2*E2/88 - 3*E4/22 - 9*E2*E3/52 + 3*XYZ*V*V/26);
}

/* the integral of sn^2/(1 - n sn^2) from 0 to phi = am u, h = 1 - n */
static double third(const orbit *r, double n, double h, double phi)
{
  double halves = round(phi/EPI_PI), rest = phi - halves*EPI_PI, s = sin(rest), c2 = cos(rest)*cos(rest);
  double whole = halves == 0 ? 0 : 2*halves/3*carlson(0, r->kc2, 1, h);
  return whole + s*s*s/3*carlson(c2, r->kc2 + r->k2*c2, 1, h + n*c2);
}

/* ---- the attitude: seen along the momentum, which stays in space, an axis i of the body precesses ---- */
/* x_i^2 = (e + f sn^2)/(1 - g sn^2); of the two axes that may be taken, the one that keeps x_i^2 below a half */
typedef struct { int i; double e, f, g; } axis;

static axis axis_of(const orbit *r)
{
  double e2 = r->x[r->e]*r->x[r->e], o2 = r->x[r->o]*r->x[r->o];
  if (r->over) return e2 < r->kc2/2 ? (axis){.i = r->e, .e = e2, .g = r->k2} : (axis){.i = 0, .f = r->A*r->A, .g = r->k2};
  return e2 < o2 ? (axis){.i = r->e, .e = e2, .f = -e2*r->k2} : (axis){.i = r->o, .e = o2, .f = -o2};
}

/* t/I + (2T - 1/I) int dt/(1 - x_i^2), momentum 1 */
static double precession(const orbit *r, axis a, double inertia, double T, double t, double phi)
{
  double n = (a.g + a.f)/(1 - a.e), h = r->over ? (r->kc2 - a.e - a.f)/(1 - a.e) : 1 - n;
  double integral = (t + (n - a.g)*third(r, n, h, phi)/r->lambda)/(1 - a.e);
  return t/inertia + (2*T - 1/inertia)*integral;
}

/* the angle of (x_j, x_k), without jumps: it winds with phi about the enclosed axis, and swings about it where another is taken */
static double azimuth(const orbit *r, int i, const double *x, double phi)
{
  int j = (i + 1)%3, k = (i + 2)%3, e = r->e, o = r->o;
  double about = atan2(e == k ? r->x[e] : 0, e == j ? r->x[e] : 0);
  if (i == e) about = atan2(r->x[k], r->x[j]) + (o == j ? 1 : -1)*copysign(phi, phi*r->A*r->x[o]);
  return about + remainder(atan2(x[k], x[j]) - about, 2*EPI_PI);
}

/* out = (rotation that brings axis i to x)^way */
static void aim(int i, const double *x, double angle, int way, double *out)
{
  int j = (i + 1)%3, k = (i + 2)%3;
  double about[4], tilt[4];
  epi_quaternion_about(i, way*angle, about);
  epi_quaternion_about(k, way*atan2(hypot(x[j], x[k]), x[i]), tilt);
  if (way > 0) epi_quaternion_times(about, tilt, out);
  else epi_quaternion_times(tilt, about, out);
}

static void attitude(const orbit *r, const double *I, double T, double t, const double *x, double phi, double *q)
{
  axis a = axis_of(r);
  double turn[4], back[4];
  aim(a.i, r->x, azimuth(r, a.i, r->x, 0), 1, q);
  epi_quaternion_about(a.i, precession(r, a, I[a.i], T, t, phi), turn);
  aim(a.i, x, azimuth(r, a.i, x, phi), -1, back);
  epi_quaternion_times(q, turn, q);
  epi_quaternion_times(q, back, q);
}

static int exact(const epi_case *c, double t, double *y)
{
  const double *p = c->p, *I = c->system.mass, *w = c->y + EPI_BODY_Q;
  double x[3] = {0, cos(p[THETA]), sin(p[THETA])}, T = (x[1]*w[1] + x[2]*w[2])/2;
  orbit r;
  memcpy(y, c->y, (EPI_BODY_Q + EPI_BODY_V)*sizeof *y);
  if (orbit_of(I, x, &r)) {
    double turn[3] = {0, t*w[1], t*w[2]};
    epi_body_retract(NULL, c->y, turn, y);
    return 0;
  }
  double phi = amplitude(&r, r.lambda*t);
  momenta(&r, phi, x);
  attitude(&r, I, T, t, x, phi, y);
  for (int i = 0; i < 3; i++) y[EPI_BODY_Q + i] = x[i]/I[i];
  return 0;
}

/* ---- what is looked at ---- */
static double momentum(const epi_case *c, const epi_state *s, int i) { return c->system.mass[i]*s->y[EPI_BODY_Q + i]; }
static double x1(const epi_case *c, const epi_state *s) { return momentum(c, s, 0); }
static double x2(const epi_case *c, const epi_state *s) { return momentum(c, s, 1); }
static double x3(const epi_case *c, const epi_state *s) { return momentum(c, s, 2); }
static double casimir(const epi_case *c, const epi_state *s) { return (x1(c, s)*x1(c, s) + x2(c, s)*x2(c, s) + x3(c, s)*x3(c, s))/2; }

/* the box of these moments, its longest side 1; moments that no box has make a plate. The momentum stays in space, the velocity does not */
static void draw(const epi_case *c, const epi_state *s, epi_scene *to)
{
  const double *I = c->system.mass, *w = s->y + EPI_BODY_Q;
  double side[3], most = 0, x[3], L[3], v[3];
  for (int i = 0; i < 3; i++) {
    side[i] = sqrt(fmax(0, I[0] + I[1] + I[2] - 2*I[i]));
    most = fmax(most, side[i]);
    x[i] = I[i]*w[i];
  }
  for (int i = 0; i < 3; i++) side[i] = fmax(side[i]/most, 0.05);
  epi_to_space(s->y, x, L);
  epi_to_space(s->y, w, v);
  epi_shape box = {.name = "body", .kind = EPI_BOX, .appearance = EPI_BRASS, .size = {side[0], side[1], side[2]}};
  memcpy(box.attitude, s->y, sizeof box.attitude);
  epi_show(to, &box);
  epi_show(to, &(epi_shape){.name = "momentum", .unit = "kg m^2/s", .kind = EPI_ARROW, .appearance = EPI_DARK, .to = {L[0], L[1], L[2]}});
  epi_show(to, &(epi_shape){.name = "angular velocity", .unit = "rad/s", .kind = EPI_ARROW, .appearance = EPI_BRIGHT,
                            .to = {v[0], v[1], v[2]}});
}

static const epi_observable OBSERVABLES[] = {
  {.name = "T", .unit = "J", .value = epi_case_energy, .invariant = 1},
  {.name = "M", .unit = "kg^2 m^4/s^2", .value = casimir, .invariant = 1},
  {.name = "Lx", .unit = "kg m^2/s", .value = epi_body_Lx, .invariant = 1},
  {.name = "Ly", .unit = "kg m^2/s", .value = epi_body_Ly, .invariant = 1},
  {.name = "Lz", .unit = "kg m^2/s", .value = epi_body_Lz, .invariant = 1},
  {.name = "x1", .unit = "kg m^2/s", .value = x1},
  {.name = "x2", .unit = "kg m^2/s", .value = x2},
  {.name = "x3", .unit = "kg m^2/s", .value = x3},
  {.name = "unit", .unit = "", .value = epi_body_off},
  {0}
};

const epi_model epi_RIGID_BODY = {
  .name = "rigid-body",
  .doc = "free rigid body, attitude as a unit quaternion and velocity in its own axes; both exact by elliptic functions",
  .cite = "Modin, Adaptive Geometric Numerical Integration of Mechanical Systems (2009), Paper IV, 4",
  .params = PARAMS, .make = make, .draw = draw, .observables = OBSERVABLES, .exact = exact,
  .flow = "symmetric(nambu, order=8)", .step = 0.15, .end = 200, .smooth = 1
};
