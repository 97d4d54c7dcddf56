#!/usr/bin/env bash
# holds: a run to a tolerance that is stopped and resumed has the bytes of one that was not
# choose-restart.sh - a run to a tolerance that is ended on its way and resumed gives the same bytes; so does one by revolve
# label: long
set -u
: "${EPICYCLE:?the command}"
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
cd "$room" || exit 1
failed=0
bad() { echo "choose-restart: $*"; failed=$((failed + 1)); }

again() {
  name=$1
  shift
  "$EPICYCLE" run "$@" --out "$name-whole.csv" >out 2>err || bad "$name: $(head -n 2 err)"
  "$EPICYCLE" run "$@" --out "$name.csv" --checkpoint "$name.check" --checkpoint-every 0 >out 2>err &
  child=$!
  for _ in $(seq 400); do
    [ "$(wc -l 2>/dev/null <"$name.csv")" -gt 40 ] 2>/dev/null && break
    kill -0 $child 2>/dev/null || break
    sleep 0.01
  done
  kill -9 $child 2>/dev/null
  wait $child 2>/dev/null
  if [ -s "$name.check" ] && ! cmp -s "$name.csv" "$name-whole.csv"; then
    # the process that a model in C runs in ends a moment after the one that was killed
    for _ in $(seq 50); do
      "$EPICYCLE" resume "$name.check" >out 2>err && break
      grep -q "another run keeps" err || break
      sleep 0.02
    done
    [ -s err ] && grep -q "^epicycle:" err && bad "$name is not resumed: $(head -n 2 err)"
  fi
  cmp -s "$name.csv" "$name-whole.csv" || bad "$name: $(cmp "$name.csv" "$name-whole.csv")"
}
again auto inverted-pendulum w=1e5 --tol 1e-7 --end 1 --every 0.0005
again revolve inverted-pendulum w=1e5 --flow 'revolve(picard, rtol=1e-8, span=1)' --end 1 --step 0.0005
# a force of one's own whose amplitude stops growing on the way, and which no one says to be smooth
cat >ramp.c <<'END'
#include <epicycle.h>
#include <math.h>
static const epi_param PARAMS[] = {{.name = "w", .value = 1e4}, {0}};
static int forced(epi_system *s, double t, double theta, const double *q, double *f)
{
  const double *p = s->data;
  f[0] = (49.05 + 20*p[0]*fmin(1, 0.5 + t)*cos(theta))*sin(q[0]);
  return 0;
}
static int make(epi_case *c)
{
  c->system = (epi_system){.nq = 1, .phase = {.forced = forced, .phase_rate = c->p[0]}, .data = c->p};
  if (epi_case_start(c)) return -1;
  c->y[0] = 0.3;
  return 0;
}
EPI_MODEL = {.name = "ramp", .doc = "an amplitude that grows", .params = PARAMS, .make = make, .end = 1};
END
again ramp ramp.c --flow 'revolve(picard, rtol=1e-7, span=1)' --step 0.0005
again ramp-chosen ramp.c --tol 1e-6 --every 0.0005
echo "choose-restart: $failed failed"
[ $failed -eq 0 ]
