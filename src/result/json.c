/* json.c - texts and numbers as JSON has them */
#include "recorder.h"

/* the length of the UTF-8 sequence at s, 0 if there is none */
static size_t sequence(const char *s)
{
  unsigned char c = (unsigned char)*s;
  size_t n = c < 0x80 ? 1 : c >= 0xC2 && c < 0xE0 ? 2 : c >= 0xE0 && c < 0xF0 ? 3 : c >= 0xF0 && c < 0xF5 ? 4 : 0;
  for (size_t i = 1; i < n; i++)
    if ((s[i] & 0xC0) != 0x80) return 0;
  return n;
}

size_t epi_json_letter(const char *s, char out[8])
{
  size_t n = sequence(s);
  if (!n) return strcpy(out, "\\ufffd"), 1;
  if (*s == '"' || *s == '\\') return snprintf(out, 8, "\\%c", *s), 1;
  if (n == 1 && (unsigned char)*s < 0x20) return snprintf(out, 8, "\\u%04x", (unsigned char)*s), 1;
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
