#!/bin/sh
# holds: errors of invariants, drift indicator and range of steps in the report agree with a direct computation
# the report of a run: errors of the invariants, drift indicator, range of steps; against a straight computation, and in parts
#   stats.sh EPICYCLE
. "$(dirname "$0")/../common/command.sh"

below() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && a != "null" && a + 0 < b + 0) }'; }
# of FILE INVARIANT KEY
of() { sed -n "s/.*\"name\": \"$2\", \"unit\".*\"$3\": \([^,}]*\).*/\1/p" "$1"; }
top() { sed -n "s/.*\"$2\": {.*\"$3\": \([^,}]*\).*/\1/p" "$1" | head -n 1; }
run() { "$e" run "$@" --quiet > o 2> err || bad "epicycle run $*: $(cat err)"; }

echo "# symplectic Euler on the pendulum, written out again"
# p first: p -= h sin q, q += h p from (pi/2, 0); error H - H0, quarters by step number, slope by least squares
straight() { # first, h, n
  awk -v first="$1" -v h="$2" -v n="$3" 'function H() { return p*p/2 - cos(q) }
  BEGIN { q = 1.57079632679489661923; p = 0; H0 = H()
    for (i = 1; i <= n; i++) {
      if (first == "kick") { p -= h*sin(q); q += h*p } else { q += h*p; p -= h*sin(q) }
      E = H() - H0; a = E < 0 ? -E : E; t = i*h
      if (a > most) most = a
      if (4*i <= n) { s1 += E; n1++; if (a > m1) m1 = a }
      if (4*i > 3*n) { s2 += E; n2++ }
      st += t; stt += t*t; se += E; ste += t*E
    }
    D = s2/n2 - s1/n1; if (D < 0) D = -D
    printf "%.15g %.15g %.15g\n", most, D/m1, (n*ste - st*se)/(n*stt - st*st) }'
}
for case in "kick 0.1 10000" "kick 0.1 1003" "drift 0.05 4000"; do
  set -- $case
  end=$(awk -v h="$2" -v n="$3" 'BEGIN { printf "%.15g", h*n }')
  run pendulum --flow "euler-symplectic(first=$1)" --step "$2" --end "$end" --stats s.json
  read -r most D slope <<X
$(straight "$1" "$2" "$3")
X
  holds "largest error $case: $(of s.json energy largest_error), not $most" near "$(of s.json energy largest_error)" "$most" 1e-10
  holds "D $case: $(of s.json energy D), not $D" near "$(of s.json energy D)" "$D" 1e-8
  holds "slope $case: $(of s.json energy slope), not $slope" near "$(of s.json energy slope)" "$slope" 1e-6
  holds "looked at every step" has s.json "\"looked\": {\"at\": \"every step\", \"times\": $3}"
done
# the band of thesis.md, section 1: the energy of symplectic Euler stays in [-0.04253776, 0.04531788]
run pendulum --flow euler-symplectic --step 0.1 --end 10000 --stats s.json
holds "the published band: $(of s.json energy largest_error)" near "$(of s.json energy largest_error)" 0.04531788 3e-7
# rows are not steps: with few of them the largest error is still that of the steps
run pendulum --flow euler-symplectic --step 0.1 --end 10000 --every 5000 --stats t.json
holds "not of the rows" test "$(of s.json energy largest_error)" = "$(of t.json energy largest_error)"
# implicit Euler loses energy: that is drift
run pendulum --flow euler-implicit --step 0.1 --end 20 --stats s.json
holds "implicit Euler drifts: D = $(of s.json energy D)" below 0.9 "$(of s.json energy D)"
holds "downward" below "$(of s.json energy slope)" -1e-3

echo "# what is relative, and what is not"
run kepler e=0.6 --flow verlet --step 0.01 --end 50 --stats s.json
holds "relative to -0.5" near "$(of s.json energy relative_error)" \
  "$(awk -v e="$(of s.json energy largest_error)" 'BEGIN { printf "%.15g", 2*e }')" 1e-9
holds "nothing relative to zero" test "$(of s.json laplace-y relative_error)" = null
holds "momentum kept to rounding" below "$(of s.json angular-momentum largest_error)" 1e-13
run pendulum --end 1 --stats s.json
holds "nor to rounding" test "$(of s.json energy relative_error)" = null

echo "# steps"
run kepler --flow verlet --step 0.01 --end 10 --stats s.json
holds "the one step" has s.json '"steps": {"by": null, "shortest": 0.01, "longest": 0.01}'
run kepler --flow 'tolerance(dopri5, rtol=1e-8, first=1e-3)' --end 20 --every 0 --out k.csv --stats s.json
awk -F, \
  'NR == 2 { t = $1 } NR > 2 { d = $1 - t; t = $1; if (!lo || d < lo) lo = d; if (d > hi) hi = d } END { printf "%.15g %.15g\n", lo, hi }' k.csv > range
read -r lo hi < range
holds "shortest of tolerance: $(top s.json steps shortest), not $lo" near "$(top s.json steps shortest)" "$lo" 1e-9
holds "longest of tolerance: $(top s.json steps longest), not $hi" near "$(top s.json steps longest)" "$hi" 1e-9
holds "in the tree too" has s.json '"name": "tolerance".*"shortest": '
"$e" run kepler --flow 'tolerance(dopri5)' --end 5 > o; holds "in the summary" has o '^  steps of tolerance: .* to '

echo "# steps in a time of its own"
# thesis.md, section 4: Kepler .02, N = 2e4 (t = 333), SYMM KDK: largest energy error 3.42371214e-4 at the steps themselves
run kepler --flow 'density(verlet, eps=0.02, objective=potential, power=1.5)' --step 0.05 --end 333 --stats s.json
holds "largest error at the steps: $(of s.json energy largest_error)" near "$(of s.json energy largest_error)" 3.42371214e-4 1e-6
holds "no drift" below "$(of s.json energy D)" 0.01
holds "looked at its steps" has s.json '"looked": {"at": "every step"'
run kepler --flow 'density(verlet, eps=0.02, objective=potential, power=1.5)' --step 0.7 --end 333 --stats t.json
holds "wherever it answers" test "$(of s.json energy largest_error)" = "$(of t.json energy largest_error)"
run kepler --flow 'scaled(verlet, eps=0.02)' --step 0.05 --end 50 --stats s.json
holds "told where" has s.json '"at": "multiples of the step, between the steps of scaled"'

echo "# a run without its last quarter has no D"
"$e" run kepler e=0.6 --flow 'at(dopri5, of=y, direction=down, stop=1)' --step 0.01 --end 100 --stats s.json --quiet
holds "stopped" test "$(of s.json energy D)" = null
holds "but an error" below "$(of s.json energy largest_error)" 1e-6
# many steps: looked at by the stride, told so
run pendulum --flow verlet --step 1e-5 --end 20 --stats s.json
holds "every second step" has s.json '"at": "every step whose number is a multiple of 2", "times": 1000000'

echo "# killed and resumed: the same report"
bare() { sed -e '/"wall_s"/d' -e '/"out"/d' -e 's/"calls[a-z_]*": *[0-9]*//g' "$1"; }
parts() { # name, flow, model, step, end
  rm -f part.* whole.*
  run "$3" --flow "$2" --step "$4" --end "$5" --stats whole.json
  "$e" run "$3" --flow "$2" --step "$4" --end "$5" --stats part.json --checkpoint part.checkpoint --checkpoint-every 0.02 --quiet 2> err \
    & pid=$!
  while kill -0 $pid 2> gone && [ ! -s part.checkpoint ]; do nap 0.02; done
  nap 0.1
  kill -KILL $pid 2> gone && wait $pid 2> gone
  [ $? -eq 137 ] && kills=$((kills + 1))
  "$e" resume part.checkpoint --quiet || bad "resume of $1"
  bare whole.json > a; bare part.json > b
  if cmp -s a b; then good; else bad "$1: another report after a kill"; diff a b; fi
}
kills=0
# about half a second each, here
far() { "$e" run "$2" --flow "$1" --step "$3" --end "$4" --json > o;
  awk -v end="$4" -v wall="$(sed -n 's/.*"wall_s": \([^,]*\),*/\1/p' o)" 'BEGIN { print int(1 + 0.5*end/wall) }'; }
one() { parts "$1" "$2" "$3" "$4" "$(far "$2" "$3" "$4" "$5")"; }
one "fixed steps" verlet kepler 1e-4 20
one "a tolerance" 'tolerance(dopri5, rtol=1e-12)' pendulum 0.1 1000
one "a density" 'density(verlet, objective=arc)' kepler 1e-3 20
holds "$kills of 3 were killed" test $kills -ge 2

counted
