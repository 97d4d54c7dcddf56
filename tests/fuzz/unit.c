/* holds: a number with a unit is refused in a sentence, or read as finite and written back the same */
#include "fuzz.h"
#include "epicycle/file.h"
#include "epicycle/term.h"
#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static const char *const wanted[] = {"", "m", "s", "kg", "rad", "rad/s", "N/m", "m/s^2", "kg m^2", "N s/m", "Pa", "J", "N/m^1.5"};
  const char *rest;
  if (!size) return 0;
  char *text = fuzz_text(data + 1, size - 1, &rest), why[200] = "";
  const char *unit = *rest ? rest : wanted[data[0] % (sizeof wanted/sizeof *wanted)];
  double x = NAN, again = NAN;
  int bad = epi_unit_read(text, unit, &x, why, sizeof why);
  if (bad) hold(strlen(why) > 10);
  else {
    hold(isfinite(x));
    hold(!epi_unit_read(epi_shortest(x).text, unit, &again, why, sizeof why) && !memcmp(&x, &again, sizeof x));
  }
  free(text);
  return 0;
}
