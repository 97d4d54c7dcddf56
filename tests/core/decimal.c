/* holds: decimal numbers are read to the nearest double, in half-way and extreme cases too
 * decimal.c - decimal numbers are read to the nearest double: random ones, half-way cases, the smallest and the largest, and where a number
 * ends
 * label: long   label: once */
#include "decimal.h"
#include "test.h"

static uint64_t seed = 88172645463325252u;
static uint64_t draw(void)
{
  seed ^= seed << 13;
  seed ^= seed >> 7;
  return seed ^= seed << 17;
}

static double random_double(void)
{
  double x;
  do {
    uint64_t bits = draw();
    memcpy(&x, &bits, sizeof x);
  } while (!isfinite(x));
  return x;
}

static double read(const char *text)
{
  const char *end;
  double x = epi_decimal(text, &end);
  if (*end) { check(*end == 0); printf("  %s is read up to '%s'\n", text, end); }
  return x;
}

static int same(double a, double b) { return !memcmp(&a, &b, sizeof a); }

/* every double comes back from its digits: 17 of them, the fewest that say it, and many more than it needs */
static void round_trip(void)
{
  long wrong = 0;
  char text[1200];
  for (int i = 0; i < 1000000; i++) {
    double x = random_double();
    int n = 15;
    snprintf(text, sizeof text, "%.17g", x);
    wrong += !same(read(text), x);
    if (i % 10) continue;
    do snprintf(text, sizeof text, "%.*g", n++, x); while (strtod(text, NULL) != x);
    wrong += !same(read(text), x);
    if (i % 1000) continue;
    snprintf(text, sizeof text, "%.1074f", x);
    if (fabs(x) < 1e100) wrong += !same(read(text), x);
    snprintf(text, sizeof text, "%.780e", x);
    wrong += !same(read(text), x);
  }
  check_count(wrong, 0);
}

/* as the C library reads them, which is right in the C locale: digits that are of no double */
static void random_digits(void)
{
  long wrong = 0;
  char text[64];
  for (int i = 0; i < 300000; i++) {
    int n = 1 + (int)(draw() % 25), at = 0, point = (int)(draw() % (uint64_t)(n + 1));
    for (int k = 0; k < n; k++) {
      if (k == point) text[at++] = '.';
      text[at++] = (char)('0' + draw() % 10);
    }
    snprintf(text + at, sizeof text - (size_t)at, "e%d", (int)(draw() % 700) - 350);
    wrong += !same(read(text), strtod(text, NULL));
  }
  check_count(wrong, 0);
}

/* the middle of two neighbours goes to the even one, a trace beside it to the nearer: 1 + (2 k + 1) 2^-53 has 54 digits */
static void half_way(void)
{
  static const struct { const char *text; double value; } rows[] = {
    {"1.00000000000000011102230246251565404236316680908203125", 1}, {"1.00000000000000011102230246251565404236316680908203124", 1},
    {"1.00000000000000011102230246251565404236316680908203126", 1 + 0x1p-52},
    {"1.00000000000000033306690738754696212708950042724609375", 1 + 0x1p-51},
    {"1.00000000000000033306690738754696212708950042724609374", 1 + 0x1p-52},
    {"9007199254740993", 9007199254740992.0}, {"9007199254740995", 9007199254740996.0},
    {"9007199254740993.0000000000000000000001", 9007199254740994.0},
    /* the smallest one, half of it, and the border to the normal ones */
    {"4.9406564584124654e-324", 0x1p-1074}, {"2.4703282292062327e-324", 0}, {"2.4703282292062328e-324", 0x1p-1074}, {"2.5e-324", 0x1p-1074},
    {"7.4e-324", 0x1p-1074}, {"7.5e-324", 0x1p-1073}, {"2.2250738585072011e-308", 0x1p-1022 - 0x1p-1074},
    {"2.2250738585072014e-308", 0x1p-1022},
    {"2.2250738585072012e-308", 0x1p-1022}, {"1e-400", 0}, {"1e-2000000000000", 0}, {"0e999999999999", 0}, {"0.0000e-5", 0},
    /* the largest one, and where infinity begins */
    {"1.7976931348623157e308", 0x1.fffffffffffffp1023}, {"1.7976931348623158e308", 0x1.fffffffffffffp1023},
    {"1.797693134862315807e308", 0x1.fffffffffffffp1023}, {"1.7976931348623159e308", INFINITY}, {"1e309", INFINITY},
    {"1e99999999999", INFINITY},
    {"inf", INFINITY}, {"Infinity", INFINITY}, {"0.1", 0.1}, {".5", 0.5}, {"5.", 5}, {"00012.50", 12.5}, {"+3", 3},
    {"123456789012345678", 123456789012345678.0},
    {"8.5e22", 8.5e22}, {"1e23", 1e23}, {"89255e-22", 89255e-22},
  };
  for (size_t i = 0; i < sizeof rows/sizeof *rows; i++) {
    char minus[96];
    if (!check(same(read(rows[i].text), rows[i].value))) printf("  %s is %a, not %a\n", rows[i].text, read(rows[i].text), rows[i].value);
    snprintf(minus, sizeof minus, "-%s", rows[i].text);
    if (*rows[i].text != '+') check(same(read(minus), -rows[i].value));
  }
  check(isnan(read("nan")));
}

/* the digits of 2^-1074 without the zeros in front: 2^-1074 = D 10^-1074 */
static void smallest(char *digits, size_t size)
{
  char text[1100];
  snprintf(text, sizeof text, "%.1074f", 0x1p-1074);
  snprintf(digits, size, "%s", text + strspn(text, "0."));
}

/* 3 2^-1075, in the middle of the two smallest, has 750 digits: D times 15; and one digit far after them decides */
static void long_ones(void)
{
  char from[1000], middle[1000] = {0}, text[1500];
  int carry = 0;
  smallest(from, sizeof from);
  for (int i = (int)strlen(from); i > 0; i--) {
    int x = 15*(from[i - 1] - '0') + carry;
    middle[i] = (char)('0' + x % 10);
    carry = x/10;
  }
  middle[0] = (char)('0' + carry);
  if (carry > 9) test_stop("the first digit is not one");
  snprintf(text, sizeof text, "%se-1075", middle);
  check(same(read(text), 0x1p-1073));
  /* the one below is the odd one: nothing but a nearer place leads there */
  middle[strlen(middle) - 1]--;
  snprintf(text, sizeof text, "%s%0200de-1275", middle, 9);
  check(same(read(text), 0x1p-1074));
  /* more digits than are kept: 9007199254740993 and a trace after 900 zeros */
  snprintf(text, sizeof text, "9007199254740993.%0900d", 0);
  check(same(read(text), 9007199254740992.0));
  strcat(text, "1");
  check(same(read(text), 9007199254740994.0));
}

/* where a number ends, and what is none */
static void ends(void)
{
  static const struct { const char *text; int length; } rows[] = {
    {"1e", 1}, {"1e+", 1}, {"1.5.2", 3}, {"2*pi", 1}, {"1,5", 1}, {"-", 0}, {"", 0}, {".", 0}, {"e5", 0}, {"x", 0}, {"1e5e5", 3},
    {"1-2", 1}, {" 1", 0},
    {"infinite", 3}, {"0x10", 1}, {"--1", 0},
  };
  for (size_t i = 0; i < sizeof rows/sizeof *rows; i++) {
    const char *end;
    epi_decimal(rows[i].text, &end);
    if (!check_count(end - rows[i].text, rows[i].length)) printf("  %s\n", rows[i].text);
  }
}

/* numbers of few digits are written without printf, and as it would */
static void few_digits(void)
{
  static const double odd[] = {0, -0.0, 1, -1, 0.1, 1e-4, 1e-5, 1e-16, 1e-17, 999999, 1e6, 123456.7, 1e22, 1.7976931348623157e308, 0.3,
                               0.1 + 0.2, 1e15, 123456789, 2e-16, 100000, 0.5, 12.25, -7e-7};
  const int extra = (int)(sizeof odd/sizeof *odd);
  long wrong = 0;
  for (int i = 0; i < 300000 + extra; i++) {
    char text[40];
    double x = i < extra ? odd[i] : (double)(draw()%1000000)/pow(10, (double)(draw()%20)), back;
    if (i % 3 == 1 && i >= extra) x = -x;
    snprintf(text, sizeof text, "%.15g", x);
    const epi_number n = epi_shortest(x);
    wrong += !epi_number_read(n.text, &back) || !same(back, x);
    /* fifteen digits are the shortest where they say it */
    if (same(read(text), x) && strcmp(text, n.text)) { wrong++; printf("  %s is written %s\n", text, n.text); }
  }
  check_count(wrong, 0);
}

int main(void)
{
  round_trip();
  few_digits();
  random_digits();
  half_way();
  long_ones();
  ends();
  return test_done();
}
