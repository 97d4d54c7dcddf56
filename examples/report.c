/* report.c - an orbit as rows in orbit.csv and as a page for the browser, orbit.html; needs the library epicycle-file beside epicycle */
#include <epicycle/page.h>

int main(void)
{
  char error[256];
  int bad = 1;
  epi_case *c = epi_case_make("kepler(e=0.6)");
  epi_result *r = epi_result_make(c, "symmetric(verlet, order=6)", &(epi_run_options){
    .step = 0.05, .end = 100, .every = 0.5, .out = "orbit.csv", .pictures = 1, .model = "kepler(e=0.6)"});
  if (epi_result_run(r)) fprintf(stderr, "%s\n", r ? r->error : "out of memory");
  else if (epi_report_write("orbit.html", "An orbit", &(const epi_result *){r}, 1, -1, error, sizeof error)) fprintf(stderr, "%s\n", error);
  else bad = !printf("%ld rows, %ld evaluations, energy kept to %.2g\n", r->rows, r->calls, r->invariant[0].ledger.most);
  epi_result_free(r);
  epi_case_free(c);
  return bad;
}
