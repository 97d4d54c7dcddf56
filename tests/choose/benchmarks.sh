#!/usr/bin/env bash
# holds: public initial value problems reach their published reference solutions by a tolerance alone
# benchmarks.sh - public initial-value problems to a tolerance and nothing else: ends against the published references, or those of a
# program in reduced coordinates
# label: plain
set -u
: "${SOURCE:?the source}" "${EPICYCLE:?the command}"
out=$(mktemp -d) && trap 'rm -rf "$out"' EXIT
failed=0

# against NAME TOL: the coordinates that "$out/ref" has, each error relative to the largest of its kind, a position or a velocity
against() {
  "$EPICYCLE" run "$SOURCE/tests/cases/benchmarks/$1.c" --tol "$2" --out "$out/rows.csv" --every 3 > "$out/run" 2> "$out/err" ||
    { cat "$out/err"; failed=1; return; }
  awk -F, -v tol="$2" -v what="$1" -v ref="$out/ref" '
    function abs(x) { return x < 0 ? -x : x }
    BEGIN {
      while ((getline line < ref) > 0) {
        split(line, w, " ")
        want[w[1]] = w[2]
        k = w[1] ~ /^v/
        if (abs(w[2]) > most[k]) most[k] = abs(w[2])
      }
    }
    /^#/ { next }
    !named { for (i = 1; i <= NF; i++) name[i] = $i; named = 1; next }
    { for (i = 1; i <= NF; i++) got[name[i]] = $i }
    END {
      for (c in want) { if (!(c in got)) bad = 1; e = abs(got[c] - want[c])/most[c ~ /^v/]; n++; if (e > worst) worst = e }
      printf "%s to %s: %.2g\n", what, tol, worst
      exit bad || n < 4 || !(worst <= 3*tol)
    }' "$out/rows.csv" || failed=1
}

# IVP test set, t = 3
cat > "$out/ref" <<'EOF'
q1 0.3706139143970502
q2 3.237284092057233
q3 -3.222559032418324
q4 0.6597091455775310
q5 0.3425581707156584
q6 1.562172101400631
q7 -0.7003092922212495
q8 -3.943437585517392
q9 -3.271380973972550
q10 5.225081843456543
q11 -2.590612434977470
q12 1.198213693392275
q13 -0.2429682344935824
q14 1.091449240428980
EOF
against pleiades 1e-4
against pleiades 1e-7
# IVP test set, t = 3: by a program in two coordinates, of order 8 at 2e-14; the published reference has the same ten digits
cat > "$out/ref" <<'EOF'
xl 0.04934557842752
yl 0.4969894602300
xr 1.041742524885
yr 0.3739110272654
vxl -0.07705836840359
vyl 0.007446866592054
vxr 0.01755681575354
vyr 0.7703410437795
EOF
against car-axis 1e-4
against car-axis 1e-7
against car-axis 1e-9
# the orbit closes
printf 'x 0.994\ny 0\nvx 0\nvy -2.0015851063790825\n' > "$out/ref"
against arenstorf 1e-4
against arenstorf 1e-7

# Bricard's mechanism with all six hinges, of which one row follows from the others, moves as without that row
machine() {
  "$EPICYCLE" run "$SOURCE/tests/cases/benchmarks/$1.yaml" "${@:3}" --every 100 --out "$out/$2.csv" --quiet 2> "$out/err" ||
    { cat "$out/err"; failed=1; }
}
machine bricard-29 fine --flow 'tolerance(dop853, rtol=1e-12, atol=1e-12)'
for tol in 1e-4 1e-7; do
  machine bricard all --tol $tol
  awk -F, -v tol=$tol '
    function abs(x) { return x < 0 ? -x : x }
    FNR == 1 { split("", name); for (i = 1; i <= NF; i++) name[i] = $i; next }
    FNR == NR { for (i = 1; i <= NF; i++) want[name[i]] = $i; next }
    { for (i = 1; i <= NF; i++) got[name[i]] = $i }
    END {
      for (c in want) if (c ~ /^rod[0-9][.][xyz]$/) { n++; e = abs(got[c] - want[c]); if (e > worst) worst = e }
      printf "bricard, all rows, to %s: %.2g\n", tol, worst
      exit n != 15 || !(worst <= 3*tol)
    }' "$out/fine.csv" "$out/all.csv" || failed=1
done
exit $failed
