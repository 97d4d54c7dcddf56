#!/bin/bash
# holds: --actions adds constant columns of stiff modes, the same after a restart, and is refused where no mode is stiff
# actions.sh - --actions: columns behind the others, constant but for the ratio of the scales in a direct run, what adiabatic learnt in its
# own, the same after a stop, in files too, and refused where nothing is stiff
set -u
. "$(dirname "$0")/../common/command.sh"

stiff="stiff-springs case=iii w1=4e3 w2=4e3"
"$e" run $stiff --flow 'symmetric(verlet, order=8)' --step 2e-4 --end 1 --every 0.01 --actions --out direct.csv --quiet 2>direct.err ||
  bad "it does not run"
holds "columns" test "$(head -1 direct.csv)" = \
  t,x1,y1,x2,y2,vx1,vy1,vx2,vy2,energy,angular-momentum,length-1,length-2,J1,J2,om1,om2
"$e" run $stiff --flow 'symmetric(verlet, order=8)' --step 2e-4 --end 1 --every 0.01 --out plain.csv --quiet 2>plain.err
holds "the rest is as without" cmp <(cut -d, -f1-13 direct.csv) plain.csv

# range COLUMN FILE: (largest - least)/largest
range() { awk -F, -v c="$1" 'NR > 1 { if (NR == 2 || $c < l) l = $c; if (NR == 2 || $c > m) m = $c } END { print (m - l)/m }' "$2"; }
below() { awk -v x="$1" -v y="$2" 'BEGIN { exit !(x < y) }'; }
# frequencies change by a third, energies with them; the actions stay but for what one resonance exchanges
holds "om1 moves" below 0.2 "$(range 16 direct.csv)"
holds "J1 stays" below "$(range 14 direct.csv)" 0.01
holds "J2 stays" below "$(range 15 direct.csv)" 0.005
# both springs at the start: the velocities along them are 0.5 and -1, the second is stretched by 1/w; J1 om1 + J2 om2 is the fast energy
awk -F, 'NR == 2 { d = $14*$16 + $15*$17 - (0.125 + 0.125 + 0.5); exit !(d*d < 1e-8) }' direct.csv || bad "the fast energy at the start"

"$e" run $stiff --flow 'verlet(adiabatic)' --step 0.05 --end 1 --every 0.05 --actions --out slow.csv --quiet 2>slow.err || bad "adiabatic does not run"
holds "those of adiabatic stay" test "$(sed 1,2d slow.csv | cut -d, -f14,15 | sort -u | wc -l)" = 1
awk -F, 'NR == FNR { if (FNR == 3) J = $14; next } FNR == 2 { exit !(($14/J - 1)^2 < 1e-4) }' slow.csv direct.csv || bad "other actions"
awk -F, 'NR == FNR { if ($1 == 1) om = $16; next } $1 == 1 { exit !(($16/om - 1)^2 < 1e-6) }' slow.csv direct.csv || bad "other frequencies"

says 2 'kepler: its stiff modes cannot be told, so leave --actions out: ' run kepler --actions
says 2 '--actions has the modes that are stiff at the start, and the flow was given another number' run $stiff --actions \
  --flow 'verlet(adiabatic(modes=1))'

printf 'model: stiff-springs\nparameters: {case: iii, w1: 4e3, w2: 4e3}\nactions: yes\nflow: verlet(adiabatic)\nstep: 0.05\nend: 1\noutput: {every: 0.05, file: file.csv}\n' >file.yaml
"$e" run file.yaml --quiet 2>file.err || bad "a file does not run: $(cat file.err)"
holds "by a file" cmp slow.csv file.csv

# stopped, or over before that: the same rows
run="run $stiff --actions --flow verlet(adiabatic) --step 1e-3 --every 0.01 --end 3 --quiet"
"$e" $run --out whole.csv 2>/dev/null
"$e" $run --out part.csv --checkpoint c --checkpoint-every 0 2>/dev/null & id=$!
wait_until test -s c
kill -INT $id; wait $id
[ -f c ] && "$e" resume c --quiet 2>/dev/null
holds "resumed" cmp whole.csv part.csv
counted
