/* holds: a robot is refused in one sentence, or becomes a model file whose bodies stand on their joints */
#include "fuzz.h"
#include "epicycle/file.h"

static void stands(const char *text)
{
  epi_file *file = epi_file_read_text(text, strlen(text), "fuzz.yaml");
  if (!file) abort();
  fuzz_meaning = text;
  hold(!epi_file_sentences(file) && epi_file_runs(file) == 1);
  epi_case *c = epi_file_case(file, 0);
  if (!c) abort();
  /* sizes that differ by more than numbers can are refused there, in words */
  if (c->error[0]) hold(strlen(c->error) > 10 && !strstr(c->error, "joint"));
  epi_case_free(c);
  epi_file_free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static const char *const start[] = {"shoulder=0.3", NULL};
  for (int k = 0; k < 2; k++) {
    epi_import *r = epi_import_urdf("fuzz.urdf", (const char *)data, size, k ? start : NULL, k);
    if (!r) abort();
    const char *why = epi_import_error(r), *note;
    if (why) hold(strlen(why) > 20 && !strchr(why, '\n') && !strchr(why, '\033') && !*epi_import_text(r));
    else stands(epi_import_text(r));
    for (int i = 0; (note = epi_import_note(r, i)); i++) hold(strlen(note) > 10 && !strchr(note, '\n') && !strchr(note, '\033'));
    epi_import_free(r);
  }
  return 0;
}
