/* log.c - the checkpoint file
 *
 * Frames of the library, one after the other: first the request, then pairs of a place (what the command had written and
 * measured) and a state (what epi_save writes). The last whole pair counts, so a damaged tail costs the tail only.
 * A file that grows is written anew beside itself and renamed: at every moment there is one whole file. */
#include "tool.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { REQUEST = 0x51, PLACE = 0x50, MOST_PAIRS = 64 };

struct log { FILE *f; char *path; int pairs; };

static char *request_notes(const job *j)
{
  char *n = notes_add(NULL, "epicycle", EPI_VERSION);
  n = notes_add(n, "model", j->model);
  n = notes_add(n, "flow", j->flow);
  n = notes_add_number(n, "step", j->step);
  n = notes_add_number(n, "end", j->end);
  n = notes_add_number(n, "every", j->every);
  n = notes_add_number(n, "pause", j->pause);
  n = notes_add(n, "fast", j->wants_fast ? "yes" : NULL);
  n = notes_add(n, "out", j->out);
  return notes_add(n, "stats", j->stats);
}

static char *place_notes(const job *j, long long size)
{
  char digits[32];
  snprintf(digits, sizeof digits, "%lld", size);
  char *n = notes_add(NULL, "size", digits);
  snprintf(digits, sizeof digits, "%ld", j->rows);
  n = notes_add(n, "rows", digits);
  snprintf(digits, sizeof digits, "%ld", j->beats);
  n = notes_add(n, "steps", digits);
  n = notes_add_number(n, "last", j->value[0]);
  n = notes_add(n, "status", j->status);
  n = notes_add_number(n, "wall", job_wall(j));
  n = notes_add_number(n, "error", j->worst_error);
  return invariants_note(n, j);
}

/* an earlier checkpoint may be replaced, anything else may not */
int log_foreign(const char *path)
{
  long long size = disk_size(path);
  if (size == -1 || size == 0) return 0;
  unsigned kind = 0;
  void *content = NULL;
  FILE *f = size > 0 ? fopen(path, "rb") : NULL;
  long n = f ? epi_frame_read(f, &kind, &content) : -1;
  if (n >= 0) free(content);
  if (f) fclose(f);
  return n < 0 || kind != REQUEST;
}

struct log *log_open(job *j)
{
  if (log_foreign(j->checkpoint)) {
    say(REFUSED, "%s exists and is not a checkpoint: choose another name with --checkpoint", j->checkpoint);
    return NULL;
  }
  struct log *l = need(sizeof *l);
  l->path = text("%s", j->checkpoint);
  return l;
}

static int put_notes(FILE *f, unsigned kind, char *notes)
{
  int bad = epi_frame_write(f, kind, notes, strlen(notes) + 1);
  free(notes);
  return bad;
}

static int put_pair(FILE *f, job *j, long long size)
{
  return put_notes(f, PLACE, place_notes(j, size)) || epi_save(j->tree, &j->s, f) || disk_sync(f);
}

static int start(struct log *l, job *j, long long size)
{
  char *fresh = text("%s.new", l->path);
  FILE *f = fopen(fresh, "wb");
  int bad = !f || put_notes(f, REQUEST, request_notes(j)) || put_pair(f, j, size) || disk_replace(fresh, l->path);
  if (bad) {
    int why = errno;
    if (f) { fclose(f); remove(fresh); }
    errno = why;
  }
  else {
    if (l->f) fclose(l->f);
    l->f = f;
    l->pairs = 1;
  }
  free(fresh);
  return bad;
}

int log_pair(struct log *l, job *j, long long size)
{
  errno = 0;
  int bad = !l->f || l->pairs >= MOST_PAIRS ? start(l, j, size) : put_pair(l->f, j, size);
  l->pairs++;
  if (bad) {
    /* a torn pair is passed over by resume, but nothing may be appended to it */
    if (l->f) fclose(l->f);
    l->f = NULL;
  }
  return bad;
}

void log_close(struct log *l)
{
  if (!l) return;
  if (l->f) fclose(l->f);
  free(l->path);
  free(l);
}

/* ---- reading ---- */
static char *next_notes(FILE *f, unsigned want)
{
  unsigned kind = 0;
  void *content = NULL;
  long n = epi_frame_read(f, &kind, &content);
  if (n < 0) return NULL;
  char *notes = content;
  if (kind == want && n > 0 && !notes[n - 1]) return notes;
  free(content);
  return NULL;
}

static int skip_state(FILE *f)
{
  unsigned kind = 0;
  void *content = NULL;
  long n = epi_frame_read(f, &kind, &content);
  if (n < 0) return -1;
  free(content);
  return kind == REQUEST || kind == PLACE ? -1 : 0;
}

int log_read(const char *path, char **notes, char **place, long *state)
{
  *notes = *place = NULL;
  FILE *f = disk_size(path) == -2 ? NULL : fopen(path, "rb");
  if (!f) return say(REFUSED, "cannot read the checkpoint %s: %s", path, disk_size(path) == -2 ? "it is not a file" : strerror(errno));
  *notes = next_notes(f, REQUEST);
  for (char *n; *notes && (n = next_notes(f, PLACE)); ) {
    long at = ftell(f);
    if (skip_state(f)) { free(n); break; }
    free(*place);
    *place = n;
    *state = at;
  }
  fclose(f);
  if (!*notes) return say(REFUSED, "%s is not a checkpoint of `epicycle run`, or its beginning is damaged: run again", path);
  if (!*place) return say(REFUSED, "%s holds no whole checkpoint: run again", path);
  return 0;
}
