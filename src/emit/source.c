/* source.c - what an emitted program takes of the C file of a model: the functions of its forces, and all they use. A file is a row of
 * items: lines of the preprocessor, and declarations and definitions up to their semicolon or closing brace */
#include "emitting.h"
#include <ctype.h>
#include <stdio.h>

enum { MOST_ITEMS = 2048 };
typedef struct { const char *from, *to; int needed; } item;

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

/* over blanks, ends of lines and comments */
static const char *onward(const char *p)
{
  for (;;) {
    p += strspn(p, " \t\r\n");
    if (p[0] != '/' || (p[1] != '*' && p[1] != '/')) return p;
    p = over(p);
  }
}

static int same_word(const char *a, size_t n, const char *b) { return strlen(b) == n && !memcmp(a, b, n); }

/* ---- items ---- */
/* of a line of the preprocessor: behind those that it goes on in, by a backslash or inside of a comment */
static const char *line_end(const char *p)
{
  while (*p && *p != '\n') {
    if (p[0] == '\\' && p[1] == '\r' && p[2] == '\n') p += 3;
    else if (p[0] == '/' && p[1] == '*') p = over(p);
    else if (*p == '"' && !memchr(p, '\n', (size_t)(over(p) - p))) p = over(p);
    else p += *p == '\\' && p[1] ? 2 : 1;
  }
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
    all[n] = (item){p, *p == '#' ? line_end(p) : item_end(p), 0};
    p = all[n++].to;
  }
  return n;
}

/* ---- what an item is called ---- */
static int is_directive(const item *a, const char *name)
{
  const char *p = a->from + 1 + strspn(a->from + 1, " \t");
  return *a->from == '#' && !strncmp(p, name, strlen(name));
}

/* a word that begins what it names: before a bracket, a sign or the end, or in the braces of an enum; a macro by its first word */
static int defines(const item *a, const char *word, size_t n)
{
  const char *p = a->from;
  int depth = 0, choices = 0;
  if (*p == '#') {
    p += 1 + strspn(p + 1, " \t");
    p += strcspn(p, " \t\r\n");
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
    const char *next = onward(p + k);
    if (same_word(p, k, "enum")) choices = 1;
    if (k == n && !memcmp(p, word, n) && ((!depth && strchr("([=;,{", *next)) || (choices && depth == 1 && strchr("=,}", *next)))) return 1;
    p += k;
  }
  return 0;
}

static void need(item *all, int n, const char *word, size_t length);
static void need_words(item *all, int n, const item *a)
{
  const char *p = a->from;
  for (size_t k; (k = next_word(&p, a->to)); p += k) need(all, n, p, k);
}

static void need(item *all, int n, const char *word, size_t length)
{
  for (int i = 0; i < n; i++) {
    if (all[i].needed || !defines(&all[i], word, length)) continue;
    all[i].needed = 1;
    need_words(all, n, &all[i]);
  }
}

/* ---- what a program would not have as the model has it ---- */
/* a declaration from p on: of a function or a type, or of something that is const itself, behind its last star */
static int stays(const char *p, const char *to)
{
  int depth = 0, fixed = 0, words = 0, tag = 0, braces = 0;
  char last = 0;
  while (p < to) {
    const char *q = over(p);
    if (q) { p = q; continue; }
    if (!depth && (*p == '=' || *p == ';')) break;
    if (!depth && *p == '(') return *onward(p + 1) != '*';
    if (strchr("({[", *p)) depth++;
    if (strchr(")}]", *p)) depth--;
    braces |= *p == '{';
    if (!depth && *p == '*') fixed = 0;
    if (!isspace((unsigned char)*p)) last = *p;
    size_t k = 0;
    while (in_word((unsigned char)p[k])) k++;
    if (!depth && same_word(p, k, "const")) fixed = 1;
    if (!depth && k && !words++) tag = same_word(p, k, "struct") || same_word(p, k, "union") || same_word(p, k, "enum");
    p += k ? k : 1;
  }
  /* a type ends with its brace, or is its name alone */
  return fixed || last == '}' || (tag && words == 2 && !braces);
}

/* the declaration of what is written while the model is made, or from call to call; NULL: there is none in this item */
static const char *variable(const item *a)
{
  const char *p = a->from;
  size_t k = next_word(&p, a->to);
  int function = a->to[-1] == '}', braces = 0;
  if (*a->from == '#' || same_word(p, k, "typedef")) return NULL;
  if (!function) return stays(a->from, a->to) ? NULL : a->from;
  for (p = a->from; p < a->to; ) {
    const char *q = over(p);
    if (q) { p = q; continue; }
    braces += (*p == '{') - (*p == '}');
    for (k = 0; in_word((unsigned char)p[k]); ) k++;
    if (braces && same_word(p, k, "static") && !stays(p, a->to)) return p;
    p += k ? k : 1;
  }
  return NULL;
}

/* a type with a member that points elsewhere: of a case the numbers are copied, and what they point to is not */
static int points(const item *a)
{
  int depth = 0, brackets = 0, record = 0;
  if (*a->from == '#') return 0;
  for (const char *p = a->from; p < a->to; ) {
    const char *q = over(p);
    if (q) { p = q; continue; }
    if (!depth && strchr("=(", *p)) return 0;
    depth += (*p == '{') - (*p == '}');
    brackets += (*p == '[') - (*p == ']');
    if (*p == '*' && depth && !brackets && record) return 1;
    size_t k = 0;
    while (in_word((unsigned char)p[k])) k++;
    if (same_word(p, k, "struct") || same_word(p, k, "union")) record = 1;
    p += k ? k : 1;
  }
  return 0;
}

static int is_condition(const item *a) { return is_directive(a, "if") || is_directive(a, "el") || is_directive(a, "endif"); }

/* a condition on a name that a header of the model's own may define, which the program does not have */
static int check_condition(const item *all, int n, const item *a, char *error)
{
  int own = 0;
  for (int i = 0; i < n; i++) own |= is_directive(&all[i], "include") && memchr(all[i].from, '"', (size_t)(all[i].to - all[i].from));
  const char *p = a->from;
  size_t k = next_word(&p, a->to);
  for (p += k; own && (k = next_word(&p, a->to)); p += k) {
    int known = *p == '_' || same_word(p, k, "defined");
    for (int i = 0; !known && i < n; i++) known = defines(&all[i], p, k);
    if (!known)
      return epi_say(error, -1, "the source of the model asks in an #if for %.*s, which may stand in a header of its own, and one file is "
                     "read: define it there", (int)k, p);
  }
  return 0;
}

static int check_item(const item *all, int n, const item *a, int data, char *error)
{
  if (is_condition(a)) return check_condition(all, n, a, error);
  const char *changes = variable(a);
  if (changes)
    return epi_say(error, -1, "the forces of the model use a variable that may change, '%.*s', and a program has nothing of what is "
                   "written to it: keep numbers in c->p or epi_case_room, or make it const", (int)strcspn(changes, "=;\n"), changes);
  if (data && points(a))
    return epi_say(error, -1, "the forces of the model use a type with pointers in it, and a program has none of what they point to: keep "
                   "the numbers themselves in s->data");
  return 0;
}

/* headers of the system, where there are any */
static void print_include(epi_pages *to, const item *a)
{
  const char *name = memchr(a->from, '<', (size_t)(a->to - a->from));
  if (!name || !strncmp(name, "<epicycle", 9)) return;
  epi_print_text(to, "#ifndef __CUDACC_RTC__\n", 23);
  epi_print_text(to, a->from, (size_t)(a->to - a->from));
  epi_print_text(to, "\n#endif\n", 8);
}

/* names of the model that are macros would be taken for those of what follows */
static void print_undef(epi_pages *to, const item *a)
{
  const char *p = a->from + 1;
  if (!is_directive(a, "define")) return;
  p += next_word(&p, a->to);
  size_t k = next_word(&p, a->to);
  epi_print(to, "#undef %.*s\n", (int)k, p);
}

int epi_source_needed(epi_pages *to, const char *source, int n, const epi_callback *callback, int data, char *error)
{
  item *all = calloc(MOST_ITEMS, sizeof *all);
  if (!all) return epi_say(error, -1, "out of memory");
  int items = items_of(source, all), bad = 0;
  if (items == MOST_ITEMS)
    bad = epi_say(error, -1, "the source of the model has more than %d declarations: take a smaller one", MOST_ITEMS - 1);
  for (int i = 0; i < n; i++) need(all, items, callback[i].name, strlen(callback[i].name));
  for (int i = 0; i < items; i++) if (is_condition(&all[i])) need_words(all, items, &all[i]);
  for (int i = 0; i < items && !bad; i++) {
    if (is_directive(&all[i], "include")) print_include(to, &all[i]);
    if (!all[i].needed && !is_condition(&all[i]) && !is_directive(&all[i], "pragma")) continue;
    bad = check_item(all, items, &all[i], data, error);
    epi_print_text(to, all[i].from, (size_t)(all[i].to - all[i].from));
    epi_print_text(to, "\n", 1);
  }
  for (int i = 0; i < items; i++) if (all[i].needed) print_undef(to, &all[i]);
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
      if (*onward(p + k) == '(') { if (k == length && !memcmp(p, word, k)) return 1; break; }
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
    const char *before = p > source ? p - 1 : p, *next = onward(p + k);
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
