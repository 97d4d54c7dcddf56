#!/bin/bash
# holds: --events writes every event of a run, in every format, also after an interruption
# event-file.sh - --events: the list of all events of a run, in every format, counted, and the same after an interruption
# label: plain   label: long
# cost: 12
set -eu
: "${SOURCE:?the source folder}" "${BUILD:?the build folder}" "${CC:=cc}"
epicycle=$1
case $epicycle in /*) ;; *) epicycle=$PWD/$epicycle ;; esac
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
passed=0 failed=0
good() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAILED: $*"; }
is() { if [ "$2" = "$3" ]; then good; else bad "$1 is '$2', not '$3'"; fi; }
has() { case $2 in *"$3"*) good ;; *) bad "$1 is '$2', without '$3'" ;; esac; }

# an ellipse crosses its axis at every multiple of pi, whatever the steps of the run are
for h in 1 5 40; do
  "$epicycle" run kepler e=0.6 --flow 'at(tolerance(dop853, rtol=1e-10), of=y)' --end 40 --step $h --events e.csv --stats e.stats >e.txt
  is "the head, steps of $h" "$(head -1 e.csv | cut -d, -f1-8)" number,event,t,direction,x,y,vx,vy
  is "lines, steps of $h" "$(wc -l <e.csv)" 13
  is "events that are off, steps of $h" "$(awk -F, 'NR > 1 && ($3 - 3.14159265358979*$1)^2 > 1e-12' e.csv | wc -l)" 0
  is "directions, steps of $h" "$(awk -F, 'NR > 1 { printf "%s%s ", $2, $4 }' e.csv)" "$(printf 'y-1 y1 %.0s' 1 2 3 4 5 6)"
  has "the summary" "$(cat e.txt)" "12 events in e.csv"
  has "the statistics" "$(cat e.stats)" '"events": 12'
done

# the other formats say the same
"$epicycle" run kepler e=0.6 --flow 'at(tolerance(dop853, rtol=1e-10), of=y)' --end 40 --step 40 --events e.json --quiet
"$epicycle" run kepler e=0.6 --flow 'at(tolerance(dop853, rtol=1e-10), of=y)' --end 40 --step 40 --events e.npy --quiet
is "times in JSON" "$(sed -n 's/^  \[\([0-9]*\), "y", \([0-9.]*\), .*/\1,\2/p' e.json)" "$(awk -F, 'NR > 1 { print $1 "," $3 }' e.csv)"
is "columns of NPY" "$(tr '\n' ' ' <e.npy.columns.txt | cut -d' ' -f1-5)" "number event t direction x"
has "the shape of NPY" "$(head -c 128 e.npy | tr -d '\0')" "(12, 12)"

# counted without a file; none where nothing asks for them
has "the summary" "$("$epicycle" run kepler e=0.6 --flow 'at(verlet, of=y)' --end 20 --step 0.01)" ", 6 events"
has "a flow without events" "$("$epicycle" run kepler --flow verlet --events e.csv 2>&1 || :)" "put at around it, as in at(verlet, of=0)"
has "an ending" "$("$epicycle" run kepler --flow 'at(verlet, of=y)' --events e.txt 2>&1 || :)" "use .csv, .npy or .json"
has "a place" "$("$epicycle" run kepler --flow 'at(verlet, of=y)' --events no/e.csv 2>&1 || :)" "with --events"
has "two files" "$("$epicycle" run kepler --flow 'at(verlet, of=y)' --events e.csv --out e.csv 2>&1 || :)" "must be different files"

# killed, and gone on with: the same bytes
again() { # flow, step, end, format
  local run=0 stops=0
  rm -f part* whole*
  "$epicycle" run kepler e=0.6 --flow "$1" --step "$2" --end "$3" --every "$3" --events "whole.$4" --out whole-rows.csv --quiet 2>whole.err
  "$epicycle" run kepler e=0.6 --flow "$1" --step "$2" --end "$3" --every "$3" --events "part.$4" --out part-rows.csv --quiet \
    --checkpoint part.checkpoint --checkpoint-every 0.05 2>part.err &
  run=$!
  while kill -0 $run 2>part.err && [ ! -s part.checkpoint ]; do sleep 0.02; done
  for pause in 0.2 0.1 0.15; do
    sleep $pause
    kill -KILL $run 2>part.err || break
    wait $run 2>part.err || stops=$((stops + 1))
    "$epicycle" resume part.checkpoint --quiet 2>part.err &
    run=$!
  done
  wait $run 2>part.err || bad "$1: resume: $(cat part.err)"
  [ $stops -gt 0 ] || echo "$1: over before it could be killed"
  if cmp -s "whole.$4" "part.$4" && cmp -s whole-rows.csv part-rows.csv; then good; else bad "$1: other events, killed $stops times"; fi
}
again 'at(verlet, of=y)' 1e-3 3000 csv
again 'at(tolerance(dop853), of=y)' 10 100000 csv
again 'at(tolerance(dopri5), of=y)' 10 50000 json
again 'at(substeps(verlet, 100), of=y, direction=up)' 0.1 3000 npy
again 'at(scaled(symmetric(strang(drift, kick), order=8), eps=0.1), of=y)' 10 50000 csv

# stopped inside the one step of a run: what was found in it is not found twice
rm -f part* whole*
set -- run kepler e=0.6 --flow 'at(cvode(steps=100000000, rtol=1e-8), of=y)' --step 6000 --end 6000 --every 100 --quiet
if "$epicycle" check kepler --flow cvode >cvode.txt 2>&1; then
  "$epicycle" "$@" --events whole.csv --out whole-rows.csv
  # on a busy machine it may be told to stop before it has begun: then again
  code=143 pause=0.2
  while [ $code = 143 ]; do
    timeout --preserve-status -s TERM $pause "$epicycle" "$@" --events part.csv --out part-rows.csv --checkpoint part.checkpoint \
      2>part.err && code=0 || code=$?
    pause=$(awk -v x=$pause 'BEGIN { print 2*x }')
  done
  [ $code = 0 ] || "$epicycle" resume part.checkpoint --quiet
  if cmp -s whole.csv part.csv && cmp -s whole-rows.csv part-rows.csv; then good; else bad "other events after a stop inside a step"; fi
fi

# the perihelia of Jupiter in 200,000 days: by steps of a symplectic method, and by a controller that is given the whole span
"$CC" -std=gnu11 -O1 -I"$SOURCE/include" "$SOURCE/tests/cases/nbody.c" -L"$BUILD" -lepicycle -lm -Wl,-rpath,"$BUILD" -o nbody
./nbody >nbody.txt
is "perihelia" "$(grep -c '^events.* n 46 ' nbody.txt)" 2
is "perihelia that are off" "$(paste peri.txt peri2.txt | awk '($1 - $2)^2 > 1e-4' | wc -l)" 0

echo "$passed checks passed, $failed failed"
[ $failed -eq 0 ]
