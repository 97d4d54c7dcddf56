/* fmi2.c - a model or a world as a unit for co-simulation: Functional Mock-up Interface 2.0 (fmi-standard.org) */
#include "fmi2.h"
#include "motion.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct unit {
  motion m;
  char *name;
  const fmi_callbacks *call;
  int changed, running, failed;        /* parameters were set since the model was made; initialised; stopped by an error */
  double stop;                         /* where the experiment ends; infinite: nowhere */
} unit;
/* a frame with whether it runs and its parameters, then the frame of the flow and its state */
enum { FRAME = 0x46 };
typedef struct snapshot { size_t size; char *bytes; } snapshot;

static void tell(unit *u, fmi_status status, const char *words)
{
  const char *category = status == FMI_DISCARD ? "logStatusDiscard" : "logStatusError";
  if (u->call && u->call->logger) u->call->logger(u->call->environment, u->name, status, category, "%s", words);
}

static fmi_status complain(unit *u, const char *words)
{
  tell(u, FMI_ERROR, words);
  return FMI_ERROR;
}

/* ---- making ---- */
FMI_API const char *fmi2GetTypesPlatform(void) { return "default"; }
FMI_API const char *fmi2GetVersion(void) { return "2.0"; }
FMI_API fmi_status fmi2SetDebugLogging(void *c, int on, size_t n, const char *const *which)
{
  (void)c, (void)on, (void)n, (void)which;
  return FMI_OK;
}

/* file:///a%20b or file:/a or file://host/a, as a path; new memory */
static char *path_of(const char *uri)
{
  const char *at = !strncmp(uri, "file:", 5) ? uri + 5 : uri;
  if (at != uri && !strncmp(at, "//", 2)) at = strchr(at + 2, '/') ? strchr(at + 2, '/') : at + 2;
  char *path = strdup(at), *to = path;
  for (; path && *at; at++) {
    char two[3] = {at[0] == '%' ? at[1] : 0, at[0] == '%' && at[1] ? at[2] : 0};
    if (at == uri || !isxdigit((unsigned char)two[0]) || !isxdigit((unsigned char)two[1])) { *to++ = *at; continue; }
    *to++ = (char)strtol(two, NULL, 16);
    at += 2;
  }
  if (path) *to = 0;
  return path;
}

FMI_API void fmi2FreeInstance(void *c)
{
  unit *u = c;
  if (!u) return;
  motion_close(&u->m);
  free(u->name);
  free(u);
}

FMI_API void *fmi2Instantiate(const char *name, int type, const char *guid, const char *resources, const fmi_callbacks *call, int visible,
                              int logging)
{
  unit *u = calloc(1, sizeof *u);
  char *path = resources ? path_of(resources) : NULL;
  (void)visible, (void)logging;
  if (!u) return free(path), NULL;
  u->call = call;
  u->name = strdup(name ? name : "");
  u->stop = INFINITY;
  int bad = 1;
  if (type != FMI_CO_SIMULATION) complain(u, "this unit is for co-simulation, not for model exchange");
  else if (!path) complain(u, "the location of the resources is missing");
  else if (motion_open(&u->m, path)) complain(u, u->m.error);
  else bad = 0;
  char *mine = bad ? NULL : motion_note(&u->m, "guid");
  if (mine && (!guid || strcmp(mine, guid))) {
    complain(u, "the guid is not that of this unit: modelDescription.xml and resources are of different exports");
    bad = 1;
  }
  free(mine);
  free(path);
  if (bad) fmi2FreeInstance(u);
  return bad ? NULL : u;
}

/* a model whose parameters were set is made again when somebody looks at it */
static fmi_status settled(unit *u)
{
  if (!u->changed) return FMI_OK;
  if (motion_make(&u->m)) return complain(u, u->m.error);
  u->changed = 0;
  return FMI_OK;
}

/* ---- the course of an experiment ---- */
FMI_API fmi_status fmi2SetupExperiment(void *c, int toleranced, double tolerance, double start, int stops, double stop)
{
  unit *u = c;
  (void)toleranced, (void)tolerance;
  if (fabs(start - u->m.s.t) > 1e-12*(1 + fabs(start))) return complain(u, "the model has a start of its own: begin at its startTime");
  u->stop = stops ? stop : INFINITY;
  return FMI_OK;
}

FMI_API fmi_status fmi2EnterInitializationMode(void *c) { return settled(c); }

FMI_API fmi_status fmi2ExitInitializationMode(void *c)
{
  unit *u = c;
  fmi_status s = settled(u);
  u->running = s == FMI_OK;
  return s;
}

FMI_API fmi_status fmi2Terminate(void *c) { return ((unit *)c)->running = 0, FMI_OK; }

FMI_API fmi_status fmi2Reset(void *c)
{
  unit *u = c;
  for (int i = 0; i < u->m.parameters; i++) u->m.value[i] = NAN;
  u->changed = 1;
  u->running = u->failed = 0;
  return settled(u);
}

/* 1: the state is good up to some time within the step, and a shorter step may be taken from a state that was saved */
static int discards(epi_cause cause)
{
  static const epi_cause shorter[] = {EPI_REFUSED, EPI_MODEL_ENDS, EPI_TOO_LONG, EPI_MOST_STEPS, EPI_SHRUNK, EPI_CONSTRAINTS};
  for (size_t i = 0; i < sizeof shorter/sizeof *shorter; i++) if (cause == shorter[i]) return 1;
  return 0;
}

FMI_API fmi_status fmi2DoStep(void *c, double t, double h, int no_return)
{
  unit *u = c;
  double near = 1e-9*fabs(h) + 1e-12*(1 + fabs(t));
  (void)no_return;
  if (!u->running || u->failed) return complain(u, "doStep comes after the initialisation, and not after an error");
  if (!(h > 0)) return complain(u, "the communication step must be positive");
  if (fabs(t - u->m.s.t) > near) return complain(u, "the communication point is not where the last step ended");
  if (t + h > u->stop + near) return complain(u, "this step goes beyond the stop time of the experiment");
  if (!motion_go(&u->m, t + h)) return FMI_OK;
  u->failed = 1;
  if (!discards(u->m.cause)) return complain(u, u->m.error);
  tell(u, FMI_DISCARD, u->m.error);
  return FMI_DISCARD;
}

/* ---- values ---- */
FMI_API fmi_status fmi2GetReal(void *c, const unsigned *which, size_t n, double *x)
{
  unit *u = c;
  if (settled(u) != FMI_OK) return FMI_ERROR;
  for (size_t i = 0; i < n; i++) {
    unsigned k = which[i], p = k - FMI_PARAMETERS;
    if (k <= (unsigned)u->m.outputs) x[i] = motion_output(&u->m, (int)k);
    else if (k >= FMI_PARAMETERS && p < (unsigned)u->m.parameters) x[i] = motion_parameter(&u->m, (int)p);
    else return complain(u, "there is no variable of this value reference");
  }
  return FMI_OK;
}

FMI_API fmi_status fmi2SetReal(void *c, const unsigned *which, size_t n, const double *x)
{
  unit *u = c;
  for (size_t i = 0; i < n; i++) {
    unsigned p = which[i] - FMI_PARAMETERS;
    if (which[i] < FMI_PARAMETERS || p >= (unsigned)u->m.parameters || !motion_tunes(&u->m, (int)p))
      return complain(u, "only parameters can be set");
    if (u->running) return complain(u, "parameters are fixed: set them before the initialisation ends");
    if (!isfinite(x[i])) return complain(u, "a parameter must be a finite number");
    u->m.value[p] = x[i];
    u->changed = 1;
  }
  return FMI_OK;
}

/* all variables are real */
#define NONE(name, type) \
  FMI_API fmi_status fmi2Get##name(void *c, const unsigned *which, size_t n, type *x) \
  { return (void)which, (void)x, n ? complain(c, "all variables of this unit are real") : FMI_OK; } \
  FMI_API fmi_status fmi2Set##name(void *c, const unsigned *which, size_t n, type const *x) \
  { return (void)which, (void)x, n ? complain(c, "all variables of this unit are real") : FMI_OK; }
NONE(Integer, int)
NONE(Boolean, int)
NONE(String, const char *)

/* ---- the state: all that the flow and its state need to go on with the same bits ---- */
static void forget(snapshot *s)
{
  if (!s) return;
  free(s->bytes);
  free(s);
}

FMI_API fmi_status fmi2FreeFMUstate(void *c, void **state)
{
  (void)c;
  if (state) forget(*state), *state = NULL;
  return FMI_OK;
}

/* the first number says whether it runs */
static size_t listed(const unit *u) { return (1 + (size_t)u->m.parameters)*sizeof(double); }

static int write_list(unit *u, FILE *f)
{
  double *all = malloc(listed(u));
  if (!all) return -1;
  all[0] = u->running;
  memcpy(all + 1, u->m.value, listed(u) - sizeof *all);
  int bad = epi_frame_write(f, FRAME, all, listed(u));
  free(all);
  return bad;
}

/* new memory, and the file behind it; NULL: it is none of this unit */
static double *read_list(const unit *u, FILE *f)
{
  unsigned kind = 0;
  void *all = NULL;
  long n = f ? epi_frame_read(f, &kind, &all) : -1;
  if (n >= 0 && kind == FRAME && (size_t)n == listed(u) && (*(double *)all == 0 || *(double *)all == 1)) return all;
  free(all);
  return NULL;
}

FMI_API fmi_status fmi2GetFMUstate(void *c, void **state)
{
  unit *u = c;
  snapshot *s = calloc(1, sizeof *s);
  FILE *f = s && settled(u) == FMI_OK ? open_memstream(&s->bytes, &s->size) : NULL;
  int bad = !f || write_list(u, f) || epi_save(u->m.flow, &u->m.s, f);
  if (f && fclose(f)) bad = 1;
  if (bad) return forget(s), complain(u, "the state could not be saved");
  fmi2FreeFMUstate(c, state);
  *state = s;
  return FMI_OK;
}

/* what is refused leaves the unit where it was */
FMI_API fmi_status fmi2SetFMUstate(void *c, void *state)
{
  unit *u = c;
  const snapshot *s = state;
  FILE *f = s ? fmemopen(s->bytes, s->size, "rb") : NULL;
  double *list = read_list(u, f);
  int bad = list && motion_load(&u->m, list + 1, u->changed, f);
  if (list && !bad) {
    u->running = list[0] != 0;
    u->changed = u->failed = 0;
  }
  if (f) fclose(f);
  free(list);
  return !list ? complain(u, "this state is damaged, or of another unit") : bad ? complain(u, u->m.error) : FMI_OK;
}

FMI_API fmi_status fmi2SerializedFMUstateSize(void *c, void *state, size_t *size)
{
  if (!state) return complain(c, "there is no state: get one");
  *size = ((snapshot *)state)->size;
  return FMI_OK;
}

FMI_API fmi_status fmi2SerializeFMUstate(void *c, void *state, char *out, size_t size)
{
  const snapshot *s = state;
  if (!s || size < s->size) return complain(c, "there is no room for the state");
  memcpy(out, s->bytes, s->size);
  return FMI_OK;
}

FMI_API fmi_status fmi2DeSerializeFMUstate(void *c, const char *in, size_t size, void **state)
{
  unit *u = c;
  snapshot *s = in && size ? calloc(1, sizeof *s) : NULL;
  if (s && (s->bytes = malloc(s->size = size))) memcpy(s->bytes, in, size);
  FILE *f = s && s->bytes ? fmemopen(s->bytes, s->size, "rb") : NULL;
  double *list = read_list(u, f);
  int bad = !list;
  if (f) fclose(f);
  free(list);
  if (bad) return forget(s), complain(u, "this state is damaged, too short, or of another unit");
  fmi2FreeFMUstate(c, state);
  *state = s;
  return FMI_OK;
}

/* ---- what the standard leaves to the unit, and this one has not ---- */
FMI_API fmi_status fmi2GetDirectionalDerivative(void *c, const unsigned *a, size_t n, const unsigned *b, size_t k, const double *x,
                                                double *y)
{
  return (void)a, (void)n, (void)b, (void)k, (void)x, (void)y, complain(c, "there are no directional derivatives");
}
FMI_API fmi_status fmi2SetRealInputDerivatives(void *c, const unsigned *a, size_t n, const int *order, const double *x)
{
  return (void)a, (void)n, (void)order, (void)x, complain(c, "there are no inputs");
}
FMI_API fmi_status fmi2GetRealOutputDerivatives(void *c, const unsigned *a, size_t n, const int *order, double *x)
{
  return (void)a, (void)n, (void)order, (void)x, complain(c, "there are no derivatives of outputs");
}
FMI_API fmi_status fmi2CancelStep(void *c) { return complain(c, "no step is under way: they are made at once"); }
FMI_API fmi_status fmi2GetStatus(void *c, int kind, fmi_status *x) { return (void)c, (void)kind, (void)x, FMI_DISCARD; }
FMI_API fmi_status fmi2GetRealStatus(void *c, int kind, double *x)
{
  enum { LAST_TIME = 2 };
  if (kind != LAST_TIME) return FMI_DISCARD;
  *x = ((unit *)c)->m.s.t;
  return FMI_OK;
}
FMI_API fmi_status fmi2GetIntegerStatus(void *c, int kind, int *x) { return (void)c, (void)kind, (void)x, FMI_DISCARD; }
FMI_API fmi_status fmi2GetBooleanStatus(void *c, int kind, int *x) { return (void)c, (void)kind, (void)x, FMI_DISCARD; }
FMI_API fmi_status fmi2GetStringStatus(void *c, int kind, const char **x) { return (void)c, (void)kind, (void)x, FMI_DISCARD; }
