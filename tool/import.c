/* import.c - the verb import: a robot in URDF as a model file, on standard output; what is not carried over on standard error */
#include "tool.h"
#include "embedded.h"
#include <stdlib.h>

int act_import(const request *r)
{
  if (given(r, "--example") && r->nword) return say(REFUSED, "--example prints a robot of its own: leave %s out", r->word[0]);
  if (given(r, "--example")) return fputs((const char *)ROBOT, stdout), DONE;
  if (!r->nword) return say(REFUSED, "import needs a robot: `epicycle import arm.urdf > arm.yaml`");
  if (!ends_with(r->word[0], ".urdf") && !ends_with(r->word[0], ".xml"))
    return say(REFUSED, "%s should end in .urdf or .xml: robots in URDF are what can be imported", r->word[0]);
  const char **start = need((size_t)r->nword*sizeof *start);
  for (int i = 1; i < r->nword; i++) start[i-1] = r->word[i];
  epi_import *robot = epi_import_urdf(r->word[0], NULL, 0, start, given(r, "--free") != NULL);
  free(start);
  if (!robot) no_room();
  const char *why = epi_import_error(robot), *note;
  int code = why ? say(REFUSED, "%s", why) : DONE;
  for (int i = 0; !why && !given(r, "--quiet") && (note = epi_import_note(robot, i)); i++) say(DONE, "%s: %s", r->word[0], note);
  fputs(epi_import_text(robot), stdout);
  epi_import_free(robot);
  return code;
}
