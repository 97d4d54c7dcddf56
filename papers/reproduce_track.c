/* reproduce_track.c - the runs behind the claims, noted at every step; each is made once and kept for all that ask for it */
#include "papers.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- steps ---- */
/* the density of steps, where the flow keeps one; other flows keep other things there */
static double density_of(const track *r, const epi_flow *f)
{
  double rho = 0;
  if (!strncmp(r->of->flow, "density(", 8)) epi_extra_state(f, &rho, 1);
  return rho;
}

static int far_enough(const motion *m, long k, double t) { return m->steps ? k >= m->steps : t >= m->end; }

static int walk(track *r, epi_flow *f, epi_state *s, double h)
{
  enum { MOST = 5000000 };
  for (long k = 0; !far_enough(r->of, k, s->t) && k < MOST; k++) {
    int bad = epi_advance(f, s, h, 1);
    if (bad) return bad;
    track_note(r, s->t, s->y, density_of(r, f));
  }
  return 0;
}

static void drive_flow(track *r)
{
  double y[16];
  memcpy(y, r->origin, sizeof y);
  epi_state s = {.y = y};
  epi_flow *f = track_flow(r, r->of->flow);
  if (epi_error(f) || walk(r, f, &s, r->of->step) || (r->of->back && walk(r, f, &s, -r->of->step)))
    track_fail(r, epi_cause_of(f), epi_error(f));
  if (r->c) r->flagged = flag_of(r->c, f, r->of->flow, r->of->step);
  epi_free(f);
}

/* ---- solvers whose steps cannot be seen: the system listens to where it is asked ---- */
typedef struct ear { track *to; epi_system *system; } ear;

/* the last point at which a time was asked for is the end of a step; a time before the last one means that the step was refused */
static int listen(epi_system *w, double t, const double *y, double *dy)
{
  const ear *e = w->data;
  int nq = e->system->nq;
  while (e->to->n > 1 && e->to->t[e->to->n - 1] >= t) e->to->n--;
  if (t > 0) track_note(e->to, t, y, 0);
  memcpy(dy, y + nq, (size_t)nq*sizeof *dy);
  return e->system->force(e->system, t, y, dy + nq);
}

/* q' = v, v' = force: d/dq of the force is what the model gives */
static int listen_slope(epi_system *w, double t, const double *y, double a, double b, double *A)
{
  const ear *e = w->data;
  int n = e->system->nq, N = 2*n;
  double B[64] = {0};
  (void)b;
  if (n > 8) return EPI_WRONG;
  int bad = e->system->jacobian.slope(e->system, t, y, a, 0, B);
  for (int i = 0; i < n; i++) {
    A[i*N + n + i] = a;
    memcpy(A + (n + i)*N, B + i*n, (size_t)n*sizeof *B);
  }
  return bad;
}

static void drive_solver(track *r)
{
  double y[16];
  ear e = {.to = r, .system = r->system};
  if (!r->system->force || !r->system->jacobian.slope || r->size != 2*r->system->nq) {
    track_fail(r, EPI_OTHER_CAUSE, "only systems of a force with its slope can be listened to");
    return;
  }
  epi_system w = {.nz = r->size, .rate = listen, .jacobian.slope = listen_slope, .data = &e};
  memcpy(y, r->origin, sizeof y);
  epi_state s = {.y = y};
  epi_flow *f = epi_make(r->of->flow, &w);
  if (epi_error(f) || epi_advance(f, &s, r->of->end, 1)) track_fail(r, epi_cause_of(f), epi_error(f));
  epi_free(f);
}

/* ---- tracks ---- */
static int take_case(track *r)
{
  epi_case *c = r->c = epi_case_make(r->of->model);
  if (!c || c->error[0]) {
    track_fail(r, EPI_OTHER_CAUSE, c ? c->error : "out of memory");
    return 1;
  }
  r->system = &c->system;
  r->size = epi_size(&c->system);
  if (r->size > 16) {
    track_fail(r, EPI_OTHER_CAUSE, "claims are about systems of at most 16 numbers");
    return 1;
  }
  memcpy(r->origin, c->y, (size_t)r->size*sizeof *c->y);
  for (int i = 0; i < r->size; i++) r->origin[i] *= 1 + r->off;
  return 0;
}

static void make_track(track *r)
{
  static const char PRINTED[] = "as printed: ";
  size_t n = sizeof PRINTED - 1;
  if (strcmp(r->of->model, "smooth") ? take_case(r) : printed_smooth(r)) return;
  track_note(r, 0, r->origin, 0);
  if (!strncmp(r->of->flow, "cvode(", 6)) drive_solver(r);
  else if (strncmp(r->of->flow, PRINTED, n)) drive_flow(r);
  else if (printed_drive(r, r->of->flow + n)) track_fail(r, EPI_OTHER_CAUSE, "there is no such recurrence for this model");
}

track *track_of(tracks *all, const motion *m)
{
  if (!m) return NULL;
  for (track *r = all->first; r; r = r->next)
    if (r->of == m) return r;
  track *r = track_alone(m, 0);
  r->next = all->first;
  return all->first = r;
}

track *track_alone(const motion *m, double off)
{
  track *r = need(sizeof *r);
  *r = (track){.of = m, .off = off};
  make_track(r);
  return r;
}

void track_free(track *r)
{
  epi_free(r->probe);
  if (r->c) epi_case_free(r->c);
  else free(r->system);
  free(r->t);
  free(r->y);
  free(r->rho);
  free(r->failure);
  free(r->flagged);
  free(r);
}

void tracks_free(tracks *all)
{
  for (track *r = all->first, *next; r; r = next) {
    next = r->next;
    track_free(r);
  }
  all->first = NULL;
}
