/* contacts.c - contacts of a model file: their shapes, and their laws by a stiffness or by Hertz from materials */
#include "file/model-file.h"
#include <math.h>
#include <string.h>

/* Young's modulus, Poisson's ratio, density: handbook values at room temperature. One line each */
#define MATERIALS(X) \
  X("steel", 207e9, 0.3, 7800) \
  X("ceramic", 310e9, 0.27, 3200) \
  X("brass", 110e9, 0.34, 8500) \
  X("aluminium", 70e9, 0.33, 2700) \
  X("glass", 70e9, 0.22, 2500) \
  X("polyamide", 3e9, 0.4, 1140) \
  X("copper", 120e9, 0.34, 8900) \
  X("titanium", 110e9, 0.34, 4430)
#define NUMBERS(NAME, E, NU, DENSITY) {E, NU, DENSITY},
#define WORDS(NAME, E, NU, DENSITY) NAME,
static const struct { double E, nu, density; } materials[] = {MATERIALS(NUMBERS)};
const char *const epi_file_materials[] = {MATERIALS(WORDS) NULL};
double epi_file_density(int material) { return materials[material].density; }

static const char *const by_words[] = {[EPI_BREWE_HAMROCK] = "brewe-hamrock", [EPI_ELLIPTIC] = "elliptic", NULL};

/* ---- keys ---- */
typedef struct law_told { epi_law law; const item *K, *material, *E, *nu, *waves; int by; } law_told;
static const field law_keys[] = {
  {.name = "K", .kind = OWN, .at = offsetof(law_told, K)},
  {.name = "material", .kind = OWN, .at = offsetof(law_told, material)},
  {.name = "E", .kind = OWN, .at = offsetof(law_told, E)},
  {.name = "nu", .kind = OWN, .at = offsetof(law_told, nu)},
  {.name = "by", .kind = WORD, .at = offsetof(law_told, by), .words = by_words},
  {.name = "power", .kind = POSITIVE, .unit = "", .at = offsetof(law_told, law.power)},
  {.name = "chi", .kind = NOT_NEGATIVE, .unit = "s/m", .at = offsetof(law_told, law.chi)},
  {.name = "mu", .kind = NOT_NEGATIVE, .unit = "", .at = offsetof(law_told, law.mu)},
  {.name = "vs", .kind = POSITIVE, .unit = "m/s", .at = offsetof(law_told, law.vs)},
  {.name = "slices", .kind = COUNT, .at = offsetof(law_told, law.slices)},
  {.name = "ellipse", .kind = NOT_NEGATIVE, .unit = "m^0.5", .at = offsetof(law_told, law.ellipse)},
  {.name = "curvature", .kind = NUMBER, .unit = "1/m", .at = offsetof(law_told, law.curvature)},
  {.name = "waves", .kind = OWN, .at = offsetof(law_told, waves)},
  {0}
};
typedef struct contact_record { epi_contact contact; const item *shape, *law; } contact_record;
const field epi_file_contact_keys[] = {
  {.name = "name", .kind = NAME, .at = offsetof(contact_record, contact.name)},
  {.name = "shape", .kind = OWN, .at = offsetof(contact_record, shape)},
  {.name = "a", .kind = BODY, .at = offsetof(contact_record, contact.a)},
  {.name = "b", .kind = BODY, .at = offsetof(contact_record, contact.b)},
  {.name = "radius", .of = "radius", .kind = POSITIVE, .unit = "m", .at = offsetof(contact_record, contact.radius)},
  {.name = "other", .of = "other", .kind = POSITIVE, .unit = "m", .at = offsetof(contact_record, contact.other)},
  {.name = "circle", .of = "circle", .kind = POSITIVE, .unit = "m", .at = offsetof(contact_record, contact.circle)},
  {.name = "clearance", .of = "clearance", .kind = NOT_NEGATIVE, .unit = "m", .at = offsetof(contact_record, contact.clearance)},
  {.name = "at", .of = "at", .kind = VECTOR, .unit = "m", .at = offsetof(contact_record, contact.at)},
  {.name = "at_a", .of = "radius", .kind = VECTOR, .unit = "m", .at = offsetof(contact_record, contact.at_a)},
  {.name = "normal", .of = "normal", .kind = DIRECTION, .at = offsetof(contact_record, contact.normal)},
  {.name = "stiff", .kind = FLAG, .at = offsetof(contact_record, contact.stiff)},
  {.name = "law", .kind = OWN, .at = offsetof(contact_record, law), .inner = law_keys},
  {0}
};

/* ---- Hertz ---- */
/* one value for both bodies, or one for each */
static int pair_of(source *s, const item *it, const char *name, const char *unit, double *x)
{
  if (it->kind == ITEM_LIST) return epi_field_numbers(s, it, name, unit, 2, 2, x) < 0 ? REFUSED : 0;
  if (epi_field_number(s, it, name, unit, x)) return REFUSED;
  x[1] = x[0];
  return 0;
}

static int read_materials(source *s, const law_told *l, double *E, double *nu)
{
  if (l->material) {
    const item *m = l->material;
    int list = m->kind == ITEM_LIST;
    if (list && m->n != 2) return epi_document_wrong(s->d, m, "material is a list of %d: write one word, or two in brackets", m->n);
    for (int i = 0; i < 2; i++) {
      int k = epi_field_word(s, list ? m->part[i] : m, "material", epi_file_materials);
      if (k < 0) return REFUSED;
      E[i] = materials[k].E;
      nu[i] = materials[k].nu;
    }
  }
  if (l->E && pair_of(s, l->E, "E", "Pa", E)) return REFUSED;
  if (l->nu && pair_of(s, l->nu, "nu", "", nu)) return REFUSED;
  for (int i = 0; i < 2; i++) {
    if (!(E[i] > 0)) return epi_document_wrong(s->d, l->E, "E = %g must be positive: write Young's modulus, as in 207 GPa", E[i]);
    if (!(nu[i] > -1 && nu[i] <= 0.5)) return epi_document_wrong(s->d, l->nu, "nu = %g cannot be Poisson's ratio: write 0 to 0.5", nu[i]);
  }
  return 0;
}

/* how b is curved where a touches it: what its kind says, or what its traits mean. 0: nobody knows */
static int curved(const described *w, const epi_contact *c, double *along, double *across)
{
  const epi_contact_kind *k = c->kind;
  epi_pose a, b;
  *along = *across = k->traits & EPI_B_BALL ? 1/c->other : 0;
  if (!(k->traits & EPI_A_BALL)) return 0;
  if (!k->curved) return (k->traits & (EPI_B_BALL | EPI_B_PLANE)) != 0;
  epi_file_pose(epi_file_body(w, c->a), &a);
  epi_file_pose(epi_file_body(w, c->b), &b);
  k->curved(c, &a, &b, along, across);
  return 1;
}

static int by_hertz(source *s, const described *w, const item *at, const law_told *told, epi_contact *c)
{
  double E[2] = {0}, nu[2] = {0.3, 0.3}, along, across;
  if (!told->material && !told->E)
    return epi_document_wrong(s->d, at, "law has no stiffness: write K in N/m^1.5, or material, or E and nu");
  if (!curved(w, c, &along, &across))
    return epi_document_wrong(s->d, at, "the shape is no ball on something whose two curvatures are known, so Hertz has no stiffness for "
                              "it: write its K in N/m^1.5");
  if (c->law.power > 0 && c->law.power != 1.5)
    return epi_document_wrong(s->d, at, "Hertz means power = 1.5: write K with another power, or take power away");
  if (read_materials(s, told, E, nu)) return REFUSED;
  double Rx = 1/(1/c->radius + along), Ry = 1/(1/c->radius + across);
  if (!(Rx > 0 && Ry > 0))
    return epi_document_wrong(s->d, at, "the sphere does not fit in: its radius %g is not smaller than that of what it touches", c->radius);
  epi_hertz h = epi_hertz_of(Rx, Ry, 2/((1 - nu[0]*nu[0])/E[0] + (1 - nu[1]*nu[1])/E[1]), told->by);
  if (!(h.K > 0))
    return epi_document_wrong(s->d, at, "the sphere touches along a line, and Hertz has no stiffness for that: leave it some clearance, or "
                              "write its K in N/m^1.5");
  c->law.K = h.K;
  if (!(c->law.ellipse > 0)) c->law.ellipse = h.ellipse;
  if (c->law.curvature == 0 && c->kind->traits & EPI_SLICED) c->law.curvature = 0.5*(1/c->radius - across);
  return 0;
}

/* ---- the law ---- */
static int read_waves(source *s, const item *it, contact_told *out)
{
  if (!it) return 0;
  if (it->kind != ITEM_LIST || it->n > 1000)
    return epi_document_wrong(s->d, it, "waves is %s: write [amplitude, waves per turn, phase] for each", epi_item_what(it));
  if (!(out->wave = epi_pool_room(&s->d->pool, 3*(size_t)it->n + 1, sizeof *out->wave))) return REFUSED;
  out->contact.law.waves = it->n;
  out->contact.law.wave = out->wave;
  for (int i = 0; i < it->n; i++) {
    const item *one = it->part[i];
    double *x = out->wave + 3*i;
    if (one->kind != ITEM_LIST || one->n != 3)
      return epi_document_wrong(s->d, one, "waves: write [amplitude, waves per turn, phase] for each");
    if (epi_field_number(s, one->part[0], "waves", "m", x) || epi_field_number(s, one->part[1], "waves", "", x + 1)
        || epi_field_number(s, one->part[2], "waves", "rad", x + 2))
      return REFUSED;
  }
  return 0;
}

/* friction without a slip at which it has grown holds: it lets creep by so little that nobody sees it, and is solved for */
static int holds(source *s, const item *it, epi_contact *c)
{
  const double creep = 1e-6;
  if (c->law.slices > 0)
    return epi_field_missing(s->d, it, "a law with friction over slices", "vs",
                             "the slip in m/s at which mu has grown to 0.7, as in vs: 0.01");
  if (c->stiff < 0)
    return epi_document_wrong(s->d, it, "friction without vs holds, and is solved for: take stiff: no away, or write vs in m/s");
  c->law.vs = creep;
  c->stiff = 1;
  return 0;
}

static int read_law(source *s, const described *w, const item *it, contact_told *out)
{
  law_told l = {.by = EPI_ELLIPTIC};
  epi_contact *c = &out->contact;
  if (it->kind != ITEM_MAP) return epi_document_wrong(s->d, it, "law is %s: write its keys, as in {K: 1e9}", epi_item_what(it));
  if (epi_fields_read(s, it, law_keys, &l)) return REFUSED;
  c->law = l.law;
  if (c->law.mu > 0 && !(c->law.vs > 0) && holds(s, it, c)) return REFUSED;
  if (l.K) {
    char unit[40];
    snprintf(unit, sizeof unit, "N/m^%s", epi_shortest(c->law.power > 0 ? c->law.power : c->kind->power > 0 ? c->kind->power : 1.5).text);
    if (l.material || l.E) return epi_document_wrong(s->d, l.K, "K and a material are both given: take one of them away");
    if (epi_field_number(s, l.K, "K", unit, &c->law.K)) return REFUSED;
    if (!(c->law.K > 0)) return epi_document_wrong(s->d, l.K, "K = %g must be positive: write a number above zero in %s", c->law.K, unit);
  } else if (by_hertz(s, w, it, &l, c)) return REFUSED;
  return read_waves(s, l.waves, out);
}

/* ---- the contact ---- */
/* what must be said of shapes of the library, in their own words; of the others their check says it */
static const struct { const char *shape, *what, *key, *how; } demands[] = {
  {"sphere-pocket", "the pocket", "normal", "the direction of its axis in b"},
  {"sphere-groove", "the groove", "circle", "the radius of the circle of groove centres in m"},
  {"sphere-groove", "the groove", "other", "the radius of its profile in m"},
};

static double *place(void *record, const char *name, int *n) { return epi_contact_param(record, name, n); }

/* what each shape needs beside its bodies and its law */
static int complete(source *s, const described *w, const item *it, const kind *k, epi_contact *c)
{
  unsigned traits = k->contact->traits;
  char words[160];
  int n;
  if (epi_item_of(it, "at_a") && !(traits & EPI_A_BALL))
    return epi_document_wrong(s->d, epi_item_of(it, "at_a"), "at_a is where a sphere sits on its body, and a %s has none: take it away",
                              k->name);
  if (!(c->radius > 0)) c->radius = w->body[c->a].radius;
  if (!(c->other > 0) && traits & EPI_B_BALL && c->b >= 0) c->other = w->body[c->b].radius;
  if (!(c->radius > 0) && (traits & EPI_A_BALL || place(c, "radius", &n)))
    return epi_field_missing(s->d, it, "the contact", "radius", "that of the sphere a, or make its body a ball");
  if (traits & EPI_B_BALL && !(c->other > 0))
    return epi_field_missing(s->d, it, "the contact", "other", "the radius of the sphere b, or make its body a ball");
  if (traits & EPI_B_PLANE && !epi_item_of(it, "normal")) c->normal[2] = 1;
  for (size_t i = 0; k->plain && i < sizeof demands/sizeof *demands; i++)
    if (!strcmp(demands[i].shape, k->name) && !epi_item_of(it, demands[i].key))
      return epi_field_missing(s->d, it, demands[i].what, demands[i].key, demands[i].how);
  if (k->contact->check && k->contact->check(c, words, sizeof words))
    return epi_document_wrong(s->d, it, "the contact %s %s", c->name ? c->name : k->name, words);
  return 0;
}

int epi_file_contact_read(source *s, described *w, const item *it, int i)
{
  contact_told *out = &w->contact[i];
  contact_record r = {.contact = {.a = EPI_GROUND, .b = EPI_GROUND}};
  out->at = it;
  kind k = {.plain = 1};
  if (!epi_item_of(it, "shape")) {
    const char *const *words = epi_kind_words(s->d, &epi_contact_family);
    char all[600] = "one of ";
    if (words) epi_field_words(words, all + 7, sizeof all - 7);
    return epi_field_missing(s->d, it, "a contact", "shape", all);
  }
  int bad = epi_kind_read(s, it, &epi_contact_family, &k);
  const field *keys = epi_kind_keys(s->d, epi_file_contact_keys, &k);
  if (epi_fields_read(s, it, keys, &r) || bad) return REFUSED;
  out->contact = r.contact;
  out->contact.kind = k.contact;
  out->contact.stiff = epi_file_stiff(it, r.contact.stiff);
  if (!epi_item_of(it, "a")) return epi_field_missing(s->d, it, "a contact", "a", "the body that is the sphere");
  if (r.contact.a < 0) return epi_document_wrong(s->d, epi_item_of(it, "a"), "a is the ground: write the body there, and the ground at b");
  if (r.contact.a == r.contact.b)
    return epi_document_wrong(s->d, epi_item_of(it, "b"),
                              "a and b are both '%s': a contact is between two bodies, or a body and the ground",
                              s->body.name[r.contact.a]);
  if (!r.law) return epi_field_missing(s->d, it, "a contact", "law", "its stiffness at least, as in law: {K: 1e9}");
  if (epi_params_read(s, it, &k, keys, place, &out->contact, &out->contact.own) || complete(s, w, it, &k, &out->contact)) return REFUSED;
  return read_law(s, w, r.law, out);
}
