/* holds: after a power cut at any change of the disk, resume gives the bytes of the whole run or refuses
 * power-loss.c - the power goes at any change of the disk: what was not yet synchronised is lost, or there, or there in part and in any
   order; then resume goes on to the bytes of the whole run, or says why it cannot: never other rows with exit code 0
     power-loss [COUNT]          so many cuts a run, drawn by a fixed seed; 0: every one
   label: plain   thorough: 40 */
#include "fault/command.h"

enum { FILES = 64, NAMES = 64, NUMBERS = 1024, SECTOR = 512, NO_FILE = -1, THE_FOLDER = -2 };

/* ---- the disk: what is safe, what is on its way ---- */
typedef struct bytes { char *x; size_t n; } bytes;
typedef struct file { bytes safe; long synced; } file;               /* the entry of the journal after which nothing is safe */
typedef struct table { int n; struct { char name[60]; int file; } of[NAMES]; } table;
typedef struct disk { file file[FILES]; int files; table names, safe; int fd[NUMBERS]; } disk;
typedef struct journal { content all; long n; const entry **e; } journal;

/* everything lost, everything there, some of it */
typedef enum { LOST, THERE, SOME, TORN, FATES } fate;

static const char *more_of(const entry *e) { return (const char *)(e + 1); }

static int find(const table *t, const char *name) {
  for (int i = 0; i < t->n; i++) if (!strcmp(t->of[i].name, name)) return i;
  return -1;
}

static void name_put(table *t, const char *name, int f) {
  int i = find(t, name);
  if (i < 0) i = t->n++;
  if (i >= NAMES) test_stop("more names than there is room for");
  snprintf(t->of[i].name, sizeof t->of[i].name, "%s", name);
  t->of[i].file = f;
}

static void name_drop(table *t, const char *name) {
  int i = find(t, name);
  if (i >= 0) t->of[i] = t->of[--t->n];
}

static const char *plain(const char *name) { return strncmp(name, "./", 2) ? name : name + 2; }

/* what an entry does to the names; the numbers of files that are open follow it */
static void apply_names(disk *d, table *t, const entry *e, int opens) {
  const char *one = plain(more_of(e)), *other = plain(more_of(e) + strlen(more_of(e)) + 1);
  if (e->what == RENAME) {
    int i = find(t, one), f = i < 0 ? NO_FILE : t->of[i].file;
    name_drop(t, one);
    if (f >= 0) name_put(t, other, f);
  }
  if (e->what == REMOVE) name_drop(t, one);
  if (e->what != OPEN) return;
  int folder = !strcmp(one, ".") || !*one, i = find(t, one), f = folder ? THE_FOLDER : i >= 0 ? t->of[i].file : NO_FILE;
  if (f == NO_FILE && e->at & O_CREAT && !strchr(one, '/')) {
    f = d->files++;
    if (f >= FILES) test_stop("more files than there is room for");
    d->file[f] = (file){.synced = -1};
    name_put(t, one, f);
  }
  if (opens) d->fd[e->fd] = f;
}

static void write_at(bytes *b, const char *x, size_t at, size_t n) {
  if (at + n > b->n) {
    b->x = realloc(b->x, at + n);
    if (!b->x) test_stop("no memory");
    memset(b->x + b->n, 0, at + n - b->n);
    b->n = at + n;
  }
  memcpy(b->x + at, x, n);
}

static void cut_at(bytes *b, size_t n) {
  if (n > b->n) write_at(b, "", n - 1, 1);
  b->n = n;
}

/* what an entry does to a file, all of it or a part */
static void apply_bytes(bytes *b, const entry *e, int torn) {
  size_t n = (size_t)e->size, at = (size_t)e->at, from = 0;
  if (e->what == OPEN && e->at & O_TRUNC) b->n = 0;
  if (e->what == CUT) cut_at(b, (size_t)e->at);
  if (e->what != WRITE) return;
  if (torn) {
    n = (size_t)draw((long)n + 1)/SECTOR*SECTOR;
    /* the end of the file may be known before what stands in it */
    if (draw(2) && at + (size_t)e->size > b->n) cut_at(b, at + (size_t)e->size);
  }
  if (n > from) write_at(b, more_of(e), at, n);
}

/* which file an entry is about, when `d` has seen all entries before it */
static int file_of(const disk *d, const entry *e) {
  if (e->what == OPEN) {
    int i = find(&d->names, plain(more_of(e)));
    return i < 0 ? NO_FILE : d->names.of[i].file;
  }
  return (e->what == WRITE || e->what == CUT || e->what == SYNC) && e->fd >= 0 && e->fd < NUMBERS ? d->fd[e->fd] : NO_FILE;
}

/* ---- a cut ---- */
static bytes copy_of(bytes b) {
  bytes c = {malloc(b.n + 1), b.n};
  if (!c.x) test_stop("no memory");
  if (b.n) memcpy(c.x, b.x, b.n);
  return c;
}

/* runs the journal up to the cut; whose[i] is the file of entry i */
static void replay(disk *d, const journal *j, long cut, int *whose, long *named) {
  for (int i = 0; i < NUMBERS; i++) d->fd[i] = NO_FILE;
  *named = 0;
  for (long i = 0; i < cut; i++) {
    const entry *e = j->e[i];
    apply_names(d, &d->names, e, 1);
    int f = whose[i] = file_of(d, e);
    if (e->what == SYNC && f == THE_FOLDER) {
      d->safe = d->names;
      *named = i + 1;
    }
    if (e->what != SYNC || f < 0) continue;
    for (long k = d->file[f].synced + 1; k <= i; k++) if (whose[k] == f) apply_bytes(&d->file[f].safe, j->e[k], 0);
    d->file[f].synced = i;
  }
}

/* the folder after the cut */
static void survive(disk *d, const journal *j, long cut, const int *whose, long named, fate how) {
  /* names change in their order, as far as they came */
  long upto = how == LOST ? named : how == THERE ? cut : named + draw(cut - named + 1);
  disk again = {0};
  table t = {0};
  for (long i = 0; i < upto; i++) apply_names(&again, &t, j->e[i], 0);
  folder_make("work", "start");
  for (int i = 0; i < t.n; i++) {
    int f = t.of[i].file;
    bytes b = copy_of(d->file[f].safe);
    for (long k = d->file[f].synced + 1; k < cut && how != LOST; k++) {
      if (whose[k] != f) continue;
      int part = how == THERE ? 1 : (int)draw(3);
      if (part) apply_bytes(&b, j->e[k], how == TORN && part == 2);
    }
    put_content("work", t.of[i].name, b.x ? b.x : "", b.n);
    free(b.x);
  }
}

/* ---- runs ---- */
typedef struct scene { const char *name, *line, *files[6]; } scene;
#define RUN "run kepler --flow 'at(verlet, of=x)' --step 0.01 --end 1.2 --every 0.02 --quiet --checkpoint c --checkpoint-every 0.006"
static const scene scenes[] = {
  {"CSV", RUN " --out rows.csv --events events.csv --stats stats.json", {"rows.csv", "events.csv", "stats.json"}},
  {"NPY", RUN " --out rows.npy --events events.npy --plot plot.svg", {"rows.npy", "events.npy", "plot.svg"}},
  {"JSON", RUN " --out rows.json --events events.json --stats stats.json", {"rows.json", "events.json", "stats.json"}},
  {"averages", "run inverted-pendulum --flow 'rk4(strobe(substeps(rk4, 20), order=4))' --step 0.02 --end 1 --quiet --force --out rows.csv"
   " --checkpoint c --checkpoint-every 0.006", {"rows.csv"}},
};
static struct { long cuts, resumed, refused; } sum;

static journal journal_of(const char *name) {
  journal j = {.all = content_of(".", name)};
  for (size_t at = 0; at + sizeof(entry) <= j.all.size; j.n++)
    at += sizeof(entry) + (size_t)entry_room(((const entry *)(j.all.text + at))->length);
  j.e = calloc((size_t)j.n + 1, sizeof *j.e);
  if (!j.e) test_stop("no memory");
  size_t at = 0;
  for (long i = 0; i < j.n; i++) {
    j.e[i] = (const entry *)(j.all.text + at);
    at += sizeof(entry) + (size_t)entry_room(j.e[i]->length);
  }
  return j;
}

static int cut(const scene *s, const journal *j, long at, fate how) {
  static disk d;
  int *whose = calloc((size_t)j->n + 1, sizeof *whose);
  long named;
  const char *what = NULL;
  d = (disk){0};
  if (!whose) test_stop("no memory");
  replay(&d, j, at, whose, &named);
  survive(&d, j, at, whose, named, how);
  for (int i = 0; i < d.files; i++) free(d.file[i].safe.x);
  free(whose);
  sum.cuts++;
  board_clear();
  if (!file_there("work", "c")) return check(find(&d.safe, "c") < 0);
  outcome o = command("work", "resume c --quiet");
  sum.resumed += !o.code;
  sum.refused += o.code > 0;
  for (const char *const *name = s->files; *name && !o.code && !what; name++) if (!same_file("work", "whole", *name)) what = *name;
  if (o.code && strncmp(o.said, "epicycle: ", 10)) what = "no sentence";
  /* a checkpoint that was safe goes on */
  if (o.code && find(&d.safe, "c") >= 0) what = "not continued, though its checkpoint was on the disk";
  if (what) printf("  %s, cut at %ld of %ld, fate %d: %s; exit %d: %s\n", s->name, at, j->n, (int)how, what, o.code, o.said);
  return check(!what);
}

static void play(const scene *s, long count) {
  char path[PATH_ROOM];
  board_clear();
  folder_make("start", NULL);
  folder_make("whole", NULL);
  unlink(path_in(path, ".", "journal"));
  outcome o = command_wait(command_start("whole", s->line, "journal"), "whole");
  if (!check_count(o.code, 0)) printf("%s: %s", s->name, o.said);
  journal j = journal_of("journal");
  check_above((double)j.n, 60);
  for (long i = 0; i < (count > 0 ? count : j.n + 1); i++) {
    long at = count > 0 ? draw(j.n + 1) : i;
    for (int how = LOST; how < FATES; how++) for (int again = 0; again < (how < SOME || count ? 1 : 3); again++) cut(s, &j, at, (fate)how);
  }
  free(j.e);
  free(j.all.text);
}

int main(int argc, char **argv) {
  if (stage_begin()) return test_skip("no command, or no library to load before it");
  for (size_t i = 0; i < sizeof scenes/sizeof *scenes; i++) play(&scenes[i], argc > 1 ? atol(argv[1]) : 12);
  printf("%ld cuts: %ld resumed to the same bytes, %ld refused\n", sum.cuts, sum.resumed, sum.refused);
  check_above((double)sum.resumed, (double)sum.cuts/3);
  stage_end();
  return test_done();
}
