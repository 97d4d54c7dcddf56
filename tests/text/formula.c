/* holds: formulas give right values and derivatives, and errors with their column */
#include "test.h"
#include "epicycle/file.h"
#include "epicycle/formula.h"

static double k = 5, m = 2;
static int square(const void *data, double x, double out[3])
{
  (void)data;
  if (x > 100) return -1;
  out[0] = x*x; out[1] = 2*x; out[2] = 2;
  return 0;
}
static const epi_formula_name names[] = {
  {.name = "k", .constant = &k, .unit = "N/m"}, {.name = "m", .constant = &m, .unit = "kg"}, {.name = "x", .place = 0, .unit = "m"},
  {.name = "theta", .place = 1, .unit = ""}, {.name = "t", .place = 2, .unit = "s"}, {.name = "curve", .of = square}, {0}
};
static const double at[] = {0.3, 0.7, 2};

static double value(const char *text)
{
  char why[300] = "";
  double y = NAN;
  epi_formula *f = epi_formula_read(text, names, why, sizeof why);
  if (!f) printf("%s: %s\n", text, why);
  else check_count(epi_formula_value(f, at, &y), 0);
  epi_formula_free(f);
  return y;
}

static void values(void)
{
  check_rel(value("-k*x + m*cos(theta)"), -5*0.3 + 2*cos(0.7), 1e-15);
  check_rel(value("-x^2"), -0.09, 1e-15);
  check_rel(value("2^3^2"), 512, 0);
  check_rel(value("2**-1 - 3*-x"), 0.5 + 0.9, 1e-15);
  check_rel(value("(1 + 2)*(3 - x)/4"), 3*2.7/4, 1e-15);
  check_rel(value("min(t, 1) + max(t, 1) + abs(-t) + sign(-t) + step(-1) + step(0) + floor(1.7)"), 1 + 2 + 2 - 1 + 0 + 1 + 1, 1e-15);
  check_rel(value("atan2(1, x) + hypot(3, 4) + pow(t, 3) + curve(t) + 2*pi"), atan2(1, 0.3) + 5 + 8 + 4 + 2*M_PI, 1e-15);
  check_rel(value("sqrt(exp(log(t)))*log10(1e3)"), 3*sqrt(2), 1e-15);
  check_rel(value("sinh(x) + cosh(x) + tanh(x) + tan(x) + asin(x) + acos(x) + atan(x) + sin(x)"),
            exp(0.3) + tanh(0.3) + tan(0.3) + M_PI/2 + atan(0.3) + sin(0.3), 1e-15);
}

/* rates against differences along x = at + s dx + s^2/2 ddx */
static void motions(void)
{
  static const char *const all[] = {
    "sin(theta)*x^3/t", "tan(x)*exp(-t)", "asin(x) + acos(theta) + atan(t)", "sinh(x)*cosh(t) - tanh(theta)", "log(t)*log10(theta)*sqrt(x)",
    "x^t", "hypot(x, t) + atan2(x, theta)", "curve(x*t) + abs(-x)", "min(x, t)*max(x, t)", "t^2*0.5 + 3*t^1 + t^0",
  };
  const double dx[] = {0.4, -1.1, 1}, ddx[] = {0.2, 0.3, 0}, e = 1e-4;
  for (size_t i = 0; i < sizeof all/sizeof *all; i++) {
    char why[300] = "";
    double y[3], side[3] = {0}, p[3];
    epi_formula *f = epi_formula_read(all[i], names, why, sizeof why);
    if (!check(f)) { printf("%s\n", why); continue; }
    check_count(epi_formula_motion(f, at, dx, ddx, y), 0);
    for (int s = -1; s <= 1; s++) {
      for (int n = 0; n < 3; n++) p[n] = at[n] + s*e*dx[n] + s*s*e*e/2*ddx[n];
      epi_formula_value(f, p, &side[s + 1]);
    }
    check_bits(1, &y[0], &side[1]);
    check_near(y[1], (side[2] - side[0])/(2*e), 1e-6, 1e-6);
    check_near(y[2], (side[2] - 2*side[1] + side[0])/(e*e), 1e-5, 1e-5);
    epi_formula_free(f);
  }
}

static void refused(const char *text, const char *words)
{
  char why[300] = "";
  epi_formula *f = epi_formula_read(text, names, why, sizeof why);
  check(!f);
  check_has(why, words);
  epi_formula_free(f);
}

static void sentences(void)
{
  refused("-k*y", "column 4: there is no 'y' here: there are k, m, x, theta, t, curve");
  refused("k*cos(thet)", "column 7: there is no 'thet'; did you mean theta?");
  refused("k*coss(theta)", "column 3: there is no 'coss'; did you mean cos?");
  refused("2 x", "column 3: a sign is missing after 2: write it as in 2*x");
  refused("k*(x + 1", "column 9: a ')' is missing here");
  refused("k*x)", "column 4: ')' is not expected here");
  refused("", "the formula is empty");
  refused("k*", "column 3: the formula ends where");
  refused("f = k*x", "column 1: there is no 'f'");
  refused("k*x = 3", "column 5: an '=' is not expected here");
  refused("min(x)", "column 1: min is of 2 numbers, and 1 stand in its brackets");
  refused("sin", "column 1: sin is a function");
  refused("x(3)", "column 1: x is a number and no function");
  refused("curve", "column 1: curve is a function");
  refused("1e999", "column 1: the number is too large");
  refused("1 # 2", "column 3: '#' is not expected");
  char deep[300];
  memset(deep, '(', sizeof deep);
  deep[sizeof deep - 1] = 0;
  refused(deep, "nested too deep");
  memset(deep, '-', sizeof deep - 1);
  refused(deep, "too many signs");
}

static void troubled(const char *text, int column, const char *words)
{
  char why[300] = "";
  double y, z[3];
  epi_formula *f = epi_formula_read(text, names, why, sizeof why);
  if (!check(f)) return;
  check_count(epi_formula_value(f, at, &y), column);
  check_count(epi_formula_motion(f, at, NULL, NULL, z), column);
  check_has(epi_formula_trouble(f, column), words);
  epi_formula_free(f);
}

static void troubles(void)
{
  troubled("1 + k/(t - 2)", 6, "divides by zero");
  troubled("x*log(-t)", 3, "logarithm");
  troubled("sqrt(x - t)", 1, "root");
  troubled("curve(100*t)", 1, "a table");
  troubled("(-t)^0.5", 5, "power");
  troubled("exp(1000*t)", 1, "too large");
}

/* ---- units: read by the second library ---- */
static double in(const char *text, const char *unit, const char *words)
{
  char why[300] = "";
  double y = NAN;
  epi_formula *f = epi_formula_read_in(text, names, epi_unit_dimension, unit, why, sizeof why);
  if (words) check_has(why, words);
  check(!f == !!words);
  if (f) epi_formula_value(f, at, &y);
  else if (!words) printf("%s: %s\n", text, why);
  epi_formula_free(f);
  return y;
}

static void units(void)
{
  check_rel(in("-k*x", "N", NULL), -1.5, 1e-15);
  check_rel(in("20 mm + x", "m", NULL), 0.32, 1e-15);
  check_rel(in("-3 [kN/m]*x", "N", NULL), -900, 1e-15);
  check_rel(in("m*9.81 [m/s^2]*sin(theta)", "N", NULL), 2*9.81*sin(0.7), 1e-15);
  check_rel(in("sqrt(k/m)*t", "", NULL), sqrt(2.5)*2, 1e-15);
  check_rel(in("-5*x", "N", NULL), -1.5, 1e-15);
  check_rel(in("x^2*10 [N/m^2]", "N", NULL), 0.9, 1e-15);
  in("k*x", "m", "the formula gives m kg s^-2, and m is wanted");
  in("x + t", "m", "column 3: + goes between what has the same unit, and here are m and s");
  in("x - sin(3*t)", "m", "here are m and a bare number: multiply it by 1 [m]");
  in("sin(x)", "", "column 1: sin is taken of a bare number or an angle, and this is m");
  in("3 Hz*t", "", "turns");
  in("3 mmm*x", "m", "there is no unit 'mmm'");
  in("2^x", "", "an exponent is a bare number");
  /* a coefficient of variables may have any unit; where a unit is written in a product, bare numbers are pure */
  check_rel(in("-5*x - 2*t", "N", NULL), -1.5 - 2*2, 1e-15);
  check_rel(in("(2*x + 3*t)*k", "N", NULL), (0.6 + 6)*5, 1e-15);
  check_rel(in("sin(3*t)*k*x", "N", NULL), sin(6.0)*1.5, 1e-15);
  check_rel(in("2*pi*sqrt(m/k)", "s", NULL), 2*3.14159265358979323846*sqrt(2.0/5), 1e-15);
  in("cos(2*pi*k*t)", "", "cos is taken of a bare number or an angle, and this is kg s^-1");
  in("cos(t*3*k)", "", "cos is taken of a bare number or an angle, and this is kg s^-1");
  in("3*m", "N", "the formula gives kg, and N is wanted");
  in("3*m + x", "kg", "+ goes between what has the same unit, and here are kg and m");
  in("2*5 [N]", "m", "the formula gives m kg s^-2, and m is wanted");
  /* an exponent may be a sum */
  check_rel(in("x^(1+1)*10 [N/m^2]", "N", NULL), 0.9, 1e-15);
  check_rel(in("m^-(1+1)*3 [kg^3]", "kg", NULL), 0.75, 1e-15);
  in("m^-(1+1)", "", "the formula gives kg^-2, and a bare number is wanted");
  in("k^-(-1)*x", "m", "the formula gives m kg s^-2, and m is wanted");
  in("2 x", "m", "a sign is missing before x");
  in("5 N/mm*x", "N", "stands in brackets: write it as in 5 [N/m]");
}

/* sines and cosines of t go with a phase of 8 rad/s from 0.25 on, where they turn a whole number of times with it: the same value, and t
   is asked for by the rest alone */
static void waves(void)
{
  static const struct { const char *text; int waves, uses_t, uses_theta; double b; } all[] = {
    {"cos(8*t)", 1, 0, 1, 8}, {"cos(16*t)", 1, 1, 0, 16},     /* twice the phase minus its start does not fit into its place */
    {"cos(8*t + 0.25)", 1, 0, 1, 8}, {"3 + x*sin(0.1 - 2*16*t/4)/2", 1, 0, 1, -8}, {"(1 - exp(-t))*sin(24*t + 1)", 1, 1, 1, 24},
    {"sin(8*t + 1)*cos(9*t + 1) + sin(16*t + 2)", 3, 1, 1, 8}, {"sin(8*t^2) + cos(x + 8*t) + sin(8*x + 1)", 0, 1, 0, 0},
    {"step(sin(8*t + 0.1) - 0.9)*t", 1, 1, 1, 8}, {"sin(sin(8*t + 1) + 8*t)", 1, 1, 1, 8}, {"sin(8.0000001*t + 1)", 1, 1, 0, 8.0000001},
    {"curve(sin(8*t + 1)) - min(t, cos(-(8*t + 1)))", 2, 1, 1, 8}, {"sin(8*theta + 1)", 0, 0, 1, 0},
  };
  for (size_t i = 0; i < sizeof all/sizeof *all; i++) {
    char why[300] = "";
    double b[4] = {0}, x[] = {0.3, 0.25 + 8*1.7, 1.7}, dx[] = {0, 8, 1}, y[3], z[3];
    epi_formula *f = epi_formula_read(all[i].text, names, why, sizeof why);
    if (!check(f)) { printf("%s\n", why); continue; }
    check_count(epi_formula_waves(f, 2, b, 4), all[i].waves);
    check_rel(b[0], all[i].b, 1e-15);
    check_count(epi_formula_waves(f, 2, NULL, 0), all[i].waves);
    check_count(epi_formula_motion(f, x, dx, NULL, y), 0);
    epi_formula_follow_phase(f, 2, 1, 8, 0.25);
    check_count(epi_formula_uses(f, 2), all[i].uses_t);
    check_count(epi_formula_uses(f, 1), all[i].uses_theta);
    check_count(epi_formula_motion(f, x, dx, NULL, z), 0);
    for (int n = 0; n < 3; n++) if (!check_near(z[n], y[n], 1e-12, 1e-12)) printf("%s, derivative %d\n", all[i].text, n);
    epi_formula_free(f);
  }
}

int main(void)
{
  values();
  waves();
  motions();
  sentences();
  troubles();
  units();
  return test_done();
}
