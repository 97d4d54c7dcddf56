/* album.c - the curves of runs, and which of them share a picture */
#include "picture.h"
#include <math.h>
#include <string.h>

/* lines in a picture; coordinates that are not put away; positions whose differences have pictures of their own */
enum { MOST_LINES = 5, MOST_OPEN = 24, MOST_AWAY = 3 };
/* where pictures are so many that empty ones hide the others: those of curves that are zero, or rounding, are put away */
enum { MANY_COLUMNS = 12 };
static const char nothing_there[] = "zero throughout, or rounding";

/* ---- curves ---- */
static char *copy(epi_arena *m, const char *s) { return epi_arena_text(m, "%s", s ? s : ""); }

static curve column_of(epi_arena *m, const epi_reel *s, int k, char *name, const char *unit)
{
  curve c = {.name = name, .unit = copy(m, unit), .n = s->rows, .x = epi_arena_room(m, (size_t)s->rows*sizeof *c.x)};
  for (int i = 0; i < s->rows; i++) c.x[i] = s->x[(size_t)i*(size_t)s->n + (size_t)k];
  return c;
}

static int size_of(const epi_result *r) { return r->nq + r->nv + r->nz; }

/* where an observable stands among the columns */
static int observable(const epi_result *r, int i) { return 1 + size_of(r) + i; }

/* steps that hardly differ are no picture */
static int chosen_steps(const epi_result *r)
{
  double least = INFINITY, most = 0;
  for (int i = 0; i + 1 < r->chosen.rows; i++) {
    double h = r->chosen.x[2*i + 1];
    least = fmin(least, h);
    most = fmax(most, h);
  }
  return r->chosen.rows > 2 && most > 1.001*least;
}

/* in the same order for all runs of a model: columns, errors, steps, how far positions are from another run's; the oscillating solution,
   which not all of them have, comes last */
static int plain(const epi_result *r) { return 1 + size_of(r) + r->nobs; }
static int error_of(const epi_result *r, int i) { return plain(r) + i; }
static int step_of(const epi_result *r) { return plain(r) + r->ninvariant; }
static int away_of(const epi_result *r) { return step_of(r) + 2; }
static int naway(const epi_result *r) { return r->nq <= MOST_AWAY ? r->nq : 1; }
static int fast_of(const epi_result *r, int k) { return r->fast && k <= size_of(r) ? away_of(r) + naway(r) - 1 + k : 0; }

/* what a column did between its rows. Positions know their rates where these are of the same motion */
static void settle(epi_arena *m, const epi_result *r, curve *c, int k, int column)
{
  curve *x = &c[k];
  if (column >= 1 && column <= r->nq && r->nv == r->nq && !r->curved && epi_curve_is_rate(x, &c[k + r->nq], c[0].x)) {
    x->rate = c[k + r->nq].x;
    x->rate_of = k + r->nq;
  }
  /* steps that were chosen and are all there resolve the state: a curve through them is right */
  int chosen = r->adaptive && r->kept.rows > r->rows && column <= size_of(r);
  epi_curve_ways(m, x, c[0].x, &r->kept, column, chosen ? 2 : 1);
  if (column > size_of(r)) epi_curve_unwrap(x);
}

static curve error_curve(epi_arena *m, const curve *of, double start)
{
  curve e = *of;
  size_t size = (size_t)(of->n + 1)*sizeof *of->x;
  e.name = epi_arena_text(m, "%s error", of->name);
  e.x = epi_arena_room(m, size);
  e.low = epi_arena_room(m, size);
  e.high = epi_arena_room(m, size);
  for (int q = 0; q < e.n; q++) {
    e.x[q] = of->x[q] - start;
    e.low[q] = of->low[q] - start;
    e.high[q] = of->high[q] - start;
  }
  return e;
}

static int curves_of(epi_arena *m, const epi_result *r, curve **out)
{
  curve *c = epi_arena_room(m, (size_t)(r->ncol + r->ninvariant + naway(r) + 2)*sizeof *c);
  const epi_result_column *col = r->column;
  int n = 0, error = plain(r);
  for (; n < plain(r); n++) c[n] = column_of(m, &r->kept, n, copy(m, col[n].name), col[n].unit);
  for (int k = 1; k < n; k++) settle(m, r, c, k, k);
  for (int i = 0; i < r->nobs; i++)
    if (col[observable(r, i)].invariant) c[n] = error_curve(m, &c[observable(r, i)], r->invariant[n - error].start), n++;
  epi_reel none = {.n = 2};
  const epi_reel *chosen = chosen_steps(r) ? &r->chosen : &none;
  c[n] = column_of(m, chosen, 0, copy(m, "t"), col[0].unit);
  c[n + 1] = column_of(m, chosen, 1, copy(m, "step"), col[0].unit);
  if (chosen->rows) epi_curve_ways(m, &c[n + 1], c[n].x, chosen, 1, 0);
  n += 2;
  for (int k = 0; k < naway(r); k++) c[n++] = (curve){.name = copy(m, "difference"), .unit = copy(m, "")};
  for (int k = plain(r); k < r->ncol; k++, n++) {
    c[n] = column_of(m, &r->kept, k, copy(m, col[k].name), col[k].unit);
    settle(m, r, c, n, k);
  }
  *out = c;
  return n;
}

/* ---- panels ---- */
static panel *add_panel(album *a, panel_kind kind, char *title, const char *fold, const curve *x, const char *yname, const char *yunit)
{
  panel *more = epi_arena_grown(a->arena, a->panel, (size_t)a->npanel, sizeof *more);
  a->panel = more;
  more[a->npanel] = (panel){.kind = kind, .title = title, .fold = fold ? copy(a->arena, fold) : NULL, .xname = copy(a->arena, x->name),
                            .xunit = copy(a->arena, x->unit), .yname = copy(a->arena, yname), .yunit = copy(a->arena, yunit)};
  return &more[a->npanel++];
}

/* of several runs each has its colour, in all pictures; of one the lines have theirs. What is faint has that of the line before it lies */
static void add_line(const album *a, panel *p, int run, int x, int y, const char *name, line_style how)
{
  line *more = epi_arena_grown(a->arena, p->line, (size_t)p->nline, sizeof *more);
  int hue = 0;
  for (int i = 0; i < p->nline; i++) if (more[i].style == STYLE_LINE) hue++;
  p->line = more;
  more[p->nline++] = (line){.run = run, .x = x, .y = y, .name = copy(a->arena, name), .style = how, .hue = a->nrun > 1 ? run : hue};
}

static const char *run_name(const epi_result *j) { return j->name ? j->name : j->flow; }

/* the oscillating solution behind the slow one: what an averaged run makes of its own, unless another run resolves it */
static void add_behind(album *a, panel *p, int x, int k)
{
  int resolved = 0;
  for (int r = 0; r < a->nrun; r++) if (!a->run[r]->fast) resolved = 1;
  for (int r = 0; r < a->nrun && !resolved && !x; r++) {
    int behind = fast_of(a->run[r], k);
    if (!behind) continue;
    char *name = a->nrun > 1 ? epi_arena_text(a->arena, "%s, oscillating", run_name(a->run[r])) : a->curve[r][behind].name;
    add_line(a, p, r, x, behind, name, STYLE_FAINT);
  }
}

static void add_runs(album *a, panel *p, int x, int k, const char *alone)
{
  add_behind(a, p, x, k);
  for (int r = 0; r < a->nrun; r++) add_line(a, p, r, x, k, a->nrun > 1 ? run_name(a->run[r]) : alone, STYLE_LINE);
}

/* one column of every run */
static panel *column_panel(album *a, int k, const char *fold)
{
  const curve *c = a->curve[0];
  panel *p = add_panel(a, OVER_TIME, copy(a->arena, c[k].name), fold, &c[0], c[k].name, c[k].unit);
  add_runs(a, p, 0, k, c[k].name);
  return p;
}

/* "ball 1.x" belongs to "ball 1" */
static size_t stem(const char *name)
{
  const char *dot = strrchr(name, '.');
  return dot ? (size_t)(dot - name) : 0;
}

static int same_stem(const curve *a, const curve *b)
{
  size_t n = stem(a->name);
  return n == stem(b->name) && !memcmp(a->name, b->name, n);
}

/* positions, velocities and the rest are never together */
static int block(const epi_result *j, int k)
{
  return k <= j->nq ? 0 : k <= j->nq + j->nv ? 1 : 2;
}

static int together(const epi_result *j, const curve *c, int a, int b)
{
  return same_stem(&c[a], &c[b]) && !strcmp(c[a].unit, c[b].unit) && block(j, a) == block(j, b);
}

/* "j1.force", "j2.force": the same of several */
static int of_several(const curve *c, const int *k, int n)
{
  const char *what = c[k[0]].name + stem(c[k[0]].name);
  for (int i = 0; i < n; i++) if (!stem(c[k[i]].name) || strcmp(c[k[i]].name + stem(c[k[i]].name), what)) return 0;
  return n > 1;
}

static char *title_of(epi_arena *m, const curve *c, const int *k, int n)
{
  int several = of_several(c, k, n);
  const char *first = c[k[0]].name;
  char *all = several ? epi_arena_text(m, "%s of %.*s", first + stem(first) + 1, (int)stem(first), first) : copy(m, first);
  for (int i = 1; i < n; i++) {
    /* what they have in common is said once */
    size_t s = stem(c[k[i]].name);
    int alike = !several && s && same_stem(&c[k[0]], &c[k[i]]);
    all = several ? epi_arena_text(m, "%s, %.*s", all, (int)s, c[k[i]].name)
                  : epi_arena_text(m, "%s, %s", all, c[k[i]].name + (alike ? s + 1 : 0));
  }
  return all;
}

static void group_panel(album *a, const int *k, int n, const char *fold)
{
  const curve *c = a->curve[0];
  panel *p = add_panel(a, OVER_TIME, title_of(a->arena, c, k, n), fold, &c[0], n == 1 ? c[k[0]].name : "", c[k[0]].unit);
  for (int i = 0; i < n; i++) add_line(a, p, 0, 0, k[i], c[k[i]].name, STYLE_LINE);
}

static double largest(const curve *c)
{
  double most = 0;
  for (int i = 0; i < c->n; i++) if (isfinite(c->x[i])) most = fmax(most, fabs(c->x[i]));
  return most;
}

/* which columns are zero in every run, or rounding beside another of their unit; of moments all may be, beside the forces that make them */
static void find_nothing(album *a)
{
  const epi_result *j = a->run[0];
  const curve *c = a->curve[0];
  const int n = plain(j);
  struct { int column; double most; } *kind = epi_arena_room(a->arena, ((size_t)n + 1)*sizeof *kind);
  int kinds = 0, *of = epi_arena_room(a->arena, ((size_t)n + 1)*sizeof *of);
  double *most = epi_arena_room(a->arena, ((size_t)n + 1)*sizeof *most), any[3] = {0};
  a->nothing = epi_arena_room(a->arena, (size_t)n + 1);
  for (int k = 1; k < n && n > MANY_COLUMNS; k++) {
    int i = 0;
    for (int r = 0; r < a->nrun; r++) most[k] = fmax(most[k], largest(&a->curve[r][k]));
    while (i < kinds && (block(j, k) != block(j, kind[i].column) || strcmp(c[k].unit, c[kind[i].column].unit))) i++;
    if (i == kinds) kind[kinds].most = 0, kind[kinds++].column = k;
    kind[of[k] = i].most = fmax(kind[i].most, most[k]);
    any[block(j, k)] = fmax(any[block(j, k)], most[k]);
  }
  for (int k = 1; k < n && n > MANY_COLUMNS; k++) a->nothing[k] = most[k] <= fmax(1e-12*kind[of[k]].most, 1e-14*any[block(j, k)]);
}

/* those from k on that belong together and follow one another; how many they are. empty: pictures of nothing alone, or those of something
   alone; of the many that are put away all */
static int one_group(album *a, int k, const char *fold, int empty)
{
  const epi_result *j = a->run[0];
  const curve *c = a->curve[0];
  int n = size_of(j), m = 1, all[MOST_LINES] = {k}, single = a->nrun > 1 || j->fast, nothing = a->nothing[k];
  while (!single && m < MOST_LINES && k + m <= n && together(j, c, k, k + m)) nothing &= a->nothing[k + m], all[m] = k + m, m++;
  if (!fold && nothing != empty) return m;
  if (single) column_panel(a, k, empty ? nothing_there : fold);
  else group_panel(a, all, m, empty ? nothing_there : fold);
  return m;
}

/* the many are put away, what is of one body under its name */
static void coordinates(album *a, int away, int empty)
{
  const curve *c = a->curve[0];
  int n = size_of(a->run[0]), many = n > MOST_OPEN;
  if (many != away) return;
  if (!many) for (int k = 1; k <= n; ) k += one_group(a, k, NULL, empty);
  char *done = epi_arena_room(a->arena, (size_t)n + 2);
  for (int k = 1; many && k <= n; k++) {
    if (done[k]) continue;
    char *fold = stem(c[k].name) ? epi_arena_text(a->arena, "%.*s", (int)stem(c[k].name), c[k].name) : copy(a->arena, "coordinates");
    for (int i = k; i <= n; ) {
      int m = 1;
      if (same_stem(&c[k], &c[i])) {
        m = one_group(a, i, fold, 0);
        memset(done + i, 1, (size_t)m);
      }
      i += m;
    }
  }
}

/* of one unit, and of a size at which both are seen */
static int comparable(const curve *a, const curve *b)
{
  double x = largest(a), y = largest(b);
  return !strcmp(a->unit, b->unit) && x <= 5*y && y <= 5*x;
}

/* what belongs to one thing, what is the same of several, anything */
enum { OF_ONE, THE_SAME, ANYTHING };

static int akin(const curve *a, const curve *b, int how)
{
  return how == ANYTHING || (how == OF_ONE ? same_stem(a, b) : !strcmp(a->name + stem(a->name), b->name + stem(b->name)));
}

/* observables that can be compared with i: those of one joint, those of one name, or any, where these are none; how many */
static int companions(const album *a, const char *done, int i, int *all)
{
  const epi_result *j = a->run[0];
  const curve *c = a->curve[0], *first = &c[observable(j, i)];
  int m = 0, empty = a->nothing[observable(j, i)];
  for (int how = OF_ONE; how <= ANYTHING && m < 2; how++) {
    m = 0;
    for (int k = i; k < j->nobs && m < MOST_LINES; k++) {
      int here = observable(j, k);
      if (j->column[here].invariant || done[k] || !comparable(&c[here], first) || a->nothing[here] != empty) continue;
      if (akin(first, &c[here], how)) all[m++] = here;
    }
  }
  return m;
}

static void observables(album *a, int empty)
{
  const epi_result *j = a->run[0];
  char *done = epi_arena_room(a->arena, (size_t)j->nobs + 1);
  for (int i = 0; i < j->nobs; i++) {
    int all[MOST_LINES], here = observable(j, i);
    if (done[i] || j->column[here].invariant || a->nothing[here] != empty) continue;
    if (a->nrun > 1) { column_panel(a, here, empty ? nothing_there : NULL); continue; }
    int m = companions(a, done, i, all);
    for (int k = 0; k < m; k++) done[all[k] - observable(j, 0)] = 1;
    group_panel(a, all, m, empty ? nothing_there : NULL);
  }
}

static void portrait(album *a, int x, int y, char *title)
{
  const curve *c = a->curve[0];
  panel *p = add_panel(a, PORTRAIT, title, NULL, &c[x], c[y].name, c[y].unit);
  add_runs(a, p, x, y, title);
  for (int r = 0; r < a->nrun; r++) {
    curve *all = a->curve[r];
    if (epi_curve_apart(&all[x]) || epi_curve_apart(&all[y])) all[x].scattered = all[y].scattered = 1;
  }
}

/* velocity over position where they are few; the path where there is a plane */
static void portraits(album *a)
{
  const epi_result *m = a->run[0];
  const curve *c = a->curve[0];
  if (m->curved || m->nv != m->nq || m->nq > 3) return;
  if (m->nq == 2 && !strcmp(c[1].name, "x") && !strcmp(c[2].name, "y")) portrait(a, 1, 2, copy(a->arena, "path"));
  for (int i = 1; i <= m->nq; i++) portrait(a, i, i + m->nq, epi_arena_text(a->arena, "%s over %s", c[i + m->nq].name, c[i].name));
}

/* of a curve that goes through zero: on a logarithmic scale its pieces are no cubics */
static void sizes_of(curve *c)
{
  for (int i = 0; i < c->n; i++) {
    double low = c->low[i], high = c->high[i];
    c->x[i] = fabs(c->x[i]);
    c->low[i] = low <= 0 && high >= 0 ? 0 : fmin(fabs(low), fabs(high));
    c->high[i] = fmax(fabs(low), fabs(high));
    if (c->way[i] != WAY_BAND) c->way[i] = WAY_LINE;
  }
}

/* several runs whose errors differ much need a logarithm, and that needs sizes */
static void errors(album *a)
{
  for (int i = 0; i < a->run[0]->ninvariant; i++) {
    int k = error_of(a->run[0], i);
    double most = 0, least = INFINITY;
    for (int r = 0; r < a->nrun; r++) {
      most = fmax(most, largest(&a->curve[r][k]));
      least = fmin(least, largest(&a->curve[r][k]));
    }
    panel *p = column_panel(a, k, NULL);
    p->log = a->nrun > 1 && least > 0 && most > 30*least;
    for (int r = 0; p->log && r < a->nrun; r++) sizes_of(&a->curve[r][k]);
  }
}

/* ---- how far runs are from the one they are compared with ---- */
static const char *one_unit(const curve *c, int n)
{
  for (int k = 2; k <= n; k++) if (strcmp(c[k].unit, c[1].unit)) return "";
  return c[1].unit;
}

/* positions first..last of a run at its rows, the other run's at the same times; what is not known there is left out */
static curve away(const album *a, int r, int other, int first, int last)
{
  const curve *mine = a->curve[r], *its = a->curve[other];
  curve d = {.name = copy(a->arena, "difference"), .unit = copy(a->arena, one_unit(mine + first - 1, last - first + 1)), .n = mine[0].n};
  d.x = epi_arena_room(a->arena, (size_t)d.n*sizeof *d.x);
  for (int i = 0; i < d.n; i++)
    for (int k = first; k <= last; k++) {
      double e = fabs(mine[k].x[i] - epi_curve_at(&its[k], its[0].x, mine[0].x[i]));
      d.x[i] = isnan(e) || e > d.x[i] ? e : d.x[i];
    }
  return d;
}

static void differences(album *a)
{
  const epi_result *j = a->run[0];
  int other = -1, each = j->nq <= MOST_AWAY;
  for (int r = 0; r < a->nrun; r++) if (a->run[r] == a->against) other = r;
  if (other < 0 || a->nrun < 2) return;
  for (int k = 0; k < naway(j); k++) {
    const curve *c = a->curve[0];
    char *title = epi_arena_text(a->arena, "%s: difference from %s", each ? c[1 + k].name : "positions", run_name(a->against));
    panel *p = add_panel(a, OVER_TIME, title, NULL, &c[0], each ? epi_arena_text(a->arena, "|difference of %s|", c[1 + k].name)
                         : "largest |difference|", each ? c[1 + k].unit : one_unit(c, j->nq));
    p->log = 1;
    for (int r = 0; r < a->nrun; r++) {
      if (r == other) continue;
      a->curve[r][away_of(j) + k] = away(a, r, other, each ? 1 + k : 1, each ? 1 + k : j->nq);
      add_line(a, p, r, 0, away_of(j) + k, run_name(a->run[r]), STYLE_LINE);
    }
  }
}

static int wide(const curve *c)
{
  double least = INFINITY;
  for (int i = 0; i < c->n; i++) least = fmin(least, fabs(c->x[i]));
  return largest(c) > 20*least;
}

static void steps(album *a)
{
  panel *p = NULL;
  for (int r = 0; r < a->nrun; r++) {
    const epi_result *j = a->run[r];
    int at = step_of(j);
    if (!a->curve[r][at].n) continue;
    if (!p) p = add_panel(a, STEPS, copy(a->arena, "length of the steps"), NULL, &a->curve[r][at], "step", a->curve[r][at].unit);
    if (wide(&a->curve[r][at + 1])) p->log = 1;
    add_line(a, p, r, at, at + 1, a->nrun > 1 ? run_name(j) : "step", STYLE_LINE);
  }
}

/* bands that are wider than a line in the picture; along both axes of a portrait */
int epi_panel_banded(const album *a, const panel *p)
{
  for (int across = 0, axes = p->kind == PORTRAIT ? 2 : 1; across < axes; across++) {
    curve_extent all = {INFINITY, -INFINITY, 0};
    for (int i = 0; i < p->nline; i++) {
      const line *l = &p->line[i];
      curve_extent e = epi_curve_extent(&a->curve[l->run][across ? l->x : l->y]);
      all = (curve_extent){fmin(all.low, e.low), fmax(all.high, e.high), fmax(all.hidden, e.hidden)};
    }
    if (all.hidden > 0 && all.hidden > 0.01*(all.high - all.low)) return 1;
  }
  return 0;
}

album epi_album_of(epi_arena *m, const epi_result *const *run, int n, const epi_result *against)
{
  album a = {.arena = m, .nrun = n, .run = run, .against = against, .ncurve = epi_arena_room(m, (size_t)n*sizeof *a.ncurve),
             .curve = epi_arena_room(m, (size_t)n*sizeof *a.curve)};
  for (int r = 0; r < n; r++) a.ncurve[r] = curves_of(m, run[r], &a.curve[r]);
  find_nothing(&a);
  coordinates(&a, 0, 0);
  observables(&a, 0);
  portraits(&a);
  differences(&a);
  errors(&a);
  steps(&a);
  coordinates(&a, 0, 1);
  observables(&a, 1);
  coordinates(&a, 1, 0);
  return a;
}
