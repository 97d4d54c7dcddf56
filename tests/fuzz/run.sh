#!/bin/sh
# run.sh [TARGET ...] - builds all fuzz targets with clang and runs them, or those that are named, each for $SECONDS_EACH (60) seconds or
# $RUNS inputs, with address, undefined-behaviour and overflow checks. What it learnt stays in build-fuzz/corpus/TARGET, a finding in
# build-fuzz/found/TARGET-*:
# `build-fuzz/tests/fuzz-TARGET FILE` runs it again, and its place is tests/fuzz/seeds/TARGET once it is mended.
# --build alone builds them and runs none. BUILD=FOLDER and SOURCE=FOLDER fuzz another version, to which these targets were added.
set -u
cd "$(dirname "$0")/../.." || exit 1
source=${SOURCE:-$PWD} build=${BUILD:-$PWD/build-fuzz} seconds=${SECONDS_EACH:-60} runs=${RUNS:--1} failed=0
mkdir -p "$build"
cmake -S "$source" -B "$build" -G Ninja -DCMAKE_C_COMPILER="${CLANG:-clang}" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DEPICYCLE_FUZZ=ON \
  >"$build/configure.log" || exit 1
cmake --build "$build" --target fuzz >"$build/build.log" || { tail -n 30 "$build/build.log"; exit 1; }
[ "${1:-}" != --build ] || exit 0
# the list is that of the build
all=$(sed -n 's/^foreach(name \(.*\))$/\1/p' tests/fuzz/targets.cmake)
export ASAN_OPTIONS="allocator_may_return_null=1:detect_leaks=1:${ASAN_OPTIONS:-}"
export UBSAN_OPTIONS="print_stacktrace=1:${UBSAN_OPTIONS:-}"
for target in ${*:-$all}; do
  corpus=$build/corpus/$target seeds=$source/tests/fuzz/seeds/$target
  [ "$target" = model ] && seeds="$seeds $source/tests/model-files/good $source/tests/model-files/bad"
  mkdir -p "$corpus" "$build/found"
  case $target in unit | compose) most=80 ;; term | formula | flow | case | checkpoint | resume) most=400 ;; *) most=4000 ;; esac
  # shellcheck disable=SC2086
  if "$build/tests/fuzz-$target" -max_total_time="$seconds" -runs="$runs" -timeout=20 -rss_limit_mb=3000 -malloc_limit_mb=2000 \
    -max_len=$most -artifact_prefix="$build/found/$target-" -print_final_stats=1 ${FUZZ_OPTIONS:-} "$corpus" $seeds \
    >"$build/$target.log" 2>&1; then how=
  else how=" - found something: see $build/found and $build/$target.log" failed=1
  fi
  edges=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$build/$target.log" | tail -n 1)
  done=$(sed -n 's/^stat::number_of_executed_units: *//p' "$build/$target.log" | tail -n 1)
  printf '%-10s %10s executions, %6s edges%s\n' "$target" "${done:-?}" "${edges:-?}" "$how"
done
exit $failed
