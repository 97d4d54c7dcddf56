/* page.h - pictures of results: curves as SVG, and one page for the browser with everything. In the library epicycle-file */
#ifndef EPICYCLE_PAGE_H
#define EPICYCLE_PAGE_H
#include "../epicycle.h"
#ifdef __cplusplus
extern "C" {
#endif

/* A report is one file that needs nothing beside it: curves, bodies that move, tables, what was run. The results must have been made with
 * .pictures = 1. Runs of one model with the same columns stand side by side; against: the number of the one that the others are compared
 * with, or -1. NULL for a title: the name of the first model.
 * Both return 0, or -1 and the sentence in error; a file that was there before is then as it was, the results are not touched. */
EPI_API int epi_report_write(const char *path, const char *title, const epi_result *const *, int n, int against, char *error, size_t size);
EPI_API int epi_plot_file(const char *path, const epi_result *, char *error, size_t size);       /* the curves of one run, as SVG */

#ifdef __cplusplus
}
#endif
#endif
