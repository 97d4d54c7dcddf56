/* holds: overdamped springs and contacts enter model.stiff by themselves, so that semi takes the steps of the rest
 * creep.c - springs and contacts that are damped so much that they creep: in model.stiff by themselves, so that semi takes the steps of the
 * rest; loads that never vanish; the word `stiff` for what swings too fast */
#include "filed.h"

static const double PI = 3.14159265358979323846;
static const char semi[] = "semi(model.contacts, model.stiff, beta=0.5, ahead=1)";

/* how many velocities the stiff part has */
static int stiff_rows(const epi_name *parts)
{
  int n = 0;
  while (strcmp(parts->name, "model.stiff")) parts++;
  const epi_system *s = parts->system;
  for (int i = 0; i < s->nv; i++) n += s->jacobian.slope_rowptr[i] < s->jacobian.slope_rowptr[i + 1];
  return n;
}

/* ---- the governor in two coordinates: the angle of its arms below the horizontal, and the height of the slider ---- */
typedef struct { double M, d, It, Iax, Isl, L; } governor;
static double J_of(const governor *g, double b)
{
  double r = 0.05 + g->d*cos(b);
  return g->Iax + g->Isl + 2*(g->M*r*r + g->It*cos(b)*cos(b) + g->Iax*sin(b)*sin(b));
}
static int governed(epi_system *s, double t, const double *y, double *dy)
{
  const governor *g = s->data;
  (void)t;
  double b = y[0], sb = sin(b), cb = cos(b), w = g->L/J_of(g, b), r = 0.05 + g->d*cb;
  double dJ = 2*(-2*g->M*r*g->d*sb - 2*(g->It - g->Iax)*cb*sb), X = 0.5*cb, Z = 1 - 0.5*sb - y[1], l = hypot(X, Z);
  double Xb = -0.5*sb, Zb = -0.5*cb, rate = (X*Xb*y[2] + Z*(Zb*y[2] - y[3]))/l, F = 8e5*(l - 0.5) + 4e4*rate;
  dy[0] = y[2];
  dy[1] = y[3];
  dy[2] = (-2*F*(X*Xb + Z*Zb)/l + 2*g->M*9.81*g->d*cb + 0.5*dJ*w*w)/(2*(g->M*g->d*g->d + g->It));
  dy[3] = (2*F*Z/l - 3*9.81)/3;
  return 0;
}

static void flyball(void)
{
  double rod = 0.3/12*(1 + 1e-4), M = 5.3, d = (0.3*0.5 + 5)/M;
  governor g = {.M = M, .d = d, .It = rod + 0.3*(d - 0.5)*(d - 0.5) + 5*(1 - d)*(1 - d), .Iax = 0.3/12*2e-4, .Isl = 3./12*0.02};
  g.L = J_of(&g, PI/6)*2*PI;
  epi_system s = {.nz = 4, .rate = governed, .data = &g};
  double y[] = {PI/6, 0.5, 0, 0}, worst = 0;
  epi_state own = {.y = y};
  filed f = filed_case("benchmarks/flyball.yaml");
  /* the flow and step that it takes by itself are those that were asked for */
  check_text(f.c->model->flow, semi);
  check_rel(f.c->step, 1e-3, 1e-12);
  check_count(stiff_rows(f.c->parts), 18);
  epi_flow *flow = epi_case_flow(f.c, semi), *reference = epi_make("radau", &s);
  epi_state x = epi_case_state(f.c);
  double E0 = f.c->system.energy(&f.c->system, 0, x.y), most = E0;
  for (int i = 1; i <= 100; i++) {
    run(flow, &x, 0.1*i, 1e-3);
    run(reference, &own, 0.1*i, 1e-4);
    worst = fmax(worst, fabs(x.y[9] - y[1]));
    most = fmax(most, f.c->system.energy(&f.c->system, 0, x.y));
  }
  printf("flyball: the slider %.2g m beside the equations of two coordinates; energy %.6g, at most %.6g J\n", worst, E0, most);
  check_below(worst, 1e-4);
  check_below(most, E0*(1 + 1e-3));
  epi_free(flow);
  epi_free(reference);
  filed_free(f);
}

/* ---- the ball under 1002.6 N sinks into the floor as K d^1.5 (1 + chi d') = F says ---- */
static int sinks(epi_system *s, double t, const double *y, double *dy)
{
  const double *p = s->data;
  double m = 7800*4./3*PI*8e-6, K = 4./3*(207e9/(2*(1 - 0.09)))*sqrt(0.02), Q = y[0] > 0 ? K*y[0]*sqrt(y[0])*(1 + p[0]*y[1]) : 0;
  (void)t;
  dy[0] = y[1];
  dy[1] = 9.81 + (1000 - fmax(Q, 0))/m;
  return 0;
}

static double load_of(epi_case *c, const epi_state *s)
{
  epi_action out;
  return epi_world_action(c->world, s, 0, &out) ? NAN : out.load;
}

static void pressed(void)
{
  static const double steps[] = {0, 1e-6, 2e-5, 1e-4, 5e-4};
  double chi = 500, y[] = {0, 0}, weight = 1000 + 9.81*7800*4./3*PI*8e-6;
  epi_system s = {.nz = 2, .rate = sinks, .data = &chi};
  epi_state own = {.y = y};
  epi_flow *reference = epi_make("rk4", &s);
  run(reference, &own, 5e-3, 5e-8);
  epi_free(reference);
  for (int i = 0; i < 5; i++) {
    filed f = filed_case("st.yaml");
    /* long steps ring on without damping */
    epi_flow *flow = i < 3 ? epi_file_flow(f.file, 0, f.c) : epi_case_flow(f.c, "semi(model.contacts, model.stiff, beta=0.6, ahead=1)");
    epi_state x = epi_case_state(f.c);
    check_count(stiff_rows(f.c->parts), 6);
    run(flow, &x, f.c->end, i ? steps[i] : f.c->step);
    printf("pressed: h = %g, load %.6g N, depth %.6g, and %.6g um by its equation\n", i ? steps[i] : f.c->step, load_of(f.c, &x),
           1e6*(0.02 - x.y[2]), 1e6*y[0]);
    check_rel(load_of(f.c, &x), weight, i < 4 ? 1e-3 : 3e-3);
    check_rel(0.02 - x.y[2], y[0], 1e-2);
    epi_free(flow);
    filed_free(f);
  }
}

/* the same by the calls of a program, with the word and without */
static void by_calls(void)
{
  for (int word = -1; word <= 1; word++) {
    epi_world *w = epi_world_make();
    int ball = epi_add_body(w, &(epi_body){.name = "ball", .mass = 0.26, .inertia = {4e-5, 4e-5, 4e-5}, .at = {0, 0, 0.02}});
    epi_add_gravity(w, (double[]){0, 0, -9.81});
    int floor = epi_add_contact(w, &(epi_contact){.shape = EPI_SPHERE_PLANE, .a = ball, .b = EPI_GROUND, .radius = 0.02,
                                                  .normal = {0, 0, 1}, .law = {.K = 2e10, .chi = 500}, .stiff = word});
    epi_add_load(w, &(epi_applied_force){.body = ball, .force = {0, 0, -1000}});
    check_count(stiff_rows(epi_world_names(w)), word < 0 ? 0 : 6);
    epi_flow *f = epi_world_flow(w, "semi(model.contacts, model.stiff)");
    epi_state s = epi_world_state(w);
    epi_action out;
    run(f, &s, 0.02, 1e-5);
    check_count(epi_world_action(w, &s, floor, &out), 0);
    if (word >= 0) check_rel(out.load, 1000 + 0.26*9.81, 1e-3);
    /* it never pulls, and then it is as stiff as nothing */
    s.y[2] = 0.01999;
    s.y[9] = 1;
    check_count(epi_world_action(w, &s, floor, &out), 0);
    check(out.load == 0 && out.stiffness == 0 && out.damping == 0);
    epi_free(f);
    epi_world_free(w);
  }
}

/* ---- the word, of a spring that swings a hundred times a step: what hangs on it stands still, and explicit steps explode ---- */
static void by_word(void)
{
  static const char *const words[] = {"", ", stiff: no", ", stiff: yes"};
  for (int i = 0; i < 3; i++) {
    char text[700];
    snprintf(text, sizeof text,
             "world:\n"
             "  gravity: 9.81\n"
             "  bodies: [{name: bob, ball: 20 mm, mass: 1, at: [0, 0, -1]}]\n"
             "  springs: [{name: wire, a: bob, length: 1, stiffness: 1e10%s}]\n"
             "step: 1e-3\nend: 0.1\n", words[i]);
    filed f = filed_of(epi_file_read_text(text, strlen(text), "wire.yaml"));
    epi_flow *flow = epi_case_flow(f.c, semi);
    epi_state s = epi_case_state(f.c);
    check_text(f.c->model->flow, i == 2 ? semi : "verlet");
    check_count(stiff_rows(f.c->parts), i == 2 ? 6 : 0);
    int bad = epi_run(flow, &s, 0.1, 1e-3);
    if (i == 2) {
      check_count(bad, 0);
      check_abs(s.y[2], -1, 1e-8);
    } else check(bad || fabs(s.y[2] + 1) > 1);
    size_t n = epi_file_text(f.file, text, sizeof text);
    check(n && n < sizeof text && (!words[i][0] || strstr(text, words[i])));
    epi_free(flow);
    filed_free(f);
  }
}

/* a damper that is left to verlet: the sentence names what can be done with joints */
static void sentence(void)
{
  static const char text[] =
    "world:\n"
    "  bodies: [{name: arm, box: [1, 0.1, 0.1], mass: 1, at: [0.5, 0, 0], spin: [0, 0, 1], velocity: [0, 0.5, 0]}]\n"
    "  springs: [{name: brake, a: arm, at_a: [0.5, 0, 0], at_b: [1, 1, 0], damping: 1e5, stiff: no}]\n"
    "  joints: [{name: pin, a: arm, hold: hinge, at: [0, 0, 0]}]\n"
    "step: 1e-3\nend: 0.1\n";
  filed f = filed_of(epi_file_read_text(text, sizeof text - 1, "brake.yaml"));
  epi_flow *flow = epi_case_flow(f.c, "verlet");
  epi_state s = epi_case_state(f.c);
  check(epi_run(flow, &s, 0.1, 1e-3) > 0);
  check_has(epi_error(flow), "too strong for h = 0.0005");
  check_has(epi_error(flow), "semi(model.contacts, model.stiff)");
  check(!strstr(epi_error(flow), "midpoint"));
  epi_free(flow);
  filed_free(f);
}

int main(void)
{
  flyball();
  pressed();
  by_calls();
  by_word();
  sentence();
  return test_done();
}
