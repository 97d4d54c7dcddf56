#!/bin/bash
# holds: .npz, .h5 and .pvd files have the numbers, units and parameters of the .csv
# pack.sh - results for other programs: .npz, .h5 and .pvd say what the .csv says, with units and parameters
# label: plain
# cost: 15
set -eu
: "${SOURCE:?the source folder}"
epicycle=$1
case $epicycle in /*) ;; *) epicycle=$PWD/$epicycle ;; esac
python=/usr/bin/python3
"$python" -c 'import numpy, h5py' 2>/dev/null ||
  { echo "pack: needs python3-numpy and python3-h5py: ./setup.sh test installs them"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
passed=0 failed=0
good() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAILED: $*"; }
holds() { local what=$1; shift; if "$@" >log 2>&1; then good; else bad "$what: $(tail -3 log)"; fi; }
says() { # code, words, command ...
  local code=$1 words=$2 got=0
  shift 2
  "$epicycle" "$@" >log 2>&1 || got=$?
  echo >>log
  if [ $got = "$code" ] && grep -qE -- "$words" log; then good; else bad "epicycle $* ends with $got: $(cat log)"; fi
}

run="run kepler e=0.6 --end 2 --every 0.1 --quiet"
for file in a.csv a.npz a.h5 a.hdf5; do says 0 '' $run --out $file; done
holds "nothing is left on the way" test -z "$(ls | grep part)"
sweep="sweep pendulum q0=0.1:0.5:0.1 --end 1 --keep q.max,energy --quiet"
for file in s.csv s.npz s.h5; do says 0 '' $sweep --out $file; done

# a run that is stopped goes on to the same file, to the byte where no clock is in it
long="run pendulum --flow verlet --end 20 --step 1e-6 --every 0.1 --quiet"
says 0 '' $long --out whole.npz
"$epicycle" $long --out half.npz --checkpoint half.c >log 2>&1 &
pid=$!
for i in $(seq 200); do [ -s half.c ] && break; sleep 0.01; done
kill -TERM $pid
wait $pid 2>/dev/null || :
holds "the rows so far are kept" test -s half.npz.part.npy -a ! -e half.npz
says 0 '' resume half.c --quiet
says 0 'complete: see half.npz' resume half.c
holds "nothing is left of it" test ! -e half.npz.part.npy

# bodies
drop=("$SOURCE/examples/drop.yaml" --end 0.1 --step 1e-5 --flow 'semi(model.contacts, model.stiff)' --every 0.01)
says 0 'bodies in d.pvd' run "${drop[@]}" --out d.pvd
says 0 '' run "${drop[@]}" --out d.csv --quiet
says 0 '' run bearing --end 1e-5 --out b.pvd --quiet

says 2 'has no bodies to be seen' run van-der-pol --out x.pvd
says 2 'no known ending: use .csv, .npy, .json, .npz, .h5 or .pvd' run kepler --out x.xls
says 2 'should end in .csv, .npy, .json, .npz or .h5' sweep kepler e=0.1:0.3:0.1 --out x.pvd
mkfifo pipe.npz
says 2 'pipe.npz is not a plain file' run kepler --out pipe.npz
EPICYCLE_HDF5=/nowhere says 2 'needs libhdf5, which is not to be found: install it' run kepler --out x.h5
EPICYCLE_HDF5=/nowhere says 2 'needs libhdf5' sweep kepler e=0.1:0.3:0.1 --out x.h5
holds "what is refused leaves nothing" test -z "$(ls | grep '^x')"

# a disk that is full at any point of an .h5: a sentence and code 1, no crash when the program ends, and the rows are kept
full() { # size in kB
  local got=0
  (trap '' XFSZ; ulimit -f "$1"; exec "$epicycle" run kepler --flow verlet --step 0.01 --end 20 --every 0.01 --out full.h5 --quiet) >log 2>&1 || got=$?
  [ $got = 1 ] && grep -q 'cannot write full.h5: .*its rows are in full.h5.part.npy' log && [ ! -e full.h5 ] && [ -s full.h5.part.npy ]
}
for size in 4 100 142 150 153; do
  if full $size; then good; else bad "an .h5 of at most $size kB: $(cat log)"; fi
done
rm -f full.h5*

holds "what is in them" "$python" "$SOURCE/tests/common/pack.py"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
