/* verlet, and compositions of it: n steps of LANE_STAGES leaps; a: the cache of node LANE_KID */
static int NODE(lane_go_)(epi_system *m, lane_memory *k, lane_state *s, double h, long n)
{
  double *a = k->a[LANE_KID], *q = s->y, *v = q + LANE_NV;
  double t = s->t, rest = s->rest, theta = s->theta, t0 = t, theta0 = theta, hi = NODE(lane_w_)[0]*h, hh = 0.5*hi;
  const double *tap = s->tap;
  int i = 0, bad = 0;
  if (!lane_known(k, LANE_KID, s) && (bad = SYSTEM(lane_accel_)(m, k, t, theta, q, a))) { k->at[LANE_KID] = 0; return bad; }
  for (int j = 0; j < LANE_NV; j++) { v[j] += hh*a[j]; q[j] += hi*v[j]; }
  for (;;) {
    int last = LANE_STAGES == 1 || i == LANE_STAGES - 1;
    if (SYSTEM(LANE_FORCED_)) theta = last ? lane_wrap(theta0 + m->phase.phase_rate*h) : lane_wrap(theta + m->phase.phase_rate*hi);
    if (last) { double dt = h + rest; t = t0 + dt; rest = dt - (t - t0); } else t += hi;
    if (s->landing && last) { t = s->land.t; rest = s->land.rest; theta = s->land.theta; }
    if ((bad = SYSTEM(lane_accel_)(m, k, t, theta, q, a))) { s->id = k->at[LANE_KID] = 0; return bad; }
    if (last) { t0 = t; theta0 = theta; n--; }
    if (last && n == 0) break;
    const double hp = hh;
    i = last ? 0 : i + 1;
    hi = LANE_STAGES == 1 ? h*NODE(lane_w_)[0] : NODE(lane_w_)[i]*h;
    hh = 0.5*hi;
    if (tap && last) { double w = *tap++; for (int j = 0; j < LANE_NV; j++) s->sum[j] += w*(v[j] + hp*a[j]); }
    for (int j = 0; j < LANE_NV; j++) { double u = v[j] + hp*a[j]; u += hh*a[j]; v[j] = u; q[j] += hi*u; }
  }
  for (int j = 0; j < LANE_NV; j++) v[j] = v[j] + hh*a[j];
  if (tap) for (int j = 0; j < LANE_NV; j++) s->sum[j] += *tap*v[j];
  s->t = t;
  s->rest = rest;
  s->theta = theta;
  s->landing = 0;
  lane_moved(k, s);
  lane_store(k, LANE_KID, s);
  return 0;
}
