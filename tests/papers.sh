#!/usr/bin/env bash
# papers.sh EPICYCLE - a table of every paper and a drawing, quickly; reproduce.sh and figures.sh have them all
set -u
. "$(dirname "$0")/common/command.sh"

# one PAPER TABLE PATTERN: recomputed with exit 0, and a line of it
one() {
  "$e" reproduce "$1" "$2" > o 2> err; holds "$1 $2: exit 0, $(head -n 1 err)" test $? -eq 0
  holds "$1 $2: $3" has o "$3"
}
one vibrations 2.2 'H=1/10 .*w=1e4 .* agrees '
one stiff 1 'agrees'
one thesis bounce 'met1 at eps = 0.1, position error *0.169538'
one thesis density 'true'
"$e" reproduce vibrations distance --figures drawn > o; holds "drawn: exit 0" test $? -eq 0
holds "told where" has o '^the figures are in drawn$'
holds "eight drawings" test "$(ls drawn/*.svg | wc -l)" -eq 8
for f in drawn/*.svg; do
  holds "$f begins and ends" test "$(head -c 4 "$f")$(tail -n 1 "$f")" = "<svg</svg>"
  holds "$f: all is a number" test "$(grep -ciE "nan|[^a-z]inf[^a-z]" "$f")" -eq 0
done
counted
