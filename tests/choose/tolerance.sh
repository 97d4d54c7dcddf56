#!/usr/bin/env bash
# holds: `run` and `check` with --tol select a method, and report its error, cost and alternatives
# tolerance.sh EPICYCLE - --tol without a flow: one is chosen whose solution is right to that; what is told of it by run and check
set -u
. "$(dirname "$0")/../common/command.sh"

"$e" run inverted-pendulum w=1e6 --tol 1e-6 --end 0.3 > o 2> err; holds "exit 0: $(cat err)" test $? -eq 0
holds "the fast phase is averaged" has o '  by  revolve(picard, rtol='
holds "what was chosen, and the error" has o '^chosen for 1e-06: error about [0-9.e-]*, from two solutions; [0-9]* evaluations to find out'
holds "at a small cost: $(grep ^done o)" awk '/^done/ { exit !($6 > 0 && $6 < 60000) }' o
"$e" run inverted-pendulum w=1e4 --tol 1e-6 --end 0.3 --quiet --every 0.1 --out a.csv
"$e" run inverted-pendulum w=1e4 --flow 'tolerance(dop853, rtol=1e-14, atol=1e-15)' --end 0.3 --quiet --every 0.1 --out b.csv
holds "rows that are right: $(tail -n 1 a.csv) $(tail -n 1 b.csv)" \
  awk -F, 'FNR == NR { q[FNR] = $2; next } FNR > 1 { d = q[FNR] - $2; if (d*d > 9e-12) bad = 1; n++ } END { exit !(n == 4 && !bad) }' a.csv b.csv

"$e" check inverted-pendulum w=1e6 --tol 1e-6 > o 2> err; holds "check: $(cat err)" test $? -eq 0
holds "what there is" has o '^  fast phase  *period 6.28319e-06, turns 159155 times in this run'
holds "what others cost" has o '^  adams(rtol=1e-07, atol=1e-07)  *[0-9.]*e+0[67]  *[0-9.e-]*  *by what it takes for a turn'
holds "the choice" has o '^chosen revolve(picard, rtol='
holds "how much fewer" has o '^why  .*[0-9.e+]* times fewer evaluations than the best flow that resolves them, adams('
"$e" check van-der-pol --tol 1e-6 > o 2> err
holds "what others cost, by a part" has o '^  tolerance(verlet, rtol=3e-08, atol=3e-08)  *[0-9.e+]*  *[0-9.e-]*  *aims at 1e-06, by a part of the run'
holds "why not" has o 'there is no system .model.contacts.'
"$e" check van-der-pol --tol 1e-6 --json > o 2> err
holds "JSON: $(cat err)" python3 -c 'import json,sys; a = json.load(open("o")); sys.exit(not (a["error"] <= 1e-6 and len(a["ways"]) > 3 and a["flow"] == a["ways"][0]["flow"]))'

# a flow of the user's: the error of its steps, as ever
"$e" run kepler --tol 1e-8 --flow dopri5 > o; holds "with a flow" has o 'by  tolerance(dopri5, rtol=1e-08, atol=1e-08)'
says 2 'the tolerance is 2' run kepler --tol 2
says 2 'cannot be had: this tolerance is below rounding; take 1e-13 or more' run kepler --tol 1e-14
# a checkpoint has the flow that was chosen, and nothing is chosen again
"$e" run inverted-pendulum w=1e5 --tol 1e-7 --out whole.csv --quiet
"$e" run inverted-pendulum w=1e5 --tol 1e-7 --out part.csv --checkpoint c --checkpoint-every 0 --quiet
"$e" resume c --quiet > o 2>&1
holds "the same rows" cmp -s whole.csv part.csv
# from a checkpoint in the middle: the same bytes, and what was chosen is told as of the whole run
head -c "$(($(wc -c < c)*6/10))" c > d; cp whole.csv part.csv
"$e" resume d --json > o 2> err; holds "resumed: $(cat err)" test $? -eq 0
holds "the same rows from the middle" cmp -s whole.csv part.csv
choice='import json,sys; a = json.load(open("o"))["choice"]'
holds "and the choice" python3 -c "$choice; w = a['ways']
sys.exit(not (a['tol'] == 1e-7 and a['flow'] == w[0]['flow'] and a['reason'] and len(w) > 1))"

# ---- nothing is said: right to 1e-6 ----
"$e" new mymodel | sed 's/  .flow = "verlet", .step = 0.05, .end = 50/  .end = 50/' > mymodel.c
"$e" run mymodel.c > o 2> err; holds "a model in C without a flow: $(cat err)" has o 'by  adams(rtol='
holds "it is said" has o '^chosen for 1e-06, which is asked of a run that says nothing: error about'
holds "why" has o '^because it takes so few evaluations that to try more flows would take longer'
holds "to be taken over" has o "^the same again: --flow 'adams(rtol="
"$e" run mymodel.c --json > o; holds "JSON" python3 -c "$choice; sys.exit(not (a['tol'] == 1e-6 and a['error'] <= 1e-6 and a['slow'] > 0))"
"$e" show mymodel.c > o; holds "show" has o '^flow  *none: one is chosen'
sed 's/  .end = 50/  .step = 0.05, .end = 50/' mymodel.c > half.c
says 2 'has a step and no flow' run half.c
"$e" run half.c --flow verlet > o; holds "its own step" has o 'by  verlet'
cat > world.yaml <<'X'
world:
  gravity: [0, 0, -9.81]
  bodies:
    - {name: ball, ball: 20 mm, material: steel, at: [0, 0, 120 mm]}
  contacts:
    - {name: floor, shape: sphere-plane, a: ball, law: {material: steel, chi: 0.1 s/m}}
end: 0.5
X
"$e" run world.yaml --report r.html > o 2> err; holds "a world: $(cat err)" has o '^chosen for 1e-06, which is asked'
holds "the table in the report" has r.html 'how the flow was chosen.*</summary>'
holds "with its ways" has r.html '<table class="ways">'
"$e" run world.yaml --step 1e-5 > o; holds "with a step it is the world's own flow" has o 'by  semi('
# several bodies, and joints, are asked as one body is
"$e" run "$SOURCE/examples/four-bar.yaml" --json > o 2> err; holds "joints: $(cat err)" python3 -c "$choice; sys.exit(not a['tol'] == 1e-6)"
"$e" run "$SOURCE/tests/cases/billiard.yaml" --report no.html > o 2> err
holds "seven balls: $(cat err)" has o '^chosen for 1e-06, which is asked'
"$e" check "$SOURCE/tests/cases/crank2.yaml" > o
holds "check says that a run chooses" has o '^run    chooses a flow that is right to 1e-06'
# a drive alone determines where a four-bar is: no step has an error, and a long one would put it together otherwise
"$e" run "$SOURCE/examples/four-bar.yaml" --out a.csv --every 0 > /dev/null
"$e" run "$SOURCE/examples/four-bar.yaml" --flow verlet --step 0.0005 --out b.csv --every 0 > /dev/null
holds "the rocker is where short steps put it: $(tail -n 1 a.csv)" python3 -c 'import sys
a, b = ([float(x) for x in open(f).readlines()[-1].split(",")[1:22]] for f in ("a.csv", "b.csv"))
sys.exit(not max(abs(x - y) for x, y in zip(a, b)) < 1e-6)'
cat > runs.yaml <<'X'
model: inverted-pendulum
parameters: {w: 1e5}
end: 0.2
compare: fine
runs:
  - {name: fine, flow: "tolerance(dop853, rtol=1e-12, atol=1e-12)"}
  - {name: free, tol: 1e-6}
  - {name: rough, tol: 1e-3}
  - {name: own}
X
"$e" run runs.yaml > o 2> err; holds "several runs: $(cat err)" test $? -eq 0
holds "two are chosen" test "$(grep -c '^chosen for' o)" -eq 2
holds "what that gains" has o '^"free", with nothing said but its tolerance, took [0-9.e+]* times fewer evaluations than "fine" and ended'
"$e" run runs.yaml --json > o 2> err
holds "a list" python3 -c 'import json,sys; a = json.load(open("o")); sys.exit(not ([x["choice"] is None for x in a] == [True, False, False, True]))'

# ---- rows do not touch the answer ----
for every in 0 0.003 0.7; do
  "$e" run van-der-pol --tol 1e-4 --end 3 --every $every --json 2> /dev/null | sed -n '/"state"/p' > state-$every
  holds "rows every $every" cmp -s state-0 state-$every
done

# ---- what the tolerance is of ----
"$e" run kepler --tol 1e-8 --flow dopri5 > o
holds "of a step, and it is said" has o '^1e-08 is the error of a step of this flow, not of the solution'
"$e" run kepler --tol 1e-8 --flow 'at(dop853, of=y)' > o
holds "inside of events" has o 'by  at(tolerance(dop853, rtol=1e-08, atol=1e-08), of=y)'
says 2 'both say how exact its steps are: take one of them away' run kepler --tol 1e-8 --flow 'tolerance(dop853, rtol=1e-3)'
says 2 'put at around it, as in at(adams(rtol' run kepler --tol 1e-6 --events e.csv
# steps that go over an impact agree with one another, and are not right
"$e" run drop --tol 1e-6 --json > o
holds "a ball that drops is where it was: $(grep '"state"' o)" \
  python3 -c 'import json,sys; sys.exit(not abs(json.load(open("o"))["state"]["ball.z"] - 0.04308276) < 1e-6)'
# two solutions far apart in their tolerance tell more of the finer one: no third is needed, which would take 15,000 evaluations. Between
# the steps of the two the force is evaluated at some thousand places
"$e" check "$SOURCE/tests/cases/eq.c" --tol 1e-7 > o
holds "a satellite in elements: $(tail -n 1 o)" test "$(sed -n 's/.* \([0-9]*\) evaluations to find out/\1/p' o)" -lt 29000
# what cannot be had is told of a run that asked for nothing, and refused where it was asked for
"$e" run "$SOURCE/tests/cases/benchmarks/t-handle.yaml" > o 2> err; holds "run all the same" test $? -eq 0
holds "with a warning" has err 'warning: the run is not right to 1e-06: .* cannot be had'
says 2 'cannot be had' run "$SOURCE/tests/cases/benchmarks/t-handle.yaml" --tol 1e-6
says 2 'this tolerance is below rounding; take 1e-13 or more' run kepler --tol 1e-16 --end 5
says 2 'revolve gives all of the motion: leave project out' run inverted-pendulum w=1e5 --flow 'project(revolve(picard))'
# what a coordinate is off by that is zero at the start is held against what it becomes within a period
sat() {
  "$e" run "$SOURCE/tests/cases/sat.c" --flow "revolve(substeps(symmetric(verlet, order=8), $1), rtol=1e-6, span=1e6)" --step 1e6 --end 1e6
}
sat 40 > o 2> err; holds "a satellite's micro-steps are short enough: $(cat err)" test -z "$(grep micro-steps err)"
sat 20 > o 2> err; holds "and these are not" has err 'micro-steps leave a period off by so much that 172 periods add up to 1[0-9] times'
counted
