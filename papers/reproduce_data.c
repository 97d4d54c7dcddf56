/* reproduce_data.c - reading what a paper prints or claims: comma-separated, a comment at the head, one row an entry or a number behind a
 * claim */
#include "papers.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE, ROW, COLUMN, PUBLISHED, UNIT, MEASURE, MODEL, FLOW, STEP, END, AGAINST, BY, TICK, MEMBERS, REFERENCE, VERDICT, WITHIN,
       REASON, NCOLUMN };
static const char *const COLUMNS[] = {"table", "row", "column", "published", "unit", "measure", "model", "flow", "step", "end",
                                      "against", "by", "tick", "members", "reference", "verdict", "within", "reason", NULL};

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
    if (!word[0] && NUMBERS[i].needed) return data_wrong(at, "a number is missing in column", name);
    if (word[0] && !data_number(word, NUMBERS[i].to)) return data_wrong(at, "this is no number:", word);
  }
  if (!(members >= 1 && members <= 1000) || members != floor(members))
    return data_wrong(at, "members is not a whole number from 1 to 1000:", f[MEMBERS]);
  e->members = (int)members;
  if (e->text[0] && !(e->unit > 0)) return data_wrong(at, "the unit of the last digit is not positive:", f[UNIT]);
  if (!(e->step > 0)) return data_wrong(at, "the step is not positive:", f[STEP]);
  if (e->by[0] && !(e->tick > 0)) return data_wrong(at, "the tick is not positive:", f[TICK]);
  return 0;
}

/* "accepted", or "evaluations*6.1e-5" */
static int read_measure(entry *e, const char *word, const place *at)
{
  size_t n = strcspn(word, "*");
  e->what = measure_of(word, n);
  e->factor = 1;
  if (!e->what || (word[n] && !read_number(word + n + 1, &e->factor))) return data_wrong(at, "there is no measure", word);
  if (measure_needs_truth(e->what) && (!e->against[0] || !e->by[0]))
    return data_wrong(at, "`against` and `by` are needed for the measure", word);
  return 0;
}

static int read_entry(entry *e, char *const *f, const place *at)
{
  *e = (entry){.table = f[TABLE], .row = f[ROW], .column = f[COLUMN], .text = f[PUBLISHED], .model = f[MODEL], .flow = f[FLOW],
               .against = f[AGAINST], .by = f[BY], .reason = f[REASON], .expected = label_of(f[VERDICT][0] ? f[VERDICT] : AGREES)};
  if (!e->expected) return data_wrong(at, "there is no verdict", f[VERDICT]);
  int code = read_measure(e, f[MEASURE], at);
  return code ? code : numbers(e, f, at);
}

/* ---- the head: "# paper: NAME", "# cite: WORDS", "# table NAME: TITLE", "# run NAME: MODEL | FLOW | STEP | END" ---- */
static char *after(char *line, const char *word)
{
  size_t n = strlen(word);
  return strncmp(line, word, n) ? NULL : line + n;
}

static int read_comment(paper *p, char *line, const place *at)
{
  char *words, *colon;
  if ((words = after(line, "# paper: "))) p->name = words;
  if ((words = after(line, "# cite: "))) p->cite = words;
  if ((words = after(line, "# run "))) return claim_run(p, words, at);
  if (!(words = after(line, "# table ")) || !(colon = strstr(words, ": "))) return 0;
  *colon = 0;
  p->table[p->ntable++] = (table){.name = words, .title = colon + 2};
  return 0;
}

/* the two forms of a file: printed entries, and claims */
typedef struct form { const char *const *columns; int (*row)(paper *, char *const *field, const place *); } form;
enum { MOST = 2*NCOLUMN };

static int entry_row(paper *p, char *const *f, const place *at)
{
  entry *e = &p->entry[p->nentry];
  int code = read_entry(e, f, at);
  p->nentry += !code;
  return code;
}

static const form FORMS[] = {{COLUMNS, entry_row}, {CLAIM_COLUMNS, claim_row}};

/* which form it is, and which field of the file each of its columns is */
static const form *read_header(char *line, int *where, const place *at)
{
  char *name[MOST];
  int n = fields(line, name, MOST), claims = 0;
  if (n > MOST) n = MOST;
  for (int i = 0; i < n; i++) claims |= !strcmp(name[i], "claim");
  const form *f = &FORMS[claims];
  for (int c = 0; f->columns[c]; c++) {
    where[c] = 0;
    while (where[c] < n && strcmp(name[where[c]], f->columns[c])) where[c]++;
    if (where[c] < n) continue;
    data_wrong(at, "the header has no column", f->columns[c]);
    return NULL;
  }
  return f;
}

static int read_row(paper *p, const form *shape, char *line, const int *where, const place *at)
{
  char *field[MOST], *f[MOST];
  int n = fields(line, field, MOST), t = 0, code;
  for (int c = 0; shape->columns[c]; c++) {
    if (where[c] >= n) return data_wrong(at, "the row is broken or too short near", n > 0 ? field[0] : line);
    f[c] = field[where[c]];
  }
  while (t < p->ntable && strcmp(p->table[t].name, f[TABLE])) t++;
  if ((code = shape->row(p, f, at))) return code;
  if (t == p->ntable) return data_wrong(at, "no comment '# table ...' gives a title to table", f[TABLE]);
  return 0;
}

/* what a table holds: entries, or claims */
static void count(paper *p)
{
  for (int t = 0; t < p->ntable; t++) {
    for (int i = 0; i < p->nentry; i++) p->table[t].entries += !strcmp(p->entry[i].table, p->table[t].name);
    for (int i = 0; i < p->nclaim; i++) p->table[t].entries += !strcmp(p->claim[i].table, p->table[t].name);
  }
}

int paper_read(paper *p, char *all, const char *file)
{
  size_t lines = 1;
  for (const char *c = all; *c; c++) lines += *c == '\n';
  *p = (paper){.text = all, .entry = need(lines*sizeof *p->entry), .table = need(lines*sizeof *p->table),
               .motion = need(lines*sizeof *p->motion), .claim = need(lines*sizeof *p->claim), .evidence = need(lines*sizeof *p->evidence)};
  place at = {.file = file};
  const form *shape = NULL;
  int where[MOST] = {0}, code = 0;
  for (char *line, *rest = all; !code && (line = next_line(&rest)); ) {
    at.line++;
    if (line[0] == '#') code = read_comment(p, line, &at);
    else if (line[0] && !shape) code = (shape = read_header(line, where, &at)) ? 0 : REFUSED;
    else if (line[0]) code = read_row(p, shape, line, where, &at);
  }
  if (!code && (!p->name || !p->cite || p->nentry + p->nclaim == 0))
    code = say(REFUSED, "%s holds no paper: it needs the lines '# paper: NAME' and '# cite: WORDS', a header and rows", file);
  count(p);
  return code;
}

void paper_free(paper *p)
{
  for (int i = 0; i < p->nentry; i++) free(p->entry[i].failure), free(p->entry[i].flagged);
  for (int i = 0; i < p->nevidence; i++) free(p->evidence[i].failure), free(p->evidence[i].flagged);
  free(p->motion);
  free(p->claim);
  free(p->evidence);
  free(p->entry);
  free(p->table);
  free(p->text);
}
