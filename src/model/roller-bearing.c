/* roller-bearing.c - a double-row spherical roller bearing of rigid bodies: two rings, a cage, barrel rollers in two rows; built of the
 * calls that any program has. The outer race is a sphere, the inner ones are grooves; rollers touch them by slices, the cage by the sides
 * and ends of its pockets, and the cage runs on the inner ring */
#include "roller-bearing.h"
#include "bodies.h"

static const epi_param PARAMS[] = {
  [Z] = {.name = "Z", .unit = "", .value = 16, .kind = EPI_COUNT, .doc = "number of rollers in each of the two rows",
         .range = {4, 100, .words = " rollers in a row carry no ring: take 4 to 100"}},
  [D] = {.name = "D", .unit = "m", .value = 9.5e-3, .doc = "diameter of a roller in its middle", .range = EPI_POSITIVE},
  [LENGTH] = {.name = "L", .unit = "m", .value = 8.8e-3, .doc = "length of a roller", .range = EPI_POSITIVE},
  [CARRIES] = {.name = "Le", .unit = "m", .value = 8.1e-3, .doc = "length of a roller that carries, without the rounded ends",
               .range = EPI_POSITIVE},
  [ALPHA] = {.name = "alpha", .unit = "deg", .value = 10.5, .doc = "contact angle", .range = EPI_POSITIVE},
  [PROFILE] = {.name = "Rp", .unit = "m", .value = 34.8e-3, .doc = "radius of the profile of a roller, along its axis",
               .range = EPI_POSITIVE},
  [SPHERE] = {.name = "Rs", .unit = "m", .value = 35.5e-3, .doc = "radius of the outer race, a sphere", .range = EPI_POSITIVE},
  [GROOVE] = {.name = "ri", .unit = "m", .value = 35.5e-3, .doc = "radius of the profile of the inner grooves", .range = EPI_POSITIVE},
  [GR] = {.name = "Gr", .unit = "m", .value = 30e-6, .doc = "radial clearance", .range = EPI_NOT_NEGATIVE},
  [BORE] = {.name = "bore", .unit = "m", .value = 40e-3, .doc = "bore of the inner ring", .range = EPI_POSITIVE},
  [OUTSIDE] = {.name = "outside", .unit = "m", .value = 80e-3, .doc = "outside diameter of the outer ring", .range = EPI_POSITIVE},
  [WIDTH] = {.name = "width", .unit = "m", .value = 23e-3, .doc = "width of the rings", .range = EPI_POSITIVE},
  [DENSITY] = {.name = "density", .unit = "kg/m^3", .value = 7800, .doc = "of rings and rollers", .range = EPI_POSITIVE},
  [SPEED] = {.name = "speed", .unit = "rpm", .value = 3000, .doc = "of the inner ring"},
  [RADIAL] = {.name = "radial", .unit = "N", .value = 1e4, .doc = "load on the inner ring along -y"},
  [AXIAL] = {.name = "axial", .unit = "N", .value = 0, .doc = "load on the inner ring along z, the axis"},
  [RAMP] = {.name = "ramp", .unit = "s", .value = 0,
            .doc = "time in which the radial load grows from the preload; 0: it is there at once", .range = EPI_NOT_NEGATIVE},
  [PRELOAD] = {.name = "preload", .unit = "N", .value = 0, .doc = "radial load in whose equilibrium it starts; 0: the radial load"},
  [G] = {.name = "g", .unit = "m/s^2", .value = 9.81, .doc = "gravity, along -y"},
  [CHI] = {.name = "chi", .unit = "s/m", .value = 0.25, .doc = "damping of the races: load K depth^(10/9) (1 + chi depth')",
           .range = EPI_NOT_NEGATIVE},
  [MU] = {.name = "mu", .unit = "", .value = 0.05, .doc = "traction of the races", .range = EPI_NOT_NEGATIVE},
  [VS] = {.name = "vs", .unit = "m/s", .value = 0.1, .doc = "slip at which the traction has grown to 0.7 of mu", .range = EPI_POSITIVE},
  [SLICES] = {.name = "slices", .unit = "", .value = 30, .kind = EPI_COUNT,
              .doc = "of a roller: 20 give loads to 1e-4, 10 are enough for speeds",
              .range = {1, 256, .words = ": take 1 to 256, 20 to 40 are good"}},
  [POCKET_PLACE] = {.name = "pocket.place", .unit = "m", .value = 0,
                    .doc = "where the sides of a pocket touch the roller, from its middle; 0: as in the 22208, 3.5 mm, by the length",
                    .range = EPI_NOT_NEGATIVE},
  [POCKET] = {.name = "pocket.clearance", .unit = "m", .value = 5e-5, .doc = "of a roller and either side of its pocket",
              .range = EPI_POSITIVE},
  [POCKET_END] = {.name = "pocket.end", .unit = "m", .value = 1e-4, .doc = "clearance of a roller and either end of its pocket",
                  .range = EPI_POSITIVE},
  [POCKET_K] = {.name = "pocket.K", .unit = "N/m^1.5", .value = 1e9, .doc = "stiffness of the pockets", .range = EPI_POSITIVE},
  [POCKET_CHI] = {.name = "pocket.chi", .unit = "s/m", .value = 2, .doc = "damping of the pockets", .range = EPI_NOT_NEGATIVE},
  [POCKET_MU] = {.name = "pocket.mu", .unit = "", .value = 0.1, .doc = "friction of the pockets", .range = EPI_NOT_NEGATIVE},
  [POCKET_VS] = {.name = "pocket.vs", .unit = "m/s", .value = 0.1, .doc = "slip at which it has grown to 0.7", .range = EPI_POSITIVE},
  [LAND] = {.name = "land.radius", .unit = "m", .value = 0,
            .doc = "of the inner ring where it guides the cage; 0: as in the 22208, 26 mm, by the dimensions", .range = EPI_NOT_NEGATIVE},
  [LAND_CLEARANCE] = {.name = "land.clearance", .unit = "m", .value = 2e-4, .doc = "radial, of the cage on the inner ring",
                      .range = EPI_POSITIVE},
  [LAND_Z] = {.name = "land.z", .unit = "m", .value = 0,
              .doc = "distance of the two lands from the middle; 0: as in the 22208, 9 mm, by the width", .range = EPI_NOT_NEGATIVE},
  [LAND_K] = {.name = "land.K", .unit = "N/m^1.5", .value = 1e9, .doc = "stiffness of a land", .range = EPI_POSITIVE},
  [LAND_CHI] = {.name = "land.chi", .unit = "s/m", .value = 2, .doc = "damping of the lands", .range = EPI_NOT_NEGATIVE},
  [LAND_MU] = {.name = "land.mu", .unit = "", .value = 0.05, .doc = "friction of the lands", .range = EPI_NOT_NEGATIVE},
  [LAND_VS] = {.name = "land.vs", .unit = "m/s", .value = 0.1, .doc = "slip at which it has grown to 0.7", .range = EPI_POSITIVE},
  [CAGE_MASS] = {.name = "cage.mass", .unit = "kg", .value = 0, .doc = "0: as in the 22208, 60 g, by the dimensions; the moments too"},
  [CAGE_IX] = {.name = "cage.Ix", .unit = "kg m^2", .value = 0, .doc = "about a diameter"},
  [CAGE_IZ] = {.name = "cage.Iz", .unit = "kg m^2", .value = 0, .doc = "about the axis"},
  [OUTER_MASS] = {.name = "outer.mass", .unit = "kg", .value = 0,
                  .doc = "0: as in the 22208, 220 g, by dimensions and density; the moments too"},
  [OUTER_IX] = {.name = "outer.Ix", .unit = "kg m^2", .value = 0, .doc = "about a diameter"},
  [OUTER_IZ] = {.name = "outer.Iz", .unit = "kg m^2", .value = 0, .doc = "about the axis"},
  [INNER_MASS] = {.name = "inner.mass", .unit = "kg", .value = 0,
                  .doc = "0: as in the 22208, 148 g, by dimensions and density; the moments too"},
  [INNER_IX] = {.name = "inner.Ix", .unit = "kg m^2", .value = 0, .doc = "about a diameter"},
  [INNER_IZ] = {.name = "inner.Iz", .unit = "kg m^2", .value = 0, .doc = "about the axis"},
  [CAGE_SPEED] = {.name = "cage.speed", .unit = "", .value = 0.98, .doc = "start: speed of the cage, in that of the rollers"},
  [CAGE_LAG] = {.name = "cage.lag", .unit = "m", .value = 2e-5, .doc = "start: how far the cage is behind the rollers"},
  [OFFSET] = {.name = "offset", .unit = "m", .value = 1.5e-5,
              .doc = "start: rollers are out of their even places by at most this; at 0 all hit their pockets at once"},
  [FB] = {.name = "fB", .unit = "Hz", .value = 1e7, .doc = "frequency of the springs that hold the outer ring and turn the inner one",
          .range = EPI_POSITIVE},
  [TAU] = {.name = "tau", .unit = "s", .value = 1e-7, .doc = "their damping, in their stiffness", .range = EPI_POSITIVE},
  [THREADS] = {.name = "threads", .unit = "", .value = 1, .kind = EPI_COUNT,
               .doc = "that share the rollers of a sweep: the same bits with any number, sooner on a machine that is idle",
               .range = {1, 64, .words = ": take 1 to 64, 2 to 4 are good"}},
  [ROLLER] = {.name = "roller", .unit = "", .value = 0, .kind = EPI_COUNT,
              .doc = "the roller that the observables show; 0: that of the first row which carries most of a load along -y"},
  {0}
};

/* ---- figures ---- */
/* a hollow cylinder: what a ring or cage of these dimensions weighs against that of the 22208 */
static void hollow(double a, double b, double width, double density, double *out)
{
  out[0] = density*EPI_PI/4*(b*b - a*a)*width;
  out[2] = out[0]*(a*a + b*b)/8;
  out[1] = 0.5*out[2] + out[0]*width*width/12;
}

static double pitch_of(const double *p) { return (2*p[SPHERE] - p[D])*cos(p[ALPHA]*EPI_PI/180); }

static void shapes(const double *p, double out[3][3])
{
  double dm = pitch_of(p);
  hollow(2*p[SPHERE], p[OUTSIDE], p[WIDTH], p[DENSITY], out[OUTER]);
  hollow(p[BORE], dm - p[D], p[WIDTH], p[DENSITY], out[INNER]);
  hollow(dm - p[D]/2, dm + p[D]/2, p[WIDTH], 1, out[CAGE]);
}

static void usual(double *p) { for (int i = 0; i <= ROLLER; i++) p[i] = PARAMS[i].value; }

/* mass and moments that were left at zero, lands and pockets */
static void fill_in(epi_roller_bearing *b)
{
  static const double known[3][3] = {[OUTER] = {0.22, 1.65e-4, 3.1e-4}, [INNER] = {0.148, 4.6e-5, 7.9e-5}, [CAGE] = {0.06, 2.7e-5, 5e-5}};
  static const int first[] = {[OUTER] = OUTER_MASS, [INNER] = INNER_MASS, [CAGE] = CAGE_MASS};
  double *p = b->p, r[ROLLER + 1] = {0}, here[3][3], there[3][3];
  usual(r);
  shapes(p, here);
  shapes(r, there);
  for (int i = 0; i < 3; i++) {
    double *m = p + first[i];
    int slant = m[1] == 0;
    for (int k = 0; k < 3; k++) if (m[k] == 0) m[k] = known[i][k]*(here[i][k]/there[i][k]);
    /* no ring has less about a diameter than a flat one */
    if (slant) m[1] = fmax(m[1], m[2]/2);
  }
  if (p[LAND] == 0) p[LAND] = 26e-3*(pitch_of(p) - 0.7*p[D])/(pitch_of(r) - 0.7*r[D]);
  if (p[LAND_Z] == 0) p[LAND_Z] = 9e-3*(p[WIDTH]/r[WIDTH]);
  if (p[POCKET_PLACE] == 0) p[POCKET_PLACE] = 3.5e-3*(p[LENGTH]/r[LENGTH]);
  if (p[PRELOAD] == 0) p[PRELOAD] = p[RADIAL];
  if (p[ROLLER] == 0) p[ROLLER] = 1 + rint(0.75*p[Z]);
}

static double barrel(const double *p, double x) { return p[D]/2 - (p[PROFILE] - sqrt(p[PROFILE]*p[PROFILE] - x*x)); }

/* mass and moments of a barrel by Simpson's rule: across its axis, and about it */
typedef struct { double m, It, Ia; } weight;
static weight weigh(const double *p)
{
  enum { PARTS = 128 };
  double h = p[LENGTH]/PARTS;
  weight b = {0};
  for (int i = 0; i <= PARTS; i++) {
    double x = -p[LENGTH]/2 + i*h, r = barrel(p, x), r2 = r*r, w = EPI_PI*p[DENSITY]*h/3*(i == 0 || i == PARTS ? 1 : i % 2 ? 4 : 2);
    b.m += w*r2;
    b.Ia += w*r2*r2/2;
    b.It += w*(r2*r2/4 + r2*x*x);
  }
  return b;
}

/* the clearance is shared by the races, and Palmgren's depth is 3.84e-5 mm (Q/N)^0.9/(l/mm)^0.8 */
static void figure(epi_roller_bearing *b)
{
  const double *p = b->p;
  double g = p[GR]*cos(p[ALPHA]*EPI_PI/180)/2, Rc = p[SPHERE] - p[D] + p[GROOVE] - g/2;
  b->rollers = 2*(int)p[Z];
  b->al = p[ALPHA]*EPI_PI/180;
  b->Rm = p[SPHERE] - p[D]/2;
  b->Rso = p[SPHERE] + g/2;
  b->Rci = Rc*cos(b->al);
  b->zci = Rc*sin(b->al);
  b->K = pow(1000*p[CARRIES], 8./9)/pow(3.84e-8, 10./9);
  b->rho = barrel(p, p[POCKET_PLACE]);
  b->own[0] = p[PROFILE];
  b->own[1] = p[CARRIES];
  b->speed = p[SPEED]*EPI_PI/30;
  b->orbit = b->speed/2*(1 - p[D]/(2*b->Rm));
  b->spin = -b->orbit*(b->Rm + p[D]/2)*cos(b->al)/(p[D]/2);
  weight w = weigh(p);
  b->m = w.m;
  b->It = w.It;
  b->Ia = w.Ia;
}

/* ---- what cannot be built ---- */
static int wrong_sizes(epi_case *c)
{
  const double *p = c->p;
  if (p[D] >= 0.5) return epi_case_refuse(c, "D = %g m is no roller: lengths are in m, and %g mm is D=%g", p[D], p[D], 1e-3*p[D]);
  if (!(p[ALPHA] < 45)) return epi_case_refuse(c, "alpha = %g deg is no contact angle of such a bearing: take one below 45", p[ALPHA]);
  if (!(p[ROLLER] >= 0 && p[ROLLER] <= 2*p[Z]))
    return epi_case_refuse(c, "roller = %g is not there to be shown: take 1 to %g, or 0", p[ROLLER], 2*p[Z]);
  return 0;
}

static int wrong_roller(epi_case *c)
{
  const double *p = c->p;
  if (p[CARRIES] > p[LENGTH])
    return epi_case_refuse(c, "Le = %g m of a roller carries, and it is L = %g m long: give a smaller Le", p[CARRIES], p[LENGTH]);
  if (p[LENGTH] >= 2*p[PROFILE] || barrel(p, p[LENGTH]/2) <= 0)
    return epi_case_refuse(c, "the profile of Rp = %g m closes a roller before its length of %g m: give a larger Rp or a smaller L",
                           p[PROFILE], p[LENGTH]);
  if (p[POCKET_PLACE] >= p[LENGTH]/2)
    return epi_case_refuse(c, "pocket.place = %g m is past the end of the roller: take one below L/2 = %g", p[POCKET_PLACE], p[LENGTH]/2);
  const char *which = p[PROFILE] >= p[SPHERE] ? "Rs" : "ri";
  if (p[PROFILE] >= fmin(p[SPHERE], p[GROOVE]))
    return epi_case_refuse(c, "a roller of the profile Rp = %g m touches a race of %s = %g m with its ends alone: take Rp below it, by "
                           "2 %%", p[PROFILE], which, fmin(p[SPHERE], p[GROOVE]));
  return 0;
}

static int no_assembly(epi_case *c)
{
  const double *p = c->p;
  double al = p[ALPHA]*EPI_PI/180, Rm = p[SPHERE] - p[D]/2, dm = pitch_of(p), ends = p[LENGTH]/2, room = HUGE_VAL;
  if (p[SPHERE] <= p[D]) return epi_case_refuse(c, "rollers of D = %g m leave no room in a sphere of Rs = %g m", p[D], p[SPHERE]);
  /* between neighbours, at the middle and at the ends that are nearer to the axis */
  for (int i = 0; i <= 8; i++) {
    double x = ends*i/8;
    room = fmin(room, 2*((Rm*cos(al) - x*sin(al))*sin(EPI_PI/p[Z]) - barrel(p, x)));
  }
  if (room <= 0)
    return epi_case_refuse(c, "%g rollers of D = %g m do not fit beside each other, they overlap by %.3g m: take fewer or thinner ones, or "
                           "a larger Rs", p[Z], p[D], -room);
  if (room <= 2*p[POCKET])
    return epi_case_refuse(c, "the pockets overlap, rollers are %.3g m apart: take fewer rollers or a smaller pocket.clearance", room);
  double middle = Rm*sin(al) - ends*cos(al) - barrel(p, ends)*sin(al);
  if (middle <= 0)
    return epi_case_refuse(c, "the two rows overlap by %.3g m in the middle: take a larger alpha or shorter rollers", -2*middle);
  if (p[BORE] >= dm - p[D]) return epi_case_refuse(c, "bore = %g m leaves no inner ring: dm - D is %g m", p[BORE], dm - p[D]);
  if (p[OUTSIDE] <= 2*p[SPHERE])
    return epi_case_refuse(c, "outside = %g m leaves no outer ring: 2 Rs is %g m", p[OUTSIDE], 2*p[SPHERE]);
  if (p[LAND] > 0 && (p[LAND] <= p[BORE]/2 || p[LAND] >= dm/2))
    return epi_case_refuse(c, "land.radius = %g m is not on the inner ring: take one between bore/2 and dm/2 = %g m", p[LAND], dm/2);
  return 0;
}

/* ---- the world ---- */
/* from the preload to the load, level at both ends */
static double grown(void *data, double t)
{
  const epi_roller_bearing *b = data;
  double x = fmax(0, fmin(1, t/b->p[RAMP]));
  return b->p[PRELOAD] + (b->p[RADIAL] - b->p[PRELOAD])*x*x*(3 - 2*x);
}

static const char *numbered(char *name, size_t size, const char *word, int i)
{
  snprintf(name, size, "%s%d", word, i + 1);
  return name;
}

/* the columns of a rotation as a quaternion; a roller is never turned by half a turn about its frame */
static void attitude(const double *R, double *q)
{
  double w = 1 + R[0] + R[4] + R[8], x = 1 + R[0] - R[4] - R[8], y = 1 - R[0] + R[4] - R[8], z = 1 - R[0] - R[4] + R[8];
  double big = fmax(fmax(w, x), fmax(y, z)), s = 0.5/sqrt(big);
  double a = R[7] - R[5], b = R[2] - R[6], c = R[3] - R[1], d = R[1] + R[3], e = R[2] + R[6], f = R[5] + R[7];
  const double of[4][4] = {{w, a, b, c}, {a, x, d, e}, {b, d, y, f}, {c, e, f, z}}, in[] = {w, x, y, z};
  int k = 0;
  while (in[k] < big) k++;
  for (int i = 0; i < 4; i++) q[i] = s*of[k][i];
}

static void add_roller(epi_world *w, const epi_roller_bearing *b, int k)
{
  char name[24];
  epi_pose p;
  epi_roller_frame f = epi_roller_frame_of(b, k, b->p[OFFSET]/(b->Rm*cos(b->al))*sin(1.7*k + 1.2));
  epi_roller_pose(b, &f, b->at + 3*k, &p);
  epi_body body = {.name = numbered(name, sizeof name, "roller", k), .mass = b->m, .inertia = {b->It, b->It, b->Ia},
                   .velocity = {-b->orbit*p.r[1], b->orbit*p.r[0], 0}};
  memcpy(body.at, p.r, sizeof p.r);
  attitude(p.R, body.attitude);
  /* along z with the orbit and about its own axis, in the axes of the body */
  for (int i = 0; i < 3; i++) body.spin[i] = b->orbit*p.R[6 + i] + (i == 2 ? b->spin : 0);
  epi_add_body(w, &body);
}

static void add_bodies(epi_world *w, const epi_roller_bearing *b)
{
  const double *p = b->p, *o = p + OUTER_MASS, *i = p + INNER_MASS, *c = p + CAGE_MASS;
  double turned = -0.5*p[CAGE_LAG]/(b->Rm*cos(b->al));
  epi_add_body(w, &(epi_body){.name = "outer", .mass = o[0], .inertia = {o[1], o[1], o[2]}});
  epi_add_body(w, &(epi_body){.name = "inner", .mass = i[0], .inertia = {i[1], i[1], i[2]}, .at = {b->ring[0], b->ring[1], b->ring[2]},
                              .spin = {0, 0, b->speed}});
  epi_add_body(w, &(epi_body){.name = "cage", .mass = c[0], .inertia = {c[1], c[1], c[2]}, .attitude = {cos(turned), 0, 0, sin(turned)},
                              .spin = {0, 0, p[CAGE_SPEED]*b->orbit}});
  for (int k = 0; k < b->rollers; k++) add_roller(w, b, k);
}

/* the rings by their races; rollers as cylinders of their mean thickness */
static void add_shapes(epi_world *w, const epi_roller_bearing *b)
{
  const double *p = b->p;
  double half = p[WIDTH]/2, mouth = sqrt(fmax(p[SPHERE]*p[SPHERE] - half*half, 0)), rib = p[LAND], dm = pitch_of(p);
  double thick = (p[D]/2 + barrel(p, p[LENGTH]/2))/2, wall = 0.12*p[D];
  epi_add_shape(w, OUTER, &(epi_shape){.name = "outer ring", .kind = EPI_RACE, .appearance = EPI_GLASS,
                                       .size = {p[OUTSIDE]/2, mouth, p[WIDTH], p[SPHERE], 1e-4*p[SPHERE]}});
  epi_add_shape(w, INNER, &(epi_shape){.name = "inner ring", .kind = EPI_RING, .appearance = EPI_STEEL,
                                       .size = {p[BORE]/2, fmin(rib, dm/2 - p[D]/2), p[WIDTH]}});
  epi_add_shape(w, INNER, &(epi_shape){.name = "mark", .kind = EPI_CYLINDER, .appearance = EPI_DARK,
                                       .size = {0.2*(rib - p[BORE]/2), 0.02*p[WIDTH]}, .at = {(p[BORE]/2 + rib)/2, 0, half}});
  epi_add_shape(w, CAGE, &(epi_shape){.name = "cage", .kind = EPI_RING, .appearance = EPI_BRASS,
                                      .size = {p[LAND] + p[LAND_CLEARANCE], p[LAND] + p[LAND_CLEARANCE] + wall,
                                               2*(b->Rm*sin(b->al) - p[LENGTH]/2*cos(b->al))}});
  for (int k = 0; k < b->rollers; k++) {
    char name[24];
    epi_add_shape(w, ROLLERS + k, &(epi_shape){.name = numbered(name, sizeof name, "roller ", k), .kind = EPI_CYLINDER,
                                               .appearance = EPI_STEEL, .size = {thick, p[LENGTH]}});
    epi_add_shape(w, ROLLERS + k, &(epi_shape){.name = numbered(name, sizeof name, "belly ", k), .kind = EPI_CYLINDER,
                                               .appearance = EPI_STEEL, .size = {p[D]/2, 0.4*p[LENGTH]}});
  }
}

/* two points of its sides and one of its ends, in the cage */
static int add_pocket(epi_world *w, const epi_roller_bearing *b, int k)
{
  const double *p = b->p;
  epi_roller_frame f = epi_roller_frame_of(b, k, 0);
  epi_contact c = {.shape = EPI_DISC_IN_SLOT, .a = ROLLERS + k, .b = CAGE, .radius = b->rho, .clearance = p[POCKET],
                   .at = {b->Rm*f.n[0], b->Rm*f.n[1], b->Rm*f.n[2]}, .normal = {f.t[0], f.t[1], f.t[2]},
                   .law = {.K = p[POCKET_K], .chi = p[POCKET_CHI], .mu = p[POCKET_MU], .vs = p[POCKET_VS]}};
  char name[24];
  int first = -1;
  for (int side = 0; side < 2; side++) {
    double place = side ? -p[POCKET_PLACE] : p[POCKET_PLACE];
    c.name = numbered(name, sizeof name, side ? "pocket-b" : "pocket-a", k);
    c.own = &place;
    int made = epi_add_contact(w, &c);
    if (!side) first = made;
  }
  c.name = numbered(name, sizeof name, "stop", k);
  c.shape = EPI_END_IN_SLOT;
  c.radius = 0;
  c.clearance = p[POCKET_END];
  c.own = (double *)&p[LENGTH];
  for (int i = 0; i < 3; i++) c.normal[i] = f.a[i];
  epi_add_contact(w, &c);
  return first;
}

static void add_contacts(epi_world *w, epi_roller_bearing *b)
{
  const double *p = b->p;
  char name[24];
  for (int race = 0; race < 2; race++)
    for (int k = 0; k < b->rollers; k++) {
      epi_contact c = epi_roller_race(b, k, race);
      c.name = numbered(name, sizeof name, race ? "inner" : "outer", k);
      epi_add_contact(w, &c);
    }
  for (int k = 0; k < b->rollers; k++) {
    int made = add_pocket(w, b, k);
    if (k == 0) b->seen.pocket = made;
  }
  for (int k = 0; k < 2; k++) {
    int made = epi_add_contact(w, &(epi_contact){
      .name = numbered(name, sizeof name, "land", k), .shape = EPI_RING_ON_SHAFT, .a = CAGE, .b = INNER,
      .radius = p[LAND] + p[LAND_CLEARANCE], .clearance = p[LAND_CLEARANCE], .at = {0, 0, k ? -p[LAND_Z] : p[LAND_Z]},
      .law = {.K = p[LAND_K], .chi = p[LAND_CHI], .mu = p[LAND_MU], .vs = p[LAND_VS]}});
    if (k == 0) b->seen.land = made;
  }
}

/* a load that does not change is a plain one */
static void add_loads(epi_world *w, epi_roller_bearing *b)
{
  const double *p = b->p;
  int still = p[RAMP] == 0;
  epi_applied_force down = {.name = "radial", .body = INNER, .force = {0, still ? -p[RADIAL] : -1, 0}, .of = still ? NULL : grown,
                            .data = b};
  b->seen.loads = epi_add_load(w, &down);
  epi_add_load(w, &(epi_applied_force){.name = "axial", .body = INNER, .force = {0, 0, p[AXIAL]}});
  epi_add_gravity(w, (const double[]){0, -p[G], 0});
}

/* springs of one frequency in every direction, so tilts and turns about the axis have joints of their own */
static void add_joints(epi_world *w, epi_roller_bearing *b)
{
  const double *p = b->p;
  double rate = 2*EPI_PI*p[FB], k = rate*rate;
  const struct { const char *name; int body, hold; double m, I; } held[] = {
    {"mount", OUTER, EPI_POINT | EPI_RX | EPI_RY, p[OUTER_MASS], p[OUTER_IX]}, {"mount.z", OUTER, EPI_RZ, 0, p[OUTER_IZ]},
    {"drive", INNER, EPI_RX | EPI_RY, 0, p[INNER_IX]}, {"drive.z", INNER, EPI_RZ, 0, p[INNER_IZ]}};
  for (int i = 0; i < 4; i++)
    b->seen.joint[i] = epi_add_joint(w, &(epi_joint){
      .name = held[i].name, .a = held[i].body, .b = EPI_GROUND, .hold = held[i].hold, .as = EPI_PENALTY,
      .stiffness = {k*held[i].m, k*held[i].I}, .damping = {p[TAU]*k*held[i].m, p[TAU]*k*held[i].I},
      .speed = held[i].body == INNER ? b->speed : 0});
}

/* steps by the fastest: a roller between the races, its damping, or the slope of its traction, as in the 22208 under 10 kN, where half
   a microsecond is good */
static double step(const epi_roller_bearing *b)
{
  const double *p = b->p;
  double r[ROLLER + 1] = {0};
  usual(r);
  double load = fmax(fabs(p[RADIAL]), fabs(p[PRELOAD])) + 3*fabs(p[AXIAL]), Q = fmax(0.05, load/p[Z]/(r[RADIAL]/r[Z]));
  double m = b->m/weigh(r).m, k = pow(p[CARRIES]/r[CARRIES], 0.8)*pow(Q, 0.1), least = sqrt(m/k);
  if (p[MU] > 0) least = fmin(least, m*(p[VS]/r[VS])/(Q*(p[MU]/r[MU])));
  if (p[CHI] > 0) least = fmin(least, m/(Q*(p[CHI]/r[CHI])));
  return 5e-7*least;
}

/* the case, and room for what is looked at */
static int adopt(epi_case *c, epi_roller_bearing *b, epi_world *w)
{
  if (epi_case_world(c, w)) return -1;
  c->parts[0].data = b;
  return epi_bearing_room(c, &b->seen, 5*b->rollers + 2);
}

static int make(epi_case *c)
{
  epi_roller_bearing *b;
  if (wrong_sizes(c) || wrong_roller(c) || no_assembly(c) || !(b = epi_case_room(c, 1, sizeof *b))) return -1;
  memcpy(b->p, c->p, sizeof b->p);
  fill_in(b);
  figure(b);
  if (!(b->at = epi_case_room(c, 3*(size_t)b->rollers, sizeof *b->at))) return -1;
  int bad = epi_roller_rest(b, (const double[]){0, -b->p[PRELOAD] - b->p[INNER_MASS]*b->p[G], b->p[AXIAL]});
  if (bad == -2) return epi_case_refuse_cause(c, EPI_MEMORY, "out of memory");
  if (bad)
    return epi_case_refuse(c, "rings and rollers find no equilibrium under %g N across and %g N along the axis at the start: give another "
                           "preload or axial load, or a lower speed", b->p[PRELOAD], b->p[AXIAL]);
  c->step = step(b);
  epi_world *w = epi_world_make();
  if (!w) return epi_case_refuse_cause(c, EPI_MEMORY, "out of memory");
  epi_world_threads(w, (int)b->p[THREADS]);
  add_bodies(w, b);
  add_shapes(w, b);
  add_contacts(w, b);
  add_loads(w, b);
  add_joints(w, b);
  return adopt(c, b, w);
}

const epi_model epi_ROLLER_BEARING = {
  .name = "roller-bearing",
  .doc = "double-row spherical roller bearing: rings, cage, rollers by slices; a 22208 at 3000 rpm unless told otherwise",
  .cite = "Palmgren, Ball and Roller Bearing Engineering (1959); Harris & Kotzalas, Rolling Bearing Analysis (2006)",
  .params = PARAMS, .make = make, .observables = epi_roller_observables,
  .flow = "semi(model.contacts, model.stiff, ahead=1)", .step = 5e-7, .end = 5e-4
};
