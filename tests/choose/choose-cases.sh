#!/usr/bin/env bash
# holds: models of users are right to three tolerances against direct runs near rounding
# choose-cases.sh - models of users to a tolerance and nothing else: right to three tolerances, against a direct run as exact as can be
# label: soak
set -u
: "${SOURCE:?the source}" "${EPICYCLE:?the command}"
out=$(mktemp -d) && trap 'rm -rf "$out"' EXIT
failed=0

# the state at the end: lines of two spaces, a name, a number
ends() { awk '/^  [A-Za-z]+[0-9]* +-?[0-9.e+-]+$/ { print $1, $2 }' "$1"; }

# the largest that each coordinate is over the run, from its rows: a name, a number
sizes() {
  awk -F, 'NR == 1 { n = split($0, name); next } { for (i = 2; i <= n; i++) { x = $i < 0 ? -$i : $i; if (x > most[i]) most[i] = x } }
           END { for (i = 2; i <= n; i++) print name[i], most[i] }' "$1"
}

# try MODEL [PARAMETER=VALUE]: the error is relative to the size that each coordinate has over the run, as it is told
try() {
  "$EPICYCLE" run "$SOURCE/tests/cases/$1.c" "${@:2}" --flow 'tolerance(dop853, rtol=2e-14, atol=2e-14)' --out "$out/ref.csv" \
    > "$out/ref" 2> "$out/err" || { cat "$out/err"; failed=1; return; }
  ends "$out/ref" > "$out/a"
  sizes "$out/ref.csv" > "$out/sizes"
  for tol in 1e-4 1e-7; do
    "$EPICYCLE" run "$SOURCE/tests/cases/$1.c" "${@:2}" --tol $tol > "$out/run" 2> "$out/err" || { cat "$out/err"; failed=1; continue; }
    ends "$out/run" > "$out/b"
    paste -d' ' "$out/a" "$out/b" | awk -v tol=$tol -v what="$*" '
      NR == FNR { size[$1] = $2; next }
      $1 != $3 || !(size[$1] > 0) { bad = 1 }
      { n++; e = ($4 - $2)/size[$1]/tol; if (e < 0) e = -e; if (!(e <= worst)) worst = e }
      END {
        printf "%s to %s: %.2g of the tolerance\n", what, tol, worst
        exit bad || n < 4 || !(worst <= 3)
      }' "$out/sizes" - || { failed=1; grep '^done\|^chosen' "$out/run"; }
    awk '/^done|^chosen/ { print "   ", substr($0, 1, 130) } / by  / { print "   ", $0 }' "$out/run"
  done
}
try trap
try trap gamma=0.1
try kap2
try kap2 w=1e5
try sat
try eq
try fpu

# an error at the start grows 1e9 times in this one: what rounding makes of it is 1e-7. The end is by extrapolated Verlet in long double, of
# orders 16, 18 and 20, which agree to 1e-8
cat > "$out/fpu" <<'END'
s1 0.979776167
s2 0.102231164
s3 -0.699557555
vs1 0.506636019
vs2 -0.810680079
vs3 -0.049546701
END
if "$EPICYCLE" run "$SOURCE/tests/cases/fpu.c" w=5000 --tol 1e-4 > "$out/run" 2> "$out/err"; then
  ends "$out/run" | awk -v tol=1e-4 'NR == FNR { is[$1] = $2; next } $1 in is { n++; e = ($2 - is[$1])/tol; if (e < 0) e = -e
      if (!(e <= worst)) worst = e }
    END { printf "fpu w=5000 to 1e-4: %.2g of the tolerance\n", worst; exit n != 6 || !(worst <= 3) }' "$out/fpu" - || failed=1
else cat "$out/err"; failed=1; fi
"$EPICYCLE" run "$SOURCE/tests/cases/fpu.c" w=5000 --tol 1e-7 > "$out/run" 2> "$out/err" && failed=1
grep -q 'a solution that is right to 1e-07 cannot be had' "$out/err" || { cat "$out/err"; failed=1; }
exit $failed
