/* number.c - numbers of the command line */
#include "tool.h"

int read_number(const char *word, double *x) { return epi_number_read(word, x); }
