/* many.c - a sweep of a job */
#include "job.h"
#include <stdio.h>

/* what a sweep would not do is not passed over */
static int said_of_one(epi_job *j)
{
  const options *a = &j->ask;
  const epi_setup *s = &a->setup;
  const struct { const char *name; int x; } one[] = {
    {"fast", s->fast}, {"multipliers", s->multipliers}, {"force", s->force}, {"motion", s->motion}, {"pictures", a->pictures}};
  for (size_t i = 0; i < sizeof one/sizeof *one; i++)
    if (one[i].x) return epi_job_refuse(j, "%s is for one run, and a sweep keeps numbers alone: leave it out", one[i].name);
  const struct { const char *name; double x; } drawn[] = {{"seed", a->seed}, {"latin", a->latin}};
  for (int i = 0; i < 2; i++)
    if (drawn[i].x != 0 && !(a->samples > 0))
      return epi_job_refuse(j, "%s is of what is drawn, as in uniform(1, 2): give samples, or leave it out", drawn[i].name);
  if (s->automatic && s->given & EPI_GIVEN_STEP)
    return epi_job_refuse(j, "flow=auto chooses its steps: leave the step out, or give a flow");
  return 0;
}

/* the model of the job with its parameters, and what was said of its runs */
epi_sweep *epi_job_sweep(epi_job *j, const char *const *over, const char *const *keep)
{
  const options *a = &j->ask;
  const epi_request *r = j->file ? epi_file_request(j->file, j->run) : NULL;
  if (j->own) epi_job_refuse(j, "a sweep is of a model by name or of a model file: a system of yours has no parameters");
  if (!j->error[0] && epi_job_runs(j) > 1)
    epi_job_refuse(j, "the file has %d runs, and a sweep is of one: take the others away", epi_job_runs(j));
  if (j->error[0] || said_of_one(j)) return NULL;
  const epi_setup all = epi_setup_for_sweep(&a->setup, r);
  const char *text = r ? r->model : j->model;
  const epi_model *own = r ? r->world : j->record;
  epi_sweep *s = epi_sweep_make(&(epi_sweep_options){
    .model = own ? text + strcspn(text, "(") : text, .own = own, .flow = all.flow,
    .step = isnan(all.step) || all.automatic ? 0 : all.step, .end = isnan(all.end) ? 0 : all.end,
    .every = isnan(all.every) ? 0 : all.every,
    .tol = !isnan(all.tol) ? all.tol : all.automatic && isnan(a->setup.tol) ? 1e-6 : 0, .over = over,
    .keep = keep, .samples = (long long)a->samples, .seed = (unsigned long long)a->seed, .latin = a->latin != 0,
    .workers = (int)a->workers, .limit = a->limit, .data = j});
  if (!s) epi_job_fails(j, EPI_MEMORY, "out of memory: the sweep could not be made");
  else if (epi_sweep_error(s)) epi_job_refuse(j, "%s", epi_sweep_error(s));
  return s;
}

/* one at a time, in any order; the sweep hands over the data of its options */
static int see(void *data, const epi_sweep_row *row)
{
  epi_job *j = data;
  j->outcome[row->number] = row->outcome;
  if (row->why[0]) j->why[row->number] = strdup(row->why);
  return 0;
}

int epi_job_sweep_run(epi_job *j, epi_sweep *s, double *value, double *kept, int *outcome)
{
  const long long n = epi_sweep_cases(s);
  const int axes = epi_sweep_axes(s);
  if (j->error[0] || j->why) return j->error[0] ? EPI_WRONG : epi_job_refuse(j, "this sweep was run: make another");
  j->why = calloc((size_t)n + 1, sizeof *j->why);
  if (!j->why) return epi_job_fails(j, EPI_MEMORY, "out of memory");
  j->cases = n;
  j->outcome = outcome;
  for (long long i = 0; i < n; i++) epi_sweep_values(s, i, value + i*axes);
  int bad = epi_sweep_run(s, kept, see);
  j->outcome = NULL;
  return bad == EPI_WRONG ? epi_job_refuse(j, "%s", epi_sweep_error(s)) : bad;
}

const char *epi_job_sweep_why(const epi_job *j, long long number)
{
  return j->why && number >= 0 && number < j->cases ? j->why[number] : NULL;
}
