/* fused.c - says whether x*y - p is rounded twice (apart) or once (fused) in an outside program */
#include <stdio.h>

/* read anew each time, so that the two products are two */
static volatile double a = 1 + 0x1p-30;

int main(void) {
  double product = a*a;
  double x = a, y = a, rest = x*y - product;
  puts(rest == 0 ? "apart" : "fused");
  return rest != 0;
}
