/* log.c - the checkpoint file
 *
 * Frames of the library, one after the other: first the request, then pairs of a place (what the command had written and
 * measured) and a state (what epi_save writes), before them the rows that pictures are drawn of and that were not there before.
 * The last whole pair counts, so a damaged tail costs the tail only.
 * A file that grows is written anew beside itself and renamed: at every moment there is one whole file. */
#include "tool.h"
#include "page/draft.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { INSPECTION = 2, REQUEST = 0x51, PLACE = 0x50, ROWS = 0x52, MOST_PAIRS = 32, MANY_PAIRS = 24, LARGE = 92000 };

struct log { FILE *f; char *path; int pairs, made; };        /* made: its file was not there before */

/* of the command itself, where the system shows it */
double log_build(void) { return disk_sum("/proc/self/exe"); }

static char *request_notes(const job *j)
{
  char *n = notes_add(NULL, "epicycle", EPI_VERSION);
  n = notes_add_number(n, "build", log_build());
  n = notes_add(n, "model", j->ask.model);
  n = notes_add(n, "flow", j->ask.setup.flow);
  n = notes_add_number(n, "step", j->ask.setup.step);
  n = notes_add_number(n, "end", j->ask.setup.end);
  n = notes_add_number(n, "every", j->ask.setup.every);
  n = notes_add_number(n, "pause", j->pause);
  n = notes_add(n, "fast", j->ask.setup.fast ? "yes" : NULL);
  if (j->ask.setup.multipliers) n = notes_add_number(n, "multipliers", 1);
  if (j->ask.setup.actions) n = notes_add_number(n, "actions", 1);
  n = notes_add(n, "out", j->ask.out);
  n = notes_add(n, "pack", j->ask.pack);
  n = notes_add(n, "events", j->ask.events);
  n = notes_add(n, "plot", j->ask.plot);
  n = notes_add(n, "report", j->ask.report);
  if (j->pictures) n = notes_add_number(n, "pictures", 1);
  n = notes_add(n, "name", j->ask.name);
  n = notes_add(n, "title", j->ask.title);
  n = notes_add(n, "source", j->ask.own ? j->ask.source : NULL);
  if (j->ask.own) n = notes_add_number(n, "run", j->ask.run);
  if (j->ask.own) n = notes_add_number(n, "sum", disk_sum(j->ask.source));
  if (j->ask.also > 0) n = notes_add_number(n, "also-sum", j->ask.also);
  if (j->ask.own) n = notes_add_number(n, "code", j->ask.code);
  n = choice_note(n, j->ask.setup.choice);
  if (j->ask.setup.unasked) n = notes_add_number(n, "unasked", 1);
  if (j->ask.setup.step_error > 0) n = notes_add_number(n, "step-error", j->ask.setup.step_error);
  n = notes_add(n, "with", j->ask.with);
  n = notes_add(n, "command", j->ask.command);
  if (j->ask.with) n = notes_add_number(n, "with-sum", disk_sum(j->ask.with));
  if (j->ask.with) n = notes_add_number(n, "with-code", j->ask.with_code);
  return notes_add(n, "stats", j->ask.stats);
}

static char *add_sum(char *n, const char *key, unsigned long long sum)
{
  char digits[32];
  snprintf(digits, sizeof digits, "%llu", sum);
  return notes_add(n, key, sum ? digits : NULL);
}

static char *place_notes(const job *j, long long size)
{
  char digits[32];
  epi_result *r = j->r;
  epi_result_count(r);
  snprintf(digits, sizeof digits, "%lld", size);
  char *n = notes_add(NULL, "size", digits);
  snprintf(digits, sizeof digits, "%lld", r->event_bytes);
  n = notes_add(n, "event-bytes", r->event_file ? digits : NULL);
  n = add_sum(n, "out-sum", r->out ? r->sum : 0);
  n = add_sum(n, "event-sum", r->event_file ? r->event_sum : 0);
  n = events_note(n, r);
  snprintf(digits, sizeof digits, "%ld", r->rows);
  n = notes_add(n, "rows", digits);
  snprintf(digits, sizeof digits, "%ld", r->steps);
  n = notes_add(n, "steps", digits);
  n = notes_add_number(n, "last", r->row[0]);
  n = notes_add(n, "status", r->status);
  n = notes_add_number(n, "before", r->step_from);
  n = notes_add_number(n, "pending", (double)r->pending);
  n = notes_add_number(n, "wall", epi_result_wall(r));
  n = notes_add_number(n, "error", r->worst_error);
  for (int i = 0; i < r->warnings; i++) {
    snprintf(digits, sizeof digits, "warning.%d", i);
    n = notes_add(n, digits, r->warning[i]);
  }
  return invariants_note(n, r);
}

/* an earlier checkpoint may be replaced, anything else may not; -1: what it is cannot be read */
int log_foreign(const char *path)
{
  long long size = disk_size(path);
  if (size == -1 || size == 0) return 0;
  unsigned kind = 0;
  void *content = NULL;
  FILE *f = size > 0 ? fopen(path, "rb") : NULL;
  long n = f ? epi_frame_read(f, &kind, &content) : size > 0 ? -3 : -1;
  int why = n == -2 ? ENOMEM : errno;
  if (n >= 0) free(content);
  if (f) fclose(f);
  errno = why;
  return n < -1 ? -1 : n < 0 || kind != REQUEST;
}

/* two runs with one checkpoint would destroy each other's */
int log_claim(job *j)
{
  int made, lock = disk_claim(j->ask.checkpoint, &made);
  if (lock >= 0) return j->claim = lock, made;
  if (errno == EWOULDBLOCK)
    say(REFUSED, "another run keeps its checkpoint in %s: wait for its end, or choose another name with --checkpoint", j->ask.checkpoint);
  else say(REFUSED, "cannot write %s: %s; choose another place with --checkpoint", j->ask.checkpoint, strerror(errno));
  return -1;
}

struct log *log_open(job *j)
{
  int foreign = log_foreign(j->ask.checkpoint);
  if (foreign) {
    if (foreign < 0) say(REFUSED, "cannot read %s: %s", j->ask.checkpoint, strerror(errno));
    else say(REFUSED, "%s exists and is not a checkpoint: choose another name with --checkpoint", j->ask.checkpoint);
    return NULL;
  }
  int made = j->claim ? 0 : log_claim(j);
  if (made < 0) return NULL;
  struct log *l = need(sizeof *l);
  l->path = text("%s", j->ask.checkpoint);
  l->made = made;
  return l;
}

static int put_notes(FILE *f, unsigned kind, char *notes)
{
  int bad = epi_frame_write(f, kind, notes, strlen(notes) + 1);
  free(notes);
  return bad;
}

/* ---- rows for pictures: what they are of, then those that are new; what passed before each, and what is under way ---- */
typedef struct heap { long long which, columns, from, rows, seen, stride; } heap;

/* bytes of each; and where what passed begins */
typedef struct pile { size_t x, passed; double *between; } pile;

static pile pile_of(const epi_reel *s, long long from, long long rows)
{
  size_t n = (size_t)s->n, wide = EPI_LEAST + 4*n;
  return (pile){(size_t)rows*n*sizeof(double), (size_t)(rows + 1)*wide*sizeof(double), s->passed + (size_t)from*wide};
}

static int put_rows(FILE *f, epi_reel *s, int which)
{
  if (s->saved < 0) s->saved = 0;
  if (!s->x) return 0;
  heap head = {which, s->n, s->saved, s->rows - s->saved, s->seen, s->stride};
  pile p = pile_of(s, head.from, head.rows);
  char *all = need(sizeof head + p.x + p.passed), *at = all + sizeof head;
  memcpy(all, &head, sizeof head);
  memcpy(at, s->x + (size_t)s->saved*(size_t)s->n, p.x);
  memcpy(at + p.x, p.between, p.passed);
  int bad = epi_frame_write(f, ROWS, all, sizeof head + p.x + p.passed);
  free(all);
  if (!bad) s->saved = s->rows;
  return bad;
}

static int take_rows(const char *content, long size, epi_reel *s, int which)
{
  heap head;
  if (size < (long)sizeof head) return 0;
  memcpy(&head, content, sizeof head);
  if (head.which != which || !s->x) return 0;
  int whole = head.columns == s->n && head.rows >= 0 && head.from >= 0 && head.from <= s->rows && head.rows <= s->most - head.from;
  if (!whole || head.stride < 1 || head.stride > 1LL << 60 || head.seen < 0 || head.seen > 1LL << 60) return -1;
  pile p = pile_of(s, head.from, head.rows);
  if (size != (long)(sizeof head + p.x + p.passed)) return -1;
  const char *at = content + sizeof head;
  memcpy(s->x + (size_t)head.from*(size_t)s->n, at, p.x);
  memcpy(p.between, at + p.x, p.passed);
  s->rows = (int)(head.from + head.rows);
  s->seen = (long)head.seen;
  s->stride = (long)head.stride;
  return 0;
}

static int put_pair(FILE *f, job *j, long long size)
{
  if (put_rows(f, &j->r->kept, 0) || put_rows(f, &j->r->chosen, 1)) return -1;
  return put_notes(f, PLACE, place_notes(j, size)) || epi_result_save(j->r, f) || disk_sync(f);
}

static int start(struct log *l, job *j, long long size)
{
  epi_draft d;
  if (epi_draft_begin(&d, l->path)) return -1;
  j->r->kept.saved = j->r->chosen.saved = -1;
  int bad = put_notes(d.f, REQUEST, request_notes(j)) || put_pair(d.f, j, size) || epi_draft_place(&d);
  if (bad) return epi_draft_end(&d, bad);
  /* the draft was locked before it had its name: there is no moment without */
  if (l->f) fclose(l->f);
  l->f = d.f;
  l->pairs = 1;
  d.f = NULL;
  return epi_draft_end(&d, 0);
}

int log_pair(struct log *l, job *j, long long size)
{
  errno = 0;
  int long_enough = l->f && (l->pairs >= MOST_PAIRS || (l->pairs >= MANY_PAIRS && ftell(l->f) > LARGE));
  int anew = !l->f || long_enough || j->r->kept.saved < 0 || j->r->chosen.saved < 0;
  int bad = anew ? start(l, j, size) : put_pair(l->f, j, size);
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
  /* what was refused leaves nothing */
  else if (l->made && disk_size(l->path) == 0) remove(l->path);
  free(l->path);
  free(l);
}

/* ---- reading ---- */
/* what memory is short for, or what the disk does not give, is there all the same: to take it for the end would go on from another place */
static int unreadable(void) { return say(FAILED, "cannot read the checkpoint: %s; nothing was changed, try again", strerror(errno)); }

static long next_frame(FILE *f, unsigned *kind, void **content)
{
  long n = epi_frame_read(f, kind, content);
  if (n == -2) no_room();
  if (n == -3) exit(unreadable());
  return n;
}

static long place_in(FILE *f)
{
  long at = ftell(f);
  if (at < 0) exit(unreadable());
  return at;
}

static char *next_notes(FILE *f, unsigned want)
{
  unsigned kind = 0;
  void *content = NULL;
  long n = next_frame(f, &kind, &content);
  while (n >= 0 && kind == ROWS) {
    free(content);
    n = next_frame(f, &kind, &content);
  }
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
  long n = next_frame(f, &kind, &content);
  if (n >= 0 && kind == INSPECTION) {
    free(content);
    n = next_frame(f, &kind, &content);
  }
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
    long at = place_in(f);
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

int log_rows(const char *path, job *j, long state)
{
  FILE *f = fopen(path, "rb");
  int bad = 0;
  if (!f) return say(REFUSED, "cannot read the checkpoint %s: %s", path, strerror(errno));
  for (long n = 0; !bad && n >= 0 && place_in(f) < state; ) {
    unsigned kind = 0;
    void *content = NULL;
    n = next_frame(f, &kind, &content);
    if (n >= 0 && kind == ROWS) bad = take_rows(content, n, &j->r->kept, 0) || take_rows(content, n, &j->r->chosen, 1);
    if (n >= 0) free(content);
  }
  fclose(f);
  return bad ? say(REFUSED, "the rows for the pictures in %s are damaged: run again", path) : 0;
}
