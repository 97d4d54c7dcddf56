/* race.c - `reproduce bearing-race`: how many sweeps over the contacts of a bearing nam needs for an error, and how many the best of a grid
 * of settings of CVODE. Every run is held against a solution of far smaller error; the fewest sweeps that reach an error are taken for each
 * method by itself, from each of some starts that differ a little, because impacts make counts jump; the median of these is told */
#include "figures.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = 7, ROWS = 2501, SIGNALS = 3 };
static const double levels[LEVELS] = {0.3, 0.1, 0.03, 0.01, 0.003, 0.001, 3e-4};

/* S1 starts where it stays; in S3 20 N become 1000 at once, on wavy races and with little damping. Starts differ in the speed */
typedef struct { const char *name, *rest; double end; int starts; } scenario;
static const scenario scenarios[] = {
  {"S1-600us", "", 600e-6, 10}, {"S3-600us", ", preload=20, chi=0.02, waviness=3e-7", 600e-6, 10},
  {"S1-5ms", "", 5e-3, 3}, {"S3-5ms", ", preload=20, chi=0.02, waviness=3e-7", 5e-3, 3},
};
enum { SCENARIOS = sizeof scenarios/sizeof *scenarios };

/* ---- one run ---- */
/* load of a ball and force of its pocket, relative to their mean squares; speed of the cage in rad/s */
static const char *const signals[SIGNALS] = {"Qo", "Qpocket", "cage-speed"};
typedef struct { const epi_case *c; int n; double x[ROWS][SIGNALS]; } record;

static double observed(const epi_case *c, const char *name, const epi_state *s)
{
  const epi_observable *o = c->model->observables;
  while (o->name && strcmp(o->name, name)) o++;
  return o->name ? epi_observe(c, o, s) : NAN;
}

static int note(void *data, const epi_system *m, epi_state *s)
{
  record *r = data;
  (void)m;
  for (int i = 0; i < SIGNALS && r->n < ROWS; i++) r->x[r->n][i] = observed(r->c, signals[i], s);
  r->n += r->n < ROWS;
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

/* slopes: Jacobians by differences, each of which took as many sweeps as there are coordinates */
typedef struct { long sweeps, slopes; double error, wall; char why[320]; } effort;

static void add(void *to, const epi_info *i)
{
  effort *o = to;
  o->sweeps += i->calls;
  if (!strcmp(i->record->name, "cvode")) o->slopes += i->slopes;
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
    double began = clock_now();
    r->c = c;
    r->n = 0;
    note(r, NULL, &s);
    int bad = epi_run(f, &s, end, end);
    o.wall = clock_now() - began;
    epi_walk(f, add, &o);
    o.sweeps -= o.slopes*epi_size(&c->system);
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
/* what is small for places, quaternions, velocities and turns of bodies */
static char *cvode_flow(const epi_case *c, int order, double convergence, double speeds, double tol)
{
  static const double small[] = {1e-5, 1e-5, 1e-5, 2e-3, 2e-3, 2e-3, 2e-3, 1, 1, 1, 200, 200, 200};
  int n = epi_size(&c->system), nq = c->system.nq;
  size_t room = 32*(size_t)n + 120, at;
  char *all = need(room);
  at = (size_t)snprintf(all, room, "cvode(model, method=bdf, order=%d, convergence=%g, rtol=1e-14, atol=[", order, convergence);
  for (int i = 0; i < n; i++)
    at += (size_t)snprintf(all + at, room - at, "%s%.9g", i ? ", " : "",
                           i < nq ? tol*small[i % 7] : tol*speeds*small[7 + (i - nq) % 6]);
  snprintf(all + at, room - at, "])");
  return all;
}

static const double convergences[] = {0.1, 0.01}, speeds[] = {0.1, 1, 10};
static const double cvode_tols[] = {1e-2, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 1e-6}, nam_tols[] = {1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5};
enum { ORDERS = 4, NC = 2, NS = 3, NT = 7, CVODES = ORDERS*NC*NS*NT, NAMS = 2*NT };
/* a long run has the usual settings alone */
static int not_tried(const scenario *s, int i) { return s->end > 1e-3 && i % (NC*NS*NT)/NT != 1; }

/* ways to count a run of CVODE: with the structured Jacobian as the paper does, with what it takes where columns are grouped, and with
   Jacobians for nothing, as a program with derivatives of its contacts would have them */
enum { PAPER, GROUPED, FREE, COUNTS };
static const int per_slope[COUNTS] = {12, 27, 0};
static const char *const count_names[COUNTS] = {"rhs + 12 J", "rhs + 27 J", "rhs"};

typedef struct { double sweeps, wall; int setting; } best;      /* sweeps 0: none reaches it */
typedef struct { best cvode[COUNTS], nam[2]; } line;             /* nam: k = 2, 3 */

static void keep_best(best *b, double sweeps, double wall, int setting)
{
  if (b->sweeps == 0 || sweeps < b->sweeps) *b = (best){sweeps, wall, setting};
}

typedef struct { line level[LEVELS]; double between; } heat;     /* between: by how much two solutions of small error differ */
typedef struct { points of[3]; } cloud;                          /* error and sweeps: nam k = 2, 3, CVODE as the paper counts */

static void judge(heat *h, cloud *dots, const effort *o, int nam, int setting)
{
  for (int l = 0; l < LEVELS && !isnan(o->error); l++) {
    if (!(o->error <= levels[l])) continue;
    if (nam) keep_best(&h->level[l].nam[nam - 2], (double)o->sweeps, o->wall, setting);
    else for (int w = 0; w < COUNTS; w++)
      keep_best(&h->level[l].cvode[w], (double)(o->sweeps + per_slope[w]*o->slopes), o->wall, setting);
  }
  if (!isnan(o->error)) points_add(&dots->of[nam ? nam - 2 : 2], o->error, (double)(o->sweeps + (nam ? 0 : 12*o->slopes)));
}

/* 0; or the sentence of what could not be run */
static int one_heat(const scenario *s, int start, heat *h, cloud *dots, progress *p)
{
  record *truth = need(2*sizeof *truth), *r = truth + 1;
  char *model = text("bearing(speed=%.9g%s)", 10000*(1 + 1e-3*start), s->rest);
  epi_case *c = epi_case_make(model);
  int code = !c || c->error[0] ? say(FAILED, "%s", c ? c->error : "out of memory") : 0;
  if (!code) {
    progress_step(p);
    effort o = drive(model, "nam(model.contacts, model.stiff, k=3, tol=1e-8)", s->end, truth, NULL);
    char *flow = cvode_flow(c, 5, 0.1, 1, 1e-8);
    effort other = drive(model, flow, s->end, r, truth);
    free(flow);
    h->between = other.error;
    if (o.why[0] || other.why[0]) code = say(FAILED, "%s: %s", s->name, o.why[0] ? o.why : other.why);
  }
  for (int i = 0; i < NAMS && !code && !clock_interrupted(); i++) {
    char *flow = text("nam(model.contacts, model.stiff, k=%d, tol=%g)", 2 + i/NT, nam_tols[i % NT]);
    effort o = drive(model, flow, s->end, r, truth);
    judge(h, dots, &o, 2 + i/NT, i);
    free(flow);
  }
  for (int i = 0; i < CVODES && !code && !clock_interrupted(); i++) {
    if (not_tried(s, i)) continue;
    char *flow = cvode_flow(c, 2 + i/(NC*NS*NT), convergences[i/(NS*NT) % NC], speeds[i/NT % NS], cvode_tols[i % NT]);
    effort o = drive(model, flow, s->end, r, truth);
    judge(h, dots, &o, 0, i);
    free(flow);
  }
  if (c) epi_case_free(c);
  free(model);
  free(truth);
  return code ? code : clock_interrupted() ? INTERRUPTED : 0;
}

/* ---- the table ---- */
static int by_size(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* of those that reached it, if more than half did; else 0 */
static double median(const heat *h, int n, int level, size_t where)
{
  double x[16];
  int m = 0;
  for (int i = 0; i < n; i++) {
    const best *b = (const best *)((const char *)&h[i].level[level] + where);
    if (b->sweeps > 0) x[m++] = b->sweeps;
  }
  qsort(x, (size_t)m, sizeof *x, by_size);
  return 2*m <= n ? 0 : m % 2 ? x[m/2] : 0.5*(x[m/2 - 1] + x[m/2]);
}

typedef struct { double cvode[COUNTS], nam[2]; } medians;
static medians medians_of(const heat *h, int n, int level)
{
  medians m;
  for (int w = 0; w < COUNTS; w++) m.cvode[w] = median(h, n, level, offsetof(line, cvode) + (size_t)w*sizeof(best));
  for (int k = 0; k < 2; k++) m.nam[k] = median(h, n, level, offsetof(line, nam) + (size_t)k*sizeof(best));
  return m;
}

/* the better of k = 2 and 3; 0: neither reaches it */
static double fewest(const medians *m) { return m->nam[0] > 0 && (m->nam[0] <= m->nam[1] || !(m->nam[1] > 0)) ? m->nam[0] : m->nam[1]; }

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

static void print_setting(int i)
{
  printf("order %d, convergence %g, atol of speeds x %g, tolerance %g", 2 + i/(NC*NS*NT), convergences[i/(NS*NT) % NC],
         speeds[i/NT % NS], cvode_tols[i % NT]);
}

static void print_scenario(const scenario *s, const heat *h)
{
  double between = 0;
  for (int i = 0; i < s->starts; i++) if (!(h[i].between <= between)) between = h[i].between;
  int tried = 0;
  for (int i = 0; i < CVODES; i++) tried += !not_tried(s, i);
  printf("%s%s%s: %d starts; %d settings of nam, %d of CVODE; two solutions of small error differ by %.2g\n", ink(stdout, BOLD), s->name,
         ink(stdout, PLAIN), s->starts, NAMS, tried, between);
  printf("  %-8s %10s %10s %10s   %8s %8s   %11s %11s %11s\n", "error", count_names[PAPER], count_names[GROUPED], count_names[FREE],
         "nam k=2", "nam k=3", "gain, 12 J", "gain, 27 J", "gain, rhs");
  for (int l = 0; l < LEVELS; l++) {
    medians m = medians_of(h, s->starts, l);
    double ours = fewest(&m);
    printf("  %-8g %10s %10s %10s   %8s %8s   %11s %11s %11s\n", levels[l], count(m.cvode[PAPER]).text, count(m.cvode[GROUPED]).text,
           count(m.cvode[FREE]).text, count(m.nam[0]).text, count(m.nam[1]).text, gain(m.cvode[PAPER], ours).text,
           gain(m.cvode[GROUPED], ours).text, gain(m.cvode[FREE], ours).text);
  }
  const line *at = &h[0].level[3];
  if (at->cvode[PAPER].sweeps > 0 && at->nam[0].sweeps > 0) {
    printf("  first start, error 0.01: CVODE by ");
    print_setting(at->cvode[PAPER].setting);
    printf(", %.3g s with a dense matrix; nam k=2 with tol %g, %.3g s\n", at->cvode[PAPER].wall, nam_tols[at->nam[0].setting % NT],
           at->nam[0].wall);
  }
  putchar('\n');
  fflush(stdout);
}

static void print_json(const scenario *s, const heat *h, int first)
{
  printf("%s    {\"name\": \"%s\", \"starts\": %d, \"levels\": [", first ? "" : ",\n", s->name, s->starts);
  for (int l = 0; l < LEVELS; l++) {
    medians m = medians_of(h, s->starts, l);
    printf("%s\n      {\"error\": %g, \"cvode_12\": %g, \"cvode_27\": %g, \"cvode_rhs\": %g, \"nam_2\": %g, \"nam_3\": %g}", l ? "," : "",
           levels[l], m.cvode[PAPER], m.cvode[GROUPED], m.cvode[FREE], m.nam[0], m.nam[1]);
  }
  printf("]}");
}

/* every run is a point: the error that it has, and its sweeps */
static int draw(const cloud *dots, const char *folder)
{
  static const char *const names[] = {"nam, k = 2", "nam, k = 3", "CVODE, a Jacobian as 12 sweeps"};
  static const plot_colour colours[] = {PLOT_BLUE, PLOT_TEAL, PLOT_LIGHT};
  plot_line lines[SCENARIOS][3];
  plot_panel panels[SCENARIOS];
  int n = 0;
  for (int s = 0; s < SCENARIOS; s++) {
    for (int k = 0; k < 3; k++) {
      const points *p = &dots[s].of[2 - k];
      lines[s][k] = (plot_line){.name = names[2 - k], .n = p->n, .x = p->x, .y = p->y, .colour = colours[2 - k], .style = PLOT_MARKS};
    }
    if (!dots[s].of[0].n) continue;
    panels[n++] = (plot_panel){.title = scenarios[s].name, .x = {"error", .log = 1}, .y = {"sweeps over the contacts", .log = 1},
                               .nline = 3, .line = lines[s]};
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

int race(const char *name, const char *json, const char *figures)
{
  heat heats[SCENARIOS][10] = {0};
  cloud dots[SCENARIOS] = {0};
  int code = figures ? figures_folder(figures) : 0, all = 0;
  for (int s = 0; s < SCENARIOS; s++) if (chosen(&scenarios[s], name)) all += scenarios[s].starts;
  if (!all) return say(REFUSED, "bearing-race has no part '%s': it has S1-600us, S3-600us, S1-5ms and S3-5ms", name);
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
  for (int s = 0; s < SCENARIOS; s++) for (int k = 0; k < 3; k++) points_free(&dots[s].of[k]);
  return code;
}
