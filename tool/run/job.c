/* job.c - one run from its request to its report */
#include "picture.h"
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
  j->nout = j->ask.fast ? j->ncol : 1 + n + j->nobs;
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
  for (int i = 0; i < j->ndrift; i++) j->drift[i].start = epi_observe(j->c, j->drift[i].what, &j->s);
}

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
  j->whole = 0;
  j->value[0] = t;
  memcpy(j->value + 1, y, (size_t)n*sizeof *y);
  for (int i = 0; i < j->nobs; i++) j->value[1 + n + i] = epi_observe(j->c, &o[i], s);
  for (int i = 0; i < j->ndrift; i++) {
    drift *d = &j->drift[i];
    d->last = epi_observe(j->c, d->what, s) - d->start;
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
  j->whole = 1;
  reel_add(&j->kept, j->value);
  if (j->sheet && sheet_row(j->sheet, j->value)) j->sick = 1;
  return j->sick || (lost && j->ask.fast);
}

double job_wall(const job *j) { return j->before + clock_now() - j->began; }

/* ---- making ---- */
static int check_times(job *j)
{
  const double most = 1e8;
  double span = j->ask.end - j->start;
  if (!(j->ask.step > 0)) return say(REFUSED, "the step is %g: give a positive one with --step", j->ask.step);
  if (!(span > 0)) return say(REFUSED, "the end %g is not after the start t = %g: give a later one with --end", j->ask.end, j->start);
  if (span/j->ask.step > 9e15)
    return say(REFUSED, "%.3g steps of %g to t = %g: give a longer one with --step", span/j->ask.step, j->ask.step, j->ask.end);
  /* a multiple of the step, so that rows fall on steps */
  if (j->ask.every < 0) j->ask.every = j->ask.step*ceil(ceil(span/j->ask.step*(1 - 1e-12))/1000);
  double apart = j->ask.every > 0 ? j->ask.every : j->ask.step;
  if (span/apart > most)
    return say(REFUSED, "a row every %g would be %.3g rows, more than %g: give --every %.3g or more", apart, span/apart, most,
               1.01*span/most);
  return 0;
}

/* first alone, so that the columns in a sentence are those of the user's text */
static int make_flow(job *j)
{
  epi_flow *f = epi_case_flow(j->c, j->ask.flow);
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

static int make_case(job *j)
{
  plan *p = &j->ask;
  j->c = plan_case(p);
  if (!j->c) return say(FAILED, "out of memory: the model could not be made");
  if (j->c->error[0]) return say(REFUSED, "%s", j->c->error);
  return plan_settle(p, j->c);
}

/* rows have it where it is asked for; pictures where it can be had */
static int make_fast(job *j)
{
  char *why = NULL;
  int code = 0;
  if (j->ask.fast || j->pictures) j->fast = fast_make(j, &why);
  if (why && j->ask.fast) code = say(REFUSED, "%s", why);
  free(why);
  return code;
}

int job_make(job *j)
{
  j->began = clock_now();
  int code = make_case(j);
  if (code) return code;
  j->s = epi_case_state(j->c);
  j->start = j->s.t;
  code = check_times(j);
  if (!code) code = make_flow(j);
  if (!code) code = make_fast(j);
  if (code) return code;
  make_columns(j);
  j->stride = invariants_stride(j);
  if (j->pictures) {
    reel_make(&j->kept, j->ncol);
    reel_make(&j->steps, 2);
  }
  return 0;
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
  reel_free(&j->kept);
  reel_free(&j->steps);
  plan_free(&j->ask);
}

/* ---- running ---- */
static int note_place(job *j, long long size)
{
  if (!log_pair(j->log, j, size)) return 0;
  return say(FAILED, "cannot write the checkpoint %s: %s; make room, then run or resume again", j->ask.checkpoint,
             errno ? strerror(errno) : "the state could not be saved");
}

/* first the rows, then what refers to them; 0 on success, else after the sentence */
static int save(job *j)
{
  long long size = j->sheet ? sheet_mark(j->sheet) : 0;
  return size < 0 ? j->sick = 1 : note_place(j, size);
}

/* where Ctrl-C leaves a checkpoint that nobody asked for */
static char *spare_checkpoint(const job *j)
{
  return j->ask.out && strcmp(j->ask.out, "-") ? text("%s.checkpoint", j->ask.out) : text("epicycle.checkpoint");
}

/* the checkpoint of an output that is now replaced would cut the new one */
static void forget_old(const job *j)
{
  char *path = spare_checkpoint(j);
  if (j->ask.out && strcmp(j->ask.out, "-") && disk_size(path) > 0 && !log_foreign(path)) remove(path);
  free(path);
}

int job_begin(job *j)
{
  j->status = "running";
  j->began = clock_now();
  if (j->ask.checkpoint && !(j->log = log_open(j))) return REFUSED;
  if (j->ask.out && !(j->sheet = sheet_open(j->ask.out, j->nout, j->column, (sheet_about){j->ask.model, j->text, j->ask.step, j->ask.end})))
    return REFUSED;
  forget_old(j);
  job_row(j, &j->s);
  return j->log && !j->sick && save(j) && !j->sick ? FAILED : 0;
}

/* a run that ended badly has its sentence as the last word */
static int report(job *j)
{
  j->took = job_wall(j);
  if (j->kept.x && j->whole) reel_end(&j->kept, j->value);
  int code = 0, whole = !strcmp(j->status, "done") || !strcmp(j->status, "stopped");
  if (j->ask.stats) {
    errno = 0;
    FILE *f = fopen(j->ask.stats, "w");
    if (f) stats_json(j, f);
    if (!f || ferror(f) | fclose(f)) code = say(FAILED, "cannot write %s: %s", j->ask.stats, errno ? strerror(errno) : "the disk is full");
  }
  if (j->ask.plot && picture_write(j->ask.plot, j)) code = FAILED;
  if (j->ask.report && report_write(j->ask.report, j->ask.title, j, 1, -1)) code = FAILED;
  if (j->json) stats_json(j, stdout);
  else if (whole && !j->quiet && !(j->ask.out && !strcmp(j->ask.out, "-"))) (j->brief ? stats_line : stats_print)(j, stdout);
  return code;
}

/* Ctrl-C: a checkpoint, even if none was asked for */
static void leave(job *j)
{
  if (!j->ask.checkpoint) j->ask.checkpoint = spare_checkpoint(j);
  /* never over a file of the user's */
  while (log_foreign(j->ask.checkpoint)) {
    char *other = text("%s~", j->ask.checkpoint);
    free(j->ask.checkpoint);
    j->ask.checkpoint = other;
  }
  if (!j->log && !(j->log = log_open(j))) return;
  if (save(j)) return;
  say(0, "interrupted at t = %g%s%s; go on with: epicycle resume %s", j->s.t, j->ask.out ? "; the rows so far are in " : "",
      j->ask.out ? j->ask.out : "", j->ask.checkpoint);
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
    int lost = j->ask.fast && fast_error(j->fast);
    if (j->s.t > j->value[0] && !lost) job_row(j, &j->s);
    if (end == DONE && lost) {
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
  while (!bad && j->s.t < j->ask.end) {
    j->pulse.stop = GO_ON;
    /* a root that chooses its steps is given all the way that is left */
    code = epi_run(j->tree, &j->s, j->ask.end, j->adaptive ? j->ask.end - j->s.t : j->ask.step);
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

/* what was computed is closed as it is; nothing of the model is called for it */
void job_crashed(job *j, const char *how)
{
  j->crashed = 1;
  const char *out = j->rows ? j->ask.out : NULL;
  /* a step may be half done: the last row is the last state that is whole */
  if (j->whole) {
    j->s.t = j->value[0];
    memcpy(j->s.y, j->value + 1, (size_t)epi_size(&j->c->system)*sizeof *j->s.y);
  }
  free(j->why);
  fail(j, text("%s: its code crashed (%s) after t = %g%s%s", j->ask.source, how, j->s.t, out ? "; the rows so far are in " : "", out ? out : ""));
  say(FAILED, "%s", j->why);
  if (j->sheet) sheet_close(j->sheet);
  j->sheet = NULL;
  if (j->tree && j->value) report(j);
}
