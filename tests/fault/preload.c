/* preload.c - stands between the command and libc: every allocation and every operation on files comes through here, is counted, and
 * fails, is cut short or kills the process on demand; a journal tells what was done to the disk, and the clock goes as told.
 * Streams of libc call the system inside libc: here they are streams with functions of our own. Only `epicycle` is touched, and the
 * program of the papers, which it becomes; not what it starts. */
#define _GNU_SOURCE
#include "board.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { STREAMS = 256 };
static board *b;
static int journal = -1;
static struct { FILE *f; int fd; } streams[STREAMS];

/* ---- the system itself ---- */
static int sys_open(const char *path, int flags, mode_t mode) { return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode); }
static ssize_t sys_write(int fd, const void *x, size_t n) { return syscall(SYS_write, fd, x, n); }
static off_t sys_seek(int fd, off_t at, int from) { return (off_t)syscall(SYS_lseek, fd, at, from); }
static int sys_close(int fd) { return (int)syscall(SYS_close, fd); }

static long long size_of(int fd) {
  struct stat s;
  return fstat(fd, &s) || !S_ISREG(s.st_mode) ? -1 : (long long)s.st_size;
}

/* ---- faults, kills, the journal ---- */
static int refuses(operation o) {
  if (!b || !faults_refuse(&b->of[o]) || !b->error) return 0;
  errno = b->error;
  return 1;
}

static void die(void) {
  b->kills++;
  raise(SIGKILL);
}

/* counted once for an operation; whether it is the one at which to die */
static int doomed(void) { return b && ++b->changes == b->kill_at; }

static void tell(int what, int fd, long long at, long long size, const void *content, long length) {
  if (journal < 0) return;
  int kept = errno;
  entry e = {.what = what, .fd = fd, .at = at, .size = size, .length = length};
  size_t rest = (size_t)(entry_room(length) - length);
  int bad = sys_write(journal, &e, sizeof e) != sizeof e || (length && sys_write(journal, content, (size_t)length) != length);
  if (bad || (rest && sys_write(journal, "\0\0\0\0\0\0\0", rest) != (ssize_t)rest)) abort();
  errno = kept;
}

/* a change of names */
#define CHANGE(operation, act, ...) do { \
    if (refuses(operation)) return -1; \
    int last = doomed(); \
    if (last && b->kill_when == BEFORE) die(); \
    int bad = (int)(act); \
    if (!bad) __VA_ARGS__; \
    if (last) die(); \
    return bad; \
  } while (0)

static void tell_names(int what, const char *one, const char *other) {
  char names[8192];
  int n = snprintf(names, sizeof names, "%s%c%s", one, 0, other);
  tell(what, -1, 0, 0, names, n + 1);
}

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv(BOARD), *book = getenv(JOURNAL);
  const char *name = program_invocation_short_name;
  if (!path || (strcmp(name, "epicycle") && strcmp(name, "epicycle-papers"))) return;
  int fd = sys_open(path, O_RDWR, 0);
  void *seen = fd < 0 ? MAP_FAILED : mmap(NULL, sizeof *b, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (seen == MAP_FAILED) abort();
  sys_close(fd);
  if (book) {
    int low = sys_open(book, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    journal = fcntl(low, F_DUPFD_CLOEXEC, 600);
    sys_close(low);
  }
  /* what is written to standard output can fail as well */
  FILE *out = fdopen(1, "w");
  if (out) stdout = out;
  b = seen;
}

/* ---- memory ---- */
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t), *__libc_memalign(size_t, size_t);
void *malloc(size_t n) { return refuses(MEMORY) ? NULL : __libc_malloc(n); }
void *calloc(size_t n, size_t size) { return refuses(MEMORY) ? NULL : __libc_calloc(n, size); }
void *realloc(void *p, size_t n) { return refuses(MEMORY) ? NULL : __libc_realloc(p, n); }
void *aligned_alloc(size_t by, size_t n) { return refuses(MEMORY) ? NULL : __libc_memalign(by, n); }

/* ---- files by number ---- */
int open(const char *path, int flags, ...) {
  mode_t mode = 0;
  if (flags & (O_CREAT | __O_TMPFILE)) {
    va_list more;
    va_start(more, flags);
    mode = va_arg(more, mode_t);
    va_end(more);
  }
  if (refuses(OPEN)) return -1;
  int last = flags & (O_CREAT | O_TRUNC) && doomed();
  if (last && b->kill_when == BEFORE) die();
  int fd = sys_open(path, flags, mode);
  if (fd >= 0) tell(OPEN, fd, flags, 0, path, (long)strlen(path) + 1);
  if (last) die();
  return fd;
}
int open64(const char *, int, ...) __attribute__((alias("open")));

int close(int fd) {
  int no = refuses(CLOSE);
  tell(CLOSE, fd, 0, 0, NULL, 0);
  /* what could not be closed is closed all the same */
  int bad = sys_close(fd);
  if (no) errno = b->error;
  return no ? -1 : bad;
}

/* how much of n bytes the disk takes: overwriting needs no room */
static size_t fitting(int fd, size_t n, long long at) {
  long long size = size_of(fd);
  if (!b || b->room < 0 || size < 0) return n;
  long long grows = at + (long long)n - size;
  if (grows <= 0) return n;
  long long fits = grows <= b->room ? grows : b->room;
  b->room -= fits;
  return n - (size_t)(grows - fits);
}

/* at a place, or where the file stands: -1 */
static ssize_t put(int fd, const void *x, size_t n, off_t place) {
  long refused = b ? b->of[WRITE].refused : 0;
  if (refuses(WRITE)) return -1;
  /* no error is asked for: the system took half of it */
  if (b && b->of[WRITE].refused > refused && n > 1) n /= 2;
  if (fcntl(fd, F_GETFL) & O_APPEND) sys_seek(fd, 0, SEEK_END);
  long long at = place >= 0 ? place : sys_seek(fd, 0, SEEK_CUR);
  size_t fits = fitting(fd, n, at);
  if (n && !fits) {
    b->of[WRITE].refused++;
    errno = ENOSPC;
    return -1;
  }
  int last = size_of(fd) >= 0 && doomed();
  if (last && b->kill_when == BEFORE) die();
  if (last && b->kill_when == AMID && fits > 1) fits /= 2;
  ssize_t done = place >= 0 ? syscall(SYS_pwrite64, fd, x, fits, place) : sys_write(fd, x, fits);
  if (done > 0) tell(WRITE, fd, at, done, x, done);
  if (last) die();
  return done;
}

ssize_t write(int fd, const void *x, size_t n) { return put(fd, x, n, -1); }
ssize_t pwrite(int fd, const void *x, size_t n, off_t at) { return put(fd, x, n, at); }
ssize_t pwrite64(int, const void *, size_t, off_t) __attribute__((alias("pwrite")));
ssize_t pread(int fd, void *x, size_t n, off_t at) { return refuses(READ) ? -1 : syscall(SYS_pread64, fd, x, n, at); }
ssize_t pread64(int, void *, size_t, off_t) __attribute__((alias("pread")));
ssize_t read(int fd, void *x, size_t n) { return refuses(READ) ? -1 : syscall(SYS_read, fd, x, n); }
off_t lseek(int fd, off_t at, int from) { return refuses(SEEK) ? -1 : sys_seek(fd, at, from); }
off_t lseek64(int, off_t, int) __attribute__((alias("lseek")));
int fsync(int fd) { CHANGE(SYNC, syscall(SYS_fsync, fd), tell(SYNC, fd, 0, 0, NULL, 0)); }
int fdatasync(int) __attribute__((alias("fsync")));

int ftruncate(int fd, off_t size) {
  long long before = size_of(fd);
  if (b && b->room >= 0 && before > size) b->room += before - size;
  CHANGE(CUT, syscall(SYS_ftruncate, fd, size), tell(CUT, fd, size, 0, NULL, 0));
}
int ftruncate64(int, off_t) __attribute__((alias("ftruncate")));

/* ---- files by name ---- */
int rename(const char *from, const char *to) {
  CHANGE(RENAME, syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0), tell_names(RENAME, from, to));
}
int unlink(const char *path) { CHANGE(REMOVE, syscall(SYS_unlinkat, AT_FDCWD, path, 0), tell_names(REMOVE, path, "")); }
int rmdir(const char *path) { CHANGE(REMOVE, syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR), (void)0); }
int remove(const char *path) {
  struct stat s;
  return !lstat(path, &s) && S_ISDIR(s.st_mode) ? rmdir(path) : unlink(path);
}
int mkdir(const char *path, mode_t mode) { CHANGE(FOLDER, syscall(SYS_mkdirat, AT_FDCWD, path, mode), (void)0); }

char *mkdtemp(char *name) {
  if (refuses(FOLDER)) return NULL;
  char *(*real)(char *) = (char *(*)(char *))dlsym(RTLD_NEXT, "mkdtemp");
  return real(name);
}
int mkstemp(char *name) {
  if (refuses(OPEN)) return -1;
  int (*real)(char *) = (int (*)(char *))dlsym(RTLD_NEXT, "mkstemp");
  return real(name);
}

/* ---- streams ---- */
static int fd_of(void *cookie) { return (int)((char *)cookie - (char *)0) - 1; }
static ssize_t stream_read(void *cookie, char *x, size_t n) { return read(fd_of(cookie), x, n); }
static int stream_close(void *cookie) { return close(fd_of(cookie)); }

/* as libc does: what was taken in part is offered again, an error ends it */
static ssize_t stream_write(void *cookie, const char *x, size_t n) {
  size_t done = 0;
  while (done < n) {
    ssize_t k = write(fd_of(cookie), x + done, n - done);
    if (k < 0) break;
    done += (size_t)k;
  }
  return (ssize_t)done;
}

static int stream_seek(void *cookie, off64_t *at, int from) {
  off_t there = lseek(fd_of(cookie), *at, from);
  if (there >= 0) *at = there;
  return there < 0 ? -1 : 0;
}

FILE *fdopen(int fd, const char *mode) {
  FILE *f = fopencookie((char *)0 + fd + 1, mode, (cookie_io_functions_t){stream_read, stream_write, stream_seek, stream_close});
  for (int i = 0; f && i < STREAMS; i++)
    if (!streams[i].f || streams[i].f == f) {
      streams[i].f = f;
      streams[i].fd = fd;
      break;
    }
  return f;
}

FILE *fopen(const char *path, const char *mode) {
  int plus = strchr(mode, '+') != NULL, kind = plus ? O_RDWR : *mode == 'r' ? O_RDONLY : O_WRONLY;
  int flags = kind | (*mode == 'w' ? O_CREAT | O_TRUNC : *mode == 'a' ? O_CREAT | O_APPEND : 0) | (strchr(mode, 'x') ? O_EXCL : 0);
  int fd = open(path, flags, 0666);
  FILE *f = fd < 0 ? NULL : fdopen(fd, mode);
  if (fd >= 0 && !f) sys_close(fd);
  return f;
}
FILE *fopen64(const char *, const char *) __attribute__((alias("fopen")));

int fileno(FILE *f) {
  for (int i = STREAMS - 1; i >= 0; i--) if (streams[i].f == f) return streams[i].fd;
  int (*real)(FILE *) = (int (*)(FILE *))dlsym(RTLD_NEXT, "fileno");
  return real(f);
}

/* ---- the clock ---- */
int clock_gettime(clockid_t which, struct timespec *t) {
  if (!b || !b->tick) return (int)syscall(SYS_clock_gettime, which, t);
  b->now += b->tick;
  *t = (struct timespec){.tv_sec = 1000 + b->now/1000000000, .tv_nsec = b->now%1000000000};
  return 0;
}
