/* pack.c - what can only be written when all of it is known: the rows of a run come from the .npy that it wrote on the way */
#include "pack.h"
#include "page/draft.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NPY_HEAD = 128 };

typedef struct format { const char *ending; int (*write)(const pack *, FILE *, const char *path, char *why, size_t); } format;
static const format formats[] = {{".npz", npz_write}, {".h5", hdf5_write}, {".hdf5", hdf5_write}};

static const format *format_of(const char *path)
{
  for (size_t i = 0; i < sizeof formats/sizeof *formats; i++) if (ends_with(path, formats[i].ending)) return &formats[i];
  return NULL;
}

int pack_ending(const char *path) { return format_of(path) != NULL; }

int pack_scene(const char *path) { return ends_with(path, ".pvd"); }

int pack_possible(const char *path)
{
  char why[400];
  const format *form = format_of(path);
  if (disk_size(path) == -2) return say(REFUSED, "%s is not a plain file, and this format is written as one: give a file, or .csv", path);
  return form && form->write == hdf5_write && hdf5_missing(why, sizeof why) ? say(REFUSED, "%s", why) : 0;
}

/* one would hide the other */
static const char *twice(const pack *p)
{
  for (int i = 0; i < p->lists; i++) {
    const char *name = p->list[i].name;
    if (!strcmp(name, "_columns") || !strcmp(name, "_units") || !strcmp(name, "_parameters") || !strcmp(name, "_about")) return name;
    for (int k = 0; k < i; k++) if (!strcmp(name, p->list[k].name)) return name;
  }
  return NULL;
}

int pack_write(const pack *p, const char *path, char *why, size_t size)
{
  const format *form = format_of(path);
  const char *name = twice(p);
  if (!form) return snprintf(why, size, "%s has no known ending: use .npz or .h5", path), -1;
  if (name) return snprintf(why, size, "cannot write %s: there are two lists of the name %s; use .csv", path, name), -1;
  epi_draft d;
  char reason[400] = "";
  errno = 0;
  int bad = epi_draft_begin(&d, path);
  if (!bad) {
    bad = form->write(p, d.f, d.fresh ? d.fresh : path, reason, sizeof reason);
    if (epi_draft_end(&d, bad)) bad = -1;
  }
  if (bad) snprintf(why, size, "cannot write %s: %s", path, *reason ? reason : strerror(errno ? errno : EIO));
  return bad ? -1 : 0;
}

/* ---- a run ---- */
static pack_list setting_of(const epi_setting *s)
{
  return (pack_list){.name = s->name, .unit = s->unit, .n = 1, .number = s->word ? NULL : &s->value,
                     .word = s->word ? (char *const *)&s->word : NULL};
}

static char *about_of(const epi_result *r)
{
  char *all = NULL;
  size_t n;
  FILE *f = open_memstream(&all, &n);
  if (!f) no_room();
  epi_result_json(r, f);
  if (fclose(f)) no_room();
  return all;
}

static int write_rows(const epi_result *r, const double *rows, const char *path, char *why, size_t size)
{
  pack p = {.lists = r->nout, .parameters = r->nsetting, .list = need((size_t)(r->nout + 1)*sizeof *p.list),
            .parameter = need((size_t)(r->nsetting + 1)*sizeof *p.parameter)};
  char *about = about_of(r);
  p.about = about;
  for (int i = 0; i < r->nout; i++)
    p.list[i] = (pack_list){.name = r->column[i].name, .unit = r->column[i].unit, .n = r->rows, .stride = r->nout, .number = rows + i};
  for (int i = 0; i < r->nsetting; i++) p.parameter[i] = setting_of(&r->setting[i]);
  int bad = pack_write(&p, path, why, size);
  free(about);
  free(p.list);
  free(p.parameter);
  return bad;
}

/* all rows as they stand in their file */
static int take_rows(const epi_result *r, const char *part, const char *path, char *why, size_t size)
{
  struct stat is = {0};
  size_t bytes = NPY_HEAD + (size_t)r->rows*(size_t)r->nout*sizeof(double);
  int fd = open(part, O_RDONLY | O_CLOEXEC);
  void *at = fd >= 0 && !fstat(fd, &is) && is.st_size == (off_t)bytes ? mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
  int bad = at == MAP_FAILED;
  if (bad) snprintf(why, size, "cannot write %s: the rows in %s are not there or not whole", path, part);
  else {
    bad = write_rows(r, (const double *)at + NPY_HEAD/sizeof(double), path, why, size);
    munmap(at, bytes);
  }
  if (fd >= 0) close(fd);
  return bad;
}

int pack_result(job *j, char *why, size_t size)
{
  const char *path = j->ask.pack;
  char *part = j->ask.out, *names = part ? text("%s.columns.txt", part) : NULL;
  int bad = 0;
  /* a run that is to go on keeps its rows as they are */
  if (!strcmp(j->r->status, "interrupted")) return free(names), 0;
  j->r->out = path;
  if (!part && epi_result_draw(j->r)) bad = snprintf(why, size, "%s is not written: %s", path, j->r->error);
  else if (!part) bad = vtk_write(j->r, path, why, size);
  else if (take_rows(j->r, part, path, why, size)) {
    size_t n = strlen(why);
    snprintf(why + n, size - n, "; its rows are in %s", part);
    bad = -1;
  } else {
    remove(part);
    remove(names);
  }
  free(names);
  return bad;
}
