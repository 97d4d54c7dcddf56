/* source.c - what an emitted program takes of the C file of a model: the functions of its forces, and all they use. A file is a row of
 * items: lines of the preprocessor, and declarations and definitions up to their semicolon or closing brace */
#include "emitting.h"
#include <ctype.h>
#include <stdio.h>

enum { MOST_ITEMS = 2048 };
typedef struct { const char *from, *to, *word; size_t length; int needed; } item;      /* word: the one that it is needed for */

/* ---- words ---- */
static int in_word(int c) { return isalnum(c) || c == '_'; }

/* over a comment, a text or a character; NULL: there is none here */
static const char *over(const char *p)
{
  if (p[0] == '/' && p[1] == '*') { const char *end = strstr(p + 2, "*/"); return end ? end + 2 : p + strlen(p); }
  if (p[0] == '/' && p[1] == '/') return p + strcspn(p, "\n");
  if (*p != '"' && *p != '\'') return NULL;
  const char *q = p + 1;
  while (*q && *q != *p) q += *q == '\\' && q[1] ? 2 : 1;
  return *q ? q + 1 : q;
}

/* the next word from p on, before `to`; its length, 0: there is none */
static size_t next_word(const char **p, const char *to)
{
  while (*p < to) {
    const char *q = over(*p);
    if (q) { *p = q; continue; }
    if (!in_word((unsigned char)**p)) { ++*p; continue; }
    size_t n = 0;
    while (*p + n < to && in_word((unsigned char)(*p)[n])) n++;
    if (!isdigit((unsigned char)**p)) return n;
    *p += n;
  }
  return 0;
}

static int same_word(const char *a, size_t n, const char *b) { return strlen(b) == n && !memcmp(a, b, n); }

/* ---- items ---- */
static const char *line_end(const char *p)
{
  while (*p && *p != '\n') p += *p == '\\' && p[1] ? 2 : 1;
  return *p ? p + 1 : p;
}

/* a definition of a function ends with its brace; anything else with a semicolon */
static const char *item_end(const char *p)
{
  int depth = 0, call = 0;
  while (*p) {
    const char *q = over(p);
    if (q) { p = q; continue; }
    if (*p == '(' && !depth) call = 1;
    if (*p == '=' && !depth) call = 0;
    if (strchr("([{", *p)) depth++;
    if (strchr(")]}", *p)) depth--;
    if (!depth && (*p == ';' || (*p == '}' && call))) return p + 1;
    p++;
  }
  return p;
}

static int items_of(const char *source, item *all)
{
  int n = 0;
  for (const char *p = source; *p && n < MOST_ITEMS; ) {
    const char *q = over(p);
    if (isspace((unsigned char)*p) || q) { p = q ? q : p + 1; continue; }
    all[n] = (item){p, *p == '#' ? line_end(p) : item_end(p), NULL, 0, 0};
    p = all[n++].to;
  }
  return n;
}

/* ---- what an item is called ---- */
static int is_directive(const item *a, const char *name)
{
  const char *p = a->from + 1;
  while (*p == ' ') p++;
  return *a->from == '#' && !strncmp(p, name, strlen(name));
}

/* a word that begins what it names: before a bracket, a sign or the end, or in the braces of an enum; a macro by its first word */
static int defines(const item *a, const char *word, size_t n)
{
  const char *p = a->from;
  int depth = 0, choices = 0;
  if (*p == '#') {
    p += 1 + strspn(p + 1, " ");
    p += strcspn(p, " \n");
    size_t k = next_word(&p, a->to);
    return is_directive(a, "define") && k == n && !memcmp(p, word, n);
  }
  while (p < a->to) {
    const char *q = over(p);
    if (q) { p = q; continue; }
    if (*p == '{') choices = !depth && choices;
    if (strchr("({[", *p)) depth++;
    if (strchr(")}]", *p)) depth--;
    if (!in_word((unsigned char)*p)) { p++; continue; }
    size_t k = 0;
    while (in_word((unsigned char)p[k])) k++;
    const char *next = p + k + strspn(p + k, " \n");
    if (same_word(p, k, "enum")) choices = 1;
    if (k == n && !memcmp(p, word, n) && ((!depth && strchr("([=;,{", *next)) || (choices && depth == 1 && strchr("=,}", *next)))) return 1;
    p += k;
  }
  return 0;
}

static void need(item *all, int n, const char *word, size_t length)
{
  for (int i = 0; i < n; i++) {
    if (all[i].needed || !defines(&all[i], word, length)) continue;
    all[i].needed = 1;
    all[i].word = word;
    all[i].length = length;
    const char *p = all[i].from;
    for (size_t k; (k = next_word(&p, all[i].to)); p += k) need(all, n, p, k);
  }
}

/* ---- what may change ---- */
static const char *after_braces(const char *p, const char *to)
{
  int depth = 0;
  do {
    const char *q = over(p);
    if (!q) depth += (*p == '{') - (*p == '}');
    p = q ? q : p + 1;
  } while (p < to && depth);
  return p + strspn(p, " \n");
}

/* a declaration from p on: of a variable that is not const, itself and not only what it points to? Types and functions are none */
static int can_change(const char *p, const char *to)
{
  int constant = 0, words = 0, tag = 0;
  while (p < to && *p != '=' && *p != ';' && *p != '[') {
    const char *q = over(p);
    if (q) { p = q; continue; }
    if (*p == '(') return 0;
    if (*p == '{') { tag = 0; if (*(p = after_braces(p, to)) == ';') return 0; }
    if (*p == '*') constant = 0;
    if (!in_word((unsigned char)*p)) { p++; continue; }
    size_t k = 0;
    while (in_word((unsigned char)p[k])) k++;
    if (same_word(p, k, "typedef")) return 0;
    if (same_word(p, k, "const")) constant = 1;
    if (!words++) tag = same_word(p, k, "struct") || same_word(p, k, "union") || same_word(p, k, "enum");
    p += k;
  }
  return !constant && !(tag && words == 2);
}

/* what runs may have set it since, or another lane; a program has it as it stands in the file */
static int keeps_state(const item *a)
{
  if (*a->from == '#') return 0;
  if (a->to[-1] != '}') return can_change(a->from, a->to);
  const char *p = strchr(a->from, '{');
  for (size_t k; p && (k = next_word(&p, a->to)); p += k) if (same_word(p, k, "static") && can_change(p, a->to)) return 1;
  return 0;
}

static int check_state(const item *all, int n, char *error)
{
  for (int i = 0; i < n; i++) {
    if (!all[i].needed || !keeps_state(&all[i])) continue;
    if (all[i].to[-1] == '}')
      return epi_say(error, -1, "%.*s keeps a static variable that is not const, and cases that run at once would share it: keep it in the "
                     "data of the model", (int)all[i].length, all[i].word);
    return epi_say(error, -1, "the forces use '%.*s', a variable of the file that is not const: a program has it as the file says, "
                   "whatever sets it later; make it const, or keep it in the data of the model", (int)all[i].length, all[i].word);
  }
  return 0;
}

int epi_source_needed(epi_pages *to, const char *source, int n, const epi_callback *callback, char *error)
{
  item *all = calloc(MOST_ITEMS, sizeof *all);
  if (!all) { to->lost = 1; return 0; }
  int items = items_of(source, all);
  for (int i = 0; i < n; i++) need(all, items, callback[i].name, strlen(callback[i].name));
  int bad = check_state(all, items, error);
  for (int i = 0; i < items; i++) {
    int conditional = is_directive(&all[i], "if") || is_directive(&all[i], "el") || is_directive(&all[i], "endif");
    if (!all[i].needed && !conditional) continue;
    epi_print_text(to, all[i].from, (size_t)(all[i].to - all[i].from));
    epi_print_text(to, "\n", 1);
  }
  free(all);
  return bad;
}

/* ---- who is given to a slot ---- */
/* a function of this name stands in the file */
static int is_function(const item *all, int n, const char *word, size_t length)
{
  for (int i = 0; i < n; i++) {
    if (*all[i].from == '#' || all[i].to[-1] != '}') continue;
    const char *p = all[i].from;
    for (size_t k; (k = next_word(&p, all[i].to)); p += k)
      if (p[k] == '(') { if (k == length && !memcmp(p, word, k)) return 1; break; }
  }
  return 0;
}

/* of what stands behind the sign, the functions: one, or one and NULL where the model has none of it for some numbers */
static int take_functions(const item *all, int n, const char *p, epi_callback *out)
{
  const char *to = p + strcspn(p, ",;}");
  for (size_t k; (k = next_word(&p, to)); p += k) {
    if (!is_function(all, n, p, k) || same_word(p, k, out->name)) continue;
    if (out->name[0] || k >= sizeof out->name) return -1;
    memcpy(out->name, p, k);
  }
  return 0;
}

int epi_source_callback(const char *source, const char *slot, epi_callback *out, char *error)
{
  const char *p = source, *to = source + strlen(source);
  item *all = calloc(MOST_ITEMS, sizeof *all);
  int n = all ? items_of(source, all) : 0, several = 0;
  *out = (epi_callback){{0}};
  for (size_t k; (k = next_word(&p, to)); p += k) {
    const char *before = p > source ? p - 1 : p, *next = p + k + strspn(p + k, " \n");
    if (!same_word(p, k, slot) || (*before != '.' && *before != '>') || next[0] != '=' || next[1] == '=') continue;
    several |= take_functions(all, n, next + 1, out);
  }
  free(all);
  if (several)
    return epi_say(error, -1, "the source of the model gives %s more than one function, and it is not known which: take one that branches "
                   "inside", slot);
  if (!out->name[0])
    return epi_say(error, -1, "the source of the model does not say which of its functions is its %s: write .%s = name where the system is "
                   "filled in", slot, slot);
  return 0;
}
