/* holds: whichever call of memory, file or disk fails, the exit code and a sentence say so, and checkpoints stay good
 * command-faults.c - memory, files and the disk fail at every single call of the command, see fault/preload.c: the exit code tells it, a
   sentence says what failed, what is left can be read, and the checkpoint goes on to the bytes of a run that nothing happened to
     command-faults [COUNT]      COUNT of the calls of each kind, drawn by a fixed seed; 0: every one
   label: plain   cost: 12   thorough: 5 */
#include "fault/command.h"

/* what fails, and what the sentence may say of it besides the words of the system */
typedef struct fault { operation of; int kind, error; const char *name, *cause; } fault;
static const fault list[] = {
  {MEMORY, ONCE, ENOMEM, "an allocation", "memory"}, {MEMORY, FROM_THEN_ON, ENOMEM, "all allocations from", "memory"},
  {OPEN, ONCE, EMFILE, "an open", "cannot"}, {OPEN, ONCE, EINTR, "an open, interrupted,", "cannot"}, {READ, ONCE, EIO, "a read", "read"},
  {WRITE, ONCE, ENOSPC, "a write, disk full,", "writ"}, {WRITE, FROM_THEN_ON, ENOSPC, "all writes from", "writ"},
  {WRITE, ONCE, EIO, "a write", "writ"}, {WRITE, ONCE, EINTR, "a write, interrupted,", "writ"}, {WRITE, ONCE, 0, "half a write", "writ"},
  {SEEK, ONCE, EIO, "a seek", "to go back to"}, {SYNC, ONCE, EIO, "an fsync", "writ"}, {SYNC, ONCE, ENOSPC, "an fsync, disk full,", "full"},
  {CUT, ONCE, EIO, "an ftruncate", "cut"}, {CLOSE, ONCE, EIO, "a close", "writ"}, {CLOSE, ONCE, ENOSPC, "a close, disk full,", "full"},
  {RENAME, ONCE, EIO, "a rename", "writ"}, {REMOVE, ONCE, EACCES, "a remove", "remove"}, {FOLDER, ONCE, ENOSPC, "a mkdir", "folder"},
};
enum { NLIST = sizeof list/sizeof *list };
static const fault full = {WRITE, FROM_THEN_ON, ENOSPC, "disk full at byte", "writ"};

/* a line of the command, which may have been killed before; what it leaves, and whether a checkpoint named c is among it */
typedef struct scene { const char *name, *line; int killed; const char *files[8]; } scene;
#define OUTPUTS(ending) " --out rows." ending " --events events." ending " --stats stats.json"
#define RUN "run kepler --flow 'at(verlet, of=x)' --step 0.01 --end 2 --every 0.02 --quiet --checkpoint c --checkpoint-every 0.008"
static const scene scenes[] = {
  {"run to CSV", RUN OUTPUTS("csv") " --plot plot.svg", 0, {"rows.csv", "events.csv", "plot.svg", "stats.json"}},
  {"run to NPY", RUN OUTPUTS("npy"), 0, {"rows.npy", "rows.npy.columns.txt", "events.npy", "events.npy.columns.txt", "stats.json"}},
  {"run to JSON", RUN OUTPUTS("json"), 0, {"rows.json", "events.json", "stats.json"}},
  {"resume to CSV", RUN OUTPUTS("csv") " --plot plot.svg", 1, {"rows.csv", "events.csv", "plot.svg", "stats.json"}},
  {"resume to NPY", RUN OUTPUTS("npy"), 1, {"rows.npy", "events.npy", "stats.json"}},
  {"resume to JSON", RUN OUTPUTS("json"), 1, {"rows.json", "events.json", "stats.json"}},
  {"report", "run pendulum --step 0.1 --end 2 --quiet --report page.html", 0, {"page.html"}},
  {"bodies", "run pendulum --step 0.1 --end 0.3 --quiet --out bodies.pvd", 0, {"bodies.pvd", "bodies/000003.vtp"}},
  {"export", "export kepler --fmu orbit.fmu --quiet", 0, {"orbit.fmu"}},
  {"model file", "run two.yaml --quiet", 0, {"rows-one.csv", "rows-two.csv"}},
  {"check", "check flows.yaml", 0, {"stdout"}},
  {"reproduce", "reproduce stiff ii-exact", 0, {"stdout"}},
};
enum { NSCENE = sizeof scenes/sizeof *scenes };
static const char two[] =
  "model: kepler\noutput: {file: rows.csv}\nend: 0.5\n"
  "runs:\n  - {name: one, step: 0.01}\n  - {name: two, tolerance: 1e-6, parameters: {e: 0.1}}\n";
/* what is chosen is told with the time that it took, which is never the same */
static const char flows[] =
  "model: kepler\nend: 0.5\nruns:\n  - {name: one, step: 0.01}\n  - {name: two, flow: tolerance(verlet), parameters: {e: 0.1}}\n";

static struct { long tried, harmless, resumed, shown; } sum;

/* ---- one fault ---- */
static int blame(const scene *s, const char *which, long k, const outcome *o, const char *what) {
  if (sum.shown++ < 40) printf("  %s: %s call %ld: %s; exit %d: %s\n", s->name, which, k, what, o->code, o->said[0] ? o->said : "\n");
  return 0;
}

/* what is not the same as after a run without a fault */
static const char *missing(const scene *s) {
  for (const char *const *name = s->files; *name; name++) if (!same_file("work", "whole", *name)) return *name;
  return NULL;
}

/* what cannot be read. What a kill left is as it was until the run goes on; where not a byte can be written any more, also not over
   others, or what is cut cannot be, files that have an end or a count have none */
static const char *torn(const scene *s, const fault *f) {
  int dead = (f->of == WRITE && f->kind == FROM_THEN_ON && f != &full) || (s->killed && f->of == CUT);
  for (const char *const *name = s->files; *name; name++) {
    if (file_whole("work", "whole", *name) || (s->killed && same_file("work", "start", *name))) continue;
    if (!dead || has_ending(*name, ".csv")) return *name;
  }
  return NULL;
}

/* the checkpoint that is there goes on to the end, with all outputs */
static int goes_on(outcome *o) {
  if (!file_there("work", "c")) return 1;
  board_clear();
  *o = command("work", "resume c --quiet");
  sum.resumed++;
  return o->code == 0;
}

static int look(const scene *s, const fault *f, long k, outcome *o) {
  sum.tried++;
  if (o->code < 0) return blame(s, f->name, k, o, o->code == -SIGALRM ? "hangs" : "crashes");
  const char *file = o->code == 0 ? missing(s) : torn(s, f);
  if (file) return blame(s, f->name, k, o, file);
  sum.harmless += !o->code;
  /* a first sentence of ours, and one that says why; of an entry of a paper it stands in its table */
  content table = content_of("work", "stdout");
  int said = !strncmp(o->said, "epicycle: ", 10) && ((f->error && strstr(o->said, strerror(f->error))) || strstr(o->said, f->cause));
  said |= !o->said[0] && table.text && strstr(table.text, f->cause);
  free(table.text);
  if (o->code && !said) return blame(s, f->name, k, o, "no sentence says why");
  if (!goes_on(o)) return blame(s, f->name, k, o, "resume");
  file = file_there("work", "c") ? missing(s) : NULL;
  return file ? blame(s, f->name, k, o, file) : 1;
}

static outcome act(const scene *s) {
  folder_make("work", "start");
  return command("work", s->killed ? "resume c --quiet" : s->line);
}

static int try(const scene *s, const fault *f, long k) {
  board *b = board_clear();
  b->of[f->of] = (faults){.at = k, .kind = f->kind};
  b->error = f->error;
  outcome o = act(s);
  return check(look(s, f, k, &o));
}

/* the disk holds so many bytes */
static int try_room(const scene *s, long room) {
  board_clear()->room = room;
  outcome o = act(s);
  return check(look(s, &full, room, &o));
}

/* ---- all of them ---- */
/* which ones of n: all, or those that are drawn */
static long next(long k, long n, long count) {
  if (count <= 0 || n <= count) return k + 1;
  long apart = n/count;
  return k + 1 + draw(2*apart - 1);
}

static long prepare(const scene *s) {
  board_clear();
  folder_make("start", NULL);
  put_content("start", "two.yaml", two, strlen(two));
  put_content("start", "flows.yaml", flows, strlen(flows));
  folder_make("whole", "start");
  outcome o = command("whole", s->line);
  if (!check_count(o.code, 0)) printf("%s: %s", s->name, o.said);
  if (s->killed) {
    long all = stage.board->changes;
    board_clear()->kill_at = all/2;
    o = command("start", s->line);
    check_count(o.code, -SIGKILL);
  }
  board_clear();
  o = act(s);
  check_count(o.code, 0);
  check(!missing(s));
  return 1;
}

static void sweep(const scene *s, long count) {
  long before = sum.tried;
  prepare(s);
  board clean = *stage.board;
  for (int i = 0; i < NLIST; i++) {
    long n = clean.of[list[i].of].calls;
    for (long k = 1 + (count > 0 ? draw(n/count) : 0); k <= n; k = next(k, n, count)) try(s, &list[i], k);
  }
  long most = 60000;
  for (long room = 0; room < most; room += 1 + (count > 0 ? draw(2*most/(2*count)) : draw(200))) try_room(s, room);
  printf("%s: %ld faults\n", s->name, sum.tried - before);
}

int main(int argc, char **argv) {
  if (stage_begin()) return test_skip("no command, or no library to load before it");
  for (int i = 0; i < NSCENE; i++)
    if (argc < 3 || strstr(scenes[i].name, argv[2])) sweep(&scenes[i], argc > 1 ? atol(argv[1]) : 2);
  printf("%ld faults, %ld of them harmless, %ld resumed to the same bytes\n", sum.tried, sum.harmless, sum.resumed);
  stage_end();
  return test_done();
}
