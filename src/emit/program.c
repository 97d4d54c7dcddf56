/* program.c - a whole program: the model from its source, the functions of the flow, and who runs them; and the numbers of its cases */
#include "emitting.h"
#include "average/window.h"
#include "case.h"

enum { HEAD = 7 };                     /* the numbers of a case before its masses */

/* the slots that are emitted, and what must not be there */
static int check_model(const epi_system *m, char *error)
{
  const char *why = m->nc ? "constraints" : m->manifold.retract ? "rotations" : m->inertia.speed ? "momenta with a speed of their own" :
    m->inertia.mass_matrix || m->inertia.mass_solve ? "a mass that is not diagonal" : m->phase.phase_rate_at
      ? "a phase whose rate changes" :
    m->contacts.ng ? "contacts" : m->derived ? "a system made of others" : NULL;
  if (why) return epi_say(error, -1, "models with %s are not emitted: leave --on out, and the library itself runs them", why);
  if (epi_nv(m) != m->nq && !epi_all_rate(m)) return epi_say(error, -1, "a model needs as many velocities as positions to be emitted");
  return 0;
}

typedef struct { epi_callback force, velocity_force, rate; } callbacks;

static int find_callbacks(const epi_system *m, const char *source, callbacks *c, char *error)
{
  if (m->force && epi_source_callback(source, "force", &c->force, error)) return -1;
  if (m->phase.forced && epi_source_callback(source, "forced", &c->force, error)) return -1;
  if (m->velocity_force && epi_source_callback(source, "velocity_force", &c->velocity_force, error)) return -1;
  return m->rate ? epi_source_callback(source, "rate", &c->rate, error) : 0;
}

static void print_model(epi_pages *o, const epi_system *m, const callbacks *c)
{
  const char *force = c->force.name, *drag = c->velocity_force.name, *rate = c->rate.name;
  int divided = m->mass && !m->inertia.accel;
  epi_print(o, "#define LANE_FORCED_0 %d\n"
            "static void lane_divide_0(epi_system *m, double *a) { (void)m; (void)a; %s}\n"
            "static int lane_accel_0(epi_system *m, lane_memory *k, double t, double theta, const double *q, double *a)\n{\n"
            "  (void)k; (void)theta; (void)t; (void)q; (void)a; (void)m;\n  int bad = ", m->phase.forced != NULL,
            divided ? "for (int i = 0; i < LANE_NV; i++) a[i] /= m->mass[i]; " : "");
  if (*force) epi_print(o, m->phase.forced ? "%s(m, t, theta, q, a)" : "%s(m, t, q, a)", force);
  else epi_print(o, "LANE_WRONG");
  epi_print(o, ";\n  lane_divide_0(m, a);\n  return bad;\n}\n"
            "static int lane_drag_0(epi_system *m, lane_memory *k, double t, const double *q, const double *v, double *f)\n{\n"
            "  (void)k; (void)t; (void)q; (void)v; (void)f; (void)m;\n  return ");
  if (*drag) epi_print(o, "%s(m, t, q, v, f)", drag);
  else epi_print(o, "0");
  epi_print(o, ";\n}\nstatic int lane_rate_0(epi_system *m, lane_memory *k, double t, double theta, const double *y, double *dy)\n{\n"
            "  (void)k; (void)theta;\n");
  if (epi_all_rate(m)) { epi_print(o, "  return %s(m, t, y, dy);\n}\n", rate); return; }
  epi_print(o, "  int bad = 0;\n  for (int i = 0; i < LANE_NV; i++) { dy[i] = y[LANE_NV + i]; dy[LANE_NV + i] = 0; }\n");
  if (*force) epi_print(o, m->phase.forced ? "  bad = %s(m, t, theta, y, dy + LANE_NV);\n" : "  bad = %s(m, t, y, dy + LANE_NV);\n", force);
  if (*drag) epi_print(o, "  if (!bad) bad = %s(m, t, y, y + LANE_NV, dy + LANE_NV);\n", drag);
  epi_print(o, "  lane_divide_0(m, dy + LANE_NV);\n");
  if (*rate) epi_print(o, "  if (!bad) bad = %s(m, t, y, dy + 2*LANE_NV);\n", rate);
  epi_print(o, "  return bad;\n}\n");
}

/* what a callback may ask of its system */
static const char system_words[] =
  "typedef struct epi_system epi_system;\n"
  "#ifdef __cplusplus\n"
  "struct lane_any { void *at; template<class T> operator T *() const { return (T *)at; } };\n"
  "#define LANE_DATA(m, x) ((m).data.at = (x))\n"
  "#else\n"
  "#include <math.h>\n"
  "#pragma GCC diagnostic error \"-Wimplicit-function-declaration\"\n"
  "#define lane_any void *\n"
  "#define LANE_DATA(m, x) ((m).data = (x))\n"
  "#endif\n"
  "struct lane_phase { double phase_rate, period, theta0; };\n"
  "struct epi_system { int nq, nv, nz; struct lane_phase phase; const double *mass, *average; lane_any data; };\n"
  "enum { EPI_DONE = 0, EPI_TOO_FAR = 1, EPI_WRONG = -1, EPI_STOPPED = -1000 };\n"
  "#ifndef EPI_PI\n#define EPI_PI 3.14159265358979323846\n#endif\n"
  "#ifndef M_PI\n#define M_PI 3.14159265358979323846\n#endif\n"
  "#ifndef HUGE_VAL\n#define HUGE_VAL (1e308*10)\n#endif\n"
  "#ifndef NULL\n#define NULL 0\n#endif\n";

static int masses_of(const epi_system *m) { return epi_nv(m) > 0 ? epi_nv(m) : 1; }

static size_t data_of(const epi_case *c)
{
  size_t n = 0;
  while (c->model && c->model->params && c->model->params[n].name) n++;
  if (!c->system.data) return 0;
  if (c->system.data == c->p) return n*sizeof(double);
  return epi_case_room_behind(c, c->system.data);
}

/* one of its numbers is an address in the case, which the program does not have */
static int has_pointer(const epi_case *c, size_t n)
{
  for (size_t i = 0; i + sizeof(void *) <= n; i += sizeof(void *)) {
    void *at;
    memcpy(&at, (const char *)c->system.data + i, sizeof at);
    if (at && (at == (void *)c || at == (void *)c->p || epi_case_room_behind(c, at))) return 1;
  }
  return 0;
}

/* the program is of a system with these functions */
static int same_shape(const epi_system *a, const epi_system *b)
{
  return a->nq == b->nq && epi_nv(a) == epi_nv(b) && a->nz == b->nz && a->force == b->force && a->phase.forced == b->phase.forced
    && a->velocity_force == b->velocity_force && a->rate == b->rate && !a->inertia.accel == !b->inertia.accel && !a->mass == !b->mass;
}

static void print_sizes(epi_pages *o, const epi_emitted *e, const epi_system *m, int nodes)
{
  epi_print(o, "#define LANE_NQ %d\n#define LANE_NV %d\n#define LANE_NZ %d\n#define LANE_DIM %d\n#define LANE_NODES %d\n"
            "#define LANE_AVERAGES %d\n#define LANE_IN %d\n#define LANE_OUT %d\n#define LANE_SAID_NV %d\n", m->nq, e->masses, m->nz,
            e->dim, nodes, e->averages, e->in, e->out, m->nv);
}

/* how many nodes and averages there are is known when they are printed, and stands before them */
static void put_together(epi_emitted *e, epi_printer *p, const epi_system *m, const callbacks *c, const char *source, int root)
{
  epi_pages all = {0};
  e->averages = p->systems - 1;
  for (int i = 0; i < e->averages; i++) {
    const epi_flow *f = p->average[i];
    const epi_value *period = epi_arg(f, "period"), *theta0 = epi_arg(f, "theta0");
    const epi_window *w = epi_window_of(f);
    e->average[i].period = period->given ? period->number : NAN;
    e->average[i].theta0 = theta0->given ? theta0->number : NAN;
    e->average[i].leak = w ? w->leak : 0;
    e->average[i].strobe = !w;
  }
  e->in = HEAD + e->masses + 2*e->averages + e->dim + (int)((e->data + sizeof(double) - 1)/sizeof(double));
  e->out = EPI_LANE_STATE + e->dim;
  epi_print(&all, "%s", system_words);
  print_sizes(&all, e, m, p->nodes);
  epi_source_needed(&all, source, 3, &c->force, m->data != NULL, e->error);
  epi_print_text(&all, (const char *)epi_lane_head, strlen((const char *)epi_lane_head));
  print_model(&all, m, c);
  epi_print_text(&all, p->out.text ? p->out.text : "", p->out.n);
  epi_print(&all, "#define LANE_ROOT lane_go_%d\n", root);
  epi_print_text(&all, (const char *)epi_lane_end, strlen((const char *)epi_lane_end));
  e->text = all.text;
  if (!e->error[0] && (all.lost || p->out.lost)) epi_say(e->error, 0, "out of memory: the program has no room");
}

epi_emitted *epi_emit(const epi_case *c, epi_flow *f, const char *source)
{
  epi_emitted *e = calloc(1, sizeof *e);
  if (!e) return NULL;
  const epi_system *m = &c->system;
  epi_printer p = {.error = e->error, .system = {m}, .systems = 1};
  callbacks names = {0};
  const char *wrong = c->error[0] ? c->error : epi_error(f);
  if (wrong) { epi_say(e->error, 0, "%s", wrong); return e; }
  if (check_model(m, e->error) || find_callbacks(m, source, &names, e->error)) return e;
  e->dim = epi_dim(m);
  e->masses = masses_of(m);
  e->data = data_of(c);
  if (m->data && !e->data) {
    epi_say(e->error, 0, "the data of the model lies outside of its case, and a program has none of it: keep numbers in c->p, or in "
            "epi_case_room");
    return e;
  }
  if (has_pointer(c, e->data)) {
    epi_say(e->error, 0, "the data of the model has pointers, and a program has none of what they point to: keep the numbers themselves "
            "in it");
    return e;
  }
  e->shape = *m;
  int root = epi_print_flow(&p, f);
  e->adaptive = epi_form_of(f->record) == EPI_FORM_TOLERANCE;
  e->events = epi_form_of(f->record) == EPI_FORM_EVENT;
  if (root >= 0 && !(f->claims & EPI_CLOCK)) epi_say(e->error, 0, "%s alone does not move time: compose it with a drift", f->record->name);
  if (root >= 0 && !e->error[0]) put_together(e, &p, m, &names, source, root);
  free(p.out.text);
  return e;
}

/* ---- the numbers of a case ---- */
/* as epi_period and epi_theta0 have them; not 0: the average refuses this case */
static int average_of(const epi_emitted *e, int i, const epi_system *m, double *pair)
{
  double rate = fabs(m->phase.phase_rate), turns;
  pair[0] = !isnan(e->average[i].period) ? e->average[i].period : m->phase.period > 0 ? m->phase.period : rate > 0 ? 2*EPI_PI/rate : 0;
  pair[1] = !isnan(e->average[i].theta0) ? e->average[i].theta0 : m->phase.theta0;
  turns = pair[0]*rate/(2*EPI_PI);
  if (e->average[i].strobe && turns > 0 && fabs(turns - round(turns)) > 1e-9*turns) return 1;
  return !(pair[0] > 0) || e->average[i].leak*2*EPI_PI/pair[0] > 5e-3;
}

int epi_emit_lane(const epi_emitted *e, const epi_case *c, double h, double end, double *in)
{
  const epi_system *m = &c->system;
  double head[HEAD] = {c->t, c->theta, h, end, m->phase.phase_rate, m->phase.period, m->phase.theta0},
    *y = in + HEAD + e->masses + 2*e->averages;
  char why[sizeof e->error];
  if (!same_shape(&e->shape, m) || check_model(m, why) || has_pointer(c, data_of(c))) return 1;
  if (epi_dim(m) != e->dim || data_of(c) != e->data || !(h > 0) || !(end > c->t) || !isfinite(end)) return 1;
  memcpy(in, head, sizeof head);
  for (int i = 0; i < e->masses; i++) in[HEAD + i] = m->mass && i < epi_nv(m) ? m->mass[i] : 1;
  for (int i = 0; i < e->averages; i++) if (average_of(e, i, m, in + HEAD + e->masses + 2*i)) return 1;
  for (int i = 0; i < e->dim; i++) if (!isfinite(c->y[i])) return 1;
  memcpy(y, c->y, (size_t)e->dim*sizeof *y);
  if (e->data) memcpy(y + e->dim, m->data, e->data);
  return 0;
}

void epi_emit_free(epi_emitted *e)
{
  if (e) free(e->text);
  free(e);
}
