/* ask.h - texts of a request: tolerances in flows, parameters and their units in models */
#ifndef EPI_ASK_H
#define EPI_ASK_H
#include "epicycle.h"
#include "choose/unasked.h"
#include "epicycle/term.h"

epi_term *epi_ask_stepping(epi_term *);       /* the flow inside of its events, whose steps a tolerance may choose */
int epi_ask_chooses(const epi_term *);        /* 1: it chooses its steps */
/* a flow that chooses its steps takes the tolerance, another one gets it around it. 0; -1: it has one already; 1: memory is out */
int epi_ask_within(epi_term *stepping, double tol);

char *epi_ask_text(const epi_term *);         /* in new memory, or NULL */

/* "kepler(e=0.6)" and mu=2 become "kepler(e=0.6, mu=2)", in place of another value of that name; what stands before the bracket may be any
   name. In new memory; NULL: why has the sentence on the text of the model, or nothing where the value is none or memory is out */
char *epi_ask_with(const char *model, const char *name, const char *value, char *why, size_t size);
const epi_model *epi_ask_model(const char *text);             /* of the library, by the name that a text begins with; or NULL */
/* value as a number in the unit of the parameter whose name has n letters. 1: it is to stay as it is; 0: out has it; -1: why has the
   sentence. known, where it is not NULL: there is such a parameter */
int epi_ask_unit(const epi_model *, const char *name, size_t n, const char *value, epi_number *out, int *known, char *why,
                 size_t size);
#endif
