/* job.c - one run from its request to its report */
#include "tool.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what a row holds ---- */
static void make_columns(job *j)
{
  const epi_system *m = &j->c->system;
  const epi_observable *o = j->c->model->observables;
  int n = epi_size(m), nv = m->nv ? m->nv : m->nq;
  while (o && o[j->nobs].name) j->nobs++;
  j->ncol = 1 + n + j->nobs + (j->fast ? n : 0);
  j->column = need((size_t)j->ncol*sizeof *j->column);
  j->value = need((size_t)j->ncol*sizeof *j->value);
  j->drift = need(((size_t)j->nobs + 1)*sizeof *j->drift);
  j->exact = need((size_t)n*sizeof *j->exact);
  j->column[0] = text("t");
  for (int i = 0; i < n; i++)
    j->column[1 + i] = m->names && m->names[i] ? text("%s", m->names[i])
                     : i < m->nq ? text("q%d", i + 1)
                     : i < m->nq + nv ? text("v%d", i - m->nq + 1) : text("z%d", i - m->nq - nv + 1);
  for (int i = 0; i < j->nobs; i++) {
    j->column[1 + n + i] = text("%s", o[i].name);
    if (o[i].invariant) j->drift[j->ndrift++] = (drift){.what = &o[i]};
  }
  for (int i = 0; j->fast && i < n; i++) j->column[1 + n + j->nobs + i] = text("fast-%s", j->column[1 + i]);
  for (int i = 0; i < j->ndrift; i++) j->drift[i].start = j->drift[i].what->value(j->c, &j->s);
}

/* not a number is the worst of all */
static double worse(double a, double b) { return isnan(a) || a >= b ? a : b; }

static double error_at(job *j, double t, const double *y)
{
  double e = 0;
  if (j->c->model->exact(j->c, t, j->exact)) return NAN;
  for (int i = 0; i < epi_size(&j->c->system); i++) e = worse(e, fabs(y[i] - j->exact[i]));
  return e;
}

int job_row(job *j, const epi_state *s)
{
  double t = s->t;
  const double *y = s->y;
  int n = epi_size(&j->c->system);
  const epi_observable *o = j->c->model->observables;
  j->value[0] = t;
  memcpy(j->value + 1, y, (size_t)n*sizeof *y);
  for (int i = 0; i < j->nobs; i++) j->value[1 + n + i] = o[i].value(j->c, s);
  for (int i = 0; i < j->ndrift; i++) {
    drift *d = &j->drift[i];
    d->last = d->what->value(j->c, s) - d->start;
    d->worst = worse(d->worst, fabs(d->last));
  }
  if (j->c->model->exact) {
    j->last_error = error_at(j, t, y);
    j->worst_error = worse(j->worst_error, j->last_error);
  }
  /* where it fails the row has no numbers, and is the last */
  int lost = j->fast && fast_at(j->fast, s, j->value + 1 + n + j->nobs);
  for (int i = 0; lost && i < n; i++) j->value[1 + n + j->nobs + i] = NAN;
  j->rows++;
  if (j->sheet && sheet_row(j->sheet, j->value)) j->sick = 1;
  return j->sick || lost;
}

double job_wall(const job *j) { return j->before + clock_now() - j->began; }

/* ---- making ---- */
static int check_times(job *j)
{
  const double most = 1e8;
  double span = j->end - j->start;
  if (!(j->step > 0)) return say(REFUSED, "the step is %g: give a positive one with --step", j->step);
  if (!(span > 0)) return say(REFUSED, "the end %g is not after the start t = %g: give a later one with --end", j->end, j->start);
  if (span/j->step > 9e15)
    return say(REFUSED, "%.3g steps of %g to t = %g: give a longer one with --step", span/j->step, j->step, j->end);
  /* a multiple of the step, so that rows fall on steps */
  if (j->every < 0) j->every = j->step*ceil(ceil(span/j->step*(1 - 1e-12))/1000);
  double apart = j->every > 0 ? j->every : j->step;
  if (span/apart > most)
    return say(REFUSED, "a row every %g would be %.3g rows, more than %g: give --every %.3g or more", apart, span/apart, most,
               1.01*span/most);
  return 0;
}

/* first alone, so that the columns in a sentence are those of the user's text */
static int make_flow(job *j)
{
  epi_flow *f = epi_case_flow(j->c, j->flow);
  int code = 0;
  epi_state s = epi_case_state(j->c);
  /* a run of no length says what a run would refuse */
  if (!epi_error(f)) epi_run(f, &s, s.t, j->c->step);
  if (epi_error(f)) code = say(REFUSED, "%s", epi_error(f));
  else {
    size_t n = epi_text(f, NULL, 0);
    j->text = need(n + 1);
    epi_text(f, j->text, n + 1);
  }
  epi_free(f);
  if (code) return code;
  j->tree = watched(j);
  return epi_error(j->tree) ? say(REFUSED, "%s", epi_error(j->tree)) : 0;
}

int job_make(job *j)
{
  j->began = clock_now();
  j->c = epi_case_make(j->model);
  if (!j->c) return say(FAILED, "out of memory: the model could not be made");
  if (j->c->error[0]) return say(REFUSED, "%s", j->c->error);
  if (!j->flow) j->flow = text("%s", j->c->model->flow);
  if (isnan(j->step)) j->step = j->c->step;
  if (isnan(j->end)) j->end = j->c->end;
  j->s = epi_case_state(j->c);
  j->start = j->s.t;
  int code = check_times(j);
  if (!code) code = make_flow(j);
  if (!code && j->wants_fast && !(j->fast = fast_make(j))) code = REFUSED;
  if (!code) make_columns(j);
  if (!code) j->stride = invariants_stride(j);
  return code;
}

void job_free(job *j)
{
  if (j->sheet) sheet_close(j->sheet);
  for (int i = 0; i < j->ncol; i++) free(j->column[i]);
  free(j->column);
  free(j->value);
  free(j->drift);
  free(j->exact);
  free(j->text);
  free(j->why);
  fast_free(j->fast);
  epi_free(j->tree);
  epi_case_free(j->c);
  log_close(j->log);
  char *texts[] = {j->model, j->flow, j->out, j->stats, j->checkpoint};
  for (size_t i = 0; i < sizeof texts/sizeof *texts; i++) free(texts[i]);
}

/* ---- running ---- */
static int note_place(job *j, long long size)
{
  if (!log_pair(j->log, j, size)) return 0;
  return say(FAILED, "cannot write the checkpoint %s: %s; make room, then run or resume again", j->checkpoint,
             errno ? strerror(errno) : "the state could not be saved");
}

/* first the rows, then what refers to them; 0 good, else after the sentence */
static int save(job *j)
{
  long long size = j->sheet ? sheet_mark(j->sheet) : 0;
  return size < 0 ? j->sick = 1 : note_place(j, size);
}

/* where Ctrl-C leaves a checkpoint that nobody asked for */
static char *spare_checkpoint(const job *j)
{
  return j->out && strcmp(j->out, "-") ? text("%s.checkpoint", j->out) : text("epicycle.checkpoint");
}

/* the checkpoint of an output that is now replaced would cut the new one */
static void forget_old(const job *j)
{
  char *path = spare_checkpoint(j);
  if (j->out && strcmp(j->out, "-") && disk_size(path) > 0 && !log_foreign(path)) remove(path);
  free(path);
}

int job_begin(job *j)
{
  j->status = "running";
  if (j->checkpoint && !(j->log = log_open(j))) return REFUSED;
  if (j->out && !(j->sheet = sheet_open(j->out, j->ncol, j->column, (sheet_about){j->model, j->text, j->step, j->end})))
    return REFUSED;
  forget_old(j);
  job_row(j, &j->s);
  return j->log && !j->sick && save(j) && !j->sick ? FAILED : 0;
}

/* a run that ended badly has its sentence as the last word */
static int report(job *j)
{
  int code = 0, whole = !strcmp(j->status, "done") || !strcmp(j->status, "stopped");
  if (j->stats) {
    errno = 0;
    FILE *f = fopen(j->stats, "w");
    if (f) stats_json(j, f);
    if (!f || ferror(f) | fclose(f)) code = say(FAILED, "cannot write %s: %s", j->stats, errno ? strerror(errno) : "the disk is full");
  }
  if (j->json) stats_json(j, stdout);
  else if (whole && !j->quiet && !(j->out && !strcmp(j->out, "-"))) stats_print(j, stdout);
  return code;
}

/* Ctrl-C: a checkpoint, even if none was asked for */
static void leave(job *j)
{
  if (!j->checkpoint) j->checkpoint = spare_checkpoint(j);
  /* never over a file of the user's */
  while (log_foreign(j->checkpoint)) {
    char *other = text("%s~", j->checkpoint);
    free(j->checkpoint);
    j->checkpoint = other;
  }
  if (!j->log && !(j->log = log_open(j))) return;
  if (save(j)) return;
  say(0, "interrupted at t = %g%s%s; go on with: epicycle resume %s", j->s.t, j->out ? "; the rows so far are in " : "",
      j->out ? j->out : "", j->checkpoint);
}

static int fail(job *j, char *why)
{
  j->status = "failed";
  j->why = why;
  return FAILED;
}

/* the last row, the report, the last checkpoint */
static int finish(job *j, int code)
{
  int end = DONE;
  if (code == EPI_STOPPED && j->pulse.stop == INTERRUPTED) {
    j->status = "interrupted";
    leave(j);
    end = FAILED;
  } else if (!j->sick) {
    j->status = code == 0 ? "done" : "stopped";
    if (code && code != EPI_STOPPED) {
      end = fail(j, text("%s", epi_error(j->tree) ? epi_error(j->tree) : "the run failed"));
      say(end, "%s", j->why);
    }
    /* after a failure this is the last good state */
    if (j->s.t > j->value[0] && !fast_error(j->fast)) job_row(j, &j->s);
    if (end == DONE && fast_error(j->fast)) {
      end = fail(j, text("--fast: %s", fast_error(j->fast)));
      say(end, "%s", j->why);
    }
  }
  long long size = j->sheet && !j->sick ? sheet_mark(j->sheet) : 0;
  if (j->sheet && sheet_close(j->sheet)) end = fail(j, text("the output could not be written"));
  j->sheet = NULL;
  int told = report(j);
  if (end == DONE && told) end = told;
  return end == DONE && j->log ? note_place(j, size) : end;
}

int job_drive(job *j)
{
  int code = 0, bad = j->sick;
  pulse_begin(j);
  while (!bad && j->s.t < j->end) {
    j->pulse.stop = GO_ON;
    /* a root that chooses its steps is given all the way that is left */
    code = epi_run(j->tree, &j->s, j->end, j->adaptive ? j->end - j->s.t : j->step);
    if (code != EPI_STOPPED || j->pulse.stop != SAVE) break;
    code = 0;
    bad = save(j);
    j->pulse.saved = clock_now();
  }
  pulse_end(j);
  if (!bad || j->sick) return finish(j, code);
  /* the checkpoint failed: the one before it is whole */
  if (j->sheet) sheet_close(j->sheet);
  j->sheet = NULL;
  fail(j, text("the checkpoint could not be written"));
  report(j);
  return FAILED;
}
