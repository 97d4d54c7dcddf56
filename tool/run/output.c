/* output.c - a sheet: named columns, one row after the other, as CSV, NPY or JSON
 *
 * Every format can be cut back to the end of a row and continued, and ends with the same bytes as if it never was. */
#include "tool.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct format {
  const char *ending;
  void (*head)(sheet *, sheet_about);
  void (*row)(sheet *, const double *);
  void (*mark)(sheet *);               /* makes what is there readable without changing where rows go */
  void (*tail)(sheet *);
} format;

struct sheet {
  FILE *f;
  char *path;
  const format *format;
  int n, trouble;                      /* trouble: errno of the first write that failed */
  char *const *column;
  long rows;
};

/* ---- CSV ---- */
static void csv_head(sheet *s, sheet_about about)
{
  (void)about;
  for (int i = 0; i < s->n; i++) {
    const char *name = s->column[i];
    if (i) fputc(',', s->f);
    if (!strpbrk(name, ",\"\n")) { fputs(name, s->f); continue; }
    fputc('"', s->f);
    for (; *name; name++) fprintf(s->f, *name == '"' ? "\"\"" : "%c", *name);
    fputc('"', s->f);
  }
  fputc('\n', s->f);
}

static void csv_row(sheet *s, const double *x)
{
  for (int i = 0; i < s->n; i++) {
    if (i) fputc(',', s->f);
    fputs(shortest(x[i]).text, s->f);
  }
  fputc('\n', s->f);
}

static void nothing(sheet *s) { (void)s; }

/* ---- NPY 1.0: ten bytes, then a Python dictionary padded to a fixed size, then the rows ---- */
enum { NPY_HEAD = 128 };

static void npy_dictionary(sheet *s)
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
  fwrite(head, 1, NPY_HEAD, s->f);
}

/* the format has no room for names: they stand beside it, one a line */
static void npy_columns(sheet *s)
{
  char *path = text("%s.columns.txt", s->path);
  FILE *f = fopen(path, "w");
  for (int i = 0; f && i < s->n; i++) fprintf(f, "%s\n", s->column[i]);
  if (!f || ferror(f) | fclose(f)) s->trouble = errno ? errno : EIO;
  free(path);
}

static void npy_head(sheet *s, sheet_about about)
{
  (void)about;
  npy_columns(s);
  npy_dictionary(s);
}

static void npy_row(sheet *s, const double *x) { fwrite(x, sizeof *x, (size_t)s->n, s->f); }

static void npy_mark(sheet *s)
{
  if (fseek(s->f, 0, SEEK_SET)) return;
  npy_dictionary(s);
  fseek(s->f, 0, SEEK_END);
}

/* ---- JSON ---- */
static void json_head(sheet *s, sheet_about about)
{
  fputs("{\"model\": ", s->f);
  json_text(s->f, about.model);
  fputs(",\n \"flow\": ", s->f);
  json_text(s->f, about.flow);
  fputs(",\n \"step\": ", s->f);
  json_number(s->f, about.step);
  fputs(", \"end\": ", s->f);
  json_number(s->f, about.end);
  fputs(",\n \"columns\": [", s->f);
  for (int i = 0; i < s->n; i++) {
    if (i) fputs(", ", s->f);
    json_text(s->f, s->column[i]);
  }
  fputs("],\n \"rows\": [", s->f);
}

static void json_row(sheet *s, const double *x)
{
  fputs(s->rows ? ",\n  [" : "\n  [", s->f);
  for (int i = 0; i < s->n; i++) {
    if (i) fputs(", ", s->f);
    json_number(s->f, x[i]);
  }
  fputc(']', s->f);
}

static void json_tail(sheet *s) { fputs("\n ]}\n", s->f); }

/* ---- all of them ---- */
static const format formats[] = {
  {.ending = ".csv", .head = csv_head, .row = csv_row, .mark = nothing, .tail = nothing},
  {.ending = ".npy", .head = npy_head, .row = npy_row, .mark = npy_mark, .tail = npy_mark},
  {.ending = ".json", .head = json_head, .row = json_row, .mark = nothing, .tail = json_tail},
};
enum { NFORMAT = sizeof formats/sizeof *formats };

static int to_stdout(const char *path) { return !strcmp(path, "-"); }

int sheet_format(const char *path)
{
  if (to_stdout(path)) return 0;
  for (int i = 0; i < NFORMAT; i++)
    if (ends_with(path, formats[i].ending)) return i;
  /* a device or a pipe needs no ending */
  if (disk_size(path) == -2) return 0;
  say(REFUSED, "the output '%s' has no known ending: use .csv, .npy or .json, or - for CSV on standard output", path);
  return -1;
}

static int watch_trouble(sheet *s)
{
  if (!s->trouble && ferror(s->f)) s->trouble = errno ? errno : EIO;
  return s->trouble;
}

static sheet *sheet_new(const char *path, FILE *f, int n, char *const *columns)
{
  sheet *s = need(sizeof *s);
  *s = (sheet){.f = f, .path = text("%s", path), .format = &formats[sheet_format(path)], .n = n, .column = columns};
  return s;
}

sheet *sheet_open(const char *path, int n, char *const *columns, sheet_about about)
{
  FILE *f = to_stdout(path) ? stdout : fopen(path, "wb");
  if (!f) {
    say(REFUSED, "cannot write %s: %s; choose another place with --out", path, strerror(errno));
    return NULL;
  }
  sheet *s = sheet_new(path, f, n, columns);
  s->format->head(s, about);
  watch_trouble(s);
  return s;
}

/* standard output cannot be cut: what comes is what was not there at the checkpoint */
sheet *sheet_again(const char *path, int n, char *const *columns, long long size, long rows)
{
  FILE *f = to_stdout(path) ? stdout : fopen(path, "rb+");
  if (!f) {
    say(REFUSED, "cannot go on with the output %s: %s; put it back, or resume in the folder of the run", path, strerror(errno));
    return NULL;
  }
  if (!to_stdout(path) && disk_size(path) >= 0 && disk_size(path) < size) {
    say(REFUSED, "the output %s is shorter (%lld bytes) than its checkpoint says (%lld): put the whole file back, or run again",
        path, disk_size(path), size);
    fclose(f);
    return NULL;
  }
  if (!to_stdout(path) && disk_cut(f, size)) {
    say(FAILED, "cannot cut the output %s back to its checkpoint: %s", path, strerror(errno));
    fclose(f);
    return NULL;
  }
  sheet *s = sheet_new(path, f, n, columns);
  s->rows = rows;
  return s;
}

int sheet_row(sheet *s, const double *x)
{
  s->format->row(s, x);
  s->rows++;
  return watch_trouble(s);
}

/* where the next row would go; the rows are on the disk before anything refers to them */
long long sheet_mark(sheet *s)
{
  s->format->mark(s);
  errno = 0;
  if (watch_trouble(s) || disk_sync(s->f)) {
    if (!s->trouble) s->trouble = errno ? errno : EIO;
    return -1;
  }
  return s->f == stdout ? 0 : ftell(s->f);
}

int sheet_close(sheet *s)
{
  errno = 0;
  if (!watch_trouble(s)) s->format->tail(s);
  int bad = ferror(s->f) | (s->f == stdout ? fflush(s->f) : fclose(s->f));
  if (bad && !s->trouble) s->trouble = errno ? errno : EIO;
  if (s->trouble) say(FAILED, "cannot write %s: %s; what fits is kept, make room and run or resume again", s->path, strerror(s->trouble));
  bad = s->trouble;
  free(s->path);
  free(s);
  return bad;
}
