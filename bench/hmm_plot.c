/* hmm_plot.c - lines over two logarithmic axes as SVG, panels side by side */
#include "hmm.h"
#include <math.h>
#include <stdio.h>

enum { WIDE = 460, HIGH = 330, LEFT = 66, RIGHT = 18, TOP = 34, KEY = 126, BOTTOM = 46 };

/* colours that differ in lightness too, and marks that differ without colour */
static const char *const COLOUR[HMM_LINES] = {"#c2410c", "#1d4ed8", "#0f766e", "#6b7280", "#7e22ce", "#000000"};

typedef struct { double x0, x1, y0, y1, left; } frame;             /* decades, and where the panel begins */

static double across(const frame *f, double x) { return f->left + LEFT + (log10(x) - f->x0)/(f->x1 - f->x0)*(WIDE - LEFT - RIGHT); }
static double up(const frame *f, double y) { return TOP + (f->y1 - log10(y))/(f->y1 - f->y0)*(HIGH - TOP - BOTTOM); }

/* whole decades around all points */
static frame frame_of(const hmm_panel *p, double left)
{
  frame f = {99, -99, 99, -99, left};
  for (int i = 0; i < p->n; i++)
    for (int k = 0; k < p->line[i].n; k++) {
      f.x0 = fmin(f.x0, floor(log10(p->line[i].x[k])));
      f.x1 = fmax(f.x1, ceil(log10(p->line[i].x[k])));
      f.y0 = fmin(f.y0, floor(log10(p->line[i].y[k])));
      f.y1 = fmax(f.y1, ceil(log10(p->line[i].y[k])));
    }
  return f;
}

static void label(FILE *o, double x, double y, const char *anchor, const char *text)
{
  fprintf(o, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, text);
}

static void axes(FILE *o, const hmm_panel *p, const frame *f)
{
  double left = f->left + LEFT, right = f->left + WIDE - RIGHT, base = HIGH - BOTTOM;
  char power[16];
  fprintf(o, "<text x=\"%.1f\" y=\"20\" font-weight=\"bold\">%s</text>\n", left, p->title);
  for (int d = (int)f->x0; d <= (int)f->x1; d++) {
    double x = across(f, pow(10, d));
    fprintf(o, "<path d=\"M%.1f %d V%.1f\" class=\"grid\"/>", x, TOP, base);
    snprintf(power, sizeof power, "1e%d", d);
    label(o, x, base + 16, "middle", power);
  }
  for (int d = (int)f->y0; d <= (int)f->y1; d++) {
    double y = up(f, pow(10, d));
    fprintf(o, "<path d=\"M%.1f %.1f H%.1f\" class=\"grid\"/>", left, y, right);
    snprintf(power, sizeof power, "1e%d", d);
    label(o, left - 6, y + 4, "end", power);
  }
  fprintf(o, "<path d=\"M%.1f %d V%.1f H%.1f\" class=\"axis\"/>\n", left, TOP, base, right);
  label(o, (left + right)/2, base + 34, "middle", p->across);
  fprintf(o, "<g transform=\"translate(%.1f %.1f) rotate(-90)\">", f->left + 16, (TOP + base)/2);
  label(o, 0, 0, "middle", p->up);
  fprintf(o, "</g>\n");
}

static void mark(FILE *o, int kind, double x, double y)
{
  static const char *const shape[HMM_LINES] = {
    "m-4 0 a4 4 0 1 0 8 0 a4 4 0 1 0 -8 0", "m-4 -4 h8 v8 h-8 z", "m0 -5 l5 9 h-10 z", "m0 -5 l5 5 -5 5 -5 -5 z",
    "m-6 -2 h12 v4 h-12 z", "m0 5 l5 -9 h-10 z"
  };
  fprintf(o, "<path d=\"M%.1f %.1f %s\" fill=\"%s\"/>\n", x, y, shape[kind], COLOUR[kind]);
}

static void lines(FILE *o, const hmm_panel *p, const frame *f)
{
  double key = HIGH + 8;
  for (int i = 0; i < p->n; i++, key += 20) {
    const hmm_line *l = &p->line[i];
    if (l->n > 1) fprintf(o, "<path fill=\"none\" stroke-width=\"1.6\" stroke=\"%s\" d=\"", COLOUR[i]);
    for (int k = 0; k < l->n && l->n > 1; k++) fprintf(o, "%c%.1f %.1f ", k ? 'L' : 'M', across(f, l->x[k]), up(f, l->y[k]));
    if (l->n > 1) fprintf(o, "\"/>\n");
    for (int k = 0; k < l->n; k++) mark(o, i, across(f, l->x[k]), up(f, l->y[k]));
    mark(o, i, f->left + LEFT + 6, key);
    label(o, f->left + LEFT + 18, key + 4, "start", l->name);
  }
  if (!(p->floor > 0)) return;
  fprintf(o, "<path d=\"M%.1f %.1f H%.1f\" class=\"floor\"/>\n", f->left + LEFT, up(f, p->floor), f->left + WIDE - RIGHT);
  fprintf(o, "<path d=\"M%.1f %.1f h14\" class=\"floor\"/>", f->left + LEFT, key);
  label(o, f->left + LEFT + 18, key + 4, "start", p->floor_name);
}

int hmm_plot(const char *file, int panels, const hmm_panel *p)
{
  FILE *o = fopen(file, "w");
  if (!o) return 1;
  fprintf(o, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n",
          panels*WIDE, HIGH + KEY);
  fprintf(o, "<style>.grid { stroke: #e5e7eb } .axis { stroke: #374151; fill: none } "
             ".floor { stroke: #111827; stroke-dasharray: 5 4 }</style>\n");
  fprintf(o, "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n");
  for (int i = 0; i < panels; i++) {
    frame f = frame_of(&p[i], (double)i*WIDE);
    axes(o, &p[i], &f);
    lines(o, &p[i], &f);
  }
  fprintf(o, "</svg>\n");
  return fclose(o) != 0;
}
