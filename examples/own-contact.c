/* own-contact.c - a contact and a joint of one's own: a ball in a trough, and a nut on a screw. Prints the period of the ball, 2 pi
 * sqrt((R - r)/g) for small swings, and how fast the nut comes down, g/(1 + I/(m pitch^2)). The same world as a file, which has both by
 * their names: epicycle run own-contact.yaml --with own-contact.c */
#include <epicycle.h>
#include <math.h>
#include <stdio.h>

/* a trough along y of b, hollow and round: the ball a touches it where it is furthest from the axis. A parameter of its own stands in
   own */
static int in_trough(const epi_contact *c, double t, const epi_pose *a, const epi_pose *b, epi_touch *out)
{
  double x = a->r[0] - b->r[0], z = a->r[2] - b->r[2], far = hypot(x, z);
  (void)t;
  out->depth = far + c->radius - c->own[0];
  for (int i = 0; i < 3; i++) {
    out->normal[i] = i == 0 ? x/far : i == 2 ? z/far : 0;
    out->lever[0][i] = c->radius*out->normal[i];
    out->lever[1][i] = a->r[i] - b->r[i] + out->lever[0][i];
  }
  return 0;
}
static int too_large(const epi_contact *c, char *words, size_t size)
{
  return c->radius < c->own[0] ? 0 : snprintf(words, size, "does not fit into its trough: give a radius below %g", c->own[0]);
}
static const epi_param trough_params[] = {{.name = "radius", .unit = "m", .doc = "of the ball"},
                                          {.name = "hollow", .unit = "m", .doc = "of the trough"}, {0}};
static const epi_contact_kind trough = {.name = "trough", .doc = "a ball in a round trough", .params = trough_params,
                                        .traits = EPI_A_BALL | EPI_B_HOLLOW,
                                        .check = too_large, .touch = in_trough};

/* one row: a comes down by the pitch for every radian that it turns about z */
static int on_screw(const epi_joint *j, double t, const epi_pose *a, const epi_pose *b, epi_joint_rows *out)
{
  (void)t;
  out->g[0] = a->r[2] - b->r[2] - j->own[0]*atan2(a->R[3], a->R[0]);
  out->G[0][2] = 1, out->G[0][5] = -j->own[0], out->G[0][8] = -1;
  return 0;
}
static const epi_param screw_params[] = {{.name = "pitch", .unit = "m/rad", .doc = "of the screw"}, {0}};
static const epi_joint_kind spindle = {.name = "spindle", .doc = "a nut on a screw along z", .params = screw_params, .rows = 1,
                                     .eval = on_screw};

/* for model files: `shape: trough` and `hold: spindle` */
EPI_NAMES = {{.name = "trough", .contact = &trough}, {.name = "spindle", .joint = &spindle}, {0}};

int main(void)
{
  epi_world *w = epi_world_make();
  epi_add_gravity(w, (double[]){0, 0, -9.81});
  int ball = epi_add_body(w, &(epi_body){.name = "ball", .mass = 0.1, .inertia = {4e-5, 4e-5, 4e-5}, .at = {0.001, 0, -0.48}});
  int nut = epi_add_body(w, &(epi_body){.name = "nut", .mass = 1, .inertia = {0.01, 0.01, 0.01}, .at = {0, 2, 0}});
  epi_add_contact(w, &(epi_contact){.name = "swing", .kind = &trough, .a = ball, .b = EPI_GROUND, .radius = 0.02, .own = (double[]){0.5},
                                    .law = {.K = 1e9}});
  epi_add_joint(w, &(epi_joint){.a = nut, .b = EPI_GROUND, .hold = EPI_X | EPI_Y | EPI_RX | EPI_RY, .as = EPI_CONSTRAINT,
                                .at_b = {0, 2, 0}});
  epi_add_joint(w, &(epi_joint){.name = "thread", .kind = &spindle, .a = nut, .b = EPI_GROUND, .as = EPI_CONSTRAINT,
                               .own = (double[]){0.1}});
  epi_flow *f = epi_world_flow(w, "verlet");
  epi_state s = epi_world_state(w);
  double before = s.y[0], crossed = 0, period = 0;
  if (epi_run(f, &s, 0.1, 1e-5)) { fprintf(stderr, "%s\n", epi_error(f)); return 1; }
  printf("the nut comes down with %.4f m/s^2\n", -2*s.y[7 + 2]/(s.t*s.t));
  for (; !(period > 0) && !epi_run(f, &s, s.t + 1e-3, 1e-5); before = s.y[0])
    if (before*s.y[0] < 0) { double at = s.t - 1e-3*s.y[0]/(s.y[0] - before); period = crossed > 0 ? 2*(at - crossed) : 0; crossed = at; }
  printf("the ball swings with a period of %.3f s\n", period);
  epi_free(f);
  epi_world_free(w);
  return !(period > 0);
}
