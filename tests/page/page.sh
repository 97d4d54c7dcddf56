#!/bin/bash
# holds: plots, cursor, player, keys and themes of the report work in a browser, and show the rows
# page.sh - the report in a real browser: plots, zoom, cursor, player, keys, themes, paper, a telephone; places against the rows
# label: long   label: plain
# cost: 76
set -u
epicycle=$1
skip() { echo "page: skipped, $*"; exit 77; }
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
  skip "there is no chromium: ./setup.sh check installs it"
command -v node >/dev/null || skip "there is no node: ./setup.sh check installs it with npm"
[ -s "$BUILD/page.js" ] || skip "the command was built without the script of reports: npm was missing or had no network"
[ -d "$BUILD/web/node_modules/playwright-core" ] || skip "playwright-core is not among the packages"
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1

cat >two.yaml <<'Y'
report: two.html
runs:
  - {name: long steps, model: pendulum, step: 0.4, end: 20}
  - {name: short steps, model: pendulum, step: 0.05, end: 20}
  - {name: balls, model: bearing, end: 0.001}
Y
"$epicycle" run bearing --end 0.02 --report bearing.html --out bearing.csv --quiet || exit 1
"$epicycle" run double-pendulum --report double.html --quiet || exit 1
"$epicycle" run pendulum --report pendulum.html --quiet || exit 1
"$epicycle" run two.yaml --quiet >/dev/null || exit 1
cat >three.yaml <<'Y'
report: three.html
compare: resolved
model: inverted-pendulum
parameters: {w: 1e6}
end: 1
runs:
  - {name: resolved, flow: 'symmetric(verlet, order=8)', step: 7.853981633974483e-07}
  - {name: hmm, flow: 'symmetric(verlet(hmm(symmetric(verlet, order=8), kernel=box, steps=4, even=1)))', step: 0.015625}
  - {name: strobe, flow: 'rk4(strobe(substeps(symmetric(verlet, order=8), 8), order=4))', step: 0.0078125}
Y
"$epicycle" run three.yaml --quiet >/dev/null || exit 1
"$epicycle" run pendulum --flow 'symmetric(verlet, order=8)' --step 0.01 --every 0.0617 --end 20 --out truth.csv --quiet || exit 1
"$epicycle" run pendulum --flow 'symmetric(verlet, order=8)' --step 0.01 --every 0.05 --end 20 --report sparse.html --quiet || exit 1
"$epicycle" run rotor --step 6 --end 1e4 --force --report lost.html --quiet 2>/dev/null && exit 1
exec env CHROMIUM="$browser" node "$SOURCE/web/test/page.mjs" "$BUILD/web" "$dir"
