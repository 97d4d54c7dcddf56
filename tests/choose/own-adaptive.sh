#!/bin/bash
# holds: a user's record that claims EPI_ADAPTIVE takes the tolerance of --tol itself
set -u
. "$(dirname "$0")/../common/command.sh"

cat >mine.c <<'C'
/* a method of the user's that chooses its steps: Euler and Heun, whose difference is the error */
#include <epicycle/method.h>
enum { RTOL, ATOL };

static int step(epi_flow *f, epi_state *s, double h, double *error)
{
  int n = epi_dim(f->sys), bad;
  double *k = f->work, *y = k + n, *l = y + n, t = s->t;
  if ((bad = epi_rate_at(f, t, s->theta, s->y, k))) return bad;
  for (int i = 0; i < n; i++) y[i] = s->y[i] + h*k[i];
  if ((bad = epi_rate_at(f, t + h, s->theta, y, l))) return bad;
  *error = 0;
  for (int i = 0; i < n; i++) {
    double to = s->y[i] + 0.5*h*(k[i] + l[i]);
    *error = fmax(*error, fabs(to - y[i])/(f->arg[ATOL].number + f->arg[RTOL].number*fabs(to)));
    y[i] = to;
  }
  return 0;
}

static int go(epi_flow *f, epi_state *s, double h, long n)
{
  for (; n > 0; n--) {
    epi_tick end = epi_target(f->sys, s, h);
    while (s->t < end.t) {
      double way = end.t - s->t, dt = f->keep[0] > 0 && f->keep[0] < way ? f->keep[0] : way, error;
      int bad = step(f, s, dt, &error);
      if (bad) return bad;
      double next = dt*fmin(4, fmax(0.1, 0.9/sqrt(error + 1e-30)));
      if (dt < way || error > 1) f->keep[0] = next;
      if (error > 1) { f->refused++; continue; }
      memcpy(s->y, f->work + epi_dim(f->sys), (size_t)epi_dim(f->sys)*sizeof(double));
      s->t = dt < way ? s->t + dt : end.t;
      epi_chose(f, dt);
      epi_moved(f, s);
    }
    epi_set_clock(s, end);
  }
  return 0;
}
static void build(epi_flow *f) { if (!epi_blocks(f, 1, 3*epi_dim(f->sys))) f->go = go; }

static const epi_param params[] = {
  [RTOL] = {.name = "rtol", .value = 1e-3, .doc = "allowed relative error"},
  [ATOL] = {.name = "atol", .value = 1e-3, .doc = "allowed absolute error"}, {0}};
static const epi_param no_params[] = {{.name = "tolerated", .value = 1e-3, .doc = "nothing"}, {0}};
static const epi_record chooser = {
  .name = "euler-heun", .doc = "steps by the difference of Euler and Heun", .example = "euler-heun(model, rtol=1e-4)",
  .abi = EPI_METHOD_ABI, .arrow = EPI_METHOD, .least = 1, .most = 1, .params = params, .order = 2,
  .claims = EPI_EXPLICIT | EPI_CLOCK | EPI_ADAPTIVE, .build = build};
static const epi_record deaf = {
  .name = "deaf", .doc = "claims to choose, and takes no tolerance", .example = "deaf(model)",
  .abi = EPI_METHOD_ABI, .arrow = EPI_METHOD, .least = 1, .most = 1, .params = no_params, .order = 2,
  .claims = EPI_EXPLICIT | EPI_CLOCK | EPI_ADAPTIVE, .build = build};
EPI_NAMES = {{.name = "euler-heun", .record = &chooser}, {.name = "deaf", .record = &deaf}, {0}};
C

echo "# the tolerance is given to it, and no other flow is put around it"
takes() { "$e" run kepler --with mine.c --end 1 --every 0.25 "$@" --quiet; }
takes --flow euler-heun --tol 1e-4 --out tol.csv || bad "it does not run by a tolerance"
takes --flow 'euler-heun(rtol=1e-4, atol=1e-4)' --out told.csv || bad "it does not run by its options"
takes --flow 'tolerance(euler-heun, rtol=1e-4, atol=1e-4)' --out around.csv || bad "it does not run in tolerance"
holds "the rows are those of its own options" cmp tol.csv told.csv
holds "and not those of tolerance around it" sh -c '! cmp -s tol.csv around.csv'
"$e" check kepler --with mine.c --end 1 --flow euler-heun --tol 1e-4 >o 2>err
holds "the flow that is checked: $(head -3 o) $(cat err)" has o 'euler-heun(rtol=0.0001, atol=0.0001)'
holds "and nothing around it" sh -c '! grep -q "tolerance(" o'
takes --flow 'at(euler-heun, of=y, direction=up)' --tol 1e-4 --out event.csv || bad "it does not run inside of an event"
holds "an event changes no row" cmp tol.csv event.csv

echo "# rows between the ends of its steps"
"$e" run kepler --with mine.c --end 1 --flow euler-heun --tol 1e-4 --out all.csv --quiet || bad "it does not run without --every"
holds "the end is the same: $(tail -1 all.csv)" near "$(tail -1 all.csv | cut -d, -f2)" "$(tail -1 tol.csv | cut -d, -f2)" 1e-2

echo "# what cannot be"
says 2 'both say how exact its steps are' run kepler --with mine.c --end 1 --flow 'euler-heun(rtol=1e-3)' --tol 1e-4
says 2 "the record 'deaf' claims EPI_ADAPTIVE and has no option rtol" run kepler --with mine.c --flow deaf --end 1
counted
