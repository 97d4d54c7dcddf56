/* path.c - the files that a run of several leaves */
#include "epicycle/file.h"
#include <string.h>

size_t epi_output_path(const char *path, const char *run, char *out, size_t size)
{
  if (!strcmp(path, "-")) return (size_t)snprintf(out, size, "%s", path);
  const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
  if (!dot || dot == path) dot = path + strlen(path);
  size_t from = (size_t)(dot - path) + 1, n = (size_t)snprintf(out, size, "%.*s-%s%s", (int)(dot - path), path, run, dot);
  /* what the name holds that a file cannot */
  for (size_t i = from; i < from + strlen(run) && i + 1 < size; i++) if (strchr(" \t\n/\\:*?\"<>|", out[i])) out[i] = '-';
  return n;
}
