/* holds: a checkpoint with any number changed is refused before a file is touched, or resumed without harm
 * damage.c - every number of a checkpoint made another one, the checksum right again: what cannot be is refused in words before any file is
 * touched, and what can be does no harm. label: long   cost: 60 */
#include "checkpoints.h"
#include "epicycle.h"

/* ---- the library: fewer constraints than there were ---- */
static int fall(epi_system *s, double t, const double *q, double *f)
{
  (void)s, (void)t, (void)q;
  f[0] = 0, f[1] = f[2] = -1;
  return 0;
}
static int hold(epi_system *s, double t, const double *q, double *g, double *G, double *gt)
{
  (void)t, (void)gt;
  if (g) for (int i = 0; i < s->nc; i++) g[i] = q[i];
  if (G) for (int i = 0; i < s->nc; i++) for (int k = 0; k < 3; k++) G[3*i + k] = i == k;
  return 0;
}

static void other_constraints(void)
{
  epi_system two = {.nq = 3, .nc = 2, .force = fall, .constraint = hold}, one = {.nq = 3, .nc = 1, .force = fall, .constraint = hold};
  double y[6] = {0}, z[6] = {0}, *impulse = calloc(2, sizeof *impulse), *fewer = calloc(1, sizeof *fewer);
  epi_state s = {.y = y, .impulse = impulse}, r = {.y = z, .impulse = fewer};
  epi_flow *f = epi_make("verlet", &two), *g = epi_make("verlet", &one);
  FILE *o = tmpfile();
  check_count(epi_advance(f, &s, 0.1, 3), 0);
  check_count(epi_save(f, &s, o), 0);
  rewind(o);
  check_count(epi_load(g, &r, o), EPI_WRONG);
  check_has(epi_error(g) ? epi_error(g) : "", "2 impulses");
  check_abs(r.t, 0, 0);
  fclose(o);
  epi_free(f);
  epi_free(g);
  free(impulse);
  free(fewer);
}

/* ---- the command ---- */
static uint32_t crc(uint32_t c, const char *p, size_t n)
{
  for (c = ~c; n--; p++) {
    c ^= (unsigned char)*p;
    for (int k = 0; k < 8; k++) c = c >> 1 ^ (c & 1 ? 0xEDB88320u : 0);
  }
  return ~c;
}

static void repair(char *x, frame f)
{
  uint32_t c = crc(0, x + f.from + 4, 8);
  c = crc(c, x + f.from + 16, 8);
  c = crc(c, x + f.from + HEAD, f.size);
  memcpy(x + f.from + 12, &c, sizeof c);
}

typedef struct { bytes log, rows, events, stats; size_t last[6]; } job;
static long tried, refused;

/* how a resume ends: 0, 1 or 2, in time, with a sentence where it is not 0; what is refused has touched nothing */
static int resumed(const job *j, const char *log, size_t n, const char *what)
{
  write_all("c", log, n);
  write_all("o.csv", j->rows.x, j->rows.n);
  write_all("e.csv", j->events.x, j->events.n);
  write_all("s.json", "untouched", 9);
  int code = command("resume c --quiet >out 2>err");
  bytes said = read_all("err"), rows = read_all("o.csv"), events = read_all("e.csv"), stats = read_all("s.json");
  int rc = WIFEXITED(code) ? WEXITSTATUS(code) : -1;
  int ok = check(rc == 0 || rc == 1 || rc == 2) & check(!strstr(said.x, "runtime error") && !strstr(said.x, "Sanitizer"));
  if (rc > 0) ok &= check(said.n > 20);
  if (rc == 2)
    ok &= check(rows.n == j->rows.n && !memcmp(rows.x, j->rows.x, rows.n)) & check(events.n == j->events.n)
      & check_text(stats.x, "untouched");
  if (!ok) printf("  %s: %d, %.600s\n", what, rc, said.x);
  tried++;
  refused += rc == 2;
  free(said.x), free(rows.x), free(events.x), free(stats.x);
  return rc;
}

static int edited(const job *j, frame f, size_t at, const void *with, size_t size, const char *what)
{
  char *log = malloc(j->log.n), name[200];
  memcpy(log, j->log.x, j->log.n);
  memcpy(log + f.from + HEAD + at, with, size);
  repair(log, f);
  snprintf(name, sizeof name, "frame %#x, byte %zu, %s", f.kind, at, what);
  int rc = resumed(j, log, j->log.n, name);
  free(log);
  return rc;
}

/* under the checkers every third number */
enum { STRIDE = TEST_CHECKED ? 24 : 8 };

/* numbers, as doubles and as counts */
static void words(const job *j, frame f, size_t most)
{
  static const double numbers[] = {-1, 1e300, NAN, INFINITY, 0.5};
  static const uint64_t counts[] = {1, 3, UINT64_C(1) << 61, UINT64_C(1) << 63, UINT64_MAX};
  char name[40];
  for (size_t at = 0; at + 8 <= f.size && at < most; at += STRIDE) {
    for (size_t i = 0; i < sizeof numbers/sizeof *numbers; i++) {
      snprintf(name, sizeof name, "%g", numbers[i]);
      edited(j, f, at, &numbers[i], 8, name);
    }
    for (size_t i = 0; i < sizeof counts/sizeof *counts; i++) {
      snprintf(name, sizeof name, "count %llu", (unsigned long long)counts[i]);
      edited(j, f, at, &counts[i], 8, name);
    }
    const int32_t half[] = {-7, 1 << 30};
    for (size_t i = 0; i < 2 && f.kind != STATE; i++) edited(j, f, at + 4*i, &half[i], 4, "an int");
  }
}

/* the log with one line of these notes changed; the frame has another size */
static int noted(const job *j, frame f, const char *line, const char *with)
{
  size_t before = (size_t)(line - j->log.x), after = before + strcspn(line, "\n"), grown = strlen(with) - (after - before);
  uint64_t size = f.size + grown;
  char *log = malloc(j->log.n + strlen(with) + 1), name[200];
  memcpy(log, j->log.x, before);
  memcpy(log + before, with, strlen(with));
  memcpy(log + before + strlen(with), j->log.x + after, j->log.n - after);
  memcpy(log + f.from + 16, &size, sizeof size);
  frame g = {.kind = f.kind, .from = f.from, .size = (size_t)size};
  repair(log, g);
  snprintf(name, sizeof name, "%.*s", 150, with);
  int rc = resumed(j, log, j->log.n + grown, name);
  free(log);
  return rc;
}

static int is_text(const char *key)
{
  static const char *const keys[] = {"epicycle", "model", "flow", "out", "events", "stats", "plot", "report", "command", "fast", "status",
                                     "name", "title", "source", "with"};
  size_t n = strcspn(key, "=");
  for (size_t i = 0; i < sizeof keys/sizeof *keys; i++) if (strlen(keys[i]) == n && !strncmp(key, keys[i], n)) return 1;
  return !strncmp(key, "warning.", 8);
}

static void notes(const job *j, frame f)
{
  static const char *const values[] = {"", "-1", "nan", "inf", "1e300", "9223372036854775807", "-9e99", "2 pigs"};
  for (const char *line = j->log.x + f.from + HEAD; *line; line = strchr(line, '\n') + 1) {
    size_t n = strcspn(line, "=");
    char with[200];
    for (size_t i = 0; i < sizeof values/sizeof *values; i++) {
      snprintf(with, sizeof with, "%.*s=%s", (int)n, line, values[i]);
      int rc = noted(j, f, line, with);
      /* no number at all is never a number of a run */
      if (i == 7 && !is_text(line) && !check_count(rc, 2)) printf("  %s\n", with);
    }
  }
}

static job run(const char *ask)
{
  job j = {0};
  size_t before[6] = {0};
  const char *events = strstr(ask, "'at(") || strstr(ask, "yaml") ? "--events e.csv" : "";
  write_all("e.csv", "none", 4);
  check_count(command("%s %s --out o.csv --stats s.json --quiet --force --checkpoint c --checkpoint-every 0 2>err", ask, events), 0);
  j.log = read_all("c");
  j.rows = read_all("o.csv");
  j.events = read_all("e.csv");
  /* up to the pair before the last steps: something is left to do */
  int states = 0, all = 0;
  for (frame f = frame_at(j.log.x, j.log.n, 0); f.size; f = frame_at(j.log.x, j.log.n, f.end)) all += f.kind == STATE;
  size_t end = 0;
  for (frame f = frame_at(j.log.x, j.log.n, 0); f.size && states < all - 4; f = frame_at(j.log.x, j.log.n, f.end)) {
    before[f.kind == STATE ? 0 : f.kind == INSPECTION ? 1 : f.kind == PLACE ? 2 : f.kind == ROWS ? 3 : 4] = f.from;
    states += f.kind == STATE;
    end = f.end;
  }
  j.log.n = end;
  memcpy(j.last, before, sizeof before);
  if (!check(states > 0 && all > 5)) test_stop("no checkpoints");
  check_count(resumed(&j, j.log.x, j.log.n, "as it is"), 0);
  return j;
}

static void drop(job *j) { free(j->log.x), free(j->rows.x), free(j->events.x); }

static void fields(const char *ask, size_t states, size_t others)
{
  job j = run(ask);
  frame of[5];
  for (int i = 0; i < 5; i++) of[i] = frame_at(j.log.x, j.log.n, j.last[i]);
  words(&j, of[0], states);
  words(&j, of[1], others);
  if (of[3].kind == ROWS) words(&j, of[3], others < 48 ? others : 48);
  if (others) notes(&j, of[2]), notes(&j, of[4]);
  printf("%ld edits, %ld of them refused: %s\n", tried, refused, ask);
  drop(&j);
}

/* an output of another name, and one that was never written by it */
static void other_files(void)
{
  job j = run("run pendulum --flow 'at(verlet, of=0)' --step 0.1 --end 1.5 --every 0");
  frame f = frame_at(j.log.x, j.log.n, j.last[4]);
  const char *line = strstr(j.log.x + f.from + HEAD, "\nout=") + 1;
  write_all("victim.txt", "precious", 8);
  check_count(noted(&j, f, line, "out=victim.txt"), 2);
  check_count(noted(&j, f, line, "out=/nowhere/o.csv"), 2);
  check_count(noted(&j, f, line, "out="), 2);
  bytes v = read_all("victim.txt");
  check_text(v.x, "precious");
  free(v.x);
  drop(&j);
}

/* a run of a model file by its number */
static void other_runs(void)
{
  static const char world[] = "world:\n  gravity: 9.81\n  bodies:\n    - {name: ball, mass: 0.1, inertia: 1.6e-5, at: [0, 0, 1]}\n"
    "flow: at(verlet, of=2)\nstep: 0.1 s\nend: 1.5 s\n";
  write_all("m.yaml", world, sizeof world - 1);
  job j = run("run m.yaml --every 0");
  frame f = frame_at(j.log.x, j.log.n, j.last[4]);
  const char *line = strstr(j.log.x + f.from + HEAD, "\nrun=");
  if (!check(line != NULL)) return;
  check_count(noted(&j, f, line + 1, "run=-1"), 2);
  check_count(noted(&j, f, line + 1, "run=-1000000"), 2);
  check_count(noted(&j, f, line + 1, "run=1"), 2);
  check_count(noted(&j, f, line + 1, "run=4294967296"), 2);
  drop(&j);
}

int main(void)
{
  setvbuf(stdout, NULL, _IOLBF, 0);
  other_constraints();
  if (!getenv("EPICYCLE") || access(getenv("EPICYCLE"), X_OK)) return test.failed ? test_done() : TEST_SKIP;
  open_folder("damage");
  other_files();
  other_runs();
  fields("run pendulum --flow 'at(substeps(verlet, n=3), of=0)' --step 0.1 --end 1.5 --every 0.07 --plot p.svg", 2000, 400);
  fields("run pendulum --flow 'at(tolerance(dopri5), of=1)' --step 0.1 --end 1.5 --every 0", 2000, 0);
  fields("run inverted-pendulum --flow 'project(rk4(hmm(verlet, start=current, steps=8)), every=0.3)' --step 0.1 --end 1.5 "
         "--every 0", 600, 0);
  fields("run kepler --flow 'at(density(verlet, eps=0.05), of=1)' --step 0.1 --end 1.5 --every 0", 400, 0);
  fields("run four-bar --flow 'at(semi(model.contacts, model.stiff), of=1)' --step 1e-3 --end 0.015 --every 0", 400, 0);
  close_folder();
  return test_done();
}
