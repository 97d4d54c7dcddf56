#!/usr/bin/env bash
# holds: short loads and contacts on bodies that move evenly are not stepped over
# brief.sh EPICYCLE - bodies that move so evenly that a step could be as long as one likes, and forces that act on them for moments only, in
# time or once a turn: loads by a formula, and a knob on a rotor that meets a ball
set -u
. "$(dirname "$0")/../common/command.sh"

# COLUMN VALUE DISTANCE: of the last row
last() { tail -n 1 a.csv | awk -F, -v n="$1" -v x="$2" -v d="$3" '{ exit !($n - x < d && x - $n < d) }'; }
rotor='world:
  bodies:
    - {name: r, cylinder: {radius: 10 cm, length: 2 cm}, mass: 1, inertia: [2.5e-3, 2.5e-3, 5e-3],
       rotate: {axis: z, angle: ANGLE}, spin: [0, 0, SPIN]}
  joints:
    - {name: s, a: r, hold: hinge, axis: z}'
# ANGLE SPIN
turning() { echo "$rotor" | sed "s/ANGLE/$1/; s/SPIN/$2/"; }

# 50 pulses of 9 ms in 10 s: each gives (2 sqrt(1 - c^2) - 2 c acos(c))/w of its force, 0.3 m/s together
cat > train.yaml << 'EOF'
world:
  bodies:
    - {name: c, ball: 5 cm, mass: 1, velocity: [1, 0, 0]}
  loads:
    - {body: c, force: "99.9148 N*max(sin(31.4159*t)-0.99,0)", along: x}
end: 10
EOF
for tol in 1e-3 1e-5; do
  "$e" run train.yaml --tol $tol --every 10 --out a.csv > o 2> err; holds "a train of pulses: $(cat err)" test $? -eq 0
  holds "is felt: $(tail -n 1 a.csv | cut -d, -f9)" last 9 1.3 "$(awk -v t=$tol 'BEGIN { print 1.3*t + 2e-6 }')"
done

# a stop at the rim for 16 degrees of a turn; by the angle alone, with an integrator of another house: q0, w3 = -0.08044, 27.029 at 0.9982
(turning 0 30; echo '  loads:
    - {body: r, at: [10 cm, 0, 0], force: "-5000 [N/m]*max(x-99 mm,0 m)", along: y}'; echo 'end: 0.9982') > rim.yaml
"$e" run rim.yaml --tol 1e-3 --every 0.9982 --out a.csv > o 2> err; holds "a stop at the rim: $(cat err)" test $? -eq 0
holds "attitude: $(tail -n 1 a.csv)" last 5 -0.08044 1e-3
holds "spin" last 14 27.029 0.03

# the same that gives back what it takes: 0.4 s for two passes, 20 rad/s before and after
(turning 2.5 20; echo '  loads:
    - {body: r, at: [10 cm, 0, 0], force: "-20000 [N/m]*max(x-99 mm,0 m)", along: x}'; echo 'end: 4') > back.yaml
"$e" run back.yaml --tol 1e-3 --every 4 --out a.csv > o 2> err; holds "a spring at the rim: $(cat err)" test $? -eq 0
holds "late by what it is held: $(tail -n 1 a.csv)" last 8 -0.393433 1e-3

# once a turn the knob meets a ball of 2 mm
(turning 0 100; echo '  contacts:
    - {shape: sphere-sphere, a: r, at_a: [-0.1, 0, 0], radius: 2 mm, at: [0.1035, 0, 0], other: 2 mm,
       law: {K: 1e6, mu: 0.2, vs: 0.1, chi: 0.1}}'
 echo 'end: 2') > knob.yaml
"$e" run knob.yaml --flow 'tolerance(dop853, rtol=1e-9, atol=1e-10, longest=2e-4)' --step 2 --every 2 --out b.csv --quiet
"$e" run knob.yaml --tol 1e-3 --every 2 --out a.csv > o 2> err; holds "a knob: $(cat err)" test $? -eq 0
holds "meets it every time" last 14 "$(tail -n 1 b.csv | cut -d, -f14)" 0.1
holds "and slows down: $(tail -n 1 a.csv)" awk -F, 'END { exit !($14 < 99.7) }' a.csv

# and once a turn a plane, or a cable that is slack otherwise
(turning 0 30; echo '  contacts:
    - {shape: sphere-plane, a: r, at_a: [-0.1, 0, 0], radius: 1 cm, at: [0.1095, 0, 0], normal: [-1, 0, 0],
       law: {K: 1e6, mu: 0.2, vs: 0.1, chi: 0.1}}'; echo 'end: 3') > plane.yaml
(turning 0 100; echo '  springs:
    - {kind: cable, a: r, at_a: [0.1, 0, 0], at_b: [-0.5, 0.05, 0], length: 0.601, stiffness: 20000, damping: 10}'
 echo 'end: 2') > cable.yaml
for world in plane cable; do
  "$e" run $world.yaml --flow 'tolerance(dop853, rtol=1e-9, atol=1e-10, longest=2e-4)' --step 2 --every 2 --out b.csv --quiet
  "$e" run $world.yaml --tol 1e-3 --every 2 --out a.csv > o 2> err; holds "a $world: $(cat err)" test $? -eq 0
  w=$(tail -n 1 b.csv | cut -d, -f14)
  holds "a $world is met: $(tail -n 1 a.csv | cut -d, -f14), $w" last 14 "$w" "$(awk -v w="$w" 'BEGIN { print 1e-3*w }')"
done
counted
