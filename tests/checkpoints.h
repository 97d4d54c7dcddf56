/* checkpoints.h - the command in a folder of its own, its files, and the frames of its checkpoints */
#ifndef CHECKPOINTS_H
#define CHECKPOINTS_H
#include "test.h"
#include "place.h"
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[256];
static inline const char *in_folder(const char *name)
{
  static char path[2][512];
  static int turn;
  turn = !turn;
  snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
  return path[turn];
}

typedef struct { char *x; size_t n; } bytes;

static inline bytes read_all(const char *name)
{
  FILE *f = fopen(in_folder(name), "rb");
  bytes b = {calloc(1, 1), 0};
  struct stat s;
  if (f && !fstat(fileno(f), &s)) {
    b.n = (size_t)s.st_size;
    b.x = realloc(b.x, b.n + 1);
    if (b.n && fread(b.x, b.n, 1, f) != 1) b.n = 0;
    b.x[b.n] = 0;
  }
  if (f) fclose(f);
  return b;
}

static inline void write_all(const char *name, const char *x, size_t n)
{
  FILE *f = fopen(in_folder(name), "wb");
  if (!f || (n && fwrite(x, n, 1, f) != 1) || fclose(f)) test_stop("cannot write a file of the test");
}

static inline int command(const char *words, ...) __attribute__((format(printf, 1, 2)));
static inline int command(const char *words, ...)
{
  char line[2048];
  va_list ap;
  int n = snprintf(line, sizeof line, "cd %s && exec timeout -k 1 20 %s ", folder, getenv("EPICYCLE"));
  va_start(ap, words);
  vsnprintf(line + n, sizeof line - (size_t)n, words, ap);
  va_end(ap);
  return system(line);
}

static inline void open_folder(const char *name)
{
  snprintf(folder, sizeof folder, "%s/epicycle-%s-XXXXXX", test_place(), name);
  if (!mkdtemp(folder)) test_stop("no folder for the test");
}

static inline void close_folder(void)
{
  char line[512];
  snprintf(line, sizeof line, "rm -rf %s", folder);
  if (system(line)) printf("%s is left\n", folder);
}

/* ---- frames: magic, version, kind, checksum, size, content ---- */
enum { STATE = 1, INSPECTION = 2, PLACE = 0x50, REQUEST = 0x51, ROWS = 0x52, HEAD = 24 };
typedef struct { uint32_t kind; size_t from, size, end; } frame;      /* from: of its head; size 0: there is none */

static inline frame frame_at(const char *x, size_t n, size_t at)
{
  frame f = {.from = at};
  uint64_t size;
  if (at + HEAD > n) return f;
  memcpy(&f.kind, x + at + 8, sizeof f.kind);
  memcpy(&size, x + at + 16, sizeof size);
  f.size = (size_t)size;
  f.end = at + HEAD + f.size;
  return f;
}
#endif
