/* engines.c - where many cases run at once: compiled for the cores of this machine, or on its GPU. An engine is opened where its program is
 * compiled, which is in the process that runs the cases */
#include "engines.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void lanes(long n, int look, const double *in, double *out);
typedef struct {
  epi_engine engine;           /* first */
  int on_gpu, in, out;
  gpu *card;
  lanes *run;
  engine_log *log;
} own;

/* ---- the cores ---- */
typedef struct { const own *e; long n; int look; const double *in; double *out; } share;
static void *run_share(void *data)
{
  share *a = data;
  a->e->run(a->n, a->look, a->in, a->out);
  return NULL;
}

static int run_compiled(void *data, long n, int look, const double *in, double *out, char *error, size_t size)
{
  enum { MOST = 256 };
  const own *e = data;
  double began = clock_now();
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  int many = cores < 1 ? 1 : cores > MOST ? MOST : (int)cores, made = 0;
  share all[MOST];
  pthread_t thread[MOST];
  (void)error, (void)size;
  for (int i = 0; i < many; i++) {
    long from = n*i/many, to = n*(i + 1)/many;
    all[i] = (share){e, to - from, look, in + from*e->in, out + from*e->out};
  }
  while (made < many - 1 && !pthread_create(&thread[made], NULL, run_share, &all[made])) made++;
  for (int i = made; i < many; i++) run_share(&all[i]);
  for (int i = 0; i < made; i++) pthread_join(thread[i], NULL);
  e->log->spent += clock_now() - began;
  return 0;
}

static int compile(void *data, const char *program, int in, int out, char *error, size_t size)
{
  own *e = data;
  e->in = in;
  e->out = out;
  if (e->on_gpu) {
    if (!e->card && !(e->card = gpu_open(error, size))) return -1;
    snprintf(e->log->name, sizeof e->log->name, "%s", gpu_name(e->card));
    return gpu_compile(e->card, program, in, out, error, size);
  }
  void *handle = load_program(program);
  /* a pointer to an object is none to a function, but here it is */
  union { void *object; lanes *function; } found = {.object = handle ? dlsym(handle, "lanes_run") : NULL};
  e->run = found.function;
  snprintf(e->log->name, sizeof e->log->name, "the compiled program");
  return e->run ? 0 : (snprintf(error, size, "the program of this model and flow could not be compiled: leave --on out"), -1);
}

static int run_gpu(void *data, long n, int look, const double *in, double *out, char *error, size_t size)
{
  const own *e = data;
  double began = clock_now();
  int bad = gpu_run(e->card, n, look, in, out, error, size);
  e->log->spent += clock_now() - began;
  return bad;
}

/* ---- both ---- */
epi_engine *engine_make(const char *where, engine_log *log)
{
  int on_gpu = !strcmp(where, "gpu");
  if (!on_gpu && strcmp(where, "compiled"))
    return say(REFUSED, "--on '%s': take compiled, for a program on the cores of this machine, or gpu; leave it out for the library itself",
               where), NULL;
  own *e = need(sizeof *e);
  *e = (own){.engine = {.compile = compile, .run = on_gpu ? run_gpu : run_compiled, .data = e, .most = on_gpu ? 1L << 20 : 1L << 14,
                        .same = !on_gpu},
             .on_gpu = on_gpu, .log = log};
  return &e->engine;
}

void engine_free(epi_engine *g)
{
  if (g) gpu_close(((own *)g->data)->card);
  free(g);
}

static char *file_text(const char *path)
{
  long long size = disk_size(path);
  FILE *f = size >= 0 ? fopen(path, "rb") : NULL;
  if (!f) return say(REFUSED, "%s cannot be read", path), NULL;
  char *all = need((size_t)size + 1);
  all[fread(all, 1, (size_t)size, f)] = 0;
  fclose(f);
  return all;
}

char *engine_source(const plan *p)
{
  if (p->source && ends_with(p->source, ".c")) return file_text(p->source);
  size_t n = strcspn(p->model, "( ");
  for (const model_source *s = SOURCES; !p->own && s->name; s++)
    if (strlen(s->name) == n && !memcmp(s->name, p->model, n)) return text("%s", (const char *)s->text);
  return say(REFUSED, "--on needs the source of the model in C, and %s has none of the kind: leave --on out, or write it as `epicycle new "
             "mymodel` does", p->source ? p->source : p->model), NULL;
}
