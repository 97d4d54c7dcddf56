/* dae-figure.c - the vibrated double pendulum with rods as constraints: error of the first angle against the number of micro-steps,
 * every vibration resolved and by stroboscopic averaging. The table goes to standard error, the picture as SVG to standard output */
#include <epicycle.h>
#include <math.h>

#define PI 3.14159265358979323846
enum { POINTS = 200, SIZES = 4 };          /* t = j pi/2500, j <= 200: whole periods for both eps */

typedef struct { const char *name, *style; double eps; int strobe; double steps[SIZES], error[SIZES]; } curve;
/* ---- errors ---- */
static int angles(double eps, const char *flow, long parts, double *q)
{
  char model[80];
  snprintf(model, sizeof model, "double-pendulum(w=%g, theta0=2)", 1/eps);
  epi_case *c = epi_case_make(model);
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  int bad = 0;
  for (int j = 0; j < POINTS && !bad; j++) {
    bad = epi_advance(f, &s, PI/2500/(double)parts, parts);
    q[j] = atan2(s.y[0], s.y[1]);
  }
  if (bad) fprintf(stderr, "%s\n", epi_error(f));
  epi_free(f);
  epi_case_free(c);
  return bad;
}

/* methods of higher order in place of herk3; `known` at t = 5 pi/62.5 was found elsewhere in extended precision */
static int truth_of(double eps, double *q)
{
  double known = eps < 1e-5 ? -1.333266465447 : -1.3344550670255907;
  int bad = eps < 1e-5 ? angles(eps, "herk4(strobe(substeps(symmetric(verlet, order=8), 16), order=4))", 4, q)
                       : angles(eps, "symmetric(verlet, order=8)", 64, q);
  fprintf(stderr, "eps = %g: the reference is %.0e off the known angle\n", eps, fabs(remainder(q[POINTS - 1] - known, 2*PI)));
  return bad;
}

static int errors(curve *c)
{
  double truth[POINTS], q[POINTS], periods = 1/(5000*c->eps);
  char flow[80];
  if (truth_of(c->eps, truth)) return 1;
  for (int k = 0; k < SIZES; k++) {
    int n = 4 << k;
    snprintf(flow, sizeof flow, c->strobe ? "herk3(strobe(substeps(herk3, %d), order=4))" : "herk3", n);
    if (angles(c->eps, flow, c->strobe ? 1 : lround(periods*n), q)) return 1;
    /* a macro step has three windows of four periods */
    c->steps[k] = POINTS*(c->strobe ? 3*4 : periods)*n;
    for (int j = 0; j < POINTS; j++) c->error[k] = fmax(c->error[k], fabs(remainder(q[j] - truth[j], 2*PI)));
    fprintf(stderr, "%-56s n = %2d %9.0f micro-steps, error %.2e\n", c->name, n, c->steps[k], c->error[k]);
  }
  return 0;
}

/* ---- picture: decades 3 ... 7 across, -5 ... 0 up, the legend above ---- */
static double x_of(double steps) { return 70 + 150*(log10(steps) - 3); }
static double y_of(double error) { return 120 - 66*log10(error); }

static void axes(void)
{
  for (int d = 3; d <= 7; d++) {
    double x = x_of(pow(10, d));
    printf("<path d='M%.1f 120 V450' stroke='#ddd'/><text x='%.1f' y='468' text-anchor='middle'>1e%d</text>\n", x, x, d);
  }
  for (int d = -5; d <= 0; d++) {
    double y = y_of(pow(10, d));
    printf("<path d='M70 %.1f H670' stroke='#ddd'/><text x='62' y='%.1f' text-anchor='end'>1e%d</text>\n", y, y + 4, d);
  }
  puts("<path d='M70 120 V450 H670' fill='none' stroke='#333'/>");
  puts("<text x='370' y='490' text-anchor='middle'>micro-steps</text>");
  puts("<text transform='translate(20 285) rotate(-90)' text-anchor='middle'>largest error of angle 1 (rad), t up to 0.25</text>");
}

/* the two averaged curves lie on one another: a ring around a dot */
static void draw(const curve *c, int row)
{
  double r = c->strobe && c->eps > 1e-5 ? 7 : 3.5;
  printf("<g %s><path fill='none' d='", c->style);
  for (int k = 0; k < SIZES; k++) printf("%c%.1f %.1f ", k ? 'L' : 'M', x_of(c->steps[k]), y_of(c->error[k]));
  puts("'/>");
  for (int k = 0; k < SIZES; k++) printf("<circle cx='%.1f' cy='%.1f' r='%g'/>\n", x_of(c->steps[k]), y_of(c->error[k]), r);
  printf("<path d='M70 %d h36'/><circle cx='88' cy='%d' r='%g'/></g><text x='116' y='%d'>%s</text>\n", row, row, r, row + 4, c->name);
}

int main(void)
{
  curve curves[] = {
    {.name = "herk3 resolved, eps = 1e-4", .style = "stroke='#e08214' fill='#e08214'", .eps = 1e-4},
    {.name = "herk3 resolved, eps = 1e-6", .style = "stroke='#b2182b' fill='#b2182b'", .eps = 1e-6},
    {.name = "herk3(strobe(substeps(herk3, n), order=4)), eps = 1e-4", .style = "stroke='#2166ac' fill='none'", .eps = 1e-4, .strobe = 1},
    {.name = "the same, eps = 1e-6", .style = "stroke='#1b7837' fill='#1b7837'", .eps = 1e-6, .strobe = 1},
  };
  const int n = sizeof curves/sizeof *curves;
  for (int i = 0; i < n; i++) if (errors(&curves[i])) return 1;
  puts("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 700 500' font-family='sans-serif' font-size='13' fill='#333'>");
  puts("<rect width='700' height='500' fill='white'/>");
  axes();
  for (int i = 0; i < n; i++) draw(&curves[i], 22 + 24*i);
  puts("</svg>");
  return 0;
}
