#!/usr/bin/env bash
# holds: sweeps by emitted programs have the bytes of the library, through events, failures and interruptions
# sweep-on.sh - many cases at once by an emitted program: the bytes of the library, on every flow that is emitted, through events, failures
# and interruptions; what cannot be emitted is refused before anything is written
# label: long   cost: 30
set -u
. "$(dirname "$0")/../common/command.sh"
: "${SOURCE:?the source folder}"

# same NAME WORD...: by the library and by a program
same() {
  local name=$1
  shift
  "$e" sweep "$@" --out library.csv --quiet
  local one=$?
  "$e" sweep "$@" --out program.csv --quiet --on compiled
  holds "$name: the same exit code" test $? -eq $one
  holds "$name: the same bytes" cmp library.csv program.csv
  holds "$name: there are rows" test "$(wc -l < program.csv)" -gt 20
}

same direct inverted-pendulum w=1e3:1e4/12 q0=0.1:0.9/12 --end 0.05
same hmm inverted-pendulum w=1e4:1e6/12 q0=0.3:0.9/12 --flow 'verlet(hmm(verlet))' --step 0.02 --end 0.2
same adaptive kepler e=0:0.9/140 --flow 'tolerance(dopri5, rtol=1e-8)' --end 10
same steps kepler e=0:0.9/12 step=0.001:0.01/12 --flow rk4 --end 1
# steps are shorter than half a turn of the phase, whose rate is that of the case
same turns inverted-pendulum w=5e3:1e4/140 vmax=1e-3 --flow 'tolerance(verlet, rtol=0.1)' --step 0.1 --end 0.1
same ends kepler e=0:0.5/12 end=1:3/12 --flow 'symmetric(verlet, order=6)' --step 0.05
same starts pendulum start.q=0.1:1/12 start.v=0:1/12 --flow verlet --step 0.01 --end 3
same event inverted-pendulum vmax=0.5:4/12 w=100:1000/12 q0=0.1 \
  --flow 'at(symmetric(verlet, order=4), of=q, level=1, stop=1)' --step 0.0005 --end 2 --keep t,q,v
same own "$SOURCE/bench/gpu/pendulum.c" w=1e4:1e6/12 q0=0.1:0.9/12 --flow 'verlet(hmm(verlet, kernel=box, steps=80, even=1))' \
  --step 0.0125 --end 0.1
same rope "$SOURCE/examples/models/rope.c" w=1000:3000/12 u=1:2/12 q0=0.02 --flow rk4 --step 1e-4 --end 0.02 --keep q1,v3,height
"$e" sweep "$SOURCE/examples/models/rope.c" w=3000 'u=[1.26, 1.285]' damping=0 --keep floquet --end 0.1 --out floquet.csv --quiet
holds "a rope stands from 1.272 m/s" awk -F, 'NR == 2 { a = $3 } NR == 3 { b = $3 } END { exit !(a > 1.002 && b < 1 + 1e-8) }' floquet.csv

# a start at the centre of the force has no rate: cases that fail say the same; what is doubtful the library alone knows
failing=(kepler start.x=-1:1/101 'start.vy=[0, 0.01]' --flow verlet --step 0.01 --end 2 --quiet)
"$e" sweep "${failing[@]}" --out library.csv
"$e" sweep "${failing[@]}" --out program.csv --on compiled
holds "a failure has its exit code" test $? -eq 1
holds "failures are the same" cmp <(grep failed library.csv) <(grep failed program.csv)
holds "there are some" test "$(grep -c failed program.csv)" -ge 2
holds "numbers are the same" cmp <(cut -d, -f1-10 library.csv) <(cut -d, -f1-10 program.csv)

# a model that the source does not show: another function runs than the one that is read
cat > liar.c << 'C'
#include <epicycle/model.h>
static int force(epi_system *s, double t, const double *q, double *f) { (void)s, (void)t; f[0] = -q[0]; return 0; }
#define force_of other
static int other(epi_system *s, double t, const double *q, double *f) { (void)s, (void)t; f[0] = -2*q[0]; return 0; }
static int make(epi_case *c)
{
  epi_system s = {.nq = 1, .force = force};
  c->system = s;
  int (**slot)(epi_system *, double, const double *, double *) = &c->system.force;
  *slot = force_of;
  if (epi_case_start(c)) return -1;
  c->y[0] = c->p[0];
  return 0;
}
static const epi_param params[] = {{.name = "x", .value = 1}, {0}};
EPI_MODEL = {.name = "liar", .doc = "", .params = params, .make = make, .flow = "verlet", .step = 0.1, .end = 1};
C
says 2 "does not have the forces of the model" sweep liar.c x=1:2/140 --on compiled

# ---- sources as they are written ----
same odd "$SOURCE/tests/emitted/odd.c" k=0.5:4/8 c=0:1/5 x=-1:1/4 --keep quoted
sed 's/#define STIFF /#define\tSTIFF\t/; s/$/\r/' "$SOURCE/tests/emitted/odd.c" > lines.c
same "tabs, and lines that end as on Windows" lines.c k=0.5:4/8 c=0:1/5 x=-1:1/4

# model NAME SED...: a spring with a loss, which is nothing at the start, changed
model() {
  local name=$1
  shift
  cat > template.c << 'C'
#include <epicycle/model.h>
#include <math.h>
static int force(epi_system *s, double t, const double *q, double *f) { (void)s, (void)t; f[0] = -q[0]; return 0; }
static double loss(const double *p) { return p[1]; }
static int drag(epi_system *s, double t, const double *q, const double *v, double *f)
{
  (void)t, (void)q;
  f[0] -= loss(s->data)*v[0];
  return 0;
}
static const epi_param params[] = {{.name = "x", .value = 1}, {.name = "c", .value = 0.5}, {0}};
static int make(epi_case *c)
{
  c->system = (epi_system){.nq = 1, .force = force, .velocity_force = drag, .data = c->p};
  if (epi_case_start(c)) return -1;
  c->y[0] = c->p[0];
  return 0;
}
EPI_MODEL = {.name = "NAME", .doc = "", .params = params, .make = make, .flow = "rk4", .step = 0.01, .end = 1};
C
  sed "$@" template.c > changed.c
  holds "$name: the model is another one" sh -c '! cmp -s template.c changed.c'
  sed "s/NAME/$name/" changed.c > "$name.c"
}
model spring -e 's/-q\[0\]/-2*q[0]/'
same spring spring.c c=0:1/5 x=1:2/30
# the first case has none of it, others do
model sometimes -e 's/= drag/= c->p[1] > 0 ? drag : NULL/'
same "a force that some cases have" sometimes.c c=0:1/5 x=1:2/30
model heavy -e 's/  if (epi_case_start/  static const double two[] = {2};\n  if (c->p[1] > 0.5) c->system.mass = two;\n&/'
same "a mass that some cases have" heavy.c c=0:1/5 x=1:2/30
model chooses -e 's/  c->y\[0\] = /  if (c->p[0] > 1.5) c->flow = "dopri5";\n&/'
same "a flow that some cases have" chooses.c c=0:1/5 x=1:2/30
model asks -e 's/return p\[1\]/return K*p[1]/' \
  -e 's/#include <math.h>/#define HARD 1\n#if HARD\n#define K 10.0\n#else\n#define K 1.0\n#endif/'
same "a condition of the preprocessor" asks.c c=0:1/5 x=1:2/30
model short -e 's/#include <math.h>/#define k 3.0\n#define m(h) ((h)*k)/' -e 's/= -q/= -m(2)*q/'
same "macros with short names" short.c c=0:1/5 x=1:2/30

# refused TEXT NAME SED...
refused() {
  local words=$1
  shift
  model "$@"
  says 2 "$words" sweep "$1.c" c=0:1/5 x=1:2/30 --on compiled
}
refused "a variable that may change, 'static double table" filled -e 's/#include <math.h>/static double table[3];/' \
  -e 's/return p\[1\]/return table[1]*p[1]/' -e 's/  if (epi_case_start/  table[1] = 3;\n&/'
refused "a variable that may change, 'static const double \*table" moved -e 's/#include <math.h>/static const double *table;/' \
  -e 's/return p\[1\]/return *table*p[1]/' -e 's/  if (epi_case_start/  static const double three = 3;\n  table = \&three;\n&/'
refused "a variable that may change, 'static double before" keeps \
  -e 's/return p\[1\]/static double before; before += 1; return before*p[1]/'
room='s/  c->system/  own *mine = epi_case_room(c, 1, sizeof *mine);\n  if (!mine) return -1;\n  mine->p = WHERE;\n&/; s/= c->p}/= mine}/'
own='s/#include <math.h>/typedef struct { const double *p; } own;/; s/return p\[1\]/const own *o = (const void *)p; return o->p[1]/'
refused "the data of the model has pointers" inside -e "$own; ${room/WHERE/c->p}"
refused "a type with pointers" outside -e "$own; ${room/WHERE/far}" -e 's/^static int make/static const double far[] = {1, 2};\n&/'
refused "the data of the model has pointers" indirect -e 's/return p\[1\]/const double *const *o = (const void *)p; return (*o)[1]/' \
  -e 's/  c->system/  const double **mine = epi_case_room(c, 1, sizeof *mine);\n  if (!mine) return -1;\n  *mine = c->p;\n&/' \
  -e 's/= c->p}/= mine}/'
refused "lies outside of its case" whole -e 's/return p\[1\]/const epi_case *c = (const void *)p; return c->p[1]/' -e 's/= c->p}/= c}/'
echo '#define HARD 1' > own.h
refused "asks in an #if for HARD" header -e 's/return p\[1\]/return K*p[1]/' \
  -e 's/#include <math.h>/#include "own.h"\n#if HARD\n#define K 10.0\n#else\n#define K 1.0\n#endif/'
again='s/^static double loss/static int again(epi_system *s, double t, const double *q, double *f) { return force(s, t, q, f); }\n&/'
refused "more than one function" either -e "$again" -e 's/= force,/= c->p[0] > 1.5 ? force : again,/'
refused "more than one function" second -e "$again" -e 's/^static int make/static const epi_system other = {.nq = 1, .force = again};\n&/' \
  -e 's/  c->y\[0\]/  (void)other;\n&/'
refused "does not say which of its functions is its force" listed -e 's/= force,/= all[0],/' \
  -e 's/^static double loss/static int (*const all[])(epi_system *, double, const double *, double *) = {force};\n&/'
model borrowed -e 's/= -q\[0\]/= -q[0]*(t < -1 ? epi_observe(0, 0, 0) : 1)/'
says 2 "could not be compiled" sweep borrowed.c c=0:1/5 x=1:2/30 --on compiled
holds "and the function is named" grep -q "epi_observe" err

says 2 "take compiled" sweep kepler e=0:0.5/5 --on tpu
says 2 "midpoint is not among the flows" sweep kepler e=0:0.5/5 --flow midpoint --step 0.1 --on compiled
says 2 "x.max needs more of a run than its end" sweep kepler e=0:0.5/5 --keep x.max --on compiled
says 2 "no limit of time" sweep kepler e=0:0.5/5 --flow rk4 --limit 1 --on compiled
says 2 "give the flow" sweep kepler e=0:0.5/5 --tol 1e-6 --on compiled
says 2 "changes the flow from case to case" sweep kepler k=2:4/3 --flow 'substeps(verlet, {k})' --step 0.1 --on compiled
says 2 "needs the source of the model in C" sweep bearing speed=100:200/3 --on compiled
says 2 "constraints are not emitted" sweep rod-pendulum l1=1:2/3 --on compiled
says 2 "which --no-code forbids" sweep "$SOURCE/bench/gpu/pendulum.c" w=1e4:1e5/3 --no-code --on compiled
[ -e /dev/nvidia0 ] || says 2 "take --on compiled" sweep kepler e=0:0.5/5 --flow rk4 --step 0.1 --on gpu
holds "nothing is left of what was refused" test -z "$(find . -name '*.part*')"

# stopped on its way, it goes on to the same bytes
"$e" sweep kepler e=0:0.9/120000 --flow rk4 --step 0.01 --end 3 --out whole.csv --quiet --on compiled
"$e" sweep kepler e=0:0.9/120000 --flow rk4 --step 0.01 --end 3 --out cut.csv --quiet --on compiled &
pid=$!
for _ in $(seq 600); do [ "$(stat -c %s cut.csv.part 2> /dev/null || echo 0)" -gt 1000000 ] && break; sleep 0.05; done
kill -9 $pid 2> /dev/null
wait $pid 2> /dev/null
[ -e cut.csv.part ] && "$e" resume cut.csv.part --quiet
holds "killed and resumed: the same bytes" cmp whole.csv cut.csv
counted
