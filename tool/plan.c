/* plan.c - one run as it is asked for */
#include "tool.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

plan plan_empty(void)
{
  plan p = {.setup = epi_setup_empty()};
  p.setup.every = -1;
  return p;
}

/* a model of the library is found by its name, one of the user's has its record */
epi_case *plan_case(const plan *p)
{
  epi_case *c = p->own ? epi_case_of(p->own, p->model + strcspn(p->model, "(")) : epi_case_make(p->model);
  if (c && p->brought) epi_case_names(c, p->brought);
  if (c && p->setup.multipliers) epi_case_multipliers(c);
  if (c && p->setup.actions) epi_case_actions(c);
  return c;
}

char *plan_file(const char *path, const char *name, int several)
{
  if (!path) return NULL;
  if (!several) return text("%s", path);
  size_t n = epi_output_path(path, name, NULL, 0);
  char *all = need(n + 1);
  epi_output_path(path, name, all, n + 1);
  return all;
}

static int is_yaml(const char *word) { return ends_with(word, ".yaml") || ends_with(word, ".yml"); }

void plan_free(plan *p)
{
  char *texts[] = {p->name, p->title, p->model, p->source, p->command, p->with, p->out, p->events, p->stats, p->plot, p->report,
                   p->checkpoint, p->pack};
  epi_setup_free(&p->setup);
  for (size_t i = 0; i < sizeof texts/sizeof *texts; i++) free(texts[i]);
  *p = plan_empty();
}

/* ---- from the words of a request ---- */
/* the text of a model with name=value in it, in the unit of the parameter. The library refuses an unknown name and a wrong value; NULL
   after the message on a unit */
static char *with_parameter(const plan *p, const char *model, const char *word, int *code)
{
  const epi_model *m = p->own ? p->own : epi_ask_model(p->model);
  size_t n = strcspn(word, "=");
  int known = 0;
  char why[320];
  number x;
  int stays = epi_ask_unit(m, word, n, word + n + 1, &x, &known, why, sizeof why);
  if (stays < 0) return *code = say(REFUSED, "%.*s: %s", (int)n, word, why), NULL;
  const char *value = !stays ? x.text : m && m->params && !known ? "0" : word + n + 1;
  char *name = text("%.*s", (int)n, word), *all = epi_model_put_parameter(model, name, value, why, sizeof why);
  if (!all) all = text("%.*s(%s=%s)", (int)strcspn(model, "("), model, name, value);
  free(name);
  return all;
}

/* what a file says of a model of the user's is known to be numbers with units only when the model is there */
static int in_units(plan *p)
{
  const char *at = strchr(p->model, '(');
  char *all = text("%s", p->own->name);
  int code = 0;
  while (at && *at && *at != ')' && !code) {
    at += 1 + strspn(at + 1, " ");
    size_t n = strcspn(at, ",)");
    char *word = text("%.*s", (int)n, at), *more = n ? with_parameter(p, all, word, &code) : NULL;
    free(word);
    if (more) {
      free(all);
      all = more;
    }
    at += n;
  }
  free(p->model);
  p->model = all;
  return code;
}

/* a file of the user's is loaded; its model goes by its own name from there on */
static int load(plan *p)
{
  size_t n = strcspn(p->model, "(");
  char *path = text("%.*s", (int)n, p->model);
  int code = 0;
  if (load_names(path)) {
    p->own = load_model(path, &p->code);
    if (p->own) {
      char *model = text("%s%s", p->own->name, p->model + n);
      free(p->model);
      free(p->source);
      p->model = model;
      p->source = text("%s", path);
      code = in_units(p);
    } else code = REFUSED;
  }
  free(path);
  return code;
}

/* ---- from a model file ---- */
static char *copy(const char *s) { return s ? text("%s", s) : NULL; }

plan plan_of(const epi_request *r, int run)
{
  plan p = {.name = copy(r->name), .model = copy(r->model), .own = r->world, .source = copy(r->source), .run = run, .out = copy(r->rows),
            .events = copy(r->events), .stats = copy(r->stats), .plot = copy(r->plot), .report = copy(r->report),
            .checkpoint = copy(r->checkpoint), .setup = epi_setup_empty()};
  if (epi_setup_read(&p.setup, r)) no_room();
  if (isnan(p.setup.every)) p.setup.every = -1;
  return p;
}

/* to read a file is to call what the user brings: first in a process of its own, where it may crash or hang */
typedef struct trial { const char *path; const epi_name *brought; const char *const *given; } trial;
static int try_file(void *data)
{
  const trial *t = data;
  epi_file *file = epi_file_read_given(t->path, t->brought, t->given);
  int n = epi_file_sentences(file);
  for (int i = 0; i < n; i++) say(REFUSED, "%s", epi_file_sentence(file, i)->text);
  epi_file_free(file);
  return n ? REFUSED : 0;
}

static int tried(const char *path, const char *with, const epi_name *brought, const char *const *given)
{
  trial t = {path, brought, given};
  process *own = process_new();
  if (!own) return FAILED;
  outcome o = process_run(own, try_file, NULL, &t);
  process_free(own);
  if (o.how && o.interrupted) return say(FAILED, "%s: its code did not come back while %s was read, and was ended", with, path);
  return o.how ? say(FAILED, "%s: its code crashed (%s) while %s was read", with, o.how, path) : o.code;
}

/* each times another number, so that none can take the place of another */
double file_also(const epi_file *f)
{
  double sum = 0;
  const char *path;
  for (int i = 0; (path = epi_file_also(f, i)); i++) sum += disk_sum(path)/(i + 1);
  return sum;
}

epi_file *file_open(const char *path, const char *with, const epi_name *brought, const char *const *given, int *code)
{
  if (brought && (*code = tried(path, with, brought, given))) return NULL;
  epi_file *file = epi_file_read_given(path, brought, given);
  int n = epi_file_sentences(file);
  if (!file) no_room();
  for (int i = 0; i < n; i++) say(REFUSED, "%s", epi_file_sentence(file, i)->text);
  *code = n ? REFUSED : 0;
  if (!n) return file;
  epi_file_free(file);
  return NULL;
}

static int read_file(plans *all, const request *r, const char *const *open, const char *with, const epi_name *brought)
{
  int code = 0, n = 0;
  while (open && open[n]) n++;
  const char **given = need((size_t)(n + r->nword + 1)*sizeof *given);
  if (n) memcpy(given, open, (size_t)n*sizeof *given);
  for (int i = 1; i < r->nword; i++) if (strchr(r->word[i], '=')) given[n++] = r->word[i];
  all->file = file_open(r->word[0], with, brought, n ? given : NULL, &code);
  free(given);
  if (!all->file) return code;
  all->n = epi_file_runs(all->file);
  all->plan = need((size_t)(all->n + 1)*sizeof *all->plan);
  for (int i = 0; i < all->n; i++) {
    all->plan[i] = plan_of(epi_file_request(all->file, i), i);
    all->plan[i].also = file_also(all->file);
  }
  return 0;
}

static int add_words(plan *p, const request *r)
{
  int code = 0;
  for (int i = 1; i < r->nword && !code; i++) {
    const char *word = r->word[i], *sign = strchr(word, '=');
    if (!sign) return say(REFUSED, "'%s' is not name=value: parameters of a model are written so", word);
    if (!sign[1]) return say(REFUSED, "'%s' has no value: write %s and a number", word, word);
    char *model = with_parameter(p, p->model, word, &code);
    if (!model) break;
    free(p->model);
    p->model = model;
  }
  return code;
}

/* the world of a file has taken the words already; what is no parameter at all is refused as of every model */
static int says_own(const plan *p, const request *r)
{
  int all = p->own && p->source && is_yaml(p->source);
  for (int i = 1; i < r->nword; i++) all &= strchr(r->word[i], '=') && strchr(r->word[i], '=')[1];
  return all;
}

int words_once(const request *r)
{
  for (int i = 1; i < r->nword; i++) {
    size_t n = strcspn(r->word[i], "=");
    for (int k = 1; k < i; k++)
      if (r->word[i][n] && strcspn(r->word[k], "=") == n && !memcmp(r->word[k], r->word[i], n))
        return say(REFUSED, "%.*s is given twice, as %s and %s: give it once", (int)n, r->word[i], r->word[k], r->word[i]);
  }
  return 0;
}

int plans_read(plans *all, const request *r, const char *const *open)
{
  *all = (plans){0};
  if (words_once(r)) return REFUSED;
  if (!r->nword)
    return say(REFUSED, "%s needs a model or a model file, for example `epicycle %s kepler`: `epicycle list models` prints models",
               r->verb->name, r->verb->name);
  if (ends_with(r->word[0], ".urdf"))
    return say(REFUSED, "%s is a robot: `epicycle import %s > robot.yaml` makes a model file of it", r->word[0], r->word[0]);
  const char *with = given(r, "--with");
  double sum = 0;
  const epi_name *brought = with ? load_brought(with, &sum) : NULL;
  int code = with && !brought ? REFUSED : 0;
  if (code) return code;
  const char *note;
  if (is_yaml(r->word[0])) code = read_file(all, r, open, with, brought);
  else {
    all->n = 1;
    all->plan = need(sizeof *all->plan);
    all->plan[0] = plan_empty();
    all->plan[0].model = text("%s", r->word[0]);
  }
  for (int i = 0; !given(r, "--quiet") && (note = epi_file_note(all->file, i)); i++) say(0, "note: %s", note);
  for (int i = 0; i < all->n && !code; i++) {
    all->plan[i].command = request_text(r);
    if (with) all->plan[i].with = text("%s", with);
    all->plan[i].brought = brought;
    all->plan[i].with_code = sum;
    if (!all->plan[i].own) code = load(&all->plan[i]);
    /* those of a world were read with its file */
    if (!code && !says_own(&all->plan[i], r)) code = add_words(&all->plan[i], r);
  }
  return code;
}

void plans_free(plans *all)
{
  for (int i = 0; i < all->n; i++) plan_free(&all->plan[i]);
  free(all->plan);
  epi_file_free(all->file);
}

const char *plan_code(const plan *p)
{
  return p->own && p->source && load_names(p->source) ? p->source : p->with;
}
