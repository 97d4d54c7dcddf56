/* stats.c - what a run gave, on the terminal and in the files that were asked for */
#include "pack/pack.h"
#include "epicycle/page.h"
#include "page/draft.h"
#include <errno.h>
#include <math.h>
#include <string.h>

static int name_width(const epi_result *r)
{
  int w = 9;
  for (int i = 1; i < r->ncol; i++) if ((int)strlen(r->column[i].name) > w) w = (int)strlen(r->column[i].name);
  return w;
}

/* errors are in the unit of what should stay, which stands beside them */
static void print_invariants(FILE *f, const epi_result *r, int w)
{
  const char *heads = "start                   most error  at the end  slope       drift D";
  int u = 4;
  for (int i = 0; i < r->ninvariant; i++) if ((int)strlen(r->invariant[i].unit) > u) u = (int)strlen(r->invariant[i].unit);
  if (r->ninvariant) fprintf(f, "\n%s  %-*s  %-*s  %s%s\n", ink(f, BOLD), w, "invariant", u, "unit", heads, ink(f, PLAIN));
  for (int i = 0; i < r->ninvariant; i++) {
    const epi_invariant *d = &r->invariant[i];
    double D = epi_invariant_drift(r, i), slope = epi_invariant_slope(r, i);
    /* rows may have seen more than the steps that were looked at */
    fprintf(f, "  %-*s  %-*s  %-22s  %-10.3g  %-10.3g  ", w, d->name, u, *d->unit ? d->unit : "-", shortest(d->start).text,
            d->worst > d->ledger.most ? d->worst : d->ledger.most, d->last);
    if (isnan(slope)) fprintf(f, "%-10s  ", "-");
    else fprintf(f, "%-10.2g  ", slope);
    const char *word = epi_invariant_word(r, i);
    if (word) fprintf(f, "%s%s%s\n", ink(f, !strcmp(word, "lost") ? RED : PLAIN), word, ink(f, PLAIN));
    else fprintf(f, isnan(D) ? "-\n" : "%.2g\n", D);
  }
}

/* what it was, what it took, where it is */
static void print_head(const job *j, FILE *f)
{
  const epi_result *r = j->r;
  const struct { const char *what, *where; } files[] = {{"picture", j->ask.plot}, {"report", j->ask.report}};
  fprintf(f, "%s  by  %s\n", r->model, r->flow);
  fprintf(f, "%s%s at t = %s: %ld evaluations", r->status, r->warnings ? ", with a warning," : "", shortest(r->t).text, r->calls);
  if (r->calls_for_rows) fprintf(f, " and %ld for the rows", r->calls_for_rows);
  fprintf(f, ", %.3g s", r->took);
  if (j->ask.pack && !j->ask.out) fprintf(f, ", bodies in %s", j->ask.pack);
  else if (job_rows(j)) fprintf(f, ", %ld rows in %s", r->rows, job_rows(j));
  if (r->events || j->ask.events)
    fprintf(f, ", %ld event%s%s%s", r->events, r->events == 1 ? "" : "s", j->ask.events ? " in " : "", j->ask.events ? j->ask.events : "");
  for (size_t i = 0; i < sizeof files/sizeof *files; i++) if (files[i].where) fprintf(f, ", %s in %s", files[i].what, files[i].where);
  fputc('\n', f);
  if (r->choice) choice_print(r->choice, &j->ask, f);
  if (!plan_code(&j->ask)) {
    redundant_print(j->c, f);
    moved_print(j->c, f);
  }
  if (j->ask.setup.step_error > 0)
    fprintf(f, "%g is the error of a step of this flow, not of the solution: --tol without --flow asks it of that\n",
            j->ask.setup.step_error);
}

static void print_all(const job *j, FILE *f)
{
  const epi_result *r = j->r;
  int w = name_width(r), n = r->nq + r->nv + r->nz, most = 12;
  print_head(j, f);
  fputc('\n', f);
  for (int i = 0; i < n && i < most; i++) fprintf(f, "  %-*s  %s\n", w, r->column[1 + i].name, shortest(r->y[i]).text);
  if (n > most) fprintf(f, "  ... and %d more coordinates: --json prints all\n", n - most);
  print_invariants(f, r, w);
  if (r->exact && !(isnan(r->worst_error) && isnan(r->last_error)))
    fprintf(f, "\n  against the exact solution: most %.3g, last %.3g\n", r->worst_error, r->last_error);
  const epi_counters *a = epi_result_chooser(r);
  if (a) fprintf(f, "\n  steps of %s: %.3g to %.3g\n", a->text, a->shortest, a->longest);
  fputc('\n', f);
  tree_print_counts(r->counters, r->ncounters, f);
}

/* ---- the files that come at the end: 0 on success, or what is wrong ---- */
static int write_stats(job *j, char *error, size_t size)
{
  epi_draft d;
  errno = 0;
  int bad = epi_draft_begin(&d, j->ask.stats);
  if (!bad) epi_result_json(j->r, d.f);
  if (!bad) bad = epi_draft_end(&d, 0);
  if (bad) snprintf(error, size, "cannot write %s: %s", j->ask.stats, errno ? strerror(errno) : "the disk is full");
  return bad;
}

static int write_plot(job *j, char *error, size_t size) { return epi_plot_file(j->ask.plot, j->r, error, size); }

static int write_page(job *j, char *error, size_t size)
{
  epi_result_draw(j->r);
  return epi_report_write(j->ask.report, j->ask.title, &(const epi_result *){j->r}, 1, -1, error, size);
}

/* a pipe waits for its reader, and Ctrl-C ends that */
static int write_files(job *j)
{
  const struct { const char *path; int (*write)(job *, char *, size_t); } files[] = {
    {j->ask.pack, pack_result}, {j->ask.stats, write_stats}, {j->ask.plot, write_plot}, {j->ask.report, write_page}};
  char error[1024];
  int code = 0;
  for (size_t i = 0; i < sizeof files/sizeof *files; i++) {
    if (!files[i].path) continue;
    int reader = disk_reader(files[i].path);
    if (reader < 0) code = say(FAILED, "%s is not written: nobody reads it", files[i].path);
    else if (files[i].write(j, error, sizeof error)) code = clock_unread() ? FAILED : say(FAILED, "%s", error);
    disk_release(reader);
  }
  return code;
}

int job_tell(job *j)
{
  epi_result *r = j->r;
  const plan *p = &j->ask;
  if (!r || !strcmp(r->status, "refused") || !strcmp(r->status, "ready")) return 0;
  int whole = !strcmp(r->status, "done") || !strcmp(r->status, "stopped"), code = write_files(j);
  for (int i = 0; i < r->warnings && whole; i++) say(0, "warning: %s", r->warning[i]);
  if (j->json) epi_result_json(r, stdout);
  else if (whole && !j->quiet && !(p->out && !strcmp(p->out, "-"))) (j->brief ? print_head : print_all)(j, stdout);
  /* where no summary says it */
  else if (whole && r->choice && r->choice->slow_part && p->setup.motion != EPI_SLOW)
    say(0, "these are numbers of the slow part of the motion alone, which was chosen for its price; all of it: --full");
  return code;
}

/* ---- several runs side by side ---- */
static const char *name_of(const job *j) { return j->ask.name ? j->ask.name : j->ask.model; }

/* how a flow that was chosen did against a run that was asked for: both were run */
static void print_headline(const job *j, const job *against)
{
  const epi_result *r = j->r, *of = against->r;
  const epi_chosen *a = r->choice;
  int direct = a->way[0].averages ? epi_choose_direct(a) : -1;
  double apart = epi_result_distance(r, of), less = (double)of->calls/(double)r->calls;
  if (isnan(apart) || !r->calls) return;
  printf("\n%s\"%s\", with nothing said but its tolerance, took %.3g times %s evaluations than \"%s\"%s and ended %.2g away from it: both "
         "measured.", ink(stdout, BOLD), name_of(j), less >= 1 ? less : 1/less, less >= 1 ? "fewer" : "more", name_of(against),
         ink(stdout, PLAIN), apart);
  if (direct > 0)
    printf(" Of the flows that resolve everything to %g, %s would have cost least, %.3g times as many evaluations: predicted.", a->tol,
           a->way[direct].flow, a->way[direct].calls/(double)r->calls);
  putchar('\n');
}

/* how far away, in a column as wide as its head, and what it cost beside the run that it is compared with */
static void print_against(double apart, long calls, long of, int w)
{
  char text[32];
  double less = (double)of/(double)calls;
  snprintf(text, sizeof text, "%.3g", apart);
  if (calls <= 0 || of <= 0) { printf("  %s", text); return; }
  printf("  %-*s  %.3g times %s evaluations", w + 5, text, less >= 1 ? less : 1/less, less >= 1 ? "fewer" : "more");
}

void compare_print(const job *j, int n, int against)
{
  int w = 4;
  for (int i = 0; i < n; i++) if ((int)strlen(name_of(&j[i])) > w) w = (int)strlen(name_of(&j[i]));
  printf("\n  %-*s  %-11s  %12s  %10s", w, "run", "status", "evaluations", "seconds");
  if (against >= 0) printf("  from %s", name_of(&j[against]));
  putchar('\n');
  for (int i = 0; i < n; i++) {
    const epi_result *r = j[i].r;
    if (!r || !strcmp(r->status, "refused")) { printf("  %-*s  refused\n", w, name_of(&j[i])); continue; }
    printf("  %-*s  %-11s  %12ld  %10.3g", w, name_of(&j[i]), r->status, r->calls, r->took);
    double apart = against >= 0 && i != against ? epi_result_distance(r, j[against].r) : NAN;
    if (!isnan(apart)) print_against(apart, r->calls, j[against].r->calls, w);
    putchar('\n');
  }
  for (int i = 0; i < n && against >= 0; i++)
    if (i != against && j[i].r && j[i].r->choice && !strcmp(j[i].r->status, "done")) print_headline(&j[i], &j[against]);
}
