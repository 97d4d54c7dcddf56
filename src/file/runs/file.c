/* file.c - a model file as a program sees it: its sentences, its runs, and the case and flow of each */
#include "file/model-file.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what cannot be made says so where it would be used ---- */
static int refuse(epi_case *c)
{
  snprintf(c->error, sizeof c->error, "%s", ((const refusal *)c->model)->words);
  return -1;
}

static refusal refusal_of(const char *words)
{
  return (refusal){.model = {.name = "model", .doc = "", .cite = "", .make = refuse, .flow = "verlet", .step = 1, .end = 1},
                   .words = words};
}

/* ---- reading ---- */
static int prepare_code(epi_file *m)
{
  if (!(m->code = epi_pool_room(&m->d.pool, (size_t)m->n, sizeof *m->code))) return REFUSED;
  for (int i = 0; i < m->n; i++) {
    const char *path = m->request[i].source ? m->request[i].source : "";
    m->code[i] = refusal_of(epi_pool_text(&m->d.pool, "%s is code: compile and load it, and give its model to epi_case_of", path));
  }
  return m->d.pool.out ? REFUSED : 0;
}

static epi_file *begin(const char *path, const epi_name *names)
{
  static const char none[] = "out of memory: the file could not be read; close other programs, or read a smaller one";
  epi_file *m = calloc(1, sizeof *m);
  if (!m) return NULL;
  m->d.names = names;
  m->d.path = epi_pool_text(&m->d.pool, "%s", path);
  m->out = (epi_sentence){.key = "", .words = none, .text = none};
  return m;
}

/* bad: the document could not be had */
static epi_file *finish(epi_file *m, int bad)
{
  if (bad || epi_file_understand(m) || prepare_code(m)) m->n = 0;
  m->wrong = refusal_of(epi_file_sentences(m) ? epi_file_sentence(m, 0)->text :
                        "there is no run of this number in the file: see epi_file_runs");
  return m;
}

/* names of another header have another size */
static int foreign(epi_file *m, const epi_abi *abi, unsigned bytes)
{
  char why[320];
  if (bytes != EPI_FILE_BYTES) abi = NULL;
  return epi_abi_check(abi, why, sizeof why) ? epi_document_wrong_at(&m->d, 0, "%s", why) : 0;
}

epi_file *epi_file_read_given_abi(const char *path, const epi_name *names, const char *const *given, const epi_abi *abi, unsigned bytes)
{
  epi_file *m = begin(path, names);
  if (!m) return NULL;
  m->d.given = given;
  finish(m, foreign(m, abi, bytes) || epi_document_open(&m->d, path));
  m->d.given = NULL;
  return m;
}

epi_file *epi_file_read_named_abi(const char *path, const epi_name *names, const epi_abi *abi, unsigned bytes)
{
  return epi_file_read_given_abi(path, names, NULL, abi, bytes);
}

epi_file *epi_file_read_text_named_abi(const char *text, size_t size, const char *path, const epi_name *names, const epi_abi *abi,
                                       unsigned bytes)
{
  epi_file *m = begin(path, names);
  return m ? finish(m, foreign(m, abi, bytes) || epi_document_read(&m->d, text, size)) : NULL;
}

#undef epi_file_read
#undef epi_file_read_text
/* a program that was compiled before headers were compared calls these */
epi_file *epi_file_read(const char *path) { return epi_file_read_named_abi(path, NULL, NULL, 0); }
epi_file *epi_file_read_text(const char *text, size_t size, const char *path)
{
  return epi_file_read_text_named_abi(text, size, path, NULL, NULL, 0);
}

void epi_file_free(epi_file *m)
{
  if (!m) return;
  epi_pool_free(&m->d.pool);
  free(m);
}

/* ---- looking ---- */
static const epi_sentence no_file = {.key = "", .words = "out of memory", .text = "out of memory"};

int epi_file_sentences(const epi_file *m) { return !m || m->d.pool.out ? 1 : m->d.wrong < SENTENCES ? m->d.wrong : SENTENCES; }

epi_cause epi_file_cause(const epi_file *m)
{
  return !m || m->d.pool.out ? EPI_MEMORY : m->d.wrong ? EPI_REQUEST : EPI_NO_CAUSE;
}

const epi_sentence *epi_file_sentence(const epi_file *m, int i)
{
  if (i < 0 || i >= epi_file_sentences(m)) return NULL;
  return !m ? &no_file : m->d.pool.out ? &m->out : &m->d.said[i];
}

const char *epi_file_also(const epi_file *m, int i)
{
  const also *one = m ? m->d.also : NULL;
  for (; one && i > 0; i--) one = one->before;
  return one && i == 0 ? one->path : NULL;
}

const char *epi_file_note(const epi_file *m, int i)
{
  const note *one = m && !m->d.pool.out ? m->d.notes : NULL;
  for (; one && i > 0; i--) one = one->next;
  return one && i == 0 ? one->text : NULL;
}

int epi_file_runs(const epi_file *m) { return m ? m->n : 0; }
const epi_request *epi_file_request(const epi_file *m, int run) { return run >= 0 && run < epi_file_runs(m) ? &m->request[run] : NULL; }
const char *epi_file_title(const epi_file *m) { return m ? m->keys.title : NULL; }
const char *epi_file_compare(const epi_file *m) { return m ? m->keys.compare : NULL; }
const char *epi_file_report(const epi_file *m) { return m ? m->keys.report : NULL; }

/* ---- cases and flows ---- */
epi_case *epi_file_case(const epi_file *m, int run)
{
  const epi_request *p = epi_file_request(m, run);
  if (!p) return m ? epi_case_of(&m->wrong.model, NULL) : NULL;
  const char *options = strchr(p->model, '(');
  epi_case *c = p->world ? epi_case_of(p->world, options) : p->source ? epi_case_of(&m->code[run].model, NULL) : epi_case_make(p->model);
  if (!c || c->error[0] || (m->d.names && epi_case_names(c, m->d.names))) return c;
  if (!isnan(p->step)) c->step = p->step;
  if (!isnan(p->end)) c->end = p->end;
  return c;
}

/* does the model take this flow? 1: yes; -1: memory is out */
static int takes(epi_case *c, const char *flow)
{
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  if (!epi_error(f)) epi_run(f, &s, s.t, c->step);
  int answer = !epi_error(f) ? 1 : epi_cause_of(f) == EPI_MEMORY ? -1 : 0;
  epi_free(f);
  return answer;
}

size_t epi_flow_within(epi_case *c, const char *flow, double tol, char *out, size_t size)
{
  static const char *const ways[] = {"dop853", "herk4", "verlet", "semi(model.contacts, model.stiff)"};
  enum { WAYS = sizeof ways/sizeof *ways };
  epi_number e = epi_shortest(tol);
  char way[160];
  for (int i = 0; !flow; i++) {
    snprintf(way, sizeof way, "tolerance(%s, rtol=%s, atol=%s)", ways[i], e.text, e.text);
    int fits = takes(c, way);
    if (fits < 0) return 0;
    if (fits || i + 1 == WAYS) return (size_t)snprintf(out, size, "%s", way);
  }
  return (size_t)snprintf(out, size, "tolerance(%s, rtol=%s, atol=%s)", flow, e.text, e.text);
}

epi_flow *epi_file_flow(const epi_file *m, int run, epi_case *c)
{
  const epi_request *p = epi_file_request(m, run);
  if (!p || !c || c->error[0] || isnan(p->tol)) return epi_case_flow(c, p ? p->flow : NULL);
  char few[200], *many = NULL;
  size_t n = epi_flow_within(c, p->flow, p->tol, few, sizeof few);
  /* of a long flow of the user's nothing has to be tried: it is there or it is not */
  if (n >= sizeof few && (many = malloc(n + 1))) epi_flow_within(c, p->flow, p->tol, many, n + 1);
  epi_flow *f = n < sizeof few ? epi_case_flow(n ? c : NULL, few) : epi_case_flow(many ? c : NULL, many);
  free(many);
  return f;
}
