/* which.c - prints docs/which.md: which integrator? From the records, and from what each flow does on small problems here and now */
#include <epicycle.h>
#include <math.h>
#include <string.h>

/* ---- problems: a pendulum, one on a rod, a body that turns, velocity force ---- */
static int swing(epi_system *s, double t, const double *q, double *f) { (void)s; (void)t; f[0] = -sin(q[0]); return 0; }
static double energy(epi_system *s, double t, const double *y) { (void)s; (void)t; return y[1]*y[1]/2 + 2 - cos(y[0]); }
static double resting(epi_system *s, double t, const double *y) { (void)s; (void)t; return 2 - cos(y[0]); }
static int velocity_force(epi_system *s, double t, const double *q, const double *v, double *f)
{
  (void)s; (void)t; (void)q;
  f[0] -= 0.1*v[0];
  return 0;
}
static int weight(epi_system *s, double t, const double *q, double *f) { (void)s; (void)t; (void)q; f[0] = 0; f[1] = -1; return 0; }
static int rod(epi_system *s, double t, const double *q, double *g, double *G, double *gt)
{
  (void)s; (void)t; (void)gt;
  g[0] = (q[0]*q[0] + q[1]*q[1] - 1)/2;
  G[0] = q[0];
  G[1] = q[1];
  return 0;
}

enum { PENDULUM, DAMPED, ROD, BODY };
static epi_system problems[3] = {
  {.nq = 1, .force = swing, .energy = energy, .energies.potential = resting}, {.nq = 1, .force = swing, .velocity_force = velocity_force},
  {.nq = 2, .nc = 1, .force = weight, .constraint = rod},
};

static epi_info top;
static void first(void *data, const epi_info *i) { (void)data; if (i->depth == 0) top = *i; }

/* does the flow take this problem, and a step of it? */
static int takes(const char *text, int which)
{
  double y[4] = {1, 0.1, 0, 0};
  epi_case *c = which == BODY ? epi_case_make("heavy-top") : NULL;
  epi_state s = {.y = y};
  if (which == ROD) memcpy(y, (double[]){1, 0, 0, 0}, sizeof y);
  if (c) s = epi_case_state(c);
  epi_flow *f = c ? epi_case_flow(c, text) : epi_make(text, &problems[which]);
  int ok = !epi_error(f) && !epi_advance(f, &s, 0.01, 1);
  epi_free(f);
  epi_case_free(c);
  return ok;
}

static int adapts(const char *text)
{
  static const char *const words[] = {"density", "scaled", "twin", "scaling", "tolerance"};
  int yes = 0;
  for (int i = 0; i < 5; i++) yes |= strstr(text, words[i]) != NULL;
  return yes;
}

/* forces in a step, or in as much time; the drift of the energy: how far its mean error has moved from the first swings to the last
   quarter, over the largest error in the first; rounding is no drift */
static void run(const char *text, double *forces, double *drift)
{
  enum { STEPS = 4000, FIRST = 150 };
  double y[] = {1.5, 0}, begin = 0, end = 0, most = 0, E = energy(NULL, 0, y);
  epi_state s = {.y = y};
  epi_flow *f = epi_make(text, &problems[PENDULUM]);
  for (int k = 0; k < STEPS; k++) {
    epi_advance(f, &s, 0.1, 1);
    double e = energy(NULL, 0, y) - E;
    if (k < FIRST) { begin += e/FIRST; most = fmax(most, fabs(e)); }
    if (k >= 3*STEPS/4) end += 4*e/STEPS;
  }
  *drift = most > 1e-11 ? fabs(end - begin)/most : 0;
  /* few answers: the cost of the steps alone */
  long before = epi_calls(f);
  int far = adapts(text) && !strstr(text, "tolerance");
  epi_advance(f, &s, far ? 10 : 0.1, far ? 10 : 100);
  *forces = (double)(epi_calls(f) - before)/(far ? 1000 : 100);
  epi_free(f);
}

static const char *word(unsigned claims, unsigned bit) { return claims & bit ? "yes" : "-"; }

static void row(const char *text)
{
  double forces = 0, drift = 0;
  epi_flow *f = epi_make(text, &problems[PENDULUM]);
  if (epi_error(f)) { epi_free(f); return; }
  epi_walk(f, first, NULL);
  run(text, &forces, &drift);
  printf("| `%s` | %s%.0d | %s | %s | %s | %s | %.1f | %s | %s | %s | %s |\n", text, top.order ? "" : "-", top.order,
         word(top.claims, EPI_SYMPLECTIC),
         word(top.claims, EPI_REVERSIBLE), word(top.claims, EPI_EXPLICIT), adapts(text) ? "yes" : "-", forces,
         drift < 0.05 ? "no" : drift < 0.5 ? "some" : "yes",
         takes(text, ROD) ? "yes" : "-", takes(text, BODY) ? "yes" : "-", takes(text, DAMPED) ? "yes" : "-");
  epi_free(f);
}

int main(void)
{
  static const char *const flows[] = {
    "euler-symplectic", "verlet", "symmetric(verlet)", "symmetric(verlet, order=6)", "symmetric(verlet, order=8)", "variational",
    "variational(0, symmetric=1)",
    "variational(order=4)", "midpoint", "gauss", "gauss(stages=3)", "lobatto(stages=3)", "density(verlet)",
    "density(symmetric(verlet, order=8))",
    "density(midpoint)", "scaled(verlet)", "scaled(symmetric(verlet, order=8))", "twin(scaling=potential)",
    "twin(scaling=potential, order=4)",
    "variational(scaling=potential)", "variational(scaling=potential, order=4)", "rk4", "dopri5", "tolerance(dopri5, rtol=1e-6)",
    "tolerance(dop853, rtol=1e-9)",
    "tolerance(verlet, rtol=1e-4)", "euler-implicit", "radau(stages=3)", "herk4",
  };
  puts("# Which integrator?\n"
       "Made by `build/examples/which` from the library itself: order, symplectic, reversible and explicit are the claims of the flow, "
       "which the tests measure;\nforces in a step, drift of the energy and what a flow accepts are measured by the program that prints "
       "this page, on a pendulum (h = 0.1, 4000 steps,\npotential 2 - cos q, which keeps away from zero).\n\n"
       "**Conservative, nothing sudden:** `verlet`; more digits, `symmetric(verlet, order=8)`. **Steps must vary and the energy must "
       "stay:** `density(verlet)` where the\nmotion comes back (p and -p), `scaled(...)` where it does not or where a potential rules, "
       "`twin` for a scaling of your own, `variational(scaling=contact)` for contacts.\n**Stiff:** `midpoint`, `gauss`, `radau`. **Damped, "
       "driven, short:** `adams` or `tolerance(dop853)`. **Fast vibration you do not want to resolve:** an "
       "average\n([averaging](averaging.md), [strobe](strobe.md)) inside any of these. **Rigid bodies:** `nambu`, with torques "
       "`strang(kick, nambu)`, to any order by `symmetric`.\n**Forces of velocity:** a velocity force in `verlet` (implicit there), "
       "`midpoint`, `tolerance(dopri5)`. [Adaptive flows](adaptive.md) says more about the second group.\n\n`epicycle check MODEL --flow "
       "TEXT --claims` measures the same on a model of yours.\n\n| flow | order | symplectic | reversible | explicit | adaptive | forces a "
       "step | energy drifts | constraints | rotations | velocity force |\n|---|---|---|---|---|---|---|---|---|---|---|");
  for (size_t i = 0; i < sizeof flows/sizeof *flows; i++) row(flows[i]);
  puts("\nAdaptive flows are counted over 0.1 of physical time; their first step is that long. `nambu` moves rigid bodies only, and has no "
       "row on a pendulum.");
  return 0;
}
