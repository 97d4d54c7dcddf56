/* strobe.c - stroboscopic averaging: the slow vector field is a difference quotient of whole-period micro runs, forward and
 * backward from the slow state. Calvo, Chartier, Murua & Sanz-Serna. Slow time runs on inside the window; the phase starts at
 * theta0 and is set to it again after every period, so that it does not drift. A rate whose phase_rate is set has its phase in
 * t itself: its windows start at t = theta0/phase_rate. */
#include "window.h"

/* central differences at 1, 2, ... periods; order 1 is the forward difference */
static const double central[][4] = {{0.5}, {2./3, -1./12}, {3./4, -3./20, 1./60}, {4./5, -1./5, 4./105, -1./280}};

/* the model seen from the slow state: z = (y - Y)/T in place of y, so that a period moves z by O(1), however short it is. What
   is lost to rounding is then a part of y' alone, not of y/T */
typedef struct { epi_system sys; epi_system *of; epi_space *space; const double *Y; double *y, T; } shifted_system;

typedef struct { int reach, forward, timed, asked; double period, theta0; shifted_system *shifted; } strobe;

static const double *back(shifted_system *a, const double *z)
{
  for (int i = 0, N = epi_dim(a->of); i < N; i++) a->y[i] = a->Y[i] + a->T*z[i];
  return a->y;
}

static int shifted_rate(epi_system *s, double t, const double *z, double *dz)
{
  shifted_system *a = (shifted_system *)s;
  int bad = a->of->rate(a->of, t, back(a, z), dz);
  for (int i = 0, N = epi_dim(a->of); i < N; i++) dz[i] /= a->T;
  return bad;
}

static int shifted_slope(epi_system *s, double t, const double *z, double x, double y, double *A)
{
  shifted_system *a = (shifted_system *)s;
  return a->of->slope(a->of, t, back(a, z), x, y, A);
}

static void move_shifted(epi_flow *micro, void *data)
{
  shifted_system *a = data;
  if (micro->sys != a->of) return;
  epi_space_release(micro->space);
  micro->space = epi_space_hold(a->space);
  micro->sys = &a->sys;
}

/* the time in which the phase turns once, from t on */
static double turn_time(const strobe *b, epi_system *m, double t, double sign)
{
  if (b->period > 0) return sign*b->period;
  double T = sign*2*EPI_PI/fabs(m->phase_rate_at(m, t));
  for (int it = 0; it < 20; it++) {
    double off = fabs(epi_phase_turned(m, t, T)) - 2*EPI_PI, d = sign*off/fabs(m->phase_rate_at(m, t + T));
    T -= d;
    if (fabs(d) <= 1e-15*fabs(T)) break;
  }
  return T;
}

/* `reach` periods one way; sum += c_j y_j and *span += c_j (t_j - t) */
static int leg(epi_flow *f, int d, double t, const double *y, double *sum, double *span)
{
  const strobe *b = f->own;
  epi_flow *micro = f->kid[0];
  int N = epi_dim(micro->sys), bad;
  double *x = f->work, sign = d ? -1 : 1;
  if (b->shifted) memset(x, 0, (size_t)N*sizeof *x);
  else memcpy(x, y, (size_t)N*sizeof *x);
  epi_state s = {.t = t, .theta = b->theta0, .y = x};
  if (f->below) epi_forget(micro);
  for (int j = 1; j <= b->reach; j++) {
    double T = turn_time(b, micro->sys, s.t, sign), c = b->forward ? 1 : sign*central[b->reach - 1][j-1];
    double end = b->period > 0 ? t + sign*j*b->period : s.t + T;
    epi_cache_invalidate(&s);
    if ((bad = epi_stopping(f) ? EPI_INTERRUPTED : epi_go(micro, &s, T, 1))) return bad;
    s.t = end;
    s.key.rest = 0;
    s.theta = b->theta0;
    for (int i = 0; i < N; i++) sum[i] += c*x[i];
    *span += b->period > 0 ? c*sign*j*b->period : c*(end - t);
  }
  return 0;
}

/* the force (or rate) of the model a quarter of a period after another, slow state held: k = 0 ... 4 */
static int quarter(const strobe *b, epi_system *m, int k, double t, const double *y, double *out)
{
  double later = t + 0.25*k*b->period;
  if (m->forced) return m->forced(m, t, b->theta0 + 0.5*EPI_PI*k, y, out);
  return m->force ? m->force(m, later, y, out) : m->rate(m, later, y, out);
}

/* the first window asks what the fast phase of the model is, and whether it comes back after a period: a wrong answer here is
   wrong by as much as the motion itself, with any step */
static int ask(epi_flow *f, double t, const double *y)
{
  const strobe *b = f->own;
  epi_system *m = f->sys;
  int n = epi_has_force(m) ? epi_nv(m) : epi_dim(m);
  double *x = f->work + 2*epi_dim(m), size = 0, bend = 0, jump = 0;
  for (int k = 0; k < 5; k++)
    if (quarter(b, m, k, t, y, x + k*n)) return 0;
  for (int i = 0; i < n; i++) {
    double rise = x[4*n + i] - x[i];
    jump = fmax(jump, fabs(rise));
    for (int k = 0; k < 5; k++) {
      size = fmax(size, fabs(x[k*n + i]));
      bend = fmax(bend, fabs(x[k*n + i] - x[i] - 0.25*k*rise));
    }
  }
  if (m->forced)
    return jump <= 1e-6*size ? 0 : epi_fail(f, EPI_WRONG, "strobe: the force changes by %g, of %g, when its phase turns once: "
                                            "give it the period 2 pi in theta", jump, size);
  /* slow time alone bends little in a period */
  if (!(bend > 0.1*size)) return 0;
  if (jump > 0.1*bend)
    return epi_fail(f, EPI_WRONG, "strobe: %g is not a period of the force: after it the force has changed by %g, of %g; "
                    "give the true period", b->period, jump, size);
  if (b->timed) return 0;
  return epi_fail(f, EPI_WRONG, "strobe: the force has its fast phase in t, and windows at any t would start at any phase: "
                  "use forced(t, theta, q) with phase_rate, or for a rate without slow time set phase_rate");
}

static int slow_rate(epi_system *s, double t, const double *y, double *dy)
{
  epi_flow *f = s->derived->inner;
  strobe *b = f->own;
  int N = epi_dim(s), bad;
  double span = 0;
  f->steps++;
  if (b->timed) t = b->theta0/f->sys->phase_rate;
  if (!b->asked && (bad = ask(f, t, y))) return bad;
  b->asked = 1;
  if (b->shifted) b->shifted->Y = y;
  for (int i = 0; i < N; i++) dy[i] = b->forward && !b->shifted ? -y[i] : 0;
  if ((bad = leg(f, 0, t, y, dy, &span))) return bad;
  if (!b->forward && (bad = leg(f, 1, t, y, dy, &span))) return bad;
  if (b->shifted) span /= b->shifted->T;
  for (int i = 0; i < N; i++) dy[i] /= span;
  return 0;
}

/* the whole micro tree moves the differences from now on */
static void clean(epi_flow *f)
{
  epi_flow *micro = f->kid[0];
  epi_system *m = f->sys;
  strobe *b = f->own;
  epi_refuse(f, !epi_all_rate(m) || m->nc || m->derived || !(b->period > 0),
             "strobe: clean=1 needs a system of your own with a rate, without constraints and with a fixed period, in variables whose rate "
             "stays bounded when the period shrinks: docs/strobe.md");
  epi_refuse(f, (micro->claims & EPI_WATCHES) != 0,
             "strobe: a watch inside would see differences from the slow state: drop it, or clean=1");
  if (f->broken) return;
  shifted_system *a = b->shifted = calloc(1, sizeof *a);
  if (epi_refuse(f, !a, "out of memory")) return;
  *a = (shifted_system){.sys = *m, .of = m, .y = f->work + epi_dim(m), .T = b->period};
  a->sys.rate = shifted_rate;
  a->sys.slope = m->slope ? shifted_slope : NULL;
  a->space = epi_space_make(&a->sys);
  if (epi_refuse(f, !a->space, "out of memory")) return;
  epi_visit(micro, move_shifted, a);
}

static void strobe_drop(epi_flow *f)
{
  shifted_system *a = f->own ? ((strobe *)f->own)->shifted : NULL;
  if (a) epi_space_release(a->space);
  free(a);
}

static void check(epi_flow *f, int order)
{
  const strobe *b = f->own;
  const epi_flow *micro = f->kid[0];
  const epi_system *m = f->sys;
  const char *name = micro->record->name;
  double rate = fabs(m->phase_rate), turns = b->period*rate/(2*EPI_PI);
  epi_refuse(f, order != 1 && order != 2 && order != 4 && order != 6 && order != 8, "strobe: order is %d: take 1, 2, 4, 6 or 8", order);
  epi_refuse(f, !(micro->claims & EPI_CLOCK), "strobe needs a micro flow that moves time; %s does not", name);
  epi_refuse(f, !micro->lands,
             "strobe gives its micro flow a whole period as one step, and %s would take it in one: put substeps(%s, 20) around it", name,
             name);
  epi_refuse(f, !(b->period > 0) && !m->phase_rate_at,
             "strobe does not know the fast period: set period or phase_rate in the system, or give strobe its period");
  epi_refuse(f, order > 1 && !(micro->claims & EPI_BACKWARD),
             "strobe of order %d runs the micro flow backward and %s cannot here (damping, impacts): take order=1", order, name);
  epi_refuse(f, m->retract != NULL, "strobe of rotations is not known: their differences have no sum");
  epi_refuse(f, !m->phase_rate_at && turns > 0 && fabs(turns - round(turns)) > 1e-9*turns,
             "strobe: in the period %g the phase turns %.10g times, not a whole number: take period = %.10g, or leave it out",
             b->period, turns, 2*EPI_PI/rate);
}

static void strobe_build(epi_flow *f)
{
  const epi_system *m = f->sys;
  int order = (int)epi_arg(f, "order")->number;
  strobe *b = f->own = calloc(1, sizeof *b);
  epi_derived_system *made = f->derives = calloc(1, sizeof *made);
  if (epi_refuse(f, !b || !made, "out of memory")) return;
  f->drop = strobe_drop;
  *b = (strobe){.reach = order == 1 ? 1 : order/2, .forward = order == 1, .period = epi_period(f), .theta0 = epi_theta0(f),
                .timed = epi_all_rate(m) && m->phase_rate != 0};
  /* a period of its own holds at one time only */
  if (m->phase_rate_at && !epi_arg(f, "period")->given) b->period = 0;
  check(f, order);
  /* others than these have no phase to ask about */
  b->asked = m->derived || !(m->forced || m->force || epi_all_rate(m)) || !(m->forced || b->period > 0);
  if (f->broken || epi_blocks(f, 0, 7*epi_dim(m))) return;
  if (epi_arg(f, "clean")->number != 0) clean(f);
  made->sys = epi_inherited(m);
  made->sys.nz = m->nz;
  made->sys.rate = slow_rate;
  made->sys.irreversible = order == 1;
  made->sys.derived = made;
  made->record = f->record;
  f->claims = f->kid[0]->claims & (EPI_EXPLICIT | EPI_BACKWARD);
}

static const epi_param strobe_params[] = {
  {.name = "order", .value = 2, .kind = EPI_COUNT,
   .doc = "order of the differences: 1 (forward), 2, 4, 6 or 8, and as many periods a window"},
  {.name = "period", .unit = "time", .value = 0, .doc = "the fast period; from the system unless given"},
  {.name = "theta0", .unit = "rad", .value = 0, .doc = "the phase at which every window starts; from the system unless given"},
  {.name = "clean", .value = 0, .kind = EPI_COUNT,
   .doc = "1: micro runs in differences from the slow state, for a rate bounded when the period shrinks (docs/strobe.md)"},
  {0}
};
const epi_record epi_STROBE = {
  .name = "strobe", .doc = "the slow system through the stroboscopic points of a fast one, by differences of whole-period micro runs",
  .cite = "Calvo, Chartier, Murua & Sanz-Serna, a stroboscopic numerical method for highly oscillatory problems (2011)",
  .example = "rk4(strobe(substeps(rk4, 20), order=4))", .arrow = EPI_AVERAGE, .least = 1, .most = 1, .params = strobe_params,
  .build = strobe_build,
};
