#!/usr/bin/env bash
# holds: --no-code compiles, loads and runs nothing from outside the library
# no-code.sh EPICYCLE - with --no-code nothing is compiled, loaded or run that is not the library's, whoever names it
set -u
. "$(dirname "$0")/../common/command.sh"
: "${CC:=cc}"
export CC
{ "$e" new pump; echo '#include <unistd.h>
#include <fcntl.h>
static void __attribute__((constructor)) begun(void) { close(creat("begun", 0600)); }'; } > pump.c
cat > brought.c <<'C'
#include "epicycle.h"
#include <fcntl.h>
#include <unistd.h>
static void __attribute__((constructor)) begun(void) { close(creat("begun", 0600)); }
EPI_NAMES = {{0}};
C
printf 'model: pump.c\n' > pump.yaml
# forbidden FILE WORDS ...: refused with one sentence, and the code did not run
forbidden() {
  local file=$1
  shift
  rm -f begun
  says 2 "$file is code, which --no-code forbids" "$@" --no-code
  holds "the code did not run: epicycle $*" test ! -e begun
}
# the trap works: without the option it runs, also where nothing is simulated
"$e" check pump.yaml > o 2> err; holds "check runs constructors: $(cat err)" test -e begun
for verb in run check show; do forbidden pump.c $verb pump.c; done
for verb in run check; do
  forbidden pump.c $verb pump.yaml
  forbidden brought.c $verb kepler --with brought.c
  cp pump.c named.so; forbidden named.so $verb ./named.so
done
printf 'runs:\n  - name: a\n    model: kepler\n  - name: b\n    model: pump.c\n' > two.yaml
forbidden pump.c run two.yaml --quiet
rm -f begun; says 2 'brought.c is code' check pump.yaml --format --with brought.c --no-code; holds "nor for --format" test ! -e begun
"$e" check pump.yaml --format --no-code > o 2> err; holds "a file is written in canonical form without its code" test ! -e begun
# a checkpoint names the code that it goes on with
"$e" run pump.c --flow verlet --step 1e-4 --end 1e5 --out p.csv --checkpoint p --checkpoint-every 0.02 --quiet & pid=$!
wait_until test -s p
nap 0.2; kill -KILL $pid; wait $pid 2> gone
# the model runs in a process of its own, which ends a little later
wait_until flock -n p true; cp p.csv before.csv
forbidden pump.c resume p; holds "nothing was cut" cmp p.csv before.csv
# what has no code runs as ever
"$e" run kepler --out a.csv --quiet; "$e" run kepler --out b.csv --no-code --quiet; holds "models of the library" cmp a.csv b.csv
"$e" show kepler --yaml > kepler.yaml; "$e" run kepler.yaml --no-code --quiet 2> err; holds "model files" test $? -eq 0
"$e" check "$SOURCE/examples/drop.yaml" --no-code > o 2> err; holds "worlds" test $? -eq 0
"$e" show kepler --no-code > o; holds "show" has o '^kepler'
for v in run check resume show; do "$e" help $v > o; holds "$v: the page of help" has o '  --no-code'; done
counted
