#!/bin/sh
# holds: rows and selected methods of every model are those of tests/golden/stored.txt
# golden.sh - rows and method selections of every model are those of tests/golden/stored.txt: a sample here, all of them in the leg `long`;
# and the comparison tells when they are not
# label: plain   cost: 20   thorough: all
set -u
: "${SOURCE:?the source folder}" "${BUILD:?the build folder}"
golden="python3 $SOURCE/tests/golden/golden.py"
python3 -c '' 2>/dev/null || { echo "golden: needs python3"; exit 77; }
sample=--sample
[ "${2:-}" = all ] && sample=
$golden check "$BUILD" $sample || exit 1
[ -n "$sample" ] || exit 0

# a number, a checksum and an evaluation that are wrong are found
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
sed 's/\(exact ...\)./\1x/; s/\(near -*[0-9.]*\)[0-9]/\100/; s/spent /spent 2/' "$SOURCE/tests/golden/stored.txt" > "$dir/stored.txt"
$golden check "$BUILD" --sample --stored="$dir/stored.txt" > "$dir/out" && { echo "FAILED: nothing is found to be wrong"; exit 1; }
for what in exact near spent; do grep -q "^  stored .*$what" "$dir/out" || { echo "FAILED: a wrong '$what' is not found"; exit 1; }; done
exit 0
