#!/bin/bash
# page.sh - the report in a real browser: plots, zoom, cursor, player, keys, themes, paper, a telephone; places against the rows
# label: long   label: plain
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
exec env CHROMIUM="$browser" node "$SOURCE/web/test/page.mjs" "$BUILD/web" "$dir"
