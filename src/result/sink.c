/* sink.c - a file of whole rows: printed into memory, written some at a time, cut where one ends when the disk is full
 *
 * It belongs to one run at a time, by a lock that ends with the process, and a sum is kept of all that was written: a checkpoint knows
 * by it whether the file is still the one that it speaks of. */
#define _XOPEN_SOURCE 700
#include "recorder.h"
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BATCH = 4096, MOST_ENDS = BATCH };        /* a row is a byte at least */

/* pairs of words are mixed in one after the other, so it does not depend on how the bytes came */
enum { PAIR = 16 };
typedef struct tally { uint64_t h; char part[PAIR]; int n; } tally;

struct epi_sink {
  int fd, lent, plain, made, begun;    /* lent: the stream is the caller's; made: the file was not there before */
  int trouble;                         /* errno of the first write that failed */
  FILE *f;                             /* where rows are printed: memory, or that stream */
  char *text;
  size_t size;
  const char *path;
  long long at, older;                 /* where what was printed goes; where the last but one row before that ended, or -1 */
  long long marked;                    /* rows up to here stay, whatever happens: a checkpoint speaks of them */
  long rows;                           /* that are in the file: since it was opened */
  long long from;                      /* where the sum begins */
  tally sum;
  int n;
  size_t end[MOST_ENDS];               /* of rows in memory */
};

/* ---- the sum ---- */
static uint64_t mixed(uint64_t h, const char *pair)
{
  uint64_t a, b;
  memcpy(&a, pair, 8);
  memcpy(&b, pair + 8, 8);
  h = ((h ^ a)*0x9E3779B97F4A7C15u) ^ b*0xC2B2AE3D27D4EB4Fu;
  return h ^ h >> 29;
}

static void tally_add(tally *t, const char *x, size_t n)
{
  for (; n && t->n; n--) {
    t->part[t->n++] = *x++;
    if (t->n < PAIR) continue;
    t->h = mixed(t->h, t->part);
    memset(t->part, 0, PAIR);
    t->n = 0;
  }
  for (; n >= PAIR; n -= PAIR, x += PAIR) t->h = mixed(t->h, x);
  for (; n; n--) t->part[t->n++] = *x++;
}

/* never 0, which means that it is not known */
static unsigned long long tally_end(const tally *t)
{
  char count[PAIR] = {(char)(t->n + 1)};
  return mixed(mixed(t->h, t->part), count) | 1;
}

unsigned long long epi_sink_sum(const epi_sink *s) { return s->lent ? 0 : tally_end(&s->sum); }

/* ---- opening ---- */
static int open_file(const char *path, epi_sink_use use, int *made)
{
  struct stat is;
  int flags = O_CLOEXEC | O_NOCTTY, known = !stat(path, &is), fd = -1;
  *made = 0;
  if (known && !S_ISREG(is.st_mode)) return open(path, O_WRONLY | flags);
  if (use == EPI_GO_ON) return open(path, O_RDWR | flags);
  if (!known && (fd = open(path, O_RDWR | O_CREAT | O_EXCL | flags, 0666)) >= 0) return *made = 1, fd;
  fd = open(path, O_RDWR | O_CREAT | flags, 0666);
  return fd < 0 && errno == EACCES ? open(path, O_WRONLY | flags) : fd;
}

/* where a file system knows no locks there are none */
static int taken(int fd) { return flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK; }

static epi_sink *refuse(epi_sink *s, char *why, size_t size, const char *words)
{
  snprintf(why, size, words, s->path, strerror(errno));
  epi_sink_close(s);
  return NULL;
}

epi_sink *epi_sink_open(const char *path, FILE *lent, epi_sink_use use, char *why, size_t size, epi_cause *cause)
{
  struct stat is;
  epi_sink *s = calloc(1, sizeof *s);
  *cause = EPI_MEMORY;
  if (!s) return snprintf(why, size, "out of memory: the rows could not be opened"), NULL;
  *s = (epi_sink){.fd = -1, .path = path, .f = lent, .lent = lent != NULL, .older = -1};
  if (lent) return s;
  *cause = use == EPI_GO_ON ? EPI_BAD_FILE : EPI_ROWS_FILE;
  s->fd = open_file(path, use, &s->made);
  if (s->fd < 0 && use == EPI_GO_ON)
    return refuse(s, why, size, "cannot go on with the output %s: %s; put it back, or resume in the folder of the run");
  if (s->fd < 0) return refuse(s, why, size, "cannot write %s: %s; choose another place");
  s->plain = !fstat(s->fd, &is) && S_ISREG(is.st_mode);
  if (s->plain && taken(s->fd))
    return refuse(s, why, size, use == EPI_GO_ON ? "another run is writing %s: wait for its end"
                  : "another run is writing %s: wait for its end, or choose another place");
  *cause = EPI_MEMORY;
  if (!(s->f = open_memstream(&s->text, &s->size))) return refuse(s, why, size, "out of memory: %s could not be opened");
  return s;
}

FILE *epi_sink_stream(epi_sink *s) { return s->f; }

int epi_sink_seeks(const epi_sink *s) { return !s->lent && lseek(s->fd, 0, SEEK_CUR) >= 0; }

void epi_sink_trouble(epi_sink *s, int which) { if (!s->trouble) s->trouble = which ? which : EIO; }

int epi_sink_troubled(const epi_sink *s) { return s->trouble; }

/* ---- the file as it is ---- */
int epi_sink_same(epi_sink *s, long long from, long long bytes, unsigned long long sum, char *why, size_t size)
{
  char room[BATCH];
  struct stat is = {0};
  s->from = from;
  if (s->lent) return 0;
  if (!s->plain)
    return snprintf(why, size, "the output %s is not a file and cannot be cut back to its checkpoint: run again", s->path), -1;
  if (fstat(s->fd, &is) || is.st_size < bytes)
    return snprintf(why, size, "the output %s is shorter (%lld bytes) than its checkpoint says (%lld): put the whole file back, or run "
                    "again", s->path, (long long)is.st_size, bytes), -1;
  s->sum = (tally){0};
  for (long long at = from; at < bytes; ) {
    ssize_t n = pread(s->fd, room, (size_t)(bytes - at < BATCH ? bytes - at : BATCH), (off_t)at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return snprintf(why, size, "cannot read the output %s: %s", s->path, n ? strerror(errno) : "it has become shorter"), -1;
    tally_add(&s->sum, room, (size_t)n);
    at += n;
  }
  if (!sum || tally_end(&s->sum) == sum) return 0;
  return snprintf(why, size, "the output %s is not what this run wrote into it: another run or program has changed it; put the file back, "
                  "or run again", s->path), -1;
}

/* a place that cannot be gone to leaves the file as it is */
static int cut(epi_sink *s)
{
  return s->plain && (lseek(s->fd, (off_t)s->at, SEEK_SET) < 0 || ftruncate(s->fd, (off_t)s->at)) ? -1 : 0;
}

int epi_sink_begin(epi_sink *s, long long from, long long bytes)
{
  if (s->lent) return 0;
  s->begun = 1;
  s->from = from;
  s->at = s->marked = bytes;
  if (!cut(s)) return 0;
  epi_sink_trouble(s, errno);
  return -1;
}

/* ---- writing ---- */
static size_t put(epi_sink *s, const char *x, size_t n)
{
  size_t done = 0;
  while (done < n) {
    ssize_t k = write(s->fd, x + done, n - done);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) { epi_sink_trouble(s, errno); break; }
    done += (size_t)k;
  }
  return done;
}

/* rows that are whole among the first bytes of what is in memory */
static void take(epi_sink *s, size_t bytes)
{
  int k = s->n;
  while (k && s->end[k-1] > bytes) k--;
  if (k) {
    size_t skip = s->at < s->from ? (size_t)(s->from - s->at) : 0, good = s->end[k-1];
    if (skip < good) tally_add(&s->sum, s->text + skip, good - skip);
    s->older = k > 1 ? s->at + (long long)s->end[k-2] : s->at > 0 ? s->at : -1;
    s->at += (long long)good;
    s->rows += k;
  }
  s->n = 0;
  if (fseeko(s->f, 0, SEEK_SET)) epi_sink_trouble(s, errno);
}

int epi_sink_flush(epi_sink *s)
{
  if (fflush(s->f) || ferror(s->f)) epi_sink_trouble(s, errno);
  if (s->lent) return s->trouble;
  if (s->n && s->end[s->n-1] > s->size) epi_sink_trouble(s, ENOMEM);
  size_t whole = s->n ? s->end[s->n-1] : 0, done = put(s, s->text, whole < s->size ? whole : s->size);
  take(s, done);
  /* half a row is none */
  if (done < whole) cut(s);
  return s->trouble;
}

int epi_sink_row(epi_sink *s, size_t length)
{
  if (s->lent && ferror(s->f)) epi_sink_trouble(s, errno);
  if (s->lent || s->trouble) return s->trouble;
  size_t end = s->n ? s->end[s->n-1] : 0;
  if (!length) {
    if (fflush(s->f)) return epi_sink_trouble(s, errno), s->trouble;
    length = s->size - end;
  }
  s->end[s->n++] = end += length;
  return end >= BATCH || s->n == MOST_ENDS ? epi_sink_flush(s) : 0;
}

/* over what stands there: that needs no room */
static void put_at(epi_sink *s, const char *x, size_t size, long long at)
{
  for (size_t done = 0; done < size; ) {
    ssize_t k = pwrite(s->fd, x + done, size - done, (off_t)at + (off_t)done);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) { epi_sink_trouble(s, errno); return; }
    done += (size_t)k;
  }
}

void epi_sink_head(epi_sink *s, const char *head, size_t size) { put_at(s, head, size, 0); }

/* the end has its room from now on: rows go over it */
void epi_sink_mark(epi_sink *s, const char *tail)
{
  if (!s->plain || s->trouble) return;
  put_at(s, tail, strlen(tail), s->at);
  if (!s->trouble) s->marked = s->at;
}

/* where there is no room for it, the last row makes some */
int epi_sink_tail(epi_sink *s, const char *tail)
{
  size_t n = strlen(tail);
  if (s->lent) return fputs(tail, s->f) < 0 ? -1 : 0;
  for (int k = 0; k < 2 && put(s, tail, n) < n && s->plain; k++) {
    if (k == 0 && s->older >= 0 && s->older >= s->marked) {
      s->at = s->older;
      s->rows--;
    }
    cut(s);
  }
  return s->trouble ? -1 : 0;
}

long epi_sink_rows(const epi_sink *s) { return s->rows; }
long long epi_sink_bytes(const epi_sink *s) { return s->lent ? 0 : s->at; }

/* pipes and devices cannot be synchronised, and need not be */
int epi_sink_sync(epi_sink *s)
{
  if (epi_sink_flush(s)) return s->trouble;
  errno = 0;
  if (fsync(s->lent ? fileno(s->f) : s->fd) && errno != EINVAL && errno != EROFS && errno != ENOTSUP) epi_sink_trouble(s, errno);
  return s->trouble;
}

int epi_sink_close(epi_sink *s)
{
  if (s->lent) epi_sink_flush(s);
  else {
    if (s->f) fclose(s->f);
    free(s->text);
    /* what was refused leaves nothing */
    if (s->made && !s->begun) unlink(s->path);
    if (s->fd >= 0 && close(s->fd) && errno != EINTR) epi_sink_trouble(s, errno);
  }
  int bad = s->trouble;
  free(s);
  return bad;
}
