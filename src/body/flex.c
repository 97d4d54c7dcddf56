/* flex.c - contacts, springs and loads on bodies that bend. The place where something acts is moved by the modes, and moves with them; its
 * force does work on them: on mode i, force times shape i there. Surfaces that are bent lean: a ball in a groove feels the slope of the
 * groove, and power that goes into contacts, modes and bodies adds up */
#include "flex.h"

/* a body as what acts sees it: shifted to where its surface is, with the velocity that it has there; axes: of the shapes, in space */
typedef struct { epi_pose pose; double axis[3][3], shift[3]; epi_bent bent; } bent_body;

static void push_along(double k, const double *x, double *to) { for (int i = 0; i < 3; i++) to[i] += k*x[i]; }

/* along the axes that are not along the surface: a surface that slides in itself stays where it is */
static void shift(bent_body *x, int slides)
{
  for (int k = 0; k < 3; k++) if (k != 1 || !slides) push_along(x->bent.way[k], x->axis[k], x->shift);
  push_along(1, x->shift, x->pose.r);
}

static void carry(bent_body *x)
{
  double turn[3];
  epi_vector_cross(x->pose.w, x->shift, turn);
  push_along(1, turn, x->pose.v);
  for (int k = 0; k < 3; k++) push_along(x->bent.rate[k], x->axis[k], x->pose.v);
}

/* moments are about the true centre, and the modes get their share; sign: of the force on this body */
static void settle(const bent_body *x, int which, epi_action *out)
{
  double sign = which ? -1 : 1, arm[3], along[3], *to = out->modal[which];
  epi_vector_cross(x->shift, out->force, arm);
  push_along(sign, arm, out->moment[which]);
  if (!to) return;
  for (int k = 0; k < 3; k++) along[k] = sign*epi_dot(out->force, x->axis[k]);
  for (int i = 0; i < x->bent.modes; i++) {
    const double *phi = x->bent.phi[i];
    to[i] += along[0]*phi[0] + along[1]*phi[1] + along[2]*phi[2];
  }
}

static void begin(bent_body *x, const epi_pose *p)
{
  x->pose = *p;
  x->bent.modes = 0;
  x->bent.curve = x->bent.slope[0] = x->bent.slope[1] = 0;
  for (int k = 0; k < 3; k++) x->bent.way[k] = x->bent.rate[k] = 0;
  memset(x->shift, 0, sizeof x->shift);
  for (int k = 0; k < 3; k++) for (int i = 0; i < 3; i++) x->axis[k][i] = p->R[3*i + k];
}

/* axes along r and t of the direction er about z */
static void face(bent_body *x, const double er[2])
{
  epi_out_of(x->pose.R, (const double[3]){er[0], er[1], 0}, x->axis[0]);
  epi_out_of(x->pose.R, (const double[3]){-er[1], er[0], 0}, x->axis[1]);
}

/* ---- places that stay ---- */
static int at_places(const epi_pair *c, double t, const epi_pose *a, const epi_pose *b, epi_action *out)
{
  const epi_pose *p[] = {a, b};
  bent_body x[2];
  for (int k = 0; k < 2; k++) {
    const epi_flex_end *f = &c->flex->end[k];
    begin(&x[k], p[k]);
    if (!f->modes) continue;
    epi_bent_at(f, NULL, p[k]->e, p[k]->de, &x[k].bent);
    shift(&x[k], 0);
    carry(&x[k]);
  }
  int bad = c->act(c->data, t, &x[0].pose, &x[1].pose, out);
  for (int k = 0; k < 2 && !bad; k++) settle(&x[k], k, out);
  return bad;
}

/* ---- a ball in a groove ---- */
/* u from the circle of groove centres, which the ring moves by w where the ball is: the depth changes along the groove as well */
static int in_groove(const epi_pair *c, double t, const epi_pose *a, const epi_pose *b, epi_action *out)
{
  const epi_contact *k = c->contact;
  bent_body x;
  epi_touch at = {0};
  double d[3], y[3];
  begin(&x, b);
  for (int i = 0; i < 3; i++) d[i] = a->r[i] - b->r[i];
  epi_into(b->R, d, y);
  double rho = sqrt(y[0]*y[0] + y[1]*y[1]), er[] = {y[0]/rho, y[1]/rho};
  face(&x, er);
  epi_bent_at(&c->flex->end[1], er, b->e, b->de, &x.bent);
  shift(&x, 1);
  int bad = k->kind->touch(k, t, a, &x.pose, &at);
  if (bad) return bad;
  double lean = (epi_dot(at.normal, x.axis[0])*x.bent.slope[0] + epi_dot(at.normal, x.axis[2])*x.bent.slope[1])/rho;
  double unit = 1/sqrt(1 + lean*lean);
  for (int i = 0; i < 3; i++) {
    double n = at.normal[i], u = at.along[i];
    at.normal[i] = unit*(n - lean*u);
    at.along[i] = x.axis[1][i] = unit*(u + lean*n);
    at.lever[0][i] = (k->radius - 0.5*at.depth)*at.normal[i];
    at.lever[1][i] = a->r[i] - x.pose.r[i] + at.lever[0][i];
  }
  epi_vector_cross(at.normal, at.along, at.across);
  carry(&x);
  bad = epi_contact_push(k, &at, a, &x.pose, out);
  if (!bad) settle(&x, 1, out);
  return bad;
}

/* ---- a circle in a bore ---- */
/* both are bent: they touch in the direction er of b in which they are deepest, x.er + w_a - w_b, by steps of Newton from that of the
   centres. The surfaces lean there by the same angle */
static void bend_both(const epi_pair *c, const double er[2], bent_body x[2])
{
  double space[3], own[3];
  epi_out_of(x[1].pose.R, (const double[3]){er[0], er[1], 0}, space);
  epi_into(x[0].pose.R, space, own);
  double size = sqrt(own[0]*own[0] + own[1]*own[1]), ea[] = {own[0]/size, own[1]/size};
  for (int k = 0; k < 2; k++) {
    const epi_flex_end *f = &c->flex->end[k];
    const double *e = k ? er : ea;
    face(&x[k], e);
    if (f->modes) epi_bent_at(f, e, x[k].pose.e, x[k].pose.de, &x[k].bent);
  }
}

/* how far the modes can move it along r at most */
static double reach(const epi_flex_end *f, const epi_pose *p)
{
  double sum = 0;
  for (int i = 0; i < f->modes; i++) sum += fabs(p->e[i]);
  return f->most*sum;
}

/* from the direction of the centres, y in b, to the deepest one */
static void find_deepest(const epi_pair *c, const double *y, bent_body x[2], double er[2])
{
  for (int it = 0; it < 12; it++) {
    bend_both(c, er, x);
    double up = -er[1]*y[0] + er[0]*y[1] + x[0].bent.slope[0] - x[1].bent.slope[0];
    double curve = fabs(-er[0]*y[0] - er[1]*y[1] + x[0].bent.curve - x[1].bent.curve);
    double step = up == 0 ? 0 : fmax(-0.3, fmin(0.3, up/fmax(curve, 1e-3*fabs(up))));
    if (fabs(step) < 1e-14) return;
    double c1 = er[0] - step*er[1], s1 = er[1] + step*er[0], size = sqrt(c1*c1 + s1*s1);
    er[0] = c1/size, er[1] = s1/size;
  }
  bend_both(c, er, x);
}

static int in_bore(const epi_pair *c, const epi_pose *a, const epi_pose *b, epi_action *out)
{
  const epi_contact *k = c->contact;
  bent_body x[2];
  epi_touch at = {0};
  double arm[3], d[3], y[3];
  begin(&x[0], a);
  begin(&x[1], b);
  epi_out_of(a->R, k->at, arm);
  for (int i = 0; i < 3; i++) d[i] = a->r[i] + arm[i] - b->r[i];
  epi_into(b->R, d, y);
  double e = sqrt(y[0]*y[0] + y[1]*y[1]), er[] = {e > 0 ? y[0]/e : 1, e > 0 ? y[1]/e : 0};
  /* far from each other no shape matters */
  int far = e + reach(&c->flex->end[0], a) + reach(&c->flex->end[1], b) < k->clearance;
  if (far) bend_both(c, er, x);
  else find_deepest(c, y, x, er);
  at.depth = er[0]*y[0] + er[1]*y[1] + x[0].bent.way[0] - x[1].bent.way[0] - k->clearance;
  for (int i = 0; i < 2; i++) shift(&x[i], 1);
  double lean = x[0].bent.slope[0]/k->radius, unit = 1/sqrt(1 + lean*lean);
  for (int i = 0; i < 3; i++) {
    double n = x[1].axis[0][i], u = x[1].axis[1][i];
    at.normal[i] = unit*(n - lean*u);
    at.along[i] = unit*(u + lean*n);
    at.lever[0][i] = arm[i] + k->radius*n;
    at.lever[1][i] = x[0].pose.r[i] + at.lever[0][i] - x[1].pose.r[i];
  }
  for (int i = 0; i < 2; i++) { memcpy(x[i].axis[1], at.along, sizeof at.along); carry(&x[i]); }
  int bad = epi_contact_push(k, &at, &x[0].pose, &x[1].pose, out);
  for (int i = 0; i < 2 && !bad; i++) settle(&x[i], i, out);
  return bad;
}

int epi_flex_act(const epi_pair *c, double t, const epi_pose *a, const epi_pose *b, epi_action *out)
{
  const epi_flex_end *f = c->flex->end;
  if (!f[0].runs && !f[1].runs) return at_places(c, t, a, b, out);
  return c->contact->kind == epi_contact_kinds()[EPI_SPHERE_GROOVE] ? in_groove(c, t, a, b, out) : in_bore(c, a, b, out);
}

/* ---- who feels what ---- */
static int bends(const epi_world *w, int body) { return body >= 0 && (w->body[body].shapes.ring || w->body[body].shapes.points); }

/* where the axis of a pocket is nearest to the ball at the start */
static void pocket_at(const epi_world *w, const epi_pair *c, double at[3])
{
  const epi_contact *k = c->contact;
  epi_pose a, b;
  double d[3], x[3], along = 0;
  epi_pose_of(&w->body[c->a], w->start, NULL, &a);
  epi_pose_of(&w->body[c->b], w->start, NULL, &b);
  for (int i = 0; i < 3; i++) d[i] = a.r[i] - b.r[i];
  epi_into(b.R, d, x);
  for (int i = 0; i < 3; i++) along += (x[i] - k->at[i])*k->normal[i];
  for (int i = 0; i < 3; i++) at[i] = k->at[i] + along*k->normal[i];
}

/* of the bottom of a groove: inside or outside of the circle of its centres, as the ball is at the start */
static double race_at(const epi_world *w, const epi_pair *c)
{
  const epi_contact *k = c->contact;
  epi_pose a, b;
  double d[3], x[3];
  epi_pose_of(&w->body[c->a], w->start, NULL, &a);
  epi_pose_of(&w->body[c->b], w->start, NULL, &b);
  for (int i = 0; i < 3; i++) d[i] = a.r[i] - b.r[i];
  epi_into(b.R, d, x);
  return hypot(x[0], x[1]) < k->circle ? k->circle - k->other : k->circle + k->other;
}

static int contact_feels(epi_world *w, epi_pair *c, int which, epi_flex_end *f)
{
  const epi_contact *k = c->contact;
  const epi_contact_kind *const *kinds = epi_contact_kinds();
  int body = which ? c->b : c->a;
  if (k->at_a[0] != 0 || k->at_a[1] != 0 || k->at_a[2] != 0)
    return epi_world_wrong(w, "%s cannot feel the modes of %s with a foot: leave .at_a zero, or take the shapes away", c->name,
                           w->body[body].name);
  double at[3];
  if (k->kind == kinds[EPI_SPHERE_GROOVE] && which) return epi_flex_runs(w, c, body, race_at(w, c), 0, f);
  if (k->kind == kinds[EPI_CIRCLE_IN_BORE]) return epi_flex_runs(w, c, body, k->radius + (which ? k->clearance : 0), k->at[2], f);
  if (k->kind == kinds[EPI_SPHERE_SPHERE] && which) return epi_flex_stays(w, c, body, k->at, f);
  if (k->kind != kinds[EPI_SPHERE_POCKET] || !which)
    return epi_world_wrong(w, "%s cannot feel the modes of %s: those of a %s %s are not known; take the shapes away, or let it touch by a "
                           "groove, a pocket, a bore or a sphere of b", c->name, w->body[body].name, k->kind->name,
                           which ? "that runs over it" : "as body a");
  pocket_at(w, c, at);
  return epi_flex_stays(w, c, body, at, f);
}

static int feels(epi_world *w, epi_pair *c, int which, epi_flex_end *f)
{
  int body = which ? c->b : c->a;
  if (!bends(w, body)) return 0;
  if (c->contact) return contact_feels(w, c, which, f);
  if (c->load->between) return epi_flex_stays(w, c, body, which ? ((epi_spring *)c->data)->at_b : ((epi_spring *)c->data)->at_a, f);
  return epi_flex_stays(w, c, body, ((epi_applied_force *)c->data)->at, f);
}

int epi_world_find_flex(epi_world *w)
{
  for (int i = 0; i < w->pairs; i++) {
    epi_pair *c = &w->pair[i];
    if ((!c->contact && !c->load) || (!bends(w, c->a) && !bends(w, c->b))) continue;
    if (!(c->flex = calloc(1, sizeof *c->flex))) return epi_world_no_memory(w);
    for (int k = 0; k < 2; k++) if (feels(w, c, k, &c->flex->end[k])) return -1;
    if (c->driven && (c->flex->end[0].modes || c->flex->end[1].modes))
      return epi_world_wrong(w, "%s is driven and acts on modes, which is not known: give a load its factor instead of a formula, or take "
                             "the shapes of the modes away", c->name);
    if (c->flex->end[0].modes || c->flex->end[1].modes) continue;
    epi_flex_free(c->flex);
    c->flex = NULL;
  }
  return 0;
}

void epi_flex_free(struct epi_flex *f)
{
  for (int k = 0; f && k < 2; k++) { free(f->end[k].phi); free(f->end[k].angle); }
  free(f);
}
