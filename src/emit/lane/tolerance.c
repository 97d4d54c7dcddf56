/* steps chosen so that the local error stays below a bound; kept: the next step, the last error, a tenth of the span */
static double NODE(lane_largest_)(const double *e, const double *y0, const double *y1)
{
  double q = 0;
  for (int i = 0; i < LANE_DIM; i++) {
    double size = fmax(fabs(y0[i]), fabs(y1[i])), allowed = LANE_RTOL*size + LANE_ATOL(i);
    if (LANE_ODE45) allowed = fmax(LANE_RTOL*size, LANE_ATOL(i));
    double r = fabs(e[i])/allowed;
    if (!(r <= q)) q = r;
  }
  return q;
}

/* the longest step: less than half a turn of a fast phase unless it is given */
static double NODE(lane_top_)(const epi_system *m, double tenth)
{
  double turn = LANE_TURNS && fabs(m->phase.phase_rate) > 0 ? 0.43*2*3.14159265358979323846/fabs(m->phase.phase_rate) : HUGE_VAL;
  return LANE_LONGEST > 0 ? LANE_LONGEST : fmin(turn, LANE_ODE45 ? tenth : HUGE_VAL);
}

static int NODE(lane_first_)(epi_system *m, lane_memory *k, const lane_state *s, double span)
{
  double *keep = k->keep[LANE_NODE], dy[LANE_DIM], d0 = 0, d1 = 0;
  double top = fmin(NODE(lane_top_)(m, 0.1*span), span), h = LANE_FIRST > 0 ? fmin(LANE_FIRST, top) : top;
  int bad;
  keep[1] = 1;
  keep[0] = fmin(h, 0.01*span);
  if (LANE_FIRST > 0 && !LANE_ODE45) { keep[0] = h; return 0; }
  if ((bad = SYSTEM(lane_rate_)(m, k, s->t, s->theta, s->y, dy))) return bad < 0 ? bad : 0;
  for (int i = 0; i < LANE_DIM; i++) {
    double y = fabs(s->y[i]), w = LANE_ODE45 ? fmax(y, LANE_ATOL(i)/LANE_RTOL) : LANE_RTOL*y + LANE_ATOL(i);
    d0 = fmax(d0, y/w);
    d1 = fmax(d1, fabs(dy[i])/w);
  }
  if (LANE_ODE45) {
    double rh = d1/(0.8*pow(LANE_RTOL, 1.0/LANE_POWER));
    keep[0] = h*rh > 1 ? 1/rh : h;
  } else if (d1 > 0) {
    keep[0] = fmin(h, d0 > 1e-5 ? 0.01*d0/d1 : 1e-6*span);
  }
  return 0;
}

/* one step with its own estimate; or one, and two halves from the same start, which are kept */
static int NODE(lane_try_)(epi_system *m, lane_memory *k, lane_state *s, double dt, const lane_state *start, double *e)
{
  int bad;
  if (LANE_OWN) {
    double *outer = k->err;
    k->err = e;
    bad = KID(lane_go_)(m, k, s, dt, 1);
    k->err = outer;
    return bad;
  }
  int landing = s->landing;
  lane_tick end = s->land;
  if ((bad = KID(lane_go_)(m, k, s, dt, 1))) return bad;
  for (int i = 0; i < LANE_DIM; i++) e[i] = s->y[i];
  *s = *start;
  s->landing = 0;
  if ((bad = KID(lane_go_)(m, k, s, 0.5*dt, 1))) return bad;
  if (landing) lane_land(s, end);
  if ((bad = KID(lane_go_)(m, k, s, 0.5*dt, 1))) return bad;
  for (int i = 0; i < LANE_DIM; i++) e[i] = (s->y[i] - e[i])/LANE_SCALE;
  return 0;
}

static double NODE(lane_error_)(const double *e, const double *y0, const double *y1)
{
  double q = NODE(lane_largest_)(e, y0, y1);
  if (!LANE_OWN || LANE_ESTIMATES < 2) return q;
  double q3 = NODE(lane_largest_)(e + (LANE_ESTIMATES - 1)*LANE_DIM, y0, y1);
  return q > 1e-150 ? q*q/sqrt(q*q + 0.01*q3*q3) : q;
}

static double NODE(lane_good_)(double q, double last, int failed)
{
  if (LANE_ODE45) {
    double x = 1.25*pow(q, 1.0/LANE_POWER);
    return failed ? 1 : x > 0.2 ? 1/x : 5;
  }
  double p = LANE_POWER, x = q > 0 ? 0.9*pow(q, -0.7/p)*pow(last, 0.4/p) : 5;
  x = fmin(5.0, fmax(0.2, x));
  return failed ? fmin(1.0, x) : x;
}
static double NODE(lane_bad_)(double q, int failed)
{
  if (LANE_ODE45) return failed ? 0.5 : q < 1e300 ? fmax(0.1, 0.8*pow(q, -1.0/LANE_POWER)) : 0.1;
  return q < 1e9 ? fmax(0.1, 0.9*pow(q, -1.0/LANE_POWER)) : 0.1;
}

static int NODE(lane_span_)(epi_system *m, lane_memory *k, lane_state *s, lane_tick end, double sign)
{
  double *keep = k->keep[LANE_NODE], top = NODE(lane_top_)(m, keep[2]), e[2*LANE_DIM], before = 0;
  int failed = 0, refused = 0;
  for (double taken = 0; s->t != end.t || s->rest != end.rest; taken++) {
    double left = fabs((end.t - s->t) + (end.rest - s->rest)), dt = fmin(keep[0], top), least = 16*fmax(fabs(s->t)*2.2e-24, 1e-300);
    int last = 1.1*dt >= left, bad;
    if (last) dt = left;
    if ((dt < least && !last) || (LANE_MOST > 0 && taken >= LANE_MOST)) return LANE_TOO_FAR;
    lane_state start = *s;
    if (last) lane_land(s, end);
    bad = NODE(lane_try_)(m, k, s, sign*dt, &start, e);
    s->landing = 0;
    if (bad < 0) return bad;
    double q = bad ? HUGE_VAL : NODE(lane_error_)(e, start.y, s->y);
    if (!(q <= 1)) {
      *s = start;
      s->landing = 0;
      if (bad || q != q) {
        if (!refused || before - left > 1e-11*keep[2]) { refused = 0; before = left; }
        if (++refused > 64 || dt <= 4*2.2e-16*fabs(s->t)) return LANE_TOO_FAR;
      }
      keep[0] = dt*NODE(lane_bad_)(q != q ? HUGE_VAL : q, failed);
      failed = 1;
      continue;
    }
    const double want = dt*NODE(lane_good_)(q, keep[1], failed);
    if (!last || want < keep[0]) keep[0] = want;
    keep[1] = fmax(q, 1e-4);
    failed = 0;
    if (last) lane_clock(s, end);
  }
  return 0;
}

static int NODE(lane_go_)(epi_system *m, lane_memory *k, lane_state *s, double h, long n)
{
  double *keep = k->keep[LANE_NODE];
  int bad = 0;
  for (; n > 0 && !bad; n--) {
    lane_tick end = lane_target(m, SYSTEM(LANE_FORCED_), s, h);
    keep[2] = 0.1*fabs(h);
    if (keep[0] == 0 && (bad = NODE(lane_first_)(m, k, s, fabs(h)))) { keep[0] = 0; break; }
    bad = NODE(lane_span_)(m, k, s, end, h < 0 ? -1 : 1);
  }
  return bad;
}
