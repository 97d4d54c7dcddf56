/* read.c - systems and flows from the terms of a text, and sentences about what is wrong with them */
#include "text/term.h"

enum { MOST_NAMES = sizeof ((reader *)0)->taken };

static void no_such(reader *r, const term *t, const char *what, int n, const char *const *among)
{
  const char *near = epi_nearest(t->name, among, n);
  if (near) epi_wrong(r, t->column, "there is no %s '%s'; did you mean %s?", what, t->name, near);
  else epi_wrong(r, t->column, "there is no %s '%s'; 'epicycle list' shows what there is", what, t->name);
}

/* ---- options ---- */
static int param_of(reader *r, const char *what, const epi_param *params, const term *t)
{
  const char *among[MOST_NAMES] = {0};
  int n = 0;
  for (; params && params[n].name; n++) {
    if (!strcmp(params[n].name, t->key)) return n;
    among[n] = params[n].name;
  }
  const char *near = epi_nearest(t->key, among, n);
  if (near) epi_wrong(r, t->column, "%s has no option '%s'; did you mean %s?", what, t->key, near);
  else if (n) epi_wrong(r, t->column, "%s has no option '%s'; 'epicycle show %s' lists them", what, t->key, what);
  else epi_wrong(r, t->column, "%s has no options, and '%s' was given", what, t->key);
  return -1;
}

static int take_given(const epi_name *g, const term *t, epi_value *v, int number)
{
  v->number = number;
  v->name = *g;
  v->name.name = NULL;
  memcpy(v->word, t->name, sizeof v->word);
  return 0;
}

/* the options whose words a function of the user's may replace */
static int may_be_yours(const epi_param *p) { return !strcmp(p->name, "kernel") || !strcmp(p->name, "objective") || !strcmp(p->name, "scaling"); }

static int stands_for(const epi_param *p, const epi_name *g)
{
  return !strcmp(p->name, "kernel") ? g->kernel != NULL : !strcmp(p->name, "objective") ? g->gap != NULL
         : !strcmp(p->name, "scaling") && (g->gap != NULL || g->scale != NULL);
}

static int read_word(reader *r, const epi_param *p, const term *t, epi_value *v)
{
  int n = 0;
  for (; p->words[n]; n++)
    if (t->kind == NAME && !strcmp(p->words[n], t->name)) { v->number = n; return 0; }
  for (const epi_name *g = r->names; t->kind == NAME && g && g->name; g++)
    if (stands_for(p, g) && !strcmp(g->name, t->name)) return take_given(g, t, v, n);
  const char *near = t->kind == NAME ? epi_nearest(t->name, p->words, n) : NULL;
  char all[160] = "";
  for (int i = 0; i < n; i++) snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? ", " : "", p->words[i]);
  if (near) epi_wrong(r, t->column, "%s cannot be '%s'; did you mean %s?", p->name, t->name, near);
  else epi_wrong(r, t->column, "%s is one of: %s%s", p->name, all, may_be_yours(p) ? ", or a function of yours by its name" : "");
  return -1;
}

static int read_given(reader *r, const epi_param *p, const term *t, epi_value *v)
{
  for (const epi_name *g = r->names; t->kind == NAME && g && g->name; g++)
    if (!strcmp(g->name, t->name)) {
      int fits = !strcmp(p->name, "table") ? g->table != NULL : !strcmp(p->name, "gap") ? g->gap != NULL : g->see != NULL;
      if (!fits) { epi_wrong(r, t->column, "'%s' was given, but not as what %s needs: %s", t->name, p->name, p->doc); return -1; }
      return take_given(g, t, v, 0);
    }
  epi_wrong(r, t->column, "%s=%s: nothing of that name was given; pass it in the names of epi_make_named", p->name, t->name);
  return -1;
}

static int read_list_value(reader *r, const epi_param *p, const term *t, epi_value *v)
{
  if (t->kind == NUMBER) { v->number = t->number; return 0; }
  double *list = malloc((size_t)(t->n ? t->n : 1)*sizeof *list);
  if (!list) { epi_wrong(r, t->column, "out of memory"); return -1; }
  memcpy(list, t->list, (size_t)t->n*sizeof *list);
  free((void *)v->list);
  v->list = list;
  v->n = t->n;
  if (t->n == 0) { epi_wrong(r, t->column, "%s is an empty list", p->name); return -1; }
  return 0;
}

static int read_value(reader *r, const epi_param *p, const term *t, epi_value *v)
{
  if (v->given) { epi_wrong(r, t->column, "%s is given twice", p->name); return -1; }
  v->given = 1;
  if (t->arg) { epi_wrong(r, t->column, "%s takes a value, not %s(...)", p->name, t->name); return -1; }
  if (p->kind == EPI_WORD || p->words) return read_word(r, p, t, v);
  if (p->kind == EPI_GIVEN) return read_given(r, p, t, v);
  if (p->kind == EPI_COORDINATE && t->kind == NAME) { memcpy(v->word, t->name, sizeof v->word); return 0; }
  if (p->kind == EPI_LIST && t->kind != NAME) return read_list_value(r, p, t, v);
  if (t->kind == NAME && !strcmp(t->name, "pi")) v->number = EPI_PI;
  else if (t->kind == NUMBER) v->number = t->number;
  else { epi_wrong(r, t->column, "%s needs a number%s", p->name, t->kind == LIST ? ", not a list" : ""); return -1; }
  if (!isfinite(v->number)) { epi_wrong(r, t->column, "%s is %g: give a finite number", p->name, v->number); return -1; }
  if (p->kind == EPI_COUNT && v->number != floor(v->number)) { epi_wrong(r, t->column, "%s is %g: give a whole number", p->name, v->number); return -1; }
  return 0;
}

/* options by key, and those given by place after the first `kids` names */
static int read_values(reader *r, const char *what, const epi_param *params, const term *args, int kids, epi_value *v)
{
  int np = 0, place = 0;
  while (params && params[np].name) np++;
  for (const term *t = args; t; t = t->next) {
    int i;
    if (!t->key[0] && t->kind == NAME && kids > 0) { kids--; continue; }
    if (t->key[0]) { if ((i = param_of(r, what, params, t)) < 0) return -1; }
    else {
      while (place < np && v[place].given) place++;
      i = place;
      if (i >= np) { epi_wrong(r, t->column, "%s was given more than it takes", what); return -1; }
    }
    if (read_value(r, &params[i], t, &v[i])) return -1;
  }
  return 0;
}

/* the options after a name: `at` stands after it in `text` */
int epi_read_options(const char *text, const char *at, const char *what, const epi_param *params, double *values, char *error, size_t size)
{
  reader r;
  int np = 0, bad = -1;
  while (params && params[np].name) np++;
  if (epi_reader_open(&r, text, NULL, error, size)) { epi_reader_close(&r); return -1; }
  r.at = at;
  epi_value *v = calloc((size_t)np + 1, sizeof *v);
  term *t = r.free++;
  if (!v) snprintf(error, size, "out of memory");
  else if (epi_skip(&r) != '(') bad = *r.at ? (epi_wrong(&r, epi_column(&r), "'%c' is not expected after %s", *r.at, what), -1) : 0;
  else if (!epi_read_args(&r, t)) {
    bad = epi_skip(&r) ? (epi_wrong(&r, epi_column(&r), "'%c' is not expected after %s(...)", *r.at, what), -1) : read_values(&r, what, params, t->arg, 0, v);
  }
  for (int i = 0; i < np && !bad; i++) values[i] = v[i].given ? v[i].number : params[i].value;
  for (int i = 0; v && i < np; i++) free((void *)v[i].list);
  free(v);
  epi_reader_close(&r);
  return bad;
}

/* ---- systems and flows ---- */
static epi_flow *make_flow(reader *, const term *);
static epi_system *make_system(reader *, const term *, char *called);

static const epi_name *given(const reader *r, const char *name)
{
  for (const epi_name *g = r->names; g && g->name; g++)
    if (!strcmp(g->name, name)) return g;
  return NULL;
}

static int is_taken(const reader *r, const epi_flow *f)
{
  for (int i = 0; i < MOST_NAMES && r->names && r->names[i].name; i++)
    if (r->names[i].flow == f && r->taken[i]) return 1;
  return 0;
}

/* a flow of the user's goes into the tree once; from then on the tree frees it */
static epi_flow *take_flow(reader *r, const epi_name *g, const term *t)
{
  if (g - r->names >= MOST_NAMES || is_taken(r, g->flow) || g->flow->owned) {
    epi_wrong(r, t->column, "the flow '%s' is in use: a flow can be used only once, make a second one", t->name);
    return NULL;
  }
  r->taken[g - r->names] = 1;
  return g->flow;
}

/* the caller gave them away: what the text did not reach, or had no use for, is freed here */
static void free_untaken(reader *r)
{
  for (int i = 0; i < MOST_NAMES && r->names && r->names[i].name; i++) {
    epi_flow *f = r->names[i].flow;
    if (!f || is_taken(r, f) || f->owned) continue;
    epi_free(f);
    r->taken[i] = 1;
  }
}

static void unknown(reader *r, const term *t, const char *what, unsigned arrows)
{
  const char *among[MOST_NAMES];
  int n = 0;
  for (const epi_reserved *e = epi_reserved_names(); e->name; e++)
    if (!strcmp(e->name, t->name)) {
      epi_wrong(r, t->column, "'%s' is a name kept for a later version (%s): 'epicycle list' shows what there is now", t->name, e->words);
      return;
    }
  for (const epi_record *const *e = epi_records(); *e && n < MOST_NAMES; e++)
    if (arrows >> (*e)->arrow & 1) among[n++] = (*e)->name;
  for (const epi_name *g = r->names; g && g->name && n < MOST_NAMES; g++)
    if (arrows & 1u << EPI_METHOD ? g->flow != NULL : g->system != NULL) among[n++] = g->name;
  no_such(r, t, what, n, among);
}

/* how many names stand in front as systems or flows */
static int count_kids(const epi_record *rec, const term *args)
{
  int n = 0;
  for (const term *t = args; t && n < rec->most && !t->key[0] && t->kind == NAME; t = t->next) n++;
  return n;
}

static epi_system *make_sum(reader *r, const epi_record *rec, const term *t)
{
  char called[2][EPI_WORD_SIZE];
  epi_system *part[2] = {0};
  if (count_kids(rec, t->arg) < 2) { epi_wrong(r, t->column, "sum takes two systems, as in sum(a, b)"); return NULL; }
  for (int i = 0; i < 2; i++)
    if (!(part[i] = make_system(r, i ? t->arg->next : t->arg, called[i]))) { epi_release(part[0]); return NULL; }
  epi_system *s = epi_sum_build(rec, part[0], part[1]);
  if (!s) { epi_release(part[0]); epi_release(part[1]); epi_wrong(r, t->column, "out of memory"); return NULL; }
  memcpy(s->derived->called, called, sizeof called);
  return s;
}

static epi_flow *make_wrapper(reader *, const epi_record *, const term *);
static epi_flow *placed(epi_flow *, const term *);

/* the node of an average lives inside the system it makes */
static epi_system *make_average(reader *r, const epi_record *rec, const term *t)
{
  epi_flow *f = placed(make_wrapper(r, rec, t), t);
  if (!f) return NULL;
  if (!f->derives && !(f->derives = calloc(1, sizeof *f->derives))) { epi_free(f); epi_wrong(r, t->column, "out of memory"); return NULL; }
  epi_derived_system *m = f->derives;
  m->inner = f;
  f->owned = 1;
  m->sys.derived = m;
  if (f->broken) memcpy(m->error, f->error, sizeof m->error);
  return &m->sys;
}

static epi_system *make_system(reader *r, const term *t, char *called)
{
  const epi_name *g = given(r, t->name);
  const epi_record *rec = epi_record_of(t->name);
  called[0] = 0;
  if (g && g->system) {
    if (strcmp(t->name, "model")) memcpy(called, t->name, EPI_WORD_SIZE);
    return g->system;
  }
  if (rec && rec->arrow == EPI_COMBINE) return make_sum(r, rec, t);
  if (rec && rec->arrow == EPI_AVERAGE) return make_average(r, rec, t);
  if (rec || (g && g->flow)) epi_wrong(r, t->column, "'%s' is a flow, and a system is needed here: a method takes a system, such as model", t->name);
  else unknown(r, t, "system", 1u << EPI_AVERAGE | 1u << EPI_COMBINE);
  return NULL;
}

static epi_value *make_args(reader *r, const epi_record *rec, const term *t, int kids)
{
  int np = 0;
  while (rec->params && rec->params[np].name) np++;
  epi_value *v = calloc((size_t)np + 1, sizeof *v);
  if (!v) { epi_wrong(r, t->column, "out of memory"); return NULL; }
  for (int i = 0; i < np; i++) v[i].number = rec->params[i].value;
  if (!read_values(r, rec->name, rec->params, t->arg, kids, v)) return v;
  epi_args_free(rec, v);
  return NULL;
}

/* a coordinate by name is looked up in the system that moves */
static int find_coordinates(reader *r, const epi_record *rec, const term *t, const epi_system *sys, epi_value *v)
{
  for (int i = 0; rec->params && rec->params[i].name; i++) {
    if (rec->params[i].kind != EPI_COORDINATE || !v[i].word[0]) continue;
    int n = sys && sys->names ? epi_dim(sys) : 0, k = 0;
    while (k < n && strcmp(sys->names[k], v[i].word)) k++;
    if (k < n) { v[i].number = k; continue; }
    const char *near = n ? epi_nearest(v[i].word, sys->names, n) : NULL;
    if (near) epi_wrong(r, t->column, "there is no coordinate '%s'; did you mean %s?", v[i].word, near);
    else epi_wrong(r, t->column, "there is no coordinate '%s': give its number, from 0", v[i].word);
    return -1;
  }
  return 0;
}

static epi_flow *make_method(reader *r, const epi_record *rec, const term *t)
{
  char called[2][EPI_WORD_SIZE] = {"", ""};
  epi_system *sys[2] = {0};
  int kids = count_kids(rec, t->arg);
  const epi_name *model = given(r, "model");
  const term *a = t->arg;
  for (int i = 0; i < rec->least; i++, a = i <= kids ? a->next : a) {
    if (i < kids) sys[i] = make_system(r, a, called[i]);
    else if (i == 0 && model) sys[0] = model->system;
    else if (rec->least == 2) epi_wrong(r, t->column, "%s takes two systems, as in %s", rec->name, rec->example);
    else epi_wrong(r, t->column, "%s needs a system: give one, as in %s(model)", rec->name, rec->name);
    if (!sys[i]) { epi_release(sys[0]); return NULL; }
  }
  epi_value *v = make_args(r, rec, t, kids);
  if (!v) { epi_release(sys[0]); epi_release(sys[1]); return NULL; }
  epi_flow *f = epi_node_of_two(rec, sys[0], sys[1], 0, NULL, v);
  free(v);
  if (f == epi_no_memory()) { epi_release(sys[0]); epi_release(sys[1]); epi_wrong(r, t->column, "out of memory"); return NULL; }
  memcpy(f->called, called, sizeof called);
  return f;
}

static epi_flow *make_wrapper(reader *r, const epi_record *rec, const term *t)
{
  enum { MOST_KIDS = 8 };
  epi_flow *kid[MOST_KIDS] = {0}, *f = NULL;
  epi_value *v = NULL;
  int kids = count_kids(rec, t->arg), n = 0;
  if (kids < rec->least) {
    epi_wrong(r, t->column, "%s takes %s, as in %s", rec->name, rec->least == 1 ? "a flow" : "two flows", rec->example);
    return NULL;
  }
  for (const term *a = t->arg; n < kids; a = a->next, n++)
    if (!(kid[n] = make_flow(r, a))) goto out;
  if (!(v = make_args(r, rec, t, kids))) goto out;
  if (!kid[0]->broken && find_coordinates(r, rec, t, kid[0]->sys, v)) { epi_args_free(rec, v); v = NULL; goto out; }
  f = epi_node(rec, NULL, kids, kid, v);
  n = 0;
  if (f == epi_no_memory()) { epi_wrong(r, t->column, "out of memory"); f = NULL; }
out:
  while (n-- > 0) epi_free(kid[n]);
  free(v);
  return f;
}

/* a refusal by the node itself gets the column of its name; one inherited has its own already */
static epi_flow *placed(epi_flow *f, const term *t)
{
  char words[sizeof f->error];
  if (!f || !f->broken || !strncmp(f->error, "column ", 7)) return f;
  memcpy(words, f->error, sizeof words);
  snprintf(f->error, sizeof f->error, "column %d: %.*s", t->column, (int)sizeof words - 24, words);
  return f;
}

static epi_flow *make_flow(reader *r, const term *t)
{
  const epi_name *g = given(r, t->name);
  const epi_record *rec = epi_record_of(t->name);
  if (t->kind != NAME) { epi_wrong(r, t->column, "a flow is needed here, not a number"); return NULL; }
  if (g && g->flow) return take_flow(r, g, t);
  if (g && g->system) epi_wrong(r, t->column, "'%s' is a system, and a flow is needed here: make one of it, as in verlet(%s)", t->name, t->name);
  else if (!rec) unknown(r, t, "flow", 1u << EPI_METHOD | 1u << EPI_WRAPPER);
  else if (rec->arrow == EPI_METHOD) return placed(make_method(r, rec, t), t);
  else if (rec->arrow == EPI_WRAPPER) return placed(make_wrapper(r, rec, t), t);
  else epi_wrong(r, t->column, "'%s' makes a system, and a flow is needed here: put a method around it, as in verlet(%s(...))", t->name, t->name);
  return NULL;
}

static epi_flow *say_only(const char *error)
{
  epi_flow *f = calloc(1, sizeof *f);
  if (!f) return epi_no_memory();
  f->broken = 1;
  snprintf(f->error, sizeof f->error, "%s", error);
  return f;
}

epi_flow *epi_make_named(const char *text, const epi_name *names)
{
  reader r;
  char error[320];
  epi_flow *f = NULL;
  int closed = epi_reader_open(&r, text ? text : "", names, error, sizeof error);
  term *t = NULL;
  if (!text) snprintf(error, sizeof error, "there is no text: write a flow, such as verlet");
  if (!closed && !error[0]) t = epi_read_term(&r);
  if (t && epi_skip(&r)) epi_wrong(&r, epi_column(&r), "'%c' is not expected here: the flow is complete", *r.at);
  if (!error[0] && t->key[0]) epi_wrong(&r, t->column, "a flow is needed here, not an option");
  if (!error[0]) f = make_flow(&r, t);
  free_untaken(&r);
  epi_reader_close(&r);
  if (!f) return say_only(error[0] ? error : "out of memory");
  epi_ready(f);
  return f;
}

epi_flow *epi_make(const char *text, epi_system *model)
{
  if (!model) return say_only("there is no system: declare one and pass its address");
  return epi_make_named(text, (epi_name[]){{.name = "model", .system = model}, {0}});
}
