#!/usr/bin/env bash
# holds: where memory runs out while a checkpoint is read, resume ends with a sentence or the bytes of the whole run
# short-memory.sh EPICYCLE - memory runs out at one place after the other while a checkpoint is read: resume ends with a sentence or with
# the bytes of the whole run, and what failed can be resumed again
# label: plain   label: long
# cost: 60
set -u
: "${CC:=cc}"
. "$(dirname "$0")/../common/command.sh"
cat > short.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
/* from the moment that the checkpoint is open, which is what FILE of fopen is for, the K-th malloc fails */
static long left = -1;
void *malloc(size_t n)
{
  static void *(*real)(size_t);
  if (!real) real = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
  if (left <= 0 || --left) return real(n);
  errno = ENOMEM;
  return NULL;
}
typedef struct _IO_FILE FILE;
FILE *fopen(const char *path, const char *mode)
{
  FILE *(*real)(const char *, const char *) = (FILE *(*)(const char *, const char *))dlsym(RTLD_NEXT, "fopen");
  FILE *f = real(path, mode);
  if (left < 0 && path && !strcmp(path, "p")) left = atol(getenv("SHORT_AT"));
  return f;
}
C
$CC -shared -fPIC -O1 short.c -o short.so -ldl 2> err || { echo "no shared object can be made here: $(cat err)"; exit 77; }
long="run kepler --flow verlet --step 1e-4 --every 0.05"
far=$("$e" $long --end 200 --json | awk -F'[:,]' '/"wall_s"/ { n = int(200*0.4/$2); print n < 20 ? 20 : n }')
"$e" $long --end "$far" --out whole.csv --quiet || exit 1
"$e" $long --end "$far" --out p.csv --checkpoint p --checkpoint-every 0.01 --quiet & pid=$!
for k in $(seq 6000); do [ -s p ] && [ "$(wc -c < p)" -gt 4000 ] && break; sleep 0.01; done
kill -KILL $pid 2> gone; wait $pid 2> gone
cp p p0; cp p.csv p0.csv
ended=0 failures=0
for at in $(seq 1 40); do
  cp p0 p; cp p0.csv p.csv
  SHORT_AT=$at LD_PRELOAD=$dir/short.so "$e" resume p --quiet 2> err; code=$?
  if [ $code -eq 0 ]; then
    ended=$((ended + 1)); holds "call $at: other bytes" cmp -s p.csv whole.csv
  else
    failures=$((failures + 1)); holds "call $at, exit $code: $(cat err)" has err 'memory\|cannot go on\|could not be saved'
    "$e" resume p --quiet 2> err; holds "resumed after call $at: $(cat err)" cmp -s p.csv whole.csv
  fi
done
holds "something failed: $failures of $((failures + ended))" test $failures -gt 5
counted
