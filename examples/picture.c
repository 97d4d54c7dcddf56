/* picture.c - the picture of the README, as SVG on standard output: a vibrated pendulum resolved, and its slow motion averaged */
#include <epicycle.h>
#include <math.h>

static double x_of(double t) { return 50 + 600*t; }
static double y_of(double q) { return 150 - 210*q; }

static void path(const char *model, const char *flow, double step, int points, const char *style)
{
  epi_case *c = epi_case_make(model);
  epi_flow *f = epi_case_flow(c, flow);
  epi_state s = epi_case_state(c);
  printf("<path fill='none' %s d='M%.1f %.2f", style, x_of(0), y_of(s.y[0]));
  for (int k = 1; k <= points; k++) {
    if (epi_run(f, &s, (double)k/points, step)) fprintf(stderr, "%s\n", epi_error(f));
    printf(" L%.1f %.2f", x_of(s.t), y_of(s.y[0]));
  }
  printf("'/>\n");
  epi_free(f);
  epi_case_free(c);
}

int main(void)
{
  const char *model = "inverted-pendulum(w=400, vmax=4)";
  puts("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 700 310' font-family='sans-serif' font-size='13'>");
  puts("<rect width='700' height='310' fill='white'/>");
  for (int k = -1; k <= 1; k++)
    printf("<line x1='50' x2='650' y1='%.0f' y2='%.0f' stroke='#ddd'/><text x='42' y='%.0f' text-anchor='end' fill='#555'>%g</text>\n",
           y_of(0.5*k), y_of(0.5*k), y_of(0.5*k) + 4, 0.5*k);
  path(model, "symmetric(verlet, order=8)", 2*3.14159265/400/16, 3000, "stroke='#e08214' stroke-width='1'");
  path(model, "symmetric(verlet(hmm(symmetric(verlet), steps=12, kernel=box, even=1)))", 1.0/64, 128,
       "stroke='#2166ac' stroke-width='2.5'");
  puts("<text x='350' y='300' text-anchor='middle' fill='#333'>one second</text>");
  puts("<text x='56' y='20' fill='#333'>angle from upright (rad): <tspan fill='#e08214'>every vibration resolved</tspan>, "
       "<tspan fill='#2166ac'>the slow motion alone</tspan></text>");
  puts("</svg>");
  return 0;
}
