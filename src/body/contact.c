/* contact.c - with what force bodies touch, whatever the shape: Hertz with damping, friction at a point or over the slices of the
 * ellipse. Every routine gives its stiffness and damping as by-products */
#include "parts.h"
#include <stdio.h>

/* load, its slopes by depth and speed, and the energy stored; speed is that of closing */
static inline __attribute__((always_inline)) int normal_law(const epi_law *l, double depth, double speed, epi_action *out)
{
  if (l->own) return l->own(l->data, depth, speed, &out->load, &out->stiffness, &out->damping);
  double base = l->power == 1.5 ? l->K*depth*sqrt(depth) : l->K*pow(depth, l->power), x = 1 + l->chi*speed;
  out->load = base*x;
  out->stiffness = l->power*base/depth*x;
  out->damping = l->chi*base;
  out->energy = base*depth/(l->power + 1);
  /* it never pulls */
  if (out->load < 0) out->load = out->stiffness = out->damping = 0;
  out->loss = (out->load - base)*speed;
  return 0;
}

/* friction at a point: -mu Q V/sqrt(V^2 + vs^2) */
static void point_friction(const epi_law *l, const double *V, const epi_touch *c, epi_action *out, double *f)
{
  double t[3], vn = epi_dot(V, c->normal), slip = 0;
  for (int i = 0; i < 3; i++) { t[i] = V[i] - vn*c->normal[i]; slip += t[i]*t[i]; }
  double k = l->mu*out->load/sqrt(slip + l->vs*l->vs);
  for (int i = 0; i < 3; i++) f[i] -= k*t[i];
  out->traction = k;
  out->loss += k*slip;
}

/* friction over slices across the rolling direction: the surface is curved and the bodies spin on each other */
static void sliced_friction(const epi_law *l, const double *V, const double *dw, const epi_touch *c, epi_action *out, double *f,
                            double *extra)
{
  double Vc = epi_dot(V, c->along), Va = epi_dot(V, c->across);
  double wn = epi_dot(dw, c->normal), wa = epi_dot(dw, c->across), wc = epi_dot(dw, c->along);
  double half = l->ellipse*sqrt(c->depth), sc = 0, sa = 0, mn = 0, mta = 0, mtc = 0, vs2 = l->vs*l->vs, n = l->slices;
  /* weights 1 - xi^2 at the middles of the slices sum to (2 n^2 + 1)/(3 n) */
  double share = -l->mu*out->load*3*n/(2*n*n + 1), bend = 0.5*l->curvature, step = 1/n, slope = 0, loss = 0;
  for (int j = 0; j < l->slices; j++) {
    double xi = (2*j + 1 - n)*step, X = half*xi, S = bend*X*X;
    double vc = Vc - X*wn - S*wa, va = Va + S*wc, v2 = vc*vc + va*va;
    double g = share*(1 - xi*xi)/sqrt(v2 + vs2), gc = g*vc, ga = g*va;
    sc += gc;
    sa += ga;
    mn -= X*gc;
    mta -= S*gc;
    mtc += S*ga;
    slope -= g;
    loss -= g*v2;
  }
  out->traction += slope;
  out->loss += loss;
  for (int i = 0; i < 3; i++) {
    f[i] += sc*c->along[i] + sa*c->across[i];
    extra[i] = mn*c->normal[i] + mta*c->across[i] + mtc*c->along[i];
  }
}

static inline __attribute__((always_inline)) int
push(const epi_contact *k, const epi_touch *c, const epi_pose *a, const epi_pose *b, epi_action *out)
{
  double V[3], x[3], f[3], extra[3] = {0}, dw[3];
  int bad;
  out->depth = c->depth;
  memcpy(out->normal, c->normal, sizeof c->normal);
  for (int i = 0; i < 3; i++) out->point[i] = a->r[i] + c->lever[0][i];
  if (!(c->depth > 0)) return c->depth == c->depth ? 0 : EPI_TOO_FAR;
  /* half through a ball is no contact any more: the step was too long */
  if (k->radius > 0 && c->depth > 0.5*k->radius) return EPI_TOO_FAR;
  epi_vector_cross(a->w, c->lever[0], x);
  for (int i = 0; i < 3; i++) V[i] = a->v[i] + x[i] - b->v[i];
  epi_vector_cross(b->w, c->lever[1], x);
  for (int i = 0; i < 3; i++) { V[i] -= x[i]; dw[i] = a->w[i] - b->w[i]; }
  if ((bad = normal_law(&k->law, c->depth, epi_dot(V, c->normal), out))) return bad;
  for (int i = 0; i < 3; i++) f[i] = -out->load*c->normal[i];
  if (k->law.mu > 0 && k->law.slices > 0 && k->kind->traits & EPI_SLICED) sliced_friction(&k->law, V, dw, c, out, f, extra);
  else if (k->law.mu > 0) point_friction(&k->law, V, c, out, f);
  memcpy(out->force, f, sizeof f);
  epi_vector_cross(c->lever[0], f, out->moment[0]);
  epi_vector_cross(c->lever[1], f, out->moment[1]);
  for (int i = 0; i < 3; i++) {
    out->moment[0][i] += extra[i];
    out->moment[1][i] = -out->moment[1][i] - extra[i];
  }
  return 0;
}

int epi_contact_push(const epi_contact *k, const epi_touch *c, const epi_pose *a, const epi_pose *b, epi_action *out)
{
  return push(k, c, a, b, out);
}

/* a sphere that sits elsewhere on its body: it touches as a body of its own there would, and its levers are those of the body */
static int foot_touch(const epi_contact *k, double t, const epi_pose *a, const epi_pose *b, epi_touch *c)
{
  epi_pose foot = *a;
  double arm[3], x[3];
  epi_out_of(a->R, k->at_a, arm);
  epi_vector_cross(a->w, arm, x);
  for (int i = 0; i < 3; i++) { foot.r[i] += arm[i]; foot.v[i] += x[i]; }
  int bad = k->kind->touch(k, t, &foot, b, c);
  for (int i = 0; i < 3; i++) c->lever[0][i] += arm[i];
  return bad;
}

static int is_foot(const epi_contact *k) { return k->at_a[0] != 0 || k->at_a[1] != 0 || k->at_a[2] != 0; }

int epi_contact_act(const void *data, double t, const epi_pose *a, const epi_pose *b, epi_action *out)
{
  const epi_contact *k = data;
  epi_touch c = {0};
  int bad = is_foot(k) ? foot_touch(k, t, a, b, &c) : k->kind->touch(k, t, a, b, &c);
  if (!bad) return push(k, &c, a, b, out);
  out->depth = c.depth;
  memcpy(out->normal, c.normal, sizeof c.normal);
  for (int i = 0; i < 3; i++) out->point[i] = a->r[i] + c.lever[0][i];
  return bad;
}

int epi_own_contact_act(const void *data, double t, const epi_pose *a, const epi_pose *b, epi_action *out)
{
  int bad = epi_contact_act(data, t, a, b, out);
  return !bad && out->depth > 0 && !(fabs(epi_dot(out->normal, out->normal) - 1) <= 1e-6) ? EPI_NO_NORMAL : bad;
}

static int has_radius(const epi_contact_kind *k)
{
  const epi_param *p = k->params;
  while (p && p->name && strcmp(p->name, "radius")) p++;
  return k->traits & EPI_A_BALL || (p && p->name);
}

/* of the law, which all kinds have, and of the sphere */
static int wrong_law(epi_world *w, const char *name, const epi_contact *c)
{
  if (!(c->law.K > 0) && !c->law.own)
    return epi_world_wrong(w, "%s has the stiffness K = %g: give a positive one in N/m^1.5", name, c->law.K);
  const epi_contact_kind *k = epi_contact_kind_of(c);
  if (k->power > 0 && (c->law.own || (c->law.power > 0 && fabs(c->law.power/k->power - 1) > 1e-12)))
    return epi_world_wrong(w, "%s is a %s, whose law has the power %.6g and no other: leave .power and .own of the law away", name, k->name,
                           k->power);
  if (k->act && k->traits & EPI_SLICED && c->law.slices < 1)
    return epi_world_wrong(w, "%s has %d slices, and a %s is made of them: give .law.slices, 20 to 40 are good", name, c->law.slices,
                           k->name);
  if (!(c->radius > 0) && has_radius(k))
    return epi_world_wrong(w, "%s has the radius %g: give a positive one in m", name, c->radius);
  if (!(c->law.mu >= 0) || !(c->law.chi >= 0) || (c->law.mu > 0 && !(c->law.vs > 0)))
    return epi_world_wrong(w, "%s: mu and chi cannot be negative, and friction needs vs > 0, the slip where it is half grown", name);
  return 0;
}

static int of_the_user(const epi_contact_kind *kind)
{
  for (const epi_contact_kind *const *k = epi_contact_kinds(); *k; k++) if (*k == kind) return 0;
  return 1;
}

int epi_add_contact(epi_world *w, const epi_contact *c)
{
  const epi_contact_kind *kind = epi_contact_kind_of(c);
  const char *name = c->name ? c->name : kind && c->kind ? kind->name : "contact";
  epi_contact own = *c;
  char words[160];
  if (epi_world_closed(w)) return -1;
  if (!kind)
    return epi_world_wrong(w, "%s has the shape %d, which there is not: take EPI_SPHERE_PLANE ... EPI_RING_ON_SHAFT", name, c->shape);
  if (!kind->name || (!kind->touch && !kind->act)) return epi_world_wrong(w, "%s has a kind without a name or touch: give both", name);
  if (kind->check && kind->check(c, words, sizeof words)) return epi_world_wrong(w, "%s %s", name, words);
  if (is_foot(c) && (kind->act || !(kind->traits & EPI_A_BALL)))
    return epi_world_wrong(w, "%s is a %s, whose body a is no ball that could sit elsewhere on it: leave .at_a zero", name, kind->name);
  if (wrong_law(w, name, c)) return -1;
  own.kind = kind;
  if (!(own.law.power > 0)) own.law.power = kind->power > 0 ? kind->power : 1.5;
  double size = sqrt(epi_dot(c->normal, c->normal));
  for (int i = 0; i < 3 && size > 0; i++) own.normal[i] /= size;
  /* without damping and friction it has a potential */
  unsigned kept = own.law.chi == 0 && own.law.mu == 0 && !own.law.own && own.law.waves == 0 ? EPI_CONSERVATIVE : 0;
  epi_pair p = {.a = c->a, .b = c->b, .kind = kept, .act = kind->act};
  if (!p.act) p.act = of_the_user(kind) ? epi_own_contact_act : epi_contact_act;
  int made = epi_world_pair(w, p, name, &own, sizeof own, c->own, epi_contact_own(kind));
  if (made < 0) return -1;
  epi_pair *last = &w->pair[w->pairs - 1];
  epi_contact *mine = last->data;
  mine->own = c->own ? (double *)(mine + 1) : NULL;
  last->contact = mine;
  last->stiff = c->stiff;
  return made;
}
