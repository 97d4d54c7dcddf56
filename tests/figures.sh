#!/usr/bin/env bash
# figures.sh EPICYCLE - the claims of the thesis: verdicts, numbers and bars, drawings, damaged data, and the page that shows them
#   figures.sh EPICYCLE table   prints the tables of docs/thesis.md
# label: slow   timeout: 200
set -u
e=$1
case $e in /*) ;; *) e=$PWD/$e ;; esac
: "${SOURCE:=$(cd "$(dirname "$0")/.." && pwd)}"
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
export LC_ALL=C

# the JSON has a claim on a line and a number on a line; made into C|table|place|verdict|claim|remark and
# E|computed|low|high|reference|within|meets|what, a bar inside the words as a tilde twice
lines() {
  sed -n -e 's/|/~~/g' \
    -e 's/^ *{"table": "\([^"]*\)", "place": "\([^"]*\)", "claim": "\([^"]*\)", "verdict": "\([^"]*\)", "remark": "\([^"]*\)".*/C|\1|\2|\4|\3|\5/p' \
    -e 's/^ *{"what": "\([^"]*\)".*"computed": \([^,]*\), "low": \([^,]*\), "high": \([^,]*\), "reference": \([^,]*\), "within": \([^,]*\), "meets": \([a-z]*\).*/E|\2|\3|\4|\5|\6|\7|\1/p' "$1"
}

# tables LINES LIST: the tables of the page; LIST is what `epicycle reproduce` prints
tables() {
  awk -F'|' '
    NR == FNR {
      if ($0 !~ /^  /) here = /^thesis: /
      else if (here) { n++; name[n] = $0; sub(/^ */, "", name[n]); sub(/ .*/, "", name[n]); title[n] = $0; sub(/^.* claims */, "", title[n]) }
      next
    }
    $1 == "C" { k++; table[k] = $2; head[k] = $3 " | " $5; word = $4 == "corrected" ? "true with a correction" : $4; tail[k] = "**" word "**" ($6 == "" ? "" : ": " $6) }
    # what rounding leaves has no digits
    $1 == "E" { tiny = $2 < 1e-6 && $2 > -1e-6 && $4 < 1e-5; x = $2 == "null" ? "-" : tiny ? "below " $4 : sprintf("%.3g", $2)
                cell[k] = cell[k] (cell[k] == "" ? "" : "; ") $8 ": " x }
    END {
      for (i = 1; i <= n; i++) {
        printf "\n### %s\n| where | claim | computed | verdict |\n|---|---|---|---|\n", title[i]
        for (j = 1; j <= k; j++) if (table[j] == name[i]) {
          row = "| " head[j] " | " cell[j] " | " tail[j] " |"
          gsub(/~~/, "\\|", row)
          print row
        }
      }
    }' "$2" "$1"
}
if [ "${2:-}" = table ]; then
  "$e" reproduce > list && "$e" reproduce thesis --json > t.json && lines t.json > t && tables t list
  exit
fi

passed=0 failed=0
holds() {
  local what=$1
  shift
  if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $what"; fi
}
has() { grep -q -e "$2" "$1"; }
is() { holds "$1: $2, not $3" test "$2" = "$3"; }
# says CODE PATTERN WORDS ...: that exit code, one sentence with the pattern
says() {
  local want=$1 pattern=$2 code
  shift 2
  "$e" "$@" > o 2> err; code=$?
  holds "exit $code, not $want, or no '$pattern' in '$(cat err)': epicycle $*" \
    test "$code" -eq "$want" -a "$(grep -c '^epicycle: ' err)" -eq 1 -a "$(grep -c -e "$pattern" err)" -eq 1
}
count() { awk -F'|' "$2 { n++ } END { print n + 0 }" "$1"; }

"$e" check pendulum --flow cvode > o 2>&1 && cvode=1 || cvode=0
echo "# all of it, and in time; cvode: $cvode"
start=$(date +%s)
"$e" reproduce thesis --json --figures drawn > t.json; holds "exit 0" test $? -eq 0
took=$(($(date +%s) - start))
echo "$took s"
holds "less than 25 s" test $took -lt 25
lines t.json > t
is "claims" "$(count t '$1 == "C"')" 43
is "numbers" "$(count t '$1 == "E"')" 125
is "false" "$(count t '$1 == "C" && $4 == "false"')" 3
is "true with a correction" "$(count t '$1 == "C" && $4 == "corrected"')" 11
is "true" "$(count t '$1 == "C" && $4 == "true"')" $((cvode ? 29 : 24))
is "need cvode" "$(count t '$1 == "C" && $4 == "not in this build"')" $((cvode ? 0 : 5))
is "numbers that miss their bars" "$(count t '$1 == "E" && $7 == "false"')" 0
is "numbers that meet them" "$(count t '$1 == "E" && $7 == "true"')" $((cvode ? 125 : 113))
is "numbers without a bar" "$(count t '$1 == "E" && $3 == "null" && $4 == "null"')" 0
is "corrections without words" "$(count t '$1 == "C" && ($4 == "corrected" || $4 == "false") && $6 == ""')" 0
if command -v python3 > /dev/null; then holds "JSON" python3 -c 'import json; json.load(open("t.json"))'; fi

echo "# against values found elsewhere in higher precision"
off='function off() { d = $2/$5 - 1; return d < 0 ? -d : d }'
is "numbers with such a value" "$(count t '$1 == "E" && $5 != "null"')" 62
awk -F'|' "$off"' $1 == "E" && $5 != "null" && !(off() <= $6) { print $8 ": " $2 ", not " $5 " within " $6 }' t
is "beyond their distance" "$(awk -F'|' "$off"' $1 == "E" && $5 != "null" && !(off() <= $6) { n++ } END { print n + 0 }' t)" 0
near=$(awk -F'|' "$off"' $1 == "E" && $5 != "null" && off() <= 1e-6 { n++ } END { print n + 0 }' t)
holds "as near as 1e-6: $near, at least 40" test "$near" -ge 40

echo "# what is said to be false"
holds "met2 at eps = 0.3" has t '^C|bounce|II table 1|false|'
holds "the ring" has t '^C|billiard|II fig 5|false|'
holds "adaptive steps where T alone is split" has t '^C|body|IV fig 2|false|'

echo "# drawings"
is "files" "$(ls drawn | wc -l)" 18
for f in drawn/*.svg; do
  holds "$f begins and ends" test "$(head -c 4 "$f")$(tail -n 1 "$f")" = "<svg</svg>"
  holds "$f: all is a number" test "$(grep -ciE "nan|[^a-z]inf[^a-z]" "$f")" -eq 0
  holds "$f: open and closed" test "$(grep -o '<text' "$f" | wc -l)" -eq "$(grep -o '</text>' "$f" | wc -l)"
  if command -v python3 > /dev/null; then holds "$f is XML" python3 -c 'import sys, xml.dom.minidom as d; d.parse(sys.argv[1])' "$f"; fi
done
# curves are what is drawn in tenths
curves() { grep -c "transform='scale(.1)'" "drawn/fig-$1.svg"; }
for pair in 1.1:2 2.7:2 2.8:2 2.9:2 2.10:2 I.1:5 III.1:3 III.2:3 III.3:3 III.4:3 IV.1:6 IV.2:6; do is "curves of ${pair%:*}" "$(curves "${pair%:*}")" "${pair#*:}"; done
[ $cvode = 1 ] && for pair in II.2:8 II.3:3 II.4:3 II.5:8 II.6:6 II.7:2; do is "curves of ${pair%:*}" "$(curves "${pair%:*}")" "${pair#*:}"; done
# one point of a drawing by hand: met1 at eps = 0.1 has 4095 steps and the error 0.169538
"$e" reproduce thesis bounce > o
holds "the point in the text" has o 'met1 at eps = 0.1, position error *0.169538'
"$e" reproduce thesis pendulum --figures again > o; holds "again" test $? -eq 0
holds "told where" has o '^the figures are in again$'
holds "the same bytes" diff -rq drawn again
says 2 'figures is reserved' reproduce vibrations --figures drawn
says 2 'figures is reserved' reproduce --figures drawn
says 1 'is not a folder' reproduce thesis pendulum --figures t.json
says 1 'cannot be made' reproduce thesis pendulum --figures nowhere/at/all

echo "# the page"
page=$SOURCE/docs/thesis.md
"$e" reproduce > list
tables t list > tables.md
sed -n '/^### /,/^## /p' "$page" | sed '/^## /d' > shown.md
only() { awk -F' [|] ' '/^[|] / { print $1 " | " $2 " | " $4 }' "$1"; }
if [ $cvode = 1 ]; then
  cmp -s <(sed '/^$/d' tables.md) <(sed '/^$/d' shown.md) || { echo "the numbers of docs/thesis.md differ in their digits (another machine may round otherwise):"; diff <(sed '/^$/d' tables.md) <(sed '/^$/d' shown.md) | head -n 6; }
  holds "claims and verdicts of docs/thesis.md are those of the command: tests/figures.sh build/epicycle table prints them" cmp -s <(only tables.md) <(only shown.md)
fi
is "claims on the page" "$(grep -c '^| [^w-]' shown.md)" 43
for f in II.2 III.4 IV.2; do
  holds "docs/thesis-$f.svg is shown" has "$page" "(thesis-$f.svg)"
  holds "docs/thesis-$f.svg is small" test "$(wc -c < "$SOURCE/docs/thesis-$f.svg")" -lt 60000
  [ $f = II.2 ] && [ $cvode = 0 ] && continue
  cmp -s "drawn/fig-$f.svg" "$SOURCE/docs/thesis-$f.svg" || echo "docs/thesis-$f.svg differs in its bits (another machine may round otherwise)"
  is "curves of docs/thesis-$f.svg" "$(grep -c "transform='scale(.1)'" "$SOURCE/docs/thesis-$f.svg")" "$(curves $f)"
done

echo "# damaged data"
c=$SOURCE/papers/thesis.csv
"$e" reproduce thesis pendulum --data "$c" --json > o; holds "the file is what is built in" test $? -eq 0
# a bar that is not met: the claim differs, whatever was expected
flips() {
  local from=$1 to=$2 table=$3
  sed "s/$from/$to/" "$c" > bad.csv
  holds "changed: $from" test "$(diff "$c" bad.csv | grep -c '^>')" -eq 1
  "$e" reproduce thesis "$table" --data bad.csv > o; holds "exit 1: $to" test $? -eq 1
  holds "one differs: $to" has o ', 1 differ[.;]'
  holds "which: $to" has o '<- misses its bar$'
}
flips 'end energy,ie,,,-1,-0.5,' 'end energy,ie,,,-1,-0.7,' pendulum
flips 'ratio most dT,body-T,body-TG,,,0.8,' 'ratio most dT,body-T,body-TG,,,0.6,' body
flips 'stops t,met2-0.3,,,4.4,4.7,' 'stops t,met2-0.3,,,4.6,4.7,' bounce
sed 's/# run ie: pendulum | euler-implicit/# run ie: pendulum | euler-implict/' "$c" > bad.csv
"$e" reproduce thesis pendulum --data bad.csv > o; holds "a flow that cannot work: exit 1" test $? -eq 1
holds "in words" has o 'did you mean euler-implicit'; holds "failed" has o '^    failed'
sed 's/# run return-printed: kepler | as printed: both/# run return-printed: kepler | as printed: neither/' "$c" > bad.csv
"$e" reproduce thesis density --data bad.csv > o; holds "no such recurrence: exit 1" test $? -eq 1; holds "in words" has o 'no such recurrence'
n=$(grep -n '^pendulum,fig 1.1' "$c" | cut -d: -f1) r=$(grep -n '^# run ie:' "$c" | cut -d: -f1)
sed 's/,measure,/,meassure,/' "$c" > bad.csv; says 2 "no column 'measure'" reproduce thesis --data bad.csv
sed "${n}s/end energy/end enthalpy/" "$c" > bad.csv; "$e" reproduce thesis pendulum --data bad.csv > o; holds "no such series: exit 1" test $? -eq 1
sed "${n}s/end energy/and energy/" "$c" > bad.csv; says 2 "line $n: there is no measure 'and energy'" reproduce thesis --data bad.csv
sed "${n}s/end energy/ratio end energy/" "$c" > bad.csv; says 2 "line $n: .over. is needed" reproduce thesis --data bad.csv
sed "${n}s/,true,/,mostly,/" "$c" > bad.csv; says 2 "line $n: there is no verdict 'mostly'" reproduce thesis --data bad.csv
sed "${n}s/,ie,/,iee,/" "$c" > bad.csv; says 2 "line $n: .*describes the run 'iee'" reproduce thesis --data bad.csv
sed "${n}s/,-1,-0.5,/,,,/" "$c" > bad.csv; says 2 "line $n: a bar is missing" reproduce thesis --data bad.csv
sed "${n}s/-0.5,/-o.5,/" "$c" > bad.csv; says 2 "line $n: this is no number: '-o.5'" reproduce thesis --data bad.csv
sed "${n}s/^pendulum/pendulums/" "$c" > bad.csv; says 2 "line $n: .* table 'pendulums'" reproduce thesis --data bad.csv
sed "${r}s/ | 0.1 | /  0.1 | /" "$c" > bad.csv; says 2 "line $r: .*four parts" reproduce thesis --data bad.csv
sed "${r}s/ | 0.1 | / | -0.1 | /" "$c" > bad.csv; says 2 "line $r: this is no step: '-0.1'" reproduce thesis --data bad.csv
sed "${r}s/148 steps/148 leaps/" "$c" > bad.csv; says 2 "line $r: this is no end: '148 leaps'" reproduce thesis --data bad.csv
sed "${r}s/ie: /ie /" "$c" > bad.csv; says 2 "line $r: a run is" reproduce thesis --data bad.csv
says 2 'has no table' reproduce thesis 9.9

echo "$passed checks passed, $failed failed"
[ $failed -eq 0 ]
