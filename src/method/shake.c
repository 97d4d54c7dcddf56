/* shake.c - SHAKE: the positions of verlet on a constrained system; the velocity at a step is the mean of those before and after it */
#include "core.h"

/* half of the constraints' kick at the end of a step, found by the positions that the next step of this length would reach */
static int kick_ahead(epi_flow *f, epi_state *s, double h, double *room, double *push)
{
  epi_system *m = f->sys;
  int nq = m->nq, nv = epi_nv(m), nc = m->nc;
  double *v = s->y + nq, *a = f->work, *w = room + nq;
  epi_state next = *s;
  next.y = room;
  next.impulse = NULL;
  memcpy(room, s->y, (size_t)nq*sizeof *room);
  for (int i = 0; i < nv; i++) w[i] = v[i] + h*a[i];
  memset(push, 0, (size_t)nc*sizeof *push);
  int bad = epi_project_positions(f->space, &next, h, a + nv, push, 0, &f->fault);
  if (bad) return bad;
  for (int i = 0; i < nv; i++) v[i] = 0.5*(v[i] + w[i]);
  for (int c = 0; c < nc; c++) {
    push[c] *= 0.5;
    if (s->impulse) s->impulse[c] += push[c];
  }
  return 0;
}

static int shake(epi_flow *f, epi_state *s, double h, long n)
{
  epi_system *m = f->sys;
  int nv = epi_nv(m), nc = m->nc, bad, known = 0;
  double *v = s->y + m->nq, *a = f->work, *push = a + nv + epi_constraint_room(f->space), *room = push + nc;
  double *lambda = s->lambda, hh = 0.5*h;
  if (!epi_cache_valid(f, s) && (bad = epi_accel(f, s->t, s->theta, s->y, a))) return epi_cache_lost(f, bad);
  while (n-- > 0) {
    epi_tick end = epi_target(m, s, h);
    if (lambda) memset(lambda, 0, (size_t)(2*nc)*sizeof *lambda);
    for (int i = 0; i < nv; i++) v[i] += hh*a[i];
    if ((bad = epi_project_positions(f->space, s, h, a + nv, lambda, known, &f->fault))) return epi_cache_lost(f, bad);
    epi_set_clock(s, end);
    if ((bad = epi_accel(f, s->t, s->theta, s->y, a)) || (bad = kick_ahead(f, s, h, room, push))) return epi_cache_lost(f, bad);
    known = 1;
    if (!lambda) continue;
    /* impulses over half a step each */
    for (int c = 0; c < nc; c++) { lambda[c] /= hh; lambda[nc + c] = push[c]/hh; }
  }
  epi_moved(f, s);
  epi_cache_store(f, s);
  return 0;
}

static void shake_build(epi_flow *f)
{
  epi_system *m = f->sys;
  epi_refuse(f, !m->nc, "shake is for constrained systems and this one has no constraints: use verlet");
  epi_refuse(f, !epi_has_force(m), "shake needs a force of position and this system has none: use herk3, which keeps its constraints");
  epi_refuse(f, m->velocity_force != NULL, "shake has no place for a velocity force: use verlet, which splits it off");
  epi_refuse(f, m->nz > 0, "shake does not move the %d first-order variables of this system: use herk3", m->nz);
  if (f->broken || epi_blocks(f, 0, 2L*epi_nv(m) + m->nq + m->nc + epi_constraint_room(f->space))) return;
  f->space->across = 1;
  f->go = shake;
}

const epi_record epi_SHAKE = {
  .name = "shake", .doc = "verlet on a constrained system with velocities that are differences of positions, not along the constraints; "
  "verlet itself is RATTLE", .cite = "Ryckaert, Ciccotti & Berendsen, J. Comput. Phys. 23 (1977) 327",
  .example = "shake",
  .arrow = EPI_METHOD, .least = 1, .most = 1, .order = 2, .claims = EPI_CLOCK | EPI_BACKWARD, .build = shake_build,
};
