/* holds: no decision depends on the words of a message: with unreadable messages every choice is the same, to the last evaluation
 * garbled.c - nothing is decided by the words of a message: choices with all messages made unreadable are the same choices, to the last
 * evaluation. label: once. thorough: all */
#include "core/letters.h"
#include "test.h"

/* ---- this copy of sentence.c is linked instead of that of the library: no letter of a message is left, where that is switched on ---- */
static int garbles;

static void garbled_words(char *out, size_t size, const char *words, va_list ap)
{
  epi_clean_words(out, size, words, ap);
  for (char *c = out; garbles && size && *c; c++) if ((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z')) *c = 'x';
}
#define epi_clean_words garbled_words
#include "core/sentence.c"
#undef epi_clean_words

/* ---- choices ---- */
typedef struct { epi_chosen a; int bad; } choice;

static int choose(const char *model, double tol, choice *x)
{
  epi_case *c = epi_case_make(model);
  x->a = (epi_chosen){.tol = tol, .end = c->end, .most = 2e6};
  x->bad = epi_choose(c, &x->a);
  epi_case_free(c);
  return x->bad;
}

/* where both are no number they are the same */
static void same(double a, double b) { check_bits(1, &a, &b); }

static void hold(const char *model, double tol)
{
  static choice plain, garbled;
  garbles = 0;
  choose(model, tol, &plain);
  garbles = 1;
  choose(model, tol, &garbled);
  garbles = 0;
  const epi_chosen *a = &plain.a, *b = &garbled.a;
  int right = plain.bad == garbled.bad && a->spent == b->spent && a->ways == b->ways && !strcmp(a->flow, b->flow);
  if (!right) printf("%s to %g: %s %s %ld, garbled %s %s %ld\n", model, tol, plain.bad ? a->error : "", a->flow, a->spent,
                     garbled.bad ? "refused" : "", b->flow, b->spent);
  check_count(garbled.bad, plain.bad);
  check_text(b->flow, a->flow);
  check_count(b->spent, a->spent);
  check_count(b->cause, a->cause);
  check_count(b->breaks, a->breaks);
  check_count(b->dear, a->dear);
  check_count(b->slow_part, a->slow_part);
  check_count(b->ways, a->ways);
  same(b->found, a->found);
  for (int i = 0; i < a->ways && i < b->ways; i++) {
    check_text(b->way[i].flow, a->way[i].flow);
    check_count(b->way[i].cause, a->way[i].cause);
    same(b->way[i].calls, a->way[i].calls);
  }
}

/* it is switched: a refusal without a letter, and its cause */
static void switched(void)
{
  epi_case *c = epi_case_make("kepler");
  garbles = 1;
  epi_flow *f = epi_case_flow(c, "verlet(hmm)");
  garbles = 0;
  check(epi_error(f) && !strchr(epi_error(f), 'e'));
  check_count(epi_cause_of(f), EPI_COMPOSITION);
  epi_free(f);
  epi_case_free(c);
}

int main(int argc, char **argv)
{
  /* large ones cost too much, and are of the same kinds */
  static const char *const large[] = {"bearing", "roller-bearing", "stack", "rod-chain"};
  static const struct { const char *model; double tol; } told[] = {
    {"inverted-pendulum(w=1e7)", 1e-8}, {"inverted-pendulum(w=1e5)", 1e-8}, {"double-pendulum(w=1e4)", 1e-8}, {"kepler(e=0.9999)", 1e-8},
    {"van-der-pol(mu=5)", 1e-4}, {"stiff-springs(w1=1e4)", 1e-4}, {"stiff-springs(case=iii)", 1e-4}, {"spring-pendulum(k=1e9)", 1e-4},
    {"kepler(e=1.5)", 1e-4}, {"kepler(e=0.6)", 1e-15}, {"pendulum", 2}};
  const int all = argc > 1;
  (void)argv;
  switched();
  for (size_t i = 0; i < sizeof told/sizeof *told; i++) hold(told[i].model, told[i].tol);
  for (const epi_model *const *m = epi_models(); *m; m++) {
    int skip = 0;
    for (size_t i = 0; i < sizeof large/sizeof *large; i++) skip |= !strcmp((*m)->name, large[i]);
    if (skip) continue;
    hold((*m)->name, 1e-3);
    hold((*m)->name, 1e-6);
    if (all) hold((*m)->name, 1e-9);
  }
  return test_done();
}
