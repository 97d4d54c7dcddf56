/* tour.c - what `make run` shows: a pendulum that stands upside down because its pivot vibrates, followed with and without
 * resolving the vibrations */
#include <epicycle.h>
#include <math.h>
#include <string.h>
#include <time.h>

enum { ROWS = 17, COLUMNS = 64 };

static double seconds(void)
{
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec + 1e-9*(double)t.tv_nsec;
}

/* angles at COLUMNS times of [0, 1]; returns the number of force evaluations */
static long follow(const char *model, const char *flow, double step, double *angle, double *took)
{
  epi_case *c = epi_case_make(model);
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  double from = seconds();
  for (int k = 0; k < COLUMNS; k++) {
    angle[k] = s.y[0];
    if (epi_run(f, &s, (k + 1.0)/COLUMNS, step)) { printf("%s\n", epi_error(f)); break; }
  }
  *took = seconds() - from;
  long calls = epi_calls(f);
  epi_free(f);
  epi_case_free(c);
  return calls;
}

static void draw(const double *fine, const double *slow)
{
  char canvas[ROWS][COLUMNS + 1];
  memset(canvas, ' ', sizeof canvas);
  for (int k = 0; k < COLUMNS; k++) {
    int a = (int)lround((0.55 - slow[k])/1.1*(ROWS - 1)), b = (int)lround((0.55 - fine[k])/1.1*(ROWS - 1));
    canvas[a][k] = 'o';
    canvas[b][k] = a == b ? '*' : '.';
  }
  for (int r = 0; r < ROWS; r++) {
    canvas[r][COLUMNS] = 0;
    printf("  %5.2f |%s\n", 0.55 - 1.1*r/(ROWS - 1), canvas[r]);
  }
}

int main(void)
{
  static const struct { const char *what, *flow; double step; } runs[] = {
    {"every vibration resolved, order 8", "symmetric(verlet, order=8)", 2*3.14159265358979/1e6/8},
    {"averaged over a smooth window", "symmetric(verlet(hmm(symmetric(verlet, order=8), kernel=kaiser, steps=4)))", 1.0/64},
    {"averaged over half a period", "symmetric(verlet(hmm(symmetric(verlet, order=8), kernel=box, steps=4, even=1)))", 1.0/64},
  };
  const char *model = "inverted-pendulum(w=1e6)";
  double angle[3][COLUMNS], took;
  long calls[3];
  puts("A pendulum stands upside down: its pivot vibrates 159,155 times a second. How does it swing?\n");
  printf("  %-36s %15s %10s %12s\n", "", "evaluations", "seconds", "angle at 63/64");
  for (int k = 0; k < 3; k++) {
    calls[k] = follow(model, runs[k].flow, runs[k].step, angle[k], &took);
    printf("  %-36s %15ld %10.5f %12.6f\n", runs[k].what, calls[k], took, angle[k][COLUMNS - 1]);
  }
  printf("\n  angle in radians, one second; o averaged, . resolved, * both: the same slow motion, %ld times cheaper\n\n", calls[0]/calls[2]);
  draw(angle[0], angle[2]);
  printf("\n  The flows, as text:\n");
  for (int k = 0; k < 3; k++) printf("    epicycle run \"%s\" --flow \"%s\" --step %.9g\n", model, runs[k].flow, runs[k].step);
  return 0;
}
