/* bearing-modes.c - how rings and cage of a bearing bend in their plane: without stretch, 2, 3, ... waves round, each as a pair of modes.
 * w = e cos na outwards, u = -e sin na/n along the circle: w_n^2 = EI/(rho A R^4) n^2 (n^2 - 1)^2/(n^2 + 1), mass rho A R pi (1 + 1/n^2) */
#include "bearing.h"

static const int how_many[] = {[OUTER] = OUTER_MODES, [INNER] = INNER_MODES, [CAGE] = CAGE_MODES};
static const int how_thick[] = {[OUTER] = OUTER_THICKNESS, [INNER] = INNER_THICKNESS, [CAGE] = CAGE_THICKNESS};
static const int files[] = {[OUTER] = OUTER_FILE, [INNER] = INNER_FILE, [CAGE] = CAGE_FILE};
static const char *const called[] = {[OUTER] = "outer ring", [INNER] = "inner ring", [CAGE] = "cage"};

/* as thick as in the 6206 beside the room there is; the middle of a ring lies a little inside of half its thickness */
void epi_bearing_sections(epi_bearing *b, const epi_param *r)
{
  double *p = b->p;
  double outer = (p[OUTSIDE] - p[DM] - p[D])/(r[OUTSIDE].value - r[DM].value - r[D].value);
  double inner = (p[DM] - p[D] - p[BORE])/(r[DM].value - r[D].value - r[BORE].value);
  if (p[OUTER_THICKNESS] == 0) p[OUTER_THICKNESS] = 4e-3*outer;
  if (p[INNER_THICKNESS] == 0) p[INNER_THICKNESS] = 4e-3*inner;
  if (p[CAGE_THICKNESS] == 0) p[CAGE_THICKNESS] = 3e-3*(p[D]/r[D].value);
  if (p[OUTER_RADIUS] == 0) p[OUTER_RADIUS] = p[OUTSIDE]/2 - 0.525*p[OUTER_THICKNESS];
  if (p[INNER_RADIUS] == 0) p[INNER_RADIUS] = p[BORE]/2 + 0.525*p[INNER_THICKNESS];
}

/* EI, mass per length, radius. The cage weighs what it weighs, pockets and all */
static void section(const epi_bearing *b, int body, double *EI, double *line, double *R)
{
  const double *p = b->p;
  double t = p[how_thick[body]], wide = body == CAGE ? 2*p[LAND_Z] : p[WIDTH];
  *R = body == OUTER ? p[OUTER_RADIUS] : body == INNER ? p[INNER_RADIUS] : p[DM]/2;
  *EI = (body == CAGE ? p[CAGE_E] : p[E])*wide*t*t*t/12;
  *line = body == CAGE ? p[CAGE_MASS]/(2*EPI_PI**R) : p[DENSITY]*wide*t;
}

const double *epi_bearing_modal(const epi_bearing *b, int body)
{
  const double *at = b->modal;
  for (int i = 0; i < body; i++) at += 3*b->modes[i];
  return at;
}

static int wrong_number(epi_case *c, const epi_bearing *b, int body)
{
  double n = b->p[how_many[body]];
  const char *name = c->model->params[how_many[body]].name;
  if (n < 0 || n > 100 || fmod(n, 2) != 0)
    return epi_case_refuse(c, "%s = %g: modes come in pairs, two for each number of waves from 2 on: give 0, 2, 4, ... 100", name, n);
  return 0;
}

/* that a ring turns splits its frequencies by 2 n W/(n^2 + 1) on both sides, which these modes do not have: the slowest says how much */
static int turns_fast(epi_case *c, const epi_bearing *b, int body, double w)
{
  double W = EPI_PI/30*fmax(fabs(b->p[SPEED]), b->p[SPINUP] > 0 ? fabs(b->p[FROM]) : 0)*(body == INNER ? 1 : 0.5);
  if (body == OUTER || 0.8*W <= 0.25*w) return 0;
  return epi_case_refuse(c, "the %s turns with %.4g rad/s and bends with %.4g: its modes have no Coriolis forces, and would be wrong "
                         "by %.2g of their frequency; give it none, a thicker section, or a lower speed", called[body], W, w, 0.8*W/w);
}

/* from a file of the user's, or as many as were wanted */
static int how_many_of(epi_case *c, epi_bearing *b, int body)
{
  const char *path = c->given[files[body]];
  if (wrong_number(c, b, body)) return -1;
  b->modes[body] = (int)b->p[how_many[body]];
  if (!path) return 0;
  if (b->modes[body])
    return epi_case_refuse(c, "the %s has modes from a file and %d of its own: take one of the two away", called[body], b->modes[body]);
  b->own[body] = epi_modes_read(path);
  if (!b->own[body]) return epi_case_refuse_cause(c, EPI_MEMORY, "out of memory");
  b->modes[body] = b->own[body]->modes;
  return b->own[body]->error[0] ? epi_case_refuse_cause(c, b->own[body]->cause, "%s", b->own[body]->error) : 0;
}

void epi_bearing_modes_free(epi_bearing *b)
{
  for (int i = 0; i < 3; i++) { epi_modes_free(b->own[i]); b->own[i] = NULL; }
}

/* masses, stiffnesses, dampings of n modes */
static void take(const epi_bearing *b, int body, double *to)
{
  const epi_modes *own = b->own[body];
  int modes = b->modes[body];
  double EI, line, R;
  section(b, body, &EI, &line, &R);
  for (int k = 0; k < modes; k++) {
    int waves = 2 + k/2;
    double n = waves, m = line*R*EPI_PI*(1 + 1/(n*n)), w = sqrt(EI/(line*R*R*R*R))*n*(n*n - 1)/sqrt(n*n + 1);
    to[k] = own ? own->mass[k] : m;
    to[modes + k] = own ? own->stiffness[k] : m*w*w;
    to[2*modes + k] = own ? own->damping[k] : 2*b->p[ZETA]*m*w;
  }
}

int epi_bearing_modes(epi_case *c, epi_bearing *b)
{
  size_t all = 0;
  for (int i = 0; i < 3; i++) {
    if (how_many_of(c, b, i)) return -1;
    all += 3*(size_t)b->modes[i];
  }
  if (all && !(b->modal = epi_case_room(c, all, sizeof *b->modal))) return -1;
  for (int i = 0; i < 3; i++) {
    double *to = (double *)epi_bearing_modal(b, i), slowest = HUGE_VAL;
    take(b, i, to);
    for (int k = 0; k < b->modes[i]; k++) slowest = fmin(slowest, sqrt(to[b->modes[i] + k]/to[k]));
    if (turns_fast(c, b, i, slowest)) return -1;
  }
  return 0;
}
