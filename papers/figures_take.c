/* figures_take.c - the runs behind drawings: systems of any size, with their observables and multipliers */
#include "figures.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t width(const take *r) { return (size_t)(r->size + r->nobs + 2*r->nc); }

const double *take_row(const take *r, int k) { return r->row + (size_t)k*width(r); }

static void make_room(take *r)
{
  int room = 2*r->room + 256;
  double *t = need((size_t)room*sizeof *t), *row = need((size_t)room*width(r)*sizeof *row);
  if (r->n) memcpy(t, r->t, (size_t)r->n*sizeof *t), memcpy(row, r->row, (size_t)r->n*width(r)*sizeof *row);
  free(r->t);
  free(r->row);
  r->t = t;
  r->row = row;
  r->room = room;
}

static void note(take *r, const epi_state *s)
{
  if (r->n == r->room) make_room(r);
  double *row = r->row + (size_t)r->n*width(r);
  r->t[r->n++] = s->t;
  memcpy(row, s->y, (size_t)r->size*sizeof *row);
  for (int i = 0; i < r->nobs; i++) row[r->size + i] = r->c->model->observables[i].value(r->c, s);
  if (s->lambda) memcpy(row + r->size + r->nobs, s->lambda, 2*(size_t)r->nc*sizeof *row);
}

static int see(void *to, const epi_system *system, epi_state *s)
{
  (void)system;
  note(to, s);
  return 0;
}

static epi_flow *flow_of(take *r)
{
  epi_name names[16] = {0};
  int n = 0;
  for (; n < 14 && r->c->parts[n].name; n++) names[n] = r->c->parts[n];
  names[n] = (epi_name){.name = "note", .see = see, .data = r};
  char *words = motion_flow(r->of, r->c);
  epi_flow *f = epi_make_named(words, names);
  free(words);
  return f;
}

/* a text that shows its rows itself runs to the end in one go; else the rows are its steps */
static int drive(take *r, epi_flow *f, epi_state *s)
{
  const motion *m = r->of;
  double end = m->steps ? (double)m->steps*m->step : m->end;
  if (strstr(m->flow, "see=note")) return epi_run(f, s, end, m->step);
  int bad = 0;
  for (long k = 0, n = lround(end/m->step); k < n && !bad; k++)
    if (!(bad = epi_advance(f, s, m->step, 1))) note(r, s);
  return bad;
}

take *take_make(const motion *m)
{
  take *r = need(sizeof *r);
  *r = (take){.of = m, .c = epi_case_make(m->model)};
  if (!r->c || r->c->error[0]) {
    r->failure = text("%s", r->c ? r->c->error : "out of memory");
    return r;
  }
  r->size = epi_size(&r->c->system);
  r->nc = r->c->system.nc;
  while (r->c->model->observables[r->nobs].name) r->nobs++;
  epi_flow *f = flow_of(r);
  epi_state s = epi_case_state(r->c);
  if (r->nc) s.lambda = need(2*(size_t)r->nc*sizeof *s.lambda);
  note(r, &s);
  if (epi_error(f) || drive(r, f, &s)) r->failure = text("%s", epi_error(f) ? epi_error(f) : "the run ended early");
  r->absent = epi_cause_of(f) == EPI_ABSENT;
  free(s.lambda);
  epi_free(f);
  return r;
}

/* SHAKE's multiplier at a point is the mean of the two halves of RATTLE's that act there */
static double lambda(const take *r, int i, int k)
{
  int at = r->size + r->nobs + i;
  if (i < 0 || i >= r->nc) return NAN;
  double after = k + 1 < r->n ? take_row(r, k + 1)[at] : NAN, before = take_row(r, k)[at + r->nc];
  return k ? (after + before)/2 : after;
}

double take_value(const take *r, const char *name, int k)
{
  const epi_observable *o = r->c->model->observables;
  const char *const *names = r->c->system.names;
  if (!strcmp(name, "t")) return r->t[k];
  if (!strncmp(name, "lambda", 6)) return lambda(r, name[6] - '1', k);
  for (int i = 0; i < r->nobs; i++)
    if (!strcmp(o[i].name, name)) return take_row(r, k)[r->size + i];
  for (int i = 0; names && i < r->size; i++)
    if (!strcmp(names[i], name)) return take_row(r, k)[i];
  return NAN;
}

int take_at(const take *r, double t)
{
  for (int low = 0, high = r->n - 1; low <= high;) {
    int k = (low + high)/2;
    if (fabs(r->t[k] - t) <= 1e-9*fmax(1, fabs(t))) return k;
    if (r->t[k] < t) low = k + 1;
    else high = k - 1;
  }
  return -1;
}

void takes_free(take *r)
{
  for (take *next; r; r = next) {
    next = r->next;
    free(r->t);
    free(r->row);
    free(r->failure);
    epi_case_free(r->c);
    free(r);
  }
}
