/* load.c - a model of the user's: a C file, compiled with the system's compiler, or a shared object
 *
 * The header travels in this command, so that nothing has to be installed. What was loaded stays until the end. */
#include "tool.h"
#include "embedded.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int load_names(const char *word) { return ends_with(word, ".c") || ends_with(word, ".so"); }

/* a model keeps its own names, where the linker has to be told so */
#if defined(__ELF__)
#define OWN_SYMBOLS "-Wl,-Bsymbolic "
#else
#define OWN_SYMBOLS ""
#endif

/* ---- compiling ---- */
static const struct { const char *name; const unsigned char *text; } headers[] = {
  {"epicycle.h", HEADER}, {"epicycle/scene.h", HEADER_SCENE}, {"epicycle/model.h", HEADER_MODEL},
  {"epicycle/measure.h", HEADER_MEASURE}, {"epicycle/body.h", HEADER_BODY}, {"epicycle/result.h", HEADER_RESULT},
  {"epicycle/abi.h", HEADER_ABI}, {"epicycle/method.h", HEADER_METHOD}, {"epicycle/term.h", HEADER_TERM},
};
enum { NHEADER = sizeof headers/sizeof *headers };

static int write_file(const char *folder, const char *name, const unsigned char *content)
{
  char *path = text("%s/%s", folder, name);
  FILE *f = fopen(path, "w");
  int bad = !f || fputs((const char *)content, f) < 0;
  if (f && fclose(f)) bad = 1;
  free(path);
  return bad;
}

static int write_headers(const char *folder)
{
  char *below = text("%s/epicycle", folder);
  int bad = mkdir(below, 0700);
  free(below);
  for (int i = 0; i < NHEADER && !bad; i++) bad = write_file(folder, headers[i].name, headers[i].text);
  return bad;
}

static void remove_headers(const char *folder)
{
  for (int i = 0; i <= NHEADER; i++) {
    char *path = text("%s/%s", folder, i < NHEADER ? headers[i].name : "epicycle");
    remove(path);
    free(path);
  }
}

/* its messages go where ours go; -1: it could not be started */
static int run_compiler(char **argv)
{
  fflush(stdout);
  pid_t child = fork();
  if (child < 0) return -1;
  if (!child) {
    dup2(STDERR_FILENO, STDOUT_FILENO);
    execvp(argv[0], argv);
    _exit(127);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return !WIFEXITED(status) || WEXITSTATUS(status) == 127 ? -1 : WEXITSTATUS(status);
}

/* CC and CFLAGS as in a makefile; words between blanks */
static int compile(const char *path, const char *folder, const char *object)
{
  enum { MOST = 64 };
  const char *cc = getenv("CC"), *flags = getenv("CFLAGS");
  char *words = text("%s -O2 -g -std=gnu11 -ffp-contract=off -fPIC -shared " OWN_SYMBOLS "%s", cc && *cc ? cc : "cc", flags ? flags : "");
  char *include = text("-I%s", folder), *argv[MOST], *save = NULL;
  int n = 0;
  for (char *w = strtok_r(words, " \t\n", &save); w && n < MOST - 8; w = strtok_r(NULL, " \t\n", &save)) argv[n++] = w;
  char *rest[] = {include, "-o", (char *)object, (char *)path, "-lm", NULL};
  memcpy(argv + n, rest, sizeof rest);
  int code = run_compiler(argv);
  if (code < 0)
    say(REFUSED, "%s needs a C compiler and '%s' cannot be started: install gcc, set CC, or give a shared object", path, argv[0]);
  else if (code) say(REFUSED, "%s does not compile: mend what %s says above, or begin with `epicycle new mymodel`", path, argv[0]);
  free(include);
  free(words);
  return code;
}

/* ---- loading ---- */
/* what a file of the user's may hold */
typedef struct { const epi_model *model; const epi_name *names; } loaded;

static int open_object(const char *object, const char *path, loaded *out)
{
  /* without a slash the system would look elsewhere */
  char *full = strchr(object, '/') ? text("%s", object) : text("./%s", object);
  void *handle = dlopen(full, RTLD_NOW | RTLD_LOCAL);
  free(full);
  if (!handle) return say(REFUSED, "%s cannot be loaded: %s", path, dlerror());
  const char *old = dlsym(handle, "epicycle_version");
  const epi_abi *abi = dlsym(handle, "epicycle_abi");
  char why[320];
  if (old && !abi) return say(REFUSED, "%s was compiled for Epicycle %s and this is " EPI_VERSION ": compile it again", path, old);
  if (abi && epi_abi_check(abi, why, sizeof why)) return say(REFUSED, "%s: %s", path, why);
  out->model = abi ? dlsym(handle, "epicycle_model") : NULL;
  out->names = abi ? dlsym(handle, "epicycle_names") : NULL;
  return 0;
}

static int compile_and_open(const char *path, loaded *out)
{
  const char *tmp = getenv("TMPDIR");
  char *folder = text("%s/epicycle-XXXXXX", tmp && *tmp ? tmp : "/tmp");
  int code = REFUSED;
  if (!mkdtemp(folder)) {
    say(code, "cannot make a folder in %s to compile %s: %s; set TMPDIR to another place", tmp && *tmp ? tmp : "/tmp", path,
        strerror(errno));
    free(folder);
    return code;
  }
  char *object = text("%s/model.so", folder);
  if (write_headers(folder)) say(code, "cannot write into %s: %s; set TMPDIR to a place with room", folder, strerror(errno));
  else if (!compile(path, folder, object)) code = open_object(object, path, out);
  remove(object);
  remove_headers(folder);
  rmdir(folder);
  free(object);
  free(folder);
  return code;
}

static int load(const char *path, loaded *out)
{
  long long size = disk_size(path);
  if (size == -1) return say(REFUSED, "there is no file %s: `epicycle new mymodel > mymodel.c` begins one", path);
  if (size < 0) return say(REFUSED, "%s is not a file that can be read: give a C file or a shared object", path);
  return ends_with(path, ".c") ? compile_and_open(path, out) : open_object(path, path, out);
}

const epi_model *load_model(const char *path)
{
  loaded l = {0};
  if (load(path, &l)) return NULL;
  const epi_model *m = l.model;
  if (!m)
    return say(REFUSED, "%s holds no model: end it with EPI_MODEL = {.name = ..., .make = ...}; `epicycle new mymodel` prints a whole one",
               path), NULL;
  if (!m->name || !*m->name || strpbrk(m->name, "()=, \t\n"))
    return say(REFUSED, "%s: the name of the model is '%s': give .name a word without blanks or brackets", path, m->name ? m->name : ""),
           NULL;
  return m;
}

const epi_name *load_brought(const char *path)
{
  loaded l = {0};
  if (!load_names(path)) return say(REFUSED, "--with takes a C file or a shared object, and %s is none", path), NULL;
  if (load(path, &l)) return NULL;
  if (!l.names) say(REFUSED, "%s brings nothing: end it with EPI_NAMES = {{.name = \"mine\", .record = &mine}, {0}};", path);
  return l.names;
}
