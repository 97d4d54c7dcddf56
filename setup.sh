#!/bin/sh
# setup.sh [build|test|check|bench|fuzz] - installs by name what a target of the makefile needs and this machine lacks.
# Silent when nothing is missing. Without the right to install it prints the one line to run, and stops.
set -eu
missing=
command_of() { command -v "$1" >/dev/null 2>&1 || missing="$missing $2"; }
header_of() {
  for dir in /usr/include /usr/local/include /usr/include/*-linux-gnu; do [ -e "$dir/$1" ] && return; done
  missing="$missing $2"
}

# python_of MODULE...: packages of the Python of the system, python3-MODULE
python_of() {
  for module in "$@"; do
    /usr/bin/python3 -c "import $module" 2>/dev/null || missing="$missing python3-$module"
  done
}

# who reads what is written for other programs, and what the Python package is tested with: without them those tests are skipped
python_tests() {
  python_of numpy h5py jsonschema yaml scipy pytest matplotlib pandas nbconvert ipykernel cffi numba setuptools wheel pip
  /usr/bin/python3 -c "import ensurepip" 2>/dev/null || missing="$missing python3-venv"
}

command_of cc "gcc libc6-dev"
command_of cmake cmake
command_of ninja ninja-build
command_of pkg-config pkg-config
header_of yaml.h libyaml-dev
required=$missing
case ${1:-build} in
build) ;;
test)
  command_of readelf binutils
  command_of setarch util-linux
  required=$missing
  python_tests
  # the methods cvode and arkode: without them what is tested of them is skipped
  header_of sundials/sundials_config.h libsundials-dev
  # sweeps by several processes: without it their test is skipped
  command_of mpirun "openmpi-bin libopenmpi-dev" ;;
check)
  command_of readelf binutils
  command_of setarch util-linux
  required=$missing
  # a browser for the report, shells and a formatter for completion and manual: without them their tests are skipped
  command_of chromium chromium
  command_of npm npm
  command_of zsh zsh
  command_of fish fish
  command_of groff groff
  python_tests
  # the other architecture, and who looks for defects: without them their legs are skipped
  case $(uname -m) in
  x86_64)
    command_of aarch64-linux-gnu-gcc "gcc-aarch64-linux-gnu libc6-dev-arm64-cross"
    command_of qemu-aarch64 qemu-user ;;
  aarch64 | arm64)
    command_of x86_64-linux-gnu-gcc "gcc-x86-64-linux-gnu libc6-dev-amd64-cross"
    command_of qemu-x86_64 qemu-user ;;
  esac
  command_of dh debhelper
  command_of dh_python3 dh-python
  command_of lintian lintian
  command_of clang-tidy clang-tidy
  command_of cppcheck cppcheck ;;
bench)
  # other codes to compare with: without them the comparison is shorter, not wrong
  command_of c++ g++
  header_of sundials/sundials_config.h libsundials-dev
  header_of gsl/gsl_odeiv2.h libgsl-dev
  header_of boost/numeric/odeint.hpp libboost-dev
  python_of numpy scipy ;;
fuzz)
  # libFuzzer comes with the runtime of clang
  command_of clang clang
  for library in "$(clang --print-runtime-dir 2>/dev/null)"/libclang_rt.fuzzer*.a; do
    [ -e "$library" ] || missing="$missing libclang-rt-dev"
    break
  done
  required=$missing ;;
*)
  echo "setup.sh: build, test, check, bench or fuzz, not '$1'" >&2
  exit 2 ;;
esac
[ -n "$missing" ] || exit 0

# goes on where only something optional is missing
stop() {
  echo "$1; run: $2" >&2
  [ -z "$required" ] || exit 1
  echo "going on without:$missing" >&2
  exit 0
}
command -v apt-get >/dev/null 2>&1 || stop "this machine lacks what these Debian packages hold" "install$missing"
line="apt-get update && apt-get install -y --no-install-recommends$missing"
if [ "$(id -u)" = 0 ]; then
  as_root=
elif ! command -v sudo >/dev/null 2>&1; then
  stop "packages are missing and installing them needs root" "su -c '$line'"
elif sudo -n true 2>/dev/null; then
  as_root="sudo -n"
else
  stop "packages are missing and installing them needs a password" "sudo sh -c '$line'"
fi

echo "installing$missing"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# one lost mirror or another apt at work is no reason to give up
apt() { $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=120 -o Acquire::Retries=3 "$@" >>"$log" 2>&1; }
if apt update && apt install -y --no-install-recommends $missing; then exit 0; fi
tail -n 15 "$log" >&2
stop "apt-get could not install the packages" "$line"
