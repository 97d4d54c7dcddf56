#!/usr/bin/env bash
# instructions.sh BEFORE AFTER [MODELS ...] - what a change costs: the instructions of a run of every model with its own flow, step and
# end, by two builds of the command, counted by callgrind; more than 1 % is marked. Counts repeat to a few parts in ten thousand
set -eu
before=$1 after=$2
shift 2
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
models=${*:-$("$after" list models | sed -n 's/^  \([^ ][^ ]*\) .*/\1/p')}

# count COMMAND MODEL
count() {
  valgrind --tool=callgrind --callgrind-out-file="$here/out" "$1" run "$2" --quiet 2>&1 | sed -n 's/.*Collected : //p'
}

bad=0
for m in $models; do
  a=$(count "$before" "$m") b=$(count "$after" "$m")
  percent=$(awk -v a="$a" -v b="$b" 'BEGIN { printf "%.2f", 100*(b/a - 1) }')
  mark=$(awk -v p="$percent" 'BEGIN { print (p > 1 ? "  more than 1 %" : "") }')
  [ -z "$mark" ] || bad=$((bad + 1))
  printf '%-26s %12s %12s %+7s %%%s\n' "$m" "$a" "$b" "$percent" "$mark"
done
echo "$bad of $(echo "$models" | wc -w) models cost more than 1 % more"
[ "$bad" -eq 0 ]
