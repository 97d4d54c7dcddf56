#!/usr/bin/env bash
# holds: formulas of a swept parameter in a model file follow it in every case
# sweep-formulas.sh - numbers of a file that are formulas of a parameter follow it in every case of a sweep: end, step, every, tol, masses
# label: plain
set -u
: "${EPICYCLE:?the command}"
last() { awk -F, -v x="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == x) c = i } END { print $c }' run.csv; }
room=$(mktemp -d) && trap 'rm -rf "$room"' EXIT
cd "$room" || exit 1
failed=0 checks=0
check() { checks=$((checks + 1)); eval "$2" || { echo "sweep-formulas: $1"; failed=$((failed + 1)); }; }
# the columns of a table without the number of the case and the outcome, in three digits
table() {
  awk -F, 'NR == 1 { n = NF - 2; next } { for (i = 2; i <= n; i++) printf("%s%.3g", (i > 2 ? " " : ""), $i); printf("|") }' "$1"
}

# a cart of mass m*T pushed by f*T for T: v = f T/m, the end at T, 100 steps, rows every T/4
cat > cart.yaml << 'Y'
parameters: {T: 2 s, m: 3 kg/s, f: 6 N/s}
world:
  gravity: 0
  bodies:
    - {name: cart, mass: m*T, inertia: 1}
  loads:
    - {body: cart, force: f*T, along: x}
flow: verlet
end: T
step: T/100
output: {every: T/4}
Y
"$EPICYCLE" sweep cart.yaml T=1,2,4 --keep 't,steps,cart.vx,cart.x.max' --out a.csv > told
check "end, step and load" "[ '$(table a.csv)' = '1 1 100 2 1|2 2 100 4 4|4 4 100 8 16|' ]"
"$EPICYCLE" sweep cart.yaml T=1,2 --keep 'cart.x.at(0.5)' --out a.csv > told
check "rows between, by the file" "[ '$(table a.csv)' = '1 0.25|2 0.25|' ]"
"$EPICYCLE" sweep cart.yaml T=1,4 --keep 'cart.x.at(0.5)' --out a.csv > told
check "a row that a case has not" "[ $? = 1 ] && grep -q '^1,4,,failed,cart.x.at(0.5): no row of this case' a.csv"

# said on the command line it goes over the file
"$EPICYCLE" sweep cart.yaml T=1,2 --end 0.5 --keep t,steps --out a.csv > told
check "--end" "[ '$(table a.csv)' = '1 0.5 50|2 0.5 25|' ]"
"$EPICYCLE" sweep cart.yaml T=1,2 end=0.5 step=0.1 --keep t,steps --out a.csv > told
check "end= and step= of one number" "[ '$(table a.csv)' = '1 0.5 0.1 0.5 5|2 0.5 0.1 0.5 5|' ]"
"$EPICYCLE" sweep cart.yaml T=1,2 --step 0.5 --keep t,steps --out a.csv > told 2> err
check "--step" "[ '$(table a.csv)' = '1 1 2|2 2 4|' ]"

# a case is the run: the same end and the same state, to the bit
for T in 1 3.3; do
  "$EPICYCLE" run cart.yaml T=$T --out run.csv --every 0 --quiet
  "$EPICYCLE" sweep cart.yaml T=$T,5 --keep t,cart.x,cart.vx --out a.csv > told
  want=$T,$(last t),$(last cart.x),$(last cart.vx)
  check "the run of T = $T" "[ '$want' = '$(sed -n '2s/^0,//; 2s/,done,$//; 2p' a.csv)' ]"
done

# a run under runs has its own
sed '/^end/d; /^step/d' cart.yaml > one.yaml
echo 'runs: [{name: a, parameters: {m: 6 kg/s}, end: 2*T, step: T/10}]' >> one.yaml
"$EPICYCLE" sweep one.yaml T=1,2 --keep t,steps,cart.vx --out a.csv > told
check "the one run of a file" "[ '$(table a.csv)' = '1 2 20 2|2 4 20 4|' ]"
"$EPICYCLE" run one.yaml T=2 --out run.csv --quiet
check "and as run" "[ \"\$(tail -n 1 run.csv | cut -d, -f1)\" = 4 ]"

# what a case makes of its parameters and no run could take is refused in its row
"$EPICYCLE" sweep cart.yaml 'T=[1,-1]' --keep t --out a.csv > told 2> err
check "what no case can be made of" "grep -q '^1,-1,,refused,.*' a.csv && grep -q '^0,1,1,done,' a.csv"

# a tolerance of the file follows too, and one that nobody gives is that of a run
sed '/^flow/d; /^step/d; s/^end.*/end: 1/' cart.yaml > chosen.yaml
spring='springs: [{a: cart, b: ground, at_b: [3, 0, 0], length: 1, stiffness: k}]'
sed -i "s/^parameters: {/&e: 1e-3, k: 10 N\/m, /; s/^  bodies/  $spring\n&/" chosen.yaml
sed '/loads/,/force/d; $a tol: e' chosen.yaml | sed 's/, f: 6 N.s//' > tol.yaml
sed -i 's/e: 1e-3, //' chosen.yaml
"$EPICYCLE" sweep tol.yaml e=1e-3,1e-8 --keep evaluations,cart.x --out a.csv > told
check "tol of the file" "awk -F, 'NR == 2 { a = \$3 } NR == 3 { exit !(\$3 > 1.5*a) }' a.csv"
"$EPICYCLE" sweep chosen.yaml T=1,2 --keep cart.x --out a.csv > told
check "no flow: as run" "grep -q '^0,1,[-0-9.]*,done,\"chosen for 1e-06: ' a.csv && grep -q 'chosen for 1e-06, as that of a run' told"
"$EPICYCLE" run chosen.yaml T=2 --out run.csv --quiet
want=$(last cart.x)
check "no flow: the value of the run" "awk -F, -v x=$want 'NR == 3 { exit !((\$3 - x)^2 < 1e-12) }' a.csv"
"$EPICYCLE" sweep chosen.yaml T=1,2 --flow verlet --tol 1e-6 > told 2> err
check "a flow and a tolerance" "[ $? = 2 ] && grep -q 'leave one out' err"

echo "sweep-formulas: $checks checks, $failed failed"
exit $((failed > 0))
