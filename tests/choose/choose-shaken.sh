#!/usr/bin/env bash
# holds: shaken worlds are averaged over their periods and agree with resolved runs of far shorter steps
# choose-shaken.sh - shaken worlds to a tolerance: their turns are summed, not resolved, and the answer is right by a resolved run of steps
# that are far shorter
# label: long
# timeout: 900
set -u
. "$(dirname "$0")/../common/command.sh"
: "${SOURCE:?the source folder}"

# plain NAME: the example without its runs, so that a flow is chosen
plain() {
  awk '/^(compare|flow|step|output):/ { next } /^runs:/ { skip = 1; next } skip && /^ / { next } { skip = 0; print }' \
    "$SOURCE/examples/$1.yaml" >"$1.yaml"
}
# apart NAME TOL: the largest distance at rows of both, in tolerances; of what is small beside others of its kind (velocities begin with v
# or w) a thousandth of these is the size
apart() {
  awk -F, -v tol="$2" '
    NR == FNR && FNR == 1 { next }
    NR == FNR { there[$1] = 1; n = NF; for (i = 2; i <= NF; i++) { x[$1, i] = $i; if ($i^2 > s[i]^2) s[i] = $i < 0 ? -$i : $i }; next }
    FNR == 1 { for (i = 2; i <= NF; i++) if ($i ~ /\./) { use[i] = 1; kind[i] = $i ~ /\.[vw][^.]*$/ }
      for (i = 2; i <= NF; i++) if (use[i] && s[i] > g[kind[i]]) g[kind[i]] = s[i]
      next }
    $1 in there { rows++; for (i = 2; i <= n; i++) if (use[i]) {
      d = $i - x[$1, i]; if (d < 0) d = -d; z = s[i] > 1e-3*g[kind[i]] ? s[i] : 1e-3*g[kind[i]]; if (z > 0 && d/z > most) most = d/z } }
    END { print (rows > 8 ? most/tol : 1e9) }' "exact-$1.csv" "auto.csv"
}
below() { [ -n "$1" ] && awk -v x="$1" -v y="$2" 'BEGIN { exit !(x < y) }'; }

# NAME STEP-OF-REFERENCE EVERY TOL MOST-EVALUATIONS HOW...
solve() {
  local name=$1 h=$2 every=$3 tol=$4 most=$5 how=$6
  if [ ! -f "$name.yaml" ]; then
    plain "$name"
    "$e" run "$name.yaml" --flow dop853 --step "$h" --every "$every" --out "exact-$name.csv" --quiet
  fi
  "$e" run "$name.yaml" --tol "$tol" --every "$every" --out auto.csv --stats s.json --quiet 2>err
  holds "$name to $tol is answered" test $? -eq 0
  holds "$name to $tol: nothing is doubted" test ! -s err
  local calls off
  calls=$(sed -n 's/.*"evaluations": *\([0-9]*\).*/\1/p' s.json | head -1)
  off=$(apart "$name" "$tol")
  echo "  $name to $tol: $calls evaluations, off by $off tolerances"
  holds "$name to $tol is right to three tolerances" below "$off" 3
  holds "$name to $tol costs no more" below "$calls" "$most"
  holds "$name to $tol: how" grep -q "$how" s.json
}
# what resolving took before: 1.38e4, 1.04e5, 2.64e5, 5.4e5, 1.08e6
solve shaken    6.25e-5  0.03125 1e-4 11000  'revolve(substeps(dop853'
solve chelomei  3.125e-5 0.0625  1e-4 30000  'revolve(substeps(dop853'
solve gyroscope 6.25e-6  0.03125 1e-4 110000 'revolve(substeps(dop853'
solve rope      5e-6     0.025   1e-4 350000 'revolve(substeps(dop853'
solve conveyor  3.90625e-5 1.875 1e-4 130000 'revolve(substeps(dop853'
solve shaken    6.25e-5  0.03125 1e-7 45000  'dop853'
solve chelomei  3.125e-5 0.0625  1e-7 120000 'revolve(substeps(dop853'
solve gyroscope 6.25e-6  0.03125 1e-7 1000000 'dop853'
counted
