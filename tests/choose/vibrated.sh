#!/usr/bin/env bash
# holds: bodies on vibrating pivots are right at any frequency: chosen steps do not miss the vibration
# vibrated.sh EPICYCLE - bodies and rods on a pivot that vibrates, at any frequency: steps that are chosen do not go over its turns unseen
# label: long   cost: 40
set -u
. "$(dirname "$0")/../common/command.sh"

# FREQUENCY AMPLITUDE MOTION: a rod upright, held there by vibration; the same speed of the pivot gives the same slow motion
rod() {
  cat << EOF
parameters: {l: 20 cm, m: 0.5 kg, a: $2, f: $1, q0: 0.5 rad}
world:
  gravity: 9.81
  bodies:
    - {name: rod, mass: m, inertia: [m*l^2/3, m*l^2/3, 1e-6], at: [l*sin(q0), 0, l*cos(q0)], rotate: {axis: y, angle: q0}}
  joints:
    - {name: pivot, a: rod, hold: hinge, at: [0, 0, 0], axis: y, motion: {along: z, $3}}
end: 0.5
EOF
}
wave='amplitude: a, frequency: f, phase: 90 deg'
# FILE: evaluations of the run that it tells of
calls() { sed -n 's/^done.*: \([0-9]*\) evaluations.*/\1/p' "$1"; }
near() { tail -n 1 "$1" | awk -F, -v x="$2" -v d="$3" '{ exit !($2 - x < d && x - $2 < d) }'; }

# at 500 kHz the pivot goes to and fro by less than the tolerance, and is all that holds the rod; by two ways with --tol 1e-5: 0.0593702
rod '500 kHz' '2 um' "$wave" > fast.yaml
"$e" run fast.yaml --tol 1e-3 --every 0.5 --out a.csv > o 2> err; holds "500 kHz: $(cat err)" test $? -eq 0
holds "turns are summed" has o '  by  revolve('
holds "upright: $(tail -n 1 a.csv | cut -d, -f1-4)" near a.csv 0.0593702 2e-4
holds "at a small cost: $(grep ^chosen o)" test "$(calls o)" -lt 20000

# to 1e-4 as well: no finer solution is made, which would feel how the phase is rounded in t, and go turn by turn
"$e" run fast.yaml --tol 1e-4 --every 0.5 --out a.csv > o 2> err; holds "500 kHz to 1e-4: $(cat err)" test $? -eq 0
holds "upright: $(tail -n 1 a.csv | cut -d, -f1-4)" near a.csv 0.0593702 2e-5
holds "found at a small cost: $(grep ^chosen o)" test "$(sed -n 's/^chosen.*; \([0-9]*\) evaluations to find out.*/\1/p' o)" -lt 60000

rod '5 kHz' '200 um' "$wave" > slower.yaml
"$e" run slower.yaml --flow 'tolerance(dop853, rtol=1e-9, atol=1e-10)' --step 0.5 --every 0.5 --out b.csv --quiet
x=$(tail -n 1 b.csv | cut -d, -f2)
for tol in 1e-3 1e-5; do
  "$e" run slower.yaml --tol $tol --every 0.5 --out a.csv --quiet; holds "5 kHz to $tol" near a.csv "$x" "2$(echo $tol | cut -c2-)"
done
# the same motion as a formula: its cosine goes with the phase, and beside it amplitudes with the time
rod '500 kHz' '2 um' 'formula: a*cos(f*t)' > read.yaml
"$e" run read.yaml --tol 1e-3 --every 0.5 --out a.csv > o 2> err; holds "a phase that is read: $(cat err)" test $? -eq 0
holds "its turns are summed" has o '  by  revolve('
holds "it is upright: $(tail -n 1 a.csv | cut -d, -f1-4)" near a.csv 0.0593702 2e-4
rod '5 kHz' '200 um' 'formula: a*(1 - exp(-(t/0.02 s)^2))*cos(2*f*t/2 + 0.3)' > grows.yaml
rod '5 kHz' '200 um' 'formula: a*(1 - exp(-(t/0.02 s)^2))*cos(f*t + 0.3 + 1e-12*sin(t/1 s))' > time.yaml
for m in grows time; do "$e" run $m.yaml --tol 1e-5 --every 0.5 --out $m.csv > $m.o 2> err; holds "$m: $(cat err)" test $? -eq 0; done
holds "one is read" has grows.o 'the fast phase turns'
! has time.o 'the fast phase turns'; holds "the other is not" test $? -eq 0
holds "they are the same" near grows.csv "$(tail -n 1 time.csv | cut -d, -f2)" 3e-6
# as a formula from which no phase can be read
rod '5 kHz' '200 um' 'formula: a*cos(f*t + 1e-12*sin(t/1 s))' > hidden.yaml
"$e" run hidden.yaml --tol 1e-3 --every 0.5 --out a.csv --quiet; holds "a formula of time" near a.csv "$x" 2e-4
# order 2 meets the moving pivot at the ends of its steps alone
rod '500 kHz' '2 mm' 'formula: a*cos(f*t + 1e-12*sin(t/1 s))' > far.yaml
"$e" run far.yaml --flow 'tolerance(verlet, rtol=1e-3)' --step 1e-4 --end 1e-4 > o 2> err; holds "order 2: $(cat err)" test $? -eq 0
holds "its steps see what is between their ends: $(grep 'steps of' o)" awk '/^  steps of/ { exit !($NF < 2e-6) }' o

# steps that are chosen are shorter than half a turn of a phase, unless longest says otherwise
for flow in 'tolerance(verlet, rtol=0.1' 'tolerance(dop853, rtol=0.1, atol=0.1' 'cvode(rtol=0.01, atol=10' 'adams(rtol=0.1, atol=0.1'; do
  "$e" run inverted-pendulum w=1e4 vmax=1e-3 --flow "$flow, longest=1)" --step 0.1 --end 0.1 > long 2> err
  "$e" run inverted-pendulum w=1e4 vmax=1e-3 --flow "$flow)" --step 0.1 --end 0.1 > o 2> err; holds "$flow: $(cat err)" test $? -eq 0
  # 159 turns
  holds "$flow): $(calls o), and $(calls long)" test "$(calls o)" -gt 370 -a "$(calls o)" -gt "$((2*$(calls long)))"
done

# a motion whose constraints are the model's own: as many turns in one step as without them
"$e" run double-pendulum --tol 1e-6 --every 1 --out a.csv > o 2> err; holds "double pendulum: $(cat err)" test $? -eq 0
holds "its turns are summed" has o '  by  revolve('
holds "not resolved: $(grep ^done o)" test "$(calls o)" -lt 400000
# by tolerance(dop853, rtol=1e-13, atol=1e-13), 8e7 evaluations
holds "right: $(tail -n 1 a.csv)" awk -F, 'function off(x, y) { return x > y ? x - y : y - x }
  { last = off($2, 0.00629829726) + off($6, -0.42742783354) + off($9, 1.0851982627) } END { exit !(last < 3e-6) }' a.csv
counted
