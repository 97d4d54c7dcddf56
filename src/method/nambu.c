/* nambu.c - the free rigid body by splitting its two Hamiltonians, angular momentum and kinetic energy; the attitude goes along.
 * x = I w in the body, x' = x cross w; q' = q (0, w)/2. Torques are kicks around it: strang(kick, nambu) */
#include "core.h"

enum { SPLIT, AXES };
enum { BY_T, BY_MT };

typedef struct { int axis[3]; double I[3], a[3]; int checked; } nambu_plan;

/* q turned by the angle about a body axis, to the right */
static void turn_about(double *q, int i, double angle)
{
  int j = (i + 1) % 3, k = (i + 2) % 3;
  double c = cos(0.5*angle), s = sin(0.5*angle), w = q[0], x = q[1+i], y = q[1+j], z = q[1+k];
  q[0] = w*c - x*s;
  q[1+i] = x*c + w*s;
  q[1+j] = y*c + z*s;
  q[1+k] = z*c - y*s;
}

/* the exact motion of the kinetic energy of one axis: a rotation about it, of momenta and attitude */
static void spin(const nambu_plan *p, int i, double h, double *q, double *x)
{
  int j = (i + 1) % 3, k = (i + 2) % 3;
  double angle = h*x[i]/p->I[i], c = cos(angle), s = sin(angle), y = x[j], z = x[k];
  x[j] = c*y + s*z;
  x[k] = c*z - s*y;
  turn_about(q, i, angle);
}

static void by_energy(epi_system *m, const nambu_plan *p, double h, double *q, double *x)
{
  static const double half[] = {0.5, 0.5, 1, 0.5, 0.5};
  static const int turn[] = {0, 1, 2, 1, 0};
  (void)m;
  for (int k = 0; k < 5; k++) spin(p, p->axis[turn[k]], half[k]*h, q, x);
  /* a step of Newton towards length one: products of unit quaternions lose it by rounding alone */
  double more = 1.5 - 0.5*(q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3]);
  for (int i = 0; i < 4; i++) q[i] *= more;
}

/* both Hamiltonians: one momentum at a time by the product of the two others; the attitude by the velocities at both ends */
static void by_both(epi_system *m, const nambu_plan *p, double h, double *q, double *x)
{
  static const double half[] = {0.5, 0.5, 1, 0.5, 0.5};
  static const int turn[] = {0, 1, 2, 1, 0};
  double w[3], to[4];
  for (int end = 0; end < 2; end++) {
    for (int i = 0; i < 3; i++) w[i] = 0.5*h*x[i]/p->I[i];
    m->manifold.retract(m, q, w, to);
    memcpy(q, to, sizeof to);
    for (int k = 0; k < 5 && !end; k++) {
      /* the pair of an axis and the next moves the third */
      int i = (p->axis[turn[k]] + 2) % 3;
      x[i] += half[k]*h*p->a[i]*x[(i + 1) % 3]*x[(i + 2) % 3];
    }
  }
}

/* a velocity force other than the gyroscopic torque would be lost */
static int look(epi_flow *f, const epi_state *s)
{
  nambu_plan *p = f->own;
  epi_system *m = f->sys;
  static const double w[][3] = {{1, 0.3, -0.7}, {-0.2, 1.1, 0.5}};
  for (int k = 0; k < 2 && m->velocity_force; k++) {
    double got[3] = {0}, x[3];
    int bad = m->velocity_force(m, s->t, s->y, w[k], got);
    if (bad) return bad;
    for (int i = 0; i < 3; i++) x[i] = p->I[i]*w[k][i];
    for (int i = 0; i < 3; i++) {
      int a = (i + 1) % 3, b = (i + 2) % 3;
      double torque = x[a]*w[k][b] - x[b]*w[k][a], size = fabs(x[a]*w[k][b]) + fabs(x[b]*w[k][a]);
      if (!(fabs(got[i] - torque) <= 1e-12*size))
        return epi_fail(f, EPI_WRONG, "nambu moves a free rigid body, and the velocity force of this system is more than its gyroscopic "
                        "torque (component %d is %g, not %g): use verlet or rk4", i, got[i], torque);
    }
  }
  p->checked = 1;
  return 0;
}

static int nambu(epi_flow *f, epi_state *s, double h, long n)
{
  nambu_plan *p = f->own;
  epi_system *m = f->sys;
  double *q = s->y, *w = q + 4, x[3];
  int bad;
  if (!p->checked && (bad = look(f, s))) return bad;
  for (int i = 0; i < 3; i++) x[i] = p->I[i]*w[i];
  for (; n > 0; n--) {
    epi_tick end = epi_target(m, s, h);
    (f->arg[SPLIT].number == BY_MT ? by_both : by_energy)(m, p, h, q, x);
    for (int i = 0; i < 3; i++) w[i] = x[i]/p->I[i];
    epi_set_clock(s, end);
  }
  epi_moved(f, s);
  return 0;
}

static void axes_of(epi_flow *f, nambu_plan *p)
{
  const epi_value *axes = &f->arg[AXES];
  int seen = 0;
  for (int k = 0; k < 3; k++) {
    double a = axes->n == 3 ? axes->list[k] : k + 1;
    p->axis[k] = (int)a - 1;
    if (a == 1 || a == 2 || a == 3) seen |= 1 << (int)a;
  }
  epi_refuse(f, axes->given && (axes->n != 3 || seen != 14), "nambu: axes is an order of the three axes, as in [2, 1, 3]");
}

static void nambu_build(epi_flow *f)
{
  epi_system *m = f->sys;
  epi_refuse(f, m->nq != 4 || epi_nv(m) != 3 || !m->manifold.retract || m->nc || m->nz,
             "nambu moves a rigid body: a unit quaternion (nq = 4, turn) and its angular velocity in the body (nv = 3), without "
             "constraints");
  epi_refuse(f, !m->mass, "nambu needs the three principal moments of inertia: give them as mass");
  nambu_plan *p = f->own = calloc(1, sizeof *p);
  if (epi_refuse_memory(f, !p) || f->broken) return;
  axes_of(f, p);
  for (int i = 0; i < 3; i++) {
    double b = m->mass[(i + 1) % 3], c = m->mass[(i + 2) % 3];
    p->I[i] = m->mass[i];
    p->a[i] = (b - c)/(b*c);
  }
  if (epi_blocks(f, 0, 0)) return;
  f->parts = EPI_BY_VELOCITY_FORCE;
  if (f->arg[SPLIT].number == BY_MT) f->claims &= ~(unsigned)EPI_SYMPLECTIC;
  f->go = nambu;
}

static const char *const splits[] = {"T", "MT", NULL};
static const epi_param params[] = {
  [SPLIT] = {.name = "split",
             .doc = "T: the kinetic energy, by rotations about the axes, keeps the angular momentum to rounding; MT: both, without sines, "
                    "keeps volume", .words = splits, .kind = EPI_WORD},
  [AXES] = {.name = "axes", .doc = "the order of the axes, outermost first; [1, 2, 3] unless given. MT: an axis stands for the pair of it "
            "and the next, which moves the third: [1, 2, 3] moves x3, x1, x2", .kind = EPI_LIST},
  {0}
};
const epi_record epi_NAMBU = {
  .name = "nambu", .doc = "the free rigid body by splitting, with its attitude; torques are kicks around it",
  .cite = "Modin, J. Gen. Lie Theory Appl. 3 (2009) 39 (Modin 2009, Paper IV); McLachlan 1993; Touma & Wisdom 1994; Reich 1994",
  .example = "strang(kick, nambu)", .arrow = EPI_METHOD, .least = 1, .most = 1, .order = 2, .params = params,
  .claims = EPI_SYMPLECTIC | EPI_SYMMETRIC | EPI_REVERSIBLE | EPI_EXPLICIT | EPI_BACKWARD | EPI_CLOCK, .build = nambu_build,
};
