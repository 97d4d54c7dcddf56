/* ledger.c - how well a run keeps what should be kept: the largest error, whether it drifts, how fast */
#include "inspect.h"

static double worse(double a, double b) { return isnan(a) || a >= b ? a : b; }

void epi_ledger_add(epi_ledger *t, double x, double e)
{
  /* steps end on the quarters but for rounding */
  int which = x <= -0.5 + 1e-9 ? 0 : x > 0.5 + 1e-9 ? 1 : -1;
  t->n++;
  t->x += x;
  t->xx += x*x;
  t->e += e;
  t->xe += x*e;
  t->most = worse(t->most, fabs(e));
  if (which < 0) return;
  t->quarter[which].n++;
  t->quarter[which].sum += e;
  t->quarter[which].most = worse(t->quarter[which].most, fabs(e));
}

double epi_ledger_drift(const epi_ledger *t)
{
  if (!t->quarter[0].n || !t->quarter[1].n) return NAN;
  double apart = fabs(t->quarter[1].sum/(double)t->quarter[1].n - t->quarter[0].sum/(double)t->quarter[0].n);
  return apart > 0 ? apart/t->quarter[0].most : 0;
}

/* least squares */
double epi_ledger_slope(const epi_ledger *t)
{
  double n = (double)t->n;
  return t->n < 2 ? NAN : (n*t->xe - t->x*t->e)/(n*t->xx - t->x*t->x);
}

/* NaN where it is not known */
double epi_kinetic_of_masses(epi_system *m, const epi_state *s)
{
  int n = epi_nv(m);
  const double *v = s->y + m->nq;
  double T = 0;
  if (m->energies.kinetic) return m->energies.kinetic(m, s->t, s->y);
  if (m->inertia.accel || m->inertia.mass_solve || m->inertia.speed || epi_all_rate(m)) return NAN;
  for (int i = 0; i < n; i++) {
    if (!m->inertia.mass_matrix) T += 0.5*(m->mass ? m->mass[i] : 1)*v[i]*v[i];
    for (int k = 0; m->inertia.mass_matrix && k < n; k++) T += 0.5*m->inertia.mass_matrix[i*n + k]*v[i]*v[k];
  }
  return T;
}

static int ascending(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double epi_median(double *x, int n)
{
  qsort(x, (size_t)n, sizeof *x, ascending);
  return n ? fabs(x[n/2]) : 0;
}

/* ---- a drift is no praise where the energy itself is gone ---- */
double epi_kinetic_part(epi_system *m, const epi_state *s, double *room)
{
  if (m->energies.kinetic) return m->energies.kinetic(m, s->t, s->y);
  if (!m->energy || !epi_nv(m)) return NAN;
  memcpy(room, s->y, (size_t)epi_dim(m)*sizeof *room);
  memset(room + m->nq, 0, (size_t)epi_nv(m)*sizeof *room);
  return m->energy(m, s->t, s->y) - m->energy(m, s->t, room);
}

/* a number that says itself that something creeps needs no word */
int epi_drift_tells(double D) { return D >= 0.5 && D <= 10; }
int epi_energy_lost(double most, double start, double mean_kinetic) { return !(most <= fmax(fabs(start), mean_kinetic/2)); }

/* what moves by rounding alone has no energy that could be lost */
static int at_rest(const epi_result *r)
{
  double q = 0, v = 0;
  for (int i = 0; i < r->nq; i++) q = fmax(q, fabs(r->y[i]));
  for (int i = 0; i < r->nv; i++) v = fmax(v, fabs(r->y[r->nq + i]));
  return v*fabs(r->step) <= 1e-13*q;
}

static int lost(const epi_result *r)
{
  for (int i = 0; i < r->ninvariant; i++) {
    const epi_invariant *d = &r->invariant[i];
    if (!strcmp(d->name, "energy") && epi_energy_lost(d->ledger.most, d->start, r->inspection.mean_kinetic)) return !at_rest(r);
  }
  return 0;
}

const char *epi_invariant_word(const epi_result *r, int i)
{
  const epi_invariant *d = &r->invariant[i];
  double D = epi_ledger_drift(&d->ledger);
  if (strcmp(r->status, "done") || isnan(D)) return NULL;
  if (d->ledger.most <= 1e-11*fabs(d->start)) return "rounding";
  return !epi_drift_tells(D) && lost(r) ? "lost" : NULL;
}

/* a run that ended before its time has no last quarter */
double epi_invariant_drift(const epi_result *r, int i)
{
  const char *word = epi_invariant_word(r, i);
  return strcmp(r->status, "done") || (word && !strcmp(word, "lost")) ? NAN : epi_ledger_drift(&r->invariant[i].ledger);
}

double epi_invariant_slope(const epi_result *r, int i) { return 2*epi_ledger_slope(&r->invariant[i].ledger)/(r->end - r->start); }
