#!/usr/bin/env bash
# choose-statistics.sh - the statistics of forced systems to a tolerance in full: seven sets, eight frequencies, 120 random starts
# label: soak
set -u
: "${BUILD:?the build folder}"
STARTS=120 "$BUILD/tests/choose-forced"
