#!/usr/bin/env bash
# holds: a table of every paper and a drawing are reproduced
# papers.sh EPICYCLE - a table of every paper and a drawing, quickly; reproduce.sh and figures.sh have them all
# label: once   cost: 15
set -u
. "$(dirname "$0")/../common/command.sh"

# one PAPER TABLE PATTERN: recomputed with exit 0, and a line of it
one() {
  "$e" reproduce "$1" "$2" > o 2> err; holds "$1 $2: exit 0, $(head -n 1 err)" test $? -eq 0
  holds "$1 $2: $3" has o "$3"
}
one vibrations 2.2 'H=1/10 .*w=1e4 .* agrees '
one stiff 1 'agrees'
one thesis bounce 'met1 at eps = 0.1, position error *0.169538'
one thesis density 'true'

# labels: what is arithmetic, what is chaotic, what another reading stood in for
one vibrations 2.2 'H=1/80 .* 128000 ([0-9]*) .* by formula .*even=1'
holds "the reason" has o '^  by formula: H=1/10 micro-steps, .*In parentheses the steps that the library took'
holds "the count" has o '15 agree, 5 labelled (4 by formula, 1 truncated), 0 differ'
one thesis rotor 'with the minus .* by formula, not by the library$'
holds "counted" has o '5 claims, [0-9]* numbers (2 by formula): '
one thesis oscillator 'G as printed, energy error 10 at step *218 '
holds "lost at step 218 is chaotic" has o '^      chaotic: 217 to 260, for errors of 1 to 1000'
one thesis bounce '^    not reproduced: up to eps = 0.2 both do'
holds "nothing is false there" has o ', 0 false, 1 not reproduced, 0 differ'
one semi-explicit 6.1 'slow frequency .* the forces of two-oscillators$'

# a run that a plain `run` would warn of is run, flagged, and its numbers stand
sed 's/^\(# run rotor-splitting: rotor .*\) | 0.2 | /\1 | 2.5 | /' "$SOURCE/papers/thesis.csv" > bent.csv
holds "a longer step" test "$(cmp -s bent.csv "$SOURCE/papers/thesis.csv"; echo $?)" -eq 1
"$e" reproduce thesis rotor --data bent.csv > o; holds "its numbers differ" test $? -eq 1
holds "flagged" has o '^      flagged: the step 2.5 is too long for the fastest oscillation'
holds "in the summary" has o '[0-9] numbers flagged'
"$e" reproduce thesis rotor --data bent.csv --json > o; holds "in JSON" has o '"flagged": "the step 2.5 is too long'
holds "as it is nothing is flagged" test "$("$e" reproduce thesis rotor | grep -c flagged)" -eq 0
"$e" reproduce vibrations distance --figures drawn > o; holds "drawn: exit 0" test $? -eq 0
holds "told where" has o '^the figures are in drawn$'
holds "eight drawings" test "$(ls drawn/*.svg | wc -l)" -eq 8
for f in drawn/*.svg; do
  holds "$f begins and ends" test "$(head -c 4 "$f")$(tail -n 1 "$f")" = "<svg</svg>"
  holds "$f: all is a number" test "$(grep -ciE "nan|[^a-z]inf[^a-z]" "$f")" -eq 0
done

# the papers are a program beside the command: also by a link to it, and a copy of the command alone says what is missing
ln -s "$e" linked && ./linked reproduce > listed; holds "by a link" test $? -eq 0
"$e" reproduce > list; holds "the same list" cmp -s list listed
mkdir alone && cp "$e" alone/epicycle
alone/epicycle reproduce thesis rotor > o 2> err; holds "alone: exit 2" test $? -eq 2
holds "what is missing, and the remedy" grep -q 'alone/epicycle-papers, which has the papers, cannot be started: .*make install' err
alone/epicycle reproduce --json > o 2> err; holds "alone, in JSON" has o '"status": "refused"'
holds "nothing to complete, and no word" test -z "$(alone/epicycle completion --words -- reproduce '' 2>&1)"
alone/epicycle help reproduce > o; holds "help is the command's" has o '^Use: epicycle reproduce'
counted
