/* drives.c - what moves or acts by a function of time and of the fast phase: motions of the ground, of joints and of springs, loads by
 * formulas, unbalanced masses; and which frequency the phase of the world has */
#include "file/model-file.h"
#include <math.h>
#include <string.h>


/* ---- motions ---- */
typedef struct motion_record { double along[3]; const item *swing; } motion_record;
const field epi_motion_keys[] = {
  {.name = "along", .kind = DIRECTION, .at = offsetof(motion_record, along)}, COURSE_KEYS(offsetof(motion_record, swing)), {0}
};

static int read_motion(source *s, const item *it, moved *m)
{
  motion_record r = {.swing = NULL};
  if (it->kind != ITEM_MAP)
    return epi_document_wrong(s->d, it, "motion is %s: write {along: z, amplitude: 2 mm, frequency: 150 Hz}", epi_item_what(it));
  if (epi_fields_known(s->d, it, "a motion", epi_motion_keys) || epi_fields_read(s, it, epi_motion_keys, &r)) return REFUSED;
  if (!epi_item_of(it, "along")) return epi_field_missing(s->d, it, "a motion", "along", "its direction: x, y, z or a vector");
  memcpy(m->along[m->n], r.along, sizeof r.along);
  return (m->way[m->n++] = epi_course_read(s, it, "motion", "m")) ? 0 : REFUSED;
}

int epi_file_motion(source *s, const item *it, moved *m)
{
  if (!it) return 0;
  if (it->kind != ITEM_LIST) return read_motion(s, it, m);
  if (it->n < 1 || it->n > EPI_DRIVES)
    return epi_document_wrong(s->d, it, "motion is a list of %d: write one to %d motions", it->n, EPI_DRIVES);
  for (int i = 0; i < it->n; i++) if (read_motion(s, it->part[i], m)) return REFUSED;
  return 0;
}

void epi_file_drives(const moved *m, epi_drive *out)
{
  for (int i = 0; i < m->n; i++) {
    out[i] = (epi_drive){.at = epi_course_drive, .explain = epi_course_explain, .data = m->way[i]};
    memcpy(out[i].along, m->along[i], sizeof out[i].along);
  }
}

/* ---- tables for formulas ---- */
typedef struct table_record { const char *of, *unit; const item *points, *file, *by; } table_record;
static const field table_keys[] = {
  {.name = "of", .kind = TEXT, .at = offsetof(table_record, of)}, {.name = "unit", .kind = TEXT, .at = offsetof(table_record, unit)},
  {.name = "points", .kind = OWN, .at = offsetof(table_record, points)}, {.name = "file", .kind = OWN, .at = offsetof(table_record, file)},
  {.name = "by", .kind = OWN, .at = offsetof(table_record, by)}, {0}
};

/* a unit that a formula can go on with: what counts turns is none */
static int unit_wrong(source *s, const item *map, const char *key, const char *unit)
{
  epi_dimension d;
  char why[200];
  return unit && epi_unit_dimension(unit, &d, why, sizeof why) ? epi_document_wrong(s->d, epi_item_of(map, key), "%s: %s", key, why) : 0;
}

static int read_one_table(source *s, const item *key, const item *it, named_table *t)
{
  table_record r = {.of = NULL};
  *t = (named_table){.name = key->text, .at = it, .value = epi_course_of, .points = epi_pool_room(&s->d->pool, 1, sizeof *t->points)};
  if (!t->points || epi_fields_known(s->d, it, "a table", table_keys) || epi_fields_read(s, it, table_keys, &r)) return REFUSED;
  if (unit_wrong(s, it, "of", r.of) || unit_wrong(s, it, "unit", r.unit)) return REFUSED;
  if (!r.points == !r.file)
    return epi_field_missing(s->d, it, "a table", r.points ? "one place for its points" : "points",
                             "points: [[0, 0], [1, 2]], or file: its path");
  t->of = r.of;
  t->unit = r.unit;
  return epi_course_points(s, r.points, r.file, key->text, r.of ? r.of : "", r.unit ? r.unit : "", t->points) ||
    epi_course_join(s, r.by, "by", t->points) ? REFUSED : 0;
}

int epi_file_tables(source *s, const item *map)
{
  if (!map) return 0;
  if (map->kind != ITEM_MAP || map->n > 100)
    return epi_document_wrong(s->d, map, "tables is %s: write name: {points: [[0, 0], [1, 2]]}, at most 100 of them", epi_item_what(map));
  if (!(s->table = epi_pool_room(&s->d->pool, (size_t)map->n + 1, sizeof *s->table))) return REFUSED;
  for (int i = 0; i < map->n; i++) {
    if (read_one_table(s, map->key[i], map->part[i], &s->table[i])) return REFUSED;
    s->tables++;
  }
  return 0;
}

/* ---- loads by a law ---- */
static const epi_formula_name places[] = {
  {.name = "t", .place = AT_T, .unit = "s"}, {.name = "theta", .place = AT_THETA, .unit = ""}, {.name = "x", .place = AT_X, .unit = "m"},
  {.name = "y", .place = AT_Y, .unit = "m"}, {.name = "z", .place = AT_Z, .unit = "m"}, {.name = "vx", .place = AT_VX, .unit = "m/s"},
  {.name = "vy", .place = AT_VY, .unit = "m/s"}, {.name = "vz", .place = AT_VZ, .unit = "m/s"},
  {.name = "w1", .place = AT_W1, .unit = "rad/s"}, {.name = "w2", .place = AT_W2, .unit = "rad/s"},
  {.name = "w3", .place = AT_W3, .unit = "rad/s"}, {.name = "wx", .place = AT_WX, .unit = "rad/s"},
  {.name = "wy", .place = AT_WY, .unit = "rad/s"}, {.name = "wz", .place = AT_WZ, .unit = "rad/s"}, {0}
};

/* of the point where it acts, and of the body */
static void look(const law *l, const epi_instant *now, const epi_pose *p, double *x)
{
  double arm[3], in[3];
  for (int i = 0; i < 3; i++) {
    arm[i] = p->R[3*i]*l->at[0] + p->R[3*i+1]*l->at[1] + p->R[3*i+2]*l->at[2];
    in[i] = p->R[i]*p->w[0] + p->R[3+i]*p->w[1] + p->R[6+i]*p->w[2];
  }
  x[AT_T] = now->t;
  x[AT_THETA] = now->theta;
  for (int i = 0; i < 3; i++) {
    int k = (i + 1) % 3, m = (i + 2) % 3;
    x[AT_X + i] = p->r[i] + arm[i];
    x[AT_VX + i] = p->v[i] + p->w[k]*arm[m] - p->w[m]*arm[k];
    x[AT_W1 + i] = in[i];
    x[AT_WX + i] = p->w[i];
  }
}

/* m r w^2 outwards, about an axis of the body */
static void unbalanced(const law *l, const epi_instant *now, const epi_pose *p, double *force)
{
  double u[3];
  double w = l->turning.times ? l->turning.times*now->phase_rate : EPI_TURN*l->turning.frequency, size = l->unbalance*w*w;
  double angle = (l->turning.times ? l->turning.times*now->theta : w*now->t) + l->turning.phase, c = cos(angle), s = sin(angle);
  for (int i = 0; i < 3; i++) {
    int k = (i + 1) % 3, m = (i + 2) % 3;
    u[i] = c*l->side[i] + s*(l->axis[k]*l->side[m] - l->axis[m]*l->side[k]);
  }
  for (int i = 0; i < 3; i++) force[i] = size*(p->R[3*i]*u[0] + p->R[3*i+1]*u[1] + p->R[3*i+2]*u[2]);
}

/* a column of one formula is told from that of another by its place among the six: EXPLAINED of them each */
enum { EXPLAINED = 140 };

static int law_at(const void *data, const epi_instant *now, const epi_pose *p, double *force, double *torque)
{
  const law *l = data;
  double x[PLACES], y[6], factor[3] = {1};
  if (l->unbalance > 0) return unbalanced(l, now, p, force), 0;
  look(l, now, p, x);
  for (int i = 0; i < 6; i++) {
    int column = 0;
    y[i] = l->fixed[i];
    if (l->formula[i] && (column = epi_formula_value(l->formula[i], x, &y[i])))
      return i*EXPLAINED + (column < EXPLAINED ? column : EXPLAINED - 1);
  }
  if (l->factor) {
    int column = epi_course_drive(l->factor, now, factor);
    if (column) return 6*EXPLAINED + (column < EXPLAINED ? column : EXPLAINED - 1);
  }
  for (int i = 0; i < 3; i++) {
    force[i] = factor[0]*(l->one[0] ? l->along[i]*y[0] : y[i]);
    torque[i] = factor[0]*(l->one[1] ? l->along[i]*y[3] : y[3 + i]);
  }
  return 0;
}

static void law_explain(const void *data, int code, char *out, size_t size)
{
  const law *l = data;
  int which = code/EXPLAINED, column = code % EXPLAINED;
  if (which < 6 && l->formula[which]) epi_formula_explain(l->formula[which], column, out, size);
  else if (l->factor) epi_course_explain(l->factor, column, out, size);
}

/* a number with a unit, or a formula */
static int read_part(source *s, const item *it, const char *name, const char *unit, law *l, int i)
{
  char why[300];
  if (it->kind == ITEM_TEXT && it->text[0] && !epi_unit_read(it->text, unit, &l->fixed[i], why, sizeof why)) return 0;
  /* what begins as a number and has no sign after it is one with a wrong unit */
  if (it->kind == ITEM_TEXT && it->text[0] && strchr("0123456789.", it->text[0]) && !strpbrk(it->text, "*+-(/"))
    return epi_document_wrong(s->d, it, "%s: %s", name, why);
  return (l->formula[i] = epi_file_formula(s, it, name, unit, places)) ? 0 : REFUSED;
}

static int read_side(source *s, const item *map, const char *name, const char *unit, int from, law *l)
{
  const item *it = epi_item_of(map, name);
  if (!it) return 0;
  if (it->kind == ITEM_LIST) {
    if (it->n != 3)
      return epi_document_wrong(s->d, it, "%s is a list of %d: write three numbers or formulas, as in [0, 0, \"-k*z\"]", name, it->n);
    for (int i = 0; i < 3; i++) if (read_part(s, it->part[i], name, unit, l, from + i)) return REFUSED;
    return 0;
  }
  l->one[from/3] = 1;
  if (!epi_item_of(map, "along"))
    return epi_field_missing(s->d, map, "a load with one formula", "along", "its direction in space: x, y, z or a vector");
  return read_part(s, it, name, unit, l, from);
}

static int is_formula(const item *it, const char *unit)
{
  double x;
  char why[300];
  if (!it || it->kind == ITEM_MAP) return 0;
  if (it->kind == ITEM_TEXT) return it->text[0] != 0;
  for (int i = 0; i < it->n; i++)
    if (it->part[i]->kind == ITEM_TEXT && epi_unit_read(it->part[i]->text, unit, &x, why, sizeof why)) return 1;
  return 0;
}

static int read_unbalance(source *s, const item *map, const item *it, law *l)
{
  typedef struct { double mass, radius, axis[3], frequency, phase; } told;
  static const field keys[] = {
    {.name = "mass", .kind = POSITIVE, .unit = "kg", .at = offsetof(told, mass)},
    {.name = "radius", .kind = POSITIVE, .unit = "m", .at = offsetof(told, radius)},
    {.name = "axis", .kind = DIRECTION, .at = offsetof(told, axis)},
    {.name = "frequency", .kind = POSITIVE, .unit = "Hz", .at = offsetof(told, frequency)},
    {.name = "phase", .kind = NUMBER, .unit = "rad", .at = offsetof(told, phase)}, {0}
  };
  told r = {.axis = {0, 0, 1}};
  if (it->kind != ITEM_MAP)
    return epi_document_wrong(s->d, it, "unbalance is %s: write {mass: 10 g, radius: 20 mm, axis: z, frequency: 50 Hz}", epi_item_what(it));
  if (epi_fields_known(s->d, it, "unbalance", keys) || epi_fields_read(s, it, keys, &r)) return REFUSED;
  for (int i = 0; i < 4; i++)
    if (i != 2 && !epi_item_of(it, keys[i].name)) return epi_field_missing(s->d, it, "an unbalance", keys[i].name, "it, above zero");
  if (epi_item_of(map, "force") || epi_item_of(map, "torque") || epi_item_of(map, "factor"))
    return epi_document_wrong(s->d, it, "an unbalance is a force of its own: take force, torque and factor away");
  l->unbalance = r.mass*r.radius;
  l->turning = (course){.amplitude = 1, .frequency = r.frequency, .phase = r.phase, .at = it};
  /* any side across the axis: x, or y where the axis is along x */
  int pick = fabs(r.axis[0]) > 0.9;
  double dot = r.axis[pick], size = sqrt(1 - dot*dot);
  for (int i = 0; i < 3; i++) { l->axis[i] = r.axis[i]; l->side[i] = ((i == pick) - dot*r.axis[i])/size; }
  return 0;
}

static int asks_velocity(const law *l)
{
  for (int i = 0; i < 6; i++)
    for (int k = AT_VX; l->formula[i] && k < PLACES; k++) if (epi_formula_uses(l->formula[i], k)) return 1;
  return 0;
}

int epi_file_law(source *s, const item *it, load_told *out)
{
  const item *unbalance = epi_item_of(it, "unbalance"), *along = epi_item_of(it, "along");
  int formula = is_formula(epi_item_of(it, "force"), "N") || is_formula(epi_item_of(it, "torque"), "N m");
  if (!formula && !unbalance && !(out->factor && out->factor->formula))
    return along ? epi_document_wrong(s->d, along, "along is the direction of a force or torque that is one formula: take it away") : 0;
  law *l = out->law = epi_pool_room(&s->d->pool, 1, sizeof *l);
  if (!l) return REFUSED;
  memcpy(l->at, out->load.at, sizeof l->at);
  if (along) {
    struct { double x[3]; } r = {{0}};
    static const field keys[] = {{.name = "along", .kind = DIRECTION, .at = 0}, {0}};
    if (epi_fields_read(s, it, keys, &r)) return REFUSED;
    memcpy(l->along, r.x, sizeof l->along);
  }
  if (unbalance) { if (read_unbalance(s, it, unbalance, l)) return REFUSED; }
  else if (read_side(s, it, "force", "N", 0, l) || read_side(s, it, "torque", "N m", 3, l)) return REFUSED;
  l->factor = out->factor;
  out->load.law = law_at;
  out->load.explain = law_explain;
  out->load.data = l;
  out->load.of_velocity = asks_velocity(l);
  return 0;
}

/* ---- the phase ---- */
typedef struct phase_record { double frequency, start; } phase_record;
const field epi_phase_keys[] = {
  {.name = "frequency", .kind = POSITIVE, .unit = "Hz", .at = offsetof(phase_record, frequency)},
  {.name = "start", .kind = NUMBER, .unit = "rad", .at = offsetof(phase_record, start)}, {0}
};

int epi_file_phase(source *s, described *w, const item *it)
{
  phase_record r = {0};
  if (!it) return 0;
  if (it->kind != ITEM_MAP) return epi_document_wrong(s->d, it, "phase is %s: write {frequency: 50 Hz}", epi_item_what(it));
  if (epi_fields_read(s, it, epi_phase_keys, &r)) return REFUSED;
  if (!(r.frequency > 0)) return epi_field_missing(s->d, it, "the phase", "frequency", "it in Hz");
  w->frequency = r.frequency;
  w->start = r.start;
  return 0;
}

/* all that swings, in a list, and formulas that may; without a list they are counted */
typedef struct swings { course **of; const epi_formula **formula; int n, formulas; } swings;
static void one_formula(swings *all, const epi_formula *f)
{
  if (!f) return;
  if (all->formula) all->formula[all->formulas] = f;
  all->formulas++;
}

static void one_swing(swings *all, course *c)
{
  if (!c) return;
  one_formula(all, c->formula);
  if (!(c->frequency > 0)) return;
  if (all->of) all->of[all->n] = c;
  all->n++;
}

static void moved_swings(swings *all, moved *m) { for (int i = 0; i < m->n; i++) one_swing(all, m->way[i]); }

/* those that make a phase: what is new beside factors and angles, which have always asked for the time */
static void find_swings(described *w, swings *all)
{
  moved_swings(all, &w->shaking);
  for (int i = 0; i < w->joints; i++) moved_swings(all, &w->joint[i].moved);
  for (int i = 0; i < w->springs; i++) moved_swings(all, &w->spring[i].moved);
  for (int i = 0; i < w->loads; i++) {
    law *l = w->load[i].law;
    if (l) one_swing(all, l->unbalance > 0 ? &l->turning : l->factor);
    for (int k = 0; l && k < 6; k++) one_formula(all, l->formula[k]);
  }
}

/* 0: the file does not say it */
static double end_of(source *s)
{
  double end = 0;
  const item *it = epi_item_of(s->d->root, "end");
  return it && !epi_field_number(s, it, "end", "s", &end) ? end : 0;
}

/* waves in a formula make a phase where they are so many; fewer go with time, as all else that stands there */
#define MANY_TURNS 100.
static double turns_in_run(source *s, double frequency) { return frequency*end_of(s); }

/* their list, in the pool, and their frequencies, of which there are n */
static int list_swings(source *s, described *w, swings *all, double **frequency, int *n)
{
  swings count = {0};
  int k = 0, waves = 0;
  find_swings(w, &count);
  *n = count.n;
  *all = (swings){.of = epi_pool_room(&s->d->pool, (size_t)count.n + 1, sizeof(course *)),
                  .formula = epi_pool_room(&s->d->pool, (size_t)count.formulas + 1, sizeof(epi_formula *))};
  if (!all->of || !all->formula) return REFUSED;
  find_swings(w, all);
  for (int i = 0; i < all->formulas; i++) *n += epi_formula_waves(all->formula[i], AT_T, NULL, 0);
  double *f = *frequency = epi_pool_room(&s->d->pool, (size_t)*n + 1, sizeof *f);
  if (!f) return REFUSED;
  for (; k < all->n; k++) f[k] = all->of[k]->frequency;
  for (int i = 0; i < all->formulas; i++) k += epi_formula_waves(all->formula[i], AT_T, f + k, *n - k);
  for (int i = all->n; i < k; i++) {
    f[all->n + waves] = fabs(f[i])/EPI_TURN;
    waves += turns_in_run(s, f[all->n + waves]) >= MANY_TURNS;
  }
  *n = all->n + waves;
  return 0;
}

/* how many times the frequency f has; 0: no whole number of times */
static int times_of(double f, double base)
{
  double k = round(f/base);
  return k >= 1 && k <= 1000 && fabs(f/base - k) <= 1e-9*k ? (int)k : 0;
}

/* the largest frequency of which all are whole multiples, few of them; otherwise the fastest of all, and the others go with time */
static double common(const double *frequency, int n)
{
  double least = HUGE_VAL, most = 0;
  for (int i = 0; i < n; i++) { least = fmin(least, frequency[i]); most = fmax(most, frequency[i]); }
  for (int part = 1; part <= 8; part++) {
    int fits = 1;
    for (int i = 0; i < n; i++) { int k = times_of(frequency[i], least/part); fits &= k >= 1 && k <= 20; }
    if (fits) return least/part;
  }
  return most;
}

static int asks_theta(source *s, const epi_formula *f, const item *at)
{
  if (!f || !epi_formula_uses(f, AT_THETA)) return 0;
  return epi_document_wrong(s->d, at, "theta is the fast phase, and this world has none: write phase: {frequency: 50 Hz} under world");
}

static int moved_asks(source *s, const moved *m)
{
  int bad = 0;
  for (int i = 0; i < m->n && !bad; i++) bad = asks_theta(s, m->way[i]->formula, m->way[i]->at);
  return bad;
}

static int without_phase(source *s, described *w)
{
  int bad = moved_asks(s, &w->shaking);
  for (int i = 0; i < w->joints && !bad; i++) {
    bad = moved_asks(s, &w->joint[i].moved);
    const course *ways[] = {w->joint[i].angle, w->joint[i].speed, w->joint[i].length};
    for (int k = 0; k < 3 && !bad; k++) if (ways[k]) bad = asks_theta(s, ways[k]->formula, ways[k]->at);
  }
  for (int i = 0; i < w->couplings && !bad; i++)
    if (w->coupling[i].way) bad = asks_theta(s, w->coupling[i].way->formula, w->coupling[i].way->at);
  for (int i = 0; i < w->axes && !bad; i++) {
    const axis_law *l = w->axis[i].law;
    if (l) bad = asks_theta(s, l->formula ? l->formula : l->course->formula, w->axis[i].at);
  }
  for (int i = 0; i < w->springs && !bad; i++) bad = moved_asks(s, &w->spring[i].moved);
  for (int i = 0; i < w->loads && !bad; i++) {
    const law *l = w->load[i].law;
    for (int k = 0; l && k < 6 && !bad; k++) bad = asks_theta(s, l->formula[k], w->load[i].at);
    if (l && l->factor && !bad) bad = asks_theta(s, l->factor->formula, l->factor->at);
  }
  return bad;
}

/* a plain force whose factor swings with the phase is told it as a law is */
static int swings_too(source *s, load_told *l, double frequency)
{
  if (l->law || !l->factor || !(l->factor->frequency > 0) || l->load.kind != epi_load_kinds()[0]) return 0;
  if (!(l->factor->times = times_of(l->factor->frequency, frequency))) return 0;
  if (!(l->law = epi_pool_room(&s->d->pool, 1, sizeof *l->law))) return REFUSED;
  memcpy(l->law->fixed, l->load.force, sizeof l->load.force);
  memcpy(l->law->fixed + 3, l->load.torque, sizeof l->load.torque);
  l->law->factor = l->factor;
  l->load.law = law_at;
  l->load.explain = law_explain;
  l->load.data = l->law;
  return 0;
}

/* speeds that are formulas: their integrals, when the phase is known */
static int integrate(source *s, described *w)
{
  double rate = EPI_TURN*w->frequency;
  for (int i = 0; i < w->joints; i++) if (w->joint[i].speed && epi_course_integrate(s, w->joint[i].speed, rate, w->start)) return REFUSED;
  for (int i = 0; i < w->couplings; i++)
    if (w->coupling[i].speed && epi_course_integrate(s, w->coupling[i].way, rate, w->start)) return REFUSED;
  return 0;
}

static int find_phase(source *s, described *w)
{
  swings all;
  double *frequency;
  int n;
  if (list_swings(s, w, &all, &frequency, &n)) return REFUSED;
  w->fastest = w->frequency;
  for (int i = 0; i < n; i++) w->fastest = fmax(w->fastest, frequency[i]);
  if (!(w->frequency > 0) && !n) return without_phase(s, w);
  if (!(w->frequency > 0)) w->frequency = common(frequency, n);
  for (int i = 0; i < w->loads; i++) if (swings_too(s, &w->load[i], w->frequency)) return REFUSED;
  for (int i = 0; i < all.n; i++) all.of[i]->times = times_of(all.of[i]->frequency, w->frequency);
  for (int i = 0; i < all.formulas; i++)
    epi_formula_follow_phase((epi_formula *)all.formula[i], AT_T, AT_THETA, EPI_TURN*w->frequency, w->start);
  return 0;
}

int epi_file_find_phase(source *s, described *w) { return find_phase(s, w) || integrate(s, w) ? REFUSED : 0; }

/* ---- what the rest asks ---- */
int epi_file_driven(const described *w)
{
  int driven = w->shaking.n > 0;
  for (int i = 0; i < w->joints; i++) driven |= w->joint[i].moved.n > 0 || w->joint[i].length;
  for (int i = 0; i < w->couplings; i++) driven |= w->coupling[i].way != NULL;
  for (int i = 0; i < w->axes; i++) driven |= w->axis[i].law != NULL;
  for (int i = 0; i < w->springs; i++) driven |= w->spring[i].moved.n > 0;
  for (int i = 0; i < w->loads; i++) driven |= w->load[i].law != NULL;
  return driven;
}

double epi_file_fastest(const described *w) { return EPI_TURN*w->fastest; }

/* its own frequency, no whole multiple of that of the phase: through time, which averages do not take out */
static void say_beside(const moved *m, const char *what, const char *name, pen *p)
{
  for (int i = 0; i < m->n; i++)
    if (m->way[i]->frequency > 0 && !m->way[i]->times)
      epi_pen_print(p, ", and %s%s swings with time, at %g Hz, which averages do not take out", what, name, m->way[i]->frequency);
}

void epi_file_beside(const described *w, pen *p)
{
  say_beside(&w->shaking, "the ground", "", p);
  for (int i = 0; i < w->joints; i++) say_beside(&w->joint[i].moved, "the joint ", w->joint[i].joint.name, p);
  for (int i = 0; i < w->springs; i++) say_beside(&w->spring[i].moved, "the spring ", w->spring[i].spring.name, p);
  for (int i = 0; i < w->loads; i++) {
    law *l = w->load[i].law;
    course *c = l ? l->unbalance > 0 ? &l->turning : l->factor : w->load[i].factor;
    if (c) say_beside(&(moved){.n = 1, .way = {c}}, "the load ", w->load[i].load.name, p);
  }
}

/* ---- the ground ---- */
/* by how much its speed is larger after t than before it, beyond what rounding makes of points that are so far apart */
static double jump_at(const described *w, const course *c, double t, double apart)
{
  double h = fmin(1e-9*fmax(fabs(t), 1e-3), 0.1*apart), rate = EPI_TURN*w->frequency, out[2][3];
  for (int k = 0; k < 2; k++) {
    double at = t + (k ? h : -h);
    if (epi_course_drive(c, &(epi_instant){at, w->start + rate*at, rate}, out[k])) return 0;
  }
  double by = out[1][1] - out[0][1] - h*(out[0][2] + out[1][2]);
  double speed = fmax(fabs(out[0][1]), fabs(out[1][1]));
  return fabs(by) > 1e-7*speed + 1e-14*fabs(out[0][0])/apart ? by : 0;
}

/* a jump of its speed is a blow to every body, which no force is */
int epi_file_ground_is_smooth(source *s, const described *w)
{
  const double end = end_of(s);
  for (const course *c = s->in_time; c; c = c->before)
    for (int i = 0; i < c->n; i++)
      for (int k = 0; k < w->shaking.n; k++) {
        const course *way = w->shaking.way[k];
        double last = i ? c->t[i] - c->t[i-1] : HUGE_VAL, next = i + 1 < c->n ? c->t[i+1] - c->t[i] : HUGE_VAL;
        double by = c->t[i] > 0 && !(end > 0 && c->t[i] >= end) ? jump_at(w, way, c->t[i], fmin(last, next)) : 0;
        if (by != 0)
          return epi_document_wrong(s->d, way->at, "motion: the speed of the ground jumps by %.4g m/s at t = %.6g s, a blow to every body "
                                    "that a run does not give: round the corner, as by: cubic does between points, or end the run there",
                                    by, c->t[i]);
      }
  return 0;
}
