/* disk.c - files that survive the end of the process */
#include "tool.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* pipes and devices cannot be synchronised, and need not be */
int disk_sync(FILE *f)
{
  if (fflush(f)) return -1;
  return fsync(fileno(f)) && errno != EINVAL && errno != EROFS && errno != ENOTSUP ? -1 : 0;
}

long long disk_size(const char *path)
{
  struct stat s;
  if (stat(path, &s)) return errno == ENOENT ? -1 : -2;
  return S_ISREG(s.st_mode) ? (long long)s.st_size : -2;
}

/* of files that are not there yet only the names can be compared */
int disk_same(const char *one, const char *other)
{
  struct stat a, b;
  while (!strncmp(one, "./", 2)) one += 2;
  while (!strncmp(other, "./", 2)) other += 2;
  if (!strcmp(one, other)) return 1;
  return !stat(one, &a) && !stat(other, &b) && S_ISREG(a.st_mode) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* a new name is on the disk only when its folder is */
static void sync_folder(const char *path)
{
  char *folder = text("%s", path), *slash = strrchr(folder, '/');
  if (slash) slash[slash == folder] = 0;
  int d = open(slash ? folder : ".", O_RDONLY);
  if (d >= 0) {
    fsync(d);
    close(d);
  }
  free(folder);
}

int disk_replace(const char *with, const char *path)
{
  if (rename(with, path)) return -1;
  sync_folder(path);
  return 0;
}

/* Fowler, Noll and Vo's hash, the 53 bits that a double holds */
double disk_sum(const char *path)
{
  FILE *f = fopen(path, "rb");
  if (!f) return 0;
  unsigned long long h = 14695981039346656037u;
  for (int c; (c = fgetc(f)) != EOF; ) h = (h ^ (unsigned)c)*1099511628211u;
  fclose(f);
  return (double)(h >> 11) + 1;
}
