#!/bin/sh
# holds: mode files of bodies are read or refused in one sentence, and unstable steps are reported
# modes of bodies: files of them, what is wrong with these in one sentence each, steps that modes make unstable, cases by name
#   modes.sh EPICYCLE
. "$(dirname "$0")/../common/command.sh"

ring="$SOURCE/examples/ring.modes"
# value NAME: of the last run with --json, in o
value() { tr ',{}' '\n\n\n' < o | sed -n "s/^ *\"$1\": *//p" | head -n 1; }
works() { "$e" "$@" > o 2> err || bad "epicycle $* : $(head -n 2 err)"; }

echo "# the example is the ring of the model itself, to what a spline through 36 points leaves of its shapes"
works run bearing radial=500 outer.modes=4 --end 1e-4 --json
e1=$(value outer.e1) x=$(value inner.y)
cp "$ring" mine.modes
for path in mine.modes ./mine.modes "$PWD/mine.modes"; do
  works run bearing radial=500 outer.file="$path" --end 1e-4 --json
  holds "e1 by $path: $(value outer.e1), not $e1" near "$(value outer.e1)" "$e1" 1e-3
  holds "place of the inner ring: $(value inner.y), not $x" near "$(value inner.y)" "$x" 1e-5
done
mkdir -p folder
cp "$ring" folder/
printf 'model: bearing\nparameters: {outer.file: ring.modes, radial: 500 N}\nend: 1e-4\n' > folder/bearing.yaml
works run folder/bearing.yaml --json
holds "e1 by a model file: $(value outer.e1), not $e1" near "$(value outer.e1)" "$e1" 1e-3

echo "# a body of a world: a ball that is thrown at a flexible ring leaves energy in its modes, and none is lost"
cat > folder/world.yaml <<Y
world:
  bodies:
    - {name: outer, mass: 0.0994, inertia: [4.35e-5, 4.35e-5, 8.27e-5], modes: {file: ring.modes}}
    - {name: ball, ball: 4.7625 mm, density: 7800, at: [22.9 mm, 0, 0.1 mm], velocity: [1, 0, 0]}
  contacts:
    - {name: race, shape: sphere-groove, a: ball, b: outer, radius: 4.7625 mm, other: 5.000625 mm, circle: 22.764875 mm, law: {K: 2.7e10}}
flow: nam(model.contacts, model.stiff, tol=1e-7)
step: 1e-4
end: 2e-4
Y
sed 's/^damping.*/damping 0 0 0 0/' "$ring" > folder/ring.modes
works run folder/world.yaml --every 1e-6 --out world.csv
holds "energy of the world" awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { if ($i == "energy") k = i; if ($i == "outer.de1") j = i } }
  NR == 2 { first = $k } NR > 1 { if ($j > fast) fast = $j; d = $k/first - 1; if (d < 0) d = -d; if (d > most) most = d }
  END { exit !(k && j && fast > 0.01 && most < 3e-6) }' world.csv

echo "# what is wrong with a file, in one sentence each"
cp "$ring" folder/ring.modes
try() { says 2 "$1" run bearing outer.file=bad.modes --end 1e-6; }
says 2 'there is no such file' run bearing outer.file=none.modes
says 2 'no plain file' run bearing outer.file=folder/
head -c 900 "$ring" > bad.modes; try 'line [0-9]*: the file ends in the middle of point [0-9]* of 36'
sed 's/^mass  *0/mass -0/' "$ring" > bad.modes; try 'line 3: the mass of mode 1 is -0.0566542'
sed 's/^stiffness 20691306.3/stiffness -1/' "$ring" > bad.modes; try 'line 4: the stiffness of mode 1 is -1'
sed 's/^damping  *21/damping -21/' "$ring" > bad.modes; try 'line 5: the damping of mode 1 is -21'
sed 's/^stiffness 20691306.3/stiffness/' "$ring" > bad.modes; try "line 5: 'damping' is no number, and stiffness is not complete"
sed '/^stiffness/d' "$ring" > bad.modes; try 'the stiffness of the modes is missing'
sed '/^points/,$d' "$ring" > bad.modes; try 'the points are missing'
sed '/^modes/d' "$ring" > bad.modes; try 'mass comes before the number of modes'
sed 's/^modes 4/modes 0/' "$ring" > bad.modes; try 'modes 0: give a whole number from 1 to 128'
sed 's/^0.0289 0 0 1/0.0289 0 0 one/' "$ring" > bad.modes; try "'one' is no number, and point 1 of 36 is not complete"
sed 's/^0.0289 0 0 1/0.0289 0 0 nan/' "$ring" > bad.modes; try 'not finite'
sed 's/^points 36/points 24/' "$ring" > bad.modes; try "is not expected here"
sed 's/^points 36/points 37/' "$ring" > bad.modes; try 'the file ends in the middle of point 37 of 37'
printf 'PK\003\004\000\000' > bad.modes; try 'no text'
: > bad.modes; try 'the file has no modes'
awk '/^points/ { print "points 28"; next } /^0.0289 0 0/ { on = 1 } on && ++n <= 8 { next } { print }' "$ring" > bad.modes
try 'points are missing in the modes of outer.*90 degrees have none'
awk '/^points/ { print "points 37"; next } { print } /^0.0289 0 0/ { print }' "$ring" > bad.modes
try 'two points at the same angle, 0 degrees'
says 2 'the modes of inner do not match it: inner1 touches it at the radius 0.0182' run bearing inner.file=mine.modes
says 2 'pocket1 acts on cage at .*from the nearest point' run bearing cage.file=mine.modes
says 2 'modes from a file and 2 of its own' run bearing outer.file=mine.modes outer.modes=2
says 2 'outer.file needs the path of a file' run bearing outer.file=3
sed 's/^mass  *0/mass -0/' "$ring" > folder/ring.modes
says 2 'world.yaml:3: ring.modes, line 3: the mass of mode 1 is -' check folder/world.yaml
sed 's/file: ring.modes/file: ring.modes, mass: [1]/' folder/world.yaml > folder/both.yaml
says 2 'modes has a file and lists' check folder/both.yaml
cp "$ring" folder/ring.modes
sed 's/shape: sphere-groove.*/shape: sphere-plane, a: ball, b: outer, radius: 4.7625 mm, normal: [0, 0, 1], law: {K: 2.7e10}}/' \
  folder/world.yaml > folder/plane.yaml
says 2 'race cannot feel the modes of outer' check folder/plane.yaml

echo "# modes that no step of this length bears: refused, or told"
says 2 'too long for the fastest' run bearing outer.modes=38 --flow verlet --end 1e-5
light="cage.modes=8 cage.mass=1e-5 cage.Ix=3.3e-6 cage.Iz=6.35e-6"
"$e" run bearing $light --end 3e-4 --flow 'semi(model.contacts, model.stiff, ahead=1)' > o 2> err; code=$?
[ $code = 1 ] && grep -q 'passed through or exploded.*take a smaller step' err && good || bad "a light cage: exit $code, $(cat err)"
"$e" run bearing $light --end 3e-4 > o 2> err
grep -q 'unstable\|too long' err && good || bad "a light cage by nam: $(cat err)"
"$e" run bearing outer.modes=38 --step 6e-6 --end 3e-4 > o 2> err
grep -q 'nam: steps of 6e-06 are unstable .*take steps below 5' err && good || bad "modes by long steps: $(cat err)"
"$e" run bearing outer.modes=8 inner.modes=8 cage.modes=8 --end 1e-4 > o 2> err && [ ! -s err ] && good || bad "$(cat err)"

echo "# cases by name, and what is given beside them"
modes() { grep -o '"[a-z]*\.de[0-9]*"' o | sort -u | wc -l; }
for case in 1a:0 1b:16 3a:16 3b:32 3c:48; do
  works run bearing case=thesis-${case%:*} --end 2e-5 --json
  holds "case $case: $(modes) modes" test "$(modes)" -eq "${case#*:}"
done
works run bearing case=thesis-3a cage.modes=0 --end 1e-5 --json
holds "outer ring alone" test "$(modes)" -eq 8
# a value that is the usual one is given all the same
works run bearing case=thesis-3a outside=62e-3 --end 1e-5 --json
says 2 'case cannot be .*did you mean thesis-1a' run bearing case=thesis-1c

counted
