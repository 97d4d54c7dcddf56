/* holds: messages are whole UTF-8 characters without control characters, whatever was given */
#include "letters.h"
#include "epicycle/handle.h"
#include "epicycle/file.h"
#include "epicycle/method.h"
#include "problems.h"
#include "test.h"

static int clean(const char *s)
{
  for (; *s; s += epi_letter_size(s)) if (!epi_letter_size(s) || epi_is_control(s)) return 0;
  return 1;
}

static void check_clean(const char *sentence, const char *of)
{
  if (check(sentence && clean(sentence))) return;
  printf("  of '%s': '%s'\n", of, sentence ? sentence : "none");
}

static void cleaned(void)
{
  static const char *const pairs[][2] = {
    {"plain", "plain"}, {"caf\xc3\xa9 \xe2\x82\xac \xf0\x9d\x84\x9e", "caf\xc3\xa9 \xe2\x82\xac \xf0\x9d\x84\x9e"}, {"'\xc3'", "'?'"},
    {"cut \xe2\x82", "cut "}, {"cut \xf0", "cut "}, {"a\x7f" "b\x1b[31mc\r", "a?b?[31mc?"}, {"one\n\ttwo", "one\n\ttwo"},
    {"\xc2\x9b" "0m", "?0m"}, {"\xc0\xaf \xed\xa0\x80 \xf4\x90\x80\x80 \xff", "? ? ? ?"}, {"\x80\x80x", "?x"}, {"", ""}};
  for (size_t i = 0; i < sizeof pairs/sizeof *pairs; i++) {
    char s[64];
    snprintf(s, sizeof s, "%s", pairs[i][0]);
    epi_clean(s);
    check_text(s, pairs[i][1]);
  }
  /* a room that ends at any byte of a character */
  for (size_t n = 1; n < 20; n++) {
    epi_flow *f = epi_make("verlet", &(epi_system){.nq = 2, .force = henon_force});
    epi_warn(f, "%.*s", (int)n, "\xe2\x82\xac\xe2\x82\xac\xc3\xa9\xf0\x9d\x84\x9exxxxxxxxxx");
    check_clean(f->warning, "a warning");
    epi_free(f);
  }
}

/* what is wrong in a text, with these bytes in many places of it */
static const char *const odd[] = {"\xc3\xa9", "\xe2\x82\xac", "\xf0\x9d\x84\x9e", "\x7f", "\x1b[31m", "\x01", "\xff", "\xc3", "\xc2\x9b"};
enum { ODD = sizeof odd/sizeof *odd };

static void with(const char *text, void (*say)(const char *))
{
  char all[400];
  for (size_t at = 0; at <= strlen(text); at++)
    for (int k = 0; k < ODD; k++) {
      snprintf(all, sizeof all, "%.*s%s%s", (int)at, text, odd[k], text + at);
      say(all);
    }
}

static void of_a_flow(const char *text)
{
  epi_flow *f = epi_make(text, &(epi_system){.nq = 2, .force = henon_force});
  check_clean(epi_error(f) ? epi_error(f) : "", text);
  epi_free(f);
}
static void of_a_model(const char *text)
{
  epi_job *j = epi_job_model(text);
  epi_job_make(j);
  check_clean(epi_job_error(j), text);
  epi_job_free(j);
}
static void of_an_option(const char *text)
{
  epi_job *j = epi_job_model("kepler");
  epi_job_say(j, text, text);
  check_clean(epi_job_error(j), text);
  epi_job_free(j);
}
static void of_a_file(const char *text)
{
  epi_file *f = epi_file_read_text(text, strlen(text), "a file");
  for (int i = 0; i < epi_file_sentences(f); i++) check_clean(epi_file_sentence(f, i)->text, text);
  check_clean(epi_file_title(f) ? epi_file_title(f) : "", text);
  epi_file_free(f);
}

int main(void)
{
  cleaned();
  with("tolerance(verlat, rtol=1e-x)", of_a_flow);
  with("symmetric(nothing, order=8", of_a_flow);
  with("keplr(e=0.6)", of_a_model);
  with("12 rpm", of_an_option);
  with("title: \"\\e[31m \\x7f \\x01\"\nmodel: kepler\nend: 1\n", of_a_file);
  with("model: kepler\nflow: verlet\nstep: 0.01 s\nend: @x\n", of_a_file);
  with("world:\n  bodies:\n    - {name: a b, ball: 1 cmm, mass: %}\n  joints: [{a: nobody}]\n", of_a_file);
  with("model: {a: `x}\n", of_a_file);
  return test_done();
}
