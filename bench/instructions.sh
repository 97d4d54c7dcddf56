#!/usr/bin/env bash
# instructions.sh BEFORE AFTER [MODELS ...] - what a change costs: the instructions of runs of every model with its own flow and step, by
# two builds of the command, counted by callgrind. Two runs, of at least 10000 steps and of twice as many, tell what a start costs and
# what the steps do; more than 1 % of the steps is marked. Counts repeat to a few parts in ten thousand
set -eu
before=$1 after=$2
shift 2
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
models=${*:-$("$after" list models | sed -n 's/^  \([^ ][^ ]*\) .*/\1/p')}

# count COMMAND MODEL END
count() {
  valgrind --tool=callgrind --callgrind-out-file="$here/out" "$1" run "$2" --end "$3" --quiet 2>&1 | sed -n 's/.*Collected : //p'
}

bad=0
printf '%-26s %28s %34s\n' '' 'start, instructions' 'steps, instructions'
for m in $models; do
  ends=$("$after" show "$m" | awk '/^step/ { n = 1; while (n*$6 < 10000*$2) n *= 2; print n*$6, 2*n*$6; exit }')
  read -r one two <<< "$ends"
  a=$(count "$before" "$m" "$one") A=$(count "$before" "$m" "$two") b=$(count "$after" "$m" "$one") B=$(count "$after" "$m" "$two")
  line=$(awk -v m="$m" -v a="$a" -v A="$A" -v b="$b" -v B="$B" 'BEGIN {
    percent = 100*((B - b)/(A - a) - 1)
    printf "%-26s %12d -> %12d %14d -> %14d %+7.2f %%%s", m, 2*a - A, 2*b - B, A - a, B - b, percent, (percent > 1 ? "  more than 1 %" : "")
  }')
  echo "$line"
  case $line in *more*) bad=$((bad + 1)) ;; esac
done
echo "steps of $bad of $(echo "$models" | wc -w) models cost more than 1 % more"
[ "$bad" -eq 0 ]
