/* holds: motions made of + - * / and sqrt have the same bits on every machine, the rest agree to 1e-12
 * bits.c - the motion of every model by every flow, to be compared between machines
 *
 *   bits              prints the model, the flow, and the state after some steps, every number in hexadecimal
 *   bits FILE         computes the same again and compares it with what was printed into FILE: what is made of + - * / and sqrt alone
 *                     has the same bits, and what goes through libm agrees to 1e-12 while no chaos has magnified it
 * label: plain */
#include <epicycle.h>
#include <epicycle/model.h>
#include "test.h"

enum { EXACT_STEPS = 100, NEAR_STEPS = 2, WIDTH = 1 << 16 };

/* models whose forces and constants are made of + - * / and sqrt */
static const char *const exact_models[] = {
  "kepler", "van-der-pol", "stiff-springs", "spring-chain", "two-oscillators", "averaged-double-pendulum", "rod-chain", "bounce",
  "billiard",
  "oscillator", "slider-crank", "rolling-sphere", "rod-pendulum", "spring-pendulum", NULL
};
/* flows that ask libm: a power for the next step, logarithms and arctangents of objectives, exponentials of kernels, sines of
   Fourier series */
static const char *const libm_flows[] = {"tolerance(", "adams(", "density(", "hmm(", "variational(", "picard", NULL};

static int exact(const char *model, const char *flow)
{
  int i = 0;
  while (exact_models[i] && strcmp(exact_models[i], model)) i++;
  for (int k = 0; libm_flows[k]; k++) if (strstr(flow, libm_flows[k])) return 0;
  return exact_models[i] != NULL;
}

/* the start on a coarse grid: it came through sines, whose last digit is the machine's */
static void round_start(int n, double *y)
{
  for (int i = 0; i < n; i++) y[i] = rint(ldexp(y[i], 24))/16777216.0;
}

static int size_of(const epi_system *s) { return s->nq + (s->nv ? s->nv : s->nq) + s->nz; }

static void add(char *out, const char *fmt, double x)
{
  size_t n = strlen(out);
  snprintf(out + n, WIDTH - n, fmt, x);
}

/* a small one of what takes long */
static const char *text_of(const char *model) { return strcmp(model, "roller-bearing") ? model : "roller-bearing(Z=4, slices=3)"; }

/* one line: the time and the state, or the sentence of the refusal or of the failure */
static void run(const char *model, const char *flow, char *out)
{
  epi_case *c = epi_case_make(text_of(model));
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  int n = size_of(&c->system);
  snprintf(out, WIDTH, "%s | %s |", model, flow);
  if (!epi_error(f)) {
    /* short steps where digits are compared: a method beyond its stability magnifies them */
    int same = exact(model, flow);
    if (same) round_start(n, s.y);
    if (!epi_settle(f, &s)) epi_advance(f, &s, same ? c->step : c->step/100, same ? EXACT_STEPS : NEAR_STEPS);
  }
  if (epi_error(f)) snprintf(out + strlen(out), WIDTH - strlen(out), " %s", epi_error(f));
  else {
    add(out, " %a", s.t);
    for (int i = 0; i < n; i++) add(out, " %a", s.y[i]);
  }
  epi_free(f);
  epi_case_free(c);
}

/* both moved, and no number is further away than 1e-12 of the largest; or neither did */
static int agree(const char *a, const char *b)
{
  char *end_a, *end_b;
  double worst = 0, size = 1;
  a = strrchr(a, '|') + 1;
  b = strrchr(b, '|') + 1;
  for (;; a = end_a, b = end_b) {
    double x = strtod(a, &end_a), y = strtod(b, &end_b);
    if (end_a == a || end_b == b) break;
    worst = fmax(worst, fabs(x - y));
    size = fmax(size, fabs(x));
  }
  return (end_a == a) == (end_b == b) && worst <= 1e-12*size;
}

static int compare(const char *model, const char *flow, const char *mine, const char *other)
{
  if (exact(model, flow) ? !strcmp(mine, other) : agree(mine, other)) return check(1);
  if (!test_quiet()) printf("here %.400s\nthere %.400s\n", mine, other);
  return check(!"the same on both machines");
}

int main(int argc, char **argv)
{
  static char line[WIDTH], other[WIDTH];
  FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
  long same = 0;
  if (argc > 1 && !file) test_stop("the file cannot be read");
  for (const epi_model *const *m = epi_models(); *m; m++)
    for (const epi_record *const *r = epi_records(); *r; r++) {
      /* these two stand on another library */
      if (!strcmp((*r)->name, "cvode") || !strcmp((*r)->name, "arkode")) continue;
      run((*m)->name, (*r)->example, line);
      if (!file) { puts(line); continue; }
      if (!fgets(other, sizeof other, file)) test_stop("the file ends too early");
      other[strcspn(other, "\n")] = 0;
      same += exact((*m)->name, (*r)->example) && strstr(line, " 0x") != NULL;
      compare((*m)->name, (*r)->example, line, other);
    }
  if (!file) return 0;
  fclose(file);
  printf("%ld motions have the same bits\n", same);
  check_above((double)same, 200);
  return test_done();
}
