/* holds: whichever allocation fails in jobs, sweeps and robots by handles, a sentence says so and nothing is lost
 * handles.c - memory runs out at every single allocation while jobs are made and run by their handles, swept, and robots are read: a
   sentence, and nothing lost
   timeout: 900 */
#include "wrap.h"
#include "epicycle/file.h"
#include "epicycle/handle.h"
#include <math.h>

static double in[2], out[1], crossing[1];
static int post(double t, double theta) { (void)t, (void)theta; out[0] = -in[0]; return 0; }
static int event(double t, double theta) { (void)t, (void)theta; crossing[0] = in[0]; return 0; }

static void keep(char *said, size_t size, const char *text) { if (!said[0]) snprintf(said, size, "%s", text ? text : "out of memory"); }

/* what comes out where no memory is missing: the first call of each. What is done without a piece of memory is the same, or is not there */
static struct { double *row; long n; double tol; } reference;
static void begin(double tol) { __real_free(reference.row); reference.row = NULL; reference.tol = tol; }

static int same(const double *row, long n) {
  if (!reference.row) {
    reference.row = __real_malloc((size_t)n*sizeof *row);
    memcpy(reference.row, row, (size_t)n*sizeof *row);
    reference.n = n;
  }
  int good = check_count(n, reference.n);
  for (long i = 0; i < n && good; i++) good = check(isnan(row[i]) || fabs(row[i] - reference.row[i]) <= reference.tol);
  return good;
}

/* made, run, told, by a flow that is given or one that is chosen */
static void finish(epi_job *j, const char *const *words, char *said, size_t size) {
  long rows;
  int columns, bad = 0;
  for (int i = 0; words[i] && !bad; i += 2) bad = epi_job_say(j, words[i], words[i+1]);
  if (!bad) bad = epi_job_make(j);
  if (!bad) bad = epi_job_end(j, epi_job_go(j));
  if (bad || epi_job_error(j)[0]) { keep(said, size, epi_job_error(j)); return; }
  const double *x = epi_job_rows(j, &rows, &columns);
  if (check(x && rows > 1) && same(x, rows*columns) && wrap.memory.refused) keep(said, size, "the same without that memory");
  if (!epi_job_events(j, &rows, &columns)) keep(said, size, NULL);
  if (!*epi_job_text(j, "json")) keep(said, size, NULL);
}

static void own(const void *what, char *said, size_t size) {
  static const char *const words[] = {"end", "1", "flow", "verlet", "step", "0.1", NULL};
  const double times[] = {0.25, 0.5}, start[] = {1, 0}, *backward = what;
  epi_own *o = epi_own_new(1, 1, 0, 0);
  if (!o) { keep(said, size, NULL); return; }
  epi_own_post(o, "force", post, in, out);
  epi_own_post(o, "event0_down_stop", event, in, crossing);
  if (epi_own_numbers(o, "mass", (double[]){2}, 1)) keep(said, size, epi_own_error(o));
  epi_own_numbers(o, "backward", backward, 1);
  epi_job *j = epi_job_own(o, 0, start);
  if (!j) keep(said, size, NULL);
  else if (epi_job_times(j, times, 2, 0)) keep(said, size, epi_job_error(j));
  else finish(j, words, said, size);
  epi_job_free(j);
  epi_own_free(o);
}

static void by_hand(const void *what, char *said, size_t size) {
  double t;
  epi_job *j = epi_job_model(what);
  if (!j) { keep(said, size, NULL); return; }
  if (epi_job_say(j, "flow", "symmetric(verlet, order=4)") || epi_job_say(j, "e", "0.5") || epi_job_advance(j, 0.01, 3)
      || epi_job_reach(j, 0.1, 0.01) || !epi_job_state(j, &t, NULL)) keep(said, size, epi_job_error(j));
  else if (!*epi_job_text(j, "yaml")) keep(said, size, NULL);
  epi_job_free(j);
}

static void model(const void *what, char *said, size_t size) {
  epi_job *j = epi_job_model("pendulum");
  if (!j) { keep(said, size, NULL); return; }
  finish(j, what, said, size);
  epi_job_free(j);
}

static void file(const void *what, char *said, size_t size) {
  static const char *const words[] = {"end", "0.01", "flow", "verlet", "step", "0.001", NULL};
  epi_job *j = epi_job_file("mine.yaml", what, NULL, 0);
  if (!j) { keep(said, size, NULL); return; }
  finish(j, words, said, size);
  if (!said[0] && !*epi_job_text(j, "yaml")) keep(said, size, NULL);
  epi_job_free(j);
}

/* what a case could not get is its outcome, with a sentence */
static void sweep(const void *what, char *said, size_t size) {
  const char *over[] = {what, NULL}, *keeps[] = {"x", NULL};
  double value[2], kept[2];
  int outcome[2] = {0};
  epi_job *j = epi_job_model("kepler");
  if (!j) { keep(said, size, NULL); return; }
  epi_sweep *s = NULL;
  if (epi_job_say(j, "end", "0.1") || epi_job_say(j, "step", "0.05") || epi_job_say(j, "workers", "1")) keep(said, size, epi_job_error(j));
  else if (!(s = epi_job_sweep(j, over, keeps)) || epi_sweep_error(s) || epi_job_sweep_run(j, s, value, kept, outcome))
    keep(said, size, epi_job_error(j));
  else
    for (int i = 0; i < 2; i++) if (outcome[i] != EPI_CASE_DONE) keep(said, size, epi_job_sweep_why(j, i));
  epi_sweep_free(s);
  epi_job_free(j);
}

static void robot(const void *what, char *said, size_t size) {
  epi_import *r = epi_import_urdf("fuzz.urdf", what, strlen(what), (const char *const[]){"a=0.1", NULL}, 0);
  if (!r) { keep(said, size, NULL); return; }
  if (epi_import_error(r)) keep(said, size, epi_import_error(r));
  else {
    double n = (double)strlen(epi_import_text(r));
    if (same(&n, 1) && check(n > 100 && epi_import_note(r, 0)) && wrap.memory.refused) keep(said, size, "the same without that memory");
  }
  epi_import_free(r);
}

static const char arm[] =
  "<robot name='r'><link name='base'/>"
  "<link name='l'><inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial><collision/></link>"
  "<link name='tool'><inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>"
  "<visual><geometry><box size='1 2 3'/></geometry></visual></link>"
  "<joint name='a' type='revolute'><parent link='base'/><child link='l'/><limit lower='-1' upper='1' effort='3'/>"
  "<dynamics friction='1'/></joint><joint name='f' type='fixed'><parent link='l'/><child link='tool'/></joint></robot>";
static const char world[] =
  "world:\n  gravity: 9.81\n  bodies: [{name: a, ball: 20 mm, mass: 1, at: [0.1, 0, 0]}]\n"
  "  joints: [{name: pin, a: a, hold: hinge, at: [0, 0, 0], axis: y}]\n";

int main(void) {
  static const double forth = 0, back = 1;
  static const char *const given[] = {"end", "1", "flow", "verlet", "step", "0.1", "pictures", "1", NULL};
  static const char *const chosen[] = {"end", "0.5", "tol", "1e-4", NULL};
  char said[400] = "";
  long points = 0;
  begin(0);
  own(&forth, said, sizeof said);
  points += wrap_sweep(&wrap.memory, "a system", "memory", own, &forth);
  begin(0);
  own(&back, said, sizeof said);
  points += wrap_sweep(&wrap.memory, "a system backward", "memory", own, &back);
  points += wrap_sweep(&wrap.memory, "a flow by hand", "memory", by_hand, "kepler");
  begin(0);
  model(given, said, sizeof said);
  points += wrap_sweep(&wrap.memory, "a model", "memory", model, given);
  begin(1e-4);
  model(chosen, said, sizeof said);
  points += wrap_sweep(&wrap.memory, "a model with a flow that is chosen", "memory", model, chosen);
  begin(0);
  file(world, said, sizeof said);
  points += wrap_sweep(&wrap.memory, "a file", "memory", file, world);
  points += wrap_sweep(&wrap.memory, "a sweep", "memory", sweep, "e=[0.1, 0.2]");
  begin(0);
  robot(arm, said, sizeof said);
  points += wrap_sweep(&wrap.memory, "a robot", "memory", robot, arm);
  begin(0);
  check_text(said, "");
  check_count(wrap.live, 0);
  printf("%ld allocations failed, one after the other\n", points);
  check_above((double)points, 500);
  return test_done();
}
