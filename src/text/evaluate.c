/* evaluate.c - a formula is asked: its program on a stack, with values alone or with their first two derivatives along a motion */
#include "formula.h"

/* f, f', f'' of a function of one number; the derivatives where they are wanted */
static void one(epi_op_code code, double x, int all, double d[3])
{
  d[1] = d[2] = 0;
  switch (code) {
  case OP_SIN: d[0] = sin(x); if (all) d[1] = cos(x), d[2] = -d[0]; return;
  case OP_COS: d[0] = cos(x); if (all) d[1] = -sin(x), d[2] = -d[0]; return;
  case OP_TAN: d[0] = tan(x); d[1] = 1 + d[0]*d[0]; d[2] = 2*d[0]*d[1]; return;
  case OP_ASIN: d[0] = asin(x); if (all) d[1] = 1/sqrt(1 - x*x), d[2] = x*d[1]*d[1]*d[1]; return;
  case OP_ACOS: d[0] = acos(x); if (all) d[1] = -1/sqrt(1 - x*x), d[2] = x*d[1]*d[1]*d[1]; return;
  case OP_ATAN: d[0] = atan(x); d[1] = 1/(1 + x*x); d[2] = -2*x*d[1]*d[1]; return;
  case OP_SINH: d[0] = d[2] = sinh(x); if (all) d[1] = cosh(x); return;
  case OP_COSH: d[0] = d[2] = cosh(x); if (all) d[1] = sinh(x); return;
  case OP_TANH: d[0] = tanh(x); d[1] = 1 - d[0]*d[0]; d[2] = -2*d[0]*d[1]; return;
  case OP_EXP: d[0] = d[1] = d[2] = exp(x); return;
  case OP_LOG: d[0] = log(x); d[1] = 1/x; d[2] = -d[1]*d[1]; return;
  case OP_LOG10: d[0] = log10(x); d[1] = 1/(x*log(10)); d[2] = -d[1]/x; return;
  case OP_SQRT: d[0] = sqrt(x); if (all) d[1] = 0.5/d[0], d[2] = -0.5*d[1]/x; return;
  case OP_ABS: d[0] = fabs(x); d[1] = x < 0 ? -1 : 1; return;
  case OP_SIGN: d[0] = (x > 0) - (x < 0); return;
  case OP_STEP: d[0] = x >= 0; return;
  case OP_FLOOR: d[0] = floor(x); return;
  default: d[0] = NAN; return;
  }
}

/* f, its first derivatives and its second ones: 11, 12, 22 */
static void two(epi_op_code code, double x, double y, int all, double *f, double g[2], double H[3])
{
  g[0] = g[1] = H[0] = H[1] = H[2] = 0;
  switch (code) {
  case OP_ADD: *f = x + y; g[0] = g[1] = 1; return;
  case OP_SUB: *f = x - y; g[0] = 1; g[1] = -1; return;
  case OP_MUL: *f = x*y; g[0] = y; g[1] = x; H[1] = 1; return;
  case OP_DIV: *f = x/y; if (all) g[0] = 1/y, g[1] = -*f/y, H[1] = -1/(y*y), H[2] = 2**f/(y*y); return;
  case OP_MIN: *f = x < y ? x : y; g[0] = x < y; g[1] = !(x < y); return;
  case OP_MAX: *f = x > y ? x : y; g[0] = x > y; g[1] = !(x > y); return;
  case OP_ATAN2: {
    double r = x*x + y*y;
    *f = atan2(x, y);
    if (all) g[0] = y/r, g[1] = -x/r, H[0] = -2*x*y/(r*r), H[1] = (x*x - y*y)/(r*r), H[2] = -H[0];
    return;
  }
  case OP_HYPOT:
    *f = hypot(x, y);
    if (all) g[0] = x/ *f, g[1] = y/ *f, H[0] = (1 - g[0]*g[0])/ *f, H[1] = -g[0]*g[1]/ *f, H[2] = (1 - g[1]*g[1])/ *f;
    return;
  case OP_POW:
    *f = pow(x, y);
    if (!all) return;
    g[0] = y == 0 ? 0 : y*pow(x, y - 1);
    H[0] = y == 0 || y == 1 ? 0 : y*(y - 1)*pow(x, y - 2);
    /* an exponent that moves */
    if (x > 0) g[1] = *f*log(x), H[1] = pow(x, y - 1)*(1 + y*log(x)), H[2] = g[1]*log(x);
    return;
  default: *f = NAN; return;
  }
}

/* values; 0, or the column of what is not finite */
int epi_formula_value(const epi_formula *f, const double *x, double *out)
{
  double s[EPI_FORMULA_STACK], d[3], g[2], H[3];
  int n = 0;
  for (const epi_op *o = f->op, *end = o + f->n; o < end; o++) {
    if (o->code == OP_NUMBER) s[n++] = o->number;
    else if (o->code == OP_PLACE) s[n++] = x[o->place];
    else if (o->code == OP_MINUS) s[n-1] = -s[n-1];
    else if (o->code == OP_CALL) {
      if (f->call[o->place].of(f->call[o->place].data, s[n-1], d)) return o->column;
      s[n-1] = d[0];
    } else if (o->code < OP_SIN || o->code >= OP_MIN) {
      n--;
      two(o->code, s[n-1], s[n], 0, &s[n-1], g, H);
    } else {
      one(o->code, s[n-1], 0, d);
      s[n-1] = d[0];
    }
    if (!isfinite(s[n-1])) return o->column;
  }
  *out = s[0];
  return 0;
}

static void chain(const double d[3], double *s)
{
  double rate = s[1];
  s[0] = d[0];
  s[1] = rate == 0 ? 0 : d[1]*rate;
  s[2] = (rate == 0 ? 0 : d[2]*rate*rate) + (s[2] == 0 ? 0 : d[1]*s[2]);
}

/* what does not move adds nothing, whatever the slope there */
static void join(epi_op_code code, double *a, const double *b)
{
  double f, g[2], H[3], u = a[1], v = b[1];
  two(code, a[0], b[0], 1, &f, g, H);
  a[0] = f;
  a[1] = (u == 0 ? 0 : g[0]*u) + (v == 0 ? 0 : g[1]*v);
  a[2] = (a[2] == 0 ? 0 : g[0]*a[2]) + (b[2] == 0 ? 0 : g[1]*b[2]) + (u == 0 ? 0 : H[0]*u*u) + (u == 0 || v == 0 ? 0 : 2*H[1]*u*v) +
    (v == 0 ? 0 : H[2]*v*v);
}

int epi_formula_motion(const epi_formula *f, const double *x, const double *dx, const double *ddx, double out[3])
{
  double s[EPI_FORMULA_STACK][3], d[3];
  int n = 0;
  for (const epi_op *o = f->op, *end = o + f->n; o < end; o++) {
    double *top = s[n ? n - 1 : 0];
    if (o->code == OP_NUMBER || o->code == OP_PLACE) {
      int moves = o->code == OP_PLACE;
      top = s[n++];
      top[0] = moves ? x[o->place] : o->number;
      top[1] = moves && dx ? dx[o->place] : 0;
      top[2] = moves && ddx ? ddx[o->place] : 0;
    } else if (o->code == OP_MINUS) for (int i = 0; i < 3; i++) top[i] = -top[i];
    else if (o->code == OP_CALL) {
      if (f->call[o->place].of(f->call[o->place].data, top[0], d)) return o->column;
      chain(d, top);
    } else if (o->code < OP_SIN || o->code >= OP_MIN) {
      n--;
      join(o->code, s[n-1], s[n]);
      top = s[n-1];
    } else {
      one(o->code, top[0], 1, d);
      chain(d, top);
    }
    if (!isfinite(top[0]) || !isfinite(top[1]) || !isfinite(top[2])) return o->column;
  }
  memcpy(out, s[0], sizeof s[0]);
  return 0;
}

const char *epi_formula_trouble(const epi_formula *f, int column)
{
  for (int i = 0; i < f->n; i++) {
    if (f->op[i].column != column) continue;
    switch (f->op[i].code) {
    case OP_DIV: return "divides by zero";
    case OP_LOG: case OP_LOG10: return "takes the logarithm of a number that is not positive";
    case OP_SQRT: return "takes the root of a number that is not positive";
    case OP_ASIN: case OP_ACOS: return "takes an arc of a number beyond 1";
    case OP_POW: return "takes a power that is not a finite number";
    case OP_PLACE: return "is asked with what is not a finite number";
    case OP_CALL: return "asks a table for a number that it has not";
    default: return "becomes too large";
    }
  }
  return "has no value";
}

int epi_formula_uses(const epi_formula *f, int place)
{
  for (int i = 0; i < f->n; i++) if (f->op[i].code == OP_PLACE && f->op[i].place == place) return 1;
  return 0;
}

const char *epi_formula_text(const epi_formula *f) { return f->text; }
