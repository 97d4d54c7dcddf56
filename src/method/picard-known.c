/* picard-known.c - what was more than the frozen forces in the last periods, and how it goes on into the next */
/* compile: hot */
#include "picard.h"
#include "sweeping.h"

/* those that are known stand one behind the other, the newest first */
static inline int many_of(const epi_flow *f) { return (int)f->keep[KNOWN_NODES]*(int)answers_of(f); }

/* how many are of use: the polynomial through more enlarges what they are off by */
static inline int most_of(int nodes) { return nodes > 8 ? LAST : 6; }
/* but for rounding */
static inline int same_time(double a, double b) { return fabs(a - b) <= 1e-15*fabs(a); }
int epi_picard_is_newest(const epi_flow *f, double t) { return f->keep[KNOWN] > 0 && same_time(t, f->keep[TIMES]); }
const double *epi_picard_newest(const epi_flow *f) { return f->keep + HEADS; }

/* what stands in the room of this one is known to the next. One that began when another did takes its place, else the oldest goes */
void epi_picard_remember(epi_flow *f, double t)
{
  double *k = f->keep, *time = k + TIMES, *rows = k + HEADS;
  const int n = (int)k[USED_NODES];
  if (k[KNOWN_NODES] != n || n > LAST_NODES) k[KNOWN] = 0;
  if (n > LAST_NODES) return;
  const int most = most_of(n);
  int known = (int)k[KNOWN], gone = 0;
  while (gone < known && !same_time(t, time[gone])) gone++;
  if (gone == known && known < most) known++;
  if (gone == most) gone--;
  k[KNOWN] = known;
  k[KNOWN_NODES] = n;
  const int many = many_of(f);
  const double *more = room_of(f)->more;
  for (int i = gone; i > 0; i--) time[i] = time[i-1];
  memmove(rows + many, rows, (size_t)(gone*many)*sizeof *rows);
  time[0] = t;
  for (int i = 0; i < many; i++) rows[i] = more[i];
}

/* weights of the polynomial through the last periods at t, so many of them that what they are off by is not enlarged too much: 63 times by
   six that are equally far apart, and 511 times by nine, where more nodes leave them off by less; returns how many. at: when they began,
   the newest first */
EPI_INLINED int weigh_few(int known, double most, double t, const double *at, double *weight)
{
  double per[LAST + 1], under[LAST + 1], over = 1;
  for (int j = 0; j < known; j++) {
    double d = 1;
    for (int i = 0; i < j; i++) d *= at[j] - at[i];
    for (int i = 0; i < j; i += 2) epi_put_two(under + i, epi_two_at(under + i)*(epi_two_at(at + i) - at[j]));
    under[j] = d;
    over *= t - at[j];
  }
  for (int j = 0; j < known; j += 2) epi_put_two(per + j, 1/((t - epi_two_at(at + j))*epi_two_at(under + j)));
  for (;;) {
    double sum = 0;
    for (int j = 0; j < known; j++) sum += fabs(weight[j] = over*per[j]);
    if (sum <= most || known == 1) return known;
    known--;
    over = 1;
    for (int j = 0; j < known; j++) { over *= t - at[j]; per[j] *= at[j] - at[known]; }
  }
}

/* those of so many that are as far apart as t is from the newest: binomial coefficients */
static const double even[LAST + 1][LAST] = {
  {0}, {1}, {2, -1}, {3, -3, 1}, {4, -6, 4, -1}, {5, -10, 10, -5, 1}, {6, -15, 20, -15, 6, -1}, {7, -21, 35, -35, 21, -7, 1},
  {8, -28, 56, -70, 56, -28, 8, -1}, {9, -36, 84, -126, 126, -84, 36, -9, 1}
};
static int are_even(int known, double h, const double *at)
{
  const double little = 1e-10*fabs(h);
  for (int j = 0; j + 1 < known; j++) if (!(fabs(at[j] - at[j+1] - h) <= little)) return 0;
  return 1;
}

/* one that began then is all that counts */
static int weigh(int known, double most, double t, const double *at, double *weight)
{
  const double near = 1e-15*fabs(t);
  for (int j = 0; j < known; j++) {
    weight[j] = 0;
    if (fabs(t - at[j]) <= near) { weight[j] = 1; return j + 1; }
  }
  if (are_even(known, t - at[0], at)) {
    memcpy(weight, even[known], sizeof even[known]);
    return known;
  }
  return known == 6 ? weigh_few(6, most, t, at, weight) : known == LAST ? weigh_few(LAST, most, t, at, weight)
    : weigh_few(known, most, t, at, weight);
}

int epi_picard_go_on(const epi_flow *f, double t)
{
  const double *k = f->keep, most = k[USED_NODES] > 8 ? 600 : 64;
  double weight[LAST];
  const int known = (int)k[KNOWN], many = many_of(f);
  if (!(known > 0) || k[KNOWN_NODES] != k[USED_NODES] || k[USED_SWEEPS] < 2) return 1;
  epi_multiply(many, weigh(known, most, t, k + TIMES, weight), 1, k + HEADS, weight, NULL, room_of(f)->more);
  return 0;
}
