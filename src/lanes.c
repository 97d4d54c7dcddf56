/* lanes.c - many states moved together: K systems become one of K times as many coordinates, lane fastest, whose force is one call of their
 * batch callback. All that fixed steps do is done to each coordinate for itself, so that every lane has the bits it has alone, by any flow
 * of which that is true: the methods know nothing of lanes */
#include "core.h"
#include "epicycle/lanes.h"
#include "registry.h"

/* K systems as one: first, so that its callbacks find the rest */
typedef struct stack {
  epi_system sys;
  epi_system **of;
  int lanes, one;              /* one: all of them are the same */
  double *t, *theta, *mass;    /* of every lane */
  double *room;                /* of one lane: Q, P, v */
} stack;

struct epi_lanes {
  int n, left;                 /* lanes; those that have not failed */
  char *flow;
  epi_system **system;
  epi_state *state;
  char (*error)[EPI_SENTENCE_SIZE], (*warning)[EPI_WARNING_SIZE];
  char refused[EPI_SENTENCE_SIZE];
  int *lane;                   /* which those are that are left */
  stack *all;
  epi_flow *tree;
  double *y, *guard;           /* of all; room for one */
  epi_state stacked;           /* of all, where it goes on */
  int begun, averages, goes_on;
};

/* ---- the callbacks of a stack ---- */
static int batch(stack *a, double t, double theta, const double *q, double *f)
{
  epi_system *m = a->of[0];
  for (int k = 0; k < a->lanes; k++) a->t[k] = t;
  if (m->phase.forced) for (int k = 0; k < a->lanes; k++) a->theta[k] = theta;
  return a->one && m->batch.forces ? m->batch.forces(m, a->lanes, a->t, a->theta, q, f)
    : m->batch.forces_of(a->of, a->lanes, a->t, a->theta, q, f);
}

static int force(epi_system *s, double t, const double *q, double *f) { return batch((stack *)s, t, 0, q, f); }
static int forced(epi_system *s, double t, double theta, const double *q, double *f) { return batch((stack *)s, t, theta, q, f); }
static double phase_rate_at(epi_system *s, double t) { epi_system *m = ((stack *)s)->of[0]; return m->phase.phase_rate_at(m, t); }

static int lift(epi_system *s, double t, double theta, const double *Q, const double *P, double *v)
{
  stack *a = (stack *)s;
  int n = a->of[0]->nq, nv = epi_nv(a->of[0]), bad = 0;
  double *q = a->room, *p = q + n, *x = p + nv;
  for (int k = 0; k < a->lanes && !bad; k++) {
    for (int i = 0; i < n; i++) q[i] = Q[i*a->lanes + k];
    for (int i = 0; i < nv; i++) p[i] = P[i*a->lanes + k], x[i] = v[i*a->lanes + k];
    bad = a->of[k]->phase.lift(a->of[k], t, theta, q, p, x);
    for (int i = 0; i < nv; i++) v[i*a->lanes + k] = x[i];
  }
  return bad;
}

/* ---- what can be stacked ---- */
static int say(char *why, size_t size, const char *words) { return snprintf(why, size, "%s", words), -1; }

static int system_wrong(const epi_system *m, int one, char *why, size_t size)
{
  if (!m->batch.forces_of && !(one && m->batch.forces))
    return say(why, size, "lanes need a batch callback: fill in forces_of, or forces where all lanes have the same system");
  if (!epi_has_force(m)) return say(why, size, "lanes need a force, beside which the batch callback stands: fill in force or forced");
  if (m->velocity_force || m->rate || m->nz || m->inertia.speed)
    return say(why, size, "lanes move by forces of position alone, and this system has more than these: move them one by one");
  if (m->nc || m->manifold.retract || m->derived || m->phase.phase_in_t)
    return say(why, size, "lanes have no constraints and no rotations, and no systems that are made of others: move them one by one");
  if ((m->inertia.mass_matrix || m->inertia.mass_solve) && !m->inertia.accel)
    return say(why, size, "lanes need masses by a list, or none: move them one by one");
  return 0;
}

static int differs(const epi_system *a, const epi_system *b)
{
  return a->nq != b->nq || epi_nv(a) != epi_nv(b) || a->batch.forces_of != b->batch.forces_of || !a->mass != !b->mass ||
    a->inertia.accel != b->inertia.accel ||
    !a->phase.forced != !b->phase.forced || a->phase.phase_rate != b->phase.phase_rate ||
      a->phase.phase_rate_at != b->phase.phase_rate_at || a->phase.theta0 != b->phase.theta0 ||
    a->traits.smooth != b->traits.smooth ||
    a->phase.period != b->phase.period || a->traits.irreversible != b->traits.irreversible || !a->phase.lift != !b->phase.lift ||
      (a->phase.phase_rate_at && a != b);
}

typedef struct { const char *unknown; int averages; } seen_records;
static void see_record(void *data, const epi_info *i)
{
  seen_records *a = data;
  int table = i->record->arrow == EPI_METHOD && i->record->table && i->claims & EPI_EXPLICIT;
  if (!table && !(epi_traits_of(i->record) & EPI_IN_LANES) && !a->unknown) a->unknown = i->record->name;
  a->averages |= i->record->arrow == EPI_AVERAGE;
}

static int flow_wrong(const epi_flow *f, const epi_system *m, int *averages, char *why, size_t size)
{
  seen_records a = {0};
  if (epi_error(f)) return say(why, size, epi_error(f));
  epi_walk(f, see_record, &a);
  *averages = a.averages;
  if (a.unknown)
    return snprintf(why, size, "%s does not move in lanes: verlet, euler-symplectic, explicit Runge-Kutta tables, hmm, strobe, and "
                    "symmetric, compose, strang, adjoint and substeps of them do, with fixed steps", a.unknown), -1;
  if (a.averages && !m->phase.forced) return say(why, size, "averages move in lanes where their system has a phase: fill in forced");
  return 0;
}

/* ---- stacking ---- */
static void stack_free(stack *a)
{
  if (!a) return;
  free(a->of);
  free(a->t);
  free(a);
}

static stack *stack_make(epi_system *const *system, const int *lane, int lanes)
{
  epi_system *m = system[lane[0]];
  size_t K = (size_t)lanes, nv = (size_t)epi_nv(m), n = (size_t)m->nq;
  stack *a = calloc(1, sizeof *a);
  if (!a) return NULL;
  *a = (stack){.lanes = lanes, .one = 1, .of = malloc(K*sizeof *a->of), .t = calloc(2*K + K*nv + n + 2*nv, sizeof *a->t)};
  if (!a->of || !a->t) return stack_free(a), NULL;
  a->theta = a->t + K;
  a->mass = a->theta + K;
  a->room = a->mass + K*nv;
  for (size_t k = 0; k < K; k++) {
    epi_system *b = a->of[k] = system[lane[k]];
    a->one &= b == m;
    for (size_t i = 0; m->mass && i < nv; i++) a->mass[i*K + k] = b->mass[i];
  }
  a->sys = (epi_system){.nq = (int)(n*K), .nv = (int)(nv*K), .force = m->force ? force : NULL,
                        .phase = {.forced = m->phase.forced ? forced : NULL, .phase_rate = m->phase.phase_rate,
                                  .phase_rate_at = m->phase.phase_rate_at ? phase_rate_at : NULL, .theta0 = m->phase.theta0,
                                  .period = m->phase.period, .lift = m->phase.lift ? lift : NULL}, .mass = m->mass ? a->mass : NULL,
                        .inertia.accel = m->inertia.accel, .traits = {.irreversible = m->traits.irreversible, .smooth = m->traits.smooth},
                        .names = lanes == 1 ? m->names : NULL, .explain = lanes == 1 ? m->explain : NULL, .data = m->data};
  return a;
}

/* those that are left, as one; 0, or -1 and why */
static int stack_again(epi_lanes *l)
{
  epi_free(l->tree);
  stack_free(l->all);
  l->tree = NULL;
  l->all = NULL;
  if (!l->left) return 0;
  if (!(l->all = stack_make(l->system, l->lane, l->left))) return say(l->refused, sizeof l->refused, "out of memory: no room for lanes");
  l->tree = epi_make(l->flow, &l->all->sys);
  return flow_wrong(l->tree, &l->all->sys, &l->averages, l->refused, sizeof l->refused);
}

static void gather(const epi_lanes *l)
{
  int K = l->left, n = epi_dim(l->system[0]);
  for (int k = 0; k < K; k++) for (int i = 0; i < n; i++) l->y[(size_t)i*(size_t)K + (size_t)k] = l->state[l->lane[k]].y[i];
}

static void scatter(epi_lanes *l, const epi_state *s)
{
  int K = l->left, n = epi_dim(l->system[0]);
  for (int k = 0; k < K; k++) {
    epi_state *to = &l->state[l->lane[k]];
    for (int i = 0; i < n; i++) to->y[i] = l->y[(size_t)i*(size_t)K + (size_t)k];
    epi_set_clock(to, (epi_tick){s->t, s->key.rest, s->theta});
  }
}

/* ---- moving ---- */
typedef struct { double h, end; long n; } way;
static int go(epi_flow *f, epi_state *s, const way *w) { return w->n ? epi_advance(f, s, w->h, w->n) : epi_run(f, s, w->end, w->h); }

/* a lane alone, in lanes of one: 0, or its error; what it warns of is kept */
static int alone(epi_lanes *l, int lane, epi_state *s, const way *w)
{
  stack *a = stack_make(l->system, &lane, 1);
  epi_flow *f = a ? epi_make(l->flow, &a->sys) : NULL;
  int bad = f ? go(f, s, w) : EPI_WRONG;
  if (bad) snprintf(l->error[lane], sizeof *l->error, "%s", !f ? "out of memory" : epi_error(f) ? epi_error(f) : "the lane failed");
  if (f && epi_warning(f, 0) && !l->warning[lane][0]) snprintf(l->warning[lane], sizeof *l->warning, "%s", epi_warning(f, 0));
  epi_free(f);
  stack_free(a);
  return bad;
}

/* those that have failed are left out from here on */
static int drop_failed(epi_lanes *l)
{
  int left = 0;
  for (int k = 0; k < l->left; k++) if (!l->error[l->lane[k]][0]) l->lane[left++] = l->lane[k];
  if (left == l->left) return 0;
  l->left = left;
  return stack_again(l);
}

/* what an average asks at its first window it asks of each lane: beside others, one that is small would not be heard */
static int ask_each(epi_lanes *l, const way *w)
{
  int n = epi_dim(l->system[0]);
  way first = {.h = w->h, .n = 1};
  if (l->begun || !l->averages) return 0;
  for (int k = 0; k < l->left; k++) {
    epi_state s = l->state[l->lane[k]];
    s.y = memcpy(l->guard, s.y, (size_t)n*sizeof *s.y);
    alone(l, l->lane[k], &s, &first);
  }
  return drop_failed(l);
}

static int move(epi_lanes *l, const way *w)
{
  if (l->refused[0] || ask_each(l, w)) return EPI_WRONG;
  l->begun = 1;
  l->goes_on = 0;
  if (!l->left) return l->n;
  epi_state s = l->state[l->lane[0]];
  s.y = l->y;
  s.impulse = s.lambda = NULL;
  gather(l);
  if (!go(l->tree, &s, w)) { scatter(l, &s); return l->n - l->left; }
  /* one of them at least: each for itself, from where they were */
  for (int k = 0; k < l->left; k++) alone(l, l->lane[k], &l->state[l->lane[k]], w);
  return drop_failed(l) ? EPI_WRONG : l->n - l->left;
}

/* with their squares, as each for itself is looked at */
static int all_finite(const epi_lanes *l)
{
  double sum = 0;
  for (int i = 0, n = epi_dim(&l->all->sys); i < n; i++) sum += 0*(l->y[i]*l->y[i]);
  return sum == 0;
}

int epi_lanes_continue(epi_lanes *l, double h, long n)
{
  if (l->refused[0] || l->left < l->n || l->averages || epi_ready(l->tree)) return EPI_WRONG;
  if (!l->goes_on) {
    l->stacked = l->state[0];
    l->stacked.y = l->y;
    l->stacked.impulse = l->stacked.lambda = NULL;
    epi_cache_invalidate(&l->stacked);
    gather(l);
    l->goes_on = 1;
  }
  if (epi_go(l->tree, &l->stacked, h, n) || !all_finite(l)) return l->goes_on = 0, EPI_WRONG;
  scatter(l, &l->stacked);
  return 0;
}

const epi_flow *epi_lanes_flow(const epi_lanes *l) { return l->tree; }

int epi_lanes_advance(epi_lanes *l, double h, long n)
{
  if (n < 1) return n ? (say(l->refused, sizeof l->refused, "the number of steps is negative: take a negative step to go back"), EPI_WRONG)
    : l->n - l->left;
  return move(l, &(way){.h = h, .n = n});
}

int epi_lanes_run(epi_lanes *l, double end, double h) { return move(l, &(way){.h = h, .end = end}); }

/* ---- making ---- */
static int check_all(epi_lanes *l)
{
  int one = 1;
  for (int k = 1; k < l->n; k++) one &= l->system[k] == l->system[0];
  if (system_wrong(l->system[0], one, l->refused, sizeof l->refused)) return -1;
  for (int k = 1; k < l->n; k++) {
    const epi_state *a = &l->state[0], *b = &l->state[k];
    if (differs(l->system[0], l->system[k]) || a->t != b->t || a->theta != b->theta || a->key.rest != b->key.rest)
      return say(l->refused, sizeof l->refused, "lanes have the sizes, the time, the phase and its rate of the first: give those that "
                 "differ lanes of their own");
  }
  return stack_again(l);
}

epi_lanes *epi_lanes_make_abi(const char *flow, int lanes, epi_system *const *systems, epi_state *states, const epi_abi *abi)
{
  epi_lanes *l = calloc(1, sizeof *l);
  if (!l) return NULL;
  if (epi_abi_check(abi, l->refused, sizeof l->refused)) return l;
  if (lanes < 1 || lanes > 65536) return say(l->refused, sizeof l->refused, "there are 1 to 65536 lanes"), l;
  size_t n = (size_t)lanes, dim = (size_t)epi_dim(systems[0]), letters = strlen(flow) + 1;
  l->n = l->left = lanes;
  l->flow = malloc(letters);
  l->system = malloc(n*sizeof *l->system);
  l->lane = malloc(n*sizeof *l->lane);
  l->error = calloc(n, sizeof *l->error);
  l->warning = calloc(n, sizeof *l->warning);
  l->y = calloc(n*dim + dim, sizeof *l->y);
  l->state = states;
  if (!l->flow || !l->system || !l->lane || !l->error || !l->warning || !l->y) return epi_lanes_free(l), NULL;
  l->guard = l->y + n*dim;
  memcpy(l->flow, flow, letters);
  memcpy(l->system, systems, n*sizeof *l->system);
  for (int k = 0; k < lanes; k++) l->lane[k] = k;
  check_all(l);
  return l;
}

void epi_lanes_free(epi_lanes *l)
{
  if (!l) return;
  epi_free(l->tree);
  stack_free(l->all);
  free(l->flow);
  free(l->system);
  free(l->lane);
  free(l->error);
  free(l->warning);
  free(l->y);
  free(l);
}

/* ---- looking ---- */
const char *epi_lanes_error(const epi_lanes *l, int lane)
{
  if (!l) return "out of memory";
  if (l->refused[0]) return l->refused;
  return lane >= 0 && lane < l->n && l->error[lane][0] ? l->error[lane] : NULL;
}

const char *epi_lanes_warning(const epi_lanes *l, int lane)
{
  if (lane < 0 || lane >= l->n) return NULL;
  return l->warning[lane][0] ? l->warning[lane] : l->tree ? epi_warning(l->tree, 0) : NULL;
}

int epi_lanes_refuse(const char *flow, const epi_system *m, char *why, size_t size)
{
  int averages, lane = 0;
  if (system_wrong(m, 1, why, size)) return -1;
  epi_system *of = (epi_system *)m;
  stack *a = stack_make(&of, &lane, 1);
  epi_flow *f = a ? epi_make(flow, &a->sys) : NULL;
  int bad = f ? flow_wrong(f, m, &averages, why, size) : say(why, size, "out of memory");
  epi_free(f);
  stack_free(a);
  return bad;
}
