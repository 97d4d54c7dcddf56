#!/usr/bin/env bash
# holds: a sweep under mpirun has the bytes of one process, and resumes after a rank has died
# ranks.sh - a sweep by the processes of mpirun: the bytes of one process; a rank that dies leaves what can be resumed
# label: plain   label: long
set -u
: "${EPICYCLE:?the command}" "${BUILD:?the build folder}"
mpi=$BUILD/epicycle-mpi
{ [ -x "$mpi" ] && command -v mpirun > /dev/null; } || { echo "no MPI: sweeps by several processes are not tried"; exit 77; }
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
room=$(mktemp -d) && trap 'rm -rf "$room"' EXIT
cd "$room" || exit 1
failed=0 checks=0
check() { checks=$((checks + 1)); eval "$2" || { echo "ranks: $1"; cat told err 2> /dev/null | head -5; failed=$((failed + 1)); }; }
many=(sweep pendulum 'q0=uniform(0.1, 3)' --samples 10000 --end 5 --keep q,energy.max)

"$EPICYCLE" "${many[@]}" --out one.csv > told 2> err || exit 1
mpirun -n 4 "$mpi" "${many[@]}" --out four.csv > told 2> err
check "four ranks" "cmp -s one.csv four.csv && [ \$(grep -c 'cases in' told) = 1 ]"
"$mpi" "${many[@]}" --out alone.csv > told 2> err
check "without mpirun" "cmp -s one.csv alone.csv"

# one of them dies
mpirun -n 3 "$mpi" "${many[@]}" --out dies.csv > told 2> err & id=$!
for _ in $(seq 1000); do [ "$(stat -c %s dies.csv.part 2> /dev/null || echo 0)" -gt 20000 ] && break; sleep 0.01; done
for rank in $(ps -o pid= --ppid $id 2> /dev/null); do last=$rank; done
kill -9 "${last:-0}" 2> /dev/null
wait $id
check "a rank that died" "[ -e dies.csv ] || [ -e dies.csv.part ]"
if [ -e dies.csv.part ]; then
  check "mpirun says so" "[ -s err ]"
  mpirun -n 2 "$mpi" resume dies.csv.part > told 2> err
fi
check "resumed" "cmp -s one.csv dies.csv"

# what is wrong is said once
mpirun -n 3 "$mpi" sweep kepler ee=0.1:0.9:0.1 > told 2> err
check "one sentence" "[ \$(grep -c 'did you mean e' err) = 1 ]"
mpirun -n 2 "$EPICYCLE" sweep kepler e=0.1:0.9:0.1 > told 2> err
check "without MPI" "grep -q 'built without MPI' err"
echo "$checks checks, $failed failed"
[ "$failed" = 0 ]
