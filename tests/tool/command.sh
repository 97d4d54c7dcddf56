#!/bin/sh
# holds: verbs, options, output formats, messages and exit codes of the command are as documented
# the command as a user meets it: verbs, options, formats, sentences, exit codes
#   command.sh EPICYCLE
# cost: 40
. "$(dirname "$0")/../common/command.sh"

number() { awk "BEGIN { exit !($1) }"; }

# works WORDS ... : exit 0, nothing on stderr; the output stays in ./o
works() {
  "$e" "$@" > o 2> err; code=$?
  if [ $code -eq 0 ] && [ ! -s err ]; then good; else bad "exit $code: epicycle $* : $(head -n 2 err)"; fi
}
# says CODE PATTERN WORDS ... : that exit code, one sentence on stderr that begins with "epicycle: " and holds the pattern
says() {
  want=$1 pattern=$2
  shift 2
  "$e" "$@" > o 2> err; code=$?
  if [ $code -ne "$want" ]; then bad "exit $code, not $want: epicycle $* : $(cat err)"
  elif [ "$(wc -l < err)" -ne 1 ] || ! grep -q '^epicycle: ' err; then bad "not one sentence: epicycle $* : $(cat err)"
  elif ! grep -q -e "$pattern" err; then bad "no '$pattern' in: $(cat err)"
  else good; fi
}
# a JSON reader, where there is one; what a version manager puts before it takes longer than all the rest
python=$(command -v /usr/bin/python3 || command -v python3)
json() {
  if [ -n "$python" ]; then "$python" -I -S -c 'import json, sys; json.load(open(sys.argv[1]))' "$1" 2> py.err; else return 0; fi
}
# the value of a key in our own JSON
value() { sed -n "s/.*\"$2\": *\([^,}]*\).*/\1/p" "$1" | head -n 1; }

echo "# help and version"
works; holds "first page" has o 'Use: epicycle'
works --help; holds "first page again" has o 'epicycle run kepler'
works -h
works --version; holds "version" has o '^epicycle [0-9]*\.[0-9]*\.[0-9]*$'
works help
for v in list show run check resume reproduce help; do
  works help $v; holds "help $v has an example" has o '^Example:  epicycle '$v
  works $v --help; holds "$v --help" has o "^Use: epicycle $v"
done
says 2 'did you mean `epicycle run`' help rnu

echo "# reserved names"
says 2 'make bench' bench
says 2 'reserved for a later version' help bench

echo "# files that are not there"
for f in bearing.yaml bearing.yml mine.c mine.so; do says 2 "there is no .*file" run $f; done
says 2 'bearing.yaml: there is no such file' check bearing.yaml

echo "# wrong names"
says 2 'did you mean `epicycle list`' lst
says 2 'epicycle help' frobnicate
says 2 'did you mean --every' run kepler --evry 1
says 2 'epicycle help run' run kepler --zzzzzz 1
says 2 'did you mean kepler' run keplr
says 2 'did you mean verlet' run kepler --flow verlt
says 2 'did you mean order' run kepler --flow 'symmetric(verlet, ordr=4)'
says 2 'column 19' run kepler --flow 'symmetric(verlet, ordr=4)'
for one in 0.5 '[0.5]'; do says 2 'would move time by 0.5 h' check kepler --flow "compose(verlet, weights=$one)"; done
says 2 "vx0" run kepler vx0=1
says 2 'did you mean kepler' show kepller
says 2 'epicycle list' show zzzzzzzzzz
says 2 'did you mean methods' list method
says 2 'epicycle list' show
says 2 'needs a model' run
says 2 'not name=value' run kepler e
says 2 'needs a value' run kepler --step
says 2 'takes no value' run kepler --quiet=1
says 2 'stands twice' run kepler --step 1 --step 2
for verb in run check sweep "export --fmu orbit.fmu"; do
  says 2 'e is given twice, as e=0.1 and e=0.2: give it once' $verb kepler e=0.1 mu=1 e=0.2
done
says 2 'one word at most' list models methods

echo "# list and show"
works list
for n in kepler verlet tolerance symmetric inverted-pendulum; do holds "list has $n" has o "^  $n "; done
for s in models methods wrappers; do holds "list has $s" has o "^$s\$"; done
works list models; holds "only models" has o '^  rotor '; holds "no methods" sh -c '! grep -q verlet o || ! grep -q "^  verlet" o'
works list --json; cp o list.json; holds "list is JSON" json list.json; holds "with citations" has o '"cite": "'
works show kepler
for w in eccentricity 'm^3/s^2' 'symmetric(verlet' 'energy (invariant)' '^Example:  epicycle run kepler' Modin; do
  holds "show kepler has $w" has o "$w"
done
works show symmetric
for w in order wrapper '1 flow' '^Example:'; do holds "show symmetric has $w" has o "$w"; done
works show verlet; holds "claims of verlet" has o '^claims .*symplectic'; holds "order of verlet" has o '^order  *2'
works show kepler --json; holds "show is JSON" json o; holds "default" has o '"name": "e", "unit": "", "default": 0.8'
works show tolerance --json; holds "show is JSON" json o; holds "words" has o '"words": \['
# every name that is listed can be shown, in both ways
"$e" list | sed -n 's/^  \([^ ][^ ]*\) .*/\1/p' > names
holds "at least 30 names" number "$(wc -l < names) >= 30"
while read -r n; do works show "$n"; works show "$n" --json; json o || bad "show $n --json is not JSON"; done < names
# the example of every method, on its model, composes
while read -r n; do
  "$e" show "$n" | sed -n "s/^Example:  epicycle run \([^ ]*\) --flow '\(.*\)'/\1 \2/p" > ex
  read -r m f < ex || continue
  case $f in *see=*|*when=*|*gap=*) continue ;; esac
  works check "$m" --flow "$f"
done < names

echo "# check"
works check kepler --flow 'symmetric( verlet ,order = 6 )'
holds "text back" has o '^flow   symmetric(verlet.*order=6.*)'
holds "tree" has o '^  symmetric(.*order 6'
holds "leaf, indented" has o '^    verlet .*order 2 .*symplectic'
works check kepler --flow 'tolerance(dopri5, rtol=1e-9)' --json; holds "check is JSON" json o
holds "depth" has o '"name": "dopri5".*"depth": 1, "order": 5'
works check kepler e=0.5 mu=2; holds "parameters" has o 'kepler(e=0.5, mu=2)'
says 2 'e = 2' check kepler e=2
says 2 '' check kepler --flow 'verlet(verlet)'
says 2 '' check kepler --flow 'verlet('
says 2 '' check kepler --flow ''
# what check prints can be given again
works check kepler --flow 'symmetric(verlet, order=6)'
again=$(sed -n 's/^flow   //p' o)
works check kepler --flow "$again"; holds "the same text" test "$again" = "$(sed -n 's/^flow   //p' o)"

echo "# run: CSV"
works run kepler e=0.6 --flow verlet --step 0.01 --end 1 --every 0.1 --out a.csv
holds "columns" test "$(head -n 1 a.csv)" = "t,x,y,vx,vy,energy,angular-momentum,laplace-x,laplace-y"
holds "11 rows and the names" test "$(wc -l < a.csv)" -eq 12
holds "starts at 0.4, vy = 2" test "$(sed -n 2p a.csv | cut -d, -f1,2,3)" = "0,0.4,0"
holds "vy at the start" number "sqrt(($(sed -n 2p a.csv | cut -d, -f5) - 2)^2) < 1e-14"
holds "ends at 1 exactly" test "$(tail -n 1 a.csv | cut -d, -f1)" = 1
# Verlet written out again, 100 steps: the same numbers
awk 'function pull() { r = (x*x + y*y)^1.5; ax = -x/r; ay = -y/r }
  function kick() { vx += h/2*ax; vy += h/2*ay }
  BEGIN { x = 0.4; y = 0; vx = 0; vy = 2; h = 0.01; pull()
  for (i = 0; i < 100; i++) { kick(); x += h*vx; y += h*vy; pull(); kick() }
  printf "%.17g %.17g %.17g %.17g\n", x, y, vx, vy }' > want
tail -n 1 a.csv | tr , ' ' > got
holds "the numbers of Verlet" awk 'NR == FNR { for (i = 1; i < 5; i++) w[i] = $i; next }
  { for (i = 1; i < 5; i++) if (!(($(i + 1) - w[i])^2 < 1e-22)) exit 1 }' want got
# one text or parameters apart
works run 'kepler(e=0.6)' --flow verlet --step 0.01 --end 1 --every 0.1 --out b.csv; holds "kepler(e=0.6)" cmp a.csv b.csv
works run 'kepler(a=1)' e=0.6 --flow verlet --step=0.01 --end=1 --every=0.1 --out b.csv; holds "merged" cmp a.csv b.csv
works run 'kepler()' e=0.6 --flow verlet --step 1e-2 --end 1 --every 0.1 --out b.csv; holds "empty brackets" cmp a.csv b.csv
works run kepler e=0.6 --flow verlet --step 0.01 --end 1 --every 0.1 --out -; holds "standard output" cmp a.csv o
# an end between rows gets its own row
# a time of its own: a row after every whole step, the last one the first that is not before the end
works run kepler e=0.6 --flow 'density(verlet, clock=own)' --step 0.05 --end 1 --out own.csv
holds "whole steps: $(tail -1 own.csv)" awk -F, 'NR > 2 && !($1 - t < 0.3 && $1 > t) { bad = 1 } { before = t; t = $1 } END { exit bad || !(before < 1 && t >= 1) || NR < 20 }' own.csv
says 2 'with clock=own there is a row after every step, and a row every 0.1 would cut them: leave one of them out' run kepler --flow 'density(verlet, clock=own)' --every 0.1
works run kepler e=0.6 --flow verlet --step 0.01 --end 1 --every 0.3 --out b.csv
holds "rows 0 .3 .6 .9 1" test "$(tail -n +2 b.csv | awk -F, '{ printf "%.6g ", $1 }')" = "0 0.3 0.6 0.9 1 "
# rows between steps
works run kepler e=0.6 --flow 'dopri5' --step 0.05 --end 1 --every 0.03 --out b.csv
holds "35 rows" test "$(wc -l < b.csv)" -eq 36
holds "at their times" awk -F, 'NR > 2 && NR < 36 && ($1 - 0.03*(NR - 2))^2 > 1e-24 { exit 1 }' b.csv
holds "energy there" awk -F, 'NR > 1 && ($6 + 0.5)^2 > 1e-10 { exit 1 }' b.csv
works run kepler e=0.6 --flow 'tolerance(dopri5, rtol=1e-9)' --step 0.05 --end 6.283185307179586 --every 0.5 --out b.csv
holds "back at the start after a year" awk -F, 'END { exit !(($2 - 0.4)^2 + $3^2 < 1e-12) }' b.csv
holds "14 rows" test "$(wc -l < b.csv)" -eq 15
works run kepler e=0.6 --flow 'tolerance(dopri5, rtol=1e-6)' --end 5 --every 0 --out b.csv
holds "every step: uneven times" awk -F, 'NR > 2 { d = $1 - t; if (d <= 0) exit 1; if (!lo || d < lo) lo = d; if (d > hi) hi = d }
  { t = $1 } END { exit !(hi > 2*lo) }' b.csv
works run kepler --out b.csv
holds "by default at most 1001 rows" number "$(wc -l < b.csv) <= 1002 && $(wc -l < b.csv) > 400"
# no digit more than needed: where 15 or 16 digits have the same bits, there are no 17
sed 1d a.csv | tr , '\n' > tokens
holds "the fewest digits" awk '{ for (d = 15; d < 17; d++) { s = sprintf("%.*g", d, $1); if (s + 0 == $1 + 0) break }
  if (d < 17 && s != $1 "") exit 1 }' tokens
holds "99 numbers" test "$(wc -l < tokens)" -eq 99
holds "0.1 is 0.1" test "$(sed -n 3p a.csv | cut -d, -f1 | cut -c1-3)" = "0.1"

echo "# run: JSON and NPY hold the numbers of the CSV"
works run kepler e=0.6 --flow verlet --step 0.01 --end 1 --every 0.1 --out a.json; holds "is JSON" json a.json
holds "same numbers" sh -c "sed -n 's/^  \[\(.*\)\],*$/\1/p' a.json | sed 's/, /,/g' > j.csv; sed 1d a.csv | cmp - j.csv"
holds "names in it" has a.json '"columns": \["t", "x", "y", "vx", "vy"'
works run kepler e=0.6 --flow verlet --step 0.01 --end 1 --every 0.1 --out a.npy
holds "size of NPY" test "$(wc -c < a.npy)" -eq $((128 + 11*9*8))
holds "shape" has a.npy "'shape': (11, 9)"
holds "names beside it" test "$(tr '\n' , < a.npy.columns.txt)" = "$(head -n 1 a.csv),"
od -A n -t f8 -v -w72 -j 128 a.npy > n.txt
sed 1d a.csv | tr , ' ' | paste - n.txt > both
holds "same doubles" awk '{ for (i = 1; i < 10; i++) { d = $i - $(i + 9); if (d != 0) exit 1 } }' both
if python3 -c 'import numpy' 2> py.err; then
  holds "numpy reads it, same bits" python3 -c '
import numpy, csv
a = numpy.load("a.npy"); b = numpy.array([[float(x) for x in r] for r in list(csv.reader(open("a.csv")))[1:]])
assert a.shape == (11, 9) and (a == b).all()'
fi

echo "# statistics and summary"
works run kepler e=0.6 --flow 'symmetric(verlet, order=8)' --step 0.05 --end 10 --stats s.json
holds "statistics are JSON" json s.json
for k in status model flow step end calls wall_s invariants nodes max_drift final_drift initial max_error; do
  holds "has $k" has s.json "\"$k\""
done
holds "status" has s.json '"status": "done"'
holds "200 steps" has s.json '"name": "symmetric".*"depth": 0.*"steps": 200'
holds "verlet below, no watch" sh -c 'grep -q "\"name\": \"verlet\".*\"depth\": 1" s.json && ! grep -q watch s.json'
calls=$(value s.json calls); holds "calls per step between 15 and 18: $calls" number "$calls >= 15*200 && $calls <= 18*200"
holds "energy starts at -0.5" number "($(sed -n 's/.*"energy".*"initial": \([^,]*\),.*/\1/p' s.json) + 0.5)^2 < 1e-28"
worst=$(value s.json max_error); last=$(value s.json final_error)
holds "error between 1e-12 and 1e-2: $worst" number "$worst > 1e-12 && $worst < 1e-2 && $last <= $worst && $last >= 0"
holds "summary on stdout" has o '^  energy  *m^2/s^2  *-0.5'
holds "tree with counters" has o '^    verlet .* 3[0-9]*'
works run kepler e=0.6 --end 1 --json; cp o sum.json
holds "summary as JSON" json sum.json; holds "state" has sum.json '"state": {"t": 1, "x": '
works run kepler e=0.6 --end 1 --quiet; holds "quiet" test ! -s o
works run kepler e=0.6 --end 1 --out c.csv --quiet; holds "quiet with rows" test ! -s o
works run kepler e=0.6 --end 1 --out c.csv; holds "says where" has o 'rows in c.csv'
# a larger step drifts more: the figure is a measurement
"$e" run kepler e=0.6 --flow verlet --step 0.02 --end 10 --json > s1
"$e" run kepler e=0.6 --flow verlet --step 0.01 --end 10 --json > s2
holds "energy error of Verlet falls fourfold" number "(r = $(value s1 max_drift)/$(value s2 max_drift)) > 3 && r < 5"

echo "# bad input"
says 2 'step is 0' run kepler --step 0
says 2 'step is -0.1' run kepler --step -0.1
says 2 'no number\|too large\|is missing' run kepler --step nan
says 2 'no number\|too large\|is missing' run kepler --step inf
says 2 'no number\|too large\|is missing' run kepler --end 1e999
says 2 'no number\|too large\|is missing' run kepler --step 0.1x
says 2 'no number\|too large\|is missing' run kepler --step ''
says 2 'not after the start' run kepler --end -1
says 2 'not after the start' run kepler --end 0
says 2 'rows, more than' run kepler --every 1e-12
says 2 'negative' run kepler --every -1
says 2 'steps of' run kepler --step 1e-18
says 2 '' run kepler e=nan
says 2 '' run kepler e=inf
says 2 '' run kepler e=abc
says 2 '' run kepler 'e=0.6)'
says 2 '' run 'kepler(e=0.6'
says 2 '' run ''
says 2 'no known ending' run kepler --out orbit.txt
says 2 'cannot write' run kepler --out nowhere/a.csv
says 2 'cannot write' run kepler --out ./.csv/a.csv
says 2 'cannot write' run kepler --stats nowhere/a.json
says 2 'cannot write nowhere/a' run kepler --checkpoint nowhere/a
says 2 'different files' run kepler --out a.json --stats a.json
says 2 'both write to standard output' run kepler --out - --json
says 2 'needs a file' run kepler --checkpoint-every 1
says 2 'is negative' run kepler --checkpoint c --checkpoint-every -1
says 2 'move time' run kepler --flow kick
echo "mine" > mine.txt
says 2 'not a checkpoint' run kepler --checkpoint mine.txt; holds "left alone" test "$(cat mine.txt)" = mine
says 2 'not a checkpoint' run kepler --checkpoint /dev/null
mkdir folder.csv
says 2 'cannot write' run kepler --out folder.csv
# an existing output survives a request that is wrong
cp a.csv keep.csv
says 2 'did you mean' run kepler --flow verlt --out keep.csv; holds "kept" cmp a.csv keep.csv
says 2 'cannot write' run kepler --out keep.csv --stats nowhere/s.json; holds "kept" cmp a.csv keep.csv
says 2 'cannot write' run kepler --out keep.csv --checkpoint nowhere/c; holds "kept" cmp a.csv keep.csv
says 2 'not a checkpoint' run kepler --out keep.csv --checkpoint mine.txt; holds "kept" cmp a.csv keep.csv
if [ -c /dev/full ]; then
  ln -s /dev/full full.csv; ln -s /dev/full full.npy; ln -s /dev/full full.json
  for f in csv npy json; do says 1 'No space left' run kepler --out full.$f; done
  says 1 'No space left' run kepler --step 1e-3 --every 1e-3 --out full.csv
  says 1 'No space left' run kepler --stats full.json
  "$e" run kepler --out - > /dev/full 2> err; holds "full standard output" test $? -eq 1; holds "in words" has err '^epicycle: '
  "$e" list > /dev/full 2> err; holds "list to a full disk" test $? -eq 1; holds "in words" has err '^epicycle: '
fi

echo "# a run that fails keeps what it has"
says 1 '' run kepler e=0 --flow euler --step 1e300 --end 1e303 --every 1e300 --force --out f.csv --stats f.json
holds "a readable file" sh -c 'head -n 1 f.csv | grep -q "^t,x,y"'
holds "no row is broken" sh -c '! cut -d, -f1-5 f.csv | grep -q -i -e nan -e inf'
holds "told in the statistics" has f.json '"status": "failed"'; holds "JSON" json f.json

echo "# checkpoint and resume"
says 2 'cannot read' resume nothing.here
says 2 'not a checkpoint' resume mine.txt
: > empty; says 2 'not a checkpoint' resume empty
says 2 'not a file' resume .
says 2 'one file' resume
says 2 'one file' resume a b
works run kepler e=0.6 --flow verlet --step 1e-3 --end 1 --out d.csv --checkpoint d.checkpoint
works resume d.checkpoint; holds "complete" has o 'complete: see d.csv'
# stopped by Ctrl-C: readable rows, a checkpoint, the way on; then the bytes of a run that was not stopped
# soon, but well after a run has begun, on any machine
began=$(date +%s%N); "$e" run kepler --end 0.1 --quiet
soon=$(awk -v ns=$(($(date +%s%N) - began)) 'BEGIN { print 0.2 + 10e-9*ns }')
# long enough to be stopped, here: about a second
"$e" run kepler --flow verlet --step 1e-5 --end 5 --json > o
end=$(awk -v wall="$(value o wall_s)" 'BEGIN { n = int(5/wall); print n < 2 ? 2 : n }')
long="run kepler(e=0.6) --flow verlet --step 1e-5 --every 0.05"
for f in csv npy json; do
  "$e" $long --end $end --out whole.$f --quiet
  stopped INT $long --end $end --out stop.$f > o 2> err
  code=$?
  if [ $code -eq 0 ]; then echo "too fast here to be stopped: $f"; continue; fi
  holds "exit 1 when interrupted, not $code" test $code -eq 1
  holds "the way on" has err "epicycle: interrupted at t = .*epicycle resume stop.$f.checkpoint"
  [ $f = json ] && holds "readable JSON" json stop.json
  if [ $f = npy ]; then
    rows=$(head -c 128 stop.npy | sed -n "s/.*'shape': (\([0-9]*\),.*/\1/p")
    holds "as many rows as the head says" test "$(wc -c < stop.npy)" -eq $((128 + rows*72))
  fi
  works resume stop.$f.checkpoint --quiet
  holds "same bytes of $f" cmp whole.$f stop.$f
done
stopped TERM $long --end 1e4 --quiet 2> err
holds "SIGTERM" has err 'resume epicycle.checkpoint'
# the checkpoint of one run is not that of the next: each goes on to its own end
sum=$(cksum < epicycle.checkpoint)
stopped TERM run pendulum --flow verlet --step 1e-6 --end 1e4 --quiet 2> err
holds "a second checkpoint" has err 'resume epicycle-2.checkpoint'
holds "the first is as it was" test "$sum" = "$(cksum < epicycle.checkpoint)"
# with --out - the rows after the checkpoint come
stopped INT $long --end $end --out - > part1 2> err
if [ -s err ]; then
  "$e" resume "$(sed -n 's/.*epicycle resume //p' err)" > part2
  cat part1 part2 > parts
  holds "two halves on standard output" cmp parts whole.csv
fi
# a damaged tail costs the tail; a damaged beginning is told
slow_model slow.c
"$e" $slowly --out slow.csv --quiet
touch hold
"$e" $slowly --out k.csv --checkpoint k.checkpoint --checkpoint-every 0.02 --quiet > o 2> err & pid=$!
wait_until grown k.checkpoint
kill -KILL $pid
wait $pid 2> gone
holds "it was killed" test $? -eq 137
wait_until flock -n k.checkpoint true
rm hold
size=$(wc -c < k.checkpoint)
cp k.checkpoint k0.checkpoint; cp k.csv k0.csv
head -c $((size - 7)) k0.checkpoint > k.checkpoint; works resume k.checkpoint --quiet; holds "cut tail" cmp k.csv slow.csv
cp k0.csv k.csv; { cat k0.checkpoint; echo garbage; } > k.checkpoint
works resume k.checkpoint --quiet; holds "smeared tail" cmp k.csv slow.csv
head -c 20 k0.checkpoint > k1; says 2 'not a checkpoint' resume k1
cp k0.checkpoint k.checkpoint; rm k.csv; says 2 'cannot go on with the output k.csv' resume k.checkpoint
head -c 50 k0.csv > k.csv; says 2 'shorter' resume k.checkpoint

# many checkpoints, a small file, the same bytes
works $long --end $end --out m.csv --checkpoint m.checkpoint --checkpoint-every 0.002 --quiet
holds "same bytes with many checkpoints" cmp m.csv whole.csv
# at most 32 of them, of 4 kB each
holds "the file stays small" number "$(wc -c < m.checkpoint) < 150000"
# a file of that name is not written over, an old checkpoint goes with its output
echo mine > n.csv.checkpoint
stopped INT $long --end 1e4 --out n.csv 2> err
holds "kept" test "$(cat n.csv.checkpoint)" = mine; holds "another name" has err 'resume n.csv.checkpoint~$'
stopped INT $long --end 1e4 --out p.csv 2> err; holds "left" test -f p.csv.checkpoint
works run kepler --end 1 --out p.csv; holds "gone" test ! -f p.csv.checkpoint

echo "# the oscillating solution beside the slow one"
p='inverted-pendulum(w=3200, theta0=2, q0=0.25)'
works run "$p" --flow 'rk4(strobe(substeps(rk4, 160), order=4))' --step 0.007853981633974483 --end 0.5 --every 0.25 --fast --out f.csv
holds "columns" test "$(head -n 1 f.csv)" = "t,q,v,energy,slow-velocity,slow-energy,fast-q,fast-v"
holds "the start is a whole period" awk -F, 'NR == 2 { exit !($7 == $2 && $8 == $3) }' f.csv
# y(0.5), not a stroboscopic time, from an independent computation; the slow solution is elsewhere
holds "y(0.5)" awk -F, \
  'END { exit !(($7 - 0.412519534087054)^2 < 1e-12 && ($8 + 3.99915273302979)^2 < 4e-10 && ($3 - 5.0538)^2 < 1e-6) }' f.csv
# the same without --fast, but for the columns
"$e" run "$p" --flow 'rk4(strobe(substeps(rk4, 160), order=4))' --step 0.007853981633974483 --end 0.5 --every 0.25 --out g.csv --quiet
cut -d, -f1-6 f.csv > f6.csv; holds "the slow run is not touched" cmp f6.csv g.csv
# constrained, against the motion itself
works run double-pendulum w=1e5 --flow 'herk4(strobe(substeps(herk4, 32), order=4))' --end 0.02 --every 0.02 --fast --out f.csv
"$e" run double-pendulum w=1e5 --flow 'symmetric(verlet, order=8)' --step 6e-6 --end 0.02 --every 0.02 --out g.csv --quiet
tail -n 1 f.csv > fg; tail -n 1 g.csv >> fg
holds "positions and velocities" awk -F, 'NR == 1 { for (i = 0; i < 8; i++) y[i] = $(16 + i) }
  NR == 2 { for (i = 0; i < 8; i++) { d = (y[i] - $(2 + i))^2; if (d > (i < 4 ? 1e-13 : 1e-8)) exit 1; n++ } } END { exit n != 8 }' fg
# hmm where the model has a lift: the position as it is, the velocity with its oscillation
works run double-pendulum w=1e5 --end 0.02 --every 0.02 --fast --out f.csv
tail -n 1 f.csv > fg; tail -n 1 g.csv >> fg
holds "lifted" awk -F, \
  'NR == 1 { q = $16; slow = $6; v = $20; same = $16 == $2 }
   NR == 2 { exit !(same && (q - $2)^2 < 1e-8 && (v - $6)^2 < 1e-4 && (slow - $6)^2 > 1) }' fg
says 2 'moves the oscillating solution itself' run kepler --fast
# one that is chosen has the columns whatever it is
works run 'inverted-pendulum(w=100)' --tol 1e-4 --every 0.5 --fast --out f.csv --force
holds "fast columns of a flow that resolves all: $(head -1 f.csv)" awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
  { bad += $at["q"] != $at["fast-q"] || $at["v"] != $at["fast-v"] } END { exit !(at["fast-v"] && NR > 2 && !bad) }' f.csv
says 2 'leaves the oscillation out' run 'stiff-springs(w2=2e4)' --tol 1e-3 --fast --slow
works run 'stiff-springs(w2=2000)' --tol 1e-3 --end 1 --every 0.5 --fast --out f.csv --force
says 2 'strobe of order 2 or more' run van-der-pol --fast --flow 'rk4(strobe(substeps(rk4, 64), order=1))'
says 2 'have no phase.*take a strobe average' run stiff-springs --fast --flow 'rk4(hmm(verlet, start=current))'
# in parts: the same bytes
fast="run inverted-pendulum(w=1e5,theta0=2) --flow rk4(strobe(substeps(rk4,64),order=4)) --step 5e-4 --end 5 --every 5e-3 --fast"
"$e" $fast --out whole.csv --quiet
stopped INT $fast --out part.csv > o 2> err
if [ $? -eq 0 ]; then echo "too fast here to be stopped"; else works resume part.csv.checkpoint --quiet; fi
holds "same bytes with --fast" cmp whole.csv part.csv
rm -f whole.csv

echo "# an event ends a run"
works run kepler e=0.6 --flow 'at(dopri5, of=y, direction=down, stop=1)' --step 0.01 --end 100 --out ev.csv --stats ev.json
holds "stopped" has ev.json '"status": "stopped"'
holds "half a year, at aphelion" awk -F, 'END { exit !(($1 - 3.141592653589793)^2 < 1e-16 && ($2 + 1.6)^2 < 1e-16 && $3^2 < 1e-20) }' ev.csv

echo "# a report says how it was asked for"
works run bearing show=all --step 2e-7 --end 4e-4 --quiet --report balls.html
holds "loads of the balls over their place" grep -q 'the 9 balls over their place' balls.html
races=$(sed -n '/class="plot balls"/,/<\/figure>/p' balls.html | grep -o '>outer race<\|>inner race<' | wc -l)
holds "outer and inner race, twice" test "$races" = 4
works run bearing --end 1e-4 --quiet --report balls.html
holds "and only where all are shown" test "$(grep -c 'balls over their place' balls.html)" = 0
works run kepler e=0.5 --flow 'rk4(model)' --end 1 --quiet --report "it's.html"
holds "the command as it was typed" \
  grep -qF "epicycle run kepler e=0.5 --flow 'rk4(model)' --end 1 --quiet --report 'it'\\''s.html'" "it's.html"

counted
