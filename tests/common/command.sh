# command.sh - sourced by the tests of the command: $e is the command, the folder is new and goes away, checks are counted.
# At the end of a test: counted
e=$1
case $e in /*) ;; *) e=$PWD/$e ;; esac
: "${SOURCE:=$(cd "$(dirname "$0")/../.." && pwd)}"
dir=$(mktemp -d) || exit 1
# of this shell alone: a child that is ended before it has begun has the same trap
trap '[ "${BASHPID:-$$}" != $$ ] || rm -rf "$dir"' EXIT
cd "$dir" || exit 1
export LC_ALL=C

# stopped SIGNAL WORDS...: the command is told to stop after $soon seconds; on a busy machine that may be before it has begun: then later
stopped() {
  signal=$1 wait=${soon:-0.5} code=255
  shift
  while [ $code -ge 128 ] && [ "${wait%.*}" -lt 200 ]; do
    timeout --preserve-status -s "$signal" "$wait" "$e" "$@"
    code=$?
    wait=$(awk -v x="$wait" 'BEGIN { print 2*x + 0.001 }')
  done
  return $code
}

# composed MODEL FLOW: it is in this build, which SUNDIALS may not be
composed() { "$e" check "$1" --flow "$2" >/dev/null 2>&1; }

# slow_model FILE: a mass on a spring; while there is a file `hold`, every force takes a fiftieth of a second, so that a run which is to be
# stopped is not at its end before, however busy the machine is
slow_model() {
  "$e" new pump | sed 's/#include <math.h>/&\n#include <poll.h>\n#include <unistd.h>/; s/  (void)t;/&\n  if (access("hold", F_OK) == 0) poll(0, 0, 20);/' > "$1"
}
# what runs it: two thousand steps and rows
slowly="run slow.c --flow verlet --step 0.01 --every 0.01 --end 20"

# nap SECONDS: without a process, which may take a second to begin
if [ -n "${BASH_VERSION:-}" ]; then
  mkfifo nap && exec 9<> nap && rm nap
  nap() { read -r -t "$1" -u 9 _ || :; }
  # wait_until COMMAND ...: it succeeds, or ten minutes have passed
  wait_until() { for _ in $(seq 12000); do "$@" && return; nap 0.05; done; }
  # grown CHECKPOINT: it was written a dozen times
  grown() { [ -f "$1" ] && [ "$(wc -c < "$1")" -ge 40000 ]; }
fi

passed=0 failed=0
good() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAILED: $*"; }
# holds WHAT COMMAND ...: the command succeeds
holds() { what=$1; shift; if "$@"; then good; else bad "$what"; fi; }
has() { grep -q -e "$2" "$1"; }
# near GOT WANT REL: relative distance
near() { awk -v a="$1" -v b="$2" -v r="$3" 'BEGIN { d = a - b; if (d < 0) d = -d; m = b < 0 ? -b : b; exit !(a != "" && d <= r*m) }'; }
# says CODE PATTERN WORDS ...: that exit code, one sentence with the pattern
says() {
  local want=$1 pattern=$2 code
  shift 2
  "$e" "$@" > o 2> err; code=$?
  holds "exit $code, not $want, or no '$pattern' in '$(cat err)': epicycle $*" \
    test "$code" -eq "$want" -a "$(grep -c '^epicycle: ' err)" -eq 1 -a "$(grep -c -e "$pattern" err)" -eq 1
}
counted() { echo "$passed checks passed, $failed failed"; [ "$failed" = 0 ]; }
