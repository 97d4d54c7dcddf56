#!/usr/bin/env bash
# choose-cases.sh - models of users to a tolerance and nothing else: right to three tolerances, against a direct run as exact as can be
# label: soak
set -u
: "${SOURCE:?the source}" "${EPICYCLE:?the command}"
out=$(mktemp -d) && trap 'rm -rf "$out"' EXIT
failed=0

# the state at the end: lines of two spaces, a name, a number
ends() { awk '/^  [A-Za-z]+[0-9]* +-?[0-9.e+-]+$/ { print $1, $2 }' "$1"; }

# try MODEL [PARAMETER=VALUE]: the error is relative to what each coordinate is at the end, at least a thousandth of the largest position
# or velocity
try() {
  "$EPICYCLE" run "$SOURCE/tests/cases/$1.c" "${@:2}" --flow 'tolerance(dop853, rtol=2e-14, atol=2e-14)' > "$out/ref" 2> "$out/err" ||
    { cat "$out/err"; failed=1; return; }
  ends "$out/ref" > "$out/a"
  for tol in 1e-4 1e-7; do
    "$EPICYCLE" run "$SOURCE/tests/cases/$1.c" "${@:2}" --tol $tol > "$out/run" 2> "$out/err" || { cat "$out/err"; failed=1; continue; }
    ends "$out/run" > "$out/b"
    paste -d' ' "$out/a" "$out/b" | awk -v tol=$tol -v what="$*" '
      function abs(x) { return x < 0 ? -x : x }
      $1 != $3 { bad = 1 }
      { n++; ref[n] = $2; got[n] = $4; k[n] = $1 ~ /^v/; if (abs($2) > most[k[n]]) most[k[n]] = abs($2) }
      END {
        for (i = 1; i <= n; i++) {
          size = abs(ref[i]) > 1e-3*most[k[i]] ? abs(ref[i]) : 1e-3*most[k[i]]
          e = abs(got[i] - ref[i])/size/tol
          if (e > worst) worst = e
        }
        printf "%s to %s: %.2g of the tolerance\n", what, tol, worst
        exit bad || n < 4 || !(worst <= 3)
      }' || { failed=1; grep '^done\|^chosen' "$out/run"; }
    awk '/^done|^chosen/ { print "   ", substr($0, 1, 130) } / by  / { print "   ", $0 }' "$out/run"
  done
}
try trap
try trap gamma=0.1
try kap2
try kap2 w=1e5
try sat
try eq
exit $failed
