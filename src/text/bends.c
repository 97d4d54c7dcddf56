/* bends.c - what a formula does with one of its variables, as far as it can be read: where it bends or jumps, and how fast its sines and
 * cosines go. What is in these functions is followed as long as it is a + b x */
#include "formula.h"

/* a + b x; plain: it is so. from: where in the program it begins */
typedef struct { int plain; double a, b; int from; } line;

static line of_two(epi_op_code code, line u, line v)
{
  const line none = {.from = u.from};
  if (!u.plain || !v.plain) return none;
  if (code == OP_ADD) return (line){1, u.a + v.a, u.b + v.b, u.from};
  if (code == OP_SUB) return (line){1, u.a - v.a, u.b - v.b, u.from};
  if (code == OP_MUL && (u.b == 0 || v.b == 0)) return (line){1, u.a*v.a, u.a*v.b + v.a*u.b, u.from};
  if (code == OP_DIV && v.b == 0 && v.a != 0) return (line){1, u.a/v.a, u.b/v.a, u.from};
  return none;
}

/* every function in it is shown with what it is of */
static void follow(const epi_formula *f, int place, void (*see)(void *data, int at, const line *of), void *data)
{
  line s[EPI_FORMULA_STACK] = {{0}};
  int n = 0;
  for (int at = 0; at < f->n; at++) {
    const epi_op *o = f->op + at;
    line *top = n ? &s[n - 1] : s;
    if (o->code == OP_NUMBER) s[n++] = (line){1, o->number, 0, at};
    else if (o->code == OP_PLACE) s[n++] = (line){o->place == place, 0, 1, at};
    else if (o->code == OP_MINUS) { top->a = -top->a; top->b = -top->b; }
    else if (o->code < OP_SIN && o->code != OP_CALL) { n--; s[n-1] = of_two(o->code, s[n-1], s[n]); }
    else {
      n -= o->code >= OP_MIN;
      see(data, at, &s[n - 1]);
      s[n-1].plain = 0;
    }
  }
}

/* ---- bends ---- */
typedef struct { const epi_formula *f; int (*point)(const void *data, int i, double *x); double *x; int n, most; } bends;

static void add(bends *l, double x)
{
  if (!isfinite(x)) return;
  if (l->n < l->most) l->x[l->n] = x;
  l->n++;
}

/* where it is `at` */
static void cross(bends *l, line u, double at) { if (u.plain && u.b != 0) add(l, (at - u.a)/u.b); }

static void see_bend(void *data, int at, const line *of)
{
  bends *l = data;
  const epi_op *o = l->f->op + at;
  double x;
  if (o->code == OP_MIN || o->code == OP_MAX) cross(l, of_two(OP_SUB, of[0], of[1]), 0);
  if (o->code == OP_STEP || o->code == OP_SIGN || o->code == OP_ABS) cross(l, *of, 0);
  for (int i = 0; o->code == OP_CALL && l->point && of->plain && l->point(l->f->call[o->place].data, i, &x); i++) cross(l, *of, x);
}

int epi_formula_bends(const epi_formula *f, int place, int (*point)(const void *data, int i, double *x), double *x, int most)
{
  bends l = {.f = f, .point = point, .x = x, .most = most};
  follow(f, place, see_bend, &l);
  return l.n;
}

/* ---- waves ---- */
typedef struct { int from, to; double a, b; } wave;                     /* what it is of, in the program */
typedef struct { const epi_formula *f; wave one[EPI_FORMULA_STEPS/2]; int n; } waves;

static void see_wave(void *data, int at, const line *of)
{
  waves *l = data;
  epi_op_code code = l->f->op[at].code;
  if ((code == OP_SIN || code == OP_COS) && of->plain && of->b != 0) l->one[l->n++] = (wave){of->from, at, of->a, of->b};
}

int epi_formula_waves(const epi_formula *f, int place, double *rate, int most)
{
  waves l = {.f = f};
  follow(f, place, see_wave, &l);
  for (int i = 0; i < l.n && i < most; i++) rate[i] = l.one[i].b;
  return l.n;
}

static int put_number(epi_op *to, double x, epi_op_code code, int column)
{
  to[0] = (epi_op){.code = OP_NUMBER, .column = column, .number = x};
  to[1] = (epi_op){.code = code, .column = column};
  return 2;
}

/* times the phase, and what is left over: in as few steps of the program as it has, or it stays as it is */
static void put_phase(epi_formula *f, const wave *w, int phase, double times, double rest)
{
  const int column = f->op[w->from].column;
  epi_op new[5] = {{.code = OP_PLACE, .column = column, .place = phase}};
  int n = 1, had = w->to - w->from;
  if (times != 1) n += put_number(new + n, times, OP_MUL, column);
  if (rest != 0) n += put_number(new + n, rest, OP_ADD, column);
  if (n > had) return;
  memcpy(f->op + w->from, new, (size_t)n*sizeof *new);
  memmove(f->op + w->from + n, f->op + w->to, (size_t)(f->n - w->to)*sizeof *new);
  f->n -= had - n;
}

void epi_formula_follow_phase(epi_formula *f, int place, int phase, double rate, double start)
{
  waves l = {.f = f};
  follow(f, place, see_wave, &l);
  /* from the last one on, for those before it stay where they are */
  for (int i = l.n - 1; i >= 0; i--) {
    const wave *w = &l.one[i];
    double times = round(w->b/rate);
    if (times != 0 && fabs(w->b/rate - times) <= 1e-14*fabs(times)) put_phase(f, w, phase, times, w->a - times*start);
  }
}
