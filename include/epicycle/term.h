/* term.h - the text of a flow or a model as a tree: read, changed, printed back; numbers and words as text */
/* first, so that this header can be the only one of a program */
#include "../epicycle.h"
#ifndef EPICYCLE_TERM_H
#define EPICYCLE_TERM_H
#ifdef __cplusplus
extern "C" {
#endif

/* what an option or a parameter that is whole may be: it fits an int, and is one wherever it is used. The limit, where that is what is
   wrong, for the sentence */
static inline int epi_is_whole(double x) { return x >= -2147483647.0 && x <= 2147483647.0 && x == (double)(int)x; }
static inline const char *epi_whole_limit(double x) { return x >= -2147483647.0 && x <= 2147483647.0 ? "" : " of at most 2147483647"; }

/* ---- Texts as trees --------------------------------------------------------------------------------------------------
 *   char why[320], out[200];
 *   epi_term *t = epi_term_read("tolerance(verlet, rtol=1e-6)", why, sizeof why);
 *   epi_term_give(t, "rtol", "1e-9");                          // another value of an option, or a new one
 *   epi_term_wrap(t, "watch(_, see=print, every=0.1)");       // around all of it: _ is where it was
 *   epi_term_text(t, out, sizeof out);                        // "watch(tolerance(verlet, rtol=1e-9), see=print, every=0.1)"
 *   epi_term_free(t);
 * Nothing is checked but the grammar: whether there are such names, epi_make says. */
enum { EPI_TERM_NAME, EPI_TERM_NUMBER, EPI_TERM_LIST };
typedef struct epi_term {
  int kind, column;            /* column: where it began in the text, from 1 */
  char name[48], key[48];      /* key: the option it is given to, or "" */
  double number, *list;        /* of a number; of a list, n entries */
  int n;
  char *spelled;               /* a number, list or path as it stood in the text; of a path name is the beginning */
  struct epi_term *arg, *next; /* the first of its arguments; the next of its siblings */
} epi_term;
EPI_API epi_term *epi_term_read(const char *text, char *error, size_t size);   /* NULL after a sentence */
EPI_API epi_term *epi_term_read_why(const char *text, epi_fault *);            /* the same with the cause */
EPI_API epi_term *epi_term_copy(const epi_term *);                             /* without its siblings; NULL: out of memory */
EPI_API void epi_term_free(epi_term *);                                        /* with its arguments and siblings */
EPI_API size_t epi_term_text(const epi_term *, char *out, size_t size);    /* its length; writes at most size bytes with the closing zero */
EPI_API epi_term *epi_term_option(const epi_term *, const char *key);          /* NULL: it is not given */
EPI_API epi_term *epi_term_find(const epi_term *, const char *name);           /* the first of this name, itself included; NULL: none */
EPI_API epi_term *epi_term_inside(const epi_term *);                           /* the first argument that is no option; NULL: none */
/* these return 0, or -1 and leave the tree as it was: out of memory, or a text that cannot be read */
EPI_API int epi_term_give(epi_term *, const char *key, const char *value);
EPI_API int epi_term_replace(epi_term *, const char *text);                    /* the term becomes this one, where it stands */
EPI_API int epi_term_wrap(epi_term *, const char *around);                     /* the same, and _ in it is what it was */

/* ---- Numbers and words, the same in every locale ----------------------------------------------------------------------- */
typedef struct epi_number { char text[32]; } epi_number;
EPI_API epi_number epi_shortest(double);                                       /* the fewest digits that read back as the same bits */
EPI_API int epi_number_read(const char *word, double *x);             /* 1: the whole word is a finite number, read to the nearest double */
/* the one that was meant by a word that is none of them; NULL: none is near. `among` ends with NULL */
EPI_API const char *epi_nearest(const char *word, const char *const *among);

#ifdef __cplusplus
}
#endif
#endif
