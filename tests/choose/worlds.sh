#!/usr/bin/env bash
# holds: the command reports worlds by their joints, springs and steps, and refuses what needs `stiff`
# worlds.sh - what the command says of worlds: joints by their names, springs that want the word stiff, steps as they are
# label: plain
set -u
: "${SOURCE:?the source folder}" "${EPICYCLE:?the command}"
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
cd "$room" || exit 1
checks=0 failed=0
says() { # WORDS COMMAND...: both streams have the words
  local words=$1
  shift
  checks=$((checks + 1))
  timeout 300 "$EPICYCLE" "$@" >out 2>&1
  grep -qF -- "$words" out || { failed=$((failed + 1)); echo "FAILED: '$words' is not in: epicycle $*"; head -n 5 out; }
}
never() { # WORDS: not in what was said last
  checks=$((checks + 1))
  ! grep -qF -- "$1" out || { failed=$((failed + 1)); echo "FAILED: '$1' was said"; }
}

echo "# joints that hold too much"
loop=$SOURCE/tests/cases/benchmarks
for verb in run check; do
  says "redundant: 1 of 30 constraints follows from the others, as does rx of [x, y, z, rx, ry] that the joint P0 holds" "$verb" \
    "$loop/bricard.yaml"
done
says "that the joint P5 holds" run "$loop/bricard-y.yaml"
never "velocity force"

echo "# springs that are too fast for the step"
cat >wire.yaml <<'X'
world:
  gravity: 9.81
  bodies: [{name: bob, ball: 20 mm, mass: 1, at: [0, 0, -1]}]
  springs: [{name: wire, a: bob, length: 1, stiffness: 1e10}]
step: 1e-3
end: 0.1
X
says "stiff: yes for the spring or contact" run wire.yaml
says "stiff: yes for the spring or contact" run wire.yaml --flow 'semi(model.contacts, model.stiff)'
sed 's/1e10/1e10, stiff: yes/' wire.yaml >stiff.yaml
says "done" run stiff.yaml
says "done at t = 1" run "$loop/flyball.yaml" --flow 'semi(model.contacts, model.stiff, beta=0.5, ahead=1)' --step 1e-3 --end 1
never "warning"
says "done at t = 0.005" run "$SOURCE/tests/cases/st.yaml"
never "warning"

echo "# steps and starts"
says "step   1e-06  to t = 0.001" check cradle
says "add setup=own" run billiard x1=0.2
says "done" run billiard setup=own vx1=0.3 --end 0.1
never "nan"
says "done" run stiff-springs case=own x1=1.1 --end 0.1
echo "$checks checks, $failed failed"
[ "$failed" = 0 ]
