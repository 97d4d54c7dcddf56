/* half a velocity kick, the rest, half a velocity kick */
static int NODE(lane_go_)(epi_system *m, lane_memory *k, lane_state *s, double h, long n)
{
  int bad = 0;
  while (n-- > 0 && !bad)
    if (!(bad = KID(lane_go_)(m, k, s, 0.5*h, 1)) && !(bad = LANE_JOIN(lane_go_, LANE_REST)(m, k, s, h, 1)))
      bad = KID(lane_go_)(m, k, s, 0.5*h, 1);
  return bad;
}
