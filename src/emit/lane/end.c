/* a run from its start to its end, as epi_run has it, and as many of them as there are lanes */
static double lane_left(const lane_state *s, double end) { return (end - s->t) - s->rest; }
static double lane_loose(const lane_state *s, double end, double h)
{
  return fmin(1e-3, 1e-9 + 1e-15*fmax(fabs(s->t), fabs(end))/fabs(h));
}
static int lane_arrives(lane_state *s, double end, double h)
{
  if (!(fabs(lane_left(s, end)) <= lane_loose(s, end, h)*fabs(h))) return 0;
  s->t = end;
  s->rest = 0;
  return 1;
}
static int lane_run(epi_system *m, lane_memory *k, lane_state *s, double end, double h)
{
  int bad;
  if (lane_arrives(s, end, h)) return 0;
  for (double count; (count = lane_left(s, end)/h) >= 1 - lane_loose(s, end, h); )
    if ((bad = LANE_ROOT(m, k, s, h, count > 1e6 ? 1000000 : count > 4 ? (long)count - 2 : 1))) return bad;
  if (lane_arrives(s, end, h)) return 0;
  if ((bad = LANE_ROOT(m, k, s, lane_left(s, end), 1))) return bad;
  lane_arrives(s, end, h);
  return 0;
}

/* in: t, theta, step, end, the rate of the phase, its period, its start, masses, period and phase of each average, y, data
   out: code, t and what rounding left of it, theta, y */
static void lane_one(const double *in, double *out)
{
  epi_system m = {LANE_NQ, LANE_SAID_NV, LANE_NZ, {in[4], in[5], in[6]}, in + 7, in + 7 + LANE_NV};
  lane_memory k = {0};
  lane_state s = {in[0], 0, in[1], {0, 0, 0}, 0, 0, 0, 0, 0, {0}};
  const double *y = in + 7 + LANE_NV + 2*LANE_AVERAGES;
  double sum = 0;
  LANE_DATA(m, (double *)y + LANE_DIM);
  for (int i = 0; i < LANE_DIM; i++) s.y[i] = y[i];
  out[0] = lane_run(&m, &k, &s, in[3], in[2]);
  out[1] = s.t;
  out[2] = s.rest;
  out[3] = s.theta;
  for (int i = 0; i < LANE_DIM; i++) { out[4 + i] = s.y[i]; sum += 0*(s.y[i]*s.y[i]); }
  if (!(sum == 0)) out[0] = LANE_WRONG;
}

/* what the model says at the start: to be held against the model itself */
static void lane_look(const double *in, double *out)
{
  epi_system m = {LANE_NQ, LANE_SAID_NV, LANE_NZ, {in[4], in[5], in[6]}, in + 7, in + 7 + LANE_NV};
  lane_memory k = {0};
  const double *y = in + 7 + LANE_NV + 2*LANE_AVERAGES;
  LANE_DATA(m, (double *)y + LANE_DIM);
  for (int i = 0; i < LANE_DIM; i++) out[4 + i] = 0;
  out[0] = lane_rate_0(&m, &k, in[0], in[1], y, out + 4);
  out[1] = out[2] = out[3] = 0;
}

#ifdef __CUDACC_RTC__
extern "C" __global__ void lanes_run(long n, int look, const double *in, double *out)
{
  long i = blockIdx.x*(long)blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (look) lane_look(in + i*LANE_IN, out + i*LANE_OUT);
  else lane_one(in + i*LANE_IN, out + i*LANE_OUT);
}
#else
void lanes_run(long n, int look, const double *in, double *out);
void lanes_run(long n, int look, const double *in, double *out)
{
  for (long i = 0; i < n; i++)
    if (look) lane_look(in + i*LANE_IN, out + i*LANE_OUT);
    else lane_one(in + i*LANE_IN, out + i*LANE_OUT);
}
#endif
