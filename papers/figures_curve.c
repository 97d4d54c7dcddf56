/* figures_curve.c - the numbers of a curve: from a run, or from the entries of a table */
#include "figures.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- points ---- */
void points_add(points *p, double x, double y)
{
  if (p->n == p->room) {
    int room = 2*p->room + 64;
    points more = {need((size_t)room*sizeof *p->x), need((size_t)room*sizeof *p->y), p->n, room};
    if (p->n) memcpy(more.x, p->x, (size_t)p->n*sizeof *p->x), memcpy(more.y, p->y, (size_t)p->n*sizeof *p->y);
    points_free(p);
    *p = more;
  }
  p->x[p->n] = x;
  p->y[p->n++] = y;
}

void points_add_sorted(points *p, double x, double y)
{
  points_add(p, x, y);
  int k = p->n - 1;
  for (; k > 0 && p->x[k-1] > x; k--) p->x[k] = p->x[k-1], p->y[k] = p->y[k-1];
  p->x[k] = x;
  p->y[k] = y;
}

void points_lift(points *p) { points_add(p, NAN, NAN); }

void points_free(points *p)
{
  free(p->x);
  free(p->y);
  *p = (points){0};
}

/* by least squares */
double points_slope(const points *p, int n)
{
  double x = 0, y = 0, xx = 0, xy = 0;
  if (n > p->n) n = p->n;
  for (int k = p->n - n; k < p->n; k++) x += log(p->x[k])/n, y += log(p->y[k])/n;
  for (int k = p->n - n; k < p->n; k++) {
    double d = log(p->x[k]) - x;
    xx += d*d;
    xy += d*(log(p->y[k]) - y);
  }
  return n > 1 ? xy/xx : NAN;
}

/* ---- runs, made once ---- */
const motion *artist_motion(const artist *a, const char *name)
{
  const motion *m = a->album->motion;
  while (m && m->name && strcmp(m->name, name)) m++;
  if (m && m->name) return m;
  for (int i = 0; i < a->paper->nmotion; i++)
    if (!strcmp(a->paper->motion[i].name, name)) return &a->paper->motion[i];
  return NULL;
}

take *artist_take(artist *a, const char *name)
{
  const motion *m = artist_motion(a, name);
  take *r = a->first;
  while (r && r->of != m) r = r->next;
  if (!r && m) {
    r = take_make(m);
    r->next = a->first;
    a->first = r;
    if (r->failure && !r->absent) a->failed = say(FAILED, "the run %s of a drawing failed: %s", name, r->failure);
  }
  return r && !r->failure ? r : NULL;
}

double artist_value(const artist *a, const take *r, const char *name, int k)
{
  for (const trace *s = a->album->trace; s && s->name; s++)
    if (!strcmp(s->name, name)) return s->value(r, k);
  return take_value(r, name, k);
}

static points of_run(artist *a, const pane *p, const curve *c)
{
  const take *r = artist_take(a, c->run), *truth = c->minus ? artist_take(a, c->minus) : NULL;
  points out = {0};
  if (!r || (c->minus && !truth)) return out;
  /* one row beyond the frame, so that the line goes to its edge */
  int timed = !strncmp(c->x, "t", 1), last = c->start ? 1 : r->n;
  for (int k = 0, beyond = 0; k < last && beyond < 2; k += c->every ? c->every : 1) {
    double x = artist_value(a, r, c->x, k), y = artist_value(a, r, c->y, k);
    if (truth) {
      int there = take_at(truth, r->t[k]);
      y = there < 0 ? NAN : y - artist_value(a, truth, c->y, there);
    }
    beyond += timed && p->across[1] > 0 && x > p->across[1];
    points_add(&out, x, p->log & Y_LOG ? fabs(y) : y);
  }
  return out;
}

/* ---- tables ---- */
/* the number in "H=1/10", "w2=500", "n=4" */
static double number_in(const char *words)
{
  const char *at = strchr(words, '=');
  double x = NAN;
  if (!at || !data_number(at + 1, &x)) return NAN;
  return x;
}

/* what another measure makes of the same run, which is on the run_store */
static double measured(artist *a, const entry *e, const char *name)
{
  entry other = *e;
  other.what = measure_of(name, strlen(name));
  other.factor = 1;
  other.members = 1;
  other.failure = NULL;
  if (!other.what) return NAN;
  entry_compute(&other, a->store);
  double x = other.failure ? NAN : other.computed;
  free(other.failure);
  return x;
}

static double computed(artist *a, entry *e)
{
  if (!e->verdict && !e->failure) entry_compute(e, a->store);
  return e->failure ? NAN : e->computed;
}

/* of another column of its row */
static double beside(artist *a, const entry *e, const char *column)
{
  for (int i = 0; i < a->paper->nentry; i++) {
    entry *o = &a->paper->entry[i];
    if (!strcmp(o->table, e->table) && !strcmp(o->row, e->row) && !strcmp(o->column, column)) return computed(a, o);
  }
  return NAN;
}

/* y: "computed" or "published"; the entries may have been computed for the tables already: their runs are on the run_store */
static points of_table(artist *a, const curve *c)
{
  points out = {0};
  for (int i = 0; i < a->paper->nentry; i++) {
    entry *e = &a->paper->entry[i];
    if (strcmp(e->table, c->table) || (c->column && strcmp(e->column, c->column))) continue;
    if (c->run && strcmp(e->row, c->run)) continue;
    int as_printed = c->y && !strcmp(c->y, "published");
    double x = c->over ? beside(a, e, c->over) : c->x ? measured(a, e, c->x) : number_in(e->row),
      y = as_printed ? e->published : computed(a, e);
    if (isfinite(x) && isfinite(y) && (!as_printed || e->text[0])) points_add_sorted(&out, x, y);
  }
  return out;
}

points curve_points(artist *a, const pane *p, const curve *c)
{
  points out = {0};
  if (c->make) c->make(a, c, &out);
  else if (c->table) out = of_table(a, c);
  else out = a->tracks && a->album->points_of ? a->album->points_of(a, p, c) : of_run(a, p, c);
  return out;
}
