#!/usr/bin/env bash
# tolerance.sh EPICYCLE - --tol without a flow: one is chosen whose solution is right to that; what is told of it by run and check
set -u
. "$(dirname "$0")/common/command.sh"

"$e" run inverted-pendulum w=1e6 --tol 1e-6 --end 0.3 > o 2> err; holds "exit 0: $(cat err)" test $? -eq 0
holds "the fast phase is averaged" has o '  by  revolve(picard, rtol='
holds "what was chosen, and the error" has o '^chosen for 1e-06: error about [0-9.e-]*, from two solutions at 16 times; [0-9]* evaluations to find out'
holds "at a small cost" awk '/^done/ { exit !($5 < 60000) }' o
"$e" run inverted-pendulum w=1e4 --tol 1e-6 --end 0.3 --quiet --every 0.1 --out a.csv
"$e" run inverted-pendulum w=1e4 --flow 'tolerance(dop853, rtol=1e-14, atol=1e-15)' --end 0.3 --quiet --every 0.1 --out b.csv
holds "rows that are right: $(tail -n 1 a.csv) $(tail -n 1 b.csv)" \
  awk -F, 'FNR == NR { q[FNR] = $2; next } FNR > 1 { d = q[FNR] - $2; if (d*d > 9e-12) bad = 1; n++ } END { exit !(n == 4 && !bad) }' a.csv b.csv

"$e" check inverted-pendulum w=1e6 --tol 1e-6 > o 2> err; holds "check: $(cat err)" test $? -eq 0
holds "what there is" has o '^  fast phase  *period 6.28319e-06, turns 159155 times in this run'
holds "what others cost" has o '^  tolerance(dop853, rtol=1e-07, atol=1e-07)  *[0-9.]*e+0[78]  *[0-9.e-]*  *aims at 1e-06, by a part of the run'
holds "why not" has o 'there is no system .model.contacts.'
holds "the choice" has o '^chosen revolve(picard, rtol='
"$e" check pendulum --tol 1e-6 --json > o 2> err
holds "JSON: $(cat err)" python3 -c 'import json,sys; a = json.load(open("o")); sys.exit(not (a["error"] <= 1e-6 and len(a["ways"]) > 3 and a["flow"] == a["ways"][0]["flow"]))'

# a flow of the user's: the error of its steps, as ever
"$e" run kepler --tol 1e-8 --flow dopri5 > o; holds "with a flow" has o 'by  tolerance(dopri5, rtol=1e-08, atol=1e-08)'
says 2 'the tolerance is 2' run kepler --tol 2
says 2 'cannot be had: near t = .* take a larger tolerance, or an earlier end' run kepler --tol 1e-14
# a checkpoint has the flow that was chosen, and nothing is chosen again
"$e" run inverted-pendulum w=1e5 --tol 1e-7 --out whole.csv --quiet
"$e" run inverted-pendulum w=1e5 --tol 1e-7 --out part.csv --checkpoint c --checkpoint-every 0.001 --quiet
"$e" resume c --quiet > o 2>&1
holds "the same rows" cmp -s whole.csv part.csv
counted
