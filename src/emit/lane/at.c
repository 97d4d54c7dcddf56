/* steps one by one, up to one in which the event may be: that is for the library, which looks inside of steps */
static int NODE(lane_go_)(epi_system *m, lane_memory *k, lane_state *s, double h, long n)
{
  double *before = k->keep[LANE_NODE];
  while (n-- > 0) {
    lane_state start = *s;
    double g0 = s->y[LANE_OF] - LANE_LEVEL;
    int bad = KID(lane_go_)(m, k, s, h, 1);
    if (bad) return bad;
    double g1 = s->y[LANE_OF] - LANE_LEVEL, change = fabs(g1 - g0);
    if (LANE_OF < LANE_NQ) change = fmax(change, fabs(h)*fmax(fabs(start.y[LANE_NV + LANE_OF % LANE_NV]),
                                                                 fabs(s->y[LANE_NV + LANE_OF % LANE_NV])));
    if (!(fmin(fabs(g0), fabs(g1)) > 2*(change + before[0])) || g0*g1 <= 0) { *s = start; return LANE_EVENT; }
    before[0] = change;
  }
  return 0;
}
