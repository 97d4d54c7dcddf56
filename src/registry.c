/* registry.c - every name of the text grammar: one line each. A new method, average or wrapper is added here */
#include "registry.h"

#define RECORDS(X)                                                                                                        \
  X(KICK) X(DRIFT) X(VELOCITY_KICK) X(EULER_SYMPLECTIC) X(VERLET) X(SHAKE) X(LEAPFROG_PREDICTED) X(EULER) X(HEUN)         \
  X(MIDPOINT_EXPLICIT) X(BS3) X(RK4) X(DOPRI5) X(DOP853) X(RK) X(HERK3) X(HERK4) X(EULER_IMPLICIT) X(MIDPOINT)            \
  X(THETA) X(GAUSS) X(LOBATTO) X(RADAU) X(EXTRAPOLATED) X(ADAMS) X(CVODE) X(ARKODE) X(PICARD) X(SUM) X(RELAX) X(ADIABATIC) X(HMM)  \
  X(STROBE) X(SEMI) X(NAM) X(VARIATIONAL) X(NAMBU) X(TWIN) X(DENSITY) X(SCALED) X(REVOLVE) X(SUBSTEPS) X(SYMMETRIC_RECORD)       \
  X(ADJOINT) X(STRANG) X(COMPOSE) X(TOLERANCE) X(WATCH) X(AT) X(DENSE) X(PROJECT)

#define DECLARE(ID) extern EPI_INSIDE const epi_record epi_##ID;
#define LIST(ID) &epi_##ID,
RECORDS(DECLARE)

static const epi_record *const records[] = {RECORDS(LIST) NULL};

const epi_record *const *epi_records(void) { return records; }

const epi_record *epi_record_of(const char *name)
{
  for (const epi_record *const *r = records; *r; r++)
    if (!strcmp((*r)->name, name)) return *r;
  return NULL;
}

/* names that later versions will fill, and names of earlier ones: they answer in words */
static const epi_reserved reserved[] = {
  {.name = "auto", .words = "choosing the flow for a tolerance"},
  {.name = "leapfrog", .now = "leapfrog-predicted"}, {.name = "damp", .now = "velocity-kick"},
  {0},
};
const epi_vocabulary epi_words = {records, reserved};

const char *epi_name_now(const char *old)
{
  for (const epi_reserved *e = reserved; e->name; e++)
    if (e->now && !strcmp(e->name, old)) return e->now;
  return NULL;
}
