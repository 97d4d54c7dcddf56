/* tree.c - walks over the nodes of a flow: what they keep, count and say */
#include "core.h"
#include "two.h"
#include <stdio.h>

typedef void visitor(epi_flow *, void *);
static int visit_system(epi_system *, visitor *, void *);
static void clear_marks(epi_flow *);

/* most systems stand on nothing, and are passed by without a call */
static inline int leads_on(const epi_system *s, int mark) { return s && s->derived && s->derived->mark == mark; }

/* 1: a system was marked */
static int visit(epi_flow *f, visitor *see, void *data)
{
  int marked = 0;
  see(f, data);
  for (int i = 0; i < f->nkid; i++) marked |= visit(f->kid[i], see, data);
  /* a kid's system is walked at the kid */
  if (!f->nkid && leads_on(f->sys, 0)) marked |= visit_system(f->sys, see, data);
  return leads_on(f->other, 0) ? marked | visit_system(f->other, see, data) : marked;
}

/* several flows may hold one averaged system: it is walked at the first */
static int visit_system(epi_system *s, visitor *see, void *data)
{
  s->derived->mark = 1;
  if (s->derived->inner) visit(s->derived->inner, see, data);
  for (int i = 0; i < 2; i++) if (leads_on(s->derived->part[i], 0)) visit_system(s->derived->part[i], see, data);
  return 1;
}

static void clear_system(epi_system *s)
{
  s->derived->mark = 0;
  if (s->derived->inner) clear_marks(s->derived->inner);
  for (int i = 0; i < 2; i++) if (leads_on(s->derived->part[i], 1)) clear_system(s->derived->part[i]);
}

static void clear_marks(epi_flow *f)
{
  for (int i = 0; i < f->nkid; i++) clear_marks(f->kid[i]);
  if (!f->nkid && leads_on(f->sys, 1)) clear_system(f->sys);
  if (leads_on(f->other, 1)) clear_system(f->other);
}

/* most flows are a chain that ends in a method, and nothing in it is held twice */
EPI_INLINED void walk(epi_flow *f, visitor *see, void *data)
{
  for (; f->nkid == 1 && !f->other; f = f->kid[0]) see(f, data);
  if (!f->nkid && !f->other && !(f->sys && f->sys->derived)) see(f, data);
  else if (visit(f, see, data)) clear_marks(f);
}
void epi_visit(epi_flow *f, visitor *see, void *data) { walk(f, see, data); }

static void add_keep(epi_flow *f, void *p) { *(long *)p += f->nkeep; }
static void add_calls(epi_flow *f, void *p) { *(long *)p += f->calls; }
static void forget(epi_flow *f, void *p) { (void)p; if (f->nkeep) memset(f->keep, 0, (size_t)f->nkeep*sizeof *f->keep); }
static void out(epi_flow *f, void *p)
{
  double **b = p;
  if (f->nkeep) memcpy(*b, f->keep, (size_t)f->nkeep*sizeof **b);
  *b += f->nkeep;
}
static void in(epi_flow *f, void *p)
{
  const double **b = p;
  if (f->nkeep) memcpy(f->keep, *b, (size_t)f->nkeep*sizeof **b);
  *b += f->nkeep;
}

long epi_keep_size(const epi_flow *f) { long n = 0; epi_visit((epi_flow *)f, add_keep, &n); return n; }
void epi_keep_out(const epi_flow *f, double *to) { walk((epi_flow *)f, out, &to); }
void epi_keep_in(epi_flow *f, const double *from) { walk(f, in, &from); }
void epi_forget(epi_flow *f) { epi_visit(f, forget, NULL); }
long epi_calls(const epi_flow *f) { long n = 0; walk((epi_flow *)f, add_calls, &n); return n; }

/* ---- what was seen ---- */
static void add_seen(epi_flow *f, void *p) { *(long *)p += f->nseen; }
static void seen_out(epi_flow *f, void *p)
{
  double **b = p;
  if (f->nseen) f->seen_out(f, *b);
  *b += f->nseen;
}
typedef struct { const double *at; int bad; } seen_reader;
static void seen_in(epi_flow *f, void *p)
{
  seen_reader *r = p;
  if (f->nseen && f->seen_in(f, r->at)) r->bad = 1;
  r->at += f->nseen;
}

long epi_seen_size(epi_flow *f) { long n = 0; epi_visit(f, add_seen, &n); return n; }
void epi_seen_out(epi_flow *f, double *to) { epi_visit(f, seen_out, &to); }
int epi_seen_in(epi_flow *f, const double *from)
{
  seen_reader r = {.at = from};
  epi_visit(f, seen_in, &r);
  return r.bad;
}

typedef struct { const epi_state *s; int count; } repeater;
static void add_repeat(epi_flow *f, void *p)
{
  const repeater *r = p;
  epi_derived_system *m = f->sys ? f->sys->derived : NULL;
  if (m && m->inner && f != m->inner && epi_cache_valid(f, r->s) && (!f->knows || f->knows(f, r->s))) m->inner->repeats += r->count;
}
void epi_repeats(epi_flow *f, const epi_state *s, int count) { epi_visit(f, add_repeat, &(repeater){s, count}); }

/* ---- errors ---- */
static void find_fault(epi_flow *f, void *p) { const epi_fault **x = p; if (!*x && f->fault.words[0]) *x = &f->fault; }
static void clear_error(epi_flow *f, void *p) { (void)p; f->fault.words[0] = 0; }

/* the deepest one is written first, and only the root is asked */
static const epi_fault *fault_of(const epi_flow *f)
{
  const epi_fault *x = NULL;
  if (f->broken) return &f->fault;
  epi_visit((epi_flow *)f, find_fault, &x);
  return x;
}

const char *epi_error(const epi_flow *f)
{
  const epi_fault *x = fault_of(f);
  return x ? x->words : NULL;
}

epi_cause epi_cause_of(const epi_flow *f)
{
  const epi_fault *x = fault_of(f);
  return x ? x->cause : EPI_NO_CAUSE;
}

void epi_clear_error(epi_flow *f) { if (epi_error(f)) epi_visit(f, clear_error, NULL); }

/* ---- warnings ---- */
typedef struct { int left; const epi_flow *found; } warning_search;
static void find_warning(epi_flow *f, void *p)
{
  warning_search *w = p;
  if (f->doubt) f->doubt(f);
  if (f->warning[0] && !w->found && w->left-- == 0) w->found = f;
}

const epi_flow *epi_warns(const epi_flow *f, int i)
{
  warning_search w = {.left = i};
  epi_visit((epi_flow *)f, find_warning, &w);
  return w.found;
}

const char *epi_warning(const epi_flow *f, int i)
{
  const epi_flow *node = epi_warns(f, i);
  return node ? node->warning : NULL;
}

epi_cause epi_warning_cause(const epi_flow *f, int i)
{
  const epi_flow *node = epi_warns(f, i);
  return !node ? EPI_NO_CAUSE : node->dear ? EPI_COST : node->warning_cause;
}

/* ---- reporting ---- */
typedef struct { void (*visit)(void *, const epi_info *); void *data; int depth; } walker;

static void tell_made(const epi_system *, walker);

static void tell(const epi_flow *f, walker w)
{
  char text[512] = "";
  if (f->record) epi_options_text(f->record, f->arg, text, sizeof text);
  epi_info info = {.record = f->record, .depth = w.depth, .order = f->order, .claims = f->claims,
                   .steps = f->steps, .calls = f->calls, .refused = f->refused,
                   .text = text, .shortest = f->shortest, .longest = f->longest, .others = f->others, .slopes = f->slopes,
                   .chosen = f->chosen, .node = f};
  w.visit(w.data, &info);
  w.depth++;
  for (int i = 0; i < f->nkid; i++) tell(f->kid[i], w);
  if (!f->nkid) tell_made(f->sys, w);
  tell_made(f->other, w);
}

static void tell_made(const epi_system *s, walker w)
{
  if (!s || !s->derived || s->derived->mark) return;
  const epi_derived_system *m = s->derived;
  s->derived->mark = 1;
  if (m->inner) { tell(m->inner, w); return; }
  w.visit(w.data, &(epi_info){.record = m->record, .depth = w.depth, .text = ""});
  w.depth++;
  for (int i = 0; i < 2; i++) tell_made(m->part[i], w);
}

void epi_walk(const epi_flow *f, void (*see)(void *, const epi_info *), void *data)
{
  if (!f->record) return;
  tell(f, (walker){see, data, 0});
  clear_marks((epi_flow *)f);
}

const char *epi_claims_text(unsigned claims, char *text, size_t size)
{
  static const struct { unsigned bit; const char *word; } words[] = {
    {EPI_SYMPLECTIC, "symplectic"}, {EPI_SYMMETRIC, "symmetric"}, {EPI_REVERSIBLE, "reversible"}, {EPI_EXPLICIT, "explicit"},
    {EPI_BACKWARD, "backward"}, {EPI_ESTIMATE, "error estimate"},
  };
  size_t n = 0;
  if (size) text[0] = 0;
  for (size_t i = 0; i < sizeof words/sizeof *words && n < size; i++)
    if (claims & words[i].bit) n += (size_t)snprintf(text + n, size - n, "%s%s", n ? ", " : "", words[i].word);
  return text;
}
