/* bends.c - where a formula bends or jumps with one of its variables, as far as it can be read: what is in step, sign, abs, min, max or a
 * function of the user's is followed as long as it is a + b x */
#include "formula.h"

/* a + b x; plain: it is so */
typedef struct { int plain; double a, b; } line;
typedef struct { double *x; int n, most; } list;

static void add(list *l, double x)
{
  if (!isfinite(x)) return;
  if (l->n < l->most) l->x[l->n] = x;
  l->n++;
}

/* where it is `at` */
static void cross(list *l, line u, double at) { if (u.plain && u.b != 0) add(l, (at - u.a)/u.b); }

static line of_two(epi_op_code code, line u, line v)
{
  const line none = {0};
  if (!u.plain || !v.plain) return none;
  if (code == OP_ADD) return (line){1, u.a + v.a, u.b + v.b};
  if (code == OP_SUB) return (line){1, u.a - v.a, u.b - v.b};
  if (code == OP_MUL && (u.b == 0 || v.b == 0)) return (line){1, u.a*v.a, u.a*v.b + v.a*u.b};
  if (code == OP_DIV && v.b == 0 && v.a != 0) return (line){1, u.a/v.a, u.b/v.a};
  return none;
}

int epi_formula_bends(const epi_formula *f, int place, int (*point)(const void *data, int i, double *x), double *x, int most)
{
  line s[EPI_FORMULA_STACK] = {{0}};
  list l = {.x = x, .most = most};
  int n = 0;
  for (const epi_op *o = f->op, *end = o + f->n; o < end; o++) {
    line *top = n ? &s[n - 1] : s;
    double at;
    if (o->code == OP_NUMBER) s[n++] = (line){1, o->number, 0};
    else if (o->code == OP_PLACE) s[n++] = (line){o->place == place, 0, 1};
    else if (o->code == OP_MINUS) *top = (line){top->plain, -top->a, -top->b};
    else if (o->code < OP_SIN && o->code != OP_CALL) { n--; s[n-1] = of_two(o->code, s[n-1], s[n]); }
    else if (o->code >= OP_MIN) {
      n--;
      if (o->code == OP_MIN || o->code == OP_MAX) cross(&l, of_two(OP_SUB, s[n-1], s[n]), 0);
      s[n-1].plain = 0;
    } else {
      if (o->code == OP_STEP || o->code == OP_SIGN || o->code == OP_ABS) cross(&l, *top, 0);
      for (int i = 0; o->code == OP_CALL && point && top->plain && point(f->call[o->place].data, i, &at); i++) cross(&l, *top, at);
      top->plain = 0;
    }
  }
  return l.n;
}
