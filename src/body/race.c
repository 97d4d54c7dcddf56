/* race.c - balls in grooves by vectors: two contacts in the lanes, the slices of their ellipses one after the other. Square roots are
 * taken as x rsqrt(x), by an estimate from the exponent and steps of Newton: products and differences alone, so that every machine has the
 * same bits */
#include "lanes.h"
#include "race.h"
#include <stddef.h>

/* what a contact is made of, lane by lane; missing lanes repeat the first with no stiffness */
typedef struct {
  int pair[LANES], a[LANES], b[LANES];
  lanes radius, other, circle, K, chi, mu, vs2, ellipse, curvature;
  const epi_law *law[LANES];
} batch;

struct epi_races { int n, slices; double *xi, *weight; batch set[]; };

static inline triple gather(const epi_pose *const *p, size_t at)
{
  const double *a = (const double *)((const char *)p[0] + at), *b = (const double *)((const char *)p[1] + at);
  return (triple){{a[0], b[0]}, {a[1], b[1]}, {a[2], b[2]}};
}

/* columns of the rotation of b: its axes in space */
static inline void axes(const epi_pose *const *p, triple e[3])
{
  const double *a = p[0]->R, *b = p[1]->R;
  for (int k = 0; k < 3; k++) e[k] = (triple){{a[k], b[k]}, {a[3+k], b[3+k]}, {a[6+k], b[6+k]}};
}

/* geometry of the torus, as in contact.c */
typedef struct { lanes depth; triple n, tc, ta, pa, pb; } touch;

static inline touch touch_of(const batch *s, const epi_pose *const *a, const epi_pose *const *b)
{
  touch c;
  triple d = minus(gather(a, offsetof(epi_pose, r)), gather(b, offsetof(epi_pose, r))), e[3];
  axes(b, e);
  lanes x = dot(e[0], d), y = dot(e[1], d), z = dot(e[2], d);
  lanes rho2 = x*x + y*y, ir = rsqrt(rho2), cx = x*ir, cy = y*ir, u = rho2*ir - s->circle, s2 = u*u + z*z, is = rsqrt(s2);
  triple er = plus(times(cx, e[0]), times(cy, e[1]));
  c.depth = s2*is + s->radius - s->other;
  c.n = plus(times(u*is, er), times(z*is, e[2]));
  c.tc = minus(times(cx, e[1]), times(cy, e[0]));
  c.ta = cross(c.n, c.tc);
  for (int l = 0; l < LANES; l++) {
    const epi_law *w = s->law[l];
    if (!w->waves) continue;
    double th = atan2(y[l], x[l]);
    for (int i = 0; i < w->waves; i++) c.depth[l] += w->wave[3*i]*cos(w->wave[3*i+1]*th + w->wave[3*i+2]);
  }
  c.pa = times(s->radius - all(0.5)*c.depth, c.n);
  c.pb = plus(d, c.pa);
  return c;
}

/* sums over the slices: tractions along and across, moments about n, ta, tc; and, where it is wanted, the slope of the traction */
typedef struct { lanes c, a, n, ta, tc, slope; } sums;

static inline __attribute__((always_inline)) sums
slices(const epi_races *r, const batch *s, const touch *c, triple V, triple dw, lanes half, lanes Q, const int linked)
{
  const lanes Vc = dot(V, c->tc), Va = dot(V, c->ta), wn = dot(dw, c->n), wa = dot(dw, c->ta), wc = dot(dw, c->tc), muQ = s->mu*Q;
  const lanes bend = all(0.5)*s->curvature;
  sums t = {0};
  for (int j = 0; j < r->slices; j++) {
    lanes X = all(r->xi[j])*half, S = bend*X*X, vc = Vc - X*wn - S*wa, va = Va + S*wc;
    lanes g = -muQ*all(r->weight[j])*rsqrt(vc*vc + va*va + s->vs2), gc = g*vc, ga = g*va;
    t.c += gc;
    t.a += ga;
    t.n -= X*gc;
    t.ta -= S*gc;
    t.tc += S*ga;
    if (linked) t.slope -= g;
  }
  return t;
}

/* turned into the body */
static inline triple into(const triple e[3], triple x) { return (triple){dot(e[0], x), dot(e[1], x), dot(e[2], x)}; }

static inline void put_row(double *G, int l, triple x) { G[0] = x.x[l], G[1] = x.y[l], G[2] = x.z[l]; }

/* the by-products, as in link.c. Of the ball: its lever is along n, and turns about that move nothing */
static void link_up(const epi_moving *m, const batch *s, const epi_pose *const *a, const epi_pose *const *b, const touch *c, const sums *t,
                    lanes Q, lanes kn, lanes cn)
{
  triple ea[3], eb[3];
  axes(a, ea);
  axes(b, eb);
  const triple u[3] = {c->n, c->tc, c->ta}, none = {0};
  const lanes arm = dot(c->pa, c->n), muQ = s->mu*Q;
  const triple turn[3] = {none, into(ea, times(arm, c->ta)), into(ea, times(-arm, c->tc))};
  triple ring[3];
  for (int k = 0; k < 3; k++) ring[k] = into(eb, cross(u[k], c->pb));
  for (int l = 0; l < LANES && s->pair[l] >= 0; l++) {
    epi_link *x = &m->link[s->pair[l]];
    if (!(Q[l] > 0)) continue;
    double fc = t->c[l]/muQ[l], fa = t->a[l]/muQ[l];
    x->load = Q[l];
    x->stiffness = kn[l];
    x->damping = cn[l];
    x->slope[0] = t->slope[l]*(1 - fc*fc);
    x->slope[1] = -t->slope[l]*fc*fa;
    x->slope[2] = t->slope[l]*(1 - fa*fa);
    for (int k = 0; k < 3; k++) {
      put_row(x->G[k], l, u[k]);
      put_row(x->G[k] + 3, l, turn[k]);
      put_row(x->G[k] + 6, l, times(all(-1), u[k]));
      put_row(x->G[k] + 9, l, ring[k]);
    }
  }
}

static void scatter(const epi_moving *m, const batch *s, const epi_pose *const *a, const epi_pose *const *b, triple f, triple ma, triple mb)
{
  for (int l = 0; l < LANES && s->pair[l] >= 0; l++) {
    if (!m->wrench) {
      const double force[3] = {f.x[l], f.y[l], f.z[l]}, on_a[3] = {ma.x[l], ma.y[l], ma.z[l]}, on_b[3] = {mb.x[l], mb.y[l], mb.z[l]};
      epi_push(m, s->a[l], a[l], 1, force, on_a);
      epi_push(m, s->b[l], b[l], -1, force, on_b);
      continue;
    }
    epi_wrench *x = &m->wrench[s->a[l]];
    x->f[0] += f.x[l], x->f[1] += f.y[l], x->f[2] += f.z[l];
    x->m[0] += ma.x[l], x->m[1] += ma.y[l], x->m[2] += ma.z[l];
    if (s->b[l] < 0) continue;
    x = &m->wrench[s->b[l]];
    x->f[0] -= f.x[l], x->f[1] -= f.y[l], x->f[2] -= f.z[l];
    x->m[0] += mb.x[l], x->m[1] += mb.y[l], x->m[2] += mb.z[l];
  }
}

int epi_races_act(const epi_races *r, const epi_moving *m)
{
  for (int i = 0; i < r->n; i++) {
    const batch *s = &r->set[i];
    const epi_pose *a[LANES], *b[LANES];
    epi_pose room[2*LANES];
    for (int l = 0; l < LANES; l++) { a[l] = epi_pose_at(m, s->a[l], &room[2*l]); b[l] = epi_pose_at(m, s->b[l], &room[2*l + 1]); }
    touch c = touch_of(s, a, b);
    whole in = c.depth > 0;
    for (int l = 0; l < LANES && s->pair[l] >= 0; l++)
      if (!(c.depth[l] <= 0.5*s->radius[l])) return 1 + s->pair[l];
    triple wa = gather(a, offsetof(epi_pose, w)), wb = gather(b, offsetof(epi_pose, w));
    triple V = minus(plus(gather(a, offsetof(epi_pose, v)), cross(wa, c.pa)), plus(gather(b, offsetof(epi_pose, v)), cross(wb, c.pb)));
    lanes depth = larger(c.depth, all(1e-300)), root = depth*rsqrt(depth);
    lanes Q = where(in, larger(s->K*depth*root*(all(1) + s->chi*dot(V, c.n)), all(0)));
    const lanes half = s->ellipse*root;
    const triple dw = minus(wa, wb);
    sums t = m->link ? slices(r, s, &c, V, dw, half, Q, 1) : slices(r, s, &c, V, dw, half, Q, 0);
    if (m->link) link_up(m, s, a, b, &c, &t, Q, all(1.5)*Q/depth, s->chi*s->K*depth*root);
    triple f = plus(times(-Q, c.n), plus(times(t.c, c.tc), times(t.a, c.ta)));
    triple extra = plus(times(t.n, c.n), plus(times(t.ta, c.ta), times(t.tc, c.tc)));
    triple ma = plus(cross(c.pa, f), extra), mb = plus(cross(c.pb, f), extra);
    scatter(m, s, a, b, f, ma, times(all(-1), mb));
  }
  return 0;
}

/* ---- which go together: sliced grooves of Hertz with friction, with one number of slices ---- */
static int fits(const epi_pair *p, int slices)
{
  const epi_contact *c = p->contact;
  if (!c || p->flex || p->kind & (EPI_STIFF | EPI_CONSERVATIVE)) return 0;
  if (c->at_a[0] != 0 || c->at_a[1] != 0 || c->at_a[2] != 0) return 0;
  return c->kind == epi_contact_kinds()[EPI_SPHERE_GROOVE] && c->law.slices > 0 && (!slices || c->law.slices == slices) && c->law.mu > 0 &&
         !c->law.own && c->law.power == 1.5;
}

static void fill(batch *s, int l, const epi_pair *p, int index)
{
  const epi_contact *c = p->data;
  s->pair[l] = index;
  s->a[l] = p->a;
  s->b[l] = p->b;
  s->law[l] = &c->law;
  s->radius[l] = c->radius;
  s->other[l] = c->other;
  s->circle[l] = c->circle;
  s->K[l] = c->law.K;
  s->chi[l] = c->law.chi;
  s->mu[l] = c->law.mu;
  s->vs2[l] = c->law.vs*c->law.vs;
  s->ellipse[l] = c->law.ellipse;
  s->curvature[l] = c->law.curvature;
}

int epi_races_make(const epi_pair *pair, int pairs, char *taken, epi_races **out)
{
  int slices_each = 0, count = 0;
  for (int i = 0; i < pairs; i++) {
    taken[i] = (char)fits(&pair[i], slices_each);
    if (taken[i] && !slices_each) slices_each = ((const epi_contact *)pair[i].data)->law.slices;
    count += taken[i];
  }
  int n = (count + LANES - 1)/LANES;
  *out = NULL;
  if (count < 2) { memset(taken, 0, (size_t)pairs); return 0; }
  epi_races *r = aligned_alloc(64, (sizeof *r + (size_t)n*sizeof *r->set + 63)/64*64);
  double *xi = r ? calloc(2*(size_t)slices_each, sizeof *xi) : NULL;
  if (!xi) { free(r); return -1; }
  *r = (epi_races){.n = n, .slices = slices_each, .xi = xi, .weight = xi + slices_each};
  double total = 0;
  for (int j = 0; j < slices_each; j++) { xi[j] = -1 + (2*j + 1.0)/slices_each; total += 1 - xi[j]*xi[j]; }
  for (int j = 0; j < slices_each; j++) r->weight[j] = (1 - xi[j]*xi[j])/total;
  int k = 0, first = -1;
  for (int i = 0; i < pairs; i++) {
    if (!taken[i]) continue;
    if (first < 0) first = i;
    fill(&r->set[k/LANES], k % LANES, &pair[i], i);
    k++;
  }
  for (; k < n*LANES; k++) {
    fill(&r->set[k/LANES], k % LANES, &pair[first], first);
    r->set[k/LANES].pair[k % LANES] = -1;
  }
  *out = r;
  return 0;
}

void epi_races_free(epi_races *r)
{
  if (r) free(r->xi);
  free(r);
}
