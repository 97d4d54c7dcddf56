/* columns.c - what looks see of single columns: an observable may be wrong where the state is hardly so, such as a force of friction, an
 * acceleration, the torque of a stiff drive; and a position where others of its kind go much farther */
#include "columns.h"

static const double MUCH = 0.03;        /* of the range of an observable, in one step */
enum { ENOUGH = 16 };                   /* looks: of fewer it is not known what is noise */

size_t epi_columns_room(size_t n, size_t nobs) { return 1 + n + 8*nobs; }

void epi_columns_begin(epi_columns *a, double *room, int n, int nobs)
{
  *a = (epi_columns){.n = n, .nobs = nobs, .looks = room, .least = room + 1};
  a->most = a->least + nobs, a->strays = a->most + nobs, a->differs = a->strays + nobs, a->last = a->differs + nobs;
  a->way = a->last + 2*nobs, a->apart = a->way + 2*nobs;
  for (int i = 0; i < nobs; i++) a->least[i] = HUGE_VAL, a->most[i] = -HUGE_VAL;
}

void epi_columns_row(epi_columns *a, const double *observable)
{
  for (int i = 0; i < a->nobs; i++) {
    if (observable[i] < a->least[i]) a->least[i] = observable[i];
    if (observable[i] > a->most[i]) a->most[i] = observable[i];
  }
}

/* one that moves by less than a hundredth of itself is constant */
void epi_columns_look(epi_columns *a, epi_case *c, const epi_state *s, const epi_state *half)
{
  const epi_observable *o = c->model->observables;
  ++*a->looks;
  for (int i = 0; i < a->nobs; i++) {
    double x = epi_observe(c, &o[i], s), y = epi_observe(c, &o[i], half), large = epi_larger(fabs(x), fabs(y));
    double *last = a->last + 2*i, *way = a->way + 2*i;
    if (*a->looks > 1) way[0] += fabs(x - last[0]), way[1] += fabs(y - last[1]);
    last[0] = x, last[1] = y;
    a->least[i] = fmin(a->least[i], x), a->most[i] = fmax(a->most[i], x);
    double range = a->most[i] - a->least[i], d = fabs(x - y);
    if (o[i].invariant || d <= MUCH*range || epi_larger(d, range) <= 0.01*large) continue;
    a->strays[i]++;
    a->differs[i] += d;
  }
}

double epi_columns_stray(const epi_columns *a, int i, double *range, double *size)
{
  *range = a->most[i] - a->least[i];
  *size = epi_larger(fabs(a->most[i]), fabs(a->least[i]));
  return a->strays[i] > 0.5**a->looks ? a->differs[i]/a->strays[i] : 0;
}

/* what is nothing but the residual of a solver is another one at every look, in both */
int epi_columns_smooth(const epi_columns *a, int i)
{
  double steps = *a->looks - 1, least = fmin(a->way[2*i], a->way[2*i + 1]);
  return *a->looks >= ENOUGH && least/steps < 0.25*a->differs[i]/a->strays[i];
}
