/* slow.c - the slow system of a stiff valley. Its fast modes oscillate with actions J_k that stay, and push the slow motion by
 * -sum J_k grad om_k; that is the mean of the force at +- the amplitude sqrt(J_k/om_k), less the force in the middle: two forces a mode.
 * As a constrained system g = L^-1 E^T f = 0, and as a rate, whose normal acceleration E L^-1 E^T f''[p, p] keeps the floor of the valley.
 * Bornemann, Homogenization in Time of Singularly Perturbed Mechanical Systems (1998), has the theory. What a rate takes is written for n
 * coordinates and m modes, and compiled for one mode of two, three and four coordinates, as most valleys are, and for any */
/* compile: hot */
#include "follow.h"

static epi_valley *valley_of(epi_system *m) { return m->derived->inner->own; }

static int not_begun(epi_valley *a)
{
  if (epi_valley_memory(a)->begun) return 0;
  return epi_fail(a->node, EPI_WRONG, "adiabatic learns its modes from the state that a run starts from, and only the first system of a "
                  "flow is told of it: use a method that takes one system, such as verlet");
}

/* out = (f(x + d) + f(x - d))/2 - f */
EPI_INLINED int
curve(epi_valley *a, const epi_places *w, const int n, double t, const double *x, const double *f, double size, const double *d,
      double *out)
{
  double few[EPI_FEW], *const there = n <= EPI_FEW ? few : a->one, *const two = w->two;
  int bad;
  epi_move_by(n, x, size, d, there);
  if ((bad = epi_valley_ask(a, t, there, out))) return bad;
  epi_move_by(n, x, -size, d, there);
  if ((bad = epi_valley_ask(a, t, there, two))) return bad;
  EPI_BY_PAIRS(n, epi_put_two(out + i, 0.5*(epi_two_at(out + i) + epi_two_at(two + i)) - epi_two_at(f + i)),
               out[i] = 0.5*(out[i] + two[i]) - f[i]);
  return 0;
}

/* v loses what it has along these modes; out may be v. How large what is left is, squared */
EPI_INLINED double leave(const int n, const int m, const double *modes, const double *v, double *out)
{
  epi_move_by(n, v, -epi_dot_of(n, modes, v), modes, out);
  for (int k = 1; k < m; k++) epi_move_by(n, out, -epi_dot_of(n, modes + k*n, out), modes + k*n, out);
  return epi_dot_of(n, out, out);
}

/* how large a force is along the floor */
EPI_INLINED double size_along(const epi_places *w, const int n, const int m, const double *f)
{
  double few[EPI_FEW];
  return sqrt(leave(n, m, w->E, f, n <= EPI_FEW ? few : w->two));
}

/* a force that does not count beside the slow one, of this size; several modes leave more in doubt, by their phases, than is to be had */
EPI_INLINED double no_force(const epi_valley *a, const epi_places *w, const int m, double slow)
{
  return m > 1 ? HUGE_VAL : a->share*epi_larger(2*w->kept->kinetic/w->kept->length, slow);
}

/* differences one way leave a mode turned a little towards the floor, and an oscillation of much energy pushes along the floor by that. The
   forces at plus and minus its amplitude b, which stand in `out` as their mean less f and in `two` as the second, tell how far it is
   turned: e becomes what it should be. Returns what that is worth as a force */
EPI_INLINED double
straighten(const epi_valley *a, const epi_places *w, const int n, const int m, int k, double b, const double *f, const double *out,
           double *e)
{
  double few[EPI_FEW], *const g = n <= EPI_FEW ? few : a->one;
  epi_apart_by(n, w->two, f, 1, g);
  epi_apart_by(n, g, out, 1/(b*w->lambda[k]), g);
  double worth = leave(n, m, w->E, g, g);
  epi_move_by(n, w->E + k*n, 1, g, e);
  return 2*b*b*w->lambda[k]*sqrt(worth);
}

EPI_INLINED int
bend(epi_valley *a, const epi_places *w, const int n, const int m, double t, const double *x, const double *f, double slow)
{
  const double *J = epi_valley_action(a);
  double small = no_force(a, w, m, slow);
  int bad;
  for (int k = 0; k < m; k++) {
    double *e = w->turned + k*n, *out = w->bend + k*n, b = J[k] > 0 ? sqrt(J[k]/sqrt(w->lambda[k])) : 0;
    epi_copy(n, w->E + k*n, e);
    if (!(b > 0)) { memset(out, 0, (size_t)n*sizeof *out); continue; }
    if ((bad = curve(a, w, n, t, x, f, b, e, out))) return bad;
    if (small < HUGE_VAL && straighten(a, w, n, m, k, b, f, out, e) > small)
      if ((bad = curve(a, w, n, t, x, f, b, e, out))) return bad;
  }
  a->bent = 1;
  return 0;
}

int epi_valley_bend(epi_valley *a, double t)
{
  const int n = a->n, m = a->known;
  const epi_places w = epi_places_of(a, n);
  return a->bent ? 0 : bend(a, &w, n, m, t, a->x, a->f, size_along(&w, n, m, a->f));
}

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
EPI_INLINED void along(const epi_places *w, const int n, const int m, const double *f, double *out)
{
  epi_move_by(n, f, 1, w->bend, out);
  for (int k = 1; k < m; k++) epi_move_by(n, out, 1, w->bend + k*n, out);
  leave(n, m, w->turned, out, out);
}

/* ---- as a constrained system ---- */
int epi_slow_force(epi_system *m, double t, const double *q, double *f)
{
  epi_valley *a = valley_of(m);
  int bad = not_begun(a);
  if (bad) return bad;
  epi_valley_to_x(a, q, a->three);
  if ((bad = epi_valley_at(a, t, a->three)) || (bad = epi_valley_bend(a, t))) return bad;
  const epi_places w = epi_places_of(a, a->n);
  along(&w, a->n, a->known, a->f, f);
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
/* so little stiffness times distance squared does not count beside the slow motion; fast: its speed, squared */
EPI_INLINED double no_distance(const epi_places *w, double fast, double slow)
{
  return EPI_NO_SHARE*epi_larger(fast, w->kept->length*slow);
}

/* far beside the floor the force is all that of the mode there, and its direction, which v becomes; 1, its stiffness as it was at the
   last look, and how large it is along v. What is slow may be as large as the kinetic energy and the other stiffness say: where it is
   not nothing beside that force, or a way by it were to count along the floor, it is not so */
EPI_INLINED int pulls_alone(const epi_valley *a, const epi_places *w, const int n, double *v, double *value, double *along)
{
  const double length = w->kept->length, top = *epi_valley_om(a)*(*epi_valley_om(a)), c = epi_dot_of(n, v, w->f);
  const double slow = epi_larger(2*w->kept->kinetic/length, w->kept->beside*top*length), size = sqrt(epi_dot_of(n, w->f, w->f));
  if (!(size > 100*slow && slow <= a->share*top*length && fabs(c) > 0.5*size)) return 0;
  const double by = c < 0 ? -1/size : 1/size;
  EPI_BY_PAIRS(n, epi_put_two(v + i, epi_two_at(w->f + i)*by), v[i] = w->f[i]*by);
  *along = c < 0 ? -size : size;
  *value = top;
  return 1;
}

/* the floor tells what is slow: that it is nothing beside the force by whose direction the way to it led, of this size squared */
EPI_INLINED int pulled_alone(const epi_valley *a, const epi_places *w, const int n, double force)
{
  double few[EPI_FEW], most = a->share*w->lambda[0]*w->kept->length;
  const double slow = leave(n, 1, w->E, w->f, n <= EPI_FEW ? few : w->two);
  return force > 1e4*slow && slow <= most*most;
}

/* beside the floor modes appear that are none, and the force, or a product, leaves of the way of the mode that is followed what x is off
   by: products are made on the floor below it, or very near to it, at a->x. way: how far that is; fast: a speed of the slow motion,
   squared. 0: it is not followed so, or *bad */
EPI_INLINED int
follow_down(epi_valley *a, const epi_places *w, const int n, double t, const double *x, double fast, double *way, int *bad)
{
  double few[EPI_FEW], *const v = n <= EPI_FEW ? few : a->V, value, off = HUGE_VAL, length = w->kept->length;
  epi_copy(n, epi_valley_one(a), v);
  if ((*bad = epi_valley_begin_at(a, w, n, t, x))) return 0;
  double c;
  const int alone = pulls_alone(a, w, n, v, &value, &c);
  const double force = epi_dot_of(n, w->f, w->f);
  if (!alone && !epi_valley_again(a, w, n, t, v, &value, &off, bad)) return 0;
  if (!alone) c = epi_dot_of(n, v, w->f);
  const double d = c/value;
  *way = 0;
  if (!(fabs(d) < 0.5*length)) return 0;
  const int moves = c*d > EPI_NO_SHARE*fast;
  if (!moves && !alone && epi_valley_is_followed(a, w, n, v, value, off)) return 1;
  /* nobody is to take it for the mode at x */
  a->time = NAN;
  if (moves) {
    *way = fabs(d);
    /* the same, and sooner there */
    if (alone) epi_move_by(n, w->x, 1/value, w->f, w->x);
    else epi_move_by(n, w->x, d, v, w->x);
    if ((*bad = epi_valley_ask(a, t, w->x, w->f))) return 0;
  }
  for (int turn = 0; turn < 2; turn++) {
    if (!epi_valley_again(a, w, n, t, v, &value, &off, bad)) return 0;
    if (epi_valley_is_followed(a, w, n, v, value, off)) return !alone || pulled_alone(a, w, n, force);
  }
  return 0;
}

/* x is moved onto the floor along modes that stay, after so much of a way to where they are known; f: the force there. The last correction
   is too small to count, and is not made; of the one before the force may follow from its modes, as far as products know them */
EPI_INLINED int
descend(epi_valley *a, const epi_places *w, const int n, const int m, double t, double *x, double *f, double way, double small)
{
  const double top = w->lambda[m-1], per = 1/top, length = w->kept->length, before = way;
  int bad;
  epi_copy(n, w->f, f);
  for (int turn = 0; turn <= 10; turn++) {
    const double c = epi_dot_of(n, w->E, f), one = c*per;
    double d2 = 0;
    for (int k = 0; k < m && m > 1; k++) { double d = epi_dot_of(n, w->E + k*n, f)/w->lambda[k]; d2 += d*d; }
    double d = m == 1 ? fabs(one) : sqrt(d2);
    if (!(d + way < 0.5*length)) break;
    a->off = way - before + d;
    if (top*d*(way + d) <= small || d < 1e-14*length) return 0;
    for (int k = 0; k < m; k++) epi_move_by(n, x, m == 1 ? one : epi_dot_of(n, w->E + k*n, f)/w->lambda[k], w->E + k*n, x);
    if (m == 1 && top*d*(way - before + d + 1e-7*length) <= small) {
      epi_move_by(n, f, -c, w->E, f);
      return 0;
    }
    way += d;
    if ((bad = epi_valley_ask(a, t, x, f))) return bad;
  }
  return epi_fail(a->node, EPI_TOO_FAR, "adiabatic: a step at t = %.10g leaves the floor of the stiff valley so far that Newton's method "
                  "does not lead back: take a smaller step, or tolerance(...)", t);
}

/* the state in a->floor, beside which modes are known after so much of a way to it, put onto the floor, and its rate; y is remembered with
   it */
EPI_INLINED int
rate_by(epi_valley *a, const epi_places *w, const int n, const int m, double t, const double *y, double way, double *dy)
{
  double few[EPI_FEW], *x = w->floor, *p = x + n, *f = n <= EPI_FEW ? few : a->three, *dp = dy + n;
  const double fast = leave(n, m, w->E, p, p), speed = sqrt(fast), slow = size_along(w, n, m, w->f);
  const double e = speed > 0 ? 3e-4*w->kept->length/speed : 0;
  int bad;
  if ((bad = descend(a, w, n, m, t, x, f, way, no_distance(w, fast, slow)))) return bad;
  if ((bad = bend(a, w, n, m, t, x, f, slow))) return bad;
  if (speed > 0 && (bad = curve(a, w, n, t, x, f, e, p, dy))) return bad;
  along(w, n, m, f, dp);
  for (int k = 0; speed > 0 && k < m; k++)
    epi_move_by(n, dp, 2*epi_dot_of(n, w->E + k*n, dy)/(e*e*w->lambda[k]), w->E + k*n, dp);
  if (!a->plain) {
    epi_valley_to_q(a, p, p);
    epi_valley_to_q(a, x, x);
    epi_valley_to_q(a, dp, dp);
  }
  epi_copy(n, p, dy);
  epi_copy(2*n, y, w->last);
  epi_copy(2*n, dy, w->last_rate);
  a->last_time = t;
  a->asked = 1;
  return 0;
}

/* the state beside the floor, in a->floor */
EPI_INLINED void take_state(epi_valley *a, const epi_places *w, const int n, const double *y)
{
  double *x = w->floor;
  if (a->plain) { epi_copy(n, y, x); epi_copy(n, y + n, x + n); return; }
  epi_valley_to_x(a, y, x);
  epi_valley_to_x(a, y + n, x + n);
}

/* 0: the mode is not followed, or *bad */
EPI_INLINED int followed(epi_valley *a, const epi_places *w, const int n, double t, const double *y, double *dy, int *bad)
{
  double *x = w->floor, *p = x + n, way;
  take_state(a, w, n, y);
  if (!follow_down(a, w, n, t, x, epi_dot_of(n, p, p), &way, bad)) return 0;
  epi_copy(n, w->x, x);
  *bad = rate_by(a, w, n, 1, t, y, way, dy);
  return 1;
}

static int by_modes(epi_valley *a, double t, const double *y, double *dy)
{
  const int n = a->n;
  const epi_places w = epi_places_of(a, n);
  take_state(a, &w, n, y);
  int bad = epi_valley_at(a, t, a->floor);
  return bad ? bad : rate_by(a, &w, n, a->known, t, y, 0, dy);
}

/* the state on the floor that belongs to y, in a->floor, and its rate */
EPI_INLINED int rate(epi_system *m, const int n, double t, const double *y, double *dy)
{
  epi_valley *a = valley_of(m);
  const epi_places w = epi_places_of(a, n);
  const epi_valley_kept *k = w.kept;
  int bad = 0;
  if (!k->begun) return not_begun(a);
  if (k->memo && k->memo_time == t && !memcmp(epi_valley_memo(a), y, 2*(size_t)n*sizeof *y)) {
    epi_copy(2*n, epi_valley_memo(a) + 2*n, dy);
    return 0;
  }
  a->asked = 0;
  a->share = epi_larger(EPI_NO_SHARE, 0.02*m->derived->rtol);
  return k->beside > 0 && followed(a, &w, n, t, y, dy, &bad) ? bad : bad ? bad : by_modes(a, t, y, dy);
}
static int rate_2(epi_system *m, double t, const double *y, double *dy) { return rate(m, 2, t, y, dy); }
static int rate_3(epi_system *m, double t, const double *y, double *dy) { return rate(m, 3, t, y, dy); }
static int rate_4(epi_system *m, double t, const double *y, double *dy) { return rate(m, 4, t, y, dy); }
static int rate_any(epi_system *m, double t, const double *y, double *dy) { return rate(m, valley_of(m)->n, t, y, dy); }

epi_slow_rate *epi_slow_rate_of(int n)
{
  static epi_slow_rate *const by[] = {[2] = rate_2, rate_3, rate_4, rate_any};
  return by[n < 5 ? n : 5];
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
