/* journal.c - every case of a sweep that is done, on the disk at once
 *
 * A head with the request, then a record of one size for each case, where its number says: what is not there yet is zero. A record carries
 * its own sum, so one that was cut short is one that is not there. Sentences stand in a second file, one after the other; their record
 * says where. */
#include "sweeps.h"
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char MAGIC[16] = "epicycle sweep1";
typedef struct head { char magic[16]; int64_t notes, cases, keeps, sum; } head;
typedef struct record { int32_t outcome, length; int64_t at; uint64_t sum; double kept[]; } record;

struct journal {
  int file, said, lock;
  int64_t first, size, cases, end;     /* where records begin; their size; end: of the sentences */
  int keeps;
  char *path;
  record *room;
  int fresh;                           /* nothing was in it when it was opened: what is asked for before it is done is not there */
  char *window;                        /* some records in a row, for who reads one after the other */
  int64_t from, to;
};
enum { WINDOW = 4096 };                /* records of it */

static uint64_t sum_of(const void *data, size_t n)
{
  const unsigned char *x = data;
  uint64_t h = 14695981039346656037u;
  for (size_t i = 0; i < n; i++) h = (h ^ x[i])*1099511628211u;
  return h;
}

/* of all that is in it but the sum; and of its number, for a record has one place */
static uint64_t record_sum(const journal *j, record *d, int64_t which)
{
  d->sum = (uint64_t)which + 1;
  return sum_of(d, (size_t)j->size);
}

static int write_at(int file, const void *data, size_t n, int64_t at)
{
  for (const char *x = data; n;) {
    ssize_t k = pwrite(file, x, n, (off_t)at);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) return k < 0 ? errno : ENOSPC;
    x += k;
    at += k;
    n -= (size_t)k;
  }
  return 0;
}

static int read_at(int file, void *data, size_t n, int64_t at)
{
  for (char *x = data; n;) {
    ssize_t k = pread(file, x, n, (off_t)at);
    if (k < 0 && errno == EINTR) continue;
    if (k < 0) return errno;
    if (!k) { memset(x, 0, n); return 0; }
    x += k;
    at += k;
    n -= (size_t)k;
  }
  return 0;
}

static char *said_path(const char *path) { return text("%s.why", path); }

static head head_of(const char *notes, int64_t cases, int keeps)
{
  head h = {.notes = (int64_t)strlen(notes), .cases = cases, .keeps = keeps, .sum = (int64_t)sum_of(notes, strlen(notes))};
  memcpy(h.magic, MAGIC, sizeof h.magic);
  return h;
}

/* 1: a journal; its head and notes. 0: there is nothing; -1: something else */
static int look(int file, head *h, char **notes)
{
  *notes = NULL;
  if (read_at(file, h, sizeof *h, 0)) return -1;
  off_t size = lseek(file, 0, SEEK_END);
  if (!size) return 0;
  if (memcmp(h->magic, MAGIC, sizeof h->magic) || h->notes < 0 || h->notes > size || h->keeps < 1 || h->cases < 1) return -1;
  *notes = need((size_t)h->notes + 1);
  if (read_at(file, *notes, (size_t)h->notes, sizeof *h) || (int64_t)sum_of(*notes, (size_t)h->notes) != h->sum) {
    free(*notes);
    *notes = NULL;
    return -1;
  }
  return 1;
}

static int begin(journal *j, const char *notes, const head *mine)
{
  head h;
  char *before;
  int kind = look(j->file, &h, &before), same = kind == 1 && !strcmp(before, notes) && h.cases == mine->cases && h.keeps == mine->keeps;
  free(before);
  if (kind < 0) return say(REFUSED, "%s is there and is no journal of a sweep: give --out another name, or take it away", j->path);
  if (kind && !same)
    return say(REFUSED, "%s is left of another sweep: `epicycle resume %s` finishes that, or remove it", j->path, j->path);
  if (kind) return 0;
  j->fresh = 1;
  int bad = write_at(j->file, mine, sizeof *mine, 0);
  if (!bad) bad = write_at(j->file, notes, strlen(notes), sizeof *mine);
  return bad ? say(FAILED, "cannot write %s: %s", j->path, strerror(bad)) : 0;
}

journal *journal_open(const char *path, const char *notes, long long cases, int keeps)
{
  int made, lock = disk_claim(path, &made);
  if (lock < 0) {
    say(REFUSED, errno == EWOULDBLOCK ? "another sweep writes %s: wait for its end" : "cannot write %s: %s", path, strerror(errno));
    return NULL;
  }
  journal *j = need(sizeof *j);
  char *beside = said_path(path);
  head mine = head_of(notes, cases, keeps);
  *j = (journal){.lock = lock, .path = text("%s", path), .keeps = keeps, .cases = cases, .file = open(path, O_RDWR | O_CLOEXEC),
                 .first = (int64_t)(sizeof mine + strlen(notes) + 7)/8*8, .said = open(beside, O_RDWR | O_CREAT | O_CLOEXEC, 0666),
                 .size = (int64_t)(sizeof(record) + (size_t)keeps*sizeof(double))};
  j->room = need((size_t)j->size);
  if (j->said >= 0) j->end = lseek(j->said, 0, SEEK_END);
  int bad = j->file < 0 || j->said < 0 ? say(FAILED, "cannot write %s: %s", path, strerror(errno)) : begin(j, notes, &mine);
  free(beside);
  if (!bad) return j;
  journal_close(j, made);
  return NULL;
}

int journal_add(journal *j, const epi_sweep_row *row)
{
  record *d = j->room;
  *d = (record){.outcome = row->outcome, .length = (int32_t)strlen(row->why), .at = j->end};
  memcpy(d->kept, row->kept, (size_t)j->keeps*sizeof *d->kept);
  int bad = d->length ? write_at(j->said, row->why, (size_t)d->length, j->end) : 0;
  if (bad) return bad;
  j->end += d->length;
  d->sum = record_sum(j, d, row->number);
  j->from = j->to = 0;
  return write_at(j->file, d, (size_t)j->size, j->first + row->number*j->size);
}

/* outcome 0: it is not there; the room is of the caller */
static void judge(const journal *j, int64_t which, record *d)
{
  uint64_t sum = d->sum;
  if (d->outcome < EPI_CASE_DONE || d->outcome > EPI_CASE_CRASHED || record_sum(j, d, which) != sum) d->outcome = 0;
}

static int fetch(const journal *j, int64_t which, record *d)
{
  int bad = read_at(j->file, d, (size_t)j->size, j->first + which*j->size);
  if (!bad) judge(j, which, d);
  return bad;
}

/* the same by the window */
static int fetch_next(journal *j, int64_t which, record *d)
{
  if (which < j->from || which >= j->to) {
    int64_t to = which + WINDOW < j->cases ? which + WINDOW : j->cases;
    if (!j->window) j->window = need((size_t)WINDOW*(size_t)j->size);
    j->from = j->to = 0;
    int bad = read_at(j->file, j->window, (size_t)((to - which)*j->size), j->first + which*j->size);
    if (bad) return bad;
    j->from = which;
    j->to = to;
  }
  memcpy(d, j->window + (which - j->from)*j->size, (size_t)j->size);
  judge(j, which, d);
  return 0;
}

/* asked by all workers, before they run a case */
int journal_has(journal *j, long long which)
{
  if (j->fresh) return 0;
  record *d = malloc((size_t)j->size);
  int there = d && !fetch(j, which, d) && d->outcome;
  free(d);
  return there;
}

int journal_read(journal *j, long long which, kept_case *e)
{
  record *d = j->room;
  int bad = fetch_next(j, which, d);
  if (bad) return bad;
  e->outcome = d->outcome;
  e->why = NULL;
  memcpy(e->kept, d->kept, (size_t)j->keeps*sizeof *d->kept);
  if (!d->outcome || !d->length) return 0;
  e->why = need((size_t)d->length + 1);
  return read_at(j->said, e->why, (size_t)d->length, d->at);
}

char *journal_notes(const char *path)
{
  head h;
  char *notes = NULL;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file >= 0) look(file, &h, &notes);
  if (file >= 0) close(file);
  return notes;
}

void journal_close(journal *j, int done)
{
  char *beside = said_path(j->path);
  if (j->file >= 0) close(j->file);
  if (j->said >= 0) close(j->said);
  if (done) remove(j->path);
  /* no sentence was said */
  if (done || !j->end) remove(beside);
  disk_release(j->lock);
  free(beside);
  free(j->window);
  free(j->room);
  free(j->path);
  free(j);
}
