/* runs.c - the runs of a model file: a model or a world, its parameters, flow, step, end and outputs */
#include "file/model-file.h"
#include "epicycle/term.h"
#include <math.h>
#include <string.h>

/* ---- keys ---- */
typedef struct outputs { double every; const char *file, *stats, *plot, *report, *checkpoint, *events; } outputs;
static const field output_keys[] = {
  {.name = "every", .kind = NOT_NEGATIVE, .unit = "s", .at = offsetof(outputs, every)},
  {.name = "file", .kind = TEXT, .at = offsetof(outputs, file)},
  {.name = "stats", .kind = TEXT, .at = offsetof(outputs, stats)},
  {.name = "plot", .kind = TEXT, .at = offsetof(outputs, plot)},
  {.name = "report", .kind = TEXT, .at = offsetof(outputs, report)},
  {.name = "checkpoint", .kind = TEXT, .at = offsetof(outputs, checkpoint)},
  {.name = "events", .kind = TEXT, .at = offsetof(outputs, events)},
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
  {.name = "tol", .kind = POSITIVE, .unit = "", .at = offsetof(run_keys, tol)}, \
  {.name = "fast", .kind = FLAG, .at = offsetof(run_keys, fast)}, \
  {.name = "multipliers", .kind = FLAG, .at = offsetof(run_keys, multipliers)}, \
  {.name = "actions", .kind = FLAG, .at = offsetof(run_keys, actions)}, \
  {.name = "output", .kind = OWN, .at = offsetof(run_keys, output), .inner = output_keys}
static const field one_run_keys[] = {{.name = "name", .kind = TEXT, .at = offsetof(run_keys, name)}, RUN_KEYS, {0}};

const field epi_file_keys[] = {
  {.name = "title", .kind = TEXT, .at = offsetof(file_keys, title)},
  RUN_KEYS,
  {.name = "compare", .kind = TEXT, .at = offsetof(file_keys, compare)},
  {.name = "report", .kind = TEXT, .at = offsetof(file_keys, report)},
  {.name = "runs", .kind = ITEMS, .at = offsetof(file_keys, runs), .inner = one_run_keys},
  {.name = "sweep", .kind = OWN, .at = offsetof(file_keys, sweep), .inner = epi_sweep_keys},
  {.name = "world", .kind = OWN, .at = offsetof(file_keys, world), .inner = epi_file_world_keys},
  {0}
};

static const epi_model *library_model(const char *name)
{
  for (const epi_model *const *m = epi_models(); *m; m++) if (!strcmp((*m)->name, name)) return *m;
  return NULL;
}

/* ---- names that are not there ---- */
/* the nearest of n names, the k-th of which is name_of(list, k); NULL: none, or no memory */
static const char *nearest(document *d, const char *word, const void *list, int n, const char *(*name_of)(const void *, int))
{
  const char **names = epi_pool_room(&d->pool, (size_t)n + 1, sizeof *names);
  for (int i = 0; names && i < n; i++) names[i] = name_of(list, i);
  return names ? epi_nearest(word, names) : NULL;
}

static const char *name_of_model(const void *list, int i) { return ((const epi_model *const *)list)[i]->name; }
static const char *name_of_param(const void *list, int i) { return ((const epi_param *)list)[i].name; }
static const char *name_of_run(const void *list, int i) { return ((const epi_request *)list)[i].name; }

static int no_model(document *d, const item *it, const char *name)
{
  int n = 0;
  while (epi_models()[n]) n++;
  const char *near = nearest(d, name, epi_models(), n, name_of_model);
  if (strchr(name, '('))
    return epi_document_wrong(d, it, "'%.60s' is not the name of a model: write the name alone, and its parameters under parameters", name);
  if (near) return epi_document_wrong(d, it, "there is no model '%.60s'; did you mean %s?", name, near);
  return epi_document_wrong(d, it, "there is no model '%.60s': `epicycle list models` prints them; a file of yours ends in .c or .so",
                            name);
}

static int no_param(document *d, const item *key, const epi_model *m)
{
  int n = 0;
  while (m->params && m->params[n].name) n++;
  const char *near = nearest(d, key->text, m->params, n, name_of_param);
  if (near) return epi_document_wrong(d, key, "'%.60s' is not a parameter of %s; did you mean %s?", key->text, m->name, near);
  return epi_document_wrong(d, key, "'%.60s' is not a parameter of %s: `epicycle show %s` prints them", key->text, m->name, m->name);
}

/* ---- parameters ---- */
static const epi_param *param_of(const epi_model *m, const char *name)
{
  for (const epi_param *p = m->params; p && p->name; p++) if (!strcmp(p->name, name)) return p;
  return NULL;
}

/* a file that a parameter names, seen from the folder of this one */
static const char *path_of(source *s, const item *key, const item *it)
{
  const char *slash = strrchr(s->d->path, '/');
  if (it->kind != ITEM_TEXT || !it->text[0]) return epi_document_wrong(s->d, it, "%s needs the path of a file", key->text), NULL;
  int folder = it->text[0] == '/' || !slash ? 0 : (int)(slash - s->d->path) + 1;
  const char *path = epi_pool_text(&s->d->pool, "%.*s%s", folder, s->d->path, it->text);
  if (!path || !path[strspn(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/")]) return path;
  epi_document_wrong(s->d, it, "the path %.200s has other letters than a-z, 0-9, . - _ and /: give the file another name or place", path);
  return NULL;
}

/* the value as the text of a case has it, or NULL after the sentence */
static const char *value_of(source *s, const epi_param *p, const item *key, const item *it)
{
  double x;
  if (p && p->words) {
    int k = epi_field_word(s, it, key->text, p->words);
    return k < 0 ? NULL : p->words[k];
  }
  if (p && p->kind == EPI_FILE) return path_of(s, key, it);
  if (epi_field_number(s, it, key->text, p ? p->unit : "", &x)) return NULL;
  if (p && p->kind == EPI_COUNT && !epi_is_whole(x))
    return epi_document_wrong(s->d, it, "%s = %g: write a whole number%s", key->text, x, epi_whole_limit(x)), NULL;
  return epi_pool_text(&s->d->pool, "%s", epi_shortest(x).text);
}

/* a model that is code is not known yet: its words are taken as they are, and units are not */
static const char *plain_value(source *s, const item *key, const item *it)
{
  double x;
  if (it->kind == ITEM_TEXT && it->text[0] && !strpbrk(it->text, "(),='\"") && !epi_number_read(it->text, &x)) return it->text;
  return value_of(s, NULL, key, it);
}

/* "name(a=1, b=2)", the run's own over those outside; NULL after sentences */
static const char *model_text(source *s, const epi_model *m, const char *name, const item *own, const item *outside)
{
  pen all = {.pool = &s->d->pool};
  int n = 0, bad = 0;
  const item *maps[] = {own, outside};
  epi_pen_print(&all, "%s", name);
  for (int k = 0; k < 2; k++) {
    if (maps[k] && maps[k]->kind != ITEM_MAP) {
      bad = epi_document_wrong(s->d, maps[k], "parameters is %s: write name: value, one a line", epi_item_what(maps[k]));
      continue;
    }
    for (int i = 0; maps[k] && i < maps[k]->n; i++) {
      const item *key = maps[k]->key[i];
      const epi_param *p = m ? param_of(m, key->text) : NULL;
      if (k && own && epi_item_key(own, key->text)) continue;
      const char *value = NULL;
      if (m && !p) no_param(s->d, key, m);
      else value = m ? value_of(s, p, key, maps[k]->part[i]) : plain_value(s, key, maps[k]->part[i]);
      if (value) epi_pen_print(&all, "%s%s=%s", n++ ? ", " : "(", key->text, value);
      else bad = REFUSED;
    }
  }
  if (n) epi_pen_print(&all, ")");
  return bad || s->d->pool.out ? NULL : all.text;
}

/* the same of a world: those that are not as the file says */
static const char *world_text(source *s, const item *own, const epi_model *m)
{
  pen all = {.pool = &s->d->pool};
  const parameters *v = s->d->values;
  int n = 0;
  epi_pen_print(&all, "%s", m->name);
  if (own && own->kind != ITEM_MAP)
    return epi_document_wrong(s->d, own, "parameters is %s: write name: value, one a line", epi_item_what(own)), NULL;
  for (int i = 0; own && i < own->n; i++) {
    if (!param_of(m, own->key[i]->text)) return no_param(s->d, own->key[i], m), NULL;
    if (own->part[i]->kind != ITEM_TEXT)
      return epi_document_wrong(s->d, own->part[i], "%s is %s: write a number", own->key[i]->text, epi_item_what(own->part[i])), NULL;
  }
  for (int i = 0; v && i < v->n; i++)
    if (v->one[i].own) epi_pen_print(&all, "%s%s=%s", n++ ? ", " : "(", v->one[i].name, epi_shortest(v->one[i].value).text);
  if (n) epi_pen_print(&all, ")");
  return s->d->pool.out ? NULL : all.text;
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

static void claims_of(void *claims, const epi_info *i) { if (!i->depth) *(unsigned *)claims = i->claims; }

static int check_flow(document *d, epi_case *c, const epi_request *p, const item *at)
{
  epi_flow *f = epi_case_flow(c, p->flow);
  epi_state s = epi_case_state(c);
  unsigned claims = 0;
  if (!epi_error(f)) epi_walk(f, claims_of, &claims);
  if (claims & EPI_CLOCK) epi_run(f, &s, s.t, isnan(p->step) ? c->step : p->step);
  if (epi_cause_of(f) == EPI_MEMORY) d->pool.out = 1;
  int code = epi_error(f) ? epi_document_wrong(d, at, "flow: %s", epi_error(f)) : 0;
  if (!code && p->events && !epi_event_name(f, 0))
    code = epi_document_wrong(d, at, "the flow has no events for %.60s: write at around it, as in flow: at(verlet, of=0)", p->events);
  epi_free(f);
  return code;
}

static const item *key_of(const item *own, const item *outside, const char *key)
{
  item *at = own ? epi_item_key(own, key) : NULL;
  return at ? at : epi_item_key(outside, key);
}

static int check_case(epi_file *m, const epi_request *p, const item *own, const run_keys *k, const item *outside)
{
  document *d = &m->d;
  const item *root = d->root, *at = key_of(own, root, "model"), *what = at ? at : epi_item_key(root, "world"),
    *flow = key_of(own, root, "flow");
  epi_case *c = p->world ? epi_case_of(p->world, strchr(p->model, '(')) : epi_case_make(p->model);
  int code = 0;
  if (c && d->names) epi_case_names(c, d->names);
  if (!c || c->cause == EPI_MEMORY) d->pool.out = 1, code = REFUSED;
  else if (c->error[0]) code = epi_document_wrong(d, blamed(c->error, k->parameters, outside, what), "%s", c->error);
  else if (!isnan(p->end) && !(p->end > c->t))
    code = epi_document_wrong(d, key_of(own, root, "end"), "end = %g is not after the start t = %g: write a later one", p->end, c->t);
  else code = check_flow(d, c, p, flow && p->flow ? flow : what);
  epi_case_free(c);
  return code;
}

/* ---- one run ---- */
static run_keys nothing_said(void)
{
  return (run_keys){.step = NAN, .end = NAN, .tol = NAN, .fast = -1, .multipliers = -1, .actions = -1};
}

/* in one place the steps are either given or chosen */
static int one_way(document *d, const item *map, const run_keys *k)
{
  if (isnan(k->tol)) return 0;
  const char *word = epi_item_key(map, "tol") ? "tol" : "tolerance";
  const item *at = epi_item_key(map, word);
  const char *other = word[3] == 0 && epi_item_key(map, "tolerance") ? "tolerance" : k->flow ? "flow" : !isnan(k->step) ? "step" : NULL;
  if (other) return epi_document_wrong(d, at, "%s chooses method and steps, and %s is given too: take one of them away", word, other);
  return k->tol < 1 ? 0 : epi_document_wrong(d, at, "%s = %g is no tolerance: write a small number, as in 1e-6", word, k->tol);
}

static const struct { const char *key; size_t from, to; const char *endings[8]; } files[] = {
  {"file", offsetof(outputs, file), offsetof(epi_request, rows), {".csv", ".npy", ".json", ".npz", ".h5", ".hdf5", ".pvd"}},
  {"stats", offsetof(outputs, stats), offsetof(epi_request, stats), {".json"}},
  {"plot", offsetof(outputs, plot), offsetof(epi_request, plot), {".svg"}},
  {"report", offsetof(outputs, report), offsetof(epi_request, report), {".html", ".htm"}},
  {"checkpoint", offsetof(outputs, checkpoint), offsetof(epi_request, checkpoint), {NULL}},
  {"events", offsetof(outputs, events), offsetof(epi_request, events), {".csv", ".npy", ".json"}},
};
enum { FILES = sizeof files/sizeof *files };

static int check_ending(document *d, const item *at, const char *key, const char *path, const char *const *endings)
{
  int fits = !endings[0] || (!strcmp(key, "file") && !strcmp(path, "-"));
  char all[80] = "";
  size_t n = 0;
  for (int i = 0; endings[i]; i++) {
    fits |= epi_file_ends(path, endings[i]);
    n += (size_t)snprintf(all + n, sizeof all - n, "%s%s", i ? " or " : "", endings[i]);
  }
  return fits ? 0 : epi_document_wrong(d, at, "%s: '%.60s' must end in %s", key, path, all);
}

static const char *output_path(pool *p, const char *path, const char *run)
{
  size_t n = epi_output_path(path, run, NULL, 0);
  char *out = epi_pool_room(p, n + 1, 1);
  if (out) epi_output_path(path, run, out, n + 1);
  return out ? out : "";
}

/* what stands outside is for all runs: each gets its name into the names of its files */
static int read_output(source *s, const item *map, int several, epi_request *p)
{
  outputs o = {.every = -1};
  if (!map) return 0;
  if (map->kind != ITEM_MAP)
    return epi_document_wrong(s->d, map, "output is %s: write keys, as in {every: 0.01, file: rows.csv}", epi_item_what(map));
  int bad = epi_fields_read(s, map, output_keys, &o);
  if (o.every >= 0) p->every = o.every;
  for (int i = 0; i < FILES; i++) {
    const char *path = *(const char **)((char *)&o + files[i].from), **to = (const char **)((char *)p + files[i].to);
    if (!path) continue;
    if (check_ending(s->d, epi_item_of(map, files[i].key), files[i].key, path, files[i].endings)) bad = REFUSED;
    *to = several ? output_path(&s->d->pool, path, p->name) : path;
  }
  return bad ? REFUSED : 0;
}

/* code of the user's: a path is seen from the folder of the file */
static int find_code(epi_file *m, source *s, const item *at, const char *name, const run_keys *k, const item *outside, epi_request *p)
{
  document *d = &m->d;
  const char *slash = strrchr(d->path, '/');
  long long size;
  p->source = epi_pool_text(&d->pool, "%.*s%s", name[0] == '/' || !slash ? 0 : (int)(slash - d->path) + 1, d->path, name);
  if (epi_file_plain(p->source, &size))
    return epi_document_wrong(d, at, "there is no file %.200s: a path is seen from the folder of this file", p->source);
  p->model = model_text(s, NULL, p->source, k->parameters, outside);
  return p->model ? 0 : REFUSED;
}

static int find_model(epi_file *m, source *s, const item *own, const run_keys *k, epi_request *p)
{
  document *d = &m->d;
  const run_keys *all = &m->keys.run;
  const char *name = k->model ? k->model : m->world ? NULL : all->model;
  const item *at = key_of(own, d->root, "model"), *outside = own ? all->parameters : NULL;
  if (name && epi_file_code(name)) return find_code(m, s, at, name, k, outside, p);
  const epi_model *model = name ? library_model(name) : &m->world->model;
  if (!model) return no_model(d, at, name);
  if (!name) {
    p->world = model;
    p->source = d->path;
    p->model = world_text(s, own ? k->parameters : NULL, model);
  } else p->model = model_text(s, model, model->name, k->parameters, outside);
  return p->model ? check_case(m, p, own, k, outside) : REFUSED;
}

/* how it is run: by a flow and a step, or for a tolerance, and to which end; holds: its friction holds what rests */
static void take_numbers(const run_keys *k, const run_keys *all, const described *holds, epi_request *p)
{
  int chosen = !isnan(k->tol), given = k->flow || !isnan(k->step);
  const char *flow = k->flow;
  /* no search for a flow finds another one that can hold what rests */
  if (holds && !flow && !chosen && !all->flow && isnan(all->tol)) flow = holds->model.flow, p->rests = 1, given = 1;
  p->flow = flow ? flow : chosen ? NULL : all->flow;
  p->step = !isnan(k->step) ? k->step : chosen ? NAN : all->step;
  p->tol = chosen ? k->tol : given ? NAN : all->tol;
  p->end = isnan(k->end) ? all->end : k->end;
}

static int read_numbers(document *d, const described *w, epi_request *p)
{
  source s = {.d = d};
  file_keys keys = {.run = nothing_said()};
  run_keys own = nothing_said();
  *p = (epi_request){.name = "", .step = NAN, .end = NAN, .tol = NAN, .every = NAN};
  if (epi_fields_read(&s, d->root, epi_file_keys, &keys)) return REFUSED;
  const item *one = keys.runs && keys.runs->n == 1 ? keys.runs->part[0] : NULL;
  if (one && epi_fields_read(&s, one, one_run_keys, &own)) return REFUSED;
  take_numbers(one ? &own : &keys.run, &keys.run, epi_file_holds(w) ? w : NULL, p);
  return (one && read_output(&s, keys.run.output, 0, p)) || read_output(&s, one ? own.output : keys.run.output, 0, p) ? REFUSED : 0;
}

/* own: the map of the run; NULL where the file is one run */
static int make_request(epi_file *m, int run, const item *own, const run_keys *all)
{
  document *d = &m->d;
  source s = {.d = d};
  epi_request *p = &m->request[run];
  run_keys k = own ? nothing_said() : *all;
  if (own && (epi_fields_read(&s, own, one_run_keys, &k) || one_way(d, own, &k))) return REFUSED;
  const char *title = m->keys.title ? m->keys.title : all->model ? all->model : "world";
  p->name = k.name ? k.name : own ? epi_pool_text(&d->pool, "run%d", run + 1) : title;
  take_numbers(&k, all, m->world && !k.model && epi_file_holds(m->world) ? m->world : NULL, p);
  p->fast = k.fast >= 0 ? k.fast : all->fast > 0;
  p->multipliers = k.multipliers >= 0 ? k.multipliers : all->multipliers > 0;
  p->actions = k.actions >= 0 ? k.actions : all->actions > 0;
  int bad = own && read_output(&s, all->output, m->n > 1, p);
  if (read_output(&s, k.output, 0, p)) bad = 1;
  if (find_model(m, &s, own, &k, p)) bad = 1;
  return bad ? REFUSED : 0;
}

/* of a world, the numbers of a run are those of its own parameters, also where they stand outside of it */
static int make_run(epi_file *m, int run, const item *own)
{
  document *d = &m->d;
  source s = {.d = d};
  const parameters *before = d->values;
  file_keys keys = {.run = nothing_said()};
  const item *mine = own && m->world ? epi_item_of(own, "parameters") : NULL;
  if (!mine || !d->values) return make_request(m, run, own, &m->keys.run);
  int bad = !epi_values_read(d, m->world->parameters, mine, NULL) || epi_fields_read(&s, d->root, epi_file_keys, &keys) ||
    make_request(m, run, own, &keys.run);
  d->values = before;
  return bad ? REFUSED : 0;
}

/* ---- the whole file ---- */
static const char *file_of(const epi_request *p, int i) { return *(const char *const *)((const char *)p + files[i].to); }

/* would the two write the same file? */
static int same_files(epi_file *m, const item *at, const epi_request *p, const epi_request *other)
{
  for (int a = 0; a < FILES; a++)
    for (int b = 0; b < FILES; b++) {
      const char *one = file_of(p, a), *two = file_of(other, b);
      if (one && two && !strcmp(one, two) && strcmp(one, "-"))
        return epi_document_wrong(&m->d, at, "the runs %s and %s would both write %.100s: give each its own file", other->name, p->name,
                                  one);
    }
  return 0;
}

static int same_names(epi_file *m)
{
  for (int i = 0; i < m->n; i++)
    for (int k = 0; k < i; k++) {
      const item *run = m->keys.runs->part[i], *at = epi_item_of(run, "name");
      if (!strcmp(m->request[i].name, m->request[k].name))
        return epi_document_wrong(&m->d, at ? at : run, "two runs are called '%s': give each its own name", m->request[i].name);
      if (same_files(m, run, &m->request[i], &m->request[k])) return REFUSED;
    }
  return 0;
}

static int check_compare(epi_file *m)
{
  const char *name = m->keys.compare;
  if (!name) return 0;
  const item *at = epi_item_of(m->d.root, "compare");
  if (!m->keys.runs) return epi_document_wrong(&m->d, at, "compare names a run, and there are no runs: write them under runs");
  for (int i = 0; i < m->n; i++) if (!strcmp(m->request[i].name, name)) return 0;
  const char *near = nearest(&m->d, name, m->request, m->n, name_of_run);
  if (near) return epi_document_wrong(&m->d, at, "compare: there is no run '%.40s'; did you mean %s?", name, near);
  return epi_document_wrong(&m->d, at, "compare: there is no run '%.40s': write the name of one", name);
}

static int check_top(epi_file *m)
{
  document *d = &m->d;
  const item *root = d->root, *runs = m->keys.runs;
  int every = runs && runs->n;
  for (int i = 0; every && i < runs->n; i++) every = epi_item_of(runs->part[i], "model") != NULL;
  if (m->keys.world && m->keys.run.model)
    return epi_document_wrong(d, epi_item_key(root, "world"), "model and world are both given: take one of them away");
  if (!m->keys.world && !m->keys.run.model && !every)
    return epi_document_wrong(d, root,
                              "the file names no model: write model: and a name of `epicycle list models`, or world: and its bodies");
  if (runs && !runs->n) return epi_document_wrong(d, runs, "runs is an empty list: write at least one, or take it away");
  if (runs && runs->n > 1000) return epi_document_wrong(d, runs, "%d runs are more than 1000: make several files of them", runs->n);
  if (m->keys.report && check_ending(d, epi_item_of(root, "report"), "report", m->keys.report, files[3].endings)) return REFUSED;
  return one_way(d, root, &m->keys.run);
}

static const field *key_named(const field *f, const char *name)
{
  while (f->name && strcmp(f->name, name)) f++;
  return f->name ? f : NULL;
}

/* keys of a world outside of it, and of the file inside: lines that are not indented as they should be */
static int check_places(document *d, const item *root)
{
  const field *all = epi_file_keys, *world = key_named(all, "world");
  const item *inner = root->kind == ITEM_MAP ? epi_item_of(root, "world") : NULL;
  int bad = 0;
  for (int i = 0; world && root->kind == ITEM_MAP && i < root->n; i++)
    if (!key_named(all, root->key[i]->text) && key_named(world->inner, root->key[i]->text))
      bad = epi_document_wrong(d, root->key[i], "'%s' stands under world: write world: above it, and indent it", root->key[i]->text);
  for (int i = 0; world && inner && inner->kind == ITEM_MAP && i < inner->n; i++)
    if (!key_named(world->inner, inner->key[i]->text) && key_named(all, inner->key[i]->text))
      bad = epi_document_wrong(d, inner->key[i], "'%s' is not a key of world but of the file: let it begin where world: does",
                               inner->key[i]->text);
  return bad;
}

int epi_file_understand(epi_file *m)
{
  document *d = &m->d;
  source s = {.d = d};
  m->keys.run = nothing_said();
  if (check_places(d, d->root) || epi_fields_known(d, d->root, "a model file", epi_file_keys) || epi_paths_open(d)) return REFUSED;
  const item *numbers = epi_item_of(d->root, "world") ? epi_item_of(d->root, "parameters") : NULL;
  if ((numbers || d->given) && epi_item_of(d->root, "world") && !epi_values_read(d, numbers, NULL, NULL)) return REFUSED;
  if (epi_fields_read(&s, d->root, epi_file_keys, &m->keys)) return REFUSED;
  if (check_top(m) || epi_file_read_sweep(m) || (m->keys.world && !(m->world = epi_described_read(d, m->keys.world)))) return REFUSED;
  if (m->world) m->world->parameters = m->keys.run.parameters;
  int n = m->keys.runs ? m->keys.runs->n : 1;
  const int one = m->world && n == 1;
  if (!(m->request = epi_pool_room(&d->pool, (size_t)n, sizeof *m->request))) return REFUSED;
  m->n = n;
  for (int i = 0; i < n; i++) m->request[i] = (epi_request){.name = "", .step = NAN, .end = NAN, .tol = NAN, .every = NAN};
  for (int i = 0; i < n && d->wrong < 10; i++) make_run(m, i, m->keys.runs ? m->keys.runs->part[i] : NULL);
  if (one && m->request->world && !d->wrong) m->world->asked = m->request, m->world->numbers = read_numbers;
  if (!d->wrong && !d->pool.out) epi_values_used(d);
  return d->wrong || d->pool.out || (m->keys.runs && same_names(m)) || check_compare(m) ? REFUSED : 0;
}
