#!/usr/bin/env bash
# holds: two runs on one output or checkpoint are kept apart, and a killed run resumes only its own rows
# locks.sh EPICYCLE - whose a file is: two runs on one output or one checkpoint are kept apart, a run that was killed goes on with its own
# rows or not at all, by the command and the code that began it, and files beside a checkpoint stay as they are
# label: long   label: once   cost: 30
set -u
. "$(dirname "$0")/../common/command.sh"
: "${CC:=cc}"
export CC TMPDIR=$dir/tmp
mkdir tmp
slow_model slow.c
long=$slowly
events="run slow.c x0=0.05 v0=-1 --flow at(verlet,of=x) --step 0.01 --every 0.01 --end 20"
# locked FILE: a run has it
locked() { ! flock -n "$1" true; }
free() { ! locked "$1"; }
# begin WORDS ...: it runs slowly, and has a checkpoint of some of its rows
begin() {
  touch hold
  "$e" "$@" --checkpoint-every 0.02 --quiet 2> begun.err & pid=$!
  wait_until grown "$checkpoint"
}
# the model runs in a process of its own, which ends a little later
dead() { kill -KILL $pid; wait $pid 2> gone; wait_until free "$checkpoint"; rm -f hold; }
checkpoint=a.checkpoint

echo "# rows of two runs"
for f in csv npy json; do
  rm -f a.*
  "$e" $long --out whole.$f --quiet || exit 1
  begin $long --out a.$f --checkpoint a.checkpoint
  dead
  cp a.$f mine.$f
  "$e" $long --out a.$f --quiet x0=0.3; cp a.$f other.$f
  says 2 "a.$f is not what this run wrote into it" resume a.checkpoint
  holds "$f: the other one is not touched" cmp a.$f other.$f
  # one byte in a row long ago
  cp mine.$f a.$f; printf 7 | dd of=a.$f bs=1 seek=500 conv=notrunc 2> gone; cp a.$f changed.$f
  says 2 "a.$f is not what this run wrote into it" resume a.checkpoint; holds "not touched" cmp a.$f changed.$f
  cp mine.$f a.$f; "$e" resume a.checkpoint --quiet 2> err; holds "its own, $f: $(cat err)" cmp a.$f whole.$f
done
rm -f a.*; begin $events --out a.csv --events e.csv --checkpoint a.checkpoint; dead
cp a.csv mine.csv; { head -n 1 e.csv; tail -n +2 e.csv | tr 1 2; } > e && mv e e.csv
says 2 'e.csv is not what this run wrote' resume a.checkpoint; holds "the rows are not cut either" cmp a.csv mine.csv

echo "# two at once"
rm -f a.* e.csv
begin $events --out a.csv --events e.csv --checkpoint a.checkpoint
says 2 'another run is writing a.csv: wait for its end, or choose another place with --out' run kepler --out a.csv
says 2 'another run is writing e.csv' $events --out b.csv --events e.csv; holds "nothing is made" test ! -e b.csv
says 2 'another run .*a.checkpoint' run kepler --checkpoint a.checkpoint
says 2 'another run keeps its checkpoint in a.checkpoint: wait for its end' resume a.checkpoint
holds "the first one runs on: $(cat begun.err)" kill -0 $pid
dead
# nothing is left of a lock
holds "no files of locks: $(ls)" test -z "$(ls | grep -i lock)"
touch hold; "$e" resume a.checkpoint --quiet 2> err & pid=$!
wait_until locked a.checkpoint; says 2 'another run' resume a.checkpoint; dead
"$e" run kepler --out a.csv --quiet; holds "the next run has it" test $? -eq 0

echo "# by whom"
# forge FILE FROM TO: one word of the request for another of the same length, with the right checksum
forge() {
  python3 - "$@" <<'P'
import struct, sys, zlib
path, old, new = sys.argv[1], sys.argv[2].encode(), sys.argv[3].encode()
b = open(path, "rb").read()
magic, version, kind, check, size = struct.unpack("<4sIIIQ", b[:24])
c = b[24:24 + size].replace(old, new, 1)
assert len(c) == size and c != b[24:24 + size]
check = zlib.crc32(c, zlib.crc32(struct.pack("<IIQ", version, kind, size)))
open(path, "wb").write(struct.pack("<4sIIIQ", magic, version, kind, check, size) + c + b[24 + size:])
P
}
version=$("$e" --version | sed 's/epicycle //')
rm -f a.*; "$e" $long --out whole.csv --quiet; begin $long --out a.csv --checkpoint a.checkpoint; dead
cp a.checkpoint kept; forge a.checkpoint "epicycle=$version" "epicycle=$(echo "$version" | tr 0-9 8)"
says 2 "was written by Epicycle .* and this is $version.*--force" resume a.checkpoint
cp kept a.checkpoint; forge a.checkpoint build= duild=; forge a.checkpoint pause= build=
says 2 'was written by another build of Epicycle.*--force' resume a.checkpoint
"$e" resume a.checkpoint --force --quiet 2> err; holds "--force: $(cat err)" cmp a.csv whole.csv

echo "# of what code"
mkdir own && cd own || exit 1
sed 's/#include <epicycle.h>/&\n#include "stiff.h"/' ../slow.c > pump.c
echo '#define STIFF 1' > stiff.h
holds "it includes" has pump.c stiff.h
checkpoint=p.checkpoint
pumped="run pump.c --flow verlet --step 0.01 --every 0.01 --end 20"
pump() { rm -f p.*; begin $pumped --out p.csv --checkpoint p.checkpoint; dead; cp p.csv p0; }
pump
echo '#define STIFF 2' > stiff.h
says 2 'pump.c is compiled from other files, or by another CC or CFLAGS.*--force' resume p.checkpoint
echo '#define STIFF 1' > stiff.h
CFLAGS=-O1 says 2 'pump.c is compiled from other files, or by another CC or CFLAGS' resume p.checkpoint
holds "nothing was cut" cmp p.csv p0
echo '/* more */' >> pump.c; says 2 'pump.c is not what it was' resume p.checkpoint
"$e" resume p.checkpoint --force --quiet 2> err; code=$?; holds "--force: $(cat err)" test $code -eq 0
pump
"$e" resume p.checkpoint --quiet 2> err; code=$?; holds "as it was: $(cat err)" test $code -eq 0
"$e" $pumped --out q.csv --quiet; holds "to the same bytes" cmp p.csv q.csv
cd ..

echo "# beside a checkpoint, a page, a picture"
echo mine > c.new; echo mine > r.html.new; echo victim > victim
ln -s victim d.new; ln -s victim s.html.new
"$e" run kepler --checkpoint c --report r.html --stats r.json --quiet; "$e" run kepler --checkpoint d --report s.html --quiet
holds "a file of the user's" test "$(cat c.new)$(cat r.html.new)" = minemine
holds "no link is followed" test "$(cat victim)" = victim
holds "nothing is left: $(ls | grep epicycle-)" test -z "$(ls | grep epicycle-)"
touch x.epicycle-12300.new; "$e" run kepler --checkpoint x --quiet; holds "what a killed one left goes" test ! -e x.epicycle-12300.new
echo old > there; ln -s there link.json; "$e" run kepler --stats link.json --quiet
holds "a link of the user's stays one" test -L link.json; holds "and leads to the new" has there '"status": "done"'
umask 027; "$e" run kepler --stats u.json --checkpoint u --quiet
holds "the mode is the user's" test "$(stat -c %a u.json u | tr '\n' ' ')" = "640 640 "

echo "# the compiler, and what it leaves"
# nobody clears up after what was killed while it compiled
rm -rf tmp/*
mkdir odd && cd odd || exit 1
"$e" new pump > plain.c
cp plain.c @r.c; cp plain.c ./-x.c; echo '-DNONSENSE=(' > r.c
"$e" run @r.c --end 1 --quiet 2> err; code=$?; holds "@r.c is a file: $(cat err)" test $code -eq 0
"$e" run --end 1 --quiet -- -x.c 2> err; code=$?; holds "-x.c is a file: $(cat err)" test $code -eq 0
cd ..
echo '#!/bin/sh
touch "$HERE/started"; sleep 5; exec cc "$@"' > slowcc; chmod +x slowcc
for signal in TERM INT HUP; do
  rm -f started
  # what runs in the background of a script ignores Ctrl-C, unless it is told otherwise
  HERE=$dir CC=$dir/slowcc python3 -c '
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' \
    "$e" run odd/plain.c --end 1 --quiet 2> err & pid=$!
  wait_until test -e started
  kill -$signal $pid; wait $pid 2> gone; code=$?
  holds "SIG$signal while it compiles: exit $code" test $code -gt 128; holds "nothing is left: $(ls tmp)" test -z "$(ls tmp)"
done
{ cat odd/plain.c; echo '#include <unistd.h>
static void __attribute__((constructor)) wait_long(void) { close(creat("constructed", 0600)); sleep(20); }'; } > hang.c
"$e" check hang.c > o 2> err & pid=$!
wait_until test -e constructed
kill -TERM $pid; wait $pid 2> gone; code=$?
holds "SIGTERM in a constructor: exit $code" test $code -eq 143; holds "nothing is left: $(ls tmp)" test -z "$(ls tmp)"

counted
