/* json.c - strings and numbers as JSON has them */
#include "tool.h"
#include <math.h>

/* the length of the UTF-8 sequence at s, 0 if there is none */
static int sequence(const char *s)
{
  unsigned char c = (unsigned char)*s;
  int n = c < 0x80 ? 1 : c >= 0xC2 && c < 0xE0 ? 2 : c >= 0xE0 && c < 0xF0 ? 3 : c >= 0xF0 && c < 0xF5 ? 4 : 0;
  for (int i = 1; i < n; i++)
    if ((s[i] & 0xC0) != 0x80) return 0;
  return n;
}

void json_text(FILE *f, const char *s)
{
  if (!s) { fputs("null", f); return; }
  fputc('"', f);
  for (int n; *s; s += n ? n : 1) {
    n = sequence(s);
    if (!n) fputs("\\ufffd", f);
    else if (*s == '"' || *s == '\\') fprintf(f, "\\%c", *s);
    else if (n == 1 && *s < 0x20) fprintf(f, "\\u%04x", (unsigned)*s);
    else fwrite(s, 1, (size_t)n, f);
  }
  fputc('"', f);
}

void json_number(FILE *f, double x)
{
  fputs(isfinite(x) ? shortest(x).text : "null", f);
}

void json_refusal(FILE *f, const char *sentence)
{
  fputs("{\"status\": \"refused\", \"error\": ", f);
  json_text(f, sentence);
  fputs("}\n", f);
}
