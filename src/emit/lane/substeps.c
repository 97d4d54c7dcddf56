/* LANE_PARTS small steps for one large */
static int NODE(lane_go_)(epi_system *m, lane_memory *k, lane_state *s, double h, long n)
{
  int bad = 0;
  while (n-- > 0 && !bad) {
    lane_tick end = lane_target(m, SYSTEM(LANE_FORCED_), s, h);
    if (LANE_PARTS > 1 && (bad = KID(lane_go_)(m, k, s, h/LANE_PARTS, LANE_PARTS - 1))) break;
    if (LANE_LANDS) lane_land(s, end);
    bad = KID(lane_go_)(m, k, s, h/LANE_PARTS, 1);
  }
  return bad;
}
