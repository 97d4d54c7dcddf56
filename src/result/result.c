/* result.c - a run that is recorded, from the flow to the last row */
#define _XOPEN_SOURCE 700
#include "inspect.h"
#include "letters.h"
#include <errno.h>
#include <limits.h>
#include <time.h>

double epi_wall_clock(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9*(double)t.tv_nsec;
}

double epi_result_wall(const epi_result *r) { return r->recorder ? r->before + epi_wall_clock() - r->recorder->began : r->took; }

static int refuse(epi_recorder *a, epi_cause cause, const char *words, ...) __attribute__((format(printf, 3, 4)));
static int refuse(epi_recorder *a, epi_cause cause, const char *words, ...)
{
  va_list ap;
  va_start(ap, words);
  epi_sentence_print(a->error, sizeof a->error, words, ap);
  va_end(ap);
  a->cause = cause;
  return -1;
}

/* ---- making ---- */
static int settle_times(epi_recorder *a)
{
  const double most = 1e8;
  a->start = a->c->t;
  a->step = a->ask.step == 0 ? a->c->step : a->ask.step;
  a->end = a->ask.end == 0 ? a->c->end : a->ask.end;
  a->every = a->ask.ntimes || a->ask.places ? 0 : a->ask.every;
  double span = a->end - a->start;
  if (!(a->step > 0)) return refuse(a, EPI_REQUEST, "the step is %g: give a positive one", a->step);
  if (!(span > 0)) return refuse(a, EPI_REQUEST, "the end %g is not after the start t = %g: give a later one", a->end, a->start);
  if (span/a->step > 9e15) return refuse(a, EPI_REQUEST, "%.3g steps of %g to t = %g: give a longer one", span/a->step, a->step, a->end);
  /* a multiple of the step, so that rows fall on steps */
  if (a->every < 0) a->every = a->step*ceil(ceil(span/a->step*(1 - 1e-12))/1000);
  if (a->ask.ntimes && a->ask.places) return refuse(a, EPI_REQUEST, "rows at %d times and at places of every step: give one of them",
                                                    a->ask.ntimes);
  for (int i = 0; i < a->ask.ntimes; i++)
    if (!(a->ask.times[i] > (i ? a->ask.times[i-1] : -HUGE_VAL)))
      return refuse(a, EPI_REQUEST, "the times of the rows are not in order at %.10g: give each once, the earliest first", a->ask.times[i]);
  double apart = a->ask.ntimes ? span : a->every > 0 ? a->every : a->step;
  if (span/apart > most)
    return refuse(a, EPI_REQUEST, "a row every %g would be %.3g rows, more than %g: let them be %.3g apart or more", apart, span/apart,
                  most, 1.01*span/most);
  return 0;
}

/* a step that the start shows to be too long is refused; --force runs it, and it is told as a warning */
static int check_step(epi_recorder *a, epi_flow *f, const epi_state *s)
{
  double steps = ceil((a->end - a->start)/a->step), budget = fmin(200, fmax(epi_dim(f->sys) <= 16 ? 40 : 8, steps/400));
  epi_limit p = epi_limit_of(a->text, a->c->parts, f, s, a->step, (long)budget);
  /* few evaluations may take it for faster than it is */
  if (a->step > p.step) p = epi_limit_of(a->text, a->c->parts, f, s, a->step, 0);
  char *words = a->doubt;
  if (p.cause == EPI_MEMORY) return refuse(a, EPI_MEMORY, "out of memory: the step could not be checked");
  if (a->step*p.w > EPI_PI) a->fastest = p.w;
  a->decay = p.decay;
  size_t size = sizeof a->doubt;
  if (a->step > p.phase_step)
    snprintf(words, size, "the step %g is too long for the fast phase, which turns with the rate %.4g: there are fewer than two "
             "evaluations in a turn; take a step of %.2g or less, or an average such as hmm or strobe", a->step, p.phase, 0.2*p.phase_step);
  else if (a->step > p.step)
    snprintf(words, size, "the step %g is too long for the fastest %s at the start: h times its rate %.4g is %.3g, and the stability limit "
             "of this flow is %.3g; take a step of %.2g or less%s", a->step, p.falls ? "decay" : "oscillation", p.rate, a->step*p.rate,
             p.limit, 0.75*p.step, a->c->world ? ", or semi with stiff: yes for the spring or contact that is so fast" :
             a->c->system.nc ? "" : ", or an implicit flow such as gauss");
  return words[0] && !a->ask.force ? refuse(a, EPI_UNSTABLE, "%s", words) : 0;
}

/* whole steps of a time of its own: a row after each of them, whenever that is */
static int by_own_clock(const epi_flow *f) { return f->own_time && !(f->claims & EPI_CLOCK); }

static int settle_own_clock(epi_recorder *a)
{
  if (a->ask.every > 0)
    return refuse(a, EPI_REQUEST, "with clock=own there is a row after every step, and a row every %g would cut them: leave one of them "
                  "out", a->ask.every);
  a->every = 0;
  a->own_clock = 1;
  return 0;
}

/* first alone, so that the columns in a sentence are those of the user's text */
static int make_flow(epi_recorder *a)
{
  epi_flow *f = epi_case_flow(a->c, a->given);
  epi_state s = epi_case_state(a->c);
  /* a run of no length says what a run would refuse */
  if (!epi_error(f)) epi_run(f, &s, s.t, a->step);
  int bad = epi_error(f) ? refuse(a, epi_cause_of(f), "%s", epi_error(f)) : 0;
  size_t n = bad ? 0 : epi_text(f, NULL, 0);
  if (!bad && !(a->text = malloc(n + 1))) bad = refuse(a, EPI_MEMORY, "out of memory: the text of the flow could not be written");
  if (!bad) epi_text(f, a->text, n + 1);
  if (!bad && by_own_clock(f)) bad = settle_own_clock(a);
  if (!bad) bad = check_step(a, f, &s);
  epi_free(f);
  if (bad) return bad;
  a->tree = epi_recorder_flow(a);
  if (!a->tree || epi_events_listen(a)) return refuse(a, EPI_MEMORY, "out of memory: the flow could not be watched");
  return epi_error(a->tree) ? refuse(a, epi_cause_of(a->tree), "%s", epi_error(a->tree)) : 0;
}

/* rows have it where it is asked for; pictures where it can be had */
static int make_fast(epi_recorder *a)
{
  epi_fault why = {.words = ""};
  const int resolves = a->ask.fast && a->ask.choice && !a->ask.choice->slow_part;
  if (a->ask.fast || a->ask.pictures) a->fast = epi_fast_make(a->c, a->tree, a->text, a->start, resolves, &why);
  return why.words[0] && (a->ask.fast || why.cause == EPI_MEMORY) ? refuse(a, why.cause, "%s", why.words) : 0;
}

/* between two rows observables are looked at some dozens of times, and not in the rhythm of anything. Of chosen steps the number is not
   known */
enum { MANY_ROWS = 512 };
static unsigned share_of(const epi_recorder *a)
{
  const double enough = 32;
  double steps = a->every/a->step;
  return a->adaptive || steps <= enough ? UINT_MAX : (unsigned)(UINT_MAX*(enough/steps));
}

static void find_average(void *found, const epi_info *i)
{
  *(int *)found |= i->record->arrow == EPI_AVERAGE;
}

static int make(epi_recorder *a)
{
  if (!a->c) return refuse(a, EPI_MEMORY, "out of memory: the model could not be made");
  if (a->c->error[0]) return refuse(a, a->c->cause ? a->c->cause : EPI_REQUEST, "%s", a->c->error);
  if (!a->given) a->given = a->c->flow;
  if (settle_times(a)) return -1;
  if (a->ask.out && !a->ask.stream && !epi_out_format(a->ask.out))
    return refuse(a, EPI_REQUEST, "the output '%s' has no known ending: use .csv, .npy or .json", a->ask.out);
  if (a->ask.events && !epi_out_format(a->ask.events))
    return refuse(a, EPI_REQUEST, "the file for events '%s' has no known ending: use .csv, .npy or .json", a->ask.events);
  if ((!a->ask.stream && epi_sheet_needs_file(a->ask.out, a->error, sizeof a->error))
      || epi_sheet_needs_file(a->ask.events, a->error, sizeof a->error)) return -1;
  if (make_flow(a) || make_fast(a)) return -1;
  if (epi_case_moved_by(a->c, a->tree))
    return refuse(a, EPI_REQUEST, "--actions has the modes that are stiff at the start, and the flow was given another number of them: "
                  "leave one out");
  if (a->ask.events && !epi_event_name(a->tree, 0))
    return refuse(a, EPI_REQUEST, "the flow has no events for %s: put at around it, as in at(%s, of=0)", a->ask.events, a->text);
  /* a state of its own, so that results of one case do not move each other's */
  size_t n = (size_t)epi_size(&a->c->system), nobs = 0;
  while (a->c->model->observables && a->c->model->observables[nobs].name) nobs++;
  a->exact = calloc(3*n + 2*nobs + (a->ask.pictures ? 1 + 3*(n + nobs) : 0), sizeof *a->exact);
  a->beside = a->exact ? a->exact + 2*n : NULL;
  a->sizes = a->exact ? a->exact + 3*n : NULL;
  a->swing = a->exact ? a->sizes + 2*nobs : NULL;
  a->share = share_of(a);
  a->fine = a->adaptive && !a->fast && a->every > 0 && (a->end - a->start)/a->every < MANY_ROWS;
  a->counters = epi_counters_of(a->tree, &a->ncounters);
  a->s = epi_case_state(a->c);
  if (a->exact) a->s.y = memcpy(a->exact + n, a->s.y, n*sizeof *a->s.y);
  for (const epi_observable *o = a->c->model->observables; o && o->name; o++) {
    if (o->invariant && (!strcmp(o->name, "energy") || !strcmp(o->name, "T"))) break;
    a->energy += o->invariant != 0;
  }
  epi_walk(a->tree, find_average, &a->averages);
  /* a system that moves its start is the slow one of another */
  if (a->tree->sys->derived && a->tree->sys->derived->start) a->averages = 1;
  a->passive = a->c->world ? epi_world_passive(a->c->world) : 0;
  a->inspector = epi_inspector_make(a);
  return a->exact && a->counters && a->inspector ? 0 : refuse(a, EPI_MEMORY, "out of memory: the rows could not be laid out");
}

static void start(epi_recorder *a)
{
  epi_result *r = a->r;
  const epi_observable *o = a->c->model->observables;
  for (int i = 0, k = 0; i < r->nobs; i++)
    if (o[i].invariant) r->invariant[k++].start = epi_observe(a->c, &o[i], &a->s);
  memcpy(r->y, a->s.y, (size_t)epi_size(&a->c->system)*sizeof *r->y);
  r->step_from = a->s.t;
}

static void drop(epi_recorder *a)
{
  char ignored[4];
  if (a->sheet) epi_sheet_close(a->sheet, ignored, sizeof ignored);
  epi_events_drop(a);
  epi_fast_free(a->fast);
  epi_inspector_free(a->inspector);
  if (a->c) epi_case_moved_by(a->c, NULL);
  epi_free(a->tree);
  free(a->exact);
  free(a->counters);
  free(a->text);
  free(a);
}

epi_result *epi_result_make_abi(epi_case *c, const char *flow, const epi_run_options *ask, const epi_abi *abi)
{
  epi_recorder *a = calloc(1, sizeof *a);
  if (!a) return NULL;
  a->c = c;
  a->given = flow;
  /* what another header means by its options is not known */
  if (epi_abi_check(abi, a->error, sizeof a->error)) ask = NULL, a->cause = EPI_REQUEST;
  if (ask) a->ask = *ask;
  else a->ask.every = -1;
  a->began = epi_wall_clock();
  if (!a->error[0]) make(a);
  a->r = epi_recorder_lay(a);
  if (!a->r) return drop(a), NULL;
  if (!a->error[0]) start(a);
  if (!a->error[0] && a->doubt[0]) epi_result_warn(a->r, "%s", a->doubt);
  return a->r;
}

void epi_result_free(epi_result *r)
{
  if (!r || !r->recorder) return;
  int lent = r->recorder->ask.room != NULL;
  drop(r->recorder);
  r->recorder = NULL;
  if (lent) return;
  free(r->drawing);
  free(r);
}

/* ---- running ---- */
static void set_status(epi_result *r, const char *status) { snprintf(r->status, sizeof r->status, "%s", status); }

static int failed(epi_result *r, epi_cause cause, const char *sentence)
{
  set_status(r, "failed");
  r->cause = cause;
  snprintf(r->error, sizeof r->error, "%s", sentence);
  return EPI_WRONG;
}

/* what another run writes, or what is not to be had, is refused before anything is cut */
static int open_files(epi_recorder *a, epi_sink_use use)
{
  epi_result *r = a->r;
  if (r->out && !(a->sheet = epi_sheet_open(r, EPI_ROWS, use, a->ask.stream))) return -1;
  return epi_events_open(a, use);
}

static int give_up(epi_recorder *a)
{
  epi_sheet_drop(a->sheet);
  epi_sheet_drop(a->events.sheet);
  a->sheet = a->events.sheet = NULL;
  set_status(a->r, "refused");
  return EPI_WRONG;
}

int epi_result_begin(epi_result *r)
{
  epi_recorder *a = r->recorder;
  if (!a || strcmp(r->status, "ready")) return EPI_WRONG;
  a->began = epi_wall_clock();
  if (open_files(a, EPI_BEGIN)) return give_up(a);
  if (a->sheet && epi_sheet_begin(a->sheet)) a->sick = 1;
  epi_events_begin(a);
  set_status(r, "running");
  /* where it is asked to stop before that is done, it comes when it goes */
  epi_recorder_row(a, &a->s);
  return 0;
}

int epi_result_resume(epi_result *r)
{
  epi_recorder *a = r->recorder;
  if (!a || strcmp(r->status, "ready")) return EPI_WRONG;
  /* steps that no mean holds yet: of all that were chosen, those that are pending */
  a->counted = epi_choice_of(a->tree).steps - r->pending;
  if (open_files(a, EPI_GO_ON) || (a->sheet && epi_sheet_same(a->sheet)) || epi_events_same(a)) return give_up(a);
  if ((a->sheet && epi_sheet_again(a->sheet)) || epi_events_again(a)) return give_up(a);
  set_status(r, "running");
  return 0;
}

int epi_result_go(epi_result *r)
{
  epi_recorder *a = r->recorder;
  if (!a || strcmp(r->status, "running")) return EPI_WRONG;
  if (a->sick) return EPI_STOPPED;
  __atomic_store_n(&a->told, epi_asked_to_stop(a->tree), __ATOMIC_RELAXED);
  if (!r->rows) epi_recorder_row(a, &a->s);
  epi_inspector_begin(a->inspector, a, &a->s);
  /* a root that chooses its steps is given all the way that is left */
  int code = epi_run(a->tree, &a->s, a->end, a->adaptive ? fmax(a->end - a->s.t, a->step) : a->step);
  /* the runs of the last row can be stopped as those of any other */
  if (code || !a->fast || !(a->s.t > r->row[0]) || epi_recorder_row(a, &a->s) != EPI_INTERRUPTED) return code;
  epi_stop_heard(a->tree);
  return EPI_STOPPED;
}

void epi_result_stop(epi_result *r)
{
  epi_recorder *a = r->recorder;
  if (!a || !a->tree) return;
  __atomic_store_n(&a->told, 1, __ATOMIC_RELAXED);
  epi_stop(a->tree);
}

/* after a failure this is the last good state */
static void last_row(epi_recorder *a, int code)
{
  epi_result *r = a->r;
  const char *lost = a->ask.fast ? epi_fast_error(a->fast) : NULL;
  set_status(r, code ? "stopped" : "done");
  const char *sentence = epi_error(a->tree);
  if (code && code != EPI_STOPPED) failed(r, sentence ? epi_cause_of(a->tree) : EPI_OTHER_CAUSE, sentence ? sentence : "the run failed");
  /* whoever asked it to stop does not wait for the runs of one more row */
  int hurry = a->fast && code == EPI_STOPPED && __atomic_load_n(&a->told, __ATOMIC_RELAXED);
  if (a->s.t > r->row[0] && !lost && !hurry) epi_recorder_row(a, &a->s);
  if (!lost || !strcmp(r->status, "failed")) return;
  set_status(r, "failed");
  snprintf(r->error, sizeof r->error, "fast: %s", lost);
  r->cause = EPI_FAST;
}

static void take_warnings(epi_recorder *a)
{
  const epi_flow *node;
  for (int k = 0; (node = epi_warns(a->tree, k)); k++) {
    int before = a->r->warnings;
    epi_result_warn(a->r, "%s", node->warning);
    a->r->of_cost += node->dear && a->r->warnings > before;
  }
}

static int outcome(const epi_result *r)
{
  return !strcmp(r->status, "done") ? 0 : !strcmp(r->status, "stopped") ? EPI_STOPPED : EPI_WRONG;
}

static int try_step(epi_recorder *, double h);

int epi_result_end(epi_result *r, int code)
{
  epi_recorder *a = r->recorder;
  /* what was refused or has not begun has no state to end with */
  if (!a || !strcmp(r->status, "refused") || !strcmp(r->status, "ready")) return EPI_WRONG;
  if (a->ended) return outcome(r);
  a->ended = 1;
  if (!a->sick && !strcmp(r->status, "running")) last_row(a, code);
  if (a->sheet && !a->sick) r->bytes = epi_sheet_mark(a->sheet);
  char sentence[sizeof r->error];
  if (a->sheet && epi_sheet_close(a->sheet, sentence, sizeof sentence)) failed(r, EPI_BAD_FILE, sentence);
  a->sheet = NULL;
  epi_events_mark(a);
  if (epi_events_close(a, sentence, sizeof sentence)) failed(r, EPI_BAD_FILE, sentence);
  /* some can be judged only now */
  if (a->tree) take_warnings(a);
  a->is_enough = try_step;
  if (a->inspector && !strcmp(r->status, "done")) epi_recorder_doubt(a);
  r->t = a->s.t;
  memcpy(r->y, a->s.y, (size_t)epi_size(&a->c->system)*sizeof *r->y);
  if (r->whole) epi_reel_end(&r->kept, r->row);
  epi_result_count(r);
  r->took = epi_result_wall(r);
  return outcome(r);
}

int epi_result_run(epi_result *r)
{
  if (!r) return EPI_WRONG;
  int code = epi_result_begin(r);
  if (code) return code;
  code = epi_result_end(r, epi_result_go(r));
  return code == EPI_WRONG || !epi_result_draw(r) ? code : EPI_WRONG;
}

static int is_stopped(void *data, epi_result *r, const epi_state *s)
{
  (void)r, (void)s;
  return epi_asked_to_stop(((epi_recorder *)data)->tree);
}

/* 1: the run from the start with steps of h gets to its end, and nothing is in doubt */
static int try_step(epi_recorder *a, double h)
{
  const epi_run_options ask = {.step = h, .end = a->end, .every = a->end - a->start, .force = 1, .beat = is_stopped, .data = a};
  epi_result *r = epi_result_make(a->c, a->text, &ask);
  if (!r) return 0;
  if (r->recorder) r->recorder->tries = 1;
  int enough = !epi_result_run(r) && r->warnings == r->of_cost;
  epi_result_free(r);
  return enough;
}

/* ---- stopping and going on ---- */
long long epi_result_mark(epi_result *r)
{
  epi_recorder *a = r->recorder;
  if (!a) return 0;
  epi_events_mark(a);
  if (a->events.sick) return -1;
  if (!a->sheet) return 0;
  r->bytes = a->sick ? -1 : epi_sheet_mark(a->sheet);
  if (r->bytes < 0) a->sick = 1;
  return r->bytes;
}

int epi_result_save(epi_result *r, FILE *f)
{
  epi_recorder *a = r->recorder;
  if (!a || (f && a->inspector && epi_inspector_save(a->inspector, &r->inspection, f))) return -1;
  return epi_save(a->tree, &a->s, f);
}

/* what the run saw of itself before the last whole state in the file, from where that stands; 0 on success */
static int load_inspection(epi_result *r, FILE *f)
{
  enum { STATE = 1 };
  unsigned kind;
  void *content, *last = NULL;
  long n, size = 0, from = ftell(f);
  int bad = 0, whole = 0;
  while ((n = epi_frame_read(f, &kind, &content)) >= 0) {
    if (kind == EPI_INSPECTION_FRAME) {
      if (!whole) free(last);
      else if (epi_inspector_load(r->recorder->inspector, r->recorder, last, (size_t)size)) bad = -1;
      if (whole) free(last);
      last = content, size = n, whole = 0;
      continue;
    }
    whole |= kind == STATE && last;
    free(content);
  }
  if (whole && epi_inspector_load(r->recorder->inspector, r->recorder, last, (size_t)size)) bad = -1;
  free(last);
  return bad ? bad : n < -1 ? (int)n : from < 0 || fseek(f, from, SEEK_SET) ? -3 : 0;
}

int epi_result_load(epi_result *r, FILE *f)
{
  epi_recorder *a = r->recorder;
  if (!a || !a->tree) return -1;
  errno = 0;
  int seen = f && a->inspector ? load_inspection(r, f) : 0, bad = seen || epi_load(a->tree, &a->s, f);
  double beside = 1e-6*a->step + 1e-12*(fabs(a->start) + fabs(a->end));
  if (!bad) bad = !(a->s.t >= a->start - beside && (a->own_clock || a->s.t <= a->end + beside));
  /* a system that learnt something at its start has it again, also where no step is left to take */
  epi_derived_system *slow = bad ? NULL : a->tree->sys->derived;
  if (slow && slow->start) bad = slow->start(slow, &a->s);
  if (bad) r->cause = seen == -2 ? EPI_MEMORY : epi_error(a->tree) ? epi_cause_of(a->tree) : EPI_BAD_FILE;
  if (seen < -1) snprintf(r->error, sizeof r->error, "it cannot be read: %s; try again", strerror(seen == -2 ? ENOMEM : errno));
  else if (bad) snprintf(r->error, sizeof r->error, "%s", epi_error(a->tree) ? epi_error(a->tree) : "its state is damaged; run again");
  r->t = a->s.t;
  memcpy(r->y, a->s.y, (size_t)epi_size(&a->c->system)*sizeof *r->y);
  return bad;
}

static int close_again(epi_result *r, epi_sheet_kind kind)
{
  epi_sheet *s = epi_sheet_open(r, kind, EPI_GO_ON, NULL);
  int bad = !s || epi_sheet_again(s);
  if (s && epi_sheet_close(s, r->error, sizeof r->error)) bad = 1;
  return bad ? -1 : 0;
}

int epi_result_close(epi_result *r)
{
  char before[sizeof r->error];
  if (r->recorder) return -1;
  if (r->whole) epi_reel_end(&r->kept, r->row);
  /* what it says of the run stays the last word */
  memcpy(before, r->error, sizeof before);
  if (r->rows && r->out && epi_sheet_cuts(r->out) && close_again(r, EPI_ROWS)) return -1;
  if (r->rows && r->event_file && epi_sheet_cuts(r->event_file) && close_again(r, EPI_EVENTS)) return -1;
  memcpy(r->error, before, sizeof before);
  return 0;
}

#undef epi_result_make
/* a program that was compiled before headers were compared calls this */
epi_result *epi_result_make(epi_case *c, const char *flow, const epi_run_options *ask)
{
  (void)ask;
  return epi_result_make_abi(c, flow, NULL, NULL);
}
