/* test.h - checks that count themselves and show both numbers where they fail
 *
 *   #include "test.h"
 *   int main(void) {
 *     check(f != NULL);
 *     check_rel(energy, 1.5, 1e-12);
 *     check_order(5, h, error, 4.0, 0.1);
 *     return test_done();
 *   }
 *
 * A check evaluates each argument once, is an expression, and is 1 where it holds: if (!check(f)) test_stop("no flow");
 * NaN passes none of the comparisons. A test without a single check fails. Check from one thread only. */
#ifndef TEST_H
#define TEST_H
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEST_SHOWN 50          /* further failures are only counted */
#define TEST_SKIP 77           /* the exit code of a test that cannot run here */
#ifdef __SANITIZE_ADDRESS__    /* under the checkers a run takes ten times as long: there a test may take fewer of the same kind */
#define TEST_CHECKED 1
#else
#define TEST_CHECKED 0
#endif

#define check(holds) test_true(__FILE__, __LINE__, #holds, !!(holds))
#define check_abs(got, want, tol) test_near(__FILE__, __LINE__, #got, got, want, 0, tol)            /* |got - want| <= tol */
#define check_rel(got, want, tol) test_near(__FILE__, __LINE__, #got, got, want, tol, 0)            /* <= tol |want| */
#define check_near(got, want, rtol, atol) test_near(__FILE__, __LINE__, #got, got, want, rtol, atol) /* <= rtol |want| + atol */
#define check_ulp(got, want, n) test_ulp(__FILE__, __LINE__, #got, got, want, n)                    /* at most n doubles apart */
#define check_below(got, bound) test_range(__FILE__, __LINE__, #got, got, -INFINITY, bound)         /* got <= bound */
#define check_above(got, bound) test_range(__FILE__, __LINE__, #got, got, bound, INFINITY)          /* got >= bound */
#define check_between(got, low, high) test_range(__FILE__, __LINE__, #got, got, low, high)
#define check_count(got, want) test_count(__FILE__, __LINE__, #got, got, want)                      /* whole numbers */
#define check_array(n, got, want, tol) test_array(__FILE__, __LINE__, #got, n, got, want, tol)      /* |got - want| <= tol max(1, |want|) */
#define check_bits(n, got, want) test_bits(__FILE__, __LINE__, #got, n, got, want)                  /* the same doubles, bit by bit */
#define check_text(got, want) test_text(__FILE__, __LINE__, #got, got, want)                        /* the same string */
#define check_has(got, part) test_has(__FILE__, __LINE__, #got, got, part)                          /* part stands in got */
#define check_order(n, h, error, want, tol) test_order(__FILE__, __LINE__, #error, n, h, error, want, tol)  /* error ~ h^want */

static struct { long passed, failed; } test;

/* counts one check; the failing ones begin a line that the caller ends */
static inline int test_count_one(const char *file, int line, int holds) {
  if (holds) test.passed++;
  else if (++test.failed <= TEST_SHOWN) printf("%s:%d: ", file, line);
  return holds;
}

static inline int test_quiet(void) { return test.failed > TEST_SHOWN; }

static inline int test_true(const char *file, int line, const char *what, int holds) {
  if (!test_count_one(file, line, holds) && !test_quiet()) printf("%s does not hold\n", what);
  return holds;
}

static inline int test_near(const char *file, int line, const char *what, double got, double want, double rtol, double atol) {
  double apart = fabs(got - want), allowed = rtol*fabs(want) + atol;
  int holds = apart <= allowed;
  if (!test_count_one(file, line, holds) && !test_quiet())
    printf("%s is %.17g, not %.17g: %.3g apart, %.3g allowed\n", what, got, want, apart, allowed);
  return holds;
}

/* doubles as whole numbers in their order, so that neighbours differ by one */
static inline int64_t test_rank(double x) {
  int64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits < 0 ? INT64_MIN - bits : bits;
}

static inline int test_ulp(const char *file, int line, const char *what, double got, double want, unsigned long n) {
  int64_t a = test_rank(got), b = test_rank(want);
  uint64_t apart = a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
  int holds = !isnan(got) && !isnan(want) && apart <= n;
  if (!test_count_one(file, line, holds) && !test_quiet())
    printf("%s is %.17g, not %.17g: %llu ulp apart, %lu allowed\n", what, got, want, (unsigned long long)apart, n);
  return holds;
}

static inline int test_range(const char *file, int line, const char *what, double got, double low, double high) {
  int holds = got >= low && got <= high;
  if (!test_count_one(file, line, holds) && !test_quiet())
    printf("%s is %.17g, outside [%.17g, %.17g]\n", what, got, low, high);
  return holds;
}

static inline int test_count(const char *file, int line, const char *what, long long got, long long want) {
  int holds = got == want;
  if (!test_count_one(file, line, holds) && !test_quiet()) printf("%s is %lld, not %lld\n", what, got, want);
  return holds;
}

static inline int test_array(const char *file, int line, const char *what, int n, const double *got, const double *want, double tol) {
  int bad = -1;
  double worst = 0;
  for (int i = 0; i < n; i++) {
    double apart = fabs(got[i] - want[i])/fmax(1, fabs(want[i]));
    if (apart <= tol) continue;
    if (bad < 0 || !(apart <= worst)) { bad = i; worst = apart; }
  }
  int holds = n > 0 && bad < 0;
  if (test_count_one(file, line, holds) || test_quiet()) return holds;
  if (bad < 0) printf("%s has no entries to compare\n", what);
  else printf("%s[%d] is %.17g, not %.17g: %.3g apart, %.3g allowed\n", what, bad, got[bad], want[bad], worst, tol);
  return holds;
}

static inline int test_bits(const char *file, int line, const char *what, int n, const double *got, const double *want) {
  int i = 0;
  while (i < n && !memcmp(got + i, want + i, sizeof *got)) i++;
  int holds = n > 0 && i == n;
  if (test_count_one(file, line, holds) || test_quiet()) return holds;
  if (n <= 0) printf("%s has no entries to compare\n", what);
  else printf("%s[%d] is %a, not %a: other bits\n", what, i, got[i], want[i]);
  return holds;
}

static inline int test_text(const char *file, int line, const char *what, const char *got, const char *want) {
  int holds = got && want ? !strcmp(got, want) : got == want;
  if (!test_count_one(file, line, holds) && !test_quiet())
    printf("%s is \"%s\", not \"%s\"\n", what, got ? got : "(null)", want ? want : "(null)");
  return holds;
}

static inline int test_has(const char *file, int line, const char *what, const char *got, const char *part) {
  int holds = got && strstr(got, part);
  /* sentences as a whole, for tests/golden */
  if (getenv("TEST_SAID")) printf("said %s | %s\n", part, got ? got : "(null)");
  if (!test_count_one(file, line, holds) && !test_quiet())
    printf("%s is \"%s\", without \"%s\"\n", what, got ? got : "(null)", part);
  return holds;
}

/* least squares slope of log(error) over log(h); NaN where it has no meaning */
static inline double test_slope(int n, const double *h, const double *error) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (int i = 0; i < n; i++) {
    double x = log(fabs(h[i])), y = log(fabs(error[i]));
    sx += x, sy += y, sxx += x*x, sxy += x*y;
  }
  double p = (n*sxy - sx*sy)/(n*sxx - sx*sx);
  return n >= 2 && isfinite(p) ? p : NAN;
}

/* the slope through all points, and through the last three: an order shows where h is small, not on average */
static inline int test_order(const char *file, int line, const char *what, int n, const double *h,
                             const double *error, double want, double tol) {
  int m = n < 3 ? n : 3;
  double all = test_slope(n, h, error), last = test_slope(m, h + n - m, error + n - m);
  int holds = fabs(all - want) <= tol && fabs(last - want) <= tol;
  if (test_count_one(file, line, holds) || test_quiet()) return holds;
  printf("%s falls as h^%.3f, at the end as h^%.3f, not h^%.3f within %.3f:", what, all, last, want, tol);
  for (int i = 0; i < n; i++) printf(" %.3g@%.3g", error[i], h[i]);
  printf("\n");
  return holds;
}

/* the last line of main: return test_done(); */
static inline int test_done(void) {
  if (!test.passed && !test.failed) printf("no check was made\n");
  printf("%ld checks passed, %ld failed\n", test.passed, test.failed);
  return fflush(stdout) || test.failed || !test.passed;
}

/* what the test needs is not on this machine: return test_skip("no second thread"); */
static inline int test_skip(const char *why) {
  printf("skipped: %s\n", why);
  return test.failed ? 1 : TEST_SKIP;
}

/* nothing after this makes sense */
static inline int test_stop(const char *why) {
  printf("stopped: %s\n", why);
  test.failed++;
  exit(test_done());
}
#endif
