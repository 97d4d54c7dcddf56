/* look.c - what planar models look like: pendulums, and masses in a row */
#include "draw.h"

void epi_show_pendulum(epi_scene *to, double l, double base, double x, double y)
{
  epi_show(to, &(epi_shape){.name = "pivot", .kind = EPI_BOX, .appearance = EPI_DARK, .size = {0.14*l, 0.14*l, 0.06*l},
                            .at = {0, 0, base}});
  epi_show(to, &(epi_shape){.name = "rod", .kind = EPI_BAR, .appearance = EPI_STEEL, .size = {0.018*l}, .at = {0, 0, base},
                            .to = {x, 0, base + y}});
  epi_show(to, &(epi_shape){.name = "bob", .kind = EPI_BALL, .appearance = EPI_BRIGHT, .size = {0.08*l}, .at = {x, 0, base + y},
                            .trail = 1});
}

void epi_show_row(epi_scene *to, const epi_row *row, const double *q)
{
  double l = row->length, x = 0, y = 0;
  int coil = row->links == EPI_COIL;
  epi_show(to, &(epi_shape){.name = "anchor", .kind = EPI_BOX, .appearance = EPI_DARK, .size = {0.24*l, 0.24*l, 0.24*l}});
  for (int i = 0; i < row->n; i++, q += 2) {
    epi_show(to, &(epi_shape){.name = row->names[i], .kind = row->links, .appearance = EPI_STEEL,
                              .size = {coil ? 0.07*l : 0.03*l, coil ? 10 : 0},
                              .at = {x, 0, y}, .to = {q[0], 0, q[1]}});
    epi_show(to, &(epi_shape){.name = row->names[row->n + i], .kind = EPI_BALL, .appearance = EPI_BRIGHT, .size = {0.13*l},
                              .at = {q[0], 0, q[1]},
                              .trail = i == row->n - 1});
    x = q[0], y = q[1];
  }
}

const char *const *epi_row_names(epi_case *c, int n, const char *link, const char *mass)
{
  enum { LONG = 16 };
  static const char *const kinds[] = {"x", "y", "vx", "vy"};
  const char **name = epi_case_room(c, 10*(size_t)n, sizeof *name);
  char *text = name ? epi_case_room(c, 6*(size_t)n, LONG) : NULL;
  if (!text) return NULL;
  const char **unit = name + 4*n, **shape = unit + 4*n;
  for (int i = 0; i < 4*n; i++, text += LONG) {
    snprintf(text, LONG, "%s%d", kinds[i/(2*n)*2 + i%2], i%(2*n)/2 + 1);
    name[i] = text;
    unit[i] = i < 2*n ? "m" : "m/s";
  }
  for (int i = 0; i < 2*n; i++, text += LONG) {
    snprintf(text, LONG, "%s %d", i < n ? link : mass, i%n + 1);
    shape[i] = text;
  }
  return name;
}
