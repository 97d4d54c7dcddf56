#!/usr/bin/env bash
# holds: the example with a contact and a joint of the user agrees with a calculation by hand
set -u
: "${BUILD:?the build folder}"
out=$("$BUILD"/examples/own-contact) || { echo "the example failed: $out"; exit 1; }
echo "$out"
# g/(1 + I/(m pitch^2)) = 9.81/2; 2 pi sqrt(0.48/9.81) = 1.38984
echo "$out" | awk '
  /nut/  { nut = $6 }
  /ball/ { ball = $8 }
  END { exit !(nut - 4.905 < 5e-4 && 4.905 - nut < 5e-4 && ball - 1.38984 < 1e-3 && 1.38984 - ball < 1e-3) }'
