#!/usr/bin/env bash
# against.sh OLD NEW [TIMES] - two commands on the same runs, one after the other in turns; the least processor time of each, and the ratio
set -eu
old=$1 new=$2 times=${3:-5}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

# model | flow | step | end
runs='pendulum | verlet | 1e-2 | 2e5
pendulum | rk4 | 1e-2 | 1e5
kepler(e=0.6) | symmetric(verlet, order=8) | 5e-2 | 5e4
kepler(e=0.6) | tolerance(dop853, rtol=1e-10, atol=1e-12) | 1 | 1e5
kepler(e=0.6) | scaled(symmetric(verlet, order=8), eps=0.1) | 1 | 1e5
kepler(e=0.6) | density(verlet, eps=1e-3) | 1 | 3e3
inverted-pendulum(w=1e6) | verlet(hmm(verlet, kernel=exp5, periods=40, even=1)) | 1e-2 | 400
stiff-springs | rk4(hmm(verlet, kernel=exp5, periods=20, steps=6, start=current)) | 0.1 | 2e3
inverted-pendulum(w=1e4) | rk4(strobe(substeps(rk4, 20), order=4)) | 1e-3 | 20
double-pendulum | verlet | 1e-7 | 0.05
rod-chain(n=50) | verlet | 1e-4 | 10
spring-chain | gauss | 2e-3 | 20
rigid-body | nambu | 1e-2 | 5e4
slider-crank | verlet | 1e-4 | 4
drop | semi(model.contacts, model.stiff) | 1e-6 | 1
bearing | semi(model.contacts, model.stiff, ahead=1) | 1e-6 | 2e-2'

spent() { # COMMAND MODEL FLOW STEP END -> seconds of the processor
  local name=${2%%(*} parameters=${2#"${2%%(*}"}
  parameters=${parameters#(} parameters=${parameters%)}
  TIMEFORMAT=%U
  { time "$1" run $name ${parameters//,/ } --flow "$3" --step "$4" --end "$5" --every "$5" --quiet > out 2>&1 ||
    { cat out >&2; exit 1; }; } 2>&1
}
smaller() { awk -v a="$1" -v b="$2" 'BEGIN { print a < b ? a : b }'; }
printf '%-26s %-66s %8s %8s  ratio\n' model flow old new
echo "$runs" | while IFS='|' read -r model flow step end; do
  model=$(echo $model) flow=$(echo $flow) least_old=1e9 least_new=1e9
  for _ in $(seq "$times"); do
    a=$(spent "$old" "$model" "$flow" $step $end) b=$(spent "$new" "$model" "$flow" $step $end)
    least_old=$(smaller $a $least_old) least_new=$(smaller $b $least_new)
  done
  awk -v m="$model" -v f="$flow" -v a=$least_old -v b=$least_new 'BEGIN { printf "%-26s %-66s %8.3f %8.3f  %.3f\n", m, f, a, b, b/a }'
done
