/* picard-known.c - what was more than the frozen forces in the last periods, and how it goes on into the next */
#include "picard.h"

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

/* what stands in the room of this one is known to the next. One that began when another did stands in its place */
void epi_picard_remember(epi_flow *f, double t)
{
  double *k = f->keep;
  int n = (int)k[USED_NODES], same = 0;
  if (k[KNOWN_NODES] != n || n > LAST_NODES) k[KNOWN] = 0;
  if (n > LAST_NODES) return;
  const int known = (int)k[KNOWN];
  const double near = 1e-15*fabs(t);
  for (int slot = slot_of(f, 0); same < known && !(fabs(t - k[TIMES + slot]) <= near); same++) slot = before(slot);
  if (same < known) forget_one(f, same);
  else {
    k[NEWEST] = k[NEWEST] < LAST - 1 ? k[NEWEST] + 1 : 0;
    k[KNOWN] = known < LAST ? known + 1 : LAST;
  }
  k[KNOWN_NODES] = n;
  k[TIMES + slot_of(f, 0)] = t;
  memcpy(last_of(f, 0), room_of(f)->more, (size_t)(n*answers_of(f))*sizeof *k);
}

/* weights of the polynomial through the last periods at t, so many of them that what they are off by is not enlarged too much: 63 times by
   six that are equally far apart, and 511 times by nine, where more nodes leave them off by less; returns how many */
static int weigh(const epi_flow *f, double t, double *weight)
{
  double at[LAST], per[LAST], under[LAST], over[LAST + 1] = {1};
  const int exact = f->keep[USED_NODES] > 8, enough = exact ? LAST : 6;
  const double most = exact ? 600 : 64;
  const double near = 1e-15*fabs(t);
  int known = f->keep[KNOWN] < enough ? (int)f->keep[KNOWN] : enough;
  for (int j = 0, slot = slot_of(f, 0); j < known; j++, slot = before(slot)) {
    double d = 1;
    at[j] = f->keep[TIMES + slot];
    weight[j] = 1;
    if (fabs(t - at[j]) <= near) {
      for (int i = 0; i < j; i++) weight[i] = 0;
      return j + 1;
    }
    for (int i = 0; i < j; i++) { double x = at[j] - at[i]; d *= x; under[i] *= -x; }
    under[j] = d;
    over[j+1] = over[j]*(t - at[j]);
  }
  for (int j = 0; j < known; j++) per[j] = 1/((t - at[j])*under[j]);
  for (;; known--) {
    double sum = 0;
    for (int j = 0; j < known; j++) sum += fabs(weight[j] = over[known]*per[j]);
    if (sum <= most || known == 1) return known;
    for (int j = 0; j < known - 1; j++) per[j] *= at[j] - at[known - 1];
  }
}

/* those that are known stand one behind the other, and go on at the first place behind the last */
int epi_picard_go_on(const epi_flow *f, double t)
{
  const double *k = f->keep, *all = k + HEADS;
  double *more = room_of(f)->more, weight[LAST], in_place[LAST] = {0};
  int many = (int)k[USED_NODES]*(int)answers_of(f);
  if (!(k[KNOWN] > 0) || k[KNOWN_NODES] != k[USED_NODES] || k[USED_SWEEPS] < 2) return 1;
  const int known = weigh(f, t, weight), newest = slot_of(f, 0), first = newest - known + 1, low = first < 0 ? 0 : first;
  for (int j = 0, slot = newest; j < known; j++, slot = before(slot)) in_place[slot] = weight[j];
  epi_multiply(many, newest - low + 1, 1, all + low*many, in_place + low, NULL, more);
  if (first < 0) epi_multiply(many, -first, 1, all + (LAST + first)*many, in_place + LAST + first, more, more);
  return 0;
}
