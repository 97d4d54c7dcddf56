#!/usr/bin/env bash
# bits.sh NATIVE FOREIGN ... - what the program prints on this machine, compared by the same program on the other one
set -eu
file=$(mktemp)
trap 'rm -f "$file"' EXIT
"$1" >"$file"
shift
"$@" "$file"
