#!/bin/bash
# holds: --multipliers adds columns, the same after a restart and from files, and is refused without constraints
set -u
. "$(dirname "$0")/../common/command.sh"

"$e" run rod-chain n=2 --multipliers --every 0.25 --out m.csv --quiet || bad "it does not run"
holds "columns" test "$(head -1 m.csv)" = t,x1,y1,x2,y2,vx1,vy1,vx2,vy2,energy,g,Gv,lambda1,lambda2
"$e" run rod-chain n=2 --every 0.25 --out plain.csv --quiet
holds "the rest is as without" cmp <(cut -d, -f1-12 m.csv) plain.csv
says 2 'kepler: there are no constraints, and so no multipliers: leave --multipliers out' run kepler --multipliers

printf 'model: rod-chain\nparameters: {n: 2}\nmultipliers: yes\nend: 1\noutput: {file: file.csv, every: 0.25}\n' >file.yaml
"$e" run file.yaml --quiet || bad "a file does not run"
holds "by a file" cmp m.csv file.csv

# stopped, or over before that: the same rows
run="run rod-chain n=20 --multipliers --flow verlet --step 1e-4 --every 0.001 --end 0.1 --quiet"
"$e" $run --out whole.csv
"$e" $run --out part.csv --checkpoint c --checkpoint-every 0 & id=$!
wait_until test -s c
kill -INT $id; wait $id
[ -f c ] && "$e" resume c --quiet
holds "resumed" cmp whole.csv part.csv
counted
