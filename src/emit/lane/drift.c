/* positions moved by the velocities; carries the clock */
static int NODE(lane_go_)(epi_system *m, lane_memory *k, lane_state *s, double h, long n)
{
  double *q = s->y, *v = q + LANE_NV;
  while (n-- > 0) {
    lane_tick end = lane_target(m, SYSTEM(LANE_FORCED_), s, h);
    for (int i = 0; i < LANE_NV; i++) q[i] = q[i] + h*v[i];
    lane_clock(s, end);
    lane_moved(k, s);
  }
  return 0;
}
