/* holds: from a checkpoint after any step a run resumes to the bytes of the whole run
 * places.c - a checkpoint after every step, and from each of them the run goes on: its rows, events, statistics, pictures and warnings are
 * those of the run that was never stopped, to the byte. The checkpoint file of a whole run holds them all; it is cut after each in turn
 * label: long   label: once   cost: 32 */
#include "checkpoints.h"

typedef struct { const char *flow, *model, *step, *end, *more; } task;

/* steps that end beside the end by rounding, or just by so much that it passes for rounding; and a last one that is shorter */
static const task tasks[] = {
  {"verlet", "pendulum", "0.1000000000000063", "1.1", ""}, {"verlet", "pendulum", "0.0999999999999937", "1.1", ""},
  {"verlet", "pendulum", "0.07", "0.6", "--every 0.11"}, {"verlet", "pendulum", "0.1", "1.7", ""},
  {"substeps(verlet, n=3)", "pendulum", "0.1000000000000063", "1.1", ""},
  {"substeps(verlet, n=7)", "pendulum", "0.07", "0.6", "--every 0.2"},
  {"at(verlet, of=0)", "pendulum", "0.2000000000000126", "2.2", "--events e.csv"},
  {"at(verlet, of=1)", "pendulum", "0.17", "2.2", "--events e.csv --every 0.3"},
  {"at(tolerance(dopri5), of=1)", "pendulum", "0.2", "2.2", "--events e.json"},
  {"tolerance(dopri5, rtol=1e-3)", "pendulum", "0.1", "3", ""}, {"tolerance(dopri5, rtol=1e-3)", "pendulum", "0.1", "2.7", "--every 0.3"},
  {"substeps(tolerance(dopri5), n=2)", "pendulum", "0.1000000000000063", "1.1", ""},
  {"tolerance(verlet, rtol=1e-2)", "pendulum", "0.1", "1.3", ""}, {"gauss", "pendulum", "0.13", "1.3", ""},
  {"symmetric(verlet, order=4)", "kepler", "0.05", "0.5", ""}, {"dense(dopri5)", "kepler", "0.05", "0.5", "--every 0.03"},
  {"scaled(verlet, eps=0.1)", "kepler", "0.1000000000000063", "1", ""}, {"density(verlet, eps=0.05)", "kepler", "0.1", "1", ""},
  {"twin(eps=0.05)", "kepler", "0.1", "0.7", ""}, {"variational", "kepler", "0.07", "0.7", ""},
  {"verlet", "four-bar", "2e-5", "2e-4", ""},
  {"semi(model.contacts, model.stiff, tol=0.01)", "four-bar", "1.000000000000063e-3", "0.01", ""},
  {"semi(model.contacts, model.stiff)", "drop", "5e-6", "5e-5", "--every 1e-5"},
  {"project(rk4(hmm(verlet, start=current)), every=0.35)", "inverted-pendulum", "0.1000000000000063", "1.1", ""},
  {"tolerance(project(rk4(hmm(verlet, start=current)), drift=0.1), rtol=1e-3)", "inverted-pendulum", "0.1", "1", ""},
  {"verlet(hmm(verlet, steps=8))", "inverted-pendulum", "0.05", "0.55", "--fast"},
  {"rk4(strobe(substeps(rk4, 20)))", "inverted-pendulum", "0.1", "1.2", "--fast"},
  /* these warn: of their rate, of what they cost, of a fast start, of what was dropped */
  {"tolerance(rk4(strobe(substeps(rk4, 8))), rtol=1e-6)", "inverted-pendulum", "0.1", "1", ""},
  {"verlet(hmm(verlet, steps=8))", "inverted-pendulum", "0.001", "0.015", ""},
  {"dopri5(hmm(verlet, start=current, steps=8))", "inverted-pendulum", "0.002", "0.02", ""},
  {"rk4(strobe(substeps(rk4, 6)))", "inverted-pendulum", "0.01", "0.12", ""},
  {"tolerance(dopri5(hmm(verlet, start=current, steps=6)), rtol=1e-4)", "inverted-pendulum", "0.1", "0.5", ""},
};
enum { TASKS = sizeof tasks/sizeof *tasks };
static const char *const kinds[] = {"csv", "npy", "json"};

/* ---- what may differ: how long it took, the command, and how often forces were asked for again; steps of an average are windows ---- */
static void blank_line(char *at, const char *end) { while (at < end && *at != '\n') *at++ = ' '; }
static void blank_number(char *line, const char *name)
{
  char *at = strstr(line, name);
  for (at = at ? strchr(at, ':') : NULL; at && *at && *at != ',' && *at != '}'; at++) *at = ' ';
}
static void blank(bytes b)
{
  static const char *const of_this_run[] = {"\"wall_s\"", "class=\"command\"", "<tr><th scope=\"row\""};
  int average = 0;
  for (char *line = b.x, *next; line < b.x + b.n; line = next) {
    char *stop = memchr(line, '\n', (size_t)(b.x + b.n - line));
    next = stop ? stop + 1 : b.x + b.n;
    if (stop) *stop = 0;
    for (size_t i = 0; i < sizeof of_this_run/sizeof *of_this_run; i++) if (strstr(line, of_this_run[i])) blank_line(line, next - 1);
    average |= strstr(line, "{\"name\": \"hmm\"") || strstr(line, "{\"name\": \"strobe\"");
    blank_number(line, "\"calls");
    if (average) blank_number(line, "\"steps");
    if (stop) *stop = '\n';
  }
}

/* ends of lines would be lost with the spaces that stand for a number of another length */
static void squeeze(bytes *b)
{
  size_t n = 0;
  for (size_t i = 0; i < b->n; i++) if (b->x[i] != ' ') b->x[n++] = b->x[i];
  b->n = n;
}

static int same(const char *one, const char *two, int bare)
{
  bytes a = read_all(one), b = read_all(two);
  if (bare) { blank(a), blank(b), squeeze(&a), squeeze(&b); }
  size_t n = 0;
  while (n < a.n && n < b.n && a.x[n] == b.x[n]) n++;
  int equal = a.n == b.n && n == a.n && a.n > 0;
  if (!equal) printf("  %s and %s differ at byte %zu of %zu and %zu: %.90s\n  against: %.90s\n", one, two, n, a.n, b.n,
                     bare ? a.x + (n > 20 ? n - 20 : 0) : "", bare ? b.x + (n > 20 ? n - 20 : 0) : "");
  free(a.x);
  free(b.x);
  return equal;
}

/* ---- places ---- */
enum { MOST = 64 };

/* where the frames of the states end */
static int places(const char *x, size_t n, size_t *end)
{
  int found = 0;
  for (frame f = frame_at(x, n, 0); f.size && found < MOST; f = frame_at(x, n, f.end)) if (f.kind == STATE) end[found++] = f.end;
  return found;
}

static const char *events_of(const task *t)
{
  const char *at = strstr(t->more, "--events ");
  return !at ? NULL : strstr(at, "json") ? "e.json" : "e.csv";
}

static int compare(const char *out, const char *events)
{
  char name[64];
  snprintf(name, sizeof name, "whole/%s", out);
  int ok = check(same(name, out, 0)) & check(same("whole/s.json", "s.json", 1)) & check(same("whole/r.html", "r.html", 1))
    & check(same("whole/p.svg", "p.svg", 1));
  snprintf(name, sizeof name, "whole/%s", events ? events : "");
  return events ? ok & check(same(name, events, 0)) : ok;
}

static int go_on(const task *t, const char *out, bytes log, bytes rows, bytes events, size_t place)
{
  write_all("c", log.x, place);
  write_all(out, rows.x, rows.n);
  if (events_of(t)) write_all(events_of(t), events.x, events.n);
  return check_count(command("resume c --quiet 2>err"), 0) & compare(out, events_of(t));
}

static long through(const task *t, const char *kind)
{
  char out[16], ask[1024];
  size_t end[MOST];
  snprintf(out, sizeof out, "o.%s", kind);
  snprintf(ask, sizeof ask, "run %s --flow '%s' --step %s --end %s %s --out %s --stats s.json --report r.html --plot p.svg --quiet --force",
           t->model, t->flow, t->step, t->end, strstr(t->more, "--every") ? t->more : "--every 0", out);
  if (!strstr(t->more, "--every")) snprintf(ask + strlen(ask), sizeof ask - strlen(ask), " %s", t->more);
  int bad = command("%s 2>err", ask);
  if (!check_count(bad, 0)) { printf("  %s of %s: %s\n", t->flow, t->model, read_all("err").x); return 0; }
  if (system(in_folder("keep.sh"))) test_stop("no room for the test");
  check_count(command("%s --checkpoint c --checkpoint-every 0 2>err", ask), 0);
  if (!compare(out, events_of(t))) printf("  %s of %s by %s, a checkpoint after every step\n", t->flow, t->model, t->step);
  bytes log = read_all("c"), rows = read_all(out), events = read_all(events_of(t) ? events_of(t) : "c");
  int n = places(log.x, log.n, end);
  if (!check_above(n, 5)) printf("  %s of %s: %zu bytes\n", t->flow, t->model, log.n);
  /* the last one is of the run that is done; the one before it is after the last step */
  for (int i = 0; i < n - 1; i++) {
    if (strcmp(kind, "csv") && i != 1 && i < n - 3) continue;
    if (!go_on(t, out, log, rows, events, end[i])) printf("  %s of %s by %s, place %d of %d\n", t->flow, t->model, t->step, i, n);
  }
  free(log.x);
  free(rows.x);
  free(events.x);
  return n;
}

int main(void)
{
  long n = 0;
  if (!getenv("EPICYCLE") || access(getenv("EPICYCLE"), X_OK)) return TEST_SKIP;
  open_folder("places");
  if (mkdir(in_folder("whole"), 0700)) test_stop("no folder for the test");
  char script[1024];
  snprintf(script, sizeof script, "#!/bin/sh\ncd %s && rm -f whole/* && mv [oespr].* whole/ && rm -f c\n", folder);
  write_all("keep.sh", script, strlen(script));
  chmod(in_folder("keep.sh"), 0700);
  for (int i = 0; i < TASKS; i++) for (int k = 0; k < 3; k++) if (k == 0 || i % 3 == 0) n += through(&tasks[i], kinds[k]);
  printf("%ld checkpoints of %d flows\n", n, (int)TASKS);
  close_folder();
  return test_done();
}
