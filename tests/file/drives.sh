#!/bin/sh
# holds: drives of model files follow closed forms, with parameters from file, run and command
# drives in model files: against closed forms, with parameters from the file, from a run and from the command, and what has no value
#   drives.sh EPICYCLE
. "$(dirname "$0")/../common/command.sh"

close() { if awk "BEGIN { d = ($2) - ($3); if (d < 0) d = -d; exit !(d <= $4) }"; then good; else bad "$1: $2, not $3"; fi; }
column() { awk -F, -v name="$1" -v row="$3" \
  'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) k = i } NR == row + 1 || !row { x = $k } END { print k ? x : "none" }' "$2"; }
works() { "$e" "$@" > o 2> err || bad "epicycle $* : $(head -n 2 err)"; }
refused() { want=$1; shift; "$e" "$@" > o 2> err && bad "epicycle $* is not refused"; holds "$* said: $(cat err)" grep -q -e "$want" err; }

echo "# a rod on a pivot that vibrates: place, speed and the force of the pivot by the equation of its angle, steps of 2.5 us"
# (I + m l^2) q'' = m l (g + z'') sin q with I = m l^2/3
awk 'function a(t, q) { return 0.75/l*(g - A*w*w*cos(w*t))*sin(q) }
  BEGIN { pi = atan2(0, -1); l = 0.2; g = 9.81; A = 0.002; w = 2*pi*500; q = 0.5; v = 0; n = 200000; h = 0.5/n
    for (i = 0; i < n; i++) { t = i*h; k1 = a(t, q); k2 = a(t + h/2, q + h/2*v + h*h/8*k1); k3 = a(t + h, q + h*v + h*h/2*k2)
      q += h*v + h*h/6*(k1 + 2*k2); v += h/6*(k1 + 4*k2 + k3) }
    t = 0.5; z = A*cos(w*t); b = a(t, q); x = l*(cos(q)*b - sin(q)*v*v); y = -w*w*z - l*(sin(q)*b + cos(q)*v*v)
    printf "%.15g %.15g %.15g %.15g\n", l*sin(q), z - A + l*cos(q), v, 0.5*sqrt(x*x + (y + g)*(y + g)) }' > want
works run "$SOURCE/examples/shaken.yaml" --out a.csv --every 0.5
read -r x z v force < want
close "x of the rod" "$(column rod.x a.csv 0)" "$x" 1e-9
close "z of the rod" "$(column rod.z a.csv 0)" "$z" 1e-9
close "its speed" "$(column rod.w2 a.csv 0)" "$v" 1e-7
close "the force of the pivot" "$(column pivot.force a.csv 0)" "$force" 1e-3
"$e" check "$SOURCE/examples/shaken.yaml" > o 2> err
holds "no phase in check: $(cat o)" grep -q 'fast phase: rate 3141.59' o

"$e" check "$SOURCE/tests/model-files/good/driven.yaml" > o 2> err
holds "nothing of what goes with time: $(cat o)" grep -q 'fast phase has 100 Hz, and the joint string swings with time, at 62 Hz' o

echo "# the same seen from the pivot: the ground is shaken"
sed 's/, motion: {.*}}/}/; s/^  gravity.*/&\n  motion: {along: z, amplitude: a, frequency: f, phase: 90 deg}/' \
  "$SOURCE/examples/shaken.yaml" > ground.yaml
works run ground.yaml --out b.csv --every 0.5 --step 5e-5
close "x from the ground" "$(column rod.x b.csv 0)" "$x" 5e-9
close "its speed" "$(column rod.w2 b.csv 0)" "$v" 5e-7

echo "# a force by a formula, an end of a spring that moves, an unbalanced mass: the oscillations of one mass"
cat > one.yaml << 'END'
parameters: {k: 50 N/m, m: 0.7 kg, F: 3 N, f: 20 Hz}
world:
  phase: {frequency: f}
  bodies:
    - {name: ball, ball: 20 mm, mass: m}
  loads:
    - {name: push, body: ball, force: "-k*x + F*cos(theta)", along: x}
flow: symmetric(verlet, order=6)
step: 1 ms
end: 1
output: {every: 1}
END
forced() { awk -v k="$1" -v m="$2" -v F="$3" -v f="$4" \
  'BEGIN { w = 8*atan2(1, 1)*f; printf "%.15g\n", F/(k - m*w*w)*(cos(w) - cos(sqrt(k/m))) }'; }
works run one.yaml --out a.csv; close "a force" "$(column ball.x a.csv 0)" "$(forced 50 0.7 3 20)" 1e-9
works run one.yaml k=80 'm=500 g' f=13 --out a.csv; close "with other parameters" "$(column ball.x a.csv 0)" "$(forced 80 0.5 3 13)" 1e-9
swing='{along: x, amplitude: F\/k, frequency: f, phase: 90 deg}'
sed '/loads/,/push/d' one.yaml | \
  sed "s/^flow/  springs:\\n    - {name: coil, a: ball, at_b: [-1, 0, 0], length: 1, stiffness: k, motion: $swing}\\nflow/" > coil.yaml
works run coil.yaml --out a.csv; close "a spring" "$(column ball.x a.csv 0)" "$(forced 50 0.7 3 20)" 1e-9
cat > rotor.yaml << 'END'
parameters: {M: 10 kg, u: 6 g m, k: 20 kN/m, c: 300 N s/m, f: 11 Hz}
world:
  bodies:
    - {name: motor, box: [0.2, 0.2, 0.3], mass: M}
  joints:
    - {name: guide, a: motor, hold: [x, y, rx, ry, rz]}
  springs:
    - {name: mount, a: motor, at_b: [0, 0, -0.3], stiffness: k, damping: c}
  loads:
    - {name: rotor, body: motor, unbalance: {mass: u/30 mm, radius: 30 mm, axis: y, frequency: f}}
flow: verlet
step: 0.2 ms
end: 2
output: {every: 1 ms}
END
works run rotor.yaml --out a.csv
most() { awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "motor.z") k = i }
  NR > 1 && $1 > 1.5 { x = $k > x ? $k : x } END { print x }' a.csv; }
close "the swing of the motor" "$(most)" \
  "$(awk 'BEGIN { w = 8*atan2(1, 1)*11; d = 20000 - 10*w*w; print 0.006*w*w/sqrt(d*d + 300*300*w*w) }')" 2e-6

echo "# a torque curve from a file, and a table that is smooth"
printf 'speed,torque\n0, 3\n10 2 # half way\n20; 0\n' > curve.csv
cat > spin.yaml << 'END'
world:
  tables: {motor: {of: rad/s, unit: N m, file: curve.csv}}
  bodies:
    - {name: wheel, cylinder: {radius: 0.1, length: 0.1}, mass: 2, inertia: [0.1, 0.1, 0.1]}
  loads:
    - {name: drive, body: wheel, torque: motor(w3), along: z}
flow: rk4
step: 1 ms
end: 0.3
output: {every: 0.3}
END
# I w' = 3 - w/10, below 10 rad/s
works run spin.yaml --out a.csv; close "a motor" "$(column wheel.w3 a.csv 0)" "$(awk 'BEGIN { printf "%.9f", 30*(1 - exp(-0.3)) }')" 1e-6
awk 'BEGIN { for (i = 0; i <= 200; i++) printf "%.6f,%.12f\n", i/100, sin(3*i/100) }' > sine.csv
cat > lift.yaml << 'END'
world:
  motion: {along: z, file: sine.csv, by: cubic}
  bodies:
    - {name: ball, ball: 2 cm, mass: 1, velocity: [0, 0, -3]}
flow: verlet
step: 1 ms
end: 1
output: {every: 1}
END
works run lift.yaml --out a.csv; close "a ball seen from what swings" "$(column ball.z a.csv 0)" "$(awk 'BEGIN { print -sin(3) }')" 2e-4

echo "# parameters of a run also count where they stand outside of it"
cat > runs.yaml << 'END'
parameters: {k: 50 N/m, m: 0.7 kg, T: 2*pi*sqrt(m/k)}
world:
  bodies:
    - {name: ball, ball: 20 mm, mass: m, at: [1 cm, 0, 0]}
  loads:
    - {name: push, body: ball, force: ["-k*x", 0, 0]}
end: T
step: T/1000
flow: verlet
output: {every: T, file: rows.csv}
runs:
  - {name: one}
  - {name: two, parameters: {k: 200 N/m}}
END
works run runs.yaml --quiet
close "a period" "$(column t rows-one.csv 0)" "$(awk 'BEGIN { print 8*atan2(1, 1)*sqrt(0.7/50) }')" 1e-5
close "half of it" "$(column t rows-two.csv 0)" "$(awk 'BEGIN { print 8*atan2(1, 1)*sqrt(0.7/200) }')" 1e-5
close "where it began" "$(column ball.x rows-two.csv 0)" 0.01 1e-6
works run runs.yaml k=800 --quiet
close "a quarter of it" "$(column t rows-two.csv 0)" "$(awk 'BEGIN { print 8*atan2(1, 1)*sqrt(0.7/800) }')" 1e-5
refused "runs.yaml: 'kk' is not a parameter of this world; did you mean k?" run runs.yaml kk=3
refused "k: N is a force, and a stiffness is wanted" run runs.yaml 'k=3 N'

echo "# frequencies by formulas of parameters that count turns: in the unit of the place, whatever theirs is"
cat > turns.yaml << 'END'
parameters: {n: 3000 rpm, w: 100 rad/s, f: 50 Hz, f3: f/(2*pi), F: 1 N}
world:
  phase: {frequency: FREQUENCY}
  bodies:
    - {name: a, mass: 1, inertia: 0.1}
  loads:
    - {body: a, force: "F*cos(theta) + 0*F*n*w*f*f3*(1 [s^4])", along: x}
end: 1
END
while read -r formula wanted; do
  sed "s|FREQUENCY|$formula|" turns.yaml > one-turn.yaml
  works check one-turn.yaml --flow rk4 --step 1e-4
  close "frequency: $formula" "$(sed -n 's/.*its fast phase has \([^ ]*\) Hz.*/\1/p' o)" "$wanted" 1e-9
done << 'END'
n 50
2*n 100
n/2 25
n+f 100
sqrt(n*f) 50
f+10 60
w 15.9154943091895
w/(2*pi) 15.9154943091895
f3 50
2*f3 100
END
# a parameter that has the name of a unit is that parameter after a sign
cat > named.yaml << 'END'
parameters: {h: 1 ms, m: 2 kg, M: 3*m}
world:
  bodies:
    - {name: a, ball: 0.1, mass: M}
end: 2*h
END
works run named.yaml --flow verlet --step 1e-3 --out a.csv
close "2*h" "$(column t a.csv 0)" 0.002 1e-15
# 10/f is ten radians, and ten periods have 2*pi
sed 's|FREQUENCY|f|; s|^end: 1|end: 10*2*pi/f|' turns.yaml > one-turn.yaml
works run one-turn.yaml --flow rk4 --step 1e-4 --out a.csv
close "ten periods" "$(column t a.csv 0)" 0.2 1e-12

echo "# what has no value is said with its place and its time, and no row is lost"
sed 's/force: .*, along: x/force: "F*sqrt(0.25 - t^2*1 [1\/s^2])", along: x/; s/every: 1/every: 0.05/; /phase:/d' one.yaml | \
  sed 's/k: 50 N.m, //; s/, f: 20 Hz//' > root.yaml
"$e" run root.yaml --out a.csv > o 2> err; code=$?
holds "exit $code" [ $code = 1 ]
said="takes the root of a number that is not positive in column 3 at t = 0.5"
holds "said: $(cat err)" grep -q "the law of the load push 'F\*sqrt(0.25 - t^2\*1 \[1/s^2\])' $said" err
holds "rows: $(wc -l < a.csv)" [ "$(wc -l < a.csv)" = 12 ]
sed 's/, force: .*along: x/, unbalance: {mass: m, radius: 1 mm, frequency: f}/; s/k: 50 N.m, //; s/F: 3 N, //' one.yaml | \
  sed 's/^world:/&\n  motion: {along: x, formula: "1 [mm s]\/(t - 0.3 s)"}/' > ground.yaml
"$e" run ground.yaml --out a.csv > o 2> err
holds "said: $(cat err)" grep -q "the motion of the ground '1 \[mm s\]/(t - 0.3 s)' divides by zero in column 9 at t = 0.29" err

counted
