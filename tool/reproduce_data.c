/* reproduce_data.c - reading the printed tables of a paper: comma-separated, a comment at the head, one row a printed entry */
#include "papers.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE, ROW, COLUMN, PUBLISHED, UNIT, MEASURE, MODEL, FLOW, STEP, END, AGAINST, BY, TICK, MEMBERS, REFERENCE, VERDICT, WITHIN,
       REASON, NCOLUMN };
static const char *const COLUMNS[] = {"table", "row", "column", "published", "unit", "measure", "model", "flow", "step", "end",
                                      "against", "by", "tick", "members", "reference", "verdict", "within", "reason", NULL};

/* where in the file, for sentences */
typedef struct place { const char *file; int line; } place;

static int wrong(const place *at, const char *words, const char *what)
{
  return say(REFUSED, "%s, line %d: %s '%s': papers/README.md says what may stand there", at->file, at->line, words, what);
}

/* ---- lines and fields, cut out of the text in place ---- */
static char *next_line(char **rest)
{
  char *line = *rest;
  if (!line || !*line) return NULL;
  char *end = line + strcspn(line, "\n");
  *rest = *end ? end + 1 : end;
  if (end > line && end[-1] == '\r') end[-1] = 0;
  *end = 0;
  return line;
}

/* one field, perhaps in quotes; a quote inside is written twice. *rest is NULL after the last one and `bad` after a broken one */
static char *next_field(char **rest, int *bad)
{
  char *from = *rest, *to = from, *field = from;
  int quoted = *from == '"';
  for (from += quoted; *from; *to++ = *from++) {
    if (quoted && *from == '"' && *++from != '"') { quoted = 0; break; }
    if (!quoted && *from == ',') break;
  }
  *bad |= quoted || (*from && *from != ',');
  *rest = *from ? from + 1 : NULL;
  *to = 0;
  return field;
}

/* at most n fields; how many there are, or -1 */
static int fields(char *line, char **field, int n)
{
  int k = 0, bad = 0;
  for (char *rest = line; rest; k++) {
    char *f = next_field(&rest, &bad);
    if (k < n) field[k] = f;
  }
  return bad ? -1 : k;
}

/* ---- values ---- */
/* 0.25 or pi */
static int value(const char *word, double *x)
{
  *x = 3.14159265358979323846;
  return !strcmp(word, "pi") || read_number(word, x);
}

/* a value, 1/4, pi/25 or 7*pi/25 */
static int fraction(const char *word, double *x)
{
  char *copy = text("%s", word), *slash = strchr(copy, '/'), *star = strchr(copy, '*');
  double times = 1, below = 1;
  if (slash) *slash = 0;
  if (star) *star = 0;
  int good = value(copy, x) && (!star || value(star + 1, &times)) && (!slash || (value(slash + 1, &below) && below != 0));
  *x = *x*times/below;
  free(copy);
  return good;
}

/* the numbers of a row; an empty field leaves what is there */
static int numbers(entry *e, char *const *f, const place *at)
{
  double members = 1;
  const struct { int column; double *to; int needed; } NUMBERS[] = {
    {PUBLISHED, &e->published, 0}, {UNIT, &e->unit, e->text[0] != 0}, {STEP, &e->step, 1}, {END, &e->end, 1},
    {TICK, &e->tick, e->by[0] != 0}, {MEMBERS, &members, 0}, {REFERENCE, &e->reference, 0},
    {WITHIN, &e->within, e->text[0] && label_needs_bound(e->expected)},
  };
  e->reference = NAN;
  for (size_t i = 0; i < sizeof NUMBERS/sizeof *NUMBERS; i++) {
    const char *word = f[NUMBERS[i].column], *name = COLUMNS[NUMBERS[i].column];
    if (!word[0] && NUMBERS[i].needed) return wrong(at, "a number is missing in column", name);
    if (word[0] && !fraction(word, NUMBERS[i].to)) return wrong(at, "this is no number:", word);
  }
  if (!(members >= 1 && members <= 1000) || members != floor(members))
    return wrong(at, "members is not a whole number from 1 to 1000:", f[MEMBERS]);
  e->members = (int)members;
  if (e->text[0] && !(e->unit > 0)) return wrong(at, "the unit of the last digit is not positive:", f[UNIT]);
  if (!(e->step > 0)) return wrong(at, "the step is not positive:", f[STEP]);
  if (e->by[0] && !(e->tick > 0)) return wrong(at, "the tick is not positive:", f[TICK]);
  return 0;
}

/* "accepted", or "evaluations*6.1e-5" */
static int read_measure(entry *e, const char *word, const place *at)
{
  size_t n = strcspn(word, "*");
  e->what = measure_of(word, n);
  e->factor = 1;
  if (!e->what || (word[n] && !read_number(word + n + 1, &e->factor))) return wrong(at, "there is no measure", word);
  if (measure_needs_truth(e->what) && (!e->against[0] || !e->by[0]))
    return wrong(at, "`against` and `by` are needed for the measure", word);
  return 0;
}

static int read_entry(entry *e, char *const *f, const place *at)
{
  *e = (entry){.table = f[TABLE], .row = f[ROW], .column = f[COLUMN], .text = f[PUBLISHED], .model = f[MODEL], .flow = f[FLOW],
               .against = f[AGAINST], .by = f[BY], .reason = f[REASON], .expected = label_of(f[VERDICT][0] ? f[VERDICT] : AGREES)};
  if (!e->expected) return wrong(at, "there is no verdict", f[VERDICT]);
  int code = read_measure(e, f[MEASURE], at);
  return code ? code : numbers(e, f, at);
}

/* ---- the head: "# paper: NAME", "# cite: WORDS", "# table NAME: TITLE" ---- */
static char *after(char *line, const char *word)
{
  size_t n = strlen(word);
  return strncmp(line, word, n) ? NULL : line + n;
}

static void read_comment(paper *p, char *line)
{
  char *words, *colon;
  if ((words = after(line, "# paper: "))) p->name = words;
  if ((words = after(line, "# cite: "))) p->cite = words;
  if (!(words = after(line, "# table ")) || !(colon = strstr(words, ": "))) return;
  *colon = 0;
  p->table[p->ntable++] = (table){.name = words, .title = colon + 2};
}

/* which field of the file each column is */
static int read_header(char *line, int *where, const place *at)
{
  char *name[2*NCOLUMN];
  int n = fields(line, name, 2*NCOLUMN);
  for (int c = 0; c < NCOLUMN; c++) {
    where[c] = 0;
    while (where[c] < n && where[c] < 2*NCOLUMN && strcmp(name[where[c]], COLUMNS[c])) where[c]++;
    if (where[c] >= n || where[c] >= 2*NCOLUMN) return wrong(at, "the header has no column", COLUMNS[c]);
  }
  return 0;
}

static int read_row(paper *p, char *line, const int *where, const place *at)
{
  char *field[2*NCOLUMN], *f[NCOLUMN];
  int n = fields(line, field, 2*NCOLUMN), t = 0;
  for (int c = 0; c < NCOLUMN; c++) {
    if (where[c] >= n) return wrong(at, "the row is broken or too short near", n > 0 ? field[0] : line);
    f[c] = field[where[c]];
  }
  entry *e = &p->entry[p->nentry];
  int code = read_entry(e, f, at);
  if (code) return code;
  while (t < p->ntable && strcmp(p->table[t].name, e->table)) t++;
  if (t == p->ntable) return wrong(at, "no comment '# table ...' gives a title to table", e->table);
  p->table[t].entries++;
  p->nentry++;
  return 0;
}

int paper_read(paper *p, char *all, const char *file)
{
  size_t lines = 1;
  for (const char *c = all; *c; c++) lines += *c == '\n';
  *p = (paper){.text = all, .entry = need(lines*sizeof *p->entry), .table = need(lines*sizeof *p->table)};
  place at = {.file = file};
  int where[NCOLUMN] = {0}, header = 0, code = 0;
  for (char *line, *rest = all; !code && (line = next_line(&rest)); ) {
    at.line++;
    if (line[0] == '#') read_comment(p, line);
    else if (line[0] && !header) header = !(code = read_header(line, where, &at));
    else if (line[0]) code = read_row(p, line, where, &at);
  }
  if (!code && (!p->name || !p->cite || !p->nentry))
    code = say(REFUSED, "%s holds no paper: it needs the lines '# paper: NAME' and '# cite: WORDS', a header and rows", file);
  return code;
}

void paper_free(paper *p)
{
  for (int i = 0; i < p->nentry; i++) free(p->entry[i].failure);
  free(p->entry);
  free(p->table);
  free(p->text);
}
