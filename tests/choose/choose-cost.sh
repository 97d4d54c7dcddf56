#!/usr/bin/env bash
# holds: finding a method takes at most 20 times the evaluations of its run, or 20000
# choose-cost.sh EPICYCLE [all] - evaluations to find a flow for a tolerance, over those of its run: 20 times at most, or 20000.
# `all`: every model and case, as the table of docs/auto.md
# label: once   cost: 10
set -u
. "$(dirname "$0")/../common/command.sh"
cases=$SOURCE/tests/cases

# cost MODEL TOL: evaluations of the run, of the search, and what both are over the run; nothing where it is refused
cost() {
  timeout "${limit:-300}" "$e" check "$1" --tol "$2" 2> err | awk '
    /^chosen / { flow = substr($0, 8) }
    /^  [a-z]+\(.*\) +[0-9]/ { line[++n] = $0 }
    /evaluations to find out/ { for (i = 1; i <= NF; i++) if ($(i+1) == "evaluations" && $(i+2) == "to") search = $i }
    END { for (k = 1; k <= n; k++) if (index(line[k], "  " flow " ") == 1) { split(substr(line[k], length(flow) + 3), f, " "); run = f[1] }
          if (run > 0) printf "%d %d %.2g\n", run, search, (search + run)/run }'
}
row() { # MODEL TOL: a line of the table
  local c
  c=$(cost "$1" "$2")
  read -r run search over <<< "${c:-none none none}"
  [ "$run" = none ] && echo "| $(basename "$1") | $2 | refused | | |" || echo "| $(basename "$1") | $2 | $run | $search | $over |"
}

if [ "${2:-}" = all ]; then
  echo '| model or case | tol | evaluations of the run | to find out | both over the run |'
  echo '|---|---|---|---|---|'
  limit=60
  for model in $("$e" list models | sed -n 's/^  \([a-z-]*\)  *[^ ].*/\1/p') "$cases"/*.{yaml,c} "$cases"/benchmarks/*.{yaml,c}; do
    case $model in bearing | roller-bearing | */chain-100.yaml | */boxes-3.yaml) continue ;; esac
    case $model in *.c) grep -q EPI_MODEL "$model" || continue ;; esac
    for tol in 1e-3 1e-6 1e-9; do row "$model" $tol; done
  done | tee table
  awk -F'|' '$4 + 0 > 0 { x[++n] = $6; if ($4 >= 1000 && $6 > most) most = $6 }
             END { for (i = 2; i <= n; i++) for (k = i; k > 1 && x[k] < x[k-1]; k--) { y = x[k]; x[k] = x[k-1]; x[k-1] = y }
                   printf "%d answered: median %.3g; %.3g at most where the run takes 1000 or more\n", n, x[int((n + 1)/2)], most }' table
  exit
fi

# a relaxation that becomes stiff half way: explicit steps run out there
cat > later.c << C
#include <epicycle.h>
#include <math.h>
static const char *const names[] = {"y", "z"};
static int rate(epi_system *s, double t, const double *y, double *dy)
{
  (void)s;
  dy[0] = -(1 + 5e5*(1 + tanh(t - 50)))*(y[0] - cos(y[1]));
  dy[1] = 1;
  return 0;
}
static int make(epi_case *c)
{
  c->system = (epi_system){.nz = 2, .rate = rate, .names = names};
  return epi_case_start(c);
}
EPI_MODEL = {.name = "later", .doc = "becomes stiff", .make = make, .end = 100};
C
while read -r model tol; do
  read -r run search over <<< "$(cost "$model" "$tol")"
  holds "$(basename "$model") to $tol: $search evaluations to find a flow that takes $run, $(cat err)" \
    awk -v run="${run:-0}" -v search="${search:-0}" 'BEGIN { exit !(run > 0 && (search <= 19*run || search <= 20000)) }'
done << M
pendulum 1e-3
kepler 1e-3
kepler(e=0.9) 1e-9
two-oscillators 1e-6
two-oscillators 1e-9
van-der-pol 1e-6
rod-chain 1e-3
bounce 1e-6
magnetic-pendulum 1e-3
stiff-springs 1e-6
inverted-pendulum(w=1e6) 1e-6
four-bar 1e-6
$cases/benchmarks/arenstorf.c 1e-9
$cases/benchmarks/bricard.yaml 1e-6
$cases/benchmarks/slider-crank-ida.yaml 1e-3
later.c 1e-3
later.c 1e-6
M

echo "# a looser tolerance does not take finer steps"
steps() { "$e" check magnetic-pendulum --tol "$1" | sed -n 's/^chosen adams(rtol=\([^,]*\),.*/\1/p'; }
holds "$(steps 1e-3) to 1e-3, $(steps 1e-6) to 1e-6" awk -v a="$(steps 1e-3)" -v b="$(steps 1e-6)" 'BEGIN { exit !(a > b && b > 0) }'
counted
