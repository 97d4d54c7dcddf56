/* feet.c - bodies that are welded together, and the friction of those that stand on something */
#include "file/model-file.h"
#include <math.h>

/* holds everything, and nothing moves it: the body on the other side, or -1 */
static int weld_of(const joint_told *j, int body)
{
  if (j->joint.as != EPI_CONSTRAINT || j->joint.hold != EPI_ALL || (j->joint.kind && j->joint.kind->rows)) return -1;
  if (j->angle || j->speed || j->joint.speed != 0 || j->moved.n) return -1;
  return j->joint.a == body ? j->joint.b : j->joint.b == body ? j->joint.a : -1;
}

/* its own mass and that of its neighbours by one weld or two: a foot, its box, and the other feet of that */
double epi_file_welded(const described *w, int body)
{
  double mass = w->body[body].body.mass;
  int through = -1;
  if (w->bodies > 64) return mass;
  for (int i = 0; i < w->joints && through < 0; i++) through = weld_of(&w->joint[i], body);
  if (through < 0) return mass;
  double other = w->body[through].body.mass;
  for (int i = 0; i < w->joints; i++) {
    int next = weld_of(&w->joint[i], through), mine = weld_of(&w->joint[i], body);
    if (next >= 0 && next != body) other += w->body[next].body.mass;
    if (mine >= 0 && mine != through) other += w->body[mine].body.mass;
  }
  return mass + other;
}

int epi_file_holds(const described *w)
{
  int holds = 0;
  for (int i = 0; i < w->contacts; i++) {
    const epi_contact *c = &w->contact[i].contact;
    holds |= c->stiff > 0 && c->law.mu > 0 && !epi_item_of(epi_item_of(w->contact[i].at, "law"), "vs");
  }
  return holds;
}

void epi_file_mark_friction(described *w)
{
  const double fast = 2000;
  double g = sqrt(w->gravity[0]*w->gravity[0] + w->gravity[1]*w->gravity[1] + w->gravity[2]*w->gravity[2]);
  if (w->bodies > 64) return;
  for (int i = 0; i < w->contacts; i++) {
    epi_contact *c = &w->contact[i].contact;
    if (c->stiff || !(c->law.mu > 0) || c->law.slices || c->law.waves) continue;
    if (epi_file_welded(w, c->a) > w->body[c->a].body.mass && c->law.mu*g > fast*c->law.vs) c->stiff = 1;
  }
}
