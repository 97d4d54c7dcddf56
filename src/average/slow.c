/* slow.c - the slow system of a stiff valley. Its fast modes oscillate with actions J_k that stay, and push the slow motion by
 * -sum J_k grad om_k; that is the mean of the force at +- the amplitude sqrt(J_k/om_k), less the force in the middle: two forces a mode.
 * As a constrained system g = L^-1 E^T f = 0, and as a rate, whose normal acceleration E L^-1 E^T f''[p, p] keeps the floor of the valley.
 * Bornemann, Homogenization in Time of Singularly Perturbed Mechanical Systems (1998), has the theory */
#include "valley.h"

static epi_valley *valley_of(epi_system *m) { return m->derived->inner->own; }

static int not_begun(epi_valley *a)
{
  if (epi_valley_memory(a)->begun) return 0;
  return epi_fail(a->node, EPI_WRONG, "adiabatic learns its modes from the state that a run starts from, and only the first system of a "
                  "flow is told of it: use a method that takes one system, such as verlet");
}

/* out = (f(x + d) + f(x - d))/2 - f */
static int curve(epi_valley *a, double t, const double *x, const double *f, double size, const double *d, double *out)
{
  int n = a->n, bad;
  for (int i = 0; i < n; i++) a->one[i] = x[i] + size*d[i];
  if ((bad = epi_valley_force(a, t, a->one, out))) return bad;
  for (int i = 0; i < n; i++) a->one[i] = x[i] - size*d[i];
  if ((bad = epi_valley_force(a, t, a->one, a->two))) return bad;
  for (int i = 0; i < n; i++) out[i] = 0.5*(out[i] + a->two[i]) - f[i];
  return 0;
}

/* how large a force is along the floor */
static double size_along(epi_valley *a, const double *f)
{
  memcpy(a->two, f, (size_t)a->n*sizeof *f);
  epi_valley_split(a, a->two);
  return sqrt(epi_dot(a->n, a->two, a->two));
}

/* a force that does not count beside the slow one, of this size; several modes leave more in doubt, by their phases, than is to be had */
static double no_force(const epi_valley *a, double slow)
{
  const epi_valley_kept *k = epi_valley_memory(a);
  return a->known > 1 ? HUGE_VAL : 1e-7*fmax(2*k->kinetic/k->length, slow);
}

/* differences one way leave a mode turned a little towards the floor, and an oscillation of much energy pushes along the floor by that. The
   forces at plus and minus its amplitude b, which stand in `out` as their mean less f and in `two` as the second, tell how far it is
   turned: e becomes what it should be. Returns what that is worth as a force */
static double straighten(const epi_valley *a, int k, double b, const double *f, const double *out, double *e)
{
  int n = a->n;
  double *g = a->one, worth = 0;
  for (int i = 0; i < n; i++) g[i] = (a->two[i] - f[i] - out[i])/(b*a->lambda[k]);
  epi_valley_split(a, g);
  for (int i = 0; i < n; i++) { e[i] = a->E[k*n + i] + g[i]; worth += g[i]*g[i]; }
  return 2*b*b*a->lambda[k]*sqrt(worth);
}

static int bend(epi_valley *a, double t, const double *x, const double *f, double slow)
{
  const double *J = epi_valley_action(a);
  double small = no_force(a, slow);
  int n = a->n, bad;
  memset(a->bend, 0, (size_t)(a->known*n)*sizeof *a->bend);
  for (int k = 0; k < a->known; k++) {
    double *e = a->turned + k*n, *out = a->bend + k*n, b = J[k] > 0 ? sqrt(J[k]/sqrt(a->lambda[k])) : 0;
    memcpy(e, a->E + k*n, (size_t)n*sizeof *e);
    if (!(b > 0)) continue;
    if ((bad = curve(a, t, x, f, b, e, out))) return bad;
    if (small < HUGE_VAL && straighten(a, k, b, f, out, e) > small && (bad = curve(a, t, x, f, b, e, out))) return bad;
  }
  a->bent = 1;
  return 0;
}

int epi_valley_bend(epi_valley *a, double t) { return a->bent ? 0 : bend(a, t, a->x, a->f, size_along(a, a->f)); }

int epi_valley_second(epi_valley *a, double t, const double *d, const double *e, double *out)
{
  static const double sign[4][2] = {{1, 1}, {-1, -1}, {1, -1}, {-1, 1}};
  double length = 3e-4*epi_valley_memory(a)->length, big = sqrt(epi_dot(a->n, d, d)), far = sqrt(epi_dot(a->n, e, e));
  int n = a->n, bad;
  memset(out, 0, (size_t)n*sizeof *out);
  if (!(big > 0 && far > 0)) return 0;
  for (int k = 0; k < 4; k++) {
    for (int i = 0; i < n; i++) a->one[i] = a->x[i] + length*(sign[k][0]*d[i]/big + sign[k][1]*e[i]/far);
    if ((bad = epi_valley_force(a, t, a->one, a->two))) return bad;
    for (int i = 0; i < n; i++) out[i] += sign[k][0]*sign[k][1]*a->two[i]*big*far/(4*length*length);
  }
  return 0;
}

/* f + all bends, along the floor */
static void along(const epi_valley *a, const double *f, double *out)
{
  memcpy(out, f, (size_t)a->n*sizeof *out);
  for (int k = 0; k < a->known; k++) for (int i = 0; i < a->n; i++) out[i] += a->bend[k*a->n + i];
  for (int k = 0; k < a->known; k++) {
    const double *e = a->turned + k*a->n;
    double c = epi_dot(a->n, e, out);
    for (int i = 0; i < a->n; i++) out[i] -= c*e[i];
  }
}

/* ---- as a constrained system ---- */
int epi_slow_force(epi_system *m, double t, const double *q, double *f)
{
  epi_valley *a = valley_of(m);
  int bad = not_begun(a);
  if (bad) return bad;
  epi_valley_to_x(a, q, a->three);
  if ((bad = epi_valley_at(a, t, a->three)) || (bad = epi_valley_bend(a, t))) return bad;
  along(a, a->f, f);
  epi_valley_push(a, f, f);
  return 0;
}

int epi_slow_constraint(epi_system *m, double t, const double *q, double *g, double *G, double *gt)
{
  epi_valley *a = valley_of(m);
  int n = a->n, bad = not_begun(a);
  (void)gt;
  if (bad) return bad;
  epi_valley_to_x(a, q, a->three);
  if ((bad = epi_valley_at(a, t, a->three))) return bad;
  for (int k = 0; k < a->known; k++) {
    g[k] = epi_dot(n, a->E + k*n, a->f)/a->lambda[k];
    epi_valley_push(a, a->E + k*n, G + k*n);
    for (int i = 0; i < n; i++) G[k*n + i] = -G[k*n + i];
  }
  return 0;
}

/* ---- as a rate ---- */
/* x is moved onto the floor along modes that stay; f: the force there, `slow` of it along the floor. The last correction is too small to
   count, and is not made */
static int descend(epi_valley *a, double t, double *x, const double *p, double *f, double slow)
{
  int n = a->n, m = a->known, bad;
  double top = a->lambda[m-1], length = epi_valley_memory(a)->length, way = 0, small = 1e-7*fmax(epi_dot(n, p, p), length*slow);
  memcpy(f, a->f, (size_t)n*sizeof *f);
  for (int turn = 0; turn <= 10; turn++) {
    double d2 = 0;
    for (int k = 0; k < m; k++) { double d = epi_dot(n, a->E + k*n, f)/a->lambda[k]; d2 += d*d; }
    double d = sqrt(d2);
    if (!(d + way < 0.5*length)) break;
    a->off = way + d;
    if (top*d*(way + d) <= small || d < 1e-14*length) return 0;
    for (int k = 0; k < m; k++) {
      double c = epi_dot(n, a->E + k*n, f)/a->lambda[k];
      for (int i = 0; i < n; i++) x[i] += c*a->E[k*n + i];
    }
    way += d;
    if ((bad = epi_valley_force(a, t, x, f))) return bad;
  }
  return epi_fail(a->node, EPI_TOO_FAR, "adiabatic: a step at t = %.10g leaves the floor of the stiff valley so far that Newton's method "
                  "does not lead back: take a smaller step, or tolerance(...)", t);
}

/* the state on the floor that belongs to y, in a->floor, and its rate */
static int rate(epi_valley *a, double t, const double *y, double *dy)
{
  int n = a->n, bad;
  double *x = a->floor, *p = x + n, *f = a->three, *dp = dy + n, length = epi_valley_memory(a)->length;
  epi_valley_to_x(a, y, x);
  epi_valley_to_x(a, y + n, p);
  if ((bad = epi_valley_at(a, t, x))) return bad;
  epi_valley_split(a, p);
  const double slow = size_along(a, a->f);
  if ((bad = descend(a, t, x, p, f, slow)) || (bad = bend(a, t, x, f, slow))) return bad;
  double speed = sqrt(epi_dot(n, p, p)), e = speed > 0 ? 3e-4*length/speed : 0;
  if (speed > 0 && (bad = curve(a, t, x, f, e, p, dy))) return bad;
  along(a, f, dp);
  for (int k = 0; speed > 0 && k < a->known; k++) {
    double c = 2*epi_dot(n, a->E + k*n, dy)/(e*e*a->lambda[k]);
    for (int i = 0; i < n; i++) dp[i] += c*a->E[k*n + i];
  }
  epi_valley_to_q(a, p, p);
  epi_valley_to_q(a, x, x);
  epi_valley_to_q(a, dp, dp);
  memcpy(dy, p, (size_t)n*sizeof *p);
  return 0;
}

int epi_slow_rate(epi_system *m, double t, const double *y, double *dy)
{
  epi_valley *a = valley_of(m);
  const epi_valley_kept *k = epi_valley_memory(a);
  size_t size = 2*(size_t)a->n*sizeof *y;
  int bad = not_begun(a);
  if (bad) return bad;
  if (k->memo && k->memo_time == t && !memcmp(epi_valley_memo(a), y, size)) {
    memcpy(dy, epi_valley_memo(a) + 2*a->n, size);
    return 0;
  }
  a->asked = 0;
  if ((bad = rate(a, t, y, dy))) return bad;
  memcpy(a->last, y, size);
  memmove(a->last_rate, dy, size);
  a->last_time = t;
  a->asked = 1;
  return 0;
}

/* what the slow motion keeps: its own energy and sum J_k om_k */
double epi_slow_energy(epi_system *m, double t, const double *y)
{
  epi_valley *a = valley_of(m);
  double sum = a->of->energy(a->of, t, y);
  long calls = a->node->calls;
  epi_valley_to_x(a, y, a->three);
  int bad = !epi_valley_memory(a)->begun || epi_valley_at(a, t, a->three);
  a->node->calls = calls;
  if (bad) return NAN;
  for (int k = 0; k < a->known; k++) sum += epi_valley_action(a)[k]*sqrt(a->lambda[k]);
  return sum;
}
