/* node.c - nodes: how they are made and freed */
#include "core.h"
#include <stdio.h>

/* when even the node cannot be had: shared, never written to, never freed */
epi_flow *epi_no_memory(void)
{
  static const epi_flow node = {.broken = 1, .owned = 1,
                                .fault = {"out of memory: the flow could not be made", EPI_MEMORY, 0}};
  return (epi_flow *)&node;
}

epi_flow *epi_refused_flow(epi_cause cause, int column, const char *sentence)
{
  epi_flow *f = epi_zeros(1, sizeof *f);
  if (!f) return epi_no_memory();
  f->broken = 1;
  epi_fault_record(&f->fault, 0, cause, "%s", sentence);
  f->fault.column = column;
  return f;
}

/* ---- who holds what ---- */
epi_space *epi_space_hold(epi_space *p)
{
  if (p) p->refs++;
  return p;
}

void epi_space_release(epi_space *p)
{
  if (!p || --p->refs > 0) return;
  epi_release(p->sys);
  epi_space_free(p);
}

void epi_release(epi_system *s)
{
  if (!s || !s->derived || --s->derived->refs > 0) return;
  epi_derived_system *m = s->derived;
  if (m->drop) m->drop(m);
  epi_free(m->inner);
  epi_release(m->part[0]);
  epi_release(m->part[1]);
  free(m);
}

static void free_lists(const epi_record *r, const epi_value *arg)
{
  for (int i = 0; arg && r->params && r->params[i].name; i++) free((void *)arg[i].list);
}

void epi_args_free(const epi_record *r, epi_value *arg)
{
  free_lists(r, arg);
  free(arg);
}

/* ---- making ---- */
/* every kid is taken over, also when the node is refused: freeing the root must free all that was given */
static void take_kids(epi_flow *f, int nkid, epi_flow *const *kids)
{
  for (int i = 0; i < nkid; i++) {
    f->kid[i] = kids[i];
    if (epi_refuse(f, kids[i]->owned && kids[i] != epi_no_memory(), "a flow can be used only once: make a second one")) {
      if (kids[i]->owned) { f->kid[i] = epi_no_memory(); continue; }
    }
    if (kids[i] != epi_no_memory()) kids[i]->owned = 1;
    epi_refuse_fault(f, kids[i]->broken, &kids[i]->fault);
  }
}

/* a node takes what its kids and its record say, before build has its word */
static void inherit(epi_flow *f)
{
  const epi_record *r = f->record;
  for (int i = 0; i < f->nkid; i++) f->below += epi_keep_size(f->kid[i]);
  f->order = r->order ? r->order : f->nkid ? f->kid[0]->order : 0;
  f->claims = r->claims;
  f->parts = r->arrow == EPI_METHOD ? EPI_BY_FORCE | EPI_BY_VELOCITY_FORCE : 0;
  for (int i = 0; i < f->nkid; i++) f->parts |= f->kid[i]->parts;
  f->estimate = f->nkid ? f->kid[0]->estimate : 0;
}

/* what no method can claim on such a system, and what is no claim to hand on */
static void limit_claims(epi_flow *f)
{
  const epi_system *m = f->sys;
  /* of a user's node: it sums as it goes only where its record says so of its own loop, and watches inside it stay watches */
  if (f->record->abi && !(f->record->claims & EPI_TAPS)) f->claims &= ~(unsigned)EPI_TAPS;
  for (int i = 0; f->record->abi && i < f->nkid; i++) f->claims |= f->kid[i]->claims & EPI_WATCHES;
  if (f->record->arrow != EPI_METHOD || !m) return;
  if (m->traits.irreversible) f->claims &= ~(unsigned)EPI_BACKWARD;
  /* a kinetic energy of its own need not be even in the momentum */
  if (m->inertia.speed) f->claims &= ~(unsigned)EPI_REVERSIBLE;
  /* an averaged force is a gradient only in the limit of a fast phase, unless there is one coordinate */
  if (m->derived && m->derived->inner && epi_nv(m) > 1) f->claims &= ~(unsigned)EPI_SYMPLECTIC;
}

/* numbers that are given; default values may mean something else */
static void check_ranges(epi_flow *f)
{
  char room[64];
  const epi_param *p = f->record->params;
  for (int i = 0; p && p[i].name && !f->broken; i++) {
    const epi_value *v = &f->arg[i];
    epi_refuse(f, v->given && !v->list && !epi_range_holds(&p[i].range, v->number), "%s: %s is %g%s", f->record->name, p[i].name, v->number,
               epi_range_remedy(&p[i], room, sizeof room));
  }
}

epi_flow *epi_node(const epi_record *r, epi_space *space, epi_space *other, int nkid, epi_flow *const *kids, const epi_value *args)
{
  int np = 0;
  while (r->params && r->params[np].name) np++;
  epi_flow *f = epi_zeros(1, sizeof *f);
  if (!f) goto none;
  f->record = r;
  f->kid_room = nkid;
  f->arg = epi_zeros((size_t)np + 1, sizeof *f->arg);
  f->kid = epi_zeros((size_t)nkid + 1, sizeof(epi_flow *));
  if (!f->arg || !f->kid) goto none;
  for (int i = 0; i < np; i++) f->arg[i] = args ? args[i] : (epi_value){.number = r->params[i].value};
  f->nkid = f->shown = nkid;
  f->space = epi_space_hold(space ? space : nkid ? kids[0]->space : NULL);
  f->other_space = epi_space_hold(other);
  f->sys = f->space ? f->space->sys : NULL;
  f->other = other ? other->sys : NULL;
  take_kids(f, nkid, kids);
  inherit(f);
  /* only the system of the root is told where its run begins */
  if (r->arrow == EPI_AVERAGE && f->sys && f->sys->derived && f->sys->derived->start)
    epi_refuse(f, 1, "%s cannot average the slow system of %s, which learns its modes from the start of a run: leave %s out", r->name,
               f->sys->derived->record->name, r->name);
  if (f->space) epi_refuse_fault(f, f->space->fault.words[0], &f->space->fault);
  check_ranges(f);
  if (!f->broken) r->build(f);
  epi_refuse(f, !f->go && (r->arrow == EPI_METHOD || r->arrow == EPI_WRAPPER),
             "%s has no go: its build has to set f->go, which takes the steps", r->name);
  limit_claims(f);
  return f;
none:
  if (f) { free(f->arg); free(f->kid); free(f); }
  free_lists(r, args);
  for (int i = 0; i < nkid; i++) epi_free(kids[i]);
  return epi_no_memory();
}

epi_flow *epi_leaf(const epi_record *r, epi_space *space) { return epi_node(r, space, NULL, 0, NULL, NULL); }

int epi_adopt(epi_flow *f, epi_flow *kid)
{
  if (kid == epi_no_memory()) { epi_refuse_fault(f, 1, &kid->fault); return -1; }
  if (f->nkid == f->kid_room) {
    int room = 2*f->kid_room + 4;
    epi_flow **more = realloc(f->kid, (size_t)room*sizeof *more);
    if (!more) { epi_free(kid); epi_refuse_memory(f, 1); return -1; }
    f->kid = more;
    f->kid_room = room;
  }
  f->kid[f->nkid++] = kid;
  kid->owned = 1;
  return epi_refuse_fault(f, kid->broken, &kid->fault) ? -1 : 0;
}

int epi_blocks(epi_flow *f, long keep, long work)
{
  f->keep = epi_zeros((size_t)(keep + work) + 1, sizeof(double));
  if (epi_refuse_memory(f, !f->keep)) return -1;
  f->work = f->keep + keep;
  f->nkeep = keep;
  f->nwork = work;
  return 0;
}

const epi_value *epi_arg(const epi_flow *f, const char *name)
{
  for (int i = 0; f->record->params && f->record->params[i].name; i++)
    if (*f->record->params[i].name == *name && !strcmp(f->record->params[i].name, name)) return &f->arg[i];
  return NULL;
}

void epi_free(epi_flow *f)
{
  if (!f || f == epi_no_memory()) return;
  for (int i = 0; i < f->nkid; i++) epi_free(f->kid[i]);
  if (f->drop) f->drop(f);
  epi_space_release(f->space);
  epi_space_release(f->other_space);
  if (f->record) epi_args_free(f->record, f->arg);
  free(f->kid);
  free(f->keep);
  free(f->own);
  free(f->guard);
  free(f);
}
