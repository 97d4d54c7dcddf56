#!/usr/bin/env bash
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
    "$EPICYCLE" resume "$name.check" >out 2>err || bad "$name is not resumed: $(head -n 2 err)"
  fi
  cmp -s "$name.csv" "$name-whole.csv" || bad "$name: $(cmp "$name.csv" "$name-whole.csv")"
}
again auto inverted-pendulum w=1e5 --tol 1e-7 --end 1 --every 0.0005
again revolve inverted-pendulum w=1e5 --flow 'revolve(picard, rtol=1e-8, span=1)' --end 1 --step 0.0005
echo "choose-restart: $failed failed"
[ $failed -eq 0 ]
