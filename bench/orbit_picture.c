/* orbit_picture.c - phase error against time: scaled among the other codes, and among the flows of this library */
#include "orbit.h"
#include "hmm.h"

/* beyond one radian the orbit is lost; a long scan is thinned */
static hmm_line line_of(const orbit_scan *o, const char *name)
{
  hmm_line l = {.name = name};
  for (int i = 0; i < o->n; i += o->n > HMM_POINTS ? 2 : 1) {
    if (!(o->at[i].phase < 1)) continue;
    l.x[l.n] = o->at[i].seconds;
    l.y[l.n++] = o->at[i].phase;
  }
  return l;
}

int orbit_picture(const char *file, const orbit_scan *all)
{
  static const struct { int panel, code; const char *name; } rows[] = {
    {0, ORBIT_SCALED, "epicycle scaled, order 8"}, {0, ORBIT_TENTH, "epicycle scaled, order 10"}, {0, ORBIT_PEERS, NULL},
    {0, ORBIT_PEERS + 1, NULL},
    {0, ORBIT_PEERS + 2, NULL}, {0, ORBIT_PEERS + 3, NULL},
    {1, ORBIT_SCALED, NULL}, {1, ORBIT_TENTH, NULL}, {1, ORBIT_DENSITY, NULL}, {1, ORBIT_SYMMETRIC, NULL}, {1, ORBIT_BY_HAND, NULL}
  };
  static hmm_panel panel[2];
  panel[0] = (hmm_panel){.title = "Kepler orbit, e = 0.8, 1000 periods", .across = "seconds", .up = "phase error"};
  panel[1] = (hmm_panel){.title = "flows of this library", .across = "seconds", .up = "phase error"};
  for (size_t i = 0; i < sizeof rows/sizeof *rows; i++) {
    const orbit_scan *o = &all[rows[i].code];
    hmm_panel *p = &panel[rows[i].panel];
    if (o->n) p->line[p->n++] = line_of(o, rows[i].name ? rows[i].name : o->code->name);
  }
  return hmm_plot(file, 2, panel);
}
