/* rotor.c - an unbalanced disc on a springy bearing, run near its resonance */
#include "rotating.h"

enum { M, K, OMEGA, EPS, KAPPA };

static const epi_param PARAMS[] = {
  [M] = {.name = "m", .unit = "kg", .value = 1, .doc = "mass of the disc", .range = EPI_POSITIVE},
  [K] = {.name = "k", .unit = "N/m", .value = 1, .doc = "stiffness of the bearing", .range = EPI_POSITIVE},
  [OMEGA] = {.name = "Omega", .unit = "rad/s", .value = 1.02, .doc = "speed of the shaft"},
  [EPS] = {.name = "eps", .unit = "kg m", .value = 0.1, .doc = "unbalance"},
  [KAPPA] = {.name = "kappa", .unit = "", .value = 0,
             .doc = "unevenness of the shaft: its stiffness is k (1 + kappa) one way and k (1 - kappa) across, and turns with it"},
  {0}
};
static const char *const NAMES[] = {"q1", "q2", "v1", "v2"};
static const char *const UNITS[] = {"m", "m", "m/s", "m/s"};

/* m q1'' = -k q1 - eps W^2 cos Wt, m q2'' = -k q2 + eps W^2 sin Wt; an uneven shaft adds -k kappa (q1 c - q2 s, -q1 s - q2 c)
   with c, s of 2Wt */
static int force(epi_system *s, double t, const double *q, double *f)
{
  const double *p = s->data;
  double W = p[OMEGA], x = p[EPS]*W*W;
  f[0] = -p[K]*q[0] - x*cos(W*t);
  f[1] = -p[K]*q[1] + x*sin(W*t);
  if (p[KAPPA] == 0) return 0;
  double k = p[K]*p[KAPPA], C = k*cos(2*W*t), S = k*sin(2*W*t);
  f[0] -= C*q[0] - S*q[1];
  f[1] += S*q[0] + C*q[1];
  return 0;
}

static int slope(epi_system *s, double t, const double *y, double a, double b, double *A)
{
  (void)y, (void)b;
  const double *p = s->data;
  double k = p[K]*p[KAPPA], C = k*cos(2*p[OMEGA]*t), S = k*sin(2*p[OMEGA]*t);
  A[0] = -a*(p[K] + C);
  A[1] = A[2] = a*S;
  A[3] = -a*(p[K] - C);
  return 0;
}

static double potential(epi_system *s, double t, const double *y)
{
  const double *p = s->data;
  double k = p[K]*p[KAPPA], C = k*cos(2*p[OMEGA]*t), S = k*sin(2*p[OMEGA]*t);
  return ((p[K] + C)*y[0]*y[0] + (p[K] - C)*y[1]*y[1])/2 - S*y[0]*y[1];
}

static int make(epi_case *c)
{
  const double *p = c->p;
  if (!(fabs(p[KAPPA]) < 1))
    return epi_case_refuse(c, "kappa = %g would leave a shaft without stiffness: take a number between -1 and 1", p[KAPPA]);
  double *mass = epi_case_room(c, 2, sizeof *mass), w = sqrt(p[K]/p[M]);
  if (!mass) return -1;
  mass[0] = mass[1] = p[M];
  c->system = (epi_system){.nq = 2, .force = force, .jacobian.slope = slope, .mass = mass,
                           .energies = {.kinetic = epi_kinetic_plain, .potential = potential}, .energy = epi_energy_plain, .names = NAMES,
                           .units = UNITS, .data = c->p};
  c->step = 0.2/fmax(w, fabs(p[OMEGA])/1.02);
  c->end = 1000/w;
  return epi_case_start(c);
}

/* on axes that turn with the shaft the coefficients stand still: x = (u1, u2, u1', u2', 1), x' = A x. exp(tA) by scaling and squaring */
static void exponential(const double A[25], double t, double E[25])
{
  enum { N = 5 };
  double X[25], P[25], size = 0;
  int halved = 0;
  for (int i = 0; i < 25; i++) size = fmax(size, fabs(t*A[i]));
  while (size > 0.125) { size /= 2; halved++; }
  for (int i = 0; i < 25; i++) E[i] = P[i] = i % (N + 1) == 0;
  for (int k = 1; k <= 14 + halved; k++) {
    const double *B = k <= 14 ? A : E;
    double *from = k <= 14 ? P : E;
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        double sum = 0;
        for (int l = 0; l < N; l++) sum += from[i*N + l]*B[l*N + j];
        X[i*N + j] = k <= 14 ? sum*ldexp(t, -halved)/k : sum;
      }
    memcpy(from, X, sizeof X);
    for (int i = 0; i < 25 && k <= 14; i++) E[i] += P[i];
  }
}

static int uneven(const double *p, double t, double *y)
{
  double w2 = p[K]/p[M], W = p[OMEGA], f = p[EPS]*W*W/p[M], E[25];
  /* u1'' = (W^2 - w2 (1 + kappa)) u1 - 2 W u2' - f, u2'' = (W^2 - w2 (1 - kappa)) u2 + 2 W u1' */
  const double A[25] = {0, 0, 1, 0, 0,  0, 0, 0, 1, 0,  W*W - w2*(1 + p[KAPPA]), 0, 0, -2*W, -f,  0, W*W - w2*(1 - p[KAPPA]), 2*W, 0, 0,  0,
                        0, 0, 0, 0};
  exponential(A, t, E);
  double u[4], C = cos(W*t), S = sin(W*t);
  for (int i = 0; i < 4; i++) u[i] = E[5*i + 4];
  /* back to axes at rest: q1 = C u1 + S u2, q2 = C u2 - S u1 */
  y[0] = C*u[0] + S*u[1];
  y[1] = C*u[1] - S*u[0];
  y[2] = C*(u[2] + W*u[1]) + S*(u[3] - W*u[0]);
  y[3] = C*(u[3] - W*u[0]) - S*(u[2] + W*u[1]);
  return 0;
}

/* from rest, with a = eps W^2/m: q1 = a (cos Wt - cos wt)/(W^2 - w^2), q2 = -a (sin Wt - W/w sin wt)/(W^2 - w^2);
 * in terms of half the sum and half the difference of W and w, nothing is lost or divided by zero at resonance */
static int exact(const epi_case *c, double t, double *y)
{
  const double *p = c->p;
  if (p[KAPPA] != 0) return uneven(p, t, y);
  double w = sqrt(p[K]/p[M]), W = fabs(p[OMEGA]), way = p[OMEGA] < 0 ? -1 : 1;
  double a = p[EPS]*W*W/p[M], sum = (W + w)/2, x = (W - w)/2*t, wave = sin(w*t);
  double beat = x == 0 ? t : t*sin(x)/x, b = a/(2*sum);
  y[0] = -b*beat*sin(sum*t);
  y[1] = -way*b*(beat*cos(sum*t) - wave/w);
  y[2] = -b*(W*beat*cos(sum*t) + wave);
  y[3] = way*b*W*beat*sin(sum*t);
  return 0;
}

/* of the free oscillation through this state; it beats */
static double amplitude(const epi_case *c, const epi_state *s)
{
  const double *y = s->y;
  return sqrt(y[0]*y[0] + y[2]*y[2]*c->p[M]/c->p[K]);
}

static double whirl(const epi_case *c, const epi_state *s)
{
  const double *y = s->y;
  (void)c;
  return sqrt(y[0]*y[0] + y[1]*y[1]);
}

/* seen along the shaft, which lies along y; the unbalance, where the force of the model points, at three quarters of a disc ten times as
   wide */
static void draw(const epi_case *c, const epi_state *s, epi_scene *to)
{
  const double *p = c->p, *y = s->y;
  double r = p[EPS] != 0 ? 10*fabs(p[EPS])/p[M] : 1, turn = p[OMEGA]*s->t, side = p[EPS] < 0 ? -0.75*r : 0.75*r, across[4], spun[4];
  epi_quaternion_about(0, -EPI_PI/2, across);
  epi_quaternion_about(1, turn, spun);
  epi_quaternion_times(spun, across, spun);
  epi_shape line = {.name = "bearing line", .kind = EPI_CYLINDER, .appearance = EPI_DARK, .size = {0.03*r, 5*r}};
  epi_shape shaft = {.name = "shaft", .kind = EPI_CYLINDER, .appearance = EPI_STEEL, .size = {0.1*r, 3*r}, .at = {y[0], 0, y[1]}};
  epi_shape disc = {.name = "disc", .kind = EPI_CYLINDER, .size = {r, 0.25*r}, .at = {y[0], 0, y[1]}, .trail = 1};
  memcpy(line.attitude, across, sizeof across);
  memcpy(shaft.attitude, spun, sizeof spun);
  memcpy(disc.attitude, spun, sizeof spun);
  epi_show(to, &line);
  epi_show(to, &shaft);
  epi_show(to, &disc);
  epi_show(to, &(epi_shape){.name = "unbalance", .kind = EPI_BALL, .appearance = EPI_BRIGHT, .size = {0.2*r},
                            .at = {y[0] - side*cos(turn), 0, y[1] + side*sin(turn)}});
}

static const epi_observable OBSERVABLES[] = {
  {.name = "energy", .unit = "J", .value = epi_case_energy},
  {.name = "amplitude", .unit = "m", .value = amplitude},
  {.name = "whirl", .unit = "m", .value = whirl},
  {0}
};

const epi_model epi_ROTOR = {
  .name = "rotor", .doc = "unbalanced disc on a springy bearing, also on an uneven shaft, from rest, beating near its resonance; exact",
  .cite = "Modin, Adaptive Geometric Numerical Integration of Mechanical Systems (2009), Paper I, 2.2",
  .params = PARAMS, .make = make, .draw = draw, .observables = OBSERVABLES, .exact = exact,
  .flow = "symmetric(verlet, order=8)", .step = 0.2, .end = 1000, .smooth = 1
};
