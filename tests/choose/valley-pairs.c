/* holds: systems with two stiff directions near resonance get their slow part as often as stated, within the tolerance
 * valley-pairs.c - stiff valleys with two stiff directions, whose frequencies change along them and pass resonances or come near to some:
 * how often the slow part is taken, and its errors
 * label: soak
 * timeout: 3600 */
#include "stiffs.h"

enum { SIZE = 4 };
/* floors q0 = a sin(b q2) and q1 = c sin(d q2 + 1/2) + q0 q2/5, rates w */
static struct { int n; double w[2], a, b, c, d, soft[SIZE], couple, y[2*SIZE]; } pair;

static int force(epi_system *m, double t, const double *q, double *f)
{
  int n = pair.n;
  double g = q[0] - pair.a*sin(pair.b*q[2]), h = q[1] - pair.c*sin(pair.d*q[2] + 0.5) - 0.2*q[0]*q[2];
  double one = pair.w[0]*pair.w[0], two = pair.w[1]*pair.w[1], down = one*(1 + 0.2*sin(q[2]))*g;
  double across = two*(1 + 0.15*cos(q[n-1]))*h;
  (void)m; (void)t;
  memset(f, 0, (size_t)n*sizeof *f);
  f[0] = -down + 0.2*q[2]*across;
  f[1] = -across;
  f[2] = down*pair.a*pair.b*cos(pair.b*q[2]) + across*(pair.c*pair.d*cos(pair.d*q[2] + 0.5) + 0.2*q[0]) - 0.1*one*g*g*cos(q[2]);
  f[n-1] += 0.075*two*h*h*sin(q[n-1]);
  for (int i = 0; i < n; i++)
    f[i] += pair.couple*(sin(q[i] - q[(i + 1) % n]) - sin(q[(i + n - 1) % n] - q[i])) - pair.soft[i]*q[i];
  return 0;
}

static int make(epi_case *c)
{
  c->system = (epi_system){.nq = pair.n, .force = force, .traits.smooth = 1};
  if (epi_case_start(c)) return -1;
  memcpy(c->y, pair.y, 2*(size_t)pair.n*sizeof *c->y);
  return 0;
}
static const epi_param params[] = {{0}};
static const epi_model pairs = {.name = "pairs", .doc = "", .params = params, .make = make, .flow = "verlet", .step = 1e-4, .end = 8};

static double draw(unsigned long long *r)
{
  int n = pair.n = 3 + (int)random_of(r, 0, 2);
  double *y = pair.y, *v = y + n, energy = pow(10, random_of(r, -2.5, 0.3));
  pair.w[0] = 1500*pow(8, random_of(r, 0, 1));
  pair.w[1] = pair.w[0]*pow(3, random_of(r, -1, 1));
  pair.a = random_of(r, -0.6, 0.6), pair.b = random_of(r, 0.5, 1.8), pair.c = random_of(r, -0.5, 0.5), pair.d = random_of(r, 0.5, 1.5);
  pair.couple = random_of(r, -0.4, 0.4);
  for (int i = 0; i < SIZE; i++) pair.soft[i] = random_of(r, 0.2, 2);
  for (int i = 0; i < 2*n; i++) y[i] = random_of(r, -1, 1);
  y[0] = pair.a*sin(pair.b*y[2]) + random_of(r, -1, 1)*energy/pair.w[0];
  y[1] = pair.c*sin(pair.d*y[2] + 0.5) + 0.2*y[0]*y[2] + random_of(r, -1, 1)*energy/pair.w[1];
  v[0] = pair.a*pair.b*cos(pair.b*y[2])*v[2] + random_of(r, -1, 1)*energy;
  v[1] = (pair.c*pair.d*cos(pair.d*y[2] + 0.5) + 0.2*y[0])*v[2] + 0.2*y[2]*v[0] + random_of(r, -1, 1)*energy;
  return energy;
}

/* steps are of the faster, the filter is as long as eight periods of the slower */
static int slow_rows(epi_case *c, double end, truth *out)
{
  double top = fmax(pair.w[0], pair.w[1]), low = fmin(pair.w[0], pair.w[1]);
  return filtered_rows(c, end, 2*PI/(2*top)/16, (int)(8*16*2*top/(0.7*low)), out);
}

int main(int argc, char **argv)
{
  int draws = argc > 1 ? atoi(argv[1]) : 60, slow = 0, beyond = 0;
  unsigned long long seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 2026;
  double worst = 0;
  for (int k = 0; k < draws; k++) {
    double energy = draw(&seed);
    for (int j = 0; j < 2; j++) {
      epi_case *c = epi_case_of(&pairs, "");
      epi_chosen a = {.tol = j ? 1e-3 : 1e-2, .end = 8, .motion = EPI_SLOW};
      truth t;
      if (!check_count(epi_choose(c, &a), 0)) printf("  %s\n", a.error);
      if (a.slow_part && check_count(slow_rows(c, 8, &t), 0)) {
        double e = off_by(c, a.flow, 8, &t)/a.tol;
        printf("%3d n %d w %5.0f %5.0f energy %.2g to %g: %.2f of it off, said %.2f; %ld to find out\n", k, pair.n, pair.w[0], pair.w[1],
               energy, a.tol, e, a.found/a.tol, a.spent);
        fflush(stdout);
        slow++;
        beyond += e > a.found/a.tol;
        worst = !(e <= worst) ? e : worst;
      }
      epi_case_free(c);
    }
  }
  printf("%d of %d slow, %d beyond what is said, worst %.2f\n", slow, 2*draws, beyond, worst);
  check_above(slow, 0.7*2*draws);
  check_below(beyond, 0.05*slow + 1);
  check_below(worst, 3);
  return test_done();
}
