/* holds: numbers outside the range of an option or parameter are refused by its name, at both ends */
#include "epicycle.h"
#include "test.h"

static int is_open(const epi_range *r, unsigned end) { return (r->open & end) != 0; }
static int bounded(const epi_range *r) { return r->least != 0 || r->most != 0 || r->open; }

/* the numbers nearest outside: below, and above where there is an upper end; how many there are */
static int outside(const epi_param *p, double x[2])
{
  const epi_range *r = &p->range;
  x[0] = is_open(r, EPI_ABOVE) ? r->least : r->least - 1;
  x[1] = is_open(r, EPI_BELOW) ? r->most : r->most + 1;
  return r->most < EPI_UNBOUNDED ? 2 : 1;
}

static void texts(void)
{
  static const struct { epi_range range; const char *text; } list[] = {
    {{0}, ""}, {EPI_POSITIVE, "> 0"}, {EPI_NOT_NEGATIVE, ">= 0"}, {{2, 12, 0, NULL}, "2 to 12"},
    {{1e-14, EPI_UNBOUNDED, 0, NULL}, ">= 1e-14"},
    {{0, 1, EPI_ABOVE, NULL}, "> 0, <= 1"}, {{0, 1, EPI_BELOW, NULL}, ">= 0, < 1"}, {{0, 1, EPI_ABOVE | EPI_BELOW, NULL}, "> 0, < 1"}};
  char room[64];
  for (size_t i = 0; i < sizeof list/sizeof *list; i++) check_text(epi_range_text(&list[i].range, room, sizeof room), list[i].text);
}

/* a default may stand for "found" where it is zero */
static void sound(const epi_param *p)
{
  const epi_range *r = &p->range;
  check(!p->words && p->kind != EPI_WORD);
  check(r->least < r->most);
  check(p->value == 0 || (p->value >= r->least && p->value <= r->most));
}

static void records(void)
{
  char text[200], words[200];
  int n = 0;
  double x[2];
  epi_case *c = epi_case_make("pendulum");
  for (const epi_record *const *e = epi_records(); *e; e++)
    for (const epi_param *p = (*e)->params; p && p->name; p++) {
      if (!bounded(&p->range)) continue;
      sound(p);
      for (int i = outside(p, x) - 1; i >= 0; i--) {
        int arrow = (*e)->arrow, flow = arrow == EPI_WRAPPER || arrow == EPI_AVERAGE, system = arrow == EPI_AVERAGE || arrow == EPI_COMBINE;
        const char *inside = flow ? "verlet" : (*e)->least == 2 ? "model, model" : "model";
        snprintf(text, sizeof text, system ? "verlet(%s(%s, %s=%.17g))" : "%s(%s, %s=%.17g)", (*e)->name, inside, p->name, x[i]);
        snprintf(words, sizeof words, "%s: %s is %g", (*e)->name, p->name, x[i]);
        epi_flow *f = epi_case_flow(c, text);
        check_has(epi_error(f), words);
        epi_free(f);
        n++;
      }
    }
  epi_case_free(c);
  printf("%d numbers outside of options\n", n);
  check(n > 40);
}

static void models(void)
{
  char text[200], words[200];
  int n = 0;
  double x[2];
  for (const epi_model *const *m = epi_models(); *m; m++)
    for (const epi_param *p = (*m)->params; p && p->name; p++) {
      if (!bounded(&p->range)) continue;
      sound(p);
      for (int i = outside(p, x) - 1; i >= 0; i--) {
        snprintf(text, sizeof text, "%s(%s=%.17g)", (*m)->name, p->name, x[i]);
        snprintf(words, sizeof words, "%s: %s = %g", (*m)->name, p->name, x[i]);
        epi_case *c = epi_case_make(text);
        check_has(c->error, words);
        epi_case_free(c);
        n++;
      }
    }
  printf("%d numbers outside of parameters\n", n);
  check(n > 100);
}

int main(void)
{
  texts();
  records();
  models();
  return test_done();
}
