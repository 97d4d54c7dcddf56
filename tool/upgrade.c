/* upgrade.c - the verb upgrade: code of the user's for an earlier version, rewritten for this one. The compiler is asked which members of
 * epi_system are not where they were: it knows types, and names every place */
#include "tool.h"
#include "rewrite.h"
#include <stdlib.h>
#include <string.h>

/* members of epi_system until 0.2 */
static const moved members[] = {
  {"forced", "phase", "forced"}, {"phase_rate", "phase", "phase_rate"}, {"phase_rate_at", "phase", "phase_rate_at"},
  {"theta0", "phase", "theta0"}, {"period", "phase", "period"}, {"lift", "phase", "lift"}, {"phase_in_t", "phase", "phase_in_t"},
  {"phase_held", "phase", "held"}, {"phase_shift", "phase", "shift"},
  {"mass_matrix", "inertia", "mass_matrix"}, {"mass_solve", "inertia", "mass_solve"}, {"accel", "inertia", "accel"},
  {"speed", "inertia", "speed"},
  {"rowptr", "constraints", "rowptr"}, {"cols", "constraints", "cols"},
  {"constraint_increment", "constraints", "constraint_increment"}, {"constraint_bend", "constraints", "constraint_bend"},
  {"constraint_name", "constraints", "constraint_name"},
  {"retract", "manifold", "retract"}, {"retract_rate", "manifold", "retract_rate"}, {"nearest", "manifold", "nearest"},
  {"slope", "jacobian", "slope"}, {"slope_rows", "jacobian", "slope_rows"}, {"slope_rowptr", "jacobian", "slope_rowptr"},
  {"slope_cols", "jacobian", "slope_cols"}, {"probe", "jacobian", "probe"},
  {"kinetic", "energies", "kinetic"}, {"potential", "energies", "potential"}, {"log_force", "energies", "log_force"},
  {"log_planar", "energies", "log_planar"}, {"objective", "energies", "objective"},
  {"ng", "contacts", "ng"}, {"gap", "contacts", "gap"}, {"impulsive", "contacts", "impulsive"}, {"stiffness", "contacts", "stiffness"},
  {"went_through", "contacts", "went_through"}, {"links", "contacts", "links"}, {"link_ends", "contacts", "link_ends"},
  {"linked_force", "contacts", "linked_force"},
  {"forces", "batch", "forces"}, {"forces_of", "batch", "forces_of"},
  {"modes", "modes", "modes"}, {"mode", "modes", "mode"},
  {"irreversible", "traits", "irreversible"}, {"dissipative", "traits", "dissipative"}, {"smooth", "traits", "smooth"},
  {"nbreaks", "traits", "nbreaks"}, {"breaks", "traits", "breaks"},
};

static const moved *member_of(const char *word, size_t n)
{
  for (size_t i = 0; i < sizeof members/sizeof *members; i++)
    if (strlen(members[i].old) == n && !memcmp(members[i].old, word, n)) return &members[i];
  return NULL;
}

/* ---- files ---- */
typedef struct { const char *path; char *text; place *at; int n; } source;

static char *read_all(const char *path)
{
  long long size = disk_size(path);
  FILE *f = size >= 0 ? fopen(path, "rb") : NULL;
  if (!f) return say(REFUSED, "%s cannot be read: give C files", path), NULL;
  char *all = need((size_t)size + 1);
  size_t n = fread(all, 1, (size_t)size, f);
  all[n] = 0;
  fclose(f);
  if (strlen(all) == n) return all;
  free(all);
  return say(REFUSED, "%s is not text: give C files", path), NULL;
}

/* beside it and then in its place, so that a full disk loses nothing */
static int write_all(const char *path, const char *content)
{
  char *beside = text("%s.new", path);
  FILE *f = fopen(beside, "wb");
  int bad = !f || fputs(content, f) < 0;
  if (f && disk_sync(f)) bad = 1;
  if (f && fclose(f)) bad = 1;
  if (!bad) bad = rename(beside, path) != 0;
  if (bad) remove(beside);
  free(beside);
  return bad ? say(FAILED, "%s cannot be written: make room, or let its folder be written to", path) : DONE;
}

/* ---- what the compiler says ---- */
/* a word that is there already in the new way: s->modes.modes, .modes = {...} */
static int is_new(const char *p)
{
  p += strspn(p, " \t");
  return *p == '.' || (*p == '=' && p[1 + strspn(p + 1, " \t\r\n")] == '{');
}

static void take_place(source *s, const moved *is, long line, long column)
{
  long at = rewrite_find(s->text, is->old, line, column);
  if (at < 0) { say(DONE, "%s, line %ld: write .%s.%s in place of .%s there", s->path, line, is->record, is->now, is->old); return; }
  if (!strcmp(is->old, is->record) && is_new(s->text + at + strlen(is->old))) return;
  for (int i = 0; i < s->n; i++) if (s->at[i].at == (size_t)at) return;
  s->at = grown(s->at, ((size_t)s->n + 1)*sizeof *s->at);
  s->at[s->n++] = (place){(size_t)at, is};
}

/* the first quoted word of a line that is one of the members */
static const moved *member_in(const char *line, const char *to)
{
  for (const char *p = line; p < to; p++) {
    if (*p != '\'') continue;
    size_t n = strcspn(p + 1, "'\n");
    const moved *is = member_of(p + 1, n);
    if (is) return is;
    p += n + 1;
  }
  return NULL;
}

/* FILE:LINE:COLUMN: error: 'epi_system' has no member named 'period', or field designator 'period' does not refer to any ... */
static void read_line(const char *line, const char *to, source *all, int n)
{
  const char *p = strstr(line, ": error: "), *member = p ? strstr(p, "member") : NULL, *field = p ? strstr(p, "field") : NULL;
  long at[2];
  if (!p || p >= to || !strstr(p, "epi_system") || strstr(p, "epi_system") >= to) return;
  if (!(member && member < to) && !(field && field < to)) return;
  for (int k = 1; k >= 0; k--) {
    const char *end = p;
    while (p > line && p[-1] != ':') p--;
    at[k] = strtol(p, NULL, 10);
    if (p == line || p == end) return;
    p--;
  }
  const moved *is = member_in(p, to);
  char *path = text("%.*s", (int)(p - line), line);
  for (int i = 0; i < n && is; i++) if (disk_same(all[i].path, path)) { take_place(&all[i], is, at[0], at[1]); is = NULL; }
  if (is) say(DONE, "%s, line %ld: write .%s.%s in place of .%s there, or name this file too", path, at[0], is->record, is->now, is->old);
  free(path);
}

static int ask_of(const char *path, source *all, int n)
{
  char *said = load_said(path);
  if (!said) return REFUSED;
  for (const char *line = said; *line; ) {
    size_t length = strcspn(line, "\n");
    read_line(line, line + length, all, n);
    line += length + (line[length] != 0);
  }
  free(said);
  return DONE;
}

int act_upgrade(const request *r)
{
  int code = r->nword ? DONE : say(REFUSED, "upgrade needs C files: `epicycle upgrade mymodel.c`");
  source *all = need(((size_t)r->nword + 1)*sizeof *all);
  for (int i = 0; i < r->nword && !code; i++) {
    all[i].path = r->word[i];
    if (!(all[i].text = read_all(r->word[i]))) code = REFUSED;
  }
  for (int i = 0; i < r->nword && !code; i++) if (ends_with(r->word[i], ".c")) code = ask_of(r->word[i], all, r->nword);
  for (int i = 0; i < r->nword && !code; i++) {
    char *now = rewrite(all[i].text, all[i].at, all[i].n);
    if (all[i].n) code = write_all(all[i].path, now);
    if (!code) printf("%s: %d member%s of epi_system moved\n", all[i].path, all[i].n, all[i].n == 1 ? "" : "s");
    free(now);
  }
  for (int i = 0; i < r->nword; i++) { free(all[i].text); free(all[i].at); }
  free(all);
  return code;
}
