/* holds: features that two solutions can both miss are found or refused: pushes at rest, brief stops, amplitude jumps
 * choose-hidden.c - what two solutions may go over alike: a push that moves what is at rest, a stop that is touched for a moment of a turn,
 * an amplitude that jumps; and what no steps are short enough for. Each was found as a wrong number without a word, or as one that came
 * after minutes or not at all */
#include "requests.h"

#define PI 3.14159265358979323846
enum { ROWS = 50 };

static double bump(double x) { return x > 0 && x < 1 ? sin(PI*x)*sin(PI*x) : 0; }

/* a light mass on a stiff spring, damped: 3 % of the run it is pushed. cvode steps over that */
static int pushed(epi_system *s, double t, const double *q, double *f)
{
  (void)s;
  f[0] = -10*q[0] - 1e5*(q[0] - q[1]);
  f[1] = (-1e5*(q[1] - q[0]) + bump((t - 4)/0.3))/0.01;
  return 0;
}
static int dragged(epi_system *s, double t, const double *q, const double *v, double *f)
{
  (void)s, (void)t, (void)q;
  f[0] -= v[0];
  return 0;
}

/* a mass that is shaken against a stop which does not pull. It touches that first in a twentieth of a turn, between the points at which
   forces are asked for */
static int shaken(epi_system *s, double t, double theta, const double *q, double *f)
{
  (void)s, (void)t;
  f[0] = -1.6295808014989133*q[0] + 1.7100912718085173*1938.5476832124266*cos(theta)*cos(q[0]) + 0.6139588340593641*(q[1] - q[0]);
  f[1] = -2*q[1] + 0.6139588340593641*(q[0] - q[1]);
  return 0;
}
static int stopped(epi_system *s, double t, const double *q, const double *v, double *f)
{
  const double deep = q[0] - 0.23293142191516036, push = 16428.626300139687*deep + 2.6747901093454858*v[0];
  (void)s, (void)t;
  if (deep > 0 && push > 0) f[0] -= push;
  return 0;
}

/* the amplitude jumps in a turn at which the phase is asked for again */
static int jumps(epi_system *s, double t, double theta, const double *q, double *f)
{
  const double part = t < 1.7675662960122238 ? 1 : t < 3.0333561317592297 ? 0.31430442510281864 : 0.3;
  (void)s;
  f[0] = (1.7120374175537074 + 1.610185797030063*16682.954599219614*cos(theta)*part)*sin(q[0]);
  return 0;
}

/* a shaken pendulum that stands upright between soft stops. The first touches one where it turns back, for 2 % of the run and at no end
   of a step: off by 52 tolerances. In the second all errors grow to 9, those of two solutions alike by chance. The third meets the stops
   again and again, where errors do not fall with the tolerance: 4.7 */
typedef struct { double gravity, pace, rate, stop; } upright_data;
static const upright_data touching = {2.1174397502328111, 2.7976761512777353, 2991.0205986803971, 0.30883531701254707},
                          growing = {4.3352774555823146, 5.2513600512339087, 1230.5965628136555, 1.6168167577833747},
                          meeting = {1.7567705989035076, 1.4868985714224934, 2465.3178614082126, 1.3160282478548055};
static int upright(epi_system *s, double t, double theta, const double *q, double *f)
{
  const upright_data *d = s->data;
  (void)t;
  f[0] = (d->gravity + d->pace*d->rate*cos(theta))*sin(q[0]) - 20*fmax(0, fabs(q[0]) - d->stop)*(q[0] > 0 ? 1 : -1);
  return 0;
}

/* dry friction on a spring: it sticks */
static int pulled(epi_system *s, double t, const double *q, double *f)
{
  (void)s, (void)t;
  f[0] = -94.767*q[0];
  return 0;
}
static int rubbed(epi_system *s, double t, const double *q, const double *v, double *f)
{
  (void)s, (void)t, (void)q;
  f[0] -= 1.3394*((v[0] > 0) - (v[0] < 0));
  return 0;
}

/* three masses that fall towards each other: near rounding two solutions of a low order have the same steps, and the same error */
static int three(epi_system *s, double t, const double *q, double *f)
{
  static const double mass[] = {3, 4, 5};
  (void)s, (void)t;
  memset(f, 0, 6*sizeof *f);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const double x = q[2*j] - q[2*i], y = q[2*j+1] - q[2*i+1], d = sqrt(x*x + y*y);
      if (j != i) { f[2*i] += mass[j]*x/(d*d*d); f[2*i+1] += mass[j]*y/(d*d*d); }
    }
  return 0;
}

int main(void)
{
  static const request all[] = {
    {NULL, {.nq = 2, .force = pushed, .velocity_force = dragged}, {0}, 10, 1e-3, ROWS,
     "tolerance(dop853, rtol=1e-9, atol=1e-13, longest=0.01)", "longest="},
    {NULL, {.nq = 2, .force = pushed, .velocity_force = dragged}, {0}, 10, 1e-6, ROWS,
     "tolerance(dop853, rtol=1e-11, atol=1e-14, longest=0.01)", "longest="},
    {NULL, {.nq = 2, .phase = {.forced = shaken, .phase_rate = 1938.5476832124266}, .velocity_force = stopped},
     {-0.7952089458440557, -0.1068136944860032, 0, -0.7164097414810877}, 15.902805936154515, 1.21e-6, ROWS,
     "tolerance(dop853, rtol=1e-11, atol=1e-13, longest=3e-4)", "revolve"},
    {NULL, {.nq = 1, .phase = {.forced = jumps, .phase_rate = 16682.954599219614}}, {-0.16156216965933368}, 5.994142069095947, 3.57e-7,
     ROWS,
     "tolerance(dop853, rtol=1e-11, atol=1e-13, longest=3e-5)", "revolve"},
    {NULL, {.nq = 1, .phase = {.forced = upright, .phase_rate = 2991.0205986803971}, .data = (void *)&touching},
     {0.26928331204638273, -0.19523663547526615}, 3.6063055031190649, 1.4568424782013731e-4, ROWS,
     "tolerance(dop853, rtol=1e-12, atol=1e-13)", "revolve"},
    {NULL, {.nq = 1, .phase = {.forced = upright, .phase_rate = 1230.5965628136555}, .data = (void *)&growing},
     {0.97127562196207395, -0.91300186102410885}, 5.0771807861066378, 2.8161996159831821e-4, ROWS,
     "tolerance(dop853, rtol=1e-12, atol=1e-13)", "revolve"},
    {NULL, {.nq = 1, .phase = {.forced = upright, .phase_rate = 2465.3178614082126}, .data = (void *)&meeting},
     {0.93216423117450753, -0.40895675853015478}, 4.855723502656371, 1.1430675501753304e-4, ROWS,
     "tolerance(dop853, rtol=1e-12, atol=1e-13)", "revolve"},
    {NULL, {.nq = 1, .force = pulled, .velocity_force = rubbed}, {-0.038}, 7.9, 8e-5, ROWS,
     NULL, "as dry friction does where a body sticks"},
    {NULL, {.nq = 6, .force = three}, {1, 3, -2, -1, 1, -1}, 43.117879581991446, 2.53e-6, ROWS, NULL, "cannot be had"},
  };
  for (size_t i = 0; i < sizeof all/sizeof *all; i++) solve(&all[i]);
  return test_done();
}
