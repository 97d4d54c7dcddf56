/* settle.c - what a job lacks: parameters in their units, a flow for a tolerance, a step; and its sentence */
#include "ask.h"
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
  epi_term *t = epi_term_read(j->model, why, sizeof why);
  if (!t) return epi_job_refuse(j, "%s", why);
  int bad = epi_term_give(t, name, stays ? value : x.text);
  size_t n = bad ? 0 : epi_term_text(t, NULL, 0);
  char *text = bad ? NULL : malloc(n + 1);
  if (text) epi_term_text(t, text, n + 1);
  epi_term_free(t);
  if (!text) return unread(j, name, stays ? value : x.text);
  free(j->model);
  j->model = text;
  return 0;
}

/* ---- flows ---- */
static int within(epi_job *j, epi_term *t)
{
  int bad = epi_ask_within(t, j->c->parts, j->ask.tol);
  if (bad < 0)
    return epi_job_refuse(j, "the tolerance %s and the one in %s both say how exact its steps are: take one of them away",
                          epi_shortest(j->ask.tol).text, j->ask.flow);
  return bad ? epi_job_fails(j, EPI_MEMORY, "out of memory") : 0;
}

static int write_flow(epi_job *j, const epi_term *t)
{
  size_t n = epi_term_text(t, NULL, 0);
  char *text = malloc(n + 1);
  if (!text) return epi_job_fails(j, EPI_MEMORY, "out of memory");
  epi_term_text(t, text, n + 1);
  free(j->ask.flow);
  j->ask.flow = text;
  return 0;
}

/* events are around the flow, the first of them outermost */
static int with_events(epi_job *j, epi_term *t)
{
  char around[80];
  int n = 0;
  while (j->own && j->own->names[n].name) n++;
  while (n-- > 0) {
    /* the name says in which direction, and whether it ends the run: event3_up_stop */
    const char *name = j->own->names[n].name;
    const char *way = strstr(name, "_up") ? "up" : strstr(name, "_down") ? "down" : "any";
    snprintf(around, sizeof around, "at(_, gap=%s, direction=%s%s)", name, way, strstr(name, "_stop") ? ", stop=1" : "");
    if (epi_term_wrap(t, around)) return epi_job_fails(j, EPI_MEMORY, "out of memory");
  }
  return 0;
}

static int settle_flow(epi_job *j)
{
  options *a = &j->ask;
  char why[320];
  epi_term *t = epi_term_read(a->flow, why, sizeof why);
  if (!t) return epi_job_refuse(j, "%s", why);
  /* one that was looked for has its tolerance, also where it is known to fail on its way */
  const int given = !isnan(a->tol) && !(j->choice.tol > 0);
  int bad = given ? within(j, epi_ask_stepping(t, j->c->parts)) : 0;
  int chooses = epi_ask_chooses(epi_ask_stepping(t, j->c->parts), j->c->parts);
  if (!bad && given && j->own && a->stepped)
    bad = epi_job_refuse(j, "steps are chosen by the tolerance %s, and the step %s says how long they are: leave one of them out",
                         epi_shortest(a->tol).text, epi_shortest(a->step).text);
  if (!bad) bad = with_events(j, t);
  if (!bad) bad = write_flow(j, t);
  epi_term_free(t);
  if (bad) return bad;
  double span = (isnan(a->end) ? j->c->end : a->end) - j->c->t;
  if (isnan(a->step)) a->step = chooses && !(j->c->step > 0) ? span : j->c->step;
  if (a->step > 0) return 0;
  return a->step == 0 ? epi_job_refuse(j, "%s takes steps of one length: give a step, or a tolerance", a->flow) :
    epi_job_refuse(j, "the step is %g: give a positive one", a->step);
}

/* ---- a flow for a tolerance ---- */
static int choose(epi_job *j)
{
  epi_case *c = j->c;
  epi_chosen *a = &j->choice;
  options *ask = &j->ask;
  double end = isnan(ask->end) ? c->end : ask->end;
  *a = (epi_chosen){.tol = j->unasked ? 1e-6 : ask->tol, .end = end, .motion = ask->motion,
                    .every = epi_ask_every(end - c->t, ask->step, ask->every), .most = j->unasked ? epi_ask_most(c, end) : 0};
  epi_job_lock(j);
  j->choosing = 1;
  a->stop = j->asked;
  epi_job_unlock(j);
  int bad = epi_choose(c, a), worldly = j->unasked && c->world && c->flow;
  epi_job_lock(j);
  j->choosing = 0;
  if (bad == EPI_STOPPED) j->asked = 0;
  epi_job_unlock(j);
  if (bad == EPI_STOPPED) return EPI_INTERRUPTED;
  const char *flow = a->flow;
  if (bad && (a->breaks != 1 || worldly)) {
    if (!j->unasked || !(flow = epi_ask_another(c, a))) return epi_job_fails(j, a->cause, "%s", a->error);
    if (a->breaks != 1)
      snprintf(j->doubt, sizeof j->doubt, "the run %s right to %g: %s", a->dear ? "may not be" : "is not", a->tol, a->error);
  }
  if (bad && a->breaks == 1)
    snprintf(j->doubt, sizeof j->doubt, "nothing is known of the error of this run: while a flow was chosen for %g, its run failed on its "
             "way: %s", a->tol, a->error);
  int own = bad && c->flow && !strcmp(flow, c->flow);
  if (!(ask->flow = strdup(flow))) return epi_job_fails(j, EPI_MEMORY, "out of memory");
  if (!own) epi_ask_rows(end - c->t, &ask->step, &ask->every);
  j->chosen = !bad;
  return 0;
}

/* a world says what moves and not how, and so does a system of the caller's */
static int says_nothing(const epi_job *j)
{
  return j->own || (j->file && epi_file_request(j->file, j->run)->world) || (!j->c->flow && !(j->c->step > 0));
}

int epi_job_settle(epi_job *j)
{
  options *a = &j->ask;
  const epi_case *c = j->c;
  double end = isnan(a->end) ? c->end : a->end;
  if (!isnan(a->tol) && !(a->tol > 0 && a->tol < 1))
    return epi_job_refuse(j, "the tolerance is %g: give a number between 0 and 1, such as 1e-9", a->tol);
  if (!(end > c->t)) return epi_job_refuse(j, "the end %g is not after the start t = %g: give a later one", end, c->t);
  if (a->chooses && a->stepped) return epi_job_refuse(j, "flow=auto chooses its steps: leave the step out, or give a flow");
  if (a->chooses) a->step = NAN;
  if (a->chooses || (!a->flow && (!isnan(a->tol) || (isnan(a->step) && says_nothing(j))))) {
    j->unasked = isnan(a->tol);
    int bad = choose(j);
    if (bad) return bad;
  }
  if (a->motion && !j->choice.flow[0]) return epi_job_refuse(j, "motion is for a flow that is chosen, and %s is given", a->flow);
  if (!a->flow && !c->flow) return epi_job_refuse(j, "there is a step and no flow: give it one, or leave the step out, and one is chosen");
  if (!a->flow && !(a->flow = strdup(c->flow))) return epi_job_fails(j, EPI_MEMORY, "out of memory");
  return settle_flow(j);
}
