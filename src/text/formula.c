/* formula.c - the text of a formula becomes a program for a stack: one pass from left to right, with sentences that have their column. On
 * the way every value has a dimension, so that what does not go together is found before anything runs
 *
 *   sum   := term { '+' or '-' term }            term  := sign { '*' or '/' sign }          sign := ['-' or '+'] sign | power
 *   power := value [ '^' sign ]                  value := number [unit] | name | name '(' sum { ',' sum } ')' | '(' sum ')' */
#include "formula.h"
#include "decimal.h"
#include "epicycle/term.h"
#include "letters.h"
#include <ctype.h>
#include <stdio.h>

enum { DEEP = 60, WORD = 40 };

static const struct { const char *name; epi_op_code code; int args; } functions[] = {
  {"sin", OP_SIN, 1}, {"cos", OP_COS, 1}, {"tan", OP_TAN, 1}, {"asin", OP_ASIN, 1}, {"acos", OP_ACOS, 1}, {"atan", OP_ATAN, 1},
  {"sinh", OP_SINH, 1}, {"cosh", OP_COSH, 1}, {"tanh", OP_TANH, 1}, {"exp", OP_EXP, 1}, {"log", OP_LOG, 1}, {"log10", OP_LOG10, 1},
  {"sqrt", OP_SQRT, 1}, {"abs", OP_ABS, 1}, {"sign", OP_SIGN, 1}, {"step", OP_STEP, 1}, {"floor", OP_FLOOR, 1}, {"min", OP_MIN, 2},
  {"max", OP_MAX, 2}, {"atan2", OP_ATAN2, 2}, {"hypot", OP_HYPOT, 2}, {"pow", OP_POW, 2},
};
enum { FUNCTIONS = sizeof functions/sizeof *functions };

/* powers of length, mass and time. A number without a unit goes with everything, and so does its product with variables, whose coefficient
   it is. A product that has a unit which is written there, of a number, a constant or a table, keeps its unit, and bare numbers in it are
   pure ones. A sum of products with coefficients, of several units, has none that is known */
enum { FREE = 1, UNKNOWN = 2 };
typedef struct { double power[3]; int any, written; } dimension;       /* any: 0, FREE or UNKNOWN; written: a unit is, in it */

typedef struct {
  const char *text, *at;
  const epi_formula_name *names;
  epi_read_dimension *read;
  int depth, high, room, calls_room;
  dimension stack[EPI_FORMULA_STACK];
  epi_formula *f;
  epi_fault *why;
} reader;

static int wrong(reader *r, const char *at, const char *words, ...) __attribute__((format(printf, 3, 4)));
static int wrong(reader *r, const char *at, const char *words, ...)
{
  va_list ap;
  r->why->column = (int)(at - r->text) + 1;
  r->why->cause = EPI_COMPOSITION;
  int n = snprintf(r->why->words, sizeof r->why->words, "column %d: ", r->why->column);
  va_start(ap, words);
  epi_sentence_print(r->why->words + n, sizeof r->why->words - (size_t)n, words, ap);
  va_end(ap);
  return -1;
}

static int no_memory(reader *r)
{
  *r->why = (epi_fault){"out of memory", EPI_MEMORY, 0};
  return -1;
}

/* ---- dimensions ---- */
static int bare(const dimension *d) { return d->any || (d->power[0] == 0 && d->power[1] == 0 && d->power[2] == 0); }

static int same_powers(const dimension *a, const dimension *b)
{
  for (int i = 0; i < 3; i++) if (fabs(a->power[i] - b->power[i]) > 1e-9) return 0;
  return 1;
}

static int alike(const dimension *a, const dimension *b) { return a->any || b->any || same_powers(a, b); }

static dimension product_of(const dimension *a, const dimension *b, double sign)
{
  dimension d = *a;
  d.any = a->any > b->any ? a->any : b->any;
  d.written |= b->written;
  if (d.any == FREE && d.written) d.any = 0;
  for (int i = 0; i < 3; i++) d.power[i] += sign*b->power[i];
  return d;
}

/* of two that are alike */
static dimension sum_of(const dimension *a, const dimension *b)
{
  dimension d = a->any ? *b : *a;
  d.written |= a->written | b->written;
  if (a->any && b->any && !same_powers(a, b)) d.any = UNKNOWN;
  return d;
}

static const char *spelled(const dimension *d, char *out, size_t size)
{
  static const char *const base[] = {"m", "kg", "s"};
  int n = 0;
  for (int i = 0; i < 3; i++)
    if (d->power[i] != 0 && n >= 0 && (size_t)n < size)
      n += d->power[i] == 1 ? snprintf(out + n, size - (size_t)n, "%s%s", n ? " " : "", base[i]) :
           snprintf(out + n, size - (size_t)n, "%s%s^%g", n ? " " : "", base[i], d->power[i]);
  if (!n) snprintf(out, size, "a bare number");
  return out;
}

static int dimension_of(reader *r, const char *unit, dimension *d)
{
  epi_dimension read;
  char why[200];
  *d = (dimension){.any = !unit || !r->read ? FREE : 0};
  if (d->any) return 0;
  if (r->read(unit, &read, why, sizeof why)) return wrong(r, r->at, "%s", why);
  memcpy(d->power, read.power, sizeof d->power);
  return 0;
}

/* ---- the program ---- */
static int put(reader *r, epi_op op, const char *at, int takes, dimension gives)
{
  epi_formula *f = r->f;
  r->high += 1 - takes;
  if (r->high > EPI_FORMULA_STACK) return wrong(r, at, "the formula waits for too many numbers here: take some of its brackets apart");
  if (f->n == EPI_FORMULA_STEPS) return wrong(r, at, "the formula is too long: the most is %d numbers and signs", EPI_FORMULA_STEPS);
  if (f->n == r->room) {
    int room = 2*r->room + 8;
    epi_op *more = realloc(f->op, (size_t)room*sizeof *more);
    if (!more) return no_memory(r);
    f->op = more;
    r->room = room;
  }
  op.column = (int)(at - r->text) + 1;
  f->op[f->n++] = op;
  r->stack[r->high - 1] = gives;
  return 0;
}

static int mismatch(reader *r, const char *at, const char *what, const dimension *a, const dimension *b)
{
  char one[60], two[60];
  const char *first = spelled(a, one, sizeof one), *second = spelled(b, two, sizeof two), *bare = "a bare number";
  const int lacks = !strcmp(first, bare) != !strcmp(second, bare);
  return wrong(r, at, "%s goes between what has the same unit, and here are %s and %s%s%s%s", what, first, second,
               lacks ? ": multiply it by 1 [" : "", lacks ? strcmp(first, bare) ? first : second : "", lacks ? "]" : "");
}

/* the number that the program from this step on gives; 0, or -1: it depends on a variable, or is not finite */
static int constant_from(const reader *r, int first, double *x)
{
  epi_formula part = *r->f;
  part.op += first;
  part.n -= first;
  for (int i = 0; i < part.n; i++) if (part.op[i].code == OP_PLACE || part.op[i].code == OP_CALL) return -1;
  return epi_formula_value(&part, NULL, x) ? -1 : 0;
}

/* the exponent of a power, whose program begins with this step, where it is a number that is written there */
static int power_of(reader *r, const char *at, int first, dimension *d)
{
  double x;
  if (!bare(&r->stack[r->high - 1])) return wrong(r, at, "an exponent is a bare number, and this one has a unit");
  if (!d->power[0] && !d->power[1] && !d->power[2]) return 0;
  if (constant_from(r, first, &x))
    return d->any ? (d->any = UNKNOWN, 0) : wrong(r, at, "what has a unit is raised to a number that is written there, as in x^2");
  for (int i = 0; i < 3; i++) d->power[i] *= x;
  return 0;
}

/* second: the step with which the program of the second value begins */
static int put_two(reader *r, epi_op_code code, const char *at, const char *sign, int second)
{
  dimension *a = &r->stack[r->high - 2], *b = a + 1, d = *a;
  if (code == OP_POW) { if (power_of(r, at, second, &d)) return -1; }
  else if (code == OP_MUL || code == OP_DIV) d = product_of(a, b, code == OP_MUL ? 1 : -1);
  else {
    if (!alike(a, b)) return mismatch(r, at, sign, a, b);
    d = sum_of(a, b);
    if (code == OP_ATAN2) d = (dimension){.any = 0};
  }
  return put(r, (epi_op){.code = code}, at, 2, d);
}

static int put_one(reader *r, epi_op_code code, const char *at, const char *name)
{
  dimension d = r->stack[r->high - 1];
  char had[60];
  if (code >= OP_SIN && code <= OP_LOG10 && !bare(&d))
    return wrong(r, at, "%s is taken of a bare number or an angle, and this is %s", name, spelled(&d, had, sizeof had));
  if (code == OP_SQRT) for (int i = 0; i < 3; i++) d.power[i] /= 2;
  if (code == OP_SIGN || code == OP_STEP || (code >= OP_SIN && code <= OP_LOG10)) d = (dimension){.any = 0};
  return put(r, (epi_op){.code = code}, at, 1, d);
}

/* ---- names ---- */
static char skip(reader *r) { while (*r->at == ' ' || *r->at == '\t' || *r->at == '\n') r->at++; return *r->at; }
static int letter(char c) { return isalpha((unsigned char)c) || c == '_'; }

static size_t word(const char *at)
{
  size_t n = 0;
  while (isalnum((unsigned char)at[n]) || at[n] == '_') n++;
  return n;
}

static int called(const char *at, size_t n, const char *name) { return strlen(name) == n && !strncmp(at, name, n); }

static int is_unit(const reader *r, const char *name)
{
  epi_dimension d;
  char why[200];
  return r->read && !r->read(name, &d, why, sizeof why);
}

/* the nearest of all that there is */
static int no_name(reader *r, const char *at, size_t n)
{
  const char *list[200];
  char name[WORD];
  int count = 0;
  snprintf(name, sizeof name, "%.*s", (int)(n < WORD ? n : WORD - 1), at);
  for (const epi_formula_name *x = r->names; x && x->name && count < 150; x++) list[count++] = x->name;
  for (int i = 0; i < FUNCTIONS; i++) list[count++] = functions[i].name;
  list[count++] = "pi";
  list[count] = NULL;
  if (is_unit(r, name))
    return wrong(r, at, "there is no '%s', and as a unit of several it stands in brackets: write it as in 5 [N/m]", name);
  /* every letter is near every other */
  const char *near = n > 1 ? epi_nearest(name, list) : NULL;
  if (near) return wrong(r, at, "there is no '%s'; did you mean %s?", name, near);
  char all[160] = "";
  size_t used = 0;
  for (const epi_formula_name *x = r->names; x && x->name && used < sizeof all; x++)
    used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", used ? ", " : "", x->name);
  return used ? wrong(r, at, "there is no '%s' here: there are %s", name, all) : wrong(r, at, "there is no '%s' here", name);
}

static int sum(reader *r);

/* name '(' ... ')', with as many values as it takes; last: the step with which the program of the last one begins */
static int arguments(reader *r, const char *at, size_t n, int args, int *last)
{
  int have = 0;
  if (++r->depth > DEEP) return wrong(r, r->at, "the formula is nested too deep: take some of its brackets apart");
  do {
    r->at++;
    *last = r->f->n;
    if (sum(r)) return -1;
    have++;
  } while (skip(r) == ',');
  if (*r->at != ')') return wrong(r, r->at, "a ')' is missing here");
  r->at++;
  r->depth--;
  if (have == args) return 0;
  return wrong(r, at, "%.*s is of %d number%s, and %d stand in its brackets", (int)n, at, args, args > 1 ? "s" : "", have);
}

static int call_name(reader *r, const epi_formula_name *x, const char *at, size_t n)
{
  epi_formula *f = r->f;
  dimension takes, gives;
  int last;
  if (skip(r) != '(') return wrong(r, at, "%s is a function: write what it is taken of, as in %s(t)", x->name, x->name);
  if (arguments(r, at, n, 1, &last) || dimension_of(r, x->takes, &takes) || dimension_of(r, x->unit, &gives)) return -1;
  gives.written = !gives.any;
  if (!alike(&takes, &r->stack[r->high - 1])) {
    char one[60], two[60];
    return wrong(r, at, "%s is a function of %s, and this is of %s", x->name, spelled(&takes, one, sizeof one),
                 spelled(&r->stack[r->high - 1], two, sizeof two));
  }
  if (f->calls == r->calls_room) {
    int room = 2*r->calls_room + 4;
    epi_called *more = realloc(f->call, (size_t)room*sizeof *more);
    if (!more) return no_memory(r);
    f->call = more;
    r->calls_room = room;
  }
  f->call[f->calls] = (epi_called){x->of, x->data};
  return put(r, (epi_op){.code = OP_CALL, .place = f->calls++}, at, 1, gives);
}

/* what the user names comes before what there is anyway */
static int name(reader *r)
{
  const char *at = r->at;
  size_t n = word(at);
  dimension d;
  int last;
  r->at += n;
  for (const epi_formula_name *x = r->names; x && x->name; x++) {
    if (!called(at, n, x->name)) continue;
    if (x->of) return call_name(r, x, at, n);
    if (skip(r) == '(') return wrong(r, at, "%s is a number and no function: write %s*( ... )", x->name, x->name);
    if (dimension_of(r, x->unit, &d)) return -1;
    d.written = x->constant && !d.any;
    return put(r, x->constant ? (epi_op){.code = OP_NUMBER, .number = *x->constant} : (epi_op){.code = OP_PLACE, .place = x->place}, at, 0,
               d);
  }
  for (int i = 0; i < FUNCTIONS; i++) {
    if (!called(at, n, functions[i].name)) continue;
    if (skip(r) != '(') return wrong(r, at, "%s is a function: write what it is taken of in brackets", functions[i].name);
    if (arguments(r, at, n, functions[i].args, &last)) return -1;
    return functions[i].args == 1 ? put_one(r, functions[i].code, at, functions[i].name) :
           put_two(r, functions[i].code, at, functions[i].name, last);
  }
  if (called(at, n, "pi")) return put(r, (epi_op){.code = OP_NUMBER, .number = EPI_PI}, at, 0, (dimension){.any = 0});
  return no_name(r, at, n);
}

/* ---- numbers ---- */
/* 20 mm, 5 [N/m]; a number without one goes with everything */
static int unit_of(reader *r, const char *number, double *x, dimension *d)
{
  const char *at = r->at + strspn(r->at, " \t");
  char name[WORD], why[200];
  epi_dimension read;
  int several = *at == '[';
  size_t n = several ? strcspn(at + 1, "]") : word(at);
  d->any = FREE;
  if (!several && !letter(*at)) return 0;
  if (several && at[n + 1] != ']') return wrong(r, at, "a ']' is missing after the unit");
  if (n >= sizeof name) return wrong(r, at, "this is too long for a unit");
  snprintf(name, sizeof name, "%.*s", (int)n, at + several);
  if (!r->read) return wrong(r, at, "a sign is missing after %.*s: write it as in 2*x", (int)(r->at - number), number);
  if (r->read(name, &read, why, sizeof why)) {
    for (const epi_formula_name *k = r->names; k && k->name; k++)
      if (!strcmp(k->name, name)) return wrong(r, at, "a sign is missing before %s: write it as in 2*x", name);
    return wrong(r, at, "%s", why);
  }
  *x *= read.factor;
  *d = (dimension){.written = 1};
  memcpy(d->power, read.power, sizeof d->power);
  r->at = at + n + (several ? 2 : 0);
  return 0;
}

static int number(reader *r)
{
  const char *at = r->at, *end;
  dimension d = {.any = FREE};
  double x = epi_decimal(at, &end);
  if (end == at) return wrong(r, at, "'%.1s' is not expected here: a number, a name or a bracket is", at);
  r->at = end;
  if (unit_of(r, at, &x, &d)) return -1;
  if (!isfinite(x)) return wrong(r, at, "the number is too large");
  return put(r, (epi_op){.code = OP_NUMBER, .number = x}, at, 0, d);
}

/* ---- the grammar ---- */
static int value(reader *r)
{
  char c = skip(r);
  if (letter(c)) return name(r);
  if (isdigit((unsigned char)c) || c == '.') return number(r);
  if (!c) return wrong(r, r->at, r->at == r->text ? "the formula is empty" : "the formula ends where a number or a name is expected");
  if (c != '(') return wrong(r, r->at, "'%.1s' is not expected here: a number, a name or a bracket is", r->at);
  if (++r->depth > DEEP) return wrong(r, r->at, "the formula is nested too deep: take some of its brackets apart");
  r->at++;
  if (sum(r)) return -1;
  if (skip(r) != ')') return wrong(r, r->at, "a ')' is missing here");
  r->at++;
  r->depth--;
  return 0;
}

static int sign(reader *r)
{
  char c = skip(r);
  const char *at = r->at;
  if (c == '-' || c == '+') {
    if (++r->depth > DEEP) return wrong(r, at, "these are too many signs");
    r->at++;
    int bad = sign(r);
    r->depth--;
    return bad ? -1 : c == '+' ? 0 : put(r, (epi_op){.code = OP_MINUS}, at, 1, r->stack[r->high - 1]);
  }
  if (value(r)) return -1;
  c = skip(r);
  int power = c == '^' ? 1 : c == '*' && r->at[1] == '*' ? 2 : 0;
  if (!power) return 0;
  at = r->at;
  r->at += power;
  const int first = r->f->n;
  if (++r->depth > DEEP) return wrong(r, at, "these are too many exponents");
  if (sign(r)) return -1;
  r->depth--;
  return put_two(r, OP_POW, at, "^", first);
}

static int term(reader *r)
{
  if (sign(r)) return -1;
  for (char c = skip(r); c == '*' || c == '/'; c = skip(r)) {
    const char *at = r->at++;
    if (sign(r) || put_two(r, c == '*' ? OP_MUL : OP_DIV, at, "", 0)) return -1;
  }
  return 0;
}

static int sum(reader *r)
{
  if (term(r)) return -1;
  for (char c = skip(r); c == '+' || c == '-'; c = skip(r)) {
    const char *at = r->at++;
    if (term(r) || put_two(r, c == '+' ? OP_ADD : OP_SUB, at, c == '+' ? "+" : "-", 0)) return -1;
  }
  return 0;
}

static int whole(reader *r, const char *unit)
{
  dimension wanted;
  char had[60], want[60];
  if (sum(r)) return -1;
  if (skip(r) == '=') return wrong(r, r->at, "an '=' is not expected here: write the right side alone");
  if (*r->at) return wrong(r, r->at, "'%.1s' is not expected here: a sign such as + or * is", r->at);
  if (dimension_of(r, unit, &wanted)) return -1;
  if (!bare(&r->stack[0])) spelled(&r->stack[0], r->f->unit, sizeof r->f->unit);
  if (alike(&wanted, &r->stack[0])) return 0;
  spelled(&r->stack[0], had, sizeof had);
  if (!*unit) return wrong(r, r->text, "the formula gives %s, and a bare number is wanted", had);
  if (bare(&r->stack[0])) return wrong(r, r->text, "the formula gives a bare number, and %s is wanted: multiply it by 1 [%s]", unit, unit);
  return wrong(r, r->text, "the formula gives %s, and %s is wanted, which is %s", had, unit, spelled(&wanted, want, sizeof want));
}

epi_formula *epi_formula_read_why(const char *text, const epi_formula_name *names, epi_read_dimension *read, const char *unit,
                                  epi_fault *why)
{
  epi_formula *f = calloc(1, sizeof *f);
  reader r = {.text = text, .at = text, .names = names, .read = read, .f = f, .why = why};
  if (!f || !(f->text = malloc(strlen(text) + 1))) { epi_formula_free(f); return no_memory(&r), NULL; }
  memcpy(f->text, text, strlen(text) + 1);
  if (!whole(&r, unit)) return f;
  epi_formula_free(f);
  return NULL;
}

epi_formula *epi_formula_read_in(const char *text, const epi_formula_name *names, epi_read_dimension *read, const char *unit, char *why,
                                 size_t size)
{
  epi_fault fault = {.words = ""};
  epi_formula *f = epi_formula_read_why(text, names, read, unit, &fault);
  if (!f) snprintf(why, size, "%s", fault.words);
  return f;
}

epi_formula *epi_formula_read(const char *text, const epi_formula_name *names, char *why, size_t size)
{
  return epi_formula_read_in(text, names, NULL, NULL, why, size);
}

void epi_formula_free(epi_formula *f)
{
  if (!f) return;
  free(f->text);
  free(f->op);
  free(f->call);
  free(f);
}

const char *epi_formula_unit(const epi_formula *f) { return f->unit[0] ? f->unit : NULL; }

size_t epi_formula_size(const epi_formula *f)
{
  return sizeof *f + (size_t)f->n*sizeof *f->op + (size_t)f->calls*sizeof *f->call + strlen(f->text) + 1;
}

epi_formula *epi_formula_copy(const epi_formula *f, void *room)
{
  epi_formula *out = room;
  *out = *f;
  out->op = (epi_op *)(out + 1);
  out->call = (epi_called *)(out->op + f->n);
  out->text = (char *)(out->call + f->calls);
  memcpy(out->op, f->op, (size_t)f->n*sizeof *f->op);
  if (f->calls) memcpy(out->call, f->call, (size_t)f->calls*sizeof *f->call);
  memcpy(out->text, f->text, strlen(f->text) + 1);
  return out;
}
