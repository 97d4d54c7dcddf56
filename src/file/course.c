/* course.c - numbers as functions of time: oscillations, and straight lines between points */
#include "model-file.h"
#include <math.h>

#define PI 3.14159265358979323846

const field epi_course_keys[] = {
  {.name = "amplitude", .kind = OWN, .at = 0}, {.name = "frequency", .kind = OWN, .at = 0}, {.name = "phase", .kind = OWN, .at = 0},
    {.name = "offset", .kind = OWN, .at = 0},
  {.name = "table", .kind = OWN, .at = 0}, {0}
};

double epi_course_at(const course *c, double t, double *rate)
{
  *rate = 0;
  if (!c->n) {
    double w = 2*PI*c->frequency, x = w*t + c->phase;
    *rate = c->amplitude*w*cos(x);
    return c->offset + c->amplitude*sin(x);
  }
  int i = 0;
  if (t <= c->t[0]) return c->x[0];
  while (i + 1 < c->n && t > c->t[i+1]) i++;
  if (i + 1 == c->n) return c->x[i];
  *rate = (c->x[i+1] - c->x[i])/(c->t[i+1] - c->t[i]);
  return c->x[i] + *rate*(t - c->t[i]);
}

double epi_course_sum(const course *c, double t)
{
  double rate, x = epi_course_at(c, t, &rate);
  if (!c->n) {
    double w = 2*PI*c->frequency;
    return c->offset*t + (w > 0 ? c->amplitude/w*(cos(c->phase) - cos(w*t + c->phase)) : 0);
  }
  if (t <= c->t[0]) return (t - c->t[0])*x;
  int i = 0;
  while (i + 1 < c->n && t > c->t[i+1]) i++;
  return c->sum[i] + 0.5*(t - c->t[i])*(c->x[i] + x);
}

static int read_table(source *s, const item *it, const char *name, const char *unit, course *c)
{
  if (it->kind != ITEM_LIST || it->n < 2)
    return epi_document_wrong(s->d, it, "%s: table is %s: write two points at least, as in [[0, 0], [0.1, 1]]", name, epi_item_what(it));
  double *room = epi_pool_room(&s->d->pool, 3*(size_t)it->n, sizeof *room);
  if (!room) return REFUSED;
  c->t = room;
  c->x = room + it->n;
  c->sum = room + 2*it->n;
  for (int i = 0; i < it->n; i++) {
    const item *p = it->part[i];
    if (p->kind != ITEM_LIST || p->n != 2)
      return epi_document_wrong(s->d, p, "%s: a point of the table is %s: write [time, value]", name, epi_item_what(p));
    if (epi_field_number(s, p->part[0], "time", "s", &c->t[i]) || epi_field_number(s, p->part[1], name, unit, &c->x[i])) return REFUSED;
    if (i && !(c->t[i] > c->t[i-1]))
      return epi_document_wrong(s->d, p, "%s: the time %g is not after %g: write the points in order", name, c->t[i], c->t[i-1]);
    if (i) c->sum[i] = c->sum[i-1] + 0.5*(c->t[i] - c->t[i-1])*(c->x[i] + c->x[i-1]);
  }
  c->n = it->n;
  return 0;
}

/* NULL after the sentence */
course *epi_course_read(source *s, const item *it, const char *name, const char *unit)
{
  course *c = epi_pool_room(&s->d->pool, 1, sizeof *c);
  const item *table = epi_item_of(it, "table"), *amplitude = epi_item_of(it, "amplitude"), *frequency = epi_item_of(it, "frequency"),
    *phase = epi_item_of(it, "phase"), *offset = epi_item_of(it, "offset");
  int bad = 0;
  if (!c) return NULL;
  if (it->kind != ITEM_MAP)
    bad = epi_document_wrong(s->d, it, "%s is %s: write {table: [[0, 0], [0.1, 1]]}, or amplitude and frequency", name, epi_item_what(it));
  else if (table && (amplitude || frequency || phase || offset))
    bad = epi_document_wrong(s->d, table, "%s has a table and an oscillation: take one of them away", name);
  else if (table) bad = read_table(s, table, name, unit, c);
  else if (!amplitude || !frequency)
    bad = epi_field_missing(s->d, it, name, amplitude ? "frequency" : "amplitude", "amplitude and frequency, or a table of points");
  else {
    bad = epi_field_number(s, amplitude, "amplitude", unit, &c->amplitude);
    bad |= epi_field_number(s, frequency, "frequency", "Hz", &c->frequency);
    if (phase) bad |= epi_field_number(s, phase, "phase", "rad", &c->phase);
    if (offset) bad |= epi_field_number(s, offset, "offset", unit, &c->offset);
    if (!bad && !(c->frequency > 0))
      bad = epi_document_wrong(s->d, frequency, "frequency = %g must be positive: write a number above zero in Hz", c->frequency);
  }
  return bad ? NULL : c;
}
