/* bodies.c - models made of bodies: a world as a case, its motion and what its joints carry */
#include "bodies.h"
#include "body/parts.h"
#include "measure/motion.h"
#include <stdatomic.h>

/* the motion at the state that was asked for last: every joint of a row asks for the same. Who finds it taken computes by itself */
struct epi_motion {
  atomic_flag taken;
  int known;
  double t, theta, *y, *a, *lambda, room[];
};

int epi_remember_motion(epi_case *c)
{
  size_t N = (size_t)epi_dim(&c->system), n = (size_t)epi_nv(&c->system), nc = (size_t)c->system.nc;
  if (!nc || c->motion) return 0;
  struct epi_motion *k = c->motion = epi_case_room(c, 1, sizeof *k + (N + n + nc)*sizeof(double));
  if (!k) return -1;
  atomic_flag_clear(&k->taken);
  k->y = k->room;
  k->a = k->y + N;
  k->lambda = k->a + n;
  return 0;
}

const char *const epi_as_words[] = {"penalty", "constraint", NULL};

int epi_case_world(epi_case *c, epi_world *w)
{
  c->world = w;
  epi_state s = epi_world_state(w);
  if (!s.y) return epi_case_refuse_cause(c, epi_world_cause(w), "%s", epi_world_error(w));
  c->system = *epi_world_system(w);
  for (int i = 1; w->names[i].name; i++) c->parts[i] = w->names[i];
  if (epi_case_start(c)) return -1;
  memcpy(c->y, s.y, (size_t)epi_dim(&c->system)*sizeof *c->y);
  c->theta = s.theta;
  return epi_remember_motion(c);
}

/* ---- motion ---- */
int epi_case_motion(const epi_case *c, const epi_state *s, double *a, double *lambda)
{
  struct epi_motion *k = c->motion;
  size_t N = (size_t)epi_dim(&c->system), n = (size_t)epi_nv(&c->system), nc = (size_t)c->system.nc;
  if (!k || atomic_flag_test_and_set(&k->taken)) return epi_constrained_motion((epi_system *)&c->system, s, a, lambda);
  int bad = 0;
  if (!k->known || k->t != s->t || k->theta != s->theta || memcmp(k->y, s->y, N*sizeof *s->y)) {
    bad = epi_constrained_motion((epi_system *)&c->system, s, k->a, k->lambda);
    k->known = !bad;
    k->t = s->t;
    k->theta = s->theta;
    memcpy(k->y, s->y, N*sizeof *s->y);
  }
  memcpy(a, k->a, n*sizeof *a);
  memcpy(lambda, k->lambda, nc*sizeof *lambda);
  atomic_flag_clear(&k->taken);
  return bad;
}

/* ---- joints ---- */
/* room for accelerations and multipliers: nv and 2 nc */
static double *room_of(const epi_case *c) { return malloc(((size_t)c->system.nv + 2*(size_t)c->system.nc + 1)*sizeof(double)); }

int epi_case_action(const epi_case *c, const epi_state *s, int which, epi_action *out)
{
  int nc = c->system.nc, bad;
  double *a = room_of(c);
  epi_state at = *s;
  if (!a) return EPI_WRONG;
  at.lambda = a + c->system.nv;
  /* those of the velocities stand in the second half */
  bad = epi_case_motion(c, s, a, at.lambda + nc) || epi_world_action(c->world, &at, which, out);
  free(a);
  return bad ? EPI_WRONG : 0;
}

/* the force of the teeth on a wheel is not that of its bearing */
static int take_teeth(epi_world *w, const epi_state *s, int which, int term, epi_action *sum)
{
  const epi_world_coupling *k = &w->coupling[which];
  epi_pose a = epi_world_pose(w, s, w->joint[k->term[term].joint].a);
  double force[3], at[3], turn[3];
  int bad = epi_coupling_tooth(w, k, s, force, at);
  for (int i = 0; i < 3; i++) { force[i] *= term ? -1 : 1; at[i] -= a.r[i]; }
  epi_vector_cross(at, force, turn);
  for (int i = 0; i < 3; i++) { sum->force[i] -= force[i]; sum->moment[0][i] -= turn[i]; }
  return bad;
}

/* all that acts in joint j on its body a: force, and moment about the centre of a */
static int joint_load(const epi_case *c, const epi_state *s, int j, int number, double *force, double *moment)
{
  epi_world *w = c->world;
  epi_action one, sum = {.load = 0};
  int bad = epi_world_action(w, s, number, &sum);
  for (int i = 0; i < w->pairs && !bad; i++) {
    const epi_pair *p = &w->pair[i];
    if (p->on_joint != 1 + j) continue;
    epi_pose a = epi_world_pose(w, s, p->a), b = epi_world_pose(w, s, p->b);
    one = (epi_action){.turned = epi_turned_at(w, p->turned, s->y)};
    bad = epi_pair_act(p, s->t, &a, &b, &one);
    for (int x = 0; x < 3; x++) { sum.force[x] += one.force[x]; sum.moment[0][x] += one.moment[0][x]; }
  }
  for (int i = 0; i < w->couplings; i++)
    for (int k = 0; k < w->coupling[i].terms && !bad; k++)
      if (w->coupling[i].term[k].joint == j)
        bad = epi_coupling_action(w, &w->coupling[i], s, k, &sum) || (w->coupling[i].mesh && take_teeth(w, s, i, k, &sum));
  memcpy(force, sum.force, sizeof sum.force);
  memcpy(moment, sum.moment[0], sizeof sum.moment[0]);
  return bad;
}

/* into the axes of the ground, of a body or of the frame on b */
static int axes_of(const epi_case *c, const epi_state *s, const epi_world_joint *j, int frame, double *R)
{
  epi_pose p = epi_world_pose(c->world, s, frame == EPI_JOINT_FRAME ? j->b : frame);
  double F[9];
  if (frame < EPI_JOINT_FRAME || frame >= c->world->bodies) return EPI_WRONG;
  memcpy(R, p.R, sizeof p.R);
  if (frame != EPI_JOINT_FRAME) return 0;
  epi_rotation_of_any(j->data.frame_b, F);
  epi_rotation_product(p.R, F, R);
  return 0;
}

int epi_case_joint_load(const epi_case *c, const epi_state *s, int number, int frame, double force[3], double moment[3])
{
  int nc = c->system.nc, which = c->world ? epi_joint_numbered(c->world, number) : -1;
  double *a = which < 0 ? NULL : room_of(c), R[9], arm[3], turn[3];
  epi_state at = *s;
  if (!a) return EPI_WRONG;
  const epi_world_joint *j = &c->world->joint[which];
  at.lambda = a + c->system.nv;
  int asks = nc && (j->as == EPI_CONSTRAINT || c->world->couplings);
  if (!asks) at.lambda = NULL;
  int bad = (asks && epi_case_motion(c, s, a, at.lambda + nc)) || joint_load(c, &at, which, number, force, moment) ||
    axes_of(c, s, j, frame, R);
  free(a);
  if (bad) return EPI_WRONG;
  epi_pose p = epi_world_pose(c->world, s, j->a);
  epi_out_of(p.R, j->data.at_a, arm);
  epi_vector_cross(arm, force, turn);
  for (int i = 0; i < 3; i++) moment[i] -= turn[i];
  epi_into(R, force, force);
  epi_into(R, moment, moment);
  return 0;
}

int epi_case_mesh(const epi_case *c, const epi_state *s, int number, double force[3], double at[3])
{
  const epi_world *w = c->world;
  int i = w && number >= 0 && number < w->numbers ? w->number[number] : 0, bad;
  if (i > EPI_COUPLING_NUMBER || !w->coupling[EPI_COUPLING_NUMBER - i].mesh) return EPI_WRONG;
  double *a = room_of(c);
  epi_state here = *s;
  if (!a) return EPI_WRONG;
  here.lambda = a + c->system.nv;
  bad = epi_case_motion(c, s, a, here.lambda + c->system.nc) ||
    epi_coupling_tooth(w, &w->coupling[EPI_COUPLING_NUMBER - i], &here, force, at);
  free(a);
  return bad ? EPI_WRONG : 0;
}

epi_action epi_case_joint(const epi_case *c, const epi_state *s, const char *name)
{
  epi_action out;
  if (epi_case_action(c, s, epi_world_action_named(c->world, name), &out))
    return (epi_action){.force = {NAN, NAN, NAN}, .moment = {{NAN, NAN, NAN}, {NAN, NAN, NAN}}, .depth = NAN, .load = NAN};
  return out;
}

double epi_joint_gap(const epi_case *c, const epi_state *s)
{
  const epi_world *w = c->world;
  double widest = 0;
  for (int i = 0; i < w->joints; i++) {
    epi_pose a = epi_world_pose(c->world, s, w->joint[i].a), b = epi_world_pose(c->world, s, w->joint[i].b);
    epi_joint_rows r;
    if (epi_world_joint_rows(&w->joint[i], s->t, &a, &b, &r, NULL)) return NAN;
    for (int k = 0; k < w->joint[i].rows; k++) widest = epi_larger(widest, fabs(r.g[k]));
  }
  for (int i = 0; i < w->couplings; i++) {
    double g, gt, G[12*EPI_TERMS];
    if (epi_coupling_row(w, &w->coupling[i], s->t, s->y, &g, &gt, G)) return NAN;
    widest = epi_larger(widest, fabs(g));
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
  epi_add_shape(w, body, &(epi_shape){.kind = EPI_BOX, .appearance = looks[body%3], .size = {length + width, width, 0.4*width},
                                      .at = {0, 0, z}});
}

double epi_body_angle(const epi_case *c, const epi_state *s, int body)
{
  const double *q = s->y + c->world->body[body].q + 3;
  return remainder(2*atan2(q[3], q[0]), 2*EPI_PI);
}

double epi_body_rate(const epi_case *c, const epi_state *s, int body) { return s->y[c->system.nq + c->world->body[body].v + 5]; }

double epi_body_speedup(const epi_case *c, const epi_state *s, int body)
{
  double *a = room_of(c), x = NAN;
  if (a && !epi_case_motion(c, s, a, a + c->system.nv)) x = a[c->world->body[body].v + 5];
  free(a);
  return x;
}

/* the moment of a joint is about the centre of its body */
double epi_pivot_torque(const epi_case *c, const epi_state *s, const char *joint, int body)
{
  epi_action on = epi_case_joint(c, s, joint);
  epi_pose p = epi_world_pose(c->world, s, body);
  return on.moment[0][2] + p.r[0]*on.force[1] - p.r[1]*on.force[0];
}
