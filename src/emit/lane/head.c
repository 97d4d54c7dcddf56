/* what every emitted program begins with: a state, its clock, and what is kept of it. C and C++ */
#define LANE_TURN 6.28318530717958647692
#define LANE_JOIN_(a, b) a##b
#define LANE_JOIN(a, b) LANE_JOIN_(a, b)
#define NODE(name) LANE_JOIN(name, LANE_NODE)
#define KID(name) LANE_JOIN(name, LANE_KID)
#define SYSTEM(name) LANE_JOIN(name, LANE_SYSTEM)
enum { LANE_TOO_FAR = 1, LANE_WRONG = -1, LANE_EVENT = -2 };

typedef struct { double t, rest, theta; } lane_tick;
typedef struct {
  double t, rest, theta;
  lane_tick land;
  int landing;
  long id, kicks;                      /* id: of the last move; 0: no cached force is of this state */
  const double *tap;
  double *sum;
  double y[LANE_DIM];
} lane_state;

/* of a whole program: the forces that were cached, and for which state; what steps keep of their past */
typedef struct {
  long moves, at[LANE_NODES], kicks[LANE_NODES];
  double a[LANE_NODES][LANE_DIM];
  double keep[LANE_NODES][7];
  double *err;                         /* who chooses steps wants the error here, twice the size where there are two estimates */
} lane_memory;

static inline double lane_wrap(double theta)
{
  return theta > LANE_TURN || theta < -LANE_TURN ? remainder(theta, LANE_TURN) : theta;
}
static inline double lane_phase(const epi_system *m, int forced, double theta, double h)
{
  return forced ? lane_wrap(theta + m->phase.phase_rate*h) : theta;
}
static inline lane_tick lane_target(const epi_system *m, int forced, lane_state *s, double h)
{
  double dt = h + s->rest, t = s->t + dt;
  lane_tick end = {t, dt - (t - s->t), 0};
  if (!s->landing) { end.theta = lane_phase(m, forced, s->theta, h); return end; }
  s->landing = 0;
  return s->land;
}
static inline void lane_land(lane_state *s, lane_tick end) { s->landing = 1; s->land = end; }
static inline void lane_clock(lane_state *s, lane_tick end) { s->t = end.t; s->rest = end.rest; s->theta = end.theta; }
static inline int lane_known(const lane_memory *k, int node, const lane_state *s) { return s->id && k->at[node] == s->id; }
static inline void lane_moved(lane_memory *k, lane_state *s) { s->id = ++k->moves; }
static inline void lane_store(lane_memory *k, int node, const lane_state *s) { k->at[node] = s->id; k->kicks[node] = s->kicks; }
static inline double lane_larger(double a, double b) { return a >= b ? a : a != a ? a : b; }
static inline double lane_most(const double *y)
{
  double x = 0;
  for (int i = 0; i < LANE_DIM; i++) x = lane_larger(x, fabs(y[i]));
  return x;
}
