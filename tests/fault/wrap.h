/* wrap.h - every allocation and every write of the library comes through here, is counted, and fails on demand.
 * The linker renames the calls (--wrap=malloc and so on); calls that libc makes inside itself are not touched. */
#ifndef WRAP_H
#define WRAP_H
#include "test.h"
#include "faults.h"
#include <errno.h>

void *__real_malloc(size_t);
void *__real_calloc(size_t, size_t);
void *__real_realloc(void *, size_t);
void __real_free(void *);
size_t __real_fwrite(const void *, size_t, size_t, FILE *);
int __real_fflush(FILE *);
void *__wrap_malloc(size_t);
void *__wrap_calloc(size_t, size_t);
void *__wrap_realloc(void *, size_t);
void __wrap_free(void *);
char *__wrap_strdup(const char *);
char *__wrap_strndup(const char *, size_t);
size_t __wrap_fwrite(const void *, size_t, size_t, FILE *);
int __wrap_fflush(FILE *);

#define LIVE_ROOM 20000
static struct {
  faults memory, disk;
  long live;                           /* blocks not freed yet */
  void *block[LIVE_ROOM];
} wrap;

static inline void *wrap_born(void *p) {
  if (p && wrap.live < LIVE_ROOM) wrap.block[wrap.live++] = p;
  return p;
}

/* blocks that libc made are not ours to count */
static inline void wrap_died(const void *p) {
  for (long i = wrap.live - 1; i >= 0 && p; i--)
    if (wrap.block[i] == p) { wrap.block[i] = wrap.block[--wrap.live]; return; }
}

void *__wrap_malloc(size_t n) { return faults_refuse(&wrap.memory) ? NULL : wrap_born(__real_malloc(n)); }
void *__wrap_calloc(size_t n, size_t size) { return faults_refuse(&wrap.memory) ? NULL : wrap_born(__real_calloc(n, size)); }
void __wrap_free(void *p) { wrap_died(p); __real_free(p); }

void *__wrap_realloc(void *old, size_t n) {
  if (faults_refuse(&wrap.memory)) return NULL;
  wrap_died(old);
  return wrap_born(__real_realloc(old, n));
}

char *__wrap_strndup(const char *s, size_t n) {
  size_t m = strnlen(s, n);
  char *p = __wrap_malloc(m + 1);
  if (p) memcpy(p, s, m), p[m] = 0;
  return p;
}
char *__wrap_strdup(const char *s) { return __wrap_strndup(s, strlen(s)); }

size_t __wrap_fwrite(const void *p, size_t size, size_t n, FILE *file) {
  if (!faults_refuse(&wrap.disk)) return __real_fwrite(p, size, n, file);
  errno = ENOSPC;
  return 0;
}

int __wrap_fflush(FILE *file) {
  if (!faults_refuse(&wrap.disk)) return __real_fflush(file);
  errno = ENOSPC;
  return EOF;
}

/* one run of act with the k-th call failing, then the next k, until none fails; act answers the sentence, "" for success */
typedef void wrap_act(const void *what, char *said, size_t size);

static inline void wrap_trial(faults *f, long k, int kind, wrap_act *act, const void *what, char *said, size_t size) {
  *f = (faults){.at = k, .kind = kind};
  said[0] = 0;
  act(what, said, size);
  f->at = 0;
}

/* the sentence must name the cause, and nothing may be left behind; returns how many calls could fail */
static inline long wrap_sweep(faults *f, const char *name, const char *cause, wrap_act *act, const void *what) {
  char said[400];
  long points = 0, before = wrap.live;
  for (int kind = ONCE; kind < KINDS; kind++) {
    long k = 1;
    for (; k < 10000; k++) {
      wrap_trial(f, k, kind, act, what, said, sizeof said);
      int clean = check_count(wrap.live, before);
      if (!f->refused) { check_text(said, ""); break; }
      int named = check_has(said, cause);
      if (!clean || !named) { printf("  in %s, call %ld%s fails\n", name, k, kind == ONCE ? "" : " and all after it"); return k; }
    }
    points += k - 1;
    check_below((double)k, 9999);
  }
  return points;
}
#endif
