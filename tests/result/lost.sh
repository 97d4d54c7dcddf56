#!/usr/bin/env bash
# holds: where the energy itself is lost, reports print `lost` in place of a drift indicator
# lost.sh EPICYCLE - a drift D is no praise where the energy itself is gone: "lost" stands in its place, in terminal, JSON and check
set -u
. "$(dirname "$0")/../common/command.sh"

# word FILE NAME: the last column of an invariant
word() { awk -v name="$2" '$1 == name { print $NF }' "$1"; }
# a step that is far too long, run all the same
"$e" run kepler --flow verlet --step 1 --end 100 --force > o 2> err; holds "exit 0" test $? -eq 0
for n in energy laplace-x laplace-y; do holds "$n is lost, not $(word o $n)" test "$(word o $n)" = lost; done
holds "what is kept to rounding is" test "$(word o angular-momentum)" = rounding
"$e" run kepler --flow verlet --step 1 --end 100 --force --json > o 2> err
holds "JSON" has o '"name": "energy".*"largest_error": 83.*"D": null, .*"drift": "lost"'
holds "JSON, rounding" has o '"name": "angular-momentum".*"drift": "rounding"'
"$e" run stiff-springs --flow verlet --step 0.0029 --end 1 --force > o 2> err
for n in energy angular-momentum; do holds "stiff-springs: $n" test "$(word o $n)" = lost; done
"$e" check kepler --flow verlet --step 1 --claims > o 2> err
holds "check: lost" has o '^  energy  *-  *-  *lost over [0-9]* steps, error up to 8.3e+01, because the energy is -0.5 at the start'
holds "check: no praise" test "$(grep -c 'no drift\|D = ' o)" -eq 0
"$e" check kepler --flow verlet --step 1 --claims --json > o 2> err
holds "check, JSON" has o '"claim": "energy", .*"verdict": "lost over .*"measured": null'

# a drift that tells is no praise, and stays: implicit Euler takes all the energy, and D says so
"$e" run pendulum --flow euler-implicit --step 0.1 --end 20 > o 2> err
holds "implicit Euler: $(word o energy)" awk -v x="$(word o energy)" 'BEGIN { exit !(x + 0 == x && x > 0.1) }'

echo "# what is well keeps its number"
"$e" run kepler --flow verlet > o; holds "D of kepler: $(word o energy)" test "$(word o energy)" = 0.0015
"$e" run kepler --flow verlet --json > o; holds "no word" has o '"name": "energy".*"D": 0.001[0-9]*, .*"drift": null'
"$e" check kepler --flow verlet --claims > o; holds "no drift" has o '^  energy .*D = .*no drift over'
# an energy that begins at zero is no small one: the pendulum falls from the level of its pivot
for h in 0.1 0.5; do
  "$e" run pendulum --flow verlet --step $h --end 100 > o 2> err
  holds "pendulum, steps of $h: $(word o energy)" awk -v x="$(word o energy)" 'BEGIN { exit !(x + 0 == x && x < 1) }'
done
# nothing is lost at the defaults of any model
for m in $("$e" list models | sed -n 's/^  \([^ ][^ ]*\) .*/\1/p'); do
  "$e" run "$m" > o 2> err
  holds "$m: nothing is lost" test "$(grep -c 'lost$' o)" -eq 0
done
counted
