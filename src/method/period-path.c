/* period-path.c - what is done at the points of a period, over and over: products with its matrices, the path, what is seen along it. It
 * is compiled for the counts of points that are wanted most, and for any */
/* compile: hot */
#include "two.h"
#include "period.h"

/* ---- products of a matrix, by columns of n ---- */
/* of so many pairs, how many fours are worked upon, where that is `wide`. What others wrote by pairs is read by pairs, for a four that was
   written in parts is there later than its parts */
#define FOURS(wide, pairs) ((wide) ? (pairs)/2 : 0)
#define FOUR_AT(x) (*(const epi_four *)(x))
#define PUT_FOUR(x, four) (*(epi_four *)(x) = (four))

EPI_INLINED void
multiply_few(const int wide, const int n, int cols, double x, const double *A, const double *v, const double *from, double *out)
{
  const int half = n/2, fours = FOURS(wide, half);
  epi_four wider[4];
  epi_two sum[8];
  double one = n%2 && from ? from[n - 1] : 0;
  for (int i = 0; i < fours; i++) wider[i] = from ? FOUR_AT(from + 4*i) : (epi_four){0};
  for (int i = 2*fours; i < half; i++) sum[i] = from ? epi_two_at(from + 2*i) : (epi_two){0};
  for (int j = 0; j < cols; j++, A += n) {
    double y = x*v[j];
    for (int i = 0; i < fours; i++) wider[i] += y*FOUR_AT(A + 4*i);
    for (int i = 2*fours; i < half; i++) sum[i] += y*epi_two_at(A + 2*i);
    if (n%2) one += y*A[n - 1];
  }
  for (int i = 0; i < fours; i++) PUT_FOUR(out + 4*i, wider[i]);
  for (int i = 2*fours; i < half; i++) epi_put_two(out + 2*i, sum[i]);
  if (n%2) out[n - 1] = one;
}

static void multiply_any(int n, int cols, double x, const double *A, const double *v, const double *from, double *out)
{
  for (int i = 0; i < n; i++) out[i] = from ? from[i] : 0;
  for (int j = 0; j < cols; j++, A += n) {
    double y = x*v[j];
    for (int i = 0; i < n; i++) out[i] += y*A[i];
  }
}

/* ---- a path, and what is seen along it ---- */
/* n is known where it is compiled. Of an odd one the last pair has a number that is not its own and that nobody reads: what stands there is
   found after it */
EPI_INLINED void
path_of_few(const int wide, const int n, const epi_period_rule *A, double T, double y, double v, const double *frozen, const double *more,
            double *wave, double *base, double *path)
{
  const double *W = A->wave, *twice = A->wave_twice, *B = A->twice, *c = A->c, TT = T*T, Tv = T*v;
  const int half = (n + 1)/2, fours = FOURS(wide, half);
  epi_four wide_force[EPI_PERIOD_NODES/4], wide_way[EPI_PERIOD_NODES/4];
  epi_two force[EPI_PERIOD_NODES/2], way[EPI_PERIOD_NODES/2];
  for (int i = 0; i < fours; i++) wide_force[i] = wide_way[i] = (epi_four){0};
  for (int i = 2*fours; i < half; i++) force[i] = way[i] = (epi_two){0};
  for (int j = 0; j < A->phases; j++, W += n, twice += n) {
    for (int i = 0; i < fours; i++) {
      wide_force[i] += frozen[j]*FOUR_AT(W + 4*i);
      wide_way[i] += frozen[j]*FOUR_AT(twice + 4*i);
    }
    for (int i = 2*fours; i < half; i++) {
      force[i] += frozen[j]*epi_two_at(W + 2*i);
      way[i] += frozen[j]*epi_two_at(twice + 2*i);
    }
  }
  for (int i = 0; i < fours; i++) {
    PUT_FOUR(wave + 4*i, wide_force[i]);
    PUT_FOUR(base + 4*i, y + (Tv*FOUR_AT(c + 4*i) + TT*wide_way[i]));
  }
  for (int i = 2*fours; i < half; i++) {
    epi_put_two(wave + 2*i, force[i]);
    epi_put_two(base + 2*i, y + (Tv*epi_two_at(c + 2*i) + TT*way[i]));
  }
  for (int j = 0; j < n && more; j++, B += n) {
    for (int i = 0; i < fours; i++) wide_way[i] += more[j]*FOUR_AT(B + 4*i);
    for (int i = 2*fours; i < half; i++) way[i] += more[j]*epi_two_at(B + 2*i);
  }
  for (int i = 0; i < fours; i++) PUT_FOUR(path + 4*i, y + (Tv*FOUR_AT(c + 4*i) + TT*wide_way[i]));
  for (int i = 2*fours; i < half; i++) epi_put_two(path + 2*i, y + (Tv*epi_two_at(c + 2*i) + TT*way[i]));
}

EPI_INLINED void
see_few(const int n, const epi_period_rule *A, const double *asked, const double *wave, const double *path, double y, double *more,
        epi_period_sums *to)
{
  const double *b = A->b, *late = A->late, *tail = A->tail;
  epi_two change = {0}, once = {0}, twice = {0}, last = {0}, before = {0}, most = {0}, square = {0}, way = {0};
  for (int i = 0; i + 1 < n; i += 2) {
    const epi_two now = epi_two_at(asked + i) - epi_two_at(wave + i), by = epi_two_at(b + i), off = epi_two_at(path + i) - y;
    change += by*epi_two_size(now - epi_two_at(more + i));
    once += by*now;
    twice += epi_two_at(late + i)*now;
    last += epi_two_at(tail + i)*now;
    before += epi_two_at(tail + n + i)*now;
    most = epi_two_larger(most, epi_two_size(now));
    square += now*now;
    way += off*off;
    epi_put_two(more + i, now);
  }
  epi_period_sums x = {change[0] + change[1], once[0] + once[1], twice[0] + twice[1], last[0] + last[1], before[0] + before[1],
                       epi_larger(most[0], most[1]), square[0] + square[1], way[0] + way[1]};
  if (n%2) {
    const int i = n - 1;
    const double now = asked[i] - wave[i], off = path[i] - y;
    x.change += b[i]*fabs(now - more[i]);
    x.once += b[i]*now;
    x.twice += late[i]*now;
    x.last += tail[i]*now;
    x.before_last += tail[n + i]*now;
    x.most = epi_larger(x.most, fabs(now));
    x.square += now*now;
    x.way += off*off;
    more[i] = now;
  }
  *to = x;
}

EPI_INLINED void
go_on_few(const int n, const epi_period_rule *A, double y, const double *path, const double *next, double most, double *more,
          epi_period_sums *to)
{
  epi_two once = {0}, twice = {0};
  for (int i = 0; i < n; i += 2) {
    const epi_two at = epi_lanes_at(path + i, n - i), way = at - y, value = epi_lanes_at(more + i, n - i);
    const epi_two step = epi_lanes_at(next + i, n - i) - at, by = epi_two_where(epi_two_size(value) < most*epi_two_size(way), value/way);
    const epi_two change = by*step, own = n - i > 1 ? change : (epi_two){change[0], 0};
    epi_put_lanes(more + i, n - i, value + change);
    once += epi_lanes_at(A->b + i, n - i)*own;
    twice += epi_lanes_at(A->late + i, n - i)*own;
  }
  to->once += once[0] + once[1];
  to->twice += twice[0] + twice[1];
}

/* ---- each for a count ---- */
#define FORMS(N, WHERE, AS, WIDE) \
  AS static void multiply_##N##WHERE(int n, int cols, double x, const double *A, const double *v, const double *from, double *out) \
  { (void)n; multiply_few(WIDE, N, cols, x, A, v, from, out); } \
  AS static void path_##N##WHERE(const epi_period_rule *A, double T, double y, double v, const double *frozen, const double *more, \
                                 double *wave, double *base, double *path) \
  { path_of_few(WIDE, N, A, T, y, v, frozen, more, wave, base, path); } \
  AS static void see_##N##WHERE(const epi_period_rule *A, const double *asked, const double *wave, const double *path, double y, \
                                double *more, epi_period_sums *to) \
  { see_few(N, A, asked, wave, path, y, more, to); } \
  AS static void go_on_##N##WHERE(const epi_period_rule *A, double y, const double *path, const double *next, double most, double *more, \
                                  epi_period_sums *to) \
  { go_on_few(N, A, y, path, next, most, more, to); } \
  static const epi_period_forms forms_##N##WHERE = {multiply_##N##WHERE, path_##N##WHERE, see_##N##WHERE, go_on_##N##WHERE};
#define ALL_FORMS(WHERE, AS, WIDE) \
  FORMS(4, WHERE, AS, WIDE) FORMS(5, WHERE, AS, WIDE) FORMS(6, WHERE, AS, WIDE) FORMS(7, WHERE, AS, WIDE) FORMS(8, WHERE, AS, WIDE) \
  FORMS(9, WHERE, AS, WIDE) FORMS(10, WHERE, AS, WIDE) FORMS(12, WHERE, AS, WIDE) FORMS(14, WHERE, AS, WIDE) \
  static const epi_period_forms *const forms##WHERE[MOST + 1] = { \
    [4] = &forms_4##WHERE, &forms_5##WHERE, &forms_6##WHERE, &forms_7##WHERE, &forms_8##WHERE, &forms_9##WHERE, &forms_10##WHERE, \
    [12] = &forms_12##WHERE, [14] = &forms_14##WHERE};
enum { MOST = 14 };
ALL_FORMS(, , 0)

static void path_any(const epi_period_rule *A, double T, double y, double v, const double *frozen, const double *more, double *wave,
                     double *base, double *path)
{
  path_of_few(0, A->n, A, T, y, v, frozen, more, wave, base, path);
}
static void see_any(const epi_period_rule *A, const double *asked, const double *wave, const double *path, double y, double *more,
                    epi_period_sums *to)
{
  see_few(A->n, A, asked, wave, path, y, more, to);
}
static void go_on_any(const epi_period_rule *A, double y, const double *path, const double *next, double most, double *more,
                      epi_period_sums *to)
{
  go_on_few(A->n, A, y, path, next, most, more, to);
}
static const epi_period_forms forms_any = {multiply_any, path_any, see_any, go_on_any};

#ifdef EPI_FOR_AVX
ALL_FORMS(_avx, EPI_FOR_AVX, 1)
static const epi_period_forms *const *forms_here(void) { return EPI_HAS_AVX ? forms_avx : forms; }
#else
static const epi_period_forms *const *forms_here(void) { return forms; }
#endif

const epi_period_forms *epi_period_forms_of(int n)
{
  const epi_period_forms *of = n <= MOST ? forms_here()[n] : NULL;
  return of ? of : &forms_any;
}

void epi_multiply(int n, int cols, double x, const double *A, const double *v, const double *from, double *out)
{
  epi_period_forms_of(n)->multiply(n, cols, x, A, v, from, out);
}
