/* tables.c - results of runs side by side, and what was run, as tables of a page and on the terminal */
#include "page.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- comparing ---- */
/* positions alone: the velocity of a slow solution is not that of a fast one */
double compare_error(const job *j, const job *against)
{
  if (!j->c || !against->c) return NAN;
  const epi_system *a = &j->c->system, *b = &against->c->system;
  double e = 0;
  if (j->crashed || against->crashed || a->nq != b->nq || strcmp(j->c->model->name, against->c->model->name)) return NAN;
  if (fabs(j->s.t - against->s.t) > 1e-9*fabs(j->s.t)) return NAN;
  int n = a->nq ? a->nq : epi_size(a);
  for (int i = 0; i < n; i++) e = fmax(e, fabs(j->s.y[i] - against->s.y[i]));
  return e;
}

static const char *name_of(const job *j) { return j->ask.name ? j->ask.name : j->ask.model; }

void compare_print(const job *j, int n, int against)
{
  int w = 4;
  for (int i = 0; i < n; i++) if ((int)strlen(name_of(&j[i])) > w) w = (int)strlen(name_of(&j[i]));
  printf("\n  %-*s  %-11s  %12s  %10s", w, "run", "status", "evaluations", "seconds");
  if (against >= 0) printf("  from %s", name_of(&j[against]));
  putchar('\n');
  for (int i = 0; i < n; i++) {
    if (!j[i].tree || !j[i].status) { printf("  %-*s  refused\n", w, name_of(&j[i])); continue; }
    tree t = stats_tree(&j[i]);
    printf("  %-*s  %-11s  %12ld  %10.3g", w, name_of(&j[i]), j[i].status, epi_calls(j[i].tree) - t.unseen, j[i].took);
    if (against >= 0 && i != against && !isnan(compare_error(&j[i], &j[against]))) printf("  %.3g", compare_error(&j[i], &j[against]));
    putchar('\n');
    tree_free(&t);
  }
}

/* ---- in a page ---- */
static void cell(FILE *f, const char *before, const char *words)
{
  char *e = escaped(words);
  fprintf(f, "%s%s</%.2s>", before, e, before + 1);
  free(e);
}

static void unit_cell(FILE *f, const char *unit)
{
  char *u = raised(unit ? unit : "");
  fprintf(f, "<td>%s</td>", u);
  free(u);
}

static void number_cell(FILE *f, int digits, double x)
{
  if (isnan(x)) fputs("<td class=\"number\">-</td>", f);
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

static void put_heads(FILE *f, const job *j, const job *against)
{
  fputs("<thead><tr><th>run</th><th>status</th><th class=\"number\">evaluations</th><th class=\"number\">seconds</th><th class=\"number\">steps</th>"
        "<th class=\"number\">shortest</th><th class=\"number\">longest</th><th class=\"number\">until</th>", f);
  if (against) {
    char *e = escaped(name_of(against));
    fprintf(f, "<th class=\"number\">from %s</th>", e);
    free(e);
  }
  if (j->c->model->exact) fputs("<th class=\"number\">largest error</th>", f);
  for (int i = 0; i < j->ndrift; i++) {
    char *e = escaped(j->drift[i].what->name);
    fprintf(f, "<th class=\"number\">%s, error</th>", e);
    free(e);
  }
  fputs("</tr></thead>\n", f);
}

static void put_result(FILE *f, const job *j, const job *against)
{
  tree t = stats_tree(j);
  double least = j->ask.step, most = j->ask.step;
  for (int i = t.n - 1; i >= 0; i--) if (t.node[i].longest > 0) least = t.node[i].shortest, most = t.node[i].longest;
  fputs("<tr>", f);
  cell(f, "<th scope=\"row\">", name_of(j));
  fprintf(f, "<td class=\"%s\">%s</td>", j->status, j->status);
  count_cell(f, epi_calls(j->tree) - t.unseen);
  number_cell(f, 3, j->took);
  count_cell(f, j->beats);
  number_cell(f, 6, least);
  number_cell(f, 6, most);
  number_cell(f, 6, j->s.t);
  if (against) number_cell(f, 3, j == against ? NAN : compare_error(j, against));
  if (j->c->model->exact) number_cell(f, 3, j->worst_error);
  for (int i = 0; i < j->ndrift; i++) number_cell(f, 3, j->drift[i].ledger.most);
  fputs("</tr>\n", f);
  tree_free(&t);
}

/* the coordinates and observables at the last row, a column a run */
static void put_ends(FILE *f, const album *a)
{
  enum { MOST = 60 };
  const job *j = a->run[0];
  int n = 1 + epi_size(&j->c->system) + j->nobs;
  fprintf(f, "<details class=\"ends\"%s><summary>where it ended</summary><div class=\"scroll\"><table class=\"ends\"><thead><tr><th></th>", n <= 8 ? " open" : "");
  for (int r = 0; r < a->nrun; r++) cell(f, "<th class=\"number\">", a->nrun > 1 ? name_of(a->run[r]) : "value");
  fputs("<th>unit</th></tr></thead><tbody>\n", f);
  for (int k = 0; k < n && k < MOST; k++) {
    fputs("<tr>", f);
    cell(f, "<th scope=\"row\">", a->curve[0][k].name);
    for (int r = 0; r < a->nrun; r++) {
      const curve *c = &a->curve[r][k];
      fprintf(f, "<td class=\"number\">%.10g</td>", c->n ? c->x[c->n - 1] : NAN);
    }
    unit_cell(f, a->curve[0][k].unit);
    fputs("</tr>\n", f);
  }
  if (n > MOST) fprintf(f, "<tr><td colspan=\"%d\">and %d more: --stats has all</td></tr>\n", a->nrun + 2, n - MOST);
  fputs("</tbody></table></div></details>\n", f);
}

void tables_write(FILE *f, const chapter *c, const job *against)
{
  const album *a = &c->album;
  int here = 0;
  for (int r = 0; r < a->nrun; r++) if (a->run[r] == against) here = 1;
  fputs("<div class=\"scroll\"><table class=\"results\">\n", f);
  put_heads(f, a->run[0], here ? against : NULL);
  fputs("<tbody>\n", f);
  for (int r = 0; r < a->nrun; r++) put_result(f, a->run[r], here ? against : NULL);
  fputs("</tbody></table></div>\n", f);
  for (int r = 0; r < a->nrun; r++)
    if (a->run[r]->why) {
      char *e = escaped(a->run[r]->why);
      fprintf(f, "<p class=\"failure\">%s</p>\n", e);
      free(e);
    }
  put_ends(f, a);
}

/* ---- what was run ---- */
static void put_tree(FILE *f, const job *j)
{
  char room[256];
  tree t = stats_tree(j);
  fputs("<div class=\"scroll\"><table class=\"tree\"><thead><tr><th>flow</th><th class=\"number\">order</th><th class=\"number\">steps</th>"
        "<th class=\"number\">evaluations</th><th class=\"number\">refused</th><th>claims</th></tr></thead><tbody>\n", f);
  for (int i = 0; i < t.n; i++) {
    const node *a = &t.node[i];
    const char *claims = epi_claims_text(a->claims, room, sizeof room);
    fprintf(f, "<tr><th scope=\"row\" style=\"padding-left:%.1fem\">", 0.5 + 1.4*a->depth);
    char *e = escaped(a->text);
    fprintf(f, "<code>%s</code></th>", e);
    free(e);
    if (a->order) fprintf(f, "<td class=\"number\">%d</td>", a->order);
    else fputs("<td></td>", f);
    count_cell(f, a->steps);
    count_cell(f, a->calls);
    count_cell(f, a->refused);
    cell(f, "<td>", claims ? claims : "");
    fputs("</tr>\n", f);
  }
  fputs("</tbody></table></div>\n", f);
  tree_free(&t);
}

/* a default of the user's may be no number of a word */
static const char *word_of(const epi_param *p, double x)
{
  for (int k = 0; p->words[k]; k++) if (k == x) return p->words[k];
  return "-";
}

static void put_parameters(FILE *f, const job *j)
{
  const epi_param *p = j->c->model->params;
  if (!p || !p->name) return;
  fputs("<div class=\"scroll\"><table class=\"parameters\"><thead><tr><th>parameter</th><th class=\"number\">value</th><th>unit</th><th>meaning</th></tr></thead><tbody>\n", f);
  for (int i = 0; p[i].name; i++) {
    double x = j->c->p[i];
    fprintf(f, "<tr%s>", x != p[i].value ? " class=\"changed\"" : "");
    cell(f, "<th scope=\"row\">", p[i].name);
    cell(f, "<td class=\"number\">", p[i].words ? word_of(&p[i], x) : shortest(x).text);
    unit_cell(f, p[i].unit);
    cell(f, "<td>", p[i].doc ? p[i].doc : "");
    fputs("</tr>\n", f);
  }
  fputs("</tbody></table></div>\n", f);
}

/* a model of the user's is run from its file */
static char *command_of(const job *j)
{
  const plan *p = &j->ask;
  const char *brackets = p->own && p->source ? strchr(p->model, '(') : NULL;
  if (p->own && p->source && !load_names(p->source)) return text("epicycle run %s", p->source);
  return text("epicycle run '%s%s' --flow '%s' --step %s --end %s", p->own && p->source ? p->source : p->model, brackets ? brackets : "", j->text,
              shortest(p->step).text, shortest(p->end).text);
}

/* what is described in a file is shown as it stands there */
static void put_source(FILE *f, const plan *p)
{
  enum { MOST = 65536 };
  FILE *in = p->own && p->source && !ends_with(p->source, ".so") ? fopen(p->source, "r") : NULL;
  if (!in) return;
  char *content = need(MOST + 1), *e;
  content[fread(content, 1, MOST, in)] = 0;
  fclose(in);
  e = escaped(p->source);
  fprintf(f, "<details class=\"source\"><summary>%s</summary>", e);
  free(e);
  e = escaped(content);
  fprintf(f, "<pre>%s</pre></details>\n", e);
  free(e);
  free(content);
}

void run_write(FILE *f, const job *j, int open)
{
  char *e = escaped(name_of(j)), *command = command_of(j), *c = escaped(command);
  fprintf(f, "<details class=\"run\"%s><summary>what was run: %s</summary>\n<pre class=\"command\">%s</pre>\n", open ? " open" : "", e, c);
  free(e);
  free(c);
  free(command);
  put_tree(f, j);
  put_parameters(f, j);
  put_source(f, &j->ask);
  fputs("</details>\n", f);
}
