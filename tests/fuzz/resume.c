/* holds: a changed checkpoint file is resumed or refused, and the rows that were there are kept
 * resume.c - the checkpoint file of a run, changed and given right checksums again, and `epicycle resume` of it: it goes on, or it is
   refused, and then the rows that were there are there. The bytes are a first byte, which run it is; a second, after how many pairs it was
   stopped; and lines: R key=value and P key=value are notes of the request and of the place, F i at value eight bytes of frame i, D i takes
   frame i away, T n cuts the rows to n bytes, and the word gone takes the file of
   events away */
#include "fuzz.h"
#include <dirent.h>
#include <math.h>
#include <unistd.h>

int epicycle_command(int argc, char **argv);

static const char world[] = "world:\n  gravity: 9.81\n  bodies:\n    - {name: ball, mass: 0.1, inertia: 1.6e-5, at: [0, 0, 0.07]}\n"
                            "flow: verlet\nstep: 0.01\nend: 0.2\noutput: {file: o.csv, every: 0}\n";
static char *const commands[][16] = {
  {"epicycle", "run", "kepler", "e=0.3", "--step", "0.1", "--end", "2", "--every", "0", "--out", "o.csv"},
  {"epicycle", "run", "kepler", "--flow", "at(verlet, of=y)", "--step", "0.1", "--end", "2", "--out", "o.npy", "--events", "e.csv"},
  {"epicycle", "run", "pendulum", "--flow", "tolerance(dopri5, rtol=1e-6)", "--step", "0.1", "--end", "2", "--out", "o.json", "--stats",
   "s.json"},
  {"epicycle", "run", "w.yaml"},
  {"epicycle", "run", "kepler", "--step", "0.1", "--end", "2", "--out", "o.csv", "--plot", "p.svg"},
};
enum { RUNS = sizeof commands/sizeof *commands, FRAMES = 200, REQUEST = 0x51, PLACE = 0x50, STATE = 1 };
typedef struct frame { unsigned kind; long size; char *content; } frame;
typedef struct kept { char *bytes; long size; } kept;
static struct { char folder[64]; struct { frame frame[FRAMES]; int n, pairs; kept rows, events; } run[RUNS]; } all;
static const char *const rows_of[RUNS] = {"o.csv", "o.npy", "o.json", "o.csv", "o.csv"};

static kept keep(const char *path)
{
  kept k = {.bytes = malloc(1 << 20)};
  FILE *f = fopen(path, "rb");
  if (!k.bytes) abort();
  if (f) k.size = (long)fread(k.bytes, 1, 1 << 20, f), fclose(f);
  return k;
}

static void write_file(const char *path, const void *what, long size)
{
  FILE *f = fopen(path, "wb");
  if (!f) abort();
  if (size > 0) fwrite(what, 1, (size_t)size, f);
  fclose(f);
}

static int any(const struct dirent *e) { return e->d_name[0] != '.'; }
static void empty(void)
{
  struct dirent **name;
  int n = scandir(".", &name, any, NULL);
  for (int i = 0; i < n; i++) {
    remove(name[i]->d_name);
    free(name[i]);
  }
  if (n >= 0) free(name);
  write_file("w.yaml", world, (long)sizeof world - 1);
}

static void leave(void)
{
  empty();
  remove("w.yaml");
  if (chdir("/") || rmdir(all.folder)) return;
}

static int obey(char **argv)
{
  int n = 0;
  while (argv[n]) n++;
  return epicycle_command(n, argv);
}

static void begin(void)
{
  fuzz_hush();
  snprintf(all.folder, sizeof all.folder, "%s", "/tmp/epicycle-fuzz-XXXXXX");
  if (!mkdtemp(all.folder) || chdir(all.folder)) abort();
  atexit(leave);
  for (int i = 0; i < RUNS; i++) {
    char *argv[24];
    int n = 0;
    empty();
    while (commands[i][n]) argv[n] = commands[i][n], n++;
    char *more[] = {"--checkpoint", "c", "--checkpoint-every", "1e-9", "--quiet", NULL};
    memcpy(argv + n, more, sizeof more);
    hold(obey(argv) == 0);
    FILE *f = fopen("c", "rb");
    if (!f) abort();
    frame *r = all.run[i].frame;
    void *content;
    for (int k = 0; k < FRAMES && (r[k].size = epi_frame_read(f, &r[k].kind, &content)) >= 0; k++) {
      r[k].content = content;
      all.run[i].n = k + 1;
      all.run[i].pairs += r[k].kind == STATE;
    }
    fclose(f);
    hold(all.run[i].pairs > 0);
    all.run[i].rows = keep(rows_of[i]);
    all.run[i].events = keep("e.csv");
  }
}

/* notes are lines of key=value; one of them is changed, or added */
static void note(frame *f, const char *line)
{
  size_t key = strcspn(line, "=") + 1, length = strlen(line), n = (size_t)f->size;
  char *from = f->content, *to;
  if (line[key-1] != '=' || !n || f->content[n-1]) return;
  while (*from && strncmp(from, line, key)) from = (to = strchr(from, '\n')) ? to + 1 : from + strlen(from);
  to = *from ? from + strcspn(from, "\n") : from;
  char *fresh = malloc(n + length + 2);
  if (!fresh) abort();
  size_t front = (size_t)(from - f->content), back = n - (size_t)(to - f->content) - (*to == '\n');
  memcpy(fresh, f->content, front);
  memcpy(fresh + front, line, length);
  fresh[front + length] = '\n';
  memcpy(fresh + front + length + 1, to + (*to == '\n'), back);
  free(f->content);
  f->content = fresh;
  f->size = (long)(front + length + 1 + back);
}

static double number_in(const frame *f, const char *key, double otherwise)
{
  const char *at = f->size > 0 && !f->content[f->size-1] ? strstr(f->content, key) : NULL;
  return at ? strtod(at + strlen(key), NULL) : otherwise;
}

static void change(frame *f, int n, char *line, long *cut)
{
  unsigned long i, at;
  int used = 0, place = n - 1;
  if (line[0] == 'R' && line[1] == ' ') note(&f[0], line + 2);
  while (place > 0 && f[place].kind != PLACE) place--;
  if (line[0] == 'P' && line[1] == ' ') note(&f[place], line + 2);
  if (line[0] == 'T') *cut = strtol(line + 1, NULL, 10);
  if (sscanf(line, "D %lu", &i) == 1 && i < (unsigned long)n) f[i].size = -1;
  if (sscanf(line, "F %lu %lu %n", &i, &at, &used) == 2 && used && i < (unsigned long)n && f[i].size >= 8) {
    uint64_t x = strchr(line + used, '.') ? 0 : strtoull(line + used, NULL, 0);
    double y = strtod(line + used, NULL);
    memcpy(f[i].content + at % (unsigned long)(f[i].size - 7), strchr(line + used, '.') ? (void *)&y : (void *)&x, 8);
  }
}

/* 1: it is short enough to be gone on with */
static int put(const frame *f, int n)
{
  FILE *o = fopen("c", "wb");
  if (!o) abort();
  for (int i = 0; i < n; i++) if (f[i].size >= 0) epi_frame_write(o, f[i].kind, f[i].content, (size_t)f[i].size);
  fclose(o);
  double step = number_in(&f[0], "\nstep=", 0.1), end = number_in(&f[0], "\nend=", 2), every = number_in(&f[0], "\nevery=", 0);
  return !(fabs(end) > 3000*fabs(step)) && !(every != 0 && fabs(end) > 3000*fabs(every));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  if (!all.folder[0]) begin();
  if (size < 2) return 0;
  empty();
  char *text = fuzz_text(data + 2, size - 2, NULL), *rest = text;
  int no_events = strstr(text, "gone") != NULL;
  int which = data[0] % RUNS, n = 0, pairs = data[1] % all.run[which].pairs + 1;
  frame f[FRAMES];
  kept rows = all.run[which].rows;
  for (; n < all.run[which].n && pairs; n++) {
    f[n] = all.run[which].frame[n];
    f[n].content = (char *)fuzz_text((uint8_t *)f[n].content, (size_t)f[n].size, NULL);
    pairs -= f[n].kind == STATE;
  }
  /* nothing outside of this folder is touched */
  for (char *c = text; *c; c++) if (*c == '/') *c = '_';
  change(f, n, (char[]){"P status=running"}, &rows.size);
  for (char *line = text; rest && *line; line = rest) {
    rest = strchr(line, '\n');
    if (rest) *rest++ = 0;
    change(f, n, line, &rows.size);
  }
  if (rows.size < 0 || rows.size > all.run[which].rows.size) rows.size = all.run[which].rows.size;
  write_file(rows_of[which], rows.bytes, rows.size);
  if (all.run[which].events.size) write_file("e.csv", all.run[which].events.bytes, all.run[which].events.size);
  if (no_events) remove("e.csv");
  if (put(f, n)) {
    int code = obey((char *[]){"epicycle", "resume", "c", "--quiet", NULL});
    hold(code >= 0 && code <= 2);
    if (code == 2) {
      kept now = keep(rows_of[which]);
      hold(now.size == rows.size && !memcmp(now.bytes, rows.bytes, (size_t)rows.size));
      free(now.bytes);
    }
  }
  for (int i = 0; i < n; i++) free(f[i].content);
  free(text);
  return 0;
}
