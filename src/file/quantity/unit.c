/* unit.c - numbers with units: products of units with prefixes, quotients, powers; converted into the unit that is wanted */
#include "epicycle/file.h"
#include "words.h"
#include "core/pi.h"
#include <ctype.h>
#include <math.h>
#include <string.h>


enum { METRE, KILOGRAM, SECOND, RADIAN, BASES };
typedef struct unit {
  double factor, power[BASES];         /* in m, kg, s, rad */
  int turns;                           /* made of something that counts turns: then a missing rad is not a matter of taste */
} unit;

typedef struct named { const char *name; unit unit; int prefixed; } named;
static const named units[] = {
  {"m", {1, {1}, 0}, 1}, {"kg", {1, {0, 1}, 0}, 0}, {"g", {1e-3, {0, 1}, 0}, 1}, {"s", {1, {0, 0, 1}, 0}, 1},
    {"rad", {1, {0, 0, 0, 1}, 0}, 1},
  {"N", {1, {1, 1, -2}, 0}, 1}, {"J", {1, {2, 1, -2}, 0}, 1}, {"W", {1, {2, 1, -3}, 0}, 1}, {"Pa", {1, {-1, 1, -2}, 0}, 1},
    {"bar", {1e5, {-1, 1, -2}, 0}, 1},
  {"deg", {EPI_PI/180, {0, 0, 0, 1}, 0}, 0}, {"\302\260", {EPI_PI/180, {0, 0, 0, 1}, 0}, 0},
  {"rev", {EPI_TURN, {0, 0, 0, 1}, 1}, 0}, {"U", {EPI_TURN, {0, 0, 0, 1}, 1}, 0}, {"rpm", {EPI_PI/30, {0, 0, -1, 1}, 1}, 0},
  {"Hz", {EPI_TURN, {0, 0, -1, 1}, 1}, 1},
  {"min", {60, {0, 0, 1}, 0}, 0}, {"h", {3600, {0, 0, 1}, 0}, 0}, {"d", {86400, {0, 0, 1}, 0}, 0}, {"t", {1000, {0, 1}, 0}, 0},
  {"in", {0.0254, {1}, 0}, 0}, {"ft", {0.3048, {1}, 0}, 0}, {"lb", {0.45359237, {0, 1}, 0}, 0},
  {"lbf", {4.4482216152605, {1, 1, -2}, 0}, 0}, {"psi", {6894.757293168361, {-1, 1, -2}, 0}, 0}, {"%", {0.01, {0}, 0}, 0},
};
enum { UNITS = sizeof units/sizeof *units };

static const struct { const char *name; double factor; } prefixes[] = {
  {"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}, {"c", 1e-2}, {"d", 1e-1}, {"m", 1e-3}, {"u", 1e-6}, {"\302\265", 1e-6},
    {"\316\274", 1e-6},
  {"n", 1e-9}, {"p", 1e-12}, {"f", 1e-15},
};
enum { PREFIXES = sizeof prefixes/sizeof *prefixes };

/* what a near miss may have meant: also the common ones with prefixes */
static const char *const common[] = {
  "kg", "m", "mm", "um", "nm", "cm", "km", "g", "mg", "s", "ms", "us", "ns", "min", "h", "N", "kN", "mN", "MN", "J", "kJ", "W", "kW", "Pa",
    "kPa", "MPa", "GPa", "bar",
  "Hz", "kHz", "MHz", "GHz", "rad", "mrad", "deg", "rev", "rpm", "in", "ft", "lb", "lbf", "psi", "t", NULL
};

/* what a unit is called in words, with one of its kind */
static const struct { const char *words; double power[BASES]; } kinds[] = {
  {"a bare number", {0}}, {"a length", {1}}, {"a mass", {0, 1}}, {"a time", {0, 0, 1}}, {"an angle", {0, 0, 0, 1}}, {"an area", {2}},
    {"a volume", {3}},
  {"a speed", {1, 0, -1}}, {"an acceleration", {1, 0, -2}}, {"a force", {1, 1, -2}}, {"an energy or a torque", {2, 1, -2}},
    {"a power", {2, 1, -3}},
  {"a pressure", {-1, 1, -2}}, {"a stiffness", {0, 1, -2}}, {"a density", {-3, 1}}, {"a moment of inertia", {2, 1}},
    {"a turning speed", {0, 0, -1, 1}},
  {"a rate", {0, 0, -1}}, {"a damping", {0, 1, -1}},
};

static int same(const double *a, const double *b, int n)
{
  for (int i = 0; i < n; i++) if (fabs(a[i] - b[i]) > 1e-9) return 0;
  return 1;
}

static const char *kind_of(const unit *u)
{
  for (size_t i = 0; i < sizeof kinds/sizeof *kinds; i++) if (same(kinds[i].power, u->power, BASES)) return kinds[i].words;
  return "another quantity";
}

/* ---- the text of a unit ---- */
typedef struct reader { const char *at; char *why; size_t size; int depth,
                       glued; } reader;      /* glued: the next one follows without a sign */

static int refuse(reader *r, const char *words, const char *about, const char *more)
{
  snprintf(r->why, r->size, words, about, more);
  return -1;
}

static const named *by_name(const char *name, size_t n)
{
  for (int i = 0; i < UNITS; i++) if (strlen(units[i].name) == n && !memcmp(units[i].name, name, n)) return &units[i];
  return NULL;
}

static int no_unit(reader *r, const char *name, size_t n)
{
  char word[40];
  snprintf(word, sizeof word, "%.*s", (int)(n < 39 ? n : 39), name);
  /* every letter is near every other */
  const char *near = n > 1 ? epi_nearest(word, common) : NULL;
  return near ? refuse(r, "there is no unit '%s'; did you mean %s?", word, near) :
    refuse(r, "there is no unit '%s': those of m, kg, s, N, Pa, rad, rpm are known%s", word, "");
}

/* a unit with or without a prefix; 0 if it is none */
static int plain_unit(const char *from, size_t n, unit *u)
{
  const named *whole = by_name(from, n);
  if (whole) return *u = whole->unit, 1;
  for (int i = 0; i < PREFIXES; i++) {
    size_t m = strlen(prefixes[i].name);
    const named *rest = n > m && !strncmp(from, prefixes[i].name, m) ? by_name(from + m, n - m) : NULL;
    if (!rest || !rest->prefixed) continue;
    *u = rest->unit;
    u->factor *= prefixes[i].factor;
    return 1;
  }
  return 0;
}

/* Nm, kNm, Ns: the length of the first of several units that are written together, which is a force or the like; 0 if they are none */
static size_t first_of(const char *from, size_t n)
{
  unit u;
  for (size_t m = n - 1; m > 0; m--)
    if (plain_unit(from, m, &u) && u.power[KILOGRAM] != 0 && (plain_unit(from + m, n - m, &u) || first_of(from + m, n - m))) return m;
  return 0;
}

static int one_unit(reader *r, unit *u)
{
  const char *from = r->at;
  while (*r->at && !strchr(" \t*/^()[].-+", *r->at) && !isdigit((unsigned char)*r->at) && strncmp(r->at, "\302\267", 2)
         && strncmp(r->at, "\302\262", 2) && strncmp(r->at, "\302\263", 2)) r->at++;
  size_t n = (size_t)(r->at - from);
  if (!n && *from == '1' && from[1 + strspn(from + 1, " ")] == '/') { r->at++; *u = (unit){.factor = 1}; return 0; }
  if (!n) return refuse(r, "'%s' is no unit: write it as in N/m or kg m^2%s", *from ? from : "nothing", "");
  r->glued = 0;
  if (plain_unit(from, n, u)) return 0;
  size_t m = n < 12 ? first_of(from, n) : 0;
  if (!m) return no_unit(r, from, n);
  r->at = from + m;
  r->glued = 1;
  return !plain_unit(from, m, u);
}

static int digits(reader *r, double *x)
{
  char copy[32];
  size_t n = strspn(r->at, "+-.0123456789");
  snprintf(copy, sizeof copy, "%.*s", (int)(n < sizeof copy ? n : 0), r->at);
  if (!n || n >= sizeof copy || !epi_number_read(copy, x) || fabs(*x) > 100)
    return refuse(r, "'%s' is no exponent: write it as in m^2 or m^1.5%s", *r->at ? r->at : "nothing", "");
  r->at += n;
  return 0;
}

/* ^2, ^-1, ^1.5, ^(3/2), **2, and the small two and three */
static int exponent(reader *r, double *x)
{
  *x = 1;
  if (!strncmp(r->at, "\302\262", 2) || !strncmp(r->at, "\302\263", 2)) { *x = r->at[1] == '\262' ? 2 : 3; r->at += 2; return 0; }
  int power = *r->at == '^' ? 1 : !strncmp(r->at, "**", 2) ? 2 : 0;
  if (!power) return 0;
  r->at += power;
  if (*r->at != '(') return digits(r, x);
  double below = 1;
  r->at++;
  if (digits(r, x)) return -1;
  if (*r->at == '/') { r->at++; if (digits(r, &below)) return -1; }
  if (*r->at++ != ')' || below == 0) { r->at--; return refuse(r, "the exponent '%s' does not end: write it as in m^(3/2)%s", r->at, ""); }
  *x /= below;
  return 0;
}

static int product(reader *r, unit *u);

static int factor(reader *r, unit *u)
{
  double x;
  /* in brackets, as formulas have it, or in parentheses */
  if (*r->at == '(' || *r->at == '[') {
    const char *ends = *r->at == '(' ? ")" : "]";
    if (++r->depth > 20) return refuse(r, "the unit is nested too deep%s%s", "", "");
    r->at++;
    if (product(r, u)) return -1;
    if (*r->at++ != *ends) { r->at--; return refuse(r, "a '%s' is missing in the unit%s", ends, ""); }
    r->depth--;
  } else if (one_unit(r, u)) return -1;
  if (exponent(r, &x)) return -1;
  u->factor = pow(u->factor, x);
  for (int i = 0; i < BASES; i++) u->power[i] *= x;
  return 0;
}

static int product(reader *r, unit *u)
{
  *u = (unit){.factor = 1};
  for (double sign = 1;;) {
    unit next;
    r->at += strspn(r->at, " \t");
    if (factor(r, &next)) return -1;
    u->factor *= pow(next.factor, sign);
    for (int i = 0; i < BASES; i++) u->power[i] += sign*next.power[i];
    u->turns |= next.turns;
    r->at += strspn(r->at, " \t");
    if (!*r->at || *r->at == ')' || *r->at == ']') return 0;
    /* 1/Nm is 1/(N m) */
    if (r->glued) continue;
    sign = *r->at == '/' ? -1 : 1;
    if (*r->at == '/' || *r->at == '*') r->at++;
    else if (!strncmp(r->at, "\302\267", 2)) r->at += 2;
  }
}

static int read_unit(const char *text, unit *u, char *why, size_t size)
{
  reader r = {.at = text, .why = why, .size = size};
  *u = (unit){.factor = 1};
  if (!*text) return 0;
  if (product(&r, u)) return -1;
  return *r.at ? refuse(&r, "'%s' is not expected in a unit%s", r.at, "") : 0;
}

/* ---- the number before it: decimals and pi, their products and quotients ---- */
static int number_at(const char *from, const char **end, double *x)
{
  char copy[64];
  size_t n = 0;
  const char *p = from + (*from == '-' || *from == '+');
  if (!strncmp(p, "pi", 2) && !isalnum((unsigned char)p[2])) { *x = *from == '-' ? -EPI_PI : EPI_PI; *end = p + 2; return 0; }
  n += (size_t)(p - from);
  size_t whole = strspn(from + n, "0123456789");
  n += whole;
  size_t parts = from[n] == '.' ? strspn(from + n + 1, "0123456789") : 0;
  if (from[n] == '.') n += 1 + parts;
  if (!whole && !parts) return -1;
  if (from[n] == 'e' || from[n] == 'E') {
    size_t sign = from[n+1] == '-' || from[n+1] == '+', more = strspn(from + n + 1 + sign, "0123456789");
    if (more) n += 1 + sign + more;
  }
  if (n >= sizeof copy) return -1;
  memcpy(copy, from, n);
  copy[n] = 0;
  *end = from + n;
  return epi_number_read(copy, x) ? 0 : -2;
}

static int value_at(const char *from, const char **end, double *x)
{
  int bad = number_at(from, end, x);
  while (!bad) {
    const char *p = *end + strspn(*end, " "), op = *p, *next;
    double y;
    if (op != '*' && op != '/') break;
    p += 1 + strspn(p + 1, " ");
    if (!isdigit((unsigned char)*p) && *p != '.' && strncmp(p, "pi", 2)) break;
    if ((bad = number_at(p, &next, &y))) break;
    *x = op == '*' ? *x*y : *x/y;
    *end = next;
  }
  return bad;
}

/* words that other readers of YAML take for numbers, and habits that are none */
static int no_number(const char *word, const char *wanted, char *why, size_t size)
{
  const char *in = *wanted ? ", in " : "";
  if (strchr(word, ',')) snprintf(why, size, "'%.40s' is no number: write the point as in 1.5, without commas", word);
  else if (strchr(word, ':')) snprintf(why, size, "'%.40s' is no number: write a time in seconds", word);
  else if (!*word) snprintf(why, size, "a number is missing: write it as 0.05 or 1e-3%s%s", in, wanted);
  else snprintf(why, size, "'%.40s' is no number: write it as 0.05 or 1e-3%s%s", word, in, wanted);
  return -1;
}

/* what is given, times or divided by a power of one base unit, is what is wanted: 18 kN, where N/m is wanted, may be 18 kN/m. 1: that is
   in out */
static int completed(const char *given, const unit *u, const unit *w, char *out, size_t size)
{
  static const char *const base[] = {"m", "kg", "s"};
  char power[16] = "";
  int which = -1, n = 0;
  for (int i = 0; i < RADIAN; i++) if (fabs(w->power[i] - u->power[i]) > 1e-9) which = i, n++;
  double more = n == 1 ? w->power[which] - u->power[which] : 0;
  /* a length is no part of an area */
  int alone = n == 1 && u->power[which] != 0;
  for (int i = 0; i < RADIAN && alone; i++) alone = i == which || u->power[i] == 0;
  if (n != 1 || alone || fabs(more) > 3 || more != rint(more) || u->turns || w->turns || strlen(given) > 20) return 0;
  if (fabs(more) != 1) snprintf(power, sizeof power, "^%g", fabs(more));
  return snprintf(out, size, more > 0 ? "%s %s%s" : "%s/%s%s", given, base[which], power), 1;
}

static int other_kind(const char *word, double x, const char *given, const unit *u, const char *wanted, const unit *w, char *why,
                      size_t size)
{
  if (!*wanted) snprintf(why, size, "'%.40s' has a unit, and a bare number is wanted: write %s", word, epi_shortest(x).text);
  else if ((u->turns || w->turns) && same(u->power, w->power, RADIAN))
    snprintf(why, size, "'%.40s' leaves open whether turns or radians are counted: give it in %s, or in rad/s", word, wanted);
  else {
    char whole[60];
    if (completed(given, u, w, whole, sizeof whole))
      snprintf(why, size, "%.30s is %s, and %s is wanted: write it in %s, as in '%s %s'", given, kind_of(u), kind_of(w), wanted,
               epi_shortest(x).text, whole);
    else snprintf(why, size, "%.30s is %s, and %s is wanted: write it in %s", given, kind_of(u), kind_of(w), wanted);
  }
  return -1;
}

/* by a whole number where the ratio is one: 18 mm are 0.018 m to the last digit */
static double in_unit(double y, double from, double to)
{
  double up = from/to, down = to/from, whole = rint(down > 1 ? down : up);
  if (from == to) return y;
  if (down > 1 && fabs(down - whole) < 1e-12*whole) return y/whole;
  if (up > 1 && fabs(up - whole) < 1e-12*whole) return y*whole;
  return y*from/to;
}

int epi_unit_read(const char *word, const char *wanted, double *x, char *why, size_t size)
{
  const char *end, *goal = wanted ? wanted : "";
  double y;
  unit u, w;
  int bad = value_at(word, &end, &y);
  if (bad == -2 || (!bad && !isfinite(y))) return snprintf(why, size, "'%.40s' is too large for a number: give a finite one", word), -1;
  if (bad || (*end && *end != ' ' && *end != '%' && (isdigit((unsigned char)*end) || strchr(".,:_+-xX", *end))))
    return no_number(word, goal, why, size);
  while (*end == ' ') end++;
  /* bare: in the unit that is wanted */
  if (!*end) return *x = y, 0;
  if (read_unit(goal, &w, why, size) || read_unit(end, &u, why, size)) return -1;
  /* a radian may be left out, a turn may not */
  int radians = same(u.power + RADIAN, w.power + RADIAN, 1);
  if (!same(u.power, w.power, RADIAN) || (!radians && (u.turns || w.turns))) return other_kind(word, y, end, &u, goal, &w, why, size);
  *x = in_unit(y, u.factor, w.factor);
  if (!isfinite(*x)) return snprintf(why, size, "'%.40s' is too large for a number: give a finite one", word), -1;
  return 0;
}

int epi_unit_dimension(const char *text, epi_dimension *out, char *why, size_t size)
{
  unit u;
  if (read_unit(text, &u, why, size)) return -1;
  if (u.turns) return snprintf(why, size, "'%.40s' counts turns, and a formula has radians: write 2*pi times it in 1/s", text), -1;
  out->factor = u.factor;
  memcpy(out->power, u.power, sizeof out->power);
  return 0;
}

int epi_unit_split(const char *word, double *x, const char **rest)
{
  const char *end;
  if (value_at(word, &end, x) || !isfinite(*x)) return -1;
  *rest = end + strspn(end, " ");
  return 0;
}
