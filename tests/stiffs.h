/* stiffs.h - what the tests of the choice for stiff systems share: the true solution at some times, all of it or its slow part */
#ifndef STIFFS_H
#define STIFFS_H
#include "averages.h"

enum { STIFF_ROWS = 8, STIFF_SIZE = 16, STIFF_BETWEEN = 16 };
typedef struct { int n; double y[STIFF_ROWS][STIFF_SIZE], most[STIFF_SIZE]; } truth;       /* most: of each coordinate, over the run */

/* slow: the direct run is filtered over eight periods of 2 pi/rate to either side */
static inline int true_rows(epi_case *c, double end, int slow, double rate, truth *out)
{
  epi_flow *f = epi_case_flow(c, slow ? "symmetric(verlet, order=8)" : "tolerance(dop853, rtol=2e-14, atol=1e-15)");
  epi_flow *filter = epi_case_flow(c, "symmetric(verlet, order=8)");
  epi_state s = epi_case_state(c);
  double h = 2*PI/rate/16;
  int bad = 0;
  out->n = epi_size(&c->system);
  memset(out->most, 0, sizeof out->most);
  for (int k = 0; k < STIFF_ROWS && !bad; k++) {
    /* rows alone may be in the rhythm of an oscillation, and see little of it */
    for (int j = 1; j <= (slow ? 1 : STIFF_BETWEEN) && !bad; j++) {
      bad = epi_run(f, &s, end*(k + (slow ? 1 : (double)j/STIFF_BETWEEN))/STIFF_ROWS, slow ? h : end/STIFF_ROWS);
      for (int i = 0; i < out->n; i++) out->most[i] = fmax(out->most[i], fabs(s.y[i]));
    }
    if (slow && !bad) bad = filtered(filter, s, out->n, 8*16, h, out->y[k]);
    else memcpy(out->y[k], s.y, (size_t)out->n*sizeof *s.y);
  }
  if (bad) printf("  no true solution: %s\n", epi_error(f));
  epi_free(f);
  epi_free(filter);
  return bad;
}

/* the slow part where fast rates differ: steps of h, filtered over m of them to either side */
static inline int filtered_rows(epi_case *c, double end, double h, int m, truth *out)
{
  epi_flow *f = epi_case_flow(c, "symmetric(verlet, order=8)"), *filter = epi_case_flow(c, "symmetric(verlet, order=8)");
  epi_state s = epi_case_state(c);
  int bad = 0;
  out->n = epi_size(&c->system);
  memset(out->most, 0, sizeof out->most);
  for (int k = 0; k < STIFF_ROWS && !bad; k++) {
    bad = epi_run(f, &s, end*(k + 1)/STIFF_ROWS, h) || filtered(filter, s, out->n, m, h, out->y[k]);
    for (int i = 0; i < out->n; i++) out->most[i] = fmax(out->most[i], fabs(out->y[k][i]));
  }
  epi_free(f);
  epi_free(filter);
  return bad;
}

/* each coordinate, and no less than a thousandth of the largest */
static inline void sizes_of(const truth *t, double *size)
{
  int n = t->n;
  for (int i = 0; i < n; i++) size[i] = t->most[i];
  for (int g = 0; g < 2; g++) {
    double largest = 0;
    for (int i = g*n/2; i < (g + 1)*n/2; i++) largest = fmax(largest, size[i]);
    for (int i = g*n/2; i < (g + 1)*n/2; i++) size[i] = fmax(size[i], 1e-3*largest);
  }
}

/* relative to these sizes */
static inline double off_by(epi_case *c, const char *flow, double end, const truth *t)
{
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  double size[STIFF_SIZE], most = 0;
  int n = t->n, bad = 0;
  sizes_of(t, size);
  for (int k = 0; k < STIFF_ROWS && !bad; k++) {
    bad = epi_run(f, &s, end*(k + 1)/STIFF_ROWS, end/STIFF_ROWS);
    for (int i = 0; i < n; i++) most = fmax(most, fabs(s.y[i] - t->y[k][i])/size[i]);
  }
  if (bad) printf("  %s: %s\n", flow, epi_error(f));
  epi_free(f);
  return bad ? NAN : most;
}

/* the same of the run that is made: its rows cut no steps */
typedef struct { const truth *t; const double *size; double most; int rows; } row_error;
static inline void see_row(void *data, const epi_result *r)
{
  row_error *a = data;
  if (!a->rows++ || a->rows > STIFF_ROWS + 1) return;
  for (int i = 0; i < a->t->n; i++) {
    double e = fabs(r->row[1 + i] - a->t->y[a->rows - 2][i])/a->size[i];
    a->most = !(e <= a->most) ? e : a->most;
  }
}

static inline double rows_off_by(epi_case *c, const char *flow, double end, const truth *t)
{
  double size[STIFF_SIZE], times[STIFF_ROWS];
  row_error a = {.t = t, .size = size};
  sizes_of(t, size);
  for (int k = 0; k < STIFF_ROWS; k++) times[k] = c->t + end*(k + 1)/STIFF_ROWS;
  epi_result *r = epi_result_make(c, flow, &(epi_run_options){.step = end, .end = c->t + end, .times = times, .ntimes = STIFF_ROWS - 1,
                                                              .force = 1, .row = see_row, .data = &a});
  int bad = epi_result_run(r);
  if (bad) printf("  %s: %s\n", flow, r->error);
  epi_result_free(r);
  return bad || a.rows != STIFF_ROWS + 1 ? NAN : a.most;
}

/* positions alone, at the worst of some times */
static inline double positions_off(epi_case *c, const char *flow, double end, const truth *t)
{
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  double most = 0;
  for (int k = 0; k < STIFF_ROWS; k++) {
    if (epi_run(f, &s, end*(k + 1)/STIFF_ROWS, end/STIFF_ROWS)) most = NAN;
    for (int i = 0; i < t->n/2; i++) most = !(fabs(s.y[i] - t->y[k][i]) <= most) ? fabs(s.y[i] - t->y[k][i]) : most;
  }
  epi_free(f);
  return most;
}

static inline double random_of(unsigned long long *state, double low, double high)
{
  *state = *state*6364136223846793005ULL + 1442695040888963407ULL;
  return low + (high - low)*(double)(*state >> 11)/9007199254740992.0;
}

/* two springs, one of them hard, from anywhere: the hard one stretched by up to `far`/w, the soft one by up to 0.3, speeds up to 0.7 */
static inline double random_springs(unsigned long long *r, double from, double to, double far, char *model, size_t size)
{
  double w = from*pow(to/from, random_of(r, 0, 1)), a = random_of(r, -PI, PI), b = random_of(r, -PI, PI), v[4];
  int hard = random_of(r, 0, 1) < 0.5;
  double one = 1 + (hard ? random_of(r, -0.3, 0.3) : random_of(r, -far, far)/w);
  double two = 1 + (hard ? random_of(r, -far, far)/w : random_of(r, -0.3, 0.3));
  for (int i = 0; i < 4; i++) v[i] = random_of(r, -0.7, 0.7);
  snprintf(model, size, "stiff-springs(case=own, w1=%.6g, w2=%.6g, x1=%.12g, y1=%.12g, x2=%.12g, y2=%.12g, "
           "vx1=%.6g, vy1=%.6g, vx2=%.6g, vy2=%.6g)", hard ? 1 : w, hard ? w : 1, one*cos(a), one*sin(a),
           one*cos(a) + two*cos(b), one*sin(a) + two*sin(b), v[0], v[1], v[2], v[3]);
  return w;
}
#endif
