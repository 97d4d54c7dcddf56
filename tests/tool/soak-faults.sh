#!/bin/sh
# holds: every fault of the sweeps, every cut of the power and a thousand kills are survived
# soak-faults.sh - every fault of the sweeps, every cut of the power, a thousand kills
# label: soak   timeout: 20000
set -u
: "${BUILD:?the build folder}"
failed=0
for test in "command-faults 0" "power-loss 0" "kills 1000"; do
  echo "== $test"
  # shellcheck disable=SC2086
  "$BUILD"/tests/$test || failed=1
done
exit $failed
