#!/bin/sh
# coverage.sh FOLDER [ROOM] - how much of the library and the command the tests in FOLDER ran: lines and branches of every room, and the
# files of ROOM. Fails where less than 90 of 100 lines of src were run.
set -u
folder=$1 room=${2:-}
bar=90
notes=$(mktemp)
trap 'rm -f "$notes"' EXIT
find "$PWD/$folder" -name '*.gcno' -path '*/CMakeFiles/epicycle*' | sort | while read -r note; do
  (cd "$folder" && gcov -b -n "$note" 2>/dev/null)
done >"$notes"
# a file: its lines, the branches that were taken one way at least
awk -v here="$PWD/" -v room="$room" -v bar="$bar" '
  /^File / { file = $2; gsub(/\047/, "", file); sub(here, "", file); known = file ~ /^(src|tool)\/.*\.c$/; next }
  !known { next }
  /^Lines executed:/ { split($0, a, /[:% ]+/); n = a[5]; hit[file] = n*a[3]/100; lines[file] = n }
  /^Taken at least once:/ { split($0, a, /[:% ]+/); n = a[7]; taken[file] = n*a[5]/100; ways[file] = n; known = 0 }
  /^No branches/ { known = 0 }
  END {
    for (f in lines) {
      r = f
      sub(/\/[^\/]*$/, "", r)
      L[r] += lines[f]; H[r] += hit[f]; W[r] += ways[f]; T[r] += taken[f]
      top = f; sub(/\/.*/, "", top)
      L[top "/*"] += lines[f]; H[top "/*"] += hit[f]; W[top "/*"] += ways[f]; T[top "/*"] += taken[f]
      if (room != "" && r == room) printf "%-28s %6d lines %6.1f %%   %6d branches %6.1f %%\n", f, lines[f], 100*hit[f]/lines[f], ways[f],
        ways[f] ? 100*taken[f]/ways[f] : 100 | "sort"
    }
    close("sort")
    for (r in L) printf "%-28s %6d lines %6.1f %%   %6d branches %6.1f %%\n", r, L[r], 100*H[r]/L[r], W[r],
      W[r] ? 100*T[r]/W[r] : 100 | "sort"
    close("sort")
    if (!L["src/*"] || 100*H["src/*"]/L["src/*"] < bar) { print "fewer than " bar " of 100 lines of src were run"; exit 1 }
  }' "$notes"
