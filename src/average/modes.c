/* modes.c - the fast modes of a stiff system at a point, from its force alone: the Hessian by differences, or a block power where there are
 * many coordinates and few fast modes. All in x = M^(1/2) q, where the mass is one */
/* compile: hot-pairs */
#include "follow.h"

static const double STEP = 1e-7;       /* of a difference, in lengths; of one mode EPI_STEP_OF_ONE */

long epi_valley_room(int n, int most) { return 2L*n + 3L*most*n + most + 2L*n*n + 5L*n + 4L*n + 6L*n + n; }

void epi_valley_lay_out(epi_valley *a, double *work)
{
  long n = a->n;
  /* down to the modes as epi_places_of has them */
  double **const part[] = {&a->x, &a->f, &a->two, &a->floor, &a->last, &a->last_rate, &a->lambda, &a->E, &a->bend, &a->turned, &a->H, &a->V,
                           &a->values, &a->q, &a->one, &a->three, &a->there, &a->last_om};
  const long size[] = {n, n, n, 2*n, 2*n, 2*n, n, n*n, n*n, n*n, n*n, n*n, n, n, n, n, 2*n, 2*n};
  for (size_t i = 0; i < sizeof size/sizeof *size; i++) { *part[i] = work; work += size[i]; }
  a->order = (int *)work;
}

/* ---- masses ---- */
/* of one nothing changes */
static int are_one(const epi_valley *a, const double *from, double *to)
{
  if (a->node->space->mass != UNIT) return 0;
  if (from != to) epi_copy(a->n, from, to);
  return 1;
}

void epi_valley_to_x(const epi_valley *a, const double *q, double *x)
{
  const epi_space *p = a->node->space;
  int n = a->n;
  if (are_one(a, q, x)) return;
  for (int i = 0; i < n; i++) {
    if (p->mass == DENSE) { double s = 0; for (int j = i; j < n; j++) s += p->factor[j*n + i]*q[j]; x[i] = s; }
    else x[i] = p->mass == DIAGONAL ? sqrt(a->of->mass[i])*q[i] : q[i];
  }
}

void epi_valley_to_q(const epi_valley *a, const double *x, double *q)
{
  const epi_space *p = a->node->space;
  int n = a->n;
  if (are_one(a, x, q)) return;
  for (int i = n - 1; i >= 0; i--) {
    q[i] = x[i];
    if (p->mass == DIAGONAL) q[i] /= sqrt(a->of->mass[i]);
    if (p->mass != DENSE) continue;
    for (int j = i + 1; j < n; j++) q[i] -= p->factor[j*n + i]*q[j];
    q[i] /= p->factor[i*n + i];
  }
}

void epi_valley_push(const epi_valley *a, const double *x, double *f)
{
  const epi_space *p = a->node->space;
  int n = a->n;
  if (are_one(a, x, f)) return;
  for (int i = n - 1; i >= 0; i--) {
    if (p->mass == DENSE) { double s = 0; for (int j = 0; j <= i; j++) s += p->factor[i*n + j]*x[j]; f[i] = s; }
    else f[i] = p->mass == DIAGONAL ? sqrt(a->of->mass[i])*x[i] : x[i];
  }
}

int epi_valley_force(epi_valley *a, double t, const double *x, double *f)
{
  const epi_space *p = a->node->space;
  int n = a->n, bad;
  a->node->calls++;
  if (p->mass == UNIT) return a->of->force(a->of, t, x, f);
  epi_valley_to_q(a, x, a->q);
  if ((bad = a->of->force(a->of, t, a->q, f))) return bad;
  for (int i = 0; i < n; i++) {
    if (p->mass == DIAGONAL) { f[i] /= sqrt(a->of->mass[i]); continue; }
    for (int j = 0; j < i; j++) f[i] -= p->factor[i*n + j]*f[j];
    f[i] /= p->factor[i*n + i];
  }
  return 0;
}

/* ---- eigenvalues of a symmetric matrix by Jacobi's rotations; A is used up, the rows of V are the vectors ---- */
static void rotate(int n, double *A, double *V, int p, int q)
{
  double theta = (A[q*n + q] - A[p*n + p])/(2*A[p*n + q]), t = (theta < 0 ? -1 : 1)/(fabs(theta) + sqrt(theta*theta + 1));
  double c = 1/sqrt(t*t + 1), s = t*c;
  for (int k = 0; k < n; k++) {
    double u = A[k*n + p], w = A[k*n + q];
    A[k*n + p] = c*u - s*w;
    A[k*n + q] = s*u + c*w;
  }
  for (int k = 0; k < n; k++) {
    double u = A[p*n + k], w = A[q*n + k];
    A[p*n + k] = c*u - s*w;
    A[q*n + k] = s*u + c*w;
    u = V[p*n + k], w = V[q*n + k];
    V[p*n + k] = c*u - s*w;
    V[q*n + k] = s*u + c*w;
  }
}

static void eigen(int n, double *A, double *V, double *values)
{
  double size = 0;
  for (int i = 0; i < n*n; i++) { V[i] = i % (n + 1) == 0; size = fmax(size, fabs(A[i])); }
  for (int sweep = 0; sweep < 40; sweep++) {
    double off = 0;
    for (int p = 0; p < n; p++)
      for (int q = p + 1; q < n; q++) {
        off = fmax(off, fabs(A[p*n + q]));
        if (fabs(A[p*n + q]) > 1e-18*size) rotate(n, A, V, p, q);
      }
    if (!(off > 1e-16*size)) break;
  }
  for (int i = 0; i < n; i++) values[i] = A[i*n + i];
}

/* one mode that is far above the rest, by a few products: 1, with the vector in V and its value first; 0: it is not so. rest: what is left
   of A without it, which all other values are below */
EPI_INLINED int outstanding(const int n, const double *A, double *V, double *value, double *rest)
{
  int top = 0;
  double off = 1, left = 0;
  for (int i = 1; i < n; i++) if (A[i*n + i] > A[top*n + top]) top = i;
  memcpy(V, A + top*n, (size_t)n*sizeof *V);
  for (int turn = 0; turn < 12 && off > 1e-26; turn++) {
    double size = sqrt(epi_dot(n, V, V)), *next = V + n;
    if (!(size > 0)) return 0;
    for (int i = 0; i < n; i++) V[i] /= size;
    for (int i = 0; i < n; i++) next[i] = epi_dot(n, A + i*n, V);
    *value = epi_dot(n, V, next);
    if (!(*value > 0)) return 0;
    off = 0;
    for (int i = 0; i < n; i++) { double d = next[i]/ *value - V[i]; off += d*d; }
    if (off > 1e-26) memcpy(V, next, (size_t)n*sizeof *V);
  }
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { double r = A[i*n + j] - *value*V[i]*V[j]; left += r*r; }
  *rest = sqrt(left);
  return !(off > 1e-26) && *rest < 0.1**value;
}

/* ---- products with the Hessian ---- */
EPI_INLINED int product(epi_valley *a, const int n, double t, const double *x, const double *v, double *row)
{
  double h = (epi_valley_modes(a) == 1 ? EPI_STEP_OF_ONE : STEP)*epi_valley_memory(a)->length;
  const epi_places w = epi_places_of(a, n);
  return epi_valley_product(a, &w, n, t, x, h, v, row);
}

/* alone: one mode stands out, and is known without the others */
EPI_INLINED int whole_of(epi_valley *a, const int n, double t, const double *x, int modes)
{
  int bad;
  memset(a->two, 0, (size_t)n*sizeof *a->two);
  for (int i = 0; i < n; i++) {
    a->two[i] = 1;
    if ((bad = product(a, n, t, x, a->two, a->H + i*n))) return bad;
    a->two[i] = 0;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) a->H[i*n + j] = a->H[j*n + i] = 0.5*(a->H[i*n + j] + a->H[j*n + i]);
  a->alone = modes <= 1 && outstanding(n, a->H, a->V, a->values, &a->slow) && (modes || a->slow < 2e-3*a->values[0]);
  if (!a->alone) eigen(n, a->H, a->V, a->values);
  return 0;
}

/* compiled for four coordinates, and for any */
static int whole(epi_valley *a, double t, const double *x, int modes)
{
  return a->n == 4 ? whole_of(a, 4, t, x, modes) : whole_of(a, a->n, t, x, modes);
}

/* rows of Q made orthonormal, twice over; one that is lost to the others begins again as a unit vector */
static void orthonormal(int n, int b, double *Q)
{
  for (int k = 0; k < b; k++) {
    double *v = Q + k*n, size = sqrt(epi_dot(n, v, v));
    for (int again = 0; again < 3; again++) {
      for (int j = 0; j < k; j++) {
        double c = epi_dot(n, v, Q + j*n);
        for (int i = 0; i < n; i++) v[i] -= c*Q[j*n + i];
      }
      double left = sqrt(epi_dot(n, v, v));
      if (!(left > 1e-13*size)) { for (int i = 0; i < n; i++) v[i] = i == k; left = 1; }
      for (int i = 0; i < n; i++) v[i] /= left;
      size = 1;
    }
  }
}

/* two steps from a block that never changes, so that the force stays a function of the state, and Rayleigh-Ritz */
static int power(epi_valley *a, double t, const double *x)
{
  int n = a->n, b = a->block, bad;
  double *Q = a->V, *P = a->H, *T = a->H + b*n, *U = T + b*b;
  for (int k = 0; k < b; k++)
    for (int i = 0; i < n; i++) {
      double r = (i + 1.0)*0.6180339887498949 + (k + 1.0)*(i + 2.0)*0.4142135623730950;
      Q[k*n + i] = r - floor(r) - 0.5;
    }
  for (int turn = 0; turn < 3; turn++) {
    orthonormal(n, b, Q);
    for (int k = 0; k < b; k++) if ((bad = product(a, n, t, x, Q + k*n, P + k*n))) return bad;
    if (turn < 2) memcpy(Q, P, (size_t)(b*n)*sizeof *Q);
  }
  for (int i = 0; i < b; i++)
    for (int j = 0; j < b; j++) T[i*b + j] = 0.5*(epi_dot(n, Q + i*n, P + j*n) + epi_dot(n, Q + j*n, P + i*n));
  eigen(b, T, U, a->values);
  memcpy(P, Q, (size_t)(b*n)*sizeof *P);
  memset(Q, 0, (size_t)(b*n)*sizeof *Q);
  for (int k = 0; k < b; k++)
    for (int j = 0; j < b; j++)
      for (int i = 0; i < n; i++) Q[k*n + i] += U[k*b + j]*P[j*n + i];
  return 0;
}

/* ---- what is fast ---- */
static void sort(epi_valley *a, int all)
{
  for (int i = 0; i < all; i++) {
    int k = i;
    for (; k > 0 && a->values[a->order[k-1]] < a->values[i]; k--) a->order[k] = a->order[k-1];
    a->order[k] = i;
  }
}

/* of one that stands out only a bound is known of what is left: where that comes near to what matters the others are asked for */
double epi_valley_slow(epi_valley *a)
{
  if (a->alone && a->slow > 2e-3*a->lambda[0]) {
    int n = a->n, most = 0;
    eigen(n, a->H, a->V, a->values);
    for (int i = 1; i < n; i++) if (a->values[i] > a->values[most]) most = i;
    a->slow = a->alone = 0;
    for (int i = 0; i < n; i++) if (i != most) a->slow = fmax(a->slow, fabs(a->values[i]));
  }
  return a->slow;
}

int epi_valley_count(const epi_valley *a)
{
  if (a->alone) return 1;
  int all = a->block ? a->block : a->n, m = 0;
  double top = a->values[a->order[0]], least = 1e-4*top, best = 0;
  for (int k = 1; k < all && top > 0; k++) {
    double ratio = fmax(a->values[a->order[k-1]], least)/fmax(fabs(a->values[a->order[k]]), least);
    if (ratio > best) { best = ratio; m = k; }
  }
  return best >= 10 ? m : 0;
}

/* the mode v with its stiffness becomes the k-th, with its largest number positive */
static void take(epi_valley *a, int k, const double *v, double stiffness)
{
  int n = a->n, big = 0;
  for (int i = 1; i < n; i++) if (fabs(v[i]) > fabs(v[big])*(1 + 1e-6)) big = i;
  for (int i = 0; i < n; i++) a->E[k*n + i] = v[big] < 0 ? -v[i] : v[i];
  a->lambda[k] = stiffness;
}

/* one mode that stood so far above the rest that two products from where it was leave nothing of its way here; 1: it is known */
static int follow(epi_valley *a, double t, const double *x, int *bad)
{
  double *v = a->V, value, off;
  int n = a->n;
  const epi_places w = epi_places_of(a, n);
  if (!(w.kept->beside > 0) || (*bad = epi_valley_begin_at(a, &w, n, t, x))) return 0;
  memcpy(v, epi_valley_one(a), (size_t)n*sizeof *v);
  for (int turn = 0; turn < 2; turn++) if (!epi_valley_again(a, &w, n, t, v, &value, &off, bad)) return 0;
  return epi_valley_is_followed(a, &w, n, v, value, off);
}

int epi_valley_find(epi_valley *a, double t, const double *x, int modes, double share)
{
  /* two columns more than modes: while these turn, a block of their own number would stand across one of them now and then */
  a->block = modes > 0 && 3*(modes + 2) < a->n ? modes + 2 : 0;
  int n = a->n, all = a->block ? a->block : n, bad;
  const epi_places w = epi_places_of(a, n);
  if ((bad = epi_valley_begin_at(a, &w, n, t, x)) || (bad = a->block ? power(a, t, a->x) : whole(a, t, a->x, modes))) return bad;
  if (a->alone) a->order[0] = 0;
  else sort(a, all);
  int m = a->alone ? 1 : modes;
  const double *value = a->values;
  while (!modes && !a->alone && m < all && m < a->most && value[a->order[m]] > share*value[a->order[0]] && value[a->order[m]] > 0) m++;
  for (int k = 0; k < m; k++) take(a, k, a->V + a->order[m-1-k]*n, a->values[a->order[m-1-k]]);
  if (!a->alone) a->slow = 0;
  for (int k = m; k < all && !a->alone; k++) a->slow = fmax(a->slow, fabs(a->values[a->order[k]]));
  a->known = m;
  for (int k = 0; k < m; k++) if (!(a->lambda[k] > 0)) a->known = 0;
  return a->known ? 0 : EPI_NOT_STIFF;
}

int epi_valley_at(epi_valley *a, double t, const double *x)
{
  int m = epi_valley_modes(a), bad = 0;
  if (a->known == m && a->time == t && !memcmp(a->x, x, (size_t)a->n*sizeof *x)) return 0;
  return follow(a, t, x, &bad) || bad ? bad : epi_valley_find(a, t, x, m, 0);
}

void epi_valley_note_one(epi_valley *a)
{
  epi_valley_kept *k = epi_valley_memory(a);
  if (!a->followed) k->beside = a->known == 1 && a->alone && a->slow < 1e-5*a->lambda[0] ? fmax(a->slow/a->lambda[0], 1e-16) : 0;
  memcpy(epi_valley_one(a), a->E, (size_t)a->n*sizeof *a->E);
  *epi_valley_om(a) = sqrt(a->lambda[0]);
}

void epi_valley_split(const epi_valley *a, double *v)
{
  for (int k = 0; k < a->known; k++) {
    double c = epi_dot(a->n, a->E + k*a->n, v);
    for (int i = 0; i < a->n; i++) v[i] -= c*a->E[k*a->n + i];
  }
}
