/* roller.c - rollers by vectors: two slices in the lanes, those of a roller one pair after the other. The same contacts as
 * shape/roller-groove.c has slice by slice, without libm, so that every machine has the same bits */
#include "roller.h"
#include "lanes.h"

/* a roller in a race: where its slices are, and how thick it is there. A missing slice repeats the last with no stiffness */
typedef struct {
  int pair, a, b, second;              /* second: its other link */
  const epi_contact *c;
  int n;                               /* vectors */
  lanes *x, *rho, *K;
} roller;

struct epi_rollers { int n; lanes *room; roller set[]; };

/* x^(1/9), as epi_ninth_root: to the same bits */
static inline lanes ninth_root(lanes x)
{
  whole bits;
  lanes y;
  memcpy(&bits, &x, sizeof bits);
  bits = EPI_NINTH(bits);
  memcpy(&y, &bits, sizeof y);
  for (int k = 0; k < 3; k++) {
    lanes y2 = y*y, y4 = y2*y2, r = all(1) - x*(y4*y4*y);
    y *= all(1) + r*(all(1./9) + r*all(5./81));
  }
  lanes y2 = y*y, y4 = y2*y2;
  return x*(y4*y4);
}

static inline double sum(lanes x) { return x[0] + x[1]; }

/* where the roller stands to its ring and moves, in all lanes; across: the part of `from` across the axis, as a unit vector; t: along the
   orbit */
typedef struct { triple from, axis, up, across, V0, dw, t; } scene;

/* slices of one roller that touch, side by side: place, rim, normal, depth, what one unit of depth^(10/9) bears */
typedef struct { lanes x, depth, K; triple rim, n; } cut;
enum { MOST = 128 };                   /* vectors */

/* sums over the slices: force and moment on the roller with the signs turned, and where they are wanted the load; stiffness, its first two
   moments, damping; slopes of the traction along the orbit, with moments, between the two directions, and along the axis */
typedef struct { triple F, M; lanes Q, k0, k1, k2, c0, t0, t1, t2, ta, aa; } sums;

/* loops are short, so that a processor has several of their turns at once: square roots are long chains */

/* u: from the nearest groove centre to the middle of each disc; its rim reaches furthest along the part of u across the axis. Of a hollow
   sphere that is one direction for all */
static void rims(const roller *s, const scene *o, triple *u, triple *rim)
{
  for (int i = 0; i < s->n; i++) {
    u[i] = plus(o->from, times(s->x[i], o->axis));
    rim[i] = times(s->rho[i], o->across);
  }
  if (!(s->c->circle > 0)) return;
  for (int i = 0; i < s->n; i++) {
    triple w = minus(u[i], times(dot(u[i], o->up), o->up));
    u[i] = minus(u[i], times(all(s->c->circle)*rsqrt(dot(w, w)), w));
  }
  for (int i = 0; i < s->n; i++) {
    triple e = minus(u[i], times(dot(u[i], o->axis), o->axis));
    rim[i] = times(s->rho[i]*rsqrt(dot(e, e)), e);
  }
}

/* those that touch; how many vectors, or -1: too deep */
static int touching(const roller *s, const scene *o, cut *out)
{
  triple u[MOST], rim[MOST];
  int n = 0;
  whole fine = {-1, -1};
  rims(s, o, u, rim);
  for (int i = 0; i < s->n; i++) {
    const triple U = plus(u[i], rim[i]);
    const lanes s2 = dot(U, U), is = rsqrt(s2), depth = s2*is - all(s->c->other);
    const whole in = depth > all(0);
    fine &= depth <= all(0.5*s->c->radius);
    out[n] = (cut){.x = s->x[i], .depth = larger(depth, all(1e-30)), .K = where(in, s->K[i]), .rim = rim[i], .n = times(is, U)};
    n += (in[0] | in[1]) != 0;
  }
  return fine[0] & fine[1] ? n : -1;
}

static inline __attribute__((always_inline)) void
press(const roller *s, const scene *o, const cut *at, int n, sums *t, const int linked)
{
  const epi_law *l = &s->c->law;
  const lanes chi = all(l->chi), mu = all(l->mu), vs2 = all(l->vs*l->vs);
  for (int i = 0; i < n; i++) {
    const lanes x = at[i].x, d = at[i].depth, soft = at[i].K;
    const triple p = plus(times(x, o->axis), minus(at[i].rim, times(all(0.5)*d, at[i].n))), V = plus(o->V0, cross(o->dw, p));
    const lanes vn = dot(V, at[i].n), factor = larger(all(1) + chi*vn, all(0)), q = soft*d*factor;
    const triple slip = minus(V, times(vn, at[i].n));
    const lanes r = rsqrt(dot(slip, slip) + vs2), g = mu*q*r;
    const triple f = plus(times(q, at[i].n), times(g, slip));
    t->F = plus(t->F, f);
    t->M = plus(t->M, cross(p, f));
    if (!linked) continue;
    const lanes kn = all(10./9)*soft*factor, vt = dot(slip, o->t)*r, va = dot(slip, o->axis)*r, tt = g*(all(1) - vt*vt);
    t->Q += q;
    t->k0 += kn, t->k1 += x*kn, t->k2 += x*x*kn;
    t->c0 += where(factor > all(0), chi*soft*d);
    t->t0 += tt, t->t1 += x*tt, t->t2 += x*x*tt;
    t->ta -= g*vt*va;
    t->aa += g*(all(1) - va*va);
  }
}

/* two places that have the sum and the first two moments of all slices, half of the sum each */
static void two_places(double s0, double s1, double s2, double x[2])
{
  double mid = s0 > 0 ? s1/s0 : 0, wide = s0 > 0 ? sqrt(fmax(0, s2/s0 - mid*mid)) : 0;
  x[0] = mid - wide;
  x[1] = mid + wide;
}

/* the by-products: a roller resists being pressed in and being tilted, so it is linked at two places, with half of all that the slices have
   each; so are its tractions, along the orbit and along its axis */
static void link_up(epi_link *link, const roller *s, const epi_pose *a, const epi_pose *b, const epi_roller_place *at,
                    const double *along, const sums *t)
{
  double k0 = sum(t->k0), t0 = sum(t->t0), d[3], xk[2], xt[2];
  for (int j = 0; j < 2; j++) memset(&link[j], 0, offsetof(epi_link, G));
  if (!(sum(t->Q) > 0)) return;
  two_places(k0, sum(t->k1), sum(t->k2), xk);
  two_places(t0, sum(t->t1), sum(t->t2), xt);
  for (int i = 0; i < 3; i++) d[i] = a->r[i] - b->r[i];
  for (int j = 0; j < 2; j++) {
    epi_link *l = &link[j];
    epi_slice x = epi_slice_at(s->c, at, xk[j]);
    double lb[3], across[3];
    l->load = 0.5*sum(t->Q);
    l->stiffness = 0.5*k0;
    l->damping = 0.5*sum(t->c0);
    for (int i = 0; i < 3; i++) lb[i] = d[i] + x.lever[i];
    epi_link_row(x.normal, x.lever, lb, a, b, l->G[0]);
    if (!(t0 > 0)) continue;
    x = epi_slice_at(s->c, at, xt[j]);
    for (int i = 0; i < 3; i++) lb[i] = d[i] + x.lever[i];
    epi_vector_cross(x.normal, along, across);
    epi_link_row(along, x.lever, lb, a, b, l->G[1]);
    epi_link_row(across, x.lever, lb, a, b, l->G[2]);
    l->slope[0] = 0.5*t0;
    l->slope[1] = 0.5*sum(t->ta);
    l->slope[2] = 0.5*sum(t->aa);
  }
}

static inline triple spread(const double *x) { return (triple){all(x[0]), all(x[1]), all(x[2])}; }

static void unit(double *x)
{
  double size = sqrt(epi_dot(x, x));
  for (int i = 0; i < 3; i++) x[i] = size > 0 ? x[i]/size : 0;
}

/* t is asked for where by-products are */
static scene scene_of(const roller *s, const epi_pose *a, const epi_pose *b, const epi_roller_place *p, int linked, double *t)
{
  double d[3], V[3], w[3], x[3], e[3], along = epi_dot(p->from, p->axis);
  if (linked) {
    epi_slice mid = epi_slice_at(s->c, p, 0);
    epi_vector_cross(p->axis, mid.normal, t);
    unit(t);
  }
  for (int i = 0; i < 3; i++) { e[i] = p->from[i] - along*p->axis[i]; d[i] = a->r[i] - b->r[i]; w[i] = a->w[i] - b->w[i]; }
  unit(e);
  epi_vector_cross(b->w, d, x);
  for (int i = 0; i < 3; i++) V[i] = a->v[i] - b->v[i] - x[i];
  return (scene){.from = spread(p->from), .axis = spread(p->axis), .up = spread(p->up), .across = spread(e), .V0 = spread(V),
                 .dw = spread(w), .t = spread(t)};
}

static void effect_of(const roller *s, const epi_pose *a, const epi_pose *b, int linked, epi_roller_effect *out)
{
  epi_roller_place p = epi_roller_placed(s->c, a, b);
  double t[3] = {0};
  const scene o = scene_of(s, a, b, &p, linked, t);
  cut at[MOST + 1];
  int n = out->touches = touching(s, &o, at);
  if (n <= 0) return;
  for (int i = 0; i < n; i++) at[i].K *= ninth_root(at[i].depth);
  sums of = {.Q = {0}};
  if (linked) press(s, &o, at, n, &of, 1);
  else press(s, &o, at, n, &of, 0);
  out->F[0] = -sum(of.F.x), out->F[1] = -sum(of.F.y), out->F[2] = -sum(of.F.z);
  out->M[0] = -sum(of.M.x), out->M[1] = -sum(of.M.y), out->M[2] = -sum(of.M.z);
  if (linked) link_up(out->link, s, a, b, &p, t, &of);
}

int epi_rollers_size(const epi_rollers *r) { return r->n; }
void epi_roller_bodies(const epi_rollers *r, int k, int *own, int *ring) { *own = r->set[k].a, *ring = r->set[k].b; }
void epi_roller_effect_of(const epi_rollers *r, int k, const epi_pose *own, const epi_pose *ring, int linked, epi_roller_effect *out)
{
  effect_of(&r->set[k], own, ring, linked, out);
}

/* 1 + the pair that was passed through, or 0 */
static int apply(const roller *s, const epi_moving *m, const epi_pose *a, const epi_pose *b, const epi_roller_effect *x)
{
  if (x->touches < 0) return 1 + s->pair;
  if (x->touches == 0) return 0;
  double d[3], turn[3], M[3];
  for (int i = 0; i < 3; i++) d[i] = a->r[i] - b->r[i];
  epi_vector_cross(d, x->F, turn);
  for (int i = 0; i < 3; i++) M[i] = -x->M[i] - turn[i];
  epi_push(m, s->a, a, 1, x->F, x->M);
  epi_push(m, s->b, b, -1, x->F, M);
  if (m->link) {
    m->link[s->pair] = x->link[0];
    m->link[s->second] = x->link[1];
  }
  return 0;
}

int epi_roller_apply(const epi_rollers *r, int k, const epi_moving *m, const epi_roller_effect *x)
{
  const roller *s = &r->set[k];
  epi_pose room[2];
  return apply(s, m, epi_pose_at(m, s->a, &room[0]), epi_pose_at(m, s->b, &room[1]), x);
}

int epi_rollers_act(const epi_rollers *r, const epi_moving *m)
{
  for (int k = 0; k < r->n; k++) {
    const roller *s = &r->set[k];
    epi_pose room[2];
    const epi_pose *a = epi_pose_at(m, s->a, &room[0]), *b = epi_pose_at(m, s->b, &room[1]);
    epi_roller_effect x;
    effect_of(s, a, b, m->link != NULL, &x);
    int no = apply(s, m, a, b, &x);
    if (no) return no;
  }
  return 0;
}

/* ---- which go together: all that are neither stiff nor without damping and friction ---- */
static int fits(const epi_pair *p)
{
  return p->contact && !(p->kind & (EPI_STIFF | EPI_CONSERVATIVE)) && p->contact->kind == epi_contact_kinds()[EPI_ROLLER_GROOVE] &&
         p->contact->law.slices <= MOST*LANES;
}

static void fill(roller *s, const epi_pair *p, int index, lanes *room)
{
  const epi_contact *c = p->contact;
  int n = (c->law.slices + LANES - 1)/LANES;
  *s = (roller){.pair = index, .a = p->a, .b = p->b, .c = c, .n = n, .x = room, .rho = room + n, .K = room + 2*n};
  for (int i = 0; i < n*LANES; i++) {
    int there = i < c->law.slices;
    double x = epi_slice_middle(c, there ? i : c->law.slices - 1);
    s->x[i/LANES][i % LANES] = x;
    s->rho[i/LANES][i % LANES] = epi_barrel(c, x);
    s->K[i/LANES][i % LANES] = there ? c->law.K/c->law.slices : 0;
  }
}

int epi_rollers_make(const epi_pair *pair, int pairs, char *taken, epi_rollers **out)
{
  size_t n = 0, vectors = 0;
  *out = NULL;
  for (int i = 0; i < pairs; i++) {
    if (!fits(&pair[i])) continue;
    taken[i] = 2;
    n++;
    vectors += 3*(size_t)((pair[i].contact->law.slices + LANES - 1)/LANES);
  }
  if (!n) return 0;
  epi_rollers *r = calloc(1, sizeof *r + n*sizeof *r->set);
  lanes *room = r ? aligned_alloc(64, (vectors*sizeof *room + 63)/64*64) : NULL;
  if (!room) { free(r); return -1; }
  r->room = room;
  for (int i = 0; i < pairs; i++) {
    if (taken[i] != 2) continue;
    roller *s = &r->set[r->n];
    fill(s, &pair[i], i, room);
    s->second = pairs + r->n++;
    room += 3*s->n;
  }
  *out = r;
  return 0;
}

void epi_rollers_free(epi_rollers *r)
{
  if (r) free(r->room);
  free(r);
}
