#!/bin/bash
# pictures.sh - --plot and --report of every model; what they hold is what the rows say; also after an interruption
set -u
. "$(dirname "$0")/common/command.sh"
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
import base64, csv, json, re, struct, sys, xml.dom.minidom
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
    if kept != len(rows) - 1: sys.exit("%s: %d rows kept of %d" % (model, kept, len(rows) - 1))
    for k, name in enumerate(rows[0]):
        c = run["columns"][k]
        if c["name"] != name: sys.exit("%s: column %s is called %s" % (model, name, c["name"]))
        want = [float(r[k]) for r in rows[1:]]
        have = numbers(c)
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

# ---- stopped and gone on, the page is that of a run that was never stopped ----
long='run kepler --flow symmetric(verlet,order=4) --step 0.00001 --end 60 --every 0.05'
whole() { sed -n '/id="epicycle-data"/,/<\/script>/p' "$1"; sed -n '/<table class="ends">/,/<\/table>/p' "$1"; }
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
"$e" run cut.yaml --quiet 2>err & pid=$!
sleep 0.7
kill -TERM $pid
wait $pid
[ $? = 1 ] && [ -s cut.html ] && grep -q 'not run: b' err || bad "an interrupted file: $(cat err)"

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
