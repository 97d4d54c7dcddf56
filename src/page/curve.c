/* curve.c - what a column does between two of its rows: a cubic or a straight line where that is what the steps did, else a band
 *
 * The rows alone cannot tell 250 Hz from 159,155 Hz. What passed between them can: a piece is drawn as a line only if the line goes as low
 * and as high as the steps did, and through the one of them that was kept. */
#include "picture.h"
#include <math.h>
#include <string.h>

/* ---- slopes ---- */
/* at two places, of the parabola or cubic through n points: Newton's form */
static void through(const double *t, const double *x, int n, const double at[2], double out[2])
{
  double d[4] = {0};
  for (int i = 0; i < n; i++) d[i] = x[i];
  for (int k = 1; k < n; k++) for (int i = n - 1; i >= k; i--) d[i] = (d[i] - d[i-1])/(t[i] - t[i-k]);
  for (int m = 0; m < 2; m++) {
    double p = d[n-1], rate = 0;
    for (int i = n - 2; i >= 0; i--) {
      rate = rate*(at[m] - t[i]) + p;
      p = p*(at[m] - t[i]) + d[i];
    }
    out[m] = rate;
  }
}

/* at both ends of the piece that ends in row i: as the way of that piece is */
void epi_curve_slopes(const curve *c, const double *t, int i, double out[2])
{
  char way = c->way ? c->way[i] : WAY_LINE;
  double h = t[i] - t[i-1];
  if (way == WAY_OWN) { out[0] = c->rate[i-1]; out[1] = c->rate[i]; return; }
  if (way == WAY_LINE || !(h > 0)) { out[0] = out[1] = h > 0 ? (c->x[i] - c->x[i-1])/h : 0; return; }
  /* two rows on either side; at the ends of the run the four that are nearest */
  int n = c->n < 4 ? c->n : 4, from = i < 2 ? 0 : i - 2 > c->n - n ? c->n - n : i - 2;
  through(t + from, c->x + from, n, t + i - 1, out);
}

/* the ends of a piece, and h times its slopes there */
typedef struct piece { double a, b, left, right; } piece;

static piece piece_of(const curve *c, const double *t, int i)
{
  double s[2], h = t[i] - t[i-1];
  epi_curve_slopes(c, t, i, s);
  return (piece){c->x[i-1], c->x[i], h*s[0], h*s[1]};
}

/* at the part u of it */
static double inside(piece p, double u)
{
  double d = 1 - u;
  return p.a*d*d*(1 + 2*u) + p.b*u*u*(1 + 2*d) + u*d*(p.left*d - p.right*u);
}

/* a band that is no wider than this part of the whole is still a place */
static int narrow(const curve *c, int i, double part)
{
  double least = INFINITY, most = -INFINITY;
  for (int k = 1; k < c->n; k++) least = fmin(least, c->low[k]), most = fmax(most, c->high[k]);
  return c->high[i] - c->low[i] - fabs(c->x[i] - c->x[i-1]) <= part*(most - least);
}

double epi_curve_at(const curve *c, const double *t, double when)
{
  int low = 0, high = c->n - 1;
  if (high < 1 || !(when >= t[0] && when <= t[high])) return high == 0 && when == t[0] ? c->x[0] : NAN;
  while (high - low > 1) {
    int m = (low + high)/2;
    if (t[m] <= when) low = m; else high = m;
  }
  if (when == t[low]) return c->x[low];
  if (when == t[high]) return c->x[high];
  return c->way && c->way[high] == WAY_BAND && !narrow(c, high, 1e-3) ? NAN
       : inside(piece_of(c, t, high), (when - t[low])/(t[high] - t[low]));
}

/* ---- which way a piece goes ---- */
typedef struct reach { double low, high; } reach;

/* of a cubic: its ends, and where its slope is zero */
static reach reach_of(piece p)
{
  reach r = {fmin(p.a, p.b), fmax(p.a, p.b)};
  /* the slope is A + B u + C u^2 */
  double A = p.left, C = 3*(p.left + p.right - 2*(p.b - p.a)), B = p.right - A - C, D = B*B - 4*A*C, root[2];
  if (!(D >= 0)) return r;
  double q = -0.5*(B + copysign(sqrt(D), B));
  root[0] = C != 0 ? q/C : -1;
  root[1] = q != 0 ? A/q : -1;
  for (int k = 0; k < 2; k++) {
    if (!(root[k] > 0 && root[k] < 1)) continue;
    double v = inside(p, root[k]);
    r.low = fmin(r.low, v);
    r.high = fmax(r.high, v);
  }
  return r;
}

/* where nothing was seen between two rows: neighbours that bend alike */
static int smooth(const curve *c, int i)
{
  if (c->n < 4) return 0;
  /* at the ends of the run the two on the one side */
  const double *x = c->x + (i < 2 ? 0 : i + 1 >= c->n ? c->n - 4 : i - 2);
  double a = x[2] - 2*x[1] + x[0], b = x[3] - 2*x[2] + x[1], most = fmax(fabs(a), fabs(b));
  return fabs(a - b) <= 0.6*most || most <= 0.2*fabs(c->x[i] - c->x[i-1]);
}

/* what was seen before row i: looks, least, largest; one look, and the part of the piece where it was */
typedef struct seen { double looks, low, high, one, at; } seen;

/* how far what would be drawn is from what was seen */
static double missing_of(piece drawn, const seen *p, reach r)
{
  double off = p->at > 0 && p->at < 1 ? fabs(inside(drawn, p->at) - p->one) : 0;
  return fmax(off > 0 ? off : 0, fmax(r.low - p->low, p->high - r.high));
}

/* a cubic may be drawn: between looks a peak may be a little higher than they saw; where nobody looked the bend must be of one kind */
static int may_bend(const curve *c, int i, const seen *p, reach wide)
{
  double over = fmax(p->low - wide.low, wide.high - p->high);
  return p->looks >= 4 ? over <= (wide.high - wide.low)/p->looks : c->way[i] == WAY_OWN || smooth(c, i);
}

/* of those that may be drawn the first that is right; a line where a cubic would be another one is a guess */
static char way_of(curve *c, const double *t, int i, seen p, double range, int cubic)
{
  static const char ways[] = {WAY_OWN, WAY_CUBIC, WAY_LINE, 0};
  if (!(t[i] > t[i-1]) || !isfinite(c->x[i-1] + c->x[i])) return WAY_LINE;
  double width = p.high - p.low, middle = (c->x[i-1] + c->x[i])/2, bent = 0;
  for (const char *way = !cubic ? ways + 2 : c->rate ? ways : ways + 1; *way; way++) {
    c->way[i] = *way;
    piece drawn = piece_of(c, t, i);
    reach r = reach_of(drawn);
    double missing = missing_of(drawn, &p, r);
    if (*way != WAY_LINE) bent = fabs(inside(drawn, 0.5) - middle);
    else if (p.looks >= 4) missing = fmax(missing, bent);
    if (*way != WAY_LINE && cubic < 2 && !may_bend(c, i, &p, r)) continue;
    if (missing <= 2e-3*range && (missing <= 0.2*width || missing <= 1e-5*range)) return *way;
  }
  return WAY_BAND;
}

/* a few pieces that happen to fit among those that do not are not to be trusted */
static void close_gaps(curve *c)
{
  enum { FEW = 3 };
  for (int i = 1, from = 0; i < c->n; i++) {
    if (c->way[i] != WAY_BAND) continue;
    if (from && i - from - 1 <= FEW) for (int k = from + 1; k < i; k++) c->way[k] = WAY_BAND;
    from = i;
  }
}

/* the bands of neighbours overlap: which part of an oscillation falls between two rows is chance */
static void overlap(epi_arena *m, curve *c)
{
  double *low = epi_arena_room(m, ((size_t)c->n + 1)*sizeof *low), *high = epi_arena_room(m, ((size_t)c->n + 1)*sizeof *high);
  for (int i = 0; i < c->n; i++) {
    low[i] = c->low[i];
    high[i] = c->high[i];
    for (int k = i - 1; k <= i + 1 && c->way[i] == WAY_BAND; k++) {
      if (k < 1 || k >= c->n || c->way[k] != WAY_BAND) continue;
      low[i] = fmin(low[i], c->low[k]);
      high[i] = fmax(high[i], c->high[k]);
    }
  }
  c->low = low;
  c->high = high;
}

void epi_curve_ways(epi_arena *m, curve *c, const double *t, const epi_reel *s, int k, int cubic)
{
  size_t n = (size_t)s->n, wide = EPI_LEAST + 4*n;
  double least = INFINITY, most = -INFINITY;
  c->way = epi_arena_room(m, (size_t)c->n + 1);
  c->low = epi_arena_room(m, ((size_t)c->n + 1)*sizeof *c->low);
  c->high = epi_arena_room(m, ((size_t)c->n + 1)*sizeof *c->high);
  c->one = epi_arena_room(m, ((size_t)c->n + 1)*sizeof *c->one);
  c->next = epi_arena_room(m, ((size_t)c->n + 1)*sizeof *c->next);
  for (int i = 0; i < c->n; i++) {
    const double *p = s->passed + (size_t)i*wide + EPI_LEAST + k;
    c->low[i] = fmin(p[0], c->x[i]);
    c->high[i] = fmax(p[n], c->x[i]);
    c->one[i] = p[2*n];
    c->next[i] = p[3*n];
    if (isfinite(c->low[i])) least = fmin(least, c->low[i]);
    if (isfinite(c->high[i])) most = fmax(most, c->high[i]);
  }
  for (int i = 1; i < c->n; i++) {
    const double *p = s->passed + (size_t)i*wide;
    if (!(most > least)) { c->way[i] = WAY_LINE; continue; }
    double at = p[EPI_DRAWS] > 0 ? (p[EPI_LEAST + 2*n] - t[i-1])/(t[i] - t[i-1]) : 0;
    c->way[i] = way_of(c, t, i, (seen){p[EPI_LOOKS], c->low[i], c->high[i], c->one[i], at}, most - least, cubic);
  }
  if (c->n) c->way[0] = c->n > 1 ? c->way[1] : WAY_LINE;
  close_gaps(c);
  overlap(m, c);
}

int epi_curve_apart(const curve *c)
{
  for (int i = 1; c->way && i < c->n; i++) if (c->way[i] == WAY_BAND) return 1;
  return 0;
}

/* how far it goes, and the most of a band that no line would show */
curve_extent epi_curve_extent(const curve *c)
{
  curve_extent e = {INFINITY, -INFINITY, 0};
  for (int i = 1; c->way && i < c->n; i++) {
    e.low = fmin(e.low, c->low[i]);
    e.high = fmax(e.high, c->high[i]);
    if (c->way[i] == WAY_BAND) e.hidden = fmax(e.hidden, c->high[i] - c->low[i] - fabs(c->x[i] - c->x[i-1]));
  }
  return e;
}

/* ---- bodies ---- */
/* what the whole motion does in each piece: a coordinate counts as far as it is seen beside those of its unit */
char *epi_curve_motion(epi_arena *m, const curve *c, int nq)
{
  int n = nq > 0 ? c[1].n : 0;
  char *way = epi_arena_room(m, (size_t)n + 1);
  double *size = epi_arena_room(m, (size_t)(nq + 1)*sizeof *size);
  memset(way, WAY_CUBIC, (size_t)n);
  for (int k = 1; k <= nq; k++) {
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < n; i++) least = fmin(least, c[k].low[i]), most = fmax(most, c[k].high[i]);
    size[k] = most - least;
  }
  for (int k = 1; k <= nq; k++) {
    double large = 0;
    for (int i = 1; i <= nq; i++) if (!strcmp(c[i].unit, c[k].unit)) large = fmax(large, size[i]);
    for (int i = 1; i < n; i++) {
      double hidden = c[k].high[i] - c[k].low[i] - fabs(c[k].x[i] - c[k].x[i-1]);
      if (c[k].way[i] == WAY_BAND && hidden > 5e-3*large) way[i] = WAY_BAND;
      else if (c[k].way[i] == WAY_LINE && way[i] != WAY_BAND && size[k] > 1e-3*large) way[i] = WAY_LINE;
    }
  }
  return way;
}

/* ---- rates ---- */
/* of the rate of v itself, from its neighbours */
static double slope_at(const double *t, const double *v, int n, int i)
{
  int a = i > 0 ? i - 1 : 0, b = i + 1 < n ? i + 1 : n - 1;
  return t[b] > t[a] ? (v[b] - v[a])/(t[b] - t[a]) : 0;
}

/* is v the rate of x? not where x is a mean or v is seen at one phase of an oscillation. The trapezoidal rule with its first correction */
int epi_curve_is_rate(const curve *x, const curve *v, const double *t)
{
  double off = 0, all = 0;
  for (int i = 1; i < x->n; i++) {
    double h = t[i] - t[i-1], bend = slope_at(t, v->x, x->n, i) - slope_at(t, v->x, x->n, i - 1);
    double way = h*(v->x[i-1] + v->x[i])/2 - h*h/12*bend;
    if (!isfinite(way + x->x[i] + x->x[i-1])) continue;
    off += fabs(x->x[i] - x->x[i-1] - way);
    all += fabs(way);
  }
  return off <= 0.03*all;
}

/* ---- angles ---- */
/* 1: it stays within a turn, and where it jumps it jumps by nearly one; no turns are lost between rows */
static int wraps(const curve *c, double turn)
{
  double least = INFINITY, most = -INFINITY, far = 0;
  int jumps = 0;
  for (int i = 1; i < c->n; i++) {
    double d = c->x[i] - c->x[i-1], whole = turn*round(d/turn), width = c->high[i] - c->low[i];
    if (!isfinite(d)) continue;
    least = fmin(least, c->low[i]);
    most = fmax(most, c->high[i]);
    far = fmax(far, fabs(d - whole));
    jumps += whole != 0;
    /* there and back again between two rows; or it went that far without a jump */
    if (whole == 0 ? width > 0.9*turn && c->way[i] == WAY_BAND : width < 0.75*turn) return 0;
  }
  return jumps && far <= 0.3*turn && most - least <= 1.001*turn;
}

/* an angle that is told between -pi and pi goes on; unless it turns so fast that nobody knows how often */
void epi_curve_unwrap(curve *c)
{
  double turn = !strcmp(c->unit, "rad") ? 8*atan(1) : !strcmp(c->unit, "deg") ? 360 : 0;
  if (!(turn > 0) || !wraps(c, turn)) return;
  double by = 0;
  for (int i = 1; i < c->n; i++) {
    double whole = turn*round((c->x[i] + by - c->x[i-1])/turn);
    if (isfinite(whole)) by -= whole;
    c->x[i] += by;
    if (whole == 0) { c->low[i] += by; c->high[i] += by; continue; }
    c->low[i] = fmin(c->x[i-1], c->x[i]);
    c->high[i] = fmax(c->x[i-1], c->x[i]);
    /* its neighbours bent toward the jump */
    for (int k = i - 1; k <= i + 1; k++) if (k > 0 && k < c->n && (k == i || c->way[k] != WAY_BAND)) c->way[k] = WAY_LINE;
  }
}
