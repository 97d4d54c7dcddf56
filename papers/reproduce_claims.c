/* reproduce_claims.c - what a work claims without printing numbers: every claim with the numbers it rests on, their bars, and a verdict.
 * The data say what a claim comes to (true, false, or true with a correction); the verdict stands only while all its numbers meet their
 * bars */
#include "papers.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE, PLACE, CLAIM, VERDICT, EVIDENCE, MEASURE, RUN, OVER, TRUTH, LOW, HIGH, REFERENCE, WITHIN, REMARK };
const char *const CLAIM_COLUMNS[] = {"table", "place", "claim", "verdict", "evidence", "measure", "run", "over", "truth", "low", "high",
                                     "reference", "within", "remark", NULL};

/* false: what was computed is the case of the work itself; not reproduced: another case or another reading stood in */
enum { TRUE, CORRECTED, FALSE, NOT_REPRODUCED, NVERDICT };
static const char *const VERDICTS[] = {"true", "corrected", "false", "not reproduced", NULL};
static const char *const ABSENT = "not in this build";

static const char *verdict_word(const char *word)
{
  const char *const *v = VERDICTS;
  while (*v && strcmp(*v, word)) v++;
  return *v;
}

/* ---- reading ---- */
/* cuts the text at the next " | " */
static char *next_part(char **rest)
{
  char *part = *rest, *bar = part ? strstr(part, " | ") : NULL;
  *rest = bar ? bar + 3 : NULL;
  if (bar) *bar = 0;
  return part;
}

/* "200", "148 steps" or "100 steps and back" */
static int read_end(motion *m)
{
  size_t n = strcspn(m->until, " ");
  char *word = text("%.*s", (int)n, m->until);
  int good = data_number(word, &m->end) && m->end > 0;
  free(word);
  m->back = ends_with(m->until, " steps and back");
  if (m->back || ends_with(m->until, " steps")) m->steps = lround(m->end);
  return good && (!m->until[n] || m->steps > 0);
}

int claim_run(paper *p, char *words, const place *at)
{
  motion *m = &p->motion[p->nmotion++];
  char *colon = strstr(words, ": "), *rest = colon ? colon + 2 : NULL, *step;
  if (!colon) return data_wrong(at, "a run is NAME: MODEL | FLOW | STEP | END, not", words);
  *colon = 0;
  *m = (motion){.name = words, .model = next_part(&rest), .flow = next_part(&rest)};
  step = next_part(&rest);
  m->until = next_part(&rest);
  if (!m->until || rest) return data_wrong(at, "a run is NAME: MODEL | FLOW | STEP | END; four parts are needed for", words);
  if (!data_number(step, &m->step) || !(m->step > 0)) return data_wrong(at, "this is no step:", step);
  return read_end(m) ? 0 : data_wrong(at, "this is no end:", m->until);
}

static const motion *motion_of(const paper *p, const char *name)
{
  for (int i = 0; i < p->nmotion; i++)
    if (!strcmp(p->motion[i].name, name)) return &p->motion[i];
  return NULL;
}

/* "chaotic lost SERIES": when a motion is lost that has no one answer to it */
static const char CHAOTIC[] = "chaotic lost ";
static int chaotic(const evidence *e) { return !strncmp(e->measure, CHAOTIC, sizeof CHAOTIC - 1); }

/* "ratio" and "order" stand before a measure of two runs */
static const char *bare(const char *words)
{
  if (!strncmp(words, CHAOTIC, sizeof CHAOTIC - 1)) return words + strlen("chaotic ");
  return !strncmp(words, "ratio ", 6) || !strncmp(words, "order ", 6) ? words + 6 : words;
}

static int read_runs(const paper *p, evidence *e, char *const *f, const place *at)
{
  const struct { int column; const motion **to; } RUNS[] = {{RUN, &e->run}, {OVER, &e->over}, {TRUTH, &e->truth}};
  for (int i = 0; i < 3; i++) {
    const char *name = f[RUNS[i].column];
    if (name[0] && !(*RUNS[i].to = motion_of(p, name))) return data_wrong(at, "no comment '# run ...' describes the run", name);
  }
  int known = semi_known(e->measure) || (e->run ? measure_known(bare(e->measure)) : printed_value(e->measure, NULL, NULL));
  if (!known) return data_wrong(at, "there is no measure", e->measure);
  return bare(e->measure) != e->measure && !chaotic(e) && !e->over ? data_wrong(at, "`over` is needed for the measure", e->measure) : 0;
}

static int read_evidence(const paper *p, evidence *e, char *const *f, const place *at)
{
  const struct { int column; double *to; } NUMBERS[] = {{LOW, &e->low}, {HIGH, &e->high}, {REFERENCE, &e->reference}, {WITHIN, &e->within}};
  *e = (evidence){.what = f[EVIDENCE], .measure = f[MEASURE], .low = -INFINITY, .high = INFINITY, .reference = NAN, .least = NAN,
                  .greatest = NAN};
  for (int i = 0; i < 4; i++) {
    const char *word = f[NUMBERS[i].column];
    if (word[0] && !data_number(word, NUMBERS[i].to)) return data_wrong(at, "this is no number:", word);
  }
  if (!f[LOW][0] && !f[HIGH][0]) return data_wrong(at, "a bar is missing: give low or high for", e->what);
  return read_runs(p, e, f, at);
}

/* a row without a claim goes on with the evidence of the one above */
int claim_row(paper *p, char *const *f, const place *at)
{
  if (f[CLAIM][0]) {
    claimed *c = &p->claim[p->nclaim++];
    *c = (claimed){.table = f[TABLE], .place = f[PLACE], .words = f[CLAIM], .expected = verdict_word(f[VERDICT]), .remark = f[REMARK],
                 .first = p->nevidence};
    if (!c->expected) return data_wrong(at, "there is no verdict", f[VERDICT]);
  }
  if (!p->nclaim) return data_wrong(at, "no claim stands above the evidence", f[EVIDENCE]);
  p->claim[p->nclaim - 1].n++;
  return read_evidence(p, &p->evidence[p->nevidence++], f, at);
}

/* ---- computing ---- */
static double combined(const evidence *e, tracks *all, track *r, track *over)
{
  const char *words = bare(e->measure);
  track *truth = track_of(all, e->truth);
  double x = track_measure(r, truth, words);
  if (!over) return x;
  double y = track_measure(over, truth, words);
  return e->measure[0] == 'o' ? log2(y/x) : x/y;
}

/* the same with errors of 1 to 1000 for "lost", and from starts that are 1e-15 to 1e-4 away */
static void scatter(evidence *e, track *first)
{
  const char *series = e->measure + sizeof CHAOTIC - 1;
  e->least = e->greatest = e->computed;
  for (int k = 0; k < 16; k++) {
    track *r = k < 4 ? first : track_alone(e->run, pow(10, -k));
    double x = track_lost(r, series, k < 4 ? pow(10, k) : 10);
    e->least = fmin(e->least, x);
    e->greatest = fmax(e->greatest, x);
    if (r != first) track_free(r);
  }
}

static void evidence_compute(evidence *e, tracks *all)
{
  if (semi_known(e->measure)) { semi_compute(e); return; }
  if (!e->run) { printed_value(e->measure, &e->computed, NULL); return; }
  track *r = track_of(all, e->run), *over = track_of(all, e->over), *sick = over && over->failure ? over : r;
  e->absent = r->absent || (over && over->absent);
  e->computed = e->absent ? NAN : combined(e, all, r, over);
  if (r->flagged || (over && over->flagged)) e->flagged = text("%s", r->flagged ? r->flagged : over->flagged);
  if (chaotic(e)) scatter(e, r);
  if (isnan(e->computed) && !e->absent)
    e->failure = text("%s", sick->failure ? sick->failure : "the number is not to be had from this run");
}

static int meets(const evidence *e) { return e->computed >= e->low && e->computed <= e->high; }

static const char *claim_verdict(const paper *p, const claimed *c)
{
  int absent = 0;
  for (int i = c->first; i < c->first + c->n; i++) {
    const evidence *e = &p->evidence[i];
    if (e->failure) return BROKE;
    if (!e->absent && !meets(e)) return DIFFERS;
    absent += e->absent;
  }
  return absent ? ABSENT : c->expected;
}

static void claim_compute(paper *p, claimed *c, tracks *all)
{
  progress_step(&all->progress);
  for (int i = c->first; i < c->first + c->n; i++) evidence_compute(&p->evidence[i], all);
  progress_wipe(&all->progress);
  c->verdict = claim_verdict(p, c);
}

/* ---- text ---- */
static const char *verdict_text(const char *verdict) { return verdict == VERDICTS[CORRECTED] ? "true with a correction" : verdict; }

/* what of the library computes it where it has no run, in new memory; NULL: a formula */
static char *computed_by(const evidence *e)
{
  const char *by = NULL;
  if (e->run || semi_known(e->measure)) return e->run ? NULL : semi_by(e->measure);
  return printed_value(e->measure, NULL, &by) && by ? text("%s", by) : NULL;
}

static int by_formula(const evidence *e)
{
  char *by = computed_by(e);
  int formula = !e->run && !by;
  free(by);
  return formula;
}

static char *bar_text(const evidence *e)
{
  if (isinf(e->low)) return text("at most %s", shortest(e->high).text);
  if (isinf(e->high)) return text("at least %s", shortest(e->low).text);
  return text("%s to %s", shortest(e->low).text, shortest(e->high).text);
}

static void print_run(const motion *m)
{
  printf("%s on %s, ", m->flow, m->model);
  if (m->steps) printf("%ld step%s of %s%s", m->steps, m->steps > 1 ? "s" : "", shortest(m->step).text, m->back ? " and back" : "");
  else printf("steps of %s to %s", shortest(m->step).text, m->until);
}

static void print_evidence(const evidence *e, int width)
{
  char value[24], *bar = bar_text(e), *by = computed_by(e);
  snprintf(value, sizeof value, "%.6g", e->computed);
  printf("    %-*s  %12s  %-20s  ", width, e->what, e->absent ? "absent" : e->failure ? BROKE : value, bar);
  free(bar);
  if (e->run) print_run(e->run);
  else fputs(by ? by : "by formula, not by the library", stdout);
  free(by);
  if (e->over) fputs(e->measure[0] == 'o' ? "; and " : "; over ", stdout), print_run(e->over);
  puts(!e->absent && !e->failure && !meets(e) ? "   <- misses its bar" : "");
  if (e->failure) printf("      %s\n", e->failure);
  if (chaotic(e)) printf("      chaotic: %.6g to %.6g, for errors of 1 to 1000 and starts up to 1e-4 away\n", e->least, e->greatest);
  if (e->flagged) printf("      flagged: %s\n", e->flagged);
}

static void print_claim(const paper *p, const claimed *c, int width)
{
  printf("  %s: %s\n", c->place, c->words);
  for (int i = c->first; i < c->first + c->n; i++) print_evidence(&p->evidence[i], width);
  printf("    %s%s%s%s%s\n", ink(stdout, verdict_ink(c->verdict)), verdict_text(c->verdict), ink(stdout, PLAIN), c->remark[0] ? ": " : "",
         c->remark);
  fflush(stdout);
}

static int chosen(const claimed *c, const char *name) { return !name || !strcmp(c->table, name); }

static void print_table(paper *p, const table *t, tracks *all)
{
  size_t width = 0;
  for (int i = 0; i < p->nclaim; i++)
    for (int k = p->claim[i].first; chosen(&p->claim[i], t->name) && k < p->claim[i].first + p->claim[i].n; k++)
      if (strlen(p->evidence[k].what) > width) width = strlen(p->evidence[k].what);
  printf("%s%s, table %s: %s%s\n", ink(stdout, BOLD), p->name, t->name, t->title, ink(stdout, PLAIN));
  for (int i = 0; i < p->nclaim; i++) {
    if (!chosen(&p->claim[i], t->name)) continue;
    claim_compute(p, &p->claim[i], all);
    print_claim(p, &p->claim[i], (int)width);
  }
  putchar('\n');
}

/* ---- the summary ---- */
typedef struct tally { int claims, numbers, formula, flagged, verdict[NVERDICT], differ, absent; } tally;

static tally tally_of(const paper *p, const char *name)
{
  tally t = {0};
  for (int i = 0; i < p->nclaim; i++) {
    const claimed *c = &p->claim[i];
    if (!chosen(c, name)) continue;
    t.claims++;
    t.numbers += c->n;
    t.absent += c->verdict == ABSENT;
    t.differ += c->verdict == DIFFERS || c->verdict == BROKE;
    for (int k = c->first; k < c->first + c->n; k++) t.formula += by_formula(&p->evidence[k]), t.flagged += p->evidence[k].flagged != NULL;
    for (int v = 0; v < NVERDICT; v++) t.verdict[v] += c->verdict == VERDICTS[v];
  }
  return t;
}

static void print_summary(const paper *p, const char *name, double wall)
{
  tally t = tally_of(p, name);
  printf("%s: %d claims, %d numbers", p->name, t.claims, t.numbers);
  if (t.formula) printf(" (%d by formula)", t.formula);
  printf(": %d true, %d true with a correction, %d false, %d not reproduced, %d differ", t.verdict[TRUE], t.verdict[CORRECTED],
         t.verdict[FALSE], t.verdict[NOT_REPRODUCED], t.differ);
  if (t.flagged) printf("; %d numbers flagged", t.flagged);
  if (t.absent) printf("; %d need a method that is not in this build", t.absent);
  printf(". %.1f s\n", wall);
}

/* ---- JSON: a line a claim, a line a number ---- */
typedef struct key { const char *name, *word; double x; int number; } key;

static void json_keys(const key *k, int n)
{
  for (int i = 0; i < n; i++) {
    printf("%s\"%s\": ", i ? ", " : "{", k[i].name);
    if (k[i].number) json_number(stdout, k[i].x);
    else json_text(stdout, k[i].word);
  }
}

static void json_evidence(const evidence *e)
{
  const motion none = {0}, *m = e->run ? e->run : &none;
  char *by = computed_by(e);
  const key KEYS[] = {
    {.name = "what", .word = e->what}, {.name = "measure", .word = e->measure}, {.name = "model", .word = m->model},
    {.name = "flow", .word = m->flow}, {.name = "step", .x = m->name ? m->step : NAN, .number = 1}, {.name = "end", .word = m->until},
    {.name = "over", .word = e->over ? e->over->flow : NULL}, {.name = "failure", .word = e->failure},
    {.name = "flagged", .word = e->flagged}, {.name = "by", .word = by || e->run ? by : "formula"},
    {.name = "least", .x = e->least, .number = 1}, {.name = "greatest", .x = e->greatest, .number = 1},
    {.name = "computed", .x = e->computed, .number = 1}, {.name = "low", .x = e->low, .number = 1},
    {.name = "high", .x = e->high, .number = 1},
    {.name = "reference", .x = e->reference, .number = 1}, {.name = "within", .x = e->within, .number = 1},
  };
  fputs("      ", stdout);
  json_keys(KEYS, sizeof KEYS/sizeof *KEYS);
  free(by);
  printf(", \"meets\": %s}", e->absent ? "null" : meets(e) && !e->failure ? "true" : "false");
}

static void json_claim(const paper *p, const claimed *c)
{
  const key KEYS[] = {
    {.name = "table", .word = c->table}, {.name = "place", .word = c->place}, {.name = "claim", .word = c->words},
    {.name = "verdict", .word = c->verdict}, {.name = "remark", .word = c->remark},
  };
  fputs("    ", stdout);
  json_keys(KEYS, sizeof KEYS/sizeof *KEYS);
  puts(", \"evidence\": [");
  for (int i = 0; i < c->n; i++) {
    if (i) puts(",");
    json_evidence(&p->evidence[c->first + i]);
  }
  fputs("]}", stdout);
}

static void print_json(paper *p, const char *name, tracks *all, double start)
{
  fputs("{\n  \"paper\": ", stdout);
  json_text(stdout, p->name);
  fputs(",\n  \"cite\": ", stdout);
  json_text(stdout, p->cite);
  fputs(",\n  \"claims\": [\n", stdout);
  for (int i = 0, n = 0; i < p->nclaim; i++) {
    if (!chosen(&p->claim[i], name)) continue;
    claim_compute(p, &p->claim[i], all);
    if (n++) puts(",");
    json_claim(p, &p->claim[i]);
  }
  tally t = tally_of(p, name);
  printf("\n  ],\n  \"true\": %d, \"corrected\": %d, \"false\": %d, \"not_reproduced\": %d, \"differ\": %d, \"absent\": %d, "
         "\"formula\": %d, \"flagged\": %d, \"wall_s\": %.3f", t.verdict[TRUE], t.verdict[CORRECTED], t.verdict[FALSE],
         t.verdict[NOT_REPRODUCED], t.differ, t.absent, t.formula, t.flagged, clock_now() - start);
}

int claims_compute(paper *p, const char *name, const char *json, const char *figures)
{
  int n = 0;
  for (int i = 0; i < p->nclaim; i++) n += chosen(&p->claim[i], name);
  tracks all = {.progress = progress_begin(p->name, "claims", n)};
  double start = clock_now();
  int code = DONE;
  if (json) print_json(p, name, &all, start);
  else {
    printf("%s\n\n", p->cite);
    for (int i = 0; i < p->ntable; i++)
      if (!name || !strcmp(p->table[i].name, name)) print_table(p, &p->table[i], &all);
    print_summary(p, name, clock_now() - start);
  }
  if (figures) code = figures_draw(p, &all, NULL, figures, json);
  if (json) puts("\n}");
  tracks_free(&all);
  return code ? code : tally_of(p, name).differ ? FAILED : DONE;
}
