/* holds: forces with kinks and jumps in the state are right at every row, and their estimated errors are close
 * choose-rough.c - forces with kinks and jumps, to a tolerance: stops of joints, contacts, one-sided springs, drag by the square of the
 * speed, friction. Every row of a run must be right, also one in the middle of a short contact, and what is told of its error must be near
 * what that is. choose-rough DRAWS SEED
 * thorough: 40 */
#include "filed.h"
#include "stiffs.h"

enum { ROWS = 317, MOST = 32 };       /* none of these times is one at which the choice compares */
typedef struct { int n, rows; double t[ROWS + 1], y[ROWS + 1][MOST]; } table;

/* ---- forces of one's own: x' = v, v' = ... ---- */
enum { A, B, C };
static const epi_param PARAMS[] = {
  [A] = {.name = "a", .value = 0.5, .doc = "strength"}, [B] = {.name = "b", .value = 0.5, .doc = "where"},
  [C] = {.name = "c", .value = 0.5, .doc = "loss"}, {0}
};

static int spring(epi_system *s, double t, const double *y, double *dy)
{
  const double *p = s->data;
  (void)t;
  dy[0] = y[1];
  dy[1] = -y[0] - 200*p[A]*(y[0] > p[B] ? y[0] - p[B] : 0);
  return 0;
}

static int stop(epi_system *s, double t, const double *y, double *dy)
{
  const double *p = s->data, push = y[0] > p[B] ? 300*p[A]*(y[0] - p[B]) + 3*p[C]*y[1] : 0;
  dy[0] = y[1];
  dy[1] = -y[0] + 0.5*cos(t) - fmax(push, 0);
  return 0;
}

static int drag(epi_system *s, double t, const double *y, double *dy)
{
  const double *p = s->data;
  dy[0] = y[1];
  dy[1] = -4*y[0] - p[C]*fabs(y[1])*y[1] + 2*p[A]*sin(1.3*t);
  return 0;
}

static int friction(epi_system *s, double t, const double *y, double *dy)
{
  const double *p = s->data;
  dy[0] = y[1];
  dy[1] = -4*y[0] + 2*sin(1.3*t) - 0.3*p[C]*fmax(-1, fmin(1, y[1]/0.02));
  return 0;
}

static int start(epi_case *c, int (*rate)(epi_system *, double, const double *, double *))
{
  c->system = (epi_system){.nz = 2, .rate = rate, .data = c->p};
  if (epi_case_start(c)) return -1;
  c->y[0] = 0.1;
  c->y[1] = 1.5;
  return 0;
}
static int make_spring(epi_case *c) { return start(c, spring); }
static int make_stop(epi_case *c) { return start(c, stop); }
static int make_drag(epi_case *c) { return start(c, drag); }
static int make_friction(epi_case *c) { return start(c, friction); }
#define OWN(what) {.name = #what, .doc = "kinks", .params = PARAMS, .make = make_##what, .flow = "rk4", .step = 1e-3, .end = 10}
static const epi_model OWN_MODELS[] = {OWN(spring), OWN(stop), OWN(drag), OWN(friction)};

/* ---- worlds ---- */
static const char *const WORLDS[] = {
  "world:\n  gravity: 0\n  bodies:\n    - {name: b, mass: 1, inertia: [0.1, 0.1, 0.1], velocity: [%g, 0, 0]}\n  joints:\n"
  "    - {name: p, a: b, hold: prismatic, axis: x, limits: {lower: -0.5 m, upper: %g m, stiffness: %g, damping: %g}}\nend: 3\n",
  "world:\n  bodies:\n    - {name: b, mass: 1, inertia: [0.1, 0.1, 0.02], spin: [0, 0, %g]}\n  joints:\n"
  "    - {name: p, a: b, hold: hinge, axis: z, limits: {lower: -1 rad, upper: %g rad, stiffness: %g, damping: %g}}\nend: 3\n",
  "world:\n  gravity: 9.81\n  bodies:\n    - {name: b, mass: %g, inertia: [0.01, 0.02, 0.02], at: [0.3, 0, 0]}\n  joints:\n"
  "    - {name: p, a: b, hold: hinge, at: [0, 0, 0], axis: y, frame: ground,\n"
  "       limits: {lower: -0.5 rad, upper: %g rad, stiffness: %g, damping: %g}}\nend: 3\n",
  "world:\n  gravity: 9.81\n  bodies:\n    - {name: b, ball: 0.1, mass: %g, at: [0, 0, %g], velocity: [0.3, 0, 0]}\n"
  "  contacts:\n"
  "    - {name: floor, shape: sphere-plane, a: b, law: {K: %g, power: 1.5, chi: %g}}\nend: 2\n",
};
enum { WORLD_KINDS = sizeof WORLDS/sizeof *WORLDS, OWN_KINDS = sizeof OWN_MODELS/sizeof *OWN_MODELS, KINDS = WORLD_KINDS + OWN_KINDS };

static filed draw(int kind, unsigned long long *r, char *text, size_t size)
{
  double a = random_of(r, 0, 1), b = random_of(r, 0, 1), c = random_of(r, 0, 1), d = random_of(r, 0, 1);
  if (kind >= WORLD_KINDS) {
    snprintf(text, size, "(a=%g, b=%g, c=%g)", 0.1 + a, 0.1 + 0.6*b, 0.1 + 0.9*c);
    return (filed){NULL, epi_case_of(&OWN_MODELS[kind - WORLD_KINDS], text)};
  }
  double first = kind == 0 ? 1 + 2*a : kind == 1 ? 2 + 4*a : 0.7 + 0.6*a, hard = (kind == 3 ? 1e5 : 20)*pow(30, c);
  /* one in three stops without any loss */
  snprintf(text, size, WORLDS[kind], first, 0.3 + b, hard, d < 0.3 ? 0 : kind == 1 ? 0.3*d : d);
  return filed_of(epi_file_read_text(text, strlen(text), "drawn.yaml"));
}

/* ---- rows ---- */
static int keep(void *data, const epi_system *m, epi_state *s)
{
  table *to = data;
  (void)m;
  if (to->rows > ROWS) return 0;
  to->t[to->rows] = s->t;
  memcpy(to->y[to->rows++], s->y, (size_t)to->n*sizeof *s->y);
  return 0;
}

/* as a run is made: no row cuts a step */
static int solve(epi_case *c, const char *flow, double end, table *to)
{
  char text[600];
  int n = 0;
  epi_name names[64] = {{.name = "keep", .see = keep, .data = to}};
  for (; c->parts[n].name && n < 62; n++) names[n+1] = c->parts[n];
  snprintf(text, sizeof text, "watch(%s, see=keep, every=%.17g)", flow, end/ROWS);
  to->n = epi_size(&c->system);
  to->rows = 0;
  epi_flow *f = epi_make_named(text, names);
  epi_state s = epi_case_state(c);
  int bad = epi_error(f) ? 1 : epi_run(f, &s, end, strncmp(flow, "tolerance", 9) ? end/16 : end);
  if (bad) printf("  %s: %s\n", text, epi_error(f));
  epi_free(f);
  return bad;
}

/* relative to the size of each, of positions and velocities no less than a thousandth of the largest */
static double apart(const epi_case *c, const table *a, const table *b)
{
  const int group[] = {0, c->system.nq, a->n};
  double most = 0, size[MOST] = {0};
  for (int g = 0; g < 2; g++) {
    double largest = 0;
    for (int i = group[g]; i < group[g+1]; i++) {
      for (int k = 0; k < b->rows; k++) size[i] = fmax(size[i], fabs(b->y[k][i]));
      largest = fmax(largest, size[i]);
    }
    for (int i = group[g]; i < group[g+1]; i++) size[i] = fmax(size[i], 1e-3*largest);
  }
  for (int k = 0; k < b->rows; k++)
    for (int i = 0; i < b->n; i++) {
      double e = size[i] > 0 ? fabs(a->y[k][i] - b->y[k][i])/size[i] : 0;
      most = !(e <= most) ? e : most;
    }
  return a->rows == b->rows && b->rows >= ROWS ? most : NAN;
}

static table got, want;

int main(int argc, char **argv)
{
  int draws = argc > 1 ? atoi(argv[1]) : TEST_CHECKED ? KINDS : 2*KINDS, answered = 0, low = 0;
  unsigned long long seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 2029;
  double worst = 0, spent = 0;
  for (int k = 0; k < draws; k++) {
    char text[600];
    double tol = k/KINDS % 2 ? 1e-4 : 1e-6;
    filed f = draw(k % KINDS, &seed, text, sizeof text);
    epi_case *c = f.c;
    epi_chosen a = {.tol = tol, .end = c->t + c->end, .motion = EPI_FULL};
    if (!check(!c->error[0]) || !check(epi_size(&c->system) <= MOST)) test_stop(c->error);
    if (epi_choose(c, &a)) printf("%d, kind %d, tol %g: %s\n%s\n", k, k % KINDS, tol, a.error, text);
    else if (check_count(solve(c, "tolerance(dop853, rtol=5e-15, atol=5e-15, longest=0.02)", a.end, &want), 0) &&
             check_count(solve(c, a.flow, a.end, &got), 0)) {
      double e = apart(c, &got, &want);
      if (!check_below(e, tol) || argc > 1 || e > 3*fmax(a.found, 0.01*tol))
        printf("%3d kind %d tol %g: %.3f tol, told %.3f, %ld evaluations to find out; %s\n", k, k % KINDS, tol, e/tol, a.found/tol, a.spent,
               a.flow);
      /* of what matters */
      low += e > 3*fmax(a.found, 0.01*tol);
      worst = fmax(worst, e/tol);
      answered++;
      spent += (double)a.spent;
    }
    epi_case_free(c);
    if (f.file) epi_file_free(f.file);
  }
  printf("%d of %d answered, worst %.2f tol, %d beyond three times what was told; %.4g evaluations\n", answered, draws, worst, low, spent);
  check_above(answered, 0.95*draws);
  check_below(low, 0.03*draws);
  return test_done();
}
