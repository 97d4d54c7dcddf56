/* holds: forces of the roller bearing on all bodies are those of references, with right by-products and balances
 * roller-bearing.c - the roller bearing: forces on all bodies against figures computed elsewhere, its start, loads at rest, action and
 * reaction, energies, slices by vectors, by-products, and what cannot be built */
#include "roller-bearings.h"
#include "body/roller.h"

static const double PI = 3.14159265358979323846;

/* accelerations by the contacts, gravity and the gyroscopic torques, each column against its largest entry */
static void right_hand_side(const char *file)
{
  static double y[NQ + NV], want[BODIES][6], f[NV];
  read_rows(file, y, want);
  epi_case *c = bearing_make(R1);
  epi_system *m = epi_world_names(c->world)[1].system;
  check_text(epi_world_names(c->world)[1].name, "model.contacts");
  check(!m->force(m, 0, y, f) && !m->velocity_force(m, 0, y, y + NQ, f));
  double worst = 0, most[6] = {0};
  for (int i = 0; i < BODIES; i++) for (int k = 0; k < 6; k++) most[k] = fmax(most[k], fabs(want[i][k]));
  for (int k = 0; k < 6; k++)
    for (int i = 0; i < BODIES; i++) {
      double off = fabs(f[6*i + k]/m->mass[6*i + k] - want[i][k])/most[k];
      worst = fmax(worst, off);
      if (!(off < 1e-8)) printf("body %d, column %d: %.12g instead of %.12g\n", i, k, f[6*i + k]/m->mass[6*i + k], want[i][k]);
    }
  printf("%s: accelerations to %.2g of the largest in their column\n", strrchr(file, '/') + 1, worst);
  check_below(worst, 1e-8);
  epi_case_free(c);
}

/* ---- the start and loads at rest ---- */
static void made_of(void)
{
  epi_case *c = bearing_make(R1);
  const double *m = c->system.mass;
  check_count(c->system.nq, NQ);
  check_count(c->system.nv, NV);
  check_array(6, m, ((double[]){0.22, 0.22, 0.22, 1.65e-4, 1.65e-4, 3.1e-4}), 0);
  check_array(6, m + 6, ((double[]){0.148, 0.148, 0.148, 4.6e-5, 4.6e-5, 7.9e-5}), 0);
  check_array(6, m + 12, ((double[]){0.06, 0.06, 0.06, 2.7e-5, 2.7e-5, 5e-5}), 0);
  check_rel(m[18], 4.678307166e-3, 1e-9);
  check_rel(m[21], 5.463755302e-8, 3e-9);
  check_rel(m[23], 5.081220149e-8, 3e-9);
  epi_case_free(c);
  /* the start is that of the file, as it was printed */
  static double y[NQ + NV], a[BODIES][6];
  read_rows(TEST_SOURCE "/tests/data/roller-init-R1.txt", y, a);
  c = bearing_make(R1);
  /* a rotation is two quaternions */
  for (int i = 0; i < NQ; i++) {
    int first = i - i % 7 + 3, turned = i % 7 >= 3 && fabs(c->y[first] - y[first]) > fabs(c->y[first] + y[first]);
    check_abs(c->y[i], turned ? -y[i] : y[i], i % 7 < 3 ? 1e-13 : 1e-10);
  }
  for (int i = 0; i < NV; i++) check_abs(c->y[NQ + i], y[NQ + i], i % 6 < 3 ? 1e-9 : 1e-7);
  epi_case_free(c);
}

static void at_rest(void)
{
  epi_case *c = bearing_make("roller-bearing(offset=0)");
  epi_state s = epi_case_state(c);
  static const struct { int roller; double Q; } loads[] = {{13, 1790.0556}, {14, 1422.4980}, {15, 476.5168}, {16, 2.7098}, {29, 1713.7229},
                                                           {30, 1007.0408}, {31, 74.2824}, {5, 2.4535}, {21, 2.4535}};
  for (size_t k = 0; k < sizeof loads/sizeof *loads; k++)
    check_abs(bearing_contact(c, &s, "outer", loads[k].roller).load, loads[k].Q, 6e-5);
  check_abs(observed(c, "y", &s), -30.61313e-6, 6e-12);
  check_abs(observed(c, "z", &s), -0.294e-6, 6e-10);
  check_abs(observed(c, "tilt", &s), 9.538e-5, 6e-9);
  epi_pose p = epi_world_pose(c->world, &s, BODY_ROLLERS + 12);
  double al = 10.5*PI/180, out = -p.r[1]*cos(al) + p.r[2]*sin(al), along = p.r[1]*sin(al) + p.r[2]*cos(al);
  check_abs(out - 30.75e-3, 15.0350e-6, 6e-11);
  check_abs(along, -3.083e-6, 6e-10);
  epi_case_free(c);
  /* by the number of slices: place of the ring, two loads */
  static const struct { int slices; double y, Q[2]; } fine[] = {
    {5, 30.5333, {1800.17, 1432.86}}, {10, 30.5862, {1789.66, 1422.31}}, {20, 30.6089, {1790.01, 1422.49}},
    {40, 30.6141, {1789.95, 1422.39}}, {120, 30.6154, {1789.83, 1422.26}}};
  for (size_t k = 0; k < sizeof fine/sizeof *fine; k++) {
    char text[80];
    snprintf(text, sizeof text, "roller-bearing(slices=%d)", fine[k].slices);
    c = bearing_make(text);
    s = epi_case_state(c);
    check_abs(-1e6*observed(c, "y", &s), fine[k].y, 6e-5);
    check_abs(bearing_contact(c, &s, "outer", 13).load, fine[k].Q[0], 6e-3);
    check_abs(bearing_contact(c, &s, "outer", 12).load, fine[k].Q[1], 6e-3);
    epi_case_free(c);
  }
  /* along the axis one row carries, by the sine of its angle; both loads */
  c = bearing_make("roller-bearing(radial=0, axial=2000, speed=1)");
  s = epi_case_state(c);
  double Q = bearing_contact(c, &s, "outer", 1).load;
  check_rel(Q, 677.7, 1e-3);
  check_rel(Q, 2000/(16*sin(10.61*PI/180)), 2e-3);
  check_below(bearing_contact(c, &s, "outer", 17).load, 1);
  epi_case_free(c);
  c = bearing_make("roller-bearing(radial=8000, axial=2000)");
  s = epi_case_state(c);
  check_abs(observed(c, "Qo", &s), 2031.48, 0.02);
  epi_case_free(c);
}

/* ---- a state in the middle of things ---- */
static void busy(epi_case *c, epi_state *s)
{
  static double y[NQ + NV], a[BODIES][6];
  read_rows(TEST_SOURCE "/tests/data/roller-rhs.txt", y, a);
  *s = epi_case_state(c);
  memcpy(s->y, y, sizeof y);
}

static const struct { const char *word; int n, b; } contacts[] = {
  {"outer", ROLLERS, BODY_OUTER}, {"inner", ROLLERS, BODY_INNER}, {"pocket-a", ROLLERS, BODY_CAGE}, {"pocket-b", ROLLERS, BODY_CAGE},
  {"stop", ROLLERS, BODY_CAGE}, {"land", 2, BODY_INNER}};
enum { WORDS = sizeof contacts/sizeof *contacts };

/* the forces are opposite by construction, so it is the moment about one point that counts */
static void reaction(void)
{
  epi_case *c = bearing_make(R1);
  epi_state s;
  double worst = 0, about[] = {0.01, -0.02, 0.005};
  int touching[WORDS] = {0};
  busy(c, &s);
  for (int k = 0; k < WORDS; k++)
    for (int i = 0; i < contacts[k].n; i++) {
      epi_action a = bearing_contact(c, &s, contacts[k].word, i + 1);
      epi_pose p = epi_world_pose(c->world, &s, k == WORDS - 1 ? BODY_CAGE : BODY_ROLLERS + i),
               q = epi_world_pose(c->world, &s, contacts[k].b);
      touching[k] += a.load > 0;
      for (int j = 0; j < 3; j++) {
        int l = (j + 1)%3, m = (j + 2)%3;
        double M = (p.r[l] - about[l])*a.force[m] - (p.r[m] - about[m])*a.force[l] + a.moment[0][j] + a.moment[1][j];
        worst = fmax(worst, fabs(M - (q.r[l] - about[l])*a.force[m] + (q.r[m] - about[m])*a.force[l]));
      }
    }
  printf("action and reaction: a moment of %.2g N m is left of one contact; touching:", worst);
  for (int k = 0; k < WORDS; k++) printf(" %d of %d %s", touching[k], contacts[k].n, contacts[k].word);
  printf("\n");
  check_below(worst, 1e-13);
  for (int k = 0; k < WORDS; k++) check_above(touching[k], 0);
  epi_case_free(c);
}

/* without friction and damping force and moment are what the stored energy loses, but for the foot point of the groove; and turning the
   outer ring about its centre changes nothing */
static void energies(void)
{
  epi_case *c = bearing_make("roller-bearing(mu=0, chi=0)");
  epi_state s;
  busy(c, &s);
  epi_system *m = &c->system;
  double start[NQ], u[NV], worst[2] = {0};
  memcpy(start, s.y, sizeof start);
  for (int race = 0; race < 2; race++)
    for (int k = 0; k < 6; k++) {
      const char *word = race ? "inner" : "outer";
      double e = k < 3 ? 1e-9 : 1e-7, W[2];
      epi_action a = bearing_contact(c, &s, word, 13);
      for (int up = 0; up < 2; up++) {
        memset(u, 0, sizeof u);
        u[6*(BODY_ROLLERS + 12) + k] = up ? e : -e;
        m->manifold.retract(m, start, u, s.y);
        W[up] = bearing_contact(c, &s, word, 13).energy;
      }
      memcpy(s.y, start, sizeof start);
      epi_pose p = epi_world_pose(c->world, &s, BODY_ROLLERS + 12);
      double F = k < 3 ? a.force[k] : p.R[k - 3]*a.moment[0][0] + p.R[k]*a.moment[0][1] + p.R[k + 3]*a.moment[0][2];
      worst[race] = fmax(worst[race], fabs(F + (W[1] - W[0])/(2*e))/(a.load*(k < 3 ? 1 : 4e-3)));
    }
  printf("energy and force: to %.1e at the sphere, %.1e at the groove\n", worst[0], worst[1]);
  check_below(worst[0], 1e-6);
  check_below(worst[1], 1e-5);
  double before = observed(c, "Qo-sum", &s);
  memset(u, 0, sizeof u);
  u[3] = 0.02, u[4] = -0.01, u[5] = 0.7;
  m->manifold.retract(m, start, u, s.y);
  check_rel(observed(c, "Qo-sum", &s), before, 1e-11);
  epi_case_free(c);
}

/* ---- slices two at a time ---- */
static void forces_of(epi_system *m, const double *y, double *f)
{
  memset(f, 0, NV*sizeof *f);
  check_count(m->velocity_force(m, 0, y, y + NQ, f), 0);
}

/* all together or one by one, in several states: among them one with an odd number of slices */
static void by_vectors(void)
{
  static const char *const texts[] = {R1, "roller-bearing(slices=7)", "roller-bearing(slices=1)", "roller-bearing(mu=0)"};
  for (size_t k = 0; k < sizeof texts/sizeof *texts; k++) {
    epi_case *c = bearing_make(texts[k]);
    epi_world *w = c->world;
    epi_system *m = epi_world_names(w)[1].system;
    epi_state s;
    double a[NV], b[NV], f[NV], size = 0, miss = 0;
    epi_rollers *all = w->rollers;
    epi_link *link = calloc((size_t)m->contacts.links, sizeof *link);
    busy(c, &s);
    check(all && m->contacts.links == w->pairs + 2*ROLLERS);
    forces_of(m, s.y, b);
    int apart = w->kinds[0];
    w->rollers = NULL;
    w->kinds[0] += 2*ROLLERS;
    forces_of(m, s.y, a);
    w->rollers = all;
    w->kinds[0] = apart;
    for (int i = 0; i < NV; i++) { miss = fmax(miss, fabs(a[i] - b[i])); size = fmax(size, fabs(a[i])); }
    printf("%s by vectors: to %.1e of the largest force\n", texts[k], miss/size);
    check_below(miss, 1e-12*size);
    check_above(size, 1000);
    /* with by-products: the same bits */
    check(!m->force(m, 0, s.y, f) && !m->velocity_force(m, 0, s.y, s.y + NQ, f));
    check_count(m->contacts.linked_force(m, 0, s.y, s.y + NQ, b, link), 0);
    check_bits(NV, b, f);
    free(link);
    epi_case_free(c);
  }
  double worst = 0;
  for (double x = 1e-30; x < 1; x *= 1.037) worst = fmax(worst, fabs(epi_ninth_root(x)/pow(x, 1./9) - 1));
  printf("x^(1/9): to %.1e\n", worst);
  check_below(worst, 4e-15);
}

/* what a roller feels of its own motion, from all its links, against differences of the forces without friction; the stiffness of a
   contact, and how it resists tilt. What comes of turning normals is left away */
static void by_products(void)
{
  epi_case *c = bearing_make("roller-bearing(mu=0, chi=1e-12, offset=0, speed=1)");
  epi_system *m = epi_world_names(c->world)[1].system;
  epi_link *link = calloc((size_t)m->contacts.links, sizeof *link);
  epi_state s = epi_case_state(c);
  double f[NV], g[NV], u[NV], y[NQ + NV], most[2] = {0}, off[2] = {0};
  int at = 6*(BODY_ROLLERS + 12);
  check_count(m->contacts.linked_force(m, 0, s.y, s.y + NQ, f, link), 0);
  for (int col = 0; col < 6; col++) {
    double K[6] = {0}, e = col < 3 ? 1e-10 : 1e-8;
    for (int i = 0; i < m->contacts.links; i++)
      for (int end = 0; end < 2 && link[i].stiffness > 0; end++) {
        if (!m->contacts.link_ends[i].n[end] || m->contacts.link_ends[i].at[end] != at) continue;
        const double *G = link[i].G[0] + 6*end;
        for (int k = 0; k < 6; k++) K[k] -= link[i].stiffness*G[k]*G[col];
      }
    for (int up = 0; up < 2; up++) {
      memset(u, 0, sizeof u);
      u[at + col] = up ? e : -e;
      memcpy(y, s.y, sizeof y);
      m->manifold.retract(m, s.y, u, y);
      forces_of(m, y, up ? g : f);
    }
    for (int k = 0; k < 6; k++) {
      int turn = col > 2;
      if ((k > 2) != turn) continue;
      most[turn] = fmax(most[turn], fabs(K[k]));
      off[turn] = fmax(off[turn], fabs(K[k] - (g[at + k] - f[at + k])/(2*e)));
    }
  }
  printf("by-products: %.4g N/m to %.1e, %.4g N m/rad to %.1e\n", most[0], off[0]/most[0], most[1], off[1]/most[1]);
  check_rel(most[0], 5.6e8, 0.2);
  check_below(off[0]/most[0], 0.01);
  check_below(off[1]/most[1], 0.03);
  free(link);
  epi_case_free(c);
}

/* ---- what cannot be ---- */
static void refusals(void)
{
  static const struct { const char *text, *words; } WRONG[] = {
    {"roller-bearing(Z=0)", "take 4 to 100"}, {"roller-bearing(Z=20)", "do not fit beside each other"},
    {"roller-bearing(Z=16.5)", "whole number"}, {"roller-bearing(Z=17, pocket.clearance=1e-3)", "the pockets overlap"},
    {"roller-bearing(D=-9.5e-3)", "D = -0.0095 must be positive"}, {"roller-bearing(D=9.5)", "lengths are in m, and 9.5 mm is D=0.0095"},
    {"roller-bearing(L=0)", "L = 0 must be positive"}, {"roller-bearing(Le=9e-3)", "Le = 0.009 m of a roller carries"},
    {"roller-bearing(Rp=4e-3)", "closes a roller before its length"}, {"roller-bearing(Rp=36e-3)", "take Rp below it"},
    {"roller-bearing(ri=34e-3)", "ri = 0.034 m with its ends alone"}, {"roller-bearing(alpha=0)", "alpha = 0 must be positive"},
    {"roller-bearing(alpha=60)", "take one below 45"}, {"roller-bearing(alpha=5)", "the two rows overlap"},
    {"roller-bearing(Gr=-1e-6)", "Gr = -1e-06 cannot be negative"}, {"roller-bearing(slices=0)", "take 1 to 256"},
    {"roller-bearing(slices=300)", "take 1 to 256"}, {"roller-bearing(bore=55e-3)", "leaves no inner ring"},
    {"roller-bearing(outside=70e-3)", "leaves no outer ring"}, {"roller-bearing(land.radius=40e-3)", "is not on the inner ring"},
    {"roller-bearing(pocket.place=5e-3)", "past the end of the roller"}, {"roller-bearing(roller=33)", "take 1 to 32"},
    {"roller-bearing(mu=-0.1)", "mu = -0.1 cannot be negative"}, {"roller-bearing(vs=0)", "vs = 0 must be positive"},
    {"roller-bearing(cage.mass=-1)", "cage has the mass -1: give a positive one in kg"},
    {"roller-bearing(slice=30)", "did you mean slices?"}, {"roller-baering", "did you mean roller-bearing?"}};
  for (size_t i = 0; i < sizeof WRONG/sizeof *WRONG; i++) {
    epi_case *c = epi_case_make(WRONG[i].text);
    if (!check(c && c->error[0])) printf("  %s was taken\n", WRONG[i].text);
    if (!check_has(c->error, WRONG[i].words)) printf("  %s: %s\n", WRONG[i].text, c->error);
    epi_case_free(c);
  }
  /* and what looks odd but can */
  static const char *const RIGHT[] = {"roller-bearing(radial=0)", "roller-bearing(speed=0)", "roller-bearing(speed=-3000)",
    "roller-bearing(axial=-2000)", "roller-bearing(Gr=0)", "roller-bearing(radial=-1e4)", "roller-bearing(radial=1e5)",
    "roller-bearing(mu=0, chi=0, slices=5)", "roller-bearing(g=0, radial=0)", "roller-bearing(Z=4, slices=256)",
    "roller-bearing(preload=100, ramp=1e-4)"};
  for (size_t i = 0; i < sizeof RIGHT/sizeof *RIGHT; i++) {
    epi_case *c = bearing_make(RIGHT[i]);
    epi_flow *f = epi_case_flow(c, NULL);
    epi_state s = epi_case_state(c);
    if (!check_count(epi_advance(f, &s, c->step, 40), 0)) printf("  %s: %s\n", RIGHT[i], epi_error(f));
    check(isfinite(observed(c, "energy", &s)));
    epi_free(f);
    epi_case_free(c);
  }
}

/* a world of the user's own: what its contact lacks */
static void own_worlds(void)
{
  double own[2] = {34.8e-3, 8.1e-3}, flat[2] = {0, 8.1e-3}, sharp[2] = {4.9e-3, 9.9e-3}, wide[2] = {40e-3, 8.1e-3};
  const struct { double *own, power, other; int slices; const char *words; } WRONG[] = {
    {own, 0, 35.5e-3, 0, "has 0 slices"}, {own, 1.5, 35.5e-3, 30, "the power 1.11111 and no other"},
    {NULL, 0, 35.5e-3, 30, "needs a profile and a length"}, {flat, 0, 35.5e-3, 30, "needs a profile and a length"},
    {sharp, 0, 35.5e-3, 30, "closes before its ends"}, {wide, 0, 35.5e-3, 30, "the groove must be the larger"},
    {own, 0, 0, 30, "give .other above zero"}};
  for (size_t k = 0; k < sizeof WRONG/sizeof *WRONG; k++) {
    epi_world *w = epi_world_make();
    epi_add_body(w, &(epi_body){.name = "roller", .mass = 0.005, .inertia = {5e-8, 5e-8, 5e-8}, .at = {0, 0.03}});
    epi_add_contact(w, &(epi_contact){.name = "race", .shape = EPI_ROLLER_GROOVE, .a = 0, .b = EPI_GROUND, .radius = 4.75e-3,
                                      .other = WRONG[k].other, .own = WRONG[k].own,
                                      .law = {.K = 1e9, .power = WRONG[k].power, .slices = WRONG[k].slices}});
    if (check(epi_world_error(w) != NULL)) check_has(epi_world_error(w), WRONG[k].words);
    epi_world_free(w);
  }
}

/* names of the user's stand before the model's own, whose data the observables are of */
static int nothing(void *data, const epi_system *m, epi_state *s) { (void)data, (void)m, (void)s; return 0; }
static void with_names(void)
{
  epi_case *c = bearing_make(R1), *d = bearing_make(R1);
  check_count(epi_case_names(c, (const epi_name[]){{.name = "see", .see = nothing}, {0}}), 0);
  epi_state s = epi_case_state(c), t = epi_case_state(d);
  for (const epi_observable *o = c->model->observables; o->name; o++)
    check_bits(1, &(double){epi_observe(c, o, &s)}, &(double){epi_observe(d, o, &t)});
  epi_case_free(c);
  epi_case_free(d);
}

int main(void)
{
  with_names();
  right_hand_side(TEST_SOURCE "/tests/data/roller-rhs.txt");
  right_hand_side(TEST_SOURCE "/tests/data/roller-init-R1.txt");
  made_of();
  at_rest();
  reaction();
  energies();
  by_vectors();
  by_products();
  refusals();
  own_worlds();
  return test_done();
}
