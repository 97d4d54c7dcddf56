/* holds: Paper II of Modin's thesis is reproduced figure by figure: variational integrators on contacts
 * thesis-contact.c - adaptive variational integrators (Modin's thesis, Paper II): a bounce, a billiard, a smooth problem, figure by
 * figure */
#include "thesis.h"

static double apart(int n, const double *a, const double *b)
{
  double most = 0;
  for (int i = 0; i < n; i++) most = larger(most, fabs(a[i] - b[i]));
  return most;
}

static double observed(const epi_case *c, const char *name, const epi_state *s)
{
  const epi_observable *o = c->model->observables;
  while (o->name && strcmp(o->name, name)) o++;
  return o->name ? o->value(c, s) : NAN;
}

/* ---- runs of whole steps until t has passed the end ---- */
static const char *const BOUNCE[] = {
  "variational(alpha=0.5, beta=0.5, scaling=contact, smooth=0.033, clock=own)",
  "variational(alpha=0, beta=0, scaling=contact, smooth=0.04, clock=own)",
};
static const char *const BILLIARD[] = {
  "variational(alpha=0.5, beta=0.5, scaling=contact, smooth=0.05, limit=1, clock=own)",
  "variational(alpha=0, beta=0, scaling=contact, smooth=0.05, limit=1, clock=own)",
};
static const char *const SETUPS[] = {"billiard(setup=cradle)", "billiard(setup=ring)"};

struct run {
  double steps, density, pos, pos_end, energy, early, late, hmin, hmax, q100, p100, t100, q, t, failed, speed;
  double calls, refused, gained;       /* of CVODE alone */
};
static const struct field RUN[] = {
  {"nsteps", offsetof(struct run, steps)}, {"CVODE_steps", offsetof(struct run, steps)}, {"step_density", offsetof(struct run, density)},
  {"maxerr_pos", offsetof(struct run, pos)}, {"CVODE_maxerr_pos", offsetof(struct run, pos)},
  {"err_pos_tend", offsetof(struct run, pos_end)},
  {"maxerr_energy", offsetof(struct run, energy)}, {"CVODE_maxE", offsetof(struct run, energy)},
  {"CVODE_Eend-E0", offsetof(struct run, gained)},
  {"maxerr_energy_[0,100)", offsetof(struct run, early)}, {"maxerr_energy_[100,200]", offsetof(struct run, late)},
  {"hmin", offsetof(struct run, hmin)}, {"hmax", offsetof(struct run, hmax)},
  {"q_after100steps", offsetof(struct run, q100)}, {"p_after100steps", offsetof(struct run, p100)},
  {"t_after100steps", offsetof(struct run, t100)},
  {"q_end", offsetof(struct run, q)}, {"t_end", offsetof(struct run, t)}, {"FAILED_at_t", offsetof(struct run, failed)},
  {"speedsum123", offsetof(struct run, speed)}, {"CVODE_speedsum123", offsetof(struct run, speed)},
  {"CVODE_rhs", offsetof(struct run, calls)}, {"CVODE_errfail", offsetof(struct run, refused)},
  {NULL, 0}
};

/* at the end itself, by free flight back to it */
static void finish(struct run *r, epi_case *c, epi_state *s, double end)
{
  double z[16];
  int n = c->system.nq;
  r->q = s->y[0];
  r->t = s->t;
  r->speed = observed(c, "speed", s);
  r->density = r->steps/end;
  for (int i = 0; i < n; i++) s->y[i] -= (s->t - end)*s->y[n + i];
  if (!c->model->exact(c, end, z)) r->pos_end = apart(n, s->y, z);
}

static struct run run(const char *model, const char *flow, double eps, double end)
{
  epi_case *c = epi_case_make(model);
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  int n = c->system.nq;
  double E0 = observed(c, "energy", &s), z[16];
  struct run r = {.hmin = INFINITY, .failed = NAN};
  while (s.t < end) {
    double t = s.t;
    if (epi_advance(f, &s, eps, 1)) { r.failed = s.t; check_has(epi_error(f), "take a smaller one"); break; }
    r.steps++;
    r.hmin = fmin(r.hmin, s.t - t);
    r.hmax = larger(r.hmax, s.t - t);
    double miss = fabs(observed(c, "energy", &s) - E0), *half = s.t < 100 ? &r.early : &r.late;
    *half = larger(*half, miss);
    if (!c->model->exact(c, s.t, z)) r.pos = larger(r.pos, apart(n, s.y, z));
    if (r.steps == 100) r.q100 = s.y[0], r.p100 = s.y[n], r.t100 = s.t;
  }
  r.energy = larger(r.early, r.late);
  finish(&r, c, &s, end);
  epi_free(f);
  epi_case_free(c);
  return r;
}

/* ---- CVODE, BDF of order 2 at most, in one step over the whole span: what it does inside is heard through the rate ---- */
struct ear { epi_case *c; struct run r; double t, y[16], E0; int heard; };

static void take_step(struct ear *e)
{
  epi_system *m = &e->c->system;
  double z[16];
  e->r.steps++;
  e->r.energy = larger(e->r.energy, fabs(m->energy(m, e->t, e->y) - e->E0));
  if (!e->c->model->exact(e->c, e->t, z)) e->r.pos = larger(e->r.pos, apart(m->nq, e->y, z));
}

/* a step is taken when time goes on from it; when time goes back it was refused */
static int heard_rate(epi_system *s, double t, const double *y, double *dy)
{
  struct ear *e = s->data;
  epi_system *m = &e->c->system;
  size_t n = (size_t)m->nq;
  if (e->heard && t > e->t) take_step(e);
  e->heard = 1;
  e->t = t;
  memcpy(e->y, y, 2*n*sizeof *y);
  memcpy(dy, y + n, n*sizeof *y);
  e->r.calls++;
  return m->force(m, t, y, dy + n);
}

static void note_refused(void *r, const epi_info *i) { ((struct run *)r)->refused = (double)i->refused; }

static struct run run_cvode(const char *model, double tol, double end)
{
  struct ear e = {.c = epi_case_make(model)};
  epi_state s = epi_case_state(e.c);
  epi_system heard = {.nz = 2*e.c->system.nq, .rate = heard_rate, .data = &e};
  char text[96];
  snprintf(text, sizeof text, "cvode(rtol=%g, atol=%g, method=bdf, order=2, steps=1000000)", tol, tol);
  epi_flow *f = epi_make(text, &heard);
  e.E0 = observed(e.c, "energy", &s);
  step(f, &s, end);
  e.t = s.t;
  memcpy(e.y, s.y, 2*(size_t)e.c->system.nq*sizeof *s.y);
  take_step(&e);
  e.r.gained = observed(e.c, "energy", &s) - e.E0;
  epi_walk(f, note_refused, &e.r);
  finish(&e.r, e.c, &s, end);
  epi_free(f);
  epi_case_free(e.c);
  return e.r;
}

static int has_cvode(void)
{
  epi_case *c = epi_case_make("bounce");
  epi_flow *f = epi_case_flow(c, "cvode");
  int has = !epi_error(f);
  epi_free(f);
  epi_case_free(c);
  return has;
}

/* flow NULL: CVODE, with eps as its tolerance */
static const struct run *kept_run(struct kept *k, const char *model, const char *flow, double eps, double end)
{
  char key[KEY];
  int made;
  snprintf(key, sizeof key, "%s %.40s %g %g", model, flow ? flow : "cvode", eps, end);
  struct run *r = kept_of(k, key, sizeof *r, &made);
  if (!made) *r = flow ? run(model, flow, eps, end) : run_cvode(model, eps, end);
  return r;
}

static int cvode_figure(const struct row *row, struct kept *kept, const char *model, double end, struct figure *f)
{
  double tol;
  const char *at = strstr(row->setting, "rtol=atol=");
  if (!at || sscanf(at, "rtol=atol=%lf", &tol) != 1) return UNKNOWN;
  f->why = "cvode is not in this build";
  return has_cvode() ? pick(RUN, row->quantity + 5, kept_run(kept, model, NULL, tol, end), &f->got) : ASIDE;
}

/* ---- tangent maps ---- */
/* with E0 frozen the steps are symplectic; where it is found anew for each, they are not */
static double bounce_defect(int method, int frozen)
{
  char text[128];
  epi_case *c = epi_case_make("bounce");
  epi_state s = epi_case_state(c);
  snprintf(text, sizeof text, "%.*s, E0=0.5)", (int)strlen(BOUNCE[method]) - 1, BOUNCE[method]);
  double worst = defect_along(&c->system, BOUNCE[method], frozen ? text : BOUNCE[method], s.y, 0.1, 120);
  epi_case_free(c);
  return worst;
}

/* V~'' of the walls with the smooth penetration D(y), D' = u, taken as printed: K (u^2 + D u') of each wall; its least value on 0 < q < 1,
   on the grid of the figure: -132.3557 without one */
static double literal_least(double c)
{
  double least = INFINITY, pi = acos(-1);
  for (long k = 1; k < 20000; k++) {
    double q = (double)k/20000, sum = 0;
    for (int wall = 0; wall < 2; wall++) {
      double y = wall ? -q : q, x = y/c, u = 0.5 + atan(x)/pi, du = 1/(pi*c*(1 + x*x)), D = y/2 + (y*atan(x) - c/2*log1p(x*x))/pi;
      sum += (wall ? 1e4 : 1)*(u*u + D*du);
    }
    least = fmin(least, sum);
  }
  return least;
}

static int bounce_figure(const struct row *row, void *memory, struct figure *f)
{
  const char *name = row->quantity;
  double eps;
  if (!strcmp(name, "period")) {
    /* the exact motion turns round where it began */
    epi_case *c = epi_case_make("bounce");
    double y[2], low = 3.1, high = 3.3;
    for (int i = 0; i < 60; i++) {
      double t = (low + high)/2;
      c->model->exact(c, t, y);
      *(y[1] > 0 ? &low : &high) = t;
    }
    f->got = low;
    epi_case_free(c);
    return KNOWN;
  }
  if (!strncmp(name, "literal", 7)) { f->got = literal_least(0.033*0.1); return KNOWN; }
  if (strncmp(name, "met", 3)) return UNKNOWN;
  int method = name[3] - '1';
  if (method == 2) return cvode_figure(row, memory, "bounce", 200, f);
  if (strstr(name, "det J")) { f->got = bounce_defect(method, 0); return KNOWN; }
  if (sscanf(row->setting, "eps=%lf", &eps) != 1) return UNKNOWN;
  return pick(RUN, name + 5, kept_run(memory, "bounce", BOUNCE[method], eps, 200), &f->got);
}

/* ---- the billiard ---- */
/* without walls, from a start without symmetry: momenta, contacts, tangent maps */
struct free_run { double contact, Px, Py, L, energy, defect; };
static const struct field FREE[] = {
  {"steps_in_contact", offsetof(struct free_run, contact)}, {"drift_Px", offsetof(struct free_run, Px)},
  {"drift_Py", offsetof(struct free_run, Py)},
  {"drift_L", offsetof(struct free_run, L)}, {"maxerr_energy", offsetof(struct free_run, energy)},
  {"max|J^T Om J-Om|", offsetof(struct free_run, defect)},
  {NULL, 0}
};

static void lopsided(epi_state *s)
{
  static const double aside[] = {0, 0.03, 0.01, -0.02};
  for (int i = 0; i < 4; i++) s->y[2*i + 1] += aside[i];
}

static int in_contact(epi_case *c, const double *y)
{
  double g[22], G[22*8];
  int any = 0;
  c->system.contacts.gap(&c->system, 0, y, g, G);
  for (int i = 0; i < c->system.contacts.ng; i++) any |= g[i] < 0;
  return any;
}

static struct free_run free_run(int method)
{
  epi_case *c = epi_case_make("billiard(walls=0)");
  epi_flow *f = epi_case_flow(c, BILLIARD[method]);
  epi_state s = epi_case_state(c);
  struct free_run r = {0};
  char text[128];
  lopsided(&s);
  double start[4] = {observed(c, "Px", &s), observed(c, "Py", &s), observed(c, "L", &s), observed(c, "energy", &s)};
  int n = 0;
  for (; s.t < 1.2; n++) {
    step(f, &s, 0.1);
    r.contact += in_contact(c, s.y);
    r.Px = larger(r.Px, fabs(observed(c, "Px", &s) - start[0]));
    r.Py = larger(r.Py, fabs(observed(c, "Py", &s) - start[1]));
    r.L = larger(r.L, fabs(observed(c, "L", &s) - start[2]));
    r.energy = larger(r.energy, fabs(observed(c, "energy", &s) - start[3]));
  }
  epi_free(f);
  s = epi_case_state(c);
  lopsided(&s);
  snprintf(text, sizeof text, "%.*s, E0=1)", (int)strlen(BILLIARD[method]) - 1, BILLIARD[method]);
  r.defect = defect_along(&c->system, BILLIARD[method], text, s.y, 0.1, n);
  epi_case_free(c);
  return r;
}

/* Verlet with small steps: speeds of the balls, and how far the state is from its start after a period of the cradle */
static double by_verlet(const char *model, double h, long n, int ball)
{
  epi_case *c = epi_case_make(model);
  epi_flow *f = epi_case_flow(c, "verlet");
  epi_state s = epi_case_state(c);
  double start[16], sum = 0, *v = s.y + 8 + 2*(ball - 1);
  memcpy(start, s.y, sizeof start);
  if (epi_advance(f, &s, h, n)) test_stop(epi_error(f));
  for (int i = 0; i < 16; i++) sum += (s.y[i] - start[i])*(s.y[i] - start[i]);
  double speed = ball ? hypot(v[0], v[1]) : sqrt(sum);
  epi_free(f);
  epi_case_free(c);
  return speed;
}

static double cradle_period(void) { return 2*(0.8 - 0.6/sqrt(2)) + 3*acos(-1)/sqrt(2e4) + 2*acos(-1)/100; }

static int billiard_exact(const struct row *row, struct figure *f)
{
  int config, i, start = sscanf(row->quantity, "q0[%d]", &i) == 1;
  if (sscanf(row->setting, "config%d", &config) != 1 || (!start && sscanf(row->quantity, "exact_q[%d]", &i) != 1)) return UNKNOWN;
  double y[16];
  epi_case *c = epi_case_make(SETUPS[config]);
  if (c->model->exact(c, start ? 0 : config ? 1 : 2, y)) test_stop("the billiard is not known exactly there");
  f->got = y[i];
  epi_case_free(c);
  return KNOWN;
}

static int billiard_figure(const struct row *row, void *memory, struct figure *f)
{
  double eps, end, t;
  int config, method, ball;
  long n;
  const char *name = row->quantity;
  f->by = IN_SIZE;
  if (!strncmp(name, "return_error", 12) && sscanf(row->setting, "config0 Verlet h=T/%ld", &n) == 1) {
    /* the norm is not given: one of ours, compared in size */
    f->got = by_verlet(SETUPS[0], cradle_period()/(double)n, n, 0);
    return KNOWN;
  }
  if (!strncmp(row->setting, "nowalls", 7) && sscanf(name, "met%d_", &method) == 1) {
    /* the start is not given: one of ours, what is not zero compared in size */
    char key[8] = {'f', 'r', 'e', 'e', (char)('0' + method)};
    int made;
    struct free_run *r = kept_of(memory, key, sizeof *r, &made);
    if (!made) *r = free_run(method - 1);
    f->by = row->class != ZERO ? IN_SIZE : BY_RULE;
    return pick(FREE, name + 5, r, &f->got);
  }
  f->by = BY_RULE;
  f->why = "counts the iterations of another Newton solver";
  if (strstr(name, "newton_per_step")) return ASIDE;
  if (sscanf(name, "speed ball%d", &ball) == 1 && sscanf(row->setting, "config1 Verlet h=5e-6 t=%lf", &t) == 1) {
    f->got = by_verlet(SETUPS[1], 5e-6, lround(200000*t), ball);
    return KNOWN;
  }
  if (sscanf(name, "met%d_", &method) != 1) return billiard_exact(row, f);
  if (sscanf(row->setting, "config%d eps=%lf t_end=%lf", &config, &eps, &end) == 3)
    return pick(RUN, name + 5, kept_run(memory, SETUPS[config], BILLIARD[method - 1], eps, end), &f->got);
  return method == 3 ? cvode_figure(row, memory, SETUPS[row->setting[6] == '1'], row->setting[6] == '1' ? 1 : 2, f) : UNKNOWN;
}

/* ---- a smooth problem: V = 1 - cos q + q^4/8, time by 1/(1 + q^2 + q/4), from (1.2, 0.3) to own time 4 ---- */
static int smooth_force(epi_system *s, double t, const double *q, double *f)
{
  (void)s, (void)t;
  f[0] = -sin(q[0]) - q[0]*q[0]*q[0]/2;
  return 0;
}
static double smooth_potential(epi_system *s, double t, const double *y)
{
  (void)s, (void)t;
  return 1 - cos(y[0]) + y[0]*y[0]*y[0]*y[0]/8;
}
static int smooth_objective(epi_system *s, double t, const double *y, double *Q, double *grad)
{
  (void)s, (void)t;
  *Q = 1 + y[0]*y[0] + y[0]/4;
  grad[0] = 2*y[0] + 0.25;
  grad[1] = 0;
  return 0;
}
/* the exact motion in own time: q, p, t */
static int smooth_rate(epi_system *s, double t, const double *y, double *dy)
{
  double Q = 1 + y[0]*y[0] + y[0]/4;
  smooth_force(s, t, y, dy + 1);
  dy[0] = y[1]/Q;
  dy[1] /= Q;
  dy[2] = 1/Q;
  return 0;
}
static epi_system smooth = {.nq = 1, .force = smooth_force, .energies = {.potential = smooth_potential, .objective = smooth_objective}};
static epi_system smooth_own = {.nz = 3, .rate = smooth_rate};

static void exactly(epi_system *m, double *y, double end)
{
  epi_state s = {.y = y};
  epi_flow *f = epi_make("tolerance(dop853, rtol=1e-14, atol=1e-15)", m);
  if (epi_run(f, &s, end, 0.5)) test_stop(epi_error(f));
  epi_free(f);
}

/* errors after own time 4: of (q, p) there; of t; of (q, p) at the time t that came out, by Taylor from the end of the exact motion as
   the figures have it, and by the exact motion to that time */
struct errors { double at_s, of_t, at_t, at_t_exactly; };

static struct errors smooth_errors(const char *options, int n)
{
  char text[128];
  double y[2] = {1.2, 0.3}, z[3] = {1.2, 0.3, 0}, x[2] = {1.2, 0.3}, a;
  epi_state s = {.y = y};
  snprintf(text, sizeof text, "variational(%s, scaling=model, clock=own)", options);
  epi_flow *f = epi_make(text, &smooth);
  if (epi_advance(f, &s, 4.0/n, n)) test_stop(epi_error(f));
  epi_free(f);
  exactly(&smooth_own, z, 4);
  exactly(&smooth, x, s.t);
  smooth_force(&smooth, 0, z, &a);
  double dt = s.t - z[2];
  return (struct errors){.at_s = hypot(y[0] - z[0], y[1] - z[1]), .of_t = fabs(dt),
                         .at_t = hypot(y[0] - z[0] - dt*z[1] - dt*dt/2*a, y[1] - z[1] - dt*a),
                         .at_t_exactly = hypot(y[0] - x[0], y[1] - x[1])};
}

static int order_figure(const struct row *row, void *memory, struct figure *f)
{
  (void)memory;
  double alpha, beta, z[3] = {1.2, 0.3, 0};
  char options[64];
  if (!strncmp(row->quantity, "ref_", 4)) {
    exactly(&smooth_own, z, 4);
    f->got = row->quantity[4] == 'q' ? z[0] : row->quantity[4] == 'p' ? z[1] : z[2];
    return KNOWN;
  }
  if (sscanf(row->setting, "alpha=%lf beta=%lf", &alpha, &beta) != 2) return UNKNOWN;
  snprintf(options, sizeof options, "alpha=%g, beta=%g, symmetric=%d", alpha, beta, strstr(row->setting, "sym") != NULL);
  struct errors a = smooth_errors(options, 160), b = smooth_errors(options, 320);
  if (!strcmp(row->quantity, "err_qp_at_s")) f->got = b.at_s;
  else if (!strcmp(row->quantity, "order_qp_at_s")) f->got = log2(a.at_s/b.at_s);
  else if (!strcmp(row->quantity, "order_t")) f->got = log2(a.of_t/b.of_t);
  else if (!strcmp(row->quantity, "order_qp_at_t")) f->got = log2(a.at_t/b.at_t);
  else return UNKNOWN;
  return KNOWN;
}

/* ---- what the thesis says about these figures ---- */
/* the table of thesis.md: eps, steps, errors of position and energy to the digits printed */
static const struct { double eps, steps[2], pos[2], energy[2]; } TABLE[] = {
  {0.1, {4095, 4197}, {0.169537985888, 0.181720376324}, {0.0375484505001, 0.110364446340}},
  {0.05, {7967, 8031}, {0.0415222657243, 0.0505623414189}, {0.00901508455, 0.0344378169425}},
  {0.025, {15794, 15830}, {0.0103170769653, 0.0180959876994}, {0.002658439931, 0.0116452289361}},
  {0.0125, {31540, 31553}, {0.00257347070, 0.00758059143}, {0.000760860126, 0.00464872460}},
  {0.005, {78931, 78916}, {0.00041201922, 0.00270755956}, {0.000126689921, 0.00147892358}},
};

static void bounce_table(struct kept *kept)
{
  const struct run *r[5][2];
  for (int i = 0; i < 5; i++)
    for (int m = 0; m < 2; m++) {
      r[i][m] = kept_run(kept, "bounce", BOUNCE[m], TABLE[i].eps, 200);
      check_rel(r[i][m]->steps, TABLE[i].steps[m], 0);
      check_rel(r[i][m]->pos, TABLE[i].pos[m], 2e-8);
      check_rel(r[i][m]->energy, TABLE[i].energy[m], 5e-8);
      /* no drift: both halves of the run err alike */
      if (i < 2) check_rel(r[i][m]->late, r[i][m]->early, 0.003);
    }
  check_rel(r[0][0]->q100, -0.00924063480764101, 1e-12);
  check_rel(r[0][0]->p100, 0.268114109256507, 1e-12);
  check_rel(r[0][0]->t100, 4.76643079008616, 1e-13);
  check_rel(r[0][1]->q100, -0.0101454094228458, 1e-12);
  check_rel(r[0][1]->t100, 4.70993028363900, 1e-13);
  /* order 2; and 1, which shows at the fine end only */
  for (int i = 0; i < 3; i++) check_between(r[i][0]->pos/r[i + 1][0]->pos, 4.0, 4.09);
  check_between(log(r[3][1]->pos/r[4][1]->pos)/log(2.5), 1.1, 1.15);
  check_above(log2(r[0][1]->pos/r[1][1]->pos), 1.7);
}

static void bounce_claims(struct kept *kept)
{
  /* with steps too long the halves differ, the period is lost, or there is no step at all */
  const struct run *coarse = kept_run(kept, "bounce", BOUNCE[0], 0.2, 200);
  check_above(fmax(coarse->early, coarse->late), 1.4*fmin(coarse->early, coarse->late));
  check_above(kept_run(kept, "bounce", BOUNCE[0], 0.3, 200)->pos, 1);
  check_abs(kept_run(kept, "bounce", BOUNCE[1], 0.3, 200)->failed, 4.53, 0.01);
  for (int m = 0; m < 2; m++) {
    check_below(bounce_defect(m, 1), 2e-8);
    check_above(bounce_defect(m, 0), 0.5);
  }
  if (!has_cvode()) return;
  /* more steps of BDF, and twice the error */
  static const struct { double tol; int i; } pairs[] = {{1e-4, 1}, {1e-5, 2}};
  for (int k = 0; k < 2; k++) {
    const struct run *b = kept_run(kept, "bounce", NULL, pairs[k].tol, 200),
      *a = kept_run(kept, "bounce", BOUNCE[0], TABLE[pairs[k].i].eps, 200);
    check_above(b->steps, a->steps);
    check_above(b->pos, 2*a->pos);
  }
  /* it jumps the stiff wall, and is lost */
  check_above(kept_run(kept, "bounce", NULL, 3e-4, 200)->energy, 10);
}

/* two set-ups that are known for certain: the cradle for ever, the ring to its third hit */
static void billiard_exactly(void)
{
  double y[16];
  epi_case *c = epi_case_make(SETUPS[0]);
  check_rel(cradle_period(), 0.880946959720314, 1e-15);
  c->model->exact(c, 3*cradle_period() + 0.03, y);
  check_abs(y[0], 0.18, 1e-14);
  c->model->exact(c, 2, y);
  check_abs(apart(6, y + 8, (double[6]){0}), 0, 0);
  check_array(2, y + 6, ((double[]){0.779048527235112, 0.779048527235112}), 1e-14);
  check_array(2, y + 14, ((double[]){1, 1}), 1e-14);
  check_below(by_verlet(SETUPS[0], cradle_period()/200000, 200000, 0), 2e-7);
  epi_case_free(c);
  c = epi_case_make(SETUPS[1]);
  c->model->exact(c, 1, y);
  check_abs(apart(6, y + 8, (double[6]){0}), 0, 0);
  check_array(2, y + 6, ((double[]){0.435964575237919, 0.148327461494132}), 1e-14);
  check_array(2, y + 14, ((double[]){1, -1}), 1e-14);
  /* hits take time: from the corners that hard balls would need, the third hit is no longer head-on */
  epi_state s = epi_case_state(c);
  static const double corners[] = {0.7, 0.3, 0.7, 0.7, 0.3, 0.7, 0.3, 0.3};
  memcpy(s.y, corners, sizeof corners);
  epi_flow *f = epi_case_flow(c, "verlet");
  if (epi_advance(f, &s, 5e-6, 200000)) test_stop(epi_error(f));
  check_abs(hypot(s.y[12], s.y[13]), 1.01, 0.01);
  epi_free(f);
  epi_case_free(c);
}

static void billiard_claims(struct kept *kept)
{
  static const double eps[] = {0.1, 0.05, 0.025};
  double speed[2][3];
  for (int m = 0; m < 2; m++) {
    for (int k = 0; k < 3; k++) speed[m][k] = kept_run(kept, SETUPS[1], BILLIARD[m], eps[k], 1)->speed;
    /* ragged, because V is only C^1: a factor of 9 over two halvings */
    check_above(speed[m][0]/speed[m][2], 9);
    struct free_run r = free_run(m);
    check_above(r.contact, 30);
    check_below(larger(larger(r.Px, r.Py), r.L), 1e-14);
    check_below(r.defect, 2e-7);
  }
  check_below(kept_run(kept, SETUPS[1], BILLIARD[0], 0.1, 1)->steps, 200);
  check_below(speed[0][0], 0.01);
  if (has_cvode()) for (int k = 0; k < 2; k++) check_above(kept_run(kept, SETUPS[1], NULL, k ? 0.001 : 0.0015, 1)->speed, 0.07);
}

/* order 2 needs alpha = 1/2 and physical time, or also beta = 1/2, or the symmetric mean; palindromes raise it */
static void order_claims(void)
{
  static const struct { const char *options; double at_s, at_t; } table[] = {
    {"alpha=0.5, beta=0.5", 2, 2}, {"alpha=0.5, beta=0", 1, 2}, {"alpha=0.5, beta=1", 1, 2}, {"alpha=0.5, beta=0.3", 1, 2},
    {"alpha=0, beta=0", 1, 1}, {"alpha=0, beta=0.5", 1, 1}, {"alpha=0, beta=1", 1, 1}, {"alpha=1, beta=1", 1, 1},
    {"alpha=0, beta=0, symmetric=1", 2, 2}, {"alpha=0, beta=1, symmetric=1", 2, 2}, {"alpha=0.3, beta=0.2, symmetric=1", 2, 2},
    {"alpha=1, beta=0.5, symmetric=1", 2, 2},
    {"alpha=0.5, beta=0.5, order=4", 4, 4}, {"alpha=0, beta=0, symmetric=1, order=4", 4, 4}, {"alpha=0.5, beta=0.5, order=6", 6, 6},
    {"alpha=0, beta=0.5, symmetric=1, order=6", 6, 6}, {"alpha=0.5, beta=0.5, order=8", 8, 8},
  };
  for (size_t i = 0; i < sizeof table/sizeof *table; i++) {
    /* few steps for a high order, or rounding is all that is left */
    int n = table[i].at_s == 8 ? 8 : table[i].at_s == 6 ? 16 : table[i].at_s == 4 ? 40 : 160;
    struct errors a = smooth_errors(table[i].options, n), b = smooth_errors(table[i].options, 2*n);
    int fine = check_abs(log2(a.at_s/b.at_s), table[i].at_s, table[i].at_s > 4 ? 0.5 : 0.1) &
               check_abs(log2(a.at_t_exactly/b.at_t_exactly), table[i].at_t, table[i].at_t > 4 ? 0.5 : 0.1);
    if (!fine) printf("  %s: %g, %g\n", table[i].options, b.at_s, b.at_t_exactly);
  }
}

/* alpha = beta = 1/2 is the implicit midpoint rule on (p^2/2 + V - E0)/Q */
static int scaled_rate(epi_system *s, double t, const double *y, double *dy)
{
  const double *E0 = s->data;
  double Q, grad[2];
  smooth_objective(s, t, y, &Q, grad);
  smooth_force(s, t, y, dy + 1);
  dy[0] = y[1]/Q;
  dy[1] = dy[1]/Q + grad[0]/(Q*Q)*(y[1]*y[1]/2 + smooth_potential(s, t, y) - *E0);
  return 0;
}

static void midpoint_claim(void)
{
  double a[2] = {1.2, 0.3}, b[2] = {1.2, 0.3}, E0 = 0.3*0.3/2 + smooth_potential(NULL, 0, a);
  epi_system scaled = {.nz = 2, .rate = scaled_rate, .data = &E0};
  epi_flow *f = epi_make("variational(scaling=model, clock=own)", &smooth), *g = epi_make("midpoint", &scaled);
  epi_state s = {.y = a}, u = {.y = b};
  if (epi_advance(f, &s, 0.05, 200)) test_stop(epi_error(f));
  if (epi_advance(g, &u, 0.05, 200)) test_stop(epi_error(g));
  check_array(2, a, b, 1e-12);
  epi_free(f);
  epi_free(g);
}

int main(void)
{
  struct rule rule = {.least = 1e-9, .slack = 10, .doubles = 1e-6, .zero = 1e-13};
  struct kept kept = {0};
  check_count(compare("thesis-bounce.csv", bounce_figure, &kept, rule), 166);
  check_count(compare("thesis-billiard.csv", billiard_figure, &kept, rule), 187);
  check_count(compare("thesis-order.csv", order_figure, &kept, rule), 24);
  bounce_table(&kept);
  bounce_claims(&kept);
  billiard_exactly();
  billiard_claims(&kept);
  order_claims();
  midpoint_claim();
  kept_free(&kept);
  return test_done();
}
