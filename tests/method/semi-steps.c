/* holds: semi solves its Newton iterations to rounding with few stiff evaluations, and chooses steps by stiffness and error
 * semi-steps.c - the semi-explicit method at work: Newton asks little of the stiff part and knows its rounding; steps that are cut; steps
 * that are chosen, by stiffness and by error; restarts to the bit */
#include "semis.h"

/* ---- Newton ---- */
/* a ring held by penalties of a given frequency, a ball that rolls in its groove under a load */
enum { RING, BALL };
static epi_world *ring(double hertz, double tau)
{
  const double PI = 3.14159265358979323846, D = 9.525e-3, m = 0.0994, I = 5e-5, w2 = 4*PI*PI*hertz*hertz;
  epi_world *w = epi_world_make();
  epi_add_body(w, &(epi_body){.name = "ring", .mass = m, .inertia = {4.35e-5, 4.35e-5, 8.27e-5}});
  epi_add_body(w, &(epi_body){.name = "ball", .mass = 3.5e-3, .inertia = {3.2e-8, 3.2e-8, 3.2e-8}, .at = {0, -2.3009e-2, 0},
                              .velocity = {5, 0, 0}, .spin = {0, 0, 1000}});
  epi_add_joint(w, &(epi_joint){.name = "housing", .a = RING, .b = EPI_GROUND, .hold = EPI_ALL, .stiffness = {m*w2, I*w2},
                                .damping = {tau*m*w2, tau*I*w2}});
  epi_add_contact(w, &(epi_contact){.name = "race", .shape = EPI_SPHERE_GROOVE, .a = BALL, .b = RING, .radius = D/2, .other = 5.000625e-3,
                                    .circle = 22.764875e-3,
                                    .law = {.K = 2.74e10, .chi = 0.25, .mu = 0.07, .vs = 0.1}});
  epi_add_gravity(w, (const double[]){0, -9.81, 0});
  return w;
}

/* a stiff B is rounded to k eps q, far beyond what an iteration to 1e-13 wants; one or two evaluations must do nevertheless */
static void penalties(void)
{
  static const char *const texts[] = {"semi(model.contacts, model.stiff)", "semi(model.contacts, model.stiff, ahead=1)",
                                      "semi(model.contacts, model.stiff, beta=0.6)"};
  puts("a ring held by penalties, steps of 1e-6: evaluations of B a step");
  for (double hertz = 1e5; hertz < 2e9; hertz *= 10)
    for (int i = 0; i < 3; i++) {
      epi_world *w = ring(hertz, 1e-7);
      epi_flow *f = epi_world_flow(w, texts[i]);
      epi_state s = epi_world_state(w);
      go(f, &s, 1e-6, 2000);
      epi_info info = info_of(f);
      if (!i)
        printf("  %.0e Hz: %.3f, %ld Jacobians, the ring moved by %.1e\n", hertz, info.others/2000., info.slopes, hypot(s.y[0], s.y[1]));
      check_count(info.calls, 2000);
      check_below((double)info.others, 2000*1.2);
      check_below((double)info.slopes, 3);
      /* the ring stays, and the softest one has moved by less than load over stiffness */
      check_below(hypot(s.y[0], s.y[1]), 1e3/(0.0994*4*9.8*hertz*hertz));
      epi_free(f);
      epi_world_free(w);
    }
}

/* the same motion whatever the slope says: all, nothing, half, three times, the wrong sign */
static double said;
static int glue(epi_system *s, double t, const double *q, const double *v, double *f)
{
  (void)s; (void)t;
  double x = 1e5*(q[0] - q[1]) + 1e3*(v[0] - v[1]);
  f[0] -= x;
  f[1] += x;
  return 0;
}
static int glue_slope(epi_system *s, double t, const double *y, double a, double b, double *A)
{
  (void)s; (void)t; (void)y;
  A[0] = A[3] = -said*(1e5*a + 1e3*b);
  A[1] = A[2] = -A[0];
  return 0;
}

static void slopes(void)
{
  static const double factor[] = {1, 0, 0.5, 3, -1};
  epi_system a = {.nq = 2, .force = henon_force}, b = {.nq = 2, .velocity_force = glue, .jacobian.slope = glue_slope};
  double ref[4];
  for (int i = 0; i < 6; i++) {
    double y[] = {0.3, 0.3, 0.1, 0.1};
    epi_state s = {.y = y};
    if (i == 5) b.jacobian.slope = NULL;
    else said = factor[i];
    epi_flow *f = two("semi(a, b)", &a, &b);
    go(f, &s, 0.05, 200);
    epi_info info = info_of(f);
    if (!i) memcpy(ref, y, sizeof ref);
    if (!check_array(4, y, ref, 1e-11)) printf("  slope times %g\n", said);
    check_count(info.calls, 200);
    check_count(info.refused, 0);
    /* a slope that is no good is found out, and differences take its place */
    check_below((double)info.others, 200*(i ? 2 : 1.2));
    check_below((double)info.slopes, 4);
    check(!epi_error(f));
    epi_free(f);
  }
}

/* something stiff of the user's, which no slope of the world knows */
static int magnet(const void *data, double t, const epi_pose *a, const epi_pose *b, epi_action *out)
{
  (void)data; (void)t; (void)b;
  for (int i = 0; i < 3; i++) out->force[i] = -1e8*a->r[i]*(1 + 100*a->r[i]*a->r[i]) - 1e3*a->v[i];
  return 0;
}
static void stiff_action(void)
{
  double ref[13];
  for (int i = 0; i < 3; i++) {
    static const char *const texts[] = {"tolerance(radau(stages=3), rtol=1e-11)", "semi(model.contacts, model.stiff, beta=0.6, ahead=1)",
                                        "semi(model.contacts, model.stiff, beta=0.6, ahead=1)"};
    epi_world *w = epi_world_make();
    epi_add_body(w, &(epi_body){.mass = 0.1, .inertia = {1e-5, 2e-5, 3e-5}, .at = {1e-6, 0, 0}, .spin = {10, 20, 30}});
    epi_add_action(w, "magnet", 0, EPI_GROUND, EPI_STIFF, magnet, NULL, 0);
    epi_add_gravity(w, (const double[]){0, 0, -9.81});
    epi_flow *f = epi_world_flow(w, texts[i]);
    epi_state s = epi_world_state(w);
    reach(f, &s, 0.01, i == 0 ? 0.01 : i == 1 ? 1e-5 : 1e-4);
    if (i) {
      check_array(4, s.y + 3, ref + 3, i == 1 ? 1e-8 : 1e-6);
      check_abs(s.y[2], -9.81e-9, 1e-13);
      check_below((double)info_of(f).others, 3*(double)info_of(f).calls + 30);
    } else memcpy(ref, s.y, sizeof ref);
    epi_free(f);
    epi_world_free(w);
  }
}

/* ---- steps that are cut ---- */
/* a wall at 1 that forces cannot be asked behind */
static int wall(epi_system *s, double t, const double *q, double *f)
{
  (void)t;
  *(long *)s->data += q[0] >= 1;
  f[0] = 3 - 1/((1 - q[0])*(1 - q[0]));
  return q[0] >= 1 ? EPI_TOO_FAR : 0;
}
static int thick(epi_system *s, double t, const double *q, const double *v, double *f)
{
  (void)s; (void)t; (void)q;
  f[0] -= 0.5*v[0];
  return 0;
}

static void cut_steps(void)
{
  long hit = 0;
  epi_system a = {.nq = 1, .force = wall, .data = &hit}, b = {.nq = 1, .velocity_force = thick},
    all = {.nq = 1, .force = wall, .velocity_force = thick, .data = &hit};
  double ref[] = {0, 3};
  epi_state r = {.y = ref};
  epi_flow *g = epi_make("tolerance(dop853, rtol=1e-11)", &all);
  reach(g, &r, 3, 3);
  epi_free(g);
  double e[3];
  for (int i = 0; i < 3; i++) {
    double y[] = {0, 3}, h = 0.25/(1 << 2*i);
    epi_state s = {.y = y};
    epi_flow *f = two("semi(a, b, beta=0.5)", &a, &b);
    hit = 0;
    reach(f, &s, 3, h);
    check_abs(s.t, 3, 0);
    e[i] = fabs(y[0] - ref[0]);
    check(!epi_error(f));
    check_below(y[0], 1);
    if (!i) {
      printf("a wall: %ld steps cut, %ld evaluations behind it, %ld in all for %ld steps\n", info_of(f).refused, hit, epi_calls(f),
             info_of(f).steps);
      check_above((double)info_of(f).refused, 1);
      check_above((double)hit, 1);
    }
    epi_free(f);
  }
  check_below(e[1], 0.3*e[0]);
  check_below(e[2], 0.3*e[1]);
}

/* one that no shortening helps: a sentence, the last good state; it goes on when the cause is gone */
static int broken(epi_system *s, double t, const double *q, double *f) { f[0] = -q[0]; return t > 1 ? *(int *)s->data : 0; }
static void broken_parts(void)
{
  for (int part = 0; part < 2; part++)
    for (int code = -7; code <= 7; code += 14) {
      int now = code;
      epi_system bad = {.nq = 1, .force = broken, .data = &now}, good = {.nq = 1, .velocity_force = thick};
      double y[] = {1, 0};
      epi_state s = {.y = y};
      epi_flow *f = part ? two("semi(a, b)", &good, &bad) : two("semi(a, b)", &bad, &good);
      check_count(epi_run(f, &s, 3, 0.3), code);
      check_has(epi_error(f), code < 0 ? "stopped the run at t = " : "too long at t = ");
      check_between(s.t, 0.89, 1.21);
      check_below(fabs(y[0]), 1);
      now = 0;
      check_count(epi_run(f, &s, 3, 0.3), 0);
      check(!epi_error(f));
      epi_free(f);
    }
}

/* what is not a number, in either part */
static int lost(epi_system *s, double t, const double *q, double *f) { (void)s; f[0] = t > 1 ? NAN : -q[0]; return 0; }
static void not_a_number(void)
{
  static const char *const texts[] = {"semi(a, b)", "semi(a, b, tol=0.01)"};
  for (int i = 0; i < 4; i++) {
    epi_system bad = {.nq = 1, .force = lost}, good = {.nq = 1, .velocity_force = thick};
    double y[] = {1, 0};
    epi_state s = {.y = y};
    epi_flow *f = i % 2 ? two(texts[i/2], &good, &bad) : two(texts[i/2], &bad, &good);
    check_count(epi_run(f, &s, 3, 0.3), EPI_TOO_FAR);
    check_has(epi_error(f), i % 2 ? "the stiff part has no solution" : "the acceleration of v1 is not finite at t = 1");
    check_between(s.t, 0.8, 1.21);
    check(isfinite(y[0]) && isfinite(y[1]));
    epi_free(f);
  }
}

/* a ball so fast that a step takes it half through itself: cut, and it comes back with its energy; where it cannot, the sentence says which
   contact */
static void fast_ball(void)
{
  for (int i = 0; i < 2; i++) {
    epi_world *w = epi_world_make();
    epi_add_body(w, &(epi_body){.name = "ball", .mass = 0.1, .inertia = {4e-5, 4e-5, 4e-5}, .at = {0, 0, 0.0301},
                                .velocity = {0, 0, i ? -3e4 : -20}});
    epi_add_body(w, &(epi_body){.name = "hung", .mass = 0.1, .inertia = {4e-5, 4e-5, 4e-5}, .at = {1, 0, 0}});
    epi_add_joint(w, &(epi_joint){.a = 1, .b = EPI_GROUND, .hold = EPI_ALL, .at_b = {1, 0, 0}, .stiffness = {1e5, 1e2},
                                  .damping = {10, 0.01}});
    epi_add_contact(w, &(epi_contact){.name = "floor", .shape = EPI_SPHERE_PLANE, .a = 0, .b = EPI_GROUND, .radius = 0.02,
                                      .normal = {0, 0, 1}, .law = {.K = 1e8}});
    epi_flow *f = epi_world_flow(w, "semi(model.contacts, model.stiff)");
    epi_state s = epi_world_state(w);
    int bad = epi_advance(f, &s, 2.5e-3, 1);
    check_count(bad, i ? EPI_TOO_FAR : 0);
    if (i) check_has(epi_error(f), "floor, between ball and the ground, was passed through");
    else {
      check_above((double)info_of(f).refused, 1);
      check_above(s.y[2], 0.02);
      check_abs(s.y[16], 20, 1);
    }
    epi_free(f);
    epi_world_free(w);
  }
}

/* ---- steps that are chosen ---- */
/* a spring that is twenty thousand times stiffer for a while, on a mass that velocity forces another one along */
static int season(epi_system *s, double t, const double *q, double *f)
{
  (void)s;
  double x = (t - 5)*(t - 5);
  f[0] = -(1 + 2e4*exp(-x*x))*q[0];
  f[1] = 0;
  return 0;
}

static void seasons(void)
{
  epi_system a = {.nq = 2, .force = season}, b = {.nq = 2, .velocity_force = glue};
  static const char *const texts[] = {"semi(a, b, sigma=3.9)", "semi(a, b, sigma=2)", "semi(a, b, sigma=0.5)"};
  for (int i = 0; i < 3; i++) {
    double y[] = {1, 1, 0, 0}, big = 0;
    epi_state s = {.y = y};
    epi_flow *f = two(texts[i], &a, &b);
    for (int k = 1; k <= 100; k++) {
      reach(f, &s, 0.1*k, 0.1);
      big = fmax(big, fabs(y[0]));
      check_abs(s.t, 0.1*k, 0);
    }
    epi_info info = info_of(f);
    printf("%s: %ld evaluations, steps from %.4f to %.4f, |q| up to %.2f\n", texts[i], info.calls, info.shortest, info.longest, big);
    check_below(big, 6);
    check_below(info.shortest, 0.02);
    check_above(info.longest, 0.09);
    /* fixed steps, as many */
    double z[] = {1, 1, 0, 0};
    epi_state r = {.y = z};
    epi_flow *g = two("semi(a, b)", &a, &b);
    int bad = epi_run(g, &r, 10, 10./(double)info.calls);
    if (i < 2) check(bad || fabs(z[0]) > 1e10);
    epi_free(g);
    epi_free(f);
  }
}

/* the error follows tol; with fixed steps, as many, a short gust is missed */
static int gust(epi_system *s, double t, const double *q, double *f)
{
  henon_force(s, t, q, f);
  double x = 100*(t - 2);
  f[0] += 200/(1 + x*x*x*x);
  return 0;
}
static void tolerances(void)
{
  epi_system a = {.nq = 2, .force = gust}, b = {.nq = 2, .velocity_force = glue};
  double ref[] = {0.3, 0.3, 0.1, 0.1}, e[5], tol = 1e-2;
  epi_state r = {.y = ref};
  epi_flow *exact = two("tolerance(radau(sum(a, b), stages=3), rtol=1e-12)", &a, &b);
  reach(exact, &r, 4, 4);
  epi_free(exact);
  for (int k = 0; k < 5; k++, tol /= 10) {
    char text[64];
    double y[] = {0.3, 0.3, 0.1, 0.1}, z[] = {0.3, 0.3, 0.1, 0.1};
    snprintf(text, sizeof text, "semi(a, b, tol=%g)", tol);
    epi_state s = {.y = y}, x = {.y = z};
    epi_flow *f = two(text, &a, &b), *g = two("semi(a, b)", &a, &b);
    reach(f, &s, 4, 4);
    e[k] = apart(4, y, ref);
    epi_info info = info_of(f);
    reach(g, &x, 4, 4./(double)info.calls);
    printf("%s: error %.1e with %ld evaluations, %ld refused; %.1e with fixed steps\n", text, e[k], info.calls, info.refused,
           apart(4, z, ref));
    if (k) check_below(e[k], 0.5*e[k-1]);
    if (k < 3) check_below(e[k], 0.2*apart(4, z, ref));
    check_below(e[k], 3*sqrt(tol));
    check_below((double)info.refused, 0.2*(double)info.calls + 12);
    epi_free(f);
    epi_free(g);
  }
  check_below(e[4], 0.02*e[0]);
}

/* there and back in chosen steps */
static void back_again(void)
{
  epi_system a = {.nq = 2, .force = shaken_force}, b = {.nq = 2, .force = henon_force};
  double e[2];
  for (int i = 0; i < 2; i++) {
    double y[4];
    memcpy(y, henon_start, sizeof y);
    epi_state s = {.y = y};
    epi_flow *f = two(i ? "semi(a, b, beta=0.5, tol=1e-05)" : "semi(a, b, beta=0.5, tol=0.001)", &a, &b);
    reach(f, &s, 4, 2);
    reach(f, &s, 0, -2);
    check_abs(s.t, 0, 0);
    e[i] = apart(4, y, henon_start);
    epi_free(f);
  }
  check_below(e[0], 0.02);
  check_below(e[1], 0.1*e[0]);
}

/* a force that is known up to the end of the run and not beyond: that end is reached */
static int until_3(epi_system *s, double t, const double *q, double *f) { (void)s; f[0] = -q[0]; return t > 3 ? EPI_TOO_FAR : 0; }
static void to_the_end(void)
{
  epi_system a = {.nq = 1, .force = until_3}, b = {.nq = 1, .velocity_force = thick};
  static const char *const texts[] = {"semi(a, b, tol=0.001)", "semi(a, b, sigma=0.01)", "semi(a, b)"};
  for (int i = 0; i < 3; i++) {
    double y[] = {1, 0}, w = sqrt(1 - 0.0625);
    epi_state s = {.y = y};
    epi_flow *f = two(texts[i], &a, &b);
    reach(f, &s, 3, i == 2 ? 0.01 : 3);
    check_abs(s.t, 3, 0);
    check_abs(y[0], exp(-0.75)*(cos(3*w) + 0.25/w*sin(3*w)), 0.03);
    check_below((double)info_of(f).refused, 20);
    check(epi_run(f, &s, 4, 1) > 0);
    check_has(epi_error(f), "is too long at t = 3");
    epi_free(f);
  }
}

/* ---- a bouncing ball ---- */
/* an action without a force notes when it is asked and how deep the ball is */
typedef struct { long n, contact; double last, in, longest; int touched; } diary;
static int note(const void *data, double t, const epi_pose *a, const epi_pose *b, epi_action *out)
{
  diary *d = *(diary *const *)data;
  (void)b; (void)out;
  int touches = a->r[2] < 0.02;
  double dt = t - d->last;
  d->n++;
  d->contact += touches;
  if (dt > 0 && touches && d->touched) d->in = fmax(d->in, dt);
  if (dt > 0 && !touches) d->longest = fmax(d->longest, dt);
  d->last = t;
  d->touched = touches;
  return 0;
}

static epi_world *bouncer(diary *d, double chi)
{
  epi_world *w = epi_world_make();
  epi_add_body(w, &(epi_body){.name = "ball", .mass = 0.1, .inertia = {4e-5, 4e-5, 4e-5}, .at = {0, 0, 0.1}, .spin = {0, 3, 0}});
  epi_add_body(w, &(epi_body){.name = "hung", .mass = 0.1, .inertia = {4e-5, 4e-5, 4e-5}, .at = {1, 0, 0.1}});
  epi_add_joint(w, &(epi_joint){.a = 1, .b = EPI_GROUND, .hold = EPI_ALL, .at_b = {1, 0, 0.1}, .stiffness = {1e6, 1e3},
                                .damping = {1e3, 1}});
  epi_add_contact(w, &(epi_contact){.name = "floor", .shape = EPI_SPHERE_PLANE, .a = 0, .b = EPI_GROUND, .radius = 0.02,
                                    .normal = {0, 0, 1},
                                    .law = {.K = 1e9, .chi = chi, .mu = chi > 0 ? 0.2 : 0, .vs = 0.01}});
  if (d) epi_add_action(w, "diary", 0, EPI_GROUND, 0, note, &d, sizeof d);
  epi_add_gravity(w, (const double[]){0, 0, -9.81});
  return w;
}

/* the largest error of the energy at outputs, relative to that of the fall; two seconds, about eight impacts */
static double bounce(const char *text, double every, epi_info *info, diary *d)
{
  epi_world *w = bouncer(d, 0);
  epi_system *m = epi_world_system(w);
  epi_flow *f = epi_world_flow(w, text);
  epi_state s = epi_world_state(w);
  double E = m->energy(m, 0, s.y), worst = 0;
  for (int k = 1; k*every < 2.0001; k++) {
    reach(f, &s, k*every, every);
    worst = fmax(worst, fabs(m->energy(m, s.t, s.y) - E)/(0.1*9.81*0.08));
  }
  *info = info_of(f);
  epi_free(f);
  epi_world_free(w);
  return worst;
}

static void bounces(void)
{
  static const double every[] = {2, 0.1, 0.01};
  epi_info info;
  puts("a bouncing ball, two seconds: error of the energy, evaluations, refused, steps");
  for (int k = 0; k < 3; k++) {
    double before = 1;
    for (double tol = 1e-2; tol > 5e-6; tol /= 10) {
      char text[80];
      diary d = {0};
      snprintf(text, sizeof text, "semi(model.contacts, model.stiff, tol=%g)", tol);
      double e = bounce(text, every[k], &info, &d);
      printf("  tol = %.0e, outputs every %-4g: %.1e %5ld %4ld, %.1e to %.1e, in contact up to %.1e\n", tol, every[k], e, info.calls,
             info.refused, info.shortest, info.longest, d.in);
      check_below(e, 5*tol);
      check_below(e, 0.5*before);
      before = e;
      /* in flight a thousand times longer than in contact, unless outputs are nearer; most evaluations are spent in contact */
      check_above(d.longest, 0.4*fmin(every[k], 0.05));
      check_below(d.in, 40*sqrt(tol)*1e-3);
      if (k < 2 && tol < 2e-3) check_above((double)d.contact, 0.4*(double)d.n);
    }
  }
  /* fixed steps, as many as the finest run took: the ball is lost */
  char text[] = "semi(model.contacts, model.stiff)";
  long calls = info.calls;
  epi_world *w = bouncer(NULL, 0);
  epi_system *m = epi_world_system(w);
  epi_flow *f = epi_world_flow(w, text);
  epi_state s = epi_world_state(w);
  double E = m->energy(m, 0, s.y);
  int bad = epi_run(f, &s, 2, 2./(double)calls);
  double e = bad ? INFINITY : fabs(m->energy(m, s.t, s.y) - E)/(0.1*9.81*0.08);
  printf("  %ld fixed steps: %.1e\n", calls, e);
  check_above(e, 0.01);
  epi_free(f);
  epi_world_free(w);
  /* by stiffness: a tenth of what is stable resolves the impacts to a per cent or so */
  check_below(bounce("semi(model.contacts, model.stiff, sigma=0.1)", 2, &info, NULL), 0.2);
  check_below(bounce("semi(model.contacts, model.stiff, sigma=0.01)", 2, &info, NULL), 0.02);
  check_below(bounce("semi(model.contacts, model.stiff, sigma=0.001)", 2, &info, NULL), 0.004);
}

/* no step is longer than longest, none but the last of a span begins beyond first */
static void lengths(void)
{
  epi_info info;
  bounce("semi(model.contacts, model.stiff, tol=0.001, longest=0.003, first=0.0001)", 0.5, &info, NULL);
  check_below(info.longest, 0.003);
  check_above(info.longest, 0.002);
}

/* ---- bits ---- */
/* saved anywhere, also deep in a contact, and loaded into a new flow: the same bits; and for any split over calls */
static void restarts(void)
{
  static const struct { const char *text; double h; } rows[] = {
    {"semi(model.contacts, model.stiff)", 2e-5}, {"semi(model.contacts, model.stiff, beta=0.6, ahead=1)", 2e-5},
    {"semi(model.contacts, model.stiff, tol=0.001)", 1e-3},
    {"semi(model.contacts, model.stiff, tol=0.001, ahead=1)", 0.13}, {"semi(model.contacts, model.stiff, sigma=0.05)", 0.01},
    {"substeps(semi(model.contacts, model.stiff), n=3)", 6e-5},
    {"semi(model.contacts, model.stiff, tol=0.0001)", 2e-5},
  };
  long touching = 0;
  for (size_t i = 0; i < sizeof rows/sizeof *rows; i++)
    for (int at = 1; at <= 4; at++) {
      double h = rows[i].h;
      /* the first impact is near t = 0.1277 */
      long n = h < 1e-3 ? lround(0.1305/h) : h < 0.1 ? lround(0.3/h) : 5, k = h < 1e-3 ? lround((0.12768 + 4e-5*at)/h) : at;
      epi_world *w[3];
      epi_flow *f[3];
      epi_state s[3];
      for (int c = 0; c < 3; c++) {
        w[c] = bouncer(NULL, 0.3);
        f[c] = epi_world_flow(w[c], rows[i].text);
        s[c] = epi_world_state(w[c]);
      }
      FILE *o = tmpfile();
      go(f[0], &s[0], h, n);
      go(f[1], &s[1], h, k/2);
      go(f[1], &s[1], h, k - k/2);
      touching += s[1].y[2] < 0.02;
      check_count(epi_save(f[1], &s[1], o), 0);
      rewind(o);
      if (at == 2) go(f[2], &s[2], 0.7*h, 3);
      check_count(epi_load(f[2], &s[2], o), 0);
      go(f[2], &s[2], h, n - k);
      if (!(check_bits(26, s[2].y, s[0].y) & check_bits(1, &s[2].t, &s[0].t))) printf("  %s, saved after %ld of %ld\n", rows[i].text, k, n);
      fclose(o);
      for (int c = 0; c < 3; c++) {
        epi_free(f[c]);
        epi_world_free(w[c]);
      }
    }
  printf("%ld of the restarts in contact\n", touching);
  check_above((double)touching, 4);
}

/* a flow that has run elsewhere takes a new start as a new flow does; a state that was moved by hand is taken as it is */
static void no_memory(void)
{
  epi_system a = {.nq = 2, .force = shaken_force, .velocity_force = quadratic_drag}, b = {.nq = 2, .velocity_force = glue};
  static const char *const texts[] = {"semi(a, b)", "semi(a, b, ahead=1)", "semi(a, b, tol=0.001)", "semi(a, b, sigma=0.1)"};
  for (int i = 0; i < 4; i++) {
    epi_flow *old = two(texts[i], &a, &b);
    for (int k = 0; k < 20; k++) {
      double x = 0.01*k, y[] = {x, x, 1 - x, 1 - x}, z[] = {x, x, 1 - x, 1 - x};
      epi_state s = {.t = 7*k, .y = y}, r = {.t = 7*k, .y = z};
      epi_flow *fresh = two(texts[i], &a, &b);
      go(old, &s, 0.02*(1 + k % 3), 5);
      go(fresh, &r, 0.02*(1 + k % 3), 5);
      check_bits(4, y, z);
      /* positions by hand: the velocity and the clock do not tell */
      y[0] += 0.1, y[1] += 0.1, z[0] += 0.1, z[1] += 0.1;
      epi_flow *third = two(texts[i], &a, &b);
      go(old, &s, 1e-3, 1);
      go(third, &r, 1e-3, 1);
      check_array(4, y, z, i == 0 ? 1e-12 : i == 1 ? 1e-4 : 1e-5);
      epi_free(third);
      epi_free(fresh);
    }
    epi_free(old);
  }
}

/* in other flows: an event, outputs between, steps refused from outside */
static int turn_back(void *data, const epi_system *s, epi_state *x)
{
  ++*(long *)data;
  (void)s;
  x->y[2] = -x->y[2];
  x->y[3] = -x->y[3];
  return 0;
}
static int look(void *data, const epi_system *s, epi_state *x) { ++*(long *)data; (void)s; (void)x; return 0; }
static void in_trees(void)
{
  epi_system a = {.nq = 2, .force = shaken_force}, b = {.nq = 2, .velocity_force = glue};
  static const char *const texts[] = {"at(semi(a, b), of=0, level=0.2, hit=back)", "at(semi(a, b, tol=0.001), of=0, level=0.2, hit=back)",
                                      "watch(semi(a, b, sigma=0.5), see=look, every=0.07)",
                                      "tolerance(semi(a, b), rtol=0.001)", "substeps(semi(a, b), n=4)", "dense(semi(a, b, ahead=1))"};
  for (size_t i = 0; i < sizeof texts/sizeof *texts; i++) {
    long hits = 0;
    double y[] = {0.3, 0.3, -0.5, -0.5};
    epi_state s = {.y = y};
    epi_name names[] = {{.name = "model", .system = &a}, {.name = "a", .system = &a}, {.name = "b", .system = &b},
                        {.name = "back", .see = turn_back, .data = &hits},
                        {.name = "look", .see = look, .data = &hits}, {0}};
    epi_flow *f = epi_make_named(texts[i], names);
    if (!check_count(epi_run(f, &s, 3, 0.1), 0)) printf("  %s: %s\n", texts[i], epi_error(f));
    check_abs(s.t, 3, 0);
    if (i < 2) { check_above((double)hits, 1); check_above(y[0], 0.19); }
    if (i == 2) check_count(hits, 42);
    epi_free(f);
  }
}

int main(void)
{
  penalties();
  slopes();
  stiff_action();
  cut_steps();
  broken_parts();
  not_a_number();
  fast_ball();
  seasons();
  tolerances();
  back_again();
  to_the_end();
  bounces();
  lengths();
  restarts();
  no_memory();
  in_trees();
  return test_done();
}
