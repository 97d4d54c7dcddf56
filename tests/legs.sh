#!/bin/sh
# legs.sh [LEG ...] - builds and runs the tests, once per leg; the last line counts them all, with those that $COUNTS says were run before.
#   plain    as released: what every change should pass       long      as released: the tests that take their time, the browser
#   checked  address, undefined behaviour and leaks           threads   data races           checked-long  the same, of the long ones
#   foreign  the library on the other architecture: its bits  analysis  defects that a compiler does not look for
#   soak     as released, the tests that run for hours           coverage  lines and branches that the tests run
set -u
cd "$(dirname "$0")/.."
jobs=$(nproc 2>/dev/null || echo 2)
passed=0 failed=0 skipped=0
[ -s "${COUNTS:-}" ] && read -r passed failed skipped <"$COUNTS"
werror=OFF
[ "${CI:-}" = true ] && werror=ON
# what the tests write goes into memory where there is room: a disk that is slow to sync makes them wait for minutes
if [ -z "${TMPDIR:-}" ] && [ "$(df -P -k /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }')" -gt 4000000 ] 2>/dev/null; then
  TMPDIR=$(mktemp -d /dev/shm/epicycle-tests-XXXXXX) || exit
  export TMPDIR
  trap 'rm -rf "$TMPDIR"' EXIT
fi
quiet=
ninja --quiet --version >/dev/null 2>&1 && quiet="-- --quiet"

# build FOLDER TARGET OPTION...
build() {
  folder=$1 target=$2
  shift 2
  mkdir -p "$folder"
  cmake -S . -B "$folder" -G Ninja -DEPICYCLE_WERROR=$werror "$@" >"$folder/configure.log" &&
    cmake --build "$folder" --target "$target" $quiet
}

# count FOLDER: what neither passed nor was skipped has failed, and so has a leg without tests
count() {
  of() { grep -c "<testcase .*status=\"$1\"" "$folder/junit.xml" 2>/dev/null; }
  all=$(of '[a-z]*') good=$(of run) none=$(grep -c '<skipped message="SKIP_RETURN_CODE' "$folder/junit.xml" 2>/dev/null)
  [ "${all:-0}" -gt 0 ] || all=1
  passed=$((passed + good)) skipped=$((skipped + none)) failed=$((failed + all - good - none))
}

# leg NAME FOLDER TARGET "CTEST OPTIONS" OPTION...
leg() {
  name=$1 folder=$2 target=$3 select=$4 began=$(date +%s)
  shift 4
  echo "== $name"
  rm -f "$folder/junit.xml"
  if build "$folder" "$target" "$@"; then
    (cd "$folder" && $prefix ctest -j "$jobs" --output-on-failure --no-tests=error --output-junit junit.xml $select)
    count "$folder"
  else
    echo "$name: the build failed"
    failed=$((failed + 1))
  fi
  echo "== $name: $(($(date +%s) - began)) s"
}

# the thread checker wants its memory where it expects it: addresses must not be random where they can be kept still
still() {
  probe=$(mktemp -d)
  echo 'int main(void) { return 0; }' >"$probe/p.c"
  works() { for i in 1 2 3 4 5 6 7 8; do "$@" >/dev/null 2>&1 || return 1; done; }
  answer=
  if ${CC:-cc} -fsanitize=thread "$probe/p.c" -o "$probe/p" 2>/dev/null; then
    if works setarch -R "$probe/p"; then answer="setarch -R"; elif works "$probe/p"; then answer=env; fi
  fi
  rm -rf "$probe"
  [ -n "$answer" ] && echo "$answer"
}

# absent NAME WHY: a leg that cannot run here; where everything has to be checked that is a failure
absent() {
  echo "== $1: $2"
  if [ "${CI:-}" = true ]; then failed=$((failed + 1)); else skipped=$((skipped + 1)); fi
}

# the other architecture: a compiler for it and a machine that runs what it makes
foreign() {
  case $(uname -m) in
  x86_64) other=aarch64 ;;
  aarch64 | arm64) other=x86_64 ;;
  *) absent foreign "no other architecture is known for $(uname -m)"; return ;;
  esac
  compiler=$other-linux-gnu-gcc root=/usr/$other-linux-gnu
  emulator=$(command -v qemu-$other || command -v qemu-$other-static)
  if [ -z "$emulator" ] || ! command -v $compiler >/dev/null; then
    absent foreign "needs $compiler and qemu-$other: ./setup.sh check installs them"
    return
  fi
  # its results are compared with those of this machine
  build build test_bits || { echo "foreign: the build failed"; failed=$((failed + 1)); return; }
  leg foreign build-foreign tests "-LE soak" -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=$other -DCMAKE_C_COMPILER=$compiler \
    "-DCMAKE_CROSSCOMPILING_EMULATOR=$emulator;-L;$root" -DEPICYCLE_COMMAND=OFF -DEPICYCLE_SUNDIALS=OFF "-DEPICYCLE_NATIVE=$PWD/build"
}

export ASAN_OPTIONS="allocator_may_return_null=1:${ASAN_OPTIONS:-}"
export UBSAN_OPTIONS="print_stacktrace=1:${UBSAN_OPTIONS:-}"
export TSAN_OPTIONS="halt_on_error=1:${TSAN_OPTIONS:-}"
for which in "${@:-plain}"; do
  prefix=
  case $which in
  plain) leg plain build tests "-LE soak|slow|long|analysis" ;;
  long) leg long build tests "-L slow|long" ;;
  checked | checked-long)
    select="-LE soak|slow|plain|analysis|long|once"
    [ $which = checked ] || select="-L long|once -LE soak|slow|plain|analysis"
    leg $which build-asan tests "$select" -DCMAKE_BUILD_TYPE=RelWithDebInfo "-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O1 -g1" \
      -DEPICYCLE_SANITIZE=address,undefined,float-cast-overflow ;;
  soak) leg soak build tests "-L soak" ;;
  threads)
    if prefix=$(still); then
      leg threads build-tsan tests_threads "-L threads" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DEPICYCLE_SANITIZE=thread
    else
      absent threads "the thread checker does not run on this machine (addresses stay random: try sysctl vm.mmap_rnd_bits=28)"
    fi ;;
  foreign) foreign ;;
  analysis) leg analysis build tests "-L analysis" ;;
  coverage)
    # what is compiled anew in a test, or looks at the objects, says nothing here
    leg coverage build-coverage tests "-LE soak|slow|analysis -E ^(add|abi|house|names|leaks)\\.sh|install" \
      -DCMAKE_BUILD_TYPE=RelWithDebInfo "-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O0 -g --coverage"
    tests/common/coverage.sh build-coverage || failed=$((failed + 1)) ;;
  *)
    echo "legs.sh: plain, long, checked, checked-long, threads, foreign, analysis, soak or coverage, not '$which'" >&2
    exit 2 ;;
  esac
done
[ -z "${COUNTS:-}" ] || echo "$passed $failed $skipped" >"$COUNTS"
[ "$skipped" = 0 ] || echo "$skipped skipped"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
