/* course.c - numbers as functions of time: oscillations, straight lines or splines through points, formulas */
#define _XOPEN_SOURCE 700
#include "file/model-file.h"
#include "epicycle/term.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* what a world hands on of what a drive returned */
enum { LARGEST_CODE = 1023 };

const field epi_course_keys[] = {COURSE_KEYS(0), {0}};
const epi_formula_name epi_course_variables[] = {
  {.name = "t", .place = AT_T, .unit = "s"}, {.name = "theta", .place = AT_THETA, .unit = ""}, {0}
};
static const char *const by_words[] = {"linear", "cubic", NULL};

/* the piece that x is in, or begins: points i and i + 1; by halves, for tables may be long */
static int piece(const course *c, double x)
{
  int low = 0, high = c->n - 1;
  while (high - low > 1) {
    int mid = (low + high)/2;
    if (c->t[mid] <= x) low = mid;
    else high = mid;
  }
  return low;
}

int epi_course_of(const void *data, double x, double out[3])
{
  const course *c = data;
  int last = c->n - 1, i = piece(c, x);
  out[1] = out[2] = 0;
  /* it begins with its first point, and is over with its last */
  if (!(x >= c->t[0]) || !(x < c->t[last])) return out[0] = x > c->t[0] ? c->x[last] : c->x[0], 0;
  double h = c->t[i+1] - c->t[i], a = (x - c->t[i])/h, b = 1 - a;
  out[0] = b*c->x[i] + a*c->x[i+1];
  out[1] = (c->x[i+1] - c->x[i])/h;
  if (!c->bend) return 0;
  const double *m = c->bend + i;
  out[0] += h*h/6*((b*b*b - b)*m[0] + (a*a*a - a)*m[1]);
  out[1] += h/6*((1 - 3*b*b)*m[0] + (3*a*a - 1)*m[1]);
  out[2] = b*m[0] + a*m[1];
  return 0;
}

int epi_course_drive(const void *data, const epi_instant *now, double out[3])
{
  const course *c = data;
  if (c->formula)
    return epi_formula_motion(c->formula, (const double[2]){now->t, now->theta}, (const double[2]){1, now->phase_rate}, NULL, out);
  if (c->n) return epi_course_of(c, now->t, out);
  double w = c->times ? c->times*now->phase_rate : EPI_TURN*c->frequency, angle = (c->times ? c->times*now->theta : w*now->t) + c->phase;
  out[0] = c->offset + c->amplitude*sin(angle);
  out[1] = c->amplitude*w*cos(angle);
  out[2] = -w*w*(out[0] - c->offset);
  return 0;
}

void epi_formula_explain(const epi_formula *f, int column, char *out, size_t size)
{
  snprintf(out, size, "'%.60s' %s in column %d", epi_formula_text(f), epi_formula_trouble(f, column), column);
}

void epi_course_explain(const void *data, int code, char *out, size_t size)
{
  const course *c = data;
  /* the largest code is that of an integral: a formula has no such column */
  if (c->formula && c->panels && code >= LARGEST_CODE)
    snprintf(out, size, "changes so often that its integral is known to t = %.4g s alone: give the angle or the position", c->t[c->panels]);
  else if (c->formula) epi_formula_explain(c->formula, code, out, size);
}

double epi_course_at(const course *c, double t, double *rate)
{
  *rate = 0;
  if (!c->n) {
    double w = EPI_TURN*c->frequency, x = w*t + c->phase;
    *rate = c->amplitude*w*cos(x);
    return c->offset + c->amplitude*sin(x);
  }
  if (c->bend) {
    double out[3];
    epi_course_of(c, t, out);
    *rate = out[1];
    return out[0];
  }
  int i = piece(c, t), last = c->n - 1;
  if (t < c->t[0]) return c->x[0];
  if (t >= c->t[last]) return c->x[last];
  *rate = (c->x[i+1] - c->x[i])/(c->t[i+1] - c->t[i]);
  return c->x[i] + *rate*(t - c->t[i]);
}

double epi_course_sum(const course *c, double t)
{
  double rate, x = epi_course_at(c, t, &rate);
  if (!c->n) {
    double w = EPI_TURN*c->frequency;
    return c->offset*t + (w > 0 ? c->amplitude/w*(cos(c->phase) - cos(w*t + c->phase)) : 0);
  }
  if (t <= c->t[0]) return (t - c->t[0])*x;
  int last = c->n - 1, i = t > c->t[last] ? last : piece(c, t);
  if (!c->bend || i == last) return c->sum[i] + 0.5*(t - c->t[i])*(c->x[i] + x);
  double h = c->t[i+1] - c->t[i], a = (t - c->t[i])/h, b = 1 - a;
  return c->sum[i] + h*((a - a*a/2)*c->x[i] + a*a/2*c->x[i+1]) +
    h*h*h/6*((b*b/2 - b*b*b*b/4 - 0.25)*c->bend[i] + (a*a*a*a/4 - a*a/2)*c->bend[i+1]);
}

/* ---- points ---- */
static int room_for(source *s, int n, course *c)
{
  double *room = epi_pool_room(&s->d->pool, 4*(size_t)n + 1, sizeof *room);
  if (!room) return REFUSED;
  c->t = room;
  c->x = room + n;
  c->sum = room + 2*n;
  c->n = n;
  return 0;
}

static int in_order(source *s, const item *at, const char *name, const char *what, course *c, int i)
{
  if (i && !(c->t[i] > c->t[i-1]))
    return epi_document_wrong(s->d, at, "%s: the %s %g is not after %g: write the points in order", name, what, c->t[i], c->t[i-1]);
  if (i) c->sum[i] = c->sum[i-1] + 0.5*(c->t[i] - c->t[i-1])*(c->x[i] + c->x[i-1]);
  return 0;
}

/* what one of this unit is in those that are computed with */
static double worth_of(const char *unit)
{
  epi_dimension d;
  char why[200];
  return unit[0] && !epi_unit_dimension(unit, &d, why, sizeof why) ? d.factor : 1;
}

static int number_in(source *s, const item *it, const char *name, const char *unit, double *x)
{
  if (epi_field_number(s, it, name, unit, x)) return REFUSED;
  *x *= worth_of(unit);
  return 0;
}

static int read_table(source *s, const item *it, const char *name, const char *of, const char *unit, course *c)
{
  const char *what = !strcmp(of, "s") ? "time" : "number";
  if (it->kind != ITEM_LIST || it->n < 2)
    return epi_document_wrong(s->d, it, "%s: table is %s: write two points at least, as in [[0, 0], [0.1, 1]]", name, epi_item_what(it));
  if (room_for(s, it->n, c)) return REFUSED;
  for (int i = 0; i < it->n; i++) {
    const item *p = it->part[i];
    if (p->kind != ITEM_LIST || p->n != 2)
      return epi_document_wrong(s->d, p, "%s: a point of the table is %s: write [%s, value]", name, epi_item_what(p), what);
    if (number_in(s, p->part[0], what, of, &c->t[i]) || number_in(s, p->part[1], name, unit, &c->x[i])) return REFUSED;
    if (in_order(s, p, name, what, c, i)) return REFUSED;
  }
  return 0;
}

/* ---- a file of points: two numbers a line, apart by a comma, a semicolon or blanks; lines that begin with no number are skipped before
   the first point, and so are comments after # ---- */
enum { LARGEST = 64000000, POINTS = 1000000 };

/* with a closing zero, in the pool; a text ends with its first zero, and what is behind another one would be lost */
static char *text_of_file(source *s, const item *it, const char **path)
{
  const char *slash = strrchr(s->d->path, '/');
  long long size;
  *path = epi_pool_text(&s->d->pool, "%.*s%s", it->text[0] == '/' || !slash ? 0 : (int)(slash - s->d->path) + 1, s->d->path, it->text);
  if (epi_file_plain(*path, &size))
    return epi_document_wrong(s->d, it, "there is no file %.200s: a path is seen from the folder of this file", *path), NULL;
  if (size > LARGEST) return epi_document_wrong(s->d, it, "%.200s is too large: the most is %d MB", *path, LARGEST/1000000), NULL;
  FILE *f = fopen(*path, "rb");
  char *text = f ? epi_pool_room(&s->d->pool, (size_t)size + 1, 1) : NULL;
  if (text && fread(text, 1, (size_t)size, f) != (size_t)size) text = NULL;
  if (f) fclose(f);
  epi_document_also(s->d, *path);
  if (!text && !s->d->pool.out) epi_document_wrong(s->d, it, "%.200s cannot be read", *path);
  if (text && memchr(text, 0, (size_t)size))
    return epi_document_wrong(s->d, it, "%.200s holds a zero byte: write the table as plain text, in UTF-8", *path), NULL;
  return text;
}

/* two numbers from a line of any length, which loses its comment and is cut into words: 1; none: 0; something else: -1 */
static int point(char *line, double *x)
{
  line[strcspn(line, "#")] = 0;
  if (!line[strspn(line, " \t\r,;")]) return 0;
  char *save = NULL, *one = strtok_r(line, " \t\r,;", &save), *two = strtok_r(NULL, " \t\r,;", &save);
  return one && two && !strtok_r(NULL, " \t\r,;", &save) && epi_number_read(one, &x[0]) && epi_number_read(two, &x[1]) ? 1 : -1;
}

static int read_points(source *s, const item *it, const char *name, const char *of, const char *unit, course *c)
{
  const char *path;
  if (it->kind != ITEM_TEXT || !it->text[0]) return epi_document_wrong(s->d, it, "%s: file is no path: write that of a table in CSV", name);
  char *text = text_of_file(s, it, &path);
  int room = 0, line = 0;
  const double worth[] = {worth_of(of), worth_of(unit)};
  double x[2];
  if (!text) return REFUSED;
  for (const char *p = text; *p; p += *p == '\n') { p += strcspn(p, "\n"); room++; }
  if (room > POINTS) return epi_document_wrong(s->d, it, "%.200s has %d lines: the most is %d", path, room, POINTS);
  if (room_for(s, room + 1, c)) return REFUSED;
  c->n = 0;
  for (char *p = text, *next; p; p = next) {
    next = strchr(p, '\n');
    if (next) *next++ = 0;
    int have = point(p, x);
    line++;
    if (have < 0 && c->n) return epi_document_wrong(s->d, it, "%s: line %d of %.200s is not two numbers: give both", name, line, path);
    if (have <= 0) continue;
    c->t[c->n] = worth[0]*x[0];
    c->x[c->n] = worth[1]*x[1];
    if (in_order(s, it, name, "number", c, c->n++)) return REFUSED;
  }
  return c->n < 2 ? epi_document_wrong(s->d, it, "%s: %.200s has %d points: give two at least, two numbers a line", name, path, c->n) : 0;
}

/* second derivatives of the natural spline: zero at both ends */
static int spline(source *s, course *c)
{
  int n = c->n;
  double *m = epi_pool_room(&s->d->pool, (size_t)n, sizeof *m), *u = epi_pool_room(&s->d->pool, (size_t)n, sizeof *u);
  if (!m || !u) return REFUSED;
  for (int i = 1; i + 1 < n; i++) {
    double h = c->t[i] - c->t[i-1], k = c->t[i+1] - c->t[i], p = h/(h + k)*m[i-1] + 2;
    m[i] = (h/(h + k) - 1)/p;
    u[i] = (6*((c->x[i+1] - c->x[i])/k - (c->x[i] - c->x[i-1])/h)/(h + k) - h/(h + k)*u[i-1])/p;
  }
  m[n-1] = 0;
  for (int i = n - 2; i >= 0; i--) m[i] = i ? m[i]*m[i+1] + u[i] : 0;
  c->bend = m;
  for (int i = 1; i < n; i++) {
    double h = c->t[i] - c->t[i-1];
    c->sum[i] = c->sum[i-1] + 0.5*h*(c->x[i] + c->x[i-1]) - h*h*h/24*(m[i] + m[i-1]);
  }
  return 0;
}

int epi_course_points(source *s, const item *table, const item *file, const char *name, const char *of, const char *unit, course *c)
{
  return table ? read_table(s, table, name, of, unit, c) : read_points(s, file, name, of, unit, c);
}

int epi_course_join(source *s, const item *by, const char *name, course *c)
{
  int cubic = by ? epi_field_word(s, by, name, by_words) : 0;
  return cubic < 0 || (cubic && spline(s, c)) ? REFUSED : 0;
}

/* ---- the whole ---- */
static int read_swing(source *s, const item *it, const char *name, const char *unit, course *c)
{
  const item *amplitude = epi_item_of(it, "amplitude"), *frequency = epi_item_of(it, "frequency"), *phase = epi_item_of(it, "phase"),
    *offset = epi_item_of(it, "offset");
  if (!amplitude || !frequency)
    return epi_field_missing(s->d, it, name, amplitude ? "frequency" : "amplitude", "amplitude and frequency, or a table of points");
  int bad = epi_field_number(s, amplitude, "amplitude", unit, &c->amplitude);
  bad |= epi_field_number(s, frequency, "frequency", "Hz", &c->frequency);
  if (phase) bad |= epi_field_number(s, phase, "phase", "rad", &c->phase);
  if (offset) bad |= epi_field_number(s, offset, "offset", unit, &c->offset);
  if (!bad && !(c->frequency > 0))
    bad = epi_document_wrong(s->d, frequency, "frequency = %g must be positive: write a number above zero in Hz", c->frequency);
  return bad;
}

/* NULL after the sentence */
course *epi_course_read(source *s, const item *it, const char *name, const char *unit)
{
  course *c = epi_pool_room(&s->d->pool, 1, sizeof *c);
  const item *table = epi_item_of(it, "table"), *file = epi_item_of(it, "file"), *formula = epi_item_of(it, "formula"),
    *by = epi_item_of(it, "by"), *points = table ? table : file;
  int bad = 0, swing = epi_item_of(it, "amplitude") || epi_item_of(it, "frequency") || epi_item_of(it, "phase") ||
    epi_item_of(it, "offset");
  if (!c) return NULL;
  c->at = it;
  if (it->kind != ITEM_MAP)
    bad = epi_document_wrong(s->d, it, "%s is %s: write {table: [[0, 0], [0.1, 1]]}, or amplitude and frequency", name, epi_item_what(it));
  else if (table && swing) bad = epi_document_wrong(s->d, table, "%s has a table and an oscillation: take one of them away", name);
  else if ((table != NULL) + (file != NULL) + (formula != NULL) + swing > 1)
    bad = epi_document_wrong(s->d, it, "%s is given in two ways: take one of table, file, formula and the oscillation", name);
  else if (by && !points) bad = epi_document_wrong(s->d, by, "%s: by says how points are joined, and there are none: take it away", name);
  else if (points) {
    bad = epi_course_points(s, table, file, name, "s", unit, c) || epi_course_join(s, by, "by", c);
    c->before = s->in_time;
    s->in_time = c;
  } else if (formula) bad = !(c->formula = epi_file_formula(s, formula, name, unit, epi_course_variables));
  else bad = read_swing(s, it, name, unit, c);
  return bad ? NULL : c;
}

course *epi_course_any(source *s, const item *it, const char *name, const char *unit)
{
  char why[300];
  double fixed;
  if (it->kind != ITEM_TEXT) return epi_course_read(s, it, name, unit);
  course *c = epi_pool_room(&s->d->pool, 1, sizeof *c);
  if (!c) return NULL;
  c->at = it;
  if (!epi_unit_read(it->text, unit, &fixed, why, sizeof why) || !epi_value_read(s->d, it->text, unit, &fixed, why, sizeof why))
    c->offset = fixed;
  else if (it->text[0] && strchr("0123456789.", it->text[0]) && !strpbrk(it->text, "*+-(/"))
    return epi_document_wrong(s->d, it, "%s: %s", name, why), NULL;
  else if (!(c->formula = epi_file_formula(s, it, name, unit, epi_course_variables))) return NULL;
  return c;
}

/* ---- integrals of formulas: panels of Gauss's rule from the start on, as fine as the formula asks for. Where they end, so does what is
   known ---- */
enum { PANELS = 50000, BEYOND = 1 << 20 };

static int gauss(const course *c, double phase_rate, double theta0, double from, double to, double *sum)
{
  static const double x[] = {0.1488743389816312, 0.4333953941292472, 0.6794095682990244, 0.8650633666889845, 0.9739065285171717};
  static const double weight[] = {0.2955242247147529, 0.2692667193099963, 0.2190863625159820, 0.1494513491505806, 0.0666713443086881};
  double mid = (from + to)/2, half = (to - from)/2;
  *sum = 0;
  for (int i = 0; i < 10; i++) {
    double t = mid + (i & 1 ? half : -half)*x[i/2], y;
    int bad = epi_formula_value(c->formula, (const double[]){t, theta0 + phase_rate*t}, &y);
    if (bad) return bad;
    *sum += half*weight[i/2]*y;
  }
  return 0;
}

int epi_course_integrate(source *s, course *c, double phase_rate, double theta0)
{
  int room = 0;
  double *t = NULL, *sum = NULL, h = 1e-3, all = 0, left = 0, right = 0, way = 0;
  if (!c->formula) return 0;
  c->phase = theta0;
  for (int n = 0; n < PANELS; n++) {
    double *more = NULL;
    if (n + 1 >= room) {
      int wide = 2*room + 64;
      if (!(more = epi_pool_room(&s->d->pool, 2*(size_t)wide, sizeof *more))) return REFUSED;
      if (n) { memcpy(more, t, ((size_t)n + 1)*sizeof *t); memcpy(more + wide, sum, ((size_t)n + 1)*sizeof *sum); }
      t = more;
      sum = more + wide;
      room = wide;
    }
    /* halved until two halves say what the whole says; what has no value stays as wide as it is, and says so where it is asked */
    for (int tries = 0; tries < 60; tries++, h /= 2) {
      int bad = gauss(c, phase_rate, theta0, t[n], t[n] + h, &all) || gauss(c, phase_rate, theta0, t[n], t[n] + h/2, &left) ||
        gauss(c, phase_rate, theta0, t[n] + h/2, t[n] + h, &right);
      if (bad || fabs(left + right - all) <= 1e-14*(fabs(left) + fabs(right)) + 1e-15*way) break;
      if (h < 1e-9) break;
    }
    t[n+1] = t[n] + h;
    sum[n+1] = sum[n] + left + right;
    c->panels = n + 1;
    way += fabs(left) + fabs(right);
    if (t[n+1] > 1e7) break;
    h *= 2;
  }
  c->t = t;
  c->sum = sum;
  return 0;
}

static int formula_integral(const course *c, const epi_instant *now, double out[3])
{
  double value[3], part, t = now->t, from, theta0 = c->phase;
  int bad = epi_formula_motion(c->formula, (const double[2]){t, now->theta}, (const double[2]){1, now->phase_rate}, NULL, value);
  if (bad) return bad;
  if (t > c->t[c->panels]) return BEYOND;
  int low = 0, high = c->panels;
  while (high - low > 1) {
    int mid = (low + high)/2;
    if (c->t[mid] <= t) low = mid;
    else high = mid;
  }
  out[0] = c->sum[low];
  from = c->t[low];
  if ((bad = gauss(c, now->phase_rate, theta0, from, t, &part))) return bad;
  out[0] += part;
  out[1] = value[0];
  out[2] = value[1];
  return 0;
}

/* in a corner a speed grows as it will, not as it did: a ramp from rest asks for its torque from the first row on */
static double slope_after(const course *c, double t)
{
  int i = piece(c, t);
  if (!(t >= c->t[0]) || !(t < c->t[c->n - 1])) return 0;
  if (t == c->t[i+1]) i++;
  return (c->x[i+1] - c->x[i])/(c->t[i+1] - c->t[i]);
}

int epi_course_integral(const void *data, const epi_instant *now, double out[3])
{
  const course *c = data;
  if (c->formula) return formula_integral(c, now, out);
  out[1] = epi_course_at(c, now->t, &out[2]);
  if (c->n && !c->bend) out[2] = slope_after(c, now->t);
  out[0] = epi_course_sum(c, now->t) - epi_course_sum(c, 0);
  return 0;
}
