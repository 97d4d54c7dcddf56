/* holds: a printed flow reads back as the same tree, and errors have column and remedy */
#include "problems.h"
#include "test.h"
#include <locale.h>

static epi_system oscillator = {.nq = 2, .force = henon_force};
static int see(void *data, const epi_system *s, epi_state *x) { (void)data; (void)s; (void)x; return 0; }
static double gap(void *data, double t, const double *y) { (void)data; (void)t; return y[0]; }

static epi_flow *make(const char *text)
{
  static const char *const names[] = {"x", "y", "vx", "vy"};
  static epi_system with_names, other;
  with_names = (epi_system){.nq = 2, .force = henon_force, .velocity_force = quadratic_drag, .names = names};
  other = oscillator;
  epi_name given[] = {{.name = "model", .system = &with_names}, {.name = "model.stiff", .system = &other}, {.name = "mine", .see = see},
                      {.name = "floor", .gap = gap}, {0}};
  return epi_make_named(text, given);
}

static void round_trip(void)
{
  static const char *const texts[][2] = {
    {"verlet", "verlet"}, {" verlet ( model ) ", "verlet"}, {"verlet(model.stiff)", "verlet(model.stiff)"},
    {"symmetric(verlet,8)", "symmetric(verlet, order=8)"},
    {"symmetric(verlet, table=yoshida, order=6)", "symmetric(verlet, order=6, table=yoshida)"},
    {"compose(kick,drift,weights=[.5,1,0.5])", "compose(kick, drift, weights=[0.5, 1, 0.5])"},
    {"tolerance(dopri5, rtol=1e-8, atol=[1e-9,1e-9,1e-10,2e-10])", "tolerance(dopri5, rtol=1e-08, atol=[1e-09, 1e-09, 1e-10, 2e-10])"},
    {"tolerance(rk4, controller=pi)", "tolerance(rk4, controller=pi)"},
    {"watch(rk4, see=mine, every=2*pi/8)", "watch(rk4, see=mine, every=0.785398163397448)"},
    {"watch(rk4, every=pi/4)", "watch(rk4, every=0.785398163397448)"}, {"watch(rk4, every=pi)", "watch(rk4, every=3.14159265358979)"},
    {"at(verlet, vx, level=-0.25, direction=up)", "at(verlet, of=vx, level=-0.25, direction=up)"}, {"at(verlet, of=2)", "at(verlet, of=2)"},
    {"at(verlet, gap=floor, hit=mine)", "at(verlet, gap=floor, hit=mine)"},
    {"verlet(sum(model, model.stiff))", "verlet(sum(model, model.stiff))"},
    {"euler-symplectic(first=drift)", "euler-symplectic(first=drift)"}, {"theta(theta=0.75)", "theta(theta=0.75)"},
    {"substeps(rk4, 20)", "substeps(rk4, n=20)"},
  };
  for (size_t i = 0; i < sizeof texts/sizeof *texts; i++) {
    char once[256], twice[256], cut[8];
    epi_flow *f = make(texts[i][0]);
    if (epi_error(f)) printf("  %s: %s\n", texts[i][0], epi_error(f));
    size_t n = epi_text(f, once, sizeof once);
    check_count((long long)n, (long long)strlen(once));
    epi_flow *g = make(once);
    epi_text(g, twice, sizeof twice);
    check_text(twice, once);
    /* numbers are printed with as many digits as they need */
    if (!strstr(texts[i][0], "pi")) check_text(once, texts[i][1]);
    else check(!strncmp(once, texts[i][1], strlen(texts[i][1]) - 3));
    check_count((long long)epi_text(f, cut, sizeof cut), (long long)n);
    check(strlen(cut) < sizeof cut);
    epi_free(f);
    epi_free(g);
  }
}

/* text, what the sentence must hold */
static const char *const wrong[][2] = {
  {"", "column 1: the text ends here"}, {"verlt", "column 1: there is no flow 'verlt'; did you mean verlet?"},
  {"nonsense", "there is no flow 'nonsense'"},
  {"symmetric(verlet, ordr=4)", "column 19: symmetric has no option 'ordr'; did you mean order?"},
  {"tolerance(verlet, controller=ode54)", "column 19: controller cannot be 'ode54'; did you mean ode45?"},
  {"tolerance(verlet, controller=3)", "controller is one of: pi, ode45"},
  {"symmetric(verlet", "column 17: the text ends here, and ',' or ')' is missing"},
  {"symmetric(verlet))", "column 18: ')' is not expected here: the flow is complete"},
  {"symmetric(, verlet)", "column 11: ',' is not expected here"},
  {"substeps(verlet, 2, 3)", "column 21: substeps was given more than it takes"}, {"substeps(verlet, n=2, n=3)", "n is given twice"},
  {"substeps(verlet, 2.5)", "n is 2.5: give a whole number"}, {"substeps(verlet, 0)", "column 1: substeps: n is 0"},
  {"substeps()", "substeps takes a flow"},
  {"strang(kick)", "strang takes two flows"},
  {"auto(verlet)", "'auto' is a name kept for a later version (choosing the flow for a tolerance)"},
  {"hmm(verlet)", "'hmm' makes a system, and a flow is needed here: put a method around it, as in verlet(hmm(...))"},
  {"verlet(hmm(verlet, kernal=box))", "column 20: hmm has no option 'kernal'; did you mean kernel?"},
  {"rk4(hmm(verlet, start=rest))", "hmm from rest would lose the velocity force"},
  {"rk4(hmm(verlet))", "column 5: hmm of a system without a phase must be told"},
  {"symmetric(model)", "column 11: 'model' is a system, and a flow is needed here"},
  {"verlet(rk4)", "column 8: 'rk4' is a flow, and a system is needed here"},
  {"sum(model, model)", "'sum' makes a system, and a flow is needed here"}, {"verlet(sum(model))", "sum takes two systems"},
  {"verlet(modl)", "there is no system 'modl'; did you mean model?"},
  {"verlet(model.stif)", "did you mean model.stiff?"}, {"4", "a flow is needed here, not a number"},
  {"at(verlet, of=z)", "there is no coordinate 'z'"}, {"at(verlet, of=9)", "there is no coordinate 9"},
  {"watch(verlet, see=yours)", "see=yours: nothing of that name was given"},
  {"watch(verlet, see=floor)", "'floor' was given, but not as what see needs"}, {"rk", "rk needs a table"},
  {"compose(kick, drift, weights=[])", "weights is an empty list"}, {"compose(kick, drift, weights=[1, 1", "column 35: the text ends here"},
  {"compose(kick, drift, weights=[1 1])", "',' or ']'"},
  {"verlet=3", "a flow is needed here, not an option"}, {"symmetric(verlet, order=verlet(model))", "order takes a value, not verlet(...)"},
  {"tolerance(rk4, rtol=1e999)", "rtol is inf: give a finite number"},
  {"tolerance(rk4, rtol=[1, 2])", "rtol needs a number, not a list"}, {"tolerance(rk4, rtol=small)", "rtol needs a number"},
  {"kick(model, 3)", "kick was given more than it takes"},
  {"verlet(model)(model)", "column 14: '(' is not expected here"}, {"gauss(stages=5)", "gauss has no table of 5 stages: take 2 or 3"},
};

static void sentences(void)
{
  for (size_t i = 0; i < sizeof wrong/sizeof *wrong; i++) {
    epi_flow *f = make(wrong[i][0]);
    double y[4] = {0.1};
    epi_state s = {.y = y};
    if (!check_has(epi_error(f), wrong[i][1])) printf("  for %s\n", wrong[i][0]);
    check_count(epi_advance(f, &s, 0.1, 1), EPI_WRONG);
    check_count(epi_run(f, &s, 1, 0.1), EPI_WRONG);
    check_abs(y[0], 0.1, 0);
    epi_free(f);
  }
}

/* a given flow is taken over, once */
static void used_once(void)
{
  epi_flow *inner = epi_make("verlet", &oscillator);
  epi_name names[] = {{.name = "model", .system = &oscillator}, {.name = "fine", .flow = inner}, {0}};
  epi_flow *f = epi_make_named("symmetric(fine)", names), *g = epi_make_named("symmetric(fine)", names),
    *h = epi_make_named("strang(fine, fine)", names);
  check(!epi_error(f));
  check_has(epi_error(g), "a flow can be used only once");
  check_has(epi_error(h), "a flow can be used only once");
  epi_free(h);
  epi_free(g);
  epi_free(f);
}

/* whatever bytes come, it answers and leaks nothing */
static void noise(void)
{
  static const char *const bits[] = {"verlet", "symmetric", "(", ")", ",", "=", "[", "]", "order", "8", "1e-3", "pi", "*", "/", "model",
                                     "sum", "tolerance", "-", ".", " ", "kick", "at", "\xc3", "%s", "1e"};
  unsigned seed = 12345;
  long made = 0, refused = 0;
  for (int k = 0; k < 20000; k++) {
    char text[256] = "";
    for (int i = 0; i < 1 + k % 14; i++) {
      seed = seed*1664525u + 1013904223u;
      strcat(text, bits[(seed >> 16) % (sizeof bits/sizeof *bits)]);
    }
    epi_flow *f = make(text);
    if (epi_error(f)) refused++;
    else made++;
    epi_free(f);
  }
  char deep[4096] = "";
  for (int i = 0; i < 300; i++) strcat(deep, "watch(");
  epi_flow *f = make(deep);
  check_has(epi_error(f), "nested more than 200 deep");
  epi_free(f);
  printf("%ld texts of noise: %ld made a flow, %ld were refused\n", made + refused, made, refused);
  check(made > 20);
  check(refused > 1000);
}

/* a comma for a point in the user's locale changes nothing */
static void locales(void)
{
  static const char *const names[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "nl_NL.UTF-8"};
  int found = 0;
  for (int i = 0; i < 4 && !found; i++) found = setlocale(LC_NUMERIC, names[i]) != NULL;
  char text[128];
  epi_flow *f = make("tolerance(rk4, rtol=0.25, atol=1.5e-3)");
  epi_text(f, text, sizeof text);
  check_text(text, "tolerance(rk4, rtol=0.25, atol=0.0015)");
  epi_free(f);
  setlocale(LC_NUMERIC, "C");
  printf("locale with a comma: %s\n", found ? "tried" : "none here");
}

int main(void)
{
  round_trip();
  sentences();
  used_once();
  noise();
  locales();
  return test_done();
}
