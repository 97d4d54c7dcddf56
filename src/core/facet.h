/* facet.h - const tables of a record for queries of other rooms: form of a step, traits, slow motion, companion solution */
#ifndef EPI_FACET_H
#define EPI_FACET_H
#include "epicycle/method.h"

/* structure of a step, for code that writes or takes apart the step of another node; a Runge-Kutta method has its table instead */
typedef enum {
  EPI_FORM_NONE, EPI_FORM_KICK, EPI_FORM_DRIFT, EPI_FORM_VELOCITY_KICK, EPI_FORM_LEAP, EPI_FORM_VERLET, EPI_FORM_STRANG,
  EPI_FORM_COMPOSITION, EPI_FORM_SYMMETRIC, EPI_FORM_SUBSTEPS, EPI_FORM_TOLERANCE, EPI_FORM_EVENT, EPI_FORM_HMM, EPI_FORM_STROBE, EPI_FORMS
} epi_form;

/* traits of a record beside its claims, which are public */
enum {
  EPI_IN_LANES = 1,                    /* moves many states at once */
  EPI_OBSERVER = 2,                    /* an event or a watch: leaves the steps as they are */
  EPI_ROWS_INSIDE = 4,                 /* as a root it is watched from inside: its steps are those of its kid */
  EPI_LOOKS_INSIDE = 8,                /* as a root it is watched from inside as well as from outside */
  EPI_FINE_INTERPOLANT = 16,           /* the derivative of its interpolant may be compared with the rate */
  EPI_SLOW_PART = 32,                  /* makes the slow part of a stiff system; f->own is an epi_valley */
  EPI_ATOL_OF_RTOL = 64                /* its atol is rtol unless given */
};

/* relative: total, by micro-steps, by starts of windows */
typedef struct epi_force_error { double all, steps, start; } epi_force_error;
/* an average of windows (hmm, strobe); f->own begins with its epi_cost. A function may be NULL */
typedef struct epi_slow_facet {
  double (*period)(const epi_flow *);                        /* fast period; 0: unknown */
  double (*theta0)(const epi_flow *);                        /* phase at which windows start */
  /* period at whose multiples the slow state is a state of the oscillating solution; 0: it varies */
  double (*sampled)(const epi_flow *);
  const double *(*swing)(const epi_flow *);                  /* of each coordinate: largest distance from the slow state in a period */
  epi_force_error (*force_error)(const epi_flow *);          /* of the averaged force */
  double (*micro_steps)(const epi_flow *);                   /* per fast period */
  /* oscillating state y at this phase whose mean is (q, v), by corrections of the start (matched) or by a lift (lifted) */
  int (*matches)(const epi_flow *), (*lifts)(const epi_flow *);          /* 1: available */
  int (*matched)(epi_flow *, double t, double theta, const double *q, const double *v, double *y);
  int (*lifted)(epi_flow *, double t, double theta, const double *q, const double *v, double *y);
  int (*mean)(epi_flow *, double t, double theta, const double *y, double *mean);   /* state averaged around the oscillating y */
  int (*projected)(const epi_flow *);                        /* 1: a projection around it filters the start */
  struct epi_window *(*window)(const epi_flow *);            /* for the rooms that set up a window themselves */
} epi_slow_facet;

/* observer of a run: of each step, and of rows at times `t` (n, ascending in the direction of the run), which end no step. A callback may
   be NULL and returns a code that ends the run, or 0; next: first row still ahead */
typedef struct epi_own_witness {
  int (*step)(void *, const epi_state *);
  int (*row)(void *, int row, const epi_state *);
  int n, next;
  const double *t;
  void *data;
} epi_own_witness;

/* a second solution beside a run of many periods a step (revolve): memory has size() numbers, and the run is left as it is */
typedef struct epi_companion_facet {
  void (*again)(epi_flow *, double rtol);                    /* a new run with another rtol; the micro flow keeps what it has computed */
  void (*witness)(epi_flow *, epi_own_witness *);            /* of the next run, or NULL */
  long (*size)(const epi_flow *);
  void (*same)(const epi_flow *, const epi_state *run, epi_state *, double *memory);        /* placed at the run */
  int (*aside)(epi_flow *, const epi_state *run, epi_state *, double *memory, double tolerances);     /* moved away from the run */
  /* one period as the run has taken it last, instead of `turns`; 0: at its distance from the run; rough: with fewer nodes */
  int (*along)(epi_flow *, const epi_state *run, epi_state *, double *memory, int turns, int rough);
  int (*beside)(epi_flow *, const epi_state *run, epi_state *, double *memory, double M);   /* M periods, to the state of the run */
  int (*swing)(epi_flow *, const epi_state *, double *out);  /* displacement at EPI_SWING_PHASES phases of the turn that begins here */
  double (*order)(const epi_flow *);                         /* largest number of points of a step */
  double (*off)(const epi_flow *);                           /* usual error of the run in tolerances */
  double (*turns)(const epi_flow *);                         /* periods of its last step */
  double (*points)(const epi_flow *, const double *memory);  /* back points of that step; memory NULL: of the run */
} epi_companion_facet;
enum { EPI_SWING_PHASES = 5 };

typedef struct epi_facets {
  epi_form form;
  unsigned traits;
  const epi_slow_facet *slow;
  const epi_companion_facet *companion;
} epi_facets;

static inline epi_form epi_form_of(const epi_record *r) { return r && r->facets ? r->facets->form : EPI_FORM_NONE; }
static inline unsigned epi_traits_of(const epi_record *r) { return r && r->facets ? r->facets->traits : 0; }
/* NULL: the node has none, or there is no node */
static inline const epi_facets *epi_facets_of(const epi_flow *f) { return f && f->record ? f->record->facets : NULL; }
static inline const epi_slow_facet *epi_slow_of(const epi_flow *f) { return epi_facets_of(f) ? epi_facets_of(f)->slow : NULL; }
static inline const epi_companion_facet *epi_companion_of(const epi_flow *f)
{
  return epi_facets_of(f) ? epi_facets_of(f)->companion : NULL;
}
/* the average that makes the system of this flow, or NULL */
static inline epi_flow *epi_average_of(const epi_flow *f) { return f->sys && f->sys->derived ? f->sys->derived->inner : NULL; }
#endif
