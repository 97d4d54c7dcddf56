#!/usr/bin/env bash
# holds: every loop of retries ends in a sentence, and SIGINT and SIGTERM leave rows and a good checkpoint
# stop.sh - every loop of retries ends in a sentence; SIGTERM and SIGINT end any run, also inside one long step, with its rows and a
# checkpoint from which it goes on to the bytes of a run that was not stopped
# label: slow
# cost: 50
set -u
: "${SOURCE:?the source folder}" "${EPICYCLE:?the command}"
e=$EPICYCLE
room=$(mktemp -d) || exit 1
# of this shell alone: a child that is ended before it has begun has the same trap
trap '[ "${BASHPID:-$$}" != $$ ] || rm -rf "$room"' EXIT
cd "$room" || exit 1
checks=0 failed=0 longest=0
bad() { echo "stop: $*"; failed=$((failed + 1)); }
cases=$SOURCE/tests/cases/benchmarks

# ---- loops of retries ----
# ends 'words' ARGUMENT...: by itself, with exit code 1 and a sentence that has the words
ends() {
  local words=$1
  shift
  checks=$((checks + 1))
  timeout -k 1 60 "$e" run "$@" --out end.csv >out 2>err
  local code=$?
  [ $code = 1 ] || { bad "'$*' ends with $code"; return; }
  grep -qE "$words" err || bad "'$*' says: $(cat err)"
  [ "$(wc -l <end.csv)" -ge 2 ] || bad "'$*' leaves no rows"
}
ends 'floor, between ball and the ground, was passed through.* no step is short enough' "$cases/hang.yaml" --tol 1e-6
ends 'floor, between ball and the ground, was passed through.* no step is short enough' "$cases/hang-semi.yaml"
ends 'floor, between ball and the ground, was passed through' "$cases/hang-semi.yaml" --flow 'semi(model.contacts, model.stiff, tol=1e-3)'
if "$e" run kepler --flow arkode --end 1 --quiet 2>err; then
  ends 'arkode: floor, between ball and the ground, was passed through' "$cases/hang-semi.yaml" --flow arkode
fi
ends 'the step of 1e-06 is cut .* make next to no way' bearing mu=1e9 --step 1e-6 --end 5e-6 --force
# ---- the wish to stop ----
# told ARGUMENT...: runs a second, is told to stop; $took: seconds until it has ended, $code
told() {
  local pause=${pause:-1}
  "$e" "$@" >out 2>err &
  local run=$!
  sleep "$pause"
  kill -0 $run 2>/dev/null || { wait $run; bad "'$*' is over before it can be stopped: $(cat err)"; code=-1; return; }
  local began
  began=$(date +%s%N)
  kill -TERM $run
  # a busy machine may take a while; what never ends is ended
  (trap - EXIT; sleep 20; kill -KILL $run) 2>/dev/null &
  local guard=$!
  wait $run 2>/dev/null
  code=$?
  took=$(awk -v ns=$(($(date +%s%N) - began)) 'BEGIN { printf "%.2f", 1e-9*ns }')
  kill $guard 2>/dev/null
  longest=$(awk -v a="$longest" -v b="$took" 'BEGIN { print (a > b ? a : b) }')
  [ $code = 137 ] && bad "'$*' does not stop"
  # on a busy machine a run may not have begun: there is nothing to save then, and the signal ends it at once
  case $1 in
    run | resume) [ $code = 143 ] && [ "$pause" -lt 60 ] && { pause=$((4*pause)) told "$@"; return; } ;;
  esac
  checks=$((checks + 1))
}

# rows are whole: every line has as many numbers as the head
whole() { awk -F, 'NR == 1 { n = NF } NF != n { bad = 1 } END { exit bad || NR < 2 }' "$1"; }

# nasty ARGUMENT...: stops, with rows and a checkpoint, and so does what goes on from there
nasty() {
  rm -f n.csv n.csv.checkpoint
  told run "$@" --out n.csv
  printf '%6s s  %s\n' "$took" "$*"
  [ "$code" = 1 ] || bad "'$*' ends with $code: $(cat err)"
  grep -q 'interrupted at t = .*epicycle resume n.csv.checkpoint' err || bad "'$*' says: $(cat err)"
  whole n.csv || bad "'$*' leaves broken rows"
  told resume n.csv.checkpoint
  [ "$code" = 1 ] && grep -q 'interrupted at t = ' err || bad "the rest of '$*' ends with $code: $(cat err)"
  whole n.csv || bad "the rest of '$*' leaves broken rows"
}
took=0
nasty kepler --flow 'substeps(substeps(verlet, 100000), 100000)' --step 1 --end 2
nasty inverted-pendulum w=1e6 --flow 'rk4(strobe(substeps(verlet, 100000), order=8))' --step 0.1 --end 100000
nasty inverted-pendulum w=1e6 --flow 'verlet(hmm(verlet, periods=40, steps=10000))' --step 0.01 --end 1000
nasty kepler e=0.6 --flow 'density(substeps(verlet, 1000), eps=1e-4)' --step 1 --end 100
nasty kepler e=0.6 --flow 'scaled(verlet, eps=1e-5)' --step 1 --end 10000
nasty kepler e=0.6 --flow 'tolerance(substeps(verlet, 1000000), rtol=1e-9)' --step 1 --end 100
nasty bearing --flow 'semi(model.contacts, model.stiff, tol=1e-12)' --step 1e-3 --end 1
nasty kepler e=0.6 --flow 'at(substeps(verlet, 100000000), of=y)' --step 1 --end 100
nasty kepler e=0.6 --flow 'tolerance(dop853, rtol=1e-14)' --step 1 --end 1e9 --every 1e9 --quiet
if "$e" run kepler --flow cvode --end 1 --quiet 2>err; then
  nasty kepler e=0.6 --flow 'cvode(rtol=1e-14, atol=1e-14, steps=1000000000)' --step 1e6 --end 1e6 --every 1e6
fi
# a model of the user's runs in a process of its own
"$e" new slow >slow.c
nasty slow.c --flow 'substeps(verlet, 1000000000)' --step 1 --end 100
# Ctrl-C
code=130 pause=1
while [ $code = 130 ] && [ $pause -lt 200 ]; do
  timeout --preserve-status -k 20 -s INT $pause "$e" run kepler --flow 'substeps(verlet, 1000000000)' --step 1 --end 2 --quiet 2>err
  code=$? pause=$((4*pause))
done
[ $code = 1 ] && grep -qE 'interrupted at t = 0; go on with: epicycle resume epicycle(-[0-9]+)?.checkpoint' err || bad "Ctrl-C: $(cat err)"
# other verbs have nothing to save, and end
for verb in 'reproduce semi-explicit' 'check kepler --flow substeps(substeps(verlet,100000),100000) --claims'; do
  told $verb
  printf '%6s s  %s\n' "$took" "$verb"
done

# ---- stopped again and again, the bytes of a run that was not ----
# same ARGUMENT...: with rows inside its long steps
same() {
  rm -f a.csv b.csv b.csv.checkpoint
  checks=$((checks + 1))
  timeout 300 "$e" run "$@" --out a.csv --quiet 2>err || { bad "'$*': $(cat err)"; return; }
  # on a busy machine it may be stopped before it has begun
  local n=0 pause=0.3 code=143
  while [ $code = 143 ] && [ ! -f b.csv.checkpoint ]; do
    timeout --preserve-status -s TERM "$pause" "$e" run "$@" --out b.csv --quiet 2>err
    code=$?
    pause=$(awk -v x=$pause 'BEGIN { print 1.5*x }')
  done
  while [ -f b.csv.checkpoint ] && [ $((n += 1)) -lt 60 ]; do
    pause=$(awk -v x=$pause 'BEGIN { print 1.2*x }')
    timeout --preserve-status -s TERM "$pause" "$e" resume b.csv.checkpoint --quiet 2>err && break
  done
  cmp -s a.csv b.csv || bad "'$*', stopped $n times: other bytes"
  echo "stopped $n times: $*"
}
same kepler e=0.6 --flow 'substeps(verlet, 1000000)' --step 1 --end 30 --every 0.25
same kepler e=0.6 --flow 'density(verlet, eps=1e-5)' --step 3 --end 15 --every 0.7
same kepler e=0.6 --flow 'cvode(rtol=1e-13, atol=1e-13)' --step 500 --end 3000 --every 120
same inverted-pendulum --flow 'rk4(strobe(substeps(verlet, 20000)))' --step 0.1 --end 3 --every 0.04

echo "$checks checks, $failed failed; the longest wait was $longest s"
[ $failed = 0 ]
