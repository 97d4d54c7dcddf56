#!/bin/bash
# holds: models in C compile, load and run, and those that crash or exit are reported
set -u
. "$(dirname "$0")/../common/command.sh"
# ends CODE "WORDS" ARGUMENT...: the command ends so and says so
ends() {
  local code=$1 words=$2
  shift 2
  "$e" "$@" >out 2>err
  local got=$?
  [ $got = "$code" ] || bad "'$*' ends with $got, not $code: $(tail -n 1 err)"
  [ -z "$words" ] || grep -qF -- "$words" err || bad "'$*' does not say '$words': $(tail -n 1 err)"
}

# ---- the template is a whole model, under any name ----
"$e" new duffing >duffing.c || bad "new fails"
[ "$(grep -c mymodel duffing.c)" = 0 ] && [ "$(grep -c duffing duffing.c)" -ge 4 ] || bad "the template keeps its own name"
ends 0 '' run duffing.c k=2 --out a.csv --quiet
[ "$(head -n 1 a.csv)" = t,x,v,energy ] || bad "columns: $(head -n 1 a.csv)"
[ "$(wc -l <a.csv)" = 1002 ] || bad "$(wc -l <a.csv) lines"
# the energy of verlet comes back: at the end of 50 it is within 2e-3 of k/2 + c/4 = 1.125
tail -n 1 a.csv | awk -F, '{ d = $4 - 1.125; exit !(d*d < 4e-6) }' || bad "energy $(tail -n 1 a.csv)"
# x'' = -2 x - x^3/2 from x = 1 comes back after 4 times the integral of du/sqrt(2 + (1 + sin^2 u)/4) over a quarter turn
"$e" run duffing.c k=2 --tol 1e-11 --end 4.079189804311773 --out back.csv --stats back.json --quiet || bad "a tolerance fails"
tail -n 1 back.csv | awk -F, '{ x = $2 - 1; v = $3; exit !(x*x < 1e-18 && v*v < 1e-18) }' ||
  bad "it does not come back: $(tail -n 1 back.csv)"
grep -q '"flow": "\(adams(\|tolerance(dop853\|cvode\)' back.json || bad "--tol takes another flow: $(grep '"flow"' back.json)"
for wrong in '1x' 'a b' 'a(b)' ''; do ends 2 'cannot be the name of a model' new "$wrong"; done
ends 2 'needs a name' new

# ---- a shared object, with and without a folder, is the same model ----
"$CC" -O2 -std=gnu11 -ffp-contract=off -fPIC -shared -I"$SOURCE/include" duffing.c -o duffing.so ||
  bad "the template does not compile by hand"
ends 0 '' run duffing.so k=2 --out b.csv --quiet
ends 0 '' run "$PWD/duffing.so" 'k=2' --out c.csv --quiet
cmp -s a.csv b.csv && cmp -s a.csv c.csv || bad "the shared object moves otherwise"
# of another release it runs, unless the structs are others
sed 's/EPI_MODEL/#undef EPI_VERSION\n#define EPI_VERSION "0.0.1"\nEPI_MODEL/' duffing.c >release.c
"$CC" -O2 -std=gnu11 -ffp-contract=off -fPIC -shared -I"$SOURCE/include" release.c -o release.so &&
  ends 0 '' run release.so k=2 --out d.csv --quiet
cmp -s a.csv d.csv || bad "a model of another release moves otherwise"
sed 's/EPI_MODEL/#undef EPI_ABI_VERSION\n#define EPI_ABI_VERSION 1\nEPI_MODEL/' release.c >old.c
"$CC" -std=gnu11 -fPIC -shared -I"$SOURCE/include" old.c -o old.so && ends 2 'compiled with the header of Epicycle 0.0.1' run old.so

# ---- its own refusals, names, units ----
ends 2 'did you mean k?' run duffing.c kk=3
ends 2 'm = -1 must be positive' run duffing.c m=-1
ends 2 'c = -2 lets the mass run away' run duffing.c c=-2
ends 0 '' run duffing.c 'k=2 N/m' --end 1 --quiet
ends 2 'k: mm is a length' run duffing.c k=1mm
ends 0 '' run duffing.c 'k=0.002 N/mm' --out d.csv --quiet
cmp -s a.csv d.csv || bad "0.002 N/mm is not 2 N/m"

# ---- a model that says the least: no units, words, flow, step and end ----
cat >least.c <<'C'
#include <epicycle.h>
#include <math.h>
static const epi_param P[] = {{.name = "k", .value = 900}, {0}};
static int force(epi_system *s, double t, const double *q, double *f)
{ (void)t; f[0] = -*(const double *)s->data*q[0] + 0.3*q[1]; f[1] = -sin(q[1]) + 0.3*q[0]; return 0; }
static double angle(const epi_case *c, const epi_state *s) { (void)c; return atan2(s->y[0], s->y[1]); }
static double small(const epi_case *c, const epi_state *s) { (void)c; return 1e-9*s->y[0]; }
static double total(const epi_case *c, const epi_state *s)
{ const double *y = s->y; return (y[2]*y[2] + y[3]*y[3] + c->p[0]*y[0]*y[0])/2 - cos(y[1]) - 0.3*y[0]*y[1]; }
static const epi_observable O[] = {{.name = "angle", .value = angle}, {.name = "small", .value = small},
  {.name = "nothing", .value = small}, {.name = "total", .value = total, .invariant = 1}, {0}};
static int make(epi_case *c)
{ c->system = (epi_system){.nq = 2, .force = force, .data = c->p}; if (epi_case_start(c)) return -1; c->y[0] = 0.1; c->y[1] = 1; return 0; }
EPI_MODEL = {.name = "least", .params = P, .make = make, .observables = O};
C
ends 2 'the end 0 is not after the start t = 0: give a later one with --end' run least.c
ends 2 'the end 0 is not after the start t = 0: give a later one with --end' check least.c --tol 1e-6
ends 2 "--end 'x' is no number" check least.c --tol 1e-6 --end x
ends 0 '' run least.c --end 5 --tol 1e-9 --out exact.csv --quiet
for tol in 1e-3 1e-6; do
  ends 0 '' run least.c --end 5 --tol $tol --out least.csv --report least.html --plot least.svg --stats least.json
  paste -d, <(tail -n 1 exact.csv) <(tail -n 1 least.csv) |
    awk -F, -v tol=$tol '{ for (i = 2; i <= 5; i++) { d = $i - $(i + 9); if (!(d*d <= 9*tol*tol*(i > 3 ? 9 : 1))) exit 1 } }' ||
    bad "a model that says the least is not right to $tol"
done
ends 0 '' check least.c --tol 1e-6 --end 5
grep -q '^to     t = 5, right to 1e-06$' out || bad "check --end: $(sed -n 2p out)"
ends 0 '' check least.c --flow herk4 --step '10 ms' --end '2 s'
grep -q '^model  least$' out && grep -q '^step   0.01  to t = 2$' out || bad "check of a model without words: $(head -n 3 out)"
ends 0 '' run least.c --end 5 --flow 'tolerance(dop853)' --step 0.1
ends 0 '' show least.c
ends 0 '' show least.c --json
ends 0 '' sweep least.c k=100:900:400 --end '3 s' --tol 1e-4 --out least-sweep.csv
[ "$(grep -c ',done,' least-sweep.csv)" = 3 ] || bad "sweep of a model that says the least: $(cat least-sweep.csv)"
# a coordinate without a name is called as its column is; a start that is no number is told before anything is tried
ends 0 '' run least.c --end 5 --flow 'at(tolerance(dop853), of=q2)' --events least-events.csv
[ "$(wc -l <least-events.csv)" -ge 2 ] || bad "no events of q2"
sed 's/c->y\[1\] = 1;/c->y[1] = NAN;/' least.c >nowhere.c
ends 2 'least: q2 is nan at the start: give a finite number' run nowhere.c --end 5
ends 2 'least: q2 is nan at the start' run nowhere.c --end 5 --flow verlet --step 0.01
# all of the motion is fast, and what was chosen does not warn of itself
sed 's/0.3\*q\[1\]/0/; s/-sin(q\[1\]) + 0.3\*q\[0\]/-1e6*q[1]/; s/\.value = 900/.value = 1e6/' least.c >quick.c
for tol in 1e-3 1e-6; do
  ends 0 '' run quick.c --end 20 --tol $tol --full
  grep -q 'by  revolve(substeps' out || bad "quick.c is solved by $(grep 'by  ' out)"
  ! grep -q micro-steps err || bad "a flow that was chosen warns of itself: $(cat err)"
done
# the slow part alone is said also where there is no summary, unless it was asked for
for how in '--quiet --out slow.csv' '--out -'; do
  # shellcheck disable=SC2086
  "$e" run 'stiff-springs(w2=20000)' --tol 1e-3 $how >out 2>err || bad "stiff springs $how"
  grep -q 'numbers of the slow part of the motion alone' err || bad "the slow part is not said with $how"
done
"$e" run 'stiff-springs(w2=20000)' --tol 1e-3 --slow --quiet --out slow.csv 2>err || bad "the slow part of stiff springs"
! grep -q 'numbers of the slow part' err || bad "the slow part is told as news to who asked for it"

# the code of a page has such words too, in front of them no space
! grep -l '[ >"](null)' out err least.html least.svg least.json || bad "a word that is not there is shown"

# ---- files that are none ----
ends 2 'there is no file nothing.c' run nothing.c
mkdir folder.c
ends 2 'folder.c is not a file' run folder.c
echo 'int x;' >empty.c
ends 2 'empty.c holds no model' run empty.c
echo text >text.so
ends 2 'text.so cannot be loaded' run text.so
CC=no-such-compiler ends 2 "'no-such-compiler' cannot be started" run duffing.c
TMPDIR=/nowhere ends 2 'cannot make a folder in /nowhere' run duffing.c

# ---- what does not compile shows the compiler's message, with the file and the line ----
sed 's/return 0;/retrn 0;/' duffing.c >wrong.c
ends 2 'wrong.c does not compile' run wrong.c
grep -q 'wrong.c:[0-9]*' err || bad "the compiler's message is missing"
sed 's/\.name = "duffing"/.name = "a b"/' duffing.c >name.c
ends 2 "the name of the model is 'a b'" run name.c
sed 's/\.make = make, //' duffing.c >unmade.c
ends 2 'a model needs at least a name and a make' run unmade.c
# what the file is to be undefined is a matter of loading
sed 's/return 0;/return undefined_elsewhere();/; s/#include <math.h>/int undefined_elsewhere(void);/' duffing.c >undefined.c
ends 2 'undefined.c cannot be loaded' run undefined.c

# ---- what crashes leaves what was finished ----
cat >crash.c <<'EOF'
#include <epicycle.h>
#include <stdlib.h>
static int force(epi_system *s, double t, const double *q, double *f)
{
  (void)s;
  f[0] = -q[0];
  if (t > 3) { CRASH }
  return 0;
}
static int make(epi_case *c)
{
  c->system = (epi_system){.nq = 1, .force = force};
  if (epi_case_start(c)) return -1;
  c->y[0] = 1;
  return 0;
}
EPI_MODEL = {.name = "crash", .make = make, .flow = "verlet", .step = 0.01, .end = 10};
EOF
crashes() { # NAME CODE-THAT-CRASHES "WORDS"
  sed "s/CRASH/$2/" crash.c >"$1.c"
  rm -f rows.csv stats.json page.html
  ends 1 "$3" run "$1.c" --out rows.csv --stats stats.json --report page.html
  [ "$(wc -l <rows.csv)" = 302 ] || bad "$1: $(wc -l <rows.csv) lines of 302"
  [ "$(tail -n 1 rows.csv | cut -c1-2)" = '3,' ] || bad "$1: the last row is $(tail -n 1 rows.csv)"
}
crashes wild 'volatile int *p = 0; *p = 1;' 'wild.c: its code crashed (segmentation fault) after t = 3; the rows so far are in rows.csv'
grep -q '"status": "failed"' stats.json || bad "the statistics of a crash say nothing"
grep -q 'class="failure"' page.html || bad "the page of a crash says nothing"
crashes abandoned 'abort();' '(abort)'
crashes leaving 'exit(3);' 'leaving.c: its code crashed (it called exit()) after t = 3'
grep -q '"status": "failed"' stats.json || bad "the statistics of an exit say nothing"
# what is told of a crash is the last whole row, not a step half done
awk -F, 'END { print $2 }' rows.csv >x
[ "$(sed -n 's/.*"state": {"t": 3, "q1": \([^,]*\),.*/\1/p' stats.json)" = "$(cat x)" ] ||
  bad "the state after a crash: $(grep state stats.json), the row: $(cat x)"
# between two good runs it takes neither with it
printf \
  'report: three.html\nend: 5\nruns:\n  - {name: a, model: kepler}\n  - {name: b, model: leaving.c}\n  - {name: c, model: wild.c}\n  - {name: d, model: kepler, parameters: {e: 0.1}}\n' >three.yaml
ends 1 'leaving.c: its code crashed' run three.yaml
grep -c '  done  ' out | grep -qx 2 || bad "the runs beside a crash: $(cat out)"
[ -s three.html ] && [ "$(grep -c 'class="failure">[^T]' three.html)" -ge 2 ] || bad "the page beside a crash"
# where it draws itself
awk '/\.name = "wall"/ { print "  *(volatile int *)0 = 1;" } { print }' duffing.c >draws.c
ends 1 'its code crashed (segmentation fault)' run draws.c --end 1 --report draws.html --out draws.csv
[ -s draws.html ] && [ "$(wc -l <draws.csv)" = 22 ] || bad "a crash in draw takes the rest with it"
# in an observable, at the row after t = 3; the row that it was at is not there
sed 's/^static double energy_now.*{ return/& s->t > 3 ? *(volatile int *)0 :/' duffing.c >observed.c
grep -q volatile observed.c || bad "the template has no observable"
for f in csv npy json; do
  ends 1 'observed.c: its code crashed (segmentation fault) after t = 3; the rows so far are in' \
    run observed.c --out "observed.$f" --every 0.01 --stats stats.json
  grep -q '"rows": 301,' stats.json || bad "rows after a crash in an observable: $(grep '"rows"' stats.json)"
done
[ "$(wc -l <observed.csv)" = 302 ] || bad "an observable that crashes: $(wc -l <observed.csv) lines of 302"
# 301 rows of 4 doubles after a head of 128 bytes that counts them; a JSON that is closed
[ "$(wc -c <observed.npy)" = 9760 ] && head -c 128 observed.npy | grep -qa "'shape': (301, 4)" ||
  bad "the NPY of a crash: $(head -c 128 observed.npy | tail -c +11)"
[ "$(tail -n 1 observed.json)" = ' ]}' ] && [ "$(grep -c '^  \[' observed.json)" = 301 ] ||
  bad "the JSON of a crash: $(tail -n 2 observed.json)"
# all of them between good runs: what is good is done, the page has all
printf 'report: five.html\nend: 5\nruns:\n  - {name: a, model: duffing.c}\n  - {name: b, model: observed.c}\n  - {name: c, model: draws.c}\n  - {name: d, model: kepler}\n  - {name: e, model: duffing.c, parameters: {k: 2}}\n' >five.yaml
ends 1 'observed.c: its code crashed' run five.yaml --out five.csv
grep -qF 'draws.c: its code crashed (segmentation fault) after t = 5' err || bad "a crash in draw between good runs: $(cat err)"
grep -c '  done  ' out | grep -qx 3 || bad "the runs beside two crashes: $(cat out)"
[ "$(grep -c 'class="failure">[^T]' five.html)" = 2 ] || bad "the page beside two crashes"
for n in a b c d e; do [ -s "five-$n.csv" ] || bad "no rows of $n"; done
"$e" run observed.c --json >observed.out 2>err; [ $? = 1 ] && grep -q '"status": "failed"' observed.out || bad "--json of a crash"

# who stops reading ends it without a word
"$e" run duffing.c --end 20000 --every 0 --out - 2>err | head -n 1 >out
[ "${PIPESTATUS[0]}" = 141 ] && [ ! -s err ] && [ "$(cat out)" = t,x,v,energy ] || bad "a reader that left: $(cat err)"

# ---- what hangs is ended by the wish to stop; rows and checkpoint stay ----
# it leaves its number in a file, and there it stays
hangs='FILE *here = fopen("here.new", "w"); fprintf(here, "%d", (int)getpid()); fclose(here); rename("here.new", "here"); for (volatile int i = 0; !i;) continue;'
# stopped SIGNAL ARGUMENT...: runs until it hangs, then is told to stop; its exit code is in $code
stopped() {
  local signal=$1
  shift
  rm -f here
  "$e" "$@" >out 2>err &
  local run=$!
  for ((i = 0; i < 600; i++)); do [ -e here ] && break; sleep 0.1; done
  kill -"$signal" $run
  wait $run
  code=$?
  kill -0 "$(cat here)" 2>/dev/null && bad "'$*' leaves a process behind"
}
{ echo '#include <stdio.h>'; echo '#include <unistd.h>'; sed "s/CRASH/$hangs/" crash.c; } >hang.c
stopped TERM run hang.c --out hang.csv --stats hang.json --checkpoint hang.check --checkpoint-every 0.0001 --report hang.html
[ $code = 1 ] || bad "a hang ends with $code"
grep -qF 'hang.c: its code did not come back after t = 3 and was ended; the rows so far are in hang.csv; go on with: epicycle resume hang.check' err ||
  bad "a hang says: $(cat err)"
grep -q '"status": "interrupted"' hang.json && grep -q 'class="failure"' hang.html || bad "the statistics or the page of a hang"
sed 's/CRASH//' crash.c >came.c
"$e" run came.c --out came.csv --quiet || bad "the model without a hang fails"
head -n 302 came.csv | cmp -s - hang.csv || bad "the rows of a hang are not those of the run: $(wc -l <hang.csv) lines of 302"
# its checkpoint is whole, and leads there again
stopped TERM resume hang.check
[ $code = 1 ] && grep -q 'did not come back after t = 3' err || bad "a resumed hang ends with $code: $(cat err)"
head -n 302 came.csv | cmp -s - hang.csv || bad "the rows of a resumed hang: $(wc -l <hang.csv) lines of 302"
# while it is made, and in check; several runs end there
{ echo '#include <stdio.h>'; echo '#include <unistd.h>'; sed "s/c->y\[0\] = 1;/$hangs/" crash.c | sed 's/CRASH//'; } >stuck.c
for verb in run check; do
  stopped HUP $verb stuck.c
  [ $code = 1 ] && grep -q 'stuck.c: its code did not come back' err ||
    bad "$verb of a model that is never made ends with $code: $(cat err)"
done
printf 'runs:\n  - {name: a, model: kepler}\n  - {name: b, model: hang.c}\n  - {name: c, model: kepler}\n' >hangs.yaml
stopped TERM run hangs.yaml --out each.csv
[ $code = 1 ] && grep -q 'not run: c' err && [ -s each-a.csv ] && [ "$(wc -l <each-b.csv)" = 302 ] ||
  bad "a hang between runs ends with $code: $(cat err)"
# of a run that recurses without end the sanitizer has its own opinion
if ! grep -q __asan_init "$e"; then crashes deep 'return force(s, t, q, f) + force(s, t, q, f);' '(segmentation fault)'; fi
# in check too
sed 's/c->y\[0\] = 1;/abort();/' crash.c | sed 's/CRASH//' >makes.c
ends 1 'makes.c: its code crashed (abort)' check makes.c
# a crash before anything is there
sed 's/c->y\[0\] = 1;/abort();/' crash.c | sed 's/CRASH//' >early.c
ends 1 'early.c: its code crashed (abort)' run early.c --out early.csv

# ---- in a model file: units, and nothing that is read is written over ----
printf 'model: duffing.c\nparameters: {k: 0.002 N/mm, x0: 100 cm}\n' >units.yaml
ends 0 '' run units.yaml --out u.csv --quiet
cmp -s a.csv u.csv || bad "units of a model in a file"
printf 'model: duffing.c\nparameters: {k: 2 mm}\n' >units.yaml
ends 2 'k: mm is a length' run units.yaml
printf 'model: kepler\n' >kepler.yaml
ends 2 'would write over the model in kepler.yaml' run kepler.yaml --checkpoint ./kepler.yaml
ends 2 'would write over the model in duffing.c' run duffing.c --stats ./duffing.c
ends 2 'must be different files' run kepler --out a1.csv --stats ./a1.csv

# ---- going on needs the file as it was ----
ends 0 '' run duffing.c --end 2000 --out whole.csv --quiet
"$e" run duffing.c --end 2000 --out half.csv --checkpoint half.check --checkpoint-every 0.001 --quiet --report half.html ||
  bad "checkpoints fail"
ends 0 '' resume half.check
cmp -s whole.csv half.csv || bad "checkpoints change the rows"
echo '/* changed */' >>duffing.c
ends 0 '' resume half.check
grep -q complete out || bad "a complete run is run again"
[ $failed = 0 ] && echo "models of users: all well"
exit $failed
