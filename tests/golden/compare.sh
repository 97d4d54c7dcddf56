#!/bin/sh
# compare.sh BUILD_A BUILD_B [rows|choices|names|messages ...] [--sample] - the answers of two builds on one machine, to the last bit: prints
# what differs, exit 1 if anything does. All of it takes some minutes, --sample less than one. See golden.py
exec python3 "$(dirname "$0")/golden.py" compare "$@"
