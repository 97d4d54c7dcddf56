/* rotation.h - attitudes as unit quaternions q = (q0, q1, q2, q3), from the body to space; velocities are those of the body, in its own
 * axes */
#ifndef EPI_ROTATION_H
#define EPI_ROTATION_H
#include "model.h"

/* the slots of a rotating body: out = q exp(dq), made a unit again; u' of q = q0 exp(u) for the velocity v */
EPI_INSIDE void epi_body_retract(epi_system *, const double *q, const double *dq, double *out);
EPI_INSIDE void epi_body_retract_rate(epi_system *, const double *u, const double *v, double *du);

/* the gyroscopic torque (I w) x w, which makes I w stay in space where no other acts; adds. The mass of the system is the inertia */
EPI_INSIDE int epi_body_gyro(epi_system *, double t, const double *q, const double *w, double *f);

EPI_INSIDE void epi_quaternion_times(const double *a, const double *b, double *out);   /* out may be a or b */
EPI_INSIDE void epi_quaternion_about(int axis, double angle, double *out);             /* axis 0, 1 or 2 */
EPI_INSIDE void epi_to_space(const double *q, const double *body, double *space);
EPI_INSIDE void epi_to_body(const double *q, const double *space, double *body);

/* observables: the momentum in space, and how far q is from a unit */
EPI_INSIDE double epi_body_Lx(const epi_case *, const epi_state *);
EPI_INSIDE double epi_body_Ly(const epi_case *, const epi_state *);
EPI_INSIDE double epi_body_Lz(const epi_case *, const epi_state *);
EPI_INSIDE double epi_body_off(const epi_case *, const epi_state *);

enum { EPI_BODY_Q = 4, EPI_BODY_V = 3 };
extern EPI_INSIDE const char *const epi_body_names[EPI_BODY_Q + EPI_BODY_V], *const epi_body_units[EPI_BODY_Q + EPI_BODY_V];
#endif
