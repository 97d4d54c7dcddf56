/* file.h - model files: what stands in a YAML file, as runs that a program can make
 *
 * Model files are a second library, beside the first one and on top of it, because they need libyaml:
 *   cc mine.c $(pkg-config --cflags --libs epicycle-file)              or Epicycle::file in CMake
 * docs/model-files.md has the keys of a file; `epicycle run FILE.yaml` does with it what stands in section 2. */
#ifndef EPICYCLE_FILE_H
#define EPICYCLE_FILE_H
#include "../epicycle.h"
#include "formula.h"
#ifdef __cplusplus
extern "C" {
#endif

/* ---- 1. Reading, and what is wrong ---------------------------------------------------------------------------------
 *   epi_file *file = epi_file_read("bearing.yaml");
 *   for (int i = 0; i < epi_file_sentences(file); i++) fprintf(stderr, "%s\n", epi_file_sentence(file, i)->text);
 * A file that is wrong has sentences and no runs. Several mistakes are found at once, at most 20 of them. */
typedef struct epi_file epi_file;
EPI_API epi_file *epi_file_read(const char *path);                           /* NULL only when memory is out */
/* from memory; path: the name in its sentences, whose folder is that of the models it names */
EPI_API epi_file *epi_file_read_text(const char *text, size_t size, const char *path);
/* the same with names of yours, which stay yours and live as long as the file: contacts, joints and loads that the world of the file has
   by these names, and methods, kernels and functions for its flows. None of the library's hides one of yours.
     epi_name names[] = {{.name = "cone", .contact = &cone}, {0}};                   // `shape: cone` */
static inline epi_file *epi_file_read_named(const char *path, const epi_name *names);
static inline epi_file *epi_file_read_text_named(const char *text, size_t size, const char *path, const epi_name *names);
/* and with values that go over the parameters of its world, as on the command line: {"m=3 kg", "l=0.2", NULL}; names may be NULL. Any other
   number of the world goes by its path, "bodies.crank.mass=2 kg" (one of a list by its name or its number), and is the parameter
   bodies_crank_mass from there on; a path alone makes one of it, and "sweep" alone of all that its section sweep names */
static inline epi_file *epi_file_read_given(const char *path, const epi_name *names, const char *const *given);
EPI_API void epi_file_free(epi_file *);                                      /* after its cases */

typedef struct epi_sentence {
  int line;                    /* from 1 on; 0: it is about the whole file */
  const char *key;             /* under which it stands, "" where there is none */
  const char *words;           /* "there is no unit 'RPM'; did you mean rpm?" */
  const char *text;            /* the same after file and line: "bearing.yaml:14: speed: there is ..." */
} epi_sentence;
EPI_API int epi_file_sentences(const epi_file *);                            /* how many; 0: the file is right */
EPI_API const epi_sentence *epi_file_sentence(const epi_file *, int i);      /* NULL: there is none of this number */
EPI_API epi_cause epi_file_cause(const epi_file *);            /* EPI_MEMORY, EPI_REQUEST, or EPI_NO_CAUSE where there are none */

/* what is right and may not be meant, with file and line: a parameter that stands nowhere, an angle without a unit that is hardly one in
   radians; NULL: no more */
EPI_API const char *epi_file_note(const epi_file *, int i);

/* ---- 2. The runs ---------------------------------------------------------------------------------------------------
 *   epi_case *c = epi_file_case(file, 0);                                   // its step and end are those of the run
 *   epi_flow *f = epi_file_flow(file, 0, c);
 *   epi_state s = epi_case_state(c);
 *   if (epi_run(f, &s, c->end, c->step)) fprintf(stderr, "%s\n", epi_error(f));
 * What is wrong before is said by the flow again: with a file that could not be read this prints its first sentence. */
typedef struct epi_request {   /* one run as it is asked for; what is not said is NULL, or NaN */
  const char *name;
  const char *model;           /* "kepler(e=0.6)", "world", or the path of code of yours and its parameters: "../mine.c(k=3)" */
  const epi_model *world;      /* the record of a world that the file describes, for epi_case_of; else NULL */
  const char *source;          /* where the model is none of the library's: the file it stands in, this one or one of code */
  const char *flow;            /* as text */
  double step, end;
  double tol;                  /* a tolerance instead of steps: of the solution by epi_choose, of a step by epi_flow_within */
  double every;                /* time between two rows */
  const char *rows, *events, *stats, *plot, *report, *checkpoint;            /* files it is to leave */
  int fast;                    /* 1: the oscillating solution too */
  int multipliers;             /* 1: those of the constraints too, see epi_case_multipliers */
  int actions;                 /* 1: those of the stiff modes too, see epi_case_actions */
  int rests;                   /* 1: the file says no flow, and .flow is that of friction that holds; a tolerance goes before it */
} epi_request;
EPI_API int epi_file_runs(const epi_file *);
EPI_API const char *epi_file_also(const epi_file *, int i);                  /* paths of tables and modes read with it; NULL: no more */
EPI_API const epi_request *epi_file_request(const epi_file *, int run);      /* belongs to the file; NULL: there is none of this number */
/* the model with its parameters, or the world with its bodies; NULL only when memory is out, else see its error. The file stays as it
   is, so that cases of one file may be made in several threads. A model that is code is for you to load and to give to epi_case_of */
EPI_API epi_case *epi_file_case(const epi_file *, int run);
EPI_API epi_flow *epi_file_flow(const epi_file *, int run, epi_case *);      /* its flow; of a tolerance: its steps within that */

typedef struct epi_sweep_request {     /* the section sweep, for epicycle/sweep.h; what is not said is NULL, NaN or 0 */
  const char *const *over, *const *keep;       /* end with NULL; over: "e=0.1:0.9:0.1", with units as they stand there */
  double samples, seed, limit;
  int latin;
  const char *file;            /* for the table */
} epi_sweep_request;
EPI_API const epi_sweep_request *epi_file_sweep(const epi_file *);           /* NULL: there is none */

EPI_API const char *epi_file_title(const epi_file *);                        /* of a page; NULL: none */
EPI_API const char *epi_file_compare(const epi_file *);                      /* the run that the others are compared with; NULL: none */
EPI_API const char *epi_file_report(const epi_file *);                       /* one report for all runs; NULL: none */

/* a flow within a tolerance: tolerance(...) around yours, or (flow NULL) around the first of dop853, herk4, verlet, semi that the model
   takes. Its length, written like epi_text; 0: memory is out */
EPI_API size_t epi_flow_within(epi_case *, const char *flow, double tol, char *out, size_t size);
/* of several runs rows.csv of the run "slow one" is rows-slow-one.csv; written like epi_text */
EPI_API size_t epi_output_path(const char *path, const char *run, char *out, size_t size);

/* ---- 3. Writing ----------------------------------------------------------------------------------------------------
 * Both return the length of the text, and write at most size bytes of it with the closing zero: ask with size 0, then take the room. */
EPI_API size_t epi_file_text(const epi_file *, char *out, size_t size);      /* the document in canonical form; 0: it is wrong */
EPI_API size_t epi_case_yaml(const epi_case *, char *out, size_t size);      /* a model file for this case; 0: it is wrong */

/* ---- a robot in URDF as a model file
 *   epi_import *r = epi_import_urdf("arm.urdf", NULL, 0, (const char *const[]){"shoulder=30 deg", NULL}, 0);
 *   if (epi_import_error(r)) fprintf(stderr, "%s\n", epi_import_error(r));
 *   else fputs(epi_import_text(r), stdout);
 * docs/interchange.md says what becomes of what. text: its n bytes, or NULL to read path; start: positions of joints, or NULL; free_root 1:
 * the root is a body, else part of the ground. NULL only when memory is out */
typedef struct epi_import epi_import;
EPI_API epi_import *epi_import_urdf(const char *path, const char *text, size_t n, const char *const *start, int free_root);
EPI_API const char *epi_import_error(const epi_import *);              /* NULL: none */
EPI_API const char *epi_import_text(const epi_import *);               /* "" where there is an error */
EPI_API const char *epi_import_note(const epi_import *, int i);        /* what was taken how, and what is not carried over; NULL: no more */
EPI_API void epi_import_free(epi_import *);

/* the keys of model files as a JSON schema, for editors; ferror(f) says how it went */
EPI_API void epi_file_schema(FILE *f);

/* ---- the names are those of this header: see epicycle/abi.h ---- */
/* headers are compared, as in epicycle/abi.h; bytes: of what stands in this one */
#define EPI_FILE_BYTES ((unsigned)(sizeof(epi_request) + sizeof(epi_sentence)*0x10000u))
EPI_API epi_file *epi_file_read_named_abi(const char *path, const epi_name *names, const epi_abi *, unsigned bytes);
EPI_API epi_file *epi_file_read_text_named_abi(const char *text, size_t size, const char *path, const epi_name *names, const epi_abi *,
                                               unsigned bytes);
EPI_API epi_file *epi_file_read_given_abi(const char *path, const epi_name *names, const char *const *given, const epi_abi *,
                                          unsigned bytes);
static inline epi_file *epi_file_read_given(const char *path, const epi_name *names, const char *const *given)
{
  return epi_file_read_given_abi(path, names, given, &epi_header, EPI_FILE_BYTES);
}
static inline epi_file *epi_file_read_named(const char *path, const epi_name *names)
{
  return epi_file_read_named_abi(path, names, &epi_header, EPI_FILE_BYTES);
}
static inline epi_file *epi_file_read_text_named(const char *text, size_t size, const char *path, const epi_name *names)
{
  return epi_file_read_text_named_abi(text, size, path, names, &epi_header, EPI_FILE_BYTES);
}
static inline epi_file *epi_file_read_here(const char *path) { return epi_file_read_named(path, NULL); }
static inline epi_file *epi_file_read_text_here(const char *text, size_t size, const char *path)
{
  return epi_file_read_text_named(text, size, path, NULL);
}
#define epi_file_read epi_file_read_here
#define epi_file_read_text epi_file_read_text_here

/* ---- 4. Numbers with units -----------------------------------------------------------------------------------------
 *   double x;
 *   char why[200];
 *   if (epi_unit_read("20 mm", "m", &x, why, sizeof why)) fprintf(stderr, "%s\n", why);     // x = 0.02
 * A bare number is in the unit that is wanted. 0, or -1 and the sentence. */
EPI_API int epi_unit_read(const char *word, const char *wanted, double *x, char *why, size_t size);
/* for formulas with units (epicycle/formula.h): what one of the unit is in m, kg, s, and its powers of these. What counts turns, as Hz
   does, is refused. 0, or -1 and the sentence */
EPI_API int epi_unit_dimension(const char *unit, epi_dimension *, char *why, size_t size);

#ifdef __cplusplus
}
#endif
#endif
