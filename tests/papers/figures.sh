#!/usr/bin/env bash
# holds: the drawings of all papers have the published curves, and the verdicts on the thesis stand
# figures.sh EPICYCLE - the drawings of all papers, their curves read back as numbers; the claims of the thesis: verdicts, numbers and
# bars, damaged data, its page
#   figures.sh EPICYCLE table   prints the tables of docs/thesis.md
# label: slow
# cost: 110
set -u
. "$(dirname "$0")/../common/command.sh"

# the JSON has a claim on a line and a number on a line; made into C|table|place|verdict|claim|remark and
# E|computed|low|high|reference|within|meets|what|by|greatest, a bar inside the words as a tilde twice
lines() {
  sed -n -e 's/|/~~/g' \
    -e 's/^ *{"table": "\([^"]*\)", "place": "\([^"]*\)", "claim": "\([^"]*\)", "verdict": "\([^"]*\)", "remark": "\([^"]*\)".*/C|\1|\2|\4|\3|\5/p' \
    -e 's/^ *{"what": "\([^"]*\)".*"by": \(null\|"[^"]*"\), .*"greatest": \([^,]*\), "computed": \([^,]*\), "low": \([^,]*\), "high": \([^,]*\), "reference": \([^,]*\), "within": \([^,]*\), "meets": \([a-z]*\).*/E|\4|\5|\6|\7|\8|\9|\1|\2|\3/p' "$1"
}

# tables LINES LIST: the tables of the page; LIST is what `epicycle reproduce` prints
tables() {
  awk -F'|' '
    NR == FNR {
      if ($0 !~ /^  /) here = /^thesis: /
      else if (here) {
        n++; name[n] = $0; sub(/^ */, "", name[n]); sub(/ .*/, "", name[n])
        title[n] = $0; sub(/^.* claims */, "", title[n])
      }
      next
    }
    $1 == "C" {
      k++; table[k] = $2; head[k] = $3 " | " $5; word = $4 == "corrected" ? "true with a correction" : $4
      tail[k] = "**" word "**" ($6 == "" ? "" : ": " $6) }
    # what rounding leaves has no digits
    $1 == "E" { tiny = $2 < 1e-6 && $2 > -1e-6 && $4 < 1e-5; x = $2 == "null" ? "-" : tiny ? "below " $4 : sprintf("%.3g", $2)
                label = $9 == "\"formula\"" ? " (by formula)" : $10 != "null" ? " (chaotic)" : ""
                cell[k] = cell[k] (cell[k] == "" ? "" : "; ") $8 ": " x label }
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

is() { holds "$1: $2, not $3" test "$2" = "$3"; }
count() { awk -F'|' "$2 { n++ } END { print n + 0 }" "$1"; }

"$e" check pendulum --flow cvode > o 2>&1 && cvode=1 || cvode=0
echo "# all of it; cvode: $cvode"
"$e" reproduce thesis --json --figures drawn > t.json; holds "exit 0" test $? -eq 0
lines t.json > t
is "claims" "$(count t '$1 == "C"')" 43
is "numbers" "$(count t '$1 == "E"')" 125
is "false" "$(count t '$1 == "C" && $4 == "false"')" 1
is "not reproduced" "$(count t '$1 == "C" && $4 == "not reproduced"')" 2
is "by formula" "$(count t '$1 == "E" && $9 == "\"formula\""')" 5
is "chaotic" "$(count t '$1 == "E" && $10 != "null"')" 3
is "true with a correction" "$(count t '$1 == "C" && $4 == "corrected"')" 11
is "true" "$(count t '$1 == "C" && $4 == "true"')" $((cvode ? 29 : 24))
is "need cvode" "$(count t '$1 == "C" && $4 == "not in this build"')" $((cvode ? 0 : 5))
is "numbers that miss their bars" "$(count t '$1 == "E" && $7 == "false"')" 0
is "numbers that meet them" "$(count t '$1 == "E" && $7 == "true"')" $((cvode ? 125 : 113))
is "numbers without a bar" "$(count t '$1 == "E" && $3 == "null" && $4 == "null"')" 0
is "corrections without words" "$(count t '$1 == "C" && ($4 == "corrected" || $4 == "false" || $4 == "not reproduced") && $6 == ""')" 0
if command -v python3 > /dev/null; then holds "JSON" python3 -c 'import json; json.load(open("t.json"))'; fi

echo "# against values found elsewhere in higher precision"
off='function off() { d = $2/$5 - 1; return d < 0 ? -d : d }'
is "numbers with such a value" "$(count t '$1 == "E" && $5 != "null"')" 62
awk -F'|' "$off"' $1 == "E" && $5 != "null" && !(off() <= $6) { print $8 ": " $2 ", not " $5 " within " $6 }' t
is "beyond their distance" "$(awk -F'|' "$off"' $1 == "E" && $5 != "null" && !(off() <= $6) { n++ } END { print n + 0 }' t)" 0
near=$(awk -F'|' "$off"' $1 == "E" && $5 != "null" && off() <= 1e-6 { n++ } END { print n + 0 }' t)
holds "as near as 1e-6: $near, at least 40" test "$near" -ge 40

echo "# what is said to be false, and what another reading stood in for"
holds "met2 at eps = 0.3" has t '^C|bounce|II table 1|not reproduced|'
holds "the ring" has t '^C|billiard|II fig 5|not reproduced|'
holds "adaptive steps where T alone is split" has t '^C|body|IV fig 2|false|'

echo "# drawings of the thesis"
# well FOLDER: every drawing in it is XML, has axes with numbers, and nothing that is not a number
well() {
  for f in "$1"/*.svg; do
    holds "$f begins and ends" test "$(head -c 4 "$f")$(tail -n 1 "$f")" = "<svg</svg>"
    holds "$f: all is a number" test "$(grep -ciE "nan|[^a-z]inf[^a-z]" "$f")" -eq 0
    holds "$f: open and closed" test "$(grep -o '<text' "$f" | wc -l)" -eq "$(grep -o '</text>' "$f" | wc -l)"
    # a panel has a frame, names on two axes, and marks of both with numbers
    panels=$(grep -c '<clipPath' "$f")
    holds "$f: panels" test "$panels" -ge 1
    holds "$f: names of axes" test "$(grep -c 'rotate(-90)' "$f")" -eq "$panels"
    holds "$f: numbers" test "$(grep -c "text-anchor='end'" "$f")" -ge $((2*panels)) -a "$(grep -c "text-anchor='middle'" "$f")" -ge \
      $((4*panels))
    if command -v python3 > /dev/null; then holds "$f is XML" python3 -c 'import sys, xml.dom.minidom as d; d.parse(sys.argv[1])' "$f"; fi
  done
}
is "files" "$(ls drawn | wc -l)" 18
well drawn
# curves are what is drawn in tenths
curves() { grep -c "transform='scale(.1)'" "$1.svg"; }
# drawn FOLDER NAME:N ...: so many curves in each
drawn() {
  local folder=$1 pair
  shift
  for pair; do is "curves of $folder/${pair%:*}" "$(curves "$folder/${pair%:*}")" "${pair#*:}"; done
}
drawn drawn fig-1.1:2 fig-2.7:2 fig-2.8:2 fig-2.9:2 fig-2.10:2 fig-I.1:5 fig-III.1:3 fig-III.2:3 fig-III.3:3 fig-III.4:3 fig-IV.1:6 \
  fig-IV.2:6
[ $cvode = 1 ] && drawn drawn fig-II.2:8 fig-II.3:3 fig-II.4:3 fig-II.5:8 fig-II.6:6 fig-II.7:2
# one point of a drawing by hand: met1 at eps = 0.1 has 4095 steps and the error 0.169538
"$e" reproduce thesis bounce > o
holds "the point in the text" has o 'met1 at eps = 0.1, position error *0.169538'
"$e" reproduce thesis pendulum --figures again > o; holds "again" test $? -eq 0
holds "told where" has o '^the figures are in again$'
holds "told what" has o '^  fig-II.2 *a particle between two walls'
holds "told what not" has o '^  not drawn: figures 2.2 to 2.6: '
holds "the same bytes" diff -rq drawn again
holds "listed in the JSON" test "$(grep -c '{"file": "drawn/fig-[0-9IV.]*\.svg", "about": "' t.json)" -eq 18
says 2 'figures needs the name of a paper' reproduce --figures drawn
says 1 'is not a folder' reproduce thesis pendulum --figures t.json
says 1 'cannot be made' reproduce vibrations --figures nowhere/at/all
mkdir full && mkdir full/table-2.2.svg
says 1 'full/table-2.2.svg could not be written: make room' reproduce vibrations distance --figures full
if [ -c /dev/full ]; then
  mkdir disk && ln -s /dev/full disk/fig-2.2.svg
  says 1 'disk/fig-2.2.svg could not be written: make room' reproduce vibrations distance --figures disk
fi

echo "# drawings of the papers"
for p in vibrations stiff stroboscopic semi-explicit; do
  "$e" reproduce $p --json --figures $p > $p.json; holds "$p: exit 0" test $? -eq 0
  well $p
  for f in $p/*.svg; do holds "$f in the JSON" has $p.json "{\"file\": \"$f\", \"about\": \"[^\"]"; done
  if command -v python3 > /dev/null; then holds "$p: JSON" python3 -c 'import json, sys; json.load(open(sys.argv[1]))' $p.json; fi
done
is "files of vibrations" "$(ls vibrations | wc -l)" 8
is "files of stiff" "$(ls stiff | wc -l)" 9
is "files of stroboscopic" "$(ls stroboscopic | wc -l)" 12
is "files of semi-explicit" "$(ls semi-explicit | wc -l)" 9
drawn vibrations fig-2.1:4 fig-2.2:5 fig-2.3:7 fig-4.1:16 table-2.1:7 table-2.2:7 table-2.3:9 double-pendulum:2
drawn stiff fig-1:2 fig-2:3 fig-3:2 fig-4:2 fig-5:2 fig-6:2 table-1:11 table-2:3 case-iii:3
drawn stroboscopic fig-1:2 fig-2:3 fig-3:4 fig-4:4 fig-5:6 fig-6:2 fig-7:3 fig-8:0 fig-9:0 table-4-q:4 table-4-p:4 table-2-q:4
drawn semi-explicit fig-1:8 fig-2:3 fig-3:16 fig-4:3 fig-5:3 theorem-2:4
[ $cvode = 1 ] && drawn semi-explicit fig-6:6 fig-6-quiet:6 table-6.3:3
"$e" reproduce vibrations distance --figures twice > o; holds "exit 0" test $? -eq 0
holds "the same bytes" diff -rq vibrations twice
holds "measured orders are in the legend" has vibrations/table-2.2.svg '>&#969; = 1e6 (order 2.0)<'
holds "nothing tabulated: another table, another curve" test -n "$(
  sed 's/^2.3,H=1\/80,w=1e6,\(.*\)steps=80/2.3,H=1\/80,w=1e6,\1steps=40/' "$SOURCE/papers/vibrations.csv" > other.csv
  "$e" reproduce vibrations distance --data other.csv --figures other > o && diff -rq vibrations other)"

echo "# the numbers of the curves"
cat > curve.py <<'END'
# curve.py FILE PANEL: its curves as numbers, by the numbers at the marks of its axes
import math, re, sys, xml.etree.ElementTree as tree
def number(t):
    words = ''.join(t.itertext()).replace('\u2212', '-')
    power = t.find('{*}tspan')
    if power is None: return float(words)
    times, tens = (t.text.split('\u00b7')[0], power.text) if '\u00b7' in t.text else ('1', power.text)
    return float(times)*10.0**int(tens.replace('\u2212', '-'))
def scale(marks, unit):
    (a, u), (b, v) = marks[0], marks[-1]
    uneven = any(abs((w - u)/(v - u) - (p - a)/(b - a)) > 0.02 for p, w in marks[1:-1])
    log = u > 0 and v > 0 and (uneven or len(marks) == 2 and abs(math.log10(v/u)) >= 1)
    if log: return lambda p: math.exp(math.log(u) + (p - a)/(b - a)*math.log(v/u))
    return lambda p: (u + (p - a)/(b - a)*(v - u))*unit
class Panel: pass
def panels(file):
    out, x, y, units, before = [], [], [], [], None
    for e in tree.parse(file).getroot():
        kind, anchor = e.tag.split('}')[1], e.get('text-anchor')
        if kind == 'text' and before is not None and before.tag.endswith('path') and anchor in ('middle', 'end'):
            m = re.match(r'M([-\d.]+) ([-\d.]+)[vh]', before.get('d'))
            (x if anchor == 'middle' else y).append((float(m[1 if anchor == 'middle' else 2]), number(e)))
        elif kind == 'text' and anchor == 'middle':
            t = e.find('{*}tspan')
            units.append(10.0**int(t.text.replace('\u2212', '-')) if t is not None else 1)
        elif kind == 'g':
            p = Panel()
            p.x, p.y, p.paths, p.marks = scale(x, units[0]), scale(y, units[1]), [], {}
            for c in e: add(p, c)
            out.append(p)
            x, y, units = [], [], []
        before = e
    return out
def add(p, c):
    if c.tag.endswith('circle'):
        p.marks.setdefault((c.get('fill'), c.get('stroke')), []).append((p.x(float(c.get('cx'))), p.y(float(c.get('cy')))))
    elif c.get('transform'):
        at, path = [0, 0], []
        for m in re.finditer(r'([Mlv])(-?\d+)(?: ?(-?\d+))?', c.get('d')):
            a, b = int(m[2]), int(m[3] or 0)
            at = [a, b] if m[1] == 'M' else [at[0] + a, at[1] + b] if m[1] == 'l' else [at[0], at[1] + a]
            path.append((p.x(at[0]/10), p.y(at[1]/10)))
        p.paths.append(path)
def slope(c):
    X, Y = [math.log(p[0]) for p in c], [math.log(p[1]) for p in c]
    x, y = sum(X)/len(X), sum(Y)/len(Y)
    return sum((a - x)*(b - y) for a, b in zip(X, Y))/sum((a - x)**2 for a in X)
def at(c, t):
    for (a, u), (b, v) in zip(c, c[1:]):
        if a <= t <= b: return u if a == b else u + (v - u)*(t - a)/(b - a)
    return float('nan')
print(eval(sys.argv[3], {**globals(), 'p': panels(sys.argv[1])[int(sys.argv[2])], 'q': panels(sys.argv[1])}))
END
# reads WHAT FILE PANEL EXPRESSION VALUE WITHIN
reads() {
  local got
  got=$(python3 curve.py "$2.svg" "$3" "$4" 2>&1 | tail -n 1)
  holds "$1: $got, not $5 within $6" awk -v got="$got" -v want="$5" -v within="$6" \
    'BEGIN { d = got - want; exit !(got ~ /^-?[0-9]/ && d <= within && -d <= within) }'
}
if command -v python3 > /dev/null; then
  reads "order of HMM, table 2.3, w = 1e6" vibrations/table-2.3 0 'slope(p.paths[2])' 1.974 0.02
  reads "error at H = 1/20, table 2.1, w = 1e6" vibrations/table-2.1 0 'p.paths[1][2][1]' 0.10716 0.0005
  reads "micro-steps of table 2.2 at H = 1/80" vibrations/table-2.2 1 'p.paths[0][-1][0]' 128000 700
  reads "order of the double pendulum, q2" vibrations/double-pendulum 0 'slope(p.paths[1])' 1.98 0.03
  reads "q2 of the double pendulum at t = 0.5" vibrations/fig-4.1 2 'at(p.paths[0], 0.5)' -1.0591332 0.02
  reads "its second multiplier at t = 0.6" vibrations/fig-4.1 6 'at(p.paths[0], 0.6)' -0.2403468 0.02
  reads "its first multiplier at t = 0.5" vibrations/fig-4.1 4 'at(p.paths[0], 0.5)' -0.0735741 0.01
  reads "swing of the averaged pendulum" vibrations/fig-2.1 0 'max(y for x, y in p.paths[1])' 0.5525 0.002
  # (2.7): p - P = (vmax/l) sin(w t) sin Q, 20 sin 0.55 high at a turning point
  reads "swing of the velocity of the vibrated one" vibrations/fig-2.1 1 'max(y for x, y in p.paths[0])' 12.5 0.5

  reads "RK4 with w2 = 10000" stiff/table-1 0 'slope(p.paths[5][-3:])' 4.19 0.03
  reads "what is left at w2 = 200, H = 1/32" stiff/table-1 0 'p.paths[0][0][1]' 0.04806 0.0003
  reads "printed and computed, farthest of H = 1/4" stiff/table-1 1 \
    'max(abs(a[1]/b[1] - 1) for a, b in zip(p.marks[("none", "#e08214")], p.paths[1]))' 0 0.04
  reads "largest error in figure 6" stiff/fig-6 0 \
    'max(max(abs(a[0] - b[0]), abs(a[1] - b[1])) for k, c in (("#2166ac", 0), ("#e08214", 1)) for a, b in zip(p.marks[(k, None)][1:], p.paths[c][1:]))' 0.0359 0.001
  reads "in figure 5" stiff/fig-5 0 \
    'max(max(abs(a[0] - b[0]), abs(a[1] - b[1])) for k, c in (("#2166ac", 0), ("#e08214", 1)) for a, b in zip(p.marks[(k, None)][1:], p.paths[c][1:]))' 2.21 0.01
  reads "the averaged start of the hard spring" stiff/fig-4 0 'p.paths[0][0][1]' 1 0.001
  reads "direct steps at w2 = 20000" stiff/table-2 0 'p.paths[0][-1][1]' 351000 4000

  reads "RK4 by strobe, eps = 1/3200" stroboscopic/table-4-q 0 'slope(p.paths[3][-3:])' 3.88 0.02
  reads "differences of order 2 at eps = 1/400" stroboscopic/table-2-q 0 'p.paths[0][0][1]' 0.0267 0.0002
  reads "and eps = 1/800: a quarter" stroboscopic/table-2-q 0 'p.paths[0][0][1]/p.paths[1][1][1]' 4.04 0.05
  reads "direct work at eps = 1e-6 over 1e-4" stroboscopic/fig-8 0 \
    'p.marks[("none", "#b2182b")][0][0]/p.marks[("none", "#2166ac")][0][0]' 100 1
  reads "the flashes are on the interpolant" stroboscopic/fig-4 0 \
    'max(abs(at(p.paths[1], x) - y) for x, y in p.marks[("#b2182b", None)] if x < 0.99)' 0 0.004
  reads "and not where the solution is" stroboscopic/fig-4 0 \
    'min(0.05, max(abs(at(p.paths[1], x) - y) for x, y in p.paths[0] if x < 0.99))' 0.05 0
  reads "the smooth angle at t = 7 pi/25, eps = 1/200" stroboscopic/fig-4 0 'at(p.paths[1], 0.87965)' 0.085 0.01

  reads "theorem 2, beta = 1/2" semi-explicit/theorem-2 0 'slope(p.paths[0])' 2.0 0.03
  reads "beta = 0.8" semi-explicit/theorem-2 0 'slope(p.paths[2])' 1.02 0.04
  reads "corner of the region, measured" semi-explicit/fig-2 0 'max(abs(x + y/2 - 2) for x, y in p.marks[("#e08214", None)][:19])' 0 0.01
  reads "critical damping at h^2 k = 1" semi-explicit/fig-2 0 \
    'max(x for x, y in p.marks[("#e08214", None)] if 0.98 < y < 1.02 and x < 1.2)' 1 0.01
  reads "theta = 1/2 never damps" semi-explicit/fig-5 1 'max(y for x, y in p.paths[0] if x > 9)' 0.0203 0.0005
  reads "the method does" semi-explicit/fig-5 0 'max(abs(y) for x, y in p.paths[0] if x > 5)' 0.0003 0.0003
  reads "position of the method at t = 10, figure 3" semi-explicit/fig-3 1 'at(p.paths[0], 10)' 0.63165 0.01
  reads "balls are 9.525 mm" semi-explicit/fig-1 0 'max(x for x, y in p.paths[2]) - 23.0 - 9.525/2' 0 0.1
  if [ $cvode = 1 ]; then
    reads "load of the ball by BDF at 150 us" semi-explicit/fig-6 0 'at(p.paths[0], 1.5e-4)' 724.853 4
    reads "by the method" semi-explicit/fig-6 1 'at(p.paths[0], 1.5e-4)' 724.853 6
    reads "speed of the cage at 200 us" semi-explicit/fig-6 5 'at(p.paths[0], 2e-4)' 432.3637 0.3
    reads "quiet: load of its pocket at 200 us" semi-explicit/fig-6-quiet 3 'at(p.paths[0], 2e-4)' 10.7285 0.4
    reads "order of the method in its work" semi-explicit/table-6.3 0 'slope(p.paths[0])' -1.05 0.15
  fi
else echo "the numbers of the curves are not read: python3 is missing"
fi

echo "# the page"
page=$SOURCE/docs/thesis.md
"$e" reproduce > list
tables t list > tables.md
sed -n '/^### /,/^## /p' "$page" | sed '/^## /d' > shown.md
only() { awk -F' [|] ' '/^[|] / { print $1 " | " $2 " | " $4 }' "$1"; }
if [ $cvode = 1 ]; then
  cmp -s <(sed '/^$/d' tables.md) <(sed '/^$/d' shown.md) || {
    echo "the numbers of docs/thesis.md differ in their digits (another machine may round otherwise):";
      diff <(sed '/^$/d' tables.md) <(sed '/^$/d' shown.md) | head -n 6; }
  holds "claims and verdicts of docs/thesis.md are those of the command: tests/papers/figures.sh build/epicycle table prints them" \
    cmp -s <(only tables.md) <(only shown.md)
fi
is "claims on the page" "$(grep -c '^| [^w-]' shown.md)" 43
for f in II.2 III.4 IV.2; do
  holds "docs/thesis-$f.svg is shown" has "$page" "(thesis-$f.svg)"
  holds "docs/thesis-$f.svg is small" test "$(wc -c < "$SOURCE/docs/thesis-$f.svg")" -lt 60000
  [ $f = II.2 ] && [ $cvode = 0 ] && continue
  cmp -s "drawn/fig-$f.svg" "$SOURCE/docs/thesis-$f.svg" ||
    echo "docs/thesis-$f.svg differs in its bits (another machine may round otherwise)"
  is "curves of docs/thesis-$f.svg" "$(grep -c "transform='scale(.1)'" "$SOURCE/docs/thesis-$f.svg")" "$(curves drawn/fig-$f)"
done

echo "# the pictures of the other pages"
# FILE:PAGE, the file named by its paper
for pair in vibrations-table-2.2:findings stiff-case-iii:findings semi-explicit-6:findings vibrations-2.2:averaging stroboscopic-4:strobe \
            semi-explicit-2:semi semi-explicit-table-6.3:semi; do
  f=${pair%:*} paper=${pair%%-*}
  [ "$paper" = semi ] && paper=semi-explicit
  name=${f#"$paper"-}
  case $name in [0-9]*) name=fig-$name ;; esac
  holds "docs/$f.svg is shown" has "$SOURCE/docs/${pair#*:}.md" "]($f.svg)"
  holds "docs/$f.svg is small" test "$(wc -c < "$SOURCE/docs/$f.svg")" -lt 60000
  case $name in fig-6|table-6.3) [ $cvode = 0 ] && continue ;; esac
  cmp -s "$paper/$name.svg" "$SOURCE/docs/$f.svg" || echo "docs/$f.svg differs in its bits (another machine may round otherwise)"
  is "curves of docs/$f.svg" "$(curves "$SOURCE/docs/$f")" "$(curves "$paper/$name")"
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
"$e" reproduce thesis density --data bad.csv > o; holds "no such recurrence: exit 1" test $? -eq 1
holds "in words" has o 'no such recurrence'
n=$(grep -n '^pendulum,fig 1.1' "$c" | cut -d: -f1) r=$(grep -n '^# run ie:' "$c" | cut -d: -f1)
sed 's/,measure,/,meassure,/' "$c" > bad.csv; says 2 "no column 'measure'" reproduce thesis --data bad.csv
sed "${n}s/end energy/end enthalpy/" "$c" > bad.csv; "$e" reproduce thesis pendulum --data bad.csv > o
holds "no such series: exit 1" test $? -eq 1
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

counted
