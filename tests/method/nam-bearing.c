/* holds: nam solves the bearing with one contact evaluation a step, and follows the reference signals
 * nam-bearing.c - a ball bearing by one evaluation of its contacts a step: how many it takes, and its signals against those computed
 * elsewhere; by-products of the contacts against differences, and what happens where they are wrong or missing */
#include "bearings.h"

enum { LOAD, POCKET, SPEED, SIGNALS, ROWS = 400 };
typedef struct { int n; double t[ROWS], x[ROWS][SIGNALS]; } signal;
typedef struct { double e[SIGNALS]; long calls; char words[320]; } outcome;

static void read_signal(const char *file, signal *s)
{
  FILE *in = fopen(file, "r");
  char line[256];
  if (!in || !fgets(line, sizeof line, in)) test_stop(file);
  for (s->n = 0; s->n < ROWS; s->n++)
    if (fscanf(in, "%lf,%lf,%lf,%lf", &s->t[s->n], &s->x[s->n][LOAD], &s->x[s->n][POCKET], &s->x[s->n][SPEED]) != 4) break;
  fclose(in);
}

/* what a watch sees: the rows of a signal, and the mean of what comes later */
typedef struct {
  const epi_case *c;
  const signal *s;
  int rows, late;
  double e[SIGNALS], size[SIGNALS], from, mean[SIGNALS], square;
} watcher;
static int look(void *data, const epi_system *m, epi_state *s)
{
  watcher *w = data;
  const double x[SIGNALS] = {observed(w->c, "Qo", s), observed(w->c, "Qpocket", s), observed(w->c, "cage-speed", s)};
  (void)m;
  for (int i = 0; i < SIGNALS && w->rows < w->s->n; i++) {
    double want = w->s->x[w->rows][i];
    w->e[i] += (x[i] - want)*(x[i] - want);
    w->size[i] += want*want;
  }
  w->rows++;
  if (!(s->t > w->from)) return 0;
  w->late++;
  w->square += x[LOAD]*x[LOAD];
  for (int i = 0; i < SIGNALS; i++) w->mean[i] += x[i];
  return 0;
}

/* the contacts, perhaps with other by-products than they have */
typedef struct { double said, bare; } teller;
static teller telling;
static epi_system *contacts;
static int retold(epi_system *s, double t, const double *q, const double *v, double *f, epi_link *link)
{
  int bad = contacts->contacts.linked_force(contacts, t, q, v, f, link);
  for (int i = 0; i < s->contacts.links; i++) {
    link[i].stiffness *= telling.said;
    link[i].damping *= telling.bare;
    for (int k = 0; k < 3; k++) link[i].slope[k] *= telling.bare;
  }
  return bad;
}

static outcome follow(const signal *s, const char *text, const char *flow, double end, double from, const teller *say, watcher *w)
{
  epi_case *c = bearing_make(text);
  epi_name names[8] = {{.name = "look", .see = look, .data = w}};
  epi_system told;
  outcome r = {.words = ""};
  char whole[200];
  *w = (watcher){.c = c, .s = s, .from = from};
  for (int k = 0; c->parts[k].name; k++) {
    names[1 + k] = c->parts[k];
    if (!say || strcmp(c->parts[k].name, "model.contacts")) continue;
    telling = *say;
    contacts = c->parts[k].system;
    told = *contacts;
    told.contacts.linked_force = say->said == 0 && say->bare == 0 ? NULL : retold;
    names[1 + k].system = &told;
  }
  snprintf(whole, sizeof whole, "watch(%s, see=look, every=2e-6)", flow);
  epi_flow *f = epi_make_named(whole, names);
  if (epi_error(f)) test_stop(epi_error(f));
  epi_state x = epi_case_state(c);
  look(w, NULL, &x);
  bearing_run(f, &x, end, end);
  r.calls = epi_calls(f);
  if (epi_warning(f, 0)) snprintf(r.words, sizeof r.words, "%s", epi_warning(f, 0));
  int n = w->rows < s->n ? w->rows : s->n;
  for (int i = 0; i < SIGNALS; i++) r.e[i] = sqrt(w->e[i]/(i == SPEED ? n : w->size[i]));
  printf("%s, %g s of %s: %ld sweeps, %.2g of Qo, %.2g of the pocket's, %.2g rad/s%s%s\n", flow, end, text, r.calls, r.e[LOAD], r.e[POCKET],
         r.e[SPEED], r.words[0] ? "\n  " : "", r.words);
  epi_free(f);
  epi_case_free(c);
  return r;
}

/* sweeps within a tenth of those reported, and the errors that go with them */
static void signals(const signal *one, const signal *three)
{
  static const struct { int three; const char *tol; int k; long sweeps; double e[SIGNALS]; } rows[] = {
    {0, "1e-2", 2, 81, {1e-4, 2e-3, 6e-3}}, {0, "1e-3", 2, 81, {1e-4, 2e-3, 6e-3}}, {0, "1e-5", 2, 130, {5e-6, 3e-4, 1e-3}},
    {0, "1e-3", 3, 81, {1e-4, 3e-3, 6e-3}},
    {1, "1e-2", 2, 80, {7e-3, 2e-2, 6e-2}}, {1, "1e-3", 2, 138, {1e-3, 1e-3, 4e-3}}, {1, "1e-4", 2, 302, {2e-4, 2e-4, 4e-4}},
    {1, "1e-5", 2, 649, {2e-5, 2e-5, 5e-5}}, {1, "1e-2", 3, 91, {5e-3, 1e-2, 2e-2}}, {1, "1e-3", 3, 146, {1e-3, 2e-3, 5e-3}},
    {1, "1e-5", 3, 469, {2e-5, 4e-5, 1e-4}},
  };
  watcher w;
  for (size_t i = 0; i < sizeof rows/sizeof *rows; i++) {
    char flow[80];
    snprintf(flow, sizeof flow, "nam(model.contacts, model.stiff, k=%d, tol=%s)", rows[i].k, rows[i].tol);
    outcome r = follow(rows[i].three ? three : one, rows[i].three ? S3 : S1, flow, 600e-6, 1, NULL, &w);
    check_rel((double)r.calls, (double)rows[i].sweeps, 0.1);
    for (int k = 0; k < SIGNALS; k++) check_below(r.e[k], rows[i].e[k]);
    check_text(r.words, "");
  }
}

/* what impacts leave of a signal over 20 ms: means, and how far it swings */
static void long_run(const signal *three)
{
  watcher w;
  outcome five = follow(three, S3, "nam(model.contacts, model.stiff, tol=1e-3)", 5e-3, 1, NULL, &w);
  check_rel((double)five.calls, 699, 0.1);
  outcome r = follow(three, S3, "nam(model.contacts, model.stiff, tol=1e-3)", 20e-3, 2e-3, NULL, &w);
  double mean = w.mean[LOAD]/w.late, swing = sqrt(w.square/w.late - mean*mean), cage = w.mean[SPEED]/w.late;
  printf("means from 2 to 20 ms: %.3f N, swing %.3f N, cage %.3f rad/s\n", mean, swing, cage);
  check_rel((double)r.calls, 2527, 0.1);
  check_abs(mean, 383.70, 0.1);
  check_abs(swing, 9.16, 0.4);
  check_abs(cage, 420.876, 0.05);
}

/* too much, too little, slopes of the traction alone, nothing at all: the signals stay, at the cost of sweeps, and it is said */
static void told_otherwise(const signal *one, const signal *three)
{
  static const struct { teller say; const char *words; long most; } rows[] = {
    {{1.5, 1}, "times as much", 320}, {{3, 1}, "times as much", 320}, {{-1, 1}, "negative", 400},
    {{0, 1}, "its traction alone by its slope", 400}, {{0, 0}, "taken explicitly", 400}};
  watcher w;
  for (size_t i = 0; i < sizeof rows/sizeof *rows; i++) {
    outcome r = follow(three, S3, "nam(model.contacts, model.stiff, tol=1e-3, length=1e-5)", 600e-6, 1, &rows[i].say, &w);
    check_below((double)r.calls, (double)rows[i].most);
    check_below(r.e[LOAD], 1e-2);
    if (rows[i].words[0]) check_has(r.words, rows[i].words);
  }
  /* where hardly anything moves, steps that the traction allows nothing for must not chatter: semi with the velocity ahead, which needs no
     by-products either, takes 300 for the like */
  for (int i = 3; i < 5; i++) {
    outcome r = follow(one, S1, "nam(model.contacts, model.stiff, tol=1e-3, length=1e-5)", 600e-6, 1, &rows[i].say, &w);
    check_below((double)r.calls, 500);
    check_below(r.e[LOAD], 1e-3);
    check_below(r.e[SPEED], 2e-2);
    check_has(r.words, rows[i].words);
  }
}

/* ---- the by-products themselves ---- */
/* the forces beside them are the same, to the bit; what a body feels of its own motion, from all its links, against differences:
   all but what comes of turning normals and of the traction that grows with the load */
static void by_products(const char *text)
{
  epi_case *c = bearing_make(text);
  epi_system *m = c->parts[1].system;
  enum { N = 72, MOST = 64 };
  static epi_link link[MOST];
  double f[N] = {0}, g[N], most = 0, off = 0, y[200], u[N], h[N];
  const double *q = c->y, *v = c->y + m->nq;
  check_count(m->nv, N);
  check(m->contacts.links <= MOST && m->contacts.linked_force);
  memset(link, 0, sizeof link);
  check_count(m->force(m, 0, q, f) | m->velocity_force(m, 0, q, v, f) | m->contacts.linked_force(m, 0, q, v, g, link), 0);
  check_bits(N, g, f);
  for (int col = 6; col < N; col++) {
    double K[N] = {0}, e = 1e-9;
    int body = col/6;
    if (col % 6 > 2) continue;
    for (int i = 0; i < m->contacts.links; i++)
      for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2 && link[i].stiffness > 0; b++) {
          const epi_link_ends *x = &m->contacts.link_ends[i];
          if (!x->n[a] || !x->n[b] || x->at[b]/6 != body) continue;
          for (int k = 0; k < 6; k++) K[x->at[a] + k] -= link[i].stiffness*link[i].G[0][6*a + k]*link[i].G[0][6*b + col - x->at[b]];
        }
    memset(u, 0, sizeof u);
    memset(h, 0, sizeof h);
    u[col] = e;
    memcpy(y, q, (size_t)epi_size(m)*sizeof *y);
    m->manifold.retract(m, q, u, y);
    check_count(m->force(m, 0, y, h) | m->velocity_force(m, 0, y, v, h), 0);
    for (int i = 0; i < N; i++)
      if (i % 6 < 3) { most = fmax(most, fabs(K[i])); off = fmax(off, fabs(K[i] - (h[i] - f[i])/e)); }
  }
  printf("%s: stiffness to %.1e of the largest, %.3g N/m\n", text, off/most, most);
  check_above(most, 1e7);
  check_below(off/most, 0.06);
  epi_case_free(c);
}

int main(void)
{
  static signal one, three;
  read_signal(TEST_SOURCE "/tests/data/bearing-S1.csv", &one);
  read_signal(TEST_SOURCE "/tests/data/bearing-S3.csv", &three);
  by_products(S1);
  by_products(S3);
  /* one contact after the other, instead of two in the lanes of a vector */
  by_products("bearing(slices=0)");
  signals(&one, &three);
  long_run(&three);
  told_otherwise(&one, &three);
  return test_done();
}
