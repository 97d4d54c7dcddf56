/* holds: results from C have right rows, drifts and counters, stop and go on, and survive full disks */
#include "test.h"
#include "place.h"
#include "epicycle/page.h"
#include <unistd.h>

/* q'' = -q from q = 1: verlet keeps v^2/2 + (1 - h^2/4) q^2/2, so that its energy errs by h^2/8 (q^2 - 1) */
static int force(epi_system *s, double t, const double *q, double *f) { (void)s, (void)t; f[0] = -q[0]; return 0; }
static double energy(const epi_case *c, const epi_state *s) { (void)c; return (s->y[0]*s->y[0] + s->y[1]*s->y[1])/2; }
static double twice(const epi_case *c, const epi_state *s) { (void)c; return 2*s->y[0]; }
static int exact(const epi_case *c, double t, double *y) { (void)c; y[0] = cos(t); y[1] = -sin(t); return 0; }
static void draw(const epi_case *c, const epi_state *s, epi_scene *to) {
  (void)c;
  epi_show(to, &(epi_shape){.name = "bob", .kind = EPI_BALL, .size = {0.1}, .at = {s->y[0], 0, 0}});
}
static int make(epi_case *c) {
  static const char *const names[] = {"x", "v"}, *const units[] = {"m", "m/s"};
  c->system = (epi_system){.nq = 1, .force = force, .names = names, .units = units};
  if (epi_case_start(c)) return -1;
  c->y[0] = c->p[0];
  return 0;
}
static const epi_param params[] = {{.name = "x0", .unit = "m", .value = 1, .doc = "where it starts"}, {0}};
static const epi_observable observables[] = {
  {.name = "twice x", .unit = "m", .value = twice}, {.name = "energy", .unit = "J", .value = energy, .invariant = 1}, {0}
};
static const epi_model spring = {.name = "spring", .doc = "a spring", .params = params, .make = make, .observables = observables,
                                 .exact = exact, .flow = "verlet", .step = 0.1, .end = 10, .draw = draw};

static char room[64], path[128];
static const char *in_room(const char *name) { snprintf(path, sizeof path, "%s/%s", room, name); return path; }

static char *content(const char *name, size_t *n) {
  FILE *f = fopen(in_room(name), "rb");
  char *all = calloc(1, 200000);
  if (f && all) { *n = fread(all, 1, 199999, f); fclose(f); }
  return all;
}

static void ledgers(void) {
  epi_ledger t = {0};
  /* e = 1 + x at x = -3/4, -1/2, ..., 1: quarters of means 0.375 and 1.875, the largest of the first 0.5 */
  check(isnan(epi_ledger_drift(&t)) && isnan(epi_ledger_slope(&t)));
  for (int k = 1; k <= 8; k++) epi_ledger_add(&t, k/4. - 1, k/4.);
  check_abs(epi_ledger_drift(&t), 3, 1e-15);
  check_abs(epi_ledger_slope(&t), 1, 1e-15);
  check_abs(t.most, 2, 0);
}

static void rows_and_drift(epi_case *c) {
  size_t n = 0;
  epi_result *r = epi_result_make(c, NULL, &(epi_run_options){.every = 0.5, .out = in_room("a.csv"), .pictures = 1, .name = "mine"});
  check_text(r->status, "ready");
  check_count(epi_result_run(r), 0);
  check_text(r->status, "done");
  check_text(r->error, "");
  check_count(r->rows, 21);
  check_count(r->steps, 100);
  check_count(r->ncol, 5);
  check_text(r->column[3].name, "twice x");
  check_text(r->column[3].unit, "m");
  check_abs(r->row[3], 2*r->y[0], 0);
  check_abs(r->t, 10, 1e-12);
  /* over the steps the largest error is h^2/8 but for q^2 at the step nearest to zero; over the rows it is less, at q(t) of a row */
  check_near(r->invariant[0].ledger.most, 0.01/8, 5e-4, 0);
  check_below(r->invariant[0].worst, 0.01/8);
  check_rel(r->invariant[0].last, 0.01/8*(r->y[0]*r->y[0] - 1), 1e-10);
  check_abs(r->invariant[0].start, 0.5, 0);
  check_count(r->invariant[0].ledger.n, 100);
  /* q_n = cos(n phi) with cos(phi) = 1 - h^2/2: the same drift, from the quarters of that */
  double quarter[2] = {0}, largest = 0;
  for (int k = 1; k <= 100; k++) {
    double q = cos(k*acos(1 - 0.01/2)), e = 0.01/8*(q*q - 1);
    if (k <= 25) quarter[0] += e/25, largest = fmax(largest, fabs(e));
    if (k > 75) quarter[1] += e/25;
  }
  check_rel(epi_invariant_drift(r, 0), fabs(quarter[1] - quarter[0])/largest, 1e-9);
  check_between(r->worst_error, 1e-3, 1e-2);
  /* one evaluation a step and one at the start */
  check_count(r->calls + r->calls_for_rows, 101);
  check_count(r->ncounters, 1);
  check_text(r->counters[0].name, "verlet");
  check_count(r->counters[0].steps, 100);
  check_count(r->kept.rows, 21);
  if (check(r->drawing != NULL)) check_abs(r->drawing->x[20*EPI_CHANNELS], r->y[0], 0);
  char *all = content("a.csv", &n), *line = strtok(all, "\n");
  check_text(line, "t,x,v,twice x,energy");
  int lines = 0;
  double last[5] = {0};
  while ((line = strtok(NULL, "\n"))) {
    for (int i = 0; i < 5; i++) last[i] = strtod(line, &line), line += *line == ',';
    lines++;
  }
  check_count(lines, 21);
  check_bits(5, last, r->row);
  free(all);
  epi_result_free(r);
}

static int stop_at_50(void *data, epi_result *r, const epi_state *s) { (void)data, (void)s; return r->steps == 50; }

/* the file of a run that stopped, was saved, and went on in another result has the bytes of one that never stopped */
static void stop_and_go(epi_case *c, const char *ending) {
  char whole[32], half[32], out[128];
  size_t n = 0, m = 0;
  snprintf(whole, sizeof whole, "whole.%s", ending);
  snprintf(half, sizeof half, "half.%s", ending);
  epi_result *r = epi_result_make(c, "verlet", &(epi_run_options){.every = 0.3, .out = in_room(whole)});
  check_count(epi_result_run(r), 0);
  snprintf(out, sizeof out, "%s", in_room(half));
  epi_result *a = epi_result_make(c, "verlet", &(epi_run_options){.every = 0.3, .out = out, .beat = stop_at_50});
  FILE *f = tmpfile();
  check_count(epi_result_begin(a), 0);
  check_count(epi_result_go(a), EPI_STOPPED);
  check_above((double)epi_result_mark(a), 100);
  check_count(epi_result_save(a, f), 0);
  rewind(f);
  epi_result *b = epi_result_make(c, "verlet", &(epi_run_options){.every = 0.3, .out = out});
  check_count(epi_result_load(b, f), 0);
  b->rows = a->rows;
  b->steps = a->steps;
  b->bytes = a->bytes;
  b->row[0] = a->row[0];
  b->invariant[0] = a->invariant[0];
  /* rows after the mark are cut off */
  epi_result_go(a);
  epi_result_free(a);
  check_count(epi_result_resume(b), 0);
  check_count(epi_result_end(b, epi_result_go(b)), 0);
  check_bits(2, b->y, r->y);
  check_bits(1, &b->invariant[0].ledger.most, &r->invariant[0].ledger.most);
  char *x = content(whole, &n), *y = content(half, &m);
  check_count((long)m, (long)n);
  check(!memcmp(x, y, n < m ? n : m));
  free(x);
  free(y);
  fclose(f);
  epi_result_free(b);
  epi_result_free(r);
}

/* a result refuses with a sentence, before a file is touched */
static void refusals(epi_case *c) {
  static const struct { const char *flow; epi_run_options o; const char *says; } all[] = {
    {"verlt", {.out = "never.csv"}, "did you mean verlet"}, {NULL, {.step = -1}, "give a positive one"},
    {NULL, {.end = -1}, "is not after the start"}, {NULL, {.out = "rows.txt"}, "has no known ending"},
    {NULL, {.fast = 1}, "fast needs a flow with a strobe or hmm average"}, {NULL, {.every = 1e-12}, "let them be"},
  };
  for (size_t i = 0; i < sizeof all/sizeof *all; i++) {
    epi_result *r = epi_result_make(c, all[i].flow, &all[i].o);
    check_text(r->status, "refused");
    check_has(r->error, all[i].says);
    check_count(epi_result_run(r), EPI_WRONG);
    epi_result_free(r);
  }
  check(access("never.csv", F_OK) != 0);
  epi_result *r = epi_result_make(c, NULL, &(epi_run_options){.out = "/nowhere/a.csv"});
  check_count(epi_result_run(r), EPI_WRONG);
  check_has(r->error, "cannot write /nowhere/a.csv");
  epi_result_free(r);
}

/* a disk that is full stops the run and says so; the result is told as far as it came */
static void full(epi_case *c) {
  epi_result *r = epi_result_make(c, NULL, &(epi_run_options){.end = 1000, .out = "/dev/full"});
  check_count(epi_result_run(r), EPI_WRONG);
  check_text(r->status, "failed");
  check_has(r->error, "cannot write /dev/full: No space left");
  check_below((double)r->steps, 9999);
  epi_result_free(r);
}

/* of more rows than are kept every second one goes, but never the last */
static void thinned(epi_case *c) {
  epi_result *r = epi_result_make(c, NULL, &(epi_run_options){.end = 999.9, .pictures = 1});
  check_count(epi_result_run(r), 0);
  check_count(r->rows, 10000);
  check_count(r->kept.rows, 2501);
  check_count(r->kept.stride, 4);
  check_abs(r->kept.x[5], 0.4, 1e-12);
  check_abs(r->kept.x[2500*5], 999.9, 1e-9);
  epi_result_free(r);
}

/* what passed between the rows that are kept is what every step did there, also after rows were left out */
typedef struct track { int n; double t[10001], x[10001]; } track;
static int note(void *data, epi_result *r, const epi_state *s) {
  track *a = data;
  (void)r;
  a->t[++a->n] = s->t;
  a->x[a->n] = s->y[0];
  return 0;
}
static void between(epi_case *c, double every, double end, int rows) {
  static track a;
  a = (track){.t = {0}, .x = {1}};
  epi_result *r = epi_result_make(c, NULL, &(epi_run_options){.every = every, .end = end, .pictures = 1, .beat = note, .data = &a});
  check_count(epi_result_run(r), 0);
  check_count(r->kept.rows, rows);
  size_t n = (size_t)r->kept.n, wide = EPI_LEAST + 4*n;
  int wrong = 0, outside = 0, k = 0;
  for (int i = 1; i < r->kept.rows; i++) {
    const double *p = r->kept.passed + (size_t)i*wide, *q = p + EPI_LEAST;
    double from = r->kept.x[(size_t)(i - 1)*n], to = r->kept.x[(size_t)i*n], least = a.x[k], most = a.x[k];
    while (k < a.n && a.t[k+1] <= to + 1e-9) { k++; least = fmin(least, a.x[k]); most = fmax(most, a.x[k]); }
    if (q[1] != least || q[n + 1] != most || q[3] != 2*least || q[n + 3] != 2*most) wrong++;
    /* one of the steps in between, and the next of them */
    const double *one = q + 2*n, *next = q + 3*n;
    int follows = next[0] > one[0] ? next[0] < one[0] + 0.11 : fabs(one[0] - to) < 1e-9;
    if (p[EPI_DRAWS] > 0 && !(one[0] > from - 1e-9 && one[0] < to + 1e-9 && follows)) outside++;
  }
  check_count(wrong, 0);
  check_count(outside, 0);
  epi_result_free(r);
}

/* memory that the result does not own: two blocks, the result and its drawing */
typedef struct blocks { void *at[2]; size_t size[2]; int n; } blocks;
static void *lend(void *data, size_t size) {
  blocks *b = data;
  if (b->n == 2) return NULL;
  b->size[b->n] = size;
  return b->at[b->n++] = calloc(1, size);
}

/* the block moved as a whole, as another process sees it; where it was there is nothing any more */
static void moved(epi_case *c) {
  blocks lent = {.n = 0};
  epi_result *r = epi_result_make(c, NULL, &(epi_run_options){.pictures = 1, .name = "mine", .room = lend, .data = &lent});
  check_count(epi_result_run(r), 0);
  check(r == lent.at[0] && (void *)r->drawing == lent.at[1]);
  void *block = malloc(r->size), *picture = malloc(r->drawing->size);
  memcpy(block, r, r->size);
  memcpy(picture, r->drawing, r->drawing->size);
  double y[2] = {r->y[0], r->y[1]}, x = r->drawing->x[EPI_CHANNELS];
  epi_result_free(r);
  for (int i = 0; i < lent.n; i++) memset(lent.at[i], 0, lent.size[i]);
  epi_result *seen = epi_result_at(block);
  seen->drawing = epi_drawing_at(picture);
  check_text(seen->name, "mine");
  check_text(seen->flow, "verlet");
  check_text(seen->column[4].name, "energy");
  check_text(seen->counters[0].text, "verlet");
  check_text(seen->invariant[0].name, "energy");
  check_text(seen->setting[0].unit, "m");
  check_text(seen->setting[0].doc, "where it starts");
  check_text(seen->drawing->shape[0].name, "bob");
  check_abs(seen->drawing->x[EPI_CHANNELS], x, 0);
  check_bits(2, seen->y, y);
  check_abs(seen->kept.x[(size_t)seen->kept.n*(size_t)(seen->kept.rows - 1) + 1], y[0], 0);
  check_count(epi_result_begin(seen), EPI_WRONG);
  free(block);
  free(picture);
  for (int i = 0; i < lent.n; i++) free(lent.at[i]);
}

static void pages(epi_case *c) {
  char error[200] = "";
  size_t n = 0;
  epi_result *r[2];
  for (int i = 0; i < 2; i++) {
    epi_run_options ask = {.every = -1, .pictures = 1, .name = i ? "b<c" : "a"};
    r[i] = epi_result_make(c, i ? "verlet" : "tolerance(dopri5, rtol=1e-9)", &ask);
    check_count(epi_result_run(r[i]), 0);
  }
  check_between(epi_result_distance(r[1], r[0]), 1e-3, 1e-2);
  const epi_result *const both[] = {r[0], r[1]};
  check_count(epi_report_write(in_room("page.html"), "Springs & more", both, 2, 0, error, sizeof error), 0);
  char *all = content("page.html", &n);
  check_has(all, "<title>Springs &amp; more</title>");
  check_has(all, "what was run: b&lt;c");
  check_has(all, "<th class=\"number\">from a</th>");
  check(!strstr(all, "b<c"));
  free(all);
  check_count(epi_plot_file(in_room("plot.svg"), r[0], error, sizeof error), 0);
  all = content("plot.svg", &n);
  check_has(all, "</svg>");
  free(all);
  check_count(epi_report_write("/dev/full", NULL, both, 2, -1, error, sizeof error), -1);
  check_has(error, "cannot write /dev/full: No space left");
  check_count(epi_report_write("/nowhere/page.html", NULL, both, 2, -1, error, sizeof error), -1);
  check_has(error, "cannot write /nowhere/page.html");
  FILE *f = tmpfile();
  epi_result_json(r[0], f);
  rewind(f);
  char *json = calloc(1, 20000);
  check_above((double)fread(json, 1, 19999, f), 500);
  check_has(json, "\"flow\": \"tolerance(dopri5, rtol=1e-09)\"");
  check_has(json, "\"steps\": {\"by\": \"tolerance(");
  free(json);
  fclose(f);
  epi_result_free(r[0]);
  epi_result_free(r[1]);
}

static void texts(void) {
  check_text(epi_shortest(0.1).text, "0.1");
  check_text(epi_shortest(1/3.).text, "0.3333333333333333");
  char out[8];
  check_count((long)epi_json_letter("\"x", out), 1);
  check_text(out, "\\\"");
  check_count((long)epi_json_letter("\xc3\xa4x", out), 2);
  check_text(out, "\xc3\xa4");
  check_count((long)epi_json_letter("\xc3x", out), 1);
  check_text(out, "\\ufffd");
}

int main(void) {
  snprintf(room, sizeof room, "%s/epicycle-result-XXXXXX", test_place());
  if (!mkdtemp(room)) test_stop("no folder for the rows");
  epi_case *c = epi_case_of(&spring, "(x0=1)");
  if (c->error[0]) test_stop(c->error);
  ledgers();
  texts();
  rows_and_drift(c);
  const char *const endings[] = {"csv", "npy", "json"};
  for (int i = 0; i < 3; i++) stop_and_go(c, endings[i]);
  refusals(c);
  full(c);
  thinned(c);
  between(c, 2, 40, 21);
  between(c, 0.1, 999.9, 2501);
  moved(c);
  pages(c);
  epi_case_free(c);
  static const char *const left[] = {"a.csv", "whole.csv", "half.csv", "whole.npy", "half.npy", "whole.npy.columns.txt",
                                     "half.npy.columns.txt", "whole.json", "half.json", "page.html", "plot.svg"};
  for (size_t i = 0; i < sizeof left/sizeof *left; i++) check_count(remove(in_room(left[i])), 0);
  check_count(rmdir(room), 0);
  return test_done();
}
