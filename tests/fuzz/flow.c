/* holds: the text of a flow is refused in a sentence, or makes a flow whose text makes it again */
#include "fuzz.h"
#include "../problems.h"

static int see(void *data, const epi_system *m, epi_state *s) { (void)data, (void)m, (void)s; return 0; }
static double gap(void *data, double t, const double *y) { (void)data; return y[0] - 0.1*t; }
static double kernel(void *data, double x) { (void)data; return 1 - x*x; }
static double scale(void *data, double T, double V) { (void)data, (void)T, (void)V; return 1; }
static const double one_half[] = {0, 0, 0.5, 0}, weights[] = {0, 1};
static const epi_table table = {.name = "mine", .order = 2, .stages = 2, .a = one_half, .b = weights};
static const char *const coordinates[] = {"x", "y", "x'", "y'"};

static epi_system systems[] = {
  {.nq = 2, .force = shaken_force, .velocity_force = quadratic_drag, .phase.period = 0.01, .names = coordinates},
  {.nq = 2, .phase = {.forced = phased_force, .phase_rate = 600}},
  {.nq = 2, .nc = 1, .force = weight, .constraint = rod},
  {.nz = 2, .rate = volterra},
  {.nq = 2, .force = henon_force, .energies = {.potential = henon_potential, .log_force = henon_log_force, .objective = henon_objective}},
  {.nq = 4, .nv = 3, .force = top_force, .velocity_force = top_gyro, .mass = top_inertia,
   .manifold = {.retract = top_turn, .retract_rate = top_slew}},
};

static char *text_of(const epi_flow *f)
{
  size_t n = epi_text(f, NULL, 0);
  char *text = malloc(n + 1);
  if (!text) abort();
  hold(epi_text(f, text, n + 1) == n && strlen(text) == n);
  return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  if (!size) return 0;
  char *text = fuzz_text(data + 1, size - 1, NULL);
  epi_system *m = &systems[data[0] % (sizeof systems/sizeof *systems)];
  epi_name names[] = {{.name = "model", .system = m}, {.name = "model.stiff", .system = &systems[0]}, {.name = "see", .see = see},
                      {.name = "gap", .gap = gap}, {.name = "kernel", .kernel = kernel}, {.name = "scale", .scale = scale},
                      {.name = "mine", .table = &table}, {0}};
  epi_flow *f = epi_make_named(text, names);
  if (epi_error(f)) hold(strlen(epi_error(f)) > 10);
  else {
    char *first = text_of(f);
    epi_flow *g = epi_make_named(first, names);
    hold(!epi_error(g));
    char *second = text_of(g);
    hold(!strcmp(first, second));
    free(first);
    free(second);
    epi_free(g);
  }
  epi_free(f);
  free(text);
  return 0;
}
