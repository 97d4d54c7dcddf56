/* bodies.h - models made of bodies: a world as a case, its motion and what its joints carry */
#ifndef EPI_BODIES_H
#define EPI_BODIES_H
#include "model.h"

/* the words of a parameter `as`, in the order of EPI_PENALTY and EPI_CONSTRAINT */
EPI_INSIDE extern const char *const epi_as_words[];

/* M v' = forces + G^T lambda, G v' + (G v + gt)' = 0: accelerations (nv) and multipliers (nc) of a state, from its forces alone; 0 on
   success */
EPI_INSIDE int epi_case_motion(const epi_case *, const epi_state *, double *a, double *lambda);
EPI_INSIDE int epi_remember_motion(epi_case *);                                         /* room for the last of them; 0 on success */

/* what a joint does to its body a in this state: by its springs, or by the multipliers of the motion; not-a-number where there is none */
EPI_INSIDE epi_action epi_case_joint(const epi_case *, const epi_state *, const char *name);

/* the largest gap of all joints */
EPI_INSIDE double epi_joint_gap(const epi_case *, const epi_state *);

/* how the joints of a mechanism hold: true constraints, or springs of this stiffness (turns: times reach^2) with the damping lag times
   stiffness */
typedef struct { int as; double stiffness, lag, reach; } epi_holding;
EPI_INSIDE int epi_join(epi_world *, epi_holding, epi_joint);

/* mechanisms in the plane of x and y. A bar from one of its ends at (x, y), which moves with (vx, vy); uniform, its points run along its
   own x axis */
typedef struct { double x, y, angle, vx, vy, rate; } epi_in_plane;
EPI_INSIDE int epi_add_bar(epi_world *, const char *name, double mass, double length, epi_in_plane end);
/* its look: flat, in a layer of its own */
EPI_INSIDE void epi_show_bar(epi_world *, int body, double length, double width, double z);
EPI_INSIDE double epi_body_angle(const epi_case *, const epi_state *, int body);        /* about z, -pi to pi */
EPI_INSIDE double epi_body_rate(const epi_case *, const epi_state *, int body);
/* of a joint about the origin, along z */
EPI_INSIDE double epi_pivot_torque(const epi_case *, const epi_state *, const char *joint, int body);
EPI_INSIDE double epi_body_speedup(const epi_case *, const epi_state *, int body);      /* angular acceleration about z */
#endif
