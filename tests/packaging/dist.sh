#!/bin/bash
# holds: the source tarball builds without npm and network, and as a subdirectory of another project
# dist.sh - the source tarball builds without npm and network; the library alone needs libm only; a project takes it by add_subdirectory
# label: long
# cost: 150
set -eu
: "${SOURCE:?the source folder}" "${BUILD:?the build folder}" "${CC:=cc}"
git -C "$SOURCE" rev-parse --git-dir >/dev/null 2>&1 || { echo "dist: no repository here, of which a tarball is made"; exit 77; }
[ -s "$BUILD/page.js" ] || { echo "dist: the script of the reports was not built here: needs npm"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
passed=0 failed=0
check() {
  local what=$1
  shift
  if "$@" >"$dir/log" 2>&1; then passed=$((passed + 1)); return; fi
  failed=$((failed + 1))
  echo "FAILED: $what"
  tail -n 5 "$dir/log"
}
mkdir "$dir/build" "$dir/bin"
cp "$BUILD/page.js" "$dir/build"
(cd "$SOURCE" && packaging/dist.sh "$dir/build" HEAD~0) >/dev/null
tarball=$(ls "$dir"/build/*.tar.gz)
tar xzf "$tarball" -C "$dir"
source=$(ls -d "$dir"/epicycle-*/) source=${source%/}
version=$(sed -n 's/#define EPI_VERSION "\(.*\)"/\1/p' "$source/include/epicycle.h")
check "its name has the version" test "$(basename "$tarball")" = "epicycle-$version.tar.gz"
check "the script is inside" cmp "$source/web/page.js" "$BUILD/page.js"

# versions stand in the header, and where a format wants them again
for file in CITATION.cff packaging/conda/meta.yaml packaging/vcpkg/vcpkg.json packaging/homebrew/epicycle.rb packaging/spack/package.py; do
  check "$file has version $version" grep -q "$version" "$source/$file"
done
python=/usr/bin/python3
check "vcpkg.json" $python -c 'import json, sys; json.load(open(sys.argv[1]))' "$source/packaging/vcpkg/vcpkg.json"
check "package.py" $python -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' "$source/packaging/spack/package.py"
if $python -c 'import yaml' 2>/dev/null; then
  for file in CITATION.cff .github/workflows/ci.yml; do
    check "$file" $python -c 'import sys, yaml; assert len(yaml.safe_load(open(sys.argv[1]))) > 2' "$source/$file"
  done
fi
if command -v ruby >/dev/null; then check "epicycle.rb" ruby -c "$source/packaging/homebrew/epicycle.rb"; fi

# npm and node that would be called fail
for name in npm node; do printf '#!/bin/sh\nexit 1\n' >"$dir/bin/$name"; chmod +x "$dir/bin/$name"; done
export PATH=$dir/bin:$PATH
check "configures" cmake -S "$source" -B "$dir/all" -G Ninja -DEPICYCLE_TESTS=OFF
check "builds" cmake --build "$dir/all"
check "reports are alive" sh -c "cd '$dir' && all/epicycle run kepler --end 1 --report r.html --quiet && [ \$(wc -c <r.html) -gt 500000 ]"

# a project that has it as a folder, without the command
mkdir "$dir/project"
cat >"$dir/project/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.21)
project(mine C)
set(EPICYCLE_COMMAND OFF)
set(EPICYCLE_SUNDIALS OFF CACHE STRING "")
add_subdirectory(${EPICYCLE} epicycle EXCLUDE_FROM_ALL)
add_executable(mine ${EPICYCLE}/tests/install/pendulum.c)
target_link_libraries(mine PRIVATE Epicycle::epicycle m)
END
check "a project configures" env PKG_CONFIG_LIBDIR=/nowhere cmake -S "$dir/project" -B "$dir/mine" -G Ninja -DEPICYCLE="$source"
check "and builds" cmake --build "$dir/mine"
check "and runs" sh -c "'$dir/mine/mine' | grep -q -- -1.6445675"
library=$(find "$dir/mine" -name 'libepicycle.so*' -type f)
needs=$(readelf -d "$library" | sed -n 's/.*NEEDED.*\[\(.*\)\].*/\1/p' | grep -vE '^lib(c|m)\.so|^ld-' || true)
check "the library alone needs libm, not $needs" test -z "$needs"
check "and exports epi_ alone" sh -c "! nm -D --defined-only '$library' | awk '{ print \$NF }' | grep -v '^epi_'"
check "its build type is its own" grep -q 'CMAKE_BUILD_TYPE:STRING=$' "$dir/mine/CMakeCache.txt"
check "the library is fast all the same" grep -q 'O2' "$dir/mine/build.ninja"
check "no other target is of the project" sh -c "! cmake --build '$dir/mine' --target help | grep -q '^test_'"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
