/* strobe.h - the differences of a strobe, for emission */
#ifndef EPI_STROBE_H
#define EPI_STROBE_H
#include "core.h"

/* its differences: their weights at 1, 2, ... reach periods; one way alone; its phase is in t */
typedef struct epi_strobe_form { const double *weight; int reach, forward, timed; double period, theta0; } epi_strobe_form;
EPI_INSIDE int epi_strobe_form_of(const epi_flow *average, epi_strobe_form *);       /* 0; -1: its period varies, or it moves
                                                                                       differences from the slow state */
#endif
