/* rotating.c - what models of one rotating body have in common */
#include "rotating.h"

const char *const epi_body_names[] = {"q0", "q1", "q2", "q3", "w1", "w2", "w3"};
const char *const epi_body_units[] = {"", "", "", "", "rad/s", "rad/s", "rad/s"};

void epi_body_retract(epi_system *s, const double *q, const double *dq, double *out)
{
  (void)s;
  epi_turn_far(q, dq, out);
}

void epi_body_retract_rate(epi_system *s, const double *u, const double *v, double *du)
{
  (void)s;
  epi_turn_rate(u, v, du);
}

int epi_body_gyro(epi_system *s, double t, const double *q, const double *w, double *f)
{
  (void)t, (void)q;
  epi_gyro(s->mass, w, f);
  return 0;
}

/* ---- what is looked at ---- */
static double momentum(const epi_case *c, const epi_state *s, int axis)
{
  const double *q = s->y, *w = q + EPI_BODY_Q, *I = c->system.mass;
  double x[] = {I[0]*w[0], I[1]*w[1], I[2]*w[2]}, L[3];
  epi_to_space(q, x, L);
  return L[axis];
}

double epi_body_Lx(const epi_case *c, const epi_state *s) { return momentum(c, s, 0); }
double epi_body_Ly(const epi_case *c, const epi_state *s) { return momentum(c, s, 1); }
double epi_body_Lz(const epi_case *c, const epi_state *s) { return momentum(c, s, 2); }

double epi_body_off(const epi_case *c, const epi_state *s)
{
  (void)c;
  return s->y[0]*s->y[0] + epi_dot(s->y + 1, s->y + 1) - 1;
}
