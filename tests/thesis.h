/* thesis.h - the figures of Modin's thesis (2009) as data: a file of rows, a recipe for what a row names, one rule for each class of
 * rows */
#ifndef THESIS_H
#define THESIS_H
#include "epicycle.h"
#include "test.h"
#include <stddef.h>

/* the larger one; not-a-number stays */
static inline double larger(double a, double b) { return b > a || b != b ? b : a; }

static inline void step(epi_flow *f, epi_state *s, double h)
{
  if (epi_advance(f, s, h, 1)) test_stop(epi_error(f));
}

/* ---- what a run leaves behind: a struct of doubles, each with its name in the data ---- */
struct field { const char *name; size_t at; };

static inline int pick(const struct field *f, const char *name, const void *track, double *got)
{
  while (f->name && strcmp(f->name, name)) f++;
  if (!f->name) return 0;
  memcpy(got, (const char *)track + f->at, sizeof *got);
  return 1;
}

/* runs that several rows ask for are made once */
enum { KEPT = 128, KEY = 96 };
struct kept { char key[KEPT][KEY]; void *track[KEPT]; int n; };

/* the track of this key, or room for it: *made says whether it is there already */
static inline void *kept_of(struct kept *k, const char *key, size_t size, int *made)
{
  int i = 0;
  while (i < k->n && strcmp(k->key[i], key)) i++;
  *made = i < k->n;
  if (*made) return k->track[i];
  if (i == KEPT || strlen(key) >= KEY) test_stop("there are more runs than the test keeps");
  snprintf(k->key[i], KEY, "%s", key);
  k->track[i] = calloc(1, size);
  if (!k->track[i]) test_stop("out of memory");
  k->n++;
  return k->track[i];
}

static inline void kept_free(struct kept *k)
{
  while (k->n) free(k->track[--k->n]);
}

/* ---- tangent maps ---- */
typedef void map(void *data, const double *x, double *out);
enum { WIDE = 16 };

/* J of a map of n variables, by rows, from central differences of fourth order over d */
static inline void tangent(map *m, void *data, int n, const double *x, double d, double *J)
{
  static const double weight[] = {1, -8, 8, -1};
  double at[WIDE], out[WIDE];
  memset(J, 0, (size_t)(n*n)*sizeof *J);
  for (int j = 0; j < n; j++)
    for (int k = 0; k < 4; k++) {
      memcpy(at, x, (size_t)n*sizeof *x);
      at[j] += d*(k < 2 ? k - 2 : k - 1);
      m(data, at, out);
      for (int i = 0; i < n; i++) J[i*n + j] += weight[k]*out[i]/(12*d);
    }
}

/* the largest entry of J' Om J - Om, for n positions and n momenta */
static inline double symplectic_defect(int n, const double *J)
{
  double worst = 0;
  int N = 2*n;
  for (int a = 0; a < N; a++)
    for (int b = 0; b < a; b++) {
      double area = 0;
      for (int i = 0; i < n; i++) area += J[(n + i)*N + a]*J[i*N + b];
      for (int i = 0; i < n; i++) area -= J[i*N + a]*J[(n + i)*N + b];
      worst = larger(worst, fabs(area - (a == b + n)));
    }
  return worst;
}

struct one_step { epi_flow *f; double eps; int n; };

/* every step from a state of its own: what the flow does not get as an option it finds anew */
static inline void step_from(void *data, const double *x, double *out)
{
  const struct one_step *o = data;
  epi_state s = {.y = out};
  memcpy(out, x, (size_t)o->n*sizeof *x);
  step(o->f, &s, o->eps);
}

/* the largest defect of the tangent maps of n steps along a run from y */
static inline double defect_along(epi_system *m, const char *along, const char *tested, double *y, double eps, int n)
{
  epi_flow *f = epi_make(along, m);
  epi_state s = {.y = y};
  struct one_step o = {.f = epi_make(tested, m), .eps = eps, .n = epi_size(m)};
  double J[WIDE*WIDE], worst = 0;
  for (int k = 0; k < n; k++) {
    tangent(step_from, &o, o.n, y, 1e-5, J);
    worst = larger(worst, symplectic_defect(o.n/2, J));
    step(f, &s, eps);
  }
  epi_free(f);
  epi_free(o.f);
  return worst;
}

/* ---- the data ---- */
/* a number: double precision agrees so far; or a word, and often a number after it */
enum class { DIGITS, ZERO, FLOOR, QUAD, DOUBLE, LONG, LOOSE, CVODE, CLASSES };
static const char *const class_words[CLASSES] = {"digits", "zero", "floor", "quad", "double", "long", "loose", "cvode"};

struct row { char quantity[64], setting[80]; double want, agrees; enum class class; };

/* a figure as computed here: atol is what the recipe itself leaves, beyond the rule of its row; by: how it is compared, where that is not
   the rule; why: where it is set aside, the reason */
enum by_what { BY_RULE, IN_SIZE, NO_BETTER };
struct figure { double got, atol; enum by_what by; const char *why; };
enum { UNKNOWN, KNOWN, ASIDE };
typedef int recipe(const struct row *, void *memory, struct figure *);

static inline const char *take_field(const char *p, char *out, size_t size)
{
  int quoted = *p == '"';
  size_t n = 0;
  for (p += quoted; *p && *p != '\n' && (quoted ? *p != '"' : *p != ','); p++)
    if (n + 1 < size) out[n++] = *p;
  out[n] = 0;
  p += quoted && *p == '"';
  return p + (*p == ',');
}

static inline struct row row_of(const char *line)
{
  struct row r = {.class = DIGITS};
  char value[48], agrees[32];
  const char *p = take_field(line, r.quantity, sizeof r.quantity);
  p = take_field(p, r.setting, sizeof r.setting);
  p = take_field(p, value, sizeof value);
  take_field(p, agrees, sizeof agrees);
  r.want = atof(value);
  r.agrees = atof(agrees);
  for (int k = 0; k < CLASSES; k++) {
    size_t n = strlen(class_words[k]);
    if (strncmp(agrees, class_words[k], n)) continue;
    r.class = (enum class)k;
    r.agrees = atof(agrees + n);
  }
  return r;
}

/* within a factor of ten, or as near as two precisions are to one another */
static inline int same_size(double got, const struct row *r)
{
  double ratio = fabs(got/r->want);
  return r->class == LOOSE && fabs(got - r->want) <= 10*r->agrees*fabs(r->want) ? check(1) : check_between(ratio, 0.1, 10);
}

/* least: the relative distance that is always allowed; slack: how many times that of another double precision code, whose
   rounding falls otherwise; doubles: the relative distance of two double precision codes where no other is known;
   zero: what rounding may leave of nothing */
struct rule { double least, slack, doubles, zero; };

/* used: how much of the tolerance */
static inline int judge(const struct row *r, const struct figure *f, struct rule rule, double *used)
{
  double rtol = fmax(rule.slack*r->agrees, rule.least), atol = f->atol;
  *used = 0;
  if (f->by == IN_SIZE) return same_size(f->got, r);
  /* of a broken method, whose rounding grows without bound */
  if (f->by == NO_BETTER) return check_above(fabs(f->got), 0.1*fabs(r->want));
  switch (r->class) {
  case LOOSE: case CVODE: return same_size(f->got, r);
  case LONG: rtol = 1e-3; break;
  case DOUBLE: rtol = rule.doubles; break;
  case QUAD: atol += 5e-13; break;
  /* the rounding of some thousand steps, 1e-14, and other orders of summation */
  case FLOOR: atol += 1e-13; break;
  case ZERO:
    /* what is not small is of a method that is broken */
    if (r->agrees > 1e-3) return same_size(f->got, r);
    atol += fmax(20*r->agrees, rule.zero);
    *used = fabs(f->got)/atol;
    return check_abs(f->got, 0, atol);
  default: break;
  }
  *used = fabs(f->got - r->want)/(rtol*fabs(r->want) + atol);
  return check_near(f->got, r->want, rtol, atol);
}

static inline void say_counts(const char *file, long rows, const long *checked, const double *worst, long aside)
{
  printf("%s: %ld rows", file, rows);
  for (int k = 0; k < CLASSES; k++)
    if (checked[k] && worst[k] > 0) printf(", %ld %s (at most %.2g of the tolerance)", checked[k], class_words[k], worst[k]);
    else if (checked[k]) printf(", %ld %s", checked[k], class_words[k]);
  if (aside) printf(", %ld set aside", aside);
  printf("\n");
}

/* every row is checked by the rule of its class or set aside with a reason; how many rows there were */
static inline long compare(const char *file, recipe *figure, void *memory, struct rule rule)
{
  char path[1024], line[512];
  long rows = 0, checked[CLASSES] = {0}, aside = 0, unknown = 0;
  double worst[CLASSES] = {0}, used;
  snprintf(path, sizeof path, "%s/tests/data/%s", TEST_SOURCE, file);
  FILE *in = fopen(path, "r");
  if (!in) test_stop("the data is not there");
  while (fgets(line, sizeof line, in)) {
    if (line[0] == '#' || !strncmp(line, "quantity,", 9)) continue;
    struct row r = row_of(line);
    struct figure f = {.got = NAN};
    rows++;
    switch (figure(&r, memory, &f)) {
    case KNOWN:
      checked[r.class]++;
      if (!judge(&r, &f, rule, &used)) printf("  in %s: %s, %s (%s)\n", file, r.quantity, r.setting, class_words[r.class]);
      worst[r.class] = larger(worst[r.class], used);
      break;
    case ASIDE:
      aside++;
      printf("set aside: %s, %s: %s\n", r.quantity, r.setting, f.why);
      break;
    default:
      unknown++;
      printf("unchecked: %s, %s: no recipe for this quantity\n", r.quantity, r.setting);
    }
  }
  fclose(in);
  say_counts(file, rows, checked, worst, aside);
  check_count(unknown, 0);
  return rows;
}
#endif
