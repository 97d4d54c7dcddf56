/* holds: emitted programs have the bits of the method they were emitted from, or are refused
 * emit.c - programs that are emitted have the bits of the flow they were emitted from: every flow that can be on several models, and
 * compositions at random. What cannot be emitted says so. emit [COUNT]: compositions at random
 * cost: 20   thorough: 200 */
#include "test.h"
#include "epicycle/emit.h"
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emitted/three.h"
#include "emitted/drag.h"
#include "emitted/first.h"
#include "emitted/turned.h"
#include "emitted/shaken.h"

typedef void lanes(long n, int look, const double *in, double *out);
static const struct { const epi_model *model; const char *file; } models[] = {
  {&THREE, "tests/emitted/three.h"}, {&DRAG, "tests/emitted/drag.h"}, {&FIRST, "tests/emitted/first.h"},
  {&TURNED, "tests/emitted/turned.h"}, {&SHAKEN, "tests/emitted/shaken.h"}, {NULL, "src/model/inverted-pendulum.c"},
  {NULL, "src/model/kepler.c"},
};
enum { AT_THREE, AT_DRAG, AT_FIRST, AT_TURNED, AT_SHAKEN, AT_INVERTED, AT_KEPLER, MODELS };

static char folder[] = "/tmp/emit-XXXXXX";

static char *content(const char *path)
{
  char full[512];
  snprintf(full, sizeof full, "%s/%s", TEST_SOURCE, path);
  FILE *f = fopen(full, "rb");
  char *all = calloc(1, 1 << 17);
  check(f != NULL && all != NULL);
  check(fread(all, 1, (1 << 17) - 1, f) > 0);
  fclose(f);
  return all;
}

static lanes *compiled(const char *text, void **handle)
{
  char command[512], object[128], source[128];
  static int n;
  const char *cc = getenv("CC");
  snprintf(source, sizeof source, "%s/%d.c", folder, n);
  snprintf(object, sizeof object, "%s/%d.so", folder, n++);
  FILE *f = fopen(source, "w");
  fputs(text, f);
  fclose(f);
  snprintf(command, sizeof command, "%s -O1 -w -std=gnu11 -ffp-contract=off -fPIC -shared -o %s %s -lm", cc && *cc ? cc : "cc", object,
           source);
  check_count(system(command), 0);
  *handle = dlopen(object, RTLD_NOW | RTLD_LOCAL);
  check(*handle != NULL);
  union { void *object; lanes *function; } run = {.object = *handle ? dlsym(*handle, "lanes_run") : NULL};
  remove(object);
  remove(source);
  return run.function;
}

/* three cases, of other numbers than the one that was emitted, by the flow and by the program */
static void same_bits(int which, const char *text, double step, double end)
{
  static const char *const numbers[MODELS][3] = {
    {"(k=3, m=2)", "(k=1, m=0.7, x=0.9)", "(k=5)"}, {"", "(g=3, c=0.4)", "(c=0.01, wind=2)"}, {"", "(k=0.3)", "(loss=2)"},
    {"", "(w=300, a=0.1)", "(w=500)"}, {"", "(w=500, b=2)", "(m=0.3)"},
    {"inverted-pendulum", "inverted-pendulum(w=2e4, q0=0.1)", "inverted-pendulum(l=0.1, v0=1)"},
    {"kepler", "kepler(e=0.9)", "kepler(e=0.1)"},
  };
  char *source = content(models[which].file);
  epi_emitted *e = NULL;
  lanes *run = NULL;
  void *handle = NULL;
  for (int i = 0; i < 3; i++) {
    const epi_model *own = models[which].model;
    epi_case *c = own ? epi_case_of(own, numbers[which][i]) : epi_case_make(numbers[which][i]);
    epi_flow *f = epi_case_flow(c, text);
    double in[64], out[64];
    if (epi_error(f)) printf("%s: %s\n", text, epi_error(f));
    check(!epi_error(f));
    if (!e) {
      e = epi_emit(c, f, source);
      if (e->error[0]) printf("%s: %s\n", text, e->error);
      check(!e->error[0]);
      if (e->error[0]) { epi_free(f); epi_case_free(c); break; }
      run = compiled(e->text, &handle);
      if (!run) { epi_free(f); epi_case_free(c); break; }
    }
    check_count(epi_emit_lane(e, c, step, end, in), 0);
    epi_state s = epi_case_state(c);
    int code = epi_run(f, &s, end, step);
    run(1, 0, in, out);
    check_count(out[0], code);
    int same = out[1] == s.t && out[3] == s.theta && !memcmp(out + EPI_LANE_STATE, s.y, (size_t)e->dim*sizeof *out);
    if (!same) printf("%s of %s %s: %.17g, not %.17g\n", text, models[which].file, numbers[which][i], out[EPI_LANE_STATE], s.y[0]);
    check(same);
    epi_free(f);
    epi_case_free(c);
  }
  if (handle) dlclose(handle);
  epi_emit_free(e);
  free(source);
}

static void all_flows(void)
{
  static const struct { unsigned on; const char *text; double step, end; } all[] = {
#define M(x) (1u << AT_##x)
    {M(THREE) | M(DRAG) | M(SHAKEN) | M(INVERTED) | M(KEPLER), "verlet", 0.00013, 0.05},
    {M(THREE) | M(DRAG) | M(SHAKEN), "euler-symplectic", 0.001, 0.3}, {M(THREE) | M(SHAKEN), "euler-symplectic(first=drift)", 0.001, 0.3},
    {M(THREE) | M(SHAKEN), "strang(kick, drift)", 0.001, 0.3}, {M(THREE) | M(SHAKEN), "strang(drift, kick)", 0.001, 0.3},
    {M(DRAG), "strang(velocity-kick, strang(kick, drift))", 0.01, 1}, {M(THREE), "compose(kick, drift, weights=[0.5, 1, 0.5])", 0.01, 1},
    {M(THREE) | M(SHAKEN) | M(INVERTED), "symmetric(verlet, order=4)", 0.0003, 0.1},
    {M(THREE) | M(SHAKEN), "symmetric(strang(kick, drift), order=8)", 0.002, 0.3},
    {M(THREE), "symmetric(verlet, order=6, table=blanes-moan)", 0.05, 3}, {M(DRAG), "symmetric(verlet, order=4)", 0.02, 2},
    {M(THREE) | M(SHAKEN), "symmetric(strang(drift, kick), order=4)", 0.002, 0.3},
    {M(THREE) | M(DRAG) | M(FIRST) | M(TURNED) | M(SHAKEN) | M(KEPLER), "rk4", 0.003, 0.4},
    {M(THREE) | M(DRAG) | M(FIRST) | M(TURNED) | M(SHAKEN), "dopri5", 0.003, 0.4},
    {M(THREE) | M(DRAG) | M(FIRST) | M(TURNED) | M(SHAKEN), "dop853", 0.003, 0.4},
    {M(THREE) | M(FIRST) | M(SHAKEN), "heun", 0.001, 0.1}, {M(THREE) | M(FIRST), "euler", 0.001, 0.1},
    {M(FIRST) | M(DRAG), "midpoint-explicit", 0.001, 0.1}, {M(THREE) | M(TURNED), "bs3", 0.003, 0.4},
    {M(THREE) | M(DRAG) | M(FIRST) | M(TURNED) | M(SHAKEN) | M(KEPLER), "tolerance(dopri5, rtol=1e-7)", 1, 1},
    {M(THREE) | M(DRAG) | M(FIRST) | M(TURNED) | M(SHAKEN), "tolerance(dop853, rtol=1e-9, atol=1e-8)", 1, 1},
    {M(THREE) | M(FIRST), "tolerance(bs3, controller=ode45, rtol=1e-4)", 2, 2}, {M(THREE), "tolerance(verlet, rtol=1e-4)", 2, 2},
    {M(FIRST), "tolerance(rk4, rtol=1e-6, first=0.01, longest=0.3)", 3, 3}, {M(DRAG), "tolerance(dopri5, rtol=1e-7)", 0.3, 2},
    {M(THREE) | M(SHAKEN), "substeps(verlet, 7)", 0.01, 0.5}, {M(FIRST), "substeps(rk4, 3)", 0.1, 2},
    {M(INVERTED), "verlet(hmm(verlet, kernel=box, even=1))", 0.01, 0.2}, {M(INVERTED) | M(SHAKEN), "verlet(hmm(verlet))", 0.02, 0.2},
    {M(SHAKEN), "rk4(hmm(verlet, start=current))", 0.02, 0.2}, {M(SHAKEN), "symmetric(verlet(hmm(rk4)), order=4)", 0.05, 0.2},
    {M(INVERTED), "tolerance(dopri5(hmm(symmetric(verlet, order=4))), rtol=1e-5)", 0.3, 0.3},
    {M(TURNED) | M(SHAKEN), "rk4(strobe(substeps(rk4, 20), order=4))", 0.1, 1},
    {M(SHAKEN), "dopri5(strobe(substeps(verlet, 30), order=2))", 0.1, 0.5}, {M(TURNED), "rk4(strobe(substeps(rk4, 20), order=1))", 0.1, 1},
    {M(SHAKEN), "rk4(strobe(tolerance(dopri5, rtol=1e-8), order=2))", 0.1, 0.5},
#undef M
  };
  for (size_t i = 0; i < sizeof all/sizeof *all; i++)
    for (int k = 0; k < MODELS; k++) if (all[i].on & (1u << k)) same_bits(k, all[i].text, all[i].step, all[i].end);
}

/* ---- at random ---- */
static unsigned long long seed = 88172645463325252u;
static int draw(int n)
{
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return (int)(seed % (unsigned)n);
}

static void flow_at_random(int which, int deep, char *out, size_t size)
{
  static const char *const leaf[] = {"verlet", "strang(kick, drift)", "strang(drift, kick)"};
  static const char *const table[] = {"rk4", "dopri5", "dop853", "heun", "bs3", "midpoint-explicit", "euler"};
  int forces = which == AT_THREE || which == AT_SHAKEN || which == AT_INVERTED || which == AT_KEPLER, drag = which == AT_DRAG;
  char inner[256];
  switch (deep ? draw(forces ? 8 : 4) : forces ? 6 + draw(2) : draw(2)) {
  case 0: case 1: snprintf(out, size, "%s", table[draw(7)]); return;
  case 2: flow_at_random(which, deep - 1, inner, sizeof inner); snprintf(out, size, "substeps(%s, %d)", inner, 1 + draw(9)); return;
  case 3:
    if (drag) snprintf(out, size, "strang(velocity-kick, strang(kick, drift))");
    else snprintf(out, size, "substeps(%s, %d)", table[draw(7)], 1 + draw(3));
    return;
  case 4: snprintf(out, size, "symmetric(%s, order=%d)", leaf[draw(3)], 4 + 2*draw(3)); return;
  case 5: snprintf(out, size, "symmetric(substeps(%s, %d), order=4)", leaf[draw(3)], 1 + draw(4)); return;
  case 6: snprintf(out, size, "%s", leaf[draw(3)]); return;
  default: snprintf(out, size, "compose(kick, drift, kick, weights=[%g, 1, %g])", 0.25, 0.75); return;
  }
}

static void tree_at_random(int which, char *out, size_t size, double *step)
{
  char inner[300];
  int phase = which == AT_SHAKEN || which == AT_INVERTED;
  flow_at_random(which, 2, inner, sizeof inner);
  *step = 0.01/(1 + draw(5));
  int kind = draw(4);
  if (kind == 0 && !strstr(inner, "tolerance")) snprintf(out, size, "tolerance(%s, rtol=1e-%d)", inner, 3 + draw(3));
  else if (kind == 1 && phase) {
    *step = 0.05;
    snprintf(out, size, "verlet(hmm(symmetric(verlet, order=%d), steps=%d))", 4 + 2*draw(2), 16 + 8*draw(3));
  } else if (kind == 2 && (phase || which == AT_TURNED)) {
    *step = 0.05;
    snprintf(out, size, "%s(strobe(substeps(%s, %d), order=%d))", draw(2) ? "rk4" : "dopri5", draw(2) ? "rk4" : "dopri5", 12 + draw(20),
             2 + 2*draw(3));
  } else snprintf(out, size, "%s", inner);
}

static void at_random(int count)
{
  for (int i = 0; i < count; i++) {
    char text[400];
    double step;
    int which = draw(MODELS);
    tree_at_random(which, text, sizeof text, &step);
    const char *name = which == AT_KEPLER ? "kepler" : "inverted-pendulum";
    epi_case *c = models[which].model ? epi_case_of(models[which].model, NULL) : epi_case_make(name);
    epi_flow *f = epi_case_flow(c, text);
    int fits = !epi_error(f);
    epi_free(f);
    epi_case_free(c);
    if (fits) same_bits(which, text, which == AT_INVERTED && step < 0.05 ? step/100 : step, 0.11);
    else i--;
  }
}

/* ---- what is refused ---- */
#define MAKE "static int make(void) { s.force = a; } "
static void refused(void)
{
  static const struct { const char *model, *flow, *source, *words; } all[] = {
    {"kepler", "midpoint", ".force = force; static int force(void) { return 0; }", "midpoint is not among the flows"},
    {"kepler", "verlet", "static int other(void) { return 0; }", "does not say which of its functions is its force"},
    {"kepler", "verlet", ".force = a; .force = b; static int a(void) {} static int b(void) {}", "more than one function"},
    {"rod-pendulum", "verlet", "", "constraints are not emitted"},
    {"rigid-body", "nambu", "", "rotations are not emitted"},
    {"kepler", "tolerance(substeps(tolerance(dopri5), 2))", ".force = a; static int a(void) {}", "a tolerance inside of another"},
    {"kepler", "at(verlet, of=0)", ".force = a; static int a(void) {}", "at is emitted around a whole flow"},
    {"kepler", "at(tolerance(dopri5), of=0, stop=1)", ".force = a; static int a(void) {}", "flows of fixed steps"},
    {"kepler", "verlot", "", "verlot"},
    {"kepler", "verlet", MAKE "static double k[2] = {1, 2}; static int a(void) { return k[0]; }", "may change, 'static double k[2]"},
    {"kepler", "verlet", MAKE "const double *k; static int b(void) { return *k; } static int a(void) { return b(); }",
     "may change, 'const double *k"},
    {"kepler", "verlet", MAKE "struct { int n; } k; static int a(void) { return k.n; }", "a variable that may change"},
    {"kepler", "verlet", MAKE "static int a(void) { static const int m = 1; static int n; return n += m; }", "may change, 'static int n"},
  };
  for (size_t i = 0; i < sizeof all/sizeof *all; i++) {
    epi_case *c = epi_case_make(all[i].model);
    epi_flow *f = epi_case_flow(c, all[i].flow);
    epi_emitted *e = epi_emit(c, f, all[i].source);
    if (!strstr(e->error, all[i].words)) printf("%s of %s: %s\n", all[i].flow, all[i].model, e->error);
    check(strstr(e->error, all[i].words) != NULL);
    epi_emit_free(e);
    epi_free(f);
    epi_case_free(c);
  }
}

/* steps of a program would go over the times that a model names */
static void breaks(void)
{
  static const double at[] = {0.5};
  static const char source[] = ".force = a; static int a(void) { return 0; }";
  static const char *const flow[] = {"tolerance(dopri5)", "verlet"};
  for (int i = 0; i < 2; i++) {
    epi_case *c = epi_case_make("kepler");
    c->system.traits.breaks = at;
    c->system.traits.nbreaks = 1;
    epi_flow *f = epi_case_flow(c, flow[i]);
    epi_emitted *e = epi_emit(c, f, source);
    check_count(strstr(e->error, "do not go over the times at which a force bends") != NULL, i == 0);
    epi_emit_free(e);
    epi_free(f);
    epi_case_free(c);
  }
}

/* constants, types and functions of the file are no variables */
static void taken(void)
{
  static const char source[] = "static const double k[] = {1, 2}; static double const *const p = k; enum { N = 2 };"
    " typedef struct { int n; } t; struct u { int n; }; struct u; static double b(double x); static double unused;"
    " static double b(double x) { static const double two = 2; return x*two; }"
    MAKE " static int a(void) { struct u w; t z; z.n = N; w.n = 1; return b(k[0]) + p[0] + z.n + w.n; }";
  epi_case *c = epi_case_make("kepler");
  epi_flow *f = epi_case_flow(c, "verlet");
  epi_emitted *e = epi_emit(c, f, source);
  if (e->error[0]) printf("%s\n", e->error);
  check(!e->error[0]);
  epi_emit_free(e);
  epi_free(f);
  epi_case_free(c);
}

int main(int argc, char **argv)
{
  if (!mkdtemp(folder)) return 1;
  refused();
  breaks();
  taken();
  all_flows();
  at_random(argc > 1 ? atoi(argv[1]) : 20);
  rmdir(folder);
  return test_done();
}
