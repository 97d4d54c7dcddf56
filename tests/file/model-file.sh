#!/bin/sh
# holds: every mistake in a model file is reported with line and remedy, and right files run
# model files: what is wrong in them is said with its line, what is right runs; units, the formatter, the starting files
#   model-file.sh EPICYCLE
# label: once   cost: 45
. "$(dirname "$0")/../common/command.sh"
: "${BUILD:=$(dirname "$e")}" "${CC:=cc}"

# close NAME VALUE WANTED RELATIVE
close() { if awk "BEGIN { d = ($2) - ($3); if (d < 0) d = -d; w = ($3) < 0 ? -($3) : $3; exit !(d <= $4*w) }"; then good;
  else bad "$1: $2, not $3"; fi; }
# column NAME FILE ROW: ROW 1 is the first after the names, 0 the last
column() { awk -F, -v name="$1" -v row="$3" \
  'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) k = i } NR == row + 1 || !row { x = $k } END { print k ? x : "none" }' "$2"; }
works() { "$e" "$@" > o 2> err || bad "epicycle $* : $(head -n 2 err)"; }

echo "# every mistake of the corpus has its line, its key and its remedy"
files=0
# lines FILE: how many it has, in $lines; a process for each would be most of the time
lines() { lines=0; while IFS= read -r _; do lines=$((lines + 1)); done < "$1"; }
mkdir wants
awk -F ' [|] ' '/ [|] / { print > ("wants/" $1); close("wants/" last); last = $1 }' "$SOURCE/tests/model-files/expect.txt"
for f in "$SOURCE"/tests/model-files/bad/*.yaml; do
  name=${f##*/}; name=${name%.yaml}
  files=$((files + 1))
  "$e" check "$f" > o 2> err; code=$?
  [ $code = 2 ] && [ ! -s o ] || bad "$name: exit $code"
  grep -q -v '^epicycle: ' err && bad "$name: something else than sentences: $(cat err)"
  [ -s "wants/$name" ] || bad "$name has no expectation"
  lines "wants/$name"; wanted=$lines; lines err
  [ $lines = $wanted ] || bad "$name: $lines sentences, not $wanted: $(cat err)"
  while IFS= read -r row; do
    rest=${row#* | }
    if grep -q -e "^epicycle: [^ ]*/$name.yaml:${rest%% | *}: .*${rest#* | }" err; then good;
      else bad "$name wants line ${rest%% | *}, ${rest#* | }; said: $(cat err)"; fi
  done < "wants/$name"
done
holds "at least 60 files, not $files" [ $files -ge 60 ]
[ "$(grep -c ' | ' "$SOURCE/tests/model-files/expect.txt")" -gt "$files" ] || bad "expectations without files"

echo "# files that are none"
# says PATTERN WORDS ...
says() { want=$1; shift; "$e" "$@" > o 2> err; code=$?; if [ $code = 2 ] && [ "$(wc -l < err)" = 1 ] && grep -q -e "$want" err; then good;
  else bad "epicycle $*: exit $code, $(cat err)"; fi; }
says 'nowhere.yaml: there is no such file' check nowhere.yaml
says 'nowhere.yaml: there is no such file' run nowhere.yaml
mkdir folder.yaml
says 'folder.yaml: this is no plain file' check folder.yaml
head -c 65000000 /dev/zero | tr '\0' ' ' > large.yaml
says 'large.yaml: 65 MB are too much for a model file' check large.yaml
awk 'BEGIN { print "model: kepler"; print "runs:"; for (i = 0; i < 4050000; i++) print "- a" }' > many.yaml
says 'many.yaml:3999998: the file holds more than 4000000 values' check many.yaml
awk 'BEGIN { printf "model: "; for (i = 0; i < 100000; i++) printf "["; print "" }' > deep.yaml
says 'deep.yaml:1: .*nested more than 50 deep' check deep.yaml
awk 'BEGIN { print "model: kepler"; print "runs:"; for (i = 0; i < 90000; i++) print "- &anchor" i " a" }' > anchors.yaml
says 'anchors.yaml:2003: the file has more than 2000 anchors' check anchors.yaml
awk 'BEGIN { print "model: kepler"; for (i = 0; i < 100; i++) print "key" i ": 1" }' > wrong.yaml
"$e" check wrong.yaml > o 2> err; holds "not a hundred sentences: $(wc -l < err)" [ "$(wc -l < err)" -le 21 ]
says 'format writes a model file' check kepler --format
says 'no model' show verlet --yaml

echo "# many bodies: what takes longer than it should is seen by the time that this takes"
awk 'BEGIN { n = 3000; print "step: 1e-3\nend: 2e-3\nworld:\n  gravity: 9.81\n  bodies:"
  for (i = 0; i < n; i++) printf "    - {name: b%d, mass: 1, inertia: 0.1, at: [%g, 0, 0]}\n", i, i + 0.5
  print "  joints:"
  for (i = 0; i < n; i++) printf "    - {a: b%d%s, hold: hinge, at: [%d, 0, 0], axis: y}\n", i, i ? ", b: b" i - 1 : "", i }' > chain.yaml
works run chain.yaml --out chain.csv
# t, 13 coordinates of each body, the energy, the angle of each hinge; the last body falls freely
holds "columns: $(head -n 1 chain.csv | tr , '\n' | wc -l)" [ "$(head -n 1 chain.csv | tr , '\n' | wc -l)" = $((1 + 13*3000 + 1 + 3000)) ]
holds "the last link falls" awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "b2999.vz") k = i } END { exit !($k < -0.0195 && $k > -0.0197) }' chain.csv
sed 's/hold: hinge, at: \[2999,/hold: hinge, b: b29999, at: [2999,/; s/b: b2998, hold/hold/' chain.yaml > nobody.yaml
says "b: there is no body 'b29999'; did you mean b2999?" check nobody.yaml

echo "# a file is the request that it stands for"
works run "$SOURCE/examples/pendulum.yaml" --out a.csv
works run inverted-pendulum w=1e6 q0=0.25 --flow 'verlet(hmm(verlet, kernel=box, even=1))' --step 0.01 --end 1 --out b.csv
holds "same rows" cmp -s a.csv b.csv
works run "$SOURCE/tests/model-files/good/drop.yaml" --out a.csv
works run drop --flow 'semi(model.contacts, model.stiff)' --step 5e-6 --end 0.2 --out b.csv
holds "height of a ball of a world" [ "$(column ball.z a.csv 0)" = "$(column ball.z b.csv 0)" ]
holds "it has fallen and bounced: $(column ball.vz a.csv 0)" [ "$(column ball.vz a.csv 0)" = "$(column ball.vz b.csv 0)" ]
for row in 150 300 500; do holds "load in row $row" [ "$(column plane.load a.csv $row)" = "$(column force b.csv $row)" ]; done
# an arm on a damped strut comes to rest where its moments balance, 12.5175 mm high, with any step
cat > arm.yaml <<'EOF'
world:
  gravity: 9.81
  bodies: [{name: arm, box: [400 mm, 40 mm, 30 mm], material: steel, at: [200 mm, 0, 0]}]
  joints: [{name: pivot, a: arm, hold: hinge, at: [0, 0, 0], axis: y}]
  springs: [{name: strut, a: arm, at_a: [100 mm, 0, 0], at_b: [300 mm, 0, 0.25], length: 230 mm, stiffness: 20 kN/m, damping: 100 Ns/m}]
end: 1
EOF
for h in 1e-4 '20 us'; do works run arm.yaml --step "$h" --out a.csv; close "rest of the arm" "$(column arm.z a.csv 0)" 0.0125175 3e-6; done
# two flywheels on a shaft that is a penalty lose nothing, and swing with sqrt(2 k/I)
cat > shaft.yaml <<'EOF'
world:
  bodies:
    - {name: left, cylinder: {radius: 0.1, length: 0.02}, mass: 1, at: [0, 0, 0], spin: [0, 0, 1]}
    - {name: right, cylinder: {radius: 0.1, length: 0.02}, mass: 1, at: [0, 0, 0.2], spin: [0, 0, -1]}
  joints:
    - {name: a, a: left, hold: hinge, axis: z}
    - {name: b, a: right, hold: hinge, axis: z}
    - {name: shaft, a: left, b: right, hold: [rz], axis: z, as: penalty, stiffness: 50 Nm/rad}
end: 1
EOF
works run shaft.yaml --stats s.json --out a.csv
close "energy of the flywheels" "$(sed -n 's/.*"name": "energy".*"initial": \([^,]*\),.*/\1/p' s.json)" 0.005 1e-12
awk -F'"relative_error": ' '/"name": "energy"/ { split($2, x, ","); exit !(x[1] + 0 < 1e-4) }' s.json && good ||
  bad "the flywheels lose energy: $(grep relative_error s.json)"
works run shaft.yaml --end 0.01 --out a.csv
close "twist of the shaft" "$(column shaft.angle a.csv 0)" 0.0139692 2e-5
close "its torque" "$(column shaft.drive a.csv 0)" -0.698444 3e-5
"$e" check shaft.yaml --step 1e-4 > o 2> err
close "their frequency" "$(sed -n 's/^fastest at the start: w = \([^,]*\),.*/\1/p' o)" 141.421356 1e-5
# of several runs: a list as JSON, a file for each
printf 'model: kepler\nend: 1\nruns:\n  - {name: a, step: 0.1}\n  - {name: b c, step: 0.05}\n' > two.yaml
works run two.yaml --json --out rows.csv
holds "a file for each run" [ -s rows-a.csv -a -s rows-b-c.csv ]
holds "a list of two: $(grep -c '"status": "done"' o)" [ "$(grep -c '"status": "done"' o)" = 2 -a "$(head -n 1 o)" = '[' ]
# nothing is touched where one of them is refused
printf 'model: kepler\nend: 1\noutput: {file: none.csv}\nruns:\n  - {name: a, step: 0.1}\n  - {name: b, fast: yes}\n' > half.yaml
"$e" run half.yaml > o 2> err; code=$?
holds "exit 2 and no file: $code $(cat err)" [ $code = 2 -a ! -e none-a.csv ]
"$e" check kepler > o; printf 'model: kepler\ntolerance: 1e-8\n' > tol.yaml
works check tol.yaml; chosen=$(sed -n 's/^chosen //p' o)
works run tol.yaml --json; holds "check has the flow of run: $chosen" grep -qF "\"flow\": \"${chosen:?}\"" o
works run "$SOURCE/tests/model-files/good/rods.yaml" --out a.csv
works run rod-pendulum --step 1e-3 --end 1 --out b.csv
for c in upper.x lower.y lower.vx; do close "$c of rods" "$(column $c a.csv 0)" "$(column $c b.csv 0)" 1e-9; done
close "tension of a rod" "$(column rod2.force a.csv 0)" "$(column T2 b.csv 0)" 1e-9
works run "$SOURCE/tests/model-files/good/hertz.yaml" --out a.csv --every 1e-7
# 4/3 E* sqrt(R) depth^1.5, E* = E/(2 (1 - nu^2)); R is halved between two spheres
close "load on a plane by Hertz" "$(column plane.load a.csv 1)" "4/3*207e9/1.82*sqrt(0.02)*1e-5^1.5" 1e-6
close "load between spheres by Hertz" "$(column touch.load a.csv 1)" "4/3*207e9/1.82*sqrt(0.01)*1e-5^1.5" 1e-6

echo "# the same from C: examples/model-file.c is what the command does"
for f in examples/pendulum.yaml tests/model-files/good/rods.yaml tests/model-files/good/drop.yaml; do
  works run "$SOURCE/$f" --out a.csv --quiet
  "$BUILD/examples/model-file" "$SOURCE/$f" > last 2> err || bad "model-file $f: $(cat err)"
  holds "a state of $f" [ "$(wc -l < last)" -gt 2 ]
  while read -r name sign x; do close "$name of $f from C" "1 + $x" "1 + $(column "$name" a.csv 0)" 1e-11; done < last
done
"$BUILD/examples/model-file" "$SOURCE/tests/model-files/bad/several-unknown-keys.yaml" > o 2> err
holds "the sentences of a wrong file from C" [ $? = 2 -a "$(grep -c 'did you mean' err)" = 2 ]

echo "# several runs"
"$e" check "$SOURCE/tests/model-files/good/runs.yaml" > o 2> err || bad "runs: $(cat err)"
holds "parameters are merged" grep -q 'kepler(e=0.1)' o
works run "$SOURCE/tests/model-files/good/runs.yaml" --quiet
for f in rows-fine.csv mine.csv rows-by-tolerance.csv; do holds "$f" [ -s $f ]; done
close "the other eccentricity" "$(column x mine.csv 1)" 0.9 1e-12
close "the tolerance holds" "$(column x rows-by-tolerance.csv 0)" "$(column x rows-fine.csv 0)" 1e-6

echo "# the events of a file are those of the command"
works run "$SOURCE/examples/perihelia.yaml" --out a.csv
holds "the summary counts them" grep -q '16 events in perihelia.csv' o
works run kepler e=0.9 M0=pi --flow 'at(tolerance(dop853, rtol=1e-11, atol=1e-12), of=y, direction=up)' \
  --step 100 --end 100 --every 0.025 --out b.csv --events b-events.csv
holds "same events" cmp -s perihelia.csv b-events.csv
holds "a perihelion in every turn" awk -F, 'NR > 1 { d = $3 - (2*$1 - 1)*3.14159265358979; if (d*d > 1e-10) n++ } END { exit n || NR != 17 }' \
  perihelia.csv
works run "$SOURCE/examples/perihelia.yaml" --events other.csv --quiet
holds "the command goes first" cmp -s other.csv b-events.csv
cat > both.yaml <<'END'
model: kepler
step: 0.01
end: 20
output: {events: e.json}
runs:
  - {name: up, flow: "at(verlet, of=y, direction=up)"}
  - {name: both ways, flow: "at(verlet, of=y)", output: {events: mine.csv}}
END
works run both.yaml --quiet
holds "each run has its own" [ -s e-up.json -a "$(wc -l < mine.csv)" = 7 ]
works check both.yaml --format
holds "formatted" grep -q 'events: mine.csv' o
printf 'model: kepler\noutput: {events: e.csv, file: e.csv}\nflow: at(verlet, of=y)\n' > one.yaml
says 'must be different files' run one.yaml

echo "# everything that a world can be"
works run "$SOURCE/tests/model-files/good/everything.yaml" --out a.csv
for c in wheel.w3 bob.x plate.e2 energy rope.load axle.force axle.torque rod.force mount.torque drive.force guide.torque floor.load \
  race.load pocket.load land.load; do
  case $(column $c a.csv 0) in none) bad "there is no column $c" ;; *nan*|*inf*) bad "$c is no number" ;; *) good ;; esac
done
close "the wheel turns with 300 rpm" "$(column wheel.w3 a.csv 1)" 10*3.14159265358979 1e-9
close "the drive has its speed" "$(column ring.w3 a.csv 0)" "0.002/0.1*100*3.14159265358979/30" 1e-6

echo "# a start beside the joints is moved onto them, where it is asked for"
printf \
  'world:\n  settle: yes\n  bodies: [{name: a, ball: 0.1, mass: 1, at: [1.2, 0, 0], velocity: [1, 1, 0]}]\n  joints: [{name: rod, a: a, hold: rod, length: 1}]\n' > settle.yaml
works run settle.yaml --end 0.1 --step 0.001 --out a.csv
close "place" "$(column a.x a.csv 1)" 1 1e-12
close "velocity along the rod" "1 + $(column a.vx a.csv 1)" 1 1e-12
close "velocity across" "$(column a.vy a.csv 1)" 1 1e-12
printf 'world:\n  bodies: [{name: a, ball: 0.1, mass: 1, at: [1.0001, 0, 0]}]\n  joints: [{name: rod, a: a, hold: rod, length: 1}]\n' > \
  settle.yaml
works run settle.yaml --end 0.1 --step 0.001 --out a.csv
close "decimals are mended" "$(column a.x a.csv 1)" 1 1e-12

echo "# units"
unit() { # TEXT MODEL PARAMETER WANTED
  printf 'model: %s\nparameters: {%s: %s}\n' "$2" "$3" "$1" > u.yaml
  works check u.yaml --json
  got=$(sed -n "s/.*\"model\": \"$2($3=\([^)]*\)).*/\1/p" o)
  close "$1 as $3" "${got:-0}" "$4" 1e-14
}
unit '30 mm' bearing bore 0.03; unit '3 cm' bearing bore 0.03; unit '1.25 in' bearing bore 0.03175; unit '30000 um' bearing bore 0.03
unit '30e-3' bearing bore 0.03
unit '12 µm' bearing Pd 12e-6; unit '3e1 mm' bearing bore 0.03
unit '1000 rad/s' bearing speed 1000*30/3.14159265358979312; unit '100 Hz' bearing speed 6000; unit '9000 rpm' bearing speed 9000
unit '150 rev/s' bearing speed 9000
unit '207 GPa' bearing E 207e9; unit '2.07 Mbar' bearing E 207e9; unit '207 kN/mm^2' bearing E 207e9; unit '207e9 N/m²' bearing E 207e9
unit '207e9 kg/(m s^2)' bearing E 207e9
unit '7.8 g/cm^3' bearing density 7800; unit '0.5 ms' bearing spinup 5e-4; unit '1 kN' bearing axial 1000; unit '10 MHz' bearing fB 1e7
unit '30 deg' pendulum q0 3.14159265358979312/6; unit 'pi/6' pendulum q0 3.14159265358979312/6
unit '-2*pi/3 rad' pendulum q0 -2*3.14159265358979312/3
unit '1e9 N/m^(3/2)' cradle K 1e9; unit '1 GN/m^1.5' cradle K 1e9; unit '20 g' cradle m 0.02; unit '3.6 km/h' cradle v0 1
# every unit of every model is one that can be read, and the default means the same with it
"$e" list models --json > models.json
for m in $(sed -n 's/.*"name": "\([^"]*\)".*/\1/p' models.json); do
  "$e" show "$m" --json > m.json
  { echo "model: $m"; echo "parameters:";
    sed -n 's/.*{"name": "\([^"]*\)", "unit": "\([^"]*\)", "default": \([-+.0-9e]*\), "doc".*/  \1: \3 \2/p' m.json; } > with.yaml
  grep -q ': ' with.yaml && [ "$(wc -l < with.yaml)" -gt 2 ] || { echo "model: $m" > with.yaml; }
  sed 's/^\(  [^:]*: [-+.0-9e]*\) .*/\1/' with.yaml > without.yaml
  works check with.yaml --json; cp o with.json
  works check without.yaml --json
  holds "the units of $m" cmp -s o with.json
  # those of what is observed are at least known
  for u in $(sed -n 's/.*"observables": \[\(.*\)\],.*/\1/p' m.json | tr '}' '\n' | sed -n 's/.*"unit": "\([^"]*\)".*/\1/p' | tr ' ' '~' |
    sort -u); do
    printf 'model: bearing\nparameters: {bore: 1 %s}\n' "$(echo "$u" | tr '~' ' ')" > u.yaml
    "$e" check u.yaml > o 2> err
    grep -q 'there is no unit\|not expected\|is no unit\|no number' err && bad "the unit $u of $m: $(cat err)"
  done
  # a starting file runs as it is, and so does what the formatter makes of it
  "$e" show "$m" --yaml > start.yaml 2> err || bad "show $m --yaml: $(cat err)"
  end=$(awk '/^step:/ { print 20*$2 }' start.yaml)
  works run start.yaml --end "$end" --out a.csv --quiet
  works run "$m" --end "$end" --out b.csv --quiet
  holds "the starting file of $m is $m" cmp -s a.csv b.csv
  works check start.yaml --format; cp o formed.yaml
  works check formed.yaml --format
  holds "$m, formatted twice" cmp -s o formed.yaml
done
holds "27 models at least" [ "$(grep -c '"name"' models.json)" -ge 27 ]

echo "# the formatter"
for f in "$SOURCE"/examples/*.yaml "$SOURCE"/tests/model-files/good/*.yaml; do
  name=${f##*/} with=()
  # a file beside code of the same name needs what that brings
  [ -f "${f%.yaml}.c" ] && with=(--with "${f%.yaml}.c")
  "$e" check "$f" "${with[@]}" --format > formed.yaml 2> err || bad "format $name: $(cat err)"
  "$e" check formed.yaml "${with[@]}" --format > again.yaml 2> err || bad "format $name again: $(cat err)"
  holds "$name, formatted twice" cmp -s formed.yaml again.yaml
  holds "the comments of $name" [ "$(tr -d '"' < "$f" | grep -o '# .*' | sort)" = "$(tr -d '"' < formed.yaml | grep -o '# .*' | sort)" ]
  holds "no tabs, no blanks at the ends of lines in $name" sh -c '! grep -qE "[[:cntrl:]]| $" formed.yaml'
  case $name in everything.yaml|drop.yaml|pendulum.yaml|four-bar.yaml)
    "$e" run "$f" --out a.csv --quiet 2> err || bad "$name: $(cat err)"
    "$e" run formed.yaml --out b.csv --quiet 2> err || bad "$name, formatted: $(cat err)"
    holds "$name runs alike, formatted" cmp -s a.csv b.csv ;;
  esac
done
printf '# head\n\nend: 3 # late\n# about the model\nmodel: kepler\nparameters: {  # all\n  e: 0.1, # one\n  # two\n  mu: 1}\n# tail' > \
  odd.yaml
printf '# head\n\n# about the model\nmodel: kepler\nparameters:  # all\n  e: 0.1  # one\n  # two\n  mu: 1\nend: 3  # late\n# tail\n' > \
  even.yaml
works check odd.yaml --format
holds "order of keys, comments with them: $(cat o)" cmp -s o even.yaml
printf \
  'model: kepler\r\ntitle: "a \\"quoted\\" text: # no comment"\r\nparameters: &p\r\n    e: 0.1\r\nruns:\r\n- {name: a, parameters: *p}\r\n' > dos.yaml
works check dos.yaml --format
holds "lines of another system, an alias, quotes: $(cat o)" grep -q '^title: "a \\"quoted\\" text: # no comment"$' o
printf '\357\273\277model: kepler # a mark at the beginning\ntitle: orbite d'"'"'été  # accents\n' > marked.yaml
works check marked.yaml --format
holds "accents and marks" [ "$(grep -c '  # a' o)" = 2 ]

echo "# the documentation"
awk '/^```yaml$/ { n++; on = 1; next } /^```$/ { on = 0 } on { print > ("doc" n ".yaml") }' "$SOURCE/docs/model-files.md"
for f in doc*.yaml; do works run $f --end 1e-4 --quiet; done
holds "five examples at least" [ -s doc5.yaml ]
sed -n '/^```c$/,/^```$/p' "$SOURCE/docs/model-files.md" | sed '1d;$d' > mine.c
printf 'title: orbit\nmodel: kepler\nparameters: {e: 0.3}\nstep: 0.01\nend: 1\n' > mine.yaml
# a checked library does not go into a program that is not
if ! grep -q __asan_init "$e"; then
  "$CC" -std=c11 -Wall -Wextra -Werror -ffp-contract=off mine.c -I"$SOURCE/include" -L"$BUILD" -lepicycle-file -lepicycle \
    -Wl,-rpath,"$BUILD" \
    -o mine 2> err || bad "the program of the documentation: $(head -n 3 err)"
  works run mine.yaml --out a.csv --quiet
  holds "the program of the documentation: $(./mine)" [ "$(./mine)" = "orbit: t = 1, x = $(printf %.9f "$(column x a.csv 0)")" ]
fi
grep -o '^| `[^|]*|' "$SOURCE/docs/model-files.md" | grep -o '`[a-zA-Z_]*`' | tr -d '`' | sort -u > told
holds "more than fifty keys are told: $(wc -l < told)" [ "$(wc -l < told)" -gt 50 ]

echo "# random bytes in good files: an answer, never a crash"
tries=${MUTATIONS:-60}
cat "$SOURCE"/tests/model-files/good/everything.yaml > seed0
cat "$SOURCE"/tests/model-files/good/runs.yaml > seed1
cat "$SOURCE"/examples/four-bar.yaml > seed2
cat "$SOURCE"/examples/bearing.yaml > seed3
i=0
while [ $i -lt "$tries" ]; do
  awk -v seed=$i 'BEGIN { srand(seed + 1); strange = "{}[]:,-#&*!|>%@`\"'"'"'\\\t 0e.~?\303\251\200\377\001" }
    { line[NR] = $0 }
    END {
      for (k = 0; k < 1 + int(3*rand()); k++) {
        n = 1 + int(NR*rand()); p = 1 + int((length(line[n]) + 1)*rand()); how = int(6*rand())
        a = substr(line[n], 1, p - 1); b = substr(line[n], p)
        c = substr(strange, 1 + int(length(strange)*rand()), 1)
        if (how == 0) line[n] = a c substr(b, 2)
        else if (how == 1) line[n] = a c b
        else if (how == 2) line[n] = a substr(b, 2 + int(4*rand()))
        else if (how == 3) line[n] = line[n] "\n" line[1 + int(NR*rand())]
        else if (how == 4) { m = 1 + int(NR*rand()); x = line[n]; line[n] = line[m]; line[m] = x }
        else line[n] = a int(1e9*rand()) "e" int(700*rand() - 350) b
      }
      for (k = 1; k <= NR; k++) print line[k]
    }' seed$((i % 4)) > mutant.yaml
  timeout 600 "$e" check mutant.yaml --format > o 2> err; code=$?
  case $code in
  0) [ ! -s err ] || bad "mutant $i: done, and $(head -n 1 err)" ;;
  2) grep -q '^epicycle: mutant.yaml:[0-9]*: ' err || bad "mutant $i: no located sentence: $(head -n 1 err)"
     grep -v -q '^epicycle: mutant.yaml:' err && bad "mutant $i: $(head -n 3 err)" ;;
  *) bad "mutant $i: exit $code: $(head -n 3 err)"; cp mutant.yaml "${TMPDIR:-/tmp}/mutant-$i.yaml" ;;
  esac
  i=$((i + 1))
done
good

echo "$passed passed, $failed failed, $files wrong files, $tries mutants"
[ $failed = 0 ]
