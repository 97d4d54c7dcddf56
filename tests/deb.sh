#!/bin/bash
# deb.sh - Debian packages of the tarball: lintian finds no error, each has what belongs to it, and the command runs from them
# label: long
# cost: 200
set -eu
: "${SOURCE:?the source folder}" "${BUILD:?the build folder}"
for needed in dpkg-buildpackage dh lintian; do
  command -v $needed >/dev/null || { echo "deb: needs debhelper and lintian: ./setup.sh check installs them"; exit 77; }
done
git -C "$SOURCE" rev-parse --git-dir >/dev/null 2>&1 || { echo "deb: no repository here, of which a tarball is made"; exit 77; }
[ -s "$BUILD/page.js" ] || { echo "deb: the script of the reports was not built here: needs npm"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0
check() {
  local what=$1
  shift
  if "$@" >>"$dir/log" 2>&1; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $what"; fi
}
mkdir "$dir/build" "$dir/root"
cp "$BUILD/page.js" "$dir/build"
(cd "$SOURCE" && packaging/dist.sh "$dir/build" HEAD~0) >/dev/null
"$SOURCE/packaging/deb.sh" "$dir/build" >"$dir/said" 2>&1 || { cat "$dir/said"; exit 1; }
check "lintian found no error" sh -c "! grep '^E:' '$dir/said'"
cd "$dir/build/deb"
for package in epicycle libepicycle0 libepicycle-dev; do
  check "$package is there" test -f ${package}_*.deb
  dpkg -x ${package}_*.deb "$dir/root"
  dpkg-deb -c ${package}_*.deb | awk '{ print $6 }' >$package.list
done
check "the library alone in libepicycle0" sh -c "! grep -E '/(bin|include|man)/' libepicycle0.list"
check "headers in libepicycle-dev" grep -q 'usr/include/epicycle.h$' libepicycle-dev.list
check "no file in two packages" test -z "$(cat *.list | grep -v '/$' | sort | uniq -d)"
run=$dir/root/usr/bin/epicycle
cd "$dir"
check "it runs" "$run" run kepler --end 1 --report r.html --quiet
check "its reports are alive" test "$(wc -c <r.html)" -gt 500000
check "it finds what stands in an FMU" "$run" export kepler --fmu k.fmu
echo "$passed passed, $failed failed"
[ $failed = 0 ]
