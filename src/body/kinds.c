/* kinds.c - the contacts, joints and loads of the library: one line each. A new one is its file and its name here */
#include "parts.h"

/* in the order of EPI_SPHERE_PLANE ... EPI_RING_ON_SHAFT */
#define CONTACTS(X) X(SPHERE_PLANE) X(SPHERE_SPHERE) X(SPHERE_GROOVE) X(SPHERE_POCKET) X(CIRCLE_IN_BORE) X(ROLLER_GROOVE) X(DISC_IN_SLOT) \
  X(END_IN_SLOT) X(RING_ON_SHAFT)
/* the first one is what any other .hold means */
#define JOINTS(X) X(HELD) X(HINGE) X(SLIDER) X(BALL_JOINT) X(FIXED) X(ROD) X(CYLINDRICAL) X(PLANAR) X(UNIVERSAL) X(ON_CIRCLE) \
  X(ON_CURVE)
/* the first is what epi_add_load means without a kind, the second what epi_add_spring does */
#define LOADS(X) X(FORCE) X(SPRING) X(CABLE)

#define DECLARE_CONTACT(ID) extern EPI_INSIDE const epi_contact_kind epi_CONTACT_##ID;
#define DECLARE_JOINT(ID) extern EPI_INSIDE const epi_joint_kind epi_JOINT_##ID;
#define DECLARE_LOAD(ID) extern EPI_INSIDE const epi_load_kind epi_LOAD_##ID;
CONTACTS(DECLARE_CONTACT)
JOINTS(DECLARE_JOINT)
LOADS(DECLARE_LOAD)

#define LIST_CONTACT(ID) &epi_CONTACT_##ID,
#define LIST_JOINT(ID) &epi_JOINT_##ID,
#define LIST_LOAD(ID) &epi_LOAD_##ID,
static const epi_contact_kind *const contacts[] = {CONTACTS(LIST_CONTACT) NULL};
static const epi_joint_kind *const joints[] = {JOINTS(LIST_JOINT) NULL};
static const epi_load_kind *const loads[] = {LOADS(LIST_LOAD) NULL};
enum { CONTACT_COUNT = sizeof contacts/sizeof *contacts - 1 };

const epi_contact_kind *const *epi_contact_kinds(void) { return contacts; }
const epi_joint_kind *const *epi_joint_kinds(void) { return joints; }
const epi_load_kind *const *epi_load_kinds(void) { return loads; }

const epi_contact_kind *epi_contact_kind_of(const epi_contact *c)
{
  return c->kind ? c->kind : c->shape >= 0 && c->shape < CONTACT_COUNT ? contacts[c->shape] : NULL;
}

const epi_joint_kind *epi_joint_kind_of(const epi_joint *j)
{
  if (j->kind) return j->kind;
  for (int i = 1; joints[i]; i++) if (joints[i]->hold == j->hold) return joints[i];
  return joints[0];
}

const epi_load_kind *epi_load_kind_of(const epi_applied_force *l) { return l->kind ? l->kind : loads[0]; }
const epi_load_kind *epi_spring_kind_of(const epi_spring *s) { return s->kind ? s->kind : loads[1]; }

/* ---- parameters by name ---- */
#define FIELD(TYPE, NAME) {#NAME, offsetof(TYPE, NAME), (int)(sizeof ((TYPE *)0)->NAME/sizeof(double))}
static const epi_field contact_fields[] = {
  FIELD(epi_contact, radius), FIELD(epi_contact, other), FIELD(epi_contact, circle), FIELD(epi_contact, clearance), FIELD(epi_contact, at),
  FIELD(epi_contact, normal), {0}
};
static const epi_field joint_fields[] = {
  FIELD(epi_joint, at_a), FIELD(epi_joint, at_b), FIELD(epi_joint, frame_a), FIELD(epi_joint, frame_b), FIELD(epi_joint, stiffness),
  FIELD(epi_joint, damping), FIELD(epi_joint, speed), FIELD(epi_joint, length),
  FIELD(epi_joint, radius), {0}
};
static const epi_field load_fields[] = {FIELD(epi_applied_force, force), FIELD(epi_applied_force, torque), FIELD(epi_applied_force, at),
                                        {0}};
static const epi_field spring_fields[] = {
  FIELD(epi_spring, at_a), FIELD(epi_spring, at_b), FIELD(epi_spring, length), FIELD(epi_spring, stiffness), FIELD(epi_spring, damping), {0}
};

static const epi_field *field_of(const epi_field *f, const char *name)
{
  while (f->name && strcmp(f->name, name)) f++;
  return f->name ? f : NULL;
}

/* how many of the parameters, up to one of this name, stand in own */
static int own_before(const epi_param *p, const epi_field *f, const char *name)
{
  int n = 0;
  for (; p && p->name && (!name || strcmp(p->name, name)); p++) n += !field_of(f, p->name);
  return n;
}

static double *param_at(const epi_param *p, const epi_field *fields, void *base, double *own, const char *name, int *n)
{
  const epi_field *f = field_of(fields, name);
  int which = own_before(p, fields, name);
  while (p && p->name && strcmp(p->name, name)) p++;
  if (!p || !p->name || (!f && !own)) return NULL;
  if (n) *n = f ? f->n : 1;
  return f ? (double *)((char *)base + f->at) : own + which;
}

double *epi_contact_param(epi_contact *c, const char *name, int *n)
{
  const epi_contact_kind *k = epi_contact_kind_of(c);
  return k ? param_at(k->params, contact_fields, c, c->own, name, n) : NULL;
}
double *epi_joint_param(epi_joint *j, const char *name, int *n)
{
  return param_at(epi_joint_kind_of(j)->params, joint_fields, j, j->own, name, n);
}
double *epi_load_param(epi_applied_force *l, const char *name, int *n)
{
  return param_at(epi_load_kind_of(l)->params, load_fields, l, l->own, name, n);
}
double *epi_spring_param(epi_spring *s, const char *name, int *n)
{
  return param_at(epi_spring_kind_of(s)->params, spring_fields, s, s->own, name, n);
}

int epi_contact_own(const epi_contact_kind *k) { return own_before(k->params, contact_fields, NULL); }
int epi_joint_own(const epi_joint_kind *k) { return own_before(k->params, joint_fields, NULL); }
int epi_load_own(const epi_load_kind *k) { return own_before(k->params, k->between ? spring_fields : load_fields, NULL); }
