/* read.c - systems and flows from the terms of a text, and sentences about what is wrong with them */
#include "reader.h"
#include "letters.h"
#include <stdio.h>

static void no_such(reader *r, const epi_term *t, const char *what, const epi_near *n)
{
  if (n->best) epi_wrong(r, t->column, "there is no %s '%s'; did you mean %s?", what, t->name, n->best);
  else epi_wrong(r, t->column, "there is no %s '%s'; 'epicycle list' shows what there is", what, t->name);
}

/* ---- options ---- */
static int param_of(reader *r, const char *what, const epi_param *params, const epi_term *t)
{
  epi_near near = epi_near_to(t->key);
  int n = 0;
  for (; params && params[n].name; n++) if (!strcmp(params[n].name, t->key)) return n;
  for (int i = 0; i < n; i++) epi_near_try(&near, params[i].name);
  if (near.best) epi_wrong(r, t->column, "%s has no option '%s'; did you mean %s?", what, t->key, near.best);
  else if (n) epi_wrong(r, t->column, "%s has no option '%s'; 'epicycle show %s' lists them", what, t->key, what);
  else epi_wrong(r, t->column, "%s has no options, and '%s' was given", what, t->key);
  return -1;
}

static int take_given(const epi_name *g, const epi_term *t, epi_value *v, int number)
{
  v->number = number;
  v->name = *g;
  v->name.name = NULL;
  memcpy(v->word, t->name, sizeof v->word);
  return 0;
}

/* is this thing of the user's what the option takes? */
static int fits(const epi_param *p, const epi_name *g)
{
  unsigned has = (g->table ? EPI_TAKES_TABLE : 0u) | (g->see ? EPI_TAKES_SEE : 0u) | (g->gap ? EPI_TAKES_GAP : 0u)
               | (g->kernel ? EPI_TAKES_KERNEL : 0u) | (g->scale ? EPI_TAKES_SCALE : 0u);
  return (p->takes & has) != 0;
}

static const epi_name *brought(const reader *r, const char *name)
{
  for (int i = 0; i < r->nname; i++) if (!strcmp(r->names[i].name, name)) return &r->names[i];
  return NULL;
}

static int given_otherwise(reader *r, const epi_param *p, const epi_term *t)
{
  return epi_wrong(r, t->column, "'%s' was given, but not as what %s needs%s%s", t->name, p->name, p->doc ? ": " : "",
                   p->doc ? p->doc : "");
}

/* a word of the user's comes before one of the library's */
static int read_word(reader *r, const epi_param *p, const epi_term *t, epi_value *v)
{
  int n = 0;
  while (p->words[n]) n++;
  const epi_name *g = t->kind == EPI_TERM_NAME ? brought(r, t->name) : NULL;
  if (g && fits(p, g)) return take_given(g, t, v, n);
  for (int i = 0; i < n; i++)
    if (t->kind == EPI_TERM_NAME && !strcmp(p->words[i], t->name)) { v->number = i; return 0; }
  const char *near = t->kind == EPI_TERM_NAME ? epi_nearest(t->name, p->words) : NULL;
  char all[160] = "";
  for (int i = 0; i < n; i++) snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? ", " : "", p->words[i]);
  if (g && p->takes) return given_otherwise(r, p, t);
  if (near) return epi_wrong(r, t->column, "%s cannot be '%s'; did you mean %s?", p->name, t->name, near);
  return epi_wrong(r, t->column, "%s is one of: %s%s", p->name, all, p->takes ? ", or a function of yours by its name" : "");
}

static int read_given(reader *r, const epi_param *p, const epi_term *t, epi_value *v)
{
  const epi_name *g = t->kind == EPI_TERM_NAME ? brought(r, t->name) : NULL;
  if (g && fits(p, g)) return take_given(g, t, v, 0);
  if (g) return given_otherwise(r, p, t);
  return epi_wrong(r, t->column, "%s=%s: nothing of that name was given; pass it in the names of epi_make_named", p->name, t->name);
}

static int read_list_value(reader *r, const epi_param *p, const epi_term *t, epi_value *v)
{
  if (t->kind == EPI_TERM_NUMBER) { v->number = t->number; return 0; }
  double *list = malloc((size_t)(t->n ? t->n : 1)*sizeof *list);
  if (!list) return epi_wrong_memory(r, t->column);
  if (t->n) memcpy(list, t->list, (size_t)t->n*sizeof *list);
  free((void *)v->list);
  v->list = list;
  v->n = t->n;
  return t->n == 0 ? epi_wrong(r, t->column, "%s is an empty list", p->name) : 0;
}

static int read_number(reader *r, const epi_param *p, const epi_term *t, epi_value *v)
{
  if (t->kind == EPI_TERM_NAME && !strcmp(t->name, "pi")) v->number = EPI_PI;
  else if (t->kind == EPI_TERM_NUMBER) v->number = t->number;
  else return epi_wrong(r, t->column, "%s needs a number%s", p->name, t->kind == EPI_TERM_LIST ? ", not a list" : "");
  if (!isfinite(v->number)) return epi_wrong(r, t->column, "%s is %g: give a finite number", p->name, v->number);
  if (p->kind == EPI_COUNT && !epi_is_whole(v->number))
    return epi_wrong(r, t->column, "%s is %g: give a whole number%s", p->name, v->number, epi_whole_limit(v->number));
  return 0;
}

static int read_value(reader *r, const epi_param *p, const epi_term *t, epi_value *v)
{
  if (v->given) return epi_wrong(r, t->column, "%s is given twice", p->name);
  v->given = 1;
  if (t->arg) return epi_wrong(r, t->column, "%s takes a value, not %s(...)", p->name, t->name);
  if (p->kind == EPI_WORD || p->words) return read_word(r, p, t, v);
  if (p->kind == EPI_GIVEN) return read_given(r, p, t, v);
  if (p->kind == EPI_COORDINATE && t->kind == EPI_TERM_NAME) { memcpy(v->word, t->name, sizeof v->word); return 0; }
  if (p->kind == EPI_FILE) return t->kind == EPI_TERM_NAME ? 0 : epi_wrong(r, t->column, "%s needs the path of a file", p->name);
  if (p->kind == EPI_LIST && t->kind != EPI_TERM_NAME) return read_list_value(r, p, t, v);
  return read_number(r, p, t, v);
}

/* options by key, and those given by place after the first `kids` names */
static int read_values(reader *r, const char *what, const epi_param *params, const epi_term *args, int kids, epi_value *v)
{
  int np = 0, place = 0;
  while (params && params[np].name) np++;
  for (const epi_term *t = args; t; t = t->next) {
    int i;
    if (!t->key[0] && t->kind == EPI_TERM_NAME && kids > 0) { kids--; continue; }
    if (t->key[0]) { if ((i = param_of(r, what, params, t)) < 0) return -1; }
    else {
      while (place < np && v[place].given) place++;
      i = place;
      if (i >= np) return epi_wrong(r, t->column, "%s was given more than it takes", what);
    }
    if (read_value(r, &params[i], t, &v[i])) return -1;
  }
  return 0;
}

/* of each that was given, as it stands in the text: pointers, and after them the letters; NULL: out of memory */
static char **list_given(int np, const epi_param *params, const epi_term *args)
{
  size_t letters = 0;
  for (const epi_term *t = args; t; t = t->next) letters += strlen(t->spelled ? t->spelled : t->name) + 1;
  char **list = epi_zeros(1, ((size_t)np + 1)*sizeof *list + letters), *to = list ? (char *)(list + np + 1) : NULL;
  int place = 0;
  for (const epi_term *t = args; t && list; t = t->next) {
    int i = 0;
    const char *value = t->spelled ? t->spelled : t->name;
    if (t->key[0]) while (i < np && strcmp(params[i].name, t->key)) i++;
    else { while (place < np && list[place]) place++; i = place; }
    if (i >= np) continue;
    list[i] = memcpy(to, value, strlen(value) + 1);
    to += strlen(value) + 1;
  }
  return list;
}

/* the options after a name: `at` stands after it in `text` */
int epi_read_options(const char *text, const char *at, const char *what, const epi_param *params, double *values, char ***given,
                     char *error, size_t size, epi_cause *cause)
{
  reader r = {.text = text, .at = at, .error = error, .size = size};
  epi_term all = {.kind = EPI_TERM_NAME};
  int np = 0, bad = 0;
  while (params && params[np].name) np++;
  epi_value *v = epi_zeros((size_t)np + 1, sizeof *v);
  error[0] = 0;
  if (!v) bad = epi_read_no_memory(&r);
  else if (epi_skip(&r) == '(') bad = epi_read_args(&r, &all);
  if (!bad && epi_skip(&r)) bad = epi_wrong(&r, epi_column(&r), "'%.*s' is not expected after %s%s", EPI_LETTER(r.at), what,
                                            all.arg ? "(...)" : "");
  if (!bad) bad = read_values(&r, what, params, all.arg, 0, v);
  for (int i = 0; i < np && !bad; i++) values[i] = v[i].given ? v[i].number : params[i].value;
  for (int i = 0; v && i < np; i++) free((void *)v[i].list);
  free(v);
  if (!bad && !(*given = list_given(np, params, all.arg))) bad = epi_read_no_memory(&r);
  epi_term_free(all.arg);
  *cause = r.cause;
  return bad ? -1 : 0;
}

/* ---- what the user brings ---- */
static int is_taken(const reader *r, const epi_flow *f)
{
  for (int i = 0; i < r->nname; i++) if (r->names[i].flow == f && r->taken && r->taken[i]) return 1;
  return 0;
}

/* a flow of the user's goes into the tree once; from then on the tree frees it */
static epi_flow *take_flow(reader *r, const epi_name *g, const epi_term *t)
{
  if (is_taken(r, g->flow) || g->flow->owned) {
    epi_wrong(r, t->column, "the flow '%s' is in use: a flow can be used only once, make a second one", t->name);
    return NULL;
  }
  r->taken[g - r->names] = 1;
  return g->flow;
}

static int named_before(const reader *r, int i)
{
  for (int k = 0; k < i; k++) if (r->names[k].flow == r->names[i].flow) return 1;
  return 0;
}

/* the caller gave them away: what the text did not reach, or had no use for, is freed here */
static void free_untaken(reader *r)
{
  for (int i = 0; i < r->nname; i++) {
    epi_flow *f = r->names[i].flow;
    if (f && !named_before(r, i) && !is_taken(r, f) && !f->owned) epi_free(f);
  }
}

/* what a record of the user's lacks would end in a call of nothing */
static int record_wrong(reader *r, const epi_name *g, const epi_term *t)
{
  const epi_record *m = g->record;
  if (!m->name || strcmp(m->name, g->name))
    return epi_wrong(r, t->column, "the record given as '%s' is called '%s': use one name for both", g->name, m->name ? m->name : "");
  if (m->abi != EPI_METHOD_ABI)
    return epi_wrong(r, t->column, "the record '%s' was not compiled for this Epicycle, %s: set .abi = EPI_METHOD_ABI and compile it again",
                     g->name, EPI_VERSION);
  const epi_param *rtol = m->claims & EPI_ADAPTIVE ? m->params : NULL;
  while (rtol && rtol->name && strcmp(rtol->name, "rtol")) rtol++;
  if (m->claims & EPI_ADAPTIVE && !(rtol && rtol->name))
    return epi_wrong(r, t->column, "the record '%s' claims EPI_ADAPTIVE and has no option rtol: give it one, for a tolerance", g->name);
  int two = m->arrow == EPI_COMBINE, whole = two && !m->build ? m->combine && m->least == 2 : m->build != NULL;
  if (!whole || !m->doc || !m->example || m->most < m->least || m->least < 1 || m->arrow < EPI_METHOD || m->arrow > EPI_COMBINE
      || ((two || m->arrow == EPI_METHOD) && m->most > 2))
    return epi_wrong(r, t->column, "the record '%s' is not whole: it needs doc, example, arrow, build and how many it takes (least, most)",
                     g->name);
  return 0;
}

/* a name of the user's is never hidden by one of the library's; NULL: none, or one that is wrong, after a sentence */
static const epi_record *record_of(reader *r, const epi_term *t)
{
  const epi_name *g = brought(r, t->name);
  if (g && g->record) return record_wrong(r, g, t) ? NULL : g->record;
  const epi_record *const *e = r->words->records;
  const char first = t->name[0];
  if (g && (g->flow || g->system)) return NULL;
  while (*e && ((*e)->name[0] != first || strcmp((*e)->name, t->name))) e++;
  return *e;
}

static void unknown(reader *r, const epi_term *t, const char *what, unsigned arrows)
{
  epi_near near = epi_near_to(t->name);
  if (r->error[0]) return;
  for (const epi_reserved *e = r->words->reserved; e->name; e++)
    if (!strcmp(e->name, t->name)) {
      if (e->now) epi_wrong(r, t->column, "'%s' is called %s now", t->name, e->now);
      else
        epi_wrong(r, t->column, "'%s' is a name kept for a later version (%s): 'epicycle list' shows what there is now", t->name, e->words);
      return;
    }
  for (const epi_record *const *e = r->words->records; *e; e++) if (arrows >> (*e)->arrow & 1) epi_near_try(&near, (*e)->name);
  for (int i = 0; i < r->nname; i++) {
    const epi_name *g = &r->names[i];
    if ((arrows & 1u << EPI_METHOD ? g->flow != NULL : g->system != NULL) || (g->record && arrows >> g->record->arrow & 1))
      epi_near_try(&near, g->name);
  }
  no_such(r, t, what, &near);
}

/* ---- systems ---- */
static epi_flow *make_flow(reader *, const epi_term *);
static epi_system *make_system(reader *, const epi_term *, char *called);
static epi_flow *make_wrapper(reader *, const epi_record *, const epi_term *);
static epi_flow *make_method(reader *, const epi_record *, const epi_term *);
static epi_flow *placed(epi_flow *, const epi_term *);

/* a system is prepared once for all nodes of the text; the reader holds it until its end. NULL, and the system is freed: out of memory */
static epi_space *space_of(reader *r, epi_system *sys)
{
  for (int i = 0; i < r->nspace; i++) if (r->space[i]->sys == sys) return r->space[i];
  epi_space **more = realloc(r->space, ((size_t)r->nspace + 1)*sizeof *more);
  if (more) r->space = more;
  epi_space *p = more ? epi_space_make(sys) : NULL;
  if (p) return r->space[r->nspace++] = p;
  epi_release(sys);
  return NULL;
}

/* how many names stand in front as systems or flows */
static int count_kids(const epi_record *rec, const epi_term *args)
{
  int n = 0;
  for (const epi_term *t = args; t && n < rec->most && !t->key[0] && t->kind == EPI_TERM_NAME; t = t->next) n++;
  return n;
}

static epi_system *make_combined(reader *r, const epi_record *rec, const epi_term *t)
{
  char called[2][EPI_WORD_SIZE];
  epi_system *part[2] = {0};
  if (count_kids(rec, t->arg) < 2) { epi_wrong(r, t->column, "%s takes two systems, as in %s(a, b)", rec->name, rec->name); return NULL; }
  for (int i = 0; i < 2; i++)
    if (!(part[i] = make_system(r, i ? t->arg->next : t->arg, called[i]))) { epi_release(part[0]); return NULL; }
  epi_system *s = rec->combine(rec, part[0], part[1]);
  if (!s) { epi_release(part[0]); epi_release(part[1]); epi_wrong_memory(r, t->column); return NULL; }
  memcpy(s->derived->called, called, sizeof called);
  return s;
}

/* the node of an average, or of a system of one, lives inside the system it makes */
static epi_system *make_average(reader *r, const epi_record *rec, const epi_term *t)
{
  epi_flow *f = placed(rec->arrow == EPI_AVERAGE ? make_wrapper(r, rec, t) : make_method(r, rec, t), t);
  if (!f) return NULL;
  if (!f->derives && !(f->derives = calloc(1, sizeof *f->derives))) { epi_free(f); epi_wrong_memory(r, t->column); return NULL; }
  epi_derived_system *m = f->derives;
  m->inner = f;
  f->owned = 1;
  m->sys.derived = m;
  if (f->broken) m->fault = f->fault;
  return &m->sys;
}

static epi_system *make_system(reader *r, const epi_term *t, char *called)
{
  const epi_name *g = brought(r, t->name);
  const epi_record *rec = record_of(r, t);
  called[0] = 0;
  if (g && g->system) {
    if (strcmp(t->name, "model")) memcpy(called, t->name, EPI_WORD_SIZE);
    return g->system;
  }
  if (rec && rec->arrow == EPI_COMBINE && !rec->build) return make_combined(r, rec, t);
  if (rec && (rec->arrow == EPI_AVERAGE || rec->arrow == EPI_COMBINE)) return make_average(r, rec, t);
  if (rec || (g && g->flow))
    epi_wrong(r, t->column, "'%s' is a flow, and a system is needed here: a method takes a system, such as model", t->name);
  else unknown(r, t, "system", 1u << EPI_AVERAGE | 1u << EPI_COMBINE);
  return NULL;
}

/* ---- flows ---- */
static epi_value *make_args(reader *r, const epi_record *rec, const epi_term *t, int kids)
{
  int np = 0;
  while (rec->params && rec->params[np].name) np++;
  epi_value *v = epi_zeros((size_t)np + 1, sizeof *v);
  if (!v) { epi_wrong_memory(r, t->column); return NULL; }
  for (int i = 0; i < np; i++) v[i].number = rec->params[i].value;
  if (!read_values(r, rec->name, rec->params, t->arg, kids, v)) return v;
  epi_args_free(rec, v);
  return NULL;
}

/* a coordinate by name is looked up in the system that moves */
static int find_coordinates(reader *r, const epi_record *rec, const epi_term *t, const epi_system *sys, epi_value *v)
{
  for (int i = 0; rec->params && rec->params[i].name; i++) {
    if (rec->params[i].kind != EPI_COORDINATE || !v[i].word[0]) continue;
    int n = sys ? epi_dim(sys) : 0, k = 0;
    char room[32];
    while (k < n && strcmp(epi_coordinate(sys, k, room, sizeof room), v[i].word)) k++;
    if (k < n) { v[i].number = k; continue; }
    epi_near near = epi_near_to(v[i].word);
    for (k = 0; k < n && sys->names; k++) if (sys->names[k]) epi_near_try(&near, sys->names[k]);
    if (near.best) return epi_wrong(r, t->column, "there is no coordinate '%s'; did you mean %s?", v[i].word, near.best);
    return epi_wrong(r, t->column, "there is no coordinate '%s': give its number, from 0", v[i].word);
  }
  return 0;
}

static epi_space *system_of(reader *r, const epi_record *rec, const epi_term *t, const epi_term *a, int i, char *called)
{
  const epi_name *model = brought(r, "model");
  epi_system *sys = NULL;
  if (a) sys = make_system(r, a, called);
  else if (i == 0 && model) sys = model->system;
  else if (rec->least == 2) epi_wrong(r, t->column, "%s takes two systems, as in %s", rec->name, rec->example);
  if (!sys) { epi_wrong(r, t->column, "%s needs a system: give one, as in %s(model)", rec->name, rec->name); return NULL; }
  epi_space *p = space_of(r, sys);
  if (!p) epi_wrong_memory(r, t->column);
  return p;
}

static epi_flow *make_method(reader *r, const epi_record *rec, const epi_term *t)
{
  char called[2][EPI_WORD_SIZE] = {"", ""};
  epi_space *space[2] = {0};
  int kids = count_kids(rec, t->arg);
  const epi_term *a = t->arg;
  for (int i = 0; i < rec->least || i < kids; i++, a = a && i <= kids ? a->next : a)
    if (!(space[i] = system_of(r, rec, t, i < kids ? a : NULL, i, called[i]))) return NULL;
  epi_value *v = make_args(r, rec, t, kids);
  if (!v) return NULL;
  epi_flow *f = epi_node(rec, space[0], space[1], 0, NULL, v);
  free(v);
  if (f == epi_no_memory()) { epi_wrong_memory(r, t->column); return NULL; }
  memcpy(f->called, called, sizeof called);
  return f;
}

static epi_flow *make_wrapper(reader *r, const epi_record *rec, const epi_term *t)
{
  epi_flow *f = NULL;
  epi_value *v = NULL;
  int kids = count_kids(rec, t->arg), n = 0;
  if (kids < rec->least) {
    epi_wrong(r, t->column, "%s takes %s, as in %s", rec->name, rec->least == 1 ? "a flow" : "two flows", rec->example);
    return NULL;
  }
  epi_flow **kid = epi_zeros((size_t)kids, sizeof(epi_flow *));
  if (!kid) { epi_wrong_memory(r, t->column); return NULL; }
  for (const epi_term *a = t->arg; n < kids; a = a->next, n++)
    if (!(kid[n] = make_flow(r, a))) goto out;
  if (!(v = make_args(r, rec, t, kids))) goto out;
  if (!kid[0]->broken && find_coordinates(r, rec, t, kid[0]->sys, v)) { epi_args_free(rec, v); v = NULL; goto out; }
  f = epi_node(rec, NULL, NULL, kids, kid, v);
  n = 0;
  if (f == epi_no_memory()) { epi_wrong_memory(r, t->column); f = NULL; }
out:
  while (n-- > 0) epi_free(kid[n]);
  free(kid);
  free(v);
  return f;
}

/* a refusal by the node itself gets the column of its name; one inherited has its own already */
static epi_flow *placed(epi_flow *f, const epi_term *t)
{
  if (!f || !f->broken || f->fault.column) return f;
  const epi_fault own = f->fault;
  snprintf(f->fault.words, sizeof f->fault.words, "column %d: %.*s", t->column, (int)sizeof own.words - 24, own.words);
  f->fault.column = t->column;
  return f;
}

static epi_flow *make_flow(reader *r, const epi_term *t)
{
  if (t->kind != EPI_TERM_NAME) { epi_wrong(r, t->column, "a flow is needed here, not a number"); return NULL; }
  const epi_name *g = brought(r, t->name);
  if (g && g->flow) return take_flow(r, g, t);
  const epi_record *rec = record_of(r, t);
  if (g && g->system)
    epi_wrong(r, t->column, "'%s' is a system, and a flow is needed here: make one of it, as in verlet(%s)", t->name, t->name);
  else if (!rec) unknown(r, t, "flow", 1u << EPI_METHOD | 1u << EPI_WRAPPER);
  else if (rec->arrow == EPI_METHOD) return placed(make_method(r, rec, t), t);
  else if (rec->arrow == EPI_WRAPPER) return placed(make_wrapper(r, rec, t), t);
  else
    epi_wrong(r, t->column, "'%s' makes a system, and a flow is needed here: put a method around it, as in verlet(%s(...))", t->name,
              t->name);
  return NULL;
}

static void close(reader *r)
{
  free_untaken(r);
  for (int i = 0; i < r->nspace; i++) epi_space_release(r->space[i]);
  free(r->space);
  free(r->taken);
}

epi_flow *epi_make_text(const char *text, const epi_name *names, const epi_vocabulary *words)
{
  char error[EPI_SENTENCE_SIZE] = "";
  reader r = {.text = text, .at = text, .names = names, .words = words, .error = error, .size = sizeof error};
  epi_flow *f = NULL;
  while (names && names[r.nname].name) r.nname++;
  r.taken = epi_zeros((size_t)r.nname + 1, 1);
  if (!text) { snprintf(error, sizeof error, "there is no text: write a flow, such as verlet"); r.cause = EPI_REQUEST; }
  else if (!r.taken) epi_read_no_memory(&r);
  epi_term *t = error[0] ? NULL : epi_read_whole(&r, "flow");
  if (t && t->key[0]) epi_wrong(&r, t->column, "a flow is needed here, not an option");
  if (!error[0]) f = make_flow(&r, t);
  epi_term_free(t);
  close(&r);
  if (!error[0] && !f) epi_read_no_memory(&r);
  if (!f) return epi_refused_flow(r.cause, r.column, error);
  epi_ready(f);
  return f;
}
