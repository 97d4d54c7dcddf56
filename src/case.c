/* case.c - cases: what a model and its parameters become, and what models share for that */
#include "case.h"
#include "text/text.h"
#include "letters.h"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- what the models share ---- */
static int refuse(epi_case *c, epi_cause cause, const char *words, va_list ap)
{
  int n = c->model ? snprintf(c->error, sizeof c->error, "%s: ", c->model->name) : 0;
  epi_sentence_print(c->error + n, sizeof c->error - (size_t)n, words, ap);
  c->cause = cause;
  return -1;
}

int epi_case_refuse(epi_case *c, const char *words, ...)
{
  va_list ap;
  va_start(ap, words);
  int bad = refuse(c, EPI_REQUEST, words, ap);
  va_end(ap);
  return bad;
}

int epi_case_refuse_cause(epi_case *c, epi_cause cause, const char *words, ...)
{
  va_list ap;
  va_start(ap, words);
  int bad = refuse(c, cause, words, ap);
  va_end(ap);
  return bad;
}

/* memory of a case: each block knows the one before it */
struct epi_block { struct epi_block *before; size_t size; max_align_t room[]; };

void *epi_case_room(epi_case *c, size_t count, size_t size)
{
  size_t head = sizeof(struct epi_block), fits = size ? (SIZE_MAX - head)/size : SIZE_MAX;
  struct epi_block *b = count <= fits ? calloc(1, head + count*size) : NULL;
  if (!b) {
    epi_case_refuse_cause(c, EPI_MEMORY, "out of memory: %zu bytes could not be had", count*size);
    return NULL;
  }
  b->before = c->blocks;
  b->size = count*size;
  c->blocks = b;
  return b->room;
}

size_t epi_case_room_behind(const epi_case *c, const void *at)
{
  for (const struct epi_block *b = c->blocks; b; b = b->before) {
    const char *from = (const char *)b->room, *to = from + b->size;
    if ((const char *)at >= from && (const char *)at < to) return (size_t)(to - (const char *)at);
  }
  return 0;
}

/* the second half is the copy that a state moves, so that the start stays */
int epi_case_start(epi_case *c)
{
  c->y = epi_case_room(c, 2*(size_t)epi_dim(&c->system), sizeof *c->y);
  return c->y ? 0 : -1;
}

#define POSITIVE " must be positive: give a number above zero"
int epi_case_positive(epi_case *c, int i)
{
  if (c->p[i] > 0) return 0;
  return epi_case_refuse(c, "%s = %g" POSITIVE, c->model->params[i].name, c->p[i]);
}

double epi_kinetic_plain(epi_system *s, double t, const double *y)
{
  (void)t;
  int n = epi_nv(s);
  const double *v = y + s->nq;
  double T = 0;
  for (int i = 0; i < n; i++) T += (s->mass ? s->mass[i] : 1)*v[i]*v[i];
  return T/2;
}

double epi_energy_plain(epi_system *s, double t, const double *y) { return s->energies.kinetic(s, t, y) + s->energies.potential(s, t, y); }

/* an energy does not change the system, though its slot, like every callback, takes it to write to */
double epi_case_energy(const epi_case *c, const epi_state *s) { return c->system.energy((epi_system *)&c->system, s->t, s->y); }

double epi_observe(const epi_case *c, const epi_observable *o, const epi_state *s)
{
  return o->observe ? o->observe(c, s, o->which) : o->value(c, s);
}

/* ---- cases ---- */
static int range_wrong(epi_case *c, const epi_param *p, double x)
{
  char room[64];
  const epi_range *r = &p->range;
  const char *words = epi_range_remedy(p, room, sizeof room);
  if (!r->words && r->least == 0 && r->most >= EPI_UNBOUNDED) words = r->open ? POSITIVE : " cannot be negative: give zero or more";
  return epi_range_holds(r, x) ? 0 : epi_case_refuse(c, "%s = %g%s", p->name, x, words);
}

static int read_parameters(epi_case *c, const char *text, const char *at)
{
  static const epi_param none[1];
  const epi_param *params = c->model->params ? c->model->params : none;
  size_t n = 0;
  while (params[n].name) n++;
  c->p = epi_case_room(c, n + 1, sizeof *c->p);
  if (!c->p || epi_read_options(text, at, c->model->name, params, c->p, &c->given, c->error, sizeof c->error, &c->cause)) return -1;
  for (size_t i = 0; i < n; i++)
    if (!isfinite(c->p[i])) return epi_case_refuse(c, "%s = %g is not finite: give a number", params[i].name, c->p[i]);
  for (size_t i = 0; i < n; i++) if (c->given[i] && range_wrong(c, &params[i], c->p[i])) return -1;
  return 0;
}

static int start_wrong(epi_case *c)
{
  char room[32];
  for (int i = 0; c->y && i < epi_size(&c->system); i++)
    if (!isfinite(c->y[i]))
      return epi_case_refuse(c, "%s is %g at the start: give a finite number", epi_coordinate(&c->system, i, room, sizeof room), c->y[i]);
  return 0;
}

/* the model is known, its parameters stand at `at` */
int epi_case_fill(epi_case *c, const char *text, const char *at)
{
  if (read_parameters(c, text, at)) return -1;
  c->parts = epi_case_room(c, EPI_PARTS, sizeof *c->parts);
  if (!c->parts) return -1;
  c->parts[0] = (epi_name){.name = "model", .system = &c->system};
  c->step = c->model->step;
  c->end = c->model->end;
  c->flow = c->model->flow;
  if (c->model->make(c)) return -1;
  if (c->model->smooth) c->system.traits.smooth = 1;
  if (c->theta == 0) c->theta = c->system.phase.theta0;
  if (start_wrong(c)) return -1;
  if (isfinite(c->step) && isfinite(c->end) && (c->step > 0 || !(c->model->step > 0))) return 0;
  return epi_case_refuse(c, "these parameters make steps of %g to t = %g: give less extreme ones", c->step, c->end);
}

epi_case *epi_case_made(epi_case *c, int bad)
{
  if (bad && !c->error[0]) epi_case_refuse(c, "the model could not be made");
  if (c->error[0] && !c->cause) c->cause = EPI_REQUEST;
  return c;
}

int epi_case_names(epi_case *c, const epi_name *more)
{
  size_t n = 0, m = 0;
  if (c->error[0]) return -1;
  while (c->parts[n].name) n++;
  while (more[m].name) m++;
  epi_name *all = epi_case_room(c, n + m + 1, sizeof *all);
  if (!all) return -1;
  memcpy(all, more, m*sizeof *all);
  memcpy(all + m, c->parts, n*sizeof *all);
  c->parts = all;
  return 0;
}

/* what a record of the user's lacks would end in a call of nothing */
static int incomplete(epi_case *c)
{
  const epi_model *m = c->model;
  if (!m || !m->name || !m->make) return epi_case_refuse(c, "a model needs at least a name and a make: fill them in");
  return 0;
}

epi_case *epi_case_of_abi(const epi_model *model, const char *text, const epi_abi *abi)
{
  epi_case *c = calloc(1, sizeof *c);
  if (!c || epi_abi_check(abi, c->error, sizeof c->error)) return c ? epi_case_made(c, 1) : NULL;
  c->model = model;
  if (!text) text = "";
  return epi_case_made(c, incomplete(c) || epi_case_fill(c, text, text));
}

epi_flow *epi_case_flow(epi_case *c, const char *text)
{
  if (!c) return epi_no_memory();
  if (!text) text = c->flow;
  if (!c->error[0] && !text)
    return epi_refused_flow(EPI_REQUEST, 0, "this model has no flow of its own: give one, such as \"verlet\", or let epi_choose find one");
  return c->error[0] ? epi_refused_flow(c->cause ? c->cause : EPI_REQUEST, 0, c->error) : epi_make_named(text, c->parts);
}

epi_state epi_case_state(epi_case *c)
{
  if (!c || !c->y) return (epi_state){0};
  size_t n = (size_t)epi_dim(&c->system);
  memcpy(c->y + n, c->y, n*sizeof *c->y);
  return (epi_state){.t = c->t, .theta = c->theta, .y = c->y + n};
}

/* ---- showing ---- */
int epi_case_draw(const epi_case *c, const epi_state *s, epi_scene *to)
{
  to->n = 0;
  if (c->model->draw) c->model->draw(c, s, to);
  else if (c->world) epi_world_draw(c->world, s, to);
  return to->n;
}

void epi_case_free(epi_case *c)
{
  if (!c) return;
  if (c->stiff) epi_free(c->stiff->probe);
  for (struct epi_block *b = c->blocks, *before; b; b = before) {
    before = b->before;
    free(b);
  }
  epi_world_free(c->world);
  free(c->given);
  free(c);
}

#undef epi_case_of
/* a program that was compiled before headers were compared calls this */
epi_case *epi_case_of(const epi_model *model, const char *text)
{
  (void)model, (void)text;
  return epi_case_of_abi(NULL, NULL, NULL);
}
