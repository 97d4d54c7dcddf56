/* settle.c - what a job lacks: parameters in their units, a flow and a step as src/request takes them, events; and its sentence */
#include "job.h"
#include "letters.h"
#include <stdio.h>

int epi_job_refuse(epi_job *j, const char *words, ...)
{
  va_list ap;
  va_start(ap, words);
  epi_clean_words(j->error, sizeof j->error, words, ap);
  va_end(ap);
  j->cause = EPI_REQUEST;
  return EPI_WRONG;
}

int epi_job_fails(epi_job *j, epi_cause cause, const char *words, ...)
{
  va_list ap;
  va_start(ap, words);
  epi_clean_words(j->error, sizeof j->error, words, ap);
  va_end(ap);
  j->cause = cause;
  return EPI_WRONG;
}

/* a few instructions long: whoever waits need not sleep */
void epi_job_lock(epi_job *j) { while (__atomic_exchange_n(&j->lock, 1, __ATOMIC_ACQUIRE)) continue; }
void epi_job_unlock(epi_job *j) { __atomic_store_n(&j->lock, 0, __ATOMIC_RELEASE); }

/* ---- parameters ---- */
/* a value that could not be given to a model: it is no value, or there was no room for it */
static int unread(epi_job *j, const char *name, const char *value)
{
  epi_fault why;
  epi_term *t = epi_term_read_why(value, &why);
  int memory = t || why.cause == EPI_MEMORY;
  epi_term_free(t);
  if (memory) return epi_job_fails(j, EPI_MEMORY, "out of memory: %s could not be taken", name);
  return epi_job_refuse(j, "%s=%s cannot be read: a parameter is a number, with its unit, or a word", name, value);
}

int epi_job_parameter(epi_job *j, const char *name, const char *value)
{
  char why[320];
  epi_number x;
  if (j->own) return epi_job_refuse(j, "'%s' is nothing that can be said of a run of a system: its numbers are in its functions", name);
  if (j->file)
    return epi_job_refuse(j, "'%s' is no option of a run: numbers of a file are given when it is read, those of a world where it is made",
                          name);
  int stays = epi_ask_unit(j->record ? j->record : epi_ask_model(j->model), name, strlen(name), value, &x, NULL, why, sizeof why);
  if (stays < 0) return epi_job_refuse(j, "%s: %s", name, why);
  char *text = epi_model_put_parameter(j->model, name, stays ? value : x.text, why, sizeof why);
  if (!text) return why[0] ? epi_job_refuse(j, "%s", why) : unread(j, name, stays ? value : x.text);
  free(j->model);
  j->model = text;
  return 0;
}

/* ---- flows ---- */
static int search(void *data, epi_case *c, epi_chosen *a)
{
  epi_job *j = data;
  epi_job_lock(j);
  j->choosing = a;
  a->stop = j->asked;
  epi_job_unlock(j);
  int bad = epi_choose(c, a);
  epi_job_lock(j);
  j->choosing = NULL;
  if (bad == EPI_STOPPED) j->asked = 0;
  epi_job_unlock(j);
  return bad;
}

/* events are around the flow, the first of them outermost */
static int wrap(const epi_own *own, epi_term *t)
{
  char around[80];
  int n = 0;
  while (own && own->names[n].name) n++;
  while (n-- > 0) {
    /* the name says in which direction, and whether it ends the run: event3_up_stop */
    const char *name = own->names[n].name;
    const char *way = strstr(name, "_up") ? "up" : strstr(name, "_down") ? "down" : "any";
    snprintf(around, sizeof around, "at(_, gap=%s, direction=%s%s)", name, way, strstr(name, "_stop") ? ", stop=1" : "");
    if (epi_term_wrap(t, around)) return -1;
  }
  return 0;
}

static int with_events(epi_job *j)
{
  char why[320];
  epi_term *t = epi_term_read(j->ask.setup.flow, why, sizeof why);
  if (!t) return epi_job_refuse(j, "%s", why);
  char *flow = wrap(j->own, t) ? NULL : epi_term_new_text(t);
  epi_term_free(t);
  if (!flow) return epi_job_fails(j, EPI_MEMORY, "out of memory");
  free(j->ask.setup.flow);
  j->ask.setup.flow = flow;
  return 0;
}

/* a world says what moves and not how, and so does a system of the caller's */
static int says_nothing(const epi_job *j)
{
  return j->own || (j->file && epi_file_request(j->file, j->run)->world) || (!j->c->flow && !(j->c->step > 0));
}

int epi_job_settle(epi_job *j)
{
  static const epi_dialect words = {.tol = "the tolerance", .tolerance = "the one", .flow = "", .step = "", .end = "",
                                    .search = {"a flow", "its run"}, .motion = "motion", .checks_end = 1};
  epi_setup *a = &j->ask.setup;
  const epi_setup_context by = {.dialect = &words, .no_defaults = says_nothing(j), .search = search, .data = j, .error = j->error,
                                .size = sizeof j->error, .cause = &j->cause};
  const int stepped = j->own && a->given & EPI_GIVEN_STEP;
  int bad = epi_setup_complete(a, j->c, &by);
  if (bad) return bad == EPI_STOPPED ? EPI_INTERRUPTED : bad > 0 ? epi_job_fails(j, EPI_MEMORY, "out of memory") : bad;
  if (stepped && a->step_error > 0)
    return epi_job_refuse(j, "steps are chosen by the tolerance %s, and the step %s says how long they are: leave one of them out",
                          epi_shortest(a->step_error).text, epi_shortest(a->step).text);
  if (with_events(j)) return EPI_WRONG;
  return a->step == 0 ? epi_job_refuse(j, "%s takes steps of one length: give a step, or a tolerance", a->flow) :
    epi_setup_check_step(&by, a->step);
}
