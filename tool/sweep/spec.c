/* spec.c - what a sweep is asked for: on the command line, and in the section sweep of a model file */
#include "sweeps.h"
#include "pack/pack.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- units: every number of "10 mm:20 mm:1 mm" in that of the parameter ---- */
/* a slash before a number counts, as in 0.1:0.9/5; before a letter it belongs to a unit */
static int parts(const char *s)
{
  if (*s != '/') return strchr(":,()[]", *s) != NULL;
  return isdigit((unsigned char)s[1]) || (s[1] == ' ' && isdigit((unsigned char)s[2]));
}

static char *joined(char *all, const char *more, size_t n)
{
  char *longer = text("%s%.*s", all, (int)n, more);
  free(all);
  return longer;
}

/* NULL after the sentence */
static char *in_units(const char *word, const char *unit)
{
  size_t name = strcspn(word, "=") + 1;
  char *all = text("%.*s", (int)name, word);
  for (const char *s = word + name; *s && all;) {
    size_t n = 0;
    while (s[n] && !parts(s + n)) n++;
    char *one = text("%.*s", (int)n, s), why[256], *from = one + strspn(one, " ");
    double x;
    if (!*from || s[n] == '(' || read_number(from, &x)) all = joined(all, one, strlen(one));
    else if (!epi_unit_read(from, unit, &x, why, sizeof why)) all = joined(all, shortest(x).text, strlen(shortest(x).text));
    else {
      say(REFUSED, "%.*s: %s", (int)name - 1, word, why);
      free(all);
      all = NULL;
    }
    free(one);
    s += n;
    if (*s && all) all = joined(all, s, 1);
    if (*s) s++;
  }
  return all;
}

static const epi_model *record_of(const plan *p)
{
  size_t n = strcspn(p->model, "( ");
  for (const epi_model *const *m = epi_models(); !p->own && *m; m++)
    if (strlen((*m)->name) == n && !memcmp((*m)->name, p->model, n)) return *m;
  return p->own;
}

static const char *unit_of(const plan *p, const char *word)
{
  const epi_model *m = record_of(p);
  size_t n = strcspn(word, "=");
  for (const epi_param *a = m ? m->params : NULL; a && a->name; a++)
    if (strlen(a->name) == n && !memcmp(a->name, word, n)) return a->unit ? a->unit : "";
  return (n == 4 && !memcmp(word, "step", n)) || (n == 3 && !memcmp(word, "end", n)) ? "s" : "";
}

/* ---- words ---- */
/* one number is a parameter of every case; several are swept, and so is what is no parameter of a model: the step, the end, a start */
static int sweeps(const char *word)
{
  static const char *const others[] = {"step", "end", "tol", NULL};
  const char *sign = strchr(word, '=');
  int i = 0;
  while (sign && others[i] && ((size_t)(sign - word) != strlen(others[i]) || strncmp(word, others[i], strlen(others[i])))) i++;
  return sign && (others[i] || !strncmp(word, "start.", 6) || strpbrk(sign + 1, ":,(["));
}

static char **add(char **list, char *word)
{
  int n = 0;
  while (list && list[n]) n++;
  list = grown(list, (size_t)(n + 2)*sizeof *list);
  list[n] = word;
  list[n + 1] = NULL;
  return list;
}

/* "x, energy.max": commas outside of brackets part them */
static char **split(const char *all)
{
  char **list = NULL;
  while (*all) {
    size_t n = 0;
    all += strspn(all, " ");
    for (int deep = 0; all[n] && (deep || all[n] != ','); n++) deep += (all[n] == '(') - (all[n] == ')');
    size_t m = n;
    while (m && all[m - 1] == ' ') m--;
    if (m) list = add(list, text("%.*s", (int)m, all));
    all += n + (all[n] == ',');
  }
  return list ? list : add(NULL, text("%s", ""));
}

/* the run itself, without what is swept; numbers of a file by their path are parameters of it */
static int read_base(spec *s)
{
  if (words_once(s->r)) return REFUSED;
  request base = *s->r;
  const char **open = need((size_t)(s->r->nword + 2)*sizeof *open);
  int n = 0;
  open[n++] = text("sweep");
  base.word = need((size_t)(s->r->nword + 1)*sizeof *base.word);
  base.nword = 0;
  for (int i = 0; i < s->r->nword; i++) {
    const char *word = s->r->word[i], *dot = strchr(word, '.');
    if (!i || !sweeps(word)) base.word[base.nword++] = word;
    else if (dot && dot < strchr(word, '=') && strncmp(word, "start.", 6)) open[n++] = text("%.*s", (int)strcspn(word, "="), word);
  }
  int code = plans_read(&s->all, &base, open);
  while (n) free((char *)open[--n]);
  free(open);
  free(base.word);
  if (!code && s->all.n != 1)
    return say(REFUSED, "%s has %d runs, and a sweep is of one: leave one of them", s->r->word[0], s->all.n);
  return code;
}

/* in units of the model, and a path as the name of its parameter; NULL after the sentence */
static int add_over(spec *s, const char *word)
{
  char *plain = text("%s", word);
  size_t n = strcspn(plain, "=");
  s->path = add(s->path, text("%.*s", (int)n, word));
  for (size_t i = 0; i < n && strncmp(plain, "start.", 6); i++) if (!isalnum((unsigned char)plain[i]) && strchr(word, '.')) plain[i] = '_';
  char *all = in_units(plain, unit_of(s->all.plan, plain));
  free(plain);
  if (!all) return REFUSED;
  s->over = add(s->over, all);
  return 0;
}

/* a path and the name of its parameter are one */
static int same_name(const char *a, const char *b)
{
  size_t n = strcspn(a, "=");
  int same = strcspn(b, "=") == n;
  for (size_t i = 0; same && i < n; i++) same = a[i] == b[i] || (strchr("._-", a[i]) && strchr("._-", b[i]));
  return same;
}

/* what stands on the command line goes over what the file says */
static int read_over(spec *s)
{
  const epi_sweep_request *q = s->all.file ? epi_file_sweep(s->all.file) : NULL;
  for (int i = 0; q && q->over[i]; i++) {
    int again = 0;
    for (int k = 1; k < s->r->nword; k++) again |= same_name(s->r->word[k], q->over[i]);
    if (!again && add_over(s, q->over[i])) return REFUSED;
  }
  for (int i = 1; i < s->r->nword; i++) if (sweeps(s->r->word[i]) && add_over(s, s->r->word[i])) return REFUSED;
  return s->over ? 0 : say(REFUSED, "nothing is swept: name something with its values, as in e=0.1:0.9:0.1 or k=[1,2,5]");
}

static char **keep_of(const spec *s)
{
  const epi_sweep_request *q = s->all.file ? epi_file_sweep(s->all.file) : NULL;
  char **list = NULL;
  if (given(s->r, "--keep")) return split(given(s->r, "--keep"));
  for (int i = 0; q && q->keep && q->keep[i]; i++) list = add(list, text("%s", q->keep[i]));
  return list;
}

static int whole(const spec *s, const char *name, double otherwise, double least, double *x)
{
  if (request_number(s->r, name, otherwise, x)) return REFUSED;
  if (!given(s->r, name) || (*x >= least && *x <= 9007199254740992.0 && *x == floor(*x))) return 0;
  return say(REFUSED, "%s '%s' is not a whole number from %g on", name, given(s->r, name), least);
}

/* an option that says of every case what is swept */
static int said_twice(const spec *s)
{
  static const char *const options[] = {"--step", "--end", "--tol"};
  for (int k = 0; k < 3; k++)
    for (char **o = s->over; o && *o; o++)
      if (given(s->r, options[k]) && strcspn(*o, "=") == strlen(options[k] + 2) && !strncmp(*o, options[k] + 2, strlen(options[k] + 2)))
        return say(REFUSED, "%s is swept, and %s gives it once more: leave one of them out", options[k] + 2, options[k]);
  return 0;
}

/* what the command line does not say is left to the cases of a world */
static void leave_to_cases(spec *s)
{
  static const struct { const char *option; unsigned given; } all[] = {
    {"--step", EPI_GIVEN_STEP}, {"--end", EPI_GIVEN_END}, {"--every", EPI_GIVEN_EVERY}, {"--tol", EPI_GIVEN_TOL}};
  plan *p = s->all.plan;
  for (size_t i = 0; i < sizeof all/sizeof *all; i++) if (given(s->r, all[i].option)) p->setup.given |= all[i].given;
  epi_setup left = epi_setup_for_sweep(&p->setup, s->all.file ? epi_file_request(s->all.file, p->run) : NULL);
  if (!left.flow) free(p->setup.flow);
  p->setup = left;
}

static int overlay(spec *s)
{
  if (said_twice(s)) return REFUSED;
  plan *p = s->all.plan;
  const epi_setup *u = &p->setup;
  const epi_sweep_request *q = s->all.file ? epi_file_sweep(s->all.file) : NULL;
  if (request_time(s->r, "--step", &p->setup.step) || request_time(s->r, "--end", &p->setup.end)
      || request_time(s->r, "--every", &p->setup.every) || plan_overlay(p, s->r)
      || whole(s, "--samples", q && !isnan(q->samples) ? q->samples : 0, 1, &s->samples)
      || whole(s, "--seed", q && !isnan(q->seed) ? q->seed : 1, 0, &s->seed) || whole(s, "--workers", 0, 1, &s->workers)
      || request_number(s->r, "--limit", q && !isnan(q->limit) ? q->limit : 0, &s->limit)) return REFUSED;
  s->latin = given(s->r, "--latin") || (q && q->latin);
  if (given(s->r, "--limit") && !(s->limit > 0)) return say(REFUSED, "--limit %g: give the seconds that a case may take", s->limit);
  if (given(s->r, "--every") && !(u->every > 0)) return say(REFUSED, "--every %g: give the time between two rows", u->every);
  if (given(s->r, "--tol") && !(u->tol > 0 && u->tol < 1)) return say(REFUSED, "the tolerance is %g: give a number between 0 and 1, "
                                                                      "such as 1e-9", u->tol);
  if (u->flow && !isnan(u->tol))
    return say(REFUSED, "--tol is for a flow that is chosen in each case, and %s is given: write its tolerance into it, or leave one out",
               u->flow);
  int said = 0;
  for (char **o = s->over; o && *o; o++) said |= !strncmp(*o, "tol=", 4) || !strncmp(*o, "step=", 5);
  s->unasked = !said && plan_chooses_unasked(p);
  leave_to_cases(s);
  return 0;
}

int spec_read(spec *s, const request *r)
{
  *s = (spec){.r = r};
  int code = read_base(s);
  if (!code) code = read_over(s);
  if (!code) code = overlay(s);
  if (code) return code;
  const epi_sweep_request *q = s->all.file ? epi_file_sweep(s->all.file) : NULL;
  s->keep = keep_of(s);
  s->out = text("%s", given(r, "--out") ? given(r, "--out") : q && q->file ? q->file : "sweep.csv");
  s->part = text("%s.part", s->out);
  const char *plot = given(r, "--plot"), *report = given(r, "--report");
  if (plot && !ends_with(plot, ".svg")) return say(REFUSED, "--plot '%s' should end in .svg, which is what it writes", plot);
  if (report && !ends_with(report, ".html")) return say(REFUSED, "--report '%s' should end in .html, which is what it writes", report);
  if (!table_ending(s->out))
    return say(REFUSED, "--out '%s' should end in .csv, .npy, .json, .npz or .h5, which is what it writes", s->out);
  if (pack_ending(s->out) && pack_possible(s->out)) return REFUSED;
  return 0;
}

static char *longer(char *all, char *more)
{
  char *both = text("%s %s", all, more);
  free(all);
  free(more);
  return both;
}

/* a start cannot be given to a run: then there is no such command */
char *spec_alone(const spec *s)
{
  const epi_setup *p = &s->all.plan->setup;
  static const char *const times[] = {"step", "end", "tol"};
  char *all = with_word(text("epicycle run"), s->r->word[0]);
  int step = !isnan(p->step), end = !isnan(p->end), tol = !isnan(p->tol);
  for (int i = 1; i < s->r->nword; i++) if (!sweeps(s->r->word[i])) all = with_word(all, s->r->word[i]);
  if (given(s->r, "--with")) all = with_word(longer(all, text("--with")), given(s->r, "--with"));
  for (int i = 0; s->over[i]; i++) {
    const char *name = s->over[i], *path = s->path[i];
    int n = (int)strcspn(name, "="), time = 0;
    if (!strncmp(name, "start.", 6)) return free(all), NULL;
    char *mark = text("{%.*s}", n, name);
    for (int k = 0; k < 3; k++)
      if ((int)strlen(times[k]) == n && !strncmp(times[k], name, (size_t)n)) {
        time = 1;
        all = longer(all, text("--%s %s", times[k], mark));
        *(k == 0 ? &step : k == 1 ? &end : &tol) = 0;
      }
    /* what stands in the flow is there already */
    if (!time && !(p->flow && strstr(p->flow, mark))) all = longer(all, text("%s=%s", path, mark));
    free(mark);
  }
  if (p->flow) all = with_word(longer(all, text("--flow")), p->flow);
  if (step) all = longer(all, text("--step %s", shortest(p->step).text));
  if (end) all = longer(all, text("--end %s", shortest(p->end).text));
  if (tol) all = longer(all, text("--tol %s", shortest(p->tol).text));
  return all;
}

epi_sweep_options spec_options(const spec *s)
{
  const plan *p = s->all.plan;
  const epi_setup *u = &p->setup;
  const char *options = strchr(p->model, '(');
  return (epi_sweep_options){
    .model = p->own ? options : p->model, .own = p->own, .names = p->brought, .flow = u->flow, .step = isnan(u->step) ? 0 : u->step,
    .end = isnan(u->end) ? 0 : u->end, .every = u->every > 0 ? u->every : 0, .tol = isnan(u->tol) ? 0 : u->tol,
    .over = (const char *const *)s->over, .keep = (const char *const *)s->keep, .samples = (long long)s->samples,
    .seed = (unsigned long long)s->seed, .latin = s->latin, .workers = (int)s->workers, .limit = s->limit};
}

void spec_free(spec *s)
{
  for (char **w = s->over; w && *w; w++) free(*w);
  for (char **w = s->keep; w && *w; w++) free(*w);
  for (char **w = s->path; w && *w; w++) free(*w);
  free(s->path);
  free(s->over);
  free(s->keep);
  free(s->out);
  free(s->part);
  plans_free(&s->all);
}
