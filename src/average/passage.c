/* passage.c - what happens to the actions on the way: fast modes that come close (Landau and Zener), resonances that they pass, a valley
 * that grows wide or soft. Looked at after every step that stays */
#include "valley.h"
#include <stdio.h>

#define ALIKE 1e-6                   /* a relative gap: noise of differences */

enum { SELDOM = 8 };                 /* looks between two at how fast modes turn, which costs forces of its own */

static int is_time(double looks) { return looks/SELDOM == floor(looks/SELDOM); }

static double om_of(const epi_valley *a, int k) { return sqrt(a->lambda[k]); }

/* f''[e_k, e_k], one row a mode, in the room of the Hessian; an oscillation that there is has it already */
static int seconds(epi_valley *a, double t)
{
  const double *J = epi_valley_action(a);
  int n = a->n, bad;
  for (int k = 0; k < a->known; k++) {
    double *row = a->H + k*n, b2 = J[k]/om_of(a, k);
    if (!(J[k] > 0)) { if ((bad = epi_valley_second(a, t, a->E + k*n, a->E + k*n, row))) return bad; }
    else for (int i = 0; i < n; i++) row[i] = 2*a->bend[k*n + i]/b2;
  }
  return 0;
}

static void note(double *worst, double *when, double value, double t)
{
  if (!(value > *worst)) return;
  *worst = value;
  if (when) *when = t;
}

static void look_at_shape(epi_valley *a, double t, const double *p)
{
  epi_valley_kept *k = epi_valley_memory(a);
  double p2 = epi_dot(a->n, p, p), pace = sqrt(p2)/k->length;
  memcpy(a->three, a->f, (size_t)a->n*sizeof *a->f);
  epi_valley_split(a, a->three);
  pace = fmax(pace, sqrt(sqrt(epi_dot(a->n, a->three, a->three))/k->length));
  note(&k->kinetic, NULL, 0.5*p2, t);
  /* off the floor modes appear that are none */
  note(&k->close, &k->close_time, (epi_valley_slow(a) - 4*a->lambda[a->known - 1]*a->off/k->length)/a->lambda[0], t);
  double fast = 0;
  for (int i = 0; i < a->known; i++) fast += om_of(a, i)*epi_valley_action(a)[i];
  note(&k->fast, NULL, fast, t);
  for (int i = 1; i < a->known; i++) note(&k->reach, NULL, om_of(a, i)/om_of(a, i - 1) - 1, t);
  for (int i = 0; i < a->known; i++) note(&k->wide, &k->wide_time, sqrt(epi_valley_action(a)[i]/om_of(a, i))/k->length, t);
  if (om_of(a, 0) < k->quick*pace) k->quick = om_of(a, 0)/pace;
}

/* ---- resonances: what may change hands, at most, when the phases are unknown ---- */
static void add_resonance(epi_valley_kept *k, double t, double energy)
{
  if (!(energy > 1e-3*k->kinetic)) return;
  k->doubled++;
  k->doubled_time = t;
  k->doubled_by += energy;
}

/* a distance from a resonance and its rate, at this look and at the last one */
typedef struct { double now, rate, before, had; } detuning;

/* how near it came since the last look: 0: it was passed; infinite: it comes nearer still, or goes away */
static double nearest(const epi_valley *a, double t, const detuning *d)
{
  const epi_valley_kept *k = epi_valley_memory(a);
  double h = t - k->time, way = h < 0 ? -1 : 1;
  if (!k->looked) return fabs(d->now);
  if (d->now*d->before < 0) return 0;
  if (!(way*d->before*d->had < 0 && way*d->now*d->rate >= 0)) return HUGE_VAL;
  double least = d->before + 0.5*d->had*d->had/(d->had - d->rate)*h;
  return least*d->before > 0 ? fmin(fabs(least), fabs(d->now)) : 0;
}

/* what changes hands: actions at this pace while the phases stay, for as long as it takes to pass, or to and fro by as little as they are
   near. most: what there is; om: what an action is worth */
static void exchange(epi_valley *a, double t, const detuning *d, double least, double pace, double most, double om)
{
  epi_valley_kept *k = epi_valley_memory(a);
  if (d->now*d->before < 0 && k->looked) { add_resonance(k, t, om*fmin(most, pace*sqrt(2*EPI_PI/fabs(d->rate)))); return; }
  double energy = om*fmin(most, pace/(least < HUGE_VAL ? least : fabs(d->now)));
  if (!(energy > 1e-3*k->kinetic)) return;
  if (least < HUGE_VAL) {
    k->neared++;
    k->neared_time = t;
    k->neared_by += energy;
  } else k->nearing = fmax(k->nearing, energy);
}

static void look_at_doubling(epi_valley *a, double t, int j, int k, const double *om, const double *slope)
{
  const double *J = epi_valley_action(a), *was = epi_valley_om(a), *had = epi_valley_om_rate(a);
  const detuning d = {om[j] - 2*om[k], slope[j] - 2*slope[k], was[j] - 2*was[k], had[j] - 2*had[k]};
  if (!(J[j] > 0 && J[k] > 0)) return;
  double f = fabs(epi_dot(a->n, a->E + j*a->n, a->H + k*a->n));
  exchange(a, t, &d, nearest(a, t, &d), f/8*sqrt(2*J[j]/om[j])*2*J[k]/om[k], J[j] + 0.5*J[k], om[j]);
}

static int look_at_sum(epi_valley *a, double t, int i, int j, int k, const double *om, const double *slope)
{
  const double *J = epi_valley_action(a), *was = epi_valley_om(a), *had = epi_valley_om_rate(a);
  const detuning d = {om[i] - om[j] - om[k], slope[i] - slope[j] - slope[k], was[i] - was[j] - was[k], had[i] - had[j] - had[k]};
  double least = nearest(a, t, &d);
  int n = a->n, bad;
  /* its pace takes forces: what comes nearer still is asked when it is nearest */
  if (!(least < HUGE_VAL) || (J[i] > 0) + (J[j] > 0) + (J[k] > 0) < 3) return 0;
  if ((bad = epi_valley_second(a, t, a->E + j*n, a->E + k*n, a->three))) return bad;
  double f = fabs(epi_dot(n, a->E + i*n, a->three));
  exchange(a, t, &d, least, f/4*sqrt(8*J[i]*J[j]*J[k]/(om[i]*om[j]*om[k])), J[i] + fmin(J[j], J[k]), om[i]);
  return 0;
}

static int look_at_resonances(epi_valley *a, double t, const double *om, const double *slope)
{
  int m = a->known, bad;
  epi_valley_memory(a)->nearing = 0;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < i; j++) {
      look_at_doubling(a, t, i, j, om, slope);
      for (int k = 0; k < j; k++) if ((bad = look_at_sum(a, t, i, j, k, om, slope))) return bad;
    }
  return 0;
}

/* ---- avoided crossings of two neighbours in frequency ---- */
/* mode k and the next: their gap, its rate, how fast they turn into each other; bent: the rate of gap times slope about there */
typedef struct { double t, gap, slope, turn, bent; } encounter;

static int encounter_of(epi_valley *a, double t, int k, const double *p, encounter *e)
{
  int n = a->n, bad;
  const double *low = a->E + k*n, *high = low + n;
  *e = (encounter){.t = t, .gap = om_of(a, k + 1) - om_of(a, k)};
  if ((bad = epi_valley_second(a, t, low, p, a->three))) return bad;
  e->slope = epi_dot(n, low, a->three)/(2*om_of(a, k));
  e->turn = fabs(epi_dot(n, high, a->three))/(a->lambda[k + 1] - a->lambda[k]);
  if ((bad = epi_valley_second(a, t, high, p, a->three))) return bad;
  e->slope -= epi_dot(n, high, a->three)/(2*om_of(a, k + 1));
  return 0;
}

/* on the cubic between the last look and this one, in the room `there` */
static void between(const epi_valley *a, double t, const double *x, const double *p, double te)
{
  const double *x0 = epi_valley_before(a), *p0 = x0 + a->n;
  double h = t - epi_valley_memory(a)->time, u = (te - epi_valley_memory(a)->time)/h, *y = a->there;
  for (int i = 0; i < a->n; i++) {
    double d = x[i] - x0[i], A = h*p0[i] - d, B = d - h*p[i];
    y[i] = x0[i] + u*(d + (1 - u)*(A*(1 - u) + B*u));
    y[a->n + i] = (d + (1 - 2*u)*(A*(1 - u) + B*u) + u*(1 - u)*(B - A))/h;
  }
}

/* where the gap is least: its square has a slope of almost constant rate there. The modes of the end are found again */
static int meet(epi_valley *a, double t, int k, const double *x, const double *p, double s0, double s1, encounter *e)
{
  double t0 = epi_valley_memory(a)->time, t1 = t, size = s1 - s0, way = t < t0 ? -1 : 1, bent = 0;
  int bad;
  for (int turn = 0; turn < 4; turn++) {
    double te = t0 + (t1 - t0)*s0/(s0 - s1);
    bent = (s1 - s0)/fabs(t1 - t0);
    between(a, t, x, p, te);
    if ((bad = epi_valley_at(a, te, a->there)) || (bad = encounter_of(a, te, k, a->there + a->n, e))) return bad;
    double s = way*e->gap*e->slope;
    if (fabs(s) < 0.01*size) break;
    if (s < 0) t0 = te, s0 = s;
    else t1 = te, s1 = s;
  }
  e->bent = bent;
  if ((bad = epi_valley_at(a, t, x)) || (bad = epi_valley_bend(a, t))) return bad;
  return seconds(a, t);
}

/* both modes oscillate on as each other did: the impulse that this would have given since the crossing is made up for */
static void hop(epi_valley *a, int k, double P, double since, double *p)
{
  double *J = epi_valley_action(a), low = J[k], high = J[k + 1];
  int n = a->n;
  J[k] = (1 - P)*low + P*high;
  J[k + 1] = (1 - P)*high + P*low;
  for (int i = 0; i < n; i++)
    a->three[i] = since*((J[k] - low)*a->H[k*n + i]/(2*om_of(a, k)) + (J[k + 1] - high)*a->H[(k + 1)*n + i]/(2*om_of(a, k + 1)));
  epi_valley_split(a, a->three);
  for (int i = 0; i < n; i++) p[i] += a->three[i];
  a->bent = a->asked = 0;
  epi_valley_memory(a)->hops++;
}

/* that both go on as each other: with gap^2 = delta^2 + (alpha t)^2 about its least the modes turn at alpha delta/(2 gap^2). Modes that
   only come near and hardly turn have a least gap too, and it is not what their turning would make it */
static double chance_of(const encounter *e, double *alpha, double *delta)
{
  double c = 2*e->turn*e->gap*e->gap, s = e->gap*e->slope, least = e->gap*e->gap - (e->bent > 0 ? s*s/e->bent : 0);
  *alpha = hypot(c, s)/e->gap;
  *delta = c/ *alpha;
  if (least > 0.5*e->gap*e->gap) *delta = sqrt(least), *alpha = c/ *delta;
  return *alpha > 0 ? exp(-EPI_PI**delta**delta/(2**alpha)) : 0;
}

static int cross(epi_valley *a, double t, int k, const double *x, double *p, double gap, double slope, int *hopped)
{
  epi_valley_kept *kept = epi_valley_memory(a);
  const double *J = epi_valley_action(a), *was = epi_valley_om(a), *had = epi_valley_om_rate(a);
  double way = t < kept->time ? -1 : 1, s = way*gap*slope, s0 = way*(was[k + 1] - was[k])*(had[k + 1] - had[k]), om = om_of(a, k);
  encounter e;
  /* two that are one all the time exchange nothing that acts */
  if (gap + was[k + 1] - was[k] < ALIKE*om) return 0;
  if (!kept->looked || !(s0 < 0 && s >= 0) || !(om*(J[k] + J[k + 1]) > 1e-3*kept->kinetic)) return 0;
  int bad = meet(a, t, k, x, p, s0, s, &e);
  if (bad) return bad;
  double alpha, delta, P = chance_of(&e, &alpha, &delta), apart = fabs(J[k] - J[k + 1]);
  double spread = 2*sqrt(J[k]*J[k + 1]*P*(1 - P)), lost = P > 0.5 ? 0 : P*apart;
  if (!(om*(spread + P*apart) > 1e-3*kept->kinetic)) return 0;
  kept->crossed++;
  kept->crossed_time = e.t;
  kept->crossed_by += om*fmin(spread + lost, J[k] + J[k + 1]);
  note(&kept->chance, NULL, P, t);
  if (!(P > 0.5)) note(&kept->mixed, &kept->mixed_time, alpha/(2*delta*delta), e.t);
  else hop(a, k, P, t - e.t, p), *hopped = 1;
  return 0;
}

/* at the start there is no way that led here; later a crossing is told by itself, and modes that go on turning are not */
static int look_at_turning(epi_valley *a, double t, const double *p)
{
  epi_valley_kept *kept = epi_valley_memory(a);
  encounter e;
  int bad, much = 0;
  for (int k = 0; k + 1 < a->known; k++) {
    if ((bad = encounter_of(a, t, k, p, &e))) return bad;
    if (!kept->looked) note(&kept->mixed, &kept->mixed_time, e.turn/e.gap, t);
    much |= e.turn > 0.1*e.gap && e.gap > ALIKE*om_of(a, k);
  }
  kept->turned += much;
  return 0;
}

int epi_valley_look(epi_valley *a, double t, const double *x, double *p, int *hopped)
{
  epi_valley_kept *kept = epi_valley_memory(a);
  int n = a->n, m = a->known, bad, any = 0;
  *hopped = 0;
  /* one mode that was followed is looked at with all others now and then; at the start they are known */
  if (a->followed && is_time(++kept->looks) && (bad = epi_valley_find(a, t, x, m, 0))) return bad;
  if (m == 1) epi_valley_note_one(a);
  look_at_shape(a, t, p);
  for (int k = 0; k < m; k++) any |= epi_valley_action(a)[k] > 0;
  if (m > 1 && any) {
    if ((bad = epi_valley_bend(a, t)) || (bad = seconds(a, t))) return bad;
    /* a meeting inside the step uses the room of modes: the numbers of its end stand aside */
    double *om = a->last_om, *slope = om + m;
    for (int k = 0; k < m; k++) { om[k] = om_of(a, k); slope[k] = -epi_dot(n, a->H + k*n, p)/(2*om[k]); }
    if (is_time(kept->looks++) && (bad = look_at_turning(a, t, p))) return bad;
    if ((bad = look_at_resonances(a, t, om, slope))) return bad;
    for (int k = 0; k + 1 < m; k++) if ((bad = cross(a, t, k, x, p, om[k + 1] - om[k], slope[k + 1] - slope[k], hopped))) return bad;
    memcpy(epi_valley_om(a), om, (size_t)m*sizeof *om);
    memcpy(epi_valley_om_rate(a), slope, (size_t)m*sizeof *slope);
    memcpy(epi_valley_before(a), x, (size_t)n*sizeof *x);
    memcpy(epi_valley_before(a) + n, p, (size_t)n*sizeof *p);
  }
  kept->looked = 1;
  kept->time = t;
  return 0;
}

/* ---- what is said of it at the end ---- */
static double in_doubt(const epi_valley_kept *k)
{
  return k->crossed_by*fmin(1, k->reach) + k->doubled_by + k->neared_by + k->nearing;
}

static void doubt_exchange(epi_flow *f, const epi_valley_kept *k)
{
  char crossings[120] = "", passages[110] = "", near[110] = "";
  double all = in_doubt(k);
  if (k->crossed)
    snprintf(crossings, sizeof crossings, "%.0f avoided crossing%s (the last at t = %.3g, %s, chance %.2g)", k->crossed,
             k->crossed > 1 ? "s" : "", k->crossed_time, k->hops ? "followed" : "not followed", k->chance);
  if (k->doubled)
    snprintf(passages, sizeof passages, "%.0f passage%s of a resonance (the last at t = %.3g)", k->doubled, k->doubled > 1 ? "s" : "",
             k->doubled_time);
  if (k->neared)
    snprintf(near, sizeof near, "%.0f resonance%s that it came near to (the last at t = %.3g)", k->neared, k->neared > 1 ? "s" : "",
             k->neared_time);
  else if (k->nearing > 0) snprintf(near, sizeof near, "a resonance that is near at the end");
  epi_warn(f, "adiabatic: %s%s%s%s%s: up to %.2g of a slow energy of %.2g is in doubt, as fast modes exchange it by their phases; "
           "integrate directly where that matters", crossings, k->crossed && k->doubled ? " and " : "", passages,
           near[0] && (k->crossed || k->doubled) ? " and " : "", near, fmin(all, k->kinetic), k->kinetic);
}

void epi_valley_doubt(epi_flow *f)
{
  const epi_valley *a = f->own;
  const epi_valley_kept *k = epi_valley_memory(a);
  if (!k->begun) return;
  if (k->close > 1e-2)
    epi_warn(f, "adiabatic: the scales are not apart at t = %.3g, where the slow stiffness is %.2g of the fast one: integrate directly, or "
             "give modes", k->close_time, k->close);
  if (k->wide > 0.05)
    epi_warn(f, "adiabatic: the fast oscillation is not small at t = %.3g, with an amplitude of %.2g of the length %.3g: integrate "
             "directly, or give length", k->wide_time, k->wide, k->length);
  if (k->quick < 50)
    epi_warn(f, "adiabatic: the slow motion is not slow, with %.2g radians of the slowest stiff mode while it goes the length %.3g: "
             "integrate directly, or give length", k->quick, k->length);
  if (in_doubt(k) > 0.015*k->kinetic) doubt_exchange(f, k);
  if (!(k->fast*fmin(1, k->reach) > 0.015*k->kinetic)) return;
  if (k->turned > fmax(2, 0.1*k->looks/SELDOM))
    epi_warn(f, "adiabatic: two stiff modes of nearly the same frequency turn into each other for %.0f %% of the run faster than a "
             "tenth of their beat, and exchange energy that it takes for constant: integrate directly",
             100*fmin(1, k->turned*SELDOM/k->looks));
  if (k->mixed > 0.05)
    epi_warn(f, "adiabatic: two stiff modes turn into each other at t = %.3g, at %.2g of their beat, and exchange energy that it takes for "
             "constant: integrate directly until they are apart, or give actions", k->mixed_time, k->mixed);
}
