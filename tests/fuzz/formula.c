/* holds: a formula is refused with its column, or gives finite values and the same with derivatives
 * formula.c - a formula: refused in a sentence with its column, or asked at a few places, where it gives finite numbers or a column inside
   the text; with derivatives it gives the same values */
#include "fuzz.h"
#include "epicycle/file.h"
#include "epicycle/formula.h"
#include <math.h>

static int twice(const void *data, double x, double out[3])
{
  (void)data;
  out[0] = 2*x; out[1] = 2; out[2] = 0;
  return x > 1e6;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static const double k = 3, places[][2] = {{0, 0}, {1.5, -2}, {-1e200, 1e-300}, {INFINITY, 1}};
  static const epi_formula_name names[] = {
    {.name = "k", .constant = &k, .unit = "N/m"}, {.name = "x", .place = 0, .unit = "m"}, {.name = "theta", .place = 1, .unit = ""},
    {.name = "table", .of = twice, .unit = "N", .takes = "m"}, {0}
  };
  if (!size) return 0;
  char *text = fuzz_text(data + 1, size - 1, NULL), why[300] = "";
  epi_formula *f = epi_formula_read_in(text, names, data[0] & 1 ? epi_unit_dimension : NULL, data[0] & 2 ? "N" : NULL, why, sizeof why);
  if (!f) hold(!strncmp(why, "column ", 7) && strlen(why) > 20);
  for (size_t i = 0; f && i < sizeof places/sizeof *places; i++) {
    double y = NAN, z[3] = {NAN, NAN, NAN};
    int a = epi_formula_value(f, places[i], &y), b = epi_formula_motion(f, places[i], NULL, NULL, z);
    hold(a == b && a >= 0 && a <= (int)strlen(text));
    if (!a) hold(isfinite(y) && !memcmp(&y, z, sizeof y));
    else hold(strlen(epi_formula_trouble(f, a)) > 5);
  }
  epi_formula_free(f);
  free(text);
  return 0;
}
