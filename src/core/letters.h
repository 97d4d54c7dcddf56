/* letters.h - what may stand in a sentence: whole characters of UTF-8, and none that a terminal would obey */
#ifndef LETTERS_H
#define LETTERS_H
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* bytes of the character of UTF-8 at s; 0: there is none */
static inline size_t epi_letter_size(const char *s)
{
  const unsigned char *c = (const unsigned char *)s;
  size_t n = c[0] < 0x80 ? 1 : c[0] >= 0xC2 && c[0] < 0xE0 ? 2 : c[0] >= 0xE0 && c[0] < 0xF0 ? 3 : c[0] >= 0xF0 && c[0] < 0xF5 ? 4 : 0;
  for (size_t i = 1; i < n; i++) if ((c[i] & 0xC0) != 0x80) return 0;
  /* longer than it has to be, half of a pair, or beyond the last one */
  int wrong = (c[0] == 0xE0 && c[1] < 0xA0) || (c[0] == 0xED && c[1] > 0x9F) || (c[0] == 0xF0 && c[1] < 0x90)
    || (c[0] == 0xF4 && c[1] > 0x8F);
  return wrong ? 0 : n;
}

/* two arguments for a %.*s that shows the character at s, or the byte where it is none */
#define EPI_LETTER(s) (int)(epi_letter_size(s) + !epi_letter_size(s)), (s)

/* 1: a control character, which is not printed; of those a line has its end and a tab */
static inline int epi_is_control(const char *s)
{
  const unsigned char *c = (const unsigned char *)s;
  return (c[0] < 0x20 && c[0] != '\n' && c[0] != '\t') || c[0] == 0x7F || (c[0] == 0xC2 && c[1] >= 0x80 && c[1] < 0xA0);
}

/* what is no character, or none that is printed, becomes a question mark; what the end of the room has cut goes */
static inline void epi_clean(char *s)
{
  char *to = s;
  while (*s) {
    size_t n = epi_letter_size(s);
    if (n && !epi_is_control(s)) { memmove(to, s, n); to += n; s += n; continue; }
    if (!n) {
      n = 1;
      while ((s[n] & 0xC0) == 0x80) n++;
      if (!s[n] && (unsigned char)*s >= 0xC2 && (unsigned char)*s < 0xF5) break;
    }
    *to++ = '?';
    s += n;
  }
  *to = 0;
}

/* a sentence, as vsnprintf prints it, clean */
static inline void epi_clean_words(char *out, size_t size, const char *words, va_list ap)
{
  if (!size) return;
  if (vsnprintf(out, size, words, ap) < 0) *out = 0;
  epi_clean(out);
}
#endif
