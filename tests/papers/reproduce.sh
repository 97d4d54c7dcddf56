#!/usr/bin/env bash
# holds: the printed tables of the papers are reproduced entry by entry, and damaged data is refused
# reproduce.sh EPICYCLE - the printed tables, entry by entry: verdicts, labels, reference values, damaged data
# label: slow
# cost: 32
set -u
. "$(dirname "$0")/../common/command.sh"

# the JSON has an entry on each line: table|row|column|verdict|computed|published|reference
rows() {
  sed -n \
    's/^ *{"table": "\([^"]*\)", "row": "\([^"]*\)", "column": "\([^"]*\)", "verdict": "\([^"]*\)".*"published": \([^,]*\),.*"computed": \([^,]*\),.*"reference": \([^,]*\),.*/\1|\2|\3|\4|\6|\5|\7/p' "$1"
}
# count FILE CONDITION: entries for which the awk condition on table row col verdict computed published reference holds
count() { awk -F'|' \
  "{ table = \$1; row = \$2; col = \$3; verdict = \$4; computed = \$5; published = \$6; reference = \$7 } $2 { n++ } END { print n + 0 }" \
    "$1"; }
is() { holds "$1: $2, not $3" test "$2" -eq "$3"; }
off='function off() { d = computed/reference - 1; return d < 0 ? -d : d }'

echo "# everything"
"$e" reproduce vibrations --json > v.json; holds "vibrations: exit 0" test $? -eq 0
"$e" reproduce stiff --json > s.json; holds "stiff: exit 0" test $? -eq 0
"$e" reproduce stroboscopic --json > r.json; holds "stroboscopic: exit 0" test $? -eq 0
rows v.json > v; rows s.json > s; rows r.json > r
is "entries of vibrations" "$(wc -l < v)" 107
is "entries of stiff" "$(wc -l < s)" 145
if command -v python3 > /dev/null; then
  holds "JSON" python3 -c 'import json; json.load(open("v.json")); json.load(open("s.json")); json.load(open("r.json"))'
fi

echo "# vibrations"
is "agree" "$(count v 'verdict == "agrees"')" 40
is "by formula" "$(count v 'verdict == "by formula"')" 14
is "truncated" "$(count v 'verdict == "truncated"')" 6
is "predictor" "$(count v 'verdict == "predictor"')" 2
is "round-off" "$(count v 'verdict == "round-off"')" 4
is "not printed" "$(count v 'verdict == "-"')" 41
is "micro-steps, all exact, and by formula" "$(count v 'col == "micro-steps" && computed == published && verdict == "by formula"')" 14
is "what the library took stands beside them" "$(sed -n 's/.*"column": "micro-steps".*"computed": \([^,]*\),.*"taken": \([0-9]*\),.*/\1 \2/p' v.json |
  awk '{ d = $2/$1 - 1; n += d > -0.1 && d < 0.2 && d != 0 } END { print n + 0 }')" 14
is "nowhere else" "$(grep -c '"taken": [0-9]' v.json)" 14
is "table 2.1, w = 1e4 and 1e6, with the printed predictor" "$(count v 'table == "2.1" && col ~ /1e[46]/ && verdict == "agrees"')" 6
# tables 2.2 and 2.3 and the averaged column against values of extended precision
is "within 1e-5 of the reference" "$(awk -F'|' "$off"' { computed = $5; reference = $7 }
  (($1 == "2.2" || $1 == "2.3") && $3 ~ /^w=/ || $1 == "2.2" && $3 == "averaged") && off() < 1e-5 { n++ } END { print n + 0 }' v)" 32
is "table 2.1 and its variants, w = 1e4 and 1e6" "$(awk -F'|' "$off"' { computed = $5; reference = $7 }
  $1 ~ /^2.1/ && $3 ~ /1e[46]$/ && off() < 1e-6 { n++ } END { print n + 0 }' v)" 24
is "table 2.1, w = 1e8" \
  "$(awk -F'|' "$off"' { computed = $5; reference = $7 } $1 == "2.1" && $3 == "w=1e8" && off() < 1e-5 { n++ } END { print n + 0 }' v)" 4
# the variants against the printed entries: the quadratic predictor has all eight, phase 0 has four
for pair in 2.1-alpha:8 2.1-theta0:4; do
  is "${pair%:*} rounds to the printed table 2.1" "$(awk -F'|' -v name="${pair%:*}" '
    $1 == "2.1" { published[$2 $3] = $6 }
    $1 == name { p = published[$2 $3]; if (sprintf("%.2e", $5) + 0 == p + 0) n++ } END { print n + 0 }' v)" "${pair#*:}"
done

is "the vibrated pendulum is 20/w to 26/w from the averaged one" "$(count v 'table == "distance" && computed > 20 && computed < 26')" 3

echo "# vibrations: the double pendulum"
is "q1 against the limit problem" \
  "$(awk -F'|' "$off"' { computed = $5; reference = $7 } $1 == "double-pendulum" && $3 == "q1" && off() < 0.006 { n++ } END { print n + 0 }' v)" 5
is "order 2 in both angles" \
  "$(awk -F'|' '$1 == "double-pendulum" && $3 ~ /^q/ { if (last[$3] > 0 && last[$3]/$5 > 3.6 && last[$3]/$5 < 4.2) n++; last[$3] = $5 } END { print n }' v)" 8
is "w = 1e6 is w = 1e8" "$(count v 'table == "double-pendulum-w" && col ~ /1e6/ && computed > 5e-4 && computed < 3e-3')" 6
is "w = 1e4 is not" "$(count v 'table == "double-pendulum-w" && col ~ /1e4/ && computed > 0.08 && computed < 0.31')" 6

echo "# stroboscopic"
is "printed errors" "$(count r 'published != "null" && col ~ /^eps=/')" 63
is "agree" "$(count r 'verdict == "agrees" && col ~ /^eps=/')" 54
is "labelled" "$(count r 'verdict == "inexact"')" 9
is "no other verdict" "$(count r 'verdict != "agrees" && verdict != "inexact" && verdict != "-"')" 0
is "micro-steps, all exact" "$(count r 'published != "null" && col == "micro-steps" && computed == published && verdict == "agrees"')" 12
is "within 1e-4 of the reference" \
  "$(awk -F'|' "$off"' { computed = $5; reference = $7 } $6 != "null" && $3 ~ /^eps=/ && off() < 1e-4 { n++ } END { print n + 0 }' r)" 63
is "the figures: direct and by strobe" \
  "$(awk -F'|' "$off"' { computed = $5; reference = $7 } $1 == "dae" && reference != "null" && off() < 0.003 { n++ } END { print n + 0 }' r)" 16
is "work by strobe does not know eps, direct work does" \
  "$(awk -F'|' '$1 == "dae" && $3 ~ /micro/ { w[$2 $3] = $5 } END { for (n = 4; n <= 32; n *= 2) {
  r = "n=" n "eps=1e-"; s = " strobe, micro-steps"; d = " direct, micro-steps"
  k += w[r 4 s] == w[r 6 s] && w[r 4 s] == 2400*n && w[r 6 d] == 100*w[r 4 d] } print k }' r)" 4
is "the figure over H: third order where H counts" \
  "$(awk -F'|' '$1 == "dae-H" && $3 == "n=32" { e[$2] = $5 } END { a = e["H=pi/625"]/e["H=pi/1250"]; print (a > 5 && a < 8) + (e["H=pi/2500"] > e["H=pi/5000"]) }' r)" 2
# rounding shows in the last row alone
is "within 2e-5 above the last row" \
  "$(awk -F'|' "$off"' { computed = $5; reference = $7 } $6 != "null" && $3 ~ /^eps=/ && off() < 2e-5 { n++ } END { print n + 0 }' r)" 61

echo "# stiff"
is "agree" "$(count s 'verdict == "agrees"')" 62
is "table 1: agree" "$(count s 'table == "1" && verdict == "agrees"')" 46
is "table 1: labelled" "$(count s 'table == "1" && (verdict == "truncated" || verdict == "misprint")')" 3
is "table 2: HMM counts, exact" "$(count s 'table == "2" && col ~ /^HMM (acc|ref)/ && computed == published && verdict == "agrees"')" 14
is "table 2: direct counts" "$(count s 'verdict == "rounding-chaos"')" 14
is "table 2: seconds" "$(count s 'verdict == "machine"')" 14
is "case (ii)" "$(count s 'table == "ii" && verdict == "agrees"')" 2
is "case (iii)" "$(count s 'table == "iii" && verdict == "accident" && computed > 0.03585 && computed < 0.03595')" 1
is "within 1e-4 of the reference" \
  "$(awk -F'|' "$off"' { computed = $5; reference = $7 } ($1 == "1" || $1 ~ /^ii/ && $1 !~ /w/) && off() < 1e-4 { n++ } END { print n + 0 }' s)" 52
# the ensembles against larger ones, made elsewhere: means of 24 and 40 runs
is "ensemble means" \
  "$(awk -F'|' "$off"' { computed = $5; reference = $7 } $4 == "rounding-chaos" && off() < 0.02 { n++ } END { print n + 0 }' s)" 14
# 0.0359 stands alone: with the kernel of the paper the error jumps about, with less bias it is 0.16 to 0.17 at every w
is "over w, as printed" "$(count s 'table == "iii-w" && col == "exp5, as printed" && row != "w=500" && computed > 2.4*0.0359')" 6
is "over w, less bias" "$(count s 'table == "iii-w" && col == "kaiser, rtol 1e-7" && computed > 0.155 && computed < 0.175')" 7
is "over w, against the reference" \
  "$(awk -F'|' "$off"' { computed = $5; reference = $7 } $1 == "iii-w" && reference != "null" && off() < 0.02 { n++ } END { print n + 0 }' s)" 14

# with one vanishing moment only the fast motion itself is left at every w2
is "kernel without the bias" "$(count s 'table == "1-kaiser" && computed*substr(row, 4) > 0.59 && computed*substr(row, 4) < 0.63')" 7
# Verlet alone with the micro-step: errors below those of the HMM with ode45, cheaper up to w2 = 1000
is "Verlet alone is closer" \
  "$(awk -F'|' '$1 == "1" && $3 == "ode45" { hmm[$2] = $5 } $1 == "1-verlet" && $3 == "error" && $5 < hmm[$2]/3 { n++ } END { print n + 0 }' s)" 7
is "and cheaper for small w2" \
  "$(awk -F'|' '$1 != "1-verlet" { next } $3 == "evaluations" { v[$2] = $5 } $3 ~ /HMM/ && v[$2] < $5 { n++ } END { print n + 0 }' s)" 3
is "eleven times dearer at w2 = 20000" \
  "$(awk -F'|' '$1 != "1-verlet" { next } $3 == "evaluations" { v[$2] = $5 } $3 ~ /HMM/ && $2 == "w2=20000" { r = v[$2]/$5; print (r > 11 && r < 11.5) }' s)" 1
is "case (ii), exact" \
  "$(count s 'table == "ii-exact" && (col == "velocities" && computed > 19.3505 && computed < 19.3515 || col == "positions" && computed > 0.0411 && computed < 0.0412)')" 2

echo "# text"
"$e" reproduce > o; holds "list" test $? -eq 0
holds "papers" has o '^vibrations: '; holds "tables" has o '^  2.3 .* 24 entries'
"$e" reproduce vibrations 2.3 > o; holds "one table" test $? -eq 0
holds "columns" has o '^ *published *computed *verdict *flow$'
holds "an entry, with its flow" has o \
  'H=1/10 .*w=1e3 .*3.86e-1  3.86452e-1 .*agrees .*verlet(hmm(verlet, kernel=box, periods=1, steps=10, even=1)) on inverted-pendulum(w=1e3), steps of 0.1 to 1$'
holds "labels with their reason" has o '^  truncated: H=1/10 w=1e8, .*: cut off after the printed digits'
holds "summary" has o '^vibrations: 24 printed entries: 15 agree, 9 labelled (4 by formula, 5 truncated), 0 differ. [0-9.]* s$'
# the text of a row is what makes the number: the same run through `run`
"$e" run 'inverted-pendulum(w=1e4)' --flow 'verlet(hmm(verlet, kernel=box, periods=1, steps=10, even=1))' --step 0.1 --end 1 --every 0.1 \
  --out a.csv --quiet
"$e" run averaged-pendulum --flow 'substeps(symmetric(verlet, order=8), 50)' --step 0.1 --end 1 --every 0.1 --out b.csv --quiet
paste -d, a.csv b.csv > ab
holds "the same by hand" awk -F, -v want="$(awk -F'|' '$1 == "2.3" && $2 == "H=1/10" && $3 == "w=1e4" { print $5 }' v)" \
  'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "q") c[++k] = i }
  NR > 1 { d = $c[1] - $c[2]; if (d < 0) d = -d; if (d > m) m = d } END { d = m/want - 1; exit !(NR == 12 && d*d < 1e-18) }' ab

echo "# damaged data"
v=$SOURCE/papers/vibrations.csv s=$SOURCE/papers/stiff.csv
"$e" reproduce vibrations --data "$v" --json > o; holds "the file is what is built in" test $? -eq 0
rows o > o.rows; holds "the same numbers" cmp v o.rows
# corrupt TABLE ROW COLUMN FROM TO: one published number changed
corrupt() { awk -v key="$1,$2,$3,$4," -v to="$1,$2,$3,$5," \
  'index($0, key) == 1 { $0 = to substr($0, length(key) + 1); n++ } { print } END { exit n != 1 }' "$v" > bad.csv; }
flips() {
  holds "found: $*" corrupt "$@"
  "$e" reproduce vibrations --data bad.csv --json > o; holds "exit 1: $*" test $? -eq 1
  rows o > o.rows
  is "one differs: $*" "$(count o.rows "verdict == \"differs\" && table == \"$1\" && row == \"$2\" && col == \"$3\"")" 1
  is "no other: $*" "$(count o.rows 'verdict == "differs"')" 1
  holds "counted: $*" has o '"differ": 1,'
}
flips 2.2 H=1/20 w=1e6 1.07e-1 1.08e-1
flips 2.2 H=1/20 w=1e6 1.07e-1 1.06e-1
flips 2.3 H=1/40 micro-steps 800 801
flips 2.3 H=1/80 averaged 4.72e-3 4.70e-3
# a label is no blank cheque
flips 2.3 H=1/80 w=1e8 6.71e-3 6.70e-3
flips 2.1 H=1/80 w=1e4 4.76e-3 4.78e-3
flips 2.1 H=1/40 w=1e8 2.61e-2 2.51e-2
corrupt 2.2 H=1/20 w=1e6 1.07e-1 1.08e-1
"$e" reproduce vibrations 2.2 --data bad.csv > o; holds "exit 1 as text" test $? -eq 1
holds "told" has o 'H=1/20  w=1e6 *1.08e-1  1.07180e-1 *differs '
holds "summed up" has o '14 agree, 5 labelled (4 by formula, 1 truncated), 1 differ\.'
"$e" reproduce vibrations 2.3 --data bad.csv > o; holds "the other tables are well" test $? -eq 0
# a flow that cannot work is told in its own words, and counts
sed 's/"verlet(hmm(verlet, kernel=box, periods=1, steps=20, even=1))",1\/20,1,averaged/"verlet(hmm(verlt))",1\/20,1,averaged/' "$v" > \
  bad.csv
"$e" reproduce vibrations 2.3 --data bad.csv > o; holds "exit 1" test $? -eq 1
holds "failed" has o ' failed '; holds "in words" has o 'did you mean verlet'
holds "counted" has o ' 4 differ\.'
sed 's/^ii,w1=500,velocities,19.341/ii,w1=500,velocities,19.342/' "$s" > bad.csv
"$e" reproduce stiff ii --data bad.csv > o; holds "stiff, exit 1" test $? -eq 1; holds "one of two" has o '1 agree, 0 labelled, 1 differ'

echo "# wrong requests"
says 2 'did you mean vibrations' reproduce vibration
says 2 'lists them' reproduce zzzzzz
says 2 'has no table' reproduce vibrations 9.9
says 2 'at most' reproduce vibrations 2.1 2.2
says 2 'figures needs the name of a paper' reproduce --figures .
says 2 'name of its paper' reproduce --data "$v"
says 2 'holds the paper stiff' reproduce vibrations --data "$s"
says 2 'cannot be read' reproduce vibrations --data nothing.here
says 2 'cannot be read' reproduce vibrations --data .
: > empty.csv; says 2 'holds no paper' reproduce vibrations --data empty.csv
head -c 100 /dev/zero > zero.csv; says 2 'cannot be read' reproduce vibrations --data zero.csv
n=$(grep -n '^2.1,H=1/10,w=1e6,' "$v" | cut -d: -f1)
sed 's/,measure,/,meassure,/' "$v" > bad.csv; says 2 "no column 'measure'" reproduce vibrations --data bad.csv
sed "${n}s/error-q/error-x/" "$v" > bad.csv; says 2 "line $n: there is no measure 'error-x'" reproduce vibrations --data bad.csv
sed "${n}s/,1e-3,/,-1e-3,/" "$v" > bad.csv; says 2 "line $n: .*not positive" reproduce vibrations --data bad.csv
sed "${n}s/4.08e-1/4.o8e-1/" "$v" > bad.csv; says 2 "line $n: this is no number: '4.o8e-1'" reproduce vibrations --data bad.csv
sed "${n}s/,1\/10,1,/,,1,/" "$v" > bad.csv; says 2 "line $n: a number is missing in column 'step'" reproduce vibrations --data bad.csv
sed "${n}s/^2.1/2.7/" "$v" > bad.csv; says 2 "line $n: .* table '2.7'" reproduce vibrations --data bad.csv
sed "${n}s/.*/2.1,H=1\/10/" "$v" > bad.csv; says 2 "line $n: the row is broken or too short" reproduce vibrations --data bad.csv
sed "${n}s/\"/ /" "$v" > bad.csv; says 2 "line $n" reproduce vibrations --data bad.csv
sed 's/,truncated,/,shortened,/' "$v" > bad.csv; says 2 "there is no verdict 'shortened'" reproduce vibrations --data bad.csv
sed 's/,predictor,0.004,/,predictor,,/' "$v" > bad.csv; says 2 "a number is missing in column 'within'" reproduce vibrations --data bad.csv
sed 's/,24,/,2.5,/' "$s" > bad.csv; says 2 'members is not a whole number' reproduce stiff --data bad.csv

counted
