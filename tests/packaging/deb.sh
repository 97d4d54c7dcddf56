#!/bin/bash
# holds: Debian packages built of the tarball pass lintian, hold the right files, and run
# deb.sh - Debian packages of the tarball: lintian finds no error, each has what belongs to it, and the command runs from them
# label: long
# cost: 200
set -eu
: "${SOURCE:?the source folder}" "${BUILD:?the build folder}"
for needed in dpkg-buildpackage dh dh_python3 lintian; do
  command -v $needed >/dev/null || { echo "deb: needs debhelper, dh-python and lintian: ./setup.sh check installs them"; exit 77; }
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
for package in epicycle libepicycle0 libepicycle-dev python3-epicycle; do
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
check "it finds the papers" "$run" reproduce thesis rotor

# the Python of Debian, with the library of libepicycle0 and nothing of this source
check "no library of its own in python3-epicycle" sh -c "! grep -E '[.]so' '$dir/build/deb/python3-epicycle.list'"
check "it asks for the library of its own version" sh -c \
  "dpkg-deb -f '$dir'/build/deb/python3-epicycle_*.deb Depends | grep -E 'libepicycle0 [(]= .*python3-numpy.*python3'"
cat >swing.py <<'PY'
import epicycle, math, os, sys
root = sys.argv[1]
assert os.path.abspath(epicycle.__file__).startswith(root + "/usr/lib/python3/dist-packages/"), epicycle.__file__
used = {line.split()[-1] for line in open("/proc/self/maps") if "libepicycle" in line}
assert used and all(path.startswith(root + "/usr/lib/") for path in used), used
s = epicycle.solve_ivp(lambda t, q: [-math.sin(q[0])], (0, 10), q0=[1.0], v0=[0.0], rtol=1e-10)
energy = [v*v/2 - math.cos(q) for q, v in zip(s.y[0], s.y[1])]
assert s.t[-1] == 10 and max(energy) - min(energy) < 1e-8, (s.t[-1], max(energy) - min(energy))
r = epicycle.run("pendulum", end=10, q0=1.0, flow="tolerance(dopri5, rtol=1e-11)")
assert abs(r["q"][-1] - s.y[0][-1]) < 1e-7, (r["q"][-1], s.y[0][-1])
PY
python=/usr/bin/python3
if "$python" -c "import numpy" 2>/dev/null; then
  libraries=$(dirname "$(find "$dir/root" -name 'libepicycle.so.0')")
  check "a pendulum swings in Debian's Python" env -i PATH=/usr/bin:/bin PYTHONPATH="$dir/root/usr/lib/python3/dist-packages" \
    LD_LIBRARY_PATH="$libraries" PYTHONDONTWRITEBYTECODE=1 "$python" swing.py "$dir/root"
else
  echo "deb: $python has no numpy, python3-epicycle was not run: ./setup.sh check installs it"
  [ "${CI:-}" != true ] || failed=$((failed + 1))
fi
[ $failed = 0 ] || tail -n 5 "$dir/log"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
