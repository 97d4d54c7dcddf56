#!/usr/bin/env bash
# holds: numbers that rounding leaves of zero are neither small starting values nor a cause of warnings
# rounded.sh EPICYCLE - numbers that rounding leaves of zero: a component of a quaternion is no seed, and an observable of nothing no doubt
set -u
. "$(dirname "$0")/../common/command.sh"

# an arm of three links; $1 is left of zero by half a turn that was written with eleven digits
arm() {
  cat << Y
end: 0.3
world:
  gravity: [0, 0, -9.81]
  bodies:
    - {name: base, mass: 4, inertia: [0.02, 0.02, 0.01], at: [0, 0, 0.1], attitude: [$1, 0, 0, 1]}
    - {name: arm, mass: 8, inertia: [0.2, 0.2, 0.02], at: [0.3, 0.13, 0.1], attitude: [0.7071067811865476, 0, 0.7071067811865476, 0]}
    - {name: hand, mass: 1, inertia: [0.01, 0.02, 0.03], at: [0.7, 0.1, 0.1], attitude: [$1, 0.7071067811865476, $1, 0.7071067811865476]}
  joints:
    - {name: turn, a: base, b: ground, hold: revolute, at: [0, 0, 0], axis: z}
    - {name: lift, a: arm, b: base, hold: revolute, at: [0, 0.13, 0.1], axis: y, frame: ground}
    - {name: wrist, a: hand, b: arm, hold: revolute, at: [0.6, 0.1, 0.1], axis: y, frame: ground}
Y
}
# evaluations FILE: of the run and of the search, in one line
evaluations() {
  sed -n 's/^done.*: \([0-9]*\) evaluations.*/\1/p; s/^chosen.*; \([0-9]*\) evaluations to find out/\1/p' "$1" | tr '\n' ' '
}

echo "# an attitude that is 5e-12 from half a turn costs as one that is half a turn"
arm 0 > clean.yaml
arm 4.9e-12 > rounded.yaml
"$e" run clean.yaml --tol 1e-6 --out clean.csv > o 2> err
holds "the clean one: $(cat err)" test ! -s err
read -r clean _ <<< "$(evaluations o)"
"$e" run rounded.yaml --tol 1e-6 --out rounded.csv > o 2> err
holds "the other: $(cat err)" test ! -s err
read -r run search <<< "$(evaluations o)"
holds "$run evaluations, and $search to find out, where the clean one takes $clean" \
  test "${run:-99999}" -le $((2*clean)) -a "${search:-99999}" -le 20000
hand=$("$e" run rounded.yaml --tol 1e-6 --json --quiet | sed -n 's/.*"hand.z": \([^,]*\).*/\1/p')
same=$("$e" run clean.yaml --tol 1e-6 --json --quiet | sed -n 's/.*"hand.z": \([^,]*\).*/\1/p')
holds "hand.z $hand, and not $same" near "$hand" "$same" 1e-6

echo "# the part of a force that its joint does not bear"
cat > door.yaml << Y
world:
  gravity: 9.81
  bodies: [{name: door, box: [0.6, 0.07, 0.04], density: 7800, at: [-0.19, 0, -0.18], rotate: {axis: y, angle: 137 deg}}]
  joints:
    - {name: h1, a: door, hold: hinge, at: [0, 0, 0], axis: y, frame: ground}
    - {name: h2, a: door, hold: hinge, at: [0, 0.1, 0], axis: y, frame: ground}
end: 1
Y
cat > crane.yaml << Y
world:
  gravity: 9.81
  bodies:
    - {name: trolley, box: [1.2, 0.8, 0.4], mass: 500}
    - {name: load, box: [1, 1, 1], mass: 2000, at: [0, 0, 8], trail: yes}
  joints:
    - {name: rail, a: trolley, hold: slider, axis: x, motor: {position: "12*min(t/7, 1) - 12/(2*pi)*sin(2*pi*min(t/7, 1))"}}
    - {name: hook, a: load, b: trolley, hold: hinge, at: [0, 0, 0], axis: y, frame: ground}
end: 20
Y
for model in door crane; do
  for tol in 1e-4 1e-6; do
    "$e" run $model.yaml --tol $tol --quiet > o 2> err
    holds "$model to $tol: exit $? and '$(cat err)'" test ! -s err
  done
done

echo "# the tour ends without a doubt"
sed -n '1,/^runs:/p; /name: a ball bearing/,$p' "$SOURCE/examples/tour.yaml" | sed '/^report:/d; /^compare:/d' > tour.yaml
"$e" run tour.yaml --quiet > o 2> err
holds "the bearing of the tour: exit $? and '$(cat err)'" test ! -s err
counted
