/* collision.c - how a contact that is open will close: with what speed, how deep, and how fast it swings and is damped there. An estimate
 * for those who choose a step before anything has touched */
#include "parts.h"

/* a closing that nobody pushes */
static const double SLOW = 0.01;

/* along the normal, by the velocities and by what a fall through the gap adds: it may move away and come back */
static double speed_of(const epi_world *w, const epi_pose *a, const epi_pose *b, const epi_action *x, const double *G)
{
  double wa[3], wb[3];
  epi_into(a->R, a->w, wa);
  epi_into(b->R, b->w, wb);
  double v = epi_dot(G, a->v) + epi_dot(G + 3, wa) + epi_dot(G + 6, b->v) + epi_dot(G + 9, wb);
  return fmax(sqrt(v*v - 2*sqrt(epi_dot(w->gravity, w->gravity))*fmin(0, x->depth)), SLOW);
}

/* K x^(p+1)/(p+1) = m v^2/2; what damping stops before that, K chi x^(p+1)/(p+1) = m v */
static void deepest(const epi_law *l, double m, epi_collision *out)
{
  double p = l->power, v = out->speed, way = m*v*fmin(0.5*v, l->chi > 0 ? 1/l->chi : v);
  out->depth = pow((p + 1)*way/l->K, 1/(p + 1));
  double base = l->K*pow(out->depth, p);
  out->w = sqrt(p*base/(out->depth*m));
  out->decay = l->chi*base/m;
}

/* of a law of the user's: as deep as its work is the energy */
static int deepest_own(const epi_law *l, double m, double radius, epi_collision *out)
{
  double left = 0.5*m*out->speed*out->speed, before = 0, x = 1e-12, load, slope, damping, most = 0;
  for (double from = 0; left > 0; from = x, x *= 1.1) {
    if ((radius > 0 && x > 0.5*radius) || !(x < 1e6) || l->own(l->data, x, 0, &load, &slope, &damping)) break;
    left -= 0.5*(x - from)*(before + load);
    before = load;
    out->depth = x;
    if (slope > most) most = slope;
    out->decay = fmax(out->decay, damping/m);
  }
  out->w = sqrt(most/m);
  return out->w > 0 && isfinite(out->w) ? 0 : 1;
}

int epi_world_collision(epi_world *w, const epi_state *s, int which, epi_collision *out)
{
  epi_action x;
  double G[12], light = 0;
  *out = (epi_collision){.name = ""};
  if (epi_world_close(w) || which < 0 || which >= w->numbers) return EPI_WRONG;
  const epi_pair *c = w->number[which] >= 0 ? &w->pair[w->number[which]] : NULL;
  if (!c || !c->contact || epi_world_action(w, s, which, &x) || !(x.depth < 0)) return 1;
  epi_pose a = epi_world_pose(w, s, c->a), b = epi_world_pose(w, s, c->b);
  epi_pair_row(&x, &a, &b, G);
  for (int i = 0; i < 12; i++) {
    int body = i < 6 ? c->a : c->b;
    if (body >= 0) light += G[i]*G[i]/w->mass[w->body[body].v + i % 6];
  }
  if (!(light > 0)) return 1;
  out->name = c->name;
  out->stiff = (c->kind & EPI_STIFF) != 0;
  out->speed = speed_of(w, &a, &b, &x, G);
  if (c->contact->law.own) return deepest_own(&c->contact->law, 1/light, c->contact->radius, out);
  deepest(&c->contact->law, 1/light, out);
  return 0;
}
