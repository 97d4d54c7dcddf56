/* picard-known.c - what was more than the frozen forces in the last periods, and how it goes on into the next */
#include "picard.h"
#include "sweeping.h"

/* where the one stands that is so many before the newest, and what is known of it */
static int slot_of(const epi_flow *f, int before)
{
  int slot = (int)f->keep[NEWEST] - before;
  return slot < 0 ? slot + LAST : slot;
}
static int before(int slot) { return slot > 0 ? slot - 1 : LAST - 1; }
static double *last_of(const epi_flow *f, int before)
{
  return f->keep + HEADS + slot_of(f, before)*(int)f->keep[KNOWN_NODES]*answers_of(f);
}

/* but for rounding */
static int same_time(double a, double b) { return fabs(a - b) <= 1e-15*fabs(a); }
int epi_picard_is_newest(const epi_flow *f, double t)
{
  return f->keep[KNOWN] > 0 && same_time(t, f->keep[TIMES + slot_of(f, 0)]);
}
const double *epi_picard_newest(const epi_flow *f) { return last_of(f, 0); }

/* it moves out of those that are known, and the newest stands where nothing is now */
static void forget_one(const epi_flow *f, int before)
{
  for (; before > 0; before--) {
    f->keep[TIMES + slot_of(f, before)] = f->keep[TIMES + slot_of(f, before - 1)];
    memcpy(last_of(f, before), last_of(f, before - 1), (size_t)((int)f->keep[KNOWN_NODES]*answers_of(f))*sizeof(double));
  }
}

/* how many before the newest the one stands that began when this one does, or LAST: none did. Times of those that are not known count for
   nothing */
static int same_of(const epi_flow *f, double t)
{
  const double *time = f->keep + TIMES, near = 1e-15*fabs(t);
  const int known = (int)f->keep[KNOWN], newest = (int)f->keep[NEWEST];
  for (int slot = 0; slot < LAST; slot++) {
    const int back = newest - slot < 0 ? newest - slot + LAST : newest - slot;
    if (fabs(t - time[slot]) <= near && back < known) return back;
  }
  return LAST;
}

/* what stands in the room of this one is known to the next. One that began when another did stands in its place */
void epi_picard_remember(epi_flow *f, double t)
{
  double *k = f->keep;
  const int n = (int)k[USED_NODES];
  if (k[KNOWN_NODES] != n || n > LAST_NODES) k[KNOWN] = 0;
  if (n > LAST_NODES) return;
  const int known = (int)k[KNOWN], same = same_of(f, t);
  if (same < LAST) forget_one(f, same);
  else {
    k[NEWEST] = k[NEWEST] < LAST - 1 ? k[NEWEST] + 1 : 0;
    k[KNOWN] = known < LAST ? known + 1 : LAST;
  }
  k[KNOWN_NODES] = n;
  k[TIMES + slot_of(f, 0)] = t;
  double *last = last_of(f, 0);
  const double *more = room_of(f)->more;
  for (int i = 0, many = n*(int)answers_of(f); i < many; i++) last[i] = more[i];
}

/* weights of the polynomial through the last periods at t, so many of them that what they are off by is not enlarged too much: 63 times by
   six that are equally far apart, and 511 times by nine, where more nodes leave them off by less; returns how many. at: when they began, the
   newest first; `most` of them are constants where that is compiled */
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

static int weigh(int known, double most, double t, const double *at, double *weight)
{
  const double near = 1e-15*fabs(t);
  for (int j = 0; j < known; j++)
    if (fabs(t - at[j]) <= near) {
      for (int i = 0; i < j; i++) weight[i] = 0;
      weight[j] = 1;
      return j + 1;
    }
  return known == 6 ? weigh_few(6, most, t, at, weight) : known == LAST ? weigh_few(LAST, most, t, at, weight)
    : weigh_few(known, most, t, at, weight);
}

/* those that are known stand one behind the other, and go on at the first place behind the last */
int epi_picard_go_on(const epi_flow *f, double t)
{
  const double *k = f->keep, *all = k + HEADS, most = k[USED_NODES] > 8 ? 600 : 64;
  double *more = room_of(f)->more, weight[LAST], at[LAST + 1] = {0}, in_place[LAST] = {0};
  const int many = (int)k[USED_NODES]*(int)answers_of(f), enough = k[USED_NODES] > 8 ? LAST : 6, newest = slot_of(f, 0);
  int known = k[KNOWN] < enough ? (int)k[KNOWN] : enough;
  if (!(known > 0) || k[KNOWN_NODES] != k[USED_NODES] || k[USED_SWEEPS] < 2) return 1;
  for (int j = 0, slot = newest; j < known; j++, slot = before(slot)) at[j] = k[TIMES + slot];
  known = weigh(known, most, t, at, weight);
  const int first = newest - known + 1, low = first < 0 ? 0 : first;
  for (int j = 0, slot = newest; j < known; j++, slot = before(slot)) in_place[slot] = weight[j];
  epi_multiply(many, newest - low + 1, 1, all + low*many, in_place + low, NULL, more);
  if (first < 0) epi_multiply(many, -first, 1, all + (LAST + first)*many, in_place + LAST + first, more, more);
  return 0;
}
