/* resume.c - the verb resume: a job goes on from its last whole checkpoint */
#include "tool.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int restore_place(job *j, const char *place)
{
  j->before = notes_number(place, "wall", 0);
  j->rows = (long)notes_number(place, "rows", 0);
  j->beats = (long)notes_number(place, "steps", 0);
  j->value[0] = notes_number(place, "last", j->start);
  j->worst_error = notes_number(place, "error", 0);
  invariants_recall(j, place);
  if (!j->out) return 0;
  char *size = notes_find(place, "size");
  j->sheet = sheet_again(j->out, j->ncol, j->column, size ? strtoll(size, NULL, 10) : 0, j->rows);
  free(size);
  return j->sheet ? 0 : REFUSED;
}

static int restore_state(job *j, const char *path, long at)
{
  FILE *f = fopen(path, "rb");
  int bad = !f || fseek(f, at, SEEK_SET) || epi_load(j->tree, &j->s, f);
  const char *why = epi_error(j->tree);
  if (bad) say(REFUSED, "cannot go on from %s: %s", path, !f ? strerror(errno) : why ? why : "its state is damaged; run again");
  if (f) fclose(f);
  return bad ? REFUSED : 0;
}

static job job_of(const char *notes, const char *path)
{
  return (job){
    .model = notes_find(notes, "model"), .flow = notes_find(notes, "flow"), .out = notes_find(notes, "out"),
    .stats = notes_find(notes, "stats"), .checkpoint = text("%s", path), .step = notes_number(notes, "step", 0),
    .end = notes_number(notes, "end", 0), .every = notes_number(notes, "every", 0), .pause = notes_number(notes, "pause", 10)
  };
}

static int go_on(job *j, const char *path, const char *place, long at)
{
  int code = j->model && j->flow ? 0 : say(REFUSED, "%s lacks its model or its flow: run again", path);
  if (!code) code = job_make(j);
  if (!code) code = restore_state(j, path, at);
  if (!code) code = restore_place(j, place);
  if (code) return code;
  j->status = "running";
  j->log = log_open(j);
  return j->log ? job_drive(j) : REFUSED;
}

int act_resume(const request *r)
{
  char *notes, *place;
  long at = 0;
  if (r->nword != 1) return say(REFUSED, "resume needs one file: the checkpoint that --checkpoint or Ctrl-C left");
  const char *path = r->word[0];
  int code = log_read(path, &notes, &place, &at);
  if (!code) {
    char *status = notes_find(place, "status");
    int complete = status && (!strcmp(status, "done") || !strcmp(status, "stopped"));
    char *wanted = notes_find(notes, "fast");
    job j = job_of(notes, path);
    j.wants_fast = wanted != NULL;
    free(wanted);
    j.quiet = given(r, "--quiet") != NULL;
    j.json = given(r, "--json") != NULL;
    if (!complete) code = go_on(&j, path, place, at);
    else if (!j.quiet) printf("this run is complete%s%s\n", j.out ? ": see " : "", j.out ? j.out : "");
    job_free(&j);
    free(status);
  }
  free(notes);
  free(place);
  return code;
}
