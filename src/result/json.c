/* json.c - texts and numbers as JSON has them */
#include "recorder.h"
#include "letters.h"

size_t epi_json_letter(const char *s, char out[8])
{
  size_t n = epi_letter_size(s);
  if (!n) return strcpy(out, "\\ufffd"), 1;
  if (*s == '"' || *s == '\\') return snprintf(out, 8, "\\%c", *s), 1;
  if (n == 1 && ((unsigned char)*s < 0x20 || *s == 0x7F)) return snprintf(out, 8, "\\u%04x", (unsigned char)*s), 1;
  memcpy(out, s, n);
  out[n] = 0;
  return n;
}

void epi_json_text(FILE *f, const char *s)
{
  char letter[8];
  if (!s) { fputs("null", f); return; }
  fputc('"', f);
  while (*s) {
    s += epi_json_letter(s, letter);
    fputs(letter, f);
  }
  fputc('"', f);
}

void epi_json_number(FILE *f, double x) { fputs(isfinite(x) ? epi_shortest(x).text : "null", f); }

/* the library's own list of words, as a JSON list */
void epi_json_range(FILE *f, const epi_range *r)
{
  if (r->least == 0 && r->most == 0 && !r->open) return;
  fprintf(f, ", \"range\": {\"%s\": ", r->open & EPI_ABOVE ? "above" : "least");
  epi_json_number(f, r->least);
  if (r->most < EPI_UNBOUNDED) {
    fprintf(f, ", \"%s\": ", r->open & EPI_BELOW ? "below" : "most");
    epi_json_number(f, r->most);
  }
  fputc('}', f);
}

void epi_json_claims(FILE *f, unsigned claims)
{
  char room[256] = "", *p = room;
  epi_claims_text(claims, room, sizeof room);
  fputc('[', f);
  for (int first = 1; *p; first = 0) {
    char *end = p + strcspn(p, ","), *next = *end ? end + 1 + strspn(end + 1, " ") : end;
    *end = 0;
    if (!first) fputs(", ", f);
    epi_json_text(f, p);
    p = next;
  }
  fputc(']', f);
}
