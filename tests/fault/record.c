/* holds: whichever allocation or write fails in rows, drawing and page of a run, a sentence says so
 * record.c - memory runs out, or the disk is full, at every single place of a run with its rows, its drawing and its page: a sentence
   each time
 * label: long */
#include "wrap.h"
#include "place.h"
#include "epicycle/page.h"

typedef struct { const char *model, *flow, *out; int fast; } run;
static const run runs[] = {
  {"pendulum", "tolerance(dopri5, rtol=1e-6)", "record.csv", 0},
  {"kepler", "density(verlet, eps=0.05)", "record.npy", 0},
  {"inverted-pendulum(w=1000)", "rk4(strobe(substeps(rk4, 20), order=4))", "record.json", 1},
};

static void keep(char *said, size_t size, const char *error) { snprintf(said, size, "%.*s", (int)size - 1, error); }

static void record(const void *what, char *said, size_t size) {
  const run *a = what;
  char error[400] = "";
  epi_case *c = epi_case_make(a->model);
  epi_run_options ask = {.step = 0.01, .end = 0.1, .out = a->out, .pictures = 1, .fast = a->fast};
  epi_result *r = c ? epi_result_make(c, a->flow, &ask) : NULL;
  int bad = epi_result_run(r);
  keep(said, size, !bad ? "" : r ? r->error : "out of memory");
  /* what failed says so, what says nothing is whole */
  check_count(!!bad, said[0] != 0);
  if (!bad) {
    check_text(r->status, "done");
    if (epi_report_write("record.html", NULL, &(const epi_result *){r}, 1, -1, error, sizeof error)) keep(said, size, error);
    if (epi_plot_file("record.svg", r, error, sizeof error)) keep(said, size, error);
  }
  epi_result_free(r);
  epi_case_free(c);
}

/* rows that go to the disk by fwrite and fflush */
static void rows(const void *what, char *said, size_t size) {
  const run *a = what;
  epi_case *c = epi_case_make(a->model);
  epi_result *r = epi_result_make(c, a->flow, &(epi_run_options){.step = 0.01, .end = 0.1, .out = a->out});
  int bad = epi_result_run(r);
  keep(said, size, bad ? r->error : "");
  check_count(!!bad, said[0] != 0);
  epi_result_free(r);
  epi_case_free(c);
}

int main(void) {
  char room[200];
  long points = 0;
  snprintf(room, sizeof room, "%.150s/epicycle-record-XXXXXX", test_place());
  if (!mkdtemp(room) || chdir(room)) test_stop("no folder for the rows");
  for (size_t i = 0; i < sizeof runs/sizeof *runs; i++) points += wrap_sweep(&wrap.memory, runs[i].model, "memory", record, &runs[i]);
  check_count(wrap.live, 0);
  check_above((double)wrap_sweep(&wrap.disk, "rows", "cannot write", rows, &runs[1]), 10);
  printf("%ld allocations failed, one after the other\n", points);
  check_above((double)points, 300);
  static const char *const left[] = {"csv", "npy", "npy.columns.txt", "json", "html", "svg"};
  for (size_t i = 0; i < sizeof left/sizeof *left; i++) {
    char path[64];
    snprintf(path, sizeof path, "record.%s", left[i]);
    check_count(unlink(path), 0);
  }
  check_count(rmdir(room), 0);
  return test_done();
}
