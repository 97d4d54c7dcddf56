/* link.c - what contacts, springs and actions know beside their forces, as links between the velocities of two bodies: along the normal by
 * stiffness and damping, across it by the slope of the traction */
#include "parts.h"

int epi_world_find_links(epi_world *w)
{
  int second = 0;
  for (int i = 0; i < w->pairs; i++) second += w->taken[i] == 2;
  w->links = w->pairs + second;
  w->ends = calloc((size_t)w->links + 1, sizeof *w->ends);
  if (!w->ends) return epi_world_no_memory(w);
  for (int i = 0; i < w->pairs; i++) {
    const epi_pair *c = &w->pair[i];
    const int body[] = {c->a, c->b};
    w->ends[i].name = c->name;
    /* what is stiff is in another system, and a load on one body does not feel where that is */
    if (c->kind & EPI_STIFF || (c->load && !c->load->between)) continue;
    for (int k = 0; k < 2; k++)
      if (body[k] >= 0) { w->ends[i].at[k] = w->body[body[k]].v; w->ends[i].n[k] = 6; }
  }
  /* rollers resist being tilted, too: in the order they have in roller.c */
  second = w->pairs;
  for (int i = 0; i < w->pairs; i++) if (w->taken[i] == 2) w->ends[second++] = w->ends[i];
  return 0;
}

void epi_link_row(const double *u, const double *la, const double *lb, const epi_pose *a, const epi_pose *b, double *G)
{
  double x[3];
  for (int i = 0; i < 3; i++) { G[i] = u[i]; G[6 + i] = -u[i]; }
  epi_vector_cross(la, u, x);
  epi_into(a->R, x, G + 3);
  epi_vector_cross(u, lb, x);
  epi_into(b->R, x, G + 9);
}

/* the slope of the traction is less along the traction, which grows to mu Q and no further */
void epi_pair_link(const epi_pair *c, const epi_action *x, const epi_pose *a, const epi_pose *b, epi_link *out)
{
  double la[3], lb[3], along[3], across[3], pull = 0, size = 0;
  int least = 0;
  out->load = x->load;
  if (x->stiffness == 0 && x->damping == 0 && x->traction == 0) return;
  out->stiffness = x->stiffness;
  out->damping = x->damping;
  const double *n = x->normal;
  for (int i = 0; i < 3; i++) {
    la[i] = x->point[i] - a->r[i];
    lb[i] = x->point[i] - b->r[i];
    along[i] = x->force[i] + x->load*n[i];
    pull += along[i]*along[i];
  }
  if (x->about) { epi_pair_row(x, a, b, out->G[0]); return; }
  epi_link_row(n, la, lb, a, b, out->G[0]);
  if (x->traction == 0) return;
  double limit = c->contact ? c->contact->law.mu*x->load : 0;
  if (!(pull > 1e-24*x->load*x->load)) {
    /* any direction across the normal */
    for (int i = 1; i < 3; i++) if (fabs(n[i]) < fabs(n[least])) least = i;
    epi_vector_cross(n, (const double[3]){least == 0, least == 1, least == 2}, along);
    pull = 0;
  }
  for (int i = 0; i < 3; i++) size += along[i]*along[i];
  for (int i = 0; i < 3; i++) along[i] /= sqrt(size);
  epi_vector_cross(n, along, across);
  epi_link_row(along, la, lb, a, b, out->G[1]);
  epi_link_row(across, la, lb, a, b, out->G[2]);
  out->slope[0] = x->traction*(limit > 0 ? fmax(0, 1 - pull/(limit*limit)) : 1);
  out->slope[2] = x->traction;
}
