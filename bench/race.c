/* race.c - `reproduce bearing-race`: how many sweeps over the contacts of a bearing nam needs for an error, and how many the best of a grid
 * of settings of CVODE, and of ARKODE explicit in the contacts. Every run is held against a solution of far smaller error; the fewest
 * sweeps that reach an error are taken for each method by itself, from each of some starts that differ a little, because impacts make
 * counts jump; the median of these is told. Times are those of one core, without what is looked at */
#include "figures.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LEVELS = 7, ROWS = 2501, SIGNALS = 3 };
static const double levels[LEVELS] = {0.3, 0.1, 0.03, 0.01, 0.003, 0.001, 3e-4};

/* S1 starts where it stays; in S3 20 N become 1000 at once, on wavy races and with little damping; F8, F18, F38 are S3 with so many modes
   of the outer ring; R1 is the roller bearing. Starts differ in the speed. few: CVODE has the usual weights alone; 2: fewer orders too */
typedef struct { const char *name, *model; double speed, end; int starts, modes, few; } scenario;
#define SHOCK ", preload=20, chi=0.02, waviness=3e-7"
static const scenario scenarios[] = {
  {"S1-600us", "bearing(speed=%.9g)", 1e4, 600e-6, 10, 0, 0}, {"S3-600us", "bearing(speed=%.9g" SHOCK ")", 1e4, 600e-6, 10, 0, 0},
  {"S1-5ms", "bearing(speed=%.9g)", 1e4, 5e-3, 10, 0, 1}, {"S3-5ms", "bearing(speed=%.9g" SHOCK ")", 1e4, 5e-3, 10, 0, 1},
  {"F8-600us", "bearing(speed=%.9g" SHOCK ", outer.modes=8)", 1e4, 600e-6, 10, 8, 0},
  {"F18-600us", "bearing(speed=%.9g" SHOCK ", outer.modes=18)", 1e4, 600e-6, 10, 18, 1},
  {"F38-600us", "bearing(speed=%.9g" SHOCK ", outer.modes=38)", 1e4, 600e-6, 10, 38, 1},
  {"R1-1ms", "roller-bearing(speed=%.9g)", 3e3, 1e-3, 10, 0, 2},
};
enum { SCENARIOS = sizeof scenarios/sizeof *scenarios };

/* ---- one run ---- */
/* load of a ball and force of its pocket, or of all pockets of the rollers, relative to their mean squares; speed of the cage in rad/s */
static const char *const signals[2][SIGNALS] = {{"Qo", "Qpocket", "cage-speed"}, {"Qo", "Qpocket-sum", "cage-speed"}};
typedef struct { const epi_case *c; int n; double took, x[ROWS][SIGNALS]; } record;

/* of this core, in seconds */
static double spent(void)
{
  struct timespec t;
  return clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) ? 0 : (double)t.tv_sec + 1e-9*(double)t.tv_nsec;
}

static double observed(const epi_case *c, const char *name, const epi_state *s)
{
  const epi_observable *o = c->model->observables;
  while (o->name && strcmp(o->name, name)) o++;
  return o->name ? epi_observe(c, o, s) : NAN;
}

static int note(void *data, const epi_system *m, epi_state *s)
{
  record *r = data;
  double began = spent();
  int rollers = !strcmp(r->c->model->name, "roller-bearing");
  (void)m;
  for (int i = 0; i < SIGNALS && r->n < ROWS; i++) r->x[r->n][i] = observed(r->c, signals[rollers][i], s);
  r->n += r->n < ROWS;
  r->took += spent() - began;
  return clock_interrupted() != 0;
}

static double error_of(const record *r, const record *truth)
{
  double most = r->n == truth->n ? 0 : HUGE_VAL;
  for (int i = 0; i < SIGNALS; i++) {
    double sum = 0, size = 0;
    for (int k = 0; k < truth->n && k < r->n; k++) {
      double want = truth->x[k][i], off = r->x[k][i] - want;
      sum += off*off;
      size += want*want;
    }
    double e = sqrt(sum/(i == SIGNALS - 1 ? truth->n : size));
    if (!(e <= most)) most = e;
  }
  return most;
}

/* slopes: Jacobians, each of which took as many sweeps as there are coordinates, or one, where they come with a sweep */
typedef struct { long sweeps, slopes; double error, time; char why[320]; } effort;

static void add(void *to, const epi_info *i)
{
  effort *o = to;
  o->sweeps += i->calls;
  if (i->record == epi_record_of("cvode")) o->slopes += i->slopes;
}

static effort drive(const char *model, const char *flow, double end, record *r, const record *truth)
{
  effort o = {.error = NAN};
  epi_case *c = epi_case_make(model);
  epi_name names[8] = {{.name = "note", .see = note, .data = r}};
  for (int k = 0; c && !c->error[0] && k < 6 && c->parts[k].name; k++) names[1 + k] = c->parts[k];
  char *whole = text("watch(%s, see=note, every=2e-6)", flow);
  epi_flow *f = c && !c->error[0] ? epi_make_named(whole, names) : NULL;
  const char *wrong = !c ? "out of memory" : c->error[0] ? c->error : epi_error(f);
  if (!wrong) {
    epi_state s = epi_case_state(c);
    r->c = c;
    r->n = 0;
    note(r, NULL, &s);
    r->took = 0;
    double began = spent();
    int bad = epi_run(f, &s, end, end);
    o.time = spent() - began - r->took;
    epi_walk(f, add, &o);
    o.sweeps -= o.slopes*(strstr(flow, "jacobian=links") ? 1 : epi_size(&c->system));
    if (bad) wrong = epi_error(f) ? epi_error(f) : "stopped";
    else o.error = truth ? error_of(r, truth) : 0;
  }
  if (wrong) snprintf(o.why, sizeof o.why, "%s", wrong);
  epi_free(f);
  if (c) epi_case_free(c);
  free(whole);
  return o;
}

/* ---- who races ---- */
/* what is small for places and modes, quaternions, velocities and turns of bodies */
static double small_of(const epi_case *c, int i)
{
  const epi_system *stiff = NULL;
  int nq = c->system.nq;
  for (int k = 0; c->parts[k].name; k++) if (!strcmp(c->parts[k].name, "model.stiff")) stiff = c->parts[k].system;
  for (int k = 0; stiff && k < stiff->modes.modes; k++) {
    if (stiff->modes.mode[k].q == i) return 1e-5;
    if (nq + stiff->modes.mode[k].v == i) return 1;
  }
  const char *unit = c->system.units[i];
  return !strcmp(unit, "m") ? 1e-5 : !strcmp(unit, "m/s") ? 1 : !strcmp(unit, "rad/s") ? 200 : 2e-3;
}

/* of a flow that begins with these words */
static char *with_tolerances(const epi_case *c, const char *begins, double speeds, double tol)
{
  int n = epi_size(&c->system), nq = c->system.nq;
  size_t room = 32*(size_t)n + strlen(begins) + 40, at;
  char *all = need(room);
  at = (size_t)snprintf(all, room, "%s, rtol=1e-14, atol=[", begins);
  for (int i = 0; i < n; i++)
    at += (size_t)snprintf(all + at, room - at, "%s%.9g", i ? ", " : "", tol*small_of(c, i)*(i < nq ? 1 : speeds));
  snprintf(all + at, room - at, "])");
  return all;
}

enum { NAM, DIFFERENCES, LINKS, IMEX, KINDS };
static const double convergences[2][2] = {{0.1, 0.01}, {0.1, 0.5}}, speeds[] = {1, 0.1, 10}, firsts[] = {0, 4e-6};
static const double cvode_tols[] = {1e-2, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 1e-6}, nam_tols[] = {1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5};
enum { ORDERS = 4, NC = 2, NS = 3, NT = 7, NK = 2, NF = 2 };
static const int settings[KINDS] = {NK*NF*NT, ORDERS*NC*NS*NT, ORDERS*NC*NS*NT, 3*NT};

/* a setting of a kind, by number: the slowest index first */
typedef struct { int order, k; double convergence, speeds, tol, first; } setting;
static setting setting_of(int kind, int i)
{
  if (kind == NAM) return (setting){.k = 2 + i/(NF*NT), .first = firsts[i/NT % NF], .tol = nam_tols[i % NT]};
  if (kind == IMEX) return (setting){.order = 3 + i/NT, .speeds = 1, .tol = cvode_tols[i % NT]};
  return (setting){.order = 2 + i/(NC*NS*NT), .convergence = convergences[kind == LINKS][i/(NS*NT) % NC], .speeds = speeds[i/NT % NS],
    .tol = cvode_tols[i % NT]};
}

/* what is explicit in the contacts takes ten times as many sweeps as the others: it is shown once, with its looser tolerances */
static int not_tried(const scenario *s, int kind, int start, int i)
{
  setting x = setting_of(kind, i);
  if (kind == NAM) return x.first > 0 && s->few == 2;
  if (kind == IMEX) return start > 0 || s->few || x.tol < 3e-5;
  return s->few && (x.convergence != 0.1 || x.speeds != 1 || (s->few == 2 && (x.order == 4 || (kind == DIFFERENCES && x.tol < 1e-5))));
}

static char *flow_of(const epi_case *c, int kind, int i)
{
  setting x = setting_of(kind, i);
  char *first = x.first > 0 ? text(", first=%g", x.first) : NULL, *out = NULL, *begins = NULL;
  if (kind == NAM) out = text("nam(model.contacts, model.stiff, k=%d, tol=%g%s)", x.k, x.tol, first ? first : "");
  else if (kind == IMEX) begins = text("arkode(model.contacts, model.stiff, order=%d, matrix=sparse, steps=20000", x.order);
  else begins = text("cvode(model.contacts, model.stiff, method=bdf, order=%d, convergence=%g, matrix=sparse%s", x.order, x.convergence,
                     kind == LINKS ? ", jacobian=links" : "");
  if (begins) out = with_tolerances(c, begins, x.speeds, x.tol);
  free(first);
  free(begins);
  return out;
}

/* ways to count a run: nam's by k; CVODE's with the structured Jacobian as the paper does, where each mode adds two sweeps to it, with what
   it takes where columns are grouped, and with Jacobians for nothing, as contacts give them; and ARKODE's. Then times */
enum { NAM2, NAM3, PAPER, GROUPED, FREE, EXPLICIT, NAM_TIME, DIFFERENCES_TIME, LINKS_TIME, COUNTS };
static const char *const count_names[COUNTS] = {"nam_2", "nam_3", "cvode_12", "cvode_27", "cvode_rhs", "arkode", "nam_s", "cvode_fd_s",
  "cvode_links_s"};

typedef struct { double least; int setting; } best;              /* 0: none reaches it */
typedef struct { best of[LEVELS][COUNTS]; double between; } heat; /* between: by how much two solutions of small error differ */
typedef struct { points of[4]; } cloud;                  /* error and sweeps: nam k = 2, 3, CVODE as the paper counts, and by links */

static void keep_best(best *b, double least, int by)
{
  if (b->least == 0 || least < b->least) *b = (best){least, by};
}

static void judge(const scenario *s, heat *h, cloud *dots, const effort *o, int kind, int i)
{
  double rhs = (double)o->sweeps, told = rhs + (12 + 2*s->modes)*(double)o->slopes, grouped = rhs + (27 + 2*s->modes)*(double)o->slopes;
  int k = setting_of(kind, i).k;
  for (int l = 0; l < LEVELS && !isnan(o->error); l++) {
    best *b = h->of[l];
    if (!(o->error <= levels[l])) continue;
    if (kind == NAM) { keep_best(&b[k == 2 ? NAM2 : NAM3], rhs, i); keep_best(&b[NAM_TIME], o->time, i); }
    if (kind == DIFFERENCES) {
      keep_best(&b[PAPER], told, i);
      keep_best(&b[GROUPED], grouped, i);
      keep_best(&b[DIFFERENCES_TIME], o->time, i);
    }
    if (kind == DIFFERENCES || kind == LINKS) keep_best(&b[FREE], rhs, i);
    if (kind == LINKS) keep_best(&b[LINKS_TIME], o->time, i);
    if (kind == IMEX) keep_best(&b[EXPLICIT], rhs, i);
  }
  if (!isnan(o->error) && kind != IMEX) points_add(&dots->of[kind == NAM ? k - 2 : 1 + kind], o->error, kind == DIFFERENCES ? told : rhs);
}

/* the solution that errors are of, and another of small error */
static int find_truth(const scenario *s, const char *model, const epi_case *c, record *truth, record *r, heat *h)
{
  effort o = drive(model, "nam(model.contacts, model.stiff, k=3, tol=1e-8)", s->end, truth, NULL);
  static const char *const cvode = "cvode(model.contacts, model.stiff, method=bdf, jacobian=links, matrix=sparse";
  char *flow = with_tolerances(c, cvode, 1, s->few == 2 ? 1e-7 : 1e-8);
  effort other = drive(model, flow, s->end, r, truth);
  free(flow);
  h->between = other.error;
  return o.why[0] || other.why[0] ? say(FAILED, "%s: %s", s->name, o.why[0] ? o.why : other.why) : 0;
}

/* 0; or the sentence of what could not be run */
static int one_heat(const scenario *s, int start, heat *h, cloud *dots, progress *p)
{
  record *truth = need(2*sizeof *truth), *r = truth + 1;
  int whole = snprintf(NULL, 0, s->model, s->speed*(1 + 1e-3*start)) + 1;
  char *model = need((size_t)whole);
  snprintf(model, (size_t)whole, s->model, s->speed*(1 + 1e-3*start));
  epi_case *c = epi_case_make(model);
  int code = !c || c->error[0] ? say(FAILED, "%s", c ? c->error : "out of memory") : 0;
  progress_step(p);
  if (!code) code = find_truth(s, model, c, truth, r, h);
  for (int kind = 0; kind < KINDS && !code; kind++)
    for (int i = 0; i < settings[kind] && !clock_interrupted(); i++) {
      if (not_tried(s, kind, start, i)) continue;
      char *flow = flow_of(c, kind, i);
      effort o = drive(model, flow, s->end, r, truth);
      judge(s, h, dots, &o, kind, i);
      free(flow);
    }
  if (c) epi_case_free(c);
  free(model);
  free(truth);
  return code ? code : clock_interrupted() ? FAILED : 0;
}

/* ---- the table ---- */
static int by_size(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* of those that reached it, if more than half did; else 0. What was tried from the first start alone is as that has it */
static double median(const heat *h, int n, int level, int count)
{
  double x[16];
  int m = 0;
  if (count == EXPLICIT) n = 1;
  for (int i = 0; i < n; i++) if (h[i].of[level][count].least > 0) x[m++] = h[i].of[level][count].least;
  qsort(x, (size_t)m, sizeof *x, by_size);
  return 2*m <= n ? 0 : m % 2 ? x[m/2] : 0.5*(x[m/2 - 1] + x[m/2]);
}

typedef struct { double of[COUNTS]; } medians;
static medians medians_of(const heat *h, int n, int level)
{
  medians m;
  for (int w = 0; w < COUNTS; w++) m.of[w] = median(h, n, level, w);
  return m;
}

/* the better of k = 2 and 3; 0: neither reaches it */
static double fewest(const medians *m)
{
  double a = m->of[NAM2], b = m->of[NAM3];
  return a > 0 && (a <= b || !(b > 0)) ? a : b;
}

static number count(double sweeps)
{
  number n = {"-"};
  if (sweeps > 0) snprintf(n.text, sizeof n.text, "%.0f", sweeps);
  return n;
}

static number gain(double cvode, double nam)
{
  number n = {"-"};
  if (cvode > 0 && nam > 0) snprintf(n.text, sizeof n.text, "%.1f", cvode/nam);
  return n;
}

static number milliseconds(double s)
{
  number n = {"-"};
  if (s > 0) snprintf(n.text, sizeof n.text, "%.3g", 1e3*s);
  return n;
}

static void print_setting(int i)
{
  setting x = setting_of(DIFFERENCES, i);
  printf("order %d, convergence %g, atol of speeds x %g, tolerance %g", x.order, x.convergence, x.speeds, x.tol);
}

static int tried(const scenario *s, int kind)
{
  int n = 0;
  for (int i = 0; i < settings[kind]; i++) n += !not_tried(s, kind, 0, i);
  return n;
}

static void print_scenario(const scenario *s, const heat *h)
{
  double between = 0;
  for (int i = 0; i < s->starts; i++) if (!(h[i].between <= between)) between = h[i].between;
  printf("%s%s%s: %d starts; %d settings of nam, %d of CVODE with differences, %d with Jacobians of contacts, %d of ARKODE from the first "
         "start; two solutions of small error differ by %.2g\n", ink(stdout, BOLD), s->name, ink(stdout, PLAIN), s->starts, tried(s, NAM),
         tried(s, DIFFERENCES), tried(s, LINKS), tried(s, IMEX), between);
  printf("  %-7s %10s %10s %7s %7s  %8s %8s  %10s %10s %9s  %24s\n", "error", s->modes ? "+(12+2n) J" : "rhs+12 J",
         s->modes ? "+(27+2n) J" : "rhs+27 J", "rhs", "ARKODE", "nam k=2",
         "nam k=3", "gain, 12 J", "gain, 27 J", "gain, rhs", "ms: CVODE, links, nam");
  for (int l = 0; l < LEVELS; l++) {
    medians m = medians_of(h, s->starts, l);
    double ours = fewest(&m);
    printf("  %-7g %10s %10s %7s %7s  %8s %8s  %10s %10s %9s  %8s %7s %7s\n", levels[l], count(m.of[PAPER]).text, count(m.of[GROUPED]).text,
           count(m.of[FREE]).text, count(m.of[EXPLICIT]).text, count(m.of[NAM2]).text, count(m.of[NAM3]).text, gain(m.of[PAPER], ours).text,
           gain(m.of[GROUPED], ours).text, gain(m.of[FREE], ours).text, milliseconds(m.of[DIFFERENCES_TIME]).text,
           milliseconds(m.of[LINKS_TIME]).text, milliseconds(m.of[NAM_TIME]).text);
  }
  const best *at = h[0].of[3];
  if (at[PAPER].least > 0 && at[NAM2].least > 0) {
    printf("  first start, error 0.01: CVODE by ");
    print_setting(at[PAPER].setting);
    printf("; nam k=2 with tol %g\n", setting_of(NAM, at[NAM2].setting).tol);
  }
  putchar('\n');
  fflush(stdout);
}

static void print_json(const scenario *s, const heat *h, int first)
{
  printf("%s    {\"name\": \"%s\", \"starts\": %d, \"levels\": [", first ? "" : ",\n", s->name, s->starts);
  for (int l = 0; l < LEVELS; l++) {
    medians m = medians_of(h, s->starts, l);
    printf("%s\n      {\"error\": %g", l ? "," : "", levels[l]);
    for (int w = 0; w < COUNTS; w++) printf(", \"%s\": %g", count_names[w], m.of[w]);
    putchar('}');
  }
  printf("]}");
}

/* every run is a point: the error that it has, and its sweeps */
static int draw(const cloud *dots, const char *folder)
{
  enum { KINDS_DRAWN = 4 };
  static const char *const names[] = {"nam, k = 2", "nam, k = 3", "CVODE, a Jacobian as 12 sweeps", "CVODE, Jacobians of contacts"};
  static const plot_colour colours[] = {PLOT_BLUE, PLOT_TEAL, PLOT_LIGHT, PLOT_RED};
  plot_line lines[SCENARIOS][KINDS_DRAWN];
  plot_panel panels[SCENARIOS];
  int n = 0;
  for (int s = 0; s < SCENARIOS; s++) {
    for (int k = 0; k < KINDS_DRAWN; k++) {
      int kind = KINDS_DRAWN - 1 - k;
      const points *p = &dots[s].of[kind];
      lines[s][k] = (plot_line){.name = names[kind], .n = p->n, .x = p->x, .y = p->y, .colour = colours[kind], .style = PLOT_MARKS};
    }
    if (!dots[s].of[0].n) continue;
    panels[n++] = (plot_panel){.title = scenarios[s].name, .x = {"error", .log = 1}, .y = {"sweeps over the contacts", .log = 1},
                               .nline = KINDS_DRAWN, .line = lines[s]};
  }
  char *path = text("%s/bearing-race.svg", folder);
  FILE *f = fopen(path, "wb");
  int bad = !f || epi_plot_write(&(plot_page){.columns = 2, .npanel = n, .panel = panels, .width = 360, .height = 240}, f);
  if (f && fclose(f)) bad = 1;
  if (bad) say(FAILED, "%s could not be written", path);
  free(path);
  return bad ? FAILED : DONE;
}

static int chosen(const scenario *s, const char *name) { return !name || !strcmp(s->name, name); }

static int no_part(const char *name)
{
  char all[SCENARIOS*16] = "";
  for (int s = 0; s < SCENARIOS; s++)
    snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", s == 0 ? "" : s == SCENARIOS - 1 ? " and " : ", ", scenarios[s].name);
  return say(REFUSED, "bearing-race has no part '%s': it has %s", name, all);
}

int race(const char *name, const char *json, const char *figures)
{
  heat (*heats)[10] = need(SCENARIOS*sizeof *heats);
  cloud dots[SCENARIOS] = {0};
  int code = figures ? figures_folder(figures) : 0, all = 0;
  memset(heats, 0, SCENARIOS*sizeof *heats);
  for (int s = 0; s < SCENARIOS; s++) if (chosen(&scenarios[s], name)) all += scenarios[s].starts;
  if (!all) { free(heats); return no_part(name); }
  progress p = progress_begin("bearing-race", "starts", all);
  clock_catch();
  if (json) puts("{\n  \"race\": \"bearing\", \"scenarios\": [");
  for (int s = 0, first = 1; s < SCENARIOS && !code; s++) {
    if (!chosen(&scenarios[s], name)) continue;
    for (int i = 0; i < scenarios[s].starts && !code; i++) code = one_heat(&scenarios[s], i, &heats[s][i], &dots[s], &p);
    progress_wipe(&p);
    if (code) break;
    if (json) print_json(&scenarios[s], heats[s], first);
    else print_scenario(&scenarios[s], heats[s]);
    first = 0;
  }
  if (json) puts("\n  ]\n}");
  if (!code && figures) code = draw(dots, figures);
  for (int s = 0; s < SCENARIOS; s++) for (int k = 0; k < 4; k++) points_free(&dots[s].of[k]);
  free(heats);
  return code;
}
