/* own.c - a system that another language describes, slot by slot: as function pointers, or by posts of arrays */
#include "job.h"
#include "epicycle/method.h"
#include <stddef.h>

/* ---- posts: in is filled, the function called, out read ---- */
enum { FORCE, FORCED, VELOCITY_FORCE, RATE, PHASE_RATE, MASS_SOLVE, CONSTRAINT, JACOBIAN, CONSTRAINT_RATE, ENERGY, KINETIC, POTENTIAL };

static const epi_own *own_of(const epi_system *s) { return s->data; }
static double *put(double *in, const double *x, int n) { memcpy(in, x, (size_t)n*sizeof *x); return in + n; }
static void take(double *x, const post *p, long n) { memcpy(x, p->out, (size_t)n*sizeof *x); }

static int force(epi_system *s, double t, const double *q, double *f)
{
  const post *p = &own_of(s)->post[FORCE];
  put(p->in, q, s->nq);
  int bad = p->call(t, 0);
  take(f, p, epi_nv(s));
  return bad;
}

static int forced(epi_system *s, double t, double theta, const double *q, double *f)
{
  const post *p = &own_of(s)->post[FORCED];
  put(p->in, q, s->nq);
  int bad = p->call(t, theta);
  take(f, p, epi_nv(s));
  return bad;
}

static int velocity_force(epi_system *s, double t, const double *q, const double *v, double *f)
{
  const post *p = &own_of(s)->post[VELOCITY_FORCE];
  put(put(p->in, q, s->nq), v, epi_nv(s));
  int bad = p->call(t, 0);
  for (int i = 0; i < epi_nv(s); i++) f[i] += p->out[i];
  return bad;
}

static int rate(epi_system *s, double t, const double *y, double *dy)
{
  const post *p = &own_of(s)->post[RATE];
  put(p->in, y, epi_dim(s));
  int bad = p->call(t, 0);
  take(dy, p, epi_all_rate(s) ? epi_dim(s) : s->nz);
  return bad;
}

static int mass_solve(epi_system *s, const double *q, double *a)
{
  const post *p = &own_of(s)->post[MASS_SOLVE];
  put(put(p->in, q, s->nq), a, epi_nv(s));
  int bad = p->call(0, 0);
  take(a, p, epi_nv(s));
  return bad;
}

static int constraint(epi_system *s, double t, const double *q, double *g, double *G, double *gt)
{
  const post *p = own_of(s)->post;
  double *const to[] = {g, G, gt};
  const long sizes[] = {s->nc, (long)s->nc*epi_nv(s), s->nc};
  for (int i = 0, bad; i < 3; i++) {
    if (!to[i] || !p[CONSTRAINT + i].call) continue;
    put(p[CONSTRAINT + i].in, q, s->nq);
    if ((bad = p[CONSTRAINT + i].call(t, 0))) return bad;
    take(to[i], &p[CONSTRAINT + i], sizes[i]);
  }
  return 0;
}

/* a number of the whole state; one that could not be had is none */
static double number(const post *p, double t, const double *y, int n)
{
  put(p->in, y, n);
  return p->call(t, 0) ? NAN : p->out[0];
}
static double phase_rate(epi_system *s, double t) { return number(&own_of(s)->post[PHASE_RATE], t, NULL, 0); }
static double energy(epi_system *s, double t, const double *y) { return number(&own_of(s)->post[ENERGY], t, y, epi_dim(s)); }
static double kinetic(epi_system *s, double t, const double *y) { return number(&own_of(s)->post[KINETIC], t, y, epi_dim(s)); }
static double potential(epi_system *s, double t, const double *y) { return number(&own_of(s)->post[POTENTIAL], t, y, epi_dim(s)); }
static double event(void *data, double t, const double *y)
{
  const post *p = data;
  return number(p, t, y, p->n);
}

/* ---- slots by their names ---- */
typedef void any(void);
typedef struct slot { const char *name; size_t at; int post; any *by; } slot;
#define AT(member) offsetof(epi_system, member)
static const slot slots[] = {
  {"force", AT(force), FORCE, (any *)force},
  {"forced", AT(phase.forced), FORCED, (any *)forced},
  {"velocity_force", AT(velocity_force), VELOCITY_FORCE, (any *)velocity_force},
  {"rate", AT(rate), RATE, (any *)rate},
  {"phase_rate_at", AT(phase.phase_rate_at), PHASE_RATE, (any *)phase_rate},
  {"mass_solve", AT(inertia.mass_solve), MASS_SOLVE, (any *)mass_solve},
  {"constraint", AT(constraint), CONSTRAINT, (any *)constraint},
  {"jacobian", AT(constraint), JACOBIAN, (any *)constraint},
  {"constraint_rate", AT(constraint), CONSTRAINT_RATE, (any *)constraint},
  {"energy", AT(energy), ENERGY, (any *)energy},
  {"kinetic", AT(energies.kinetic), KINETIC, (any *)kinetic},
  {"potential", AT(energies.potential), POTENTIAL, (any *)potential},
  {"forces", AT(batch.forces), -1, NULL}, {"lift", AT(phase.lift), -1, NULL}, {"speed", AT(inertia.speed), -1, NULL},
  {"constraint_increment", AT(constraints.constraint_increment), -1, NULL}, {"retract", AT(manifold.retract), -1, NULL},
  {"slope", AT(jacobian.slope), -1, NULL},
  {"objective", AT(energies.objective), -1, NULL}, {"gap", AT(contacts.gap), -1, NULL},
};

static const slot *slot_of(const char *name)
{
  for (size_t i = 0; i < sizeof slots/sizeof *slots; i++) if (!strcmp(slots[i].name, name)) return &slots[i];
  return NULL;
}

static int refuse(epi_own *o, const char *words, const char *name)
{
  if (!o->error[0]) snprintf(o->error, sizeof o->error, words, name);
  return EPI_WRONG;
}

/* function pointers have a place of their own in a system */
static void write_slot(epi_own *o, size_t at, any *f) { memcpy((char *)&o->system + at, &f, sizeof f); }

static int add_event(epi_own *o, const char *name, epi_name e)
{
  int n = 0;
  while (o->names[n].name) n++;
  if (n == EPI_OWN_EVENTS) return refuse(o, "there is no room for %s: 64 events are the most", name);
  snprintf(o->event[n].name, sizeof o->event[n].name, "%s", name);
  if (!e.gap) { e.gap = event; e.data = &o->event[n].post; }
  e.name = o->event[n].name;
  o->names[n] = e;
  return 0;
}

int epi_own_call(epi_own *o, const char *name, void (*f)(void))
{
  const slot *s = slot_of(name);
  if (!f) return refuse(o, "%s: the function is missing", name);
  if (!strncmp(name, "event", 5)) return add_event(o, name, (epi_name){.gap = (epi_gap *)f});
  if (!s || s->post == JACOBIAN || s->post == CONSTRAINT_RATE) return refuse(o, "a system has no function '%s'", name);
  write_slot(o, s->at, f);
  return 0;
}

int epi_own_post(epi_own *o, const char *name, epi_post *f, double *in, const double *out)
{
  const slot *s = slot_of(name);
  post p = {.call = f, .in = in, .out = out, .n = epi_dim(&o->system)};
  if (!f || !in || !out) return refuse(o, "%s: the function or its arrays are missing", name);
  if (!strncmp(name, "event", 5)) {
    if (add_event(o, name, (epi_name){0})) return EPI_WRONG;
    int n = 0;
    while (o->names[n + 1].name) n++;
    o->event[n].post = p;
    return 0;
  }
  if (!s || s->post < 0) return refuse(o, "'%s' is no function that takes arrays", name);
  if (o->system.data && o->system.data != o) return refuse(o, "%s: compiled functions with data of their own go with no others", name);
  o->post[s->post] = p;
  o->system.data = o;
  write_slot(o, s->at, s->by);
  return 0;
}

int epi_own_data(epi_own *o, void *data)
{
  if (o->system.data == o) return refuse(o, "%s are for compiled functions alone, and there are others", "data");
  o->system.data = data;
  return 0;
}

int epi_own_numbers(epi_own *o, const char *name, const double *x, long n)
{
  epi_system *s = &o->system;
  const long nv = epi_nv(s);
  double *const single[] = {&s->phase.phase_rate, &s->phase.theta0, &s->phase.period, &o->conserved, &o->backward};
  static const char *const words[] = {"phase_rate", "theta0", "period", "conserved", "backward"};
  if (!strcmp(name, "smooth")) return n == 1 ? s->traits.smooth = *x != 0, 0 : refuse(o, "%s is one number", name);
  for (int i = 0; i < 5; i++)
    if (!strcmp(name, words[i])) return n == 1 ? *single[i] = *x, 0 : refuse(o, "%s is one number", name);
  int matrix = !strcmp(name, "mass_matrix");
  if (!matrix && strcmp(name, "mass")) return refuse(o, "a system has no numbers '%s'", name);
  if (n != (matrix ? nv*nv : nv))
    return refuse(o, matrix ? "%s has nv x nv numbers" : "%s has as many numbers as there are velocities", name);
  double *mass = malloc((size_t)n*sizeof *mass);
  if (!mass) return refuse(o, "out of memory: %s", name);
  free(o->mass);
  o->mass = memcpy(mass, x, (size_t)n*sizeof *x);
  s->mass = matrix ? NULL : mass;
  s->inertia.mass_matrix = matrix ? mass : NULL;
  return 0;
}

/* ---- the system as a model, so that it is chosen for, run and told of as any other ---- */
static double seen_energy(const epi_case *c, const epi_state *s) { return c->system.energy((epi_system *)&c->system, s->t, s->y); }

int epi_own_make(epi_case *c)
{
  const epi_own *o = (const epi_own *)c->model;
  c->system = o->system;
  c->theta = o->system.phase.theta0;
  return epi_case_start(c);
}

epi_own *epi_own_new(int nq, int nv, int nz, int nc)
{
  epi_own *o = calloc(1, sizeof *o);
  if (!o) return NULL;
  o->system = (epi_system){.nq = nq, .nv = nv, .nz = nz, .nc = nc};
  o->conserved = -1;
  o->model = (epi_model){.name = "system", .doc = "a system of the caller's", .make = epi_own_make, .observables = o->seen};
  if (nq < 0 || nv < 0 || nz < 0 || nc < 0 || nq + nz == 0)
    refuse(o, "the sizes of the %s are wrong: it needs positions or first-order variables", "system");
  return o;
}

/* what is missing is said before anything is called */
int epi_own_complete(epi_own *o)
{
  const epi_system *s = &o->system;
  int moved = s->velocity_force || s->phase.forced || s->rate;
  if (s->energy) o->seen[0] = (epi_observable){.name = "energy", .unit = "", .value = seen_energy,
                                               .invariant = o->conserved < 0 ? !moved : o->conserved != 0};
  if (o->error[0]) return EPI_WRONG;
  if (!s->force && !s->phase.forced && !s->rate && !s->velocity_force && !s->batch.forces)
    return refuse(o, "the %s has neither a force nor a rate: give it one", "system");
  if (s->constraint == constraint && (!o->post[CONSTRAINT].call || !o->post[JACOBIAN].call))
    return refuse(o, "a constraint needs its %s too, and the other way round", "jacobian");
  if (s->nc && !s->constraint) return refuse(o, "the %s has constraints and no function for them", "system");
  const char *why = NULL;
  if (o->backward == 0 || !epi_own_turn(o, &why)) return 0;
  return why ? refuse(o, "backward in time %s is not known: leave it out", why) : refuse(o, "out of memory: the %s", "system");
}

const char *epi_own_error(const epi_own *o) { return o->error; }

void epi_own_free(epi_own *o)
{
  if (!o) return;
  free(o->mass);
  free(o->turned);
  free(o);
}
