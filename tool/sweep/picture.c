/* picture.c - the table of a sweep as pictures: over one number a line, over two a map, of what was drawn a cloud of points */
#include "sweeps.h"
#include "page/draft.h"
#include "page/plot.h"
#include "embedded.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 8, ENOUGH = 5, PANELS = 12, WIDTH = 520, HEIGHT = 360 };
static const double MOST_NUMBERS = 2e7;

typedef struct gallery {
  const epi_sweep *s;
  long long cases;
  int axes, keeps, shown;              /* shown: of what is kept */
  double *value, *kept;                /* by columns */
  int *outcome;
  int across, beside;                  /* the axes of the picture; beside -1: there is one */
  int drawn;
  plot_panel panel[PANELS];
} gallery;

/* ---- what kind of picture ---- */
static long long count_of(const gallery *g, int axis)
{
  long long n;
  epi_sweep_axis(g->s, axis, NULL, &n);
  return n;
}

static int choose_axes(gallery *g)
{
  int many = 0;
  g->across = g->beside = -1;
  for (int i = 0; i < g->axes; i++) {
    g->drawn |= count_of(g, i) == 0;
    if (count_of(g, i) == 1) continue;
    many++;
    if (g->across < 0) g->across = i;
    else if (g->beside < 0) g->beside = i;
  }
  if (g->across < 0) return say(REFUSED, "a picture is drawn over what has several values, and nothing has");
  if (!g->drawn && many > 2) return say(REFUSED, "a picture is drawn over one or two numbers, and %d are swept: give the others one "
                                        "value each", many);
  return 0;
}

/* steps of the same length, or each the same times more: 1 even, 2 logarithmic, 0 neither */
static int spacing(const gallery *g, int axis)
{
  long long n = count_of(g, axis), stride = 1;
  for (int i = axis + 1; i < g->axes; i++) stride *= count_of(g, i) > 0 ? count_of(g, i) : 1;
  const double *x = g->value + axis*g->cases;
  double a = x[0], b = x[stride], c = x[(n - 1)*stride], even = a + (double)(n - 1)*(b - a), times = a*pow(b/a, (double)(n - 1));
  if (fabs(even - c) <= 1e-6*fabs(c - a)) return 1;
  return a*b > 0 && a > 0 && fabs(times/c - 1) < 1e-6 ? 2 : 0;
}

static plot_axis axis_of(const gallery *g, int axis, int cells)
{
  const double *x = g->value + axis*g->cases;
  const char *unit, *name = epi_sweep_axis(g->s, axis, &unit, NULL);
  plot_axis a = {.name = text(unit && *unit ? "%s / %s" : "%s", name, unit), .from = x[0], .to = x[0]};
  for (long long i = 1; i < g->cases; i++) a.from = fmin(a.from, x[i]), a.to = fmax(a.to, x[i]);
  a.log = count_of(g, axis) > 2 && spacing(g, axis) == 2;
  if (a.from == a.to) a.from -= 0.5, a.to += 0.5;
  /* a cell reaches half a step beyond its number */
  double n = (double)count_of(g, axis) - 1, half = cells && n > 0 ? 0.5/n : 0;
  if (a.log) {
    double more = pow(a.to/a.from, half);
    a.from /= more, a.to *= more;
  } else {
    double more = (a.to - a.from)*half;
    a.from -= more, a.to += more;
  }
  return a;
}

static plot_axis up_of(const gallery *g, int keep)
{
  const char *unit, *name = epi_sweep_kept(g->s, keep, &unit);
  return (plot_axis){.name = text(unit && *unit ? "%s / %s" : "%s", name, unit)};
}

/* ---- panels ---- */
static const double *column(const gallery *g, int keep) { return g->kept + keep*g->cases; }

static void draw_cloud(gallery *g, int keep, plot_panel *p)
{
  plot_line *l = need(sizeof *l);
  *l = (plot_line){.n = (int)g->cases, .x = g->value + g->across*g->cases, .y = column(g, keep), .style = PLOT_MARKS};
  *p = (plot_panel){.x = axis_of(g, g->across, 0), .y = up_of(g, keep), .nline = 1, .line = l};
}

/* one line for each value of the other */
static void draw_lines(gallery *g, int keep, plot_panel *p)
{
  int swap = g->beside >= 0 && count_of(g, g->beside) > count_of(g, g->across), along = swap ? g->beside : g->across,
    by = swap ? g->across : g->beside;
  long long n = count_of(g, along), lines = by >= 0 ? count_of(g, by) : 1, all = lines;
  if (lines > MOST_LINES) lines = MOST_LINES;
  plot_line *l = need((size_t)lines*sizeof *l);
  for (long long k = 0; k < lines; k++) {
    double *x = need(2*(size_t)n*sizeof *x), *y = x + n;
    for (long long i = 0; i < n; i++) {
      long long at = by < 0 ? i : along < by ? i*all + k : k*n + i;
      x[i] = g->value[along*g->cases + at];
      y[i] = column(g, keep)[at];
    }
    const char *name = by >= 0 ? text("%s = %.6g", epi_sweep_axis(g->s, by, NULL, NULL),
                                      g->value[by*g->cases + (along < by ? k : k*n)]) : NULL;
    l[k] = (plot_line){.name = name, .n = (int)n, .x = x, .y = y, .style = n > 60 ? PLOT_LINE : PLOT_MARKED, .colour = (plot_colour)k};
  }
  *p = (plot_panel){.x = axis_of(g, along, 0), .y = up_of(g, keep), .nline = (int)lines, .line = l,
                    .note = all > lines ? text("the first %d of %lld", MOST_LINES, all) : NULL};
}

static void draw_map(gallery *g, int keep, plot_panel *p)
{
  long long nx = count_of(g, g->across), ny = count_of(g, g->beside);
  plot_map *m = need(sizeof *m);
  double *z = need((size_t)(nx*ny)*sizeof *z);
  for (long long i = 0; i < nx; i++) for (long long k = 0; k < ny; k++) z[k*nx + i] = column(g, keep)[i*ny + k];
  *m = (plot_map){(int)nx, (int)ny, z};
  *p = (plot_panel){.title = up_of(g, keep).name, .x = axis_of(g, g->across, 1), .y = axis_of(g, g->beside, 1), .map = m};
}

static int is_map(const gallery *g)
{
  return !g->drawn && g->beside >= 0 && count_of(g, g->across) >= ENOUGH && count_of(g, g->beside) >= ENOUGH && spacing(g, g->across)
    && spacing(g, g->beside);
}

static int hang(gallery *g)
{
  int bad = choose_axes(g);
  g->shown = g->keeps < PANELS ? g->keeps : PANELS;
  for (int i = 0; i < g->shown && !bad; i++)
    if (g->drawn) draw_cloud(g, i, &g->panel[i]);
    else if (is_map(g)) draw_map(g, i, &g->panel[i]);
    else draw_lines(g, i, &g->panel[i]);
  return bad;
}

/* ---- the numbers ---- */
static int gather(gallery *g, journal *j)
{
  double *row = need((size_t)(g->axes + g->keeps)*sizeof *row);
  int bad = 0;
  for (long long i = 0; i < g->cases && !bad; i++) {
    kept_case e = {.kept = row + g->axes};
    if ((bad = journal_read(j, i, &e))) break;
    free(e.why);
    epi_sweep_values(g->s, i, row);
    g->outcome[i] = e.outcome;
    for (int k = 0; k < g->axes; k++) g->value[k*g->cases + i] = row[k];
    for (int k = 0; k < g->keeps; k++) g->kept[k*g->cases + i] = e.kept[k];
  }
  free(row);
  return bad ? say(FAILED, "the journal cannot be read: %s", strerror(bad)) : 0;
}

/* ---- the page: hover shows the case, a click the command that runs it alone ---- */
static void put_numbers(FILE *f, const char *name, const double *x, long long n)
{
  fprintf(f, "%s[", name);
  for (long long i = 0; i < n; i++) fprintf(f, "%s%s", i ? "," : "", isfinite(x[i]) ? shortest(x[i]).text : "null");
  fputs("]", f);
}

static void put_data(const gallery *g, const char *alone, FILE *f)
{
  fprintf(f, "<script>const sweep = {cases: %lld, across: %d, beside: %d, map: ", g->cases, g->across, g->beside);
  if (is_map(g)) fprintf(f, "[%lld, %lld], alone: ", count_of(g, g->across), count_of(g, g->beside));
  else fputs("null, alone: ", f);
  json_text(f, alone);
  fputs(",\n axes: [", f);
  for (int i = 0; i < g->axes; i++) {
    fputs(i ? ",\n {name: " : "{name: ", f);
    json_text(f, epi_sweep_axis(g->s, i, NULL, NULL));
    put_numbers(f, ", x: ", g->value + i*g->cases, g->cases);
    fputs("}", f);
  }
  fputs("],\n kept: [", f);
  for (int i = 0; i < g->shown; i++) {
    fputs(i ? ",\n {name: " : "{name: ", f);
    json_text(f, epi_sweep_kept(g->s, i, NULL));
    put_numbers(f, ", x: ", column(g, i), g->cases);
    fputs("}", f);
  }
  fputs("],\n outcome: [", f);
  for (long long i = 0; i < g->cases; i++) fprintf(f, "%s%d", i ? "," : "", g->outcome[i]);
  fprintf(f, "]};\n%s</script>\n", (const char *)SWEEP_SCRIPT);
}

static void put_escaped(FILE *f, const char *s)
{
  for (; *s; s++) {
    if (*s == '<') fputs("&lt;", f);
    else if (*s == '&') fputs("&amp;", f);
    else fputc(*s, f);
  }
}

static void put_page(const gallery *g, const char *title, const char *command, const char *alone, FILE *f)
{
  fputs("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
        "content=\"width=device-width\">\n<title>", f);
  put_escaped(f, title);
  fputs("</title>\n<style>body { font: 15px/1.5 sans-serif; color: #1c2430; max-width: 76rem; margin: 2rem auto; padding: 0 1rem; } "
        "figure { margin: 0 0 1.5rem; } svg { max-width: 100%; height: auto; } code, output { font-family: monospace; font-size: 13px; } "
        "output { display: block; min-height: 3em; position: sticky; top: 0; background: #f6f8fa; padding: .5rem; white-space: pre-wrap; } "
        "</style></head>\n<body><h1>", f);
  put_escaped(f, title);
  fputs("</h1>\n<p><code>", f);
  put_escaped(f, command);
  fputs("</code></p>\n<output id=\"case\">Move over a picture to see a case; a click keeps it, with the command that runs it "
        "alone.</output>\n", f);
  for (int i = 0; i < g->shown; i++) {
    const plot_panel *p = &g->panel[i];
    fprintf(f, "<figure data-kept=\"%d\" data-log=\"%d %d\">", i, p->x.log, p->y.log);
    epi_plot_write(&(plot_page){.columns = 1, .npanel = 1, .panel = p, .width = WIDTH, .height = HEIGHT, .first = i}, f);
    fputs("</figure>\n", f);
  }
  put_data(g, alone, f);
  fputs("</body></html>\n", f);
}

/* ---- all of it ---- */
static gallery open_gallery(const epi_sweep *s)
{
  gallery g = {.s = s, .cases = epi_sweep_cases(s), .axes = epi_sweep_axes(s), .keeps = epi_sweep_keeps(s)};
  size_t n = (size_t)g.cases;
  g.value = need(n*(size_t)g.axes*sizeof *g.value);
  g.kept = need(n*(size_t)g.keeps*sizeof *g.kept);
  g.outcome = need(n*sizeof *g.outcome);
  return g;
}

int picture_possible(const epi_sweep *s)
{
  gallery g = {.s = s, .cases = epi_sweep_cases(s), .axes = epi_sweep_axes(s), .keeps = epi_sweep_keeps(s)};
  if ((double)g.cases*(g.axes + g.keeps) > MOST_NUMBERS)
    return say(REFUSED, "%lld cases with %d numbers each are too many for a picture: keep fewer, or draw them from the table", g.cases,
               g.keeps);
  return choose_axes(&g);
}

int picture_write(const epi_sweep *s, journal *j, const char *plot, const char *report, const char *title, const char *command,
                  const char *alone)
{
  gallery g = open_gallery(s);
  int code = gather(&g, j);
  if (!code) code = hang(&g);
  for (int k = 0; k < 2 && !code; k++) {
    const char *path = k ? report : plot;
    epi_draft d;
    if (!path) continue;
    int bad = epi_draft_begin(&d, path);
    if (!bad && !k)
      epi_plot_write(&(plot_page){.columns = g.shown > 1 ? 2 : 1, .npanel = g.shown, .panel = g.panel, .width = WIDTH, .height = HEIGHT},
                     d.f);
    if (!bad && k) put_page(&g, title, command, alone, d.f);
    if (epi_draft_end(&d, bad)) code = say(FAILED, "cannot write %s: %s", path, strerror(errno));
  }
  free(g.value);
  free(g.kept);
  free(g.outcome);
  return code;
}
