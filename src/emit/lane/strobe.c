/* the slow rate: a difference quotient of whole periods, forward and backward */
static int NODE(lane_leg_)(epi_system *m, lane_memory *k, double sign, double t, const double *y, double *sum, double *span)
{
  const double period = m->average[2*LANE_AVERAGE], theta0 = m->average[2*LANE_AVERAGE + 1];
  lane_state s = {t, 0, theta0, {0, 0, 0}, 0, 0, 0, 0, 0, {0}};
  int bad;
  for (int i = 0; i < LANE_DIM; i++) s.y[i] = y[i];
  NODE(lane_forget_)(k);
  for (int j = 1; j <= LANE_REACH; j++) {
    double since = sign*j*period, c = sign*NODE(lane_w_)[j - 1];
    s.id = 0;
    if ((bad = KID(lane_go_)(m, k, &s, sign*period, 1))) return bad;
    s.t = t + sign*j*period;
    s.rest = 0;
    s.theta = theta0;
    for (int i = 0; i < LANE_DIM; i++) sum[i] += c*s.y[i];
    *span += c*since;
  }
  return 0;
}

static int NODE(lane_quotient_)(epi_system *m, lane_memory *k, double t, const double *y, double *dy)
{
  double sum[LANE_DIM], span = 0, c = 0;
  int bad;
  if (LANE_TIMED) t = m->average[2*LANE_AVERAGE + 1]/m->phase.phase_rate;
  for (int j = 0; LANE_FORWARD && j < LANE_REACH; j++) c -= NODE(lane_w_)[j];
  for (int i = 0; i < LANE_DIM; i++) sum[i] = c*y[i];
  bad = NODE(lane_leg_)(m, k, 1, t, y, sum, &span);
  if (!bad && !LANE_FORWARD) bad = NODE(lane_leg_)(m, k, -1, t, y, sum, &span);
  for (int i = 0; i < LANE_DIM; i++) dy[i] = sum[i]/span;
  return bad;
}
