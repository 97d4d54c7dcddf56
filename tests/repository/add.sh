#!/bin/bash
# holds: one file and one line in a list add a method, wrapper, average, model, joint, load or verb to the build
# add.sh - whatever can be added to Epicycle is a file of its own and a line in a list: in a copy of the tree one of each is added, all are
# built at once, and each is used from the command. The last lines say what was touched
# label: slow
# timeout: 3600
# cost: 50
set -u
. "$(dirname "$0")/../common/command.sh"
: "${SOURCE:?the source folder}" "${CC:=cc}"
command -v cmake >/dev/null || exit 77
column() { awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) k = i } END { print k ? $k : "" }' "$1"; }
quiet() { "$@" >o; }
first() { awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) k = i } NR == 2 { print k ? $k : "" }' "$1"; }

mkdir tree && (cd "$SOURCE" && tar cf - --exclude='./build*' --exclude=./.git --exclude=node_modules .) | tar xf - -C tree || exit 1
sums() { (cd tree && find . -type f -exec cksum {} + | sort -k3); }
sums >before
# added WHAT: the files that are new or other than before
added() {
  sums >after
  echo "$1: $(diff before after | sed -n 's/^> [0-9]* [0-9]* \.\///p' | sort -u | tr '\n' ' ')" >>touched
  mv after before
}
# line FILE SCRIPT ...: sed, which must change something
line() {
  local file=tree/$1 was
  shift
  was=$(cksum <"$file")
  for script in "$@"; do sed -i "$script" "$file"; done
  [ "$was" != "$(cksum <"$file")" ] || bad "$file has no place for it"
}

# ---- a method: two kicks between three drifts, which is the example of a method of one's own ----
sed '/^EPI_NAMES/,$d; s/^static const epi_record drift_kick/const epi_record epi_DRIFT_KICK/' "$SOURCE/examples/own-method.c" \
  >tree/src/method/drift-kick.c
line src/registry.c 's/X(KICK) X(DRIFT)/X(DRIFT_KICK) &/'
added method

# ---- a Runge-Kutta table ----
line src/method/table.c 's/^#define TABLE.*/static const double ralston_a[] = {0, 0, 2.\/3, 0}, ralston_b[] = {1.\/4, 3.\/4};\n&/' \
  's/^RK_RECORD(epi_HEUN.*/TABLE(ralston, .order = 2, .stages = 2, .a = ralston_a, .b = ralston_b);\nRK_RECORD(epi_RALSTON, "ralston", ralston, 2, EXPLICIT, "Ralston of order 2", "Ralston 1962");\n&/'
line src/registry.c 's/X(EULER) /&X(RALSTON) /'
added 'Runge-Kutta table'

# ---- a wrapper: two halves of a step ----
cat >tree/src/wrap/halves.c <<'C'
/* halves.c - a step as two halves */
#include "method/composition.h"

static int halves(epi_flow *f, epi_state *s, double h, long n)
{
  int bad = 0;
  while (n-- > 0 && !bad) {
    epi_tick end = epi_target(f->sys, s, h);
    if ((bad = epi_go(f->kid[0], s, h/2, 1))) break;
    if (f->claims & EPI_CLOCK) epi_land(s, end);
    bad = epi_go(f->kid[0], s, h/2, 1);
  }
  return bad;
}

static void build(epi_flow *f)
{
  f->claims = epi_shared_claims(1, f->kid);
  f->estimate = 0;
  f->lands = 1;
  f->go = halves;
}

const epi_record epi_HALVES = {.name = "halves", .doc = "a step as two halves", .cite = "", .example = "halves(verlet)",
                               .arrow = EPI_WRAPPER, .least = 1, .most = 1, .build = build};
C
line src/registry.c 's/X(SUBSTEPS)/& X(HALVES)/'
added wrapper

# ---- a kernel of averages ----
line src/average/kernel.c \
  's/^static double kaiser(/static double cosine(const epi_window_kernel *k, double x, int end) { (void)k, (void)end; return 1 + cos(EPI_PI*x); }\n&/' \
  's/{own, 40, 0}/{cosine, 40, 0}, &/' 's/"exp", NULL/"exp", "cosine", NULL/'
added kernel

# ---- a model: x'' = -x^3 ----
cat >tree/src/model/cubic.c <<'C'
/* cubic.c - a spring whose force is the cube of its length */
#include "model.h"

static int force(epi_system *s, double t, const double *q, double *f)
{
  (void)s, (void)t;
  f[0] = -q[0]*q[0]*q[0];
  return 0;
}

static int make(epi_case *c)
{
  c->system = (epi_system){.nq = 1, .force = force};
  if (epi_case_start(c)) return -1;
  c->y[0] = c->p[0];
  return 0;
}

static const epi_param params[] = {{.name = "q0", .unit = "m", .value = 1, .doc = "start"}, {0}};
const epi_model epi_CUBIC = {.name = "cubic", .doc = "x'' = -x^3", .cite = "", .params = params, .make = make, .flow = "verlet",
                             .step = 0.01, .end = 10};
C
line src/models.c 's/X(PENDULUM)/X(CUBIC) &/'
added model

# ---- a contact: a ball inside of a cone that opens along z of b ----
cat >tree/src/body/shape/sphere-cone.c <<'C'
/* sphere-cone.c - the sphere a inside a cone of b about its z, with the apex at its centre */
#include "body/shape.h"
#include <stdio.h>

static int check(const epi_contact *c, char *words, size_t size)
{
  return c->own[0] > 0 && c->own[0] < 1.5 ? 0 : snprintf(words, size, "has half an angle of %g: give 0 to 1.5 rad", c->own[0]);
}

static int touch(const epi_contact *k, double t, const epi_pose *a, const epi_pose *b, epi_touch *c)
{
  double d[3], x[3], n[3], cosine = cos(k->own[0]), sine = sin(k->own[0]);
  (void)t;
  for (int i = 0; i < 3; i++) d[i] = a->r[i] - b->r[i];
  epi_into(b->R, d, x);
  double rho = sqrt(x[0]*x[0] + x[1]*x[1]);
  c->depth = k->radius - (x[2]*sine - rho*cosine);
  n[0] = rho > 0 ? cosine*x[0]/rho : 0, n[1] = rho > 0 ? cosine*x[1]/rho : 0, n[2] = -sine;
  epi_out_of(b->R, n, c->normal);
  epi_sphere_levers(a, b, k->radius, c);
  return 0;
}

/* straight along the wall, hollow across it */
static void curved(const epi_contact *c, const epi_pose *a, const epi_pose *b, double *along, double *across)
{
  double rho = hypot(a->r[0] - b->r[0], a->r[1] - b->r[1]) + c->radius*cos(c->own[0]);
  *along = -cos(c->own[0])/rho;
  *across = 0;
}

static const epi_param params[] = {
  {.name = "radius", .unit = "m", .doc = "of the sphere"},
  {.name = "half", .unit = "rad", .value = 0.5, .doc = "half of the angle of the cone"},
  {0}
};
const epi_contact_kind epi_CONTACT_SPHERE_CONE = {
  .name = "sphere-cone", .doc = "a ball in a cone", .params = params, .traits = EPI_A_BALL | EPI_B_HOLLOW, .check = check,
  .touch = touch, .curved = curved,
};
C
line src/body/kinds.c 's/X(RING_ON_SHAFT)/& X(SPHERE_CONE)/'
added contact

# ---- a joint: a nut on a screw ----
cat >tree/src/body/joint/screw.c <<'C'
/* screw.c - a comes along z of space by the pitch for every radian that it turns about it */
#include "body/joint.h"

static int eval(const epi_joint *j, double t, const epi_pose *a, const epi_pose *b, epi_joint_rows *out)
{
  (void)t;
  out->g[0] = a->r[2] - b->r[2] - j->own[0]*atan2(a->R[3], a->R[0]);
  out->G[0][2] = 1, out->G[0][5] = -j->own[0], out->G[0][8] = -1;
  return 0;
}

static const epi_param params[] = {{.name = "pitch", .unit = "m/rad", .doc = "of the screw"}, {0}};
const epi_joint_kind epi_JOINT_SCREW = {.name = "screw", .doc = "a nut on a screw along z", .params = params, .rows = 1, .eval = eval};
C
line src/body/kinds.c 's/X(FIXED) X(ROD)/& X(SCREW)/'
added joint

# ---- a load: what slows a body by its speed ----
cat >tree/src/body/load/drag.c <<'C'
/* drag.c - a force against the velocity */
#include "body/parts.h"

static int act(const void *data, double t, const epi_pose *a, const epi_pose *b, epi_action *out)
{
  const epi_applied_force *l = data;
  (void)t, (void)b;
  for (int i = 0; i < 3; i++) out->force[i] = -l->own[0]*a->v[i];
  return 0;
}

static const epi_param params[] = {{.name = "coefficient", .unit = "N s/m", .doc = "of the drag"}, {0}};
const epi_load_kind epi_LOAD_DRAG = {.name = "drag", .doc = "a force against the velocity", .params = params, .act = act};
C
line src/body/kinds.c 's/X(FORCE) X(SPRING)/& X(DRAG)/'
added load

# ---- a verb ----
cat >tree/tool/sum.c <<'C'
/* sum.c - the verb sum: numbers together */
#include "tool.h"

int act_sum(const request *r)
{
  double all = 0, x;
  for (int i = 0; i < r->nword; i++) {
    if (!read_number(r->word[i], &x)) return say(REFUSED, "'%s' is no number: give numbers", r->word[i]);
    all += x;
  }
  printf("%s\n", shortest(all).text);
  return DONE;
}
C
line tool/tool.h 's/^int act_run(.*/int act_sum(const request *);\n&/'
line tool/epicycle.c 's/^  {.name = "bench", .instead/  {.name = "sum", .use = "sum [NAME ...]", .doc = "numbers together", .act = act_sum},\n&/'
added verb

# ---- a key of model files: loads that are several at once ----
line src/file/world/world.c 's/^  {.name = "factor", .kind = OWN.*/  {.name = "times", .kind = POSITIVE, .unit = "", .at = offsetof(load_record, times)},\n&/' \
  's/\(typedef struct load_record { \)/\1double times; /' 's/load_record r = {.load.body/load_record r = {.times = 1, .load.body/' \
  's/^  if (r.force && force && epi_field_numbers.*/&\n  for (int x = 0; x < 3; x++) l->load.force[x] *= r.times;/'
added 'key of model files'

# ---- a unit ----
line src/file/quantity/unit.c 's/^  {"in", {0.0254.*/  {"furlong", {201.168, {1}, 0}, 0},\n&/'
added unit

# ---- a material ----
line src/file/world/contacts.c 's/^  X("steel".*/  X("lead", 16e9, 0.44, 11340) \\\n&/'
added material

# ---- all of them are built at once ----
generator=() && command -v ninja >/dev/null && generator=(-G Ninja)
cmake -S tree -B work "${generator[@]}" -DCMAKE_C_COMPILER="$CC" >log 2>&1 && cmake --build work --target epicycle -j 2 >>log 2>&1 ||
  { tail -n 30 log; exit 1; }
e=$PWD/work/epicycle

echo "# a method is the one of the example, bit by bit"
"$e" run kepler --flow drift-kick --step 0.01 --end 1 --out a.csv --quiet || bad "the method fails"
sed 's/drift-kick/mine/g' "$SOURCE/examples/own-method.c" >mine.c
"$e" run kepler --flow mine --with mine.c --step 0.01 --end 1 --out b.csv --quiet || bad "the example fails"
holds "the method" cmp a.csv b.csv
holds "its claims hold" quiet "$e" check kepler --flow drift-kick --claims
holds "it is shown" quiet "$e" show drift-kick
echo "# a table has its order"
"$e" check pendulum --flow ralston --claims >o || bad "the claims of the table fail"
holds "order 2: $(grep -m 1 order o)" grep -qE 'ralston +order 2' o
echo "# a wrapper is what it is made of"
"$e" run kepler --flow 'halves(verlet)' --step 0.01 --end 1 --out a.csv --quiet || bad "the wrapper fails"
"$e" run kepler --flow 'substeps(verlet, 2)' --step 0.01 --end 1 --out b.csv --quiet
holds "the wrapper" cmp a.csv b.csv
echo "# a kernel averages as the others do"
for k in cosine exp5; do
  "$e" run inverted-pendulum --flow "verlet(hmm(verlet, kernel=$k))" --step 0.01 --end 1 --out $k.csv --quiet || bad "the kernel $k fails"
done
holds "not the same kernel" test "$(column cosine.csv q)" != "$(column exp5.csv q)"
holds "the same average: $(column cosine.csv q), $(column exp5.csv q)" near "$(column cosine.csv q)" "$(column exp5.csv q)" 1e-2
echo "# a model comes back after its period, 4 K(1/sqrt 2)"
"$e" run cubic --tol 1e-11 --end 7.416298709205487 --out a.csv --quiet || bad "the model fails"
holds "it comes back: $(column a.csv q0) $(tail -n 1 a.csv)" near "$(tail -n 1 a.csv | cut -d, -f2)" 1 1e-9

echo "# contact, joint, load, key and unit in one file"
cat >all.yaml <<'Y'
step: 1e-4
end: 1
flow: verlet
world:
  bodies:
    - {name: ball, ball: 0.415, mass: 1, at: [0.1, 0, 1]}
    - {name: nut, mass: 1, inertia: 0.01, at: [0, 5, 0]}
    - {name: boat, mass: 2, inertia: 1, at: [0, 10, 0], velocity: [1, 0, 0]}
    - {name: cart, mass: 2, inertia: 1, at: [0, 1 furlong, 0]}
    - {name: shot, ball: 1, material: lead, at: [0, 500, 0], velocity: [0, 1, 0]}
  joints:
    - {name: guide, a: nut, hold: [x, y, rx, ry]}
    - {name: thread, a: nut, hold: screw, pitch: 0.1}
  contacts:
    - {name: cone, shape: sphere-cone, a: ball, half: 30 deg, law: {K: 1000, power: 1}}
  loads:
    - {name: water, kind: drag, body: boat, coefficient: 2}
    - {name: weight, body: nut, force: [0, 0, -9.81]}
    - {name: push, body: cart, force: [1, 0, 0], times: 3}
Y
"$e" run all.yaml --every 0.1 --out all.csv --quiet || bad "the world fails"
# depth = r - (z sin - rho cos)
holds "contact: $(first all.csv cone.load)" near "$(first all.csv cone.load)" 1.602540378443864 1e-9
holds "joint: $(column all.csv thread.force)" near "$(column all.csv thread.force)" 4.905 1e-9
holds "load: $(column all.csv boat.vx)" near "$(column all.csv boat.vx)" 0.36787944117144233 1e-6
holds "key: $(column all.csv cart.x)" near "$(column all.csv cart.x)" 0.75 1e-9
holds "unit: $(column all.csv cart.y)" near "$(column all.csv cart.y)" 201.168 1e-12
# half of 4 pi/3 times the density, times v^2; the rest of the energy at the start is known
holds "material: $(first all.csv energy)" near "$(first all.csv energy)" 23751.441745 1e-8
# by Hertz, from what the file of the shape says of its curvature
sed 's/{K: 1000, power: 1}/{material: steel}/; s/0.415,/0.4133975,/' all.yaml >hertz.yaml
holds "a material" quiet "$e" check hertz.yaml
sed 's/half: 30 deg/half: 120 deg/' all.yaml >wrong.yaml
says 2 'the contact cone has half an angle of 2.0944: give 0 to 1.5 rad' check wrong.yaml
sed 's/half: 30 deg/hlaf: 30 deg/' all.yaml >wrong.yaml
says 2 "'hlaf' is not a key of a contact with shape: sphere-cone; did you mean half?" check wrong.yaml
sed 's/half: 30 deg/circle: 1/' all.yaml >wrong.yaml
says 2 "'circle' is not a key of a contact with shape: sphere-cone: there are name, shape, a, b, radius, at_a, stiff, law, half" check wrong.yaml
echo "# a verb"
holds "sum: $("$e" sum 3 4.5)" test "$("$e" sum 3 4.5)" = 7.5
holds "it is in the help" quiet "$e" help sum

echo "# what was touched for each"
cat touched
counted
