/* bearing.c - a deep-groove ball bearing of rigid bodies: two rings, a cage, balls; built of the calls that any program has. The outer ring
 * is held, the inner one driven, both by stiff springs; what carries the load are the contacts of balls, races, pockets and lands */
#include "bearing.h"
#include "bodies.h"

static const char *const FITS[] = {"brewe-hamrock", "elliptic", NULL};
static const char *const shown[] = {"one", "all", NULL};
static const epi_param PARAMS[] = {
  [Z] = {.name = "Z", .unit = "", .value = 9, .kind = EPI_COUNT, .doc = "number of balls",
         .range = {3, 100, .words = " balls carry no ring: take 3 to 100"}},
  [D] = {.name = "D", .unit = "m", .value = 9.525e-3, .doc = "diameter of a ball", .range = EPI_POSITIVE},
  [DM] = {.name = "dm", .unit = "m", .value = 46e-3, .doc = "pitch diameter, through the centres of the balls", .range = EPI_POSITIVE},
  [FI] = {.name = "fi", .unit = "", .value = 0.515, .doc = "radius of the inner groove, in diameters of a ball"},
  [FO] = {.name = "fo", .unit = "", .value = 0.525, .doc = "radius of the outer groove, in diameters of a ball"},
  [PD] = {.name = "Pd", .unit = "m", .value = 12e-6, .doc = "diametral clearance"},
  [BORE] = {.name = "bore", .unit = "m", .value = 30e-3, .doc = "bore of the inner ring", .range = EPI_POSITIVE},
  [OUTSIDE] = {.name = "outside", .unit = "m", .value = 62e-3, .doc = "outside diameter of the outer ring", .range = EPI_POSITIVE},
  [WIDTH] = {.name = "width", .unit = "m", .value = 16e-3, .doc = "width of the rings", .range = EPI_POSITIVE},
  [E] = {.name = "E", .unit = "Pa", .value = 207e9, .doc = "Young's modulus of rings and balls", .range = EPI_POSITIVE},
  [NU] = {.name = "nu", .unit = "", .value = 0.3, .doc = "Poisson's ratio of rings and balls"},
  [DENSITY] = {.name = "density", .unit = "kg/m^3", .value = 7800, .doc = "of rings and balls", .range = EPI_POSITIVE},
  [HERTZ] = {.name = "hertz", .unit = "", .value = 0, .words = FITS, .kind = EPI_WORD,
             .doc = "stiffness of the contacts: by the fit of the papers, or by the integrals"},
  [SPEED] = {.name = "speed", .unit = "rpm", .value = 1e4, .doc = "of the inner ring"},
  [FROM] = {.name = "from", .unit = "rpm", .value = 0, .doc = "speed at the start, where there is a spin-up"},
  [SPINUP] = {.name = "spinup", .unit = "s", .value = 0,
              .doc = "time in which the speed grows from `from` to `speed`; 0: it is there at once", .range = EPI_NOT_NEGATIVE},
  [AXIAL] = {.name = "axial", .unit = "N", .value = 1000, .doc = "load on the inner ring along z, the axis"},
  [RADIAL] = {.name = "radial", .unit = "N", .value = 0, .doc = "load on the inner ring along -y"},
  [RAMP] = {.name = "ramp", .unit = "s", .value = 0,
            .doc = "time in which the loads grow, axial from the preload, radial from zero; 0: they are there at once",
            .range = EPI_NOT_NEGATIVE},
  [PRELOAD] = {.name = "preload", .unit = "N", .value = 0, .doc = "axial load in whose equilibrium it starts; 0: the axial load"},
  [G] = {.name = "g", .unit = "m/s^2", .value = 9.81, .doc = "gravity, along -y"},
  [CHI] = {.name = "chi", .unit = "s/m", .value = 0.25, .doc = "damping of the races: load K depth^1.5 (1 + chi depth')",
           .range = EPI_NOT_NEGATIVE},
  [MU] = {.name = "mu", .unit = "", .value = 0.07, .doc = "traction of the races", .range = EPI_NOT_NEGATIVE},
  [VS] = {.name = "vs", .unit = "m/s", .value = 0.1, .doc = "slip at which the traction has grown to 0.7 of mu", .range = EPI_POSITIVE},
  [SLICES] = {.name = "slices", .unit = "", .value = 16, .kind = EPI_COUNT, .doc = "of the contact ellipse; 0: friction at a point",
              .range = {0, 256, .words = ": take 0 to 256, 16 are good"}},
  [WAVINESS] = {.name = "waviness", .unit = "m", .value = 0,
                .doc = "of both races: amplitude of 17 waves a turn; 41, 83, 127, 191 and 293 follow as n^-1.5", .range = EPI_NOT_NEGATIVE},
  [POCKET] = {.name = "pocket.clearance", .unit = "m", .value = 1e-4, .doc = "of a ball in its pocket, a radial cylinder",
              .range = EPI_POSITIVE},
  [POCKET_CHI] = {.name = "pocket.chi", .unit = "s/m", .value = 2, .doc = "damping of the pockets", .range = EPI_NOT_NEGATIVE},
  [POCKET_MU] = {.name = "pocket.mu", .unit = "", .value = 0.1, .doc = "friction of the pockets", .range = EPI_NOT_NEGATIVE},
  [POCKET_VS] = {.name = "pocket.vs", .unit = "m/s", .value = 0.1, .doc = "slip at which it has grown to 0.7", .range = EPI_POSITIVE},
  [LAND] = {.name = "land.radius", .unit = "m", .value = 0,
            .doc = "of the outer ring where it guides the cage; 0: as in the 6206, 26 mm, by the dimensions", .range = EPI_NOT_NEGATIVE},
  [LAND_CLEARANCE] = {.name = "land.clearance", .unit = "m", .value = 2e-4, .doc = "radial, of the cage in the outer ring",
                      .range = EPI_POSITIVE},
  [LAND_Z] = {.name = "land.z", .unit = "m", .value = 0,
              .doc = "distance of the two lands from the middle; 0: as in the 6206, 5.5 mm, by the width", .range = EPI_NOT_NEGATIVE},
  [LAND_K] = {.name = "land.K", .unit = "N/m^1.5", .value = 1e9, .doc = "stiffness of a land", .range = EPI_POSITIVE},
  [LAND_CHI] = {.name = "land.chi", .unit = "s/m", .value = 2, .doc = "damping of the lands", .range = EPI_NOT_NEGATIVE},
  [LAND_MU] = {.name = "land.mu", .unit = "", .value = 0.05, .doc = "friction of the lands", .range = EPI_NOT_NEGATIVE},
  [LAND_VS] = {.name = "land.vs", .unit = "m/s", .value = 0.1, .doc = "slip at which it has grown to 0.7", .range = EPI_POSITIVE},
  [CAGE_E] = {.name = "cage.E", .unit = "Pa", .value = 3e9, .doc = "Young's modulus of the cage", .range = EPI_POSITIVE},
  [CAGE_NU] = {.name = "cage.nu", .unit = "", .value = 0.4, .doc = "Poisson's ratio of the cage"},
  [CAGE_MASS] = {.name = "cage.mass", .unit = "kg", .value = 0, .doc = "0: as in the 6206, 12 g, by the dimensions; the moments too"},
  [CAGE_IX] = {.name = "cage.Ix", .unit = "kg m^2", .value = 0, .doc = "about a diameter"},
  [CAGE_IZ] = {.name = "cage.Iz", .unit = "kg m^2", .value = 0, .doc = "about the axis"},
  [OUTER_MASS] = {.name = "outer.mass", .unit = "kg", .value = 0,
                  .doc = "0: as in the 6206, 99.4 g, by dimensions and density; the moments too"},
  [OUTER_IX] = {.name = "outer.Ix", .unit = "kg m^2", .value = 0, .doc = "about a diameter"},
  [OUTER_IZ] = {.name = "outer.Iz", .unit = "kg m^2", .value = 0, .doc = "about the axis"},
  [INNER_MASS] = {.name = "inner.mass", .unit = "kg", .value = 0,
                  .doc = "0: as in the 6206, 61.5 g, by dimensions and density; the moments too"},
  [INNER_IX] = {.name = "inner.Ix", .unit = "kg m^2", .value = 0, .doc = "about a diameter"},
  [INNER_IZ] = {.name = "inner.Iz", .unit = "kg m^2", .value = 0, .doc = "about the axis"},
  [CAGE_SPEED] = {.name = "cage.speed", .unit = "", .value = 0.98, .doc = "start: speed of the cage, in that of the balls"},
  [CAGE_LAG] = {.name = "cage.lag", .unit = "m", .value = 6e-5, .doc = "start: how far the cage is behind the balls"},
  [OFFSET] = {.name = "offset", .unit = "m", .value = 1.5e-5,
              .doc = "start: balls are out of their even places by at most this; at 0 all hit their pockets at once"},
  [FB] = {.name = "fB", .unit = "Hz", .value = 1e7, .doc = "frequency of the springs that hold the outer ring and turn the inner one",
          .range = EPI_POSITIVE},
  [TAU] = {.name = "tau", .unit = "s", .value = 1e-7, .doc = "their damping, in their stiffness", .range = EPI_POSITIVE},
  [BALL] = {.name = "ball", .unit = "", .value = 1, .kind = EPI_COUNT, .doc = "the ball that the observables show"},
  [OUTER_MODES] = {.name = "outer.modes", .unit = "", .value = 0, .kind = EPI_COUNT,
                   .doc = "in which the outer ring bends in its plane: two for each number of waves round, from 2 on; 0: it is rigid"},
  [INNER_MODES] = {.name = "inner.modes", .unit = "", .value = 0, .kind = EPI_COUNT, .doc = "of the inner ring"},
  [CAGE_MODES] = {.name = "cage.modes", .unit = "", .value = 0, .kind = EPI_COUNT, .doc = "of the cage"},
  [OUTER_THICKNESS] = {.name = "outer.thickness", .unit = "m", .value = 0,
                       .doc = "of the section that bends, as wide as the ring; 0: as in the 6206, 4 mm, by the dimensions",
                       .range = EPI_NOT_NEGATIVE},
  [INNER_THICKNESS] = {.name = "inner.thickness", .unit = "m", .value = 0, .doc = "as of the outer ring", .range = EPI_NOT_NEGATIVE},
  [CAGE_THICKNESS] = {.name = "cage.thickness", .unit = "m", .value = 0,
                      .doc = "as wide as the lands are apart; 0: as in the 6206, 3 mm, by the dimensions", .range = EPI_NOT_NEGATIVE},
  [OUTER_RADIUS] = {.name = "outer.radius", .unit = "m", .value = 0,
                    .doc = "of the line along which it bends; 0: as in the 6206, 28.9 mm, by the dimensions", .range = EPI_NOT_NEGATIVE},
  [INNER_RADIUS] = {.name = "inner.radius", .unit = "m", .value = 0,
                    .doc = "of the line along which it bends; 0: 17.1 mm, by the dimensions", .range = EPI_NOT_NEGATIVE},
  [ZETA] = {.name = "zeta", .unit = "", .value = 0.01, .doc = "damping of all modes, in the critical one", .range = EPI_NOT_NEGATIVE},
  [OVAL] = {.name = "inner.oval", .unit = "m", .value = 0, .doc = "two waves round the inner race: how far it is out of round",
            .range = EPI_NOT_NEGATIVE},
  [OUTER_FILE] = {.name = "outer.file", .unit = "", .kind = EPI_FILE, .doc = "modes of your own for the outer ring, from a file"},
  [INNER_FILE] = {.name = "inner.file", .unit = "", .kind = EPI_FILE, .doc = "for the inner ring"},
  [CAGE_FILE] = {.name = "cage.file", .unit = "", .kind = EPI_FILE, .doc = "for the cage"},
  [CASE] = {.name = "case", .unit = "", .value = 0, .kind = EPI_WORD, .words = epi_bearing_cases,
            .doc = "of the study in Modin's thesis: 1a rigid, 1b inner ring and cage flexible; 3a to 3c a small one, its inner ring out of "
                   "round, outer ring and cage flexible by more and more modes. What is given beside it stays"},
  [SHOWN] = {.name = "show", .unit = "", .value = 0, .words = shown, .kind = EPI_WORD,
             .doc = "one: the ball that is shown; all: also place, loads and contact angles of every ball, as side1, Qo1, Qi1, ao1, "
                    "ai1, ..."},
  {0}
};

/* ---- figures ---- */
/* a hollow cylinder: what a ring or cage of these dimensions weighs against that of the 6206 */
static void hollow(double a, double b, double width, double density, double *out)
{
  out[0] = density*EPI_PI/4*(b*b - a*a)*width;
  out[2] = out[0]*(a*a + b*b)/8;
  out[1] = 0.5*out[2] + out[0]*width*width/12;
}

static void shapes(double d, double dm, double bore, double outside, double width, double density, double out[3][3])
{
  hollow(dm + d, outside, width, density, out[OUTER]);
  hollow(bore, dm - d, width, density, out[INNER]);
  hollow(dm - d/2, dm + d/2, width, 1, out[CAGE]);
}

/* mass and moments that were left at zero, and the lands */
static void fill_in(epi_bearing *b)
{
  static const double known[3][3] = {[OUTER] = {0.0994, 4.35e-5, 8.27e-5}, [INNER] = {0.0615, 1.06e-5, 1.90e-5},
                                     [CAGE] = {0.012, 3.3e-6, 6.35e-6}};
  static const int first[] = {[OUTER] = OUTER_MASS, [INNER] = INNER_MASS, [CAGE] = CAGE_MASS};
  double *p = b->p, here[3][3], there[3][3];
  const epi_param *r = PARAMS;
  shapes(p[D], p[DM], p[BORE], p[OUTSIDE], p[WIDTH], p[DENSITY], here);
  shapes(r[D].value, r[DM].value, r[BORE].value, r[OUTSIDE].value, r[WIDTH].value, r[DENSITY].value, there);
  for (int i = 0; i < 3; i++) {
    double *m = p + first[i];
    int slant = m[1] == 0;
    for (int k = 0; k < 3; k++) if (m[k] == 0) m[k] = known[i][k]*(here[i][k]/there[i][k]);
    /* no ring has less about a diameter than a flat one */
    if (slant) m[1] = fmax(m[1], m[2]/2);
  }
  if (p[LAND] == 0) p[LAND] = 26e-3*((p[DM] + 0.63*p[D])/(r[DM].value + 0.63*r[D].value));
  if (p[LAND_Z] == 0) p[LAND_Z] = 5.5e-3*(p[WIDTH]/r[WIDTH].value);
  if (p[PRELOAD] == 0) p[PRELOAD] = p[AXIAL];
  epi_bearing_sections(b, r);
}

/* grooves, their circles, and Hertz: Rx along the rolling, Ry across */
static void figure(epi_bearing *b)
{
  const double *p = b->p;
  double r = p[D]/2, g = p[D]/p[DM], modulus = p[E]/(1 - p[NU]*p[NU]), f[2] = {p[FO], p[FI]}, rx[2] = {r*(1 + g), r*(1 - g)};
  int by = p[HERTZ] == 0 ? EPI_BREWE_HAMROCK : EPI_ELLIPTIC;
  b->balls = (int)p[Z];
  b->m = p[DENSITY]*EPI_PI/6*p[D]*p[D]*p[D];
  b->I = 0.1*b->m*p[D]*p[D];
  for (int i = 0; i < 2; i++) {
    b->groove[i] = f[i]*p[D];
    b->curvature[i] = 0.5*(1/r + 1/b->groove[i]);
    b->race[i] = epi_hertz_of(rx[i], 1/(1/r - 1/b->groove[i]), modulus, by);
  }
  b->circle[0] = 0.5*(p[DM] + p[D] + p[PD]/2) - b->groove[0];
  b->circle[1] = 0.5*(p[DM] - p[D] - p[PD]/2) + b->groove[1];
  modulus = 2/((1 - p[NU]*p[NU])/p[E] + (1 - p[CAGE_NU]*p[CAGE_NU])/p[CAGE_E]);
  b->wall = epi_hertz_of(r, 1/(1/r - 1/(r + p[POCKET])), modulus, by);
  static const double waves[WAVES] = {17, 41, 83, 127, 191, 293};
  for (int k = 0; k < WAVES; k++) {
    double x = waves[0]/waves[k], *to = b->wave + 3 + 3*k;
    to[0] = p[WAVINESS]*x*sqrt(x);
    to[1] = waves[k];
    to[2] = 1.3*k*k + 0.7*k;
  }
  b->wave[0] = p[OVAL];
  b->wave[1] = 2;
}

/* ---- what cannot be built ---- */
static int wrong_sizes(epi_case *c)
{
  const double *p = c->p;
  if (p[D] >= 0.5) return epi_case_refuse(c, "D = %g m is no ball: lengths are in m, and %g mm is D=%g", p[D], p[D], 1e-3*p[D]);
  if (p[E] < 1e6) return epi_case_refuse(c, "E = %g Pa carries nothing: moduli are in Pa, and %g GPa is E=%ge9", p[E], p[E], p[E]);
  if (!(p[NU] > -1 && p[NU] < 0.5) || !(p[CAGE_NU] > -1 && p[CAGE_NU] < 0.5))
    return epi_case_refuse(c, "nu = %g and cage.nu = %g: Poisson's ratio is below 0.5, about 0.3 for steel", p[NU], p[CAGE_NU]);
  if (!(p[BALL] >= 1 && p[BALL] <= p[Z])) return epi_case_refuse(c, "ball = %g is not there to be shown: take 1 to %g", p[BALL], p[Z]);
  return 0;
}

static int no_assembly(epi_case *c)
{
  const double *p = c->p;
  double f = fmin(p[FI], p[FO]), room = p[DM]*sin(EPI_PI/p[Z]), play = (p[FI] + p[FO] - 1)*p[D];
  const char *which = p[FI] <= 0.5 ? "fi" : "fo";
  if (!(f > 0.5))
    return epi_case_refuse(c, "the groove of radius %s D = %g m is smaller than the ball of radius %g m: take %s above 0.5, 0.515 to 0.53 "
                              "are usual",
                           which, f*p[D], 0.5*p[D], which);
  if (room <= p[D])
    return epi_case_refuse(c, "%g balls of D = %g m overlap, their centres are %g m apart: take fewer or smaller balls, or a larger dm",
                           p[Z], p[D], room);
  if (room <= p[D] + 2*p[POCKET])
    return epi_case_refuse(c, "the pockets overlap, balls are %g m apart: take fewer balls or a smaller pocket.clearance", room - p[D]);
  if (p[PD] < 0)
    return epi_case_refuse(c, "Pd = %g m: the balls do not go between the rings without force; give a clearance of zero or more", p[PD]);
  if (p[PD] >= 2*play)
    return epi_case_refuse(c, "Pd = %g m: the rings slip off the balls at %g m; give a smaller clearance", p[PD], 2*play);
  if (p[BORE] >= p[DM] - p[D]) return epi_case_refuse(c, "bore = %g m leaves no inner ring: dm - D is %g m", p[BORE], p[DM] - p[D]);
  if (p[OUTSIDE] <= p[DM] + p[D])
    return epi_case_refuse(c, "outside = %g m leaves no outer ring: dm + D is %g m", p[OUTSIDE], p[DM] + p[D]);
  if (p[LAND] > 0 && (p[LAND] <= p[DM]/2 || p[LAND] >= p[OUTSIDE]/2))
    return epi_case_refuse(c, "land.radius = %g m is not in the outer ring: take one between dm/2 and outside/2", p[LAND]);
  return 0;
}

/* ---- drives ---- */
static double driven(void *data, double t, double *rate)
{
  epi_bearing_drive x = epi_bearing_drive_at(data, t);
  *rate = x.speed;
  return x.angle;
}

static double grown(const epi_bearing *b, double t) { return b->p[RAMP] > 0 ? epi_bearing_rise(t/b->p[RAMP]).speed : 1; }
static double axial(void *data, double t) { const epi_bearing *b = data; return b->p[PRELOAD] + (b->p[AXIAL] - b->p[PRELOAD])*grown(b, t); }
static double radial(void *data, double t) { return grown(data, t); }

/* ---- the world ---- */
static const char *numbered(char *name, size_t size, const char *word, int i)
{
  snprintf(name, size, "%s%d", word, i + 1);
  return name;
}

static const epi_mode_shapes round_z = {.ring = 1};
static void add_ring(epi_world *w, const epi_bearing *b, int which, epi_body x)
{
  const double *modal = epi_bearing_modal(b, which);
  x.modes = b->modes[which];
  x.modal_mass = modal;
  x.modal_stiffness = modal + x.modes;
  x.modal_damping = modal + 2*x.modes;
  if (x.modes) x.shapes = b->own[which] ? &b->own[which]->shapes : &round_z;
  epi_add_body(w, &x);
}

static void add_bodies(epi_world *w, const epi_bearing *b)
{
  const double *p = b->p, *o = p + OUTER_MASS, *i = p + INNER_MASS, *c = p + CAGE_MASS;
  const epi_bearing_rest *x = &b->rest;
  double turned = -0.5*p[CAGE_LAG]/x->rho;
  add_ring(w, b, OUTER, (epi_body){.name = "outer", .mass = o[0], .inertia = {o[1], o[1], o[2]}});
  add_ring(w, b, INNER, (epi_body){.name = "inner", .mass = i[0], .inertia = {i[1], i[1], i[2]}, .at = {0, 0, x->zi},
                                   .spin = {0, 0, epi_bearing_drive_at(b, 0).speed}});
  add_ring(w, b, CAGE, (epi_body){.name = "cage", .mass = c[0], .inertia = {c[1], c[1], c[2]}, .at = {0, 0, x->z},
                                  .attitude = {cos(turned), 0, 0, sin(turned)}, .spin = {0, 0, p[CAGE_SPEED]*x->orbit}});
  for (int k = 0; k < b->balls; k++) {
    char name[24];
    double az = 2*EPI_PI*k/b->balls + p[OFFSET]/x->rho*sin(1.7*k + 1.2), er[] = {cos(az), sin(az)}, v = x->rho*x->orbit;
    epi_add_body(w, &(epi_body){.name = numbered(name, sizeof name, "ball", k), .mass = b->m, .inertia = {b->I, b->I, b->I},
                                .at = {x->rho*er[0], x->rho*er[1], x->z}, .velocity = {-v*er[1], v*er[0], 0},
                                .spin = {x->spin[0]*er[0], x->spin[0]*er[1], x->spin[1]}});
  }
}

/* with their true dimensions; only how thin the cage is, guided outside, nothing says: one should see the balls. A mark shows that the
   inner ring turns */
static void add_shapes(epi_world *w, const epi_bearing *b)
{
  const double *p = b->p;
  double hole = p[D]/2 + p[POCKET], bottom[2] = {b->circle[0] + b->groove[0], b->circle[1] - b->groove[1]};
  double outer = fmin(p[LAND], bottom[0] - 0.1*p[D]), inner = fmax(p[DM] - outer, bottom[1] + 0.1*p[D]);
  double around = p[LAND] - p[LAND_CLEARANCE], inside = fmin(p[DM]/2 + 0.15*p[D], around - 0.08*p[D]),
    wide = fmin(p[WIDTH], fmax(2*p[LAND_Z], 2.2*hole));
  epi_add_shape(w, OUTER, &(epi_shape){.name = "outer ring", .kind = EPI_RACE, .appearance = EPI_GLASS,
                                       .size = {p[OUTSIDE]/2, outer, p[WIDTH], b->groove[0], b->circle[0]}});
  epi_add_shape(w, INNER, &(epi_shape){.name = "inner ring", .kind = EPI_RACE, .appearance = EPI_STEEL,
                                       .size = {p[BORE]/2, inner, p[WIDTH], b->groove[1], b->circle[1]}});
  epi_add_shape(w, INNER, &(epi_shape){.name = "mark", .kind = EPI_CYLINDER, .appearance = EPI_DARK,
                                       .size = {0.2*(inner - p[BORE]/2), 0.02*p[WIDTH]},
                                       .at = {(p[BORE]/2 + inner)/2, 0, p[WIDTH]/2}});
  epi_add_shape(w, CAGE,
                &(epi_shape){.name = "cage", .kind = EPI_CAGE, .appearance = EPI_BRASS, .size = {inside, around, wide, p[Z], hole}});
  for (int k = 0; k < b->balls; k++) {
    char name[24];
    epi_add_shape(w, BALLS + k,
                  &(epi_shape){.name = numbered(name, sizeof name, "ball ", k), .kind = EPI_BALL, .appearance = EPI_STEEL,
                               .size = {p[D]/2}});
  }
}

/* of the inner race, that it is out of round comes first */
static int waves_of(const epi_bearing *b, int race) { return (b->p[WAVINESS] > 0 ? WAVES : 0) + (race && b->p[OVAL] > 0); }

/* every ball in both races and in its pocket, the cage in two lands */
static void add_contacts(epi_world *w, epi_bearing *b)
{
  const double *p = b->p;
  char name[24];
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < b->balls; k++)
      epi_add_contact(w, &(epi_contact){
        .name = numbered(name, sizeof name, i ? "inner" : "outer", k), .shape = EPI_SPHERE_GROOVE, .a = BALLS + k, .b = i ? INNER : OUTER,
        .radius = p[D]/2, .other = b->groove[i], .circle = b->circle[i],
        .law = {.K = b->race[i].K, .chi = p[CHI], .mu = p[MU], .vs = p[VS], .slices = (int)p[SLICES], .ellipse = b->race[i].ellipse,
                .curvature = b->curvature[i], .waves = waves_of(b, i), .wave = b->wave + (i && p[OVAL] > 0 ? 0 : 3)}});
  for (int k = 0; k < b->balls; k++) {
    double az = 2*EPI_PI*k/b->balls;
    int made = epi_add_contact(w, &(epi_contact){
      .name = numbered(name, sizeof name, "pocket", k), .shape = EPI_SPHERE_POCKET, .a = BALLS + k, .b = CAGE, .radius = p[D]/2,
      .clearance = p[POCKET],
      .normal = {cos(az), sin(az), 0}, .law = {.K = b->wall.K, .chi = p[POCKET_CHI], .mu = p[POCKET_MU], .vs = p[POCKET_VS]}});
    if (k == 0) b->seen.pocket = made;
  }
  for (int k = 0; k < 2; k++) {
    int made = epi_add_contact(w, &(epi_contact){
      .name = numbered(name, sizeof name, "land", k), .shape = EPI_CIRCLE_IN_BORE, .a = CAGE, .b = OUTER,
      .radius = p[LAND] - p[LAND_CLEARANCE],
      .clearance = p[LAND_CLEARANCE], .at = {0, 0, k ? -p[LAND_Z] : p[LAND_Z]},
      .law = {.K = p[LAND_K], .chi = p[LAND_CHI], .mu = p[LAND_MU], .vs = p[LAND_VS]}});
    if (k == 0) b->seen.land = made;
  }
}

/* a load that does not change is a plain one */
static void add_loads(epi_world *w, epi_bearing *b)
{
  const double *p = b->p;
  int still = p[RAMP] == 0;
  epi_applied_force up = {.name = "axial", .body = INNER, .force = {0, 0, still ? p[AXIAL] : 1}, .of = still ? NULL : axial, .data = b};
  epi_applied_force down = {.name = "radial", .body = INNER, .force = {0, -p[RADIAL], 0}, .of = still ? NULL : radial, .data = b};
  b->seen.loads = epi_add_load(w, &up);
  epi_add_load(w, &down);
  epi_add_gravity(w, (const double[]){0, -p[G], 0});
}

/* springs of one frequency in every direction, so tilts and turns about the axis have joints of their own */
static void add_joints(epi_world *w, epi_bearing *b)
{
  const double *p = b->p;
  double rate = 2*EPI_PI*p[FB], k = rate*rate;
  const struct { const char *name; int body, hold; double m, I; } held[] = {
    {"mount", OUTER, EPI_POINT | EPI_RX | EPI_RY, p[OUTER_MASS], p[OUTER_IX]}, {"mount.z", OUTER, EPI_RZ, 0, p[OUTER_IZ]},
    {"drive", INNER, EPI_RX | EPI_RY, 0, p[INNER_IX]}, {"drive.z", INNER, EPI_RZ, 0, p[INNER_IZ]}};
  for (int i = 0; i < 4; i++) {
    epi_joint j = {.name = held[i].name, .a = held[i].body, .b = EPI_GROUND, .hold = held[i].hold, .as = EPI_PENALTY,
                   .stiffness = {k*held[i].m, k*held[i].I}, .damping = {p[TAU]*k*held[i].m, p[TAU]*k*held[i].I}};
    if (held[i].body == INNER && p[SPINUP] > 0) { j.angle = driven; j.data = b; }
    else if (held[i].body == INNER) j.speed = epi_bearing_drive_at(b, 0).speed;
    b->seen.joint[i] = epi_add_joint(w, &j);
  }
}

/* the case, and room for what is looked at */
static int adopt(epi_case *c, epi_bearing *b, epi_world *w)
{
  if (epi_case_world(c, w)) return -1;
  c->parts[0].data = b;
  return epi_bearing_room(c, &b->seen, 3*b->balls + 2);
}

/* steps by the fastest: a ball between the races, or the slope of its traction, both as in the 6206 under 1000 N, where a microsecond is
   good */
static double step(const epi_bearing *b)
{
  const epi_param *r = PARAMS;
  const double *p = b->p;
  double load = fmax(fabs(p[AXIAL]), fabs(p[PRELOAD])) + 2*fabs(p[RADIAL]), Q = fmax(0.05, load/p[Z]/(r[AXIAL].value/r[Z].value)),
    x = p[D]/r[D].value;
  double m = p[DENSITY]/r[DENSITY].value*x*x*x, K = p[E]/r[E].value*sqrt(x), mode = sqrt(m/cbrt(K*K*Q));
  double traction = p[MU] > 0 ? m*(p[VS]/r[VS].value)/(Q*(p[MU]/r[MU].value)) : mode;
  return 1e-6*fmin(mode, traction);
}

/* where it starts, seen from the side of the load */
static int rests(epi_case *c, epi_bearing *b)
{
  if (b->p[PRELOAD] == 0) return epi_case_refuse(c, "no axial load holds the balls at the start: give a preload in N, as in preload=20");
  double sign = b->p[PRELOAD] < 0 ? -1 : 1;
  if (epi_bearing_rest_of(b, fabs(b->p[PRELOAD]), epi_bearing_drive_at(b, 0).speed, &b->rest))
    return epi_case_refuse(c, "rings and balls find no equilibrium under a preload of %g N at the start: give another, or a lower speed",
                           b->p[PRELOAD]);
  b->rest.zi *= sign;
  b->rest.z *= sign;
  b->rest.spin[0] *= sign;
  return 0;
}

static int build(epi_case *c, epi_bearing *b)
{
  epi_world *w = epi_world_make();
  if (!w) return epi_case_refuse_cause(c, EPI_MEMORY, "out of memory");
  add_bodies(w, b);
  add_shapes(w, b);
  add_contacts(w, b);
  add_loads(w, b);
  add_joints(w, b);
  return adopt(c, b, w);
}

static int make(epi_case *c)
{
  epi_bearing *b;
  epi_bearing_case(c);
  if (wrong_sizes(c) || no_assembly(c) || !(b = epi_case_room(c, 1, sizeof *b))) return -1;
  memcpy(b->p, c->p, sizeof b->p);
  fill_in(b);
  figure(b);
  if (rests(c, b)) return -1;
  c->step = step(b);
  int bad = epi_bearing_modes(c, b) || build(c, b);
  epi_bearing_modes_free(b);
  /* semi would damp the modes by its steps, and this moves them exactly */
  if (b->modes[OUTER] + b->modes[INNER] + b->modes[CAGE]) c->flow = "nam(model.contacts, model.stiff)";
  if (!bad && b->p[SHOWN] > 0) bad = epi_bearing_show_all(c);
  return bad ? -1 : 0;
}

const epi_model epi_BEARING = {
  .name = "bearing", .doc = "deep-groove ball bearing: rings, cage, balls, and their contacts; the 6206 at 10000 rpm unless told otherwise",
  .cite = "Modin, Fritzson & Fuhrer, Semiexplicit numerical integration by splitting (2007), 6.3; Harris & Kotzalas, Rolling Bearing "
          "Analysis (2006)",
  .params = PARAMS, .make = make, .observables = epi_bearing_observables,
  .flow = "semi(model.contacts, model.stiff, ahead=1)", .step = 1e-6, .end = 600e-6
};
