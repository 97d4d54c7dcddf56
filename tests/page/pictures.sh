#!/bin/bash
# holds: --plot and --report of every model hold the numbers of the rows, also after an interruption
# pictures.sh - --plot and --report of every model; what they hold is what the rows say; also after an interruption
# label: long   label: once   cost: 28
set -u
. "$(dirname "$0")/../common/command.sh"
refused() { # "WORDS" ARGUMENT...
  local words=$1
  shift
  "$e" "$@" >out 2>err
  local got=$?
  [ $got = 2 ] && grep -qF -- "$words" err || bad "'$*' ends with $got and says '$(tail -n 1 err)', not '$words'"
}

# ---- every model: a drawing with panels, a page with tables and figures ----
models=$("$e" list models --json | grep -o '"name": "[^"]*"' | cut -d'"' -f4)
[ "$(echo "$models" | wc -l)" -ge 27 ] || bad "only $(echo "$models" | wc -l) models"
for m in $models; do
  "$e" run "$m" --plot "$m.svg" --report "$m.html" --out "$m.csv" --quiet 2>err || { bad "$m fails: $(tail -n 1 err)"; continue; }
  curves=$(grep -c '<path' "$m.svg")
  [ "$curves" -ge 2 ] || bad "$m.svg has $curves curves"
  [ "$(grep -c '<figure class="plot"' "$m.html")" -ge 2 ] || bad "$m.html has no figures"
  grep -q '<table class="results">' "$m.html" && grep -q '<table class="tree">' "$m.html" || bad "$m.html lacks its tables"
  grep -q 'NaN\|-nan' "$m.svg" && bad "$m.svg has what is no number"
done

# ---- the pictures know nothing that the rows do not know ----
if command -v python3 >/dev/null; then
  cat >look.py <<'EOF'
import base64, csv, json, math, re, struct, sys, xml.dom.minidom
def numbers(c):
    if "f32" not in c: return [c["base"]]*c["n"]
    raw = base64.b64decode(c["f32"])
    return [c["base"] + x for x in struct.unpack("<%df" % (len(raw)//4), raw)]
def data_of(page):
    found = re.search(r'<script type="application/json" id="epicycle-data">(.*?)</script>', open(page).read(), re.S)
    return json.loads(found.group(1)) if found else None
def compare(model):
    xml.dom.minidom.parse(model + ".svg")
    data = data_of(model + ".html")
    if not data: return 0
    rows = list(csv.reader(open(model + ".csv")))
    run = data["groups"][0]["runs"][0]
    kept = run["columns"][0]["n"]
    # of very many columns every second row is kept
    thin = 2 if len(rows[0]) > 300 and kept < len(rows) - 1 else 1
    if (kept - 1)*thin != len(rows) - 2: sys.exit("%s: %d rows kept of %d" % (model, kept, len(rows) - 1))
    for k, name in enumerate(rows[0]):
        c = run["columns"][k]
        if c["name"] != name: sys.exit("%s: column %s is called %s" % (model, name, c["name"]))
        want = [float(r[k]) for r in rows[1::thin]]
        have = numbers(c)
        # angles go on where the rows begin again
        turn = {"rad": 2*math.pi, "deg": 360}.get(c["unit"])
        if turn: have = [h - turn*round((h - w)/turn) for h, w in zip(have, want)]
        reach = max(want) - min(want)
        worst = max(abs(a - b) for a, b in zip(want, have))
        if not worst <= 1e-7*reach + 2e-15*max(map(abs, want)): sys.exit("%s: %s is off by %g of %g" % (model, name, worst, reach))
    for p in data["groups"][0]["panels"]:
        for l in p["lines"]:
            if run["columns"][l["x"]]["n"] != run["columns"][l["y"]]["n"]:
                sys.exit("%s: %s has another length than its time" % (model, p["title"]))
    for s in (run["scene"] or {"shapes": []})["shapes"]:
        for key in ("at", "to", "attitude"):
            for c in s.get(key, []):
                if c["n"] != kept: sys.exit("%s: %s has %d places" % (model, s["name"], c["n"]))
    return 1 if run["scene"] else 0
if __name__ == "__main__":
    seen = [compare(m) for m in sys.argv[1:]]
    print(len(seen), "models,", sum(seen), "with a scene")
EOF
  python3 look.py $models >seen || bad "what the pictures show is not what the rows say"
  cat seen
  if grep -q 'id="epicycle-data"' kepler.html; then
    [ "$(awk '{ print $3 }' seen)" -ge 24 ] || bad "too few models show themselves: $(cat seen)"
  fi
fi

# ---- what a picture is about ----
"$e" run kepler --tol 1e-8 --plot steps.svg --quiet || bad "a plot with a tolerance fails"
grep -q 'length of the steps' steps.svg || bad "chosen steps are not drawn"
grep -q 'length of the steps' kepler.svg && bad "fixed steps are drawn"
"$e" run magnetic-pendulum --flow 'scaled(verlet, power=0.5, eps=0.001)' --end 5 --plot own.svg --quiet || bad "a plot of scaled fails"
grep -q 'length of the steps' own.svg || bad "steps in a time of their own are not drawn"
"$e" run inverted-pendulum w=1000 --flow 'verlet(hmm(verlet, kernel=box, even=1))' --end 1 --plot slow.svg --out slow.csv --quiet ||
  bad "a plot of hmm fails"
grep -q 'fast-v' slow.svg || bad "the oscillating solution is not behind the slow one"
grep -q 'fast-v' slow.csv && bad "nobody asked for the oscillating solution in the rows"

# ---- what is faster than the rows is a band, and the band is what the steps did; what is not is a line ----
grep -q "class='band'" van-der-pol.svg || bad "van-der-pol.svg joins rows that are periods apart"
grep -q "faster than the rows" van-der-pol.svg || bad "van-der-pol.svg does not say that it shows bands"
grep -q "class='band'\|faster than the rows" pendulum.svg && bad "pendulum.svg has bands though its rows show everything"
[ "$(grep -o "[0-9]c[-0-9]" pendulum.svg | wc -l)" -gt 100 ] || bad "pendulum.svg has no curves"
"$e" run van-der-pol --every 0 --out steps.csv --quiet || bad "all steps of van-der-pol fail"
"$e" run bounce --every 0 --step 0.01 --end 100 --out all.csv --report all.html --quiet || bad "all steps of bounce fail"
"$e" run rotor --step 6 --end 1e4 --force --report lost.html --plot lost.svg --quiet 2>/dev/null && bad "a run that blows up does not fail"
grep -qw 'NaN\|nan\|inf' <(sed '/<script/,$d' lost.html) lost.svg && bad "a failed run has what is no number"
grep -q '<p class="failure"><strong>failed' lost.html && grep -q '<td class="failed">' lost.html ||
  bad "a failed run does not look failed"
grep -q 'energy error, m²/s²</th>' kepler.html && grep -q 'laplace-x error, absolute</th>' kepler.html || bad "errors have no unit"
cat >compare.yaml <<'Y'
report: compare.html
compare: short
runs:
  - {name: long, model: pendulum, step: 0.2, end: 10}
  - {name: short, model: pendulum, step: 0.05, end: 10}
  - {name: plain, model: inverted-pendulum, parameters: {w: 1000}, flow: verlet, step: 1e-4, end: 0.5}
  - {name: averaged, model: inverted-pendulum, parameters: {w: 1000}, flow: 'verlet(hmm(verlet, kernel=box, even=1))', step: 0.02, end: 0.5}
Y
"$e" run compare.yaml --quiet >/dev/null || bad "runs that are compared fail"
if command -v python3 >/dev/null && grep -q 'id="epicycle-data"' kepler.html; then
  cat >bands.py <<'EOF'
from look import *
def runs(page, g=0): return data_of(page)["groups"][g]["runs"]
def ways(c):
    return ["-"] + [w for w, n in re.findall(r"([a-z])(\d+)", c.get("way", "")) for _ in range(int(n))]
def named(run, name): return next(c for c in run["columns"] if c["name"] == name)
def rows_of(path):
    r = list(csv.reader(open(path)))
    return {name: [float(x[k]) for x in r[1:]] for k, name in enumerate(r[0])}
# every band holds what the steps did in its piece, and no more than they did there and in its neighbours
def check(page, path, column, least):
    run, steps = runs(page)[0], rows_of(path)
    t, c = numbers(run["columns"][0]), named(run, column)
    way, low, high = ways(c), iter(numbers(c["low"])), iter(numbers(c["high"]))
    reach, k, seen = max(steps[column]) - min(steps[column]), 0, [(0, 0)]
    for i in range(1, len(t)):
        here = [steps[column][k]]
        while k + 1 < len(steps["t"]) and steps["t"][k + 1] <= t[i] + 1e-7*t[-1]:
            k += 1
            here.append(steps[column][k])
        seen.append((min(here), max(here)))
    count = 0
    for i in range(1, len(t)):
        if way[i] != "b": continue
        a, b = next(low), next(high)
        count += 1
        about = seen[max(1, i - 1):i + 2]
        if a > seen[i][0] + 1e-6*reach or b < seen[i][1] - 1e-6*reach:
            sys.exit("%s: the band of %s at %g is too narrow" % (page, column, t[i]))
        if a < min(s[0] for s in about) - 1e-6*reach or b > max(s[1] for s in about) + 1e-6*reach:
            sys.exit("%s: the band of %s at %g is too wide" % (page, column, t[i]))
    if count < least: sys.exit("%s: only %d bands of %s" % (page, count, column))
check("van-der-pol.html", "steps.csv", "q", 800)
check("van-der-pol.html", "steps.csv", "v", 800)
check("all.html", "all.csv", "penetration", 5)
for c in runs("pendulum.html")[0]["columns"]:
    if c["name"] in ("q", "v") and "b" in ways(c): sys.exit("pendulum: %s has a band" % c["name"])
# an angle goes on
side = numbers(named(runs("bearing.html")[0], "whirl-side"))
if max(abs(b - a) for a, b in zip(side[1:], side[2:])) > 180: sys.exit("an angle jumps")
# what is compared has its difference; each run its colour
g = data_of("compare.html")["groups"]
p = [p for p in g[0]["panels"] if "difference from short" in p["title"]]
if len(p) != 1 or not p[0]["y"]["log"]: sys.exit("no panel of differences")
line = next(l for l in p[0]["lines"] if l["name"] == "long")
d = numbers(g[0]["runs"][line["run"]]["columns"][line["y"]])
cells = re.search(r'<th scope="row">long</th>((?:<td[^>]*>[^<]*</td>)+)', open("compare.html").read()).group(1)
told = float(re.findall(r">([^<]+)<", cells)[7])
if abs(d[-1] - told) > 0.01*told: sys.exit("the difference ends at %g, the table says %g" % (d[-1], told))
v = next(p for p in g[1]["panels"] if p["title"] == "v")
if [(l["look"], l["hue"]) for l in v["lines"]] != [("line", 0), ("line", 1)]: sys.exit("runs have not each their colour: %s" % v["lines"])
EOF
  python3 bands.py || bad "pictures that lie"
fi

# ---- many rows are thinned, the last one stays ----
"$e" run pendulum --step 0.001 --every 0 --end 20.0005 --out many.csv --report many.html --quiet || bad "many rows fail"
if command -v python3 >/dev/null && grep -q 'id="epicycle-data"' many.html; then
  python3 - <<'EOF' || bad "many rows are not thinned evenly"
import sys
from look import *
t = numbers(data_of("many.html")["groups"][0]["runs"][0]["columns"][0])
step = t[1] - t[0]
even = all(abs(b - a - step) < 1e-5 for a, b in zip(t[:-1], t[1:-1]))
sys.exit(not (2000 < len(t) <= 4097 and even and abs(t[-1] - 20.0005) < 1e-5))
EOF
fi

# ---- events: how many of each, the first and last times, and the first twenty ----
table() { sed -n "/<table class=\"$2\">/,/<\\/table>/p" "$1" | sed 's/&#8239;//g; s/<[^>]*>/ /g'; }
"$e" run kepler e=0.6 --flow 'at(at(tolerance(dop853, rtol=1e-10), of=y), of=x, direction=up)' --step 100 --end 100 --report events.html \
  --events events.csv --quiet || bad "a report with events fails"
table events.html event-kinds >kinds
for which in x y; do
  want=$(awk -F, -v which=$which '$2 == which { n++; last = $3; if (n == 1) first = $3 } END { printf "%s %d %.10g %.10g", which, n, first, last }' events.csv)
  [ "$(sed -n "/^ *$which /p" kinds | tr -s ' ' | sed 's/^ //; s/ $//')" = "$want" ] || bad "events of $which: $(cat kinds), not $want"
done
table events.html events >list
[ "$(grep -c ' up \| down ' list)" = 20 ] || bad "not twenty events in the page: $(cat list)"
grep -q "and $(($(wc -l <events.csv) - 21)) more: events.csv has all" list || bad "what is not listed is not told: $(tail -n 3 list)"
"$e" run kepler --report none.html --quiet || bad "a report without events fails"
grep -q '<table class="event' none.html && bad "events where nothing asks for them"

# ---- stopped and gone on, the page is that of a run that was never stopped ----
long='run kepler --flow at(symmetric(verlet,order=4),of=y) --step 0.00001 --end 60 --every 0.05'
whole() { sed -n '/id="epicycle-data"/,/<\/script>/p' "$1"; sed -n '/<table class="e[nv]/,/<\/table>/p' "$1"; }
"$e" $long --report one.html --quiet
"$e" $long --report two.html --quiet --checkpoint two.check --checkpoint-every 0.05 & pid=$!
while kill -0 $pid 2>/dev/null && [ ! -s two.check ]; do sleep 0.02; done
sleep 0.2
kill -TERM $pid 2>/dev/null
wait $pid
if [ $? = 0 ]; then echo "too fast here to be stopped"
else
  [ -s two.html ] && grep -q 'class="interrupted"' two.html || bad "an interrupted run leaves no page that says so"
fi
"$e" resume two.check --quiet || bad "resume fails"
whole one.html >one
whole two.html >two
[ "$(wc -l <one)" -gt 3 ] && cmp -s one two || bad "the page of a resumed run is another one"

# the steps of a flow with its own time are counted over the gap too
own='run magnetic-pendulum --flow scaled(verlet,power=0.5,eps=0.000004) --end 20'
"$e" $own --plot one.svg --quiet
"$e" $own --plot two.svg --quiet --checkpoint own.check --checkpoint-every 0.02 & pid=$!
while kill -0 $pid 2>/dev/null && [ ! -s own.check ]; do sleep 0.02; done
sleep 0.1
kill -TERM $pid 2>/dev/null
wait $pid
[ $? = 0 ] || "$e" resume own.check --quiet || bad "resume of scaled fails"
cmp -s one.svg two.svg || bad "the steps of a resumed run are drawn otherwise"
# Ctrl-C in the first of several, where the run to compare with was not reached
printf 'model: kepler\nstep: 1e-6\nend: 100\ncompare: b\nreport: cut.html\nruns:\n  - {name: a}\n  - {name: b}\n' >cut.yaml
soon=0.7 stopped TERM run cut.yaml --quiet 2>err
[ $? = 1 ] && [ -s cut.html ] && grep -q 'not run: b' err || bad "an interrupted file: $(cat err)"

# ---- columns of nothing: put away; forces of one joint in one picture ----
cat >flat.yaml <<'Y'
world:
  gravity: 9.81
  bodies:
    - {name: arm, mass: 1, inertia: 0.01, at: [0.5, 0, 0]}
    - {name: end, mass: 1, inertia: 0.01, at: [1.5, 0, 0]}
  joints:
    - {name: pivot, a: arm, hold: hinge, at: [0, 0, 0], axis: y, frame: ground}
    - {name: elbow, a: end, b: arm, hold: hinge, at: [1, 0, 0], axis: y, frame: ground}
end: 1
Y
"$e" run flat.yaml --tol 1e-6 --report flat.html --plot flat.svg --quiet || bad "a flat machine fails"
tr -d '\n' <flat.html | sed 's|<summary>|\n&|g' >folds
grep -q '^<summary>zero throughout, or rounding' folds || bad "columns of zeros are not put away"
for c in 'fy of pivot, elbow' pivot.torque elbow.torque; do
  grep '^<summary>zero throughout' folds | grep -q "<figcaption>[^<]*$c" || bad "$c, which is zero, is not put away"
  grep -q "$c" flat.svg && bad "$c, which is zero, is drawn"
done
grep -q "<figcaption>pivot.force, fx, fz</figcaption>" flat.html || bad "the forces of a joint are apart"
grep '^<summary>where it ended' folds | grep -q 'pivot.force' || bad "what is not zero is put away"

# ---- wrong names, places that cannot be written ----
refused "should end in .svg" run kepler --plot picture.png
refused "should end in .html" run kepler --report page.pdf
refused "--plot and --report must be different" run kepler --plot a.svg --report a.svg
refused "cannot write /nowhere/p.svg" run kepler --plot /nowhere/p.svg
refused "cannot write /nowhere/r.html" run kepler --report /nowhere/r.html
refused "the tolerance is 2" run kepler --tol 2
refused "the tolerance is -1" run kepler --tol -1
if [ -w /dev/full ]; then
  "$e" run kepler --report /dev/full --out kept.csv --quiet 2>err
  [ $? = 1 ] && grep -q 'cannot write /dev/full' err && [ "$(wc -l <kept.csv)" -gt 500 ] || bad "a full disk: $(cat err)"
  "$e" run kepler --plot /dev/full --quiet 2>err
  [ $? = 1 ] && grep -q 'cannot write /dev/full' err || bad "a full disk for a plot: $(cat err)"
fi
# what was there is replaced by a whole page or not at all
echo mine >old.html
(trap "" XFSZ; ulimit -f 8; "$e" run bearing --end 1e-4 --report old.html --quiet) >/dev/null 2>&1
[ "$(cat old.html)" = mine ] || bad "a page that could not be written replaces an old one"
exit $failed
