/* draft.h - a file that is written beside its place and put there when it is whole: what stood there stays, or is replaced at once
 *
 *   epi_draft d;
 *   bad = epi_draft_begin(&d, path);                // pipes and devices are written as they are
 *   if (!bad) fputs("...", d.f);
 *   bad = epi_draft_end(&d, bad);                   // frees it, and leaves nothing where it was bad */
#ifndef DRAFT_H
#define DRAFT_H
#include "arena.h"
#include <stdio.h>

/* fresh: NULL where it is written in its place */
typedef struct epi_draft { FILE *f; char *fresh, *path, *folder; } epi_draft;
EPI_INSIDE int epi_draft_begin(epi_draft *, const char *path);                       /* 0, or -1 and errno; so do the others */
EPI_INSIDE int epi_draft_place(epi_draft *);                                         /* on the disk and in its place; stays open */
EPI_INSIDE int epi_draft_end(epi_draft *, int bad);
#endif
