#!/usr/bin/env bash
# unfelt.sh EPICYCLE - what a run would not feel by itself: a wall at the end of a step, the unit of a table, a ground whose speed jumps, a
# table that was changed, what a stiff spring bears
# label: once   cost: 4
set -u
. "$(dirname "$0")/common/command.sh"

# last FILE COLUMN: of the last row
last() { awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i } { x = $at } END { print x }' "$1"; }

echo "# a mass falls onto a stop: free flight is exact at any step, and ends inside the stop"
for stop in "1e8, damping: 2000" "1e6, damping: 5e4"; do
  cat > stop.yaml <<Y
world:
  bodies: [{name: b, mass: 1, inertia: 0.1, at: [1, 0, 0]}]
  joints: [{name: j, a: b, hold: slider, axis: x, limits: {lower: -1, stiffness: $stop}}]
  loads: [{body: b, force: [-9.81, 0, 0]}]
end: 0.6
Y
  "$e" run stop.yaml --flow 'tolerance(dop853, rtol=1e-11, atol=1e-12, longest=1e-4)' --step 0.6 --out exact.csv > o 2>&1
  for r in 3e-5 3e-6; do
    for longest in "" ", longest=0.2"; do
      "$e" run stop.yaml --flow "tolerance(semi(model.contacts, model.stiff), rtol=$r, atol=$r$longest)" --step 0.25 --out semi.csv > o 2>&1
      holds "stop $stop by semi to $r$longest: $(last semi.csv b.x), not $(last exact.csv b.x)" \
        awk -v a="$(last semi.csv b.x)" -v b="$(last exact.csv b.x)" 'BEGIN { d = a - b; exit !(a != "" && d*d < 4e-6) }'
    done
  done
  "$e" run stop.yaml --tol 1e-3 --out chosen.csv > o 2> err
  holds "stop $stop to 1e-3: $(last chosen.csv b.x), not $(last exact.csv b.x)" \
    awk -v a="$(last chosen.csv b.x)" -v b="$(last exact.csv b.x)" 'BEGIN { d = a - b; exit !(a != "" && d*d < 9e-6) }'
done

echo "# a step of semi that ends where the contact has no force any more is refused, and the run goes on"
cat > ball.yaml <<Y
world:
  gravity: 9.81
  bodies: [{name: b, ball: 0.1, mass: 1, at: [0, 0, 1.2]}]
  contacts: [{name: f, shape: sphere-plane, a: b, law: {K: 1.1e7, chi: 0.3}}]
end: 4
Y
for r in 1e-3 1e-4 1e-5; do
  "$e" run ball.yaml --flow "tolerance(semi(model.contacts, model.stiff), rtol=$r, atol=$r)" --step 0.25 --out ball.csv > o 2> err
  holds "a ball bounces by semi to $r: $(cat err)" near "$(last ball.csv b.z)" 0.1 0.01
done

echo "# tables have the units they give, in a list and in a file"
printf '0 0\n2000 2000\n' > force.csv
for table in "of: ms, unit: N, points: [[0, 0], [2000, 2]]" "of: s, unit: mN, points: [[0, 0], [2, 2000]]" \
  "of: ms, unit: kN, points: [[0, 0], [2 s, 2 N]]" "of: ms, unit: mN, file: force.csv" "of: s, unit: N, points: [[0, 0], [2, 2]]"; do
  cat > table.yaml <<Y
world:
  tables: {f: {$table}}
  bodies: [{name: b, mass: 1, inertia: 1}]
  loads: [{body: b, force: f(t), along: y}]
end: 1
Y
  "$e" run table.yaml --tol 1e-6 --out table.csv > o 2>&1
  holds "{$table}: $(last table.csv b.y), not 1/6" near "$(last table.csv b.y)" 0.16666666666666666 1e-6
done

echo "# the speed of the ground jumps"
for motion in 'formula: "0.1 [m/s]*max(t - 0.5 s, 0 s)"' 'table: [[0, 0], [0.5, 0], [5, 0.45]]' \
  'formula: "0.1 [m/s]*abs(t - 0.5 s)"' 'formula: "5 mm*min(t/0.5 s, 1)*cos(314 [1/s]*t)"' \
  'table: [[0, 0], [0.25, 0.1], [0.5, 0.45]], by: cubic'; do
  cat > ground.yaml <<Y
world:
  motion: {along: x, $motion}
  bodies: [{name: b, mass: 2, inertia: 0.1, at: [1, 0, 0]}]
  springs: [{name: s, a: b, length: 1, stiffness: 100}]
end: 1.5
Y
  says 2 'the speed of the ground jumps by .* at t = 0.5 s' run ground.yaml --tol 1e-6
done
sed 's/motion: .*/motion: {along: x, table: [[0, 0], [0.5, 0.1], [5, 0.45]], by: cubic}/' ground.yaml > smooth.yaml
"$e" run smooth.yaml --tol 1e-6 > o 2> err
holds "a smooth ground is refused: $(cat err)" test $? -eq 0 -a ! -s err

echo "# a table that is changed before the run goes on"
slow_table() { printf '0 0\n1 1\n2 0\n400 %s\n' "$1" > slow.csv; }
cat > slow.yaml <<Y
world:
  tables: {f: {of: s, unit: N, file: slow.csv}}
  bodies: [{name: b, mass: 1, inertia: 1}]
  loads: [{body: b, force: f(t), along: y}]
end: 400
Y
for now in 5 1; do
  slow_table 1
  soon=0.1 stopped INT run slow.yaml --flow verlet --step 1e-5 --every 1 --out slow-out.csv --checkpoint slow.check --quiet 2> err
  slow_table $now
  if [ $now = 5 ]; then says 2 'a file that slow.yaml names, as slow.csv, is not what it was' resume slow.check
  else
    soon=0.1 stopped INT resume slow.check --quiet 2> err
    holds "it does not go on: $(cat err)" has err 'interrupted at'
  fi
  rm -f slow.check slow-out.csv
done

slow_table 1
sed 's/^world:/parameters: {m: 1 kg}\n&/; s/mass: 1,/mass: m,/' slow.yaml > swept.yaml
soon=0.5 stopped INT sweep swept.yaml m=1:400:1 --flow verlet --step 1e-3 --keep b.y --workers 1 --out swept.csv --quiet 2> err
slow_table 5
says 2 'swept.csv.part' resume swept.csv.part

echo "# what hangs on far less than the state may be off by"
cat > load.yaml <<Y
world:
  gravity: 9.81
  bodies: [{name: b, ball: 0.1, mass: 1, at: [0.479425579870, 0, -0.877582637446]}]
  springs: [{name: s, a: b, length: 1, stiffness: 1e8, damping: 2e4}]
end: 2
Y
says 0 's.load may be wrong though the state is not' run load.yaml --tol 1e-2
says 0 'energy may be wrong though the state is not' run stiff-springs w2=20000 --tol 1e-2 --end 10

echo "# extremes of a sweep to a tolerance are those of many rows"
cat > rod.yaml <<Y
parameters: {m: 1 kg}
world:
  gravity: 9.81
  bodies: [{name: b, mass: m, inertia: 0.1, at: [0.3, 0, -0.4]}]
  springs: [{name: s, a: b, length: 0.4, stiffness: 300}]
end: 2
Y
"$e" sweep rod.yaml m='[1,2]' --tol 1e-6 --keep b.vx.max --workers 1 --out few.csv --quiet > o 2>&1
"$e" sweep rod.yaml m='[1,2]' --tol 1e-6 --every 1e-4 --keep b.vx.max --workers 1 --out many.csv --quiet > o 2>&1
holds "b.vx.max is $(last few.csv b.vx.max), not $(last many.csv b.vx.max)" near "$(last few.csv b.vx.max)" "$(last many.csv b.vx.max)" 5e-3
counted
