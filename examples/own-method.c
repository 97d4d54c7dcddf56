/* own-method.c - a method that the library does not have: drift, kick, drift, kick, drift with the best lambda of McLachlan,
 * SIAM J. Sci. Comput. 16 (1995) 151. Used by its name, composed, measured; the command takes this file too:
 *   epicycle check kepler --with own-method.c --flow "symmetric(drift-kick, order=4)" --claims */
#include <epicycle/method.h>

static void drift(epi_flow *f, epi_state *s, double h)
{
  for (int i = 0; i < f->sys->nq; i++) s->y[i] += h*s->y[f->sys->nq + i];
}

static int steps(epi_flow *f, epi_state *s, double h, long n)
{
  double lambda = f->arg[0].number, *a = f->work;
  for (; n > 0; n--) {
    epi_tick end = epi_target(f->sys, s, h);
    for (int half = 0; half < 2; half++) {
      drift(f, s, half ? (1 - 2*lambda)*h : lambda*h);
      double dt = (half ? 1 - lambda : lambda)*h;
      int bad = epi_accel(f, s->t + dt, epi_phase_at(f->sys, s->t, s->theta, dt), s->y, a);
      if (bad) return bad;
      for (int i = 0; i < f->sys->nq; i++) s->y[f->sys->nq + i] += 0.5*h*a[i];
    }
    drift(f, s, lambda*h);
    epi_set_clock(s, end);
    epi_moved(f, s);
  }
  return 0;
}

static void build(epi_flow *f)
{
  const epi_system *m = f->sys;
  epi_refuse(f, !epi_has_force(m) || m->velocity_force || m->rate, "drift-kick needs a force of position alone: use rk4");
  epi_refuse(f, m->nc || m->manifold.retract || m->inertia.speed,
             "drift-kick has no form for constraints, rotations and speeds of momenta: use verlet");
  epi_refuse(f, !(f->arg[0].number > 0 && f->arg[0].number < 0.5), "drift-kick: lambda is %g: take one between 0 and 1/2",
             f->arg[0].number);
  if (!epi_blocks(f, 0, epi_nv(m))) f->go = steps;
}

static const epi_param params[] = {{.name = "lambda", .value = 0.1931833275037836, .doc = "length of the first and last drift"}, {0}};
static const epi_record drift_kick = {
  .name = "drift-kick", .doc = "two kicks between three drifts", .cite = "McLachlan, SIAM J. Sci. Comput. 16 (1995) 151",
  .example = "drift-kick(model)", .abi = EPI_METHOD_ABI, .arrow = EPI_METHOD, .least = 1, .most = 1, .params = params, .order = 2,
  .claims = EPI_SYMPLECTIC | EPI_SYMMETRIC | EPI_REVERSIBLE | EPI_EXPLICIT | EPI_BACKWARD | EPI_CLOCK, .build = build,
};
EPI_NAMES = {{.name = "drift-kick", .record = &drift_kick}, {0}};

static int force(epi_system *s, double t, const double *q, double *f) { (void)s; (void)t; f[0] = -sin(q[0]); return 0; }
int main(void)
{
  epi_system pendulum = {.nq = 1, .force = force};
  epi_name names[] = {{.name = "drift-kick", .record = &drift_kick}, {.name = "model", .system = &pendulum}, {0}};
  epi_flow *f = epi_make_named("symmetric(drift-kick, order=4)", names);
  epi_state s = {.y = (double[]){1.5, 0}};
  epi_measured m = epi_measure(f, &s, 0.1, EPI_SYMPLECTIC);
  if (epi_run(f, &s, 100, 0.05)) fprintf(stderr, "%s\n", epi_error(f));
  printf("q(%g) = %.9f; symplectic: %s\n", s.t, s.y[0], m.holds == 1 ? "yes" : "no");
  epi_free(f);
  return m.holds != 1;
}
