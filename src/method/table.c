/* table.c - coefficients, each with its source. A new table and its record here, and a line in registry.c, make a method */
#include "method/table.h"

/* ---- explicit Runge-Kutta: strictly lower triangular, by rows ---- */
#define HNW "Hairer, Norsett & Wanner, Solving Ordinary Differential Equations I"
#define EXPLICIT (EPI_EXPLICIT | EPI_BACKWARD | EPI_CLOCK)

static const double euler_a[] = {0}, euler_b[] = {1};
static const double heun_a[] = {0, 0, 1, 0}, heun_b[] = {0.5, 0.5};
static const double midpoint_explicit_a[] = {0, 0, 0.5, 0}, midpoint_explicit_b[] = {0, 1};
static const double rk4_a[] = {
  0, 0, 0, 0,
  0.5, 0, 0, 0,
  0, 0.5, 0, 0,
  0, 0, 1, 0
}, rk4_b[] = {1./6, 1./3, 1./3, 1./6};
static const double bs3_a[] = {
  0, 0, 0, 0,
  1./2, 0, 0, 0,
  0, 3./4, 0, 0,
  2./9, 1./3, 4./9, 0
}, bs3_b[] = {2./9, 1./3, 4./9, 0}, bs3_e[] = {2./9 - 7./24, 1./3 - 1./4, 4./9 - 1./3, -1./8};
static const double dopri5_a[] = {
  0, 0, 0, 0, 0, 0, 0,
  1./5, 0, 0, 0, 0, 0, 0,
  3./40, 9./40, 0, 0, 0, 0, 0,
  44./45, -56./15, 32./9, 0, 0, 0, 0,
  19372./6561, -25360./2187, 64448./6561, -212./729, 0, 0, 0,
  9017./3168, -355./33, 46732./5247, 49./176, -5103./18656, 0, 0,
  35./384, 0, 500./1113, 125./192, -2187./6784, 11./84, 0
};
static const double dopri5_b[] = {35./384, 0, 500./1113, 125./192, -2187./6784, 11./84, 0};
static const double dopri5_e[] = {71./57600, 0, -71./16695, 71./1920, -17253./339200, 22./525, -1./40};
/* the free interpolant of order 4: weight of stage i at x is the sum of row i times x, x^2, x^3, x^4 */
static const double dopri5_dense[] = {
  1, -183./64, 37./12, -145./128,
  0, 0, 0, 0,
  0, 1500./371, -1000./159, 1000./371,
  0, -125./32, 125./12, -375./64,
  0, 9477./3392, -729./106, 25515./6784,
  0, -11./7, 11./3, -55./28,
  0, 3./2, -4, 5./2
};
static const double dop853_a[] = {
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0.05260015195876773, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0.0197250569845379, 0.0591751709536137, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0.02958758547680685, 0, 0.08876275643042054, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0.2413651341592667, 0, -0.8845494793282861, 0.924834003261792, 0, 0, 0, 0, 0, 0, 0, 0,
  0.037037037037037035, 0, 0, 0.17082860872947386, 0.12546768756682242, 0, 0, 0, 0, 0, 0, 0,
  0.037109375, 0, 0, 0.17025221101954405, 0.06021653898045596, -0.017578125, 0, 0, 0, 0, 0, 0,
  0.03709200011850479, 0, 0, 0.17038392571223998, 0.10726203044637328, -0.015319437748624402, 0.008273789163814023, 0, 0, 0, 0, 0,
  0.6241109587160757, 0, 0, -3.3608926294469414, -0.868219346841726, 27.59209969944671, 20.154067550477894, -43.48988418106996, 0, 0, 0, 0,
  0.47766253643826434, 0, 0, -2.4881146199716677, -0.590290826836843, 21.230051448181193, 15.279233632882423, -33.28821096898486,
  -0.020331201708508627, 0, 0, 0,
  -0.9371424300859873, 0, 0, 5.186372428844064, 1.0914373489967295, -8.149787010746927, -18.52006565999696, 22.739487099350505,
  2.4936055526796523, -3.0467644718982196, 0, 0,
  2.273310147516538, 0, 0, -10.53449546673725, -2.0008720582248625, -17.9589318631188, 27.94888452941996, -2.8589982771350235,
  -8.87285693353063, 12.360567175794303, 0.6433927460157636, 0
};
static const double dop853_b[] = {
  0.054293734116568765, 0, 0, 0, 0, 4.450312892752409, 1.8915178993145003, -5.801203960010585, 0.3111643669578199,
  -0.1521609496625161, 0.20136540080403034, 0.04471061572777259
};
static const double dop853_e5[] = {
  0.01312004499419488, 0, 0, 0, 0, -1.2251564463762044, -0.4957589496572502, 1.6643771824549864, -0.35032884874997366,
  0.3341791187130175, 0.08192320648511571, -0.022355307863886294
};
static const double dop853_e3[] = {
  -0.18980075407240762, 0, 0, 0, 0, 4.450312892752409, 1.8915178993145003, -5.801203960010585, -0.4226823213237919,
  -0.1521609496625161, 0.20136540080403034, 0.02265179219836082
};

/* the interpolant of order 7 asks the rate at the end and three stages more, at 1/10, 1/5 and 7/9. Their rows are the shortest that meet
   the conditions of order 6 there without stages 2 to 5, and the weights the only ones that meet all 85 of order 7: found by least
   squares over the rooted trees, which leaves 2e-14 */
static const double dop853_more_a[] = {
  0.054293734116568765, 0, 0, 0, 0, 4.450312892752409, 1.8915178993145003, -5.801203960010585, 0.3111643669578199, -0.1521609496625161,
  0.20136540080403034, 0.04471061572777259, 0, 0, 0, 0,
  0.056646066104810794, 0, 0, 0, 0, -0.12993218272770798, 0.21339844552631224, -0.08260643541641557, -0.13782763248955307,
  0.17233240146277654, 0.008719439879227794, 0.007567897660525165, -0.008297999999975889, 0, 0, 0,
  0.031540077943725264, 0, 0, 0, 0, -0.010454115438714499, 0.03510843365321852, -0.00013769040407530725, -0.0011896510536071297,
  0.0021470042881524118, -0.00015776021142213068, 0.00019042769746922266, -0.00012663688323394622, 0.14307991040848758, 0, 0,
  0.016343569006048202, 0, 0, 0, 0, 0.18533392218352904, -0.025145018822760278, 0.10356997186002256, -0.025388530810112424,
  0.30171314830529905, 0.050603707127235546, -0.03397344462618982, 0.02595343946518922, 0.20491065526348792, -0.02614364117397127, 0
};
static const double dop853_dense[] = {
  1.0, -10.26605707377079, 48.16185096871099, -114.93304875063842, 147.46446875799728, -97.0668536312551, 25.6939334630721,
  0, 0, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 0, 0, 0,
  0, 13.917653631000862, -154.78787265689303, 522.9219089164161, -456.25918831495983, -75.53193739759072, 154.18974871474688,
  0, 2.605603751801651, -21.622822382567378, 2.535182020478993, 292.2541746752901, -505.4099993455162, 231.52937917982754,
  0, -15.018944222486548, 160.09447707694136, -474.3071825459568, 135.96036904897102, 545.1091946246189, -357.63911794206,
  0, 3.0505276832863295, -38.543967291485636, 174.471400090349, -337.0513470202379, 291.7898750876405, -93.4053241825958,
  0, -1.327874432714887, 16.66177042937962, -74.44027813812492, 140.75210015564426, -119.25620209848427, 37.45832313464049,
  0, 2.8445336326707777, -36.55829548990887, 170.69007169153105, -345.97484854823756, 313.29955362379496, -104.09964950904596,
  0, 0.7657106259510461, -9.9069955356032, 46.80299191881477, -96.51986946689675, 88.74316650010176, -29.84029342663981,
  0, -1.0889903364491564, 14.097013042300913, -66.68230591287697, 137.96299063463889, -127.82216401760564, 43.533456589991886,
  0, 18.148505520926292, -127.6331094934569, 357.34195161720214, -500.70315079932084, 349.1703571162451, -96.32455396159227,
  0, -9.194632392624003, 93.35674593481731, -282.62726188018877, 361.1400772079133, -201.85219055146518, 39.17726168153653,
  0, -4.436036387591573, 56.68120539776481, -261.7734290270062, 520.9742236691981, -461.1727999104841, 149.72683625811842
};

#define TABLE(NAME, ...) static const epi_table NAME = {.name = #NAME, __VA_ARGS__}
TABLE(euler, .order = 1, .stages = 1, .a = euler_a, .b = euler_b);
TABLE(heun, .order = 2, .stages = 2, .a = heun_a, .b = heun_b);
TABLE(midpoint_explicit, .order = 2, .stages = 2, .a = midpoint_explicit_a, .b = midpoint_explicit_b);
TABLE(bs3, .order = 3, .stages = 4, .a = bs3_a, .b = bs3_b, .e = bs3_e, .estimate = 3);
TABLE(rk4, .order = 4, .stages = 4, .a = rk4_a, .b = rk4_b);
TABLE(dopri5, .order = 5, .stages = 7, .a = dopri5_a, .b = dopri5_b, .e = dopri5_e, .estimate = 5, .dense = dopri5_dense, .degree = 4);
TABLE(dop853, .order = 8, .stages = 12, .a = dop853_a, .b = dop853_b, .e = dop853_e5, .e2 = dop853_e3, .estimate = 8,
      .dense = dop853_dense, .degree = 7, .more = 4, .more_a = dop853_more_a);

#define RK_RECORD_OF(ID, NAME, TAB, ORDER, CLAIMS, FACETS, DOC, CITE)                                                       \
  const epi_record ID = {.name = NAME, .doc = DOC, .cite = CITE, .arrow = EPI_METHOD, .least = 1, .most = 1, .order = ORDER, \
                         .claims = CLAIMS, .table = &TAB, .build = epi_rk_build, .example = NAME, .facets = FACETS}
#define RK_RECORD(ID, NAME, TAB, ORDER, CLAIMS, DOC, CITE) RK_RECORD_OF(ID, NAME, TAB, ORDER, CLAIMS, NULL, DOC, CITE)
RK_RECORD(epi_EULER, "euler", euler, 1, EXPLICIT, "explicit Euler", HNW ", I.7");
RK_RECORD(epi_HEUN, "heun", heun, 2, EXPLICIT, "Heun's method of order 2", "Heun 1900; " HNW ", II.1");
RK_RECORD(epi_MIDPOINT_EXPLICIT, "midpoint-explicit", midpoint_explicit, 2, EXPLICIT, "explicit midpoint rule",
          "Runge 1895; " HNW ", II.1");
RK_RECORD(epi_BS3, "bs3", bs3, 3, EXPLICIT | EPI_ESTIMATE, "Bogacki-Shampine 3(2)", "Bogacki & Shampine, Appl. Math. Lett. 2 (1989) 321");
RK_RECORD(epi_RK4, "rk4", rk4, 4, EXPLICIT, "the classical Runge-Kutta method of order 4", "Kutta 1901; " HNW ", II.1");
RK_RECORD(epi_DOPRI5, "dopri5", dopri5, 5, EXPLICIT | EPI_ESTIMATE, "Dormand-Prince 5(4) with its interpolant of order 4",
          "Dormand & Prince, J. Comput. Appl. Math. 6 (1980) 19; " HNW ", II.5, II.6");
static const epi_facets fine = {.traits = EPI_FINE_INTERPOLANT};
RK_RECORD_OF(epi_DOP853, "dop853", dop853, 8, EXPLICIT | EPI_ESTIMATE, &fine,
          "Dormand-Prince of order 8 with estimates of orders 5 and 3 and an interpolant of order 7", HNW ", II.6, II.10");

/* a table of the user's own */
static const epi_param rk_params[] =
  {{.name = "table", .doc = "the name under which you gave an epi_table", .kind = EPI_GIVEN, .takes = EPI_TAKES_TABLE}, {0}};
const epi_record epi_RK = {
  .name = "rk", .doc = "an explicit Runge-Kutta method from a table of your own", .cite = HNW ", II.1", .example = "rk(table=mine)",
  .arrow = EPI_METHOD, .least = 1, .most = 1, .params = rk_params, .claims = EXPLICIT, .build = epi_rk_build,
};

/* ---- implicit Runge-Kutta: full matrices ---- */
#define HLW "Hairer, Lubich & Wanner, Geometric Numerical Integration"
#define R3 1.7320508075688772
#define R15 3.8729833462074170
#define R6 2.4494897427831781
static const double euler_implicit_a[] = {1}, midpoint_a[] = {0.5}, one_b[] = {1};
static const double gauss2_a[] = {1./4, 1./4 - R3/6, 1./4 + R3/6, 1./4}, gauss2_b[] = {0.5, 0.5};
static const double gauss3_a[] = {
  5./36, 2./9 - R15/15, 5./36 - R15/30,
  5./36 + R15/24, 2./9, 5./36 - R15/24,
  5./36 + R15/30, 2./9 + R15/15, 5./36
}, gauss3_b[] = {5./18, 4./9, 5./18};
/* IIIA for positions, IIIB for velocities */
static const double lobatto2_a[] = {0, 0, 0.5, 0.5}, lobatto2_a2[] = {0.5, 0, 0.5, 0}, lobatto2_b[] = {0.5, 0.5};
static const double lobatto3_a[] = {
  0, 0, 0,
  5./24, 1./3, -1./24,
  1./6, 2./3, 1./6
}, lobatto3_a2[] = {
  1./6, -1./6, 0,
  1./6, 1./3, 0,
  1./6, 5./6, 0
}, lobatto3_b[] = {1./6, 2./3, 1./6};
static const double radau2_a[] = {5./12, -1./12, 3./4, 1./4}, radau2_b[] = {3./4, 1./4};
static const double radau3_a[] = {
  (88 - 7*R6)/360, (296 - 169*R6)/1800, (-2 + 3*R6)/225,
  (296 + 169*R6)/1800, (88 + 7*R6)/360, (-2 - 3*R6)/225,
  (16 - R6)/36, (16 + R6)/36, 1./9
}, radau3_b[] = {(16 - R6)/36, (16 + R6)/36, 1./9};
/* twice two half steps of implicit Euler minus one whole step */
static const double extrapolated_a[] = {1, 0, 0, 0, 0.5, 0, 0, 0.5, 0.5}, extrapolated_b[] = {-1, 1, 1};

TABLE(euler_implicit, .order = 1, .stages = 1, .a = euler_implicit_a, .b = one_b);
TABLE(midpoint, .order = 2, .stages = 1, .a = midpoint_a, .b = one_b);
TABLE(gauss2, .order = 4, .stages = 2, .a = gauss2_a, .b = gauss2_b);
TABLE(gauss3, .order = 6, .stages = 3, .a = gauss3_a, .b = gauss3_b);
TABLE(lobatto2, .order = 2, .stages = 2, .a = lobatto2_a, .a2 = lobatto2_a2, .b = lobatto2_b);
TABLE(lobatto3, .order = 4, .stages = 3, .a = lobatto3_a, .a2 = lobatto3_a2, .b = lobatto3_b);
TABLE(radau2, .order = 3, .stages = 2, .a = radau2_a, .b = radau2_b);
TABLE(radau3, .order = 5, .stages = 3, .a = radau3_a, .b = radau3_b);
TABLE(extrapolated, .order = 2, .stages = 3, .a = extrapolated_a, .b = extrapolated_b);

static const epi_table *const one_euler_implicit[] = {&euler_implicit, NULL}, *const one_midpoint[] = {&midpoint, NULL},
                       *const all_gauss[] = {&gauss2, &gauss3, NULL}, *const all_lobatto[] = {&lobatto2, &lobatto3, NULL},
                       *const all_radau[] = {&radau2, &radau3, NULL}, *const one_extrapolated[] = {&extrapolated, NULL};

static const epi_param stages_params[] = {{.name = "stages", .value = 2, .doc = "2 or 3", .kind = EPI_COUNT}, {0}};
static const char *const theta_forms[] = {"trapezoid", "leg", NULL};
static const epi_param theta_params[] = {
  {.name = "theta", .value = 0.5, .doc = "weight of the new point: 0 explicit Euler, 1/2 trapezoid, 1 implicit Euler",
   .range = {.least = 0, .most = 1}},
  {.name = "form", .doc = "trapezoid: the rates of both ends; leg: the rate of a point between them, for 1/2 the midpoint rule",
   .words = theta_forms, .kind = EPI_WORD}, {0}
};

#define IMPLICIT_RECORD(ID, NAME, TABS, PARAMS, ORDER, CLAIMS, BUILD, DOC, CITE)                                                  \
  const epi_record ID = {.name = NAME, .doc = DOC, .cite = CITE, .arrow = EPI_METHOD, .least = 1, .most = 1, .order = ORDER, \
                         .params = PARAMS, .claims = EPI_BACKWARD | EPI_CLOCK | (CLAIMS), .table = TABS, .build = BUILD, \
                         .example = NAME}
IMPLICIT_RECORD(epi_EULER_IMPLICIT, "euler-implicit", one_euler_implicit, NULL, 1, 0, epi_implicit_build, "implicit Euler", HNW ", I.7");
IMPLICIT_RECORD(epi_MIDPOINT, "midpoint", one_midpoint, NULL, 2, EPI_SYMPLECTIC | EPI_SYMMETRIC | EPI_REVERSIBLE, epi_implicit_build,
                "implicit midpoint rule", HLW ", II.1");
IMPLICIT_RECORD(epi_THETA, "theta", NULL, theta_params, 2, 0, epi_implicit_build,
                "theta method: the trapezoidal rule unless told otherwise", HNW ", II.7");
IMPLICIT_RECORD(epi_GAUSS, "gauss", all_gauss, stages_params, 4, EPI_SYMPLECTIC | EPI_SYMMETRIC | EPI_REVERSIBLE, epi_implicit_build,
                "Gauss collocation of order 4 or 6", HLW ", II.1.3");
IMPLICIT_RECORD(epi_LOBATTO, "lobatto", all_lobatto, stages_params, 2, EPI_SYMPLECTIC | EPI_SYMMETRIC | EPI_REVERSIBLE, epi_lobatto_build,
                "Lobatto IIIA-IIIB pair of order 2 or 4, also on constraints", HLW ", II.2.2; Jay, SIAM J. Numer. Anal. 33 (1996) 368");
IMPLICIT_RECORD(epi_RADAU, "radau", all_radau, stages_params, 3, 0, epi_implicit_build, "Radau IIA of order 3 or 5, for stiff problems",
                "Hairer & Wanner, Solving Ordinary Differential Equations II, IV.5");
IMPLICIT_RECORD(epi_EXTRAPOLATED, "extrapolated", one_extrapolated, NULL, 2, 0, epi_implicit_build, "implicit Euler, extrapolated once",
                "Modin, Adaptive geometric numerical integration of mechanical systems (2009), Paper I");

/* ---- compositions of a symmetric flow ---- */
static const double yoshida4[] = {1.3512071919596576340, -1.7024143839193152681};
static const double yoshida6[] = {0.78451361047755726382, 0.23557321335935813368, -1.17767998417887100695, 1.31518632068391121889};
static const double yoshida8[] = {0.914844246229740, 0.253693336566229, -1.44485223686048, -0.158240635368243, 1.93813913762276,
                                  -1.96061023297549, 0.102799849391985, 1.7084530707869978};
static const double suzuki_umeno8[] = {0.74167036435061295345, -0.40910082580003159400, 0.19075471029623837995, -0.57386247111608226666,
                                       0.29906418130365592384, 0.33462491824529818378, 0.31529309239676659663, -0.79688793935291635402};
static const double kahan_li6[] = {0.39216144400731413928, 0.33259913678935943860, -0.70624617255763935981, 0.08221359629355080023,
                                   0.79854399093482996340};
static const double kahan_li8[] = {0.13020248308889008088, 0.56116298177510838456, -0.38947496264484728641, 0.15884190655515560090,
                                   -0.39590389413323757734, 0.18453964097831570709, 0.25837438768632204729, 0.29501172360931029887,
                                   -0.60550853383003451170};
#define SUZUKI "Suzuki, Phys. Lett. A 146 (1990) 319"
#define YOSHIDA "Yoshida, Phys. Lett. A 150 (1990) 262"
#define KAHAN_LI "Kahan & Li, Math. Comp. 66 (1997) 1089"
const epi_composition_table epi_compositions[] = {
  {"suzuki", SUZUKI, 4, 0, NULL},
  {"kahan-li", KAHAN_LI, 6, 9, kahan_li6},
  {"kahan-li", KAHAN_LI, 8, 17, kahan_li8},
  {"suzuki", SUZUKI, 6, 0, NULL},
  {"suzuki", SUZUKI, 8, 0, NULL},
  {"yoshida", YOSHIDA, 4, 3, yoshida4},
  {"yoshida", YOSHIDA, 6, 7, yoshida6},
  {"yoshida", YOSHIDA, 8, 15, yoshida8},
  {"suzuki-umeno", "Suzuki & Umeno 1993; " HLW ", V.3", 8, 15, suzuki_umeno8},
  {0},
};

int epi_palindrome(int n, const double *half, double *out)
{
  for (int i = 0; i < n; i++) out[i] = half[i < n - 1 - i ? i : n - 1 - i];
  return n;
}

/* five copies of the order below: 5, 25, 125 leaps */
static int suzuki(int order, double *out)
{
  int n = 1;
  out[0] = 1;
  for (int p = 4; p <= order; p += 2) {
    double g = 1/(4 - pow(4, 1.0/(p - 1))), c[] = {g, g, 1 - 4*g, g, g};
    for (int i = 4; i >= 0; i--)
      for (int j = n - 1; j >= 0; j--) out[i*n + j] = c[i]*out[j];
    n *= 5;
  }
  return n;
}

const char *const epi_composition_words[] = {"usual", "suzuki", "yoshida", "kahan-li", "suzuki-umeno", "blanes-moan", NULL};

int epi_composition_of(const char *name, int order, double *out)
{
  for (const epi_composition_table *c = epi_compositions; c->name; c++)
    if (c->order == order && (!name || !strcmp(c->name, name)))
      return c->half ? epi_palindrome(c->stages, c->half, out) : suzuki(order, out);
  return 0;
}

/* ---- splittings of two flows ---- */
static const double blanes_moan4[] = {
  0.0792036964311957, 0.209515106613362, 0.353172906049774, -0.143851773179818, -0.0420650803577195, 0.434336666566456,
  1 - 2*(0.0792036964311957 + 0.353172906049774 - 0.0420650803577195)
};
static const double blanes_moan6[] = {
  0.0502627644003922, 0.148816447901042, 0.413514300428344, -0.132385865767784, 0.0450798897943977, 0.067307604692185,
  -0.188054853819569, 0.432666402578175, 0.541960678450780,
  0.5 - (0.148816447901042 - 0.132385865767784 + 0.067307604692185 + 0.432666402578175),
  1 - 2*(0.0502627644003922 + 0.413514300428344 + 0.0450798897943977 - 0.188054853819569 + 0.541960678450780)
};
const epi_splitting epi_splittings[] = {
  {"blanes-moan", "Blanes & Moan, J. Comput. Appl. Math. 142 (2002) 313", 4, 13, blanes_moan4},
  {"blanes-moan", "Blanes & Moan, J. Comput. Appl. Math. 142 (2002) 313", 6, 21, blanes_moan6},
  {0},
};
