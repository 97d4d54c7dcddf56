/* zeros.c - where a function of the state is zero inside a step. The step is looked at by its dense output: the interpolant of its method
 * at four places, or a cubic through both ends where there is none. A change of sign is a zero. So is a dip towards zero that goes beyond
 * it and comes back: where the parabola of a dip leaves less than its own depth to zero, the lowest place is looked for. The zero itself
 * is found by stepping again from the start of the step, so that it has the accuracy of the flow, or on the interpolant of a solver that
 * cannot */
#include "zeros.h"

/* ---- the inside of a step, cheaply ---- */
/* rates at the ends for a cubic: velocities are those of the positions, accelerations those of the cubic of the positions */
static int find_rates(epi_stretch *p)
{
  epi_system *m = p->f->sys;
  int N = epi_dim(m), nq = m->nq, nv = epi_nv(m), plain = !m->manifold.retract && !m->inertia.speed && nq == nv;
  const double *y0 = p->start.y, *y1 = p->s->y;
  for (int i = 0; i < N; i++) p->d0[i] = p->d1[i] = (y1[i] - y0[i])/p->h;
  p->known = 1;
  if (epi_all_rate(m)) {
    int bad = epi_rate_at(p->f, p->start.mark.t, p->start.mark.theta, y0, p->d0);
    return bad ? bad : epi_rate_at(p->f, p->s->t, p->s->theta, y1, p->d1);
  }
  for (int i = 0; plain && i < nq; i++) {
    double v0 = y0[nq + i], v1 = y1[nq + i], mean = (y1[i] - y0[i])/p->h;
    p->d0[i] = v0, p->d1[i] = v1;
    p->d0[nq + i] = (6*mean - 4*v0 - 2*v1)/p->h;
    p->d1[nq + i] = (2*v0 + 4*v1 - 6*mean)/p->h;
  }
  return 0;
}

/* g at x in [0, h], by what is known of the step; no step is taken */
static double guess(epi_stretch *p, double x)
{
  double t = p->start.mark.t + x, u = x/p->h, h = p->h, *y = p->y;
  const double *y0 = p->start.y, *y1 = p->s->y;
  if (x == h) return p->g(p->f, p->s->t, y1);
  if (p->smooth && !p->by->between(p->by, t, y)) return p->g(p->f, t, y);
  if (!p->known && find_rates(p)) return p->g(p->f, p->s->t, y1);
  double a = u*u*(3 - 2*u), b = h*u*(1 - u)*(1 - u), c = -h*u*u*(1 - u);
  for (int i = 0; i < epi_dim(p->f->sys); i++) y[i] = y0[i] + (a*(y1[i] - y0[i]) + b*p->d0[i] + c*p->d1[i]);
  return p->g(p->f, t, y);
}

/* ---- and as exactly as the flow has it ---- */
static int reach(epi_stretch *p, double x)
{
  const epi_system *m = p->f->sys;
  if (p->start.keep) return epi_step_again(p->by, p->start, p->s, x, p->there, &p->clock, p->room);
  double t = x == p->h ? p->s->t : p->start.mark.t + x;
  p->clock = (epi_tick){.t = t, .theta = epi_phase_at(m, p->start.mark.t, p->start.mark.theta, t - p->start.mark.t)};
  if (x == p->h) p->clock = (epi_tick){p->s->t, p->s->key.rest, p->s->theta};
  return epi_inside(p->by, p->start, p->s, t, p->there, p->room);
}

static int known_at(epi_stretch *p, double x, double *g) { *g = guess(p, x); return 0; }
int epi_gap_at(epi_stretch *p, double x, double *g)
{
  int bad = reach(p, x);
  *g = bad ? 0 : p->g(p->f, p->clock.t, p->there);
  return bad;
}

/* Illinois on the step length, until the root is known to rounding; the far side is taken. near: how close to an end a try may come, as a
   part of the bracket; 0: as close as rounding allows */
static int narrow_down(epi_stretch *p, epi_bracket *k, int (*g_at)(epi_stretch *, double, double *), double near, double *at)
{
  int side = 0, bad;
  for (int it = 0; it < 100; it++) {
    double lo = k->lo, hi = k->hi, x = (lo*k->g1 - hi*k->g0)/(k->g1 - k->g0), g;
    double least = near > 0 ? near*fabs(hi - lo) : 0.4*epi_finest_of(p);
    if (fabs(hi - lo) <= epi_finest_of(p)) break;
    int low = !(fabs(x - lo) > least), high = !(fabs(x - hi) > least);
    if (!near && (low || high)) x = low ? lo + copysign(least, hi - lo) : hi - copysign(least, hi - lo);
    if ((near > 0 && (low || high)) || it > 60) x = lo + 0.5*(hi - lo);
    if ((bad = g_at(p, x, &g))) return bad;
    *at = x;
    if (g == 0) { k->hi = x; return 0; }
    if ((g > 0) == (k->g0 > 0)) { k->lo = x; k->g0 = g; if (side > 0) k->g1 *= 0.5; side = 1; }
    else { k->hi = x; k->g1 = g; if (side < 0) k->g0 *= 0.5; side = -1; }
  }
  return 0;
}

/* the interpolant shows the place; a step there, and one as far beyond it as that was off, leave little to look through */
static int aim(epi_stretch *p, epi_bracket *k)
{
  epi_bracket all = *k, seen = all;
  double x = k->hi, g, slope, eps = 1e-3*p->h;
  int bad;
  narrow_down(p, &seen, known_at, 0, &x);
  /* into the step, whichever end it is near */
  if (fabs(x) > 0.5*fabs(p->h)) eps = -eps;
  slope = (guess(p, x + eps) - guess(p, x))/eps;
  for (int tries = 0; tries < 2; tries++) {
    if (!((x - all.lo)*(all.hi - x) > 0)) return 0;
    if ((bad = epi_gap_at(p, x, &g))) return bad;
    if ((g > 0) == (all.g0 > 0) && g != 0) { k->lo = x; k->g0 = g; }
    else { k->hi = x; k->g1 = g; }
    if (g == 0) return 0;
    x -= 2*g/slope;
  }
  return 0;
}

/* as plain flows always had it, to the bit; where steps are inside, by what is known of them */
int epi_find_zero(epi_stretch *p, epi_bracket k, double *x)
{
  const int plain = !p->f->kid[0]->tells;
  double at = HUGE_VAL;
  int bad = 0;
  if (!plain && p->smooth && p->start.keep && (bad = aim(p, &k))) return bad;
  if ((bad = k.g1 == 0 && !plain ? 0 : narrow_down(p, &k, epi_gap_at, plain ? 0.001 : 0, &at))) return bad;
  *x = k.hi;
  return at == k.hi ? 0 : reach(p, k.hi);
}

/* ---- dips: g towards zero, and away again ---- */
/* g beyond here, of the sign that makes it positive at the points of a dip; exact: of the flow itself */
static int look_at(epi_stretch *p, double x, double sign, int exact, double *g)
{
  int bad = exact ? reach(p, x) : 0;
  *g = bad ? 0 : sign*(exact ? p->g(p->f, p->clock.t, p->there) : guess(p, x));
  return bad;
}

/* what a cubic says counts as little as the dip it was asked about is deep */
int epi_narrow_dip(epi_stretch *p, double *x, double *g, double sign, int exact, double least)
{
  const double top = p->smooth || exact ? 0 : fmax(g[0], g[2]);
  for (int it = 0; it < 80 && fabs(x[2] - x[0]) > least; it++) {
    double a = (g[1] - g[0])/(x[1] - x[0]), b = (g[2] - g[1])/(x[2] - x[1]), c = (b - a)/(x[2] - x[0]), v;
    double next = c > 0 || c < 0 ? 0.5*(x[0] + x[1] - a/c) : x[1], low = g[1] - c*(next - x[1])*(next - x[1]);
    if (low > fmax(top, fmax(g[0], g[2])) - low) return 0;
    double longer = fabs(x[2] - x[1]) > fabs(x[1] - x[0]) ? x[2] : x[0];
    /* off the middle point, and now and then into the longer half, so that both ends come nearer */
    if (!(fabs(next - x[1]) > 1e-3*fabs(x[2] - x[0])) || it % 3 == 2) next = x[1] + 0.4*(longer - x[1]);
    if (look_at(p, next, sign, exact, &v)) return 0;
    int left = (next - x[1])*(x[2] - x[0]) < 0;
    if (v >= g[1]) { x[left ? 0 : 2] = next; g[left ? 0 : 2] = v; continue; }
    x[left ? 2 : 0] = x[1], g[left ? 2 : 0] = g[1];
    x[1] = next, g[1] = v;
    if (v <= 0) return 1;
  }
  return -1;
}

/* an interpolant knows it; a cubic shows where to ask the flow */
static int goes_beyond(epi_stretch *p, double *x, double *g, double sign)
{
  const double size = fabs(p->h), outer[] = {x[0], g[0], x[2], g[2]};
  if (p->smooth) return epi_narrow_dip(p, x, g, sign, 0, 1e-9*size) > 0;
  if (!epi_narrow_dip(p, x, g, sign, 0, 1e-2*size) || look_at(p, x[1], sign, 1, &g[1])) return 0;
  if (g[1] <= 0) return 1;
  x[0] = outer[0], g[0] = outer[1], x[2] = outer[2], g[2] = outer[3];
  return g[1] < g[0] && g[1] < g[2] && epi_narrow_dip(p, x, g, sign, 1, 1e-9*size) > 0;
}

/* ---- all of a step ---- */
/* g0: at the start. Next to both ends, so that a dip beside one is seen */
epi_points epi_sample(epi_stretch *p, double g0, double g1, epi_points all)
{
  double x_of[EPI_FEW_POINTS], g_of[EPI_FEW_POINTS];
  epi_points q = {.x = x_of, .g = g_of};
  const double x0 = p->x0, length = p->h - x0, aside = 1e-3*length;
  int parts = p->smooth ? EPI_STRETCH_PARTS : 1;
  epi_add_point(&q, x0, g0);
  epi_add_point(&q, x0 + aside, guess(p, x0 + aside));
  for (int i = 1; i < parts; i++) epi_add_point(&q, x0 + length*i/parts, guess(p, x0 + length*i/parts));
  epi_add_point(&q, p->h - aside, guess(p, p->h - aside));
  epi_add_point(&q, p->h, g1);
  epi_add_point(&all, x0, g0);
  for (int i = 1; i < q.n - 1; i++) {
    double sign = epi_sign(q.g[i]), x[3] = {0}, g[3] = {0};
    for (int k = 0; k < 3; k++) { x[k] = q.x[i - 1 + k]; g[k] = sign*q.g[i - 1 + k]; }
    int dip = sign != 0 && g[1] < g[0] && g[1] <= g[2] && goes_beyond(p, x, g, sign), before = (x[1] - q.x[i])*p->h < 0;
    if (dip && before) epi_add_point(&all, x[1], sign*g[1]);
    /* what the sample beside an end is for is done */
    if (p->smooth && i > 1 && i < q.n - 2) epi_add_point(&all, q.x[i], q.g[i]);
    if (dip && !before) epi_add_point(&all, x[1], sign*g[1]);
  }
  epi_add_point(&all, p->h, g1);
  return all;
}

int epi_changes(const epi_points *q)
{
  int n = 0;
  for (int i = 0; i + 1 < q->n; i++) n += epi_sign(q->g[i]) != epi_sign(q->g[i + 1]);
  return n;
}
