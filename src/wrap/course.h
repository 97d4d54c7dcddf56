/* course.h - the rough course of one fast period, for those who ask how far something swings in it */
#ifndef EPI_COURSE_H
#define EPI_COURSE_H
#include "core.h"

enum { EPI_COURSE_STEPS = 24, EPI_COURSE_STATES = 4 };
/* from this state over a period of T, which may be negative, by the rate of f's system, which has no constraints; it is shown after every
   step. Forces are counted by f; work: so many states */
EPI_INSIDE int epi_course(epi_flow *f, const epi_state *, double T, void (*see)(void *, epi_state *), void *, double *work);
#endif
