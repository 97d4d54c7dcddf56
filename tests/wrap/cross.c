/* holds: every composition of the registry to depth 3 runs or is refused in a sentence
 * cross.c - every composition of the registry to depth 3: it runs, or it is refused in a sentence; every record takes part
 * label: slow   cost: 110 */
#include "problems.h"
#include "test.h"

typedef struct { char *text; } line;
typedef struct { line *line; int n, room; } pile;

static void add(pile *p, const char *fmt, const char *a, const char *b)
{
  char text[256];
  if (p->n == p->room) p->line = realloc(p->line, (size_t)(p->room = 2*p->room + 64)*sizeof *p->line);
  snprintf(text, sizeof text, fmt, a, b);
  p->line[p->n++].text = strdup(text);
}

static void drop(pile *p)
{
  for (int i = 0; i < p->n; i++) free(p->line[i].text);
  free(p->line);
}

static int see(void *data, const epi_system *s, epi_state *x) { (void)s; (void)x; ++*(long *)data; return 0; }
static double gap(void *data, double t, const double *y) { (void)data; (void)t; return y[0] - 0.1; }

/* how a record is written with what it needs of the user's */
static const char *options(const epi_record *r)
{
  static const struct { const char *name, *text; } needs[] = {
    {"rk", "table=mine"}, {"watch", "see=mine"}, {"at", "gap=mine, hit=mine"}, {"tolerance", "rtol=0.0001"}, {"substeps", "2"},
  };
  for (size_t i = 0; i < sizeof needs/sizeof *needs; i++) if (!strcmp(needs[i].name, r->name)) return needs[i].text;
  return "";
}

static void methods(pile *p)
{
  for (const epi_record *const *r = epi_records(); *r; r++)
    if ((*r)->arrow == EPI_METHOD) add(p, *options(*r) ? "%s(%s)" : "%s%s", (*r)->name, options(*r));
  add(p, "verlet(sum(model, other))%s%s", "", "");
  add(p, "semi(model, other)%s%s", "", "");
  add(p, "semi(model, other, tol=0.01, ahead=1)%s%s", "", "");
}

/* every method of every average of every method */
static void averages(pile *out, const pile *micro)
{
  for (const epi_record *const *m = epi_records(); *m; m++)
    for (const epi_record *const *a = epi_records(); *a && (*m)->arrow == EPI_METHOD && strcmp((*m)->name, "rk"); a++)
      for (int i = 0; i < micro->n && (*a)->arrow == EPI_AVERAGE; i++) {
        char fmt[64];
        int window = !strcmp((*a)->name, "hmm");
        snprintf(fmt, sizeof fmt, window ? "%s(%s(%%s%%s))" : "%s(%s(substeps(%%s, 8)%%s))", (*m)->name, (*a)->name);
        add(out, fmt, micro->line[i].text, window ? ", steps=8, start=rest" : "");
        add(out, fmt, micro->line[i].text, window ? ", steps=8, start=current" : ", order=1");
      }
}

/* every method of springs in place of constraints */
static void relaxed(pile *out)
{
  for (const epi_record *const *m = epi_records(); *m; m++) {
    if ((*m)->arrow != EPI_METHOD || (*m)->least != 1 || !strcmp((*m)->name, "rk")) continue;
    add(out, "%s(relax(model, stiffness=100))%s", (*m)->name, "");
    add(out, "%s(relax(model, stiffness=100, damping=1))%s", (*m)->name, "");
  }
}

/* every method of the slow system of a stiff one */
static void valleys(pile *out)
{
  for (const epi_record *const *m = epi_records(); *m; m++) {
    if ((*m)->arrow != EPI_METHOD || (*m)->least != 1 || !strcmp((*m)->name, "rk")) continue;
    add(out, "%s(adiabatic)%s", (*m)->name, "");
    add(out, "%s(adiabatic(form=rate))%s", (*m)->name, "");
  }
}

static int stiff_spring(epi_system *s, double t, const double *q, double *f)
{
  double r = hypot(q[0], q[1]), pull = -1e6*(r - 1)/r;
  (void)s, (void)t;
  f[0] = pull*q[0];
  f[1] = pull*q[1] - 1;
  return 0;
}

/* every wrapper around every member of a; the ones of two flows with every pair from a and b */
static void wrap(pile *out, const pile *a, const pile *b)
{
  for (const epi_record *const *r = epi_records(); *r; r++) {
    if ((*r)->arrow != EPI_WRAPPER) continue;
    char one[64], two[64];
    snprintf(one, sizeof one, *options(*r) ? "%s(%%s, %s)" : "%s(%%s%s)", (*r)->name, options(*r));
    snprintf(two, sizeof two, "%s(%%s, %%s)", (*r)->name);
    for (int i = 0; i < a->n && (*r)->least == 1; i++) add(out, one, a->line[i].text, "");
    for (int i = 0; i < a->n && (*r)->most > 1; i++)
      for (int j = 0; j < b->n; j++) {
        add(out, two, a->line[i].text, b->line[j].text);
        if (a != b) add(out, two, b->line[j].text, a->line[i].text);
      }
  }
}

static const double heun_a[] = {0, 0, 1, 0}, heun_b[] = {0.5, 0.5};
static const epi_table mine = {.name = "mine", .order = 2, .stages = 2, .a = heun_a, .b = heun_b};

typedef struct { const char *name; epi_system sys, other; double y[13]; int n; } world;

static struct { const char *name; int ran; } seen[64];
static int nseen;

static void count_record(void *data, const epi_info *i)
{
  (void)data;
  for (int k = 0; k < nseen; k++) if (!strcmp(seen[k].name, i->record->name)) { seen[k].ran++; return; }
  if (nseen < 64) { seen[nseen].name = i->record->name; seen[nseen++].ran = 1; }
}

/* 1 ran, 0 refused */
static int try(const char *text, world *w)
{
  double y[13], h = 0.04, sum = 0;
  long shown = 0;
  epi_name names[] = {{.name = "model", .system = &w->sys}, {.name = "other", .system = &w->other},
                      {.name = "mine", .table = &mine, .see = see, .gap = gap, .data = &shown}, {0}};
  memcpy(y, w->y, sizeof y);
  epi_state s = {.t = 0.5, .y = y};
  epi_flow *f = epi_make_named(text, names);
  const char *why = epi_error(f);
  int ok = !why, good = 1;
  if (why) good = strlen(why) > 30 && strchr(why, ' ') != NULL;
  else {
    int bad = epi_advance(f, &s, h, 3);
    unsigned claims = info_of(f).claims;
    for (int i = 0; i < w->n; i++) sum += y[i];
    good = !bad && isfinite(sum) && fabs(s.t - (claims & EPI_CLOCK ? 0.62 : 0.5)) < 1e-14;
    char again[512];
    good &= epi_text(f, again, sizeof again) < sizeof again;
    epi_flow *g = epi_make_named(again, names);
    char twice[512];
    epi_text(g, twice, sizeof twice);
    good &= !strcmp(again, twice);
    epi_free(g);
    if (good) epi_walk(f, count_record, NULL);
  }
  if (!check(good)) printf("  %s on %s: t = %.17g, %s\n", text, w->name, s.t, epi_error(f) ? epi_error(f) : "no sentence");
  epi_free(f);
  return ok && good;
}

static void tell(const char *what, const pile *p, world *w)
{
  int ran = 0;
  for (int i = 0; i < p->n; i++) ran += try(p->line[i].text, w);
  printf("%-12s %-9s %6d compositions, %6d ran, %6d refused in words\n", what, w->name, p->n, ran, p->n - ran);
  check(ran > 0);
}

int main(void)
{
  static const double mass[] = {2, 0.5}, matrix[] = {2, 0.3, 0.3, 1};
  world worlds[] = {
    {"damped", {.nq = 2, .force = shaken_force, .velocity_force = quadratic_drag, .mass = mass}, {.nq = 2, .force = henon_force},
     {0.3, -0.2, 0.1, 0.25}, 4},
    {"plain", {.nq = 2, .force = shaken_force, .inertia.mass_matrix = matrix}, {.nq = 2, .force = henon_force}, {0.3, -0.2, 0.1, 0.25}, 4},
    {"phased", {.nq = 2, .phase = {.forced = phased_force, .phase_rate = 40}}, {.nq = 2, .force = henon_force}, {0.3, -0.2, 0.1, 0.25}, 4},
    {"rate", {.nz = 2, .rate = volterra}, {.nz = 2, .rate = volterra}, {1.2, 0.8}, 2},
    {"top", {.nq = 4, .nv = 3, .force = top_force, .velocity_force = top_gyro, .manifold.retract = top_turn, .mass = top_inertia},
            {.nq = 4, .nv = 3, .force = top_force, .manifold.retract = top_turn, .mass = top_inertia}, {0}, 7},
    {"rod", {.nq = 2, .nc = 1, .force = weight, .constraint = rod, .velocity_force = air}, {.nq = 2, .force = weight}, {0}, 4},
    {"still", {.nq = 2, .force = henon_force, .energies = {.potential = henon_potential, .objective = henon_objective}, .mass = mass},
     {.nq = 2, .force = henon_force}, {0.3, -0.2, 0.1, 0.25}, 4},
  };
  enum { TOP = 4, ROD, WORLDS = sizeof worlds/sizeof *worlds };
  top_start(worlds[TOP].y);
  memcpy(worlds[ROD].y, (double[]){sin(0.5), -cos(0.5), 0.4*cos(0.5), 0.4*sin(0.5)}, 4*sizeof(double));
  pile one = {0}, two = {0}, three = {0}, slow = {0}, around = {0}, few = {0};
  methods(&one);
  wrap(&two, &one, &one);
  wrap(&three, &two, &one);
  for (int k = 0; k < WORLDS; k++) {
    tell("methods", &one, &worlds[k]);
    tell("depth 2", &two, &worlds[k]);
  }
  tell("depth 3", &three, &worlds[0]);
  averages(&slow, &one);
  add(&few, "%s%s", "verlet(hmm(verlet, start=rest))", "");
  add(&few, "%s%s", "dopri5(hmm(rk4, start=current, steps=16))", "");
  wrap(&around, &few, &one);
  for (int k = 0; k < 3; k++) {
    worlds[k].sys.phase.period = worlds[k].other.phase.period = 0.02;
    if (worlds[k].sys.phase.forced) worlds[k].sys.phase.phase_rate = 2*3.14159265358979323846/0.02;
    tell("averages", &slow, &worlds[k]);
    tell("around them", &around, &worlds[k]);
  }
  world stiff = {"stiff", {.nq = 2, .force = stiff_spring}, {.nq = 2, .force = stiff_spring}, {1.0005, 0, 0, 0.3}, 4};
  pile floors = {0};
  valleys(&floors);
  tell("valleys", &floors, &stiff);
  drop(&floors);
  pile springs = {0};
  relaxed(&springs);
  tell("springs", &springs, &worlds[ROD]);
  drop(&springs);
  printf("%d compositions in all\n", WORLDS*(one.n + two.n) + three.n + 3*(slow.n + around.n));
  for (const epi_record *const *r = epi_records(); *r; r++) {
    int k = 0;
    while (k < nseen && strcmp(seen[k].name, (*r)->name)) k++;
    if (absent((*r)->name)) { printf("%s is not in this build\n", (*r)->name); continue; }
    if (!check(k < nseen && seen[k].ran > 0)) printf("  %s is in no composition that runs\n", (*r)->name);
  }
  drop(&one);
  drop(&two);
  drop(&three);
  drop(&slow);
  drop(&around);
  drop(&few);
  return test_done();
}
