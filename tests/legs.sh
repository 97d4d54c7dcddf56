#!/bin/sh
# legs.sh [plain] [checked] [threads] [soak] - builds and runs the tests, once per leg; the last line counts them all.
#   plain    as released, every test          checked   address, undefined behaviour and leaks; not the slow tests
#   threads  data races; the threads tests    soak      as released, the tests that run for long
set -u
cd "$(dirname "$0")/.."
jobs=$(nproc 2>/dev/null || echo 2)
passed=0 failed=0 skipped=0
werror=OFF
[ "${CI:-}" = true ] && werror=ON
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

export ASAN_OPTIONS="allocator_may_return_null=1:${ASAN_OPTIONS:-}"
export UBSAN_OPTIONS="print_stacktrace=1:${UBSAN_OPTIONS:-}"
export TSAN_OPTIONS="halt_on_error=1:${TSAN_OPTIONS:-}"
for which in "${@:-plain}"; do
  prefix=
  case $which in
  plain) leg plain build tests "-LE soak" ;;
  checked) leg checked build-asan tests "-LE soak|slow|plain" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DEPICYCLE_SANITIZE=address,undefined ;;
  soak) leg soak build tests "-L soak" ;;
  threads)
    if prefix=$(still); then
      leg threads build-tsan tests_threads "-L threads" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DEPICYCLE_SANITIZE=thread
    else
      echo "== threads: the thread checker does not run on this machine (addresses stay random: try sysctl vm.mmap_rnd_bits=28)"
      if [ "${CI:-}" = true ]; then failed=$((failed + 1)); else skipped=$((skipped + 1)); fi
    fi ;;
  *)
    echo "legs.sh: plain, checked, threads or soak, not '$which'" >&2
    exit 2 ;;
  esac
done
[ "$skipped" = 0 ] || echo "$skipped skipped"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
