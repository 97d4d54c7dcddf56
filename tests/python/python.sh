#!/usr/bin/env bash
# holds: the Python package passes its tests, and its wheel installs in a fresh environment
# python.sh - the Python package: its tests by pytest, and the wheel in a fresh virtual environment
# label: plain
# cost: 30   thorough: all
set -eu
: "${SOURCE:?the source folder}" "${BUILD:?the build folder}"
python=${PYTHON:-/usr/bin/python3}
export EPICYCLE=${1:-$BUILD/epicycle} CC=${CC:-cc}
marked="not long"
[ "${2:-}" = all ] && marked=


# what cannot be tried here is skipped with a sentence; where everything has to be checked, that is a failure
absent() {
  echo "python: $1: ./setup.sh test installs it"
  [ "${CI:-}" = true ] && exit 1
  exit 77
}
for module in numpy scipy pytest matplotlib pandas nbconvert ipykernel cffi numba setuptools wheel pip venv ensurepip; do
  "$python" -c "import $module" 2>/dev/null || absent "$python has no $module"
done

room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
export MPLBACKEND=Agg MPLCONFIGDIR=$room PYTHONDONTWRITEBYTECODE=1 JUPYTER_CONFIG_DIR=$room JUPYTER_DATA_DIR=$room IPYTHONDIR=$room

# ---- from the source, with the library of this build ----
(
  export EPICYCLE_LIBRARY=$BUILD/python/epicycle/libepicycle.so PYTHONPATH=$SOURCE/python
  cd "$room"
  "$python" -m pytest -q -p no:cacheprovider -m "$marked" "$SOURCE/tests/python"
)

[ -z "$marked" ] || exit 0

# ---- in the leg long, the wheel: built and installed without a network, used, and gone without a trace ----
cp -r "$SOURCE/python" "$SOURCE/include" "$room"
rm -rf "$room/python/build" "$room/python/dist"
began=$(date +%s)
EPICYCLE_BUILD=$BUILD "$python" -m pip wheel -q --no-index --no-build-isolation --no-deps -w "$room/dist" "$room/python"
ls "$room"/dist/epicycle-*-py3-none-*.whl >/dev/null
"$python" -m venv --system-site-packages "$room/venv"
before=$(cd "$room/venv" && find . | sort)
pip="$room/venv/bin/python -m pip --disable-pip-version-check"
$pip install -q --no-index "$room"/dist/epicycle-*.whl
cd "$room"
sed -n '/^```python$/,/^```$/p' "$SOURCE/README.md" | sed '1d;$d' >readme.py
[ "$(wc -l <readme.py)" -gt 3 ] || { echo "python: no example in the README"; exit 1; }
env -u PYTHONPATH -u EPICYCLE_LIBRARY "$room/venv/bin/python" readme.py >said
[ -s said ] || { echo "python: the example of the README says nothing"; exit 1; }
sed -n '/^```python$/,/^```$/p' "$SOURCE/README.md" | sed -n 's/.*# prints //p' | diff - said
$pip uninstall -q -y epicycle
after=$(cd "$room/venv" && find . -name __pycache__ -prune -o -print | sort)
[ "$(echo "$before" | grep -v __pycache__)" = "$after" ] || { echo "python: uninstalling leaves something"; exit 1; }
echo "wheel: installed, used and uninstalled in $(($(date +%s) - began)) s"
