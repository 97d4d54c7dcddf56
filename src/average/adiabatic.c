/* adiabatic.c - adiabatic: the slow system of a stiff one, read from its force alone, without any micro run but one at the start */
#include "valley.h"
#include "window.h"
#include <stdio.h>

enum { FORM, MODES, ACTIONS };
enum { CONSTRAINED, RATE };

static void mode_name(epi_system *m, int c, char *out, size_t size)
{
  (void)m;
  snprintf(out, size, "the floor of stiff mode %d", c + 1);
}

/* ---- where a run begins and its steps end ---- */
static int start(epi_derived_system *m, epi_state *s)
{
  epi_valley *a = m->inner->own;
  const epi_valley_kept *k = epi_valley_memory(a);
  int bad = 0;
  /* a run that has moved on and stands at its start again is another one */
  if (!k->begun || (s->t == k->from && k->time != s->t)) bad = epi_valley_begin(a, s);
  if (!bad && m->sys.nc) m->sys.nc = epi_valley_modes(a);
  return bad;
}

/* the state comes onto the floor, and its rate there is that of the state: what the last stage gave is used again */
static int settle(epi_valley *a, epi_derived_system *m, epi_state *s)
{
  epi_valley_kept *k = epi_valley_memory(a);
  size_t size = 2*(size_t)a->n*sizeof(double);
  int bad;
  if (!a->asked || a->last_time != s->t || memcmp(a->last, s->y, size))
    if ((bad = m->sys.rate(&m->sys, s->t, s->y, a->last_rate))) return bad;
  k->memo = 1;
  k->memo_time = s->t;
  memcpy(epi_valley_memo(a), a->floor, size);
  memcpy(epi_valley_memo(a) + 2*a->n, a->last_rate, size);
  memcpy(s->y, a->floor, size);
  return 0;
}

static int accepted(epi_derived_system *m, epi_state *s)
{
  epi_valley *a = m->inner->own;
  epi_valley_kept *k = epi_valley_memory(a);
  int n = a->n, bad, hopped;
  double *x = a->floor, *p = x + n;
  if (k->looked && k->time == s->t) return 0;
  if (!m->sys.nc && (bad = settle(a, m, s))) return bad;
  epi_valley_to_x(a, s->y, x);
  epi_valley_to_x(a, s->y + n, p);
  if (m->sys.nc && (bad = epi_valley_at(a, s->t, x))) return bad;
  if ((bad = epi_valley_look(a, s->t, x, p, &hopped)) || !hopped) return bad;
  epi_valley_to_q(a, p, s->y + n);
  k->memo = 0;
  epi_cache_invalidate(s);
  return 0;
}

/* what a checkpoint says that it learnt: modes are counted by it, and the memo and the last look are used where it says so */
static int unsound(const epi_flow *f, const epi_state *s)
{
  const epi_valley *a = f->own;
  const epi_valley_kept *k = epi_valley_memory(a);
  const double flags[] = {k->begun, k->looked, k->memo};
  const double counts[] = {k->modes, k->doubled, k->neared, k->crossed, k->hops, k->looks, k->turned};
  const double clocks[] = {k->from, k->time, k->memo_time, k->doubled_time, k->neared_time, k->crossed_time, k->mixed_time, k->close_time,
                           k->wide_time, k->length, k->beside, k->kinetic};
  const double sizes[] = {k->doubled_by, k->neared_by, k->nearing, k->crossed_by, k->chance, k->mixed, k->fast, k->reach, k->close, k->wide,
                          k->quick, k->length, k->beside, k->kinetic};
  (void)s;
  for (size_t i = 0; i < sizeof flags/sizeof *flags; i++) if (flags[i] != 0 && flags[i] != 1) return 1;
  for (size_t i = 0; i < sizeof counts/sizeof *counts; i++) if (!epi_is_count(counts[i])) return 1;
  for (size_t i = 0; i < sizeof clocks/sizeof *clocks; i++) if (!isfinite(clocks[i])) return 1;
  for (size_t i = 0; i < sizeof sizes/sizeof *sizes; i++) if (!(sizes[i] >= 0)) return 1;
  for (long i = EPI_VALLEY_KEPT; i < f->nkeep; i++) if (!isfinite(f->keep[i])) return 1;
  for (int i = 0; i < a->n; i++) if (!(epi_valley_action(a)[i] >= 0) || !(epi_valley_om(a)[i] >= 0)) return 1;
  if (k->modes > a->most || (k->beside > 0 && k->modes != 1)) return 1;
  return k->begun ? !(k->modes >= 1 && k->length > 0) : k->looked || k->memo;
}

/* ---- making it ---- */
static void check(epi_flow *f)
{
  const epi_system *m = f->sys;
  const epi_value *modes = &f->arg[MODES], *J = &f->arg[ACTIONS];
  epi_refuse(f, m->nc > 0, "adiabatic of a constrained system is not known: give the constraints as stiff springs, by relax, or take them "
             "out of the coordinates");
  epi_refuse(f, m->manifold.retract != NULL, "adiabatic of rotations is not known: use hmm in other coordinates, or integrate directly");
  epi_refuse(f, m->phase.forced != NULL, "adiabatic of a system with a fast phase is not known: use hmm or strobe, which average it");
  epi_refuse(f, m->nz > 0 || epi_all_rate(m), "adiabatic needs a force of position, and this system has first-order variables: use strobe");
  epi_refuse(f, m->velocity_force != NULL || m->traits.irreversible,
             "adiabatic needs a force of position alone, and velocity forces would change its actions: leave them out, or use hmm");
  epi_refuse(f, m->inertia.speed != NULL, "adiabatic needs velocities, and this system has momenta with a speed of their own: use strobe");
  epi_refuse(f, !m->force, "adiabatic needs a force of position, and this system has none");
  epi_refuse(f, m->inertia.mass_solve || m->inertia.accel || (m->derived && m->derived->inner),
             "adiabatic needs a force and a mass or mass_matrix that it can see: give the mass so");
  epi_refuse(f, epi_nv(m) < 2, "adiabatic needs a stiff and a slow direction, and this system has one coordinate: integrate directly");
  epi_refuse(f, modes->given && !(modes->number >= 1 && modes->number < epi_nv(m)),
             "adiabatic: modes is %g: give how many are stiff, from 1 to %d, or leave it out", modes->number, epi_nv(m) - 1);
  for (int i = 0; i < (J->n ? J->n : 1); i++)
    epi_refuse(f, !((J->n ? J->list[i] : J->number) >= 0), "adiabatic: an action is %g: actions are energies over frequencies, and cannot "
               "be negative", J->n ? J->list[i] : J->number);
}

static epi_derived_system *slow_system(const epi_flow *f)
{
  epi_derived_system *made = epi_zeros(1, sizeof *made);
  int rate = f->arg[FORM].number == RATE;
  if (!made) return NULL;
  made->sys = epi_inherited(f->sys);
  made->sys.derived = made;
  made->record = f->record;
  made->start = start;
  made->accepted = accepted;
  made->sys.traits.smooth = f->sys->traits.smooth;
  made->sys.energy = f->sys->energy ? epi_slow_energy : NULL;
  made->instead = rate ? "leave form=rate out, or use rk4 or dopri5" : "give adiabatic form=rate, or use verlet or herk3";
  if (rate) made->sys.rate = epi_slow_rate_of(epi_nv(f->sys));
  else {
    made->sys.force = epi_slow_force;
    made->sys.constraint = epi_slow_constraint;
    made->sys.constraints.constraint_name = mode_name;
    /* as many as there may be; the start says how many there are */
    made->sys.nc = f->arg[MODES].given ? (int)f->arg[MODES].number : epi_nv(f->sys) - 1;
  }
  return made;
}

static void adiabatic_build(epi_flow *f)
{
  epi_valley *a = f->own = epi_zeros(1, sizeof *a);
  if (epi_refuse_memory(f, !a)) return;
  check(f);
  if (f->broken) return;
  int n = epi_nv(f->sys);
  *a = (epi_valley){.node = f, .of = f->sys, .n = n, .most = f->arg[MODES].given ? (int)f->arg[MODES].number : n - 1,
                    .plain = f->space->mass == UNIT, .share = EPI_NO_SHARE};
  if (epi_blocks(f, epi_valley_keep_size(n), epi_valley_room(n, n))) return;
  epi_valley_lay_out(a, f->work);
  f->derives = slow_system(f);
  epi_refuse_memory(f, !f->derives);
  f->order = 0;
  f->doubt = epi_valley_doubt;
  f->unsound = unsound;
}

static const char *const forms[] = {"constrained", "rate", NULL};
static const epi_param adiabatic_params[] = {
  {.name = "form", .doc = "constrained: for verlet, symmetric, herk3, no drift of the slow energy; rate: for rk4, dopri5, tolerance",
   .words = forms, .kind = EPI_WORD},
  {.name = "modes", .value = 0, .doc = "how many modes are stiff; counted at the start unless given", .kind = EPI_COUNT},
  {.name = "actions", .value = 0,
   .doc = "energy over frequency of each stiff mode, the slowest first [..], or one number for all; measured at the start unless given",
   .kind = EPI_LIST},
  {.name = "length", .unit = "length", .value = 0, .doc = "over which the force bends; the largest coordinate at the start unless given",
   .range = EPI_POSITIVE},
  {0}
};
const epi_record epi_ADIABATIC = {
  .name = "adiabatic",
  .doc = "the slow system of a stiff one, from its force alone: stiff modes become constraints and push by their actions",
  .cite = "Bornemann, Homogenization in Time of Singularly Perturbed Mechanical Systems (1998); Landau 1932, Zener 1932 (crossings)",
  .example = "verlet(adiabatic(model))", .arrow = EPI_COMBINE, .least = 1, .most = 1, .params = adiabatic_params, .build = adiabatic_build,
  .facets = &(const epi_facets){.traits = EPI_SLOW_PART},
};
