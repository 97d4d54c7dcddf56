/* rotating.h - what models of one rotating body have in common: attitude q = (q0, q1, q2, q3), velocities in the axes of the body */
#ifndef EPI_ROTATING_H
#define EPI_ROTATING_H
#include "model.h"
#include "body/rotation.h"

/* the slots of a rotating body: out = q exp(dq); u' of q = q0 exp(u) for the velocity v; the gyroscopic torque, where the mass is the
   inertia */
EPI_INSIDE void epi_body_retract(epi_system *, const double *q, const double *dq, double *out);
EPI_INSIDE void epi_body_retract_rate(epi_system *, const double *u, const double *v, double *du);
EPI_INSIDE int epi_body_gyro(epi_system *, double t, const double *q, const double *w, double *f);

/* observables: the momentum in space, and how far q is from a unit */
EPI_INSIDE double epi_body_Lx(const epi_case *, const epi_state *);
EPI_INSIDE double epi_body_Ly(const epi_case *, const epi_state *);
EPI_INSIDE double epi_body_Lz(const epi_case *, const epi_state *);
EPI_INSIDE double epi_body_off(const epi_case *, const epi_state *);

enum { EPI_BODY_Q = 4, EPI_BODY_V = 3 };
extern EPI_INSIDE const char *const epi_body_names[EPI_BODY_Q + EPI_BODY_V], *const epi_body_units[EPI_BODY_Q + EPI_BODY_V];
#endif
