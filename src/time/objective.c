/* objective.c - what the steps should follow, and how fast it changes along the motion */
#include "objective.h"
#include "energy.h"

/* scratch: a gradient, three states, gaps with their Jacobian */
typedef struct { double *grad, *a, *b, *c, *gap, *G; } objective_work;

static long grad_size(const epi_system *m) { return 2L*epi_nv(m) + m->nz; }

long epi_objective_room(const epi_system *m) { return grad_size(m) + 3L*epi_dim(m) + (long)m->contacts.ng*(1 + epi_nv(m)); }

static objective_work work_of(const epi_system *m, double *work)
{
  objective_work d = {.grad = work};
  d.a = d.grad + grad_size(m);
  d.b = d.a + epi_dim(m);
  d.c = d.b + epi_dim(m);
  d.gap = d.c + epi_dim(m);
  d.G = d.gap + m->contacts.ng;
  return d;
}

void epi_objective_check(epi_flow *f, const epi_objective *o)
{
  const epi_system *m = f->sys;
  const char *name = f->record->name;
  epi_refuse(f, o->kind == EPI_Q_MODEL && !m->energies.objective,
             "%s: this system has no objective: fill in objective, or take potential, arc, contact or a function of yours", name);
  epi_refuse(f, o->kind == EPI_Q_POTENTIAL && (!epi_has_potential(m) || !epi_has_force(m)),
             "%s: this system has no potential to go by: fill in potential, or take another objective", name);
  epi_refuse(f, o->kind == EPI_Q_STIFFNESS && !epi_has_force(m),
             "%s: stiffness is that of a force of position, and this system has none: take another objective", name);
  epi_refuse(f, o->kind == EPI_Q_CONTACT && (!m->contacts.ng || !m->contacts.gap || !m->contacts.stiffness),
             "%s: contact goes by the gaps of a system and their stiffness, and this one has none: fill in ng, gap and stiffness", name);
}

/* near a stiff contact the step is eps pi gap/(c sqrt(K/m)): at speed v it stays short of the gap where c > pi v sqrt(m/K). Half as much
   again, with the speed of all the energy: v sqrt(m) = sqrt(2E) */
/* of bodies: the largest G M^-1 G^T/K, by which all the energy makes a gap close */
static double softness(epi_flow *f, const epi_state *s, const objective_work *d)
{
  epi_system *m = f->sys;
  int n = epi_nv(m);
  double most = 0;
  if (m->contacts.gap(m, s->t, s->y, d->gap, d->G)) return 0;
  for (int k = 0; k < m->contacts.ng; k++) {
    double light = 0;
    for (int i = 0; i < n; i++) light += d->G[k*n + i]*d->G[k*n + i]/m->mass[i];
    most = fmax(most, light/m->contacts.stiffness[k]);
  }
  return most;
}

double epi_objective_width(epi_flow *f, const epi_objective *o, const epi_state *s, double *work)
{
  epi_system *m = f->sys;
  double K = 0, E;
  if (o->smooth > 0 || o->kind != EPI_Q_CONTACT) return o->smooth > 0 ? o->smooth : 1;
  for (int k = 0; k < m->contacts.ng; k++) K = fmax(K, m->contacts.stiffness[k]);
  E = epi_kinetic_of(m, s->t, s->y, s->y + m->nq, work);
  if (epi_has_potential(m)) E += fabs(epi_potential_of(m, s->t, s->y, work));
  if (m->manifold.retract && m->mass) {
    objective_work d = work_of(m, work);
    double soft = softness(f, s, &d);
    return E > 0 && soft > 0 ? 5*sqrt(2*E*soft) : 1;
  }
  return E > 0 && K > 0 ? 5*sqrt(2*E/K) : 1;
}

/* the rate of all of y, 2 nv + nz numbers; a rotation's is its velocity */
static int rate_of(epi_flow *f, double t, double theta, const double *y, double *rate)
{
  epi_system *m = f->sys;
  int n = epi_nv(m), bad;
  if (!m->manifold.retract) return epi_rate_at(f, t, theta, y, rate);
  memcpy(rate, y + m->nq, (size_t)n*sizeof *rate);
  bad = epi_accel_all(f, t, theta, y, y + m->nq, rate + n);
  return !bad && m->rate ? m->rate(m, t, y, rate + 2*n) : bad;
}

/* |V|^power; its gradient is that of V, minus the force */
static int of_potential(epi_flow *f, const epi_objective *o, double t, const double *y, double *Q, double *grad, int *graded,
                        const objective_work *d)
{
  epi_system *m = f->sys;
  int n = epi_nv(m), bad;
  double V = epi_potential_of(m, t, y, d->c);
  *Q = epi_power(fabs(V), o->power);
  if (!grad || m->inertia.accel || m->phase.forced) return 0;
  f->calls++;
  if ((bad = m->force(m, t, y, grad))) return bad;
  memset(grad + n, 0, (size_t)(grad_size(m) - n)*sizeof *grad);
  for (int i = 0; i < n; i++) grad[i] *= -o->power**Q/V;
  *graded = 1;
  return 0;
}

/* the length of the path of y in a unit of time; on constraints without their forces, which are not known here */
static int of_arc(epi_flow *f, const epi_objective *o, double t, double theta, const double *y, double *Q, const objective_work *d)
{
  epi_system *m = f->sys;
  double *dy = d->c, sum = 0;
  int bad = rate_of(f, t, theta, y, dy);
  for (long i = 0; i < grad_size(m); i++) sum += dy[i]*dy[i];
  *Q = sqrt(sum) + o->floor;
  return bad;
}

/* how fast the acceleration changes with position along the motion: sqrt(|A(q + d v) - A(q - d v)|/(2 d |v|)).
   Modin, Fritzson & Fuehrer, semi-explicit integration (15), made even in v */
static int of_stiffness(epi_flow *f, const epi_objective *o, double t, double theta, const double *y, double *Q, const objective_work *d)
{
  epi_system *m = f->sys;
  int n = epi_nv(m), bad;
  const double *v = y + m->nq;
  double speed = 0, size = 1, sum = 0, *there = d->c, *A = d->grad;
  for (int i = 0; i < n; i++) speed += v[i]*v[i];
  for (int i = 0; i < m->nq; i++) size = fmax(size, fabs(y[i]));
  *Q = sqrt(o->floor);
  if (!((speed = sqrt(speed)) > 0)) return 0;
  double step = 1e-5*size/speed;
  for (int side = 0; side < 2; side++) {
    epi_shift(m, y, side ? step : -step, v, there, there + m->nq);
    if ((bad = epi_accel(f, t, theta, there, A + side*n))) return bad;
  }
  for (int i = 0; i < n; i++) sum += (A[n + i] - A[i])*(A[n + i] - A[i]);
  *Q = sqrt(sqrt(sum)/(2*step*speed) + o->floor);
  return 0;
}

/* sqrt(sum K u(-gap)^2 + limit) with u(x) = 1/2 + atan(x/c)/pi: a penetration whose onset is smooth over c = smooth eps.
   Modin & Fuehrer, ZAMM 86 (2006) 785, 3.2 */
static int of_contact(epi_flow *f, const epi_objective *o, double t, const double *y, double *Q, double *grad, int *graded,
                      const objective_work *d)
{
  epi_system *m = f->sys;
  int n = epi_nv(m), bad;
  double c = o->smooth*epi_own_eps(f), sum = o->limit;
  if ((bad = m->contacts.gap(m, t, y, d->gap, d->G))) return bad;
  if (grad) memset(grad, 0, (size_t)grad_size(m)*sizeof *grad);
  for (int k = 0; k < m->contacts.ng; k++) {
    double x = -d->gap[k]/c, u = 0.5 + atan(x)/EPI_PI, Ku = m->contacts.stiffness[k]*u, slope = -Ku/(EPI_PI*c*(1 + x*x));
    sum += Ku*u;
    if (grad) for (int i = 0; i < n; i++) grad[i] += slope*d->G[k*n + i];
  }
  *Q = sqrt(sum);
  if (grad) for (int i = 0; i < n; i++) grad[i] /= *Q;
  *graded = grad != NULL;
  return 0;
}

static int of_model(epi_flow *f, double t, const double *y, double *Q, double *grad, int *graded, const objective_work *d)
{
  epi_system *m = f->sys;
  double *g = grad ? grad : d->grad;
  for (long i = 0; i < grad_size(m); i++) g[i] = NAN;
  int bad = m->energies.objective(m, t, y, Q, g);
  *graded = g[0] == g[0];
  return bad;
}

int epi_objective_at(epi_flow *f, const epi_objective *o, double t, const double *y, double *Q, double *grad, int *graded, double *work)
{
  objective_work d = work_of(f->sys, work);
  int none, bad = 0;
  if (!graded) graded = &none;
  *graded = 0;
  switch (o->kind) {
  case EPI_Q_MODEL: bad = of_model(f, t, y, Q, grad, graded, &d); break;
  case EPI_Q_POTENTIAL: bad = of_potential(f, o, t, y, Q, grad, graded, &d); break;
  case EPI_Q_ARC: bad = of_arc(f, o, t, 0, y, Q, &d); break;
  case EPI_Q_STIFFNESS: bad = of_stiffness(f, o, t, 0, y, Q, &d); break;
  case EPI_Q_CONTACT: bad = of_contact(f, o, t, y, Q, grad, graded, &d); break;
  case EPI_Q_GIVEN: *Q = o->given.gap(o->given.data, t, y); break;
  }
  if (!bad && !(*Q > 0 && *Q < HUGE_VAL))
    return epi_fail(f, EPI_WRONG, "%s: the objective is %g at t = %.10g: it must be positive and finite there; add a constant to it%s, or "
                                  "take another one",
                    f->record->name, *Q, t, o->kind == EPI_Q_CONTACT ? " by limit=" : "");
  return bad;
}

/* a whole state moved by h along its rate */
static void move(epi_flow *f, const epi_state *s, double h, const double *rate, double *y, double *tmp)
{
  epi_system *m = f->sys;
  int n = epi_nv(m), rest = epi_dim(m) - m->nq;
  epi_shift(m, s->y, h, rate, y, tmp);
  for (int i = 0; i < rest; i++) y[m->nq + i] = s->y[m->nq + i] + h*rate[n + i];
}

/* on constraints the motion is that of the flow itself, a little there and back */
static int along_flow(epi_flow *f, const epi_objective *o, const epi_state *s, double d, double *xi, const objective_work *k, double *work)
{
  double Q[2];
  for (int side = 0; side < 2; side++) {
    epi_state e = *s;
    e.y = k->b;
    e.impulse = e.lambda = NULL;
    memcpy(e.y, s->y, (size_t)epi_dim(f->sys)*sizeof *e.y);
    epi_cache_invalidate(&e);
    e.key.trial++;
    int bad = epi_go(f->kid[0], &e, side ? d : -d, 1);
    if (!bad) bad = epi_objective_at(f, o, e.t, e.y, &Q[side], NULL, NULL, work);
    if (bad) return bad;
  }
  *xi = log(Q[1]/Q[0])/(2*d);
  return 0;
}

static int along_rate(epi_flow *f, const epi_objective *o, const epi_state *s, double d, double *xi, const objective_work *k, double *work)
{
  double Q[2];
  int bad = rate_of(f, s->t, s->theta, s->y, k->a);
  for (int side = 0; side < 2 && !bad; side++) {
    double h = side ? d : -d;
    move(f, s, h, k->a, k->b, k->c);
    bad = epi_objective_at(f, o, s->t + h, k->b, &Q[side], NULL, NULL, work);
  }
  if (!bad) *xi = log(Q[1]/Q[0])/(2*d);
  return bad;
}

/* grad . y'; the accelerations are asked for only where the gradient has use for them */
static int by_gradient(epi_flow *f, const epi_state *s, double Q, double *xi, const objective_work *k)
{
  epi_system *m = f->sys;
  int n = epi_nv(m), needed = m->nz > 0, bad = 0;
  const double *v = s->y + m->nq, *g = k->grad;
  for (int i = 0; i < n; i++) needed |= g[n + i] != 0;
  if (needed) bad = rate_of(f, s->t, s->theta, s->y, k->a);
  else if (m->inertia.speed) bad = m->inertia.speed(m, s->t, v, k->a);
  else memcpy(k->a, v, (size_t)n*sizeof *v);
  *xi = 0;
  for (int i = 0; i < (needed ? 2*n + m->nz : n); i++) *xi += g[i]*k->a[i];
  *xi /= Q;
  return bad;
}

int epi_objective_rate(epi_flow *f, const epi_objective *o, epi_state *s, double span, double *xi, double *work)
{
  epi_system *m = f->sys;
  objective_work k = work_of(m, work);
  double Q;
  int graded, bad = epi_objective_at(f, o, s->t, s->y, &Q, k.grad, &graded, work), moving = 0;
  if (bad) return bad;
  for (int i = 0; graded && m->nc && i < epi_nv(m); i++) moving |= k.grad[epi_nv(m) + i] != 0;
  if (graded && !moving) return by_gradient(f, s, Q, xi, &k);
  return m->nc ? along_flow(f, o, s, span/Q, xi, &k, work) : along_rate(f, o, s, span/Q, xi, &k, work);
}

int epi_objective_slope(epi_flow *f, const epi_objective *o, double t, const double *y, double *Q, double *grad, double *work)
{
  epi_system *m = f->sys;
  objective_work k = work_of(m, work);
  int n = epi_nv(m), graded, bad = epi_objective_at(f, o, t, y, Q, k.grad, &graded, work);
  if (bad) return bad;
  if (graded) { memcpy(grad, k.grad, (size_t)n*sizeof *grad); return 0; }
  memcpy(k.b, y, (size_t)epi_dim(m)*sizeof *y);
  for (int i = 0; i < n; i++) {
    double e = 6e-6*fmax(fabs(y[i]), 1), up, down;
    if (m->manifold.retract) {
      double *way = k.a, *room = k.a + n;
      e = 6e-6;
      for (int c = 0; c < n; c++) way[c] = c == i;
      epi_shift(m, y, e, way, k.b, room);
      if ((bad = epi_objective_at(f, o, t, k.b, &up, NULL, NULL, work))) return bad;
      epi_shift(m, y, -e, way, k.b, room);
      if ((bad = epi_objective_at(f, o, t, k.b, &down, NULL, NULL, work))) return bad;
      grad[i] = (up - down)/(2*e);
      continue;
    }
    k.b[i] = y[i] + e;
    if ((bad = epi_objective_at(f, o, t, k.b, &up, NULL, NULL, work))) return bad;
    k.b[i] = y[i] - e;
    if ((bad = epi_objective_at(f, o, t, k.b, &down, NULL, NULL, work))) return bad;
    k.b[i] = y[i];
    grad[i] = (up - down)/(2*e);
  }
  return 0;
}

int epi_objective_of_position(epi_flow *f, const epi_objective *o, const epi_state *s, double *work)
{
  epi_system *m = f->sys;
  objective_work k = work_of(m, work);
  double Q, other;
  int bad = epi_objective_at(f, o, s->t, s->y, &Q, NULL, NULL, work);
  memcpy(k.b, s->y, (size_t)epi_dim(m)*sizeof *s->y);
  for (int side = 0; side < 2 && !bad; side++) {
    for (int i = 0; i < epi_nv(m); i++) k.b[m->nq + i] = s->y[m->nq + i] + (side ? -0.37 : 0.61)*(1 + fabs(s->y[m->nq + i]));
    bad = epi_objective_at(f, o, s->t, k.b, &other, NULL, NULL, work);
    if (!bad && other != Q)
      return epi_fail(f, EPI_WRONG, "%s needs an objective of position alone, and this one changes with the velocity (%g, %g): use "
                                    "density, which follows any",
                      f->record->name, Q, other);
  }
  return bad;
}
