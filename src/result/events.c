/* events.c - the events of a run as they come: counted, in a file, in memory */
#include "recorder.h"

/* number, which, t, direction, state, observables */
static void lay_row(epi_recorder *a, const epi_event *e, int which, double *row)
{
  const epi_observable *o = a->c->model->observables;
  int n = epi_size(&a->c->system);
  epi_state s = {.t = e->t, .theta = e->theta, .y = row + 4};
  epi_case_moved_by(a->c, a->tree);
  row[0] = (double)a->r->events;
  row[1] = which;
  row[2] = e->t;
  row[3] = e->direction;
  memcpy(s.y, e->y, (size_t)n*sizeof *s.y);
  for (int i = 0; i < a->r->nobs; i++) row[4 + n + i] = epi_observe(a->c, &o[i], &s);
}

static int which_of(const epi_flow *f, const char *name)
{
  int i = 0;
  while (epi_event_name(f, i) && epi_event_name(f, i) != name) i++;
  return i;
}

static void keep(epi_event_list *l, const double *row, int columns)
{
  if (l->n == l->most) {
    long most = 2*l->most + 64;
    double *more = realloc(l->x, (size_t)most*(size_t)columns*sizeof *more);
    if (!more) { l->sick = 1; return; }
    l->x = more;
    l->most = most;
  }
  memcpy(l->x + l->n++*columns, row, (size_t)columns*sizeof *row);
}

static void count(epi_result *r, const epi_event *e, int which)
{
  if (which < EPI_EVENT_KINDS) {
    epi_event_kind *k = &r->event_kind[which];
    if (!k->seen) k->first = e->t;
    k->seen = e->number;
    k->last = e->t;
  }
  if (r->events < EPI_FIRST_EVENTS) {
    r->first_event[r->events].t = e->t;
    r->first_event[r->events].kind = which;
    r->first_event[r->events].direction = e->direction;
  }
  r->events++;
}

static void event(void *data, const epi_event *e)
{
  epi_recorder *a = data;
  epi_event_list *l = &a->events;
  int which = which_of(a->tree, e->name);
  /* a step that was interrupted begins again: the events inside it are there */
  if (which < EPI_EVENT_KINDS && e->number <= a->r->event_kind[which].seen) return;
  count(a->r, e, which);
  if (!l->row) return;
  lay_row(a, e, which, l->row);
  if (l->sheet && epi_sheet_event(l->sheet, e->name, l->row)) l->sick = 1;
  if (l->sheet && a->ask.unbuffered) a->r->event_bytes = epi_sheet_flush(l->sheet);
  if (a->ask.keep_events) keep(l, l->row, epi_event_columns(a->r));
}

int epi_events_listen(epi_recorder *a)
{
  epi_on_event(a->tree, event, a);
  if (!a->ask.events && !a->ask.keep_events) return 0;
  int observables = 0;
  const epi_observable *o = a->c->model->observables;
  while (o && o[observables].name) observables++;
  a->events.row = calloc((size_t)(4 + epi_size(&a->c->system) + observables), sizeof(double));
  return a->events.row ? 0 : -1;
}

int epi_events_open(epi_recorder *a, epi_sink_use use)
{
  return a->r->event_file && !(a->events.sheet = epi_sheet_open(a->r, EPI_EVENTS, use, NULL)) ? -1 : 0;
}

int epi_events_begin(epi_recorder *a)
{
  if (a->events.sheet && epi_sheet_begin(a->events.sheet)) a->events.sick = 1;
  return 0;
}

int epi_events_same(epi_recorder *a) { return a->events.sheet ? epi_sheet_same(a->events.sheet) : 0; }

int epi_events_again(epi_recorder *a)
{
  a->r->events = 0;
  for (int i = 0; i < EPI_EVENT_KINDS; i++) a->r->events += a->r->event_kind[i].seen;
  return a->events.sheet ? epi_sheet_again(a->events.sheet) : 0;
}

void epi_events_mark(epi_recorder *a)
{
  if (!a->events.sheet || a->events.sick) return;
  a->r->event_bytes = epi_sheet_mark(a->events.sheet);
  if (a->r->event_bytes < 0) a->events.sick = 1;
}

int epi_events_close(epi_recorder *a, char *error, size_t size)
{
  int bad = a->events.sheet ? epi_sheet_close(a->events.sheet, error, size) : 0;
  a->events.sheet = NULL;
  if (!bad && a->events.sick) { snprintf(error, size, "out of memory: not all events could be kept"); bad = -1; }
  return bad;
}

void epi_events_drop(epi_recorder *a)
{
  char ignored[64];
  epi_events_close(a, ignored, sizeof ignored);
  free(a->events.x);
  free(a->events.row);
}

const double *epi_result_event(const epi_result *r, long i)
{
  const epi_event_list *l = r->recorder ? &r->recorder->events : NULL;
  return l && i >= 0 && i < l->n ? l->x + i*epi_event_columns(r) : NULL;
}
