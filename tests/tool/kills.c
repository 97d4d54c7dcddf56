/* holds: runs killed at any change of the disk and resumed end with the bytes of a run that was never stopped
 * kills.c - runs of all flows and outputs are killed at a call that changes the disk, before it, after it or in the middle of a write, some
   by the clock, and continued by resume, which is killed in turn: in the end there are the bytes of a run that was never stopped
     kills [COUNT [SEED [WORD]]]      so many kills at least; of flows that WORD stands in
   label: slow */
#include "fault/command.h"
#include <time.h>

typedef struct motion { const char *model, *flow; double step, end; } motion;
static const motion motions[] = {
  {"pendulum", "strang(kick, drift)", 0.05, 5}, {"van-der-pol", "strang(velocity-kick, strang(kick, drift))", 0.01, 1},
  {"pendulum", "euler-symplectic", 0.05, 5}, {"kepler", "verlet", 0.01, 1}, {"pendulum", "leapfrog-predicted", 0.05, 5},
  {"pendulum", "euler", 0.01, 1}, {"pendulum", "heun", 0.05, 5}, {"pendulum", "midpoint-explicit", 0.05, 5}, {"pendulum", "bs3", 0.05, 5},
  {"kepler", "rk4", 0.01, 1}, {"pendulum", "dopri5", 0.05, 5}, {"pendulum", "dop853", 0.05, 5}, {"pendulum", "euler-implicit", 0.05, 5},
  {"pendulum", "midpoint", 0.05, 5}, {"pendulum", "theta", 0.05, 5}, {"stiff-springs", "gauss", 0.001, 0.1},
  {"pendulum", "lobatto(stages=3)", 0.05, 5}, {"van-der-pol", "radau", 0.01, 1}, {"pendulum", "extrapolated", 0.05, 5},
  {"pendulum", "adams", 0.5, 30}, {"heavy-top", "adams(rtol=1e-5)", 0.05, 2},
  {"inverted-pendulum(w=100)", "adams(rtol=1e-5)", 0.03, 1},
  {"pendulum", "cvode", 0.5, 30}, {"kepler", "arkode", 0.1, 6}, {"rod-chain", "herk3", 0.005, 0.3}, {"rod-chain", "herk4", 0.005, 0.3},
  {"rod-chain", "verlet", 0.005, 0.3}, {"rod-chain", "shake", 0.005, 0.3}, {"pendulum", "variational", 0.05, 4},
  {"averaged-pendulum", "variational(scaling=potential)", 0.05, 2},
  {"averaged-pendulum", "twin(scaling=potential)", 0.05, 4}, {"kepler", "density(verlet, eps=0.02)", 0.05, 3},
  {"averaged-pendulum", "scaled(symmetric(strang(drift, kick), order=8), eps=0.2)", 0.1, 6}, {"rigid-body", "nambu", 0.05, 5},
  {"heavy-top", "strang(kick, nambu)", 0.01, 1}, {"pendulum", "substeps(verlet, 3)", 0.1000000000000063, 1.1},
  {"kepler", "symmetric(verlet, order=6)", 0.02, 2},
  {"pendulum", "adjoint(euler)", 0.02, 2}, {"pendulum", "compose(euler, adjoint(euler), weights=[0.5, 0.5])", 0.05, 5},
  {"kepler", "tolerance(dopri5, rtol=1e-6)", 0.05, 4}, {"pendulum", "tolerance(symmetric(verlet, order=4), rtol=1e-8)", 0.07, 5},
  {"van-der-pol", "tolerance(dopri5, rtol=1e-6, controller=ode45)", 0.03, 2}, {"kepler", "at(verlet, of=x)", 0.01, 2},
  {"pendulum", "at(tolerance(dop853, rtol=1e-9), of=0)", 0.3, 30}, {"pendulum", "dense(dopri5)", 0.05, 5},
  {"pendulum", "substeps(tolerance(dopri5, rtol=1e-6), 2)", 0.1000000000000063, 1.1},
  {"pendulum", "at(verlet, of=0)", 0.2000000000000126, 2.2},
  {"inverted-pendulum", "verlet(hmm(verlet, kernel=exp5, periods=40, even=1))", 0.02, 1},
  {"inverted-pendulum", "rk4(strobe(substeps(rk4, 20), order=4))", 0.02, 1},
  {"inverted-pendulum", "revolve(picard, rtol=1e-8, span=1)", 0.013, 1}, {"inverted-pendulum", "picard", 0.0007, 0.02},
  {"kepler(e=0.6)", "density(verlet, clock=own)", 0.02, 5}, {"rod-chain", "verlet(relax(model, stiffness=1e4))", 0.001, 0.3},
  {"stiff-springs", "verlet(adiabatic)", 0.05, 1},
  {"stiff-springs", "tolerance(dopri5(adiabatic(form=rate)), rtol=1e-4)", 0.1, 1},
  {"inverted-pendulum", "project(rk4(hmm(verlet, kernel=exp5, periods=20, steps=6, start=current)))", 0.05, 2},
  {"two-oscillators", "semi(model.contacts, model.stiff, alpha=0.5, beta=0.8)", 0.5, 30},
  {"spring-pendulum", "semi(model.contacts, model.stiff, tol=1e-3)", 0.01, 0.5}, {"pendulum", "nam", 0.05, 5},
  {"two-oscillators", "nam(model.contacts, model.stiff, tol=1e-3)", 0.5, 30}, {"billiard", NULL, 1e-3, 0.1},
  {"slider-crank", NULL, 1e-3, 0.1}, {"cradle", NULL, 1e-6, 1e-4}, {"drop", NULL, 5e-6, 5e-4}, {"bounce", NULL, 0.05, 5},
};
enum { NMOTION = sizeof motions/sizeof *motions };

/* what is asked for besides the rows goes round with them */
typedef struct output { const char *ending, *more, *files[6]; } output;
static const output outputs[] = {
  {"csv", "", {"rows.csv", "stats.json"}}, {"npy", "", {"rows.npy", "stats.json"}}, {"json", "", {"rows.json", "stats.json"}},
  {"csv", " --plot plot.svg", {"rows.csv", "plot.svg", "stats.json"}},
  {"npy", " --report page.html", {"rows.npy", "page.html", "stats.json"}},
  {"json", " --plot plot.svg --report page.html", {"rows.json", "plot.svg", "page.html", "stats.json"}},
};
enum { NOUTPUT = sizeof outputs/sizeof *outputs };

static struct { long runs, kills, timed, resumes; } sum;

/* a checkpoint after every step, or every third, or tenth */
static void line_of(const motion *m, const output *o, char *line, size_t size) {
  static const char *const pauses[] = {"0.001", "0.006", "0.02"};
  int n = snprintf(line, size, "run %s --out rows.%s --stats stats.json%s --quiet --force --checkpoint c --checkpoint-every %s", m->model,
                   o->ending, o->more, pauses[draw(3)]);
  n += snprintf(line + n, size - (size_t)n, " --step %.17g --end %.17g", m->step, m->end);
  if (m->flow) n += snprintf(line + n, size - (size_t)n, " --flow '%s'", m->flow);
  if (strstr(m->flow ? m->flow : "", "at(")) snprintf(line + n, size - (size_t)n, " --events events.%s", o->ending);
}

/* a crash may also tear the end of the checkpoint, but never what it began with, or leave something behind it */
static void hurt(int small) {
  content c = content_of("work", "c");
  long kind = draw(6), cut = draw(300);
  int frames = 0;
  for (size_t i = 0; i + 4 < c.size; i++) frames += !memcmp(c.text + i, "EPIC", 4);
  if (kind == 0 && small && frames >= 9) put_content("work", "c", c.text, c.size - (size_t)cut);
  if (kind == 1 && c.size) {
    char *longer = calloc(c.size + 20, 1);
    if (!longer) test_stop("no memory");
    memcpy(longer, c.text, c.size);
    memcpy(longer + c.size, "EPIC\001\002\003 torn", 12);
    put_content("work", "c", longer, c.size + 12);
    free(longer);
  }
  free(c.text);
}

/* one attempt: killed at a change that is drawn, or by the clock; its code */
static outcome attempt(const char *line, long changes, int small) {
  board *b = board_clear();
  const char *words = file_there("work", "c") ? "resume c --quiet" : line;
  int by_clock = !draw(10);
  sum.resumes += words != line;
  if (!by_clock) {
    /* the end of a run is a place of its own */
    b->kill_at = draw(3) ? 1 + draw(changes) : changes - draw(changes < 12 ? changes : 12);
    b->kill_when = (moment)draw(MOMENTS);
  }
  pid_t child = command_start("work", words, NULL);
  if (by_clock) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000*(1 + draw(25))}, NULL);
    kill(child, SIGKILL);
  }
  outcome o = command_wait(child, "work");
  if (o.code == -SIGKILL) {
    sum.kills++;
    sum.timed += by_clock;
    hurt(small);
  }
  return o;
}

static void blame(const char *line, const char *what, const outcome *o, unsigned long long seed) {
  printf("  epicycle %s\n  seed %llu: %s; exit %d: %s\n", line, seed, what, o->code, o->said[0] ? o->said : "\n");
}

static void one(const motion *m, const output *out) {
  char line[600];
  unsigned long long seed = stage.seed;
  line_of(m, out, line, sizeof line);
  folder_make("whole", NULL);
  folder_make("work", NULL);
  board *b = board_clear();
  outcome o = command("whole", line);
  long changes = b->changes;
  if (!check_count(o.code, 0)) { blame(line, "the whole run", &o, seed); return; }
  int most = 1 + (int)draw(4);
  for (int i = 0; i < most; i++) {
    o = attempt(line, changes, m->flow && !*out->more);
    if (o.code != -SIGKILL) break;
  }
  board_clear();
  if (o.code == -SIGKILL) o = command("work", file_there("work", "c") ? "resume c --quiet" : line);
  if (!check_count(o.code, 0)) { blame(line, "not continued", &o, seed); return; }
  for (const char *const *name = out->files; *name; name++)
    if (!check(same_file("work", "whole", *name))) blame(line, *name, &o, seed);
  char events[20];
  snprintf(events, sizeof events, "events.%s", out->ending);
  if (strstr(line, "--events") && !check(same_file("work", "whole", events))) blame(line, events, &o, seed);
  sum.runs++;
}

/* every flow there is stands in the table, but for those that need a function or a table of the caller's */
static void complete(void) {
  static const char *const lists[] = {"list methods", "list averages", "list wrappers"};
  for (size_t i = 0; i < sizeof lists/sizeof *lists; i++) {
    folder_make("work", NULL);
    board_clear();
    check_count(command("work", lists[i]).code, 0);
    content c = content_of("work", "stdout");
    for (char *at = c.text; at && (at = strstr(at, "\n  ")); ) {
      char name[40] = "";
      at += 3;
      if (sscanf(at, "%39[a-z0-9-]", name) != 1 || !strcmp(name, "watch") || !strcmp(name, "rk")) continue;
      int found = 0;
      for (int k = 0; k < NMOTION; k++) found |= motions[k].flow && strstr(motions[k].flow, name);
      if (!check(found)) printf("  %s is in no flow of this test\n", name);
    }
    free(c.text);
  }
}

int main(int argc, char **argv) {
  if (stage_begin()) return test_skip("no command, or no library to load before it");
  long count = argc > 1 ? atol(argv[1]) : 60;
  stage.seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  complete();
  /* each flow with each output comes before one of them comes again */
  for (long i = 0; sum.kills < count && i < 40*count + 40*NMOTION; i++) {
    const motion *m = &motions[i%NMOTION];
    if (argc < 4 || (m->flow && strstr(m->flow, argv[3]))) one(m, &outputs[(i + i/NMOTION)%NOUTPUT]);
  }
  printf("%ld runs, %ld kills (%ld of them by the clock), %ld resumes\n", sum.runs, sum.kills, sum.timed, sum.resumes);
  check_above((double)sum.kills, (double)count);
  stage_end();
  return test_done();
}
