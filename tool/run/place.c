/* place.c - the notes of a checkpoint, looked at before anything is done with them: every number must be one that a run can have left */
#include "tool.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* COUNT: whole; AMOUNT: finite; VALUE: any number, also none; LEDGER: what invariants.c writes; SENTENCE: without control characters */
typedef enum { COUNT, AMOUNT, VALUE, LEDGER, SENTENCE } kind;
typedef struct { const char *key; kind is; double least, most; } rule;

/* more than any run has, and far from what a long holds */
#define MANY 1e18
/* a key that ends with a point has a number or a name behind it */
static const rule rules[] = {
  {"step", AMOUNT, 0, HUGE_VAL}, {"end", AMOUNT, -HUGE_VAL, HUGE_VAL}, {"every", AMOUNT, -HUGE_VAL, HUGE_VAL},
  {"pause", AMOUNT, 0, HUGE_VAL},
  {"run", COUNT, 0, 1e6}, {"pictures", COUNT, 0, 1}, {"sum", VALUE, 0, 0}, {"also-sum", VALUE, 0, 0}, {"with-sum", VALUE, 0, 0},
  {"build", AMOUNT, 0, MANY}, {"code", AMOUNT, 0, MANY}, {"with-code", AMOUNT, 0, MANY},
  {"out-sum", COUNT, 1, 2e19}, {"event-sum", COUNT, 1, 2e19},
  {"size", COUNT, 0, MANY}, {"event-bytes", COUNT, 0, MANY}, {"rows", COUNT, 1, MANY}, {"steps", COUNT, 0, MANY},
  {"pending", COUNT, 0, MANY}, {"last", AMOUNT, -HUGE_VAL, HUGE_VAL}, {"before", AMOUNT, -HUGE_VAL, HUGE_VAL},
  {"wall", AMOUNT, 0, HUGE_VAL}, {"error", VALUE, 0, 0}, {"warning.", SENTENCE, 0, 0}, {"drift.", LEDGER, 0, 0},
  {"events.", COUNT, 0, MANY/EPI_EVENT_KINDS}, {"events-first.", AMOUNT, -HUGE_VAL, HUGE_VAL},
  {"events-last.", AMOUNT, -HUGE_VAL, HUGE_VAL}, {"event-t.", AMOUNT, -HUGE_VAL, HUGE_VAL}, {"event-kind.", COUNT, 0, 1e6},
  {"event-direction.", COUNT, -1, 1}, {"status", SENTENCE, 0, 0}, {"choice.", SENTENCE, 0, 0},
  {"choice-x.", AMOUNT, -HUGE_VAL, HUGE_VAL}, {"unasked", COUNT, 0, 1}, {"step-error", AMOUNT, 0, 1},
};

static const rule *rule_of(const char *key, size_t n)
{
  for (size_t i = 0; i < sizeof rules/sizeof *rules; i++) {
    size_t m = strlen(rules[i].key);
    if ((n == m || (n > m && rules[i].key[m-1] == '.')) && !memcmp(rules[i].key, key, m)) return &rules[i];
  }
  return NULL;
}

static int sentence_wrong(const char *value)
{
  for (; *value; value++) if ((unsigned char)*value < ' ' || *value == 127) return 1;
  return 0;
}

static int value_wrong(const rule *r, const char *value)
{
  char *end;
  if (r->is == SENTENCE) return sentence_wrong(value);
  if (r->is == LEDGER) return !invariants_whole(value);
  double x = strtod(value, &end);
  if (end == value || *end) return 1;
  if (r->is == VALUE) return 0;
  return !isfinite(x) || x < r->least || x > r->most || (r->is == COUNT && x != floor(x));
}

int notes_wrong(const char *path, const char *notes)
{
  for (const char *line = notes; line && *line; ) {
    size_t n = strcspn(line, "=\n");
    const rule *r = line[n] == '=' ? rule_of(line, n) : NULL;
    char *key = text("%.*s", (int)(n < 40 ? n : 40), line), *value = r ? notes_find(line, key) : NULL;
    int bad = value && value_wrong(r, value);
    free(value);
    if (bad) say(REFUSED, "%s is damaged: '%s' in it is nothing that a run can have left there; run again", path, key);
    free(key);
    if (bad) return REFUSED;
    line = strchr(line, '\n');
    if (line) line++;
  }
  return 0;
}
