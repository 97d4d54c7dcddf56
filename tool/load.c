/* load.c - a model of the user's: a C file, compiled with the system's compiler, or a shared object
 *
 * The header travels in this command, so that nothing has to be installed. What was loaded stays until the end. */
#include "tool.h"
#include "embedded.h"
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* whoever names the file, on the command line, in a model file or in a checkpoint: all of it comes through here */
static int forbidden;
void load_forbid(void) { forbidden = 1; }

int load_names(const char *word) { return ends_with(word, ".c") || ends_with(word, ".so"); }

/* a model keeps its own names, where the linker has to be told so */
#if defined(__ELF__)
#define OWN_SYMBOLS "-Wl,-Bsymbolic "
#else
#define OWN_SYMBOLS ""
#endif

/* ---- compiling ---- */
static const struct { const char *name; const unsigned char *text; } headers[] = {
  {"epicycle.h", HEADER}, {"epicycle/scene.h", HEADER_SCENE}, {"epicycle/model.h", HEADER_MODEL}, {"epicycle/measure.h", HEADER_MEASURE},
  {"epicycle/body.h", HEADER_BODY}, {"epicycle/result.h", HEADER_RESULT}, {"epicycle/abi.h", HEADER_ABI},
  {"epicycle/method.h", HEADER_METHOD}, {"epicycle/term.h", HEADER_TERM}, {"epicycle/choose.h", HEADER_CHOOSE},
  {"epicycle/formula.h", HEADER_FORMULA}, {"epicycle/capability.h", HEADER_CAPABILITY}, {"epicycle/lanes.h", HEADER_LANES},
  {"epicycle/sweep.h", HEADER_SWEEP}, {"epicycle/emit.h", HEADER_EMIT}, {"epicycle/handle.h", HEADER_HANDLE},
  {"epicycle/file.h", HEADER_FILE}, {"epicycle/page.h", HEADER_PAGE}, {"epicycle/world.h", HEADER_WORLD},
  {"epicycle/study.h", HEADER_STUDY}, {"epicycle/extend.h", HEADER_EXTEND}, {"epicycle/bind.h", HEADER_BIND},
  {"epicycle/all.h", HEADER_ALL}, {"epicycle/cause.h", HEADER_CAUSE}, {"epicycle/record.h", HEADER_RECORD},
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

/* with what the compiler may have left in it */
static void remove_folder(const char *folder)
{
  DIR *d = opendir(folder);
  for (const struct dirent *e; d && (e = readdir(d)); ) {
    if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..")) continue;
    char *path = text("%s/%s", folder, e->d_name);
    struct stat s;
    if (!lstat(path, &s) && S_ISDIR(s.st_mode)) remove_folder(path);
    else remove(path);
    free(path);
  }
  if (d) closedir(d);
  rmdir(folder);
}

/* its messages go where ours go, or in plain English into this file; -1: it could not be started */
static int run_compiler(char **argv, const char *said)
{
  fflush(stdout);
  pid_t child = fork();
  if (child < 0) return -1;
  if (!child) {
    signal(SIGXFSZ, SIG_DFL);
    int file = said ? open(said, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
    if (said && (file < 0 || setenv("LC_ALL", "C", 1) || dup2(file, STDERR_FILENO) < 0)) _exit(127);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    execvp(argv[0], argv);
    _exit(127);
  }
  /* who stops the command stops the compiler */
  int status = 0, told = 0;
  for (pid_t who; (who = waitpid(child, &status, WNOHANG)) != child; ) {
    if (who < 0 && errno != EINTR) return -1;
    if (clock_interrupted() && !told++) kill(child, SIGTERM);
    poll(NULL, 0, 1);
  }
  return !WIFEXITED(status) || WEXITSTATUS(status) == 127 ? -1 : WEXITSTATUS(status);
}

/* CC and CFLAGS as in a makefile */
static char *command_of(void)
{
  const char *cc = getenv("CC"), *flags = getenv("CFLAGS");
  return text("%s -O2 -g -std=gnu11 -ffp-contract=off -fPIC -shared " OWN_SYMBOLS "%s", cc && *cc ? cc : "cc", flags ? flags : "");
}

/* words between blanks; a path that looks like an option, or like a file of them, is none */
static int compile(const char *path, const char *folder, const char *object)
{
  enum { MOST = 64 };
  char *words = command_of(), *include = text("-I%s", folder), *needs = text("%s/needs", folder), *argv[MOST], *save = NULL;
  char *source = text("%s%s", *path == '-' || *path == '@' ? "./" : "", path);
  int n = 0;
  for (char *w = strtok_r(words, " \t\n", &save); w && n < MOST - 10; w = strtok_r(NULL, " \t\n", &save)) argv[n++] = w;
  char *rest[] = {include, "-MD", "-MF", needs, "-o", (char *)object, source, "-lm", NULL};
  memcpy(argv + n, rest, sizeof rest);
  int code = run_compiler(argv, NULL);
  if (clock_interrupted()) code = -1;
  else if (code < 0)
    say(REFUSED, "%s needs a C compiler and '%s' cannot be started: install gcc, set CC, or give a shared object", path, argv[0]);
  /* what was written into the folder here is not for its user to mend: who asked for it has a sentence */
  else if (code && strncmp(path, folder, strlen(folder)))
    say(REFUSED, "%s does not compile: mend what %s says above, let `epicycle upgrade %s` do so if it is for an earlier version, or begin "
        "with `epicycle new mymodel`", path, argv[0], path);
  char *own[] = {include, needs, source, words};
  for (size_t i = 0; i < sizeof own/sizeof *own; i++) free(own[i]);
  return code;
}

/* ---- what it was compiled from ---- */
static char *content_of(const char *path)
{
  long long size = disk_size(path);
  FILE *f = size >= 0 ? fopen(path, "rb") : NULL;
  char *all = need((size_t)(size > 0 ? size : 0) + 1);
  size_t n = f ? fread(all, 1, (size_t)size, f) : 0;
  all[n] = 0;
  if (f) fclose(f);
  return all;
}

static void mix(uint64_t *h, const char *word)
{
  while (*word) *h = (*h ^ (unsigned char)*word++)*1099511628211u;
  *h = (*h ^ '\n')*1099511628211u;
}

/* a rule of a makefile: the target, a colon, and the files, where blanks in a name have a backslash. Our own headers are this command's */
static double sum_of_needs(const char *folder)
{
  char *path = text("%s/needs", folder), *all = content_of(path), *command = command_of(), *at = strchr(all, ':');
  uint64_t h = 14695981039346656037u;
  mix(&h, command);
  for (at = at ? at + 1 : all + strlen(all); *at; ) {
    char *word = at, *to = at;
    for (; *at && !strchr(" \n", *at); at++) {
      if (at[0] == '\\' && (at[1] == ' ' || at[1] == '#')) at++;
      else if (at[0] == '$' && at[1] == '$') at++;
      *to++ = *at;
    }
    if (*at) at++;
    *to = 0;
    if (!*word || !strcmp(word, "\\") || !strncmp(word, folder, strlen(folder))) continue;
    mix(&h, word);
    mix(&h, shortest(disk_sum(word)).text);
  }
  free(path);
  free(all);
  free(command);
  return (double)(h >> 11) + 1;
}

/* 0: sum is 0, and now what it is; or they are the same */
static int compare_sum(const char *path, double is, double *sum)
{
  if (*sum > 0 && *sum != is)
    return say(REFUSED, "%s is compiled from other files, or by another CC or CFLAGS, than when this run began: put them back, or run "
               "again; --force goes on all the same", path);
  *sum = is;
  return 0;
}

/* ---- what the compiler says of a file ---- */
/* `modes` is a record and was a number: by another name every use of the number is told of */
static int write_strict_headers(const char *folder)
{
  static const char member[] = "epi_uncoupled_modes modes;";
  const char *all = (const char *)HEADER, *at = strstr(all, member);
  if (write_headers(folder) || !at) return -1;
  char *other = text("%.*sepi_uncoupled_modes modes_;%s", (int)(at - all), all, at + strlen(member));
  int bad = write_file(folder, "epicycle.h", (const unsigned char *)other);
  free(other);
  return bad;
}

static char *said_of(const char *path, const char *folder)
{
  enum { MOST = 128 };
  char *words = command_of(), *include = text("-I%s", folder), *said = text("%s/said", folder), *argv[MOST], *save = NULL, *all = NULL;
  char *source = text("%s%s", *path == '-' || *path == '@' ? "./" : "", path);
  int n = 0;
  for (char *w = strtok_r(words, " \t\n", &save); w && n < MOST - 10; w = strtok_r(NULL, " \t\n", &save)) {
    argv[n++] = w;
    if (n == 1) argv[n++] = include;
  }
  char *rest[] = {"-fsyntax-only", "-fmax-errors=0", source, NULL};
  memcpy(argv + n, rest, sizeof rest);
  if (run_compiler(argv, said) >= 0) all = content_of(said);
  else say(REFUSED, "%s needs a C compiler and '%s' cannot be started: install gcc, or set CC", path, argv[0]);
  char *own[] = {include, said, source, words};
  for (size_t i = 0; i < sizeof own/sizeof *own; i++) free(own[i]);
  return all;
}

char *load_said(const char *path)
{
  const char *tmp = getenv("TMPDIR");
  char *folder = text("%s/epicycle-XXXXXX", tmp && *tmp ? tmp : "/tmp"), *all = NULL;
  clock_catch();
  if (!mkdtemp(folder))
    say(REFUSED, "cannot make a folder in %s: %s; set TMPDIR to another place", tmp && *tmp ? tmp : "/tmp", strerror(errno));
  else {
    if (write_strict_headers(folder)) say(REFUSED, "cannot write into %s: %s; set TMPDIR to a place with room", folder, strerror(errno));
    else all = said_of(path, folder);
    remove_folder(folder);
  }
  clock_release();
  free(folder);
  return all;
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

/* what is loaded runs code at once, which may never come back: the folder is gone before, where the system has a name for an open file.
   That name is taken for as long as the object is loaded */
static int open_and_remove(char *folder, const char *object, const char *path, loaded *out)
{
  int fd = open(object, O_RDONLY | O_CLOEXEC);
  char *name = text("/proc/self/fd/%d", fd);
  int known = fd >= 0 && !access(name, R_OK);
  if (known) remove_folder(folder);
  clock_release();
  int code = open_object(known ? name : object, path, out);
  if (!known) remove_folder(folder);
  if (!known && fd >= 0) close(fd);
  free(name);
  return code;
}

/* who stops the command meanwhile finds no folder left */
static int compile_and_open(const char *path, loaded *out, double *sum)
{
  const char *tmp = getenv("TMPDIR");
  char *folder = text("%s/epicycle-XXXXXX", tmp && *tmp ? tmp : "/tmp"), *object = NULL;
  int code = REFUSED;
  clock_catch();
  if (!mkdtemp(folder))
    say(code, "cannot make a folder in %s to compile %s: %s; set TMPDIR to another place", tmp && *tmp ? tmp : "/tmp", path,
        strerror(errno));
  else {
    object = text("%s/model.so", folder);
    if (write_headers(folder)) say(code, "cannot write into %s: %s; set TMPDIR to a place with room", folder, strerror(errno));
    else if (!compile(path, folder, object) && !compare_sum(path, sum_of_needs(folder), sum))
      code = open_and_remove(folder, object, path, out);
    remove_folder(folder);
  }
  clock_release();
  free(object);
  free(folder);
  return code;
}

/* a program that was emitted here: it needs no header */
void *load_program(const char *program)
{
  const char *tmp = getenv("TMPDIR");
  char *folder = text("%s/epicycle-XXXXXX", tmp && *tmp ? tmp : "/tmp"), *object = NULL, *source = NULL;
  void *handle = NULL;
  clock_catch();
  if (!mkdtemp(folder))
    say(REFUSED, "cannot make a folder in %s to compile in: %s; set TMPDIR to another place", tmp && *tmp ? tmp : "/tmp", strerror(errno));
  else {
    object = text("%s/program.so", folder);
    source = text("%s/program.c", folder);
    if (write_file(folder, "program.c", (const unsigned char *)program)) say(REFUSED, "cannot write into %s: %s", folder, strerror(errno));
    else if (!compile(source, folder, object) && !(handle = dlopen(object, RTLD_NOW | RTLD_LOCAL)))
      say(REFUSED, "a compiled program cannot be loaded: %s", dlerror());
    remove_folder(folder);
  }
  clock_release();
  free(source);
  free(object);
  free(folder);
  return handle;
}

static int load(const char *path, loaded *out, double *sum)
{
  if (forbidden)
    return say(REFUSED, "%s is code, which --no-code forbids: leave --no-code out where you trust what is in it", path);
  long long size = disk_size(path);
  if (size == -1) return say(REFUSED, "there is no file %s: `epicycle new mymodel > mymodel.c` begins one", path);
  if (size < 0) return say(REFUSED, "%s is not a file that can be read: give a C file or a shared object", path);
  if (ends_with(path, ".c")) return compile_and_open(path, out, sum);
  return compare_sum(path, disk_sum(path), sum) ? REFUSED : open_object(path, path, out);
}

const epi_model *load_model(const char *path, double *sum)
{
  loaded l = {0};
  if (load(path, &l, sum)) return NULL;
  const epi_model *m = l.model;
  if (!m)
    return say(REFUSED, "%s holds no model: end it with EPI_MODEL = {.name = ..., .make = ...}; `epicycle new mymodel` prints a whole one",
               path), NULL;
  if (!m->name || !*m->name || strpbrk(m->name, "()=, \t\n"))
    return say(REFUSED, "%s: the name of the model is '%s': give .name a word without blanks or brackets", path, m->name ? m->name : ""),
           NULL;
  return m;
}

const epi_name *load_brought(const char *path, double *sum)
{
  loaded l = {0};
  if (!load_names(path)) return say(REFUSED, "--with takes a C file or a shared object, and %s is none", path), NULL;
  if (load(path, &l, sum)) return NULL;
  if (!l.names) say(REFUSED, "%s brings nothing: end it with EPI_NAMES = {{.name = \"mine\", .record = &mine}, {0}};", path);
  return l.names;
}
