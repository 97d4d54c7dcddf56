/* stiff.c - which springs and contacts are in model.stiff: those the user says, and those that creep too fast for explicit steps. What such
 * a damper does within a step is nothing to see, but an explicit step of more than 2/rate explodes or lets its load vanish */
#include "parts.h"

/* of springs that creep faster than this there are no explicit steps; more bodies than this the user marks by himself, because the matrix
   of all of them would be large */
static const double fast = 1e3;
enum { MOST = EPI_FEW_BODIES };

void epi_pair_row(const epi_action *x, const epi_pose *a, const epi_pose *b, double G[12])
{
  double arm[2][3], turn[3];
  if (x->about) {
    for (int i = 0; i < 3; i++) G[i] = G[6 + i] = 0;
    epi_into(a->R, x->normal, G + 3);
    epi_into(b->R, x->normal, G + 9);
    for (int i = 9; i < 12; i++) G[i] = -G[i];
    return;
  }
  for (int i = 0; i < 3; i++) {
    arm[0][i] = x->point[i] - a->r[i];
    arm[1][i] = x->point[i] - b->r[i];
    G[i] = x->normal[i];
    G[6 + i] = -x->normal[i];
  }
  epi_vector_cross(arm[0], x->normal, turn);
  epi_into(a->R, turn, G + 3);
  epi_vector_cross(arm[1], x->normal, turn);
  epi_into(b->R, turn, G + 9);
  for (int i = 9; i < 12; i++) G[i] = -G[i];
}

/* G M^-1 G^T: what a unit of force does to the closing speed */
static double lightness(const epi_world *w, const epi_pair *c, const double *G)
{
  double sum = 0;
  for (int i = 0; i < 12; i++) {
    int body = i < 6 ? c->a : c->b;
    if (body < 0) continue;
    sum += G[i]*G[i]/w->mass[w->body[body].v + i % 6];
  }
  return sum;
}

/* what lies on each body: its weight, and the forces that are put on it. on[0] is the ground, which bears all */
static void weigh(const epi_world *w, double *on)
{
  on[0] = HUGE_VAL;
  for (int i = 0; i < w->bodies; i++) on[1 + i] = w->body[i].mass*sqrt(epi_dot(w->gravity, w->gravity));
  for (int i = 0; i < w->pairs; i++) {
    const epi_pair *c = &w->pair[i];
    if (c->load != epi_load_kinds()[0]) continue;
    const epi_applied_force *l = c->data;
    on[1 + c->a] += sqrt(epi_dot(l->force, l->force));
  }
}

/* stiffness and damping that it will have: of a spring those it has, of a contact those under what lies on its lighter body, or under the
   load at the start */
static void expect(const epi_pair *c, const double *on, epi_action *x)
{
  const epi_law *l = c->contact ? &c->contact->law : NULL;
  if (!l || l->own || !(l->chi > 0)) return;
  double load = fmax(fmin(on[1 + c->a], on[1 + c->b]), x->load), depth = pow(load/l->K, 1/l->power);
  x->stiffness = depth > 0 ? l->power*load/depth : 0;
  x->damping = l->chi*load;
}

/* it comes back without a swing, and fast */
static int creeps(const epi_world *w, const epi_pair *c, const double *on)
{
  const double *y = w->start;
  epi_pose a = epi_ground, b = epi_ground;
  epi_action x = {.load = 0};
  double G[12];
  epi_pose_of(&w->body[c->a], y, y + w->nq, &a);
  if (c->b >= 0) epi_pose_of(&w->body[c->b], y, y + w->nq, &b);
  x.turned = epi_turned_at(w, c->turned, y);
  if (epi_pair_act(c, 0, &a, &b, &x)) return 0;
  /* a stop is met later, if at all: as hard as after a hundredth of its range, or of a unit */
  if (c->axis && c->axis->stop > 0) {
    double p = c->axis->power > 0 ? c->axis->power : 1, far = 0.01*fmin(1, c->axis->upper - c->axis->lower);
    double push = c->axis->stop*pow(far, p);
    if (far > 0) { x.stiffness = fmax(x.stiffness, p*push/far); x.damping = fmax(x.damping, c->axis->chi*push + c->axis->drag); }
  }
  expect(c, on, &x);
  epi_pair_row(&x, &a, &b, G);
  double light = lightness(w, c, G), rate = x.damping*light;
  return rate > fast && rate*rate > 4*x.stiffness*light;
}

int epi_world_mark_stiff(epi_world *w)
{
  size_t n = (size_t)w->bodies + 1;
  double *on = calloc(n*sizeof *on + n + (size_t)w->pairs, 1);
  int bodies = 0;
  if (!on) return epi_world_no_memory(w);
  char *body = (char *)(on + n), *mark = body + n;
  weigh(w, on);
  for (int i = 0; i < w->pairs; i++) {
    const epi_pair *c = &w->pair[i];
    const int ends[] = {c->a, c->b};
    int damped = (c->contact && c->contact->law.chi > 0) || ((c->axis || (c->load && c->load->between)) && !(c->kind & EPI_CONSERVATIVE));
    mark[i] = c->stiff == 0 && damped && creeps(w, c, on);
    for (int k = 0; k < 2 && mark[i]; k++) {
      if (ends[k] < 0 || body[ends[k]]) continue;
      body[ends[k]] = 1;
      bodies++;
    }
  }
  for (int i = 0; i < w->pairs; i++) if (w->pair[i].stiff > 0 || (mark[i] && bodies <= MOST)) w->pair[i].kind |= EPI_STIFF;
  free(on);
  return 0;
}
