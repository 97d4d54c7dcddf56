/* json.c - answers in JSON that no result is behind */
#include "tool.h"

void json_refusal(FILE *f, const char *sentence)
{
  fputs("{\"status\": \"refused\", \"error\": ", f);
  json_text(f, sentence);
  fputs("}\n", f);
}
