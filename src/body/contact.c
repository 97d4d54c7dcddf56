/* contact.c - where bodies touch, and with what force: spheres on planes, spheres, grooves and in pockets, a circle in a land; Hertz with
 * damping, traction over the slices of the ellipse. Every routine gives its stiffness and damping as by-products */
#include "world.h"

/* the shape of a touch: depth, normal from a into b, levers from the centres, and the two tangents */
typedef struct { double depth, n[3], pa[3], pb[3], tc[3], ta[3]; int sliced; } touch;

/* a point of contact on the sphere, half of the depth inside it, seen from both centres */
static void levers(const epi_pose *a, const epi_pose *b, double radius, touch *c)
{
  for (int i = 0; i < 3; i++) {
    c->pa[i] = (radius - 0.5*c->depth)*c->n[i];
    c->pb[i] = a->r[i] - b->r[i] + c->pa[i];
  }
}

static void on_plane(const epi_contact *k, const epi_pose *a, const epi_pose *b, touch *c)
{
  double up[3], foot[3], d[3];
  epi_out_of(b->R, k->normal, up);
  epi_out_of(b->R, k->at, foot);
  for (int i = 0; i < 3; i++) { d[i] = a->r[i] - b->r[i] - foot[i]; c->n[i] = -up[i]; }
  c->depth = k->radius - epi_dot(d, up);
  levers(a, b, k->radius, c);
}

static void on_sphere(const epi_contact *k, const epi_pose *a, const epi_pose *b, touch *c)
{
  double x[3], d[3];
  epi_out_of(b->R, k->at, x);
  for (int i = 0; i < 3; i++) d[i] = b->r[i] + x[i] - a->r[i];
  double far = sqrt(epi_dot(d, d));
  c->depth = k->radius + k->other - far;
  for (int i = 0; i < 3; i++) c->n[i] = far > 0 ? d[i]/far : i == 2;
  levers(a, b, k->radius, c);
}

/* the torus: u from the circle of groove centres to the ball, in the meridian plane */
static void in_groove(const epi_contact *k, const epi_pose *a, const epi_pose *b, touch *c)
{
  double d[3], x[3], n[3];
  for (int i = 0; i < 3; i++) d[i] = a->r[i] - b->r[i];
  epi_into(b->R, d, x);
  double rho = sqrt(x[0]*x[0] + x[1]*x[1]), u = rho - k->circle, s = sqrt(u*u + x[2]*x[2]), er[2] = {x[0]/rho, x[1]/rho};
  c->depth = s + k->radius - k->other;
  n[0] = u/s*er[0], n[1] = u/s*er[1], n[2] = x[2]/s;
  epi_out_of(b->R, n, c->n);
  epi_out_of(b->R, (const double[3]){-er[1], er[0], 0}, c->tc);
  epi_cross(c->n, c->tc, c->ta);
  for (int i = 0; i < k->law.waves; i++)
    c->depth += k->law.wave[3*i]*cos(k->law.wave[3*i+1]*atan2(x[1], x[0]) + k->law.wave[3*i+2]);
  levers(a, b, k->radius, c);
  c->sliced = k->law.slices > 0;
}

/* the cylinder with its axis along normal: only across the axis the wall stops the ball */
static void in_pocket(const epi_contact *k, const epi_pose *a, const epi_pose *b, touch *c)
{
  double d[3], x[3], n[3];
  for (int i = 0; i < 3; i++) d[i] = a->r[i] - b->r[i];
  epi_into(b->R, d, x);
  double along = 0, u = 0;
  for (int i = 0; i < 3; i++) { x[i] -= k->at[i]; along += x[i]*k->normal[i]; }
  for (int i = 0; i < 3; i++) { n[i] = x[i] - along*k->normal[i]; u += n[i]*n[i]; }
  u = sqrt(u);
  c->depth = u - k->clearance;
  for (int i = 0; i < 3; i++) n[i] = u > 0 ? n[i]/u : 0;
  epi_out_of(b->R, n, c->n);
  levers(a, b, k->radius, c);
}

/* a circle of a inside a hollow cylinder of b about its z: they touch where the centres are apart */
static void in_land(const epi_contact *k, const epi_pose *a, const epi_pose *b, touch *c)
{
  double arm[3], d[3], x[3];
  epi_out_of(a->R, k->at, arm);
  for (int i = 0; i < 3; i++) d[i] = a->r[i] + arm[i] - b->r[i];
  epi_into(b->R, d, x);
  double e = sqrt(x[0]*x[0] + x[1]*x[1]);
  c->depth = e - k->clearance;
  epi_out_of(b->R, (const double[3]){e > 0 ? x[0]/e : 0, e > 0 ? x[1]/e : 0, 0}, c->n);
  for (int i = 0; i < 3; i++) {
    c->pa[i] = arm[i] + k->radius*c->n[i];
    c->pb[i] = d[i] + k->radius*c->n[i];
  }
}

/* load, its slopes by depth and speed, and the energy stored; speed is that of closing */
static int normal_law(const epi_law *l, double depth, double speed, epi_action *out)
{
  if (l->own) return l->own(l->data, depth, speed, &out->load, &out->stiffness, &out->damping);
  double base = l->power == 1.5 ? l->K*depth*sqrt(depth) : l->K*pow(depth, l->power), x = 1 + l->chi*speed;
  out->load = base*x;
  out->stiffness = l->power*base/depth*x;
  out->damping = l->chi*base;
  out->energy = base*depth/(l->power + 1);
  if (out->load < 0) out->load = 0;
  out->loss = (out->load - base)*speed;
  return 0;
}

/* friction at a point: -mu Q V/sqrt(V^2 + vs^2) */
static void point_friction(const epi_law *l, const double *V, const touch *c, epi_action *out, double *f)
{
  double t[3], vn = epi_dot(V, c->n), slip = 0;
  for (int i = 0; i < 3; i++) { t[i] = V[i] - vn*c->n[i]; slip += t[i]*t[i]; }
  double k = l->mu*out->load/sqrt(slip + l->vs*l->vs);
  for (int i = 0; i < 3; i++) f[i] -= k*t[i];
  out->traction = k;
  out->loss += k*slip;
}

/* friction over slices across the rolling direction: the surface is curved and the bodies spin on each other */
static void sliced_friction(const epi_law *l, const double *V, const double *dw, const touch *c, epi_action *out, double *f, double *extra)
{
  double Vc = epi_dot(V, c->tc), Va = epi_dot(V, c->ta), wn = epi_dot(dw, c->n), wa = epi_dot(dw, c->ta), wc = epi_dot(dw, c->tc);
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
    f[i] += sc*c->tc[i] + sa*c->ta[i];
    extra[i] = mn*c->n[i] + mta*c->ta[i] + mtc*c->tc[i];
  }
}

int epi_contact_act(const void *data, double t, const epi_pose *a, const epi_pose *b, epi_action *out)
{
  static void (*const shapes[])(const epi_contact *, const epi_pose *, const epi_pose *, touch *) = {
    [EPI_SPHERE_PLANE] = on_plane, [EPI_SPHERE_SPHERE] = on_sphere, [EPI_SPHERE_GROOVE] = in_groove, [EPI_SPHERE_POCKET] = in_pocket, [EPI_CIRCLE_IN_BORE] = in_land,
  };
  const epi_contact *k = data;
  touch c = {0};
  double V[3], x[3], f[3], extra[3] = {0}, dw[3];
  (void)t;
  shapes[k->shape](k, a, b, &c);
  out->depth = c.depth;
  memcpy(out->normal, c.n, sizeof c.n);
  for (int i = 0; i < 3; i++) out->point[i] = a->r[i] + c.pa[i];
  if (!(c.depth > 0)) return c.depth == c.depth ? 0 : EPI_TOO_FAR;
  /* half through a ball is no contact any more: the step was too long */
  if (c.depth > 0.5*k->radius) return EPI_TOO_FAR;
  epi_cross(a->w, c.pa, x);
  for (int i = 0; i < 3; i++) V[i] = a->v[i] + x[i] - b->v[i];
  epi_cross(b->w, c.pb, x);
  for (int i = 0; i < 3; i++) { V[i] -= x[i]; dw[i] = a->w[i] - b->w[i]; }
  int bad = normal_law(&k->law, c.depth, epi_dot(V, c.n), out);
  if (bad) return bad;
  for (int i = 0; i < 3; i++) f[i] = -out->load*c.n[i];
  if (k->law.mu > 0 && c.sliced) sliced_friction(&k->law, V, dw, &c, out, f, extra);
  else if (k->law.mu > 0) point_friction(&k->law, V, &c, out, f);
  memcpy(out->force, f, sizeof f);
  epi_cross(c.pa, f, out->moment[0]);
  epi_cross(c.pb, f, out->moment[1]);
  for (int i = 0; i < 3; i++) {
    out->moment[0][i] += extra[i];
    out->moment[1][i] = -out->moment[1][i] - extra[i];
  }
  return 0;
}
