/* job.c - one run from its request to its end: the library records it, the command keeps checkpoints and minds Ctrl-C */
#include "tool.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int job_own(const job *j) { return plan_code(&j->ask) != NULL; }

/* ---- making ---- */
static int check_times(job *j)
{
  const double most = 1e8;
  const epi_setup *u = &j->ask.setup;
  double start = j->c->t, span = u->end - start;
  if (plan_ends_early(u->end, start) || plan_check_step(&j->ask)) return REFUSED;
  if (span/u->step > 9e15)
    return say(REFUSED, "%.3g steps of %g to t = %g: give a longer one with --step", span/u->step, u->step, u->end);
  /* nothing said: as the library has it */
  double apart = u->every > 0 ? u->every : u->every < 0 ? span : u->step;
  if (span/apart > most)
    return say(REFUSED, "a row every %g would be %.3g rows, more than %g: give --every %.3g or more", apart, span/apart, most,
               1.01*span/most);
  return 0;
}

/* ---- what was chosen where the code of the model is, for those who come after it ---- */
typedef struct choice { int known, unasked; double step, every; epi_chosen a; char flow[400], doubt[EPI_DOUBT_SIZE]; } choice;

static int hand_choice(job *j)
{
  const epi_setup *p = &j->ask.setup;
  choice *x = process_room(j->own, sizeof *x);
  if (!x) return say(FAILED, "out of memory: the flow that was chosen could not be kept");
  *x = (choice){.known = p->choice != NULL, .unasked = p->unasked, .step = p->step, .every = p->every};
  if (p->choice) x->a = *p->choice;
  snprintf(x->flow, sizeof x->flow, "%s", p->flow);
  snprintf(x->doubt, sizeof x->doubt, "%s", p->doubt);
  return 0;
}

static void take_choice(job *j)
{
  epi_setup *p = &j->ask.setup;
  const choice *x = j->chooses ? process_block(j->own, 0) : NULL;
  if (!x || p->flow) return;
  p->flow = text("%s", x->flow);
  p->tol = NAN;
  p->step = x->step;
  p->every = x->every;
  p->unasked = x->unasked;
  snprintf(p->doubt, sizeof p->doubt, "%s", x->doubt);
  if (!x->known) return;
  p->choice = need(sizeof *p->choice);
  *p->choice = x->a;
}

static int make_case(job *j)
{
  plan *p = &j->ask;
  j->c = plan_case(p);
  if (!j->c) return say(FAILED, "out of memory: the model could not be made");
  if (j->c->error[0]) return say(REFUSED, "%s", j->c->error);
  int code = plan_settle(p, j->c);
  return code || !j->chooses ? code : hand_choice(j);
}

/* a picture of nothing is refused before the run, not after it */
static int check_scene(const job *j)
{
  epi_state s = epi_case_state(j->c);
  if (!j->ask.pack || j->ask.out || epi_case_draw(j->c, &s, &(epi_scene){0}) > 0) return 0;
  return say(REFUSED, "%s has no bodies to be seen, and %s would show them: give --out a .csv, .npz or .h5", j->ask.model, j->ask.pack);
}

static void *room(void *data, size_t size) { return process_room(((job *)data)->own, size); }

/* the library names its options, the command those of its own line */
static void in_our_words(epi_result *r)
{
  const size_t n = strlen(r->error), left = sizeof r->error - n;
  if (r->cause == EPI_FAST && n + 3 < sizeof r->error) {
    memmove(r->error + 2, r->error, n + 1);
    memcpy(r->error, "--", 2);
  }
  if (r->cause == EPI_UNSTABLE) snprintf(r->error + n, left, "; --force runs it all the same");
  if (r->cause == EPI_ROWS_FILE) snprintf(r->error + n, left, " with --out");
  if (r->cause == EPI_EVENTS_FILE) snprintf(r->error + n, left, " with --events");
}

/* of a pipe that nobody reads any more nothing is said: the command ends as others do */
static int complain(int code, job *j)
{
  if (clock_unread()) return code;
  in_our_words(j->r);
  return say(code, "%s", j->r->error);
}

int job_make(job *j)
{
  const plan *p = &j->ask;
  const epi_setup *u = &p->setup;
  int code = make_case(j);
  if (!code) code = check_times(j);
  if (!code) code = check_scene(j);
  if (code) return code;
  /* no end is also a time */
  j->c->end = u->end;
  j->r = epi_result_make(j->c, u->flow, &(epi_run_options){
    .step = u->step, .every = u->every, .out = p->out, .stream = p->out && !strcmp(p->out, "-") ? stdout : NULL, .fast = u->fast,
    .events = p->events, .force = u->force,
    .pictures = j->pictures, .unbuffered = j->own != NULL, .name = p->name, .model = p->model, .source = p->own ? p->source : NULL,
    .command = p->command, .choice = u->choice,
    .beat = pulse_beat, .room = j->own ? room : NULL, .data = j});
  if (!j->r) return say(FAILED, "out of memory: the run could not be made");
  if (u->doubt[0]) epi_result_warn(j->r, "%s", u->doubt);
  return strcmp(j->r->status, "refused") ? 0 : complain(REFUSED, j);
}

void job_free(job *j)
{
  if (!j->own) epi_result_free(j->r);
  process_free(j->own);
  epi_case_free(j->c);
  log_close(j->log);
  disk_release(j->claim);
  plan_free(&j->ask);
}

/* ---- running ---- */
static int note_place(job *j, long long size)
{
  if (!log_pair(j->log, j, size)) return 0;
  return say(FAILED, "cannot write the checkpoint %s: %s; make room, then run or resume again", j->ask.checkpoint,
             errno ? strerror(errno) : "the state could not be saved");
}

/* first the rows, then what refers to them. 0 on success; -1: the rows failed, which the end of the run tells; else after the sentence */
static int save(job *j)
{
  long long size = epi_result_mark(j->r);
  return size < 0 ? -1 : note_place(j, size);
}

/* where Ctrl-C leaves a checkpoint that nobody asked for */
static char *spare_checkpoint(const job *j)
{
  return j->ask.out && strcmp(j->ask.out, "-") ? text("%s.checkpoint", j->ask.out) : text("epicycle.checkpoint");
}

/* one of no output belongs to its run alone: the first name that no other run has taken is claimed */
static char *claim_spare(job *j)
{
  char *path = spare_checkpoint(j);
  if (j->ask.out && strcmp(j->ask.out, "-")) return path;
  for (int n = 2;; n++) {
    long long size = disk_size(path);
    int made, lock = size == -1 || size == 0 ? disk_claim(path, &made) : 0;
    if (lock > 0 && disk_size(path) == 0) return j->claim = lock, path;
    disk_release(lock);
    if (lock < 0 && errno != EWOULDBLOCK) return path;
    free(path);
    path = text("epicycle-%d.checkpoint", n);
  }
}

/* the checkpoint of an output that is now replaced would cut the new one */
static void forget_old(const job *j)
{
  char *path = spare_checkpoint(j);
  if (j->ask.out && strcmp(j->ask.out, "-") && disk_size(path) > 0 && !log_foreign(path)) remove(path);
  free(path);
}

/* the first row; a pipe waits for who reads it, and Ctrl-C ends that too */
static int begin_rows(job *j)
{
  const char *pipes[] = {j->ask.out, j->ask.events};
  int held[2] = {0}, code = 0;
  for (int i = 0; i < 2 && !code; i++)
    if (pipes[i] && (held[i] = disk_reader(pipes[i])) < 0) code = say(FAILED, "interrupted before anybody read %s", pipes[i]);
  clock_stops(j->r);
  if (!code && epi_result_begin(j->r)) code = complain(REFUSED, j);
  clock_stops(NULL);
  for (int i = 0; i < 2; i++) disk_release(held[i]);
  return code;
}

int job_begin(job *j)
{
  /* from here on other files are finished when the reader of one has gone */
  clock_catch();
  if (j->ask.checkpoint && !(j->log = log_open(j))) return REFUSED;
  int code = begin_rows(j);
  if (code) return code;
  forget_old(j);
  clock_stops(j->r);
  code = j->log && save(j) > 0 ? FAILED : 0;
  clock_stops(NULL);
  return code;
}

/* where rows go that cannot be taken back; NULL: nowhere */
static const char *job_stream(const job *j)
{
  const char *paths[] = {j->ask.out, j->ask.events};
  for (int i = 0; i < 2; i++) if (paths[i] && strcmp(paths[i], "-") && disk_size(paths[i]) == -2) return paths[i];
  return NULL;
}

/* Ctrl-C: a checkpoint, even if none was asked for */
static void leave(job *j)
{
  const char *stream = job_stream(j);
  if (stream) {
    say(0, "interrupted at t = %g; %s is not a file, so there is no checkpoint to go on from", j->r->t, stream);
    return;
  }
  if (!j->ask.checkpoint) j->ask.checkpoint = claim_spare(j);
  /* never over a file of the user's */
  while (log_foreign(j->ask.checkpoint)) {
    char *other = text("%s~", j->ask.checkpoint);
    free(j->ask.checkpoint);
    j->ask.checkpoint = other;
  }
  if (!j->log && !(j->log = log_open(j))) return;
  if (save(j)) return;
  say(0, "interrupted at t = %g%s%s; go on with: epicycle resume %s", j->r->t, j->ask.out ? "; the rows so far are in " : "",
      j->ask.out ? j->ask.out : "", j->ask.checkpoint);
}

static void set_status(epi_result *r, const char *status) { snprintf(r->status, sizeof r->status, "%s", status); }

/* the last row. A run that ended badly has its sentence as the last word */
static int finish(job *j, int code)
{
  epi_result *r = j->r;
  if (code == EPI_STOPPED && j->pulse.stop == INTERRUPTED) {
    process_reacted(j->own);
    set_status(r, "interrupted");
    leave(j);
  }
  epi_result_end(r, code);
  return !strcmp(r->status, "failed") ? complain(FAILED, j) : !strcmp(r->status, "interrupted") ? FAILED : DONE;
}

/* the last checkpoint says that all is done: it comes when it is */
static int settle(job *j)
{
  int whole = j->r && (!strcmp(j->r->status, "done") || !strcmp(j->r->status, "stopped"));
  return whole && j->log ? note_place(j, j->r->bytes) : 0;
}

int job_drive(job *j)
{
  int code = 0, bad = 0;
  pulse_begin(j);
  clock_stops(j->r);
  do {
    j->pulse.stop = GO_ON;
    code = epi_result_go(j->r);
    /* inside a step there is no beat */
    if (code == EPI_STOPPED && clock_interrupted()) j->pulse.stop = INTERRUPTED;
    if (code != EPI_STOPPED || j->pulse.stop != SAVE) break;
    bad = save(j);
    j->pulse.saved = clock_now();
  } while (!bad);
  clock_stops(NULL);
  pulse_end(j);
  if (bad <= 0) return finish(j, code);
  /* the checkpoint failed: the one before it is whole */
  set_status(j->r, "failed");
  snprintf(j->r->error, sizeof j->r->error, "the checkpoint could not be written");
  epi_result_end(j->r, code);
  return FAILED;
}

/* ---- in a process of its own, where the code of the model is the user's ---- */
typedef struct errand { job *j; int (*act)(job *); } errand;
static int run_errand(void *data)
{
  const errand *e = data;
  job *j = e->j;
  int code = e->act(j);
  if (j->r && j->draws) epi_result_draw(j->r);
  int told = process_hand_over(j->own, code);
  return code ? code : told ? told : settle(j);
}

/* here, while it waits */
static int receive(void *data)
{
  job *j = ((const errand *)data)->j;
  void *block = process_block(j->own, j->chooses), *drawing = process_block(j->own, j->chooses + 1);
  take_choice(j);
  j->r = block ? epi_result_at(block) : NULL;
  if (j->r && drawing) j->r->drawing = epi_drawing_at(drawing);
  return job_tell(j);
}

/* what was computed is closed as it is */
static void bury(job *j, outcome o)
{
  epi_result *r = j->r;
  const char *out = r && r->rows ? o.interrupted ? j->ask.out : job_rows(j) : NULL;
  char *rows = text("%s%s", out ? "; the rows so far are in " : "", out ? out : ""), *said;
  double t = r ? r->t : 0;
  if (clock_terminal(stderr) && !j->quiet) fputs("\r\033[K", stderr);
  if (!o.interrupted) said = text("%s: its code crashed (%s) after t = %g%s", plan_code(&j->ask), o.how, t, rows);
  else if (j->ask.checkpoint && disk_size(j->ask.checkpoint) > 0)
    said = text("%s: its code did not come back after t = %g and was ended%s; go on with: epicycle resume %s", plan_code(&j->ask), t, rows,
                j->ask.checkpoint);
  else said = text("%s: its code did not come back after t = %g and was ended%s", plan_code(&j->ask), t, rows);
  say(FAILED, "%s", said);
  if (r) {
    set_status(r, o.interrupted ? "interrupted" : "failed");
    snprintf(r->error, sizeof r->error, "%s", said);
    if (epi_result_close(r)) complain(FAILED, j);
  }
  free(rows);
  free(said);
}

static int run_apart(job *j, int (*act)(job *))
{
  double began = clock_now();
  process_free(j->own);
  j->r = NULL;
  j->chooses = plan_chooses(&j->ask);
  if (!(j->own = process_new())) return FAILED;
  outcome o = process_run(j->own, run_errand, receive, &(errand){j, act});
  if (!o.how) return o.code;
  void *block = process_block(j->own, j->chooses);
  if (!j->r && block) j->r = epi_result_at(block);
  if (j->r) j->r->took = j->r->before + clock_now() - began;
  bury(j, o);
  job_tell(j);
  return o.code;
}

int job_apart(job *j, int (*act)(job *))
{
  if (job_own(j)) return run_apart(j, act);
  int code = act(j), told = job_tell(j);
  return code ? code : told ? told : settle(j);
}
