#!/bin/bash
# holds: contacts, joints and loads in C, brought by --with, are found by their names in model files
set -u
. "$(dirname "$0")/../common/command.sh"
column() { awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) k = i } END { print k ? $k : "" }' "$1"; }

echo "# the file and the program are the same world"
own=$SOURCE/examples/own-contact
holds "it runs: $(cat err 2>/dev/null)" "$e" run "$own.yaml" --with "$own.c" --out own.csv --quiet
"$BUILD"/examples/own-contact >program || bad "the program fails"
down=$(column own.csv nut.z | awk '{ printf "%.4f", -2*$1/0.01 }')
holds "the nut comes down with $down: $(cat program)" grep -qx "the nut comes down with $down m/s^2" program
# m (g - a), and a little more than the weight that the ball has in the middle
holds "the thread holds $(column own.csv thread.force)" near "$(column own.csv thread.force)" 4.905 1e-9
holds "the trough holds $(column own.csv swing.load)" near "$(column own.csv swing.load)" 0.981 0.1
"$e" check "$own.yaml" --with "$own.c" >o || bad "it does not check"
"$e" check "$own.yaml" --with "$own.c" --format >again.yaml
holds "the canonical form is that of the example" diff "$own.yaml" again.yaml

echo "# a run goes on where it was left"
# Ctrl-C at 0.05, by the code itself, which waits until it has come: what is resumed ends as what was never left
cat >told.h <<'C'
#include <signal.h>
#include <unistd.h>
static void tell(double t)
{
  static int told;
  sigset_t all, before;
  if (!(t > 0.05) || told++ || access("stop", F_OK)) return;
  /* an answer that comes before it is waited for is not missed */
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &before);
  kill(getppid(), SIGINT);
  sigsuspend(&before);
  sigprocmask(SIG_SETMASK, &before, 0);
}
C
sed 's|  double x = a->r\[0\]|  tell(t);\n&|; s|#include <epicycle.h>|&\n#include "told.h"|' "$own.c" >stops.c
told() { touch stop; "$e" run "$own.yaml" --with stops.c --out stops.csv --quiet 2>err; }
told
holds "it stops and says how to go on: $(cat err)" has err 'go on with: epicycle resume stops.csv.checkpoint'
rm stop
holds "it goes on: $(cat err)" "$e" resume stops.csv.checkpoint --quiet
holds "as if it had not stopped" cmp own.csv stops.csv
told
echo >>stops.c
says 2 'stops.c is not what it was when this run began' resume stops.csv.checkpoint

echo "# names"
"$e" run "$own.yaml" >o 2>err; holds "without them it is refused: $?" [ $? = 2 ]
holds "no spindle: $(cat err)" has err "own-contact.yaml:15: hold cannot be 'spindle': it is one of hinge, slider, point, fixed"
holds "no trough: $(cat err)" has err "own-contact.yaml:17: shape cannot be 'trough': it is one of sphere-plane, sphere-sphere"
sed 's/hollow/hollw/' "$own.yaml" >key.yaml
says 2 "'hollw' is not a key of a contact with shape: trough; did you mean hollow?" run key.yaml --with "$own.c"
sed 's/pitch: 0.1 m.rad/frame_b: [1, 0, 0, 0]/' "$own.yaml" >key.yaml
says 2 "'frame_b' is not a key of a joint with hold: spindle; did you mean frame?" run key.yaml --with "$own.c"
sed 's/hollow: 50 cm/hollow: 50 kg/' "$own.yaml" >key.yaml
says 2 'hollow: kg is a mass, and a length is wanted' run key.yaml --with "$own.c"
sed 's/hollow: 50 cm/hollow: 1 cm/' "$own.yaml" >key.yaml
says 2 'the contact swing does not fit into its trough: give a radius below 0.01' run key.yaml --with "$own.c"
sed 's/{K: 1e9}/{material: steel}/' "$own.yaml" >key.yaml
says 2 'curvatures are known, so Hertz has no stiffness for it: write its K' run key.yaml --with "$own.c"

echo "# loads, springs, and a name that the library has too"
cat >mine.c <<'C'
#include <epicycle.h>
/* a wall at x = 0 beside which the ball lies, and the library has a shape of that name */
static int wall(const epi_contact *c, double t, const epi_pose *a, const epi_pose *b, epi_touch *out)
{
  (void)t, (void)b;
  out->depth = c->radius - a->r[0];
  out->normal[0] = -1;
  return 0;
}
static const epi_param radius[] = {{.name = "radius", .unit = "m"}, {0}};
static const epi_contact_kind mine = {.name = "wall", .params = radius, .traits = EPI_A_BALL | EPI_B_PLANE, .touch = wall};
/* a force along x that grows with time, and one between two bodies that does not depend on where they are */
static int ramp(const void *data, double t, const epi_pose *a, const epi_pose *b, epi_action *out)
{
  (void)a, (void)b;
  out->force[0] = ((const epi_applied_force *)data)->own[1]*t;
  return 0;
}
static int pull(const void *data, double t, const epi_pose *a, const epi_pose *b, epi_action *out)
{
  (void)t, (void)a, (void)b;
  out->force[1] = out->load = ((const epi_spring *)data)->own[0];
  return 0;
}
static const char *const words[] = {"low", "high", 0};
static const epi_param ramp_params[] = {{.name = "mode", .words = words, .kind = EPI_WORD},
                                        {.name = "rate", .unit = "N/s", .value = 6}, {0}};
static const epi_param pull_params[] = {{.name = "size", .unit = "N"}, {0}};
static const epi_load_kind ramps = {.name = "ramp", .params = ramp_params, .act = ramp};
static const epi_load_kind pulls = {.name = "pull", .params = pull_params, .between = 1, .act = pull};
EPI_NAMES = {{.name = "sphere-plane", .contact = &mine}, {.name = "ramp", .load = &ramps}, {.name = "pull", .load = &pulls}, {0}};
C
cat >mine.yaml <<'Y'
flow: verlet
step: 1e-3
end: 1
world:
  bodies:
    - {name: one, ball: 1, mass: 2, at: [5, 0, 0]}
    - {name: two, ball: 1, mass: 3, at: [20, 0, 0]}
    - {name: three, ball: 1, mass: 1, at: [0.999, 40, 0]}
  loads:
    - {name: grows, kind: ramp, body: one, mode: high}
    - {name: falls, kind: ramp, body: two, rate: -9 N/s}
  springs:
    - {name: pull, kind: pull, a: one, b: two, size: 4 N}
  contacts:
    - {name: wall, shape: sphere-plane, a: three, law: {K: 1000, power: 1}}
Y
"$e" run mine.yaml --with mine.c --every 1 --out mine.csv --quiet || bad "mine does not run"
# x'' = 6 t/2, so x = 5 + t^3/2; x'' = -9 t/3; y'' = 4/2 and -4/3
holds "one.x $(column mine.csv one.x)" near "$(column mine.csv one.x)" 5.5 1e-6
holds "two.x $(column mine.csv two.x)" near "$(column mine.csv two.x)" 19.5 1e-6
holds "one.y $(column mine.csv one.y)" near "$(column mine.csv one.y)" 1 1e-9
holds "two.y $(column mine.csv two.y)" near "$(column mine.csv two.y)" -0.6666666666666 1e-9
holds "pull.load $(column mine.csv pull.load)" near "$(column mine.csv pull.load)" 4 1e-12
# the user's wall pushes by K depth at the start, where the library's plane would be far away
holds "the wall of the user's" near "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "wall.load") k = i } NR == 2 { print $k }' mine.csv)" 1 1e-9
sed 's/mode: high/mode: hihg/' mine.yaml >key.yaml
says 2 "mode cannot be 'hihg'; did you mean high?" run key.yaml --with mine.c
sed 's/kind: ramp, body: one, mode: high/kind: pull, body: one/' mine.yaml >key.yaml
says 2 'pull acts between two bodies: write it under springs' run key.yaml --with mine.c
sed 's/mode: high/force: [1, 0, 0]/' mine.yaml >key.yaml
says 2 "'force' is not a key of a load with kind: ramp: there are name, kind, body, factor, mode, rate" run key.yaml --with mine.c
sed 's/kind: ramp, body: two, rate: -9 N.s/kind: force, body: two, force: [-3, 0, 0]/' mine.yaml >key.yaml
"$e" run key.yaml --with mine.c --every 1 --out key.csv --quiet || bad "a kind of the library does not run"
holds "two.x by a force: $(column key.csv two.x)" near "$(column key.csv two.x)" 19.5 1e-9

echo "# flows of a file know what is brought"
sed -i 's/^flow: verlet/flow: half/' mine.yaml
says 2 "flow: .*half" run mine.yaml --with mine.c
printf 'model: kepler\nflow: drift-kick\nstep: 0.01\nend: 1\n' >flow.yaml
with=$SOURCE/examples/own-method.c
"$e" run flow.yaml --with "$with" --out flow.csv --quiet || bad "a method of the user's in a file fails"
"$e" run kepler --flow drift-kick --with "$with" --step 0.01 --end 1 --out word.csv --quiet || bad "and so does it on the line"
holds "the same method" cmp flow.csv word.csv

echo "# code that crashes or ends while the file is read takes nothing with it"
for way in 'return *(volatile int *)0;' 'exit(3);' 'abort();'; do
  sed "s|  out->depth = c->radius.*|  if (1) $way|; s|#include <epicycle.h>|#include <epicycle.h>\n#include <stdlib.h>|" mine.c >crash.c
  sed 's/^flow: half/flow: verlet/' mine.yaml >crash.yaml
  says 1 'crash.c: its code crashed (.*) while crash.yaml was read' run crash.yaml --with crash.c
  says 1 'crash.c: its code crashed (.*) while crash.yaml was read' check crash.yaml --with crash.c
done
echo "# code that hangs then is ended when that is wished, and leaves nothing behind"
hangs='FILE *here = fopen("here.new", "w"); fprintf(here, "%d", (int)getpid()); fclose(here); rename("here.new", "here"); for (;;) pause();'
sed "s|  out->depth = c->radius.*|  $hangs|; s|#include <epicycle.h>|#include <epicycle.h>\n#include <unistd.h>|" mine.c >hang.c
"$e" run crash.yaml --with hang.c >o 2>err &
run=$!
for ((i = 0; i < 600; i++)); do [ -e here ] && break; sleep 0.1; done
kill -TERM $run
wait $run
code=$?
holds "exit $code: $(cat err)" test $code = 1
holds "the sentence: $(cat err)" has err 'hang.c: its code did not come back while crash.yaml was read, and was ended'
holds "a process is left" sh -c "! kill -0 $(cat here) 2>/dev/null"
counted
