/* inspect.c - a run looks at itself. Now and then the step just taken is taken again as two halves by a second flow of the same text; the
 * difference, summed over the steps it stands for, says how far the run may be off in the end. Samples that are even in time tell how far
 * coordinates go, how often they turn and how wrong the energy usually is; and the energy of what can only lose it is looked at */
#include "inspecting.h"
#include <limits.h>

enum { OUTLIER = 30, MANY = 4096, DEAR = 200, FEW = 8, ENERGY_STRIDE = 128 };
static const double MATTERS = 0.004;    /* of the motion: a tenth of what is told */
static const double FAR[] = {1e-5, 1e-4};    /* of what the farthest of its kind goes, and of rates: less is a motion of its own no more */

/* ---- samples ---- */
static void see(epi_inspector *a, const epi_state *s)
{
  for (int i = 0, n = epi_dim(a->inner->sys); i < n; i++) {
    if (s->y[i] < a->low[i]) a->low[i] = s->y[i];
    if (s->y[i] > a->high[i]) a->high[i] = s->y[i];
  }
}

static void sample(epi_inspector *a, epi_recorder *r, const epi_state *s)
{
  epi_inspector_memory *m = &a->m;
  see(a, s);
  for (int i = 0, n = epi_dim(a->inner->sys); i < n; i++) {
    if (m->samples) a->way[i] += fabs(s->y[i] - a->row[i]);
    a->row[i] = s->y[i];
  }
  double T = epi_kinetic_of_masses(&r->c->system, s);
  m->kinetic_sum += isnan(T) ? epi_kinetic_part(&r->c->system, s, r->exact) : T;
  long nth = m->samples*EPI_ERRORS/a->most_samples;
  if (nth < EPI_ERRORS) m->error[nth] = r->energy < r->r->ninvariant ? r->r->invariant[r->energy].error : 0;
  m->samples++;
  m->next_sample = r->start + (double)m->samples*a->span/(double)(a->most_samples - 1);
}

/* how far coordinates of a kind range. What does not move has no error: a velocity that leads nowhere in all the time there is, or whose
   positions do not move, is rounding */
static void ranges(const epi_inspector *a, double range[EPI_GROUPS])
{
  const epi_system *m = a->inner->sys;
  double size[EPI_GROUPS] = {0}, largest = 0;
  unsigned still = 0;
  memset(range, 0, EPI_GROUPS*sizeof *range);
  for (int i = 0, n = epi_dim(m); i < n; i++) {
    int g = a->group[i];
    range[g] = epi_larger(range[g], a->high[i] - a->low[i]);
    size[g] = epi_larger(size[g], epi_larger(fabs(a->high[i]), fabs(a->low[i])));
    if (i < m->nq) largest = epi_larger(largest, size[g]);
  }
  for (int g = 0; g < a->groups; g++) if (range[g] <= 1e-9*size[g]) still |= 1u << g;
  for (int g = 0; g < a->groups; g++) {
    unsigned to = a->leads[g];
    if (still >> g & 1 || (to && ((!a->whole && (to & ~still) == 0) || range[g]*a->span < 1e-9*largest))) range[g] = HUGE_VAL;
  }
}

/* ---- observables ---- */
void epi_inspector_row(epi_inspector *a, const double *observable, int n, double t)
{
  epi_inspector_memory *m = &a->m;
  double sum = 0;
  for (int i = 0; i < n; i++) sum += 0*observable[i];
  if (a->steps < EPI_SHORT || !a->probe) epi_columns_row(&a->columns, observable);
  for (int i = 0; sum != 0 && !m->strange && i < n; i++) {
    if (isfinite(observable[i])) continue;
    m->strange = i + 1;
    m->strange_at = t;
    m->strange_value = observable[i];
  }
}

int epi_inspector_strange(const epi_inspector *a, double *t, double *value)
{
  *t = a->m.strange_at;
  *value = a->m.strange_value;
  return a->m.strange - 1;
}

/* ---- looks ---- */
/* the next step is one to look at */
static void arm(epi_inspector *a, const epi_state *s, long steps)
{
  epi_inspector_memory *m = &a->m;
  memcpy(a->half, s->y, (size_t)epi_dim(a->inner->sys)*sizeof *s->y);
  m->from = m->t = s->t;
  m->theta = s->theta;
  m->rest = s->key.rest;
  epi_keep_out(a->tighter ? a->probe : a->inner, a->kept);
  m->armed = 1;
  /* steps that stand for others come at uneven distances: no oscillation is met at one phase alone */
  long turn = (long)((double)steps/(double)a->stride) + 1;
  double uneven = 0.618034*(double)turn - floor(0.618034*(double)turn);
  m->next = turn*a->stride + (long)(0.9*(double)a->stride*uneven);
  /* a long run has seen much, and its looks may cost half of a hundredth of it */
  if (steps > MANY) m->next = (long)fmax((double)m->next, (double)steps + DEAR*(double)m->cost*(0.8 + 0.4*uneven));
  m->cost = 0;
}

static void compare(const epi_inspector *a, const double *y, double apart[EPI_GROUPS])
{
  memset(apart, 0, EPI_GROUPS*sizeof *apart);
  for (int i = 0, n = epi_dim(a->inner->sys); i < n; i++) {
    double d = fabs(y[i] - a->half[i]);
    if (!(d <= apart[a->group[i]])) apart[a->group[i]] = d;
  }
}

static double off(const epi_inspector *a, const double apart[EPI_GROUPS])
{
  double range[EPI_GROUPS], most = 0;
  ranges(a, range);
  for (int g = 0; g < a->groups; g++) most = epi_larger(most, apart[g]/range[g]);
  return most;
}

/* an explosion is far off at every look, and what it was off by before is nothing against the last one; one step that is far off at the
   start of a long way is far off, too, unless nothing had moved yet */
static void look_at_worst(epi_inspector *a, epi_inspection *sum, const double apart[EPI_GROUPS], const double all[EPI_GROUPS], long steps)
{
  double range[EPI_GROUPS];
  int late = (double)steps > 0.05*a->steps;
  ranges(a, range);
  for (int g = 0; g < a->groups; g++) {
    if (a->m.due && a->m.dues < EPI_KNOWN) a->m.counts[a->m.dues][g] = late ? all[g]/range[g] : 0;
    else if (late) sum->off = epi_larger(sum->off, all[g]/range[g]);
    double one = apart[g]/range[g];
    if (one <= a->m.worst[g] && a->m.worst_range[g] >= 0.01*range[g]) continue;
    a->m.worst[g] = one;
    a->m.worst_range[g] = range[g];
  }
}

static double worst(const epi_inspector *a)
{
  double range[EPI_GROUPS], most = 0;
  ranges(a, range);
  for (int g = 0; g < a->groups; g++) if (a->m.worst_range[g] >= 0.01*range[g]) most = epi_larger(most, a->m.worst[g]);
  return most;
}

/* after some looks that were due it is known what is usual */
static int outlier(const epi_inspector *a, int g, double apart)
{
  return a->m.dues >= EPI_KNOWN && apart > OUTLIER*fmin(a->m.usual[0][g], a->m.usual[1][g]);
}

/* of the first looks that were due: one whose velocities were far beyond the others fell into an impact, and stands for two steps. Where it
   leads anywhere, positions tell */
static void count_first(epi_inspector *a, epi_inspection *sum)
{
  epi_inspector_memory *m = &a->m;
  int n = (int)fmin(EPI_KNOWN, (double)m->dues);
  for (int g = 0; g < a->groups; g++) {
    double sorted[EPI_KNOWN];
    for (int k = 0; k < n; k++) sorted[k] = m->first[k][g];
    double usual = epi_median(sorted, n);
    for (int k = 0; k < n; k++) {
      double more = n == EPI_KNOWN && a->leads[g] && m->first[k][g] > OUTLIER*usual ? fmax(0, m->since[k] - 2) : 0;
      if (m->first[k][g]*more < HUGE_VAL) sum->apart[g] -= m->first[k][g]*more;
      sum->off = epi_larger(sum->off, m->counts[k][g]*(1 - more/m->since[k]));
    }
  }
}

/* what is left of the difference a step later is what counts: a stiff decay forgets it. A look that was due stands for all steps since the
   last that was; one at a jump for a few, and one that fell into an impact for two: errors have both signs there */
static void add(epi_inspector *a, epi_inspection *sum, const double *y, long steps)
{
  double later[EPI_GROUPS], all[EPI_GROUPS] = {0}, stand[EPI_GROUPS] = {0}, since = (double)(steps - a->m.last_at);
  if (y) compare(a, y, later);
  else memcpy(later, a->m.apart, sizeof later);
  for (int g = 0; g < a->groups; g++) {
    stand[g] = !a->m.due || outlier(a, g, later[g]) ? fmin(a->m.due ? 2 : FEW, (double)steps) : since;
    all[g] = later[g]*stand[g];
    if (all[g] == all[g]) sum->apart[g] += all[g];
    if (!a->m.due) continue;
    if (a->m.dues < EPI_KNOWN) a->m.first[a->m.dues][g] = later[g], a->m.since[a->m.dues] = since;
    a->m.usual[1][g] = a->m.usual[0][g];
    a->m.usual[0][g] = later[g];
  }
  for (int i = 0; y && i < a->columns.n; i++) a->columns.apart[i] += stand[a->group[i]]*fabs(y[i] - a->half[i]);
  look_at_worst(a, sum, later, all, steps);
  if (a->m.due) a->m.last_at = steps, a->m.dues++;
  if (a->m.due && a->m.dues == EPI_KNOWN) count_first(a, sum);
  sum->looks++;
}

/* they cost, so that only short runs look at them */
static void observe(epi_inspector *a, const epi_recorder *r, const epi_state *s)
{
  epi_state half = {.t = s->t, .theta = a->m.theta, .y = a->half};
  if (a->steps < EPI_SHORT && !r->averages) epi_columns_look(&a->columns, r->c, s, &half);
}

double epi_inspector_size(const epi_inspector *a, int rates)
{
  double size = 0;
  for (int i = rates ? a->inner->sys->nq : 0, n = rates ? epi_dim(a->inner->sys) : a->inner->sys->nq; i < n; i++)
    size = epi_larger(size, epi_larger(fabs(a->high[i]), fabs(a->low[i])));
  return size;
}

const epi_columns *epi_inspector_columns(const epi_inspector *a) { return &a->columns; }

double epi_inspector_alone(const epi_inspector *a, int rates, int *which)
{
  const epi_system *m = a->inner->sys;
  int split = m->nq ? m->nq : epi_dim(m);
  double range[EPI_GROUPS], most = 0;
  ranges(a, range);
  for (int i = rates ? split : 0, n = rates ? epi_dim(m) : split; i < n; i++) {
    double own = a->high[i] - a->low[i], size = epi_larger(fabs(a->high[i]), fabs(a->low[i]));
    int often = rates && a->way[i] > 4*own;    /* two turns */
    if (often || own < FAR[rates]*range[a->group[i]] || own <= 1e-9*size || !(a->columns.apart[i] > most*own)) continue;
    most = a->columns.apart[i]/own;
    *which = i;
  }
  return most;
}

int epi_inspector_failed(const epi_inspector *a, const epi_inspection *sum) { return a->m.failed && (a->whole || !sum->looks); }

/* what fell into an impact is followed until that is over */
static int unusual(const epi_inspector *a, const double *y)
{
  double apart[EPI_GROUPS];
  int any = 0;
  compare(a, y, apart);
  for (int g = 0; g < a->groups; g++) any |= outlier(a, g, apart[g]);
  return any;
}

/* what would count for much at the start or at a jump is followed for as long as it fades: a stiff decay may take some steps. Where nothing
   in the system decays it would be the method that lets it fade; and what is made anew in every step stays */
static int fades(epi_inspector *a, const double *y)
{
  double apart[EPI_GROUPS], before = a->m.fading;
  if (!a->decays || a->m.due) return 0;
  compare(a, y, apart);
  a->m.fading = off(a, apart)*FEW;
  return a->m.fading > MATTERS && a->m.fading < 0.98*before;
}

/* the probe goes along, at first in halves. EPI_INTERRUPTED: the run was asked to stop, and nothing has changed */
static int go_along(epi_inspector *a, const epi_recorder *r, double h)
{
  epi_inspector_memory *m = &a->m;
  int halved = !a->tighter && (a->whole || m->armed == 1);
  epi_state half = {.t = m->t, .theta = m->theta, .y = a->half, .key = {.rest = m->rest}};
  const size_t size = (size_t)epi_dim(a->inner->sys)*sizeof *a->half;
  memcpy(a->came, a->half, size);
  epi_keep_in(a->probe, a->kept);
  int bad = epi_advance(a->probe, &half, halved ? 0.5*h : h, halved ? 2 : 1);
  /* one half may have been taken */
  if (bad && epi_asked_to_stop(r->tree)) { memcpy(a->half, a->came, size); return EPI_INTERRUPTED; }
  if (bad) return bad;
  epi_keep_out(a->probe, a->kept);
  m->cost += halved ? 3 : 2;
  m->t = half.t, m->theta = half.theta, m->rest = half.key.rest;
  return 0;
}

/* the step just taken again, first as two halves; then one more step from there, or some. bad: the probe could not go along */
static void look_again(epi_inspector *a, epi_recorder *r, const epi_state *s, int bad)
{
  epi_inspection *sum = &r->r->inspection;
  long steps = r->r->steps;
  epi_inspector_memory *m = &a->m;
  double h = s->t - m->from;
  int at = m->armed, first = at == 1;
  m->from = s->t;
  m->armed = 0;
  if (!h) return;
  if (bad) { m->failed++; return; }
  see(a, s);
  if (first) compare(a, s->y, m->apart), m->fading = HUGE_VAL;
  int more = first ? 2 : at - 1 < EPI_SETTLE && (unusual(a, s->y) || fades(a, s->y)) ? at + 1 : 0;
  if (!more) add(a, sum, s->y, steps), observe(a, r, s);
  m->armed = more;
}

/* a run of a few steps, all of it taken again in halves: what differs then is what the run is off by */
static void follow(epi_inspector *a, epi_recorder *r, const epi_state *s, int bad)
{
  epi_inspector_memory *m = &a->m;
  epi_inspection *sum = &r->r->inspection;
  double now[EPI_GROUPS];
  if (!m->armed || !(s->t - m->from > 0)) return;
  m->from = s->t;
  if (bad) { m->failed++; m->armed = 0; return; }
  see(a, s);
  compare(a, s->y, now);
  for (int g = 0; g < a->groups; g++) sum->apart[g] = epi_larger(sum->apart[g], now[g]);
  for (int i = 0; i < a->columns.n; i++) a->columns.apart[i] = epi_larger(a->columns.apart[i], fabs(s->y[i] - a->half[i]));
  sum->looks++;
  observe(a, r, s);
}

/* the largest change of a velocity, or of what has none, since the last step; 1 if it is twice what was seen before */
static int jumps(epi_inspector *a, const epi_state *s)
{
  const epi_system *m = a->inner->sys;
  int all = epi_all_rate(m), n = all ? epi_dim(m) : epi_nv(m), from = all ? 0 : m->nq;
  double jump = 0;
  for (int i = 0; i < n; i++) {
    double d = fabs(s->y[from + i] - a->before[i]);
    if (d > jump) jump = d;
    a->before[i] = s->y[from + i];
  }
  if (!(jump > 2*a->m.jump)) return 0;
  a->m.jump = jump;
  return a->m.jumps < EPI_LEAST_LOOKS;
}

/* steps that the run is told to take go through what is thin as they will; one after the other they are looked at for that */
static void look_through(epi_inspector *a, const epi_state *s, long steps)
{
  epi_system *m = a->inner->sys;
  epi_inspector_memory *k = &a->m;
  double part;
  int through = steps == k->seen_step + 1 && m->contacts.went_through(m, k->seen_at, a->seen, s->t, s->y, &part) == 1;
  if (through && !k->through++) k->through_at = k->seen_at;
  memcpy(a->seen, s->y, (size_t)epi_dim(m)*sizeof *a->seen);
  k->seen_at = s->t;
  k->seen_step = steps;
}

long epi_inspector_through(const epi_inspector *a, double *t) { *t = a->m.through_at; return a->m.through; }

/* what can only lose energy */
static void look_at_energy(epi_inspector *a, epi_inspection *sum, epi_case *c, const epi_state *s)
{
  epi_system *m = &c->system;
  double E = m->energy(m, s->t, s->y);
  if (E < a->m.least) a->m.least = E;
  sum->kinetic = epi_larger(sum->kinetic, m->energies.kinetic(m, s->t, s->y));
  sum->rise = epi_larger(sum->rise, E - a->m.least);
}

/* the next step at which there is something to do */
static long next_of(const epi_inspector *a, const epi_recorder *r, long steps)
{
  long block = a->m.impacts.steps, next = steps + block - steps % block;
  if (a->m.armed || (a->probe && (a->steps < EPI_SHORT || a->inner->sys->contacts.went_through))) return steps + 1;
  if (!a->probe) next = r->passive ? steps + ENERGY_STRIDE - steps % ENERGY_STRIDE : LONG_MAX;
  return a->probe && a->m.next < next ? a->m.next : next;
}

static int look(epi_inspector *a, epi_recorder *r, const epi_state *s)
{
  long steps = r->r->steps;
  epi_inspection *sum = &r->r->inspection;
  double h = s->t - a->m.from;
  int bad = a->probe && a->m.armed && (a->whole ? h > 0 : h != 0) ? go_along(a, r, h) : 0;
  if (bad == EPI_INTERRUPTED) return bad;
  if (s->t >= a->m.next_sample) sample(a, r, s);
  if (r->passive && steps % ENERGY_STRIDE == 0) look_at_energy(a, sum, r->c, s);
  if (!a->probe) return 0;
  if (a->inner->sys->contacts.went_through && !a->tighter) look_through(a, s, steps);
  if (a->whole) { follow(a, r, s, bad); return 0; }
  if (a->m.armed) look_again(a, r, s, bad);
  /* a short run is seen step by step, a long one in blocks */
  if (a->steps >= EPI_SHORT && steps % a->m.impacts.steps == 0)
    epi_impacts_block(&a->m.impacts, a->impacts, a->inner, a->probe, s, (double)steps);
  int jump = a->steps < EPI_SHORT && jumps(a, s);
  if (a->m.armed || !(steps >= a->m.next || jump)) return 0;
  a->m.due = steps >= a->m.next;
  a->m.jumps += !a->m.due;
  arm(a, s, steps);
  return 0;
}

/* called when it is time: see beat */
int epi_inspector_step(epi_inspector *a, epi_recorder *r, const epi_state *s)
{
  int bad = look(a, r, s);
  if (bad) return bad;
  r->wake = a->m.wake = next_of(a, r, r->r->steps);
  r->wake_at = a->m.next_sample;
  return 0;
}

/* how far what oscillates with the fastest frequency goes from its middle, by how hard it is pulled back */
static void look_at_fastest(epi_inspector *a, const epi_recorder *r, const epi_state *s)
{
  const epi_system *m = a->inner->sys;
  int n = epi_nv(m), N = epi_dim(m), rate = epi_all_rate(m);
  double w = r->fastest, *dy = a->pull;
  if (epi_space_rate(a->inner->space, s->t, s->theta, s->y, dy)) return;
  if (rate) for (int i = 0; i < N; i++) dy[i] = fabs(dy[i])/w;
  else for (int i = 0; i < n; i++) dy[i] = fabs(dy[m->nq + i])/(w*w) + fabs(s->y[m->nq + i])/w;
  a->m.pulled = rate ? N : n;
}

/* a run that goes on has begun */
void epi_inspector_begin(epi_inspector *a, epi_recorder *r, const epi_state *s)
{
  const epi_system *m = a->inner->sys;
  int all = epi_all_rate(m), n = all ? epi_dim(m) : epi_nv(m);
  if (a->m.begun) return;
  a->m.begun = 1;
  memcpy(a->before, s->y + (all ? 0 : m->nq), (size_t)n*sizeof *a->before);
  sample(a, r, s);
  if (r->passive) look_at_energy(a, &r->r->inspection, r->c, s);
  if (r->fastest > 0 && !r->averages && epi_nv(m) == m->nq && !m->nc) look_at_fastest(a, r, s);
  if (a->probe) epi_impacts_begin(&a->m.impacts, a->impacts, a->inner, s);
  if (a->probe) arm(a, s, r->r->steps);
  if (a->probe && m->contacts.went_through) look_through(a, s, r->r->steps);
}

/* ---- at the end ---- */
/* an oscillation goes to and fro once in a turn */
static double turned(const epi_inspector *a)
{
  const epi_system *m = a->inner->sys;
  double most = 0;
  for (int i = 0, n = m->nq ? m->nq : epi_dim(m); i < n; i++) {
    double range = a->high[i] - a->low[i];
    if (range > 1e-9*epi_larger(fabs(a->high[i]), fabs(a->low[i]))) most = epi_larger(most, EPI_PI*a->way[i]/range);
  }
  return most;
}

static double unseen(const epi_inspector *a)
{
  double range[EPI_GROUPS], most = 0;
  ranges(a, range);
  for (int i = 0; i < a->m.pulled; i++) most = epi_larger(most, a->pull[i]/range[a->group[i]]);
  return most;
}

double epi_inspector_share(const epi_inspector *a, const double *of)
{
  const epi_system *m = a->inner->sys;
  double range[EPI_GROUPS], most = 0;
  ranges(a, range);
  for (int i = 0, n = m->nq ? m->nq : epi_dim(m); i < n; i++) most = epi_larger(most, of[i]/range[a->group[i]]);
  return most;
}

/* what the impacts put coordinates off by, of those of a kind the most */
static double off_by_impacts(const epi_inspector *a)
{
  double apart[EPI_GROUPS] = {0};
  for (int i = 0, n = epi_dim(a->inner->sys); i < n; i++)
    apart[a->group[i]] = epi_larger(apart[a->group[i]], epi_impacts_off(&a->m.impacts, a->impacts, a->inner, i));
  return off(a, apart);
}

void epi_inspector_end(epi_inspector *a, epi_recorder *r, const epi_state *s)
{
  epi_inspection *sum = &r->r->inspection;
  see(a, s);
  if (a->m.armed >= 2) add(a, sum, NULL, r->r->steps);
  if (a->m.dues < EPI_KNOWN) count_first(a, sum);
  if (sum->looks) sum->off = epi_larger(epi_larger(sum->off, worst(a)), off(a, sum->apart));
  if (a->m.impacts.again) sum->off = epi_larger(sum->off, off_by_impacts(a));
  if (r->passive) look_at_energy(a, sum, r->c, s);
  sum->mean_kinetic = a->m.kinetic_sum/(double)a->m.samples;
  sum->usual_error = epi_median(a->m.error, (int)fmin(EPI_ERRORS, ceil((double)(a->m.samples*EPI_ERRORS)/(double)a->most_samples)));
  sum->turned = turned(a);
  sum->unseen = unseen(a);
}
