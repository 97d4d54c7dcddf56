#!/bin/sh
# holds: check --trace lists the attempts and checks of a choice, as a table and as JSON, and their evaluations add up to those spent
#   check-trace.sh EPICYCLE
. "$(dirname "$0")/../common/command.sh"

# sum: of the evaluations of the entries in ./o; spent: of the choice
sum() { sed -n 's/^    {"what": .*"evaluations": \([0-9]*\),.*/\1/p' o | awk '{ s += $1 } END { print s + 0 }'; }
spent() { sed -n 's/^  "spent": \([0-9]*\),$/\1/p' o; }
# traced WORD ... : all that is spent is in the trace, which has these entries
traced() {
  model=$1; shift
  "$e" check $model --trace --json > o 2> err || bad "check $model: $(cat err)"
  holds "$model: the sum $(sum) is $(spent)" test "$(sum)" = "$(spent)"
  for what; do holds "$model: $what" has o "\"what\": \"$what\""; done
}

traced "kepler --tol 1e-6" scales trial run "finer run"
traced "kepler e=0.99 --tol 1e-6" trial "finer run"
traced "inverted-pendulum w=1e6 --tol 1e-6" companion
traced "inverted-pendulum w=30 --tol 1e-6" trial
traced "stiff-springs --tol 1e-4 --slow" "slow system"
traced "van-der-pol --tol 1e-6" trial run

"$e" check kepler --tol 1e-6 --trace > o 2> err || bad "$(cat err)"
holds "a table" has o '^  trace  *candidate  *tolerance  *error  *evaluations  *cause$'
holds "a finer run, its tolerance, the error that it tells" has o '^  finer run  *adams  *2e-09  *[0-9.]*  *[0-9]*  *inexact'
holds "the answer has no cause" sh -c 'grep "finer run" o | tail -n 1 | grep -q "[0-9]  *$"'
"$e" check kepler --tol 1e-6 > o; holds "no trace unless it is asked for" sh -c '! grep -q "^  trace" o'
"$e" check kepler --tol 1e-6 --json > o; holds "nor in JSON" sh -c '! grep -q "\"trace\"" o'
says 2 'give --tol, and no --flow' check kepler --flow verlet --trace
counted
