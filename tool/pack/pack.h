/* pack.h - results as other programs take them: .npz and .h5 with units and parameters, .pvd with bodies; zip files */
#ifndef PACK_H
#define PACK_H
#include "tool.h"

/* ---- zip.c: members that are stored as they are; each of them and all together below 4 GiB ---- */
typedef struct zip zip;
zip *zip_begin(FILE *);                                                              /* the file stays yours */
int zip_add(zip *, const char *name, const void *bytes, size_t size);                /* 0, or errno */
int zip_end(zip *);                                                                  /* 0, or the errno of the first trouble; frees it */

/* ---- pack.c: named lists, of numbers, whole numbers or words ---- */
typedef struct pack_list {
  const char *name, *unit;             /* unit: NULL or "" where there is none */
  long long n, stride;                 /* stride: numbers from one to the next; 0: they follow each other */
  const double *number;                /* one of these three */
  const long long *whole;
  char *const *word;
} pack_list;
typedef struct pack {
  int lists, parameters;
  pack_list *list, *parameter;         /* parameters have one value each */
  const char *about;                   /* all that is known of it, as JSON */
} pack;
int pack_ending(const char *path);                                                   /* 1: .npz or .h5 */
int pack_scene(const char *path);                                                    /* 1: .pvd */
int pack_possible(const char *path);                                                 /* 0, or REFUSED after the sentence */
int pack_write(const pack *, const char *path, char *why, size_t size);              /* 0, or the sentence; whole, or not there */
int pack_result(job *, char *why, size_t size);                                      /* the rows or the bodies of a run; the same */

/* ---- npz.c, hdf5.c: into a file that is open and empty; 0, or the sentence ---- */
int npz_write(const pack *, FILE *, const char *path, char *why, size_t size);
int hdf5_missing(char *why, size_t size);                                            /* 0: libhdf5 is there; or the sentence */
int hdf5_write(const pack *, FILE *, const char *path, char *why, size_t size);

/* ---- vtk.c: path is a list of the frames, which stand in a folder beside it; 0, or the sentence ---- */
int vtk_write(const epi_result *, const char *path, char *why, size_t size);
#endif
