/* holds: small fast oscillations in a stiff motion are resolved or refused, not missed by two solutions
 * choose-ripple.c - small oscillations that go on in a stiff motion, to a tolerance: of a chain of three masses the first spring is soft,
 * and one of the others far stiffer than the last one. Two solutions may lose the same oscillation, or its phase, and agree */
#include "epicycle.h"
#include "epicycle/choose.h"
#include "test.h"

enum { N = 3, ROWS = 16 };
typedef struct { double mass[N], spring[N], damper[N], start[N], end, tol, most; const char *how; int smooth; } chain;

/* springs from a wall to the first mass, from that to the next, ... */
static int rate(epi_system *s, double t, const double *y, double *dy)
{
  const chain *c = s->data;
  double pull[N + 1] = {0};
  (void)t;
  for (int i = 0; i < N; i++)
    pull[i] = c->spring[i]*(y[i] - (i ? y[i-1] : 0)) + c->damper[i]*(y[N + i] - (i ? y[N + i-1] : 0));
  for (int i = 0; i < N; i++) {
    dy[i] = y[N + i];
    dy[N + i] = (pull[i+1] - pull[i])/c->mass[i];
  }
  return 0;
}

static const chain *now;
static int make(epi_case *c)
{
  c->system = (epi_system){.nz = 2*N, .rate = rate, .data = (void *)now, .traits.smooth = now->smooth};
  if (epi_case_start(c)) return -1;
  memcpy(c->y, now->start, sizeof now->start);
  return 0;
}
static const epi_param NONE[] = {{0}};
static const epi_model CHAIN = {.name = "chain", .doc = "three masses", .params = NONE, .make = make, .flow = "dop853", .step = 1e-6,
                                .end = 1};

static void follow(epi_case *c, const char *flow, double *rows)
{
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  check_has(epi_error(f) ? epi_error(f) : "none", "none");
  for (int k = 0; k < ROWS; k++) {
    check_count(epi_run(f, &s, now->end*(k + 1)/ROWS, now->end/ROWS), 0);
    memcpy(rows + 2*N*k, s.y, 2*N*sizeof *rows);
  }
  epi_free(f);
}

static void solve(const chain *q)
{
  double rows[ROWS*2*N], exact[ROWS*2*N], worst = 0;
  now = q;
  epi_case *c = epi_case_of(&CHAIN, "");
  epi_chosen a = {.tol = q->tol, .end = q->end, .motion = EPI_FULL};
  check_count(epi_choose(c, &a), 0);
  follow(c, a.flow, rows);
  follow(c, "tolerance(dop853, rtol=1e-11, atol=1e-11)", exact);
  for (int i = 0; i < 2*N; i++) {
    double size = 0, off = 0;
    for (int k = 0; k < ROWS; k++) {
      size = fmax(size, fabs(exact[2*N*k + i]));
      off = fmax(off, fabs(rows[2*N*k + i] - exact[2*N*k + i]));
    }
    worst = fmax(worst, off/size);
  }
  printf("to %g: %s, %.0f evaluations and %ld to find out, off by %.2g, told %.2g\n", q->tol, a.flow, a.way[0].calls, a.spent, worst,
         a.found);
  check_below(worst, q->tol);
  check_has(a.flow, q->how);
  check_below((double)a.spent, q->most);
  epi_case_free(c);
}

int main(void)
{
  static const chain all[] = {
    /* the oscillation of the stiffest is 0.009 of the velocities, and the solution with three steps as one is as far off as that lets it
       be: 13 tolerances, told as 0.1 */
    {{0.4, 1.36, 0.76}, {1, 4.3e8, 1.5e6}, {0}, {1, 1, 1.00034}, 4, 1.8e-5, 5e7, "dop853", 1},
    /* that of the stiffest dies away, and that of the next goes on, with some turns in a step: 7.7 tolerances */
    {{2.4376, 0.9, 1.0946}, {1, 8.15582e5, 3.56423e10}, {0, 0, 1.1851e5}, {1, 1, 1}, 1.5, 1.1e-4, 5e6, "radau", 1},
    /* rounding of positions is 1e-11 of velocities through so stiff a spring, and Newton's iteration comes no nearer: 1e7 evaluations by
       explicit steps */
    {{0.9, 0.6, 0.83}, {1, 6.8e8, 6.34e4}, {0, 1.213e4, 0}, {1, 1, 1}, 12, 3e-4, 3e6, "radau", 0},
  };
  for (size_t i = 0; i < sizeof all/sizeof *all; i++) solve(&all[i]);
  return test_done();
}
