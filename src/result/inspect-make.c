/* inspect-make.c - a run that looks at itself: what it has for that, and what of it a checkpoint holds */
#include "inspecting.h"
#include <limits.h>

enum { TINY = 256, STRIDE = 640, SAMPLES = 256 };
/* a tolerance from this on is loose: its steps are few, and a run with a tenth of it goes beside them */
static const double LOOSE = 1e-3, TIGHTER = 0.1;

/* ---- making ---- */
static int same_kind(const epi_system *m, int i, int k)
{
  int v = m->nq + epi_nv(m), block_i = (i >= m->nq) + (i >= v), block_k = (k >= m->nq) + (k >= v);
  return block_i == block_k && (!m->units || !strcmp(m->units[i] ? m->units[i] : "", m->units[k] ? m->units[k] : ""));
}

static void find_groups(epi_inspector *a, const epi_system *m)
{
  int n = epi_dim(m), first[EPI_GROUPS] = {0};
  for (int i = 0; i < n; i++) {
    int g = 0;
    while (g < a->groups && !same_kind(m, i, first[g])) g++;
    if (g == a->groups && g < EPI_GROUPS) first[a->groups++] = i;
    a->group[i] = g < EPI_GROUPS ? g : EPI_GROUPS - 1;
  }
}

/* room: three of the size of the state */
static void find_leads(epi_inspector *a, epi_system *m, const double *y, double *room)
{
  int nq = m->nq, nv = epi_nv(m);
  double *dv = room, *dq = room + epi_dim(m);
  if (epi_all_rate(m)) return;
  for (int g = 0; g < a->groups; g++) {
    int any = 0;
    for (int i = 0; i < nv; i++) any |= (dv[i] = a->group[nq + i] == g) != 0;
    if (!any) continue;
    if (m->manifold.retract) epi_retract_tangent(m, y, dv, dq, dq + epi_dim(m));
    else memcpy(dq, dv, (size_t)nv*sizeof *dq);
    for (int i = 0; i < nq; i++) if (dq[i] != 0) a->leads[g] |= 1u << a->group[i];
  }
}

static void look_for_chooser(void *data, const epi_info *i)
{
  for (const epi_param *p = i->record->params; p && p->name; p++) if (!strcmp(p->name, "rtol")) *(int *)data = 1;
}

static double *option(epi_flow *f, const char *name)
{
  for (int i = 0; f->record->params && f->record->params[i].name; i++)
    if (!strcmp(f->record->params[i].name, name)) return &f->arg[i].number;
  return NULL;
}

/* steps of the flow's own choice answer for themselves, unless their tolerance is loose; functions of the user's are not called twice */
static int can_be_halved(const epi_recorder *a, epi_flow *inner)
{
  int chooses = 0;
  if (a->adaptive && (a->averages || a->passive || inner->nkid != 1 || !(*option(inner, "rtol") >= LOOSE))) return 0;
  if (a->adaptive) inner = inner->kid[0];
  if (epi_extra_state(inner, NULL, 0) || inner->own_time || !(inner->claims & EPI_CLOCK)) return 0;
  for (const epi_name *n = a->c->parts; n && n->name; n++) if (n->see || n->flow) return 0;
  epi_walk(inner, look_for_chooser, &chooses);
  return !chooses;
}

static epi_flow *below_watches(epi_flow *f)
{
  while (epi_recorder_watches(f)) f = f->kid[0];
  return f;
}

static void plan(epi_inspector *a, const epi_recorder *r)
{
  a->span = r->end - r->start;
  a->steps = ceil(a->span/r->step*(1 - 1e-12));
  a->whole = a->steps <= TINY && !r->averages;
  a->decays = r->decay*r->step > 0.05;
  a->stride = a->steps < EPI_SHORT ? (long)fmax(1, floor(a->steps/EPI_LEAST_LOOKS)) : (long)fmin(STRIDE, floor(a->steps/2));
  a->m.impacts.steps = a->steps < 4*EPI_SHORT ? 4 : a->steps < 16*EPI_SHORT ? 8 : 16;
  a->m.impacts.least = 2;
  a->m.impacts.share = 0.003;
  a->m.impacts.end = r->end;
  a->most_samples = (long)fmin(SAMPLES, fmax(a->steps < EPI_SHORT ? EPI_SHORT : 64, a->steps/16));
  a->m.least = HUGE_VAL;
  if (!r->adaptive || !a->probe) return;
  a->whole = a->tighter = 1;
  a->steps = fmax(a->steps, EPI_SHORT);
}

/* 0 on success */
static int find_room(epi_inspector *a, size_t n, size_t keep, size_t nobs)
{
  a->nblock = 9*n + keep + epi_impacts_room(n, keep) + epi_columns_room(n, nobs);
  a->block = calloc(a->nblock + 1, sizeof *a->block);
  a->group = calloc(n + 1, sizeof *a->group);
  if (!a->block || !a->group) return -1;
  double **all[] = {&a->half, &a->low, &a->high, &a->before, &a->row, &a->way, &a->pull, &a->seen, &a->came, &a->kept};
  for (size_t i = 0; i < sizeof all/sizeof *all; i++) *all[i] = a->block + i*n;
  a->impacts = a->kept + keep;
  epi_columns_begin(&a->columns, a->impacts + epi_impacts_room(n, keep), (int)n, (int)nobs);
  for (size_t i = 0; i < n; i++) a->low[i] = HUGE_VAL, a->high[i] = -HUGE_VAL;
  return 0;
}

static int out_of_memory(const epi_flow *f) { return epi_cause_of(f) == EPI_MEMORY; }

/* 0 on success, also where there can be none */
static int find_probe(epi_inspector *a, epi_recorder *r)
{
  if (!can_be_halved(r, a->inner)) return 0;
  a->probe = epi_case_flow(r->c, r->text);
  if (!epi_error(a->probe)) epi_ready(a->probe);
  if (out_of_memory(a->probe)) return -1;
  /* of steps that are chosen the watches are inside, with a memory of theirs */
  long keep = epi_keep_size(a->inner), own = epi_keep_size(a->probe);
  if (epi_error(a->probe) || (r->adaptive ? own > keep : own != keep)) { epi_free(a->probe); a->probe = NULL; }
  epi_stop_with(a->probe, &r->tree->asked);
  if (!a->probe || !r->adaptive) return 0;
  *option(a->probe, "rtol") *= TIGHTER;
  *option(a->probe, "atol") *= TIGHTER;
  return 0;
}

epi_inspector *epi_inspector_make(epi_recorder *r)
{
  epi_inspector *a = calloc(1, sizeof *a);
  if (!a) return NULL;
  a->inner = below_watches(r->tree);
  size_t nobs = 0;
  while (r->c->model->observables && r->c->model->observables[nobs].name) nobs++;
  if (find_room(a, (size_t)epi_dim(&r->c->system), (size_t)epi_keep_size(a->inner), nobs) || find_probe(a, r)) {
    epi_inspector_free(a);
    return NULL;
  }
  find_groups(a, &r->c->system);
  find_leads(a, &r->c->system, r->c->y, a->impacts);
  memset(a->impacts, 0, epi_impacts_room((size_t)epi_dim(&r->c->system), (size_t)epi_keep_size(a->inner))*sizeof *a->impacts);
  plan(a, r);
  return a;
}

void epi_inspector_free(epi_inspector *a)
{
  if (!a) return;
  epi_free(a->probe);
  free(a->block);
  free(a->group);
  free(a);
}

/* ---- stopping and going on ---- */
int epi_inspector_save(const epi_inspector *a, const epi_inspection *sum, FILE *f)
{
  size_t numbers = a->nblock*sizeof *a->block, size = sizeof a->m + sizeof *sum + numbers;
  char *content = malloc(size);
  if (!content) return -1;
  memcpy(content, &a->m, sizeof a->m);
  memcpy(content + sizeof a->m, sum, sizeof *sum);
  memcpy(content + sizeof a->m + sizeof *sum, a->block, numbers);
  int bad = epi_frame_write(f, EPI_INSPECTION_FRAME, content, size);
  free(content);
  return bad;
}

int epi_inspector_load(epi_inspector *a, epi_recorder *r, const char *content, size_t size)
{
  epi_inspection *sum = &r->r->inspection;
  size_t numbers = a->nblock*sizeof *a->block;
  if (size != sizeof a->m + sizeof *sum + numbers) return -1;
  epi_inspector_memory m;
  epi_inspection was;
  memcpy(&m, content, sizeof m);
  memcpy(&was, content + sizeof m, sizeof was);
  if (m.armed < 0 || m.armed > 2 + EPI_SETTLE || m.pulled < 0 || m.pulled > epi_dim(a->inner->sys)) return -1;
  if (m.strange < 0 || m.strange > r->r->nobs) return -1;
  const long counts[] = {m.samples, m.jumps, m.dues, m.last_at, m.next, m.failed, m.cost, m.impacts.all, m.impacts.again,
                         m.impacts.taken, m.seen_step, m.through, was.looks};
  for (size_t i = 0; i < sizeof counts/sizeof *counts; i++) if (counts[i] < 0 || counts[i] > LONG_MAX/64) return -1;
  if (m.impacts.steps != a->m.impacts.steps || (m.begun && a->probe && m.impacts.keep != epi_keep_size(a->inner))) return -1;
  a->m = m;
  r->wake = m.wake;
  r->wake_at = m.next_sample;
  *sum = was;
  memcpy(a->block, content + sizeof m + sizeof *sum, numbers);
  return 0;
}
