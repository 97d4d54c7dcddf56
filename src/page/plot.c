/* plot.c - curves as SVG */
#include "plot.h"
#include <math.h>
#include <string.h>

static const char *const COLOURS[] = {
  [PLOT_BLUE] = "#2166ac", [PLOT_ORANGE] = "#e08214", [PLOT_GREEN] = "#1b7837",
  [PLOT_RED] = "#b2182b", [PLOT_VIOLET] = "#762a83", [PLOT_GREY] = "#888888",
  [PLOT_BROWN] = "#8c510a", [PLOT_TEAL] = "#01868b", [PLOT_LIGHT] = "#c4ccd4", [PLOT_BLACK] = "#222222",
};

/* room around a frame, and the size of what is written there */
enum { LEFT = 70, RIGHT = 18, BELOW = 46, TITLE = 24, ROW = 20, KEY = 30, MOST_TICKS = 64 };

typedef struct range { double from, to; int log; } range;
typedef struct frame { double x, y, w, h; range across, up; } frame;

static const char *colour_of(const plot_line *l) { return COLOURS[l->colour]; }

/* ---- ranges ---- */
static int usable(double v, int log) { return isfinite(v) && (!log || v > 0); }

static double on_scale(const range *r, double v) { return r->log ? log10(v) : v; }
static double part_of(const range *r, double v)
{
  return (on_scale(r, v) - on_scale(r, r->from))/(on_scale(r, r->to) - on_scale(r, r->from));
}

static range widened(range r, double by)
{
  double low = on_scale(&r, r.from), high = on_scale(&r, r.to), more = high > low ? by*(high - low) : fabs(low) > 0 ? 0.1*fabs(low) : 1;
  return (range){r.log ? pow(10, low - more) : low - more, r.log ? pow(10, high + more) : high + more, r.log};
}

static void reach(range *r, double v, int log)
{
  if (!usable(v, log)) return;
  r->from = fmin(r->from, v);
  r->to = fmax(r->to, v);
}

/* between two points: a band, or how far a bent piece leaves them */
static void reach_piece(range *r, const plot_line *l, int k, int upward, int log)
{
  if (l->way[k] == PLOT_BAND && l->low && upward) {
    reach(r, l->low[k], log);
    reach(r, l->high[k], log);
  }
  const double *v = upward ? l->y : l->x;
  for (int i = 1; l->way[k] == PLOT_BENT && i < 8; i++) {
    double u = i/8.0, d = 1 - u, a = v[k-1] + l->bend[4*k + upward], b = v[k] - l->bend[4*k + 2 + upward];
    reach(r, d*d*d*v[k-1] + 3*u*d*(d*a + u*b) + u*u*u*v[k], log);
  }
}

/* what the data need; circles are drawn in frames whose range is given */
static range range_of(const plot_panel *p, const plot_axis *a, int upward)
{
  range r = {INFINITY, -INFINITY, a->log};
  if (a->from != a->to) return (range){a->from, a->to, a->log};
  for (int i = 0; i < p->nline; i++) {
    const plot_line *l = &p->line[i];
    for (int k = 0; k < l->n; k++) {
      double v = upward ? l->y[k] : l->x[k];
      if (!usable(l->x[k], p->x.log) || !usable(l->y[k], p->y.log)) continue;
      r.from = fmin(r.from, v);
      r.to = fmax(r.to, v);
      if (k && l->way) reach_piece(&r, l, k, upward, a->log);
    }
  }
  if (!(r.from <= r.to)) return (range){a->log ? 1 : 0, a->log ? 10 : 1, a->log};
  return widened(r, upward || a->log || r.from == r.to ? 0.05 : 0);
}

/* ---- ticks ---- */
typedef struct tick { double at; int named; } tick;

/* 1, 2, 2.5 or 5 times a power of ten, at least `least` */
static double nice(double least)
{
  double ten = pow(10, floor(log10(least))), x = least/ten;
  return ten*(x <= 1 ? 1 : x <= 2 ? 2 : x <= 2.5 ? 2.5 : x <= 5 ? 5 : 10);
}

static int linear_ticks(const range *r, double length, double apart, tick *t)
{
  double step = nice((r->to - r->from)*apart/length), first = ceil(r->from/step - 1e-9);
  int n = 0;
  for (double k = first; k*step <= r->to + 1e-9*step && n < MOST_TICKS; k++) t[n++] = (tick){k == 0 ? 0 : k*step, 1};
  return n;
}

/* decades, and where there is room 2 and 5 times them; the marks between have no name */
static int log_ticks(const range *r, double length, double apart, tick *t)
{
  double low = log10(r->from), high = log10(r->to);
  int n = 0, few = (high - low)*5*apart < length, every = (int)ceil((high - low)*apart/length), fine = length > 45*(high - low);
  for (int d = (int)floor(low); d <= (int)ceil(high) && n < MOST_TICKS - 9; d++)
    for (int m = 1; m <= 9; m++) {
      double at = m*pow(10, d);
      int named = m == 1 ? d % (every > 0 ? every : 1) == 0 : few && (m == 2 || m == 5);
      if (at >= r->from*(1 - 1e-9) && at <= r->to*(1 + 1e-9) && (m == 1 || fine)) t[n++] = (tick){at, named};
    }
  return n;
}

/* the numbers of decades are short */
static int ticks_of(const range *r, double length, double apart, tick *t)
{
  return r->log ? log_ticks(r, length, 0.7*apart, t) : linear_ticks(r, length, apart, t);
}

/* very large and very small numbers are written without their common power of ten, which goes to the name of the axis */
static int power_of(const range *r)
{
  double big = fmax(fabs(r->from), fabs(r->to));
  if (r->log || !(big > 0)) return 0;
  int power = (int)floor(log10(big));
  return power < -2 || power > 4 ? power : 0;
}

static void put_power(FILE *f, int power)
{
  fprintf(f, "10<tspan dy='-5' font-size='9'>%s%d</tspan>", power < 0 ? "&#8722;" : "", power < 0 ? -power : power);
}

static void put_number(FILE *f, double v)
{
  char text[32];
  snprintf(text, sizeof text, "%.6g", fabs(v) < 1e-12 ? 0 : v);
  fprintf(f, "%s%s", text[0] == '-' ? "&#8722;" : "", text + (text[0] == '-'));
}

static void put_tick(FILE *f, const range *r, double at)
{
  int d = (int)lround(floor(log10(fabs(at) > 0 ? fabs(at) : 1) + 1e-9));
  if (!r->log) put_number(f, at/pow(10, power_of(r)));
  else if (fabs(at/pow(10, d) - 1) < 1e-6) {
    if (d >= -1 && d <= 3) put_number(f, at);
    else put_power(f, d);
  }
  else if (d >= -2 && d <= 3) put_number(f, at);
  else {
    put_number(f, at/pow(10, d));
    fputs("&#183;", f);
    put_power(f, d);
  }
}

/* ---- a frame with its ticks and names ---- */
static double px(const frame *m, double x) { return m->x + m->w*part_of(&m->across, x); }
static double py(const frame *m, double y) { return m->y + m->h*(1 - part_of(&m->up, y)); }

static void put_name(FILE *f, const plot_axis *a, const range *r)
{
  int power = power_of(r);
  fputs(a->name ? a->name : "", f);
  if (power) {
    fputs(" / ", f);
    put_power(f, power);
  }
  fputs("</text>\n", f);
}

static void put_axes(FILE *f, const plot_panel *p, const frame *m)
{
  tick t[MOST_TICKS];
  int n = ticks_of(&m->across, m->w, 60, t);
  for (int i = 0; i < n; i++) {
    double x = px(m, t[i].at);
    fprintf(f, "<path d='M%.1f %.1fv%.1f' stroke='%s'/>", x, m->y, m->h, t[i].named ? "#ddd" : "#f0f0f0");
    if (!t[i].named) { fputc('\n', f); continue; }
    fprintf(f, "<text x='%.1f' y='%.1f' text-anchor='middle'>", x, m->y + m->h + 17);
    put_tick(f, &m->across, t[i].at);
    fputs("</text>\n", f);
  }
  n = ticks_of(&m->up, m->h, 36, t);
  for (int i = 0; i < n; i++) {
    double y = py(m, t[i].at);
    fprintf(f, "<path d='M%.1f %.1fh%.1f' stroke='%s'/>", m->x, y, m->w, t[i].named ? "#ddd" : "#f0f0f0");
    if (!t[i].named) { fputc('\n', f); continue; }
    fprintf(f, "<text x='%.1f' y='%.1f' text-anchor='end'>", m->x - 7, y + 4);
    put_tick(f, &m->up, t[i].at);
    fputs("</text>\n", f);
  }
  fprintf(f, "<rect x='%.1f' y='%.1f' width='%.1f' height='%.1f' fill='none' stroke='#444'/>\n", m->x, m->y, m->w, m->h);
  fprintf(f, "<text x='%.1f' y='%.1f' text-anchor='middle'>", m->x + m->w/2, m->y + m->h + 37);
  put_name(f, &p->x, &m->across);
  fprintf(f, "<text transform='translate(%.1f %.1f) rotate(-90)' text-anchor='middle'>", m->x - LEFT + 18, m->y + m->h/2);
  put_name(f, &p->y, &m->up);
}

/* ---- curves ---- */
/* strokes of paths in tenths of a unit, scaled, so that their numbers are whole and short; and of the keys in the legend */
typedef enum { UNITS = 1, TENTHS = 10 } scale;

static void put_stroke(FILE *f, const plot_line *l, scale of)
{
  const char *inside = l->style == PLOT_AREA ? colour_of(l) : "none";
  fprintf(f, "fill='%s' stroke='%s' stroke-width='%g'", inside, colour_of(l), (l->style == PLOT_THIN ? 0.8 : 1.4)*of);
  if (l->style == PLOT_DASHED) fprintf(f, " stroke-dasharray='%d %d'", 7*of, 4*of);
  if (l->style == PLOT_DOTTED) fprintf(f, " stroke-dasharray='%d %d'", 2*of, 3*of);
  if (l->opacity > 0) fprintf(f, " opacity='%g'", l->opacity);
}

/* a path under way: a column of the picture shows its first, lowest, highest and last point and no others; an outline shows all */
typedef struct pen { FILE *f; int outline, down, n; long atx, aty; double column, first, low, high, last, x; } pen;

static void pen_point(pen *p, double x, double y)
{
  long X = lround(TENTHS*x), Y = lround(TENTHS*y);
  if (!p->down) fprintf(p->f, "M%ld %ld", X, Y);
  else if (X == p->atx && Y != p->aty) fprintf(p->f, "v%ld", Y - p->aty);
  else if (X != p->atx) fprintf(p->f, Y < p->aty ? "l%ld%ld" : "l%ld %ld", X - p->atx, Y - p->aty);
  p->down = 1;
  p->atx = X;
  p->aty = Y;
}

static void pen_flush(pen *p)
{
  if (!p->n) return;
  pen_point(p, p->column, p->first);
  if (p->n > 2 && p->low < fmin(p->first, p->last)) pen_point(p, p->column, p->low);
  if (p->n > 2 && p->high > fmax(p->first, p->last)) pen_point(p, p->column, p->high);
  if (p->n > 1) pen_point(p, p->x, p->last);
  p->n = 0;
}

static void pen_move(pen *p, double x, double y)
{
  if (p->n && (p->outline || fabs(x - p->column) > 0.6)) pen_flush(p);
  if (!p->n) { p->column = x; p->first = p->low = p->high = y; }
  p->low = fmin(p->low, y);
  p->high = fmax(p->high, y);
  p->last = y;
  p->x = x;
  p->n++;
}

/* far outside of the frame a line goes on just the same, but numbers stay short */
static double bounded(double v, double from, double length) { return fmin(fmax(v, from - 4*length), from + 5*length); }

/* it goes back, and has few points: their places matter, not how far they reach */
static int is_outline(const plot_line *l)
{
  enum { FEW = 2000 };
  int back = 0;
  for (int k = 1; k < l->n && l->n <= FEW; k++) back |= l->x[k] < l->x[k-1];
  return back;
}

/* ---- pieces that are more than straight lines ---- */
typedef struct spot { double x, y; } spot;
static spot place(const frame *m, double x, double y)
{
  return (spot){bounded(px(m, x), m->x, m->w), bounded(py(m, y), m->y, m->h)};
}

/* a bent piece that is longer than a few units; shorter ones are lines */
static void pen_bend(pen *p, const plot_line *l, const frame *m, int k)
{
  const double *b = l->bend + 4*k;
  spot to = place(m, l->x[k], l->y[k]), from = place(m, l->x[k-1], l->y[k-1]);
  spot one = place(m, l->x[k-1] + b[0], l->y[k-1] + b[1]), two = place(m, l->x[k] - b[2], l->y[k] - b[3]);
  double off = fmax(hypot(one.x - from.x - (to.x - from.x)/3, one.y - from.y - (to.y - from.y)/3),
                    hypot(to.x - two.x - (to.x - from.x)/3, to.y - two.y - (to.y - from.y)/3));
  if (!(off > 0.1)) { pen_move(p, to.x, to.y); return; }
  pen_flush(p);
  if (!p->down) pen_point(p, from.x, from.y);
  long x = lround(TENTHS*to.x), y = lround(TENTHS*to.y);
  fprintf(p->f, "c%ld %ld %ld %ld %ld %ld", lround(TENTHS*one.x) - p->atx, lround(TENTHS*one.y) - p->aty, lround(TENTHS*two.x) - p->atx,
          lround(TENTHS*two.y) - p->aty, x - p->atx, y - p->aty);
  p->atx = x;
  p->aty = y;
}

/* where pieces are joined; a band lifts the pen */
static void put_pieces(FILE *f, const plot_line *l, const frame *m)
{
  pen p = {.f = f, .outline = is_outline(l)};
  for (int k = 0; k < l->n; k++) {
    if (!usable(l->x[k], m->across.log) || !usable(l->y[k], m->up.log)) { pen_flush(&p); p.down = 0; continue; }
    spot to = place(m, l->x[k], l->y[k]);
    if (k && l->way[k] == PLOT_BAND) { pen_flush(&p); p.down = 0; }
    /* alone between two bands it is no line */
    if (k && l->way[k] == PLOT_BAND && (k + 1 == l->n || l->way[k+1] == PLOT_BAND)) continue;
    if (k && p.down + p.n > 0 && l->way[k] == PLOT_BENT) pen_bend(&p, l, m, k);
    else pen_move(&p, to.x, to.y);
  }
  pen_flush(&p);
}

/* the last piece of the bands that follow one another from k on */
static int last_of(const plot_line *l, int k)
{
  while (k + 1 < l->n && l->way[k+1] == PLOT_BAND) k++;
  return k;
}

/* from least to largest; as wide as the pieces, those of one column of the picture together. What is thin is as dark as a line */
static void put_band(FILE *f, const plot_line *l, const frame *m, int thin)
{
  double dark = l->opacity > 0 ? l->opacity : 1;
  fprintf(f, "<path class='band' transform='scale(.1)' fill='%s' opacity='%g' d='", colour_of(l), thin ? dark : 0.45*dark);
  int end = 0, narrow = 0;
  for (int k = 1; k < l->n; ) {
    if (l->way[k] != PLOT_BAND || !isfinite(l->low[k] + l->high[k])) { k++; continue; }
    if (k > end) narrow = px(m, l->x[end = last_of(l, k)]) - px(m, l->x[k-1]) < 3;
    double left = px(m, l->x[k-1]), low = l->low[k], high = l->high[k];
    int i = k;
    while (i + 1 < l->n && l->way[i+1] == PLOT_BAND && px(m, l->x[i]) - left < 0.8) {
      i++;
      low = fmin(low, l->low[i]);
      high = fmax(high, l->high[i]);
    }
    double least = m->up.log && !(low > 0) ? m->up.from : low, most = m->up.log && !(high > 0) ? m->up.from : high;
    spot a = place(m, l->x[k-1], most), b = place(m, l->x[i], least);
    double more = fmax(0, 0.7 - (b.y - a.y)/2), out = narrow ? fmax(0, 0.5 - (b.x - a.x)/2) : 0;
    long x = lround(TENTHS*(a.x - out)), y = lround(TENTHS*(a.y - more));
    long wide = lround(TENTHS*(b.x + out)) - x, up = lround(TENTHS*(b.y + more)) - y;
    if (thin == (narrow || b.y - a.y < 3)) fprintf(f, "M%ld %ldh%ldv%ldh%ldz", x, y, wide, up, -wide);
    k = i + 1;
  }
  fputs("'/>\n", f);
}

static int has_band(const plot_line *l)
{
  for (int k = 1; l->way && k < l->n; k++) if (l->way[k] == PLOT_BAND) return 1;
  return 0;
}

/* what cannot be joined: a single step in each piece, a point where there is none */
static void put_steps(FILE *f, const plot_line *l, const frame *m)
{
  fprintf(f, "<path class='steps' transform='scale(.1)' fill='none' stroke='%s' stroke-width='7' stroke-linecap='round' d='", colour_of(l));
  for (int k = 1; k < l->n; k++) {
    const double *one = l->one + 4*k;
    if (l->way[k] != PLOT_BAND || !isfinite(one[0] + one[1] + one[2] + one[3])) continue;
    spot a = place(m, one[0], one[1]), b = place(m, one[2], one[3]);
    long x = lround(TENTHS*a.x), y = lround(TENTHS*a.y);
    fprintf(f, "M%ld %ldl%ld %ld", x, y, lround(TENTHS*b.x) - x, lround(TENTHS*b.y) - y);
  }
  fputs("'/>\n", f);
}

static void put_path(FILE *f, const plot_line *l, const frame *m)
{
  if (l->way) {
    fputs("<path transform='scale(.1)' ", f);
    put_stroke(f, l, TENTHS);
    fputs(" d='", f);
    put_pieces(f, l, m);
    fputs("'/>\n", f);
    return;
  }
  pen p = {.f = f, .outline = is_outline(l)};
  fputs("<path transform='scale(.1)' ", f);
  put_stroke(f, l, TENTHS);
  fputs(" d='", f);
  for (int k = 0; k < l->n; k++) {
    if (!usable(l->x[k], m->across.log) || !usable(l->y[k], m->up.log)) { pen_flush(&p); p.down = 0; continue; }
    pen_move(&p, bounded(px(m, l->x[k]), m->x, m->w), bounded(py(m, l->y[k]), m->y, m->h));
  }
  pen_flush(&p);
  fputs("'/>\n", f);
}

static int is_open(const plot_line *l) { return l->style == PLOT_CIRCLES || l->style == PLOT_RINGS; }

static void put_mark(FILE *f, const plot_line *l, double x, double y, double r)
{
  if (l->style == PLOT_STARS)
    fprintf(f, "<path d='M%.1f %.1fv10m-4.3-7.5l8.6 5m0-5l-8.6 5' fill='none' stroke='%s' stroke-width='1.2'/>\n", x, y - 5, colour_of(l));
  else
    fprintf(f, "<circle cx='%.1f' cy='%.1f' r='%.1f' %s='%s'%s/>\n", x, y, r, is_open(l) ? "stroke" : "fill", colour_of(l),
            is_open(l) ? " stroke-width='1.4' fill='none'" : "");
}

static void put_marks(FILE *f, const plot_line *l, const frame *m)
{
  double r = l->style == PLOT_CIRCLES ? l->radius/(m->across.to - m->across.from)*m->w : l->style == PLOT_RINGS ? 4.5 : l->n > 60 ? 2 : 3;
  for (int k = 0; k < l->n; k++)
    if (usable(l->x[k], m->across.log) && usable(l->y[k], m->up.log)) put_mark(f, l, px(m, l->x[k]), py(m, l->y[k]), r);
}

static int has_path(const plot_line *l)
{
  return l->style != PLOT_MARKS && l->style != PLOT_CIRCLES && l->style != PLOT_RINGS && l->style != PLOT_STARS;
}
static int has_marks(const plot_line *l) { return l->style == PLOT_MARKED || !has_path(l); }

/* ---- the legend, in rows above the frame ---- */
/* an entity is one letter */
static double width_of(const char *words)
{
  double letters = 0;
  for (const char *c = words; *c; c++) {
    if (*c == '&' && strchr(c, ';')) c = strchr(c, ';');
    letters++;
  }
  return 6.8*letters;
}

static int legend_rows(const plot_panel *p, double width)
{
  double x = 0;
  int rows = 0;
  for (int i = 0; i < p->nline; i++) {
    if (!p->line[i].name || !p->line[i].n) continue;
    double w = KEY + width_of(p->line[i].name) + 18;
    if (!rows || x + w > width) rows++, x = 0;
    x += w;
  }
  return rows;
}

static void put_legend(FILE *f, const plot_panel *p, const frame *m)
{
  double x = 0, y = m->y - ROW*legend_rows(p, m->w) - ROW + 10;
  int any = 0;
  for (int i = 0; i < p->nline; i++) {
    const plot_line *l = &p->line[i];
    if (!l->name || !l->n) continue;
    double w = KEY + width_of(l->name) + 18;
    if (!any++ || x + w > m->w) x = 0, y += ROW;
    if (has_path(l)) {
      fprintf(f, "<path d='M%.1f %.1fh24' ", m->x + x, y);
      put_stroke(f, l, UNITS);
      fputs("/>", f);
    }
    if (has_marks(l) && (l->style == PLOT_RINGS || l->style == PLOT_STARS)) put_mark(f, l, m->x + x + 12, y, 4.5);
    else if (has_marks(l)) fprintf(f, "<circle cx='%.1f' cy='%.1f' r='3' fill='%s'/>", m->x + x + 12, y, colour_of(l));
    fprintf(f, "<text x='%.1f' y='%.1f'>%s</text>\n", m->x + x + KEY, y + 4, l->name);
    x += w;
  }
}

static void put_panel(FILE *f, const plot_panel *p, const frame *m, int number)
{
  if (p->title) fprintf(f, "<text x='%.1f' y='%.1f' font-weight='bold'>%s</text>\n", m->x, m->y - ROW*legend_rows(p, m->w) - 9, p->title);
  put_legend(f, p, m);
  put_axes(f, p, m);
  if (p->map) epi_map_write(p->map, m->x, m->y, m->w, m->h, f);
  fprintf(f, "<clipPath id='frame%d'><rect x='%.1f' y='%.1f' width='%.1f' height='%.1f'/></clipPath>\n"
          "<g clip-path='url(#frame%d)'>\n", number,
          m->x, m->y, m->w, m->h, number);
  /* bands lie behind all lines */
  for (int thin = 0; thin < 2; thin++)
    for (int i = 0; i < p->nline; i++) if (has_band(&p->line[i]) && p->line[i].low) put_band(f, &p->line[i], m, thin);
  for (int i = 0; i < p->nline; i++) if (has_band(&p->line[i]) && p->line[i].one) put_steps(f, &p->line[i], m);
  for (int i = 0; i < p->nline; i++) {
    if (has_path(&p->line[i])) put_path(f, &p->line[i], m);
    if (has_marks(&p->line[i])) put_marks(f, &p->line[i], m);
  }
  fputs("</g>\n", f);
  if (p->note) fprintf(f, "<text x='%.1f' y='%.1f' text-anchor='end' font-size='10' fill='#555'>%s</text>\n", m->x + m->w,
                       m->y - ROW*legend_rows(p, m->w) - (p->title ? 9 : 3), p->note);
}

/* ---- the page: a grid of panels; a row is as high as its highest legend needs ---- */
static double above(const plot_page *g, int row)
{
  double most = 0;
  for (int i = row*g->columns; i < g->npanel && i < (row + 1)*g->columns; i++)
    most = fmax(most, ROW*legend_rows(&g->panel[i], g->width) + (g->panel[i].title ? TITLE : 10));
  return most;
}

int epi_plot_write(const plot_page *g, FILE *f)
{
  int rows = (g->npanel + g->columns - 1)/g->columns;
  double width = g->columns*(LEFT + g->width + RIGHT), height = 8, y = 8;
  for (int r = 0; r < rows; r++) height += above(g, r) + g->height + BELOW;
  fprintf(f, "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %.0f %.0f' width='%.0f' height='%.0f' "
          "font-family='sans-serif' font-size='12' "
          "fill='#333'>\n<rect width='%.0f' height='%.0f' fill='white'/>\n", width, height, width, height, width, height);
  for (int i = 0; i < g->npanel; i++) {
    const plot_panel *p = &g->panel[i];
    int column = i % g->columns;
    if (!column) y += above(g, i/g->columns);
    put_panel(f, p, &(frame){.x = LEFT + column*(LEFT + g->width + RIGHT), .y = y, .w = g->width, .h = g->height,
                             .across = range_of(p, &p->x, 0), .up = range_of(p, &p->y, 1)}, g->first + i);
    if (column == g->columns - 1) y += g->height + BELOW;
  }
  fputs("</svg>\n", f);
  return ferror(f) ? -1 : 0;
}
