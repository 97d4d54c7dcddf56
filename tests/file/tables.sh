#!/usr/bin/env bash
# holds: tables in files are read with lines of any length and number, or refused
# tables.sh - tables in files: lines of any length, many lines, bytes that no text has; parameters of any length
# label: plain
# timeout: 60
set -u
: "${EPICYCLE:?the command}"
room=$(mktemp -d) && trap 'rm -rf "$room"' EXIT
cd "$room" || exit 1
failed=0 checks=0
check() { checks=$((checks + 1)); eval "$2" || { echo "tables: $1"; failed=$((failed + 1)); }; }
cat > push.yaml << 'Y'
world:
  gravity: 0
  tables: {tab: {of: s, unit: N, file: t.txt}}
  bodies: [{name: a, ball: 1, mass: 1}]
  loads: [{body: a, force: "tab(t)", along: x}]
flow: verlet
step: 0.01
end: 1
Y
speed() {
  "$EPICYCLE" run push.yaml --out rows.csv --quiet 2> err || return
  awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "a.vx") c = i } END { printf("%.6g", $c) }' rows.csv
}
blanks=$(printf '%*s' 300 '') zeros=$(printf '%0300d' 0)

# the force rises from 1 to 1000 N: what stands behind column 200 counts
printf '0 1\n1%s1000\n' "$blanks" > t.txt
check "a number far to the right" "[ \"\$(speed)\" = 500.5 ]"
printf '0 1\n1 %s1000\n' "$zeros" > t.txt
check "a number of 304 digits" "[ \"\$(speed)\" = 500.5 ]"
printf '0 1 # %s\n1 1.0e3 # %s' "$blanks" "$blanks" > t.txt
check "long comments, and no end of the last line" "[ \"\$(speed)\" = 500.5 ]"
printf '0 1\n1%s1000 7\n' "$blanks" > t.txt
check "a third number far to the right" "speed > told; grep -q 'line 2 of t.txt is not two numbers' err"
printf '0 1\n1 1000\n\0002 0\n' > t.txt
check "a zero byte" "speed > told; grep -q 't.txt holds a zero byte: write the table as plain text' err"

# the time of reading is that of the bytes: by the square of the lines this one takes minutes
awk 'BEGIN { for (i = 0; i < 400000; i++) printf("%.6f %d\n", 1e-6*i, i % 7) }' > t.txt
check "400000 lines" "\"$EPICYCLE\" check push.yaml > told 2> err"

# a parameter that is neither a number nor a formula
for value in nan "$(printf '%0100000d' 0 | tr 0 1)" "$(printf '%0100000d' 0 | tr 0 a)"; do
  printf "parameters: {m: '%s'}\nworld: {bodies: [{name: a, ball: 1, mass: m}]}\n" "$value" > m.yaml
  check "the parameter ${value:0:4}" "\"$EPICYCLE\" check m.yaml 2> err; [ \$? = 2 ] &&
    grep -q \"^epicycle: m.yaml:1: m: '${value:0:40}' is no number: write it as 0.05 or 1e-3\$\" err"
done

echo "tables: $checks checks, $failed failed"
exit $((failed > 0))
