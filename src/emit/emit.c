/* emit.c - a flow as a program in C: every node becomes a function, from the loops in lane/ and the numbers of the node */
#include "emitting.h"
#include "average/strobe.h"
#include "average/window.h"
#include "method/composition.h"
#include "method/table.h"
#include "wrap/tolerance.h"
#include <stdio.h>

extern EPI_INSIDE const epi_record epi_SUBSTEPS, epi_HMM, epi_STROBE;

typedef epi_printer printer;
static int print_flow(printer *, epi_flow *);

/* ---- text ---- */
static void print_loop(printer *p, const unsigned char *text) { epi_print_text(&p->out, (const char *)text, strlen((const char *)text)); }

/* a number that reads back to its bits, and is a double in every language */
typedef struct { char text[40]; } literal;
static literal number(double x)
{
  literal l;
  int n = snprintf(l.text, sizeof l.text, "%.17g", x);
  if (n > 0 && !strpbrk(l.text, ".en")) snprintf(l.text + n, sizeof l.text - (size_t)n, ".0");
  return l;
}

static void print_list(printer *p, const char *name, int id, int n, const double *x)
{
  epi_print(&p->out, "static const double lane_%s_%d[] = {", name, id);
  for (int i = 0; i < n; i++) epi_print(&p->out, "%s%s", i ? ", " : "", number(x[i]).text);
  epi_print(&p->out, "%s};\n", n ? "" : "0");
}

static void define(printer *p, const char *name, int x) { epi_print(&p->out, "#undef LANE_%s\n#define LANE_%s %d\n", name, name, x); }
static void define_number(printer *p, const char *name, double x)
{
  epi_print(&p->out, "#undef LANE_%s\n#define LANE_%s (%s)\n", name, name, number(x).text);
}

static int no_form(printer *p, const char *name)
{
  return epi_say(p->error, -1, "%s is not among the flows that can be emitted: take verlet, symmetric(verlet), strang and compose of kick, "
                 "drift and velocity-kick, an explicit Runge-Kutta method, tolerance, substeps, hmm or strobe", name);
}

/* ---- nodes ---- */
static int system_of(printer *p, const epi_system *m)
{
  for (int i = 0; i < p->systems; i++) if (p->system[i] == m) return i;
  return -1;
}

/* a node has its number when its kids have theirs; -1: it has none */
static int begin_node(printer *p, const epi_flow *f)
{
  int system = system_of(p, f->sys);
  if (p->nodes == EPI_MOST_NODES)
    return epi_say(p->error, -1, "a flow of more than %d parts is not emitted: take a simpler one", EPI_MOST_NODES);
  if (system < 0) return epi_say(p->error, -1, "%s moves a part of the model, and only whole models are emitted: give it the model",
                                 f->record->name);
  p->node[p->nodes] = f;
  define(p, "NODE", p->nodes);
  define(p, "SYSTEM", system);
  return p->nodes++;
}

static int print_leap(printer *p, epi_flow *f, int stages, const double *w)
{
  int id = begin_node(p, f);
  if (id < 0) return -1;
  print_list(p, "w", id, stages, w);
  define(p, "STAGES", stages);
  define(p, "KID", id);
  print_loop(p, epi_lane_leap);
  return id;
}

static int print_verlet(printer *p, epi_flow *f)
{
  static const double one = 1;
  if (f->sys->inertia.speed) return epi_say(p->error, -1, "momenta with a speed of their own are not emitted: give the model velocities");
  if (epi_form_of(f->record) == EPI_FORM_LEAP || !f->sys->velocity_force) return print_leap(p, f, 1, &one);
  int kick = print_flow(p, f->kid[0]), rest = kick < 0 ? -1 : print_flow(p, f->kid[1]), id = rest < 0 ? -1 : begin_node(p, f);
  if (id < 0) return -1;
  define(p, "KID", kick);
  define(p, "REST", rest);
  print_loop(p, epi_lane_damped);
  return id;
}

static int print_composition(printer *p, epi_flow *f)
{
  const epi_composition *c = f->own;
  int kid[MOST_FLOWS];
  for (int i = 0; i < c->flows; i++) if ((kid[i] = print_flow(p, c->flow[i])) < 0) return -1;
  int id = begin_node(p, f);
  if (id < 0) return -1;
  epi_print(&p->out, "static int lane_go_%d(epi_system *m, lane_memory *k, lane_state *s, double h, long n)\n{\n  int bad;\n"
            "  while (n-- > 0) {\n    lane_tick end = lane_target(m, SYSTEM(LANE_FORCED_), s, h);\n    (void)end;\n", id);
  for (int i = 0; i < c->n; i++)
    epi_print(&p->out, "%s    if ((bad = lane_go_%d(m, k, s, %s*h, 1))) return bad;\n", i == c->last ? "    lane_land(s, end);\n" : "",
              kid[i % c->flows], number(c->w[i]).text);
  epi_print(&p->out, "  }\n  return 0;\n}\n");
  return id;
}

/* who makes the leaps of a verlet or a strang */
static epi_flow *leaper(epi_flow *f) { return epi_form_of(f->record) == EPI_FORM_STRANG ? f->kid[2] : f; }

static int print_symmetric(printer *p, epi_flow *f)
{
  const epi_composition *c = f->own;
  if (f->go != epi_composition_go) return print_leap(p, leaper(f->kid[0]), c->n, c->w);
  return print_composition(p, f);
}

static int print_substeps(printer *p, epi_flow *f)
{
  int kid = print_flow(p, f->kid[0]), id = kid < 0 ? -1 : begin_node(p, f);
  if (id < 0) return -1;
  define(p, "KID", kid);
  define(p, "PARTS", (int)f->arg[0].number);
  define(p, "LANDS", (f->claims & EPI_CLOCK) != 0);
  print_loop(p, epi_lane_substeps);
  return id;
}

static int print_tolerance(printer *p, epi_flow *f)
{
  epi_flow *a = f->kid[0];
  epi_bound b = epi_bound_of(f);
  int kid = print_flow(p, a), id = kid < 0 ? -1 : begin_node(p, f), n = epi_dim(f->sys);
  if (id < 0) return -1;
  if (f->sys->traits.nbreaks)
    return epi_say(p->error, -1, "chosen steps do not go over the times at which a force bends or jumps, and those of a program would: "
                   "leave --on out, and the library itself runs the model, or take fixed steps that end there");
  for (int i = 0; i < p->nodes - 1; i++)
    if (p->node[i]->record == f->record)
      return epi_say(p->error, -1, "a tolerance inside of another is not emitted: leave one of them out");
  double *atol = calloc((size_t)n, sizeof *atol);
  for (int i = 0; atol && i < n; i++) atol[i] = b.natol ? b.atol[i] : b.atol[0];
  if (!atol) return epi_say(p->error, -1, "out of memory");
  print_list(p, "atol", id, n, atol);
  free(atol);
  epi_print(&p->out, "#undef LANE_ATOL\n#define LANE_ATOL(i) lane_atol_%d[i]\n", id);
  define(p, "KID", kid);
  define(p, "OWN", b.own);
  define(p, "POWER", b.power);
  define(p, "ESTIMATES", a->nerr > 1 ? 2 : 1);
  define(p, "ODE45", b.ode45);
  define_number(p, "RTOL", b.rtol);
  define_number(p, "FIRST", b.first);
  define_number(p, "LONGEST", b.longest);
  define(p, "TURNS", isfinite(epi_part_of_turn(f->sys, 0)));
  define_number(p, "MOST", b.most);
  define_number(p, "SCALE", pow(2, a->order) - 1);
  print_loop(p, epi_lane_tolerance);
  return id;
}

/* at is outermost, and of a coordinate */
static int print_at(printer *p, epi_flow *f, int outermost)
{
  const epi_value *of = epi_arg(f, "of"), *level = epi_arg(f, "level");
  if (!outermost || epi_arg(f, "stop")->number != 1 || epi_arg(f, "gap")->name.gap || epi_arg(f, "hit")->name.name)
    return epi_say(p->error, -1, "at is emitted around a whole flow, for a coordinate, with stop=1: at(verlet, of=0, level=1, stop=1)");
  if (f->sys->derived || f->kid[0]->lands)
    return epi_say(p->error, -1, "at is emitted around flows of fixed steps, and not around averages or steps inside a step: leave it "
                   "out, or leave --on out");
  int kid = print_flow(p, f->kid[0]), id = kid < 0 ? -1 : begin_node(p, f);
  if (id < 0) return -1;
  define(p, "KID", kid);
  define(p, "OF", (int)of->number);
  define_number(p, "LEVEL", level->number);
  print_loop(p, epi_lane_at);
  return id;
}

/* ---- Runge-Kutta methods, stage by stage ---- */
/* 0 + (h c) K0[l] + ..., as the loops of the library add it; alone: of a single stage nothing is added to zero */
static void print_sum(printer *p, int n, const double *c, const char *at, int alone)
{
  int m = 0, many = 0;
  for (int j = 0; j < n; j++) many += c[j] != 0;
  if (!(alone && many == 1)) epi_print(&p->out, "0.0");
  for (int j = 0; j < n; j++)
    if (c[j] != 0) epi_print(&p->out, "%s(h*%s)*K%d[%s]", m++ || !(alone && many == 1) ? " + " : "", number(c[j]).text, j, at);
}

static void print_error(printer *p, const epi_table *T, int n)
{
  const double *e[] = {T->e, T->e2};
  for (int k = 0; k < 2 && e[k]; k++) {
    epi_print(&p->out, "    for (int l = 0; k->err && l < %d; l++) k->err[%d + l] = ", n, k*n);
    print_sum(p, T->stages, e[k], "l", 0);
    epi_print(&p->out, ";\n");
  }
}

/* as steps of the library see that only stages without a weight felt a force */
static void print_blind(printer *p, const epi_table *T, int n)
{
  int any = 0;
  for (int i = 1; i < T->stages; i++) any |= !epi_table_sees(T, i);
  if (!any) return;
  epi_print(&p->out, "    if (k->err) {\n      double first = 0, seen = 0, unseen = 0;\n      for (int l = 0; l < %d; l++) {\n"
            "        first = lane_larger(first, fabs(K0[l]));\n", n);
  for (int i = 1; i < T->stages; i++) {
    const char *by = epi_table_sees(T, i) ? "seen" : "unseen";
    epi_print(&p->out, "        %s = lane_larger(%s, fabs(K%d[l] - K0[l]));\n", by, by, i);
  }
  epi_print(&p->out, "      }\n      const int blind = unseen > 10*seen + 1e-6*first;\n"
            "      for (int l = 0; blind && l < %d; l++) k->err[l] = 1e6*(1 + fabs(q[l]));\n    }\n", n);
}

static void print_stage(printer *p, const epi_table *T, int i, int fsal, int force)
{
  int S = T->stages;
  double at = 0;
  const double *c = T->a + i*S;
  for (int j = 0; j < i; j++) at += c[j];
  if (force) {
    epi_print(&p->out, "    for (int l = 0; l < LANE_NV; l++) {\n      z[l] = q[l] + (");
    print_sum(p, i, c, "l", 1);
    epi_print(&p->out, ");\n      K%d[l] = q[LANE_NV + l] + (", i);
    print_sum(p, i, c, "LANE_NV + l", 1);
    epi_print(&p->out, ");\n    }\n");
  } else {
    epi_print(&p->out, "    for (int l = 0; l < LANE_DIM; l++) z[l] = q[l] + (");
    print_sum(p, i, c, "l", 0);
    epi_print(&p->out, ");\n");
  }
  const char *call = force ? "SYSTEM(lane_accel_)" : "SYSTEM(lane_rate_)", *to = force ? " + LANE_NV" : "";
  if (fsal && i == S - 1) epi_print(&p->out, "    if ((bad = %s(m, k, end.t, end.theta, z, K%d%s))) return bad;\n", call, i, to);
  else epi_print(&p->out, "    if ((bad = %s(m, k, t + %s*h, lane_phase(m, SYSTEM(LANE_FORCED_), theta, %s*h), z, K%d%s))) return bad;\n",
                 call, number(at).text, number(at).text, i, to);
}

static int print_chain(printer *p, const epi_table *T, int id)
{
  double c[3];
  for (int i = 1; i < 4; i++) c[i-1] = T->a[4*i + i - 1];
  print_list(p, "c", id, 3, c);
  print_list(p, "w", id, 4, T->b);
  print_loop(p, epi_lane_chain);
  return id;
}

static int print_rk(printer *p, epi_flow *f, const epi_table *T, int fsal, epi_rk_form form)
{
  int id = begin_node(p, f), S = T->stages, force = form == EPI_RK_FORCE;
  if (id < 0 || form == EPI_RK_CHAIN) return id < 0 ? -1 : print_chain(p, T, id);
  epi_print(&p->out, "static int lane_go_%d(epi_system *m, lane_memory *k, lane_state *s, double h, long n)\n{\n"
            "  double z[LANE_DIM], *q = s->y", id);
  for (int i = 0; i < S; i++) epi_print(&p->out, ", K%d[LANE_DIM]", i);
  epi_print(&p->out, ";\n  int bad;\n  for (; n > 0; n--) {\n    const double t = s->t, theta = s->theta;\n"
            "    lane_tick end = lane_target(m, SYSTEM(LANE_FORCED_), s, h);\n");
  if (fsal)
    epi_print(&p->out, "    int known = lane_known(k, %d, s) && k->kicks[%d] == s->kicks;\n"
              "    for (int l = 0; known && l < LANE_DIM; l++) K0[l] = k->a[%d][l];\n    k->at[%d] = 0;\n", id, id, id, id);
  if (force) epi_print(&p->out, "    for (int l = 0; l < LANE_NV; l++) K0[l] = q[LANE_NV + l];\n");
  epi_print(&p->out, "    if (%s(bad = SYSTEM(lane_%s_)(m, k, t, theta, q, K0%s))) return bad;\n", fsal ? "!known && " : "",
            force ? "accel" : "rate", force ? " + LANE_NV" : "");
  for (int i = 1; i < S; i++) print_stage(p, T, i, fsal, force);
  epi_print(&p->out, "    for (int l = 0; l < LANE_DIM; l++) q[l] = q[l] + (");
  print_sum(p, S, T->b, "l", 0);
  epi_print(&p->out, ");\n    lane_clock(s, end);\n    lane_moved(k, s);\n");
  if (fsal)
    epi_print(&p->out, "    lane_store(k, %d, s);\n    for (int l = 0; l < LANE_DIM; l++) k->a[%d][l] = K%d[l];\n", id, id, S - 1);
  print_error(p, T, epi_dim(f->sys));
  if (T->e && !f->sys->traits.smooth) print_blind(p, T, epi_dim(f->sys));
  epi_print(&p->out, "  }\n  return 0;\n}\n");
  return id;
}

/* ---- averages ---- */
/* histories below are forgotten before every window */
static void print_forget(printer *p, int from, int id)
{
  epi_print(&p->out, "static void lane_forget_%d(lane_memory *k)\n{\n  (void)k;\n", id);
  for (int i = from; i < id; i++)
    if (epi_form_of(p->node[i]->record) == EPI_FORM_TOLERANCE) epi_print(&p->out, "  for (int i = 0; i < 7; i++) k->keep[%d][i] = 0;\n", i);
  epi_print(&p->out, "}\n");
}

static int print_hmm(printer *p, epi_flow *f)
{
  const epi_window *w = f->own;
  int from = p->nodes;
  if (w->match || w->direct || w->rate || w->phased || w->running || w->start == LIFT || !(w->period > 0) || w->both)
    return epi_say(p->error, -1, "hmm is emitted for windows of a known fast period that start at one phase, from rest or with the slow "
                   "velocity: leave out match, phase=running, start=lift, and boxes of stiff systems");
  int kid = print_flow(p, f->kid[0]), id = kid < 0 ? -1 : begin_node(p, f);
  if (id < 0) return -1;
  print_list(p, "ahead", id, w->m[0], w->tap[0]);
  print_list(p, "back", id, w->m[1], w->tap[1]);
  print_forget(p, from, id);
  define(p, "KID", kid);
  define(p, "TAPS", (f->kid[0]->claims & EPI_TAPS) != 0);
  define(p, "AHEAD", w->m[0]);
  define(p, "BACK", w->m[1]);
  define(p, "AVERAGE", p->systems - 1);
  define_number(p, "TAP0", w->tap0);
  define_number(p, "STEPS", w->steps);
  print_loop(p, epi_lane_hmm);
  return id;
}

static int print_strobe(printer *p, epi_flow *f)
{
  epi_strobe_form form;
  int from = p->nodes;
  if (epi_strobe_form_of(f, &form))
    return epi_say(p->error, -1, "strobe is emitted for a fixed fast period, without clean=1 and without constraints that move");
  int kid = print_flow(p, f->kid[0]), id = kid < 0 ? -1 : begin_node(p, f);
  if (id < 0) return -1;
  print_list(p, "w", id, form.reach, form.weight);
  print_forget(p, from, id);
  define(p, "KID", kid);
  define(p, "REACH", form.reach);
  define(p, "FORWARD", form.forward);
  define(p, "TIMED", form.timed);
  define(p, "AVERAGE", p->systems - 1);
  print_loop(p, epi_lane_strobe);
  return id;
}

/* the forces of a slow system, which is that of node id */
static const char slow_words[] =
  "#define LANE_FORCED_%d 0\n"
  "static int lane_accel_%d(epi_system *m, lane_memory *k, double t, double theta, const double *q, double *a)\n"
  "{\n  (void)theta;\n  %s;\n}\n"
  "static void lane_divide_%d(epi_system *m, double *a) { (void)m; (void)a; }\n"
  "static int lane_drag_%d(epi_system *m, lane_memory *k, double t, const double *q, const double *v, double *f)\n"
  "{\n  double a[LANE_NV];\n  int bad = %s;\n  for (int i = 0; i < LANE_NV; i++) f[i] += a[i];\n  return bad;\n}\n"
  "static int lane_rate_%d(epi_system *m, lane_memory *k, double t, double theta, const double *y, double *dy)\n"
  "{\n  (void)theta;\n  %s;\n}\n";

static int print_average(printer *p, epi_flow *f)
{
  char accel[200], drag[200], rate[400];
  int strobe = epi_form_of(f->record) == EPI_FORM_STROBE, rest = !strobe && epi_window_of(f) && epi_window_of(f)->start == REST;
  if (epi_form_of(f->record) != EPI_FORM_HMM && !strobe) return no_form(p, f->record->name);
  int id = strobe ? print_strobe(p, f) : print_hmm(p, f), at = p->systems;
  if (id < 0) return -1;
  if (at > EPI_MOST_AVERAGES) return epi_say(p->error, -1, "more than %d averages are not emitted", EPI_MOST_AVERAGES);
  snprintf(accel, sizeof accel, strobe ? "(void)m; (void)k; (void)t; (void)q; (void)a; return LANE_WRONG" :
           "return lane_window_%d(m, k, t, q, 0, a)", id);
  snprintf(drag, sizeof drag, strobe ? "((void)m, (void)k, (void)t, (void)q, (void)v, a[0] = 0, LANE_WRONG)" :
           "lane_window_%d(m, k, t, q, v, a)", id);
  /* a force of velocity is added to none, as the library adds it */
  if (strobe) snprintf(rate, sizeof rate, "return lane_quotient_%d(m, k, t, y, dy)", id);
  else if (rest) snprintf(rate, sizeof rate, "for (int i = 0; i < LANE_NV; i++) dy[i] = y[LANE_NV + i];\n"
                          "  return lane_accel_%d(m, k, t, 0, y, dy + LANE_NV)", at);
  else snprintf(rate, sizeof rate, "for (int i = 0; i < LANE_NV; i++) { dy[i] = y[LANE_NV + i]; dy[LANE_NV + i] = 0; }\n"
                "  return lane_drag_%d(m, k, t, y, y + LANE_NV, dy + LANE_NV)", at);
  epi_print(&p->out, slow_words, at, at, accel, at, at, drag, at, rate);
  p->average[at - 1] = f;
  p->system[p->systems++] = f->derives ? &f->derives->sys : NULL;
  return 0;
}

/* ---- all of it ---- */
static int print_part(printer *p, epi_flow *f, const unsigned char *loop)
{
  int id = begin_node(p, f);
  if (id >= 0) print_loop(p, loop);
  return id;
}
static int print_kick(printer *p, epi_flow *f) { return print_part(p, f, epi_lane_kick); }
static int print_drift(printer *p, epi_flow *f) { return print_part(p, f, epi_lane_drift); }
static int print_velocity_kick(printer *p, epi_flow *f) { return print_part(p, f, epi_lane_velocity_kick); }
static int print_strang(printer *p, epi_flow *f) { return f->leap ? print_flow(p, f->kid[2]) : print_composition(p, f); }

static int (*const forms[EPI_FORMS])(printer *, epi_flow *) = {
  [EPI_FORM_KICK] = print_kick, [EPI_FORM_DRIFT] = print_drift, [EPI_FORM_VELOCITY_KICK] = print_velocity_kick,
  [EPI_FORM_LEAP] = print_verlet, [EPI_FORM_VERLET] = print_verlet, [EPI_FORM_STRANG] = print_strang,
  [EPI_FORM_COMPOSITION] = print_composition, [EPI_FORM_SYMMETRIC] = print_symmetric, [EPI_FORM_SUBSTEPS] = print_substeps,
  [EPI_FORM_TOLERANCE] = print_tolerance,
};

static int print_flow(printer *p, epi_flow *f)
{
  const epi_table *T;
  int fsal, outermost = !p->inside;
  p->inside = 1;
  epi_derived_system *made = f->sys->derived;
  if (made && system_of(p, f->sys) < 0) {
    if (!made->inner || print_average(p, made->inner) < 0) return p->error[0] ? -1 : no_form(p, made->record ? made->record->name : "this");
    p->system[p->systems - 1] = f->sys;
  }
  epi_rk_form form = epi_rk_form_of(f, &T, &fsal);
  if (form != EPI_RK_NONE) return print_rk(p, f, T, fsal, form);
  const epi_form step = epi_form_of(f->record);
  if (step == EPI_FORM_EVENT) return print_at(p, f, outermost);
  return forms[step] ? forms[step](p, f) : no_form(p, f->record->name);
}

int epi_print_flow(epi_printer *p, epi_flow *f) { return print_flow(p, f); }
