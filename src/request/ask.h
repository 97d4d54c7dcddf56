/* ask.h - texts of a request: tolerances in flows, parameters and their units in models */
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

char *epi_term_new_text(const epi_term *);    /* in new memory; NULL: out of memory */

/* "kepler(e=0.6)", mu and 2 -> "kepler(e=0.6, mu=2)" in new memory; replaces another value of that name, accepts any name of a model.
   NULL: why has the error in the text of the model, or "" for an unreadable value or memory */
char *epi_model_put_parameter(const char *model, const char *name, const char *value, char *why, size_t size);
const epi_model *epi_ask_model(const char *text);             /* of the library, by the name that a text begins with; or NULL */
/* value as a number in the unit of the parameter whose name has n letters. 1: it is to stay as it is; 0: out has it; -1: why has the
   sentence. known, where it is not NULL: there is such a parameter */
int epi_ask_unit(const epi_model *, const char *name, size_t n, const char *value, epi_number *out, int *known, char *why,
                 size_t size);
#endif
