#!/usr/bin/env bash
# holds: mechanisms through singular positions, or too costly to select a method for, are refused in words
# choose-worlds.sh - worlds to a tolerance: a mechanism that passes singular positions, where steps of an explicit method lose digits, and
# one whose flow would take too long to find
# label: long
set -u
: "${SOURCE:?the source folder}" "${EPICYCLE:?the command}"
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
cd "$room" || exit 1
checks=0 failed=0
holds() { # WHAT COMMAND...
  local what=$1
  shift
  checks=$((checks + 1))
  "$@" || { failed=$((failed + 1)); echo "FAILED: $what"; }
}
last() { tail -n 1 "$1"; }
near() { # TOLERANCE FILE FILE: all of the last rows, in units of the largest
  paste -d, <(last "$2" | tr ',' '\n') <(last "$3" | tr ',' '\n') |
    awk -F, -v tol="$1" '{ d = $1 - $2; if (d < 0) d = -d; if (d > most) most = d; x = $2 < 0 ? -$2 : $2; if (x > size) size = x }
                         END { printf "  apart by %g of %g\n", most, size; exit !(most <= tol*size && size > 0) }'
}
cases=$SOURCE/tests/cases/benchmarks

echo "# two four-bars through their singular position, to 1e-7"
"$EPICYCLE" run "$cases/nfourbar-2.yaml" --tol 1e-7 --every 2.5 --out auto.csv >out 2>&1
holds "it is answered" [ $? -eq 0 ]
holds "by a symmetric method" grep -q 'by  tolerance(symmetric(verlet, order=8)' out
holds "it is told why no other was taken" grep -q '^because ' out
"$EPICYCLE" run "$cases/nfourbar-2.yaml" --flow 'symmetric(verlet, order=8)' --step 0.005 --every 2.5 --out exact.csv --quiet
holds "so is another one, by short steps" [ $? -eq 0 ]
holds "it is right to three tolerances" near 3e-7 auto.csv exact.csv

echo "# steps that creep at the singular position are told, and those that pass it are not"
"$EPICYCLE" run "$cases/nfourbar-2.yaml" --flow 'tolerance(dop853, rtol=1e-9)' --out creeps.csv --quiet >out 2>&1
holds "it ends there" [ $? -eq 1 ]
holds "and says where and what to do" grep -q 'at t = 0\.71[0-9]*, a singular position of the constraints.*symmetric(verlet, order=8)' out
holds "with the rows so far" [ "$(wc -l <creeps.csv)" -gt 2 ]
"$EPICYCLE" run "$cases/nfourbar-2.yaml" --flow 'tolerance(dop853, rtol=1e-6)' --every 2.5 --out passes.csv --quiet
holds "a larger tolerance passes" [ $? -eq 0 ]
holds "and is right" near 2e-5 passes.csv exact.csv

echo "# a run that gets to its end, with nothing finer that does, is no answer to a tolerance"
"$EPICYCLE" run "$cases/nfourbar-2.yaml" --tol 1e-9 --every 2.5 --out fine.csv --quiet >out 2>&1
holds "it is refused" [ $? -eq 2 ]
holds "and says why" grep -q 'right to 1e-09 cannot be had' out

# settles FILE: each box bears those above it within a thousandth at the end, and the energy never rises by a millionth of it
settles() {
  awk -F, -v boxes="$2" 'function abs(x) { return x < 0 ? -x : x }
  NR == 1 { for (i = 1; i <= NF; i++) { if ($i ~ /^c[0-2].*load$/) is[i] = boxes - substr($i, 2, 1); if ($i == "energy") e = i } next }
  NR == 2 { start = $e } $e - start > rise { rise = $e - start }
  { for (i = 1; i <= boxes; i++) sum[i] = 0; for (i in is) sum[is[i]] += $i }
  END { for (i = 1; i <= boxes; i++) if (abs(sum[i]/(i*1.04*9.81) - 1) > 1e-3) bad = 1; exit NR < 3 || bad || rise > 1e-6*start }' "$1"
}

echo "# boxes on feet that are welded to them: a flow is found, and they settle to their weight"
for boxes in 1 3; do
  "$EPICYCLE" run "$cases/boxes-$boxes.yaml" --end 2 --out own.csv >out 2>err
  holds "$boxes: it runs" [ $? -eq 0 ]
  holds "$boxes: nothing is in doubt" [ ! -s err ]
  holds "$boxes: it is right to the tolerance" grep -q 'chosen for 1e-06.*error about [0-9.]*e-0[789], from two solutions' out
  holds "$boxes: the search takes no more than a few times the evaluations of the run" awk '
    /^done/ { for (i = 1; i <= NF; i++) if ($i ~ /^evaluations/) run = $(i-1) }
    /^chosen/ { for (i = 1; i <= NF; i++) if ($i == "to" && $(i+1) == "find") search = $(i-2) }
    END { exit !(run > 0 && search > 0 && search < 5*run && run < 60000) }' out
  holds "$boxes: loads and energy" settles own.csv "$boxes"
done

echo "# ten four-bars through it, without a flow: where no flow is right to 1e-6 within what may be spent, the nearest is taken"
"$EPICYCLE" run "$cases/nfourbar-10.yaml" --out ten.csv >out 2>err
holds "it runs: $(cat err)" [ $? -eq 0 ]
holds "by the finer of the two that came nearest: $(cat out)" grep -q '  by  tolerance(dop853, rtol=1e-08' out
holds "and says how near" grep -q 'warning: the run may not be right to 1e-06: .* was taken, whose solution is [0-9.]*e-0[4-6] from one' err
holds "in a few thousand evaluations" awk '
  /^done/ { for (i = 1; i <= NF; i++) if ($i ~ /^evaluations/) n = $(i-1) } END { exit !(n > 0 && n < 10000) }' out

echo "# one of them pushed: nobody asked for a tolerance, and to find a flow would take too long"
sed 's/at: \[0, 0, 0.56\]}/at: [0, 0, 0.56], velocity: [0.01, 0.003, 0], spin: [0, 0, 0.05]}/; s/^world:/world:\n  settle: yes/' \
  "$cases/boxes-3.yaml" >pushed.yaml
"$EPICYCLE" run pushed.yaml --out own.csv --quiet >out 2>&1
holds "it runs" [ $? -eq 0 ]
holds "and says that it may not be right, and why" \
  grep -q 'warning: the run may not be right to 1e-06: to find a flow that is right to 1e-06 would take more than [0-9.e+]* evaluations' out
holds "with what was taken instead" grep -q 'so semi(model.contacts, model.stiff.*) was taken; --tol 1e-06 looks as long as it takes' out
flow=$(sed -n 's/.*evaluations, so \(.*\) was taken; --tol.*/\1/p' out)
"$EPICYCLE" run pushed.yaml --flow "$flow" --out again.csv --quiet >/dev/null 2>&1
holds "which is the flow that was run, to the bit" [ "$(last own.csv)" = "$(last again.csv)" ]

echo "# by that flow they settle too"
"$EPICYCLE" run "$cases/boxes-3.yaml" --flow "$flow" --end 2 --out long.csv --quiet >/dev/null 2>&1
holds "loads and energy" settles long.csv 3

echo "$checks checks, $failed failed"
[ "$failed" -eq 0 ]
