/* drawing.c - what the model of a run looked like at the rows that were kept */
#include "recorder.h"

enum { AT = 0, ATTITUDE = 3, TO = 7 };

/* the state of a row: the phase follows the time */
static epi_state state_of(const epi_case *c, double *row)
{
  return (epi_state){.t = row[0], .y = row + 1, .theta = c->theta + c->system.phase.phase_rate*(row[0] - c->t)};
}

static void channels_of(const epi_shape *s, double *x)
{
  static const double still[4] = {1, 0, 0, 0};
  const double *a = s->attitude;
  memcpy(x + AT, s->at, sizeof s->at);
  memcpy(x + ATTITUDE, a[0] == 0 && a[1] == 0 && a[2] == 0 && a[3] == 0 ? still : a, sizeof still);
  memcpy(x + TO, s->to, sizeof s->to);
}

static const char *put(char **at, const char *word)
{
  char *to = *at;
  if (!word) return NULL;
  strcpy(to, word);
  *at += strlen(word) + 1;
  return to;
}

/* shapes, numbers, then the words; they belong to the model, and the drawing may outlive it */
static epi_drawing *lay(epi_recorder *a, const epi_shape *first, int n, int rows)
{
  size_t words = 0, numbers = (size_t)n*(size_t)rows*EPI_CHANNELS;
  for (int i = 0; i < n; i++) words += (first[i].name ? strlen(first[i].name) + 1 : 0) + (first[i].unit ? strlen(first[i].unit) + 1 : 0);
  size_t size = sizeof(epi_drawing) + (size_t)n*sizeof *first + numbers*sizeof(double) + words;
  epi_drawing *d = a->ask.room ? a->ask.room(a->ask.data, size) : calloc(1, size);
  if (!d) return NULL;
  *d = (epi_drawing){.size = size, .self = d, .shapes = n, .rows = rows, .shape = (epi_shape *)(d + 1)};
  d->x = (double *)(d->shape + n);
  char *at = (char *)(d->x + numbers);
  for (int i = 0; i < n; i++) {
    d->shape[i] = first[i];
    d->shape[i].name = put(&at, first[i].name);
    d->shape[i].unit = put(&at, first[i].unit);
  }
  return d;
}

static int draw(epi_recorder *a, epi_shape *first, epi_shape *now, int n)
{
  epi_reel *kept = &a->r->kept;
  epi_drawing *d = NULL;
  for (int i = 0; i < kept->rows; i++) {
    epi_state s = state_of(a->c, kept->x + (size_t)i*(size_t)kept->n);
    epi_scene scene = {.room = n, .shape = i ? now : first};
    int there = epi_case_draw(a->c, &s, &scene);
    if (!d && !(d = lay(a, first, n, kept->rows))) return -1;
    double *x = d->x + (size_t)i*(size_t)n*EPI_CHANNELS;
    for (int k = 0; k < n; k++) channels_of(k < there ? &scene.shape[k] : &first[k], x + (size_t)k*EPI_CHANNELS);
  }
  a->r->drawing = d;
  return 0;
}

int epi_result_draw(epi_result *r)
{
  epi_recorder *a = r->recorder;
  epi_scene none = {0};
  if (r->drawing || !a || !r->kept.rows) return 0;
  epi_state s = state_of(a->c, r->kept.x);
  int n = epi_case_draw(a->c, &s, &none);
  if (n <= 0) return 0;
  epi_shape *shapes = calloc(2*(size_t)n, sizeof *shapes);
  int bad = !shapes || draw(a, shapes, shapes + n, n);
  free(shapes);
  if (bad) snprintf(r->error, sizeof r->error, "out of memory: the run is whole, but its bodies could not be drawn");
  return bad ? -1 : 0;
}

static void *moved(const void *p, const void *from, void *to) { return p ? (char *)to + ((const char *)p - (const char *)from) : NULL; }

epi_drawing *epi_drawing_at(void *block)
{
  epi_drawing *d = block;
  const void *self = d->self;
  d->shape = moved(d->shape, self, block);
  d->x = moved(d->x, self, block);
  for (int i = 0; i < d->shapes; i++) {
    d->shape[i].name = moved(d->shape[i].name, self, block);
    d->shape[i].unit = moved(d->shape[i].unit, self, block);
  }
  d->self = block;
  return d;
}
