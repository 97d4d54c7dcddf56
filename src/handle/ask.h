/* ask.h - what a run of the command and a job settle alike: tolerances in flows, a flow that nobody asked for, numbers with units */
#ifndef EPI_ASK_H
#define EPI_ASK_H
#include "epicycle.h"
#include "choose/unasked.h"
#include "epicycle/term.h"

/* names: those of the case, or NULL. The flow inside of its events, whose steps a tolerance may choose */
epi_term *epi_ask_stepping(epi_term *, const epi_name *names);
int epi_ask_chooses(const epi_term *, const epi_name *names);          /* 1: it chooses its steps */
/* a flow that chooses its steps takes the tolerance, another one gets it around it. 0; -1: it has one already; 1: memory is out */
int epi_ask_within(epi_term *stepping, const epi_name *names, double tol);

/* of a chosen flow: its steps end where those of the trial did, so that the run is the one that was found right, and rows come between
   them; a step that is given (not NaN) spaces the rows, unless these are given (not NaN, not negative) too */
void epi_ask_rows(double span, double *step, double *every);
/* the time between these rows */
double epi_ask_every(double span, double step, double every);

const epi_model *epi_ask_model(const char *text);             /* of the library, by the name that a text begins with; or NULL */
/* value as a number in the unit of the parameter whose name has n letters. 1: it is to stay as it is; 0: out has it; -1: why has the
   sentence. known, where it is not NULL: there is such a parameter */
int epi_ask_unit(const epi_model *, const char *name, size_t n, const char *value, epi_number *out, int *known, char *why,
                 size_t size);
#endif
