#!/usr/bin/env bash
# holds: model files that are right but may not be meant get notes: bare angles and speeds, unused parameters
# units.sh - notes of a model file that is right and may not be meant: bare angles and speeds, parameters without a use; names of options
# label: plain
set -u
: "${EPICYCLE:?the command}"
room=$(mktemp -d) && trap 'rm -rf "$room"' EXIT
cd "$room" || exit 1
failed=0 checks=0
check() { checks=$((checks + 1)); eval "$2" || { echo "units: $1"; failed=$((failed + 1)); }; }
run() { "$EPICYCLE" run claw.yaml "$@" --step 1e-3 --end 1e-2 > told 2> err; }
notes() { grep -c '^epicycle: note: claw.yaml:' err; }

# a claw with a play of b, on a shaft that turns with n
cat > claw.yaml << 'Y'
parameters: {b: 1.5 deg, n: 300 rpm}
world:
  bodies:
    - {name: load, mass: 20, inertia: [0.2, 0.2, 0.2], spin: [0, 0, n]}
  joints:
    - {name: claw, a: load, hold: hinge, axis: z, limits: {lower: -b, upper: b, stiffness: 4000 N m/rad}}
flow: verlet
Y
check "no note" "run && [ ! -s err ]"
sed -i.was 's/b: 1.5 deg/b: 1.5/' claw.yaml
check "an angle without a unit" "run && [ \$(notes) = 2 ] &&
  grep -q \"claw.yaml:6: upper: 'b' has no unit and is taken as 1.5 rad, which is 85.94 deg: write\" err"
check "is said of a check too, and not with --quiet" "\"$EPICYCLE\" check claw.yaml --flow verlet 2> err > told; [ \$(notes) = 2 ] &&
  run --quiet && [ ! -s err ]"
for b in '1.5 rad' pi/2 1.5708 0.9 '86 deg'; do
  sed "s|b: 1.5 deg|b: $b|" claw.yaml.was > claw.yaml
  check "an angle of $b" "run && [ ! -s err ]"
done
sed 's/n: 300 rpm/n: 3000/' claw.yaml.was > claw.yaml
check "a speed without a unit" "run && [ \$(notes) = 1 ] && grep -q \"'n' has no unit and is taken as 3000 rad/s, which is .* rpm\" err"

# a parameter that nothing is made of changes nothing, and is no reason to refuse
sed 's/^parameters: {/&old: 2 kg, /' claw.yaml.was > claw.yaml
check "a parameter without a use" "run && [ \$(notes) = 1 ] && grep -q 'claw.yaml:1: the parameter old stands nowhere else' err"
check "one that is not there" "! run odl=3 && grep -q \"'odl' is not a parameter of this world; did you mean old\" err"

# options as other programs have them
cp claw.yaml.was claw.yaml
for pair in --dt:--step --rtol:--tol --solver:--flow --until:--end; do
  "$EPICYCLE" run claw.yaml "${pair%:*}" 1 > told 2> err
  check "${pair%:*}" "[ $? = 2 ] && grep -q -e 'did you mean ${pair#*:}?' err"
done

echo "units: $checks checks, $failed failed"
exit $((failed > 0))
