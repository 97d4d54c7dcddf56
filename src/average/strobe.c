/* strobe.c - stroboscopic averaging: the slow vector field is a difference quotient of whole-period micro runs, forward and
 * backward from the slow state. Calvo, Chartier, Murua & Sanz-Serna. Slow time runs on inside the window; the phase starts at
 * theta0 and is set to it again after every period, so that it does not drift. */
#include "window.h"

/* central differences at 1, 2, ... periods; order 1 is the forward difference */
static const double central[][4] = {{0.5}, {2./3, -1./12}, {3./4, -3./20, 1./60}, {4./5, -1./5, 4./105, -1./280}};

typedef struct { int reach, forward; double period, theta0; } strobe;

/* the time in which the phase turns once, from t on */
static double turn_time(const strobe *b, epi_system *m, double t, double sign)
{
  if (b->period > 0) return sign*b->period;
  double T = sign*2*EPI_PI/fabs(m->pace(m, t));
  for (int it = 0; it < 20; it++) {
    double off = fabs(epi_phase_turned(m, t, T)) - 2*EPI_PI, d = sign*off/fabs(m->pace(m, t + T));
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
  memcpy(x, y, (size_t)N*sizeof *x);
  epi_state s = {.t = t, .theta = b->theta0, .y = x};
  if (f->below) epi_forget(micro);
  for (int j = 1; j <= b->reach; j++) {
    double T = turn_time(b, micro->sys, s.t, sign), c = b->forward ? 1 : sign*central[b->reach - 1][j-1];
    double end = b->period > 0 ? t + sign*j*b->period : s.t + T;
    epi_spoil(&s);
    if ((bad = epi_go(micro, &s, T, 1))) return bad;
    s.t = end;
    s.key.rest = 0;
    s.theta = b->theta0;
    for (int i = 0; i < N; i++) sum[i] += c*x[i];
    *span += b->period > 0 ? c*sign*j*b->period : c*(end - t);
  }
  return 0;
}

static int slow_rate(epi_system *s, double t, const double *y, double *dy)
{
  epi_flow *f = s->made->inner;
  const strobe *b = f->own;
  int N = epi_dim(s), bad;
  double span = 0;
  f->steps++;
  for (int i = 0; i < N; i++) dy[i] = b->forward ? -y[i] : 0;
  if ((bad = leg(f, 0, t, y, dy, &span))) return bad;
  if (!b->forward && (bad = leg(f, 1, t, y, dy, &span))) return bad;
  for (int i = 0; i < N; i++) dy[i] /= span;
  return 0;
}

static void strobe_build(epi_flow *f)
{
  epi_flow *micro = f->kid[0];
  const epi_system *m = micro->sys;
  int order = (int)epi_arg(f, "order")->number;
  strobe *b = f->own = calloc(1, sizeof *b);
  epi_made *made = f->makes = calloc(1, sizeof *made);
  if (epi_refuse(f, !b || !made, "out of memory")) return;
  *b = (strobe){.reach = order/2, .period = epi_period(f), .theta0 = epi_theta0(f)};
  if (order == 1) b->reach = b->forward = 1;
  epi_refuse(f, order != 1 && order != 2 && order != 4 && order != 6 && order != 8, "strobe: order is %d: take 1, 2, 4, 6 or 8", order);
  epi_refuse(f, !(micro->claims & EPI_CLOCK), "strobe needs a micro flow that moves time; %s does not", micro->record->name);
  epi_refuse(f, !(b->period > 0) && !m->pace, "strobe does not know the fast period: set period or phase_rate in the system, or give strobe its period");
  epi_refuse(f, order > 1 && !(micro->claims & EPI_BACKWARD), "strobe of order %d runs the micro flow backward and %s cannot here (damping, impacts): take order=1", order, micro->record->name);
  epi_refuse(f, m->turn != NULL, "strobe of rotations is not known: their differences have no sum");
  if (f->broken || epi_blocks(f, 0, epi_dim(m))) return;
  made->sys = (epi_system){.nq = m->nq, .nv = m->nv, .nz = m->nz, .nc = m->nc, .constraint = m->constraint, .mass = m->mass, .mass_matrix = m->mass_matrix,
                           .mass_solve = m->mass_solve, .rate = slow_rate, .names = m->names, .data = m->data, .oneway = order == 1, .made = made};
  made->record = f->record;
  f->claims = micro->claims & (EPI_EXPLICIT | EPI_BACKWARD);
}

static const epi_param strobe_params[] = {
  {.name = "order", .value = 2, .doc = "order of the differences: 1 (forward), 2, 4, 6 or 8, and as many periods a window", .kind = EPI_COUNT},
  {.name = "period", .unit = "time", .value = 0, .doc = "the fast period; from the system unless given"},
  {.name = "theta0", .unit = "rad", .value = 0, .doc = "the phase at which every window starts; from the system unless given"},
  {0}
};
const epi_record epi_STROBE = {
  .name = "strobe", .doc = "the slow system through the stroboscopic points of a fast one, by differences of whole-period micro runs",
  .cite = "Calvo, Chartier, Murua & Sanz-Serna, a stroboscopic numerical method for highly oscillatory problems (2011)",
  .example = "rk4(strobe(substeps(rk4, 20), order=4))", .arrow = EPI_AVERAGE, .least = 1, .most = 1, .params = strobe_params, .build = strobe_build,
};
