#!/usr/bin/env bash
# sweep-on.sh - many cases at once by an emitted program: the bytes of the library, on every flow that is emitted, through events, failures
# and interruptions; what cannot be emitted is refused before anything is written
# cost: 30
set -u
. "$(dirname "$0")/common/command.sh"
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

# what the file does not say: a variable that is set later, an address in the data
sed 's/^static int force.*/static double late = 1;\
static int force(epi_system *s, double t, const double *q, double *f) { (void)s; f[0] = -q[0] - (t > 0.5 ? late : 1); return 0; }/
  s/^  \*slot = .*/  late = 2;/' liar.c > later.c
says 2 "the forces use 'late', a variable of the file that is not const" sweep later.c x=1:2/140 --on compiled
cat > address.c << 'C'
#include <epicycle/model.h>
typedef struct { const double *p; double two; } held;
static int force(epi_system *s, double t, const double *q, double *f)
{
  const held *a = s->data;
  f[0] = -a->two*q[0] - (t > 0.5 ? a->p[0] : 1);
  return 0;
}
static int make(epi_case *c)
{
  held *a = epi_case_room(c, 1, sizeof *a);
  if (!a) return -1;
  *a = (held){c->p, 2};
  c->system = (epi_system){.nq = 1, .force = force, .data = a};
  if (epi_case_start(c)) return -1;
  c->y[0] = c->p[0];
  return 0;
}
static const epi_param params[] = {{.name = "x", .value = 1}, {0}};
EPI_MODEL = {.name = "address", .doc = "", .params = params, .make = make, .flow = "verlet", .step = 0.1, .end = 1};
C
says 2 "the data of the model holds an address" sweep address.c x=1:2/140 --on compiled

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
