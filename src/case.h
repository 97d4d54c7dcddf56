/* case.h - how a case is made, for models and for those who find them by name */
#ifndef EPI_CASE_H
#define EPI_CASE_H
#include "core.h"

/* names of the parts a case may have: "model", two parts, the closing zero entry */
enum { EPI_PARTS = 4 };

/* slots and an observable that most models fill in alike: energy = kinetic + potential, kinetic = v M v/2 */
EPI_INSIDE double epi_kinetic_plain(epi_system *, double t, const double *y);
EPI_INSIDE double epi_energy_plain(epi_system *, double t, const double *y);
EPI_INSIDE double epi_case_energy(const epi_case *, const epi_state *s);

/* stiff modes of a case: a flow that finds them, the one that moves the states that are observed, and what the last of these had */
struct epi_stiff { epi_flow *probe; const epi_flow *by; int modes, known; double t, *y, *J, *om; };

/* the model is known, its parameters stand at `at` in the text; 0 on success */
EPI_INSIDE int epi_case_fill(epi_case *, const char *text, const char *at);
EPI_INSIDE epi_case *epi_case_made(epi_case *, int bad);                     /* the case, with a sentence where it is wrong */
/* bytes from here to the end of the memory of the case that this lies in; 0: it lies in none */
EPI_INSIDE size_t epi_case_room_behind(const epi_case *, const void *);
#endif
