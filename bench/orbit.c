/* orbit.c - work and precision on a Kepler orbit of eccentricity 0.8 over a thousand periods: adaptive symplectic flows against other
 * adaptive codes, all in one run. A time counts with its phase error only.
 * bench_orbit [FILE.svg]: the picture too, phase error against time */
#include "orbit.h"
#include "hmm_runs.h"
#include <stdio.h>
#include <string.h>

enum { TURNS = 7 };

static const orbit_code *const CODES[ORBIT_CODES] = {
  [ORBIT_SCALED] = &orbit_scaled, [ORBIT_TENTH] = &orbit_tenth, [ORBIT_DENSITY] = &orbit_density, [ORBIT_SYMMETRIC] = &orbit_symmetric,
  [ORBIT_BY_HAND] = &orbit_by_hand, [ORBIT_BY_CALL] = &orbit_by_call,
  [ORBIT_PEERS] = &orbit_rk8pd, &orbit_fehlberg78, &orbit_bulirsch_stoer, &orbit_adams, &orbit_bdf
};

typedef struct { int met, missed, wrong; } tally;

static void wrong_unless(tally *sum, int good, const char *what)
{
  if (good) return;
  printf("  FAIL: %s\n", what);
  sum->wrong++;
}

/* ---- a run and its errors ---- */
static const double START[4] = {0.2, 0, 0, 3};

static double energy(const double *y) { return 0.5*(y[2]*y[2] + y[3]*y[3]) - 1/sqrt(y[0]*y[0] + y[1]*y[1]); }

/* mean anomaly on the ellipse through y, less that of the true orbit. Where the energy is off by so much that whole turns may have been
   lost, a small remainder means nothing */
static double phase(double t, const double *y)
{
  double a = -0.5/energy(y), r = sqrt(y[0]*y[0] + y[1]*y[1]);
  double x = 1 - r/a, z = (y[0]*y[2] + y[1]*y[3])/sqrt(a);             /* e cos E, e sin E */
  if (!(fabs(energy(y) + 0.5) < 1e-4)) return HUGE_VAL;
  return fabs(remainder(atan2(z, x) - z - t, ORBIT_YEAR));
}

static orbit_point run(const orbit_code *c, double setting, long *calls)
{
  double y[4], t = 0;
  orbit_point p = {.setting = setting};
  memcpy(y, START, sizeof y);
  double begin = hmm_now();
  int bad = c->run(setting, &t, y, calls);
  p.seconds = hmm_now() - begin;
  p.phase = bad ? HUGE_VAL : phase(t, y);
  p.energy = bad ? HUGE_VAL : fabs(energy(y) + 0.5)/0.5;
  p.calls = calls ? *calls : 0;
  return p;
}

/* the first run of a setting counts evaluations; the timed ones take turns with those of all other codes, so that all meet the same
   machine. What takes longer than a tenth of a second is not repeated */
static void scan(orbit_scan *all)
{
  for (int k = 0; k < ORBIT_CODES; k++) {
    const orbit_code *c = all[k].code = CODES[k];
    all[k].n = c->run ? 1 + (int)lround(log(c->last/c->first)/log(c->factor)) : 0;
    for (int i = 0; i < all[k].n; i++) {
      long calls = 0;
      all[k].at[i] = run(c, c->first*pow(c->factor, i), &calls);
    }
  }
  for (int turn = 0; turn < TURNS; turn++)
    for (int k = 0; k < ORBIT_CODES; k++)
      for (int i = 0; i < all[k].n; i++) {
        orbit_point *p = &all[k].at[i];
        if (p->seconds < 0.1) p->seconds = fmin(p->seconds, run(all[k].code, p->setting, NULL).seconds);
      }
}

static void table(const orbit_scan *o)
{
  if (!o->n) { printf("\n%s: not installed\n", o->code->name); return; }
  printf("\n%-56s %12s %12s %12s %12s\n", o->code->name, "phase", "energy", "evaluations", "ms");
  /* every second row: the verdicts name those between */
  for (int i = 0; i < o->n; i += o->n > 8 ? 2 : 1) {
    const orbit_point *p = &o->at[i];
    const char *what = p->setting < 1 ? "tolerance" : "steps a period";
    printf("  %-42s %11.4g %12.2e %12.2e %12ld %12.2f\n", what, p->setting, p->phase, p->energy, p->calls, 1e3*p->seconds);
  }
}

/* ---- by hand: one leap ---- */
static const orbit_point *setting_of(const orbit_scan *o, double setting)
{
  for (int i = 0; i < o->n; i++) if (fabs(o->at[i].setting - setting) < 1e-9*setting) return &o->at[i];
  return NULL;
}

static void leaps(tally *sum, const orbit_scan *all)
{
  printf("\none leap of scaled, ns; steps a period%18s %12s %12s %12s %12s\n", "scaled", "by hand", "by a call", "over hand", "over call");
  for (int i = 0; i < all[ORBIT_BY_HAND].n; i++) {
    const orbit_point *hand = &all[ORBIT_BY_HAND].at[i], *call = &all[ORBIT_BY_CALL].at[i],
      *o = setting_of(&all[ORBIT_SCALED], hand->setting);
    double of[] = {1e9*o->seconds/(double)hand->calls, 1e9*hand->seconds/(double)hand->calls, 1e9*call->seconds/(double)call->calls};
    printf("  %-42g %11.1f %12.1f %12.1f %12.3f %12.3f\n", hand->setting, of[0], of[1], of[2], of[0]/of[1], of[0]/of[2]);
    wrong_unless(sum, fabs(o->phase - hand->phase) <= 0.02*hand->phase + 1e-9, "scaled and the loop by hand have different phases");
  }
}

/* ---- the time that a phase error takes ---- */
/* the cheapest setting below the mark, be it by luck: the errors of some codes jump about with the tolerance */
static const orbit_point *cheapest(const orbit_scan *o, double mark)
{
  const orbit_point *best = NULL;
  for (int i = 0; i < o->n; i++) if (o->at[i].phase <= mark && (!best || o->at[i].seconds < best->seconds)) best = &o->at[i];
  return best;
}

/* the time at the mark on the line, both logarithmic, from a setting above it to the next one below */
static double between(const orbit_scan *o, double mark)
{
  const orbit_point *best = cheapest(o, mark);
  double seconds = best ? best->seconds : HUGE_VAL;
  for (int i = 0; i + 1 < o->n; i++) {
    const orbit_point *a = &o->at[i], *b = a + 1;
    if (!(a->phase > mark && b->phase <= mark) || isinf(a->phase)) continue;
    double x = log(a->phase/mark)/log(a->phase/b->phase);
    seconds = fmin(seconds, a->seconds*pow(b->seconds/a->seconds, x));
  }
  return seconds;
}

typedef struct { double cheapest, between; } reach;

static reach reach_of(const orbit_scan *o, double mark)
{
  const orbit_point *p = cheapest(o, mark);
  reach r = {p ? p->seconds : HUGE_VAL, between(o, mark)};
  if (p) printf("  %-50s %11.4g %12.2e %12.2f %12.2f\n", o->code->name, p->setting, p->phase, 1e3*r.cheapest, 1e3*r.between);
  else if (o->n) printf("  %-50s does not get there\n", o->code->name);
  return r;
}

/* both rules are the same for all; the one that is better for the peers decides */
static void verdict(tally *sum, const char *what, reach ours, reach peer, double bar)
{
  double x = ours.cheapest/peer.cheapest, y = ours.between/peer.between;
  int meets = fmax(x, y) <= bar;
  if (isinf(peer.cheapest)) printf("  %-50s %24s no peer gets there      ", what, "");
  else printf("  %-50s %24s %12.4g %12.4g", what, "", x, y);
  printf("   bar %-6g %s\n", bar, meets ? "meets" : "MISSES");
  *(meets ? &sum->met : &sum->missed) += 1;
}

static void judge(tally *sum, const orbit_scan *all, double mark, double bar)
{
  int there = 0;
  reach r[ORBIT_CODES], peer = {HUGE_VAL, HUGE_VAL};
  printf("\nphase error %-40.0e %11s %12s %12s %12s\n", mark, "setting", "phase", "ms", "between, ms");
  for (int k = 0; k < ORBIT_CODES; k++) if (k < ORBIT_BY_HAND || k >= ORBIT_PEERS) r[k] = reach_of(&all[k], mark);
  for (int k = ORBIT_PEERS; k < ORBIT_CODES; k++) {
    peer = (reach){fmin(peer.cheapest, r[k].cheapest), fmin(peer.between, r[k].between)};
    there += all[k].n > 0;
  }
  wrong_unless(sum, r[ORBIT_SCALED].cheapest < HUGE_VAL, "scaled does not reach the phase error");
  if (!there) { printf("  no peer is installed\n"); return; }
  verdict(sum, "scaled, order 8, over the fastest peer", r[ORBIT_SCALED], peer, bar);
  verdict(sum, "scaled, order 10, over the fastest peer", r[ORBIT_TENTH], peer, bar);
}

int main(int argc, char **argv)
{
  static orbit_scan all[ORBIT_CODES];
  tally sum = {0};
  printf("Kepler orbit, e = 0.8, 1000 periods; thread time, min of %d\n", TURNS);
  scan(all);
  for (int k = 0; k < ORBIT_CODES; k++) table(&all[k]);
  leaps(&sum, all);
  judge(&sum, all, 1e-6, 0.25);
  judge(&sum, all, 1e-8, 0.25);
  printf("\nbars: %d met, %d missed\nanswers: %s\n", sum.met, sum.missed, sum.wrong ? "FAIL" : "all good");
  if (argc > 1 && orbit_picture(argv[1], all)) { fprintf(stderr, "%s cannot be written\n", argv[1]); return 1; }
  if (argc > 1) printf("picture: %s\n", argv[1]);
  return sum.wrong > 0;
}
