/* roller-bearing-start.c - where a roller bearing under load stands still: every roller between its two races and the centrifugal force,
 * the inner ring between all of them and the load. Newton's method in short steps, rollers inside, the ring around them */
#include "roller-bearing.h"

/* weak springs along the axis and about the orbit: a roller without load has a place too */
static const double hold_axial = 1e4, hold_tilt = 0.1;
/* outwards, m/s^2: where a bearing hardly turns, a roller without load still lies against the outer race, by less than its weight */
static const double slowest = 2;
/* steps of Newton's method: of a roller, of the ring */
static const double longest[3] = {1e-6, 2e-5, 2e-3}, longest_ring = 3e-6;

epi_roller_frame epi_roller_frame_of(const epi_roller_bearing *b, int roller, double turned)
{
  int z = (int)b->p[Z], row = roller/z;
  double az = 2*EPI_PI*(roller % z)/z + (row ? EPI_PI/z : 0) + turned, c = cos(b->al), s = sin(b->al), sigma = row ? -1 : 1;
  double er[2] = {cos(az), sin(az)};
  return (epi_roller_frame){.n = {c*er[0], c*er[1], sigma*s}, .t = {-er[1], er[0], 0}, .a = {-sigma*s*er[0], -sigma*s*er[1], c},
                            .sigma = sigma};
}

/* at rest, tilted about the orbit */
void epi_roller_pose(const epi_roller_bearing *b, const epi_roller_frame *f, const double *x, epi_pose *p)
{
  double c = cos(x[TH]), s = sin(x[TH]);
  *p = (epi_pose){.e = NULL};
  for (int i = 0; i < 3; i++) {
    p->r[i] = (b->Rm + x[UN])*f->n[i] + x[UA]*f->a[i];
    p->R[3*i] = c*f->n[i] - s*f->a[i];
    p->R[3*i + 1] = f->t[i];
    p->R[3*i + 2] = c*f->a[i] + s*f->n[i];
  }
}

/* a roller on the sphere of the outer ring, or in its groove of the inner one */
epi_contact epi_roller_race(const epi_roller_bearing *b, int roller, int race)
{
  const double *p = b->p, sigma = roller < b->rollers/2 ? 1 : -1;
  return (epi_contact){
    .shape = EPI_ROLLER_GROOVE, .kind = epi_contact_kinds()[EPI_ROLLER_GROOVE], .a = ROLLERS + roller, .b = race ? INNER : OUTER,
    .radius = p[D]/2, .other = race ? p[GROOVE] : b->Rso, .circle = race ? b->Rci : 0, .at = {0, 0, race ? sigma*b->zci : 0},
    .own = (double *)b->own,
    .law = {.K = b->K, .power = 10./9, .chi = p[CHI], .mu = p[MU], .vs = p[VS], .slices = (int)p[SLICES]}};
}

static double dot(const double *a, const double *b) { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2]; }

/* what is left of the balance of a roller, and what it does to the inner ring */
typedef struct { double r[3], ring[3]; } balance;
typedef struct { const epi_roller_bearing *b; epi_roller_frame f; epi_contact race[2]; double *x, J[9], D[9]; } station;

static int balance_of(const station *s, const double *x, const double *ring, balance *out)
{
  const epi_roller_bearing *b = s->b;
  epi_pose roller, held = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  double F[3], M[3], fc = b->m*fmax(b->Rm*cos(b->al)*b->orbit*b->orbit, slowest);
  epi_action act[2] = {{.load = 0}};
  epi_roller_pose(b, &s->f, x, &roller);
  if (s->race[0].kind->act(&s->race[0], 0, &roller, &held, &act[0])) return -1;
  memcpy(held.r, ring, sizeof held.r);
  if (s->race[1].kind->act(&s->race[1], 0, &roller, &held, &act[1])) return -1;
  for (int i = 0; i < 3; i++) {
    F[i] = act[0].force[i] + act[1].force[i];
    M[i] = act[0].moment[0][i] + act[1].moment[0][i];
    out->ring[i] = -act[1].force[i];
  }
  out->r[UN] = dot(F, s->f.n) + fc*cos(b->al);
  out->r[UA] = dot(F, s->f.a) - s->f.sigma*fc*sin(b->al) - hold_axial*x[UA];
  out->r[TH] = dot(M, s->f.t) - hold_tilt*x[TH];
  return isfinite(out->r[0] + out->r[1] + out->r[2]) ? 0 : -1;
}

static const double nudge[3] = {1e-9, 1e-9, 1e-7};

/* J: of the balance by the roller's place; D: of the force on the ring by it */
static int slopes(station *s, const double *ring, const balance *here)
{
  for (int k = 0; k < 3; k++) {
    double x[3] = {s->x[0], s->x[1], s->x[2]};
    balance there;
    x[k] += nudge[k];
    if (balance_of(s, x, ring, &there)) return -1;
    for (int i = 0; i < 3; i++) {
      s->J[3*i + k] = (there.r[i] - here->r[i])/nudge[k];
      s->D[3*i + k] = (there.ring[i] - here->ring[i])/nudge[k];
    }
  }
  /* in a gap nothing resists, and no step is longer than it may be */
  s->J[0] -= 1e-3 + fabs(here->r[UN])/longest[UN];
  return 0;
}

/* x + dx, and half of that again and again while it goes far past the balance: what is stored is convex, but slices that come and go make
   kinks of its slope */
static int go_along(station *s, const double *ring, const double *dx, balance *here)
{
  const double from[3] = {s->x[0], s->x[1], s->x[2]}, down = dot(here->r, dx);
  for (double part = 1; part > 1e-13; part /= 2) {
    for (int k = 0; k < 3; k++) s->x[k] = from[k] + part*dx[k];
    if (balance_of(s, s->x, ring, here)) return -1;
    if (dot(here->r, dx) >= -0.3*down) break;
  }
  return 0;
}

/* a roller, where the ring stands; small is a force that counts for nothing */
static int settle(station *s, const double *ring, double small, balance *here)
{
  double reach = 0.5*s->b->p[LENGTH];
  if (balance_of(s, s->x, ring, here)) return -1;
  for (int it = 0; it < 300; it++) {
    if (slopes(s, ring, here)) return -1;
    if (fmax(fabs(here->r[UN]), fmax(fabs(here->r[UA]), fabs(here->r[TH])/reach)) < small) return 0;
    double J[9], dx[3] = {-here->r[0], -here->r[1], -here->r[2]}, cut = 1;
    memcpy(J, s->J, sizeof J);
    if (epi_solve(3, J, dx)) return -1;
    /* where differences lie across a kink, each by itself */
    int down = dot(here->r, dx) > 0;
    for (int k = 0; k < 3 && !down; k++) dx[k] = here->r[k]/fmax(fabs(s->J[4*k]), 1e-3);
    for (int k = 0; k < 3; k++) cut = fmin(cut, longest[k]/fabs(dx[k]));
    for (int k = 0; k < 3; k++) dx[k] *= cut;
    if (go_along(s, ring, dx, here)) return -1;
  }
  return -1;
}

/* what the ring feels of this roller when it moves: at once, and by the roller that gives way */
static int give_way(station *s, const double *ring, const balance *here, double K[9])
{
  for (int k = 0; k < 3; k++) {
    double at[3] = {ring[0], ring[1], ring[2]}, J[9], dx[3];
    balance there;
    at[k] += nudge[0];
    if (balance_of(s, s->x, at, &there)) return -1;
    for (int i = 0; i < 3; i++) dx[i] = -(there.r[i] - here->r[i])/nudge[0];
    memcpy(J, s->J, sizeof J);
    if (epi_solve(3, J, dx)) return -1;
    for (int i = 0; i < 3; i++)
      K[3*i + k] += (there.ring[i] - here->ring[i])/nudge[0] + s->D[3*i]*dx[0] + s->D[3*i + 1]*dx[1] + s->D[3*i + 2]*dx[2];
  }
  return 0;
}

/* one sweep over all rollers: the force that is left on the ring, and its stiffness */
static int around(epi_roller_bearing *b, station *all, double small, double *F, double *K)
{
  for (int i = 0; i < b->rollers; i++) {
    balance here;
    if (settle(&all[i], b->ring, small, &here) || give_way(&all[i], b->ring, &here, K)) return -1;
    for (int k = 0; k < 3; k++) F[k] += here.ring[k];
  }
  for (int k = 0; k < 3; k++) K[4*k] -= 1e-3 + fabs(F[k])/longest_ring;
  return 0;
}

int epi_roller_rest(epi_roller_bearing *b, const double load[3])
{
  double size = sqrt(dot(load, load)), small = 1e-6*b->m*9.81 + 1e-11*size;
  station *all = calloc((size_t)b->rollers, sizeof *all);
  int found = -1;
  if (!all) return -2;
  for (int i = 0; i < b->rollers; i++) {
    all[i] = (station){.b = b, .f = epi_roller_frame_of(b, i, 0), .race = {epi_roller_race(b, i, 0), epi_roller_race(b, i, 1)},
                       .x = b->at + 3*i};
    for (int k = 0; k < 2; k++) all[i].race[k].law.mu = all[i].race[k].law.chi = 0;
  }
  for (int it = 0; it < 200; it++) {
    double F[3] = {load[0], load[1], load[2]}, K[9] = {0};
    if (around(b, all, small, F, K)) break;
    if (fmax(fabs(F[0]), fmax(fabs(F[1]), fabs(F[2]))) < 100*small) { found = 0; break; }
    if (epi_solve(3, K, F)) break;
    for (int k = 0; k < 3; k++) b->ring[k] -= fmax(-longest_ring, fmin(longest_ring, F[k]));
  }
  free(all);
  return found;
}
