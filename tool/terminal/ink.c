/* ink.c - colours, on a terminal alone */
#include "terminal.h"
#include <stdlib.h>
#include <string.h>

/* https://no-color.org: any value but the empty one forbids */
static int wanted(FILE *f)
{
  const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
  return !(no && *no) && term && *term && strcmp(term, "dumb") && clock_terminal(f);
}

const char *ink(FILE *f, int colour)
{
  static const char *const INKS[] = {[PLAIN] = "\033[0m", [BOLD] = "\033[1m", [RED] = "\033[31m", [GREEN] = "\033[32m",
                                     [YELLOW] = "\033[33m"};
  return wanted(f) ? INKS[colour] : "";
}
