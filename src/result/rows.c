/* rows.c - a sheet: named columns, one row after the other, as CSV, NPY or JSON
 *
 * Every format can be cut back to the end of a row and continued, and ends with the same bytes as if it never was. */
#define _XOPEN_SOURCE 700
#include "recorder.h"
#include <errno.h>
#include <sys/stat.h>

typedef struct format {
  const char *ending;
  void (*head)(epi_sheet *);
  void (*row)(epi_sheet *, const double *);
  void (*mark)(epi_sheet *);           /* makes what is there readable without changing where rows go */
  const char *tail;
  int counts;                          /* bytes at the beginning that say how many rows there are: it has to be a file */
} format;

struct epi_sheet {
  epi_sink *sink;
  FILE *f;                             /* of the sink */
  epi_result *r;
  const char *path;
  const format *format;
  epi_sheet_kind kind;
  const char *event;                   /* the name of the one that is written */
  int n;
  char *line;                          /* room for a row of numbers */
  size_t length;                       /* of the row that was printed last, where that is known; else 0 */
  long rows, before;                   /* printed; and in the file when it was opened, where the head that is to come counts as -1 */
};

/* an event has its number and name before the time, and its direction after it */
enum { EVENT_NAME = 1, EVENT_HEAD = 4 };

static const char *column_of(const epi_sheet *s, int i)
{
  static const char *const first[EVENT_HEAD] = {"number", "event", "t", "direction"};
  if (s->kind == EPI_ROWS) return s->r->column[i].name;
  return i < EVENT_HEAD ? first[i] : s->r->column[i - EVENT_HEAD + 1].name;
}

static const char *word_of(const epi_sheet *s, int i) { return s->kind == EPI_EVENTS && i == EVENT_NAME ? s->event : NULL; }

/* a row is many; events are few */
typedef struct marks { const char *before, *between, *after, *none; } marks;         /* none: what is not finite; NULL: as it is */

static char *added(char *to, const char *words)
{
  size_t n = strlen(words);
  memcpy(to, words, n);
  return to + n;
}

static void put_bytes(epi_sheet *s, const void *x, size_t size)
{
  if (fwrite(x, 1, size, s->f) != size) epi_sink_trouble(s->sink, errno);
  s->length = size;
}

static void put_numbers(epi_sheet *s, const double *x, marks m)
{
  char *to = added(s->line, m.before);
  for (int i = 0; i < s->n; i++) {
    if (i) to = added(to, m.between);
    if (m.none && !isfinite(x[i])) to = added(to, m.none);
    else {
      epi_number word = epi_shortest(x[i]);
      to = added(to, word.text);
    }
  }
  to = added(to, m.after);
  put_bytes(s, s->line, (size_t)(to - s->line));
}

/* ---- CSV ---- */
static void csv_word(epi_sheet *s, const char *name)
{
  if (!strpbrk(name, ",\"\n")) { fputs(name, s->f); return; }
  fputc('"', s->f);
  for (; *name; name++) fprintf(s->f, *name == '"' ? "\"\"" : "%c", *name);
  fputc('"', s->f);
}

static void csv_head(epi_sheet *s)
{
  for (int i = 0; i < s->n; i++) {
    if (i) fputc(',', s->f);
    csv_word(s, column_of(s, i));
  }
  fputc('\n', s->f);
}

static void csv_row(epi_sheet *s, const double *x)
{
  if (s->kind == EPI_ROWS) { put_numbers(s, x, (marks){"", ",", "\n", NULL}); return; }
  for (int i = 0; i < s->n; i++) {
    if (i) fputc(',', s->f);
    if (word_of(s, i)) csv_word(s, word_of(s, i));
    else fputs(epi_shortest(x[i]).text, s->f);
  }
  fputc('\n', s->f);
}

static void nothing(epi_sheet *s) { (void)s; }

/* ---- NPY 1.0: ten bytes, then a Python dictionary padded to a fixed size, then the rows ---- */
enum { NPY_HEAD = 128 };

static void npy_dictionary(const epi_sheet *s, long rows, char head[NPY_HEAD + 1])
{
  const int one = 1;
  memcpy(head, "\x93NUMPY\x01\x00", 8);
  head[8] = (char)(NPY_HEAD - 10);
  head[9] = 0;
  int n = snprintf(head + 10, NPY_HEAD - 10, "{'descr': '%cf8', 'fortran_order': False, 'shape': (%ld, %d), }",
                   *(const char *)&one ? '<' : '>', rows, s->n);
  memset(head + 10 + n, ' ', (size_t)(NPY_HEAD - 11 - n));
  head[NPY_HEAD - 1] = '\n';
}

/* the format has no room for names: they stand beside it, one a line */
static void npy_columns(epi_sheet *s)
{
  char *path = epi_printed("%s.columns.txt", s->path);
  FILE *f = path ? fopen(path, "w") : NULL;
  for (int i = 0; f && i < s->n; i++) fprintf(f, "%s\n", column_of(s, i));
  if (!f || ferror(f) | fclose(f)) epi_sink_trouble(s->sink, !path ? ENOMEM : errno);
  free(path);
}

static void npy_head(epi_sheet *s)
{
  char head[NPY_HEAD + 1];
  npy_columns(s);
  npy_dictionary(s, 0, head);
  put_bytes(s, head, NPY_HEAD);
}

static void npy_row(epi_sheet *s, const double *x) { put_bytes(s, x, (size_t)s->n*sizeof *x); }

/* those that are in the file */
static long rows_there(const epi_sheet *s)
{
  long n = s->before + epi_sink_rows(s->sink);
  return n > 0 ? n : 0;
}

static void npy_mark(epi_sheet *s)
{
  char head[NPY_HEAD + 1];
  npy_dictionary(s, rows_there(s), head);
  epi_sink_head(s->sink, head, NPY_HEAD);
}

/* ---- JSON ---- */
static void json_head(epi_sheet *s)
{
  fputs("{\"model\": ", s->f);
  epi_json_text(s->f, s->r->model);
  fputs(",\n \"flow\": ", s->f);
  epi_json_text(s->f, s->r->flow);
  fputs(",\n \"step\": ", s->f);
  epi_json_number(s->f, s->r->step);
  fputs(", \"end\": ", s->f);
  epi_json_number(s->f, s->r->end);
  fputs(",\n \"columns\": [", s->f);
  for (int i = 0; i < s->n; i++) {
    if (i) fputs(", ", s->f);
    epi_json_text(s->f, column_of(s, i));
  }
  fprintf(s->f, "],\n \"%s\": [", s->kind == EPI_ROWS ? "rows" : "events");
}

static void json_row(epi_sheet *s, const double *x)
{
  if (s->kind == EPI_ROWS) { put_numbers(s, x, (marks){s->rows ? ",\n  [" : "\n  [", ", ", "]", "null"}); return; }
  fputs(s->rows ? ",\n  [" : "\n  [", s->f);
  for (int i = 0; i < s->n; i++) {
    if (i) fputs(", ", s->f);
    if (word_of(s, i)) epi_json_text(s->f, word_of(s, i));
    else epi_json_number(s->f, x[i]);
  }
  fputc(']', s->f);
}

/* ---- all of them ---- */
static const format formats[] = {
  {.ending = ".csv", .head = csv_head, .row = csv_row, .mark = nothing},
  {.ending = ".npy", .head = npy_head, .row = npy_row, .mark = npy_mark, .counts = NPY_HEAD},
  {.ending = ".json", .head = json_head, .row = json_row, .mark = nothing, .tail = "\n ]}\n"},
};
enum { NFORMAT = sizeof formats/sizeof *formats };

/* -1: no such file; -2: not a plain file */
static long long size_of(const char *path)
{
  struct stat s;
  if (stat(path, &s)) return errno == ENOENT ? -1 : -2;
  return S_ISREG(s.st_mode) ? (long long)s.st_size : -2;
}

static const format *format_of(const char *path)
{
  size_t n = strlen(path);
  for (int i = 0; i < NFORMAT; i++) {
    size_t m = strlen(formats[i].ending);
    if (n > m && !strcmp(path + n - m, formats[i].ending)) return &formats[i];
  }
  /* a device or a pipe needs no ending */
  return size_of(path) == -2 ? &formats[0] : NULL;
}

const char *epi_out_format(const char *path) { return path && format_of(path) ? format_of(path)->ending : NULL; }

int epi_sheet_cuts(const char *path) { return epi_out_format(path) && size_of(path) >= 0; }

int epi_sheet_needs_file(const char *path, char *why, size_t size)
{
  struct stat is;
  const format *f = path ? format_of(path) : NULL;
  if (!f || !f->counts || stat(path, &is) || !(S_ISFIFO(is.st_mode) || S_ISSOCK(is.st_mode))) return 0;
  snprintf(why, size, "%s is a pipe, and the head of a %s says at the end how many rows there are: give a file, or .csv", path, f->ending);
  return 1;
}

int epi_event_columns(const epi_result *r) { return EVENT_HEAD + r->nq + r->nv + r->nz + r->nobs; }

epi_sheet *epi_sheet_open(epi_result *r, epi_sheet_kind kind, epi_sink_use use, FILE *stream)
{
  const char *path = kind == EPI_ROWS ? r->out : r->event_file;
  int n = kind == EPI_ROWS ? r->nout : epi_event_columns(r);
  const format *form = stream ? &formats[0] : format_of(path);
  r->cause = EPI_REQUEST;
  if (!form) return snprintf(r->error, sizeof r->error, "%s has no known ending: use .csv, .npy or .json", path), NULL;
  epi_sink *sink = epi_sink_open(path, stream, use, r->error, sizeof r->error, &r->cause);
  if (r->cause == EPI_ROWS_FILE && kind == EPI_EVENTS) r->cause = EPI_EVENTS_FILE;
  size_t room = (size_t)n*(sizeof(epi_number) + 4) + 16;
  epi_sheet *s = sink ? malloc(sizeof *s + room) : NULL;
  if (s) *s = (epi_sheet){.sink = sink, .f = epi_sink_stream(sink), .r = r, .path = path, .kind = kind, .format = form, .n = n,
                          .line = (char *)(s + 1)};
  if (s && (!form->counts || epi_sink_seeks(sink))) return r->cause = EPI_NO_CAUSE, s;
  if (s) r->cause = EPI_REQUEST;
  if (s)
    snprintf(r->error, sizeof r->error, "%s has no beginning to go back to, and the head of a %s says at the end how many rows there are: "
             "give a file, or .csv", path, form->ending);
  else if (sink) snprintf(r->error, sizeof r->error, "out of memory: the rows could not be opened");
  if (sink) epi_sink_close(sink);
  free(s);
  return NULL;
}

/* the head of what is counted changes: the sum is of what follows it */
int epi_sheet_same(epi_sheet *s)
{
  epi_result *r = s->r;
  long long bytes = s->kind == EPI_ROWS ? r->bytes : r->event_bytes;
  unsigned long long sum = s->kind == EPI_ROWS ? r->sum : r->event_sum;
  return epi_sink_same(s->sink, s->format->counts, bytes, sum, r->error, sizeof r->error);
}

int epi_sheet_begin(epi_sheet *s)
{
  int bad = epi_sink_begin(s->sink, s->format->counts, 0);
  s->before = -1;
  if (bad) return bad;
  s->format->head(s);
  return epi_sink_row(s->sink, 0);
}

int epi_sheet_again(epi_sheet *s)
{
  s->rows = s->before = s->kind == EPI_ROWS ? s->r->rows : s->r->events;
  if (!epi_sink_begin(s->sink, s->format->counts, s->kind == EPI_ROWS ? s->r->bytes : s->r->event_bytes)) {
    epi_sink_mark(s->sink, s->format->tail ? s->format->tail : "");
    return 0;
  }
  snprintf(s->r->error, sizeof s->r->error, "cannot cut the output %s back to its checkpoint: %s", s->path, strerror(errno));
  return -1;
}

int epi_sheet_event(epi_sheet *s, const char *name, const double *x)
{
  s->event = name;
  return epi_sheet_row(s, x);
}

int epi_sheet_row(epi_sheet *s, const double *x)
{
  if (epi_sink_troubled(s->sink)) return -1;
  s->length = 0;
  s->format->row(s, x);
  s->rows++;
  return epi_sink_row(s->sink, s->length);
}

static void note_sum(epi_sheet *s)
{
  if (s->kind == EPI_ROWS) s->r->sum = epi_sink_sum(s->sink);
  else s->r->event_sum = epi_sink_sum(s->sink);
}

long long epi_sheet_flush(epi_sheet *s)
{
  epi_sink_flush(s->sink);
  note_sum(s);
  return epi_sink_bytes(s->sink);
}

/* where the next row would go; the rows are on the disk before anything refers to them */
long long epi_sheet_mark(epi_sheet *s)
{
  if (epi_sink_flush(s->sink)) return -1;
  s->format->mark(s);
  epi_sink_mark(s->sink, s->format->tail ? s->format->tail : "");
  if (epi_sink_sync(s->sink)) return -1;
  note_sum(s);
  return epi_sink_bytes(s->sink);
}

/* what did not fit was not written: what is there is finished in any case */
int epi_sheet_close(epi_sheet *s, char *error, size_t size)
{
  errno = 0;
  epi_sink_flush(s->sink);
  int whole = s->before >= 0 || epi_sink_rows(s->sink);
  if (whole && s->format->tail) epi_sink_tail(s->sink, s->format->tail);
  s->format->mark(s);
  int lost = epi_sink_troubled(s->sink) != 0;
  if (lost && s->kind == EPI_ROWS) s->r->rows = rows_there(s);
  int bad = epi_sink_close(s->sink);
  if (bad == EPIPE) snprintf(error, size, "cannot write %s: nobody reads it any more", s->path);
  else if (bad)
    snprintf(error, size, "cannot write %s: %s; what fits is kept, make room and run or resume again", s->path, strerror(bad));
  free(s);
  return bad;
}

/* a file that is not used after all */
void epi_sheet_drop(epi_sheet *s)
{
  if (!s) return;
  epi_sink_close(s->sink);
  free(s);
}
