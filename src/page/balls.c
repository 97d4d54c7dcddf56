/* balls.c - load and contact angle of the balls of a bearing over their place round it: every ball at the rows, means over sectors */
#include "page.h"
#include "plot.h"
#include <math.h>
#include <string.h>

enum { SECTORS = 72, MOST_MARKS = 300 };

static const curve *column(const album *a, int r, const char *name, int ball)
{
  const char *full = epi_arena_text(a->arena, "%s%d", name, ball);
  for (int i = 0; i < a->ncurve[r]; i++) if (!strcmp(a->curve[r][i].name, full)) return &a->curve[r][i];
  return NULL;
}

static int balls_of(const album *a, int r)
{
  int n = 0;
  while (column(a, r, "side", n + 1) && column(a, r, "Qo", n + 1)) n++;
  return n;
}

static double round_of(double deg) { return deg - 360*floor(deg/360); }

/* marks, of so few rows that they hide nothing, and the means of all rows */
static void add(const album *a, int r, int balls, const char *what, const char *name, plot_colour colour,
                plot_line *out, plot_line *marks)
{
  int rows = column(a, r, "side", 1)->n, every = 1 + rows*balls/MOST_MARKS, n = 0, k = 0;
  double *x = epi_arena_room(a->arena, (size_t)(2*rows*balls + 1)*sizeof *x), *y = x + rows*balls;
  double *at = epi_arena_room(a->arena, 3*SECTORS*sizeof *at), *sum = at + SECTORS, *count = sum + SECTORS;
  for (int b = 1; b <= balls; b++) {
    const curve *side = column(a, r, "side", b), *value = column(a, r, what, b);
    if (!value) return;
    for (int i = 0; i < rows && i < value->n; i++) {
      double place = round_of(side->x[i]);
      int sector = (int)(place*SECTORS/360) % SECTORS;
      if (!isfinite(place + value->x[i])) continue;
      sum[sector] += value->x[i];
      count[sector]++;
      if ((i + b) % every == 0) { x[n] = place; y[n++] = value->x[i]; }
    }
  }
  for (int s = 0; s < SECTORS; s++) {
    if (!(count[s] > 0)) continue;
    at[k] = (s + 0.5)*360/SECTORS;
    sum[k++] = sum[s]/count[s];
  }
  *marks = (plot_line){.name = NULL, .n = n, .x = x, .y = y, .colour = PLOT_LIGHT, .style = PLOT_RINGS};
  *out = (plot_line){.name = name, .n = k, .x = at, .y = sum, .colour = colour};
}

static void put_run(FILE *f, const album *a, int r, int number)
{
  int balls = balls_of(a, r);
  plot_line load[4] = {{0}}, angle[4] = {{0}};
  if (!balls) return;
  add(a, r, balls, "Qo", "outer race", PLOT_BLUE, load + 2, load);
  add(a, r, balls, "Qi", "inner race", PLOT_ORANGE, load + 3, load + 1);
  add(a, r, balls, "ao", "outer race", PLOT_BLUE, angle + 2, angle);
  add(a, r, balls, "ai", "inner race", PLOT_ORANGE, angle + 3, angle + 1);
  plot_axis place = {.name = "place round the ring (deg)", .from = 0, .to = 360};
  plot_panel p[] = {
    {.title = "load of the balls", .x = place, .y = {.name = "Q (N)"}, .nline = 4, .line = load},
    {.title = "contact angle", .x = place, .y = {.name = "angle (deg)"}, .nline = 4, .line = angle},
  };
  fputs("<figure class=\"plot balls\"><figcaption>", f);
  if (a->nrun > 1) { epi_page_escaped(f, a->run[r]->name ? a->run[r]->name : a->run[r]->flow); fputs(": ", f); }
  fprintf(f, "the %d balls over their place: circles at the rows, lines the means over %d deg</figcaption>", balls, 360/SECTORS);
  epi_plot_write(&(plot_page){.columns = 2, .npanel = 2, .panel = p, .width = 420, .height = 220, .first = number}, f);
  fputs("</figure>\n", f);
}

void epi_page_balls(FILE *f, const album *a, int number)
{
  for (int r = 0; r < a->nrun; r++) put_run(f, a, r, number + 2*r);
}
