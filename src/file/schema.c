/* schema.c - the tables of keys as a JSON schema (draft 2020-12), for editors that complete and check model files
 *
 * It says what keys there are, what they may be and their units. What needs the whole file to be judged, such as names and formulas, is
 * left to epi_file_read. */
#include "file/model-file.h"
#include <string.h>

/* a number may have a unit, or be a formula of parameters: it is a text then */
static const char number[] = "{\"type\": [\"number\", \"string\"]}";

static void put_keys(FILE *, document *, const field *);

/* words of the library, which need no escapes */
static void put_word(FILE *f, const char *word) { fprintf(f, "\"%s\"", word); }

static void put_list(FILE *f, int least, int most)
{
  fprintf(f, "\"type\": \"array\", \"minItems\": %d, \"maxItems\": %d, \"items\": %s", least, most, number);
}

/* "then" for what has this kind, or none where that is the usual one */
static void put_kind(FILE *f, document *d, const field *list, const kind *k)
{
  const char *key = list->kinds->key, *usual = list->kinds->otherwise;
  fputs("{\"if\": {\"properties\": {", f);
  put_word(f, key);
  fputs(": {\"const\": ", f);
  put_word(f, k->name);
  fputs("}}", f);
  if (!usual || strcmp(usual, k->name)) {
    fputs(", \"required\": [", f);
    put_word(f, key);
    fputc(']', f);
  }
  fputs("}, \"then\": ", f);
  put_keys(f, d, epi_kind_keys(d, list->inner, k));
  fputc('}', f);
}

static void put_items(FILE *f, document *d, const field *list)
{
  kind k;
  fputs("\"type\": \"array\", \"items\": ", f);
  if (!list->kinds) { put_keys(f, d, list->inner); return; }
  /* what holds a list of directions has no kind */
  fputs("{\"type\": \"object\", \"allOf\": [{\"if\": {\"properties\": {", f);
  put_word(f, list->kinds->key);
  fputs(": {\"type\": \"array\"}}, \"required\": [", f);
  put_word(f, list->kinds->key);
  fputs("]}, \"then\": ", f);
  put_keys(f, d, list->inner);
  fputc('}', f);
  for (int i = 0; list->kinds->library(i, &k); i++) {
    fputs(",\n", f);
    put_kind(f, d, list, &k);
  }
  fputs("]}", f);
}

static void put_words(FILE *f, const char *const *words)
{
  fputs("\"enum\": [", f);
  for (int i = 0; words[i]; i++) {
    if (i) fputs(", ", f);
    put_word(f, words[i]);
  }
  fputc(']', f);
}

static void put_value(FILE *f, document *d, const field *one)
{
  switch (one->kind) {
  case TEXT: case NAME: case BODY: fputs("\"type\": [\"string\", \"number\"]", f); break;
  case NUMBER: fputs("\"type\": [\"number\", \"string\"]", f); break;
  case POSITIVE: fputs("\"type\": [\"number\", \"string\"], \"exclusiveMinimum\": 0", f); break;
  case NOT_NEGATIVE: fputs("\"type\": [\"number\", \"string\"], \"minimum\": 0", f); break;
  case COUNT: fputs("\"type\": [\"integer\", \"string\"], \"minimum\": 0", f); break;
  case FLAG: fputs("\"type\": [\"boolean\", \"string\"]", f); break;
  case WORD: put_words(f, one->words); break;
  case VECTOR: put_list(f, 3, 3); break;
  case QUATERNION: put_list(f, 4, 4); break;
  case DIRECTION:
    fputs("\"oneOf\": [{\"enum\": [\"x\", \"y\", \"z\"]}, {", f);
    put_list(f, 3, 3);
    fputs("}]", f);
    break;
  case ITEMS: put_items(f, d, one); break;
  case PARAM: fputs("\"type\": [\"number\", \"string\", \"boolean\", \"array\"]", f); break;
  case OWN:
    fputs("\"not\": {\"type\": \"null\"}", f);
    if (!one->inner) break;
    fputs(", \"if\": {\"type\": \"object\"}, \"then\": ", f);
    put_keys(f, d, one->inner);
    break;
  }
  if (!one->unit || !*one->unit) return;
  fputs(", \"description\": ", f);
  put_word(f, one->unit);
}

static void put_keys(FILE *f, document *d, const field *keys)
{
  fputs("{\"type\": \"object\", \"additionalProperties\": false, \"properties\": {", f);
  for (int i = 0; keys[i].name; i++) {
    fputs(i ? ",\n" : "\n", f);
    put_word(f, keys[i].name);
    fputs(": {", f);
    put_value(f, d, &keys[i]);
    fputc('}', f);
  }
  fputs("}}", f);
}

void epi_file_schema(FILE *f)
{
  document d = {0};
  fputs("{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\", \"title\": \"Epicycle model file\", \"$ref\": \"#/$defs/file\", "
        "\"$defs\": {\"file\": ", f);
  put_keys(f, &d, epi_file_keys);
  fputs("}}\n", f);
  epi_pool_free(&d.pool);
}
