/* strobe.h - what a strobe gives is the oscillating solution at whole periods from the start, and between them it is not */
#ifndef EPI_STROBE_H
#define EPI_STROBE_H
#include "core.h"

/* 0: it changes, or this is no strobe */
EPI_INSIDE double epi_strobe_period(const epi_flow *average);
/* how far the oscillating solution was from the slow one within a period, of every coordinate; NULL: this is no strobe */
EPI_INSIDE const double *epi_strobe_swing(const epi_flow *average);
/* its differences: their weights at 1, 2, ... reach periods; one way alone; its phase is in t; NULL: this is no strobe, or one that moves
   differences from the slow state */
typedef struct epi_strobe_form { const double *weight; int reach, forward, timed; double period, theta0; } epi_strobe_form;
EPI_INSIDE int epi_strobe_form_of(const epi_flow *average, epi_strobe_form *);       /* 0 on success */
#endif
