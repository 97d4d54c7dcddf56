/* phase.h - what an average asks the forces of its system about their phase, before its first window */
#ifndef EPI_PHASE_H
#define EPI_PHASE_H
#include "core.h"

/* the forces there, in the state y; work: five of them */
typedef struct { epi_flow *average; double t, theta, period; const double *y; double *work; } epi_phase_question;

/* a phase that does not come back after a turn is refused; 0: it does */
EPI_INSIDE int epi_ask_turn(const epi_phase_question *);
/* so is fast time beside the phase: windows at any t would start at any phase. anchored: t itself is the phase */
EPI_INSIDE int epi_ask_time(const epi_phase_question *, int anchored);
/* so are forces that are not even about theta */
EPI_INSIDE int epi_ask_even(const epi_phase_question *);
/* a system of the user's, with a force or a rate of its own: one that can be asked */
EPI_INSIDE int epi_can_be_asked(const epi_system *);
/* the micro flow of an average moves a copy of its system, whose phase is put where the windows want it: for those that take it from t.
   held: a second copy, whose phase stays at that of the start of all windows, for slow constraints */
typedef struct { epi_system sys, held; epi_space *space; double *room; } epi_phased;
/* NULL: not needed, or refused */
EPI_INSIDE epi_phased *epi_phased_make(epi_flow *average, double theta0);
EPI_INSIDE void epi_phased_free(epi_phased *);
/* constraints and forces of velocity have no fast time beside the phase either; else refused. NULL: nothing to ask */
EPI_INSIDE int epi_phased_ask(epi_phased *, epi_flow *average, double t, double period, const double *q);
/* from here on the phase is theta at t; NULL: nothing */
EPI_INSIDE void epi_phased_at(epi_phased *, double t, double theta);
#endif
