/* fmu.c - the verb export: a model as a unit for co-simulation (FMI 2.0), that is a zip of a description, a library and the run */
#define _DEFAULT_SOURCE
#include "fmi2.h"
#include "pack.h"
#include "page/draft.h"
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <unistd.h>

#if defined(__APPLE__)
#define PLACE "darwin64"
#define ENDING "dylib"
#elif defined(__x86_64__)
#define PLACE "linux64"
#define ENDING "so"
#else
/* FMI 2.0 names no folder for other machines; this is that of FMI 3.0 */
#define PLACE "aarch64-linux"
#define ENDING "so"
#endif

typedef struct export {
  const request *r;
  plan *p;
  epi_case *c;
  epi_result *it;                      /* never runs: it knows the columns and the parameters */
  char *notes, guid[40];
  const char *file;                    /* the model file, where it is a world */
} export;

/* ---- files ---- */
/* all of it; NULL and why */
static char *read_file(const char *path, size_t *n, int *why)
{
  errno = 0;
  FILE *f = fopen(path, "rb");
  char *all = NULL;
  size_t got = 1;
  *n = 0;
  while (f && got) {
    all = grown(all, *n + 65536);
    *n += got = fread(all + *n, 1, 65536, f);
  }
  int bad = !f || ferror(f);
  *why = bad ? errno ? errno : EIO : 0;
  if (f) fclose(f);
  if (bad) free(all);
  return bad ? NULL : all;
}

/* beside the command as it was built, or where it is installed */
static char *find_library(size_t *n, int *why)
{
  const char *named = getenv("EPICYCLE_FMU"), *const places[] = {"epicycle-fmu.so", "../" EPICYCLE_LIBDIR "/epicycle/epicycle-fmu.so"};
  if (named && *named) return read_file(named, n, why);
  char *all = NULL;
  *why = ENOENT;
  for (int i = 0; i < 2 && *why == ENOENT; i++) {
    char *path = disk_beside(places[i]);
    if (path) all = read_file(path, n, why);
    free(path);
  }
  return *why == ENOENT ? read_file(EPICYCLE_PREFIX "/" EPICYCLE_LIBDIR "/epicycle/epicycle-fmu.so", n, why) : all;
}

/* ---- modelDescription.xml ---- */
static void put_xml(FILE *f, const char *key, const char *s)
{
  fprintf(f, " %s=\"", key);
  for (; s && *s; s++) {
    if (strchr("&<>\"", *s)) fprintf(f, "&#%d;", *s);
    else fputc((unsigned char)*s < 32 ? ' ' : *s, f);
  }
  fputc('"', f);
}

static void put_units(FILE *f, const epi_result *r)
{
  int n = r->nout + r->nsetting;
  const char **seen = need(((size_t)n + 1)*sizeof *seen);
  fputs("  <UnitDefinitions>\n", f);
  for (int i = 0, k = 0; i < n; i++) {
    const char *unit = i < r->nout ? r->column[i].unit : r->setting[i - r->nout].unit;
    int old = !unit || !*unit;
    for (int j = 0; j < k && !old; j++) old = !strcmp(seen[j], unit);
    if (old) continue;
    seen[k++] = unit;
    fputs("    <Unit", f);
    put_xml(f, "name", unit);
    fputs("/>\n", f);
  }
  fputs("  </UnitDefinitions>\n", f);
  free(seen);
}

static void put_real(FILE *f, const char *unit, double start)
{
  fputs(">\n      <Real", f);
  if (unit && *unit) put_xml(f, "unit", unit);
  if (!isnan(start)) put_xml(f, "start", shortest(start).text);
  fputs("/>\n    </ScalarVariable>\n", f);
}

/* a parameter that is a number can be set; words and files are what they were */
static int tunes(const epi_param *p) { return !p->words && (p->kind == EPI_NUMBER || p->kind == EPI_COUNT); }

static void put_variables(FILE *f, const export *e)
{
  const epi_result *r = e->it;
  fputs("  <ModelVariables>\n", f);
  for (int i = 0; i < r->nout; i++) {
    fputs("    <ScalarVariable", f);
    put_xml(f, "name", i ? r->column[i].name : "time");
    fprintf(f, " valueReference=\"%d\" causality=\"%s\" variability=\"continuous\"%s", i, i ? "output" : "independent",
            i ? " initial=\"calculated\"" : "");
    put_real(f, r->column[i].unit, NAN);
  }
  const epi_param *p = e->c->model->params;
  for (int i = 0; p && p[i].name; i++) {
    if (!tunes(&p[i])) continue;
    char *name = text("parameters.%s", p[i].name);
    fputs("    <ScalarVariable", f);
    put_xml(f, "name", name);
    put_xml(f, "description", p[i].doc);
    fprintf(f, " valueReference=\"%d\" causality=\"parameter\" variability=\"fixed\" initial=\"exact\"", FMI_PARAMETERS + i);
    put_real(f, p[i].unit, e->c->p[i]);
    free(name);
  }
  fputs("  </ModelVariables>\n  <ModelStructure>\n", f);
  for (int part = 0; part < 2; part++) {
    fprintf(f, "    <%s>\n", part ? "InitialUnknowns" : "Outputs");
    for (int i = 1; i < r->nout; i++) fprintf(f, "      <Unknown index=\"%d\"/>\n", i + 1);
    fprintf(f, "    </%s>\n", part ? "InitialUnknowns" : "Outputs");
  }
  fputs("  </ModelStructure>\n", f);
}

static char *description_of(const export *e, size_t *n)
{
  char *all = NULL;
  FILE *f = open_memstream(&all, n);
  if (!f) no_room();
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"2.0\"", f);
  put_xml(f, "modelName", e->c->model->name);
  put_xml(f, "guid", e->guid);
  if (e->c->model->doc) put_xml(f, "description", e->c->model->doc);
  put_xml(f, "generationTool", "Epicycle " EPI_VERSION);
  fputs(" variableNamingConvention=\"flat\">\n  <CoSimulation modelIdentifier=\"epicycle\" canHandleVariableCommunicationStepSize=\"true\" "
        "canNotUseMemoryManagementFunctions=\"true\" canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\"/>\n", f);
  put_units(f, e->it);
  fputs("  <DefaultExperiment", f);
  put_xml(f, "startTime", shortest(e->c->t).text);
  put_xml(f, "stopTime", shortest(e->p->setup.end).text);
  if (!e->it->adaptive && e->p->setup.step <= e->p->setup.end - e->c->t) put_xml(f, "stepSize", shortest(e->p->setup.step).text);
  fputs("/>\n", f);
  put_variables(f, e);
  fputs("</fmiModelDescription>\n", f);
  if (fclose(f)) no_room();
  return all;
}

/* ---- the run, as fmu/motion.c reads it ---- */
static char *notes_of(const export *e)
{
  char *n = notes_add(NULL, "model", e->p->model), key[32];
  if (e->file) n = notes_add(n, "file", "model.yaml");
  for (int i = 1, k = 0; e->file && i < e->r->nword; i++) {
    snprintf(key, sizeof key, "given.%d", k++);
    n = notes_add(n, key, e->r->word[i]);
  }
  n = notes_add(n, "flow", e->p->setup.flow);
  n = notes_add_number(n, "step", e->p->setup.step);
  if (e->it->adaptive) n = notes_add(n, "adaptive", "1");
  if (e->p->setup.multipliers) n = notes_add(n, "multipliers", "1");
  return n;
}

static uint64_t mixed(uint64_t h, const char *s, size_t n)
{
  for (; n; n--) h = (h ^ (unsigned char)*s++)*0x100000001B3u;
  return h;
}

/* the same run has the same one */
static void name_it(export *e, const char *model, size_t n)
{
  uint64_t a = mixed(0xCBF29CE484222325u, e->notes, strlen(e->notes)), b = mixed(a ^ 0x9E3779B97F4A7C15u, model, n);
  snprintf(e->guid, sizeof e->guid, "{%016llx%016llx}", (unsigned long long)a, (unsigned long long)b);
  e->notes = notes_add(e->notes, "guid", e->guid);
}

/* what the file names beside itself is not in the unit */
static int check_alone(const export *e, const char *model, size_t n)
{
  char folder[] = "/tmp/epicycle-fmu-XXXXXX";
  if (!mkdtemp(folder)) return say(FAILED, "cannot write into /tmp: %s", strerror(errno));
  char *path = text("%s/model.yaml", folder);
  FILE *f = fopen(path, "wb");
  int bad = !f || fwrite(model, 1, n, f) != n, code = 0;
  if (f && fclose(f)) bad = 1;
  epi_file *file = bad ? NULL : epi_file_read_given(path, NULL, e->r->nword > 1 ? (const char *const *)e->r->word + 1 : NULL);
  epi_case *c = file && !epi_file_sentences(file) ? epi_file_case(file, 0) : NULL;
  if (bad) code = say(FAILED, "cannot write %s: %s", path, strerror(errno));
  else if (!c || c->error[0])
    code = say(REFUSED, "%s needs other files, and a unit holds the model file alone: %s", e->file,
               c ? c->error : epi_file_sentences(file) ? epi_file_sentence(file, 0)->words : "out of memory");
  epi_case_free(c);
  epi_file_free(file);
  remove(path);
  rmdir(folder);
  free(path);
  return code;
}

static int write_unit(export *e, const char *path)
{
  size_t nmodel = 0, nlibrary = 0, ndescription = 0;
  int why, code = 0;
  char *model = e->file ? read_file(e->file, &nmodel, &why) : NULL, *library;
  if (e->file && !model) code = say(REFUSED, "cannot read %s: %s", e->file, strerror(why));
  if (!(library = find_library(&nlibrary, &why)) && !code)
    code = say(REFUSED, "epicycle-fmu.so, which stands in every FMU, cannot be read: %s; install Epicycle with it, or "
               "EPICYCLE_FMU=FILE says where it is", strerror(why));
  if (!code && model) code = check_alone(e, model, nmodel);
  if (code) return free(model), free(library), code;
  e->notes = notes_of(e);
  name_it(e, model ? model : "", nmodel);
  char *description = description_of(e, &ndescription);
  epi_draft d;
  int bad = epi_draft_begin(&d, path);
  if (!bad) {
    zip *z = zip_begin(d.f);
    zip_add(z, "modelDescription.xml", description, ndescription);
    zip_add(z, "binaries/" PLACE "/epicycle." ENDING, library, nlibrary);
    zip_add(z, "resources/run.txt", e->notes, strlen(e->notes));
    if (model) zip_add(z, "resources/model.yaml", model, nmodel);
    bad = zip_end(z);
    if (epi_draft_end(&d, bad)) bad = 1;
  }
  if (bad) code = say(FAILED, "cannot write %s: %s", path, strerror(errno ? errno : EIO));
  free(model), free(library), free(description), free(e->notes);
  return code;
}

/* ---- the verb ---- */
static int settle(export *e)
{
  plan *p = e->p;
  const request *r = e->r;
  if (given(r, "--flow")) free(p->setup.flow), p->setup.flow = text("%s", given(r, "--flow"));
  if (request_time(r, "--step", &p->setup.step) || request_time(r, "--end", &p->setup.end)) return REFUSED;
  if (request_number(r, "--tol", p->setup.tol, &p->setup.tol)) return REFUSED;
  if (given(r, "--multipliers")) p->setup.multipliers = 1;
  e->c = plan_case(p);
  if (!e->c) no_room();
  if (e->c->error[0]) return say(REFUSED, "%s", e->c->error);
  int code = plan_settle(p, e->c);
  if (code) return code;
  for (int i = 0; e->c->model->params && e->c->model->params[i].name; i++)
    if (e->c->model->params[i].kind == EPI_FILE && e->c->given && e->c->given[i])
      return say(REFUSED, "%s is a file, and a unit holds none beside its model", e->c->model->params[i].name);
  e->c->end = p->setup.end;
  e->it = epi_result_make(e->c, p->setup.flow, &(epi_run_options){.step = p->setup.step, .every = -1, .model = p->model});
  if (!e->it) no_room();
  if (!strcmp(e->it->status, "refused")) return say(REFUSED, "%s", e->it->error);
  epi_result_count(e->it);
  if (!e->it->ncounters || e->it->counters[0].claims & EPI_CLOCK) return 0;
  return say(REFUSED, "%s has a clock of its own and does not end on a given time, as a unit has to: take clock=physical", p->setup.flow);
}

int act_export(const request *r)
{
  const char *path = given(r, "--fmu");
  plans all;
  if (!path) return say(REFUSED, "export needs to know what to write: add --fmu FILE.fmu");
  if (!ends_with(path, ".fmu")) return say(REFUSED, "--fmu '%s' should end in .fmu, which is what it writes", path);
  int code = plans_read(&all, r, NULL);
  export e = {.r = r, .p = all.plan};
  if (!code && all.n != 1) code = say(REFUSED, "%s has %d runs, and a unit is one: export a file with one run", r->word[0], all.n);
  if (!code && plan_code(e.p))
    code = say(REFUSED, "%s is code of yours, and a unit holds none: describe the model in a file, or use one of the library",
               plan_code(e.p));
  if (!code) {
    e.file = e.p->own ? r->word[0] : NULL;
    code = settle(&e);
    if (!code) code = write_unit(&e, path);
    if (!code && !given(r, "--quiet"))
      printf("%s: %s by %s, %d outputs; FMI 2.0 for co-simulation on " PLACE "\n", path, e.p->model, e.p->setup.flow, e.it->nout - 1);
    epi_result_free(e.it);
    epi_case_free(e.c);
  }
  plans_free(&all);
  return code;
}
