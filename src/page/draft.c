/* draft.c - beside its place under a name of its own, which nobody else has: no link is followed and no file is written over
 *
 * The writer holds a lock on it, so that what a killed one left can be told from what is being written, and goes with the next. */
#include "draft.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char mark[] = ".epicycle-";

static char *joined(const char *words, const char *path, long number)
{
  int n = snprintf(NULL, 0, words, path, mark, number);
  char *all = malloc((size_t)n + 1);
  if (all) snprintf(all, (size_t)n + 1, words, path, mark, number);
  return all;
}

/* the place behind a link of the user's */
static char *place_of(const char *path)
{
  struct stat s;
  char *real = !lstat(path, &s) && S_ISLNK(s.st_mode) ? realpath(path, NULL) : NULL;
  return real ? real : strdup(path);
}

/* 1: name is that of a draft of file */
static int is_draft(const char *name, const char *file)
{
  size_t n = strlen(file), m = strlen(mark);
  if (strncmp(name, file, n) || strncmp(name + n, mark, m)) return 0;
  const char *rest = name + n + m;
  size_t digits = strspn(rest, "0123456789");
  return digits && !strcmp(rest + digits, ".new");
}

/* those of writers that were killed: nobody holds their lock */
static void clear_left(const epi_draft *draft)
{
  const char *slash = strrchr(draft->path, '/'), *file = slash ? slash + 1 : draft->path;
  DIR *d = opendir(draft->folder);
  for (const struct dirent *e; d && (e = readdir(d)); ) {
    if (!is_draft(e->d_name, file)) continue;
    int fd = openat(dirfd(d), e->d_name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0 && !flock(fd, LOCK_EX | LOCK_NB)) unlinkat(dirfd(d), e->d_name, 0);
    if (fd >= 0) close(fd);
  }
  if (d) closedir(d);
}

/* who clears away may have taken it before it was locked */
static int mine(int fd)
{
  struct stat s;
  int locked = !flock(fd, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK;
  if (locked && !fstat(fd, &s) && s.st_nlink) return 1;
  close(fd);
  return 0;
}

static int open_fresh(epi_draft *d, const struct stat *old)
{
  int fd = -1;
  for (long k = 0; fd < 0 && k < 100; k++) {
    free(d->fresh);
    d->fresh = joined("%s%s%ld.new", d->path, (long)getpid()*100 + k);
    if (!d->fresh) return errno = ENOMEM, -1;
    fd = open(d->fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd < 0 && errno != EEXIST) return -1;
    if (fd >= 0 && !mine(fd)) fd = -1;
  }
  if (fd >= 0 && old) (void)fchmod(fd, old->st_mode & 0777);
  return fd;
}

/* in a folder that cannot be written to, a file that can be is written as it is */
static int open_it(epi_draft *d)
{
  struct stat s;
  int there = !stat(d->path, &s), plain = !there || S_ISREG(s.st_mode);
  int fd = plain ? open_fresh(d, there ? &s : NULL) : -1;
  if (fd >= 0 || (plain && !(there && (errno == EACCES || errno == EPERM)))) return fd;
  free(d->fresh);
  d->fresh = NULL;
  return open(d->path, O_WRONLY | (plain ? O_TRUNC : 0) | O_NOCTTY | O_CLOEXEC);
}

static char *folder_of(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
}

static void clear(epi_draft *d)
{
  free(d->fresh);
  free(d->path);
  free(d->folder);
  *d = (epi_draft){0};
}

int epi_draft_begin(epi_draft *d, const char *path)
{
  int fd = -1;
  *d = (epi_draft){.path = place_of(path)};
  d->folder = d->path ? folder_of(d->path) : NULL;
  if (d->folder) {
    clear_left(d);
    fd = open_it(d);
  } else errno = ENOMEM;
  d->f = fd >= 0 ? fdopen(fd, "w") : NULL;
  if (d->f) return 0;
  int why = errno;
  if (fd >= 0) {
    close(fd);
    if (d->fresh) unlink(d->fresh);
  }
  clear(d);
  errno = why;
  return -1;
}

/* a new name is on the disk only when its folder is */
static void sync_folder(const char *folder)
{
  int fd = open(folder, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  fsync(fd);
  close(fd);
}

int epi_draft_place(epi_draft *d)
{
  if (fflush(d->f) || ferror(d->f)) return -1;
  if (!d->fresh) return 0;
  if (fsync(fileno(d->f)) && errno != EINVAL && errno != EROFS && errno != ENOTSUP) return -1;
  if (rename(d->fresh, d->path)) return -1;
  sync_folder(d->folder);
  free(d->fresh);
  d->fresh = NULL;
  return 0;
}

int epi_draft_end(epi_draft *d, int bad)
{
  if (d->f) {
    errno = bad ? errno : 0;
    if (!bad) bad = epi_draft_place(d);
    int why = errno;
    if (d->fresh) unlink(d->fresh);
    if (fclose(d->f) && !bad) bad = -1, why = errno;
    errno = why;
  }
  clear(d);
  return bad ? -1 : 0;
}
