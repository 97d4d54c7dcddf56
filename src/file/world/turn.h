/* turn.h - rotations as quaternions */
#ifndef EPI_TURN_H
#define EPI_TURN_H
void epi_file_turn_times(const double *a, const double *b, double *out);             /* first b, then a; out may be one of them */
void epi_file_turned(const double *q, const double *x, double *out);                 /* out may be x */
void epi_file_turn_about(const double *axis, double angle, double *q);
void epi_file_turn_from(const double *unit, int from, double *q);                    /* turns axis `from` (0 x, 2 z) into the unit vector */
#endif
