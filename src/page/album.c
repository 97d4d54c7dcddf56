/* album.c - the curves of runs, and which of them share a picture */
#include "picture.h"
#include <math.h>
#include <string.h>

enum { MOST_LINES = 5, MOST_OPEN = 24 };       /* lines in a picture; coordinates that are not put away */

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

/* in the same order for all runs of a model: columns, errors, steps; the oscillating solution, which not all of them have, comes last */
static int plain(const epi_result *r) { return 1 + size_of(r) + r->nobs; }
static int error_of(const epi_result *r, int i) { return plain(r) + i; }
static int step_of(const epi_result *r) { return plain(r) + r->ninvariant; }
static int fast_of(const epi_result *r, int k) { return r->fast && k <= size_of(r) ? step_of(r) + 1 + k : 0; }

static int curves_of(epi_arena *m, const epi_result *r, curve **out)
{
  curve *c = epi_arena_room(m, (size_t)(r->ncol + r->ninvariant + 2)*sizeof *c);
  const epi_result_column *col = r->column;
  int n = 0;
  for (; n < plain(r); n++) c[n] = column_of(m, &r->kept, n, copy(m, col[n].name), col[n].unit);
  for (int i = 0, k = 0; i < r->nobs; i++) {
    int at = observable(r, i);
    if (!col[at].invariant) continue;
    curve e = column_of(m, &r->kept, at, epi_arena_text(m, "%s error", col[at].name), col[at].unit);
    for (int q = 0; q < e.n; q++) e.x[q] -= r->invariant[k].start;
    c[n++] = e;
    k++;
  }
  epi_reel none = {.n = 2};
  const epi_reel *chosen = chosen_steps(r) ? &r->chosen : &none;
  c[n++] = column_of(m, chosen, 0, copy(m, "t"), col[0].unit);
  c[n++] = column_of(m, chosen, 1, copy(m, "step"), col[0].unit);
  for (int k = plain(r); k < r->ncol; k++) c[n++] = column_of(m, &r->kept, k, copy(m, col[k].name), col[k].unit);
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

static void add_line(const album *a, panel *p, int run, int x, int y, const char *name, line_style how)
{
  line *more = epi_arena_grown(a->arena, p->line, (size_t)p->nline, sizeof *more);
  p->line = more;
  more[p->nline++] = (line){.run = run, .x = x, .y = y, .name = copy(a->arena, name), .style = how};
}

static const char *run_name(const epi_result *j) { return j->name ? j->name : j->flow; }

/* beside an averaged run one that resolves everything is the oscillating solution */
static int resolved(const album *a, int r)
{
  int averaged = 0;
  for (int i = 0; i < a->nrun; i++) if (a->run[i]->fast) averaged = 1;
  return averaged && !a->run[r]->fast;
}

/* the oscillating solution behind the slow one: a run that resolves it, or what the averaged one makes of its own */
static void add_behind(album *a, panel *p, int x, int k)
{
  int any = 0;
  for (int r = 0; r < a->nrun; r++) if (resolved(a, r)) add_line(a, p, r, x, k, run_name(a->run[r]), STYLE_FAINT), any = 1;
  for (int r = 0; r < a->nrun && !any && !x; r++) {
    int behind = fast_of(a->run[r], k);
    if (!behind) continue;
    char *name = a->nrun > 1 ? epi_arena_text(a->arena, "%s, oscillating", run_name(a->run[r])) : a->curve[r][behind].name;
    add_line(a, p, r, x, behind, name, STYLE_FAINT);
  }
}

static void add_runs(album *a, panel *p, int x, int k, const char *alone)
{
  add_behind(a, p, x, k);
  for (int r = 0; r < a->nrun; r++) if (!resolved(a, r)) add_line(a, p, r, x, k, a->nrun > 1 ? run_name(a->run[r]) : alone, STYLE_LINE);
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

/* those from k on that belong together and follow one another; how many they are */
static int one_group(album *a, int k, const char *fold)
{
  const epi_result *j = a->run[0];
  const curve *c = a->curve[0];
  int n = size_of(j), m = 1, all[MOST_LINES] = {k};
  if (a->nrun > 1 || j->fast) return column_panel(a, k, fold), 1;
  while (m < MOST_LINES && k + m <= n && together(j, c, k, k + m)) all[m] = k + m, m++;
  group_panel(a, all, m, fold);
  return m;
}

/* the many are put away, what is of one body under its name */
static void coordinates(album *a, int away)
{
  const curve *c = a->curve[0];
  int n = size_of(a->run[0]), many = n > MOST_OPEN;
  if (many != away) return;
  if (!many) for (int k = 1; k <= n; ) k += one_group(a, k, NULL);
  char *done = epi_arena_room(a->arena, (size_t)n + 2);
  for (int k = 1; many && k <= n; k++) {
    if (done[k]) continue;
    char *fold = stem(c[k].name) ? epi_arena_text(a->arena, "%.*s", (int)stem(c[k].name), c[k].name) : copy(a->arena, "coordinates");
    for (int i = k; i <= n; ) {
      int m = 1;
      if (same_stem(&c[k], &c[i])) {
        m = one_group(a, i, fold);
        memset(done + i, 1, (size_t)m);
      }
      i += m;
    }
  }
}

static double largest(const curve *c)
{
  double most = 0;
  for (int i = 0; i < c->n; i++) if (isfinite(c->x[i])) most = fmax(most, fabs(c->x[i]));
  return most;
}

/* of one unit, and of a size at which both are seen */
static int comparable(const curve *a, const curve *b)
{
  double x = largest(a), y = largest(b);
  return !strcmp(a->unit, b->unit) && x <= 5*y && y <= 5*x;
}

/* observables that can be compared together, wherever they stand */
static void observables(album *a)
{
  const epi_result *j = a->run[0];
  const curve *c = a->curve[0];
  char *done = epi_arena_room(a->arena, (size_t)j->nobs + 1);
  for (int i = 0; i < j->nobs; i++) {
    const epi_result_column *o = j->column + observable(j, 0);
    int all[MOST_LINES], m = 0;
    if (done[i] || o[i].invariant) continue;
    if (a->nrun > 1) { column_panel(a, observable(j, i), NULL); continue; }
    for (int k = i; k < j->nobs && m < MOST_LINES; k++) {
      int here = observable(j, k);
      if (o[k].invariant || done[k] || !comparable(&c[here], &c[observable(j, i)])) continue;
      done[k] = 1;
      all[m++] = here;
    }
    group_panel(a, all, m, NULL);
  }
}

static void portrait(album *a, int x, int y, char *title)
{
  const curve *c = a->curve[0];
  panel *p = add_panel(a, PORTRAIT, title, NULL, &c[x], c[y].name, c[y].unit);
  add_runs(a, p, x, y, title);
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
    for (int r = 0; p->log && r < a->nrun; r++)
      for (int q = 0; q < a->curve[r][k].n; q++) a->curve[r][k].x[q] = fabs(a->curve[r][k].x[q]);
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

album epi_album_of(epi_arena *m, const epi_result *const *run, int n)
{
  album a = {.arena = m, .nrun = n, .run = run, .ncurve = epi_arena_room(m, (size_t)n*sizeof *a.ncurve),
             .curve = epi_arena_room(m, (size_t)n*sizeof *a.curve)};
  for (int r = 0; r < n; r++) a.ncurve[r] = curves_of(m, run[r], &a.curve[r]);
  coordinates(&a, 0);
  observables(&a);
  portraits(&a);
  errors(&a);
  steps(&a);
  coordinates(&a, 1);
  return a;
}
