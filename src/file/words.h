/* words.h - words and numbers of a model file */
#ifndef EPI_WORDS_H
#define EPI_WORDS_H

typedef struct number { char text[32]; } number;
number epi_file_shortest(double x);                                              /* the fewest digits that read back with the same bits */
int epi_file_number(const char *word, double *x);                                    /* 1: the whole word is a finite number */
int epi_file_ends(const char *word, const char *ending);
int epi_file_code(const char *word);                                                 /* 1: it is the name of code, a .c or .so file */
#endif
