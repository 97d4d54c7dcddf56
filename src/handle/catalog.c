/* catalog.c - what there is, as JSON: models and methods with their descriptions; and which library this is */
#define _XOPEN_SOURCE 700
#include "job.h"
#include <stdio.h>

const char *epi_version(void) { return EPI_VERSION; }
int epi_handles(void) { return EPI_HANDLES; }

static void put_text(FILE *f, const char *key, const char *value)
{
  fprintf(f, ", \"%s\": ", key);
  epi_json_text(f, value);
}

static void put_params(FILE *f, const epi_param *p)
{
  fputs(", \"params\": [", f);
  for (int i = 0; p && p[i].name; i++) {
    fputs(i ? ", {\"name\": " : "{\"name\": ", f);
    epi_json_text(f, p[i].name);
    put_text(f, "unit", p[i].unit);
    put_text(f, "doc", p[i].doc);
    fputs(", \"value\": ", f);
    if (p[i].words) epi_json_text(f, p[i].words[(int)p[i].value]);
    else epi_json_number(f, p[i].value);
    fputs(", \"words\": [", f);
    for (int k = 0; p[i].words && p[i].words[k]; k++) {
      fputs(k ? ", " : "", f);
      epi_json_text(f, p[i].words[k]);
    }
    fputc(']', f);
    epi_json_range(f, &p[i].range);
    fputc('}', f);
  }
  fputs("]}", f);
}

static void put_model(FILE *f, const epi_model *m)
{
  fputs("{\"name\": ", f);
  epi_json_text(f, m->name);
  put_text(f, "doc", m->doc);
  put_text(f, "cite", m->cite);
  put_text(f, "flow", m->flow);
  put_params(f, m->params);
}

static void put_record(FILE *f, const epi_record *r)
{
  static const char *const arrows[] = {"method", "average", "wrapper", "combination"};
  fputs("{\"name\": ", f);
  epi_json_text(f, r->name);
  put_text(f, "kind", arrows[r->arrow]);
  put_text(f, "doc", r->doc);
  put_text(f, "cite", r->cite);
  put_text(f, "example", r->example);
  fprintf(f, ", \"order\": %d, \"claims\": ", r->order);
  epi_json_claims(f, r->claims);
  put_params(f, r->params);
}

static void put_all(FILE *f)
{
  fputs("{\"models\": [", f);
  for (int i = 0; epi_models()[i]; i++) {
    fputs(i ? ",\n" : "", f);
    put_model(f, epi_models()[i]);
  }
  fputs("],\n\"methods\": [", f);
  for (int i = 0; epi_records()[i]; i++) {
    fputs(i ? ",\n" : "", f);
    put_record(f, epi_records()[i]);
  }
  fputs("]}\n", f);
}

size_t epi_catalog(char *out, size_t size)
{
  char *text = NULL;
  size_t n = 0;
  FILE *f = open_memstream(&text, &n);
  if (!f) return 0;
  put_all(f);
  if (fclose(f)) n = 0;
  if (size && text) snprintf(out, size, "%s", text);
  free(text);
  return n;
}
