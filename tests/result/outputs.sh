#!/usr/bin/env bash
# holds: no row is lost with exit code 0, whether outputs are pipes, devices, full disks or closed streams
# outputs.sh EPICYCLE - every output to every kind of place: pipes, devices, closed streams, full disks, readers that leave. No row is
# lost with exit code 0, what was written can be read, and nothing waits for ever
# label: long   label: once   cost: 13
set -u
. "$(dirname "$0")/../common/command.sh"
rows=897
# run with a time limit: what waits for ever ends with 124
soon() { timeout -k 1 300 "$@"; }
lines() { wc -l < "$1"; }
json() { python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); print(len(d.get("rows", d.get("events", []))))' "$1"; }
# npy FILE: the rows that its head speaks of, where they are there to the byte
npy() {
  python3 - "$1" <<'P'
import re, sys
b = open(sys.argv[1], "rb").read()
n, m = map(int, re.search(rb"'shape': \((\d+), (\d+)\)", b[:128]).groups())
print(n if len(b) == 128 + 8*n*m else "%d bytes for %d rows" % (len(b), n))
P
}
"$e" run kepler --out whole.csv --quiet || exit 1
holds "the whole has $rows lines" test "$(lines whole.csv)" -eq $rows

echo "# pipes"
"$e" run kepler --out /dev/stdout --checkpoint c --quiet | cat > o; holds "/dev/stdout is -: $(lines o) lines" cmp o whole.csv
for name in /dev/fd/1 /proc/self/fd/1; do
  "$e" run kepler --out $name --checkpoint c | cat > o; holds "$name is -: $(lines o) lines" cmp o whole.csv
done
echo before > a; "$e" run kepler --out /dev/stdout --quiet >> a; holds "appended, not cut" cmp a <(echo before; cat whole.csv)
"$e" run kepler --out - --quiet >> a; holds "so is -" test "$(lines a)" -eq $((2*rows + 1))
mkfifo fifo fifo.npy fifo.json stats plot.svg page.html events.csv
soon cat fifo > o & soon "$e" run kepler --out fifo --quiet; holds "a pipe with a name" test $? -eq 0; wait
holds "its rows" cmp o whole.csv
soon cat fifo.json > o & soon "$e" run kepler --out fifo.json --quiet; wait; holds "JSON through a pipe" test "$(json o)" = $((rows - 1))
# refused before anything waits: one sentence with the remedy
for f in fifo fifo.json; do says 2 "$f is none: give a file, or -" run kepler --out $f --checkpoint c; done
says 2 'is none: give a file' run kepler --flow 'at(verlet, of=y)' --step 0.01 --events events.csv --checkpoint c
says 2 'is none: give a file' run kepler --out /dev/null --checkpoint c
says 2 'fifo.npy is a pipe.* give a file, or .csv' run kepler --out fifo.npy
says 2 'is a pipe.* give a file, or .csv' run kepler --flow 'at(verlet, of=y)' --step 0.01 --events fifo.npy
for option in stats plot report; do
  case $option in stats) f=stats ;; plot) f=plot.svg ;; report) f=page.html ;; esac
  soon cat $f > o & soon "$e" run kepler --$option $f --quiet; holds "--$option into a pipe" test $? -eq 0; wait
  holds "--$option: it came through" test "$(wc -c < o)" -gt 500
done
soon cat events.csv > o & soon "$e" run kepler --flow 'at(verlet, of=y)' --step 0.01 --events events.csv --quiet; wait
holds "--events into a pipe" test "$(lines o)" -gt 5
# who stops it ends the wait for a reader
"$e" run kepler --stats stats --quiet 2> err & pid=$!
sleep 1; kill -TERM $pid
for k in 1 2 3 4 5 6 7 8 9 10; do kill -0 $pid 2> gone && sleep 0.5; done
kill -KILL $pid 2> gone && bad "it waits for a reader for ever"; wait $pid 2> gone
# a pipe is not gone on with
soon cat fifo > o & soon timeout --preserve-status -s INT 3 "$e" run kepler --flow verlet --step 2e-7 --end 1e4 --out fifo --quiet 2> err
holds "no checkpoint of a pipe: $(cat err)" has err 'fifo is not a file, so there is no checkpoint'; wait
holds "and none is left" test ! -e fifo.checkpoint

echo "# a reader that leaves"
"$e" run kepler --step 1e-4 --every 0 --out - 2> err | head -n 1 > o
holds "ends as others do: ${PIPESTATUS[0]}" test "${PIPESTATUS[0]}" -eq 141; holds "without a word: $(cat err)" test ! -s err
"$e" run kepler --flow 'at(verlet, of=y)' --step 1e-3 --end 3000 --every 0 --out - --events e.json --stats left.json 2> err | head -n 20 > o
holds "the other files are finished: $(tail -c 40 e.json)" test "$(json e.json)" -ge 0
holds "so are the statistics" has left.json '"status": "failed"'
"$e" list 2> err | head -n 1 > o; holds "list" test ! -s err
(trap '' PIPE; "$e" run kepler --step 1e-4 --every 0 --out - 2> err | head -n 1 > o; exit "${PIPESTATUS[0]}")
holds "who ignores the signal gets a sentence" test $? -eq 1 -a "$(grep -c 'nobody reads it any more' err)" -eq 1

echo "# one file by two names"
says 2 'is the file of standard output: give another, or --out -' run kepler --out o
holds "not touched" test ! -s o
"$e" run kepler --stats both > both 2> err; holds "--stats" test $? -eq 2; holds "says --json" has err 'or --json'
"$e" run kepler --out both.csv 2> both.csv; holds "standard error" test $? -eq 2
holds "its sentence stays" has both.csv 'is the file of standard error'

echo "# closed streams"
"$e" run kepler --flow verlet --step 0.05 --end 100 --out s.csv --quiet 2>&-; holds "closed standard error: exit" test $? -eq 0
holds "no sentence in the rows: $(grep -c epicycle s.csv)" test "$(grep -c epicycle s.csv)" -eq 0
holds "its head is the first line" has <(head -n 1 s.csv) '^t,x,y'
"$e" run kepler --out z.csv >&-; holds "closed standard output: the summary is lost, and that is told" test $? -eq 1
holds "the rows are not" cmp z.csv whole.csv
"$e" run kepler --out q.csv --quiet >&-; holds "nothing to print, nothing lost" test $? -eq 0; holds "rows" cmp q.csv whole.csv
"$e" run kepler --out - >&- 2> err; holds "rows for a closed stream" test $? -eq 1; holds "in words" has err '^epicycle: '
"$e" run kepler --out t.csv --stats t.json --plot t.svg --quiet <&- >&- 2>&-; holds "all three" cmp t.csv whole.csv
holds "statistics alone" test "$(head -c 1 t.json)" = '{'

echo "# a full disk"
# a limit of size is a disk that is full in the middle of a row; the signal that comes with it ends nothing
full() { # KIB FILE WORDS ...
  local limit=$1
  shift
  (ulimit -f "$limit"; exec "$e" run "$@" 2> err)
}
for n in 1 2 3 4 5 6 7 8; do
  rm -f f.*
  for f in csv npy json; do
    full $n kepler --out f.$f --quiet; holds "$n KiB $f: exit" test $? -eq 1
    holds "$n KiB $f: $(cat err)" has err "cannot write f.$f: .*; what fits is kept"
  done
  k=$(lines f.csv)
  holds "$n KiB: $k whole lines" cmp f.csv <(head -n "$k" whole.csv); holds "and what fits" test "$(wc -c < f.csv)" -gt $((n*1024 - 250))
  holds "$n KiB: the head knows its rows: $(npy f.npy)" test "$(npy f.npy)" = $(((n*1024 - 128)/72))
  holds "$n KiB: JSON: $(json f.json 2>&1 | tail -n 1)" test "$(json f.json)" -ge 3
done
full 4 kepler --flow 'at(verlet, of=y)' --step 0.01 --end 400 --events f2.json --stats f2.stats --quiet
holds "events" test "$(json f2.json)" -ge 3; holds "exit and words: $(cat err)" has err 'cannot write f2.json'
full 1 kepler --stats whole.stats --quiet; holds "statistics that do not fit: $(cat err)" has err 'cannot write whole.stats'
holds "leave nothing" test ! -e whole.stats -a -z "$(ls | grep epicycle-)"
echo old > old.svg; full 1 kepler --plot old.svg --quiet; holds "an old picture stays" test "$(cat old.svg)" = old
# the summary counts what is there
full 4 kepler --out f.csv --json > o; holds "rows in the summary" has o "\"rows\": $(($(lines f.csv) - 1)),"
# with room again it goes on to the same bytes
long="run kepler --flow verlet --step 1e-4 --end 60 --every 0.06"
"$e" $long --out long.csv --quiet
(ulimit -f 60; exec "$e" $long --out g.csv --checkpoint g.checkpoint --checkpoint-every 0.001 --quiet 2> err)
holds "it was full: $(cat err)" has err 'cannot write.* g\.c'
"$e" resume g.checkpoint --quiet 2> err; holds "resumed: $(cat err)" cmp g.csv long.csv

counted
