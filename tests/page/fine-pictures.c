/* holds: runs with few rows are drawn by their own steps, as curves
 * fine-pictures.c - a flow that chooses its steps is drawn by them where rows are few: curves are curves; and where steps are too many to
   be kept, by its rows, with what passed between them */
#include "test.h"
#include "epicycle.h"

static epi_result *run(epi_case *c, const char *flow, double end, double every, int pictures)
{
  epi_result *r = epi_result_make(c, flow, &(epi_run_options){.step = end, .end = end, .every = every, .pictures = pictures});
  if (epi_result_run(r)) test_stop(r->error);
  return r;
}

static const double *passed(const epi_reel *s, int row) { return s->passed + (size_t)row*(EPI_LEAST + 4*(size_t)s->n); }

/* every row that was asked for is there, in order */
static void has_rows(const epi_result *r, double every)
{
  const epi_reel *s = &r->kept;
  int found = 0;
  for (int i = 0; i < s->rows; i++) {
    double t = s->x[i*s->n], turns = t/every;
    if (i) check(t > s->x[(i - 1)*s->n]);
    found += fabs(turns - round(turns)) < 1e-9 && (!i || turns > 0.5);
    for (int k = 0; k < s->n; k++) check_between(s->x[i*s->n + k], passed(s, i)[EPI_LEAST + k], passed(s, i)[EPI_LEAST + s->n + k]);
  }
  check_count(found, r->rows);
}

int main(void)
{
  epi_case *c = epi_case_make("kepler");
  epi_result *r = run(c, "tolerance(dop853)", 40, 2, 1), *plain = run(c, "tolerance(dop853)", 40, 2, 0);
  check_count(r->rows, 21);
  check_count(r->kept.rows, r->rows + r->steps - 1);   /* the last step is the last row */
  check_count(r->calls, plain->calls);
  check_bits(4, r->y, plain->y);
  has_rows(r, 2);
  /* on the ellipse, at every one of them */
  for (int i = 0; i < r->kept.rows; i++) {
    const double *y = r->kept.x + i*r->kept.n + 1;
    check_abs(hypot((y[0] + 0.8), y[1]/0.6), 1, 1e-3);
  }
  epi_result_free(r);
  epi_result_free(plain);
  epi_case_free(c);
  c = epi_case_make("van-der-pol");
  r = run(c, "tolerance(dop853)", 40, 2, 1);
  check_above((double)r->steps, 8000);
  check_count(r->kept.rows, r->rows);
  has_rows(r, 2);
  double looks = 0;
  for (int i = 1; i < r->kept.rows; i++) {
    const double *p = passed(&r->kept, i), *one = p + EPI_LEAST + 2*r->kept.n, *next = one + r->kept.n;
    looks += p[EPI_LOOKS];
    check(p[EPI_DRAWS] > 0);
    /* one step of those between the rows */
    check(one[0] > r->kept.x[(i - 1)*r->kept.n] && one[0] < r->kept.x[i*r->kept.n]);
    check_between(next[0] - one[0], 1e-12, 0.005);
    if (i > 4) check_abs(p[EPI_LEAST + r->kept.n + 1], 2, 0.02);
  }
  check_above(looks, 0.9*(double)r->steps);
  epi_result_free(r);
  epi_case_free(c);
  return test_done();
}
