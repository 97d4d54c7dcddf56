/* gap.c - the contacts of a world as gaps: how far they are open, how that changes with the velocities, and how stiff they are where they
 * will be touched; for steps that follow contacts */
#include "parts.h"

/* contacts at one point that nothing stiff holds: of a roller's slices each has its own depth */
static int has_gap(const epi_pair *c) { return c->contact && !c->contact->kind->act && !(c->kind & EPI_STIFF); }

int epi_world_gap(epi_system *s, double t, const double *q, double *g, double *G)
{
  const epi_world *w = s->data;
  int k = 0;
  memset(G, 0, (size_t)s->contacts.ng*(size_t)w->nv*sizeof *G);
  for (int i = 0; i < w->pairs; i++) {
    const epi_pair *c = &w->pair[i];
    if (!has_gap(c)) continue;
    epi_pose a, b = epi_ground;
    epi_action x = {.load = 0};
    double row[12], *to = G + (long)k*w->nv;
    epi_pose_of(&w->body[c->a], q, NULL, &a);
    if (c->b >= 0) epi_pose_of(&w->body[c->b], q, NULL, &b);
    /* a shape says where it is also where it was passed through */
    int bad = epi_pair_act(c, t, &a, &b, &x);
    if (bad < 0) return bad;
    epi_pair_row(&x, &a, &b, row);
    for (int n = 0; n < 12; n++) {
      int body = n < 6 ? c->a : c->b;
      if (body >= 0) to[w->body[body].v + n % 6] -= row[n];
    }
    g[k++] = -x.depth;
  }
  return 0;
}

/* a law of the user's at this depth, pressed slowly */
static double load_of(const epi_law *l, double depth, double *stiffness)
{
  epi_action x = {.load = 0};
  if (!l->own) {
    *stiffness = l->power*l->K*pow(depth, l->power - 1);
    return l->K*pow(depth, l->power);
  }
  if (l->own(l->data, depth, 0, &x.load, &x.stiffness, &x.damping)) return HUGE_VAL;
  *stiffness = x.stiffness;
  return x.load;
}

/* the slope of its load where that has taken up all the energy, or, where that is more, bears this load */
static double stiffness_of(const epi_law *l, double energy, double load)
{
  double stiffness = 0, found = 0;
  for (double depth = 1e-9; depth < 1; depth *= 1.25) {
    double now = load_of(l, depth, &found);
    if (!(now < HUGE_VAL) || !(found < HUGE_VAL)) break;
    stiffness = fmax(stiffness, found);
    if (now >= load && 0.5*now*depth >= energy) break;
  }
  return stiffness;
}

/* the energy of all bodies at the start, above the lowest place of them; what acts on the lighter of the two, its weight and loads */
int epi_world_find_gaps(epi_world *w)
{
  int n = 0, k = 0;
  for (int i = 0; i < w->pairs; i++) n += has_gap(&w->pair[i]);
  if (!n || w->bodies > EPI_FEW_BODIES) return 0;
  w->gap_stiffness = calloc((size_t)n, sizeof *w->gap_stiffness);
  if (!w->gap_stiffness) return epi_world_no_memory(w);
  double energy = 0, low = HUGE_VAL, g = sqrt(epi_dot(w->gravity, w->gravity)), on = 0;
  for (int i = 0; i < w->bodies; i++) low = fmin(low, -epi_dot(w->gravity, w->start + w->body[i].q));
  for (int i = 0; i < w->bodies; i++) {
    const epi_member *m = &w->body[i];
    const double *v = w->start + w->nq + m->v;
    for (int c = 0; c < 3; c++) energy += 0.5*m->mass*v[c]*v[c];
    energy += m->mass*(-epi_dot(w->gravity, w->start + m->q) - fmin(low, 0));
    on = fmax(on, m->mass*g);
  }
  for (int i = 0; i < w->pairs; i++) {
    const epi_applied_force *l = w->pair[i].data;
    if (w->pair[i].load == epi_load_kinds()[0]) on = fmax(on, sqrt(epi_dot(l->force, l->force)));
  }
  /* most are like the one before */
  for (int i = 0, last = -1; i < w->pairs; i++) {
    if (!has_gap(&w->pair[i])) continue;
    const epi_law *l = &w->pair[i].contact->law, *other = last >= 0 ? &w->pair[last].contact->law : NULL;
    int same = other && !l->own && !other->own && l->K == other->K && l->power == other->power;
    w->gap_stiffness[k] = same ? w->gap_stiffness[k - 1] : stiffness_of(l, fmax(energy, 0), on);
    last = i;
    k++;
  }
  w->gaps = n;
  return 0;
}
