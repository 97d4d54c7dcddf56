/* upgrade.c - the verb upgrade: code of the user's for an earlier version, rewritten for this one. The compiler is asked which members of
 * structs are not where they were: it knows types, and names every place */
#include "tool.h"
#include "rewrite.h"
#include <stdlib.h>
#include <string.h>

#define SYSTEM "epi_system"
static const moved members[] = {
  /* until 0.2; a name that is not the same is of 0.1 */
  {SYSTEM, "forced", "phase", "forced"}, {SYSTEM, "phase_rate", "phase", "phase_rate"},
  {SYSTEM, "phase_rate_at", "phase", "phase_rate_at"}, {SYSTEM, "theta0", "phase", "theta0"}, {SYSTEM, "period", "phase", "period"},
  {SYSTEM, "lift", "phase", "lift"}, {SYSTEM, "phase_in_t", "phase", "phase_in_t"}, {SYSTEM, "phase_held", "phase", "held"},
  {SYSTEM, "phase_shift", "phase", "shift"}, {SYSTEM, "pace", "phase", "phase_rate_at"},
  {SYSTEM, "mass_matrix", "inertia", "mass_matrix"}, {SYSTEM, "mass_solve", "inertia", "mass_solve"},
  {SYSTEM, "accel", "inertia", "accel"}, {SYSTEM, "speed", "inertia", "speed"},
  {SYSTEM, "rowptr", "constraints", "rowptr"}, {SYSTEM, "cols", "constraints", "cols"},
  {SYSTEM, "constraint_increment", "constraints", "constraint_increment"}, {SYSTEM, "constraint_bend", "constraints", "constraint_bend"},
  {SYSTEM, "constraint_name", "constraints", "constraint_name"}, {SYSTEM, "starts", "constraints", "rowptr"},
  {SYSTEM, "touches", "constraints", "cols"}, {SYSTEM, "change", "constraints", "constraint_increment"},
  {SYSTEM, "retract", "manifold", "retract"}, {SYSTEM, "retract_rate", "manifold", "retract_rate"},
  {SYSTEM, "nearest", "manifold", "nearest"}, {SYSTEM, "turn", "manifold", "retract"}, {SYSTEM, "slew", "manifold", "retract_rate"},
  {SYSTEM, "slope", "jacobian", "slope"}, {SYSTEM, "slope_rows", "jacobian", "slope_rows"},
  {SYSTEM, "slope_rowptr", "jacobian", "slope_rowptr"}, {SYSTEM, "slope_cols", "jacobian", "slope_cols"},
  {SYSTEM, "probe", "jacobian", "probe"},
  {SYSTEM, "kinetic", "energies", "kinetic"}, {SYSTEM, "potential", "energies", "potential"},
  {SYSTEM, "log_force", "energies", "log_force"}, {SYSTEM, "log_planar", "energies", "log_planar"},
  {SYSTEM, "objective", "energies", "objective"},
  {SYSTEM, "ng", "contacts", "ng"}, {SYSTEM, "gap", "contacts", "gap"}, {SYSTEM, "impulsive", "contacts", "impulsive"},
  {SYSTEM, "stiffness", "contacts", "stiffness"}, {SYSTEM, "went_through", "contacts", "went_through"},
  {SYSTEM, "links", "contacts", "links"}, {SYSTEM, "link_ends", "contacts", "link_ends"},
  {SYSTEM, "linked_force", "contacts", "linked_force"}, {SYSTEM, "hard", "contacts", "impulsive"},
  {SYSTEM, "forces", "batch", "forces"}, {SYSTEM, "forces_of", "batch", "forces_of"},
  {SYSTEM, "modes", "modes", "modes"}, {SYSTEM, "mode", "modes", "mode"},
  {SYSTEM, "irreversible", "traits", "irreversible"}, {SYSTEM, "dissipative", "traits", "dissipative"},
  {SYSTEM, "smooth", "traits", "smooth"}, {SYSTEM, "nbreaks", "traits", "nbreaks"}, {SYSTEM, "breaks", "traits", "breaks"},
  {SYSTEM, "oneway", "traits", "irreversible"},
  {SYSTEM, "drag", NULL, "velocity_force"}, {SYSTEM, "why", NULL, "explain"}, {"epi_observable", "look", NULL, "observe"},
  {"epi_shape", "look", NULL, "appearance"},
};

static const moved *member_of(const char *word, size_t n, const char *line, const char *to)
{
  for (size_t i = 0; i < sizeof members/sizeof *members; i++) {
    const char *of = strstr(line, members[i].of);
    if (of && of < to && strlen(members[i].old) == n && !memcmp(members[i].old, word, n)) return &members[i];
  }
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

static void say_by_hand(const char *path, long line, const moved *is, const char *more)
{
  say(DONE, "%s, line %ld: write .%s%s%s in place of .%s there%s", path, line, is->record ? is->record : "", is->record ? "." : "", is->now,
      is->old, more);
}

static void take_place(source *s, const moved *is, long line, long column)
{
  long at = rewrite_find(s->text, is->old, line, column);
  if (at < 0) { say_by_hand(s->path, line, is, ""); return; }
  if (is->record && !strcmp(is->old, is->record) && is_new(s->text + at + strlen(is->old))) return;
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
    const moved *is = member_of(p + 1, n, line, to);
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
  if (!p || p >= to) return;
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
  if (is) say_by_hand(path, at[0], is, ", or name this file too");
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
    if (!code) printf("%s: %d member%s moved\n", all[i].path, all[i].n, all[i].n == 1 ? "" : "s");
    free(now);
  }
  for (int i = 0; i < r->nword; i++) { free(all[i].text); free(all[i].at); }
  free(all);
  return code;
}
