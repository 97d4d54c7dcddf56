/* engines.h - what runs many cases of a sweep at once: a program for the cores of this machine, or for its GPU */
#ifndef ENGINES_H
#define ENGINES_H
#include "tool.h"
#include "epicycle/sweep.h"

/* the sources of the models of the library, by the name of their file; end with a NULL name */
typedef struct model_source { const char *name; const unsigned char *text; } model_source;
extern const model_source SOURCES[];

/* what is told of it, also by another process: where it runs, and the seconds that its program took */
typedef struct engine_log { char name[128]; double spent; } engine_log;
/* where: "compiled" or "gpu"; NULL after the sentence */
epi_engine *engine_make(const char *where, engine_log *);
char *engine_source(const plan *);                     /* new memory; NULL after the sentence */
void engine_free(epi_engine *);

/* gpu.c; every function 0, or -1 and the sentence */
typedef struct gpu gpu;
gpu *gpu_open(char *error, size_t size);               /* NULL and the sentence: there is none, or no compiler for it */
int gpu_compile(gpu *, const char *program, int in, int out, char *error, size_t size);
int gpu_run(gpu *, long n, int look, const double *in, double *out, char *error, size_t size);
const char *gpu_name(const gpu *);
void gpu_close(gpu *);
#endif
