#!/bin/bash
# holds: the output that README and docs show is what the commands print
# docs.sh - what the documentation shows is what happens
# label: plain
set -eu
epicycle=$1
cd "$(mktemp -d)"
failed=0
bad() { echo "docs: $*"; failed=1; }

# the table of methods is the one of this library
"$BUILD/examples/methods" >methods.md
cmp -s methods.md "$SOURCE/docs/methods.md" ||
  bad "docs/methods.md is not the output of build/examples/methods: run build/examples/methods > docs/methods.md"

# so is the page on which integrator to take; the counts of forces may differ by an iteration elsewhere
"$BUILD/examples/which" >which.md
counts() { awk -F'|' 'BEGIN { OFS = "|" } NF > 11 { $8 = "" } { print }' "$1"; }
[ "$(counts which.md)" = "$(counts "$SOURCE/docs/which.md")" ] ||
  bad "docs/which.md is not the output of build/examples/which: run build/examples/which > docs/which.md"
[ "$(grep -c '^| `' which.md)" -gt 25 ] || bad "docs/which.md has too few rows"

# the picture is drawn by the library of today
"$BUILD/examples/picture" >pendulum.svg
cmp -s pendulum.svg "$SOURCE/docs/pendulum.svg" || echo "docs: the picture differs in its bits (another machine may round otherwise)"
[ "$(grep -c '<path' pendulum.svg)" = 2 ] || bad "the picture has not two curves"

# the program of the README compiles, runs, and prints what stands below it
sed -n '/^```c$/,/^```$/p' "$SOURCE/README.md" | sed '1d;$d' >pendulum.c
[ "$(wc -l <pendulum.c)" -gt 8 ] || bad "no program in the README"
"$CC" -std=c11 -Wall -Wextra -Werror -ffp-contract=off pendulum.c -I"$SOURCE/include" -L"$BUILD" -lepicycle -Wl,-rpath,"$BUILD" \
  -lm -o pendulum
./pendulum >out
want=$(sed -n '/^q(100)/p' "$SOURCE/README.md")
[ "$(cut -c1-20 out)" = "$(printf '%s' "$want" | cut -c1-20)" ] || bad "the README says '$want', the program says '$(cat out)'"

# the model file of the README, under the name that stands in it
sed -n '/^```yaml$/,/^```$/p' "$SOURCE/README.md" | sed '1d;$d' >bounce.yaml
grep -q '^# bounce.yaml' bounce.yaml || bad "no model file in the README"

# every epicycle line in the documentation runs; where it is meant to be refused it is refused
cp "$SOURCE/examples/own-method.c" .
mkdir -p bin
ln -sf "$epicycle" bin/epicycle
export PATH=$PWD/bin:$PATH
n=0
while IFS= read -r line; do
  line=${line%%  #*}
  case $line in *symmetric\(rk4\)*) expect=2 ;; *) expect=0 ;; esac
  got=0
  timeout 600 bash -c "$line" >log 2>&1 </dev/null || got=$?
  [ $got = $expect ] || bad "'$line' ends with $got, not $expect: $(tail -n 1 log)"
  n=$((n + 1))
done < <(cat "$SOURCE/README.md" | sed -n '/^```sh$/,/^```$/p' | grep '^epicycle ')
[ $n -gt 4 ] || bad "only $n command lines found"

# every file the README points to exists
for file in $(grep -o '](\([a-zA-Z/._-]*\))' "$SOURCE/README.md" | tr -d '()]'); do
  [ -e "$SOURCE/$file" ] || bad "the README points to $file, which is not there"
done
# what they leave is there
for file in bounce.csv bounce.html bearing.svg orbit.svg mymodel.html drawn/fig-2.1.svg; do
  [ -s $file ] || bad "the README's commands leave no $file"
done
# a steel ball bounces: in half a second it is turned upward more than once
turned=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "ball.vz") k = i }
  NR > 2 && $k > 0 && last <= 0 { n++ } { last = $k } END { print n + 0 }' bounce.csv)
[ "$turned" -ge 2 ] ||
  bad "the ball of the README does not bounce"
for page in report own-models adiabatic; do
  while IFS= read -r line; do
    line=${line%%  #*}
    case $line in 'cc '*) line="$line -I$SOURCE/include" ;; esac
    timeout 600 bash -c "$line" >log 2>&1 </dev/null || bad "docs/$page.md: '$line' fails: $(tail -n 1 log)"
    n=$((n + 1))
  done < <(sed -n '/^```sh$/,/^```$/p' "$SOURCE/docs/$page.md" | grep '^epicycle \|^cc ')
done
# what the page of the command prints under a command is what that prints; "..." stands for any lines. Times
# differ, and so do the last digits and what is rounding; a run that somebody interrupts is left out
plain() { sed -E 's/[0-9.e-]+ s,/TIME s,/; s/[0-9.]+e-1[0-9]/TINY/g; s/([0-9]\.[0-9]{5})[0-9]+/\1/g; s/[[:space:]]+$//' "$1"; }
shown=0
answer() { # a command and what is to come
  timeout 600 bash -c "$1" >log 2>&1 </dev/null || :
  plain log >got
  plain wanted >want
  awk 'NR == FNR { got[++n] = $0; next }
    $0 == "..." { any = 1; next }
    !NF { next }
    { do { at++; while (at <= n && got[at] == "") at++ } while (any && at <= n && got[at] != $0)
      any = 0
      if (got[at] != $0) { print; exit } }' \
    got want >missing
  [ ! -s missing ] || bad "docs/command.md: '$1' does not print '$(cat missing)'"
  shown=$((shown + 1))
}
while IFS= read -r line; do
  case $line in
    BEGIN) command= ; : >wanted ;;
    END) [ -z "$command" ] || answer "$command" ;;
    '$ '*) [ -z "$command" ] || answer "$command"; command=${line#$ }; : >wanted ;;
    '    '*) case $command in *\\) command="${command%\\} $line" ;; *) echo "$line" >>wanted ;; esac ;;
    *) echo "$line" >>wanted ;;
  esac
done < <(awk '/^```$/ { if (inside) { if (text ~ /^\$ / && text !~ /\^C/) printf "BEGIN\n%sEND\n", text; inside = 0 } else { inside = 1; text = "" } next }
  /^```/ { inside = 1; text = "-"; next } inside { text = text $0 "\n" }' "$SOURCE/docs/command.md")
[ $shown -gt 8 ] || bad "only $shown commands with answers in docs/command.md"
# the example of the events
"$BUILD/examples/events" >log || bad "examples/events fails"
[ "$(grep -c 'outward' log)" = 6 ] || bad "examples/events finds other perihelia"
echo "$n command lines of the documentation ran, $shown answers compared"
exit $failed
