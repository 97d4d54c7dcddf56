/* resume.c - the verb resume: a job goes on from its last whole checkpoint */
#include "tool.h"
#include "pack/pack.h"
#include "sweep/sweeps.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static unsigned long long sum_of(const char *place, const char *key)
{
  char *digits = notes_find(place, key);
  unsigned long long sum = digits ? strtoull(digits, NULL, 10) : 0;
  free(digits);
  return sum;
}

static int restore_place(job *j, const char *place)
{
  epi_result *r = j->r;
  char *size = notes_find(place, "size");
  r->before = notes_number(place, "wall", 0);
  r->rows = (long)notes_number(place, "rows", 0);
  r->steps = (long)notes_number(place, "steps", 0);
  r->row[0] = notes_number(place, "last", r->start);
  r->worst_error = notes_number(place, "error", 0);
  for (int i = 0; i < EPI_WARNINGS; i++) {
    char key[32];
    snprintf(key, sizeof key, "warning.%d", i);
    char *said = notes_find(place, key);
    if (said) epi_result_warn(r, "%s", said);
    free(said);
  }
  invariants_recall(r, place);
  r->step_from = notes_number(place, "before", r->t);
  r->pending = (long)notes_number(place, "pending", 0);
  r->bytes = size ? strtoll(size, NULL, 10) : 0;
  free(size);
  size = notes_find(place, "event-bytes");
  r->event_bytes = size ? strtoll(size, NULL, 10) : 0;
  free(size);
  events_recall(r, place);
  r->sum = sum_of(place, "out-sum");
  r->event_sum = sum_of(place, "event-sum");
  /* rows inside a long step that was undone are there, and come after the state */
  if (!(r->row[0] >= r->start && r->row[0] <= r->end))
    return say(REFUSED, "%s is damaged: its last row is not in the time of its run; run again", j->ask.checkpoint);
  return 0;
}

static int restore_state(job *j, const char *path, long at)
{
  FILE *f = fopen(path, "rb");
  int bad = !f || fseek(f, at, SEEK_SET) || epi_result_load(j->r, f);
  if (bad) say(REFUSED, "cannot go on from %s: %s", path, f && j->r->error[0] ? j->r->error : strerror(errno));
  if (f) fclose(f);
  return bad ? REFUSED : 0;
}

static job job_of(const char *notes, const char *path)
{
  char *wanted = notes_find(notes, "fast");
  job j = {.pause = notes_number(notes, "pause", 10), .ask = {
    .model = notes_find(notes, "model"), .out = notes_find(notes, "out"),
    .pack = notes_find(notes, "pack"),
    .events = notes_find(notes, "events"),
    .stats = notes_find(notes, "stats"), .plot = notes_find(notes, "plot"), .report = notes_find(notes, "report"),
    .name = notes_find(notes, "name"), .title = notes_find(notes, "title"), .source = notes_find(notes, "source"),
    .with = notes_find(notes, "with"), .command = notes_find(notes, "command"), .run = (int)notes_number(notes, "run", 0),
    .checkpoint = text("%s", path), .setup = {
      .flow = notes_find(notes, "flow"), .tol = NAN, .step = notes_number(notes, "step", 0), .end = notes_number(notes, "end", 0),
      .every = notes_number(notes, "every", 0), .fast = wanted != NULL, .force = 1,
      .multipliers = notes_number(notes, "multipliers", 0) > 0, .actions = notes_number(notes, "actions", 0) > 0,
      .step_error = notes_number(notes, "step-error", NAN),
      .choice = choice_recall(notes), .unasked = notes_number(notes, "unasked", 0) > 0}}};
  free(wanted);
  j.pictures = j.ask.plot || j.ask.report || (j.ask.pack && pack_scene(j.ask.pack)) || notes_number(notes, "pictures", 0);
  j.draws = j.ask.report || (j.ask.pack && pack_scene(j.ask.pack));
  return j;
}

/* ---- what wrote it, and of what ---- */
static const char all_the_same[] = "--force goes on all the same";

/* other code may give other digits: the rest would not be that of the run that was stopped */
static int same_command(const char *notes, const char *path)
{
  char *version = notes_find(notes, "epicycle");
  double build = notes_number(notes, "build", 0), mine = log_build();
  int code = 0;
  if (!version || strcmp(version, EPI_VERSION))
    code = say(REFUSED, "%s was written by Epicycle %s and this is " EPI_VERSION ": resume with that version, or run again; %s", path,
               version ? version : "of another kind", all_the_same);
  else if (build != mine && build > 0 && mine > 0)
    code = say(REFUSED, "%s was written by another build of Epicycle " EPI_VERSION ": resume with that one, or run again; %s", path,
               all_the_same);
  free(version);
  return code;
}

/* a file of the user's must be the one that it was */
static int same_file(const char *path, double sum, int force)
{
  if (disk_size(path) == -1)
    return say(REFUSED, "%s is not there, and the run needs it: put it back, or resume in the folder of the run", path);
  return force || disk_sum(path) == sum ? 0 :
         say(REFUSED, "%s is not what it was when this run began: put it back, or run again; %s", path, all_the_same);
}

static int restore_model(job *j, const char *notes, epi_file **file, int force)
{
  plan *p = &j->ask;
  int code = REFUSED;
  p->code = force ? 0 : notes_number(notes, "code", 0);
  p->with_code = force ? 0 : notes_number(notes, "with-code", 0);
  if (p->with && (same_file(p->with, notes_number(notes, "with-sum", 0), force) || !(p->brought = load_brought(p->with, &p->with_code))))
    return REFUSED;
  if (!p->source) return 0;
  if (same_file(p->source, notes_number(notes, "sum", 0), force)) return REFUSED;
  if (load_names(p->source)) p->own = load_model(p->source, &p->code);
  else if ((*file = file_open(p->source, p->with, p->brought, NULL, &code)) && p->run >= 0 && p->run < epi_file_runs(*file))
    p->own = epi_file_request(*file, p->run)->world;
  if (!p->own && !code)
    code = say(REFUSED, "%s has no run %d, which this checkpoint is of: put the file back, or run again", p->source, p->run);
  p->also = *file ? file_also(*file) : 0;
  if (p->own && !force && p->also != notes_number(notes, "also-sum", 0))
    return say(REFUSED, "a file that %s names, as %s, is not what it was when this run began: put it back, or run again; %s", p->source,
               *file && epi_file_also(*file, 0) ? epi_file_also(*file, 0) : "a table", all_the_same);
  return p->own ? 0 : code ? code : REFUSED;
}

/* ---- going on ---- */
/* where the run of a job is to begin again */
typedef struct ticket { job j; const char *path, *place; long at; } ticket;
static int go_on(job *j)
{
  const ticket *k = (const ticket *)j;
  int code = j->ask.model && j->ask.setup.flow ? 0 : say(REFUSED, "%s lacks its model or its flow: run again", k->path);
  if (!code) code = job_make(j);
  if (!code) code = restore_state(j, k->path, k->at);
  if (!code) code = restore_place(j, k->place);
  if (!code && j->pictures) code = log_rows(k->path, j, k->at);
  if (!code && !(j->log = log_open(j))) code = REFUSED;
  if (!code && epi_result_resume(j->r)) code = say(REFUSED, "%s", j->r->error);
  return code ? code : job_drive(j);
}

static int resume(ticket *k, const char *notes, int force)
{
  job *j = &k->j;
  epi_file *file = NULL;
  int code = force ? 0 : same_command(notes, k->path);
  if (!code) code = restore_model(j, notes, &file, force);
  if (!code) code = job_apart(j, go_on);
  job_free(j);
  epi_file_free(file);
  return code;
}

/* before it is read: another run may be writing it. 0: there is nothing to be claimed; -1 after the sentence */
static int claim_of(const char *path)
{
  int made, lock = disk_size(path) >= 0 ? disk_claim(path, &made) : 0;
  if (lock >= 0) return lock;
  return errno == EWOULDBLOCK ? say(-1, "another run keeps its checkpoint in %s: wait for its end", path) : 0;
}

static int go_on_from(const request *r, const char *path, int lock)
{
  char *notes, *place;
  long at = 0;
  int code = log_read(path, &notes, &place, &at);
  if (!code) code = notes_wrong(path, notes);
  if (!code) code = notes_wrong(path, place);
  if (code) disk_release(lock);
  else {
    char *status = notes_find(place, "status");
    int complete = status && (!strcmp(status, "done") || !strcmp(status, "stopped"));
    ticket k = {.j = job_of(notes, path), .path = path, .place = place, .at = at};
    job *j = &k.j;
    j->claim = lock;
    j->quiet = given(r, "--quiet") != NULL;
    j->json = given(r, "--json") != NULL;
    if (complete && j->json) printf("{\"status\": \"%s\"}\n", status);
    else if (complete && !j->quiet) printf("this run is complete%s%s\n", job_rows(j) ? ": see " : "", job_rows(j) ? job_rows(j) : "");
    if (complete) job_free(j);
    else code = resume(&k, notes, given(r, "--force") != NULL);
    free(status);
  }
  free(notes);
  free(place);
  return code;
}

int act_resume(const request *r)
{
  if (r->nword != 1)
    return say(REFUSED, "resume needs one file, the checkpoint that --checkpoint or Ctrl-C left, or the journal of a sweep: `epicycle "
               "resume orbit.csv.checkpoint`");
  int sweep = sweep_resume(r, r->word[0]);
  if (sweep >= 0) return sweep;
  int lock = claim_of(r->word[0]);
  return lock < 0 ? REFUSED : go_on_from(r, r->word[0], lock);
}
