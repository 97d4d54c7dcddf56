/* keep.c - what a sweep keeps of a run: columns at the end, extremes and means over its rows, its events */
#include "keep.h"

typedef struct way { const char *name; keep_kind kind; } way;
static const way of_columns[] = {{"last", KEEP_LAST}, {"first", KEEP_FIRST}, {"min", KEEP_MIN}, {"max", KEEP_MAX}, {"mean", KEEP_MEAN},
                                 {"rms", KEEP_RMS}, {0}};
static const way of_events[] = {{"count", KEEP_COUNT}, {"first", KEEP_EARLIEST}, {"last", KEEP_LATEST}, {0}};

static int column_of(const epi_result *r, const char *name, size_t n)
{
  for (int i = 0; i < r->nout; i++) if (strlen(r->column[i].name) == n && !memcmp(r->column[i].name, name, n)) return i;
  return -1;
}

static int event_of(const epi_result *r, const char *name, size_t n)
{
  for (int i = 0; i < EPI_EVENT_KINDS && r->event_kind[i].name; i++)
    if (strlen(r->event_kind[i].name) == n && !memcmp(r->event_kind[i].name, name, n)) return i;
  return -1;
}

/* the nearest column */
static int no_such(const epi_result *r, const char *text, size_t n, char *error)
{
  char word[64];
  snprintf(word, sizeof word, "%.*s", (int)n, text);
  epi_near near = epi_near_to(word);
  for (int i = 0; i < r->nout; i++) epi_near_try(&near, r->column[i].name);
  if (near.best) return epi_say(error, -1, "there is no column '%s' to keep; did you mean %s?", word, near.best);
  return epi_say(error, -1, "there is no column '%s' to keep: `epicycle show` of the model names its observables", word);
}

/* NAME.at(3): a row has to be there */
static int read_at(const char *text, const epi_result *r, size_t n, keep *k, char *error)
{
  char word[40];
  const char *number = text + n + 4, *end = strchr(number, ')');
  if (!end || end[1] || (size_t)(end - number) >= sizeof word) return epi_say(error, -1, "'%.60s' is not NAME.at(TIME)", text);
  snprintf(word, sizeof word, "%.*s", (int)(end - number), number);
  if (!epi_number_read(word, &k->at)) return epi_say(error, -1, "'%.60s' is not NAME.at(TIME)", text);
  k->kind = KEEP_AT;
  k->column = column_of(r, text, n);
  if (k->column < 0) return no_such(r, text, n, error);
  if (!(k->at >= r->start && k->at <= r->end)) return epi_say(error, -1, "%.60s is not within the run, from %g to %g", text, r->start,
                                                              r->end);
  return 0;
}

static int read_way(const way *list, const char *word, keep *k)
{
  for (; list->name; list++) if (!strcmp(list->name, word)) return k->kind = list->kind, 0;
  return -1;
}

static int read_column(const char *text, const epi_result *r, size_t n, keep *k, char *error)
{
  k->column = column_of(r, text, n);
  if (k->column < 0) return no_such(r, text, n, error);
  return read_way(of_columns, text + n + 1, k) ?
    epi_say(error, -1, "%.60s: of a column there is last, first, min, max, mean, rms and at(TIME)", text) : 0;
}

/* at(NAME).count */
static int read_event(const char *text, const epi_result *r, keep *k, char *error)
{
  const char *end = strstr(text, ").");
  epi_near near = epi_near_to(text + 3);
  for (int i = 0; i < EPI_EVENT_KINDS && r->event_kind[i].name; i++) epi_near_try(&near, r->event_kind[i].name);
  if (!r->event_kind[0].name) return epi_say(error, -1, "%.60s: the flow has no events: put at around it, as in at(verlet, of=0)", text);
  if (!end || read_way(of_events, end + 2, k)) return epi_say(error, -1, "%.60s: of events there is at(%s).count, .first and .last", text,
                                                              r->event_kind[0].name);
  k->column = event_of(r, text + 3, (size_t)(end - text) - 3);
  return k->column < 0 ? epi_say(error, -1, "%.60s: there is no such event; those of the flow are called %s%s", text,
                                 near.best ? near.best : r->event_kind[0].name, r->event_kind[1].name ? " and otherwise" : "") : 0;
}

int epi_keep_read(const char *text, const epi_result *r, keep *k, char *error)
{
  const char *dot = strrchr(text, '.'), *at = strstr(text, ".at(");
  *k = (keep){.kind = KEEP_LAST, .column = column_of(r, text, strlen(text))};
  snprintf(k->name, sizeof k->name, "%s", text);
  int bad = 0;
  if (k->column >= 0) bad = 0;
  else if (!strcmp(text, "evaluations")) k->kind = KEEP_EVALUATIONS;
  else if (!strcmp(text, "steps")) k->kind = KEEP_STEPS;
  else if (!strcmp(text, "floquet")) k->kind = KEEP_MULTIPLIER;
  else if (!strcmp(text, "floquet.exponent")) k->kind = KEEP_EXPONENT;
  else if (!strncmp(text, "at(", 3)) bad = read_event(text, r, k, error);
  else if (at) bad = read_at(text, r, (size_t)(at - text), k, error);
  else if (dot) bad = read_column(text, r, (size_t)(dot - text), k, error);
  else bad = no_such(r, text, strlen(text), error);
  if (bad) return bad;
  const char *unit = k->kind <= KEEP_AT ? r->column[k->column].unit : k->kind == KEEP_EARLIEST || k->kind == KEEP_LATEST ? "s" :
    k->kind == KEEP_EXPONENT ? "1/s" : "";
  snprintf(k->unit, sizeof k->unit, "%s", unit ? unit : "");
  return 0;
}

int epi_keep_needs_rows(const keep *k) { return k->kind >= KEEP_MIN && k->kind <= KEEP_AT; }

void epi_keep_row(const keep *k, gathered *d, const epi_result *r)
{
  if (k->kind > KEEP_AT) return;
  double x = r->row[k->column], t = r->row[0], f = k->kind == KEEP_RMS ? x*x : x;
  int first = !d->seen;
  if (!first) d->sum += (t - d->t)*(f + d->f)/2;
  else d->value = k->kind == KEEP_AT ? NAN : x;
  if (k->kind == KEEP_AT && fabs(t - k->at) <= 1e-9*(r->end - r->start)) d->value = x;
  if ((k->kind == KEEP_MIN && !(x >= d->value)) || (k->kind == KEEP_MAX && !(x <= d->value))) d->value = x;
  d->t = t;
  d->f = f;
  d->seen = 1;
}

double epi_keep_value(const keep *k, const gathered *d, const epi_result *r)
{
  double span = r->row[0] - r->start, mean = span > 0 ? d->sum/span : d->f;
  const epi_event_kind *e = k->kind >= KEEP_COUNT && k->kind <= KEEP_LATEST ? &r->event_kind[k->column] : NULL;
  switch (k->kind) {
  case KEEP_LAST: return r->row[k->column];
  case KEEP_MEAN: return mean;
  case KEEP_RMS: return sqrt(mean);
  case KEEP_COUNT: return (double)e->seen;
  case KEEP_EARLIEST: return e->seen ? e->first : NAN;
  case KEEP_LATEST: return e->seen ? e->last : NAN;
  case KEEP_EVALUATIONS: return (double)r->calls;
  case KEEP_STEPS: return (double)r->steps;
  default: return d->value;
  }
}
