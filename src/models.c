/* models.c - models by name: the list, and cases made of them */
#include "case.h"
#include <ctype.h>
#include <stdio.h>

/* one line each; a new model is added here */
#define ALL(X)                                                                                                              \
  X(PENDULUM) X(INVERTED_PENDULUM) X(AVERAGED_PENDULUM) X(KEPLER) X(ROTOR) X(VAN_DER_POL) X(STIFF_SPRINGS) X(SPRING_CHAIN) \
  X(TWO_OSCILLATORS) X(DOUBLE_PENDULUM) X(AVERAGED_DOUBLE_PENDULUM) X(ROD_CHAIN) X(BOUNCE) X(BILLIARD) X(OSCILLATOR)       \
  X(MAGNETIC_PENDULUM) X(RIGID_BODY) X(HEAVY_TOP) X(BEARING) X(ROLLER_BEARING) X(SLIDER_CRANK) X(FOUR_BAR) X(CRADLE)        \
  X(DROP) X(ROLLING_SPHERE) X(ROD_PENDULUM) X(STACK) X(SPRING_PENDULUM)

#define DECLARE(ID) extern EPI_INSIDE const epi_model epi_##ID;
#define LIST(ID) &epi_##ID,
ALL(DECLARE)

static const epi_model *const MODELS[] = {ALL(LIST) NULL};
enum { COUNT = sizeof MODELS/sizeof *MODELS - 1 };

const epi_model *const *epi_models(void) { return MODELS; }

static size_t name_length(const char *text)
{
  size_t n = 0;
  while (isalnum((unsigned char)text[n]) || text[n] == '-' || text[n] == '_') n++;
  return n;
}

static const epi_model *find(epi_case *c, const char *name, size_t length)
{
  for (int i = 0; i < COUNT; i++) {
    const char *one = MODELS[i]->name;
    if (strlen(one) == length && !memcmp(one, name, length)) return MODELS[i];
  }
  if (!length) {
    epi_case_refuse(c, "no model is named: begin with a name, as in \"kepler(e=0.6)\"");
    return NULL;
  }
  char word[64];
  snprintf(word, sizeof word, "%.*s", length < sizeof word ? (int)length : (int)sizeof word - 1, name);
  epi_near near = epi_near_to(word);
  for (int i = 0; i < COUNT; i++) epi_near_try(&near, MODELS[i]->name);
  if (near.best) epi_case_refuse(c, "no model is called '%s'; did you mean %s?", word, near.best);
  else epi_case_refuse(c, "no model is called '%s': `epicycle list` prints their names", word);
  return NULL;
}

static int make(epi_case *c, const char *text)
{
  const char *name = text;
  while (isspace((unsigned char)*name)) name++;
  size_t length = name_length(name);
  c->model = find(c, name, length);
  return c->model ? epi_case_fill(c, text, name + length) : -1;
}

epi_case *epi_case_make_abi(const char *text, const epi_abi *abi)
{
  epi_case *c = calloc(1, sizeof *c);
  return c ? epi_case_made(c, epi_abi_check(abi, c->error, sizeof c->error) || make(c, text ? text : "")) : NULL;
}

#undef epi_case_make
/* a program that was compiled before headers were compared calls this */
epi_case *epi_case_make(const char *text)
{
  (void)text;
  return epi_case_make_abi(NULL, NULL);
}
