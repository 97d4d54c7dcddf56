/* four stages, each standing on the one before alone, of a force of position alone */
static int NODE(lane_go_)(epi_system *m, lane_memory *k, lane_state *s, double h, long steps)
{
  double z[LANE_NV], F[4][LANE_NV], *q = s->y, *v = q + LANE_NV, t = s->t, rest = s->rest;
  const double c1 = NODE(lane_c_)[0]*h, c2 = NODE(lane_c_)[1]*h, c3 = NODE(lane_c_)[2]*h;
  const double v0 = h*NODE(lane_w_)[0], v1 = h*NODE(lane_w_)[1], v2 = h*NODE(lane_w_)[2], v3 = h*NODE(lane_w_)[3];
  const double q0 = h*NODE(lane_w_)[1]*c1, q1 = h*NODE(lane_w_)[2]*c2, q2 = h*NODE(lane_w_)[3]*c3, g2 = c2*c1, g3 = c3*c2;
  int bad = 0;
  for (; steps > 0; steps--) {
    if ((bad = SYSTEM(lane_accel_)(m, k, t, s->theta, q, F[0]))) break;
    for (int l = 0; l < LANE_NV; l++) z[l] = q[l] + c1*v[l];
    if ((bad = SYSTEM(lane_accel_)(m, k, t + c1, s->theta, z, F[1]))) break;
    for (int l = 0; l < LANE_NV; l++) z[l] = q[l] + (c2*v[l] + g2*F[0][l]);
    if ((bad = SYSTEM(lane_accel_)(m, k, t + c2, s->theta, z, F[2]))) break;
    for (int l = 0; l < LANE_NV; l++) z[l] = q[l] + (c3*v[l] + g3*F[1][l]);
    if ((bad = SYSTEM(lane_accel_)(m, k, t + c3, s->theta, z, F[3]))) break;
    for (int l = 0; l < LANE_NV; l++) {
      q[l] += h*v[l] + (q0*F[0][l] + q1*F[1][l] + q2*F[2][l]);
      v[l] += v0*F[0][l] + v1*F[1][l] + v2*F[2][l] + v3*F[3][l];
    }
    double dt = h + rest, t1 = s->landing ? s->land.t : t + dt;
    rest = s->landing ? s->land.rest : dt - (t1 - t);
    t = t1;
  }
  s->landing = 0;
  s->rest = rest;
  s->t = t;
  lane_moved(k, s);
  return bad;
}
