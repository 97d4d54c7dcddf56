/* bodies.c - models made of bodies: a world as a case, its motion and what its joints carry */
#include "bodies.h"
#include "body/world.h"

const char *const epi_as_words[] = {"penalty", "constraint", NULL};

int epi_case_world(epi_case *c, epi_world *w)
{
  c->world = w;
  epi_state s = epi_world_state(w);
  if (!s.y) return epi_case_refuse(c, "%s", epi_world_error(w));
  c->system = *epi_world_system(w);
  for (int i = 1; w->names[i].name; i++) c->parts[i] = w->names[i];
  if (epi_case_start(c)) return -1;
  memcpy(c->y, s.y, (size_t)epi_dim(&c->system)*sizeof *c->y);
  return 0;
}

/* ---- motion ---- */
/* F = G v + gt where the positions have moved on by e with these velocities */
static int leaving(epi_system *m, const epi_state *s, double e, double *F, double *G, double *q)
{
  int n = epi_nv(m), nc = m->nc;
  const double *v = s->y + m->nq;
  double dq[n], g[nc];
  for (int i = 0; i < n; i++) dq[i] = e*v[i];
  m->retract(m, s->y, dq, q);
  int bad = epi_constraint_eval(m, s->t + e, q, g, G, F);
  for (int c = 0; c < nc; c++) for (int i = 0; i < n; i++) F[c] += G[c*n + i]*v[i];
  return bad;
}

/* F' by central differences of sixth order, a hundredth of the time in which anything turns by one radian */
static int bending(epi_system *m, const epi_state *s, double *dF, double *G)
{
  static const double weight[] = {45./60, -9./60, 1./60};
  int n = epi_nv(m), nc = m->nc, bad = 0;
  double F[nc], q[m->nq], fast = 1;
  for (int i = 0; i < n; i++) fast = fmax(fast, fabs(s->y[m->nq + i]));
  double e = 0.01/fast;
  memset(dF, 0, (size_t)nc*sizeof *dF);
  for (int k = -3; k <= 3 && !bad; k++) {
    if (!k) continue;
    bad = leaving(m, s, k*e, F, G, q);
    for (int c = 0; c < nc; c++) dF[c] += (k > 0 ? 1 : -1)*weight[abs(k) - 1]*F[c]/e;
  }
  return bad ? bad : leaving(m, s, 0, F, G, q);
}

int epi_case_motion(const epi_case *c, const epi_state *s, double *a, double *lambda)
{
  epi_system *m = (epi_system *)&c->system;
  int n = epi_nv(m), nc = m->nc;
  double f[n], G[nc*n + 1], A[nc*nc + 1], *x = lambda;
  int bad = m->force(m, s->t, s->y, f);
  if (!bad) bad = m->velocity_force(m, s->t, s->y, s->y + m->nq, f);
  if (!bad && nc) bad = bending(m, s, x, G);
  if (bad) return bad;
  for (int i = 0; i < nc; i++) {
    for (int k = 0; k < n; k++) x[i] += G[i*n + k]*f[k]/m->mass[k];
    x[i] = -x[i];
    for (int j = 0; j < nc; j++) {
      A[i*nc + j] = 0;
      for (int k = 0; k < n; k++) A[i*nc + j] += G[i*n + k]*G[j*n + k]/m->mass[k];
    }
  }
  if (nc && epi_solve(nc, A, x)) return EPI_WRONG;
  for (int i = 0; i < nc; i++) for (int k = 0; k < n; k++) f[k] += G[i*n + k]*x[i];
  for (int k = 0; k < n; k++) a[k] = f[k]/m->mass[k];
  return 0;
}

/* ---- joints ---- */
int epi_case_action(const epi_case *c, const epi_state *s, int which, epi_action *out)
{
  int nc = c->system.nc;
  double a[c->system.nv], lambda[2*nc + 1];
  epi_state at = *s;
  at.lambda = lambda;
  /* those of the velocities stand in the second half */
  return epi_case_motion(c, s, a, lambda + nc) || epi_world_action(c->world, &at, which, out) ? EPI_WRONG : 0;
}

epi_action epi_case_joint(const epi_case *c, const epi_state *s, const char *name)
{
  epi_action out;
  if (epi_case_action(c, s, epi_world_find(c->world, name), &out))
    return (epi_action){.force = {NAN, NAN, NAN}, .moment = {{NAN, NAN, NAN}, {NAN, NAN, NAN}}, .depth = NAN, .load = NAN};
  return out;
}

double epi_joint_gap(const epi_case *c, const epi_state *s)
{
  const epi_world *w = c->world;
  double widest = 0;
  for (int i = 0; i < w->bonds; i++) {
    epi_pose a = epi_world_pose(c->world, s, w->bond[i].a), b = epi_world_pose(c->world, s, w->bond[i].b);
    epi_rows r;
    epi_bond_rows(&w->bond[i], s->t, &a, &b, &r);
    for (int k = 0; k < w->bond[i].rows; k++) widest = epi_larger(widest, fabs(r.g[k]));
  }
  return widest;
}

int epi_join(epi_world *w, epi_holding h, epi_joint j)
{
  j.as = h.as;
  for (int turn = 0; turn < 2; turn++) {
    j.stiffness[turn] = h.stiffness*(turn ? h.reach*h.reach : 1);
    j.damping[turn] = h.lag*j.stiffness[turn];
  }
  return epi_add_joint(w, &j);
}

/* ---- in the plane ---- */
int epi_add_bar(epi_world *w, const char *name, double mass, double length, epi_in_plane p)
{
  double x = length/2*cos(p.angle), y = length/2*sin(p.angle), I = mass*length*length/12;
  /* in the plane only the third moment counts */
  return epi_add_body(w, &(epi_body){.name = name, .mass = mass, .inertia = {I, I, I}, .at = {p.x + x, p.y + y},
    .attitude = {cos(p.angle/2), 0, 0, sin(p.angle/2)}, .velocity = {p.vx - p.rate*y, p.vy + p.rate*x}, .spin = {0, 0, p.rate}});
}

/* it goes on past its two pins, and lies beside the bars it meets there */
void epi_show_bar(epi_world *w, int body, double length, double width, double z)
{
  static const int looks[] = {EPI_BRIGHT, EPI_STEEL, EPI_BRASS};
  epi_add_shape(w, body,
                &(epi_shape){.kind = EPI_BOX, .appearance = looks[body%3], .size = {length + width, width, 0.4*width}, .at = {0, 0, z}});
}

double epi_body_angle(const epi_case *c, const epi_state *s, int body)
{
  const double *q = s->y + c->world->body[body].q + 3;
  return remainder(2*atan2(q[3], q[0]), 2*EPI_PI);
}

double epi_body_rate(const epi_case *c, const epi_state *s, int body) { return s->y[c->system.nq + c->world->body[body].v + 5]; }

double epi_body_speedup(const epi_case *c, const epi_state *s, int body)
{
  double a[c->system.nv], lambda[c->system.nc + 1];
  return epi_case_motion(c, s, a, lambda) ? NAN : a[c->world->body[body].v + 5];
}

/* the moment of a joint is about the centre of its body */
double epi_pivot_torque(const epi_case *c, const epi_state *s, const char *joint, int body)
{
  epi_action on = epi_case_joint(c, s, joint);
  epi_pose p = epi_world_pose(c->world, s, body);
  return on.moment[0][2] + p.r[0]*on.force[1] - p.r[1]*on.force[0];
}
