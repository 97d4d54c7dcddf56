#!/bin/bash
# holds: tests/INDEX.md lists the tests that there are, each with the line of what it holds
# index.sh          compares it with the tests        index.sh write    writes it anew
# label: once
set -u
export LC_ALL=C
: "${SOURCE:=$(cd "$(dirname "$0")/../.." && pwd)}" "${BUILD:=}"
cd "$SOURCE/tests" || exit 1
failed=0
bad() { failed=$((failed + 1)); echo "FAILED: $*"; }

# the folders of tests; what stands beside the tests of some of them says nothing of its own
beside='^(cases|common|emitted|golden)/|^install/.*\.c$|^f[a-z]*/(preload|shifted|replay)\.c$|^f[a-z]*/(run|bits)\.sh$'
tests() { ls -- */*.c */*.sh | grep -vE "$beside"; }
# claim FILE: its line, in the first two
claim() { sed -n '1,2s/^\(\/\*\|#\) holds: \([^*]*[^* ]\).*/\2/p' "$1"; }
# when FILE: in which runs of the tests it takes part, where that is not every one
when() { sed -n '1,12s/.*label: *\(long\|slow\|soak\|analysis\).*/\1/p' "$1" | sort -u | head -n 1; }

index() {
  echo "# Tests by room"
  echo
  echo "Each test with its line \`holds:\`. \`tests/repository/index.sh write\` makes this page of these lines. Last column: the leg"
  echo "that runs the test, where that is not every leg."
  folder=
  tests | while read -r file; do
    if [ "${file%/*}" != "$folder" ]; then
      folder=${file%/*}
      printf '\n## %s\n\n| test | holds | |\n|---|---|---|\n' "$folder"
    fi
    echo "| [${file##*/}]($file) | $(claim "$file") | $(when "$file") |"
  done
}

if [ "${1:-}" = write ]; then index >INDEX.md; exit; fi
[ "$(tests | wc -l)" -gt 200 ] || bad "no tests in $SOURCE/tests"
for file in $(tests); do
  [ -n "$(claim "$file")" ] || bad "$file does not begin with a line 'holds: CLAIM', which says in a sentence what it proves"
done
twice=$(for file in $(tests); do claim "$file"; done | sort | uniq -d)
[ -z "$twice" ] || bad "two tests hold the same: $twice"
index | cmp -s - INDEX.md || bad "tests/INDEX.md is not up to date: tests/repository/index.sh write"
# what is run is listed, whatever CMake makes of the folders
if [ -e "$BUILD/tests/CTestTestfile.cmake" ]; then
  for name in $(sed -n 's/^add_test(\(\[=*\[\)\{0,1\}"\{0,1\}\([^]" ]*\).*/\2/p' "$BUILD/tests/CTestTestfile.cmake"); do
    name=${name%-thorough}
    tests | sed 's/\.c$//; s,^fuzz/,&fuzz-,; s,.*/,,; s/fuzz-work/work/' | grep -qxF -e "$name" || bad "the test $name is not in the index"
  done
fi
[ "$failed" = 0 ]
