/* thesis-runs.h - the runs of Modin's thesis, 3.2 and Paper III: flows of the library, and recurrences as printed where print is wrong */
#ifndef THESIS_RUNS_H
#define THESIS_RUNS_H
#include "thesis.h"

/* ---- the methods, by problem and name in the data ---- */
enum by { BY_FLOW, TYPO_XI, PRINTED_E10, WITHOUT_H0, PRINTED_G, CORRECT };
struct method { const char *problem, *name, *model, *flow; enum by by; };
static const struct method METHODS[] = {
  {"kepler", "SYMP(T,V)", "kepler", "scaled(verlet, power=1.5, clock=own)", BY_FLOW},
  {"kepler", "SYMM_KDK", "kepler", "density(verlet, clock=own)", BY_FLOW},
  {"kepler", "SYMM_DKD", "kepler", "density(strang(drift, kick), clock=own)", BY_FLOW},
  {"kepler", "SYMM_KDK_typo_xi(z_k)", "kepler", "verlet", TYPO_XI},
  {"nonrevosc", "SYMP(T,V)", "oscillator", "scaled(verlet, power=0.5, clock=own)", BY_FLOW},
  {"nonrevosc", "SYMM_KDK", "oscillator", "density(verlet, objective=potential, power=0.5, clock=own)", BY_FLOW},
  {"nonrevosc", "SYMM_DKD", "oscillator", "density(strang(drift, kick), objective=potential, power=0.5, clock=own)", BY_FLOW},
  {"nonrevosc", "SYMM_KDK_half", "oscillator", "density(verlet, objective=potential, power=0.5, clock=own)", BY_FLOW},
  {"nonrevosc", "SYMM_KDK_pert0", "oscillator(d=0)", "density(verlet, objective=potential, power=0.5, clock=own)", BY_FLOW},
  {"nonrevosc", "SYMM_KDK_b", "oscillator", "density(verlet, clock=own)", BY_FLOW},
  {"nonrevosc", "SYMP(q)", "oscillator", "twin(form=chain, clock=own)", BY_FLOW},
  {"nonrevosc", "SYMP(q)_symmetric", "oscillator", "twin(clock=own)", BY_FLOW},
  {"nonrevosc", "SYMP(q)_printedE10", "oscillator", NULL, PRINTED_E10},
  {"nonrevosc", "SYMP(q)_withoutH0", "oscillator", NULL, WITHOUT_H0},
  {"nonrevosc", "SYMP(q)_printedG", "oscillator", NULL, PRINTED_G},
  {"magpend", "SYMP(T,V)", "magnetic-pendulum", "scaled(verlet, power=0.5, clock=own)", BY_FLOW},
  {"magpend", "SYMM_KDK", "magnetic-pendulum", "density(verlet, clock=own)", BY_FLOW},
  {"magpend", "SYMM_DKD", "magnetic-pendulum", "density(strang(drift, kick), clock=own)", BY_FLOW},
  {"magpend", "SYMP(T,V)_eps x10", "magnetic-pendulum", "scaled(verlet, power=0.5, clock=own)", BY_FLOW},
  {"magpend", "SYMM_KDK_eps x10", "magnetic-pendulum", "density(verlet, clock=own)", BY_FLOW},
  {NULL, NULL, NULL, NULL, BY_FLOW}
};

/* ---- a run: the energy in its quarters, its trend, how well the density follows, how far the copies part ---- */
struct run { double most[4], mean[4], slope, logs, log_slope, gap, t, q, p, blowup, own_t; };
static const struct field RUN[] = {
  {"maxE_q1", offsetof(struct run, most[0])}, {"maxE_q2", offsetof(struct run, most[1])}, {"maxE_q3", offsetof(struct run, most[2])},
  {"maxE_q4", offsetof(struct run, most[3])}, {"meanE_q1", offsetof(struct run, mean[0])}, {"meanE_q4", offsetof(struct run, mean[3])},
  {"drift_slope_dH/dt", offsetof(struct run, slope)}, {"max|log(Q/rho)|", offsetof(struct run, logs)},
  {"slope_log(Q/rho)", offsetof(struct run, log_slope)}, {"max|q0-q1|", offsetof(struct run, gap)},
  {"t_end", offsetof(struct run, t)}, {"t", offsetof(struct run, t)}, {"q[0]", offsetof(struct run, q)}, {"p[0]", offsetof(struct run, p)},
  {"BLOWUP_step", offsetof(struct run, blowup)},
  {NULL, 0}
};

/* least squares of x over t, by running means */
struct trend { double n, t, x, tt, tx; };
static inline void add(struct trend *a, double t, double x)
{
  double dt = t - a->t;
  a->n++;
  a->t += dt/a->n;
  a->x += (x - a->x)/a->n;
  a->tt += dt*(t - a->t);
  a->tx += dt*(x - a->x);
}
static inline double slope_of(const struct trend *a) { return a->tx/a->tt; }

/* ---- SYMP(q) on the oscillator, written out: as corrected, and as printed ---- */
struct pair { double q[2], p[2], t, H0; };
static const double D = 0.01;
static inline double kinetic(double p) { return p*p/2 - D*p*p*p/3; }
static inline double speed(double p) { return p - D*p*p; }
static inline double walls(double q) { return 1/(q*q) + 1/((q - 10)*(q - 10)); }
static inline double walls_slope(double q) { return -2/(q*q*q) - 2/((q - 10)*(q - 10)*(q - 10)); }
static inline double potential(double q) { return walls(q) + D*q; }

static inline double G_of(double q, enum by by) { return by == PRINTED_G ? walls(q) : 1/sqrt(walls(q)); }
static inline double G_slope(double q, enum by by)
{
  return by == PRINTED_G ? walls_slope(q) : -walls_slope(q)/(2*walls(q)*sqrt(walls(q)));
}

/* the position of copy a scales the motion of copy b */
static inline void move_E(struct pair *z, int a, double e, enum by by)
{
  int b = !a;
  z->q[b] += e*G_of(z->q[a], by)*speed(z->p[b]);
  z->p[a] -= e*G_slope(z->q[a], by)*kinetic(z->p[b]);
}

static inline void move_F(struct pair *z, int a, double e, enum by by)
{
  int b = !a;
  z->p[a] -= e*G_slope(z->q[a], by)*(potential(z->q[b]) - (by == WITHOUT_H0 ? 0 : z->H0));
  z->p[b] -= e*G_of(z->q[a], by)*(walls_slope(z->q[b]) + D);
}

/* time by the trapezoid rule: a quarter of e at each end of each copy */
static inline void pair_step(struct pair *z, double e, enum by by)
{
  z->t += e/4*(G_of(z->q[0], by) + G_of(z->q[1], by));
  for (int a = 1; a >= 0; a--) {
    move_E(z, a, e/2, by);
    move_F(z, a, e, by);
    move_E(z, by == PRINTED_E10 ? 1 : a, e/2, by);
  }
  z->t += e/4*(G_of(z->q[0], by) + G_of(z->q[1], by));
}

/* ---- algorithm 3.2.1 on Kepler's ellipse with xi of the state before the step, as printed in (3.7) ---- */
static inline double kepler_Q(const double *y) { double r2 = y[0]*y[0] + y[1]*y[1]; return 1/sqrt(r2*sqrt(r2)); }
static inline double kepler_xi(const double *y) { return -1.5*(y[0]*y[2] + y[1]*y[3])/(y[0]*y[0] + y[1]*y[1]); }

static inline int typo_step(epi_flow *verlet, epi_state *s, double e, double *rho)
{
  double xi = kepler_xi(s->y);
  *rho += e/2*xi;
  if (epi_advance(verlet, s, e/ *rho, 1)) return 1;
  *rho += e/2*xi;
  return 0;
}

/* ---- one step of any of them ---- */
struct mover { const struct method *m; epi_case *c; epi_flow *f; epi_state s; struct pair z; double rho, t; };

static inline double energy(struct mover *v) { return v->c->system.energy(&v->c->system, v->s.t, v->s.y); }

static inline double objective(struct mover *v)
{
  double Q, grad[4];
  if (strstr(v->m->flow, "objective=potential")) return sqrt(v->c->system.energies.potential(&v->c->system, v->s.t, v->s.y));
  v->c->system.energies.objective(&v->c->system, v->s.t, v->s.y, &Q, grad);
  return Q;
}

static inline struct mover mover_of(const struct method *m)
{
  struct mover v = {.m = m, .c = epi_case_make(m->model)};
  if (m->flow) v.f = epi_case_flow(v.c, m->flow);
  v.s = epi_case_state(v.c);
  double *y = v.s.y;
  v.z = (struct pair){.q = {y[0], y[0]}, .p = {y[1], y[1]}, .H0 = energy(&v)};
  v.rho = m->by == TYPO_XI ? kepler_Q(y) : 0;
  return v;
}

static inline void mover_free(struct mover *v)
{
  epi_free(v->f);
  epi_case_free(v->c);
}

static inline int is_twin(const struct method *m) { return !strncmp(m->name, "SYMP(q)", 7); }

/* what a flow keeps beside the state; the time of twin as the figures have it */
static inline void look_beside(struct mover *v, double e, double before)
{
  double x[5];
  epi_extra_state(v->f, x, 5);
  v->rho = x[0];
  if (!is_twin(v->m)) { v->t = v->s.t; return; }
  v->z.q[0] = x[1], v->z.p[0] = x[2], v->z.q[1] = x[3], v->z.p[1] = x[4];
  v->t += before + e/4*(G_of(x[1], CORRECT) + G_of(x[3], CORRECT));
}

static inline int move(struct mover *v, double e)
{
  double before = e/4*(G_of(v->z.q[0], CORRECT) + G_of(v->z.q[1], CORRECT));
  int bad = 0;
  if (v->m->by == BY_FLOW) {
    bad = epi_advance(v->f, &v->s, e, 1);
    look_beside(v, e, before);
  }
  else if (v->m->by == TYPO_XI) {
    bad = typo_step(v->f, &v->s, e, &v->rho);
    v->t = v->s.t;
  }
  else {
    pair_step(&v->z, e, v->m->by);
    v->t = v->z.t;
    v->s.y[0] = (v->z.q[0] + v->z.q[1])/2;
    v->s.y[1] = (v->z.p[0] + v->z.p[1])/2;
  }
  return bad;
}

/* blowup: whole steps before the one that failed, or from which a twin's energy was lost */
static inline struct run run(const struct method *m, double eps, long N)
{
  struct mover v = mover_of(m);
  struct run r = {.blowup = NAN};
  struct trend E = {0}, L = {0};
  double H0 = energy(&v);
  int dense = m->by == TYPO_XI || (m->flow && !strncmp(m->flow, "density", 7));
  for (long k = 0; k < N; k++) {
    int bad = move(&v, eps), quarter = (int)(4*k/N);
    double miss = energy(&v) - H0;
    if (bad || !(fabs(miss) < (is_twin(m) ? 1e3 : HUGE_VAL))) { r.blowup = (double)k; break; }
    r.most[quarter] = larger(r.most[quarter], fabs(miss));
    r.mean[quarter] += miss/((double)N/4);
    add(&E, v.t, miss);
    if (dense) {
      double x = log(objective(&v)/v.rho);
      r.logs = larger(r.logs, fabs(x));
      add(&L, v.t, x);
    }
    if (is_twin(m)) r.gap = larger(r.gap, fabs(v.z.q[0] - v.z.q[1]));
  }
  r.slope = slope_of(&E);
  r.log_slope = slope_of(&L);
  r.t = v.t;
  r.own_t = v.s.t;
  r.q = v.s.y[0];
  r.p = v.s.y[v.c->system.nq];
  mover_free(&v);
  return r;
}

static inline const struct method *method_of(const char *problem, const char *name)
{
  const struct method *m = METHODS;
  while (m->problem && (strcmp(m->problem, problem) || strcmp(m->name, name))) m++;
  if (!m->problem) test_stop("no such method");
  return m;
}

static inline const struct run *kept_run(struct kept *kept, const struct method *m, double eps, long n)
{
  char key[KEY];
  int made;
  snprintf(key, sizeof key, "%s %s %g %ld", m->problem, m->name, eps, n);
  struct run *r = kept_of(kept, key, sizeof *r, &made);
  if (!made) *r = run(m, eps, n);
  return r;
}
#endif
