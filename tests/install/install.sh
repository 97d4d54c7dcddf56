#!/usr/bin/env bash
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
foreign=$(nm -D --defined-only "$library" | awk '{ print $NF }' | grep -vc '^epi_' || true)
[ "$foreign" = 0 ] || fail "$foreign exported symbols without epi_"

export PKG_CONFIG_PATH=$libdir/pkgconfig
flags=$(pkg-config --cflags epicycle)
case " $flags " in *" -ffp-contract=off "*) ;; *) fail "pkg-config gives '$flags', without -ffp-contract=off" ;; esac
[ "$(pkg-config --modversion epicycle)" = "$(sed -n 's/.*EPI_VERSION "\(.*\)".*/\1/p' "$prefix"/include/epicycle.h)" ] || fail "the versions differ"
$CC -O2 $flags "$here/pendulum.c" -o "$room/by_pkg_config" $(pkg-config --libs epicycle) -lm
$CC -O2 $flags "$here/fused.c" -o "$room/fused"
$CC -O2 $flags "$here/pendulum.c" -o "$room/by_pkg_config_static" "$libdir/libepicycle.a" $(pkg-config --static --libs-only-l epicycle | sed 's/-lepicycle//')
readelf -d "$room/by_pkg_config" | grep -q 'NEEDED.*libepicycle.so.0' || fail "the program does not need libepicycle.so.0"
answers env LD_LIBRARY_PATH="$libdir" "$room/by_pkg_config"
answers "$room/by_pkg_config_static"
"$room/fused" >/dev/null || fail "products are fused with the flags of pkg-config"

if command -v c++ >/dev/null; then
  echo '#include <epicycle.h>' | c++ -Wall -Wextra -Werror -fsyntax-only $flags -x c++ - || fail "the header is no C++"
fi

cmake -S "$here" -B "$room/outside" -G Ninja -DCMAKE_C_COMPILER="$CC" -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$prefix" \
  -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >"$room/log" || { cat "$room/log"; fail "find_package failed"; }
cmake --build "$room/outside" >"$room/log" || { cat "$room/log"; fail "the outside project does not build"; }
[ "$(grep -c '"command":.*-ffp-contract=off' "$room/outside/compile_commands.json")" = 4 ] || fail "the CMake package does not hand on -ffp-contract=off"
for kind in epicycle epicycle_static; do
  answers "$room/outside/pendulum_$kind"
  "$room/outside/fused_$kind" >/dev/null || fail "products are fused in the outside project"
done
readelf -d "$room/outside/pendulum_epicycle_static" | grep -q 'NEEDED.*libepicycle' && fail "the static program needs the shared library"

# all four are the same computation
for program in by_pkg_config_static outside/pendulum_epicycle outside/pendulum_epicycle_static; do
  [ "$("$room/$program")" = "$(LD_LIBRARY_PATH=$libdir "$room/by_pkg_config")" ] || fail "$program gives other digits"
done

# the command runs where it was put, with nothing in its surroundings
if [ -x "$BUILD/epicycle" ]; then
  env -i "$prefix/bin/epicycle" list | grep -q verlet || fail "the installed command does not list verlet"
fi
echo "installed, and used from outside"
