/* stats.c - what a run cost and how well it kept what should be kept */
#include "tool.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void put_text(FILE *f, const char *key, const char *value)
{
  fprintf(f, ",\n  \"%s\": ", key);
  json_text(f, value);
}

static void put_number(FILE *f, const char *key, double value)
{
  fprintf(f, ",\n  \"%s\": ", key);
  json_number(f, value);
}

/* a start that is zero, or zero but for rounding, has nothing to be relative to */
static double relative(const drift *d) { return fabs(d->start) > d->ledger.most ? d->ledger.most/fabs(d->start) : NAN; }

/* a run that ended before its time has no last quarter */
static double indicator(const job *j, const drift *d) { return strcmp(j->status, "done") ? NAN : ledger_drift(&d->ledger); }

static void put_drifts(FILE *f, const job *j)
{
  fputs(",\n  \"invariants\": [", f);
  for (int i = 0; i < j->ndrift; i++) {
    const drift *d = &j->drift[i];
    const double x[] = {d->start, d->worst, d->last, d->ledger.most, relative(d), indicator(j, d), invariants_slope(j, d)};
    static const char *const keys[] = {"initial", "max_drift", "final_drift", "largest_error", "relative_error", "D", "slope"};
    fprintf(f, "%s\n    {\"name\": ", i ? "," : "");
    json_text(f, d->what->name);
    fputs(", \"unit\": ", f);
    json_text(f, d->what->unit);
    for (size_t k = 0; k < sizeof x/sizeof *x; k++) {
      fprintf(f, ", \"%s\": ", keys[k]);
      json_number(f, x[k]);
    }
    fputc('}', f);
  }
  fputs(j->ndrift ? "\n  ]" : "]", f);
  if (!j->c->model->exact) return;
  fputs(",\n  \"exact\": {\"max_error\": ", f);
  json_number(f, j->worst_error);
  fputs(", \"final_error\": ", f);
  json_number(f, j->last_error);
  fputc('}', f);
}

/* ---- where the errors were looked at, and how long the steps were ---- */
static char *place_of_looks(const job *j, const tree *t)
{
  if (epi_extra_state(j->tree, NULL, 0) && !j->inside) return text("multiples of the step, between the steps of %s", t->node[0].name);
  return j->stride > 1 && !j->inside ? text("every step whose number is a multiple of %ld", j->stride) : text("every step");
}

static void put_looks(FILE *f, const job *j, const tree *t)
{
  char *where = place_of_looks(j, t);
  fputs(",\n  \"looked\": {\"at\": ", f);
  json_text(f, where);
  fprintf(f, ", \"times\": %ld}", j->ndrift ? j->drift[0].ledger.n : 0);
  free(where);
}

/* the outermost node that chooses; where none does, the step was asked for */
static const node *chooser(const tree *t)
{
  for (int i = 0; i < t->n; i++)
    if (t->node[i].longest > 0) return &t->node[i];
  return NULL;
}

static void put_steps(FILE *f, const job *j, const tree *t)
{
  const node *a = chooser(t);
  fputs(",\n  \"steps\": {\"by\": ", f);
  json_text(f, a ? a->text : NULL);
  fputs(", \"shortest\": ", f);
  json_number(f, a ? a->shortest : j->ask.step);
  fputs(", \"longest\": ", f);
  json_number(f, a ? a->longest : j->ask.step);
  fputc('}', f);
}

static void put_state(FILE *f, const job *j)
{
  fputs(",\n  \"state\": {", f);
  for (int i = 0; i <= epi_size(&j->c->system); i++) {
    if (i) fputs(", ", f);
    json_text(f, j->column[i]);
    fputs(": ", f);
    json_number(f, i ? j->s.y[i - 1] : j->s.t);
  }
  fputc('}', f);
}

/* a root that chooses its steps counts what it was asked for; the steps it took are the ones seen */
tree stats_tree(const job *j)
{
  tree t = tree_of(j->tree);
  if (j->adaptive && t.n) t.node[0].steps = j->beats;
  return t;
}

void stats_json(const job *j, FILE *f)
{
  tree t = stats_tree(j);
  fputs("{\n  \"epicycle\": \"" EPI_VERSION "\"", f);
  put_text(f, "status", j->status);
  if (j->why) put_text(f, "error", j->why);
  put_text(f, "model", j->ask.model);
  put_text(f, "flow", j->text);
  put_number(f, "step", j->ask.step);
  put_number(f, "start", j->start);
  put_number(f, "end", j->ask.end);
  put_number(f, "every", j->ask.every);
  put_text(f, "out", j->ask.out);
  fprintf(f, ",\n  \"rows\": %ld,\n  \"calls\": %ld,\n  \"calls_for_rows\": %ld", j->rows, epi_calls(j->tree) - t.unseen, t.unseen);
  put_number(f, "wall_s", job_wall(j));
  put_state(f, j);
  put_steps(f, j, &t);
  put_looks(f, j, &t);
  put_drifts(f, j);
  fputs(",\n  \"nodes\": ", f);
  tree_json(&t, f, "  ");
  fputs("\n}\n", f);
  tree_free(&t);
}

static int name_width(const job *j)
{
  int w = 9;
  for (int i = 1; i < j->ncol; i++) if ((int)strlen(j->column[i]) > w) w = (int)strlen(j->column[i]);
  return w;
}

static void print_drifts(FILE *f, const job *j, int w)
{
  const char *heads = "start                   most error  at the end  slope       drift D";
  if (j->ndrift) fprintf(f, "\n%s  %-*s  %s%s\n", ink(f, BOLD), w, "invariant", heads, ink(f, PLAIN));
  for (int i = 0; i < j->ndrift; i++) {
    const drift *d = &j->drift[i];
    double D = indicator(j, d);
    fprintf(f, "  %-*s  %-22s  %-10.3g  %-10.3g  %-10.2g  ", w, d->what->name, shortest(d->start).text, d->ledger.most, d->last,
            invariants_slope(j, d));
    if (!isnan(D) && d->ledger.most <= 1e-11*fabs(d->start)) fprintf(f, "rounding\n");
    else fprintf(f, isnan(D) ? "-\n" : "%.2g\n", D);
  }
}

/* what it was, what it took, where it is */
static void print_head(const job *j, const tree *t, FILE *f)
{
  const struct { const char *what, *where; } files[] = {{"picture", j->ask.plot}, {"report", j->ask.report}};
  fprintf(f, "%s  by  %s\n", j->ask.model, j->text);
  fprintf(f, "%s at t = %s: %ld evaluations", j->status, shortest(j->s.t).text, epi_calls(j->tree) - t->unseen);
  if (t->unseen) fprintf(f, " and %ld for the rows", t->unseen);
  fprintf(f, ", %.3g s", j->took);
  if (j->ask.out) fprintf(f, ", %ld rows in %s", j->rows, j->ask.out);
  for (size_t i = 0; i < sizeof files/sizeof *files; i++) if (files[i].where) fprintf(f, ", %s in %s", files[i].what, files[i].where);
  fputc('\n', f);
}

void stats_line(const job *j, FILE *f)
{
  tree t = stats_tree(j);
  print_head(j, &t, f);
  tree_free(&t);
}

void stats_print(const job *j, FILE *f)
{
  tree t = stats_tree(j);
  print_head(j, &t, f);
  fputc('\n', f);
  int w = name_width(j), n = epi_size(&j->c->system), most = 12;
  for (int i = 0; i < n && i < most; i++) fprintf(f, "  %-*s  %s\n", w, j->column[1 + i], shortest(j->s.y[i]).text);
  if (n > most) fprintf(f, "  ... and %d more coordinates: --json prints all\n", n - most);
  print_drifts(f, j, w);
  if (j->c->model->exact) fprintf(f, "\n  against the exact solution: most %.3g, last %.3g\n", j->worst_error, j->last_error);
  const node *a = chooser(&t);
  if (a) fprintf(f, "\n  steps of %s: %.3g to %.3g\n", a->text, a->shortest, a->longest);
  fputc('\n', f);
  tree_print_counts(&t, f);
  tree_free(&t);
}
