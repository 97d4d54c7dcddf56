/* race.h - many balls in grooves at once: lanes of a vector are contacts. The same contacts as contact.c has one by one */
#ifndef EPI_RACE_H
#define EPI_RACE_H
#include "parts.h"

typedef struct epi_races epi_races;
/* the groove contacts of a world that can go together, or NULL when there are too few; taken says which pairs they are. 0, or -1 out of
   memory */
EPI_INSIDE int epi_races_make(const epi_pair *, int pairs, char *taken, epi_races **out);
EPI_INSIDE void epi_races_free(epi_races *);
/* adds their forces and moments to the bodies; 1 + the pair that was passed through, or 0 */
EPI_INSIDE int epi_races_act(const epi_races *, const epi_moving *);
#endif
