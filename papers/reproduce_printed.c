/* reproduce_printed.c - recurrences and formulas as the thesis prints them, where they are not what was meant; and the small system on
 * which orders are measured. What is right stands in the library */
#include "papers.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/* ---- a smooth system: V = 1 - cos q + q^4/8, steps as 1/(1 + q^2 + q/4) ---- */
static int smooth_force(epi_system *s, double t, const double *q, double *f)
{
  (void)s, (void)t;
  f[0] = -sin(q[0]) - q[0]*q[0]*q[0]/2;
  return 0;
}

static double smooth_potential(epi_system *s, double t, const double *y)
{
  (void)s, (void)t;
  return 1 - cos(y[0]) + y[0]*y[0]*y[0]*y[0]/8;
}

static double smooth_kinetic(epi_system *s, double t, const double *y) { (void)s, (void)t; return y[1]*y[1]/2; }
static double smooth_energy(epi_system *s, double t, const double *y) { return smooth_kinetic(s, t, y) + smooth_potential(s, t, y); }

static int smooth_objective(epi_system *s, double t, const double *y, double *Q, double *grad)
{
  (void)s, (void)t;
  *Q = 1 + y[0]*y[0] + y[0]/4;
  grad[0] = 2*y[0] + 0.25;
  grad[1] = 0;
  return 0;
}

int printed_smooth(track *r)
{
  r->system = need(sizeof *r->system);
  *r->system = (epi_system){.nq = 1, .force = smooth_force,
                            .energies = {.potential = smooth_potential, .kinetic = smooth_kinetic, .objective = smooth_objective},
                            .energy = smooth_energy};
  r->size = 2;
  r->origin[0] = 1.2;
  r->origin[1] = 0.3;
  return 0;
}

/* ---- (3.7): both half steps of the density with the rate at the old point ---- */
/* d log Q/dt by the model's gradient; q' is v */
static double rate_of(track *r, const double *y)
{
  double Q, grad[32], sum = 0;
  if (r->system->energies.objective(r->system, 0, y, &Q, grad)) return NAN;
  for (int i = 0; i < r->system->nq; i++) sum += grad[i]*y[r->system->nq + i];
  return sum/Q;
}

static int old_rate_step(track *r, epi_state *s, double *rho)
{
  double e = r->of->step, xi = rate_of(r, s->y);
  *rho += e/2*xi;
  int bad = epi_advance(track_probe(r, "verlet"), s, e/ *rho, 1);
  *rho += e/2*xi;
  return bad;
}

static void turn_round(const track *r, double *y)
{
  for (int i = 0; i < r->system->nq; i++) y[r->system->nq + i] *= -1;
}

static int old_rate_steps(track *r, epi_state *s, double *rho)
{
  int bad = 0;
  for (long k = 0; k < r->of->steps && !bad; k++) {
    bad = old_rate_step(r, s, rho);
    track_note(r, s->t, s->y, *rho);
  }
  return bad;
}

/* there and back from a point of no symmetry: seven steps on, with the density 1 that the algorithm begins with */
static void drive_old_rate(track *r)
{
  double y[16], grad[32], rho = 1;
  epi_state s = {.y = y};
  int bad = 0;
  memcpy(y, r->origin, sizeof y);
  if (!r->of->back) bad = r->system->energies.objective(r->system, 0, y, &rho, grad);
  for (int k = 0; k < 7 && r->of->back && !bad; k++) bad = old_rate_step(r, &s, &rho);
  if (r->of->back) {
    memcpy(r->origin, y, sizeof y);
    r->n = 0;
    track_note(r, s.t, y, rho);
  }
  if (!bad) bad = old_rate_steps(r, &s, &rho);
  if (!bad && r->of->back) {
    turn_round(r, y);
    bad = old_rate_steps(r, &s, &rho);
    turn_round(r, y);
    track_note(r, s.t, y, rho);
  }
  if (bad) track_fail(r, epi_cause_of(r->probe), epi_error(r->probe));
}

/* ---- SYMP(q) on two copies z0, z1, with G = Q^power, the level H0 times `level`, and the copy that the last part goes by ---- */
typedef struct pair { double q[2], p[2], power, level; } pair;

static int scale_of(track *r, double q, double power, double *G, double *slope)
{
  double y[2] = {q, 0}, Q, grad[2];
  if (r->system->energies.objective(r->system, 0, y, &Q, grad)) return 1;
  *G = pow(Q, power);
  *slope = power*pow(Q, power - 1)*grad[0];
  return 0;
}

/* E: the kinetic part of G(q_a) H(z_b) */
static int move_q(track *r, pair *z, int a, double e)
{
  double G, slope, dq, y[2] = {z->q[a], z->p[!a]};
  if (scale_of(r, z->q[a], z->power, &G, &slope)) return 1;
  r->system->inertia.speed(r->system, 0, &z->p[!a], &dq);
  z->q[!a] += e*G*dq;
  z->p[a] -= e*slope*r->system->energies.kinetic(r->system, 0, y);
  return 0;
}

/* F: its potential part */
static int move_p(track *r, pair *z, int a, double e)
{
  double G, slope, f, y[2] = {z->q[!a], 0};
  if (scale_of(r, z->q[a], z->power, &G, &slope) || r->system->force(r->system, 0, y, &f)) return 1;
  z->p[a] -= e*slope*(r->system->energies.potential(r->system, 0, y) - z->level);
  z->p[!a] += e*G*f;
  return 0;
}

static int twin_step(track *r, pair *z, int last, double e)
{
  return move_q(r, z, 1, e/2) || move_p(r, z, 1, e) || move_q(r, z, 1, e/2) || move_q(r, z, 0, e/2) || move_p(r, z, 0, e) ||
         move_q(r, z, last, e/2);
}

static void drive_twin(track *r, double power, double level, int last)
{
  pair z = {.q = {r->origin[0], r->origin[0]}, .p = {r->origin[1], r->origin[1]}, .power = power,
            .level = level*r->system->energy(r->system, 0, r->origin)};
  for (long k = 1; k <= r->of->steps; k++) {
    if (twin_step(r, &z, last, r->of->step)) { track_fail(r, EPI_OTHER_CAUSE, "a copy has left the space between the walls"); return; }
    double y[2] = {(z.q[0] + z.q[1])/2, (z.p[0] + z.p[1])/2};
    track_note(r, (double)k*r->of->step, y, 0);
  }
}

static void drive_last(track *r) { drive_twin(r, -1, 1, 1); }
static void drive_levelless(track *r) { drive_twin(r, -1, 0, 0); }
static void drive_square(track *r) { drive_twin(r, 2, 1, 0); }

/* ---- the body's density with the sign that (M, T, G, F) gives it ---- */
static double body_rate(track *r, const double *y)
{
  double Q, grad[32], f[3] = {0}, sum = 0;
  if (r->system->energies.objective(r->system, 0, y, &Q, grad) || r->system->velocity_force(r->system, 0, y, y + 4, f)) return NAN;
  for (int i = 0; i < 3; i++) sum += grad[3 + i]*f[i]/r->system->mass[i];
  return sum/Q;
}

static void drive_sign(track *r)
{
  double y[16], xi = 1, grad[32], e = r->of->step;
  epi_state s = {.y = y};
  memcpy(y, r->origin, sizeof y);
  int bad = r->system->energies.objective(r->system, 0, y, &xi, grad);
  for (long k = 0; k < r->of->steps && !bad; k++) {
    xi -= e/2*body_rate(r, y);
    if (!(xi > 0)) { track_fail(r, EPI_OTHER_CAUSE, "the density is not positive"); return; }
    bad = epi_advance(track_probe(r, "nambu(split=T)"), &s, e/xi, 1);
    xi -= e/2*body_rate(r, y);
    if (!(xi > 0)) { track_fail(r, EPI_OTHER_CAUSE, "the density is not positive"); return; }
    track_note(r, s.t, y, xi);
  }
  if (bad) track_fail(r, epi_cause_of(r->probe), epi_error(r->probe));
}

static const struct { const char *name, *model; void (*drive)(track *); } RECURRENCES[] = {
  {"both rates at z_k", "kepler", drive_old_rate}, {"leftmost E10", "oscillator", drive_last},
  {"F without H0", "oscillator", drive_levelless}, {"G = Q^2", "oscillator", drive_square},
  {"xi by {M, T, G, xi}", "rigid-body", drive_sign},
};

int printed_drive(track *r, const char *name)
{
  for (size_t i = 0; i < sizeof RECURRENCES/sizeof *RECURRENCES; i++) {
    if (strcmp(RECURRENCES[i].name, name) || !r->c || strcmp(r->c->model->name, RECURRENCES[i].model)) continue;
    RECURRENCES[i].drive(r);
    return 0;
  }
  return -1;
}

/* ---- formulas ---- */
/* Paper I, Corollary 2.1: (A, f, alpha) stands for the field (A(t) x + f(t), alpha) of (x, t). Two of them, as A, f, A', f' at t */
typedef struct field { double A[2][2], f[2], dA[2][2], df[2], alpha; } field;

static field first_field(double t) { return (field){{{0, 1}, {-cos(t), 0}}, {0, sin(t)}, {{0, 0}, {sin(t), 0}}, {0, cos(t)}, 1}; }
static field second_field(double t)
{
  return (field){{{sin(t), 0.5}, {0, -sin(t)}}, {cos(t), 0}, {{cos(t), 0}, {0, -cos(t)}}, {-sin(t), 0}, 0.5};
}

static void field_at(const field *X, const double *x, double *out)
{
  for (int i = 0; i < 2; i++) out[i] = X->A[i][0]*x[0] + X->A[i][1]*x[1] + X->f[i];
}

/* how X changes along Y: DX Y, by its formula in x and t */
static void along(const field *X, const field *Y, const double *x, double *out)
{
  double v[2];
  field_at(Y, x, v);
  for (int i = 0; i < 2; i++) {
    out[i] = X->A[i][0]*v[0] + X->A[i][1]*v[1];
    out[i] += Y->alpha*(X->dA[i][0]*x[0] + X->dA[i][1]*x[1] + X->df[i]);
  }
}

/* [A, B] + beta A' + sign alpha B' and A g - B f + beta f' - alpha g' against DX Y - DY X: relative error */
static double bracket(double sign)
{
  double t = 0.7, x[2] = {0.4, -1.1}, xy[2], yx[2], wrong = 0, size = 0;
  field X = first_field(t), Y = second_field(t);
  along(&X, &Y, x, xy);
  along(&Y, &X, x, yx);
  for (int i = 0; i < 2; i++) {
    double out = Y.alpha*X.df[i] - X.alpha*Y.df[i];
    for (int j = 0; j < 2; j++) {
      out += X.A[i][j]*Y.f[j] - Y.A[i][j]*X.f[j];
      for (int k = 0; k < 2; k++) out += (X.A[i][k]*Y.A[k][j] - Y.A[i][k]*X.A[k][j])*x[j];
      out += (Y.alpha*X.dA[i][j] + sign*X.alpha*Y.dA[i][j])*x[j];
    }
    wrong = hypot(wrong, out - (xy[i] - yx[i]));
    size = hypot(size, xy[i] - yx[i]);
  }
  return wrong/size;
}
static double bracket_plus(void) { return bracket(1); }
static double bracket_minus(void) { return bracket(-1); }

/* Paper II, 3.2: with c = 0.0033, the smallest V~'' between the walls. V~ = sum K D(-d)^2/2 with D' = u, so V~'' = sum K (u^2 + D u') */
static double smoothed_curvature(void)
{
  const double c = 0.0033, K[] = {1, 1e4};
  double least = INFINITY;
  for (int i = 1; i < 100000; i++) {
    double q = 1e-5*i, sum = 0;
    for (int wall = 0; wall < 2; wall++) {
      double x = (wall ? -q : q)/c, u = 0.5 + atan(x)/PI, slope = 1/(PI*c*(1 + x*x));
      double D = c*(x/2 + (x*atan(x) - 0.5*log1p(x*x))/PI);
      sum += K[wall]*(u*u + D*slope);
    }
    least = fmin(least, sum);
  }
  return least;
}

/* Paper II (29) as printed: what a unit of penetration counts one unit deep in a contact, c = 0.0033 */
static double printed_penetration(void) { return 0.5 + atan(-1/0.0033)/PI; }

/* Paper II (26): the share of a step that is not along the gradient of the scaling, on Kepler's ellipse away from its axes */
static double across(void)
{
  double share = NAN, Q, grad[4], y[4], d[2];
  epi_case *c = epi_case_make("kepler(M0=1)");
  epi_flow *f = epi_case_flow(c, "variational(0, 0, scaling=model, clock=own)");
  epi_state s = epi_case_state(c);
  memcpy(y, s.y, sizeof y);
  if (!epi_advance(f, &s, 0.02, 1) && !c->system.energies.objective(&c->system, 0, y, &Q, grad)) {
    for (int i = 0; i < 2; i++) d[i] = s.y[i] - y[i];
    share = fabs(d[0]*grad[1] - d[1]*grad[0])/(hypot(d[0], d[1])*hypot(grad[0], grad[1]));
  }
  epi_free(f);
  epi_case_free(c);
  return share;
}

/* Paper III, 3.4: the least potential as printed, without the constant g that makes it positive */
static double printed_potential(void)
{
  double least = INFINITY;
  epi_case *c = epi_case_make("magnetic-pendulum(g=1)");
  for (int i = 0; i < 100000; i++) {
    double y[2] = {2e-5*PI*i, 0};
    least = fmin(least, c->system.energies.potential(&c->system, 0, y) - 1);
  }
  epi_case_free(c);
  return least;
}

/* Paper IV, Theorem 2.1: {M, T, G, x1} over dG/dxi {M, T, x1}, at a point */
static double bracket_order(void)
{
  const double x[] = {0.3, -0.7, 0.4}, I[] = {0.5, 1, 2};
  double M[3], T[3], four[16] = {0}, three[9] = {0}, g = 1/0.5;
  for (int i = 0; i < 3; i++) {
    M[i] = x[i];
    T[i] = x[i]/I[i];
    four[i] = three[i] = M[i];
    four[4 + i] = three[3 + i] = T[i];
    /* G = log xi - log Q(x): what Q is does not matter to x1 */
    four[8 + i] = 0.1*(i + 1);
  }
  four[8 + 3] = g;
  four[12] = three[6] = 1;
  return determinant(4, four)/(g*determinant(3, three));
}

/* by: what of the library computes it; NULL: the formula alone */
static const value_by_name VALUES[] = {
  {"bracket with +", bracket_plus, NULL}, {"bracket with -", bracket_minus, NULL}, {"smoothed curvature", smoothed_curvature, NULL},
  {"printed penetration", printed_penetration, NULL}, {"bracket order", bracket_order, NULL},
  {"across", across, "one step of variational(0, 0, scaling=model, clock=own) on kepler(M0=1)"},
  {"printed potential", printed_potential, "the potential of magnetic-pendulum(g=1), less 1"},
  {0}
};

int printed_value(const char *name, double *value, const char **by) { return named_value(VALUES, name, value, by); }
