/* billiard.c - four balls in a box, all contacts linear springs; two set-ups in which every hit is head-on, or a start of the user's */
#include "model.h"

enum { SETUP, WALLS, K, R, START };
enum { CRADLE, RING, OWN };
enum { BALLS = 4, N = 2*BALLS, SIDES = 4*BALLS, PAIRS = BALLS*(BALLS - 1)/2, GAPS = SIDES + PAIRS };

static const char *const SETUPS[] = {"cradle", "ring", "own", NULL};
#define PLACE(NAME, VALUE, I) [START + (I)] = {.name = NAME, .unit = "m", .value = VALUE, .doc = "start, with setup=own"}
#define SPEED(NAME, VALUE, I) [START + N + (I)] = {.name = NAME, .unit = "m/s", .value = VALUE, .doc = "start, with setup=own"}
static const epi_param PARAMS[] = {
  [SETUP] = {.name = "setup", .unit = "", .value = CRADLE, .kind = EPI_WORD, .words = SETUPS,
             .doc = "cradle: in a row on the diagonal, periodic; ring: one in each corner, head-on up to t = 1; own: by x1 ... vy4"},
  [WALLS] = {.name = "walls", .unit = "", .value = 1, .kind = EPI_COUNT, .doc = "1: in the unit square; 0: none, momenta are kept"},
  [K] = {.name = "K", .unit = "N/m", .value = 1e4, .doc = "stiffness of every contact", .range = EPI_POSITIVE},
  [R] = {.name = "r", .unit = "m", .value = 0.1, .doc = "radius of the balls", .range = EPI_POSITIVE},
  PLACE("x1", 0.15, 0), PLACE("y1", 0.15, 1), PLACE("x2", 0.33, 2), PLACE("y2", 0.33, 3),
  PLACE("x3", 0.51, 4), PLACE("y3", 0.51, 5), PLACE("x4", 0.69, 6), PLACE("y4", 0.69, 7),
  SPEED("vx1", 1, 0), SPEED("vy1", 1, 1), SPEED("vx2", 0, 2), SPEED("vy2", 0, 3),
  SPEED("vx3", 0, 4), SPEED("vy3", 0, 5), SPEED("vx4", 0, 6), SPEED("vy4", 0, 7),
  {0}
};
static const char *const NAMES[] = {"x1", "y1", "x2", "y2", "x3", "y3", "x4", "y4",
                                    "vx1", "vy1", "vx2", "vy2", "vx3", "vy3", "vx4", "vy4"};
static const char *const UNITS[] = {"m", "m", "m", "m", "m", "m", "m", "m",
                                    "m/s", "m/s", "m/s", "m/s", "m/s", "m/s", "m/s", "m/s"};

typedef struct { const double *p; double stiffness[GAPS]; } table;

/* ---- contacts ---- */
/* ball i and j of pair c, the distance of their surfaces and the unit vector from j to i; too far where they coincide */
typedef struct { int i, j; double gap, nx, ny, apart; } pair;

static int pair_of(const double *q, double r, int i, int j, pair *o)
{
  double dx = q[2*i] - q[2*j], dy = q[2*i + 1] - q[2*j + 1], d = sqrt(dx*dx + dy*dy);
  if (d == 0) return EPI_TOO_FAR;
  *o = (pair){.i = i, .j = j, .gap = d - 2*r, .nx = dx/d, .ny = dy/d, .apart = d};
  return 0;
}

/* how deep a coordinate is in the walls 0 and 1, with the sign of the way out; 0 outside of both */
static double depth(const double *p, double x)
{
  if (p[WALLS] == 0) return 0;
  return x < p[R] ? p[R] - x : x > 1 - p[R] ? 1 - p[R] - x : 0;
}

static int force(epi_system *s, double t, const double *q, double *f)
{
  (void)t;
  const double *p = ((const table *)s->data)->p;
  pair c;
  for (int i = 0; i < N; i++) f[i] = p[K]*depth(p, q[i]);
  for (int i = 0; i < BALLS; i++) for (int j = i + 1; j < BALLS; j++) {
    if (pair_of(q, p[R], i, j, &c)) return EPI_TOO_FAR;
    if (!(c.gap < 0)) continue;
    double push = -p[K]*c.gap;
    f[2*i] += push*c.nx, f[2*i + 1] += push*c.ny;
    f[2*j] -= push*c.nx, f[2*j + 1] -= push*c.ny;
  }
  return 0;
}

static double potential(epi_system *s, double t, const double *q)
{
  (void)t;
  const double *p = ((const table *)s->data)->p;
  double V = 0;
  pair c;
  for (int i = 0; i < N; i++) V += p[K]*depth(p, q[i])*depth(p, q[i])/2;
  for (int i = 0; i < BALLS; i++) for (int j = i + 1; j < BALLS; j++)
    if (pair_of(q, p[R], i, j, &c)) V += 2*p[K]*p[R]*p[R];
    else if (c.gap < 0) V += p[K]*c.gap*c.gap/2;
  return V;
}

/* a pair adds -S to the blocks of its balls and +S between them, S = K (n n' + (gap/apart) (1 - n n')) */
static int slope(epi_system *s, double t, const double *y, double a, double b, double *A)
{
  (void)t, (void)b;
  const double *p = ((const table *)s->data)->p;
  pair c;
  for (int i = 0; i < N; i++) if (depth(p, y[i]) != 0) A[i*N + i] = -a*p[K];
  for (int i = 0; i < BALLS; i++) for (int j = i + 1; j < BALLS; j++) {
    if (pair_of(y, p[R], i, j, &c)) return EPI_TOO_FAR;
    if (!(c.gap < 0)) continue;
    double n[2] = {c.nx, c.ny};
    for (int u = 0; u < 2; u++) for (int w = 0; w < 2; w++) {
      double S = a*p[K]*(n[u]*n[w] + c.gap/c.apart*((u == w) - n[u]*n[w]));
      A[(2*i + u)*N + 2*i + w] -= S;
      A[(2*j + u)*N + 2*j + w] -= S;
      A[(2*i + u)*N + 2*j + w] += S;
      A[(2*j + u)*N + 2*i + w] += S;
    }
  }
  return 0;
}

/* x, 1 - x, y, 1 - y less r of each ball, where there are walls; then the pairs */
static int gap(epi_system *s, double t, const double *q, double *g, double *G)
{
  (void)t;
  const double *p = ((const table *)s->data)->p;
  pair c;
  memset(G, 0, (size_t)s->contacts.ng*N*sizeof *G);
  for (int i = 0; i < N && p[WALLS] != 0; i++, g += 2, G += 2*N) {
    g[0] = q[i] - p[R];
    g[1] = 1 - p[R] - q[i];
    G[i] = 1;
    G[N + i] = -1;
  }
  for (int i = 0; i < BALLS; i++) for (int j = i + 1; j < BALLS; j++, g++, G += N) {
    if (pair_of(q, p[R], i, j, &c)) return EPI_TOO_FAR;
    g[0] = c.gap;
    G[2*i] = c.nx, G[2*i + 1] = c.ny;
    G[2*j] = -c.nx, G[2*j + 1] = -c.ny;
  }
  return 0;
}

/* ---- the two set-ups: one ball moves at a time, at speed 1 in x and in y, and hands its velocity on in head-on hits ---- */
static const double SQRT2 = 1.41421356237309504880;

/* how long a hit of two balls and one of a wall lasts, and how far apart in x two balls on a diagonal are when they touch */
typedef struct { double hit, wall, touch; } measures;
static measures measures_of(const double *p)
{
  return (measures){.hit = EPI_PI/sqrt(2*p[K]), .wall = EPI_PI/sqrt(p[K]), .touch = SQRT2*p[R]};
}

/* the start, with room for a free flight between two hits: from ball to ball in the cradle, from ball to wall in the ring */
static int place(epi_case *c, double *q)
{
  static const double row[BALLS] = {0.15, 0.33, 0.51, 0.69};
  static const int corner[N] = {1, -1, 1, 1, -1, 1, -1, -1};
  const double *p = c->p;
  measures d = measures_of(p);
  /* half the side of the ring: from the wall, a ball on its way at 45 degrees meets the next one head-on */
  double half = (1 - 2*p[R] + d.wall)/4, room = p[SETUP] == CRADLE ? row[1] - row[0] - d.touch : 0.5 - half - p[R];
  if (room < d.hit/2 || (p[SETUP] == RING && room < d.touch))
    return epi_case_refuse(c, "r = %g and K = %g leave the balls no room between their hits: take a smaller r or a larger K", p[R], p[K]);
  for (int i = 0; i < N; i++) q[i] = p[SETUP] == CRADLE ? row[i/2] : 0.5 + corner[i]*half;
  q[N] = q[N + 1] = 1;
  return 0;
}

/* a start of the user's: in the box, no ball in the middle of another */
static int place_own(epi_case *c, double *q)
{
  const double *p = c->p;
  memcpy(q, p + START, 2*N*sizeof *q);
  for (int i = 0; i < N && p[WALLS] != 0; i++)
    if (!(q[i] >= 0 && q[i] <= 1))
      return epi_case_refuse(c, "%s = %g is outside of the unit square: take 0 to 1, or walls=0", PARAMS[START + i].name, q[i]);
  for (int i = 0; i < BALLS; i++) for (int j = i + 1; j < BALLS; j++)
    if (!(hypot(q[2*i] - q[2*j], q[2*i + 1] - q[2*j + 1]) > p[R]))
      return epi_case_refuse(c, "balls %d and %d of r = %g are in one another: take their centres apart, by 2 r and more", i + 1, j + 1,
                             p[R]);
  return 0;
}

/* numbers that would have no effect are a mistake */
static int idle_start(epi_case *c)
{
  for (int i = START; PARAMS[i].name && c->p[SETUP] != OWN; i++)
    if (c->p[i] != PARAMS[i].value)
      return epi_case_refuse(c, "%s = %g is for a start of your own: add setup=own, or take it away", PARAMS[i].name, c->p[i]);
  return 0;
}

/* what a ball meets first and when: walls in x (1), in y (2) or both, or a ball, head-on or not; in = infinity: nothing */
typedef struct { double in; int walls, ball, oblique; } meeting;

static void meet_walls(const double *p, const double *q, const double *v, meeting *m)
{
  for (int k = 0; k < 2; k++) {
    double in = v[k] > 0 ? 1 - p[R] - q[k] : q[k] - p[R];
    if (fabs(in - m->in) < 1e-9) m->walls |= 1 << k;
    else if (in < m->in) *m = (meeting){.in = in, .walls = 1 << k};
  }
}

static meeting meeting_of(const double *p, const double *y, int i)
{
  const double *q = y + 2*i, *v = y + N + 2*i;
  meeting m = {.in = INFINITY};
  if (p[WALLS] != 0) meet_walls(p, q, v, &m);
  for (int j = 0; j < BALLS; j++) {
    double dx = y[2*j] - q[0], dy = y[2*j + 1] - q[1], along = (dx*v[0] + dy*v[1])/2, aside = (dx*v[1] - dy*v[0])/2;
    double near2 = 2*p[R]*p[R] - aside*aside;
    if (j == i || along <= 0 || near2 <= 0 || along - sqrt(near2) >= m.in) continue;
    m = (meeting){.in = along - sqrt(near2), .ball = j, .oblique = fabs(aside) > 1e-9};
  }
  return m;
}

static void coast(double *y, int i, double t)
{
  for (int k = 2*i; k < 2*i + 2; k++) y[k] += t*y[N + k];
}

/* half a sine in the walls met, straight on along the others */
static void press_walls(const double *p, double *y, int i, meeting m, double t)
{
  double w = sqrt(p[K]);
  for (int k = 0; k < 2; k++) {
    double *q = y + 2*i + k, *v = q + N;
    *q += *v*(m.walls >> k & 1 ? sin(w*t)/w : t);
    if (m.walls >> k & 1) *v *= cos(w*t);
  }
}

/* the middle of the two goes on at half the speed, their distance takes half a sine */
static void press_ball(const double *p, double *y, int i, meeting m, double t)
{
  double w = sqrt(2*p[K]), press = sin(w*t)/w, left = (1 + cos(w*t))/2;
  for (int k = 0; k < 2; k++) {
    double *a = y + 2*i + k, *b = y + 2*m.ball + k, v = a[N];
    *a += v*(t + press)/2;
    *b += v*(t - press)/2;
    a[N] = v*left;
    b[N] = v*(1 - left);
  }
}

/* for all times in the cradle; in the ring up to the first hit that is not head-on */
static int exact(const epi_case *c, double t, double *y)
{
  const double *p = c->p;
  measures d = measures_of(p);
  double round = 2*(1 - 2*p[R] - 3*d.touch) + 3*d.hit + 2*d.wall;
  memcpy(y, c->y, 2*N*sizeof *y);
  if (p[SETUP] == CRADLE && p[WALLS] != 0) t = fmod(fmod(t, round) + round, round);
  if (t < 0 || p[SETUP] == OWN) return EPI_TOO_FAR;
  for (int i = 0;;) {
    meeting m = meeting_of(p, y, i);
    double stay = m.walls ? d.wall : d.hit;
    coast(y, i, fmin(t, m.in));
    if (t <= m.in) return 0;
    t -= m.in;
    if (m.oblique) return EPI_TOO_FAR;
    (m.walls ? press_walls : press_ball)(p, y, i, m, fmin(t, stay));
    if (t <= stay) return 0;
    t -= stay;
    if (!m.walls) i = m.ball;
  }
}

static int make(epi_case *c)
{
  const double *p = c->p;
  if (idle_start(c)) return -1;
  if (p[WALLS] != 0 && p[WALLS] != 1) return epi_case_refuse(c, "walls = %g: take 1 for a box, 0 for none", p[WALLS]);
  table *d = epi_case_room(c, 1, sizeof *d);
  if (!d) return -1;
  d->p = p;
  for (int i = 0; i < GAPS; i++) d->stiffness[i] = p[K];
  c->system = (epi_system){.nq = N, .force = force, .jacobian.slope = slope,
                           .energies = {.kinetic = epi_kinetic_plain, .potential = potential}, .energy = epi_energy_plain,
                           .contacts = {.ng = p[WALLS] != 0 ? GAPS : PAIRS, .gap = gap, .stiffness = d->stiffness}, .names = NAMES,
                           .units = UNITS, .data = d};
  if (epi_case_start(c) || (p[SETUP] == OWN ? place_own : place)(c, c->y)) return -1;
  /* some 440 in a hit of two: where contacts begin the force has a kink, and a higher order would not show */
  c->step = 0.005/sqrt(p[K]);
  c->end = p[SETUP] == CRADLE && p[WALLS] != 0 ? 2 : 1;
  return 0;
}

/* ---- what is looked at ---- */
static double sum(const epi_state *s, int axis)
{
  double P = 0;
  for (int i = 0; i < BALLS; i++) P += s->y[N + 2*i + axis];
  return P;
}

static double momentum_x(const epi_case *c, const epi_state *s) { (void)c; return sum(s, 0); }
static double momentum_y(const epi_case *c, const epi_state *s) { (void)c; return sum(s, 1); }

static double spin(const epi_case *c, const epi_state *s)
{
  const double *q = s->y, *v = q + N;
  double L = 0;
  (void)c;
  for (int i = 0; i < N; i += 2) L += q[i]*v[i + 1] - q[i + 1]*v[i];
  return L;
}

/* at rest in the exact motion whenever the fourth ball moves */
static double speed(const epi_case *c, const epi_state *s)
{
  const double *v = s->y + N;
  double x = 0;
  (void)c;
  for (int i = 0; i < BALLS - 1; i++) x += hypot(v[2*i], v[2*i + 1]);
  return x;
}

/* the box stands upright, open to the front */
static void draw(const epi_case *c, const epi_state *s, epi_scene *to)
{
  static const char *const balls[BALLS] = {"ball 1", "ball 2", "ball 3", "ball 4"},
    *const sides[] = {"left wall", "right wall", "lower wall", "upper wall"};
  static const int looks[BALLS] = {EPI_BRIGHT, EPI_BRASS, EPI_STEEL, EPI_DARK};
  double r = c->p[R], thick = 0.04, deep = 2*r;
  for (int i = 0; i < 4 && c->p[WALLS] != 0; i++) {
    double away = i%2 ? 1 + thick/2 : -thick/2, along = 1 + 2*thick;
    epi_show(to, &(epi_shape){.name = sides[i], .kind = EPI_BOX, .size = {i < 2 ? thick : along, deep, i < 2 ? along : thick},
                              .at = {i < 2 ? away : 0.5, 0, i < 2 ? 0.5 : away}});
  }
  for (int i = 0; i < BALLS; i++)
    epi_show(to, &(epi_shape){.name = balls[i], .kind = EPI_BALL, .appearance = looks[i], .size = {r},
                              .at = {s->y[2*i], 0, s->y[2*i + 1]}});
}

static const epi_observable OBSERVABLES[] = {
  {.name = "energy", .unit = "J", .value = epi_case_energy, .invariant = 1},
  {.name = "Px", .unit = "kg m/s", .value = momentum_x},
  {.name = "Py", .unit = "kg m/s", .value = momentum_y},
  {.name = "L", .unit = "kg m^2/s", .value = spin},
  {.name = "speed", .unit = "m/s", .value = speed},
  {0}
};

const epi_model epi_BILLIARD = {
  .name = "billiard",
  .doc = "four balls in a box, linear contacts with their gaps, head-on hits; exact, speed of balls 1-3 zero while 4 moves",
  .cite = "Modin, Adaptive Geometric Numerical Integration of Mechanical Systems (2009), Paper II, 3.3",
  .params = PARAMS, .make = make, .draw = draw, .observables = OBSERVABLES, .exact = exact,
  .flow = "verlet", .step = 5e-5, .end = 2
};
