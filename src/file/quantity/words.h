/* words.h - endings of the names of files */
#ifndef EPI_WORDS_H
#define EPI_WORDS_H

int epi_file_ends(const char *word, const char *ending);
/* a number and the text of its unit, which may be none at all; 0 on success */
int epi_unit_split(const char *word, double *x, const char **unit);
int epi_file_code(const char *word);                                                 /* 1: it is the name of code, a .c or .so file */
#endif
