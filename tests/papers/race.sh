#!/bin/bash
# holds: the gains of reproduce bearing-race in contact evaluations stand, as medians over starts
# race.sh - reproduce bearing-race: the gains in sweeps over the contacts, medians of starts
# label: soak
# timeout: 7200
set -u
. "$(dirname "$0")/../common/command.sh"
says 2 "bearing-race has no part 'S1': it has S1-600us, S3-600us, S1-5ms, S3-5ms, F8-600us, F18-600us, F38-600us and R1-1ms" reproduce bearing-race S1
"$e" reproduce bearing-race --json --figures . >race.json || bad "it does not run: $?"
cat race.json
holds "the picture" test -s bearing-race.svg
# least SCENARIO LEAST ERRORS ...: CVODE's fewest sweeps, a Jacobian as 12, over those of the better nam
least() {
  /usr/bin/python3 -I -S - "$@" <<'P'
import json, sys
name, least, errors = sys.argv[1], float(sys.argv[2]), [float(x) for x in sys.argv[3:]]
rows = next(s for s in json.load(open("race.json"))["scenarios"] if s["name"] == name)["levels"]
for r in rows:
    if r["error"] not in errors: continue
    nam = min([r[k] for k in ("nam_2", "nam_3") if r[k] > 0], default=0)
    print(name, r["error"], r["cvode_12"]/nam if nam else "not reached")
    if not nam or r["cvode_12"]/nam < least: sys.exit(1)
P
}
holds "S3-600us" least "S3-600us" 2.6 0.1 0.03 0.01 0.003
holds "S3-5ms" least "S3-5ms" 2.5 0.1 0.03 0.01
holds "S1-600us" least "S1-600us" 1.5 0.03 0.01 0.003 0.001
holds "F8-600us" least "F8-600us" 3 0.01
holds "F38-600us" least "F38-600us" 8 0.01
counted
