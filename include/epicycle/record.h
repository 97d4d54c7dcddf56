/* record.h - methods, averages and wrappers as records, with their options; the nodes of a tree made of them */
/* first, so that this header can be the only one of a program */
#include "../epicycle.h"
#ifndef EPICYCLE_RECORD_H
#define EPICYCLE_RECORD_H
#ifdef __cplusplus
extern "C" {
#endif

typedef struct epi_range {     /* the numbers that an option or parameter may be; all zero: any */
  double least, most;          /* most: EPI_UNBOUNDED where there is no upper end */
  unsigned open;               /* EPI_ABOVE, EPI_BELOW: without that end */
  const char *words;           /* what a refusal says after the number; NULL: made of the ends */
} epi_range;
#define EPI_UNBOUNDED 1.7976931348623157e308
enum { EPI_ABOVE = 1, EPI_BELOW = 2 };
#define EPI_POSITIVE {0, EPI_UNBOUNDED, EPI_ABOVE, 0}
#define EPI_NOT_NEGATIVE {0, EPI_UNBOUNDED, 0, 0}

typedef struct epi_param {     /* one option of a method or parameter of a model */
  const char *name, *unit;
  double value;                /* the default; the index of the default word where there are words */
  const char *doc;
  const char *const *words;    /* the words it may be, NULL-terminated; NULL: a number */
  int kind;                    /* EPI_NUMBER ... */
  unsigned takes;              /* EPI_TAKES_KERNEL ...: what of yours, given by its name, this option may be */
  epi_range range;             /* checked where a value is given */
} epi_param;
enum {
  EPI_NUMBER, EPI_COUNT,       /* COUNT: a whole one */
  EPI_LIST,                    /* also one number */
  EPI_WORD,                    /* one of words, or what it takes */
  EPI_GIVEN,                   /* what it takes alone */
  EPI_COORDINATE,              /* by name or number */
  EPI_FILE                     /* the path of a file, of letters, digits and . - _ /; for parameters of models */
};
enum { EPI_TAKES_TABLE = 1, EPI_TAKES_SEE = 2, EPI_TAKES_GAP = 4, EPI_TAKES_KERNEL = 8, EPI_TAKES_SCALE = 16 };    /* members of epi_name */

enum { EPI_METHOD, EPI_AVERAGE, EPI_WRAPPER, EPI_COMBINE };                  /* the arrows: S->F, F->S, F->F, S->S */
enum {                         /* claims; every one is measured by the tests */
  EPI_SYMPLECTIC = 1, EPI_SYMMETRIC = 2, EPI_REVERSIBLE = 4, EPI_EXPLICIT = 8, EPI_BACKWARD = 16,
  EPI_ESTIMATE = 32,           /* estimates its own error */
  EPI_CLOCK = 64,              /* moves time */
  EPI_WATCHES = 128,           /* a function of yours is called on the way */
  EPI_TAPS = 256,              /* sums velocities as it goes, for averages: see epicycle/method.h */
  EPI_ADAPTIVE = 512           /* chooses its step sizes for its option rtol, and atol if it has one: --tol gives these */
};
typedef struct epi_record {    /* one method, average or wrapper; the registry is a list of these */
  const char *name, *doc, *cite, *example;
  int arrow;
  int least, most;             /* how many systems (methods) or flows (the others) it takes */
  const epi_param *params;     /* ends with a NULL name */
  int order;                   /* 0: what it is made of decides, or it moves only a part of the system, exactly */
  unsigned claims;
  const void *table;
  void (*build)(epi_flow *);
  /* EPI_COMBINE: the system made of two, an epi_derived_system; of one: NULL, and build makes it as that of an average */
  epi_system *(*combine)(const struct epi_record *, epi_system *a, epi_system *b);
  unsigned abi;                /* of a record of yours: EPI_METHOD_ABI, from epicycle/method.h */
  const struct epi_facets *facets;     /* of a record of the library; NULL in yours */
} epi_record;
EPI_API const epi_record *const *epi_records(void);                          /* NULL-terminated */
EPI_API const epi_record *epi_record_of(const char *name);
/* what a name of an earlier version is called today; or NULL */
EPI_API const char *epi_name_now(const char *old);

typedef struct epi_info {      /* one node of a tree */
  const epi_record *record;
  int depth, order;
  unsigned claims;
  long steps, calls, refused;  /* steps taken, force or rate evaluations made here, steps refused */
  const char *text;            /* its own options, as text */
  double shortest, longest;    /* the steps it chose, where it chooses; else 0 */
  long others, slopes;         /* evaluations of its second system, where it takes two; Jacobians made here */
  long chosen;                 /* how many steps it chose, where it chooses */
  const epi_flow *node;        /* NULL: a system made of others */
} epi_info;
EPI_API const char *epi_claims_text(unsigned claims, char *out, size_t size); /* "symplectic, symmetric, ..." */
EPI_API const char *epi_range_text(const epi_range *, char *out, size_t size); /* "> 0", "2 to 12", ">= 0, < 1"; "" for any */

#ifdef __cplusplus
}
#endif
#endif
