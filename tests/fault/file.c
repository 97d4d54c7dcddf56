/* holds: whichever allocation fails while a model file is read, run and written, a sentence says so and nothing is lost
 * file.c - memory runs out at every single allocation while a model file is read, run and written: a sentence, and nothing lost
   timeout: 600 */
#include "wrap.h"
#include "epicycle/file.h"

/* one of everything that takes memory: lists, aliases, comments, tables, modes, waves, shapes, joints of both kinds */
static const char world[] =
  "# head\n"
  "title: all\n"
  "world:\n"
  "  gravity: 9.81\n"
  "  bodies:\n"
  "    # above\n"
  "    - {name: a, ball: 20 mm, material: steel, at: &place [0, 0, 0.02],\n"
  "       shapes: [{kind: ball, size: [0.001]}, {kind: bar, size: [0.1, 0.2], at: *place}]}\n"
  "    - {name: b, box: [0.1, 0.1, 0.1], mass: 1, at: [1, 0, 1]}  # beside\n"
  "    - {name: c, mass: 1, inertia: 1, at: [2, 0, 1], modes: {stiffness: [100], damping: [1]}}\n"
  "  loads: [{body: b, force: [1, 0, 0], factor: {table: [[0, 0], [1, 1]]}}]\n"
  "  springs: [{a: b, b: c, stiffness: 10}]\n"
  "  joints:\n"
  "    - {name: arm, a: b, hold: hinge, at: [0, 0, 1], axis: y}\n"
  "    - {name: soft, a: c, hold: rod, at_b: [2, 0, 2], as: penalty, stiffness: 1000}\n"
  "  contacts:\n"
  "    - {shape: sphere-plane, a: a, at: [0, 0, 0], law: {material: steel, waves: [[1e-6, 3, 0]]}}\n"
  "    - {shape: far, a: a, law: {K: 1}, away: 2}\n"
  "end: 0.001\n"
  "# tail\n";
static const char drives[] =
  "parameters: {m: 2 kg, c: 2, l: c*1, f: 50 Hz}\n"
  "world:\n"
  "  motion: {along: z, amplitude: 1 mm, frequency: f}\n"
  "  tables: {drag: {points: [[0, 0], [1, l], [2, 3]], by: cubic}}\n"
  "  bodies: [{name: a, mass: m, inertia: 1}]\n"
  "  loads:\n"
  "    - {body: a, force: [drag(x) - 2*vx, 0, 3*cos(theta)], factor: {formula: exp(-t/1 s)}}\n"
  "    - {body: a, unbalance: {mass: m, radius: 1 mm, frequency: 2*f}}\n"
  "    - {body: a, force: [1, 0, 0], factor: {amplitude: 1, frequency: f}}\n"
  "  springs: [{a: a, at_b: [1, 0, 0], stiffness: 10, motion: {along: x, table: [[0, 0], [1, 1]]}}]\n"
  "step: 0.0001\nend: 0.001\nflow: verlet\n"
  "runs: [{name: one}, {name: two, parameters: {m: 3 kg}}]\n";
static const char runs[] =
  "model: kepler\nparameters: {e: 0.3}\ncompare: one\noutput: {file: rows.csv}\nend: 0.5\n"
  "runs:\n  - {name: one, step: 0.01}\n  - {name: two, tolerance: 1e-6, parameters: {e: 0.1}}\n";
static const char rough[] = "model: keplr\nstp: 3\nruns: [{name: a, model: kepler, parameters: {E: 1}}]\n";
static const char late[] = "model: kepler\nparameters: {u: 1, e: 2 m}\n";

/* names of the caller's: a contact with a parameter of its own */
static int far(const epi_contact *c, double t, const epi_pose *a, const epi_pose *b, epi_touch *out) {
  (void)t, (void)a, (void)b;
  out->depth = -c->own[0];
  return 0;
}
static const epi_param away[] = {{.name = "away", .unit = "m"}, {0}};
static const epi_contact_kind kind = {.name = "far", .params = away, .touch = far};
static const epi_name names[] = {{.name = "far", .contact = &kind}, {0}};

static void keep(char *said, size_t size, const char *text) { if (!said[0]) snprintf(said, size, "%s", text ? text : ""); }

/* read, make every run, move it, write the file, free all */
static void use(const void *what, char *said, size_t size) {
  epi_file *file = epi_file_read_text_named(what, strlen(what), "mine.yaml", names);
  for (int i = 0; i < epi_file_sentences(file); i++) keep(said, size, epi_file_sentence(file, i)->text);
  for (int i = 0; i < epi_file_runs(file); i++) {
    epi_case *c = epi_file_case(file, i);
    epi_flow *f = epi_file_flow(file, i, c);
    epi_state s = epi_case_state(c);
    if (c && !c->error[0]) epi_advance(f, &s, c->step, 2);
    keep(said, size, epi_error(f));
    epi_free(f);
    epi_case_free(c);
  }
  /* a file that is right can be written, or memory is out */
  if (file && !epi_file_sentences(file) && !epi_file_text(file, NULL, 0)) keep(said, size, "out of memory");
  epi_file_free(file);
}

/* files that are wrong: what is found to be wrong, or that memory is out, and no run in either case */
static void refuse(const void *what, char *said, size_t size) {
  epi_file *file = epi_file_read_text(what, strlen(what), "mine.yaml");
  const epi_sentence *first = epi_file_sentence(file, 0);
  if (check(first != NULL) && strstr(first->text, "memory")) keep(said, size, first->text);
  check_count(epi_file_runs(file), 0);
  if (file && wrap.memory.refused) check_has(first->text, "memory");
  epi_file_free(file);
}

static void from_disk(const void *what, char *said, size_t size) {
  epi_file *file = epi_file_read(what);
  keep(said, size, epi_file_sentences(file) ? epi_file_sentence(file, 0)->text : "");
  epi_file_free(file);
}

int main(void) {
  long points = wrap_sweep(&wrap.memory, "a world", "memory", use, world);
  points += wrap_sweep(&wrap.memory, "drives", "memory", use, drives);
  points += wrap_sweep(&wrap.memory, "runs", "memory", use, runs);
  points += wrap_sweep(&wrap.memory, "a rough file", "memory", refuse, rough);
  points += wrap_sweep(&wrap.memory, "wrong parameters", "memory", refuse, late);
  points += wrap_sweep(&wrap.memory, "a file on the disk", "memory", from_disk, TEST_SOURCE "/examples/pendulum.yaml");
  check_count(wrap.live, 0);
  printf("%ld allocations failed, one after the other\n", points);
  check_above((double)points, 500);
  return test_done();
}
