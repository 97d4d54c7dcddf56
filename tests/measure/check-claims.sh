#!/bin/sh
# holds: `check` prints the stability limit at the fastest frequency, and --claims measures what a method claims
# check: the fastest oscillation against the stability limit of a flow, and what a flow claims measured on a model
#   check-claims.sh EPICYCLE
. "$(dirname "$0")/../common/command.sh"

# ends CODE WORDS ... : that exit code; ./o and ./err hold what it said
ends() {
  want=$1; shift
  "$e" "$@" > o 2> err; code=$?
  if [ $code -eq "$want" ]; then good; else bad "exit $code, not $want: epicycle $* : $(cat err)"; fi
}
quiet() { holds "nothing on stderr: $(cat err)" test ! -s err; }
# of KEY: in the object of the frequency
of() { sed -n "s/.*\"fastest\": {.*\"$1\": \([^,}]*\).*/\1/p" o; }
json() { if command -v python3 > py; then python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$1" 2> py.err; else return 0; fi; }

echo "# frequencies in closed form"
ends 0 check stiff-springs --json; holds "500 sqrt(2): $(of w)" near "$(of w)" 707.10678118654752 1e-5
ends 0 check kepler e=0.8 --json; holds "r^-3/2 at perihelion: $(of w)" near "$(of w)" 11.180339887498949 1e-8
holds "its period" near "$(of period)" 0.56198517848325 1e-8
holds "h w" near "$(of hw)" 0.15707963267948966 1e-8
ends 0 check rotor --json; holds "1: $(of w)" near "$(of w)" 1 1e-8
ends 0 check van-der-pol w=50 mu=0 --json; holds "50: $(of w)" near "$(of w)" 50 1e-8
ends 0 check pendulum q0=0.6 --json; holds "sqrt(cos q): $(of w)" near "$(of w)" "$(awk 'BEGIN { printf "%.15g", sqrt(cos(0.6)) }')" 1e-8
ends 0 check pendulum; holds "sin q has no slope at a right angle" has o 'nothing oscillates there'

echo "# what flows bear"
for case in "verlet 2 1e-3" "leapfrog-predicted 2 1e-3" "euler-symplectic 2 1e-3" "substeps(verlet,4) 8 2e-3" "rk4 2.828 0.03" \
  "strang(drift,kick) 2 1e-3"; do
  set -- $case
  ends 0 check kepler --flow "$1" --json; holds "limit of $1: $(of limit)" near "$(of limit)" "$2" "$3"
done
for f in gauss midpoint radau euler-implicit; do ends 0 check kepler --flow $f --json; holds "$f bears all" test "$(of limit)" = null; done
for f in 'tolerance(dopri5)' 'density(verlet, objective=arc)'; do
  ends 0 check kepler --flow "$f" --json; holds "not asked of $f" has o '"because": "it [cs][ht][oe][op][sp]'
done
# the macro step sees the slow motion only
ends 0 check stiff-springs --flow 'rk4(hmm(verlet, start=current))' --json
holds "the slow frequency: $(of w)" near "$(of w)" 1.42 0.01

echo "# warnings"
ends 0 check stiff-springs --step 0.25
holds "too long" has err '^epicycle: the step 0.25 is too long for the fastest oscillation.*take --step'
holds "one sentence" test "$(wc -l < err)" -eq 1
ends 0 check stiff-springs --step 0.0001; quiet
# verlet bears 2/707.1 = 0.002828: 80 % of it is 0.002263
ends 0 check stiff-springs --flow verlet --step 0.00225; quiet
ends 0 check stiff-springs --flow verlet --step 0.00228; holds "near" has err 'near the limit'
ends 0 check stiff-springs --flow verlet --step 0.0029; holds "beyond" has err 'too long'
ends 0 check stiff-springs --flow gauss --step 0.25; quiet
# what the sentence says is true: just beyond the limit verlet grows, just below it does not
run() {
  "$e" run stiff-springs --flow verlet --step "$1" --end 1 --json 2> run.err |
    sed -n 's/.*"energy".*"largest_error": \([^,}]*\).*/\1/p'
}
holds "below" awk -v x="$(run 0.0027)" 'BEGIN { exit !(x < 10) }'
holds "beyond" awk -v x="$(run 0.0029)" 'BEGIN { exit !(x == "" || x == "null" || x > 1e3) }'
ends 0 check van-der-pol w=1 mu=-100 --flow rk4 --step 0.05; holds "a decay" has err 'too long for the fastest decay'
ends 0 check stiff-springs --step 0.25 --json; json o; holds "in JSON too" has o '"warning": "the step 0.25'
# no default of any model is warned of, and no claim of a default flow fails
"$e" list models | sed -n 's/^  \([^ ][^ ]*\) .*/\1/p' > models
holds "at least 12 models" test "$(wc -l < models)" -ge 12
while read -r m; do ends 0 check "$m" --claims; quiet; done < models

echo "# claims"
ends 0 check kepler --flow verlet --claims
holds "order 2" sh -c 'grep "^  order " o | awk "{ exit !(\$2 == 2 && \$3 > 1.95 && \$3 < 2.05 && \$4 == \"holds\") }"'
for c in symmetric reversible symplectic; do holds "$c" has o "^  $c  *yes  .* holds\$"; done
holds "defects at rounding" sh -c 'grep "^  sym\|^  rev" o | awk "{ if (!(\$3 < 1e-9)) exit 1; n++ } END { exit n != 3 }"'
holds "energy" has o '^  energy .*D = .*no drift over 4000 steps'
ends 0 check kepler --flow rk4 --claims
holds "order 4" sh -c 'grep "^  order " o | awk "{ exit !(\$2 == 4 && \$3 > 3.9 && \$3 < 4.1) }"'
for c in symmetric reversible symplectic; do holds "$c is not claimed" has o "^  $c  *no  .* not claimed\$"; done
ends 0 check kepler --flow verlet --claims --json; holds "JSON" json o
holds "a measured number" has o '"claim": "order", "claimed": "2", "verdict": "holds", "because": null, "measured": [12]\.'
# a velocity force left out is refused; an order that is none is found out
ends 2 check van-der-pol --flow 'strang(kick, drift)' --claims
holds "left out" has err 'strang leaves out the velocity force of this system'
ends 1 check kepler --flow 'compose(kick, drift, weights=[0.5, 1, 0.5], order=4)' --claims
holds "named" has o '^  order  *4  *2.* fails'
holds "told" has err '^epicycle: claims of this flow that do not hold on this model: 1'
# the density drifts on what is not reversible, and the indicator shows it
ends 0 check oscillator --flow 'density(verlet, objective=potential, power=0.5)' --step 0.36 --claims
holds "drift" has o '^  energy .*drifts'
ends 0 check oscillator --flow 'scaled(verlet, power=0.5)' --step 0.36 --claims
holds "no drift" has o '^  energy .*no drift'

echo "# what makes no sense"
says() { holds "$2" has o "^  $1 .*not measured, because.*$2"; }
ends 0 check kepler --flow 'tolerance(dopri5)' --claims; says order 'chooses its steps'
ends 0 check rotor --claims; says reversible 'depend on time'
ends 0 check van-der-pol --claims; says symplectic 'depend on velocity'; says energy 'no energy'
ends 0 check rod-chain --claims; says symplectic 'constraints'
ends 0 check kepler --flow 'at(verlet, of=y, direction=down)' --claims; says order 'watch or an event'
ends 0 check kepler --flow 'density(verlet, eps=0.02)' --claims; says order 'leave eps out'; says symplectic 'time'

echo "# bad input"
ends 2 check kepler --step 0; holds "in words" has err 'the step is 0: give a positive one'
ends 2 check kepler --step x; holds "in words" has err "--step 'x' is no number: write it as 0.05 or 1e-3, in s"
ends 2 check kepler --claims=1; holds "in words" has err 'takes no value'

counted
