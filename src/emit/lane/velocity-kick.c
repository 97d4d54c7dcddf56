/* velocities moved by the velocity force alone, by the midpoint rule */
static int NODE(lane_once_)(epi_system *m, lane_memory *k, lane_state *s, double h)
{
  double *v = s->y + LANE_NV, v0[LANE_NV], a[LANE_NV], x[LANE_NV], d = 1, big = 0, first = 0, last = HUGE_VAL;
  int bad;
  for (int i = 0; i < LANE_NV; i++) v0[i] = v[i];
  for (int it = 0; it < 100 && d > 4e-16*big; it++) {
    for (int i = 0; i < LANE_NV; i++) { x[i] = 0.5*(v0[i] + v[i]); a[i] = 0; }
    if ((bad = SYSTEM(lane_drag_)(m, k, s->t, s->y, x, a))) return bad;
    SYSTEM(lane_divide_)(m, a);
    for (int i = 0; i < LANE_NV; i++) { x[i] = v[i]; v[i] = v0[i] + h*a[i]; }
    d = big = 0;
    for (int i = 0; i < LANE_NV; i++) { d = lane_larger(d, fabs(v[i] - x[i])); big = lane_larger(big, fabs(v[i])); }
    if (!(big < 1e300)) return LANE_TOO_FAR;
    if (!it) first = d;
    if (it > 10 && d >= last) break;
    last = d;
  }
  if (d > 1e-12*big && d > 1e-9*first) {
    for (int i = 0; i < LANE_NV; i++) v[i] = v0[i];
    return LANE_TOO_FAR;
  }
  return 0;
}
static int NODE(lane_go_)(epi_system *m, lane_memory *k, lane_state *s, double h, long n)
{
  int bad = 0;
  s->kicks++;
  while (n-- > 0 && !bad) bad = NODE(lane_once_)(m, k, s, h);
  return bad;
}
