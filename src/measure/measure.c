/* measure.c - what a flow claims, measured on the very system it moves.
 * A claim that is false must not hide below round-off: every measurement is made with a step at which the error of the flow shows. */
#include "core.h"
#include <float.h>

enum { WARM = 16, PATH = 10, LEVELS = 7, DIRECTIONS = 24 };

/* the flow, where it starts, the step at which its error shows; its memory, to be put back; room for states */
typedef struct {
  epi_flow *f;
  epi_state from;
  int N;
  double h, error, noise;              /* error of a step and what rounding leaves, both relative to the motion */
  double scale[3];                     /* how far positions, velocities, first-order variables move */
  double *a, *b, *c, *kept;
  const double *begun;                 /* its memory where a run begins: of one that learns from its start */
} measure_work;

static int open_work(measure_work *d, epi_flow *f, const epi_state *s)
{
  size_t N = (size_t)epi_dim(f->sys), keep = (size_t)epi_keep_size(f);
  *d = (measure_work){.f = f, .from = {.t = s->t, .theta = s->theta}, .N = (int)N};
  d->a = calloc(4*N + 2*keep + 1, sizeof *d->a);
  if (!d->a) return -1;
  d->b = d->a + N;
  d->c = d->b + N;
  d->from.y = d->c + N;
  d->kept = d->from.y + N;
  memcpy(d->from.y, s->y, N*sizeof *s->y);
  epi_keep_out(f, d->kept);
  epi_derived_system *m = f->sys->derived;
  if (!m || !m->start) return 0;
  d->begun = d->kept + keep;
  epi_forget(f);
  if (m->start(m, &d->from)) epi_forget(f);
  epi_keep_out(f, d->kept + keep);
  return 0;
}

static void close_work(measure_work *d)
{
  epi_keep_in(d->f, d->kept);
  epi_clear_error(d->f);
  free(d->a);
}

static int block_of(const epi_system *m, int i) { return i < m->nq ? 0 : i < m->nq + epi_nv(m) ? 1 : 2; }

/* the largest distance, in units of the motion */
static double apart(const measure_work *d, const double *x, const double *y)
{
  double most = 0;
  for (int i = 0; i < d->N; i++) {
    double scale = d->scale[block_of(d->f->sys, i)];
    most = epi_larger(most, scale > 0 ? fabs(x[i] - y[i])/scale : 0);
  }
  return most;
}

static void note_motion(measure_work *d, const double *y)
{
  double size[3] = {0};
  memset(d->scale, 0, sizeof d->scale);
  for (int i = 0; i < d->N; i++) {
    int k = block_of(d->f->sys, i);
    d->scale[k] = epi_larger(d->scale[k], fabs(y[i] - d->from.y[i]));
    size[k] = epi_larger(size[k], epi_larger(fabs(y[i]), fabs(d->from.y[i])));
  }
  d->noise = 0;
  for (int k = 0; k < 3; k++) if (d->scale[k] > 0) d->noise = epi_larger(d->noise, DBL_EPSILON*size[k]/d->scale[k]);
}

static void begin(const measure_work *d)
{
  epi_forget(d->f);
  if (d->begun) epi_keep_in(d->f, d->begun);
}

/* n steps of h from a state, without a past */
static int steps(const measure_work *d, double t, const double *y, double h, long n, double *out)
{
  epi_state s = {.t = t, .theta = d->from.theta, .y = out};
  if (t != d->from.t) s.theta = epi_phase_at(d->f->sys, d->from.t, d->from.theta, t - d->from.t);
  memcpy(out, y, (size_t)d->N*sizeof *y);
  begin(d);
  return epi_advance(d->f, &s, h, n);
}

/* a path against the same with half the step, relative to how far it goes */
static double path_error(measure_work *d, double h)
{
  if (steps(d, d->from.t, d->from.y, h, PATH, d->a) || steps(d, d->from.t, d->from.y, 0.5*h, 2*PATH, d->b)) return HUGE_VAL;
  note_motion(d, d->b);
  double e = apart(d, d->a, d->b);
  return isnan(e) ? HUGE_VAL : e;
}

/* a start at rest, or where a force happens to vanish, is kind to many: measure a little further on, but not beyond what h resolves.
   0 on success */
static int warm_up(measure_work *d, double h)
{
  int k = 0;
  while (!(path_error(d, h) <= 0.1) && k++ < 40) h *= 0.5;
  if (k > 40 || steps(d, d->from.t, d->from.y, h, WARM, d->b)) return -1;
  d->from.theta = epi_phase_at(d->f->sys, d->from.t, d->from.theta, WARM*h);
  d->from.t += WARM*h;
  memcpy(d->from.y, d->b, (size_t)d->N*sizeof *d->b);
  return 0;
}

static void take_step(measure_work *d, double h)
{
  d->h = h;
  d->error = path_error(d, h);
}

/* the longest step, by doubling or halving h, with which the error of a path is at most a hundredth of the motion; 0 on success */
static int find_step(measure_work *d, double h)
{
  const double most = 0.01;
  int k = 0;
  while (!(path_error(d, h) <= most) && k++ < 40) h *= 0.5;
  if (k > 40) return -1;
  while (k++ < 12 && path_error(d, 2*h) <= most) h *= 2;
  take_step(d, h);
  return 0;
}

/* ---- which measurement makes sense ---- */
static int any(const epi_flow *f, int (*is)(const epi_flow *))
{
  int found = is(f);
  for (int i = 0; i < f->nkid && !found; i++) found = any(f->kid[i], is);
  return found;
}

static int chooses(const epi_flow *f) { return epi_arg(f, "rtol") != NULL; }
static int of_own_time(const epi_flow *f) { return f->own_time; }
static int of_given_eps(const epi_flow *f) { const epi_value *eps = f->own_time ? epi_arg(f, "eps") : NULL; return eps && eps->given; }
static int by_own_clock(const epi_flow *f) { return f->own_time && !(f->claims & EPI_CLOCK); }

static const char *no_step(const epi_flow *f)
{
  if (f->broken) return f->fault.words;
  if (f->claims & EPI_WATCHES) return "it holds a watch or an event, which would be called: measure the flow without it";
  if (any(f, chooses)) return "it chooses its steps: its error follows the tolerance and not the step";
  if (!(f->claims & EPI_CLOCK) && !any(f, of_own_time)) return "it does not move time: it is a part of a method";
  return NULL;
}

/* a method of two systems has its forces in both, and no single system to be held against */
static int of_two(const epi_flow *f) { return f->other != NULL; }

/* whole steps of own time, with the level of the energy given: a map like any other */
static int frozen(const epi_flow *f)
{
  const epi_value *H0 = epi_arg(f, "H0"), *E0 = epi_arg(f, "E0");
  return by_own_clock(f) && ((H0 && H0->given) || (E0 && E0->given));
}

static const char *no_order(const measure_work *d)
{
  if (any(d->f, of_two)) return "its forces stand in two systems, and the other method to hold it against would have those of one";
  if (any(d->f, of_given_eps)) return "eps stands in its text, and the step only says where it answers: leave eps out";
  if (any(d->f, by_own_clock)) return "it counts its own time, and steps of another length end elsewhere: leave clock=own out";
  return NULL;
}

static const char *no_way_back(const measure_work *d)
{
  return d->f->claims & EPI_BACKWARD ? NULL : "it cannot run backward here";
}

/* forces that know the time, or the sign of the velocities, have no motion to turn round */
static const char *no_turning(const measure_work *d)
{
  epi_flow *f = d->f;
  epi_system *m = f->sys;
  int n = epi_nv(m), uneven = 0, timed = 0;
  double *v = d->a, *p = d->b, *r = d->c, size = 0;
  const double *q = d->from.y, t = d->from.t;
  if (m->nz || epi_all_rate(m)) return "it is not known which first-order variables turn round with the velocities";
  if (m->phase.forced) return "the forces depend on time, and so does the motion back";
  if (m->inertia.speed) return "v is a momentum, and the kinetic energy need not be even in it";
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < n; i++) v[i] = q[m->nq + i] + d->scale[1]*sin(1.7 + 2.3*i + k);
    if (epi_accel_all(f, t, d->from.theta, q, v, p)) return "a force could not be had with other velocities";
    for (int i = 0; i < n; i++) v[i] = -v[i], size = fmax(size, fabs(p[i]));
    if (epi_accel_all(f, t, d->from.theta, q, v, r)) return "a force could not be had with velocities turned round";
    for (int i = 0; i < n; i++) uneven |= !(fabs(p[i] - r[i]) <= 1e-10*size);
    if (epi_accel_all(f, t + d->h*(0.37 + k), d->from.theta, q, v, p)) return "a force could not be had at a later time";
    for (int i = 0; i < n; i++) timed |= !(fabs(p[i] - r[i]) <= 1e-10*size);
  }
  return timed ? "the forces depend on time, and so does the motion back"
       : uneven ? "the forces depend on the direction of the velocities, and so does the motion back" : NULL;
}

/* ---- there and back ---- */
static double there_and_back(measure_work *d, unsigned claim)
{
  const epi_system *m = d->f->sys;
  int turned = claim == EPI_REVERSIBLE;
  epi_state s = {.t = d->from.t, .theta = d->from.theta, .y = d->a};
  memcpy(d->a, d->from.y, (size_t)d->N*sizeof *d->a);
  begin(d);
  if (epi_advance(d->f, &s, d->h, PATH)) return NAN;
  note_motion(d, d->a);
  for (int i = 0; turned && i < epi_nv(m); i++) s.y[m->nq + i] *= -1;
  if (epi_advance(d->f, &s, turned ? d->h : -d->h, PATH)) return NAN;
  for (int i = 0; turned && i < epi_nv(m); i++) s.y[m->nq + i] *= -1;
  return apart(d, d->a, d->from.y);
}

/* a false claim misses by about the error of the path; a true one by rounding, or by what an instability makes of it: that is less with
   shorter steps. They are tried as long as a false claim would still stand out */
static void returns(measure_work *d, epi_measured *m, unsigned claim)
{
  for (int k = 0; k < 8; k++) {
    double miss = there_and_back(d, claim), allowed = 1e-5*d->error + 1e3*d->noise;
    epi_measured now = {.value = miss, .allowed = allowed, .step = d->h, .holds = isnan(miss) ? -1 : miss <= allowed};
    if (k && !(d->error > 1e3*allowed)) break;
    if (m->holds < 0 || now.holds == 1) *m = now;
    if (m->holds == 1) return;
    take_step(d, 0.25*d->h);
  }
  if (m->holds < 0) snprintf(m->why, sizeof m->why, "steps of %g could not be taken there and back", m->step);
}

static void symmetric(measure_work *d, epi_measured *m) { returns(d, m, EPI_SYMMETRIC); }
static void reversible(measure_work *d, epi_measured *m) { returns(d, m, EPI_REVERSIBLE); }

/* ---- the tangent map ---- */
/* x = M x; where only M^-1 is known it is inverted. room: n*n */
static int mass_times(epi_flow *f, const double *q, double *x, double *room)
{
  const epi_system *m = f->sys;
  int n = epi_nv(m);
  if (f->space->mass == DIAGONAL) for (int i = 0; i < n; i++) x[i] *= m->mass[i];
  if (f->space->mass == DENSE) {
    memcpy(room, x, (size_t)n*sizeof *x);
    for (int i = 0; i < n; i++) {
      x[i] = 0;
      for (int j = 0; j < n; j++) x[i] += m->inertia.mass_matrix[i*n + j]*room[j];
    }
  }
  if (f->space->mass != SOLVED) return 0;
  for (int c = 0; c < n; c++) {
    double *row = room + c*n;
    for (int i = 0; i < n; i++) row[i] = i == c;
    epi_mass_divide(f->space, q, row);
  }
  return epi_solve(n, room, x);
}

/* directions in (q, v): the coordinates where they are few, else some that have all of them */
static void point(int count, int n, int i, double a, double b, double *x)
{
  for (int k = 0; k < 2*n; k++) {
    double e = count == 2*n ? k == i : sin(1 + 12.9898*k + 78.233*i);
    x[k] = e*(k < n ? a : b);
  }
}

typedef struct { int n, count; double *x, *y, *z, *K, *room; } frame;   /* room for count directions, their images, their momenta, forces */

static int make_frame(frame *F, int n)
{
  int count = 2*n < DIRECTIONS ? 2*n : DIRECTIONS;
  size_t row = (size_t)count*(size_t)n;
  *F = (frame){.n = n, .count = count, .x = calloc(6*row + (size_t)(n*n) + (size_t)(4*n) + 1, sizeof(double))};
  if (!F->x) return -1;
  F->y = F->x + 2*row;
  F->z = F->y + 2*row;
  F->K = F->z + row;
  F->room = F->K + row;
  return 0;
}

static double dot(int n, const double *x, const double *y)
{
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i]*y[i];
  return s;
}

/* how far dF/dq is from symmetric, relative: a force without a potential moves no flow symplectically. NaN: not to be had */
static double curl(const measure_work *d, const frame *F, double t, const double *q)
{
  epi_flow *f = d->f;
  int n = F->n;
  double size = 0, most = 0, *up = F->room + n*n, *down = up + n, *at = down + n;
  for (int i = 0; i < F->count; i++) {
    double *x = F->x + 2*n*i, *K = F->K + n*i;
    for (int side = 0; side < 2; side++) {
      for (int k = 0; k < n; k++) at[k] = q[k] + (side ? -3e-4 : 3e-4)*x[k];
      if (epi_accel(f, t, d->from.theta, at, side ? down : up)) return NAN;
    }
    for (int k = 0; k < n; k++) K[k] = (up[k] - down[k])/2;
    if (mass_times(f, q, K, F->room)) return NAN;
  }
  for (int i = 0; i < F->count; i++)
    for (int j = 0; j < F->count; j++) {
      double ij = dot(n, F->x + 2*n*i, F->K + n*j), ji = dot(n, F->x + 2*n*j, F->K + n*i);
      size = epi_larger(size, fabs(ij));
      most = epi_larger(most, fabs(ij - ji));
    }
  return size > 0 ? most/size : 0;
}

/* J x, by differences of order 4 of one step */
static int image(const measure_work *d, const double *x, double e, double *out)
{
  static const double at[] = {-2, -1, 1, 2}, weight[] = {1, -8, 8, -1};
  memset(out, 0, (size_t)d->N*sizeof *out);
  for (int k = 0; k < 4; k++) {
    for (int i = 0; i < d->N; i++) d->a[i] = d->from.y[i] + at[k]*e*x[i];
    if (steps(d, d->from.t, d->a, d->h, 1, d->b)) return -1;
    for (int i = 0; i < d->N; i++) out[i] += weight[k]*d->b[i]/(12*e);
  }
  return 0;
}

/* x_q . M y_v - x_v . M y_q; py, px: the momenta of velocities */
static double area(int n, const double *x, const double *px, const double *y, const double *py) { return dot(n, x, py) - dot(n, y, px); }

/* J^T Omega J - Omega over all pairs of directions, relative to the largest area; NaN where a step failed. e: of the differences */
static double tangent_defect(const measure_work *d, const frame *F, double e)
{
  int n = F->n, count = F->count;
  double most = 0, size = 0;
  size_t bytes = (size_t)n*sizeof(double);
  for (int image_of = 0; image_of < 2; image_of++) {
    double *x = image_of ? F->y : F->x, *p = image_of ? F->z : F->K;
    for (int i = 0; i < count; i++) {
      if (image_of && image(d, F->x + 2*n*i, e, x + 2*n*i)) return NAN;
      memcpy(p + n*i, x + 2*n*i + n, bytes);
      if (mass_times(d->f, d->from.y, p + n*i, F->room)) return NAN;
    }
  }
  for (int i = 0; i < count; i++)
    for (int j = 0; j < i; j++) {
      double before = area(n, F->x + 2*n*i, F->K + n*i, F->x + 2*n*j, F->K + n*j);
      double after = area(n, F->y + 2*n*i, F->z + n*i, F->y + 2*n*j, F->z + n*j);
      size = epi_larger(size, fabs(before));
      most = epi_larger(most, fabs(after - before));
    }
  return most/size;
}

static const char *no_tangent(const measure_work *d)
{
  const epi_system *m = d->f->sys;
  if (m->manifold.retract || epi_nv(m) != m->nq) return "positions and momenta are not paired: the system has rotations";
  if (m->nc) return "the constraints leave no free positions and momenta to differentiate by";
  if (m->nz || epi_all_rate(m) || !epi_has_force(m)) return "the system has no positions and momenta, or more than these";
  if (m->velocity_force) return "the forces depend on velocity: the motion itself is not symplectic in M v";
  if (any(d->f, of_own_time) && !epi_arg(d->f, "H0") && !epi_arg(d->f, "E0"))
    return "it keeps a memory of its own time, which a difference of starts would change";
  if (any(d->f, of_own_time) && !frozen(d->f))
    return "the level of the energy is that of each start: give clock=own and H0 or E0 to measure whole steps with it frozen";
  return NULL;
}

static void symplectic(measure_work *d, epi_measured *m)
{
  frame F;
  int n = epi_nv(d->f->sys);
  if (make_frame(&F, n)) { snprintf(m->why, sizeof m->why, "out of memory"); return; }
  double a = d->scale[0] > 0 ? d->scale[0] : 1, b = d->scale[1] > 0 ? d->scale[1] : a/d->h, bent[2];
  for (int i = 0; i < F.count; i++) point(F.count, n, i, a, b, F.x + 2*n*i);
  bent[0] = curl(d, &F, d->from.t, d->from.y);
  bent[1] = steps(d, d->from.t, d->from.y, d->h, 1, d->c) ? NAN : curl(d, &F, d->from.t + d->h, d->c);
  double most = epi_larger(bent[0], bent[1]);
  if (most <= 1e-5 + 1e6*d->noise) {
    double miss = NAN, allowed = 1e-4*d->error + 1e5*d->noise;
    /* where the force bends sharply differences must be small; what is missed does not depend on them */
    for (double e = 1e-3; e > 1e-6 && !(miss <= allowed); e *= 0.1) miss = fmin(miss, tangent_defect(d, &F, e));
    *m = (epi_measured){.value = miss, .allowed = allowed, .step = d->h, .holds = isnan(miss) ? -1 : miss <= allowed};
    if (isnan(miss)) snprintf(m->why, sizeof m->why, "steps of %g from starts nearby failed", d->h);
  }
  else if (isnan(most)) snprintf(m->why, sizeof m->why, "a force nearby could not be had");
  else snprintf(m->why, sizeof m->why, "the force has no potential: dF/dq misses its transpose by %.2g of its size", most);
  free(F.x);
}

/* ---- order ---- */
/* a method of another kind and of high order finds out a flow that leaves out a force; where there is none, or forces are dear, the flow
   itself must do */
static int reference(const measure_work *d, double t, const double *y, double span, int levels, double *out)
{
  const epi_record *r = epi_record_of("dop853");
  epi_flow *g = r && levels == LEVELS && !d->f->sys->nc ? epi_leaf(r, d->f->space) : NULL;
  int good = 0, tried = 0;
  measure_work other = *d;
  if (g && g != epi_no_memory() && !g->broken) {
    other.f = g;
    for (long n = 64; n <= 4096 && !good; n *= 2) {
      int bad = steps(&other, t, y, span/(double)n, n, out);
      good = !bad && tried && apart(d, out, d->c) < 1e-11 + 100*d->noise;
      tried = !bad;
      memcpy(d->c, out, (size_t)d->N*sizeof *out);
    }
  }
  epi_free(g);
  long n = PATH/2 << (levels + 2);
  return good ? 0 : steps(d, t, y, span/(double)n, n, out);
}

/* how often the step may be halved: forces that are averages are dear */
static int levels_of(const measure_work *d)
{
  const double most = 1e6;
  long before = epi_calls(d->f);
  if (steps(d, d->from.t, d->from.y, d->h, PATH, d->a)) return LEVELS;
  double calls = (double)(epi_calls(d->f) - before)/PATH;
  int n = 4;
  while (n < LEVELS && calls*(PATH << (n + 2)) < most) n++;
  return n;
}

/* errors at the end of half a path, again with steps of half the length, from two starts: one alone may be kind. How many are usable */
static int errors(measure_work *d, double *h, double *e, double *room)
{
  double span = 0.5*PATH*d->h, *start = room, *end = room + 2*d->N, floor;
  int n = 0, levels = levels_of(d);
  memcpy(start, d->from.y, (size_t)d->N*sizeof *start);
  if (steps(d, d->from.t, start, span/(PATH << 2), PATH << 2, start + d->N)) return 0;
  note_motion(d, start + d->N);
  floor = 1e-11 + 100*d->noise;
  for (int k = 0; k < 2; k++)
    if (reference(d, d->from.t + k*span, start + k*d->N, span, levels, end + k*d->N)) return 0;
  for (int level = 0; level < levels; level++) {
    h[n] = d->h/(1 << level);
    e[n] = 0;
    for (int k = 0; k < 2; k++) {
      if (steps(d, d->from.t + k*span, start + k*d->N, h[n], PATH/2 << level, d->a)) e[n] = NAN;
      e[n] = hypot(e[n], apart(d, d->a, end + k*d->N));
    }
    /* what no longer falls is rounding, and colours what is little above it */
    int rounding = n && e[n] > 0.6*e[n-1] && e[n] < 1e-7;
    if (rounding) while (n && e[n-1] < 10*e[n]) e[n-1] = e[n], n--;
    if (rounding || e[n] < floor) break;
    if (!isnan(e[n])) n++;
  }
  return n;
}

/* does a method of order 8 converge on the path as it should? Over a kink of the force none does */
static int is_smooth(const measure_work *d)
{
  const epi_record *r = epi_record_of("dop853");
  epi_flow *g = r && !d->f->sys->nc ? epi_leaf(r, d->f->space) : NULL;
  double e[2] = {0}, span = PATH*d->h;
  int good = !g || g == epi_no_memory() || g->broken;
  measure_work other = *d;
  other.f = g;
  for (int k = 0; k < 3 && !good; k++) {
    long n = 64L << k;
    if (steps(&other, d->from.t, d->from.y, span/(double)n, n, d->a)) break;
    if (k) e[k - 1] = apart(d, d->a, d->b);
    memcpy(d->b, d->a, (size_t)d->N*sizeof *d->a);
    if (k == 2) good = e[0] < 1e-9 + 100*d->noise || e[0] > 16*e[1];
  }
  epi_free(g);
  return good;
}

/* slope of log e over log h */
static double slope(int n, const double *h, const double *e)
{
  double x = 0, y = 0, xx = 0, xy = 0;
  for (int i = 0; i < n; i++) {
    double u = log(h[i]), w = log(e[i]);
    x += u, y += w, xx += u*u, xy += u*w;
  }
  return (n*xy - x*y)/(n*xx - x*x);
}

/* an order that does not show may be no fault of the flow */
static void doubt(measure_work *d, epi_measured *m, double h)
{
  const epi_system *s = d->f->sys;
  double seen = m->value;
  take_step(d, h);
  int smooth = is_smooth(d), averaged = s->derived && s->derived->inner;
  if (averaged) snprintf(m->why, sizeof m->why, "its forces are averages, whose noise covers the order");
  else if (!smooth) snprintf(m->why, sizeof m->why, "the force has a kink on the way, and no order shows");
  else if (m->holds < 0) snprintf(m->why, sizeof m->why, "its error is lost in rounding");
  else if (seen < 0.5) snprintf(m->why, sizeof m->why, "its error does not fall with the step: it leaves out a force");
  if (averaged || !smooth) m->holds = -1, m->value = NAN;
}

/* a path that meets a kink of the force shows another order: then shorter ones */
static void order(measure_work *d, epi_measured *m)
{
  double h[LEVELS], e[LEVELS], *room = calloc(4*(size_t)d->N + 1, sizeof *room), claimed = d->f->order;
  /* seven halvings of a high order are more than a double holds: the steps are far from small */
  double allowed = claimed < 5 ? 0.3 : claimed < 7 ? 0.5 : 1, first = d->h;
  if (!room) { snprintf(m->why, sizeof m->why, "out of memory"); return; }
  for (int k = 0; k < 3 && m->holds != 1; k++) {
    int n = errors(d, h, e, room);
    /* high orders show late: the last halving counts where it is the better one */
    double p = n < 3 ? NAN : fmax(slope(3, h + n - 3, e + n - 3), slope(2, h + n - 2, e + n - 2));
    if (n >= 3 && (m->holds < 0 || p > m->value))
      *m = (epi_measured){.value = p, .allowed = allowed, .step = d->h, .holds = p >= claimed - allowed};
    take_step(d, 0.25*d->h);
  }
  free(room);
  if (m->holds != 1) doubt(d, m, m->holds ? first : m->step);
}

/* ---- all of them ---- */
static const struct {
  unsigned claim;
  const char *(*unfit)(const measure_work *);
  void (*measure)(measure_work *, epi_measured *);
} kinds[] = {
  {0, no_order, order},
  {EPI_SYMMETRIC, no_way_back, symmetric},
  {EPI_REVERSIBLE, no_turning, reversible},
  {EPI_SYMPLECTIC, no_tangent, symplectic},
};

static void measure(measure_work *d, epi_measured *m, double h, size_t k)
{
  const char *why = NULL;
  /* with a given eps the step does not decide the error */
  int given = any(d->f, of_given_eps), lost = warm_up(d, h);
  if (given && !lost) { take_step(d, h); d->error = 0; }
  else if (lost || find_step(d, h)) {
    const char *said = epi_error(d->f);
    snprintf(m->why, sizeof m->why, "no step from this start is accurate%s%s", said ? ": " : "", said ? said : "");
    return;
  }
  if (!(d->scale[0] + d->scale[1] + d->scale[2] > 0)) why = "nothing moves from this start";
  if (!why) why = kinds[k].unfit(d);
  if (why) snprintf(m->why, sizeof m->why, "%s", why);
  else kinds[k].measure(d, m);
}

epi_measured epi_measure(epi_flow *f, const epi_state *s, double h, unsigned claim)
{
  epi_measured m = {.value = NAN, .holds = -1};
  const char *why = no_step(f);
  size_t k = 0;
  while (k < sizeof kinds/sizeof *kinds && kinds[k].claim != claim) k++;
  if (!why && k == sizeof kinds/sizeof *kinds)
    why = "this claim cannot be measured: ask for the order (0), symmetric, reversible or symplectic";
  if (!why && (!s || !s->y || !(h > 0) || !isfinite(h))) why = "it needs a state with y, and a positive step";
  measure_work d;
  if (!why && open_work(&d, f, s)) why = "out of memory";
  if (why) { snprintf(m.why, sizeof m.why, "%s", why); return m; }
  measure(&d, &m, h, k);
  close_work(&d);
  return m;
}
