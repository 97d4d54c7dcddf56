/* fast.c - the oscillating solution y(t) beside the slow one Y(t), a pure function of t and Y(t), so that a run in parts gives the same
 * rows
 *
 * strobe: y = Y at whole periods from the start. Y is taken back to the last of these before t by one short step of the slow
 * system, and from there the micro flow runs to t. hmm: q = Q, and v is the lift of the slow velocity to the phase at t. */
#include "recorder.h"

static const double TURN = 2*EPI_PI;

struct epi_fast {
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
  epi_info_option(i, "period", &s->period);
  epi_info_option(i, "theta0", &s->theta0);
}

/* ---- making ---- */
static epi_flow *part(epi_case *c, const char *words, const char *from, size_t length)
{
  char *piece = epi_printed("%.*s", (int)length, from), *all = piece ? epi_printed("%s%s%s", words, piece, *words ? ")" : "") : NULL;
  epi_flow *f = all ? epi_case_flow(c, all) : epi_case_flow(NULL, NULL);
  free(piece);
  free(all);
  return f;
}

/* the root of the flow that goes back */
static void root_claims(void *claims, const epi_info *i)
{
  if (!i->depth) *(unsigned *)claims = i->claims;
}

typedef struct reason { char *text; size_t size; } reason;

/* 0, or the sentence why not */
static int make_strobe(epi_fast *a, const epi_flow *tree, const char *strobe, reason why)
{
  const epi_system *m = &a->c->system;
  found s = {.period = a->period, .theta0 = m->theta0};
  const char *micro = strobe + strlen("strobe(");
  unsigned claims = 0;
  epi_walk(tree, look, &s);
  a->period = s.period;
  a->theta0 = s.theta0;
  a->back = part(a->c, m->nc ? "herk4(" : "rk4(", strobe, until(strobe, ",)"));
  a->micro = part(a->c, "", micro, until(micro, ",)"));
  if (epi_error(a->back) || epi_error(a->micro))
    return snprintf(why.text, why.size, "fast: %s", epi_error(epi_error(a->back) ? a->back : a->micro)), -1;
  epi_walk(a->back, root_claims, &claims);
  if (claims & EPI_BACKWARD) return 0;
  return snprintf(why.text, why.size,
                  "fast goes back to the last whole period, and this slow system cannot run backward: take strobe of order 2 or more"), -1;
}

static int make(epi_fast *a, const epi_flow *tree, const char *text, reason why)
{
  const epi_system *m = &a->c->system;
  const char *strobe = average_in(text, "strobe"), *hmm = average_in(text, "hmm");
  a->period = m->period > 0 ? m->period : m->phase_rate != 0 ? TURN/fabs(m->phase_rate) : 0;
  if (!strobe && !hmm)
    return snprintf(why.text, why.size,
                    "fast needs a flow with a strobe or hmm average: %s moves the oscillating solution itself", text), -1;
  if (m->phase_rate_at)
    return snprintf(why.text, why.size, "fast needs a constant fast period, and that of this model changes: leave it out"), -1;
  if (strobe && (!hmm || strobe < hmm)) {
    if (make_strobe(a, tree, strobe, why)) return -1;
  } else if (!m->lift)
    return snprintf(why.text, why.size,
                    "fast: the filtered variables of hmm have no phase, and %s has no lift that gives them one: take a strobe average",
                    a->c->model->name), -1;
  return a->period > 0 ? 0 : (snprintf(why.text, why.size, "fast does not know the fast period: give strobe its period"), -1);
}

epi_fast *epi_fast_make(epi_case *c, const epi_flow *tree, const char *text, double start, char *why, size_t size)
{
  epi_fast *a = malloc(sizeof *a);
  if (!a) {
    snprintf(why, size, "out of memory: the oscillating solution could not be made");
    return NULL;
  }
  *a = (epi_fast){.c = c, .start = start, .theta0 = c->theta};
  if (!make(a, tree, text, (reason){why, size})) return a;
  epi_fast_free(a);
  return NULL;
}

void epi_fast_free(epi_fast *a)
{
  if (!a) return;
  epi_free(a->back);
  epi_free(a->micro);
  free(a);
}

const char *epi_fast_error(const epi_fast *a)
{
  if (!a || !a->micro) return NULL;
  return epi_error(a->back) ? epi_error(a->back) : epi_error(a->micro);
}

/* ---- at the time of a row ---- */
/* what has passed of the period at t; a rounding error before the next one counts as it */
static double passed(const epi_fast *a, double t)
{
  double r = fmod(t - a->start, a->period);
  return a->period - r < 1e-6*a->period || r < 1e-6*a->period ? 0 : r;
}

int epi_fast_at(epi_fast *a, const epi_state *slow, double *y)
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
