#!/bin/bash
# holds: an exported FMU, loaded as FMI 2.0 says, gives the rows of `epicycle run`
# fmu.sh - an exported FMU, unpacked and loaded as FMI 2.0 says by an importer of our own, gives what `epicycle run` gives
# label: plain
# cost: 10
set -eu
: "${SOURCE:?the source folder}" "${CC:=cc}"
epicycle=$1
case $epicycle in /*) ;; *) epicycle=$PWD/$epicycle ;; esac
python=/usr/bin/python3
[ -x $python ] || { echo "fmu: needs python3, which reads the description"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
passed=0 failed=0
good() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAILED: $*"; }
says() { # code, words, command ...
  local code=$1 words=$2 got=0
  shift 2
  "$epicycle" "$@" >log 2>&1 || got=$?
  echo >>log
  if [ $got = "$code" ] && grep -qE -- "$words" log; then good; else bad "epicycle $* ends with $got: $(cat log)"; fi
}
"$CC" -std=c11 -D_XOPEN_SOURCE=700 -Wall -Wextra "$SOURCE/tests/common/importer.c" -ldl -o importer

# same NAME STEP COUNT TOLERANCE RUN "NAME=VALUE ..." EXPORT WORDS ...: the unit with these values set, against a run with them;
# RUN: what to run instead of what is exported, or ""
same() {
  local name=$1 step=$2 count=$3 tol=$4 run=$5 set=$6 refs="" settings="" vr variable value word
  shift 6
  says 0 'FMI 2.0 for co-simulation' export "$@" --fmu "$name.fmu"
  rm -rf "folder $name"
  mkdir "folder $name"
  (cd "folder $name" && cmake -E tar xf "../$name.fmu")
  "$python" "$SOURCE/tests/common/fmu.py" "$dir/folder $name" >about 2>log || { bad "$name: $(tail -2 log)"; return; }
  local guid start library
  { read -r guid; read -r start; read -r library; } <about
  tail -n +4 about >variables
  while read -r vr variable value; do
    case $variable in
    parameters.*)
      for one in $set; do
        word=${one%%=*}
        [ "${variable#parameters.}" != "${word//./_}" ] || settings="$settings set:$vr=${one#*=}"
      done ;;
    *) refs="$refs $vr" ;;
    esac
  done <variables
  "$epicycle" run ${run:-"$@"} $set --quiet --every "$step" --end "$("$python" -c "print($start + $count*$step)")" --out want.csv ||
    { bad "$name: no run"; return; }
  ./importer "$dir/folder $name" "$library" "$guid" "$start" "$step" "$count" $settings $refs >got.csv 2>log ||
    { bad "$name: $(cat log)"; return; }
  "$python" - "$tol" <<'END' >log 2>&1 && good || bad "$name: $(tail -1 log)"
import csv, sys
want = [[float(x) for x in row] for row in list(csv.reader(open('want.csv')))[1:]]
got = [[float(x) for x in row] for row in csv.reader(open('got.csv'))]
assert len(want) == len(got) and len(want[0]) == len(got[0]), (len(want), len(got), len(want[0]), len(got[0]))
scale = [max(max(abs(r[i]) for r in want), 1e-300) for i in range(len(want[0]))]
worst = max((abs(a - b)/scale[i], i) for w, g in zip(want, got) for i, (a, b) in enumerate(zip(w, g)) if scale[i] > 1e-9)
assert worst[0] <= float(sys.argv[1]), worst
assert any(abs(a - b) > 1e-6*s for a, b, s in zip(got[0][1:], got[-1][1:], scale[1:])), 'nothing moved'
END
}
# fixed steps that the communication points fall on; steps that are chosen, and land there; a world; another start by its parameters
same orbit 0.1 20 1e-12 "" "" kepler e=0.6 --flow verlet --step 0.01
same set 0.1 20 1e-12 "kepler --flow verlet --step 0.01" "e=0.3 mu=2" kepler e=0.6 --flow verlet --step 0.01
same within 0.5 10 1e-7 "" "" kepler e=0.6 --flow 'tolerance(dop853, rtol=1e-10)'
same joints 0.05 20 1e-9 "" "" "$SOURCE/examples/four-bar.yaml" --flow verlet --step 0.001 --multipliers
# steps and points that are exact in binary leave nothing to rounding, in stiff contacts neither
same ball 7.62939453125e-06 20 1e-14 "" "" bearing --step 1.1920928955078125e-07

cat >swing.yaml <<'END'
parameters: {length: 0.5 m, heavy: 2 kg}
world:
  gravity: 9.81
  bodies:
    - {name: bob, ball: 0.05, mass: heavy, at: [length, 0, 0]}
  joints:
    - {name: pin, a: bob, hold: hinge, at: [0, 0, 0], axis: y}
flow: verlet
step: 0.001
end: 1
END
says 0 '' run swing.yaml --quiet
same swing 0.05 20 1e-9 "" "length=0.7" swing.yaml
same path 0.05 20 1e-9 "" "" swing.yaml bodies.bob.ball=0.04
same other 0.05 20 1e-9 swing.yaml "bodies.bob.ball=0.2" swing.yaml bodies.bob.ball=0.04

# what cannot be a unit
cp "$SOURCE/examples/own-contact.c" .
says 2 'export needs to know what to write: add --fmu' export kepler
says 2 "should end in .fmu" export kepler --fmu kepler.zip
says 2 "no model is called 'keplr'" export keplr --fmu k.fmu
says 2 'has [0-9]+ runs, and a unit is one' export "$SOURCE/examples/compare.yaml" --fmu k.fmu
says 2 'has a clock of its own and does not end on a given time' export kepler --flow 'density(verlet, clock=own)' --step 0.01 --fmu k.fmu
"$epicycle" new mine >mine.c
says 2 'mine.c is code of yours, and a unit holds none' export mine.c --fmu k.fmu
EPICYCLE_FMU=/nowhere says 2 'epicycle-fmu.so, which stands in every FMU, cannot be read: No such file' export kepler --fmu k.fmu
says 1 'cannot write' export kepler --fmu nowhere/k.fmu
[ ! -e k.fmu ] && good || bad "what is refused leaves a file"
# another guid, and another state, are refused by the unit
./importer "$dir/folder orbit" "$dir/folder orbit/binaries/"*/* "{0}" 0 0.1 2 1 >log 2>&1 && bad "a wrong guid is taken" || good
# a step that its model does not take to the end is discarded (2)
ends() {
  says 0 'FMI 2.0 for co-simulation' export "$2" --flow "$3" --step 0.1 --end 2 --fmu "$1.fmu"
  rm -rf "folder $1"
  mkdir "folder $1"
  (cd "folder $1" && cmake -E tar xf "../$1.fmu")
  "$python" "$SOURCE/tests/common/fmu.py" "$dir/folder $1" >about
  ./importer "$dir/folder $1" "$(sed -n 3p about)" "$(sed -n 1p about)" 0 0.1 20 1 >got.csv 2>log && bad "$1 goes on"
  grep -qE "\\($4\\): $5" log && good || bad "$1: $(cat log)"
}
cat >ends.yaml <<'END'
world:
  bodies:
    - {name: a, ball: 1 cm, mass: 1 kg}
  loads:
    - {name: pull, body: a, force: sqrt(1 - t/1 s)*1 N, along: x}
END
ends ends ends.yaml verlet 2 'the law of the load pull .* at t = 1 '
echo "$passed passed, $failed failed"
[ $failed = 0 ]
