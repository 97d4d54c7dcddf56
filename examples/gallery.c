/* gallery.c - a machine of docs/gallery.md as SVG on standard output: `gallery examples/rope.yaml`. One quantity against time, the first
 * run of the file thick and light, the second thin and dark over it */
#include <epicycle/file.h>
#include <math.h>
#include <string.h>

enum { POINTS = 2000 };

static double azimuth(const double *y) { return atan2(y[1], y[0]); }
static double tip3(const double *y) { return 1e3*y[14]; }
static double height(const double *y) { return 1e3*hypot(y[7], y[9]); }
static double transport(const double *y) { return y[7]; }
static double spin(const double *y) { return y[25]; }
static double sway(const double *y) { return 1e3*y[0]; }
static double before(const double *y) { return 120 + 180/3.14159265358979323846*(y[22] - y[21]); }

static const struct machine { const char *file, *what; double (*value)(const double *y); } machines[] = {
  {"rope.yaml", "middle of the last link, to the side (mm)", tip3},
  {"gyroscope.yaml", "precession (rad)", azimuth}, {"chelomei.yaml", "washer above the foot (mm)", height},
  {"conveyor.yaml", "speed of the part (m/s)", transport}, {"sommerfeld.yaml", "speed of the rotor (rad/s)", spin},
  {"drum.yaml", "tub to the side (mm)", sway}, {"screen.yaml", "the right rotor before the left (deg)", before},
};

static int curve(epi_file *file, int run, double (*value)(const double *), double *y)
{
  epi_case *c = epi_file_case(file, run);
  epi_flow *f = epi_file_flow(file, run, c);
  epi_state s = epi_case_state(c);
  int bad = epi_error(f) != NULL;
  for (int k = 0; k <= POINTS && !bad; k++) {
    bad = k > 0 && epi_run(f, &s, c->end*k/POINTS, c->step < c->end/POINTS ? c->step : c->end/POINTS);
    y[k] = value(s.y);
  }
  if (bad) fprintf(stderr, "%s\n", epi_error(f));
  epi_free(f);
  epi_case_free(c);
  return bad;
}

/* 1, 2 or 5 times a power of ten: about five of them in all */
static double tick(double range)
{
  double t = pow(10, floor(log10(range/5)));
  return range/t > 40 ? 10*t : range/t > 20 ? 5*t : range/t > 10 ? 2*t : t;
}

typedef struct { double low, high, end; } frame;
static double x_of(const frame *f, double t) { return 60 + 600*t/f->end; }
static double y_of(const frame *f, double y) { return 270 - 230*(y - f->low)/(f->high - f->low); }

static void axes(const frame *f, const char *what)
{
  puts("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 700 320' font-family='sans-serif' font-size='13'>");
  puts("<rect width='700' height='320' fill='white'/>");
  double dx = tick(f->end), dy = tick(f->high - f->low);
  for (int k = 0; k*dx <= f->end*(1 + 1e-9); k++)
    printf("<path d='M%.1f 40 V270' stroke='#ddd'/><text x='%.1f' y='288' text-anchor='middle' fill='#555'>%g</text>\n", x_of(f, k*dx),
           x_of(f, k*dx), k*dx);
  for (int k = (int)ceil(f->low/dy); k*dy <= f->high; k++)
    printf("<path d='M60 %.1f H660' stroke='#ddd'/><text x='52' y='%.1f' text-anchor='end' fill='#555'>%g</text>\n", y_of(f, k*dy),
           y_of(f, k*dy) + 4, k*dy);
  printf("<text x='360' y='310' text-anchor='middle' fill='#333'>t (s)</text><text x='60' y='24' fill='#333'>%s</text>\n", what);
}

static void draw(const frame *f, const char *name, const double *y, int run)
{
  static const char *const style[] = {"stroke='#f0a040' stroke-width='3'", "stroke='#2166ac' stroke-width='1.2'"};
  static const char *const ink[] = {"#d07010", "#2166ac"};
  printf("<path fill='none' stroke-linejoin='round' %s d='", style[name ? run : 1]);
  for (int k = 0; k <= POINTS; k += name ? 4 : 1) printf("%c%.1f %.1f", k ? 'L' : 'M', x_of(f, f->end*k/POINTS), y_of(f, y[k]));
  printf("'/>\n<text x='%d' y='24' text-anchor='end' fill='%s'>%s</text>\n", 580 + 80*run, ink[run], name ? name : "");
}

int main(int argc, char **argv)
{
  static double y[2][POINTS + 1];
  const char *name = argc == 2 ? strrchr(argv[1], '/') ? strrchr(argv[1], '/') + 1 : argv[1] : "";
  const struct machine *m = machines, *last = machines + sizeof machines/sizeof *machines;
  while (m < last && strcmp(m->file, name)) m++;
  if (m == last) return fprintf(stderr, "give a machine of the gallery, as in: gallery examples/rope.yaml\n"), 2;
  epi_file *file = epi_file_read(argv[1]);
  int runs = epi_file_runs(file) < 2 ? epi_file_runs(file) : 2, bad = !runs;
  for (int r = 0; r < runs && !bad; r++) bad = curve(file, r, m->value, y[r]);
  frame f = {.low = HUGE_VAL, .high = -HUGE_VAL};
  for (int r = 0; r < runs; r++) for (int k = 0; k <= POINTS; k++) { f.low = fmin(f.low, y[r][k]); f.high = fmax(f.high, y[r][k]); }
  if (!bad) {
    double more = 0.05*(f.high - f.low);
    f = (frame){f.low - more, f.high + more, epi_file_request(file, 0)->end};
    axes(&f, m->what);
    for (int r = 0; r < runs; r++) draw(&f, runs > 1 ? epi_file_request(file, r)->name : NULL, y[r], r);
    puts("</svg>");
  }
  epi_file_free(file);
  return bad;
}
