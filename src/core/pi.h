/* pi.h - half a turn and a whole one, in rad */
#ifndef EPI_PI_H
#define EPI_PI_H
#define EPI_PI 3.14159265358979323846
#define EPI_TURN (2*EPI_PI)
#endif
