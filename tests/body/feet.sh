#!/bin/sh
# holds: feet of bodies carry, stick below their friction angle, slide above it, and stack
# feet: spheres anywhere on their bodies, friction that holds below its angle and slides above it, boxes that stand on one another
#   feet.sh EPICYCLE
. "$(dirname "$0")/../common/command.sh"

close() { if awk "BEGIN { d = ($2) - ($3); if (d < 0) d = -d; exit !(d <= $4) }"; then good; else bad "$1: $2, not $3"; fi; }
column() { awk -F, -v name="$1" -v row="$3" \
  'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) k = i } NR == row + 1 || !row { x = $k } END { print k ? x : "none" }' "$2"; }
works() { "$e" "$@" > o 2> err || bad "epicycle $* : $(head -n 2 err)"; holds "epicycle $* said: $(cat err)" [ ! -s err ]; }
# the sum of the loads in the last row; how much the energy was above that of the start
loads() { awk -F, -v which="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ which) is[i] = 1 }
  { s = 0; for (i in is) s += $i } END { printf "%.12g", s }' "$2"; }
risen() { awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "energy") k = i } NR == 2 { first = $k }
  NR > 1 && $k - first > most { most = $k - first } END { print most/first + 0 }' "$1"; }

echo "# a block on four feet on a slope: it stays, and slides with the acceleration that is left"
cat > slope.yaml << 'END'
parameters: {a: 20 deg, mu: 0.5, g: 9.81 m/s^2}
world:
  gravity: [g*sin(a), 0, -g*cos(a)]
  bodies:
    - {name: block, box: [0.2, 0.2, 0.1], mass: 2, at: [0, 0, 60 mm]}
  contacts:
    - {name: f1, shape: sphere-plane, a: block, at_a: [0.09, 0.09, -0.05], radius: 0.01, law: {K: 1e8, chi: 20, mu: mu}}
    - {name: f2, shape: sphere-plane, a: block, at_a: [-0.09, 0.09, -0.05], radius: 0.01, law: {K: 1e8, chi: 20, mu: mu}}
    - {name: f3, shape: sphere-plane, a: block, at_a: [0.09, -0.09, -0.05], radius: 0.01, law: {K: 1e8, chi: 20, mu: mu}}
    - {name: f4, shape: sphere-plane, a: block, at_a: [-0.09, -0.09, -0.05], radius: 0.01, law: {K: 1e8, chi: 20, mu: mu}}
end: 2
output: {every: 0.5, file: s.csv}
END
for a in 5 20 26; do
  works run slope.yaml "a=$a deg"
  # of the slip that friction without vs has: tan a/mu/sqrt(1 - (tan a/mu)^2) times 1e-6 m/s
  close "creep at $a" "$(column block.vx s.csv 0)" \
    "$(awk -v a=$a 'BEGIN { a *= atan2(0, -1)/180; x = sin(a)/cos(a)/0.5; print 1e-6*x/sqrt(1 - x*x) }')" 2e-9
  close "the weight at $a" "$(loads '^f.[.]load' s.csv)" "$(awk -v a=$a 'BEGIN { print 2*9.81*cos(a*atan2(0, -1)/180) }')" 1e-4
  close "the energy at $a" "$(risen s.csv)" 0 1e-6
done
for a in 27 30 45; do
  "$e" run slope.yaml "a=$a deg" > o 2> err || bad "at $a: $(cat err)"
  close "the acceleration at $a" "$(awk "BEGIN { print ($(column block.vx s.csv 0)) - ($(column block.vx s.csv 4)) }")" \
    "$(awk -v a=$a 'BEGIN { a *= atan2(0, -1)/180; print 0.5*9.81*(sin(a) - 0.5*cos(a)) }')" 2e-5
done
# a tolerance alone asks for a flow that is right to it, and not for steps of the flow that holds
"$e" run slope.yaml 'a=30 deg' --end 0.1 --tol 1e-3 > o 2> err || bad "with a tolerance: $(cat err)"
holds "it is not chosen: $(cat o)" grep -q "chosen for 0.001: error about" o
close "the speed to a tolerance" "$(column block.vx s.csv 0)" \
  "$(awk 'BEGIN { a = atan2(0, -1)/6; print 0.1*9.81*(sin(a) - 0.5*cos(a)) }')" 2e-4
"$e" run slope.yaml --end 0.1 --tol 1e-3 --flow 'semi(model.contacts, model.stiff)' > o 2> err || bad "with both: $(cat err)"
holds "of a flow that is given it is of the steps: $(cat o)" grep -q "0.001 is the error of a step of this flow" o
# the feet up the slope bear less: m g h sin a = (f1 + f3 - f2 - f4) d, with the floor h below the middle
works run slope.yaml
f() { column "f$1.load" s.csv 0; }
close "the share of the feet" "$(awk "BEGIN { print $(f 1) + $(f 3) - $(f 2) - $(f 4) }")" \
  "$(awk 'BEGIN { print 2*9.81*sin(atan2(0, -1)/9)*0.06/0.09 }')" 1e-3

echo "# a box on four balls that are welded to it"
awk 'BEGIN { print "world:\n  gravity: 9.81\n  bodies:\n    - {name: box, box: [0.2, 0.2, 0.2], mass: 1, at: [0, 0, 0.12]}"
  for (i = 0; i < 4; i++) { x[i] = i % 3 ? -0.09 : 0.09; y[i] = i > 1 ? -0.09 : 0.09
    printf "    - {name: foot%d, ball: 0.01, mass: 0.01, at: [%g, %g, 0.01]}\n", i, x[i], y[i] }
  print "  joints:"; for (i = 0; i < 4; i++) printf "    - {name: weld%d, a: foot%d, b: box, hold: all}\n", i, i
  print "  contacts:"; law = "{K: 1e8, chi: 20, mu: 0.5, vs: 1 mm/s}"
  for (i = 0; i < 4; i++) printf "    - {name: c%d, shape: sphere-plane, a: foot%d, law: %s}\n", i, i, law
  print "end: 0.3" }' > box.yaml
works run box.yaml --out b.csv --every 0.01
close "its weight" "$(loads '^c.[.]load' b.csv)" 10.2024 1e-3
close "its energy" "$(risen b.csv)" 0 1e-6

counted
