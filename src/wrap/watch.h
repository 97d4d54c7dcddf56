/* watch.h - times for a watch that stand in no text: they may be many */
#ifndef EPI_WATCH_H
#define EPI_WATCH_H
#include "core.h"
/* those of the watch with see=NAME, which was made with one time; in order. 0, or -1: out of memory */
EPI_INSIDE int epi_watch_at(epi_flow *root, const char *see, const double *times, int n);
#endif
