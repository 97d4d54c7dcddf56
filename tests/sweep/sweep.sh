#!/usr/bin/env bash
# holds: the verb sweep writes the same bytes by any number of workers, and after kill, interrupt and full disk
# sweep.sh - the verb sweep: the same bytes by any number of workers, after kill -9, after Ctrl-C, after a full disk; rows for what crashes
# label: long   label: plain
set -u
: "${EPICYCLE:?the command}"
room=$(mktemp -d) && trap 'rm -rf "$room"' EXIT
cd "$room" || exit 1
failed=0 checks=0
check() { checks=$((checks + 1)); eval "$2" || { echo "sweep: $1"; failed=$((failed + 1)); }; }
many=(sweep pendulum 'q0=uniform(0.1, 3)' --samples 10000 --end 5 --keep q,energy.max)

"$EPICYCLE" "${many[@]}" --workers 1 --out one.csv > told || exit 1
check "a summary" "grep -q '^10000 cases in .*: 10000 done; table in one.csv' told"
check "a row for each" "[ \$(wc -l < one.csv) = 10001 ]"
check "nothing is left" "[ ! -e one.csv.part ] && [ ! -e one.csv.part.why ]"
"$EPICYCLE" "${many[@]}" --workers 2 --out two.csv > told
check "two workers" "cmp -s one.csv two.csv"

# killed in the middle, again and again, wherever that is
for k in 1 2 3 4 5; do
  "$EPICYCLE" "${many[@]}" --out killed.csv > told 2>&1 & id=$!
  # some cases further each time
  for _ in $(seq 400); do
    size=$(stat -c %s killed.csv.part 2> /dev/null || echo 0)
    [ "$size" -gt $((60000*k)) ] && break
    sleep 0.01
  done
  kill -9 $id 2> /dev/null
  wait $id 2> /dev/null
done
check "the journal stays" "[ -e killed.csv.part ] || [ -e killed.csv ]"
if [ -e killed.csv.part ]; then "$EPICYCLE" resume killed.csv.part > told || echo "not resumed"; fi
check "killed and resumed" "cmp -s one.csv killed.csv"

# Ctrl-C says how to go on
"$EPICYCLE" "${many[@]}" --out stopped.csv > told 2> err & id=$!
for _ in $(seq 400); do [ "$(stat -c %s stopped.csv.part 2> /dev/null || echo 0)" -gt 20000 ] && break; sleep 0.01; done
kill -INT $id 2> /dev/null
wait $id
code=$?
check "stopped with 1, or done" "[ $code = 0 ] || { [ $code = 1 ] && grep -q 'epicycle resume stopped.csv.part' err; }"
[ -e stopped.csv.part ] && "$EPICYCLE" resume stopped.csv.part --quiet
check "stopped and resumed" "cmp -s one.csv stopped.csv"

# a journal that was moved is not taken for the place where it was
"$EPICYCLE" "${many[@]}" --out moved.csv > told 2>&1 & id=$!
for _ in $(seq 400); do [ -s moved.csv.part ] && break; sleep 0.01; done
kill -9 $id 2> /dev/null
wait $id 2> /dev/null
if [ -e moved.csv.part ]; then
  mv moved.csv.part elsewhere.part
  "$EPICYCLE" resume elsewhere.part > told 2> err
  check "moved" "[ $? = 2 ] && grep -q 'keeps it in moved.csv.part' err"
fi

# what is left of another sweep is not touched
"$EPICYCLE" "${many[@]}" --out other.csv > told 2>&1 & id=$!
for _ in $(seq 400); do [ -s other.csv.part ] && break; sleep 0.01; done
kill -9 $id 2> /dev/null
wait $id 2> /dev/null
if [ -e other.csv.part ]; then
  "$EPICYCLE" sweep pendulum q0=0.1:0.5:0.1 --out other.csv > told 2> err
  check "another sweep" "grep -q 'is left of another sweep' err"
fi

# no room: said, and gone on with
(trap '' XFSZ; ulimit -f 40; "$EPICYCLE" "${many[@]}" --out full.csv > told 2> err; echo $? > code)
check "no room" "[ \$(cat code) = 1 ] && grep -q 'make room' err"
"$EPICYCLE" resume full.csv.part --quiet
check "room again" "cmp -s one.csv full.csv"

# the cases that crash are rows, and only these
cat > crash.c <<'EOF'
#include <epicycle.h>
static const epi_param PARAMS[] = {{.name = "x0", .unit = "m", .value = 1, .doc = "start"}, {0}};
static int force(epi_system *s, double t, const double *q, double *f)
{
  (void)s;
  if (q[0] > 1.25 && t > 0.5) *(volatile int *)0 = 1;
  if (q[0] < -5) for (;;) f[0] = 0;
  f[0] = -0.1*q[0];
  return 0;
}
static int make(epi_case *c)
{
  c->system = (epi_system){.nq = 1, .force = force};
  if (epi_case_start(c)) return -1;
  c->y[0] = c->p[0];
  return 0;
}
EPI_MODEL = {.name = "crash", .doc = "ends the process", .params = PARAMS, .make = make, .flow = "verlet", .step = 0.01, .end = 2};
EOF
"$EPICYCLE" sweep crash.c x0=0.5:1.5:0.1 --keep q1 --out crash.csv > told 2> err
check "crashes end with 1" "[ $? = 1 ]"
check "three crash" "[ \$(grep -c ',crashed,its code crashed: segmentation fault' crash.csv) = 3 ]"
check "the others do not" "[ \$(grep -c ',done,' crash.csv) = 8 ]"

# bad requests, before anything is written
refused() {
  "$EPICYCLE" sweep "${@:2}" > told 2> err
  check "$1" "[ $? = 2 ] && grep -q '$1' err && [ ! -e sweep.csv ] && [ ! -e sweep.csv.part ]"
}
refused "nothing is swept" kepler
refused "nothing is swept" kepler e=0.5
refused "did you mean e" kepler ee=0.1:0.9:0.1
refused "did you mean energy" kepler e=0.1:0.9:0.1 --keep enrgy
refused "add --yes" kepler e=0.1:0.9:1e-12
refused "should end in .csv" kepler e=0.1:0.9:0.1 --out table.xls
refused "seconds that a case may take" kepler e=0.1:0.9:0.1 --limit -1
refused "whole number" kepler e=0.1:0.9:0.1 --workers 1.5
refused "write its tolerance into it" kepler e=0.1:0.9:0.1 --flow verlet --tol 1e-6
refused "step is swept, and --step gives it once more" kepler step=0.01:0.03:0.01 --step 0.02
refused "end is swept, and --end" kepler end=1:3:1 --end 2
refused "tol is swept, and --tol" kepler 'tol=[1e-3,1e-6]' --tol 1e-4
refused "tol chooses a flow in each case, and verlet is given" kepler 'tol=[1e-3,1e-6]' --flow verlet
refused "with tol the steps are chosen" kepler step=0.01:0.03:0.01 --tol 1e-3
refused "there is no unit" kepler "e=1 parsec:2 parsec:1 parsec"

# numbers have units, flows have numbers
"$EPICYCLE" sweep drop 'r=[10 mm,0.02]' --end 0.01 --keep t --out units.csv > told 2> err
check "units" "grep -q '^0,0.01,' units.csv && grep -q '^1,0.02,' units.csv"
"$EPICYCLE" sweep kepler 'h=log(1e-4,1e-8,3)' --flow 'tolerance(dopri5, rtol={h})' --keep evaluations --end 5 --out flow.csv > told
check "a number in the flow" "awk -F, 'NR > 1 { if (\$3 <= last) bad = 1; last = \$3 } END { exit bad || NR != 4 }' flow.csv"

# a model file: its section, and numbers of its world by their paths
cat > bar.yaml <<'EOF'
flow: tolerance(dop853, rtol=1e-8)
end: 0.5 s
sweep:
  over:
    bodies.bar.mass: [1 kg, 2000 g]
    gravity.3: "-9.81:-1.62/3"
  keep: [energy.max, bar.z]
  file: bars.csv
world:
  gravity: [0, 0, -9.81]
  bodies:
    - {name: bar, mass: 1 kg, inertia: [0.02, 0.02, 0.01], at: [0.2, 0, 0]}
  joints:
    - {name: pivot, hold: hinge, a: bar, b: ground, at: [0, 0, 0], axis: y}
EOF
"$EPICYCLE" sweep bar.yaml > told 2> err
check "a section" "[ \$(wc -l < bars.csv) = 7 ] && grep -q '^5,2,-1.62,' bars.csv"
check "its names" "grep -q '^case,bodies_bar_mass,gravity_3,energy.max,bar.z,' bars.csv"
"$EPICYCLE" run bar.yaml bodies.bar.mass='2 kg' gravity.3=-1.62 --out alone.csv > told 2> err
z=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "bar.z") c = i } END { print $c }' alone.csv)
check "the same alone" "grep -q '^5,2,-1.62,.*,$z,done,' bars.csv"
"$EPICYCLE" sweep bar.yaml 'gravity.3=[-1,-2]' bodies.bar.mass=3kg --out over.csv --quiet
check "the command line goes over the file" "[ \$(wc -l < over.csv) = 3 ] && grep -q '^1,-2,' over.csv"
refused "ends after bodies.bar." bar.yaml bodies.bar.mas=1:2:1
# one number has one value: the same path twice, another path to it, its parameter; also against what the file sweeps
refused "bodies.bar.mass is given twice" bar.yaml bodies.bar.mass=1 bodies.bar.mass=2
refused "gravity.3 is given twice" bar.yaml gravity.3=-1:-3:-1 gravity.3=-5
refused "bodies.bar.mass and bodies.1.mass are the same number: give one of them" bar.yaml bodies.1.mass=2
refused "bodies.bar.at.1 and bodies.1.at.1 are the same number" bar.yaml bodies.bar.at.1=0:1:1 bodies.1.at.1=2
refused "bodies_bar_at_1 is given twice" bar.yaml bodies.bar.at.1=0:1:1 bodies_bar_at_1=2
for verb in run check; do
  "$EPICYCLE" $verb bar.yaml bodies.bar.mass=1 bodies.1.mass=2 > told 2> err
  check "$verb: two paths to one number" "[ $? = 2 ] && grep -q 'bodies.bar.mass and bodies.1.mass are the same number' err"
done
refused "there is no number of this path" bar.yaml bodies.bar=1:2:1

# pictures: over two numbers a map, over one a line, of what is drawn a cloud; nothing of them for what none can show
"$EPICYCLE" sweep pendulum q0=0.1:3/8 w=1:2/6 --end 2 --keep q --plot map.svg --report map.html --out map.csv --quiet
check "a map" "[ \$(grep -c '<image ' map.svg) = 1 ] && grep -q '<image ' map.html"
sed -n "/base64,/{s/.*base64,//; s/'.*//p}" map.svg | base64 -d > map.png
check "its bytes" "head -c 8 map.png | od -An -tx1 | grep -q '89 50 4e 47' && tail -c 12 map.png | grep -aq IEND"
check "the command of a case" "grep -q 'alone: \"epicycle run pendulum q0={q0} w={w} --end 2\"' map.html"
"$EPICYCLE" sweep pendulum q0=0.1:3/8 --end 2 --keep q,v --plot line.svg --out line.csv --quiet
check "two lines" "[ \$(grep -c '<image ' line.svg) = 0 ] && [ \$(grep -c \"clipPath id=\" line.svg) = 2 ]"
"$EPICYCLE" sweep pendulum 'q0=uniform(0,3)' --samples 20 --end 2 --keep q --plot cloud.svg --out cloud.csv --quiet
check "a cloud" "[ \$(grep -o '<circle' cloud.svg | wc -l) -ge 20 ]"
refused "one or two numbers, and 3" pendulum q0=0.1:3/8 w=1:2/6 v0=0:1/3 --plot three.svg
refused "should end in .svg" pendulum q0=0.1:3/8 --plot a.png

# what a click shows runs as it stands in a shell, and ends with the number of the row
epicycle() { "$EPICYCLE" "$@" --out alone.csv --quiet < /dev/null; }
alone() {
  local command names row value
  command=$(sed -n 's/.*alone: "\([^"]*\)".*/\1/p' "$1.html")
  IFS=, read -r -a names < "$1.csv"
  while IFS=, read -r -a row; do
    this=$command
    for i in "${!names[@]}"; do
      this=${this//"{${names[i]}}"/${row[i]-}}
      [ "${names[i]}" = "$2" ] && value=${row[i]-}
    done
    eval "$this" > told 2> err
    last=$(awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i } END { print $c }' alone.csv)
    check "case ${row[0]} of $1 by '$this': $last, not $value" "[ '$last' = '$value' ]"
  done < <(tail -n +2 "$1.csv")
}
alone map q
cat > 'my model.c' << 'END'
#include <epicycle.h>
static const epi_param P[] = {{.name = "k", .value = 1, .doc = "stiffness"}, {0}};
static const char *const N[] = {"q", "v"};
static int force(epi_system *s, double t, const double *q, double *f) { return (void)t, f[0] = -*(double *)s->data*q[0], 0; }
static int make(epi_case *c)
{
  c->system = (epi_system){.nq = 1, .force = force, .data = c->p, .names = N};
  if (epi_case_start(c)) return -1;
  return c->y[0] = 1, 0;
}
EPI_MODEL = {.name = "mine", .doc = "a spring", .params = P, .make = make, .flow = "verlet", .step = 0.01, .end = 1};
END
"$EPICYCLE" sweep 'my model.c' k=1:3:1 --end 0.5 --keep q --report mine.html --out mine.csv --quiet
alone mine q
"$EPICYCLE" sweep 'kepler(mu=2)' e='[0.1, 0.3]' r='log(1e-3,1e-6,2)' --flow 'tolerance(dopri5, rtol={r})' --end 3 --keep x \
  --report flow.html --out flow.csv --quiet
alone flow x
"$EPICYCLE" sweep bar.yaml bodies.bar.mass='[1, 2]' gravity.3='[-9.81, -1.62]' --keep bar.z --report bars.html --out bars2.csv --quiet
mv bars.html bars2.html && alone bars2 bar.z

# cases that move in lanes: the bytes of those that do not, also where one of them crashes
sed 's/static int make/static int forces_of(epi_system *const *of, int n, const double *t, const double *theta, const double *q, double *f)\
{\
  for (int k = 0; k < n; k++) {\
    double x = *(double *)of[k]->data;\
    if (x > 2.5 \&\& x < 2.52 \&\& t[k] > 0.5 \&\& getenv("BOOM")) abort();\
    f[k] = -x*q[k];\
  }\
  return (void)theta, 0;\
}\
&/; s/.force = force/&, .batch.forces_of = forces_of/; s/#include <epicycle.h>/&\
#include <stdlib.h>/' 'my model.c' > lanes.c
for model in lanes.c 'my model.c'; do "$EPICYCLE" sweep "$model" k=1:4/200 --end 4 --keep q,q.max,evaluations --out "$model.csv" --quiet; done
check "lanes" "[ \$(wc -l < lanes.c.csv) = 201 ] && cmp -s lanes.c.csv 'my model.c.csv'"
BOOM=1 "$EPICYCLE" sweep lanes.c k=1:4/200 --end 4 --keep q,q.max,evaluations --out boom.csv > told 2> err
check "a crash in a lane" "[ $? = 1 ] && [ \$(diff boom.csv lanes.c.csv | grep -c '^< .*crashed') = 1 ]"
check "and in no other" "[ \$(diff boom.csv lanes.c.csv | wc -l) = 4 ]"
for k in 1 2 3; do
  "$EPICYCLE" sweep lanes.c k=1:4/2000 --end 20 --keep q --out cut.csv > told 2>&1 & id=$!
  for _ in $(seq 400); do [ "$(stat -c %s cut.csv.part 2> /dev/null || echo 0)" -gt $((9000*k)) ] && break; sleep 0.01; done
  kill -9 $id 2> /dev/null
  wait $id 2> /dev/null
done
[ -e cut.csv.part ] && "$EPICYCLE" resume cut.csv.part --quiet
"$EPICYCLE" sweep 'my model.c' k=1:4/2000 --end 20 --keep q --out whole.csv --quiet
check "lanes, killed and resumed" "cmp -s cut.csv whole.csv"

# more cases than anybody means
refused "these are 1e+12 cases" pendulum q0=0:1/1e12
refused "these are 1e+12 cases" pendulum q0=0:1:1e-12

# how fast deviations from a periodic motion grow; a start that is none is a row that says so
"$EPICYCLE" sweep "$SOURCE/examples/upright.yaml" w=20:200/7 vmax=0.2:5/9 --keep floquet,floquet.exponent --out upright.csv --quiet
check "upright, all of it" "[ \$(grep -c ',done,\$' upright.csv) = 63 ]"
check "exponents are those of the multipliers" "awk -F, 'NR > 1 { d = log(\$4)/(2*3.141592653589793/\$2) - \$5; if (d*d > 1e-16) exit 1 }' upright.csv"
# above sqrt(2 g l) and below the resonance it stands, and what is left falls with half of the damping
check "where it stands" "awk -F, 'NR > 1 && \$2 > 100 && \$3 > 2 && (\$5 > -0.2499 || \$5 < -0.2501) { exit 1 }' upright.csv"
check "where it falls" "awk -F, 'NR > 1 && \$3 < 1.9 && \$5 < 0.5 { exit 1 }' upright.csv"
"$EPICYCLE" sweep inverted-pendulum q0='[0, 0.1]' --keep floquet --end 0.01 --out off.csv > told 2> err
check "a start that does not come back" "[ $? = 1 ] && grep -q '^1,0.1,,failed,.*comes back after a period' off.csv"
check "one that does" "grep -q '^0,0,1.0' off.csv"
# by averaging and directly the same map, where neither is near its boundary
map=("$SOURCE/examples/upright.yaml" w=60:200/5 vmax='[0.5,1.5,1.8,2.2,3,4]' q0=0.05 --keep q.max,q.min --end 3 --quiet)
"$EPICYCLE" sweep "${map[@]}" --out direct.csv
"$EPICYCLE" sweep "${map[@]}" --flow 'revolve(substeps(symmetric(verlet, order=4), 20), rtol=1e-4)' --step 0.3 --out averaged.csv
"$EPICYCLE" sweep "$SOURCE/examples/upright.yaml" w=60:200/5 vmax='[0.5,1.5,1.8,2.2,3,4]' --quiet --out floquet.csv
stands() { awk -F, -v by="${2-}" 'NR > 1 { print (by == "floquet" ? $4 < 0 : $4 < 1 && $5 > -1) }' "$1"; }
check "directly as by Floquet" "[ \"\$(stands direct.csv)\" = \"\$(stands floquet.csv floquet)\" ]"
check "averaged as by Floquet" "[ \"\$(stands averaged.csv)\" = \"\$(stands floquet.csv floquet)\" ]"
check "some of each" "[ \$(stands direct.csv | grep -c 1) = 15 ]"

# a chain of three that stands on its head, or not: the slowest mode asks for 1.272 m/s, the fastest for an amplitude that is not too large
"$EPICYCLE" sweep "$SOURCE/examples/upright-rope.yaml" f='300 Hz:500 Hz/2' u='[1, 1.6]' --out rope.csv --quiet
check "the rope falls and stands" "[ \"\$(awk -F, 'NR > 1 { print (\$4 > 0.09) }' rope.csv | tr '\\n' ' ')\" = '0 1 0 1 ' ]"

# the other formats have the same numbers
for kind in json csv npy; do "$EPICYCLE" sweep kepler e=0.1:0.3:0.1 --keep x --end 1 --out t.$kind > told; done
check "json" "[ \"\$(sed -n 's/^  \[\([0-9]*\), \([^,]*\), \([^,]*\), .*/\1,\2,\3/p' t.json)\" = \"\$(sed -n '2,\$s/,done,\$//p' t.csv)\" ]"
check "npy" "head -c 300 t.npy | grep -aq \"('e', '<f8'), ('x', '<f8'), ('outcome', '<i8')\""
check "its size" "[ \$(((\$(stat -c %s t.npy) - 192) % 32)) = 0 ]"

echo "$checks checks, $failed failed"
[ "$failed" = 0 ]
