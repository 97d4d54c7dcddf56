#!/usr/bin/env bash
# holds: steps that are too long are refused or end with a warning, and accurate runs have none
# doubt.sh EPICYCLE - steps that are too long: refused where the start shows it, told at the end where the run does; else not a word
# label: once   cost: 18
set -u
. "$(dirname "$0")/../common/command.sh"

# warned PATTERN WORDS ...: exit 0, and a warning with the pattern
warned() {
  local pattern=$1
  shift
  "$e" run "$@" > o 2> err
  holds "exit $?, or no warning '$pattern' in '$(cat err)': epicycle run $*" \
    test $? -eq 0 -a "$(grep -c "^epicycle: warning: .*$pattern" err)" -ge 1
}
# quiet WORDS ...: exit 0, and not a word
quiet() {
  "$e" run "$@" > o 2> err
  holds "exit $?, or words '$(cat err)': epicycle run $*" test $? -eq 0 -a ! -s err
}

echo "# drives that are not seen, oscillations that explode: before the first step"
says 2 'fast phase.*fewer than two evaluations' run inverted-pendulum w=1e6 --flow verlet --step 1e-3
says 0 'fast phase.*fewer than two evaluations' check inverted-pendulum w=1e6 --flow verlet --step 1e-3
has o 'fast phase: rate 1e+06' || bad "check does not tell the phase"
says 2 'fastest oscillation at the start.*--force' run kepler --flow verlet --step 1 --end 100
says 2 'stability limit of this flow is 5.64' run rotor --step 6
says 2 'fastest oscillation' run cradle --step 1e-3
says 2 'fastest oscillation' run bearing --step 1e-4
says 2 'fastest oscillation' run bearing --step 5e-6
quiet inverted-pendulum w=1e6 --flow verlet --step 1e-7 --end 1e-3

echo "# balls that fixed steps take through one another"
cat > flight.yaml <<'X'
world:
  bodies:
    - {name: a, ball: 20 mm, material: steel, at: [-1.2774, 0, 0], velocity: [1, 0, 0]}
    - {name: b, ball: 20 mm, material: steel, at: [0, 0, 0]}
  contacts:
    - {name: hit, shape: sphere-sphere, a: a, b: b, law: {material: steel}}
X
for h in 0.7 0.3 0.11; do warned 'bodies went through one another' flight.yaml --flow verlet --step $h --end 2.1; done
quiet flight.yaml --flow verlet --step 0.11 --end 1.1
quiet flight.yaml --tol 1e-6 --end 2.1
has o 'b.x  *0.8625' || bad "the ball that was hit is not where it should be"

echo "# run and check name one step"
for f in verlet rk4 'symmetric(verlet)' gauss; do
  "$e" run inverted-pendulum w=1e6 --flow "$f" --step 1e-3 > o 2> one
  "$e" check inverted-pendulum w=1e6 --flow "$f" --step 1e-3 > o 2> two
  step=$(sed -n 's/.*take a step of \([^ ]*\) or less.*/\1/p' one)
  holds "$f: '$step' and $(cat two)" test -n "$step" -a "$(grep -c -e "take --step $step or less" two)" -eq 1
done

echo "# the step that a warning names has no warning"
while read -r model flow step; do
  "$e" run "$model" --flow "$flow" --step "$step" --force --quiet > o 2> err
  named=$(sed -n 's/.*take a step of \([^ ]*\) or less, or tolerance.*/\1/p' err | head -n 1)
  holds "$model, $flow, $step: no step is named: $(cat err)" test -n "$named"
  quiet "$model" --flow "$flow" --step "${named:-$step}" --quiet
done << X
kepler verlet 0.1
kepler rk4 0.1
kepler rk4 0.3
kepler midpoint 1
kepler symmetric(verlet) 0.18
pendulum verlet 3
pendulum rk4 3
pendulum midpoint 10
two-oscillators gauss 1
X
warned 'the steps are too long.*take a far shorter step' kepler --flow verlet --step 0.05 --end 60000

echo "# the same by force, flagged"
warned 'fastest oscillation at the start' kepler --flow verlet --step 1 --end 100 --force
warned 'the energy is off' kepler --flow verlet --step 1 --end 100 --force --json
holds "in the statistics" has o '"warnings": \["the step 1 is too long'
warned 'laplace-x, which is constant along the motion' kepler --flow verlet --step 1 --end 100 --force
warned 'fewer than two evaluations' inverted-pendulum w=1e6 --flow verlet --step 1e-3 --force --report r.html
holds "in the summary" has o '^done, with a warning, at t'
holds "in the report" has r.html 'fewer than two evaluations'

echo "# contacts above the stable step, which the start does not show"
warned 'the energy rose' drop --step 5e-4
warned 'the energy rose' drop --step 1e-3
warned 'the energy is off' billiard --step 0.05
warned 'the energy rose' stack --step 2e-3
warned 'may be too long' bearing --step 3e-6
cat > bounce.yaml <<'Y'
world:
  gravity: [0, 0, -9.81]
  bodies:
    - {name: ball, ball: 20 mm, material: steel, at: [0, 0, 120 mm]}
  contacts:
    - {name: floor, shape: sphere-plane, a: ball, law: {material: steel, chi: 0.1 s/m}}
end: 0.5
Y
warned 'the energy rose' bounce.yaml --step 1e-3
quiet bounce.yaml

echo "# what a few steps of many do: a ball that bounces, with steps that are long in its impacts alone"
warned 'taken again as two halves' drop --step 5e-5
warned 'taken again as two halves' drop --step 1e-4
"$e" check drop > o 2> err; holds "open contacts: $(tail -n 1 o)" has o 'nothing oscillates there, but contacts that are open may close'

echo "# contacts that are open: how fast they are when they close, and whether the step bears it"
holds "plane: $(tail -n 1 o)" \
  has o '^open at the start: plane may close at 0.99 m/s, with w = 1.25e+04 .*= 0.0626, and the stability limit is 2$'
holds "not a word: $(cat err)" test ! -s err
says 0 'too long for plane, which is open and may close at 0.99 m/s.*not stable; take --step 8e-06' check drop --step 5e-4
says 0 'the impact has a few steps' check drop --flow gauss --step 1e-4
says 0 'too long for floor' check bounce.yaml --step 1e-3
"$e" check bounce.yaml --flow 'tolerance(dop853)' --step 1e-3 > o 2> err
holds "chosen steps: $(tail -n 1 o) $(cat err)" test ! -s err -a "$(grep -c 'and this flow chooses its steps$' o)" -eq 1
"$e" check stack --json > o 2> err; holds "in json" has o '"open": {"contact": "touch3", "speed": 0.01'

echo "# what is late after an impact is no error of the speed; what leads nowhere, fades or fell into an impact is none either"
quiet magnetic-pendulum --flow verlet
flow='semi(model.contacts, model.stiff, beta=0.5, ahead=1)'
quiet "$SOURCE/tests/cases/benchmarks/boxes-3.yaml" --flow "$flow" --step 1e-5 --end 0.05 --quiet
quiet two-oscillators --flow gauss
quiet rod-chain --step 0.01
warned 'taken again as two halves' magnetic-pendulum --flow verlet --step 0.00545544725589981
warned 'taken again as two halves' rotor --flow euler-implicit --step 2
warned 'taken again as two halves' two-oscillators --flow euler --step 50 --force

echo "# a run of a few steps is taken again as a whole; observables are looked at there"
warned 'taken again as two halves' slider-crank --flow 'symmetric(verlet, order=8)' --step 0.05
flow='semi(model.contacts, model.stiff)'
warned 'it differs by .* of its range' rolling-sphere --flow "$flow" --step 0.02 --force

echo "# the torque of a stiff drive, which a method without damping gets wrong where the state is right; at short steps it is right"
for f in gauss theta; do warned 'too long for drive: .* differs by .* of its range' bearing --flow $f --step 1e-5; done
quiet bearing --flow 'semi(model.contacts, model.stiff, ahead=1)' --step 1e-7 --end 2e-5 --quiet
echo "# and which a tolerance does not settle that is enough for the state; a smaller one does"
for f in cvode 'tolerance(dop853)'; do
  composed bearing "$f" && warned 'drive may be wrong though the state is not' bearing --flow "$f" --every 1e-6 --end 1e-5
done
quiet bearing --flow 'tolerance(dop853, rtol=1e-12, atol=1e-14)' --every 1e-6 --end 1e-5
# nor where the list of a tolerance is what allows it
list=$(printf '1e-8, %.0s' $(seq 155))1e-8
composed bearing cvode &&
  warned 'drive may be wrong .* and its list atol allow' bearing --flow "cvode(rtol=1e-14, atol=[$list])" --every 1e-6 --end 1e-5
# nor is it said of the tension of a stiff spring, nor of a residual
quiet rod-pendulum as=penalty --flow 'tolerance(dop853)' --end 1
quiet drop --flow 'tolerance(dop853)' --every 0.01
echo "# steps that are cut for stability alone"
warned 'unstable from t = 0 on' rolling-sphere --flow 'nam(model, k=2)' --step 0.03
echo "# a position that goes far less than others of its kind do"
warned 'too long for ball[0-9].z: .* the sum of what differs there is .* of its range' bearing --flow euler-implicit

echo "# a model's own step is not needed where one is given"
warned 'energy is inf' pendulum v0=1e155 --step 1e-160 --end 1e-157

echo "# a run that was stopped tells what its rows saw"
"$e" run kepler e=0.6 --flow 'at(tolerance(dop853), of=y, direction=down, stop=1)' --end 40 --step 5 > o 2> err
holds "its energy: $(cat o)" has o '^  energy '
holds "nan or 0: $(grep energy o)" test "$(grep -cE '^  energy .*( nan | 0  +[^ ])' o)" -eq 0

echo "# a world's own step"
# a step that would do takes more steps than are tried for that: none is named
warned 'the steps .* too long.*take a far shorter step, or tolerance' "$SOURCE/tests/cases/crank2.yaml" --flow verlet --step 1e-3 --quiet --report c.html
quiet "$SOURCE/tests/cases/benchmarks/slider-crank-ida.yaml" --flow verlet --step 1e-3 --quiet --report c.html

echo "# an invariant that is nothing but rounding at the start has no error to speak of"
quiet kepler e=0.9 M0=pi --flow 'tolerance(dop853, rtol=1e-11, atol=1e-12)'
for f in "$SOURCE"/examples/perihelia.yaml "$SOURCE"/examples/pendulum.yaml; do quiet "$f" --quiet; done
echo "# angular momentum that is zero but for rounding"
quiet stiff-springs case=own x2=3 vx1=0.1 vy1=0.3 vx2=0 vy2=-0.1 w1=2 w2=2 --step 1e-3 --quiet

echo "# observables beyond all numbers"
says 1 'square overflows' run rotor --step 6 --force --quiet
# an orbit by a strobe in Cartesian coordinates: rk4 over one period is a ninth of a turn off after a thousand, half as long steps are not
warned 'energy is off by up to 0.00014 of itself, and what it is off by may be 0.11 of a turn' "$SOURCE/tests/cases/sat.c" \
  --flow 'rk4(strobe(substeps(dop853, 40), order=4))' --step 5828.516637686015 --end 5828516.637686015 --every 58285.16637686015 --quiet

echo "# what semi bears is measured"
for m in bearing stack slider-crank; do
  "$e" check $m > o 2> err; holds "$m: $(tail -n 1 o)" has o 'stability limit of h times w is 2$'
done

echo "# killed and resumed: the same warnings"
"$e" run kepler --flow verlet --step 0.05 --end 60000 --stats whole.json --quiet 2> whole
"$e" run kepler --flow verlet --step 0.05 --end 60000 --stats part.json --checkpoint p --checkpoint-every 0.05 --quiet 2> err & pid=$!
while kill -0 $pid 2> gone && [ ! -s p ]; do nap 0.02; done
kill -KILL $pid 2> gone && wait $pid 2> gone
# where it had ended before it could be killed it has said them itself
"$e" resume p --quiet 2>> err
holds "other warnings: $(diff whole err)" cmp -s whole err
holds "one at least" test -s whole

echo "# a velocity that is small beside others of its kind"
warned 'too long for roller13.vz' roller-bearing --flow 'semi(model.contacts, model.stiff, alpha=0.5, beta=0.8)' --end 5e-4

echo "# at their own steps nothing is doubtful"
for f in bearing cradle four-bar pendulum; do quiet "$SOURCE/examples/$f.yaml" --quiet; done
for m in $("$e" list models | sed -n 's/^  \([^ ][^ ]*\) .*/\1/p'); do quiet $m; done

counted && [ "$passed" -ge 74 ]
