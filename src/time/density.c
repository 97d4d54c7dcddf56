/* density.c - reversible step density: steps of e/rho around any symmetric flow, where rho follows an objective Q along the motion; or, as
 * Sundman's transformation has it, steps of e/Q around any flow, where each begins */
#include "objective.h"

enum { EPS, OBJECTIVE, POWER, FLOOR, SMOOTH, LIMIT, FORM, CLOCK };
enum { DENSITY, SUNDMAN };
/* kept: the density and its rate, which the end of a step and the start of the next share; the width of contacts */
enum { RHO, XI, WIDTH, EXTRAS };

typedef struct { epi_own own; epi_objective q; } density_plan;

static int by_sundman(const epi_flow *f) { return f->arg[FORM].number == SUNDMAN; }

/* a difference over a thousandth of the step: its error is far below that of the step, and so is its rounding */
static double span(double e) { return 1e-3*fabs(e); }

static int begin(epi_flow *f, epi_state *s, double *x)
{
  density_plan *p = f->own;
  double *work = epi_own_work(f);
  p->q.smooth = f->arg[SMOOTH].number;
  p->q.smooth = x[WIDTH] = epi_objective_width(f, &p->q, s, work);
  int bad = epi_objective_at(f, &p->q, s->t, s->y, &x[RHO], NULL, NULL, work);
  x[XI] = 0;
  return bad || by_sundman(f) ? bad : epi_objective_rate(f, &p->q, s, span(epi_own_eps(f)), &x[XI], work);
}

static int ran_away(epi_flow *f, const epi_state *s, double rho, double e)
{
  return epi_fail(f, EPI_TOO_FAR, "density: the step density became %g at t = %.10g: the objective changes too much in a step of eps = %g, "
                  "or drifts because the motion does not come back; take shorter steps (eps, or the first h), or where it does not come "
                  "back scaled or twin", rho, s->t, fabs(e));
}

/* flow by e/Q, Q where the step begins: Modin (2009), 4.2 */
static int plain(epi_flow *f, epi_state *s, double *x, double e)
{
  density_plan *p = f->own;
  p->q.smooth = x[WIDTH];
  int bad = epi_go(f->kid[0], s, e/x[RHO], 1);
  return bad ? bad : epi_objective_at(f, &p->q, s->t, s->y, &x[RHO], NULL, NULL, epi_own_work(f));
}

/* rho += (e/2) xi, flow by e/rho, rho += (e/2) xi. Hairer & Soederlind 2005; xi at the new state (Modin's algorithm 3.2.1, corrected) */
static int whole(epi_flow *f, epi_state *s, double *x, double e)
{
  density_plan *p = f->own;
  p->q.smooth = x[WIDTH];
  double rho = x[RHO] + 0.5*e*x[XI], xi;
  int bad;
  if (!(rho > 0)) return ran_away(f, s, rho, e);
  if ((bad = epi_go(f->kid[0], s, e/rho, 1))) return bad;
  if ((bad = epi_objective_rate(f, &p->q, s, span(e), &xi, epi_own_work(f)))) return bad;
  rho += 0.5*e*xi;
  if (!(rho > 0)) return ran_away(f, s, rho, e);
  x[RHO] = rho;
  x[XI] = xi;
  return 0;
}

static int time_rate(epi_flow *f, epi_state *s, const double *x, double *out)
{
  (void)f, (void)s;
  *out = 1/x[RHO];
  return 0;
}

static void mirror(epi_flow *f, double *x)
{
  (void)f;
  x[XI] = -x[XI];
}

static const char *const extra_names[] = {"density", "rate of log Q", "contact width", NULL};

static void density_build(epi_flow *f)
{
  epi_flow *a = f->kid[0];
  const epi_value *of = &f->arg[OBJECTIVE];
  density_plan *p = f->own = calloc(1, sizeof *p);
  if (epi_refuse_memory(f, !p)) return;
  p->own = (epi_own){.begin = begin, .whole = by_sundman(f) ? plain : whole, .part = epi_own_by_kid, .time_rate = time_rate,
                     .names = extra_names, .mirror = mirror};
  /* without an objective of its own a system goes by arc length */
  p->q = (epi_objective){.kind = !of->given && !f->sys->energies.objective ? EPI_Q_ARC : (epi_objective_kind)of->number,
                         .power = f->arg[POWER].number,
                         .floor = f->arg[FLOOR].number, .smooth = f->arg[SMOOTH].number, .limit = f->arg[LIMIT].number, .given = of->name};
  f->claims = a->claims & ~(unsigned)(EPI_SYMPLECTIC | EPI_TAPS | EPI_ESTIMATE);
  epi_refuse(f, a->own_time, "density of %s, which has a time of its own already: give it the flow inside", a->record->name);
  epi_refuse(f, !(a->claims & EPI_CLOCK), "density needs a flow that moves time; %s does not: give it a whole method, such as verlet",
             a->record->name);
  if (by_sundman(f)) f->claims &= ~(unsigned)(EPI_SYMMETRIC | EPI_REVERSIBLE);
  epi_refuse(f, !by_sundman(f) && !(a->claims & EPI_SYMMETRIC),
             "density needs a symmetric flow, or its steps would drift, and %s is not one: take verlet%s or symmetric(verlet); "
             "form=sundman and tolerance choose steps for any flow", a->record->name, a->sys && a->sys->nc ? "" : ", midpoint, nambu");
  epi_objective_check(f, &p->q);
  if (!f->broken) epi_own_build(f, EXTRAS, epi_objective_room(f->sys));
}

static const char *const words[] = {"model", "potential", "arc", "stiffness", "contact", NULL};
static const char *const forms[] = {"density", "sundman", NULL};
static const epi_param params[] = {
  [EPS] = EPI_EPS_PARAM,
  [OBJECTIVE] = {.name = "objective", .doc = "Q, steps go as 1/Q. model: the system's own (arc where it has none); potential: |V|^power; "
                 "arc: |y'| + floor; stiffness: square root of the change of acceleration along the path, + floor; contact: smoothed "
                 "stiffness of the gaps; or an epi_gap of yours by name",
                 .words = words, .kind = EPI_WORD, .takes = EPI_TAKES_GAP},
  [POWER] = {.name = "power", .value = 1, .doc = "for objective=potential"},
  [FLOOR] = {.name = "floor", .value = 0.01, .doc = "for arc and stiffness: keeps the steps finite where nothing moves",
             .range = EPI_NOT_NEGATIVE},
  [SMOOTH] = {.name = "smooth", .value = 0,
              .doc = "for contact: width of the onset, in lengths per eps; from the energy and the stiffness unless given",
              .range = EPI_NOT_NEGATIVE},
  [LIMIT] = {.name = "limit", .value = 0, .doc = "for contact: stiffness that limits the longest steps", .range = EPI_NOT_NEGATIVE},
  [FORM] = {.name = "form", .doc = "density: it follows Q so that the steps come back as the motion does; sundman: steps of eps/Q, Q where "
            "each begins, around any flow", .words = forms, .kind = EPI_WORD},
  [CLOCK] = EPI_CLOCK_PARAM,
  {0}
};
const epi_record epi_DENSITY = {
  .name = "density", .doc = "reversible adaptive steps around any symmetric flow: a step density follows an objective",
  .cite = "Hairer & Soederlind, SIAM J. Sci. Comput. 26 (2005) 1838; Modin (2009), 3.2 and Paper III",
  .example = "density(verlet, eps=0.02, objective=arc)", .arrow = EPI_WRAPPER, .least = 1, .most = 1, .params = params,
  .build = density_build, .facets = &(const epi_facets){.traits = EPI_LOOKS_INSIDE},
};
