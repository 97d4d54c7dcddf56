/* nam-modes.c - modes of the second system of nam: each feels a spring and a damper of its own, and what the first system pushes it with is
 * a polynomial over the step, so its motion is known exactly, however fast it swings:
 *   y'' + c y' + k y = P(t) + D phi(t), phi = prod (s - s_j)/(1 - s_j), zero where the accelerations were kept and one at the end */
#include "nam.h"

enum { POWERS = 4 };
/* in units of the step: y and y' at its end by those at its start, and by a push of s^j, j = 0 ... 3 */
typedef struct { double yy, yv, vy, vv, y[POWERS], v[POWERS]; } answer;

/* G = sum g_i s^i is the motion after a unit of speed: the integrals of G(1 - s) s^j are sums of g_i i! j!/(i + j + 1)! */
static void by_series(double k, double c, answer *r)
{
  double g0 = 0, g1 = 1;
  *r = (answer){.yy = 0};
  /* i! j!/(i + j + 1)! of the term, from i = 1 on */
  double part[POWERS];
  for (int j = 0; j < POWERS; j++) part[j] = 1.0/((j + 1)*(j + 2));
  for (int i = 1; i < 60; i++) {
    r->yv += g1;
    r->vv += i*g1;
    for (int j = 0; j < POWERS; j++) {
      r->y[j] += g1*part[j];
      r->v[j] += g1*part[j]*(i + j + 1);
      part[j] *= (i + 1.0)/(i + j + 2);
    }
    double next = -(c*i*g1 + k*g0)/(i*(i + 1.0));
    g0 = g1;
    g1 = next;
    if (fabs(g1) + fabs(g0) < 1e-18) break;
  }
  r->yy = r->vv + c*r->yv;
  r->vy = -k*r->yv;
}

/* by the polynomial that the push leads to, k p + c p' + p'' = s^j */
static void by_polynomial(double k, double c, answer *r)
{
  double d = 0.5*c, w2 = k - d*d, w = sqrt(fabs(w2)), fade = exp(-d);
  double G = w2 > 0 ? fade*sin(w)/w : w > 0 ? (exp(w - d) - exp(-w - d))/(2*w) : fade;
  double even = w2 > 0 ? fade*cos(w) : 0.5*(exp(w - d) + exp(-w - d));
  *r = (answer){.yv = G, .vv = even - d*G, .yy = even + d*G, .vy = -k*G};
  for (int j = 0; j < POWERS; j++) {
    double p[POWERS + 2] = {0}, end = 0, speed = 0;
    for (int i = j; i >= 0; i--) p[i] = ((i == j) - c*(i + 1)*p[i + 1] - (i + 2.0)*(i + 1)*p[i + 2])/k;
    for (int i = 0; i <= j; i++) { end += p[i]; speed += i*p[i]; }
    r->y[j] = end - r->yy*p[0] - r->yv*p[1];
    r->v[j] = speed - r->vy*p[0] - r->vv*p[1];
  }
}

/* L_j and phi as powers of s: of up to three places at 0, -r1, -r2 */
static void powers(const epi_nam_weights *w, double h, const double *keep, double L[3][POWERS], double phi[POWERS])
{
  const double s[3] = {0, -keep[NAM_H1]/h, -(keep[NAM_H1] + keep[NAM_H2])/h};
  for (int j = 0; j <= w->m; j++) {
    /* the last one is phi: over all places, one at the end */
    double *to = j < w->m ? L[j] : phi, at = j < w->m ? s[j] : 1;
    memset(to, 0, POWERS*sizeof *to);
    to[0] = 1;
    for (int i = 0; i < w->m; i++) {
      if (i == j) continue;
      for (int n = POWERS - 1; n >= 0; n--) to[n] = ((n ? to[n - 1] : 0) - s[i]*to[n])/(at - s[i]);
    }
  }
}

static double times(const double *a, const double *b) { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] + a[3]*b[3]; }

/* without what A leaves to be corrected at the end; what D moves is kept */
void epi_nam_modes_predict(epi_flow *f, const epi_state *s, const epi_nam_work *d, const epi_nam_memory *k, const epi_nam_weights *w,
                           double h)
{
  epi_nam *x = f->own;
  double L[3][POWERS], *phi = x->phi, last[2] = {-1, -1};
  answer r = {.yy = 0};
  if (x->modes) powers(w, h, f->keep, L, phi);
  for (int n = 0; n < x->modes; n++) {
    const epi_mode *o = &x->mode[n];
    double m = epi_nam_mass(f, o->v), stiff = o->stiffness/m*h*h, damp = o->damping/m*h, *P = x->push + POWERS*n;
    double y = s->y[o->q], v = s->y[f->sys->nq + o->v];
    /* creeping ones are left to semi, and pairs are alike */
    if ((x->exact[n] = (char)(k->held[o->v] != 0 && !(fabs(damp) > 5 && stiff < 1) && fabs(damp) < 500)) == 0) continue;
    if (stiff != last[0] || damp != last[1]) (stiff < 1 ? by_series : by_polynomial)(stiff, damp, &r);
    last[0] = stiff, last[1] = damp;
    for (int i = 0; i < POWERS; i++) P[i] = 0;
    for (int j = 0; j < w->m; j++) for (int i = 0; i < POWERS; i++) P[i] += k->a[j][o->v]*L[j][i];
    d->way[o->v] = (r.yy - 1)*y + h*r.yv*v + h*h*times(P, r.y);
    d->vp[o->v] = r.vy*y/h + r.vv*v + h*times(P, r.v);
    x->reply[3*n] = h*h*times(phi, r.y);
    x->reply[3*n + 1] = h*times(phi, r.v);
  }
}

void epi_nam_modes_finish(epi_flow *f, const epi_nam_work *d, double *v1)
{
  const epi_nam *x = f->own;
  for (int n = 0; n < x->modes; n++) {
    int i = x->mode[n].v;
    double *reply = x->reply + 3*n;
    reply[2] = x->exact[n] ? d->A[i] - d->ap[i] : 0;
    if (!x->exact[n]) continue;
    d->dq[i] = d->way[i] + reply[0]*reply[2];
    v1[i] = d->vp[i] + reply[1]*reply[2];
    for (int j = 0; j < POWERS; j++) x->push[POWERS*n + j] += reply[2]*x->phi[j];
  }
}

void epi_nam_modes_note(epi_flow *f)
{
  epi_nam *x = f->own;
  if (!x->modes) return;
  memcpy(x->inside, x->push, POWERS*(size_t)x->modes*sizeof *x->push);
  memcpy(x->exact + x->modes, x->exact, (size_t)x->modes);
}

/* a polynomial through both ends would miss the swings of a long step: their own motion over a part of it */
void epi_nam_modes_between(epi_flow *f, const double *start, double part, double *y)
{
  const epi_nam *x = f->own;
  double h = part*x->h;
  for (int n = 0; n < x->modes; n++) {
    const epi_mode *o = &x->mode[n];
    int q = o->q, v = f->sys->nq + o->v;
    double m = epi_nam_mass(f, o->v), stiff = o->stiffness/m*h*h, damp = o->damping/m*h, P[POWERS], power = 1;
    answer r;
    if (!x->exact[x->modes + n]) continue;
    for (int i = 0; i < POWERS; i++, power *= part) P[i] = power*x->inside[POWERS*n + i];
    (stiff < 1 ? by_series : by_polynomial)(stiff, damp, &r);
    y[q] = r.yy*start[q] + h*r.yv*start[v] + h*h*times(P, r.y);
    y[v] = (h != 0 ? r.vy/h : 0)*start[q] + r.vv*start[v] + h*times(P, r.v);
  }
}

/* what D moves them by, in units of length and speed */
double epi_nam_modes_error(const epi_flow *f, double length, double speed)
{
  const epi_nam *x = f->own;
  double most = 0;
  for (int n = 0; n < x->modes; n++) {
    const double *reply = x->reply + 3*n;
    most = epi_larger(most, fabs(reply[2])*fmax(fabs(reply[0])/length, fabs(reply[1])/speed));
  }
  return most;
}

/* those of the second system; nothing else of it may move them */
int epi_nam_modes_make(epi_flow *f)
{
  epi_nam *x = f->own;
  int n = f->other ? f->other->modes.modes : 0;
  if (n <= 0 || f->space->mass == DENSE || f->space->mass == SOLVED) return 0;
  for (int i = 0; i < n; i++) {
    const epi_mode *o = &f->other->modes.mode[i];
    if (epi_refuse(f, o->q < 0 || o->q >= f->sys->nq || o->v < 0 || o->v >= epi_nv(f->sys) || !(o->stiffness >= 0) || !(o->damping >= 0),
                   "nam: mode %d of the second system has no such coordinate, or a negative stiffness or damping", i)) return -1;
  }
  x->reply = calloc((3 + 2*POWERS)*(size_t)n + 1, sizeof *x->reply);
  x->exact = calloc(2*(size_t)n + 1, 1);
  if (epi_refuse_memory(f, !x->reply || !x->exact)) return -1;
  x->push = x->reply + 3*n;
  x->inside = x->push + POWERS*n;
  x->mode = f->other->modes.mode;
  x->modes = n;
  return 0;
}
