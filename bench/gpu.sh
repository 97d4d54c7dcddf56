#!/usr/bin/env bash
# gpu.sh - what a GPU makes of a sweep, beside one core and all cores of the same machine: bench/gpu.sh path/to/epicycle [cases]
# Every line: what is run, cases, steps (or micro-steps) of all of them, seconds of the program alone and of the whole command, steps a
# second. The command makes the cases, checks them and writes the table on the cores, and that is most of its time.
set -u
e=$1 side=${2:-1024}
here=$(cd "$(dirname "$0")" && pwd)
room=$(mktemp -d) && trap 'rm -rf "$room"' EXIT
cd "$room" || exit 1

# line NAME CASES STEPS_OF_EACH WORDS...: one sweep
line() {
  local name=$1 cases=$2 steps=$3 from to
  shift 3
  from=$(date +%s.%N)
  "$e" sweep "$@" --out table.csv > told 2> err
  local code=$?
  to=$(date +%s.%N)
  grep -h '^epicycle' err
  [ $code -le 1 ] || return
  awk -v name="$name" -v n="$cases" -v k="$steps" -v all="$(awk -v a="$from" -v b="$to" 'BEGIN { print b - a }')" '
    / cases in / { run = $4; where = "the library"; if (match($0, /; [^ ]+ s of it on [^;]+/)) {
      split(substr($0, RSTART + 2, RLENGTH - 2), w, " "); run = w[1]; where = substr($0, RSTART, RLENGTH); sub(/.* of it on /, "", where) }
      printf "%-28s %-22s %9d cases %9.3g steps each %8.3g s (%6.3g s in all) %9.3g steps/s\n", name, where, n, k, run, all, n*k/run }' told
}

slow=(--flow 'verlet(hmm(verlet, kernel=box, steps=80, even=1))' --step 0.0125)
pendulum=("$here/gpu/pendulum.c" "w=5e5:1.5e6/$side" "q0=0.1:0.9/$side" "${slow[@]}")
small=("$here/gpu/pendulum.c" w=5e5:1.5e6/16 q0=0.1:0.9/16 "${slow[@]}")
n=$((side*side))
# 40 micro-steps a window, a window a macro-step and one at the start
line "hmm, one core" 256 $((801*40)) "${small[@]}" --end 10 --workers 1
line "hmm, compiled" $((64*64)) $((801*40)) "${small[@]/16/64}" --end 10 --on compiled
line "hmm, GPU" $n $((801*40)) "${pendulum[@]}" --end 10 --on gpu
line "hmm, GPU, longer" $n $((8001*40)) "${pendulum[@]}" --end 100 --on gpu

for flow in verlet rk4; do
  line "$flow, one core" 1000 10000 kepler e=0:0.3/1000 --flow $flow --step 0.01 --end 100 --workers 1
  line "$flow, GPU" 1000000 10000 kepler e=0:0.3/1000000 --flow $flow --step 0.01 --end 100 --on gpu
done
line "dopri5, rtol 1e-9, one core" 1000 1 kepler e=0:0.9/1000 --flow 'tolerance(dopri5, rtol=1e-9)' --end 100 --workers 1
line "dopri5, rtol 1e-9, GPU" 1000000 1 kepler e=0:0.9/1000000 --flow 'tolerance(dopri5, rtol=1e-9)' --end 100 --on gpu

map=("$here/gpu/upright.c" --flow rk4 --step 0.001 --end 10 --keep q,v)
line "map 100 x 100, one core" 10000 10000 "${map[@]}" vmax=0:6/100 w=20:200/100 --workers 1
line "map 400 x 400, GPU" 160000 10000 "${map[@]}" vmax=0:6/400 w=20:200/400 --on gpu
line "map 4000 x 4000, GPU" 16000000 10000 "${map[@]}" vmax=0:6/4000 w=20:200/4000 --on gpu --yes
