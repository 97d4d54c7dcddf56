/* fuzz.h - what the targets share. Each is one function of bytes, which libFuzzer calls (make fuzz) or replay.c (make check); what must
   hold of every input is asserted by `hold`, and the sanitisers see the rest */
#ifndef FUZZ_H
#define FUZZ_H
#include "epicycle.h"
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* what an input means, where that is not to be read from its bytes: told with what does not hold. Standard error may be hushed */
static const char *fuzz_meaning = "";
#define hold(holds) ((holds) ? (void)0 : fuzz_broken(__FILE__, __LINE__, #holds))
static inline void fuzz_broken(const char *file, int line, const char *what)
{
  dprintf(2, "%s:%d: %s does not hold%s%s\n", file, line, what, *fuzz_meaning ? ": " : "", fuzz_meaning);
  abort();
}

/* the bytes as a text, to be freed; what comes after a zero byte is `rest`, or "" */
static inline char *fuzz_text(const uint8_t *data, size_t size, const char **rest)
{
  char *text = malloc(size + 2);
  if (!text) abort();
  if (size) memcpy(text, data, size);
  text[size] = text[size+1] = 0;
  if (rest) *rest = text + strlen(text) + (strlen(text) < size);
  return text;
}

/* choices from the bytes, and 0 when they are used up */
typedef struct bytes { const uint8_t *at, *end; } bytes;
static inline unsigned byte_of(bytes *b) { return b->at < b->end ? *b->at++ : 0; }
static inline unsigned dice_of_bytes(void *state, unsigned n) { return byte_of(state) % n; }

/* a flow that is still under way after half a second of work is told to stop; that it then comes back is what the fuzzer's limit asks */
static epi_flow *volatile fuzz_under_way;
static void fuzz_ring(int which) { (void)which; if (fuzz_under_way) epi_stop(fuzz_under_way); }
static inline void fuzz_limit(epi_flow *f)
{
  fuzz_under_way = f;
  if (f) {
    struct sigaction a = {.sa_handler = fuzz_ring, .sa_flags = SA_RESTART};
    sigaction(SIGVTALRM, &a, NULL);
  }
  setitimer(ITIMER_VIRTUAL, &(struct itimerval){.it_value.tv_usec = f ? 500000 : 0}, NULL);
}
static inline int fuzz_advance(epi_flow *f, epi_state *s, double h, long n)
{
  fuzz_limit(f);
  int code = epi_advance(f, s, h, n);
  fuzz_limit(NULL);
  return code;
}

/* sentences of the command are not read here; those of a sanitiser go to the descriptor and stay */
static inline void fuzz_hush(void)
{
  static int done;
  if (done++) return;
  FILE *none = fopen("/dev/null", "w");
  if (none) stderr = stdout = none;
}
#endif
