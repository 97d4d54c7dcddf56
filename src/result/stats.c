/* stats.c - what a run cost and how well it kept what should be kept, as JSON */
#include "recorder.h"

static void put_text(FILE *f, const char *key, const char *value)
{
  fprintf(f, ",\n  \"%s\": ", key);
  epi_json_text(f, value);
}

static void put_number(FILE *f, const char *key, double value)
{
  fprintf(f, ",\n  \"%s\": ", key);
  epi_json_number(f, value);
}

/* a start that is zero, or zero but for rounding, has nothing to be relative to */
static double relative(const epi_invariant *d) { return fabs(d->start) > d->ledger.most ? d->ledger.most/fabs(d->start) : NAN; }

static void put_invariants(FILE *f, const epi_result *r)
{
  fputs(",\n  \"invariants\": [", f);
  for (int i = 0; i < r->ninvariant; i++) {
    const epi_invariant *d = &r->invariant[i];
    const double x[] = {d->start, d->worst, d->last, d->ledger.most, relative(d), epi_invariant_drift(r, i), epi_invariant_slope(r, i)};
    static const char *const keys[] = {"initial", "max_drift", "final_drift", "largest_error", "relative_error", "D", "slope"};
    fprintf(f, "%s\n    {\"name\": ", i ? "," : "");
    epi_json_text(f, d->name);
    fputs(", \"unit\": ", f);
    epi_json_text(f, d->unit);
    for (size_t k = 0; k < sizeof x/sizeof *x; k++) {
      fprintf(f, ", \"%s\": ", keys[k]);
      epi_json_number(f, x[k]);
    }
    fputs(", \"drift\": ", f);
    epi_json_text(f, epi_invariant_word(r, i));
    fputc('}', f);
  }
  fputs(r->ninvariant ? "\n  ]" : "]", f);
  if (!r->exact) return;
  fputs(",\n  \"exact\": {\"max_error\": ", f);
  epi_json_number(f, r->worst_error);
  fputs(", \"final_error\": ", f);
  epi_json_number(f, r->last_error);
  fputc('}', f);
}

/* where the errors were looked at, and how long the steps were; where nothing chooses them, the step was asked for */
static void put_steps(FILE *f, const epi_result *r)
{
  const epi_counters *a = epi_result_chooser(r);
  fputs(",\n  \"steps\": {\"by\": ", f);
  epi_json_text(f, a ? a->text : NULL);
  fputs(", \"shortest\": ", f);
  epi_json_number(f, a ? a->shortest : r->step);
  fputs(", \"longest\": ", f);
  epi_json_number(f, a ? a->longest : r->step);
  fputs("},\n  \"looked\": {\"at\": ", f);
  epi_json_text(f, r->looked);
  fprintf(f, ", \"times\": %ld}", r->ninvariant ? r->invariant[0].ledger.n : 0);
}

static void put_inspection(FILE *f, const epi_result *r)
{
  fprintf(f, ",\n  \"inspection\": {\"looks\": %ld, \"off\": ", r->inspection.looks);
  epi_json_number(f, r->inspection.looks ? r->inspection.off : NAN);
  fputs(", \"rise\": ", f);
  epi_json_number(f, r->inspection.kinetic > 0 ? r->inspection.rise : NAN);
  fputc('}', f);
}

static void put_state(FILE *f, const epi_result *r)
{
  fputs(",\n  \"state\": {", f);
  for (int i = 0; i <= r->nq + r->nv + r->nz; i++) {
    if (i) fputs(", ", f);
    epi_json_text(f, r->column[i].name);
    fputs(": ", f);
    epi_json_number(f, i ? r->y[i - 1] : r->t);
  }
  fputc('}', f);
}

/* positions alone: the velocity of a slow solution is not that of a fast one */
double epi_result_distance(const epi_result *r, const epi_result *against)
{
  double e = 0;
  if (!r->ncol || !against->ncol || r->nq != against->nq || strcmp(r->model_name, against->model_name)) return NAN;
  if (fabs(r->t - against->t) > 1e-9*fabs(r->t)) return NAN;
  int n = r->nq ? r->nq : r->nv + r->nz;
  epi_system *m = r->recorder && r->recorder->c ? &r->recorder->c->system : NULL;
  double *same = m && m->manifold.nearest && r->nq ? malloc((size_t)n*sizeof *same) : NULL;
  /* two numbers of one attitude are not apart */
  if (same) {
    memcpy(same, r->y, (size_t)n*sizeof *same);
    m->manifold.nearest(m, against->y, same);
  }
  for (int i = 0; i < n; i++) e = fmax(e, fabs((same ? same[i] : r->y[i]) - against->y[i]));
  free(same);
  return e;
}

static void put_warnings(FILE *f, const epi_result *r)
{
  fputs(",\n  \"warnings\": [", f);
  for (int i = 0; i < r->warnings; i++) {
    fputs(i ? ", " : "", f);
    epi_json_text(f, r->warning[i]);
  }
  fputc(']', f);
}

static void put_choice(FILE *f, const epi_chosen *a)
{
  fputs(a ? ",\n  \"choice\": {\n" : ",\n  \"choice\": null", f);
  if (!a) return;
  epi_chosen_json(a, f, "    ");
  fputs("\n  }", f);
}

/* of a result that never ran there is the sentence alone */
void epi_result_json(const epi_result *r, FILE *f)
{
  fputs("{\n  \"epicycle\": \"" EPI_VERSION "\"", f);
  put_text(f, "status", r->status);
  if (r->error[0]) put_text(f, "error", r->error);
  put_warnings(f, r);
  if (r->ncol) {
    put_text(f, "model", r->model);
    put_text(f, "flow", r->flow);
    put_number(f, "step", r->step);
    put_number(f, "start", r->start);
    put_number(f, "end", r->end);
    put_number(f, "every", r->every);
    put_text(f, "out", r->out);
    put_text(f, "event_file", r->event_file);
    fprintf(f, ",\n  \"events\": %ld", r->events);
    fprintf(f, ",\n  \"rows\": %ld,\n  \"calls\": %ld,\n  \"calls_for_rows\": %ld", r->rows, r->calls, r->calls_for_rows);
    put_number(f, "wall_s", r->took);
    put_state(f, r);
    put_steps(f, r);
    put_invariants(f, r);
    put_inspection(f, r);
    put_choice(f, r->choice);
    fputs(",\n  \"nodes\": ", f);
    epi_counters_json(r->counters, r->ncounters, f, "  ");
  }
  fputs("\n}\n", f);
}
