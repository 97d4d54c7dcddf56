/* holds: cradle, drop, rolling-sphere and stack follow reference figures, and semi has its orders on them */
#include "cases.h"

static const char *const TIGHT = "tolerance(dop853, rtol=1e-13, atol=1e-16)", *const PLAIN = "semi(model.contacts, model.stiff)",
                  *const AHEAD = "semi(model.contacts, model.stiff, ahead=1)";

/* ---- cradle: m = 0.1, K = 1e9, v0 = 1 make 1e-4 the unit of times and lengths ---- */
static const struct { const char *text; double end, v[5]; } CRADLE[] = {
  {"cradle", 10e-4, {-0.0710850171, -0.0302737641, -0.0144636290, 0.1270449861, 0.9887774241}},
  {"cradle(gap=1e-6)", 12e-4, {-0.0673544895, -0.0273767300, -0.0126271548, 0.1169680941, 0.9903902803}},
  {"cradle(gap=1e-5)", 20e-4, {-0.0413445991, -0.0104750500, -0.0028503606, 0.0572241891, 0.9974458206}},
  {"cradle(gap=1e-4)", 40e-4, {-7.5436e-6, -1.7e-9, 0, 7.5454e-6, 0.9999999999}},
  {"cradle(gap=3e-4)", 60e-4, {0, 0, 0, 0, 1}},
};

static void cradle(void)
{
  for (size_t i = 0; i < sizeof CRADLE/sizeof *CRADLE; i++) {
    epi_case *c = make(CRADLE[i].text);
    epi_flow *f = epi_case_flow(c, TIGHT);
    epi_state s = epi_case_state(c);
    double worst = 0, E = observed(c, "energy", &s);
    run(f, &s, CRADLE[i].end, CRADLE[i].end);
    check_abs(observed(c, "force", &s), 0, 0);
    for (int k = 0; k < 5; k++) worst = fmax(worst, fabs(s.y[35 + 6*k] - CRADLE[i].v[k]));
    double dP = observed(c, "momentum", &s)/0.1 - 1, dE = observed(c, "energy", &s)/E - 1;
    printf("%s: velocities %.2g from their reference, momentum %.2g, energy %.2g\n", CRADLE[i].text, worst, dP, dE);
    check_below(worst, 2e-10);
    check_abs(dP, 0, 2e-15);
    check_abs(dE, 0, 1e-11);
    epi_free(f);
    epi_case_free(c);
  }
}

/* method (5) at t* = 10 */
static void cradle_steps(void)
{
  static const struct { double h, error; } AT[] = {{0.1, 1.1e-3}, {0.05, 2.8e-4}, {0.02, 4.6e-5}, {0.01, 1.1e-5}, {0.005, 2.9e-6},
                                                   {0.0025, 1e-6}};
  double h[5], error[5];
  for (int i = 0; i < 6; i++) {
    epi_case *c = make("cradle");
    epi_flow *f = epi_case_flow(c, PLAIN);
    epi_state s = epi_case_state(c);
    double worst = 0;
    run(f, &s, 10e-4, AT[i].h*1e-4);
    for (int k = 0; k < 5; k++) worst = fmax(worst, fabs(s.y[35 + 6*k] - CRADLE[0].v[k]));
    printf("cradle by semi, h* = %g: %.3g (%.2g)\n", AT[i].h, worst, AT[i].error);
    if (i < 5) {
      check_rel(worst, AT[i].error, 0.05);
      h[i] = AT[i].h;
      error[i] = worst;
    } else check_below(worst, 1e-6);
    check_rel(observed(c, "momentum", &s), 0.1, 1e-14);
    epi_free(f);
    epi_case_free(c);
  }
  check_order(5, h, error, 2, 0.1);
}

/* other numbers and sizes scale: only t* and lengths in (m v0^2/K)^(2/5) count */
static void cradle_scales(void)
{
  epi_case *c = make("cradle(m=2.5, K=3e7, v0=0.4, r=0.1)");
  epi_flow *f = epi_case_flow(c, TIGHT);
  epi_state s = epi_case_state(c);
  run(f, &s, c->end, c->end);
  check_rel(c->end, 10*pow(2.5*2.5/(3e7*3e7*0.4), 0.2), 1e-14);
  for (int k = 0; k < 5; k++) check_abs(s.y[35 + 6*k]/0.4, CRADLE[0].v[k], 2e-10);
  epi_free(f);
  epi_case_free(c);
}

/* ---- drop ---- */
typedef struct { double out, time, depth, force; } bounce;

/* one mass, one contact, no gravity: when the force is zero again, how deep it was, how fast it leaves */
static bounce bounce_of(double m, double K, double v, double chi, const char *flow, double h)
{
  char text[200];
  snprintf(text, sizeof text, "drop(m=%.17g, K=%.17g, v0=%.17g, chi=%.17g, height=0, g=0, r=0.05)", m, K, v, chi);
  epi_case *c = make(text);
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  double unit = pow(m*m/(K*K*v), 0.2);
  bounce b = {0};
  for (long i = 1; ; i++) {
    double before = observed(c, "height", &s), t = s.t;
    run(f, &s, i*h*unit, h*unit);
    double now = observed(c, "height", &s);
    b.depth = fmax(b.depth, -now);
    b.force = fmax(b.force, observed(c, "force", &s));
    if (now < 0) continue;
    b.time = t + (s.t - t)*before/(before - now);
    break;
  }
  b.out = observed(c, "speed", &s);
  epi_free(f);
  epi_case_free(c);
  return b;
}

static void hertz(void)
{
  bounce b = bounce_of(1, 1e9, 1, 0, TIGHT, 1e-3);
  printf("drop, undamped: depth %.11g, contact %.11g s, force %.11g N, leaves with %.12g\n", b.depth, b.time, b.force, b.out);
  check_rel(b.depth, 2.7464013583e-4, 1e-6);
  check_rel(b.depth, 1.093362073943*pow(1e-9, 0.4), 1e-6);
  check_rel(b.time, 8.0834149640e-4, 1e-8);
  check_rel(b.time, 3.218065459719*pow(1e-18, 0.2), 1e-8);
  check_rel(b.time, 2.943275184325*2.7464013583e-4, 1e-8);
  check_rel(b.force, 4551.41050757, 1e-6);
  check_rel(b.out, 1, 1e-11);
}

/* z = chi v alone decides: restitution, time of contact, depth, in the units of the undamped one */
static const struct { double z, e, T, d; } DAMPED[] = {
  {0.001, 0.9993337775, 3.21828006, 1.0930706710}, {0.01, 0.9933774544, 3.22021747, 1.0904623703},
  {0.02, 0.9868418775, 3.22238258, 1.0875941005},
  {0.05, 0.9677385785, 3.22895416, 1.0791717721}, {0.1, 0.9374755799, 3.24014781, 1.0657086246},
  {0.2, 0.8821899862, 3.26335303, 1.0407097277},
  {0.5, 0.7484349316, 3.33825276, 0.9777703257}, {1, 0.5936242600, 3.47568353, 0.8993899921}, {2, 0.4107196861, 3.78025804, 0.7949076200},
  {5, 0.1969802453, 4.79786292, 0.6346097912},
};

static void restitution(void)
{
  double worst[3] = {0};
  for (size_t i = 0; i < sizeof DAMPED/sizeof *DAMPED; i++) {
    double z = DAMPED[i].z, e = DAMPED[i].e;
    /* two ways to the same z, from masses, stiffnesses and speeds that differ */
    bounce a = bounce_of(1, 1e9, 1, z, TIGHT, 1e-3), b = bounce_of(0.3, 2e8, 2.5, z/2.5, TIGHT, 1e-3);
    double unit = pow(0.09/(4e16*2.5), 0.2);
    check_abs(a.out, e, 1e-10);
    check_abs(b.out/2.5, e, 1e-10);
    check_abs(z*(1 + a.out), log((1 + z)/(1 - a.out*z)), 1e-9);
    check_rel(a.time/pow(1e-18, 0.2), DAMPED[i].T, 3e-8);
    check_rel(b.time/unit, DAMPED[i].T, 3e-8);
    check_rel(a.depth/pow(1e-9, 0.4), DAMPED[i].d, 1e-6);
    check_rel(DAMPED[i].d, pow(2.5*(1/z - log1p(z)/(z*z)), 0.4), 1e-8);
    worst[0] = fmax(worst[0], fabs(a.out - e));
    worst[1] = fmax(worst[1], fabs(a.time/pow(1e-18, 0.2) - DAMPED[i].T));
    worst[2] = fmax(worst[2], fabs(a.depth/pow(1e-9, 0.4) - DAMPED[i].d));
  }
  printf("drop: e to %.2g, T to %.2g, depth to %.2g for ten z\n", worst[0], worst[1], worst[2]);
}

/* the methods: (5) is better here than (5v), whose velocity is a guess */
static void restitution_steps(void)
{
  static const struct { double z, h, plain, ahead; } AT[] = {
    {0.1, 0.1, -1.6e-5, -4e-4}, {0.1, 0.02, -4e-7, -1.5e-5}, {0.1, 0.005, -9e-9, -9e-7},
    {1, 0.1, -2.3e-5, -1.4e-3}, {1, 0.02, -4.5e-7, -5e-5}, {1, 0.005, -3e-8, -3e-6},
  };
  for (size_t i = 0; i < sizeof AT/sizeof *AT; i++) {
    double e = AT[i].z == 1 ? 0.5936242600 : 0.9374755799;
    double plain = bounce_of(1, 1e9, 1, AT[i].z, PLAIN, AT[i].h).out - e, ahead = bounce_of(1, 1e9, 1, AT[i].z, AHEAD, AT[i].h).out - e;
    printf("drop, z = %g, h* = %g: e off by %.3g (%.2g) by (5), by (5v) %.3g (%.2g)\n", AT[i].z, AT[i].h, plain, AT[i].plain, ahead,
           AT[i].ahead);
    check_rel(plain, AT[i].plain, 0.05);
    check_rel(ahead, AT[i].ahead, 0.05);
  }
  check_below(fabs(bounce_of(1, 1e9, 1, 1, PLAIN, 0.01).out - 0.59362426), 1e-5);
}

/* ---- rolling-sphere ---- */
static void rolling(void)
{
  static const double ROLL = 0.2912479977;
  static const struct { double vs, t, u, v; } AT[] = {
    {0.1, 0.1, 1.3146021218, 1.8041720348}, {0.1, ROLL, 6.4903553e-2, 1.4471153009}, {0.1, 0.35, 1.2697020520e-3, 1.4289342006},
    {0.01, 0.1, 1.3133130715, 1.8038037347}, {0.01, ROLL, 6.6136333692e-3, 1.4304610381}, {0.01, 0.3, 1.8011073e-5, 1.4285765746},
    {0.001, 0.1, 1.3133001307, NAN}, {0.001, ROLL, 6.6260532082e-4, 1.4287607444},
  };
  check_abs(2/(3.5*0.2*9.81), ROLL, 6e-11);
  for (size_t i = 0; i < sizeof AT/sizeof *AT; i++) {
    char text[64];
    double y[13], t = AT[i].t == ROLL ? 2/(3.5*0.2*9.81) : AT[i].t;
    snprintf(text, sizeof text, "rolling-sphere(vs=%g)", AT[i].vs);
    epi_case *c = make(text);
    epi_state s = {.t = t, .y = y};
    c->model->exact(c, t, y);
    check_rel(observed(c, "slip", &s), AT[i].u, 2e-8);
    if (AT[i].v == AT[i].v) check_abs(observed(c, "v", &s), AT[i].v, 6e-11);
    double u = reached(text, TIGHT, t, t, "slip");
    printf("rolling-sphere, vs = %g, t = %g: slip %.11g, exact %.11g, reference %.11g\n", AT[i].vs, t, u, observed(c, "slip", &s), AT[i].u);
    check_abs(u, AT[i].u, 1e-9);
    epi_case_free(c);
  }
}

/* (5) is of first order with friction, (5v) of second: v at t_roll, hc = 3.5 mu g h/vs */
static void rolling_steps(void)
{
  static const double plain[] = {-5.0e-4, -9.6e-5, -1.9e-5}, ahead[] = {3.6e-5, 2.8e-6, 1.2e-7};
  double t = 2/(3.5*0.2*9.81), h[3], a[3], b[3];
  for (int i = 0; i < 3; i++) {
    h[i] = t/200/pow(5, i);
    a[i] = reached("rolling-sphere", PLAIN, t, h[i], "v") - 1.4304610381;
    b[i] = reached("rolling-sphere", AHEAD, t, h[i], "v") - 1.4304610381;
    printf("rolling-sphere, hc = %g: v off by %.3g (%.2g) by (5), by (5v) %.3g (%.2g)\n", pow(0.2, i), a[i], plain[i], b[i], ahead[i]);
    check_rel(a[i], plain[i], 0.02);
    check_rel(b[i], ahead[i], 0.02);
    a[i] = -a[i];
  }
  check_order(3, h, a, 1, 0.05);
  check_between(log(b[1]/b[2])/log(5), 1.9, 2.1);
}

/* 5/7 of the speed, from any friction; v = v0 - (v0 - u) 2/7 on the way, in every step of any method, for momentum is what friction
   gives */
static void rolled(void)
{
  static const char *const texts[] = {"rolling-sphere", "rolling-sphere(mu=0.5, vs=0.2, m=3, r=0.03)", "rolling-sphere(v0=-1.5, mu=0.1)"};
  for (int i = 0; i < 3; i++) {
    epi_case *c = make(texts[i]);
    epi_flow *f = epi_case_flow(c, NULL);
    epi_state s = epi_case_state(c);
    double v0 = observed(c, "v", &s), worst = 0;
    for (int k = 1; k <= 100; k++) {
      run(f, &s, c->end*3*k/100, c->step);
      worst = fmax(worst, fabs(observed(c, "v", &s) - v0 + (v0 - observed(c, "slip", &s))*2/7));
    }
    printf("%s: the share of the slip is kept to %.2g, v ends %.2g from 5/7\n", texts[i], worst, observed(c, "v", &s) - v0*5/7);
    check_below(worst, 1e-9);
    check_rel(observed(c, "v", &s), v0*5/7, 1e-5);
    epi_free(f);
    epi_case_free(c);
  }
}

/* ---- stack ---- */
static void stack(void)
{
  static const char *const texts[] = {"stack", "stack(n=1)", "stack(n=7, m=0.3)", "stack(n=3, K=2e8, r=0.01, chi=200)"};
  for (int i = 0; i < 4; i++) {
    epi_case *c = make(texts[i]);
    epi_flow *f = epi_case_flow(c, NULL);
    epi_state s = epi_case_state(c);
    int n = (int)c->p[0];
    double weight = c->p[1]*9.81, sunk = 0, most = 0;
    for (int k = 1; k <= 20; k++) {
      run(f, &s, c->end*k/20, c->step);
      most = fmax(most, observed(c, "unrest", &s));
    }
    printf("%s: forces carry the weights to %.2g N, %.2g N off on the way\n", texts[i], observed(c, "unrest", &s), most);
    check_below(observed(c, "unrest", &s), 1e-9*weight);
    for (int k = 0; k < n; k++) {
      epi_action out;
      check_count(epi_world_action(c->world, &s, k, &out), 0);
      check_rel(out.load, (n - k)*weight, 1e-9);
      sunk += cbrt((n - k)*weight/c->p[3]*(n - k)*weight/c->p[3]);
      check_rel(out.depth, cbrt((n - k)*weight/c->p[3]*(n - k)*weight/c->p[3]), 1e-9);
    }
    check_abs(observed(c, "height", &s), 2*n*c->p[2] - sunk, 1e-14);
    epi_free(f);
    epi_case_free(c);
  }
}

int main(void)
{
  cradle();
  cradle_steps();
  cradle_scales();
  hertz();
  restitution();
  restitution_steps();
  rolling();
  rolling_steps();
  rolled();
  stack();
  return test_done();
}
