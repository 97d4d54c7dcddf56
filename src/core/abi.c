/* abi.c - the header of a caller against this library's own */
#include "core.h"
#include <stdio.h>

int epi_abi_check(const epi_abi *given, char *error, size_t size)
{
  static const char *const names[] = {"epi_system", "epi_state", "epi_name", "epi_param", "epi_record", "epi_table", "epi_info",
    "epi_observable", "epi_model", "epi_case", "epi_shape", "epi_body", "epi_pose", "epi_action", "epi_applied_force", "epi_spring",
    "epi_joint", "epi_law", "epi_contact", "epi_touch", "epi_joint_rows", "epi_contact_kind", "epi_joint_kind", "epi_load_kind",
    "epi_run_options", "epi_result", "epi_counters", "epi_invariant", "epi_reel", "epi_drawing", "epi_measured", "epi_term",
    "epi_event", "epi_mode_shapes", "epi_instant", "epi_drive", "epi_axis", "epi_coupling"};
  /* of another release with the same structs all is well */
  if (given && given->size == epi_header.size && given->version == epi_header.version &&
      !memcmp(given->bytes, epi_header.bytes, sizeof given->bytes)) return 0;
  char other[sizeof given->release] = "another version";
  int known = given && given->size >= sizeof given->size*2 + sizeof given->release;
  if (known) snprintf(other, sizeof other, "%.15s", given->release);
  int n = snprintf(error, size, "this program was compiled with the header of Epicycle %s, and the library is " EPI_VERSION, other);
  const unsigned *a = known && given->size == epi_header.size ? given->bytes : NULL, *b = epi_header.bytes;
  for (size_t i = 0; a && i < sizeof names/sizeof *names && n > 0 && (size_t)n < size; i++)
    if (a[i] != b[i]) { n += snprintf(error + n, size - (size_t)n, " (%s has %u bytes, not %u)", names[i], a[i], b[i]); break; }
  if (n > 0 && (size_t)n < size) snprintf(error + n, size - (size_t)n, ": compile it again with the header of this library");
  return -1;
}
