/* build.c - from the description of a world to a model: bodies and what acts on them, a flow, a step, and what is looked at */
#include "file/model-file.h"
#include "epicycle/term.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>


/* ---- building ---- */
static double factor_of(void *data, double t) { double rate; return epi_course_at(data, t, &rate); }
static double angle_of(void *data, double t, double *rate) { return epi_course_at(data, t, rate); }

static double turned_of(void *data, double t, double *rate)
{
  double slope;
  *rate = epi_course_at(data, t, &slope);
  return epi_course_sum(data, t);
}

/* at: what was added last, for the sentence of an error */
static void add_bodies(const described *d, epi_world *w, const item **at)
{
  for (int i = 0; i < d->bodies && !epi_world_error(w); i++) { *at = d->body[i].at; epi_add_body(w, &d->body[i].body); }
  for (int i = 0; i < d->bodies && !epi_world_error(w); i++) {
    *at = d->body[i].at;
    if (d->body[i].shaped) epi_add_shape(w, i, &d->body[i].shape);
  }
  for (int i = 0; i < d->shapes && !epi_world_error(w); i++) {
    *at = d->shape[i].at;
    epi_add_shape(w, d->shape[i].body, &d->shape[i].shape);
  }
}

/* where a motion is at the start */
static void begins(const described *d, const moved *m, double *at)
{
  for (int i = 0; i < 3; i++) at[i] = 0;
  for (int k = 0; k < m->n; k++) {
    double x[3];
    if (epi_course_drive(m->way[k], &(epi_instant){0, d->start, EPI_TURN*d->frequency}, x)) continue;
    for (int i = 0; i < 3; i++) at[i] += x[0]*m->along[k][i];
  }
}

/* where the file does not say where the middle of the motion is, the joint is closed at the start; a rod is as long as it is there */
static void place_motion(const described *d, const joint_told *told, epi_joint *j)
{
  double at[3];
  epi_file_drives(&told->moved, j->motion);
  if (!told->moved.n) return;
  begins(d, &told->moved, at);
  if (!epi_item_of(told->at, "at_b")) { for (int i = 0; i < 3; i++) j->at_b[i] -= at[i]; return; }
  for (int i = 0; i < 3; i++) at[i] += j->at_b[i];
  if (j->length > 0 && !epi_item_of(told->at, "length")) j->length = epi_file_apart(d, j->a, j->at_a, j->b, at);
}

/* the same for a spring that is not stretched at the start */
static void place_end(const described *d, const spring_told *told, epi_spring *s)
{
  double at[3];
  epi_file_drives(&told->moved, s->motion);
  if (!told->moved.n || !(s->length > 0) || epi_item_of(told->at, "length")) return;
  begins(d, &told->moved, at);
  for (int i = 0; i < 3; i++) at[i] += s->at_b[i];
  s->length = epi_file_apart(d, s->a, s->at_a, s->b, at);
}

static void add_actions(const described *d, epi_world *w, const item **at)
{
  for (int i = 0; i < d->contacts && !epi_world_error(w); i++) { *at = d->contact[i].at; epi_add_contact(w, &d->contact[i].contact); }
  for (int i = 0; i < d->springs && !epi_world_error(w); i++) {
    epi_spring s = d->spring[i].spring;
    *at = d->spring[i].at;
    place_end(d, &d->spring[i], &s);
    epi_add_spring(w, &s);
  }
  for (int i = 0; i < d->loads && !epi_world_error(w); i++) {
    epi_applied_force l = d->load[i].load;
    *at = d->load[i].at;
    if (d->load[i].factor && !l.law) { l.of = factor_of; l.data = d->load[i].factor; }
    epi_add_load(w, &l);
  }
  for (int i = 0; i < d->joints && !epi_world_error(w); i++) {
    epi_joint j = d->joint[i].joint;
    *at = d->joint[i].at;
    const course *angle = d->joint[i].angle;
    if (angle && angle->formula) j.turn = (epi_drive){.at = epi_course_drive, .explain = epi_course_explain, .data = angle};
    else if (angle) { j.angle = angle_of; j.data = d->joint[i].angle; }
    place_motion(d, &d->joint[i], &j);
    const course *speed = d->joint[i].speed, *length = d->joint[i].length;
    if (speed && speed->formula) j.turn = (epi_drive){.at = epi_course_integral, .explain = epi_course_explain, .data = speed};
    else if (speed) { j.angle = turned_of; j.data = d->joint[i].speed; }
    if (length) j.stretch = (epi_drive){.at = epi_course_drive, .explain = epi_course_explain, .data = length};
    epi_add_joint(w, &j);
  }
}

/* after the joints, whose numbers they have */
static void add_axes(const described *d, epi_world *w, const item **at)
{
  int first = d->contacts + d->springs + d->loads;
  for (int i = 0; i < d->axes && !epi_world_error(w); i++) {
    epi_axis a = d->axis[i].axis;
    *at = d->axis[i].at;
    a.joint += first;
    epi_add_axis(w, &a);
  }
  for (int i = 0; i < d->couplings && !epi_world_error(w); i++) {
    const coupling_told *told = &d->coupling[i];
    epi_coupling c = told->coupling;
    *at = told->at;
    for (int k = 0; k < c.terms; k++) c.term[k].joint += first;
    if (told->way)
      c.drive = (epi_drive){.at = told->speed ? epi_course_integral : epi_course_drive, .explain = epi_course_explain, .data = told->way};
    epi_add_coupling(w, &c);
  }
}

/* NULL: memory is out */
static epi_world *build(const described *d, const item **at)
{
  epi_world *w = epi_world_make();
  if (!w) return NULL;
  epi_add_gravity(w, d->gravity);
  if (d->frequency > 0) epi_add_phase(w, EPI_TURN*d->frequency, d->start);
  epi_drive shaking[EPI_DRIVES];
  epi_file_drives(&d->shaking, shaking);
  for (int i = 0; i < d->shaking.n; i++) epi_add_shaking(w, &shaking[i]);
  for (const course *c = d->in_time; c; c = c->before) epi_add_breaks(w, c->n, c->t);
  add_bodies(d, w, at);
  add_actions(d, w, at);
  add_axes(d, w, at);
  return w;
}

/* ---- a step: a twentieth of a radian of the fastest, a twentieth of the unit of an impact ---- */
static double impact(const described *d, epi_case *c, int i)
{
  const epi_contact *k = &d->contact[i].contact;
  const epi_body *a = &d->body[k->a].body, *b = k->b < 0 ? NULL : &d->body[k->b].body;
  epi_state s = epi_case_state(c);
  epi_action out;
  double g = sqrt(d->gravity[0]*d->gravity[0] + d->gravity[1]*d->gravity[1] + d->gravity[2]*d->gravity[2]);
  double ma = epi_file_welded(d, k->a), mb = k->b < 0 ? 0 : epi_file_welded(d, k->b), m = b ? ma*mb/(ma + mb) : ma;
  double gap = epi_world_action(c->world, &s, i, &out) ? 0 : fmax(0, -out.depth), v[3], power = k->law.power > 0 ? k->law.power : 1.5;
  for (int x = 0; x < 3; x++) v[x] = a->velocity[x] - (b ? b->velocity[x] : 0);
  double speed = fmax(sqrt(v[0]*v[0] + v[1]*v[1] + v[2]*v[2] + 2*g*gap), 0.01);
  /* K x^(p+1) = m v^2 gives the depth, and with the speed the time; what damping stops before that, K chi x^(p+1)/(p + 1) = m v */
  double way = m*speed*fmin(speed, k->law.chi > 0 ? (power + 1)/k->law.chi : speed), h = 0.05*pow(way/k->law.K, 1/(power + 1))/speed;
  /* friction is explicit: the slope of the traction under the weight, or under twice the load at the start */
  double load = fmax(m*g, 2*out.load);
  if (k->stiff > 0) return h;
  return k->law.mu > 0 && load > 0 ? fmin(h, 0.1*m*k->law.vs/(k->law.mu*load)) : h;
}

/* how fast what it drives turns or swings; of a speed it is the speed itself */
static double pace_of(const course *c, int speed)
{
  double most = 0;
  if (!c) return 0;
  most = 6.3*c->frequency*fmax(1, fabs(c->amplitude));
  if (speed) most = fmax(most, fabs(c->offset));
  for (int n = 0; speed && !c->formula && n < c->n; n++) most = fmax(most, fabs(c->x[n]));
  return most;
}

/* how a stop swings that was met: its stiffness a hundredth of a unit deep, by what it moves */
static double stops(const described *d, epi_case *c)
{
  epi_state s = epi_case_state(c);
  double most = 0;
  for (int i = 0; i < d->axes; i++) {
    const axis_told *a = &d->axis[i];
    const epi_joint *j = &d->joint[a->axis.joint].joint;
    epi_action out;
    double light = 0, k = a->axis.power > 1 ? a->axis.power*a->axis.stop*pow(0.01, a->axis.power - 1) : a->axis.stop;
    int number = d->contacts + d->springs + d->loads + d->joints + i;
    if (!(a->axis.stop > 0) || a->axis.stiff > 0 || epi_world_action(c->world, &s, number, &out)) continue;
    for (int side = 0; side < 2; side++) {
      const epi_body *b = epi_file_body(d, side ? j->b : j->a);
      epi_pose p = epi_world_pose(c->world, &s, side ? j->b : j->a);
      for (int x = 0; b && x < 3; x++) {
        double n = out.about ? p.R[x]*out.normal[0] + p.R[3+x]*out.normal[1] + p.R[6+x]*out.normal[2] : out.normal[x];
        light += n*n/(out.about ? b->inertia[x] : b->mass);
      }
    }
    most = fmax(most, sqrt(k*light));
  }
  return most;
}

static double turning(const described *d)
{
  double most = 0;
  for (int i = 0; i < d->bodies; i++) for (int x = 0; x < 3; x++) most = fmax(most, fabs(d->body[i].body.spin[x]));
  for (int i = 0; i < d->joints; i++) {
    most = fmax(most, fabs(d->joint[i].joint.speed));
    most = fmax(most, fmax(pace_of(d->joint[i].angle, 0), pace_of(d->joint[i].speed, 1)));
    if (d->joint[i].length) most = fmax(most, EPI_TURN*d->joint[i].length->frequency);
  }
  for (int i = 0; i < d->couplings; i++) if (d->coupling[i].way) most = fmax(most, pace_of(d->coupling[i].way, d->coupling[i].speed));
  for (int i = 0; i < d->axes; i++)
    if (d->axis[i].law && d->axis[i].law->course) most = fmax(most, EPI_TURN*d->axis[i].law->course->frequency);
  most = fmax(most, epi_file_fastest(d));
  for (int i = 0; i < d->loads; i++) if (d->load[i].factor) most = fmax(most, 6.3*d->load[i].factor->frequency);
  return most;
}

/* 1, 2 or 5 times a power of ten, at most x */
static double rounded(double x)
{
  int tens = (int)floor(log10(x));
  double y = x/pow(10, tens);
  char digits[32];
  snprintf(digits, sizeof digits, "%de%d", y >= 5 ? 5 : y >= 2 ? 2 : 1, tens);
  return strtod(digits, NULL);
}

/* of a part of the world, by its name in a flow; of a large one it would take longer than the run */
static double swings(epi_case *c, const char *part, double *decay)
{
  enum { MANY = 150 };
  epi_state s = epi_case_state(c);
  epi_flow *f = epi_case_flow(c, part);
  double w = epi_error(f) || c->system.nv > MANY ? 0 : epi_frequency(f, &s, decay);
  /* without memory the step would be another one, and nobody would know */
  if (epi_cause_of(f) == EPI_MEMORY) epi_case_refuse_cause(c, EPI_MEMORY, "out of memory");
  epi_free(f);
  if (!isfinite(*decay)) *decay = 0;
  return isfinite(w) ? w : 0;
}

static double step_of(const described *d, epi_case *c)
{
  const double steps = 1e6;
  double h = 1e-3*c->end, decay = 0, most = fmax(turning(d), swings(c, "verlet(model.contacts)", &decay)), other = 0;
  if (decay > 0) h = fmin(h, 0.2/decay);
  /* the stiff part is implicit: it may be passed over, but only where it would take too many steps to see it swing */
  double all = swings(c, "verlet", &other);
  if (all > most && c->end*all/0.05 < steps) most = all;
  most = fmax(most, stops(d, c));
  if (most > 0) h = fmin(h, 0.05/most);
  for (int i = 0; i < d->contacts; i++) h = fmin(h, impact(d, c, i));
  return h > 0 && isfinite(h) ? rounded(h) : 1e-6;
}

/* decimals of a file are not exact: a start that the library would refuse is moved onto the joints */
static int settle(epi_case *c)
{
  epi_flow *f = epi_case_flow(c, "verlet");
  epi_state s = epi_case_state(c);
  int bad = 0;
  if (!epi_error(f) && epi_run(f, &s, s.t, c->step) && epi_cause_of(f) != EPI_MEMORY) {
    epi_free(f);
    f = epi_case_flow(c, "verlet");
    s = epi_case_state(c);
    if (epi_settle(f, &s)) bad = epi_case_refuse_cause(c, epi_error(f) ? epi_cause_of(f) : EPI_REQUEST, "%s", epi_error(f) ? epi_error(f) :
                                                       "the start cannot be moved onto the joints");
    else memcpy(c->y, s.y, (size_t)epi_size(&c->system)*sizeof *c->y);
  }
  if (!bad && epi_cause_of(f) == EPI_MEMORY) bad = epi_case_refuse_cause(c, EPI_MEMORY, "out of memory");
  epi_free(f);
  return bad;
}

/* the same with the parameters of the case, where it has its own: read again, into memory of the case */
static const described *with_values(const described *d, epi_case *c)
{
  int given = 0;
  for (int i = 0; d->model.params && d->model.params[i].name; i++) given |= c->given && c->given[i];
  if (!given) return d;
  document *own = epi_case_room(c, 1, sizeof *own);
  if (!own) return NULL;
  *own = *d->document;
  own->pool = (pool){.owner = c};
  own->known = NULL;
  own->values = NULL;
  own->given = NULL;
  own->wrong = 0;
  own->notes = NULL;
  described *made = epi_values_read(own, d->parameters, NULL, c) ? d->again(own, d->at) : NULL;
  epi_request *asked = made && d->asked ? epi_case_room(c, 1, sizeof *asked) : NULL;
  if (asked) {
    made->asked = asked;
    if (d->numbers(own, made, asked)) made = NULL;
  }
  if (made) {
    c->model = &made->model;
    c->flow = made->model.flow;
    return made;
  }
  if (!c->error[0])
    epi_case_refuse_cause(c, own->wrong ? EPI_REQUEST : EPI_MEMORY, "%s", own->wrong ? own->said[0].text : "out of memory");
  return NULL;
}

/* a run of this case has the step, the end and the like that its file makes of these parameters */
static int take_numbers(const epi_request *p, epi_case *c)
{
  if (!p) return 0;
  if (!isnan(p->step)) c->step = p->step;
  if (!isnan(p->end)) c->end = p->end;
  if (p->every > 0) c->every = p->every;
  if (p->tol > 0) c->tol = p->tol;
  c->unasked = !p->flow && isnan(p->step) && isnan(p->tol);
  if (c->tol > 0 && !(c->tol < 1)) return epi_case_refuse(c, "tol = %g is no tolerance: write a small number, as in 1e-6", c->tol);
  return c->end > c->t ? 0 : epi_case_refuse(c, "end = %g is not after the start t = %g: write a later one", c->end, c->t);
}

static int make(epi_case *c)
{
  const described *d = with_values((const described *)c->model, c);
  const item *at;
  if (!d) return -1;
  c->data = d;
  epi_world *w = build(d, &at);
  if (!w) return epi_case_refuse_cause(c, EPI_MEMORY, "out of memory");
  if (epi_case_world(c, w) || (c->system.nc && settle(c))) return -1;
  c->step = step_of(d, c);
  return c->error[0] ? -1 : take_numbers(d->asked, c);
}

/* nothing drives it, and nothing turns energy into heat */
static int conserves(const described *d)
{
  if (epi_file_driven(d)) return 0;
  for (int i = 0; i < d->springs; i++) {
    const epi_load_kind *k = d->spring[i].spring.kind;
    if (!k->traits || !(k->traits(&d->spring[i].spring) & EPI_CONSERVATIVE)) return 0;
  }
  for (int i = 0; i < d->contacts; i++) {
    const epi_law *l = &d->contact[i].contact.law;
    if (l->chi > 0 || l->mu > 0 || l->waves) return 0;
  }
  for (int i = 0; i < d->loads; i++) {
    const epi_load_kind *k = d->load[i].load.kind;
    if (d->load[i].factor || !k->traits || !(k->traits(&d->load[i].load) & EPI_CONSERVATIVE)) return 0;
  }
  for (int i = 0; i < d->joints; i++) {
    const joint_told *j = &d->joint[i];
    if (j->angle || j->speed || j->length || j->joint.speed != 0 || j->joint.damping[0] > 0 || j->joint.damping[1] > 0) return 0;
  }
  for (int i = 0; i < d->axes; i++) {
    const epi_axis *a = &d->axis[i].axis;
    if (a->damping > 0 || a->chi > 0 || a->drag > 0 || a->law) return 0;
  }
  for (int i = 0; i < d->couplings; i++) if (d->coupling[i].way) return 0;
  for (int i = 0; i < d->bodies; i++)
    for (int k = 0; k < d->body[i].body.modes; k++) if (d->body[i].body.modal_damping[k] > 0) return 0;
  return 1;
}

/* semi for what is stiff or lossy, with the beta that takes nothing from an oscillation; without losses verlet keeps the energy */
static const char *flow_of(const described *d, epi_world *w)
{
  const epi_system *s = epi_world_names(w)[2].system;
  int stiff = (d->contacts > 0 && !conserves(d)) || s->jacobian.slope_rowptr[s->nv] > 0;
  /* what rests must not ring on: a little more than a half takes that */
  if (epi_file_holds(d)) return "semi(model.contacts, model.stiff, beta=0.6, ahead=1)";
  return stiff ? "semi(model.contacts, model.stiff, beta=0.5, ahead=1)" : "verlet";
}

/* ---- names ---- */
/* every thing in its turn: which list, its name, and where it stands */
typedef struct thing { const char **name; const char *what; int number; const item *at; } thing;
static int things_of(described *d, thing *out)
{
  int n = 0;
  for (int i = 0; i < d->bodies; i++) out[n++] = (thing){&d->body[i].body.name, "body", i, d->body[i].at};
  for (int i = 0; i < d->contacts; i++) out[n++] = (thing){&d->contact[i].contact.name, "contact", i, d->contact[i].at};
  for (int i = 0; i < d->springs; i++) out[n++] = (thing){&d->spring[i].spring.name, "spring", i, d->spring[i].at};
  for (int i = 0; i < d->loads; i++) out[n++] = (thing){&d->load[i].load.name, "load", i, d->load[i].at};
  for (int i = 0; i < d->joints; i++) out[n++] = (thing){&d->joint[i].joint.name, "joint", i, d->joint[i].at};
  for (int i = 0; i < d->couplings; i++)
    if (!d->coupling[i].motor && !d->coupling[i].screw)
      out[n++] = (thing){&d->coupling[i].coupling.name, epi_item_of(d->coupling[i].at, "hold")->text, i, d->coupling[i].at};
  return n;
}

static int by_name(const void *a, const void *b)
{
  const thing *x = a, *y = b;
  int order = strcmp(*x->name, *y->name);
  return order ? order : (x->at->line > y->at->line) - (x->at->line < y->at->line);
}

/* what belongs to a joint is called after it: pivot.spring, and pivot.spring2 for the second */
static void name_parts(document *doc, described *d)
{
  for (int i = 0; i < d->axes; i++) {
    int before = 0;
    for (int k = 0; k < i; k++) before += d->axis[k].axis.joint == d->axis[i].axis.joint && !strcmp(d->axis[k].what, d->axis[i].what);
    const char *joint = d->joint[d->axis[i].axis.joint].joint.name;
    d->axis[i].axis.name = before ? epi_pool_text(&doc->pool, "%s.%s%d", joint, d->axis[i].what, before + 1) :
                           epi_pool_text(&doc->pool, "%s.%s", joint, d->axis[i].what);
  }
  for (int i = 0; i < d->couplings; i++) {
    epi_coupling *c = &d->coupling[i].coupling;
    const char *joint = d->joint[c->term[0].joint].joint.name;
    int before = 0;
    for (int k = 0; k < d->axes; k++) before += d->axis[k].law && d->axis[k].axis.joint == c->term[0].joint;
    for (int k = 0; k < i; k++) before += d->coupling[k].motor && d->coupling[k].coupling.term[0].joint == c->term[0].joint;
    if (d->coupling[i].motor)
      c->name = before ? epi_pool_text(&doc->pool, "%s.motor%d", joint, before + 1) : epi_pool_text(&doc->pool, "%s.motor", joint);
    if (d->coupling[i].screw) c->name = epi_pool_text(&doc->pool, "%s.thread", joint);
  }
}

static int name_all(document *doc, described *d)
{
  int most = d->bodies + d->contacts + d->springs + d->loads + d->joints + d->couplings;
  thing *all = epi_pool_room(&doc->pool, (size_t)most + 1, sizeof *all);
  if (!all) return REFUSED;
  int n = things_of(d, all), bad = 0;
  for (int i = 0; i < n; i++) if (!*all[i].name) *all[i].name = epi_pool_text(&doc->pool, "%s%d", all[i].what, all[i].number + 1);
  qsort(all, (size_t)n, sizeof *all, by_name);
  for (int i = 1; i < n && !bad; i++)
    if (!strcmp(*all[i].name, *all[i-1].name))
      bad = epi_document_wrong(doc, epi_item_key(all[i].at, "name") ? epi_item_key(all[i].at, "name") : all[i].at,
                               "'%s' is the name of a %s and of a %s in line %d: give each its own", *all[i].name, all[i].what,
                           all[i-1].what, all[i-1].at->line);
  if (!bad) name_parts(doc, d);
  return bad;
}

/* ---- does the start fit the contacts and the joints? ---- */
/* a contact carries its load with a depth of far less than this; more throws the bodies apart */
static int check_depths(document *doc, const described *d, epi_world *w)
{
  const double deep = 0.01;
  epi_state s = epi_world_state(w);
  for (int i = 0; i < d->contacts; i++) {
    const epi_contact *k = &d->contact[i].contact;
    epi_action out;
    if (epi_world_action(w, &s, i, &out))
      return epi_document_wrong(doc, d->contact[i].at, "in the contact %s the body %s is so deep at the start that no force can be told: "
                                "move it out", k->name, d->body[k->a].body.name);
    if (!(out.depth > deep*k->radius)) continue;
    return epi_document_wrong(doc, d->contact[i].at,
                              "in the contact %s the body %s is %.3g m deep at the start, of a radius of %.3g: move it out", k->name,
                          d->body[k->a].body.name, out.depth, k->radius);
  }
  return 0;
}

static int misfit(document *doc, const joint_told *j, double gap, double speed, int turn)
{
  const char *unit = turn ? "rad" : "m", *rest = "or write settle: yes under world, which moves them as little as it can";
  if (gap > 0)
    return epi_document_wrong(doc, j->at, "the joint %s is open by %.3g %s at the start: bring its bodies together, %s", j->joint.name, gap,
                              unit, rest);
  return epi_document_wrong(doc, j->at, "the joint %s opens with %.3g %s/s at the start: give its bodies velocities that go together, %s",
                            j->joint.name, speed, unit, rest);
}

/* a row of G times v: all of it, or the velocities that it touches; and the sum without signs */
static double along(const epi_system *m, const double *G, int row, const double *v, double *all)
{
  int first = m->constraints.rowptr ? m->constraints.rowptr[row] : row*m->nv, end = m->constraints.rowptr ? m->constraints.rowptr[row+1]
    : first + m->nv;
  double sum = 0;
  for (int k = first; k < end; k++) {
    double part = G[k]*v[m->constraints.rowptr ? m->constraints.cols[k] : k - first];
    sum += part;
    *all += fabs(part);
  }
  return sum;
}

/* how large a machine is: its bodies, and the points of its joints */
static double extent(const described *d, epi_world *w, const epi_state *s)
{
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, most = 0;
  for (int i = 0; i < d->bodies + 2*d->joints; i++) {
    const epi_joint *j = i < d->bodies ? NULL : &d->joint[(i - d->bodies)/2].joint;
    int other = (i - d->bodies)%2;
    epi_pose p = epi_world_pose(w, s, !j ? i : other ? j->b : j->a);
    for (int c = 0; c < 3; c++) {
      double x = p.r[c];
      for (int k = 0; k < 3 && j; k++) x += p.R[3*c + k]*(other ? j->at_b : j->at_a)[k];
      low[c] = fmin(low[c], x);
      high[c] = fmax(high[c], x);
    }
  }
  for (int c = 0; c < 3; c++) most = fmax(most, high[c] - low[c]);
  return most;
}

/* a row that the start misses by more than a rounded number may: a thousandth, of the machine or of what goes on there; where both are next
   to nothing, what is rounding beside `later`, the speed of its drive a moment later */
static int misses(document *doc, const joint_told *j, double size, int turn, double gap, double speed, double all, double later)
{
  const double little = 1e-3, scale = turn ? 1 : size;
  if (!(fabs(gap) <= little*scale)) return misfit(doc, j, fabs(gap), 0, turn);
  return fabs(speed) <= little*(scale + all) + 1e-12*later ? 0 : misfit(doc, j, 0, fabs(speed), turn);
}

static int check_start(document *doc, const described *d, epi_world *w)
{
  epi_system *m = epi_world_system(w);
  epi_state s = epi_world_state(w);
  const double *v = s.y + m->nq;
  size_t entries = m->constraints.rowptr ? (size_t)m->constraints.rowptr[m->nc] : (size_t)m->nc*(size_t)m->nv;
  if (!m->nc || d->settle || (!m->constraints.rowptr && entries > 4000000)) return 0;
  double *g = calloc(3*(size_t)m->nc + entries + 1, sizeof *g), *gt = g + m->nc, *later = gt + m->nc, *G = later + m->nc;
  double size = extent(d, w, &s), moment = m->phase.phase_rate != 0 ? 0.4/fabs(m->phase.phase_rate) : 1e-3;
  if (!g) return doc->pool.out = 1, REFUSED;
  if (m->constraint(m, moment, s.y, g, G, later)) memset(later, 0, (size_t)m->nc*sizeof *later);
  int bad = m->constraint(m, 0, s.y, g, G, gt) ?
            epi_document_wrong(doc, d->at, "the joints cannot be had at the start: see where the bodies are") : 0;
  for (int i = 0, row = 0; i < d->joints + d->couplings && !bad; i++) {
    const coupling_told *c = i < d->joints ? NULL : &d->coupling[i - d->joints];
    joint_told one = c ? (joint_told){.at = c->at, .joint = {.name = c->coupling.name}} : d->joint[i];
    if (!c && one.joint.as != EPI_CONSTRAINT) continue;
    for (int k = 0; k < (c ? 1 : one.rows) && !bad; k++, row++) {
      double all = fabs(gt[row]), speed = gt[row] + along(m, G, row, v, &all);
      bad = misses(doc, &one, size, c ? c->coupling.term[0].axis >= EPI_RX : (int)(one.turns >> k & 1), g[row], speed, all,
                   fabs(later[row]));
    }
  }
  free(g);
  return bad;
}

/* what it is, and which phase it has; what does not swing with it is said */
static const char *told_of(document *doc, const described *d)
{
  const char *what = "bodies and what acts on them, as a model file describes them";
  if (!(d->frequency > 0)) return what;
  pen p = {.pool = &doc->pool};
  epi_pen_print(&p, "%s; its fast phase has %s Hz", what, epi_shortest(d->frequency).text);
  epi_file_beside(d, &p);
  return p.text;
}

int epi_described_finish(document *doc, described *d)
{
  const item *at = d->at;
  if (name_all(doc, d)) return REFUSED;
  epi_world *w = build(d, &at);
  if (!w) return doc->pool.out = 1, REFUSED;
  epi_world_state(w);
  int bad = epi_world_error(w) ? epi_document_wrong(doc, at, "%s", epi_world_error(w)) :
            check_depths(doc, d, w) || epi_file_check_limits(doc, d, w) ? REFUSED : check_start(doc, d, w);
  const char *flow = bad ? NULL : flow_of(d, w);
  epi_world_free(w);
  if (bad || epi_file_observe(&doc->pool, d, conserves(d))) return REFUSED;
  d->model = (epi_model){.name = "world", .doc = told_of(doc, d), .cite = "", .make = make, .observables = d->observable, .flow = flow,
                         .step = 1e-3, .end = 1, .params = doc->values ? doc->values->param : NULL};
  return 0;
}
