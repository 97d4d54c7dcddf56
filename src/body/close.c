/* close.c - a world is closed: names of its coordinates, which velocities its joints touch, what goes together, and the systems it becomes.
 * All of it in time and room that grow as the world does */
#include "race.h"
#include "crew.h"
#include <stdio.h>

void epi_world_free(epi_world *w)
{
  if (!w) return;
  /* first: a helper that was late may still be looking at the rest */
  epi_crew_free(w->crew);
  for (int i = 0; i < w->pairs; i++) { free(w->pair[i].data); epi_flex_free(w->pair[i].flex); }
  for (int i = 0; i < w->joints; i++) { free(w->joint[i].own); free(w->joint[i].made); }
  for (int i = 0; i < w->bodies; i++) free((void *)w->body[i].modal_stiffness);
  void *const blocks[] = {
    w->coordinate, w->letters, w->unit, w->given, w->look, w->body, w->pair, w->joint, w->number, w->body_names.entry,
    w->action_names.entry,
    w->mass, w->q, w->v, w->start, w->mode, w->gap_stiffness, w->stiff_body, w->taken, w->ends, w->rows.rowptr, w->rows.cols,
    w->slope.rowptr, w->slope.cols, w->turned, w->coupling, w->breaks,
  };
  for (size_t i = 0; i < sizeof blocks/sizeof *blocks; i++) free(blocks[i]);
  epi_races_free(w->races);
  epi_rollers_free(w->rollers);
  free(w);
}


/* ---- names ---- */
/* body.x, and body.e1 for a mode; at `to`, its end is returned */
static char *write_name(char *to, const char *body, const char *what, int number)
{
  return to + 1 + sprintf(to, number ? "%s.%s%d" : "%s.%s", body, what, number);
}

static int name_coordinates(epi_world *w)
{
  static const char *const q[] = {"x", "y", "z", "q0", "q1", "q2", "q3"}, *const v[] = {"vx", "vy", "vz", "w1", "w2", "w3"};
  enum { MORE = 16 };
  size_t n = (size_t)(w->nq + w->nv), letters = 1;
  for (int i = 0; i < w->bodies; i++) letters += (strlen(w->body[i].name) + MORE)*(size_t)(13 + 2*w->body[i].modes);
  for (int i = 0; i < w->turns; i++) letters += strlen(w->joint[w->turned[i].joint].name) + MORE;
  w->coordinate = calloc(n + 1, sizeof *w->coordinate);
  w->unit = calloc(n + 1, sizeof *w->unit);
  char *to = w->letters = malloc(letters);
  if (!w->coordinate || !w->unit || !to) return epi_world_no_memory(w);
  for (int i = 0; i < w->bodies; i++) {
    const epi_member *m = &w->body[i];
    for (int k = 0; k < 13 + 2*m->modes; k++) {
      int pos = k < 7 + m->modes, j = pos ? k : k - 7 - m->modes, rigid = pos ? 7 : 6, at = pos ? m->q + j : w->nq + m->v + j;
      /* quaternions have none, and what a mode is measured in depends on its mass */
      w->unit[at] = j >= rigid || (pos && j >= 3) ? "" : pos ? "m" : j < 3 ? "m/s" : "rad/s";
      w->coordinate[at] = to;
      to = write_name(to, m->name, j >= rigid ? (pos ? "e" : "de") : pos ? q[j] : v[j], j >= rigid ? j - rigid + 1 : 0);
    }
  }
  for (int i = 0; i < w->turns; i++) {
    static const char *const turned[] = {"turned.x", "turned.y", "turned.z"};
    int at = w->nq - w->turns + i, axis = w->turned[i].axis;
    w->unit[at] = "rad";
    w->coordinate[at] = to;
    to = write_name(to, w->joint[w->turned[i].joint].name, turned[axis == EPI_RX ? 0 : axis == EPI_RY ? 1 : 2], 0);
  }
  return 0;
}

static int take_start(epi_world *w)
{
  size_t nq = (size_t)w->nq, nv = (size_t)w->nv;
  w->start = malloc(2*(nq + nv)*sizeof *w->start);
  if (!w->start) return epi_world_no_memory(w);
  for (int copy = 0; copy < 2; copy++) {
    memcpy(w->start + (size_t)copy*(nq + nv), w->q, nq*sizeof *w->q);
    memcpy(w->start + (size_t)copy*(nq + nv) + nq, w->v, nv*sizeof *w->v);
  }
  return 0;
}

/* ---- what is stiff, and what goes together ---- */
static int find_stiff(epi_world *w)
{
  char *stiff = calloc((size_t)w->bodies + 1, 1);
  w->stiff_body = calloc((size_t)w->bodies + 1, sizeof *w->stiff_body);
  if (!stiff || !w->stiff_body) { free(stiff); return epi_world_no_memory(w); }
  /* the ground is one before the first */
  for (int i = 0; i < w->joints; i++) if (w->joint[i].as == EPI_PENALTY) stiff[1 + w->joint[i].a] = stiff[1 + w->joint[i].b] = 1;
  for (int i = 0; i < w->pairs; i++) if (w->pair[i].kind & EPI_STIFF) stiff[1 + w->pair[i].a] = stiff[1 + w->pair[i].b] = 1;
  for (int i = 0; i < w->bodies; i++) if (stiff[1 + i] || w->body[i].modes > 0) w->stiff_body[w->stiff_bodies++] = i;
  free(stiff);
  return 0;
}

/* modes that only their own springs and dampers move, as far as the stiff part goes */
static int find_modes(epi_world *w)
{
  size_t n = 0;
  for (int i = 0; i < w->bodies; i++) n += (size_t)w->body[i].modes;
  if (!n) return 0;
  char *moved = calloc((size_t)w->bodies + 1, 1);
  w->mode = calloc(n, sizeof *w->mode);
  if (!moved || !w->mode) { free(moved); return epi_world_no_memory(w); }
  for (int i = 0; i < w->pairs; i++) if (w->pair[i].kind & EPI_STIFF) moved[1 + w->pair[i].a] = moved[1 + w->pair[i].b] = 1;
  for (int i = 0; i < w->bodies; i++) {
    const epi_member *m = &w->body[i];
    for (int k = 0; k < m->modes && !moved[1 + i]; k++)
      w->mode[w->modes++] = (epi_mode){m->q + 7 + k, m->v + 6 + k, m->modal_stiffness[k], m->modal_damping[k]};
  }
  free(moved);
  return 0;
}

static int find_races(epi_world *w)
{
  w->taken = calloc((size_t)w->pairs + 1, 1);
  if (!w->taken || epi_races_make(w->pair, w->pairs, w->taken, &w->races) ||
      epi_rollers_make(w->pair, w->pairs, w->taken, &w->rollers))
    return epi_world_no_memory(w);
  if (w->rollers && w->threads > 1 && w->bodies <= EPI_FEW_BODIES) w->crew = epi_crew_make(w->rollers, w->bodies, w->threads);
  for (int i = 0; i < w->pairs; i++) {
    unsigned kind = w->pair[i].kind;
    w->kinds[2*((kind & EPI_STIFF) != 0) + ((kind & EPI_CONSERVATIVE) != 0)] += !w->taken[i];
  }
  return 0;
}

/* ---- which velocities a constraint touches ---- */
static int find_rows(epi_world *w)
{
  if (!w->nc) return 0;
  w->rows.rowptr = malloc(((size_t)w->nc + 1)*sizeof(int));
  w->rows.cols = malloc(6*(size_t)(2*w->nc + (2*EPI_TERMS - 2)*w->couplings)*sizeof(int));
  if (!w->rows.rowptr || !w->rows.cols) return epi_world_no_memory(w);
  int row = 0, at = 0, from[12];
  for (int i = 0; i < w->joints; i++)
    for (int k = 0; w->joint[i].as == EPI_CONSTRAINT && k < w->joint[i].rows; k++) {
      w->rows.rowptr[row++] = at;
      at += epi_joint_cols(w, &w->joint[i], k, w->rows.cols + at, from);
    }
  for (int i = 0; i < w->couplings; i++) {
    w->rows.rowptr[row++] = at;
    at += epi_coupling_cols(w, &w->coupling[i], w->rows.cols + at);
  }
  w->rows.rowptr[row] = at;
  return 0;
}

/* ---- which velocities the slope of what is stiff has: those of a body and of the bodies it is held to ---- */
typedef struct { int *from, *list; } neighbours;

static void tie(const neighbours *n, int *fill, int a, int b)
{
  if (a < 0 || b < 0) return;
  n->list[n->from[a] + fill[a]++] = b;
  n->list[n->from[b] + fill[b]++] = a;
}

static int ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

/* in order, each once, itself among them; how many */
static int tidy(int *list, int n, int self)
{
  int kept = 0;
  list[n++] = self;
  qsort(list, (size_t)n, sizeof *list, ascending);
  for (int i = 0; i < n; i++) if (!kept || list[kept - 1] != list[i]) list[kept++] = list[i];
  return kept;
}

static int fill_slope(epi_world *w, const neighbours *n, int *many)
{
  int at = 0;
  size_t entries = 1;
  for (int i = 0; i < w->stiff_bodies; i++) {
    int b = w->stiff_body[i], wide = 0;
    many[b] = tidy(n->list + n->from[b], many[b], b);
    for (int k = 0; k < many[b]; k++) wide += 6 + w->body[n->list[n->from[b] + k]].modes;
    entries += (size_t)wide*(size_t)(6 + w->body[b].modes);
  }
  if (!(w->slope.cols = malloc(entries*sizeof(int)))) return epi_world_no_memory(w);
  for (int b = 0, s = 0; b < w->bodies; b++) {
    int stiff = s < w->stiff_bodies && w->stiff_body[s] == b;
    s += stiff;
    for (int row = 0; row < 6 + w->body[b].modes; row++) {
      w->slope.rowptr[w->body[b].v + row] = at;
      for (int k = 0; k < many[b] && stiff; k++) {
        const epi_member *o = &w->body[n->list[n->from[b] + k]];
        for (int c = 0; c < 6 + o->modes; c++) w->slope.cols[at++] = o->v + c;
      }
    }
  }
  w->slope.rowptr[w->nv] = at;
  return 0;
}

static int find_slope(epi_world *w)
{
  size_t n = (size_t)w->bodies;
  int *many = calloc(n + 1, sizeof(int)), bad = -1, total = 0;
  neighbours near = {.from = calloc(n + 2, sizeof(int))};
  w->slope.rowptr = calloc((size_t)w->nv + 1, sizeof(int));
  if (!many || !near.from || !w->slope.rowptr) goto done;
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < w->joints + w->pairs; i++) {
      int joint = i < w->joints, k = joint ? i : i - w->joints, a = joint ? w->joint[k].a : w->pair[k].a,
        b = joint ? w->joint[k].b : w->pair[k].b;
      if (joint ? w->joint[k].as != EPI_PENALTY : !(w->pair[k].kind & EPI_STIFF)) continue;
      if (pass) tie(&near, many, a, b);
      else if (a >= 0 && b >= 0) { near.from[a]++; near.from[b]++; }
    }
    if (pass) break;
    /* one more for itself */
    for (size_t i = 0; i <= n; i++) { int here = near.from[i] + 1; near.from[i] = total; total += here; }
    if (!(near.list = malloc(((size_t)total + 1)*sizeof(int)))) goto done;
  }
  bad = fill_slope(w, &near, many);
done:
  free(many);
  free(near.from);
  free(near.list);
  return bad ? epi_world_no_memory(w) : 0;
}

/* ---- times ---- */
static int sooner(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* ascending, each once */
static void sort_breaks(epi_world *w)
{
  int n = 0;
  if (w->nbreaks > 1) qsort(w->breaks, (size_t)w->nbreaks, sizeof *w->breaks, sooner);
  for (int i = 0; i < w->nbreaks; i++) if (!n || w->breaks[i] > w->breaks[n - 1]) w->breaks[n++] = w->breaks[i];
  w->nbreaks = n;
}

/* ---- the systems ---- */
/* a load with a factor that is a function of the time */
static int is_timed(const epi_pair *c) { return c->load == epi_load_kinds()[0] && ((const epi_applied_force *)c->data)->of; }

/* a load or a motor that is a formula or a function: it may be nothing but for a moment */
int epi_world_has_laws(const epi_world *w)
{
  for (int i = 0; i < w->pairs; i++) if (w->pair[i].driven || is_timed(&w->pair[i])) return 1;
  return 0;
}

/* forces of position are told the phase; joints that are driven, and what asks for velocities, take it from the time and what averages
   shift it by; functions of the time alone know nothing of that */
static void take_phase(const epi_world *w, epi_system *s)
{
  s->force = NULL;
  s->phase.forced = epi_world_forced;
  s->phase.phase_rate = w->phase.rate;
  s->phase.period = 2*EPI_PI/fabs(w->phase.rate);
  s->phase.theta0 = w->phase.theta0;
  int shifts = 0;
  for (int i = 0; i < w->joints; i++) {
    shifts |= w->joint[i].driven != NULL;
    s->phase.phase_in_t |= w->joint[i].data.angle != NULL;
  }
  for (int i = 0; i < w->couplings; i++) s->phase.phase_in_t |= w->coupling[i].driven != 0;
  for (int i = 0; i < w->pairs; i++) {
    const epi_pair *c = &w->pair[i];
    s->phase.phase_in_t |= is_timed(c);
    shifts |= c->driven && !(c->kind & EPI_CONSERVATIVE);
  }
  if (shifts && !s->phase.phase_in_t) s->phase.phase_in_t = 2;
}

static void make_systems(epi_world *w)
{
  epi_system base = {
    .nq = w->nq, .nv = w->nv, .nc = w->nc, .mass = w->mass,
    .manifold = {.retract = epi_world_retract, .retract_rate = epi_world_retract_rate, .nearest = epi_world_nearest},
    .constraint = w->nc ? epi_world_constraint : NULL,
    .constraints = {.constraint_bend = w->nc ? epi_world_bend : NULL, .rowptr = w->rows.rowptr, .cols = w->rows.cols,
                    .constraint_name = w->nc ? epi_world_constraint_name : NULL}, .force = epi_world_force,
    .velocity_force = epi_world_velocity_force, .energies = {.kinetic = epi_world_kinetic, .potential = epi_world_potential},
    .energy = epi_world_energy, .names = (const char *const *)w->coordinate, .units = w->unit, .data = w, .explain = epi_world_explain,
    .contacts = {.ng = w->gaps, .gap = w->gaps ? epi_world_gap : NULL, .stiffness = w->gap_stiffness,
                 .went_through = w->thinnest < HUGE_VAL || w->lever > 0 ? epi_world_went_through : NULL},
    .traits = {.nbreaks = w->nbreaks, .breaks = w->breaks},
  };
  if (w->phase.rate != 0) take_phase(w, &base);
  /* the modes of a body move its surface all at once */
  for (int i = 0; i < w->pairs; i++) if (w->pair[i].flex) base.jacobian.probe = 1e-9;
  for (int i = 0; i < w->pairs; i++)
    base.traits.dissipative |= !(w->pair[i].kind & EPI_CONSERVATIVE) && (!w->pair[i].load || w->pair[i].load->between);
  w->contacts = w->model = base;
  if (w->pairs && w->phase.rate == 0) {
    w->contacts.contacts.links = w->links;
    w->contacts.contacts.link_ends = w->ends;
    w->contacts.contacts.linked_force = epi_world_linked_force;
    if (!w->stiff_bodies) w->model = w->contacts;
  }
  w->model.velocity_force = w->stiff_bodies ? epi_world_all_forces : epi_world_velocity_force;
  w->stiff = (epi_system){.nq = w->nq, .nv = w->nv, .mass = w->mass,
                          .manifold = {.retract = epi_world_retract, .retract_rate = epi_world_retract_rate},
                          .velocity_force = epi_world_stiff_force,
                          .jacobian = {.slope = epi_world_slope, .slope_rows = epi_world_slope_rows, .slope_rowptr = w->slope.rowptr,
                                       .slope_cols = w->slope.cols}, .names = base.names, .units = base.units, .data = w,
                          .explain = epi_world_explain, .modes = {.modes = w->modes, .mode = w->mode}};
  w->made = 1;
}

/* a flow over them says what is wrong with the world; the reference is the world's own */
static int spoil_systems(epi_world *w)
{
  epi_system *const all[] = {&w->model, &w->contacts, &w->stiff};
  w->wrong.refs = 1;
  epi_fault_record(&w->wrong.fault, 0, w->cause, "%s", w->error);
  for (int i = 0; i < 3; i++) all[i]->derived = &w->wrong;
  return -1;
}

static int fill(epi_world *w)
{
  if (w->error[0]) return -1;
  if (!w->bodies) return epi_world_wrong(w, "the world has no bodies: add one with epi_add_body");
  if (epi_world_begin_turns(w) || epi_world_begin_couplings(w)) return -1;
  if (name_coordinates(w) || take_start(w) || epi_world_find_flex(w) || epi_world_mark_stiff(w) || find_stiff(w) || find_modes(w) ||
      find_races(w) || find_rows(w) || find_slope(w) || epi_world_find_links(w) || epi_world_find_gaps(w) || epi_world_dress(w))
    return -1;
  epi_world_find_thinnest(w);
  sort_breaks(w);
  make_systems(w);
  return 0;
}

int epi_world_close(epi_world *w)
{
  if (w->made) return w->error[0] ? -1 : 0;
  if (w->names[0].name) return -1;
  w->names[0] = (epi_name){.name = "model", .system = &w->model};
  w->names[1] = (epi_name){.name = "model.contacts", .system = &w->contacts};
  w->names[2] = (epi_name){.name = "model.stiff", .system = &w->stiff};
  return fill(w) ? spoil_systems(w) : 0;
}
