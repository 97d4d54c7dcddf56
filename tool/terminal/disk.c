/* disk.c - files: what they are, whether they can be written, whose they are */
#include "terminal.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
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

/* to open a pipe is to wait for its reader, and a device may move: these are only asked */
int disk_writable(const char *path)
{
  struct stat s;
  int there = !lstat(path, &s), fd;
  if (there && !stat(path, &s) && !S_ISREG(s.st_mode) && !S_ISDIR(s.st_mode)) return access(path, W_OK) ? errno : 0;
  if (there) {
    fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    /* a link to what is not there yet */
    if (fd < 0) return errno == ENOENT ? 0 : errno;
    return close(fd) ? errno : 0;
  }
  fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) return errno;
  close(fd);
  remove(path);
  return 0;
}

int disk_taken(const char *path)
{
  int fd = disk_size(path) >= 0 ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  int other = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK;
  if (fd >= 0) close(fd);
  return other;
}

/* while it is held, what opens the pipe for writing does not wait */
int disk_reader(const char *path)
{
  struct stat s;
  if (stat(path, &s) || !S_ISFIFO(s.st_mode)) return 0;
  for (;;) {
    int fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0) return fd;
    if (errno != ENXIO) return 0;
    if (clock_interrupted()) return -1;
    poll(NULL, 0, 20);
  }
}

/* a file is claimed where its name is: one that was renamed in the meantime is another */
int disk_claim(const char *path, int *made)
{
  for (;;) {
    struct stat mine, now;
    *made = 0;
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT && (fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666)) >= 0) *made = 1;
    if (fd < 0 && errno == EEXIST) continue;
    if (fd < 0 && (errno == EACCES || errno == EROFS)) fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return -1;
    if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) {
      close(fd);
      errno = EWOULDBLOCK;
      return -1;
    }
    if (!fstat(fd, &mine) && !stat(path, &now) && mine.st_dev == now.st_dev && mine.st_ino == now.st_ino) return fd;
    close(fd);
  }
}

void disk_release(int lock) { if (lock > 0) close(lock); }

/* words of eight bytes mixed one after the other; the 53 bits that a double holds */
double disk_sum(const char *path)
{
  enum { BLOCK = 65536 };
  FILE *f = fopen(path, "rb");
  if (!f) return 0;
  uint64_t h = 14695981039346656037u, word;
  char *block = need(BLOCK + 8);
  for (size_t n; (n = fread(block, 1, BLOCK, f)) > 0; ) {
    memset(block + n, 0, 8);
    for (size_t i = 0; i < n; i += 8) {
      memcpy(&word, block + i, 8);
      h = (h ^ word)*1099511628211u;
      h ^= h >> 29;
    }
    h ^= n;
  }
  int bad = ferror(f);
  free(block);
  fclose(f);
  return bad ? 0 : (double)(h >> 11) + 1;
}

char *disk_beside(const char *name)
{
  char here[4000];
  ssize_t n = readlink("/proc/self/exe", here, sizeof here - 1);
  here[n > 0 ? n : 0] = 0;
  char *slash = strrchr(here, '/');
  return slash ? text("%.*s/%s", (int)(slash - here), here, name) : NULL;
}
