/* holds: Hertz stiffness is that of closed forms and elliptic integrals, and motions by it follow their equations
 * hertz.c - stiffness of point contacts: spheres in closed form, ellipses by the integrals, the fit where it is good; and motions by
 * it: a ball that a load presses in, and the break of seven balls against its own equations in the plane */
#include "filed.h"

static const double PI = 3.14159265358979323846;

/* ---- K ---- */
static void closed_form(void)
{
  double modulus = 207e9/(1 - 0.09), R = 0.02;
  for (int by = EPI_BREWE_HAMROCK; by <= EPI_ELLIPTIC; by++) {
    check_rel(epi_hertz_of(R, R, modulus, by).K, 4./3*(modulus/2)*sqrt(R), 1e-14);
    check_rel(epi_hertz_of(R, R, modulus, by).ellipse, sqrt(R), 1e-14);
    /* which of the two planes is called x does not matter for K; the semi-axis is that along y */
    epi_hertz a = epi_hertz_of(R, 7*R, modulus, by), b = epi_hertz_of(7*R, R, modulus, by);
    check_rel(a.K, b.K, 1e-14);
    check_rel(a.ellipse/b.ellipse, a.k, 1e-12);
    check_rel(a.k*b.k, 1, 1e-14);
    /* a line has no stiffness of a point, and a sphere does not fit into a smaller one */
    check(epi_hertz_of(R, INFINITY, modulus, by).K == 0 && epi_hertz_of(R, -R, modulus, by).K == 0);
  }
  /* the integrals go over into the circle; and what the fit is off by */
  check_rel(epi_hertz_of(R, R*(1 + 1e-6), modulus, EPI_ELLIPTIC).K, 4./3*(modulus/2)*sqrt(R), 1e-6);
  for (double x = 2.5; x < 25; x *= 1.1)
    check_rel(epi_hertz_of(R, x*R, modulus, EPI_BREWE_HAMROCK).K, epi_hertz_of(R, x*R, modulus, EPI_ELLIPTIC).K, 0.01);
  check_rel(epi_hertz_of(R, 1.0001*R, 1, EPI_BREWE_HAMROCK).K/epi_hertz_of(R, 1.0001*R, 1, EPI_ELLIPTIC).K, 1.087, 1e-3);
  check_rel(epi_hertz_of(R, 2600*R, 1, EPI_BREWE_HAMROCK).K/epi_hertz_of(R, 2600*R, 1, EPI_ELLIPTIC).K, 1.29, 2e-3);
}

/* sphere on plane and on sphere, whatever `by` says; a groove is by the integrals unless the file says otherwise */
static void of_files(void)
{
  static const char *const by[] = {"", ", by: elliptic", ", by: brewe-hamrock"};
  const double depth = 1e-5, r = 0.02, modulus = 207e9/(1 - 0.09), groove = 0.0206;
  for (int i = 0; i < 3; i++) {
    char text[1200];
    snprintf(text, sizeof text,
             "world:\n"
             "  bodies:\n"
             "    - {name: ball, ball: 20 mm, material: steel, at: [0, 0, 19.99 mm]}\n"
             "    - {name: top, ball: 20 mm, material: steel, at: [0, 0, 59.98 mm]}\n"
             "    - {name: race, ball: 20 mm, material: steel, at: [0.10061, 0, 0]}\n"
             "  contacts:\n"
             "    - {name: plane, shape: sphere-plane, a: ball, law: {material: steel%s}}\n"
             "    - {name: touch, shape: sphere-sphere, a: top, b: ball, law: {material: steel%s}}\n"
             "    - {name: groove, shape: sphere-groove, a: race, circle: 0.1, other: 20.6 mm, law: {material: steel%s}}\n"
             "step: 1e-7\nend: 1e-6\n", by[i], by[i], by[i]);
    filed f = filed_of(epi_file_read_text(text, strlen(text), "hertz.yaml"));
    epi_state s = epi_case_state(f.c);
    epi_action plane, touch, race;
    check_count(epi_world_action(f.c->world, &s, 0, &plane) | epi_world_action(f.c->world, &s, 1, &touch)
                | epi_world_action(f.c->world, &s, 2, &race), 0);
    check_rel(plane.load, 4./3*(modulus/2)*sqrt(r)*depth*sqrt(depth), 1e-9);
    check_rel(touch.load, 4./3*(modulus/2)*sqrt(r/2)*depth*sqrt(depth), 1e-9);
    epi_hertz h = epi_hertz_of(1/(1/r - 1/(0.1 + groove)), 1/(1/r - 1/groove), modulus, i < 2 ? EPI_ELLIPTIC : EPI_BREWE_HAMROCK);
    check_rel(race.load, h.K*race.depth*sqrt(race.depth), 1e-9);
    filed_free(f);
  }
}

/* ---- a ball of steel under 1000 N and its weight on a plane: it sinks by (F/K)^(2/3) = 12.977 um ---- */
static void pressed(void)
{
  static const char text[] =
    "end: 20 ms\n"
    "world:\n"
    "  gravity: 9.81\n"
    "  bodies: [{name: ball, ball: 20 mm, material: steel, at: [0, 0, 20 mm]}]\n"
    "  loads: [{name: p, body: ball, force: [0, 0, -1000]}]\n"
    "  contacts: [{name: floor, shape: sphere-plane, a: ball, law: {material: steel, chi: 20}}]\n";
  filed f = filed_of(epi_file_read_text(text, sizeof text - 1, "pressed.yaml"));
  epi_flow *flow = epi_file_flow(f.file, 0, f.c);
  epi_state s = epi_case_state(f.c);
  run(flow, &s, f.c->end, f.c->step);
  double weight = 1000 + 9.81*7800*4./3*PI*0.02*0.02*0.02, K = 4./3*(207e9/(2*(1 - 0.09)))*sqrt(0.02);
  check_abs(pow(weight/K, 2./3), 12.977e-6, 0.5e-9);
  check_abs(0.02 - s.y[2], pow(weight/K, 2./3), 1e-9);
  epi_free(flow);
  filed_free(f);
}

/* ---- the break: seven balls in the plane, by their own equations ---- */
enum { BALLS = 7, N = 2*BALLS };
static int push(epi_system *s, double t, const double *q, double *f)
{
  const double R = 0.03, m = 1700*4./3*PI*R*R*R, K = 4./3*(3e9/(2*(1 - 0.35*0.35)))*sqrt(R/2);
  (void)s, (void)t;
  memset(f, 0, N*sizeof *f);
  for (int i = 0; i < BALLS; i++)
    for (int j = i + 1; j < BALLS; j++) {
      double dx = q[2*i] - q[2*j], dy = q[2*i + 1] - q[2*j + 1], r = sqrt(dx*dx + dy*dy), depth = 2*R - r;
      if (!(depth > 0)) continue;
      double a = K*depth*sqrt(depth)/(r*m);
      f[2*i] += a*dx, f[2*i + 1] += a*dy, f[2*j] -= a*dx, f[2*j + 1] -= a*dy;
    }
  return 0;
}

static void the_break(void)
{
  filed f = filed_of(epi_file_read(TEST_SOURCE "/tests/cases/billiard.yaml"));
  epi_state s = epi_case_state(f.c);
  epi_system plane = {.nq = N, .force = push};
  double y[2*N];
  for (int i = 0; i < BALLS; i++)
    for (int k = 0; k < 2; k++) { y[2*i + k] = s.y[7*i + k]; y[N + 2*i + k] = s.y[7*BALLS + 6*i + k]; }
  epi_state own = {.y = y};
  epi_flow *flow = epi_case_flow(f.c, "tolerance(dop853, rtol=1e-11, atol=1e-13)"),
    *reference = epi_make("tolerance(dopri5, rtol=1e-12, atol=1e-14)", &plane);
  run(reference, &own, f.c->end, 1e-5);
  run(flow, &s, f.c->end, 2e-5);
  double most = 0;
  for (int i = 0; i < BALLS; i++) for (int k = 0; k < 2; k++) most = fmax(most, fabs(s.y[7*i + k] - y[2*i + k]));
  printf("the break: %.2g m beside its equations\n", most);
  check_below(most, 6e-9);
  epi_free(reference);
  epi_free(flow);
  filed_free(f);
}

int main(void)
{
  closed_form();
  of_files();
  pressed();
  the_break();
  return test_done();
}
