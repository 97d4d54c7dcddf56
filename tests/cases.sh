#!/usr/bin/env bash
# cases.sh - the cases of tests/cases load, compile and are accepted: what becomes of them is for other tests to judge
# label: plain
set -u
: "${SOURCE:?the source folder}" "${BUILD:?the build folder}" "${EPICYCLE:?the command}" "${CC:=cc}"
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
cd "$room" || exit 1
files=0 failed=0
bad() { echo "cases: $*"; failed=$((failed + 1)); }

for file in "$SOURCE"/tests/cases/*.yaml "$SOURCE"/tests/cases/benchmarks/*.yaml; do
  name=${file##*/} files=$((files + 1))
  "$EPICYCLE" check "$file" --format >formed 2>err || bad "$name is not accepted: $(head -n 2 err)"
  cmp -s formed "$file" || bad "$name is not in canonical form: epicycle check $name --format writes it"
  # frequencies of a hundred links take half a minute
  [ "$name" = chain-100.yaml ] && continue
  "$EPICYCLE" check "$file" >out 2>err || bad "$name does not compose: $(head -n 2 err)"
  grep -q '^flow  ' out || bad "$name: no flow in $(head -n 3 out)"
done
for file in "$SOURCE"/tests/cases/*.c "$SOURCE"/tests/cases/benchmarks/*.c; do
  name=${file##*/} files=$((files + 1))
  if grep -q '^int main' "$file"; then
    "$CC" -std=gnu11 -Wall -Wextra -Werror -I"$SOURCE/include" "$file" -L"$BUILD" -lepicycle -lm -o program 2>err ||
      bad "$name: $(head -n 3 err)"
  else
    "$CC" -std=gnu11 -Wall -Wextra -Werror -fsyntax-only -I"$SOURCE/include" "$file" 2>err || bad "$name: $(head -n 3 err)"
    "$EPICYCLE" check "$file" >out 2>err || bad "$name does not compose: $(head -n 2 err)"
    grep -q '^model  ' out || bad "$name: no model in $(head -n 3 out)"
    timeout 60 "$EPICYCLE" run "$file" --end 0.01 --stats stats.json >out 2>err || bad "$name does not run: $(head -n 2 err)"
    grep -q '^done' out || bad "$name: no summary in $(head -n 3 out)"
  fi
done
# the list names every one of them
for file in "$SOURCE"/tests/cases/*.[cy]* "$SOURCE"/tests/cases/benchmarks/*; do
  name=${file##*/}
  grep -q "\`${name%.*}\.\|\`$name\`" "$SOURCE/tests/cases/README.md" || bad "tests/cases/README.md does not name $name"
done
echo "$files files, $failed failed"
[ "$failed" = 0 ] && [ "$files" -ge 40 ]
