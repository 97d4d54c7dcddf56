/* holds: the energy balance of the bearing closes up to an error that falls with the step
 * label: long */
#include "bearings.h"

/* ---- the balance ---- */
/* off: work of the springs of the drive beyond that of the torque of the balls, at 10000 rpm, once both have settled */
typedef struct { double in, out, stored, defect, off; } ledger;

static ledger balance(const char *text, const char *flow, double h, double end)
{
  epi_case *c = bearing_make(text);
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  double E0 = observed(c, "energy", &s), in = observed(c, "power", &s), out = observed(c, "loss", &s);
  ledger l = {0};
  /* the trapezoidal rule, at every step */
  for (long k = lround(end/h); k > 0; k--) {
    if (epi_advance(f, &s, h, 1)) test_stop(epi_error(f));
    double more = observed(c, "power", &s), lost = observed(c, "loss", &s);
    l.in += 0.5*h*(in + more);
    l.out += 0.5*h*(out + lost);
    if (s.t > 50e-6) l.off += h*1e4/30*3.14159265358979*(observed(c, "drive", &s) - observed(c, "torque", &s));
    in = more;
    out = lost;
  }
  l.stored = observed(c, "energy", &s) - E0;
  l.defect = l.in - l.out - l.stored;
  printf("%s, %g ms, h = %g: in %.6f, heat %.6f, stored %.6f, defect %.3g J\n", text, 1e3*end, h, l.in, l.out, l.stored, l.defect);
  epi_free(f);
  epi_case_free(c);
  return l;
}

/* with the velocity ahead as h^2, plain as h */
static void falls(void)
{
  static const struct { const char *text, *flow; double end, order, tol, share; } ON[] = {
    {S1, AHEAD, 600e-6, 2, 0.1, 2e-3}, {S1, PLAIN, 600e-6, 1, 0.1, 2e-2}, {S2, AHEAD, 600e-6, 2, 0.2, 2e-3},
    {S1, AHEAD, 20e-3, 2, 0.1, 1e-2},
    {"bearing(speed=12000, from=8000, spinup=1e-3, axial=1500, preload=500, ramp=5e-4)", AHEAD, 1e-3, 2, 0.2, 2e-3}};
  for (size_t k = 0; k < sizeof ON/sizeof *ON; k++) {
    double h[3], defect[3];
    for (int i = 0; i < 3; i++) {
      h[i] = 1e-6/(1 << i);
      ledger l = balance(ON[k].text, ON[k].flow, h[i], ON[k].end);
      defect[i] = l.defect;
      check_below(fabs(l.defect), ON[k].share*l.in);
      check_above(fabs(l.stored), 10*fabs(l.defect));
    }
    check_order(3, h, defect, ON[k].order, ON[k].tol);
  }
  /* the springs of the drive give what the balls take */
  ledger l = balance(S1, AHEAD, 1e-6, 600e-6);
  printf("by the springs of the drive %.3g J more\n", l.off);
  check_below(fabs(l.off), 5e-3*l.in);
}

/* storage is the energy of the system without the height of the loads */
static void stored(void)
{
  epi_case *c = bearing_make("bearing(radial=300)");
  epi_flow *f = epi_case_flow(c, AHEAD);
  epi_state s = epi_case_state(c);
  bearing_run(f, &s, 150e-6, 1e-6);
  double E = c->system.energy(&c->system, s.t, s.y);
  static const char *const loads[] = {"axial", "radial"};
  for (int i = 0; i < 2; i++) {
    epi_action a;
    check_count(epi_world_action(c->world, &s, epi_world_action_named(c->world, loads[i]), &a), 0);
    E -= a.energy;
  }
  check_rel(observed(c, "energy", &s), E, 1e-13);
  epi_free(f);
  epi_case_free(c);
}

int main(void)
{
  stored();
  falls();
  return test_done();
}
