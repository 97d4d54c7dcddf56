/* model-file.c - the runs of a model file: a model or a world, its parameters, flow, step, end and outputs */
#include "model-file.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- keys ---- */
typedef struct outputs { double every; const char *file, *stats, *plot, *report, *checkpoint; } outputs;
static const field output_keys[] = {
  {.name = "every", .kind = NOT_NEGATIVE, .unit = "s", .at = offsetof(outputs, every)},
  {.name = "file", .kind = TEXT, .at = offsetof(outputs, file)},
  {.name = "stats", .kind = TEXT, .at = offsetof(outputs, stats)},
  {.name = "plot", .kind = TEXT, .at = offsetof(outputs, plot)},
  {.name = "report", .kind = TEXT, .at = offsetof(outputs, report)},
  {.name = "checkpoint", .kind = TEXT, .at = offsetof(outputs, checkpoint)},
  {0}
};
/* what a run and the whole file have alike */
#define RUN_KEYS \
  {.name = "model", .kind = TEXT, .at = offsetof(run_keys, model)}, \
  {.name = "parameters", .kind = OWN, .at = offsetof(run_keys, parameters)}, \
  {.name = "flow", .kind = TEXT, .at = offsetof(run_keys, flow)}, \
  {.name = "step", .kind = POSITIVE, .unit = "s", .at = offsetof(run_keys, step)}, \
  {.name = "end", .kind = NUMBER, .unit = "s", .at = offsetof(run_keys, end)}, \
  {.name = "tolerance", .kind = POSITIVE, .unit = "", .at = offsetof(run_keys, tol)}, \
  {.name = "fast", .kind = FLAG, .at = offsetof(run_keys, fast)}, \
  {.name = "output", .kind = OWN, .at = offsetof(run_keys, output), .inner = output_keys}
static const field one_run_keys[] = {{.name = "name", .kind = TEXT, .at = offsetof(run_keys, name)}, RUN_KEYS, {0}};

typedef struct file_keys { run_keys run; const char *title, *compare, *report; const item *world, *runs; } file_keys;
const field model_file_keys[] = {
  {.name = "title", .kind = TEXT, .at = offsetof(file_keys, title)},
  RUN_KEYS,
  {.name = "compare", .kind = TEXT, .at = offsetof(file_keys, compare)},
  {.name = "report", .kind = TEXT, .at = offsetof(file_keys, report)},
  {.name = "runs", .kind = ITEMS, .at = offsetof(file_keys, runs), .inner = one_run_keys},
  {.name = "world", .kind = OWN, .at = offsetof(file_keys, world), .inner = world_keys},
  {0}
};

struct model_file {
  document *d;
  file_keys keys;
  described *world;
  int n;
  plan *plan;
};


/* ---- parameters ---- */
static const epi_model *library_model(const char *name)
{
  for (const epi_model *const *m = epi_models(); *m; m++) if (!strcmp((*m)->name, name)) return *m;
  return NULL;
}

static int no_model(document *d, const item *it, const char *name)
{
  int n = 0;
  for (const epi_model *const *m = epi_models(); *m; m++) n++;
  const char **names = need(((size_t)n + 1)*sizeof *names);
  for (int i = 0; i < n; i++) names[i] = epi_models()[i]->name;
  const char *near = nearest(name, names);
  free(names);
  if (strchr(name, '(')) return document_wrong(d, it, "'%.60s' is not the name of a model: write the name alone, and its parameters under parameters", name);
  if (near) return document_wrong(d, it, "there is no model '%.60s'; did you mean %s?", name, near);
  return document_wrong(d, it, "there is no model '%.60s': `epicycle list models` prints them; a file of yours ends in .c or .so", name);
}

static const epi_param *param_of(const epi_model *m, const char *name)
{
  for (const epi_param *p = m->params; p && p->name; p++) if (!strcmp(p->name, name)) return p;
  return NULL;
}

static int no_param(document *d, const item *key, const epi_model *m)
{
  int n = 0;
  while (m->params && m->params[n].name) n++;
  const char **names = need(((size_t)n + 1)*sizeof *names);
  for (int i = 0; i < n; i++) names[i] = m->params[i].name;
  const char *near = nearest(key->text, names);
  free(names);
  if (near) return document_wrong(d, key, "'%.60s' is not a parameter of %s; did you mean %s?", key->text, m->name, near);
  return document_wrong(d, key, "'%.60s' is not a parameter of %s: `epicycle show %s` prints them", key->text, m->name, m->name);
}

/* the value as the text of a case has it, or NULL after the sentence */
static char *value_of(source *s, const epi_param *p, const item *key, const item *it)
{
  double x;
  if (p && p->words) {
    int k = field_word(s, it, key->text, p->words);
    return k < 0 ? NULL : text("%s", p->words[k]);
  }
  if (field_number(s, it, key->text, p ? p->unit : "", &x)) return NULL;
  if (p && p->kind == EPI_COUNT && x != floor(x)) return document_wrong(s->d, it, "%s = %g: write a whole number", key->text, x), NULL;
  return text("%s", shortest(x).text);
}

/* a model that is code is not known yet: its words are taken as they are, and units are not */
static char *plain_value(source *s, const item *key, const item *it)
{
  double x;
  if (it->kind == ITEM_TEXT && it->text[0] && !strpbrk(it->text, "(),='\"") && !read_number(it->text, &x)) return text("%s", it->text);
  return value_of(s, NULL, key, it);
}

static char *append(char *model, int *n, const char *name, char *value)
{
  char *longer = text("%s%s%s=%s", model, (*n)++ ? ", " : "(", name, value);
  free(model);
  free(value);
  return longer;
}

/* "name(a=1, b=2)", the run's own over those outside; NULL after sentences */
static char *model_text(source *s, const epi_model *m, const char *name, const item *own, const item *outside)
{
  char *all = text("%s", name);
  int n = 0, bad = 0;
  const item *maps[] = {own, outside};
  for (int k = 0; k < 2; k++) {
    if (maps[k] && maps[k]->kind != ITEM_MAP) { bad = document_wrong(s->d, maps[k], "parameters is %s: write name: value, one a line", item_what(maps[k])); continue; }
    for (int i = 0; maps[k] && i < maps[k]->n; i++) {
      const item *key = maps[k]->key[i];
      const epi_param *p = m ? param_of(m, key->text) : NULL;
      if (k && own && item_key(own, key->text)) continue;
      char *value = NULL;
      if (m && !p) no_param(s->d, key, m);
      else value = m ? value_of(s, p, key, maps[k]->part[i]) : plain_value(s, key, maps[k]->part[i]);
      if (value) all = append(all, &n, key->text, value);
      else bad = 1;
    }
  }
  char *closed = bad ? NULL : text("%s%s", all, n ? ")" : "");
  free(all);
  return closed;
}

/* ---- does it make a case, and the flow a flow? ---- */
/* the parameter that a sentence speaks of, or what stands for all of them */
static const item *blamed(const char *sentence, const item *own, const item *outside, const item *otherwise)
{
  const item *maps[] = {own, outside};
  for (int k = 0; k < 2; k++)
    for (int i = 0; maps[k] && i < maps[k]->n; i++) {
      const char *name = maps[k]->key[i]->text, *at = sentence;
      size_t n = strlen(name);
      for (; (at = strstr(at, name)); at++) if ((at == sentence || at[-1] == ' ') && !strncmp(at + n, " = ", 3)) return maps[k]->key[i];
    }
  return otherwise;
}

static int check_flow(document *d, epi_case *c, const plan *p, const item *at)
{
  epi_flow *f = epi_case_flow(c, p->flow);
  epi_state s = epi_case_state(c);
  unsigned claims = 0;
  if (!epi_error(f)) epi_walk(f, root_claims, &claims);
  if (claims & EPI_CLOCK) epi_run(f, &s, s.t, isnan(p->step) ? c->step : p->step);
  int code = epi_error(f) ? document_wrong(d, at, "flow: %s", epi_error(f)) : 0;
  epi_free(f);
  return code;
}

static const item *key_of(const item *own, const item *outside, const char *key)
{
  item *at = own ? item_key(own, key) : NULL;
  return at ? at : item_key(outside, key);
}

static int check_case(model_file *m, const plan *p, const item *own, const run_keys *k, const item *outside)
{
  document *d = m->d;
  const item *root = d->root, *at = key_of(own, root, "model");
  const char *parameters = strchr(p->model, '(');
  epi_case *c = p->own ? epi_case_of(p->own, parameters) : epi_case_make(p->model);
  if (!c) exit(say(FAILED, "out of memory: the model could not be made"));
  int code = 0;
  if (c->error[0]) code = document_wrong(d, blamed(c->error, k->parameters, outside, at ? at : item_key(root, "world")), "%s", c->error);
  else if (!isnan(p->end) && !(p->end > c->t)) code = document_wrong(d, key_of(own, root, "end"), "end = %g is not after the start t = %g: write a later one", p->end, c->t);
  else {
    const item *flow = key_of(own, root, "flow");
    code = check_flow(d, c, p, flow && p->flow ? flow : at ? at : item_key(root, "world"));
  }
  epi_case_free(c);
  return code;
}

/* ---- one run ---- */
static run_keys nothing_said(void) { return (run_keys){.step = NAN, .end = NAN, .tol = NAN, .fast = -1}; }

/* in one place the steps are either given or chosen */
static int one_way(document *d, const item *map, const run_keys *k)
{
  if (isnan(k->tol)) return 0;
  const char *other = k->flow ? "flow" : !isnan(k->step) ? "step" : NULL;
  if (other) return document_wrong(d, item_key(map, "tolerance"), "tolerance chooses method and steps, and %s is given too: take one of them away", other);
  return k->tol < 1 ? 0 : document_wrong(d, item_key(map, "tolerance"), "tolerance = %g is no tolerance: write a small number, as in 1e-6", k->tol);
}

static const struct { const char *key; size_t from, to; const char *endings[4]; } files[] = {
  {"file", offsetof(outputs, file), offsetof(plan, out), {".csv", ".npy", ".json"}},
  {"stats", offsetof(outputs, stats), offsetof(plan, stats), {".json"}},
  {"plot", offsetof(outputs, plot), offsetof(plan, plot), {".svg"}},
  {"report", offsetof(outputs, report), offsetof(plan, report), {".html", ".htm"}},
  {"checkpoint", offsetof(outputs, checkpoint), offsetof(plan, checkpoint), {NULL}},
};
enum { FILES = sizeof files/sizeof *files };

static int check_ending(document *d, const item *at, const char *key, const char *path, const char *const *endings)
{
  int fits = !endings[0] || (!strcmp(key, "file") && !strcmp(path, "-"));
  for (int i = 0; endings[i] && i < 4; i++) fits |= ends_with(path, endings[i]);
  if (fits) return 0;
  return document_wrong(d, at, "%s: '%.60s' must end in %s%s%s%s%s", key, path, endings[0], endings[1] ? " or " : "", endings[1] ? endings[1] : "", endings[2] ? " or " : "",
                        endings[2] ? endings[2] : "");
}

/* what stands outside is for all runs: each gets its name into the names of its files */
static int read_output(source *s, const item *map, int several, plan *p)
{
  outputs o = {.every = -1};
  if (!map) return 0;
  if (map->kind != ITEM_MAP) return document_wrong(s->d, map, "output is %s: write keys, as in {every: 0.01, file: rows.csv}", item_what(map));
  int bad = fields_read(s, map, output_keys, &o);
  if (o.every >= 0) p->every = o.every;
  for (int i = 0; i < FILES; i++) {
    const char *path = *(const char **)((char *)&o + files[i].from);
    char **to = (char **)((char *)p + files[i].to);
    if (!path) continue;
    if (check_ending(s->d, item_of(map, files[i].key), files[i].key, path, files[i].endings)) bad = REFUSED;
    free(*to);
    *to = plan_file(path, p->name, several);
  }
  return bad ? REFUSED : 0;
}

static int find_model(model_file *m, source *s, const item *own, const run_keys *k, plan *p)
{
  document *d = m->d;
  const run_keys *all = &m->keys.run;
  const char *name = k->model ? k->model : m->world ? NULL : all->model;
  const item *at = key_of(own, d->root, "model"), *outside = own ? all->parameters : NULL;
  const epi_model *library = name && !load_names(name) ? library_model(name) : NULL;
  if (name && load_names(name)) {
    char *folder = name[0] == '/' ? text("%s", "") : document_folder(d->path);
    p->source = text("%s%s", folder, name);
    free(folder);
    if (disk_size(p->source) < 0) return document_wrong(d, at, "there is no file %.200s: a path is seen from the folder of this file", p->source);
    p->model = model_text(s, NULL, p->source, k->parameters, outside);
    return p->model ? 0 : REFUSED;
  }
  if (name && !library) return no_model(d, at, name);
  if (!name) {
    p->own = &m->world->model;
    p->source = text("%s", d->path);
    library = p->own;
    const item *given = k->parameters ? k->parameters : outside;
    if (given) return document_wrong(d, given, "a world has no parameters: write the numbers where they belong, in bodies and what joins them");
  }
  p->model = model_text(s, library, library->name, k->parameters, outside);
  return p->model ? check_case(m, p, own, k, outside) : REFUSED;
}

/* own: the map of the run; NULL where the file is one run */
static int make_plan(model_file *m, int run, const item *own)
{
  document *d = m->d;
  source s = {.d = d};
  plan *p = &m->plan[run];
  const run_keys *all = &m->keys.run;
  run_keys k = own ? nothing_said() : *all;
  if (own && (fields_read(&s, own, one_run_keys, &k) || one_way(d, own, &k))) return REFUSED;
  *p = plan_empty();
  p->run = run;
  p->name = k.name ? text("%s", k.name) : own ? text("run%d", run + 1) : text("%s", m->keys.title ? m->keys.title : all->model ? all->model : "world");
  int chosen = !isnan(k.tol), given = k.flow || !isnan(k.step);
  const char *flow = k.flow ? k.flow : chosen ? NULL : all->flow;
  p->flow = flow ? text("%s", flow) : NULL;
  p->step = !isnan(k.step) ? k.step : chosen ? NAN : all->step;
  p->tol = chosen ? k.tol : given ? NAN : all->tol;
  p->end = isnan(k.end) ? all->end : k.end;
  p->fast = k.fast >= 0 ? k.fast : all->fast > 0;
  int bad = own && read_output(&s, all->output, m->n > 1, p);
  if (read_output(&s, k.output, 0, p)) bad = 1;
  if (find_model(m, &s, own, &k, p)) bad = 1;
  return bad ? REFUSED : 0;
}

/* ---- the whole file ---- */
static int same_names(model_file *m)
{
  for (int i = 0; i < m->n; i++)
    for (int k = 0; k < i; k++) {
      const item *at = item_of(m->keys.runs->part[i], "name");
      if (!strcmp(m->plan[i].name, m->plan[k].name))
        return document_wrong(m->d, at ? at : m->keys.runs->part[i], "two runs are called '%s': give each its own name", m->plan[i].name);
      for (int a = 0; a < FILES; a++)
        for (int b = 0; b < FILES; b++) {
          const char *one = *(char **)((char *)&m->plan[i] + files[a].to), *two = *(char **)((char *)&m->plan[k] + files[b].to);
          if (one && two && !strcmp(one, two) && strcmp(one, "-"))
            return document_wrong(m->d, m->keys.runs->part[i], "the runs %s and %s would both write %.100s: give each its own file", m->plan[k].name, m->plan[i].name, one);
        }
    }
  return 0;
}

static int check_compare(model_file *m)
{
  const char *name = m->keys.compare;
  if (!name) return 0;
  const item *at = item_of(m->d->root, "compare");
  if (!m->keys.runs) return document_wrong(m->d, at, "compare names a run, and there are no runs: write them under runs");
  const char **names = need(((size_t)m->n + 1)*sizeof *names);
  int found = 0;
  for (int i = 0; i < m->n; i++) { names[i] = m->plan[i].name; found |= !strcmp(names[i], name); }
  const char *near = found ? NULL : nearest(name, names);
  free(names);
  if (found) return 0;
  if (near) return document_wrong(m->d, at, "compare: there is no run '%.40s'; did you mean %s?", name, near);
  return document_wrong(m->d, at, "compare: there is no run '%.40s': write the name of one", name);
}

static int check_top(model_file *m)
{
  document *d = m->d;
  const item *root = d->root, *runs = m->keys.runs;
  int every = runs && runs->n;
  for (int i = 0; every && i < runs->n; i++) every = item_of(runs->part[i], "model") != NULL;
  if (m->keys.world && m->keys.run.model) return document_wrong(d, item_key(root, "world"), "model and world are both given: take one of them away");
  if (!m->keys.world && !m->keys.run.model && !every)
    return document_wrong(d, root, "the file names no model: write model: and a name of `epicycle list models`, or world: and its bodies");
  if (runs && !runs->n) return document_wrong(d, runs, "runs is an empty list: write at least one, or take it away");
  if (runs && runs->n > 1000) return document_wrong(d, runs, "%d runs are more than 1000: make several files of them", runs->n);
  if (m->keys.report && check_ending(d, item_of(root, "report"), "report", m->keys.report, files[3].endings)) return REFUSED;
  return one_way(d, root, &m->keys.run);
}

static int make_all(model_file *m)
{
  document *d = m->d;
  source s = {.d = d};
  m->keys.run = nothing_said();
  if (fields_known(d, d->root, "a model file", model_file_keys) || fields_read(&s, d->root, model_file_keys, &m->keys) || check_top(m)) return REFUSED;
  if (m->keys.world && !(m->world = described_read(d, m->keys.world))) return REFUSED;
  m->n = m->keys.runs ? m->keys.runs->n : 1;
  m->plan = need((size_t)m->n*sizeof *m->plan);
  int bad = 0;
  for (int i = 0; i < m->n; i++) m->plan[i] = plan_empty();
  for (int i = 0; i < m->n && d->wrong < 10; i++) if (make_plan(m, i, m->keys.runs ? m->keys.runs->part[i] : NULL)) bad = 1;
  return bad || d->wrong || (m->keys.runs && same_names(m)) || check_compare(m) ? REFUSED : 0;
}

model_file *model_file_read(const char *path)
{
  model_file *m = need(sizeof *m);
  m->d = document_read(path);
  if (m->d && !make_all(m)) return m;
  model_file_free(m);
  return NULL;
}

int model_file_runs(const model_file *m) { return m->n; }
const char *model_file_compare(const model_file *m) { return m->keys.compare; }
const char *model_file_title(const model_file *m) { return m->keys.title; }
const char *model_file_report(const model_file *m) { return m->keys.report; }

static char *copy(const char *s) { return s ? text("%s", s) : NULL; }

plan model_file_plan(const model_file *m, int run)
{
  plan p = m->plan[run];
  char **texts[] = {&p.name, &p.model, &p.source, &p.flow, &p.out, &p.stats, &p.plot, &p.report, &p.checkpoint};
  for (size_t i = 0; i < sizeof texts/sizeof *texts; i++) *texts[i] = copy(*texts[i]);
  return p;
}

void model_file_free(model_file *m)
{
  if (!m) return;
  for (int i = 0; i < m->n && m->plan; i++) plan_free(&m->plan[i]);
  free(m->plan);
  described_free(m->world);
  document_free(m->d);
  free(m);
}
