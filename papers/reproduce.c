/* reproduce.c - what a paper prints or claims, computed again by the flows its rows name */
#include "papers.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the data: built in, or from a file ---- */
static char *whole_file(const char *path)
{
  FILE *f = fopen(path, "rb");
  long long size = disk_size(path);
  size_t n = 0;
  char *all = f && size >= 0 ? need((size_t)size + 1) : NULL;
  if (all) n = fread(all, 1, (size_t)size, f);
  if (f) fclose(f);
  if (all && n == (size_t)size && !memchr(all, 0, n)) return all;
  say(REFUSED, "%s cannot be read as text: give a file of the form of papers/*.csv", path);
  free(all);
  return NULL;
}

static int no_paper(const char *name)
{
  enum { MOST = 16 };
  const char *names[MOST + 1] = {0};
  for (int i = 0; i < MOST && PAPERS[i].name; i++) names[i] = PAPERS[i].name;
  const char *near = nearest(name, names);
  if (near) return say(REFUSED, "there is no paper '%s'; did you mean %s?", name, near);
  return say(REFUSED, "there is no paper '%s': `epicycle reproduce` lists them", name);
}

static int open_paper(paper *p, const char *name, const char *file)
{
  if (!file) {
    const printed *b = PAPERS;
    while (b->name && strcmp(b->name, name)) b++;
    return b->name ? paper_read(p, text("%s", (const char *)b->csv), b->name) : no_paper(name);
  }
  char *all = whole_file(file);
  int code = all ? paper_read(p, all, file) : REFUSED;
  if (!code && strcmp(p->name, name)) code = say(REFUSED, "%s holds the paper %s, not %s: name that one", file, p->name, name);
  return code;
}

static int no_table(const paper *p, const char *name)
{
  const char **names = need(((size_t)p->ntable + 1)*sizeof *names);
  for (int i = 0; i < p->ntable; i++) names[i] = p->table[i].name;
  const char *near = nearest(name, names);
  free(names);
  if (near) return say(REFUSED, "%s has no table '%s'; did you mean %s?", p->name, name, near);
  return say(REFUSED, "%s has no table '%s': `epicycle reproduce` lists them", p->name, name);
}

/* ---- what there is ---- */
static void list_paper(const paper *p)
{
  printf("%s: %s\n", p->name, p->cite);
  const char *of = p->nclaim ? "claims " : "entries";
  for (int i = 0; i < p->ntable; i++) printf("  %-12s %3d %s  %s\n", p->table[i].name, p->table[i].entries, of, p->table[i].title);
}

static void list_json(const paper *p)
{
  fputs("    {\"paper\": ", stdout);
  json_text(stdout, p->name);
  fputs(", \"cite\": ", stdout);
  json_text(stdout, p->cite);
  fputs(", \"tables\": [", stdout);
  for (int i = 0; i < p->ntable; i++) {
    fputs(i ? ",\n      {\"name\": " : "\n      {\"name\": ", stdout);
    json_text(stdout, p->table[i].name);
    printf(", \"entries\": %d, \"title\": ", p->table[i].entries);
    json_text(stdout, p->table[i].title);
    putchar('}');
  }
  fputs("]}", stdout);
}

static int list_papers(const char *json)
{
  if (json) puts("{\n  \"papers\": [");
  for (const printed *b = PAPERS; b->name; b++) {
    paper p = {0};
    int code = open_paper(&p, b->name, NULL);
    if (!code && json && b != PAPERS) puts(",");
    if (!code) (json ? list_json : list_paper)(&p);
    paper_free(&p);
    if (code) return code;
  }
  puts(json ? "\n  ]\n}" : "\n`epicycle reproduce PAPER [TABLE]` computes them again; `epicycle reproduce bearing-race` holds nam against "
       "CVODE, in some minutes.");
  return DONE;
}

/* ---- the tables, as they are computed ---- */
static int chosen(const entry *e, const char *name) { return !name || !strcmp(e->table, name); }

/* 4.10294e-1 beside 4.10e-1, 22 beside 22, 128000 (121338) by the paper's count and as the library took them */
static number as_printed(const entry *e)
{
  number n = {""};
  if (e->failure) return n;
  if (e->members > 1) snprintf(n.text, sizeof n.text, "%.1f +- %.1f", e->computed, e->spread);
  else if (!isnan(e->taken)) snprintf(n.text, sizeof n.text, "%.7g (%.7g)", e->computed, e->taken);
  else if (!strchr(e->text, 'e')) snprintf(n.text, sizeof n.text, e->computed == floor(e->computed) ? "%.10g" : "%.6g", e->computed);
  else {
    snprintf(n.text, sizeof n.text, "%.5e", e->computed);
    char *power = strchr(n.text, 'e');
    if (power) snprintf(power + 1, sizeof n.text - (size_t)(power + 1 - n.text), "%ld", strtol(power + 1, NULL, 10));
  }
  return n;
}

static int longest(const paper *p, const char *name, size_t field, const char *head)
{
  size_t most = strlen(head);
  for (int i = 0; i < p->nentry; i++) {
    const char *word;
    memcpy(&word, (const char *)&p->entry[i] + field, sizeof word);
    if (!strcmp(p->entry[i].table, name) && strlen(word) > most) most = strlen(word);
  }
  return (int)most;
}

static int same_reason(const entry *a, const entry *b)
{
  return !strcmp(a->table, b->table) && a->verdict == b->verdict && !strcmp(a->reason, b->reason);
}

/* each reason once, after the places it stands for */
static void print_reasons(const paper *p, const table *t)
{
  for (int i = 0; i < p->nentry; i++) {
    const entry *e = &p->entry[i];
    int before = 0, all = 0, n = 0;
    for (int j = 0; j < p->nentry; j++)
      if (same_reason(e, &p->entry[j])) before += j < i, all++;
    if (strcmp(e->table, t->name) || e->verdict == AGREES || !e->reason[0] || before) continue;
    printf("  %s: ", e->verdict == SHOWN ? "note" : e->verdict);
    for (int j = i; j < p->nentry && all < t->entries; j++)
      if (same_reason(e, &p->entry[j])) printf("%s%s %s", n++ ? ", " : "", p->entry[j].row, p->entry[j].column);
    printf("%s%s\n", n ? ": " : "", e->reason);
  }
}

static void print_table(paper *p, const table *t, run_store *s)
{
  int row = longest(p, t->name, offsetof(entry, row), ""), column = longest(p, t->name, offsetof(entry, column), "");
  int published = longest(p, t->name, offsetof(entry, text), "published");
  printf("%s%s, table %s: %s%s\n", ink(stdout, BOLD), p->name, t->name, t->title, ink(stdout, PLAIN));
  printf("  %-*s  %-*s  %*s  %-18s  %-14s  flow\n", row, "", column, "", published, "published", "computed", "verdict");
  for (int i = 0; i < p->nentry; i++) {
    entry *e = &p->entry[i];
    if (strcmp(e->table, t->name)) continue;
    progress_step(&s->progress);
    entry_compute(e, s);
    progress_wipe(&s->progress);
    e->verdict = verdict_of(e);
    printf("  %-*s  %-*s  %*s  %-18s  ", row, e->row, column, e->column, published, e->text[0] ? e->text : "-", as_printed(e).text);
    printf("%s%-14s%s  ", ink(stdout, verdict_ink(e->verdict)), e->verdict, ink(stdout, PLAIN));
    printf("%s on %s, steps of %s to %s\n", e->flow, e->model, shortest(e->step).text, shortest(e->end).text);
    if (e->failure) printf("    %s\n", e->failure);
    if (e->flagged) printf("    flagged: %s\n", e->flagged);
    fflush(stdout);
  }
  print_reasons(p, t);
  putchar('\n');
}

/* ---- the summary ---- */
typedef struct tally { int agree, differ, shown, labelled, printed, flagged; } tally;

static tally tally_of(const paper *p, const char *name)
{
  tally t = {0};
  for (int i = 0; i < p->nentry; i++) {
    const entry *e = &p->entry[i];
    if (!chosen(e, name)) continue;
    int shown = !e->text[0] && e->verdict == SHOWN, differ = e->verdict == DIFFERS || e->verdict == BROKE;
    t.flagged += e->flagged != NULL;
    t.shown += shown;
    t.printed += !shown;
    t.agree += e->verdict == AGREES;
    t.differ += differ;
    t.labelled += !shown && !differ && e->verdict != AGREES;
  }
  return t;
}

static void print_summary(const paper *p, const char *name, double wall)
{
  tally t = tally_of(p, name);
  printf("%s: %d printed entries: %d agree, %d labelled", p->name, t.printed, t.agree, t.labelled);
  int kinds = 0;
  for (const char *word, *last = ""; (word = label_after(last)); last = word) {
    int n = 0;
    for (int i = 0; i < p->nentry; i++) n += chosen(&p->entry[i], name) && p->entry[i].verdict == word;
    if (n && strcmp(word, AGREES)) printf("%s%d %s", kinds++ ? ", " : " (", n, word);
  }
  printf("%s, %d differ", kinds ? ")" : "", t.differ);
  if (t.shown) printf("; %d more that the paper does not print", t.shown);
  if (t.flagged) printf("; %d flagged", t.flagged);
  printf(". %.1f s\n", wall);
}

static void json_entry(const entry *e)
{
  const struct { const char *key, *value; } WORDS[] = {
    {"table", e->table}, {"row", e->row}, {"column", e->column}, {"verdict", e->verdict}, {"reason", e->reason}, {"model", e->model},
    {"flow", e->flow}, {"against", e->against}, {"by", e->by}, {"failure", e->failure}, {"flagged", e->flagged},
  };
  const struct { const char *key; double value; } NUMBERS[] = {
    {"published", e->text[0] ? e->published : NAN}, {"unit", e->text[0] ? e->unit : NAN}, {"computed", e->failure ? NAN : e->computed},
    {"spread", e->members > 1 ? e->spread : NAN}, {"taken", e->taken}, {"reference", e->reference}, {"step", e->step}, {"end", e->end},
  };
  for (size_t i = 0; i < sizeof WORDS/sizeof *WORDS; i++) {
    printf("%s\"%s\": ", i ? ", " : "    {", WORDS[i].key);
    json_text(stdout, WORDS[i].value);
  }
  for (size_t i = 0; i < sizeof NUMBERS/sizeof *NUMBERS; i++) {
    printf(", \"%s\": ", NUMBERS[i].key);
    json_number(stdout, NUMBERS[i].value);
  }
  putchar('}');
}

static void print_json(paper *p, const char *name, run_store *s, double start)
{
  fputs("{\n  \"paper\": ", stdout);
  json_text(stdout, p->name);
  fputs(",\n  \"cite\": ", stdout);
  json_text(stdout, p->cite);
  fputs(",\n  \"entries\": [\n", stdout);
  for (int i = 0, n = 0; i < p->nentry; i++) {
    entry *e = &p->entry[i];
    if (!chosen(e, name)) continue;
    progress_step(&s->progress);
    entry_compute(e, s);
    progress_wipe(&s->progress);
    e->verdict = verdict_of(e);
    if (n++) puts(",");
    json_entry(e);
  }
  tally t = tally_of(p, name);
  printf("\n  ],\n  \"agree\": %d, \"labelled\": %d, \"differ\": %d, \"shown\": %d, \"flagged\": %d, \"wall_s\": %.3f", t.agree,
         t.labelled, t.differ, t.shown, t.flagged, clock_now() - start);
}

static int compute(paper *p, const char *name, const char *json, const char *figures)
{
  int n = 0;
  for (int i = 0; i < p->nentry; i++) n += chosen(&p->entry[i], name);
  run_store s = {.progress = progress_begin(p->name, "entries", n)};
  double start = clock_now();
  int code = DONE;
  if (json) print_json(p, name, &s, start);
  else {
    printf("%s\n\n", p->cite);
    for (int i = 0; i < p->ntable; i++)
      if (!name || !strcmp(p->table[i].name, name)) print_table(p, &p->table[i], &s);
    print_summary(p, name, clock_now() - start);
  }
  if (figures) code = figures_draw(p, NULL, &s, figures, json);
  if (json) puts("\n}");
  run_store_free(&s);
  return code ? code : tally_of(p, name).differ ? FAILED : DONE;
}

/* ---- words for completion ---- */
int reproduce_words(const request *r)
{
  for (const printed *b = PAPERS; b->name; b++) {
    paper p = {0};
    int code = !r->nword || !strcmp(b->name, r->word[0]) ? open_paper(&p, b->name, NULL) : REFUSED;
    if (!code && !r->nword) printf("%s\t%s\n", p.name, p.cite);
    for (int i = 0; !code && r->nword && i < p.ntable; i++) printf("%s\t%s\n", p.table[i].name, p.table[i].title);
    paper_free(&p);
  }
  return DONE;
}

int reproduce(const request *r)
{
  const char *json = given(r, "--json"), *file = given(r, "--data"), *figures = given(r, "--figures");
  const char *name = r->nword > 1 ? r->word[1] : NULL;
  if (r->nword > 2) return say(REFUSED, "reproduce takes a paper and a table at most: `epicycle reproduce` lists them");
  if (!r->nword && file) return say(REFUSED, "--data needs the name of its paper: write `epicycle reproduce PAPER --data %s`", file);
  if (!r->nword && figures)
    return say(REFUSED, "--figures needs the name of a paper: write `epicycle reproduce PAPER --figures %s`", figures);
  if (!r->nword) return list_papers(json);
  if (!strcmp(r->word[0], "bearing-race"))
    return file ? say(REFUSED, "bearing-race has no data: leave --data out") : race(name, json, figures);
  paper p = {0};
  int code = open_paper(&p, r->word[0], file), t = 0;
  while (!code && name && t < p.ntable && strcmp(p.table[t].name, name)) t++;
  if (!code && name && t == p.ntable) code = no_table(&p, name);
  else if (!code && figures) code = figures_folder(figures);
  if (!code) code = (p.nclaim ? claims_compute : compute)(&p, name, json, figures);
  paper_free(&p);
  return code;
}
