#!/usr/bin/env bash
# holds: seven sets of forced systems meet their tolerance at eight frequencies from 120 random starts
# choose-statistics.sh - the statistics of forced systems to a tolerance in full: seven sets, eight frequencies, 120 random starts
# label: soak
set -u
: "${BUILD:?the build folder}"
STARTS=120 "$BUILD/tests/choose-forced"
