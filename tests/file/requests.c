/* holds: model files read from C give runs, cases, flows and errors with their places */
#include "test.h"
#include "epicycle/file.h"
#include <locale.h>

static epi_file *read_at(const char *path, const char *text) { return epi_file_read_text(text, strlen(text), path); }
static epi_file *read_text(const char *text) { return read_at("folder/mine.yaml", text); }

/* ---- a file on the disk, as data ---- */
static void pendulum(void) {
  epi_file *file = epi_file_read(TEST_SOURCE "/examples/pendulum.yaml");
  check_count(epi_file_sentences(file), 0);
  check(epi_file_sentence(file, 0) == NULL);
  check_text(epi_file_title(file), "A pendulum upside down");
  check(!epi_file_compare(file) && !epi_file_report(file));
  if (!check_count(epi_file_runs(file), 1)) { epi_file_free(file); return; }
  const epi_request *r = epi_file_request(file, 0);
  check(epi_file_request(file, 1) == NULL && epi_file_request(file, -1) == NULL);
  check_text(r->name, "A pendulum upside down");
  check_text(r->model, "inverted-pendulum(w=1000000, q0=0.25)");
  check_text(r->flow, "verlet(hmm(verlet, kernel=box, even=1))");
  check_abs(r->step, 0.01, 0);
  check_abs(r->end, 1, 0);
  check(isnan(r->tol) && isnan(r->every) && !r->world && !r->source && !r->fast);
  check(!r->rows && !r->stats && !r->plot && !r->report && !r->checkpoint);

  /* the same bits as the same model made by hand; step and end are in the case */
  epi_case *c = epi_file_case(file, 0), *again = epi_case_make("inverted-pendulum(w=1e6, q0=0.25)");
  epi_flow *f = epi_file_flow(file, 0, c), *g = epi_case_flow(again, "verlet(hmm(verlet, kernel=box, even=1))");
  epi_state s = epi_case_state(c), z = epi_case_state(again);
  check_count(epi_run(f, &s, c->end, c->step), 0);
  check_count(epi_run(g, &z, 1, 0.01), 0);
  check_abs(s.t, 1, 0);
  check_bits(2, s.y, z.y);
  check_rel(s.y[0], 0.22162516603289512, 1e-9);
  epi_free(f), epi_free(g);
  epi_case_free(c), epi_case_free(again);
  epi_file_free(file);
}

/* ---- several runs of a text in memory ---- */
static void several(void) {
  epi_file *file = read_text(
    "report: all.html\ncompare: one\nmodel: kepler\nparameters: {e: 0.3}\nend: 2\noutput: {file: rows.csv, every: 10 ms}\n"
    "runs:\n  - {name: one, step: 0.01}\n  - {name: second one, tolerance: 1e-6, parameters: {e: 0.1}, fast: yes}\n"
    "  - {output: {file: a.npy}}\n");
  check_count(epi_file_sentences(file), 0);
  check_text(epi_file_report(file), "all.html");
  check_text(epi_file_compare(file), "one");
  if (check_count(epi_file_runs(file), 3)) {
    const epi_request *one = epi_file_request(file, 0), *two = epi_file_request(file, 1), *three = epi_file_request(file, 2);
    check_text(one->model, "kepler(e=0.3)");
    check_text(two->model, "kepler(e=0.1)");
    check_text(two->rows, "rows-second-one.csv");
    check_text(three->rows, "a.npy");
    check_text(three->name, "run3");
    check_abs(one->every, 0.01, 0);
    check(isnan(two->step) && isnan(one->tol) && two->fast == 1 && !one->fast);
    check_abs(two->tol, 1e-6, 0);
    /* a tolerance alone: the first way that the model takes */
    epi_case *c = epi_file_case(file, 1);
    epi_flow *f = epi_file_flow(file, 1, c);
    char text[200];
    epi_text(f, text, sizeof text);
    check_text(text, "tolerance(dop853, rtol=1e-06, atol=1e-06)");
    epi_state s = epi_case_state(c);
    check_count(epi_run(f, &s, c->end, c->end), 0);
    double y[4];
    check_count(c->model->exact(c, 2, y), 0);
    check_array(4, s.y, y, 1e-4);
    epi_free(f);
    epi_case_free(c);
  }
  epi_file_free(file);
}

/* ---- a world, twice from one file ---- */
static void world(void) {
  epi_file *file = read_text(
    "world:\n  gravity: 10\n  bodies: [{name: ball, ball: 0.1, mass: 2, at: [0, 0, 5], velocity: [1, 0, 0]}]\nstep: 0.01\nend: 0.5\n");
  check_count(epi_file_sentences(file), 0);
  const epi_request *r = epi_file_request(file, 0);
  if (!check(r != NULL)) { epi_file_free(file); return; }
  check_text(r->model, "world");
  check_text(r->source, "folder/mine.yaml");
  check(r->world != NULL && !strcmp(r->world->name, "world"));
  epi_case *c = epi_file_case(file, 0), *d = epi_file_case(file, 0);
  epi_flow *f = epi_file_flow(file, 0, c), *g = epi_file_flow(file, 0, d);
  epi_state s = epi_case_state(c), z = epi_case_state(d);
  check_count(epi_run(f, &s, c->end, c->step), 0);
  check_count(epi_run(g, &z, d->end, d->step), 0);
  check_rel(s.y[0], 0.5, 1e-14);
  check_rel(s.y[2], 5 - 0.5*10*0.25, 1e-14);
  check_bits(13, s.y, z.y);
  epi_free(f), epi_free(g);
  epi_case_free(c), epi_case_free(d);
  epi_file_free(file);
}

/* ---- what is wrong ---- */
static void wrong(void) {
  epi_file *file = read_text("model: kepler\nparameters:\n  e: 3 m\n  mu:\n    - 1\nstep: small\n");
  check_count(epi_file_runs(file), 0);
  check_count(epi_file_sentences(file), 1);
  const epi_sentence *s = epi_file_sentence(file, 0);
  check_count(s->line, 6);
  check_text(s->key, "step");
  check_text(s->words, "step: 'small' is no number: write it as 0.05 or 1e-3, in s");
  check_text(s->text, "folder/mine.yaml:6: step: 'small' is no number: write it as 0.05 or 1e-3, in s");
  /* the flow of a file that is wrong says its first sentence */
  epi_case *c = epi_file_case(file, 0);
  epi_flow *f = epi_file_flow(file, 0, c);
  check_has(epi_error(f), "folder/mine.yaml:6: step: 'small' is no number");
  epi_free(f);
  epi_case_free(c);
  check_count(epi_file_text(file, NULL, 0), 0);
  epi_file_free(file);

  file = read_text("model: kepler\nparameters:\n  e: 3 m\n  mu:\n    - 1\n");
  check_count(epi_file_sentences(file), 2);
  check_count(epi_file_sentence(file, 1)->line, 5);
  check_text(epi_file_sentence(file, 0)->key, "e");
  check_text(epi_file_sentence(file, 1)->key, "mu");
  epi_file_free(file);

  /* the whole file has no line and no key; bytes after a zero are bytes */
  file = epi_file_read("/nowhere/at all.yaml");
  check_count(epi_file_sentence(file, 0)->line, 0);
  check_text(epi_file_sentence(file, 0)->key, "");
  check_text(epi_file_sentence(file, 0)->text, "/nowhere/at all.yaml: there is no such file: see its name and folder");
  epi_file_free(file);
  file = epi_file_read_text("model: kepler\n\0 and more", 25, "zero");
  check_text(epi_file_sentence(file, 0)->text, "zero:2: the byte 0x00 is no text: this is not a model file, or it is damaged");
  epi_file_free(file);

  /* code is for the caller to load */
  file = read_at(TEST_SOURCE "/tests/file/mine.yaml", "model: requests.c\nparameters: {k: 2}\n");
  check_count(epi_file_sentences(file), 0);
  check_text(epi_file_request(file, 0)->source, TEST_SOURCE "/tests/file/requests.c");
  check_text(epi_file_request(file, 0)->model, TEST_SOURCE "/tests/file/requests.c(k=2)");
  c = epi_file_case(file, 0);
  check_has(c->error, "requests.c is code: compile and load it");
  epi_case_free(c);
  epi_file_free(file);

  /* without a file at all */
  check_count(epi_file_sentences(NULL), 1);
  check_text(epi_file_sentence(NULL, 0)->text, "out of memory");
  check(!epi_file_runs(NULL) && !epi_file_case(NULL, 0) && !epi_file_text(NULL, NULL, 0));
}

/* ---- texts ---- */
static void texts(void) {
  const char *even = "# head\n\nmodel: kepler  # the one\nparameters: {e: 0.1}\nend: 3\n# tail\n";
  epi_file *file = read_text("# head\n\nend: 3\nmodel: kepler  # the one\nparameters:\n    e:   0.1\n# tail");
  char out[200], few[10];
  check_count((long)epi_file_text(file, NULL, 0), (long)strlen(even));
  check_count((long)epi_file_text(file, out, sizeof out), (long)strlen(even));
  check_text(out, even);
  check_count((long)epi_file_text(file, few, sizeof few), (long)strlen(even));
  check_text(few, "# head\n\nm");
  epi_file_free(file);

  /* a case as a file is that case again */
  epi_case *c = epi_case_make("slider-crank(as=penalty)");
  size_t n = epi_case_yaml(c, NULL, 0);
  char *yaml = calloc(n + 1, 1);
  check_count((long)epi_case_yaml(c, yaml, n + 1), (long)n);
  check_count((long)strlen(yaml), (long)n);
  file = read_text(yaml);
  check_count(epi_file_sentences(file), 0);
  epi_case *again = epi_file_case(file, 0);
  int count = 0;
  while (c->model->params[count].name) count++;
  check_bits((size_t)count, again->p, c->p);
  check_abs(again->step, c->step, 0);
  check(strstr(yaml, "as: penalty") != NULL);
  epi_case_free(again), epi_case_free(c);
  epi_file_free(file);
  free(yaml);
  c = epi_case_make("nothing");
  check_count((long)epi_case_yaml(c, NULL, 0), 0);
  epi_case_free(c);
}

/* ---- units, names ---- */
static void units(void) {
  char why[200], path[60];
  double x = 0;
  check_count(epi_unit_read("20 mm", "m", &x, why, sizeof why), 0);
  check_abs(x, 0.02, 0);
  check_count(epi_unit_read("1e3", "N", &x, why, sizeof why), 0);
  check_abs(x, 1000, 0);
  check_count(epi_unit_read("3 kg", "m", &x, why, sizeof why), -1);
  check_has(why, "kg is a mass, and a length is wanted");
  check_abs(x, 1000, 0);
  check_count((long)epi_output_path("a.b/rows.csv", "slow one", path, sizeof path), 21);
  check_text(path, "a.b/rows-slow-one.csv");
  epi_output_path("-", "x", path, sizeof path);
  check_text(path, "-");
  static const char *const words[] = {"verlet", "heun", NULL};
  check_text(epi_nearest("verlt", words), "verlet");
  check(epi_nearest("gauss", words) == NULL);
  /* where the point is a comma a file reads the same */
  if (!setlocale(LC_NUMERIC, "de_DE.UTF-8")) { printf("no locale with a comma here\n"); return; }
  check_count(epi_unit_read("2.5 mm", "m", &x, why, sizeof why), 0);
  check_abs(x, 0.0025, 0);
  epi_file *file = read_text("model: kepler\nparameters: {e: 0.125}\n");
  check_text(epi_file_request(file, 0)->model, "kepler(e=0.125)");
  epi_file_free(file);
  setlocale(LC_NUMERIC, "C");
}

/* ---- names of the caller's: a contact that the library has by that name too, and a function for the flow ---- */
static int beside(const epi_contact *c, double t, const epi_pose *a, const epi_pose *b, epi_touch *out) {
  (void)t, (void)b;
  out->depth = c->radius - a->r[0] + c->own[0];
  out->normal[0] = -1;
  return 0;
}
static int count(void *data, const epi_system *s, epi_state *y) { (void)s, (void)y; ++*(int *)data; return 0; }

static void named(void) {
  static const epi_param params[] = {{.name = "radius", .unit = "m"}, {.name = "offset", .unit = "m", .value = 0.25}, {0}};
  static const epi_contact_kind wall = {.name = "wall", .params = params, .touch = beside};
  int seen = 0;
  const epi_name names[] = {{.name = "sphere-plane", .contact = &wall}, {.name = "count", .see = count, .data = &seen}, {0}};
  static const char text[] = "flow: watch(verlet, see=count)\nstep: 0.5\nend: 2\nworld:\n  bodies:\n"
    "    - {name: a, ball: 1, mass: 1, at: [3, 0, 0]}\n    - {name: b, ball: 1, mass: 1, at: [5, 0, 0]}\n  contacts:\n"
    "    - {name: far, shape: sphere-plane, a: a, law: {K: 1}}\n    - {shape: sphere-plane, a: b, law: {K: 1}, offset: 50 cm}\n";
  epi_file *file = epi_file_read_text_named(text, strlen(text), "mine.yaml", names);
  if (!check_count(epi_file_sentences(file), 0)) fprintf(stderr, "%s\n", epi_file_sentence(file, 0)->text);
  epi_case *c = epi_file_case(file, 0);
  epi_flow *f = epi_file_flow(file, 0, c);
  epi_state s = epi_case_state(c);
  epi_action out = {0};
  /* the parameter that is not said has the default of its record */
  check_count(epi_world_action(c->world, &s, 0, &out), 0);
  check_abs(out.depth, 1 - 3 + 0.25, 0);
  check_count(epi_world_action(c->world, &s, 1, &out), 0);
  check_abs(out.depth, 1 - 5 + 0.5, 0);
  check_count(epi_run(f, &s, c->end, c->step), 0);
  check_count(seen, 4);
  epi_free(f);
  epi_case_free(c);
  epi_file_free(file);
  /* without them the name is the library's, which has no offset, and any key that the five have is a key */
  file = epi_file_read_text(text, strlen(text), "mine.yaml");
  check_text(epi_file_sentence(file, 0)->text, "mine.yaml:10: 'offset' is not a key of a contact: there are name, shape, a, b, radius, "
             "other, circle, clearance, at, at_a, normal, stiff, law");
  epi_file_free(file);
  /* names of another header are not looked at */
  epi_abi other = epi_header;
  other.bytes[2] += 8;
  file = epi_file_read_text_named_abi(text, strlen(text), "mine.yaml", names, &other, EPI_FILE_BYTES);
  check_has(epi_file_sentence(file, 0)->text, "(epi_name has ");
  check_count(epi_file_runs(file), 0);
  epi_file_free(file);
  file = epi_file_read_named("/nowhere/at all.yaml", names);
  check_count(epi_file_sentences(file), 1);
  epi_file_free(file);
}

int main(void) {
  named();
  pendulum();
  several();
  world();
  wrong();
  texts();
  units();
  return test_done();
}
