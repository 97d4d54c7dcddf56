/* holds: semi has the orders and stability of its paper, also on constraints and rotations
 * semi.c - the semi-explicit method: the experiments of its paper, its orders, its stability by the theorems and beside them; on
 * constraints and rotations; how little it asks of the stiff part; what it refuses */
#include "semis.h"

typedef struct { double q, v, rms, gap; } errors;

/* equal numbers for every machine */
static double draw(unsigned long long *x)
{
  *x = *x*6364136223846793005ull + 1442695040888963407ull;
  return (double)(*x >> 11)/9007199254740992.0;
}

/* ---- experiment 6.1: two masses, nearly glued, on a weak spring; steps of 1 ---- */
/* largest errors of positions and velocities against the exact motion, root of the mean square, largest gap over the last ten steps */
static errors glued(const char *text, int steps, const double (*trace)[5], epi_info *info)
{
  epi_case *c = epi_case_make("two-oscillators");
  epi_flow *f = epi_case_flow(c, text);
  epi_state s = epi_case_state(c);
  errors e = {0};
  for (int k = 1; k <= steps; k++) {
    double z[4];
    go(f, &s, 1, 1);
    c->model->exact(c, k, z);
    e.q = fmax(e.q, apart(2, s.y, z));
    e.v = fmax(e.v, apart(2, s.y + 2, z + 2));
    for (int i = 0; i < 2; i++) e.rms += (s.y[i] - z[i])*(s.y[i] - z[i])/(2*steps);
    if (k > steps - 10) e.gap = fmax(e.gap, fabs(s.y[0] - s.y[1]));
    /* printed to eight digits, the last row to six */
    for (; trace && (*trace)[0] == k; trace++) check_array(4, s.y, *trace + 1, k == 50 ? 0.6e-6 : 0.51e-8);
  }
  e.rms = sqrt(e.rms);
  *info = info_of(f);
  epi_free(f);
  epi_case_free(c);
  return e;
}

static void two_oscillators(void)
{
  static const double trace[][5] = {
    {1, .80176899, .79823101, -.39646202, -.60353798}, {2, .15545884, .14277217, -.89615829, -.70737969},
    {10, .63164661, .63129727, -.64129485, -.63350622}, {50, -.012623, -.012801, .794554, .794975}, {0},
  };
  static const struct { const char *text; errors at_50, at_20; } rows[] = {
    {"semi(model.contacts, model.stiff, alpha=0.5, beta=0.8)", {.7260, .5284, .3267, 5.8e-4}, {.3113, .2129, 0, 0}},
    {"theta(theta=0.5)", {1.2315, 1.1277, .5584, 2.9e-3}, {.5490, .7410, 0, 0}},
    {"theta(theta=0.8)", {1.0527, .7373, .6768, 2.0e-6}, {.9634, .7136, 0, 0}},
  };
  puts("experiment 6.1, steps of 1 to t = 50: largest error of q, of v, rms, gap, evaluations of A");
  for (int i = 0; i < 3; i++) {
    epi_info info, less;
    errors e = glued(rows[i].text, 50, i ? NULL : trace, &info), early = glued(rows[i].text, 20, NULL, &less);
    const errors *want = &rows[i].at_50;
    printf("  %-56s %.4f %.4f %.4f %.1e %ld\n", rows[i].text, e.q, e.v, e.rms, e.gap, info.calls);
    check_abs(e.q, want->q, 0.51e-4);
    check_abs(e.v, want->v, 0.51e-4);
    check_abs(e.rms, want->rms, 0.51e-4);
    check_rel(e.gap, want->gap, 0.03);
    check_abs(early.q, rows[i].at_20.q, 0.51e-4);
    check_abs(early.v, rows[i].at_20.v, 0.51e-4);
    /* one evaluation of A a step and one Jacobian of B in all; an implicit method needs two evaluations a step at the very least */
    if (!i) { check_count(info.calls, 50); check_count(less.calls, 20); check_count(info.slopes, 1); check_below((double)info.others, 75); }
    else check_above((double)info.calls, 100);
  }
}

/* ---- experiment 6.2: a pendulum on a stiff spring; steps of 0.01 ---- */
static int down(epi_system *s, double t, const double *q, double *f) { (void)s; (void)t; (void)q; f[0] = 0; f[1] = -1; return 0; }
static int spring(epi_system *s, double t, const double *q, double *f)
{
  (void)s; (void)t;
  double k = -1e4*(q[0]*q[0] + q[1]*q[1] - 1);
  f[0] = k*q[0];
  f[1] = k*q[1];
  return 0;
}
static int spring_slope(epi_system *s, double t, const double *y, double a, double b, double *A)
{
  (void)s; (void)t; (void)b;
  double r = y[0]*y[0] + y[1]*y[1] - 1;
  A[0] = -1e4*a*(r + 2*y[0]*y[0]);
  A[1] = A[2] = -2e4*a*y[0]*y[1];
  A[3] = -1e4*a*(r + 2*y[1]*y[1]);
  return 0;
}
static int both(epi_system *s, double t, const double *q, double *f) { spring(s, t, q, f); f[1] -= 1; return 0; }
static int rigid(epi_system *s, double t, const double *y, double *dy) { (void)s; (void)t; dy[0] = y[1]; dy[1] = -cos(y[0]); return 0; }

/* errors of x against the stiff and against the rigid pendulum, of the constraint, and of that in the second half; the last places */
typedef struct { double stiff, ideal, off, late, end[2]; } swing;

static swing swung(const char *text, int steps, epi_info *info)
{
  epi_system a = {.nq = 2, .force = down}, b = {.nq = 2, .force = spring, .jacobian.slope = spring_slope};
  epi_system model = {.nq = 2, .force = both, .jacobian.slope = spring_slope}, ideal = {.nz = 2, .rate = rigid};
  double y[] = {1.01, 0, 0, 0}, z[] = {1.01, 0, 0, 0}, phi[] = {0, 0};
  epi_state s = {.y = y}, r = {.y = z}, p = {.y = phi};
  epi_flow *f = strstr(text, "semi") ? two(text, &a, &b) : epi_make(text, &model), *g = epi_make("rk4", &model),
    *i = epi_make("rk4", &ideal);
  swing e = {0};
  for (int k = 1; k <= steps; k++) {
    go(f, &s, 0.01, 1);
    go(g, &r, 5e-5, 200);
    go(i, &p, 0.01, 1);
    double off = fabs(y[0]*y[0] + y[1]*y[1] - 1);
    e.stiff = fmax(e.stiff, fabs(y[0] - z[0]));
    e.ideal = fmax(e.ideal, fabs(y[0] - cos(phi[0])));
    e.off = fmax(e.off, off);
    if (k > steps/2) e.late = fmax(e.late, off);
  }
  memcpy(e.end, y, sizeof e.end);
  *info = info_of(f);
  epi_free(f);
  epi_free(g);
  epi_free(i);
  return e;
}

static void spring_pendulum(void)
{
  static const struct { const char *text; swing want; double later; } rows[] = {
    {"semi(a, b, alpha=0.5, beta=0.6)", {.0278, .0246, .0146, 3.45e-4, {-.816225, -.577904}}, .696},
    {"theta(theta=0.5, form=leg)", {.0198, .0101, .0204, 2.04e-2, {-.819217, -.589698}}, .020046},
    {"theta(theta=0.6, form=leg)", {.0535, .0508, .0118, 3.43e-4, {-.821420, -.570489}}, 1.179},
  };
  puts("experiment 6.2, steps of 0.01 to t = 10: error of x, against the rigid pendulum, of the constraint, in the second half, "
       "evaluations of A and B");
  for (int i = 0; i < 3; i++) {
    epi_info info, more;
    swing e = swung(rows[i].text, 1000, &info), late = swung(rows[i].text, 5000, &more);
    const swing *want = &rows[i].want;
    printf("  %-32s %.4f %.4f %.4f %.2e %ld %ld\n", rows[i].text, e.stiff, e.ideal, e.off, e.late, info.calls, info.others);
    check_abs(e.stiff, want->stiff, 0.51e-4);
    check_abs(e.ideal, want->ideal, 0.51e-4);
    check_abs(e.off, want->off, 0.51e-4);
    check_rel(e.late, want->late, 3e-3);
    check_array(2, e.end, want->end, 0.51e-6);
    check_abs(late.stiff, rows[i].later, i == 1 ? 0.51e-6 : 0.51e-3);
    /* B is asked less often than the 3984 times of a Newton iteration to 1e-12 with a Jacobian of each place */
    if (!i) { check_count(info.calls, 1000); check_below((double)info.others, 3984); check_below((double)info.slopes, 350); }
    else check_above((double)info.calls, 2000);
  }
}

/* ---- Theorem 2: orders ---- */
/* B: a spring and damper between the two, not so stiff that its order hides */
static int tie(epi_system *s, double t, const double *q, const double *v, double *f)
{
  (void)s; (void)t;
  double x = 20*sin(q[0] + q[1]) + 2*(v[0] + v[1]);
  f[0] -= x;
  f[1] -= x;
  return 0;
}

enum { LEVELS = 5 };
typedef struct { double h[LEVELS], q[LEVELS], v[LEVELS]; } ladder;

/* errors of runs to t = 2, or of single steps */
static ladder climb(const char *text, epi_system *a, int single)
{
  epi_system b = {.nq = 2, .velocity_force = tie};
  ladder l;
  epi_flow *exact = two("dop853(sum(a, b))", a, &b);
  for (int k = 0; k < LEVELS; k++) {
    double y[4], z[4], h = l.h[k] = 0.004/(1 << k), end = single ? h : 2;
    memcpy(y, henon_start, sizeof y);
    memcpy(z, henon_start, sizeof z);
    epi_state s = {.y = y}, r = {.y = z};
    epi_flow *f = two(text, a, &b);
    go(f, &s, h, lround(end/h));
    go(exact, &r, end/400, 400);
    l.q[k] = apart(2, y, z);
    l.v[k] = apart(2, y + 2, z + 2);
    epi_free(f);
  }
  epi_free(exact);
  return l;
}

static void orders(void)
{
  static epi_system still = {.nq = 2, .force = shaken_force}, rubs = {.nq = 2, .force = shaken_force, .velocity_force = quadratic_drag};
  static const struct { const char *text; epi_system *a; int q, v, local_v; } rows[] = {
    {"semi(a, b, alpha=0.5, beta=0.5)", &still, 2, 2, 3}, {"semi(a, b, alpha=0.5, beta=0.8)", &still, 1, 1, 2},
    {"semi(a, b, alpha=0.5, beta=0.6)", &still, 1, 1, 2}, {"semi(a, b, alpha=0.3, beta=0.5)", &still, 1, 1, 2},
    {"semi(a, b, alpha=0.5, beta=0.5)", &rubs, 1, 1, 2}, {"semi(a, b, alpha=0.5, beta=0.5, ahead=1)", &rubs, 2, 2, 2},
    {"semi(a, b, alpha=0, beta=1)", &rubs, 1, 1, 2}, {"semi(a, b, alpha=1, beta=0)", &still, 1, 1, 2},
  };
  puts("orders: errors at t = 2 of positions and velocities, of one step");
  for (size_t i = 0; i < sizeof rows/sizeof *rows; i++) {
    ladder g = climb(rows[i].text, rows[i].a, 0), l = climb(rows[i].text, rows[i].a, 1);
    printf("  %-42s %s %.2f %.2f, one step %.2f %.2f\n", rows[i].text, rows[i].a == &rubs ? "A(q, v, t)" : "A(q, t)   ",
           test_slope(LEVELS, g.h, g.q), test_slope(LEVELS, g.h, g.v), test_slope(LEVELS, l.h, l.q), test_slope(LEVELS, l.h, l.v));
    check_order(LEVELS, g.h, g.q, rows[i].q, 0.2);
    check_order(LEVELS, g.h, g.v, rows[i].v, 0.2);
    check_order(LEVELS, l.h, l.q, 3, 0.2);
    check_order(LEVELS, l.h, l.v, rows[i].local_v, 0.2);
    epi_system b = {.nq = 2, .velocity_force = tie};
    epi_flow *f = two(rows[i].text, rows[i].a, &b);
    check_count(info_of(f).order, rows[i].q);
    epi_free(f);
  }
}

/* steps that change: what the velocity is taken ahead by knows the step before, and the order stays */
static void changing_steps(void)
{
  epi_system a = {.nq = 2, .force = shaken_force, .velocity_force = quadratic_drag}, b = {.nq = 2, .velocity_force = tie};
  epi_flow *exact = two("dop853(sum(a, b))", &a, &b);
  double z[4], h[LEVELS], e[LEVELS];
  memcpy(z, henon_start, sizeof z);
  epi_state r = {.y = z};
  go(exact, &r, 2./400, 400);
  epi_free(exact);
  for (int k = 0; k < LEVELS; k++) {
    double y[4];
    memcpy(y, henon_start, sizeof y);
    epi_state s = {.y = y};
    epi_flow *f = two("semi(a, b, alpha=0.5, beta=0.5, ahead=1)", &a, &b);
    h[k] = 0.008/(1 << k);
    /* a third and two thirds */
    for (long i = lround(2/h[k]); i > 0; i--) { go(f, &s, h[k]/3, 1); go(f, &s, 2*h[k]/3, 1); }
    e[k] = apart(4, y, z);
    epi_free(f);
  }
  check_order(LEVELS, h, e, 2, 0.2);
}

/* ---- Theorems 3 and 6: stability ---- */
/* q'' = -(kA + kB) q - (cA + cB) q', everything times h^2 and h */
typedef struct { double alpha, beta, kA, cA, kB, cB; } linear;

static int linear_A(epi_system *s, double t, const double *q, const double *v, double *f)
{
  const linear *l = s->data;
  (void)t;
  f[0] -= l->kA*q[0] + l->cA*v[0];
  return 0;
}
static int linear_B(epi_system *s, double t, const double *q, const double *v, double *f)
{
  const linear *l = s->data;
  (void)t;
  f[0] -= l->kB*q[0] + l->cB*v[0];
  return 0;
}
static int linear_slope(epi_system *s, double t, const double *y, double a, double b, double *A)
{
  const linear *l = s->data;
  (void)t; (void)y;
  A[0] = -a*l->kB - b*l->cB;
  return 0;
}

/* trace and determinant of a step of 1, in closed form */
static void closed(const linear *l, double *trace, double *det)
{
  double D = 1 + l->beta*(l->kB/2 + l->cB), P = (l->kA + l->kB)/D, R = (l->alpha*l->kA + l->beta*l->kB + l->cA + l->cB)/D;
  *trace = 2 - P/2 - R;
  *det = 1 - R + P/2;
}

/* ... of the library's own step: the images of two starts */
static void measured(linear *l, int ahead, double *trace, double *det)
{
  epi_system a = {.nq = 1, .velocity_force = linear_A, .data = l},
    b = {.nq = 1, .velocity_force = linear_B, .jacobian.slope = linear_slope, .data = l};
  char text[120];
  double M[2][2] = {{1, 0}, {0, 1}};
  snprintf(text, sizeof text, "semi(a, b, alpha=%.17g, beta=%.17g, ahead=%d)", l->alpha, l->beta, ahead);
  for (int i = 0; i < 2; i++) {
    epi_flow *f = two(text, &a, &b);
    go(f, &(epi_state){.y = M[i]}, 1, 1);
    epi_free(f);
  }
  *trace = M[0][0] + M[1][1];
  *det = M[0][0]*M[1][1] - M[0][1]*M[1][0];
}

static double radius(double trace, double det)
{
  double x = trace*trace/4 - det;
  return x < 0 ? sqrt(det) : fabs(trace)/2 + sqrt(x);
}

/* how far inside the triangle of Theorem 3; negative outside */
static double inside(const linear *l) { return fmin(l->kA, fmin(2 - l->alpha*l->kA - l->cA, l->cA - (0.5 - l->alpha)*l->kA)); }

enum { SAMPLES = 1000000, STEPPED = 3000 };

static void theorem_3(void)
{
  unsigned long long x = 3;
  long within = 0, wrong = 0, stepped = 0, differ = 0;
  for (long n = 0; n < SAMPLES; n++) {
    linear l = {.alpha = draw(&x), .beta = 0.8, .kA = -1 + 7*draw(&x), .cA = -2.5 + 5*draw(&x)};
    double trace, det, m = inside(&l), r, t2, d2;
    closed(&l, &trace, &det);
    r = radius(trace, det);
    within += m > 0;
    if (fabs(m) > 1e-12) wrong += m > 0 ? r > 1 + 1e-9 : r < 1 - 1e-9;
    if (n % (SAMPLES/STEPPED)) continue;
    measured(&l, 0, &t2, &d2);
    stepped++;
    differ += !(fabs(t2 - trace) < 1e-12 && fabs(d2 - det) < 1e-12);
  }
  printf("Theorem 3: %d samples, %ld inside, %ld against it; %ld of them steps of the library\n", SAMPLES, within, wrong, stepped);
  check_between((double)within, SAMPLES/20., SAMPLES/2.);
  check_count(wrong, 0);
  check_count(differ, 0);
  check_above((double)stepped, STEPPED);
}

/* zero, or anything over many decades */
static double any(unsigned long long *x) { double u = draw(x); return u < 0.1 ? 0 : pow(10, -4 + 12*draw(x)); }

static void theorem_6(void)
{
  unsigned long long x = 6;
  long wrong = 0, n = 0, stepped = 0, differ = 0;
  double worst = 0, grown = 0;
  while (n < SAMPLES) {
    linear l = {.alpha = draw(&x), .beta = 0.5 + 0.5*draw(&x), .kA = 4*draw(&x), .cA = -2 + 4*draw(&x)};
    if (inside(&l) < 0) continue;
    l.kB = any(&x);
    l.cB = any(&x);
    double trace, det, t2, d2;
    closed(&l, &trace, &det);
    worst = fmax(worst, radius(trace, det));
    wrong += radius(trace, det) > 1 + 1e-9;
    if (n++ % (SAMPLES/STEPPED)) continue;
    measured(&l, 0, &t2, &d2);
    stepped++;
    /* the step itself is rounded: q to a few 1e-16, relative to the part that is left of it */
    differ += !(fabs(t2 - trace) < 1e-11 && fabs(d2 - det) < 1e-11);
    grown = fmax(grown, radius(t2, d2));
  }
  printf("Theorem 6: %ld samples, largest radius 1 + %.1e, %ld against it; of the library's steps 1 + %.1e\n", n, worst - 1, wrong,
         grown - 1);
  check_count(wrong, 0);
  check_count(differ, 0);
  check_below(grown, 1 + 1e-9);
}

/* without damping a stiff part ends at -1 and -(1 - beta)/beta; with it the radius falls */
static void stiff_limit(void)
{
  for (int i = 0; i < 6; i++) {
    linear l = {.alpha = 0.5, .beta = 0.5 + 0.1*i, .kB = 1e12};
    double trace, det;
    measured(&l, 0, &trace, &det);
    check_abs(trace, -1 - (1 - l.beta)/l.beta, 1e-10);
    check_abs(det, (1 - l.beta)/l.beta, 1e-10);
  }
  /* 1e7 Hz at h = 1e-6: undamped, critical, 503, as much as the stiffness */
  static const double table[][3] = {{0, .9966, 0.5e-4}, {125.66, .877, 0.5e-3}, {503, .590, 0.5e-3}, {3948, .333, 0.5e-3}};
  for (int i = 0; i < 4; i++) {
    linear l = {.alpha = 0.5, .beta = 0.8, .kB = 3948, .cB = table[i][0]};
    double trace, det;
    measured(&l, 0, &trace, &det);
    printf("radius for h c = %6.1f: %.4f\n", l.cB, radius(trace, det));
    check_abs(radius(trace, det), table[i][1], table[i][2]);
    /* 1 + tr + det, which is zero at the limit of stability */
    check_abs(1 + trace + det, (8 + (8*l.beta - 4)*l.cB)/(2 + 2*l.beta*l.cB + l.beta*l.kB), 1e-12);
  }
}

/* the limit of a long run: h^2 k = 4 - 2 h c, and 4 (1 - h c) with the velocity ahead; just below it nothing grows, just above it does */
static double grown(double k, double c, int ahead)
{
  linear l = {.kA = k, .cA = c};
  epi_system a = {.nq = 1, .velocity_force = linear_A, .data = &l}, b = {.nq = 1, .velocity_force = linear_B, .data = &l};
  double y[] = {1, 0.3}, big = 0;
  epi_state s = {.y = y};
  epi_flow *f = two(ahead ? "semi(a, b, ahead=1)" : "semi(a, b)", &a, &b);
  for (int i = 0; i < 40 && big < 1e6; i++) {
    go(f, &s, 1, 100);
    if (i > 20 || fabs(y[0]) > 1e6) big = fmax(big, fabs(y[0]) + fabs(y[1]));
  }
  epi_free(f);
  return big;
}

static void explicit_limits(void)
{
  for (int ahead = 0; ahead < 2; ahead++)
    for (int i = 1; i < 8; i++) {
      double c = 0.1*i, k = ahead ? 4*(1 - c) : 4 - 2*c;
      check_below(grown(0.98*k, c, ahead), 1e-3);
      check_above(grown(1.02*k, c, ahead), 1e3);
    }
}

/* ---- constraints by multipliers ---- */
/* a rod, and on it B: a stiff spring across the plane that the rod does not know of, with everything in one system for the reference */
typedef struct { double K, C; } across;
static int pull(epi_system *s, double t, const double *q, const double *v, double *f)
{
  const across *p = s->data;
  (void)t;
  double x = p->K*(q[0] - 0.1 + 2*(q[1] + 0.99)) + p->C*(v[0] + 2*v[1]);
  f[0] -= x;
  f[1] -= 2*x;
  return 0;
}
static int pull_slope(epi_system *s, double t, const double *y, double a, double b, double *A)
{
  const across *p = s->data;
  (void)t; (void)y;
  A[0] = -(a*p->K + b*p->C);
  A[1] = A[2] = 2*A[0];
  A[3] = 4*A[0];
  return 0;
}
static int all_pull(epi_system *s, double t, const double *q, double *f)
{
  const double still[] = {0, 0};
  weight(s, t, q, f);
  return pull(s, t, q, still, f);
}
static const double hung[] = {0.479425538604203, -0.8775825618903728, 0, 0};

static double off_rod(const double *y) { return fmax(fabs(y[0]*y[0] + y[1]*y[1] - 1), fabs(y[0]*y[2] + y[1]*y[3])); }

static void rod_orders(void)
{
  across p = {.K = 20};
  epi_system a = {.nq = 2, .nc = 1, .force = weight, .constraint = rod},
    b = {.nq = 2, .velocity_force = pull, .jacobian.slope = pull_slope, .data = &p},
             c = b, model = {.nq = 2, .nc = 1, .force = all_pull, .constraint = rod, .data = &p};
  static const struct { const char *text; double order; } rows[] = {{"semi(a, b, beta=0.5)", 2}, {"semi(a, b, beta=0.8)", 1}};
  double ref[4], impulse = 0;
  memcpy(ref, hung, sizeof ref);
  epi_state r = {.y = ref, .impulse = &impulse};
  epi_flow *g = epi_make("symmetric(verlet, order=6)", &model);
  reach(g, &r, 1, 0.002);
  epi_free(g);
  c.jacobian.slope = NULL;
  for (int i = 0; i < 4; i++) {
    double h[LEVELS], e[LEVELS], push[LEVELS], worst = 0;
    for (int k = 0; k < LEVELS; k++) {
      double y[4], sum = 0, lambda[2];
      memcpy(y, hung, sizeof y);
      epi_state s = {.y = y, .impulse = &sum, .lambda = lambda};
      epi_flow *f = two(rows[i % 2].text, &a, i < 2 ? &b : &c);
      h[k] = 0.005/(1 << k);
      for (int n = 0; n < 10; n++) {
        reach(f, &s, 0.1*(n + 1), h[k]);
        worst = fmax(worst, off_rod(y));
      }
      e[k] = apart(4, y, ref);
      push[k] = fabs(sum - impulse);
      check_count(info_of(f).calls, lround(1/h[k]));
      epi_free(f);
    }
    check_order(LEVELS, h, e, rows[i % 2].order, 0.15);
    check_order(LEVELS, h, push, rows[i % 2].order, 0.3);
    check_below(worst, 2e-14);
  }
}

/* however stiff the spring, the place of rest is that of the spring and the rod together, and does not depend on h */
static void rod_at_rest(void)
{
  for (double K = 1e2; K < 1e13; K *= 100)
    for (double h = 0.04; h > 0.004; h /= 2) {
      across p = {.K = K, .C = 0.02*K};
      epi_system a = {.nq = 2, .nc = 1, .force = weight, .velocity_force = air, .constraint = rod},
        b = {.nq = 2, .velocity_force = pull, .jacobian.slope = pull_slope, .data = &p};
      double y[4], f[2] = {0, -9.8};
      const double still[] = {0, 0};
      memcpy(y, hung, sizeof y);
      epi_state s = {.y = y};
      epi_flow *flow = two("semi(a, b)", &a, &b);
      reach(flow, &s, 40, h);
      pull(&b, 0, y, still, f);
      /* all that is left of the forces points along the rod; what rounding of q is to the spring remains */
      check_abs(f[0]*y[1] - f[1]*y[0], 0, 1e-9 + 1e-15*K);
      check_below(hypot(y[2], y[3]), 1e-10);
      check_below(off_rod(y), 1e-15);
      epi_free(flow);
    }
}

/* ---- rotations ---- */
/* a stiff torque that holds the axis of the top near the horizontal */
static int righting(epi_system *s, double t, const double *q, const double *w, double *f)
{
  const across *p = s->data;
  double e[3];
  (void)t;
  top_up(q, e);
  /* -dV/du of V = K e3^2/2, and a velocity force across the axis */
  f[0] -= p->K*e[2]*e[1] + p->C*w[0];
  f[1] -= -p->K*e[2]*e[0] + p->C*w[1];
  return 0;
}
static int righted(epi_system *s, double t, const double *q, const double *w, double *f)
{
  top_gyro(s, t, q, w, f);
  return righting(s, t, q, w, f);
}

static void rotations(void)
{
  across p = {.K = 30, .C = 0.5};
  epi_system a = {.nq = 4, .nv = 3, .force = top_force, .velocity_force = top_gyro, .manifold.retract = top_turn, .mass = top_inertia};
  epi_system b = {.nq = 4, .nv = 3, .velocity_force = righting, .manifold.retract = top_turn, .mass = top_inertia, .data = &p};
  epi_system all = {.nq = 4, .nv = 3, .force = top_force, .velocity_force = righted,
                    .manifold = {.retract = top_turn, .retract_rate = top_slew}, .mass = top_inertia, .data = &p};
  static const struct { const char *text; double order; } rows[] = {{"semi(a, b, beta=0.5, ahead=1)", 2}, {"semi(a, b, beta=0.5)", 1},
                                                                    {"semi(a, b)", 1}};
  double ref[7];
  top_start(ref);
  epi_state r = {.y = ref};
  epi_flow *g = epi_make("dop853", &all);
  reach(g, &r, 1, 0.001);
  epi_free(g);
  for (int i = 0; i < 3; i++) {
    double h[LEVELS], e[LEVELS];
    for (int k = 0; k < LEVELS; k++) {
      double y[7];
      top_start(y);
      epi_state s = {.y = y};
      epi_flow *f = two(rows[i].text, &a, &b);
      h[k] = 0.01/(1 << k);
      reach(f, &s, 1, h[k]);
      e[k] = apart(7, y, ref);
      check_abs(y[0]*y[0] + y[1]*y[1] + y[2]*y[2] + y[3]*y[3], 1, 1e-14);
      epi_free(f);
    }
    check_order(LEVELS, h, e, rows[i].order, 0.15);
    printf("%s on a top: order %.2f\n", rows[i].text, test_slope(LEVELS, h, e));
  }
}

/* ---- back ---- */
/* there and back ends where it began but for the error of order 1; for alpha = beta = 1/2 to rounding, and higher orders can be composed of
   it */
static void backward(void)
{
  epi_system a = {.nq = 2, .force = shaken_force}, b = {.nq = 2, .force = henon_force};
  double h[4], e[4], there[4];
  for (int k = 0; k < 8; k++) {
    double y[4];
    memcpy(y, henon_start, sizeof y);
    epi_state s = {.y = y};
    epi_flow *f = two(k < 4 ? "semi(a, b)" : "semi(a, b, beta=0.5)", &a, &b);
    h[k % 4] = 0.02/(1 << k % 4);
    go(f, &s, h[k % 4], 50 << k % 4);
    go(f, &s, -h[k % 4], 50 << k % 4);
    check_abs(s.t, 0, 1e-15);
    e[k % 4] = apart(4, y, henon_start);
    if (k == 3) check_order(4, h, e, 1, 0.1);
    if (k > 3) check_below(e[k % 4], 1e-12);
    epi_free(f);
  }
  memcpy(there, henon_start, sizeof there);
  epi_flow *exact = two("dop853(sum(a, b))", &a, &b);
  reach(exact, &(epi_state){.y = there}, 2, 0.005);
  for (int k = 0; k < 4; k++) {
    double y[4];
    memcpy(y, henon_start, sizeof y);
    epi_flow *f = two("symmetric(semi(a, b, beta=0.5), order=4)", &a, &b);
    h[k] = 0.1/(1 << k);
    reach(f, &(epi_state){.y = y}, 2, h[k]);
    e[k] = apart(4, y, there);
    epi_free(f);
  }
  check_order(4, h, e, 4, 0.2);
  epi_free(exact);
  /* what may not run back in either part does not */
  epi_system damped = {.nq = 2, .velocity_force = tie, .traits.irreversible = 1};
  double y[4] = {1};
  epi_flow *f = two("semi(a, b, beta=0.5)", &a, &damped);
  check_count(epi_advance(f, &(epi_state){.y = y}, -0.1, 1), EPI_WRONG);
  check_has(epi_error(f), "cannot run backward");
  epi_free(f);
}

/* ---- what is refused ---- */
static int nothing(epi_system *s, double t, const double *q, double *f) { (void)s; (void)t; (void)q; f[0] = f[1] = 0; return 0; }

static void refusals(void)
{
  static const double one[] = {1, 1}, other[] = {1, 2};
  static epi_system a = {.nq = 2, .force = henon_force}, b = {.nq = 2, .force = nothing}, three = {.nq = 3, .force = nothing},
    rate = {.nz = 2, .rate = volterra}, empty = {.nq = 2},
                    held = {.nq = 2, .nc = 1, .force = nothing, .constraint = rod}, light = {.nq = 2, .force = nothing, .mass = one},
                    heavy = {.nq = 2, .force = nothing, .mass = other},
                    phased = {.nq = 2, .phase = {.forced = phased_force, .phase_rate = 3}},
                    faster = {.nq = 2, .phase = {.forced = phased_force, .phase_rate = 4}},
                    hard = {.nq = 2, .force = nothing, .contacts = {.impulsive = 1, .ng = 1}},
                    direct = {.nq = 2, .force = nothing, .inertia.accel = 1};
  static const struct { const char *text; epi_system *a, *b; const char *words; } wrong[] = {
    {"semi(a, b)", &a, &three, "different coordinates"}, {"semi(a, b)", &a, &rate, "only a rate: use radau"},
    {"semi(a, b)", &rate, &rate, "only a rate"},
    {"semi(a, b)", &a, &empty, "second system has no force: use verlet"},
    {"semi(a, b)", &a, &held, "constraints belong to the first system"},
    {"semi(a, b)", &a, &heavy, "different masses"}, {"semi(a, b)", &light, &heavy, "different masses"},
    {"semi(a, b)", &a, &direct, "different masses"},
    {"semi(a, b)", &a, &phased, "fast phase belongs to the first"}, {"semi(a, b)", &faster, &phased, "same rate of the phase"},
    {"semi(a, b)", &a, &hard, "hard contacts"},
    {"semi(a)", &a, &b, "semi takes two systems, as in semi(model.contacts, model.stiff"},
    {"semi(a, b, alpha=1.5)", &a, &b, "alpha and beta are from 0 to 1"}, {"semi(a, b, beta=-0.1)", &a, &b, "from 0 to 1"},
    {"semi(a, b, ahead=2)", &a, &b, "ahead is 0 or 1"}, {"semi(a, b, sigma=4.1)", &a, &b, "4 is the limit of stability"},
    {"semi(a, b, sigma=0)", &a, &b, "between 0 and 4"},
    {"semi(a, b, tol=0)", &a, &b, "between 0 and 1"}, {"semi(a, b, longest=0.1)", &a, &b, "give tol or sigma too"},
    {"semi(a, b, tol=0.1, first=-1)", &a, &b, "cannot be negative"},
    {"tolerance(semi(a, b, tol=0.1))", &a, &b, "chooses its own steps"}, {"symmetric(semi(a, b))", &a, &b, "semi is not"},
  };
  for (size_t i = 0; i < sizeof wrong/sizeof *wrong; i++) {
    epi_flow *f = two(wrong[i].text, wrong[i].a, wrong[i].b);
    if (!check_has(epi_error(f), wrong[i].words)) printf("  %s, row %zu\n", wrong[i].text, i);
    epi_free(f);
  }
  /* what goes together does: the mass of the first, or the same for both; a phase that both have */
  static epi_system *const pairs[][2] = {{&a, &b}, {&light, &b}, {&light, &light}, {&phased, &phased}, {&phased, &b}};
  for (size_t i = 0; i < sizeof pairs/sizeof *pairs; i++) {
    double y[4] = {0.1, 0.2};
    epi_flow *f = two("semi(a, b)", pairs[i][0], pairs[i][1]);
    check_count(epi_advance(f, &(epi_state){.y = y}, 0.01, 3), 0);
    char text[64];
    epi_text(f, text, sizeof text);
    check_text(text, "semi(a, b)");
    epi_free(f);
  }
}

int main(void)
{
  two_oscillators();
  spring_pendulum();
  orders();
  changing_steps();
  theorem_3();
  theorem_6();
  stiff_limit();
  explicit_limits();
  rod_orders();
  rod_at_rest();
  rotations();
  backward();
  refusals();
  return test_done();
}
