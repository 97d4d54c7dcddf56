/* motion.c - makes what run.txt says, moves it, and tells its columns */
#include "motion.h"
#include "epicycle/term.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int wrong(motion *m, const char *words) { return snprintf(m->error, sizeof m->error, "%s", words), -1; }

static char *joined(const char *a, const char *b, const char *c)
{
  char *all = malloc(strlen(a) + strlen(b) + strlen(c) + 1);
  if (all) sprintf(all, "%s%s%s", a, b, c);
  return all;
}

/* ---- run.txt ---- */
static char *read_all(const char *path)
{
  FILE *f = fopen(path, "rb");
  char *all = NULL;
  size_t n = 0, room = 0, got = 1;
  while (f && got) {
    if (n + 4096 > room) {
      char *more = realloc(all, (room = 2*room + 8192) + 1);
      if (!more) break;
      all = more;
    }
    n += got = fread(all + n, 1, 4096, f);
  }
  if (f) fclose(f);
  if (all) all[n] = 0;
  return all;
}

char *motion_note(const motion *m, const char *key)
{
  size_t n = strlen(key);
  const char *at = m->notes;
  while (at && (strncmp(at, key, n) || at[n] != '=')) at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL;
  return at ? strndup(at + n + 1, strcspn(at + n + 1, "\n")) : NULL;
}

static double number_of(const motion *m, const char *key)
{
  char *word = motion_note(m, key);
  double x = word ? strtod(word, NULL) : NAN;
  free(word);
  return x;
}

/* ---- the model with what was set ---- */
/* the text of a model of the library with other values */
static epi_case *named_case(motion *m, const epi_model *of)
{
  char why[320], value[32], *text = motion_note(m, "model");
  epi_term *t = text ? epi_term_read(text, why, sizeof why) : NULL;
  int bad = !t;
  for (int i = 0; of && i < m->parameters && !bad; i++) {
    if (isnan(m->value[i])) continue;
    snprintf(value, sizeof value, "%s", epi_shortest(m->value[i]).text);
    bad = epi_term_give(t, of->params[i].name, value);
  }
  size_t n = bad ? 0 : epi_term_text(t, NULL, 0);
  char *all = n ? malloc(n + 1) : NULL;
  if (all) epi_term_text(t, all, n + 1);
  epi_case *c = all ? epi_case_make(all) : NULL;
  epi_term_free(t);
  free(text);
  free(all);
  return c;
}

/* the path of a number, as on the command line, is a parameter with _ for every dot */
static int same_name(const char *word, const char *name)
{
  for (; *name; word++, name++) if (*word != *name && !(*word == '.' && *name == '_')) return 0;
  return *word == '=' || !*word;
}

/* what was given when it was exported, with other values; ends with NULL */
static char **words_of(const motion *m, const epi_model *of)
{
  int n = 0;
  char key[32], **all = calloc((size_t)m->parameters + 1002, sizeof *all), *word;
  for (; all && n < 1000; n++) {
    snprintf(key, sizeof key, "given.%d", n);
    if (!(all[n] = motion_note(m, key))) break;
  }
  for (int i = 0; all && of && i < m->parameters; i++) {
    int k = 0;
    if (isnan(m->value[i])) continue;
    while (k < n && !same_name(all[k], of->params[i].name)) k++;
    char *name = k < n ? strndup(all[k], strcspn(all[k], "=")) : strdup(of->params[i].name);
    word = name ? joined(name, "=", epi_shortest(m->value[i]).text) : NULL;
    free(name);
    free(all[k]);
    all[k] = word;
    if (k == n) n++;
  }
  return all;
}

static epi_case *world_case(motion *m, const epi_model *of, const char *name)
{
  char *path = joined(m->folder, "/", name), **given = words_of(m, of);
  epi_case *c = NULL;
  epi_file *file = path && given ? epi_file_read_given(path, NULL, given[0] ? (const char *const *)given : NULL) : NULL;
  const epi_request *r = file && !epi_file_sentences(file) ? epi_file_request(file, 0) : NULL;
  if (file && epi_file_sentences(file)) wrong(m, epi_file_sentence(file, 0)->text);
  else if (r && r->world) c = epi_case_of(r->world, "");
  for (int i = 0; given && given[i]; i++) free(given[i]);
  free(given);
  free(path);
  /* its records are those of the case */
  if (!c) epi_file_free(file);
  else m->file = file;
  return c;
}

static int count(const void *list, size_t size)
{
  int n = 0;
  while (list && *(const char *const *)((const char *)list + (size_t)n*size)) n++;
  return n;
}

static void drop(epi_flow *flow, epi_case *c, epi_file *file)
{
  epi_free(flow);
  epi_case_free(c);
  epi_file_free(file);
}

/* the case and its flow anew; of what is refused the ones before stay, and of what is not the ones before are the caller's to drop */
static int make_anew(motion *m)
{
  const motion before = *m;
  const epi_model *of = m->c ? m->c->model : NULL;
  char *name = motion_note(m, "file"), *text = motion_note(m, "flow"), *lambda = motion_note(m, "multipliers");
  int bad = 0;
  m->error[0] = 0;
  m->file = NULL;
  m->flow = NULL;
  m->c = name ? world_case(m, of, name) : named_case(m, of);
  if (m->c && lambda && !m->c->error[0]) epi_case_multipliers(m->c);
  if (!m->c) bad = m->error[0] ? -1 : wrong(m, "out of memory: the model could not be made");
  else if (m->c->error[0]) bad = wrong(m, m->c->error);
  if (!bad) m->flow = epi_case_flow(m->c, text ? text : "");
  if (!bad && (!m->flow || epi_error(m->flow))) bad = wrong(m, m->flow ? epi_error(m->flow) : "out of memory: no flow");
  if (bad) {
    drop(m->flow, m->c, m->file);
    m->flow = before.flow, m->c = before.c, m->file = before.file;
  } else {
    m->s = epi_case_state(m->c);
    m->outputs = epi_size(&m->c->system) + count(m->c->model->observables, sizeof(epi_observable));
  }
  free(name);
  free(text);
  free(lambda);
  return bad;
}

int motion_make(motion *m)
{
  const motion before = *m;
  if (make_anew(m)) return -1;
  drop(before.flow, before.c, before.file);
  return 0;
}

static int load(motion *m, FILE *f)
{
  return epi_load(m->flow, &m->s, f) ? wrong(m, epi_error(m->flow) ? epi_error(m->flow) : "this state is damaged, or of another unit") : 0;
}

int motion_load(motion *m, const double *value, int anew, FILE *f)
{
  const size_t size = (size_t)m->parameters*sizeof *value;
  /* what is refused by the flow has not moved it */
  if (!anew && !memcmp(m->value, value, size)) return load(m, f);
  motion other = *m;
  if (!(other.value = malloc(size + 1))) return wrong(m, "out of memory: no parameters");
  memcpy(other.value, value, size);
  int made = !make_anew(&other), bad = !made || load(&other, f);
  const motion *gone = bad ? &other : m;
  if (bad) wrong(m, other.error);
  if (made) drop(gone->flow, gone->c, gone->file);
  free(gone->value);
  if (!bad) *m = other;
  return bad ? -1 : 0;
}

int motion_open(motion *m, const char *folder)
{
  *m = (motion){.folder = strdup(folder)};
  char *path = m->folder ? joined(m->folder, "/", "run.txt") : NULL;
  m->notes = path ? read_all(path) : NULL;
  free(path);
  if (!m->notes) return wrong(m, "resources/run.txt cannot be read: unpack the whole unit");
  m->step = number_of(m, "step");
  m->adaptive = number_of(m, "adaptive") > 0;
  if (motion_make(m)) return -1;
  m->parameters = count(m->c->model->params, sizeof(epi_param));
  m->value = malloc(((size_t)m->parameters + 1)*sizeof *m->value);
  for (int i = 0; m->value && i < m->parameters; i++) m->value[i] = NAN;
  return m->value ? 0 : wrong(m, "out of memory: no parameters");
}

/* a root that chooses its steps is given all the way */
int motion_go(motion *m, double to)
{
  double h = to - m->s.t;
  m->cause = EPI_OTHER_CAUSE;
  int bad = epi_run(m->flow, &m->s, to, m->adaptive ? h : m->step);
  if (!bad && !(fabs(m->s.t - to) <= 1e-9*fabs(h) + 1e-12*(1 + fabs(to))))
    return wrong(m, "the flow went past the communication point: it has a clock of its own");
  if (!bad) return 0;
  m->cause = epi_cause_of(m->flow);
  return wrong(m, epi_error(m->flow) ? epi_error(m->flow) : "the step failed");
}

double motion_output(motion *m, int column)
{
  int n = epi_size(&m->c->system);
  return column == 0 ? m->s.t : column <= n ? m->s.y[column-1] : epi_observe(m->c, &m->c->model->observables[column-1-n], &m->s);
}

int motion_tunes(const motion *m, int i)
{
  const epi_param *p = &m->c->model->params[i];
  return !p->words && (p->kind == EPI_NUMBER || p->kind == EPI_COUNT);
}

double motion_parameter(const motion *m, int i) { return isnan(m->value[i]) ? m->c->p[i] : m->value[i]; }

void motion_close(motion *m)
{
  drop(m->flow, m->c, m->file);
  free(m->notes);
  free(m->folder);
  free(m->value);
}
