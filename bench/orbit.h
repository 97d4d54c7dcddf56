/* orbit.h - a body on a Kepler ellipse of eccentricity 0.8, a thousand times round from perihelion: what a code is, so that all are run,
 * timed and judged by the same lines */
#ifndef EPI_BENCH_ORBIT_H
#define EPI_BENCH_ORBIT_H
#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ORBIT_YEAR 6.28318530717958647693
#define ORBIT_END (1000*ORBIT_YEAR)

/* settings go from first to last by a factor: a tolerance, or steps a period */
typedef struct orbit_code {
  const char *name;
  double first, last, factor;
  /* from t = 0 to the end, or to the first step after it; `calls` are the evaluations of the force, or NULL. 0 on success; no run: not
     installed */
  int (*run)(double setting, double *t, double *y, long *calls);
} orbit_code;
extern const orbit_code orbit_scaled, orbit_tenth, orbit_density, orbit_symmetric, orbit_by_hand, orbit_by_call;
extern const orbit_code orbit_rk8pd, orbit_fehlberg78, orbit_bulirsch_stoer, orbit_adams, orbit_bdf;

enum { ORBIT_SETTINGS = 32 };
typedef struct { double setting, seconds, phase, energy; long calls; } orbit_point;
typedef struct { const orbit_code *code; int n; orbit_point at[ORBIT_SETTINGS]; } orbit_scan;

/* phase against time, ours with the peers and ours alone; scans in the order of orbit.c. 0 on success */
enum { ORBIT_SCALED, ORBIT_TENTH, ORBIT_DENSITY, ORBIT_SYMMETRIC, ORBIT_BY_HAND, ORBIT_BY_CALL, ORBIT_PEERS,
    ORBIT_CODES = ORBIT_PEERS + 5 };
int orbit_picture(const char *file, const orbit_scan *);

/* y' = ( v, -q/r^3 ), as a user of a code for first-order equations writes it */
static inline void orbit_rate(const double *y, double *dy)
{
  double r2 = y[0]*y[0] + y[1]*y[1], x = -1/(r2*sqrt(r2));
  dy[0] = y[2];
  dy[1] = y[3];
  dy[2] = x*y[0];
  dy[3] = x*y[1];
}

#ifdef __cplusplus
}
#endif
#endif
