/* velocities moved by the force of position */
static int NODE(lane_go_)(epi_system *m, lane_memory *k, lane_state *s, double h, long n)
{
  double *v = s->y + LANE_NV, *a = k->a[LANE_NODE];
  int bad;
  if (!lane_known(k, LANE_NODE, s)) {
    if ((bad = SYSTEM(lane_accel_)(m, k, s->t, s->theta, s->y, a))) { k->at[LANE_NODE] = 0; return bad; }
    lane_store(k, LANE_NODE, s);
  }
  s->kicks++;
  while (n-- > 0) for (int i = 0; i < LANE_NV; i++) v[i] += h*a[i];
  return 0;
}
