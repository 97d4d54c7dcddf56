#!/bin/sh
# holds: runs killed by SIGKILL again and again and resumed leave the bytes of one that was never stopped
# a run killed with SIGKILL again and again, and continued by resume, leaves the bytes of a run that was never stopped
#   restart-kill.sh EPICYCLE [SEED ...]          label: slow
# cost: 65
e=$1
shift
seeds=${*:-"1 2"}
dir=$(mktemp -d) || exit 1
# of this shell alone: a child that is ended before it has begun has the same trap
trap '[ "${BASHPID:-$$}" != $$ ] || rm -rf "$dir"' EXIT
cd "$dir" || exit 1
case $e in /*) ;; *) e=$OLDPWD/$e ;; esac

passed=0 failed=0 kills=0
good() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAILED: $*"; }

# a repeatable number in [0, $1)
draw=0
random() {
  draw=$((draw + 1))
  awk -v seed="$seed" -v k="$draw" -v n="$1" 'BEGIN { srand(1000*seed + k); rand(); print int(n*rand()) }'
}

# everything of the statistics but the time, and the evaluations (of an average: the micro-steps) that a new start repeats
same_stats() {
  for s in "$1" "$2"; do
    sed -e '/"wall_s"/d' -e '/"out"/d' -e 's/"calls[a-z_]*": *[0-9]*//g' "$s" > "$s.bare"
    grep -q '"name": "hmm"' "$s" && sed -e 's/"steps": *[0-9]*//' "$s.bare" > "$s.tmp" && mv "$s.tmp" "$s.bare"
  done
  cmp -s "$1.bare" "$2.bare"
}

# what a crash may do to the end of the file: nothing, cut it, smear it
hurt() {
  [ -f killed.checkpoint ] || return
  size=$(wc -c < killed.checkpoint)
  : "${first:=$size}"
  case $(random 4) in
    1) cut=$(random 300)
       # the request and the first pair were whole before the file had its name, and no kill leaves less
       [ $((size - cut)) -ge "$first" ] && head -c $((size - cut)) killed.checkpoint > cut && mv cut killed.checkpoint ;;
    2) printf 'EPIC\001\002\003 torn' >> killed.checkpoint ;;
  esac
}

# wait a while, kill, wait for the end: 0 if the run was over before
kill_soon() {
  sleep "0.$(printf %03d $((30 + $(random 200))))"
  kill -KILL "$1" 2> kill.err
  wait "$1" 2> kill.err
  code=$?
  [ $code -eq 137 ] && kills=$((kills + 1))
  return $code
}

one() { # model, flow, step, end, every, ending
  out=killed.$6 first=
  rm -f killed.* whole.*
  "$e" run "$1" --flow "$2" --step "$3" --end "$4" --every "$5" --out "whole.$6" --stats whole.stats --quiet ||
    { bad "whole run: $2"; return; }
  tries=0
  while :; do
    tries=$((tries + 1))
    if [ -f killed.checkpoint ]; then
      [ $tries -gt 8 ] && break
      "$e" resume killed.checkpoint --quiet 2> err & pid=$!
    else
      "$e" run "$1" --flow "$2" --step "$3" --end "$4" --every "$5" --out "$out" --stats killed.stats --quiet \
        --checkpoint killed.checkpoint --checkpoint-every 0.02 2> err & pid=$!
    fi
    kill_soon $pid
    case $? in 137) hurt ;; 0) break ;; *) bad "$2 $6 seed $seed: $(cat err)"; return ;; esac
  done
  "$e" resume killed.checkpoint --quiet || { bad "resume of $2 to $6, seed $seed"; return; }
  if cmp "whole.$6" "$out"; then good; else bad "$1, $2, $6, seed $seed: other bytes"; fi
  if same_stats whole.stats killed.stats; then good
  else bad "$1, $2, $6, seed $seed: other statistics"; diff whole.stats.bare killed.stats.bare; fi
  if [ -f killed.checkpoint.new ]; then bad "a temporary checkpoint is left"; else good; fi
}

# how far half a second takes this flow here: model, flow, step, a short end
half() {
  "$e" run "$1" --flow "$2" --step "$3" --end "$4" --json > o || exit 1
  awk -v end="$4" -v wall="$(sed -n 's/.*"wall_s": \([^,]*\),*/\1/p' o)" 'BEGIN { n = int(0.5*end/wall); print n < 2 ? 2 : n }'
}
far1=$(half kepler verlet 1e-5 4)
far2=$(half 'kepler(e=0.6)' 'symmetric(verlet, order=6)' 1e-4 10)
far3=$(half pendulum 'tolerance(dopri5, rtol=1e-12, atol=1e-13)' 0.1 4000)

for seed in $seeds; do
  for ending in csv npy json; do
    one kepler verlet 1e-5 "$far1" 0.03 $ending
    one 'kepler(e=0.6)' 'symmetric(verlet, order=6)' 1e-4 "$far2" 0.07 $ending
    one pendulum 'tolerance(dopri5, rtol=1e-12, atol=1e-13)' 0.1 "$far3" 31.4 $ending
  done
done

# averages, implicit methods, rows after every step, an estimate by halving
few() { # model, flow, step, a short end, how many rows
  far=$(half "$1" "$2" "$3" "$4")
  one "$1" "$2" "$3" "$far" "$(awk -v far="$far" -v n="$5" 'BEGIN { print n ? far/n : 0 }')" csv
}
for seed in ${seeds%% *}; do
  few inverted-pendulum 'verlet(hmm(verlet, kernel=exp5, periods=40, even=1))' 0.02 20 700
  few stiff-springs 'gauss' 0.01 20 700
  few van-der-pol 'tolerance(dopri5, rtol=1e-6, controller=ode45)' 0.1 20 0
  few kepler 'tolerance(symmetric(verlet, order=4), rtol=1e-8)' 0.1 20 700
done

# a check that nothing was killed in would say nothing
if [ $kills -ge $((3*$(echo $seeds | wc -w))) ]; then good; else bad "only $kills runs were killed: they are too short"; fi
echo "$kills kills"
echo "$passed checks passed, $failed failed"
[ $failed -eq 0 ]
