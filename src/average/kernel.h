/* kernel.h - weights of a window */
#ifndef EPI_KERNEL_H
#define EPI_KERNEL_H
#include "core.h"

enum { EPI_KERNEL_BOX = 1, EPI_KERNEL_BOXES, EPI_KERNEL_NOTCH, EPI_KERNEL_KAISER, EPI_KERNEL_EXP };             /* places among the words */
extern EPI_INSIDE const char *const epi_kernel_words[];
/* boxes: so many, each of so many steps; 0: a curve. shape: of Kaiser's; exponent: p of exp(p/(x^2 - 1)) */
typedef struct { int kind, moments, boxes, steps; double shape, exponent; epi_name own; } epi_window_kernel;

/* w[0..m] at x = k/m, even, of sum 1 over -m..m, with vanishing even moments up to 2 `moments`; 0 on success */
enum { EPI_KERNEL_NO_MEMORY = -2 };
EPI_INSIDE int epi_kernel_weights(const epi_window_kernel *, int m, double *w);
/* of boxes: micro-steps in half a window; a whole number, or they do not fit */
EPI_INSIDE double epi_boxes_half(const epi_window_kernel *);
/* what it lets through of an oscillation with `steps` points a period */
EPI_INSIDE double epi_kernel_leak(int m, const double *w, double steps);
/* the vanishing moments and the length of a window, in periods, where nothing was said; how many boxes, 0: it is none */
EPI_INSIDE int epi_kernel_boxes(const epi_window_kernel *);
EPI_INSIDE int epi_kernel_moments(const epi_window_kernel *);
EPI_INSIDE double epi_kernel_periods(const epi_window_kernel *);
/* the Kaiser shape that leaks no more than asked, and the periods a window of that shape needs */
EPI_INSIDE double epi_kaiser_shape(double leak);
EPI_INSIDE double epi_kaiser_periods(double shape);
#endif
