/* together.c - runs of one flow that are moved in lanes, each recorded as if it were alone: its rows, its looks at itself, its counts */
#include "together.h"
#include "epicycle/lanes.h"
#include "inspect.h"
#include <limits.h>

typedef struct { int n; epi_recorder **of; epi_state *state; epi_system **system; epi_lanes *lanes; long per_row, all; } group;

/* the number of steps of h in a span, where it is a whole one; else 0 */
static long whole_steps(double span, double h)
{
  double n = floor(span/h + 0.5);
  return n >= 1 && n < 1e12 && fabs(span/h - n) <= 1e-10*n ? (long)n : 0;
}

static int is_plain(const epi_recorder *a)
{
  return !a->adaptive && !a->inside && !a->own_clock && !a->fast && !a->averages && !a->sheet && !a->sick && !a->ask.beat
    && !a->r->kept.x && !a->r->chosen.x && !epi_event_name(a->tree, 0) && a->c->system.batch.forces_of && strcmp(a->r->status, "refused");
}

int epi_result_moves_in_lanes(const epi_result *r)
{
  const epi_recorder *a = r->recorder;
  char why[EPI_SENTENCE_SIZE];
  return a && a->tree && is_plain(a) && whole_steps(a->end - a->start, a->step)
    && !epi_lanes_refuse(a->text, &a->c->system, why, sizeof why);
}

/* rows are at steps, or at the end alone */
static int fits(group *g)
{
  const epi_recorder *a = g->of[0];
  g->all = whole_steps(a->end - a->start, a->step);
  g->per_row = a->every > 0 ? whole_steps(a->every, a->step) : 1;
  if (a->every >= (a->end - a->start)*(1 - 1e-9)) g->per_row = LONG_MAX;
  int fine = g->all && g->per_row;
  for (int k = 0; k < g->n && fine; k++) {
    const epi_recorder *b = g->of[k];
    fine = is_plain(b) && !strcmp(b->r->status, "running") && b->step == a->step && b->end == a->end && b->start == a->start
      && b->every == a->every && !strcmp(b->text, a->text) && b->r->steps == 0;
  }
  return fine;
}

/* steps until one of them has something to do */
static long free_steps(const group *g, long done)
{
  long n = g->all - done, row = g->per_row == LONG_MAX ? n : g->per_row - done % g->per_row;
  if (row < n) n = row;
  for (int k = 0; k < g->n; k++) {
    const epi_recorder *a = g->of[k];
    double until = floor((a->wake_at - a->s.t)/a->step*(1 - 1e-12));
    long stride = a->r->stride - done % a->r->stride, wake = a->wake - done;
    if (a->r->ninvariant && stride < n) n = stride;
    if (wake < n) n = wake;
    if (until < (double)n) n = (long)until;
  }
  return n > 1 ? n : 1;
}

static int record(group *g, long steps, long done)
{
  int bad = 0, ends = done == g->all;
  for (int k = 0; k < g->n && !bad; k++) {
    epi_recorder *a = g->of[k];
    epi_set_clock(&a->s, (epi_tick){g->state[k].t, g->state[k].key.rest, g->state[k].theta});
    if (g->per_row != LONG_MAX && done % g->per_row == 0 && !ends) {
      epi_state shown = a->s;
      long row = done/g->per_row;
      shown.t = a->every > 0 ? a->start + (double)row*a->every : a->s.t;
      bad = epi_recorder_shown(a, &shown);
    }
    if (!bad) bad = epi_recorder_beat(a, &a->s, steps);
    if (ends) epi_set_clock(&a->s, (epi_tick){.t = a->end, .theta = a->s.theta});
  }
  return bad;
}

/* the nodes of one tree count as those of the other do, which is below the watches */
typedef struct { epi_flow *node[64]; int n; } nodes;
static void list_node(epi_flow *f, void *data) { nodes *l = data; if (l->n < 64) l->node[l->n++] = f; }

static void count(const group *g)
{
  nodes from = {0};
  epi_visit((epi_flow *)epi_lanes_flow(g->lanes), list_node, &from);
  for (int k = 0; k < g->n; k++) {
    nodes to = {0};
    epi_visit(g->of[k]->tree, list_node, &to);
    for (int i = 0; i < to.n; i++) {
      int at = i - (to.n - from.n);
      to.node[i]->steps += at < 0 ? g->all : from.node[at]->steps;
      if (at >= 0) to.node[i]->calls += from.node[at]->calls;
    }
  }
}

static int move(group *g)
{
  for (long done = 0; done < g->all; ) {
    if (epi_asked_to_stop(g->of[0]->tree)) return EPI_STOPPED;
    long n = free_steps(g, done);
    if (epi_lanes_continue(g->lanes, g->of[0]->step, n)) return EPI_WRONG;
    if (record(g, n, done += n)) return EPI_WRONG;
  }
  count(g);
  return 0;
}

int epi_results_go(epi_result **r, int n)
{
  int bad = EPI_WRONG;
  group g = {.n = n, .of = malloc((size_t)n*sizeof *g.of), .state = malloc((size_t)n*sizeof *g.state),
             .system = malloc((size_t)n*sizeof *g.system)};
  if (g.of && g.state && g.system) {
    for (int k = 0; k < n; k++) g.of[k] = r[k]->recorder;
    if (fits(&g)) {
      for (int k = 0; k < n; k++) g.state[k] = g.of[k]->s, g.system[k] = &g.of[k]->c->system;
      g.lanes = epi_lanes_make(g.of[0]->text, n, g.system, g.state);
      if (g.lanes && !epi_lanes_error(g.lanes, -1)) {
        for (int k = 0; k < n; k++) epi_inspector_begin(g.of[k]->inspector, g.of[k], &g.of[k]->s);
        bad = move(&g);
      }
      epi_lanes_free(g.lanes);
    }
  }
  free(g.of);
  free(g.state);
  free(g.system);
  return bad;
}
