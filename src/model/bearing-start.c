/* bearing-start.c - where a bearing under an axial load runs steadily: all balls alike, no slip along the races */
#include "bearing.h"

/* a ball in a race, in the meridian plane: u from the centre of the groove to that of the ball */
typedef struct { double n[2], s, depth, load, slope; } press;

/* Hertz; of a gap a pull, so that Newton's method finds back */
static press press_of(const epi_bearing *b, int race, double ur, double uz, double shallow)
{
  press x = {.s = hypot(ur, uz)};
  double K = b->race[race].K;
  x.n[0] = ur/x.s;
  x.n[1] = uz/x.s;
  x.depth = x.s + 0.5*b->p[D] - b->groove[race];
  x.slope = x.depth > 0 ? 1.5*K*sqrt(x.depth) : K*sqrt(shallow);
  x.load = x.depth > 0 ? K*x.depth*sqrt(x.depth) : x.slope*x.depth;
  return x;
}

/* d(load n)/du = slope n n^T + load/s (1 - n n^T) */
static void stiffness(const press *x, double k[2][2])
{
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) k[i][j] = (x->slope - x->load/x->s)*x->n[i]*x->n[j] + (i == j ? x->load/x->s : 0);
}

static double orbit(const epi_bearing *b, double speed, double angle) { return 0.5*speed*(1 - b->p[D]*cos(angle)/b->p[DM]); }

/* unknown: z of the inner ring, rho and z of the balls. The load on the ring, the ball's radial and axial balance */
static double balance(const epi_bearing *b, double load, double speed, double shallow, const double *x, double *r, double *J,
                      epi_bearing_rest *out)
{
  press o = press_of(b, 0, x[1] - b->circle[0], x[2], shallow), i = press_of(b, 1, x[1] - b->circle[1], x[2] - x[0], shallow);
  double a = atan2(-i.n[1], -i.n[0]), w = orbit(b, speed, a), m = b->m, n = b->p[Z], ko[2][2], ki[2][2];
  r[0] = load + n*i.load*i.n[1];
  r[1] = m*x[1]*w*w - o.load*o.n[0] - i.load*i.n[0];
  r[2] = -o.load*o.n[1] - i.load*i.n[1];
  stiffness(&o, ko);
  stiffness(&i, ki);
  const double rows[9] = {-n*ki[1][1], n*ki[1][0], n*ki[1][1], ki[0][1], m*w*w - ko[0][0] - ki[0][0], -ko[0][1] - ki[0][1],
                          ki[1][1], -ko[1][0] - ki[1][0], -ko[1][1] - ki[1][1]};
  memcpy(J, rows, sizeof rows);
  *out = (epi_bearing_rest){.zi = x[0], .rho = x[1], .z = x[2], .orbit = w, .angle = {atan2(o.n[1], o.n[0]), a},
                            .load = {o.load, i.load}, .depth = {o.depth, i.depth}};
  return fmax(fabs(r[0])/n, fmax(fabs(r[1]), fabs(r[2])));
}

/* no slip along either race, with the spin axis across the mean contact line: spin in r and z, and the orbit */
static int roll(const epi_bearing *b, double speed, epi_bearing_rest *x)
{
  double am = 0.5*(x->angle[0] + x->angle[1]), lo = 0.5*(b->p[D] - x->depth[0]), li = 0.5*(b->p[D] - x->depth[1]);
  double no[2] = {cos(x->angle[0]), sin(x->angle[0])}, ni[2] = {-cos(x->angle[1]), -sin(x->angle[1])};
  double A[9] = {-lo*no[1], lo*no[0], x->rho, -li*ni[1], li*ni[0], x->rho, cos(am), sin(am), -sin(am)};
  double y[3] = {0, speed*(x->rho + li*ni[0]), 0};
  if (epi_solve(3, A, y)) return -1;
  x->spin[0] = y[0];
  x->spin[1] = y[1];
  x->orbit = y[2];
  return 0;
}

/* about as deep as the load presses a ball in */
static double deep(const epi_bearing *b, double load, double angle) { return pow(load/(b->p[Z]*b->race[1].K*sin(angle)), 2./3); }

/* under a contact angle a little above that of the free rings */
static double guess(const epi_bearing *b, double load, double *x)
{
  const double *p = b->p;
  double play = (p[FI] + p[FO] - 1)*p[D], a = acos(1 - p[PD]/(2*play)) + 0.08, d = deep(b, load, a);
  double so = b->groove[0] - 0.5*p[D] + d, si = b->groove[1] - 0.5*p[D] + d;
  x[0] = (so + si)*sin(a);
  x[1] = b->circle[0] + so*cos(a);
  x[2] = so*sin(a);
  return a;
}

/* Newton's method in short steps from x; 0 on success, and x is the equilibrium */
static int settle(const epi_bearing *b, double load, double speed, double angle, double *x, epi_bearing_rest *out)
{
  double d = deep(b, load, angle), most = d/3 + 1e-7*b->p[D], last = HUGE_VAL, r[3], J[9];
  for (int it = 0; it < 200; it++) {
    double off = balance(b, load, speed, d, x, r, J, out);
    if (!isfinite(off)) return -1;
    /* rounding is reached where it no longer falls */
    if (off < 1e-9*load/b->p[Z] && !(off < 0.5*last)) return out->depth[0] > 0 && out->depth[1] > 0 ? 0 : -1;
    if (epi_solve(3, J, r)) return -1;
    double big = fmax(fabs(r[0]), fmax(fabs(r[1]), fabs(r[2]))), cut = big > most ? most/big : 1;
    for (int k = 0; k < 3; k++) x[k] -= cut*r[k];
    last = off;
  }
  return -1;
}

/* at once, or down from a load so large that speed does not matter beside it */
int epi_bearing_rest_of(const epi_bearing *b, double load, double speed, epi_bearing_rest *out)
{
  double x[3], more = 1, angle = guess(b, load, x);
  while (settle(b, more*load, speed, angle, x, out)) {
    if (more > 1e6) return -1;
    more *= 8;
    guess(b, more*load, x);
  }
  while (more > 1) {
    more = fmax(1, 0.8*more);
    if (settle(b, more*load, speed, angle, x, out)) return -1;
  }
  return roll(b, speed, out);
}
