#!/usr/bin/env bash
# holds: code for earlier versions is converted, gives the same rows, and code of this version stays as it is
# upgrade.sh EPICYCLE - code for earlier versions becomes code for this one, and gives the same rows; what is of this version stays
# label: plain
set -u
. "$(dirname "$0")/../common/command.sh"
: "${SOURCE:?}" "${CC:?}"

# the template in the words of 0.2, with all that may stand around a member: other structs that have one of that name, tabs, comments, lists
cat > old.h <<'END'
static inline double pace_of(const epi_system *s) { return s->phase_rate; }
END
tr '~' '\t' > old.c <<'END'
#include <epicycle.h>
#include <math.h>
#include "old.h"
struct mine { double period, theta0; };
static const epi_param PARAMS[] = {{.name = "w", .value = 300, .doc = "frequency"}, {0}};
static int forced(epi_system *s, double t, double theta, const double *q, double *f)
{
~struct mine m = {.period = 1, .theta0 = 0};
~(void)t;
~f[0] = -q[0]*m.period + m.theta0 + s->theta0 + 20*cos(theta)*sin(q[0]); /* s->period */
~return 0;
}
static double potential(epi_system *s, double t, const double *y) { (void)s; (void)t; return y[0]*y[0]/2; }
static double kinetic(epi_system *s, double t, const double *y) { (void)s; (void)t; return y[1]*y[1]/2; }
static double energy(epi_system *s, double t, const double *y)
{
  return (s)->kinetic(s, t, y) + s
    ->potential(s, t, y);
}
static int make(epi_case *c)
{
  static const char *const names[] = {"x", "v"};
  c->system = (epi_system){.nq = 1, .forced = forced, .kinetic = kinetic, .phase_rate = c->p[0], .names = names, .potential = potential,
                           .energy = energy, .smooth = 1, .data = c->p, .theta0 = 0.5};
  c->system.period = 2*3.14159265358979323846/pace_of(&c->system);
  if (!c->system.modes && c->system.links == 0) c->step = c->system.period/20;
  if (epi_case_start(c)) return -1;
  c->y[0] = 1;
  return 0;
}
EPI_MODEL = {.name = "old", .params = PARAMS, .make = make, .flow = "verlet", .end = 2};
END
cp old.c whole.c
"$e" run old.c --out none.csv > o 2> err; code=$?
holds "as it is it does not compile, and upgrade is named: exit $code, $(tail -1 err)" \
  test $code -eq 2 -a "$(grep -c 'epicycle upgrade old.c' err)" -eq 1
"$e" upgrade old.c > o 2> err; holds "exit 0" test $? -eq 0
holds "what is not named is told of: $(cat err)" grep -q 'old.h, line 1: write .phase.phase_rate in place of .phase_rate there, or name this file too' err
cp whole.c old.c
"$e" upgrade old.c old.h > o 2> err; holds "exit 0, nothing else: $(cat err)" test $? -eq 0 -a ! -s err
holds "how many: $(cat o)" test "$(cat o)" = "$(printf 'old.c: 13 members moved\nold.h: 1 member moved')"
cat > want <<'END'
  c->system = (epi_system){.nq = 1, .phase = {.forced = forced, .phase_rate = c->p[0], .theta0 = 0.5},
                           .energies = {.kinetic = kinetic, .potential = potential}, .names = names, .energy = energy, .traits.smooth = 1,
                           .data = c->p};
  c->system.phase.period = 2*3.14159265358979323846/pace_of(&c->system);
  if (!c->system.modes.modes && c->system.contacts.links == 0) c->step = c->system.phase.period/20;
END
sed -n '/c->system = /,/links/p' old.c > got
holds "members of a record stand together: $(diff want got)" cmp -s want got
holds "other structs and comments stay" grep -q 'm.period + m.theta0 + s->phase.theta0 .*s->period \*/' old.c
holds "a member on the next line" grep -q '^    ->energies.potential(s, t, y);' old.c
holds "it runs: $(cat err)" "$e" run old.c --out new.csv --quiet
"$CC" -std=gnu11 -Wall -Wextra -Werror -fsyntax-only -I"$SOURCE/include" old.c; holds "without a warning" test $? -eq 0
cp old.c once.c
"$e" upgrade old.c old.h > o 2> err
holds "a second time nothing moves: $(cat o)" test "$(cat o)" = "$(printf 'old.c: 0 members moved\nold.h: 0 members moved')"
holds "... and the file is the same" cmp -s old.c once.c

# of 0.1
cat > older.c <<'END'
#include <epicycle.h>
static int drag(epi_system *s, double t, const double *q, const double *v, double *f) { (void)s; (void)t; (void)q; f[0] -= v[0]; return 0; }
epi_system one = {.nq = 1, .drag = drag, .oneway = 1};
END
"$e" upgrade older.c > o; holds "names of 0.1" grep -q '{.nq = 1, .velocity_force = drag, .traits.irreversible = 1}' older.c

"$e" new mymodel > mymodel.c
cp mymodel.c kept.c
"$e" upgrade mymodel.c > o; holds "what is of this version stays" cmp -s mymodel.c kept.c
says 2 'upgrade needs C files' upgrade
says 2 'none.c cannot be read' upgrade none.c
CC=no-such-compiler says 2 "needs a C compiler" upgrade mymodel.c
counted
