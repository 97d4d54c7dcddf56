/* points.c - what the points of a polynomial count for over a step (Krogh; Hairer, Norsett & Wanner I, III.5) */
#include "points.h"

static epi_two both(double x) { return (epi_two){x, x}; }

/* of the Newton polynomials P_k through the points (their factors t - place, the first of which is t), over the first part u of a step of h
   from the newest on: what they are at the end, their integrals, and the integrals of these, from the k-th on, k even. sum[k/2][j] is the
   integral of P_k x^j, with x from 0 to u, and `once` the power of h that belongs to it; two factors at a time */
static void weigh(epi_stride *a, int k, double u)
{
  const int m = a->m, top = a->top;
  const double h = a->h, by = 1/h;
  double value = a->w[k].value[0], once = h;
  for (int j = 0; j < k; j += 2) once *= h*h;
  for (;; k += 2, once *= h*h) {
    const double *sum = a->sum[k/2], root = k < m ? a->place[k]*by : 0, other = k + 1 < m ? a->place[k+1]*by : 0;
    const double next[2] = {sum[1] - root*sum[0], sum[2] - root*sum[1]};
    a->w[k].value = both(value);
    a->w[k].once = both(once*sum[0]);
    a->w[k].twice = both(once*h*(u*sum[0] - sum[1]));
    if (k == m) return;
    value *= h*(u - root);
    a->w[k+1].value = both(value);
    a->w[k+1].once = both(once*h*next[0]);
    a->w[k+1].twice = both(once*h*h*(u*next[0] - next[1]));
    if (k + 1 == m) return;
    value *= h*(u - other);
    const double first = root + other, second = root*other;
    double *to = a->sum[k/2 + 1];
    epi_two low = epi_two_at(sum);
    for (int j = 0; j < top - k; j += 2) {
      const epi_two high = epi_two_at(sum + j + 2), between = {low[1], high[0]};
      epi_put_two(to + j, high - first*between + second*low);
      low = high;
    }
  }
}

static void weigh_all(epi_stride *a, double u)
{
  static const double part[EPI_POINTS + 2] = {1, 1./2, 1./3, 1./4, 1./5, 1./6, 1./7, 1./8, 1./9, 1./10, 1./11, 1./12, 1./13, 1./14};
  double power = u;
  for (int j = 0; j < a->top + 2; j++, power *= u) a->sum[0][j] = power*part[j];
  a->w[0].value = both(1);
  weigh(a, 0, u);
}

void epi_stride_part(epi_stride *a, int m, const double *place, double h, double u)
{
  a->m = a->top = m;
  a->h = h;
  memcpy(a->place, place, (size_t)m*sizeof *place);
  weigh_all(a, u);
  /* no step has these */
  a->h = 0;
}

void epi_stride_set(epi_stride *a, int m, int most, const double *place, double h, int even)
{
  const size_t size = (size_t)m*sizeof *place;
  int kept = a->h == h ? a->even : 0;
  if (a->h == h && m <= a->m && !memcmp(a->place, place, size)) return;
  memcpy(a->place, place, size);
  /* where one more is asked for than there are, the next ones will be as far apart */
  if (even >= m) for (even = most; m < most; m++) a->place[m] = a->place[m-1] - h;
  if (kept > even) kept = even;
  if (kept < 2) kept = 0;
  /* the next ones will go on from there */
  a->top = EPI_POINTS;
  a->known &= kept ? (2u << kept) - 1 : 0;
  a->m = m;
  a->even = even;
  a->h = h;
  for (int j = kept ? kept - 1 : 0; j + 1 < m; j++) a->w[j].by = both(-1/a->place[j+1]);
  if (kept) weigh(a, kept & ~1, 1);
  else weigh_all(a, 1);
}

const epi_point_gap *epi_stride_gap_find(epi_stride *a, int m)
{
  const epi_weight *w = a->w + m, *less = w - 1;
  const double with = 1/w->value[0], without = 1/less->value[0];
  a->gap[m] = (epi_point_gap){.by = with, .once = fabs(w->once[0]*with - less->once[0]*without),
                        .twice = fabs(w->twice[0]*with - less->twice[0]*without)};
  a->known |= 1u << m;
  return &a->gap[m];
}
