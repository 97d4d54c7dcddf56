/* fast.c - the oscillating solution y(t) beside the slow one Y(t), a pure function of t and Y(t), so that a run in parts gives the same rows
 *
 * strobe: y = Y at whole periods from the start. Y is taken back to the last of these before t by one short step of the slow
 * system, and from there the micro flow runs to t. hmm: q = Q, and v is the lift of the slow velocity to the phase at t. */
#include "tool.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TURN = 2*3.14159265358979323846;

struct fast {
  epi_case *c;
  epi_flow *back, *micro;              /* strobe; both NULL for hmm */
  double start, period, theta0;
};

/* ---- the average in a text ---- */
/* "strobe(...)" or "hmm(...)", the outermost, as it stands in the library's own writing; NULL if there is none */
static const char *average_in(const char *flow, const char *name)
{
  size_t n = strlen(name);
  for (const char *at = strstr(flow, name); at; at = strstr(at + 1, name))
    if ((at == flow || strchr("(, ", at[-1])) && at[n] == '(') return at;
  return NULL;
}

/* length of what stands before the comma or bracket that ends it */
static size_t until(const char *from, const char *stop)
{
  size_t i = 0;
  for (int depth = 0; from[i] && (depth || !strchr(stop, from[i])); i++)
    depth += (from[i] == '(' || from[i] == '[') - (from[i] == ')' || from[i] == ']');
  return i;
}

/* for epi_walk: the first strobe from the root */
typedef struct found { double period, theta0; int n; } found;
static void look(void *to, const epi_info *i)
{
  found *s = to;
  if (strcmp(i->record->name, "strobe") || s->n++) return;
  node_option(i, "period", &s->period);
  node_option(i, "theta0", &s->theta0);
}

/* ---- making ---- */
static epi_flow *part(const job *j, const char *words, const char *from, size_t length)
{
  char *all = text(words, (int)length, from);
  epi_flow *f = epi_case_flow(j->c, all);
  free(all);
  return f;
}

/* NULL, or the sentence why not */
static char *make_strobe(fast *a, const job *j, const char *strobe)
{
  const epi_system *m = &j->c->system;
  found s = {.period = a->period, .theta0 = m->theta0};
  const char *micro = strobe + strlen("strobe(");
  unsigned claims = 0;
  epi_walk(j->tree, look, &s);
  a->period = s.period;
  a->theta0 = s.theta0;
  a->back = part(j, m->nc ? "herk4(%.*s)" : "rk4(%.*s)", strobe, until(strobe, ",)"));
  a->micro = part(j, "%.*s", micro, until(micro, ",)"));
  if (epi_error(a->back) || epi_error(a->micro)) return text("--fast: %s", epi_error(epi_error(a->back) ? a->back : a->micro));
  epi_walk(a->back, root_claims, &claims);
  if (!(claims & EPI_BACKWARD))
    return text("--fast goes back to the last whole period, and this slow system cannot run backward: take strobe of order 2 or more");
  return NULL;
}

static char *make(fast *a, const job *j)
{
  const epi_system *m = &j->c->system;
  const char *strobe = average_in(j->text, "strobe"), *hmm = average_in(j->text, "hmm");
  *a = (fast){.c = j->c, .start = j->start, .theta0 = j->c->theta};
  a->period = m->period > 0 ? m->period : m->phase_rate != 0 ? TURN/fabs(m->phase_rate) : 0;
  if (!strobe && !hmm) return text("--fast needs a flow with a strobe or hmm average: %s moves the oscillating solution itself", j->text);
  if (m->phase_rate_at) return text("--fast needs a constant fast period, and that of this model changes: leave it out");
  if (strobe && (!hmm || strobe < hmm)) {
    char *why = make_strobe(a, j, strobe);
    if (why) return why;
  } else if (!m->lift)
    return text("--fast: the filtered variables of hmm have no phase, and %s has no lift that gives them one: take a strobe average",
                j->c->model->name);
  return a->period > 0 ? NULL : text("--fast does not know the fast period: give strobe its period");
}

fast *fast_make(const job *j, char **why)
{
  fast *a = need(sizeof *a);
  *why = make(a, j);
  if (!*why) return a;
  fast_free(a);
  return NULL;
}

void fast_free(fast *a)
{
  if (!a) return;
  epi_free(a->back);
  epi_free(a->micro);
  free(a);
}

const char *fast_error(const fast *a)
{
  if (!a || !a->micro) return NULL;
  return epi_error(a->back) ? epi_error(a->back) : epi_error(a->micro);
}

/* ---- at the time of a row ---- */
/* what has passed of the period at t; a rounding error before the next one counts as it */
static double passed(const fast *a, double t)
{
  double r = fmod(t - a->start, a->period);
  return a->period - r < 1e-6*a->period || r < 1e-6*a->period ? 0 : r;
}

int fast_at(fast *a, const epi_state *slow, double *y)
{
  epi_system *m = &a->c->system;
  double r = passed(a, slow->t);
  memcpy(y, slow->y, (size_t)epi_size(m)*sizeof *y);
  if (!a->micro) return m->lift(m, slow->t, a->theta0 + TURN*r/a->period, slow->y, slow->y + m->nq, y + m->nq);
  if (r == 0) return 0;
  epi_state s = {.t = slow->t, .y = y};
  int bad = epi_advance(a->back, &s, -r, 1);
  s = (epi_state){.t = slow->t - r, .theta = a->theta0, .y = y};
  return bad ? bad : epi_advance(a->micro, &s, r, 1);
}
