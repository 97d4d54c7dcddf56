/* importer.c - loads an unpacked FMU as FMI 2.0 says and runs it: importer FOLDER LIBRARY GUID START STEP COUNT [set:VR=X ...] VR ...
 *
 * Prints the values at every communication point. Halfway the state is taken and serialised; a second instance goes on from these bytes and
 * has to give the same bits. Functions are declared here anew, from the standard: this file shares nothing with the one that it loads. */
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { void (*log)(void *, const char *, int, const char *, const char *, ...); void *(*get)(size_t, size_t);
  void (*put)(void *); void (*done)(void *, int); void *data; } callbacks;

static void logger(void *data, const char *name, int status, const char *category, const char *words, ...)
{
  va_list list;
  (void)data, (void)category;
  va_start(list, words);
  fprintf(stderr, "%s (%d): ", name, status);
  vfprintf(stderr, words, list);
  fputc('\n', stderr);
  va_end(list);
}

static void die(const char *what) { fprintf(stderr, "importer: %s\n", what); exit(1); }

static void *library;
static void *symbol(const char *name)
{
  void *f = dlsym(library, name);
  if (!f) die(name);
  return f;
}
#define CALL(result, name, ...) ((result (*)(__VA_ARGS__))symbol(name))
static void good(int status, const char *what) { if (status) die(what); }

static unsigned ref[4096], set_ref[4096];
static double set_to[4096];
static size_t nref, nset;

static void *made(const char *guid, const char *folder, double start)
{
  static callbacks call = {.log = logger, .get = calloc, .put = free};
  char uri[4096];
  snprintf(uri, sizeof uri, "file://%s/resources", folder);
  void *c = CALL(void *, "fmi2Instantiate", const char *, int, const char *, const char *, callbacks *, int, int)
    ("one", 1, guid, uri, &call, 0, 1);
  if (!c) die("not instantiated");
  good(CALL(int, "fmi2SetReal", void *, unsigned *, size_t, double *)(c, set_ref, nset, set_to), "set");
  good(CALL(int, "fmi2SetupExperiment", void *, int, double, double, int, double)(c, 0, 0, start, 0, 0), "setup");
  good(CALL(int, "fmi2EnterInitializationMode", void *)(c), "enter");
  good(CALL(int, "fmi2ExitInitializationMode", void *)(c), "exit");
  return c;
}

static void print(void *c, double *x)
{
  good(CALL(int, "fmi2GetReal", void *, unsigned *, size_t, double *)(c, ref, nref, x), "get");
}

static void go(void *c, double t, double h)
{
  good(CALL(int, "fmi2DoStep", void *, double, double, int)(c, t, h, 1), "step");
}

/* a state with one byte changed is refused, and then the unit stands where it stood, or it is taken, and then it is put back */
static void damaged(void *c, void *state, char *bytes, size_t size)
{
  double x[4096], y[4096];
  const size_t stride = size < 3000 ? 1 : size/1000;
  int refused = 0;
  print(c, x);
  for (size_t i = 0; i < size; i += stride) {
    void *other = NULL;
    bytes[i] ^= 0x41;
    int bad = CALL(int, "fmi2DeSerializeFMUstate", void *, char *, size_t, void **)(c, bytes, size, &other);
    if (!bad) bad = CALL(int, "fmi2SetFMUstate", void *, void *)(c, other);
    bytes[i] ^= 0x41;
    good(CALL(int, "fmi2FreeFMUstate", void *, void **)(c, &other), "free");
    refused += bad != 0;
    if (!bad) { good(CALL(int, "fmi2SetFMUstate", void *, void *)(c, state), "back"); continue; }
    print(c, y);
    if (memcmp(x, y, nref*sizeof *x)) die("a state that was refused has moved the unit");
  }
  if (refused*stride + stride < size) die("a damaged state was taken");
}

int main(int argc, char **argv)
{
  double x[4096], y[4096];
  if (argc < 8) die("arguments");
  double start = atof(argv[4]), h = atof(argv[5]);
  int n = atoi(argv[6]);
  for (int i = 7; i < argc; i++) {
    if (sscanf(argv[i], "set:%u=%lf", &set_ref[nset], &set_to[nset]) == 2) nset++;
    else ref[nref++] = (unsigned)atoi(argv[i]);
  }
  library = dlopen(argv[2], RTLD_NOW | RTLD_LOCAL);
  if (!library) die(dlerror());
  if (strcmp(CALL(const char *, "fmi2GetVersion", void)(), "2.0")) die("version");
  if (strcmp(CALL(const char *, "fmi2GetTypesPlatform", void)(), "default")) die("types");
  void *c = made(argv[3], argv[1], start), *other = NULL, *state = NULL, *again = NULL;
  char *bytes = NULL;
  size_t size = 0;
  for (int i = 0; i <= n; i++) {
    print(c, x);
    for (size_t k = 0; k < nref; k++) printf("%s%.17g", k ? "," : "", x[k]);
    putchar('\n');
    if (i == n/2) {
      good(CALL(int, "fmi2GetFMUstate", void *, void **)(c, &state), "state");
      good(CALL(int, "fmi2SerializedFMUstateSize", void *, void *, size_t *)(c, state, &size), "size");
      bytes = malloc(size);
      good(CALL(int, "fmi2SerializeFMUstate", void *, void *, char *, size_t)(c, state, bytes, size), "serialise");
      other = made(argv[3], argv[1], start);
      good(CALL(int, "fmi2DeSerializeFMUstate", void *, char *, size_t, void **)(other, bytes, size, &again), "deserialise");
      good(CALL(int, "fmi2SetFMUstate", void *, void *)(other, again), "restore");
    }
    if (i == n) break;
    go(c, start + i*h, h);
    if (other) go(other, start + i*h, h);
  }
  print(c, x);
  print(other, y);
  if (memcmp(x, y, nref*sizeof *x)) die("a restored state goes on with other bits");
  good(CALL(int, "fmi2SetFMUstate", void *, void *)(c, state), "back");
  for (int i = n/2; i < n; i++) go(c, start + i*h, h);
  print(c, y);
  if (memcmp(x, y, nref*sizeof *x)) die("a state set back goes on with other bits");
  /* of a state at another time than it stands */
  damaged(c, state, bytes, size);
  good(CALL(int, "fmi2SetFMUstate", void *, void *)(c, state), "back");
  for (int i = n/2; i < n; i++) go(c, start + i*h, h);
  print(c, y);
  if (memcmp(x, y, nref*sizeof *x)) die("states that were refused have left a trace");
  /* what is wrong is said, and not done */
  if (CALL(int, "fmi2DoStep", void *, double, double, int)(c, start, h, 1) != 3) die("a step from elsewhere was taken");
  if (CALL(int, "fmi2SetReal", void *, unsigned *, size_t, double *)(c, ref, 1, x) != 3) die("an output was set");
  good(CALL(int, "fmi2FreeFMUstate", void *, void **)(c, &state), "free");
  good(CALL(int, "fmi2FreeFMUstate", void *, void **)(other, &again), "free");
  good(CALL(int, "fmi2Terminate", void *)(c), "terminate");
  good(CALL(int, "fmi2Reset", void *)(c), "reset");
  CALL(void, "fmi2FreeInstance", void *)(c);
  CALL(void, "fmi2FreeInstance", void *)(other);
  free(bytes);
  return 0;
}
