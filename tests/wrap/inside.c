/* holds: dense output has its order and cost, and changes no bit of the run */
#include "problems.h"
#include "cases.h"

/* y' of shaken Henon-Heiles as a plain rate, for the methods that have another loop for it */
static int shaken_rate(epi_system *s, double t, const double *y, double *dy)
{
  dy[0] = y[2];
  dy[1] = y[3];
  return shaken_force(s, t, y, dy + 2);
}
static const double heavy[] = {1, 1};

static void true_state(double t0, double t, double *y)
{
  epi_system s = {.nq = 2, .force = shaken_force};
  epi_flow *f = epi_make("dop853", &s);
  epi_state x = {.t = t0, .y = y};
  memcpy(y, henon_start, 4*sizeof *y);
  check_count(epi_run(f, &x, t, (t - t0)/8), 0);
  epi_free(f);
}

/* the largest error inside one step from an exact start; four places. order: of the local error */
static void orders(void)
{
  static const struct { const char *text; double h, order, tol; } all[] = {
    {"dense(dop853)", 0.8, 8, 0.5}, {"dense(rk4)", 0.2, 4, 0.2}, {"dense(dopri5)", 0.4, 5, 0.3}, {"dense(bs3)", 0.2, 4, 0.3},
    {"dense(heun)", 0.1, 3, 0.3}, {"dense(euler)", 0.05, 2, 0.2},
  };
  for (size_t i = 0; i < sizeof all/sizeof *all; i++)
    for (int form = 0; form < 3; form++) {
      epi_system s = {.nq = 2, .force = shaken_force, .mass = form == 1 ? heavy : NULL};
      if (form == 2) s = (epi_system){.nz = 4, .rate = shaken_rate};
      double h[4], error[4];
      for (int k = 0; k < 4; k++) {
        epi_flow *f = epi_make(all[i].text, &s);
        double y[4], in[4], want[4];
        epi_state x = {.t = 0.3, .y = y};
        memcpy(y, henon_start, sizeof y);
        h[k] = all[i].h/(1 << k);
        error[k] = 0;
        if (!check_count(epi_advance(f, &x, h[k], 1), 0)) printf("  %s\n", epi_error(f));
        long calls = epi_calls(f);
        for (int p = 1; p < 5; p++) {
          double t = 0.3 + 0.2*p*h[k];
          check_count(epi_between(f, t, in), 0);
          true_state(0.3, t, want);
          for (int c = 0; c < 4; c++) error[k] = fmax(error[k], fabs(in[c] - want[c]));
        }
        /* the stages of the interpolant are asked once a step */
        if (!check_count(epi_calls(f) - calls, !strcmp(all[i].text, "dense(dop853)") ? 4 : strstr(all[i].text, "dopri5")
                         || strstr(all[i].text, "bs3") ? 0 : 1)) printf("  %s, form %d\n", all[i].text, form);
        epi_free(f);
      }
      if (!check_order(4, h, error, all[i].order, all[i].tol)) printf("  %s, form %d\n", all[i].text, form);
    }
}

static int nothing(void *data, const epi_system *s, epi_state *x) { (void)s; (void)x; ++*(long *)data; return 0; }

/* rows in every step cost at most the stages of the interpolant, and the next step begins with one of them */
static void cost(void)
{
  static const struct { const char *text; double h; long most; } all[] = {
    {"watch(dop853, see=note, every=0.01)", 0.5, 15}, {"watch(rk4, see=note, every=0.01)", 0.1, 4},
    {"watch(dopri5, see=note, every=0.01)", 0.2, 6}, {"watch(bs3, see=note, every=0.01)", 0.1, 3}};
  for (size_t i = 0; i < sizeof all/sizeof *all; i++)
    for (int form = 0; form < 3; form++) {
      epi_system s = {.nq = 2, .force = shaken_force, .mass = form == 1 ? heavy : NULL};
      if (form == 2) s = (epi_system){.nz = 4, .rate = shaken_rate};
      double y[4];
      long rows = 0;
      epi_state x = {.y = y};
      memcpy(y, henon_start, sizeof y);
      epi_name names[] = {{.name = "model", .system = &s}, {.name = "note", .see = nothing, .data = &rows}, {0}};
      epi_flow *f = epi_make_named(all[i].text, names);
      check_count(epi_advance(f, &x, all[i].h, 12), 0);
      check_between(rows, 100*all[i].h*12 - 1, 100*all[i].h*12);
      if (!check_below(epi_calls(f), all[i].most*12 + 1)) printf("  %s, form %d\n", all[i].text, form);
      epi_free(f);
    }
}

/* rotations and joints: inside a step too they are what a shorter step would be, to the order of the interpolant, units and closed */
static void held(void)
{
  static const struct { const char *model, *text; double h, order, tol; } all[] = {
    {"slider-crank(drive=free)", "dop853", 0.024, 8, 1}, {"slider-crank(drive=free)", "dopri5", 0.006, 5, 0.5},
    /* from rest the error of every second order is missing */
    {"rod-pendulum", "dop853", 0.24, 9, 0.5}, {"rod-pendulum", "dopri5", 0.1, 5, 0.5},
    {"rigid-body", "dop853", 1.6, 8, 1}, {"rigid-body", "dopri5", 0.1, 5, 0.5}};
  for (size_t i = 0; i < sizeof all/sizeof *all; i++) {
    double h[4], error[4];
    char text[40];
    snprintf(text, sizeof text, "dense(%s)", all[i].text);
    for (int k = 0; k < 4; k++) {
      epi_case *c = make(all[i].model);
      int n = c->system.nq + (c->system.nv ? c->system.nv : c->system.nq) + c->system.nz;
      double in[200], want[200];
      epi_flow *f = epi_case_flow(c, text), *g = epi_case_flow(c, "dop853");
      epi_state s = epi_case_state(c), x = {.t = s.t, .theta = s.theta, .y = want};
      memcpy(want, s.y, (size_t)n*sizeof *want);
      h[k] = all[i].h/(1 << k);
      error[k] = 0;
      check_count(epi_advance(f, &s, h[k], 1), 0);
      for (int p = 1; p < 5; p++) {
        check_count(epi_between(f, 0.2*p*h[k], in), 0);
        check_count(epi_run(g, &x, 0.2*p*h[k], 0.05*h[k]), 0);
        for (int l = 0; l < n; l++) error[k] = fmax(error[k], fabs(in[l] - want[l]));
        if (c->system.nc) {
          double g0[40], G[8000], gt[40] = {0};
          c->system.constraint(&c->system, 0.2*p*h[k], in, g0, G, gt);
          for (int l = 0; l < c->system.nc; l++) check_below(fabs(g0[l]), 1e-14);
        }
      }
      epi_free(f);
      epi_free(g);
      epi_case_free(c);
    }
    if (!check_order(4, h, error, all[i].order, all[i].tol)) printf("  %s by %s\n", all[i].model, all[i].text);
  }
}

int main(void)
{
  orders();
  held();
  cost();
  return test_done();
}
