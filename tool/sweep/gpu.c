/* gpu.c - a program on an NVIDIA GPU, a case per thread. The driver and the compiler are looked for when they are wanted, so that nothing
 * of them is needed to build or to run this command. What is declared here is their public interface */
#include "engines.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long pointer;            /* of the memory of the card */
typedef struct module_of *module;
typedef struct function_of *function;
typedef struct context_of *context;
typedef struct program_of *program;

/* the functions, by the names that their libraries give them */
#define DRIVER(X) \
  X(int, cuInit, (unsigned)) X(int, cuDeviceGet, (int *, int)) X(int, cuDeviceGetName, (char *, int, int)) \
  X(int, cuDeviceGetAttribute, (int *, int, int)) X(int, cuDevicePrimaryCtxRetain, (context *, int)) X(int, cuCtxSetCurrent, (context)) \
  X(int, cuDevicePrimaryCtxRelease_v2, (int)) X(int, cuModuleLoadData, (module *, const void *)) X(int, cuModuleUnload, (module)) \
  X(int, cuModuleGetFunction, (function *, module, const char *)) X(int, cuMemAlloc_v2, (pointer *, size_t)) \
  X(int, cuMemFree_v2, (pointer)) X(int, cuMemcpyHtoD_v2, (pointer, const void *, size_t)) \
  X(int, cuMemcpyDtoH_v2, (void *, pointer, size_t)) X(int, cuCtxSynchronize, (void)) X(int, cuGetErrorString, (int, const char **)) \
  X(int, cuLaunchKernel, (function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **))
#define COMPILER(X) \
  X(int, nvrtcCreateProgram, (program *, const char *, const char *, int, const char *const *, const char *const *)) \
  X(int, nvrtcCompileProgram, (program, int, const char *const *)) X(int, nvrtcGetProgramLogSize, (program, size_t *)) \
  X(int, nvrtcGetProgramLog, (program, char *)) X(int, nvrtcGetCUBINSize, (program, size_t *)) \
  X(int, nvrtcGetCUBIN, (program, char *)) X(int, nvrtcDestroyProgram, (program *))
#define MEMBER(type, name, arguments) type (*name) arguments;
struct gpu {
  void *driver, *compiler;
  DRIVER(MEMBER)
  COMPILER(MEMBER)
  int device, made, in, out;
  context where;
  module code;
  function run;
  pointer from, to;
  long room;                                   /* cases that there is memory for */
  char name[128], kind[40];
};

static void *open_first(const char *const *names)
{
  void *handle = NULL;
  for (; *names && !handle; names++) handle = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
  return handle;
}

/* 0: one of them is missing */
static int find_all(gpu *g)
{
  int all = 1;
  union { void *object; void (*function)(void); } found;
#define FIND(handle, type, name) \
  found.object = dlsym(handle, #name); \
  memcpy(&g->name, &found, sizeof found); \
  all &= found.object != NULL;
#define FIND_DRIVER(type, name, arguments) FIND(g->driver, type, name)
#define FIND_COMPILER(type, name, arguments) FIND(g->compiler, type, name)
  DRIVER(FIND_DRIVER)
  COMPILER(FIND_COMPILER)
  return all;
}

static int failed(const gpu *g, int code, const char *what, char *error, size_t size)
{
  const char *words = NULL;
  if (!code) return 0;
  g->cuGetErrorString(code, &words);
  snprintf(error, size, "the GPU could not %s: %s; leave --on out, or take --on compiled", what, words ? words : "it does not say why");
  return -1;
}

static gpu *give_up(gpu *g, const char *words, char *error, size_t size)
{
  if (words) snprintf(error, size, "%s", words);
  gpu_close(g);
  return NULL;
}

gpu *gpu_open(char *error, size_t size)
{
  static const char *const drivers[] = {"libcuda.so.1", "libcuda.so", NULL};
  static const char *const compilers[] = {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2",
                                          "/usr/local/cuda/lib64/libnvrtc.so", NULL};
  gpu *g = need(sizeof *g);
  memset(g, 0, sizeof *g);
  g->driver = open_first(drivers);
  if (!g->driver) return give_up(g, "there is no NVIDIA GPU here, or its driver is not installed (libcuda.so.1): leave --on out, or take "
                                 "--on compiled", error, size);
  g->compiler = open_first(compilers);
  if (!g->compiler) return give_up(g, "the compiler for the GPU is not installed (libnvrtc.so, of the CUDA toolkit): install it, or take "
                                   "--on compiled", error, size);
  if (!find_all(g)) return give_up(g, "the driver or the compiler of the GPU is too old for this: take CUDA 11.1 or later", error, size);
  int major = 0, minor = 0;
  if (g->cuInit(0) || g->cuDeviceGet(&g->device, 0))
    return give_up(g, "there is a driver and no NVIDIA GPU: leave --on out, or take --on compiled", error, size);
  if (failed(g, g->cuDevicePrimaryCtxRetain(&g->where, g->device), "be opened", error, size)) return give_up(g, NULL, error, size);
  g->made = 1;
  g->cuCtxSetCurrent(g->where);
  g->cuDeviceGetName(g->name, sizeof g->name, g->device);
  g->cuDeviceGetAttribute(&major, 75, g->device);
  g->cuDeviceGetAttribute(&minor, 76, g->device);
  snprintf(g->kind, sizeof g->kind, "--gpu-architecture=sm_%d%d", major, minor);
  return g;
}

static void drop_program(gpu *g)
{
  if (g->code) g->cuModuleUnload(g->code);
  if (g->from) g->cuMemFree_v2(g->from);
  if (g->to) g->cuMemFree_v2(g->to);
  g->code = NULL;
  g->from = g->to = 0;
  g->room = 0;
}

void gpu_close(gpu *g)
{
  if (!g) return;
  if (g->made) {
    drop_program(g);
    g->cuDevicePrimaryCtxRelease_v2(g->device);
  }
  if (g->compiler) dlclose(g->compiler);
  free(g);
}

const char *gpu_name(const gpu *g) { return g->name; }

/* what its compiler says first; C++ takes what C does not, and the other way round */
static int wrong_source(const gpu *g, program p, char *error, size_t size)
{
  size_t n = 0;
  g->nvrtcGetProgramLogSize(p, &n);
  char *log = need(n + 1);
  log[0] = 0;
  g->nvrtcGetProgramLog(p, log);
  log[n] = 0;
  /* the line that it is about comes next */
  const char *first = strstr(log, "error"), *line = first ? strchr(first, '\n') : NULL;
  int said = !first ? 0 : line ? (int)(line - first) : 100;
  if (line) line += strspn(line, " \n");
  snprintf(error, size, "the source of the model does not compile for the GPU, which takes it as C++: %.*s%s%.*s", said, first ? first : "",
           line ? ": " : "", line ? (int)strcspn(line, "\n") : 0, line ? line : "");
  free(log);
  return -1;
}

int gpu_compile(gpu *g, const char *source, int in, int out, char *error, size_t size)
{
  const char *const options[] = {g->kind, "-default-device", "--fmad=false", "--std=c++17", "-Drestrict=__restrict__", "-w"};
  program p;
  size_t n = 0;
  int bad = 0;
  drop_program(g);
  g->in = in;
  g->out = out;
  if (g->nvrtcCreateProgram(&p, source, "flow.cu", 0, NULL, NULL)) return snprintf(error, size, "the GPU's compiler does not start"), -1;
  if (g->nvrtcCompileProgram(p, sizeof options/sizeof *options, options)) bad = wrong_source(g, p, error, size);
  if (!bad && !g->nvrtcGetCUBINSize(p, &n)) {
    char *binary = need(n + 1);
    g->nvrtcGetCUBIN(p, binary);
    bad = failed(g, g->cuModuleLoadData(&g->code, binary), "load the program", error, size)
      || failed(g, g->cuModuleGetFunction(&g->run, g->code, "lanes_run"), "find the program", error, size);
    free(binary);
  }
  g->nvrtcDestroyProgram(&p);
  return bad ? -1 : 0;
}

static int make_room(gpu *g, long n, char *error, size_t size)
{
  if (n <= g->room) return 0;
  if (g->from) g->cuMemFree_v2(g->from);
  if (g->to) g->cuMemFree_v2(g->to);
  g->from = g->to = 0;
  g->room = 0;
  if (failed(g, g->cuMemAlloc_v2(&g->from, (size_t)n*(size_t)g->in*sizeof(double)), "find memory for its cases", error, size)
      || failed(g, g->cuMemAlloc_v2(&g->to, (size_t)n*(size_t)g->out*sizeof(double)), "find memory for its cases", error, size)) return -1;
  g->room = n;
  return 0;
}

int gpu_run(gpu *g, long n, int look, const double *in, double *out, char *error, size_t size)
{
  enum { THREADS = 128 };
  void *arguments[] = {&n, &look, &g->from, &g->to};
  if (n < 1) return 0;
  if (make_room(g, n, error, size)) return -1;
  if (failed(g, g->cuMemcpyHtoD_v2(g->from, in, (size_t)n*(size_t)g->in*sizeof *in), "take the cases", error, size)) return -1;
  int code = g->cuLaunchKernel(g->run, (unsigned)((n + THREADS - 1)/THREADS), 1, 1, THREADS, 1, 1, 0, NULL, arguments, NULL);
  if (failed(g, code, "start the program", error, size)) return -1;
  if (failed(g, g->cuCtxSynchronize(), "run the program", error, size)) return -1;
  return failed(g, g->cuMemcpyDtoH_v2(out, g->to, (size_t)n*(size_t)g->out*sizeof *out), "give its results", error, size);
}
