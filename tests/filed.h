/* filed.h - models of files in the tests: made or stopped */
#ifndef FILED_H
#define FILED_H
#include "cases.h"
#include "epicycle/file.h"

typedef struct { epi_file *file; epi_case *c; } filed;

static inline filed filed_of(epi_file *file)
{
  if (epi_file_sentences(file)) test_stop(epi_file_sentence(file, 0)->text);
  epi_case *c = epi_file_case(file, 0);
  if (c->error[0]) test_stop(c->error);
  return (filed){file, c};
}

/* of tests/cases */
static inline filed filed_case(const char *name)
{
  char path[300];
  snprintf(path, sizeof path, "%s/tests/cases/%s", TEST_SOURCE, name);
  return filed_of(epi_file_read(path));
}

static inline void filed_free(filed f) { epi_case_free(f.c); epi_file_free(f.file); }
#endif
