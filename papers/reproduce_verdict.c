/* reproduce_verdict.c - published against computed: to the printed digits, or as the label of the entry says.
 * A label excuses only what it describes: each one has a rule of its own, and an entry beyond it differs. */
#include "papers.h"
#include <math.h>
#include <string.h>

/* the computed value, rounded to the printed digits, is the published one */
static int rounds(const entry *e) { return fabs(e->computed - e->published) <= 0.5*e->unit*(1 + 1e-9); }

/* ... cut off instead of rounded */
static int cuts(const entry *e) { return floor(fabs(e->computed)/e->unit*(1 + 1e-12)) == round(fabs(e->published)/e->unit); }

static int near(const entry *e) { return fabs(e->computed - e->published) <= e->within*fabs(e->published); }

/* the published one is an ordinary member of the ensemble */
static int ordinary(const entry *e) { return fabs(e->computed - e->published) <= e->within*e->spread; }

struct label {
  const char *name;
  int (*holds)(const entry *);
  int bound;                           /* its rule reads `within` */
  int always;                          /* the label stays even where the digits agree */
};
static const label LABELS[] = {
  {.name = "agrees", .holds = rounds},
  {.name = "accident", .holds = rounds, .always = 1},
  {.name = "by formula", .holds = rounds, .always = 1},
  {.name = "truncated", .holds = cuts},
  {.name = "misprint", .holds = near, .bound = 1},
  {.name = "predictor", .holds = near, .bound = 1},
  {.name = "round-off", .holds = near, .bound = 1},
  {.name = "inexact", .holds = near, .bound = 1},
  {.name = "machine", .holds = near, .bound = 1, .always = 1},
  {.name = "rounding-chaos", .holds = ordinary, .bound = 1, .always = 1},
  {0}
};

const char *const AGREES = "agrees", *const DIFFERS = "differs", *const SHOWN = "-", *const BROKE = "failed";

const label *label_of(const char *word)
{
  const label *l = LABELS;
  while (l->name && strcmp(l->name, word)) l++;
  return l->name ? l : NULL;
}

const char *label_after(const char *word)
{
  const label *l = label_of(word);
  return l ? l[1].name : LABELS[0].name;
}

int label_needs_bound(const label *l) { return l->bound; }

int verdict_ink(const char *verdict)
{
  return verdict == AGREES || !strcmp(verdict, "true") ? GREEN : verdict == DIFFERS || verdict == BROKE ? RED : PLAIN;
}

const char *verdict_of(const entry *e)
{
  if (e->failure) return BROKE;
  if (!e->text[0]) return SHOWN;
  if (!e->expected->always && rounds(e)) return AGREES;
  return e->expected->holds(e) ? e->expected->name : DIFFERS;
}
