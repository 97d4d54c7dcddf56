/* tables.c - results of runs side by side, and what was run, as tables of a page */
#include "page.h"
#include <math.h>
#include <string.h>

static const char *name_of(const epi_result *r) { return r->name ? r->name : r->model; }

static int ends_with(const char *word, const char *ending)
{
  size_t n = strlen(word), m = strlen(ending);
  return n > m && !strcmp(word + n - m, ending);
}

int epi_page_own_code(const char *path) { return ends_with(path, ".c") || ends_with(path, ".so"); }

void epi_page_escaped(FILE *f, const char *s)
{
  for (; *s; s++) fputs(epi_entity(*s).text, f);
}

/* ---- cells ---- */
static void cell(FILE *f, const char *before, const char *words)
{
  fputs(before, f);
  epi_page_escaped(f, words);
  fprintf(f, "</%.2s>", before + 1);
}

static void unit_cell(FILE *f, epi_arena *m, const char *unit) { fprintf(f, "<td>%s</td>", epi_raised(m, unit)); }

static void number_cell(FILE *f, int digits, double x)
{
  if (isnan(x)) fputs("<td class=\"number\">-</td>", f);
  else if (isinf(x)) fputs("<td class=\"number\">not finite</td>", f);
  else fprintf(f, "<td class=\"number\">%.*g</td>", digits, x);
}

static void count_cell(FILE *f, long n)
{
  /* digits in threes, apart */
  char digits[32], *at = digits;
  int length = snprintf(digits, sizeof digits, "%ld", n);
  fputs("<td class=\"number\">", f);
  for (int left = length; *at; at++, left--) fprintf(f, "%s%c", at != digits && left % 3 == 0 && at[-1] != '-' ? "&#8239;" : "", *at);
  fputs("</td>", f);
}

static void put_heads(FILE *f, epi_arena *m, const epi_result *j, const epi_result *against)
{
  fputs("<thead><tr><th>run</th><th>status</th><th class=\"number\">evaluations</th><th class=\"number\">seconds</th>"
        "<th class=\"number\">steps</th><th class=\"number\">shortest</th><th class=\"number\">longest</th>"
        "<th class=\"number\">until</th>", f);
  if (against) {
    fputs("<th class=\"number\">from ", f);
    epi_page_escaped(f, name_of(against));
    fputs("</th>", f);
  }
  if (j->exact) fputs("<th class=\"number\">largest error</th>", f);
  for (int i = 0; i < j->ninvariant; i++) {
    fputs("<th class=\"number\">", f);
    epi_page_escaped(f, j->invariant[i].name);
    fprintf(f, " error, %s</th>", *j->invariant[i].unit ? epi_raised(m, j->invariant[i].unit) : "absolute");
  }
  fputs("</tr></thead>\n", f);
}

static void put_result(FILE *f, const epi_result *j, const epi_result *against)
{
  const epi_counters *by = epi_result_chooser(j);
  double least = by ? by->shortest : j->step, most = by ? by->longest : j->step;
  fputs("<tr>", f);
  cell(f, "<th scope=\"row\">", name_of(j));
  fprintf(f, "<td class=\"%s\">%s</td>", j->status, j->status);
  count_cell(f, j->calls);
  number_cell(f, 3, j->took);
  count_cell(f, j->steps);
  number_cell(f, 6, least);
  number_cell(f, 6, most);
  number_cell(f, 6, j->t);
  if (against) number_cell(f, 3, j == against ? NAN : epi_result_distance(j, against));
  if (j->exact) number_cell(f, 3, j->worst_error);
  for (int i = 0; i < j->ninvariant; i++) number_cell(f, 3, j->invariant[i].ledger.most);
  fputs("</tr>\n", f);
}

/* the coordinates and observables at the last row, a column a run */
static void put_ends(FILE *f, const album *a)
{
  enum { MOST = 60 };
  const epi_result *j = a->run[0];
  int n = 1 + j->nq + j->nv + j->nz + j->nobs;
  fprintf(f, "<details class=\"ends\"%s><summary>where it ended</summary><div class=\"scroll\"><table class=\"ends\"><thead><tr><th></th>",
          n <= 8 ? " open" : "");
  for (int r = 0; r < a->nrun; r++) cell(f, "<th class=\"number\">", a->nrun > 1 ? name_of(a->run[r]) : "value");
  fputs("<th>unit</th></tr></thead><tbody>\n", f);
  for (int k = 0; k < n && k < MOST; k++) {
    fputs("<tr>", f);
    cell(f, "<th scope=\"row\">", a->curve[0][k].name);
    for (int r = 0; r < a->nrun; r++) {
      const curve *c = &a->curve[r][k];
      number_cell(f, 10, c->n ? c->x[c->n - 1] : NAN);
    }
    unit_cell(f, a->arena, a->curve[0][k].unit);
    fputs("</tr>\n", f);
  }
  if (n > MOST) fprintf(f, "<tr><td colspan=\"%d\">and %d more: --stats has all</td></tr>\n", a->nrun + 2, n - MOST);
  fputs("</tbody></table></div></details>\n", f);
}

/* ---- events ---- */
static const char *kind_of_event(const epi_result *r, int kind)
{
  const char *name = kind < EPI_EVENT_KINDS ? r->event_kind[kind].name : NULL;
  return name ? name : "another";
}

static void put_event_kinds(FILE *f, const epi_result *r)
{
  fputs("<div class=\"scroll\"><table class=\"event-kinds\"><thead><tr><th>event</th><th class=\"number\">times</th>"
        "<th class=\"number\">first at t</th><th class=\"number\">last at t</th></tr></thead><tbody>\n", f);
  for (int i = 0; i < EPI_EVENT_KINDS && r->event_kind[i].name; i++) {
    const epi_event_kind *k = &r->event_kind[i];
    fputs("<tr>", f);
    cell(f, "<th scope=\"row\">", k->name);
    count_cell(f, k->seen);
    number_cell(f, 10, k->seen ? k->first : NAN);
    number_cell(f, 10, k->seen ? k->last : NAN);
    fputs("</tr>\n", f);
  }
  fputs("</tbody></table></div>\n", f);
}

static void put_first_events(FILE *f, const epi_result *r)
{
  fputs("<div class=\"scroll\"><table class=\"events\"><thead><tr><th class=\"number\">number</th><th>event</th><th class=\"number\">t</th>"
        "<th>direction</th></tr></thead><tbody>\n", f);
  for (int i = 0; i < EPI_FIRST_EVENTS && i < r->events; i++) {
    fputs("<tr>", f);
    count_cell(f, i + 1);
    cell(f, "<td>", kind_of_event(r, r->first_event[i].kind));
    number_cell(f, 10, r->first_event[i].t);
    cell(f, "<td>", r->first_event[i].direction > 0 ? "up" : "down");
    fputs("</tr>\n", f);
  }
  if (r->events > EPI_FIRST_EVENTS) {
    fprintf(f, "<tr><td colspan=\"4\">and %ld more: ", r->events - EPI_FIRST_EVENTS);
    epi_page_escaped(f, r->event_file ? r->event_file : "--events FILE");
    fputs(" has all</td></tr>\n", f);
  }
  fputs("</tbody></table></div>\n", f);
}

/* a flow without an at has none */
void epi_page_events(FILE *f, const epi_result *r, const char *who)
{
  if (!r->event_kind[0].name) return;
  fputs("<details class=\"events\" open><summary>events", f);
  if (who) { fputs(": ", f); epi_page_escaped(f, who); }
  fputs("</summary>\n", f);
  put_event_kinds(f, r);
  if (r->events) put_first_events(f, r);
  fputs("</details>\n", f);
}

/* ---- how the flow was chosen ---- */
static void put_scale(FILE *f, const char *what, double x, const char *words)
{
  fputs("<tr>", f);
  cell(f, "<th scope=\"row\">", what);
  number_cell(f, 6, x);
  cell(f, "<td>", words);
  fputs("</tr>\n", f);
}

static void put_scales(FILE *f, const epi_chosen *a)
{
  char turns[80];
  snprintf(turns, sizeof turns, "period; it turns %.6g times in this run", a->turns);
  fputs("<div class=\"scroll\"><table class=\"scales\"><thead><tr><th>scale</th><th class=\"number\">time</th><th></th></tr></thead>"
        "<tbody>\n", f);
  if (a->turns > 0) put_scale(f, "fast phase", a->period, turns);
  if (a->fastest > 0) put_scale(f, "fastest oscillation", 6.283185307179586/a->fastest, "period, of small motions at the start");
  if (isfinite(a->slow)) put_scale(f, "motion", a->slow, "in which it changes by its own size");
  fputs("</tbody></table></div>\n", f);
}

static void put_way(FILE *f, const epi_chosen *a, int i)
{
  const epi_way *w = &a->way[i];
  fprintf(f, "<tr%s><th scope=\"row\"><code>", i ? "" : " class=\"changed\"");
  epi_page_escaped(f, w->flow);
  fputs("</code></th>", f);
  number_cell(f, 3, w->calls);
  number_cell(f, 2, w->seconds);
  number_cell(f, 2, isnan(w->calls) || w->why[0] ? NAN : i ? a->tol : a->found);
  cell(f, "<td class=\"words\">", w->why[0] ? w->why :
       i ? "by a part of the run; the error is what it aims at" : "chosen; by the whole run");
  fputs("</tr>\n", f);
}

void epi_page_choice(FILE *f, const epi_result *r, const char *who)
{
  const epi_chosen *a = r->choice;
  if (!a) return;
  fputs("<details class=\"choice\" open><summary>how the flow was chosen", f);
  if (who) { fputs(": ", f); epi_page_escaped(f, who); }
  fprintf(f, "</summary>\n<p>Right to %g was asked for, and <code>", a->tol);
  epi_page_escaped(f, a->flow);
  fprintf(f, "</code> was chosen: its error is about %.2g, from two solutions. The reason: ", a->found);
  epi_page_escaped(f, a->reason);
  fprintf(f, ". To find out took %ld evaluations.</p>\n", a->spent);
  put_scales(f, a);
  fputs("<div class=\"scroll\"><table class=\"ways\"><thead><tr><th>flow</th><th class=\"number\">evaluations</th>"
        "<th class=\"number\">seconds</th><th class=\"number\">error</th><th></th></tr></thead><tbody>\n", f);
  for (int i = 0; i < a->ways; i++) put_way(f, a, i);
  fputs("</tbody></table></div></details>\n", f);
}

/* ---- what went wrong ---- */
static void put_trouble(FILE *f, const char *kind, const char *what, const char *who, const char *words)
{
  fprintf(f, "<p class=\"%s\"><strong>%s", kind, what);
  if (who) { fputs(": ", f); epi_page_escaped(f, who); }
  fputs("</strong> ", f);
  epi_page_escaped(f, words);
  fputs("</p>\n", f);
}

void epi_page_trouble(FILE *f, const epi_result *r, const char *who)
{
  char until[96] = "";
  if (r->error[0] && r->kept.rows) snprintf(until, sizeof until, " What there was until t = %.6g is shown.", r->t);
  if (r->error[0]) {
    char words[sizeof r->error + sizeof until];
    snprintf(words, sizeof words, "%s%s%s", r->error, *until && r->error[strlen(r->error) - 1] != '.' ? "." : "", until);
    put_trouble(f, "failure", r->status, who, words);
  }
  for (int i = 0; i < r->warnings; i++) put_trouble(f, "failure warning", "warning", who, r->warning[i]);
}

void epi_page_tables(FILE *f, const chapter *c, const epi_result *against)
{
  const album *a = &c->album;
  int here = 0;
  for (int r = 0; r < a->nrun; r++) if (a->run[r] == against) here = 1;
  fputs("<div class=\"scroll\"><table class=\"results\">\n", f);
  put_heads(f, a->arena, a->run[0], here ? against : NULL);
  fputs("<tbody>\n", f);
  for (int r = 0; r < a->nrun; r++) put_result(f, a->run[r], here ? against : NULL);
  fputs("</tbody></table></div>\n", f);
  put_ends(f, a);
}

/* ---- what was run ---- */
static void put_tree(FILE *f, const epi_result *r)
{
  char room[256];
  fputs("<div class=\"scroll\"><table class=\"tree\"><thead><tr><th>flow</th><th class=\"number\">order</th><th class=\"number\">steps</th>"
        "<th class=\"number\">evaluations</th><th class=\"number\">refused</th><th>claims</th></tr></thead><tbody>\n", f);
  for (int i = 0; i < r->ncounters; i++) {
    const epi_counters *a = &r->counters[i];
    const char *claims = epi_claims_text(a->claims, room, sizeof room);
    fprintf(f, "<tr><th scope=\"row\" style=\"padding-left:%.1fem\"><code>", 0.5 + 1.4*a->depth);
    epi_page_escaped(f, a->text);
    fputs("</code></th>", f);
    if (a->order) fprintf(f, "<td class=\"number\">%d</td>", a->order);
    else fputs("<td></td>", f);
    count_cell(f, a->steps);
    count_cell(f, a->calls);
    count_cell(f, a->refused);
    cell(f, "<td>", claims ? claims : "");
    fputs("</tr>\n", f);
  }
  fputs("</tbody></table></div>\n", f);
}

static void put_parameters(FILE *f, epi_arena *m, const epi_result *r)
{
  if (!r->nsetting) return;
  fputs("<div class=\"scroll\"><table class=\"parameters\"><thead><tr><th>parameter</th><th class=\"number\">value</th><th>unit</th>"
        "<th>meaning</th></tr></thead><tbody>\n", f);
  for (int i = 0; i < r->nsetting; i++) {
    const epi_setting *s = &r->setting[i];
    fprintf(f, "<tr%s>", s->value != s->otherwise ? " class=\"changed\"" : "");
    cell(f, "<th scope=\"row\">", s->name);
    cell(f, "<td class=\"number\">", s->word ? s->word : epi_shortest(s->value).text);
    unit_cell(f, m, s->unit);
    cell(f, "<td>", s->doc);
    fputs("</tr>\n", f);
  }
  fputs("</tbody></table></div>\n", f);
}

/* a model of the user's is run from its file */
static void put_command(FILE *f, epi_arena *m, const epi_result *r)
{
  const char *brackets = r->source ? strchr(r->model, '(') : NULL;
  if (r->command) { epi_page_escaped(f, r->command); return; }
  char *command = r->source && !epi_page_own_code(r->source) ? epi_arena_text(m, "epicycle run %s", r->source)
    : epi_arena_text(m, "epicycle run '%s%s' --flow '%s' --step %s --end %s", r->source ? r->source : r->model, brackets ? brackets : "",
                     r->flow, epi_shortest(r->step).text, epi_shortest(r->end).text);
  epi_page_escaped(f, command);
}

/* what is described in a file is shown as it stands there */
static void put_source(FILE *f, epi_arena *m, const char *source)
{
  enum { MOST = 65536 };
  char *content = source && !ends_with(source, ".so") ? epi_arena_room(m, MOST + 1) : NULL;
  FILE *in = content ? fopen(source, "r") : NULL;
  if (!in) return;
  content[fread(content, 1, MOST, in)] = 0;
  fclose(in);
  fputs("<details class=\"source\"><summary>", f);
  epi_page_escaped(f, source);
  fputs("</summary><pre>", f);
  epi_page_escaped(f, content);
  fputs("</pre></details>\n", f);
}

void epi_page_run(FILE *f, epi_arena *m, const epi_result *r, int open)
{
  fprintf(f, "<details class=\"run\"%s><summary>what was run: ", open ? " open" : "");
  epi_page_escaped(f, name_of(r));
  fputs("</summary>\n<pre class=\"command\">", f);
  put_command(f, m, r);
  fputs("</pre>\n", f);
  put_tree(f, r);
  put_parameters(f, m, r);
  put_source(f, m, r->source);
  fputs("</details>\n", f);
}
