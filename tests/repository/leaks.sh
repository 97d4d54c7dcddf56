#!/usr/bin/env bash
# holds: the command frees all its memory, when it runs and when it refuses
set -u
: "${EPICYCLE:?the command}"
export ASAN_OPTIONS="detect_leaks=1:${ASAN_OPTIONS:-}"
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
cd "$room" || exit 1
checks=0 failed=0

# ends CODE ARGUMENT...
ends() {
  local want=$1 got=0
  shift
  "$EPICYCLE" "$@" >out 2>err || got=$?
  checks=$((checks + 1))
  if [ "$got" != "$want" ] || grep -q 'ERROR: \|runtime error' err; then
    failed=$((failed + 1))
    echo "epicycle $*: exit $got, not $want"
    cat err
  fi
}

ends 0 show kepler
ends 0 run 'kepler(e=0.3)' --flow 'tolerance(dopri5, rtol=1e-6)' --step 0.1 --end 5 --out orbit.csv --stats stats.json --checkpoint \
  orbit.checkpoint --quiet
ends 0 resume orbit.checkpoint --quiet
ends 2 check kepler --flow 'strang(verlet, symmetric(verlet'
ends 1 run kepler --step 0.1 --end 1 --out /dev/full --quiet
ends 0 run inverted-pendulum w=1000 --flow 'verlet(hmm(verlet, kernel=box, even=1))' --end 0.2 --plot slow.svg --report slow.html --quiet
ends 0 run "$SOURCE/examples/compare.yaml" --report compare.html --quiet
ends 0 run "$SOURCE/examples/drop.yaml" --end 0.001 --quiet --checkpoint drop.checkpoint
ends 0 resume drop.checkpoint --json
ends 0 check "$SOURCE/tests/model-files/good/everything.yaml" --format
ends 2 check "$SOURCE/tests/model-files/bad/table-backward.yaml"
ends 0 completion --words -- run kepler ''
ends 0 run kepler --end 1 --out orbit.npz --quiet
ends 0 run pendulum --end 1 --out swing.pvd --quiet
ends 2 run van-der-pol --out nothing.pvd
ends 0 sweep kepler e=0.1:0.3:0.1 --end 1 --keep x --out orbits.npz --quiet
ends 0 export kepler --fmu orbit.fmu --quiet
ends 2 export pump.c --fmu pump.fmu
ends 0 schema
"$EPICYCLE" import --example >arm.urdf
ends 0 import arm.urdf shoulder='30 deg'
ends 2 import arm.urdf nothing=1
ends 0 reproduce vibrations 2.2 --figures drawn
"$EPICYCLE" new pump >pump.c
ends 0 run pump.c 'k=2 N/m' --end 1 --report pump.html --quiet
echo "$checks checks, $failed failed"
[ "$failed" = 0 ]
