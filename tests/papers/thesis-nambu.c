/* holds: Paper IV of Modin's thesis is reproduced figure by figure: splitting of the rigid body */
#include "thesis.h"

/* the state is a quaternion and the angular velocity in the body; the figures are of the momenta x = I w, from (0, cos 0.2, sin 0.2) */
enum { AT_W = 4, ALL = 7 };
static const double I[] = {0.5, 1, 2}, A[] = {-0.5, 1.5, -1}, THETA = 0.2;

static void momenta(const double *y, double *x) { for (int i = 0; i < 3; i++) x[i] = I[i]*y[AT_W + i]; }
static double casimir(const double *x) { return (x[0]*x[0] + x[1]*x[1] + x[2]*x[2])/2; }
static double kinetic(const double *x) { return (x[0]*x[0]/I[0] + x[1]*x[1]/I[1] + x[2]*x[2]/I[2])/2; }

/* x_1' = A_1 x_2 x_3 and so on; the objective is |x'| + 0.01 */
static double Q_of(const double *x)
{
  double sum = 0;
  for (int i = 0; i < 3; i++) sum += pow(A[i]*x[(i + 1)%3]*x[(i + 2)%3], 2);
  return sqrt(sum) + 0.01;
}

static double apart3(const double *a, const double *b) { return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2)); }

static double exact_x(epi_case *c, double t, int i)
{
  double y[ALL];
  c->model->exact(c, t, y);
  return I[i]*y[AT_W + i];
}

/* ---- the exact motion, measured: its period, the parameter of its elliptic functions, its length ---- */
struct orbit { double period, m, lambda, back, length, eps, most, least; };
static const struct field ORBIT[] = {
  {"elliptic_m", offsetof(struct orbit, m)}, {"lambda", offsetof(struct orbit, lambda)},
  {"return_error_after_period", offsetof(struct orbit, back)}, {"arclength", offsetof(struct orbit, length)},
  {"eps_for_mean_step_0.15", offsetof(struct orbit, eps)}, {"max Q over orbit", offsetof(struct orbit, most)},
  {"min Q over orbit", offsetof(struct orbit, least)},
  {NULL, 0}
};

static double quarter_period(double m)
{
  double a = 1, b = sqrt(1 - m);
  for (int i = 0; i < 40; i++) {
    double next = (a + b)/2;
    b = sqrt(a*b);
    a = next;
  }
  return acos(-1)/(2*a);
}

static struct orbit orbit(void)
{
  enum { N = 4000 };
  epi_case *c = epi_case_make("rigid-body");
  struct orbit o = {.least = INFINITY};
  double low = 15.5, high = 16.3, y[ALL], x[3], first[3] = {0, cos(THETA), sin(THETA)};
  for (int i = 0; i < 60; i++) {
    double t = (low + high)/2;
    *(exact_x(c, t, 0) > 0 ? &low : &high) = t;
  }
  o.period = low;
  /* x_3 is sin(theta) nd, between sin(theta) and sin(theta)/sqrt(1 - m) */
  o.m = 1 - pow(sin(THETA)/exact_x(c, o.period/4, 2), 2);
  o.lambda = 4*quarter_period(o.m)/o.period;
  /* the rectangle rule is exact for what is periodic; Q is greatest and least at some eighth of the period, or at none of its points */
  for (int k = 0; k < N; k++) {
    c->model->exact(c, o.period*k/N, y);
    momenta(y, x);
    o.length += (Q_of(x) - 0.01)*o.period/N;
    o.most = larger(o.most, Q_of(x));
    o.least = fmin(o.least, Q_of(x));
  }
  o.eps = 0.15*(o.length/o.period + 0.01);
  c->model->exact(c, o.period, y);
  momenta(y, x);
  o.back = apart3(x, first);
  epi_case_free(c);
  return o;
}

/* ---- runs of the four methods ---- */
static const struct method { const char *name, *inner; int adaptive; } METHODS[] = {
  {"PhiTG", "T", 1}, {"PhiMTG", "MT", 1}, {"PhiT", "T", 0}, {"PhiMT", "MT", 0},
};
enum { METHODS_N = 4 };

static void text_of(const struct method *m, const char *axes, char *out, size_t size)
{
  snprintf(out, size, m->adaptive ? "density(nambu(split=%s%s), clock=own)" : "nambu(split=%s%s)", m->inner, axes);
}

struct run {
  double x[3], t, xi, dM[4], dT[4], early_M, early_T, dG, hmin, hmax, mean, error, crossings, section_mean, section_spread, most_M, most_T,
  turn;
};
static const struct field RUN[] = {
  {"x1", offsetof(struct run, x[0])}, {"x2", offsetof(struct run, x[1])}, {"x3", offsetof(struct run, x[2])},
  {"t", offsetof(struct run, t)},
  {"xi", offsetof(struct run, xi)}, {"maxdM_200*2^k steps", offsetof(struct run, early_M)},
  {"maxdT_200*2^k steps", offsetof(struct run, early_T)},
  {"maxdM_q1", offsetof(struct run, dM[0])}, {"maxdM_q4", offsetof(struct run, dM[3])}, {"maxdT_q1", offsetof(struct run, dT[0])},
  {"maxdT_q4", offsetof(struct run, dT[3])}, {"maxdG", offsetof(struct run, dG)}, {"mean_step", offsetof(struct run, mean)},
  {"hmin", offsetof(struct run, hmin)}, {"hmax", offsetof(struct run, hmax)}, {"globalerr", offsetof(struct run, error)},
  {"section_crossings", offsetof(struct run, crossings)}, {"section_x3_mean", offsetof(struct run, section_mean)},
  {"section_x3_spread", offsetof(struct run, section_spread)}, {"maxdM", offsetof(struct run, most_M)},
  {"maxdT", offsetof(struct run, most_T)},
  {NULL, 0}
};

/* where x_1 falls through zero between the middle two of four points: x_3 there, by the cubic of x_3 over x_1 */
struct section { double point[4][3], low, high, sum; long seen, n; };

static void pass(struct section *s, const double *x)
{
  memmove(s->point[0], s->point[1], 3*sizeof s->point[0]);
  memcpy(s->point[3], x, sizeof s->point[3]);
  if (++s->seen < 4 || !(s->point[1][0] > 0 && s->point[2][0] <= 0)) return;
  double z = 0;
  for (int i = 0; i < 4; i++) {
    double l = 1;
    for (int j = 0; j < 4; j++) if (j != i) l *= s->point[j][0]/(s->point[j][0] - s->point[i][0]);
    z += l*s->point[i][2];
  }
  s->low = s->n ? fmin(s->low, z) : z;
  s->high = s->n ? fmax(s->high, z) : z;
  s->sum += z;
  s->n++;
}

/* how far two attitudes are apart: the angle between them */
static double turn_between(const double *p, const double *q)
{
  double d = 0, s = 0;
  for (int i = 0; i < 4; i++) d += p[i]*q[i];
  for (int i = 0; i < 4; i++) s += pow(q[i] - (d < 0 ? -1 : 1)*p[i], 2);
  return 2*sqrt(s);
}

static void finish(struct run *r, epi_case *c, epi_flow *f, const epi_state *s, long N)
{
  double z[ALL], x[3], beside[2] = {0};
  c->model->exact(c, s->t, z);
  momenta(z, x);
  momenta(s->y, r->x);
  epi_extra_state(f, beside, 2);
  r->xi = beside[0];
  r->t = s->t;
  r->mean = s->t/(double)N;
  r->error = apart3(r->x, x);
  r->turn = turn_between(s->y, z);
  for (int q = 0; q < 4; q++) r->most_M = larger(r->most_M, r->dM[q]), r->most_T = larger(r->most_T, r->dT[q]);
}

/* N steps of e, the first `early` of them by themselves too */
static struct run run(const struct method *m, const char *axes, double e, long N, long early)
{
  char text[96];
  text_of(m, axes, text, sizeof text);
  epi_case *c = epi_case_make("rigid-body");
  epi_flow *f = epi_case_flow(c, text);
  epi_state s = epi_case_state(c);
  struct run r = {.hmin = INFINITY};
  struct section cut = {0};
  double x[3], beside[2];
  momenta(s.y, x);
  double M0 = casimir(x), T0 = kinetic(x);
  pass(&cut, x);
  for (long k = 0; k < N; k++) {
    double t = s.t;
    step(f, &s, e);
    momenta(s.y, x);
    int quarter = (int)(4*k/N);
    r.dM[quarter] = larger(r.dM[quarter], fabs(casimir(x) - M0));
    r.dT[quarter] = larger(r.dT[quarter], fabs(kinetic(x) - T0));
    if (k < early) r.early_M = larger(r.early_M, fabs(casimir(x) - M0)), r.early_T = larger(r.early_T, fabs(kinetic(x) - T0));
    r.hmin = fmin(r.hmin, s.t - t);
    r.hmax = larger(r.hmax, s.t - t);
    if (m->adaptive && epi_extra_state(f, beside, 2) >= 2) r.dG = larger(r.dG, fabs(log(beside[0]/Q_of(x))));
    pass(&cut, x);
  }
  r.crossings = (double)cut.n;
  r.section_mean = cut.sum/(double)cut.n;
  r.section_spread = cut.high - cut.low;
  finish(&r, c, f, &s, N);
  epi_free(f);
  epi_case_free(c);
  return r;
}

/* ---- dxi/dtau with the wrong sign, around the flow of the library, until xi is no longer positive ---- */
struct wrong { double dM, dT, hmax, at; };
static const struct field WRONG[] = {
  {"maxdM", offsetof(struct wrong, dM)}, {"maxdT", offsetof(struct wrong, dT)}, {"hmax", offsetof(struct wrong, hmax)},
  {"xi<=0_at_step", offsetof(struct wrong, at)},
  {NULL, 0}
};

static double rate_of_Q(epi_case *c, const double *y)
{
  double Q, grad[6], f[3] = {0}, xi = 0;
  c->system.velocity_force(&c->system, 0, y, y + AT_W, f);
  c->system.energies.objective(&c->system, 0, y, &Q, grad);
  for (int i = 0; i < 3; i++) xi += grad[3 + i]*f[i]/I[i];
  return xi/Q;
}

static struct wrong wrong_sign(const char *split, double e)
{
  char text[32];
  snprintf(text, sizeof text, "nambu(split=%s)", split);
  epi_case *c = epi_case_make("rigid-body");
  epi_flow *f = epi_case_flow(c, text);
  epi_state s = epi_case_state(c);
  struct wrong w = {0};
  double x[3];
  momenta(s.y, x);
  double xi = Q_of(x), M0 = casimir(x), T0 = kinetic(x);
  for (int k = 0; k < 100; k++) {
    xi -= e/2*rate_of_Q(c, s.y);
    if (xi <= 0) { w.at = k + 1; break; }
    w.hmax = larger(w.hmax, e/xi);
    step(f, &s, e/xi);
    momenta(s.y, x);
    w.dM = larger(w.dM, fabs(casimir(x) - M0));
    w.dT = larger(w.dT, fabs(kinetic(x) - T0));
    xi -= e/2*rate_of_Q(c, s.y);
    if (xi <= 0) { w.at = k + 1; break; }
  }
  epi_free(f);
  epi_case_free(c);
  return w;
}

/* ---- one step as a map of the momenta, and of the density where there is one: the objective times a factor begins it anywhere ---- */
struct map_of { epi_case *c; epi_flow *f; double e, factor; int n; };

static int any_objective(epi_system *s, double t, const double *y, double *Q, double *grad)
{
  const double *factor = s->data;
  double x[3], X[3];
  (void)t;
  momenta(y, x);
  *Q = *factor*Q_of(x);
  for (int i = 0; i < 3; i++) X[i] = A[i]*x[(i + 1)%3]*x[(i + 2)%3];
  double n = *factor/(Q_of(x) - 0.01);
  for (int i = 0; i < 3; i++) {
    int j = (i + 1)%3, k = (i + 2)%3;
    grad[i] = 0;
    grad[3 + i] = n*I[i]*(X[j]*A[j]*x[k] + X[k]*A[k]*x[j]);
  }
  return 0;
}

static void map_open(struct map_of *o, const struct method *m, double e)
{
  char text[96];
  text_of(m, "", text, sizeof text);
  *o = (struct map_of){.c = epi_case_make("rigid-body"), .e = e, .n = m->adaptive ? 4 : 3};
  o->c->system.energies.objective = any_objective;
  o->c->system.data = &o->factor;
  o->f = epi_make(text, &o->c->system);
}

static void map_close(struct map_of *o)
{
  epi_free(o->f);
  epi_case_free(o->c);
}

static void body_map(void *data, const double *x, double *out)
{
  struct map_of *o = data;
  double y[ALL] = {1, 0, 0, 0, x[0]/I[0], x[1]/I[1], x[2]/I[2]};
  epi_state s = {.y = y};
  o->factor = o->n == 4 ? x[3]/Q_of(x) : 1;
  step(o->f, &s, o->e);
  momenta(y, out);
  if (o->n == 4) epi_extra_state(o->f, out + 3, 1);
}

static double determinant(int n, double *J)
{
  double det = 1;
  for (int k = 0; k < n; k++) {
    det *= J[k*n + k];
    for (int i = k + 1; i < n; i++)
      for (int j = n - 1; j >= k; j--) J[i*n + j] -= J[i*n + k]/J[k*n + k]*J[k*n + j];
  }
  return det;
}

/* along 200 steps: how far the map is from keeping volume; how far R map R map is from the identity, R turning one momentum round */
struct structure { double volume, reversal; };

static struct structure structure(const struct method *m, double e)
{
  struct map_of o;
  struct structure s = {0};
  double x[4] = {0, cos(THETA), sin(THETA), 0}, J[16], y[4], z[4];
  map_open(&o, m, e);
  x[3] = Q_of(x);
  for (int k = 0; k < 200; k++) {
    tangent(body_map, &o, o.n, x, 1e-4, J);
    s.volume = larger(s.volume, fabs(determinant(o.n, J) - 1));
    for (int i = 0; i < 3; i++) {
      body_map(&o, x, y);
      y[i] = -y[i];
      body_map(&o, y, z);
      z[i] = -z[i];
      for (int j = 0; j < o.n; j++) s.reversal = larger(s.reversal, fabs(z[j] - x[j]));
    }
    body_map(&o, x, y);
    memcpy(x, y, sizeof x);
  }
  map_close(&o);
  return s;
}

/* ---- the data ---- */
struct memory { struct orbit orbit; struct kept kept; };

static const struct run *kept_run(struct memory *me, const struct method *m, const char *axes, double h, long N, long early)
{
  char key[KEY];
  int made;
  snprintf(key, sizeof key, "%s%s %.8g %ld %ld", m->name, axes, h, N, early);
  struct run *r = kept_of(&me->kept, key, sizeof *r, &made);
  if (!made) *r = run(m, axes, m->adaptive ? me->orbit.eps*h/0.15 : h, N, early);
  return r;
}

/* of T the order names the axes that turn, of M and T the momenta that move, each by the axis after it */
static void axes_of(const struct method *m, const char *order, char *out, size_t size)
{
  int by = m->inner[0] == 'M', a[3];
  for (int i = 0; i < 3; i++) a[i] = (order[i] - '1' + by)%3 + 1;
  snprintf(out, size, ", axes=[%d, %d, %d]", a[0], a[1], a[2]);
}

static int run_figure(const struct row *row, const struct method *m, const char *rest, struct memory *me, struct figure *f)
{
  const char *setting = row->setting;
  char axes[32] = "", order[8];
  double part;
  long N;
  if (!strncmp(setting, "200 steps h=0.15", 16)) {
    struct structure s = structure(m, m->adaptive ? me->orbit.eps : 0.15);
    f->got = strstr(rest, "det") ? s.volume : s.reversal;
    return KNOWN;
  }
  if (sscanf(setting, "h=0.15 n=%ld", &N) == 1) return pick(RUN, rest, kept_run(me, m, "", 0.15, N, 0), &f->got);
  if (sscanf(setting, "h=0.15/%lf N=%ld", &part, &N) == 2)
    return pick(RUN, rest, kept_run(me, m, "", 0.15/part, N, lround(200*part)), &f->got);
  if (sscanf(setting, "n=%ld (t~10)", &N) == 1)
    return pick(RUN, rest, kept_run(me, m, "", (m->adaptive ? 0.15*66 : 10)/(double)N, N, 0), &f->got);
  if (sscanf(setting, "%ld steps: x3 on section", &N) == 1) return pick(RUN, rest, kept_run(me, m, "", 0.15, N, 200), &f->got);
  if (sscanf(setting, "flow order %7s h=0.15 eps=0.0553394 N=%ld", order, &N) == 2) {
    axes_of(m, order, axes, sizeof axes);
    /* what the angular momentum loses is rounding */
    if (m->inner[0] == 'T' && !strcmp(rest, "maxdM")) f->atol = 1e-13;
    return pick(RUN, rest, kept_run(me, m, axes, 0.15, N, 0), &f->got);
  }
  if (!strncmp(rest, "wrongsign_", 10)) return pick(WRONG, rest + 10, &(struct wrong[]){wrong_sign(m->inner, me->orbit.eps)}, &f->got);
  return UNKNOWN;
}

static int nambu_figure(const struct row *row, void *memory, struct figure *f)
{
  struct memory *me = memory;
  const char *name = row->quantity;
  double t;
  int i;
  if (sscanf(name, "exact_x%d", &i) == 1 && sscanf(row->setting, "t=%lf", &t) == 1) {
    epi_case *c = epi_case_make("rigid-body");
    f->got = exact_x(c, t, i - 1);
    epi_case_free(c);
    return KNOWN;
  }
  if (!strcmp(name, "xi-rate check")) {
    epi_case *c = epi_case_make("rigid-body");
    double y[ALL] = {1, 0, 0, 0, 0.3/I[0], -0.7/I[1], 0.4/I[2]};
    f->got = rate_of_Q(c, y);
    epi_case_free(c);
    return KNOWN;
  }
  if (pick(ORBIT, name, &me->orbit, &f->got)) return KNOWN;
  if (!strncmp(name, "perm_", 5)) name += 5;
  for (const struct method *m = METHODS; m < METHODS + METHODS_N; m++) {
    size_t n = strlen(m->name);
    if (!strncmp(name, m->name, n) && name[n] == '_') return run_figure(row, m, name + n + 1, me, f);
  }
  return UNKNOWN;
}

/* ---- what the thesis says about these figures ---- */
static void figure_claims(struct memory *me)
{
  /* the largest errors of T and M over 4000 steps, to the digits of thesis.md */
  static const struct { double dT, dM; } most[] = {{2.225026e-4, 0}, {3.272806e-4, 3.168196e-4}, {1.380616e-4, 0},
                                                   {9.713001e-4, 1.214125e-3}};
  static const double dG[] = {0.0293, 0.0317};
  const struct run *r[4], *longer;
  for (int i = 0; i < METHODS_N; i++) {
    const struct method *m = &METHODS[i];
    r[i] = kept_run(me, m, "", 0.15, 4000, 0);
    check_rel(r[i]->most_T, most[i].dT, 1e-6);
    if (most[i].dM > 0) check_rel(r[i]->most_M, most[i].dM, 1e-6);
    else check_below(r[i]->most_M, 1e-13);
    /* no drift */
    longer = kept_run(me, m, "", 0.15, 20000, 200);
    check_rel(longer->dT[3], longer->dT[0], 1e-4);
    if (most[i].dM > 0) check_rel(longer->dM[3], longer->dM[0], 1e-4);
    if (m->adaptive) check_abs(longer->dG, dG[i], 5e-5);
    struct structure s = structure(m, m->adaptive ? me->orbit.eps : 0.15);
    int fine = check_below(s.volume, 1e-10) & check_below(s.reversal, 5e-15);
    if (!fine) printf("  %s\n", m->name);
  }
  /* adaptive steps gain with the splitting of both, and lose with that of T, unless its axes are taken in another order */
  check_abs(r[3]->most_M/r[1]->most_M, 3.8, 0.05);
  check_abs(r[3]->most_T/r[1]->most_T, 3.0, 0.05);
  check_abs(r[0]->most_T/r[2]->most_T, 1.6, 0.05);
  check_abs(kept_run(me, &METHODS[2], ", axes=[2, 1, 3]", 0.15, 4000, 0)->most_T/kept_run(me, &METHODS[0], ", axes=[2, 1, 3]", 0.15, 4000,
                                                                                          0)->most_T, 1.8, 0.05);
  check_rel(me->orbit.period, 15.8897571689459, 1e-13);
}

/* order 2 of momenta and attitude, at the time that was reached; order 4 to 8 by palindromes */
static void order_claims(struct memory *me)
{
  for (int i = 0; i < METHODS_N; i++) {
    double h[4], x[4], turn[4];
    for (int k = 0; k < 4; k++) {
      h[k] = 0.15/(2 << k);
      const struct run *r = kept_run(me, &METHODS[i], "", h[k], 133 << k, 0);
      x[k] = r->error;
      turn[k] = r->turn;
    }
    int fine = check_order(4, h, x, 2, 0.1) & check_order(4, h, turn, 2, 0.1);
    if (!fine) printf("  %s\n", METHODS[i].name);
  }
  static const char *const splits[] = {"T", "MT"};
  for (int i = 0; i < 2; i++)
    for (int order = 4; order <= 8; order += 2) {
      char text[96];
      double error[2], y[ALL];
      snprintf(text, sizeof text, "symmetric(nambu(split=%s), order=%d)", splits[i], order);
      for (int k = 0; k < 2; k++) {
        epi_case *c = epi_case_make("rigid-body");
        epi_flow *f = epi_case_flow(c, text);
        epi_state s = epi_case_state(c);
        int n = (order == 4 ? 80 : order == 6 ? 40 : 20) << k;
        if (epi_advance(f, &s, 10.0/n, n)) test_stop(epi_error(f));
        c->model->exact(c, s.t, y);
        error[k] = turn_between(s.y, y);
        epi_free(f);
        epi_case_free(c);
      }
      if (!check_abs(log2(error[0]/error[1]), order, 0.7)) printf("  %s: %g, %g\n", text, error[0], error[1]);
    }
}

/* the largest change of the angular momentum in space over N steps, in the first and in the last half */
static void momentum_change(const char *flow, double e, long N, double *worst)
{
  epi_case *c = epi_case_make("rigid-body");
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  double first[3];
  worst[0] = worst[1] = 0;
  for (long k = 0; k <= N; k++) {
    int at = 0;
    for (const epi_observable *o = c->model->observables; o->name; o++) {
      if (o->name[0] != 'L') continue;
      double L = o->value(c, &s), *half = &worst[2*k > N];
      if (!k) first[at] = L;
      *half = larger(*half, fabs(L - first[at++]));
    }
    if (k < N) step(f, &s, e);
  }
  check_abs(hypot(hypot(s.y[0], s.y[1]), hypot(s.y[2], s.y[3])), 1, 1e-12);
  epi_free(f);
  epi_case_free(c);
}

/* it stays to rounding where the attitude turns with the momenta, else to the order of the method, and does not drift */
static void attitude_claims(const struct memory *me)
{
  double a[2], b[2];
  momentum_change("nambu(split=T)", 0.15, 4000, a);
  momentum_change("density(nambu(split=T), clock=own)", me->orbit.eps, 4000, b);
  check_below(larger(larger(a[0], a[1]), larger(b[0], b[1])), 1e-12);
  for (int adaptive = 0; adaptive < 2; adaptive++) {
    const char *flow = adaptive ? "density(nambu(split=MT), clock=own)" : "nambu(split=MT)";
    double e = adaptive ? me->orbit.eps : 0.15;
    momentum_change(flow, e, 4000, a);
    momentum_change(flow, e/2, 8000, b);
    check_below(a[0], 0.004);
    check_rel(a[1], a[0], 0.02);
    check_abs(log2(a[0]/b[0]), 2, 0.15);
  }
}

/* of M and T, M_1 + M_2 with T_1 + T_2 come first: they move the third momentum, and then the first and the second. An axis of the option
   is the first of such a pair; of T alone it is the one about which the momenta turn */
static void axes_claims(void)
{
  static const char *const orders[] = {"1, 2, 3", "2, 3, 1", "3, 1, 2", "3, 2, 1", "2, 1, 3", "1, 3, 2"};
  const double h = 0.1, half[] = {0.5, 0.5, 1, 0.5, 0.5};
  epi_case *c = epi_case_make("rigid-body");
  for (int i = 0; i < 6; i++) {
    char text[64];
    double x[3] = {0.3, -0.7, 0.4}, y[ALL] = {1, 0, 0, 0, x[0]/I[0], x[1]/I[1], x[2]/I[2]}, got[3];
    snprintf(text, sizeof text, "nambu(split=MT, axes=[%s])", orders[i]);
    epi_flow *f = epi_case_flow(c, text);
    epi_state s = {.y = y};
    check_count(epi_advance(f, &s, h, 1), 0);
    momenta(y, got);
    for (int k = 0; k < 5; k++) {
      int moved = (orders[i][3*(k < 3 ? k : 4 - k)] - '1' + 2)%3;
      x[moved] += half[k]*h*A[moved]*x[(moved + 1)%3]*x[(moved + 2)%3];
    }
    if (!check_array(3, got, x, 1e-15)) printf("  %s\n", text);
    epi_free(f);
  }
  epi_case_free(c);
  const epi_param *axes = epi_record_of("nambu")->params + 1;
  check_text(axes->name, "axes");
  check_has(axes->doc, "[1, 2, 3] moves x3, x1, x2");
}

int main(void)
{
  struct rule rule = {.least = 1e-9, .slack = 10, .doubles = 1e-6, .zero = 1e-13};
  struct memory me = {.orbit = orbit()};
  check_count(compare("thesis-nambu.csv", nambu_figure, &me, rule), 155);
  figure_claims(&me);
  order_claims(&me);
  attitude_claims(&me);
  axes_claims();
  kept_free(&me.kept);
  return test_done();
}
