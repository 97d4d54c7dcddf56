/* holds: slider-crank, four-bar and rod-pendulum have the kinematics, joint forces and motions of references
 * mechanisms.c - slider-crank, four-bar, rod-pendulum: kinematics, joint forces and free motions against figures from elsewhere; the one
   word between constraints and springs */
#include "cases.h"

static const double PI = 3.14159265358979323846;
static const char *const FINE = "symmetric(verlet, order=6)";

static double wrapped(double x) { return remainder(x, 2*PI); }

/* ---- slider-crank ---- */
/* at w = 20: the slider, forces of ground on crank, crank on rod, rod on slider, guide on slider, torque on the crank */
enum { X, VX, AX, FAX, FAY, FBX, FBY, FCX, FCY, FN, TORQUE, LOOKS };
static const char *const LOOK[LOOKS] = {"x", "vx", "ax", "Ax", "Ay", "Bx", "By", "Cx", "Cy", "N", "T"};
static const double DIGITS[LOOKS] = {6e-13, 6e-11, 6e-10, 6e-9, 6e-9, 6e-9, 6e-9, 6e-9, 6e-9, 6e-9, 6e-9};
static const struct { double degrees, look[LOOKS]; } DRIVEN[] = {
  {0, {0.4, 0, -53.3333333333, -86, 12.2625, -66, 2.4525, -42.66666667, -2.4525, 10.3005, 0.73575}},
  {30, {0.382406529533, -1.2927700219, -41.692017362, -69.75738034, 6.22944597, -52.43687227, 6.41944597, -33.35361389, 6.51444597,
        1.33355403, 3.60256940}},
  {45, {0.362258272861, -1.7572107327, -28.687797330, -51.33539063, 0.70386688, -37.19325501, 5.03600250, -22.95023786, 7.20207032,
        0.64592968, 3.33289531}},
  {90, {0.282842712475, -2, 14.142135624, 14.84924240, -19.2375, 14.84924240, -9.0475, 11.31370850, -3.9525, 11.8005, -1.48492424}},
  {135, {0.220836916624, -1.0712163921, 27.880745165, 50.48798586, -13.70201427, 36.34585023, -9.36987865, 22.30459613, -7.20381084,
         15.05181084, -2.25432512}},
  {270, {0.282842712475, 2, 14.142135624, 14.84924240, 43.7625, 14.84924240, 13.9525, 11.31370850, -0.9525, 8.8005, 1.48492424}},
};
enum { DRIVENS = sizeof DRIVEN/sizeof *DRIVEN };

static double against(const epi_case *c, const epi_state *s, const double *want, const char *where)
{
  double worst = 0;
  for (int k = 0; k < LOOKS; k++) {
    double x = observed(c, LOOK[k], s);
    worst = fmax(worst, fabs(x - want[k])/DIGITS[k]);
    if (!check_abs(x, want[k], DIGITS[k])) printf("  %s at %g degrees, %s\n", LOOK[k], s->t*20*180/PI, where);
  }
  return worst;
}

/* once round by a method, and put there */
static void driven(void)
{
  static const char *const flows[] = {NULL, "verlet", "symmetric(verlet, order=4)", "dop853", "tolerance(dopri5, rtol=1e-10)"};
  for (int k = 0; k < 5; k++) {
    epi_case *c = make("slider-crank(drive=speed)");
    epi_flow *f = epi_case_flow(c, flows[k]);
    epi_state s = epi_case_state(c);
    double closure = 0, worst = 0;
    for (int i = 0; i < DRIVENS; i++) {
      run(f, &s, DRIVEN[i].degrees*PI/180/20, c->step);
      worst = fmax(worst, against(c, &s, DRIVEN[i].look, flows[k] ? flows[k] : "semi"));
      closure = fmax(closure, observed(c, "closure", &s));
    }
    printf("slider-crank by %s: figures to %.2g of their last digit, joints closed to %.2g\n", flows[k] ? flows[k] : c->model->flow,
           worst*0.6, closure);
    check_below(closure, 1e-15);
    epi_free(f);
    epi_case_free(c);
  }
  for (int i = 0; i < DRIVENS; i++) {
    char text[80];
    snprintf(text, sizeof text, "slider-crank(drive=speed, th0=%.17g)", DRIVEN[i].degrees*PI/180);
    epi_case *c = make(text);
    epi_state s = epi_case_state(c);
    against(c, &s, DRIVEN[i].look, "at the start");
    epi_case_free(c);
  }
}

/* the torque is the work: T = dE/dth, E from starts a little apart; also against the speed, and of the four-bar */
static void work(void)
{
  static const char *const models[] = {"slider-crank(drive=speed, w0=%g, th0=%.17g)", "four-bar(w0=%g, th0=%.17g)"};
  for (int m = 0; m < 2; m++)
    for (int i = 0; i < 12; i++) {
      double th = 0.3 + i*2*PI/12, e = 1e-3, E[4], w = i%2 ? 20 : -7;
      char text[80];
      for (int k = 0; k < 4; k++) {
        snprintf(text, sizeof text, models[m], w, th + (k - 1.5)*e);
        epi_case *c = make(text);
        epi_state s = epi_case_state(c);
        E[k] = observed(c, "energy", &s);
        epi_case_free(c);
      }
      snprintf(text, sizeof text, models[m], w, th);
      epi_case *c = make(text);
      epi_state s = epi_case_state(c);
      check_abs(observed(c, "T", &s), (27*(E[2] - E[1]) - (E[3] - E[0]))/(24*e), 1e-9);
      epi_case_free(c);
    }
}

/* no torque, w0 = 20 */
static const struct { double t, th, w; } FREE[] = {{0.1, 1.0744026942, 6.5092898968}, {0.5, 5.7057221448, 16.4279495779},
                                                   {1, 11.5288639478, 14.1215367893}};

static void free_crank(void)
{
  epi_case *c = make("slider-crank");
  const char *const flows[] = {FINE, "symmetric(verlet, order=8)"};
  for (int k = 0; k < 2; k++) {
    epi_flow *f = epi_case_flow(c, flows[k]);
    epi_state s = epi_case_state(c);
    double worst = 0;
    check_abs(observed(c, "energy", &s), 1, 1e-15);
    for (int i = 0; i < 3; i++) {
      run(f, &s, FREE[i].t, 1e-3);
      worst = fmax(worst, fabs(wrapped(observed(c, "angle", &s) - FREE[i].th)));
      worst = fmax(worst, fabs(observed(c, "speed", &s) - FREE[i].w));
    }
    printf("slider-crank, free, %s: %.2g from its reference, energy to %.2g\n", flows[k], worst, fabs(observed(c, "energy", &s) - 1));
    check_below(worst, k ? 1e-10 : 1e-9);
    check_abs(observed(c, "energy", &s), 1, 2e-11);
    check_below(observed(c, "closure", &s), 1e-15);
    epi_free(f);
  }
  /* second order by verlet and by semi: without stiff forces and velocities in the contacts it has lost nothing */
  static const char *const second[] = {"verlet", "semi(model.contacts, model.stiff)"};
  for (int k = 0; k < 2; k++) {
    double h[4], error[4];
    for (int i = 0; i < 4; i++) {
      h[i] = 1e-3/(1 << i);
      error[i] = fabs(wrapped(reached("slider-crank", second[k], 0.5, h[i], "angle") - FREE[1].th));
    }
    printf("slider-crank, free, %s: angle at 0.5 s off by %.3g, %.3g, %.3g, %.3g\n", second[k], error[0], error[1], error[2], error[3]);
    check_order(4, h, error, 2, 0.1);
  }
  epi_case_free(c);
}

/* ---- four-bar ---- */
static const struct { double degrees, look[6]; } BARS[] = {
  {0, {0.927295218002, 1.570796326795, -6.6666666667, -6.6666666667, 0, 83.33333333}},
  {45, {0.527730646863, 1.386257212787, -2.9877970486, 1.6833951589, 48.30509564, 76.17578652}},
  {90, {0.406960757707, 1.673064430486, -0.4280773047, 4.8133468789, 22.34034981, 13.70063962}},
  {135, {0.436674294845, 2.061049643541, 1.1651858028, 4.7058005349, 20.51148089, -14.22235889}},
  {180, {0.594245032694, 2.366399280279, 2.8571428571, 2.8571428571, 20.82899441, -30.20204190}},
  {225, {0.870692799858, 2.495068148553, 3.9671831223, 0.4265683902, 4.55522424, -30.17861554}},
  {270, {1.167973511931, 2.434077184711, 3.1866979943, -2.0547261893, -27.60019716, -36.23990735}},
  {315, {1.279059676249, 2.137586242173, -1.1461319389, -5.8173241464, -86.22563877, -58.35494790}},
};

static void four_bar(void)
{
  static const char *const looks[] = {"th3", "th4", "w3", "w4", "al3", "al4"};
  static const double digits[] = {6e-13, 6e-13, 6e-11, 6e-11, 6e-9, 6e-9};
  epi_case *c = make("four-bar");
  epi_flow *f = epi_case_flow(c, NULL);
  epi_state s = epi_case_state(c);
  double closure = 0, worst = 0;
  for (int turn = 0; turn < 2; turn++)
    for (size_t i = 0; i < sizeof BARS/sizeof *BARS; i++) {
      run(f, &s, (BARS[i].degrees + 360*turn)*PI/180/10, c->step);
      for (int k = 0; k < 6; k++) {
        double x = observed(c, looks[k], &s);
        if (!check_abs(x, BARS[i].look[k], digits[k])) printf("  %s at %g degrees\n", looks[k], BARS[i].degrees);
        worst = fmax(worst, fabs(x - BARS[i].look[k])/digits[k]);
      }
      closure = fmax(closure, observed(c, "closure", &s));
    }
  printf("four-bar: figures to %.2g of their last digit, closed to %.2g\n", worst*0.6, closure);
  check_below(closure, 1e-12);
  epi_free(f);
  epi_case_free(c);
  /* free: the energy stays */
  c = make("four-bar(drive=free)");
  f = epi_case_flow(c, FINE);
  s = epi_case_state(c);
  double E = observed(c, "energy", &s);
  run(f, &s, 1, 1e-3);
  check_abs(observed(c, "energy", &s), E, 1e-10);
  epi_free(f);
  epi_case_free(c);
}

/* ---- rod-pendulum ---- */
static const struct { double t, look[6]; } SWING[] = {
  {0.5, {0.331208244372, 0.263827350762, -0.881668733624, -2.507770282517, 26.263913173, 16.246613004}},
  {1, {-0.519130088870, -0.456314992957, -1.532876346556, -0.821932300397, 22.320790381, 11.476170794}},
  {2, {-0.075937690117, -0.021243975958, 0.357897871962, 3.492465521614, 31.903374987, 22.026492192}},
  {5, {0.458557092936, 0.398397935747, 1.062310653427, 1.828246306192, 23.103033661, 13.201862225}},
};

static void rods(void)
{
  static const char *const looks[] = {"th1", "th2", "w1", "w2", "T1", "T2"};
  epi_case *c = make("rod-pendulum");
  epi_flow *f = epi_case_flow(c, "symmetric(verlet, order=8)");
  epi_state s = epi_case_state(c);
  double E = observed(c, "energy", &s), worst = 0, force = 0;
  check_abs(observed(c, "T1", &s), 13.5931347378, 6e-11);
  check_abs(observed(c, "T2", &s), 5.886, 1e-12);
  for (int i = 0; i < 4; i++) {
    run(f, &s, SWING[i].t, 2e-3);
    for (int k = 0; k < 6; k++) {
      double off = fabs(observed(c, looks[k], &s) - SWING[i].look[k]);
      if (k < 4) worst = fmax(worst, off);
      else force = fmax(force, off);
    }
  }
  printf("rod-pendulum: %.2g from its reference, tensions %.2g, energy to %.2g\n", worst, force, fabs(observed(c, "energy", &s) - E));
  check_below(worst, 5e-12);
  check_below(force, 1e-9);
  check_abs(observed(c, "energy", &s), E, 1e-11);
  check_below(observed(c, "stretch", &s), 1e-14);
  epi_free(f);
  epi_case_free(c);
}

/* one word makes springs of constraints, for the same flow and its steps: of first order then, of second with constraints */
static void one_word(void)
{
  static const char *const texts[] = {"rod-pendulum(as=constraint)", "rod-pendulum(as=penalty, k=1e7)"},
    *const semi = "semi(model.contacts, model.stiff, beta=0.6)";
  for (int as = 0; as < 2; as++) {
    double h[3], error[3];
    for (int i = 0; i < 3; i++) {
      h[i] = 1e-3/(1 << i);
      error[i] = fabs(reached(texts[as], semi, 1, h[i], "th1") - SWING[1].look[0] - (as ? 2.5003e-6 : 0));
    }
    printf("%s: th1(1) off by %.3g, %.3g, %.3g\n", texts[as], error[0], error[1], error[2]);
    check_order(3, h, error, as ? 1 : 2, 0.1);
    check_below(error[0], as ? 2e-2 : 1e-5);
    check_rel(reached(texts[as], semi, 1, 2.5e-4, "T1"), SWING[1].look[4], as ? 1e-2 : 1e-5);
  }
}

/* what a user sees without saying how: the default flow and step of each, with both words */
static void defaults(void)
{
  static const struct { const char *text, *look; double t, value, tol; } AT[] = {
    {"slider-crank", "angle", 0.5, 5.7057221448 - 6.283185307179586, 1e-3},
    {"slider-crank(as=penalty)", "angle", 0.5, 5.7057221448 - 6.283185307179586, 5e-3},
    {"slider-crank(drive=speed)", "Ax", 0.0785398163397448, 14.8492424, 1e-8},
    {"slider-crank(drive=speed, as=penalty)", "Ax", 0.0785398163397448, 14.8492424, 0.8},
    {"four-bar", "w4", 0.157079632679490, 4.8133468789, 1e-9}, {"four-bar(as=penalty)", "w4", 0.157079632679490, 4.8133468789, 1e-3},
    {"rod-pendulum", "th1", 1, -0.519130088870, 5e-6}, {"rod-pendulum(as=penalty)", "th1", 1, -0.519130088870, 1e-4},
    {"rod-pendulum", "T1", 1, 22.320790381, 1e-3}, {"rod-pendulum(as=penalty)", "T1", 1, 22.320790381, 0.1},
  };
  for (size_t i = 0; i < sizeof AT/sizeof *AT; i++) {
    double x = reached(AT[i].text, NULL, AT[i].t, 0, AT[i].look);
    printf("%s: %s(%g) = %.8g, %.2g off\n", AT[i].text, AT[i].look, AT[i].t, x, x - AT[i].value);
    check_abs(x, AT[i].value, AT[i].tol);
  }
}

/* the multipliers that RATTLE reports go over into the forces of the motion, as h falls */
static void multipliers(void)
{
  epi_case *c = make("slider-crank");
  double h[3], error[3], lambda[2*17];
  for (int i = 0; i < 3; i++) {
    epi_flow *f = epi_case_flow(c, "verlet");
    epi_state s = epi_case_state(c);
    epi_action A, C;
    s.lambda = lambda;
    h[i] = 1e-3/(1 << i);
    run(f, &s, 0.5, h[i]);
    check_count(epi_world_action(c->world, &s, epi_world_action_named(c->world, "A"), &A), 0);
    check_count(epi_world_action(c->world, &s, epi_world_action_named(c->world, "C"), &C), 0);
    error[i] = hypot(A.force[0] - observed(c, "Ax", &s), A.force[1] - observed(c, "Ay", &s));
    error[i] += hypot(C.force[0] - observed(c, "Cx", &s), C.force[1] - observed(c, "Cy", &s));
    epi_free(f);
  }
  printf("slider-crank: multipliers %.3g, %.3g, %.3g N from the forces\n", error[0], error[1], error[2]);
  check_order(3, h, error, 1, 0.2);
  epi_case_free(c);
}

int main(void)
{
  driven();
  work();
  free_crank();
  four_bar();
  rods();
  one_word();
  defaults();
  multipliers();
  return test_done();
}
