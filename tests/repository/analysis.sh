#!/usr/bin/env bash
# holds: clang-tidy, cppcheck and gcc -fanalyzer find no defect that tests/analysis.txt does not explain
# analysis.sh - defects that compilers do not look for: clang-tidy (bugprone), cppcheck and gcc -fanalyzer over the library and the command
# label: plain   label: analysis
set -u
: "${SOURCE:?the source folder}" "${BUILD:?the build folder}"
cd "$SOURCE" || exit 1
ran=0 failed=0
jobs=$(nproc 2>/dev/null || echo 2)
# the loops of emitted programs are compiled where they go
sources() { find src tool papers bench/race.c -name '*.c' -not -path 'tool/new/*' -not -path 'src/emit/lane/*'; }

# report NAME FILE: what a tool found
report() {
  ran=$((ran + 1))
  [ -s "$2" ] || return
  failed=$((failed + 1))
  echo "$1:"
  head -n 60 "$2"
}

# not asked for, as they are how this code is written:
off="easily-swappable-parameters narrowing-conversions implicit-widening-of-multiplication-result branch-clone"  # a matter of taste
off="$off assignment-in-if-condition suspicious-string-compare macro-parentheses reserved-identifier"            # idioms of C
off="$off sizeof-expression misplaced-widening-cast"      # arrays of pointers; sizes that were checked to be small
off="$off suspicious-memory-comparison"                   # the same bits are meant
off="$off not-null-terminated-result"                     # texts are put together of pieces, the end comes last
out=$(mktemp)
trap 'rm -f "$out"' EXIT
if command -v clang-tidy >/dev/null && [ -e "$BUILD/compile_commands.json" ]; then
  checks='-*,bugprone-*'
  for name in $off; do checks="$checks,-bugprone-$name"; done
  sources | xargs -P "$jobs" -n 8 clang-tidy -p "$BUILD" --quiet --checks="$checks" 2>/dev/null | grep -E '(warning|error):' >"$out"
  report clang-tidy "$out"
fi
if command -v cppcheck >/dev/null; then
  cppcheck -j "$jobs" --std=c11 --enable=warning,portability --quiet --template='{file}:{line}: {message} [{id}]' \
    --suppressions-list=tests/analysis.txt --suppress=unmatchedSuppression -isrc/emit/lane \
    -Iinclude -Isrc -Isrc/core -Itool -Ipapers src tool papers bench/race.c >"$out" 2>&1
  report cppcheck "$out"
fi
# from one function into the next, along every way that it can think of; what is no defect stands in analyzer.txt
if gcc -fanalyzer -x c -c /dev/null -o /dev/null 2>/dev/null; then
  sources | xargs -P "$jobs" -n 1 gcc -std=c11 -O1 -fanalyzer -fdiagnostics-plain-output -D_XOPEN_SOURCE=700 \
    -Iinclude -Isrc -Isrc/core -Itool -Ipapers -c -o /dev/null 2>&1 |
    grep -E '(warning|error):' | sort -u | awk '
      FILENAME == known { if ($0 !~ /^#/) fine[$0] = 1; next }
      { file = $0; sub(/:.*/, "", file); kind = $0; if (!sub(/.*\[-Wanalyzer-/, "", kind)) kind = "error"; sub(/\].*/, "", kind) }
      !((kind ":" file) in fine)' known=tests/analyzer.txt tests/analyzer.txt - >"$out"
  report "gcc -fanalyzer" "$out"
fi
if [ $ran = 0 ]; then
  echo "skipped: neither clang-tidy nor cppcheck is here: ./setup.sh check installs them"
  [ "${CI:-}" = true ] && exit 1
  exit 77
fi
echo "$ran tools, $failed found something"
[ $failed = 0 ]
