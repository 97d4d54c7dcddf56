#!/usr/bin/env bash
# holds: the commands and examples of docs/averaging.md print the figures that it states
# averaging.sh - the page on averaging: its commands do what it says, its examples print its figures
# label: plain
set -u
: "${SOURCE:?the source folder}" "${BUILD:?the build folder}"
epicycle=$1
page=$SOURCE/docs/averaging.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$epicycle" "$work/bin/epicycle"
export PATH=$work/bin:$PATH
cd "$work" || exit 1
checks=0 failed=0
good() { checks=$((checks + 1)); }
bad() { checks=$((checks + 1)); failed=$((failed + 1)); echo "averaging: $*"; }

# refused lines end with 2, stopped ones with 1, each with a sentence
while IFS= read -r line; do
  expect=0
  case $line in *"# refused"*) expect=2 ;; *"# stops"*) expect=1 ;; esac
  got=0
  timeout 600 bash -c "${line%%#*}" >out 2>err </dev/null || got=$?
  if [ $got = $expect ]; then good; else bad "'$line' ends with $got, not $expect: $(tail -n 1 err)"; fi
  if [ $expect = 0 ]; then continue; fi
  if [ "$(wc -l <err)" = 1 ] && grep -q "^epicycle: " err; then good; else bad "'$line' says: $(cat err)"; fi
done < <(sed -n '/^```sh$/,/^```$/p' "$page" | grep '^epicycle ')

# says EXAMPLE TEXT: the example prints it
says() {
  "$BUILD/examples/$1" >out 2>&1 || bad "$1 fails: $(tail -n 1 out)"
  if grep -q -- "$2" out; then good; else bad "$1 does not say '$2': $(cat out)"; fi
}
says fast-velocity "0.041 in the positions, 19.3[0-9] in the velocities"
says large-swing "^ 3.016    0.004[0-9]   0.996[0-9] *-\?0.0000  *-\?0.0000     0.004[0-9]   0.996[0-9]"
says rod-as-spring "^    100    69[0-9]*   -0.9450[0-9]*    2e-03"
says rod-as-spring "^   1000    69[0-9]*   -0.9468[0-9]*    1e-05"
says matched-start "^    4000              2e-02    1e-04    [78]e-07"
says notch "^    4500 .* 6e-05   9[0-9]* *6e-05    5[0-9]*$"
says slow-time "^  100000 .* 8e-04      75.[0-9]$"

# --fast of matched starts is the oscillating solution
shaken() { epicycle run inverted-pendulum w=4000 --flow "$1" --step $2 --end 1 --every 0.25 --quiet "${@:3}" --out - 2>/dev/null; }
shaken 'symmetric(verlet, order=8)' 1e-4 >resolved
shaken 'project(dop853(hmm(symmetric(verlet, order=8), kernel=boxes, steps=16, match=2)))' 0.05 --fast >matched
if paste -d, matched resolved | awk -F, '
    NR > 1 { q = $7 - $10; v = $8 - $11; if (q*q > 4e-12 || v*v > 4e-6) bad = 1; n++ }
    END { exit bad || n != 5 }'
then good; else bad "--fast of match=2 differs from the resolved run: $(paste -d, matched resolved)"; fi

# what the page names is there
for file in $(grep -o '`\(examples\|tests\)/[a-z.-]*`' "$page" | tr -d '`' | sort -u); do
  if [ -e "$SOURCE/$file" ]; then good; else bad "the page names $file, which is not there"; fi
done
echo "$checks checks, $failed failed"
[ "$failed" = 0 ] && [ "$checks" -ge 20 ]
