/* rows.c - a sheet: named columns, one row after the other, as CSV, NPY or JSON
 *
 * Every format can be cut back to the end of a row and continued, and ends with the same bytes as if it never was. */
#define _XOPEN_SOURCE 700
#include "recorder.h"
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct format {
  const char *ending;
  void (*head)(epi_sheet *);
  void (*row)(epi_sheet *, const double *);
  void (*mark)(epi_sheet *);           /* makes what is there readable without changing where rows go */
  void (*tail)(epi_sheet *);
} format;

struct epi_sheet {
  FILE *f;
  const epi_result *r;
  const char *path;
  const format *format;
  epi_sheet_kind kind;
  const char *event;                   /* the name of the one that is written */
  int n, trouble, lent;                /* trouble: errno of the first write that failed; lent: the stream is the caller's */
  long rows;
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

static void put_bytes(epi_sheet *s, const void *x, size_t size)
{
  if (fwrite(x, 1, size, s->f) != size && !s->trouble) s->trouble = errno ? errno : EIO;
}

static void npy_dictionary(epi_sheet *s)
{
  const int one = 1;
  char head[NPY_HEAD + 1];
  memcpy(head, "\x93NUMPY\x01\x00", 8);
  head[8] = (char)(NPY_HEAD - 10);
  head[9] = 0;
  int n = snprintf(head + 10, sizeof head - 10, "{'descr': '%cf8', 'fortran_order': False, 'shape': (%ld, %d), }",
                   *(const char *)&one ? '<' : '>', s->rows, s->n);
  memset(head + 10 + n, ' ', (size_t)(NPY_HEAD - 11 - n));
  head[NPY_HEAD - 1] = '\n';
  put_bytes(s, head, NPY_HEAD);
}

/* the format has no room for names: they stand beside it, one a line */
static void npy_columns(epi_sheet *s)
{
  char *path = epi_printed("%s.columns.txt", s->path);
  FILE *f = path ? fopen(path, "w") : NULL;
  for (int i = 0; f && i < s->n; i++) fprintf(f, "%s\n", column_of(s, i));
  if (!f || ferror(f) | fclose(f)) s->trouble = !path ? ENOMEM : errno ? errno : EIO;
  free(path);
}

static void npy_head(epi_sheet *s)
{
  npy_columns(s);
  npy_dictionary(s);
}

static void npy_row(epi_sheet *s, const double *x) { put_bytes(s, x, (size_t)s->n*sizeof *x); }

static void npy_mark(epi_sheet *s)
{
  if (fseek(s->f, 0, SEEK_SET)) return;
  npy_dictionary(s);
  fseek(s->f, 0, SEEK_END);
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
  fputs(s->rows ? ",\n  [" : "\n  [", s->f);
  for (int i = 0; i < s->n; i++) {
    if (i) fputs(", ", s->f);
    if (word_of(s, i)) epi_json_text(s->f, word_of(s, i));
    else epi_json_number(s->f, x[i]);
  }
  fputc(']', s->f);
}

static void json_tail(epi_sheet *s) { fputs("\n ]}\n", s->f); }

/* ---- all of them ---- */
static const format formats[] = {
  {.ending = ".csv", .head = csv_head, .row = csv_row, .mark = nothing, .tail = nothing},
  {.ending = ".npy", .head = npy_head, .row = npy_row, .mark = npy_mark, .tail = npy_mark},
  {.ending = ".json", .head = json_head, .row = json_row, .mark = nothing, .tail = json_tail},
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

static int watch_trouble(epi_sheet *s)
{
  if (!s->trouble && ferror(s->f)) s->trouble = errno ? errno : EIO;
  return s->trouble;
}

static epi_sheet *sheet_of(epi_result *r, epi_sheet_kind kind, FILE *f, FILE *stream, long rows)
{
  epi_sheet *s = malloc(sizeof *s);
  const char *path = kind == EPI_ROWS ? r->out : r->event_file;
  int n = kind == EPI_ROWS ? r->nout : epi_event_columns(r);
  if (s) *s = (epi_sheet){.f = f, .r = r, .path = path, .kind = kind, .format = stream ? &formats[0] : format_of(path), .n = n,
                          .lent = stream != NULL, .rows = rows};
  else {
    snprintf(r->error, sizeof r->error, "out of memory: the rows could not be opened");
    if (!stream) fclose(f);
  }
  return s;
}

int epi_event_columns(const epi_result *r) { return EVENT_HEAD + r->nq + r->nv + r->nz + r->nobs; }

epi_sheet *epi_sheet_open(epi_result *r, epi_sheet_kind kind, FILE *stream)
{
  const char *path = kind == EPI_ROWS ? r->out : r->event_file;
  FILE *f = stream ? stream : fopen(path, "wb");
  if (!f) {
    snprintf(r->error, sizeof r->error, "cannot write %s: %s; choose another place", path, strerror(errno));
    return NULL;
  }
  epi_sheet *s = sheet_of(r, kind, f, stream, 0);
  if (!s) return NULL;
  s->format->head(s);
  watch_trouble(s);
  return s;
}

/* the file cut back to the size that it had; a stream cannot be cut: what comes is what was not there */
static FILE *cut_back(epi_result *r, const char *path, long long bytes)
{
  FILE *f = fopen(path, "rb+");
  long long size = size_of(path);
  if (!f) {
    snprintf(r->error, sizeof r->error, "cannot go on with the output %s: %s; put it back, or resume in the folder of the run", path,
             strerror(errno));
    return NULL;
  }
  if (size >= 0 && size < bytes)
    snprintf(r->error, sizeof r->error,
             "the output %s is shorter (%lld bytes) than its checkpoint says (%lld): put the whole file back, or run again", path,
             size, bytes);
  else if (ftruncate(fileno(f), (off_t)bytes) || fseeko(f, (off_t)bytes, SEEK_SET))
    snprintf(r->error, sizeof r->error, "cannot cut the output %s back to its checkpoint: %s", path, strerror(errno));
  else return f;
  fclose(f);
  return NULL;
}

epi_sheet *epi_sheet_again(epi_result *r, epi_sheet_kind kind, FILE *stream)
{
  FILE *f = stream ? stream : kind == EPI_ROWS ? cut_back(r, r->out, r->bytes) : cut_back(r, r->event_file, r->event_bytes);
  return f ? sheet_of(r, kind, f, stream, kind == EPI_ROWS ? r->rows : r->events) : NULL;
}

int epi_sheet_event(epi_sheet *s, const char *name, const double *x)
{
  s->event = name;
  return epi_sheet_row(s, x);
}

int epi_sheet_row(epi_sheet *s, const double *x)
{
  s->format->row(s, x);
  s->rows++;
  return watch_trouble(s);
}

long long epi_sheet_flush(epi_sheet *s)
{
  if (fflush(s->f)) watch_trouble(s);
  return s->lent ? 0 : ftell(s->f);
}

/* pipes and devices cannot be synchronised, and need not be */
static int sync_rows(FILE *f)
{
  if (fflush(f)) return -1;
  return fsync(fileno(f)) && errno != EINVAL && errno != EROFS && errno != ENOTSUP ? -1 : 0;
}

/* where the next row would go; the rows are on the disk before anything refers to them */
long long epi_sheet_mark(epi_sheet *s)
{
  s->format->mark(s);
  errno = 0;
  if (watch_trouble(s) || sync_rows(s->f)) {
    if (!s->trouble) s->trouble = errno ? errno : EIO;
    return -1;
  }
  return s->lent ? 0 : ftell(s->f);
}

int epi_sheet_close(epi_sheet *s, char *error, size_t size)
{
  errno = 0;
  if (!watch_trouble(s)) s->format->tail(s);
  int bad = ferror(s->f) | (s->lent ? fflush(s->f) : fclose(s->f));
  if (bad && !s->trouble) s->trouble = errno ? errno : EIO;
  if (s->trouble)
    snprintf(error, size, "cannot write %s: %s; what fits is kept, make room and run or resume again", s->path, strerror(s->trouble));
  bad = s->trouble;
  free(s);
  return bad;
}
