#!/usr/bin/env bash
# holds: the installed library and command are usable through pkg-config and find_package
# install.sh - installs into an empty folder and uses what is there from outside: pkg-config, find_package, the command
# label: plain
set -eu
: "${SOURCE:?the source folder}" "${BUILD:?the build folder}" "${CC:=cc}"
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
here=$SOURCE/tests/install prefix=$room/prefix
fail() { echo "$*"; exit 1; }

# sin(q/2) = k cd(t, k) with k = sin 1, by the Jacobi function cd
angle=-1.64456751651271
# answers PROGRAM: its number is the angle
answers() {
  local got
  got=$("$@") || fail "$* failed"
  awk -v got="$got" -v want=$angle 'BEGIN { e = got - want; exit !(got != "" && e < 1e-9 && e > -1e-9) }' || fail "$* says $got, not $angle"
  echo "$(basename "${!#}"): $got"
}

cmake --install "$BUILD" --prefix "$prefix" >"$room/log"
# an installed tree may be moved
mv "$prefix" "$room/moved"
prefix=$room/moved
library=$(find "$prefix" -name libepicycle.so)
libdir=$(dirname "$library")
[ -f "$libdir/libepicycle.a" ] || fail "no static library in $libdir"

# the name a program keeps, and the links that lead to it
soname=$(readelf -d "$library" | sed -n 's/.*SONAME.*\[\(.*\)\].*/\1/p')
[ "$soname" = libepicycle.so.0 ] || fail "the SONAME is '$soname', not libepicycle.so.0"
[ -e "$libdir/$soname" ] || fail "no $soname beside the library"
# model files are a library of their own, on top of the first one, which knows nothing of it or of libyaml
needs() { readelf -d "$1" | sed -n 's/.*NEEDED.*\[\(.*\)\].*/\1/p'; }
readelf -d "$libdir/libepicycle-file.so" | grep -q 'SONAME.*\[libepicycle-file.so.0\]' || fail "the SONAME of libepicycle-file.so"
[ -f "$libdir/libepicycle-file.a" ] && [ -f "$prefix/include/epicycle/file.h" ] || fail "no static library or no header of model files"
needs "$libdir/libepicycle-file.so" | grep -q '^libepicycle.so.0$' || fail "libepicycle-file.so does not need libepicycle.so.0"
foreign=$(needs "$library" | grep -vE '^lib(c|m|sundials_[a-z]*)\.so|^ld-' || true)
[ -z "$foreign" ] || fail "libepicycle.so needs $foreign"

foreign=$(nm -D --defined-only "$library" | awk '{ print $NF }' | grep -vc '^epi_' || true)
[ "$foreign" = 0 ] || fail "$foreign exported symbols without epi_"

export PKG_CONFIG_PATH=$libdir/pkgconfig
flags=$(pkg-config --cflags epicycle)
case " $flags " in *" -ffp-contract=off "*) ;; *) fail "pkg-config gives '$flags', without -ffp-contract=off" ;; esac
[ "$(pkg-config --modversion epicycle)" = "$(sed -n 's/.*EPI_VERSION "\(.*\)".*/\1/p' "$prefix"/include/epicycle.h)" ] ||
  fail "the versions differ"
$CC -O2 $flags "$here/pendulum.c" -o "$room/by_pkg_config" $(pkg-config --libs epicycle) -lm
$CC -O2 $flags "$here/fused.c" -o "$room/fused"
$CC -O2 $flags "$here/pendulum.c" -o "$room/by_pkg_config_static" "$libdir/libepicycle.a" $(pkg-config --static --libs-only-l epicycle |
  sed 's/-lepicycle//')
readelf -d "$room/by_pkg_config" | grep -q 'NEEDED.*libepicycle.so.0' || fail "the program does not need libepicycle.so.0"
answers env LD_LIBRARY_PATH="$libdir" "$room/by_pkg_config"
answers "$room/by_pkg_config_static"
"$room/fused" >/dev/null || fail "products are fused with the flags of pkg-config"

# a model file by pkg-config, shared and static
cp "$SOURCE/examples/model-file.c" "$SOURCE/examples/pendulum.yaml" "$room"
$CC -O2 $(pkg-config --cflags epicycle-file) "$room/model-file.c" -o "$room/file_shared" $(pkg-config --libs epicycle-file)
$CC -O2 $(pkg-config --cflags epicycle-file) "$room/model-file.c" -o "$room/file_static" "$libdir/libepicycle-file.a" \
  "$libdir/libepicycle.a" $(pkg-config --static --libs-only-l epicycle-file | sed 's/-lepicycle-file//; s/-lepicycle//')
# q of examples/pendulum.yaml at its end, by `epicycle run`
want=0.22162516603289512
for program in file_shared file_static; do
  got=$(LD_LIBRARY_PATH=$libdir "$room/$program" "$room/pendulum.yaml" | sed -n 's/^q = //p')
  awk -v got="$got" -v want=$want 'BEGIN { e = got - want; exit !(got != "" && e < 1e-9 && e > -1e-9) }' ||
    fail "$program says $got, not $want"
done
needs "$room/file_shared" | grep -q yaml && fail "who uses model files has to know of libyaml"

# a run with rows and a page, in under twenty lines
[ "$(wc -l < "$SOURCE/examples/report.c")" -lt 20 ] || fail "examples/report.c has $(wc -l < "$SOURCE/examples/report.c") lines"
$CC -O2 -Wall -Wextra -Werror $(pkg-config --cflags epicycle-file) "$SOURCE/examples/report.c" -o "$room/report" \
  $(pkg-config --libs epicycle-file)
(cd "$room" && LD_LIBRARY_PATH=$libdir ./report | grep -q '^201 rows') || fail "the example of a report does not run"
[ "$(wc -l < "$room/orbit.csv")" -gt 200 ] && grep -q '</html>' "$room/orbit.html" || fail "the example leaves no rows or no page"

if command -v c++ >/dev/null; then
  echo '#include <epicycle/file.h>' | c++ -Wall -Wextra -Werror -fsyntax-only $flags -x c++ - || fail "the header of model files is no C++"
  echo '#include <epicycle.h>' | c++ -Wall -Wextra -Werror -fsyntax-only $flags -x c++ - || fail "the header is no C++"
fi

cmake -S "$here" -B "$room/outside" -G Ninja -DMODEL_FILE="$room/model-file.c" -DCMAKE_C_COMPILER="$CC" \
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >"$room/log" || { cat "$room/log";
    fail "find_package failed"; }
cmake --build "$room/outside" >"$room/log" || { cat "$room/log"; fail "the outside project does not build"; }
[ "$(grep -c '"command":.*-ffp-contract=off' "$room/outside/compile_commands.json")" = 6 ] ||
  fail "the CMake package does not hand on -ffp-contract=off"
for kind in epicycle epicycle_static; do
  answers "$room/outside/pendulum_$kind"
  "$room/outside/fused_$kind" >/dev/null || fail "products are fused in the outside project"
done
for kind in file file_static; do
  [ "$("$room/outside/model_$kind" "$room/pendulum.yaml")" = "$(LD_LIBRARY_PATH=$libdir "$room/file_shared" "$room/pendulum.yaml")" ] ||
    fail "model_$kind gives other digits"
done
readelf -d "$room/outside/pendulum_epicycle_static" | grep -q 'NEEDED.*libepicycle' && fail "the static program needs the shared library"

# all four are the same computation
for program in by_pkg_config_static outside/pendulum_epicycle outside/pendulum_epicycle_static; do
  [ "$("$room/$program")" = "$(LD_LIBRARY_PATH=$libdir "$room/by_pkg_config")" ] || fail "$program gives other digits"
done

# the command runs where it was put, with nothing in its surroundings
if [ -x "$BUILD/epicycle" ]; then
  env -i "$prefix/bin/epicycle" list | grep -q verlet || fail "the installed command does not list verlet"
  env -i "$prefix/bin/epicycle" reproduce | grep -q '^thesis: ' || fail "the installed command does not find the papers"
fi
echo "installed, and used from outside"
