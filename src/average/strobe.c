/* strobe.c - stroboscopic averaging: the slow vector field is a difference quotient of whole-period micro runs, forward and
 * backward from the slow state. Calvo, Chartier, Murua & Sanz-Serna. Slow time runs on inside the window; the phase starts at
 * theta0 and is set to it again after every period, so that it does not drift. A rate whose phase_rate is set has its phase in
 * t itself: its windows start at t = theta0/phase_rate. */
#include "strobe.h"
#include "phase.h"
#include "window.h"

/* central differences at 1, 2, ... periods, of orders 2, 4, ... 10; forward ones of orders 1 and 2 */
static const double central[][5] = {
  {0.5}, {2./3, -1./12}, {3./4, -3./20, 1./60}, {4./5, -1./5, 4./105, -1./280}, {5./6, -5./21, 5./84, -5./504, 1./1260}
};
static const double forward[][5] = {{1}, {2, -0.5}};
enum { NOW_AND_THEN = 256 };           /* windows from one look at the next higher order to the next look */

/* the model seen from the slow state: z = (y - Y)/T in place of y, so that a period moves z by O(1), however short it is. What
   is lost to rounding is then a part of y' alone, not of y/T */
typedef struct { epi_system sys; epi_system *of; epi_space *space; const double *Y; double *y, T; } shifted_system;

typedef struct {
  epi_cost cost;                       /* first, as in every average of the library */
  int reach, forward, timed, asked;
  double period, theta0;
  shifted_system *shifted;
  epi_phased *phased;                  /* where constraints and forces of velocity take the phase from t */
  long looks;                          /* at the next higher order */
} strobe;

/* a difference quotient: its coefficients at 1, 2, ... reach periods, sum of c_j y_j, and of c_j (t_j - t) */
typedef struct { const double *c; int reach; double *sum, span; } quotient;

/* work: the moving state, that of a shifted system, five answers of the force; the quotient of the next order, how far apart the two are
   over all looks, least and most of the slow state, how far it is from the oscillating one within a period; how far apart the quotient and
   that of twice the micro-steps are over all looks */
static double *next_of(const epi_flow *f) { return f->work + 7*epi_dim(f->sys); }
static double *differ(const epi_flow *f) { return f->work + 8*epi_dim(f->sys); }
static double *least(const epi_flow *f) { return f->work + 9*epi_dim(f->sys); }
static double *most(const epi_flow *f) { return f->work + 10*epi_dim(f->sys); }
static double *swing(const epi_flow *f) { return f->work + 11*epi_dim(f->sys); }
static double *by_steps(const epi_flow *f) { return f->work + 12*epi_dim(f->sys); }
enum { STATES = 13 };
/* behind them, of rotations: the state that the windows start from, and room to put it there */
static double *put_back(const epi_flow *f) { return f->work + STATES*epi_dim(f->sys); }

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
  return a->of->jacobian.slope(a->of, t, back(a, z), x, y, A);
}

static void move_shifted(epi_flow *micro, void *data)
{
  shifted_system *a = data;
  if (micro->sys != a->of) return;
  epi_space_release(micro->space);
  micro->space = epi_space_hold(a->space);
  micro->sys = &a->sys;
}

static void add(quotient *a, int j, double sign, int N, const double *x, double since)
{
  if (!a || j > a->reach) return;
  double c = sign*a->c[j-1];
  for (int i = 0; i < N; i++) a->sum[i] += c*x[i];
  a->span += c*since;
}

/* `periods` of them one way, each in `parts` steps of the micro flow */
static int leg(epi_flow *f, int d, double t, const double *y, int periods, int parts, quotient *one, quotient *two)
{
  const strobe *b = f->own;
  epi_flow *micro = f->kid[0];
  int N = epi_dim(micro->sys), bad;
  double *x = f->work, sign = d ? -1 : 1;
  if (b->shifted) memset(x, 0, (size_t)N*sizeof *x);
  else memcpy(x, y, (size_t)N*sizeof *x);
  epi_state s = {.t = t, .theta = b->theta0, .y = x};
  if (f->below) epi_forget(micro);
  for (int j = 1; j <= periods; j++) {
    double T = epi_turn_time(micro->sys, b->period, s.t, sign);
    double end = b->period > 0 ? t + sign*j*b->period : s.t + T, since = b->period > 0 ? sign*j*b->period : end - t;
    epi_cache_invalidate(&s);
    if (j > one->reach) epi_cost_hold(f);
    bad = epi_stopping(f) ? EPI_INTERRUPTED : epi_go(micro, &s, T/parts, parts);
    if (j > one->reach) epi_cost_back(f);
    if (bad) return bad;
    if (micro->sys->manifold.nearest) micro->sys->manifold.nearest(micro->sys, y, x);
    s.t = end;
    s.key.rest = 0;
    s.theta = b->theta0;
    add(one, j, sign, N, x, since);
    add(two, j, sign, N, x, since);
  }
  return 0;
}

/* macro-steps of rotations move their numbers as if these were free, and leave units and constraints by their error: the windows start from
   where the state belongs, at their phase. All their differences are taken from there */
static int start_of(epi_flow *f, double t, const double *y, const double **from)
{
  epi_system *m = f->kid[0]->sys;
  double *x = put_back(f), *zero = x + epi_dim(m), *room = zero + epi_nv(m);
  epi_phased_at(((strobe *)f->own)->phased, t, ((strobe *)f->own)->theta0);
  *from = y;
  if (!m->manifold.retract) return 0;
  memcpy(x, y, (size_t)epi_dim(m)*sizeof *x);
  memset(zero, 0, (size_t)epi_nv(m)*sizeof *zero);
  m->manifold.retract(m, y, zero, x);
  *from = x;
  epi_state s = {.t = t, .y = x};
  return m->nc ? epi_return_to_constraints(f->kid[0]->space, &s, 0, room, &f->fault) : 0;
}

/* so is every step that stays. The rate does not change by it, but the last digits of a cached one would */
static int settled(epi_derived_system *m, epi_state *s)
{
  const double *from;
  int bad = start_of(m->inner, s->t, s->y, &from);
  if (bad) return bad;
  memcpy(s->y, from, (size_t)epi_dim(m->inner->sys)*sizeof *s->y);
  epi_cache_invalidate(s);
  return 0;
}

/* one or two quotients from one window */
static int window(epi_flow *f, double t, const double *y, int parts, quotient *one, quotient *two)
{
  const strobe *b = f->own;
  quotient *all[] = {one, two};
  int N = epi_dim(f->sys), periods = two ? two->reach : one->reach, bad;
  for (int k = 0; k < 2 && all[k]; k++) {
    double c = 0;
    for (int j = 0; b->forward && !b->shifted && j < all[k]->reach; j++) c -= all[k]->c[j];
    for (int i = 0; i < N; i++) all[k]->sum[i] = c*y[i];
  }
  if ((bad = leg(f, 0, t, y, periods, parts, one, two))) return bad;
  if (!b->forward && (bad = leg(f, 1, t, y, periods, parts, one, two))) return bad;
  for (int k = 0; k < 2 && all[k]; k++) {
    double span = b->shifted ? all[k]->span/b->shifted->T : all[k]->span;
    for (int i = 0; i < N; i++) all[k]->sum[i] /= span;
  }
  return 0;
}

static quotient quotient_of(const strobe *b, int higher, double *sum)
{
  int reach = b->reach + higher;
  return (quotient){.c = b->forward ? forward[reach-1] : central[reach-1], .reach = reach, .sum = sum};
}

/* ---- what it can see of itself ---- */
static int ask(epi_flow *f, double t, const double *y)
{
  strobe *b = f->own;
  double period = b->period > 0 ? b->period : fabs(epi_turn_time(f->sys, b->period, t, 1));
  epi_phase_question a = {.average = f, .t = t, .theta = b->theta0, .period = period, .y = y, .work = f->work + 2*epi_dim(f->sys)};
  int bad = epi_ask_turn(&a);
  if (bad || (bad = epi_ask_time(&a, b->timed)) || (bad = epi_phased_ask(b->phased, f, t, period, y))) return bad;
  b->asked = 1;
  return 0;
}

static double apart(int n, const double *a, const double *b)
{
  double x = 0;
  for (int i = 0; i < n; i++) x = epi_larger(x, fabs(a[i] - (b ? b[i] : 0)));
  return x;
}

/* the rate with twice the micro-steps, into next_of. 0: they do not bear that */
static int finer_rate(epi_flow *f, double t, const double *y, int *bad)
{
  quotient finer = quotient_of(f->own, 0, next_of(f));
  epi_cost_hold(f);
  *bad = window(f, t, y, 2, &finer, NULL);
  epi_cost_back(f);
  if (*bad > 0) epi_clear_error(f->kid[0]);
  return *bad == 0;
}

/* a tolerance around it cannot see what the slow rate itself is off by, relative to itself: by its order, and by its micro-steps */
static void check_rate(epi_flow *f, double order, double steps)
{
  const double rtol = f->derives->rtol;
  if (fmax(order, steps) <= 10*rtol) return;
  epi_warn(f, "strobe: the tolerance around it asks for %.2g, and the slow rate is off by %.2g of itself, which no macro-step can see: "
           "%s, or take a larger rtol", rtol, fmax(order, steps),
           steps > order ? "give more micro-steps a period, or a micro flow of higher order" : "take a higher order of strobe");
}

/* at the quarters of a period. A micro flow that cannot be cut there is left alone */
static void look_between(epi_flow *f, double t, const double *y)
{
  const strobe *b = f->own;
  epi_flow *micro = f->kid[0];
  int N = epi_dim(micro->sys);
  double *x = f->work, T = epi_turn_time(micro->sys, b->period, t, 1);
  if (b->shifted) memset(x, 0, (size_t)N*sizeof *x);
  else memcpy(x, y, (size_t)N*sizeof *x);
  epi_state s = {.t = t, .theta = b->theta0, .y = x};
  if (f->below) epi_forget(micro);
  epi_cost_hold(f);
  for (int k = 1; k <= 3; k++) {
    if (epi_go(micro, &s, T/4, 1)) { epi_clear_error(micro); break; }
    for (int i = 0; i < N; i++) swing(f)[i] = epi_larger(swing(f)[i], fabs(b->shifted ? b->shifted->T*x[i] : x[i] - y[i]));
  }
  epi_cost_back(f);
}

static double sampled(const epi_flow *f) { return ((const strobe *)f->own)->period; }
static const double *swing_of(const epi_flow *f) { return swing(f); }

int epi_strobe_form_of(const epi_flow *f, epi_strobe_form *out)
{
  const strobe *b = f->own;
  if (b->shifted || b->phased || !(b->period > 0)) return -1;
  *out = (epi_strobe_form){b->forward ? forward[b->reach-1] : central[b->reach-1], b->reach, b->forward, b->timed, b->period, b->theta0};
  return 0;
}

/* the window with its next higher order, and with twice the micro-steps: what they differ by is the error of the lower, and most of that of
   the fewer */
static int look(epi_flow *f, double t, const double *y, double *dy)
{
  strobe *b = f->own;
  int N = epi_dim(f->sys);
  double *x = next_of(f);
  look_between(f, t, y);
  quotient own = quotient_of(b, 0, dy), next = quotient_of(b, 1, x);
  /* one period more may be more than the system bears: the look is left out */
  if (window(f, t, y, 1, &own, &next)) {
    epi_clear_error(f->kid[0]);
    own = quotient_of(b, 0, dy);
    return window(f, t, y, 1, &own, NULL);
  }
  double size = apart(N, dy, NULL), order = apart(N, dy, x)/size, part = f->kid[0]->order > 0 ? 1/(1 - pow(2, -f->kid[0]->order)) : 1;
  int bad, borne;
  for (int i = 0; i < N; i++) differ(f)[i] += fabs(x[i] - dy[i]);
  if (!(borne = finer_rate(f, t, y, &bad)) && bad < 0) return bad;
  for (int i = 0; i < N && borne; i++) by_steps(f)[i] += part*fabs(x[i] - dy[i]);
  if (!b->looks++ && f->derives->rtol > 0 && borne) check_rate(f, order, apart(N, dy, x)/size);
  return 0;
}

static void note(epi_flow *f, double t, const double *y)
{
  strobe *b = f->own;
  int N = epi_dim(f->sys), first = !b->cost.windows;
  double *lo = least(f), *hi = most(f);
  for (int i = 0; i < N; i++) {
    if (first || y[i] < lo[i]) lo[i] = y[i];
    if (first || y[i] > hi[i]) hi[i] = y[i];
  }
  epi_cost_add(&b->cost, t);
}

/* the largest of its kind: a coordinate that is nothing beside the others is rounding */
static double large(const epi_flow *f, int i)
{
  const int n = epi_dim(f->kid[0]->sys), split = f->kid[0]->sys->nq, from = i < split ? 0 : split, to = i < split ? split : n;
  double x = 0;
  for (int k = from; k < to; k++) x = epi_larger(x, epi_larger(fabs(most(f)[k]), fabs(least(f)[k])));
  return x;
}

/* the coordinate that goes farthest elsewhere, by these differences of rates added up over the run, against the way that it went itself, or
   against `within` a period where that is more; *share: more than that, and how much. -1: none */
static int farthest(const epi_flow *f, const double *differences, const double *within, double *share)
{
  const strobe *b = f->own;
  double run = fabs(b->cost.last - b->cost.first);
  int worst = -1;
  for (int i = 0; i < epi_dim(f->sys) && b->looks; i++) {
    double off = differences[i]/(double)b->looks*run, way = most(f)[i] - least(f)[i];
    if (within) way = fmax(way, within[i]);
    if (!(way > 1e-10*large(f, i) && off > 1e-3*fmax(fabs(most(f)[i]), fabs(least(f)[i])) && off > *share*way)) continue;
    *share = off/way;
    worst = i;
  }
  return worst;
}

/* of the range. A rate that is wrong in proportion to a motion that goes to and fro is a wrong phase, and a coordinate is off by half to
   three quarters of what this adds up to: a tenth of its swing */
static const double MUCH_ORDER = 0.03, MUCH_STEPS = 0.07;

static void doubt(epi_flow *f)
{
  const strobe *b = f->own;
  double T = fabs(epi_turn_time(f->sys, b->period, 0.5*(b->cost.first + b->cost.last), 1)), length = (b->forward ? 1 : 2)*b->reach*T;
  double far = MUCH_ORDER, off = MUCH_STEPS;
  int worst = farthest(f, differ(f), NULL, &far), steps = farthest(f, by_steps(f), swing(f), &off);
  int several = b->cost.windows > 1 && !b->cost.inside;
  char name[32];
  if (several && worst >= 0 && far/MUCH_ORDER > off/MUCH_STEPS)
    epi_warn(f, "strobe: its windows of %.3g are not short against the slow motion: by order %d instead of %d %s would go %.2g of its way "
             "elsewhere; take a higher order, or integrate directly", length,
             b->forward ? 2 : 2*b->reach + 2, b->forward ? 1 : 2*b->reach, epi_coordinate(f->sys, worst, name, sizeof name), far);
  else if (several && steps >= 0)
    epi_warn(f, "strobe: its micro-steps are too long: what they leave the slow rate off by may add up to %.2g of the range of %s over "
             "this run; give more micro-steps a period, or a micro flow of higher order", off,
             epi_coordinate(f->sys, steps, name, sizeof name));
  epi_cost_judge(f, &b->cost, length, T);
}

/* ---- in a checkpoint: counts, then what it saw of every coordinate, which stands together ---- */
enum { LOOKS = EPI_COST_SEEN, ASKED, COUNTS, OF_EACH = 5 };
static void seen_out(const epi_flow *f, double *x)
{
  const strobe *b = f->own;
  epi_cost_seen(&b->cost, x);
  x[LOOKS] = (double)b->looks, x[ASKED] = b->asked;
  memcpy(x + COUNTS, differ(f), (size_t)(OF_EACH*epi_dim(f->sys))*sizeof *x);
}

static int seen_in(epi_flow *f, const double *x)
{
  strobe *b = f->own;
  if (!epi_is_count(x[LOOKS]) || (x[ASKED] != 0 && x[ASKED] != 1) || epi_cost_see(&b->cost, x)) return -1;
  b->looks = (long)x[LOOKS], b->asked = (int)x[ASKED];
  memcpy(differ(f), x + COUNTS, (size_t)(OF_EACH*epi_dim(f->sys))*sizeof *x);
  return 0;
}

static int slow_rate(epi_system *s, double t, const double *y, double *dy)
{
  epi_flow *f = s->derived->inner;
  strobe *b = f->own;
  int bad;
  double clock = t;
  if (b->timed) t = b->theta0/f->sys->phase.phase_rate;
  if (!b->asked && (bad = ask(f, t, y))) return bad;
  if (b->shifted) b->shifted->Y = y;
  quotient own = quotient_of(b, 0, dy);
  const double *from;
  f->steps++;
  if ((bad = start_of(f, t, y, &from))) return bad;
  if (epi_cost_repeats(f)) return window(f, t, from, 1, &own, NULL);
  if ((bad = b->cost.windows % NOW_AND_THEN ? window(f, t, from, 1, &own, NULL) : look(f, t, from, dy))) return bad;
  note(f, clock, y);
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
  if (epi_refuse_memory(f, !a)) return;
  *a = (shifted_system){.sys = *m, .of = m, .y = f->work + epi_dim(m), .T = b->period};
  a->sys.rate = shifted_rate;
  a->sys.jacobian.slope = m->jacobian.slope ? shifted_slope : NULL;
  a->space = epi_space_make(&a->sys);
  if (epi_refuse_memory(f, !a->space)) return;
  epi_visit(micro, move_shifted, a);
}

static void strobe_drop(epi_flow *f)
{
  shifted_system *a = f->own ? ((strobe *)f->own)->shifted : NULL;
  if (a) epi_space_release(a->space);
  free(a);
  if (f->own) epi_phased_free(((strobe *)f->own)->phased);
  epi_cost_close(f);
}

static void check(epi_flow *f, int order)
{
  const strobe *b = f->own;
  const epi_flow *micro = f->kid[0];
  const epi_system *m = f->sys;
  const char *name = micro->record->name;
  epi_refuse(f, order != 1 && order != 2 && order != 4 && order != 6 && order != 8, "strobe: order is %d: take 1, 2, 4, 6 or 8", order);
  epi_refuse(f, !(micro->claims & EPI_CLOCK), "strobe needs a micro flow that moves time; %s does not", name);
  epi_refuse(f, !micro->lands,
             "strobe gives its micro flow a whole period as one step, and %s would take it in one: put substeps(%s, 20) around it", name,
             name);
  epi_refuse(f, !(b->period > 0) && !m->phase.phase_rate_at,
             "strobe does not know the fast period: set period or phase_rate in the system, or give strobe its period");
  epi_refuse(f, order > 1 && !(micro->claims & EPI_BACKWARD),
             "strobe of order %d runs the micro flow backward and %s cannot here (damping, impacts): take order=1", order, name);
  epi_refuse(f, m->phase.phase_in_t == 2 && m->nc && !m->manifold.retract,
             "strobe: constraints that take the fast phase from t are known for worlds of "
             "bodies alone: integrate directly");
  epi_refuse_period(f, b->period);
}

static void strobe_build(epi_flow *f)
{
  const epi_system *m = f->sys;
  int order = (int)epi_arg(f, "order")->number;
  strobe *b = f->own = calloc(1, sizeof *b);
  epi_derived_system *made = f->derives = calloc(1, sizeof *made);
  if (epi_refuse_memory(f, !b || !made)) return;
  f->drop = strobe_drop;
  *b = (strobe){.reach = order == 1 ? 1 : order/2, .forward = order == 1, .period = epi_period(f), .theta0 = epi_theta0(f),
                .timed = epi_all_rate(m) && m->phase.phase_rate != 0};
  /* a period of its own holds at one time only */
  if (m->phase.phase_rate_at && !epi_arg(f, "period")->given) b->period = 0;
  epi_cost_open(f);
  check(f, order);
  b->phased = f->broken ? NULL : epi_phased_make(f, b->theta0);
  /* others than these have no phase to ask about */
  b->asked = !epi_can_be_asked(m) || !(m->phase.forced || b->period > 0);
  long back = m->manifold.retract ? epi_dim(m) + epi_nv(m) + (m->nc ? epi_constraint_room(f->kid[0]->space) : 0) : 0;
  if (f->broken || epi_blocks(f, 0, STATES*epi_dim(m) + back)) return;
  if (epi_arg(f, "clean")->number != 0) clean(f);
  made->sys = epi_inherited(m);
  made->sys.nz = m->nz;
  made->sys.rate = slow_rate;
  /* the windows hold them */
  if (m->manifold.retract) made->sys.nc = 0, made->sys.constraint = NULL, made->sys.constraints.rowptr = made->sys.constraints.cols = NULL,
    made->accepted = settled;
  made->sys.traits.irreversible = order == 1;
  made->sys.derived = made;
  made->record = f->record;
  f->claims = f->kid[0]->claims & (EPI_EXPLICIT | EPI_BACKWARD);
  f->order = order;
  f->doubt = doubt;
  f->nseen = COUNTS + OF_EACH*epi_dim(m);
  f->seen_out = seen_out;
  f->seen_in = seen_in;
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
static const epi_slow_facet slow = {.period = epi_period, .theta0 = epi_theta0, .sampled = sampled, .swing = swing_of};
const epi_record epi_STROBE = {
  .name = "strobe", .doc = "the slow system through the stroboscopic points of a fast one, by differences of whole-period micro runs",
  .cite = "Calvo, Chartier, Murua & Sanz-Serna, a stroboscopic numerical method for highly oscillatory problems (2011)",
  .example = "rk4(strobe(substeps(rk4, 20), order=4))", .arrow = EPI_AVERAGE, .least = 1, .most = 1, .params = strobe_params,
  .build = strobe_build, .facets = &(const epi_facets){.form = EPI_FORM_STROBE, .traits = EPI_IN_LANES, .slow = &slow},
};
