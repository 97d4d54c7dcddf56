/* holds: nam has its orders, stability limits and contact by-products, and refuses what it cannot solve
 * nam.c - one evaluation a step, linearised: its traces and orders, with the whole Jacobian, a part of it and none; its limits of stability
 * by scan; links against a dense slope; rotations; tolerances, events, outputs; by-products that are wrong; what it refuses */
#include "method/nam.h"
#include "problems.h"
#include "test.h"

static void go(epi_flow *f, epi_state *s, double h, long n) { if (epi_advance(f, s, h, n)) test_stop(epi_error(f)); }

static epi_flow *nam_of(int k, epi_system *m)
{
  char text[32];
  snprintf(text, sizeof text, "nam(k=%d)", k);
  epi_flow *f = epi_make(text, m);
  if (epi_error(f)) test_stop(epi_error(f));
  return f;
}

/* ---- q'' = -4 q - 0.3 q' - q^3 + cos t, with kappa times its Jacobian ---- */
static int duffing(epi_system *s, double t, const double *q, const double *v, double *f)
{
  (void)s;
  f[0] += -4*q[0] - 0.3*v[0] - q[0]*q[0]*q[0] + cos(t);
  return 0;
}
static int duffing_slope(epi_system *s, double t, const double *y, double a, double b, double *A)
{
  (void)t;
  A[0] = *(const double *)s->data*(a*(-4 - 3*y[0]*y[0]) - 0.3*b);
  return 0;
}

static void exact(epi_system *m, double t, double *y)
{
  epi_flow *f = epi_make("dop853", m);
  y[0] = 1, y[1] = 0;
  epi_state s = {.y = y};
  if (t > 0) go(f, &s, t/(400*ceil(t)), lround(400*ceil(t)));
  epi_free(f);
}

static double acceleration(epi_system *m, double t, const double *y)
{
  double a = 0;
  m->velocity_force(m, t, y, y + 1, &a);
  return a;
}

/* from exact states at k places h apart, steps - k + 1 of them */
static void trace(int k, int steps, double *y, double *a)
{
  double kappa = 1, h = 0.1, z[2];
  epi_system m = {.nq = 1, .velocity_force = duffing, .jacobian.slope = duffing_slope, .data = &kappa};
  epi_flow *f = nam_of(k, &m);
  epi_nam_memory memory = epi_nam_memory_of(f);
  for (int i = 0; i < k; i++) {
    exact(&m, h*i, z);
    memory.a[k - 1 - i][0] = acceleration(&m, h*i, z);
  }
  memcpy(y, z, sizeof z);
  memcpy(memory.y, z, sizeof z);
  f->keep[NAM_HAS] = k;
  f->keep[NAM_TIME] = h*(k - 1);
  f->keep[NAM_H1] = f->keep[NAM_H2] = h;
  f->keep[NAM_PART] = 1;
  epi_state s = {.t = h*(k - 1), .y = y};
  go(f, &s, h, steps - k + 1);
  *a = epi_nam_memory_of(f).a[0][0];
  epi_free(f);
}

static void traces(void)
{
  static const struct { int k, steps; double q, v, a; } rows[] = {
    {2, 2, .923188125693, -.742952682605, -3.276611395944}, {2, 3, .833431650720, -1.040348079763, NAN},
    {3, 3, .833647765150, -1.039949994660, NAN}, {3, 4, .717601030585, -1.269503001724, NAN},
  };
  for (int i = 0; i < 4; i++) {
    double y[2], a;
    trace(rows[i].k, rows[i].steps, y, &a);
    check_abs(y[0], rows[i].q, 1e-11);
    check_abs(y[1], rows[i].v, 1e-11);
    if (!isnan(rows[i].a)) check_abs(a, rows[i].a, 1e-11);
  }
}

static void orders(void)
{
  static const double part[] = {1, 0.7, 0};
  puts("orders to t = 10, n = 400 and 800: with the Jacobian, 0.7 of it, 0 of it, and none");
  for (int k = 2; k <= 3; k++)
    for (int j = 0; j < 4; j++) {
      double kappa = j < 3 ? part[j] : 0, y[2], z[2], e[2];
      epi_system m = {.nq = 1, .velocity_force = duffing, .jacobian.slope = j < 3 ? duffing_slope : NULL, .data = &kappa};
      exact(&m, 10, z);
      for (int i = 0; i < 2; i++) {
        epi_flow *f = nam_of(k, &m);
        epi_state s = {.y = y};
        y[0] = 1, y[1] = 0;
        go(f, &s, 10./(400 << i), 400 << i);
        e[i] = fmax(fabs(y[0] - z[0]), fabs(y[1] - z[1]));
        /* one a step, a few at the start, and now and then one to look at the Jacobian */
        check_between((double)epi_calls(f), (400 << i) + 4, (400 << i) + 16);
        epi_free(f);
      }
      printf("  k = %d: %.2f\n", k, log2(e[0]/e[1]));
      check_between(log2(e[0]/e[1]), k == 2 ? 2.9 : 3.9, k == 2 ? 3.2 : 4.6);
    }
}

/* ---- y'' = -k y - c y' with kappa times its Jacobian: the matrix of a step of 1 ---- */
typedef struct { double k, c, kappa; } linear;
static int linear_force(epi_system *s, double t, const double *q, const double *v, double *f)
{
  const linear *l = s->data;
  (void)t;
  f[0] -= l->k*q[0] + l->c*v[0];
  return 0;
}
static int linear_slope(epi_system *s, double t, const double *y, double a, double b, double *A)
{
  const linear *l = s->data;
  (void)t; (void)y;
  A[0] = -l->kappa*(a*l->k + b*l->c);
  return 0;
}

/* by squaring the matrix over and over */
static double radius(int n, double M[5][5])
{
  double size = 0, w = 1;
  for (int turn = 0; turn < 20; turn++) {
    double P[5][5], most = 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        P[i][j] = 0;
        for (int k = 0; k < n; k++) P[i][j] += M[i][k]*M[k][j];
        most = fmax(most, fabs(P[i][j]));
      }
    if (most == 0) return 0;
    w /= 2;
    size += w*log(most);
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) M[i][j] = P[i][j]/most;
  }
  return exp(size);
}

static double grows(int k, linear l)
{
  epi_system m = {.nq = 1, .velocity_force = linear_force, .jacobian.slope = linear_slope, .data = &l};
  epi_flow *f = nam_of(k, &m);
  double M[5][5] = {{0}};
  for (int j = 0; j < 2 + k; j++) {
    double z[5] = {0}, y[2];
    z[j] = 1;
    memcpy(y, z, sizeof y);
    for (int i = 0; i < k; i++) epi_nam_memory_of(f).a[i][0] = z[2 + i];
    f->keep[NAM_HAS] = k;
    f->keep[NAM_H1] = f->keep[NAM_H2] = f->keep[NAM_PART] = 1;
    epi_state s = {.y = y};
    check_count(epi_nam_try(f, &s, 1, (epi_tick){.t = 1}), 0);
    epi_nam_work d = epi_nam_work_of(f);
    const double out[5] = {d.y1[0], d.y1[1], d.a1[0], z[2], z[3]};
    for (int i = 0; i < 2 + k; i++) M[i][j] = out[i];
  }
  epi_free(f);
  return radius(2 + k, M);
}

/* the last of 0.05, 0.1, ... that is stable; damped: of h c alone, else of w h with this part of critical damping */
static double limit(int k, double zeta, double kappa, int damped)
{
  int i = 1;
  for (; i < 380; i++) {
    double x = 0.05*i;
    linear l = damped ? (linear){0, x, kappa} : (linear){x*x, 2*zeta*x, kappa};
    if (!(grows(k, l) < 1 + 2e-5)) break;
  }
  return 0.05*(i - 1);
}

static void stability(void)
{
  static const double part[] = {0, 0.8, 1, 1.2, 1.5}, wh[2][5] = {{1.35, 2.0, 2.4, 1.05, .85}, {1.05, 1.75, 2.4, 1.25, 1.1}},
    hc[2][5] = {{.5, 2, 6, NAN, 18.95}, {.3, 1.05, 3, NAN, 2.2}};
  for (int k = 2; k <= 3; k++) {
    printf("limits of k = %d: %.2f;", k, limit(k, 0, 1, 0));
    check_abs(limit(k, 0, 1, 0), 2.4, 1e-9);
    for (int i = 0; i < 5; i++) {
      double w = limit(k, 0.01, part[i], 0), c = i == 3 ? NAN : limit(k, 0, part[i], 1);
      printf(" %.2f %.2f", w, c);
      check_abs(w, wh[k - 2][i], 1e-9);
      if (i != 3) check_abs(c, hc[k - 2][i], 1e-9);
    }
    puts("");
    /* no damping of its own */
    for (int i = 1; i < 8; i++) check_abs(grows(k, (linear){0.09*i*i, 0, 1}), 1, 3e-6);
  }
}

/* ---- masses in a ring, held by springs and dampers to each other and to the ground: as links, and as a slope ---- */
enum { MASSES = 7, SPRINGS = 2*MASSES };
static const double ring_mass[3*MASSES] = {1, 1, 1, 2, 2, 2, .5, .5, .5, 1, 1, 1, 3, 3, 3, 1, 1, 1, .7, .7, .7};
static epi_link_ends ring_ends[SPRINGS];
/* said: times what is true of the stiffness; bare: and of all else, where it is not 0 */
typedef struct { double said, bare; int nan; } teller;

static void spring_of(int i, double G[3][12], double *k, double *c)
{
  static const double u[3][3] = {{0.6, 0, 0.8}, {0, 1, 0}, {-0.8, 0, 0.6}};
  memset(G, 0, 36*sizeof(double));
  for (int r = 0; r < 3; r++)
    for (int x = 0; x < 3; x++) {
      G[r][x] = u[(r + i)%3][x];
      if (i < MASSES) G[r][6 + x] = -G[r][x];
    }
  *k = 40 + 7*i;
  *c = 0.4;
}

static double ring_rows(int i, int e) { return ring_ends[i].n[e] ? 1 : 0; }

static void ring_load(const double *q, const double *v, double *f, epi_link *link, const teller *say)
{
  for (int i = 0; i < SPRINGS; i++) {
    double G[3][12], k, c, depth = 0, slip[3] = {0};
    spring_of(i, G, &k, &c);
    for (int e = 0; e < 2; e++)
      for (int x = 0; x < 3 && ring_rows(i, e) != 0; x++) {
        int at = ring_ends[i].at[e] + x;
        depth += G[0][6*e + x]*q[at];
        for (int r = 0; r < 3; r++) slip[r] += G[r][6*e + x]*v[at];
      }
    double pull[3] = {k*depth + c*slip[0], 0.3*slip[1] + 0.1*slip[2], 0.1*slip[1] + 0.2*slip[2]};
    for (int e = 0; e < 2; e++)
      for (int x = 0; x < 3 && ring_rows(i, e) != 0; x++)
        for (int r = 0; r < 3; r++) f[ring_ends[i].at[e] + x] -= G[r][6*e + x]*pull[r];
    if (!link) continue;
    memcpy(link[i].G, G, sizeof G);
    link[i].load = pull[0];
    link[i].stiffness = say->nan ? NAN : say->said*k;
    link[i].damping = say->bare*c;
    for (int r = 0; r < 3; r++) link[i].slope[r] = say->bare*(r == 0 ? 0.3 : r == 1 ? 0.1 : 0.2);
  }
}

static int ring_force(epi_system *s, double t, const double *q, const double *v, double *f)
{
  (void)s; (void)t;
  ring_load(q, v, f, NULL, NULL);
  return 0;
}
static int ring_linked(epi_system *s, double t, const double *q, const double *v, double *f, epi_link *link)
{
  (void)t;
  memset(f, 0, sizeof ring_mass);
  ring_load(q, v, f, link, s->data);
  return 0;
}
/* by differences, which are exact of what is linear */
static int ring_slope(epi_system *s, double t, const double *y, double a, double b, double *A)
{
  enum { N = 3*MASSES };
  (void)t; (void)y;
  for (int c = 0; c < N; c++) {
    double q[N] = {0}, v[N] = {0}, f[N] = {0};
    q[c] = a, v[c] = b;
    ring_force(s, 0, q, v, f);
    for (int i = 0; i < N; i++) A[N*i + c] = f[i];
  }
  return 0;
}

static epi_system ring_of(teller *say)
{
  for (int i = 0; i < SPRINGS; i++) {
    int to = i < MASSES ? (i + 1 + i % 2) % MASSES : -1;
    ring_ends[i] = (epi_link_ends){.name = i == 3 ? "spring 3" : NULL, .at = {3*(i % MASSES), to < 0 ? 0 : 3*to}, .n = {3, to < 0 ? 0 : 3}};
  }
  return (epi_system){.nq = 3*MASSES, .velocity_force = ring_force, .mass = ring_mass,
                      .contacts = {.links = SPRINGS, .link_ends = ring_ends, .linked_force = ring_linked}, .data = say};
}

static void ring_start(double *y)
{
  for (int i = 0; i < 6*MASSES; i++) y[i] = i < 3*MASSES ? 0.1*sin(2.3*i) : 0.5*cos(1.7*i);
}

static void links(void)
{
  teller say = {1, 1, 0};
  epi_system linked = ring_of(&say), sloped = linked;
  sloped.contacts.linked_force = NULL;
  sloped.jacobian.slope = ring_slope;
  for (int k = 2; k <= 3; k++) {
    double y[6*MASSES], z[6*MASSES];
    epi_flow *f = nam_of(k, &linked), *g = nam_of(k, &sloped);
    epi_state s = {.y = y}, r = {.y = z};
    ring_start(y);
    ring_start(z);
    go(f, &s, 0.03, 200);
    go(g, &r, 0.03, 200);
    check_array(6*MASSES, y, z, 1e-12);
    check(!epi_warning(f, 0) && !epi_warning(g, 0));
    epi_free(f);
    epi_free(g);
  }
}

/* ---- by-products that are wrong: the motion stays what it is, and a sentence says what was done ---- */
static double ring_error(teller say, const char *text, double h, int steps, char *sentence, long *calls)
{
  static const double end = 3;
  double y[6*MASSES], z[6*MASSES], e = 0;
  epi_system m = ring_of(&say);
  epi_flow *f = epi_make(text, &m), *g = epi_make("dop853", &m);
  epi_state s = {.y = y}, r = {.y = z};
  ring_start(y);
  ring_start(z);
  go(g, &r, end/600, 600);
  int bad = h > 0 ? epi_advance(f, &s, h, steps) : epi_run(f, &s, end, end);
  const char *words = bad ? epi_error(f) : epi_warning(f, 0);
  snprintf(sentence, EPI_SENTENCE_SIZE, "%s", words ? words : "");
  for (int i = 0; i < 6*MASSES; i++) e = fmax(e, fabs(y[i] - z[i]));
  *calls = epi_calls(f);
  epi_free(f);
  epi_free(g);
  return bad ? NAN : e;
}

static void wrong(void)
{
  static const struct { teller say; const char *words; double cost; } rows[] = {
    {{1, 1, 0}, "", 1}, {{1.5, 1, 0}, "0.67 times as much", 1.6}, {{4, 1, 0}, "times as much", 2}, {{0.4, 1, 0}, "", 2},
    {{-1, 1, 0}, "negative stiffness", 2}, {{0, 0, 0}, "gives no stiffness", 3}, {{0, 1, 0}, "its traction alone by its slope", 2},
    {{1, -1, 0}, "negative", 2},
  };
  char words[EPI_SENTENCE_SIZE];
  long usual = 0, calls;
  puts("by-products that are wrong: error at t = 3 with tol = 1e-3, evaluations, what is said");
  for (size_t i = 0; i < sizeof rows/sizeof *rows; i++) {
    double e = ring_error(rows[i].say, "nam(tol=1e-3, length=0.1)", 0, 0, words, &calls);
    if (!i) usual = calls;
    printf("  %4.1f %4.1f: %.1e %4ld %s\n", rows[i].say.said, rows[i].say.bare, e, calls, words);
    check_below(e, 1e-2);
    check_below((double)calls, rows[i].cost*(double)usual);
    if (rows[i].words[0]) check_has(words, rows[i].words);
    else check_text(words, "");
  }
  check(isnan(ring_error((teller){1, 1, 1}, "nam", 0.03, 100, words, &calls)));
  check_has(words, "is not a number");
  /* steps as they are given: right where it is right, and a word where it is not */
  check_below(ring_error((teller){1, 1, 0}, "nam", 0.05, 60, words, &calls), 2e-2);
  check_text(words, "");
  ring_error((teller){2, 1, 0}, "nam", 0.06, 50, words, &calls);
  check_has(words, "0.5 times as much");
  /* beyond the limit of stability it takes shorter steps, and says so */
  check_below(ring_error((teller){1, 1, 0}, "nam", 0.3, 10, words, &calls), 0.5);
  check_has(words, "taken in shorter ones");
  check_above((double)calls, 25);
}

/* ---- steps beyond the stability of what has no derivatives ---- */
static epi_link_ends silent_ends[1] = {{.name = "c", .at = {0, 0}, .n = {1, 0}}};
static int silent_force(epi_system *s, double t, const double *y, const double *v, double *f, epi_link *link)
{
  (void)link;
  f[0] = 0;
  return duffing(s, t, y, v, f);
}

/* the square of a frequency of 2 to 2.6: a step of 0.5 is beyond the limit of k = 3, and one of 0.7 beyond that of k = 2 */
static void beyond(void)
{
  double z[2], kappa = 1;
  for (int i = 0; i < 4; i++) {
    int k = 2 + i % 2, links = i/2;
    double y[] = {1, 0}, h = k == 2 ? 0.75 : 0.5;
    epi_system m = {.nq = 1, .velocity_force = duffing, .contacts = {.links = links, .link_ends = silent_ends}, .data = &kappa};
    if (links) m.contacts.linked_force = silent_force;
    exact(&m, 30, z);
    epi_flow *f = nam_of(k, &m);
    epi_state s = {.y = y};
    check_count(epi_run(f, &s, 30, h), 0);
    printf("k = %d, steps of %g beyond stability: %.6f, %.6f is right, %ld evaluations\n", k, h, y[0], z[0], epi_calls(f));
    check_abs(y[0], z[0], 0.05);
    check_has(epi_warning(f, 0), "are unstable from t =");
    epi_free(f);
  }
}

/* ---- rotations ---- */
static void rotations(void)
{
  epi_system top = {.nq = 4, .nv = 3, .force = top_force, .velocity_force = top_gyro,
                    .manifold = {.retract = top_turn, .retract_rate = top_slew}, .mass = top_inertia};
  double z[7];
  epi_state r = {.y = z};
  epi_flow *g = epi_make("dop853", &top);
  top_start(z);
  go(g, &r, 2./1000, 1000);
  for (int k = 2; k <= 3; k++) {
    double h[4], e[4];
    for (int i = 0; i < 4; i++) {
      double y[7];
      epi_state s = {.y = y};
      epi_flow *f = nam_of(k, &top);
      top_start(y);
      go(f, &s, h[i] = 2./(100 << i), 100 << i);
      e[i] = 0;
      for (int c = 0; c < 7; c++) e[i] = fmax(e[i], fabs(y[c] - z[c]));
      epi_free(f);
    }
    printf("a top, k = %d: order %.2f\n", k, test_slope(4, h, e));
    check_order(4, h, e, k + 1, 0.2);
  }
  epi_free(g);
  top.manifold.retract_rate = NULL;
  epi_flow *f = epi_make("nam", &top);
  check_has(epi_error(f), "retract_rate");
  epi_free(f);
}

/* ---- errors in proportion, events, outputs ---- */
static int oscillator(epi_system *s, double t, const double *q, double *f) { (void)s; (void)t; f[0] = -q[0]; return 0; }
static int oscillator_slope(epi_system *s, double t, const double *y, double a, double b, double *A)
{
  (void)s; (void)t; (void)y; (void)b;
  A[0] = -a;
  return 0;
}
typedef struct { double worst; int n; } outputs;
static int look(void *data, const epi_system *m, epi_state *s)
{
  outputs *o = data;
  (void)m;
  o->worst = fmax(o->worst, fmax(fabs(s->y[0] - cos(s->t)), fabs(s->y[1] + sin(s->t))));
  o->n++;
  return 0;
}
static void note(void *data, const epi_event *e)
{
  outputs *o = data;
  o->worst = fmax(o->worst, fabs(e->t - (0.5 + o->n)*EPI_PI));
  o->n++;
}

static void controlled(void)
{
  static const double tol[] = {1e-3, 1e-4, 1e-5, 1e-6};
  static const char *const texts[] = {"nam(tol=%g)", "nam(k=3, tol=%g)", "tolerance(nam, rtol=%g)", "tolerance(nam(k=3), rtol=%g)"};
  for (int j = 0; j < 4; j++) {
    double first = 0;
    for (int i = 0; i < 4; i++) {
      epi_system m = {.nq = 1, .force = oscillator, .jacobian.slope = oscillator_slope};
      outputs seen = {0}, hits = {0};
      char text[40], whole[120];
      snprintf(text, sizeof text, texts[j], tol[i]);
      snprintf(whole, sizeof whole, "watch(at(%s, of=0), see=look, every=0.1)", text);
      epi_flow *f = epi_make_named(whole, (epi_name[]){{.name = "model", .system = &m}, {.name = "look", .see = look, .data = &seen}, {0}});
      double y[] = {1, 0};
      epi_state s = {.y = y};
      epi_on_event(f, note, &hits);
      if (epi_run(f, &s, 10, 10)) test_stop(epi_error(f));
      printf("%s: outputs %.2e events %.2e end %.2e calls %ld\n", text, seen.worst, hits.worst, fabs(y[0] - cos(10)), epi_calls(f));
      check_count(seen.n, 100);
      check_count(hits.n, 3);
      check_below(seen.worst, 20*tol[i]);
      check_below(hits.worst, 20*tol[i]);
      if (!i) first = seen.worst;
      if (i == 3) check_below(seen.worst, 0.02*first);
      epi_free(f);
    }
  }
}

/* ---- what it refuses ---- */
static void refuses(const char *text, epi_system *m, epi_system *other, const char *words)
{
  epi_flow *f = epi_make_named(text, (epi_name[]){{.name = "model", .system = m}, {.name = "other", .system = other ? other : m}, {0}});
  if (!check(epi_error(f) != NULL)) printf("  %s is not refused\n", text);
  else check_has(epi_error(f), words);
  epi_free(f);
}

static void refusals(void)
{
  static const double dense[] = {2, 1, 1, 2};
  epi_system plain = {.nq = 2, .force = henon_force}, rods = {.nq = 2, .nc = 1, .force = weight, .constraint = rod},
    rates = {.nz = 2, .rate = volterra}, one = {.nq = 1, .force = oscillator},
    heavy = {.nq = 2, .force = henon_force, .inertia.mass_matrix = dense};
  teller say = {1, 1, 0};
  epi_system ring = ring_of(&say);
  static epi_link_ends ends[] = {{"a", {0, 1}, {2, 2}}};
  refuses("nam(k=4)", &plain, NULL, "k is 2 or 3");
  refuses("nam(tol=2)", &plain, NULL, "between 0 and 1");
  refuses("nam(length=1e-3)", &plain, NULL, "give tol too");
  refuses("nam(tol=1e-3, speed=-1)", &plain, NULL, "must be positive");
  refuses("nam(beta=0.7)", &plain, NULL, "second system");
  refuses("nam(model, other, beta=0.3)", &plain, &plain, "from 0.5 to 1");
  refuses("nam(tol=1e-3, first=-1)", &plain, NULL, "cannot be negative");
  refuses("nam", &rods, NULL, "no form for constraints");
  refuses("nam", &rates, NULL, "only a rate");
  refuses("nam(model, other)", &plain, &one, "different coordinates");
  heavy.contacts.links = 1;
  heavy.contacts.link_ends = ends;
  heavy.contacts.linked_force = ring_linked;
  refuses("nam", &heavy, NULL, "diagonal mass");
  ring.contacts.links = 1;
  ring.contacts.link_ends = ends;
  refuses("nam", &ring, NULL, "link 0 (a)");
  ring.contacts.link_ends = NULL;
  refuses("nam", &ring, NULL, "link_ends");
}

int main(void)
{
  traces();
  orders();
  stability();
  links();
  wrong();
  beyond();
  rotations();
  controlled();
  refusals();
  return test_done();
}
