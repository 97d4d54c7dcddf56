/* the slow acceleration: a mean of the micro accelerations over a window, from its velocities by parts */
static int NODE(lane_leg_)(epi_system *m, lane_memory *k, const double *start, int n, const double *tap, double h, double t, double theta,
                           double *a)
{
  lane_state s = {t, 0, theta, {0, 0, 0}, 0, 0, 0, 0, 0, {0}};
  int bad = 0;
  for (int i = 0; i < LANE_DIM; i++) s.y[i] = start[i];
  NODE(lane_forget_)(k);
  if (LANE_TAPS) {
    s.tap = tap;
    s.sum = a;
    bad = KID(lane_go_)(m, k, &s, h, n);
  } else {
    for (int j = 0; j < n && !bad; j++) {
      bad = KID(lane_go_)(m, k, &s, h, 1);
      for (int i = 0; i < LANE_NV; i++) a[i] += tap[j]*s.y[LANE_NV + i];
    }
  }
  if (bad) return bad;
  return lane_most(s.y) <= 1e8*(1 + lane_most(start)) ? 0 : LANE_TOO_FAR;
}

static int NODE(lane_window_)(epi_system *m, lane_memory *k, double t, const double *q, const double *v, double *a)
{
  double y[LANE_DIM], h = m->average[2*LANE_AVERAGE]/LANE_STEPS, theta = m->average[2*LANE_AVERAGE + 1], sum[LANE_NV];
  int bad = 0;
  for (int i = 0; i < LANE_NV; i++) { y[i] = q[i]; y[LANE_NV + i] = v ? v[i] : 0; sum[i] = LANE_TAP0*y[LANE_NV + i]; }
  if (LANE_AHEAD) bad = NODE(lane_leg_)(m, k, y, LANE_AHEAD, NODE(lane_ahead_), h, t, theta, sum);
  if (LANE_BACK && !bad) bad = NODE(lane_leg_)(m, k, y, LANE_BACK, NODE(lane_back_), -h, t, theta, sum);
  for (int i = 0; i < LANE_NV; i++) a[i] = sum[i]/h;
  return bad;
}
